"""Queries by name: look up metrics and properties, make claims and decide them."""

from __future__ import annotations

import difflib
import itertools
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Protocol

import numpy as np
from sympy import Expr, S

from symmetrics.claims import Claim
from symmetrics.claims.evidence import Counts
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.property import Property
from symmetrics.claims.recorded import ANEW, recorded_verdict
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording.values import is_attained
from symmetrics.data.counts import shown
from symmetrics.language.formula import parse_formula
from symmetrics.library import metrics, properties
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.tools.arguments import advising
from symmetrics.tools.budget import SECONDS, required_seconds, within
from symmetrics.tools.errors import BudgetError, InputError, UnknownNameError, nearest_names

# ----------------------------------------------------------------------------------------------------------------------
# Verdicts of the library, read from the certificates that come with the package instead of being decided again.


@lru_cache(maxsize=8192)
def recorded(metric: Metric, property: Property) -> Verdict | None:
    """Return the verdict on a property of a metric from its certificate, None if no valid one exists.

    There is one for a metric of the library and a property of the library, and not for others of the same names.

    >>> recorded(Metric("f1", metrics["jaccard"].expr), properties["p1"]) is None
    True
    """
    if metrics.get(metric.name) != metric or properties.get(property.name) != property:
        return None
    return recorded_verdict(lambda: property.claim(metric), metric=metric.name, property=property.name)


# ----------------------------------------------------------------------------------------------------------------------


# -- Full-text search in the library -----------------------------------------------------------------------------------


def search(words: Iterable[str]) -> list[tuple[str, str]]:
    """Return the properties and metrics whose texts contain all the words, as keys with titles; properties first.

    >>> [key for key, _ in search(["class", "skew"])]
    ['actual_scaling', 'skew_ratio']
    >>> [key for key, _ in search(["matthews"])]
    ['mcc', 'normalized_mcc']
    """
    wanted = _separate(words)
    records: list[Property | Metric] = [*properties.values(), *metrics.values()]
    return [(record.name, record.title) for record in records if _tells(wanted, _texts(record))]


def properties_matching(text: str) -> list[str]:
    """Return the keys of the properties whose texts contain all the words.

    >>> properties_matching("class skew")
    ['actual_scaling']
    """
    wanted = _separate([text])
    return [record.name for record in properties.values() if wanted and _tells(wanted, _texts(record))]


def nearest_words(words: Iterable[str]) -> str:
    """Suggest corrections for words without any match; empty if the corrected words have no match either.

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
    """Return the longest known prefix of a word, or a known word with similar spelling, or the word itself."""
    if begins := [one for one in known if word.startswith(one)]:
        return max(begins, key=len)
    return next(iter(difflib.get_close_matches(word, known, 1, cutoff=0.75)), word)


def _separate(words: Iterable[str]) -> list[str]:
    return [word for text in words for word in text.casefold().replace("_", " ").split()]


def _texts(record: Property | Metric) -> str:
    """Return all searchable text of a record, in lower case."""
    words = record.words if isinstance(record, Property) else ()
    return " ".join((record.title, *words, *record.aliases, record.name)).casefold().replace("_", " ")


def _all_texts() -> Iterator[str]:
    yield from map(_texts, properties.values())
    yield from map(_texts, metrics.values())


def _tells(wanted: Iterable[str], told: str) -> bool:
    return all(word in told for word in wanted)


# ----------------------------------------------------------------------------------------------------------------------


def as_properties(chosen: str | Iterable[Property | str] | None, default: Iterable[str]) -> list[Property]:
    """Return properties by key; ``"all"`` stands for all of the library.

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
    """Return a property, given itself or its key.

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
        told = properties_matching(error.name) or properties_matching(nearest_words([error.name]))
        if nearest_names(error.name, error.known) or not told:
            raise
        meant = f"{', '.join(told[:3])}{' or another' * (len(told) > 3)}"
        raise UnknownNameError("property", error.name, error.known, f"did you mean {meant}?") from None


def refuse_exchanged(metric: object, property: object) -> None:
    """Refuse arguments in the wrong order: a property before a metric.

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
    """A metric of whole matrices, whose properties depend on the number of classes."""

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
        open and says so, and asked again with more time it is examined anew
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
    found = None if smt else verdict_on_record(subject, asked)
    if found is not None:
        return found
    # Imported only when something has to be decided: the import takes as long as many a decision.
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


def verdict_on_record(metric: Metric, property: Property) -> Verdict | None:
    """Return the verdict from a certificate; None if there is none, or if everything is to be decided again."""
    return None if ANEW.get() else recorded(metric, property)


def _asking_z3(*question: Any) -> Verdict:
    from symmetrics.prover import asking_z3

    with asking_z3():
        return _decided.__wrapped__(*question)


@lru_cache(maxsize=8192)
def _decided(claim: Claim, metric: str, property: str, is_library: bool) -> Verdict:
    """Decide a claim on a metric; cached by claim and name."""
    from symmetrics.prover import decide_or_at_defaults
    from symmetrics.prover.acceptance import accepted

    verdict = decide_or_at_defaults(claim, metric=metric, property=property)
    # Certificates of the library are re-verified by ``symmetrics check``; for any other formula this is the only check.
    return verdict if is_library else accepted(verdict)


# -- The ends of a metric's range: on positive tables, and where cells may be zero -------------------------------------


LARGEST: Final = 3
"""Largest cell of the tables that are tried if the evidence names none."""
CLOSE: Final = 1e-6
"""Relative tolerance for equality in floating point; rounding errors are much smaller."""
_INFINITE: Final[Mapping[str, Expr]] = {"oo": S.Infinity, "-oo": S.NegativeInfinity}


@dataclass(frozen=True)
class End:
    """One end of a metric's range.

    :param side: ``"lower"`` or ``"upper"``
    :param bound: the largest lower, or the smallest upper bound; infinite if there is none
    :param is_reached: whether the metric has this value at some table of positive cells; None if that is not decided
    :param inside: such a table
    :param on_boundary: a table with cells that are zero at which the metric has this value; None if none is known
    :param path: where the metric tends to it, as a table whose cells depend on a number s that tends to 0 from above
    """

    side: str
    bound: Expr
    is_reached: bool | None
    inside: Counts | None
    on_boundary: Counts | None
    path: tuple[str, ...]


def ends_of(metric: Metric, *, seconds: float = SECONDS) -> tuple[End, ...]:
    """Return what is proved of the ends of a metric's range: none, one or both ends.

    The bounds are those that the verdict on the property ``range`` has.  The tables are examined in exact arithmetic:
    a table at which the metric does not have the value is not returned.

    :param metric: a metric without parameters
    :param seconds: how long the range may be looked for, if it is not on record

    >>> from symmetrics.library import metrics
    >>> lower, upper = ends_of(metrics["mcc"])
    >>> lower.bound, lower.is_reached, lower.on_boundary
    (-1, False, Counts(tp=0, fn=1, fp=1, tn=0))
    """
    verdict = prove(metric, "range", seconds=seconds)
    if verdict.evidence.kind != "range" or verdict.status == "open":
        return ()
    return tuple(_end(metric, verdict, side) for side in ("lower", "upper") if side in verdict.evidence.data)


def _end(metric: Metric, verdict: Verdict, side: str) -> End:
    data: Mapping[str, Any] = verdict.evidence.data[side]
    bound = _INFINITE[data["bound"]] if data["bound"] in _INFINITE else parse_formula(data["bound"])
    path = tuple(cell.replace(STEP.name, "s") for cell in data["path"])
    inside = _table(data["path"]) if is_attained(data) else None
    corner = _table(data["corner"]) if "corner" in data else _on_boundary(metric, bound)
    if corner is not None and not _has(metric, corner, bound):
        corner = None
    return End(side, bound, is_attained(data), inside, corner, path)


def _table(cells: Any) -> Counts:
    return Counts(*map(parse_formula, cells))


def _has(metric: Metric, table: Counts, value: Expr) -> bool:
    """Whether a metric certainly has a value at a table of rational cells."""
    found = metric.exact(*table)
    return found == value or bool(found.is_finite and value.is_finite and (found - value).equals(0))


@lru_cache(maxsize=512)
def _on_boundary(metric: Metric, bound: Expr) -> Counts | None:
    """Return the smallest table with a zero cell, of few examples, at which a metric has a value.

    Numbers say which tables are worth an exact look.
    """
    tables = [table for table in itertools.product(range(LARGEST + 1), repeat=4) if 0 in table and any(table)]
    tables.sort(key=lambda table: (sum(table), table))
    values = metric.from_counts(np.array(tables, dtype=np.float64))
    for place in np.flatnonzero(np.isclose(values, float(bound), rtol=CLOSE, atol=CLOSE)):
        if _has(metric, Counts(*tables[place]), bound):
            return Counts(*tables[place])
    return None
