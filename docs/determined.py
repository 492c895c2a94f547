"""Write docs/determined.csv and the page docs/determined.md: which three of twenty common metrics fix the table.

usage: python docs/determined.py [--again]

The page is made from the file, in a second; with --again the file is made first, which takes ten minutes.
"""

from __future__ import annotations

import argparse
import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterator
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
    "formula": "yes, at every table: the four cells are formulas in the scores",
    "proof": "yes, at every table: by the theorem below",
    "almost": "at most tables: there are formulas, which fail where some expression in the scores is 0",
    "infinite": "no: almost every table has infinitely many others with its scores",
    "several": "no: two tables with equal scores are known, and no formula",
    "open": "not decided",
}
FEWEST: Final = 10
"""A pair of scores is listed if it fixes the table together with at least this many other scores."""
SHOWN: Final = (("tpr", "tnr"), ("accuracy", "f1"), ("f1", "mcc"))
"""Pairs that are shown in any case, as they are often reported."""


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
    told = "" if kind == "formula" else found.reason if found.unless is None else f"unless {found.unless} = 0"
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


def kinds() -> Iterator[str]:
    """Yield how many sets of three there are of each kind."""
    found = Counter(row["kind"] for row in rows())
    yield "| do the three scores fix the table? | how many sets |"
    yield "|---|---|"
    for kind, words in KINDS.items():
        if kind != "open" or found[kind]:
            yield f"| {words} | {found[kind]} |"
    yield f"| all | {sum(found.values())} |"


def pairs() -> Iterator[str]:
    """Yield pairs of scores with the third scores that complete them, the most completed first."""
    fixed = {frozenset(row["scores"].split()) for row in rows() if row["status"] == "determined"}
    lines = []
    for pair in itertools.combinations(COMMON, 2):
        others = [name for name in COMMON if name not in pair]
        good = [name for name in others if frozenset((*pair, name)) in fixed]
        if len(good) >= FEWEST or pair in SHOWN:
            bad = [name for name in others if name not in good]
            told = "all" if not bad else f"all but {', '.join(bad)}" if len(good) > len(bad) else ", ".join(good)
            lines.append((-len(good), f"| {pair[0]}, {pair[1]} | {len(good)} | {told} |"))
    yield "| two scores | how many third ones fix the table | which |"
    yield "|---|---|---|"
    for _, line in sorted(lines, key=lambda one: one[0]):
        yield line


def written(text: str) -> str:
    """Return the page with its tables as they are to be.

    :raises ValueError: if the page has not one place for each
    """
    makers = {"kinds": kinds, "pairs": pairs}
    new, count = BLOCK.subn(lambda found: "\n".join([found[1].rstrip(), "", *makers[found[2]](), "", found[3]]), text)
    if count != len(makers):
        raise ValueError(
            "the page needs <!-- generated: kinds --> and <!-- generated: pairs -->, each with <!-- end -->"
        )
    return new


def main() -> None:
    """Write the page, and before it the file if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--again", action="store_true", help="find all answers again")
    if parser.parse_args().again:
        write_text(FILE, made())
    write_text(PAGE, written(PAGE.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
