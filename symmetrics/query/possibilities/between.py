"""All implications and exclusions between two properties: refuted by a metric, proved for a class of them, or open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations

from symmetrics.claims.theorems.arguments import Argument
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, Theorem
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.library import metrics, properties
from symmetrics.query.possibilities.examples import EXAMPLES
from symmetrics.query.possibilities.reasons import class_and_domain, follows
from symmetrics.query.possibilities.theorems import consequences, derivation
from symmetrics.query.proving import prove
from symmetrics.query.recorded import recorded

__all__ = ["Between", "implications"]


@dataclass(frozen=True)
class Between:
    """What is known of "A implies B", or of "A and B exclude each other", among metrics that are not constant.

    :param premises: A alone, or A and B
    :param conclusion: B, or None if it is whether A and B exclude each other
    :param status: ``"refuted"``, ``"proved"`` (by theorems and arguments that the checker accepts) or ``"open"``
    :param metric: the key of a library metric, or the formula, that refutes it
    :param theorems: the theorems, each after those that it rests on
    :param arguments: the arguments, in order; none if theorems are enough
    """

    premises: tuple[str, ...]
    conclusion: str | None
    status: str
    metric: str | None = None
    theorems: tuple[Theorem, ...] = ()
    arguments: tuple[Argument, ...] = ()

    @property
    def kind(self) -> str:
        """The class of metrics for which it is proved: the narrowest that an argument needs."""
        return class_and_domain(self.arguments)[0]

    @property
    def domain(self) -> str:
        """The domain on which it is proved: the largest that an argument needs."""
        return class_and_domain(self.arguments)[1]


@lru_cache(maxsize=1)
def _profiles() -> dict[str, dict[str, bool | None]]:
    """Return what is decided of each metric of the library that is not constant, and of each example."""
    profiles: dict[str, dict[str, bool | None]] = {}
    for name, metric in metrics.items():
        if not metric.expr.free_symbols.isdisjoint(CELLS):
            verdicts = ((key, recorded(metric, property)) for key, property in properties.items())
            profiles[name] = {key: verdict.holds for key, verdict in verdicts if verdict is not None}
    for example in EXAMPLES:
        formula = parse_formula(example.formula)
        profiles[example.formula] = {key: prove(formula, key).holds for key in (*example.has, *example.lacks)}
    return profiles


@lru_cache(maxsize=1)
def implications() -> tuple[Between, ...]:
    """Return what is known of each implication and of each exclusion between two properties of the library.

    A metric that refutes one is not constant, so that "A, and not constant, implies B" is refuted with "A implies B".
    Verdicts on metrics of the library are read from their certificates; those on examples are decided.

    It takes some seconds, once.
    """
    refuted: dict[tuple[tuple[str, ...], str | None], str] = {}
    for name, holds in _profiles().items():
        has = [key for key in properties if holds.get(key) is True]
        lacks = [key for key in properties if holds.get(key) is False]
        for questions in (((a,), b) for a in has for b in lacks), ((pair, None) for pair in combinations(has, 2)):
            for question in questions:
                refuted.setdefault(question, name)
    pairs = permutations(properties, 2)
    questions_of_all = [((a,), b) for a, b in pairs] + [(pair, None) for pair in combinations(properties, 2)]
    return tuple(_known(premises, conclusion, refuted) for premises, conclusion in questions_of_all)


def _known(
    premises: tuple[str, ...], conclusion: str | None, refuted: Mapping[tuple[tuple[str, ...], str | None], str]
) -> Between:
    if metric := refuted.get((premises, conclusion)):
        return Between(premises, conclusion, "refuted", metric)
    goals = {conclusion, CONSTANT, IMPOSSIBLE} if conclusion else {CONSTANT, IMPOSSIBLE}
    if reached := sorted(goals & consequences(premises)[0], key=str):
        return Between(premises, conclusion, "proved", theorems=derivation(premises, str(reached[0])))
    steps = follows(premises, (conclusion,) if conclusion else (CONSTANT, IMPOSSIBLE))
    if steps is None:
        return Between(premises, conclusion, "open")
    theorems = tuple(step for step in steps if isinstance(step, Theorem))
    further = tuple(step for step in steps if isinstance(step, Argument))
    return Between(premises, conclusion, "proved", theorems=theorems, arguments=further)
