"""Properties of metrics of matrices: each verdict against numbers by other code, and against those of two classes."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

import effort
import numpy as np
import pytest
from numpy.typing import NDArray
from recorded import holds
from sklearn.metrics import matthews_corrcoef
from sympy import (
    Abs,
    E,
    Integer,
    Interval,
    KroneckerDelta,
    Max,
    Min,
    Mul,
    Rational,
    S,
    Sum,
    Symbol,
    exp,
    lambdify,
    log,
    nan,
    pi,
    sin,
    sqrt,
)

import symmetrics as sm
from symmetrics.claims.evidence import Point
from symmetrics.claims.recorded import ANEW
from symmetrics.claims.verdict import Verdict
from symmetrics.matrices.nodes import (
    C,
    ClassMean,
    Correlation,
    FMeasure,
    GeometricClassMean,
    RelativeEntropy,
    fn,
    fp,
    i,
    j,
    k,
    over,
    tn,
    tp,
)
from symmetrics.tools.errors import CertificateError, DefinitionError, InputError, SymmetricsError, UnknownNameError

Matrix = NDArray[np.float64]
Metric = Callable[[Matrix], float]

METRICS: Final = sorted(sm.multiclass)
SHARE: Final = over(C[i, i], i) / over(C[i, j], i, j)
SIZES: Final = (2, 3)
SAMPLES: Final = effort.examples(150)


# -- an oracle: each law once more, on numbers -------------------------------------------------------------------------


def _moved(matrix: Matrix, source: tuple[int, int], target: tuple[int, int], amount: float) -> Matrix:
    moved = matrix.copy()
    moved[source] -= amount
    moved[target] += amount
    return moved


def _replaced(matrix: Matrix, place: tuple[int, int], value: float) -> Matrix:
    changed = matrix.copy()
    changed[place] = value
    return changed


def _pair(random: np.random.Generator, classes: int) -> tuple[int, int]:
    row, column = random.choice(classes, 2, replace=False)
    return int(row), int(column)


def _same(f: Metric, first: Matrix, second: Matrix) -> bool:
    return bool(np.isclose(f(first), f(second), rtol=1e-9, atol=1e-11))


def _relabelling(f: Metric, matrix: Matrix, random: np.random.Generator) -> bool:
    order = random.permutation(len(matrix))
    return _same(f, matrix, matrix[np.ix_(order, order)])


def _changed(f: Metric, matrix: Matrix, random: np.random.Generator, *, diagonal: bool) -> bool:
    row, column = _pair(random, len(matrix))
    return _same(f, matrix, _replaced(matrix, (row, row if diagonal else column), random.uniform(0.1, 9)))


def _blind(f: Metric, matrix: Matrix, random: np.random.Generator) -> bool:
    row, first, second = random.choice(len(matrix), 3, replace=False)
    return _same(f, matrix, _moved(matrix, (row, first), (row, second), matrix[row, first] / 2))


def _merged(f: Metric, matrix: Matrix, _: np.random.Generator) -> bool:
    apart = matrix.copy()
    apart[-1, -2] = apart[-2, -1] = 0
    halves = np.eye(len(matrix))[:, :-1]
    halves[-1, -1] = 1
    return _same(f, apart, halves.T @ apart @ halves)


def _corrected(f: Metric, matrix: Matrix, random: np.random.Generator, *, in_row: bool) -> bool:
    row, column = _pair(random, len(matrix))
    right = (row, row) if in_row else (column, column)
    return f(_moved(matrix, (row, column), right, matrix[row, column] * random.uniform(0.1, 0.9))) > f(matrix)


def _extreme(f: Metric, matrix: Matrix, random: np.random.Generator, *, kept: Matrix, sign: int) -> bool:
    other = random.uniform(0.1, 9, matrix.shape)
    return _same(f, matrix * kept, other * kept) and sign * (f(matrix * kept) - f(matrix)) > 0


def _independent(f: Metric, matrix: Matrix, _: np.random.Generator) -> bool:
    return _same(f, np.outer(matrix[0], matrix[:, 0]), np.outer(matrix[1], matrix[:, 1]))


def _baseline(f: Metric, matrix: Matrix, random: np.random.Generator) -> bool:
    """Take the mean over all orders of the predictions, twice."""

    def mean() -> float:
        size = len(matrix) + int(random.integers(2))
        truth, predicted = (random.permutation(np.arange(size) % len(matrix)) for _ in range(2))
        extra = random.integers(len(matrix), size=2)
        truth, predicted = np.append(truth, extra[0]), np.append(predicted, extra[1])
        counts = Counter(tuple(zip(truth, order, strict=True)) for order in itertools.permutations(predicted))
        tables = np.zeros((len(counts), *matrix.shape))
        for table, pairs in zip(tables, counts, strict=True):
            np.add.at(table, tuple(np.transpose(pairs)), 1)
        return float(np.average(f(tables), weights=list(counts.values())))

    means = mean(), mean()
    return bool(np.isnan(means).any()) or bool(np.isclose(*means, rtol=1e-9, atol=1e-11))


def _symmetric(f: Metric, matrix: Matrix, _: np.random.Generator) -> bool:
    """Whether some rearrangement that changes the matrix turns the value into itself or an image."""
    value, size = f(matrix), len(matrix)
    images = [value, 1 - value, -value, 1 / value if value else np.nan]
    orders = list(itertools.permutations(range(size)))
    moved = [m[np.ix_(*pair)] for pair in itertools.product(orders, repeat=2) for m in (matrix, matrix.T)][1:]
    return bool(np.isclose(f(np.stack(moved))[:, None], images, rtol=1e-9, atol=1e-11).any())


def _always_defined(f: Callable[..., Any], matrix: Matrix, random: np.random.Generator) -> bool:
    """Whether a formula as it is written has a value at a matrix of few ones."""
    ones = np.zeros(matrix.size)
    ones[random.choice(matrix.size, random.integers(1, len(matrix) + 1), replace=False)] = 1
    with np.errstate(all="ignore"):
        return bool(np.isfinite(f(*ones)))


def _vanishing(f: Metric, matrix: Matrix, random: np.random.Generator) -> bool:
    place = random.integers(len(matrix))
    few = [f(np.where(np.arange(len(matrix))[:, None] == place, matrix * scale, matrix)) for scale in (1e-9, 1e-11)]
    return bool(np.isclose(*few, atol=0.05))  # logarithms tend slowly


LAWS: Final[dict[str, Callable[[Metric, Matrix, np.random.Generator], bool]]] = {
    "relabelling": _relabelling,
    "transpose": lambda f, m, _: _same(f, m, m.T.copy()),
    "homogeneous": lambda f, m, r: _same(f, m, m * r.uniform(0.1, 9)),
    "row_scaling": lambda f, m, r: _same(f, m, m * r.uniform(0.1, 9, (len(m), 1))),
    "column_scaling": lambda f, m, r: _same(f, m, m * r.uniform(0.1, 9, (1, len(m)))),
    "diagonal_change": lambda f, m, r: _changed(f, m, r, diagonal=True),
    "off_diagonal_change": lambda f, m, r: _changed(f, m, r, diagonal=False),
    "error_blindness": _blind,
    "merging": _merged,
    "empty_class": lambda f, m, _: _same(f, m, np.pad(m, (0, 1))),
    "monotone_rows": lambda f, m, r: _corrected(f, m, r, in_row=True),
    "monotone_columns": lambda f, m, r: _corrected(f, m, r, in_row=False),
    "max_agreement": lambda f, m, r: _extreme(f, m, r, kept=np.eye(len(m)), sign=1),
    "min_agreement": lambda f, m, r: _extreme(f, m, r, kept=1 - np.eye(len(m)), sign=-1),
    "independence_value": _independent,
    "constant_baseline": _baseline,
    "symmetry_group": _symmetric,
    "defined": _always_defined,
    "vanishing_class": _vanishing,
}
SEEN_IN_SAMPLES: Final = {"monotone_rows", "monotone_columns"}
"""Laws that fail at few matrices only, so that a sample need not show it; their counterexamples do."""


def _holds(key: str, metric: Any, classes: int) -> bool:
    """Whether a law holds at matrices of a sample."""
    random = np.random.default_rng(classes)
    f: Metric = metric.from_confusion
    if key == "range":
        values = [f(random.lognormal(0, 2, (classes, classes))) for _ in range(SAMPLES)]
        return metric.range.start - 1e-12 <= min(values) and max(values) <= metric.range.end + 1e-12
    matrices = (random.uniform(0.1, 9, (classes, classes)) for _ in range(SAMPLES))
    if key == "defined":
        at = sm.multiclass_properties[key].of(metric, classes)
        defaults = {parameter.symbol: parameter.default for parameter in metric.parameters}
        f = lambdify(at.arguments, at.subject.xreplace(defaults), "numpy")
    return all(LAWS[key](f, matrix, random) for matrix in matrices)


@pytest.fixture
def reading() -> Iterator[None]:
    """Read the certificates that come with the package, which the other tests decide anew."""
    token = ANEW.set(False)
    yield
    ANEW.reset(token)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("classes", SIZES)
@pytest.mark.usefixtures("reading")
def test_verdicts_agree_with_numbers(name: str, classes: int) -> None:
    metric = sm.multiclass[name]
    for key, property in effort.some(sm.multiclass_properties.items(), 7, f"{name} of {classes}"):
        if property.least_classes > classes:
            continue
        verdict = sm.prove(metric, key, k=classes)
        if verdict.holds is True:
            assert _holds(key, metric, classes), key
        elif verdict.holds is False and key not in SEEN_IN_SAMPLES:
            assert not _holds(key, metric, classes), key
        if verdict.witness is not None and verdict.witness.values and verdict.condition is None:
            _require_real(verdict, metric, classes)


def _require_real(verdict: Verdict, metric: Any, classes: int) -> None:
    """Check the values of a counterexample that names whole matrices."""
    assert verdict.witness is not None
    table, value = verdict.witness.tables[0], verdict.witness.values[0]
    if isinstance(table, Point) and len(table.names) == classes**2 and verdict.property != "empty_class":
        matrix = np.array(list(map(float, table))).reshape(classes, classes)
        assert metric.from_confusion(matrix) == pytest.approx(float(value), rel=1e-9, abs=1e-12)


def test_every_law_has_an_oracle() -> None:
    assert set(LAWS) | {"range"} == set(sm.multiclass_properties)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("many", "two"),
    [
        ("accuracy", "accuracy"),
        ("balanced_accuracy", "balanced_accuracy"),
        ("adjusted_balanced_accuracy", "informedness"),
        ("cba", "class_balance_accuracy"),
        ("cen", "confusion_entropy"),
        ("error_rate", "error_rate"),
        ("kappa", "kappa"),
        ("mavg", "gmean"),
        ("mcc", "mcc"),
        ("rci", "relative_classifier_information"),
    ],
)
def test_of_two_classes_the_verdicts_are_those_of_the_binary_metric(many: str, two: str) -> None:
    keys = {
        "relabelling": "p1",
        "transpose": "transpose",
        "homogeneous": "homogeneous",
        "row_scaling": "actual_scaling",
        "column_scaling": "predicted_scaling",
        "monotone_rows": "monotone",
        "independence_value": "independence_value",
        "constant_baseline": "constant_baseline",
    }
    for key, binary in effort.some(keys.items(), 4, many):
        assert sm.prove(sm.multiclass[many], key, k=2).holds is holds(two, binary), key


@pytest.mark.parametrize("classes", SIZES)
def test_corrections_in_rows_and_in_columns_are_two_laws(classes: int) -> None:
    """In a row the size of the class stays, in a column how often it is predicted; more of it lowers these means."""
    rows, columns = "monotone_rows", "monotone_columns"
    laws = ((sm.P, rows, columns), (sm.OP, columns, rows))
    for total, holding, failing in laws if classes == 2 else effort.some(laws, 0):  # a proof at three takes a second
        mine = sm.MulticlassMetric("mine", ClassMean(sm.TP / total**2))
        assert mine.prove(holding, classes).status == "proved"
        verdict = mine.prove(failing, classes)
        assert verdict.status == "refuted"
        _require_real(verdict, mine, classes)


@pytest.mark.usefixtures("reading")
def test_the_coefficient_of_three_classes_falls_where_a_prediction_is_corrected() -> None:
    verdict = sm.prove(sm.multiclass["mcc"], "monotone_rows", k=3)
    assert verdict.status == "refuted"
    assert verdict.witness is not None
    found = []
    for table in verdict.witness.tables:
        counts = np.array(list(map(int, table)))
        truth, predicted = np.divmod(np.repeat(np.arange(9), counts), 3)
        found.append(matthews_corrcoef(truth, predicted))
    before, after = found
    assert before > after
    assert found == pytest.approx(list(map(float, verdict.witness.values)), abs=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "Max(TP**2/(TP + FN), 0) + 1/((TN - 1)*(TN - 7))",  # no value at two tables of the face, and -1/5 at TN = 2
        "log(TN - TP**2/(TP + FN) - 2)*(TN - 7)",  # a limit that is not found
        "sqrt((TN - 2)*(13/2 - TN) + TP**2/(TP + FN))",
        "TP**2/(TP + FN)",
    ],
)
def test_a_class_is_left_out_only_where_it_is_known_to_have_no_value(text: str) -> None:
    """Each of these has a value at tables without the class, which adding the class takes into the mean."""
    mine = sm.MulticlassMetric("mine", ClassMean(sm.parse_formula(text)))
    assert mine.prove("empty_class", 2).status in ("open", "refuted")


@pytest.mark.parametrize(
    "text", ["TP/(TP + FN)", "sqrt(TP/(TP + FP))", "TP/Max(TP + FN, TP + FP)", "log(TP/(TP + FN))"]
)
def test_a_class_without_a_value_is_left_out(text: str) -> None:
    mine = sm.MulticlassMetric("mine", ClassMean(sm.parse_formula(text)))
    assert mine.prove("empty_class", 2).status == "proved"


def test_a_class_whose_formula_takes_all_cells_has_its_limit() -> None:
    """This is 0/0 at tables without the class, and has a limit there, which a class more takes into the mean."""
    text = "(TP*TN - FN*FP)*(TP + FP)/((TP + FN)*(TN + FP))"
    mine = sm.MulticlassMetric("mine", ClassMean(sm.parse_formula(text)))
    assert mine.prove("empty_class", 2).status == "refuted"


# -- what is asked, and how --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "forged",
    [
        {"metric": "kappa of 3 classes"},
        {"metric": "mcc of 2 classes"},
        {"metric": "mcc of 9999 classes"},
        {"metric": "mcc of 2 classes", "property": "merging"},
        {"metric": "f_of_means(self=1) of 3 classes"},
        {"property": "range"},
    ],
)
def test_a_verdict_under_other_names_is_refused(forged: dict[str, str]) -> None:
    verdict = sm.prove(sm.multiclass["mcc"], "transpose", k=3)
    sm.check(verdict)
    with pytest.raises(CertificateError):
        sm.check(replace(verdict, **forged))


def test_verdicts_of_three_classes_are_read_and_are_what_is_decided_anew() -> None:
    from symmetrics.claims.recorded import deciding_anew, recorded_verdict
    from symmetrics.matrices.deciding import name_at_size

    for name in effort.some(METRICS, 2):
        metric = sm.multiclass[name]
        for key in effort.some(sorted(sm.multiclass_properties), 3, name):
            claim = sm.multiclass_properties[key].of(metric, 3)
            found = recorded_verdict(lambda claim=claim: claim, metric=name_at_size(metric, 3), property=key)
            assert found is not None, "run 'symmetrics build'"
            with deciding_anew():
                assert metric.prove(key, 3).status == found.status


def test_a_verdict_is_written_in_latex() -> None:
    text = sm.prove(sm.multiclass["cba"], "transpose", k=2).to_latex(environment="proposition")
    assert "Class balance accuracy of 2 classes treats predictions and truth alike." in text
    assert "M(C[j, i]) = M(C[i, j])" in text
    assert "It holds." in text
    with pytest.raises(InputError, match="mcc is a metric of matrices"):
        sm.datasheet(sm.multiclass["mcc"])


@pytest.mark.usefixtures("reading")
def test_the_table_is_of_matrices() -> None:
    found = sm.table(["mcc", sm.multiclass["cba"]], ["relabelling", "monotone_rows"], k=3)
    assert str(found).splitlines()[2:4] == [
        "| mcc      | yes           | no              |",
        "| cba      | yes           | yes             |",
    ]
    assert str(found).splitlines()[-1].startswith("For 3 classes and positive entries")
    assert found.to_dict()["classes"] == 3
    assert "correcting a prediction raises M" in found.to_html()
    assert "correcting a prediction raises $M$" in found.to_latex(legend=True)
    assert [name for name, _ in sm.table(None, ["relabelling"], k=3).rows] == list(sm.multiclass)
    of_two = sm.table(None if effort.is_thorough() else ["accuracy"], k=2)
    assert len(of_two.properties) == len(sm.multiclass_properties) - 2  # two are about three classes or more


@effort.in_one_test
@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: sm.prove("f1", "p1", k=3), "'f1' is a metric of two; leave it out"),
        (lambda: sm.prove(sm.multiclass["cba"], "mergin"), "did you mean merging"),
        (lambda: sm.prove(sm.multiclass["cba"], sm.properties["p1"]), "not a property of metrics of matrices"),
        (lambda: sm.prove(sm.multiclass["cba"], "p1"), "'p1': it is one of metrics of two classes; leave the number"),
        (
            lambda: sm.prove("kappa", "monotone_rows"),
            r"in Python symmetrics.prove\(symmetrics.multiclass\['mcc'\], 'mon",
        ),
        (lambda: sm.prove(sm.multiclass["cba"], "merging", k=2), "ask about 3 or more"),
        (lambda: sm.prove(sm.multiclass["cba"], "transpose", k=1), "ask about 2 or more"),
        (lambda: sm.prove(sm.multiclass["cba"], "transpose", k=2.5), "not a number of classes"),
        (lambda: sm.table(["f1"], k=3), "unknown multiclass metric 'f1'"),
        (lambda: sm.table("mcc", k=3), "pass a list of metrics"),
        (lambda: sm.table([3], k=3), "3 is not a metric of matrices"),
        (lambda: sm.table([], k=3), "at least one metric"),
        (lambda: sm.table(k=1), "no number of classes of a matrix"),
        (lambda: sm.prove(sm.multiclass["cba"], "transpose", k=10**9), "ask about 20 or fewer"),
        (lambda: sm.prove(sm.multiclass["cba"], "transpose", smt=True), "for metrics of two classes"),
    ],
)
def test_what_cannot_be_asked(ask: Callable[[], object], message: str) -> None:
    with pytest.raises((InputError, UnknownNameError), match=message):
        ask()


def test_who_asks_a_metric_of_two_classes_for_a_property_of_matrices_hears_how_it_is_asked() -> None:
    for key in set(sm.multiclass_properties) - set(sm.properties):
        with pytest.raises(UnknownNameError) as caught:
            sm.prove("mcc", key)
        message = str(caught.value)
        assert f"symmetrics prove mcc {key} --classes 3" in message
        assert message.endswith(f"in Python symmetrics.prove(symmetrics.multiclass['mcc'], {key!r}, k=3)")
    assert sm.prove(sm.multiclass["mcc"], "monotone_rows", k=3).status == "refuted"


@effort.in_one_test
@pytest.mark.parametrize(
    ("definition", "message"),
    [
        ("TP", r"is not an expression over a matrix; .*, without quotes, with the names of"),
        (None, "is not an expression over a matrix"),
        (sm.TP / (sm.TP + sm.FN), "FN, TP stand outside of a mean"),
        (C[i, i], "no sum binds the index i"),
        (Symbol("w") * over(C[i, i], i), "undeclared w; declare it with parameters="),
        (ClassMean(Symbol("x") * sm.TP), "undeclared x"),
        (over(tp[i], i) * 0.5, "0.5.* is a float"),
        (sin(over(tp[i], i)), "sin is outside the language"),
        (over(tp[i], i) / (k - k), "no real value"),
        (over(i * C[i, i], i), "the index i is a class, not a number"),
        (over(tp[i] ** j, i, j), "the index j is a class, not a number"),
        (over(KroneckerDelta(i, 1) * tp[i], i), "names a class"),
        (C[1, 1], "names a class"),
        (Sum(tp[i], (i, 2, k)), "not over all classes"),
        (over(tp[i], i, i), "over one index twice"),
        (ClassMean(sm.TP / over(C[i, j], i, j)), "stands in a mean"),
        (ClassMean(RelativeEntropy(sm.TP, sm.P)), "stands in a mean"),
        (ClassMean(k * sm.TP), "k stands in a mean"),
        (ClassMean(1 - 2**sm.TP), "the exponent TP in a mean over classes holds a cell"),
    ],
)
def test_definitions_that_are_none(definition: Any, message: str) -> None:
    with pytest.raises(DefinitionError, match=message):
        sm.MulticlassMetric("mine", definition)


@pytest.mark.parametrize("name", ["k", "i", "tp", "c_1_2"])
def test_parameters_have_names_of_their_own(name: str) -> None:
    with pytest.raises(DefinitionError, match="rename the parameter"):
        sm.MulticlassMetric("mine", Symbol(name) * SHARE, f"{name} in [0, 1]")
    with pytest.raises(DefinitionError, match="two parameters are called w"):
        sm.MulticlassMetric("mine", Symbol("w") * SHARE, ["w in [0, 1]", "w in [0, 2]"])


@pytest.mark.parametrize("range", [(0, 1), "[0, 1]", Interval(0, Symbol("w")), Interval(1, 0)])
def test_a_range_is_an_interval_of_numbers(range: Any) -> None:
    with pytest.raises(DefinitionError, match="is not one such as"):
        sm.MulticlassMetric("mine", SHARE, range=range)


@pytest.mark.parametrize("range", [Interval(exp(-9), 1), Interval(-5, -E), Interval(0, 1.0)])
def test_some_ends_of_ranges_have_no_claim(range: Any) -> None:
    with pytest.raises(InputError, match="nothing can be compared with"):
        sm.MulticlassMetric("mine", SHARE, range=range).prove("range", 2)


# -- zeros, parameters and sizes ---------------------------------------------------------------------------------------


def test_a_parameter_may_be_a_text() -> None:
    metric = sm.MulticlassMetric("mine", Symbol("w") * over(C[i, i], i), "w in [0, 1] = 1/2")
    assert metric.exact([[2, 1], [1, 4]]) == Integer(3)
    assert (
        metric.prove("row_scaling", 2).condition == (Symbol("w", real=True) <= 0)
        or metric.prove("row_scaling", 2).status == "conditional"
    )
    with pytest.raises(SymmetricsError):
        sm.MulticlassMetric("mine", over(C[i, i], i), "w in [0")
    # A table of metrics without ranges has the other properties.
    assert "range" not in sm.table([sm.MulticlassMetric("mine", SHARE)], k=2).properties


@pytest.mark.parametrize(
    ("definition", "key", "status"),
    [
        (ClassMean(sm.FN / sm.P * log(sm.FN / sm.P)), "max_agreement", "proved"),  # the limit of 0*log(0) is 0
        (1 / ClassMean(sm.P / sm.TP), "min_agreement", "proved"),  # that of 1/oo is 0
        (ClassMean(Min(sm.TP / sm.P, sm.TP / sm.OP)), "empty_class", "proved"),
        (Max(over(fn[i], i) / over(fp[i], i), SHARE), "max_agreement", "open"),
        (ClassMean(1 / sm.FN), "empty_class", "open"),
        (ClassMean(sqrt(sm.TP - sm.FN)), "min_agreement", "open"),
    ],
)
def test_where_entries_are_zero_there_is_a_limit_or_no_answer(definition: Any, key: str, status: str) -> None:
    verdict = sm.MulticlassMetric("mine", definition).prove(key, 2)
    assert verdict.status == status
    if status == "open":
        assert "no real value" in verdict.evidence.sentence


LEAST_OF_ROW, LEAST_OF_COLUMN = Min(sm.TP, sm.FN), Min(sm.TP, sm.FP)


@pytest.mark.parametrize(
    "definition",
    [
        ClassMean(LEAST_OF_ROW / (LEAST_OF_ROW + sm.FP)),
        ClassMean(LEAST_OF_ROW / LEAST_OF_COLUMN),
        over(Min(tp[i], fn[i]), i) / over(Min(tp[i], fp[i]), i),
        over(Min(tp[i], fn[i]), i) / over(Min(tp[i], fp[i]), i) * (1 - over(fn[i], i) / over(C[i, j], i, j)),
    ],
)
def test_the_smaller_of_zero_and_an_entry_is_zero_and_nothing_is_divided_by_it(definition: Any) -> None:
    metric = sm.MulticlassMetric("mine", definition)
    assert metric.exact([[2, 0], [0, 3]]) is S.NaN
    assert metric.prove("max_agreement", 2).status == "open"


@pytest.mark.parametrize("factor", [1, SHARE])
def test_a_divisor_that_cancels_leaves_all_open_also_where_it_is_rarely_zero(factor: Any) -> None:
    """There are as many false negatives as false positives, so that the formula as it is shown has no divisor."""
    metric = sm.MulticlassMetric("mine", factor * over(tp[i] - fn[i], i) / over(tp[i] - fp[i], i))
    assert metric.exact([[1, 1], [1, 1]]) is S.NaN
    for key in ("defined", "constant_baseline", "row_scaling", "max_agreement"):
        verdict = metric.prove(key, 2)
        assert verdict.status == "open"
        assert "cancelled" in verdict.evidence.sentence


@pytest.mark.parametrize(
    ("definition", "matrix"),
    [
        (ClassMean(sm.TP / sm.FN) * (over(fn[i], i) - over(fp[i], i)), [[1, 0], [1, 1]]),
        (over(log(fn[i]), i) - over(log(fp[i]), i), [[1, 0], [1, 1]]),
        (ClassMean(sm.TP * log(sm.P)) - over(tp[i] * log(tp[i] + fn[i]), i) / k, [[0, 0], [1, 1]]),
    ],
)
def test_what_cancels_may_have_had_no_value_where_entries_are_zero(definition: Any, matrix: Any) -> None:
    metric = sm.MulticlassMetric("mine", definition)
    assert metric.expr(2) == 0
    assert metric.exact(matrix) is S.NaN
    assert metric.prove("defined", 2).status == "open"
    assert metric.prove("homogeneous", 2).status == "proved"


@effort.in_one_test
@pytest.mark.parametrize("average", ["macro", [1, 0], [0, 1], "weighted"])
@pytest.mark.parametrize("matrix", [[[0, 1], [2, 0]], [[5, 0], [3, 0]], [[1, 2], [3, 9]]])
@pytest.mark.parametrize("body", [(sm.FN - sm.FP) / (sm.FN + sm.FP), (sm.TP - sm.FP) / (sm.TP + sm.FP), sm.TP - sm.FN])
def test_there_is_no_geometric_mean_of_negative_values(body: Any, matrix: Any, average: Any) -> None:
    metric = sm.MulticlassMetric("mine", GeometricClassMean(body))
    values = [sm.Metric("one", body).exact(t, f, w, n) for t, f, w, n in map(_cells_of, [matrix] * 2, (0, 1))]
    weights = {"macro": [1, 1], "weighted": [sum(row) for row in matrix]}.get(str(average), average)
    counted = [(v, w) for v, w in zip(values, weights, strict=True) if v is not S.NaN and w]
    exact, number = metric.exact(matrix, average=average), metric.from_confusion(matrix, average=average)
    if not counted or any(value < 0 for value, _ in counted):
        assert exact is S.NaN
        assert np.isnan(number)
    else:
        mean = Mul(*(value ** Rational(w, sum(w for _, w in counted)) for value, w in counted))
        assert exact == mean
        assert number == pytest.approx(float(mean))


def _cells_of(matrix: Any, place: int) -> tuple[int, ...]:
    other = 1 - place
    return matrix[place][place], matrix[place][other], matrix[other][place], matrix[other][other]


@effort.in_one_test
@pytest.mark.parametrize(
    ("definition", "matrix", "settings"),
    [
        # A pole outside of means may have either sign: two have no sum, and nothing is the larger.
        (1 / over(1 / (fn[i] - fp[i]), i), [[1, 2], [2, 1]], {}),
        (over(fn[i], i) / over(tn[i] / tp[i], i), [[0, 3], [1, 0]], {}),
        (Min(over(fp[i] / tp[i], i), SHARE), [[0, 3], [1, 2]], {}),
        (Max(SHARE, -over(1 / tp[i], i)), [[0, 3], [1, 2]], {"zero_division": 1}),
        (over(Abs(tn[i] / tp[i]), i), [[0, 3], [1, 2]], {}),
        # The whole is filled, not a mean that stands in it.
        (
            (k * ClassMean((2 * sm.FP - sm.TN) / sm.TP) - 1) / (k - 1),
            [[0, 2, 5], [0, 5, 1], [1, 0, 0]],
            {"zero_division": 0},
        ),
        (1 - ClassMean(sm.TP / sm.P), [[0, 0], [0, 0]], {"average": "weighted", "zero_division": 1}),
        # Minus infinity is negative.
        (GeometricClassMean(-sm.TP / sm.FN), [[1, 0], [1, 1]], {}),
        (log(ClassMean(-sm.TP / sm.FN)), [[1, 0], [1, 1]], {}),
        (ClassMean(-sm.TP / sm.FN) ** Rational(1, 3), [[1, 0], [1, 1]], {}),
        (1 / GeometricClassMean((sm.FN - sm.TP) / sm.FN), [[1, 0], [1, 1]], {}),
    ],
)
def test_what_has_no_exact_value_has_no_number(definition: Any, matrix: Any, settings: dict[str, Any]) -> None:
    metric = sm.MulticlassMetric("mine", definition)
    exact = metric.exact(matrix, **settings)
    assert exact is S.NaN or exact == settings.get("zero_division")
    np.testing.assert_equal(metric.from_confusion(matrix, **settings), float(exact))


@effort.in_one_test
@pytest.mark.parametrize(
    "definition",
    [
        2 ** over(C[i, i], i),
        over(2 ** tp[i], i),
        2 ** ClassMean(sm.TP),
        (over(tp[i], i) / 10) ** (over(fn[i], i) / 10),
        1 - FMeasure(SHARE, over(tp[i], i) / over(tn[i], i), 2),
        FMeasure(ClassMean(sm.TP), over(tn[i], i), 2),
    ],
)
def test_exponents_are_those_of_each_matrix(definition: Any) -> None:
    metric = sm.MulticlassMetric("mine", definition)
    matrices = np.array([[[1, 2], [3, 4]], [[2, 1], [1, 1]], [[2, 2], [1, 0]]])
    exact = [float(metric.exact(matrix)) for matrix in matrices]
    np.testing.assert_allclose(metric.from_confusion(matrices), exact)


@pytest.mark.parametrize(
    "definition",
    [
        over((tp[i] / 5) ** (fn[i] / 5), i),
        2 ** ClassMean(sm.TP / 9),
        Min(SHARE, over(fn[i], i) / over(C[i, j], i, j)),
        over(Abs(C[i, j] - C[j, i]), i, j) / over(C[i, j], i, j),
        1 - FMeasure(SHARE, over(tp[i], i) / over(tn[i], i), 2),
    ],
)
def test_slopes_of_powers_and_pieces_are_those_of_differences(definition: Any) -> None:
    whole = sm.MulticlassMetric("mine", definition).estimator(2, "macro")
    entries = np.array([1.0, 2.0, 3.0, 5.0])
    steps = 1e-6 * np.eye(4)
    differences = [(whole.values(entries + step) - whole.values(entries - step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(whole.slopes(entries), differences, rtol=1e-6)


def test_an_f_measure_has_no_value_at_a_pole() -> None:
    metric = sm.MulticlassMetric("mine", FMeasure(ClassMean(sm.TP - sm.FP), ClassMean(sm.FP - sm.TP), 1))
    assert metric.exact([[2, 1], [1, 1]]) is S.NaN
    assert np.isnan(metric.from_confusion([[2, 1], [1, 1]]))


@pytest.mark.parametrize("quotient", [lambda x, w: x / (w + x), lambda x, w: (x + w) / x])
@pytest.mark.parametrize(
    "form", [ClassMean, GeometricClassMean, lambda body: over(body.subs({sm.TP: tp[i], sm.FN: fn[i]}), i)]
)
def test_a_parameter_that_makes_nothing_over_nothing_of_a_metric_is_refused(form: Any, quotient: Any) -> None:
    w = Symbol("w")
    metric = sm.MulticlassMetric("mine", quotient(form(w * sm.TP / (w * sm.TP + sm.FN)), w), "w in [0, 1]")
    assert metric.at(w=1).prove("transpose", 2).status in ("refuted", "open")
    with pytest.raises(DefinitionError, match="no real value whatever the counts"):
        metric.at(w=0)


def test_a_power_by_right_predictions_is_no_proportion() -> None:
    interval = sm.MulticlassMetric("mine", 2 ** over(C[i, i], i)).interval([[1, 2], [3, 4]])
    assert interval.low < interval.estimate == 32 < interval.high
    # A mean of a constant is a mean.
    w = Symbol("w")
    metric = sm.MulticlassMetric("mine", ClassMean(w * sm.TP / (sm.TP + sm.FN)), "w in [0, 1]").at(w=0)
    assert metric.is_mean
    assert metric.from_confusion([[1, 2], [3, 4]], average="weighted") == 0


def test_what_is_not_real_has_no_exact_value() -> None:
    root = sqrt(over(tp[i] - fn[i], i))
    for definition in (root, Max(root, SHARE), root * sqrt(over(tp[i] - fp[i], i))):
        assert sm.MulticlassMetric("mine", definition).exact([[1, 2], [3, 1]]) is S.NaN


RECALL: Final = ClassMean(sm.TP / (sm.TP + sm.FN))


@pytest.mark.parametrize(
    "definition",
    [
        # A mean without a value times 0, less itself, and over itself.
        ClassMean(sqrt(sm.FN / sm.TP)) * RECALL,
        (1 + ClassMean(sqrt(sm.TP * sm.TN) / (sm.TP + sm.TN))) * RECALL,
        # So it is where the values are other ones at other matrices.
        GeometricClassMean(sm.TP - sm.FP) - sm.multiclass["mcc"].definition,
        # At matrices of errors each value is -1, and i*i is -1 as well.
        GeometricClassMean(1 - 2 * sm.FN / (sm.TP + sm.FN)),
        # Both classes have one value, whose roots are one power.
        GeometricClassMean((sm.TP * sm.TN - sm.FN * sm.FP) / (sm.P * sm.N)),
        # The same with a factor between them, and within one value.
        GeometricClassMean((sm.TP * sm.TN - sm.FN * sm.FP) / sm.P),
        RECALL * ClassMean(sqrt(sm.TP - sm.FN) * sqrt(sm.TP - 2 * sm.FN)),
        # 0 times an imaginary number is no 0.
        RECALL * ClassMean(1 + sm.TP * sqrt(sm.TP - 1)),
    ],
)
def test_without_a_value_at_matrices_of_errors_nothing_is_smallest_there(definition: Any) -> None:
    metric = sm.MulticlassMetric("mine", definition)
    assert np.isnan(metric.from_confusion([[0, 3], [2, 0]]))
    assert metric.prove("min_agreement", 2).status == "open"


@effort.in_one_test
@pytest.mark.parametrize(
    "definition",
    [
        GeometricClassMean((sm.TP * sm.TN - sm.FN * sm.FP) / (sm.P * sm.N)),
        # There are as many false negatives as false positives in all classes together.
        sqrt(ClassMean(sm.TP - sm.FN)) * sqrt(ClassMean(sm.TP - sm.FP)),
        # A whole power of a mean of roots is a product without any.
        GeometricClassMean(sm.TP - sm.FN) ** 2,
        GeometricClassMean(sqrt(sm.TP - sm.FN)) ** 4 / over(C[i, j], i, j) ** 2,
        # The root that is left is of the opposite.
        ClassMean(sqrt(sm.FN - sm.TP)) * GeometricClassMean(sm.TP - sm.FN) ** 2,
        # What is a class less itself, or times zero, has its root no more.
        ClassMean(log(sm.TP - sm.FN)) * (over(C[i, i], i) - over(tp[i], i)),
    ],
)
def test_roots_of_negative_values_are_not_taken_for_a_real_number(definition: Any) -> None:
    metric = sm.MulticlassMetric("mine", definition)
    assert np.isnan(metric.from_confusion([[1, 3], [2, 1]]))
    assert "not known where M is real" in metric.prove("monotone_rows", 2).evidence.sentence


def test_parameters_in_verdicts() -> None:
    # Extremes of parameters are decided.
    metric = sm.MulticlassMetric("mine", Symbol("w") * SHARE, "w in [0, 1] = 1/2")
    for key in ("max_agreement", "min_agreement"):
        verdict = metric.prove(key, 2)
        assert (verdict.status, str(verdict.condition)) == ("conditional", "Ne(w, 0)")
        sm.check(verdict, metric)
    # An empty class waits for parameters.
    w = Symbol("w")
    metric = sm.MulticlassMetric("mine", ClassMean(sm.TP / (sm.TP + w * sm.FN + (1 - w) * sm.FP)), "w in [0, 1]")
    assert "not known while parameters are free" in metric.prove("empty_class", 2).evidence.sentence
    assert metric.at(w="1/3").prove("empty_class", 2).status == "proved"


def test_a_divisor_or_logarithm_of_zero_leaves_a_verdict_open() -> None:
    # A divisor that cancels and may be zero at many matrices leaves all open. Without the smaller of both parts the
    # formula of two classes is 1; it has no value where no entry is most.
    more, less = (over(Max(sign * (tp[i] - tn[i]) - fn[i] - fp[i], 0), i) for sign in (1, -1))
    metric = sm.MulticlassMetric("mine", more / less)
    assert metric.exact([[1, 1], [1, 1]]) is S.NaN
    assert metric.exact([[5, 1], [1, 1]]) == 1
    verdict = metric.prove("monotone_rows", 2)
    assert verdict.status == "open"
    assert "cancelled" in verdict.evidence.sentence
    # A correlation of negative variances is not real although the covariance is zero.
    metric = sm.MulticlassMetric("mine", Correlation(over(fn[i] - fp[i], i), over(tp[i] - fn[i], i), over(tn[i], i)))
    for matrix, value in (([[1, 3], [2, 1]], np.nan), ([[1, 3], [2, 7]], 0)):
        np.testing.assert_equal([float(metric.exact(matrix)), metric.from_confusion(matrix)], [value, value])
    assert "not known where M is real" in metric.prove("homogeneous", 2).evidence.sentence
    # Logarithms of zero are no numbers to be compared.
    metric = sm.MulticlassMetric("mine", over(C[i, j] * (1 - KroneckerDelta(i, j)), i, j) / over(log(fn[i]) * tp[i], i))
    assert metric.prove("max_agreement", 2).status == "open"
    # Formulas too long to be read say so.
    sentence = sm.multiclass["kappa"].prove("relabelling", 9).evidence.sentence
    assert "ask about fewer classes" in sentence


def test_a_metric_of_ones_own() -> None:
    mine = sm.MulticlassMetric(
        "mine", over(C[i, i], i) / over(C[i, j], i, j) + Rational(1, 2) * ClassMean(sm.TP / sm.P)
    )
    assert mine.prove("relabelling", 2).status == "proved"
    verdict = sm.prove(mine, "row_scaling")
    assert (verdict.metric, verdict.status) == ("mine of 3 classes", "refuted")
    sm.check(verdict, mine)
    with pytest.raises(CertificateError, match="not known by these names"):
        sm.check(verdict)
    with pytest.raises(CertificateError, match="not known by these names"):
        sm.check(verdict, sm.multiclass["cba"])
    with pytest.raises(InputError, match="states no range"):
        mine.prove("range")
    # A verdict of a metric that is not passed names it.
    mine = sm.MulticlassMetric("mine\n2", SHARE)
    verdict = mine.prove("transpose", 3)
    sm.check(verdict, mine)
    with pytest.raises(CertificateError, match="pass a metric or a property of your own"):
        sm.check(verdict)


@pytest.mark.parametrize(
    "definition",
    [
        over(Abs(fn[i] - fp[i]), i) / over(C[i, j], i, j),
        over(Min(C[i, j], C[j, i]), i, j),
        pi * Abs(ClassMean(sm.TP / sm.P) - ClassMean(sm.TP / sm.OP)),
    ],
)
def test_numbers_are_those_of_exact_values(definition: Any) -> None:
    metric, matrix = sm.MulticlassMetric("mine", definition), [[3, 1, 2], [1, 4, 1], [2, 3, 5]]
    assert metric.from_confusion(matrix) == pytest.approx(float(metric.exact(matrix)))


def test_an_extreme_of_nothing_has_no_value() -> None:
    metric = sm.MulticlassMetric("mine", Max(ClassMean(log(sm.TP - sm.FN)), 0))
    assert metric.exact([[1, 5], [5, 1]]) is nan


@pytest.mark.parametrize(
    ("name", "key", "classes", "lines"),
    [
        ("cba", "merging", 3, ["M(C) = 4/9", "M of C with its last two classes merged = 5/12"]),
        ("cen", "empty_class", 2, ["M of C with an empty class = 1/2", "M(C) = log(4)/(2*log(2)), about 1.000"]),
        ("kappa", "min_agreement", 2, ["M(C) = -2/13", "M of the errors of C alone = -4/5"]),
    ],
)
def test_two_values_at_one_matrix_are_named(name: str, key: str, classes: int, lines: list[str]) -> None:
    from symmetrics.pages.lookup import explain_at_size

    metric = sm.multiclass[name]
    text = explain_at_size(metric.prove(key, classes), sm.multiclass_properties[key], metric, classes)
    assert [line.removeprefix("fails at  ") for line in text.splitlines() if line.startswith("fails at")][1:] == lines


def test_a_parameter_is_bound_once(capsys: pytest.CaptureFixture[str]) -> None:
    from symmetrics.cli import main

    twice = ["prove", "f_of_means", "transpose", "--classes", "2", "--param", "beta = 1", "--param", "beta = 2"]
    assert main(twice) == 2
    assert "two values to one parameter" in capsys.readouterr().err
    assert main(twice[:-2]) == 0
    assert "(beta=1) of 2 classes treats predictions and truth alike" in capsys.readouterr().out
