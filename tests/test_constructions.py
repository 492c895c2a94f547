"""Constructions: what they make, what they refuse, and theorems on what each gives and keeps for any metric."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest
from effort import in_one_test, some
from recorded import status
from sympy import Expr, Interval, S, Symbol, simplify

from symmetrics import FN, TN, TP, Metric, metrics, prove
from symmetrics.claims.comparison import value_symbol
from symmetrics.claims.theorems.constructions import (
    DECREASING,
    INCREASING,
    ODDS,
    Chain,
    Construction,
    ConstructionTheorem,
    at_odds,
)
from symmetrics.discovery.constructions import CONSTRUCTIONS, check_construction, theorems_of
from symmetrics.discovery.theorems import laws
from symmetrics.language.cells import CELLS
from symmetrics.query.relations import relate
from symmetrics.tools.errors import CertificateError, InputError, SymmetricsError

QUICK = ("transposed", "exchanged", "normalised", "negated", "composed with a decreasing link")
SLOW = tuple(name for name in CONSTRUCTIONS if name not in QUICK)


@in_one_test
@pytest.mark.parametrize(
    ("made", "known"),
    [
        (lambda: metrics.recall.transposed(), "precision"),
        (lambda: metrics.recall.exchanged(), "specificity"),
        (lambda: metrics.npv.exchanged().transposed(), "recall"),
        (lambda: metrics.accuracy.chance_corrected(), "kappa"),
        (lambda: metrics.mcc.chance_corrected(), "mcc"),
        (lambda: metrics.accuracy.at_prior("1/2"), "balanced_accuracy"),
        (lambda: metrics.recall.symmetrised("p1"), "balanced_accuracy"),
        (lambda: metrics.recall.symmetrised("p1", mean="geometric"), "gmean"),
        (lambda: metrics.recall.symmetrised("transpose", mean="harmonic"), "f1"),
        (lambda: metrics.recall.symmetrised("transpose", mean="geometric"), "fowlkes_mallows"),
        (lambda: metrics.informedness.normalised(), "balanced_accuracy"),
        (lambda: metrics.f1.composed("M/(2 - M)"), "jaccard"),
        (lambda: metrics.recall.composed("1 - M"), "fnr"),
        (lambda: metrics.error_rate.negated().composed("1 + M"), "accuracy"),
    ],
)
def test_constructions_lead_from_known_metrics_to_known_metrics(made: Callable[[], Metric], known: str) -> None:
    assert relate(made(), metrics[known], "equal").status == "proved"


@in_one_test
@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (lambda: metrics.mcc.symmetrised("p1", mean="geometric"), "not known to be positive"),
        (lambda: metrics.mcc.symmetrised("p1", mean="harmonic"), "not known to be positive"),
        (lambda: metrics.recall.symmetrised("p2"), "no exchange of cells"),
        (lambda: metrics.recall.symmetrised("homogeneous"), "no exchange of cells"),
        (lambda: metrics.recall.symmetrised("p1", mean="median"), "not one of arithmetic"),
        (lambda: metrics.recall.symmetrised(), "name the property"),
        (lambda: metrics.gmean.chance_corrected(), "not known to be affine"),
        (lambda: metrics.fpr.chance_corrected(), "is a loss"),
        (lambda: Metric("sum", TP + TN).chance_corrected(), "finite maximum"),
        (lambda: metrics.diagnostic_odds_ratio.normalised(), "not bounded"),
        (lambda: Metric("one", TP / TP + 0 * FN).normalised(), "everywhere"),
        (lambda: Metric("one", "w*TP/(TP + FN)", "w in [0, 1]").normalised(), "0 to w, may be .* unless w != 0; bind"),
        (lambda: metrics.mcc.composed("M**2"), "strictly monotone"),
        (lambda: metrics.mcc.composed("1/M"), "strictly monotone"),
        (lambda: metrics.mcc.composed("M/(2"), "not a complete formula"),
        (lambda: metrics.mcc.composed("TP + M"), "unknown name 'TP'; a link is a function of M alone, as in"),
        (lambda: metrics.mcc.composed("M/weight"), "unknown name 'weight'; a link is a function of M alone, as in"),
    ],
)
def test_a_construction_that_cannot_be_made_says_why(made: Callable[[], Metric], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        made()


def test_a_factor_that_is_never_zero_is_divided_out() -> None:
    assert Metric("scaled", "w*TP/(TP + FN)", "w in (0, 1]").normalised().expr == metrics.recall.expr


def test_a_table_at_another_prior_has_these_odds_and_as_many_examples() -> None:
    (table,) = at_odds(ODDS).tables
    tp, fn, fp, tn = table
    assert simplify((fp + tn) / (tp + fn)) == ODDS
    assert simplify(tp + fn + fp + tn - sum(CELLS)) == 0
    assert simplify(tp / fn - CELLS[0] / CELLS[1]) == simplify(fp / tn - CELLS[2] / CELLS[3]) == 0


def test_a_link_bears_the_ends_that_are_attained() -> None:
    reached = Metric("reached", abs(TP - TN) / (TP + TN))  # 0 where TP = TN
    with pytest.raises(InputError, match="no value at 0"):
        reached.composed("-1/M")
    assert metrics.recall.composed("-1/M").exact(1, 1, 1, 1) == -2


def test_the_sense_of_a_metric_follows_the_construction() -> None:
    assert metrics.recall.negated().greater_is_better is False
    assert metrics.recall.composed("1/M").greater_is_better is False
    assert metrics.fpr.composed("1 - M").greater_is_better is True
    assert metrics.recall.transposed().greater_is_better is True
    assert metrics.mcc.negated().range == metrics.mcc.range
    assert metrics.recall.negated().range == Interval(-1, 0)


@in_one_test
@pytest.mark.parametrize("name", ["accuracy", "precision", "f1", "mcc", "jaccard"])
def test_corrected_for_chance_is_zero_on_average_at_fixed_margins(name: str) -> None:
    """With the hypergeometric distribution written out."""
    try:
        corrected = metrics[name].chance_corrected()
    except InputError:
        assert name == "jaccard"
        return
    for size, positives, predicted in ((7, 3, 2), (9, 4, 6)):
        mean = S.Zero
        for tp in range(max(0, positives + predicted - size), min(positives, predicted) + 1):
            ways = S(comb(positives, tp) * comb(size - positives, predicted - tp)) / comb(size, predicted)
            table = (tp, positives - tp, predicted - tp, size - positives - predicted + tp)
            mean += ways * corrected.exact(*table)
        assert mean.simplify() == 0


# -- theorems ----------------------------------------------------------------------------------------------------------


def test_what_is_kept_and_given_is_what_the_theorems_say() -> None:
    said = {str(theorem) for name in QUICK for theorem in theorems_of(name)}
    assert {
        "transposed keeps agreement_increases",
        "transposed turns p3 into p5",
        "exchanged keeps monotone",
        "exchanged turns p2 into p4",
        "exchanged turns increasing_tp into increasing_tn",
        "negated keeps p1",
        "normalised keeps strongly_monotone",
    } <= said
    # Recall and precision: correcting a miss raises both, correcting a false alarm the second alone.
    assert "transposed keeps monotone" not in said
    assert "transposed keeps no_imbalance_bias" not in said
    assert not [
        words for words in said if words.startswith(("negated", "composed")) and "increas" in words.split("keep")[-1]
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("name", SLOW)
def test_means_priors_and_corrections_give_what_they_are_made_for(name: str) -> None:
    said = {(theorem.conclusion, theorem.premises) for theorem in theorems_of(name)}
    if name.startswith("symmetrised"):
        over = name.removeprefix("symmetrised over ").rpartition(", ")[0].split(", ")
        assert {(key, ()) for key in over} <= said
        assert ("homogeneous", ("homogeneous",)) in said
        assert (("monotone", ("monotone",)) in said) == (over == ["p1"])
    elif name == "chance_corrected":
        assert ("independence_value", ()) in said
        assert {(key, (key,)) for key in ("p1", "transpose", "homogeneous", "agreement_increases")} <= said
        assert ("p2", ("p2",)) not in said
    elif name.startswith("at_prior"):
        assert ("actual_scaling", ("homogeneous",)) in said
        assert ("no_imbalance_bias", ()) in said  # the rates and n are all that it depends on
    for theorem in theorems_of(name):
        check_construction(theorem)


def _hashed(*cells: object) -> Fraction:
    """A function of tables that has no property at all, with values between 1 and 2."""
    digest = hashlib.sha256(repr(cells).encode()).digest()
    return 1 + Fraction(int.from_bytes(digest[:4]), 2**32)


def _value(construction: Construction, m: Callable[..., Fraction], table: tuple[Fraction, ...]) -> object:
    """Return F[M] at a table, for a function M that knows no formula."""
    at = dict(zip(CELLS, table, strict=True)) | {ODDS: Fraction(5, 3)}
    symbols: list[Symbol] = sorted(at, key=str)

    def number(expression: Expr) -> Fraction:
        return Fraction(str(expression.xreplace({s: S(at[s].numerator) / at[s].denominator for s in symbols})))

    values = [m(*map(number, image)) for image in construction.tables]
    names = {value_symbol(place): S(v.numerator) / v.denominator for place, v in enumerate(values)}
    constants = {Symbol("upper", real=True): S(9), Symbol("lower", real=True): S(-4)}
    made = construction.combination.xreplace(names | constants)
    return made.replace(INCREASING, lambda x: 3 * x + 1).replace(DECREASING, lambda x: 1 / x)


@pytest.mark.parametrize("name", ["symmetrised over p1, arithmetic mean", "symmetrised over transpose, geometric mean"])
def test_what_is_given_is_there_for_a_function_without_any_property(name: str) -> None:
    construction = CONSTRUCTIONS[name]
    table = tuple(map(Fraction, (3, 5, 7, 11)))
    image = {"p1": (11, 7, 5, 3), "transpose": (3, 7, 5, 11)}["p1" if " p1" in name else "transpose"]
    assert _value(construction, _hashed, table) == _value(construction, _hashed, tuple(map(Fraction, image)))
    other = {"p1": (3, 7, 5, 11), "transpose": (11, 7, 5, 3)}["p1" if " p1" in name else "transpose"]
    assert _value(construction, _hashed, table) != _value(construction, _hashed, tuple(map(Fraction, other)))


def test_a_theorem_with_one_step_altered_is_rejected() -> None:
    theorem = next(t for t in theorems_of("exchanged") if str(t) == "exchanged keeps actual_scaling")
    check_construction(theorem)
    chain, *others = (one for part in theorem.proof for one in part if isinstance(one, Chain))
    (step,) = chain.steps
    for altered in (
        replace(step, at={**step.at, TP: step.at[TP] * 2}),
        replace(step, at={symbol: -value for symbol, value in step.at.items()}),
        replace(step, forward=not step.forward),
        replace(step, premise="predicted_scaling"),
        replace(step, at={}),
    ):
        with pytest.raises(CertificateError):
            check_construction(replace(theorem, proof=((replace(chain, steps=(altered,)), *others),)))
    with pytest.raises(CertificateError):
        check_construction(replace(theorem, proof=((replace(chain, steps=()), *others),)))
    with pytest.raises(CertificateError):
        check_construction(replace(theorem, premises=()))
    with pytest.raises(CertificateError):
        check_construction(replace(theorem, conclusion="predicted_scaling"))


@in_one_test
@pytest.mark.parametrize(
    ("construction", "premise", "conclusion"),
    [
        ("negated", "monotone", "monotone"),
        ("composed with a decreasing link", "monotone", "monotone"),
        ("transposed", "monotone", "monotone"),
        ("transposed", "no_imbalance_bias", "no_imbalance_bias"),
        ("normalised", "monotone", "strongly_monotone"),
        ("normalised", "p1", "p2"),
    ],
)
def test_a_false_theorem_has_no_proof_and_none_is_borrowed(construction: str, premise: str, conclusion: str) -> None:
    false = ConstructionTheorem(CONSTRUCTIONS[construction], conclusion, (premise,), ())
    proofs = [t.proof for name in QUICK for t in theorems_of(name)]
    for proof in ((), *proofs):
        with pytest.raises(CertificateError):
            check_construction(replace(false, proof=proof))


def _made(name: str, metric: Metric) -> Metric:
    if name.startswith("symmetrised"):
        over, _, mean = name.removeprefix("symmetrised over ").rpartition(", ")
        return metric.symmetrised(*over.split(", "), mean=mean.removesuffix(" mean"))
    others: Mapping[str, Callable[[], Metric]] = {
        "at_prior(1/2)": lambda: metric.at_prior("1/2"),
        "at_prior(a prior)": lambda: metric.at_prior("2/7"),
        "composed with an increasing link": lambda: metric.composed("3*M - 1"),
        "composed with a decreasing link": lambda: metric.composed("2 - 5*M"),
    }
    return others[name]() if name in others else getattr(metric, name)()


def _tried(construction: str, key: str) -> int:
    """Return how many promises of a construction of one metric the ordinary prover kept; it is to break none."""
    try:
        made = _made(construction, metrics[key])
    except SymmetricsError:  # it has no such construction
        return 0
    kept = 0
    for theorem in theorems_of(construction):
        if all(status(key, premise) == "proved" for premise in theorem.premises):
            verdict = prove(made, theorem.conclusion, seconds=5)
            assert verdict.status in ("proved", "open"), f"{theorem}: {made.name}: {verdict}"
            kept += verdict.status == "proved"
    return kept


@pytest.mark.thorough
@pytest.mark.parametrize("construction", [name for name in CONSTRUCTIONS if not name.startswith("balanced_index")])
def test_what_theorems_promise_holds_for_the_metrics_of_the_library(construction: str) -> None:
    """By the ordinary prover, which knows nothing of constructions; test_balanced_index.py has the rest."""
    assert sum(_tried(construction, key) for key in metrics) > 100


def test_what_theorems_promise_holds_for_some_metrics_of_the_library() -> None:
    assert sum(_tried(construction, key) for construction in QUICK[:1] for key in some(metrics, 1, construction)) > 2


def test_every_law_of_the_library_is_known_to_the_theorems() -> None:
    assert {"p1", "p2", "p3", "p4", "p5", "transpose", "homogeneous", "scaling", "monotone"} <= set(laws())
    assert not {"range", "antisymmetric", "constant_baseline", "defined"} & set(laws())
