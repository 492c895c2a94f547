"""Matrices of symbols and zeros: the formula of a definition there, as far as it is known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property
from typing import Final

from sympy import Abs, Add, Dummy, Expr, Max, Min, Mul, Poly, Pow, S, Symbol, cancel, fraction, log, together

from symmetrics.algebra.convert import convert, field_for
from symmetrics.algebra.evaluate import Evaluator, certain_sign
from symmetrics.algebra.limits.extension import extension_of
from symmetrics.claims.comparison import Arguments
from symmetrics.claims.property import other
from symmetrics.language.cells import CELLS
from symmetrics.matrices.expansion import Expansion, is_imaginary, is_root_or_logarithm
from symmetrics.matrices.nodes import Correlation, GeometricClassMean
from symmetrics.tools.errors import UnsupportedError

UNKNOWN: Final = Dummy("unknown")
"""Sentinel: the limit of a class with zero cells is not known."""
UNREAL: Final = Dummy("unreal")
"""Sentinel: simplification lost the conditions under which the formula is real."""
CANCELLED: Final = Dummy("cancelled")
"""Sentinel: simplification lost the conditions under which the formula is defined (a divisor cancelled)."""
FACTOR: Final = other("a")
"""Name of the common factor of cells."""


def or_none(value: Callable[[], Expr]) -> Expr:
    """Return a value, nan where SymPy refuses to compare undefined arguments."""
    try:
        return value()
    except (TypeError, ValueError):
        return S.NaN


class _NoFormulaError(Exception):
    """The formula of some part is not known.

    Raised because no symbol can stand for it: SymPy simplifies 0 times a symbol, or its difference to itself, to 0.
    """


class WithZeros(Expansion):
    """A matrix of positive symbols and zeros; a class that is 0/0 is replaced by its limit, or left out.

    It is left out only where it is known that there is no limit.
    """

    def formula(self, definition: Expr, *, everywhere: bool = False) -> Expr:
        """Return the formula of a definition for this matrix.

        :param everywhere: it is asked whether there is a value where symbols are zero as well
        :returns: a formula, or :data:`UNKNOWN`, :data:`UNREAL` or :data:`CANCELLED` if that cannot be said
        """
        try:
            value = or_none(lambda: self(definition))
        except _NoFormulaError as error:
            found: Expr = error.args[0]
            return found
        # Radicands that may be negative must still occur in the formula.
        kept = _roots_and_logarithms(value)
        if not all(_is_kept(argument, kept) for argument in self._of_any_sign):
            return UNREAL
        if value.has(S.NaN, S.ComplexInfinity):
            return value
        # A divisor that cancelled must not vanish where the formula was undefined.
        divisors = {factor for node in _divisions(value) for factor in Mul.make_args(node.base)}
        is_known = self._is_never_zero if everywhere else self._is_above
        if not all(_is_harmless(divisor, divisors, is_known) for divisor in self._divisors):
            return CANCELLED
        logarithms = {node.args[0] for node in value.atoms(log)}
        lost = [argument for argument in self._logarithms if argument not in logarithms] if everywhere else []
        return value if all(map(self._is_never_zero, lost)) else CANCELLED

    def __call__(self, expression: Expr, place: Mapping[Symbol, int] | None = None) -> Expr:
        """Return the value of an expression.

        :param place: the class, from 0, that each index stands for
        """
        if is_root_or_logarithm(expression):
            argument = super().__call__(expression.args[0], place)
            self._note(argument)
            if isinstance(expression, log):
                self._logarithms[argument] = None
        elif isinstance(expression, Correlation):
            variances = Mul(*(super(WithZeros, self).__call__(one, place) for one in expression.args[1:]))
            self._note(variances)
            self._divisors[variances] = None
        value = super().__call__(expression, place)
        if _is_division(expression):
            self._divisors[super().__call__(expression.args[0], place)] = None
        return self._extreme(value.func, value.args) if isinstance(value, Max | Min) else value

    @cached_property
    def _divisors(self) -> dict[Expr, None]:
        """Divisors seen so far."""
        return {}

    @cached_property
    def _logarithms(self) -> dict[Expr, None]:
        """Arguments of logarithms seen so far."""
        return {}

    def _is_never_zero(self, formula: Expr) -> bool:
        """Whether a formula is known to be positive even if some symbols, but not all entries, are zero."""
        symbols = sorted(self._positive - set(CELLS), key=str)
        if formula.is_positive:
            return True
        if not formula.is_polynomial(*symbols) or not self._is_above(formula):
            return False
        alone = {
            frozenset(place for place, power in enumerate(powers) if power)
            for powers in Poly(formula, *symbols).monoms()
        }
        return frozenset() in alone or all(frozenset({place}) in alone for place in range(len(symbols)))

    def _extreme(self, kind: type[Max | Min], arguments: Sequence[Expr]) -> Expr:
        """Return the largest or the smallest of 0 and known positive expressions."""
        if S.Zero in arguments:
            above = {argument for argument in arguments if self._is_above(argument)}
            left = [argument for argument in arguments if argument not in above]
            arguments = left if kind is Min else [a for a in arguments if a != 0 or not above]
        return arguments[0] if len(set(arguments)) == 1 else super()._extreme(kind, arguments)

    def _is_above(self, formula: Expr) -> bool:
        """Whether a formula is known to be positive."""
        if isinstance(formula, Max | Min):
            return (any if isinstance(formula, Max) else all)(map(self._is_above, formula.args))
        return formula != 0 and _is_positive(formula, self._positive)

    @cached_property
    def _of_any_sign(self) -> dict[Expr, None]:
        """Radicands and arguments of logarithms that are not known to be positive at positive entries."""
        return {}

    @cached_property
    def _positive(self) -> frozenset[Expr]:
        """The positive symbols."""
        return frozenset({*CELLS, *itertools.chain(*self.entries)} - {S.Zero})

    def _note(self, argument: Expr) -> None:
        """Record a radicand or argument of a logarithm, to check later that it is still in the formula."""
        if not (argument.is_number or argument.is_positive or _is_positive(argument, self._positive)):
            self._of_any_sign[argument] = None

    def _power(self, value: Expr, exponent: Expr) -> Expr:
        self._note(value)
        return super()._power(value, exponent)

    def _value(self, body: Expr, cells: Arguments) -> Expr:
        image = dict(zip(CELLS, cells, strict=True))
        for node in _roots_and_logarithms(body):
            if not _is_positive(node.args[0], frozenset(CELLS)):
                self._note(_at(node.args[0], image))
                if is_imaginary(_at(node, image)):
                    raise _NoFormulaError(UNREAL)
        value = or_none(lambda: super(WithZeros, self)._value(body, cells))
        if not value.has(S.NaN, S.ComplexInfinity):
            self._divisors.update((self._placed(node.base, image), None) for node in _divisions(body))
            self._logarithms.update((self._placed(node.args[0], image), None) for node in body.atoms(log))
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


def may_have_lost(definition: Expr) -> bool:
    """Whether a definition has divisors, roots or logarithms of uncertain sign, or is piecewise.

    >>> may_have_lost(GeometricClassMean(CELLS[0])), may_have_lost(1 / CELLS[0]), may_have_lost(CELLS[0] ** 2)
    (True, True, False)
    """
    if definition.has(GeometricClassMean, Correlation, Max, Min, Abs):
        return True
    return bool(_roots_and_logarithms(definition) or _divisions(definition))


def _is_harmless(divisor: Expr, kept: Container[Expr], is_known: Callable[[Expr], bool]) -> bool:
    """Whether a divisor still occurs in a formula, or is known to vanish nowhere.

    :param kept: the divisors of the formula
    :param is_known: whether something is known not to be zero
    """
    lost = _lost([factor for factor in Mul.make_args(divisor) if not _is_division(factor)], kept, is_known)
    # The denominators in a sum of fractions occur elsewhere.
    return not _lost([part for one in lost for part in Mul.make_args(fraction(together(one))[0])], kept, is_known)


def _lost(factors: Sequence[Expr], kept: Container[Expr], is_known: Callable[[Expr], bool]) -> list[Expr]:
    """Return the factors that no longer occur as divisors and may be zero."""
    return [f for f in factors if f not in kept and -f not in kept and not is_known(f)]


def _divisions(formula: Expr) -> list[Pow]:
    """Return the powers with negative exponents in a formula."""
    return [node for node in formula.atoms(Pow) if _is_division(node)]


def _is_division(node: Expr) -> bool:
    return isinstance(node, Pow) and bool(node.exp.is_number and node.exp.is_negative)


def _roots_and_logarithms(formula: Expr) -> list[Expr]:
    """Return the powers with non-integer exponents in a formula, and the logarithms."""
    return [node for node in formula.atoms(Pow, log) if is_root_or_logarithm(node)]


def _is_kept(argument: Expr, nodes: Sequence[Expr]) -> bool:
    """Whether a formula has a root or a logarithm of an expression, or of a positive multiple of it.

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


def _is_positive(formula: Expr, positive: frozenset[Expr]) -> bool:
    """Whether a formula is a quotient of polynomials in positive symbols whose coefficients are all positive."""
    if _is_of_positive(formula, positive):
        return True
    if not formula.free_symbols <= positive:
        return False
    symbols = sorted(formula.free_symbols, key=str) or CELLS
    parts = fraction(together(formula))
    polynomials = all(part.is_polynomial(*symbols) for part in parts)
    return polynomials and all(c.is_extended_positive for part in parts for c in Poly(part, *symbols).coeffs())


def _is_of_positive(formula: Expr, positive: frozenset[Expr]) -> bool:
    """Whether a formula is built from positive symbols and numbers by sums, products and integer powers."""
    if isinstance(formula, Add | Mul):
        return all(_is_of_positive(argument, positive) for argument in formula.args)
    if isinstance(formula, Pow):
        return bool(formula.exp.is_Integer) and _is_of_positive(formula.base, positive)
    return formula in positive or bool(formula.is_Rational and formula.is_positive)


def has_no_limit(body: Expr, face: frozenset[str]) -> bool:
    """Whether a formula certainly has no limit where some cells tend to zero, whatever the others are.

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
    try:
        scaled = body.xreplace({cell: FACTOR * cell for cell in moved})
        if not convert(scaled - body, field_for((), (FACTOR.name,))).is_zero:
            return False
        values = [extension_of(body).value(*(2 if cell == more else 1 for cell in CELLS)) for more in moved]
        known = [value for value in values if value.is_finite]
        pairs = itertools.combinations(known, 2)
        return any(certain_sign(Evaluator(first - second, ())) in (1, -1) for first, second in pairs)
    except UnsupportedError:
        return False
