"""Whether evidence is spelled as its records say: every kind is known, no field is missing, and none is unknown.

This says nothing about whether the evidence is true, which is for the checker alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from symmetrics.claims.steps.registry import GROUPS
from symmetrics.claims.steps.shapes import Either, Group, In, ListOf, MapTo, OneOf, Plain, Row, Shape, Step
from symmetrics.tools.errors import CertificateError

__all__ = ["require_spelled", "steps_in"]

_EVIDENCE: Final = In("evidence")


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
    """Yield every step that evidence consists of, with what stands in the certificate for it; the whole comes first.

    >>> [step.name for step, _ in steps_in("all of", {"parts": {"a": {"status": "proved", "certificate":
    ...     {"kind": "limit"}}}})]
    ['all of', 'decision', 'limit']

    :raises CertificateError: if something is not spelled as its record says
    """
    if not isinstance(kind, str) or not isinstance(data, Mapping):
        raise CertificateError(f"evidence of the kind {kind!r} is not a name with fields")
    # A list instead of recursion: evidence comes from anywhere, and may be nested without end.
    left: list[tuple[Shape, Any]] = [(_EVIDENCE, {"kind": kind, **data})]
    while left:
        shape, value = left.pop()
        if isinstance(shape, In):
            group = GROUPS[shape.group]
            step = group.step_of(value)
            yield step, value
            left.extend(_fields(group, step, value))
        else:
            left.extend(_inside(shape, value))


def _fields(group: Group, step: Step, value: Any) -> Iterable[tuple[Shape, Any]]:
    """Return what stands in the fields of a step, each with its shape."""
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
    """Whether a value has a shape, as far as is seen without looking into its steps."""
    if isinstance(shape, In):
        return isinstance(value, Mapping)
    try:
        parts = _inside(shape, value)
    except CertificateError:
        return False
    return all(_begins(part, entry) for part, entry in parts) if isinstance(shape, (Row, ListOf)) else True
