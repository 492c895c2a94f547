"""Write the table of docs/new_metrics.md: small formulas whose combination of properties no metric of the library has.

usage: python docs/new_metrics.py
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Final

import symmetrics as sm
from symmetrics.tools.files import write_text

PAGE: Final = Path(__file__).resolve().parent / "new_metrics.md"
INVARIANCES: Final = (
    *("p1", "p2", "p3", "p4", "p5"),
    *("transpose", "independence_value", "homogeneous", "actual_scaling"),
)
BLOCK: Final = re.compile(r"(<!-- generated: table -->\n).*?(<!-- end -->)", re.DOTALL)


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


if __name__ == "__main__":
    lines = [f"| `{formula}` | {properties} |" for formula, properties in rows()]
    block = "\n".join(["| formula | properties |", "|---|---|", *lines])
    text = PAGE.read_text(encoding="utf-8")
    write_text(PAGE, BLOCK.sub(lambda found: f"{found[1]}\n{block}\n\n{found[2]}", text))
