"""Tables of verdicts in LaTeX: a tabular, or a float with caption, notes and legend."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from symmetrics.claims.verdict import Verdict
from symmetrics.language.parameter import at_defaults_text
from symmetrics.library.selections import SIGNS
from symmetrics.pages.answers import Marks, answer_text, at_zero_cells, legend, value
from symmetrics.pages.latex.mathematics import condition_latex, prose_latex, value_latex
from symmetrics.tools.documents import Code
from symmetrics.tools.documents.latex import tabular
from symmetrics.tools.documents.text import plain
from symmetrics.tools.errors import InputError, shortened
from symmetrics.tools.escaping import for_latex

LABEL: Final = re.compile(r"[\w:.+/@-]+(?: [\w:.+/@-]+)*", re.ASCII)
_SPECIAL: Final = re.compile(r"(?<!\\)[%&#]")
"""Signs that would end a caption, or its line, and take the table with it."""
_NARROW: Final = 3
"""Letters of a heading that need not stand upright in a compact table."""
SHRUNK: Final = (r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%", "}")
"""What makes a box as wide as the column if it is wider."""
_SMALL: Final = "\\footnotesize\\setlength{\\tabcolsep}{4pt}"


@dataclass(frozen=True)
class Style:
    """How a table looks in a paper.

    :param caption: of the float, in LaTeX
    :param label: to refer to it by
    :param legend: whether what the marks and the properties mean stands below
    :param compact: small, with upright headings, conditions and values as notes
    :param transpose: a row for each property, instead of one for each metric
    :param wide: over both columns of the page
    :param names: in LaTeX, what metrics and properties are to be called, by their names and keys
    :param titles: what the properties say in words, by their keys
    """

    caption: str | None = None
    label: str | None = None
    legend: bool = False
    compact: bool = False
    transpose: bool = False
    wide: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.label is not None and not LABEL.fullmatch(self.label):
            raise InputError(
                f"label {self.label!r}: LaTeX reads letters, digits and :.+/@- there, as in tab:invariance"
            )
        if self.caption is not None and (sign := _SPECIAL.search(self.caption)) is not None:
            meant = f"{sign[0]} has another meaning; write \\{sign[0]}"
            raise InputError(f"caption {self.caption!r} is read as LaTeX, where {meant}")
        if not isinstance(self.names, Mapping):
            raise InputError(
                "names is a dict from metrics and properties to what they are called, as in {'f1': '$F_1$'}"
            )

    @property
    def is_float(self) -> bool:
        """Whether the table is a float, and not only a tabular."""
        return self.caption is not None or self.label is not None or self.legend or self.compact or self.wide


def table_latex(keys: Sequence[str], rows: Sequence[tuple[str, Sequence[Verdict]]], marks: Marks, style: Style) -> str:
    """Return a table in LaTeX.

    :param keys: those of the properties
    :param rows: the name of each metric, with a verdict for each property
    :param marks: what stands for yes, no and open
    :raises InputError: if a name is given for what is not in the table
    """
    unknown = sorted(set(style.names) - {*keys, *(name for name, _ in rows)})
    if unknown:
        raise InputError(f"names has {unknown[0]!r}, which is neither a metric nor a property of this table")
    notes = _Notes()
    note = notes.mark if style.compact else None
    verdicts = [row for _, row in rows]
    names = [[style.names.get(name, for_latex(name)) for name in named] for named in ((n for n, _ in rows), keys)]
    if style.transpose:
        verdicts = list(zip(*verdicts, strict=True))
        names.reverse()
    body = [(name, *(_cell(v, marks, note) for v in row)) for name, row in zip(names[0], verdicts, strict=True)]
    heads = ["property" if style.transpose else "metric", *(_upright(n) if style.compact else n for n in names[1])]
    columns = ("l" + "c" * len(names[1])) if style.compact else "l" * len(heads)
    written = "\n".join([*tabular(columns, heads, body), ""])
    if not style.is_float:
        return written
    below = [*notes.lines(), *(_legend(keys, rows, marks, style) if style.legend else ())]
    return _floating(written, below, style)


def _cell(verdict: Verdict, marks: Marks, note: Callable[[str], str] | None) -> str:
    """Return what a cell says; with *note*, beyond its mark by notes alone."""
    names = [parameter.name for parameter in verdict.claim.parameters]
    mark, _, at_defaults = answer_text(verdict, marks).removesuffix(")").partition(" (")
    if marks is SIGNS:
        mark = f"${mark}$" if mark in ("-", "+") else mark
    here = prose_latex(at_defaults, names) if at_defaults else ""
    condition = "" if verdict.condition is None else condition_latex(verdict.condition)
    found, zero = value(verdict), at_zero_cells(verdict, lambda end: value_latex(end, names))
    if note is None:
        parts = [mark, *(f"({text})" for text in (here, condition) if text)]
        return " ".join(parts) + ("" if found is None else f": {_short_value(found, names)}{zero}")
    noted = "" if found is None else value_latex(found, names) + zero
    told = [here, f"if and only if {condition}" if condition else "", noted]
    text = "; ".join(part for part in told if part)
    return f"{mark}{note(text)}" if text else mark


def _short_value(found: str, names: Sequence[str]) -> str:
    return for_latex(shortened(found)) if shortened(found) != found else value_latex(found, names)


class _Notes:
    """Notes to a table, each text once, under letters."""

    def __init__(self) -> None:
        self._letters: dict[str, str] = {}

    def mark(self, text: str) -> str:
        """Return the sign of a note."""
        place = len(self._letters)
        letter = (chr(ord("a") + place // 26 - 1) if place >= 26 else "") + chr(ord("a") + place % 26)
        return f"$^{{\\mathrm{{{self._letters.setdefault(text, letter)}}}}}$"

    def lines(self) -> Iterator[str]:
        """Yield the notes, in one paragraph."""
        if self._letters:
            yield "; ".join(f"$^{{\\mathrm{{{letter}}}}}$~{text}" for text, letter in self._letters.items()) + "."


def _upright(head: str) -> str:
    """Return a heading, upright if it is long."""
    return head if len(re.sub(r"\\[a-zA-Z]+|[${}_^\\]", "", head)) <= _NARROW else f"\\rotatebox{{90}}{{{head}}}"


def _legend(
    keys: Iterable[str], rows: Iterable[tuple[str, Sequence[Verdict]]], marks: Marks, style: Style
) -> list[str]:
    """Return what the marks mean, at which parameters, and what the properties say."""
    verdicts = [(name, verdict) for name, row in rows for verdict in row]
    spans = legend((verdict for _, verdict in verdicts), marks, noted=style.compact)
    meaning = "".join(f"${plain((span,))}$" if span in (Code("-"), Code("+")) else plain((span,)) for span in spans)
    defaults = {
        name: at_defaults_text([p for p in verdict.claim.parameters if p.default is not None]).removeprefix("at ")
        for name, verdict in verdicts
        if any(parameter.default is not None for parameter in verdict.claim.parameters)
    }
    symbols = [p.name for _, verdict in verdicts for p in verdict.claim.parameters]
    told = "; ".join(
        f"{prose_latex(text, symbols)} in {style.names.get(name, for_latex(name))}" for name, text in defaults.items()
    )
    about = "; ".join(
        f"{style.names.get(key, for_latex(key))}: {prose_latex(style.titles[key])}"
        for key in keys
        if key in style.titles
    )
    return [
        meaning,
        *([f"Defaults: {told}."] if told else []),
        *([f"Properties: {about}."] if about else []),
    ]


def _floating(written: str, below: Sequence[str], style: Style) -> str:
    """Return a float around a tabular; what stands above it is what LaTeX has to be told to load."""
    kind = "table*" if style.wide else "table"
    return "\n".join(
        [
            r"% \usepackage{booktabs, graphicx}",
            f"\\begin{{{kind}}}[tbp]",
            "\\centering",
            *([f"\\caption{{{style.caption}}}\\smallskip"] if style.caption is not None else []),
            *([f"\\label{{{style.label}}}"] if style.label is not None else []),
            *([_SMALL] if style.compact else []),
            SHRUNK[0],
            written.rstrip("\n") + SHRUNK[1],
            *(["\\par\\smallskip", f"\\parbox{{\\linewidth}}{{\\footnotesize {' '.join(below)}}}"] if below else []),
            f"\\end{{{kind}}}",
            "",
        ]
    )
