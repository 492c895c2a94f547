"""The equations that scores are to the cells of a table, and their solution by elimination.

A score whose power is a rational function of the cells is a polynomial equation.  In one of a few systems of
coordinates most sets of scores can be solved by putting one unknown after the other, in which an equation is linear,
into the others; what is left is a polynomial in one unknown.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from flint import fmpq, fmpq_poly, fmpz_poly
from sympy import Add, Dummy, Expr, Integer, Mul, Pow, Rational, S, Symbol, cancel, factor, sqrt

from symmetrics.algebra.convert import convert, element_expression, field_for, poly_expression
from symmetrics.algebra.field import ONE, Field, Poly
from symmetrics.language.cells import CELLS, Table, parameter_symbol
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import UnsupportedError

POWERS: Final = (1, 2, 4, 3)
"""Powers that make the roots in common scores rational."""
SAMPLE: Final = (31, 17, 13, 47)
"""A table without relations between its cells, at which factors that vanish are told from others."""
U, V, W = map(parameter_symbol, ("unknown1", "unknown2", "unknown3"))
UNKNOWNS: Final = (U.name, V.name, W.name)
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
    """Coordinates for tables up to scale.

    :param cells: the cells in three unknowns
    :param inverse: the unknowns in the cells
    """

    cells: Table
    inverse: tuple[Expr, Expr, Expr]


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
    return tuple(_eliminated(equations, chart) for chart in CHARTS)


def _eliminated(equations: tuple[ScoreEquation, ...], chart: Chart) -> Elimination:
    names = tuple(f"power{place}" for place in range(len(equations)))
    field = field_for(over=(*UNKNOWNS, *names))
    at_sample = dict(zip(CELLS, map(Integer, SAMPLE), strict=True))
    point = [_fraction(inverse.xreplace(at_sample)) for inverse in chart.inverse]
    point += [_fraction(one.ratio.xreplace(at_sample)) for one in equations]
    inside = dict(zip(CELLS, chart.cells, strict=True))
    waiting: list[Poly] = []
    for name, one in zip(names, equations, strict=True):
        element = convert(one.ratio.xreplace(inside) - parameter_symbol(name), field)
        waiting += _vanishing(element.numerator.get(ONE), field, point, UNKNOWNS)
    left, steps = list(UNKNOWNS), list[Step]()
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


def _vanishing(poly: Poly | None, field: Field, point: Sequence[Fraction], unknowns: Sequence[str]) -> list[Poly]:
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
    return sum(_degree(leading, field, other) for other in UNKNOWNS), len(leading), len(poly)


def _value(poly: Poly, field: Field, point: Sequence[Fraction]) -> Fraction:
    """Return the value of a polynomial at a point of unknowns and powers."""
    places = dict(zip((*UNKNOWNS, *(name for name in field.names if name.startswith("power"))), point, strict=True))
    total = Fraction(0)
    for exponents, coefficient in poly.to_dict().items():
        term = Fraction(int(coefficient))
        for name, exponent in zip(field.names, exponents, strict=True):
            if exponent:
                term *= places[name] ** int(exponent)
        total += term
    return total


def _fraction(value: Expr) -> Fraction:
    return Fraction(int(value.p), int(value.q))


# -- formulas ----------------------------------------------------------------------------------------------------------


def solved_cells(elimination: Elimination) -> Iterator[Table]:
    """Yield the cells, up to scale, in the symbols of the scores: one table for each choice of the signs of roots.

    Unknowns that the scores do not fix stay in them.  Nothing is proved of them, not even which signs are right.
    """
    # A root of a square is taken to be the score itself, whatever its sign: one of both choices is right.
    positive = {one.symbol: Dummy(one.symbol.name, positive=True) for one in elimination.equations}
    back = {dummy: symbol for symbol, dummy in positive.items()}
    powers = {
        parameter_symbol(name): value.xreplace({s: positive[s] for s in value.free_symbols})
        for name, value in elimination.powers.items()
    }
    if any(step.degree > 2 for step in elimination.steps):
        return
    for signs in itertools.product(*((1, -1) if step.degree == 2 else (1,) for step in elimination.steps)):
        values: dict[Symbol, Expr] = {}
        for step, sign in reversed(list(zip(elimination.steps, signs, strict=True))):
            value = _root(step, sign, elimination.field, powers)
            values[parameter_symbol(step.unknown)] = value.xreplace(values)
        tp, fn, fp, tn = (cell.xreplace(values).xreplace(back) for cell in elimination.chart.cells)
        yield tp, fn, fp, tn


def _root(step: Step, sign: int, field: Field, powers: Mapping[Symbol, Expr]) -> Expr:
    place = field.names.index(step.unknown)
    parts: list[Expr] = [S.Zero] * (step.degree + 1)
    for exponents, coefficient in step.equation.to_dict().items():
        without = tuple(0 if index == place else exponent for index, exponent in enumerate(exponents))
        term = poly_expression(field.context.from_dict({without: coefficient}), field)
        parts[int(exponents[place])] += term
    lowest, linear, *rest = (part.xreplace(powers) for part in parts)
    if not rest:
        return -lowest / linear
    return (-linear + sign * sqrt(factor(linear**2 - 4 * rest[0] * lowest))) / (2 * rest[0])


def formulas(
    elimination: Elimination, formula: Expr, symbols: Sequence[Symbol], sign: Callable[[Expr], int]
) -> Iterator[Expr]:
    """Yield what a formula of the cells may be in the symbols of the scores; nothing is proved of it.

    :param sign: returns the sign that an expression in the scores seems to have everywhere, 0 for none
    """
    names = tuple(dict.fromkeys((*UNKNOWNS, *(symbol.name for symbol in symbols))))

    def put(part: Expr, cells: Mapping[Symbol, Expr]) -> Expr:
        """Return a formula at solved cells, each rational part in lowest terms and the roots as they are."""
        if part.is_rational_function(*CELLS) or not all(cell.is_rational_function() for cell in cells.values()):
            field = field_for(over=names)
            return element_expression(convert(part.xreplace(cells), field), field)
        if isinstance(part, Pow) and part.exp.is_Rational and part.exp.q == 2:
            return _root_of(factor(put(part.base, cells)), part.exp, sign)
        return part.func(*(put(argument, cells) for argument in part.args))

    for cells in solved_cells(elimination):
        checkpoint()
        try:
            found = put(formula, dict(zip(CELLS, cells, strict=True)))
        except UnsupportedError:
            continue
        if found.free_symbols <= set(symbols):
            yield tidied(found)


def _root_of(base: Expr, power: Expr, sign: Callable[[Expr], int]) -> Expr:
    """Return a power with odd half exponent, squares in its base taken out of the root."""
    outside, inside = list[Expr](), list[Expr]()
    for one in Mul.make_args(base):
        part, exponent = one.as_base_exp()
        half = int(exponent) // 2 if exponent.is_Integer else 0
        side = Integer(sign(part) if half else 0)
        if side:
            outside.append((side**half * part**half) ** (2 * power))
            inside.append(part ** (exponent - 2 * half))
        else:
            inside.append(one)
    return Mul(*outside) * Mul(*inside) ** power


def tidied(formula: Expr) -> Expr:
    """Return a product with its signs put where the fewest terms are negative.

    >>> a, b, c = map(parameter_symbol, "abc")
    >>> tidied((b - a) / (c - b)), tidied(a * b / sqrt(a * b))
    ((a - b)/(b - c), sqrt(a*b))
    """
    formula = _without_half(formula)
    sign, factors = 1, list[Expr]()
    for one in Mul.make_args(formula):
        base, power = one.as_base_exp()
        if isinstance(base, Add) and isinstance(power, Integer) and _looks_negative(base):
            sign *= -1 if power % 2 else 1
            base = _negated(base)
        factors.append(base**power)
    bases = [one.as_base_exp()[0] for one in factors]
    coefficient = Mul(*(one for one in factors if one.is_number)) * sign
    odd = [
        place
        for place, one in enumerate(factors)
        if isinstance(one.as_base_exp()[0], Add) and one.as_base_exp()[1].is_Integer and one.as_base_exp()[1] % 2
    ]
    if coefficient.is_negative and odd:
        place = max(odd, key=lambda place: (_negative(bases[place]), len(bases[place].args)))
        base, power = factors[place].as_base_exp()
        factors[place], sign = _negated(base) ** power, -sign
    return Mul(sign, *factors)


def _without_half(formula: Expr) -> Expr:
    """Return a product with base/sqrt(base) written as the root, where that is shorter."""
    for one in Mul.make_args(formula):
        base, power = one.as_base_exp()
        if power == -S.Half:
            shorter = factor(cancel(formula / one / base)) * sqrt(base)
            if shorter.count_ops() < formula.count_ops():
                return shorter
    return formula


def _negated(base: Expr) -> Expr:
    return Add(*(-term for term in base.args))


def _negative(base: Expr) -> float:
    """Return the share of the terms of a sum that are negative."""
    return float(sum(term.could_extract_minus_sign() for term in base.args) / len(base.args))


def _looks_negative(base: Expr) -> bool:
    share = _negative(base)
    texts = [str(one) for one in (base, _negated(base))]
    return share > 0.5 or (share == 0.5 and min(texts, key=lambda text: (text.startswith("-"), text)) != texts[0])


# -- tables ------------------------------------------------------------------------------------------------------------


def other_tables(elimination: Elimination, table: Sequence[int]) -> Iterator[Ints]:
    """Yield tables of whole positive cells whose scores may be those of a table, up to signs.

    Where the scores leave an unknown free, a few values of it are tried.
    """
    field = elimination.field
    at_table = dict(zip(CELLS, map(Integer, table), strict=True))
    known = {
        f"power{place}": _fraction(one.ratio.xreplace(at_table)) for place, one in enumerate(elimination.equations)
    }
    fixed = {step.unknown for step in elimination.steps}
    own = {
        name: _fraction(inverse.xreplace(at_table))
        for name, inverse in zip(UNKNOWNS, elimination.chart.inverse, strict=True)
    }
    free = [name for name in UNKNOWNS if name not in fixed]
    for shares in itertools.product(SHARES, repeat=len(free)):
        start = known | {name: own[name] * share for name, share in zip(free, shares, strict=True)}
        for values in _completed(list(reversed(elimination.steps)), start, field):
            inside = {
                parameter_symbol(name): Rational(values[name].numerator, values[name].denominator) for name in UNKNOWNS
            }
            cells = [_fraction(cell.xreplace(inside)) for cell in elimination.chart.cells]
            if all(cell > 0 for cell in cells):
                yield _whole(cells)


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
    scale = math.lcm(*(cell.denominator for cell in cells))
    whole = [int(cell * scale) for cell in cells]
    common = math.gcd(*whole)
    tp, fn, fp, tn = (cell // common for cell in whole)
    return tp, fn, fp, tn
