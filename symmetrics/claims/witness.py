"""Witnesses: the tables or points at which a claim fails, with the values there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Self

from sympy import Expr, Rational

from symmetrics.language.formula import check_variables, parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.numbers import parse_number
from symmetrics.language.writer import formula_text

_FRACTION: Final = re.compile(r"-?[0-9]+(?:/[0-9]+)?")


class Counts(NamedTuple):
    """The four cells of one table."""

    tp: int | Rational
    fn: int | Rational
    fp: int | Rational
    tn: int | Rational


class Point(tuple[int | Rational, ...]):
    """The values of named variables, in the order of a claim: what a table is to the four cells.

    >>> point = Point(("p", "TPr"), (1, Rational(1, 3)))
    >>> str(point), tuple(point)
    ('p = 1, TPr = 1/3', (1, 1/3))
    """

    names: tuple[str, ...]

    def __new__(cls, names: Iterable[str], values: Iterable[int | Rational]) -> Self:
        """Take names, and a value for each."""
        point = super().__new__(cls, values)
        point.names = tuple(names)
        if len(point.names) != len(point):
            raise ValueError(f"{len(point)} values for {len(point.names)} variables")
        return point

    def __getnewargs__(self) -> tuple[tuple[str, ...], tuple[int | Rational, ...]]:
        return self.names, tuple(self)

    def _asdict(self) -> dict[str, int | Rational]:
        return dict(zip(self.names, self, strict=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and self.names == other.names and tuple(self) == tuple(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.names, tuple(self)))

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in zip(self.names, self, strict=True))

    def __repr__(self) -> str:
        return f"Point({self})"


def point_of(names: tuple[str, ...], values: Iterable[int | Rational]) -> Counts | Point:
    """Return the values of variables as a witness has them: counts of the four cells, or a point for other names."""
    return Counts(*values) if names == CELL_NAMES else Point(names, values)


@dataclass(frozen=True)
class Witness:
    """Tables at which a claim fails; points for a claim on other variables than the cells.

    :param tables: the tables, in the order of the claim
    :param values: the metric's exact value at each
    :param parameters: the values of the metric's parameters
    """

    tables: tuple[Counts | Point, ...]
    values: tuple[Expr, ...]
    parameters: Mapping[str, Rational] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the witness as it stands in the JSON form of a verdict."""
        return {
            "tables": [{cell: _plain(count) for cell, count in table._asdict().items()} for table in self.tables],
            "values": [formula_text(value) for value in self.values],
            "parameters": {name: str(value) for name, value in self.parameters.items()},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, late: bool = False) -> Witness:
        """Rebuild a witness from its JSON form.

        :param late: read the values when they are asked for; roots and logarithms take SymPy a millisecond each
        """
        tables = tuple(map(_read_point, data["tables"]))
        parameters = {name: parse_number(text) for name, text in data["parameters"].items()}
        if not late:
            return cls(tables, _values(data["values"]), parameters)
        witness = cls.__new__(cls)
        vars(witness).update(tables=tables, written=tuple(data["values"]), parameters=parameters)
        return witness

    def __getattr__(self, name: str) -> Any:
        """Read the values, which are not there yet."""
        if name != "values" or "written" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        object.__setattr__(self, "values", _values(vars(self)["written"]))
        return self.values


def _read_point(data: Mapping[str, Any]) -> Counts | Point:
    """Read a table under the keys of its cells, or a point under the names of its variables."""
    values = {name: _count(value) for name, value in data.items()}
    if values.keys() == set(Counts._fields):
        return Counts(**values)
    check_variables(tuple(values))
    return Point(values, values.values())


def _values(texts: Iterable[str]) -> tuple[Expr, ...]:
    # To read a formula takes twenty times as long as to read a number.
    return tuple(parse_number(text) if _FRACTION.fullmatch(text) else parse_formula(text) for text in texts)


def _plain(count: int | Rational) -> int | str:
    return int(count) if count == int(count) else str(count)


def _count(count: int | str) -> int | Rational:
    return count if isinstance(count, int) and not isinstance(count, bool) else parse_number(str(count))
