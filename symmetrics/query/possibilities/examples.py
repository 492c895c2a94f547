"""Formulas made to refute implications and exclusions between properties that no metric of the library refutes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["EXAMPLES", "Example"]


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
