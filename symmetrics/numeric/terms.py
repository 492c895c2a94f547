"""Expression trees for evaluation: positive minus negative terms, products over divisors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from fractions import Fraction
from functools import cache, lru_cache, reduce
from typing import Final, NamedTuple

from sympy import Add, Expr, Function, Integer, Mul, Pow, Rational, S, Symbol, expand, fraction, log, together

from symmetrics.language.cells import CELLS
from symmetrics.numeric.operations import NAMES
from symmetrics.numeric.program import ONE, Scaled, Tree, is_positive
from symmetrics.tools.errors import UnsupportedError

# -- Quadratic forms of the cells as products of sums: P*ON + N*OP takes fewer passes than its seven terms -------------


Linear = tuple[int, ...]
"""Indices of the cells in a sum."""
Quadratic = tuple[int, ...]
"""Coefficients of the ten products of two cells, in the order of :func:`pairs`."""

_MOST = 4
"""Largest coefficient of the first product that is tried."""


class TwoProducts(NamedTuple):
    """A product of two sums of cells with integer coefficients, or a sum of two such products."""

    products: tuple[tuple[int, Linear, Linear], ...]


@cache
def pairs() -> tuple[tuple[int, int], ...]:
    """Return the products of two cells, as pairs of indices.

    >>> len(pairs())
    10
    """
    return tuple(itertools.combinations_with_replacement(range(4), 2))


@cache
def _products() -> dict[Quadratic, tuple[Linear, Linear]]:
    """Return all products of two sums of cells, by their coefficients, those with few additions first."""
    sums = [linear for size in range(1, 5) for linear in itertools.combinations(range(4), size)]
    found: dict[Quadratic, tuple[Linear, Linear]] = {}
    for left, right in sorted(
        itertools.combinations_with_replacement(sums, 2), key=lambda pair: len(pair[0] + pair[1])
    ):
        coefficients = dict.fromkeys(pairs(), 0)
        for i, j in itertools.product(left, right):
            coefficients[min(i, j), max(i, j)] += 1
        found.setdefault(tuple(coefficients.values()), (left, right))
    return found


@lru_cache(maxsize=256)
def two_products(form: Quadratic) -> TwoProducts | None:
    """Write a quadratic form with non-negative integer coefficients as one or two products of sums; None if impossible.

    >>> two_products((0, 1, 1, 2, 1, 0, 1, 1, 1, 0))
    TwoProducts(products=((1, (0, 1), (1, 3)), (1, (0, 2), (2, 3))))
    """
    content = math.gcd(*form)
    if not content:
        return None
    # A single product, up to a common factor.
    known = _products()
    whole = tuple(c // content for c in form)
    if whole in known:
        return TwoProducts(((content, *known[whole]),))
    # Otherwise try c*product + rest, where the rest is a multiple of another product; keep the cheapest.
    best: tuple[int, TwoProducts] | None = None
    for product, sums in known.items():
        room = min((c // p for c, p in zip(form, product, strict=True) if p), default=0)
        for times in range(1, min(room, _MOST) + 1):
            rest = tuple(c - times * p for c, p in zip(form, product, strict=True))
            over = math.gcd(*rest)
            other = known.get(tuple(c // over for c in rest)) if over else None
            if other is not None:
                passes = sum(map(len, {*sums, *other})) + (times > 1) + (over > 1)
                if best is None or passes < best[0]:
                    best = passes, TwoProducts(((times, *sums), (over, *other)))
    return None if best is None else best[1]


# ----------------------------------------------------------------------------------------------------------------------


_MANY: Final = 5
"""Least number of terms from which on a quadratic form is rewritten as products of sums."""
_PLACE: Final = {cell: place for place, cell in enumerate(CELLS)}


class LogRatio(Function):
    """``LogRatio(a, b, a - b)`` is log(a/b): the difference has its digits where a/b is close to 1."""

    nargs = 3


class LogSlope(Function):
    """``LogSlope(w)`` is log(w)/(w - 1): the slope of the chord of the logarithm from 1 to w > 0."""

    nargs = 1


class ProductDifference(Function):
    """``ProductDifference(a, b, c, d)`` is a*b - c*d, computed without loss of digits by cancellation."""

    nargs = 4


class KeptSum(Function):
    """``KeptSum(a - b) + c`` is a - b + c with the difference computed first."""

    nargs = 1


_WITH_ARGUMENTS: Final = ((LogRatio, "log_ratio"), (ProductDifference, "product_difference"), (KeptSum, "kept"))


def tree_of(expression: Expr) -> Scaled:
    """Convert a formula over the cells to a scaled tree.

    :raises UnsupportedError: on powers whose exponent is not rational, on functions outside the language, and on
        divisors that are zero at all tables

    >>> from symmetrics.language.cells import FN, TP
    >>> tree_of(2 * TP + 2 * FN)
    (Fraction(2, 1), ('sum', ((('cell', 0), Fraction(1, 1)), (('cell', 1), Fraction(1, 1)))))
    """
    return _tree(expression, {})


def _tree(expression: Expr, memo: dict[Expr, Scaled]) -> Scaled:
    found = memo.get(expression)
    if found is None:
        found = memo[expression] = _made(expression, memo)
    return found


def _made(expression: Expr, memo: dict[Expr, Scaled]) -> Scaled:
    # Leaves: a cell, a rational number, another constant.
    if isinstance(expression, Symbol):
        return Fraction(1), ("cell", _PLACE[expression])
    if isinstance(expression, Rational):
        return Fraction(int(expression.p), int(expression.q)), ONE
    if not expression.free_symbols:
        return Fraction(1), ("number", expression)
    # Arithmetic operations.
    if isinstance(expression, Add):
        return _sum(_tree(term, memo) for term in expression.args)
    if isinstance(expression, Mul):
        return _product((*_tree(factor, memo), Fraction(1)) for factor in expression.args)
    if isinstance(expression, Pow):
        if not isinstance(expression.exp, Rational):
            raise UnsupportedError(f"the exponent {expression.exp} is not a rational number")
        exponent = Fraction(int(expression.exp.p), int(expression.exp.q))
        return _product([(*_tree(expression.base, memo), exponent)])
    # Functions that are in the table of operations.
    known = "log_slope" if isinstance(expression, LogSlope) else NAMES.get(type(expression).__name__)
    if known is not None:
        return _applied(known, [_tree(argument, memo) for argument in expression.args])
    # Auxiliary functions for accurate differences and logarithms.
    for kind, name in _WITH_ARGUMENTS:
        if isinstance(expression, kind):
            return Fraction(1), (name, tuple(_tree(argument, memo) for argument in expression.args))
    raise UnsupportedError(f"{type(expression).__name__} is outside the language of formulas")


def _applied(name: str, arguments: list[Scaled]) -> Scaled:
    if name == "abs":
        scale, tree = arguments[0]
        return abs(scale), tree if is_positive(tree, strictly=False) else ("abs", tree)
    if len(arguments) == 1:
        return Fraction(1), (name, arguments[0])
    return Fraction(1), (name, tuple(sorted(((tree, scale) for scale, tree in arguments), key=repr)))


def _sum(terms: Iterable[Scaled]) -> Scaled:
    """Add terms, with common numbers and factors taken out."""
    gathered: dict[Tree, Fraction] = {}
    for scale, tree in terms:
        parts = [(part, scale * c) for part, c in tree[1]] if tree[0] == "sum" else [(tree, scale)]
        for part, c in parts:
            gathered[part] = gathered.get(part, Fraction(0)) + c
    items = [(part, c) for part, c in gathered.items() if c]
    if not items:
        return Fraction(0), ONE
    if len(items) == 1:
        return items[0][1], items[0][0]
    # a b + a c is a (b + c).
    shared = reduce(_common, (_factors(part) for part, _ in items))
    if shared:
        undone = [(base, -exponent) for base, exponent in shared.items()]
        inner = _sum(_times(c, part, undone) for part, c in items)
        return _product([(inner[0], inner[1], Fraction(1)), *((Fraction(1), *factor) for factor in shared.items())])
    # 2 a + 4 b is 2 (a + 2 b).
    content = _content(c for _, c in items)
    if all(c < 0 for _, c in items):
        content = -content
    items = [(part, c / content) for part, c in items]
    return content, ("sum", _nested(_fewer(items) or items))


def _fewer(items: list[tuple[Tree, Fraction]]) -> list[tuple[Tree, Fraction]] | None:
    """Write a quadratic form with many non-negative terms as products of sums; None if impossible."""
    form = dict.fromkeys(pairs(), 0)
    for part, c in items:
        cells = [base[1] for base, power in _factors(part).items() for _ in range(int(power)) if base[0] == "cell"]
        degree = sum(_factors(part).values())
        if len(items) < _MANY or c < 0 or c.denominator != 1 or degree != 2 or len(cells) != 2:
            return None
        form[min(cells), max(cells)] += c.numerator
    found = two_products(tuple(form.values()))
    if found is None or len(found.products) < 2:
        return None
    return [_product_of_sums(left, right, times) for times, left, right in found.products]


def _product_of_sums(left: tuple[int, ...], right: tuple[int, ...], times: int) -> tuple[Tree, Fraction]:
    sums = (_sum((Fraction(1), ("cell", place)) for place in places)[1] for places in (left, right))
    return _product((Fraction(1), each, Fraction(1)) for each in sums)[1], Fraction(times)


def _nested(items: list[tuple[Tree, Fraction]]) -> tuple[tuple[Tree, Fraction], ...]:
    """Group sorted items by coefficient: those with an equal one other than 1 and -1 become a sum times it."""
    by_size: dict[Fraction, list[tuple[Tree, Fraction]]] = {}
    for part, c in items:
        by_size.setdefault(abs(c), []).append((part, c))
    result: list[tuple[Tree, Fraction]] = []
    for size, group in by_size.items():
        signs = {c > 0 for _, c in group}
        if size == 1 or len(group) == 1 or len(signs) == 2 or len(by_size) == 1:
            result += group
        else:
            inner = tuple(sorted(((part, Fraction(1)) for part, _ in group), key=repr))
            result.append((("sum", inner), group[0][1]))
    return tuple(sorted(result, key=repr))


def _content(coefficients: Iterable[Fraction]) -> Fraction:
    listed = list(coefficients)
    return Fraction(math.gcd(*(c.numerator for c in listed)), math.lcm(*(c.denominator for c in listed)))


def _factors(tree: Tree) -> dict[Tree, Fraction]:
    if tree[0] == "product":
        return dict(tree[1])
    return {} if tree == ONE else {tree: Fraction(1)}


def _common(left: dict[Tree, Fraction], right: dict[Tree, Fraction]) -> dict[Tree, Fraction]:
    """Return the integer powers that two products share: a common divisor or factor."""
    shared = {}
    for base, exponent in left.items():
        other = right.get(base, Fraction(0))
        power = math.trunc(min(abs(exponent), abs(other)))
        if exponent * other > 0 and power:
            shared[base] = Fraction(power if exponent > 0 else -power)
    return shared


def _times(scale: Fraction, tree: Tree, factors: list[tuple[Tree, Fraction]]) -> Scaled:
    return _product([(scale, tree, Fraction(1)), *((Fraction(1), base, exponent) for base, exponent in factors)])


def _product(factors: Iterable[tuple[Fraction, Tree, Fraction]]) -> Scaled:
    """Multiply powers of scaled trees; powers of powers become one where the inner base is positive."""
    scale, gathered = Fraction(1), dict[Tree, Fraction]()
    for number, tree, exponent in factors:
        if number < 0 and exponent.denominator != 1:
            number, tree = -number, _negative(tree)
        outside, within = _number_power(number, exponent)
        scale *= outside
        parts = dict(within)
        inner = _factors(tree)
        # (x**a)**b is x**(a b) for whole b, or where x is not negative.
        if exponent.denominator == 1 or all(is_positive(base, strictly=False) for base in inner):
            for base, power in inner.items():
                parts[base] = parts.get(base, Fraction(0)) + power * exponent
        else:
            parts[tree] = parts.get(tree, Fraction(0)) + exponent
        for base, power in parts.items():
            gathered[base] = gathered.get(base, Fraction(0)) + power
    if (cleared := _cleared(gathered)) is not None:
        return _product([(scale, ONE, Fraction(1)), *cleared])
    kept = sorted(((base, power) for base, power in gathered.items() if power), key=repr)
    if not kept or not scale:
        return scale, ONE
    if len(kept) == 1 and kept[0][1] == 1:
        return scale, kept[0][0]
    return scale, ("product", tuple(kept))


def _cleared(factors: dict[Tree, Fraction]) -> list[tuple[Fraction, Tree, Fraction]] | None:
    """Multiply a sum in the numerator and one in the denominator by a divisor that occurs in terms of both."""
    for above, below in itertools.product(_sums_to(factors, 1), _sums_to(factors, -1)):
        for divisor in sorted(_divisors(above) & _divisors(below), key=repr):  # sorted: the same order in every process
            times = [(divisor, Fraction(1))]
            changed = [(*_sum(_times(c, part, times) for part, c in tree[1]), factors[tree]) for tree in (above, below)]
            others = [(Fraction(1), *factor) for factor in factors.items() if factor[0] not in (above, below)]
            return [*changed, *others]
    return None


def _sums_to(factors: dict[Tree, Fraction], power: int) -> list[Tree]:
    """Return the two-term sums among the factors with a given power; clearing divisors of longer ones does not pay."""
    return [tree for tree, e in factors.items() if tree[0] == "sum" and e == power and len(tree[1]) == 2]


def _divisors(tree: Tree) -> set[Tree]:
    """Return the positive divisors in terms of a sum."""
    found = (item for part, _ in tree[1] for item in _factors(part).items())
    return {base for base, exponent in found if exponent <= -1 and exponent.denominator == 1 and is_positive(base)}


def _negative(tree: Tree) -> Tree:
    """Return the negative of a tree, as a sum without common factors."""
    items = tree[1] if tree[0] == "sum" else ((tree, Fraction(1)),)
    return ("sum", tuple((part, -c) for part, c in items))


def _number_power(number: Fraction, exponent: Fraction) -> tuple[Fraction, list[tuple[Tree, Fraction]]]:
    """Return a power of a number as a rational factor and a remaining root."""
    if number == 0 and exponent < 0:
        raise UnsupportedError("a divisor is zero at all tables")
    if exponent.denominator == 1:
        return number**exponent.numerator, []
    if number == 1:
        return number, []
    power = number ** abs(exponent.numerator)
    if exponent < 0:
        power = 1 / power
    root = Rational(power.numerator, power.denominator) ** Rational(1, exponent.denominator)
    return Fraction(1), [(("number", root), Fraction(1))]


# -- Differences with a square root, rewritten to avoid cancellation where the two sides are close ---------------------

# ``a - b`` is ``(a**2 - b**2)/(a + b)``. Where the squares are quotients of sums of cells, and their difference is
# again one in which nothing is subtracted, nothing cancels: ``1 - TP/sqrt((TP + FN)*(TP + FP))`` needs no
# recomputation.


_MOST_TERMS: Final = 6
"""Rewriting a difference with more terms costs more than recomputing values."""
_HALF: Final = Rational(1, 2)


@lru_cache(maxsize=1024)
def with_conjugates(expression: Expr) -> Expr:
    """Rewrite differences a - b of positive terms as (a² - b²)/(a + b).

    :raises UnsupportedError: on what is no formula over the cells

    >>> from sympy import sqrt
    >>> from symmetrics.language.cells import FN, TP
    >>> with_conjugates(1 - sqrt(TP / (TP + FN)))
    FN/((FN + TP)*(sqrt(TP/(FN + TP)) + 1))
    >>> with_conjugates(1 - sqrt(TP))
    1 - sqrt(TP)
    """
    if not any(abs(power.exp) == _HALF for power in expression.atoms(Pow)):
        return expression
    if isinstance(expression, Add) and len(expression.args) == 2:
        written = _from_squares(expression)
        if written is not None:
            return written
    return expression.func(*map(with_conjugates, expression.args))


def _from_squares(difference: Expr) -> Expr | None:
    """Return the difference as such a quotient; None if that would cancel as well."""
    coefficient = {side: side.as_coeff_Mul()[0] for side in difference.args}
    low, high = sorted(difference.args, key=coefficient.__getitem__)
    if not coefficient[low] < 0 < coefficient[high]:
        return None
    if not all(is_positive(tree_of(side)[1]) for side in (low, high)):
        return None
    # a - b = (a^2 - b^2)/(a + b)
    above, below = fraction(together(high**2 - low**2))
    terms = expand(above).as_ordered_terms()
    signs = {term.as_coeff_Mul()[0] > 0 for term in terms}
    is_rational = all(power.exp.is_Integer for power in (above / below).atoms(Pow))
    if not is_rational or terms == [0] or len(terms) > _MOST_TERMS or len(signs) > 1:
        return None
    return Mul(Add(*terms), 1 / below, 1 / (high - low))


# -- Logarithms of quotients, rewritten to avoid cancellation where the quotient is close to 1 -------------------------

# With a - b known to its last digit, ``log(a/b)`` is ``(a - b)/b`` times the slope ``log(w)/(w - 1)`` of the line
# from 1 to w = a/b. Both factors are accurate: where w is close to 1, its rounding hardly changes the slope,
# and w - 1 is exact (Kahan; Goldberg 1991, theorem 4). So entropies, and their divisors, need no
# recomputation.


_LARGEST_POWER: Final = 4


@lru_cache(maxsize=1024)
def with_slopes(expression: Expr, *, mixed: bool) -> Expr:
    """Rewrite log(a/b) of positive sums as (a - b)/b times log(w)/(w - 1), w = a/b.

    :param mixed: also where the difference of dividend and divisor may have either sign

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> with_slopes(log(TP / (TP + FN)), mixed=False)
    -FN*LogSlope(TP/(FN + TP))/(FN + TP)
    >>> with_slopes(log(TP * TN / (FP * FN)), mixed=False)
    log(TN*TP/(FN*FP))
    """
    if not expression.has(log):
        return expression
    if not isinstance(expression, log):
        return expression.func(*(with_slopes(part, mixed=mixed) for part in expression.args))
    written = _times_slope(expression.args[0], mixed)
    return expression if written is None else written


def _times_slope(argument: Expr, mixed: bool) -> Expr | None:
    """Return the logarithm as such a product; None if that gains nothing."""
    above, below = fraction(together(argument))
    if not above.free_symbols | below.free_symbols:
        return None
    if not (_is_positive_product(above) and _is_positive_product(below)):
        return None
    difference = expand(above - below)
    terms = difference.as_ordered_terms()
    # Differences of few terms of one sign are accurate.
    signs = {bool(term.as_coeff_Mul()[0] > 0) for term in terms}
    if difference == 0 or len(terms) > _MOST_TERMS or (len(signs) == 2 and not mixed):
        return None
    if signs == {True} and below.free_symbols:  # log(a/b) is -log(b/a), whose quotient is at most 1
        return Mul(difference, 1 / above, LogSlope(below / above))
    return Mul(difference, 1 / below, LogSlope(above / below))


def _is_positive_product(expression: Expr) -> bool:
    """Whether an expression is a product of sums of cells without subtractions."""
    return all(_is_positive_sum(factor) for factor in Mul.make_args(expression))


def _is_positive_sum(expression: Expr) -> bool:
    base, power = expression.as_base_exp() if isinstance(expression, Pow) else (expression, S.One)
    if not (isinstance(power, Integer) and 0 < power <= _LARGEST_POWER):
        return False
    if isinstance(base, Symbol) or base.is_Rational:
        return bool(base.is_Symbol or base > 0)
    return bool(base.is_Add) and all(_is_positive_product(term) for term in base.args)
