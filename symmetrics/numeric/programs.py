"""Programs of the library's formulas, compiled when the package was built: numbers then need no algebra.

What is written of a formula are its plans, the limits that it has on whole faces, and what intervals have to know of
it.  Dataclasses are written by their fields and exact numbers as such, so that what is read is what was compiled.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from symmetrics.numeric.program import Program

if TYPE_CHECKING:
    from sympy import Expr


DIGITS: Final = 30
"""Decimal digits kept of constants such as log(2); float64 holds 16, extended precision 19."""


@dataclass(frozen=True)
class Constant:
    """A number such as log(2), in place of SymPy's: its digits, and its ``repr``, by which terms are sorted."""

    digits: str
    written: str

    def __repr__(self) -> str:
        return self.written

    def __str__(self) -> str:
        return self.digits

    def __float__(self) -> float:
        return float(self.digits)

    def __gt__(self, other: float) -> bool:
        return float(self) > other

    def evalf(self, _digits: int) -> Constant:
        """Return the number itself, which has the digits that are asked for."""
        return self


class LibraryFormula:
    """A formula of the library with what was compiled of it; SymPy reads the formula where that does not suffice.

    It stands for the expression wherever numbers are computed.

    :param text: what :func:`encoded` has made of it, as JSON
    :param load: returns the expression
    """

    def __init__(self, text: str, load: Callable[[], Expr]) -> None:
        self._text = text
        self._load = load
        self._parts: dict[str, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return LibraryFormula, (self._text, self._load)

    @cached_property
    def expression(self) -> Expr:
        """The formula."""
        return self._load()

    @cached_property
    def _data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self._text)
        return data

    def part(self, name: str, *kinds: type) -> Any:
        """Return a part of what was compiled, decoded once; *kinds* are as :func:`decoded` takes them."""
        if name not in self._parts:
            self._parts[name] = decoded(self._data[name], *kinds)
        return self._parts[name]

    @cached_property
    def limits(self) -> dict[int, float]:
        """The faces, as bits, on which nan, as a kernel finds it, stands for one and the same value."""
        return {int(face): float(value) for face, value in self._data["limits"].items()}

    @property
    def has_kinks(self) -> bool:
        """Whether there is an absolute value or an extreme in it."""
        return bool(self._data["has_kinks"])

    @property
    def slopes(self) -> str:
        """The source of the function that computes its slopes."""
        return str(self._data["slopes"])


if TYPE_CHECKING:
    Computable: TypeAlias = Expr | LibraryFormula
    """A formula from which numbers are computed."""
else:
    Computable = Any


def expression_of(formula: Computable) -> Expr:
    """Return the expression that a formula is, or stands for."""
    return formula.expression if isinstance(formula, LibraryFormula) else formula


def encoded(value: Any) -> Any:
    """Return a plan, or another record of numbers and programs, as JSON has it: each record by its fields.

    >>> encoded((Fraction(1, 3), "add", 2, 0.5))
    [{'fraction': '1/3'}, 'add', 2, 0.5]
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if isinstance(value, Program):
        return {"Program": {"operations": encoded(value.operations)}}
    if is_dataclass(value):
        return {type(value).__name__: {field.name: encoded(getattr(value, field.name)) for field in fields(value)}}
    if hasattr(value, "_asdict"):
        return {type(value).__name__: {name: encoded(part) for name, part in value._asdict().items()}}
    if isinstance(value, tuple | list):
        return [encoded(part) for part in value]
    return encoded(Constant(str(value.evalf(DIGITS)), repr(value)))


def decoded(data: Any, *kinds: type) -> Any:
    """Return what was encoded.

    :param kinds: the classes of the records in it

    >>> decoded([{"fraction": "1/3"}, "add", 2, 0.5])
    (Fraction(1, 3), 'add', 2, 0.5)
    """
    by_name: dict[str, Callable[..., Any]] = {kind.__name__: kind for kind in (*kinds, Constant, Program)}

    def made(data: Any) -> Any:
        if isinstance(data, list):
            return tuple(map(made, data))
        if not isinstance(data, dict):
            return data
        ((name, content),) = data.items()
        if name == "fraction":
            return Fraction(content)
        return by_name[name](**{field: made(part) for field, part in content.items()})

    return made(data)
