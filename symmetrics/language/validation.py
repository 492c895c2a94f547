"""Validate metric definitions: refuse formulas outside the language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from sympy import Abs, Add, Expr, Float, Max, Min, Mul, Number, Pow, S, Symbol, log, sympify
from sympy.core.basic import Basic

from symmetrics.language.cells import CELLS, parameter_symbol
from symmetrics.language.formula import check_size, parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import DefinitionError, FormulaError, UndeclaredNameError

_NODES: Final = (Add, Mul, Pow, Abs, Min, Max, log, Symbol, Number)
_UNDEFINED: Final = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)
_CELL_BY_NAME: Final = dict(zip(CELL_NAMES, CELLS, strict=True))


def validated(name: str, given: object, parameters: object) -> tuple[Expr, tuple[Parameter, ...]]:
    """Return a metric's formula as an expression, and its parameters; raises on invalid ones.

    :param name: that of the metric, for errors
    :param given: an expression or its text
    :param parameters: as :func:`as_parameters` takes them
    :raises DefinitionError: on a formula outside the language, undeclared symbols, and parameters that are none
    """
    declared = as_parameters(name, parameters)
    expression = canonical_symbols(_as_expression(name, given, declared), declared)
    _validate(name, expression, declared)
    return expression, tuple(parameter for parameter in declared if parameter.symbol in expression.free_symbols)


def as_parameters(name: str, parameters: object) -> tuple[Parameter, ...]:
    """Return the parameters of a metric, given as objects, by name, as symbols or as declarations.

    :raises DefinitionError: on anything else

    >>> as_parameters("mine", "w in [0, 1]")
    (Parameter('w in [0, 1]'),)
    """
    listed = parameters if isinstance(parameters, (tuple, list)) else (parameters,)
    try:
        declared = tuple(Parameter.parse(str(p)) if isinstance(p, (str, Symbol)) else p for p in listed)
    except FormulaError as error:
        raise DefinitionError(f"metric {name}: {error}") from None
    for parameter in declared:
        if not isinstance(parameter, Parameter):
            raise DefinitionError(f"metric {name}: {parameter!r} is not a parameter; write Parameter('w', 0, 1)")
    return declared


def _as_expression(name: str, value: object, parameters: Iterable[Parameter]) -> Expr:
    if isinstance(value, str):
        try:
            return parse_formula(value, [parameter.name for parameter in parameters])
        except UndeclaredNameError as error:
            advice = f'declare a parameter with parameters="{error.name} in [0, 1]"'
            raise DefinitionError(f"metric {name}: {error.advising(advice)}") from None
        except FormulaError as error:
            raise DefinitionError(f"metric {name}: {error}") from None
    try:
        expression = sympify(value, strict=True)
    except (TypeError, ValueError):
        raise DefinitionError(f"metric {name}: {value!r} is not an expression over TP, FN, FP, TN") from None
    if not isinstance(expression, Expr):
        raise DefinitionError(f"metric {name}: {value!r} is not an expression over TP, FN, FP, TN")
    return expression


def canonical_symbols(expression: Expr, parameters: Iterable[Parameter]) -> Expr:
    """Replace symbols named like a cell or a parameter, whatever their assumptions, by the package's own."""
    known = _CELL_BY_NAME | {p.name: parameter_symbol(p.name) for p in parameters}
    swap = {s: known[s.name] for s in expression.free_symbols if s.name in known and known[s.name] != s}
    return expression.xreplace(swap) if swap else expression


def _validate(name: str, expression: Expr, parameters: tuple[Parameter, ...]) -> None:
    _validate_nodes(name, expression)
    names = [p.name for p in parameters]
    if len(set(names)) != len(names):
        raise DefinitionError(f"metric {name}: a parameter is declared twice among {', '.join(names)}")
    unknown = expression.free_symbols - {p.symbol for p in parameters} - set(CELLS)
    if unknown:
        undeclared = sorted(symbol.name for symbol in unknown)
        listed = ", ".join(map(repr, undeclared)) + ("," if len(undeclared) == 1 else "")
        raise DefinitionError(f"metric {name}: undeclared {', '.join(undeclared)}; declare with parameters=({listed})")
    bound_expression(name, expression, {p.symbol: p.default for p in parameters if p.default is not None})


def bound_expression(name: str, expression: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """Return an expression at values of parameters, after checking that it stays small and defined."""
    try:
        check_size(expression)
        if values:
            check_size(expression, values)
    except FormulaError as error:
        raise DefinitionError(f"metric {name}: {error}") from None
    try:
        bound = expression.xreplace(dict(values))
    except (TypeError, ValueError):  # SymPy raises these for Min and Max of incomparable arguments
        bound = S.NaN
    if bound.has(*_UNDEFINED):
        settings = ", ".join(f"{symbol} = {value}" for symbol, value in values.items())
        raise DefinitionError(f"metric {name}: the formula has no value at {settings}, whatever the counts")
    return bound


def _validate_nodes(name: str, expression: Expr) -> None:
    node = outside_language(expression)
    if node in _UNDEFINED:
        raise DefinitionError(f"metric {name}: the formula is undefined whatever the counts")
    if isinstance(node, Float):
        number = float(node)
        raise DefinitionError(f"metric {name}: {number} is a float; write it exactly, as Rational('{number}')")
    if isinstance(node, Pow):
        raise DefinitionError(f"metric {name}: a power of zero")
    if node is not None:
        what = type(node).__name__
        raise DefinitionError(
            f"metric {name}: {what} is outside the language of formulas (+ - * / **, sqrt, Abs, Min, Max, log)"
        )


def outside_language(expression: Expr) -> Basic | None:
    """Return a part of an expression that the language does not allow, None if there is none.

    >>> from sympy import I, sqrt
    >>> outside_language(2 * CELLS[0] + I) is I
    True
    >>> outside_language(sqrt(CELLS[0] + 1)) is None
    True
    """
    pending: list[Basic] = [expression]
    while pending:
        node = pending.pop()
        known = isinstance(node, _NODES) or node is S.Pi
        if (
            not known
            or any(node is each for each in _UNDEFINED)
            or isinstance(node, Float)
            or (isinstance(node, Pow) and node.base == 0)
        ):
            return node
        pending.extend(node.args)
    return None
