"""Write docs/profiles.csv: a metric for each possible combination of eighteen properties that one was found for.

usage: python docs/profiles.py [--seconds NUMBER]

What stands in the file is proved again first, and so kept; the rest is searched.  The whole takes an hour.
"""

from __future__ import annotations

import argparse
import csv
import io
from pathlib import Path
from typing import Final

import symmetrics as sm
from symmetrics.tools.files import write_text

FILE: Final = Path(__file__).resolve().parent / "profiles.csv"
PROPERTIES: Final = (
    *("p1", "p2", "p3", "p4", "p5", "transpose", "independence_value", "homogeneous"),
    *("actual_scaling", "predicted_scaling", "scaling"),
    *("increasing_tp", "increasing_tn", "decreasing_fn", "decreasing_fp"),
    *("monotone", "agreement_increases", "margins_decrease"),
)
"""Eleven invariances and seven directions."""


def rows() -> list[tuple[str, frozenset[str]]]:
    """Return the formulas of the file, each with what it has of the properties."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return [(row["formula"], frozenset(row["properties"].split())) for row in csv.DictReader(file)]


def main() -> None:
    """Write the file anew, and say what is open."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3600.0)
    known = [formula for formula, _ in rows()] if FILE.exists() else []
    found = sm.profiles(PROPERTIES, known=known, seconds=parser.parse_args().seconds)
    listed = sorted((len(profile), sorted(profile), str(metric.expr)) for profile, metric in found.possible.items())
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["formula", "properties"])
    writer.writerows([formula, " ".join(profile)] for _, profile, formula in listed)
    write_text(FILE, text.getvalue())
    print(found)
    for profile in found.open:
        print("open:", " ".join(sorted(profile)))


if __name__ == "__main__":
    main()
