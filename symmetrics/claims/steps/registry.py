"""All kinds of evidence in one place, in the order in which a reader meets them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from symmetrics.claims.steps.comparisons import COMPARISONS
from symmetrics.claims.steps.shapes import Group
from symmetrics.claims.steps.signs import BOUND, FACTOR, SIGNS
from symmetrics.claims.steps.splits import ASSIGNMENTS, CASES, FACTORS, LEAVES, SPLITS
from symmetrics.claims.steps.structure import LINKS, MINOR, POINT, STRUCTURE
from symmetrics.claims.steps.values import END, FACES, FREE, VALUES_OF_FORMULAS
from symmetrics.claims.steps.wholes import ATOM_KINDS, EXPECTATIONS, STRUCTURES, WHOLES

EVIDENCE: Final = (COMPARISONS, STRUCTURE, VALUES_OF_FORMULAS, EXPECTATIONS, WHOLES)
"""The groups of evidence that a verdict may rest on."""
_ALL: Final = Group(
    "evidence",
    "Evidence",
    "What a verdict rests on.",
    "kind",
    tuple(step for group in EVIDENCE for step in group.steps),
)
_WRITTEN: Final = Group(
    "written",
    "What evidence is written in",
    "Parts of evidence that have one form alone.",
    "alone",
    (*STRUCTURES, FACTOR, BOUND, END, FREE, POINT, MINOR),
)
_SINGLE: Final = {step.name: Group(step.name, step.name, step.says, "alone", (step,)) for step in _WRITTEN.steps}

CHAPTERS: Final = (*EVIDENCE, SIGNS, ATOM_KINDS, SPLITS, FACTORS, ASSIGNMENTS, LEAVES, CASES, FACES, LINKS, _WRITTEN)
"""All groups, in the order of the page ``docs/evidence.md``."""
GROUPS: Final[Mapping[str, Group]] = _SINGLE | {group.key: group for group in (_ALL, *CHAPTERS[len(EVIDENCE) : -1])}
"""The groups by the keys that shapes call them."""
