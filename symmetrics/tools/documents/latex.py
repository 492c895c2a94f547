"""Documents as articles in LaTeX, for any engine; amsmath, booktabs and graphicx are all that they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from symmetrics.tools.documents import (
    Bar,
    Beside,
    Block,
    Break,
    Code,
    Document,
    Entries,
    Entry,
    Facts,
    Folded,
    Formula,
    Grid,
    Listing,
    Paragraph,
    Picture,
    Plot,
    Section,
    Strong,
    TeX,
    Text,
    text_of,
)
from symmetrics.tools.escaping import for_latex

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
    parts += [text for block in document.blocks for text in _block(block) if text]
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


def _block(block: Block) -> Iterator[str]:
    match block:
        case Section(_, title, blocks):
            yield rf"\subsection*{{{for_latex(title)}}}"
            for each in blocks:
                yield from _block(each)
        case Paragraph(text, is_display):
            yield rf"\fitted{{{_text(text)}}}" if is_display else _text(text)
        case Facts(rows):
            items = "\n".join(rf"\item[{{{for_latex(label)}}}] {_text(text)}" for label, text in rows)
            yield f"\\begin{{description}}\n{items}\n\\end{{description}}"
        case Entries(entries, is_numbered):
            if entries:
                kind = "enumerate" if is_numbered else "itemize"
                items = "\n".join(line for entry in entries for line in _entry(entry))
                yield f"\\begin{{{kind}}}\n{items}\n\\end{{{kind}}}"
        case Grid():
            columns = block.align or "l" * len(block.head)
            head, *cells = ([_text(text_of(cell)) for cell in row] for row in (block.head, *block.rows))
            table = "\n".join(tabular(columns, head, cells))
            yield f"\\fitted{{{table}}}"
            yield from map(_text, block.notes)
        case Listing(_, text):
            written = "\\\\\n".join(map(_typed, text.split("\n")))
            yield f"{{\\small\\raggedright\\ttfamily\n{written}\\par}}"
        case Folded(_, blocks) | Beside(blocks):
            for each in blocks:
                yield from _block(each)
        case Picture() | Plot():
            pass


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
    written = []
    for span in text:
        match span:
            case Formula():
                written.append(rf"\fitted{{$\displaystyle {span.latex}$}}")
            case Code():
                written.append(rf"\texttt{{{for_latex(span.text)}}}")
            case Strong():
                written.append(rf"\textbf{{{for_latex(span.text)}}}")
            case TeX():
                written.append(rf"\fitted{{$\displaystyle {span.text}$}}")
            case Break():
                written.append(r"\\")
            case Bar():
                pass
            case str():
                written.append(for_latex(span))
            case _:
                written.append(for_latex(span.text))
    return "".join(written)
