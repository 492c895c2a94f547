"""Decisions: the answer to a claim, with its counterexample and its evidence.

Evidence is data for the checker.  It is spelled as the records of ``symmetrics.claims.steps`` say: every kind is known,
no field is missing, and none is unknown; whether it is true is for the checker alone.  No words stand in it: sentences
are made from what was verified (``symmetrics.claims.wording``); an open decision alone gives a reason in words, because
it asserts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, Protocol, Self

from sympy import Expr, Rational
from sympy.logic.boolalg import Boolean

from symmetrics.claims import Claim
from symmetrics.claims.steps import GROUPS
from symmetrics.claims.steps.shapes import Either, Group, In, ListOf, MapTo, OneOf, Plain, Row, Shape, Step
from symmetrics.claims.values import Value, part_from_dict, value_from_dict
from symmetrics.language.condition import condition_text, parse_condition
from symmetrics.language.formula import check_variables, parse_formula, parse_number
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.writer import formula_text
from symmetrics.tools.errors import CertificateError

# -- Witnesses: the tables or points at which a claim fails, with the values there -------------------------------------


_FRACTION: Final = re.compile(r"-?[0-9]+(?:/[0-9]+)?")


class Counts(NamedTuple):
    """The four cells of one table."""

    tp: int | Rational
    fn: int | Rational
    fp: int | Rational
    tn: int | Rational


class Point(tuple[int | Rational, ...]):
    """The values of named variables, in the order of a claim; like a table, for variables other than the cells.

    >>> point = Point(("p", "TPr"), (1, Rational(1, 3)))
    >>> str(point), tuple(point)
    ('p = 1, TPr = 1/3', (1, 1/3))
    """

    names: tuple[str, ...]

    def __new__(cls, names: Iterable[str], values: Iterable[int | Rational]) -> Self:
        """Create a point from names and one value for each."""
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
    """Return the values of variables in the form of a witness: counts of the four cells, or a point for other names."""
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
        """Return the witness in its JSON form."""
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
        """Parse the values on first access."""
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
    # Parsing a formula takes twenty times as long as parsing a number.
    return tuple(parse_number(text) if _FRACTION.fullmatch(text) else parse_formula(text) for text in texts)


def _plain(count: int | Rational) -> int | str:
    return int(count) if count == int(count) else str(count)


def _count(count: int | str) -> int | Rational:
    return count if isinstance(count, int) and not isinstance(count, bool) else parse_number(str(count))


# ----------------------------------------------------------------------------------------------------------------------


Status = Literal["proved", "refuted", "conditional", "open"]
OPEN = "open: "
_WHOLE: Final = In("evidence")


@dataclass(frozen=True)
class Evidence:
    """The evidence for a verdict: its kind, and the data that the checker needs.

    :param kind: the kind of evidence, such as ``identity`` or ``witness``; the checker has a rule for each
    :param data: what the checker needs to re-verify it, as JSON values
    :raises CertificateError: if ``symmetrics.claims.steps`` has no such kind, or it has other fields
    """

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse evidence of an unknown kind or shape."""
        require_spelled(self.kind, self.data)

    @classmethod
    def unread(cls, kind: str, data: Mapping[str, Any]) -> Evidence:
        """Return evidence without validating it against the records of kinds."""
        evidence = cls.__new__(cls)
        vars(evidence).update(kind=kind, data=data)
        return evidence

    def record(self) -> dict[str, Any]:
        """Return the evidence in the form of a certificate."""
        return {"kind": self.kind, **self.data}

    @property
    def sentence(self) -> str:
        """The reason in words: empty here, as the sentence needs the whole verdict."""
        return ""


class Answer(Protocol):
    """Fields common to decisions and verdicts."""

    @property
    def status(self) -> Status:
        """``proved``, ``refuted``, ``conditional`` or ``open``."""

    @property
    def holds(self) -> bool | None:
        """The truth value at the default parameters."""

    @property
    def evidence(self) -> Evidence:
        """The evidence for the answer."""

    @property
    def condition(self) -> Boolean | None:
        """The parameter values at which the claim holds."""

    @property
    def witness(self) -> Witness | None:
        """A counterexample."""

    @property
    def found(self) -> Value | None:
        """The value that the claim asks for, beyond yes and no."""


@dataclass(frozen=True)
class Decision:
    """The answer to a claim; Verdict adds the names of metric and property."""

    status: Status
    holds: bool | None
    evidence: Evidence
    condition: Boolean | None = None
    witness: Witness | None = None
    found: Value | None = None

    def answer(self) -> dict[str, Any]:
        """Return the answer as JSON values, without value and evidence."""
        return {
            "status": self.status,
            "holds": self.holds,
            "condition": None if self.condition is None else condition_text(self.condition),
            "witness": None if self.witness is None else self.witness.to_dict(),
        }

    def record(self) -> dict[str, Any]:
        """Return a decision as stored in the evidence of a whole: without its claim, which follows from the whole."""
        found = None if self.found is None else self.found.to_dict()
        record = self.answer() | {"value": found, "certificate": self.evidence.record()}
        return {key: value for key, value in record.items() if value is not None}

    @classmethod
    def from_record(cls, data: Mapping[str, Any], claim: Claim, *, late: bool = False) -> Decision:
        """Rebuild a decision from :meth:`record`.  Nothing in it is trusted before it is checked.

        :param claim: the claim of the decision
        :param late: parse costly values on access, as :meth:`Witness.from_dict` does; the caller then validates the
            evidence against its records, unless that was done when it was made; the value may come with words
        """
        proof = dict(data["certificate"])
        kind = proof.pop("kind")
        condition, witness, value = data.get("condition"), data.get("witness"), data.get("value")
        names, read = [parameter.name for parameter in claim.parameters], value_from_dict if late else part_from_dict
        return cls(
            status=data["status"],
            holds=data.get("holds"),
            evidence=Evidence.unread(kind, proof) if late else Evidence(kind, proof),
            condition=None if condition is None else parse_condition(condition, names),
            witness=None if witness is None else Witness.from_dict(witness, late=late),
            found=None if value is None else read(value, names),
        )


def open_decision(reason: str, witness: Witness | None = None) -> Decision:
    """Return an open decision.

    :param reason: the obstacle, in words
    :param witness: a counterexample at the default parameters, if the claim is open for others

    >>> open_decision("open: no proof was found").evidence.data
    {'reason': 'no proof was found'}
    """
    while reason.startswith(OPEN):
        reason = reason.removeprefix(OPEN)
    return Decision("open", None, Evidence("open", {"reason": reason}), witness=witness)


def reason_of(answer: Answer) -> str:
    """Return why a claim is open, or how it was decided, in words."""
    return str(answer.evidence.data.get("reason", f"it is {answer.status}"))


# -- validation against the records of evidence ------------------------------------------------------------------------


def require_spelled(kind: object, data: object) -> None:
    """Refuse evidence of an unknown kind, or with fields that its kind does not have, at any depth.

    >>> require_spelled("range", {"left": 1})
    Traceback (most recent call last):
    ...
    symmetrics.tools.errors.CertificateError: 'range' has no field 'left', but 'lower', 'upper'

    :raises CertificateError: which names the step and the field
    """
    for _ in steps_in(kind, data):
        pass


def steps_in(kind: object, data: object) -> Iterator[tuple[Step, Any]]:
    """Yield every step of some evidence, with its data in the certificate; the whole comes first.

    >>> [step.name for step, _ in steps_in("all of", {"parts": {"a": {"status": "proved", "certificate":
    ...     {"kind": "limit"}}}})]
    ['all of', 'decision', 'limit']

    :raises CertificateError: if something is not spelled as its record says
    """
    if not isinstance(kind, str) or not isinstance(data, Mapping):
        raise CertificateError(f"evidence of the kind {kind!r} is not a name with fields")
    # An explicit stack instead of recursion: untrusted evidence may be nested arbitrarily deep.
    left: list[tuple[Shape, Any]] = [(_WHOLE, {"kind": kind, **data})]
    while left:
        shape, value = left.pop()
        if isinstance(shape, In):
            group = GROUPS[shape.group]
            step = _step_of(group, value)
            yield step, value
            left.extend(_fields(group, step, value))
        else:
            left.extend(_inside(shape, value))


def _fields(group: Group, step: Step, value: Any) -> Iterable[tuple[Shape, Any]]:
    """Return the data of a step's fields, each with its shape."""
    if group.mark == "word":
        return ()
    if group.mark == "first":
        if len(value) != len(step.fields) + 1:
            raise CertificateError(f"{step.name!r} has {len(value) - 1} entries, and not {len(step.fields)}")
        return [(field.shape, entry) for field, entry in zip(step.fields, value[1:], strict=True)]
    fields = {field.name: field for field in (*group.common, *step.fields)}
    unknown = [name for name in value if name not in fields and not (group.mark == "kind" and name == "kind")]
    if unknown:
        names = ", ".join(map(repr, fields)) or "none"
        raise CertificateError(f"{step.name!r} has no field {unknown[0]!r}, but {names}")
    missing = [name for name, field in fields.items() if field.required and name not in value]
    if missing:
        raise CertificateError(f"{step.name!r} lacks its field {missing[0]!r}")
    return [(fields[name].shape, entry) for name, entry in value.items() if name in fields]


def _inside(shape: Shape, value: Any) -> Iterable[tuple[Shape, Any]]:
    """Return the parts of a value, each with its shape.

    :raises CertificateError: if it has another shape
    """
    if isinstance(shape, Plain) and type(value) is shape.type:
        return ()
    if isinstance(shape, OneOf) and any(type(value) is type(one) and value == one for one in shape.values):
        return ()
    if isinstance(shape, ListOf) and isinstance(value, (list, tuple)):
        return [(shape.item, entry) for entry in value]
    if isinstance(shape, Row) and isinstance(value, (list, tuple)) and len(value) == len(shape.items):
        return list(zip(shape.items, value, strict=True))
    if isinstance(shape, MapTo) and isinstance(value, Mapping) and all(type(key) is str for key in value):
        return [(shape.value, entry) for entry in value.values()]
    if isinstance(shape, Either):
        for one in shape.shapes:
            if _begins(one, value):
                return [(one, value)]
    raise CertificateError(f"{str(value)[:80]!r} stands in a certificate where something else is expected")


def _begins(shape: Shape, value: Any) -> bool:
    """Whether a value has a shape at its top level, without looking into its steps."""
    if isinstance(shape, In):
        return isinstance(value, Mapping)
    try:
        parts = _inside(shape, value)
    except CertificateError:
        return False
    return all(_begins(part, entry) for part, entry in parts) if isinstance(shape, (Row, ListOf)) else True


def _step_of(group: Group, value: Any) -> Step:
    """Return the step of a group that some data in a certificate claims to be.

    :raises CertificateError: if it is none of them
    """
    if group.mark == "word":
        return _only(group, [step for step in group.steps if step.name == value], value)
    if group.mark == "first":
        listed = isinstance(value, (list, tuple)) and value
        return _only(group, [step for step in group.steps if listed and step.name == value[0]], value)
    if not isinstance(value, Mapping):
        raise CertificateError(f"{group.title}: {_short(value)} stands where an object is expected")
    if group.mark == "kind":
        named = [step for step in group.steps if step.name == value.get("kind")]
        fitting = named if len(named) == 1 else [step for step in named if _has_fields_of(group, step, value)]
        return _only(group, fitting, value.get("kind"))
    if group.mark == "field":
        return _only(group, [step for step in group.steps if step.name in value], sorted(map(str, value)))
    return group.steps[0]


def _has_fields_of(group: Group, step: Step, value: Mapping[str, Any]) -> bool:
    needed = {field.name for field in step.fields if field.required}
    known = {field.name for field in (*group.common, *step.fields)}
    return needed <= value.keys() <= known | {"kind"}


def _only(group: Group, found: list[Step], value: Any) -> Step:
    if len(found) != 1:
        raise CertificateError(f"{group.title}: there is no step {_short(value)}; see docs/evidence.md for all kinds")
    return found[0]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
