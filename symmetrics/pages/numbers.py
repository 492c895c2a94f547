"""Exact numbers and formulas as people read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sympy import Expr, Rational
from sympy.printing.mathml import mathml

from symmetrics.language.formula import formula_text
from symmetrics.tools.documents import Formula
from symmetrics.tools.escaping import for_html, for_latex

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


@dataclass(frozen=True)
class Symbolic(Formula):
    """A formula of SymPy within the text of a document.

    :param expr: the formula
    :param equals: what stands before it and an equals sign, such as ``M``; nothing by default
    """

    expr: Expr
    equals: str = ""

    @property
    def text(self) -> str:
        """As the reader of formulas takes it."""
        return f"{self.equals} = {formula_text(self.expr)}" if self.equals else formula_text(self.expr)

    @property
    def latex(self) -> str:
        """In LaTeX, without dollars."""
        from symmetrics.pages.latex.mathematics import formula_latex

        return (f"{for_latex(self.equals)} = " if self.equals else "") + formula_latex(self.expr)

    @property
    def mathml(self) -> str:
        """As MathML."""
        written = mathml(self.expr, printer="presentation", mul_symbol="dot").replace("<mo>-</mo>", "<mo>&#x2212;</mo>")
        return (f"<mi>{for_html(self.equals)}</mi><mo>=</mo>" if self.equals else "") + str(written)
