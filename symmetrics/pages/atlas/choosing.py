"""From answers to metrics: which ones provably have what is needed, and why the familiar ones do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from symmetrics.pages.atlas.gathered import Answer, Entry
from symmetrics.pages.atlas.problems import PROBLEMS
from symmetrics.pages.atlas.wishes import FAMILIAR, QUESTIONS, SOUND, Need, Option, Wanted
from symmetrics.tools.errors import InputError

__all__ = ["Choice", "chosen", "needs_of", "told_to_scripts"]

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
    for entry in sorted(judged, key=_place):
        met = [_meeting(entry, need) for need in needs]
        if all(met):
            kept[entry.metric.name] = tuple(answer for one in met for answer in one)
        elif entry.metric.name in FAMILIAR:
            failed = (need for need, one in zip(needs, met, strict=True) if not one)
            dropped[entry.metric.name] = tuple(entry.answers[key] for need in failed for key, _ in need.alternatives)
    return Choice(needs, kept, dropped)


def _place(entry: Entry) -> tuple[int, int, str]:
    name = entry.metric.name
    return list(FAMILIAR).index(name) if name in FAMILIAR else len(FAMILIAR), -_sound(entry), entry.title.casefold()


def _sound(entry: Entry) -> int:
    return sum(entry.answers[key].holds is True for key in SOUND)


def _meeting(entry: Entry, need: Need) -> list[Answer]:
    """Return the answers by which a metric has what is needed; none if it has not."""
    found = [(entry.answers[key], wanted) for key, wanted in need.alternatives]
    return [answer for answer, wanted in found if (answer.mark in _DEPENDING if wanted == "depends" else answer.holds)]


# -- what the page needs -----------------------------------------------------------------------------------------------


def told_to_scripts(entries: Iterable[Entry], headings: Mapping[str, str]) -> dict[str, Any]:
    """Return what a page needs to choose by itself: the questions, and the metrics in order with their marks.

    :param headings: what the properties are called, in the order of the marks
    """
    judged = sorted((entry for entry in entries if entry.metric.greater_is_better is not None), key=_place)
    options = [option for question in QUESTIONS for option in question.options]
    asked = sorted({key for option in options for need in option.needs for key, _ in need.alternatives})
    return {
        "questions": [{"key": q.key, "options": {o.key: _option(o) for o in q.options}} for q in QUESTIONS],
        "problems": {p.key: {"answers": dict(p.answers), "source": p.source} for p in PROBLEMS},
        "columns": list(headings),
        "headings": dict(headings),
        "metrics": [_metric(entry, list(headings), asked) for entry in judged],
    }


def _option(option: Option) -> dict[str, Any]:
    needs = [{"any": [list(pair) for pair in need.alternatives], "because": need.because} for need in option.needs]
    return {"needs": needs, "advice": option.advice}


def _metric(entry: Entry, columns: list[str], asked: list[str]) -> dict[str, Any]:
    found = {key: entry.answers[key] for key in asked}
    told: dict[str, Any] = {
        "name": entry.address,
        "title": entry.title,
        "marks": "".join(entry.answers[key].mark for key in columns),
        "conditions": {key: answer.condition for key, answer in found.items() if answer.condition},
        "familiar": entry.metric.name in FAMILIAR,
        "loss": entry.metric.greater_is_better is False,
    }
    if told["familiar"]:
        told["also"] = FAMILIAR[entry.metric.name]
        told["told"] = {key: answer.sentence for key, answer in found.items()}
    return told
