"""Documents as data: sections, facts, lists, grids, listings, formulas and pictures; a module writes each format.

Documents are format-independent: no other module writes HTML, Markdown,
LaTeX or columns of text, so that what users typed is escaped in one place for each format.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


class Formula(ABC):
    """A formula within a text; created by code that knows the mathematics, in the form of each output format."""

    @property
    @abstractmethod
    def text(self) -> str:
        """As plain text."""

    @property
    @abstractmethod
    def latex(self) -> str:
        """In LaTeX, without dollars."""

    @property
    @abstractmethod
    def mathml(self) -> str:
        """As the content of a ``math`` element, with all text escaped."""


@dataclass(frozen=True)
class Code:
    """Literal text, such as code or a command."""

    text: str


@dataclass(frozen=True)
class Strong:
    """Emphasised words."""

    text: str


@dataclass(frozen=True)
class Small:
    """De-emphasised words, such as an interval beside its value."""

    text: str


@dataclass(frozen=True)
class TeX:
    """A formula in LaTeX, typeset in notebooks; other formats print its source."""

    text: str


@dataclass(frozen=True)
class Bar:
    """A bar proportional to a number; only HTML draws it.

    :param share: of the longest bar
    """

    share: float


@dataclass(frozen=True)
class Break:
    """A line break; in Markdown a semicolon."""


Span = str | Formula | Code | Strong | Small | TeX | Bar | Break
Text = tuple[Span, ...]
"""A text as a sequence of words, formulas and code."""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph.

    :param is_display: whether it is a formula to be set apart
    """

    text: Text
    is_display: bool = False


@dataclass(frozen=True)
class Facts:
    """Labelled texts (a description list)."""

    rows: tuple[tuple[str, Text], ...]


@dataclass(frozen=True)
class Entry:
    """A sentence with details behind it.

    :param text: the sentence
    :param mark: the answer in a word, such as yes or no; empty if there is none
    :param detail: labels with texts that whoever doubts the sentence wants to see
    :param key: by which it is linked; nothing if it is not
    """

    text: Text
    mark: str = ""
    detail: tuple[tuple[str, Text], ...] = ()
    key: str = ""


@dataclass(frozen=True)
class Entries:
    """A list of sentences.

    :param is_numbered: whether each rests on those before it
    """

    entries: tuple[Entry, ...]
    is_numbered: bool = False


@dataclass(frozen=True)
class Cell:
    """A table cell with details beyond its text.

    :param text: its text
    :param title: its tooltip
    :param kind: its class in the style sheet, such as ``proved``
    :param moved: whether it is highlighted as changed
    """

    text: Text
    title: str = ""
    kind: str = ""
    moved: bool = False


@dataclass(frozen=True)
class Grid:
    """A table.

    :param head: names of the columns; empty if they have none
    :param rows: of texts; a cell of which there is more to say is a :class:`Cell`
    :param align: a letter for each column: ``l`` for words, ``r`` for numbers; empty if that does not matter
    :param caption: the caption; there is none where there are notes
    :param has_row_heads: whether the first cell of each row is its heading
    :param rules: the indices of rows above which a line is drawn
    :param notes: notes below, line by line
    """

    head: tuple[Text | Cell, ...]
    rows: tuple[tuple[Text | Cell, ...], ...]
    align: str = ""
    caption: Text = ()
    has_row_heads: bool = False
    rules: tuple[int, ...] = ()
    notes: tuple[Text, ...] = ()


@dataclass(frozen=True)
class Listing:
    """Preformatted lines of a program or of a bibliography.

    :param language: such as ``python``
    :param text: the lines
    """

    language: str
    text: str


@dataclass(frozen=True)
class Picture:
    """A drawing in SVG, inserted unescaped: it must not contain user input."""

    svg: str


@dataclass(frozen=True)
class Plot:
    """A curve in the unit square, with a confidence band and the diagonal.

    :param title: text alternative for screen readers
    :param curve: points from left to right
    :param band: the points around a band
    :param names: of the axes
    """

    title: str
    curve: tuple[tuple[float, float], ...]
    band: tuple[tuple[float, float], ...] = ()
    names: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Folded:
    """Collapsed blocks that readers can expand.

    :param summary: the visible line when collapsed
    """

    summary: Text
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Beside:
    """Blocks side by side where there is room."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Section:
    """A part of a document under a heading.

    :param key: by which it is linked
    :param title: the heading
    :param blocks: its content
    """

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """A document: a title with blocks or sections.

    :param is_wide: whether it may be as wide as the window, as a table of many columns has to be
    """

    title: str
    blocks: tuple[Block, ...]
    is_wide: bool = False


Block = Paragraph | Facts | Entries | Grid | Listing | Picture | Plot | Folded | Beside | Section


def lines(every: Iterable[str]) -> Text:
    """Join lines to one text."""
    broken = [span for line in every for span in (Break(), line)]
    return tuple(broken[1:])


def facts(pairs: Iterable[tuple[str, str]]) -> Facts:
    """Build :class:`Facts` from labels and words."""
    return Facts(tuple((label, (text,)) for label, text in pairs))


def texts(row: Iterable[str]) -> tuple[Text, ...]:
    """Build a row of cells from words."""
    return tuple((word,) for word in row)


def headed(about: str, head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[Block]:
    """Return a heading, and a table below it unless the table is empty."""
    grid = Grid(names := texts(head), tuple(map(texts, rows)), "l" * len(names))
    return [Paragraph((Strong(about),)), *([grid] if grid.rows else [])]


def cell_of(cell: Text | Cell) -> Cell:
    """Wrap a bare text as a cell."""
    return cell if isinstance(cell, Cell) else Cell(cell)


def text_of(cell: Text | Cell) -> Text:
    """Return the text of a cell."""
    return cell.text if isinstance(cell, Cell) else cell


class Writer(ABC):
    """Base class of output formats: renders each block and each part of a text; pictures are omitted."""

    line_end = "\n"
    """Rendering of a :class:`Break`."""

    def blocks(self, blocks: Iterable[Block]) -> Iterator[str]:
        """Render blocks."""
        for block in blocks:
            match block:
                case Section(_, title, inner):
                    yield from self.heading(title)
                    yield from self.blocks(inner)
                case Paragraph(text, is_display):
                    yield self.paragraph(self.text(text), is_display=is_display)
                case Facts(rows):
                    yield from self.facts(rows)
                case Entries():
                    yield from self.entries(block)
                case Grid():
                    yield from self.grid(block)
                case Listing():
                    yield from self.listing(block)
                case Folded(_, inner) | Beside(inner):
                    yield from self.blocks(inner)

    @abstractmethod
    def heading(self, title: str) -> Iterator[str]:
        """Render the heading of a section."""

    @abstractmethod
    def paragraph(self, written: str, *, is_display: bool) -> str:
        """Render a paragraph, given its rendered text."""

    @abstractmethod
    def facts(self, rows: tuple[tuple[str, Text], ...]) -> Iterator[str]:
        """Render labelled texts."""

    @abstractmethod
    def entries(self, found: Entries) -> Iterator[str]:
        """Render a list of sentences."""

    @abstractmethod
    def grid(self, found: Grid) -> Iterator[str]:
        """Render a table with its notes."""

    @abstractmethod
    def listing(self, found: Listing) -> Iterator[str]:
        """Render preformatted lines."""

    @abstractmethod
    def letters(self, text: str) -> str:
        """Escape words for the format."""

    def text(self, text: Text) -> str:
        """Render a text."""
        if len(text) == 1 and isinstance(text[0], str):  # fast path: most table cells
            return self.letters(text[0])
        return "".join(map(self.span, text))

    def span(self, span: Span) -> str:
        """Render a part of a text."""
        match span:
            case str():
                return self.letters(span)
            case Break():
                return self.line_end
            case Bar():
                return ""
            case Formula():
                return self.formula(span)
            case Code():
                return self.code(span.text)
            case Strong():
                return self.strong(span.text)
            case TeX():
                return self.tex(span.text)
            case Small():
                return self.letters(span.text)

    def formula(self, found: Formula) -> str:
        """Render a formula, by default as code."""
        return self.code(found.text)

    def code(self, text: str) -> str:
        """Render literal text."""
        return self.letters(text)

    def strong(self, text: str) -> str:
        """Render emphasised words."""
        return self.letters(text)

    def tex(self, text: str) -> str:
        """Render a formula given in LaTeX."""
        return self.letters(text)
