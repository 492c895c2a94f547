"""The datasheet of a metric as an object, and the formats in which it is written."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sympy import Expr

from symmetrics.claims.verdict import Verdict
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.pages.datasheet.content import gathered
from symmetrics.pages.lookup import bibtex_of
from symmetrics.tools.budget import SECONDS
from symmetrics.tools.documents import Beside, Document, Picture, Section
from symmetrics.tools.drawing.canvas import figure_of
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import check_writable, write_text
from symmetrics.tools.texts import number_of

# ----------------------------------------------------------------------------------------------------------------------
# The pictures of a datasheet, as SVG: a metric in the ROC plane, against the prior, and over all small tables.


def svg_pictures(metric: Metric) -> tuple[str, ...]:
    """Return isometrics, the value against the prior, and the values of all tables of 20 examples, each as SVG.

    Its letters are text, and the same metric gives the same drawing.

    :raises InputError: without matplotlib
    :raises DefinitionError: if a parameter has no default
    """
    try:
        import matplotlib.pyplot as plt
    except ModuleNotFoundError:
        raise InputError("pictures need matplotlib: pip install 'symmetrics[plot]'") from None

    drawn = []
    with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": metric.name}):
        for draw in (metric.plot.isometrics, metric.plot.prior, metric.plot.distribution):
            figure = figure_of(draw())
            with io.StringIO() as text:
                figure.savefig(text, format="svg", metadata={"Date": None})
                drawn.append(text.getvalue())
            plt.close(figure)
    return tuple(drawn)


# ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Datasheet:
    """All that is known of one metric; a notebook shows it as HTML, ``print`` as text.

    :param metric: the metric
    :param sections: the content, common to all formats
    :param verdicts: the verdicts that it rests on, by property
    :param warnings: keys of the properties behind the warnings, in order
    """

    metric: Metric
    sections: tuple[Section, ...]
    verdicts: Mapping[str, Verdict] = field(compare=False)
    warnings: tuple[str, ...] = ()

    @property
    def bibtex(self) -> str:
        """BibTeX entries of the metric's sources; empty if none is known."""
        return bibtex_of(self.metric.cites)

    def pictures(self) -> tuple[str, ...]:
        """Return isometrics, the value against the prior, and the values of all tables of 20 examples, as SVG.

        They are for :meth:`to_html`: ``sheet.to_html("mcc.html", pictures=sheet.pictures())``.

        :raises InputError: without matplotlib
        :raises DefinitionError: if a parameter has no default
        """
        return svg_pictures(self.metric)

    def to_html(self, path: str | Path | None = None, *, pictures: Iterable[str] = ()) -> str:
        """Return the datasheet as a self-contained HTML page: no network, scripts or fonts.

        :param path: a file to write it to as well
        :param pictures: drawings as SVG, such as ``matplotlib`` writes, which are shown after the warnings; they are
            taken as they are
        :raises InputError: on a picture that is no SVG, and if the file cannot be written
        """
        from symmetrics.tools.documents.html import html_page

        return _written(html_page(self._document(pictures)), path)

    def to_markdown(self, path: str | Path | None = None) -> str:
        """Return the datasheet in Markdown.

        :param path: a file to write it to as well
        :raises InputError: if the file cannot be written
        """
        from symmetrics.tools.documents.markdown import markdown_document

        return _written(markdown_document(self._document()), path)

    def to_latex(self, path: str | Path | None = None) -> str:
        """Return the datasheet as an article in LaTeX.

        :param path: a file to write it to as well
        :raises InputError: if the file cannot be written
        """
        from symmetrics.tools.documents.latex import latex_document

        return _written(latex_document(self._document()), path)

    def to_text(self) -> str:
        """Return the datasheet for a terminal."""
        from symmetrics.tools.documents.text import text_document

        return text_document(self._document())

    def to_article(self) -> str:
        """Return the body of the HTML page, without head and style."""
        from symmetrics.tools.documents.html import html_article

        return html_article(self._document())

    def _document(self, pictures: Iterable[str] = ()) -> Document:
        """Return the sections as a document, with drawings after the warnings."""
        sections = list(self.sections)
        if drawn := tuple(map(_picture, pictures)):
            place = [section.key for section in sections].index("warnings") + 1
            sections.insert(place, Section("pictures", "What it looks like", (Beside(drawn),)))
        return Document(self.metric.title or self.metric.name, tuple(sections))

    def _repr_html_(self) -> str:
        from symmetrics.tools.documents.html import html_fragment

        return html_fragment(self._document())

    def _repr_latex_(self) -> None:
        """None: notebooks show HTML, not a LaTeX article."""

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        verdicts, warnings = number_of(len(self.verdicts), "verdict"), number_of(len(self.warnings), "warning")
        return f"<Datasheet of {self.metric.name!r}: {verdicts}, {warnings}>"


FORMATS: Final[Mapping[str, Callable[[Datasheet], str]]] = {
    "html": Datasheet.to_html,
    "md": Datasheet.to_markdown,
    "tex": Datasheet.to_latex,
    "txt": Datasheet.to_text,
}
"""Output formats, by file extension."""


def datasheet(metric: Metric | Expr | str, *, seconds: float = SECONDS, progress: bool | None = None) -> Datasheet:
    """Return the datasheet of a metric: definition, properties, related metrics; each fact proved or marked open.

    Every fact is asked of the prover, or read from a certificate, when the datasheet is made; the warnings follow from
    verdicts.  What needs values of the parameters is told at their defaults.

    :param metric: a metric, an expression over the cells, the name of a library metric, or the text of a formula
    :param seconds: time limit for each question; what is undecided by then is open
    :param progress: whether to show a progress bar on standard error; by default only on a terminal
    :raises UnknownNameError: if no metric of the library has the name
    :raises FormulaError: if the text is no formula

    >>> sheet = datasheet("TP/(TP + 7*FN/10 + 3*FP/10)")
    >>> sheet.verdicts["p2"].status, sheet.warnings[0]
    ('proved', 'p2')
    >>> print(sheet.to_text().splitlines()[6])
    - It is F-measure (f_beta) for its beta = sqrt(21)/3, and ranks all tables as that does.
    """
    return Datasheet(*gathered(_as_subject(metric), seconds=seconds, progress=progress))


def _as_subject(metric: Metric | Expr | str) -> Metric:
    if isinstance(metric, str) and not (metric.strip().isidentifier() and metric.strip() not in CELL_NAMES):
        return Metric(metric.strip(), parse_formula(metric))
    return as_metric(metric.strip() if isinstance(metric, str) else metric)


def _picture(svg: str) -> Picture:
    """Return a drawing without the wrapping of an SVG file.

    :raises InputError: on a picture that is no SVG
    """
    found = re.search(r"<svg\b.*</svg>", svg, re.DOTALL)
    if found is None:
        raise InputError("a picture of a datasheet is a drawing as SVG; save it with format='svg'")
    return Picture(found[0])


def _written(text: str, path: Any) -> str:
    if path is not None:
        check_writable(Path(path))
        write_text(Path(path), text)
    return text
