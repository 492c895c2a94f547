"""Specialise programs to one face: substitute zeros, propagate them, and record the remaining conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import inf
from typing import Any, Final, NamedTuple

from sympy import Expr, Rational

from symmetrics.algebra.convert import Conversion, field_for
from symmetrics.language.cells import CELLS
from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.precision import Signs
from symmetrics.numeric.program import Program
from symmetrics.tools.errors import UnsupportedError

INFINITY: Final = "infinity"
NEGATIVE_INFINITY: Final = "negative infinity"
_UNSIGNED: Final = "infinity of a sign that depends on the path"
NAN: Final = "nan"
_TURNED: Final = {INFINITY: NEGATIVE_INFINITY, NEGATIVE_INFINITY: INFINITY, _UNSIGNED: _UNSIGNED, NAN: NAN}

Value = Any
"""The index of an operation, one of four non-finite constants, or a pole."""


class Pole(NamedTuple):
    """An infinite value with the sign of an operation; undefined where that is zero."""

    place: int


class Requirement(NamedTuple):
    """A condition at a table: an operation is ``"zero"``, ``"nonzero"``, ``"positive"`` or ``"nonnegative"``."""

    kind: str
    place: int


class Folded(NamedTuple):
    """The specialisation of a formula to a face.

    :param value: the index of the value among the operations of the folder's program, or a constant
    :param requirements: conditions for the value at tables of the face
    :param sources: the requirements as places of the program that was folded
    :param is_plain: whether the same operations as inside, with zeros for cells, compute it, and nothing is infinite
    """

    value: Value
    requirements: tuple[Requirement, ...]
    sources: frozenset[tuple[str, int]]
    is_plain: bool


class Folder:
    """Specialises programs to faces, all into one program with shared operations.

    :ivar program: where the operations go; cells that are in it are positive
    :ivar has_real_roots: whether it is known otherwise that no root is of a negative number, but for rounding
    """

    def __init__(self, *, has_real_roots: bool) -> None:
        self.program = Program()
        self.has_real_roots = has_real_roots
        self.signs = Signs(self.program)
        self.zero = self.program.add("number", Fraction(0))
        self.one = self.program.add("number", Fraction(1))
        self._zeros: dict[int, bool] = {}

    def fold(self, source: Program, output: int, zero_cells: frozenset[int], also: Iterable[int] = ()) -> Folded:
        """Specialise an operation of another program to a face.

        :param zero_cells: the indices of the cells that are zero
        :param also: operations of this program that are taken for zero as well
        """
        step = _Step(self, source, frozenset(also))
        values: dict[int, Value] = {}
        for place in source.needed([output]):
            name, arguments, rest = source.parts(place)
            if arguments:
                values[place] = step.apply(name, place, [values[part] for part in arguments], list(rest))
            else:
                is_zero = name == "cell" and rest[0] in zero_cells
                values[place] = self.zero if is_zero else self.program.add(name, *rest)
        value = NAN if values[output] == _UNSIGNED else values[output]
        return Folded(value, tuple(dict.fromkeys(step.requirements)), frozenset(step.sources), step.is_plain)

    def is_zero(self, value: Value) -> bool:
        """Whether an operation is identically zero, proved symbolically if necessary."""
        if not isinstance(value, int) or 0 not in self.signs.of(value):
            return False
        if value not in self._zeros:
            self._zeros[value] = value == self.zero or _is_identically_zero(expression_at(self.program, value))
        return self._zeros[value]


class _Step:
    """One specialisation: its conditions, and whether any non-finite value occurred."""

    def __init__(self, folder: Folder, source: Program, also: frozenset[int]) -> None:
        self.folder = folder
        self.program = folder.program
        self.source = source
        self.inside = Signs(source)
        self.also = also
        self.requirements: list[Requirement] = []
        self.sources: set[tuple[str, int]] = set()
        self.is_plain = True
        self.here = 0

    def apply(self, name: str, here: int, arguments: list[Value], extra: list[Any]) -> Value:
        """Apply an operation to values, by the rules of floating-point arithmetic at zero and infinity."""
        self.here = here
        value = self._applied(name, arguments, extra)
        if not isinstance(value, int):
            self.is_plain = False
        elif value in self.also:
            return self.folder.zero
        return value

    def _applied(self, name: str, arguments: list[Value], extra: list[Any]) -> Value:
        if NAN in arguments:
            return NAN
        rule = _RULES.get(name)
        return self.function(name, arguments[0], extra) if rule is None else rule(self, *arguments)

    def added(self, left: Value, right: Value) -> Value:
        for one, other in ((left, right), (right, left)):
            if not isinstance(one, int):
                is_certain = isinstance(other, int) or (other == one and one in (INFINITY, NEGATIVE_INFINITY))
                return one if is_certain else NAN
            if one == self.folder.zero:
                return other
        return self.exact("add", left, right)

    def subtracted(self, left: Value, right: Value) -> Value:
        if isinstance(left, int) and left == right:
            return self.folder.zero
        if right == self.folder.zero:
            return left
        if not (isinstance(left, int) and isinstance(right, int)) or left == self.folder.zero:
            return self.added(left, self.negative(right))
        return self.exact("subtract", left, right)

    def multiplied(self, left: Value, right: Value) -> Value:
        for one, other in ((left, right), (right, left)):
            if not isinstance(one, int):
                return self.turned(one, other)
        for one, other in ((left, right), (right, left)):
            if one == self.folder.zero:
                return one
            if one == self.folder.one:
                return other
        return self.exact("multiply", left, right)

    def turned(self, infinite: Value, by: Value) -> Value:
        """Multiply an infinite value by another value."""
        if _UNSIGNED in (infinite, by):
            return self.turned_by_chance(by if infinite == _UNSIGNED else infinite)
        if isinstance(infinite, Pole):
            infinite, by = by, infinite.place
            if isinstance(infinite, int):
                product = self.multiplied(infinite, by)
                return NAN if self.folder.is_zero(product) else Pole(product)
        if not isinstance(by, int):
            return (
                self.turned(by, infinite) if isinstance(by, Pole) else infinite if by == INFINITY else _TURNED[infinite]
            )
        if self.folder.is_zero(by):
            return NAN
        signs = self.folder.signs.of(by)
        if signs <= {1, -1} and len(signs) == 1:
            return infinite if signs == {1} else _TURNED[infinite]
        return Pole(by if infinite == INFINITY else self.negative(by))

    def turned_by_chance(self, by: Value) -> Value:
        """Multiply an infinite value, whose sign depends on the path, by a value that must not be zero."""
        is_nonzero = 0 not in self.folder.signs.of(by) if isinstance(by, int) else not isinstance(by, Pole)
        return _UNSIGNED if is_nonzero else NAN

    def divided(self, above: Value, below: Value) -> Value:
        # x/oo is 0; oo/oo is undefined.
        if isinstance(below, Pole):
            self.require("nonzero", below.place)
        if not isinstance(below, int):
            return self.folder.zero if isinstance(above, int) else NAN
        # x/0 is infinite, with the signs that the divisor has as it tends to 0.
        if self.folder.is_zero(below):
            self.is_plain = False
            return self.turned(self.reciprocal_of_zero(), above)
        if 0 in self.folder.signs.of(below):
            self.require("nonzero", below)
        if not isinstance(above, int):
            return self.turned(above, below)
        if above == below:
            return self.folder.one
        if above == self.folder.zero or below == self.folder.one:
            return above
        return self.exact("divide", above, below)

    def reciprocal_of_zero(self) -> str:
        """Return one over a divisor that tends to zero, with the signs that it has at positive cells."""
        signs = self.inside.of(self.source.arguments(self.here)[1])
        if {-1, 1} <= signs:
            return _UNSIGNED
        return NEGATIVE_INFINITY if -1 in signs else INFINITY

    def negative(self, value: Value) -> Value:
        if isinstance(value, Pole):
            return Pole(self.negative(value.place))
        if not isinstance(value, int):
            return _TURNED[value]
        if value == self.folder.zero:
            return value
        name, *arguments = self.program.operations[value]
        if name == "negative":
            return arguments[0]
        if name == "number":
            return self.program.add("number", -arguments[0])
        return self.program.add("negative", value)

    def extreme(self, name: str, left: Value, right: Value) -> Value:
        large = INFINITY if name == "maximum" else NEGATIVE_INFINITY
        if isinstance(left, Pole) or isinstance(right, Pole):
            return NAN
        for one, other in ((left, right), (right, left)):
            if one == large:
                return one
            if one == _UNSIGNED and other != large:
                return NAN
            if one == _TURNED[large]:
                return other
            if one == self.folder.zero and isinstance(other, int):
                signs = self.folder.signs.of(other)
                if signs <= {0, 1}:
                    return other if name == "maximum" else one
                if signs <= {0, -1}:
                    return one if name == "maximum" else other
        return left if left == right else self.program.add(name, left, right)

    def product_difference(self, *cells: int) -> Value:
        left, right = self.multiplied(*cells[:2]), self.multiplied(*cells[2:])
        if self.folder.zero in (left, right):
            return self.subtracted(left, right)
        return self.folder.zero if left == right else self.program.add("product_difference", *cells)

    def log_ratio(self, above: Value, below: Value, difference: Value) -> Value:
        if not (isinstance(above, int) and isinstance(below, int) and isinstance(difference, int)):
            return self.function("log", self.divided(above, below), [])
        for value, result in ((below, INFINITY), (above, NEGATIVE_INFINITY)):
            if self.folder.is_zero(value):
                return NAN if self.folder.is_zero(above) and self.folder.is_zero(below) else result
        if above == below:
            return self.folder.zero
        for value in (above, below):
            if not self.folder.signs.is_positive(value):
                self.require("positive", value)
        return self.program.add("log_ratio", above, below, difference)

    def require(self, kind: str, place: int) -> None:
        self.requirements.append(Requirement(kind, place))
        self.sources.add((kind, self.here))

    def function(self, name: str, value: Value, extra: list[Any]) -> Value:
        """Return a function of one argument, by its values at 0, 1 and the infinities.

        Roots of what rounding makes negative are those of zero.
        """
        operation, ends = OPERATIONS[name], OPERATIONS[name].ends(*extra)
        if not isinstance(value, int):
            sides = {INFINITY: [inf], NEGATIVE_INFINITY: [-inf]}.get(value, [inf, -inf])
            found = {ends.get(side) for side in sides}  # for an infinity of unknown sign both values have to agree
            if len(found) == 1 and isinstance(value, Pole):
                self.require("nonzero", value.place)
            return self.constant(found.pop() if len(found) == 1 else None)
        signs = self.folder.signs.of(value)
        if self.folder.is_zero(value):
            return self.constant(ends.get(0.0))
        if value == self.folder.one and 1.0 in ends:
            return self.constant(ends[1.0])
        if name == "abs" and signs <= {0, 1}:
            return value
        if signs == {-1} and not operation.is_real_below_zero:
            return NAN
        if operation.is_infinite_at_zero(*extra):
            if signs != {1}:
                self.require("positive", value)
        elif -1 in signs and not operation.is_real_below_zero and not self.folder.has_real_roots:
            self.require("nonnegative", value)
        return self.program.add(name, value, *extra)

    def constant(self, value: float | None) -> Value:
        """Return the value of an operation if it is the same at all tables, else None."""
        if value is None:
            return NAN
        if value in (inf, -inf):
            return INFINITY if value > 0 else NEGATIVE_INFINITY
        return self.program.add("number", Fraction(value))

    def exact(self, name: str, left: int, right: int) -> Value:
        """Add an operation, evaluated at once if its arguments are numbers."""
        numbers = [self.program.operations[place] for place in (left, right)]
        if all(op[0] == "number" and isinstance(op[1], Fraction) for op in numbers):
            return self.program.add("number", OPERATIONS[name].expression(*(op[1] for op in numbers)))
        return self.program.add(name, left, right)


_RULES: Final[Mapping[str, Callable[..., Value]]] = {
    "add": _Step.added,
    "subtract": _Step.subtracted,
    "multiply": _Step.multiplied,
    "divide": _Step.divided,
    "negative": _Step.negative,
    "minimum": lambda step, left, right: step.extreme("minimum", left, right),
    "maximum": lambda step, left, right: step.extreme("maximum", left, right),
    "log_ratio": _Step.log_ratio,
    "product_difference": _Step.product_difference,
}
"""Rules for operations on zeros and infinities; other operations are functions of one argument."""


def expression_at(program: Program, place: int) -> Expr:
    """Convert an operation to an expression over the cells."""
    found: dict[int, Expr] = {}
    for here in program.needed([place]):
        name, parts, rest = program.parts(here)
        if name == "cell":
            found[here] = CELLS[rest[0]]
        elif name == "number":
            found[here] = _exact(rest[0])
        else:
            found[here] = OPERATIONS[name].expression(*(found[part] for part in parts), *map(_exact, rest))
    return found[place]


def _exact(value: Any) -> Expr:
    return Rational(value.numerator, value.denominator) if isinstance(value, Fraction) else value


def _is_identically_zero(expression: Expr) -> bool:
    try:
        return bool(Conversion(field_for())(expression).is_zero)
    except UnsupportedError:
        return False
