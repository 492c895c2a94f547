"""The library against an oracle, scikit-learn, hand arithmetic and what each record says of itself."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, Final

import mpmath
import pytest
from effort import in_one_test, some
from oracle import ORACLE
from shared import sections_of
from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, S, Symbol, log

from symmetrics.language.names import CELL_NAMES
from symmetrics.library import REFERENCES, metrics
from symmetrics.metric import Metric
from symmetrics.tools.errors import UnknownNameError

GARCIA: Final = {
    *("tpr", "tnr", "precision", "accuracy", "gmean", "auc_single", "f1"),
    *("optimized_precision", "iba_gmean", "kappa", "agm", "cwa", "wauc"),
}
DEFAULTS: Final = {
    "iba_gmean": {"alpha": "1/20"},
    "cwa": {"w": "3/4"},
    "wauc": {"rho": "1/10"},
    "f_beta": {"beta": "1"},
    "weighted_accuracy": {"w1": "1", "w2": "1", "w3": "1", "w4": "1"},
}
DIGITS: Final = 50
TOLERANCE: Final = 1e-12

SMALL_TABLES: Final = tuple(product(range(1, 7), repeat=4))
_random = random.Random(20121)
RANDOM_TABLES: Final = tuple(tuple(_random.randint(1, 400) for _ in range(4)) for _ in range(200))
every_metric = pytest.mark.parametrize("metric", metrics.values(), ids=lambda metric: metric.name)
every_ranged_metric = pytest.mark.parametrize(
    "metric", [metric for metric in metrics.values() if metric.range is not None], ids=lambda metric: metric.name
)


def source(node: Expr) -> str:
    """Write an expression as Python; every operand of every operator stands in parentheses."""
    parts = [source(argument) for argument in node.args]
    match node:
        case Symbol():
            return node.name
        case Rational():
            return f"number({node.p}, {node.q})"
        case Add():
            return "(" + " + ".join(parts) + ")"
        case Mul():
            return "(" + " * ".join(parts) + ")"
        case Pow() if node.exp.is_Integer:
            return f"({parts[0]} ** ({node.exp}))"
        case Pow():
            return f"power({parts[0]}, {parts[1]})"
        case Abs() | Max() | Min() | log():
            return f"{type(node).__name__.lower()}({', '.join(parts)})"
    assert node is S.Pi, node
    return "pi"


@cache
def function_of(metric: Metric) -> tuple[Callable[..., Any], Callable[[int, int], Any]]:
    """Compile a metric's formula to exact fractions if it is rational, and to long floats if it is not."""
    irrational = metric.expr.has(log, S.Pi) or any(not power.exp.is_Integer for power in metric.expr.atoms(Pow))
    number = (lambda p, q: mpmath.mpf(p) / q) if irrational else Fraction
    known = {"number": number, "power": mpmath.power, "log": mpmath.log, "pi": mpmath.pi}
    names = ", ".join((*CELL_NAMES, *(parameter.name for parameter in metric.parameters)))
    with mpmath.workdps(DIGITS):
        return eval(f"lambda {names}: {source(metric.expr)}", known), number


def value(metric: Metric, table: tuple[Any, ...], **settings: Fraction) -> Any:
    function, number = function_of(metric)
    bound = {p.name: Fraction(str(p.default)) for p in metric.parameters} | settings
    with mpmath.workdps(DIGITS):
        exact = [Fraction(x) for x in (*table, *bound.values())]
        return function(*(number(x.numerator, x.denominator) for x in exact))


def settings_of(metric: Metric) -> list[dict[str, Fraction]]:
    """The defaults, and two settings inside the domains that differ between parameters."""
    inner = [
        {
            p.name: Fraction(start + place, 7) if p.upper.is_infinite else Fraction(start + place, 13)
            for place, p in enumerate(metric.parameters)
        }
        for start in (2, 9)
    ]
    return [{}, *inner] if metric.parameters else [{}]


@in_one_test
@pytest.mark.parametrize(
    ("alias", "name"),
    sections_of("known_answers.txt")["aliases of metrics"],
)
def test_alias(alias: str, name: str) -> None:
    assert metrics[alias] is metrics[name]


@pytest.mark.parametrize(("name", "defaults"), DEFAULTS.items())
def test_defaults_of_the_literature(name: str, defaults: dict[str, str]) -> None:
    assert {p.name: str(p.default) for p in metrics[name].parameters} == defaults


def test_every_record_is_complete() -> None:
    # There are enough metrics and the first thirteen.
    assert len(metrics) >= 118
    assert set(metrics) >= GARCIA
    # Names are lower snake case.
    for metric in metrics.values():
        for name in (metric.name, *metric.aliases, *(p.name for p in metric.parameters)):
            assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name), metric.name
    # Every citation resolves.
    for metric in metrics.values():
        assert metric.cites, f"{metric.name} cites nothing: name a key of symmetrics/library/references.py"
        for cite in metric.cites:
            assert cite.reference in REFERENCES, metric.name
            assert cite.locator, metric.name
    # The record is complete.
    for metric in metrics.values():
        assert metric.title != metric.name
        for parameter in metric.parameters:
            assert parameter.default in parameter, metric.name
    # A reference is called after the year in which it appeared.
    for reference in REFERENCES.values():
        years = {re.sub(r"\D", "", name) for name in (reference.name, *reference.aliases)}
        assert str(reference.year) in years, reference.name


@in_one_test
@every_ranged_metric
def test_range_holds(metric: Metric) -> None:
    with mpmath.workdps(DIGITS):
        lower, upper = (
            mpmath.mpf(str(bound.evalf(DIGITS)).replace("oo", "inf")) for bound in (metric.range.inf, metric.range.sup)
        )
        slack = mpmath.mpf(10) ** (10 - DIGITS)
        for settings in settings_of(metric):
            for table in some(SMALL_TABLES, 6, metric.name):
                found = mpmath.mpmathify(value(metric, table, **settings))
                assert lower - slack <= found <= upper + slack, (table, settings, found)


def test_no_two_records_are_one_function() -> None:
    generator = random.Random(1912)
    points = [([generator.randint(1, 99) for _ in range(4)], Fraction(generator.randint(1, 99), 100)) for _ in range(4)]
    seen: dict[tuple[str, ...], str] = {}
    for metric in metrics.values():
        signature = []
        for table, start in points:
            settings = {p.name: start / place for place, p in enumerate(metric.parameters, 1)}
            with mpmath.workdps(DIGITS):
                signature.append(mpmath.nstr(mpmath.mpmathify(value(metric, tuple(table), **settings)), 20))
        twin = seen.setdefault(tuple(signature), metric.name)
        assert twin == metric.name, f"{metric.name} and {twin} are the same function: make one an alias"


def test_every_metric_has_an_oracle() -> None:
    missing, unknown = metrics.keys() - ORACLE.keys(), ORACLE.keys() - metrics.keys()
    assert not missing | unknown, (
        f"tests/oracle.py lacks {sorted(missing)} and has {sorted(unknown)} beyond the library"
    )


@in_one_test
@every_metric
def test_agrees_with_the_oracle(metric: Metric) -> None:
    for settings in settings_of(metric):
        bound = {p.name: float(p.default) for p in metric.parameters} | {k: float(v) for k, v in settings.items()}
        for table in some((*SMALL_TABLES[::5], *RANDOM_TABLES), 12, metric.name):
            expected = ORACLE[metric.name](*table, **bound)
            assert float(value(metric, table, **settings)) == pytest.approx(expected, rel=TOLERANCE, abs=TOLERANCE), (
                table,
                settings,
            )


SCIKIT_LEARN: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "tpr": ("recall_score", {}),
    "tnr": ("recall_score", {"pos_label": 0}),
    "precision": ("precision_score", {}),
    "npv": ("precision_score", {"pos_label": 0}),
    "macro_precision": ("precision_score", {"average": "macro"}),
    "accuracy": ("accuracy_score", {}),
    "error_rate": ("hamming_loss", {}),
    "f1": ("f1_score", {}),
    "negative_f1": ("f1_score", {"pos_label": 0}),
    "mean_f_beta": ("f1_score", {"average": "macro"}),
    "jaccard": ("jaccard_score", {}),
    "mcc": ("matthews_corrcoef", {}),
    "kappa": ("cohen_kappa_score", {}),
    "auc_single": ("balanced_accuracy_score", {}),
    "informedness": ("balanced_accuracy_score", {"adjusted": True}),
    "mutual_information": ("mutual_info_score", {}),
    "relative_classifier_information": ("homogeneity_score", {}),
    "normalized_mutual_information": ("v_measure_score", {}),
    "geometric_normalized_mutual_information": ("normalized_mutual_info_score", {"average_method": "geometric"}),
    "minimum_normalized_mutual_information": ("normalized_mutual_info_score", {"average_method": "min"}),
    "rand_index": ("rand_score", {}),
    "adjusted_rand_index": ("adjusted_rand_score", {}),
    "negative_jaccard": ("jaccard_score", {"pos_label": 0}),
    "hawkins_dotson": ("jaccard_score", {"average": "macro"}),
    "frequency_weighted_jaccard": ("jaccard_score", {"average": "weighted"}),
    "f2": ("fbeta_score", {"beta": 2}),
    "f_half": ("fbeta_score", {"beta": 0.5}),
}


def labels_of(table: tuple[int, ...]) -> tuple[list[int], list[int]]:
    tp, fn, fp, tn = table
    return [1] * (tp + fn) + [0] * (fp + tn), [1] * tp + [0] * fn + [1] * fp + [0] * tn


@in_one_test
@pytest.mark.parametrize("name", SCIKIT_LEARN)
def test_agrees_with_scikit_learn(name: str) -> None:
    library = pytest.importorskip("sklearn.metrics")
    function, options = SCIKIT_LEARN[name]
    for table in some(RANDOM_TABLES[:8], 4, name):
        expected = getattr(library, function)(*labels_of(table), **options)
        assert float(value(metrics[name], table)) == pytest.approx(expected, rel=TOLERANCE, abs=TOLERANCE)


@pytest.mark.parametrize("beta", ["1/2", "2", "3"])
@pytest.mark.parametrize(("name", "average"), [("f_beta", "binary"), ("mean_f_beta", "macro")])
def test_f_beta_agrees_with_scikit_learn(name: str, average: str, beta: str) -> None:
    library = pytest.importorskip("sklearn.metrics")
    for table in RANDOM_TABLES[:8]:
        expected = library.fbeta_score(*labels_of(table), beta=float(Fraction(beta)), average=average)
        assert float(value(metrics[name], table, beta=Fraction(beta))) == pytest.approx(expected, rel=TOLERANCE)


def test_ratios_and_associations_agree_with_scikit_learn_and_scipy() -> None:
    # Ratios agree with scikit-learn and SciPy.
    library = pytest.importorskip("sklearn.metrics")
    contingency = pytest.importorskip("scipy.stats.contingency")
    for table in RANDOM_TABLES[:8]:
        positive, negative = library.class_likelihood_ratios(*labels_of(table))
        assert float(value(metrics["positive_likelihood_ratio"], table)) == pytest.approx(positive, rel=TOLERANCE)
        assert float(value(metrics["negative_likelihood_ratio"], table)) == pytest.approx(negative, rel=TOLERANCE)
        odds_ratio = contingency.odds_ratio([table[:2], table[2:]], kind="sample").statistic
        assert float(value(metrics["diagnostic_odds_ratio"], table)) == pytest.approx(odds_ratio, rel=TOLERANCE)
    # Association agrees with SciPy.
    stats = pytest.importorskip("scipy.stats")
    for table in (*RANDOM_TABLES[:8], (1, 1, 1, 1), (2, 3, 4, 7), (9, 1, 4, 1)):  # the last ones next to independence
        tp, fn, fp, tn = table
        rows = [[tp, fn], [fp, tn]]
        truth, prediction = labels_of(table)
        expected = {
            "chi_square": stats.chi2_contingency(rows, correction=False).statistic,
            "yates_chi_square": stats.chi2_contingency(rows, correction=True).statistic,
            "cramer_v": stats.contingency.association(rows, method="cramer"),
            "contingency_coefficient": stats.contingency.association(rows, method="pearson"),
            "relative_risk": stats.contingency.relative_risk(tp, tp + fp, fn, fn + tn).relative_risk,
            "kendall_tau_b": stats.kendalltau(truth, prediction).statistic,
            "stuart_tau_c": stats.kendalltau(truth, prediction, variant="c").statistic,
            "informedness": stats.somersd(rows).statistic,
        }
        for name, number in expected.items():
            assert float(value(metrics[name], table)) == pytest.approx(number, rel=1e-11, abs=TOLERANCE), name


HAND: Final = sections_of("hand_arithmetic.txt")
"""By the cells of a table and where the values are from, the value of each metric there."""


@in_one_test
@pytest.mark.parametrize(
    ("table", "call", "expected"),
    [(name.partition(";")[0], call, expected) for name, rows in HAND.items() for call, expected in rows],
)
def test_hand_arithmetic(table: str, call: str, expected: str) -> None:
    name, _, bound = call.partition("(")
    settings = dict(setting.strip().split("=") for setting in bound.rstrip(")").split(",") if setting)
    found = value(
        metrics[name], tuple(map(int, table.split(", "))), **{key: Fraction(number) for key, number in settings.items()}
    )
    if isinstance(found, Fraction):
        assert found == Fraction(expected)
    else:
        with mpmath.workdps(DIGITS):
            difference = found - mpmath.mpf(Fraction(expected).numerator) / Fraction(expected).denominator
            assert abs(difference) < mpmath.mpf(10) ** (10 - DIGITS)


# -- names that people type --------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("MCC", "mcc"), ("F1", "f1"), ("Balanced accuracy", "auc_single"), ("matthews_corrcoef", "mcc"),
        ("balanced_accuracy_score", "auc_single"), ("fbeta-score", "f_beta"), (" Cohen kappa ", "kappa"),
        ("adjusted_balanced_accuracy", "informedness"), ("Dice", "f1"), ("PPV", "precision"),
    ],
)  # fmt: skip
def test_names_are_found_as_people_type_them(typed: str, name: str) -> None:
    assert metrics[typed] is metrics[name]
    assert typed in metrics


def test_a_name_that_is_none_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown metric 'MC': did you mean mcc"):
        metrics["MC"]
    assert "MC" not in metrics
    assert 3 not in metrics
    with pytest.raises(UnknownNameError, match="unknown metric '3'"):
        metrics[3]  # type: ignore[index]


@pytest.mark.parametrize(
    ("typed", "function"), [("roc_auc", "roc_auc"), ("AUC", "auc"), ("average precision", "average_precision")]
)
def test_a_measure_of_scores_is_sought_where_it_is(typed: str, function: str) -> None:
    with pytest.raises(UnknownNameError, match=rf"scores, not of counts: symmetrics\.{function}\(y_true, y_score\)"):
        metrics[typed]


def test_guttman_s_lambdas_are_those_of_their_source() -> None:
    """A predicts the prediction from the class, as in PyCM, and B the class from the prediction."""
    tp, fn, fp, tn = 7, 4, 1, 5
    lambda_a = Fraction(max(tp, fn) + max(fp, tn) - max(tp + fp, fn + tn), 17 - max(tp + fp, fn + tn))
    lambda_b = Fraction(max(tp, fp) + max(fn, tn) - max(tp + fn, fp + tn), 17 - max(tp + fn, fp + tn))
    assert lambda_a != lambda_b
    assert metrics["guttman_lambda_a"].exact(tp, fn, fp, tn) == lambda_a
    assert metrics["guttman_lambda_b"].exact(tp, fn, fp, tn) == lambda_b
