"""The symmetry group of a formula over a matrix: which rearrangements turn M into M, 1 - M, -M or 1/M."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from math import factorial
from typing import Any, Final

from flint import ctx
from sympy import prime

from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.claims import Claim
from symmetrics.claims.evidence import Decision, Evidence, open_decision
from symmetrics.claims.families.groups import IMAGES
from symmetrics.claims.families.matrix_groups import (
    MatrixSymmetryGroup,
    Rearrangement,
    rearrangement_text,
    rearrangements,
)
from symmetrics.claims.values import MatrixGroup, Symmetry
from symmetrics.prover.families.groups import is_no_image
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import UnsupportedError
from symmetrics.tools.words import number_of

Decide = Callable[[Claim], Decision]
Pair = tuple[str, Rearrangement]
MOST_CLASSES: Final = 4
BITS: Final = 128


def decide(claim: MatrixSymmetryGroup, decide_part: Decide) -> Decision:
    """Decide which rearrangements are symmetries, and whether there is one beside the identity.

    Most are refuted by values at two matrices of different entries; the rest are decided as identities.

    :param decide_part: what decides an identity
    """
    if claim.parameters:
        return open_decision("symmetries of matrices are decided at given values of the parameters alone")
    if claim.classes > MOST_CLASSES:
        count = 2 * factorial(claim.classes) ** 2
        return open_decision(
            f"{count} rearrangements are too many; ask about {number_of(MOST_CLASSES, 'class')} or fewer"
        )
    identity, *moving = rearrangements(claim.classes)
    pairs = [(image, one) for one in (identity, *moving) for image in IMAGES if (image, one) != ("M", identity)]
    try:
        left, matrices = _not_refuted(claim, pairs)
    except UnsupportedError as error:
        return open_decision(str(error))
    parts = {}
    for image, one in left:
        decision = decide_part(claim.part(one, image))
        label = f"{image}: {rearrangement_text(one)}"
        if decision.status != "proved":
            return open_decision(f"{label}: no matrix was found that refutes it, and no identity that shows it")
        parts[label] = decision.record()
    holds = any(one != identity for _, one in left)
    members = [("M", identity), *left]
    found = MatrixGroup(
        tuple(Symmetry(image, rearrangement_text(one), None) for image in IMAGES for i, one in members if i == image)
    )
    evidence = Evidence("symmetries of matrices", {"matrices": matrices, "parts": parts})
    return Decision("proved" if holds else "refuted", holds, evidence, found=found)


def _not_refuted(claim: MatrixSymmetryGroup, pairs: Iterable[Pair]) -> tuple[list[Pair], list[list[int]]]:
    """Return the pairs that values at some matrices do not refute, and those of the matrices that refute others."""
    evaluate, left, used = Evaluator(claim.subject, claim.arguments), list(pairs), list[list[int]]()
    identity = rearrangements(claim.classes)[0]
    for matrix in _matrices(claim.classes):
        values: dict[Rearrangement, Any] = {}
        saved, ctx.prec = ctx.prec, BITS
        try:
            for one in dict.fromkeys((identity, *(one for _, one in left))):
                checkpoint()
                with contextlib.suppress(Undefined):
                    values[one] = evaluate(*one.of(matrix))
            kept = [pair for pair in left if not _refutes(values, identity, pair)]
        finally:
            ctx.prec = saved
        used += [list(matrix)] if len(kept) < len(left) else []
        left = kept
    return left, used


def _matrices(classes: int) -> Iterable[tuple[int, ...]]:
    """Yield matrices whose entries are all different."""
    places = range(classes**2)
    yield tuple(int(prime(place + 1)) for place in places)
    yield tuple(place**2 + 7 * place + 1 for place in reversed(places))
    yield tuple(place**3 + 2 for place in places)


def _refutes(values: Mapping[Rearrangement, Any], identity: Rearrangement, pair: Pair) -> bool:
    """Whether values show that a rearrangement does not turn M into an image."""
    image, one = pair
    return identity in values and one in values and is_no_image(image, values[identity], values[one])
