"""The theorems that are known, from the file in which they stand, and what follows from them.

The file is written by :func:`write_theorems`; each theorem is verified again by the checker when it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from tqdm import tqdm

from symmetrics.checker.theorems.implications import check_implication
from symmetrics.claims.theorems.arguments import CLASSES, DOMAINS, Argument
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, Theorem, goal_of
from symmetrics.claims.theorems.laws import Law, laws_of
from symmetrics.claims.theorems.sufficient import sufficient_laws
from symmetrics.discovery.arguments import arguments
from symmetrics.language.cells import TP
from symmetrics.language.definition import Definition
from symmetrics.library import properties
from symmetrics.prover.theorems.finding import Finder
from symmetrics.tools.errors import CertificateError

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


# -- Why something follows from properties: theorems and arguments, one after the other --------------------------------


_KINDS: Final = {"arbitrary": "", "continuous": " for continuous metrics", "tame": " for metrics without oscillation"}
_DOMAINS: Final = {"open": "", "closed": ", where cells are 0 too", "whole": " on tables of whole numbers"}
_WITH_VALUES: Final = {
    "open": "",
    "closed": "This is about metrics with a value at all tables of cells >= 0 but the empty one, continuous there.",
    "whole": "This is about metrics with a value at all tables of whole numbers with positive margins, also where "
    "cells are 0, and about these tables alone: a metric with a pole there, as at TP = 0, is none of them.",
}


def follows(premises: Iterable[str], conclusions: Iterable[str]) -> tuple[Argument | Theorem, ...] | None:
    """Return steps by which one of some conclusions follows from premises, None if there are none.

    Theorems are steps, too.  Arguments for wider classes of metrics are taken first.

    >>> [str(step.conclusion) for step in follows(["decomposable"], ["scaling_space"])]
    ['homogeneous', 'scaling_space']
    """
    wanted = set(conclusions)
    for kind, domain in ((k, d) for k in range(len(CLASSES)) for d in range(len(DOMAINS))):
        usable = [a for a in arguments() if CLASSES.index(a.kind) <= kind and DOMAINS.index(a.domain) <= domain]
        by: dict[str, Argument | Theorem | None] = dict.fromkeys(premises)
        while True:
            for theorem in consequences(by)[1]:
                by.setdefault(theorem.conclusion, theorem)
            new = next((a for a in usable if a.conclusion not in by and by.keys() >= set(a.premises)), None)
            if new is None:
                break
            by[new.conclusion] = new
        if reached := [key for key in by if key in wanted]:
            return _needed(reached[0], by)
    return None


def _needed(conclusion: str, by: Mapping[str, Argument | Theorem | None]) -> tuple[Argument | Theorem, ...]:
    step = by[conclusion]
    if step is None:
        return ()
    before = [other for premise in step.premises for other in _needed(premise, by)]
    return tuple(dict.fromkeys((*before, step)))


def class_and_domain(steps: Iterable[Argument | Theorem]) -> tuple[str, str]:
    """Return of which metrics, and where, some steps hold together: the narrowest class, the largest domain.

    >>> class_and_domain(follows(["scaling", "defined"], ["constant"]))
    ('continuous', 'closed')
    """
    needed = [step for step in steps if isinstance(step, Argument)]
    kind = max((argument.kind for argument in needed), key=CLASSES.index, default=CLASSES[0])
    return kind, max((argument.domain for argument in needed), key=DOMAINS.index, default=DOMAINS[0])


def scope_of(known: tuple[str, str]) -> str:
    """Return in words of which metrics something is said, and where; nothing if of all.

    >>> scope_of(("continuous", "closed")), scope_of(("arbitrary", "open"))
    (' for continuous metrics, where cells are 0 too', '')
    """
    kind, domain = known
    return _KINDS[kind] + _DOMAINS[domain]


def domain_told(known: tuple[str, str]) -> str:
    """Return in a sentence at which tables a metric needs a value; nothing if at those of positive cells.

    >>> domain_told(("continuous", "closed"))
    'This is about metrics with a value at all tables of cells >= 0 but the empty one, continuous there.'
    """
    return _WITH_VALUES[known[1]]
