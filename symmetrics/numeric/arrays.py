"""Programs run by NumPy: block by block, in a few arrays that stay in the cache and are used again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from symmetrics.numeric.expressions import LETTERS
from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.plans import SHORT, Output, Plan
from symmetrics.numeric.precision import GUARD
from symmetrics.numeric.program import Program
from symmetrics.numeric.rounding_rules import Array, number_value

_SMALLEST_BLOCK: Final = 1 << 13
_LARGEST_BLOCK: Final = 1 << 15
"""Tables of a block; with 2**13 or 2**17 formulas such as F1 and MCC take a fifth to two fifths longer."""
_BYTES: Final = 1 << 23
"""Bytes of all arrays of a block together, which should stay in a cache."""
_LARGEST: Final = float(np.finfo(np.float64).max)


def _called(name: str) -> str:
    """Return what an operation is called in a block, where ``abs`` is Python's own."""
    return f"{name}_"


class ArrayKernel:
    """A plan as a function that fills one block.

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
        exec(compile(self.source, "<kernel>", "exec"), scope)  # written here, of operations that are listed here
        self.run: Callable[..., tuple[bool, ...]] = scope["block"]
        self.constants = constants
        numbers = _BYTES // 8 // (4 + len(plan.outputs) + self.scratch)
        self.block = min(_LARGEST_BLOCK, max(_SMALLEST_BLOCK, 1 << numbers.bit_length() - 1))

    def looked_at(
        self, number: int, block: Sequence[Array], outputs: Sequence[Array], scratch: Sequence[Array]
    ) -> list[Array]:
        """Return what bounds the errors of one output, after a run."""
        named = dict(zip(LETTERS, block, strict=True)) | {f"out{place}": each for place, each in enumerate(outputs)}
        named |= {f"r{place}": each for place, each in enumerate(scratch)} | self.constants
        return [named[name] for name in self.checked[number]]


class _Writer:
    """Writes the source of a block: operations in an order that keeps few arrays alive."""

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
            self.free.append("out0")  # all that is alive when the value comes is what it is made of
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
        weight: dict[int, int] = {}
        for place in self.program.needed(self.plan.places):
            parts = self.program.arguments(place)
            weight[place] = 1 + sum(weight[part] for part in parts)
            for part in parts:
                self.uses[part] = self.uses.get(part, 0) + 1
        seen = set[int]()

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
        # The result may go where an argument was that nothing else needs.
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
        """Copy what is a cell, a number, or the value of another output as well."""
        is_plain = self.program.operations[place][0] in ("cell", "number")
        if is_plain or targets[place] != target:
            self.lines.append(f"copyto({target}, {self.home(place) if is_plain else targets[place]})")

    def may_return_early(self) -> bool:
        """Whether cells of few digits need no look at the errors of the one value."""
        only, *others = self.plan.outputs
        is_free = only.lower is None and only.upper is None
        return not others and self.plan.takes_small and is_free and only.is_right_of_short

    def short_check(self) -> str:
        """Say that all cells have few digits and no sign, and that no value is infinite or nan, as no cell is then."""
        sign, tail = 1 << 63, (1 << 53 - SHORT) - 1
        self.constants["others"] = np.uint64(sign | tail)
        cells = " and ".join(f"not either({name}.view(bits)) & others" for name in LETTERS)
        return f"{cells} and abs(total('i->', out0)) <= {_LARGEST!r}"

    def cells_check(self) -> str:
        upper = 2.0**self.plan.power
        if self.plan.takes_small:  # as whole numbers without a sign, all that is negative, infinite or nan is larger
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
                # What is infinite or nan shows in the sum, which takes half as long as looking at both ends.
                checks.append(f"abs(total('i->', {name})) <= {_LARGEST!r}")
            else:
                low = -_LARGEST if low is None and not output.is_nonnegative else low
                high = _LARGEST if high is None else high
        checks += [f"least({name}) >= {low!r}"] if low is not None else []
        checks += [f"most({name}) <= {high!r}"] if high is not None else []
        return " and ".join(checks) or "True"

    def may_have_no_value(self, output: Output) -> bool:
        """Whether a value may be nan or infinite in a clean block without a companion that says so."""
        is_quotient = self.program.operations[output.place][0] == "divide"
        needed = self.program.needed([output.place])
        has_slope = any(self.program.base_of_slope(place) is not None for place in needed)
        return output.companion is None and ((self.plan.takes_small and is_quotient) or has_slope)
