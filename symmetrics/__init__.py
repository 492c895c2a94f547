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
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from symmetrics import curves, discrimination, operating, posets, priors, relevance
    from symmetrics.cells import FN, FP, ON, OP, TN, TP, N, P, n
    from symmetrics.checking import check
    from symmetrics.confusion import MulticlassMetric, multiclass
    from symmetrics.curves import auc, b42, h_measure, roc_curve, weighted_auc
    from symmetrics.definition import Citation
    from symmetrics.errors import CertificateError, SymmetricsError
    from symmetrics.formula import parse_formula
    from symmetrics.library import metrics, properties
    from symmetrics.metric import Metric
    from symmetrics.parameter import Parameter
    from symmetrics.property import Property
    from symmetrics.query import prove
    from symmetrics.relations import check_relation, find, identify, order, relate, relation_graph
    from symmetrics.tables import table
    from symmetrics.verdict import Verdict

__version__ = "0.1.0"

_HOMES: Final = {
    "symmetrics.cells": ("FN", "FP", "N", "ON", "OP", "P", "TN", "TP", "n"),
    "symmetrics.checking": ("check",),
    "symmetrics.confusion": ("MulticlassMetric", "multiclass"),
    "symmetrics.curves": ("auc", "b42", "h_measure", "roc_curve", "weighted_auc"),
    "symmetrics.definition": ("Citation",),
    "symmetrics.errors": ("CertificateError", "SymmetricsError"),
    "symmetrics.formula": ("parse_formula",),
    "symmetrics.library": ("metrics", "properties"),
    "symmetrics.metric": ("Metric",),
    "symmetrics.parameter": ("Parameter",),
    "symmetrics.property": ("Property",),
    "symmetrics.query": ("prove",),
    "symmetrics.relations": ("check_relation", "find", "identify", "order", "relate", "relation_graph"),
    "symmetrics.tables": ("table",),
    "symmetrics.verdict": ("Verdict",),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}

_MODULES: Final = ("curves", "discrimination", "operating", "posets", "priors", "relevance")
"""What is public as a whole."""

__all__ = [
    "FN",
    "FP",
    "ON",
    "OP",
    "TN",
    "TP",
    "CertificateError",
    "Citation",
    "Metric",
    "MulticlassMetric",
    "N",
    "P",
    "Parameter",
    "Property",
    "SymmetricsError",
    "Verdict",
    "auc",
    "b42",
    "check",
    "check_relation",
    "curves",
    "discrimination",
    "find",
    "h_measure",
    "identify",
    "metrics",
    "multiclass",
    "n",
    "operating",
    "order",
    "parse_formula",
    "posets",
    "priors",
    "properties",
    "prove",
    "relate",
    "relation_graph",
    "relevance",
    "roc_curve",
    "table",
    "weighted_auc",
]


def __getattr__(name: str) -> Any:
    """Import a public name from the module that defines it, when it is first asked for."""
    if name in _MODULES:
        return importlib.import_module(f"symmetrics.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'symmetrics' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
