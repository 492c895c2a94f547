"""What a notebook shows: words first, tables and pictures below, the algebra folded away; in a light or a dark page.

Colours are half transparent or those of the text, and nothing is said by colour alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from symmetrics.pages.displays import results as numbers
from symmetrics.pages.displays import results as orders
from symmetrics.pages.displays import verdicts
from symmetrics.tools.documents import Block
from symmetrics.tools.documents.html import html_blocks

BLOCKS: Final[dict[str, Callable[[Any], list[Block]]]] = {
    **dict.fromkeys(("AllComparisons", "Concepts", "DatasetComparison", "Design", "Disagreement"), numbers.line_blocks),
    **dict.fromkeys(("Explanation", "FoldComparison", "OverFolds", "Plan"), numbers.line_blocks),
    "Comparison": numbers.comparison_blocks,
    "ConfusionMatrix": numbers.confusion_blocks,
    "Identification": orders.identification_blocks,
    "Interval": numbers.interval_blocks,
    "Mending": orders.mending_blocks,
    "Metric": verdicts.metric_blocks,
    "MulticlassMetric": verdicts.multiclass_metric_blocks,
    "MulticlassProperty": orders.multiclass_property_blocks,
    "Order": orders.order_blocks,
    "Panel": orders.panel_blocks,
    "Poset": orders.poset_blocks,
    "Possibility": orders.possibility_blocks,
    "Property": orders.property_blocks,
    "RelationGraph": orders.relation_blocks,
    "Relevance": orders.relevance_blocks,
    "RocBand": numbers.curve_blocks,
    "RocCurve": numbers.curve_blocks,
    "Synthesis": orders.synthesis_blocks,
    "Verdict": verdicts.verdict_blocks,
}
"""What makes the content of an object, by the name of its class."""


def shown(value: object, name: str = "") -> str:
    """Return what a notebook shows of an object, as HTML.

    :param name: of its class, by default its own

    >>> from symmetrics.library import metrics
    >>> print(shown(metrics["f_beta"]).splitlines()[1])
    <p><b>F-measure</b> (<code>f_beta</code>)</p>
    """
    return html_blocks(BLOCKS[name or type(value).__name__](value))
