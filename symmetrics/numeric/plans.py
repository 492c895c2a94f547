"""Plans: which of the forms of a formula is computed, in which order, and what has to be looked at to trust it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Final

from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.precision import ACCURACY, Companion, Precision
from symmetrics.numeric.program import Program, Scaled, compiled_trees
from symmetrics.numeric.programs import Computable, LibraryFormula
from symmetrics.numeric.rounding_rules import UNIT
from symmetrics.tools.errors import UnsupportedError

if TYPE_CHECKING:
    from sympy import Expr


Bounds = tuple[float, float]
"""The least and the largest value that a formula has."""

ROUNDING: Final = 1e-12
"""How far outside of its range rounding may put a value."""
_CHEAP: Final = 6.0
"""A form of at most so many passes is not worth a look at another one."""
_CHECKS: Final = 4.0
"""What it costs to look at the errors of all values."""
_AGAIN: Final = 500.0
"""What it costs to compute a value again."""
_SAMPLE: Final = 128
_SEED: Final = 20121
_WHOLE: Final = (48, 24, 16, 12)
"""Powers of two up to which whole counts, and products of two, three and four, are exact in sums of a few."""
SHORT: Final = 26
"""Binary digits that two factors may have, so that their product is exact in float64."""
_ENOUGH: Final = 60
"""Cells up to this power of two should not leave the fast way."""


@dataclass(frozen=True)
class Output:
    """What is computed of one formula.

    :param place: its value
    :param companion: what bounds its error, if that has to be looked at
    :param guards: what must not be large: how much larger divisors and the like are than what cancelled in them
    :param is_nonnegative: whether it is never negative as it is computed
    :param is_at_most_one: whether it is never larger than 1 as it is computed
    :param bounds: the range of the values, None if nothing is known of it
    :param whole: at tables of whole numbers up to this errors are small, whatever the companion says, if all guards are
        finite
    :param has_exact_poles: whether infinite values at such tables without zeros are logarithms of what is exactly zero
    :param is_right_of_short: at cells of at most :data:`SHORT` digits errors are small, whatever the companion says;
        cells that are infinite or nan make the value so
    """

    place: int
    companion: Companion | None
    guards: tuple[Companion, ...]
    is_nonnegative: bool
    is_at_most_one: bool
    bounds: Bounds | None = None
    whole: float | None = None
    has_exact_poles: bool = False
    is_right_of_short: bool = False

    @property
    def lower(self) -> float | None:
        """The least value, if rounding might go below it."""
        if self.bounds is None or self.bounds[0] == -inf or (self.is_nonnegative and self.bounds[0] <= 0):
            return None
        return self.bounds[0]

    @property
    def upper(self) -> float | None:
        """The largest value, if rounding might go above it."""
        if self.bounds is None or self.bounds[1] == inf or (self.is_at_most_one and self.bounds[1] >= 1):
            return None
        return self.bounds[1]

    @property
    def places(self) -> tuple[int, ...]:
        """Everything that is computed."""
        bound = () if self.companion is None else (self.companion.place,)
        return (self.place, *bound, *(guard.place for guard in self.guards))

    def largest_companion(self, unit: float = UNIT) -> float:
        """Return how large the companion of a value up to 1 may be, with roundings of this relative error."""
        return ACCURACY / (unit * self.companion.factor) if self.companion else 0.0


@dataclass(frozen=True, eq=False)
class Plan:
    """One program for some formulas, and the cells for which it is right.

    :param power: cells between 2**-power and 2**power, or zero, neither overflow nor underflow in it
    :param takes_small: whether positive cells may also be as small as floats can be
    :param cost: in passes over memory that is in the cache
    :param forms: what is computed, as trees
    """

    program: Program
    outputs: tuple[Output, ...]
    power: int
    takes_small: bool
    cost: float
    forms: tuple[Scaled, ...]

    @property
    def least(self) -> float:
        """How small a cell may be that is not zero."""
        return 0.0 if self.takes_small else 2.0**-self.power

    def within(self, bounds: Sequence[Bounds | None]) -> Plan:
        """Return the same plan with the ranges of the values."""
        pairs = zip(self.outputs, bounds, strict=True)
        return replace(self, outputs=tuple(replace(output, bounds=bound) for output, bound in pairs))

    @property
    def places(self) -> tuple[int, ...]:
        """Everything that is computed."""
        return tuple(place for output in self.outputs for place in output.places)


@lru_cache(maxsize=1024)
def plan_of(expression: Computable, *, anew: bool = True) -> Plan | None:
    """Return how a formula is computed: in the form, of some that are equal, that takes the fewest passes.

    None if it has no form that can be computed so.

    :param anew: whether logarithms may be written by slopes and differences by conjugates, whose derivatives may lose
        the digits that the values keep
    """
    if isinstance(expression, LibraryFormula):
        shipped: Plan | None = expression.part("plan" if anew else "plan_of_slopes", Plan, Output, Companion)
        return shipped
    from symmetrics.numeric.terms import tree_of  # with SymPy, which what is compiled already does not need

    plans: list[Plan] = []
    for form in _forms(expression, anew):
        try:
            plan = joint_plan([tree_of(form)])
        except UnsupportedError:
            continue
        if plan is not None:
            plans.append(plan)
            if plan.cost <= _CHEAP and plan.power >= _ENOUGH:
                break
    # Of several forms the cheapest, values that would be computed again counted.
    if len(plans) < 2:
        return plans[0] if plans else None
    return min(plans, key=lambda plan: (plan.power < _ENOUGH, plan.cost + _AGAIN * _share_left(plan)))


def _forms(expression: Expr, anew: bool) -> Iterator[Expr]:
    """Yield a formula as it is shown and in lowest terms, each as it is and with its differences written anew.

    In lowest terms roots are those of absolute values, so that this is no choice for a formula that is not real at some
    tables.
    """
    from symmetrics.algebra.limits.extension import extension_of
    from symmetrics.numeric.conjugates import with_conjugates
    from symmetrics.numeric.log_slopes import with_slopes

    for is_shown in (True, False):
        try:
            if not is_shown and extension_of(expression).conditions:
                continue
            form = expression if is_shown else extension_of(expression).expression
            written = (with_slopes(form, mixed=False), with_slopes(form, mixed=True), with_conjugates(form))
        except UnsupportedError:
            continue
        yield from dict.fromkeys((form, *written) if anew else (form,))


def _share_left(plan: Plan) -> float:
    """Return at how many of some tables a value would have to be computed again, as a share of them."""
    output = plan.outputs[0]
    if output.companion is None:
        return 0.0
    import numpy as np

    from symmetrics.numeric.interpreted import interpreted

    random = np.random.default_rng(_SEED)
    cells = np.floor(10 ** random.uniform(0, 5, (4, _SAMPLE))) + 1
    with np.errstate(all="ignore"):
        results = interpreted(plan.program, output.places, list(cells), np.float64)
        most = output.largest_companion() * np.maximum(1.0, np.abs(results[output.place]))
        return float(np.mean(~(results[output.companion.place] <= most)))


def joint_plan(forms: Sequence[Scaled]) -> Plan | None:
    """Return the plan of some forms together; None if the magnitudes of one of them cannot be told."""
    program = Program()
    places = compiled_trees(program, list(forms))
    precisions = [Precision(program, place) for place in places]
    if not all(precision.ranges for precision in precisions):
        return None
    power = min(precision.static_range or precision.ranges[0] for precision in precisions)
    outputs = tuple(map(_output, precisions))
    cost = program.cost(place for output in outputs for place in output.places)
    cost += _CHECKS * sum(output.companion is not None for output in outputs)
    small = all(_takes_small(program, output) for output in outputs)
    return Plan(program, outputs, power, small, cost, tuple(forms))


def _output(precision: Precision) -> Output:
    place = precision.output
    facts = precision.is_nonnegative(place), is_at_most_one(precision, place)
    if precision.static_range is not None:
        return Output(place, None, (), *facts)
    short = _is_right_of_short(precision.program, place)
    output = Output(
        place, precision.companion(place), tuple(precision.guards.values()), *facts, is_right_of_short=short
    )
    # At small whole counts nothing is rounded before the last operations.
    for power in _WHOLE:
        counts = Precision(precision.program, place, whole=power)
        if counts.is_certain_at(power):  # sums and products are exact
            return replace(output, whole=2.0**power, has_exact_poles=counts.has_exact_poles)
    return output


def _is_right_of_short(program: Program, place: int) -> bool:
    """Whether an operation is a sum or difference of two products of one or two cells, and of all cells."""
    name, *arguments = program.operations[place]
    cells = [part for part in program.needed([place]) if program.operations[part][0] == "cell"]
    return name in ("add", "subtract") and len(cells) == 4 and all(_is_short(program, part) for part in arguments)


def _is_short(program: Program, place: int) -> bool:
    """Whether an operation is a cell or the product of two, which no rounding touches if they are short."""
    name, *arguments = program.operations[place]
    return name == "cell" or (name == "multiply" and all(program.operations[part][0] == "cell" for part in arguments))


def is_at_most_one(precision: Precision, place: int) -> bool:
    """Whether a value is at most 1 in floating point, too: rounding keeps the order of what it rounds."""
    name, *arguments = precision.program.operations[place]
    if name == "divide":
        return all(map(precision.is_nonnegative, arguments)) and _is_at_most(precision, *arguments)
    return name in ("sqrt", "multiply") and all(
        precision.is_nonnegative(part) and is_at_most_one(precision, part) for part in arguments
    )


def _is_at_most(precision: Precision, left: int, right: int) -> bool:
    """Whether one operation that is not negative is at most another as they are computed."""
    if left == right:
        return True
    name, *arguments = precision.program.operations[right]
    if not all(map(precision.is_nonnegative, precision.program.arguments(right))):
        return False
    if name == "add" and any(_is_at_most(precision, left, part) for part in arguments):
        return True
    # a + b <= c + d and a b <= c d if the parts are, in one of both orders.
    inner, *parts = precision.program.operations[left]
    if name != inner or name not in ("add", "multiply"):
        return False
    return any(
        all(_is_at_most(precision, part, argument) for part, argument in zip(order, arguments, strict=True))
        for order in (parts, parts[::-1])
    )


def _takes_small(program: Program, output: Output) -> bool:
    """Whether a value is right however small the cells are: what underflows in it never comes into a divisor or root.

    Sums of floats with whole coefficients are exact then, so that a sum, one over another, or the root of one is right.
    Where nothing is divided at all, what underflows is nothing beside the error that a value may have.
    """
    name, *arguments = program.operations[output.place]
    if name == "divide" or (name == "sqrt" and output.companion is None):
        return _are_sums(program, arguments)
    return _is_polynomial(program, output.place)


def _are_sums(program: Program, places: Sequence[int]) -> bool:
    """Whether operations are sums of cells with whole coefficients."""
    for place in program.needed(places):
        inner, *rest = program.operations[place]
        whole = inner == "number" and isinstance(rest[0], Fraction) and rest[0].denominator == 1
        scaled = inner == "multiply" and any(program.operations[part][0] == "number" for part in rest)
        if not (whole or scaled or inner in ("cell", "add", "subtract", "negative")):
            return False
    return True


def _is_polynomial(program: Program, place: int) -> bool:
    """Whether an operation is made of sums, products, extremes and absolute values."""
    names = (program.operations[part][0] for part in program.needed([place]))
    return all(name not in OPERATIONS or OPERATIONS[name].width is not None for name in names)
