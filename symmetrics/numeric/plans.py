"""Plans: which form of a formula is computed, in which order, and which checks certify the values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import inf
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.precision import ACCURACY, Companion, Precision
from symmetrics.numeric.program import Program, Scaled, compiled_trees
from symmetrics.numeric.rounding_rules import UNIT
from symmetrics.tools.errors import UnsupportedError

if TYPE_CHECKING:
    from sympy import Expr


# -- Programs of the library's formulas, compiled when the package was built: numbers then need no algebra -------------

# Stored for each formula: its plans, its constant limits on whole faces, and the data that intervals need.
# Dataclasses are written by their fields and exact numbers as such, so that decoding gives back equal objects.


DIGITS: Final = 30
"""Decimal digits kept of constants such as log(2); float64 holds 16, extended precision 19."""


@dataclass(frozen=True)
class Constant:
    """A number such as log(2), without SymPy: its digits, and its ``repr``, by which terms are sorted."""

    digits: str
    written: str

    def __repr__(self) -> str:
        return self.written

    def __str__(self) -> str:
        return self.digits

    def __float__(self) -> float:
        return float(self.digits)

    def __gt__(self, other: float) -> bool:
        return float(self) > other

    def evalf(self, _digits: int) -> Constant:
        """Return the number itself; its digits suffice."""
        return self


class LibraryFormula:
    """A formula of the library with its compiled parts; SymPy parses the formula only where these do not suffice.

    It replaces the expression wherever values are computed.

    :param text: the encoded parts, as JSON from :func:`encoded`
    :param load: returns the expression
    """

    def __init__(self, text: str, load: Callable[[], Expr]) -> None:
        self._text = text
        self._load = load
        self._parts: dict[str, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return LibraryFormula, (self._text, self._load)

    @cached_property
    def expression(self) -> Expr:
        """The formula."""
        return self._load()

    @cached_property
    def _data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self._text)
        return data

    def part(self, name: str, *kinds: type) -> Any:
        """Return one compiled part, decoded once; *kinds* as in :func:`decoded`."""
        if name not in self._parts:
            self._parts[name] = decoded(self._data[name], *kinds)
        return self._parts[name]

    @cached_property
    def limits(self) -> dict[int, float]:
        """Faces, as bit masks, on which a nan of the kernel stands for one constant limit."""
        return {int(face): float(value) for face, value in self._data["limits"].items()}

    @property
    def has_kinks(self) -> bool:
        """Whether the formula contains an absolute value or an extreme."""
        return bool(self._data["has_kinks"])

    @property
    def slopes(self) -> str:
        """Source of the function that computes the derivatives."""
        return str(self._data["slopes"])


if TYPE_CHECKING:
    Computable: TypeAlias = Expr | LibraryFormula
    """A formula that can be evaluated."""
else:
    Computable = Any


def expression_of(formula: Computable) -> Expr:
    """Return the expression of a formula, parsed if it is one of the library."""
    return formula.expression if isinstance(formula, LibraryFormula) else formula


def encoded(value: Any) -> Any:
    """Encode a plan, or another record of numbers and programs, as JSON: each record by its fields.

    >>> encoded((Fraction(1, 3), "add", 2, 0.5))
    [{'fraction': '1/3'}, 'add', 2, 0.5]
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if isinstance(value, Program):
        return {"Program": {"operations": encoded(value.operations)}}
    if is_dataclass(value):
        return {type(value).__name__: {field.name: encoded(getattr(value, field.name)) for field in fields(value)}}
    if hasattr(value, "_asdict"):
        return {type(value).__name__: {name: encoded(part) for name, part in value._asdict().items()}}
    if isinstance(value, tuple | list):
        return [encoded(part) for part in value]
    return encoded(Constant(str(value.evalf(DIGITS)), repr(value)))


def decoded(data: Any, *kinds: type) -> Any:
    """Decode what :func:`encoded` returned.

    :param kinds: the classes of the records in it

    >>> decoded([{"fraction": "1/3"}, "add", 2, 0.5])
    (Fraction(1, 3), 'add', 2, 0.5)
    """
    by_name: dict[str, Callable[..., Any]] = {kind.__name__: kind for kind in (*kinds, Constant, Program)}

    def made(data: Any) -> Any:
        if isinstance(data, list):
            return tuple(map(made, data))
        if not isinstance(data, dict):
            return data
        ((name, content),) = data.items()
        if name == "fraction":
            return Fraction(content)
        return by_name[name](**{field: made(part) for field, part in content.items()})

    return made(data)


# ----------------------------------------------------------------------------------------------------------------------


Bounds = tuple[float, float]
"""The smallest and the largest value of a formula."""

ROUNDING: Final = 1e-12
"""Largest distance by which rounding may put a value outside its range."""
_CHEAP: Final = 6.0
"""A form of this cost (in passes) or less is used without comparing it with others."""
_CHECKS: Final = 4.0
"""Cost, in passes, of checking the error bounds of all values."""
_AGAIN: Final = 500.0
"""Cost, in passes, of recomputing a value."""
_SAMPLE: Final = 128
_SEED: Final = 20121
_WHOLE: Final = (48, 24, 16, 12)
"""Largest powers of two of integer counts for which products of two, three and four are exact in short sums."""
SHORT: Final = 26
"""Digits (in bits) of factors whose product is exact in float64."""
_ENOUGH: Final = 60
"""Cells up to this power of two should stay on the fast path."""


@dataclass(frozen=True)
class Output:
    """The computed quantities of one formula: value, error bound and guards.

    :param place: index of the value
    :param companion: error bound, if it has to be checked
    :param guards: condition numbers of divisors, radicands and logarithms; each must stay below a limit
    :param is_nonnegative: whether it is never negative as it is computed
    :param is_at_most_one: whether it is never larger than 1 as it is computed
    :param bounds: the range of the values, None if nothing is known of it
    :param whole: at tables of integers up to this size errors are small, regardless of the companion, if all guards are
        finite
    :param has_exact_poles: whether infinities at such tables without zeros are only logarithms of exact zeros
    :param is_right_of_short: at cells of at most :data:`SHORT` digits errors are small, regardless of the companion;
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
        """The smallest value, if rounding might fall below it."""
        if self.bounds is None or self.bounds[0] == -inf or (self.is_nonnegative and self.bounds[0] <= 0):
            return None
        return self.bounds[0]

    @property
    def upper(self) -> float | None:
        """The largest value, if rounding might exceed it."""
        if self.bounds is None or self.bounds[1] == inf or (self.is_at_most_one and self.bounds[1] >= 1):
            return None
        return self.bounds[1]

    @property
    def places(self) -> tuple[int, ...]:
        """Indices of all computed operations."""
        bound = () if self.companion is None else (self.companion.place,)
        return (self.place, *bound, *(guard.place for guard in self.guards))

    def largest_companion(self, unit: float = UNIT) -> float:
        """Return how large the error bound of a value up to 1 may be for operations with this relative error."""
        return ACCURACY / (unit * self.companion.factor) if self.companion else 0.0


@dataclass(frozen=True, eq=False)
class Plan:
    """One program for some formulas, and the range of cells in which its error analysis holds.

    :param power: cells between 2**-power and 2**power, or zero, neither overflow nor underflow in it
    :param takes_small: whether positive cells may also be as small as floats can be
    :param cost: in passes over memory that is in the cache
    :param forms: the formulas, as trees
    """

    program: Program
    outputs: tuple[Output, ...]
    power: int
    takes_small: bool
    cost: float
    forms: tuple[Scaled, ...]

    @property
    def least(self) -> float:
        """Smallest non-zero cell in the plan's range."""
        return 0.0 if self.takes_small else 2.0**-self.power

    def within(self, bounds: Sequence[Bounds | None]) -> Plan:
        """Return the same plan with the ranges of the values."""
        pairs = zip(self.outputs, bounds, strict=True)
        return replace(self, outputs=tuple(replace(output, bounds=bound) for output, bound in pairs))

    @property
    def places(self) -> tuple[int, ...]:
        """Indices of all computed operations."""
        return tuple(place for output in self.outputs for place in output.places)


@lru_cache(maxsize=1024)
def plan_of(expression: Computable, *, anew: bool = True) -> Plan | None:
    """Return the plan of a formula: the cheapest of several equivalent forms.

    None if it has no form that can be computed so.

    :param anew: whether logarithms may be written by slopes and differences by conjugates, whose derivatives may lose
        the digits that the values keep
    """
    if isinstance(expression, LibraryFormula):
        shipped: Plan | None = expression.part("plan" if anew else "plan_of_slopes", Plan, Output, Companion)
        return shipped
    from symmetrics.numeric.terms import tree_of  # imports SymPy, which precompiled formulas do not need

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
    # The cheapest of several forms, counting the values that would be recomputed.
    if len(plans) < 2:
        return plans[0] if plans else None
    return min(plans, key=lambda plan: (plan.power < _ENOUGH, plan.cost + _AGAIN * _share_left(plan)))


def _forms(expression: Expr, anew: bool) -> Iterator[Expr]:
    """Yield a formula as shown and in lowest terms, each also with its differences rewritten to avoid cancellation.

    In lowest terms roots are those of absolute values, so that this is no choice for a formula that is not real at some
    tables.
    """
    from symmetrics.algebra.limits.extension import extension_of
    from symmetrics.numeric.terms import with_conjugates, with_slopes

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
    """Return the share of some tables at which a value would have to be recomputed."""
    output = plan.outputs[0]
    if output.companion is None:
        return 0.0
    import numpy as np

    from symmetrics.numeric.arrays import interpreted

    random = np.random.default_rng(_SEED)
    cells = np.floor(10 ** random.uniform(0, 5, (4, _SAMPLE))) + 1
    with np.errstate(all="ignore"):
        results = interpreted(plan.program, output.places, list(cells), np.float64)
        most = output.largest_companion() * np.maximum(1.0, np.abs(results[output.place]))
        return float(np.mean(~(results[output.companion.place] <= most)))


def joint_plan(forms: Sequence[Scaled]) -> Plan | None:
    """Return the joint plan of some forms; None if the magnitudes of one of them cannot be bounded."""
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
    # At small integer counts nothing is rounded before the last operations.
    for power in _WHOLE:
        counts = Precision(precision.program, place, whole=power)
        if counts.is_certain_at(power):  # sums and products are exact
            return replace(output, whole=2.0**power, has_exact_poles=counts.has_exact_poles)
    return output


def _is_right_of_short(program: Program, place: int) -> bool:
    """Whether an operation is a sum or difference of two products of at most two cells, involving all cells."""
    name, *arguments = program.operations[place]
    cells = [part for part in program.needed([place]) if program.operations[part][0] == "cell"]
    return name in ("add", "subtract") and len(cells) == 4 and all(_is_short(program, part) for part in arguments)


def _is_short(program: Program, place: int) -> bool:
    """Whether an operation is a cell or a product of two, exact if these have few digits."""
    name, *arguments = program.operations[place]
    return name == "cell" or (name == "multiply" and all(program.operations[part][0] == "cell" for part in arguments))


def is_at_most_one(precision: Precision, place: int) -> bool:
    """Whether a computed value is at most 1, rounding included: rounding is monotone."""
    name, *arguments = precision.program.operations[place]
    if name == "divide":
        return all(map(precision.is_nonnegative, arguments)) and _is_at_most(precision, *arguments)
    return name in ("sqrt", "multiply") and all(
        precision.is_nonnegative(part) and is_at_most_one(precision, part) for part in arguments
    )


def _is_at_most(precision: Precision, left: int, right: int) -> bool:
    """Whether one non-negative operation is at most another one as computed."""
    if left == right:
        return True
    name, *arguments = precision.program.operations[right]
    if not all(map(precision.is_nonnegative, precision.program.arguments(right))):
        return False
    if name == "add" and any(_is_at_most(precision, left, part) for part in arguments):
        return True
    # a + b <= c + d and a*b <= c*d if the parts are, in one of both orders.
    inner, *parts = precision.program.operations[left]
    if name != inner or name not in ("add", "multiply"):
        return False
    return any(
        all(_is_at_most(precision, part, argument) for part, argument in zip(order, arguments, strict=True))
        for order in (parts, parts[::-1])
    )


def _takes_small(program: Program, output: Output) -> bool:
    """Whether a value is accurate for arbitrarily small cells: underflow never reaches a divisor or radicand.

    Sums of floats with whole coefficients are exact then, so that a sum, one over another, or the root of one is right.
    Where nothing is divided at all, what underflows is nothing beside the error that a value may have.
    """
    name, *arguments = program.operations[output.place]
    if name == "divide" or (name == "sqrt" and output.companion is None):
        return _are_sums(program, arguments)
    return _is_polynomial(program, output.place)


def _are_sums(program: Program, places: Sequence[int]) -> bool:
    """Whether operations are sums of cells with integer coefficients."""
    for place in program.needed(places):
        inner, *rest = program.operations[place]
        whole = inner == "number" and isinstance(rest[0], Fraction) and rest[0].denominator == 1
        scaled = inner == "multiply" and any(program.operations[part][0] == "number" for part in rest)
        if not (whole or scaled or inner in ("cell", "add", "subtract", "negative")):
            return False
    return True


def _is_polynomial(program: Program, place: int) -> bool:
    """Whether an operation is built from sums, products, extremes and absolute values."""
    names = (program.operations[part][0] for part in program.needed([place]))
    return all(name not in OPERATIONS or OPERATIONS[name].width is not None for name in names)
