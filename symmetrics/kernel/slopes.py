"""Strict inequalities along a step, by the sign of the derivative where its coefficients do not show it."""

from __future__ import annotations

from sympy import Add, Expr, Max, Min, diff, log

from symmetrics.cells import CELLS
from symmetrics.claims import Comparison
from symmetrics.kernel.lemmas import NotExported
from symmetrics.kernel.radicals import piece_tries, radical_script
from symmetrics.verdict import Decision

__all__ = ["slope_script"]

PLAIN = "increases_by_slope"
"""The tactic that sees the sign by the coefficients."""


def slope_script(claim: Comparison, decision: Decision) -> str:
    """Return the tactic that proves that a formula increases along the step of a claim.

    :raises NotExported: if the certificate's proof has a step that is not translated
    """
    data = decision.evidence.data
    if decision.evidence.kind != "sign" or data["rule"] != "derivative":
        return PLAIN
    pieces = data["pieces"]
    plain = all({"positive", "pairs"} & set(piece["tree"]) for piece in pieces)
    extremes = claim.subject.atoms(Max, Min)
    if plain and len(pieces) == 2 ** len(extremes):
        return PLAIN
    start = "slope_by_slope. " + " ".join(f"moves {cell.name}." for cell in _moving(claim))
    if extremes:
        tries = "\n    | ".join(piece_tries(claim.subject, pieces, strict=True))
        return f"{start} repeat split; intros;\n  first [ {tries} ]"
    if claim.subject.has(log):
        raise NotExported("a sign with logarithms")
    return f"{start}\n  {radical_script(_derivative(claim), strict=True)}"


def _steps(claim: Comparison) -> list[Expr]:
    """Return by how many steps each cell changes."""
    before, after = claim.tables
    (step,) = claim.variables[len(CELLS) :]
    return [(second - first) / step for first, second in zip(before, after, strict=True)]


def _moving(claim: Comparison) -> list[Expr]:
    return [cell for cell, step in zip(CELLS, _steps(claim), strict=True) if step != 0]


def _derivative(claim: Comparison) -> Expr:
    """Return the derivative along the step."""
    return Add(*(step * diff(claim.subject, cell) for cell, step in zip(CELLS, _steps(claim), strict=True)))
