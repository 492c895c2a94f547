"""A definition over whole matrices as a user gives it, looked at before anything is computed with it."""

from __future__ import annotations

import re
from typing import Final

from sympy import (
    Abs,
    Dummy,
    Expr,
    Float,
    Function,
    Indexed,
    IndexedBase,
    Integer,
    Interval,
    KroneckerDelta,
    Max,
    Min,
    Pow,
    S,
    Sum,
    Symbol,
    log,
)

from symmetrics.language.cells import CELLS
from symmetrics.language.definition import check_name
from symmetrics.language.parameter import Parameter
from symmetrics.language.validation import as_parameters, canonical_symbols
from symmetrics.matrices.nodes import (
    CLASS_CELLS,
    INDICES,
    MEANS,
    C,
    ClassDistance,
    Correlation,
    FMeasure,
    RelativeEntropy,
    k,
)
from symmetrics.tools.errors import DefinitionError, shortened

__all__ = ["validated"]

_FUNCTIONS = (*MEANS, ClassDistance, Correlation, FMeasure, RelativeEntropy, KroneckerDelta, log, Abs, Min, Max)
_TAKEN: Final = frozenset({str(symbol) for symbol in (k, C, *INDICES, *CLASS_CELLS)})
_ENTRY: Final = re.compile(r"c_\d+_\d+", re.ASCII)
"""What the entries of a matrix are called in formulas."""
_UNDEFINED = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity, S.ImaginaryUnit)


def validated(
    name: str, definition: object, parameters: object, range: object = None
) -> tuple[Expr, tuple[Parameter, ...]]:
    """Return the definition and the parameters of a metric of matrices.

    :raises DefinitionError: on what is no expression in the language of :mod:`symmetrics.matrices.nodes`

    >>> from symmetrics.language.cells import FN, TP
    >>> validated("mine", TP / (TP + FN), ())
    Traceback (most recent call last):
        ...
    symmetrics.tools.errors.DefinitionError: metric mine: FN, TP stand outside of a mean over classes; write \
ClassMean(...) around them, or tp[i], fn[i], fp[i], tn[i] in a sum
    """
    check_name(name)
    if not isinstance(definition, Expr):
        quoted = ", without quotes" if isinstance(definition, str) else ""
        raise DefinitionError(
            f"metric {name}: {shortened(repr(definition))} is not an expression over a matrix; write one such as "
            f"ClassMean(TP/(TP + FN)){quoted}, with the names of symmetrics.matrices.nodes"
        )
    if range is not None and (not isinstance(range, Interval) or range.free_symbols):
        raise DefinitionError(f"metric {name}: the range {shortened(repr(range))} is not one such as Interval(0, 1)")
    declared = as_parameters(name, parameters)
    expression = canonical_symbols(definition, declared)
    _require_names(name, declared)
    _require_language(name, expression)
    _require_indices(name, expression)
    for body in {mean.args[0] for mean in expression.atoms(*MEANS)}:
        _require_of_cells(name, body)
    _require_bound(name, expression, declared)
    return expression, declared


def _require_names(name: str, declared: tuple[Parameter, ...]) -> None:
    """Refuse parameters that are called like one another, or like what the language has."""
    names = [parameter.name for parameter in declared]
    for taken in names:
        if names.count(taken) > 1:
            raise DefinitionError(f"metric {name}: two parameters are called {taken}; rename one of them")
        if taken in _TAKEN or _ENTRY.fullmatch(taken):
            raise DefinitionError(
                f"metric {name}: {taken} is a name of the language of metrics of matrices; rename the parameter"
            )


def _require_language(name: str, expression: Expr) -> None:
    for number in expression.atoms(Float):
        raise DefinitionError(f"metric {name}: {number} is a float; write it exactly, as Rational('{float(number)}')")
    for function in expression.atoms(Function):
        if not isinstance(function, _FUNCTIONS):
            raise DefinitionError(f"metric {name}: {function.func} is outside the language of metrics of matrices")
    if expression.has(*_UNDEFINED):
        raise DefinitionError(f"metric {name}: the definition has no real value whatever the counts")


def _require_indices(name: str, expression: Expr) -> None:
    """Refuse sums over some classes only, and indices that are taken for numbers."""
    places = expression.atoms(Indexed, KroneckerDelta, ClassDistance)
    for place in places:
        if not set(place.indices if isinstance(place, Indexed) else place.args) <= set(INDICES):
            raise DefinitionError(f"metric {name}: {place} names a class; write the indices i, j, r, s")
    for total in expression.atoms(Sum):
        if any(limits[0] not in INDICES or tuple(limits[1:]) != (1, k) for limits in total.limits):
            raise DefinitionError(f"metric {name}: {total} is not over all classes; write over(..., i)")
        if len({limits[0] for limits in total.limits}) < len(total.limits):
            raise DefinitionError(f"metric {name}: {total} is over one index twice; write over(..., i, j)")
        if numbers := total.function.xreplace(dict.fromkeys(places, Dummy())).free_symbols & set(INDICES):
            index = min(symbol.name for symbol in numbers)
            raise DefinitionError(
                f"metric {name}: the index {index} is a class, not a number; write ClassDistance(i, j)"
            )


def _require_of_cells(name: str, body: Expr) -> None:
    """Refuse in a mean over classes what is no formula over the four cells."""
    others = body.atoms(Function, Sum, Indexed) - body.atoms(log, Abs, Min, Max)
    if others or body.has(k):
        found = min(map(str, others), default="k")
        raise DefinitionError(
            f"metric {name}: {shortened(found)} stands in a mean over classes, which is of a formula over the cells"
        )
    if exponents := [power.exp for power in body.atoms(Pow) if power.exp.free_symbols & set(CELLS)]:
        exponent = shortened(min(map(str, exponents)))
        raise DefinitionError(
            f"metric {name}: the exponent {exponent} in a mean over classes holds a cell; it may hold numbers and "
            "parameters"
        )


def _require_bound(name: str, expression: Expr, declared: tuple[Parameter, ...]) -> None:
    """Refuse symbols that nothing gives a value."""
    bases = {C, *CLASS_CELLS}
    known = {k, *(base.label for base in bases), *(parameter.symbol for parameter in declared)}
    outside = expression.xreplace({mean: Integer(1) for mean in expression.atoms(*MEANS)})
    bodies = [mean.args[0] for mean in expression.atoms(*MEANS)]
    symbols = {symbol for symbol in outside.free_symbols if type(symbol) is not IndexedBase}
    free = {s for s in symbols if isinstance(s, Symbol)} - known
    if cells := free & set(CELLS):
        listed = ", ".join(sorted(cell.name for cell in cells))
        raise DefinitionError(
            f"metric {name}: {listed} stand outside of a mean over classes; write ClassMean(...) around them, or "
            "tp[i], fn[i], fp[i], tn[i] in a sum"
        )
    if indices := free & set(INDICES):
        index = min(symbol.name for symbol in indices)
        raise DefinitionError(f"metric {name}: no sum binds the index {index}; write over(..., {index})")
    unknown = free | ({s for body in bodies for s in body.free_symbols} - set(CELLS) - known)
    if unknown:
        first = min(symbol.name for symbol in unknown)
        raise DefinitionError(f'metric {name}: undeclared {first}; declare it with parameters="{first} in [0, 1]"')
