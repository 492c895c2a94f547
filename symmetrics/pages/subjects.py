"""What a verdict is about, as records with words: the metric, and the property or relation, that its names mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.language.definition import Definition
from symmetrics.library import metrics, properties
from symmetrics.query.relations import relations
from symmetrics.tools.errors import SymmetricsError

if TYPE_CHECKING:
    from symmetrics.matrices.property import MulticlassProperty


_BOUND: Final = re.compile(r"(?P<key>\w+)\((?P<settings>\w+=[^(),]+(?:, \w+=[^(),]+)*)\)")
"""The name of a metric of the library with parameters bound."""


def called(metric: Definition) -> str:
    """Return what a metric is called at the beginning of a sentence; a formula is not repeated there.

    >>> called(metrics["f1"]), called(metrics["f_beta"].at(beta=2))
    ('F1-measure', 'F-measure (beta=2)')
    >>> from symmetrics.language.cells import FN, TP
    >>> called(Definition("mine", TP + FN)), called(Definition("TP + FN", TP + FN))
    ('The metric mine', 'The formula')
    """
    if metric.title != metric.name:
        return metric.title
    return f"The metric {metric.name}" if has_name(metric) else "The formula"


def has_name(metric: Definition) -> bool:
    """Return whether a metric is called anything else than its formula, by which sentences do not call it.

    >>> from symmetrics.language.cells import FN, TP
    >>> has_name(metrics["f1"]), has_name(Definition("mine", TP + FN)), has_name(Definition("TP + FN", TP + FN))
    (True, True, False)
    """
    return metric.title != metric.name or metric.name.isidentifier()


def called_inside(metric: Definition) -> str:
    """Return what a metric is called within a sentence.

    >>> from symmetrics.language.cells import FN, TP
    >>> called_inside(metrics["f1"]), called_inside(Definition("TP + FN", TP + FN))
    ('F1-measure', 'the formula')
    """
    name = called(metric)
    return name if metric.title != metric.name else f"t{name[1:]}"


def metric_of(verdict: Verdict) -> Definition:
    """Return the metric that a verdict is about: the library's, if that of the name has the same formula.

    >>> from symmetrics.query.proving import prove
    >>> metric_of(prove(metrics["f_beta"].at(beta=2), "p1")).title
    'F-measure (beta=2)'
    """
    name, subject = verdict.metric, verdict.claim.subject
    known = _named(name)
    if known is not None and known.expr == subject:
        return known
    return Definition(name, subject, tuple(verdict.claim.parameters))


def _named(name: str) -> Definition | None:
    """Return the metric of the library that has a name, as it is or with parameters bound."""
    if name in set(metrics):
        return metrics[name]
    found = _BOUND.fullmatch(name)
    if found is None or found["key"] not in set(metrics):
        return None
    try:
        return metrics[found["key"]].at(**dict(part.split("=") for part in found["settings"].split(", ")))
    except SymmetricsError:
        return None


def of_matrices(verdict: Verdict) -> tuple[MulticlassProperty, str] | None:
    """Return the property of a verdict on matrices and what the metric is called; None if it is not on matrices.

    A metric has the title of the library's only if the claim is about that one, whatever its name is.

    >>> from symmetrics.matrices import multiclass
    >>> property, title = of_matrices(multiclass["kappa"].prove("transpose", k=2))
    >>> property.name, title
    ('transpose', "Cohen's kappa of 2 classes")
    """
    if not verdict.metric.endswith(" classes"):
        return None
    from symmetrics.matrices import multiclass_properties  # most verdicts are not on matrices
    from symmetrics.matrices.deciding import claim_named, title_at_size

    title, property = title_at_size(verdict.metric), multiclass_properties.get(verdict.property)
    if title is None or property is None:
        return None
    try:
        known = claim_named(verdict.metric, verdict.property)
    except SymmetricsError:  # of so many classes there is no claim
        known = None
    return property, title if known is not None and known.to_dict() == verdict.claim.to_dict() else verdict.metric


def property_of(verdict: Verdict, metric: Definition) -> Property:
    """Return the property that a verdict is about, in words: of the library, or made of a relation to another metric.

    A name that does not stand for the claim of the verdict tells nothing about it: then the property is described by
    the claim's kind alone, and so is one of the user's own, of which the verdict has the key.

    >>> from symmetrics.query.proving import prove
    >>> from symmetrics.query.relations import relate
    >>> property_of(prove("f1", "p2"), metrics["f1"]).yes
    'does not depend on the true negatives'
    >>> property_of(relate("f1", "jaccard", "rank_equivalent"), metrics["f1"]).yes
    'ranks all tables as Jaccard index does'
    """
    key, _, other = verdict.property.partition(":")
    if verdict.property in set(properties):
        known = properties[verdict.property]
        if known.claim(metric).to_dict() == verdict.claim.to_dict():
            return known
    elif key in set(relations):
        partner = _named(other)
        name = "the other metric" if partner is None else partner.title
        relation = relations[key]
        words = relation.yes.format(name), relation.no.format(name)
        statement = f"{relation.statement}, where L is {name}"
        return Property(verdict.property, statement, lambda _: verdict.claim, relation.title, yes=words[0], no=words[1])
    yes, no = (f"{has} the property {verdict.property!r}" for has in ("has", "does not have"))
    about = f"a claim of the kind {verdict.claim.kind!r}"
    return Property(verdict.property, about, lambda _: verdict.claim, yes=yes, no=no)
