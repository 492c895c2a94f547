"""A verdict in one sentence of everyday words, with the counterexample as an example."""

from __future__ import annotations

from typing import Final

from symmetrics.claims import ScalingSpace, TranslationSpace
from symmetrics.claims.families.agreement import LargestAtAgreement
from symmetrics.claims.property import Property
from symmetrics.claims.theorems.implications import Theorem
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import value_of, value_text
from symmetrics.language.condition import condition_text
from symmetrics.language.definition import Definition
from symmetrics.language.formula import formula_text
from symmetrics.pages.answers import how_attained
from symmetrics.pages.instances import (
    averages_told,
    directions_told,
    example_told,
    in_words,
    setting,
    symmetries_told,
)
from symmetrics.pages.subjects import called, called_inside

__all__ = ["plain_sentence", "theorem_text"]

_WITH_A_VALUE: Final = ("decomposable", "independence_value", "prevalence_limit", "tn_limit")
"""Properties of which the value says more than whether they hold, and says it in everyday words."""


def plain_sentence(verdict: Verdict, property: Property, metric: Definition) -> str:
    """Return what a verdict says, for people who know what a confusion matrix is and no more.

    >>> from symmetrics.library import metrics, properties
    >>> from symmetrics.query.proving import prove
    >>> def say(metric, key):
    ...     print(plain_sentence(prove(metric, key), properties[key], metrics[metric]))
    >>> say("precision", "p2")
    Precision does not depend on the true negatives.
    >>> say("f1", "p1")
    F1-measure changes when the two classes are exchanged: it is 1/2 at TP=1, FN=1, FP=1, TN=2 and 2/3 at TP=2, FN=1, \
FP=1, TN=1.
    >>> say("kappa", "range")
    Cohen's kappa is bounded: it lies between -1 and 1, and reaches -1 and 1 only where cells are zero.
    >>> say("laplace", "range")
    Laplace-corrected precision is bounded: it lies between 0 and 1, and comes as near to 0 and 1 as one likes.
    >>> say("diagnostic_odds_ratio", "constant_baseline")
    Diagnostic odds ratio has no average for random guessing, as it is infinite at some of the tables.
    >>> say("cwa", "p2")
    Mean class-weighted accuracy does not depend on the true negatives if and only if w = 1; that is not so at the \
default w = 3/4.
    """
    name, defaults = called(metric), _defaults(metric)
    if verdict.condition is not None:
        comma = "," if "," in property.yes else ""
        told = f"{name} {property.yes}{comma} if and only if {condition_text(verdict.condition)}"
        if verdict.holds is None:
            return f"{told}."
        return f"{told}; that is {'' if verdict.holds else 'not '}so at {defaults}."
    if verdict.status == "open":
        name = called_inside(metric)
        if verdict.holds is None:
            return f"It is not known whether {name} {property.yes}."
        said = property.yes if verdict.holds else property.no
        return f"At {defaults} {name} {said}; whether it {property.yes} in general is not known."
    if verdict.evidence.kind == "no expectation":
        return f"{name} has no average for random guessing, as it is infinite at some of the tables."
    sentence = f"{name} {property.yes if verdict.holds else property.no}"
    return sentence + (_more(verdict) or example_told(verdict)) + "."


def _defaults(metric: Definition) -> str:
    values = [f"{symbol} = {value}" for symbol, value in metric.default_values.items()]
    return f"the default{'s' * (len(values) > 1)} {', '.join(values)}"


def _more(verdict: Verdict) -> str:
    """Return what was found beyond yes and no; nothing if there is nothing that everyday words say."""
    if verdict.property == "range":
        return f": {_range(verdict)}"
    if verdict.evidence.kind == "unbounded":
        way = "grows beyond" if isinstance(verdict.claim, LargestAtAgreement) else "falls below"
        return f", as it {way} all bounds"
    if verdict.evidence.kind == "attained elsewhere" and verdict.witness is not None:
        (value,), (table,) = verdict.witness.values, verdict.witness.tables
        return f", as it is that, {formula_text(value)}, at {setting(table)} too"
    found = value_of(verdict.claim, verdict)
    if found is None:
        return ""
    if verdict.property in _WITH_A_VALUE:
        return f": {in_words(found['text'])}"
    if found["kind"] == "expectation":
        return f": {averages_told(found['expectations'])}"
    if found["kind"] == "group" and verdict.holds:
        return f": {symmetries_told(found['symmetries'])}"
    if found["kind"] == "space" and verdict.holds and isinstance(verdict.claim, ScalingSpace | TranslationSpace):
        return f", such as {directions_told(found['basis'], isinstance(verdict.claim, ScalingSpace))}"
    if found["kind"] == "link":
        return f": {found['text'].replace('partner', 'L')}, where L is the other metric and M this one"
    return ""


def _range(verdict: Verdict) -> str:
    """Return between what the values lie, and which end is reached where."""
    ends = verdict.evidence.data if verdict.evidence.kind == "range" else {}
    bounds = [in_words(ends[side]["bound"]) if side in ends else "?" for side in ("lower", "upper")]
    if "?" in bounds:
        return f"its range at positive cells is {in_words(value_text(verdict) or 'not known')}"
    told: dict[str, list[str]] = {}
    for bound, side in zip(bounds, ("lower", "upper"), strict=True):
        if "infinity" not in bound:
            told.setdefault(_HOW_REACHED[how_attained(ends[side])], []).append(bound)
    parts = [how.format(" and ".join(reached)) for how, reached in sorted(told.items(), key=_with_the_shorter_first)]
    if bounds[0] == bounds[1]:
        return f"it is always {bounds[0]}"
    return f"it lies between {bounds[0]} and {bounds[1]}" + "".join(f", and {part}" for part in parts)


def _with_the_shorter_first(item: tuple[str, list[str]]) -> int:
    return list(_HOW_REACHED.values()).index(item[0])


_HOW_REACHED: Final = {
    "at positive cells": "reaches {}",
    "at zero cells": "reaches {} where cells are zero",
    "only at zero cells": "reaches {} only where cells are zero",
    "unknown": "comes as near to {} as one likes",
}
"""What is said of an end of a range, by where it is a value."""


# -- what holds for all metrics ----------------------------------------------------------------------------------------


def theorem_text(theorem: Theorem) -> str:
    """Return a theorem in words, with what gives a metric a property that asks for an exchange, direction or limit."""
    said = str(theorem)
    if not theorem.by:
        return said
    return f"{said.removesuffix(f' by {theorem.by}')}: {_SHOWN_BY[theorem.conclusion].format(theorem.by)}"


_SHOWN_BY: Final = {
    "symmetry_group": "M({}) = M(TP, FN, FP, TN)",
    "translation_space": "M does not change along {}",
    "scaling_space": "M does not change under the powers {} of a factor",
    "tn_limit": "M does not change as TN grows",
    "prevalence_limit": "M does not change as the positive class gets rare",
}
"""What gives a metric a property that asks for some exchange, direction or limit."""
