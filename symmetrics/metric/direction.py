"""Direction of a metric: whether larger is better, decided by proof.

Two laws settle it, each proved and verified by other code:

- a prediction that is corrected, FN becoming TP or FP becoming TN, never lowers the metric, and sometimes raises it;
- the metric is largest exactly where all predictions are right.

The same laws of -M make M a loss.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from sympy import Expr

from symmetrics.claims import Claim, Inequality, LargestAtAgreement, value_symbol
from symmetrics.claims.property import other
from symmetrics.data.counts import Cells
from symmetrics.language.cells import FN, FP, TN, TP, Table
from symmetrics.numeric.compiled import evaluate

if TYPE_CHECKING:
    from symmetrics.language.definition import Definition


_T: Final = other("t")
_RISE: Final = value_symbol(1) - value_symbol(0)
_CORRECTIONS: Final[tuple[tuple[Table, Table], ...]] = (
    ((TP, FN + _T, FP, TN), (TP + _T, FN, FP, TN)),
    ((TP, FN, FP + _T, TN), (TP, FN, FP, TN + _T)),
)
"""A table, and the same table after some predictions were corrected."""


def greater_is_better(metric: Definition) -> bool | None:
    """Return whether larger values are better, at the default parameters; None if neither law is decided.

    >>> from symmetrics.library import metrics
    >>> [greater_is_better(metrics[key]) for key in ("mcc", "fpr", "optimized_precision", "prevalence")]
    [True, False, True, None]
    """
    return _decided(metric.name, metric.at_defaults())


@lru_cache(maxsize=512)
def _decided(name: str, formula: Expr) -> bool | None:
    rises, falls = _seen(formula)
    if rises != falls:
        sign = 1 if rises else -1
        if all(_holds(Inequality(formula, (), pair, (_T,), sign * _RISE), name) for pair in _CORRECTIONS):
            return rises
    for is_better in (True, False):
        if _holds(LargestAtAgreement(formula if is_better else -formula, ()), name):
            return is_better
    return None


def _holds(claim: Claim, name: str) -> bool:
    from symmetrics.prover.acceptance import decide_and_check

    return decide_and_check(claim, metric=name, property="direction").status == "proved"


def _seen(formula: Expr) -> tuple[bool, bool]:
    """Whether corrections raise, and whether they lower, a formula at some sample tables.

    What was seen only says what to prove: a metric that moves both ways has no direction by the first law, and one that
    does not move has none at all.
    """
    cells = np.random.default_rng(1).integers(2, 40, (4, 64)).astype(np.float64)
    before = evaluate(formula, Cells(*cells))
    changes = []
    for gain, loss in ((0, 1), (3, 2)):
        corrected = cells.copy()
        corrected[gain] += 1
        corrected[loss] -= 1
        changes.append(evaluate(formula, Cells(*corrected)) - before)
    change = np.concatenate(changes)
    return bool((change > _VISIBLE).any()), bool((change < -_VISIBLE).any())


_VISIBLE: Final = 1e-9
"""Relative changes below this may be rounding errors; the proof decides them."""
