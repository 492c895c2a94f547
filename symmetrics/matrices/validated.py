"""A definition over whole matrices as a user gives it, looked at before anything is computed with it."""

from __future__ import annotations

from sympy import Abs, Expr, Float, Function, IndexedBase, Integer, KroneckerDelta, Max, Min, S, Symbol, log

from symmetrics.language.cells import CELLS
from symmetrics.language.definition import as_parameters, canonical_symbols
from symmetrics.language.parameter import Parameter
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
_UNDEFINED = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity, S.ImaginaryUnit)


def validated(name: object, definition: object, parameters: object) -> tuple[Expr, tuple[Parameter, ...]]:
    """Return the definition and the parameters of a metric of matrices.

    :raises DefinitionError: on what is no expression in the language of :mod:`symmetrics.matrices.nodes`

    >>> from symmetrics.language.cells import FN, TP
    >>> validated("mine", TP / (TP + FN), ())
    Traceback (most recent call last):
        ...
    symmetrics.tools.errors.DefinitionError: metric mine: FN, TP stand outside of a mean over classes; write \
ClassMean(...) around them, or tp[i], fn[i], fp[i], tn[i] in a sum
    """
    if not isinstance(name, str) or not name.strip():
        raise DefinitionError(f"a metric's name is a non-empty text, not {name!r}")
    if not isinstance(definition, Expr):
        raise DefinitionError(
            f"metric {name}: {shortened(repr(definition))} is not an expression over a matrix; write one such as "
            "ClassMean(TP/(TP + FN)), with the names of symmetrics.matrices.nodes"
        )
    declared = as_parameters(name, parameters)
    expression = canonical_symbols(definition, declared)
    _require_language(name, expression)
    _require_bound(name, expression, declared)
    return expression, declared


def _require_language(name: str, expression: Expr) -> None:
    for number in expression.atoms(Float):
        raise DefinitionError(f"metric {name}: {number} is a float; write it exactly, as Rational('{float(number)}')")
    for function in expression.atoms(Function):
        if not isinstance(function, _FUNCTIONS):
            raise DefinitionError(f"metric {name}: {function.func} is outside the language of metrics of matrices")
    if expression.has(*_UNDEFINED):
        raise DefinitionError(f"metric {name}: the definition has no real value whatever the counts")


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
