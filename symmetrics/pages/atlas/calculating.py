"""What the page that calculates needs: metrics as functions, with standard errors and the ends of their ranges."""

from __future__ import annotations

import json
from math import isfinite
from statistics import NormalDist
from typing import Any, Final

from symmetrics.codegen.scripts import standard_error_code
from symmetrics.metric import Metric
from symmetrics.metric.uncertainty import range_of
from symmetrics.numeric.intervals.delta import ADDED
from symmetrics.numeric.intervals.scales import NEAREST, SMALLEST
from symmetrics.pages.atlas.choosing import FAMILIAR
from symmetrics.pages.atlas.gathered import address
from symmetrics.pages.atlas.templates import script
from symmetrics.tools.errors import SymmetricsError

LEVELS: Final = (0.9, 0.95, 0.99)
"""The levels of intervals that the page offers."""


def constants() -> str:
    """Return a script with what all intervals need."""
    quantiles = {f"{level:g}": NormalDist().inv_cdf((1 + level) / 2) for level in LEVELS}
    told = {"added": ADDED, "nearest": NEAREST, "smallest": SMALLEST, "quantiles": quantiles}
    return script("receiveConstants", told)


def metric_code(metric: Metric) -> str:
    """Return a script with the functions of a metric; nothing if they cannot be computed so."""
    try:
        value = metric.to_code("javascript")
        error = standard_error_code(metric.value_formula, "standardError")
        bounds = range_of(metric)
    except SymmetricsError:
        return ""
    told: dict[str, Any] = {
        "name": address(metric.name),
        "title": metric.title or metric.name,
        "familiar": metric.name in FAMILIAR,
        "searched": " ".join((metric.name, *metric.aliases)).replace("_", " "),
        "loss": metric.greater_is_better is False,
        "low": bounds.low if isfinite(bounds.low) else None,
        "high": bounds.high if isfinite(bounds.high) else None,
    }
    written = json.dumps(told, ensure_ascii=True).replace("<", "\\u003c")
    return f"receiveMetric({written},\n{_as_expression(value)},\n{_as_expression(error)});\n"


def _as_expression(source: str) -> str:
    """Return a function as an expression: without the lines of comment before it."""
    lines = source.rstrip("\n").split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith("function "))
    return "\n".join(lines[start:])
