"""Matrices of symbols and zeros: what a definition becomes there, as far as it is known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Final

from sympy import Dummy, Expr, Poly, Pow, S, Symbol, cancel, fraction, log, together

from symmetrics.algebra.convert import convert, field_for
from symmetrics.algebra.evaluate import Evaluator, certain_sign
from symmetrics.algebra.limits.extension import extension_of
from symmetrics.claims.comparison import Arguments
from symmetrics.claims.property import other
from symmetrics.language.cells import CELLS, parameter_symbol
from symmetrics.matrices.expansion import Expansion
from symmetrics.matrices.nodes import GeometricClassMean
from symmetrics.tools.errors import UnsupportedError

__all__ = ["UNKNOWN", "UNREAL", "WithZeros", "may_be_unreal", "or_none"]

UNKNOWN: Final = Dummy("unknown")
"""The value of a class whose limit, where some of its cells are 0, is not known."""
UNREAL: Final = Dummy("unreal")
"""The value of a formula that says no more where it is real: roots of what may be negative have cancelled."""
FACTOR: Final = other("a")
"""The name of a common factor of cells."""


def or_none(value: Callable[[], Expr]) -> Expr:
    """Return a value, nan where SymPy refuses to compare what has none."""
    try:
        return value()
    except (TypeError, ValueError):
        return S.NaN


class _NoFormulaError(Exception):
    """A part of a formula is not known.

    It is raised because no symbol in its place would stay: SymPy takes 0 times a symbol, or it less itself, to be 0.
    """


class WithZeros(Expansion):
    """A matrix of symbols, for positive numbers, and zeros: where a class is 0/0 it has its limit, or is left out.

    It is left out only where it is known that there is no limit.
    """

    def formula(self, definition: Expr) -> Expr:
        """Return what a definition is for this matrix, :data:`UNKNOWN` or :data:`UNREAL` if that cannot be said."""
        try:
            value = or_none(lambda: self(definition))
        except _NoFormulaError as error:
            found: Expr = error.args[0]
            return found
        kept = _roots_and_logarithms(value)
        return value if all(_is_kept(argument, kept) for argument in self._of_any_sign) else UNREAL

    def __call__(self, expression: Expr, place: Mapping[Symbol, int] | None = None) -> Expr:
        """Return what an expression is, nan for an imaginary number: two of these would make a real one.

        :param place: the class, from 0, that each index stands for
        """
        if _is_root_or_logarithm(expression):
            self._note(super().__call__(expression.args[0], place))
        value = super().__call__(expression, place)
        return S.NaN if _is_imaginary(value) else value

    @cached_property
    def _of_any_sign(self) -> dict[Expr, None]:
        """What roots and logarithms were taken of, as far as it is not known to be positive at positive entries."""
        return {}

    @cached_property
    def _positive(self) -> frozenset[Expr]:
        """The symbols that stand for positive numbers."""
        return frozenset({*CELLS, *itertools.chain(*self.entries)} - {S.Zero})

    def _note(self, argument: Expr) -> None:
        """Note what a root or a logarithm is taken of, so that it can be seen whether the formula still says so."""
        if not (argument.is_number or argument.is_positive or _is_positive(argument, self._positive)):
            self._of_any_sign[argument] = None

    def _power(self, value: Expr, exponent: Expr) -> Expr:
        if not exponent.is_integer:
            self._note(value)
        root = super()._power(value, exponent)
        return S.NaN if _is_imaginary(root) else root

    def _value(self, body: Expr, cells: Arguments) -> Expr:
        image = dict(zip(CELLS, cells, strict=True))
        for node in _roots_and_logarithms(body):
            if not _is_positive(node.args[0], frozenset(CELLS)):
                self._note(_at(node.args[0], image))
                if _is_imaginary(_at(node, image)):
                    raise _NoFormulaError(UNREAL)
        value = or_none(lambda: super(WithZeros, self)._value(body, cells))
        if not value.has(S.NaN, S.ComplexInfinity):
            return value
        if not body.free_symbols <= set(CELLS):
            raise _NoFormulaError(UNKNOWN)
        extension = extension_of(body)
        face = frozenset(cell.name for cell, entry in zip(CELLS, cells, strict=True) if entry == 0)
        limit = extension.on_face(face)
        if limit is not None and not extension.guards_on_face(face):
            return limit.xreplace(image)
        if _is_positive(body, frozenset(CELLS)) and extension_of(1 / body).on_face(face) == 0:
            return S.Infinity
        if has_no_limit(body, face):
            return self.undefined
        raise _NoFormulaError(UNKNOWN)


def may_be_unreal(definition: Expr) -> bool:
    """Whether a definition takes roots or logarithms, of whatever it may be.

    >>> may_be_unreal(GeometricClassMean(CELLS[0])), may_be_unreal(CELLS[0] ** S.Half), may_be_unreal(CELLS[0] ** 2)
    (True, True, False)
    """
    return definition.has(GeometricClassMean) or bool(_roots_and_logarithms(definition))


def _is_root_or_logarithm(node: Expr) -> bool:
    return isinstance(node, log) or (isinstance(node, Pow) and not node.exp.is_integer)


def _roots_and_logarithms(formula: Expr) -> list[Expr]:
    """Return the powers in a formula whose exponents are no whole numbers, and the logarithms."""
    return [node for node in formula.atoms(Pow, log) if _is_root_or_logarithm(node)]


def _is_kept(argument: Expr, nodes: Sequence[Expr]) -> bool:
    """Whether a root or a logarithm is taken of something, or of a positive multiple of it.

    SymPy makes one power of several, and 0 of 0 times a root; the formula then has a value where there was none.

    >>> from sympy import sqrt
    >>> from symmetrics.language.cells import FN, TP
    >>> root = sqrt(TP - FN)
    >>> [_is_kept(2 * TP - 2 * FN, _roots_and_logarithms(formula)) for formula in (root * root, root**3)]
    [False, True]
    """
    ratios = (cancel(node.args[0] / argument) for node in nodes)
    return any(ratio.is_number and ratio.is_positive for ratio in ratios)


def _at(formula: Expr, image: Mapping[Expr, Expr]) -> Expr:
    return or_none(lambda: formula.xreplace(image))


def _is_imaginary(value: Expr) -> bool:
    """Whether a value is a number that is not real, nor infinite."""
    return bool(value.is_number and value.is_extended_real is False and value is not S.ComplexInfinity)


def _is_positive(formula: Expr, positive: frozenset[Expr]) -> bool:
    """Whether a formula is a quotient of polynomials in positive symbols whose coefficients are all positive."""
    if not formula.free_symbols <= positive:
        return False
    symbols = sorted(formula.free_symbols, key=str) or CELLS
    parts = fraction(together(formula))
    polynomials = all(part.is_polynomial(*symbols) for part in parts)
    return polynomials and all(c > 0 for part in parts for c in Poly(part, *symbols).coeffs())


def has_no_limit(body: Expr, face: frozenset[str]) -> bool:
    """Whether a formula is known to tend to no value where some cells tend to zero, whatever the others are.

    It does not where it depends on these cells alone, and on nothing but their ratios, which may be any on the way.
    That no limit was found would not do.

    >>> from symmetrics.language.cells import FN, TN, TP
    >>> face = frozenset({"TP", "FN", "FP"})
    >>> has_no_limit(TP / (TP + FN), face), has_no_limit(TP**2 / (TP + FN), face), has_no_limit(TP / (TP + TN), face)
    (True, False, False)
    """
    moved = [cell for cell in CELLS if cell.name in face]
    if not body.free_symbols <= set(moved):
        return False
    factor = parameter_symbol(FACTOR)
    try:
        scaled = body.xreplace({cell: factor * cell for cell in moved})
        if not convert(scaled - body, field_for((), (FACTOR,))).is_zero:
            return False
        values = [extension_of(body).value(*(2 if cell == more else 1 for cell in CELLS)) for more in moved]
        known = [value for value in values if value.is_finite]
        pairs = itertools.combinations(known, 2)
        return any(certain_sign(Evaluator(first - second, ())) in (1, -1) for first, second in pairs)
    except UnsupportedError:
        return False
