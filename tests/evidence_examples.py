"""One verdict for every kind of evidence and of step, by name: what the tests and the page of sentences look at."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import symmetrics as sm
from symmetrics.claims import Inequality, value_symbol
from symmetrics.claims.evidence import steps_in
from symmetrics.claims.steps.shapes import Step
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.prover import asking_z3, decide
from symmetrics.query.relations import relate

ODDS = "TP*TN/(FP*FN)"


def own(text: str, *declarations: str) -> sm.Metric:
    parameters = tuple(Parameter.parse(declaration) for declaration in declarations)
    return sm.Metric("own", parse_formula(text, [parameter.name for parameter in parameters]), parameters)


def of(metric: str, key: str) -> Callable[[], Verdict]:
    return lambda: sm.prove(metric, key)


def about(text: str, key: str, *declarations: str) -> Callable[[], Verdict]:
    return lambda: sm.prove(own(text, *declarations), key)


def between(first: str, second: str, relation: str) -> Callable[[], Verdict]:
    def related() -> Verdict:
        return relate(*(name if name in sm.metrics else own(name) for name in (first, second)), relation)

    return related


def of_matrices(metric: str, key: str, classes: int) -> Callable[[], Verdict]:
    return lambda: sm.prove(sm.multiclass[metric], key, k=classes)


def by_z3() -> Verdict:
    pytest.importorskip("z3")
    motzkin = parse_formula("TP**4*FN**2 + TP**2*FN**4 + 1 - 3*TP**2*FN**2")
    with asking_z3():
        return decide(Inequality(motzkin, (), (CELLS,), relation=value_symbol(0)), metric="own", property="own")


EXAMPLES: dict[str, Callable[[], Verdict]] = {
    # equations and inequalities
    "recall is not symmetric": of("tpr", "p1"),
    "f1 is transposed into itself": of("f1", "transpose"),
    "a power with a parameter": about("TP**a/(TP**a + FN**a)", "p2", "a in (0, 3) = 1/2"),
    "a condition on a weight": of("cwa", "p4"),
    "a condition with roots": about("(w**2 - 2)*TP + FN", "p4", "w in [0, 5]"),
    "several weights": of("weighted_accuracy", "p1"),
    "weights that leave nothing": about("(a*TP - b*TN)/(a*TP + b*TN)", "antisymmetric", "a in [0, oo)", "b in [0, oo)"),
    "no root": of("f_beta", "p1"),
    "a solution outside the domain": of("wauc", "p2"),
    "a solution where nothing has a value": about("(a*TP + b*FN)/(a*TP + b*TN)", "p2", "a in [0, 5]", "b in [0, 5]"),
    "a sign": of("sebag_schoenauer", "increasing_tp"),
    "a sign of logarithms": of("symmetric_extreme_dependency_score", "agreement_increases"),
    "a sign of logarithms by tangents": of("consonni_todeschini_5", "agreement_increases"),
    "a sign of logarithms by bounds": of("extreme_dependency_score", "increasing_tp"),
    "a sign by cuts": of("michael", "agreement_increases"),
    "coefficients of one sign": of("f_beta", "increasing_tn"),
    "coefficients on intervals": of("expected_loss", "increasing_tn"),
    "Z3": by_z3,
    "regions that are empty": about("Max(TP, -FN)", "increasing_tp"),
    "regions that are flat": about("Max(TP, FN) + Min(2*TP, 2*FN) + TP", "increasing_tp"),
    # ranges, which take the other steps of signs
    "a range": of("tpr", "range"),
    "a range but where nothing has a value": about("a*TP/(a*TP + a*FN)", "range", "a in [0, oo)"),
    "a range by factors": of("fossum", "range"),
    "a range by combinations": of("zhang", "range"),
    "a range by a condition itself": of("bray_curtis_of_totals", "range"),
    "a range by a quadratic": of("pattern_difference", "range"),
    "a range by a root": of("fowlkes_mallows", "range"),
    "a range by a multiple of a condition": of("cramer_v", "range"),
    "a range of a root": of("chord_distance", "range"),
    "a range by a split condition": of("added_value", "range"),
    "a range by a condition used up": of("kuhns_7", "range"),
    # structure
    "symmetries": of("f2", "symmetry_group"),
    "symmetries for single values": of("cwa", "symmetry_group"),
    "directions": of("koppen_2", "scaling_space"),
    "directions for all parameters": of("cwa", "translation_space"),
    "no directions": of("determinant", "translation_space"),
    "no directions for any parameters": about("TP*FN*FP*TN + w", "translation_space", "w in [0, 1]"),
    "a ratio": of("fnr", "decomposable"),
    "no ratio": of("hamming_distance", "decomposable"),
    "no ratio for any parameters": of("iba_gmean", "decomposable"),
    "a ratio in cases": of("cwa", "decomposable"),
    "a link": between("f1", "jaccard", "rank_equivalent"),
    "a link by a power": between("cramer_v", "mean_square_contingency", "rank_equivalent"),
    "a link by a power over the rationals": between("mean_square_contingency", "cramer_v", "rank_equivalent"),
    "a link by a logarithm": between("log_odds_ratio", "diagnostic_odds_ratio", "rank_equivalent"),
    "a link by an excess": between(f"({ODDS} - 1)/Max({ODDS}, 1)", ODDS, "rank_equivalent"),
    "a link by a bend": between("TP/TN/sqrt(1 + (TP/TN)**2)", "TP/TN", "rank_equivalent"),
    "an affine function": between("informedness", "auc_single", "affine"),
    "no affine function": between("f1", "tpr", "affine"),
    # limits and values
    "a limit": of("fpr", "tn_limit"),
    "no limit": of("determinant", "tn_limit"),
    "no limit at a table": of("fossum", "tn_limit"),
    "a limit in cases": of("tversky", "prevalence_limit"),
    "defined": of("hamming_distance", "defined"),
    "defined by a proof": of("kuhns_6", "defined"),
    "an extreme": of("jaccard", "max_agreement"),
    "an extreme at other tables": of("fnr", "max_agreement"),
    "an extreme that is none": of("sebag_schoenauer", "max_agreement"),
    "an extreme elsewhere": of("negative_likelihood_ratio", "min_agreement"),
    "an extreme on another face": of("wauc", "max_agreement"),
    # expectations and combinations
    "expectations": of("jaccard", "constant_baseline"),
    "an expectation for all": of("determinant", "constant_baseline"),
    "an expectation by moments": about("(n - 1)*(TP*TN - FN*FP)**2 - P*N*(TP + FP)*(FN + TN)", "constant_baseline"),
    "no expectation": of("log_odds_ratio", "constant_baseline"),
    "expectations with parameters": of("cwa", "constant_baseline"),
    "expectations that never agree": of("expected_loss", "constant_baseline"),
    "expectations with assumptions": of("net_benefit", "constant_baseline"),
    "symmetries of matrices": of_matrices("kappa", "symmetry_group", 2),
    "defined at all matrices": of_matrices("accuracy", "defined", 2),
    "undefined at a matrix": of_matrices("balanced_accuracy", "defined", 2),
    "expectations of matrices": of_matrices("cba", "constant_baseline", 2),
    "irrational expectations of matrices": of_matrices("cen", "constant_baseline", 2),
    "an expectation for all matrices": of_matrices("kappa", "constant_baseline", 2),
    "all parts": of("hamming_distance", "monotone"),
    "one of several parts": of("determinant", "antisymmetric"),
    "open": of("one_way_support", "min_agreement"),
}


@cache
def example(name: str) -> Verdict:
    return EXAMPLES[name]()


@cache
def occurring(name: str) -> tuple[tuple[Step, Any], ...]:
    evidence = example(name).evidence
    return tuple(steps_in(evidence.kind, evidence.data))


def examples_of(step: Step) -> list[str]:
    """Return the examples that hold a step, the shortest certificate first."""
    found = [name for name in EXAMPLES if any(each is step for each, _ in occurring(name))]
    return sorted(found, key=lambda name: len(example(name).to_json()))
