"""The claims of Branco, Torgo & Ribeiro (2017), judged one by one, in the paper's order.

Run it: ``python proofs/branco2017.py``.  It prints every claim with its ruling and exits with 1 if one comes out
otherwise than recorded here.

P. Branco, L. Torgo, R. P. Ribeiro: Relevance-based evaluation metrics for multi-class imbalanced domains.  PAKDD 2017.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Final

from sympy import Add, Expr, Integer, Max, Mul, Rational, S, Symbol, log, nan, simplify, sqrt, symbols

import symmetrics as sm
from symmetrics import FN, FP, TN, TP
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.matrices import multiclass
from symmetrics.matrices.discrimination import discrimination, measures_of
from symmetrics.matrices.expansion import Entries, entry_symbols
from symmetrics.matrices.reductions import REDUCTIONS
from symmetrics.papers.branco2017 import experiment
from symmetrics.papers.claims import (
    CONSTANT,
    NO_SENTENCE,
    STEP,
    Kind,
    Outcome,
    PaperClaim,
    Ruling,
    Trial,
    at_least,
    by_computation,
    by_number,
    by_verdicts,
    equal,
    identity,
    run_alone,
    tends_to,
    with_reading,
    within,
)
from symmetrics.papers.comparison import Cell

PAPER: Final = "branco2017"
TITLE: Final = (
    "Branco, Torgo & Ribeiro (2017), Relevance-based evaluation metrics for multi-class imbalanced domains, PAKDD 2017"
)
REFUTED: Final = (
    "table_1_mcc",
    "table_1_rci",
    "case_2_prec_mu",
    "only_recall_and_cba_lose",
    "equation_8",
    "rank_two_forms",
    "table_4_case_3_prev_of_c1",
    "table_4_case_3_prev_of_c2",
    "table_4_case_3_prev_of_c4",
    "table_4_case_3_po_of_c4",
    "table_5_case_1_prec_m",
    "table_5_case_1_f1_m",
)
ONLY_AS_READ: Final = (
    "true_negatives",
    "perspectives",
    "normalised_worst_mcc",
    "successors_are_lower",
    "equation_10",
    "always_rec_and_prec",
    "always_f1",
    "preferable",
    "more_information",
    "case_2_over_estimate",
    "rank_of_cited_model",
)
_OUTCOMES: Final[tuple[tuple[Outcome, tuple[str, ...]], ...]] = (("refuted", REFUTED), ("holds only as", ONLY_AS_READ))
RECORDED: Final = {f"{PAPER}.{key}": outcome for outcome, keys in _OUTCOMES for key in keys}
"""What does not hold, or not as it is printed."""
REPEATED: Final = "repeats a cell of table 3"
ALL_SIDES: Final = "a check of two tables against each other that no sentence makes"
UNCOUNTED: Final = {
    "row_and_column_sums": "a definition beside itself",
    "thirteen_metrics": CONSTANT,
    "nodes_of_figure_1": CONSTANT,
    "figure_1_successors_of_e": CONSTANT,
    "figure_1_predecessors_of_e": CONSTANT,
    "figure_1_incomparable_of_e": CONSTANT,
    "beta_to_zero": NO_SENTENCE,
    "beta_to_infinity": NO_SENTENCE,
    "range_*": NO_SENTENCE,
    "equation_*_scale": NO_SENTENCE,
    "equation_*_range": NO_SENTENCE,
    "equation_9_sum": NO_SENTENCE,
    "table_4_prev_sum_*": NO_SENTENCE,
    "mcc_covariance": NO_SENTENCE,
    "cen_weights": NO_SENTENCE,
    "table_1_*_of_two_classes": NO_SENTENCE,
    "normalised_best_*": "a perfect matrix has 100 % by how the scale is made",
    "case_1_mavg": REPEATED,
    **{
        f"table_3_case_{case}_{name}_normalised": "100 times the cell beside it"
        for case in (1, 2, 3)
        for name in ("avacc", "mavg", "rec_m", "prec_m", "rec_mu", "prec_mu", "f1_m", "f1_mu", "avf1", "cba", "rci")
    },
    **{
        f"table_5_case_{case}_{name}": REPEATED
        for case in (1, 2, 3)
        for name in (
            *("avacc", "mavg", "rec_m", "prec_m", "rec_mu", "prec_mu", "f1_m", "f1_mu", "avf1", "cba", "mcc", "rci"),
            "cen",
        )
        if (case, name) not in ((1, "prec_m"), (1, "f1_m"), (1, "avf1"))
    },
    "tables_3_and_5_*": ALL_SIDES,
    "marks_of_*": ALL_SIDES,
}
"""What is judged and not counted."""
ANEW: Final = {
    "true_negatives": "holds",
    "table_1_avacc": "refuted",
    "perspectives": "refuted",
    "normalised_worst_mcc": "holds",
    "successors_are_lower": "holds",
    "equation_10": "refuted",
    "always_rec_and_prec": "refuted",
    "always_f1": "refuted",
    "preferable": "holds",
    "more_information": "holds",
}
"""What was ruled otherwise before."""

Judge = Callable[[], Ruling]
METRICS: Final = (
    *("AvAcc", "MAvG", "Rec_M", "Prec_M", "Rec_mu", "Prec_mu", "F1_M", "F1_mu", "AvF1", "CBA", "MCC", "RCI", "CEN"),
)
"""The rows of tables 1 and 3."""
SUITABLE: Final = {
    "MAvG": (False, True, True),
    "Rec_M": (True, False, False),
    "Prec_M": (False, True, False),
    "Prec_mu": (False, True, False),
    "CBA": (False, True, False),
    "MCC": (True, False, False),
    "CEN": (True, False, False),
}
"""Where table 3 has a sign of accordance with the user, by case; the other metrics have none."""
BOLD: Final = {
    "MAvG": ("63", "39.8"),
    "Rec_M": ("66.7",),
    "Prec_M": ("99.5",),
    "Prec_mu": ("99",),
    "CBA": ("74.5",),
    "MCC": ("65.1",),
    "CEN": ("97.8",),
}
"""What table 5 prints in bold, of the metrics without relevance."""
NOT_BOLD: Final = (("AvF1^PO", 1), ("CBA^PO", 1))
"""What table 5 does not print in bold, of the metrics with a relevance, and of which case."""
RELEVANT: Final = ("Rec", "Prec", "F1", "AvF1", "CBA")
BETA: Final = Symbol("beta", real=True)
F_BETA: Final = (1 + BETA**2) * TP / (BETA**2 * (TP + FN) + TP + FP)


def trial() -> Trial:
    """Return all claims, in the paper's order."""
    sections = (_class_metrics, _table_1, _values, _table_2, _table_3, _cases, _framework, _mechanisms, _table_4)
    last = (_implementation, _table_5, _agreement, _problems)
    return Trial(PAPER, TITLE, tuple(itertools.chain.from_iterable(of() for of in (*sections, *last))), UNCOUNTED, ANEW)


def _claim(key: str, place: str, kind: Kind, printed_as: str, judge: Judge) -> PaperClaim:
    return PaperClaim(f"{PAPER}.{key}", place, kind, printed_as, judge)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def _refuted(refutes: bool, evidence: str, corrected: str, *proofs: Verdict) -> Ruling:
    """Return a refutation if the computation refutes the print and the form that holds is proved."""
    if refutes and all(verdict.status == "proved" for verdict in proofs):
        return by_computation(False, evidence, corrected)
    return Ruling("open", f"not established: {evidence}")


# -- expressions over the entries of a matrix --------------------------------------------------------------------------


def _same(left: Expr, right: Expr) -> Verdict:
    """Return the verdict on whether two expressions agree for all positive values of their symbols."""
    return identity(left, right, over=sorted(left.free_symbols | right.free_symbols, key=str) or CELLS)


def _margins(entries: Entries) -> tuple[list[Expr], list[Expr], Expr]:
    """Return t, p and N of a matrix."""
    return [Add(*row) for row in entries], [Add(*row) for row in zip(*entries, strict=True)], Add(*map(Add, *entries))


def _per_class(entries: Entries, body: Callable[[Expr, Expr, Expr], Expr]) -> list[Expr]:
    """Return a function of tp, t and p for each class."""
    true, predicted, _ = _margins(entries)
    return [body(entries[i][i], true[i], predicted[i]) for i in range(len(entries))]


def _recall(tp: Expr, t: Expr, _p: Expr) -> Expr:
    return tp / t


def _precision(tp: Expr, _t: Expr, p: Expr) -> Expr:
    return tp / p


def _f(precision: Expr, recall: Expr) -> Expr:
    return (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)


def _correct_others(entries: Entries, place: int) -> Expr:
    """Return tn of a class as section 2 defines it: the correctly predicted examples that are not of the class."""
    return Add(*(entries[other][other] for other in range(len(entries)) if other != place))


def _mean(values: Sequence[Expr]) -> Expr:
    return Add(*values) / len(values)


def _micro(entries: Entries, place: int) -> Expr:
    return Add(*(entries[i][i] for i in range(len(entries)))) / Add(*_margins(entries)[place])


def _correlation_parts(entries: Entries) -> tuple[Expr, Expr, Expr]:
    """Return X, Y and Z of table 1, as they are printed."""
    true, predicted, total = _margins(entries)
    triples = itertools.product(range(len(entries)), repeat=3)
    x = Add(*(entries[k][k] * entries[m][j] - entries[j][k] * entries[k][m] for k, j, m in triples))
    y, z = (sqrt(Add(*(margin * (total - margin) for margin in margins))) for margins in (predicted, true))
    return x, y, z


def _rci(entries: Entries, denominator: Expr) -> Expr:
    """Return RCI with probabilities over N or, as it is printed, over C; a term 0·log 0 is 0."""
    true, predicted, _ = _margins(entries)
    places = range(len(entries))
    classes = -Add(*(_plogp(t / denominator) for t in true))
    rest = -Add(
        *(
            predicted[j] / denominator * _plogp(entries[i][j] / predicted[j])
            for i, j in itertools.product(places, places)
            if predicted[j] != 0
        )
    )
    return (classes - rest) / classes


def _plogp(share: Expr) -> Expr:
    return S.Zero if share == 0 else share * log(share)


def _cen(entries: Entries) -> Expr:
    true, predicted, total = _margins(entries)
    places, base = range(len(entries)), log(2 * (len(entries) - 1))
    parts = []
    for j in places:
        around = true[j] + predicted[j]
        shares = [entries[j][k] / around for k in places if k != j] + [entries[k][j] / around for k in places if k != j]
        parts.append(around / (2 * total) * -Add(*(share * log(share) / base for share in shares)))
    return Add(*parts)


def _printed(name: str, entries: Entries) -> Expr:
    """Return a formula of table 1 as it is printed."""
    recalls, precisions = (_per_class(entries, body) for body in (_recall, _precision))
    match name:
        case "AvAcc":
            right = [entries[place][place] + _correct_others(entries, place) for place in range(len(entries))]
            wrong = _per_class(entries, lambda tp, t, p: (t - tp) + (p - tp))
            return _mean([tp_tn / (tp_tn + fp_fn) for tp_tn, fp_fn in zip(right, wrong, strict=True)])
        case "MAvG":
            return Mul(*(recall ** Rational(1, len(entries)) for recall in recalls))
        case "Rec_M" | "Prec_M":
            return _mean(recalls if name == "Rec_M" else precisions)
        case "Rec_mu" | "Prec_mu":
            return _micro(entries, int(name == "Prec_mu"))
        case "F1_M":
            return _f(_mean(precisions), _mean(recalls))
        case "F1_mu":
            return _f(_micro(entries, 1), _micro(entries, 0))
        case "AvF1":
            return _mean([_f(p, r) for p, r in zip(precisions, recalls, strict=True)])
        case "CBA":
            return _mean(_per_class(entries, lambda tp, t, p: tp / Max(t, p, evaluate=False)))
        case "MCC":
            x, y, z = _correlation_parts(entries)
            return x / sqrt(y * z)
        case "RCI":
            return _rci(entries, Integer(len(entries)))
        case _:
            return _cen(entries)


def _ours(name: str, classes: int) -> Expr:
    """Return the library's formula for a row of table 1."""
    keys = {"AvAcc": "av_acc", "MAvG": "mavg", "F1_M": "f_of_means", "CBA": "cba", "MCC": "mcc", "CEN": "cen"}
    keys |= {"RCI": "rci", "Rec_mu": "accuracy", "Prec_mu": "accuracy", "F1_mu": "accuracy"}
    if name in keys:
        return multiclass[keys[name]].expr(classes)
    key = {"Rec_M": "tpr", "Prec_M": "precision", "AvF1": "f_beta"}[name]
    body, entries = sm.metrics[key].expr, entry_symbols(classes)
    return _mean([body.xreplace(of_class) for of_class in _class_cells(entries)])


def _class_cells(entries: Entries) -> list[dict[Expr, Expr]]:
    """Return the cells of each class against the rest, as the library has them: their sum is N.

    The paper's own tn leaves out what is predicted as a third class; of the rows of table 1 that alone is AvAcc's.
    """
    true, predicted, total = _margins(entries)
    return [
        {TP: row[i], FN: t - row[i], FP: p - row[i], TN: total - t - p + row[i]}
        for i, (row, t, p) in enumerate(zip(entries, true, predicted, strict=True))
    ]


# -- section 2 ---------------------------------------------------------------------------------------------------------


def _class_metrics() -> Iterator[PaperClaim]:
    place = "section 2"
    yield _claim("row_and_column_sums", place, "equation", "t = tp + fn and p = tp + fp", _sums)
    yield from with_reading(
        _claim(
            "true_negatives",
            place,
            "words",
            "the true negatives of a class are the examples not of it that are correctly predicted, for 3 classes",
            _true_negatives,
        ),
        "a definition of tn by itself, which is the usual one for 2 classes",
        _true_negatives_of_two,
    )
    yield _claim(
        "equation_3",
        "section 2, equation (3)",
        "two forms",
        "F_β = (1 + β²)·precision·recall/(β²·precision + recall), the F-measure",
        lambda: equal(_f(TP / (TP + FP), TP / (TP + FN)), sm.metrics["f_beta"].expr, *sm.metrics["f_beta"].parameters),
    )
    yield _claim(
        "beta_sets_importance",
        "section 2, equation (3)",
        "inequality",
        "β sets the importance of recall: where recall is above precision, F_β increases with β",
        _importance_of_recall,
    )
    yield _claim("beta_to_zero", "section 2, equation (3)", "limit", "for β = 0 recall does not count", _beta_to_zero)
    yield _claim(
        "beta_to_infinity",
        "section 2, equation (3)",
        "limit",
        "for β to infinity recall alone counts",
        _beta_to_infinity,
    )
    yield from with_reading(
        _claim("perspectives", "section 2, after equation (3)", "words", PERSPECTIVES, _perspectives),
        "the macro-averages Rec_M, Prec_M and F_βM do",
        _macro_perspectives,
    )
    yield _claim(
        "thirteen_metrics",
        "section 2",
        "number",
        "3 recall-based, 2 precision-based and 8 general metrics are table 1",
        lambda: by_number(Integer(3 + 2 + 8), str(len(METRICS)), "3 + 2 + 8"),
    )


PERSPECTIVES: Final = (
    "Rec_μ is based on recall, Prec_μ on precision, F_βμ on both: each type of metric gives a different perspective"
)


def _sums() -> Ruling:
    entries = entry_symbols(3)
    true, predicted, _ = _margins(entries)
    return by_verdicts(
        *(_same(true[i], Add(*entries[i])) for i in range(3)),
        *(_same(predicted[i], Add(*(row[i] for row in entries))) for i in range(3)),
        note="the sums of a row and of a column, tp being on the diagonal",
    )


def _true_negatives() -> Ruling:
    """Compare the definition with the examples that are neither of the class nor predicted as it."""
    three = entry_symbols(3)
    true, predicted, total = _margins(three)
    return by_verdicts(
        _same(_correct_others(three, 0), total - true[0] - predicted[0] + three[0][0]),
        note="on the left the sum of the diagonal less tp, on the right N - t - p + tp, which makes tp + tn + fp + fn "
        "equal to N",
        correction=("the definition leaves out what is confused among the other classes", lambda: ()),
    )


def _true_negatives_of_two() -> Ruling:
    two = entry_symbols(2)
    true, predicted, total = _margins(two)
    return by_verdicts(_same(_correct_others(two, 0), total - true[0] - predicted[0] + two[0][0]))


def _importance_of_recall() -> Ruling:
    square, added, precision, gap = over = symbols("beta_squared added p gap", real=True)
    recall = precision + gap

    def f(square: Expr) -> Expr:
        return (1 + square) * precision * recall / (square * precision + recall)

    return at_least(f(square + added), f(square), strict=True, over=over)


def _beta_to_zero() -> Ruling:
    return by_verdicts(
        identity(_f(TP / (TP + FP), TP / (TP + FN)).subs(BETA, 0), TP / (TP + FP)), note="F_0 is the precision"
    )


def _beta_to_infinity() -> Ruling:
    square, precision, recall = over = symbols("beta_squared p r", real=True)
    return tends_to(
        (1 + square) * precision * recall / (square * precision + recall),
        recall,
        (square / STEP, precision, recall),
        over=over,
        note="(1 + β²)·precision·recall/(β²·precision + recall), p precision and r recall",
    )


def _perspectives() -> Ruling:
    """Judge whether the pooled metrics can differ at all."""
    first, second, third = (_printed(name, entry_symbols(3)) for name in ("Rec_mu", "Prec_mu", "F1_mu"))
    alike = [_same(first, second), _same(first, third)]
    return by_computation(
        not all(verdict.status == "proved" for verdict in alike),
        "Σ t = Σ p = N for every matrix, so Rec_μ = Prec_μ = Σ tp/N; case 1: Σ t = 5 + 10 + 300 = 315, "
        "Σ p = 5 + 310 + 0 = 315, and all three are 15/315 = 0.048, as table 3 has it",
        "micro-averaged recall, precision and F_β are one and the same, the accuracy (proved for 3 classes and all β)",
    )


def _macro_perspectives() -> Ruling:
    values = [_exact(name, experiment.cases()[1].matrix) for name in ("Rec_M", "Prec_M", "F1_M")]
    shown = ", ".join(f"{float(value):.3f}" for value in values)
    return by_computation(len(set(values)) == 3, f"in case 2 they are {shown}")


# -- table 1 -----------------------------------------------------------------------------------------------------------


def _table_1() -> Iterator[PaperClaim]:
    for name in METRICS:
        yield _claim(
            f"table_1_{_slug(name)}",
            f"table 1, {name}",
            "equation",
            _DEFINITIONS.get(name, f"the formula of {name}, for 3 classes, is the one that gives tables 3 and 5"),
            _JUDGES.get(name, partial(_definition, name)),
        )
    for name in _TWO_CLASSES:
        reduction = _REDUCTIONS[name]
        yield _claim(
            f"table_1_{_slug(name)}",
            "section 1 and table 1",
            "special case",
            f"extended from two classes: {reduction.statement}",
            partial(_reduction, name),
        )
    yield _claim(
        "mcc_covariance",
        "table 1, X of MCC",
        "two forms",
        "Σ (mat_kk·mat_ml - mat_lk·mat_km) over k, l, m, the covariance of true and predicted classes",
        _covariance,
    )
    yield _claim("cen_weights", "table 1, P_j of CEN", "equation", "the weights P_j sum to 1", _cen_weights)
    yield _claim(
        "micro_averages", "table 1, Rec_μ and Prec_μ", "two forms", "Σ tp/Σ t and Σ tp/Σ p are pooled", _pooled
    )


_DEFINITIONS: Final = {
    "MCC": "MCC = X/sqrt(YZ), where Y = sqrt(Σ p_k(N - p_k)) and Z = sqrt(Σ t_k(N - t_k))",
    "RCI": "RCI = (H_d - H_o)/H_d with H_d = -Σ t_i/C·log(t_i/C), H_o = Σ p_j/C·H_oj, C the number of classes",
}
_REDUCTIONS: Final = {reduction.name: reduction for reduction in REDUCTIONS}
_TWO_CLASSES: Final = tuple(
    name for name in _REDUCTIONS if name.endswith("of two classes") and not name.startswith("one_vs_rest")
)
"""What the metrics of table 1 are for two classes; the one-vs-rest accuracy of Sokolova & Lapalme is none of them."""


def _definition(name: str) -> Ruling:
    entries = entry_symbols(3)
    printed, ours = _printed(name, entries), _ours(name, 3)
    return by_verdicts(_same(printed, ours.xreplace(dict.fromkeys(_betas(ours), BETA))))


def _betas(formula: Expr) -> set[Expr]:
    return {symbol for symbol in formula.free_symbols if symbol.name == "beta"}


def _reduction(name: str) -> Ruling:
    return by_verdicts(_REDUCTIONS[name].decide())


def _mcc() -> Ruling:
    x, y, z = _correlation_parts(((1, 0), (0, 1)))
    printed = x / sqrt(y * z)
    entries = entry_symbols(3)
    ours_x, ours_y, ours_z = _correlation_parts(entries)
    return _refuted(
        (x, y, z) == (2, sqrt(2), sqrt(2)) and printed == sqrt(2),
        "a perfect classifier of 2 examples, [[1, 0], [0, 1]]: X = 2·2 - (1·1 + 1·1) = 2, Y = Z = sqrt(1·1 + 1·1) = "
        "sqrt(2), X/sqrt(YZ) = 2/sqrt(2) = 1.414; case 1, where table 3 has 0.301: X = 1600, Y = sqrt(3100), "
        "Z = sqrt(9100), X/sqrt(YZ) = 21.95",
        "one root too many: MCC = X/(YZ), or Y and Z without roots; here 2/2 = 1, in case 1 0.301 (proved equal to "
        "R_K for 3 classes)",
        _same(ours_x / (ours_y * ours_z), _ours("MCC", 3)),
    )


def _rci_of_case_1() -> float:
    return float(_rci(experiment.cases()[0].matrix, Integer(3)))


def _rci_judge() -> Ruling:
    entries = entry_symbols(3)
    value = _rci_of_case_1()
    return _refuted(
        value > 1.03,
        "case 1, C = 3: H_d = -(5/3·log(5/3) + 10/3·log(10/3) + 100·log(100)) = -465.38, "
        "H_o = -310/3·(10/310·log(10/310) + 300/310·log(300/310)) = 14.73, so RCI = (-465.38 - 14.73)/-465.38 = "
        f"{value:.3f}, above 1; table 3 has 0.368",
        "probabilities over N, the number of examples: t_i/N and p_j/N; then case 1 has 0.368 (proved equal to mutual "
        "information over entropy for 3 classes)",
        _same(_rci(entries, _margins(entries)[2]), _ours("RCI", 3)),
    )


_JUDGES: Final[dict[str, Judge]] = {"MCC": _mcc, "RCI": _rci_judge}


def _covariance() -> Ruling:
    entries = entry_symbols(3)
    true, predicted, total = _margins(entries)
    trace = Add(*(entries[i][i] for i in range(3)))
    x = _correlation_parts(entries)[0]
    return by_verdicts(
        _same(x, total * trace - Add(*(t * p for t, p in zip(true, predicted, strict=True)))),
        note="it is N·Σ tp - Σ t·p",
    )


def _cen_weights() -> Ruling:
    true, predicted, total = _margins(entry_symbols(3))
    return by_verdicts(
        _same(Add(*(t + p for t, p in zip(true, predicted, strict=True))) / (2 * total), S.One * total / total)
    )


def _pooled() -> Ruling:
    entries = entry_symbols(3)
    return by_verdicts(
        _same(_printed("Rec_mu", entries), _ours("Rec_mu", 3)),
        _REDUCTIONS["micro recall, k=3"].decide(),
        _REDUCTIONS["micro precision, k=3"].decide(),
        note="both are the accuracy",
    )


# -- the scale from 0 to 100 % -----------------------------------------------------------------------------------------

WRONG: Final = ((0, 1, 0), (0, 0, 1), (1, 0, 0))
EVENLY_WRONG: Final = ((0, 1, 1), (1, 0, 1), (1, 1, 0))
EXCHANGED: Final = ((0, 1, 0), (1, 0, 0), (0, 0, 0))
CHANCE: Final = ((1, 1, 1), (1, 1, 1), (1, 1, 1))
WORST: Final = {"MCC": EXCHANGED, "RCI": CHANCE, "CEN": EVENLY_WRONG}
"""Matrices of three classes with the worst value; for the other metrics it is one in which all is wrong."""


def _values() -> Iterator[PaperClaim]:
    for name in METRICS:
        yield _claim(
            f"normalised_best_{_slug(name)}",
            f"section 2 and table 3, {name}",
            "special case",
            f"a normalised {name} of 100 % is the best possible performance",
            partial(_best, name),
        )
        worst = _claim(
            f"normalised_worst_{_slug(name)}",
            f"section 2 and table 3, {name}",
            "special case",
            f"a normalised {name} of 0 % is the worst possible performance, for 3 classes",
            partial(_worst, name),
        )
        if name != "MCC":
            yield worst
            continue
        printed_as = f"a normalised {name} of 0 % is the worst possible performance, for the classes of case 1"
        yield from with_reading(
            replace(worst, printed=printed_as, judge=_worst_correlation),
            "worst of all matrices with 3 classes of any sizes",
            partial(_worst, name),
        )
    for name, formula, lower in (
        ("recall", TP / (TP + FN), 0),
        ("precision", TP / (TP + FP), 0),
        ("accuracy", sm.metrics["accuracy"].expr, 0),
        ("cba", sm.metrics["all_confidence"].expr, 0),
        ("mcc", sm.metrics["mcc"].expr, -1),
        ("gmean", sm.metrics["gmean"].expr, 0),
        ("f1", sm.metrics["f1"].expr, 0),
    ):
        yield _claim(
            f"range_{name}",
            "section 2 and table 3",
            "inequality",
            f"{name} of one class against the rest is within [{lower}, 1]",
            partial(within, formula, lower, 1),
        )


def _exact(name: str, matrix: Sequence[Sequence[int]]) -> Expr:
    metric, average = experiment._plain_metrics()[name]
    return metric.exact(matrix, average=average, zero_division=0)


def _percent(name: str, matrix: Sequence[Sequence[int]]) -> Expr:
    return 100 * experiment._normalised(experiment._plain_metrics()[name][0], _exact(name, matrix))


def _best(name: str) -> Ruling:
    matrix = ((5, 0, 0), (0, 10, 0), (0, 0, 300))
    value = simplify(_percent(name, matrix))
    return by_computation(value == 100, f"{value} % if the 5, 10 and 300 examples of 3 classes are all predicted right")


def _worst(name: str) -> Ruling:
    matrix = WORST.get(name, WRONG)
    value = _percent(name, matrix)
    rows = [list(row) for row in matrix]
    reason = _LEAST.get(name, "is a mean of values that are not negative")
    return by_computation(value == 0, f"{value} % for {rows}, and none is below: {name} {reason}")


def _worst_correlation() -> Ruling:
    """Look for the worst MCC of all matrices whose classes have 5, 10 and 300 examples, by their numbers predicted.

    With t and p the trace alone matters, and it is at least t_k + p_k - N for every class.  All p are gone through.
    """
    true, total = (5, 10, 300), 315
    least, found = Fraction(0), (0, 0, 0)  # of MCC·|MCC|·(N² - Σ t²), which has the order of MCC
    for first in range(total + 1):
        for second in range(total + 1 - first):
            predicted = (first, second, total - first - second)
            around = total**2 - sum(p * p for p in predicted)
            trace = max(0, *(t + p - total for t, p in zip(true, predicted, strict=True)))
            numerator = total * trace - sum(t * p for t, p in zip(true, predicted, strict=True))
            if around and numerator < 0 and -numerator * numerator * least.denominator < least.numerator * around:
                least, found = Fraction(-numerator * numerator, around), predicted
    value = multiclass["mcc"].exact(((0, 0, 5), (0, 0, 10), (0, 300, 0)))
    spread = total**2 - sum(t * t for t in true)
    shown = found == (0, 300, 15) and -(value**2) * spread == Rational(least.numerator, least.denominator)
    evidence = (
        "with 5, 10 and 300 examples MCC is at least -(10·300 + 300·15)/sqrt(9100·9000) = "
        f"{float(value):.3f}, for [[0, 0, 5], [0, 0, 10], [0, 300, 0]] and every number of predictions gone through; "
        f"normalised that is {100 * (float(value) + 1) / 2:.1f} %, not 0 %"
    )
    if not shown:
        return Ruling("open", f"not established: {evidence}")
    return by_computation(value == -1, evidence, f"{100 * (float(value) + 1) / 2:.1f} %", basis="enumeration")


_LEAST: Final = {
    "MAvG": "is a root of what is not negative",
    "MCC": "is a correlation, at least -1 by the inequality of Cauchy and Schwarz",
    "RCI": "is mutual information over entropy, and neither is negative",
    "CEN": "is at most 1 for C > 2: -Σ x·log x over 2(C - 1) shares with a sum of at most 1 is largest where they are "
    "equal; for 2 classes it can be more, 0.6·log2(10/3) = 1.042 for [[2, 3], [3, 2]]",
}
"""Why no value is worse."""


# -- tables 2 and 3 ----------------------------------------------------------------------------------------------------


@cache
def _cells(number: int) -> tuple[Cell, ...]:
    """Return the cells of a table, computed again."""
    tables = {2: experiment._table_2, 3: experiment._table_3, 4: experiment._table_4, 5: experiment._table_5}
    return tables[number]().cells


def _of_table(number: int, workings: dict[str, tuple[str, str]]) -> Iterator[PaperClaim]:
    for cell in _cells(number):
        working, correction = workings.get(cell.place, ("", ""))
        yield _claim(
            f"table_{number}_{_slug(cell.place)}",
            f"table {number}, {cell.place}",
            "table cell",
            cell.printed,
            partial(by_number, cell.ours, cell.printed, working, decimals=cell.decimals, correction=correction),
        )


def _table_2() -> Iterator[PaperClaim]:
    yield from _of_table(2, {})


def _table_3() -> Iterator[PaperClaim]:
    yield from _of_table(3, {})
    yield _claim(
        "no_metric_is_suitable",
        "section 3 and table 3",
        "words",
        "no metric gives reliable results in all three cases",
        lambda: by_computation(
            not any(all(marks) for marks in SUITABLE.values()),
            "every row of table 3 has a sign of misleading; MAvG, suitable twice, has it in case 1",
        ),
    )


# -- section 3 ---------------------------------------------------------------------------------------------------------


def _cases() -> Iterator[PaperClaim]:
    for number, (scenario, above, below) in enumerate(
        (("multi-minority", 1, 2), ("multi-majority", None, None), ("complete", 2, 2)), start=1
    ):
        yield _claim(
            f"case_{number}_scenario",
            f"section 3, case {number}",
            "words",
            f"case {number} is {scenario}",
            partial(_scenario, number, above, below),
        )
    for number, words, right, wrong in (
        (1, "the two minority classes are right, the majority is completely wrong", (0, 1), (2,)),
        (2, "both majority classes are right, the minority is mostly wrong", (1, 2), (0,)),
        (3, "the two majority classes are right, both minorities are mostly wrong", (2, 3), (0, 1)),
    ):
        yield _claim(
            f"case_{number}_predictions",
            f"section 3, case {number}",
            "words",
            words,
            partial(_predictions, number, right, wrong),
        )
    yield _claim(
        "case_1_mavg",
        "section 3",
        "number",
        "in case 1 MAvG is 0 although the recall of both minorities is perfect",
        lambda: by_number(_exact("MAvG", experiment.cases()[0].matrix), "0", "cube root of 1·1·0"),
    )
    yield _claim(
        "case_1_below_45",
        "section 3",
        "words",
        "in case 1 the other misleading metrics are about 45 % or less",
        _below_45,
    )
    yield _claim(
        "case_2_exceptions",
        "section 3 and table 3",
        "words",
        "in case 2 all metrics but MAvG, CBA, Prec_M and Prec_μ are misleading",
        _exceptions,
    )
    yield from with_reading(
        _claim(
            "case_2_over_estimate",
            "section 3 and table 3",
            "words",
            "in case 2 a metric misleads by over-estimating the matrix: the suitable ones have the lower values",
            partial(_suitable_are_lower, frozenset()),
        ),
        "of the metrics that are not based on precision",
        partial(_suitable_are_lower, frozenset({"Prec_M", "Prec_mu"})),
    )
    yield _claim(
        "case_2_prec_mu",
        "section 3 and table 3",
        "words",
        "in case 2 Rec_μ and F_1μ over-estimate the matrix and mislead, and Prec_μ is suitable",
        _prec_mu,
    )
    yield _claim(
        "case_3_high",
        "section 3",
        "words",
        "in case 3 most metrics have a high or moderate normalised value",
        _moderate,
    )


def _sizes(number: int) -> list[int]:
    return [sum(row) for row in experiment.cases()[number - 1].matrix]


def _scenario(number: int, above: int | None, below: int | None) -> Ruling:
    sizes = _sizes(number)
    mean = Fraction(sum(sizes), len(sizes))
    evidence = f"the classes have {', '.join(map(str, sizes))} examples, {float(mean):.1f} on average"
    if above is None or below is None:
        others = sorted(sizes)[1:]
        return by_computation(25 * sizes[0] <= others[0], f"{evidence}: one class is far smaller than all others")
    found = sum(size > mean for size in sizes), sum(size < mean for size in sizes)
    return by_computation(found == (above, below), f"{evidence}: {above} above, {below} below")


def _predictions(number: int, right: Sequence[int], wrong: Sequence[int]) -> Ruling:
    matrix = experiment.cases()[number - 1].matrix
    recalls = [Fraction(row[place], sum(row)) for place, row in enumerate(matrix)]
    good = all(recalls[place] == 1 for place in right) and all(recalls[place] <= Fraction(1, 4) for place in wrong)
    return by_computation(good, f"the recalls are {', '.join(map(str, recalls))}")


def _printed_of(number: int, name: str) -> list[str]:
    """Return the normalised values that a table prints for a metric, by case."""
    rows = experiment._data()[f"table{number}"]
    return [entry[0] if number == 3 else entry for entry in rows[name]]


def _below_45() -> Ruling:
    misleading = [name for name in METRICS if name != "MAvG" and not SUITABLE.get(name, (False,))[0]]
    values = {name: _printed_of(5, name)[0] for name in misleading}
    return by_computation(
        all(Rational(value) < Rational(91, 2) for value in values.values()),
        ", ".join(f"{name} {value}" for name, value in values.items())
        + ": from table 5 where table 3 has no value; at most 45.4",
    )


def _exceptions() -> Ruling:
    suitable = {name for name, marks in SUITABLE.items() if marks[1]}
    return by_computation(
        suitable == {"MAvG", "CBA", "Prec_M", "Prec_mu"}, f"table 3 has as suitable {', '.join(sorted(suitable))}"
    )


def _suitable_are_lower(left_out: frozenset[str]) -> Ruling:
    values = {name: Rational(_printed_of(3, name)[1]) for name in METRICS if name not in left_out}
    suitable = {name: value for name, value in values.items() if SUITABLE.get(name, (False,) * 3)[1]}
    highest = max(suitable, key=lambda name: suitable[name])
    lowest = min(values.keys() - suitable.keys(), key=lambda name: values[name])
    return by_computation(
        suitable[highest] < values[lowest],
        f"the highest of the suitable ones is {highest}, {float(suitable[highest])} %, the lowest of the misleading "
        f"ones {lowest}, {float(values[lowest])} %",
        "precision is high in case 2, and is called suitable",
    )


def _prec_mu() -> Ruling:
    entries = entry_symbols(3)
    values = {_exact(name, experiment.cases()[1].matrix) for name in ("Rec_mu", "Prec_mu", "F1_mu")}
    return _refuted(
        values == {Rational(301, 304)} and SUITABLE["Prec_mu"][1] and "Rec_mu" not in SUITABLE,
        "Rec_μ = Prec_μ = F_1μ = (1 + 100 + 200)/304 = 0.990 in case 2; table 3 prints 99.0 for the three and has two "
        "of them as misleading, one as suitable",
        "the three are equal for every matrix (proved for 3 classes), so that none is more suitable than the others",
        _same(_printed("Rec_mu", entries), _printed("Prec_mu", entries)),
        _same(_printed("Rec_mu", entries), _printed("F1_mu", entries)),
    )


def _moderate() -> Ruling:
    values = {name: Rational(_printed_of(3, name)[2]) for name in METRICS}
    high = [name for name, value in values.items() if value >= 50]
    return by_computation(
        len(high) == 12, f"{len(high)} of {len(values)} are 55 % or more; MAvG is {float(values['MAvG'])}"
    )


# -- section 4.1 -------------------------------------------------------------------------------------------------------


def _weight_grows() -> Ruling:
    relevance, others, added = over = symbols("phi others added", real=True)
    more = relevance + added
    return at_least(more / (more + others), relevance / (relevance + others), strict=True, over=over)


def _framework() -> Iterator[PaperClaim]:
    yield _claim(
        "weight_grows",
        "section 4.1",
        "inequality",
        "the more important a class, the larger its weight φ(i)/Σφ",
        _weight_grows,
    )
    for number, name, key in ((4, "Rec", "mean recall"), (5, "Prec", "mean precision"), (7, "AvF1", "mean F1")):
        yield _claim(
            f"equation_{number}_uniform",
            f"section 4.1, equation ({number})",
            "special case",
            f"with the same relevance for all classes {name}^φ is the macro-average of table 1",
            partial(_reduction, f"{key} at uniform relevance, k=3"),
        )
        yield _claim(
            f"equation_{number}_scale",
            f"section 4.1, equation ({number})",
            "equation",
            f"{name}^φ does not depend on the scale of φ",
            partial(_scale, name),
        )
        yield _claim(
            f"equation_{number}_range",
            f"section 4.1, equation ({number})",
            "inequality",
            f"{name}^φ is within [0, 1]",
            partial(_weighted_range, name),
        )
    yield _claim(
        "equation_6",
        "section 4.1, equation (6)",
        "two forms",
        "F_β^φ = (1 + β²)·Prec^φ·Rec^φ/(β²·Prec^φ + Rec^φ), which is F_βM with the same relevance for all",
        lambda: _definition("F1_M"),
    )
    yield _claim(
        "equation_7_two_forms",
        "section 4.1, equation (7)",
        "two forms",
        "(1 + β²)·precision·recall/(β²·precision + recall) = (1 + β²)·tp/(β²·t + p)",
        lambda: equal(
            _f(TP / (TP + FP), TP / (TP + FN)),
            F_BETA,
            *sm.metrics["f_beta"].parameters,
            note="where the first form is defined; the second one is 0 where tp = 0",
        ),
    )
    yield _claim(
        "equation_8",
        "section 4.1, equation (8)",
        "equation",
        "CBA^φ = Σ φ(i)·mat_ii/max(Σ_j mat_ij, Σ_j mat_ji), a weighted CBA",
        _equation_8,
    )


_BODIES: Final = {"Rec": _recall, "Prec": _precision, "AvF1": lambda tp, t, p: 2 * tp / (t + p)}


def _weights(scale: object = 1) -> list[Expr]:
    return [scale * Symbol(f"phi_{number}", real=True) for number in (1, 2, 3)]


def _weighted(values: Sequence[Expr], weights: Sequence[Expr]) -> Expr:
    return Add(*(weight * value for weight, value in zip(weights, values, strict=True))) / Add(*weights)


def _scale(name: str) -> Ruling:
    values = _per_class(entry_symbols(3), _BODIES[name])
    return by_verdicts(_same(_weighted(values, _weights()), _weighted(values, _weights(Symbol("x", real=True)))))


def _weighted_range(name: str) -> Ruling:
    body = {"Rec": TP / (TP + FN), "Prec": TP / (TP + FP), "AvF1": 2 * TP / (2 * TP + FN + FP)}[name]
    ruling = within(body, 0, 1)
    return Ruling(ruling.outcome, f"the value of each class is, and the weights are shares: {ruling.evidence}")


def _equation_8() -> Ruling:
    entries, weights = entry_symbols(3), _weights()
    values = _per_class(entries, lambda tp, t, p: tp / Max(t, p, evaluate=False))
    ours = multiclass["cba"].expr(3, average=weights)
    printed = Rational(1) + Rational(9, 10) * Rational(10, 310)
    divided = multiclass["cba"].exact(experiment.cases()[0].matrix, average=[1, Rational(9, 10), Rational(1, 10)])
    return _refuted(
        printed > 1 and printed / 2 == divided,
        "case 1 with φ = 1, 0.9, 0.1: 1·5/5 + 0.9·10/310 + 0.1·0/300 = 1.029, above 1; table 5 has 51.5 %.  With "
        "φ = 1 for all of C classes it is C times CBA",
        "divide by Σφ: 1.029/(1 + 0.9 + 0.1) = 0.515; then φ the same for all gives CBA (proved for 3 classes)",
        _same(_weighted(values, weights), ours),
        _REDUCTIONS["CBA at uniform relevance, k=3"].decide(),
    )


# -- section 4.2 -------------------------------------------------------------------------------------------------------


def _mechanisms() -> Iterator[PaperClaim]:
    place = "section 4.2, equation (9)"
    yield _claim("equation_9_sum", place, "equation", "the relevances by prevalence sum to 1", _prevalence_sum)
    yield _claim(
        "equation_9_inverse",
        place,
        "equation",
        "the relevance by prevalence is inversely proportional to the number of examples",
        _prevalence_inverse,
    )
    place = "section 4.2, US-model"
    yield _claim(
        "rank_two_forms", place, "two forms", "Rank(X) = ((|S| + 1) + (|P| + 1) + |U|)/2 = |S| + 1 + |U|/2", _rank_forms
    )
    yield _claim(
        "nodes_of_figure_1",
        "section 4.2, figure 1",
        "number",
        "of 7 classes E has 2 successors, 1 predecessor and 3 incomparable ones",
        lambda: by_number(Integer(1 + 2 + 1 + 3), "7", "E itself + 2 + 1 + 3"),
    )
    for cell in experiment._figure_1().cells:
        yield _claim(
            f"figure_1_{_slug(cell.place)}",
            "section 4.2, figure 1",
            "number",
            f"{cell.place}: {cell.printed}",
            partial(by_number, cell.ours, cell.printed, "2 + 1 + 3/2" if "rank" in cell.place else ""),
        )
    yield from with_reading(
        _claim(
            "rank_of_cited_model",
            "section 4.2, figure 1",
            "number",
            "by the local partial order model of the work that is cited, the estimated average rank of E is 4.5",
            lambda: by_number(Rational((2 + 1) * (7 + 1), 7 + 1 - 3), "4.5", "(|S| + 1)·(C + 1)/(C + 1 - |U|) = 3·8/5"),
        ),
        "by the second form of Rank as it is printed",
        lambda: by_number(2 + 1 + Rational(3, 2), "4.5", "2 + 1 + 3/2"),
    )
    yield from with_reading(
        _claim(
            "successors_are_lower",
            place,
            "words",
            "a < b, a precedes b, says that a is less relevant; Rank counts the successors, and gives table 4",
            _successors,
        ),
        "S holds the classes of less relevance, those that precede",
        partial(_relevances_of_case_1, "below"),
    )
    yield from with_reading(
        _claim(
            "equation_10",
            "section 4.2, equation (10)",
            "equation",
            "φ(i) = Rank(i)/max over v in C of Rank(i)",
            _equation_10,
        ),
        "φ(i) = Rank(i)/max over v in C of Rank(v)",
        partial(_relevances_of_case_1, "below"),
    )
    yield _claim(
        "rank_in_total_order",
        "section 4.2, total order",
        "special case",
        "in a total order Rank(X) = |S| + 1",
        _total_rank,
    )
    yield _claim(
        "total_order_equidistant",
        "section 4.2, total order",
        "words",
        "relevances by a total order of C classes are equidistant from 1/C to 1",
        _equidistant,
    )


def _inverse(sizes: Sequence[Expr]) -> list[Expr]:
    total = Add(*(1 / size for size in sizes))
    return [1 / size / total for size in sizes]


def _prevalence_sum() -> Ruling:
    sizes = symbols("t_1 t_2 t_3", real=True)
    return by_verdicts(identity(Add(*_inverse(sizes)), S.One, over=sizes), note="for 3 classes")


def _prevalence_inverse() -> Ruling:
    sizes = symbols("t_1 t_2 t_3", real=True)
    first, second, _ = (share * size for share, size in zip(_inverse(sizes), sizes, strict=True))
    return by_verdicts(identity(first, second, over=sizes), note="φ(i)·t_i is the same for all classes, for 3 of them")


def _rank_forms() -> Ruling:
    """The numbers |S|, |P| and |U| of classes that succeed, precede and are neither; with the class itself, C."""
    first, second = Rational((2 + 1) + (1 + 1) + 3, 2), 2 + 1 + Rational(3, 2)
    succeeding, preceding, unrelated = over = symbols("S P U", real=True)
    number = succeeding + preceding + unrelated + 1
    return _refuted(
        first == 4 and second == Rational(9, 2),
        "node E of figure 1, |S| = 2, |P| = 1, |U| = 3: ((2 + 1) + (1 + 1) + 3)/2 = 4, but 2 + 1 + 3/2 = 4.5.  As "
        "|S| + |P| + |U| = C - 1, the first form is (C + 1)/2 for every node",
        "((|S| + 1) + (C - |P|))/2 = |S| + 1 + |U|/2, the middle between the least and the greatest possible rank "
        "(proved); it is 4.5 for E, as printed",
        identity(((succeeding + 1) + (number - preceding)) / 2, succeeding + 1 + unrelated / 2, over=over),
        identity(((succeeding + 1) + (preceding + 1) + unrelated) / 2, (number + 1) / 2, over=over),
    )


def _ranks_of_case_1(side: str) -> list[Rational]:
    """Return |S| + 1 + |U|/2 of the classes, S being those that precede or succeed, in the order of case 1."""
    pairs = [tuple(pair) for pair in experiment._data()["cases"]["1"]["partial_order"]]
    ranks = []
    for name in ("c1", "c2", "c3"):
        before, after = (sum(pair[place] == name for pair in pairs) for place in (1, 0))
        counted = before if side == "below" else after
        ranks.append(counted + 1 + Rational(2 - before - after, 2))
    return ranks


def _relevances_of_case_1(side: str) -> Ruling:
    ranks = _ranks_of_case_1(side)
    relevances = [rank / max(ranks) for rank in ranks]
    printed = list(map(Rational, experiment._data()["table4"]["PO"][0]))
    shown = [", ".join(f"{float(value):g}" for value in row) for row in (ranks, relevances, printed)]
    return by_computation(
        relevances == printed,
        f"case 1, c3 < c1 and c3 < c2: |S| + 1 + |U|/2 is {shown[0]}, so φ is {shown[1]}; table 4 has {shown[2]}",
        "S holds the classes that precede",
    )


def _successors() -> Ruling:
    return _relevances_of_case_1("above")


def _equation_10() -> Ruling:
    ranks = _ranks_of_case_1("below")
    relevances = [rank / max(rank for _ in ranks) for rank in ranks]
    printed = list(map(Rational, experiment._data()["table4"]["PO"][0]))
    return by_computation(
        relevances == printed,
        "the maximum over v of Rank(i) is Rank(i), whatever v, so that φ(i) = Rank(i)/Rank(i) = 1 for every class; "
        "table 4 has 0.4 for c3 in case 1, which is 1/2.5",
        "φ(i) = Rank(i)/max over v of Rank(v)",
    )


def _total_rank() -> Ruling:
    succeeding, unrelated = symbols("S U", real=True)
    rank = succeeding + 1 + unrelated / 2
    return by_verdicts(
        identity(rank.subs(unrelated, 0), succeeding + 1, over=(succeeding,)), note="with |U| = 0 in |S| + 1 + |U|/2"
    )


def _equidistant() -> Ruling:
    """The k-th class of C has |S| = k - 1 and no incomparable one."""
    place, number = over = symbols("k C", real=True)
    relevance = ((place - 1) + 1) / number
    return by_verdicts(
        identity(relevance.subs(place, place + 1) - relevance, 1 / number, over=over),
        identity(relevance.subs(place, 1), 1 / number, over=over),
        identity(relevance.subs(place, number), S.One, over=over),
        note="the rank of the k-th class is k and the greatest is C, so φ = k/C: the steps, the first and the last",
    )


# -- table 4 -----------------------------------------------------------------------------------------------------------


def _table_4() -> Iterator[PaperClaim]:
    total = "1/4 + 1/10 + 1/100 + 1/200"
    swapped = "the printed row is the one of 5 and 10 examples in c1 and c2, or of any in the ratio 1 to 2"
    workings = {
        f"case 3, PREV of c{place}": (f"(1/{size})/({total})", f"{value}, by exact arithmetic; {swapped}")
        for place, size, value in ((1, 4, "0.68"), (2, 10, "0.27"), (4, 200, "0.01"))
    }
    workings["case 3, PO of c4"] = (
        "Rank(c4)/Rank(c1) = (0 + 1 + 1/2)/(2 + 1 + 1/2)",
        "0.43, by exact arithmetic; it was not cut as a rule: 6/7 = 0.857 is printed 0.86 in the same row",
    )
    yield from _of_table(4, workings)
    for number, row in enumerate(experiment._data()["table4"]["PREV"], start=1):
        yield _claim(
            f"table_4_prev_sum_case_{number}",
            f"table 4, PREV, case {number}",
            "number",
            "the relevances by prevalence sum to 1",
            partial(_row_sum, row),
        )


def _row_sum(row: Sequence[str]) -> Ruling:
    total = Add(*map(Rational, row))
    return by_computation(
        abs(total - 1) <= Rational(len(row), 200), f"{' + '.join(row)} = {float(total):.2f}, up to roundings"
    )


# -- section 4.3 and table 5 -------------------------------------------------------------------------------------------


def _implementation() -> Iterator[PaperClaim]:
    place = "section 4.3"
    yield from with_reading(
        _claim(
            "always_rec_and_prec",
            place,
            "words",
            "leaving out the classes without recall or precision, Rec^φ and Prec^φ can always be obtained",
            _always_prec,
        ),
        "if a class with φ > 0 is left",
        _prec_if_relevant,
    )
    yield from with_reading(
        _claim("always_f1", place, "words", "F_1^φ can always be obtained", _always_f1),
        "with F = 0 where Prec^φ = Rec^φ = 0, the limit of the harmonic mean",
        _f1_in_the_limit,
    )
    yield _claim(
        "avf1_undefined",
        place,
        "words",
        "AvF_1^φ by equation (7) is undefined only if a class has neither examples nor predictions",
        _avf1_undefined,
    )


def _always_prec() -> Ruling:
    matrix, relevance = ((0, 1), (0, 1)), (1, 0)
    value = experiment._weighted_metrics()["Prec"].exact(matrix, average=relevance)
    return by_computation(
        value is not nan,
        "[[0, 1], [0, 1]] with φ = 1, 0 (section 4.1 allows 0): precision of c1 is 0/0 and left out, so that "
        "Prec^φ = (0·1/2)/0 = 0/0; likewise Rec^φ where the one class with relevance has no examples",
        "they can be obtained if a class with φ > 0 is left",
    )


def _prec_if_relevant() -> Ruling:
    relevance, rest = over = symbols("phi rest", real=True)
    return at_least(
        relevance + rest, S.Zero, strict=True, over=over, note="the sum of the relevances that are left is positive"
    )


def _always_f1() -> Ruling:
    entries = ((0, 1), (1, 0))
    weighted = experiment._weighted_metrics()
    precision, recall = (weighted[name].exact(entries, average=(1, 1)) for name in ("Prec", "Rec"))
    return by_computation(
        precision + recall != 0,
        "[[0, 1], [1, 0]]: precision and recall of both classes are 0/1 = 0, so that Prec^φ = Rec^φ = 0 for every φ, "
        "and equation (6) gives 2·0·0/(0 + 0) = 0/0",
        "it can be obtained unless Prec^φ = Rec^φ = 0",
    )


def _f1_in_the_limit() -> Ruling:
    precision, recall = over = symbols("p r", real=True)
    return at_least(
        2 * Max(precision, recall),
        2 * precision * recall / (precision + recall),
        over=over,
        note="2pr/(p + r) is at most twice the larger one, and so tends to 0 with both",
    )


def _avf1_undefined() -> Ruling:
    """The denominator β²·t + p is positive as soon as t or p is."""
    return by_verdicts(
        identity(
            BETA**2 * (TP + FN) + TP + FP, (1 + BETA**2) * TP + BETA**2 * FN + FP, *sm.metrics["f_beta"].parameters
        ),
        note="the denominator of a class is a sum of counts with positive factors, so 0 only if tp = fn = fp = 0",
    )


FOOTNOTE: Final = {"Prec_M": "case 1, Prec_M", "F1_M": "case 1, F1_M", "AvF1": "case 1, AvF1"}


def _table_5() -> Iterator[PaperClaim]:
    for claim in _of_table(5, {}):
        if claim.place.removeprefix("table 5, ") in FOOTNOTE.values():
            yield _claim(
                claim.key.removeprefix(f"{PAPER}."),
                f"{claim.place}, footnote a",
                "table cell",
                f"{claim.printed}, by the strategies of section 4.3, which leave out classes without a precision",
                {"prec": _prec_m, "f1": _f1_m, "avf1": _avf1}[claim.key.split("_")[4]],
            )
        else:
            yield claim
    for name in METRICS:
        yield _claim(
            f"tables_3_and_5_{_slug(name)}",
            f"tables 3 and 5, {name}",
            "number",
            f"{name} has the same normalised values in tables 3 and 5",
            partial(_same_values, name),
        )
        yield _claim(
            f"marks_of_{_slug(name)}",
            f"tables 3 and 5, {name}",
            "words",
            f"{name} is in bold in table 5 where table 3 has it as suitable",
            partial(_same_marks, name),
        )


def _left_out(name: str) -> Expr:
    metric, average = experiment._plain_metrics()[name]
    return 100 * metric.exact(experiment.cases()[0].matrix, average=average)


def _prec_m() -> Ruling:
    value = _left_out("Prec_M")
    return by_number(
        value,
        "34.4",
        "c3 is never predicted and left out: 100·(5/5 + 10/310)/2",
        decimals=1,
        correction="51.6, by exact arithmetic; 34.4 = 100·(1 + 10/310 + 0)/3 counts the undefined precision as 0, "
        "while Prec^PO, 51.6 in the same table, leaves it out",
    )


def _f1_m() -> Ruling:
    value = _left_out("F1_M")
    return by_number(
        value,
        "45.4",
        "with Prec_M = 16/31, c3 left out, and Rec_M = 2/3: 100·2·(16/31)·(2/3)/(16/31 + 2/3)",
        decimals=1,
        correction="58.2, by exact arithmetic (68.1 if c3 is left out of Rec_M as well); 45.4 counts the undefined "
        "precision as 0",
    )


def _avf1() -> Ruling:
    value = _mean([Rational(2 * 5, 5 + 5), Rational(2 * 10, 10 + 310), Rational(2 * 0, 300 + 0)])
    return by_number(100 * value, "35.4", "equation (7): 100·(10/10 + 20/320 + 0/300)/3", decimals=1)


def _same_values(name: str) -> Ruling:
    pairs = list(zip(_printed_of(3, name), _printed_of(5, name), strict=True))
    known = [(first, second) for first, second in pairs if first != "not defined"]
    missing = "" if len(known) == len(pairs) else "; case 1 is not defined in table 3"
    return by_computation(
        all(Rational(first) == Rational(second) for first, second in known),
        ", ".join(f"{first} and {second}" for first, second in known) + missing,
    )


def _same_marks(name: str) -> Ruling:
    marks = SUITABLE.get(name, (False, False, False))
    suitable = tuple(value for value, mark in zip(_printed_of(5, name), marks, strict=True) if mark)
    bold = BOLD.get(name, ())
    return by_computation(
        suitable == bold, f"in bold: {', '.join(bold) or 'none'}; suitable: {', '.join(suitable) or 'none'}"
    )


# -- section 5.1 -------------------------------------------------------------------------------------------------------


def _agreement() -> Iterator[PaperClaim]:
    place = "section 5.1 and table 5"
    yield from with_reading(
        _claim(
            "preferable",
            place,
            "words",
            "with PREV and PO the results are preferable to those of the other existing metrics, in all cases",
            _preferable_to_all,
        ),
        "each metric to the same one without relevance: higher in case 1, and lower in cases 2 and 3, but for the "
        "precision in case 2",
        _preferable_each,
    )
    yield _claim(
        "more_in_accordance",
        place,
        "words",
        "by every mechanism the results are more in accordance with the user than those of the existing metrics",
        _accordance,
    )
    yield from with_reading(
        _claim(
            "more_information",
            place,
            "words",
            "the results become more adjusted to the user's preferences as the level of information increases",
            _information,
        ),
        "by TO and φ together more than by PREV and PO together",
        _two_levels,
    )


def _preferable_to_all() -> Ruling:
    """What table 5 prints in bold is what is in accordance with the user."""
    worse = [f"{name} {_printed_of(5, name)[case - 1]}" for name, case in NOT_BOLD]
    better = [f"{name} {BOLD[name][0]}" for name in METRICS if SUITABLE.get(name, (False,))[0]]
    return by_computation(
        not (worse and better),
        f"case 1: {' and '.join(worse)} are not in bold, and so not in accordance with the user, while "
        f"{', '.join(better)} of the existing metrics are",
        "13 of 15 values by PO are in accordance",
    )


def _preferable_each() -> Ruling:
    failing = [f"{name}^{of}" for of in ("PREV", "PO") for name in RELEVANT if not _is_preferable(name, of)]
    return by_computation(not failing, "for Rec, Prec, F1, AvF1 and CBA by PREV and by PO, in table 5")


def _is_preferable(name: str, mechanism: str) -> bool:
    """More is better in case 1; less is in cases 2 and 3, but for the precision in case 2, which is in accordance."""
    plain = name if name in ("AvF1", "CBA") else f"{name}_M"
    old, new = (list(map(Rational, _printed_of(5, key))) for key in (plain, f"{name}^{mechanism}"))
    second = new[1] >= old[1] if name == "Prec" else new[1] < old[1]
    return bool(new[0] > old[0] and second and new[2] < old[2])


def _bold_of(mechanism: str) -> int:
    return 15 - sum(name.endswith(f"^{mechanism}") for name, _ in NOT_BOLD)


def _accordance() -> Ruling:
    counts = {mechanism: _bold_of(mechanism) for mechanism in experiment.MECHANISMS}
    old = sum(map(len, BOLD.values()))
    shown = ", ".join(f"{count} of 15 by {mechanism}" for mechanism, count in counts.items())
    return by_computation(
        all(39 * count > 15 * old for count in counts.values()), f"in bold are {shown}, and {old} of 39 without"
    )


def _information() -> Ruling:
    counts = [_bold_of(mechanism) for mechanism in experiment.MECHANISMS]
    return by_computation(
        counts == sorted(counts),
        "level by level, PREV, PO, TO and φ, table 5 has "
        f"{', '.join(map(str, counts))} of 15 values in bold: from PREV to PO it falls",
        "it falls from PREV to PO, and rises from PO to TO",
    )


def _two_levels() -> Ruling:
    counts = {mechanism: _bold_of(mechanism) for mechanism in experiment.MECHANISMS}
    informal, formal = counts["PREV"] + counts["PO"], counts["TO"] + counts["phi"]
    return by_computation(informal < formal, f"in bold are {informal} of 30 by PREV and PO, {formal} of 30 by TO and φ")


# -- section 5.2 -------------------------------------------------------------------------------------------------------


def _problems() -> Iterator[PaperClaim]:
    for scenario, classes, count in (("multi-minority", 3, 8), ("multi-majority", 3, 8), ("complete", 4, 2)):
        yield _claim(
            f"problems_{_slug(scenario)}",
            "section 5.2",
            "words",
            f"the {count} {scenario} problems with {classes} classes are {scenario}",
            partial(_are_of, scenario, classes, count),
        )

    yield _claim(
        "only_recall_and_cba_lose",
        "section 5.2 and figure 2",
        "words",
        "only metrics based on recall and CBA have differences of zero or less in discrimination",
        _f1_loses,
    )


def _f1_loses() -> Ruling:
    """Count the different values of F1 over all matrices with 2, 15 and 17 examples, under every reading of 0/0."""
    order = experiment.cases()[1].relevances["PO"]
    chosen = [measure for measure in measures_of({"PO": list(order.values)}) if measure.name in ("F1_M", "F1^PO")]
    counted = {
        reading: {
            result.metric: result.distinct
            for result in discrimination((2, 15, 17), chosen, zero_division=zero, progress=False)
        }
        for reading, zero in (("counted as 0", 0), ("left out", nan))
    }
    most = max(found["F1^PO"] for found in counted.values())
    least = min(found["F1_M"] for found in counted.values())
    shown = "; ".join(f"{found['F1_M']} and {found['F1^PO']}, {reading}" for reading, found in counted.items())
    return by_computation(
        most > least,
        "problem 2-15-17, partial order c2, c3 < c1: F1_M and F1^PO take different values, an undefined precision "
        f"being counted as 0 or left out: {shown}",
        "F1 loses as well, with the partial order",
        basis="enumeration",
    )


def _are_of(scenario: str, classes: int, count: int) -> Ruling:
    found = [sizes for kind, sizes, _ in experiment.problems() if kind == scenario]
    above = {"multi-minority": 1, "multi-majority": classes - 1, "complete": 2}[scenario]
    agree = all(sum(len(sizes) * size > sum(sizes) for size in sizes) == above for sizes in found)
    return by_computation(
        agree and len(found) == count and {len(sizes) for sizes in found} == {classes},
        f"{above} of {classes} classes are above the mean size in each, such as {'-'.join(map(str, found[0]))}",
    )


def main() -> int:
    """Print every claim with its ruling and return 1 if one comes out otherwise than recorded."""
    return run_alone(trial(), RECORDED)


if __name__ == "__main__":
    sys.exit(main())
