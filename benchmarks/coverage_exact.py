"""What intervals for one proportion cover, added up over all tables: no simulation is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import binom

from symmetrics.statistics.proportions import Proportion, clopper_pearson, jeffreys, mid_p, shape_of, wilson

if TYPE_CHECKING:
    from coverage_study import Found, Setting

METHODS = {"Wilson": wilson, "Jeffreys": jeffreys, "mid-p": mid_p, "Clopper & Pearson": clopper_pearson}


def added_up() -> dict[str, dict[str, dict[str, Found]]]:
    """Return what each method covers in each setting, by metric, method and setting."""
    from coverage_study import BINARY, SETTINGS, metric_of

    shapes = {metric: shape_of(metric_of(metric).at_defaults()) for metric in BINARY}
    return {
        metric: {
            method: {setting.name: exact_coverage(setting, shape, method) for setting in SETTINGS} for method in METHODS
        }
        for metric, shape in shapes.items()
        if isinstance(shape, Proportion)
    }


def exact_coverage(setting: Setting, shape: Proportion, method: str) -> Found:
    """Return how often the interval of a proportion contains it, and lies above and below it.

    The number of its examples is random, as a part of all; tables rarer than 1e-10 are left out.
    """
    shares = setting.shares(2)
    successes, failures = (float(shares[list(places)].sum()) for places in (shape.successes, shape.failures))
    share = successes / (successes + failures)
    sizes = binom.pmf(np.arange(setting.number + 1), setting.number, min(successes + failures, 1.0))
    parts = []
    for size in np.flatnonzero(sizes > 1e-8):
        seen = np.arange(size + 1.0)
        weight = sizes[size] * binom.pmf(seen, size, share)
        parts.append(np.stack([seen, size - seen, weight])[:, weight > 1e-10])
    seen, rest, weight = np.concatenate(parts, axis=1)
    low, high = METHODS[method](seen, rest, 0.95)
    missed = {"above": low > share + 1e-12, "below": high < share - 1e-12}
    found = {side: float(f"{weight[where].sum():.6f}") for side, where in missed.items()}
    return {"inside": float(f"{1 - sum(found.values()):.6f}"), **found}
