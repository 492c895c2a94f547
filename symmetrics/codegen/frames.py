"""Recipes as expressions of data frames: of polars, and of Narwhals for whatever frames that has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from math import inf
from types import MappingProxyType
from typing import Any, Final

from symmetrics.codegen.folding import INFINITY, Requirement
from symmetrics.codegen.recipe import Case, Recipe, Zeros
from symmetrics.numeric.operations import product_difference
from symmetrics.numeric.precision import Signs
from symmetrics.numeric.rounding_rules import number_value
from symmetrics.tools.errors import InputError

_TESTS: Final[dict[str, Callable[[Any], Any]]] = {
    "nonzero": lambda part: part != 0,
    "zero": lambda part: part == 0,
    "positive": lambda part: part > 0,
    "nonnegative": lambda part: part >= 0,
}


def frame_expression(recipe: Recipe, columns: Sequence[str], library: Any) -> Any:
    """Return an expression over the columns of a frame, null where there is no value.

    :param columns: the names of the four columns
    :param library: ``polars`` or ``narwhals``
    :raises InputError: on a name that the library takes for a pattern of names
    """
    return _FrameWriter(recipe, columns, library).whole()


class _FrameWriter:
    def __init__(self, recipe: Recipe, columns: Sequence[str], library: Any) -> None:
        self.recipe = recipe
        self.program = recipe.program
        self.library = library
        self.signs = Signs(recipe.program)
        self.cells = [_column(name, library).cast(library.Float64) for name in columns]
        self.known: dict[int, Any] = {}

    def whole(self) -> Any:
        least, most = self.recipe.least, self.recipe.most
        valid = [((cell == 0) | (cell >= least)) & (cell >= 0) & (cell <= most) for cell in self.cells]
        return self.chosen(reduce(lambda left, right: left & right, valid), self.branches(), None)

    def branches(self) -> Any:
        *special, last = self.recipe.branches
        value = self.cases(last.cases)
        for branch in reversed(special):
            where = reduce(lambda left, right: left | right, map(self.zeros, branch.where))
            value = self.chosen(where, self.cases(branch.cases), value)
        return value

    def zeros(self, zeros: Zeros) -> Any:
        tests = [self.cells[place] == 0 for place in sorted(zeros.zero)]
        tests += [self.cells[place] > 0 for place in sorted(zeros.nonzero)]
        return reduce(lambda left, right: left & right, tests)

    def cases(self, cases: Sequence[Case]) -> Any:
        if not cases:
            return None
        first, *rest = cases
        return self.case(first.requirements, first.value, self.cases(rest))

    def case(self, requirements: Sequence[Requirement], value: int | str, other: Any) -> Any:
        if requirements:
            first, *rest = requirements
            test = _TESTS[first.kind](self.value(first.place))
            return self.chosen(test, self.case(rest, value, other), other)
        if isinstance(value, str):
            return self.number(inf if value == INFINITY else -inf)
        return self.value(value)

    def chosen(self, test: Any, value: Any, other: Any) -> Any:
        nothing = self.library.lit(None, dtype=self.library.Float64)
        found = self.library.when(test).then(nothing if value is None else value)
        return found.otherwise(nothing if other is None else other)

    def number(self, value: float) -> Any:
        return self.library.lit(value, dtype=self.library.Float64)

    def value(self, place: int) -> Any:
        if place not in self.known:
            name, arguments, rest = self.program.parts(place)
            if name == "cell":
                self.known[place] = self.cells[rest[0]]
            elif name == "number":
                self.known[place] = self.number(number_value(rest[0]))
            else:
                parts = [self.value(part) for part in arguments]
                if self.signs.are_clipped(place):
                    parts[0] = self.library.max_horizontal(parts[0], self.number(0.0))
                self.known[place] = FRAME_OPERATIONS[name](self, *parts, *map(float, rest))
        return self.known[place]

    def log_ratio(self, above: Any, below: Any, difference: Any) -> Any:
        """Return log(a/b) from the difference as well, which has its digits where a/b is close to 1."""
        share = difference / (above + below)
        return self.chosen(share.abs() < 0.5, 2.0 * self.inverse_tangent(share), (above / below).log())

    def inverse_tangent(self, share: Any) -> Any:
        """Return the inverse hyperbolic tangent: half of the logarithm of 1 + x, x = 2s/(1 - s), with its digits."""
        if hasattr(share, "arctanh"):
            return share.arctanh()
        x = 2.0 * share / (1.0 - share)
        rounded = 1.0 + x
        kept = self.chosen(rounded == 1.0, self.number(1.0), rounded - 1.0)  # what the sum has kept of x
        return 0.5 * self.chosen(rounded == 1.0, x, rounded.log() * (x / kept))


FRAME_OPERATIONS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        "add": lambda _, a, b: a + b,
        "subtract": lambda _, a, b: a - b,
        "multiply": lambda _, a, b: a * b,
        "divide": lambda _, a, b: a / b,
        "negative": lambda _, a: 0.0 - a,
        "sqrt": lambda _, a: a.sqrt(),
        "power": lambda _, a, exponent: a**exponent,
        "log": lambda _, a: a.log(),
        "abs": lambda _, a: a.abs(),
        "minimum": lambda write, a, b: write.library.min_horizontal(a, b),
        "maximum": lambda write, a, b: write.library.max_horizontal(a, b),
        "log_ratio": _FrameWriter.log_ratio,
        "product_difference": lambda _, *parts: product_difference(*parts),
    }
)
"""How each operation is written, from the writer and its arguments."""


def _column(name: str, library: Any) -> Any:
    """Return the column of exactly this name.

    :raises InputError: on a name that stands for a pattern, if the library knows no other way to name a column
    """
    if not (name == "*" or (name.startswith("^") and name.endswith("$"))):
        return library.col(name)
    if hasattr(library, "selectors") and hasattr(library.selectors, "by_name"):
        return library.selectors.by_name(name).as_expr()
    raise InputError(
        f"the column {name!r} cannot be named in an expression of {library.__name__}, which takes it for a pattern; "
        "rename it first, as in frame.rename({...})"
    )
