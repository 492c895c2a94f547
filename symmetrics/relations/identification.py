"""Which known metrics a formula is, or is equivalent to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sympy import Expr, Symbol

from symmetrics.cells import CELL_NAMES, CELLS
from symmetrics.claims import Identity
from symmetrics.condition import condition_text
from symmetrics.errors import UnsupportedError
from symmetrics.formula import formula_text, parse_formula
from symmetrics.library import metrics
from symmetrics.metric import Metric
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.query import as_metric
from symmetrics.relations.candidates import exchanged, related, usable
from symmetrics.relations.records import EXCHANGES, FIRST, SECOND, relate, relations
from symmetrics.verdict import Verdict

__all__ = ["Identification", "Match", "equation_of", "identify"]

_RANK: Final = {name: place for place, name in enumerate(("equal", "complement_of", "negation_of", "affine"))} | {
    name: 10 + place for place, name in enumerate((*EXCHANGES, "rank_equivalent", "rank_reversed"))
}


@dataclass(frozen=True)
class Match:
    """A relation of a formula to a known metric.

    :param metric: the name of the known metric
    :param relation: the key of the relation
    :param equation: what it says, with M for the formula
    :param verdict: the verdict on it
    """

    metric: str
    relation: str
    equation: str
    verdict: Verdict

    def to_dict(self) -> dict[str, Any]:
        """Return the match as JSON values."""
        return {
            "metric": self.metric,
            "relation": self.relation,
            "equation": self.equation,
            "verdict": self.verdict.to_dict(),
        }


@dataclass(frozen=True, repr=False)
class Identification:
    """The known metrics that a formula is related to, the closest first.

    :param formula: the formula
    :param matches: the relations that are proved
    :param open: those that all values suggest, but that are not decided
    """

    formula: Metric
    matches: tuple[Match, ...]
    open: tuple[Match, ...] = ()

    def __iter__(self) -> Iterator[Match]:
        return iter(self.matches)

    def __len__(self) -> int:
        return len(self.matches)

    def __getitem__(self, place: int) -> Match:
        return self.matches[place]

    @property
    def names(self) -> tuple[str, ...]:
        """The metrics that the formula equals, at their defaults."""
        return tuple(m.metric for m in self.matches if m.relation == "equal" and m.verdict.status == "proved")

    def to_dict(self) -> dict[str, Any]:
        """Return the formula and the matches as JSON values."""
        return {
            "formula": formula_text(self.formula.expr),
            "matches": [match.to_dict() for match in self.matches],
            "open": [match.to_dict() for match in self.open],
        }

    def __repr__(self) -> str:
        rows = [(m.relation, m.metric, m.equation) for m in self.matches]
        rows += [(m.relation, m.metric, f"{m.equation} (open)") for m in self.open]
        if not rows:
            return (
                f"M = {formula_text(self.formula.expr)}: no known metric is related to it in a way that is looked for"
            )
        widths = [max(len(row[place]) for row in rows) for place in range(2)]
        lines = [f"{relation:<{widths[0]}}  {name:<{widths[1]}}  {equation}" for relation, name, equation in rows]
        return "\n".join([f"M = {formula_text(self.formula.expr)}", *lines])


def identify(formula: Metric | Expr | str, *, known: Mapping[str, Metric] | None = None) -> Identification:
    """Return the known metrics that a formula is, or is equivalent to, each with a verdict.

    Looked for are equality, also for some parameters of the known metric; the complement 1 - L, the negative and other
    affine functions of it; an exchange of FN and FP, of the classes, of TP and TN; and strictly monotone functions.

    :param formula: a metric, an expression over the cells, the text of a formula, or the name of a library metric
    :param known: the metrics to compare with, by name; by default the library

    >>> identify("2*TP/(2*TP + FN + FP)").names
    ('f1', 'f_beta', 'tversky')
    >>> found = identify("1 - FN/(TP + FN)")
    >>> found[0].metric, found[0].relation, found[-1].metric, found[-1].equation
    ('tpr', 'equal', 'npv', 'M = npv at (TN, FN, FP, TP)')
    """
    subject = _as_formula(formula)
    listed = metrics if known is None else known
    others = [metric for name, metric in listed.items() if metric != subject and name != subject.name]
    found = [*_at_defaults(subject, others), *_for_parameters(subject, others)]
    found.sort(key=lambda match: (_RANK[match.relation], match.verdict.status != "proved", match.metric))
    return Identification(
        subject,
        tuple(match for match in found if match.verdict.status in ("proved", "conditional")),
        tuple(match for match in found if match.verdict.status == "open"),
    )


def _as_formula(formula: Metric | Expr | str) -> Metric:
    if not isinstance(formula, str) or (formula.strip().isidentifier() and formula.strip() not in CELL_NAMES):
        return as_metric(formula.strip() if isinstance(formula, str) else formula)
    return Metric(formula.strip(), parse_formula(formula))


def _at_defaults(subject: Metric, others: list[Metric]) -> Iterator[Match]:
    """Yield the closest relation to each metric that the values suggest, decided."""
    mine = None if any(p.default is None for p in subject.parameters) else usable(subject.at_defaults())
    if mine is None:
        return
    prints = {m.name: (m, usable(m.at_defaults())) for m in others if all(p.default is not None for p in m.parameters)}
    known = [(metric, other) for metric, other in prints.values() if other is not None]
    suggested = {metric.name: relation for metric, other in known if (relation := related(mine, other))}
    for relation, place in exchanged(mine, [other for _, other in known]):
        name = known[place][0].name
        if suggested.get(name, "rank").startswith("rank"):
            suggested[name] = relation
    for name, relation in suggested.items():
        verdict = relate(subject, prints[name][0], relation)
        if verdict.status != "refuted":
            yield Match(name, relation, equation_of(verdict, relation, name), verdict)


def _for_parameters(subject: Metric, others: list[Metric]) -> Iterator[Match]:
    """Yield the metrics that are the formula for some values of their parameters."""
    if any(p.default is None for p in subject.parameters):
        yield from _same_parameters(subject, others)
        return
    formula = subject.at_defaults()
    for metric in others:
        if not metric.parameters:
            continue
        claim = Identity(metric.expr, metric.parameters, (CELLS, CELLS), (), FIRST - SECOND, formula)
        try:
            verdict = decide_and_check(claim, metric=metric.name, property=f"equal:{subject.name}")
        except UnsupportedError:
            continue
        if verdict.condition is not None and not verdict.holds:
            yield Match(metric.name, "equal", f"M = {metric.name} for {condition_text(verdict.condition)}", verdict)


def _same_parameters(subject: Metric, others: list[Metric]) -> Iterator[Match]:
    """Yield the metrics that the formula is, with its parameters in the place of theirs."""
    for metric in others:
        for renamed, text in _renamings(metric, subject):
            claim = Identity(subject.expr, subject.parameters, (CELLS, CELLS), (), FIRST - SECOND, renamed)
            verdict = decide_and_check(claim, metric=subject.name, property=f"equal:{metric.name}")
            if verdict.status in ("proved", "conditional"):
                condition = "" if verdict.condition is None else f" for {condition_text(verdict.condition)}"
                yield Match(metric.name, "equal", f"M = {metric.name}{text}{condition}", verdict)
                break


def _renamings(metric: Metric, subject: Metric) -> Iterator[tuple[Expr, str]]:
    """Yield the formula of a metric with the parameters of another one in the place of its own."""
    if len(metric.parameters) != len(subject.parameters):
        if not metric.parameters:
            yield metric.expr, ""
        return
    symbols = [p.symbol for p in subject.parameters]
    images: list[list[Expr]] = [symbols]
    if len(symbols) == 1:
        images += [[1 - symbols[0]], [1 / symbols[0]]]
    else:
        images += [symbols[::-1]]
    for image in images:
        places: dict[Symbol, Expr] = {p.symbol: value for p, value in zip(metric.parameters, image, strict=True)}
        settings = ", ".join(f"{symbol} = {formula_text(value)}" for symbol, value in places.items())
        yield metric.expr.xreplace(places), f" at {settings}"


def equation_of(verdict: Verdict, relation: str, name: str) -> str:
    """Write what a verdict says about M and a metric of the given name."""
    if verdict.value is not None:
        return verdict.value.replace("partner", name)
    if relation in EXCHANGES:
        return f"M = {name} at {EXCHANGES[relation]}"
    return re.sub(r"\bL\b", name, relations[relation].statement)
