"""Every erratum once more by a second hand: whole numbers, fractions and a list of what is printed, nothing else.

Nothing of the project is imported but the list of what it calls an erratum: each formula is worked out here as a reader
with a pocket calculator would, so that a slip in the project's own formulas cannot confirm itself.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction as Q
from pathlib import Path

import pytest

from symmetrics.papers.claims.trials import load_trials

PROOFS = Path(__file__).parents[1] / "proofs"
SECOND_HAND: dict[str, Callable[[], bool]] = {}
"""By the claim: whether what is printed fails."""


def erratum(key: str) -> Callable[[Callable[[], bool]], Callable[[], bool]]:
    def keep(check: Callable[[], bool]) -> Callable[[], bool]:
        SECOND_HAND[key] = check
        return check

    return keep


def rounds(value: Q, text: str) -> bool:
    """Whether a fraction rounds to a printed number, a tie to either side."""
    half = Q(1, 2 * 10 ** len(text.partition(".")[2]))
    return abs(value - Q(text)) <= half


# -- Landgrebe and others ----------------------------------------------------------------------------------------------


@erratum("landgrebe2005.other_costs")
def recall_is_no_other_cost() -> bool:
    """Count recall as what is found of the targets, and TPr as one less what is missed."""
    return all(
        Q(sum(found), len(found)) == 1 - Q(found.count(0), len(found))
        for size in range(1, 5)
        for found in itertools.product((0, 1), repeat=size)
    )


@erratum("landgrebe2005.section_3_posfrac_balanced")
def posfrac() -> bool:
    """54.95 at most at 1/2 means FPr of at least 29.7 %, and POSfrac of at least 30.2 % at 1/100."""
    fpr = 2 * Q("54.85") - 80
    return Q(80, 100) + Q(99, 100) * fpr > Q("24.85")


@erratum("landgrebe2005.section_3_purity_balanced")
def purity() -> bool:
    return Q("0.4") / Q("0.5485") < Q("0.7785")


# -- Tan and others ----------------------------------------------------------------------------------------------------


@erratum("tan2006.equation_5_77_second_form")
def f_zero() -> bool:
    tp, fp, fn, square = 1, 2, 1, 0
    printed = Q((square + 1) * tp, (square + 1) * tp + square * fp + fn)
    return printed != Q(tp, tp + fp)


@erratum("tan2006.weights_recall")
def weights_of_recall() -> bool:
    tp, fp, fn, tn = 1, 2, 1, 1
    return Q(1 * tp + 0 * tn, 1 * tp + 1 * fp + 0 * fn + 0 * tn) != Q(tp, tp + fn)


@erratum("tan2006.weights_precision")
def weights_of_precision() -> bool:
    tp, fp, fn, tn = 1, 2, 1, 1
    return Q(1 * tp + 0 * tn, 1 * tp + 0 * fp + 1 * fn + 0 * tn) != Q(tp, tp + fp)


# -- Thai-Nghe and others ----------------------------------------------------------------------------------------------


@erratum("thainghe2011.abstract_36_imbalanced")
def not_all_imbalanced() -> bool:
    lines = (PROOFS.parent / "symmetrics/papers/thainghe2011/table1.csv").read_text(encoding="utf-8").splitlines()
    shares = [Decimal(line.split(",")[1]) for line in lines[1:]]
    return len(shares) == 36 and sum(share < 47 for share in shares) == 31


@erratum("thainghe2011.equation_1_orientation")
def orientation() -> bool:
    """Integrals of 20c³(1 - c) times c or 1 - c, with π1 = 1/4, by their antiderivatives."""

    def by_c(t: Q) -> Q:  # 20(c⁴ - c⁵)
        return 4 * t**5 - Q(20, 6) * t**6

    def by_rest(t: Q) -> Q:  # 20(c³ - 2c⁴ + c⁵)
        return 5 * t**4 - 8 * t**5 + Q(20, 6) * t**6

    one, zero = Q(1, 4), Q(3, 4)
    loss = one * by_c(zero) + zero * (by_rest(Q(1)) - by_rest(zero))
    printed = zero * by_c(one) + one * (by_rest(Q(1)) - by_rest(one))
    return 1 - loss / printed == Q(-100, 169)


@erratum("thainghe2011.sources_of_data")
def two_sets_from_elsewhere() -> bool:
    """The notes of table I: one asterisk is KDD Cup 1999, two are KDD Cup 2009, three are Netflix."""
    marked = {"r2l": 1, "probe": 1, "appetency": 2, "churn": 2}
    return sum(asterisks == 2 for asterisks in marked.values()) > 0


def b42(y: Q, x: Q, one: Q) -> Q:
    """Return B42 at TPr = y > FPr = x, from the antiderivatives of 20c⁴(1 - c) and 20c³(1 - c)²."""

    def least(p: Q, q: Q) -> Q:
        t = p / (p + q)
        below = 4 * t**5 - Q(20, 6) * t**6
        above = Q(1, 3) - (5 * t**4 - 8 * t**5 + Q(20, 6) * t**6)
        return q * below + p * above

    zero = 1 - one
    ends = least(zero * (1 - x), one * (1 - y)) if y < 1 or x < 1 else Q(0)
    return 1 - (least(zero * x, one * y) + ends) / least(zero, one)


@erratum("thainghe2011.b42_follows_true_positive_rate")
def greater_rate_lower_b42() -> bool:
    return b42(Q(1), Q(1), Q(1, 4)) == 0 < b42(Q(1, 2), Q(0), Q(1, 4))


@erratum("thainghe2011.imbalance_affects_classifiers")
def b42_grows_by_itself() -> bool:
    values = [b42(Q(9, 10), Q(1, 5), Q(prior)) for prior in ("0.0005", "0.005", "0.01", "0.05", "0.1")]
    return all(first < second for first, second in itertools.pairwise(values)) and values[-1] > 1000 * values[0] > 0


@erratum("thainghe2011.false_positives_by_number")
def numbers_do_not_matter() -> bool:
    found = set()
    for factor in (1, 7, 1000):
        tp, fn, fp, tn = (factor * count for count in (9, 1, 40, 160))
        found.add(b42(Q(tp, tp + fn), Q(fp, fp + tn), Q(tp + fn, tp + fn + fp + tn)))
    return len(found) == 1


@erratum("thainghe2011.hyperplane_direction")
def hyperplane() -> bool:
    """One positive at 1, three negatives at -1, all slacks positive: w = C+ + 3C-, constant C+ - 3C-."""
    boundaries = []
    for plus in (Q(1, 8), Q(1, 4)):
        slope, constant = plus + Q(3, 8), plus - Q(3, 8)
        assert slope + constant < 1
        assert slope - constant < 1
        boundaries.append(-constant / slope)
    return boundaries[1] < boundaries[0] < 1


@erratum("thainghe2011.table_1_average_h_lr")
def average() -> bool:
    lines = (PROOFS.parent / "symmetrics/papers/thainghe2011/table1.csv").read_text(encoding="utf-8").splitlines()
    place = lines[0].split(",").index("H_lr")
    total = sum(Decimal(line.split(",")[place].partition("±")[0]) for line in lines[1:])
    return total == Decimal("7.233") and (total + 36 * Decimal("0.0005")) / 36 < Decimal("0.2015")


CRITICAL = Q("2.7765")


@erratum("thainghe2011.table_1_sign_b42_nf_1p")
def no_sign_of_b42() -> bool:
    return (Q("0.029") - Q("0.001")) / (Q("0.003") + Q("0.001")) > CRITICAL


@erratum("thainghe2011.table_1_sign_h_nf_1p")
def no_sign_of_h() -> bool:
    return (Q("0.014") - Q("0.001")) / (Q("0.002") + Q("0.001")) > CRITICAL


@erratum("thainghe2011.table_1_sign_b42_w1a")
def sign_of_w1a() -> bool:
    """t² is at most 5·(0.046/0.076)²."""
    return 5 * ((Q("0.045") + Q("0.001")) / (Q("0.077") - Q("0.001"))) ** 2 < Q("2.7764") ** 2


@erratum("thainghe2011.table_5_deviation_nf_05p")
def two_deviations() -> bool:
    return Q("0.003") != Q("0.005")


@erratum("thainghe2011.table_5_sign_rus_churn")
def no_sign_of_churn() -> bool:
    return (Q("0.023") - Q("0.001") - Q("0.001")) / (Q("0.005") + Q("0.000") + Q("0.001")) == Q("3.5") > CRITICAL


@erratum("thainghe2011.table_5_sign_weighting_nf_05p")
def no_sign_of_weighting() -> bool:
    return (Q("0.022") - Q("0.005") - Q("0.001")) / (Q("0.003") + Q("0.001") + Q("0.001")) == Q("3.2") > CRITICAL


# -- García and others -------------------------------------------------------------------------------------------------


@erratum("garcia2012.equation_1_rho_zero")
def rho_zero() -> bool:
    """Without an error the lower area is 1 and the upper one 0."""
    rho = Q(0)
    weights = (rho, (rho * rho + 1 - rho) / (1 - rho))
    return weights[0] * 1 + weights[1] * 0 != Q(1 + 1, 2)


# -- Branco and others -------------------------------------------------------------------------------------------------


@erratum("branco2017.table_1_mcc")
def mcc() -> bool:
    """Two examples, both right: X/sqrt(YZ) to the fourth power is X⁴/(Y²Z²), and not 1."""
    matrix = ((1, 0), (0, 1))
    places = range(2)
    x = sum(matrix[k][k] * matrix[m][j] - matrix[j][k] * matrix[k][m] for k in places for j in places for m in places)
    y2, z2 = (sum(sum(line) * (2 - sum(line)) for line in lines) for lines in (list(zip(*matrix, strict=True)), matrix))
    return Q(x**4, y2 * z2) == 4 != 1


@erratum("branco2017.table_1_rci")
def rci() -> bool:
    """Case 1 with C = 3 as printed: (H_d - H_o)/H_d is above 1, which no share of information is."""
    h_d = -sum(t / 3 * math.log(t / 3) for t in (5, 10, 300))
    h_o = -310 / 3 * sum(share * math.log(share) for share in (10 / 310, 300 / 310))
    return (h_d - h_o) / h_d > 1.03


@erratum("branco2017.case_2_prec_mu")
def one_number() -> bool:
    """Recall, precision and F of all classes together, case 2: tp, Σ t and Σ p."""
    right, rows, columns = 1 + 100 + 200, 4 + 100 + 200, 1 + 100 + 203
    recall, precision = Q(right, rows), Q(right, columns)
    return recall == precision == 2 * recall * precision / (recall + precision)


@erratum("branco2017.only_two_weighted")
def three_weighted_metrics() -> bool:
    """AUNP and AU1P of Ferri and others (2009) differ: of a, which two examples have, b and c; the third is recall."""
    scores = {"a": (3, 1, 1), "b": (1, 2, 2), "c": (2, 3, 3)}
    columns = list(scores)

    def ahead(own: str, other: str) -> Q:
        first, second = scores[own][columns.index(own)], scores[other][columns.index(own)]
        return Q(1) if first > second else Q(1, 2) if first == second else Q(0)

    shares = {"a": Q(2, 4), "b": Q(1, 4), "c": Q(1, 4)}  # two alike of a
    others = {own: [other for other in columns if other != own] for own in columns}
    counts = {name: 4 * share for name, share in shares.items()}
    rest = sum(
        shares[own] * sum(counts[other] * ahead(own, other) for other in others[own]) / (4 - counts[own])
        for own in columns
    )
    each = sum(shares[own] * sum(ahead(own, other) for other in others[own]) / 2 for own in columns)
    return rest != each


@erratum("branco2017.equation_8")
def undivided() -> bool:
    value = 1 * Q(5, 5) + Q("0.9") * Q(10, 310) + Q("0.1") * Q(0, 300)
    return value > 1 and rounds(100 * value / 2, "51.5")


@erratum("branco2017.rank_two_forms")
def ranks() -> bool:
    return Q((2 + 1) + (1 + 1) + 3, 2) != 2 + 1 + Q(3, 2)


PREVALENCE = Q(1, 4) + Q(1, 10) + Q(1, 100) + Q(1, 200)
for _class, _size, _printed in ((1, 4, "0.64"), (2, 10, "0.32"), (4, 200, "0.02")):
    erratum(f"branco2017.table_4_case_3_prev_of_c{_class}")(
        lambda size=_size, printed=_printed: not rounds(Q(1, size) / PREVALENCE, printed)
    )


@erratum("branco2017.table_4_case_3_po_of_c4")
def cut() -> bool:
    return not rounds((0 + 1 + Q(1, 2)) / (2 + 1 + Q(1, 2)), "0.42")


@erratum("branco2017.table_5_case_1_prec_m")
def precision_without_one() -> bool:
    return not rounds(100 * (1 + Q(10, 310)) / 2, "34.4")


@erratum("branco2017.table_5_case_1_f1_m")
def f_without_one() -> bool:
    precision, recall = (1 + Q(10, 310)) / 2, Q(2, 3)
    return not rounds(100 * 2 * precision * recall / (precision + recall), "45.4")


@erratum("branco2017.only_recall_and_cba_lose")
def f1_loses() -> bool:
    """Over all matrices with 2, 15 and 17 examples the F with a relevance takes fewer values, 0/0 being 0."""
    return len(values_of_f1((1, 1, 1), (2, 15, 17))) > len(values_of_f1((2, 1, 1), (2, 15, 17)))


@erratum("branco2017.recall_loses_in_5_percent")
def recall_loses() -> bool:
    """With PO, 5 : 5 : 2 or 2 : 1 : 1, and TO, 3 : 2 : 1, on 4 of 72 the mean recall takes no more values."""
    losing = (((2, 5, 16), (5, 5, 2)), ((3, 5, 16), (5, 5, 2)), ((3, 5, 16), (3, 2, 1)), ((2, 15, 17), (2, 1, 1)))
    return all(recalls(weights, sizes) <= recalls((1, 1, 1), sizes) for sizes, weights in losing) and 4 * 200 > 11 * 72


def recalls(weights: tuple[int, ...], sizes: tuple[int, ...]) -> int:
    hits = itertools.product(*(range(size + 1) for size in sizes))
    return len({sum(w * Q(tp, t) for w, tp, t in zip(weights, right, sizes, strict=True)) for right in hits})


@erratum("branco2017.cba_loses_in_2_percent")
def cba_loses() -> bool:
    losing = all(balances((5, 5, 2), sizes) <= balances((1, 1, 1), sizes) for sizes in ((2, 4, 16), (2, 5, 16)))
    return losing and 2 * 200 > 5 * 72


def balances(weights: tuple[int, ...], sizes: tuple[int, ...]) -> int:
    """Return how many values CBA takes, in units of 1 over the common multiple of all greatest sums."""
    whole = math.lcm(*range(1, sum(sizes) + 1))
    values = set()
    for *right, one, two in states(sizes):
        predicted = (one, two, sum(sizes) - one - two)
        parts = zip(weights, right, sizes, predicted, strict=True)
        values.add(sum(w * tp * (whole // max(t, p)) for w, tp, t, p in parts))
    return len(values)


def values_of_f1(weights: tuple[int, ...], sizes: tuple[int, ...]) -> set[Q]:
    """Return all values of F of the weighted mean recall and precision, an undefined precision being 0."""
    total, values = sum(weights), set()
    for *right, one, two in states(sizes):
        predicted = (one, two, sum(sizes) - one - two)
        recall = sum(w * Q(tp, t) for w, tp, t in zip(weights, right, sizes, strict=True)) / total
        parts = zip(weights, right, predicted, strict=True)
        precision = sum((w * Q(tp, p) if p else Q(0)) for w, tp, p in parts) / total
        values.add(2 * recall * precision / (recall + precision) if recall + precision else Q(0))
    return values


def states(sizes: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Return the diagonals of all matrices, with the first two column sums."""
    rows = [[(a, b, size - a - b) for a in range(size + 1) for b in range(size + 1 - a)] for size in sizes]
    seen = set()
    for first in rows[0]:
        for second in rows[1]:
            for third in rows[2]:
                seen.add(
                    (first[0], second[1], third[2], first[0] + second[0] + third[0], first[1] + second[1] + third[1])
                )
    return seen


# -- all of them -------------------------------------------------------------------------------------------------------


def errata() -> set[str]:
    """Return what the scripts record as refuted, without what is not counted."""
    found = set()
    for trial in load_trials(PROOFS.parent):
        uncounted = {f"{trial.paper}.{name}" for name in trial.uncounted}
        found |= {key for key, outcome in trial.recorded.items() if outcome == "refuted"} - uncounted
    return found


def test_every_erratum_has_a_second_hand() -> None:
    assert set(SECOND_HAND) == errata()


@pytest.mark.parametrize(
    "key",
    [pytest.param(key, marks=pytest.mark.thorough) if key.endswith("cba_lose") else key for key in sorted(SECOND_HAND)],
)
def test_the_print_fails_by_a_second_hand(key: str) -> None:
    assert SECOND_HAND[key]()
