"""How alike metrics rank tables: coefficients of the ranks that their values give."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["STATISTICS", "coefficient"]

FloatArray = NDArray[np.float64]
STATISTICS: Final = {
    "kendall": "Kendall's τ-b",
    "spearman": "Spearman's ρ",
    "pearson": "Pearson's coefficient",
}
"""What agreement is measured by."""


def coefficient(first: FloatArray, second: FloatArray, statistic: str) -> float:
    """Return how alike two metrics rank tables, or how linear one is in the other; nan if one of them is constant."""
    from scipy.stats import kendalltau, pearsonr, spearmanr

    both = np.isfinite(first) & np.isfinite(second) if statistic == "pearson" else ~(np.isnan(first) | np.isnan(second))
    x, y = (values[both] if statistic == "pearson" else ranks(values[both]) for values in (first, second))
    if len(x) < 2 or len(set(x.tolist())) < 2 or len(set(y.tolist())) < 2:
        return float("nan")
    functions: dict[str, Any] = {"kendall": kendalltau, "spearman": spearmanr, "pearson": pearsonr}
    return float(functions[statistic](x, y).statistic)


def ranks(values: FloatArray) -> FloatArray:
    """Return the places of values in their order, with what differs by rounding alone in one place."""
    order = np.argsort(values)
    rising = values[order]
    with np.errstate(invalid="ignore"):
        apart = np.diff(rising) > 1e-12 * np.maximum(np.abs(rising[1:]), 1e-3)
    apart |= np.isinf(rising[1:]) & (rising[1:] != rising[:-1]) | (
        np.isneginf(rising[:-1]) & (rising[1:] != rising[:-1])
    )
    found = np.empty(len(values))
    found[order] = np.concatenate([[0], np.cumsum(apart)])
    return found
