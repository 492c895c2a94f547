"""The comparisons of a metric, each of which yields sentences that name what disagrees.

The oracle is the formula as SymPy and mpmath evaluate it with 60 digits, which shares no code with the numeric kernels
or with the prover.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain, product
from typing import Any, Final

import mpmath
import numpy as np
from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from sympy import Expr, Integer, Rational, Symbol, lambdify

from symmetrics.claims import AllOf, Claim, Comparison, value_symbol
from symmetrics.claims.evidence import Counts
from symmetrics.claims.values import Range
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.library import metrics
from symmetrics.matrices import MulticlassMetric
from symmetrics.metric import Metric
from symmetrics.metric.direction import greater_is_better
from symmetrics.numeric.native import THREADED, is_available

DIGITS: Final = 60
"""Decimal digits of the oracle."""
EQUAL: Final = mpmath.mpf(10) ** -30
"""Two values of the oracle that are as near as this, relative to their size, are equal."""
ERROR: Final = 1e-12
"""Documented error of ``from_counts``, of the value where it is above 1 (docs/conventions.md)."""
SMALL: Final = 30
"""Exact arithmetic is compared at tables up to this cell, and at those with a zero: large roots take SymPy long."""
_STEP: Final = Fraction(1, 10**20)
"""Step of differences."""
_INFINITE: Final = {"oo": mpmath.inf, "-oo": -mpmath.inf}


def refuse(name: str, told: Iterable[str]) -> None:
    """Raise the first sentence, if there is one, after the name of a metric.

    :raises AssertionError: with the sentence
    """
    for sentence in told:
        raise AssertionError(f"{name}: {sentence}")


def search(name: str, one: st.SearchStrategy[Any], told: Callable[[Any], Iterable[str]], examples: int) -> None:
    """Draw examples, and raise the sentence about the smallest of those that have one.

    :raises AssertionError: with the sentence
    """
    phases = (Phase.generate, Phase.shrink)  # Hypothesis explains by tracing every line
    once = settings(max_examples=examples, database=None, derandomize=True, deadline=None, phases=phases)
    with suppress(NoSuchExample):
        refuse(name, told(find(one, lambda drawn: any(told(drawn)), settings=once)))


def text_of(table: Iterable[object]) -> str:
    """Write a table.

    >>> text_of((1, 0, 2, 3))
    'TP=1, FN=0, FP=2, TN=3'
    """
    return ", ".join(f"{name}={count}" for name, count in zip(CELL_NAMES, table, strict=True))


def interval_text(ends: Sequence[Any]) -> str:
    """Write an interval."""
    return f"[{', '.join(mpmath.nstr(end, 12) for end in ends)}]"


def real(value: Any) -> Any:
    """Return a number of SymPy, mpmath or Python as an mpf, nan where it is not real."""
    if not isinstance(value, Expr):
        return mpmath.nan if isinstance(value, mpmath.mpc) else mpmath.mpf(value)
    if value.is_infinite:
        return _INFINITE.get(str(value), mpmath.nan)
    with mpmath.workdps(DIGITS):
        return mpmath.mpf(str(value.evalf(DIGITS))) if value.is_extended_real else mpmath.nan


def differ(first: Any, second: Any, error: Any) -> bool:
    """Return whether two numbers differ by more than an error, of the second where it is above 1; nan is itself.

    >>> differ(1e6, 1e6 + 1, 1e-9), differ(math.nan, math.nan, 0), differ(math.inf, 1, 9)
    (True, False, True)
    """
    if not (mpmath.isfinite(first) and mpmath.isfinite(second)):
        return not (first == second or (mpmath.isnan(first) and mpmath.isnan(second)))
    with mpmath.workdps(DIGITS):
        return bool(abs(mpmath.mpf(first) - second) > error * max(1, abs(second)))


def is_outside(value: Any, bounds: Sequence[Any]) -> bool:
    """Return whether a value of the oracle is outside of a range, if there is one; nan is not."""
    with mpmath.workdps(DIGITS):  # or the ends themselves would be rounded to those of a float
        return bool(bounds) and bool(value < bounds[0] - EQUAL or value > bounds[1] + EQUAL)


def _exact(value: Any) -> Any:
    """Return an int, a Fraction or a Rational as an mpf of the digits in use."""
    return value if isinstance(value, mpmath.mpf) else mpmath.mpf(Rational(value).p) / Rational(value).q


@lru_cache(maxsize=1024)
def _compiled(expressions: tuple[Expr, ...] | Expr, symbols: tuple[Symbol, ...]) -> Callable[..., Any]:
    """Return formulas as a function of their symbols, by SymPy and mpmath."""
    return lambdify(symbols, expressions, "mpmath")  # type: ignore[no-any-return]


def _holds(claim: Comparison, values: Sequence[Any]) -> bool:
    """Return whether the relation of a claim holds between values at its tables, as far as the oracle tells."""
    symbols = tuple(map(value_symbol, range(len(values))))
    with mpmath.workdps(DIGITS):
        found = _compiled(claim.relation, symbols)(*values)
        is_zero = abs(found) <= EQUAL * max(1, *map(abs, values))
    return bool(claim.sign != ">" if is_zero else claim.sign != "=" and found > 0)


@dataclass(frozen=True)
class Numeric:
    """A function of the four counts, or a metric of whole matrices, in the forms in which it can be called.

    :param zero_division: what it returns where the metric is undefined
    :param tolerance: its largest error, of the value where that is above 1
    """

    given: Any
    zero_division: float
    tolerance: float

    @cached_property
    def forms(self) -> dict[str, Callable[..., Any]]:
        """The ways of calling it: arrays are left out if it does not take them."""
        if isinstance(self.given, MulticlassMetric):
            return {"a matrix": lambda tp, fn, fp, tn: self.given.from_confusion([[tn, fp], [fn, tp]])}
        forms = {"whole numbers": self.given}
        for kind in ("int32", "int64", "float64"):

            def of_arrays(*table: int, kind: str = kind) -> Any:
                return np.broadcast_to(self.given(*np.array([table, table], dtype=kind).T), 2)[0]

            with suppress(TypeError, ValueError):  # of a function of numbers alone
                of_arrays(3, 1, 2, 4)
                forms[f"arrays of {kind}"] = of_arrays
        return forms

    def told(self, table: Counts, expected: Any) -> Iterator[str]:
        """Compare it with the value of the formula at a table."""
        for form, function in self.forms.items():
            where = f"for {form} at {text_of(table)}"
            try:
                with warnings.catch_warnings(), np.errstate(all="ignore"):
                    warnings.simplefilter("ignore")
                    found = float(function(*table))
            except ZeroDivisionError:  # by numbers of Python, which have no value for it
                found = math.nan if mpmath.isfinite(expected) else float(expected)
            except Exception as error:
                yield f"numeric fails {where}: {type(error).__name__}: {error}"
                return
            if not mpmath.isnan(expected):
                if differ(found, expected, self.tolerance):
                    yield f"numeric gives {found!r} {where}, and the formula {float(expected)!r}"
            elif not math.isnan(found) and found != self.zero_division:
                advice = f"undefined; pass zero_division={found!r} if that is meant"
                yield f"numeric gives {found!r} {where}, where the formula is {advice}"


@dataclass(frozen=True)
class Comparisons:
    """The comparisons of one metric.

    :param believed: what users claim of it
    :param examples: how many tables are drawn
    :param drawn: the tables at which numbers were compared
    :param left_out: what was not compared, and why
    """

    metric: Metric
    numeric: Numeric | None
    believed: Mapping[str, Any]
    examples: int
    drawn: set[Counts] = field(default_factory=set)
    left_out: list[str] = field(default_factory=list)

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The cells and the parameters."""
        return (*CELLS, *(parameter.symbol for parameter in self.metric.parameters))

    @cached_property
    def bounds(self) -> list[Any]:
        """The ends of the range as it is claimed, or declared; none if it is not."""
        declared = () if self.metric.range is None else (self.metric.range.inf, self.metric.range.sup)
        return list(map(real, self.believed.get("range", declared)))

    @cached_property
    def namesake(self) -> Metric | None:
        """A metric of the library that has the same name, or title, and another formula."""
        titles = {each.title.casefold(): each for each in metrics.values()}
        found = metrics.get(self.metric.name) or titles.get(self.metric.title.casefold())
        return None if found is None or found.value_formula == self.metric.value_formula else found

    def written(self, table: Sequence[Any], parameters: Mapping[str, Any] | None = None, digits: int = DIGITS) -> Any:
        """Return the value of the formula as it is written; nan where it has none, or is not real."""
        with mpmath.workdps(digits):
            try:
                if 0 in table:  # by SymPy, as the maximum of numbers of Python forgets nan
                    return real(self.metric.value_formula.xreplace(dict(zip(CELLS, map(Integer, table), strict=True))))
                return real(_compiled(self.metric.expr, self.symbols)(*self.places(table, parameters)))
            except (ZeroDivisionError, ValueError, TypeError, OverflowError):
                return mpmath.nan

    def places(self, table: Iterable[Any], parameters: Mapping[str, Any] | None = None) -> list[Any]:
        """Return the values of the symbols: counts and parameters, defaults where none is given."""
        given = parameters or {}
        values = (given.get(each.name, each.default) for each in self.metric.parameters)
        return list(map(_exact, chain(table, values)))

    def value(self, table: Sequence[Any], parameters: Mapping[str, Any] | None = None) -> Any:
        """Return the value at a table: of the formula as it is written, or its limit where a cell is zero."""
        if min(table) > 0:
            return self.written(table, parameters)
        return real(self.metric.at(**(parameters or {})).exact(*table))

    def is_missing(self, value: Any) -> bool:
        """Return whether there is no value where no cell is zero, which users do not claim to be so."""
        return not mpmath.isfinite(value) and self.believed.get("defined") is not False

    # 1. Numbers

    def at_table(self, table: Counts) -> Iterator[str]:
        """Compare the forms of the formula, the range, the name and the function of one's own at a table."""
        self.drawn.add(table)
        value, written, number = self.value(table), self.written(table), self.metric.from_counts(*table)
        where = f"at {text_of(table)}"
        if min(table) > 0 and self.is_missing(value):
            yield f"the formula has no finite real value {where}; pass claims={{'defined': False}} if that is meant"
        if min(table) == 0 or max(table) <= SMALL:
            exact = self.metric.exact(*table)
            if mpmath.isfinite(written) and differ(real(exact), written, EQUAL):
                yield f"exact gives {exact} {where}, and the formula {float(written)!r}"
            if exact.is_finite and not (mpmath.isfinite(written) or self.is_approached(table, real(exact))):
                yield f"exact gives {exact} {where}, and the values at tables near by tend elsewhere"
        if differ(number, value, ERROR):
            yield f"from_counts gives {number!r} {where}, and the formula {float(value)!r}"
        if is_outside(value, self.bounds):
            yield f"the value {float(value)!r} {where} is outside of the range {interval_text(self.bounds)}"
        if self.namesake is not None and differ(other := self.namesake.from_counts(*table), value, 1e-9):
            yield f"the value {where} is {float(value)!r}, and {other!r} for {self.namesake.name}; rename it"
        if self.numeric is not None:
            yield from self.numeric.told(table, value)

    def is_approached(self, table: Counts, limit: Any) -> bool:
        """Return whether the formula tends to a limit on three paths from positive tables.

        Of its distances from it 1e-40 and 1e-400 away from the table, the second has to be tiny, or half of the first.
        """
        for path in ((1, 1, 1, 1), (1, 7, 3, 2), (5, 1, 2, 9)):
            near = [[c + Fraction(s, 10**power) for c, s in zip(table, path, strict=True)] for power in (40, 400)]
            first, second = (abs(self.written(each, digits=1000) - limit) for each in near)
            if not (second < EQUAL or second <= first / 2):
                return False
        return True

    def of_arrays(self, drawn: Sequence[Counts]) -> Iterator[str]:
        """Compare ``from_counts`` of arrays, and compiled by numba, with that of numbers."""
        cells = np.array(drawn).T
        forms = {f"arrays of {kind}": cells.astype(kind) for kind in ("int64", "float64")}
        if is_available():
            forms["numba"] = np.tile(cells.astype(float), -(-THREADED // len(drawn)))
        else:
            self.left_out.append("numba, which is not installed")
        for form, columns in forms.items():
            for table, found in zip(drawn, np.atleast_1d(self.metric.from_counts(*columns)), strict=False):
                if differ(found, number := self.metric.from_counts(*table), ERROR):
                    yield f"from_counts gives {float(found)!r} for {form} at {text_of(table)}, and {number!r} alone"

    def of_intervals(self, drawn: Sequence[Counts]) -> Iterator[str]:
        """Compare intervals at three tables with the value there and the range."""
        defined = [table for table in drawn if math.isfinite(self.metric.from_counts(*table))]
        for table in defined[:: -(-len(defined) // 3) or 1]:
            value, (low, high) = self.metric.from_counts(*table), self.metric.interval(*table)
            least, most = self.bounds or (-mpmath.inf, mpmath.inf)
            if not (least - ERROR <= low <= value + ERROR and value - ERROR <= high <= most + ERROR):
                yield f"the interval at {text_of(table)} is {interval_text((low, high))}, and the value {value!r}"

    # 2. Slopes and parameters

    def of_slopes(self, table: Counts) -> Iterator[str]:
        """Compare the gradient with central differences, but at a kink."""
        with mpmath.workdps(DIGITS), suppress(ZeroDivisionError):  # at the sign of zero, a kink too
            slopes, here = _compiled(self.metric.gradient(), self.symbols)(*self.places(table)), self.written(table)
            for cell, slope in zip(Counts._fields, slopes, strict=True):
                moved = (table._replace(**{cell: getattr(table, cell) + step}) for step in (_STEP, -_STEP))
                above, below = map(self.written, moved)
                quotient = (above - below) / (2 * _exact(_STEP))
                is_smooth = mpmath.isfinite(quotient) and mpmath.almosteq(above - here, here - below, 1e-6, 1e-30)
                if is_smooth and not mpmath.almosteq(quotient, slope, 1e-12, 1e-12):
                    told = f"is {float(slope)!r}, and differences give {float(quotient)!r}"
                    yield f"the gradient by {cell.upper()} at {text_of(table)} {told}"

    def of_parameters(self) -> Iterator[str]:
        """Say where the formula has no value, or one outside of the range, at thirteen values of each parameter."""
        for each, table in product(self.metric.parameters, product((1, 2, SMALL), repeat=4)):
            low = each.lower if each.lower.is_finite else min(each.upper, each.default) - 9
            high = each.upper if each.upper.is_finite else max(low, each.default) + 9
            for setting in (low + (high - low) * Rational(k, 12) for k in range(13)):
                value = self.written(table, {each.name: setting if setting in each else each.default})
                where = f"at {text_of(table)} for {each.name} = {setting}, which the domain allows"
                if self.is_missing(value):
                    yield f"the formula has no finite real value {where}; make it smaller"
                if is_outside(value, self.bounds):
                    yield f"the value {float(value)!r} {where}, is outside of the range {interval_text(self.bounds)}"

    # 3. Declared facts

    def of_direction(self, positive: st.SearchStrategy[Counts]) -> Iterator[str]:
        """Compare the direction as it is claimed, or declared, with the one that is proved."""
        declared = self.believed.get("greater_is_better", self.metric.greater_is_better)
        proved = greater_is_better(self.metric)
        if declared is proved or ("greater_is_better" not in self.believed and None in (declared, proved)):
            return
        said = f"greater_is_better is said to be {declared}, and is proved to be {proved}"

        def told(table: Counts) -> Iterator[str]:
            for gain, loss in (("tp", "fn"), ("tn", "fp")):
                after = table._replace(**{gain: getattr(table, gain) + 1, loss: getattr(table, loss) - 1})
                change = self.value(after) - self.value(table)
                if change * {True: 1, False: -1, None: 0}[declared] < -EQUAL:
                    yield f"{said}: from {text_of(table)} to {text_of(after)} it changes by {float(change)!r}"

        search(self.metric.name, positive, told, self.examples)
        yield said

    def of_range(self, verdict: Verdict) -> Iterator[str]:
        """Compare the range as it is claimed, or declared, with the one that is proved."""
        if not isinstance(verdict.found, Range):
            self.left_out.extend(["the range, of which no ends are proved"] if self.bounds else [])
            return
        names, values = [each.name for each in self.metric.parameters], self.metric.default_values
        texts = (verdict.found.lower, verdict.found.upper)
        ends = [_INFINITE.get(text) or real(parse_formula(text, names).xreplace(values)) for text in texts]
        if any(differ(*pair, EQUAL) for pair in zip(self.bounds, ends, strict=False)):
            yield f"the range is said to be {interval_text(self.bounds)}, and is proved to be {interval_text(ends)}"

    # 4. Verdicts

    def of_witness(self, verdict: Verdict) -> Iterator[str]:
        """Compute a counterexample again."""
        witness, claim = verdict.witness, verdict.claim
        if witness is None or not witness.values:
            return
        said = f"{verdict.property} is {verdict.status}"
        for table, stated in zip(witness.tables, witness.values, strict=True):
            value = self.value(table, witness.parameters)
            # A limit that a verdict rests on may be one that exact does not find.
            if differ(value, real(stated), EQUAL) and not (0 in table and mpmath.isnan(value)):
                yield f"{said} by {stated} at {text_of(table)}, where it is {float(value)!r}"
        if isinstance(claim, Comparison) and _holds(claim, list(map(real, witness.values))):
            yield f"{said}, and the tables that it names are no counterexample: {verdict}"

    def relations(self, verdict: Verdict) -> Iterator[Comparison]:
        """Yield the equations and inequalities that a verdict says to hold, at the defaults."""
        pending: list[Claim] = [verdict.claim] if verdict.holds else []
        for claim in pending:
            if isinstance(claim, AllOf):
                pending += [part for _, part in claim.parts]
            elif isinstance(claim, Comparison):
                yield claim.at(self.metric.default_values)

    def of_relations(self, held: Iterable[tuple[str, Comparison]], point: Mapping[str, Fraction]) -> Iterator[str]:
        """Say which proved equations and inequalities do not hold at a point."""
        for key, claim in held:
            with mpmath.workdps(DIGITS):
                place = [_exact(point[name]) for name in claim.names]
                drawn = [_compiled(table, claim.variables)(*place) for table in claim.tables]
                values = [self.written(table) for table in drawn]
            if all(map(mpmath.isfinite, values)) and not _holds(claim, values):
                pairs = zip(drawn, values, strict=True)
                told = ", ".join(f"{float(value)!r} at {text_of(map(float, table))}" for table, value in pairs)
                yield f"{key} is proved, and does not hold: the value is {told}"
