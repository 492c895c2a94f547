"""Intervals by other packages, as their users get them, for the metrics that they have."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

Ends = tuple[np.ndarray, np.ndarray]
RESAMPLES = 999
"""Resamples of scipy's bootstrap, whose default is 9999."""


class Peer(NamedTuple):
    """A package: which metrics it has, how to ask it for tables of shape (m, entries), and how many at most."""

    metrics: tuple[str, ...]
    ends: Callable[[str, np.ndarray], Ends]
    most: int


def labels(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return true and predicted labels that make a table of TP, FN, FP, TN, or of three classes."""
    if table.size == 4:
        return np.repeat([1, 1, 0, 0], table), np.repeat([1, 0, 1, 0], table)
    return np.repeat(np.arange(9) // 3, table), np.repeat(np.arange(9) % 3, table)


def confidenceinterval(metric: str, tables: np.ndarray) -> Ends:
    """Return its default intervals: Wilson's, or Takahashi's for averages of F1 and precision."""
    import confidenceinterval as package

    ask = {
        "accuracy": lambda t, p: package.accuracy_score(t, p),
        "tpr": lambda t, p: package.tpr_score(t, p),
        "precision": lambda t, p: package.ppv_score(t, p),
        "f1": lambda t, p: package.f1_score(t, p, average="binary"),
        "macro_f1": lambda t, p: package.f1_score(t, p, average="macro"),
        "macro_precision": lambda t, p: package.precision_score(t, p, average="macro"),
    }[metric]
    found = []
    for table in tables:
        try:
            found.append(ask(*labels(table))[1])
        except (ValueError, ZeroDivisionError, IndexError):  # as where a class is missing
            found.append((np.nan, np.nan))
    return tuple(np.array(found, dtype=float).T)


def statsmodels(metric: str, tables: np.ndarray) -> Ends:
    """Return its default intervals: normal ones, and Newcombe's for a difference of proportions."""
    from statsmodels.stats.contingency_tables import Table2x2
    from statsmodels.stats.inter_rater import cohens_kappa
    from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

    tp, fn, fp, tn = tables.T
    shares = {"accuracy": (tp + tn, tp + fn + fp + tn), "tpr": (tp, tp + fn), "precision": (tp, tp + fp)}
    if metric in shares:
        return proportion_confint(*shares[metric])
    found = []
    for a, b, c, d in tables.tolist():
        if metric == "kappa":
            result = cohens_kappa([[a, b], [c, d]])
            found.append((result.kappa_low, result.kappa_upp))
        elif metric == "log_odds_ratio":
            found.append(Table2x2(np.array([[a, b], [c, d]])).log_oddsratio_confint())
        else:  # balanced accuracy is half of one more than the difference of the rates
            low, high = confint_proportions_2indep(a, a + b, c, c + d) if a + b and c + d else (np.nan, np.nan)
            found.append(((1 + low) / 2, (1 + high) / 2))
    return tuple(np.array(found, dtype=float).T)


def scipy(metric: str, tables: np.ndarray) -> Ends:
    """Return what scipy.stats.bootstrap finds from labels, by its default BCa."""
    from coverage_study import AVERAGES, metric_of
    from scipy.stats import bootstrap

    import symmetrics as sm

    def value(places: np.ndarray, axis: int = -1) -> np.ndarray:
        if metric in AVERAGES:
            counts = np.stack([(places == place).sum(axis=axis) for place in range(9)], axis=-1)
            return sm.metrics[AVERAGES[metric]].from_confusion(
                counts.reshape(*counts.shape[:-1], 3, 3), average="macro"
            )
        counts = [(places == place).sum(axis=axis) for place in range(4)]
        return metric_of(metric).from_counts(*counts)

    found = []
    for table in tables:
        places = np.repeat(np.arange(table.size, dtype=np.int8), table)
        result = bootstrap((places,), value, vectorized=True, n_resamples=RESAMPLES, rng=0).confidence_interval
        found.append((result.low, result.high))
    return tuple(np.array(found, dtype=float).T)


def quietly(ask: Callable[[str, np.ndarray], Ends]) -> Callable[[str, np.ndarray], Ends]:
    """Return the same function without what it warns of: divisions by zero, constant bootstraps."""

    def asked(metric: str, tables: np.ndarray) -> Ends:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return ask(metric, tables)

    return asked


KNOWN = {
    "confidenceinterval": Peer(
        ("accuracy", "tpr", "precision", "f1", "macro_f1", "macro_precision"), quietly(confidenceinterval), 200
    ),
    "statsmodels": Peer(
        ("accuracy", "tpr", "precision", "kappa", "auc_single", "log_odds_ratio"), quietly(statsmodels), 10_000
    ),
    "scipy": Peer(
        (
            *("accuracy", "tpr", "precision", "f1", "mcc", "kappa", "gmean", "auc_single", "jaccard", "iba_gmean"),
            *("log_odds_ratio", "own_quotient", "own_product", "macro_f1", "macro_precision"),
        ),
        quietly(scipy),
        60,
    ),
}
PEERS = {name: peer for name, peer in KNOWN.items() if find_spec(name) is not None}
"""The packages that are installed."""
