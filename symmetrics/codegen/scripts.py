"""Recipes as functions in C, JavaScript and Rust."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import inf
from typing import Final

from sympy import Expr

from symmetrics.codegen.folding import INFINITY, Requirement
from symmetrics.codegen.languages import JAVASCRIPT, RESERVED, Language, Text, texts
from symmetrics.codegen.recipe import Case, Recipe, Zeros
from symmetrics.numeric.expressions import LETTERS
from symmetrics.numeric.intervals.delta import error_program
from symmetrics.numeric.intervals.scales import GROUPS
from symmetrics.numeric.precision import Signs
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
    """Return a name that is one in every language.

    >>> function_name("f_beta(beta=2)"), function_name("return"), function_name("3 points")
    ('f_beta_beta_2', 'metric_return', 'metric_3_points')
    """
    name = re.sub(r"[^0-9A-Za-z]+", "_", text).strip("_")
    is_taken = not name or name[0].isdigit() or name.lower() in RESERVED or name in LETTERS
    return f"metric_{name}" if is_taken else name


def _one_line(title: str) -> str:
    """Return a title as a comment that ends where its line does."""
    shown = "".join(letter if letter.isprintable() else " " for letter in title)
    return " ".join(shown.split()).rstrip("\\/? ")  # in C a line that ends with "\\" or "??/" goes on


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
        is_outside = bool(language.preamble)  # the language has no functions within functions
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
        """Return the lines that return the value of a case if what it requires holds, and go on if not."""
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
        """Return the operations that more than one other needs."""
        uses = Counter(wanted)
        for place in self.program.needed(uses):
            uses.update(self.program.arguments(place))
        names = {place: self.program.operations[place][0] for place in uses}
        return frozenset(place for place, count in uses.items() if count > 1 and names[place] not in ("cell", "number"))

    def named(self, wanted: Sequence[int], often: frozenset[int], known: dict[int, str]) -> list[str]:
        """Return the lines that name the operations which are used more than once, and are needed by now."""
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


# -- Standard errors by the delta method as functions in JavaScript: the same operations as here, printed --------------


def standard_error_code(expression: Expr, name: str) -> str:
    """Return the source of a function of four positive cells: the standard error of a formula's value there.

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
