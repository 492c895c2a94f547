"""Formulas, conditions and statements of this package as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sympy import And, Expr, S, Symbol, latex
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from symmetrics.language.condition import condition_text
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.tools.errors import SymmetricsError
from symmetrics.tools.escaping import for_latex

_CELLS: Final = {name: rf"\mathit{{{name}}}" for name in (*CELL_NAMES, "TPr", "TNr", "FPr", "FNr", "OP", "ON")}
_INTERVAL: Final = re.compile(r"(?P<open>[\[(])(?P<low>[^,]+), (?P<high>[^,]+)(?P<close>[\])])")


def formula_latex(expression: Expr, *, inline: bool = False) -> str:
    r"""Return a formula in LaTeX, without dollars.

    :param inline: short fractions as 1/2

    >>> from symmetrics.language.cells import FN, TP
    >>> formula_latex(TP / (TP + FN)), formula_latex(S.Half, inline=True)
    ('\\frac{\\mathit{TP}}{\\mathit{FN} + \\mathit{TP}}', '1/2')
    """
    names = {symbol: _CELLS[symbol.name] for symbol in expression.atoms(Symbol) if symbol.name in _CELLS}
    written = str(latex(expression, symbol_names=names, fold_short_frac=inline))
    return re.sub(r" / (?=\d)", "/", written)


def condition_latex(condition: Boolean) -> str:
    r"""Return a condition on parameters in LaTeX, with dollars around what is a formula.

    >>> from sympy import Eq, Ne, Or
    >>> w = Symbol("w", real=True)
    >>> condition_latex(Or(Eq(w, 0), Ne(w, S.Half)))
    '$w \\neq 1/2$ or $w = 0$'
    """
    if condition in (S.true, S.false):
        return condition_text(condition)
    if isinstance(condition, Relational):
        sides = (formula_latex(side, inline=True) for side in (condition.lhs, condition.rhs))
        sign = {"==": "=", "!=": r"\neq", "<=": r"\leq", ">=": r"\geq"}.get(condition.rel_op, condition.rel_op)
        return f"${f' {sign} '.join(sides)}$"
    parts = sorted(condition.args, key=condition_text)
    written = [
        condition_latex(part) if isinstance(part, Relational) else f"({condition_latex(part)})" for part in parts
    ]
    return (" and " if isinstance(condition, And) else " or ").join(written)


def number_latex(text: str, names: Sequence[str] = ()) -> str:
    r"""Return a number or a formula that stands in a value in LaTeX, without dollars.

    :param names: of the parameters
    :raises FormulaError: if it is neither

    >>> number_latex("-oo"), number_latex("1 - w", ["w"])
    ('-\\infty', '1 - w')
    """
    if text in ("oo", "-oo"):
        return text.replace("oo", r"\infty")
    return formula_latex(parse_formula(text, names), inline=True)


def value_latex(text: str, names: Sequence[str] = ()) -> str:
    r"""Return what a verdict found in LaTeX: intervals and formulas as such, and all else as prose.

    :param names: of the parameters

    >>> value_latex("[0, oo)"), value_latex("TP/(FP + TP)")
    ('$[0, \\infty)$', '$\\frac{\\mathit{TP}}{\\mathit{FP} + \\mathit{TP}}$')
    >>> value_latex("undefined where TP = FN = 0")
    'undefined where $\\mathit{TP} = \\mathit{FN} = 0$'
    """
    found = _INTERVAL.fullmatch(text)
    try:
        if found is None:
            return f"${number_latex(text, names)}$"
        low, high = (number_latex(found[side], names) for side in ("low", "high"))
        return f"${found['open']}{low}, {high}{found['close']}$"
    except SymmetricsError:
        return prose_latex(text, names)


# -- sentences with formulas in them -----------------------------------------------------------------------------------

_SYMBOLS: Final = {
    **_CELLS,
    **{f"{name}'": f"{written}'" for name, written in _CELLS.items()},
    **{f"v{place}": f"v_{{{place}}}" for place in (1, 2, 3, 4)},
    **{name: name for name in "MLPNnstkxyuwvabE"},
    **{"oo": r"\infty", "max": r"\max", "min": r"\min", "sqrt": r"\operatorname{sqrt}", "log": r"\log"},
    **{name: rf"\mathrm{{{name}}}" for name in ("partner", "lower", "upper", "span")},
    **{name: rf"\operatorname{{{name.lower()}}}" for name in ("Abs", "Max", "Min")},
}
"""Words that are no words, and how they are set."""
_OPERATORS: Final = {
    **{"**": "^", "*": r"\,", "<=": r"\leq ", ">=": r"\geq ", "->": r"\to ", "!=": r"\neq ", "|": r"\mid "},
    **{sign: sign for sign in ("=", "<", ">", "+", "-", "/")},
}
_TOKEN: Final = re.compile(r"[^\W\d_]\w*(?:'\w+|')?|\d+|\*\*\([^()]*\)|\*\*|<=|>=|->|!=|\s+|.", re.DOTALL)


def prose_latex(text: str, names: Iterable[str] = ()) -> str:
    r"""Return a sentence in LaTeX in which names of cells, parameters and signs are set as in formulas.

    What is in a formula between commas is one formula, so that lines can be broken after commas.

    :param names: of the parameters

    >>> prose_latex("M has a finite limit as TN -> oo, the others fixed (50 %)")
    '$M$ has a finite limit as $\\mathit{TN} \\to \\infty$, the others fixed (50 \\%)'
    >>> prose_latex("s**v1*TP = -class-weighted")
    '$s^{v_{1}}\\,\\mathit{TP} = -$class-weighted'
    """
    symbols = _SYMBOLS | {name: latex(Symbol(name)) for name in names}
    tokens = _TOKEN.findall(text)
    written, formula = [], ""
    for place, token in enumerate(tokens):
        before, after = (tokens[i] if 0 <= i < len(tokens) else " " for i in (place - 1, place + 1))
        part = _formal(token, before, after, symbols, bool(formula))
        if part is None and token.isspace() and formula:
            formula += " "
        elif part is None:
            written += [_closed(formula), for_latex(token)]
            formula = ""
        else:
            side_by_side = formula.endswith(" ") and token in symbols and tokens[place - 2] in symbols
            formula = formula.rstrip(" ") + "\\ " + part if side_by_side else formula + part
    return "".join([*written, _closed(formula)])


def _formal(token: str, before: str, after: str, symbols: Mapping[str, str], inside: bool) -> str | None:
    """Return what a token is in a formula, None for one that belongs to none."""
    if token == "a" and after not in (*_OPERATORS, ",", ")") and before not in _OPERATORS:
        return None  # the article
    if token in symbols:
        return f"{{{symbols[token]}}}" if before == "**" else symbols[token]
    if token.startswith("**("):
        return f"^{{{token[3:-1].replace('*', '')}}}"
    if token in _OPERATORS:
        is_hyphen = before.isalnum() and after.isalnum() and before not in symbols and after not in symbols
        is_hyphen &= not (before.isdigit() and after.isdigit())
        return None if is_hyphen or (token == "/" and not inside) else _OPERATORS[token]
    return token if inside and (token.isdigit() or (token == "(" and not before.isspace())) else None


def _closed(formula: str) -> str:
    """Return a formula in dollars, and blanks after it outside of them."""
    stripped = formula.rstrip(" ")
    return f"${stripped}${formula[len(stripped) :]}" if stripped else formula
