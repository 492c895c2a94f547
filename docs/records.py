"""Write docs/records.md: where records of the library and other packages have other values, and what was done.

usage: python docs/records.py

The values of other packages are in tests/data/records_elsewhere.json.xz, which tests/collect_records_elsewhere.py makes
where the packages are installed.
"""

from __future__ import annotations

import json
import lzma
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

import symmetrics as sm
from symmetrics.tools.files import write_text

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "records.md"
DATA: Final = ROOT / "tests" / "data" / "records_elsewhere.json.xz"
_CLOSE: Final = 1e-9
REMARKS: Final[dict[tuple[str, str], tuple[str, str]]] = {
    ("agm", "pycm"): (
        "PyCM, after Batuwita and Palade, has 0 where TPR is 0",
        "kept: the formula alone, which is the same at all tables with a hit",
    ),
    ("anderberg_d", "pycm"): ("PyCM takes the larger of TP + FP and FP + TN, margins of two kinds", "kept"),
    ("baulieu_1", "abydos"): ("abydos has 0 where a margin is 0; the limit of the formula is 1", "kept: the limit"),
    ("baulieu_12", "abydos"): (
        "abydos counts one hit where there is none, so that the distance stays below 1",
        "kept as printed: above 1 without hits",
    ),
    ("cole", "abydos"): (
        "abydos leaves out that the rarer of the two is the first, which Cole's C7 presupposes",
        "kept: the smaller denominator, whichever is the rarer",
    ),
    ("collective_strength", "arules"): (
        "arules multiplies TP and TN and adds margins to products of margins",
        "kept: Aggarwal and Yu's ratio of observed and expected",
    ),
    ("eyraud", "abydos"): ("abydos puts counts where Choi et al. have shares", "kept: free of the number of examples"),
    ("eyraud", "pycm"): ("PyCM puts counts where Choi et al. have shares", "kept: free of the number of examples"),
    ("fowlkes_mallows", "scikit-learn"): (
        "scikit-learn's is the index over pairs of examples; this one is over examples, as cosine and Ochiai",
        "kept; the first source is over pairs, and the record says so",
    ),
    ("goodman_kruskal_lambda_r", "abydos"): (
        "abydos takes the most frequent class of either margin; Goodman and Kruskal that of both together",
        "kept: at least -1, as in the source",
    ),
    ("goodman_kruskal_lambda_r", "pycm"): (
        "PyCM takes the most frequent class of either margin; Goodman and Kruskal that of both together",
        "kept: at least -1, as in the source",
    ),
    ("iba_squared_gmean", "pycm"): ("PyCM's alpha is 1", "kept: the parameter `alpha`"),
    ("mountford", "abydos"): ("abydos counts one miss, and one false alarm, where there is none", "kept as printed"),
    ("mutual_information", "pycm"): ("PyCM's logarithm is of base 2", "kept: natural logarithm"),
    ("pointwise_mutual_information", "abydos"): (
        "`gilbert_wells` is Choi et al.'s formula; abydos has that of Gilbert and Wells themselves, with factorials",
        "kept as an alias after Choi et al.",
    ),
    ("pointwise_mutual_information", "pycm"): (
        "`gilbert_wells` is Choi et al.'s formula; PyCM has that of Gilbert and Wells themselves, with factorials",
        "kept as an alias after Choi et al.",
    ),
    ("scott_pi", "abydos"): ("`koppen_1` is of shares; abydos puts counts into it", "kept: of shares it is Scott's pi"),
    ("scott_pi", "pycm"): ("`koppen_1` is of shares; PyCM puts counts into it", "kept: of shares it is Scott's pi"),
    ("stiles", "abydos"): (
        "abydos takes TP*n - FN*FP and margins of errors for those of the table, and adds the sign",
        "kept as printed, below n/2 too, where the corrected chi-square is 0",
    ),
    ("yates_chi_square", "abydos"): (
        "abydos corrects beyond the expected count, as the printed formula does",
        "capped, as SciPy and R have it",
    ),
    ("zhang", "mlxtend"): (
        "mlxtend has the two sides of the rule exchanged: given the prediction, not given the class",
        "kept: as Geng and Hamilton print it (Zhang's own text was not at hand); `zhang` of the transposed table is "
        "mlxtend's",
    ),
}
"""Of a record and a package: what differs, and what was done.  Every difference in value has a line here."""

MENDED: Final[dict[str, tuple[str, str]]] = {
    "yates_chi_square": (
        "corrected beyond the expected count: 1 at (1, 1, 1, 1)",
        "capped: 0 there, as in SciPy and R",
    ),
}
"""Records that had other values than all others, and what was done."""


@dataclass(frozen=True)
class Comparison:
    """A record and a function of another package, at the same tables."""

    record: str
    package: str
    name: str
    version: str
    here: tuple[float, ...]
    there: tuple[float, ...]
    tables: tuple[tuple[int, ...], ...]

    @property
    def other(self) -> list[int]:
        """Places of the tables at which both have values, and others."""
        return [place for place, (a, b) in enumerate(self.pairs) if not (math.isnan(a) or math.isnan(b) or alike(a, b))]

    @property
    def only_there(self) -> list[int]:
        """Places of the tables at which the formula has no value here, and the package a number."""
        return [place for place, (a, b) in enumerate(self.pairs) if math.isnan(a) and not math.isnan(b)]

    @property
    def only_here(self) -> list[int]:
        """Places of the tables at which the formula has a value or a limit here, and the package none."""
        return [place for place, (a, b) in enumerate(self.pairs) if math.isnan(b) and not math.isnan(a)]

    @property
    def pairs(self) -> list[tuple[float, float]]:
        """The values at each table, here and there."""
        return list(zip(self.here, self.there, strict=True))


def alike(first: float, second: float) -> bool:
    """Whether two values are the same but for rounding."""
    return first == second or abs(first - second) <= _CLOSE * max(1.0, abs(first), abs(second))


def read(value: Any) -> float:
    """Return a value as it is kept in the file."""
    return math.nan if value is None else float(str(value).replace("oo", "inf"))


@cache
def data() -> dict[str, Any]:
    """Return the values of other packages: the tables, and one dictionary for each comparison."""
    found: dict[str, Any] = json.loads(lzma.decompress(DATA.read_bytes()))
    return found


def compared(one: dict[str, Any]) -> Comparison:
    """Return one comparison with the values here."""
    tables = tuple(map(tuple, data()["tables"]))
    here = sm.metrics[one["record"]].from_counts(*np.array(tables, dtype=float).T)
    names = (one[key] for key in ("record", "package", "name", "version"))
    return Comparison(*names, tuple(here.tolist()), tuple(map(read, one["values"])), tables)


@cache
def comparisons() -> tuple[Comparison, ...]:
    """Return everything that is compared."""
    return tuple(map(compared, data()["comparisons"]))


def first_source(record: str) -> str:
    """Return the first citation of a record."""
    return str(sm.metrics[record].cites[0])


def differing() -> Iterator[str]:
    """Yield the rows of records whose values differ."""
    for record, (what, done) in MENDED.items():
        equal = [one for one in comparisons() if one.record == record and not one.other]
        names = ", ".join(f"{one.package}, `{one.name}`" for one in equal)
        yield f"| `{record}` | {first_source(record)} | {names} | {what} | {done} |"
    for one in comparisons():
        if one.other:
            what, done = REMARKS[one.record, one.package]
            place = one.other[0]
            values = f"{what}: {one.here[place]:.4g} and {one.there[place]:.4g} at {one.tables[place]}"
            name = f"{one.package}, `{one.name}`"
            yield f"| `{one.record}` | {first_source(one.record)} | {name} | {values} | {done} |"


def at_zeros() -> Iterator[str]:
    """Yield, for each package, what it makes of tables at which a formula is 0/0."""
    numbers: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    limits: dict[str, set[str]] = defaultdict(set)
    for one in comparisons():
        for place in one.only_there:
            usual = one.there[place] in (0.0, 0.5, 1.0)
            numbers[one.package][f"{one.there[place]:.4g}" if usual else "another"].add(one.record)
        if one.only_here:
            limits[one.package].add(one.record)
    for package in sorted({one.package for one in comparisons()}):
        given = "; ".join(
            f"{value}: {len(records)}"
            for value, records in sorted(numbers[package].items(), key=lambda kv: -len(kv[1]))
        )
        yield f"| {package} | {given or '-'} | {len(limits[package]) or '-'} |"


def page() -> str:
    """Return the text of docs/records.md."""
    packages = sorted({(one.package, one.version) for one in comparisons()})
    known = {one.record for one in comparisons()}
    differ = {one.record for one in comparisons() if one.other}
    tables = comparisons()[0].tables
    positive = sum(all(table) for table in tables)
    names = ", ".join(f"{package} {version}" for package, version in packages)
    lone = ", ".join(f"`{name}`" for name in sm.metrics if name not in known)
    return f"""# Records and other packages

Written by `python docs/records.py`; a test says when that has to be run. {len(known)} of the {len(sm.metrics)}
records are compared with the functions that other packages have for them, {len(comparisons())} in all, at {len(tables)}
tables, of which {positive} have no zero ({names}).
arules is compared by the published lines of its `R/interestMeasures.R`. A table is (TP, FN, FP, TN).

## Where values differ

| record | first source | compared with | difference | what was done |
|---|---|---|---|---|
{chr(10).join(differing())}

All other {len(known - differ)} records have the values of the packages wherever both have one.

## Where a formula is 0/0

Here such a table has the limit of the formula, or no value (nan; `zero_division` says what stands for it). Others put a
number there, or have none where there is a limit.

| package | number put for 0/0: records | records with a limit here and no value there |
|---|---|---|
{chr(10).join(at_zeros())}

## Compared with no package

They are compared with formulas written by another route (`tests/oracle.py`) and by hand arithmetic: {lone}.
"""


if __name__ == "__main__":
    write_text(PAGE, page())
