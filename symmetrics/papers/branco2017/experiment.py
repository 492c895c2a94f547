"""Branco, Torgo & Ribeiro (2017): tables 2 to 5 and both figures, computed again from the printed matrices."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sympy import Expr, Rational, nan

from symmetrics.algebra.derivative import value_as_written
from symmetrics.language.cells import CELLS, FN, FP, TP
from symmetrics.library import metrics
from symmetrics.matrices import MulticlassMetric, multiclass
from symmetrics.matrices.nodes import ClassMean
from symmetrics.papers.branco2017.discriminating import count, discrimination_remark, draw_discrimination
from symmetrics.papers.branco2017.real_data import real_data_remark
from symmetrics.papers.comparison import Cell, Comparison, Experiment, Steps, exact, printed_data, watched
from symmetrics.posets import Poset, average_ranks, draw_hasse, poset
from symmetrics.posets.relevance import Relevance, partial_order, prevalence, scores, total_order

if TYPE_CHECKING:
    from matplotlib.figure import Figure


Matrix = tuple[tuple[int, ...], ...]

MECHANISMS: Final = ("PREV", "PO", "TO", "phi")
"""Where a relevance comes from: frequencies (equation 9), a partial or a total order (equation 10), or given."""
RECALL: Final = TP / (TP + FN)
PRECISION: Final = TP / (TP + FP)
AS_PRINTED: Final[Mapping[str, Expr]] = {
    "recall": RECALL,
    "precision": PRECISION,
    "f1": 2 * PRECISION * RECALL / (PRECISION + RECALL),
}
"""Equations (1) to (3), with beta = 1, as they stand: F is undefined where precision is."""


@dataclass(frozen=True, eq=False)
class Case:
    """One of the three confusion matrices, with what the user is supposed to know of the classes.

    :param matrix: rows are true classes
    :param relevances: by mechanism
    """

    matrix: Matrix
    relevances: Mapping[str, Relevance]


_data: Final = partial(printed_data, Path(__file__).parent)


@cache
def cases() -> tuple[Case, ...]:
    """Return the three cases of section 3."""
    return tuple(_case(entry) for entry in _data()["cases"].values())


def _case(entry: Mapping[str, Any]) -> Case:
    matrix = tuple(map(tuple, entry["matrix"]))
    classes = [f"c{place}" for place in range(1, len(matrix) + 1)]
    relevances = {
        "PREV": prevalence([sum(row) for row in matrix], classes),
        "PO": partial_order([tuple(pair) for pair in entry["partial_order"]], classes),
        "TO": total_order(entry["total_order"], classes),
        "phi": scores(dict(zip(classes, map(Rational, entry["phi"]), strict=True)), classes),
    }
    return Case(matrix, relevances)


# -- metrics -----------------------------------------------------------------------------------------------------------


def _mean_of(key: str) -> MulticlassMetric:
    return MulticlassMetric(key, ClassMean(metrics[key].expr).xreplace(_defaults(key)))


def _defaults(key: str) -> dict[Any, Any]:
    return {parameter.symbol: parameter.default for parameter in metrics[key].parameters}


@cache
def _weighted_metrics() -> Mapping[str, MulticlassMetric]:
    """Return the metrics of equations (4) to (8)."""
    return {
        "Rec": _mean_of("tpr"),
        "Prec": _mean_of("precision"),
        "F1": multiclass["f_of_means"],
        "AvF1": _mean_of("f1"),
        "CBA": multiclass["cba"],
    }


@cache
def _plain_metrics() -> Mapping[str, tuple[MulticlassMetric, str]]:
    """Return the metrics of table 1, each with how it averages over the classes."""
    weighted = _weighted_metrics()
    means = {
        f"{name}_{index}": (weighted[name], average)
        for index, average in (("M", "macro"), ("mu", "micro"))
        for name in ("Rec", "Prec", "F1")
    }
    others = {"AvAcc": "av_acc", "MAvG": "mavg", "CBA": "cba", "MCC": "mcc", "RCI": "rci", "CEN": "cen"}
    return {
        **means,
        "AvF1": (weighted["AvF1"], "macro"),
        **{name: (multiclass[key], "macro") for name, key in others.items()},
    }


@cache
def _value(metric: MulticlassMetric, matrix: Matrix, average: Any, *, undefined_is_zero: bool) -> Expr:
    """Return an exact value, with undefined classes left out or counted as 0."""
    return metric.exact(matrix, average=average, zero_division=0 if undefined_is_zero else None)


def _normalised(metric: MulticlassMetric, value: Expr) -> Expr:
    return (value - metric.worst) / (metric.best - metric.worst)


def percents(matrix: Matrix, relevances: Mapping[str, Relevance]) -> dict[str, Expr]:
    """Return the normalised values of all metrics, without a relevance and with each, in percent."""
    weighted = {
        f"{name}^{mechanism}": (metric, relevance)
        for mechanism, relevance in relevances.items()
        for name, metric in _weighted_metrics().items()
    }
    chosen: dict[str, tuple[MulticlassMetric, Any]] = {**_plain_metrics(), **weighted}
    return {
        name: 100 * _normalised(metric, metric.exact(matrix, average=average))
        for name, (metric, average) in chosen.items()
    }


# -- tables ------------------------------------------------------------------------------------------------------------


def _table_2() -> Comparison:
    cells = []
    for name, rows in _data()["table2"].items():
        for number, (case, row) in enumerate(zip(cases(), rows, strict=True), start=1):
            for place, printed in enumerate(row):
                value = value_as_written(AS_PRINTED[name], _cells_of_class(case.matrix, place))
                ours = nan if value is None else value
                cells.append(Cell(f"case {number}, {name} of c{place + 1}", ours, printed))
    return Comparison("Table 2, recall, precision and F1 of each class", tuple(cells))


def _cells_of_class(matrix: Matrix, place: int) -> dict[Any, Expr]:
    hits, truth = matrix[place][place], sum(matrix[place])
    predicted, total = sum(row[place] for row in matrix), sum(map(sum, matrix))
    counts = (hits, truth - hits, predicted - hits, total - truth - predicted + hits)
    return dict(zip(CELLS, map(exact, counts), strict=True))


def _table_3() -> Comparison:
    cells = []
    for name, rows in _data()["table3"].items():
        metric, average = _plain_metrics()[name]
        for number, (case, row) in enumerate(zip(cases(), rows, strict=True), start=1):
            value = nan if _lacks_a_class(name, case.matrix) else metric.exact(case.matrix, average=average)
            cells.append(Cell(f"case {number}, {name}, value", value, row[1]))
            percent = value if value is nan else 100 * _normalised(metric, value)
            cells.append(Cell(f"case {number}, {name}, normalised", percent, row[0]))
    remark = (
        "Here a mean over the classes is undefined if equation (1), (2) or (3) as it stands is undefined for one of "
        "them; table 5 has numbers for the same metrics."
    )
    return Comparison("Table 3, existing metrics", tuple(cells), (remark,))


def _lacks_a_class(name: str, matrix: Matrix) -> bool:
    """Whether an equation that a macro-average uses is undefined for a class."""
    used = {"Rec_M": "recall", "Prec_M": "precision", "F1_M": "precision", "AvF1": "f1"}.get(name)
    places = range(len(matrix)) if used else ()
    return any(value_as_written(AS_PRINTED[str(used)], _cells_of_class(matrix, place)) is None for place in places)


def _table_4() -> Comparison:
    notes = {
        ("PREV", 3): "printed for c1 and c2 in the ratio 2 to 1; the matrix has 4 and 10 examples, a ratio of 5 to 2",
        ("PO", 3): "3/7 = 0.428571... is cut, not rounded",
    }
    cells = []
    for mechanism in ("PREV", "PO", "TO"):
        rows = _data()["table4"][mechanism]
        for number, (case, row) in enumerate(zip(cases(), rows, strict=True), start=1):
            for (name, value), printed in zip(case.relevances[mechanism].items(), row, strict=True):
                cell = Cell(f"case {number}, {mechanism} of {name}", exact(value), printed, decimals=2)
                note = "" if cell.agrees else notes.get((mechanism, number), "")
                cells.append(Cell(cell.place, cell.ours, printed, 2, note))
    remark = "The row phi is given, not computed.  Relevances of PO are the midpoint ranks, divided by the largest."
    return Comparison("Table 4, relevance of each class", tuple(cells), (remark,))


def _table_5() -> Comparison:
    cells = []
    for name, row in _data()["table5"].items():
        base, _, mechanism = name.partition("^")
        for number, (case, printed) in enumerate(zip(cases(), row, strict=True), start=1):
            metric, average = (
                (_weighted_metrics()[base], case.relevances[mechanism]) if mechanism else _plain_metrics()[base]
            )
            # Equation (7) gives AvF1 a value of 0, where the other metrics leave out a class, by section 4.3.
            value = _value(metric, case.matrix, average, undefined_is_zero=name == "AvF1")
            counted = _value(metric, case.matrix, average, undefined_is_zero=True)
            note = "" if value == counted or mechanism else "printed with the undefined precision counted as 0"
            cells.append(Cell(f"case {number}, {name}", 100 * _normalised(metric, value), printed, 1, note))
    remarks = (
        "Precision is undefined for c3 in case 1.  The footnote says that such classes are excluded, which is done "
        "here; the print counts it as 0 in the existing metrics, and leaves it out in those with a relevance.  "
        "RCI comes out with probabilities "
        "over N, not over C as printed, and CBA with a relevance only if it is divided by the sum of the relevances.",
        "Zeros at the end are not printed.",
    )
    return Comparison("Table 5, normalised values in percent", tuple(cells), remarks)


# -- figures -----------------------------------------------------------------------------------------------------------


def _order_of_figure_1() -> Poset:
    """Return an order in which class E has the neighbours that the text names."""
    return poset([("A", "E"), ("C", "E"), ("E", "D")], classes=list("ABCDEFG"))


def _figure_1() -> Comparison:
    order, known = _order_of_figure_1(), _data()["figure1"]
    node = known["node"]
    found = {
        "successors": len(order.below(node)),
        "predecessors": len(order.above(node)),
        "incomparable": len(order.incomparable(node)),
        "rank": average_ranks(order)[node],
    }
    cells = tuple(Cell(f"{what} of {node}", Rational(str(value)), str(known[what])) for what, value in found.items())
    remark = (
        "The text says which classes lie below E (A and C), above it (D) and beside it (B, F and G); how these lie to "
        "each other does not matter for the rank of E and is not known here."
    )
    return Comparison("Figure 1, the local partial order model of class E", cells, (remark,))


def _draw_figure_1() -> Figure:
    """Draw what is known of the order, and the local partial order model of E, which lumps what lies on one side."""
    from matplotlib.figure import Figure

    order, node = _order_of_figure_1(), _data()["figure1"]["node"]
    left, right = (figure := Figure(figsize=(7, 3.2), layout="constrained")).subplots(1, 2)
    draw_hasse(order, left)
    left.set_title("what is known of the order", fontsize="medium")
    below, above, beside = (
        ", ".join(sorted(map(str, found(node)))) for found in (order.below, order.above, order.incomparable)
    )
    draw_hasse(poset([(below, node), (node, above)], classes=[below, node, above, beside]), right)
    right.set_title(f"model of {node}: rank {float(average_ranks(order)[node]):g}", fontsize="medium")
    return figure


def problems() -> Iterator[tuple[str, tuple[int, ...], Case]]:
    """Yield the problems of section 5.2: the scenario, the class sizes, and the case that exemplifies the scenario."""
    minority, majority, complete = cases()
    for i, j, k in itertools.product((2, 3), (4, 5), (15, 16)):
        yield "multi-minority", (i, j, k), minority
    for i, k, m in itertools.product((2, 3), (15, 16), (17, 18)):
        yield "multi-majority", (i, k, m), majority
    for sizes in ((2, 3, 9, 10), (2, 3, 9, 11)):
        yield "complete", sizes, complete


def experiment(steps: Steps) -> Experiment:
    """Return everything of the paper, computed again; the discrimination takes some tens of seconds.

    :param steps: keeps the numbers of distinct values
    """
    counted = [
        count(scenario, sizes, case.relevances, steps)
        for scenario, sizes, case in watched(list(problems()), "branco2017, distinct values")
    ]
    return Experiment(
        _data()["title"],
        (_table_2(), _table_3(), _table_4(), _table_5(), _figure_1()),
        (real_data_remark(steps, percents), discrimination_remark(counted)),
        {"figure1": _draw_figure_1, "figure2": lambda: draw_discrimination(counted)},
    )
