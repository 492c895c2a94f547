"""What is passed for exact values and formulas, checked: matrices, weights of classes, numbers of classes."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence, Set

from sympy import Add, Expr, S

from symmetrics.language.numbers import exact_rational
from symmetrics.matrices.expansion import Entries
from symmetrics.numeric.averaging import AVERAGES, refuse_named_weights
from symmetrics.numeric.counts import shown
from symmetrics.posets.relevance import Relevance
from symmetrics.tools.errors import FormulaError, InputError
from symmetrics.tools.words import number_of

__all__ = ["exact_entries", "exact_fill", "exact_weights", "number_of_classes"]


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
    """Return the weight of each class in a mean, and None to add the cells up first.

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
    """Return the exact value that stands for 0/0, a nan where undefined classes are left out.

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
    """Return what has a sequence as a list, and None for everything else."""
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
