"""Which metrics have the properties that are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from sympy import Expr
from tqdm import tqdm

from symmetrics.claims.verdict import Verdict
from symmetrics.library import metrics as library
from symmetrics.library import properties
from symmetrics.library.selections import as_metrics
from symmetrics.metric import Metric
from symmetrics.numeric.counts import shown
from symmetrics.query.proving import as_property, properties_told, prove
from symmetrics.tools.catalogue import Catalogue
from symmetrics.tools.errors import InputError

ANSWERS: Final[Mapping[str, bool | None]] = {"yes": True, "true": True, "no": False, "false": False, "open": None}


def find(
    *texts: str,
    metrics: str | Iterable[Metric | Expr | str] | None = None,
    progress: bool | None = None,
    **wanted: bool | str | None,
) -> Catalogue[Metric]:
    """Return the metrics whose properties are as wanted, at the defaults of their parameters.

    :param texts: what is wanted as it is typed on the command line, such as ``"p1=yes"``
    :param metrics: the metrics to choose from, themes among them; by default the library
    :param progress: whether to show a progress bar; by default only on a terminal
    :param wanted: for each property, by key, True or ``"yes"`` if it has to hold, False or ``"no"`` if it must not,
        None or ``"open"`` if it has to be open; what is open in general and decided at the defaults counts as decided
    :returns: the metrics by key, as ``symmetrics.metrics`` has them
    :raises UnknownNameError: if there is no property of a name
    :raises InputError: if no property is wanted, one is wanted by two names, or a value is none of these

    >>> find(metrics=["precision", "tpr", "npv"], p2=True, p4=False)
    <2 metric records: precision, tpr>
    >>> find("p2=yes", "p4=no", metrics=["precision", "tpr", "npv"])
    <2 metric records: precision, tpr>
    """
    if not texts and not wanted:
        raise InputError("no property to look for: name one or more, as in find(p1=True)")
    answers: dict[str, bool | None] = {}
    for key, value in (*map(_key_and_answer, texts), *wanted.items()):
        name = as_property(key).name
        if name in answers:
            raise InputError(f"property {key!r} is given more than once; give it once")
        answers[name] = _answer(key, value)
    chosen = as_metrics(metrics, library)
    bar = tqdm(chosen, desc="find", disable=None if progress is None else not progress, leave=False)
    return Catalogue("metric", tuple(metric for metric in bar if _has(metric, answers)))


def _key_and_answer(text: object) -> tuple[str, str]:
    """Return the key of a property and the answer that a text asks for.

    :raises InputError: on what is no such text
    """
    key, sign, answer = text.partition("=") if isinstance(text, str) else ("", "", "")
    if not sign:
        is_key = key.strip() in properties
        told = [] if is_key else properties_told(key)
        name = key.strip() if is_key else next(iter(told), "p1")
        meant = f"it tells of {', '.join(told[:3])}{' and others' * (len(told) > 3)}; write" if told else "write it as"
        raise InputError(
            f"{shown(text)} is not a property with an answer; {meant} {name}=yes, {name}=no or {name}=open"
        )
    return key.strip(), answer


def _answer(key: str, value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    said = value.strip().casefold() if isinstance(value, str) else ""
    if said not in ANSWERS:
        raise InputError(f"{key}={value!r} is no answer; ask for {key}=yes, {key}=no or {key}=open")
    return ANSWERS[said]


def _has(metric: Metric, wanted: Mapping[str, bool | None]) -> bool:
    return all(_is(prove(metric, key), value) for key, value in wanted.items())


def _is(verdict: Verdict, value: bool | None) -> bool:
    # A condition on a parameter without a default is neither yes nor no, and not open; what is open in general may be
    # known at the defaults.
    return verdict.holds is value and (value is not None or verdict.status == "open")
