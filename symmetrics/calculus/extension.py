"""The continuous extension of a formula: what it is worth at tables where the formula as written is 0/0.

A table with zero cells is approached by tables whose cells are all positive.  Where the limit exists along every path
it is the value; where the formula grows beyond all bounds the value is infinite; elsewhere there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

from sympy import Abs, Expr, Pow, Rational, S, Symbol, log

from symmetrics.algebra.convert import Conversion, element_expression, field_for, poly_expression
from symmetrics.algebra.field import Element, Field
from symmetrics.calculus.conditioning import is_well_conditioned
from symmetrics.calculus.orders import base_orders, dominates_somewhere, product_orders, term_orders
from symmetrics.cells import CELL_NAMES, CELLS
from symmetrics.errors import UnsupportedError

__all__ = ["Extension"]


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
        """Expressions that have to be non-negative for the formula to be real; none where that is always so."""
        return tuple(element_expression(condition, self._field) for condition in self._field.conditions)

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

    @lru_cache(maxsize=16)  # noqa: B019 -- bounded by the number of faces, and an Extension is itself cached
    def on_face(self, zero_cells: frozenset[str]) -> Expr | None:
        """Return the limit, in the other cells, where the named cells tend to zero and the others do not.

        :returns: an expression in the other cells, or None where there is no finite limit common to all paths
        """
        if self._element is None:
            return None
        return _Face(self._element, self._field, zero_cells).limit()

    def value(self, tp: Expr | int, fn: Expr | int, fp: Expr | int, tn: Expr | int) -> Expr:
        """Return the exact value at a table with non-negative cells: a number, ``oo``, ``-oo``, or ``nan``."""
        place = dict(zip(CELLS, map(Rational, (tp, fn, fp, tn)), strict=True))
        if any(self._sign_at(condition, place) is False for condition in self.conditions):
            return S.NaN
        value = _extended_value(self.expression, place)
        if value is S.NaN:
            zero_cells = frozenset(cell.name for cell, count in place.items() if count == 0)
            limit = self.on_face(zero_cells) if zero_cells else None
            value = S.NaN if limit is None else _extended_value(limit, place)
        elif value.is_infinite and self.has_two_sided_poles:
            value = S.NaN
        return value if isinstance(value, Rational) or not value.is_finite else self._simplified(value)

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
        except UnsupportedError:
            return value
        return element_expression(element, field)

    @staticmethod
    def _sign_at(condition: Expr, place: dict[Symbol, Rational]) -> bool | None:
        value = condition.xreplace(place)
        return bool(value >= 0) if value.is_finite and value.is_real else None


def _extended_value(expression: Expr, place: dict[Symbol, Rational]) -> Expr:
    """Return the value in the extended reals, where ``1/0`` is ``oo`` and ``log(0)`` is ``-oo``; else nan."""
    direct = expression.xreplace(place)
    if direct.is_finite and direct.is_real:
        return direct

    def value(node: Expr) -> Expr:
        if not node.args:
            return place.get(node, node)
        parts = [value(argument) for argument in node.args]
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

    def limit(self) -> Expr | None:
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
        powers = []
        for number, power in self.element.denominator.items():
            atom = self.field.atoms[number]
            orders = base_orders(atom.base, self.places, self.field)
            if atom.is_log or (not atom.positive and all(any(order) for order in orders)):
                return None
            powers.append((orders, power))
        return product_orders(powers, len(self.places))

    def terms_that_stay(self, element: Element, below: frozenset[Any]) -> Any | None:
        """Return the numerator without the terms that tend to zero; None if a logarithm among the rest diverges."""
        kept: dict[Any, Any] = {}
        for monomial, poly in element.numerator.items():
            for exponents, coefficient in poly.to_dict().items():
                term = self.field.context.from_dict({exponents: coefficient})
                if not dominates_somewhere(term_orders(monomial, term, self.places, self.field), below):
                    continue
                if any(self.diverges(number) for number, _ in monomial):
                    return None
                kept[monomial] = kept[monomial] + term if monomial in kept else term
        return {monomial: poly for monomial, poly in kept.items() if poly}

    def diverges(self, number: int) -> bool:
        atom = self.field.atoms[number]
        return atom.is_log and all(any(order) for order in base_orders(atom.base, self.places, self.field))

    def substitute(self, element: Element) -> Expr | None:
        zero = {Symbol(name, real=True): S.Zero for name in self.zero_cells}
        value = element_expression(element, self.field).xreplace(zero)
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
        if product.denominator:
            return None
        rest = self.field.subtract(Element(element.numerator), product)
        return candidate if self.terms_that_stay(rest, below) == {} else None

    def denominator_element(self) -> Element:
        result = self.field.constant(1)
        for number, power in self.element.denominator.items():
            atom = self.field.atoms[number]
            base = Element(dict(atom.base) if atom.is_opaque else {(): atom.base})
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
        return limit if limit.is_finite is not False and not limit.has(S.NaN, S.ComplexInfinity) else None


@lru_cache(maxsize=1024)
def extension_of(expression: Expr) -> Extension:
    """Return the extension of a formula, made once.

    >>> extension_of(S.One) is extension_of(S.One)
    True
    """
    return Extension(expression)
