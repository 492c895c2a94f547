"""Choose, among equivalent forms of a formula, one with little cancellation in plain double precision."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sympy import Add, Expr, Integer, Max, Min, Mul, Pow, Rational, S, expand, factor, fraction, gcd, log, together

from symmetrics.algebra.limits.extension import extension_of
from symmetrics.language.cells import CELLS
from symmetrics.numeric.arrays import with_errors
from symmetrics.numeric.program import Program, Scaled, compiled_trees
from symmetrics.numeric.rounding_rules import Array
from symmetrics.numeric.terms import KeptSum, LogRatio, ProductDifference, tree_of
from symmetrics.tools.errors import UnsupportedError

# ----------------------------------------------------------------------------------------------------------------------
# Equivalent forms of sums with less cancellation: fewer extremes, conjugates, exact differences, integer sums first.


_MOST: Final = 32
"""Number of choices of one argument per extreme that are tried."""


def absorbed(expression: Expr) -> Expr:
    """Simplify sums with extremes, as ``a + b - Max(a, b)`` to ``Min(a, b)``.

    >>> from symmetrics.language.cells import FN, TP
    >>> absorbed(TP + FN - Max(TP, FN))
    Min(FN, TP)
    >>> absorbed(Max(TP, FN) - TP)
    Max(0, FN - TP)
    """
    return _in_sums(expression, _absorbed)


def _absorbed(total: Expr) -> Expr:
    terms = [term.as_coeff_Mul() for term in total.args]
    if not any(isinstance(part, Max) for _, part in terms):
        return total
    negative = [(number, part.args) for number, part in terms if isinstance(part, Max) and number < 0]
    rest = Add(*(number * part for number, part in terms if not (isinstance(part, Max) and number < 0)))
    choices = list(itertools.product(*(arguments for _, arguments in negative)))
    if len(choices) > _MOST:
        return total
    return Min(*(_pulled_out(rest + _weighted(negative, choice)) for choice in choices))


def _pulled_out(total: Expr) -> Expr:
    """Take one argument of each ``Max`` out of a sum: the one that cancels most."""
    terms = [term.as_coeff_Mul() for term in Add.make_args(total)]
    plain = Add(*(number * part for number, part in terms if not isinstance(part, Max)))
    extremes = [(number, part.args) for number, part in terms if isinstance(part, Max)]
    best: tuple[int, Expr, tuple[Expr, ...]] | None = None
    for choice in itertools.islice(itertools.product(*(arguments for _, arguments in extremes)), _MOST):
        # max(a, b) = a + max(0, b - a)
        outside = expand(plain + _weighted(extremes, choice))
        size = len(Add.make_args(outside)) if outside else 0
        if best is None or size < best[0]:
            best = size, outside, choice
    if best is None:
        return total
    inside = zip(extremes, best[2], strict=True)
    return Add(best[1], *(number * Max(*(part - chosen for part in parts)) for (number, parts), chosen in inside))


def _weighted(extremes: Sequence[tuple[Expr, tuple[Expr, ...]]], choice: Sequence[Expr]) -> Expr:
    return Add(*(number * part for (number, _), part in zip(extremes, choice, strict=True)))


def conjugated(expression: Expr) -> Expr:
    """Rewrite ``1 - x/sqrt(y)`` as a quotient without cancellation, if possible.

    >>> from sympy import sqrt
    >>> from symmetrics.language.cells import FN, TP
    >>> conjugated(1 - TP/sqrt(TP*(TP + FN)))
    FN/((FN + TP)*(TP/sqrt(TP*(FN + TP)) + 1))
    """
    return _in_sums(expression, _conjugated)


def _conjugated(total: Expr) -> Expr:
    if len(total.args) != 2 or not total.has(Pow):
        return total
    left, right = total.args
    if not any(power.exp.is_Rational and not power.exp.is_Integer for power in total.atoms(Pow)):
        return total
    # a - b = (a^2 - b^2)/(a + b), useful if nothing cancels in the difference of the squares.
    above, below = fraction(together(left**2 - right**2))
    above = expand(above)
    signs = {term.as_coeff_Mul()[0].is_positive for term in Add.make_args(above)}
    is_difference = left.could_extract_minus_sign() != right.could_extract_minus_sign()
    if not (is_difference and len(signs) == 1 and (above / below).is_rational_function(*CELLS)):
        return total
    return factor(above / below) / (left - right)


def with_exact_differences(expression: Expr) -> Expr:
    """Compute differences of two products of cells exactly.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> with_exact_differences(TP*TN - FN*FP)
    ProductDifference(TN, TP, FN, FP)
    """
    return _in_sums(expression, _exact_difference)


def _exact_difference(total: Expr) -> Expr:
    if len(total.args) != 2:
        return total
    (c, left), (d, right) = (term.as_coeff_Mul() for term in total.args)
    pairs = [Mul.make_args(part) for part in (left, right)]
    if c != -d or not all(len(pair) == 2 and set(pair) <= set(CELLS) for pair in pairs):
        return total
    if c < 0:
        c, pairs = -c, pairs[::-1]
    return c * ProductDifference(*pairs[0], *pairs[1])


def with_counts_first(expression: Expr) -> Expr:
    """Sum the terms that are integers at integer counts before the rounded ones.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> with_counts_first(TP - FN + FP/(FP + TN))
    FP/(FP + TN) + KeptSum(-FN + TP)
    """
    return _in_sums(expression, _counts_first)


def _counts_first(total: Expr) -> Expr:
    counts = [term for term in total.args if term.is_polynomial(*CELLS) and term.as_coeff_Mul()[0].is_Integer]
    signs = {term.as_coeff_Mul()[0].is_positive for term in counts}
    if len(signs) < 2 or len(counts) == len(total.args):
        return total
    return Add(KeptSum(Add(*counts)), *(term for term in total.args if term not in counts))


def _in_sums(expression: Expr, rule: Callable[[Expr], Expr]) -> Expr:
    """Apply a rewriting rule to all sums, the inner ones first."""
    if not expression.args:
        return expression
    rebuilt = expression.func(*(_in_sums(argument, rule) for argument in expression.args))
    return rule(rebuilt) if isinstance(rebuilt, Add) else rebuilt


# -- Logarithms combined, so that sums in which they cancel become logarithms of quotients close to 1 ------------------

# ``TP*log(TP) - TP*log(TP + FN)`` becomes ``TP*log(TP/(TP + FN))``, whose accuracy comes from the difference -FN.


_MOST_LOGARITHMS: Final = 12
"""A difference of more terms is not accurate enough for this."""

Powers = dict[Expr, Rational]
"""Factors of a logarithm's argument, with their exponents."""


def gathered(expression: Expr) -> Expr:
    """Combine the logarithms in each sum that have the same coefficient.

    >>> from symmetrics.language.cells import FN, TP
    >>> gathered(log(TP) - log(TP + FN))
    -LogRatio(FN + TP, TP, FN)
    """
    if not expression.has(log):
        return expression
    if isinstance(expression, log):
        return _sum([(S.One, expression.args[0])])
    if not isinstance(expression, Add):
        return expression.func(*map(gathered, expression.args))
    parts = [_linear(term) for term in expression.args]
    terms = [part for part in parts if part is not None]
    others = [gathered(term) for term, part in zip(expression.args, parts, strict=True) if part is None]
    return Add(*others, _sum(terms))


def _linear(term: Expr) -> tuple[Expr, Expr] | None:
    """Return coefficient and argument of the only logarithm in a term; None if there is none, or several."""
    factors = Mul.make_args(term)
    logs = [factor for factor in factors if isinstance(factor, log)]
    coefficient = Mul(*(factor for factor in factors if not isinstance(factor, log)))
    if len(logs) != 1 or coefficient.has(log):
        return None
    return coefficient, logs[0].args[0]


def _sum(terms: Iterable[tuple[Expr, Expr]]) -> Expr:
    by_monomial: dict[Expr, Powers] = {}
    for coefficient, argument in terms:
        for number, monomial in _monomials(coefficient):
            powers = by_monomial.setdefault(monomial, {})
            for base, power in _factors(argument).items():
                powers[base] = powers.get(base, S.Zero) + number * power
    # a log(x) - a log(y) is a log(x/y); then terms with the same quotient are one.
    by_quotient: dict[Expr, Expr] = {}
    for monomial, powers in by_monomial.items():
        for number, quotient in _quotients(powers):
            by_quotient[quotient] = by_quotient.get(quotient, S.Zero) + number * monomial
    return Add(*(coefficient * quotient for quotient, coefficient in by_quotient.items()))


def _monomials(coefficient: Expr) -> list[tuple[Rational, Expr]]:
    """Split a sum of cells with rational coefficients into monomials; anything else is one part."""
    terms = [term.as_coeff_Mul() for term in Add.make_args(coefficient)]
    if all(part.is_Symbol or part is S.One for _, part in terms):
        return terms
    return [coefficient.as_coeff_Mul()]


def _factors(argument: Expr) -> Powers:
    powers: Powers = {}
    for sign, side in zip((1, -1), fraction(together(argument)), strict=True):
        for part in Mul.make_args(side):
            base, power = part.as_base_exp() if isinstance(part, Pow) else (part, S.One)
            if not isinstance(power, Rational):
                base, power = part, S.One
            powers[base] = powers.get(base, S.Zero) + sign * power
    return powers


def _quotients(powers: Powers) -> list[tuple[Rational, Expr]]:
    """Return the logarithm of a product of powers as a number times a logarithm, normalised up to inversion."""
    kept = {base: power for base, power in powers.items() if power}
    if not kept:
        return []
    content = reduce(gcd, kept.values(), S.Zero)
    above = Mul(*(base ** (power / content) for base, power in kept.items() if power > 0))
    below = Mul(*(base ** (-power / content) for base, power in kept.items() if power < 0))
    if str(above) > str(below) and below != 1:
        above, below, content = below, above, -content
    if below == 1 and not (isinstance(above, Add) and Integer(1) in above.args):
        return [(content, log(above))]
    difference = expand(above - below)
    is_simple = len(Add.make_args(difference)) <= _MOST_LOGARITHMS and bool(above.free_symbols | below.free_symbols)
    return [(content, LogRatio(above, below, difference) if is_simple else log(above / below))]


# ----------------------------------------------------------------------------------------------------------------------


TOLERANCE: Final = 1e-9
"""Tolerance of a value: absolute below 1, relative above."""
_SAMPLE: Final = 384
_MIXED: Final = 256
"""Number of sample tables, with counts of very different size."""
_SEED: Final = 1977


@lru_cache(maxsize=512)
def candidates(expression: Expr) -> tuple[Scaled, ...]:
    """Return the computable forms of a formula, the one with the least cancellation first.

    They are the formula as it is shown and in lowest terms, and both rewritten so that less cancels.

    :raises UnsupportedError: if there is none, or all of them lose digits at some tables
    """
    lowest = extension_of(expression).expression
    forms: dict[Scaled, tuple[int, float]] = {}
    reason: UnsupportedError | None = None
    for form in dict.fromkeys(form for given in (lowest, expression) for form in _rewritten(given)):
        try:
            tree = tree_of(form)
        except UnsupportedError as error:
            reason = error
            continue
        forms.setdefault(tree, _loss(tree))
    if not forms and reason is not None:
        raise reason
    ordered = tuple(sorted(forms, key=forms.__getitem__))
    if forms[ordered[0]][0]:
        raise UnsupportedError(
            "in every form of this formula that is known digits cancel that double precision does not have; "
            "from_counts computes it with more"
        )
    return ordered


def _rewritten(expression: Expr) -> Iterator[Expr]:
    """Yield a formula, successive rewritings of it, and the first and last one with exact differences."""
    yield expression
    yield with_counts_first(expression)
    yield with_exact_differences(expression)
    for rule in (gathered, absorbed, conjugated):
        expression = rule(expression)
        yield expression
    yield with_exact_differences(expression)


def _loss(form: Scaled) -> tuple[int, float]:
    """Return the fraction of sample tables at which a form may exceed the tolerance, and its cost."""
    program = Program()
    place = compiled_trees(program, [form])[0]
    return int(_is_lossy(program, place).sum()), program.cost([place])


def loses_digits(program: Program, place: int) -> bool:
    """Whether an operation may exceed the tolerance at sample tables.

    >>> program = Program()
    >>> tp, fn = program.add("cell", 0), program.add("cell", 1)
    >>> root = program.add("sqrt", program.add("multiply", tp, fn))
    >>> loses_digits(program, root), loses_digits(program, program.add("subtract", root, tp))
    (False, True)
    """
    return bool(_is_lossy(program, place).any())


def _is_lossy(program: Program, place: int) -> NDArray[np.bool_]:
    with np.errstate(all="ignore"):
        values, errors = with_errors(program, place, _sample())
    return np.isfinite(values) & ~(errors <= TOLERANCE * np.maximum(1.0, np.abs(values)))


@cache
def _sample() -> tuple[Array, ...]:
    """Return sample tables of all kinds: large, small, equal and very different counts, rare classes, independence.

    In the last of them some counts are large and cancel, and the others are small.
    """
    random = np.random.default_rng(_SEED)
    size = _SAMPLE // 6
    factors = np.floor(10 ** random.uniform(0, 4, (4, size)))
    parts = [
        np.floor(random.uniform(1, 9, (4, size))),
        np.floor(10 ** random.uniform(0, 6, (4, size))),
        10 ** random.uniform(-9, 15, (4, size)),
        10 ** random.uniform(-12, -3, (4, size)),
        np.floor(10 ** random.uniform(0, 12, size)) + random.integers(0, 3, (4, size)),
        np.stack([factors[a] * factors[b] for a, b in ((0, 1), (0, 3), (2, 1), (2, 3))]),
        np.floor(10 ** random.uniform(0, 12, _MIXED)) * random.integers(0, 3, (4, _MIXED))
        + random.integers(1, 4, (4, _MIXED)),
    ]
    return tuple(np.concatenate(parts, axis=1))
