"""Write the tables of docs/new_metrics.md: small formulas whose combination of properties no metric of the library has,
and what becomes of each property of a metric that is weighed by dominance.

usage: python docs/new_metrics.py
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

import symmetrics as sm
from symmetrics.claims.theorems.constructions import BALANCED, TOWARDS_NEGATIVE, TOWARDS_POSITIVE
from symmetrics.discovery.constructions import losses_of, theorems_of
from symmetrics.tools.files import write_text

PAGE: Final = Path(__file__).resolve().parent / "new_metrics.md"
INVARIANCES: Final = (
    *("p1", "p2", "p3", "p4", "p5"),
    *("transpose", "independence_value", "homogeneous", "actual_scaling"),
)
INDICES: Final = tuple(one.name for one in (BALANCED, TOWARDS_POSITIVE, TOWARDS_NEGATIVE))
FAMILIAR: Final = (
    *("accuracy", "f1", "tpr", "precision", "npv", "mcc", "kappa", "informedness"),
    *("balanced_accuracy", "diagnostic_odds_ratio", "hamming_distance"),
)
"""Where counterexamples are looked for: some metric of these has each property, and its index does not."""


def rows() -> list[tuple[str, str]]:
    """Return each new formula with what it has of the ten properties."""
    found = sm.profiles([*INVARIANCES, "monotone"]).possible
    chosen = {p: m for p, m in found.items() if p & {"homogeneous", "independence_value"}}
    new = [(p, m) for p, m in chosen.items() if all(differs(p, known) for known in sm.metrics.values())]
    told = [(str(m.expr), ", ".join(sorted(p))) for p, m in new]
    return sorted(told, key=lambda row: (-row[1].count(","), len(row[0]), row))


def differs(profile: Collection[str], metric: sm.Metric) -> bool:
    """Whether it is proved that a metric, whatever its parameters, has other invariances than those of a profile."""
    return any(sm.prove(metric, key).holds is (key not in profile) for key in INVARIANCES)


def fate(key: str) -> str:
    """Return what becomes of a property of M under (1 + alpha*(TPr - TNr))*M, by the theorems on it."""
    kept = {name: [theorem.conclusion for theorem in theorems_of(name) if theorem.keeps] for name in INDICES}
    whatever, positive, negative = (key in kept[name] for name in INDICES)
    if whatever:
        return "kept"
    if positive or negative:
        return f"kept if M > 0 and {'0 < alpha <= 1' if positive else '-1 <= alpha < 0'}; else it may be lost"
    if key in {loss.property for loss in losses_of(INDICES[0])}:
        return "lost if alpha and M are not 0"
    return "may be lost"


def counterexample(key: str) -> str:
    """Return a familiar metric that has a property, and loses it at alpha = 1."""
    return next(
        name
        for name in FAMILIAR
        if sm.prove(sm.metrics[name], key).status == "proved"
        and sm.prove(sm.metrics[name].balanced_index(1), key).status == "refuted"
    )


def put(block: str, header: str, lines: Iterable[str]) -> None:
    """Put a table in the place that has its name."""
    table = "\n".join([header, "|".join(["", *["---"] * (header.count("|") - 1), ""]), *lines])
    pattern = re.compile(rf"(<!-- generated: {block} -->\n).*?(<!-- end -->)", re.DOTALL)
    text = PAGE.read_text(encoding="utf-8")
    write_text(PAGE, pattern.sub(lambda found: f"{found[1]}\n{table}\n\n{found[2]}", text))


if __name__ == "__main__":
    fates = {key: fate(key) for key in sm.properties}
    examples = {key: "" if told == "kept" else f"`{counterexample(key)}`" for key, told in fates.items()}
    put(
        "dominance",
        "| property | of `m.balanced_index(alpha)` | lost at alpha = 1 by |",
        (f"| {key} | {told} | {examples[key]} |" for key, told in fates.items()),
    )
    put("table", "| formula | properties |", (f"| `{formula}` | {properties} |" for formula, properties in rows()))
