"""How lemmas about the structure of a metric speak of it: applied to its parameters, at tables, in lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from sympy import Rational, sympify

from symmetrics.rocq.engine.lemmas import NotExported, Subject
from symmetrics.rocq.engine.terms import RATIONALS, Numbers, term

__all__ = ["domain_of", "listed", "metric_of", "table_text", "tactic_bits"]

BITS: Final = 24
"""How many bits the enclosures of real numbers keep."""


def metric_of(subject: Subject) -> str:
    """Return the metric as a function of the cells."""
    return _applied(subject.formula.name, subject)


def domain_of(subject: Subject) -> str:
    """Return where the metric has a value, as a predicate of the cells."""
    return _applied(f"{subject.formula.name}_defined", subject)


def _applied(name: str, subject: Subject) -> str:
    names = " ".join(parameter.name for parameter in subject.formula.parameters)
    return f"({name} {names})" if names else name


def tactic_bits(numbers: Numbers) -> str:
    """Return what a tactic that computes has to be told of precision: nothing over the rational numbers."""
    return "" if numbers is RATIONALS else f" {BITS}%Z"


def table_text(table: Iterable[object], numbers: Numbers) -> str:
    """Return a table, or margins, as a tuple.

    :raises NotExported: if real numbers would have to be fractions

    >>> table_text((1, "3/2", 2, 1), RATIONALS)
    '(1, 3 / 2, 2, 1)'
    """
    counts = [Rational(sympify(count)) for count in table]
    if numbers is not RATIONALS and any(count.q != 1 for count in counts):
        raise NotExported("a table of fractions for a formula that is not rational")
    return f"({', '.join(map(term, counts))}){'' if numbers is RATIONALS else '%Z'}"


def listed(entries: Sequence[str]) -> str:
    """Return a list.

    >>> listed(["1", "2"])
    '[1; 2]'
    """
    return f"[{'; '.join(entries)}]"
