"""Recipes as formulas of a spreadsheet, as Excel and LibreOffice read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from types import MappingProxyType
from typing import Final

from symmetrics.codegen.folding import INFINITY, Requirement
from symmetrics.codegen.languages import texts
from symmetrics.codegen.recipe import Case, Recipe, Zeros
from symmetrics.numeric.operations import SPLIT
from symmetrics.numeric.precision import Signs
from symmetrics.tools.errors import UnsupportedError

CELLS_OF_ROW: Final = ("A2", "B2", "C2", "D2")
"""Where TP, FN, FP and TN stand: below a row of headings."""
LONGEST: Final = 8192
"""Letters that a formula of Excel may have."""


def _half(part: str) -> str:
    return f"({SPLIT}*{part}-({SPLIT}*{part}-{part}))"


def _lost(left: str, right: str) -> str:
    """Return what rounding takes away from a product of two cells, by halves of their digits."""
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
    """Return a formula on the cells A2, B2, C2 and D2: #N/A where there is no value, #DIV/0! at a pole.

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
