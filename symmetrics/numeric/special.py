"""Slow path for tables the kernels reject: limits at zero cells, poles, cancellation, overflow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import permutations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer, Rational, fraction, lambdify

from symmetrics.algebra.evaluate import Evaluator
from symmetrics.algebra.limits.extension import Extension, extension_of
from symmetrics.language.cells import CELLS
from symmetrics.language.names import CELL_NAMES
from symmetrics.numeric.arrays import interpreted
from symmetrics.numeric.plans import Computable, Output, Plan, expression_of, plan_of
from symmetrics.numeric.precision import ACCURACY
from symmetrics.numeric.refine import ErrorBound, is_nonzero, recompute
from symmetrics.numeric.rounding_rules import Array
from symmetrics.numeric.trust import KnownLimits, certain_on_arrays, faces_of, known_limits

# ----------------------------------------------------------------------------------------------------------------------
# Values of a formula on the faces where some cells are zero, as data for arrays and for code in other languages.

# A quotient that is 0/0 on a face has the value of its limit there, if all paths from positive cells give the same
# one.


_COUNTS: Final = (2, 3, 7, 19)
"""Positive counts of the sample tables on a face, in all orders."""


class Face:
    """A formula on one face: the limit and where it holds.

    :param expression: the formula
    :param zeros: the indices of the cells that are zero, as bits
    """

    def __init__(self, expression: Expr, zeros: int) -> None:
        self.cells = frozenset(place for place in range(len(CELLS)) if zeros >> place & 1)
        self._names = frozenset(CELL_NAMES[place] for place in self.cells)
        self._extension = extension_of(expression)

    @cached_property
    def limit(self) -> Expr | None:
        """The limit in the other cells; None where there is no finite one."""
        return self._extension.on_face(self._names)

    @cached_property
    def guards(self) -> tuple[Expr, ...]:
        """Expressions that must not be zero, or the limit does not hold."""
        return self._extension.guards_on_face(self._names)

    @cached_property
    def is_real(self) -> bool:
        """Whether the formula is known to be real near all tables of the face."""
        return self._extension.is_real_near_face(self._names)

    @cached_property
    def may_be_real(self) -> bool:
        """Whether the formula is known to be real near some table of the face."""
        tables = (
            {cell: Integer(0 if place in self.cells else counts[place]) for place, cell in enumerate(CELLS)}
            for counts in permutations(_COUNTS)
        )
        return self.is_real or any(map(self._extension.is_real_nearby, tables))

    @property
    def is_undefined(self) -> bool:
        """Whether the formula in lowest terms has neither a value nor a limit at any table of the face."""
        return self._extension.is_undefined_on_face(self._names)

    @cached_property
    def constant(self) -> float | None:
        """The limit if it is constant on the face, nan if there is none anywhere on it; None if it varies."""
        if self._extension.is_nan_on_face(self._names):
            return float("nan")
        is_certain = self.is_real and not self.guards
        return float(self.limit) if self.limit is not None and self.limit.is_Rational and is_certain else None


@lru_cache(maxsize=4096)
def face_of(expression: Expr, zeros: int) -> Face:
    """Return a formula on the face where some cells are zero, derived once.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> face_of((TP * TN - FP * FN) / (TP * TN + FP * FN), 0b0110).constant
    1.0
    >>> face_of(TP / (TP + FN), 0b0011).limit is None
    True
    """
    return Face(expression, zeros)


# ----------------------------------------------------------------------------------------------------------------------


# ----------------------------------------------------------------------------------------------------------------------
# Programs run in the processor's extended precision, where available: 64-bit mantissa and a far larger range.


_EXTENDED: Final = np.finfo(np.longdouble)
_IS_EXTENDED: Final = bool(_EXTENDED.eps < 2.0**-60 and _EXTENDED.maxexp > 16000)
_UNIT: Final = float(_EXTENDED.eps) / 2
_WIDER: Final = 15
"""Ratio of the largest exponent of extended precision to that of float64."""


def extended_values(
    plan: Plan | None, cells: Sequence[Array], found: Array | None = None
) -> tuple[Array, NDArray[np.bool_]]:
    """Return values of a formula in extended precision, and a mask of those certainly accurate.

    :param found: the values in float64, if these are known and none of them is certain
    """
    size = cells[0].size
    if plan is None or not size:
        return np.full(size, np.nan), np.zeros(size, dtype=bool)
    output = plan.outputs[0]
    if found is None:
        values, good = _run(plan, output, cells, np.float64, 2.0**-53)
    else:
        values, good = found, np.zeros(size, dtype=bool)
    rest = np.flatnonzero(~good & _is_worth(plan, cells, values))
    if rest.size and _IS_EXTENDED:
        values[rest], good[rest] = _run(plan, output, [cell[rest] for cell in cells], np.longdouble, _UNIT)
    return values, good


def _is_worth(plan: Plan, cells: Sequence[Array], values: Array) -> NDArray[np.bool_]:
    """Mask: more precision may help (not where a zero cell leaves the formula undefined)."""
    return np.isfinite(values) | _are_beyond(cells, plan.power)


def _are_beyond(cells: Sequence[Array], power: int) -> NDArray[np.bool_]:
    """Mask of tables with cells so large or small that products may overflow or underflow."""
    beyond = np.zeros(cells[0].shape, dtype=bool)
    for cell in cells:
        beyond |= (cell > 2.0**power) | ((cell < 2.0**-power) & (cell > 0))
    return beyond


def _run(
    plan: Plan, output: Output, cells: Sequence[Array], kind: type[np.floating[Any]], unit: float
) -> tuple[Array, NDArray[np.bool_]]:
    results = interpreted(plan.program, output.places, cells, kind)
    values = np.array(results[output.place], dtype=np.float64)
    wider = 1 if kind is np.float64 else _WIDER
    checked = [results[place] for place in output.places[1:]]
    sure = certain_on_arrays(output, values, checked, None, unit=unit)
    return values, sure & ~_are_beyond(cells, min(plan.power * wider, 1023))


# ----------------------------------------------------------------------------------------------------------------------


class SpecialValues:
    """A formula with its limits on the faces on which it is 0/0; called with four flat arrays of cells."""

    def __init__(self, formula: Computable) -> None:
        self.formula = formula
        self.limits: dict[int, _Limit | None] = {}

    @property
    def known(self) -> KnownLimits:
        """Limits that are one constant on a whole face."""
        return known_limits(self.formula)

    @cached_property
    def original(self) -> Expr:
        """The formula as it is shown."""
        return expression_of(self.formula)

    @cached_property
    def extension(self) -> Extension:
        """The formula in lowest terms, and its limits."""
        return extension_of(self.original)

    @cached_property
    def plan(self) -> Plan | None:
        """The plan for evaluating the formula."""
        return plan_of(self.formula)

    @cached_property
    def main(self) -> Callable[..., Any]:
        """The formula in lowest terms."""
        return _compile(self.extension.expression)

    @cached_property
    def shown(self) -> list[Callable[..., Any]]:
        """The formula as shown, and with the fractions in its extremes combined."""
        return list(map(_compile, dict.fromkeys((self.original, self.extension.gathered))))

    @cached_property
    def conditions(self) -> list[Callable[..., Any]]:
        """Expressions that must be non-negative for the formula to be real."""
        return [_compile(condition) for condition in self.extension.conditions]

    @cached_property
    def bound(self) -> ErrorBound | None:
        """The formula in lowest terms with error bounds, unless its errors are small at all tables."""
        return None if self.extension.is_well_conditioned else ErrorBound(self.extension.expression)

    @cached_property
    def numerator(self) -> ErrorBound | None:
        """The numerator of the formula in lowest terms, with error bounds if the formula has some."""
        return None if self.bound is None else ErrorBound(fraction(self.extension.expression)[0])

    def __call__(self, cells: Sequence[Array], found: Array) -> Array:
        """Values at tables.

        :param found: the kernel's values, which were not certain
        """
        # 1. More digits: extended precision, lowest terms, ball arithmetic.
        values, unreal = self.direct(cells, found)
        # 2. Quotients 0/0 on a face: the limit.
        missing = np.flatnonzero(np.isnan(values) & ~unreal)
        if missing.size:
            self.fill(values, missing, [cell[missing] for cell in cells])
        # 3. Exact arithmetic for the rest, except whole faces without values.
        unsettled = np.flatnonzero(np.isnan(values))
        if unsettled.size:
            left = [cell[unsettled] for cell in cells]
            # An extreme with an infinite argument may have a value in the formula as shown, but not in lowest terms.
            by_form = [np.broadcast_to(form(*left), unsettled.shape) for form in self.shown]
            has_value = ~np.all(np.isnan(by_form), axis=0)
            for chosen in (has_value, ~(has_value | self.is_undefined(left))):
                here = [cell[chosen] for cell in left]
                values[unsettled[chosen]] = self.again(here, have_values=chosen is has_value)
        return values

    def direct(self, cells: Sequence[Array], found: Array | None = None) -> tuple[Array, NDArray[np.bool_]]:
        """Values where no limit is needed, and the mask where the formula is known not to be real."""
        values, certain = extended_values(self.plan, cells, found)
        rest = np.flatnonzero(~certain)
        unreal = np.zeros(values.shape, dtype=bool)
        if rest.size:
            left = [cell[rest] for cell in cells]
            values[rest], unreal[rest] = self.as_written(left)
            beyond = np.flatnonzero(_are_beyond(left, 40 if self.plan is None else self.plan.power))
            values[rest[beyond]] = self.again([cell[beyond] for cell in left], have_values=True)
        return values, unreal

    def as_written(self, cells: Sequence[Array]) -> tuple[Array, NDArray[np.bool_]]:
        """Return the values of the formula in lowest terms, and a mask of tables where it is known not to be real."""
        values = np.array(np.broadcast_to(self.main(*cells), cells[0].shape), dtype=np.float64)
        if self.bound is not None:
            self.refine(values, cells)
        # A divisor may be zero by rounding alone, or 0/0 may look like a pole: exact arithmetic decides.
        infinite = np.flatnonzero(np.isinf(values))
        here = [cell[infinite] for cell in cells]
        doubtful = self.may_be_quotients_of_zeros(here)
        doubtful |= self.extension.vanishes_inside or np.all([cell > 0 for cell in here], axis=0)
        infinite = infinite[doubtful]
        values[infinite] = self.again([cell[infinite] for cell in cells], have_values=True)
        unreal = np.zeros(values.shape, dtype=bool)
        for condition in self.conditions:
            unreal |= condition(*cells) < 0
        values[unreal] = np.nan
        if self.extension.has_two_sided_poles:
            values[np.isinf(values)] = np.nan
        return values, unreal

    def may_be_quotients_of_zeros(self, cells: Sequence[Array]) -> NDArray[np.bool_]:
        """Mask: the formula is infinite, but its numerator may be zero up to rounding."""
        if self.numerator is None:
            return np.zeros(cells[0].shape, dtype=bool)
        above, errors = self.numerator(*cells)
        return np.asarray(np.isfinite(above) & ~(np.abs(above) > errors))

    def refine(self, values: Array, cells: Sequence[Array]) -> None:
        """Recompute in ball arithmetic the values that may have lost digits."""
        if self.bound is None:
            return
        # The bound belongs to an evaluation in a different order, with different cancellation.
        again, errors = self.bound(*cells)
        errors = errors + np.abs(values - again)
        lossy = np.flatnonzero(np.isfinite(values) & ~(errors <= ACCURACY * np.maximum(1.0, np.abs(values))))
        values[lossy] = self.again([cell[lossy] for cell in cells], have_values=True)

    def again(self, cells: list[Array], *, have_values: bool) -> Array:
        """Values in ball or exact arithmetic, each distinct table once."""
        if not cells[0].size:
            return np.empty(0)
        tables, places = np.unique(np.stack(cells), axis=1, return_inverse=True)
        return recompute(self.extension, tables, ACCURACY, have_values=have_values)[places.reshape(-1)]

    def fill(self, values: Array, missing: NDArray[np.intp], cells: list[Array]) -> None:
        """Put limits where the quotient is 0/0 and its limit exists."""
        faces = faces_of(cells)
        for zeros in map(int, np.flatnonzero(np.bincount(faces))):
            if not zeros:
                continue
            # The formula on this face, derived once: its limit, and where it holds.
            face = face_of(self.original, zeros)
            if (limit := self.limit_on(zeros)) is not None:
                chosen = faces == zeros
                here = [cell[chosen] for cell in cells]
                found = limit(*here)
                # Real only at some tables nearby: exact arithmetic confirms each limit.
                if not face.is_real:
                    self.settle(found, here)
                values[missing[chosen]] = found
            # One limit for the whole face: later tables need no further work.
            if face.constant is not None:
                self.known.learn(zeros, face.constant)

    def settle(self, values: Array, cells: list[Array]) -> None:
        """Withdraw limits where exact arithmetic finds the formula real at no nearby table."""
        doubtful = np.zeros(values.shape, dtype=bool)
        for condition in self.conditions:
            doubtful |= condition(*cells) == 0
        for place in np.flatnonzero(doubtful & np.isfinite(values)):
            counts = (Rational(*float(cell[place]).as_integer_ratio()) for cell in cells)
            if not self.extension.is_real_nearby(dict(zip(CELLS, counts, strict=True))):
                values[place] = np.nan

    def is_undefined(self, cells: Sequence[Array]) -> NDArray[np.bool_]:
        """Mask of tables on faces where the formula is known to be undefined everywhere."""
        faces = faces_of(cells)
        known = np.zeros(16, dtype=bool)
        for zeros in map(int, np.flatnonzero(np.bincount(faces))):
            known[zeros] = zeros > 0 and face_of(self.original, zeros).is_undefined
        return np.asarray(known[faces])

    def limit_on(self, zeros: int) -> _Limit | None:
        """Return the limit on a face, given as a bit mask of zero cells; None if there is none."""
        if zeros not in self.limits:
            face = face_of(self.original, zeros)
            self.limits[zeros] = None if face.limit is None else _Limit(special_values(face.limit), face.guards)
        return self.limits[zeros]


class _Limit:
    """A compiled limit on a face; it does not hold where a guard is zero."""

    def __init__(self, kernel: SpecialValues, guards: Sequence[Expr]) -> None:
        self.kernel = kernel
        self.guards = [(_compile(guard), Evaluator(guard, CELLS)) for guard in guards]

    def __call__(self, *cells: Array) -> Array:
        values, _ = self.kernel.direct(cells)
        values[np.isinf(values)] = np.nan
        lost = np.flatnonzero(np.isnan(values))  # cancellation may leave 0/0
        values[lost] = self.kernel.again([cell[lost] for cell in cells], have_values=True)
        values[np.isinf(values)] = np.nan
        for guard, exact in self.guards:
            for place in np.flatnonzero(np.broadcast_to(guard(*cells) == 0, values.shape)):
                if not is_nonzero(exact, [Fraction(float(cell[place])) for cell in cells]):
                    values[place] = np.nan
        return values


@lru_cache(maxsize=1024)
def special_values(formula: Computable) -> SpecialValues:
    """Return the values of a formula at special tables, compiled once."""
    return SpecialValues(formula)


def _compile(expression: Expr) -> Callable[..., Any]:
    function: Callable[..., Any] = lambdify(CELLS, expression, modules="numpy", cse=True)
    return function
