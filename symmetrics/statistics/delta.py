"""The delta method on a variance-stabilising scale fitted to the range."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache, reduce
from math import isfinite
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from symmetrics.data.counts import FloatArray
from symmetrics.numeric.arrays import ArrayKernel, interpreted, slopes_of
from symmetrics.numeric.native import CHUNK, DOUBTFUL, THREADED, NativeKernel, module_of, native_kernel, processors
from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.plans import Computable, Output, Plan, plan_of
from symmetrics.numeric.precision import Companion, Precision
from symmetrics.numeric.program import Program
from symmetrics.numeric.trust import KnownLimits, doubtful
from symmetrics.statistics.intervals import NEAREST, SMALLEST, Estimator, Formula, Groups, Range, Scale, put_around

# -- One compiled loop for the ends of many intervals: on the scale, within the range and around the estimates ---------


@cache
def loop_of(bounds: Range) -> ModuleType:
    """Return a module with ``fill(values, growth, estimates, lows, highs)``, compiled by numba.

    *growth* is the exponential of the reach on the scale; the reach itself if the range has no end.  An estimate that
    is nan moves no end, and is left as it is.
    """
    return module_of(_source(bounds))


def _source(bounds: Range) -> str:
    least, most = bounds
    # Both ends finite: the scale is the logit of (value - least)/width; its inverse needs one exponential.
    if isfinite(least) and isfinite(most):
        width = most - least
        nearest = NEAREST * width
        body = [
            f"left = max(value - {least!r}, {nearest!r})",
            f"right = max({most!r} - value, {nearest!r})",
            f"low = {least!r} + {width!r} * left / (left + right * grown)",
            f"high = {most!r} - {width!r} * right / (right + left * grown)",
        ]
    # One end finite: the scale is the logarithm of the distance from it.
    elif isfinite(least):
        body = [f"gap = max(value - {least!r}, {SMALLEST!r})"]
        body += [f"low = {least!r} + gap / grown", f"high = {least!r} + gap * grown"]
    elif isfinite(most):
        body = [f"gap = max({most!r} - value, {SMALLEST!r})"]
        body += [f"low = {most!r} - gap * grown", f"high = {most!r} - gap / grown"]
    # No finite end: the scale is the value itself.
    else:
        body = ["low = value - grown", "high = value + grown"]
    # The loop: ends on the scale, clipped to the range, and moved around the estimate.
    lines = [
        "import numba",
        "from math import inf",
        "@numba.njit(error_model='numpy', cache=True, nogil=True)",
        "def fill(values, growth, estimates, lows, highs):",
        "    for i in range(values.size):",
        "        value, grown, estimate = values[i], growth[i], estimates[i]",
        *(f"        {line}" for line in body),
        f"        estimate = {least!r} if estimate < {least!r} else estimate",
        f"        estimate = {most!r} if estimate > {most!r} else estimate",
        f"        low = {least!r} if not low >= {least!r} else low",
        f"        high = {most!r} if not high <= {most!r} else high",
        "        estimates[i] = estimate",
        "        lows[i] = estimate if estimate < low else low",
        "        high = estimate if estimate > high else high",
        "        highs[i] = lows[i] if high < lows[i] else high",
        "",
    ]
    return "\n".join(lines)


# ----------------------------------------------------------------------------------------------------------------------
# Values of formulas with their standard errors in one pass: value and derivatives share common subexpressions.


_POWERS: Final = (53, 30, 20)
"""Largest powers of two that the cells may have, tried in turn."""
_LARGEST: Final = 1000.0
"""Powers of two beyond which overflow or underflow is possible."""


class Tangents:
    """Computes values and their standard errors on a scale, for tables with a pseudo-count added to each cell."""

    def __init__(self, kernel: ArrayKernel | NativeKernel) -> None:
        self.kernel = kernel
        self.plan = kernel.plan

    @property
    def is_native(self) -> bool:
        """Whether the loops are compiled, and therefore run in several threads."""
        return isinstance(self.kernel, NativeKernel)

    def fill(self, cells: Sequence[FloatArray], values: FloatArray, errors: FloatArray) -> NDArray[np.intp]:
        """Fill two arrays, a block at a time; return the indices of values that are not certainly accurate."""
        outputs = [values, errors]
        if isinstance(self.kernel, NativeKernel):
            chunks, marks = self.kernel.run(cells, outputs, [KnownLimits()] * len(outputs))
            if not chunks.any():
                return np.empty(0, dtype=np.intp)
            looked_at = np.repeat(chunks != 0, CHUNK)[: values.size]
            return np.flatnonzero(looked_at & (marks == DOUBTFUL).any(axis=0))
        scratch = [np.empty(values.size) for _ in range(self.kernel.scratch)]
        clean, *trusted = self.kernel.run(*cells, outputs, scratch)
        if clean and all(trusted):
            return np.empty(0, dtype=np.intp)
        within = np.maximum.reduce(list(cells)) <= 2.0**self.plan.power
        places = []
        for number, (output, found) in enumerate(zip(self.plan.outputs, outputs, strict=True)):
            checked = self.kernel.looked_at(number, cells, outputs, scratch)
            places.append(doubtful(output, found, checked, within))
        return _together(places)


def _together(places: Sequence[NDArray[np.intp]]) -> NDArray[np.intp]:
    return np.unique(np.concatenate(places))


def tangents(formula: Formula, groups: Groups, added: float, cells: Sequence[FloatArray]) -> Tangents | None:
    """Compile a formula to :class:`Tangents` on the scale of the range; None if the formula has no plan.

    :param groups: which sums of cells are fixed
    :param added: pseudo-count added to each cell
    :param cells: some tables
    """
    plan = _plan(formula.expression, formula.range, groups, added)
    return None if plan is None else Tangents(native_kernel(plan, cells) or _array_kernel(plan))


@lru_cache(maxsize=256)
def _array_kernel(plan: Plan) -> ArrayKernel:
    return ArrayKernel(plan)


@lru_cache(maxsize=256)
def _plan(expression: Computable, bounds: Range, groups: Groups, added: float) -> Plan | None:
    """Return the plan of a formula and of its standard error, if nothing in it can overflow."""
    plan = plan_of(expression, anew=False)
    if plan is None:
        return None
    # 1. The value at cells with the pseudo-count added.
    program = Program()
    number = program.add("number", Fraction(added))
    cells = [program.add("add", program.add("cell", place), number) for place in range(4)]
    output = _moved(plan, program, cells)
    # 2. Its derivatives, and from these the variance of the linearised value.
    slopes = slopes_of(program, output.place, cells)
    variance = _variance(program, cells, slopes, groups, is_free_of_size=is_free_of_size(plan))
    # 3. The largest cells for which nothing overflows.
    power = next((k for k in _POWERS if k <= plan.power and _fits(program, output.place, variance, k)), 0)
    # 4. The standard error on the scale of the range.
    error = _on_scale(program, output.place, program.add("sqrt", variance), bounds)
    outputs = (output, Output(error, None, (), is_nonnegative=True, is_at_most_one=False))
    cost = program.cost(place for each in outputs for place in each.places)
    return Plan(program, outputs, power, takes_small=True, cost=cost, forms=plan.forms) if power else None


@lru_cache(maxsize=256)
def error_program(expression: Computable, groups: Groups) -> tuple[Program, int] | None:
    """Return a program for the standard error of a value by the delta method; None if the formula has no plan.

    They take cells that are positive, to which what is to be added was added, and are in no range's scale.

    :param groups: which sums of cells are fixed
    """
    plan = plan_of(expression, anew=False)
    if plan is None:
        return None
    program = Program()
    cells = [program.add("cell", place) for place in range(4)]
    slopes = slopes_of(program, _moved(plan, program, cells).place, cells)
    variance = _variance(program, cells, slopes, groups, is_free_of_size=is_free_of_size(plan))
    return program, program.add("sqrt", variance)


def _moved(plan: Plan, program: Program, cells: list[int]) -> Output:
    """Add the operations of a plan to a program, with its cells replaced by other operations."""
    moved: dict[int, int] = {}
    for place in plan.program.needed(plan.places):
        name, *rest = plan.program.operations[place]
        if name == "cell":
            moved[place] = cells[rest[0]]
            continue
        parts = plan.program.arguments(place)
        moved[place] = program.add(name, *(moved[part] for part in parts), *rest[len(parts) :])

    def there(companion: Companion) -> Companion:
        return Companion(moved[companion.place], companion.factor)

    output = plan.outputs[0]
    companion = None if output.companion is None else there(output.companion)
    return replace(output, place=moved[output.place], companion=companion, guards=tuple(map(there, output.guards)))


def _on_scale(program: Program, value: int, error: int, bounds: Range) -> int:
    """Return the index of an error times the derivative of :class:`Scale`."""
    finite = [place for place in (0, 1) if np.isfinite(bounds[place])]
    if not finite:
        return error
    width = Fraction(bounds.high) - Fraction(bounds.low) if len(finite) == 2 else Fraction(1)
    nearest = program.add("number", width * Fraction(NEAREST) if len(finite) == 2 else Fraction(SMALLEST))
    gaps = []
    for place in finite:
        end = program.add("number", Fraction(bounds[place]))
        gap = program.add("subtract", end, value) if place else program.add("subtract", value, end)
        gaps.append(program.add("maximum", gap, nearest))
    if width != 1:
        error = program.add("multiply", error, program.add("number", width))
    return program.add("divide", error, reduce(lambda left, right: program.add("multiply", left, right), gaps))


def _variance(program: Program, cells: list[int], slopes: list[int], groups: Groups, *, is_free_of_size: bool) -> int:
    """Return the index of the variance of the linearised value: cells are multinomial within each group.

    Of a formula that is the same for multiples of a table the mean of the slopes, weighted by the cells, is 0 (Euler).
    """
    zero = program.add("number", Fraction(0))

    def total(places: list[int]) -> int:
        return reduce(lambda left, right: program.add("add", left, right), places)

    # Per group of n examples: sum of x*(d - mean)**2, with mean = sum(x*d)/n, over its entries.
    parts = []
    for group in groups:
        moving = [place for place in group if slopes[place] != zero]
        still = [cells[place] for place in group if slopes[place] == zero]
        if not moving:
            continue
        # Euler: for a function of degree 0 over all cells the mean is 0, and nothing is subtracted.
        mean = None
        if not is_free_of_size or len(group) < len(cells):
            weighted = total([program.add("multiply", cells[place], slopes[place]) for place in moving])
            mean = program.add("divide", weighted, total([cells[place] for place in group]))
        for place in moving:
            centred = slopes[place] if mean is None else program.add("subtract", slopes[place], mean)
            parts.append(program.add("multiply", cells[place], program.add("multiply", centred, centred)))
        # Entries with slope 0 contribute x*mean**2 each.
        if still and mean is not None:
            parts.append(program.add("multiply", total(still), program.add("multiply", mean, mean)))
    return total(parts) if parts else zero


def is_free_of_size(plan: Plan) -> bool:
    """Whether the operations of a plan show that its value is invariant under scaling of the table.

    >>> from symmetrics.language.cells import FN, TN, TP
    >>> [is_free_of_size(plan_of(formula)) for formula in (TP / (TP + FN), TP - FN, TP / (TN + 1))]
    [True, False, False]
    """
    degrees: dict[int, Fraction | None] = {}
    for place in plan.program.needed([plan.outputs[0].place]):
        name, *rest = plan.program.operations[place]
        if name in ("cell", "number"):
            degrees[place] = Fraction(name == "cell")
            continue
        parts = [degrees[part] for part in plan.program.arguments(place)]
        known = [part for part in parts if part is not None]
        exponent = Fraction(rest[-1]) if name == "power" else Fraction(1)
        degrees[place] = OPERATIONS[name].degree(known, exponent) if len(known) == len(parts) else None
    return degrees[plan.outputs[0].place] == 0


def _fits(program: Program, value: int, variance: int, power: int) -> bool:
    """Whether cells up to a power of two cause neither overflow nor underflow."""
    precision = Precision(program, value)
    precision.companion(value)  # called for the guards of divisors that it adds
    for place in program.needed([variance]):
        low, high = precision.magnitude(place, power)
        if high > _LARGEST or (low is not None and low < -_LARGEST):
            return False
    return True


# ----------------------------------------------------------------------------------------------------------------------


ADDED: Final = 0.25
"""Pseudo-count per cell, so that no share is 0: 1/4 keeps the level at small counts, 1/2 is conservative.

An entry gets the part of it that its estimator says.
"""

_BLOCK: Final = 1 << 14
"""Tables per step, so that intermediate arrays stay in the processor's cache."""


def delta(
    estimator: Estimator, entries: Sequence[FloatArray], groups: Groups, level: float, estimates: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the ends of the interval that is symmetric on the scale of the range, and the standard error there.

    The ends lie within the range and around the estimates, which are put into the range as well.

    :param entries: tables: flat arrays, one for each entry
    :param groups: which sums of entries are fixed
    :param estimates: the values of the tables
    """
    size = entries[0].size
    low, high, error = np.empty(size), np.empty(size), np.empty(size)
    added, bounds = ADDED * estimator.share, estimator.range
    fused = tangents(estimator, groups, added, entries) if isinstance(estimator, Formula) else None
    is_native = fused is not None and fused.is_native
    z = float(ndtri((1 + level) / 2))

    # One thread's share, in blocks that fit the cache.
    def part(first: int, stop: int) -> None:
        values, reach = np.empty(_BLOCK), np.empty(_BLOCK)
        with np.errstate(all="ignore"):
            for start in range(first, stop, _BLOCK):
                here = slice(start, min(start + _BLOCK, stop))
                middle = values[: here.stop - start]
                # 1. Values and standard errors, on the scale of the range.
                _tangents_of(estimator, fused, [entry[here] for entry in entries], groups, middle, error[here])
                # 2. Half-width z times the error; its exponential for the logit and the logarithm.
                far = np.multiply(z, error[here], out=reach[: middle.size])
                # 3. The ends by the inverse of the scale, clipped to the range, around the estimates.
                if is_native:
                    growth = np.exp(far, out=far) if np.isfinite(bounds).any() else far
                    loop_of(bounds).fill(middle, growth, estimates[here], low[here], high[here])
                else:
                    Scale(bounds).ends(middle, far, low[here], high[here])
                    put_around(estimates[here], low[here], high[here], bounds)

    # Blocks are independent, so threads may share them out.
    threads = min(processors(), 2 * size // THREADED) if is_native and size >= THREADED else 1
    if threads < 2:
        part(0, size)
    else:
        step = -(-size // (threads * _BLOCK)) * _BLOCK
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda first: part(first, min(first + step, size)), range(0, size, step)))
    return low, high, error


def _tangents_of(
    estimator: Estimator,
    fused: Tangents | None,
    block: Sequence[FloatArray],
    groups: Groups,
    values: FloatArray,
    errors: FloatArray,
) -> None:
    """Fill in values and standard errors on the scale; entries that one pass leaves uncertain by slower arithmetic."""
    left = slice(None) if fused is None else fused.fill(block, values, errors)
    if isinstance(left, slice) or left.size:
        moved = np.stack([entry[left] for entry in block]) + ADDED * estimator.share
        values[left] = estimator.values(moved)
        errors[left] = _error_of(estimator, moved, groups) * Scale(estimator.range).slope(values[left])


def _error_of(estimator: Estimator, entries: FloatArray, groups: Groups) -> FloatArray:
    """Recompute standard errors that one pass leaves uncertain, with more digits.

    At a kink the slopes are the means of those on both sides, where the derivative as a formula has none.
    """
    found = error_program(estimator.expression, groups) if isinstance(estimator, Formula) else None
    if found is None:
        return standard_error(estimator, entries, groups)
    program, place = found
    errors = interpreted(program, [place], list(entries), np.longdouble)[place]
    return np.asarray(errors, dtype=np.float64)


def standard_error(estimator: Estimator, entries: FloatArray, groups: Groups) -> FloatArray:
    """Return the standard error of the value, for multinomial entries: the root of the variance of its linearisation.

    Where sums of entries are fixed, each group varies by itself.
    """
    slopes = estimator.slopes(entries)
    variance = np.zeros(entries.shape[1:])
    for group in groups:
        chosen = list(group)
        total = entries[chosen].sum(axis=0)
        # Multinomial shares p of n examples: the variance of the tangent is n*(sum(p*d**2) - sum(p*d)**2).
        share = np.divide(entries[chosen], total, out=np.zeros_like(entries[chosen]), where=total > 0)
        centred = slopes[chosen] - (slopes[chosen] * share).sum(axis=0)
        variance += total * (centred**2 * share).sum(axis=0)
    return np.sqrt(variance)
