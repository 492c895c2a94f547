"""The continuous extension of a formula: what it is worth at tables where the formula as written is 0/0.

A table with zero cells is approached by tables whose cells are all positive.  Where the limit exists along every path
it is the value; where the formula grows beyond all bounds the value is infinite; elsewhere there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Final

from sympy import Abs, Add, Expr, Integer, Mul, Pow, Rational, S, Symbol, log

from symmetrics.algebra.convert import Conversion, element_expression, field_for, poly_expression
from symmetrics.algebra.field import Element, Field
from symmetrics.calculus.conditioning import is_well_conditioned
from symmetrics.calculus.orders import base_orders, certain_orders, dominates_somewhere, product_orders, term_orders
from symmetrics.cells import CELL_NAMES, CELLS
from symmetrics.errors import UnsupportedError

__all__ = ["Extension"]

LOG_POWER: Final = Fraction(1, 10**6)
"""A power of a base that is smaller than its logarithm is large."""


class Extension:
    """A formula over the cells alone, in lowest terms, with its limits on the faces of the orthant.

    :param expression: a formula without free parameters

    >>> from symmetrics.cells import FN, FP, TN, TP
    >>> odds_ratio = TP * TN / (FP * FN)
    >>> Extension((odds_ratio - 1) / (odds_ratio + 1)).value(3, 1, 0, 2)
    1
    >>> Extension(TP / (TP + FN)).value(0, 0, 1, 2)
    nan
    """

    def __init__(self, expression: Expr) -> None:
        self.original = expression
        self._field: Field = field_for()
        self._element: Element | None = None
        self._faces: dict[frozenset[str], _Face] = {}
        try:
            self._element = self._field.reduce(Conversion(self._field)(expression))
        except UnsupportedError:
            self._field.conditions.clear()

    @cached_property
    def expression(self) -> Expr:
        """The formula in lowest terms: equal to the original where that is defined, without holes that cancel."""
        return self.original if self._element is None else element_expression(self._element, self._field)

    @cached_property
    def conditions(self) -> tuple[Expr, ...]:
        """Expressions that have to be non-negative for the formula to be real; none where that is always so.

        Factors without a sign of their own only, so that none of them has a pole.
        """
        return tuple(self._sign_expression(condition) for condition in self._field.conditions)

    def _sign_expression(self, condition: Element) -> Expr:
        field = self._field
        sign, signed, _ = field.factor(condition)
        odd = [n for n, power in signed.items() if power % 2 and not field.atoms[n].positive]
        parts = (element_expression(Element(base_of(field.atoms[n].base)), field) for n in odd)
        return Mul(Integer(sign), *parts)

    @cached_property
    def has_two_sided_poles(self) -> bool:
        """Whether a denominator can change its sign, so that an infinite quotient has no sign to speak of."""
        if self._element is None:
            return True
        atoms = ((self._field.atoms[number], power) for number, power in self._element.denominator.items())
        return any(not atom.positive and power % 2 for atom, power in atoms)

    @cached_property
    def is_well_conditioned(self) -> bool:
        """Whether no table makes the formula in lowest terms lose digits to cancellation."""
        return self._element is not None and is_well_conditioned(self._element, self._field)

    def on_face(self, zero_cells: frozenset[str]) -> Expr | None:
        """Return the limit, in the other cells, where the named cells tend to zero and the others do not.

        :returns: an expression in the other cells, or None where there is no finite limit common to all paths
        """
        return None if (face := self._face(zero_cells)) is None else face.limit

    def guards_on_face(self, zero_cells: frozenset[str]) -> tuple[Expr, ...]:
        """Return expressions in the other cells: where one of them is zero, :meth:`on_face` does not say the limit."""
        return () if (face := self._face(zero_cells)) is None else face.guards

    def is_undefined_on_face(self, zero_cells: frozenset[str]) -> bool:
        """Whether it is certain that the formula has no value at any table of a face."""
        face = self._face(zero_cells)
        return face is not None and face.limit is None and face.has_zero_denominator

    def _face(self, zero_cells: frozenset[str]) -> _Face | None:
        if self._element is not None and zero_cells not in self._faces:
            self._faces[zero_cells] = _Face(self._element, self._field, zero_cells)
        return self._faces.get(zero_cells)

    def value(self, tp: Expr | int, fn: Expr | int, fp: Expr | int, tn: Expr | int) -> Expr:
        """Return the exact value at a table with non-negative cells: a number, ``oo``, ``-oo``, or ``nan``."""
        place = dict(zip(CELLS, map(Rational, (tp, fn, fp, tn)), strict=True))
        if self.is_unreal(place):
            return S.NaN
        value = _extended_value(self.expression, place)
        if value is S.NaN:
            value = self._limit_at(place)
        elif value.is_infinite and self.has_two_sided_poles:
            value = S.NaN
        return value if isinstance(value, Rational) or not value.is_finite else self._simplified(value)

    def _limit_at(self, place: dict[Symbol, Rational]) -> Expr:
        zero_cells = frozenset(cell.name for cell, count in place.items() if count == 0)
        limit = self.on_face(zero_cells) if zero_cells else None
        if limit is None or any(guard.xreplace(place) == 0 for guard in self.guards_on_face(zero_cells)):
            return S.NaN
        value = _extended_value(limit, place)
        return value if value.is_finite else S.NaN

    def vanishing(self, tp: int, fn: int, fp: int, tn: int) -> tuple[Expr, ...]:
        """Return the denominators, and the arguments of logarithms, that are zero at a table: why it has no value.

        >>> from symmetrics.cells import FP, TP
        >>> Extension(TP / (TP + FP)).vanishing(0, 5, 0, 5)
        (FP + TP,)
        """
        if self._element is None:
            return ()
        atoms = [self._field.atoms[number] for number in self._element.denominator]
        atoms += [self._field.atoms[n] for monomial in self._element.numerator for n, _ in monomial]
        below = set(self._element.denominator)
        relevant = {atom.number: atom for atom in atoms if atom.is_log or atom.number in below}
        place = dict(zip(CELLS, map(Rational, (tp, fn, fp, tn)), strict=True))
        bases = [poly_expression(a.base, self._field) for a in relevant.values() if not a.is_opaque]
        return tuple(base for base in dict.fromkeys(bases) if base.xreplace(place) == 0)

    def _simplified(self, value: Expr) -> Expr:
        """Return an irrational constant in lowest terms: roots of squarefree numbers, logarithms of primes."""
        try:
            element = Conversion(field := field_for())(value)
        except UnsupportedError:  # a denominator that is zero, though not written so
            return S.NaN
        return element_expression(element, field)

    def is_unreal(self, place: dict[Symbol, Rational]) -> bool:
        """Whether a root or a logarithm in the formula has a negative argument at a table."""
        return any(self._sign_at(condition, place) is False for condition in self.conditions)

    @staticmethod
    def _sign_at(condition: Expr, place: dict[Symbol, Rational]) -> bool | None:
        value = _extended_value(condition, place)
        return None if value is S.NaN else bool(value >= 0)


def _extended_value(expression: Expr, place: dict[Symbol, Rational]) -> Expr:
    """Return the value in the extended reals, where ``1/0`` is ``oo`` and ``log(0)`` is ``-oo``; else nan."""

    def value(node: Expr) -> Expr:
        if not node.args:
            return place.get(node, node)
        parts = [value(argument) for argument in node.args]
        # Two roots of negative numbers have a real product; a formula that has them in it has no real value.
        if any(part is S.NaN or not part.is_extended_real for part in parts):
            return S.NaN
        if isinstance(node, log) and parts[0] == 0:
            return S.NegativeInfinity
        if isinstance(node, Pow) and parts[0] == 0 and parts[1].is_negative:
            return S.Infinity
        return node.func(*parts)

    result = value(expression)
    return result if result.is_extended_real else S.NaN


class _Face:
    """One element where the cells of a set tend to zero."""

    def __init__(self, element: Element, field: Field, zero_cells: frozenset[str]) -> None:
        self.element = element
        self.field = field
        self.zero_cells = zero_cells
        self.places = [CELL_NAMES.index(name) for name in sorted(zero_cells, key=CELL_NAMES.index)]

    @cached_property
    def limit(self) -> Expr | None:
        """The limit in the other cells; None if there is none, or none was found."""
        below = self.denominator_orders()
        if below is None:
            return None
        kept = self.terms_that_stay(self.element, below)
        if kept is None:
            return None
        if not any(any(order) for order in below):
            return self.substitute(Element(kept, self.element.denominator))
        return S.Zero if not kept else self.balanced(Element(kept, self.element.denominator), below)

    def denominator_orders(self) -> frozenset[Any] | None:
        """Return the orders of the denominator; None if one of its factors may vanish in unknown ways."""
        powers: list[tuple[frozenset[Any], int | Fraction]] = []
        for number, power in self.element.denominator.items():
            orders = self.lower_orders(number)
            if orders is None:
                return None
            powers.append((orders, power))
        return product_orders(powers, len(self.places))

    def lower_orders(self, number: int) -> frozenset[Any] | None:
        """Return the orders of what an atom's base is at least, wherever the guards are not zero; None if unknown."""
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

    def is_zero_here(self, numerator: Any) -> bool:
        """Whether a sum is certain to be zero on the face, a term with a factor zero times a logarithm being zero."""
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
        """Return what an opaque base tends to on the face, or None if that is zero or was not found.

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
            if with_logs is None:
                return None
            for exponents, coefficient in poly.to_dict().items():
                term = self.field.context.from_dict({exponents: coefficient})
                if not dominates_somewhere(term_orders(monomial, term, self.places, self.field), with_logs):
                    continue
                if any(self.diverges(number) for number, _ in monomial):
                    return None
                kept[monomial] = kept[monomial] + term if monomial in kept else term
        return {monomial: poly for monomial, poly in kept.items() if poly}

    def with_logarithms(self, monomial: Any, below: frozenset[Any]) -> frozenset[Any] | None:
        """Return the orders of a denominator times small powers of the bases of a term's logarithms.

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
        base = self.field.atoms[number].base
        if self.field.is_positive_base(base):
            return certain_orders(base, self.places, self.field)
        if isinstance(base, dict):
            return None
        orders = base_orders(base, self.places, self.field)
        return None if all(any(order) for order in orders) else orders

    def diverges(self, number: int) -> bool:
        atom = self.field.atoms[number]
        return atom.is_log and all(any(order) for order in base_orders(atom.base, self.places, self.field))

    def substitute(self, element: Element) -> Expr | None:
        zero = {Symbol(name, real=True): S.Zero for name in self.zero_cells}
        sums: dict[Expr, Expr] = {}
        for number in {*element.denominator, *(n for monomial in element.numerator for n, _ in monomial)}:
            if self.field.atoms[number].is_opaque:
                limit = self.sum_here(number)
                if limit is None:
                    return None
                whole = element_expression(Element(base_of(self.field.atoms[number].base)), self.field)
                sums |= {whole: limit, Add(*(-term for term in whole.args)): -limit}
        value = element_expression(element, self.field).xreplace(sums).xreplace(zero)
        return None if value.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity) else value

    def balanced(self, element: Element, below: frozenset[Any]) -> Expr | None:
        """Return the limit of a quotient whose parts vanish together, if the same on all paths.

        Two straight paths suggest the limit; subtracting it has to leave nothing that stays.
        """
        candidate = self.along((1, 1, 1, 1))
        if candidate is None or self.along((2, 3, 5, 7)) != candidate:
            return None
        try:
            claimed = Conversion(self.field)(candidate)
        except UnsupportedError:
            return None
        product = self.field.multiply(claimed, self.denominator_element())
        if not all(self.stays_positive(number) for number in product.denominator):
            return None
        rest = self.field.subtract(Element(element.numerator), product)
        return candidate if self.terms_that_stay(rest, below) == {} else None

    def stays_positive(self, number: int) -> bool:
        atom = self.field.atoms[number]
        return atom.positive and not atom.is_opaque and any(not any(o) for o in self.lower_orders(number) or ())

    def denominator_element(self) -> Element:
        result = self.field.constant(1)
        for number, power in self.element.denominator.items():
            atom = self.field.atoms[number]
            base = Element(base_of(atom.base))
            for _ in range(power):
                result = self.field.multiply(result, base)
        return result

    def along(self, slopes: Sequence[int]) -> Expr | None:
        """Return the limit along a straight path into the face, or None."""
        step = Symbol("step", positive=True)
        path = {CELLS[p]: slope * step for p, slope in zip(self.places, slopes, strict=False)}
        ray = element_expression(self.element, self.field).xreplace(path)
        if ray.has(Abs):
            return None
        limit = ray.together().cancel().subs(step, 0) if ray.is_rational_function() else ray.limit(step, 0, "+")
        if limit.is_finite is False or limit.has(S.NaN, S.ComplexInfinity):
            return None
        try:
            return element_expression(Conversion(field := field_for())(limit), field)
        except (UnsupportedError, KeyError):
            return None


def base_of(base: Any) -> Any:
    """Return the base of an atom as a numerator."""
    return dict(base) if isinstance(base, dict) else {(): base}


@lru_cache(maxsize=1024)
def extension_of(expression: Expr) -> Extension:
    """Return the extension of a formula, made once.

    >>> extension_of(S.One) is extension_of(S.One)
    True
    """
    return Extension(expression)
