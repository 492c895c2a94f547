"""What a notebook shows: words first, tables and pictures below, the algebra folded away; in a light or a dark page.

Colours are half transparent or those of the text, and nothing is said by colour alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from symmetrics.pages.displays.numbers import comparison_html, confusion_html, curve_html, interval_html, lines_html
from symmetrics.pages.displays.orders import (
    identification_html,
    multiclass_property_html,
    order_html,
    panel_html,
    poset_html,
    property_html,
    relations_html,
    relevance_html,
)
from symmetrics.pages.displays.verdicts import metric_html, multiclass_metric_html, verdict_html

__all__ = ["SHOWN", "metric_html", "verdict_html"]

SHOWN: Final[dict[str, Callable[[Any], str]]] = {
    "AllComparisons": lines_html,
    "Comparison": comparison_html,
    "DatasetComparison": lines_html,
    "Concepts": lines_html,
    "ConfusionMatrix": confusion_html,
    "Design": lines_html,
    "Disagreement": lines_html,
    "Explanation": lines_html,
    "FoldComparison": lines_html,
    "Identification": identification_html,
    "Interval": interval_html,
    "Metric": metric_html,
    "Order": order_html,
    "MulticlassMetric": multiclass_metric_html,
    "MulticlassProperty": multiclass_property_html,
    "OverFolds": lines_html,
    "Panel": panel_html,
    "Plan": lines_html,
    "Poset": poset_html,
    "Property": property_html,
    "RelationGraph": relations_html,
    "Relevance": relevance_html,
    "RocBand": curve_html,
    "RocCurve": curve_html,
    "Verdict": verdict_html,
}
"""What makes the HTML of an object, by the name of its class."""
