"""What a value may be as a formula in scores, from the triangular form of their equations; nothing is proved here."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence

from sympy import Add, Dummy, Expr, Integer, Mul, Pow, S, Symbol, cancel, factor, sqrt

from symmetrics.algebra.convert import convert, element_expression, field_for, poly_expression
from symmetrics.algebra.field import Field
from symmetrics.auditing.score_equations import UNKNOWNS, Elimination, Step
from symmetrics.language.cells import CELLS, Table, parameter_symbol
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import UnsupportedError


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
