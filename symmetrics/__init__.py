"""symmetrics: classification metrics defined once, proved, evaluated and tabled.

A metric is a SymPy expression over TP, FN, FP, TN.  Its numeric library, its invariance proofs and its exact
counterexamples all follow from that one definition.

>>> import symmetrics as sm
>>> from symmetrics import FN, FP, TP, Metric
>>> mine = Metric("mine", TP / (TP + 7 * FN / 10 + 3 * FP / 10))
>>> mine.from_counts(7, 2, 2, 9)
0.7777777777777778
>>> sm.prove(mine, "p2").status
'proved'
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from symmetrics import curves, posets
    from symmetrics.auditing import Audit, Audits, MeanAudit, Reported, audit
    from symmetrics.auditing.determinations import Determination
    from symmetrics.auditing.determining import determined
    from symmetrics.auditing.forcing import Forces, forces
    from symmetrics.claims.property import Property
    from symmetrics.claims.verdict import Verdict
    from symmetrics.curves import (
        auc,
        average_precision,
        b42,
        det_curve,
        h_measure,
        operating,
        roc_auc,
        roc_curve,
        top_k_accuracy,
        weighted_auc,
    )
    from symmetrics.data.grouping import counts
    from symmetrics.data.labels import ConfusionMatrix
    from symmetrics.discovery.disagreement import Disagreement, adversary
    from symmetrics.discovery.mending import mend
    from symmetrics.discovery.profiles import Concepts, concepts, profiles
    from symmetrics.discovery.synthesis import possible, synthesise
    from symmetrics.discovery.theorems import theorems
    from symmetrics.evaluation.comparing import AllComparisons, compare, compare_all, compare_counts
    from symmetrics.evaluation.comparison import Comparison
    from symmetrics.evaluation.datasets import DatasetComparison, compare_over_datasets
    from symmetrics.evaluation.folds import FoldComparison, OverFolds, compare_folds, over_folds
    from symmetrics.evaluation.likelihood_ratios import class_likelihood_ratios
    from symmetrics.evaluation.planning import Design, Plan, plan, plan_design
    from symmetrics.evaluation.ranking import rank_tables
    from symmetrics.evaluation.winner import Winner, winner
    from symmetrics.language.cells import FN, FNR, FP, FPR, NPV, ON, OP, PPV, TN, TNR, TP, TPR, N, P, n
    from symmetrics.language.definition import Citation
    from symmetrics.language.formula import parse_formula
    from symmetrics.language.parameter import Parameter
    from symmetrics.library import metrics, properties
    from symmetrics.matrices import (
        MulticlassMetric,
        MulticlassProperty,
        discrimination,
        multiclass,
        multiclass_properties,
    )
    from symmetrics.metric import Metric, priors
    from symmetrics.pages import plots
    from symmetrics.pages.classification import Report, report
    from symmetrics.pages.datasheet import Datasheet, datasheet
    from symmetrics.pages.frame_scores import score
    from symmetrics.pages.tables import table
    from symmetrics.papers import experiments
    from symmetrics.posets import relevance
    from symmetrics.query.explaining import Explanation, explain
    from symmetrics.query.graph import relation_graph
    from symmetrics.query.identification import identify
    from symmetrics.query.order import order
    from symmetrics.query.panel import Panel
    from symmetrics.query.proving import prove
    from symmetrics.query.relations import check_relation, relate
    from symmetrics.query.search import find
    from symmetrics.repository.browsing import atlas
    from symmetrics.repository.checking import check
    from symmetrics.tools.errors import CertificateError, LabelWarning, SymmetricsError

__version__ = "0.1.0"

_HOMES: Final = {
    "symmetrics.auditing": ("Audit", "Audits", "MeanAudit", "Reported", "audit"),
    "symmetrics.auditing.determinations": ("Determination",),
    "symmetrics.auditing.determining": ("determined",),
    "symmetrics.auditing.forcing": ("Forces", "forces"),
    "symmetrics.claims.property": ("Property",),
    "symmetrics.claims.verdict": ("Verdict",),
    "symmetrics.curves": (
        "auc",
        "average_precision",
        "b42",
        "det_curve",
        "h_measure",
        "roc_auc",
        "roc_band",
        "roc_curve",
        "top_k_accuracy",
        "weighted_auc",
    ),
    "symmetrics.language.cells": (
        "FN",
        "FNR",
        "FP",
        "FPR",
        "N",
        "NPV",
        "ON",
        "OP",
        "P",
        "PPV",
        "TN",
        "TNR",
        "TP",
        "TPR",
        "n",
    ),
    "symmetrics.language.definition": ("Citation",),
    "symmetrics.language.formula": ("parse_formula",),
    "symmetrics.language.parameter": ("Parameter",),
    "symmetrics.library": ("metrics", "properties"),
    "symmetrics.matrices": (
        "MulticlassMetric",
        "MulticlassProperty",
        "multiclass",
        "multiclass_properties",
    ),
    "symmetrics.metric": ("Metric",),
    "symmetrics.data.labels": ("ConfusionMatrix",),
    "symmetrics.data.grouping": ("counts",),
    "symmetrics.pages.frame_scores": ("score",),
    "symmetrics.pages.classification": ("Report", "report"),
    "symmetrics.pages.datasheet": ("Datasheet", "datasheet"),
    "symmetrics.pages.tables": ("table",),
    "symmetrics.evaluation.comparing": ("compare", "compare_counts", "AllComparisons", "compare_all"),
    "symmetrics.evaluation.comparison": ("Comparison",),
    "symmetrics.discovery.profiles": ("Concepts", "concepts", "profiles"),
    "symmetrics.evaluation.planning": ("Design", "plan_design", "Plan", "plan"),
    "symmetrics.evaluation.ranking": ("rank_tables",),
    "symmetrics.evaluation.winner": ("Winner", "winner"),
    "symmetrics.discovery.disagreement": ("Disagreement", "adversary"),
    "symmetrics.query.explaining": ("Explanation", "explain"),
    "symmetrics.evaluation.folds": ("OverFolds", "over_folds", "FoldComparison", "compare_folds"),
    "symmetrics.query.graph": ("relation_graph",),
    "symmetrics.query.identification": ("identify",),
    "symmetrics.evaluation.likelihood_ratios": ("class_likelihood_ratios",),
    "symmetrics.discovery.mending": ("mend",),
    "symmetrics.query.order": ("order",),
    "symmetrics.query.panel": ("Panel",),
    "symmetrics.query.proving": ("prove",),
    "symmetrics.query.relations": ("check_relation", "relate"),
    "symmetrics.discovery.synthesis": ("possible", "synthesise"),
    "symmetrics.discovery.theorems": ("theorems",),
    "symmetrics.query.search": ("find",),
    "symmetrics.evaluation.datasets": ("DatasetComparison", "compare_over_datasets"),
    "symmetrics.repository.browsing": ("atlas",),
    "symmetrics.repository.checking": ("check",),
    "symmetrics.tools.errors": ("CertificateError", "LabelWarning", "SymmetricsError"),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}

_MODULES: Final = {
    "curves": "symmetrics.curves",
    "discrimination": "symmetrics.matrices.discrimination",
    "examples": "symmetrics.pages.examples",
    "experiments": "symmetrics.papers.experiments",
    "operating": "symmetrics.curves.operating",
    "plots": "symmetrics.pages.plots",
    "posets": "symmetrics.posets",
    "priors": "symmetrics.metric.priors",
    "relevance": "symmetrics.posets.relevance",
}
"""Public modules and packages that are exported as a whole, with their places."""

_ATTACHED: Final = {
    "baseline": ("symmetrics.decisions.baseline", "Baseline"),
    "best_predictions": ("symmetrics.decisions.predictions", "best_predictions"),
    "best_threshold": ("symmetrics.decisions.cuts", "best_threshold"),
    "plot": ("symmetrics.pages.plots.drawings", "MetricPlots"),
    "property": ("symmetrics.query.proving", "as_property"),
    "rule": ("symmetrics.decisions.rule", "decision_rule"),
}
"""Methods of lower packages that are implemented in higher ones (:mod:`symmetrics.tools.arguments`)."""

__all__ = [
    "FN",
    "FNR",
    "FP",
    "FPR",
    "NPV",
    "ON",
    "OP",
    "PPV",
    "TN",
    "TNR",
    "TP",
    "TPR",
    "AllComparisons",
    "Audit",
    "Audits",
    "CertificateError",
    "Citation",
    "Comparison",
    "Concepts",
    "ConfusionMatrix",
    "DatasetComparison",
    "Datasheet",
    "Design",
    "Determination",
    "Disagreement",
    "Explanation",
    "FoldComparison",
    "Forces",
    "LabelWarning",
    "MeanAudit",
    "Metric",
    "MulticlassMetric",
    "MulticlassProperty",
    "N",
    "OverFolds",
    "P",
    "Panel",
    "Parameter",
    "Plan",
    "Property",
    "Report",
    "Reported",
    "SymmetricsError",
    "Verdict",
    "Winner",
    "adversary",
    "atlas",
    "auc",
    "audit",
    "average_precision",
    "b42",
    "check",
    "check_relation",
    "class_likelihood_ratios",
    "compare",
    "compare_all",
    "compare_counts",
    "compare_folds",
    "compare_over_datasets",
    "concepts",
    "counts",
    "curves",
    "datasheet",
    "det_curve",
    "determined",
    "discrimination",
    "examples",
    "experiments",
    "explain",
    "find",
    "forces",
    "h_measure",
    "identify",
    "mend",
    "metrics",
    "multiclass",
    "multiclass_properties",
    "n",
    "operating",
    "order",
    "over_folds",
    "parse_formula",
    "plan",
    "plan_design",
    "plots",
    "posets",
    "possible",
    "priors",
    "profiles",
    "properties",
    "prove",
    "rank_tables",
    "relate",
    "relation_graph",
    "relevance",
    "report",
    "roc_auc",
    "roc_band",
    "roc_curve",
    "score",
    "synthesise",
    "table",
    "theorems",
    "top_k_accuracy",
    "weighted_auc",
    "winner",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its module on first access."""
    if name in _MODULES:
        return importlib.import_module(_MODULES[name])
    if name not in _HOME_OF:
        raise AttributeError(_Absent(name))  # the text is made only when read
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    if name == "Verdict":  # register the writer also for verdicts read from files
        importlib.import_module("symmetrics.query")
    globals()[name] = value
    return value


class _Absent:
    """Error message for a name that is not public; says where to find it if it is a metric."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        told = f"module 'symmetrics' has no attribute {self.name!r}"
        metrics = importlib.import_module("symmetrics.library").metrics
        return f"{told}; the metric is symmetrics.metrics[{self.name!r}]" if self.name in metrics else told


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


_SHOWN: Final = {
    "symmetrics.claims.property": ("Property",),
    "symmetrics.claims.verdict": ("Verdict",),
    "symmetrics.curves.bands": ("RocBand",),
    "symmetrics.curves.roc": ("RocCurve",),
    "symmetrics.matrices.metric": ("MulticlassMetric",),
    "symmetrics.matrices.property": ("MulticlassProperty",),
    "symmetrics.metric.metric": ("Metric",),
    "symmetrics.data.labels": ("ConfusionMatrix",),
    "symmetrics.statistics.intervals": ("Interval",),
    "symmetrics.posets.poset": ("Poset",),
    "symmetrics.posets.relevance": ("Relevance",),
    "symmetrics.evaluation.comparison": ("Comparison",),
    "symmetrics.discovery.profiles": ("Concepts",),
    "symmetrics.evaluation.planning": ("Design", "Plan"),
    "symmetrics.discovery.disagreement": ("Disagreement",),
    "symmetrics.query.explaining": ("Explanation",),
    "symmetrics.evaluation.folds": ("OverFolds", "FoldComparison"),
    "symmetrics.query.graph": ("RelationGraph",),
    "symmetrics.query.search": ("Identification",),
    "symmetrics.discovery.mendings": ("Mending",),
    "symmetrics.query.order": ("Order",),
    "symmetrics.query.panel": ("Panel",),
    "symmetrics.discovery.synthesis": ("Possibility", "Synthesis"),
    "symmetrics.evaluation.datasets": ("DatasetComparison",),
    "symmetrics.evaluation.comparing": ("AllComparisons",),
}
"""Classes with an HTML display in notebooks; classes of the pages packages define their own."""


def _show_in_notebooks() -> None:
    """Register HTML displays for notebooks; the code that makes them is imported when needed."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        return
    formatter = shell.display_formatter.formatters["text/html"]

    def shown_as(name: str) -> Callable[[Any], str]:
        return lambda value: str(importlib.import_module("symmetrics.pages.displays").shown(value, name))

    for module, names in _SHOWN.items():
        for name in names:
            formatter.for_type_by_name(module, name, shown_as(name))


_show_in_notebooks()
