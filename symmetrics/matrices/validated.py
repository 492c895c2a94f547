"""Validate a user's definition over whole matrices before anything is computed with it."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Mapping, Sequence, Set
from typing import Final

from sympy import (
    Abs,
    Add,
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

from symmetrics.data.counts import shown
from symmetrics.language.cells import CELLS
from symmetrics.language.definition import check_name
from symmetrics.language.formula import exact_rational
from symmetrics.language.parameter import Parameter
from symmetrics.language.validation import as_parameters, canonical_symbols
from symmetrics.matrices.expansion import Entries
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
from symmetrics.numeric.averaging import AVERAGES, refuse_named_weights
from symmetrics.posets.relevance import Relevance
from symmetrics.tools.errors import DefinitionError, FormulaError, InputError, shortened
from symmetrics.tools.texts import number_of

_FUNCTIONS = (*MEANS, ClassDistance, Correlation, FMeasure, RelativeEntropy, KroneckerDelta, log, Abs, Min, Max)
_TAKEN: Final = frozenset({str(symbol) for symbol in (k, C, *INDICES, *CLASS_CELLS)})
_ENTRY: Final = re.compile(r"c_\d+_\d+", re.ASCII)
"""Prefix of the entries' names in formulas."""
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
    """Refuse parameters with duplicate names, or names that the language uses."""
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
    """Refuse sums over some classes only, and indices used as numbers."""
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
    """Refuse a mean over classes of anything but a formula over the four cells."""
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
    """Refuse symbols without a value."""
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


# -- Validate inputs for exact values and formulas: matrices, weights of classes, numbers of classes -------------------


def exact_entries(matrix: object) -> Entries:
    """Return the rows of a matrix of non-negative whole or rational counts.

    :param matrix: rows of numbers, or a two-dimensional array
    :raises InputError: if it is not a square matrix of exact counts

    >>> exact_entries([[1, 2], [0, "1/2"]])
    ((1, 2), (0, 1/2))
    """
    rows = [_listed(row) for row in _listed(matrix) or ()]
    if not rows or None in rows:
        raise InputError(f"C={shown(matrix)} is not a square matrix; pass rows of counts, as in [[5, 1], [2, 6]]")
    entries = tuple(
        tuple(_exact_count(entry, f"C[{r}, {c}]") for c, entry in enumerate(row or ())) for r, row in enumerate(rows)
    )
    if any(len(row) != len(entries) for row in entries):
        raise InputError(f"C has rows of {', '.join(str(len(row)) for row in entries)} entries; pass a square matrix")
    return entries


def exact_weights(average: object, entries: Entries) -> tuple[Expr, ...] | None:
    """Return the weight of each class in a mean, or None for pooled cells.

    :param average: a name, a relevance, or one weight per class, exact or symbolic
    :raises InputError: on what is no average with a single value, or does not fit the matrix

    >>> exact_weights("weighted", ((S(1), S(2)), (S(3), S(4))))
    (3, 7)
    """
    if isinstance(average, str) and average in AVERAGES:
        named = {"macro": tuple(S.One for _ in entries), "weighted": tuple(Add(*row) for row in entries)}
        return named.get(average)
    refuse_named_weights(average)
    given = average.values if isinstance(average, Relevance) else _listed(average)
    if given is None:
        choices = ", ".join(map(repr, AVERAGES))
        raise InputError(f"average={shown(average)} is not one of {choices} or a list of one weight per class")
    weights = tuple(_exact_weight(weight, place) for place, weight in enumerate(given))
    if len(weights) != len(entries):
        raise InputError(
            f"average has {number_of(len(weights), 'weight')} and C "
            f"{number_of(len(entries), 'class')}; pass one per class"
        )
    if not any(weights):
        raise InputError("every weight of average is 0; give at least one class a positive weight")
    return weights


def exact_fill(zero_division: object) -> Expr:
    """Return the exact value that replaces 0/0; nan if undefined classes are left out.

    :raises InputError: on an inexact number

    >>> exact_fill(None), exact_fill(float("nan")), exact_fill("1/2")
    (nan, nan, 1/2)
    """
    value = _plain(zero_division)
    if value is None or value is S.NaN or (isinstance(value, float) and math.isnan(value)):
        return S.NaN
    return _exact(value, "zero_division")


def number_of_classes(classes: object) -> int:
    """Return a number of classes as an int.

    :raises InputError: if it is not a whole number

    >>> number_of_classes(3)
    3
    """
    if not isinstance(classes, bool) and hasattr(classes, "__index__"):
        return operator.index(classes)
    raise InputError(f"classes={shown(classes)} is not a number of classes; pass a whole number of at least 2")


def _listed(values: object) -> list[object] | None:
    """Convert a sequence to a list; None for anything else."""
    if not isinstance(values, Sequence) and hasattr(values, "to_numpy"):
        values = values.to_numpy()
    plain = values.tolist() if hasattr(values, "tolist") else values
    if isinstance(plain, str | bytes | Mapping | Set) or not isinstance(plain, Sequence):
        return None
    return list(plain)


def _exact(value: object, name: str) -> Expr:
    try:
        return exact_rational(_plain(value), name)
    except FormulaError as error:
        message = str(error)
        raise InputError(message if message.startswith(name) else f"{name}: {message}") from None


def _exact_count(value: object, name: str) -> Expr:
    count = _exact(value, name)
    if count < 0:
        raise InputError(f"{name} is {count}: a count cannot be negative; pass numbers of examples")
    return count


def _exact_weight(value: object, place: int) -> Expr:
    if isinstance(value, Expr) and not value.is_number:
        return value
    weight = _exact(value, f"average[{place}]")
    if weight < 0:
        raise InputError(f"average[{place}] is {weight}: a weight cannot be negative; pass a number of at least 0")
    return weight


def _plain(value: object) -> object:
    """Return the Python value of a NumPy scalar."""
    return value.item() if hasattr(value, "item") and getattr(value, "shape", None) == () else value
