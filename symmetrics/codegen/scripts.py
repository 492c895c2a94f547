"""Recipes as functions in C, JavaScript and Rust."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from math import inf
from types import MappingProxyType
from typing import Final

from sympy import Expr, latex

from symmetrics.codegen.folding import INFINITY, NEGATIVE_INFINITY, Requirement, expression_at
from symmetrics.codegen.languages import JAVASCRIPT, RESERVED, Language, Text, texts
from symmetrics.codegen.recipe import Branch, Case, Recipe, Zeros
from symmetrics.language.cells import CELLS
from symmetrics.language.names import CELL_NAMES
from symmetrics.numeric.operations import SPLIT
from symmetrics.numeric.precision import Signs
from symmetrics.numeric.source import LETTERS
from symmetrics.statistics.delta import error_program
from symmetrics.statistics.intervals import GROUPS
from symmetrics.tools.errors import UnsupportedError

_INDENT: Final = "    "
_TESTS: Final = {"nonzero": "!=", "zero": "==", "positive": ">", "nonnegative": ">="}


def script(recipe: Recipe, language: Language, name: str, title: str) -> str:
    """Return the source of a function of four numbers.

    :param name: what it is called, as :func:`function_name` has made it
    :param title: the text of the comment on it
    """
    return _Writer(recipe, language).source(name, title)


def function_name(text: str) -> str:
    """Return a valid function name for every language.

    >>> function_name("f_beta(beta=2)"), function_name("return"), function_name("3 points")
    ('f_beta_beta_2', 'metric_return', 'metric_3_points')
    """
    name = re.sub(r"[^0-9A-Za-z]+", "_", text).strip("_")
    is_taken = not name or name[0].isdigit() or name.lower() in RESERVED or name in LETTERS
    return f"metric_{name}" if is_taken else name


def _one_line(title: str) -> str:
    """Return a title as a one-line comment."""
    shown = "".join(letter if letter.isprintable() else " " for letter in title)
    return " ".join(shown.split()).rstrip("\\/? ")  # a C line that ends with "\\" or "??/" continues


class _Writer:
    def __init__(self, recipe: Recipe, language: Language) -> None:
        self.recipe = recipe
        self.program = recipe.program
        self.language = language
        self.signs = Signs(recipe.program)

    def source(self, name: str, title: str) -> str:
        language = self.language
        cells = ", ".join(language.cell.format(letter) for letter in language.cells)
        used = {self.program.operations[place][0] for place in self.program.needed(self.recipe.places)}
        helpers = [text for helper, text in language.helpers.items() if helper in used]
        is_outside = bool(language.preamble)  # the language has no nested functions
        before = [language.preamble, *helpers] if is_outside else []
        comment = [language.comment + _one_line(title)]
        head = "\n".join([*(text.rstrip("\n") for text in before if text), *comment])
        inside = [] if is_outside else [text.rstrip("\n") for text in helpers]
        body = self.indented([*language.start, *self.body()], 1)
        lines = [language.head.format(name=name, cells=cells), *inside, *body, language.foot]
        return "\n".join([head, *lines, ""])

    def body(self) -> list[str]:
        """Return the lines of the function."""
        language, most, least = self.language, repr(self.recipe.most), repr(self.recipe.least)
        nothing = language.give.format(language.nan)
        if self.recipe.least:
            within = f"{{0}} >= {least}{language.both}{{0}} <= {most}"
            count = f"({{0}} == {language.zero}{language.either}({within}))"
        else:
            count = f"{{0}} >= {language.zero}{language.both}{{0}} <= {most}"
        valid = [count.format(cell) for cell in language.cells]
        lines = self.block(language.negation.format(language.both.join(valid)), [nothing])
        for branch in self.recipe.branches:
            known: dict[int, str] = {}
            inside = [line for case in branch.cases for line in self.case(case, known)]
            if not branch.cases or branch.cases[-1].requirements:
                inside.append(nothing)
            if branch.where:
                where = [self.zeros(zeros, is_alone=len(branch.where) == 1) for zeros in branch.where]
                lines += self.block(language.either.join(where), inside)
            else:
                lines += inside
        return lines

    def zeros(self, zeros: Zeros, *, is_alone: bool) -> str:
        tests = [
            f"{self.language.cells[place]} {'==' if place in zeros.zero else '>'} {self.language.zero}"
            for place in range(4)
            if place in zeros.zero | zeros.nonzero
        ]
        both = self.language.both.join(tests)
        return f"({both})" if len(tests) > 1 and not is_alone else both

    def case(self, case: Case, known: dict[int, str]) -> list[str]:
        """Return the lines for a case: return its value if its conditions hold, else continue."""
        wanted = [requirement.place for requirement in case.requirements]
        wanted += [case.value] if isinstance(case.value, int) else []
        often = self.used_often(wanted)
        return self.required(case.requirements, case, often, known)

    def required(
        self, requirements: Sequence[Requirement], case: Case, often: frozenset[int], known: dict[int, str]
    ) -> list[str]:
        if not requirements:
            value = case.value
            if isinstance(value, int):
                lines = self.named([value], often, known)
                return [*lines, self.language.give.format(self.text(value, known).text)]
            return [self.language.give.format(("" if value == INFINITY else "-") + self.language.infinity)]
        first, *rest = requirements
        lines = self.named([first.place], often, known)
        test = f"{self.text(first.place, known).within(1)} {_TESTS[first.kind]} {self.language.zero}"
        return [*lines, *self.block(test, self.required(rest, case, often, known.copy()))]

    def used_often(self, wanted: Iterable[int]) -> frozenset[int]:
        """Return the operations that several others use."""
        uses = Counter(wanted)
        for place in self.program.needed(uses):
            uses.update(self.program.arguments(place))
        names = {place: self.program.operations[place][0] for place in uses}
        return frozenset(place for place, count in uses.items() if count > 1 and names[place] not in ("cell", "number"))

    def named(self, wanted: Sequence[int], often: frozenset[int], known: dict[int, str]) -> list[str]:
        """Return assignments for operations that are used more than once and needed from here on."""
        lines = []
        for place in self.program.needed(wanted):
            if place in often and place not in known:
                text = self.text(place, known).text
                known[place] = f"t{len(known) + 1}"
                lines.append(self.language.assign.format(known[place], text))
        return lines

    def text(self, place: int, known: dict[int, str]) -> Text:
        return texts(self.signs, self.language.cells, self.language.functions, known)(place)

    def block(self, condition: str, inside: Sequence[str]) -> list[str]:
        return [self.language.condition.format(condition), *self.indented(inside, 1), self.language.close]

    @staticmethod
    def indented(lines: Iterable[str], depth: int) -> list[str]:
        return [_INDENT * depth + line for line in lines]


# -- Standard errors by the delta method as JavaScript functions, from the same operations -----------------------------


def standard_error_code(expression: Expr, name: str) -> str:
    """Return the source of a function of four positive cells: the standard error of a formula's value.

    The table is multinomial; what is to be added to the cells, so that none is zero, is added before.

    :param expression: a formula over the cells, without free parameters
    :param name: of the function
    :raises UnsupportedError: on a formula that cannot be computed in plain arithmetic

    >>> from symmetrics.language.cells import TP
    >>> print(standard_error_code(TP**2, "error").splitlines()[1])
        const t1 = tp + tp;
    """
    found = error_program(expression, GROUPS["multinomial"])
    if found is None:
        raise UnsupportedError("its standard error cannot be computed in plain arithmetic; ask for it in Python")
    program, place = found
    writer = _Writer(Recipe(program, (), inf, 0.0), JAVASCRIPT)
    lines = writer.indented(writer.case(Case((), place), {}), 1)
    return "\n".join([f"function {name}({', '.join(LETTERS)}) {{", *lines, "}", ""])


# -- Recipes as spreadsheet formulas for Excel and LibreOffice ---------------------------------------------------------


CELLS_OF_ROW: Final = ("A2", "B2", "C2", "D2")
"""Cells of the sheet for TP, FN, FP and TN: below a row of headings."""
LONGEST: Final = 8192
"""Largest length of an Excel formula."""


def _half(part: str) -> str:
    return f"({SPLIT}*{part}-({SPLIT}*{part}-{part}))"


def _lost(left: str, right: str) -> str:
    """Return the rounding error of a product of two cells, by splitting their digits (Dekker 1971)."""
    a, b, x, y = _half(left), _half(right), f"({left}-{_half(left)})", f"({right}-{_half(right)})"
    return f"((({a}*{b}-{left}*{right})+{a}*{y}+{x}*{b})+{x}*{y})"


_SHARE: Final = "({2})/(({0})+({1}))"
SPREADSHEET_FUNCTIONS: Final = MappingProxyType(
    {
        "sqrt": "SQRT({})",
        "log": "LN({})",
        "abs": "ABS({})",
        "power": "POWER({}, {})",
        "minimum": "MIN({}, {})",
        "maximum": "MAX({}, {})",
        "log_ratio": f"IF(ABS({_SHARE}) < 0.5, 2*ATANH({_SHARE}), LN(({{0}})/({{1}})))",
        "product_difference": f"(({{0}}*{{1}}-{{2}}*{{3}})+({_lost('{0}', '{1}')}-{_lost('{2}', '{3}')}))",
    }
)
_COMPARED: Final = {"nonzero": "<>", "zero": "=", "positive": ">", "nonnegative": ">="}


def spreadsheet_formula(recipe: Recipe) -> str:
    """Return a formula on the cells A2, B2, C2 and D2: #N/A where undefined, #DIV/0! at a pole.

    A pole at which values grow below all bounds is #NUM!, for a cell can hold no infinite number.

    :raises UnsupportedError: if it is longer than Excel takes
    """
    formula = f"={_FormulaWriter(recipe).whole()}"
    if len(formula) > LONGEST:
        raise UnsupportedError(
            f"as a formula of a spreadsheet it has {len(formula)} letters, of which Excel takes {LONGEST}; "
            "compute it elsewhere, such as by SQL"
        )
    return formula


class _FormulaWriter:
    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.write = texts(Signs(recipe.program), CELLS_OF_ROW, SPREADSHEET_FUNCTIONS, {})

    def whole(self) -> str:
        cells, least, most = ", ".join(CELLS_OF_ROW), self.recipe.least, self.recipe.most
        tests = [f"COUNT({cells}) = 4", f"MIN({cells}) >= 0", f"MAX({cells}) <= {most!r}"]
        if least:
            tests += [f"OR({cell} = 0, {cell} >= {least!r})" for cell in CELLS_OF_ROW]
        *special, last = self.recipe.branches
        value = reduce(
            lambda other, branch: f"IF({self.where(branch.where)}, {self.cases(branch.cases)}, {other})",
            reversed(special),
            self.cases(last.cases),
        )
        return f"IF(AND({', '.join(tests)}), {value}, NA())"

    def where(self, where: Sequence[Zeros]) -> str:
        tests = [self.zeros(zeros) for zeros in where]
        return tests[0] if len(tests) == 1 else f"OR({', '.join(tests)})"

    def zeros(self, zeros: Zeros) -> str:
        named = sorted(zeros.zero | zeros.nonzero)
        tests = [f"{CELLS_OF_ROW[place]} {'=' if place in zeros.zero else '>'} 0" for place in named]
        return tests[0] if len(tests) == 1 else f"AND({', '.join(tests)})"

    def cases(self, cases: Sequence[Case]) -> str:
        if not cases:
            return "NA()"
        first, *rest = cases
        return self.case(first.requirements, first.value, lambda: self.cases(rest))

    def case(self, requirements: Sequence[Requirement], value: int | str, other: Callable[[], str]) -> str:
        if requirements:
            first, *rest = requirements
            test = f"{self.write(first.place).within(1)} {_COMPARED[first.kind]} 0"
            return f"IF({test}, {self.case(rest, value, other)}, {other()})"
        if isinstance(value, str):
            return "1/0" if value == INFINITY else "SQRT(-1)"
        return self.write(value).text


# -- Recipes in LaTeX: the formula as shown, and its values at zero cells, as cases ------------------------------------


_NAMES: Final = {cell: rf"\mathit{{{cell.name}}}" for cell in CELLS}
_RELATIONS: Final = {"nonzero": r"\neq 0", "zero": "= 0", "positive": "> 0", "nonnegative": r"\geq 0"}
_AND: Final = r" \text{ and } "
_INFINITE: Final = {INFINITY: r"\infty", NEGATIVE_INFINITY: r"-\infty"}


def latex_cases(recipe: Recipe, expression: Expr) -> str:
    r"""Return a formula in LaTeX for math mode; its environment is in the package ``amsmath``.

    :param expression: the formula as it is shown

    >>> from symmetrics.language.cells import FP, TP
    >>> from symmetrics.codegen.recipe import recipe_of
    >>> print(latex_cases(recipe_of(TP / (TP + FP)), TP / (TP + FP)))
    \begin{cases}
      \text{undefined} & \text{if } \mathit{TP} = \mathit{FP} = 0 \\
      \frac{\mathit{TP}}{\mathit{FP} + \mathit{TP}} & \text{otherwise}
    \end{cases}
    """
    *special, last = recipe.branches
    lines = [line for branch in special for line in _branch(recipe, branch)]
    shown = str(latex(expression, symbol_names=_NAMES))
    if not last.cases:
        shown = r"\text{undefined}"
    if not lines:
        return shown
    body = " \\\\\n  ".join([*lines, rf"{shown} & \text{{otherwise}}"])
    return f"\\begin{{cases}}\n  {body}\n\\end{{cases}}"


def _branch(recipe: Recipe, branch: Branch) -> list[str]:
    where = r" \text{ or } ".join(map(_zeros, branch.where))
    lines = [_case(recipe, case, where) for case in branch.cases]
    if not branch.cases or branch.cases[-1].requirements:
        lines.append(rf"\text{{undefined}} & \text{{if }} {where}")
    return lines


def _zeros(zeros: Zeros) -> str:
    named = [_NAMES[CELLS[place]] for place in range(len(CELL_NAMES)) if place in zeros.zero]
    positive = [_NAMES[CELLS[place]] for place in range(len(CELL_NAMES)) if place in zeros.nonzero]
    parts = [" = ".join([*named, "0"])] if named else []
    return ",\\ ".join([*parts, *(f"{name} > 0" for name in positive)])


def _case(recipe: Recipe, case: Case, where: str) -> str:
    tests = [where, *(f"{_text(recipe, place)} {_RELATIONS[kind]}" for kind, place in case.requirements)]
    value = _INFINITE[case.value] if isinstance(case.value, str) else _text(recipe, case.value)
    return rf"{value} & \text{{if }} {_AND.join(tests)}"


def _text(recipe: Recipe, place: int) -> str:
    return str(latex(expression_at(recipe.program, place), symbol_names=_NAMES))
