"""What a notebook shows: words first, tables and pictures below, the algebra folded away; in a light or a dark page.

Colours are half transparent or those of the text, and nothing is said by colour alone.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from symmetrics.pages.displays import results, verdicts
from symmetrics.tools.documents import Block
from symmetrics.tools.documents.html import html_blocks

BLOCKS: Final[dict[str, Callable[[Any], list[Block]]]] = {
    **dict.fromkeys(("AllComparisons", "Concepts", "DatasetComparison", "Design", "Disagreement"), results.line_blocks),
    **dict.fromkeys(("Explanation", "FoldComparison", "OverFolds", "Plan"), results.line_blocks),
    "Comparison": results.comparison_blocks,
    "ConfusionMatrix": results.confusion_blocks,
    "Identification": results.identification_blocks,
    "Interval": results.interval_blocks,
    **dict.fromkeys(("Mending", "Possibility", "Synthesis"), attrgetter("blocks")),
    "Metric": verdicts.metric_blocks,
    "MulticlassMetric": verdicts.multiclass_metric_blocks,
    "Order": results.order_blocks,
    "Panel": results.panel_blocks,
    "Poset": results.poset_blocks,
    **dict.fromkeys(("MulticlassProperty", "Property"), results.property_blocks),
    "RelationGraph": results.relation_blocks,
    "Relevance": results.relevance_blocks,
    "RocBand": results.curve_blocks,
    "RocCurve": results.curve_blocks,
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
