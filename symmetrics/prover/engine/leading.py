"""Leading terms and limits of formulas along curves of tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, S, log, sqrt

from symmetrics.algebra.convert import Conversion, element_expression, field_for, real_where_required
from symmetrics.algebra.derivative import smooth_pieces
from symmetrics.algebra.evaluate import sign_of_element as certain_sign
from symmetrics.algebra.field import Element, Field
from symmetrics.algebra.limits.series import CONSTANT, Order, SeriesReader
from symmetrics.claims.families.limits import STEP
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.conditions import coefficient_system
from symmetrics.tools.errors import UnsupportedError

LENGTHS: Final = (2, 4, 8)
"""Numbers of series terms to try, in turn."""
UNDEFINED: Final = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)
"""SymPy values that mark an undefined result."""


@dataclass(frozen=True)
class Leading:
    """The largest term ``c * s**e * log(1/s)**j`` of a formula on a curve.

    :param order: e and -j
    :param coefficient: c; zero if the formula tends to zero
    :param sign: the sign of c for all cells and parameters, None if it is not certain
    """

    order: Order
    coefficient: Expr
    sign: int | None

    @property
    def is_finite(self) -> bool:
        """Whether the formula tends to the coefficient."""
        return not any(self.order)

    @property
    def limit(self) -> Expr:
        """What the formula tends to: an expression, ``oo``, ``-oo``, or nan where the sign is not known."""
        if self.is_finite:
            return self.coefficient
        return {1: S.Infinity, -1: S.NegativeInfinity, None: S.NaN}[self.sign]

    def record(self) -> dict[str, str]:
        """Return the term as texts."""
        e, j = self.order
        return {"exponent": str(e), "logarithms": str(-j), "coefficient": formula_text(self.coefficient)}


def placed(formula: Expr, place: Mapping[Any, Expr]) -> Expr:
    """Substitute into a formula without simplification; None if it is undefined then.

    :raises UnsupportedError: if it has no value then
    """
    try:
        value = formula.xreplace(dict(place))
    except (ValueError, TypeError):  # SymPy raises these for Min and Max of incomparable arguments
        value = S.NaN
    if value.has(*UNDEFINED):
        raise UnsupportedError("a part of the formula divides by zero, or is not real, on the curve")
    return value


def leading_term(
    expression: Expr,
    parameters: Iterable[Parameter] = (),
    place: Mapping[Any, Expr] | None = None,
    over: Iterable[str] = CELL_NAMES,
) -> Leading:
    """Return the leading term of an expression in the step, with order zero if it has a finite limit.

    :param place: substitution for variables in the expression
    :param over: the names of the variables
    :raises UnsupportedError: if it depends on signs that are not known, or needs a longer series
    """
    for length in LENGTHS:
        field = field_for(parameters, (), over)
        reader = SeriesReader(field, STEP, length, place)
        series = reader(expression)
        order = min(series.terms, default=None)
        if order is not None and order <= CONSTANT:
            element = series.terms[order]
            coefficient = real_where_required(element_expression(element, field), reader.radicands, field)
            return Leading(order, coefficient, certain_sign(element, field))
        if series.unknown is None or series.unknown > CONSTANT:
            return Leading(CONSTANT, S.Zero, None)
    raise UnsupportedError(f"{LENGTHS[-1]} terms of the series do not show what the formula tends to")


def leading_coefficient(expression: Expr, field: Field, place: Mapping[Any, Expr]) -> Element | None:
    """Return the coefficient of the largest term of an expression that may tend to zero; None if it has no such term.

    :param place: substitution for variables in the expression
    :raises UnsupportedError: if that depends on signs that are not known
    """
    for length in LENGTHS:
        terms = SeriesReader(field, STEP, length, place)(expression).terms
        if terms:
            return terms[min(terms)]
    return None


# -- Obstacles in a formula before simplification: divisors, radicands and arguments of logarithms ---------------------


Obstacle = tuple[str, Expr]
DIVISOR: Final = "divisor"
RADICAND: Final = "radicand"
LOGARITHM: Final = "logarithm"


def obstacles_of(formula: Expr) -> Iterator[Obstacle]:
    """Divisors, radicands and arguments of logarithms of a formula.

    Positive rational numbers are left out; other numbers may be zero without being written as 0.

    :raises UnsupportedError: if an exponent is not a number
    """
    nodes = sorted(formula.atoms(Pow, log), key=lambda node: (node.count_ops(), str(node)))
    found: dict[Obstacle, None] = {}
    for node in nodes:
        if isinstance(node, log):
            found[LOGARITHM, node.args[0]] = None
            continue
        if not node.exp.is_Rational:
            raise UnsupportedError(f"the exponent {node.exp} is not a number")
        if node.exp.is_negative:
            found[DIVISOR, node.base] = None
        if not node.exp.is_Integer:
            found[RADICAND, node.base] = None
    yield from (pair for pair in found if not (pair[1].is_Rational and pair[1] > 0))


def is_free(kind: str, base: Expr, parameters: Iterable[Parameter]) -> bool:
    """Whether a divisor, radicand or logarithm is harmless at all positive cells and parameters."""
    try:
        element = Conversion(field := field_for(parameters))(base)
    except UnsupportedError:
        return False
    if element.is_zero:
        return kind == RADICAND
    sign = certain_sign(element, field)
    return sign == 1 or (sign == -1 and kind == DIVISOR)


def is_written_positive(formula: Expr) -> bool:
    """Whether a formula is a sum of positive parts and squares, and so positive at all positive cells.

    >>> from symmetrics.language.cells import FN, TP
    >>> is_written_positive(FN + TP * (TP - 4) ** 2)
    True
    """
    if isinstance(formula, Add):
        return any(map(is_written_positive, formula.args)) and all(map(_is_never_negative, formula.args))
    if isinstance(formula, Mul):
        return all(map(is_written_positive, formula.args))
    if isinstance(formula, Pow):
        return bool(formula.exp.is_Rational) and is_written_positive(formula.base)
    if isinstance(formula, log):
        return is_written_positive(formula.args[0] - 1)
    return formula in CELLS or bool(formula.is_Rational and formula > 0)


def _is_never_negative(formula: Expr) -> bool:
    if isinstance(formula, Mul):
        return all(map(_is_never_negative, formula.args))
    if isinstance(formula, Pow) and formula.exp.is_Integer and formula.exp > 0 and formula.exp % 2 == 0:
        return formula.base.free_symbols <= set(CELLS) and bool(formula.base.is_polynomial(*CELLS))
    return formula == 0 or is_written_positive(formula)


# -- Formulas that are real at nearly all tables, so that a curve into a table runs where they are defined -------------


def is_real_nearly_everywhere(
    formula: Expr, parameters: Iterable[Parameter] = (), over: Sequence[str] = CELL_NAMES
) -> bool:
    """Whether a formula is real at all positive tables outside a set of measure zero.

    No radicand or argument of a logarithm may be negative, and no divisor vanishes on an open set of tables.

    :param over: the names of the positive variables, if these are not the cells

    >>> from symmetrics.language.cells import FN, TN, TP
    >>> from sympy import sqrt
    >>> [is_real_nearly_everywhere(f) for f in (1 / (TN - TP), sqrt(TN - TP), 1 / (TP - FN + Abs(TP - FN)))]
    [True, False, False]
    """
    field = field_for(parameters, (), over)
    conversion = Conversion(field)
    try:
        conversion(formula)
        bases = [base for kind, base in obstacles_of(formula) if kind != RADICAND]
        is_real = all(certain_sign(condition, field) == 1 for condition in field.conditions)
        return is_real and all(_is_nearly_nowhere_zero(base, conversion) for base in bases)
    except UnsupportedError:
        return False


def _is_nearly_nowhere_zero(base: Expr, conversion: Conversion) -> bool:
    field = conversion.field
    element = field.reduce(conversion(base))
    if element.is_zero:
        return False
    if not _has_kinks(element, field) or is_written_positive(base) or certain_sign(element, field) in (1, -1):
        return True
    # smooth_pieces splits at the kinks of Abs, Min and Max, but not at those of roots such as sqrt(f**2).
    if any(not power.exp.is_Integer for power in base.atoms(Pow)) or not base.has(Abs, Min, Max):
        return False
    pieces = smooth_pieces(base)
    return bool(pieces) and not any(conversion(piece.formula).is_zero for piece in pieces)


def _has_kinks(element: Element, field: Field) -> bool:
    """Whether a numerator is a sum with an absolute value in it; a product of some vanishes only on surfaces."""
    if len(element.numerator) == 1:
        return False
    return any(
        not field.atoms[number].positive and not field.atoms[number].is_log
        for monomial in element.numerator
        for number, _ in monomial
    )


# ----------------------------------------------------------------------------------------------------------------------
# Whether a formula with parameters is defined along a curve of tables, whenever it is defined somewhere.


def has_value_along(formula: Expr, parameters: Iterable[Parameter], path: Table) -> bool:
    """Whether a formula is shown to be defined near the end of a curve, for all parameters with which it ever is.

    What it divides by may be a single term on the curve, which is zero for a parameter for which others are not.

    >>> from sympy import Integer
    >>> from symmetrics.language.cells import FN, FP, TP
    >>> w = Parameter("w", 0, 1)
    >>> formula = w * FN / (w * TP + (FN - FP) ** 2)
    >>> one, two = Integer(1), Integer(2)
    >>> has_value_along(formula, (w,), (one, one, one, one)), has_value_along(formula, (w,), (one, one, two, one))
    (False, True)

    :raises UnsupportedError: if its divisors depend on signs that are not known
    """
    declared = tuple(parameters)
    symbols = {parameter.symbol for parameter in declared}
    place = dict(zip(CELLS, path, strict=True))
    for kind, base in obstacles_of(formula) if declared else ():
        # Without parameters an obstacle is the same for all of them; without cells, the same at all tables.
        if not base.free_symbols & symbols or base.free_symbols <= symbols:
            continue
        field = field_for(declared)
        lead = leading_coefficient(base, field, place)
        sign = None if lead is None else certain_sign(lead, field)
        is_real = kind == DIVISOR or sign == 1 or is_real_nearly_everywhere(sqrt(base), declared)
        if not is_real or (kind != RADICAND and sign is None and not _is_never_zero(lead, field)):
            return False
    return True


def _is_never_zero(element: Element | None, field: Field) -> bool:
    """Whether an element is shown to be identically zero in the cells for no values of the parameters."""
    if element is None:
        return False
    return any(field.never_zero(coefficient) for coefficient in coefficient_system(element, field))
