"""The pages of the atlas, by name: a table, a page for each metric, property and paper, and their assets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from symmetrics.claims.property import Property
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE
from symmetrics.library import properties
from symmetrics.library.properties.implications import IMPLICATIONS, Implication
from symmetrics.library.references import REFERENCES
from symmetrics.library.selections import THEMES
from symmetrics.metric import Metric
from symmetrics.pages.atlas.gathered import PROBLEMS, Claim, Entry, Laws, Paper, entries_of
from symmetrics.pages.atlas.relation_graph import LINE_STYLES, implied, map_of, shared
from symmetrics.pages.atlas.scripts import (
    FOLDER,
    LEVELS,
    QUESTIONS,
    assets,
    constants,
    metric_code,
    script,
    script_data,
)
from symmetrics.pages.datasheet import datasheet
from symmetrics.tools.documents.html import rendered, style_sheet
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import write_bytes
from symmetrics.tools.texts import number_of
from symmetrics.tools.workers import Bar, spread

PAGES: Final[tuple[tuple[str, str], ...]] = (
    ("index", "Table"),
    ("choose", "Choose"),
    ("calculate", "Calculate"),
    ("properties", "Properties"),
    ("relations", "Relations"),
    ("possible", "Possible"),
    ("papers", "Papers"),
)
"""Pages linked from every page, with the texts of the links."""
KIND: Final[Mapping[str, str]] = {
    **dict.fromkeys("Y", "yes"),
    **dict.fromkeys("N", "no"),
    **dict.fromkeys("ync", "conditional"),
    **dict.fromkeys("opq", "open"),
}
"""Style of an answer, by its mark."""
OUTCOME: Final[Mapping[str, str]] = {
    "holds": "yes",
    "holds only as": "conditional",
    "refuted": "no",
    "open": "open",
    "unreadable": "open",
}
"""Style of a claim's outcome."""
SHARED: Final = ("p1", "p2", "p3", "p4", "p5", "transpose")
"""The properties of the concept lattice."""
_NO_THEME: Final = "your own"
_SHORT: Final = 3
"""Keys up to this length need a word beside them."""


@dataclass(frozen=True)
class Site:
    """All data from which the pages are rendered.

    :param entries: the metrics with their answers
    :param papers: the papers with their claims
    :param version: of the package
    :param seconds: how long each question of a datasheet may take
    :param laws: theorems about all metrics; without it there is no page on what is possible
    :param progress: whether to show a progress bar
    """

    entries: tuple[Entry, ...]
    papers: tuple[Paper, ...]
    version: str
    seconds: float
    laws: Laws | None = None
    progress: bool | None = field(default=None, compare=False)

    @cached_property
    def known(self) -> dict[str, Entry]:
        """The metrics by name."""
        return {entry.metric.name: entry for entry in self.entries}

    @cached_property
    def groups(self) -> list[tuple[str, list[Property]]]:
        """The properties by theme."""
        return [(theme, list(records)) for theme, records in properties.themes.items() if records]

    @cached_property
    def columns(self) -> list[Property]:
        """The properties in the order of the table."""
        return [property for _, columns in self.groups for property in columns]

    @cached_property
    def theme_of(self) -> dict[str, str]:
        """The theme of each metric."""
        themes = {record.name: (theme, record) for theme, records in THEMES.items() for record in records}
        found = {}
        for name, entry in self.known.items():
            theme, record = themes.get(name, (_NO_THEME, None))
            found[name] = theme if record == entry.metric else _NO_THEME
        return found

    @cached_property
    def heading(self) -> dict[str, str]:
        """Heading of each property's column."""
        return {property.name: heading_of(property) for property in properties.values()}

    def page(self, template: str, path: str, **values: Any) -> tuple[str, bytes]:
        """Render a page; return its path and content."""
        counted = {
            "metrics": number_of(len(self.entries), "metric"),
            "properties": number_of(len(self.columns), "property"),
        }
        shared = {
            "root": "../" * path.count("/"),
            "here": path.removesuffix(".html"),
            "pages": [page for page in PAGES if {"papers": self.papers, "possible": self.laws}.get(page[0], True)],
            "version": self.version,
            "counted": counted,
            "kind": KIND,
            "outcome": OUTCOME,
            "heading": self.heading,
            "groups": self.groups,
            "columns": self.columns,
            "known": self.known,
        }
        return path, rendered(FOLDER / "templates", template, **(shared | values)).encode("utf-8")


def heading_of(property: Property) -> str:
    """Return the heading of a property's column.

    >>> heading_of(properties["p2"]), heading_of(properties["max_agreement"])
    ('p2: ignores TN', 'max agreement')
    """
    told = property.name.replace("_", " ")
    return f"{told}: {property.words[0]}" if len(told) <= _SHORT and property.words else told


def pages_of(
    metrics: Sequence[Metric],
    papers: Iterable[Paper],
    laws: Laws | None = None,
    *,
    version: str,
    seconds: float,
    progress: bool | None = None,
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an atlas, by path below its folder.

    :param metrics: the metrics, each of another name
    :param papers: the papers, judged
    :param laws: theorems about all metrics
    :param seconds: how long each question may take that no certificate answers
    """
    site = Site(entries_of(metrics, seconds=seconds), tuple(papers), version, seconds, laws, progress)
    yield from asset_files()
    yield table_page(site)
    yield from evidence_scripts(site)
    yield from choice_pages(site)
    yield from function_pages(site)
    yield from metric_pages(site)
    yield from property_pages(site)
    yield from paper_pages(site)
    yield relations_page(site)
    yield from possible_page(site)


def asset_files() -> Iterator[tuple[str, bytes]]:
    """Yield scripts and styles."""
    for path, data in assets().items():
        yield f"assets/{path}", data
    yield "assets/datasheet.css", style_sheet().encode()


# -- the table ---------------------------------------------------------------------------------------------------------


def table_page(site: Site) -> tuple[str, bytes]:
    """Return the table of metrics and properties."""
    return site.page(
        "index.html",
        "index.html",
        entries=site.entries,
        themes=sorted(set(site.theme_of.values())),
        theme_of=site.theme_of,
        place={property.name: number for number, property in enumerate(site.columns, 1)},
        marks={
            entry.metric.name: "".join(entry.answers[property.name].mark for property in site.columns)
            for entry in site.entries
        },
    )


def evidence_scripts(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield a script for each metric, with the evidence that the panel shows."""
    laws = {p.name: {"title": p.title, "law": p.statement} for p in site.columns}
    for entry in site.entries:
        answers = {key: each.to_dict() | {"kind": KIND[each.mark]} for key, each in entry.answers.items()}
        told = {"title": entry.title, "answers": answers}
        yield f"data/{entry.address}.js", script("receiveEvidence", entry.address, told).encode()
    yield "data/laws.js", script("receiveLaws", laws).encode()


# -- choosing and calculating ------------------------------------------------------------------------------------------


def choice_pages(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield the guided choice and its data."""
    headings = {property.name: site.heading[property.name] for property in site.columns}
    told = script_data(site.entries, headings) | {"kinds": dict(KIND)}
    yield "data/choice.js", script("receiveChoice", told).encode()
    yield site.page("choose.html", "choose.html", questions=QUESTIONS, problems=PROBLEMS)


def function_pages(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield the page that calculates and the metrics as functions."""
    bar = Bar("functions", shown=site.progress)
    codes = [*spread(metric_code, [entry.metric for entry in site.entries], bar=bar)]
    yield "data/functions.js", "".join([constants(), *codes]).encode()
    left_out = [entry for entry, code in zip(site.entries, codes, strict=True) if not code]
    yield site.page("calculate.html", "calculate.html", levels=LEVELS, left_out=left_out)


# -- metrics -----------------------------------------------------------------------------------------------------------


def metric_pages(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield a page for each metric."""
    bar = Bar("datasheets", shown=site.progress)
    said: dict[str, list[tuple[Paper, Claim]]] = {}
    for paper in site.papers:
        for claim in paper.counted:
            for name in dict.fromkeys(metric for metric, _ in claim.verdicts):
                said.setdefault(name, []).append((paper, claim))
    sheets = spread(partial(_sheet, seconds=site.seconds), [entry.metric for entry in site.entries], bar=bar)
    for entry, sheet in zip(site.entries, sheets, strict=True):
        claims = said.get(entry.metric.name, [])
        path = f"metrics/{entry.address}.html"
        yield site.page("metric.html", path, entry=entry, sheet=Markup(sheet), claims=claims)


def _sheet(metric: Metric, seconds: float) -> str:
    return datasheet(metric, seconds=seconds, progress=False).to_article()


# -- properties --------------------------------------------------------------------------------------------------------


def property_pages(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield a page for each property, and one that lists them."""
    counts = {}
    for property in site.columns:
        answers = [(entry, entry.answers[property.name]) for entry in site.entries]
        by_truth = {
            truth: sorted(
                (pair for pair in answers if pair[1].holds is truth), key=lambda pair: pair[0].title.casefold()
            )
            for truth in (True, False, None)
        }
        counts[property.name] = [len(rows) for rows in by_truth.values()]
        titles = {True: "Metrics that have it", False: "Metrics that do not have it", None: "Not decided"}
        yield site.page(
            "property.html",
            f"properties/{property.name}.html",
            property=property,
            implied=list(_implications(property.name)),
            sources=[f"{REFERENCES[cite.reference]} ({cite.locator})" for cite in property.cites],
            rows=[(titles[truth], rows) for truth, rows in by_truth.items()],
        )
    yield site.page("properties.html", "properties.html", counts=counts)


def _implications(key: str) -> Iterator[Implication]:
    """Yield what a property implies, perhaps together with others, and what implies it."""
    for implication in IMPLICATIONS:
        if key in (*implication.premises, implication.conclusion):
            yield implication


# -- relations ---------------------------------------------------------------------------------------------------------


def relations_page(site: Site) -> tuple[str, bytes]:
    """Return the graph of relations."""
    found = map_of(site.entries, progress=site.progress)
    return site.page("relations.html", "relations.html", found=found, styles=LINE_STYLES)


# -- implications and concepts -----------------------------------------------------------------------------------------


def possible_page(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield the page on implications between properties, the concept lattice, and all theorems."""
    if site.laws is None:
        return
    found = site.laws.theorems
    picture, rows = shared(site.entries, SHARED)
    yield site.page(
        "possible.html",
        "possible.html",
        implied=implied(found, [property.name for property in site.columns], site.heading),
        shared=picture,
        rows=rows,
        core=SHARED,
        arguments=site.laws.arguments,
        excluding=[t for t in found if len(t.premises) == 2 and t.conclusion in (CONSTANT, IMPOSSIBLE)],
        theorems=sorted(found, key=lambda theorem: len(theorem.premises)),
    )


# -- papers ------------------------------------------------------------------------------------------------------------


def paper_pages(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield a page for each paper, and one that lists them."""
    if not site.papers:
        return
    yield site.page("papers.html", "papers.html", papers=site.papers)
    for paper in site.papers:
        yield site.page("paper.html", f"papers/{paper.address}.html", paper=paper)


# -- Write an atlas to a folder, from which any browser opens it without a server --------------------------------------


_SIGN: Final = "assets/atlas.css"
"""File that marks a folder as an atlas."""


def check_folder(folder: Path) -> None:
    """Check, before doing the work, that the atlas can be written to a folder.

    :raises InputError: if the folder is a file, cannot be made, or holds something else than an atlas
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise InputError(f"cannot write an atlas to {folder}: it is a file; name a folder")
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()) and not (folder / _SIGN).is_file():
            raise InputError(
                f"cannot write an atlas to {folder}: it holds other files; name a folder that is new or empty"
            )
    except OSError as error:
        raise InputError(f"cannot write an atlas to {folder}: {error.strerror or error}; name another folder") from None


def write_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> Path:
    """Write files below a folder, each atomically, and return the path of the first page."""
    for path, data in files:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(target, data)
    return folder / "index.html"
