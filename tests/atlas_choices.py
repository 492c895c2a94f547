"""The guided choice of the atlas once more, in Python: what the script of the page has to find."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from symmetrics.pages.atlas.gathered import Answer, Entry
from symmetrics.pages.atlas.scripts import FAMILIAR, QUESTIONS, Need, Wanted, place_of
from symmetrics.tools.errors import InputError

_DEPENDING = "ync"
"""The marks of answers that depend on parameters."""


@dataclass(frozen=True)
class Choice:
    """What follows from answers.

    :param needs: what a metric has to have
    :param kept: the metrics that have it, each with the answers that say so, the familiar ones first
    :param dropped: the familiar metrics that do not, each with the answers that say so
    """

    needs: tuple[Need, ...]
    kept: Mapping[str, tuple[Answer, ...]]
    dropped: Mapping[str, tuple[Answer, ...]]


def needs_of(answers: Mapping[str, str]) -> tuple[Need, ...]:
    """Return what follows from answers, each need once.

    :param answers: the key of an answer by the key of its question; where there is none, nothing follows
    :raises InputError: if there is no such question or answer
    """
    left = dict(answers)
    found: dict[tuple[tuple[str, Wanted], ...], Need] = {}
    for question in QUESTIONS:
        options = {option.key: option for option in question.options}
        key = left.pop(question.key, question.options[0].key)
        if key not in options:
            raise InputError(f"{key!r} is no answer to {question.key!r}; answers are {', '.join(options)}")
        for need in options[key].needs:
            found.setdefault(need.alternatives, need)
    if left:
        names = ", ".join(question.key for question in QUESTIONS)
        raise InputError(f"there is no question {next(iter(left))!r}; questions are {names}")
    return tuple(found.values())


def chosen(entries: Iterable[Entry], answers: Mapping[str, str]) -> Choice:
    """Return the metrics that have all that follows from answers; no measure is chosen of which neither end is better.

    A property counts as had if it was proved; one that depends on parameters, if it holds at their defaults.

    :raises InputError: if there is no such question or answer
    """
    needs = needs_of(answers)
    judged = [entry for entry in entries if entry.metric.greater_is_better is not None]
    kept, dropped = {}, {}
    for entry in sorted(judged, key=place_of):
        met = [_meeting(entry, need) for need in needs]
        if all(met):
            kept[entry.metric.name] = tuple(answer for one in met for answer in one)
        elif entry.metric.name in FAMILIAR:
            failed = (need for need, one in zip(needs, met, strict=True) if not one)
            dropped[entry.metric.name] = tuple(entry.answers[key] for need in failed for key, _ in need.alternatives)
    return Choice(needs, kept, dropped)


def _meeting(entry: Entry, need: Need) -> list[Answer]:
    """Return the answers by which a metric has what is needed; none if it has not."""
    found = [(entry.answers[key], wanted) for key, wanted in need.alternatives]
    return [answer for answer, wanted in found if (answer.mark in _DEPENDING if wanted == "depends" else answer.holds)]
