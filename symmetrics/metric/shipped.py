"""Shipped records of library metrics: names, facts and compiled programs, read without SymPy.

They are written of the definitions by ``symmetrics build`` and used only as long as the code that they were made by is
the code at hand (:func:`symmetrics.tools.shipped.shipped_programs`).  Whoever asks for the formula itself gets it from
the definition, which is loaded then.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from symmetrics.language.definition import loaded_when_asked
from symmetrics.metric.metric import Metric
from symmetrics.numeric.plans import LibraryFormula
from symmetrics.tools.catalogue import record_in
from symmetrics.tools.shipped import shipped_programs

if TYPE_CHECKING:
    from sympy import Expr


FACTS: Final = ("name", "title", "aliases", "greater_is_better", "bounds", "_is_of_examples", "_points_up")
"""Attributes of a metric stored with its programs; those with an underscore are decided by proof."""


def facts_of(metric: Metric) -> dict[str, Any]:
    """Return the stored facts about a metric, everything but its formula."""
    return {name: getattr(metric, name) for name in FACTS}


def shipped_records(package: str) -> Mapping[str, tuple[Metric, ...]] | None:
    """Return the stored records of each module of a package; None if there are none, or other code made them.

    :param package: the name of the package that defines them
    """
    lines = shipped_programs()
    if lines is None:
        return None
    # After the names of matrix metrics, lines alternate: facts, and programs, which are decoded when needed.
    all_facts, all_programs = json.loads(f"[{','.join(lines[1::2])}]"), lines[2::2]
    by_module: dict[str, tuple[Metric, ...]] = {}
    for (theme, facts), programs in zip(all_facts, all_programs, strict=True):
        module, name = f"{package}.{theme}", facts["name"]
        known = facts | {
            "aliases": tuple(facts["aliases"]),
            "bounds": None if facts["bounds"] is None else tuple(facts["bounds"]),
            "computable": LibraryFormula(programs, partial(_formula, module, name)),
        }
        record = loaded_when_asked(Metric, partial(record_in, module, name), known)
        by_module[theme] = (*by_module.get(theme, ()), record)
    return by_module


@cache
def matrix_metric_names() -> frozenset[str] | None:
    """Return the normalised names of all matrix metrics; None if they were not shipped."""
    lines = shipped_programs()
    return None if lines is None else frozenset(json.loads(lines[0]))


def _formula(module: str, name: str) -> Expr:
    metric: Metric = record_in(module, name)
    return metric.value_formula
