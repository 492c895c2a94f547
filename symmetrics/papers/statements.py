"""General statements of a text: each holds if the claims that it comes down to are proved."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from sympy import Expr, Symbol

from symmetrics.claims import Claim, Identity, Inequality
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.parameter import Parameter
from symmetrics.papers.judged import Judged, judged
from symmetrics.prover.acceptance import decide_and_check

__all__ = ["at", "decided", "is_at_least", "is_equal", "statement"]


def at(formula: Expr, table: Table) -> Expr:
    """Return a formula in the cells with four expressions put in for them.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> at(TP / (TP + FN), (FN, TP, FP, TN))
    FN/(FN + TP)
    """
    return formula.xreplace(dict(zip(CELLS, table, strict=True)))


def is_equal(first: Expr, second: Expr, *parameters: Parameter) -> Verdict:
    """Return the verdict on whether two formulas are equal at all positive cells.

    :param parameters: with their domains; those that do not occur are left out

    >>> from symmetrics.language.cells import FN, TP
    >>> is_equal(TP / (TP + FN), 1 - FN / (TP + FN)).status
    'proved'
    """
    symbols: set[Symbol] = first.free_symbols | second.free_symbols
    occurring = tuple(parameter for parameter in parameters if parameter.symbol in symbols)
    return decided(Identity(first, occurring, (CELLS, CELLS), partner=second))


def is_at_least(first: Expr, second: Expr) -> Verdict:
    """Return the verdict on whether one formula is nowhere below another, at all positive cells.

    >>> from sympy import sqrt
    >>> from symmetrics.language.cells import FN, TP
    >>> is_at_least((TP + FN) / 2, sqrt(TP * FN)).status
    'proved'
    """
    return decided(Inequality(first, (), (CELLS, CELLS), partner=second))


def decided(claim: Claim) -> Verdict:
    """Return the verdict on a claim; it is open unless the checker accepts the evidence."""
    return decide_and_check(claim, metric="", property="", seconds=inf)


def statement(place: str, printed: str, verdicts: Verdict | Iterable[Verdict], note: str = "") -> Judged:
    """Return a printed statement that holds if all verdicts are proofs; else the first that is none is shown.

    >>> from symmetrics.language.cells import FN, FP, TP
    >>> statement("precision", "TP/(TP + FN)", is_equal(TP / (TP + FP), TP / (TP + FN))).shown
    'refuted; at TP = 1, FN = 1, FP = 2, TN = 1 it is 1/3 against 1/2'
    """
    found = [verdicts] if isinstance(verdicts, Verdict) else list(verdicts)
    failing = [verdict for verdict in found if verdict.status != "proved"]
    return judged(place, _told(failing[0]) if failing else "proved", printed, not failing, note)


def _told(verdict: Verdict) -> str:
    """Return the status of a verdict, the condition, and where it fails."""
    record = verdict.to_dict()
    told = verdict.status if record["condition"] is None else f"holds if and only if {record['condition']}"
    witness = record["witness"]
    if not witness or len(witness["values"]) != 2:
        return told
    settings = {name.upper(): count for name, count in witness["tables"][0].items()} | witness["parameters"]
    place = ", ".join(f"{name} = {value}" for name, value in settings.items())
    return f"{told}; at {place} it is {' against '.join(witness['values'])}"
