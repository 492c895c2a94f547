"""The four counts of every group of examples, computed by the engine that holds them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, NamedTuple

from symmetrics.numeric.counts import Counts, shown
from symmetrics.numeric.engines.columns import (
    as_frame,
    as_keys,
    is_fraction,
    is_lazy,
    is_missing,
    is_no_weight,
    is_positive,
    narwhals,
    native_error,
    refuse_disjoint,
    required_columns,
)
from symmetrics.tools.errors import InputError
from symmetrics.tools.settings import advising, refusing_other_settings
from symmetrics.tools.words import number_of

__all__ = ["Asked", "asked_columns", "counts", "faults", "refuse_faults"]

CELLS: Final = Counts._fields
_CALLED: Final = {
    "y_true": "truth= is the name of the column of true labels",
    "y_pred": "prediction= is the name of the column of predicted labels",
    "pos_label": "pass positive",
    "sample_weight": "weight= is the name of the column of weights",
}
"""What metrics and scikit-learn call the settings, or what they take in their place."""


class Asked(NamedTuple):
    """What is to be counted, all of it found in the frame.

    :param types: the types of the named columns
    """

    frame: Any
    truth: str
    prediction: str
    by: list[str]
    weight: str | None
    types: dict[str, Any]


@advising(
    "name the columns of a frame, as in counts(frame, 'truth', 'prediction'); labels are counted by "
    "symmetrics.ConfusionMatrix.of(y_true, y_pred)"
)
@refusing_other_settings(_CALLED)
def counts(
    frame: Any, truth: str, prediction: str, by: Any = None, weight: str | None = None, positive: Hashable = 1
) -> Any:
    """Return TP, FN, FP and TN of every group of examples, as a frame of the kind that was given.

    The engine that holds the examples groups and counts them, and only counts leave it: a lazy frame (polars, DuckDB,
    Dask, Ibis, PySpark) is answered by a lazy one, of which nothing is computed yet.  The positive label stands against
    all others.

    :param frame: a data frame of pandas, polars or pyarrow, a relation of DuckDB, a table of Ibis, or a data frame of
        Dask or PySpark
    :param truth: name of the column of true labels
    :param prediction: name of the column of predicted labels
    :param by: names of columns: one row for each combination of their values that occurs, a missing one (and NaN)
        being a value of its own; by default one row for all examples
    :param weight: name of a column of weights, finite and not negative, that are added up in place of examples
    :param positive: the positive label
    :returns: the columns *by*, then tp, fn, fp and tn, whole numbers, or float64 sums of weights; the rows of a frame
        that is not lazy in the order of *by*
    :raises InputError: on a column that is missing or of a wrong type; on labels and weights that are missing or not
        usable, scores in place of labels, and a positive label that occurs nowhere.  What only the examples tell cannot
        be raised for a lazy frame: there the four counts of a group with such examples are missing, and a positive
        label that occurs nowhere counts nothing.

    >>> import pandas
    >>> frame = pandas.DataFrame({"y": [1, 1, 0, 0], "guess": [1, 0, 0, 1], "site": ["a", "a", "b", "b"]})
    >>> counts(frame, truth="y", prediction="guess", by="site")
      site  tp  fn  fp  tn
    0    a   1   1   0   0
    1    b   0   0   1   1
    """
    asked = asked_columns(frame, truth, prediction, by, weight)
    wrong = faults(asked)
    names = _free_names(len(wrong), asked.by)
    summed = _summed(asked, positive, dict(zip(names, wrong.values(), strict=True)))
    if is_lazy(summed):
        return _without_faulty(summed, asked, names).to_native()
    refuse_faults({reason: int(summed[name].sum()) for name, reason in zip(names, wrong, strict=True)})
    _check_positive(asked, summed, positive)
    return _sorted(summed.select(*asked.by, *CELLS), asked).to_native()


def asked_columns(frame: Any, truth: Any, prediction: Any, by: Any = None, weight: str | None = None) -> Asked:
    """Return what is to be counted, each column found.

    :raises InputError: on names that do not fit together or that the frame does not have
    """
    keys, found = as_keys(by), as_frame(frame)
    for name, column in (("truth", truth), ("prediction", prediction)):
        if isinstance(column, list):
            raise InputError(f"{name}={shown(column)} is no name of a column; pass one name, as in {name}='y'")
    if truth == prediction:
        raise InputError(f"column {truth!r} is both truth and prediction; name two columns")
    for key in keys:
        if key.lower() in CELLS:
            raise InputError(f"by names column {key!r}, which is the name of a count; rename the column")
    named = [truth, prediction, *keys, *([] if weight is None else [weight])]
    return Asked(found, truth, prediction, keys, weight, required_columns(found, named))


def faults(asked: Asked) -> dict[str, Any]:
    """Return by what is wrong with an example, and what to do, the expression that is true where it is."""
    found: dict[str, Any] = {}
    for name in (asked.truth, asked.prediction):
        dtype = asked.types[name]
        found[f"column {name!r} holds no label in {{}}; fill in the labels, or leave those examples out"] = is_missing(
            name, dtype
        )
        if (fraction := is_fraction(name, dtype)) is not None:
            found[f"column {name!r} holds scores rather than labels in {{}}; apply a threshold first"] = fraction
    if asked.weight is not None:
        found[
            f"column {asked.weight!r} holds a weight in {{}} that is missing, negative or infinite; pass weights that "
            "are finite and not negative"
        ] = is_no_weight(asked.weight, asked.types[asked.weight])
    return found


def refuse_faults(found: dict[str, int]) -> None:
    """Raise on the first fault that some examples have.

    :raises InputError: saying what is wrong, and in how many examples
    """
    for reason, number in found.items():
        if number:
            raise InputError(reason.format(number_of(number, "example")))


def _free_names(number: int, taken: list[str]) -> list[str]:
    """Return names of columns that are none of some others."""
    prefix = "fault"
    while any(name.startswith(prefix) for name in taken):
        prefix += "_"
    return [f"{prefix}{place}" for place in range(number)]


def _summed(asked: Asked, positive: Hashable, wrong: dict[str, Any]) -> Any:
    """Return the four counts of each group, and the numbers of examples of which something is wrong."""
    library = narwhals()
    how = asked.frame.implementation
    true, predicted = (is_positive(n, asked.types[n], positive, how) for n in (asked.truth, asked.prediction))
    parts = dict(zip(CELLS, (true & predicted, true & ~predicted, ~true & predicted, ~true & ~predicted), strict=True))
    if asked.weight is None:
        cells = {name: part.cast(library.Int64) for name, part in parts.items()}
    else:
        weight = library.col(asked.weight).cast(library.Float64)
        cells = {name: library.when(part).then(weight).otherwise(library.lit(0.0)) for name, part in parts.items()}
    cells |= {name: fault.cast(library.Int64) for name, fault in wrong.items()}
    try:
        marked = asked.frame.select(*asked.by, *(cell.alias(name) for name, cell in cells.items()))
        sums = [library.col(name).sum() for name in cells]
        found = marked.group_by(*asked.by).agg(*sums) if asked.by else marked.select(*sums)
        whole = [library.col(name).cast(library.Int64) for name in cells if asked.weight is None or name in wrong]
        return found.with_columns(*whole) if whole else found
    except Exception as error:  # each engine has its own
        raise native_error(error) from None


def _without_faulty(summed: Any, asked: Asked, names: list[str]) -> Any:
    """Return a lazy frame of counts, missing where something is wrong with an example of the group."""
    library = narwhals()
    faultless = library.col(names[0]) == 0
    for name in names[1:]:
        faultless = faultless & (library.col(name) == 0)
    return summed.select(*asked.by, *(library.when(faultless).then(library.col(cell)).alias(cell) for cell in CELLS))


def _check_positive(asked: Asked, summed: Any, positive: Hashable) -> None:
    """Refuse a positive label that occurs in neither column, and columns without a label in common."""
    totals = {cell: float(summed[cell].sum()) for cell in CELLS}
    if not sum(totals.values()) > 0:
        number = len(asked.frame)
        reason = f"every weight in column {asked.weight!r} is 0; give an example a positive weight"
        raise InputError(reason if number else "the frame has no rows; pass one row per example")
    if totals["tp"] + totals["fn"] == 0 or totals["tp"] + totals["fp"] == 0:
        true, predicted = (asked.frame[name].unique().to_list() for name in (asked.truth, asked.prediction))
        refuse_disjoint(asked.truth, asked.prediction, (true, predicted), positive)


def _sorted(found: Any, asked: Asked) -> Any:
    """Return the rows in the order of the groups, as far as their values have one."""
    if not asked.by or any(asked.types[key] == narwhals().Object for key in asked.by):
        return found
    try:
        return found.sort(*asked.by, nulls_last=True)
    except Exception:  # an engine may know no order of a type, as pandas of dictionaries of pyarrow
        return found
