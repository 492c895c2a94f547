"""Reductions of multi-class metrics are proved or refuted as expected, and every certificate is re-verified."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from effort import in_one_test
from sympy import Integer, Symbol

from symmetrics.checker import check
from symmetrics.claims import Identity
from symmetrics.claims.verdict import Verdict
from symmetrics.library import metrics
from symmetrics.matrices import multiclass
from symmetrics.matrices.deciding import REDUCTIONS, SIZES
from symmetrics.matrices.expansion import entry_symbols

BY_NAME = {reduction.name: reduction for reduction in REDUCTIONS}
# The accuracy of either of two classes against the other is the same, so that their weights do not matter.
HOLDS_ALL_THE_SAME = {
    f"{mean} permuted by (1 2) without its relevance, k=2" for mean in ("AvAcc", "one-vs-rest accuracy")
}


def expected_status(name: str) -> str:
    fails = " without its relevance" in name or " as " in name
    return "refuted" if fails and name not in HOLDS_ALL_THE_SAME else "proved"


@cache
def verdict_on(name: str) -> Verdict:
    return BY_NAME[name].decide()


@in_one_test
@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", BY_NAME)
def test_every_reduction_is_decided_and_its_certificate_re_verified(name: str) -> None:
    verdict = verdict_on(name)
    assert verdict.status == expected_status(name), verdict.evidence.sentence
    check(Verdict.from_json(verdict.to_json()))


def test_what_is_asked_for_is_among_them() -> None:
    assert len(BY_NAME) == len(REDUCTIONS)
    wanted = {f"{key} of two classes" for key in multiclass}
    for size in SIZES:
        wanted |= {f"micro {key}, k={size}" for key in ("recall", "precision", "f1")}
        wanted |= {
            f"{mean} at uniform relevance, k={size}" for mean in ("mean recall", "mean precision", "mean F1", "CBA")
        }
        cycle = f"({' '.join(map(str, range(1, size + 1)))})"
        for generator in {"(1 2)", cycle}:
            wanted |= {
                f"{key} permuted by {generator}, k={size}"
                for key, metric in multiclass.items()
                if key != "f_of_means" and not metric.orders_classes
            }
            wanted |= {
                f"{mean} permuted by {generator} with its relevance, k={size}"
                for mean in (
                    "mean recall",
                    "mean precision",
                    "CBA",
                    "AvAcc",
                    "one-vs-rest accuracy",
                    "logarithm of MAvG",
                )
            }
    assert wanted <= set(BY_NAME)


ORDERED = {key: metric.from_confusion for key, metric in multiclass.items() if metric.orders_classes}
VALUES: dict[str, Any] = {
    key: metric.from_confusion for key, metric in multiclass.items() if key not in {"f_of_means", *ORDERED}
} | {
    f"mean {name}": partial(metrics[key].from_confusion, average="macro")
    for name, key in (("recall", "recall"), ("precision", "precision"), ("F1", "f1"))
}
WEIGHED: dict[str, Any] = {
    "CBA": multiclass["cba"].from_confusion,
    "AvAcc": multiclass["av_acc"].from_confusion,
    "one-vs-rest accuracy": multiclass["one_vs_rest_accuracy"].from_confusion,
    "mean recall": metrics["recall"].from_confusion,
}


def sides_at(claim: Identity, matrix: Any, weights: Any) -> list[float]:
    """Return the values of both formulas of a claim."""
    symbols = [symbol for row in entry_symbols(len(matrix)) for symbol in row]
    place = {symbol: Integer(value) for symbol, value in zip(symbols, matrix.ravel().tolist(), strict=True)}
    place |= {Symbol(f"phi_{number}", real=True): Integer(weight) for number, weight in enumerate(weights.tolist(), 1)}
    return [float(side.xreplace(place)) for side in claim.sides]


@in_one_test
@pytest.mark.parametrize("name", ORDERED)
@pytest.mark.parametrize(("size", "cycles"), [(2, "(1 2)"), (3, "(1 3)"), (4, "(1 4)(2 3)")])
def test_claims_of_invariance_under_reversal_say_what_the_kernel_computes(name: str, size: int, cycles: str) -> None:
    matrix = np.random.default_rng(size).integers(1, 9, (size, size))
    left, right = sides_at(BY_NAME[f"{name} permuted by {cycles}, k={size}"].claim, matrix, np.ones(size, dtype=int))
    assert left == pytest.approx(ORDERED[name](matrix))
    assert right == pytest.approx(ORDERED[name](matrix[::-1, ::-1]))


@in_one_test
@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("size", SIZES)
def test_claims_of_invariance_say_what_the_kernel_computes(name: str, size: int) -> None:
    """The two sides are the metric at a matrix and at the matrix with its classes permuted."""
    random = np.random.default_rng(size)
    matrix, weights = random.integers(1, 9, (size, size)), random.permutation(size) + 1
    cycle = f"({' '.join(map(str, range(1, size + 1)))})"
    order = [*range(1, size), 0]
    moved = matrix[np.ix_(order, order)]
    left, right = sides_at(BY_NAME[f"{name} permuted by {cycle}, k={size}"].claim, matrix, weights)
    assert left == pytest.approx(VALUES[name](matrix))
    assert right == pytest.approx(VALUES[name](moved))
    if name in WEIGHED:
        with_weights = BY_NAME[f"{name} permuted by {cycle} with its relevance, k={size}"].claim
        left, right = sides_at(with_weights, matrix, weights)
        assert left == pytest.approx(WEIGHED[name](matrix, average=weights))
        assert right == pytest.approx(WEIGHED[name](moved, average=weights[order]))


@pytest.mark.parametrize("name", WEIGHED)
def test_claims_without_relevance_say_what_the_kernel_computes(name: str) -> None:
    matrix, weights = np.array([[7, 2, 1], [1, 5, 4], [2, 3, 9]]), np.array([1, 2, 3])
    moved = matrix[np.ix_([1, 0, 2], [1, 0, 2])]
    left, right = sides_at(BY_NAME[f"{name} permuted by (1 2) without its relevance, k=3"].claim, matrix, weights)
    assert left == pytest.approx(WEIGHED[name](matrix, average=weights))
    assert right == pytest.approx(WEIGHED[name](moved, average=weights))
    assert abs(left - right) > 1e-3


def test_a_claim_is_over_the_entries_and_weights_that_occur_in_it() -> None:
    claim = BY_NAME["mean recall permuted by (1 2) with its relevance, k=2"].claim
    assert claim.over == ("c_1_1", "c_1_2", "c_2_1", "c_2_2", "phi_1", "phi_2")
    assert BY_NAME["mcc of two classes"].claim.over == ("TP", "FN", "FP", "TN")
