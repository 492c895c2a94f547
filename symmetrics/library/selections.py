"""The metrics and properties of the first invariance table in the literature, and its signs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from symmetrics.data.counts import shown
from symmetrics.language.names import CELL_NAMES, SUM_NAMES
from symmetrics.library.metrics import metrics
from symmetrics.metric import Metric
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from sympy import Expr


GARCIA_METRICS: Final = (
    "tpr",
    "tnr",
    "precision",
    "accuracy",
    "gmean",
    "auc_single",
    "f1",
    "optimized_precision",
    "iba_gmean",
    "kappa",
    "agm",
    "cwa",
    "wauc",
)
"""The metrics of García, Sánchez & Mollineda (2012), table 2; the default rows of a table."""
GARCIA_PROPERTIES: Final = ("p1", "p2", "p3", "p4", "p5")
"""The properties of the same table; the default columns of a table."""

SIGNS: Final[Mapping[bool | None, str]] = {True: "-", False: "+", None: "?"}
"""García's signs: ``-`` where the metric is invariant, ``+`` where it is not; ``?`` where that is open."""

DOZEN: Final = (
    "accuracy",
    "balanced_accuracy",
    "precision",
    "recall",
    "specificity",
    "npv",
    "f1",
    "jaccard",
    "gmean",
    "mcc",
    "kappa",
    "informedness",
)
"""Default metrics for scoring predictions: the rates and the most used summaries of them."""


# -- Metrics by name and by theme, which is the name of the file of their records --------------------------------------


THEMES: Final[Mapping[str, tuple[Metric, ...]]] = metrics.themes
"""The records of each theme, such as ``"rates"`` or ``"association"``; a theme is loaded on access."""


def group_of_metrics(name: str) -> Iterable[Metric] | None:
    """Return the metrics of a theme, or with ``"all"`` of the library; None if there is no such group.

    >>> [metric.name for metric in group_of_metrics("verification")][:2]
    ['extreme_dependency_score', 'symmetric_extreme_dependency_score']
    """
    return metrics.values() if name.strip().casefold() == "all" else THEMES.get(name.strip().casefold())


def as_metric(metric: Metric | Expr | str) -> Metric:
    """Return a metric, given itself, an expression over the cells, a name in the library, or the text of a formula.

    :raises UnknownNameError: if no metric of the library has the name
    :raises FormulaError: if a text that is no name cannot be read as a formula
    :raises DefinitionError: if the expression is not a metric

    >>> as_metric("Recall").name, as_metric("TP/(TP + 2*FN)").expr
    ('tpr', TP/(2*FN + TP))
    """
    if isinstance(metric, Metric):
        return metric
    if isinstance(metric, str):
        text = metric.strip()
        is_name = not text or (text.isidentifier() and text not in (*CELL_NAMES, *SUM_NAMES)) or text in metrics
        if is_name:
            return metrics[text]
        from symmetrics.language.formula import parse_formula

        return Metric(text, parse_formula(text))
    from sympy import Expr

    if isinstance(metric, Expr):
        return Metric(str(metric), metric)
    if hasattr(metric, "definition"):
        raise InputError(
            f"{getattr(metric, 'name', 'this')} is a metric of matrices, and this is asked of metrics of two classes; "
            "symmetrics.prove and symmetrics.table take it with k=3"
        )
    raise InputError(f"{shown(metric)} is not a metric: pass a Metric, an expression over TP, FN, FP, TN, or a name")


def as_metrics(chosen: str | Iterable[Metric | Expr | str] | None, default: Iterable[str]) -> list[Metric]:
    """Return metrics, with themes expanded; ``"all"`` is the whole library.

    :param chosen: the name of a theme, ``"all"``, or a list of metrics, of which each may be a theme
    :param default: the names of the metrics if nothing is chosen
    :raises InputError: on a text that is none of these

    >>> [metric.name for metric in as_metrics(["verification", "f1"], ())][-2:]
    ['discriminant_power_decimal', 'f1']
    """
    given: object = chosen
    if not (given is None or isinstance(given, Iterable)) or (
        isinstance(chosen, str) and group_of_metrics(chosen) is None
    ):
        raise InputError(f"{shown(chosen)} is one metric, or none: pass a list, as in ['f1', 'mcc'], a theme, or 'all'")
    listed = default if chosen is None else [chosen] if isinstance(chosen, str) else chosen
    found: list[Metric] = []
    for one in listed:
        group = group_of_metrics(one) if isinstance(one, str) else None
        found += [as_metric(one)] if group is None else group
    return found
