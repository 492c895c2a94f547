"""Values of a definition at some tables, computed by the kernel from it and by the library from its own formula.

The translator of formulas is trusted; this is what would show a mistake of it.
"""

from __future__ import annotations

from itertools import cycle, islice
from typing import Final

from sympy import Expr, Integer, Rational, floor

from symmetrics.language.cells import CELL_NAMES, parameter_symbol
from symmetrics.language.parameter import Parameter
from symmetrics.library import metrics
from symmetrics.metric import Metric
from symmetrics.rocq.engine.parameterised import interior
from symmetrics.rocq.engine.statements import Formula
from symmetrics.rocq.engine.terms import RATIONALS, conjunction, term

__all__ = ["values_lemma"]

TABLES: Final = ((2, 3, 5, 7), (11, 2, 3, 1), (1, 4, 2, 9))
DIGITS: Final = 9
"""After the point; a value that is not rational is enclosed by decimals of so many digits."""


def values_lemma(formula: Formula, metric: Metric | None = None) -> str:
    """Return the lemma that a formula has the values that the library computes, at the defaults.

    Tables at which it has no real value are left out.

    :param metric: what computes them; by default the metric of the library that has the name.  A formula over other
        variables than the cells is no metric, and has the values that SymPy computes
    """
    if formula.variables != CELL_NAMES:
        return _lemma(formula, _facts_at_points(formula))
    metric = metrics[formula.name] if metric is None else metric
    defaults = [_chosen(parameter) for parameter in formula.parameters]
    own = {parameter.name for parameter in metric.parameters}
    values = zip(formula.parameters, defaults, strict=True)
    bound = metric.at(**{parameter.name: value for parameter, value in values if parameter.name in own})
    facts = []
    for table in TABLES:
        value = bound.exact(*table)
        if value.is_finite and value.is_real:
            arguments = " ".join(term(argument, 3) for argument in (*defaults, *map(Integer, table)))
            facts.append(_fact(f"{formula.name} {arguments}", value, exact=formula.numbers is RATIONALS))
    return _lemma(formula, facts)


def _facts_at_points(formula: Formula) -> list[str]:
    """Return the values of a formula at some points, as SymPy computes them."""
    chosen, size, facts = [_chosen(parameter) for parameter in formula.parameters], len(formula.variables), []
    symbols = [*(parameter.symbol for parameter in formula.parameters), *map(parameter_symbol, formula.variables)]
    for table in TABLES:
        arguments = [*chosen, *map(Integer, islice(cycle(table), size))]
        value = formula.expression.xreplace(dict(zip(symbols, arguments, strict=True)))
        if value.is_finite and value.is_real:
            left = " ".join([formula.name, *(term(argument, 3) for argument in arguments)])
            facts.append(_fact(left, value, exact=formula.numbers is RATIONALS))
    return facts


def _lemma(formula: Formula, facts: list[str]) -> str:
    tactic = "rational" if formula.numbers is RATIONALS else f"unfold {formula.name}; enclose 40%Z"
    return f"Lemma {formula.name}_values :\n  {conjunction(facts)}.\nProof.\n  repeat split; {tactic}.\nQed."


def _chosen(parameter: Parameter) -> Rational:
    """Return the default of a parameter, or another value in its domain."""
    if parameter.default is not None:
        return Rational(parameter.default)
    return interior(parameter) if parameter.lower_open else Rational(parameter.lower)


def _fact(left: str, value: Expr, *, exact: bool) -> str:
    if exact:
        return f"{left} == {term(value)}"
    scale = Integer(10) ** DIGITS
    below = floor(value.evalf(40) * scale)
    return f"{term(Rational(below - 1, scale))} < {left} /\\ {left} < {term(Rational(below + 2, scale))}"
