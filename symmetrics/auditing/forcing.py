"""What equal scores in two groups force to be equal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sympy import Expr

from symmetrics.auditing.determinations import Determination
from symmetrics.auditing.determining import Question
from symmetrics.auditing.pairs import Pair
from symmetrics.library import metrics
from symmetrics.metric import Metric
from symmetrics.tools.budget import SECONDS

COMMON: Final = (
    "accuracy",
    "tpr",
    "tnr",
    "precision",
    "npv",
    "prevalence",
    "positive_fraction",
    "f1",
    "f2",
    "f_half",
    "fowlkes_mallows",
    "gmean",
    "auc_single",
    "mcc",
    "kappa",
    "markedness",
    "positive_likelihood_ratio",
    "negative_likelihood_ratio",
    "diagnostic_odds_ratio",
    "lift",
)
"""Twenty common metrics, none of which is a function of another one alone."""


@dataclass(frozen=True, repr=False, eq=False)
class Forces:
    """What equal scores in two groups force to be equal, where all cells of both tables are positive.

    :param scores: the names of the scores
    :param values: for each common metric that is no score, whether the scores fix it
    """

    scores: tuple[str, ...]
    values: Mapping[str, Determination]

    @property
    def forced(self) -> dict[str, Determination]:
        """What must be equal, by name, each with its formula or proof."""
        return self._with("determined")

    @property
    def free(self) -> dict[str, Pair | None]:
        """What may differ, by name, with the tables of two groups; None where only a proof shows it."""
        return {name: one.tables for name, one in self._with("undetermined").items()}

    @property
    def open(self) -> tuple[str, ...]:
        """What was not decided."""
        return tuple(self._with("open"))

    def _with(self, status: str) -> dict[str, Determination]:
        return {name: one for name, one in self.values.items() if one.status == status}

    def check(self) -> None:
        """Re-verify everything by other code than found it.

        :raises CertificateError: if something does not hold
        """
        for one in self.values.values():
            one.check()

    def lines(self) -> Iterator[str]:
        """Yield what was found in plain words."""
        yield f"two groups with equal {_listed(self.scores)}, all cells positive:"
        if self.forced:
            yield f"must also have equal {_listed(self.forced)}"
        for name, one in self.forced.items():
            if one.formula is not None and one.unless is None:
                yield f"  {name} = {one.formula}"
        if self.free:
            yield f"may differ in {_listed(self.free)}"
        shown: dict[Pair, list[str]] = {}
        for name, pair in self.free.items():
            if pair is not None:
                shown.setdefault(pair, []).append(name)
        for (first, second), names in shown.items():
            yield f"  {first} and {second}: {', '.join(names)}"
        for name, one in self.values.items():
            if one.status == "undetermined" and one.unless is not None:
                yield f"  but {name} = {one.formula}, unless {one.unless} = 0"
        if self.open:
            yield f"not decided: {_listed(self.open)}"
        exceptions = {one.exceptions for one in self.forced.values() if one.exceptions is not None}
        if exceptions:
            first, second = min(exceptions, key=lambda pair: (sum(pair[1]), pair[1], pair[0]))
            yield f"with zero cells there are exceptions, such as {first} and {second}"

    def to_dict(self) -> dict[str, Any]:
        """Return what was found as plain values."""
        return {"scores": list(self.scores), "values": {name: one.to_dict() for name, one in self.values.items()}}

    def to_markdown(self) -> str:
        """Return a table with a line for each metric."""
        from tabulate import tabulate

        words = {"determined": "equal", "undetermined": "may differ", "open": "not decided"}
        rows = [(name, words[one.status], _why(one)) for name, one in self.values.items()]
        return str(tabulate(rows, ("metric", "in both groups", "formula, or two groups TP, FN, FP, TN"), "github"))

    def __repr__(self) -> str:
        return "\n".join(self.lines())


def forces(scores: Iterable[Metric | Expr | str], *, seconds: float = SECONDS) -> Forces:
    """Return what must be equal in two groups whose scores are equal: the prevalence and other common metrics.

    :param scores: metrics, names of the library, or formulas
    :param seconds: how long each metric may take; what is not decided by then is open
    :raises InputError: on an empty list, a score that is given twice, or one that is constant
    :raises UnknownNameError: if no metric of the library has a name

    >>> found = forces(["tpr", "tnr", "precision"])
    >>> len(found.forced), found.free, found.forced["prevalence"].formula
    (17, {}, precision*(1 - tnr)/(-precision*tnr - precision*tpr + precision + tpr))
    """
    question = Question.of(scores, seconds)
    known = {metric.expr for metric in question.scores.values()}
    asked = {name: metrics[name] for name in COMMON if metrics[name].expr not in known}
    values = {name: question.answer(name, metric, roots=False) for name, metric in asked.items()}
    return Forces(tuple(question.scores), values)


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _why(one: Determination) -> str:
    if one.tables is not None:
        first, second = one.tables
        return f"{first} and {second}"
    return one.reason if one.formula is None or one.unless is not None else f"{one.of} = {one.formula}"
