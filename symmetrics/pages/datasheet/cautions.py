"""What a practitioner should hear before using a metric: each warning is what a verdict says; no metric is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from symmetrics.claims.values import Limit
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.witness import Counts
from symmetrics.language.formula import parse_formula
from symmetrics.library import properties
from symmetrics.metric import Metric
from symmetrics.pages.instances import setting
from symmetrics.pages.numbers import number_text
from symmetrics.pages.plain import plain_sentence
from symmetrics.tools.documents import Code, Entry

__all__ = ["BALANCED", "SKEWED", "warned"]

_HEADLINES: Final[Mapping[tuple[str, bool], str]] = {
    ("p2", True): "Ignores TN",
    ("p3", True): "Ignores FP",
    ("p4", True): "Ignores TP",
    ("p5", True): "Ignores FN",
    ("independence_value", False): "Random guessing has no fixed score",
    ("constant_baseline", False): "Random guessing has no fixed average",
    ("actual_scaling", False): "Depends on the class balance",
    ("prevalence_limit", False): "Has no limit where the positive class is rare",
    ("prevalence_limit", True): "Tends to one value where the positive class is rare, whatever the rates",
    ("p1", False): "Depends on which class is called positive",
    ("homogeneous", False): "Depends on the number of examples",
    ("monotone", False): "Does not always rise when an error is corrected",
    ("max_agreement", False): "Its largest value does not single out perfect predictions",
    ("defined", False): "Has no value at some tables",
    ("range", False): "Its values are not bounded",
    ("decomposable", False): "The value of the pooled counts is no weighted mean over the folds",
}
"""The warnings by property and answer at the defaults, the gravest first."""
_OF_SCORES: Final = ("monotone", "max_agreement")
"""Properties that a loss lacks because it is one."""
SKEWED: Final = Counts(81, 9, 9, 1)
"""The table of 100 examples at a prior of 0.9 if 9 of 10, drawn at random, are predicted positive."""
BALANCED: Final = Counts(25, 25, 25, 25)
"""That of balanced classes if half of the examples, drawn at random, are predicted positive."""


def warned(
    metric: Metric, at_defaults: Metric | None, verdicts: Mapping[str, Verdict], is_loss: bool
) -> Iterator[tuple[str, Entry]]:
    """Yield the warnings, each with the key of the property whose verdict it tells.

    :param metric: the metric
    :param at_defaults: the same with its parameters bound; None if that cannot be
    :param verdicts: on all properties
    :param is_loss: whether smaller is better
    """
    for (key, answer), headline in _HEADLINES.items():
        verdict = verdicts[key]
        if verdict.holds is not answer or (is_loss and key in _OF_SCORES):
            continue
        if key == "constant_baseline" and verdicts["independence_value"].holds is False:
            continue  # said already, with numbers
        if (key, answer) == ("prevalence_limit", True) and not _is_constant(verdict):
            continue
        told = [plain_sentence(verdict, properties[key], metric)]
        if key == "independence_value" and at_defaults is not None:
            told.append(_guessing(at_defaults))
        yield key, Entry((" ".join(told).strip(),), f"{headline}.", (("rests on", (Code(key),)),))


def _is_constant(verdict: Verdict) -> bool:
    """Whether the limit that a verdict names is one number."""
    return (
        isinstance(verdict.found, Limit)
        and not parse_formula(verdict.found.limit, [p.name for p in verdict.claim.parameters]).free_symbols
    )


def _guessing(metric: Metric) -> str:
    """Return what random guessing is worth at two priors; nothing if that is the same."""
    values = {table: metric.exact(*table) for table in (SKEWED, BALANCED)}
    if values[SKEWED] == values[BALANCED] or not all(value.is_finite for value in values.values()):
        return ""
    skewed, balanced = (number_text(values[table]) for table in (SKEWED, BALANCED))
    return (
        f"Random guessing that says positive as often as it is true scores {skewed} at a prior of 0.9 "
        f"({setting(SKEWED)}) and {balanced} at one of 0.5 ({setting(BALANCED)})."
    )
