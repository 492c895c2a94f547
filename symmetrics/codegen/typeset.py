"""Recipes in LaTeX: the formula as it is shown, and what it is worth at zeros, as cases."""

from __future__ import annotations

from typing import Final

from sympy import Expr, latex

from symmetrics.codegen.folding import INFINITY, NEGATIVE_INFINITY, expression_at
from symmetrics.codegen.recipe import Branch, Case, Recipe, Zeros
from symmetrics.language.cells import CELLS
from symmetrics.language.names import CELL_NAMES

_NAMES: Final = {cell: rf"\mathit{{{cell.name}}}" for cell in CELLS}
_RELATIONS: Final = {"nonzero": r"\neq 0", "zero": "= 0", "positive": "> 0", "nonnegative": r"\geq 0"}
_AND: Final = r" \text{ and } "
_INFINITE: Final = {INFINITY: r"\infty", NEGATIVE_INFINITY: r"-\infty"}


def latex_cases(recipe: Recipe, expression: Expr) -> str:
    r"""Return a formula in LaTeX, to be set in mathematics; the package ``amsmath`` has its environment.

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
