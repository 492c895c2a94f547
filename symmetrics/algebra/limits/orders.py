"""Orders of vanishing where some cells tend to zero, along all curves at once.

Let the cells of a set Z tend to zero as ``cell_i = c_i * e**w_i`` with positive weights w.  A monomial then is of the
order of its exponents times w, and a sum with positive coefficients of the least order of its monomials.  By the curve
selection lemma a term tends to zero relative to a denominator along every path if it does so for every w > 0,
which is a question about finitely many linear inequalities.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from symmetrics.algebra.field import Field, Monomial

__all__ = ["Exponents", "base_orders", "certain_orders", "dominates_somewhere", "product_orders", "term_orders"]

Exponents = tuple[Fraction, ...]


def base_orders(base: Any, places: Sequence[int], field: Field) -> frozenset[Exponents]:
    """Return the exponents, in the cells of Z, of the monomials of an atom's base."""
    if isinstance(base, dict):
        return frozenset().union(*(term_orders(m, p, places, field) for m, p in base.items()))
    return _minimal(tuple(Fraction(int(e[place])) for place in places) for e in base.to_dict())


def certain_orders(base: Any, places: Sequence[int], field: Field) -> frozenset[Exponents] | None:
    """Return exponents whose least order a positive base has at least, along every path; None if none are certain.

    A sum of positive terms can lose those that hold an absolute value, which vanishes inside the orthant too.
    """
    if not isinstance(base, dict):
        return base_orders(base, places, field)
    kept = [
        term_orders(monomial, poly, places, field)
        for monomial, poly in base.items()
        if all(field.atoms[number].positive and not field.atoms[number].is_opaque for number, _ in monomial)
    ]
    return _minimal(frozenset().union(*kept)) if kept else None


def term_orders(monomial: Monomial, poly: Any, places: Sequence[int], field: Field) -> frozenset[Exponents]:
    """Return the exponents that a term ``poly * monomial`` can show, one for every choice of monomials in it."""
    parts = [base_orders(poly, places, field)]
    for number, power in monomial:
        atom = field.atoms[number]
        if not atom.is_log:
            parts.append(frozenset(_scaled(o, power) for o in base_orders(atom.base, places, field)))
    return _minimal(_total(choice) for choice in itertools.product(*parts))


def product_orders(powers: Iterable[tuple[frozenset[Exponents], int | Fraction]], size: int) -> frozenset[Exponents]:
    """Return the exponents that a product of powers of positive sums can show."""
    zero = (Fraction(0),) * size
    parts = [frozenset(_scaled(o, Fraction(power)) for o in orders) for orders, power in powers]
    return _minimal(_total((zero, *choice)) for choice in itertools.product(*parts))


def dominates_somewhere(above: Iterable[Exponents], below: Iterable[Exponents]) -> bool:
    """Whether for some weights w > 0 a term of *above* is of no higher order than the positive sum *below*."""
    denominators = list(below)
    return any(_feasible([tuple(b - a for a, b in zip(t, d, strict=True)) for d in denominators]) for t in above)


def _feasible(rows: list[Exponents]) -> bool:
    """Whether ``row . w >= 0`` for all rows and some w >= 1, by Fourier-Motzkin elimination."""
    size = len(rows[0])
    unit = [tuple(Fraction(int(i == k)) for i in range(size)) for k in range(size)]
    system = {(*row, Fraction(0)) for row in rows} | {(*row, Fraction(1)) for row in unit}
    for place in range(size):
        rising = [row for row in system if row[place] > 0]
        falling = [row for row in system if row[place] < 0]
        system = {row for row in system if not row[place]}
        for up, down in itertools.product(rising, falling):
            system.add(tuple(u / up[place] - d / down[place] for u, d in zip(up, down, strict=True)))
    return all(row[-1] <= 0 for row in system)


def _minimal(orders: Iterable[Exponents]) -> frozenset[Exponents]:
    """Drop exponents that others never exceed: they are never of the least order."""
    distinct = set(orders)
    return frozenset(
        order
        for order in distinct
        if not any(other != order and all(a <= b for a, b in zip(other, order, strict=True)) for other in distinct)
    )


def _scaled(order: Exponents, factor: Fraction) -> Exponents:
    return tuple(exponent * factor for exponent in order)


def _total(orders: Iterable[Exponents]) -> Exponents:
    return tuple(sum(column, Fraction(0)) for column in zip(*orders, strict=True))
