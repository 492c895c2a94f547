"""A datasheet as an article in LaTeX, for any engine; amsmath, booktabs and graphicx are all that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from symmetrics.metric import Metric
from symmetrics.pages.datasheet.blocks import (
    Block,
    Code,
    Entries,
    Entry,
    Facts,
    Formula,
    Grid,
    Listing,
    Paragraph,
    Section,
    Text,
)
from symmetrics.pages.latex.mathematics import formula_latex
from symmetrics.tools.escaping import for_latex

__all__ = ["latex_document"]

_PREAMBLE: Final = r"""\documentclass[a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage{amsmath,booktabs,graphicx}
\usepackage[margin=25mm]{geometry}
\setlength{\parindent}{0pt}
\newcommand{\fitted}[1]{\sbox0{#1}\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi}
\emergencystretch=3em
\begin{document}"""


def latex_document(metric: Metric, sections: Iterable[Section]) -> str:
    """Return a whole document."""
    parts = [_PREAMBLE, rf"\section*{{{for_latex(metric.title or metric.name)}}}"]
    for section in sections:
        parts.append(rf"\subsection*{{{for_latex(section.title)}}}")
        parts += [text for block in section.blocks if (text := _block(block))]
    return "\n\n".join([*parts, r"\end{document}"]) + "\n"


def _block(block: Block) -> str:
    match block:
        case Paragraph(text, is_display):
            return rf"\fitted{{{_text(text)}}}" if is_display else _text(text)
        case Facts(rows):
            items = "\n".join(rf"\item[{{{for_latex(label)}}}] {_text(text)}" for label, text in rows)
            return f"\\begin{{description}}\n{items}\n\\end{{description}}"
        case Entries(entries):
            if not entries:
                return ""
            items = "\n".join(line for entry in entries for line in _entry(entry))
            return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"
        case Grid(head, rows):
            lines = [rf"{' & '.join(map(for_latex, head))} \\", r"\midrule"]
            lines += [rf"{' & '.join(map(_text, row))} \\" for row in rows]
            columns = "l" * len(head)
            table = "\n".join(
                [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *lines, r"\bottomrule", r"\end{tabular}"]
            )
            return f"\\fitted{{{table}}}"
        case Listing(_, text):
            written = "\\\\\n".join(map(_typed, text.split("\n")))
            return f"{{\\small\\raggedright\\ttfamily\n{written}\\par}}"


def _entry(entry: Entry) -> Iterator[str]:
    mark = rf"\textbf{{{for_latex(entry.mark)}}} " if entry.mark else ""
    yield rf"\item {{}}{mark}{_text(entry.text)}"
    if entry.detail:
        told = "; ".join(rf"\emph{{{for_latex(label)}}} {_text(text)}" for label, text in entry.detail)
        yield rf"\\{{\footnotesize {told}}}"


def _typed(line: str) -> str:
    """Return a line of a program: blanks count, and letters do not join."""
    return for_latex(line).replace(" ", r"\ ").replace("--", "-{}-") or r"\ "


def _text(text: Text) -> str:
    return "".join(map(_span, text))


def _span(span: str | Formula | Code) -> str:
    match span:
        case Formula(expr, equals):
            before = f"{for_latex(equals)} = " if equals else ""
            return rf"\fitted{{$\displaystyle {before}{formula_latex(expr)}$}}"
        case Code(letters):
            return rf"\texttt{{{for_latex(letters)}}}"
        case _:
            return for_latex(span)
