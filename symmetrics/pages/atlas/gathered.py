"""The data of the atlas as plain text and numbers: verdicts with evidence, metrics, papers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from symmetrics.claims.property import Property
from symmetrics.claims.theorems.arguments import Argument
from symmetrics.claims.theorems.implications import Theorem
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import value_text
from symmetrics.language.condition import condition_text
from symmetrics.language.writer import formula_text
from symmetrics.library import properties
from symmetrics.metric import Metric
from symmetrics.pages.answers import ANSWERS, answer_text, condition_suffix, has_name
from symmetrics.pages.plain import plain_sentence, setting
from symmetrics.query.proving import prove

# ----------------------------------------------------------------------------------------------------------------------
# File names: whatever a metric is called, its page has a name that is valid on any file system.


_PLAIN: Final = re.compile(r"[a-z0-9_]{1,80}")


def address(name: str) -> str:
    """File name of a metric's page: its key, or for other names a slug with a hash.

    >>> address("f1"), address("<script>alert(1)</script>")
    ('f1', 'script-alert-1-script-5c140d35dc')
    """
    if _PLAIN.fullmatch(name):
        return name
    kept = re.sub(r"[^a-z0-9]+", "-", name.casefold())[:40].strip("-")
    told = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{kept}-{told}" if kept else told


# ----------------------------------------------------------------------------------------------------------------------


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
"""One letter per status and answer at the defaults, used by the pages for filtering and sorting."""


@dataclass(frozen=True)
class Answer:
    """The verdict on one property of one metric, in words.

    :param key: of the property
    :param mark: a letter of :data:`MARKS`
    :param short: text of a table cell
    :param sentence: the verdict in everyday words
    :param status: of the verdict
    :param condition: condition on the parameters; empty if none
    :param value: the value; empty if none
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
        """Whether the metric has the property at the defaults of its parameters; None if unknown."""
        return True if self.mark in "Yyp" else False if self.mark in "Nnq" else None

    def to_dict(self) -> dict[str, Any]:
        """Return the content of a page's side panel."""
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
        """File name of its page, without extension."""
        return address(self.metric.name)

    @property
    def title(self) -> str:
        """Its title."""
        return self.metric.title or self.metric.name

    @property
    def has_name(self) -> bool:
        """Whether sentences about it name the metric; those about a formula without a name do not."""
        return has_name(self.metric)

    @property
    def searched(self) -> str:
        """All its names in lower case, for searching."""
        names = (self.metric.name, self.title, *self.metric.aliases)
        return " ".join(name.casefold().replace("_", " ") for name in dict.fromkeys(names))


def entries_of(metrics: Iterable[Metric], *, seconds: float) -> tuple[Entry, ...]:
    """Return metrics by title, with the answers on all properties: recorded, or decided now."""
    found = (Entry(metric, answers_of(metric, seconds=seconds)) for metric in metrics)
    return tuple(sorted(found, key=lambda entry: (entry.title.casefold(), entry.metric.name)))


def answers_of(metric: Metric, *, seconds: float) -> dict[str, Answer]:
    """Return the answers for a metric, by property."""
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


@dataclass(frozen=True)
class Laws:
    """Theorems about all metrics; computed by another package.

    :param theorems: which properties follow from others
    :param arguments: what is argued for classes of metrics, each with the class and the tables in words
    """

    theorems: tuple[Theorem, ...]
    arguments: tuple[tuple[Argument, str, str], ...]


# -- A paper in the atlas: its claims as texts, with their rulings; another package judges them ------------------------


@dataclass(frozen=True)
class Claim:
    """One statement of a paper with its ruling.

    :param key: its key, such as ``tan2006.equation_5_76``
    :param unit: its table, figure or section
    :param place: its position there
    :param printed: the printed statement
    :param outcome: ``holds``, ``holds only as``, ``refuted``, ``open`` or ``unreadable``
    :param evidence: kind of evidence
    :param corrected: the corrected statement; empty if none is needed
    :param basis: basis of the ruling
    :param uncounted: why it is not counted; empty if it is
    :param verdicts: the names of metrics and properties whose verdicts the ruling rests on
    """

    key: str
    unit: str
    place: str
    printed: str
    outcome: str
    evidence: str
    corrected: str = ""
    basis: str = ""
    uncounted: str = ""
    verdicts: tuple[tuple[str, str], ...] = ()

    @property
    def anchor(self) -> str:
        """Its anchor in links."""
        return address(self.key.partition(".")[2] or self.key)

    @property
    def is_erratum(self) -> bool:
        """Whether it is wrong as printed, and counts."""
        return self.outcome in ("refuted", "holds only as") and not self.uncounted

    def links(self, known: Mapping[str, Entry]) -> Iterator[tuple[Entry, str]]:
        """Yield the metrics of the atlas, with properties, whose verdicts support the ruling."""
        for metric, property in dict.fromkeys(self.verdicts):
            if metric in known and property in known[metric].answers:
                yield known[metric], property


@dataclass(frozen=True)
class Paper:
    """All claims of a paper, in its order.

    :param key: its key, such as ``tan2006``
    :param title: authors, year, title
    :param summary: how many claims have which outcome, in words
    :param claims: the claims
    """

    key: str
    title: str
    summary: str
    claims: tuple[Claim, ...]

    @property
    def address(self) -> str:
        """File name of its page, without extension."""
        return address(self.key)

    @property
    def counted(self) -> tuple[Claim, ...]:
        """The claims that count."""
        return tuple(claim for claim in self.claims if not claim.uncounted)

    @property
    def errata(self) -> tuple[Claim, ...]:
        """Claims that are wrong as printed."""
        return tuple(claim for claim in self.claims if claim.is_erratum)

    @property
    def units(self) -> list[tuple[str, list[Claim]]]:
        """The claims by table, figure or section."""
        units: dict[str, list[Claim]] = {}
        for claim in self.claims:
            units.setdefault(claim.unit, []).append(claim)
        return list(units.items())

    def number(self, outcome: str) -> int:
        """Return the number of counted claims with an outcome."""
        return sum(claim.outcome == outcome for claim in self.counted)


# -- Problems from the literature, each with its answers to the guided choice's questions ------------------------------


@dataclass(frozen=True)
class Problem:
    """A published problem, as answers to the guided choice.

    :param key: its key
    :param title: the problem in a few words
    :param source: who describes it
    :param answers: the key of an answer by the key of its question; of other questions the first answer is meant
    """

    key: str
    title: str
    source: str
    answers: Mapping[str, str]


PROBLEMS: Final = (
    Problem(
        "screening",
        "Screening for a rare disease: both error rates matter, and few are ill",
        "Youden (1950), Index for rating diagnostic tests. Cancer 3, 32-35",
        {"imbalance": "equal_weight", "corrections": "always"},
    ),
    Problem(
        "hospital",
        "A test is evaluated in a hospital and used in the population, where fewer are ill",
        "Altman & Bland (1994), Diagnostic tests 2: predictive values. BMJ 309, 102",
        {"prior": "shifts"},
    ),
    Problem(
        "retrieval",
        "Information retrieval: nobody counts the documents that are rightly not found",
        "van Rijsbergen (1979), Information retrieval, chapter 7",
        {"negatives": "unknown", "corrections": "always", "perfect": "only"},
    ),
    Problem(
        "annotators",
        "Agreement of two annotators beyond chance",
        "Cohen (1960), A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20, "
        "37-46",
        {"roles": "alike", "sides": "either", "chance": "baseline"},
    ),
    Problem(
        "informed",
        "Comparison beyond chance over data sets of different prior",
        "Powers (2011), Evaluation: from precision, recall and F-measure to ROC, informedness, markedness and "
        "correlation. Journal of Machine Learning Technologies 2, 37-63",
        {"prior": "shifts", "chance": "independent", "corrections": "always"},
    ),
    Problem(
        "costs",
        "A miss costs ten times as much as a false alarm",
        "Elkan (2001), The foundations of cost-sensitive learning. IJCAI, 973-978",
        {"costs": "unequal"},
    ),
    Problem(
        "ordinal",
        "Ordered classes, such as grades of severity",
        "Frank & Hall (2001), A simple approach to ordinal classification. ECML, 145-156",
        {"classes": "ordered", "corrections": "always"},
    ),
    Problem(
        "either_class",
        "Two classes of which neither is special, one of them rare, and no credit for guessing",
        "Chicco & Jurman (2020), The advantages of the Matthews correlation coefficient. BMC Genomics 21, 6",
        {"sides": "either", "chance": "independent", "corrections": "always"},
    ),
    Problem(
        "segmentation",
        "Overlap of two segmentations, whatever the size of the background",
        "Maier-Hein et al. (2024), Metrics reloaded. Nature Methods 21, 195-212",
        {"negatives": "unknown", "roles": "alike", "perfect": "only"},
    ),
    Problem(
        "scores",
        "Scores for credit, to be compared before anybody sets a threshold",
        "Hand (2009), Measuring classifier performance: a coherent alternative to the area under the ROC curve. "
        "Machine Learning 77, 103-123",
        {"thresholds": "all"},
    ),
    Problem(
        "folds",
        "Cross-validation: a mean over folds that is the value of all examples",
        "Forman & Scholz (2010), Apples-to-apples in cross-validation studies. SIGKDD Explorations 12, 49-57",
        {"pooling": "means"},
    ),
    Problem(
        "many_classes",
        "Many classes of very different size, each as important as any other",
        "Sokolova & Lapalme (2009), A systematic analysis of performance measures for classification tasks. "
        "Information Processing & Management 45, 427-437",
        {"classes": "many", "imbalance": "equal_weight", "corrections": "always"},
    ),
)
"""The problems in the order in which the page offers them."""
