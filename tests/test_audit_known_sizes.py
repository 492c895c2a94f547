"""The search over tables of known class sizes: where scores rise and fall, and all tables one by one."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from effort import is_thorough
from sympy import sqrt

import symmetrics as sm
from symmetrics.auditing.monotone import can_search, directions
from symmetrics.auditing.reported import Reported
from symmetrics.auditing.search import Score, Search, Sizes, tables_in
from symmetrics.language.cells import FN, FP, TN, TP

KNOWN = [name for name, metric in sm.metrics.items() if directions(metric.value_formula) is not None]


def grid(positives: int, negatives: int) -> Any:
    """All tables, of shape (positives + 1, negatives + 1, 4)."""
    tp, tn = np.meshgrid(np.arange(positives + 1), np.arange(negatives + 1), indexing="ij")
    return np.stack([tp, positives - tp, negatives - tn, tn], axis=-1)


def test_the_common_metrics_are_among_those_that_rise_and_fall() -> None:
    common = {"accuracy", "tpr", "tnr", "precision", "npv", "f1", "mcc", "kappa", "gmean", "jaccard", "fowlkes_mallows"}
    assert common <= set(KNOWN)
    assert len(KNOWN) > 100


@pytest.mark.parametrize("name", KNOWN)
def test_a_score_rises_and_falls_as_is_said(name: str) -> None:
    metric = sm.metrics[name]
    by_tp, by_tn = directions(metric.value_formula) or (0, 0)
    for positives, negatives in ((9, 9), (3, 14), (14, 3), (40, 90)):
        values = metric.from_counts(grid(positives, negatives).astype(float)[1:-1, 1:-1])
        assert np.isfinite(values).all()
        for sign, steps in ((by_tp, np.diff(values, axis=0)), (by_tn, np.diff(values, axis=1))):
            slack = 1e-12 * (1 + np.abs(values).max())
            assert (steps * sign >= -slack).all() if sign else (np.abs(steps) <= slack).all()


def test_a_negative_divisor_turns_the_direction() -> None:
    assert directions(TP / (-FP - TN)) == (-1, 0)
    assert directions(FN / (-FN - TP - FP) ** 3) == (1, -1)


@pytest.mark.parametrize(
    "formula",
    [
        (TP - FN) ** 2,
        TP / (FP - FN),
        sqrt(TP - FN),
        (TP * FN) / (FP + TN),
        TP + sqrt(TN),
        abs(TP - FN),
        TP**TN,
        1 / (TP - FN) ** 2,
        (TP - FN) ** 3 / TN,
    ],
    ids=str,
)
def test_nothing_is_said_of_formulas_that_turn_or_have_poles(formula: Any) -> None:
    assert directions(formula) is None


@pytest.mark.parametrize("few", [20_000, 0], ids=["edges one by one", "edges by intervals"])
@pytest.mark.parametrize("seed", range(400 if is_thorough() else 40))
def test_all_tables_of_known_sizes_are_found(seed: int, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symmetrics.auditing.monotone.FEW", few)
    drawn = random.Random(seed)
    names = drawn.sample(KNOWN, drawn.randint(1, 3))
    positives, negatives = drawn.choice([(0, 5), (1, 9), (2, 2), (7, 12), (30, 4), (25, 40)])
    tables = grid(positives, negatives).reshape(-1, 4)
    true = drawn.choice(tables.tolist())
    scores = []
    for name in names:
        value = float(sm.metrics[name].from_counts(*true))
        value = value if np.isfinite(value) else 0.5
        value += drawn.choice([0, 0, 0.05])
        text = drawn.choice([f"{value:.2f}", f"{value:.3f}", f">= {value:.1f}" if value >= 0 else f"{value:.1f}"])
        scores.append(Score(name, sm.metrics[name], Reported.of(text)))
    assert can_search(scores)
    total = positives + negatives
    sizes = Sizes((total, total), (positives, positives), (negatives, negatives))
    found = [table for boxes in Search(scores, sizes).boxes() for table in tables_in(boxes)]
    assert len(set(found)) == len(found)
    agreeing = [table for table in map(tuple, tables.tolist()) if all(one.agrees_exactly(table) for one in scores)]
    assert sorted(found) == sorted(agreeing)
