"""What a record of the library says of its formula, compared with values of the formula at a fixed grid of tables.

Each law returns what contradicts the record, in words, or nothing.  They take milliseconds a record, so that all
records meet all laws in every run, and ``test_record_laws.py`` shows that wrong records are found.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Rational, S, lambdify, sign

from symmetrics import Metric
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

__all__ = ["LAWS", "LAWS_OF_VERDICTS", "values_of"]

Array = NDArray[np.float64]
Values = Callable[[Array], Array]

_SMALL: Final = np.array(list(itertools.product((0, 1, 2, 3, 5, 8), repeat=4)), dtype=float)
"""Tables with zeros and small counts."""
_EXTREME: Final = np.array(list(itertools.product((0, 1e-9, 1e-3, 1, 1e9), repeat=4)))
_NEAR_E: Final = math.e - 1
_SLOW: Final[dict[str, list[list[tuple[float, ...]]]]] = {
    "discriminant_power_decimal": [[(1e20, 1, 1, 1e20), (1, 1e20, 1e20, 1)]],
    "j_measure": [[(1, 1e-9, 1e-9, _NEAR_E)]],
    "j_measure_symmetric": [[(1, 1e-9, 1e-9, _NEAR_E)]],
    "klosgen": [[(1, 1e-9, 1e-9, 2), (1547, 4226, 4226, 1)]],
    "klosgen_rule": [[(1, 1e-9, 1e-9, 2), (1e-9, 2, 1, 1e-9)]],
    "one_way_support": [[(1, 1e9, _NEAR_E, 1e-9)]],
    "stiles": [[(2 + 1e-12, 1, 1, 2)]],
    "symmetric_extreme_dependency_score": [[(1e-200, 1, 1, 1)]],
}
"""Tables near the ends of a range that is approached slowly, or inside the tables' space."""
_SLACK: Final = 1e-9
_MOVES: Final = ((CELLS.index(FN), CELLS.index(TP)), (CELLS.index(FP), CELLS.index(TN)))
"""From which cell to which an example goes whose prediction is corrected."""
_FAR: Final = 20.0
_NEAR: Final = 1e-2


@lru_cache(maxsize=1024)
def values_of(metric: Metric, settings: tuple[tuple[str, Rational], ...] = ()) -> Values:
    """Return a formula as a function of tables, nan where it is not a real number as it is written."""
    formula: Callable[..., Any] = lambdify(CELLS, metric.at(**dict(settings)).at_defaults(), "numpy")

    def values(tables: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.broadcast_to(np.asarray(formula(*tables.T), dtype=float), len(tables))

    return values


def settings_within(parameter: Parameter) -> list[Rational]:
    """Return values of a parameter over its whole domain, its ends or what is near them included."""
    low = parameter.lower if parameter.lower.is_finite else min(S(-3), parameter.upper - 6)
    high = parameter.upper if parameter.upper.is_finite else max(S(3), low + 6)
    shares = (Rational(1, 50), Rational(1, 3), Rational(2, 3), Rational(49, 50))
    found = [low + (high - low) * share for share in shares]
    found += [] if parameter.lower_open else [low]
    return found if parameter.upper_open else [*found, high]


def wrong_direction(metric: Metric) -> str | None:
    """Whether corrected predictions raise a score, and lower a loss; neither end is better where some do either.

    Where as many corrections raise as lower it, right predictions alone are compared with wrong ones alone.
    """
    values = values_of(metric)
    rises = falls = 0
    for wrong, right in _MOVES:
        tables = _SMALL[_SMALL[:, wrong] > 0]
        corrected = tables.copy()
        corrected[:, wrong] -= 1
        corrected[:, right] += 1
        before, after = values(tables), values(corrected)
        known = np.isfinite(before) & np.isfinite(after)
        before, after = before[known], after[known]
        slack = 1e-12 * np.maximum(1, np.abs(before))
        rises += int((after > before + slack).sum())
        falls += int((after < before - slack).sum())
    sizes = np.array(list(itertools.permutations((1, 2, 3, 5, 8), 2)), dtype=float)
    none = np.zeros(len(sizes))
    right = values(np.stack([sizes[:, 0], none, none, sizes[:, 1]], axis=1))
    wrong = values(np.stack([none, sizes[:, 0], sizes[:, 1], none], axis=1))
    with np.errstate(invalid="ignore"):
        ends = np.sign(np.nan_to_num(right - wrong))
    seen = f"{metric.name}: of the corrections of one prediction {rises} raise it and {falls} lower it"
    if metric.greater_is_better is None:
        return f"{seen}; say whether greater is better" if (rises > 0) != (falls > 0) else None
    sign = 1 if metric.greater_is_better else -1
    better = (ends * sign > 0).any() and not (ends * sign < 0).any()
    is_fine = (rises - falls) * sign >= 0 if not ends.any() else better
    if not is_fine or not (rises or falls):
        return f"{seen}, and greater_is_better is {metric.greater_is_better}"
    return None


def outside_of_range(metric: Metric) -> str | None:
    """Whether all values lie in the range, at the defaults and all over the domains of the parameters."""
    if metric.range is None:
        return None
    low, high = float(metric.range.inf), float(metric.range.sup)
    for settings in _settings(metric):
        values = values_of(metric, settings)(_SMALL)
        slack = _SLACK * max([1.0, *(abs(end) for end in (low, high) if math.isfinite(end))])
        outside = np.isfinite(values) & ((values < low - slack) | (values > high + slack))
        if outside.any():
            place = int(np.argmax(outside))
            at = "".join(f", {name} = {value}" for name, value in settings)
            return f"{metric.name} is {values[place]:.6g} at {_SMALL[place].tolist()}{at}, outside of {metric.range}"
    return None


def _settings(metric: Metric) -> Iterator[tuple[tuple[str, Rational], ...]]:
    """Yield no setting, and each parameter at values all over its domain with the others at their defaults."""
    yield ()
    for parameter in metric.parameters:
        for value in settings_within(parameter):
            yield ((parameter.name, value),)


def range_too_wide(metric: Metric) -> str | None:
    """Whether values come near both ends of the range, or grow beyond all bounds towards an infinite one."""
    if metric.range is None:
        return None
    values = values_of(metric)(np.concatenate([_SMALL, _EXTREME, *_SLOW.get(metric.name, ())]))
    values = values[np.isfinite(values)]
    for end, extreme in ((metric.range.inf, values.min()), (metric.range.sup, values.max())):
        grows = abs(extreme) > _FAR and (extreme > 0) == (end > 0)
        if not (grows if end.is_infinite else abs(extreme - float(end)) < _NEAR):
            return f"{metric.name}: no value comes nearer to {end}, an end of its range, than {extreme:.6g}"
    return None


def other_range(metric: Metric, verdict: Verdict) -> str | None:
    """Whether the range is the one that was proved, where that is one interval with plain ends."""
    interval = re.fullmatch(r"[\[(]([^;]+), ([^;]+)[\])]", verdict.value or "")
    if verdict.status != "proved" or metric.range is None or interval is None:
        return None
    proved = [parse_formula(end.replace("oo", "10**99")) for end in interval.groups()]
    own = [end if end.is_finite else sign(end) * 10**99 for end in (metric.range.inf, metric.range.sup)]
    return None if proved == own else f"{metric.name}: the range is {metric.range}, and {verdict.value} is proved"


def other_tables_without_value(metric: Metric, verdict: Verdict) -> str | None:
    """Whether the formula has values at all tables, zeros included, if that is proved, and none at the witness."""
    tables = _SMALL[_SMALL.any(axis=1)]
    if verdict.witness is not None:
        tables = np.array([[float(cell) for cell in verdict.witness.tables[0]]])
    is_finite = np.isfinite(values_of(metric)(tables))
    if verdict.holds is False and is_finite.any():
        return f"{metric.name} has a value at {tables[0].tolist()}, the witness of its verdict"
    if verdict.holds and not is_finite.all():
        return f"{metric.name} has no value at {tables[int(np.argmin(is_finite))].tolist()}, and is proved to"
    return None


LAWS: Final[dict[str, Callable[[Metric], str | None]]] = {
    "direction": wrong_direction,
    "range": outside_of_range,
    "ends of the range": range_too_wide,
}

LAWS_OF_VERDICTS: Final[dict[str, Callable[[Metric, Verdict], str | None]]] = {
    "range": other_range,
    "defined": other_tables_without_value,
}
"""Laws that compare a record with a verdict, by the key of the property."""
