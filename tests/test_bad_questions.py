"""What is wrong about a question on intervals, comparisons and plans is said in one line, in Python and in a shell."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from effort import in_one_test

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.query.order import Order
from symmetrics.tools.arguments import advising
from symmetrics.tools.errors import DefinitionError, FormulaError, SymmetricsError

TRUE, FIRST, SECOND = [1, 1, 0, 0, 1, 0], [1, 0, 0, 1, 1, 0], [1, 1, 0, 0, 1, 1]
TABLE, MATRIX = (4, 1, 3, 12), [[5, 1, 0], [2, 6, 1], [0, 1, 4]]
RATES = {"prior": 0.1, "tpr": 0.8, "tnr": 0.9}

ASKING: dict[str, Callable[..., Any]] = {
    "interval": lambda **asked: sm.metrics["mcc"].interval(*TABLE, **asked),
    "interval_from_confusion": lambda **asked: sm.metrics["mcc"].interval_from_confusion(MATRIX, **asked),
    "interval_from_labels": lambda **asked: sm.metrics["mcc"].interval_from_labels(TRUE, FIRST, **asked),
    "interval of matrices": lambda **asked: sm.multiclass["kappa"].interval(MATRIX, **asked),
    "score": lambda **asked: sm.score(TRUE, FIRST, "mcc", interval=asked),
    "report": lambda **asked: sm.report(TRUE, FIRST, "mcc", interval=asked),
    "compare": lambda **asked: sm.compare(TRUE, FIRST, SECOND, "mcc", **asked),
    "compare_counts": lambda **asked: sm.compare_counts(TABLE, (5, 1, 3, 11), "mcc", **asked),
}
WRONG: dict[str, list[Any]] = {
    "level": [0, 1, -1, 1.5, math.nan, math.inf, "0.9", None, True, [0.9]],
    "method": ["wald", "", None, 3, ["delta"], "exact", "jeffreys", "midp"],
    "sampling": ["poisson", "", None, 1],
    "draws": [0, -1, 5, 99, 1e4, "1000", None, True],
    "prior": [0, -1, math.nan, math.inf, "x", None],
    "seed": [-1, 1.5, "x", None, True],
}


def refusal(call: Callable[..., object], *given: Any, **settings: Any) -> str:
    """Return the message with which a call is refused, which is one line."""
    with pytest.raises(SymmetricsError) as caught:
        call(*given, **settings)
    message = str(caught.value)
    assert message
    assert "\n" not in message
    assert len(message) < 300
    return message


FRAME = pd.DataFrame({"t": [1, 0], "p": [1, 1]})


@cache
def two_in_order() -> Order:
    return sm.order(["f1", "jaccard"], processes=1)


@in_one_test
@pytest.mark.parametrize("asking", ASKING)
def test_every_wrong_setting_is_refused_by_its_name(asking: str) -> None:
    for name, values in WRONG.items():
        for value in values:
            message = refusal(ASKING[asking], **{name: value})
            assert f"{name}=" in message, (name, value, message)
            assert "pass " in message, (name, value, message)


@in_one_test
@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ((-1, 1, 1, 1), "tp"),
        ((1, math.nan, 1, 1), "fn"),
        ((1, 1, math.inf, 1), "fp"),
        ((1, 1, 1, "a"), "tn"),
        (([1, 2], [1, 2, 3], 1, 1), "broadcast"),
    ],
)
def test_counts_that_are_none_are_refused(counts: Any, told: str) -> None:
    assert told in refusal(sm.metrics["mcc"].interval, *counts)
    assert refusal(sm.compare_counts, counts, TABLE)


@in_one_test
@pytest.mark.parametrize("weight", [[-1, 1, 1, 1, 1, 1], [math.nan] * 6, [1] * 5, [0] * 6, ["a"] * 6])
def test_weights_that_are_none_are_refused(weight: Any) -> None:
    for call in (
        lambda: sm.metrics["mcc"].interval_from_labels(TRUE, FIRST, sample_weight=weight),
        lambda: sm.score(TRUE, FIRST, "mcc", interval=True, sample_weight=weight),
        lambda: sm.report(TRUE, FIRST, "mcc", interval=True, sample_weight=weight),
        lambda: sm.compare(TRUE, FIRST, SECOND, "mcc", sample_weight=weight),
    ):
        assert "sample_weight" in refusal(call)


@in_one_test
@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: sm.compare([0, 0], [0, 0], [0, 1], "precision"), "precision has no value for the first, at (TP, FN,"),
        (lambda: sm.compare_counts(TABLE, (0, 0, 3, 4), "tpr"), "tpr has no value for the second, at (TP, FN, FP, TN)"),
        (lambda: sm.compare([1, 0], [0, 1], [0, 1], "f1", ratio=True), "f1 is 0 and 0, which have no ratio"),
        (lambda: sm.compare_counts(TABLE, [[1, 2], 1, 1, 1]), "table_b=[[1, 2], 1, 1, 1] is no table; pass four"),
        (lambda: sm.compare_counts([[3, 1], [1, 3]], [[3, 1], [1, 3]]), "averaged, as in average='macro', or take"),
        (lambda: sm.compare_counts(TABLE, np.zeros((4, 0))), "is no table; pass four counts"),
        (lambda: sm.plan(sm.multiclass["mcc"], prior=0.1, tpr=0.8, tnr=0.9, width=0.1), "mcc is a metric of matrices"),
        (lambda: sm.compare(TRUE, FIRST, SECOND, "f1", average=None), "average=None is no average over classes"),
        (lambda: sm.compare([1, 1], [1, 1], [1, 1], "f1", average="macro"), "all labels are 1, so that nothing can be"),
        (lambda: sm.compare(TRUE, FIRST, SECOND, "f1", average="macro", method="bayes"), "by 'delta' or 'bootstrap'"),
        (lambda: sm.compare([1, 2, 3], [1, 2, 3], [1, 1, 2], "f1", average="macro", labels=[1, 2]), "name every class"),
        (lambda: sm.compare(TRUE, FIRST, SECOND, sm.multiclass["mcc"], average="micro"), "mcc is no mean over classes"),
        (lambda: sm.compare_counts(TABLE, TABLE, "f1", average="macro"), "table_a has the shape (4,), table_b has the"),
        (lambda: sm.compare_counts([[1, 0], [0, 0]], [[1, 2], [3, 4]], "f1", average="macro"), "table_a has a single"),
        (lambda: sm.score(TRUE, FIRST, ["f1"], by=["a"]), "by= names columns of a data frame; pass one, with truth="),
        (lambda: sm.score(FRAME, ["f1"], truth="t", prediction="p"), "pass metrics by name, metrics=[...]; what comes"),
        (lambda: sm.relevance.prevalence([0, 1, 2]), "class 0 has no examples, and relevance is inversely"),
        (lambda: sm.prove("f1"), "prove: missing a required argument: 'property'; write prove(metric, property)"),
        (lambda: sm.possible(["p2"]), "name properties as in possible(require=['p1', 'monotone'], forbid=['p2'])"),
        (lambda: sm.possible(p2=True), "unexpected keyword argument 'p2'; name properties as in possible(require="),
        (lambda: sm.roc_auc(TRUE, FIRST, 1), "roc_auc: too many positional arguments; pass y_true, y_score and"),
        (lambda: two_in_order().status("f1", "jacard"), "unknown metric of the order 'jacard': did you mean jaccard?"),
        (lambda: two_in_order().chain("f2", "f1"), "unknown metric of the order 'f2': did you mean f1?"),
        (lambda: two_in_order().verdict("x", "f1"), "unknown metric of the order 'x': known are f1, jaccard"),
        (lambda: sm.compare(TRUE, FIRST, SECOND, "kapa"), "unknown metric 'kapa': did you mean kappa"),
        (lambda: sm.compare([1, 2, 3], [1, 2, 3], [1, 1, 1], "f1"), "hold 3 labels"),
        (lambda: sm.compare([], [], []), "y_true"),
        (lambda: sm.compare(TRUE, FIRST, SECOND, "f1", pos_label=7), "pos_label=7 is not among the labels"),
        (lambda: sm.compare(TRUE, FIRST, SECOND, "f1", method="exact"), "method='exact' is for a proportion"),
        (lambda: sm.compare(TRUE, FIRST, SECOND, "nonsense"), "unknown metric 'nonsense'"),
        (lambda: sm.metrics["mcc"].interval(*TABLE, method="exact"), "is for functions of one proportion, and mcc is"),
        (lambda: sm.metrics["mcc"].interval(*TABLE, method="wald"), "'wald' is unknown; pass one of auto, delta"),
        (lambda: sm.metrics["mcc"].interval(*TABLE, draws=5), "draws=5 is too little"),
        (lambda: sm.metrics["mcc"].interval_from_confusion(MATRIX, average=None), "average=None is no average"),
        (lambda: sm.metrics["mcc"].interval_from_confusion([[1, 2]]), "not (..., k, k)"),
        (lambda: sm.multiclass["kappa"].interval([[1, -2], [3, 4]]), "negative"),
        (lambda: sm.metrics["tpr"].interval(*TABLE, method="wilson"), "method='wilson' is called 'score' here"),
        (lambda: sm.metrics["mcc"].interval(*TABLE, method="Studentized"), "is called 'studentised' here"),
        (lambda: sm.metrics["mcc"].interval(*TABLE, sampling="wilson"), "sampling='wilson' is unknown; pass one of"),
        (lambda: sm.plots.confusion([[1, 2], [3]]), "C is not an array of counts; pass a number or rows"),
        (lambda: sm.plan("mcc", **RATES), "width="),
        (lambda: sm.plan("mcc", **RATES, width=0.1, method="exact"), "method='exact'"),
        (lambda: sm.plan("mcc", **RATES, width=0.1, level=1), "level=1"),
        (lambda: sm.plan("mcc", **RATES, against=(0.9, 0.9)), "power="),
        (lambda: sm.plan("mcc", **RATES, against=0.9, power=0.9), "against"),
        (lambda: sm.plan("mcc", **RATES, against=(0.9, 0.9), power=1), "power=1 is not between 0 and 1"),
    ],
)  # fmt: skip
def test_questions_without_an_answer_say_what_to_ask(call: Callable[[], object], told: str) -> None:
    assert told in refusal(call)


@in_one_test
@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: sm.plan("tpr", **RATES, against=(0.7, 0.8), power=0.8, level="x"), "level='x' is no level"),
        (lambda: sm.plan_design("tpr", **RATES, against=(0.7, 0.8), power=0.8, level=None), "level=None is no level"),
        (lambda: sm.score(TRUE, FIRST, 5), "5 is not a metric"),
        (lambda: sm.score(5, FIRST), "y_true is 5; pass a list"),
        (lambda: sm.score(TRUE, FIRST, avarage="macro"), "score has no setting 'avarage'; those of metrics are labels"),
        (lambda: sm.report(TRUE, FIRST, positive=1), "report has no setting 'positive'; a report has a line for each"),
        (lambda: sm.report(TRUE, FIRST, pos_label=1), "symmetrics.score takes pos_label, for one of two"),
        (lambda: sm.report(TRUE, FIRST, output_dict=True), "report(...).to_dict() is the dictionary"),
        (lambda: sm.report(TRUE, FIRST, avarages=["micro"]), "no setting 'avarages'; did you mean averages?"),
        (lambda: sm.counts(TRUE, "y", "p", pos_label=1), "counts has no setting 'pos_label'; pass positive"),
        (lambda: sm.counts(y_true=TRUE, y_pred=FIRST), "'y_true'; truth= is the name of the column of true labels"),
        (lambda: sm.counts(TRUE, "y", "p", bi="g"), "counts has no setting 'bi'; did you mean by?"),
        (lambda: sm.metrics["f_beta"](TRUE, FIRST, beta=2), "it is a parameter of the formula, which is set before"),
        (lambda: sm.metrics["f1"](TRUE, FIRST, beta=2), "f1 has no setting 'beta'; they are y_true, y_pred, labels"),
        (lambda: sm.metrics["f1"](TRUE, FIRST, positive=1), "f1 has no setting 'positive'; pass pos_label"),
        (lambda: sm.metrics["f1"](TRUE, FIRST, weights=TRUE), "f1 has no setting 'weights'; pass sample_weight, one"),
        (lambda: sm.multiclass["mcc"](TRUE, FIRST, pos_label=1), "no class of a matrix is the positive one"),
        (lambda: sm.multiclass["f_of_means"](TRUE, FIRST, beta=2), "metric.at(beta=...)(y_true, y_pred)"),
        (lambda: sm.prove("p1", "mcc"), "in Python prove('mcc', 'p1')"),
        (lambda: sm.score(TRUE, FIRST, {}), "metrics is empty; name one or more"),
        (lambda: sm.report(TRUE, FIRST, 5), "5 is not a metric"),
        (lambda: sm.report(None, FIRST), "y_true is None; pass a list"),
        (lambda: sm.report(TRUE, FIRST, averages="macro"), "averages='macro' is no list of averages; pass one"),
        (lambda: sm.report(TRUE, FIRST, averages=5), "averages=5 is no list"),
        (lambda: sm.Panel(5), "5 is not a metric"),
        (lambda: sm.Panel(["f1", None]), "None is not a metric"),
        (lambda: sm.Panel([sm.multiclass["mcc"]]), "mcc is a metric of matrices"),
        (lambda: sm.ConfusionMatrix.of(TRUE, FIRST, labels=1), "labels=1 is not a list of labels"),
        (lambda: sm.ConfusionMatrix("01"), "labels='01' is not a list of labels"),
        (lambda: sm.top_k_accuracy(TRUE, [[0.1, 0.9]] * 6, labels=1), "labels=1 is not a list of labels"),
        (lambda: sm.curves.delong_test(5, [1, 2], [1, 2]), "y_true is 5; pass a list"),
        (lambda: sm.roc_curve(TRUE, range(6), method=["ties"]), "unknown method of a ROC curve"),
        (lambda: sm.roc_band(TRUE, range(6), method=["bootstrap"]), "method=['bootstrap'] is unknown"),
        (lambda: sm.curves.score_interval(TRUE, range(6), ["auc"]), "unknown measure of scores"),
        (lambda: sm.auc(TRUE, range(6), pos_label=np.array([0, 1])), "is not among the labels"),
        (lambda: sm.table(5), "5 is one metric, or none: pass a list"),
        (lambda: sm.table(sm.metrics["f1"]), "is one metric, or none: pass a list"),
        (lambda: sm.table(["f1"], 5), "5 is one property, or none: pass a list"),
        (lambda: sm.find("skew"), "it tells of actual_scaling, scaling; write actual_scaling=yes, actual_scaling=no"),
        (lambda: sm.compare("mcc", TRUE, FIRST, SECOND), "write compare(y_true, pred_a, pred_b, 'mcc')"),
        (lambda: sm.compare(sm.metrics["f1"], TRUE, FIRST, SECOND), "y_true='f1' is a metric, not labels; write"),
        (lambda: sm.order(5), "pass a list"),
        (lambda: sm.possible(require=5), "5 is no list of keys; give one"),
        (lambda: sm.relate("f1", "mcc", "same"), "unknown relation of two metrics 'same': known are affine,"),
        (lambda: sm.check_relation(5), "check_relation takes a verdict, not int"),
        (lambda: sm.operating.on_curve("f1", 0.1, 0.8, 0.3), "'f1' is not a metric: pass a Metric"),
        (lambda: sm.operating.expected_cost(0.1, 0.8, 0.3, {"fn": 1}), "costs={'fn': 1} is no Costs; pass Costs"),
        (lambda: sm.operating.threshold(5), "costs=5 is no Costs; pass Costs"),
        (lambda: sm.priors.prior_limit("f1"), "'f1' is not a metric: pass a Metric"),
        (lambda: sm.priors.at_prior("f1", "1/2"), "'f1' is not a metric: pass a Metric"),
        (lambda: sm.discrimination.discrimination([2, 2], workers="a"), "workers='a' is no number of processes"),
        (lambda: sm.discrimination.discrimination([2, 2], hours="a"), "hours='a' is not a number"),
        (lambda: sm.discrimination.discrimination([2, 2], "f1"), "measures='f1' is no list; pass one"),
        (lambda: sm.metrics["f1"].interval_from_labels(TRUE, FIRST, levl=0.9), "an interval has no setting 'levl'"),
        (lambda: sm.multiclass["mcc"].interval_from_labels(TRUE, FIRST, levl=0.9), "an interval has no setting 'levl'"),
        (lambda: sm.compare_over_datasets([[1, 2], [3, 4]], greater_is_better=None), "better=None is neither"),
        (lambda: sm.compare_over_datasets([[1, 2], [3, 4]], "ab"), "classifiers='ab' is no list of names"),
        (lambda: sm.atlas(5), "folder=5 is no path"),
        (lambda: sm.roc_curve(TRUE, range(6), method=Path("ties")), "unknown method of a ROC curve"),
        (lambda: sm.roc_band(TRUE, range(6), method=Path("simultaneous")), "is unknown for bands"),
        (lambda: sm.compare_over_datasets([[1, 2], [3, 4]], greater_is_better=np.ones(2)), "is neither True nor False"),
        (lambda: sm.compare_over_datasets([[1, 2], [3, 4]], 5), "classifiers=5 is no list of names"),
    ],
)  # fmt: skip
def test_arguments_of_another_kind_are_refused_by_their_name(call: Callable[[], object], told: str) -> None:
    assert told in refusal(call)


def test_numbers_beyond_float64_are_refused_by_their_name() -> None:
    huge = 10**400
    for name in RATES:
        assert f"{name}=1" in refusal(sm.plan, "mcc", **{**RATES, name: huge}, width=0.2)
    assert "width=1" in refusal(sm.plan, "mcc", **RATES, width=huge)
    assert "fpr=[1" in refusal(sm.roc_band, TRUE, range(6), fpr=[huge])
    assert "fpr=1" in refusal(sm.operating.expected_cost, huge, 0.5, 0.5, sm.operating.Costs())
    assert "tpr" in refusal(sm.curves.h_from_rates, huge, 0.5, 0.5)
    assert "scores_a=[1" in refusal(sm.compare_folds, [huge, 1], [1, 2], test_share=0.5)
    assert "scores" in refusal(sm.compare_over_datasets, [[huge, 1], [2, 3]])
    assert "zero_division=1" in refusal(sm.metrics["f1"].from_counts, 0, 0, 0, 1, zero_division=huge)
    assert sm.prove("f1", "p1", seconds=huge).status == "refuted"


@pytest.mark.parametrize(
    ("field", "value"), [("title", 5), ("aliases", "x"), ("aliases", [5]), ("range", 5), ("greater_is_better", "no")]
)
def test_facts_about_a_metric_are_of_their_kind(field: str, value: object) -> None:
    with pytest.raises(DefinitionError, match=f"metric mine: {field}=.* is not "):
        sm.Metric("mine", sm.TP, **{field: value})


def test_names_of_a_formula_are_texts() -> None:
    for names in ([5], 5, [None]):
        with pytest.raises(FormulaError, match="is not a list of names; pass texts"):
            sm.parse_formula("TP/w", names)


def test_what_does_not_matter_is_a_positive_difference() -> None:
    for same in (0, -0.1, math.nan, math.inf, True, "x", [0.1]):
        assert "is no difference; pass a number that is positive" in refusal(
            sm.compare, TRUE, FIRST, SECOND, "f1", same=same
        )


def test_rates_and_widths_of_plans_are_numbers_in_their_range() -> None:
    for name in RATES:
        for value in (0, 1, -0.5, math.nan, "x", None):
            assert name in refusal(sm.plan, "mcc", **{**RATES, name: value}, width=0.2)
    for width in (0, -1, math.nan, math.inf, "x"):
        assert "width" in refusal(sm.plan, "mcc", **RATES, width=width)


def test_a_ratio_is_called_a_ratio() -> None:
    found = repr(sm.compare(TRUE * 9, FIRST * 9, SECOND * 9, "f1", ratio=True))
    assert "0.6667 and 0.8571, ratio 1.286" in found
    assert "interval of the ratio" in found
    assert "difference" not in found


# -- the command line --------------------------------------------------------------------------------------------------

SCORE = ("score", "a.csv", "--truth", "y", "--prediction", "p")
COMPARE = ("compare", "a.csv", "--truth", "y", "--prediction", "p", "--other", "q")
PLAN = ("plan", "mcc", "--prior", "0.1", "--tpr", "0.8", "--tnr", "0.9")
LINES: list[tuple[tuple[str, ...], str]] = [
    *(
        ((*command, "--level", level), told)
        for command in ((*SCORE, "--interval"), COMPARE, (*PLAN, "--width", "0.2"))
        for level, told in {
            "0": "level=0.0 is no level; pass a number between 0 and 1, such as 0.95",
            "1": "level=1.0 is no level",
            "-1": "level=-1.0 is no level",
            "nan": "level=nan is no level",
            "": "argument --level: '' is not a number; write one such as 0.95",
            "95%": "argument --level: '95%' is not a number",
        }.items()
    ),
    ((*SCORE, "--interval", "--method", "wald"), "method='wald' is unknown; pass one of auto, delta"),
    ((*SCORE, "--interval", "--method", "exact", "--metrics", "mcc"), "no interval: method='exact' is for functions"),
    ((*SCORE, "--interval", "--sampling", "poisson"), "sampling='poisson' is unknown; pass one of multinomial"),
    ((*SCORE, "--interval", "--seed", "-1"), "seed=-1 is too little; pass a whole number, 0 or more"),
    ((*SCORE, "--interval", "--seed", "1.5"), "argument --seed: '1.5' is not a whole number"),
    *(((*SCORE, f"--{o}", "1"), f"--{o} is of intervals; add --interval") for o in ("level", "method", "seed")),
    ((*SCORE, "--sampling", "binomial"), "--sampling is of intervals; add --interval"),
    ((*SCORE, "--interval", "0.9"), "unrecognized arguments: 0.9"),
    ((*SCORE, "--average", "mean"), "argument --average: invalid choice: 'mean'"),
    ((*SCORE, "--average", "macro", "--positive", "1"), "--positive is for one class, and --average for all of them"),
    ((*SCORE, "--average", "macro", "--score", "s"), "--score is for one class, and --average for all of them"),
    ((*SCORE, "--average", "macro", "--metrics", "auc"), "auc is computed from scores of one class"),
    ((*COMPARE, "--metrics", "kapa"), "unknown metric 'kapa': did you mean kappa"),
    (("compare", "none.csv", *COMPARE[2:], "--metrics", "recall"), "recall has no value for the first, at (TP"),
    (PLAN, "pass --width, for an interval, or --against TPR,TNR with --power, for a comparison"),
    ((*PLAN, "--width", "0"), "width=0.0"),
    ((*PLAN, "--width", "wide"), "argument --width: 'wide' is not a number"),
    ((*PLAN, "--against", "0.9"), "--against=0.9 is not two rates; write TPR,TNR"),
    ((*PLAN, "--against", "0.9,0.9", "--power", "1"), "power=1.0 is not between 0 and 1"),
    ((*PLAN, "--against", "0.8,0.9", "--power", "0.9"), "is the same for both classifiers"),
    ((*PLAN, "--width", "0.1", "--param", "w = 1/2"), "metric mcc: no parameter 'w'; its parameters are: none"),
    (("plan", "w*TP/(TP+FN)", *PLAN[2:], "--width", "0.1"), "unknown name 'w'"),
    (("plan", "mcc", "--prior", "2", *PLAN[4:], "--width", "0.1"), "prior=2.0 is not between 0 and 1"),
]  # fmt: skip


@in_one_test
@pytest.mark.parametrize(("arguments", "told"), LINES)
def test_the_command_line_answers_in_one_line_with_exit_status_2(
    arguments: tuple[str, ...],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = (f"{i % 2},{i // 2 % 2},{i // 3 % 2},{i}" for i in range(40))
    Path("a.csv").write_text("\n".join(["y,p,q,s", *rows]), encoding="utf-8")
    Path("none.csv").write_text("y,p,q\n0,0,0\n0,1,0\n0,0,1\n", encoding="utf-8")
    Path("one.csv").write_text("y,p\n0,0\n0,0\n", encoding="utf-8")
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("symmetrics: error: ")
    assert printed.err.count("\n") == 1
    assert told in printed.err


def test_a_plan_takes_formulas_with_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("w*TP/(TP+FN) + (1-w)*TN/(TN+FP)", *PLAN[2:], "--width", "0.2", "--param")
    assert main(("plan", *arguments, "w in [0,1] = 3/4")) == 0
    assert capsys.readouterr().out.strip() == repr(sm.plan(sm.metrics["cwa"], **RATES, width=0.2))


AS_ELSEWHERE: dict[str, tuple[Callable[[], object], str]] = {
    "a curve of labels": (lambda: sm.plots.roc(TRUE, [0.9, 0.4, 0.1, 0.6, 0.7, 0.2]), "roc_curve(y_true, y_score)"),
    "counts of labels": (lambda: sm.counts(TRUE, FIRST), "ConfusionMatrix.of(y_true, y_pred)"),
    "counts of lists of columns": (lambda: sm.counts(pd.DataFrame({"y": TRUE}), ["y"], ["y"]), "pass one name"),
    "a score of columns": (lambda: sm.score(pd.DataFrame({"y": TRUE}), "y", "y", "f1"), "truth='y'"),
    "an interval of labels": (lambda: sm.metrics["f1"].interval(TRUE, FIRST), "interval_from_labels(y_true, y_pred)"),
    "an interval of a matrix": (lambda: sm.metrics["f1"].interval([[3, 1], [1, 3]]), "interval_from_confusion(C)"),
    "a level": (lambda: sm.metrics["f1"].interval(*TABLE, 0.9), "level=0.9"),
    "a level for labels": (lambda: sm.metrics["f1"].interval_from_labels(TRUE, FIRST, 0.9), "level=0.9"),
    "an interval of labels of many classes": (
        lambda: sm.multiclass["mcc"].interval(TRUE, FIRST),
        "interval_from_labels(y_true, y_pred)",
    ),
    "a level for labels of many classes": (
        lambda: sm.multiclass["mcc"].interval_from_labels(TRUE, FIRST, 0.9),
        "level=0.9",
    ),
    "a call with a matrix": (lambda: sm.metrics["f1"]([[3, 1], [1, 3]]), "f1: missing a required argument: 'y_pred'"),
    "a call with a matrix of many classes": (lambda: sm.multiclass["mcc"](MATRIX), "goes to from_confusion"),
    "names of cells": (lambda: sm.metrics["f1"].from_counts(TP=4, FN=1, FP=3, TN=12), "pass TP, FN, FP and TN"),
    "a matrix of labels": (lambda: sm.metrics["f1"].from_confusion(TRUE, FIRST), "metric(y_true, y_pred)"),
    "a matrix of labels of many classes": (
        lambda: sm.multiclass["mcc"].from_confusion(TRUE, FIRST),
        "metric(y_true, y_pred)",
    ),
    "a comparison with the truth alone": (lambda: sm.compare(TRUE, FIRST), "compare(y_true, pred_a, pred_b, metric)"),
    "a comparison of one table": (lambda: sm.compare_counts(TABLE), "compare_counts((TP, FN, FP, TN), "),
    "a comparison of folds of unknown size": (lambda: sm.compare_folds([0.7, 0.8], [0.8, 0.9]), "test_share=0.1"),
    "a confusion matrix of labels": (lambda: sm.ConfusionMatrix(TRUE, FIRST), "ConfusionMatrix: too many positional"),
    "a number of places": (lambda: sm.curves.top_k_accuracy([0, 1], [[0.5, 0.5]] * 2, 2), "as in k=2"),
    "a plan without names": (lambda: sm.plan("f1", 0.1, 0.8, 0.9), "prior=0.1"),
    "a design without names": (lambda: sm.plan_design("f1", 0.1, 0.8, 0.9), "prior=0.1"),
}


@in_one_test
@pytest.mark.parametrize("asked", AS_ELSEWHERE)
def test_what_is_called_as_functions_are_elsewhere_says_what_to_pass(asked: str) -> None:
    call, advice = AS_ELSEWHERE[asked]
    assert advice in refusal(call)


def test_errors_within_calls_and_settings_of_scorers() -> None:
    # An error within a call is not taken for one of its arguments.
    @advising("pass nothing")
    def mistaken(given: object) -> object:
        return 1 + given  # type: ignore[operator]

    with pytest.raises(TypeError, match="unsupported operand") as caught:
        mistaken("one")
    assert not isinstance(caught.value, SymmetricsError)
    # A setting that no scorer has is refused at once. In cross-validation each fold would fail with a warning, and
    # the scores would all be nan.
    pytest.importorskip("sklearn")
    assert "f1 has no setting 'avarage'; they are labels" in refusal(sm.metrics["f1"].scorer, avarage="macro")
    assert "mcc has no setting 'pos_label'" in refusal(sm.multiclass["mcc"].scorer, pos_label=1)
    assert "better='yes' is neither True nor False" in refusal(sm.metrics["f1"].scorer, greater_is_better="yes")
    assert sm.metrics["f1"].scorer(average="macro", response_method="predict")
