"""What the atlas shows, as plain texts and numbers: verdicts with their evidence, and records of metrics and papers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import value_text
from symmetrics.language.condition import condition_text
from symmetrics.language.formula import formula_text
from symmetrics.library import properties
from symmetrics.metric import Metric
from symmetrics.pages.answers import ANSWERS, answer_text, condition_suffix
from symmetrics.pages.atlas.addresses import address
from symmetrics.pages.instances import setting
from symmetrics.pages.plain import plain_sentence
from symmetrics.pages.subjects import has_name
from symmetrics.query.proving import prove

__all__ = ["Answer", "Entry", "answers_of", "entries_of"]

MARKS: Final[Mapping[tuple[str, bool | None], str]] = {
    ("proved", True): "Y",
    ("refuted", False): "N",
    ("conditional", True): "y",
    ("conditional", False): "n",
    ("conditional", None): "c",
    ("open", None): "o",
    ("open", True): "p",
    ("open", False): "q",
}
"""One letter for each status with its answer at the defaults, by which the pages filter and sort."""


@dataclass(frozen=True)
class Answer:
    """What is known of one property of one metric, in words.

    :param key: of the property
    :param mark: a letter of :data:`MARKS`
    :param short: what a cell of a table says
    :param sentence: the verdict in everyday words
    :param status: of the verdict
    :param condition: on the parameters; empty if there is none
    :param value: what was found; empty if there is none
    :param evidence: the sentence of the certificate
    :param tables: of the counterexample, each with its value
    """

    key: str
    mark: str
    short: str
    sentence: str
    status: str
    condition: str
    value: str
    evidence: str
    tables: tuple[tuple[str, str], ...]

    @property
    def holds(self) -> bool | None:
        """Whether the metric has the property at the defaults of its parameters; None if that is not known."""
        return True if self.mark in "Yyp" else False if self.mark in "Nnq" else None

    def to_dict(self) -> dict[str, Any]:
        """Return what the panel of a page shows."""
        shown = {name: getattr(self, name) for name in ("mark", "short", "sentence", "status", "evidence")}
        more = {"condition": self.condition, "value": self.value, "tables": [list(row) for row in self.tables]}
        return shown | {name: each for name, each in more.items() if each}


@dataclass(frozen=True)
class Entry:
    """A metric in the atlas.

    :param metric: the metric
    :param answers: by property
    """

    metric: Metric
    answers: Mapping[str, Answer]

    @property
    def address(self) -> str:
        """The name of its page, without the ending."""
        return address(self.metric.name)

    @property
    def title(self) -> str:
        """What it is called."""
        return self.metric.title or self.metric.name

    @property
    def has_name(self) -> bool:
        """Whether sentences on it say which metric they are on; of a formula without a name they do not."""
        return has_name(self.metric)

    @property
    def searched(self) -> str:
        """All its names, in small letters."""
        names = (self.metric.name, self.title, *self.metric.aliases)
        return " ".join(name.casefold().replace("_", " ") for name in dict.fromkeys(names))


def entries_of(metrics: Iterable[Metric], *, seconds: float) -> tuple[Entry, ...]:
    """Return metrics by title, with the answers on all properties: recorded, or decided in some seconds."""
    found = (Entry(metric, answers_of(metric, seconds=seconds)) for metric in metrics)
    return tuple(sorted(found, key=lambda entry: (entry.title.casefold(), entry.metric.name)))


def answers_of(metric: Metric, *, seconds: float) -> dict[str, Answer]:
    """Return what is known of the properties of a metric, by property."""
    return {
        key: answer(prove(metric, property, seconds=seconds), property, metric) for key, property in properties.items()
    }


def answer(verdict: Verdict, property: Property, metric: Metric) -> Answer:
    """Return a verdict in words."""
    return Answer(
        property.name,
        MARKS[verdict.status, verdict.holds],
        answer_text(verdict, ANSWERS) + condition_suffix(verdict),
        plain_sentence(verdict, property, metric),
        verdict.status,
        "" if verdict.condition is None else condition_text(verdict.condition),
        value_text(verdict) or "",
        verdict.evidence.sentence,
        _tables(verdict),
    )


def _tables(verdict: Verdict) -> tuple[tuple[str, str], ...]:
    witness = verdict.witness
    if witness is None:
        return ()
    values = [formula_text(value) for value in witness.values] or [""] * len(witness.tables)
    return tuple((setting(table), value) for table, value in zip(witness.tables, values, strict=True))
