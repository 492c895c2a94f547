"""Ranks and relevances of the classes of an order, as a table."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from operator import methodcaller
from os import PathLike
from typing import Any, Final

from symmetrics.posets.mcmc import mcmc_ranks
from symmetrics.posets.parts import MAX_IDEALS
from symmetrics.posets.poset import Order, poset, shown
from symmetrics.posets.probabilities import Probability, above, expected_ranks, rank_distribution
from symmetrics.posets.ranks import average_ranks, exact_ranks
from symmetrics.tools.documents import Grid, Paragraph, texts
from symmetrics.tools.documents.data import csv_text, json_text
from symmetrics.tools.documents.text import text_blocks
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import read_text, source_name
from symmetrics.tools.texts import number_of

REPORT_FORMATS: Final[Mapping[str, Callable[[Any], object]]] = {
    "text": methodcaller("to_text"),
    "csv": methodcaller("to_csv"),
    "json": methodcaller("to_json"),
}
"""The formats of a report."""


class _Report:
    """What is written in several formats."""

    def to_format(self, name: str) -> str:
        """Return the report as ``text``, ``csv`` or ``json``.

        :raises InputError: on another format
        """
        if name not in REPORT_FORMATS:
            raise InputError(f"unknown format {shown(name)}: known are {', '.join(REPORT_FORMATS)}")
        return str(REPORT_FORMATS[name](self))


@dataclass(frozen=True)
class ClassRank:
    """The averaged rank of one class.

    :param name: the class
    :param rank: its averaged rank; the lowest is 1
    :param relevance: the rank over the highest rank
    :param exact: the rank as a fraction, where the method is exact
    :param standard_error: of the rank, where the method is mcmc
    :param effective_sample_size: of the rank, where the method is mcmc
    """

    name: str
    rank: float
    relevance: float
    exact: str | None = None
    standard_error: float | None = None
    effective_sample_size: float | None = None


@dataclass(frozen=True)
class RankReport(_Report):
    """The averaged ranks of the classes of an order, the most relevant first.

    :param method: how the ranks were averaged
    :param rows: the classes
    :param settings: what else the numbers depend on
    """

    method: str
    rows: tuple[ClassRank, ...]
    settings: Mapping[str, int]

    def to_text(self) -> str:
        """Return the method and a table of the classes for a terminal."""
        names = _columns(self.rows)
        head = texts(("class", *(name.replace("_", " ") for name in names)))
        rows = tuple(
            texts((shown(row.name), *(_cell(name, getattr(row, name)) for name in names))) for row in self.rows
        )
        used = "".join(f", {name.replace('_', ' ')} {value}" for name, value in self.settings.items())
        classes = number_of(len(self.rows), "class")
        about = f"{classes}, averaged ranks by {self.method}{used}; the most relevant first"
        return text_blocks([Paragraph((about,)), Grid(head, rows, "l" + "r" * len(names))])

    def to_csv(self) -> str:
        """Return the classes as comma-separated values, in full precision."""
        names = _columns(self.rows)
        return csv_text(("class", *names), ((row.name, *(getattr(row, name) for name in names)) for row in self.rows))

    def to_json(self) -> str:
        """Return the method, its settings and the classes as JSON; what a method does not give is null."""
        rows = [{"class": row.pop("name"), **row} for row in map(asdict, self.rows)]
        return json_text({"method": self.method, **self.settings, "classes": rows})


@dataclass(frozen=True)
class ProbabilityReport(_Report):
    """How probable the ranks of the classes of an order are, and each to rank above another, the highest rank first.

    :param method: ``"exact"`` or ``"mcmc"``
    :param ranks: by class, the probabilities of its ranks
    :param above: by pair (a, b), the probability that a ranks above b
    """

    method: str
    ranks: Mapping[Hashable, Mapping[int, Probability]]
    above: Mapping[tuple[Hashable, Hashable], Probability]

    @property
    def expected(self) -> dict[Hashable, Probability]:
        """The expected rank of each class."""
        return expected_ranks(self.ranks)

    def to_text(self) -> str:
        """Return two tables for a terminal: by rank, with the expected one, and by pair."""
        names, places = list(self.ranks), range(1, len(self.ranks) + 1)
        by_rank = [
            [
                shown(name),
                f"{float(self.expected[name]):.4f}",
                *(_share(self.ranks[name].get(place)) for place in places),
            ]
            for name in names
        ]
        by_pair = [[shown(a), *(_share(self.above.get((a, b))) for b in names)] for a in names]
        about = f"{number_of(len(names), 'class')}, probabilities of ranks by {self.method}; the highest rank first"
        return text_blocks(
            [
                Paragraph((about,)),
                Grid(
                    texts(("class", "expected", *map(str, places))),
                    tuple(map(texts, by_rank)),
                    "l" + "r" * len(names) + "r",
                ),
                Paragraph(("probability that the class of the row ranks above that of the column",)),
                Grid(texts(("class", *map(shown, names))), tuple(map(texts, by_pair)), "l" + "r" * len(names)),
            ]
        )

    def to_csv(self) -> str:
        """Return a row for each class and rank, and for each pair: class, rank or other class, probability."""
        ranks = [(name, rank, "", value) for name, row in self.ranks.items() for rank, value in row.items()]
        pairs = [(a, "", b, value) for (a, b), value in self.above.items()]
        return csv_text(
            ("class", "rank", "above", "probability"), [(*row, float(value)) for *row, value in ranks + pairs]
        )

    def to_json(self) -> str:
        """Return all probabilities as JSON."""
        rows = [
            {
                "class": str(name),
                "expected_rank": float(self.expected[name]),
                "ranks": {str(rank): float(value) for rank, value in row.items()},
                "above": {str(b): float(value) for (a, b), value in self.above.items() if a == name},
            }
            for name, row in self.ranks.items()
        ]
        return json_text({"method": self.method, "classes": rows})


def probability_report(
    order: Order, method: str = "exact", *, max_ideals: int = MAX_IDEALS, seed: int = 0
) -> ProbabilityReport:
    """Return how probable ranks and pairs are; parameters and errors as for :func:`symmetrics.posets.above`.

    >>> print(probability_report([("c", "a"), ("c", "b")]).to_text())
    3 classes, probabilities of ranks by exact; the highest rank first
    <BLANKLINE>
    class    expected         1         2         3
    a          2.5000         -    0.5000    0.5000
    b          2.5000         -    0.5000    0.5000
    c          1.0000    1.0000         -         -
    <BLANKLINE>
    probability that the class of the row ranks above that of the column
    <BLANKLINE>
    class         a         b         c
    a             -    0.5000    1.0000
    b        0.5000         -    1.0000
    c        0.0000    0.0000         -
    """
    checked = poset(order)
    ranks = rank_distribution(checked, method, max_ideals=max_ideals, seed=seed)
    expected = expected_ranks(ranks)
    best = {name: ranks[name] for name in sorted(ranks, key=lambda name: -expected[name])}
    return ProbabilityReport(method, best, above(checked, method, max_ideals=max_ideals, seed=seed))


def _share(value: Probability | None) -> str:
    return "-" if value is None else f"{float(value):.4f}"


def rank_report(
    order: Order,
    method: str = "midpoint",
    *,
    classes: Iterable[Hashable] | None = None,
    max_ideals: int = MAX_IDEALS,
    seed: int = 0,
) -> RankReport:
    """Return the averaged ranks of the classes of an order, and their relevances, the most relevant first.

    The relevance of a class is its rank over the highest rank (Branco, Torgo & Ribeiro 2017, equation 10).  Classes of
    one rank are listed in the sequence of the order.

    :param order: an order as :func:`poset` takes it
    :param method: a method of :func:`average_ranks`
    :param classes: all classes, as :func:`poset` takes them
    :param max_ideals: for the exact method, how many ideals are visited at most
    :param seed: for mcmc, the seed
    :raises InputError: if the order is none, or too large for the method
    :raises UnknownNameError: if there is no such method

    >>> print(rank_report([("c", "a"), ("c", "b")], "exact").to_text())
    3 classes, averaged ranks by exact; the most relevant first
    <BLANKLINE>
    class        rank    relevance    exact
    a        2.500000     1.000000      5/2
    b        2.500000     1.000000      5/2
    c        1.000000     0.400000        1
    """
    checked = poset(order, classes)
    fractions: Mapping[Hashable, Fraction] = {}
    errors: Mapping[Hashable, float] = {}
    sizes: Mapping[Hashable, float] = {}
    settings: dict[str, int] = {}
    if method == "exact":
        fractions = exact_ranks(checked, max_ideals=max_ideals)
        ranks: Mapping[Hashable, float] = {node: float(rank) for node, rank in fractions.items()}
    elif method == "mcmc":
        result = mcmc_ranks(checked, seed=seed)
        ranks, errors, sizes = result.ranks, result.standard_errors, result.effective_sample_sizes
        settings = {name: getattr(result, name) for name in ("chains", "draws", "burn_in", "thinning", "seed")}
    else:
        ranks = average_ranks(checked, method)
    highest = max(ranks.values())
    rows = [
        ClassRank(
            name=str(node),
            rank=rank,
            relevance=rank / highest,
            exact=str(fractions[node]) if fractions else None,
            standard_error=errors.get(node),
            effective_sample_size=sizes.get(node),
        )
        for node, rank in sorted(ranks.items(), key=lambda item: -item[1])
    ]
    return RankReport(method, tuple(rows), settings)


def _columns(rows: Iterable[ClassRank]) -> list[str]:
    names = ("rank", "relevance", "exact", "standard_error", "effective_sample_size")
    every = list(rows)
    return [name for name in names if any(getattr(row, name) is not None for row in every)]


def _cell(name: str, value: float | str | None) -> str:
    if isinstance(value, float):
        return f"{value:.0f}" if name == "effective_sample_size" else f"{value:.6f}"
    return "" if value is None else shown(value)


# -- Orders in CSV files: two columns of classes, each row a pair of which the first is below the second ---------------

# A file is UTF-8 text; commas, semicolons and tabs are recognised as separators by which of them makes two columns of
# the first row. Blanks around names do not count, and neither do blank lines. The first row is a header if it names
# the columns ``below`` and ``above``, or with other words of :data:`LOWER_NAMES` and :data:`UPPER_NAMES` among
# others, such as ``less relevant``, whatever their case; with the columns in the other sequence the pairs are turned
# round. A row that may be either, because a later row has one of its names, is refused until one says what it is.


LOWER_NAMES: Final = frozenset(["below", "less", "lesser", "low", "lower", "smaller", "from", "source"])
"""What the column of the lower, less relevant classes may be called."""
UPPER_NAMES: Final = frozenset(["above", "more", "greater", "high", "higher", "upper", "larger", "to", "target"])
"""What the column of the upper, more relevant classes may be called."""

_CLASS_NAMES: Final = frozenset(["class", "classes", "label", "name"])
_DELIMITERS: Final = (",", ";", "\t")


def read_order(path: str | PathLike[str], *, header: bool | None = None) -> list[tuple[str, str]]:
    r"""Read pairs (a, b), with a below b, from a CSV file of two columns; ``-`` is standard input.

    :param path: the file
    :param header: whether the first row is a header; by default it is one if it names the columns, see above
    :raises InputError: if the file cannot be read, a row has other than two columns, or a pair puts a class below
        itself or stands there twice; the message names the file and the line

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "order.csv"
    ...     _ = file.write_text("below,above\nc,a\nc,b\n")
    ...     read_order(file)
    [('c', 'a'), ('c', 'b')]
    """
    source = source_name(path)
    text = read_text(path, needs=": write a row 'a,b' for each class a below a class b")
    rows = list(_rows(text, _delimiter(text, source), source))
    turned, named = _header(rows[0][1]) if rows else (False, False)
    if named and header is None and any(not {*rows[0][1]}.isdisjoint(pair) for _, pair in rows[1:]):
        names = ", ".join(map(shown, rows[0][1]))
        raise InputError(
            f"{source}, line {rows[0][0]}: {names} may be a header or a pair: say header=True or False, or --header or "
            "--no-header"
        )
    if named if header is None else header:
        del rows[0]
    if not rows:
        raise InputError(f"{source} holds no pair: write a row 'a,b' for each class a below a class b")
    return _checked([(line, pair[::-1] if turned and header is not False else pair) for line, pair in rows], source)


def _header(names: tuple[str, str]) -> tuple[bool, bool]:
    """Return whether the first column holds the upper classes, and whether these are names of columns at all."""
    first, second = ({*re.split(r"[\W_]+", name.casefold())} for name in names)
    turned = bool(first & UPPER_NAMES and second & (LOWER_NAMES | _CLASS_NAMES))
    return turned, turned or bool(first & (LOWER_NAMES | _CLASS_NAMES) and second & UPPER_NAMES)


def _checked(rows: list[tuple[int, tuple[str, str]]], source: str) -> list[tuple[str, str]]:
    lines: dict[tuple[str, str], int] = {}
    for line, (lower, upper) in rows:
        pair = f"the pair ({shown(lower)}, {shown(upper)})"
        if lower == upper:
            raise InputError(f"{source}, line {line}: {pair} puts a class below itself: drop it")
        if (lower, upper) in lines:
            raise InputError(f"{source}, line {line}: {pair} stands already on line {lines[lower, upper]}: drop one")
        lines[lower, upper] = line
    return list(lines)


def _rows(text: str, delimiter: str, source: str) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield the number of its first line and the two fields of every row that is not blank."""
    for line, fields in _records(text, delimiter, source):
        if len(fields) != 2:
            raise InputError(f"{source}, line {line}: {_counted(fields)} where a pair has two columns: write 'a,b'")
        if not all(fields):
            raise InputError(f"{source}, line {line}: a class without a name: fill in both columns")
        yield line, (fields[0], fields[1])


def _counted(fields: list[str]) -> str:
    return number_of(len(fields), "column")


def _records(text: str, delimiter: str, source: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            fields = [field.strip() for field in next(reader)]
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(f"{source}, line {line}: {error}; check the quotes of this row") from None
        if len(fields) > 1 or any(fields):
            yield line, fields


def _delimiter(text: str, source: str) -> str:
    """Return the delimiter that makes two columns of the first row that is not blank, else the comma."""
    fitting = []
    for delimiter in _DELIMITERS:
        try:
            line, fields = next(_records(text, delimiter, source))
        except InputError:
            continue
        if len(fields) == 2:
            fitting.append(delimiter)
    if len(fitting) > 1:
        raise InputError(f"{source}, line {line}: two separators fit, {fitting!r}; put names that hold one in quotes")
    return fitting[0] if fitting else _DELIMITERS[0]
