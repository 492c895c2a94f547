"""A verdict in words, for people at a terminal."""

from __future__ import annotations

from symmetrics.condition import condition_text
from symmetrics.definition import Definition
from symmetrics.formula import formula_text
from symmetrics.property import Property
from symmetrics.verdict import Verdict

__all__ = ["explain"]


def explain(verdict: Verdict, property: Property, metric: Definition) -> str:
    """Return a verdict in a few lines: what was asked, the answer, the counterexample, and the evidence.

    >>> from symmetrics.library import metrics, properties
    >>> from symmetrics.query import prove
    >>> print(explain(prove("precision", "p2"), properties["p2"], metrics["precision"]))
    metric    precision: M = TP/(FP + TP)
    property  p2: invariance under a change in TN, M(TP, FN, FP, TN') = M(TP, FN, FP, TN)
    verdict   proved
    evidence  identity on the open positive orthant: over one denominator the difference has the zero polynomial as
              numerator
    """
    formula = formula_text(metric.expr)
    name = f"{metric.name}: M = {formula}" if metric.name.isidentifier() else f"M = {formula}"
    lines = [
        ("metric", name + "".join(f", {parameter}" for parameter in metric.parameters)),
        ("property", f"{property.name}: {property.title}, {property.statement}"),
        ("verdict", _answer(verdict, metric)),
    ]
    if verdict.witness is not None:
        lines += [("fails at", line) for line in _witness_lines(verdict)]
    lines.append(("evidence", verdict.evidence.sentence))
    return "\n".join(f"{label:<10}{text}" for label, text in lines)


def _answer(verdict: Verdict, metric: Definition) -> str:
    if verdict.condition is None:
        return verdict.status
    defaults = ", ".join(f"{symbol} = {value}" for symbol, value in metric.default_values.items())
    here = {
        True: f"; it holds at the default {defaults}",
        False: f"; it does not hold at the default {defaults}",
        None: "",
    }[verdict.holds]
    return f"{verdict.status}: holds if and only if {condition_text(verdict.condition)}{here}"


def _witness_lines(verdict: Verdict) -> list[str]:
    witness = verdict.witness
    if witness is None:
        return []
    at = "".join(f", {name} = {value}" for name, value in witness.parameters.items())
    values = [f"= {formula_text(value)}" for value in witness.values] or ["has no value"] * len(witness.tables)
    return [
        f"M(TP={table.tp}, FN={table.fn}, FP={table.fp}, TN={table.tn}{at}) {value}"
        for table, value in zip(witness.tables, values, strict=True)
    ]
