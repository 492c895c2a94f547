"""Write docs/determined.csv and the page docs/determined.md: which three of twenty common metrics fix the table.

usage: python docs/determined.py [--again]

The page is made from the file, in a second; with --again the file is made first, which takes a quarter of an hour.
"""

from __future__ import annotations

import argparse
import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from tqdm import tqdm

import symmetrics as sm
from symmetrics.auditing.determinations import Determination
from symmetrics.auditing.forcing import COMMON
from symmetrics.tools.files import write_text

FILE: Final = Path(__file__).resolve().parent / "determined.csv"
PAGE: Final = FILE.with_suffix(".md")
BLOCK: Final = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
COLUMNS: Final = ("scores", "status", "kind", "tables", "text")
KINDS: Final = {
    "formula": "always: the cells are formulas in the scores that are defined at every table",
    "proof": "always: the theorem below",
    "almost": "at all tables but some: the cells are formulas that are undefined where an expression in the scores is 0",
    "infinite": "not: almost every table has infinitely many others with its scores",
    "several": "not: there are two tables with equal scores, and no formula was found",
    "open": "not decided",
}


def rows() -> list[dict[str, str]]:
    """Return the lines of the file."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def row(found: Determination) -> list[str]:
    """Return the line of an answer on the table."""
    kind = "open"
    if found.status == "determined":
        kind = "formula" if found.proof is None else "proof"
    elif found.status == "undetermined":
        kind = "infinite" if found.solutions == float("inf") else "almost" if found.derived else "several"
    pair = "" if found.tables is None else " / ".join(" ".join(map(str, table)) for table in found.tables)
    told = found.reason
    if found.derived:
        told = "; ".join(f"{one.name} = {one.formula}" for one in found.derived)
        told += "" if found.unless is None else f"; unless {found.unless} = 0"
    return [" ".join(found.scores), found.status, kind, pair, told]


def made() -> str:
    """Return the file, made anew; each answer is re-verified."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for three in tqdm(list(itertools.combinations(COMMON, 3)), mininterval=5):
        found = sm.determined(three, seconds=120)
        found.check()
        writer.writerow(row(found))
    return text.getvalue()


def main() -> None:
    """Write the page, and before it the file if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--again", action="store_true", help="find all answers again")
    if parser.parse_args().again:
        write_text(FILE, made())


if __name__ == "__main__":
    main()
