"""Values of verdicts beyond yes and no, as records.

A range, a limit or a group of symmetries is data: the prover makes a record of what it found, the checker makes its own
from claim and evidence and compares both, and readers take its fields.  Words are made of it in
``symmetrics.claims.wording`` alone.  Formulas and numbers stand in it as they do in evidence, as the text that
:func:`symmetrics.language.formula.formula_text` writes, so that reading a certificate computes nothing; conditions on
parameters are SymPy Booleans.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, ClassVar

from sympy import Expr, sympify
from sympy.logic.boolalg import Boolean

from symmetrics.language.condition import condition_text, parse_condition
from symmetrics.language.writer import formula_text
from symmetrics.tools.errors import CertificateError

Vector = tuple[int | str, ...]
"""A direction: integers, or formulas in the parameters."""


@dataclass(frozen=True, eq=False)
class Value:
    """Base class of values; two are equal if their JSON texts are (1 differs from ``true``)."""

    kind: ClassVar[str]

    def to_dict(self) -> dict[str, Any]:
        """Return the value as JSON values, from which :func:`value_from_dict` rebuilds it."""
        return {"kind": self.kind, **_plain(self)}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and _text(self) == _text(other)

    def __hash__(self) -> int:
        return hash(_text(self))


@dataclass(frozen=True, eq=False)
class Range(Value):
    """The range of M: its bounds.

    :param lower: the greatest lower bound, ``-oo`` if there is none
    :param upper: the least upper bound, ``oo`` if there is none
    :param lower_attained: whether M has the value *lower* at positive cells, None if that is open
    :param upper_attained: the same for *upper*
    """

    kind = "range"

    lower: str
    upper: str
    lower_attained: bool | None
    upper_attained: bool | None


@dataclass(frozen=True, eq=False)
class Limit(Value):
    """The limit of M along a curve: a formula in the other variables, ``oo`` or ``-oo``."""

    kind = "limit"

    limit: str


@dataclass(frozen=True, eq=False)
class Ratio(Value):
    """M as the quotient of two linear forms."""

    kind = "ratio"

    ratio: str

    def to_dict(self) -> dict[str, Any]:
        """Return a list with one ratio, valid for all values of the parameters."""
        return {"kind": self.kind, "ratios": [{"ratio": self.ratio, "condition": None}]}


@dataclass(frozen=True, eq=False)
class Link(Value):
    """An equation ``left(M) = right(partner)`` between M and the other formula, called ``partner``."""

    kind = "link"

    left: str
    right: str

    @property
    def equation(self) -> str:
        """The equation as text."""
        return f"{self.left} = {self.right}"

    def to_dict(self) -> dict[str, Any]:
        """Return the equation."""
        return {"kind": self.kind, "equation": self.equation}


@dataclass(frozen=True)
class Symmetry:
    """A permutation that maps M to an image.

    :param image: ``M``, ``1-M``, ``-M`` or ``1/M``
    :param permutation: its name: cycles of cells, or what becomes of rows and columns
    :param condition: the parameters for which it does, None for all
    """

    image: str
    permutation: str
    condition: Boolean | None


@dataclass(frozen=True, eq=False)
class Group(Value):
    """All permutations of the cells that map M to an image, by image, each list starting at the identity."""

    kind = "group"

    symmetries: tuple[Symmetry, ...]


@dataclass(frozen=True, eq=False)
class MatrixGroup(Group):
    """All rearrangements of rows and columns that map M to an image, in the same order."""

    kind = "symmetry group of matrices"


@dataclass(frozen=True, eq=False)
class Space(Value):
    """The directions along which M is invariant.

    :param basis: vectors that span the space
    :param is_complete: whether no further direction serves any value of the parameters
    :param at_defaults: the space at the default parameters, where it is another one or is not plain from the basis
    """

    kind = "space"

    basis: tuple[Vector, ...]
    is_complete: bool
    at_defaults: Value | None = None


@dataclass(frozen=True)
class Face:
    """A face of the orthant (tables whose zero cells are these), and the limit of M there along straight lines.

    :param zero: the names of these cells
    :param tends_to: a formula, ``oo``, ``-oo``, ``no limit`` or ``not decided``
    """

    zero: tuple[str, ...]
    tends_to: str


@dataclass(frozen=True, eq=False)
class Domain(Value):
    """Where M is undefined: on faces, and wherever one of some conditions on the cells holds."""

    kind = "domain"

    faces: tuple[Face, ...]
    poles: tuple[str, ...]


@dataclass(frozen=True)
class Expectation:
    """E[M] for random predictions at given margins: ``n``, ``P`` and ``OP``, or row and column sums."""

    mean: str
    n: int | None = None
    P: int | None = None
    OP: int | None = None
    rows: tuple[int, ...] | None = None
    columns: tuple[int, ...] | None = None


@dataclass(frozen=True, eq=False)
class Baseline(Value):
    """The constant expectation of M, or two different ones."""

    kind = "expectation"

    expectations: tuple[Expectation, ...]


@dataclass(frozen=True)
class CaseValue:
    """The value under a condition on the parameters."""

    condition: Boolean
    value: Value


@dataclass(frozen=True, eq=False)
class Cases(Value):
    """Values that depend on the parameters: each distinct one once, with the condition under which it is the value.

    :param values: the values; one alone has the condition ``always``
    :param at_defaults: the value at the default parameters, if it is named
    """

    kind = "cases"

    values: tuple[CaseValue, ...]
    at_defaults: Value | None = None


@dataclass(frozen=True, eq=False)
class AtDefaults(Value):
    """The value at the default parameters, of a claim that is open for others."""

    kind = "defaults"

    value: Value


def value_from_dict(data: Mapping[str, Any], names: Sequence[str]) -> Value:
    """Parse a value from its JSON form, or from its public form, which also has words.

    :param names: the names of the parameters that conditions are about
    :raises LookupError, TypeError, ValueError: if a part is missing or cannot be read
    """

    @cache  # a group repeats the same condition many times
    def condition(text: str | None) -> Any:
        return None if text is None else parse_condition(text, names)

    here = None if "at_defaults" not in data else value_from_dict(data["at_defaults"], ())
    match data["kind"]:
        case "range":
            return Range(data["lower"], data["upper"], data["lower_attained"], data["upper_attained"])
        case "limit":
            return Limit(data["limit"])
        case "ratio":
            (only,) = data["ratios"]
            return Ratio(only["ratio"])
        case "link":
            left, _, right = data["equation"].partition(" = ")
            return Link(left, right)
        case "group" | "symmetry group of matrices" as kind:
            listed = ((one["image"], one["permutation"], condition(one["condition"])) for one in data["symmetries"])
            return (Group if kind == Group.kind else MatrixGroup)(tuple(Symmetry(*one) for one in listed))
        case "space":
            return Space(tuple(map(tuple, data["basis"])), data["is_complete"], here)
        case "domain":
            faces = tuple(Face(tuple(face["zero"]), face["tends_to"]) for face in data["faces"])
            return Domain(faces, tuple(data["poles"]))
        case "expectation":
            means = ({key: _tuple(entry) for key, entry in one.items()} for one in data["expectations"])
            return Baseline(tuple(Expectation(**one) for one in means))
        case "cases":
            pairs = ((condition(case["condition"]), value_from_dict(case["value"], names)) for case in data["values"])
            return Cases(tuple(CaseValue(*pair) for pair in pairs), here)
        case "defaults":
            return AtDefaults(value_from_dict(data["value"], ()))
    raise CertificateError(f"there is no value of the kind {data['kind']!r}")


def part_from_dict(data: Mapping[str, Any], names: Sequence[str]) -> Value:
    """Parse the value of a part from evidence, where it comes without words.

    :raises CertificateError: if an entry means nothing
    """
    value = value_from_dict(data, names)
    if _text(value) != json.dumps(data, sort_keys=True):
        raise CertificateError(f"the value of a part of the kind {value.kind!r} is spelled in another way")
    return value


def vector(entries: Sequence[Expr | int]) -> Vector:
    """Return a direction in the form used in values.

    >>> from symmetrics.language.cells import parameter_symbol
    >>> vector((1, 0, -parameter_symbol("w"), 0))
    (1, 0, '-w', 0)
    """
    exact = (sympify(entry) for entry in entries)
    return tuple(int(entry) if entry.is_Integer else formula_text(entry) for entry in exact)


def _plain(part: Any) -> Any:
    """Return a part of a value as JSON values, without fields at their defaults."""
    if isinstance(part, Boolean):
        return condition_text(part)
    if isinstance(part, tuple):
        return [_plain(each) for each in part]
    if not is_dataclass(part):
        return part
    entries = ((field, getattr(part, field.name)) for field in fields(part))
    return {
        field.name: value.to_dict() if isinstance(value, Value) else _plain(value)
        for field, value in entries
        if field.default is MISSING or value != field.default
    }


def _tuple(entry: Any) -> Any:
    return tuple(entry) if isinstance(entry, list) else entry


def _text(value: Value) -> str:
    return json.dumps(value.to_dict(), sort_keys=True)
