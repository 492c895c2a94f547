"""Parameters of a metric: a symbol, the interval of its values, and a default."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from sympy import And, Eq, Expr, Ge, Gt, Interval, Le, Lt, Ne, Rational, S, Symbol
from sympy.logic.boolalg import Boolean

from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import CONSTANTS, FUNCTIONS, RESERVED_PREFIX, exact_rational, parse_number
from symmetrics.language.names import CELL_NAMES
from symmetrics.tools.errors import DefinitionError, FormulaError, shortened

_DECLARATION: Final = re.compile(
    r"\s*(?P<name>[A-Za-z_]\w*)"
    r"(?:\s+in\s*(?P<left>[\[(])(?P<lower>[^,\])]+),(?P<upper>[^,\])]+)(?P<right>[\])]))?"
    r"(?:\s*=\s*(?P<default>[^=]+))?\s*",
    re.ASCII,
)
_INFINITE: Final = {"oo": S.Infinity, "inf": S.Infinity, "+oo": S.Infinity, "+inf": S.Infinity} | {
    "-oo": S.NegativeInfinity,
    "-inf": S.NegativeInfinity,
}


@dataclass(frozen=True)
class Parameter:
    """A named real parameter on an interval with exact bounds; usable in arithmetic like its symbol.

    :param name: letters, digits and underscores in ASCII; not the name of a cell or a function, nor a keyword of Python
    :param lower: least value, exact, or ``-oo``
    :param upper: greatest value, exact, or ``oo``
    :param default: the value that a metric takes when the parameter is not bound; None if there is none
    :param lower_open: whether *lower* itself is excluded
    :param upper_open: whether *upper* itself is excluded

    >>> weight = Parameter("w", 0, 1, default=Rational(3, 4))
    >>> str(weight), Rational(1, 2) in weight, 2 in weight
    ('w in [0, 1] = 3/4', True, False)
    >>> 1 - weight * Rational(1, 2)
    1 - w/2
    """

    name: str
    lower: Expr = S.NegativeInfinity
    upper: Expr = S.Infinity
    default: Rational | None = None
    lower_open: bool = False
    upper_open: bool = False

    def __post_init__(self) -> None:
        _check_name(self.name)
        for bound in ("lower", "upper"):
            value = getattr(self, bound)
            infinite = next((end for end in (S.Infinity, S.NegativeInfinity) if value == end), None)
            object.__setattr__(self, bound, infinite or exact_rational(value, f"parameter {self.name}"))
        if self.default is not None:
            object.__setattr__(self, "default", exact_rational(self.default, f"parameter {self.name}"))
        object.__setattr__(self, "lower_open", self.lower_open or self.lower is S.NegativeInfinity)
        object.__setattr__(self, "upper_open", self.upper_open or self.upper is S.Infinity)
        if self.lower > self.upper or (self.lower == self.upper and (self.lower_open or self.upper_open)):
            raise DefinitionError(f"parameter {self.name}: the domain {self.domain_text} is empty")
        if self.default is not None and self.default not in self:
            raise DefinitionError(f"parameter {self.name}: the default {self.default} is outside {self.domain_text}")

    @classmethod
    def parse(cls, text: str) -> Parameter:
        """Read a declaration such as ``w in [0, 1]``, ``beta in [0, oo) = 2`` or ``w = 1/2``.

        >>> Parameter.parse("beta in [0, oo) = 2")
        Parameter('beta in [0, oo) = 2')

        :raises FormulaError: if the text is not a declaration
        """
        found = _DECLARATION.fullmatch(text)
        if not found:
            raise FormulaError(f'parameter {shortened(text)!r}: write it as "w in [0,1]" or "w in [0,1] = 3/4"')
        try:
            lower, upper = _bound(found["lower"] or "-oo"), _bound(found["upper"] or "oo")
            default = parse_number(found["default"]) if found["default"] else None
        except FormulaError as error:
            raise FormulaError(f"parameter {shortened(text)!r}: {error}") from None
        return cls(found["name"], lower, upper, default, found["left"] == "(", found["right"] == ")")

    @cached_property
    def symbol(self) -> Symbol:
        """The symbol that stands for this parameter in formulas."""
        return parameter_symbol(self.name)

    def _sympy_(self) -> Symbol:
        """Return the symbol; SymPy calls this wherever a parameter occurs in an expression."""
        return self.symbol

    def __add__(self, other: object) -> Expr:
        return self.symbol + other

    def __radd__(self, other: object) -> Expr:
        return other + self.symbol

    def __sub__(self, other: object) -> Expr:
        return self.symbol - other

    def __rsub__(self, other: object) -> Expr:
        return other - self.symbol

    def __mul__(self, other: object) -> Expr:
        return self.symbol * other

    def __rmul__(self, other: object) -> Expr:
        return other * self.symbol

    def __truediv__(self, other: object) -> Expr:
        return self.symbol / other

    def __rtruediv__(self, other: object) -> Expr:
        return other / self.symbol

    def __pow__(self, other: object) -> Expr:
        return self.symbol**other

    def __rpow__(self, other: object) -> Expr:
        return other**self.symbol

    def __neg__(self) -> Expr:
        return -self.symbol

    def __pos__(self) -> Expr:
        return self.symbol

    def __abs__(self) -> Expr:
        return abs(self.symbol)

    @property
    def domain(self) -> Interval:
        """The interval of admissible values, as a SymPy set."""
        return Interval(self.lower, self.upper, self.lower_open, self.upper_open)

    @property
    def domain_text(self) -> str:
        """The domain as written in a declaration."""
        left, right = "(" if self.lower_open else "[", ")" if self.upper_open else "]"
        return f"{left}{self.lower}, {self.upper}{right}"

    def __contains__(self, value: object) -> bool:
        exact = exact_rational(value, f"parameter {self.name}")
        above = exact > self.lower or (exact == self.lower and not self.lower_open)
        below = exact < self.upper or (exact == self.upper and not self.upper_open)
        return bool(above and below)

    def __str__(self) -> str:
        return f"{self.name} in {self.domain_text}" + ("" if self.default is None else f" = {self.default}")

    def __repr__(self) -> str:
        return f"Parameter({str(self)!r})"


def bound_values(metric: str, parameters: Iterable[Parameter], values: Mapping[str, object]) -> dict[Symbol, Expr]:
    """Return the exact values to which some of a metric's parameters are bound.

    :param metric: the name of the metric, for errors
    :raises DefinitionError: if a parameter is unknown or a value outside its domain
    :raises FormulaError: if a value is not exact
    """
    by_name = {parameter.name: parameter for parameter in parameters}
    bound: dict[Symbol, Expr] = {}
    for name, value in values.items():
        if name not in by_name:
            known = ", ".join(by_name) or "none"
            raise DefinitionError(f"metric {metric}: no parameter {name!r}; its parameters are: {known}")
        exact = exact_rational(value, f"parameter {name}")
        if exact not in by_name[name]:
            raise DefinitionError(f"metric {metric}: {name} = {exact} is outside {by_name[name].domain_text}")
        bound[by_name[name].symbol] = exact
    return bound


def defaults_of(parameters: Iterable[Parameter]) -> dict[Symbol, Expr] | None:
    """Return the defaults of some parameters by symbol, or None if one has none.

    >>> defaults_of([Parameter("w", 0, 1, default=Rational(3, 4))])
    {w: 3/4}
    """
    declared = list(parameters)
    found = {p.symbol: p.default for p in declared if p.default is not None}
    return found if len(found) == len(declared) else None


def at_defaults_text(parameters: Iterable[Parameter]) -> str:
    """Describe the point of the default parameters, as text.

    >>> at_defaults_text([Parameter("w", 0, 1, default=Rational(3, 4))])
    'at w = 3/4'
    """
    return f"at {', '.join(f'{parameter.name} = {parameter.default}' for parameter in parameters)}"


def declared_in(texts: object) -> tuple[Parameter, ...]:
    """Return the parameters that a certificate declares, as a list of texts.

    >>> declared_in(["w in [0, 1]"])[0].name
    'w'

    :raises FormulaError: if it is another thing than a list, or a text cannot be read
    """
    if not isinstance(texts, list):
        raise FormulaError(f"parameters are a list of texts, not {type(texts).__name__}")
    return tuple(map(Parameter.parse, texts))


def _check_name(name: object) -> None:
    if not isinstance(name, str) or not (name.isascii() and name.isidentifier()):
        raise DefinitionError(f"parameter {name!r}: a name is letters, digits and underscores, as in beta or w_1")
    if keyword.iskeyword(name):
        raise DefinitionError(f"parameter {name!r}: this is a keyword of Python; write {name}_")
    if name == "oo":
        raise DefinitionError("parameter 'oo': this is how infinity is written in limits and ranges; take another name")
    if name in {*CELL_NAMES, *CONSTANTS, *FUNCTIONS} or name.startswith(RESERVED_PREFIX):
        raise DefinitionError(f"parameter {name!r}: the name is taken by a cell, a function or an auxiliary variable")


def _bound(text: str) -> Expr:
    compact = text.strip().lower()
    return _INFINITE[compact] if compact in _INFINITE else parse_number(compact)


# -- Parts of a parameter's domain (an interval or a single value), and claims restricted to them ----------------------


def piece(parameter: Parameter, text: str) -> Parameter:
    """Read a part of a parameter's domain: an interval such as ``(0, 1/2]``, or a number.

    :raises FormulaError: if it is neither
    """
    written = text if text[:1] in ("[", "(") else f"[{text}, {text}]"
    part = Parameter.parse(f"{parameter.name} in {written}")
    inside = parameter.default is not None and parameter.default in part
    return replace(part, default=parameter.default) if inside else part


def narrowed(claim: Any, part: Parameter) -> Any:
    """Restrict a claim to the values of one parameter in a part of its domain."""
    if part.lower == part.upper:
        return claim.at({part.symbol: part.lower})
    return replace(claim, parameters=tuple(part if p.name == part.name else p for p in claim.parameters))


def relation(parameter: Parameter, part: Parameter) -> Boolean:
    """Return the condition for values to lie in a part of a parameter's domain.

    >>> from symmetrics.language.condition import condition_text
    >>> whole = Parameter.parse("w in [0, 1]")
    >>> condition_text(relation(whole, piece(whole, "(0, 1/2]")))
    'w != 0 and w <= 1/2'
    """
    symbol = parameter.symbol
    if part.lower == part.upper:
        return Eq(symbol, part.lower)
    below, above = S.true, S.true
    if part.lower != parameter.lower:
        below = (Gt if part.lower_open else Ge)(symbol, part.lower)
    elif part.lower_open and not parameter.lower_open:
        below = Ne(symbol, part.lower)
    if part.upper != parameter.upper:
        above = (Lt if part.upper_open else Le)(symbol, part.upper)
    elif part.upper_open and not parameter.upper_open:
        above = Ne(symbol, part.upper)
    return And(below, above)
