"""Detect factors and terms that SymPy cancels while a formula is read.

A metric is its expression as it is shown; ``TP*FP/FP`` is read as ``TP``, and has a value where FP is 0.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from sympy import Expr, Mul, Pow, log

from symmetrics.language.formula import Builder, known_names, parse_formula, syntax_tree
from symmetrics.language.writer import as_written, formula_text

DIVISION: Final = "division by"
ROOT: Final = "root of"
LOGARITHM: Final = "logarithm of"


def cancelled(text: str, parameters: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the divisors, radicands and arguments of logarithms that vanish from a formula when SymPy reads it.

    :param text: the formula, as :func:`~symmetrics.language.formula.parse_formula` takes it
    :param parameters: the names that it may use beside the cells
    :raises FormulaError: if the text is no formula

    >>> cancelled("TP*FP/FP/(TP + FN)"), cancelled("log(TP - FN) - log(TP - FN) + TP"), cancelled("TP/(TP + FN)")
    (('the division by FP',), ('the logarithm of -FN + TP',), ())
    """
    declared = tuple(parameters)
    expression = parse_formula(text, declared)
    names = known_names(declared)
    source = " ".join(text.split())
    recorder = _Recorder(names, source)
    tree = syntax_tree(source)
    with as_written(tree):
        recorder.build(tree)
    left = {(kind, base) for kind, part in _obstacles(expression) for base in _bases(kind, part)}
    found = dict.fromkeys((kind, base) for kind, part in recorder.obstacles for base in _bases(kind, part))
    return tuple(f"the {kind} {formula_text(base)}" for kind, base in found if (kind, base) not in left)


class _Recorder(Builder):
    """Builds a formula, and records its divisors, radicands and arguments of logarithms before they can cancel."""

    def __init__(self, names: dict[str, Expr], source: str) -> None:
        super().__init__(names, source)
        self.obstacles: list[tuple[str, Expr]] = []

    def name(self, name: str) -> Expr:
        expression = super().name(name)
        self.obstacles += _obstacles(expression)
        return expression

    def binary(self, operator: ast.operator, left: Expr, right: Expr) -> Expr:
        if isinstance(operator, ast.Div):
            self.obstacles.append((DIVISION, right))
        elif isinstance(operator, ast.Pow):
            self.obstacles += _obstacles_of_power(left, right)
        return super().binary(operator, left, right)

    def call(self, name: str, arguments: list[Expr]) -> Expr:
        if name in ("sqrt", "log"):
            self.obstacles += [(ROOT if name == "sqrt" else LOGARITHM, argument) for argument in arguments]
        return super().call(name, arguments)


def _obstacles(expression: Expr) -> Iterator[tuple[str, Expr]]:
    """Yield the divisors, radicands and arguments of logarithms in an expression."""
    for node in expression.atoms(Pow, log):
        if isinstance(node, log):
            yield LOGARITHM, node.args[0]
        else:
            yield from _obstacles_of_power(node.base, node.exp)


def _obstacles_of_power(base: Expr, exponent: Expr) -> Iterator[tuple[str, Expr]]:
    if exponent.could_extract_minus_sign():
        yield DIVISION, base
    if exponent.is_Integer is not True:
        yield ROOT, base


def _bases(kind: str, expression: Expr) -> Iterator[Expr]:
    """Yield the factors of an expression up to numbers and powers, and of divisors up to signs."""
    for factor in Mul.make_args(expression):
        base = factor.as_base_exp()[0]
        if base.is_Mul:
            yield from _bases(kind, base)
        elif base.free_symbols:
            yield -base if kind == DIVISION and base.could_extract_minus_sign() else base
