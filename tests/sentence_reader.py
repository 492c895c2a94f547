"""Reads the first sentence of a verdict, by other code than wrote it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.language.definition import Definition
from symmetrics.pages.answers import metric_of, property_of
from symmetrics.pages.plain import plain_sentence

__all__ = ["PHRASES", "read", "told"]

PHRASES: Mapping[str, tuple[str, str]] = {
    "p1": ("stays the same when the two classes", "changes when the two classes"),
    "p2": ("not depend on the true neg", "depends on the true neg"),
    "p3": ("not depend on the false pos", "depends on the false pos"),
    "p4": ("not depend on the true pos", "depends on the true pos"),
    "p5": ("not depend on the false neg", "depends on the false neg"),
    "actual_scaling": ("changes nothing", "changes it"),
    "agreement_increases": ("rises with the number of right", "does not always rise with the number of right"),
    "antisymmetric": (" turns into its negative", "does not turn into its negative"),
    "constant_baseline": ("is the same on average", "is not the same on average|has no average"),
    "decomposable": ("is a ratio", "is no ratio"),
    "decreasing_fn": ("falls with each further false neg", "does not always fall with a further false neg"),
    "decreasing_fp": ("falls with each further false pos", "does not always fall with a further false pos"),
    "defined": ("has a value at every", "has no value at some"),
    "homogeneous": ("depends on the shares", "changes with the number of examples"),
    "increasing_tn": (" rises with each further true neg", "does not always rise with a further true neg"),
    "increasing_tp": (" rises with each further true pos", "does not always rise with a further true pos"),
    "independence_value": ("has one value wherever", "differs among"),
    "margins_decrease": ("falls whenever a true neg", "does not always fall when a true neg"),
    "max_agreement": ("is largest exactly where all predictions are right", "is not largest exactly"),
    "min_agreement": ("is smallest exactly where all predictions are wrong", "is not smallest exactly"),
    "monotone": ("rises whenever an error is corrected", "does not always rise when an error"),
    "no_imbalance_bias": ("is not biased by imbalance", "is biased by imbalance"),
    "predicted_scaling": ("stays the same when the examples predicted", "changes when the examples predicted"),
    "prevalence_limit": ("tends to a finite limit as the positive", "has no finite limit as the positive"),
    "range": ("is bounded", "is not bounded"),
    "scaling": ("stays the same when the examples of an", "changes when the examples of an"),
    "scaling_space": ("stays the same when cells are mult", "changes at some tables whichever fixed powers"),
    "strongly_monotone": (" rises with each further right", "does not always rise with a further right"),
    "symmetry_group": (" stays the same, or is negated", "neither stays the same nor"),
    "tn_limit": ("tends to a finite limit as the true", "has no finite limit as the true"),
    "translation_space": ("stays the same when certain mult", "changes at some tables whichever fixed mult"),
    "transpose": ("treats predictions and truth alike", "changes when predictions and truth"),
    "rank_equivalent": ("ranks all tables as", "ranks some tables otherwise"),
    "affine": (" is (?!not ).* times a number, plus a number", " is not .* times a number, plus a number"),
    "own": ("has the property", "does not have the property"),
}
"""By hand, for each property what a sentence says where it holds, and where it does not."""


def told(verdict: Verdict) -> tuple[str, Property, Definition]:
    metric = metric_of(verdict)
    property = property_of(verdict, metric)
    return plain_sentence(verdict, property, metric), property, metric


def read(sentence: str, key: str) -> tuple[str, bool | None]:
    """Return what a sentence says: how it stands, and whether it is so at the defaults."""
    name = key.partition(":")[0]
    assert name in PHRASES, f"{name} needs a line in PHRASES of tests/sentence_reader.py"
    has, lacks = PHRASES[name]
    if "if and only if" in sentence.partition(";")[0]:
        assert re.search(has, sentence)
        return "conditional", {"so": True, "not so": False}.get(re.sub(r".*; that is (.*) at the .*", r"\1", sentence))
    if sentence.startswith("It is not known whether"):
        assert re.search(has, sentence)
        return "open", None
    first = sentence.partition("; whether it")[0]
    yes, no = bool(re.search(has, first)), bool(re.search(lacks, first))
    assert yes != no, sentence
    return ("open" if "in general is not known" in sentence else "proved" if yes else "refuted"), yes
