"""The schema of evidence: records with typed fields and the mathematical law that justifies them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias


@dataclass(frozen=True)
class Plain:
    """A single JSON value.

    :param type: the type that it has in Python, exactly
    :param words: description for a reader
    """

    type: type
    words: str


@dataclass(frozen=True)
class OneOf:
    """One of a few values."""

    values: tuple[str | int | bool, ...]


@dataclass(frozen=True)
class ListOf:
    """A list of items of one shape."""

    item: Shape


@dataclass(frozen=True)
class Row:
    """A list of fixed length, each entry with its own shape."""

    items: tuple[Shape, ...]


@dataclass(frozen=True)
class MapTo:
    """An object whose keys are names that depend on the claim.

    :param keys: description of the keys
    :param value: shape of the values
    """

    keys: str
    value: Shape


@dataclass(frozen=True)
class In:
    """A step of a group, by the group's key."""

    group: str


@dataclass(frozen=True)
class Either:
    """One of several shapes.

    :param words: description for a reader; by default the shapes, joined by "or"
    """

    shapes: tuple[Shape, ...]
    words: str = ""


Shape: TypeAlias = "Plain | OneOf | ListOf | Row | MapTo | In | Either"

FORMULA: Final = Plain(str, "formula")
CONDITION: Final = Plain(str, "condition on parameters")
NUMBER: Final = Plain(str, "exact number")
NAME: Final = Plain(str, "name")
TRUTH: Final = Plain(bool, "true or false")
WHOLE: Final = Plain(int, "whole number")
NOTHING: Final = Plain(type(None), "nothing")
COUNT: Final = Either((WHOLE, NUMBER), "count")
_SUM: Final = Plain(str, "polynomial")
POLYNOMIAL: Final = Either((_SUM, ListOf(_SUM)), "polynomial")
"""A text, or several texts of polynomials that are to be added."""
SIGN: Final = OneOf((1, -1))

KUMMER: Final = "Kummer theory, as in S. Lang, Algebra"
OSTROWSKI: Final = "the Kolchin-Ostrowski theorem (A. Ostrowski, 1946)"
OF_MATRICES: Final = "the theories of metrics say nothing of matrices"
"""Reason why evidence on formulas over matrices is not exported to the proof assistant."""
STURM: Final = "C. Sturm, Mémoire sur la résolution des équations numériques, 1835"


@dataclass(frozen=True)
class Field:
    """One entry of a step.

    :param name: its key in a certificate
    :param shape: shape of the content
    :param meaning: description in words
    :param required: whether it is always there
    """

    name: str
    shape: Shape
    meaning: str
    required: bool = True


@dataclass(frozen=True)
class Step:
    """One kind of evidence, or of a step or a part of it.

    :param name: its name in certificates
    :param says: the law that it shows
    :param law: the mathematical statement that it rests on
    :param fields: its entries
    :param source: source of the law in the literature; empty for elementary facts
    :param excused: why it is not exported to the proof assistant; empty if it is
    :param except_for: cases that are not exported, with the reason, although the rest is; empty if there are none
    """

    name: str
    says: str
    law: str
    fields: tuple[Field, ...] = ()
    source: str = ""
    excused: str = ""
    except_for: str = ""


Mark = Literal["kind", "field", "first", "alone", "word"]
"""How a certificate identifies a step: by the entry ``kind``; by the one field that only this step has; by the
first entry of a list; not at all, because the group has one member; or the step is nothing but its name."""


@dataclass(frozen=True)
class Group:
    """Steps that are allowed at the same place of a certificate.

    :param key: its key in shapes
    :param title: the heading under which a reader finds it
    :param about: what its steps have in common
    :param mark: how a certificate tells them apart
    :param steps: its members; two may share a name if each has a field that the other one lacks
    :param common: fields that all members have
    """

    key: str
    title: str
    about: str
    mark: Mark
    steps: tuple[Step, ...]
    common: tuple[Field, ...] = ()
