"""Theories for tests: as they lie in the checkout, or made now where they are not tracked and nobody has built them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from symmetrics.library import metrics
from symmetrics.rocq.engine.statements import statements_only
from symmetrics.rocq.theories.theory import atlas_theories, theory_text

PROOFS = Path(__file__).resolve().parent.parent / "proofs"


@cache
def theory_of(name: str, *, proofs: bool = True) -> str:
    """Return the theory of a metric, or of relations between metrics.

    :param proofs: False if the statements alone will do, which takes a tenth of the time
    """
    path = PROOFS / "coq" / f"{name}.v"
    if path.is_file():
        return path.read_text(encoding="utf-8")
    if name not in metrics:
        return atlas_theories(metrics, {})[name]
    certificates = (PROOFS / "certificates" / f"{name}.json").read_text(encoding="utf-8")
    if proofs:
        return theory_text(certificates)
    with statements_only():
        return theory_text(certificates)
