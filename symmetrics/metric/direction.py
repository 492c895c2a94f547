"""Direction of a metric: whether larger is better, decided by proof.

Two laws settle it, each proved and verified by other code:

- a prediction that is corrected, FN becoming TP or FP becoming TN, never lowers the metric, and sometimes raises it;
- the metric is largest exactly where all predictions are right.

The same laws of -M make M a loss.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from sympy import Expr

from symmetrics.claims import Claim, Identity, Inequality, LargestAtAgreement, value_symbol
from symmetrics.claims.property import other
from symmetrics.data.counts import Cells
from symmetrics.language.cells import FN, FP, TN, TP, Table
from symmetrics.language.definition import Definition
from symmetrics.numeric.compiled import evaluate

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
    signs = set(corrections(name, formula))
    if None not in signs and signs not in ({0}, {1, -1}):
        return 1 in signs
    for is_better in (True, False):
        if _holds(LargestAtAgreement(formula if is_better else -formula, ()), name):
            return is_better
    return None


@lru_cache(maxsize=512)
def corrections(name: str, formula: Expr) -> tuple[int | None, int | None]:
    """Return whether a metric rises (1), falls (-1) or stays (0) where an FN becomes TP, and where an FP becomes TN.

    At tables of positive cells, and not strictly: a metric that rises may stay somewhere.  None if it is not proved.

    >>> corrections("precision", TP / (TP + FP)), corrections("fnr", FN / (TP + FN)), corrections("own", (TP - FN) ** 2)
    ((1, 1), (-1, 0), (None, 0))
    """
    first, second = (_sign(name, formula, place) for place in range(len(_CORRECTIONS)))
    return first, second


def _sign(name: str, formula: Expr, place: int) -> int | None:
    rises, falls = _seen(formula, place)
    pair = _CORRECTIONS[place]
    if not rises and not falls:
        return 0 if _holds(Identity.between(pair, (_T,), _RISE)(Definition(name, formula)), name) else None
    sign = 1 if rises else -1
    claim = Inequality(formula, (), pair, (_T,), sign * _RISE)
    return sign if rises != falls and _holds(claim, name) else None


def _holds(claim: Claim, name: str) -> bool:
    from symmetrics.prover.acceptance import decide_and_check

    return decide_and_check(claim, metric=name, property="direction").status == "proved"


def _seen(formula: Expr, place: int) -> tuple[bool, bool]:
    """Whether a correction raises, and whether it lowers, a formula at some sample tables.

    What was seen only says what to prove: a metric that moves both ways has no direction.
    """
    cells = np.random.default_rng(1).integers(2, 40, (4, 64)).astype(np.float64)
    corrected = cells.copy()
    gain, loss = _MOVED[place]
    corrected[gain] += 1
    corrected[loss] -= 1
    change = evaluate(formula, Cells(*corrected)) - evaluate(formula, Cells(*cells))
    return bool((change > _VISIBLE).any()), bool((change < -_VISIBLE).any())


_MOVED: Final = ((0, 1), (3, 2))
"""The places of the cells that each correction adds to and takes from."""
_VISIBLE: Final = 1e-9
"""Relative changes below this may be rounding errors; the proof decides them."""
