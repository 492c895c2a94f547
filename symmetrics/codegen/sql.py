"""Recipes as expressions of SQL, built as trees by sqlglot, so that no text is ever pasted into another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from types import MappingProxyType
from typing import Any, Final

from symmetrics.codegen.folding import INFINITY, Requirement
from symmetrics.codegen.recipe import Branch, Case, Recipe, Zeros
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
"""The dialects, and the text that each reads as an infinite number; SQLite has none, but a number that is too large."""

_DEEPEST: Final = 24
_SPLIT: Final = 2.0**27 + 1
"""A number times this, less the same less the number, is the upper half of its digits."""


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
    tree = _Writer(recipe, dialect, columns, expressions).whole()
    if dialect == "sqlite" and _depth(tree) > _DEEPEST:
        raise UnsupportedError(
            "in SQLite it is nested too deeply: parsers before version 3.46 have a stack of a hundred places; take "
            "another dialect, or compute it from the counts with from_counts"
        )
    found: str = tree.sql(dialect=dialect)
    return found


def _depth(tree: Any) -> int:
    """Return how many parts of an expression are inside each other that SQLite's parser keeps on its stack."""
    deepest, pending = 0, [(tree, 0)]
    while pending:
        node, depth = pending.pop()
        depth += type(node).__name__ in ("Paren", "Case", "Coalesce", "Greatest", "Least", "Ln", "Sqrt", "Anonymous")
        deepest = max(deepest, depth)
        pending += [(child, depth) for child in node.iter_expressions()]
    return deepest


class _Writer:
    """Builds trees; every part is built anew where it is used, for a node of sqlglot has one parent."""

    def __init__(self, recipe: Recipe, dialect: str, columns: Sequence[str], expressions: Any) -> None:
        self.recipe = recipe
        self.program = recipe.program
        self.dialect = dialect
        self.columns = columns
        self.exp = expressions
        self.signs = Signs(recipe.program)

    def whole(self) -> Any:
        """Return the value where all cells are counts, and NULL elsewhere."""
        return self.chosen([(self.all(map(self.is_count, range(4))), self.branches(self.recipe.branches))])

    def is_count(self, place: int) -> Any:
        least, most = self.recipe.least, self.recipe.most
        inside = self.exp.Between(this=self.given(place), low=self.bound(least), high=self.bound(most))
        if not least:
            return inside
        is_zero = self.exp.EQ(this=self.given(place), expression=self.bound(0.0))
        return self.exp.Paren(this=self.exp.Or(this=is_zero, expression=inside))

    def given(self, place: int) -> Any:
        """Return a column as it is compared with bounds: in SQLite as it stands, where a text that is none casts to 0.

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
        """Return the value of the first case that holds: none is NULL where what it requires does."""
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
        """Return a column as a floating-point number: whole ones would be divided as such, and overflow."""
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
        """Return an operation."""
        name, *arguments = self.program.operations[place]
        if name == "cell":
            return self.cell(arguments[0])
        if name == "number":
            return self.number(number_value(arguments[0]))
        if name == "log_ratio":
            return self.log_ratio(*arguments)
        if name == "product_difference":
            return self.product_difference(*(lambda part=part: self.value(part) for part in arguments))
        parts = [self.value(part) for part in self.program.arguments(place)]
        if name in ("sqrt", "power") and -1 in self.signs.of(arguments[0]):
            parts[0] = self.exp.Greatest(this=parts[0], expressions=[self.number(0.0)])  # rounding makes it negative
        return self.applied(name, arguments, parts)

    def applied(self, name: str, arguments: list[Any], parts: list[Any]) -> Any:
        match name:
            case "add" | "subtract" | "multiply" | "divide":
                kind = {"add": "Add", "subtract": "Sub", "multiply": "Mul", "divide": "Div"}[name]
                return self.binary(kind, *parts)
            case "negative":
                return self.exp.Neg(this=self.enclosed(parts[0]))
            case "minimum" | "maximum":
                kind = self.exp.Least if name == "minimum" else self.exp.Greatest
                return kind(this=parts[0], expressions=[parts[1]])
            case "power":
                return self.exp.Pow(this=self.enclosed(parts[0]), expression=self.number(float(arguments[1])))
        return {"sqrt": self.exp.Sqrt, "log": self.exp.Ln, "abs": self.exp.Abs}[name](this=parts[0])

    def log_ratio(self, above: int, below: int, difference: int) -> Any:
        """Return log(a/b) from the difference as well, which has its digits where a/b is close to 1."""

        def share() -> Any:
            return self.binary("Div", self.value(difference), self.binary("Add", self.value(above), self.value(below)))

        is_close = self.exp.LT(this=self.exp.Abs(this=share()), expression=self.number(0.5))
        close = self.binary("Mul", self.number(2.0), self.exp.Anonymous(this="ATANH", expressions=[share()]))
        return self.chosen(
            [(is_close, close)], self.exp.Ln(this=self.binary("Div", self.value(above), self.value(below)))
        )

    def product_difference(self, *parts: Callable[[], Any]) -> Any:
        """Return a*b - c*d with all digits: the two products, and what rounding has taken away from each."""
        a, b, c, d = parts
        products = self.binary("Sub", self.binary("Mul", a(), b()), self.binary("Mul", c(), d()))
        return self.binary("Add", products, self.binary("Sub", self.lost(a, b), self.lost(c, d)))

    def lost(self, a: Callable[[], Any], b: Callable[[], Any]) -> Any:
        """Return what rounding takes away from a product, by halves of the digits (Dekker 1971)."""

        def half(part: Callable[[], Any]) -> Any:
            def large() -> Any:
                return self.binary("Mul", self.number(_SPLIT), part())

            return self.binary("Sub", large(), self.binary("Sub", large(), part()))

        def rest(part: Callable[[], Any]) -> Any:
            return self.binary("Sub", part(), half(part))

        first = self.binary("Sub", self.binary("Mul", half(a), half(b)), self.binary("Mul", a(), b()))
        middle = self.binary(
            "Add", self.binary("Add", first, self.binary("Mul", half(a), rest(b))), self.binary("Mul", rest(a), half(b))
        )
        return self.binary("Add", middle, self.binary("Mul", rest(a), rest(b)))
