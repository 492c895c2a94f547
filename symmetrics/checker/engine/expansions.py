"""Expansions of a formula along a curve, for the checker: sums of ``c * s**e * log(1/s)**j`` as s tends to zero.

Terms are ordered by size: the smaller e, and for equal e the larger j, the larger is the term.  Nothing is divided by
an expansion unless its leading coefficient is shown to vanish nowhere, or the expansion is that one term.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, S, Symbol, cancel, fraction, log, preorder_traversal

from symmetrics.checker.engine.fractions import Arithmetic, never_negative
from symmetrics.checker.engine.minors import is_never_zero
from symmetrics.checker.engine.products import Products
from symmetrics.checker.engine.requirements import require
from symmetrics.checker.engine.sums import Sum
from symmetrics.claims.families.limits import STEP
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

Size = tuple[Fraction | float, Fraction]
"""Order of a term ``s**e * log(1/s)**j``: the pair (e, -j)."""
ONE: Final[Size] = (Fraction(0), Fraction(0))
BOUNDLESS: Final[Size] = (math.inf, Fraction(0))
"""The order of the error of an exact expansion: beyond that of every term."""


@dataclass(frozen=True)
class Expansion:
    """Known terms of an expansion, and the order of the omitted ones: ``BOUNDLESS`` if none are omitted."""

    terms: tuple[tuple[Size, Sum], ...]
    error: Size = BOUNDLESS

    @property
    def is_one_term(self) -> bool:
        """Whether this is a single exact term."""
        return len(self.terms) == 1 and self.error >= BOUNDLESS

    @property
    def reach(self) -> Size:
        """The order of the largest term, known or not."""
        return self.terms[0][0] if self.terms else self.error


class Expander:
    """Expands expressions in the cells, the parameters and the step.

    :param products: the arithmetic of the coefficients
    :param step: what tends to zero from above
    :param length: how many powers of a series without end are kept
    :param place: substitution for symbols
    """

    def __init__(self, products: Products, step: Symbol, length: int, place: Mapping[Expr, Expr] | None = None) -> None:
        self.products = products
        self.step = step
        self.length = length
        self.known: dict[Expr, Expansion] = {}
        for symbol, value in (place or {}).items():
            self.known[symbol] = Expander(products, step, length)(value)

    def __call__(self, node: Expr) -> Expansion:
        """Return the expansion of an expression.

        :raises CertificateError: if it depends on a sign that is not shown
        """
        if node not in self.known:
            self.known[node] = self._expand(node)
        return self.known[node]

    def _expand(self, node: Expr) -> Expansion:
        """Return the expansion of an expression in the step, by its last operation."""
        # Leaves: a number, the step itself, another symbol.
        if isinstance(node, Rational):
            return self._sorted({ONE: self.products.number(Fraction(int(node.p), int(node.q)))}, BOUNDLESS)
        if isinstance(node, Symbol) or node is S.Pi:
            if node == self.step:
                return Expansion((((Fraction(1), Fraction(0)), self.products.number(1)),))
            return Expansion(((ONE, self.products.symbol("pi" if node is S.Pi else node.name)),))
        parts = [self(argument) for argument in node.args]
        # Operations, by the expansions of their arguments.
        if isinstance(node, Add):
            return self.sum(parts)
        if isinstance(node, Mul):
            result = parts[0]
            for part in parts[1:]:
                result = self.product(result, part)
            return result
        if isinstance(node, Pow) and isinstance(node.exp, Rational):
            return self.power(parts[0], Fraction(int(node.exp.p), int(node.exp.q)))
        if isinstance(node, Abs):
            return self.absolute(parts[0])
        if isinstance(node, (Max, Min)):
            return self.extreme(parts, 1 if isinstance(node, Max) else -1)
        if isinstance(node, log):
            return self.logarithm(parts[0])
        raise CertificateError(f"{type(node).__name__} cannot be checked")

    def _sorted(self, terms: dict[Size, Sum], error: Size) -> Expansion:
        kept = [(size, c) for size, c in terms.items() if size < error and not self.products.is_zero(c)]
        return Expansion(tuple(sorted(kept, key=lambda pair: pair[0])), error)

    # -- sums and products ---------------------------------------------------------------------------------------

    def sum(self, parts: list[Expansion]) -> Expansion:
        """Return a sum."""
        total: dict[Size, Sum] = {}
        for part in parts:
            for size, coefficient in part.terms:
                total[size] = self.products.add(total.get(size, {}), coefficient)
        return self._sorted(total, min(part.error for part in parts))

    def product(self, left: Expansion, right: Expansion) -> Expansion:
        """Return a product."""
        error = min(_beyond(left.error, right.reach), _beyond(right.error, left.reach))
        total: dict[Size, Sum] = {}
        for first, a in left.terms:
            for second, b in right.terms:
                size = (first[0] + second[0], first[1] + second[1])
                if size < error:
                    total[size] = self.products.add(total.get(size, {}), self.products.multiply(a, b))
        return self._sorted(total, error)

    def times(self, part: Expansion, factor: Fraction) -> Expansion:
        """Return a rational multiple."""
        return self.product(part, Expansion(((ONE, self.products.number(factor)),)))

    def _composed(self, small: Expansion, coefficients: list[Fraction]) -> Expansion:
        """Return ``sum coefficients[k] * small**k`` of an infinite power series."""
        total = self._sorted({ONE: self.products.number(coefficients[0])}, BOUNDLESS)
        power = Expansion(((ONE, self.products.number(1)),))
        for coefficient in coefficients[1:]:
            power = self.product(power, small)
            if coefficient:
                total = self.sum([total, self.times(power, coefficient)])
        if small.reach >= BOUNDLESS:
            return total
        rest = (small.reach[0] * len(coefficients), small.reach[1] * len(coefficients))
        return self._sorted(dict(total.terms), min(total.error, rest))

    def _relative(self, part: Expansion) -> tuple[Size, Sum, Expansion]:
        """Return order and coefficient of the largest term, and the ratio of the other terms to it."""
        if not part.terms:
            raise CertificateError("a part of the formula vanishes, as far as it was expanded")
        (size, coefficient), *others = part.terms
        rest = Expansion(tuple(others), part.error)
        inverse = Expansion((((-size[0], -size[1]), self.products.power(coefficient, -1)),))
        return size, coefficient, self.product(rest, inverse)

    # -- functions -----------------------------------------------------------------------------------------------

    def power(self, part: Expansion, exponent: Fraction) -> Expansion:
        """Return a power; a base under a root is not negative wherever the formula has a value.

        The largest term is taken out, ``(c*s**k)**q * (1 + rest)**q``, and the rest follows by the binomial series.
        """
        is_whole = exponent.denominator == 1
        if is_whole and exponent >= 0:
            result = Expansion(((ONE, self.products.number(1)),))
            for _ in range(int(exponent)):
                result = self.product(result, part)
            return result
        if not part.terms and part.error >= BOUNDLESS and exponent > 0:
            return part
        if not part.terms:
            raise CertificateError("a part of the formula vanishes, as far as it was expanded")
        # The power of the largest term; a root is that of its absolute value.
        size, lead = part.terms[0]
        raised = (size[0] * exponent, size[1] * exponent)
        head = self.products.power(lead, int(exponent)) if is_whole else self.products.absolute_power(lead, exponent)
        sign = self.products.sign(lead)
        if part.is_one_term:
            self._require_real(lead, sign, exponent)
            return Expansion(((raised, head),))
        # A leading coefficient that may vanish for some cells leaves only that term and an error.
        if sign is None or (sign < 0 and not is_whole):
            return self._root_alone(part, exponent, raised, head, sign)
        # Newton's series: binomial(q, k) = binomial(q, k - 1)*(q - k + 1)/k.
        _, _, rest = self._relative(part)
        binomials = [Fraction(1)]
        for k in range(1, self.length):
            binomials.append(binomials[-1] * (exponent - k + 1) / k)
        return self.product(Expansion(((raised, head),)), self._composed(rest, binomials))

    def _require_real(self, lead: Sum, sign: int | None, exponent: Fraction = Fraction(1, 2)) -> None:
        """Refuse a root or a logarithm whose argument is negative, or is a number of unknown sign."""
        doubtful = sign is None and not self.products.varies(lead)
        if exponent.denominator != 1 and (sign == -1 or doubtful):
            raise CertificateError("a root or a logarithm of what is not shown to be positive")

    def _root_alone(self, part: Expansion, exponent: Fraction, raised: Size, head: Sum, sign: int | None) -> Expansion:
        """Return the largest term of a root whose leading coefficient may vanish; the error is a root of the next."""
        is_open = sign is None and self.products.varies(part.terms[0][1])
        if not is_open or exponent < 0 or exponent.denominator == 1:
            raise CertificateError("the sign of a leading coefficient, on which the limit depends, is not shown")
        following = part.terms[1][0] if len(part.terms) > 1 else part.error
        size = part.terms[0][0]
        slower, faster = min(exponent, Fraction(1)), max(exponent - 1, Fraction(0))
        error = (following[0] * slower + size[0] * faster, following[1] * slower + size[1] * faster)
        return self._sorted({raised: head}, error)

    def absolute(self, part: Expansion) -> Expansion:
        """Return the absolute value: exact where the sign is known, else up to the second largest term."""
        if not part.terms:
            return part
        size, lead = part.terms[0]
        sign = self.products.sign(lead)
        if sign is not None:
            return self.times(part, Fraction(sign))
        following = part.terms[1][0] if len(part.terms) > 1 else part.error
        return self._sorted({size: self.products.absolute_power(lead, Fraction(1))}, following)

    def extreme(self, parts: list[Expansion], sign: int) -> Expansion:
        """Return the largest, or for the sign -1 the smallest, of several."""
        result = parts[0]
        for part in parts[1:]:
            gap = self.absolute(self.sum([result, self.times(part, Fraction(-1))]))
            result = self.times(self.sum([result, part, self.times(gap, Fraction(sign))]), Fraction(1, 2))
        return result

    def logarithm(self, part: Expansion) -> Expansion:
        """Return ``log(c) - e*log(1/s) + log(1 + rest)`` of ``c * s**e * (1 + rest)``."""
        size, lead, rest = self._relative(part)
        if size[1]:
            raise CertificateError("a logarithm of a logarithm of the step")
        sign = self.products.sign(lead)
        if part.is_one_term:
            self._require_real(lead, sign)
        elif sign != 1:
            raise CertificateError("the sign of what a logarithm is taken of is not shown")
        head = {ONE: self.products.logarithm(lead)}
        if size[0]:
            # log(s) is negative: with L = log(1/s) > 0 it is -L.
            head[(Fraction(0), Fraction(-1))] = self.products.number(-Fraction(size[0]))
        tail = [Fraction(0), *(Fraction((-1) ** (k + 1), k) for k in range(1, self.length))]
        return self.sum([self._sorted(head, BOUNDLESS), self._composed(rest, tail)])


def _beyond(error: Size, factor: Size) -> Size:
    if error >= BOUNDLESS or factor >= BOUNDLESS:
        return BOUNDLESS
    return error[0] + factor[0], error[1] + factor[1]


# -- Obstacles to a value: zero divisors, negative radicands, arguments of logarithms that are not positive ------------


UNDEFINED: Final = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)


def require_free(kind: str, base: Expr, parameters: Iterable[Parameter], over: Iterable[str] = CELL_NAMES) -> None:
    """Refuse a subexpression that may make a formula undefined at some positive cells, for some parameters.

    :param kind: ``divisor``, ``radicand`` or ``logarithm``
    :param over: the names of the positive variables, if these are not the cells
    """
    products = Products(list(parameters), over)
    terms = Expander(products, STEP, 2)(base).terms
    if not terms:
        require(kind == "radicand", "a divisor is zero on another face")
        return
    sign = products.sign(terms[0][1])
    require(sign == 1 or (sign == -1 and kind == "divisor"), "something may be in the way on another face")


def obstacles_of(formula: Expr) -> list[tuple[str, Expr]]:
    """Divisors, radicands and arguments of logarithms of a formula.

    Positive rational numbers are left out; other numbers may be zero without being written as 0.
    """
    found: dict[tuple[str, Expr], None] = {}
    for node in formula.atoms(Pow, log):
        if isinstance(node, log):
            found["logarithm", node.args[0]] = None
            continue
        require(node.exp.is_Rational is True, "an exponent is not a number")
        if node.exp < 0:
            found["divisor", node.base] = None
        if not node.exp.is_Integer:
            found["radicand", node.base] = None
    return [pair for pair in found if not (pair[1].is_Rational and pair[1] > 0)]


def placed(formula: Expr, place: Mapping[Expr, Expr]) -> Expr | None:
    """Substitute values for cells; None if the result divides by zero."""
    try:
        value = formula.xreplace(dict(place))
    except (ValueError, TypeError):  # SymPy raises these for Min and Max of incomparable arguments
        return None
    return None if value.has(*UNDEFINED) else value


# ----------------------------------------------------------------------------------------------------------------------
# Formulas in a certificate must be defined for all parameters for which the formula of the claim may be defined.


def require_value(brought: Expr, own: Expr, parameters: Sequence[Parameter], over: Sequence[str] = CELL_NAMES) -> None:
    """Refuse a certificate's formula that is undefined for some parameters for which that of the claim may be defined.

    An equation of formulas is one wherever both have a value, and says nothing of parameters at which the formula that
    a certificate chose divides by zero, as ``(w**3 + w**2)/(w**2 + w)`` does at w = 0.

    :param brought: the formula, in variables and parameters
    :param own: the formula of the claim, which may divide by zero as well
    :param over: the names of the variables
    :raises CertificateError: if something may be in the way of the first that is not in the way of the second, too
    """
    excluded = list(_obstacles(own, parameters))
    for kind, base in _obstacles(brought, parameters):
        excused = any(kind == other and _is_excused(base, its, kind) for other, its in excluded)
        require(excused or _is_free(kind, base, parameters, over), "a value that is stated may not exist")


def _is_free(kind: str, base: Expr, parameters: Sequence[Parameter], over: Sequence[str]) -> bool:
    """Whether an obstacle is excluded for all parameters: a divisor at some table, a radicand or logarithm at any."""
    try:
        if kind == "divisor":
            return _is_somewhere_nonzero(base, parameters, over)
        # The argument of an absolute value is checked as an obstacle of its own.
        if kind == "radicand" and (isinstance(base, Abs) or _is_nowhere_negative(base, parameters, over)):
            return True
        require_free(kind, base, parameters, over)
    except CertificateError:  # not shown, or not a quotient of polynomials
        return False
    return True


def _obstacles(formula: Expr, parameters: Sequence[Parameter]) -> Iterator[tuple[str, Expr]]:
    """Yield divisors, radicands and arguments of logarithms that contain parameters."""
    declared = {p.symbol for p in parameters}
    for node in preorder_traversal(formula):
        if isinstance(node, Pow | log) and node.args[0].free_symbols & declared:
            if isinstance(node, log):
                yield "logarithm", node.args[0]
                continue
            if not node.exp.is_nonnegative:  # an exponent may contain parameters
                yield "divisor", node.base
            if not node.exp.is_Integer:
                yield "radicand", node.base


def _is_excused(base: Expr, own: Expr, kind: str) -> bool:
    """Whether the claim's own formula has the same obstacle, for example the divisor as a factor of its own divisor."""
    if kind == "divisor":
        return bool(fraction(cancel(own / base))[1].is_Rational)
    factor = cancel(base / own)
    return isinstance(factor, Rational) and bool(factor > 0)


def _is_nowhere_negative(base: Expr, parameters: Sequence[Parameter], over: Sequence[str]) -> bool:
    """Whether the coefficients show that a radicand is nowhere negative, for all parameters."""
    if not base.is_rational_function():
        return False
    arithmetic = Arithmetic(over, parameters, {}, ())
    value = arithmetic.evaluate(base)
    return any(
        never_negative(sign * value.top, arithmetic) and never_negative(sign * value.bottom, arithmetic)
        for sign in (1, -1)
    )


def _is_somewhere_nonzero(divisor: Expr, parameters: Sequence[Parameter], over: Sequence[str]) -> bool:
    """Whether a divisor is non-zero at some table, for all parameters."""
    arithmetic = Arithmetic(over, parameters, {}, ())
    value = arithmetic.evaluate(divisor)
    coefficients: dict[tuple[int, ...], dict[tuple[int, ...], object]] = {}
    for monomial, coefficient in value.top.terms():
        outside, inside = monomial[: len(over)], (*[0] * len(over), *monomial[len(over) :])
        coefficients.setdefault(outside, {})[inside] = coefficient
    return any(is_never_zero(arithmetic.ring(terms), arithmetic) for terms in coefficients.values())


# -- Limits of formulas along curves, by the checker's own expansions --------------------------------------------------


LENGTHS: Final = (1, 2, 4, 8)
"""Numbers of series terms to try in turn: most limits show in the first term."""


def check_tends_to(
    expression: Expr,
    limit: str,
    parameters: Iterable[Parameter] = (),
    place: Mapping[Expr, Expr] | None = None,
    over: Sequence[str] = CELL_NAMES,
) -> None:
    """Check the limit of an expression in the variables, the parameters and the step, as the step tends to zero.

    :param limit: a formula in the variables and the parameters, or ``oo`` or ``-oo``
    :param place: substitution for variables in the expression
    :param over: the names of the variables
    :raises CertificateError: if it tends to something else, or if that is not shown
    """
    declared = list(parameters)
    products, expansion = expanded(expression, declared, place, over)
    if limit in ("oo", "-oo"):
        require(expansion.reach < ONE and bool(expansion.terms), "the limit is finite")
        require(products.sign(expansion.terms[0][1]) == (1 if limit == "oo" else -1), "the limit is not of this sign")
        return
    require(expansion.reach >= ONE, "the limit is infinite")
    stated = parse_formula(limit, [p.name for p in declared], over)
    require_value(stated, expression.xreplace(dict(place or {})), declared, over)
    claimed = constant(products, stated)
    found: Sum = expansion.terms[0][1] if expansion.terms and expansion.terms[0][0] == ONE else {}
    require(products.is_zero(products.add(found, claimed, -1)), f"the limit is not shown to be {limit}")


def expanded(
    expression: Expr,
    parameters: list[Parameter],
    place: Mapping[Expr, Expr] | None = None,
    over: Sequence[str] = CELL_NAMES,
) -> tuple[Products, Expansion]:
    """Return an expansion with enough terms to show the limit.

    :param over: the names of the variables

    :raises CertificateError: if there is none
    """
    require(not expression.has(*UNDEFINED), "the formula has no value on the curve")
    for length in LENGTHS:
        products = Products(parameters, over)
        try:
            expansion = Expander(products, STEP, length, place)(expression)
        except CertificateError:  # some coefficient may vanish up to that term
            if length == LENGTHS[-1]:
                raise
            continue
        if expansion.error > ONE or (expansion.terms and expansion.terms[0][0] < ONE):
            return products, expansion
    raise CertificateError("the expansion is too short to show the limit")


def constant(products: Products, value: Expr) -> Sum:
    """Return the sum that a formula without the step is.

    :raises CertificateError: if it depends on the step
    """
    expansion = Expander(products, STEP, LENGTHS[0])(value)
    require(all(size == ONE for size, _ in expansion.terms), "the limit depends on the step")
    return expansion.terms[0][1] if expansion.terms else {}
