"""The formulas of table 1 as they are printed, over the entries of a matrix, beside those of the library."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Final

from sympy import Add, Expr, Integer, Max, Mul, Rational, S, Symbol, log, sqrt

import symmetrics as sm
from symmetrics import FN, FP, TN, TP
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.matrices import multiclass
from symmetrics.matrices.deciding import REDUCTIONS
from symmetrics.matrices.expansion import Entries, entry_symbols
from symmetrics.papers.claims import Ruling, by_verdicts, identity

BETA: Final = Symbol("beta", real=True)
F_BETA: Final = (1 + BETA**2) * TP / (BETA**2 * (TP + FN) + TP + FP)


# -- expressions over the entries of a matrix --------------------------------------------------------------------------


def compared(left: Expr, right: Expr) -> Verdict:
    """Return the verdict on whether two expressions agree for all positive values of their symbols."""
    return identity(left, right, over=sorted(left.free_symbols | right.free_symbols, key=str) or CELLS)


def margins_of(entries: Entries) -> tuple[list[Expr], list[Expr], Expr]:
    """Return t, p and N of a matrix."""
    return [Add(*row) for row in entries], [Add(*row) for row in zip(*entries, strict=True)], Add(*map(Add, *entries))


def per_class(entries: Entries, body: Callable[[Expr, Expr, Expr], Expr]) -> list[Expr]:
    """Return a function of tp, t and p for each class."""
    true, predicted, _ = margins_of(entries)
    return [body(entries[i][i], true[i], predicted[i]) for i in range(len(entries))]


def recall_of(tp: Expr, t: Expr, _p: Expr) -> Expr:
    return tp / t


def precision_of(tp: Expr, _t: Expr, p: Expr) -> Expr:
    return tp / p


def f_of(precision: Expr, recall: Expr) -> Expr:
    return (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)


def correct_others(entries: Entries, place: int) -> Expr:
    """Return tn of a class as section 2 defines it: the correctly predicted examples that are not of the class."""
    return Add(*(entries[other][other] for other in range(len(entries)) if other != place))


def mean_of(values: Sequence[Expr]) -> Expr:
    return Add(*values) / len(values)


def _micro(entries: Entries, place: int) -> Expr:
    return Add(*(entries[i][i] for i in range(len(entries)))) / Add(*margins_of(entries)[place])


def correlation_parts(entries: Entries) -> tuple[Expr, Expr, Expr]:
    """Return X, Y and Z of table 1, as they are printed."""
    true, predicted, total = margins_of(entries)
    triples = itertools.product(range(len(entries)), repeat=3)
    x = Add(*(entries[k][k] * entries[m][j] - entries[j][k] * entries[k][m] for k, j, m in triples))
    y, z = (sqrt(Add(*(margin * (total - margin) for margin in margins))) for margins in (predicted, true))
    return x, y, z


def rci(entries: Entries, denominator: Expr) -> Expr:
    """Return RCI with probabilities over N or, as it is printed, over C; a term 0·log 0 is 0."""
    true, predicted, _ = margins_of(entries)
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
    true, predicted, total = margins_of(entries)
    places, base = range(len(entries)), log(2 * (len(entries) - 1))
    parts = []
    for j in places:
        around = true[j] + predicted[j]
        shares = [entries[j][k] / around for k in places if k != j] + [entries[k][j] / around for k in places if k != j]
        parts.append(around / (2 * total) * -Add(*(share * log(share) / base for share in shares)))
    return Add(*parts)


def printed_formula(name: str, entries: Entries) -> Expr:
    """Return a formula of table 1 as it is printed."""
    recalls, precisions = (per_class(entries, body) for body in (recall_of, precision_of))
    match name:
        case "AvAcc":
            right = [entries[place][place] + correct_others(entries, place) for place in range(len(entries))]
            wrong = per_class(entries, lambda tp, t, p: (t - tp) + (p - tp))
            return mean_of([tp_tn / (tp_tn + fp_fn) for tp_tn, fp_fn in zip(right, wrong, strict=True)])
        case "MAvG":
            return Mul(*(recall ** Rational(1, len(entries)) for recall in recalls))
        case "Rec_M" | "Prec_M":
            return mean_of(recalls if name == "Rec_M" else precisions)
        case "Rec_mu" | "Prec_mu":
            return _micro(entries, int(name == "Prec_mu"))
        case "F1_M":
            return f_of(mean_of(precisions), mean_of(recalls))
        case "F1_mu":
            return f_of(_micro(entries, 1), _micro(entries, 0))
        case "AvF1":
            return mean_of([f_of(p, r) for p, r in zip(precisions, recalls, strict=True)])
        case "CBA":
            return mean_of(per_class(entries, lambda tp, t, p: tp / Max(t, p, evaluate=False)))
        case "MCC":
            x, y, z = correlation_parts(entries)
            return x / sqrt(y * z)
        case "RCI":
            return rci(entries, Integer(len(entries)))
        case _:
            return _cen(entries)


def our_formula(name: str, classes: int) -> Expr:
    """Return the library's formula for a row of table 1."""
    keys = {"AvAcc": "av_acc", "MAvG": "mavg", "F1_M": "f_of_means", "CBA": "cba", "MCC": "mcc", "CEN": "cen"}
    keys |= {"RCI": "rci", "Rec_mu": "accuracy", "Prec_mu": "accuracy", "F1_mu": "accuracy"}
    if name in keys:
        return multiclass[keys[name]].expr(classes)
    key = {"Rec_M": "tpr", "Prec_M": "precision", "AvF1": "f_beta"}[name]
    body, entries = sm.metrics[key].expr, entry_symbols(classes)
    return mean_of([body.xreplace(of_class) for of_class in _class_cells(entries)])


def _class_cells(entries: Entries) -> list[dict[Expr, Expr]]:
    """Return the cells of each class against the rest, as the library has them: their sum is N.

    The paper's own tn leaves out what is predicted as a third class; of the rows of table 1 that alone is AvAcc's.
    """
    true, predicted, total = margins_of(entries)
    return [
        {TP: row[i], FN: t - row[i], FP: p - row[i], TN: total - t - p + row[i]}
        for i, (row, t, p) in enumerate(zip(entries, true, predicted, strict=True))
    ]


# -- table 1 -----------------------------------------------------------------------------------------------------------


BY_NAME: Final = {reduction.name: reduction for reduction in REDUCTIONS}


def definition_agrees(name: str) -> Ruling:
    entries = entry_symbols(3)
    printed, ours = printed_formula(name, entries), our_formula(name, 3)
    return by_verdicts(compared(printed, ours.xreplace(dict.fromkeys(_betas(ours), BETA))))


def _betas(formula: Expr) -> set[Expr]:
    return {symbol for symbol in formula.free_symbols if symbol.name == "beta"}


def reduction_holds(name: str) -> Ruling:
    return by_verdicts(BY_NAME[name].decide())
