"""Which metrics of the library share the properties of a metric: its concept, and those directly above."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from symmetrics.claims.verdict import Verdict
from symmetrics.library import metrics, properties
from symmetrics.metric import Metric
from symmetrics.query.recorded import recorded
from symmetrics.tools.documents import Code, Entries, Entry, Paragraph, Section, Text
from symmetrics.tools.words import number_of

__all__ = ["concept_sections"]

CORE: Final = (
    *("p1", "p2", "p3", "p4", "p5", "transpose"),
    *("homogeneous", "monotone", "independence_value", "actual_scaling"),
)
"""Ten properties of which all combinations are decided: see the guide to what is possible."""
MOST: Final = 8
"""So many metrics are named, the simplest; the others are counted."""
Profile = frozenset[str]


def concept_sections(metric: Metric, verdicts: Mapping[str, Verdict]) -> Iterator[Section]:
    """Yield the section on the metrics that share ten properties of a metric (formal concept analysis, Wille 1982).

    :param verdicts: on the metric, by property; there is no section if one of the ten is open
    """
    if any(verdicts[key].holds is None for key in CORE):
        return
    own = frozenset(key for key in CORE if verdicts[key].holds)
    others = {name: profile for name, profile in _profiles().items() if name != metric.name}
    below = [own & profile for profile in others.values() if not profile >= own]
    above = {profile for profile in below if not any(profile < other for other in below)}
    alike = [name for name, profile in others.items() if profile == own]
    more = [name for name, profile in others.items() if profile > own]
    entries = [Entry(("Metrics with just the same: ", *_named(alike)))]
    if more:
        entries.append(Entry(("Metrics with all of these and more: ", *_named(more))))
    for profile in sorted(above, key=lambda one: (-len(one), sorted(one))):
        sharing = [name for name, other in others.items() if own & other == profile]
        entries.append(Entry(("Shares ", *_said(profile), " with: ", *_named(sharing))))
    told = Paragraph((f"Of {number_of(len(CORE), 'property')} (", *_codes(CORE), ") it has ", *_said(own), "."))
    yield Section("concept", "Which metrics share its properties", (told, Entries(tuple(entries))))


@cache
def _profiles() -> dict[str, Profile]:
    """Return which of the ten properties metrics of the library have, at their defaults, where all are decided."""
    found: dict[str, Profile] = {}
    for metric in sorted(metrics.values(), key=lambda one: one.expr.count_ops()):
        answers = {key: recorded(metric, properties[key]) for key in CORE}
        holds = {key: verdict.holds for key, verdict in answers.items() if verdict is not None}
        if len(holds) == len(CORE) and None not in holds.values():
            found[metric.name] = frozenset(key for key in CORE if holds[key])
    return found


def _said(profile: Profile) -> Text:
    return _codes([key for key in CORE if key in profile]) if profile else ("none of these",)


def _codes(keys: Sequence[str]) -> Text:
    parts = [part for key in keys for part in (", ", Code(key))]
    return tuple(parts[1:])


def _named(names: Sequence[str]) -> Text:
    if not names:
        return ("no other metric of the library.",)
    shown = ", ".join(metrics[name].title or name for name in names[:MOST])
    return (shown + (f", and {len(names) - MOST} more." if len(names) > MOST else "."),)
