"""Theorems on constructions: properties that a derived metric gains, keeps or loses, whatever the metric is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from sympy import S

from symmetrics.checker.theorems import implications as checker
from symmetrics.claims.base import Claim
from symmetrics.claims.theorems.constructions import (
    BALANCED,
    CHANCE_CORRECTED,
    EXCHANGED,
    EXCHANGES,
    LINKS,
    MEANS,
    NEGATED,
    NORMALISED,
    ODDS,
    TOWARDS_NEGATIVE,
    TOWARDS_POSITIVE,
    TRANSPOSED,
    Construction,
    ConstructionTheorem,
    Loss,
    at_odds,
    symmetrised,
)
from symmetrics.discovery.theorems import laws
from symmetrics.language.cells import CELLS, TP
from symmetrics.language.definition import Definition
from symmetrics.library import properties
from symmetrics.prover.theorems.constructions import prove_construction, prove_continuity, prove_loss

CONSTRUCTIONS: Final[Mapping[str, Construction]] = {
    construction.name: construction
    for construction in (
        TRANSPOSED,
        EXCHANGED,
        *(symmetrised(tables, mean, over) for over, tables in EXCHANGES.items() for mean in MEANS),
        CHANCE_CORRECTED,
        at_odds(S.One),
        at_odds(ODDS),
        NORMALISED,
        NEGATED,
        BALANCED,
        TOWARDS_POSITIVE,
        TOWARDS_NEGATIVE,
        Construction("composed with an increasing link", "h(M), h increasing", (CELLS,), LINKS[True]),
        Construction("composed with a decreasing link", "h(M), h decreasing", (CELLS,), LINKS[False]),
    )
}
"""All constructions, by name."""


@cache
def theorems_of(construction: str) -> tuple[ConstructionTheorem, ...]:
    """Return what a construction gives, keeps and turns into something else; each proof has been verified.

    The premises are none or one property; of those that follow from a weaker one none is listed twice.

    :param construction: a name of :data:`CONSTRUCTIONS`

    >>> [str(theorem) for theorem in theorems_of("exchanged") if "p2" in theorem.premises]
    ['exchanged turns p2 into p4']
    """
    return tuple(_theorems(CONSTRUCTIONS[construction]))


def _theorems(construction: Construction) -> Iterator[ConstructionTheorem]:
    known = laws()
    for conclusion, said in known.items():
        given = prove_construction(construction, conclusion, said, {})
        if given is not None:
            yield given
            continue
        for premise, laws_of_premise in known.items():
            if {law.sign for law in said}.isdisjoint(law.sign for law in laws_of_premise):
                continue
            found = prove_construction(construction, conclusion, said, {premise: laws_of_premise})
            if found is not None:
                yield found
    for key, claim in _other_claims().items():
        carried = prove_continuity(construction, key, claim)
        if carried is not None:
            yield carried


@cache
def losses_of(construction: str) -> tuple[Loss, ...]:
    """Return the invariances that a construction takes away from every metric that is not 0 where they show it.

    :param construction: a name of :data:`CONSTRUCTIONS`

    >>> [loss.property for loss in losses_of("balanced_index(alpha)")][2:]
    ['p2', 'p3', 'p4', 'p5', 'predicted_scaling', 'scaling', 'transpose']
    """
    found = (prove_loss(CONSTRUCTIONS[construction], key, each) for key, each in laws().items())
    return tuple(loss for loss in found if loss is not None)


def check_construction(theorem: ConstructionTheorem | Loss) -> None:
    """Verify a theorem anew, with the construction and the laws as they stand under their names.

    :raises CertificateError: if the proof does not establish it
    :raises KeyError: if it names a construction or a property that there is not
    """
    known = laws()
    named = CONSTRUCTIONS[theorem.construction.name]
    if isinstance(theorem, Loss):
        checker.check_loss(Loss(named, theorem.property, theorem.label, theorem.at), known[theorem.property])
        return
    anew = ConstructionTheorem(named, theorem.conclusion, theorem.premises, theorem.proof)
    if theorem.conclusion in known:
        checker.check_construction(anew, known[theorem.conclusion], {name: known[name] for name in theorem.premises})
    else:
        checker.check_continuity(anew, _other_claims()[theorem.conclusion])


@cache
def _other_claims() -> dict[str, Claim]:
    """Return what properties say of any metric that is no law."""
    anything = Definition("any", TP)
    return {key: record.claim(anything) for key, record in properties.items() if key not in laws()}
