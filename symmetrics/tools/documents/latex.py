"""Documents as LaTeX articles, for any engine; they need only amsmath, booktabs and graphicx."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from symmetrics.tools.documents import Document, Entries, Entry, Formula, Grid, Listing, Text, Writer, text_of
from symmetrics.tools.texts import for_latex

_PREAMBLE: Final = r"""\documentclass[a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage{amsmath,booktabs,graphicx}
\usepackage[margin=25mm]{geometry}
\setlength{\parindent}{0pt}
\newcommand{\fitted}[1]{\sbox0{#1}\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi}
\emergencystretch=3em
\begin{document}"""


def latex_document(document: Document) -> str:
    """Return a whole document."""
    parts = [_PREAMBLE, rf"\section*{{{for_latex(document.title)}}}"]
    parts += filter(None, _LaTeX().blocks(document.blocks))
    return "\n\n".join([*parts, r"\end{document}"]) + "\n"


def tabular(
    columns: str, head: Sequence[str], rows: Iterable[Sequence[str]], *, rules: Sequence[str] = ()
) -> list[str]:
    r"""Return the lines of a table whose cells are LaTeX.

    :param columns: how each is aligned, as in ``lrr``
    :param rules: what is drawn above the head, below it and below the table; by default the rules of booktabs

    >>> tabular("lr", ["a", "b"], [["1", "2"]], rules=["\\hline"] * 3)[1:4]
    ['\\hline', 'a & b \\\\', '\\hline']
    """
    above, middle, below = rules or (r"\toprule", r"\midrule", r"\bottomrule")
    first, *others = (rf"{' & '.join(row)} \\" for row in (head, *rows))
    return [rf"\begin{{tabular}}{{{columns}}}", above, first, middle, *others, below, r"\end{tabular}"]


class _LaTeX(Writer):
    line_end = r"\\"

    def heading(self, title: str) -> Iterator[str]:
        yield rf"\subsection*{{{for_latex(title)}}}"

    def paragraph(self, written: str, *, is_display: bool) -> str:
        return rf"\fitted{{{written}}}" if is_display else written

    def facts(self, rows: tuple[tuple[str, Text], ...]) -> Iterator[str]:
        items = "\n".join(rf"\item[{{{for_latex(label)}}}] {self.text(text)}" for label, text in rows)
        yield f"\\begin{{description}}\n{items}\n\\end{{description}}"

    def entries(self, found: Entries) -> Iterator[str]:
        if found.entries:
            kind = "enumerate" if found.is_numbered else "itemize"
            items = "\n".join(line for entry in found.entries for line in self._entry(entry))
            yield f"\\begin{{{kind}}}\n{items}\n\\end{{{kind}}}"

    def _entry(self, entry: Entry) -> Iterator[str]:
        mark = rf"\textbf{{{for_latex(entry.mark)}}} " if entry.mark else ""
        yield rf"\item {{}}{mark}{self.text(entry.text)}"
        if entry.detail:
            told = "; ".join(rf"\emph{{{for_latex(label)}}} {self.text(text)}" for label, text in entry.detail)
            yield rf"\\{{\footnotesize {told}}}"

    def grid(self, found: Grid) -> Iterator[str]:
        columns = found.align or "l" * len(found.head)
        head, *cells = ([self.text(text_of(cell)) for cell in row] for row in (found.head, *found.rows))
        table = "\n".join(tabular(columns, head, cells))
        yield f"\\fitted{{{table}}}"
        yield from map(self.text, found.notes)

    def listing(self, found: Listing) -> Iterator[str]:
        written = "\\\\\n".join(map(_typed, found.text.split("\n")))
        yield f"{{\\small\\raggedright\\ttfamily\n{written}\\par}}"

    def letters(self, text: str) -> str:
        return for_latex(text)

    def formula(self, found: Formula) -> str:
        return self._set(found.latex)

    def tex(self, text: str) -> str:
        return self._set(text)

    def _set(self, formula: str) -> str:
        return rf"\fitted{{$\displaystyle {formula}$}}"

    def code(self, text: str) -> str:
        return rf"\texttt{{{for_latex(text)}}}"

    def strong(self, text: str) -> str:
        return rf"\textbf{{{for_latex(text)}}}"


def _typed(line: str) -> str:
    """Return a line of code with blanks preserved and ligatures off."""
    return for_latex(line).replace(" ", r"\ ").replace("--", "-{}-") or r"\ "
