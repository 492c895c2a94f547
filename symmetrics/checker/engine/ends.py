"""Re-verify the ends of ranges: that values come arbitrarily close to the bound, and that none exceeds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from sympy import Abs, Expr, Max, Min, Pow, Rational, S, Symbol, log, prime

from symmetrics.checker.engine.expansions import Expander, check_tends_to, obstacles_of, placed, require_free
from symmetrics.checker.engine.parts import read_part
from symmetrics.checker.engine.products import Products
from symmetrics.checker.engine.requirements import require
from symmetrics.checker.engine.splits import Signs, branches_of
from symmetrics.checker.engine.values import at_high_precision, sign_of, value_at, written_value
from symmetrics.claims import Comparison, Inequality, StrictInequality, value_symbol
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

# -- Formulas that are real at nearly all tables -----------------------------------------------------------------------


TRIES: Final = 6
"""Sample tables at which a divisor is evaluated to see that it is not identically zero."""
LENGTH: Final = 4
"""Number of series terms computed of a divisor along a curve."""


def is_real_nearly_everywhere(
    formula: Expr, parameters: Iterable[Parameter] = (), positive: Sequence[Symbol] = CELLS
) -> bool:
    """Whether a formula is shown to be real at all positive tables outside a set of measure zero.

    Radicands and arguments of logarithms are nowhere negative, and no divisor or argument of a logarithm vanishes
    on no open set of tables, unless the parameters make it zero everywhere.

    :param positive: the symbols for positive numbers

    >>> from symmetrics.language.cells import FN, TN, TP
    >>> from sympy import Abs, sqrt
    >>> [is_real_nearly_everywhere(f) for f in (log(Abs(TP - FN)) / (TN - TP), sqrt(TN - TP), 1 / (TP + Abs(TP)))]
    [True, False, True]
    >>> is_real_nearly_everywhere(1 / (TP - FN + Abs(TP - FN))), is_real_nearly_everywhere(1 / (TP + sqrt(TP**2)))
    (False, True)
    >>> is_real_nearly_everywhere(1 / (TP - FN + sqrt((TP - FN) ** 2)))
    False
    """
    signs = Signs(tuple(parameters), positive)
    for node in formula.atoms(Pow, log):
        base, exponent = (node.args[0], S.NegativeOne) if isinstance(node, log) else node.args
        if not isinstance(exponent, Rational):
            return False
        if (isinstance(node, log) or exponent.q != 1) and not _is_never_negative(base, signs):
            return False
        if exponent < 0 and not signs.is_positive(base) and not _is_nearly_nowhere_zero(base, signs):
            return False
    return True


def divides_nearly_everywhere(formula: Expr, parameters: Iterable[Parameter], positive: Sequence[Symbol]) -> bool:
    """Whether no divisor of a formula vanishes on an open set of tables.

    Only absolute values, minima, maxima and roots let a divisor be so.

    :param positive: the symbols for positive numbers

    >>> from symmetrics.language.cells import FN, TP
    >>> from sympy import Abs
    >>> divisors = (TP - FN, TP + Abs(TP - FN), TP - FN - Abs(TP - FN))
    >>> [divides_nearly_everywhere(1 / divisor, (), CELLS) for divisor in divisors]
    [True, True, False]
    """
    signs = Signs(tuple(parameters), positive)
    divisors = [power.base for power in formula.atoms(Pow) if power.exp.is_negative]
    return all(
        not _has_kinks(divisor, signs) or signs.is_positive(divisor) or _is_nearly_nowhere_zero(divisor, signs)
        for divisor in divisors
    )


def require_value_on_curve(formula: Expr, parameters: Iterable[Parameter], place: Mapping[Expr, Expr]) -> None:
    """Refuse a curve on which a formula may be undefined for some parameters, although it is defined elsewhere.

    On the curve a divisor may be a single term, which is zero for a parameter for which it is not zero elsewhere.  If
    cells are left in it the curve ends at many tables; nearly all of these are enough, since limits are continuous.

    :param place: substitution for the cells
    """
    signs = Signs(parameters)
    symbols = {p.symbol for p in signs.parameters}
    for kind, base in obstacles_of(formula) if symbols else ():
        if not base.free_symbols & symbols or base.free_symbols <= symbols:
            continue
        products = Products(signs.parameters)
        terms = Expander(products, STEP, LENGTH, place)(base).terms
        lead = terms[0][1] if terms else {}
        is_real = kind == "divisor" or products.sign(lead) == 1 or _is_never_negative(base, signs)
        is_there = kind == "radicand" or products.is_never_zero(lead)
        require(is_real and is_there, "for some parameters the curve has no value")


def _has_kinks(formula: Expr, signs: Signs) -> bool:
    roots = [power.base for power in formula.atoms(Pow) if not power.exp.is_Integer]
    return bool(formula.has(Abs, Min, Max)) or not all(map(signs.is_positive, roots))


def _is_never_negative(base: Expr, signs: Signs) -> bool:
    if signs.is_never_negative(base):
        return True
    try:
        require_free("radicand", base, signs.parameters, [symbol.name for symbol in signs.positive])
    except CertificateError:
        return False
    return True


def _is_nearly_nowhere_zero(formula: Expr, signs: Signs) -> bool:
    """Whether a formula is shown not to vanish on any open set of tables.

    Where no absolute value, minimum or maximum changes its branch, and no root is one of zero, a formula is analytic,
    so that it is zero on an open set of its domain only if it is zero everywhere; it is examined on every branch.
    A parameter could make it zero on one branch alone.
    """
    if formula.has(Abs, Min, Max) and not formula.free_symbols <= set(signs.positive):
        return False
    roots = {power.base for power in formula.atoms(Pow) if not power.exp.is_Integer}
    if not all(map(signs.is_positive, roots)):
        return False
    try:
        branches = branches_of(formula, signs.parameters, signs.positive)
    except CertificateError:
        return False
    return all(_is_somewhere_nonzero(branch.formula, signs) for branch in branches)


def _is_somewhere_nonzero(formula: Expr, signs: Signs) -> bool:
    primes = [prime(place) for place in range(1, len(signs.positive) + 1)]
    for shift in range(TRIES):
        point = {
            symbol: Fraction(number**2 + shift, 7 + shift)
            for symbol, number in zip(signs.positive, primes, strict=True)
        }
        try:
            with at_high_precision():
                value = value_at(formula, point | {p.symbol: _inside(p, shift) for p in signs.parameters})
        except CertificateError:  # undefined at this table
            continue
        if sign_of(value) in (1, -1):
            return True
    return False


def _inside(parameter: Parameter, shift: int) -> Fraction:
    """Return a number inside a parameter's domain."""
    lower, upper = parameter.lower, parameter.upper
    low = Fraction(int(lower.p), int(lower.q)) if lower.is_finite else None
    high = Fraction(int(upper.p), int(upper.q)) if upper.is_finite else None
    part = Fraction(shift + 3, shift + 8)
    if low is not None and high is not None:
        return low + part * (high - low)
    if low is not None or high is not None:
        return (low or Fraction(0)) + part if low is not None else (high or Fraction(0)) - part
    return part + 1


# ----------------------------------------------------------------------------------------------------------------------


Check = Callable[[Verdict], None]
INFINITE = {"lower": "-oo", "upper": "oo"}


@dataclass(frozen=True)
class End:
    """A verified end of a range: its bound, and whether it is attained at positive cells, None if that is open."""

    bound: str
    is_attained: bool | None

    @property
    def is_finite(self) -> bool:
        """Whether the formula is bounded on this side."""
        return self.bound not in INFINITE.values()


def check_subject(subject: Expr, parameters: Iterable[Parameter]) -> None:
    """Refuse a formula with symbols that are neither cells nor declared."""
    declared = {p.symbol for p in parameters} | set(CELLS)
    require(subject.free_symbols <= declared, "the formula has a symbol that is not declared")


def check_end(
    name: str, data: Mapping[str, Any], subject: Expr, parameters: tuple[Parameter, ...], check: Check
) -> End:
    """Check that the values of a formula come arbitrarily close to a bound, and none exceeds it.

    :param name: ``lower`` or ``upper``
    :param check: function that re-verifies the verdict on an inequality
    """
    path = check_path(data["path"])
    bound = data["bound"]
    place: dict[Expr, Expr] = dict(zip(CELLS, path, strict=True))
    # The values come arbitrarily close: the formula tends to the bound along the curve.
    check_tends_to(subject, bound, parameters, place)
    require_value_on_curve(subject, parameters, place)
    if bound in INFINITE.values():
        require(bound == INFINITE[name], "the formula is unbounded on the other side")
        return End(bound, False)
    # None exceeds it: an inequality for all positive cells, strict if the bound is not attained.
    family = StrictInequality if data["strict"] is True else Inequality
    check_proof(data["proof"], within(family, subject, parameters, bound, 1 if name == "upper" else -1), check)
    if "corner" in data:
        _check_corner(data["corner"], subject, bound, parameters)
    # A constant curve is a table: the bound is attained there.
    is_table = not any(cell.free_symbols for cell in path)
    require(not (is_table and data["strict"] is True), "a bound is attained and not attained")
    return End(bound, True if is_table else False if data["strict"] is True else None)


def within(
    family: type[Comparison], subject: Expr, parameters: tuple[Parameter, ...], bound: str, sign: int
) -> Comparison:
    """Return the claim that a formula is below a bound (above it for the sign -1); the bound may contain parameters."""
    limit = parse_formula(bound, [p.name for p in parameters])
    if limit.is_number:
        return family(subject, parameters, (CELLS,), relation=sign * (limit - value_symbol(0)))
    require(limit.free_symbols <= {p.symbol for p in parameters}, "the bound depends on more than the parameters")
    relation = sign * (value_symbol(1) - value_symbol(0))
    return family(subject, parameters, (CELLS, CELLS), relation=relation, partner=limit)


def _check_corner(texts: list[str], subject: Expr, bound: str, parameters: tuple[Parameter, ...]) -> None:
    """Check that a formula is defined, without simplification, at a table with zero cells."""
    cells = [parse_formula(text) for text in texts]
    numbers = len(cells) == 4 and all(cell.is_Rational and cell >= 0 for cell in cells) and any(cells)
    require(numbers, "a table with zero cells is not in the domain")
    place: dict[Expr, Expr] = dict(zip(CELLS, cells, strict=True))
    if not parameters:
        check_tends_to(written_value(subject, place), bound)
        return
    for kind, base in obstacles_of(subject):
        here = placed(base, place)
        require(here is not None, "the formula has no value at a table with zero cells")
        if here is not None:
            require_free(kind, here, parameters)
    check_tends_to(subject.xreplace(place), bound, parameters)


def check_proof(data: Mapping[str, Any], claim: Any, check: Check, status: str = "proved") -> None:
    """Check that the evidence of a part proves its claim, or refutes it, for all values of the parameters."""
    part = read_part(data, claim)
    require(part.status == status, f"a part is not {status}")
    check(part)


def check_path(texts: list[str]) -> Table:
    """Read a table or a curve, and check that its cells are positive for all small steps."""
    first, second, third, fourth = (parse_formula(text, (STEP.name,)) for text in texts)
    for cell in (first, second, third, fourth):
        require(
            cell.free_symbols <= {STEP} and not cell.has(S.ComplexInfinity), "a curve depends on more than its step"
        )
        products = Products()
        terms = Expander(products, STEP, 2)(cell).terms
        require(bool(terms) and products.sign(terms[0][1]) == 1, "a cell of a table is not positive")
    return first, second, third, fourth
