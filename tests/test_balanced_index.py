"""The index of balanced accuracy of any metric: its numbers, and what it provably keeps and takes away."""

from __future__ import annotations

import hashlib
import importlib.util
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest
from effort import examples, in_one_test, is_thorough, some
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import status
from sympy import Expr, Float, Rational, S, Symbol, expand, sqrt

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric, Parameter, metrics
from symmetrics.checker.theorems.implications import check_construction as check_with_laws
from symmetrics.checker.theorems.implications import check_continuity, check_loss
from symmetrics.claims import StrictInequality
from symmetrics.claims.base import Claim
from symmetrics.claims.families.limits import STEP, Bounded, FiniteLimit
from symmetrics.claims.theorems.constructions import (
    BALANCED,
    DOMINANCE,
    EXCHANGED,
    LINKS,
    TOWARDS_NEGATIVE,
    TOWARDS_POSITIVE,
    VALUE,
    Chain,
    Construction,
    ConstructionTheorem,
    Loss,
)
from symmetrics.claims.theorems.laws import Instance, Law
from symmetrics.discovery.constructions import CONSTRUCTIONS, check_construction, losses_of, theorems_of
from symmetrics.discovery.theorems import laws
from symmetrics.language.cells import CELLS, Table
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.query.relations import relate
from symmetrics.tools.errors import CertificateError, InputError

DOCS = Path(__file__).resolve().parent.parent / "docs"
INDEX, POSITIVE, NEGATIVE = (one.name for one in (BALANCED, TOWARDS_POSITIVE, TOWARDS_NEGATIVE))
KEPT = {"actual_scaling", "homogeneous", "no_imbalance_bias", "prevalence_limit", "range", "tn_limit"}
LOST = {"independence_value", "p1", "p2", "p3", "p4", "p5", "predicted_scaling", "scaling", "transpose"}

# -- what it is --------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("made", "known"),
    [
        (lambda alpha: metrics.gmean.balanced_index(alpha), "iba_gmean"),
        (lambda alpha: metrics.gmean.composed("M**2").balanced_index(alpha), "iba_squared_gmean"),
        (
            lambda alpha: Metric("product", metrics.tpr.expr * metrics.tnr.expr).balanced_index(alpha),
            "iba_squared_gmean",
        ),
    ],
)
def test_the_records_of_the_library_are_instances(made: Callable[[Parameter], Metric], known: str) -> None:
    """García et al. (2012), section 2, and García et al. (2009): formula and parameter are the same."""
    (alpha,) = metrics[known].parameters
    index = made(alpha)
    assert (index.expr, index.parameters) == (metrics[known].expr, metrics[known].parameters)
    assert relate(index, metrics[known], "equal").status == "proved"


CELL = st.integers(1, 40)
WEIGHT = st.fractions(-3, 3, max_denominator=20)


@settings(max_examples=examples(400), deadline=None)
@given(
    st.sampled_from(["accuracy", "f1", "informedness", "skew_ratio", "fpr"]), st.tuples(CELL, CELL, CELL, CELL), WEIGHT
)
def test_its_value_is_the_weighed_value(name: str, table: tuple[int, int, int, int], alpha: Fraction) -> None:
    tp, fn, fp, tn = table
    weight = 1 + alpha * (Fraction(tp, tp + fn) - Fraction(tn, fp + tn))
    value = Fraction(str(metrics[name].exact(*table)))
    assert Fraction(str(metrics[name].balanced_index(alpha).exact(*table))) == weight * value


@in_one_test
@pytest.mark.parametrize(
    "alpha", ["1/20", " 0.05 ", 0.05, Fraction(1, 20), Rational(1, 20), Decimal("0.05"), Parameter("a", default="1/20")]
)
def test_one_weight_in_all_its_spellings(alpha: object) -> None:
    assert metrics.f1.balanced_index(alpha).at_defaults() == metrics.f1.balanced_index("1/20").expr


@in_one_test
@pytest.mark.parametrize(
    ("alpha", "reason"),
    [
        (True, "alpha: True is not a number"),
        (None, "alpha: None is not an exact rational number; write one as '3/4'"),
        (float("nan"), "alpha: nan is not a finite number; write one as 0.75 or '3/4'"),
        (float("inf"), "alpha: inf is not a finite number"),
        (Float("0.05"), "alpha: .* is not an exact rational number; write one as '3/4'"),
        (sqrt(2), r"alpha: sqrt\(2\) is not an exact rational number"),
        ("nan", "alpha: cannot read 'nan' as an exact number"),
        ("-Infinity", "alpha: cannot read '-Infinity' as an exact number"),
        ("", "alpha: cannot read '' as an exact number"),
        ("1/0", "alpha: cannot read '1/0' as an exact number: it divides by zero"),
        ("TP", "alpha: parameter 'TP': the name is taken by a cell.*; pass a number such as '1/20', or a parameter"),
        (TP, "alpha: parameter 'TP': the name is taken by a cell"),
        ("lambda", "alpha: parameter 'lambda': this is a keyword"),
        ("alpha in [1, 0]", "alpha: parameter alpha: the domain .* is empty; pass a number"),
        ("alpha beta", "alpha: parameter 'alpha beta': write it as"),
    ],
)
def test_a_weight_that_is_none_is_refused_in_one_line(alpha: object, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as refused:
        metrics.f1.balanced_index(alpha)
    assert "\n" not in str(refused.value)


def test_a_weight_may_stay_a_parameter_but_not_one_of_the_metric() -> None:
    index = metrics.tversky.balanced_index("weight in [0, 1]")
    assert [str(parameter) for parameter in index.parameters][2:] == ["weight in [0, 1]"]
    assert index.at(weight="1/3").expr == metrics.tversky.balanced_index("1/3").expr
    assert metrics.f1.balanced_index(Symbol("weight")).parameters == (Parameter("weight"),)
    with pytest.raises(InputError, match="tversky has a parameter alpha already; take another name"):
        metrics.tversky.balanced_index("alpha")


@in_one_test
@pytest.mark.parametrize("name", ["accuracy", "precision", "gmean", "kappa", "worst_class_accuracy"])
def test_to_exchange_the_classes_is_to_turn_the_sign_of_the_weight(name: str) -> None:
    metric = metrics[name]
    turned = metric.exchanged().balanced_index("-1/3").exchanged()
    assert relate(metric.balanced_index("1/3"), turned, "equal").status == "proved"
    assert relate(metric.balanced_index(0), metric, "equal").status == "proved"


# -- what holds whatever the metric is ---------------------------------------------------------------------------------


def test_each_property_is_kept_lost_or_kept_under_a_condition() -> None:
    kept = {theorem.conclusion for theorem in theorems_of(INDEX) if theorem.keeps}
    assert kept == KEPT
    assert {loss.property for loss in losses_of(INDEX)} == LOST
    assert {theorem.conclusion for theorem in theorems_of(POSITIVE) if theorem.keeps} - kept == {
        "increasing_tp",
        "decreasing_fn",
    }
    assert {theorem.conclusion for theorem in theorems_of(NEGATIVE) if theorem.keeps} - kept == {
        "increasing_tn",
        "decreasing_fp",
    }
    assert not [theorem for name in (INDEX, POSITIVE, NEGATIVE) for theorem in theorems_of(name) if theorem.gives]
    for name in (INDEX, POSITIVE, NEGATIVE):
        for theorem in (*theorems_of(name), *losses_of(name)):
            check_construction(theorem)
    assert not [name for name in ("transposed", "exchanged", "negated", "normalised") if losses_of(name)]


def _hashed(*facts: object) -> Fraction:
    """A value between 1 and 2 that has nothing to do with the value of other facts."""
    digest = hashlib.sha256(repr(facts).encode()).digest()
    return 1 + Fraction(int.from_bytes(digest[:4]), 2**32)


def _weight(table: tuple[Fraction, ...], alpha: Fraction) -> Fraction:
    tp, fn, fp, tn = table
    return 1 + alpha * (tp / (tp + fn) - tn / (fp + tn))


OF: dict[str, Callable[..., tuple[object, ...]]] = {
    "actual_scaling": lambda tp, fn, fp, tn: (tp / fn, fp / tn),
    "homogeneous": lambda tp, fn, fp, tn: (tp / fn, fp / fn, tn / fn),
    "p1": lambda tp, fn, fp, tn: (sorted([(tp, fn), (tn, fp)]),),
    "p2": lambda tp, fn, fp, tn: (tp, fn, fp),
    "p3": lambda tp, fn, fp, tn: (tp, fn, tn),
    "p4": lambda tp, fn, fp, tn: (fn, fp, tn),
    "p5": lambda tp, fn, fp, tn: (tp, fp, tn),
    "predicted_scaling": lambda tp, fn, fp, tn: (tp / fp, fn / tn),
    "scaling": lambda tp, fn, fp, tn: (tp * tn / (fn * fp),),
    "transpose": lambda tp, fn, fp, tn: (tp, *sorted([fn, fp]), tn),
}
"""Functions of tables that have one invariance, and after a hash no other."""


@in_one_test
@pytest.mark.parametrize("key", OF)
def test_what_is_kept_and_lost_is_so_for_a_function_that_has_the_invariance_alone(key: str) -> None:
    losses = {loss.property: loss for loss in losses_of(INDEX)}
    (law, *_) = [one for one in laws()[key] if key not in losses or one.label == losses[key].label]
    at = (
        losses[key].at
        if key in losses
        else dict(zip([*CELLS, *_others(law)], map(S, (7, 2, 3, 5, 11, 13)), strict=False))
    )
    tables = [tuple(Fraction(str(cell.xreplace(dict(at)))) for cell in table) for table in law.tables]
    first, second = (_hashed(*OF[key](*table)) for table in tables)
    assert first == second
    for alpha in (Fraction(1, 20), Fraction(-1)):
        values = [_weight(table, alpha) * first for table in tables]
        assert (values[0] == values[1]) == (key in KEPT)


def _others(law: Law) -> list[Symbol]:
    found = {symbol for table in law.tables for cell in table for symbol in cell.free_symbols}
    return sorted(found - set(CELLS), key=str)


@in_one_test
@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("sign", [1, -1])
def test_a_positive_function_that_rises_goes_on_to_rise_where_its_weight_does(place: int, sign: int) -> None:
    """M is a sum of random positive steps: in TP and TN upwards, in FN and FP downwards."""
    key = ("increasing_tp", "decreasing_fn", "decreasing_fp", "increasing_tn")[place]
    kept = key in {theorem.conclusion for theorem in theorems_of(POSITIVE if sign > 0 else NEGATIVE)}
    falls = False
    for case in range(40):
        table = [int(_hashed(key, sign, case, k) * 2**16) % 6 + 1 for k in range(4)]
        others = tuple(cell for k, cell in enumerate(table) if k != place)

        def value(cell: int, others: tuple[int, ...] = others) -> Fraction:
            passed = range(cell) if place in (0, 3) else range(cell, 20)
            return 1 + sum((_hashed(place, others, k) / 1000 for k in passed), Fraction(0))

        def weighed(cell: int, table: list[int] = table) -> Fraction:
            put = tuple(Fraction(cell if k == place else other) for k, other in enumerate(table))
            return _weight(put, Fraction(sign)) * value(cell)

        before, after = weighed(table[place]), weighed(table[place] + 1)
        falls |= after <= before if place in (0, 3) else after >= before
    assert falls is not kept


# -- the ordinary prover knows nothing of constructions ----------------------------------------------------------------


def _is_positive(metric: Metric) -> bool:
    return (
        decide_and_check(
            StrictInequality.between((CELLS,), (), VALUE)(metric), metric=metric.name, property="positive"
        ).status
        == "proved"
    )


def _tried(name: str, key: str, seconds: float) -> int:
    """Return how many promises of the index of one metric the prover kept; it is to break none."""
    metric = metrics[key]
    if name != INDEX and not _is_positive(metric):
        return 0
    index = metric.balanced_index({INDEX: "2/3", POSITIVE: 1, NEGATIVE: -1}[name])
    kept = 0
    for theorem in theorems_of(name):
        if all(status(key, premise) == "proved" for premise in theorem.premises):
            verdict = sm.prove(index, theorem.conclusion, seconds=seconds)
            assert verdict.status in ("proved", "open"), f"{theorem}: {key}: {verdict}"
            kept += verdict.status == "proved"
    return kept


def test_the_prover_finds_nothing_against_what_is_kept() -> None:
    seconds = 5 if is_thorough() else 1
    for name in (INDEX, POSITIVE, NEGATIVE):
        assert sum(_tried(name, key, seconds) for key in ["gmean", *some(metrics, 1, name)]) > 4


def test_every_metric_of_the_library_that_has_a_lost_invariance_loses_it() -> None:
    """At the tables of the theorem, by exact values, unless M is 0 at them."""
    tried = 0
    for loss in losses_of(INDEX):
        (law,) = [one for one in laws()[loss.property] if one.label == loss.label]
        tables = [[cell.xreplace(dict(loss.at)) for cell in table] for table in law.tables]
        having = [key for key in metrics if status(key, loss.property) == "proved" and not metrics[key].parameters]
        for key in some(having, 4, loss.property):
            value, same = (metrics[key].exact(*table) for table in tables)
            first, second = (metrics[key].balanced_index(1).exact(*table) for table in tables)
            assert value == same or expand(value - same) == 0, key
            assert (abs((first - second).evalf(30)) < 1e-20) == (value == 0), (loss.property, key)
            tried += value != 0
        for key in some(having, 1, f"{loss.property} of the prover"):
            if metrics[key].exact(*tables[0]) != 0:
                assert sm.prove(metrics[key].balanced_index(1), loss.property).status == "refuted"
    assert tried > 30


# -- the page ----------------------------------------------------------------------------------------------------------


def _writer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("writer_of_new_metrics", DOCS / "new_metrics.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_says_what_the_theorems_say_and_each_counterexample_is_one() -> None:
    page = (DOCS / "new_metrics.md").read_text(encoding="utf-8")
    rows = {key: (fate, example) for key, fate, example in re.findall(r"^\| (\w+) \| (.+) \| (.*) \|$", page, re.M)}
    rows.pop("property")
    assert {key: fate for key, (fate, _) in rows.items()} == {key: _writer().fate(key) for key in sm.properties}
    assert {key for key, (_, example) in rows.items() if not example} == KEPT
    for key in some(sorted(set(rows) - KEPT), 2, "counterexamples"):
        name = rows[key][1].strip("`")
        assert status(name, key) == "proved"
        assert sm.prove(metrics[name].balanced_index(1), key).status == "refuted"


# -- forged theorems ---------------------------------------------------------------------------------------------------


def _theorem(name: str, text: str) -> ConstructionTheorem:
    return next(theorem for theorem in theorems_of(name) if str(theorem) == f"{name} {text}")


@in_one_test
@pytest.mark.sampled(5)
@pytest.mark.parametrize("conclusion", sorted(set(laws()) - KEPT))
def test_no_proof_is_accepted_for_what_is_not_kept(conclusion: str) -> None:
    proofs = [theorem.proof for name in (INDEX, POSITIVE, NEGATIVE) for theorem in theorems_of(name)]
    proofs += [theorem.proof for theorem in theorems_of("exchanged")]
    for name in (INDEX, POSITIVE, NEGATIVE):
        if conclusion in {theorem.conclusion for theorem in theorems_of(name)}:
            continue
        for proof in ((), ((),), *proofs):
            with pytest.raises(CertificateError):
                check_construction(ConstructionTheorem(CONSTRUCTIONS[name], conclusion, (conclusion,), proof))


def test_a_theorem_on_the_index_is_rejected_once_it_is_altered() -> None:
    rise = _theorem(POSITIVE, "keeps increasing_tp")
    ((step,),) = rise.proof
    assert isinstance(step, Instance)
    false = [
        replace(rise, construction=TOWARDS_NEGATIVE),
        replace(rise, construction=BALANCED),
        replace(rise, premises=()),
        replace(rise, proof=((replace(step, at={**step.at, TP: 2 * TP}),),)),
        replace(rise, proof=((None,),)),
        replace(_theorem(INDEX, "keeps homogeneous"), conclusion="p1"),
        replace(_theorem(INDEX, "keeps range"), conclusion="tn_limit"),
        replace(_theorem(INDEX, "keeps range"), premises=()),
        *(replace(_theorem(INDEX, "keeps range"), conclusion=key, premises=(key,)) for key in OTHERS),
    ]
    for theorem in false:
        with pytest.raises(CertificateError):
            check_construction(theorem)
    (loss,) = (loss for loss in losses_of(INDEX) if loss.property == "p1")
    for at in ({}, {**loss.at, TP: S(-7)}, {**loss.at, TP: FN}, {TP: S(2), FN: S(3), FP: S(3), TN: S(2)}):
        with pytest.raises(CertificateError):
            check_construction(replace(loss, at=at))
    for altered in ({"property": "homogeneous"}, {"property": "increasing_tp"}, {"label": "none"}):
        with pytest.raises(CertificateError):
            check_construction(replace(loss, **altered))  # type: ignore[arg-type]


OTHERS = ("antisymmetric", "constant_baseline", "decomposable", "defined", "max_agreement", "symmetry_group")


# -- each condition of the checker -------------------------------------------------------------------------------------

t = Symbol("other_t", real=True)
HERE = dict(zip(CELLS, CELLS, strict=True))
RISE, FREE = (Law("", sign, (CELLS, (TP + t, FN, FP, TN))) for sign in (">", "="))
CURVE: Table = (TP * STEP, FN, FP, TN)


def _made(construction: Construction, law: Law, *proof: object) -> None:
    theorem = ConstructionTheorem(construction, "own", ("own",), (tuple(proof),))  # type: ignore[arg-type]
    check_with_laws(theorem, [law], {"own": (law,)})


def _measuring(formula: Expr, **changed: object) -> Construction:
    return replace(BALANCED, measures=((DOMINANCE, formula),), **changed)  # type: ignore[arg-type]


def _carried(construction: Construction, claim: Claim, **changed: object) -> None:
    theorem = replace(ConstructionTheorem(construction, "own", ("own",), ()), **changed)  # type: ignore[arg-type]
    check_continuity(theorem, claim)


def _lost(construction: Construction, law: Law, **at: int) -> None:
    numbers = {Symbol(name, real=True): S(number) for name, number in at.items()}
    check_loss(Loss(construction, "own", "", HERE | numbers), [law])


BOUNDED, LIMIT = Bounded(TP, ()), FiniteLimit(TP, (), CURVE)
NUMBERS = {"TP": 2, "FN": 3, "FP": 5, "TN": 7, "other_t": 4}
REFUSED: dict[str, Callable[[], None]] = {
    "a measure of the table differs between both sides": lambda: _made(
        BALANCED, FREE, Chain(0, 1, (Instance("own", "", HERE | {t: t}),))
    ),
    "the combination may fall with dominance": lambda: _made(
        TOWARDS_NEGATIVE, RISE, Instance("own", "", HERE | {t: t})
    ),
    "the combination does not rise with value 0": lambda: _made(
        Construction("own", "with a pole at 3", (CELLS,), -1 / (VALUE - 3), ((VALUE - 3) ** -2,)),
        RISE,
        Instance("own", "", HERE | {t: t}),
    ),
    "nothing but what M has itself is carried over": lambda: _carried(BALANCED, BOUNDED, premises=()),
    "nothing but what M has itself is carried over ": lambda: _carried(BALANCED, BOUNDED, proof=((),)),
    "the combination is no polynomial": lambda: _carried(replace(BALANCED, combination=1 / VALUE), BOUNDED),
    "the combination is no polynomial ": lambda: _carried(replace(BALANCED, combination=LINKS[True]), BOUNDED),
    "the combination is no polynomial  ": lambda: _carried(replace(BALANCED, combination=VALUE / DOMINANCE), BOUNDED),
    "a measure may be beyond -1 or 1": lambda: _carried(_measuring(TP / FN), BOUNDED),
    "the conclusion is neither that M is bounded nor": lambda: _carried(
        BALANCED, sm.properties["defined"].claim(metrics.f1)
    ),
    "M is taken at other tables than those of the curve": lambda: _carried(EXCHANGED, LIMIT),
    "a measure may have no finite limit": lambda: _carried(_measuring(FN / TP), LIMIT),
    "a measure may have no finite limit ": lambda: _carried(_measuring(sqrt(TP)), LIMIT),
    "M is taken at other tables than those of the law": lambda: _lost(EXCHANGED, FREE, **NUMBERS),
    "a law is of another kind than the proof needs": lambda: _lost(BALANCED, RISE, **NUMBERS),
    "the two tables are not tables of numbers": lambda: _lost(BALANCED, FREE, other_t=4),
    "F.M. may have one value at both tables": lambda: _lost(_measuring(TN / FN), FREE, **NUMBERS),
    "F.M. may have one value at both tables ": lambda: _lost(
        replace(BALANCED, combination=DOMINANCE * VALUE + DOMINANCE), FREE, **NUMBERS
    ),
}


@in_one_test
@pytest.mark.parametrize("reason", REFUSED)
def test_what_does_not_follow_is_refused_with_the_reason(reason: str) -> None:
    with pytest.raises(CertificateError, match=reason.strip()):
        REFUSED[reason]()


def test_what_does_follow_is_accepted() -> None:
    _made(TOWARDS_POSITIVE, RISE, Instance("own", "", HERE | {t: t}))
    _carried(BALANCED, BOUNDED)
    _carried(BALANCED, LIMIT)
    _carried(EXCHANGED, BOUNDED)
    _lost(BALANCED, FREE, **NUMBERS)
