"""Limits of a formula on a face of the orthant: some cells tend to zero, the others stay positive."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from sympy import Abs, Add, Expr, S, Symbol

from symmetrics.algebra.convert import Conversion, element_expression, field_for, poly_expression
from symmetrics.algebra.field import Element, Field, Monomial
from symmetrics.language.cells import CELLS
from symmetrics.language.names import CELL_NAMES
from symmetrics.tools.errors import UnsupportedError

# -- Orders of vanishing where some cells tend to zero, along all curves at once ---------------------------------------

# Let the cells of a set Z tend to zero as ``cell_i = c_i * e**w_i`` with positive weights w. A monomial then is of
# the order of its exponents times w, and a sum with positive coefficients of the least order of its monomials. By the
# curve selection lemma a term tends to zero relative to a denominator along every path if it does so for every w > 0,
# which is a question about finitely many linear inequalities.


Exponents = tuple[Fraction, ...]


def base_orders(base: Any, places: Sequence[int], field: Field) -> frozenset[Exponents]:
    """Return the exponents, in the cells of Z, of the monomials of an atom's base."""
    if isinstance(base, dict):
        return frozenset().union(*(term_orders(m, p, places, field) for m, p in base.items()))
    return _minimal(tuple(Fraction(int(e[place])) for place in places) for e in base.to_dict())


def certain_orders(base: Any, places: Sequence[int], field: Field) -> frozenset[Exponents] | None:
    """Return exponents that bound the order of a positive base from below along every path; None if none are certain.

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
    """Return the exponents that a term ``poly * monomial`` can have, one for every choice of monomials in it."""
    parts = [base_orders(poly, places, field)]
    for number, power in monomial:
        atom = field.atoms[number]
        if not atom.is_log:
            parts.append(frozenset(_scaled(o, power) for o in base_orders(atom.base, places, field)))
    return _minimal(_total(choice) for choice in itertools.product(*parts))


def product_orders(powers: Iterable[tuple[frozenset[Exponents], int | Fraction]], size: int) -> frozenset[Exponents]:
    """Return the exponents that a product of powers of positive sums can have."""
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
    # Eliminate one weight: each lower bound of it is at most each upper bound.
    for place in range(size):
        rising = [row for row in system if row[place] > 0]
        falling = [row for row in system if row[place] < 0]
        system = {row for row in system if not row[place]}
        for up, down in itertools.product(rising, falling):
            system.add(tuple(u / up[place] - d / down[place] for u, d in zip(up, down, strict=True)))
    return all(row[-1] <= 0 for row in system)


def _minimal(orders: Iterable[Exponents]) -> frozenset[Exponents]:
    """Drop exponents that are at least as large as others in every entry: they never give the least order."""
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


# ----------------------------------------------------------------------------------------------------------------------


LOG_POWER: Final = Fraction(1, 10**6)
"""Exponent e in the bound ``|log b| <= b**-e`` near b = 0: absorbs a logarithm into a power."""


class Face:
    """The limit of one element on a face of the orthant: as the cells of a set tend to zero."""

    def __init__(self, element: Element, field: Field, zero_cells: frozenset[str]) -> None:
        self.element = element
        self.field = field
        self.zero_cells = zero_cells
        self.places = [CELL_NAMES.index(name) for name in sorted(zero_cells, key=CELL_NAMES.index)]

    @cached_property
    def limit(self) -> Expr | None:
        """The limit as a formula in the other cells; None if it does not exist or was not found."""
        # Orders of the denominator, then the terms of the numerator that do not vanish against them.
        below = self.denominator_orders()
        if below is None:
            return None
        kept = self.terms_that_stay(self.element, below)
        if kept is None:
            return None
        # Denominator positive on the face: substitute zeros. Otherwise the quotient vanishes, or 0/0 is balanced.
        if not any(any(order) for order in below):
            return self.substitute(Element(kept, self.element.denominator))
        return S.Zero if not kept else self.balanced(Element(kept, self.element.denominator), below)

    def denominator_orders(self) -> frozenset[Any] | None:
        """Return the orders of vanishing of the denominator; None if those of a factor are unknown."""
        powers: list[tuple[frozenset[Any], int | Fraction]] = []
        for number, power in self.element.denominator.items():
            orders = self.lower_orders(number)
            if orders is None:
                return None
            powers.append((orders, power))
        return product_orders(powers, len(self.places))

    def lower_orders(self, number: int) -> frozenset[Any] | None:
        """Return lower bounds on the orders of an atom's base wherever the guards are not zero; None if unknown."""
        atom = self.field.atoms[number]
        if atom.is_log:
            return None
        if atom.positive:
            return certain_orders(atom.base, self.places, self.field)
        if atom.is_opaque:
            return None if self.sum_here(number) is None else frozenset({self.order_zero})
        orders = base_orders(atom.base, self.places, self.field)
        return None if all(any(order) for order in orders) else orders

    @cached_property
    def has_zero_denominator(self) -> bool:
        """Whether a factor of the denominator is zero at every table of the face."""
        return any(self.is_zero_here(base_of(self.field.atoms[n].base)) for n in self.element.denominator)

    @property
    def has_zero_numerator(self) -> bool:
        """Whether the numerator is certain to be zero at every table of the face."""
        return self.is_zero_here(self.element.numerator)

    def is_zero_here(self, numerator: Any) -> bool:
        """Whether a sum is certainly zero on the face; a zero factor times a logarithm counts as zero."""
        zero = {Symbol(name, real=True): S.Zero for name in self.zero_cells}
        left = {m: poly for m, poly in numerator.items() if poly_expression(poly, self.field).xreplace(zero) != 0}
        try:
            rest = Add(*(element_expression(Element({m: p}), self.field).xreplace(zero) for m, p in left.items()))
            return Conversion(field_for())(rest).is_zero
        except UnsupportedError:
            return False

    @cached_property
    def order_zero(self) -> Any:
        """The exponents of a constant."""
        return (Fraction(0),) * len(self.places)

    def sum_here(self, number: int) -> Expr | None:
        """Return the limit of an opaque base on the face, or None if that is zero or was not found.

        Terms such as ``x * log(x)`` tend to zero and are dropped before anything is substituted.
        """
        base = base_of(self.field.atoms[number].base)
        if any(self.field.atoms[part].is_opaque for monomial in base for part, _ in monomial):
            return None
        kept = self.terms_that_stay(Element(base), frozenset({self.order_zero}))
        if not kept or self.is_zero_here(kept):
            return None
        zero = {Symbol(name, real=True): S.Zero for name in self.zero_cells}
        value = Add(*(element_expression(Element({m: p}), self.field).xreplace(zero) for m, p in kept.items()))
        return None if value.has(S.NaN, S.ComplexInfinity) else value

    @cached_property
    def guards(self) -> tuple[Expr, ...]:
        """The bases, on the face, of denominators and logarithms that can vanish at some of its tables."""
        logs = {
            number for monomial in self.element.numerator for number, _ in monomial if self.field.atoms[number].is_log
        }
        bases = [self.field.atoms[number].base for number in (*self.element.denominator, *sorted(logs))]
        plain = [base for base in bases if not isinstance(base, dict) and not self.field.is_positive(base)]
        zero = {Symbol(name, real=True): S.Zero for name in self.zero_cells}
        polys = [poly_expression(base, self.field).xreplace(zero) for base in plain]
        sums = [self.sum_here(n) for n in self.element.denominator if not self.field.atoms[n].positive]
        return (*polys, *(value for value in sums if value is not None))

    def terms_that_stay(self, element: Element, below: frozenset[Any]) -> Any | None:
        """Return the numerator without the terms that tend to zero; None if a logarithm among the rest diverges."""
        kept: dict[Any, Any] = {}
        for monomial, poly in element.numerator.items():
            with_logs = self.with_logarithms(monomial, below)
            if with_logs is None or not all(self.is_bounded(number) for number, _ in monomial):
                return None
            for exponents, coefficient in poly.to_dict().items():
                term = self.field.context.from_dict({exponents: coefficient})
                # A term of higher order than the denominator along all paths tends to zero.
                if not dominates_somewhere(term_orders(monomial, term, self.places, self.field), with_logs):
                    continue
                if any(self.diverges(number) for number, _ in monomial):
                    return None
                kept[monomial] = kept[monomial] + term if monomial in kept else term
        return {monomial: poly for monomial, poly in kept.items() if poly}

    def is_bounded(self, number: int) -> bool:
        """Whether an atom stays bounded on the face: it is not an opaque sum with a part that may diverge."""
        atom = self.field.atoms[number]
        if not atom.is_opaque:
            return True
        logs = {n for monomial in base_of(atom.base) for n, _ in monomial if self.field.atoms[n].is_log}
        return not logs or self.terms_that_stay(Element(base_of(atom.base)), frozenset({self.order_zero})) is not None

    def with_logarithms(self, monomial: Any, below: frozenset[Any]) -> frozenset[Any] | None:
        """Bound a term's logarithms by small powers of their bases; return the orders of the denominator times these.

        ``|log b|`` grows more slowly than every negative power of b, but not than powers of other cells.
        """
        powers: list[tuple[frozenset[Any], int | Fraction]] = [(below, 1)]
        for number, power in monomial:
            if self.field.atoms[number].is_log:
                orders = self.base_of_logarithm(number)
                if orders is None:
                    return None
                powers.append((orders, power * LOG_POWER))
        return product_orders(powers, len(self.places))

    def base_of_logarithm(self, number: int) -> frozenset[Any] | None:
        """Return the orders of the argument of a logarithm; None if unknown."""
        base = self.field.atoms[number].base
        if self.field.is_positive_base(base):
            return certain_orders(base, self.places, self.field)
        if isinstance(base, dict):
            return None
        orders = base_orders(base, self.places, self.field)
        return None if all(any(order) for order in orders) else orders

    def diverges(self, number: int) -> bool:
        """Whether an atom is the logarithm of something that tends to zero."""
        atom = self.field.atoms[number]
        return atom.is_log and all(any(order) for order in base_orders(atom.base, self.places, self.field))

    def substitute(self, element: Element) -> Expr | None:
        """Return the value on the face of an element whose denominator is not zero there."""
        zero = {Symbol(name, real=True): S.Zero for name in self.zero_cells}
        sums: dict[Expr, Expr] = {}
        for number in {*element.denominator, *(n for monomial in element.numerator for n, _ in monomial)}:
            if self.field.atoms[number].is_opaque:
                limit = self.sum_here(number)
                if limit is None:
                    return None
                whole = element_expression(Element(base_of(self.field.atoms[number].base)), self.field)
                # An absolute value may have been written with the opposite sign of its argument.
                sums |= {whole: limit, Add(*(-term for term in Add.make_args(whole))): -limit}
        value = element_expression(element, self.field).xreplace(sums).xreplace(zero)
        return None if value.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity) else value

    def balanced(self, element: Element, below: frozenset[Any]) -> Expr | None:
        """Return the limit of a 0/0 quotient, if it is the same along all paths.

        Two straight paths suggest the limit; subtracting it has to leave nothing that stays.
        """
        # Two paths suggest q; q is the limit if numerator - q * denominator leaves no term of the denominator's order.
        candidate = self.along((1, 1, 1, 1))
        if candidate is None or self.along((2, 3, 5, 7)) != candidate:
            return None
        try:
            claimed = Conversion(self.field)(candidate)
        except UnsupportedError:
            return None
        # Multiplied out over the denominator, which has to stay positive on the face.
        product = self.field.multiply(claimed, self.denominator_element())
        if not all(self.stays_positive(number) for number in product.denominator):
            return None
        rest = self.field.subtract(Element(element.numerator), product)
        return candidate if self.terms_that_stay(rest, below) == {} else None

    def stays_positive(self, number: int) -> bool:
        """Whether a polynomial base is positive on the face too."""
        atom = self.field.atoms[number]
        return atom.positive and not atom.is_opaque and any(not any(o) for o in self.lower_orders(number) or ())

    def denominator_element(self) -> Element:
        """Return the denominator as an element of its own."""
        result = self.field.constant(1)
        for number, power in self.element.denominator.items():
            atom = self.field.atoms[number]
            base = Element(base_of(atom.base))
            for _ in range(power):
                result = self.field.multiply(result, base)
        return result

    def along(self, slopes: Sequence[int]) -> Expr | None:
        """Return the limit along a straight path into the face, or None."""
        step = CELLS[self.places[0]]
        path = {CELLS[p]: slope * step for p, slope in zip(self.places, slopes, strict=False)}
        ray = element_expression(self.element, self.field).xreplace(path)
        if ray.has(Abs):
            return None
        try:
            limit = _in_lowest_terms(ray).xreplace({step: S.Zero}) if ray.is_rational_function() else _limit(ray, step)
            if limit.is_finite is False or limit.has(S.NaN, S.ComplexInfinity):
                return None
            return _in_lowest_terms(limit)
        except (UnsupportedError, KeyError):
            return None


def _in_lowest_terms(expression: Expr) -> Expr:
    field = field_for()
    return element_expression(field.reduce(Conversion(field)(expression)), field)


def _limit(expression: Expr, cell: Symbol) -> Expr:
    """Return the one-sided limit of a formula with roots or logarithms as a cell tends to zero."""
    step = Symbol("step", positive=True)
    return expression.xreplace({cell: step}).limit(step, 0, "+")


def base_of(base: Any) -> Any:
    """Return the base of an atom as a numerator."""
    return dict(base) if isinstance(base, dict) else {(): base}
