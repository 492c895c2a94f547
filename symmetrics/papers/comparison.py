"""Numbers beside printed ones: does a value, rounded to the printed digits, give what is printed?"""

from __future__ import annotations

import csv
import hashlib
import importlib
import io
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sympy import Abs, Expr, Float, Rational, S, nan

from symmetrics.tools.errors import InputError
from symmetrics.tools.files import check_writable, write_bytes, write_text
from symmetrics.tools.sources import fingerprint
from symmetrics.tools.texts import number_of
from symmetrics.tools.workers import spread

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from symmetrics.papers.claims.trials import Heard


Item = TypeVar("Item")
Result = TypeVar("Result")
DPI: Final = 150
"""Dots per inch of the pictures."""


@cache
def printed_data(folder: Path) -> dict[str, Any]:
    """Return what a paper prints, from the file ``printed.json`` beside its experiment."""
    data: dict[str, Any] = json.loads((folder / "printed.json").read_text(encoding="utf-8"))
    return data


def section(heading: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *above: str) -> str:
    """Return a table as Markdown with a heading, and paragraphs between the two; numbers are printed as given."""
    from tabulate import tabulate

    table = tabulate(list(rows), columns, tablefmt="github", disable_numparse=True)
    return "\n\n".join(part for part in (f"## {heading}", *above, table) if part)


@dataclass(frozen=True)
class Cell:
    """One number of ours beside the same number as it is printed.

    :param place: where it is printed
    :param ours: the exact value; ``nan`` for undefined
    :param printed: the printed text, of a number or a word such as "not defined"
    :param decimals: digits after the point that the printed number is rounded to, though zeros at the end are left out;
        by default as many as are printed
    :param note: what explains a disagreement, or a convention that the value needs
    """

    place: str
    ours: Expr
    printed: str
    decimals: int | None = None
    note: str = ""

    @property
    def digits(self) -> int:
        """How many digits after the point are compared."""
        return len(self.printed.partition(".")[2]) if self.decimals is None else self.decimals

    @property
    def is_number(self) -> bool:
        """Whether a number is printed."""
        return self.printed.replace(".", "", 1).lstrip("-").isdigit()

    @property
    def _distance(self) -> Expr:
        """How far the exact value is from the printed one, in halves of the last digit."""
        return Abs(self.ours - Rational(self.printed)) * 2 * 10**self.digits

    @property
    def agrees(self) -> bool:
        """Whether the exact value rounds to the printed digits; in the middle, whether to one of both sides."""
        if self.ours is nan or not self.is_number:
            return self.ours is nan and not self.is_number
        return bool(self._distance <= 1)

    @property
    def is_tie(self) -> bool:
        """Whether the exact value lies in the middle between two numbers of so many digits."""
        return self.is_number and self.ours is not nan and bool(self._distance == 1)

    @property
    def shown(self) -> str:
        """Our value with two digits more than are printed."""
        if self.ours is nan:
            return "undefined"
        return f"{float(self.ours):.{self.digits + 2}f}"

    @property
    def verdict(self) -> str:
        """``yes``, ``yes (tie)`` or ``NO``."""
        return "NO" if not self.agrees else "yes (tie)" if self.is_tie else "yes"


@dataclass(frozen=True)
class Comparison:
    """A printed table, cell by cell.

    :param title: which table
    :param cells: in the printed order
    :param remarks: what holds for the whole table
    """

    title: str
    cells: tuple[Cell, ...]
    remarks: tuple[str, ...] = ()

    @property
    def agreeing(self) -> int:
        """How many cells agree."""
        return sum(cell.agrees for cell in self.cells)

    def to_markdown(self) -> str:
        """Return the table, with the remarks below it."""
        heading = f"{self.title}: {self.agreeing} of {number_of(len(self.cells), 'cell')} agree"
        rows = [(cell.place, cell.shown, cell.printed, cell.verdict, cell.note) for cell in self.cells]
        return section(heading, ("where", "ours", "printed", "agrees", "note"), rows, *self.remarks)


@dataclass(frozen=True)
class Experiment:
    """Everything of one paper that was computed again.

    :param title: the paper
    :param comparisons: its tables
    :param remarks: what was found besides, as Markdown
    :param figures: its figures drawn again, as functions, by file name
    :param rulings: its claims, with the rulings of its folder in ``proofs/``
    """

    title: str
    comparisons: tuple[Comparison, ...]
    remarks: tuple[str, ...] = ()
    figures: Mapping[str, Callable[[], Figure]] = field(default_factory=dict)
    rulings: tuple[Heard, ...] = ()

    @property
    def disagreements(self) -> tuple[Cell, ...]:
        """The cells that do not agree."""
        return tuple(cell for table in self.comparisons for cell in table.cells if not cell.agrees)

    def to_markdown(self) -> str:
        """Return all tables and remarks, and at the end the page of the paper with every ruling."""
        from symmetrics.papers.claims.writing import page_text

        total = sum(len(table.cells) for table in self.comparisons)
        summary = [f"{total - len(self.disagreements)} of {total} comparisons agree."] if total else []
        parts: Iterable[str] = (table.to_markdown() for table in self.comparisons)
        page = [page_text(self.rulings)] if self.rulings else []
        return "\n\n".join([f"# {self.title}", *summary, *parts, *self.remarks, *page])

    def to_csv(self) -> str:
        """Return all cells as comma-separated values."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(("table", "where", "ours", "printed", "agrees", "note"))
        for table in self.comparisons:
            rows = ((cell.place, cell.shown, cell.printed, cell.verdict, cell.note) for cell in table.cells)
            writer.writerows((table.title, *row) for row in rows)
        for one in self.rulings:
            writer.writerow(("claims", one.key, one.ruling.evidence, one.printed, one.ruling.outcome, one.uncounted))
        return text.getvalue()


def write_experiment(experiment: Experiment, folder: Path, name: str) -> list[Path]:
    """Write the report as Markdown, its cells as CSV and the figures as PNG, and return the paths.

    :param folder: where to; it is made if need be
    :param name: the stem of the files
    :raises InputError: if the folder cannot be written to, or matplotlib is missing
    """
    require_plots()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {folder}: {error.strerror}; choose another one") from None
    report, cells = folder / f"{name}.md", folder / f"{name}.csv"
    write_text(report, experiment.to_markdown() + "\n")
    write_text(cells, experiment.to_csv())
    figures = [folder / f"{name}_{figure}.png" for figure in experiment.figures]
    for path, draw in zip(figures, experiment.figures.values(), strict=True):
        write_bytes(path, _png(draw))
    return [report, cells, *figures]


def require_plots() -> None:
    """Refuse to begin what ends with figures if they cannot be drawn.

    :raises InputError: if matplotlib is missing or does not work
    """
    try:
        importlib.import_module("matplotlib.figure")
    except Exception as error:  # a broken installation fails in any way
        reason = f"figures need matplotlib ({type(error).__name__}: {error})"
        raise InputError(f"{reason}: pip install 'symmetrics[plot]', or leave -o out") from None


def _png(draw: Callable[[], Figure]) -> bytes:
    with io.BytesIO() as stream:
        draw().savefig(stream, format="png", dpi=DPI, metadata={"Software": None})
        return stream.getvalue()


def exact(value: Fraction | float) -> Expr:
    """Return a fraction as an exact SymPy number."""
    fraction = Fraction(value)
    return Rational(fraction.numerator, fraction.denominator) if fraction else S.Zero


# ----------------------------------------------------------------------------------------------------------------------
# Statements beside what was found: words, signs, and numbers that are compared by another rule than rounding.


@dataclass(frozen=True)
class Judged(Cell):
    """A printed statement, what was found for it, and whether that bears it out.

    :param found: what is shown as ours
    :param holds: whether the statement holds
    """

    found: str = ""
    holds: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the statement holds."""
        return self.holds

    @property
    def is_tie(self) -> bool:
        """Never: nothing is rounded here."""
        return False

    @property
    def shown(self) -> str:
        """What was found."""
        return self.found


def judged(place: str, found: object, printed: str, holds: bool, note: str = "") -> Judged:
    """Return a statement that was judged.

    :param found: a text, or a number that is shown with four digits after the point

    >>> judged("r of accuracy and TPr", -0.91234, "negative", True).verdict
    'yes'
    >>> judged("r of accuracy and TPr", -0.91234, "negative", True).shown
    '-0.9123'
    """
    if isinstance(found, float):
        return Judged(place, Float(found) if found == found else nan, printed, None, note, f"{found:.4f}", bool(holds))
    return Judged(place, S.NaN, printed, None, note, str(found), bool(holds))


# -- Results of long computations, cached in files so that an interrupted run resumes ----------------------------------


_LOG: Final = logging.getLogger(__name__)


class Steps:
    """The steps of an experiment, each computed once and then read from its file.

    :param folder: where the results are kept; None to keep nothing

    >>> Steps(None).done("sum", lambda: 1 + 1)
    2
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"cannot make the folder {folder}: {error.strerror}; choose another one") from None

    def done(self, key: str, compute: Callable[[], Any], *, depends_on: object = "") -> Any:
        """Return the result of a step, from its file if that holds the result of the same code on the same input.

        A file that cannot be used, because it is damaged or that of another step, is written anew, with a warning.

        :param key: the name of the file, in lower snake case
        :param compute: returns something that JSON can hold; a change to its module, or to what that imports, is
            noticed
        :param depends_on: what else the result depends on, as something whose ``repr`` says it
        :raises InputError: if the file cannot be written
        """
        if self.folder is None:
            return compute()
        path = self.folder / f"{key}.json"
        check_writable(path)
        origin = digest_of([key, fingerprint(compute.__module__), repr(depends_on)])
        if path.exists():
            try:
                return _read(path, origin)
            except (OSError, ValueError, RecursionError) as error:
                reason = "it is nested too deeply" if isinstance(error, RecursionError) else error
                _LOG.warning("%s is not used (%s); its step is computed again", path, reason)
        result = json.loads(json.dumps(compute()))
        write_text(path, json.dumps({"origin": origin, "digest": digest_of(result), "result": result}) + "\n")
        return result


def computed(work: Callable[[Item], Result], items: Sequence[Item], label: str) -> list[Result]:
    """Return the result of a function for each item, by a process for every processor, and show how far they are.

    Each process has one thread for linear algebra, so that the last bits do not depend on the number of processors.

    :param work: a function of a module, with arguments that other processes can be given
    :param label: what the work is
    """
    results = spread(partial(_in_one_thread, work), items, workers=os.cpu_count())
    return list(watched(results, label, total=len(items)))


def _in_one_thread(work: Callable[[Item], Result], item: Item) -> Result:
    """Do a piece of work with one thread for linear algebra."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it comes with scikit-learn

    with threadpool_limits(1):
        return work(item)


def watched(
    items: Iterable[Item], label: str, *, total: int | None = None, shown: bool = True, seconds: float = 10.0
) -> Iterator[Item]:
    """Yield items and show how far the work on them is: a bar on a terminal, else a line every so many seconds.

    :param label: what the work is
    :param total: how many items there are, if they have no length
    :param seconds: between two lines, at least; a line follows an item, so that long items have longer pauses
    """
    if not shown or sys.stderr is None:
        yield from items
        return
    count = len(items) if isinstance(items, Sized) else total
    if sys.stderr.isatty():
        from tqdm import tqdm

        yield from tqdm(items, desc=label, total=count, leave=False)
        return
    began = told = time.monotonic()
    for number, item in enumerate(items, start=1):
        yield item
        now = time.monotonic()
        if now - told >= seconds and number != count:
            print(f"{label}: {number} of {count} done in {now - began:.0f} s", file=sys.stderr, flush=True)
            told = now


def _read(path: Path, origin: str) -> Any:
    """Return the result in a file.

    :raises ValueError: if the file is damaged, or its result has another origin
    """
    entry = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(entry, dict) or entry.keys() != {"origin", "digest", "result"}:
        raise ValueError("it does not hold the result of a step")
    if entry["digest"] != digest_of(entry["result"]):
        raise ValueError("its result was changed")
    if entry["origin"] != origin:
        raise ValueError("its result is that of another step, other code or other input")
    return entry["result"]


def digest_of(value: Any) -> str:
    """Return a hash of something that JSON can hold."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
