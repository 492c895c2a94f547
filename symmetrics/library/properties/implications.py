"""Implications between properties: one record each.  They decide nothing; they serve to contradict the prover."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Implication:
    """Every metric with all of some properties has another one, or lacks it.

    :param premises: the keys of the properties that are given
    :param conclusion: the key of the property that follows
    :param holds: whether it follows that the conclusion holds, or that it does not
    :param reason: why
    """

    premises: tuple[str, ...]
    conclusion: str
    reason: str
    holds: bool = True

    def __str__(self) -> str:
        return f"{' and '.join(self.premises)} -> {'' if self.holds else 'not '}{self.conclusion}: {self.reason}"


_EACH: Final = ("increasing_tp", "increasing_tn", "decreasing_fn", "decreasing_fp")

IMPLICATIONS: Final = (
    *(Implication(("strongly_monotone",), part, "it is one of the four") for part in _EACH),
    Implication(_EACH, "strongly_monotone", "these are the four"),
    Implication(("strongly_monotone",), "monotone", "a correction raises one cell and lowers another"),
    Implication(("strongly_monotone",), "margins_decrease", "FN or FP grows while TN falls"),
    Implication(("increasing_tp", "decreasing_fn", "increasing_tn", "decreasing_fp"), "monotone", "step by step"),
    Implication(("monotone",), "agreement_increases", "both corrections, one after the other"),
    Implication(("p2",), "increasing_tn", "M does not move with TN", holds=False),
    Implication(("p3",), "decreasing_fp", "M does not move with FP", holds=False),
    Implication(("p4",), "increasing_tp", "M does not move with TP", holds=False),
    Implication(("p5",), "decreasing_fn", "M does not move with FN", holds=False),
    Implication(("scaling",), "predicted_scaling", "it is one of the two"),
    Implication(("scaling",), "actual_scaling", "it is one of the two"),
    Implication(("predicted_scaling", "actual_scaling"), "scaling", "these are the two"),
    Implication(("predicted_scaling",), "homogeneous", "equal factors"),
    Implication(("actual_scaling",), "homogeneous", "equal factors"),
    Implication(("actual_scaling",), "no_imbalance_bias", "balancing the classes is a scaling of the actual classes"),
    Implication(("scaling",), "independence_value", "every independent table is a scaled uniform one"),
    Implication(("homogeneous", "no_imbalance_bias"), "actual_scaling", "both tables balance to one"),
    Implication(("p1", "increasing_tp"), "increasing_tn", "the exchange turns TP into TN"),
    Implication(("p1", "decreasing_fn"), "decreasing_fp", "the exchange turns FN into FP"),
    Implication(("transpose", "decreasing_fn"), "decreasing_fp", "the exchange turns FN into FP"),
    Implication(("p1", "p2"), "p4", "the exchange turns TN into TP"),
)
