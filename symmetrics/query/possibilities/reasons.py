"""Why something follows from properties: theorems and arguments, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from symmetrics.claims.theorems.arguments import CLASSES, DOMAINS, Argument
from symmetrics.claims.theorems.implications import Theorem
from symmetrics.query.possibilities.arguments import arguments
from symmetrics.query.possibilities.theorems import consequences

__all__ = ["class_and_domain", "domain_told", "follows", "scope_of"]

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
