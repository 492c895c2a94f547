"""The equations that scores are to the cells of a table, and their triangular form by elimination.

A score whose power is a rational function of the cells is a polynomial equation.  In one of a few systems of
coordinates most sets of scores can be solved by putting one unknown after the other, in which an equation is linear,
into the others; what is left is a polynomial in one unknown.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from flint import fmpq, fmpq_poly, fmpz_poly
from sympy import Expr, Integer, Rational, S, Symbol

from symmetrics.algebra.convert import convert, element_expression, field_for
from symmetrics.algebra.field import ONE, Field, Poly
from symmetrics.auditing.injectivity import is_scale_free
from symmetrics.language.cells import CELLS, Table, parameter_symbol
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import UnsupportedError

POWERS: Final = (1, 2, 4, 3)
"""Powers that make the roots in common scores rational."""
SAMPLE: Final = (31, 17, 13, 47)
"""A table without relations between its cells, at which factors that vanish are told from others."""
UNKNOWNS: Final = ("unknown1", "unknown2", "unknown3", "unknown4")
U, V, W, X = map(parameter_symbol, UNKNOWNS)
SHARES: Final = tuple(Fraction(*parts) for parts in ((1, 1), (1, 2), (2, 1), (1, 3), (2, 3), (3, 2), (3, 1), (9, 10)))
"""Multiples of its value that are tried for an unknown that the scores leave free."""
Ints = tuple[int, int, int, int]


@dataclass(frozen=True)
class ScoreEquation:
    """A score as an equation between polynomials: ``(score - shift)**power = ratio``.

    :param symbol: the symbol of the score
    :param ratio: a rational function of the cells
    """

    symbol: Symbol
    shift: Expr
    power: int
    ratio: Expr


@lru_cache(maxsize=1024)
def equation_of(formula: Expr, symbol: Symbol) -> ScoreEquation | None:
    """Return the equation of a score; None if no small power of it is rational.

    >>> from symmetrics.library import metrics
    >>> equation_of(metrics["gmean"].expr, Symbol("g")).ratio
    TN*TP/((FN + TP)*(FP + TN))
    >>> equation_of(metrics["agm"].expr, Symbol("a")) is None
    True
    """
    shift, term = formula.as_independent(*CELLS, as_Add=True)
    for power in POWERS:
        field = field_for()
        try:
            element = convert((formula if power == 1 else term) ** power, field)
        except UnsupportedError:
            continue
        if element.numerator.keys() == {ONE} and not any(field.atoms[k].is_opaque for k in element.denominator):
            if power > 1 and not isinstance(shift, Rational):
                return None
            ratio = element_expression(element, field)
            return ScoreEquation(symbol, S.Zero if power == 1 else shift, power, ratio)
    return None


@dataclass(frozen=True)
class Chart:
    """Coordinates for tables, in most charts up to scale.

    :param cells: the cells in the unknowns
    :param inverse: the unknowns in the cells
    """

    cells: Table
    inverse: tuple[Expr, ...]

    @property
    def unknowns(self) -> tuple[str, ...]:
        """The names of the unknowns, three up to scale."""
        return UNKNOWNS[: len(self.inverse)]

    def at(self, table: Sequence[int]) -> dict[str, Fraction]:
        """Return the unknowns at a table."""
        cells = dict(zip(CELLS, map(Integer, table), strict=True))
        return {name: _fraction(one.xreplace(cells)) for name, one in zip(self.unknowns, self.inverse, strict=True)}


def _charts() -> tuple[Chart, ...]:
    tp, fn, fp, tn = CELLS
    one, total = Integer(1), tp + fn + fp + tn
    return (
        Chart((one, U, V, W), (fn / tp, fp / tp, tn / tp)),
        Chart((U, V, W, one), (tp / tn, fn / tn, fp / tn)),
        # True positives, positives and predicted positives.
        Chart((U, V - U, W - U, 1 - V - W + U), (tp / total, (tp + fn) / total, (tp + fp) / total)),
        # Rates in both classes and the prevalence.
        Chart(
            (U * V, U * (1 - V), (1 - U) * W, (1 - U) * (1 - W)),
            ((tp + fn) / total, tp / (tp + fn), fp / (fp + tn)),
        ),
        # Predictive values and the share of predicted positives.
        Chart(
            (U * V, (1 - U) * W, U * (1 - V), (1 - U) * (1 - W)),
            ((tp + fp) / total, tp / (tp + fp), fn / (fn + tn)),
        ),
    )


CHARTS: Final = _charts()
ABSOLUTE: Final = Chart((U, V, W, X), CELLS)
"""The cells themselves, for scores that depend on the number of examples."""


@dataclass(frozen=True)
class Step:
    """A polynomial equation that fixes an unknown, given those of later steps."""

    unknown: str
    equation: Poly
    degree: int


@dataclass(frozen=True)
class Elimination:
    """The equations of scores in a chart, in triangular form.

    :param equations: those of the scores; the i-th has the power of its score as a symbol of its own
    :param steps: from the first unknown that was eliminated to the last
    """

    chart: Chart
    equations: tuple[ScoreEquation, ...]
    field: Field
    steps: tuple[Step, ...]

    @property
    def has_roots(self) -> bool:
        """Whether an unknown solves an equation that is not linear."""
        return any(step.degree > 1 for step in self.steps)

    @property
    def length(self) -> int:
        """The number of terms in all steps."""
        return sum(len(step.equation) for step in self.steps)

    @property
    def powers(self) -> dict[str, Expr]:
        """What the symbols of the powers stand for."""
        return {f"power{place}": (one.symbol - one.shift) ** one.power for place, one in enumerate(self.equations)}


@lru_cache(maxsize=512)
def eliminations(equations: tuple[ScoreEquation, ...]) -> tuple[Elimination, ...]:
    """Return the triangular forms of the equations of some scores, one a chart."""
    charts = CHARTS if all(is_scale_free(one.ratio) for one in equations) else (ABSOLUTE,)
    return tuple(_eliminated(equations, chart) for chart in charts)


def _eliminated(equations: tuple[ScoreEquation, ...], chart: Chart) -> Elimination:
    names = tuple(f"power{place}" for place in range(len(equations)))
    field = field_for(over=(*chart.unknowns, *names))
    point = chart.at(SAMPLE) | _powers_at(equations, SAMPLE)
    inside = dict(zip(CELLS, chart.cells, strict=True))
    waiting: list[Poly] = []
    for name, one in zip(names, equations, strict=True):
        element = convert(one.ratio.xreplace(inside) - parameter_symbol(name), field)
        waiting += _vanishing(element.numerator.get(ONE), field, point, chart.unknowns)
    left, steps = list(chart.unknowns), list[Step]()
    while waiting and left:
        checkpoint()
        # An unknown in which an equation is linear, with the simplest coefficient, is put into the other equations.
        linear = [
            (_cost(equation, field, name), place, name)
            for place, equation in enumerate(waiting)
            for name in left
            if _degree(equation, field, name) == 1 and _value(_leading(equation, field, name), field, point)
        ]
        if linear:
            _, place, name = min(linear)
            equation = waiting.pop(place)
            bottom = _leading(equation, field, name)
            top = equation - bottom * field.generators[name]
            index = field.names.index(name)
            moved = [
                field.substitute_fraction(one, index, -top, bottom) if _degree(one, field, name) else one
                for one in waiting
            ]
            left.remove(name)
            waiting = [part for one in moved for part in _vanishing(one, field, point, left)]
            steps.append(Step(name, equation, 1))
            continue
        alone = [
            (_degree(equation, field, name), place, name)
            for place, equation in enumerate(waiting)
            for name in left
            if all(other == name or not _degree(equation, field, other) for other in left)
        ]
        if not alone:
            break
        degree, place, name = min(alone)
        steps.append(Step(name, waiting.pop(place), degree))
        left.remove(name)
        waiting = [one for one in waiting if any(_degree(one, field, other) for other in left)]
    return Elimination(chart, equations, field, tuple(steps))


def _powers_at(equations: Sequence[ScoreEquation], table: Sequence[int]) -> dict[str, Fraction]:
    """Return the powers of the scores of a table, by the symbols that stand for them; without undefined ones."""
    cells = dict(zip(CELLS, map(Integer, table), strict=True))
    values = {f"power{place}": one.ratio.xreplace(cells) for place, one in enumerate(equations)}
    return {name: _fraction(value) for name, value in values.items() if isinstance(value, Rational)}


def _vanishing(poly: Poly | None, field: Field, point: Mapping[str, Fraction], unknowns: Sequence[str]) -> list[Poly]:
    """Return the factor of a polynomial in the unknowns that is zero at a point; nothing if there is none."""
    if poly is None:
        return []
    _, factors = poly.factor()
    kept = [one for one, _ in factors if any(_degree(one, field, name) for name in unknowns)]
    return [one for one in kept if not _value(one, field, point)][:1]


def _degree(poly: Poly, field: Field, name: str) -> int:
    return int(poly.degrees()[field.names.index(name)])


def _leading(poly: Poly, field: Field, name: str) -> Poly:
    """Return the coefficient of an unknown in a polynomial that is linear in it."""
    return poly.derivative(field.names.index(name))


def _cost(poly: Poly, field: Field, name: str) -> tuple[int, int, int]:
    leading = _leading(poly, field, name)
    return sum(_degree(leading, field, other) for other in UNKNOWNS if other in field.names), len(leading), len(poly)


def _value(poly: Poly, field: Field, point: Mapping[str, Fraction]) -> Fraction:
    """Return the value of a polynomial at a point of unknowns and powers."""
    total = Fraction(0)
    for exponents, coefficient in poly.to_dict().items():
        term = Fraction(int(coefficient))
        for name, exponent in zip(field.names, exponents, strict=True):
            if exponent:
                term *= point[name] ** int(exponent)
        total += term
    return total


def _fraction(value: Expr) -> Fraction:
    return Fraction(int(value.p), int(value.q))


# -- tables ------------------------------------------------------------------------------------------------------------


def other_tables(elimination: Elimination, table: Sequence[int]) -> Iterator[Ints]:
    """Yield tables of whole positive cells whose scores may be those of a table, up to signs.

    Where the scores leave an unknown free, a few values of it are tried.
    """
    field, chart = elimination.field, elimination.chart
    known, own = _powers_at(elimination.equations, table), chart.at(table)
    if len(known) < len(elimination.equations):
        return
    free = own.keys() - {step.unknown for step in elimination.steps}
    for shares in itertools.product(SHARES, repeat=len(free)):
        start = known | {name: own[name] * share for name, share in zip(sorted(free), shares, strict=True)}
        for values in _completed(list(reversed(elimination.steps)), start, field):
            inside = {
                parameter_symbol(name): Rational(values[name].numerator, values[name].denominator) for name in own
            }
            cells = [_fraction(cell.xreplace(inside)) for cell in chart.cells]
            is_whole = chart is not ABSOLUTE or all(cell.denominator == 1 for cell in cells)
            if is_whole and all(cell > 0 for cell in cells):
                tp, fn, fp, tn = map(int, cells) if chart is ABSOLUTE else _whole(cells)
                yield tp, fn, fp, tn


def _completed(steps: Sequence[Step], values: dict[str, Fraction], field: Field) -> Iterator[dict[str, Fraction]]:
    if not steps:
        yield values
        return
    step, *rest = steps
    place = field.names.index(step.unknown)
    parts = [Fraction(0)] * (step.degree + 1)
    for exponents, coefficient in step.equation.to_dict().items():
        term = Fraction(int(coefficient))
        for index, (name, exponent) in enumerate(zip(field.names, exponents, strict=True)):
            if exponent and index != place:
                term *= values[name] ** int(exponent)
        parts[int(exponents[place])] += term
    for root in _rational_roots(parts):
        yield from _completed(rest, values | {step.unknown: root}, field)


def _rational_roots(parts: Sequence[Fraction]) -> Iterator[Fraction]:
    poly = fmpq_poly([fmpq(part.numerator, part.denominator) for part in parts])
    if poly.degree() < 1:
        return
    for one, _ in fmpz_poly(poly.numer()).factor()[1]:
        if one.degree() == 1:
            yield Fraction(-int(one[0]), int(one[1]))


def _whole(cells: Sequence[Fraction]) -> Ints:
    """Return the smallest table of whole cells that is a multiple of one of fractions."""
    scale = math.lcm(*(cell.denominator for cell in cells))
    whole = [int(cell * scale) for cell in cells]
    common = math.gcd(*whole)
    tp, fn, fp, tn = (cell // common for cell in whole)
    return tp, fn, fp, tn
