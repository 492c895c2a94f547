"""Properties of metrics of whole matrices decided, at a number of classes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from sympy import S

from symmetrics.claims import Claim, Combination
from symmetrics.claims.evidence import open_decision
from symmetrics.claims.recorded import ANEW, recorded_verdict
from symmetrics.claims.verdict import Verdict
from symmetrics.language.formula import MAX_FORMULA_LENGTH
from symmetrics.language.writer import formula_text
from symmetrics.library.properties import properties
from symmetrics.matrices.metric import MulticlassMetric
from symmetrics.matrices.properties import multiclass_properties
from symmetrics.matrices.property import MulticlassProperty
from symmetrics.matrices.records import multiclass
from symmetrics.matrices.validated import number_of_classes
from symmetrics.matrices.zeros import CANCELLED, UNKNOWN, UNREAL
from symmetrics.numeric.counts import shown
from symmetrics.tools.budget import SECONDS, required_seconds, within
from symmetrics.tools.errors import BudgetError, InputError, SymmetricsError, UnknownNameError
from symmetrics.tools.words import number_of

CLASSES: Final = 3
"""The number of classes if none is given, and that of the certificates that come with the package."""
_AT_SIZE: Final = re.compile(r"(?P<subject>.+) of (?P<classes>[1-9]\d{0,3}) classes", re.ASCII | re.DOTALL)
_NO_VALUES: Final = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity, S.ImaginaryUnit)
_SETTINGS: Final = re.compile(r"(?P<key>\w+)\((?P<settings>[^()]*)\)", re.ASCII)


def prove_at_size(
    metric: MulticlassMetric,
    property: MulticlassProperty | str,
    classes: int | None = None,
    *,
    seconds: float = SECONDS,
) -> Verdict:
    """Decide whether a metric of matrices has a property at a number of classes.

    A mean over classes is the plain one.  What is asked of the library at three classes is read from the certificates
    that come with the package; all else is decided, and re-verified by other code.

    :param property: a property or its key
    :param classes: the number of classes, 3 if none is given: what is proved for one says nothing of others
    :param seconds: how long it may take, checking included
    :raises InputError: on a number of classes about which the property says nothing
    :raises UnknownNameError: if no property has the key

    >>> from symmetrics.matrices import multiclass
    >>> print(prove_at_size(multiclass["cba"], "transpose", 2))
    transpose of cba of 2 classes: proved; identity on the open positive orthant: over one denominator the difference \
has the zero polynomial as numerator
    """
    asked = as_multiclass_property(property)
    required_seconds(seconds)
    count = CLASSES if classes is None else number_of_classes(classes)
    claim, name = asked.of(metric, count), name_at_size(metric, count)
    if not ANEW.get() and multiclass.get(metric.name) is metric and multiclass_properties.get(asked.name) is asked:
        found = recorded_verdict(lambda: claim, metric=name, property=asked.name)
        if found is not None:
            return found
    if (reason := _obstacle(claim)) is not None:
        return Verdict.of(open_decision(reason), claim, metric=name, property=asked.name)
    from symmetrics.prover.acceptance import out_of_budget

    try:
        return within(lambda: _decided(claim, name, asked.name), seconds=seconds, shown=f"{asked.name} of {name}")
    except BudgetError as error:
        return out_of_budget(error, claim, metric=name, property=asked.name)


def _obstacle(claim: Claim) -> str | None:
    """Return why a claim is not one that can be decided, None if it is."""
    parts = [part for _, part in claim.parts] if isinstance(claim, Combination) else [claim]
    named = (getattr(part, name, None) for part in parts for name in ("subject", "partner", "relation"))
    formulas = dict.fromkeys(formula for formula in named if formula is not None)
    if any(formula.has(UNKNOWN) for formula in formulas):
        return f"the value where entries are 0 is not known{' while parameters are free' if claim.parameters else ''}"
    if any(formula.has(UNREAL) for formula in formulas):
        return "a root or a logarithm of what may be negative has cancelled, so that it is not known where M is real"
    if any(formula.has(CANCELLED) for formula in formulas):
        return "a divisor that may be zero has cancelled, so that it is not known where M has a value"
    if any(formula.has(*_NO_VALUES) for formula in formulas):
        return "M has no real value at matrices that the property is about"
    length = max(len(formula_text(formula)) for formula in formulas)
    if length > MAX_FORMULA_LENGTH:
        return (
            f"the formula has {length} characters, and at most {MAX_FORMULA_LENGTH} are read; ask about fewer classes"
        )
    return None


@lru_cache(maxsize=4096)
def _decided(claim: Claim, metric: str, property: str) -> Verdict:
    from symmetrics.prover import decide_or_at_defaults
    from symmetrics.prover.acceptance import accepted

    return accepted(decide_or_at_defaults(claim, metric=metric, property=property))


def name_at_size(metric: MulticlassMetric, classes: int) -> str:
    """Return what a metric is called in verdicts about so many classes.

    >>> from symmetrics.matrices import multiclass
    >>> name_at_size(multiclass["cba"], 3)
    'cba of 3 classes'
    """
    return f"{metric.name} of {number_of(classes, 'class')}"


def properties_at_size(classes: int) -> list[MulticlassProperty]:
    """Return the properties that say something about so many classes."""
    return [property for property in multiclass_properties.values() if property.least_classes <= classes]


def is_at_size(name: str) -> bool:
    """Whether a metric of the library is called so in verdicts about so many classes.

    >>> is_at_size("mcc of 3 classes"), is_at_size("f_of_means(beta=1) of 2 classes"), is_at_size("mcc")
    (True, True, False)
    """
    found = _AT_SIZE.fullmatch(name)
    return found is not None and _named(found["subject"]) is not None


def called(metric: MulticlassMetric) -> str:
    """Return the title of a metric without what explains it, or its name.

    >>> called(multiclass["balanced_accuracy"])
    'Balanced accuracy'
    """
    return metric.title.partition(":")[0] or metric.name


def title_at_size(name: str) -> str | None:
    """Return what a metric of matrices is called in words, by its name in a verdict; None if it is not of that form.

    >>> title_at_size("mcc of 3 classes"), title_at_size("mine of 2 classes"), title_at_size("mcc")
    ('Matthews correlation coefficient of 3 classes', 'mine of 2 classes', None)
    """
    found = _AT_SIZE.fullmatch(name)
    metric = None if found is None else _named(found["subject"])
    if found is None or metric is None:
        return None if found is None else name
    return f"{called(metric)} of {number_of(int(found['classes']), 'class')}"


def told_at_size(verdict: Verdict) -> str | None:
    """Return in a sentence what a verdict on a metric of the library says; None if it is not on one of matrices.

    >>> told_at_size(prove_at_size(multiclass["cba"], "transpose"))
    'Class balance accuracy of 3 classes treats predictions and truth alike.'
    """
    title = title_at_size(verdict.metric)
    return None if title is None else multiclass_properties[verdict.property].told(title, verdict.holds)


def claim_named(
    name: str, key: str, metric: MulticlassMetric | None = None, property: MulticlassProperty | None = None
) -> Claim | None:
    """Return the claim that a verdict is about by its names, None if these are not those of matrices of some size.

    :param name: what the metric is called, such as ``"cba of 3 classes"``
    :param key: the key of the property
    :param metric: a metric that may not be in the library
    :param property: a property that may not be in the library

    >>> claim_named("mcc of 3 classes", "transpose") == multiclass_properties["transpose"].of(multiclass["mcc"], 3)
    True
    >>> claim_named("mcc", "transpose") is None
    True
    """
    found = _AT_SIZE.fullmatch(name)
    asked = multiclass_properties.get(key) if property is None else property
    if found is None or asked is None or asked.name != key:
        return None
    subject = _named(found["subject"]) if metric is None else metric
    if subject is None or name_at_size(subject, int(found["classes"])) != name:
        return None
    return asked.of(subject, int(found["classes"]))


def _named(name: str) -> MulticlassMetric | None:
    """Return the metric of the library that has a name, which may say what its parameters are bound to."""
    found = _SETTINGS.fullmatch(name)
    if found is None:
        return multiclass[name] if name in set(multiclass) else None
    metric = _named(found["key"])
    try:
        bound = None if metric is None else metric.at(**dict(s.split("=") for s in found["settings"].split(", ")))
    except (SymmetricsError, TypeError, ValueError):
        return None
    return bound if bound is not None and bound.name == name else None


def as_multiclass_property(key: MulticlassProperty | str) -> MulticlassProperty:
    """Return a property of metrics of matrices for a property or a key.

    :raises InputError: on what is neither
    :raises UnknownNameError: if no property has the key
    """
    if isinstance(key, MulticlassProperty):
        return key
    if not isinstance(key, str):
        raise InputError(
            f"{shown(key)} is not a property of metrics of matrices: pass one of symmetrics.multiclass_properties, or "
            "its key"
        )
    if key not in multiclass_properties and key in properties:
        where = (
            "it is one of metrics of two classes; leave the number of classes out, or take one that 'symmetrics list "
            "multiclass-properties' has"
        )
        raise UnknownNameError("property of metrics of matrices", key, multiclass_properties, where)
    return multiclass_properties[key]
