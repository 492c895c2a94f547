"""Continuous extension of a formula to tables where it is 0/0 as written.

A table with zero cells is approached by tables whose cells are all positive.  Where the limit exists along every path
it is the value; where the formula grows beyond all bounds the value is infinite; elsewhere there is none.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache

from sympy import (
    Abs,
    Add,
    Dummy,
    Expr,
    Integer,
    Max,
    Min,
    Mul,
    Poly,
    Pow,
    Rational,
    S,
    Symbol,
    expand,
    fraction,
    log,
    together,
)

from symmetrics.algebra.convert import Conversion, element_expression, field_for, poly_expression
from symmetrics.algebra.evaluate import is_well_conditioned
from symmetrics.algebra.field import Atom, Element, Field
from symmetrics.algebra.limits.extended_reals import (
    Guarded,
    extended_value,
    face_limit_by_parts,
    has_extremes,
    has_no_value_by_parts,
    is_positive_inside,
    is_zero,
    limit_by_parts,
    sign_of,
    without_settled_extremes,
)
from symmetrics.algebra.limits.faces import Face, base_of
from symmetrics.language.cells import CELLS
from symmetrics.tools.errors import UnsupportedError

# -- Limits on faces that follow from those of simpler formulas: of roots, and of quotients of logarithms --------------


Limit = Callable[[Expr], Guarded | None]
"""Returns the limit of a formula on the current face."""


def limit_by_composition(expression: Expr, zero_cells: frozenset[str], limit_of: Limit) -> Guarded | None:
    """Return the limit on a face of a root, or of a quotient in which logarithms diverge; None for any other formula.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> hits, alarms = log(TP / (TP + FN)), log(FP / (FP + TN))
    >>> def limit_of(part):
    ...     return part.xreplace({FP: S.Zero, FN: S.Zero}), ()
    >>> limit_by_composition((alarms - hits) / (2 * alarms + hits), frozenset({"FP", "FN"}), limit_of)
    (1/2, ())
    """
    return _of_root(expression, limit_of) or _of_logarithms(expression, zero_cells, limit_of)


def argument_of_root(expression: Expr) -> Expr | None:
    """Return the radicand E and the exponent of ``c * E**exponent``; None for any other formula.

    >>> from sympy import sqrt
    >>> argument_of_root(2 * sqrt(CELLS[0] + 1)), argument_of_root(CELLS[0] + 1)
    (TP + 1, None)
    """
    root = expression.as_coeff_Mul()[1]
    return root.base if isinstance(root, Pow) and root.exp.is_Rational and root.exp > 0 else None


def _of_root(expression: Expr, limit_of: Limit) -> Guarded | None:
    """Return the limit of a root: the root of the radicand's limit, where that is positive."""
    argument = argument_of_root(expression)
    inner = None if argument is None else limit_of(argument)
    if inner is None or not is_positive_inside(inner[0]):
        return None
    return expression.xreplace({argument: inner[0]}), inner[1]


def _of_logarithms(expression: Expr, zero_cells: frozenset[str], limit_of: Limit) -> Guarded | None:
    """Return the limit of a quotient whose divisor, a sum of logarithms, diverges.

    The divisor D is a sum of logarithms of which those that diverge have coefficients of one sign, so that it is
    infinite, and the others have limits.  Where N - q D has a limit, too, N/D tends to q.
    """
    # N/D with D a sum of logarithms, of which those that diverge do so with one sign.
    above, below = fraction(together(expression))
    divisor = _coefficients_of_logarithms(below)
    if not divisor:
        return None
    diverging = {base: factor for base, factor in divisor.items() if _vanishes(base, zero_cells)}
    if len({factor.is_positive for factor in diverging.values()}) != 1:
        return None
    # q is the share of one diverging logarithm; it is the limit if N - q D has one.
    base, factor = next(iter(diverging.items()))
    share = expand(above).coeff(log(base)) / factor
    if not share.is_Rational:
        return None
    rest = limit_of(expand(above - share * below))
    return None if rest is None else (share, rest[1])


def _coefficients_of_logarithms(expression: Expr) -> dict[Expr, Rational] | None:
    """Return the arguments and the coefficients of a sum of logarithms of positive sums; None for any other formula."""
    found = {}
    for term in Add.make_args(expand(expression)):
        factor, logarithm = term.as_coeff_Mul()
        if not (factor.is_Rational and isinstance(logarithm, log) and is_positive_inside(logarithm.args[0])):
            return None
        found[logarithm.args[0]] = factor
    return found


def _vanishes(base: Expr, zero_cells: frozenset[str]) -> bool:
    return bool(base.xreplace({cell: S.Zero for cell in CELLS if cell.name in zero_cells}) == 0)


def without_divisors_that_are_extremes(expression: Expr) -> Expr:
    """Return a product without a changing sign, divided by an extreme, as the extreme of quotients.

    >>> from symmetrics.language.cells import FN, FP, TP
    >>> without_divisors_that_are_extremes(-((TP - FN) ** 2) / Min(FN, FP))
    -Max((-FN + TP)**2/FN, (-FN + TP)**2/FP)
    >>> without_divisors_that_are_extremes((TP - FN) / Min(FN, FP))
    (-FN + TP)/Min(FN, FP)
    """
    number, product = expression.as_coeff_Mul()
    factors = Mul.make_args(product)
    divisors = [each for each in factors if isinstance(each, Pow) and each.exp.is_negative and _is_extreme(each.base)]
    others = [each for each in factors if each not in divisors]
    if len(divisors) != 1 or not all(map(_is_not_negative, others)):
        return expression
    ((extreme, exponent),) = (each.as_base_exp() for each in divisors)
    kind = Max if isinstance(extreme, Min) else Min
    return number * kind(*(Mul(*others, part**exponent) for part in extreme.args))


def _is_extreme(base: Expr) -> bool:
    return isinstance(base, Max | Min) and all(map(is_positive_inside, base.args))


def _is_not_negative(factor: Expr) -> bool:
    is_square = isinstance(factor, Pow) and factor.exp.is_even and factor.exp.is_positive
    return bool(is_square) or is_positive_inside(factor)


# ----------------------------------------------------------------------------------------------------------------------


class Extension:
    """A formula over the cells alone, in lowest terms, with its limits on the faces of the orthant.

    :param expression: a formula without free parameters
    :param composed: whether limits may follow from those of parts in ways of which certificates do not tell: by roots,
        by logarithms that diverge together, and by bounds of what has no limit itself

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> odds_ratio = TP * TN / (FP * FN)
    >>> Extension((odds_ratio - 1) / (odds_ratio + 1)).value(3, 1, 0, 2)
    1
    >>> Extension(TP / (TP + FN)).value(0, 0, 1, 2)
    nan
    """

    def __init__(self, expression: Expr, *, composed: bool = True) -> None:
        self.original = expression
        self.composed = composed
        self._field: Field = field_for()
        self._element: Element | None = None
        self._faces: dict[frozenset[str], Face] = {}
        self._by_parts: dict[frozenset[str], Guarded | None] = {}
        try:
            self._element = self._field.reduce(Conversion(self._field)(expression))
        except UnsupportedError:
            self._field.conditions.clear()

    @cached_property
    def expression(self) -> Expr:
        """The formula in lowest terms: equal to the original where that is defined, without holes that cancel."""
        return self.original if self._element is None else element_expression(self._element, self._field)

    @property
    def is_in_lowest_terms(self) -> bool:
        """Whether the formula is an element of a field; otherwise neither conditions nor limits on faces are known."""
        return self._element is not None

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
        """Whether a denominator can change its sign, so that an infinite quotient has no definite sign."""
        if self._element is None:
            return True
        atoms = ((self._field.atoms[number], power) for number, power in self._element.denominator.items())
        return any(not atom.positive and power % 2 and self._varies(atom) for atom, power in atoms)

    @cached_property
    def vanishes_inside(self) -> bool:
        """Whether a divisor, or a logarithm's argument, can be zero at positive cells, or vanish by rounding alone."""
        if self._element is None:
            return True
        atoms = [self._field.atoms[n] for n in self._element.denominator if not self._field.atoms[n].positive]
        logs = (self._field.atoms[n] for monomial in self._element.numerator for n, _ in monomial)
        atoms += [atom for atom in logs if atom.is_log and not self._field.is_positive_base(atom.base)]
        return any(map(self._varies, atoms))

    def _varies(self, atom: Atom) -> bool:
        """Whether a factor, positive or of any sign, is not constant."""
        return bool(element_expression(Element(base_of(atom.base)), self._field).free_symbols)

    @cached_property
    def is_well_conditioned(self) -> bool:
        """Whether the formula in lowest terms loses no digits to cancellation at any table."""
        return self._element is not None and is_well_conditioned(self._element, self._field)

    @cached_property
    def gathered(self) -> Expr:
        """The formula as shown, with each argument of an extreme or an absolute value as one fraction.

        Terms of it can be infinite with opposite signs where the fraction has a limit, or is infinite with one sign.
        """
        return _gathered(self.original)

    def on_face(self, zero_cells: frozenset[str]) -> Expr | None:
        """Return the limit on a face, a formula in the other cells, as the named cells tend to zero.

        :returns: an expression in the other cells, or None where there is no finite limit common to all paths
        """
        return None if (found := self._guarded(zero_cells)) is None else found[0]

    def guards_on_face(self, zero_cells: frozenset[str]) -> tuple[Expr, ...]:
        """Return expressions in the other cells; where one of them is zero, :meth:`on_face` need not be the limit."""
        return () if (found := self._guarded(zero_cells)) is None else found[1]

    def _guarded(self, zero_cells: frozenset[str]) -> Guarded | None:
        """Return the limit on a face and its guards: of the formula in lowest terms, or else by parts."""
        face = self._face(zero_cells)
        if face is None or face.limit is not None:
            return None if face is None or face.limit is None else (face.limit, face.guards)
        if zero_cells not in self._by_parts:
            self._by_parts[zero_cells] = self._limit_of_parts(zero_cells)
        return self._by_parts[zero_cells]

    def _limit_of_parts(self, zero_cells: frozenset[str]) -> Guarded | None:
        def limit_of(part: Expr) -> Guarded | None:
            return extension_of(part, composed=self.composed)._guarded(zero_cells)

        # Smooth formulas: roots, and quotients of logarithms that diverge together.
        if not has_extremes(self.original):
            shapes = (self.original, self.expression) if self.composed else ()
            composed = (limit_by_composition(shape, zero_cells, limit_of) for shape in shapes)
            return next((each for each in composed if each is not None), None)
        if self.conditions:
            return None
        # Extremes: by parts, of the formula as shown, gathered, and divided through.
        forms = [self.original, self.gathered]
        forms += [without_divisors_that_are_extremes(self.original)] if self.composed else []
        found = (
            face_limit_by_parts(form, zero_cells, limit_of, bounded=self.composed) for form in dict.fromkeys(forms)
        )
        by_parts = next((each for each in found if each is not None), None)
        if by_parts is not None:
            return by_parts
        # Last resort: replace each extreme by the argument that dominates near the face.
        settled = without_settled_extremes(self.original, zero_cells, limit_of)
        return None if has_extremes(settled) else limit_of(settled)

    def is_undefined_on_face(self, zero_cells: frozenset[str]) -> bool:
        """Whether the formula in lowest terms is undefined at every table of a face, and no limit was found there."""
        face = self._face(zero_cells)
        return face is not None and face.has_zero_denominator and self._guarded(zero_cells) is None

    def is_nan_on_face(self, zero_cells: frozenset[str]) -> bool:
        """Whether :meth:`value` is certain to be nan at every table of a face: 0/0, without any limit that is found."""
        face = self._face(zero_cells)
        is_zero_by_zero = self.is_undefined_on_face(zero_cells) and face is not None and face.has_zero_numerator
        return is_zero_by_zero and all(
            has_no_value_by_parts(form, zero_cells) for form in (self.original, self.gathered)
        )

    def _face(self, zero_cells: frozenset[str]) -> Face | None:
        if self._element is not None and zero_cells not in self._faces:
            self._faces[zero_cells] = Face(self._element, self._field, zero_cells)
        return self._faces.get(zero_cells)

    def value(self, tp: Expr | int, fn: Expr | int, fp: Expr | int, tn: Expr | int) -> Expr:
        """Return the exact value at a table with non-negative cells: a number, ``oo``, ``-oo``, or ``nan``."""
        place = dict(zip(CELLS, map(Rational, (tp, fn, fp, tn)), strict=True))
        if self.is_unreal(place):
            return S.NaN
        # First the value in lowest terms; an infinite one only if the pole has one sign.
        value = extended_value(self.expression, place)
        if value.is_infinite and self.has_two_sided_poles:
            value = S.NaN
        if value is S.NaN:
            # 0/0: the limit on the face, then limits by parts.
            value = self._limit_at(place)
        if value is S.NaN:
            value = limit_by_parts(self.original, place)
        if value is S.NaN and self.gathered != self.original:
            value = limit_by_parts(self.gathered, place)
        return value if isinstance(value, Rational) or not value.is_finite else self._simplified(value)

    def _limit_at(self, place: dict[Symbol, Rational]) -> Expr:
        zero_cells = frozenset(cell.name for cell, count in place.items() if count == 0)
        limit = self.on_face(zero_cells) if zero_cells else None
        if limit is None or any(is_zero(extended_value(guard, place)) for guard in self.guards_on_face(zero_cells)):
            return S.NaN
        # A limit needs real values nearby.
        if not (self.is_real_near_face(zero_cells) or self.is_real_nearby(place)):
            return S.NaN
        value = extended_value(limit, place)
        return value if value.is_finite else S.NaN

    def is_real_near_face(self, zero_cells: frozenset[str]) -> bool:
        """Whether the formula is shown to be real near every table of a face.

        It has no conditions, or it is a root of what tends to something positive at all of them.
        """
        if not self.conditions:
            return True
        argument = argument_of_root(self.original)
        if argument is None:
            return False
        inner = extension_of(argument, composed=self.composed)
        found = inner._guarded(zero_cells)
        return (
            found is not None and is_positive_inside(found[0]) and not found[1] and inner.is_real_near_face(zero_cells)
        )

    def is_real_nearby(self, place: Mapping[Symbol, Rational]) -> bool:
        """Whether some curve of positive tables, along which the formula is real, is known to end at a table.

        >>> from symmetrics.language.cells import FN, FP, TN, TP
        >>> from sympy import log, sqrt
        >>> table = dict(zip(CELLS, map(Integer, (1, 0, 0, 1))))
        >>> Extension(FN * log(FN) * sqrt(FP - FN)).is_real_nearby(table)
        True
        >>> Extension(FN * log(FN) * sqrt(FN - 2 * FP) * sqrt(FP - 2 * FN)).is_real_nearby(table)
        False
        """
        doubtful = [c for c in self.conditions if sign_of(c.xreplace(dict(place))) != 1]
        if not doubtful:
            return True
        step = Dummy(positive=True)
        # Zero cells must grow from zero along the curve; the others may also shrink.
        from_zero, from_other = (step, 2 * step, 5 * step, step**2), (0, step, -step)
        ways = itertools.product(*(from_other if count else from_zero for count in place.values()))
        lines = ({c: n + way for (c, n), way in zip(place.items(), moves, strict=True)} for moves in ways)
        return any(all(_is_positive_on(condition.xreplace(line), step) for condition in doubtful) for line in lines)

    def vanishing(self, tp: int, fn: int, fp: int, tn: int) -> tuple[Expr, ...]:
        """Return the denominators, and the arguments of logarithms, that are zero at a table: why it has no value.

        >>> from symmetrics.language.cells import FP, TP
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
        except UnsupportedError:  # a denominator that is zero, although it does not look so
            return S.NaN
        return element_expression(element, field)

    def is_unreal(self, place: dict[Symbol, Rational]) -> bool:
        """Whether a root or a logarithm in the formula has a negative argument at a table."""
        return any(self._sign_at(condition, place) is False for condition in self.conditions)

    @staticmethod
    def _sign_at(condition: Expr, place: dict[Symbol, Rational]) -> bool | None:
        value = extended_value(condition, place)
        sign = None if value is S.NaN else sign_of(value)
        return None if sign is None else sign >= 0


def _gathered(node: Expr) -> Expr:
    if not has_extremes(node):
        return node
    parts = list(map(_gathered, node.args))
    return node.func(*(map(together, parts) if isinstance(node, Abs | Max | Min) else parts))


def _is_positive_on(expression: Expr, step: Symbol) -> bool:
    """Whether a polynomial in a step is positive for all small steps: so is its lowest term."""
    if not expression.is_polynomial(step):
        return False
    terms = Poly(expression, step).terms()
    return sign_of(terms[-1][1]) == 1


@lru_cache(maxsize=1024)
def extension_of(expression: Expr, *, composed: bool = True) -> Extension:
    """Return the extension of a formula, made once.

    :param composed: as in :class:`Extension`

    >>> extension_of(S.One) is extension_of(S.One)
    True
    """
    return Extension(expression, composed=composed)
