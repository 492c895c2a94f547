"""Parts of the domain of a parameter: an interval or a single value, and a claim for the values in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sympy import And, Eq, Ge, Gt, Le, Lt, Ne, S
from sympy.logic.boolalg import Boolean

from symmetrics.language.parameter import Parameter

__all__ = ["narrowed", "piece", "relation"]


def piece(parameter: Parameter, text: str) -> Parameter:
    """Read a part of a parameter's domain: an interval such as ``(0, 1/2]``, or a number.

    :raises FormulaError: if it is neither
    """
    written = text if text[:1] in ("[", "(") else f"[{text}, {text}]"
    part = Parameter.parse(f"{parameter.name} in {written}")
    inside = parameter.default is not None and parameter.default in part
    return replace(part, default=parameter.default) if inside else part


def narrowed(claim: Any, part: Parameter) -> Any:
    """Return a claim for the values of one parameter that belong to a part of its domain."""
    if part.lower == part.upper:
        return claim.at({part.symbol: part.lower})
    return replace(claim, parameters=tuple(part if p.name == part.name else p for p in claim.parameters))


def relation(parameter: Parameter, part: Parameter) -> Boolean:
    """Return the condition that tells a part of a parameter's domain from the rest.

    >>> from symmetrics.language.condition import condition_text
    >>> whole = Parameter.parse("w in [0, 1]")
    >>> condition_text(relation(whole, piece(whole, "(0, 1/2]")))
    'w != 0 and w <= 1/2'
    """
    symbol = parameter.symbol
    if part.lower == part.upper:
        return Eq(symbol, part.lower)
    below, above = S.true, S.true
    if part.lower != parameter.lower:
        below = (Gt if part.lower_open else Ge)(symbol, part.lower)
    elif part.lower_open and not parameter.lower_open:
        below = Ne(symbol, part.lower)
    if part.upper != parameter.upper:
        above = (Lt if part.upper_open else Le)(symbol, part.upper)
    elif part.upper_open and not parameter.upper_open:
        above = Ne(symbol, part.upper)
    return And(below, above)
