"""The programs that come with the package: every formula of the library compiled, so that numbers need no algebra."""

from __future__ import annotations

import inspect
import json
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

import numpy as np
from sympy import Abs, Max, Min

from symmetrics.claims.recorded import deciding_anew
from symmetrics.matrices import multiclass
from symmetrics.metric import Metric
from symmetrics.metric.shipped import facts_of
from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.counts import Cells
from symmetrics.numeric.intervals.scales import compiled_slopes
from symmetrics.numeric.intervals.shapes import shape_of
from symmetrics.numeric.plans import plan_of
from symmetrics.numeric.programs import encoded
from symmetrics.numeric.trust import known_limits
from symmetrics.tools.catalogue import record_in, records_in, spoken
from symmetrics.tools.shipped import programs_file, shipped_programs
from symmetrics.tools.workers import Bar, spread

_PACKAGE: Final = "symmetrics.library.metrics"
_TABLES: Final = np.random.default_rng(7).integers(1, 60, (4, 24)).astype(float)
"""Tables that are put on each face, to see what a formula is there."""


def programs_text(*, fresh: bool = False, progress: bool = False) -> str:
    """Return the file of programs: the names of metrics of matrices, and for each metric its facts and its programs.

    :param fresh: compile all anew, even if the file that is there was made by this code
    """
    found = None if fresh else shipped_programs()
    if found is not None:
        return programs_file(found)
    wanted = [(theme, metric.name) for theme, metric in defined_metrics()]
    pairs = spread(_lines, wanted, bar=Bar() if progress else None)
    names = sorted({spoken(name) for metric in multiclass.values() for name in (metric.name, *metric.aliases)})
    return programs_file([json.dumps(names), *(line for pair in pairs for line in pair)])


def defined_metrics() -> Iterator[tuple[str, Metric]]:
    """Yield the records of the library with their themes, as the sources define them."""
    for module in pkgutil.iter_modules(import_module(_PACKAGE).__path__):
        yield from ((module.name, record) for record in records_in(f"{_PACKAGE}.{module.name}"))


def _lines(wanted: tuple[str, str]) -> tuple[str, str]:
    theme, name = wanted
    metric = record_in(f"{_PACKAGE}.{theme}", name)
    programs = json.dumps(programs_of(metric), separators=(",", ":"))  # before an evaluation adds to the programs
    with deciding_anew():
        facts = facts_of(metric)
    return json.dumps([theme, facts]), programs


def programs_of(metric: Metric) -> dict[str, Any]:
    """Return the compiled programs of a metric's formula as JSON values."""
    formula = metric.value_formula
    return {
        "plan": encoded(plan_of(formula)),
        "plan_of_slopes": encoded(plan_of(formula, anew=False)),
        "limits": _limits(metric),
        "has_kinks": formula.has(Abs, Min, Max),
        "slopes": inspect.getsource(compiled_slopes(formula)),
        "shape": encoded(shape_of(formula)),
    }


def _limits(metric: Metric) -> dict[str, float]:
    """Return the faces on which the formula has one value wherever its kernel finds none, by evaluation on each."""
    formula = metric.value_formula
    for face in range(1, 16):
        is_zero = np.array([face >> place & 1 for place in range(4)], dtype=bool)
        evaluate(formula, Cells(*np.where(is_zero[:, None], 0.0, _TABLES)), bounds=metric.bounds)
    known = known_limits(formula)
    return {str(face): float(known.values[face]) for face in range(16) if known.faces >> face & 1}
