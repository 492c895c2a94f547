"""The four counts of every group of examples, computed by the engine that holds them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Final, NamedTuple

from symmetrics.numeric.counts import Counts, shown
from symmetrics.numeric.engines.columns import (
    Column,
    as_frame,
    as_group,
    as_keys,
    as_labels,
    holds_mark,
    is_fraction,
    is_lazy,
    is_missing,
    is_no_weight,
    is_positive,
    named_columns,
    narwhals,
    native_error,
    refuse_disjoint,
)
from symmetrics.tools.errors import InputError
from symmetrics.tools.missing import Missing, as_missing
from symmetrics.tools.settings import advising, refusing_other_settings
from symmetrics.tools.words import number_of

CELLS: Final = Counts._fields
_CALLED: Final = {
    "y_true": "truth= is the name of the column of true labels",
    "y_pred": "prediction= is the name of the column of predicted labels",
    "pos_label": "pass positive",
    "sample_weight": "weight= is the name of the column of weights",
}
"""What metrics and scikit-learn call the settings, or what they take in their place."""


class AskedColumns(NamedTuple):
    """What is to be counted, found in a frame of the examples that are meant.

    The frame has the columns t of true labels, p of predicted ones, k0, k1, ... to group by, and perhaps w of weights.
    """

    frame: Any
    truth: Column
    prediction: Column
    by: list[Column]
    weight: Column | None
    missing: Missing

    @property
    def keys(self) -> list[str]:
        """What the columns to group by are called in the frame."""
        return [column.key for column in self.by]


@advising(
    "name the columns of a frame, as in counts(frame, 'truth', 'prediction'); labels are counted by "
    "symmetrics.ConfusionMatrix.of(y_true, y_pred)"
)
@refusing_other_settings(_CALLED)
def counts(
    frame: Any,
    truth: str,
    prediction: str,
    by: Any = None,
    weight: str | None = None,
    positive: Hashable = 1,
    missing: Missing = "refuse",
) -> Any:
    """Return TP, FN, FP and TN of every group of examples, as a frame of the kind that was given.

    The engine that holds the examples groups and counts them, and only counts leave it: a lazy frame (polars, DuckDB,
    Dask, Ibis, PySpark) is answered by a lazy one, of which nothing is computed yet.  The positive label stands against
    all others.

    :param frame: a data frame of pandas, polars or pyarrow, a relation of DuckDB, a table of Ibis, or a data frame of
        Dask or PySpark
    :param truth: name of the column of true labels
    :param prediction: name of the column of predicted labels
    :param by: names of columns: one row for each combination of their values that occurs; those that are missing or
        NaN are one value, missing, and 0.0 and -0.0 are one; by default one row for all examples
    :param weight: name of a column of weights, finite and not negative, that are added up in place of examples
    :param positive: the positive label
    :param missing: what to do with labels that are missing, NaN or a text such as ``NA`` or the empty one
        (:data:`symmetrics.tools.missing.MARKS`), blanks around it aside: ``"refuse"`` them, ``"drop"`` their examples,
        or ``"keep"`` the texts as labels
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
    asked = asked_columns(frame, truth, prediction, by, weight, missing)
    wrong = faults(asked)
    names = [f"f{place}" for place in range(len(wrong))]
    summed = _summed(asked, positive, dict(zip(names, wrong.values(), strict=True)))
    if is_lazy(summed):
        return _with_names(_without_faulty(summed, asked, names), asked)
    refuse_faults({reason: int(summed[name].sum()) for name, reason in zip(names, wrong, strict=True)})
    _check_positive(asked, summed, positive)
    return _with_names(_sorted(summed.select(*asked.keys, *CELLS), asked), asked)


def asked_columns(
    frame: Any, truth: Any, prediction: Any, by: Any = None, weight: str | None = None, missing: Missing = "refuse"
) -> AskedColumns:
    """Return what is to be counted, each column found, without the examples that are to be dropped.

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
    groups = {f"k{place}": key for place, key in enumerate(keys)}
    wanted = {"t": truth, "p": prediction, **groups, **({} if weight is None else {"w": weight})}
    examples, columns = named_columns(found, wanted)
    by_group = [columns[key] for key in groups]
    if by_group:
        examples = examples.with_columns(*(as_group(column).alias(column.key) for column in by_group))
    examples, true = as_labels(examples, columns["t"])
    examples, predicted = as_labels(examples, columns["p"])
    how = as_missing(missing)
    return AskedColumns(with_labels(examples, (true, predicted), how), true, predicted, by_group, columns.get("w"), how)


def with_labels(frame: Any, columns: Iterable[Column], missing: Missing) -> Any:
    """Return a frame without the examples that lack a label, if these are to be dropped."""
    tests = (test(column) for column in columns for test in (is_missing, holds_mark)) if missing == "drop" else ()
    for lacking in tests:
        frame = frame if lacking is None else frame.filter(~lacking)
    return frame


def faults(asked: AskedColumns) -> dict[str, Any]:
    """Return by what is wrong with an example, and what to do, the expression that is true where it is."""
    found: dict[str, Any] = {}
    for column in (asked.truth, asked.prediction):
        found |= label_faults(column, asked.missing)
    if asked.weight is not None:
        found[
            f"column {asked.weight.name!r} holds a weight in {{}} that is missing, negative or infinite; pass weights "
            "that are finite and not negative"
        ] = is_no_weight(asked.weight)
    return found


def label_faults(column: Column, missing: Missing) -> dict[str, Any]:
    """Return by what may be wrong with a label of a column the expression that is true where it is."""
    lacking = "fill in the labels, or pass missing='drop' to leave those examples out"
    found = {f"column {column.name!r} holds no label in {{}}; {lacking}": is_missing(column)}
    if missing == "refuse" and (mark := holds_mark(column)) is not None:
        found[
            f"column {column.name!r} holds a text that stands for a missing label, such as 'NA', in {{}}; pass "
            "missing='drop' to leave those examples out, or missing='keep' if it is a class"
        ] = mark
    if (fraction := is_fraction(column)) is not None:
        found[f"column {column.name!r} holds scores rather than labels in {{}}; apply a threshold first"] = fraction
    return found


def refuse_faults(found: dict[str, int]) -> None:
    """Raise on the first fault that some examples have.

    :raises InputError: saying what is wrong, and in how many examples
    """
    for reason, number in found.items():
        if number:
            raise InputError(reason.format(number_of(number, "example")))


def _summed(asked: AskedColumns, positive: Hashable, wrong: dict[str, Any]) -> Any:
    """Return the four counts of each group, and how many examples have each fault."""
    library = narwhals()
    how = asked.frame.implementation
    true, predicted = (is_positive(column, positive, how) for column in (asked.truth, asked.prediction))
    parts = dict(zip(CELLS, (true & predicted, true & ~predicted, ~true & predicted, ~true & ~predicted), strict=True))
    if asked.weight is None:
        cells = {name: part.cast(library.Int64) for name, part in parts.items()}
    else:
        weight = asked.weight.values.cast(library.Float64)
        cells = {name: library.when(part).then(weight).otherwise(library.lit(0.0)) for name, part in parts.items()}
    cells |= {name: fault.cast(library.Int64) for name, fault in wrong.items()}
    try:
        marked = asked.frame.select(*asked.keys, *(cell.alias(name) for name, cell in cells.items()))
        sums = [library.col(name).sum() for name in cells]
        found = marked.group_by(*asked.keys).agg(*sums) if asked.by else marked.select(*sums)
        whole = [library.col(name).cast(library.Int64) for name in cells if asked.weight is None or name in wrong]
        return found.with_columns(*whole) if whole else found
    except Exception as error:  # each engine has its own
        raise native_error(error) from None


def _without_faulty(summed: Any, asked: AskedColumns, names: list[str]) -> Any:
    """Return a lazy frame of counts, missing where something is wrong with an example of the group."""
    library = narwhals()
    faultless = library.col(names[0]) == 0
    for name in names[1:]:
        faultless = faultless & (library.col(name) == 0)
    return summed.select(*asked.keys, *(library.when(faultless).then(library.col(cell)).alias(cell) for cell in CELLS))


def _with_names(found: Any, asked: AskedColumns) -> Any:
    """Return the native frame of counts, its groups called as in the frame that was given."""
    return found.rename({column.key: column.name for column in asked.by}).to_native() if asked.by else found.to_native()


def refuse_no_examples(asked: AskedColumns, number: int) -> None:
    """Raise because no example counts.

    :param number: of the examples that are left
    :raises InputError: saying why
    """
    if number and asked.weight is not None:
        raise InputError(f"every weight in column {asked.weight.name!r} is 0; give an example a positive weight")
    left = "has no example with both labels" if asked.missing == "drop" else "has no rows"
    raise InputError(f"the frame {left}; pass one row per example")


def _check_positive(asked: AskedColumns, summed: Any, positive: Hashable) -> None:
    """Refuse a positive label that occurs in neither column, and columns without a label in common."""
    totals = {cell: float(summed[cell].sum()) for cell in CELLS}
    if not sum(totals.values()) > 0:
        refuse_no_examples(asked, len(asked.frame))
    if totals["tp"] + totals["fn"] == 0 or totals["tp"] + totals["fp"] == 0:
        true, predicted = (_occurring(asked.frame, column) for column in asked[1:3])
        refuse_disjoint(asked.truth.name, asked.prediction.name, (true, predicted), positive)


def _occurring(frame: Any, column: Column) -> list[Hashable]:
    """Return the labels that occur in a column whose values are at hand."""
    found: list[Any] = frame[column.key].unique().to_list()
    return found if column.labels is None else [column.labels[place] for place in found]


def _sorted(found: Any, asked: AskedColumns) -> Any:
    """Return the rows in the order of the groups, as far as their values have one."""
    if not asked.by or any(column.dtype == narwhals().Object for column in asked.by):
        return found
    try:
        return found.sort(*asked.keys, nulls_last=True)
    except Exception:  # an engine may know no order of a type, as pandas of dictionaries of pyarrow
        return found
