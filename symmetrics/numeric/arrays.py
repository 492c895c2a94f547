"""NumPy evaluation of programs: block by block, in a few scratch arrays that stay in the cache."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.plans import SHORT, Output, Plan
from symmetrics.numeric.precision import GUARD
from symmetrics.numeric.program import Program
from symmetrics.numeric.rounding_rules import DIGITS, UNIT, Array, Bounded, number_value
from symmetrics.numeric.source import LETTERS

_SMALLEST_BLOCK: Final = 1 << 13
_LARGEST_BLOCK: Final = 1 << 16
"""Tables per block, doubled for few arrays; half as many make F1 with zero cells 40 % slower."""
_FEW: Final = 6
"""Arrays (times tables) of a small block."""
_BYTES: Final = 1 << 23
"""Largest size in bytes of all arrays of a block together, so that they stay in a cache."""
_LARGEST: Final = float(np.finfo(np.float64).max)


def _called(name: str) -> str:
    """Name of an operation in the block's source (``abs`` would be Python's own)."""
    return f"{name}_"


class ArrayKernel:
    """A plan compiled to a function that fills one block.

    :ivar run: ``run(tp, fn, fp, tn, outputs, scratch)`` with four float64 arrays of one length; it fills the outputs
        and what bounds their errors, and returns first whether all cells are in the range of the plan, and then for
        each output whether all of its values are trusted as they are
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.source, constants, self.scratch, self.checked = _Writer(plan).source()
        scope: dict[str, Any] = {
            "np": np,
            "least": np.minimum.reduce,
            "most": np.maximum.reduce,
            "total": np.einsum,
            "either": np.bitwise_or.reduce,
            "bits": np.uint64,
            "copyto": np.copyto,
            **{_called(name): each.of_arrays or getattr(np, each.numpy) for name, each in OPERATIONS.items()},
            **constants,
        }
        exec(compile(self.source, "<kernel>", "exec"), scope)  # generated source, never user input
        self.run: Callable[..., tuple[bool, ...]] = scope["block"]
        self.constants = constants
        arrays = 4 + len(plan.outputs) + self.scratch
        numbers = _BYTES // 8 // arrays
        largest = _LARGEST_BLOCK * (2 if arrays <= _FEW else 1)
        self.block = min(largest, max(_SMALLEST_BLOCK, 1 << numbers.bit_length() - 1))

    def looked_at(
        self, number: int, block: Sequence[Array], outputs: Sequence[Array], scratch: Sequence[Array]
    ) -> list[Array]:
        """Error bounds of one output after a run: companion and guards, which decide whether its values are certain."""
        named = dict(zip(LETTERS, block, strict=True)) | {f"out{place}": each for place, each in enumerate(outputs)}
        named |= {f"r{place}": each for place, each in enumerate(scratch)} | self.constants
        return [named[name] for name in self.checked[number]]


class _Writer:
    """Generates the source of a block: operations in an order that keeps few arrays alive."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.program: Program = plan.program
        self.lines: list[str] = []
        self.constants: dict[str, Any] = {}
        self.free: list[str] = []
        self.made = 0
        self.homes: dict[int, str] = {}
        self.order: list[int] = []
        self.uses: dict[int, int] = {}

    def source(self) -> tuple[str, dict[str, Any], int, list[tuple[str, ...]]]:
        outputs = self.plan.outputs
        self.schedule()
        kept = {place for output in outputs for place in output.places[1:]}
        for place in kept:
            self.uses[place] = self.uses.get(place, 0) + 1
        targets: dict[int, str] = {}
        for number, output in enumerate(outputs):
            targets.setdefault(output.place, f"out{number}")
            self.uses[output.place] = self.uses.get(output.place, 0) + 1
        if len(outputs) == 1 and not kept:
            self.free.append("out0")  # when the value is computed only its arguments are still alive
        for place in self.order:
            self.emit(place, targets)
            if place == outputs[0].place and self.may_return_early():
                self.lines += [f"if {self.short_check()}:", "    return True, True"]
        for number, output in enumerate(outputs):
            self.deliver(output.place, f"out{number}", targets)
        checked = [tuple(self.home(place) for place in output.places[1:]) for output in outputs]
        names = ", ".join(f"out{number}" for number in range(len(outputs)))
        scratch = "".join(f"r{number}, " for number in range(self.made))
        head = ["def block(tp, fn, fp, tn, outputs, scratch):", f"    {names}, = outputs"]
        head += [f"    {scratch}= scratch"] if scratch else []
        body = [f"    {line}" for line in self.lines]
        checks = [self.cells_check(), *(self.output_check(o, f"out{i}") for i, o in enumerate(outputs))]
        return "\n".join([*head, *body, f"    return {', '.join(checks)},"]), self.constants, self.made, checked

    def schedule(self) -> None:
        """Order operations depth first, the argument that needs more first, and count how often each is used.

        Few intermediate values are alive at a time (Sethi & Ullman 1970).
        """
        # The size of each operation's expression tree, and how often its result is used.
        weight: dict[int, int] = {}
        for place in self.program.needed(self.plan.places):
            parts = self.program.arguments(place)
            weight[place] = 1 + sum(weight[part] for part in parts)
            for part in parts:
                self.uses[part] = self.uses.get(part, 0) + 1
        seen = set[int]()

        # Depth first, larger subtrees first: fewer intermediate arrays are alive at once (as in Sethi & Ullman 1970).
        def visit(place: int) -> None:
            if place in seen:
                return
            seen.add(place)
            for part in sorted(self.program.arguments(place), key=lambda part: -weight[part]):
                visit(part)
            self.order.append(place)

        for place in self.plan.places:
            visit(place)

    def home(self, place: int) -> str:
        name, *arguments = self.program.operations[place]
        if name == "cell":
            return LETTERS[arguments[0]]
        if name == "number":
            return self.constant(number_value(arguments[0]))
        return self.homes[place]

    def constant(self, value: float) -> str:
        for name, known in self.constants.items():
            if known == value:
                return name
        name = f"c{len(self.constants)}"
        self.constants[name] = np.float64(value)
        return name

    def emit(self, place: int, targets: dict[int, str]) -> None:
        name, *arguments = self.program.operations[place]
        if name in ("cell", "number"):
            return
        parts = self.program.arguments(place)
        sources = [self.home(part) for part in parts]
        released = []
        for part in parts:
            self.uses[part] -= 1
            if self.uses[part] == 0 and part in self.homes:
                released.append(self.homes[part])
        # The result may overwrite an argument that nothing else needs.
        self.free += dict.fromkeys(released)
        target = targets.get(place) or self.register(released)
        if target in self.free:
            self.free.remove(target)
        self.homes[place] = target
        if name == "power":
            sources.append(self.constant(float(arguments[1])))
        self.lines.append(f"{_called(name)}({', '.join(sources)}, out={target})")

    def register(self, released: list[str]) -> str:
        for name in (*released, *reversed(self.free)):
            if name in self.free:
                return name
        self.made += 1
        return f"r{self.made - 1}"

    def deliver(self, place: int, target: str, targets: dict[int, str]) -> None:
        """Copy an output that is a bare cell, a constant, or equal to another output."""
        is_plain = self.program.operations[place][0] in ("cell", "number")
        if is_plain or targets[place] != target:
            self.lines.append(f"copyto({target}, {self.home(place) if is_plain else targets[place]})")

    def may_return_early(self) -> bool:
        """Whether cells of few digits make the error check of a single output unnecessary."""
        only, *others = self.plan.outputs
        is_free = only.lower is None and only.upper is None
        return not others and self.plan.takes_small and is_free and only.is_right_of_short

    def short_check(self) -> str:
        """Source of the quick check: all cells short and non-negative, all values finite."""
        sign, tail = 1 << 63, (1 << 53 - SHORT) - 1
        self.constants["others"] = np.uint64(sign | tail)
        cells = " and ".join(f"not either({name}.view(bits)) & others" for name in LETTERS)
        return f"{cells} and abs(total('i->', out0)) <= {_LARGEST!r}"

    def cells_check(self) -> str:
        upper = 2.0**self.plan.power
        if self.plan.takes_small:  # as unsigned integers, negative numbers, infinities and nan are larger
            self.constants["largest"] = np.float64(upper).view(np.uint64)
            return " and ".join(f"most({name}.view(bits)) <= largest" for name in LETTERS)
        low = repr(2.0**-self.plan.power)
        return " and ".join(f"least({name}) >= {low} and most({name}) <= {upper!r}" for name in LETTERS)

    def output_check(self, output: Output, name: str) -> str:
        checks = []
        if output.companion is not None:
            checks.append(f"most({self.home(output.companion.place)}) <= {output.largest_companion()!r}")
        checks += [f"most({self.home(guard.place)}) <= {GUARD!r}" for guard in output.guards]
        low, high = output.lower, output.upper
        if self.may_have_no_value(output):
            if low is None and high is None and not output.is_nonnegative:
                # An infinity or nan shows in the sum, which takes half the time of computing both extremes.
                checks.append(f"abs(total('i->', {name})) <= {_LARGEST!r}")
            else:
                low = -_LARGEST if low is None and not output.is_nonnegative else low
                high = _LARGEST if high is None else high
        checks += [f"least({name}) >= {low!r}"] if low is not None else []
        checks += [f"most({name}) <= {high!r}"] if high is not None else []
        return " and ".join(checks) or "True"

    def may_have_no_value(self, output: Output) -> bool:
        """Whether a value in a clean block may be nan or infinite without a companion to show it."""
        is_quotient = self.program.operations[output.place][0] == "divide"
        needed = self.program.needed([output.place])
        has_slope = any(self.program.base_of_slope(place) is not None for place in needed)
        return output.companion is None and ((self.plan.takes_small and is_quotient) or has_slope)


# ----------------------------------------------------------------------------------------------------------------------
# Interpreter of programs on whole arrays: any float type, any array library, or with running error bounds.


def interpreted(
    program: Program, places: Iterable[int], cells: Sequence[NDArray[np.float64]], kind: Any
) -> dict[int, Any]:
    """Values of operations at arrays of cells in a NumPy dtype.

    >>> program = Program()
    >>> total = program.add("add", program.add("cell", 0), program.add("cell", 1))
    >>> interpreted(program, [total], np.ones((4, 2)), np.longdouble)[total].tolist() == [2, 2]
    True
    """
    size = cells[0].size

    def number(value: Any) -> Any:
        return np.full(size, _number(value, kind), dtype=kind)

    return computed(
        program, list(places), [cell.astype(kind) for cell in cells], number, lambda name: OPERATIONS[name].function
    )


def computed(
    program: Program,
    wanted: Sequence[int],
    cells: Sequence[Any],
    number: Callable[[Any], Any],
    function: Callable[[str], Callable[..., Any]],
) -> dict[int, Any]:
    """Values of the wanted operations, releasing intermediate ones as early as possible.

    :param number: returns the array for an exact number
    :param function: returns the function of arrays that an operation is, by its name
    """
    order = program.needed(wanted)
    uses = Counter([*wanted, *(part for place in order for part in program.arguments(place))])
    results: dict[int, Any] = {}
    for place in order:
        name, parts, rest = program.parts(place)
        if not parts:
            results[place] = cells[rest[0]] if name == "cell" else number(rest[0])
            continue
        results[place] = function(name)(*(results[part] for part in parts), *map(number, rest))
        for part in parts:
            uses[part] -= 1
            if not uses[part]:
                del results[part]
    return results


def _number(value: Any, kind: Any) -> Any:
    """Round an exact number to a dtype."""
    if hasattr(value, "evalf"):
        return kind(str(value.evalf(30)))
    return kind(str(value.numerator)) / kind(str(value.denominator))


def with_errors(
    program: Program, output: int, cells: Sequence[Array], *, are_exact_sums_known: bool = True
) -> tuple[Array, Array]:
    """Return values of an operation in float64 with bounds of their absolute errors (running error analysis).

    Cells are exact.  Each operation adds the error that its arguments make in it, by the rule of its record, and its
    own rounding (Wilkinson 1986).  Where something is divided by an exact zero, both are nan.

    :param are_exact_sums_known: whether sums and products of whole numbers below 2**53 count as exact, as they are

    >>> program = Program()
    >>> third = program.add("divide", program.add("number", Fraction(1)), program.add("cell", 0))
    >>> value, error = with_errors(program, third, [np.array([3.0])])
    >>> bool(0 < error[0] < 1e-16)
    True
    """
    found: dict[int, Bounded] = {}
    for place in program.needed([output]):
        name, arguments, rest = program.parts(place)
        if name == "cell":
            found[place] = cells[rest[0]], np.zeros_like(cells[0])
        elif name == "number":
            nearest = number_value(rest[0])
            is_exact = are_exact_sums_known and rest[0] == Fraction(nearest)
            value = np.full_like(cells[0], nearest)
            found[place] = value, np.zeros_like(value) if is_exact else UNIT * np.abs(value)
        else:
            operation = OPERATIONS[name]
            parts = [found[part] for part in arguments]
            extra = [float(number) for number in rest]
            value = parts[0][0] ** extra[0] if extra else operation.function(*(number for number, _ in parts))
            if name == "divide":  # by an exact zero: the caller has checked the divisors
                value = np.where((parts[1][0] == 0) & (parts[1][1] == 0), np.nan, value)
            own = operation.rounding * UNIT * np.abs(value)
            if are_exact_sums_known and operation.rounding and operation.width is not None:
                own = np.where(_are_whole(value, parts), 0.0, own)
            found[place] = value, operation.error(value, *parts, *extra) + own
    return found[output]


def _are_whole(value: Array, parts: Sequence[Bounded]) -> NDArray[np.bool_]:
    """Mask: exact integers whose result fits in 53 bits."""
    exact = np.abs(value) < 2.0**DIGITS
    for number, error in parts:
        exact &= (error == 0) & (number == np.floor(number))
    return np.asarray(exact)


# ----------------------------------------------------------------------------------------------------------------------
# Derivatives of programs, as further operations of the same program, so that shared subexpressions are computed once.

# The chain rule runs from the value back to the cells, so that all four derivatives together take a few times as many
# operations as the value (Griewank & Walther 2008, chapter 3).


Term = tuple[int, int | None]
"""A sign, and the index of an added or subtracted operation; None is the number one."""


def slopes_of(program: Program, output: int, inputs: list[int]) -> list[int]:
    """Return the indices of the derivatives of one operation by some others, which are added to the program.

    At a kink of an absolute value or an extreme that is the mean of the one-sided derivatives.

    >>> from symmetrics.numeric.source import assignments
    >>> program = Program()
    >>> x, y = program.add("cell", 0), program.add("cell", 1)
    >>> assignments(program, slopes_of(program, program.add("divide", x, y), [x, y]))
    ['t2 = tp / fn', 't4 = (1.0) / fn', 't5 = t2 * t4', 't6 = -t5']
    """
    return _Backwards(program, output, inputs).slopes()


class _Backwards:
    def __init__(self, program: Program, output: int, inputs: list[int]) -> None:
        self.program = program
        self.inputs = inputs
        self.order = program.needed([output])
        self.varying = set(inputs)
        for place in self.order:
            if any(part in self.varying for part in program.arguments(place)):
                self.varying.add(place)
        # Constants have no derivative.
        self.terms: dict[int, list[Term]] = {output: [(1, None)]} if output in self.varying else {}

    def slopes(self) -> list[int]:
        # Reverse accumulation: the slope of each operation is complete before those of its arguments are.
        for place in reversed(self.order):
            if place in self.terms and place not in self.inputs:
                for part, term in self.parts(place, self.gathered(self.terms[place])):
                    if part in self.varying:
                        self.terms.setdefault(part, []).append(term)
        return [self.placed(self.gathered(self.terms[place])) if place in self.terms else self.number(0)
                for place in self.inputs]  # fmt: skip

    def number(self, value: int | Fraction) -> int:
        return self.program.add("number", Fraction(value))

    def placed(self, term: Term) -> int:
        sign, place = term
        if place is None:
            return self.number(sign)
        return place if sign > 0 else self.program.add("negative", place)

    def gathered(self, terms: list[Term]) -> Term:
        """Sum some terms, those with a plus sign before those with a minus sign."""
        sign, total = sorted(terms, key=lambda term: -term[0])[0]
        for other, place in sorted(terms, key=lambda term: -term[0])[1:]:
            left = self.number(1) if total is None else total
            right = self.number(1) if place is None else place
            total = self.program.add("add" if other == sign else "subtract", left, right)
        return sign, total

    def times(self, place: int | None, factor: int) -> int:
        return factor if place is None else self.program.add("multiply", place, factor)

    def over(self, place: int | None, divisor: int) -> int:
        """Return a quotient as a product with the reciprocal, which several quotients share."""
        return self.times(place, self.program.add("divide", self.number(1), divisor))

    def parts(self, place: int, slope: Term) -> Iterator[tuple[int, Term]]:
        """Yield the arguments of an operation, each with its contribution to the derivative (chain rule)."""
        name, *arguments = self.program.operations[place]
        sign, outer = slope
        rule = OPERATIONS[name].slopes
        if rule is None:
            raise AssertionError(name)
        for part, (turned, inner) in zip(arguments, rule(self, outer, place, *arguments), strict=False):
            yield part, (sign * turned, inner)
