"""Find metrics by properties."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sympy import Expr, true
from sympy.logic.boolalg import Boolean
from tqdm import tqdm

from symmetrics.claims.verdict import Verdict
from symmetrics.data.counts import shown
from symmetrics.language.condition import condition_text
from symmetrics.language.writer import formula_text
from symmetrics.library import metrics, properties
from symmetrics.library import metrics as library
from symmetrics.library.selections import as_metrics
from symmetrics.metric import Metric
from symmetrics.query.proving import as_property, properties_matching, prove
from symmetrics.tools.catalogue import Catalogue
from symmetrics.tools.errors import InputError

ANSWERS: Final[Mapping[str, bool | None]] = {"yes": True, "true": True, "no": False, "false": False, "open": None}


def find(
    *texts: str,
    metrics: str | Iterable[Metric | Expr | str] | None = None,
    progress: bool | None = None,
    **wanted: bool | str | None,
) -> Catalogue[Metric]:
    """Return the metrics that have the required properties, at the defaults of their parameters.

    :param texts: the requirements, in the form of the command line, such as ``"p1=yes"``
    :param metrics: the metrics to choose from, themes among them; by default the library
    :param progress: whether to show a progress bar; by default only on a terminal
    :param wanted: for each property, by key, True or ``"yes"`` if it has to hold, False or ``"no"`` if it must not,
        None or ``"open"`` if it has to be open; what is open in general and decided at the defaults counts as decided
    :returns: the metrics by key, as ``symmetrics.metrics`` has them
    :raises UnknownNameError: on an unknown property
    :raises InputError: if no property is wanted, one is wanted by two names, or a value is none of these

    >>> find(metrics=["precision", "tpr", "npv"], p2=True, p4=False)
    <2 metric records: precision, tpr>
    >>> find("p2=yes", "p4=no", metrics=["precision", "tpr", "npv"])
    <2 metric records: precision, tpr>
    """
    if not texts and not wanted:
        raise InputError("no property to look for: name one or more, as in find(p1=True)")
    answers: dict[str, bool | None] = {}
    for key, value in (*map(_key_and_answer, texts), *wanted.items()):
        name = as_property(key).name
        if name in answers:
            raise InputError(f"property {key!r} is given more than once; give it once")
        answers[name] = _answer(key, value)
    chosen = as_metrics(metrics, library)
    bar = tqdm(chosen, desc="find", disable=None if progress is None else not progress, leave=False)
    return Catalogue("metric", tuple(metric for metric in bar if _has(metric, answers)))


def _key_and_answer(text: object) -> tuple[str, str]:
    """Split a text such as ``p1=yes`` into the key of a property and the required answer.

    :raises InputError: on what is no such text
    """
    key, sign, answer = text.partition("=") if isinstance(text, str) else ("", "", "")
    if not sign:
        is_key = key.strip() in properties
        told = [] if is_key else properties_matching(key)
        name = key.strip() if is_key else next(iter(told), "p1")
        meant = f"it tells of {', '.join(told[:3])}{' and others' * (len(told) > 3)}; write" if told else "write it as"
        raise InputError(
            f"{shown(text)} is not a property with an answer; {meant} {name}=yes, {name}=no or {name}=open"
        )
    return key.strip(), answer


def _answer(key: str, value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    said = value.strip().casefold() if isinstance(value, str) else ""
    if said not in ANSWERS:
        raise InputError(f"{key}={value!r} is no answer; ask for {key}=yes, {key}=no or {key}=open")
    return ANSWERS[said]


def _has(metric: Metric, wanted: Mapping[str, bool | None]) -> bool:
    return all(_is(prove(metric, key), value) for key, value in wanted.items())


def _is(verdict: Verdict, value: bool | None) -> bool:
    # A condition on a parameter without a default is neither yes nor no, nor open; a property that is open in general
    # may be decided at the defaults.
    return verdict.holds is value and (value is not None or verdict.status == "open")


# -- Results of identification: relations of a formula to known metrics ------------------------------------------------


@dataclass(frozen=True)
class Match:
    """A relation of a formula to a known metric.

    :param metric: the name of the known metric
    :param relation: the key of the relation
    :param equation: the equation, with M for the formula; "for its" and "at its" come before values of the known
        metric's parameters, "if" before a condition on those of the formula, and "where" before the defaults of these
    :param verdict: the verdict on it
    :param condition: for which values of the formula's parameters it holds, or None if for all of them
    :param at: the defaults of the formula's parameters, if it is stated for these alone
    """

    metric: str
    relation: str
    equation: str
    verdict: Verdict
    condition: Boolean | None = None
    at: Mapping[str, Expr] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """``proved``, ``conditional`` on the parameters of the formula or the known metric, or ``open``."""
        return "conditional" if self.condition is not None else self.verdict.status

    def to_dict(self) -> dict[str, Any]:
        """Return the match as JSON values."""
        return {
            "metric": self.metric,
            "relation": self.relation,
            "equation": self.equation,
            "status": self.status,
            "condition": None if self.condition is None else condition_text(self.condition),
            "at": {name: str(value) for name, value in self.at.items()},
            "verdict": self.verdict.to_dict(),
        }


@dataclass(frozen=True, repr=False)
class Identification:
    """The known metrics to which a formula is related, the closest first.

    :param formula: the formula
    :param matches: the relations that are proved
    :param open: those that all values suggest, but that are not decided
    :param remark: what was omitted, if time ran out
    """

    formula: Metric
    matches: tuple[Match, ...]
    open: tuple[Match, ...] = ()
    remark: str = ""

    def __iter__(self) -> Iterator[Match]:
        return iter(self.matches)

    def __len__(self) -> int:
        return len(self.matches)

    def __getitem__(self, place: int) -> Match:
        return self.matches[place]

    @property
    def names(self) -> tuple[str, ...]:
        """The metrics that the formula equals; if it has defaults, at least at these."""
        return tuple(dict.fromkeys(m.metric for m in self.matches if m.relation == "equal" and m.status == "proved"))

    def shown(self) -> list[tuple[Match, str]]:
        """Return the relations to show, with their equations; one implied by another at the defaults is omitted."""
        defaults = self.formula.default_values
        by_default = {
            (m.relation, m.equation.partition(" if ")[0])
            for m in self.matches
            if not m.at and m.condition is not None and m.condition.xreplace(defaults) == true
        }
        shown = []
        for match in self.matches:
            said = (match.relation, re.split(", where | if ", match.equation)[0])
            if match.at and said in by_default:
                continue
            is_default = said in by_default and match.condition is not None
            shown.append((match, f"{match.equation}, as by default" if is_default else match.equation))
        return shown

    def to_dict(self) -> dict[str, Any]:
        """Return the formula and the matches as JSON values."""
        return {
            "formula": formula_text(self.formula.expr),
            "parameters": [str(parameter) for parameter in self.formula.parameters],
            "matches": [match.to_dict() for match in self.matches],
            "open": [match.to_dict() for match in self.open],
            **({"remark": self.remark} if self.remark else {}),
        }

    def __repr__(self) -> str:
        rows = [(m.relation, m.metric, equation) for m, equation in self.shown()]
        rows += [(m.relation, m.metric, f"{m.equation} (open)") for m in self.open]
        declared = "".join(f", {parameter}" for parameter in self.formula.parameters)
        head = f"M = {formula_text(self.formula.expr)}{declared}"
        remark = [self.remark] if self.remark else []
        if not rows:
            is_known = metrics.get(self.formula.name) is self.formula
            found = (
                f"no {'other ' * is_known}metric of the library was found that it equals, is an affine or strictly "
                "monotone function of, or becomes when cells are exchanged"
            )
            return "\n".join([f"{head}: {found}", *remark])
        widths = [max(len(row[place]) for row in rows) for place in range(2)]
        lines = [f"{relation:<{widths[0]}}  {name:<{widths[1]}}  {equation}" for relation, name, equation in rows]
        return "\n".join([head, *lines, *remark])
