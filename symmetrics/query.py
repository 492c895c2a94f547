"""Questions by name: metrics and properties are looked up, claims made and decided."""

from __future__ import annotations

from functools import lru_cache

from sympy import Expr

from symmetrics.checker import check as check_evidence
from symmetrics.claims import Claim, claim_from_dict
from symmetrics.errors import CertificateError, InputError, SymmetricsError
from symmetrics.library import metrics, properties
from symmetrics.metric import Metric
from symmetrics.property import Property
from symmetrics.prover import asking_z3, decide_or_at_defaults
from symmetrics.prover.acceptance import accepted
from symmetrics.verdict import Verdict

__all__ = ["as_metric", "as_property", "check", "prove"]


def as_metric(metric: Metric | Expr | str) -> Metric:
    """Return a metric for a metric, an expression over the cells, or a name in the library.

    :raises UnknownNameError: if no metric of the library has the name
    :raises DefinitionError: if the expression is not a metric
    """
    if isinstance(metric, Metric):
        return metric
    if isinstance(metric, str):
        return metrics[metric]
    if isinstance(metric, Expr):
        return Metric(str(metric), metric)
    raise InputError(f"{metric!r} is not a metric: pass a Metric, an expression over TP, FN, FP, TN, or a name")


def as_property(key: Property | str) -> Property:
    """Return a property for a property or a key.

    :raises UnknownNameError: if no property has the key
    """
    return key if isinstance(key, Property) else properties[key]


def prove(metric: Metric | Expr | str, property: Property | str, *, smt: bool = False) -> Verdict:
    """Decide whether a metric has a property.

    :param metric: a metric, an expression over the cells, or the name of a library metric
    :param property: a property or its key
    :param smt: ask Z3 about inequalities that stay open; a verdict that rests on its word says so
    :raises InputError: if Z3 is asked for and not installed
    :returns: a verdict: proved, refuted with the smallest counterexample, conditional on parameters, or open; for a
        formula that is not in the library, what is decided was also re-verified by other code.  What is open in general
        is decided at the default parameters, if there are, and the open verdict says what holds there

    >>> verdict = prove("precision", "p2")
    >>> verdict.status, verdict.holds
    ('proved', True)
    >>> prove("precision", "p4").witness.tables
    (Counts(tp=1, fn=1, fp=1, tn=1), Counts(tp=2, fn=1, fp=1, tn=1))
    """
    if smt:
        with asking_z3():
            return _decided(as_metric(metric), as_property(property))
    return _prove(as_metric(metric), as_property(property))


@lru_cache(maxsize=8192)
def _prove(metric: Metric, property: Property) -> Verdict:
    return _decided(metric, property)


def _decided(metric: Metric, property: Property) -> Verdict:
    verdict = decide_or_at_defaults(property.claim(metric), metric=metric.name, property=property.name)
    # Certificates of the library are re-verified by ``symmetrics check``; for any other formula this is the only time.
    return verdict if metrics.get(metric.name) is metric else accepted(verdict)


def check(verdict: Verdict, metric: Metric | Expr | str | None = None) -> None:
    """Re-verify the evidence of a verdict by other code than found it.

    The claim is rebuilt from the metric and the property that the verdict names, so that evidence about one metric
    cannot pass for evidence about another.

    :param verdict: a verdict, fresh or read from a certificate
    :param metric: the metric that it has to be about; by default the library's metric of that name, if there is one
    :raises CertificateError: if the evidence does not establish the verdict

    >>> check(prove("mcc", "p1"))
    """
    if not isinstance(verdict, Verdict):
        raise InputError(f"check takes a verdict, not {type(verdict).__name__}: Verdict.from_json reads one from text")
    subject = as_metric(metric) if metric is not None else metrics.get(verdict.metric)
    if metric is not None and as_metric(metric).name != verdict.metric:
        raise CertificateError(f"the certificate is about {verdict.metric}, not about {as_metric(metric).name}")
    if verdict.property in properties:
        # Where the metric is not known, the claim's own formula stands for it: the rest has to be the property's.
        stated = properties[verdict.property].claim(subject if subject is not None else _subject(verdict))
        if stated != verdict.claim and _read_back(stated) != verdict.claim:
            raise CertificateError(
                f"the certificate proves another statement than {verdict.property} of {verdict.metric}: "
                "its formula, parameters or tables differ"
            )
    check_evidence(verdict)


def _read_back(claim: Claim) -> Claim:
    """Return a claim as it comes back from a certificate, where SymPy may write its formula in another way."""
    try:
        return claim_from_dict(claim.to_dict())
    except SymmetricsError as error:
        raise CertificateError(f"the formula of the metric has no form in which it can be compared: {error}") from None


def _subject(verdict: Verdict) -> Metric:
    try:
        return Metric(verdict.metric, verdict.claim.subject, verdict.claim.parameters)
    except SymmetricsError as error:
        raise CertificateError(f"the certificate is not about a metric: {error}") from None
