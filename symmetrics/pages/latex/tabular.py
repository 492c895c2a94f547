"""Tables of verdicts in LaTeX: a tabular, or a float with caption, notes and legend."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sympy import And, Expr, S, Symbol, latex
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from symmetrics.claims.verdict import Verdict
from symmetrics.language.condition import condition_text
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import at_defaults_text
from symmetrics.library.selections import SIGNS
from symmetrics.pages.answers import Marks, answer_text, at_zero_cells, legend, value
from symmetrics.tools.documents import Code
from symmetrics.tools.documents.latex import tabular
from symmetrics.tools.documents.text import plain
from symmetrics.tools.errors import InputError, SymmetricsError, shortened
from symmetrics.tools.texts import for_latex

# -- Formulas, conditions and statements of this package as LaTeX ------------------------------------------------------


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
    r"""Return a condition on parameters in LaTeX, with its formulas in math mode.

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
    r"""Return a number or formula from a verdict's value in LaTeX, without dollars.

    :param names: of the parameters
    :raises FormulaError: if it is neither

    >>> number_latex("-oo"), number_latex("1 - w", ["w"])
    ('-\\infty', '1 - w')
    """
    if text in ("oo", "-oo"):
        return text.replace("oo", r"\infty")
    return formula_latex(parse_formula(text, names), inline=True)


def value_latex(text: str, names: Sequence[str] = ()) -> str:
    r"""Return a verdict's value in LaTeX: intervals and formulas as mathematics, everything else as prose.

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
"""LaTeX of symbols and abbreviations in prose."""
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
    """Return the LaTeX of a token in a formula, None for a token that belongs to none."""
    if token == "a" and after not in (*_OPERATORS, ",", ")") and before not in _OPERATORS:
        return None  # the English article
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
    """Close a formula with dollars, with trailing blanks outside."""
    stripped = formula.rstrip(" ")
    return f"${stripped}${formula[len(stripped) :]}" if stripped else formula


# ----------------------------------------------------------------------------------------------------------------------


LABEL: Final = re.compile(r"[\w:.+/@-]+(?: [\w:.+/@-]+)*", re.ASCII)
_SPECIAL: Final = re.compile(r"(?<!\\)[%&#]")
"""Characters that would end a caption, or its line, and break the table."""
_NARROW: Final = 3
"""Longest column heading that is not rotated in a compact table, in characters."""
SHRUNK: Final = (r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%", "}")
"""LaTeX that scales a box down to the column width if it is wider."""
_SMALL: Final = "\\footnotesize\\setlength{\\tabcolsep}{4pt}"


@dataclass(frozen=True)
class Style:
    """Style of a table in a paper.

    :param caption: of the float, in LaTeX
    :param label: to refer to it by
    :param legend: whether what the marks and the properties mean stands below
    :param compact: small, with upright headings, conditions and values as notes
    :param transpose: a row for each property, instead of one for each metric
    :param wide: over both columns of the page
    :param names: in LaTeX, what metrics and properties are to be called, by their names and keys
    :param titles: what the properties say in words, by their keys
    """

    caption: str | None = None
    label: str | None = None
    legend: bool = False
    compact: bool = False
    transpose: bool = False
    wide: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.label is not None and not LABEL.fullmatch(self.label):
            raise InputError(
                f"label {self.label!r}: LaTeX reads letters, digits and :.+/@- there, as in tab:invariance"
            )
        if self.caption is not None and (sign := _SPECIAL.search(self.caption)) is not None:
            meant = f"{sign[0]} has another meaning; write \\{sign[0]}"
            raise InputError(f"caption {self.caption!r} is read as LaTeX, where {meant}")
        if not isinstance(self.names, Mapping):
            raise InputError(
                "names is a dict from metrics and properties to what they are called, as in {'f1': '$F_1$'}"
            )

    @property
    def is_float(self) -> bool:
        """Whether the table is a float, and not only a tabular."""
        return self.caption is not None or self.label is not None or self.legend or self.compact or self.wide


def table_latex(keys: Sequence[str], rows: Sequence[tuple[str, Sequence[Verdict]]], marks: Marks, style: Style) -> str:
    """Return a table in LaTeX.

    :param keys: those of the properties
    :param rows: the name of each metric, with a verdict for each property
    :param marks: what stands for yes, no and open
    :raises InputError: if a name is given for what is not in the table
    """
    unknown = sorted(set(style.names) - {*keys, *(name for name, _ in rows)})
    if unknown:
        raise InputError(f"names has {unknown[0]!r}, which is neither a metric nor a property of this table")
    notes = _Notes()
    note = notes.mark if style.compact else None
    verdicts = [row for _, row in rows]
    names = [[style.names.get(name, for_latex(name)) for name in named] for named in ((n for n, _ in rows), keys)]
    if style.transpose:
        verdicts = list(zip(*verdicts, strict=True))
        names.reverse()
    body = [(name, *(_cell(v, marks, note) for v in row)) for name, row in zip(names[0], verdicts, strict=True)]
    heads = ["property" if style.transpose else "metric", *(_upright(n) if style.compact else n for n in names[1])]
    columns = ("l" + "c" * len(names[1])) if style.compact else "l" * len(heads)
    written = "\n".join([*tabular(columns, heads, body), ""])
    if not style.is_float:
        return written
    below = [*notes.lines(), *(_legend(keys, rows, marks, style) if style.legend else ())]
    return _floating(written, below, style)


def _cell(verdict: Verdict, marks: Marks, note: Callable[[str], str] | None) -> str:
    """Return the content of a cell; with *note*, everything beyond its mark goes into notes."""
    names = [parameter.name for parameter in verdict.claim.parameters]
    mark, _, at_defaults = answer_text(verdict, marks).removesuffix(")").partition(" (")
    if marks is SIGNS:
        mark = f"${mark}$" if mark in ("-", "+") else mark
    here = prose_latex(at_defaults, names) if at_defaults else ""
    condition = "" if verdict.condition is None else condition_latex(verdict.condition)
    found, zero = value(verdict), at_zero_cells(verdict, lambda end: value_latex(end, names))
    if note is None:
        parts = [mark, *(f"({text})" for text in (here, condition) if text)]
        return " ".join(parts) + ("" if found is None else f": {_short_value(found, names)}{zero}")
    noted = "" if found is None else value_latex(found, names) + zero
    told = [here, f"if and only if {condition}" if condition else "", noted]
    text = "; ".join(part for part in told if part)
    return f"{mark}{note(text)}" if text else mark


def _short_value(found: str, names: Sequence[str]) -> str:
    return for_latex(shortened(found)) if shortened(found) != found else value_latex(found, names)


class _Notes:
    """Notes to a table, each text once, labelled by letters."""

    def __init__(self) -> None:
        self._letters: dict[str, str] = {}

    def mark(self, text: str) -> str:
        """Return the mark of a note."""
        place = len(self._letters)
        letter = (chr(ord("a") + place // 26 - 1) if place >= 26 else "") + chr(ord("a") + place % 26)
        return f"$^{{\\mathrm{{{self._letters.setdefault(text, letter)}}}}}$"

    def lines(self) -> Iterator[str]:
        """Yield the notes, in one paragraph."""
        if self._letters:
            yield "; ".join(f"$^{{\\mathrm{{{letter}}}}}$~{text}" for text, letter in self._letters.items()) + "."


def _upright(head: str) -> str:
    """Return a heading, rotated upright if it is long."""
    return head if len(re.sub(r"\\[a-zA-Z]+|[${}_^\\]", "", head)) <= _NARROW else f"\\rotatebox{{90}}{{{head}}}"


def _legend(
    keys: Iterable[str], rows: Iterable[tuple[str, Sequence[Verdict]]], marks: Marks, style: Style
) -> list[str]:
    """Return the legend: meaning of marks, parameters, and descriptions of properties."""
    verdicts = [(name, verdict) for name, row in rows for verdict in row]
    spans = legend((verdict for _, verdict in verdicts), marks, noted=style.compact)
    meaning = "".join(f"${plain((span,))}$" if span in (Code("-"), Code("+")) else plain((span,)) for span in spans)
    defaults = {
        name: at_defaults_text([p for p in verdict.claim.parameters if p.default is not None]).removeprefix("at ")
        for name, verdict in verdicts
        if any(parameter.default is not None for parameter in verdict.claim.parameters)
    }
    symbols = [p.name for _, verdict in verdicts for p in verdict.claim.parameters]
    told = "; ".join(
        f"{prose_latex(text, symbols)} in {style.names.get(name, for_latex(name))}" for name, text in defaults.items()
    )
    about = "; ".join(
        f"{style.names.get(key, for_latex(key))}: {prose_latex(style.titles[key])}"
        for key in keys
        if key in style.titles
    )
    return [
        meaning,
        *([f"Defaults: {told}."] if told else []),
        *([f"Properties: {about}."] if about else []),
    ]


def _floating(written: str, below: Sequence[str], style: Style) -> str:
    """Return a float around a tabular, preceded by the LaTeX packages that it needs."""
    kind = "table*" if style.wide else "table"
    return "\n".join(
        [
            r"% \usepackage{booktabs, graphicx}",
            f"\\begin{{{kind}}}[tbp]",
            "\\centering",
            *([f"\\caption{{{style.caption}}}\\smallskip"] if style.caption is not None else []),
            *([f"\\label{{{style.label}}}"] if style.label is not None else []),
            *([_SMALL] if style.compact else []),
            SHRUNK[0],
            written.rstrip("\n") + SHRUNK[1],
            *(["\\par\\smallskip", f"\\parbox{{\\linewidth}}{{\\footnotesize {' '.join(below)}}}"] if below else []),
            f"\\end{{{kind}}}",
            "",
        ]
    )
