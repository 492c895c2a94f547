"""The properties of k x k matrix metrics, one record each, to be decided at a number of classes."""

from __future__ import annotations

from typing import Final

from sympy import E, Expr, Float, Integer, Mul, S, exp, expand_log, log

from symmetrics.claims import AllOf, Claim, Identity, StrictInequality
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.property import other
from symmetrics.language.definition import Citation
from symmetrics.matrices.expansion import Entries
from symmetrics.matrices.property import VALUE, AtSize, MulticlassProperty
from symmetrics.tools.catalogue import Catalogue
from symmetrics.tools.errors import InputError

A, T = other("a"), other("t")
SOKOLOVA: Final = Citation("sokolova2009", "invariances, many classes")


def _relabelling(at: AtSize) -> AllOf:
    """Return generators of the symmetric group: a transposition and a cycle of all classes."""
    exchange, cycle = (1, 0, *at.places[2:]), (*at.places[1:], 0)
    orders = {"classes 1 and 2 exchanged": exchange} | (
        {"all classes moved on by one": cycle} if at.classes > 2 else {}
    )
    return AllOf(tuple((label, at.identity(at.matrix, at.permuted(order))) for label, order in orders.items()))


def _transpose(at: AtSize) -> Identity:
    return at.identity(at.matrix, tuple(at.entries[column][row] for row in at.places for column in at.places))


def _homogeneous(at: AtSize) -> Identity:
    return at.identity(at.matrix, tuple(A * entry for entry in at.matrix), auxiliary=(A,))


def _scaling(at: AtSize, what: str) -> AllOf:
    def scaled(place: int) -> Identity:
        line = [at.entries[place][i] if what == "row" else at.entries[i][place] for i in at.places]
        return at.identity(at.matrix, at.with_entries({entry: A * entry for entry in line}), auxiliary=(A,))

    return AllOf(tuple((f"{what} {place + 1}", scaled(place)) for place in at.places))


def _changed(at: AtSize, entries: list[Expr]) -> AllOf:
    def changed(entry: Expr) -> Identity:
        return at.identity(at.matrix, at.with_entries({entry: A}), auxiliary=(A,))

    return AllOf(tuple((f"{entry} changed", changed(entry)) for entry in entries))


def _error_blindness(at: AtSize) -> AllOf:
    def moved(first: Expr, second: Expr) -> Identity:
        tables = (at.with_entries({entry: entry + T}) for entry in (first, second))
        return at.identity(*tables, auxiliary=(T,))

    rows = ([at.entries[i][j] for j in at.places if j != i] for i in at.places)
    pairs = [(row[0], entry) for row in rows for entry in row[1:]]
    return AllOf(tuple((f"{first} and {second}", moved(first, second)) for first, second in pairs))


def _corrections(at: AtSize, *, in_rows: bool) -> AllOf:
    def corrected(row: int, column: int) -> StrictInequality:
        wrong = at.entries[row][column]
        right = at.entries[row][row] if in_rows else at.entries[column][column]
        return at.rises(at.with_entries({wrong: wrong + T}), at.with_entries({right: right + T}), T)

    return AllOf(tuple((f"{at.entries[i][j]} corrected", corrected(i, j)) for i, j in at.pairs))


def _range(at: AtSize) -> AllOf:
    ends = at.metric.range
    if ends is None:
        raise InputError(f"{at.metric.name} states no range to be proved; give it one, as in range=Interval(0, 1)")
    bounds = (("lower end", ends.start, VALUE - ends.start), ("upper end", ends.end, _gap_below(ends.end)))
    for label, end, _ in bounds:
        if end.has(Float) or not end.is_extended_real or (end.has(exp, E) and (label == "lower end" or end <= 0)):
            raise InputError(f"{at.metric.name}: nothing can be compared with {end}, the {label} of its range, exactly")
    parts = tuple((label, at.not_negative(gap)) for label, end, gap in bounds if end.is_finite)
    if not parts:
        raise InputError(f"{at.metric.name} states an unbounded range, which says nothing that could be proved")
    return AllOf(parts)


def _gap_below(end: Expr) -> Expr:
    """Return an expression that is non-negative where M does not exceed an end; logarithms replace exponentials."""
    return end - VALUE if not end.has(exp) and E not in end.atoms() else expand_log(log(end)) - log(VALUE)


def _extreme(at: AtSize, extreme: Entries, sign: int) -> AllOf:
    """M is constant on matrices of one kind, and lies on one side of that value at all positive matrices."""
    value = at.value_of(extreme)
    label = "with errors" if sign > 0 else "with right predictions"
    return AllOf(((label, at.beyond(value, sign)), ("one value", at.is_constant(extreme))))


def _independence_value(at: AtSize) -> Identity:
    """Every rank-one matrix has proportional rows."""
    factors = {place: other(f"a{place + 1}") for place in at.places[1:]}
    first = at.entries[0]
    rows = (tuple(factors[i] * e for e in first) if i else first for i in at.places)
    alike = tuple(entry for row in rows for entry in row)
    return at.identity(alike, (S.One,) * len(alike), auxiliary=tuple(factors.values()))


def _merging(at: AtSize) -> Identity:
    """Merge the last two classes, which are never confused with each other."""
    last, before = at.classes - 1, at.classes - 2
    apart = {at.entries[last][before]: Integer(0), at.entries[before][last]: Integer(0)}
    rows = tuple(tuple(apart.get(entry, entry) for entry in row) for row in at.entries)
    columns = tuple((*row[:before], row[before] + row[last]) for row in rows)
    merged = (*columns[:before], tuple(a + b for a, b in zip(columns[before], columns[last], strict=True)))
    return at.equals(at.formula_of(rows), at.formula_of(merged), tuple(apart))


def _empty_class(at: AtSize) -> Identity:
    """Add an empty class, without examples and without predictions."""
    zeros = (Integer(0),) * (at.classes + 1)
    return at.equals(at.formula_of((*((*row, Integer(0)) for row in at.entries), zeros)), at.expr)


def _vanishing_class(at: AtSize) -> AllOf:
    def path(place: int) -> Claim:
        return at.has_limit(at.with_entries({entry: Mul(STEP, entry) for entry in at.entries[place]}))

    return AllOf(tuple((f"class {place + 1}", path(place)) for place in at.places))


_RECORDS: Final = (
    MulticlassProperty(
        "relabelling",
        "M(C[p, p]) = M(C) for every permutation p of the classes",
        _relabelling,
        "invariance under a new order of the classes",
        "does not depend on which class is which",
        "depends on which class is which",
        (Citation("gosgens2021", "class-symmetry"),),
    ),
    MulticlassProperty(
        "transpose",
        "M(C[j, i]) = M(C[i, j])",
        _transpose,
        "symmetry between predicted and actual classes",
        "treats predictions and truth alike",
        "changes when predictions and truth are exchanged",
        (Citation("gosgens2021", "symmetry"),),
    ),
    MulticlassProperty(
        "symmetry_group",
        "some rearrangement of rows and columns, other than none, turns M into M, 1 - M, -M or 1/M",
        lambda at: at.has_symmetries(),
        "rearrangements of rows and columns that change nothing",
        "stays the same, or is negated, inverted or taken from 1, under some rearrangements of rows and columns",
        "neither stays the same nor is negated, inverted or taken from 1 under any rearrangement of rows and columns",
    ),
    MulticlassProperty(
        "homogeneous",
        "M(a*C) = M(C), a > 0",
        _homogeneous,
        "invariance under a common factor of all entries",
        "depends on the shares of the entries alone, not on how many examples there are",
        "changes with the number of examples even if the shares of the entries stay",
        (SOKOLOVA,),
    ),
    MulticlassProperty(
        "row_scaling",
        "M(D*C) = M(C) for every diagonal D > 0",
        lambda at: _scaling(at, "row"),
        "invariance under factors of the actual classes: insensitivity to the class balance",
        "does not depend on the class balance (multiplying the examples of one class changes nothing)",
        "depends on the class balance (multiplying the examples of one class changes it)",
        (SOKOLOVA,),
    ),
    MulticlassProperty(
        "column_scaling",
        "M(C*D) = M(C) for every diagonal D > 0",
        lambda at: _scaling(at, "column"),
        "invariance under factors of the predicted classes",
        "stays the same when the examples predicted as one class are multiplied",
        "changes when the examples predicted as one class are multiplied",
        (SOKOLOVA,),
    ),
    MulticlassProperty(
        "diagonal_change",
        "M stays the same when any one entry C[i, i] takes another value",
        lambda at: _changed(at, [at.entries[i][i] for i in at.places]),
        "invariance under a change of the number of right predictions of a class",
        "does not depend on how many predictions are right",
        "depends on how many predictions of a class are right",
        (SOKOLOVA,),
    ),
    MulticlassProperty(
        "off_diagonal_change",
        "M stays the same when any one entry C[i, j], i != j, takes another value",
        lambda at: _changed(at, [at.entries[i][j] for i, j in at.pairs]),
        "invariance under a change of the number of errors of a kind",
        "does not depend on how many errors there are",
        "depends on how many errors of a kind there are",
        (SOKOLOVA,),
    ),
    MulticlassProperty(
        "error_blindness",
        "M stays the same when an example of class i predicted as j is predicted as l instead; i, j and l different",
        _error_blindness,
        "blindness to which wrong class is predicted",
        "does not see which wrong class is predicted",
        "sees which wrong class is predicted",
        least_classes=3,
    ),
    MulticlassProperty(
        "merging",
        "M(C) = M of C with its last two classes merged, if C has no errors between these two",
        _merging,
        "invariance under the union of two classes that are not confused with one another",
        "stays the same when two classes that are not confused with one another become one",
        "changes when two classes that are not confused with one another become one",
        least_classes=3,
        compared=("M(C)", "M of C with its last two classes merged"),
    ),
    MulticlassProperty(
        "empty_class",
        "M stays the same when a class is added that has no examples and is not predicted",
        _empty_class,
        "invariance under the addition of a class that does not occur",
        "does not see classes that do not occur",
        "changes when a class is added that does not occur",
        compared=("M of C with an empty class", "M(C)"),
    ),
    MulticlassProperty(
        "monotone_rows",
        "M rises when t examples of class i that are predicted as j are predicted as i instead, t > 0",
        lambda at: _corrections(at, in_rows=True),
        "correcting a prediction raises M",
        "rises whenever a prediction is corrected",
        "does not always rise when a prediction is corrected",
        (Citation("gosgens2021", "monotonicity"),),
    ),
    MulticlassProperty(
        "monotone_columns",
        "M rises when t examples that are predicted as j belong to class j instead of i, t > 0",
        lambda at: _corrections(at, in_rows=False),
        "a true class that comes to agree with its prediction raises M",
        "rises whenever the true class of an example turns out to be the predicted one",
        "does not always rise when the true class of an example turns out to be the predicted one",
    ),
    MulticlassProperty(
        "range",
        "M(C) lies between the ends of the range that the metric states",
        _range,
        "the stated range is never left",
        "never leaves the range that it states",
        "leaves the range that it states",
    ),
    MulticlassProperty(
        "max_agreement",
        "M is the same at all matrices without errors, and larger there than at every positive C",
        lambda at: _extreme(at, at.diagonal(), 1),
        "largest where all predictions are right",
        "is largest where all predictions are right",
        "is not largest where all predictions are right",
        (Citation("gosgens2021", "maximal agreement"),),
        compared=("M(C)", "M of C without its errors"),
    ),
    MulticlassProperty(
        "min_agreement",
        "M is the same at all matrices without right predictions, and smaller there than at every positive C",
        lambda at: _extreme(at, at.errors(), -1),
        "smallest where all predictions are wrong",
        "is smallest where all predictions are wrong",
        "is not smallest where all predictions are wrong",
        (Citation("gosgens2021", "minimal agreement"),),
        compared=("M(C)", "M of the errors of C alone"),
    ),
    MulticlassProperty(
        "independence_value",
        "M(r[i]*c[j]) = M(1) for all positive r and c, and the matrix 1 of ones",
        _independence_value,
        "one value wherever prediction and truth are independent",
        "has one value wherever predictions and truth are independent",
        "differs among matrices at which predictions and truth are independent",
    ),
    MulticlassProperty(
        "constant_baseline",
        "E[M] is the same for all sums of rows and columns >= 1, when the predictions are in a random order",
        lambda at: at.has_constant_baseline(),
        "constant baseline: random predictions score the same on average",
        "is the same on average for random predictions, whatever the classes and their shares",
        "is not the same on average for all random predictions (it depends on the shares of the classes)",
        (Citation("gosgens2021", "constant baseline"),),
    ),
    MulticlassProperty(
        "defined",
        "the formula, as it is shown, has a value at every C >= 0 that is not zero",
        lambda at: at.is_defined(),
        "a value at every matrix",
        "has a value at every matrix, as it is written",
        "has no value at some matrices with zeros, as it is written",
    ),
    MulticlassProperty(
        "vanishing_class",
        "M has a finite limit as the examples of class i become few, at fixed rates: row i times s, s -> 0",
        _vanishing_class,
        "a limit where a class becomes rare",
        "tends to a limit as a class becomes rare",
        "tends to no finite limit as a class becomes rare",
    ),
)

multiclass_properties: Final = Catalogue("property of metrics of matrices", _RECORDS)
"""The properties of metrics of whole matrices, by key."""
