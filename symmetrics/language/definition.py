"""Definition: what a metric is, before anything is done with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple, Self, cast

from sympy import Abs, Add, Expr, Float, Interval, Max, Min, Mul, Number, Pow, S, Symbol, latex, log, sympify
from sympy.core.basic import Basic

from symmetrics.language.cells import CELL_NAMES, CELLS, parameter_symbol
from symmetrics.language.formula import check_size, parse_formula
from symmetrics.language.parameter import Parameter, bound_values
from symmetrics.tools.errors import DefinitionError, FormulaError, UndeclaredNameError, shortened

__all__ = ["Citation", "Definition", "as_parameters", "canonical_symbols", "check_name", "outside_language"]

_NODES: Final = (Add, Mul, Pow, Abs, Min, Max, log, Symbol, Number)
_UNDEFINED: Final = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)
_CELL_BY_NAME: Final = dict(zip(CELL_NAMES, CELLS, strict=True))


class Citation(NamedTuple):
    """Where a definition stands: the key of a reference and the place in it."""

    reference: str
    locator: str

    def __str__(self) -> str:
        return f"{self.reference}, {self.locator}"


@dataclass(frozen=True, eq=False)
class Definition:
    """A metric's formula and the facts about it.  Two definitions are equal if formula and parameters are.

    :param name: the key: full words in lower snake case
    :param expr: an expression over TP, FN, FP, TN and the parameters, built from rational numbers, ``+ - * / **``,
        roots, ``Abs``, ``Min``, ``Max`` and ``log``, or its text, as :func:`~symmetrics.language.formula.parse_formula`
        reads it.  It is read as its continuous extension: a factor that cancels leaves no hole.
    :param parameters: the free symbols beside the cells, with their domains and defaults; a text declares one, as in
        ``"w in [0, 1] = 3/4"``, and a bare name or symbol stands for a real parameter without a default
    :param title: the name in words
    :param aliases: other names in the literature
    :param range: the interval of attainable or approached values, None if not known
    :param greater_is_better: True for a score, False for a loss, None where neither end is better.  Say it for a loss:
        it stays True where nothing is said, though scorers and datasheets decide the direction by proof
    :param cites: where the formula stands

    :raises DefinitionError: on floats, undeclared symbols or functions outside the language, and on texts that cannot
        be read

    >>> Definition("mine", "w*TP/(w*TP + FN)", parameters="w in [0, 1] = 3/4").at_defaults()
    3*TP/(4*(FN + 3*TP/4))
    """

    name: str
    expr: Expr
    parameters: tuple[Parameter, ...] = ()
    title: str = ""
    aliases: tuple[str, ...] = ()
    range: Interval | None = None
    greater_is_better: bool | None = True
    cites: tuple[Citation, ...] = ()

    def __post_init__(self) -> None:
        check_name(self.name)
        _check_facts(self)
        declared = as_parameters(self.name, self.parameters)
        expression = canonical_symbols(_as_expression(self.name, self.expr, declared), declared)
        _validate(self.name, expression, declared)
        used = tuple(p for p in declared if p.symbol in expression.free_symbols)
        object.__setattr__(self, "expr", expression)
        object.__setattr__(self, "parameters", used)
        object.__setattr__(self, "title", self.title or self.name)

    def at(self, **values: object) -> Self:
        """Return the same metric with some parameters bound to exact values.

        :raises DefinitionError: if a parameter is unknown or a value outside its domain
        """
        bound = bound_values(self.name, self.parameters, values)
        settings = ", ".join(f"{symbol}={value}" for symbol, value in bound.items())
        return replace(
            self,
            name=f"{self.name}({settings})" if settings else self.name,
            title=f"{self.title} ({settings})" if settings else self.title,
            aliases=(),
            expr=_bound(self.name, self.expr, bound),
        )

    @cached_property
    def default_values(self) -> dict[Symbol, Expr]:
        """The default of every parameter that has one."""
        return {p.symbol: p.default for p in self.parameters if p.default is not None}

    def at_defaults(self) -> Expr:
        """Return the formula with every parameter at its default.

        :raises DefinitionError: if a parameter has none
        """
        missing = [p.name for p in self.parameters if p.default is None]
        if missing:
            example = f".at({missing[0]}='1/2'), or declare a default, as in '{missing[0]} in [0, 1] = 1/2'"
            raise DefinitionError(f"metric {self.name}: bind {', '.join(missing)} first, as in {example}")
        return self.expr.xreplace(self.default_values)

    @cached_property
    def latex(self) -> str:
        """The formula in LaTeX."""
        return str(latex(self.expr, symbol_names={cell: rf"\mathit{{{cell.name}}}" for cell in CELLS}))

    @cached_property
    def _identity(self) -> tuple[str, Expr, tuple[Parameter, ...]]:
        return (self.name, self.expr, self.parameters)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Definition) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)


def check_name(name: object) -> None:
    """Refuse what is no name of a metric.

    :raises DefinitionError: if it is not a text, or empty
    """
    if not isinstance(name, str) or not name.strip():
        raise DefinitionError(f"a metric's name is a non-empty text, not {name!r}")


def _check_facts(given: Definition) -> None:
    """Refuse facts about a metric that are of another kind than their fields."""
    better, names = given.greater_is_better, cast(object, given.aliases)
    are_texts = isinstance(names, tuple | list) and all(isinstance(name, str) for name in names)
    for field, is_fine, wanted in (
        ("title", isinstance(given.title, str), "a text"),
        ("aliases", are_texts, "a tuple of texts, as in ('recall',)"),
        ("range", given.range is None or isinstance(given.range, Interval), "an Interval of SymPy, or None"),
        ("greater_is_better", better is None or isinstance(better, bool), "True, False or None"),
    ):
        if not is_fine:
            raise DefinitionError(
                f"metric {given.name}: {field}={shortened(repr(getattr(given, field)))} is not {wanted}"
            )


def as_parameters(name: str, parameters: object) -> tuple[Parameter, ...]:
    """Return the parameters of a metric, given as such, by name, as symbols or as texts that declare them.

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
    """Replace symbols that have the name of a cell or a parameter, whatever their assumptions, by those used here."""
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
    _bound(name, expression, {p.symbol: p.default for p in parameters if p.default is not None})


def _bound(name: str, expression: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """Return the expression at values of parameters, after a look at how large it gets and whether it has a value."""
    try:
        check_size(expression)
        if values:
            check_size(expression, values)
    except FormulaError as error:
        raise DefinitionError(f"metric {name}: {error}") from None
    try:
        bound = expression.xreplace(dict(values))
    except (TypeError, ValueError):  # SymPy's, of Min and Max of what cannot be compared
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
    """Return a part of an expression that no formula may have, None if there is none.

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
