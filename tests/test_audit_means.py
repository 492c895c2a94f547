"""Can reported means be true: inequalities, exact sums and examples against means of tables drawn at random."""

from __future__ import annotations

import itertools
import random
import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import is_thorough
from scipy.optimize import linprog
from sympy import Add, Rational

import symmetrics as sm
from symmetrics.auditing.hulls import Plane
from symmetrics.auditing.means import Parts, have_means, searched_means
from symmetrics.auditing.search import Score, Sizes
from symmetrics.auditing.separations import Separation
from symmetrics.auditing.sums import affine, solution
from symmetrics.cli import main
from symmetrics.query.relations import relate
from symmetrics.rocq.judge.judging import judge
from symmetrics.rocq.theories.theory import Sentence, relation_theories
from symmetrics.tools.errors import CertificateError, InputError

NAMES = (
    *("accuracy", "tpr", "tnr", "precision", "npv", "f1", "f2", "jaccard"),
    *("balanced_accuracy", "kappa", "mcc", "gmean", "fowlkes_mallows", "markedness"),
)


def printed(value: Any, digits: int, is_rounded: bool) -> str:
    """A number with some digits, rounded or truncated."""
    scaled = value * 10**digits
    whole = int((scaled + Rational(1, 2)) // 1) if is_rounded else int(scaled.evalf(30))
    return f"{'-' if whole < 0 else ''}{abs(whole) // 10**digits}.{abs(whole) % 10**digits:0{digits}d}"


def drawn_folds(drawn: random.Random, names: list[str]) -> list[tuple[int, int, int, int]]:
    """Two to eight tables at which all scores are defined."""
    folds: list[tuple[int, int, int, int]] = []
    count = drawn.randint(2, 8)
    while len(folds) < count:
        positives, negatives = drawn.randint(1, 30), drawn.randint(1, 60)
        tp, tn = (sum(drawn.random() < drawn.uniform(0.4, 1) for _ in range(size)) for size in (positives, negatives))
        table = (tp, positives - tp, negatives - tn, tn)
        if all(sm.metrics[name].exact(*table).is_finite for name in names):
            folds.append(table)
    return folds


def drawn_means(seed: int) -> tuple[dict[str, str], list[tuple[int, int, int, int]], random.Random]:
    """Printed means of two to four metrics, and the tables that they are of."""
    drawn = random.Random(seed)
    names = drawn.sample(NAMES, drawn.randint(2, 4))
    folds = drawn_folds(drawn, names)
    digits, is_rounded = drawn.randint(2, 4), drawn.random() < 0.5
    means = {name: Add(*(sm.metrics[name].exact(*fold) for fold in folds)) / len(folds) for name in names}
    return {name: printed(mean, digits, is_rounded) for name, mean in means.items()}, folds, drawn


def planted(scores: dict[str, str], drawn: random.Random) -> dict[str, str]:
    """The same with one mean changed by up to a half."""
    name = drawn.choice(list(scores))
    digits = len(scores[name].partition(".")[2])
    changed = Rational(scores[name]) + Rational(drawn.choice([-1, 1]) * drawn.randint(1, 10**digits // 2), 10**digits)
    return {**scores, name: printed(max(min(changed, Rational(1)), Rational(-1)), digits, True)}


def proof_of(found: sm.MeanAudit) -> Separation:
    assert found.proof is not None
    return found.proof


def example_of(found: sm.MeanAudit) -> tuple[tuple[int, int, int, int], ...]:
    assert found.example is not None
    return found.example


# -- means of tables drawn at random -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(300 if is_thorough() else 12))
def test_true_means_are_never_impossible(seed: int) -> None:
    scores, folds, _ = drawn_means(seed)
    sizes = [(tp + fn, fp + tn) for tp, fn, fp, tn in folds]
    for mean_of in ("any", len(folds), sizes):
        found = sm.audit(scores, mean_of=mean_of, seconds=20)
        assert found.status in ("possible", "open"), (scores, folds)
        if found.example is not None:
            assert_agrees(found, scores)


def assert_agrees(found: Any, scores: dict[str, str]) -> None:
    """The exact means of an example are as printed."""
    assert have_means(found.scores, found.example)
    for name, text in scores.items():
        mean = sum(float(sm.metrics[name].exact(*table)) for table in found.example) / len(example_of(found))
        unit = 10.0 ** -len(text.partition(".")[2])
        assert abs(mean - float(text)) <= unit + 1e-9


def tables_up_to(total: int) -> np.ndarray[Any, Any]:
    """All tables, and some with counts of very different size."""
    small = [table for table in itertools.product(range(total + 1), repeat=4) if 0 < sum(table) <= total]
    return np.array(small + [table for table in itertools.product((0, 1, 10, 1000, 10**6), repeat=4) if any(table)])


MANY = tables_up_to(16)


def is_beyond_all_tables(scores: dict[str, str]) -> bool:
    """Whether a linear programme finds no weights of many tables with these means: by the weights, not the plane."""
    values = np.stack([np.asarray(sm.metrics[name].from_counts(MANY.astype(float))) for name in scores], axis=1)
    values = np.unique(values[np.isfinite(values).all(axis=1)].round(9), axis=0)
    ends = [sm.Reported.of(text) for text in scores.values()]
    # The least t such that the means of weighted tables are at most t beyond the ends.
    least = linprog(
        [*np.zeros(len(values)), 1],
        A_ub=np.hstack([np.vstack([-values.T, values.T]), -np.ones((2 * len(ends), 1))]),
        b_ub=[*(-float(end.low) for end in ends), *(float(end.high) for end in ends)],
        A_eq=[[*np.ones(len(values)), 0]],
        b_eq=[1],
        bounds=[*[(0, None)] * len(values), (None, None)],
    )
    return bool(least.fun > 1e-6)


@pytest.mark.parametrize("seeds", [range(start, start + 30) for start in range(0, 300 if is_thorough() else 30, 30)])
def test_impossible_means_are_refuted_by_proved_inequalities(seeds: range) -> None:
    refutable = proved = 0
    for seed in seeds:
        scores, _, drawn = drawn_means(seed)
        wrong = planted(scores, drawn)
        is_refutable = is_beyond_all_tables(wrong)
        refutable += is_refutable
        if is_refutable:
            found = sm.audit(wrong, mean_of="any", seconds=10)
            assert found.status != "possible"
            if found.status == "impossible":
                proof_of(found).check()
                proved += 1
    assert proved * 3 >= refutable * 2 > 0


@pytest.mark.skipif(shutil.which("coqc") is None, reason="no coqc: apt-get install coq")
def test_the_kernel_accepts_the_inequalities_between_rational_scores(prelude: Path) -> None:
    sentences = []
    for seed in range(300 if is_thorough() else 40):
        scores, _, drawn = drawn_means(seed)
        wrong = planted(scores, drawn)
        if not {"mcc", "gmean", "fowlkes_mallows"} & set(wrong) and is_beyond_all_tables(wrong):
            found = sm.audit(wrong, mean_of="any", seconds=10)
            if found.status == "impossible":
                verdict = proof_of(found).verdict
                assert verdict is not None
                sentences.append(Sentence(f"mean_{seed}", verdict))
    assert len(sentences) >= 3
    theories = relation_theories("means", "Means.", sentences, "0")
    judged = [judge(text, prelude) for text in theories.values()]
    assert not any(judgement.rejected for judgement in judged)
    assert sum(len(judgement.accepted) for judgement in judged) >= len(sentences)


# -- known sizes, by brute force ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(200 if is_thorough() else 25))
def test_known_sizes_against_all_combinations(seed: int) -> None:
    drawn = random.Random(seed)
    names = drawn.sample(("accuracy", "tpr", "tnr") if drawn.random() < 0.5 else NAMES, 2)
    sizes = [(drawn.randint(1, 4), drawn.randint(1, 5)) for _ in range(drawn.randint(2, 3))]
    scores = {name: f"{drawn.uniform(0.2, 1):.{drawn.randint(1, 3)}f}" for name in names}
    found = sm.audit(scores, mean_of=sizes)
    tables = [
        [(tp, positives - tp, negatives - tn, tn) for tp in range(positives + 1) for tn in range(negatives + 1)]
        for positives, negatives in sizes
    ]
    exact = {
        table: [sm.metrics[name].exact(*table) for name in names] for table in itertools.chain.from_iterable(tables)
    }
    kept = [[table for table in some if all(value.is_finite for value in exact[table])] for some in tables]
    read = found.scores

    def agrees(some: tuple[Any, ...]) -> bool:
        # floats decide unless an end is near
        for place, score in enumerate(read):
            mean = sum(float(exact[table][place]) for table in some) / len(some)
            low, high = float(score.reported.low), float(score.reported.high)
            if mean < low - 1e-9 or mean > high + 1e-9:
                return False
        return have_means(read, some)

    is_possible = any(agrees(some) for some in itertools.product(*kept))
    assert found.status == ("possible" if is_possible else found.status)
    if found.status != "open":
        assert found.status == ("possible" if is_possible else "impossible"), (scores, sizes)
    if set(names) <= {"accuracy", "tpr", "tnr"}:
        assert found.status != "open"
    if isinstance(found.proof, Separation):
        found.proof.check()


def test_whole_numbers_with_given_sums() -> None:
    """Against all points; with narrow ranges, so that solutions often lie at their ends."""
    drawn = random.Random(0)
    for _ in range(3000):
        ranges = [(low, low + drawn.randint(0, 3)) for low in (drawn.randint(-3, 3) for _ in range(3))]
        constraints = []
        for _ in range(2):
            coefficients = tuple(drawn.randint(-4, 4) for _ in ranges)
            least = drawn.randint(-20, 20)
            constraints.append((coefficients, least, least + drawn.randint(0, 2)))
        points = itertools.product(*(range(low, high + 1) for low, high in ranges))
        found = solution(ranges, constraints)
        assert (found is None) == (not any(satisfies(point, constraints) for point in points)), (ranges, constraints)
        assert found is None or satisfies(found, constraints)


def satisfies(point: Any, constraints: Any) -> bool:
    """Whether the weighted sums of a point lie between their ends."""
    sums = (sum(a * x for a, x in zip(row, point, strict=True)) for row, _, _ in constraints)
    return all(least <= value <= most for value, (_, least, most) in zip(sums, constraints, strict=True))


@pytest.mark.parametrize("name", list(sm.metrics)[:: 1 if is_thorough() else 9])
def test_what_is_affine_equals_the_metric_at_all_tables(name: str) -> None:
    metric = sm.metrics[name]
    for positives, negatives in ((5, 0), (0, 4), (3, 4)):
        found = affine(metric.value_formula, (positives, negatives))
        if found is not None:
            a, b, c = map(Rational, found)
            for tp, tn in itertools.product(range(positives + 1), range(negatives + 1)):
                assert metric.exact(tp, positives - tp, negatives - tn, tn) == a * tp + b * tn + c


def test_what_is_not_affine() -> None:
    assert affine(sm.metrics["f1"].value_formula, (5, 0)) is None
    assert affine(sm.metrics["tpr"].value_formula, (0, 5)) is None
    assert affine(sm.metrics["accuracy"].value_formula, (5, 0)) == (Fraction(1, 5), Fraction(0), Fraction(0))


@pytest.mark.parametrize("sizes", [[(30, 70)] * 2, [(2, 3)]])
def test_exact_values_decide_whether_means_agree(sizes: list[tuple[int, int]]) -> None:
    """What no float tells from 2/3."""
    assert sm.audit({"f1": Fraction(2, 3)}, mean_of=sizes).status == "possible"
    for beside in (Fraction(1, 10**17), Fraction(-1, 10**17)):
        assert sm.audit({"f1": Fraction(2, 3) + beside}, mean_of=sizes).status != "possible"


def test_no_inequality_is_used_where_zero_stands_for_undefined_scores() -> None:
    """Specificity is at most twice balanced accuracy, for which 0 may be printed where there are no positives."""
    scores = tuple(
        Score(name, sm.metrics[name], sm.Reported.of(text))
        for name, text in (("tnr", "1.00"), ("balanced_accuracy", "0.00"))
    )
    parts = Parts(None, None, Sizes((1, 1000), (0, 1000), (0, 1000)))
    assert searched_means(scores, parts, 10).status == "impossible"
    printed_zeros = tuple(replace(score, undefined_is_zero=True) for score in scores)
    assert searched_means(printed_zeros, parts, 10).status == "possible"


# -- what is said ------------------------------------------------------------------------------------------------------


def test_a_proof_that_does_not_hold_is_rejected() -> None:
    proof = proof_of(sm.audit({"precision": "0.50", "recall": "0.50", "f1": "0.90"}, mean_of="any"))
    proof.check()
    with pytest.raises(CertificateError, match="do not contradict"):
        replace(proof, bound=Fraction(2)).check()
    with pytest.raises(CertificateError):
        replace(proof, bound=proof.bound / 2).check()
    high = proof_of(sm.audit({"accuracy": "1.2"}, mean_of="any"))
    high.check()
    with pytest.raises(CertificateError, match="do not contradict"):  # 1.15 is what may be reported
        replace(high, bound=high.plane.least).check()
    refuted = relate("accuracy", Rational(1, 2), "less_equal")
    assert refuted.status == "refuted"
    with pytest.raises(CertificateError, match="not proved"):
        replace(high, bound=Fraction(1, 2), verdict=refuted).check()
    turned = replace(proof.plane, coefficients=tuple(-a for a in proof.plane.coefficients))
    with pytest.raises(CertificateError):
        replace(proof, plane=turned).check()
    sizes = ((3, 4),) * 2
    known = proof_of(sm.audit({"precision": "0.50", "recall": "0.50", "f1": "0.90"}, mean_of=sizes))
    known.check()
    with pytest.raises(CertificateError, match="does not hold"):
        replace(known, bound=Fraction(-1)).check()


def test_an_end_that_does_not_belong_to_an_interval_decides() -> None:
    """F1 is at least precision + recall - 1, which is 0.7 or more here, and what is printed as 0.6 is less than 0.7."""
    scores = {"precision": "0.9", "recall": "0.9", "f1": "0.6"}
    found = sm.audit(scores, mean_of="any")
    assert found.status == "impossible"
    proof_of(found).check()
    assert sm.audit({**scores, "f1": "≤ 0.85"}, mean_of="any").status == "possible"


@pytest.mark.parametrize(
    ("scores", "sizes", "status"),
    [
        ({"accuracy": "0.88"}, [(1, 4), (0, 2)], "impossible"),  # a class of one table is empty
        ({"jaccard": "< 1.0", "tnr": "1.00", "tpr": "1.00"}, [(1, 1)], "impossible"),  # four tables in all
        ({"TP/(3*TP+3*FN)": "> 0.333333333"}, [(3, 4)], "possible"),  # an end that is nearly attained
        ({"f1": Fraction(2, 3)}, [(30, 70)] * 2, "possible"),  # one value
        ({"accuracy": ">= .9"}, [(30, q) for q in range(1, 400)], "possible"),  # a large common denominator
        ({"recall": "0.53"}, [(0, 70)] * 3, "impossible"),  # undefined
    ],
)
def test_means_at_the_edges(scores: dict[str, Any], sizes: list[tuple[int, int]], status: str) -> None:
    found = sm.audit(scores, mean_of=sizes, rounding="nearest")
    assert found.status == status
    assert found.reason


def test_a_proof_is_about_tables_at_which_all_scores_are_defined() -> None:
    found = sm.audit({"jaccard": ">= 0.78", "npv": ">= 0.00"}, mean_of=[(4, 0)], rounding="nearest")
    proof_of(found).check()


@pytest.mark.parametrize("settings", [{"positives": 0}, {"positives": 7, "mean_of": 2}, {"negatives": 5}])
def test_examples_have_the_sizes_that_are_known(settings: dict[str, Any]) -> None:
    found = sm.audit({"accuracy": "0.9", "recall": ">= 0.1"}, **({"mean_of": "any"} | settings))
    if found.example is not None:
        positives = sum(tp + fn for tp, fn, _, _ in found.example)
        negatives = sum(fp + tn for _, _, fp, tn in found.example)
        assert positives == settings.get("positives", positives)
        assert negatives == settings.get("negatives", negatives)


def test_possible_as_a_mean_but_not_as_one_table() -> None:
    scores = {"precision": "0.80", "recall": "0.80", "f1": "0.70"}
    assert "the scores are means over several tables, such as folds" in sm.audit(scores, n=1000).readings
    found = sm.audit(scores, mean_of=10)
    assert found.status == "possible"
    assert len(example_of(found)) == 10
    pooled = sm.audit({"accuracy": "0.90", "tpr": "0.50", "tnr": "1.00"}, mean_of=[(20, 80)] * 2)
    assert pooled.status == "possible"
    uneven = sm.audit({"accuracy": "0.900", "tpr": "0.500", "tnr": "1.000"}, mean_of=[(2, 38), (18, 42)])
    assert uneven.status == "impossible"
    assert "all scores are of one table, that of the counts added up" in uneven.readings


def test_sizes_of_all_tables_together() -> None:
    found = sm.audit({"accuracy": "0.912", "f1": "0.834"}, mean_of=5, n=500, positives=150)
    assert found.status == "possible"
    assert len(example_of(found)) == 5
    assert sum(sum(table) for table in example_of(found)) == 500
    assert sum(tp + fn for tp, fn, _, _ in example_of(found)) == 150


def test_means_of_the_rows_of_a_file(tmp_path: Any, capsys: Any) -> None:
    path = tmp_path / "results.csv"
    path.write_text("system,precision,recall,f1\nA,0.80,0.80,0.70\nB,0.50,0.50,0.90\n")
    assert main(["audit", str(path), "--mean-of", "any"]) == 1
    told = capsys.readouterr().out
    assert "A  possible" in told
    assert "B  impossible" in told
    assert "for every table" in told
    assert main(["audit", "accuracy=.9", "f1=.8", "--mean-of", "2*3:7, 4:6"]) == 0
    assert "over 3 tables of known sizes" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"mean_of": 0}, "no number of tables from 1"),
        ({"mean_of": True}, "no sizes of tables"),
        ({"mean_of": "ten"}, "unknown"),
        ({"mean_of": []}, "no sizes of tables"),
        ({"mean_of": [3, 4]}, "no pair of positives and negatives"),
        ({"mean_of": [(3, -4)]}, "negatives=-4"),
        ({"mean_of": [(0, 0)]}, "both 0"),
        ({"mean_of": [(3, 4)], "n": 8}, "leave it out"),
        ({"mean_of": 10, "n": 5}, "more than n=5"),
        ({"mean_of": 10**6}, "no number of tables"),
    ],
)
def test_bad_input_is_named(settings: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        sm.audit({"accuracy": "0.9"}, **settings)


def test_a_plane_is_written_with_what_is_added_first() -> None:
    scores = tuple(Score(name, sm.metrics[name], sm.Reported.of("0.9")) for name in ("precision", "f1"))
    plane = Plane((Fraction(-1, 2), Fraction(1)), 0.5, Fraction(3, 5), 1e-9)
    assert str(Separation(plane, Fraction(1, 2), None, scores, ((1, 1),))).startswith("f1 - 1/2 precision <= 1/2")
