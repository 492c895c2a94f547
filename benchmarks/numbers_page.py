"""What ``kernels.py`` measured, kept with its date and machine, as a page of the documentation with a picture."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from record import commit, versions

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "numbers.md"


def keep(text: str, before: dict[str, Any]) -> None:
    now = datetime.now(UTC)
    result: dict[str, Any] = {
        "benchmark": "numbers.py",
        "arguments": sys.argv[1:],
        "date": now.strftime("%Y-%m-%d %H:%M UTC"),
        "machine": before,
        "versions": versions(),
        "commit": commit(),
        "output": text.splitlines(),
    }
    path = HERE / "results" / f"numbers_{now:%Y-%m-%d}.json"
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(result), encoding="utf-8")
    draw(result["output"], PAGE.with_suffix(".svg"))


def page(result: dict[str, Any]) -> str:
    """Return the page of the documentation that a kept result makes."""
    before, found = result["machine"], result["versions"]
    where = f"{before['processor']}, {before['cores']} cores, load {before['load_before']} before the run"
    libraries = ", ".join(f"{name} {number}" for name, number in found.items() if name in ("python", "numpy", "numba"))
    return (
        "# Numbers and the memory\n\n"
        "Written by `python benchmarks/numbers.py --record`, which says what is measured. Every figure is a ratio of\n"
        f"best times within one run, on {result['date'].partition(' ')[0]}: {where}; {libraries}.\n\n"
        "A tenth of the cells is zero where it says so. Every run validates all four cells: they have to be\n"
        "finite and not negative. So a metric of two cells cannot be as fast as its lambdify, which reads\n"
        "these two and asks nothing; floor/lambdify says how fast it could be at best. Lambdify allocates its\n"
        "results, which takes up to half of its time, as memory comes from the system; so one table says how long\n"
        "metrics take beside it as memory comes, and all others let memory that was freed stay with the process.\n"
        "Processors differ: results of earlier runs, on other ones, are kept in `benchmarks/results`.\n\n"
        "![What the values of a table take](numbers.svg)\n\n" + "\n".join(result["output"]) + "\n"
    )


def draw(output: Sequence[str], path: Path) -> None:
    """Draw the first table of what was printed: bars of floors for each metric."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    first = list(itertools.takewhile(lambda line: line.startswith("|"), output[2:]))
    head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in first)
    chosen = {"lambdify": "#999999", "NumPy": "#0072b2", "numba, 1 thread": "#e69f00"}
    with mpl.rc_context({"svg.hashsalt": "symmetrics", "svg.fonttype": "none"}):
        figure = Figure(figsize=(7, 0.55 * len(rows) + 1), layout="constrained")
        axes = figure.add_subplot()
        for shift, (name, colour) in enumerate(chosen.items()):
            places = [place + 0.27 * (1 - shift) for place in range(len(rows))]
            values = [float(row[head.index(name)]) for row in rows]
            bars = axes.barh(places, values, height=0.25, color=colour, label=name)
            axes.bar_label(bars, fmt="%.1f", padding=2, fontsize=8)
        axes.axvline(1, color="black", linewidth=0.8, linestyle=":")
        axes.set_yticks(range(len(rows)), [row[0] for row in rows])
        axes.invert_yaxis()
        axes.set_xlabel("times what reading four cells and writing one value takes (dotted)")
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
        figure.savefig(path, metadata={"Date": None})
