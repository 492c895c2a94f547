"""A verdict in words, for people at a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.witness import Point
from symmetrics.claims.wording import value_text
from symmetrics.language.condition import condition_text
from symmetrics.language.definition import Definition
from symmetrics.language.writer import formula_text
from symmetrics.pages.plain import matrix_text, plain_sentence, setting, with_digits
from symmetrics.tools.words import number_of

if TYPE_CHECKING:
    from symmetrics.matrices import MulticlassMetric, MulticlassProperty


WIDTH: Final = 120
"""Columns of a line; only formulas, which are there to be copied, take more."""
INDENT: Final = 10


def explain(verdict: Verdict, property: Property, metric: Definition, notes: Iterable[str] = ()) -> str:
    """Return a verdict in a few lines: the answer in a sentence, what was asked, the value, and the evidence.

    :param notes: what else is to be said of the formula

    >>> from symmetrics.library import metrics, properties
    >>> from symmetrics.query.proving import prove
    >>> print(explain(prove("f1", "range"), properties["range"], metrics["f1"]))
    F1-measure is bounded: it lies between 0 and 1, and reaches 0 and 1 only where cells are zero.
    <BLANKLINE>
    metric    f1: M = 2*TP/(FN + FP + 2*TP)
    property  range: bounded values
    claim     lower <= M(TP, FN, FP, TN) <= upper, with finite bounds that M attains or comes arbitrarily close to
    verdict   proved
    value     (0, 1)
    evidence  M >= 0, approached at (s, 1, 1, 1) as s -> 0+, not attained at positive cells but at (0, 1, 1, 1);
              M <= 1, approached at (1, s, s, 1) as s -> 0+, not attained at positive cells but at (1, 0, 0, 1)
    """
    formula = formula_text(metric.expr)
    name = f"{metric.name}: M = {formula}" if metric.name.isidentifier() else f"M = {formula}"
    subject = [("metric", name + "".join(f", {parameter}" for parameter in metric.parameters))]
    subject += [("note", _wrapped(note)) for note in notes]
    sentence = plain_sentence(verdict, property, metric)
    return _laid_out(sentence, subject, verdict, property, metric, _witness_lines(verdict), value_text(verdict))


def explain_at_size(verdict: Verdict, property: MulticlassProperty, metric: MulticlassMetric, classes: int) -> str:
    """Return a verdict on a metric of matrices in a few lines, as :func:`explain` does.

    >>> from symmetrics.matrices import multiclass, multiclass_properties
    >>> cba, transpose = multiclass["cba"], multiclass_properties["transpose"]
    >>> print(explain_at_size(cba.prove("transpose", k=2), transpose, cba, 2))
    Class balance accuracy of 2 classes treats predictions and truth alike.
    <BLANKLINE>
    metric    cba of 2 classes: M = ClassMean(TP/Max(FN + TP, FP + TP))
    property  transpose: symmetry between predicted and actual classes
    claim     M(C[j, i]) = M(C[i, j])
    verdict   proved
    evidence  identity on the open positive orthant: over one denominator the difference has the zero polynomial as
              numerator
    """
    from symmetrics.matrices.deciding import called

    subject = [("metric", _wrapped(f"{verdict.metric}: M = {metric.definition}"))]
    subject += [("parameter", str(parameter)) for parameter in metric.parameters]
    sentence = property.told(f"{called(metric)} of {number_of(classes, 'class')}", verdict.holds)
    failing = _witness_lines(verdict, classes, property.compared)
    return _laid_out(sentence, subject, verdict, property, metric, failing)


def _laid_out(
    sentence: str,
    subject: Iterable[tuple[str, str]],
    verdict: Verdict,
    property: Property | MulticlassProperty,
    metric: Definition | MulticlassMetric,
    failing: Iterable[str],
    value: str | None = None,
) -> str:
    """Return a sentence, and below it lines of which each has a label."""
    lines = [
        *subject,
        ("property", _wrapped(f"{property.name}: {property.title}" if property.title else property.name)),
        ("claim", _wrapped(property.statement)),
        ("verdict", _wrapped(_answer(verdict, metric))),
        *([] if value is None else [("value", _wrapped(value))]),
        *(("fails at", line) for line in failing),
        ("evidence", _wrapped(verdict.evidence.sentence)),
    ]
    first = textwrap.wrap(sentence, WIDTH, break_on_hyphens=False)
    return "\n".join([*first, "", *(f"{label:<{INDENT}}{text}" for label, text in lines)])


def _wrapped(text: str) -> str:
    """Return a text in lines of limited width: if it is too long for one, then one or more for each of its parts."""
    width = WIDTH - INDENT
    parts = [text] if len(text) <= width else list(_parts(text))
    lines = [
        line
        for part in parts
        for line in textwrap.wrap(part, width, subsequent_indent="  " * (len(parts) > 1), break_on_hyphens=False)
    ]
    return f"\n{' ' * INDENT}".join(lines)


def _parts(text: str) -> Iterator[str]:
    """Yield the parts of a text that end with a semicolon outside all brackets."""
    depth = start = 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 and text.startswith("; ", place):
            yield text[start : place + 1]
            start = place + 2
    yield text[start:]


def _answer(verdict: Verdict, metric: Definition | MulticlassMetric) -> str:
    declared = (parameter for parameter in metric.parameters if parameter.default is not None)
    defaults = ", ".join(f"{parameter.name} = {parameter.default}" for parameter in declared)
    if verdict.status == "open" and verdict.holds is not None:
        return f"open in general; it {'holds' if verdict.holds else 'does not hold'} at the default {defaults}"
    if verdict.condition is None:
        return verdict.status
    here = {
        True: f"; it holds at the default {defaults}",
        False: f"; it does not hold at the default {defaults}",
        None: "",
    }[verdict.holds]
    return f"{verdict.status}: holds if and only if {condition_text(verdict.condition)}{here}"


def _witness_lines(verdict: Verdict, classes: int = 0, compared: tuple[str, str] = ("", "")) -> list[str]:
    """Return where a claim fails, and with which values.

    :param classes: for tables that are matrices, the number of their classes
    :param compared: what the values are if there is one matrix
    """
    witness = verdict.witness
    if witness is None:
        return []
    at = "".join(f", {name} = {value}" for name, value in witness.parameters.items())
    exact = with_digits(witness.values)
    values = [f"= {value}" for value in exact] or ["has no value"] * len(witness.tables)
    told = [matrix_text(t, classes) if isinstance(t, Point) and classes else setting(t) for t in witness.tables]
    if classes and len(told) == 2 and told[0] == told[1]:  # two formulas are compared at one matrix
        pairs = zip(compared, exact, strict=True)
        return [f"C = {told[0]}{at}", *(f"{what} = {value}" for what, value in pairs)]
    return [f"M({table}{at}) {value}" for table, value in zip(told, values, strict=True)]
