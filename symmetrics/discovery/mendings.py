"""Results of mending: variants of a formula, and their display."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from symmetrics.language.writer import formula_text
from symmetrics.metric import Metric
from symmetrics.tools.documents import Block, Paragraph, headed

COLUMNS: Final = ("variant", "how", "loses", "gains", "is")


@dataclass(frozen=True)
class Variant:
    """A variant of a formula that provably has the missing property.

    :param metric: the variant
    :param how: the edit
    :param kind: ``parameters``, ``construction`` or ``edit``
    :param distance: 0 for a value of a parameter, 1 for a construction or an edit, 2 for two edits
    :param loses: the properties that the formula has and the variant has not: at the defaults of parameters or, where
        there are none, for all their values
    :param gains: those that the variant has and the formula has not
    :param undecided: those of which one of both is not known
    :param equals: the metrics of the library that it equals, as equations
    """

    metric: Metric
    how: str
    kind: str
    distance: int
    loses: tuple[str, ...] = ()
    gains: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    equals: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the variant as JSON values."""
        return {
            "formula": formula_text(self.metric.expr),
            "parameters": [str(parameter) for parameter in self.metric.parameters],
            "how": self.how,
            "kind": self.kind,
            "distance": self.distance,
            "loses": list(self.loses),
            "gains": list(self.gains),
            "undecided": list(self.undecided),
            "equals": list(self.equals),
        }

    @property
    def row(self) -> tuple[str, ...]:
        """Its row in a table."""
        lost, gained = (", ".join(keys) or "nothing" for keys in (self.loses, self.gains))
        unknown = f" (not known: {', '.join(self.undecided)})" if self.undecided else ""
        return formula_text(self.metric.expr), self.how, lost, gained + unknown, "; ".join(self.equals)


@dataclass(frozen=True, repr=False)
class Mending:
    """The variants of a formula with given properties, the nearest first.

    :param formula: the formula
    :param wanted: the keys of the properties
    :param variants: the nearest variants
    :param remark: further remarks: nothing to mend, or time ran out
    :param left_out: how many more variants were found, which are farther or longer
    """

    formula: Metric
    wanted: tuple[str, ...]
    variants: tuple[Variant, ...]
    remark: str = ""
    left_out: int = 0

    def __iter__(self) -> Iterator[Variant]:
        return iter(self.variants)

    def __len__(self) -> int:
        return len(self.variants)

    def __getitem__(self, place: int) -> Variant:
        return self.variants[place]

    def to_dict(self) -> dict[str, Any]:
        """Return the formula and its variants as JSON values."""
        return {
            "formula": formula_text(self.formula.expr),
            "wanted": list(self.wanted),
            "variants": [variant.to_dict() for variant in self.variants],
            "left_out": self.left_out,
            "remark": self.remark,
        }

    @property
    def remarks(self) -> list[str]:
        """Remarks below the table."""
        none = "no variant near it was found" if not self.variants and not self.remark else ""
        were = "was" if self.left_out == 1 else "were"
        more = f"{self.left_out} more {were} found, farther away or longer" if self.left_out else ""
        return [words for words in (none, more, self.remark) if words]

    @property
    def about(self) -> str:
        """The formula, and the required properties."""
        return f"M = {formula_text(self.formula.expr)}, with {' and '.join(self.wanted)}"

    @property
    def blocks(self) -> list[Block]:
        """The variants as a document, the nearest first."""
        rows = [variant.row for variant in self.variants]
        return [*headed(self.about, COLUMNS, rows), *(Paragraph((text,)) for text in self.remarks)]

    def __repr__(self) -> str:
        lines = [self.about]
        for place, variant in enumerate(self.variants, 1):
            formula, how, lost, gained, known = variant.row
            lines.append(f"{place:>2}. {formula}{'   ' + known.replace('M = ', '= ') if known else ''}")
            lines.append(f"    {how}; loses {lost}; gains {gained}")
        return "\n".join([*lines, *self.remarks])
