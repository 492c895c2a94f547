"""The tracked theorems, and their consequences.

The file is written by :func:`write_theorems`; each theorem is verified again by the checker when it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, permutations
from pathlib import Path
from typing import Final

from tqdm import tqdm

from symmetrics.checker.theorems.implications import check_implication
from symmetrics.claims.theorems.arguments import CLASSES, DOMAINS, Argument
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, Theorem, goal_of, sufficient_laws
from symmetrics.claims.theorems.laws import Law, laws_of
from symmetrics.discovery.arguments import arguments
from symmetrics.language.cells import CELLS, TP
from symmetrics.language.definition import Definition
from symmetrics.language.formula import parse_formula
from symmetrics.library import metrics, properties
from symmetrics.prover.theorems.finding import Finder
from symmetrics.query.proving import prove, recorded
from symmetrics.tools.errors import CertificateError

FILE: Final = Path(__file__).with_name("theorems.json")


@cache
def laws() -> dict[str, tuple[Law, ...]]:
    """Return the laws of each property that relate M's values at two tables.

    >>> len(laws()["scaling"])
    2
    """
    anything = Definition("any", TP)
    found = {key: laws_of(record.claim(anything)) for key, record in properties.items()}
    return {key: each for key, each in found.items() if each}


@cache
def sufficient() -> dict[str, tuple[Law, ...]]:
    """Return, for properties that ask for some direction, exchange or limit, the laws any one of which suffices.

    >>> sorted(sufficient())
    ['prevalence_limit', 'scaling_space', 'symmetry_group', 'tn_limit', 'translation_space']
    """
    anything = Definition("any", TP)
    found = {key: sufficient_laws(key, record.claim(anything)) for key, record in properties.items()}
    return {key: each for key, each in found.items() if each}


@cache
def goals() -> dict[str, tuple[Law, ...]]:
    """Return the possible conclusions of theorems: the laws of properties, and alternatives that suffice for one."""
    singly = {goal_of(key, law.label): (law,) for key, each in sufficient().items() for law in each}
    return laws() | singly


def theorems() -> tuple[Theorem, ...]:
    """Return the tracked theorems: implications between properties, and exclusions.

    A theorem is about every function that has a real value at each table of positive cells, continuous or not.  Its
    premises are minimal, and its proof a walk from table to table on which each step is a law of a premise; the
    checker has gone each of them.

    :raises CertificateError: if the file of theorems was altered so that one of them is not proved

    >>> [str(t) for t in theorems() if set(t.premises) == {"p2", "increasing_tn"}]
    ['no metric has p2 and increasing_tn']
    """
    return tuple(verify(theorem) for theorem in _stored())


@cache
def verify(theorem: Theorem) -> Theorem:
    """Return a theorem whose proof the checker accepts.

    :raises CertificateError: if it does not
    """
    unknown = {*theorem.premises} - laws().keys() | {theorem.goal} - {CONSTANT, IMPOSSIBLE} - goals().keys()
    if unknown:
        raise CertificateError(f"a theorem is about {', '.join(sorted(unknown))}, of which no law is known")
    check_implication(theorem, {key: laws()[key] for key in theorem.premises}, goals().get(theorem.goal, ()))
    return theorem


@cache
def _stored() -> tuple[Theorem, ...]:
    return tuple(map(Theorem.from_dict, json.loads(FILE.read_text(encoding="utf-8"))))


def premises_and_conclusions() -> tuple[tuple[tuple[str, ...], str], ...]:
    """Return the statements of the theorems, without proofs."""
    return tuple((theorem.premises, theorem.conclusion) for theorem in _stored())


def consequences(required: Iterable[str]) -> tuple[frozenset[str], tuple[Theorem, ...]]:
    """Return all consequences of some properties, "constant" and "impossible" included, with the theorems used.

    >>> follows, by = consequences(["monotone", "p1"])
    >>> sorted(follows)
    ['agreement_increases', 'monotone', 'p1', 'symmetry_group']
    >>> sorted(map(str, by))[1]
    'a metric with p1 has symmetry_group by TN, FP, FN, TP'
    """
    known, used = set(required), list[Theorem]()
    while True:
        new = [t for t in _stored() if t.conclusion not in known and known >= set(t.premises)]
        if not new:
            return frozenset(known), tuple(verify(theorem) for theorem in used)
        theorem = min(new, key=lambda t: (len(t.premises), t.length))
        known.add(theorem.conclusion)
        used.append(theorem)


def derivation(required: Iterable[str], goal: str) -> tuple[Theorem, ...]:
    """Return the theorems that lead from some properties to a conclusion, in order of dependence."""
    _, used = consequences(required)
    by = {theorem.conclusion: theorem for theorem in used}
    needed: list[Theorem] = []
    waiting = [goal]
    while waiting:
        theorem = by.get(waiting.pop())
        if theorem is not None and theorem not in needed:
            needed.append(theorem)
            waiting += theorem.premises
    return tuple(theorem for theorem in used if theorem in needed)


def write_theorems(file: Path = FILE) -> int:
    """Find all theorems again, verify them and write them, one per line; return their number."""
    found = [
        verify(theorem)
        for theorem in tqdm(Finder(laws(), sufficient()).find(), desc="theorems", disable=None, leave=False)
    ]
    lines = ",\n".join(json.dumps(theorem.to_dict(), separators=(",", ":")) for theorem in found)
    file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return len(found)


# -- Derivations: theorems and arguments, one after the other ----------------------------------------------------------


_KINDS: Final = {"arbitrary": "", "continuous": " for continuous metrics", "tame": " for metrics without oscillation"}
_DOMAINS: Final = {"open": "", "closed": ", where cells are 0 too", "whole": " on tables of whole numbers"}
_WITH_VALUES: Final = {
    "open": "",
    "closed": "This is about metrics with a value at all tables of cells >= 0 but the empty one, continuous there.",
    "whole": "This is about metrics with a value at all tables of whole numbers with positive margins, also where "
    "cells are 0, and about these tables alone: a metric with a pole there, as at TP = 0, is none of them.",
}


def follows(premises: Iterable[str], conclusions: Iterable[str]) -> tuple[Argument | Theorem, ...] | None:
    """Return steps by which one of some conclusions follows from premises, None if there are none.

    Theorems are steps, too.  Arguments for wider classes of metrics are taken first.

    >>> [str(step.conclusion) for step in follows(["decomposable"], ["scaling_space"])]
    ['homogeneous', 'scaling_space']
    """
    wanted = set(conclusions)
    for kind, domain in ((k, d) for k in range(len(CLASSES)) for d in range(len(DOMAINS))):
        usable = [a for a in arguments() if CLASSES.index(a.kind) <= kind and DOMAINS.index(a.domain) <= domain]
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


def class_and_domain(steps: Iterable[Argument | Theorem]) -> tuple[str, str]:
    """Return class of metrics and domain for which some steps hold jointly: narrowest class, largest domain.

    >>> class_and_domain(follows(["scaling", "defined"], ["constant"]))
    ('continuous', 'closed')
    """
    needed = [step for step in steps if isinstance(step, Argument)]
    kind = max((argument.kind for argument in needed), key=CLASSES.index, default=CLASSES[0])
    return kind, max((argument.domain for argument in needed), key=DOMAINS.index, default=DOMAINS[0])


def scope_of(known: tuple[str, str]) -> str:
    """Say for which metrics, and where, a result holds; empty if for all.

    >>> scope_of(("continuous", "closed")), scope_of(("arbitrary", "open"))
    (' for continuous metrics, where cells are 0 too', '')
    """
    kind, domain = known
    return _KINDS[kind] + _DOMAINS[domain]


def domain_in_words(known: tuple[str, str]) -> str:
    """Say at which tables a metric has to be defined; empty if only at positive ones.

    >>> domain_in_words(("continuous", "closed"))
    'This is about metrics with a value at all tables of cells >= 0 but the empty one, continuous there.'
    """
    return _WITH_VALUES[known[1]]


# ----------------------------------------------------------------------------------------------------------------------
# Implications and exclusions between pairs of properties: proved, refuted by a metric, or open.


# ----------------------------------------------------------------------------------------------------------------------
# Formulas that refute implications and exclusions which no metric of the library refutes.


@dataclass(frozen=True)
class Example:
    """A non-constant formula, with the properties that it has and lacks.

    It refutes "A implies B" for each A that it has and each B that it has not, and "A and B exclude each other" for
    any two that it has.

    :param name: a name for it
    :param formula: the formula over TP, FN, FP, TN
    :param has: the keys of properties that it has
    :param lacks: the keys of properties that it has not
    """

    name: str
    formula: str
    has: tuple[str, ...]
    lacks: tuple[str, ...] = ()


EXAMPLES: Final = (
    Example("true positives", "TP", ("p3", "p5", "defined"), ("homogeneous", "range")),
    Example("inverse of true positives", "1/TP", ("p3",), ("prevalence_limit",)),
    Example("inverse of false negatives", "1/FN", ("p4",), ("prevalence_limit",)),
    Example("true negatives", "TN", ("p3", "p4", "p5"), ("tn_limit",)),
    Example("product of right predictions", "TP*TN", ("p3", "p5", "p1", "transpose"), ("decomposable",)),
    Example("right predictions", "TP + TN", ("min_agreement", "p3", "p5")),
    Example("weights without FP", "TP + 2*FN + 5*TN", ("p3", "defined"), ("symmetry_group",)),
    Example("weights without TP", "FN + 2*FP + 5*TN", ("p4",), ("symmetry_group",)),
    Example("weights without FN", "TP + 2*FP + 5*TN", ("p5",), ("symmetry_group",)),
    Example(
        "number of examples", "TP + FN + FP + TN", ("defined", "no_imbalance_bias"), ("actual_scaling", "homogeneous")
    ),
    Example(
        "recall and number of examples",
        "TP/(TP + FN) + TP + FN + FP + TN",
        ("no_imbalance_bias",),
        ("scaling_space",),
    ),
    Example(
        "determinant by product",
        "(TP*TN - FN*FP)/(TP*FN*FP*TN)",
        ("antisymmetric", "independence_value"),
        ("prevalence_limit",),
    ),
    Example(
        "determinant by margins",
        "(TP*TN - FN*FP)/((TP + FN)**2*(TP + FP))",
        ("constant_baseline",),
        ("prevalence_limit", "symmetry_group"),
    ),
    Example(
        "variance of the determinant",
        "(TP + FN + FP + TN - 1)*(TP*TN - FN*FP)**2 - (TP + FN)*(FP + TN)*(TP + FP)*(FN + TN)",
        ("constant_baseline",),
        ("independence_value",),
    ),
    Example("true negatives by positives", "TN/(TP + FN)", ("margins_decrease",), ("prevalence_limit",)),
    Example("errors by true negatives", "-(FN + FP)*(1 + TN)", ("max_agreement",), ("tn_limit",)),
    Example("right predictions by misses", "(TP + TN)*(1 + FN)", ("min_agreement",), ("agreement_increases",)),
    Example("two odds", "TP/FP + 2*FN/TN", ("predicted_scaling",), ("symmetry_group",)),
    Example("rise without bound", "TN - FN - FP - 1/TP", ("strongly_monotone",), ("prevalence_limit",)),
)


# ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Between:
    """Status of "A implies B", or of "A and B exclude each other", among non-constant metrics.

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
    """Return the decided properties of each non-constant metric of the library, and of each example."""
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
    """Return the status of each implication and exclusion between two properties of the library.

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
