"""Bounds of formulas with logarithms: why no value is beyond them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product
from typing import Final

from sympy import Add, Expr, Integer, Mul, Poly, Pow, Rational, Symbol, log

from symmetrics.algebra.pieces import smooth_pieces
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.rocq.engine.lemmas import NotExported
from symmetrics.rocq.engine.lowest_terms import lowest_terms
from symmetrics.rocq.engine.maxima import SOME_TABLE
from symmetrics.rocq.engine.terms import term

__all__ = ["logarithmic_script"]

SAMPLES: Final[tuple[tuple[Expr, ...], ...]] = tuple(product((Rational(1, 10), Integer(1), Integer(10)), repeat=4))
"""Tables that tell which of two polynomials may be the larger one."""
SQUARES: Final = "pose proof (pow2_ge_0 (TP - TN)); pose proof (pow2_ge_0 (FN - FP))"
"""What shows that a product is less than a quarter of the square of a sum."""
PAIRS: Final = ((TP, FN), (FP, TN), (TP, FP), (FN, TN), (FN + TP, FP + TN), (FP + TP, FN + TN))
"""Parts of a table whose entropies occur in metrics."""


def logarithmic_script(formula: Expr, limit: Expr, side: str, *, strict: bool) -> str:
    """Return the proof that a bound is not exceeded: the formula is a quotient of two sums with logarithms.

    :param side: ``lower`` or ``upper``
    :raises NotExported: if there are other functions in the formula than logarithms, minima, maxima and absolute values
    """
    lemma = f"{'above' if side == 'lower' else 'below'}_by_quotient{'' if strict else '_weakly'}"
    tries = [_quotient(piece.formula, limit, lemma) for piece in smooth_pieces(formula)]
    if len(tries) == 1:
        return f"logs_apart;\n      {tries[0]}"
    return "by_cases; logs_apart;\n      first [" + "\n      | ".join(tries) + "]"


def _quotient(formula: Expr, limit: Expr, lemma: str) -> str:
    """Return the proof for one piece."""
    names: dict[Symbol, Expr] = {}
    plain = formula.replace(log, lambda argument: _expanded(argument, names))
    if any(not node.exp.is_Integer for node in plain.atoms(Pow)):
        raise NotExported("a bound of a formula with roots and logarithms")
    above, below = lowest_terms(plain)
    if below.xreplace({name: log(argument) for name, argument in names.items()}).xreplace(SOME_TABLE).evalf() < 0:
        above, below = -above, -below
    has_products = any(
        set(part.free_symbols) & set(CELLS) and part.free_symbols & set(names)
        for side in (above, below)
        for part in side.expand().as_ordered_terms()
    )
    facts = _entropies(limit) if has_products else _orders(names)
    known = "".join(f"{fact};\n      " for fact in facts)
    return f"({known}apply ({lemma} _ _ ({term(above)}) ({term(below)})); [lra | intros ?; fractions | lra])"


def _expanded(argument: Expr, names: dict[Symbol, Expr]) -> Expr:
    """Return the logarithm of a product as the sum of those of its factors; their names are noted."""
    if isinstance(argument, Mul):
        return Add(*(_expanded(factor, names) for factor in argument.args))
    if isinstance(argument, Pow) and argument.exp.is_Integer:
        return argument.exp * _expanded(argument.base, names)
    if isinstance(argument, Rational) and not isinstance(argument, Integer):
        return _expanded(Integer(argument.p), names) - _expanded(Integer(argument.q), names)
    if argument == 1:
        return Integer(0)
    name = Symbol(f"({term(log(argument))})", positive=True)
    names[name] = argument
    return name


def _orders(names: Mapping[Symbol, Expr]) -> Iterator[str]:
    """Yield the proofs of what is known of single logarithms: which is larger, and which is positive."""
    for argument in names.values():
        if _is_positive(argument - 1):
            yield f"assert (0 < {term(log(argument))}) by (rewrite <- ln_1; apply ln_increasing; [lra | order])"
    for smaller, larger in permutations(names.values(), 2):
        if _is_positive(larger - smaller):
            has_one_sign = all(coefficient > 0 for coefficient in Poly(larger - smaller, *CELLS).coeffs())
            step = "order" if has_one_sign else f"{SQUARES}; order"
            less = f"{term(log(smaller))} < {term(log(larger))}"
            yield f"assert ({less}) by (apply ln_increasing; [above | {step}])"


def _is_positive(gap: Expr) -> bool:
    """Return whether a polynomial is positive as far as is seen: the kernel has to find the proof."""
    return all(gap.xreplace(dict(zip(CELLS, table, strict=True))) > 0 for table in SAMPLES)


def _entropies(limit: Expr) -> Iterator[str]:
    """Yield the uses of what is known of entropies."""
    margins = (FN + TP, FP + TN, FP + TP, FN + TN, FN + FP + TN + TP)
    yield from (_use("mixed_positive", a, b, a + b) for a, b in PAIRS)
    if limit == 0:
        yield _use("dependence", TP, FN, FP, TN, *margins)
    if limit.has(log):
        yield _use("mixed_at_most", FN + TP, FP + TN, margins[-1])


def _use(lemma: str, *parts: Expr) -> str:
    return f"pose proof ({lemma} {' '.join(term(part, 3) for part in parts)} ltac:(split_sum))"
