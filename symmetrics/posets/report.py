"""Ranks and relevances of the classes of an order, as a table."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Final

from symmetrics.posets.building import Order, poset
from symmetrics.posets.exact import MAX_IDEALS, exact_ranks
from symmetrics.posets.mcmc import mcmc_ranks
from symmetrics.posets.names import shown
from symmetrics.posets.ranks import average_ranks
from symmetrics.tools.documents import Grid, Paragraph, texts
from symmetrics.tools.documents.data import csv_text, json_text
from symmetrics.tools.documents.text import text_blocks
from symmetrics.tools.errors import InputError
from symmetrics.tools.words import number_of

__all__ = ["REPORT_FORMATS", "ClassRank", "RankReport", "rank_report"]


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
class RankReport:
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

    def to_format(self, name: str) -> str:
        """Return the report as ``text``, ``csv`` or ``json``.

        :raises InputError: on another format
        """
        if name not in REPORT_FORMATS:
            raise InputError(f"unknown format {shown(name)}: known are {', '.join(REPORT_FORMATS)}")
        return REPORT_FORMATS[name](self)


REPORT_FORMATS: Final[Mapping[str, Callable[[RankReport], str]]] = {
    "text": RankReport.to_text,
    "csv": RankReport.to_csv,
    "json": RankReport.to_json,
}
"""The formats of a report."""


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
