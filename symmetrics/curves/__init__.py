"""Curves of a score under all its thresholds: ROC, the areas under them, their costs; no record of the library is known
here.

>>> from symmetrics.curves import auc, roc_curve
>>> y_true, y_score = [0, 0, 1, 1, 0, 1], [0.1, 0.3, 0.35, 0.8, 0.35, 0.6]
>>> roc_curve(y_true, y_score).tp.tolist(), auc(y_true, y_score)
([0.0, 1.0, 2.0, 3.0, 3.0, 3.0], 0.9444444444444444)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from symmetrics.tools.arguments import loaded_from

if TYPE_CHECKING:
    from symmetrics.curves.bands import RocBand, roc_band
    from symmetrics.curves.geometry import area, auc, convex_hull, gini, kolmogorov_smirnov, partial_auc
    from symmetrics.curves.histograms import ScoreHistogram, score_histogram
    from symmetrics.curves.hmeasure import BetaCosts, ImpliedCosts, auc_cost_weights, b42, h_from_rates, h_measure
    from symmetrics.curves.hmeasure_proofs import h_at_point, h_formula, h_proof, h_proof_names, h_proofs
    from symmetrics.curves.multiclass import (
        DetCurve,
        average_precision,
        det_curve,
        hand_till,
        one_vs_rest_auc,
        one_vs_rest_curves,
        roc_auc,
        top_k_accuracy,
    )
    from symmetrics.curves.roc import (
        PositiveFractionCurve,
        PrecisionRecallCurve,
        RocCurve,
        posfrac,
        positive_fraction,
        precision_recall,
        precision_recall_curve,
        roc_curve,
    )
    from symmetrics.curves.uncertainty import delong_test, score_interval
    from symmetrics.curves.weighted import (
        WeightSum,
        strip_areas,
        strip_weights,
        weight_sum,
        weighted_auc,
        weighted_auc_at,
    )

__all__ = [
    "BetaCosts",
    "DetCurve",
    "ImpliedCosts",
    "PositiveFractionCurve",
    "PrecisionRecallCurve",
    "RocBand",
    "RocCurve",
    "ScoreHistogram",
    "WeightSum",
    "area",
    "auc",
    "auc_cost_weights",
    "average_precision",
    "b42",
    "convex_hull",
    "delong_test",
    "det_curve",
    "gini",
    "h_at_point",
    "h_formula",
    "h_from_rates",
    "h_measure",
    "h_proof",
    "h_proof_names",
    "h_proofs",
    "hand_till",
    "kolmogorov_smirnov",
    "one_vs_rest_auc",
    "one_vs_rest_curves",
    "partial_auc",
    "posfrac",
    "positive_fraction",
    "precision_recall",
    "precision_recall_curve",
    "roc_auc",
    "roc_band",
    "roc_curve",
    "score_histogram",
    "score_interval",
    "strip_areas",
    "strip_weights",
    "top_k_accuracy",
    "weight_sum",
    "weighted_auc",
    "weighted_auc_at",
]

_HOMES: Final = (
    ("symmetrics.curves.geometry", ("area", "auc", "gini", "kolmogorov_smirnov", "partial_auc")),
    ("symmetrics.curves.multiclass", ("DetCurve", "average_precision", "det_curve", "roc_auc", "top_k_accuracy")),
    ("symmetrics.curves.bands", ("RocBand", "roc_band")),
    ("symmetrics.curves.roc", ("PrecisionRecallCurve", "precision_recall", "precision_recall_curve")),
    ("symmetrics.curves.roc", ("PositiveFractionCurve", "posfrac", "positive_fraction")),
    ("symmetrics.curves.hmeasure", ("BetaCosts", "ImpliedCosts", "auc_cost_weights")),
    ("symmetrics.curves.uncertainty", ("delong_test",)),
    ("symmetrics.curves.histograms", ("ScoreHistogram", "score_histogram")),
    ("symmetrics.curves.hmeasure", ("b42", "h_from_rates", "h_measure")),
    ("symmetrics.curves.hmeasure_proofs", ("h_proof", "h_proof_names", "h_proofs")),
    ("symmetrics.curves.hmeasure_proofs", ("h_at_point", "h_formula")),
    ("symmetrics.curves.geometry", ("convex_hull",)),
    ("symmetrics.curves.multiclass", ("hand_till", "one_vs_rest_auc", "one_vs_rest_curves")),
    ("symmetrics.curves.roc", ("RocCurve", "roc_curve")),
    ("symmetrics.curves.uncertainty", ("score_interval",)),
    ("symmetrics.curves.weighted", ("weighted_auc", "weighted_auc_at")),
    ("symmetrics.curves.weighted", ("WeightSum", "strip_areas", "strip_weights", "weight_sum")),
)
"""Public names by module; each module is imported on first access."""

__getattr__ = loaded_from(
    __name__, {home: tuple(name for other, names in _HOMES if other == home for name in names) for home, _ in _HOMES}
)


def __dir__() -> list[str]:
    return sorted(__all__)
