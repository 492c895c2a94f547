"""The language of evidence: one record for each kind of evidence and of step, with fields, law and source.

Prover, checker and exporter share these records and no logic: nothing here decides whether evidence is true.  The page
docs/evidence.md is made of them.
"""

from __future__ import annotations

from symmetrics.claims.steps.registry import CHAPTERS, EVIDENCE, GROUPS

__all__ = ["CHAPTERS", "EVIDENCE", "GROUPS"]
