"""Section 2 of García, Sánchez & Mollineda (2012): the adjusted geometric mean and the index of balanced accuracy."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Rational, S, sqrt

import symmetrics as sm
from symmetrics.language.cells import FN, FP, TN, TP, N, P, n
from symmetrics.papers.claims import (
    PaperClaim,
    Ruling,
    at,
    by_verdicts,
    equal,
    identity,
    inequality,
    with_reading,
    within,
)

from .formulas import AGM, ALPHA, DOMINANCE, GM, IBA, METRICS, TNR, TPR, statement


def _adjusted_measures() -> Iterator[PaperClaim]:
    section = "section 2, adjusted geometric mean"
    exchanged = (TN * P / N, FP * P / N, FN * N / P, TP * N / P)
    yield statement(
        "agm", section, "equation", "AGm = (Gm + TNr*P_n)/(1 + P_n)", lambda: equal(AGM, METRICS["agm"].expr)
    )
    yield statement("agm_unit", section, "inequality", "AGm, a mean, lies in [0, 1]", lambda: within(AGM, 0, 1))
    yield from with_reading(
        statement(
            "agm_prefers_tnr",
            section,
            "words",
            "AGm is more sensitive to changes in TNr than to changes in TPr",
            _agm_slopes,
        ),
        "exchanging the two rates at the same prior changes it by P_n*(TNr - TPr)/(1 + P_n), in favour of TNr",
        lambda: by_verdicts(identity(AGM - at(AGM, exchanged), (N / n) * (TNR - TPR) / (1 + N / n))),
    )
    section = "section 2, index of balanced accuracy"
    yield statement(
        "iba", section, "equation", "IBA = (1 + alpha*Dom)*Gm", lambda: equal(IBA, METRICS["iba_gmean"].expr, ALPHA)
    )
    yield statement(
        "dominance", section, "equation", "Dom = TPr - TNr", lambda: equal(DOMINANCE, METRICS["dominance"].expr)
    )
    yield statement(
        "iba_prefers_positive",
        section,
        "words",
        "IBA favours better results on the positive class: exchanging the two rates changes it by 2*alpha*Dom*Gm, with "
        "the sign of TPr - TNr for alpha > 0",
        lambda: by_verdicts(identity(IBA - at(IBA, exchanged), 2 * ALPHA.symbol * DOMINANCE * GM, ALPHA)),
    )
    yield statement(
        "iba_sees_accuracy",
        section,
        "words",
        "IBA takes care of the overall accuracy as well: at alpha = 0.05 it grows with each of the two rates",
        lambda: by_verdicts(
            inequality(1 + DOMINANCE / 20, TNR / 10, strict=True),
            inequality(1 + DOMINANCE / 20 + TPR / 10, S.Zero, strict=True),
            note="the derivative by TNr is Gm/(2*TNr) times 1 + alpha*Dom - 2*alpha*TNr, and that by TPr is Gm/(2*TPr) "
            "times 1 + alpha*Dom + 2*alpha*TPr",
        ),
    )
    yield statement(
        "iba_alpha_zero",
        section,
        "special case",
        "IBA is expressed in terms of Gm: without the dominance (alpha = 0) it is Gm",
        lambda: equal(IBA.xreplace({ALPHA.symbol: S.Zero}), GM),
    )
    yield statement(
        "iba_alpha_small",
        section,
        "inequality",
        "a small alpha reduces the influence of the dominance: |IBA - Gm| <= 0.05*Gm at alpha = 0.05",
        lambda: by_verdicts(
            *(inequality(GM / 20, sign * (IBA.xreplace({ALPHA.symbol: Rational(1, 20)}) - GM)) for sign in (1, -1))
        ),
    )


def _agm_slopes() -> Ruling:
    """Compare the slopes of AGm in both rates at a fixed prior, (1 + P_n) times each."""
    by_tnr, by_tpr = sqrt(TPR / TNR) / 2 + N / n, sqrt(TNR / TPR) / 2
    return by_verdicts(
        inequality(by_tnr, by_tpr, strict=True),
        note="the slope of AGm in TNr, on the left, against that in TPr, each times 1 + P_n: sqrt(TPr/TNr)/2 + P_n and "
        "sqrt(TNr/TPr)/2",
        correction=("where TPr >= TNr the slope in TNr is the larger one", _agm_slopes_above),
    )


def _agm_slopes_above() -> Iterator[sm.Verdict]:
    """With TNr = 1/(1 + a + b) and TPr = 1/(1 + a), a and b positive, TPr is the larger one."""
    ratio, extra, share = over = (TP, FP, TN)
    larger = ratio + extra
    yield inequality(sqrt(larger / ratio) / 2 + share, sqrt(ratio / larger) / 2, strict=True, over=over)


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _adjusted_measures()
