"""What constructions give and keep: theorems for any metric, from the laws that the library's properties are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from sympy import S

from symmetrics.checker.theorems import implications as checker
from symmetrics.claims.theorems.constructions import (
    CHANCE_CORRECTED,
    EXCHANGED,
    EXCHANGES,
    LINKS,
    MEANS,
    NEGATED,
    NORMALISED,
    ODDS,
    TRANSPOSED,
    Construction,
    ConstructionTheorem,
    at_odds,
    symmetrised,
)
from symmetrics.discovery.theorems import laws
from symmetrics.language.cells import CELLS
from symmetrics.prover.theorems.constructions import prove_construction

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


def check_construction(theorem: ConstructionTheorem) -> None:
    """Verify a theorem anew, with the construction and the laws as they stand under their names.

    :raises CertificateError: if the proof does not establish it
    :raises KeyError: if it names a construction or a property that there is not
    """
    known = laws()
    named = CONSTRUCTIONS[theorem.construction.name]
    anew = ConstructionTheorem(named, theorem.conclusion, theorem.premises, theorem.proof)
    checker.check_construction(anew, known[theorem.conclusion], {name: known[name] for name in theorem.premises})
