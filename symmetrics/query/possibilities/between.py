"""All implications and exclusions between two properties: refuted by a metric, argued for every metric, or open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations

from symmetrics.claims.theorems.implications import IMPOSSIBLE, Theorem
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.library import metrics, properties
from symmetrics.query.possibilities.arguments import ARGUMENTS, CLASSES, CONSTANT, CONTRADICTION, DOMAINS, Argument
from symmetrics.query.possibilities.examples import EXAMPLES
from symmetrics.query.possibilities.theorems import consequences, derivation
from symmetrics.query.proving import prove
from symmetrics.query.recorded import recorded

__all__ = ["Between", "follows", "implications"]


@dataclass(frozen=True)
class Between:
    """What is known of "A implies B", or of "A and B exclude each other", among metrics that are not constant.

    :param premises: A alone, or A and B
    :param conclusion: B, or None if it is whether A and B exclude each other
    :param status: ``"refuted"``, ``"proved"`` (by theorems that the checker accepts), ``"argued"`` (by written
        arguments that no machine has followed) or ``"open"``
    :param metric: the key of a library metric, or the formula, that refutes it
    :param theorems: the theorems, each after those that it rests on
    :param arguments: the arguments, in order; what they rest on besides stands in the theorems
    """

    premises: tuple[str, ...]
    conclusion: str | None
    status: str
    metric: str | None = None
    theorems: tuple[Theorem, ...] = ()
    arguments: tuple[Argument, ...] = ()

    @property
    def kind(self) -> str:
        """The class of metrics for which it is argued: the narrowest that an argument needs."""
        return max((argument.kind for argument in self.arguments), key=CLASSES.index, default=CLASSES[0])

    @property
    def domain(self) -> str:
        """The domain on which it is argued: the largest that an argument needs."""
        return max((argument.domain for argument in self.arguments), key=DOMAINS.index, default=DOMAINS[0])


def follows(premises: Iterable[str], conclusions: Iterable[str]) -> tuple[Argument | Theorem, ...] | None:
    """Return steps by which one of some conclusions follows from premises, None if there are none.

    Theorems are steps, too.  Arguments for wider classes of metrics are taken first.

    >>> [str(step.conclusion) for step in follows(["decomposable"], ["scaling_space"])]
    ['homogeneous', 'scaling_space']
    """
    wanted = set(conclusions)
    for kind, domain in ((k, d) for k in range(len(CLASSES)) for d in range(len(DOMAINS))):
        usable = [a for a in ARGUMENTS if CLASSES.index(a.kind) <= kind and DOMAINS.index(a.domain) <= domain]
        by: dict[str, Argument | Theorem | None] = dict.fromkeys(premises)
        while True:
            for theorem in consequences(by)[1]:
                by.setdefault(theorem.conclusion, theorem)
            new = next((a for a in usable if a.conclusion not in by and by.keys() >= set(a.premises)), None)
            if new is None:
                break
            by[new.conclusion] = new
        if reached := [key for key in by if key in wanted]:
            return _needed(reached[0], by)
    return None


def _needed(conclusion: str, by: Mapping[str, Argument | Theorem | None]) -> tuple[Argument | Theorem, ...]:
    step = by[conclusion]
    if step is None:
        return ()
    before = [other for premise in step.premises for other in _needed(premise, by)]
    return tuple(dict.fromkeys((*before, step)))


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
    steps = follows(premises, (conclusion,) if conclusion else (CONSTANT, CONTRADICTION))
    if steps is None:
        return Between(premises, conclusion, "open")
    theorems = tuple(step for step in steps if isinstance(step, Theorem))
    arguments = tuple(step for step in steps if isinstance(step, Argument))
    return Between(premises, conclusion, "argued", theorems=theorems, arguments=arguments)
