"""What a verdict by cases says in each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import And
from sympy.logic.boolalg import Boolean

from symmetrics.claims.evidence import Decision
from symmetrics.language.parameter import narrowed, piece, relation

Leaf = tuple[Any, Boolean, Decision | None]
"""A claim for some values of its parameters, the condition for these, and the decision; None if M has no value."""


def leaves(claim: Any, tree: Mapping[str, Any], *conditions: Boolean) -> Iterator[Leaf]:
    """Yield the cases of a tree of evidence, in order."""
    if "parameter" not in tree:
        undefined = tree.get("undefined") is True
        yield claim, And(*conditions), None if undefined else Decision.from_record(tree["proof"], claim)
        return
    (parameter,) = (p for p in claim.parameters if p.name == tree["parameter"])
    for text, child in tree["pieces"].items():
        part = piece(parameter, text)
        yield from leaves(narrowed(claim, part), child, *conditions, relation(parameter, part))
