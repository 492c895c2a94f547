"""Metrics of whole confusion matrices: of any number of classes, with averages over these; no binary metric is defined
here.

Each is defined once, as a SymPy expression over an indexed confusion matrix ``C[i, j]``; its explicit form for a given
number of classes, its LaTeX, its exact values, its vectorised kernel and the proofs of its properties and of what it
reduces to (:mod:`symmetrics.matrices.deciding`) follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symmetrics.tools.arguments import loaded_from

if TYPE_CHECKING:
    from symmetrics.matrices.metric import MulticlassMetric
    from symmetrics.matrices.properties import multiclass_properties
    from symmetrics.matrices.property import MulticlassProperty
    from symmetrics.matrices.records import multiclass

__all__ = ["MulticlassMetric", "MulticlassProperty", "multiclass", "multiclass_properties"]

__getattr__ = loaded_from(
    __name__,
    {
        "symmetrics.matrices.metric": ("MulticlassMetric",),
        "symmetrics.matrices.properties": ("multiclass_properties",),
        "symmetrics.matrices.property": ("MulticlassProperty",),
        "symmetrics.matrices.records": ("multiclass",),
    },
)
