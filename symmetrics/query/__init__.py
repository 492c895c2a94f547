"""Queries by name: prove, relate, order, identify. The library is
asked for records and the prover for answers; no proof is found here.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from symmetrics.claims.verdict import WRITERS, Verdict


def _written_in_latex(verdict: Verdict, **wishes: Any) -> str:
    # The pages package is on a higher layer: it is loaded only by those who ask for a paragraph.
    return str(import_module("symmetrics.pages.latex.paragraph").verdict_latex(verdict, **wishes))


WRITERS["latex"] = _written_in_latex
