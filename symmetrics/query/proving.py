"""Questions by name: metrics and properties are looked up, claims made and decided."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Protocol

from sympy import Expr

from symmetrics.claims import Claim
from symmetrics.claims.property import Property
from symmetrics.claims.recorded import ANEW
from symmetrics.claims.verdict import Verdict
from symmetrics.library import metrics, properties
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.numeric.counts import shown
from symmetrics.query.recorded import recorded
from symmetrics.tools.budget import SECONDS, required_seconds, within
from symmetrics.tools.errors import BudgetError, InputError, UnknownNameError, nearest_names
from symmetrics.tools.settings import advising

# -- The library searched by the words that people use -----------------------------------------------------------------


def search(words: Iterable[str]) -> list[tuple[str, str]]:
    """Return the properties and metrics of which all the words tell, keys with what they are; properties first.

    >>> [key for key, _ in search(["class", "skew"])]
    ['actual_scaling', 'skew_ratio']
    >>> [key for key, _ in search(["matthews"])]
    ['mcc', 'normalized_mcc']
    """
    wanted = _separate(words)
    records: list[Property | Metric] = [*properties.values(), *metrics.values()]
    return [(record.name, record.title) for record in records if _tells(wanted, _texts(record))]


def properties_told(text: str) -> list[str]:
    """Return the keys of the properties of which all the words of a text tell.

    >>> properties_told("class skew")
    ['actual_scaling']
    """
    wanted = _separate([text])
    return [record.name for record in properties.values() if wanted and _tells(wanted, _texts(record))]


def nearest_words(words: Iterable[str]) -> str:
    """Return what was probably meant by words that nothing is called; nothing if that is called so neither.

    >>> nearest_words(["skewness"]), nearest_words(["mathews"]), nearest_words(["zebra"])
    ('skew', 'matthews', '')
    """
    every = list(_all_texts())
    known = {part for text in every for part in re.findall(r"\w{3,}", text)}
    meant = [
        word if any(word in text for text in every) else _nearest(word, sorted(known)) for word in _separate(words)
    ]
    return " ".join(meant) if search(meant) else ""


def _nearest(word: str, known: Sequence[str]) -> str:
    """Return the longest known beginning of a word, or a known one that is spelled much like it, or itself."""
    if begins := [one for one in known if word.startswith(one)]:
        return max(begins, key=len)
    return next(iter(difflib.get_close_matches(word, known, 1, cutoff=0.75)), word)


def _separate(words: Iterable[str]) -> list[str]:
    return [word for text in words for word in text.casefold().replace("_", " ").split()]


def _texts(record: Property | Metric) -> str:
    """Return all that tells of a record, in small letters."""
    words = record.words if isinstance(record, Property) else ()
    return " ".join((record.title, *words, *record.aliases, record.name)).casefold().replace("_", " ")


def _all_texts() -> Iterator[str]:
    yield from map(_texts, properties.values())
    yield from map(_texts, metrics.values())


def _tells(wanted: Iterable[str], told: str) -> bool:
    return all(word in told for word in wanted)


# ----------------------------------------------------------------------------------------------------------------------


def as_properties(chosen: str | Iterable[Property | str] | None, default: Iterable[str]) -> list[Property]:
    """Return properties; ``"all"`` is all of the library.

    :raises InputError: on another text
    :raises UnknownNameError: if no property has a key
    """
    given: object = chosen
    if isinstance(given, str | Property) or not (given is None or isinstance(given, Iterable)):
        if not isinstance(given, str) or given.strip().casefold() != "all":
            raise InputError(f"{shown(chosen)} is one property, or none: pass a list, as in ['p1', 'range'], or 'all'")
        return list(properties.values())
    return [as_property(one) for one in (default if chosen is None else chosen)]


def as_property(key: Property | str) -> Property:
    """Return a property for a property or a key.

    :raises UnknownNameError: if no property has the key; it says how one of metrics of matrices is asked for, or names
        those with similar keys, or else those that the words of the key tell of
    """
    if isinstance(key, Property):
        return key
    if not isinstance(key, str):
        raise InputError(f"{shown(key)} is not a property: pass one, or its key; symmetrics.table decides several")
    try:
        return properties[key]
    except UnknownNameError as error:
        if error.elsewhere is not None:
            raise
        told = properties_told(error.name) or properties_told(nearest_words([error.name]))
        if nearest_names(error.name, error.known) or not told:
            raise
        meant = f"{', '.join(told[:3])}{' or another' * (len(told) > 3)}"
        raise UnknownNameError("property", error.name, error.known, f"did you mean {meant}?") from None


def refuse_exchanged(metric: object, property: object) -> None:
    """Refuse the name of a property before that of a metric.

    :raises InputError: saying which comes first
    """
    if not (isinstance(metric, str) and isinstance(property, str)):
        return
    first, second = metric.strip(), property.strip()
    if first in properties and first not in metrics and second in metrics and second not in properties:
        raise InputError(
            f"{first} is a property and {second} a metric, which comes first: symmetrics prove {shlex.quote(second)} "
            f"{shlex.quote(first)}, in Python prove({second!r}, {first!r})"
        )


class OfMatrices(Protocol):
    """A metric of whole matrices, which has properties of its own at each number of classes."""

    def prove(self, property: Any, k: int | None = None, *, seconds: float = SECONDS) -> Verdict:
        """Decide whether the metric has a property at a number of classes."""


@advising("write prove(metric, property), as in prove('f1', 'p2')")
def prove(
    metric: Metric | Expr | str | OfMatrices,
    property: Property | str,
    *,
    k: int | None = None,
    smt: bool = False,
    seconds: float = SECONDS,
) -> Verdict:
    """Decide whether a metric has a property.

    What is asked of a metric and a property of the library is read from the certificate that comes with the package, as
    long as it is about the claim that both make and was written by the code that would decide now
    (:mod:`symmetrics.claims.recorded`).  It is not verified again: :func:`symmetrics.check` does that.  Nothing is read
    with *smt*, nor within :func:`deciding_anew`.

    :param metric: a metric, an expression over the cells, the name of a library metric, or the text of a formula; or a
        metric of whole matrices, such as those of ``symmetrics.multiclass``
    :param property: a property or its key; for metrics of matrices one of ``symmetrics.multiclass_properties``
    :param k: for metrics of matrices the number of classes, 3 if none is given
    :param smt: ask Z3 about inequalities that stay open; a verdict that rests on its word says so
    :param seconds: how long it may take, checking included; what is not decided by then, or takes too much memory, is
        open and says so, and asked again with more time it is looked at anew
    :raises InputError: if Z3 is asked for and not installed, if *seconds* is no positive number, and if *k* is given
        for a metric of two classes
    :returns: a verdict: proved, refuted with the smallest counterexample, conditional on parameters, or open; for a
        formula that is not in the library, what is decided was also re-verified by other code.  What is open in general
        is decided at the default parameters, if there are, and the open verdict says what holds there

    >>> verdict = prove("precision", "p2")
    >>> verdict.status, verdict.holds
    ('proved', True)
    >>> prove("precision", "p4").witness.tables
    (Counts(tp=1, fn=1, fp=1, tn=1), Counts(tp=2, fn=1, fp=1, tn=1))
    """
    if not isinstance(metric, Metric | Expr | str) and hasattr(metric, "definition"):
        if smt:
            raise InputError("smt=True is for metrics of two classes; leave it out")
        return metric.prove(property, k, seconds=seconds)
    if k is not None:
        raise InputError(
            f"k={shown(k)} is a number of classes, and {shown(metric)} is a metric of two; leave it out, or pass a "
            "metric of matrices, as symmetrics.multiclass['cba']"
        )
    refuse_exchanged(metric, property)
    subject, asked = as_metric(metric), as_property(property)
    required_seconds(seconds)
    found = None if smt else recorded_verdict(subject, asked)
    if found is not None:
        return found
    # The prover and what it needs are loaded when something is to be decided: it takes as long as many an answer.
    from symmetrics.prover.acceptance import out_of_budget

    decided = _asking_z3 if smt else _decided
    is_library = metrics.get(subject.name) is subject
    question = f"{asked.name} of {subject.name}"
    try:
        return within(
            lambda: decided(asked.claim(subject), subject.name, asked.name, is_library), seconds=seconds, shown=question
        )
    except BudgetError as error:
        return out_of_budget(error, asked.claim(subject), metric=subject.name, property=asked.name)


def recorded_verdict(metric: Metric, property: Property) -> Verdict | None:
    """Return the verdict that can be read from a certificate, None if there is none, or all is to be decided anew."""
    return None if ANEW.get() else recorded(metric, property)


def _asking_z3(*question: Any) -> Verdict:
    from symmetrics.prover import asking_z3

    with asking_z3():
        return _decided.__wrapped__(*question)


@lru_cache(maxsize=8192)
def _decided(claim: Claim, metric: str, property: str, is_library: bool) -> Verdict:
    """Decide a claim on a metric, which is once for each claim and name."""
    from symmetrics.prover import decide_or_at_defaults
    from symmetrics.prover.acceptance import accepted

    verdict = decide_or_at_defaults(claim, metric=metric, property=property)
    # Certificates of the library are re-verified by ``symmetrics check``; for any other formula this is the only time.
    return verdict if is_library else accepted(verdict)
