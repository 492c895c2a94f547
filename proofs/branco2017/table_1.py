"""Table 1 of Branco, Torgo & Ribeiro (2017): thirteen metrics of a matrix."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from sympy import Add, Integer, S, sqrt

from symmetrics.matrices.expansion import entry_symbols
from symmetrics.papers.branco2017 import experiment
from symmetrics.papers.claims import PaperClaim, Ruling, by_verdicts

from .formulas import (
    BY_NAME,
    compared,
    correlation_parts,
    definition_agrees,
    margins_of,
    our_formula,
    printed_formula,
    rci,
    reduction_holds,
)
from .shared import METRICS, Judge, refuted_if_proved, slug, statement


def _table_1() -> Iterator[PaperClaim]:
    for name in METRICS:
        yield statement(
            f"table_1_{slug(name)}",
            f"table 1, {name}",
            "equation",
            _DEFINITIONS.get(name, f"the formula of {name}, for 3 classes, is the one that gives tables 3 and 5"),
            _JUDGES.get(name, partial(definition_agrees, name)),
        )
    for name in _TWO_CLASSES:
        reduction = BY_NAME[name]
        yield statement(
            f"table_1_{slug(name)}",
            "section 1 and table 1",
            "special case",
            f"extended from two classes: {reduction.statement}",
            partial(reduction_holds, name),
        )
    yield statement(
        "mcc_covariance",
        "table 1, X of MCC",
        "two forms",
        "Σ (mat_kk·mat_ml - mat_lk·mat_km) over k, l, m, the covariance of true and predicted classes",
        _covariance,
    )
    yield statement("cen_weights", "table 1, P_j of CEN", "equation", "the weights P_j sum to 1", _cen_weights)
    yield statement(
        "micro_averages", "table 1, Rec_μ and Prec_μ", "two forms", "Σ tp/Σ t and Σ tp/Σ p are pooled", _pooled
    )


_DEFINITIONS: Final = {
    "MCC": "MCC = X/sqrt(YZ), where Y = sqrt(Σ p_k(N - p_k)) and Z = sqrt(Σ t_k(N - t_k))",
    "RCI": "RCI = (H_d - H_o)/H_d with H_d = -Σ t_i/C·log(t_i/C), H_o = Σ p_j/C·H_oj, C the number of classes",
}

_TWO_CLASSES: Final = tuple(
    name for name in BY_NAME if name.endswith("of two classes") and not name.startswith("one_vs_rest")
)
"""What the metrics of table 1 are for two classes; the one-vs-rest accuracy of Sokolova & Lapalme is none of them."""


def _mcc() -> Ruling:
    x, y, z = correlation_parts(((1, 0), (0, 1)))
    printed = x / sqrt(y * z)
    entries = entry_symbols(3)
    ours_x, ours_y, ours_z = correlation_parts(entries)
    return refuted_if_proved(
        (x, y, z) == (2, sqrt(2), sqrt(2)) and printed == sqrt(2),
        "a perfect classifier of 2 examples, [[1, 0], [0, 1]]: X = 2·2 - (1·1 + 1·1) = 2, Y = Z = sqrt(1·1 + 1·1) = "
        "sqrt(2), X/sqrt(YZ) = 2/sqrt(2) = 1.414; case 1, where table 3 has 0.301: X = 1600, Y = sqrt(3100), "
        "Z = sqrt(9100), X/sqrt(YZ) = 21.95",
        "one root too many: MCC = X/(YZ), or Y and Z without roots; here 2/2 = 1, in case 1 0.301 (proved equal to "
        "R_K for 3 classes)",
        compared(ours_x / (ours_y * ours_z), our_formula("MCC", 3)),
    )


def _rci_of_case_1() -> float:
    return float(rci(experiment.cases()[0].matrix, Integer(3)))


def _rci_judge() -> Ruling:
    entries = entry_symbols(3)
    value = _rci_of_case_1()
    return refuted_if_proved(
        value > 1.03,
        "case 1, C = 3: H_d = -(5/3·log(5/3) + 10/3·log(10/3) + 100·log(100)) = -465.38, "
        "H_o = -310/3·(10/310·log(10/310) + 300/310·log(300/310)) = 14.73, so RCI = (-465.38 - 14.73)/-465.38 = "
        f"{value:.3f}, above 1; table 3 has 0.368",
        "probabilities over N, the number of examples: t_i/N and p_j/N; then case 1 has 0.368 (proved equal to mutual "
        "information over entropy for 3 classes)",
        compared(rci(entries, margins_of(entries)[2]), our_formula("RCI", 3)),
    )


_JUDGES: Final[dict[str, Judge]] = {"MCC": _mcc, "RCI": _rci_judge}


def _covariance() -> Ruling:
    entries = entry_symbols(3)
    true, predicted, total = margins_of(entries)
    trace = Add(*(entries[i][i] for i in range(3)))
    x = correlation_parts(entries)[0]
    return by_verdicts(
        compared(x, total * trace - Add(*(t * p for t, p in zip(true, predicted, strict=True)))),
        note="it is N·Σ tp - Σ t·p",
    )


def _cen_weights() -> Ruling:
    true, predicted, total = margins_of(entry_symbols(3))
    return by_verdicts(
        compared(Add(*(t + p for t, p in zip(true, predicted, strict=True))) / (2 * total), S.One * total / total)
    )


def _pooled() -> Ruling:
    entries = entry_symbols(3)
    return by_verdicts(
        compared(printed_formula("Rec_mu", entries), our_formula("Rec_mu", 3)),
        BY_NAME["micro recall, k=3"].decide(),
        BY_NAME["micro precision, k=3"].decide(),
        note="both are the accuracy",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _table_1()
