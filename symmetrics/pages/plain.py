"""A verdict in one sentence of everyday words, with the counterexample as an example."""

from __future__ import annotations

from typing import Final

from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Counts, Point, Verdict
from symmetrics.claims.wording import value_text
from symmetrics.language.cells import CELL_NAMES
from symmetrics.language.condition import condition_text
from symmetrics.language.definition import Definition
from symmetrics.language.formula import formula_text
from symmetrics.pages.answers import how_attained

__all__ = ["called", "plain_sentence", "setting"]

_WITH_A_VALUE: Final = ("range", "constant_baseline", "independence_value", "prevalence_limit", "tn_limit")
"""Properties of which the value says more than whether they hold."""


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
    >>> say("zhang", "range")
    Zhang's measure is bounded: it lies between -1 and 1, and comes as near to -1 and 1 as one likes.
    >>> say("diagnostic_odds_ratio", "constant_baseline")
    Diagnostic odds ratio has no average for random guessing, as it is infinite at some of the tables.
    >>> say("cwa", "p2")
    Mean class-weighted accuracy does not depend on the true negatives if and only if w = 1; that is not so at the \
default w = 3/4.
    """
    name, defaults = called(metric), _defaults(metric)
    if verdict.condition is not None:
        told = f"{name} {property.yes} if and only if {condition_text(verdict.condition)}"
        if verdict.holds is None:
            return f"{told}."
        return f"{told}; that is {'' if verdict.holds else 'not '}so at the default {defaults}."
    if verdict.status == "open":
        if verdict.holds is None:
            return f"It is not known whether {name} {property.yes}."
        said = property.yes if verdict.holds else property.no
        return f"At the default {defaults} {name} {said}; whether it {property.yes} in general is not known."
    if verdict.evidence.kind == "no expectation":
        return f"{name} has no average for random guessing, as it is infinite at some of the tables."
    sentence = f"{name} {property.yes if verdict.holds else property.no}"
    if property.name == "range":
        return f"{sentence}: {_range(verdict)}."
    return sentence + (_example(verdict) or _value(verdict)) + "."


def called(metric: Definition) -> str:
    """Return what a metric is called at the beginning of a sentence."""
    return (metric.title or metric.name) if metric.name.isidentifier() else "The formula"


def setting(table: Counts | Point) -> str:
    """Return the cells of a table, or the values of the variables of a point.

    >>> setting(Counts(1, 2, 3, 4))
    'TP=1, FN=2, FP=3, TN=4'
    """
    names = table.names if isinstance(table, Point) else CELL_NAMES
    return ", ".join(f"{name}={count}" for name, count in zip(names, table, strict=True))


def _defaults(metric: Definition) -> str:
    return ", ".join(f"{symbol} = {value}" for symbol, value in metric.default_values.items())


def _example(verdict: Verdict) -> str:
    """Return the counterexample: the values of two tables, or a table without one."""
    witness = verdict.witness
    if witness is None or not witness.tables:
        return ""
    at = "".join(f", with {name} = {value}" for name, value in witness.parameters.items())
    if not witness.values:
        return f", such as {setting(witness.tables[0])}{at}"
    values = zip(witness.values, witness.tables, strict=True)
    each = dict.fromkeys(f"{formula_text(value)} at {setting(table)}" for value, table in values)
    return f": it is {' and '.join(each)}{at}"


def _value(verdict: Verdict) -> str:
    value = value_text(verdict)
    return f": {value}" if value is not None and verdict.property in _WITH_A_VALUE else ""


def _range(verdict: Verdict) -> str:
    """Return between what the values lie, and which end is reached where."""
    ends = verdict.evidence.data if verdict.evidence.kind == "range" else {}
    bounds = [ends[side]["bound"].replace("oo", "infinity") if side in ends else "?" for side in ("lower", "upper")]
    if "?" in bounds:
        return f"its values are {value_text(verdict)}"
    told: dict[str, list[str]] = {}
    for bound, side in zip(bounds, ("lower", "upper"), strict=True):
        if "infinity" not in bound:
            told.setdefault(_HOW_REACHED[how_attained(ends[side])], []).append(bound)
    parts = [how.format(" and ".join(reached)) for how, reached in sorted(told.items(), reverse=True)]
    return f"it lies between {bounds[0]} and {bounds[1]}" + "".join(f", and {part}" for part in parts)


_HOW_REACHED: Final = {
    "at positive cells": "reaches {}",
    "only at zero cells": "reaches {} only where cells are zero",
    "at zero cells": "reaches {} where cells are zero",
    "unknown": "comes as near to {} as one likes",
}
"""What is said of an end of a range, by where it is a value."""
