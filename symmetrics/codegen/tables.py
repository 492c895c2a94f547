"""Recipes as SQL expressions, built as sqlglot trees, never by pasting text; and as data frame expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partialmethod, reduce
from math import inf
from types import MappingProxyType
from typing import Any, Final

from symmetrics.codegen.folding import INFINITY, Requirement
from symmetrics.codegen.recipe import Branch, Case, Recipe, Zeros
from symmetrics.numeric.operations import product_difference
from symmetrics.numeric.precision import Signs
from symmetrics.numeric.rounding_rules import number_value
from symmetrics.tools.errors import InputError, UnsupportedError

DIALECTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "duckdb": "Infinity",
        "postgres": "Infinity",
        "sqlite": "",
        "bigquery": "inf",
        "snowflake": "inf",
        "spark": "Infinity",
    }
)
"""The dialects, with a literal for infinity; SQLite has none, but reads a number that is too large as infinite."""

_DEEPEST: Final = 24


def sql_expression(recipe: Recipe, dialect: str, columns: Sequence[str]) -> str:
    """Return one expression of SQL.

    :param dialect: one of :data:`DIALECTS`
    :param columns: the names of the four columns
    :raises InputError: without sqlglot
    :raises UnsupportedError: on what the dialect cannot read
    """
    try:
        from sqlglot import expressions
    except ImportError:
        raise InputError('SQL is written by sqlglot, which is missing; pip install "symmetrics[sql]"') from None
    tree = _SqlWriter(recipe, dialect, columns, expressions).whole()
    if dialect == "sqlite" and _depth(tree) > _DEEPEST:
        raise UnsupportedError(
            "in SQLite it is nested too deeply: parsers before version 3.46 have a stack of a hundred places; take "
            "another dialect, or compute it from the counts with from_counts"
        )
    found: str = tree.sql(dialect=dialect)
    return found


def _depth(tree: Any) -> int:
    """Return the nesting depth of an expression on the stack of SQLite's parser."""
    deepest, pending = 0, [(tree, 0)]
    while pending:
        node, depth = pending.pop()
        depth += type(node).__name__ in ("Paren", "Case", "Coalesce", "Greatest", "Least", "Ln", "Sqrt", "Anonymous")
        deepest = max(deepest, depth)
        pending += [(child, depth) for child in node.iter_expressions()]
    return deepest


class _SqlWriter:
    """Builds SQL trees; a part is rebuilt for each use, as a sqlglot node has only one parent."""

    def __init__(self, recipe: Recipe, dialect: str, columns: Sequence[str], expressions: Any) -> None:
        self.recipe = recipe
        self.program = recipe.program
        self.dialect = dialect
        self.columns = columns
        self.exp = expressions
        self.signs = Signs(recipe.program)

    def whole(self) -> Any:
        """Return the value where all cells are valid counts, and NULL elsewhere."""
        return self.chosen([(self.all(map(self.is_count, range(4))), self.branches(self.recipe.branches))])

    def is_count(self, place: int) -> Any:
        least, most = self.recipe.least, self.recipe.most
        inside = self.exp.Between(this=self.given(place), low=self.bound(least), high=self.bound(most))
        if not least:
            return inside
        is_zero = self.exp.EQ(this=self.given(place), expression=self.bound(0.0))
        return self.exp.Paren(this=self.exp.Or(this=is_zero, expression=inside))

    def given(self, place: int) -> Any:
        """Return a column for comparison with bounds: in SQLite uncast, as text that is not a number casts to 0.

        There a text is compared with a number as the number that it is, and is larger than all if it is none.
        """
        return self.column(place) if self.dialect == "sqlite" else self.cell(place)

    def bound(self, value: float) -> Any:
        number = self.exp.Literal.number(repr(value) if value else "0")
        return self.double(number) if self.dialect == "sqlite" else number

    def branches(self, branches: Sequence[Branch]) -> Any:
        *special, last = [(branch, self.cases(branch.cases)) for branch in branches]
        if not special:
            return last[1]
        return self.chosen([(self.where(branch.where), value) for branch, value in special], last[1])

    def where(self, where: Sequence[Zeros]) -> Any:
        tests = [self.zeros(zeros) for zeros in where]
        return reduce(lambda left, right: self.exp.Or(this=left, expression=right), tests)

    def zeros(self, zeros: Zeros) -> Any:
        named = sorted(zeros.zero | zeros.nonzero)
        return self.all([self.compared("EQ" if place in zeros.zero else "GT", self.cell(place)) for place in named])

    def cases(self, cases: Sequence[Case]) -> Any:
        """Return the value of the first case that holds; a case with NULL in its tests does not hold."""
        values = [self.case(case.requirements, case.value) for case in cases]
        if not values:
            return self.exp.Null()
        return values[0] if len(values) == 1 else self.exp.Coalesce(this=values[0], expressions=values[1:])

    def case(self, requirements: Sequence[Requirement], value: int | str) -> Any:
        if requirements:
            first, *rest = requirements
            kind = {"nonzero": "NEQ", "zero": "EQ", "positive": "GT", "nonnegative": "GTE"}[first.kind]
            return self.chosen([(self.compared(kind, self.value(first.place)), self.case(rest, value))])
        if isinstance(value, str):
            return self.infinity(is_negative=value != INFINITY)
        name, *arguments = self.program.operations[value]
        return self.double(self.number(number_value(arguments[0]))) if name == "number" else self.value(value)

    def infinity(self, *, is_negative: bool) -> Any:
        text = DIALECTS[self.dialect]
        positive = self.double(self.exp.Literal.string(text)) if text else self.exp.Literal.number("9e999")
        return self.exp.Neg(this=positive) if is_negative else positive

    def cell(self, place: int) -> Any:
        """Return a column as floating point: integers would use integer division, and overflow."""
        return self.double(self.column(place))

    def column(self, place: int) -> Any:
        return self.exp.column(self.exp.to_identifier(self.columns[place], quoted=True))

    def double(self, inner: Any) -> Any:
        return self.exp.Cast(this=inner, to=self.exp.DataType.build("double"))

    def number(self, value: float) -> Any:
        literal = self.exp.Literal.number(repr(abs(value)))
        return self.exp.Neg(this=literal) if value < 0 else literal

    def compared(self, kind: str, left: Any) -> Any:
        return getattr(self.exp, kind)(this=left, expression=self.exp.Literal.number("0"))

    def all(self, conditions: Any) -> Any:
        return reduce(lambda left, right: self.exp.And(this=left, expression=right), conditions)

    def chosen(self, pairs: Sequence[tuple[Any, Any]], default: Any = None) -> Any:
        return self.exp.Case(ifs=[self.exp.If(this=test, true=value) for test, value in pairs], default=default)

    def binary(self, kind: str, left: Any, right: Any) -> Any:
        return getattr(self.exp, kind)(this=self.enclosed(left), expression=self.enclosed(right))

    def enclosed(self, part: Any) -> Any:
        return self.exp.Paren(this=part) if isinstance(part, (self.exp.Binary, self.exp.Neg)) else part

    def value(self, place: int) -> Any:
        """Return the SQL of an operation."""
        name, arguments, rest = self.program.parts(place)
        if name == "cell":
            return self.cell(rest[0])
        if name == "number":
            return self.number(number_value(rest[0]))
        parts = [self.value(part) for part in arguments]
        if self.signs.are_clipped(place):
            parts[0] = self.exp.Greatest(this=parts[0], expressions=[self.number(0.0)])
        return SQL_OPERATIONS[name](self, *parts, *(self.number(float(exponent)) for exponent in rest))

    def log_ratio(self, above: Any, below: Any, difference: Any) -> Any:
        """Return log(a/b), computed from a - b, which keeps its accuracy where a/b is close to 1."""
        share = self.binary("Div", difference, self.binary("Add", above, below))
        is_close = self.exp.LT(this=self.exp.Abs(this=share), expression=self.number(0.5))
        inverse_tangent = self.exp.Anonymous(this="ATANH", expressions=[share.copy()])
        quotient = self.binary("Div", above.copy(), below.copy())
        return self.chosen(
            [(is_close, self.binary("Mul", self.number(2.0), inverse_tangent))], self.exp.Ln(this=quotient)
        )


class _Number:
    """A part of an expression with arithmetic operators; copied for each use."""

    def __init__(self, writer: _SqlWriter, node: Any) -> None:
        self.writer = writer
        self.node = node

    def _with(self, kind: str, other: _Number) -> _Number:
        return _Number(self.writer, self.writer.binary(kind, self.node.copy(), other.node.copy()))

    __add__ = partialmethod(_with, "Add")
    __sub__ = partialmethod(_with, "Sub")
    __mul__ = partialmethod(_with, "Mul")

    def __rmul__(self, factor: float) -> _Number:
        return _Number(self.writer, self.writer.binary("Mul", self.writer.number(factor), self.node.copy()))


SQL_OPERATIONS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        "add": lambda write, a, b: write.binary("Add", a, b),
        "subtract": lambda write, a, b: write.binary("Sub", a, b),
        "multiply": lambda write, a, b: write.binary("Mul", a, b),
        "divide": lambda write, a, b: write.binary("Div", a, b),
        "negative": lambda write, a: write.exp.Neg(this=write.enclosed(a)),
        "sqrt": lambda write, a: write.exp.Sqrt(this=a),
        "power": lambda write, a, exponent: write.exp.Pow(this=write.enclosed(a), expression=exponent),
        "log": lambda write, a: write.exp.Ln(this=a),
        "abs": lambda write, a: write.exp.Abs(this=a),
        "minimum": lambda write, a, b: write.exp.Least(this=a, expressions=[b]),
        "maximum": lambda write, a, b: write.exp.Greatest(this=a, expressions=[b]),
        "log_ratio": _SqlWriter.log_ratio,
        "product_difference": lambda write, *parts: product_difference(*(_Number(write, part) for part in parts)).node,
    }
)
"""SQL of each operation, as functions of the writer and its arguments."""


# -- Recipes as data frame expressions: for polars, and via Narwhals for all its frames --------------------------------


_TESTS: Final[dict[str, Callable[[Any], Any]]] = {
    "nonzero": lambda part: part != 0,
    "zero": lambda part: part == 0,
    "positive": lambda part: part > 0,
    "nonnegative": lambda part: part >= 0,
}


def frame_expression(recipe: Recipe, columns: Sequence[str], library: Any) -> Any:
    """Return an expression over the columns of a frame, null where undefined.

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
        """Return log(a/b), computed from a - b, which keeps its accuracy where a/b is close to 1."""
        share = difference / (above + below)
        return self.chosen(share.abs() < 0.5, 2.0 * self.inverse_tangent(share), (above / below).log())

    def inverse_tangent(self, share: Any) -> Any:
        """Return the inverse hyperbolic tangent accurately: half of log(1 + x) with x = 2s/(1 - s)."""
        if hasattr(share, "arctanh"):
            return share.arctanh()
        x = 2.0 * share / (1.0 - share)
        rounded = 1.0 + x
        kept = self.chosen(rounded == 1.0, self.number(1.0), rounded - 1.0)  # the part of x that survives in 1 + x
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
"""Expression of each operation, as functions of the writer and its arguments."""


def _column(name: str, library: Any) -> Any:
    """Return the column with exactly this name.

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
