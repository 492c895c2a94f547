"""Can the scores of many classes be true?  Which confusion matrices agree with a table of scores by class."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np
from sympy import Expr

from symmetrics.auditing.choosing import agreeing
from symmetrics.auditing.margins import Classes, Matrix, Whole, candidates
from symmetrics.auditing.reported import Reported, is_left_out
from symmetrics.auditing.search import Score
from symmetrics.data.counts import shown
from symmetrics.library import metrics
from symmetrics.library.selections import as_metric
from symmetrics.matrices import MulticlassMetric, multiclass
from symmetrics.matrices.nodes import ClassMean
from symmetrics.metric import Metric
from symmetrics.tools.budget import SECONDS, within
from symmetrics.tools.errors import BudgetError, InputError, UnknownNameError, UnsupportedError
from symmetrics.tools.texts import number_of

LARGEST: Final = 10**6
"""Examples, at most: products of two such numbers, and their sums, are exact as floats."""
LISTED: Final = 20_000
"""Matrices, at most, that the bounds of a metric go through."""
_AVERAGE: Final = re.compile(
    r"(?P<before>macro|weighted|micro)(?:[ _-](?:avg|average))?[ _-](?P<of>.+)"
    r"|(?P<name>.+)[ _-](?P<after>macro|weighted|micro)",
    re.IGNORECASE,
)
"""``macro f1``, ``weighted avg precision``, ``f1_micro``."""
_SUMS: Final = {"accuracy": "TP/(TP + FN)", "error_rate": "FN/(TP + FN)"}
"""Metrics of matrices that are one of the cells of all classes against the rest, added up."""


@dataclass(frozen=True, repr=False, eq=False)
class MatrixAudit:
    """Whether some confusion matrices agree with all reported scores of many classes, and which.

    :param reported: what is reported
    :param status: ``"possible"``; ``"impossible"`` if no matrix agrees; ``"open"`` if that was not decided
    :param example: a matrix that agrees; rows are true classes, columns predicted ones
    :param clash: names of scores that no matrix agrees with; none of them can be left out, as far as was found in time
    :param readings: other common readings under which what is impossible becomes possible
    :param seconds: how long a search may take
    """

    reported: Classes
    status: str
    example: Matrix | None = None
    clash: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    seconds: float = SECONDS

    @property
    def matrices(self) -> Iterator[Matrix]:
        """Matrices that agree: one for each diagonal with row and column sums, found as they are asked for.

        :raises BudgetError: if the next one cannot be found in time
        """
        found = agreeing(self.reported)
        while self.status != "impossible":
            matrix = within(lambda: next(found, None), seconds=self.seconds, shown="matrices that agree")
            if matrix is None:
                return
            yield matrix

    def bounds(self, metric: MulticlassMetric | str) -> tuple[Expr, Expr]:
        """Return the exact least and greatest value of a metric over all matrices that agree.

        :param metric: of whole matrices, as :func:`audit` reads it, such as ``"mcc"`` or ``"macro f1"``
        :raises InputError: if no matrix agrees, or the metric has a finite value at none of them
        :raises UnsupportedError: if more than 20000 matrices have to be gone through
        :raises BudgetError: if they cannot be found in time
        """
        asked = _whole(metric, Reported.of(">= 0"))
        if self.status == "impossible":
            raise InputError(f"no matrix agrees with the scores, so that {asked.name} has no bounds")
        needs_cells = asked.needs_cells or any(one.needs_cells for one in self.reported.whole)

        def extremes() -> tuple[Expr, Expr]:
            every = list(itertools.islice(agreeing(self.reported, every=needs_cells), LISTED + 1))
            if len(every) > LISTED:
                raise UnsupportedError(
                    f"more than {number_of(LISTED, 'matrix')} agree, too many for bounds of {asked.name}; pass more "
                    "scores"
                )
            values = asked.values(every) if every else np.empty(0)
            known = np.flatnonzero(np.isfinite(values))
            if not len(known):
                raise InputError(f"{asked.name} has a finite value at no matrix that agrees")
            ends = []
            for sign in (-1, 1):
                end = (sign * values[known]).max()
                near = [every[place] for place in known[sign * values[known] >= end - 1e-9 * (1 + abs(end))]]
                ends.append(_largest(map(asked.exact, near), sign))
            return ends[0], ends[1]

        return within(extremes, seconds=self.seconds, shown=f"exact bounds of {asked.name}")

    def to_dict(self) -> dict[str, Any]:
        """Return what was found as plain values."""
        return {
            "status": self.status,
            "scores": {name: {"text": one.text, "interval": one.interval} for name, one in self.printed.items()},
            "sizes": {"total": list(self.reported.total), "support": list(map(list, self.reported.supports))},
            "classes": list(self.reported.names),
            "example": self.example,
            "clash": list(self.clash),
            "readings": list(self.readings),
        }

    @property
    def printed(self) -> dict[str, Reported]:
        """What is reported, by name."""
        return dict(_named(self.reported))

    @property
    def size(self) -> str:
        """The number of classes, and of examples as far as it is known, in words."""
        low, high = self.reported.total
        return f"{number_of(len(self.reported.names), 'class')}; n {'=' if low == high else 'up to'} {high}"

    def lines(self) -> Iterator[str]:
        """Yield what was found in plain words."""
        yield f"{self.status}: {number_of(len(self.printed), 'score')} of {self.size}"
        yield self.reason

    @property
    def reason(self) -> str:
        """A matrix that agrees, or the scores that clash and how they would not, or what would decide it, in words."""
        if self.example is not None:
            return f"for instance {self.example}"
        if self.status == "open":
            return f"not decided within {self.seconds:g} s; pass the classes' supports, more scores or more seconds"
        verb = "has no such value" if len(self.clash) == 1 else "contradict each other"
        told = f"{' and '.join(f'{name} {self.printed[name].text}' for name in self.clash)} {verb}"
        return f"{told}; possible if {', or if '.join(self.readings)}" if self.readings else told

    def __repr__(self) -> str:
        return "\n".join(self.lines())


def _largest(values: Iterable[Expr], sign: int) -> Expr:
    """Return the largest of some exact numbers, or for the sign -1 the smallest; equal ones may look different."""
    found, *others = dict.fromkeys(values)
    for value in others:
        beyond = sign * (value - found)
        if beyond.equals(0) is False and beyond > 0:
            found = value
    return found


def _named(reported: Classes) -> Iterator[tuple[str, Reported]]:
    for score in _every(reported):
        yield score.name, score.reported


def _every(reported: Classes) -> list[Score | Whole]:
    return [*itertools.chain.from_iterable(reported.scores), *reported.whole]


# -- the question ------------------------------------------------------------------------------------------------------


def audit_classes(reported: Classes, seconds: float) -> MatrixAudit:
    """Return whether scores of many classes can be true together, with the clash and other readings if not."""
    status, example = _searched(reported, seconds)
    if status != "impossible":
        return MatrixAudit(reported, status, example, seconds=seconds)
    # Why it is impossible, and how it would not be, may take as long again, all together.
    ended = time.monotonic() + seconds

    def is_empty(choices: Callable[[], Iterable[object]]) -> bool | None:
        left = min(ended - time.monotonic(), seconds / 8)
        try:
            return within(lambda: not any(True for _ in choices()), seconds=left, shown="a clash") if left > 0 else None
        except (BudgetError, UnsupportedError):
            return None

    others = _other_readings(reported)
    readings = tuple(told for told, asked in others if is_empty(partial(agreeing, asked)) is False)
    return MatrixAudit(reported, status, None, _clash(reported, is_empty), readings, seconds)


def _searched(reported: Classes, seconds: float) -> tuple[str, Matrix | None]:
    try:
        found = within(lambda: next(agreeing(reported), None), seconds=seconds, shown="matrices that agree")
    except (BudgetError, UnsupportedError):
        return "open", None
    return "impossible" if found is None else "possible", found


def _clash(reported: Classes, is_empty: Callable[[Callable[[], Iterable[object]]], bool | None]) -> tuple[str, ...]:
    """Return names of scores that clash: the fewest of one class, or else some of which none can be left out."""
    low, high = reported.total
    for scores, supports in zip(reported.scores, reported.supports, strict=True):
        if low == high and is_empty(partial(candidates, scores, supports, low)):
            some = itertools.chain.from_iterable(itertools.combinations(scores, size) for size in range(1, len(scores)))
            found = next((few for few in some if is_empty(partial(candidates, few, supports, low))), scores)
            return tuple(one.name for one in found)
    left = [name for name, _ in _named(reported)]
    columns: dict[Metric, list[str]] = {}
    for one in itertools.chain.from_iterable(reported.scores):
        columns.setdefault(one.metric, []).append(one.name)
    # Many scores at a time are left out first: columns of the table, after single scores of the whole matrix.
    for group in (*([one.name] for one in reported.whole), *columns.values(), *([name] for name in left)):
        fewer = [name for name in left if name not in group]
        if 0 < len(fewer) < len(left) and is_empty(partial(agreeing, _only(reported, fewer))):
            left = fewer
    return tuple(left)


def _only(reported: Classes, names: Sequence[str]) -> Classes:
    return replace(
        reported,
        scores=tuple(tuple(one for one in scores if one.name in names) for scores in reported.scores),
        whole=tuple(one for one in reported.whole if one.name in names),
    )


def _other_readings(reported: Classes) -> Iterator[tuple[str, Classes]]:
    """Yield what else the numbers commonly mean, in words and as a question."""
    if any(one.reported.in_percent() is not one.reported for one in _every(reported)):
        yield "values above 1 are percentages", _each(reported, lambda one: {"reported": one.reported.in_percent()})
    zero = _each(reported, lambda _: {"undefined_is_zero": True})
    yield "0 is printed where a score is undefined", zero
    swapped = {"macro": "weighted", "weighted": "macro"}
    if any(one.average in swapped for one in reported.whole):
        whole = tuple(replace(one, average=swapped.get(one.average, one.average)) for one in zero.whole)
        yield "the macro and the weighted averages are exchanged", replace(zero, whole=whole)
    if any(_is_macro_f(one) for one in reported.whole):
        of_means = tuple(
            replace(one, metric=multiclass["f_of_means"], average="") if _is_macro_f(one) else one for one in zero.whole
        )
        yield "macro F1 is computed from mean precision and mean recall", replace(zero, whole=of_means)


def _is_macro_f(one: Whole) -> bool:
    return one.average == "macro" and one.metric is metrics["f1"]


def _each(reported: Classes, changed: Callable[[Any], dict[str, Any]]) -> Classes:
    return replace(
        reported,
        scores=tuple(tuple(replace(one, **changed(one)) for one in scores) for scores in reported.scores),
        whole=tuple(replace(one, **changed(one)) for one in reported.whole),
    )


# -- reading what is given ---------------------------------------------------------------------------------------------


def has_classes(scores: object) -> bool:
    """Whether one of the values has a value for each class."""
    return isinstance(scores, Mapping) and any(map(_is_listed, scores.values()))


def _is_listed(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    is_sequence = isinstance(value, Sequence) and not isinstance(value, str | bytes)
    return is_sequence or hasattr(value, "to_list")  # such as a column of a data frame


def read_classes(
    scores: Mapping[Any, Any],
    n: int | None,
    *,
    support: Any,
    up_to: int,
    rounding: str,
    names: Sequence[object] | None = None,
) -> Classes:
    """Return what is reported of the classes of one matrix.

    :param scores: by metric: a list of values, one for each class, or a value of the whole matrix
    :param support: the sizes of the classes, None where one is unknown
    :param names: of the classes; by default 1, 2, 3, ...
    :raises InputError: on values that are no numbers, lists of different lengths, and sizes that contradict each other
    :raises UnknownNameError: on an unknown name
    """
    if not isinstance(scores, Mapping):
        raise InputError(
            f"{shown(scores)} is no mapping of metrics to values; pass one, as in {{'recall': ['0.9', '0.8']}}"
        )
    given = dict(scores)
    if "support" in given:
        if support is not None:
            raise InputError("support is given twice, as an argument and among the scores; leave one out")
        support = given.pop("support")
    if support is not None and not _is_listed(support):
        raise InputError(f"support={shown(support)} is no list; pass one with the size of each class, None if unknown")
    lists = {name: list(value) for name, value in given.items() if _is_listed(value)}
    lengths = {str(name): len(values) for name, values in lists.items()}
    if support is not None:
        lengths["support"] = len(support)
    count = next(iter(lengths.values()))
    for name, length in lengths.items():
        if length != count:
            raise InputError(
                f"{next(iter(lengths))} has {number_of(count, 'value')} and {name} has {length}; give one for each "
                "class, '-' where none is printed"
            )
    if any(np.ndim(value) > 1 for value in given.values() if isinstance(value, np.ndarray)):
        raise InputError("scores by class are an array of several dimensions; give one value for each class")
    if count < 2:
        raise InputError(
            f"scores of {number_of(count, 'class')} are given; give the values of two or more, or scores of two "
            "classes as numbers"
        )
    told = tuple(str(place + 1) for place in range(count)) if names is None else tuple(map(str, names))
    if len(set(told)) < len(told):
        raise InputError(f"class {shown(max(told, key=told.count))} is there twice; give each class a name of its own")
    by_class: list[list[Score]] = [[] for _ in told]
    whole = []
    for key, value in given.items():
        if key in lists:
            metric = _of_class(key)
            for place, one in enumerate(lists[key]):
                if not is_left_out(one):
                    name = f"{key if isinstance(key, str) else metric.name} of class {told[place]}"
                    by_class[place].append(Score(name, metric, _reported(name, one, rounding)))
        elif not is_left_out(value):
            whole.append(_whole(key, _reported(str(getattr(key, "name", key)), value, rounding)))
    if not whole and not any(by_class):
        raise InputError("no score is given; give one or more")
    supports, total = _sizes([None] * count if support is None else list(support), told, n, up_to)
    return Classes(told, tuple(map(tuple, by_class)), tuple(whole), supports, total)


def _reported(name: str, value: object, rounding: str) -> Reported:
    try:
        return Reported.of(value, rounding)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _of_class(key: Any) -> Metric:
    """Return the metric of one class against the rest."""
    if isinstance(key, MulticlassMetric) or (isinstance(key, str) and key in multiclass and key not in metrics):
        raise InputError(f"{shown(key)} is of a whole matrix; give one value, not one for each class")
    return as_metric(key)


def _whole(key: Any, reported: Reported) -> Whole:
    """Return a score of a whole matrix.

    :raises UnknownNameError: if neither a metric of matrices nor an average of a metric has the name
    """
    name = str(getattr(key, "name", key))
    if isinstance(key, MulticlassMetric) or (isinstance(key, str) and key in multiclass):
        metric = key if isinstance(key, MulticlassMetric) else multiclass[key]
        if metric is multiclass.get(metric.name) and metric.name in _SUMS:
            return Whole(name, as_metric(_SUMS[metric.name]), "micro", reported)
        if isinstance(metric.definition, ClassMean) and not metric.parameters:
            return Whole(name, as_metric(metric.definition.args[0]), "macro", reported)
        return Whole(name, metric, "", reported)
    found = _AVERAGE.fullmatch(key.strip()) if isinstance(key, str) else None
    if found is None:
        hint = f"'macro {name}' or 'weighted {name}' for a mean over the classes, or a list with a value for each class"
        if not isinstance(key, str | Metric | Expr):
            raise InputError(f"{shown(key)} is no metric; give its name, such as 'accuracy' or 'macro f1'")
        if not isinstance(key, str) or key in metrics:
            raise InputError(f"{shown(name)} is of one class, and has one value here; write {hint}")
        raise UnknownNameError("metric of whole matrices", name, list(multiclass))
    return Whole(name, as_metric(found["of"] or found["name"]), (found["before"] or found["after"]).lower(), reported)


def _sizes(
    support: list[Any], names: Sequence[str], n: int | None, up_to: int
) -> tuple[tuple[tuple[int, int], ...], tuple[int, int]]:
    """Return the ranges of the sizes of the classes, and of their sum.

    :raises InputError: if one is no whole number in range, or they contradict each other
    """
    for setting, value in (("n", n), ("up_to", up_to)):
        if value is not None:
            _whole_number(setting, value, 1)
    known = [
        None if is_left_out(value) else _whole_number(f"support of class {name}", value, 0)
        for name, value in zip(names, support, strict=True)
    ]
    least = sum(value for value in known if value is not None)
    if None not in known and n is not None and n != least:
        raise InputError(f"the supports add up to {least}, but n={n}; leave n out, or correct a support")
    most = least if None not in known else up_to if n is None else n
    if least > most:
        limit = f"up_to={up_to}" if n is None else f"n={n}"
        raise InputError(
            f"the supports that are given add up to {least}, more than {limit}; pass the number of examples"
        )
    if not most:
        raise InputError("the supports are all 0; pass the sizes of the classes")
    ranges = tuple((0, most - least) if value is None else (value, value) for value in known)
    return ranges, (most if n is not None or None not in known else max(least, 1), most)


def _whole_number(name: str, value: Any, least: int) -> int:
    as_number = int(value) if isinstance(value, str) and value.strip().isdecimal() else value
    if isinstance(as_number, float | np.floating) and np.isfinite(as_number) and as_number == int(as_number):
        as_number = int(as_number)
    is_whole = isinstance(as_number, int | np.integer) and not isinstance(as_number, bool)
    if not (is_whole and least <= as_number <= LARGEST):
        raise InputError(f"{name}: {shown(value)} is no whole number from {least} to {LARGEST}; pass one")
    return int(as_number)
