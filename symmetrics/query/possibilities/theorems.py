"""The theorems that are known, from the file in which they stand, and what follows from them.

The file is written by :func:`write_theorems`; each theorem is verified again by the checker when it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from tqdm import tqdm

from symmetrics.checker.theorems.implications import check_implication
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, Theorem, goal_of
from symmetrics.claims.theorems.laws import Law, laws_of
from symmetrics.claims.theorems.sufficient import sufficient_laws
from symmetrics.language.cells import TP
from symmetrics.language.definition import Definition
from symmetrics.library import properties
from symmetrics.prover.theorems.finding import Finder
from symmetrics.tools.errors import CertificateError

__all__ = [
    "consequences",
    "derivation",
    "goals",
    "laws",
    "premises_and_conclusions",
    "sufficient",
    "theorems",
    "verify",
    "write_theorems",
]

FILE: Final = Path(__file__).with_name("theorems.json")


@cache
def laws() -> dict[str, tuple[Law, ...]]:
    """Return the laws of each property that says of M how its values at two tables compare.

    >>> len(laws()["scaling"])
    2
    """
    anything = Definition("any", TP)
    found = {key: laws_of(record.claim(anything)) for key, record in properties.items()}
    return {key: each for key, each in found.items() if each}


@cache
def sufficient() -> dict[str, tuple[Law, ...]]:
    """Return, for properties that ask for some direction, exchange or limit, laws of which any one is enough.

    >>> sorted(sufficient())
    ['prevalence_limit', 'scaling_space', 'symmetry_group', 'tn_limit', 'translation_space']
    """
    anything = Definition("any", TP)
    found = {key: sufficient_laws(key, record.claim(anything)) for key, record in properties.items()}
    return {key: each for key, each in found.items() if each}


@cache
def goals() -> dict[str, tuple[Law, ...]]:
    """Return what conclusions of theorems say: the laws of properties, and each law that is enough for one."""
    singly = {goal_of(key, law.label): (law,) for key, each in sufficient().items() for law in each}
    return laws() | singly


def theorems() -> tuple[Theorem, ...]:
    """Return what is known of all metrics: which properties follow from others, and which exclude each other.

    A theorem is about every function that has a real value at each table of positive cells, continuous or not.  Its
    premises are minimal, and its proof a walk from table to table on which each step is a law of a premise; the
    checker has gone each of them.

    :raises CertificateError: if the file of theorems was altered so that one of them is not proved

    >>> [str(t) for t in theorems() if set(t.premises) == {"p2", "increasing_tn"}]
    ['no metric has p2 and increasing_tn']
    """
    return tuple(verify(theorem) for theorem in _stored())


@cache
def verify(theorem: Theorem) -> Theorem:
    """Return a theorem whose proof the checker accepts.

    :raises CertificateError: if it does not
    """
    unknown = {*theorem.premises} - laws().keys() | {theorem.goal} - {CONSTANT, IMPOSSIBLE} - goals().keys()
    if unknown:
        raise CertificateError(f"a theorem is about {', '.join(sorted(unknown))}, of which no law is known")
    check_implication(theorem, {key: laws()[key] for key in theorem.premises}, goals().get(theorem.goal, ()))
    return theorem


@cache
def _stored() -> tuple[Theorem, ...]:
    return tuple(map(Theorem.from_dict, json.loads(FILE.read_text(encoding="utf-8"))))


def premises_and_conclusions() -> tuple[tuple[tuple[str, ...], str], ...]:
    """Return what the theorems say, without their proofs."""
    return tuple((theorem.premises, theorem.conclusion) for theorem in _stored())


def consequences(required: Iterable[str]) -> tuple[frozenset[str], tuple[Theorem, ...]]:
    """Return all that follows from some properties, "constant" and "impossible" among it, and by which theorems.

    >>> follows, by = consequences(["monotone", "p1"])
    >>> sorted(follows)
    ['agreement_increases', 'monotone', 'p1', 'symmetry_group']
    >>> sorted(map(str, by))[1]
    'a metric with p1 has symmetry_group by TN, FP, FN, TP'
    """
    known, used = set(required), list[Theorem]()
    while True:
        new = [t for t in _stored() if t.conclusion not in known and known >= set(t.premises)]
        if not new:
            return frozenset(known), tuple(verify(theorem) for theorem in used)
        theorem = min(new, key=lambda t: (len(t.premises), t.length))
        known.add(theorem.conclusion)
        used.append(theorem)


def derivation(required: Iterable[str], goal: str) -> tuple[Theorem, ...]:
    """Return the theorems that lead from some properties to a conclusion, each after those that it needs."""
    _, used = consequences(required)
    by = {theorem.conclusion: theorem for theorem in used}
    needed: list[Theorem] = []
    waiting = [goal]
    while waiting:
        theorem = by.get(waiting.pop())
        if theorem is not None and theorem not in needed:
            needed.append(theorem)
            waiting += theorem.premises
    return tuple(theorem for theorem in used if theorem in needed)


def write_theorems(file: Path = FILE) -> int:
    """Find all theorems anew, verify them and write them, one a line; return how many there are."""
    found = [
        verify(theorem)
        for theorem in tqdm(Finder(laws(), sufficient()).find(), desc="theorems", disable=None, leave=False)
    ]
    lines = ",\n".join(json.dumps(theorem.to_dict(), separators=(",", ":")) for theorem in found)
    file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return len(found)
