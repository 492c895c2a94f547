"""Symmetries in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import factorial
from typing import Final

from sympy import S
from sympy.logic.boolalg import Boolean

from symmetrics.claims.families.directions import Vector
from symmetrics.claims.families.groups import IDENTITY, Permutation, cycles
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELL_NAMES
from symmetrics.language.condition import condition_text
from symmetrics.prover.symmetries import Symmetries
from symmetrics.tools.documents import Entry

__all__ = ["symmetry_entries"]

_EXCHANGES: Final[Mapping[Permutation, str]] = {
    IDENTITY: "no cells are exchanged",
    (0, 2, 1, 3): "predictions and truth are exchanged (FN with FP)",
    (3, 1, 2, 0): "TP and TN are exchanged",
    (3, 2, 1, 0): "the two classes are exchanged (TP with TN, FN with FP)",
    (1, 0, 3, 2): "all predictions are inverted (TP with FN, FP with TN)",
    (2, 3, 0, 1): "all examples change their class (TP with FP, FN with TN)",
}
_IMAGES: Final[Mapping[str, str]] = {
    "M": "It stays the same",
    "1-M": "It turns into 1 - M",
    "-M": "It changes its sign",
    "1/M": "It turns into 1/M",
}


def symmetry_entries(verdicts: Mapping[str, Verdict]) -> Iterator[Entry]:
    """Yield a sentence for each symmetry of a metric, and one on each kind of which there is none or which is open.

    :param verdicts: on the symmetry group, and on the spaces of translations and of scalings, by property
    """
    found = Symmetries.of(verdicts)
    if found.group is None:
        yield Entry(("Which exchanges of cells leave it as it is, is not known.",))
    else:
        for image, members in found.group.items():
            yield from (Entry((f"{_IMAGES[image]} {told}.",)) for told in _exchanges(members, unsaid=image == "M"))
        if sum(map(len, found.group.values())) == 1:
            yield Entry(("No exchange of cells leaves it as it is, negates, complements or inverts it.",))
    if found.translations is None:
        yield Entry(("Which counts can be added without changing it, is not known.",))
    elif not found.translations:
        yield Entry(("No counts can be added without changing it, whatever the table.",))
    for vector in found.translations or ():
        yield Entry((f"It stays the same if {_moved(vector)}.",))
    if found.scalings is None:
        yield Entry(("Which cells can be multiplied without changing it, is not known.",))
    elif not found.scalings:
        yield Entry(("No cells can be multiplied without changing it, whatever the table.",))
    for vector in found.scalings or ():
        yield Entry((f"It stays the same if {_scaled(vector)}.",))


def _exchanges(members: Mapping[Permutation, Boolean], *, unsaid: bool) -> Iterator[str]:
    """Say when something happens, exchange by exchange; in one part where it happens at each under one condition.

    :param unsaid: leave out that it happens where no cells are exchanged
    """
    always = [permutation for permutation, condition in members.items() if condition is S.true]
    limits = {condition for condition in members.values() if condition is not S.true}
    at_once = len(members) == factorial(len(CELL_NAMES)) and len(limits) == 1
    shown = [
        permutation for permutation in (always if at_once else members) if not (unsaid and permutation == IDENTITY)
    ]
    for permutation in shown:
        when = _EXCHANGES.get(permutation, f"cells are exchanged as {cycles(permutation)}")
        condition = members[permutation]
        yield f"when {when}" + ("" if condition is S.true else f", if and only if {condition_text(condition)}")
    if at_once:
        yield f"under any{' other' * bool(shown)} exchange of cells, if and only if {condition_text(*limits)}"


def _moved(vector: Vector) -> str:
    """Say a direction: the cells that grow, and those that fall meanwhile."""
    moves = [(name, move) for name, move in zip(CELL_NAMES, vector, strict=True) if move]
    if len(moves) == 1:
        return f"{moves[0][0]} grows or falls by any amount"
    parts = [f"{name} {'grows' if move > 0 else 'falls'} by {_multiple(abs(move), 't')}" for name, move in moves]
    return f"{_joined(parts)}, for any t"


def _multiple(count: int, of: str) -> str:
    return of if count == 1 else f"{count}*{of}"


def _scaled(vector: Vector) -> str:
    groups: dict[int, list[str]] = {}
    for name, power in zip(CELL_NAMES, vector, strict=True):
        if power:
            groups.setdefault(power, []).append(name)
    parts = [
        f"{_joined(names)} {'is' if len(names) == 1 else 'are'} multiplied by {'s' if power == 1 else f's**{power}'}"
        for power, names in groups.items()
    ]
    return f"{_joined(parts)}, for any s > 0"


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
