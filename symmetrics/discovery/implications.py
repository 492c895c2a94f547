"""All implications and exclusions between two properties: refuted by a metric, proved for a class of them, or open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from typing import Final

from symmetrics.claims.theorems.arguments import Argument
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, Theorem
from symmetrics.discovery.theorems import class_and_domain, consequences, derivation, follows
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.library import metrics, properties
from symmetrics.query.proving import prove
from symmetrics.query.recorded import recorded

# ----------------------------------------------------------------------------------------------------------------------
# Formulas made to refute implications and exclusions between properties that no metric of the library refutes.


@dataclass(frozen=True)
class Example:
    """A formula that is not constant, with what it has and what it has not.

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
