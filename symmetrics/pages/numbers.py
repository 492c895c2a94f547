"""Exact numbers as people read them."""

from __future__ import annotations

from typing import Final

from sympy import Expr, Rational

from symmetrics.language.formula import formula_text

__all__ = ["number_text"]

SHORT: Final = 10
"""Most letters of an exact number that is shown as it is."""


def number_text(value: Expr) -> str:
    """Return a number exactly if that is short, with its first decimals unless it is whole.

    >>> number_text(Rational(9, 10)), number_text(Rational(1, 3)), number_text(Rational(12345, 678910))
    ('0.9', '1/3 (0.3333)', '0.01818')
    """
    if not value.is_finite:
        return {"oo": "infinity", "-oo": "-infinity"}.get(str(value), "no value")
    text = formula_text(value)
    decimals = f"{float(value):.4g}"
    if value.is_Integer or text == decimals:
        return text
    if isinstance(value, Rational) and Rational(decimals) == value:
        return decimals
    return f"{text} ({decimals})" if len(text) <= SHORT else decimals
