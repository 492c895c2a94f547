"""What follows from what among properties: refutations, and arguments about all metrics."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from effort import some
from recorded import holds
from sympy import Integer

import symmetrics as sm
from symmetrics.checker.theorems.arguments import check_argument, freed_cell
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.theorems.arguments import (
    CLASSES,
    DOMAINS,
    Argument,
    BoundedAlongCurve,
    EqualMeans,
    FormsAgree,
    FormsVanishTogether,
    Journey,
    Journeys,
    MeansConverge,
    ScaledDirections,
    SpanningTables,
    Tending,
    VanishingWeights,
)
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE
from symmetrics.claims.theorems.laws import Instance, Law
from symmetrics.discovery.arguments import arguments, claims
from symmetrics.discovery.theorems import EXAMPLES, Example, follows, implications
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, Table, parameter_symbol
from symmetrics.pages.displays import shown as displayed
from symmetrics.query.proving import recorded as verdict_in_certificate
from symmetrics.tools.errors import CertificateError


@pytest.mark.sampled(4)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_has_and_lacks_what_it_is_said_to(example: Example) -> None:
    formula = sm.parse_formula(example.formula)
    assert not formula.free_symbols.isdisjoint(CELLS)
    for keys, expected in ((example.has, "proved"), (example.lacks, "refuted")):
        for key in keys:
            verdict = sm.prove(formula, key)
            assert verdict.status == expected, key
            sm.check(verdict)


def test_no_example_is_against_an_argument() -> None:
    for example in some(EXAMPLES, len(EXAMPLES) // 2):
        refuted = {*example.lacks, CONSTANT, IMPOSSIBLE}
        assert follows(example.has, refuted) is None, example.name


def test_no_metric_of_the_library_is_against_an_argument() -> None:
    for argument in arguments():
        for name in sm.metrics:
            if all(holds(name, key) is True for key in argument.premises):
                assert argument.conclusion in sm.properties, (argument, name)
                assert holds(name, argument.conclusion) is not False, (argument, name)


def test_arguments_are_about_properties_classes_and_domains() -> None:
    for argument in arguments():
        assert {*argument.premises, argument.conclusion} <= {*sm.properties, CONSTANT, IMPOSSIBLE}
        assert argument.kind in CLASSES
        assert argument.domain in DOMAINS


def test_what_needs_a_narrower_class_says_so() -> None:
    narrow = follows(["range"], ["tn_limit"])
    assert narrow is not None
    assert [step.kind for step in narrow if isinstance(step, Argument)] == ["tame"]
    assert follows(["constant_baseline", "translation_space"], [CONSTANT, IMPOSSIBLE]) is None
    chained = follows(["scaling", "decomposable"], [CONSTANT])
    assert chained is not None
    assert [step.conclusion for step in chained] == ["independence_value", CONSTANT]


def test_the_page_counts_what_is_known_of_implications_and_exclusions() -> None:
    words = {
        ("arbitrary", "open"): "for all metrics",
        ("continuous", "open"): "for continuous metrics",
        ("continuous", "closed"): "for continuous metrics, also where cells are 0",
        ("tame", "open"): "for metrics without oscillation",
        ("arbitrary", "whole"): "on tables of whole numbers",
    }
    read = [verdict_in_certificate(sm.metrics["f1"], property) for property in sm.properties.values()]
    assert None not in read, "what no metric refutes is counted from current certificates: run 'symmetrics build'"
    counted = Counter[tuple[str, bool]]()
    unknown = []
    for known in implications():
        by = "by a metric of the library" if known.metric in sm.metrics else "by a metric made for it"
        how = {"refuted": by, "proved": words.get((known.kind, known.domain), "?"), "open": ""}[known.status]
        counted[f"{known.status} {how}".strip(), known.conclusion is None] += 1
        if known.status == "open":
            unknown.append(f"{' and '.join(known.premises)} -> {known.conclusion or 'impossible'}")
    by_library, by_others = "refuted by a metric of the library", "refuted by a metric made for it"
    order = (by_library, by_others, *(f"proved {word}" for word in words.values()), "open")
    assert {how for how, _ in counted} <= {*order}
    pairs = len(sm.properties) * (len(sm.properties) - 1)
    asked = {False: pairs, True: pairs // 2}
    assert sum(counted.values()) == sum(asked.values())
    left = {excludes: number - counted[by_library, excludes] for excludes, number in asked.items()}
    expected = (
        f"Each of the {len(sm.properties)} properties of the library may imply another one, or exclude it: "
        f"{asked[False]} implications and {asked[True]} exclusions.",
        *(f"| {how} | {counted[how, False]} | {counted[how, True]} |" for how in order),
        f"So of the {left[False]} implications and {left[True]} exclusions that no metric of the library refutes, "
        f"{counted[by_others, False]} and {counted[by_others, True]} are false.",
    )
    page = (Path(__file__).parents[1] / "docs" / "possibilities.md").read_text(encoding="utf-8")
    missing = [line for line in expected if line not in " ".join(page.split())]
    assert not missing, "docs/possibilities.md is to say:\n" + "\n".join(missing) + f"\nopen: {'; '.join(unknown)}"


def test_an_answer_is_shown_with_the_theorems_that_it_rests_on() -> None:
    found = sm.possible(require=["p2"], forbid=["p1"])
    impossible = sm.possible(require=["strongly_monotone"], forbid=["monotone"])
    for answer in (found, impossible):
        shown = displayed(answer)
        assert "<p><b>" in shown
        assert shown.count("<li>") == len(answer.theorems)


# -- where a theorem holds ---------------------------------------------------------------------------------------------


def _with_a_pole(tp: int, fn: int, fp: int) -> Fraction:
    """Return a value that does not depend on TN, for TP > 0; at TP = 0 there is none.

    With m = min(P, OP) the products of M with C(P, k) and C(OP, k) are (-1)^k*C(m, k), whose sums with the falling
    factorials k*(k - 1)*...*(k - d + 1), 0 < d < m, are 0: the m-th finite difference of a polynomial of lower degree.
    The mean at n = P + OP - d has these weights, but for a factor that does not depend on k.
    """
    smaller = min(tp + fn, tp + fp)
    return Fraction((-1) ** tp * comb(smaller, tp), comb(tp + fn, tp) * comb(tp + fp, tp))


def test_with_a_pole_a_metric_that_ignores_tn_can_have_a_constant_baseline() -> None:
    """E[M] is 0 at all margins at which TP = 0 is impossible, summed here over the hypergeometric distribution."""
    values = set()
    for size in range(2, 15):
        for actual, predicted in itertools.product(range(1, size), repeat=2):
            least, most = max(0, actual + predicted - size), min(actual, predicted)
            if least == 0:  # a table of positive probability has no value, so that there is no mean
                continue
            mean = Fraction(0)
            for tp in range(least, most + 1):
                weight = Fraction(comb(actual, tp) * comb(size - actual, predicted - tp), comb(size, predicted))
                values.add(value := _with_a_pole(tp, actual - tp, predicted - tp))
                mean += weight * value
            assert mean == 0, (size, actual, predicted)
    assert len(values) > 10  # it is no constant


def test_an_exclusion_says_where_metrics_need_a_value() -> None:
    for key, cell in (("p2", "TN"), ("p3", "FP"), ("p4", "TP"), ("p5", "FN")):
        answer = sm.possible(require=[key, "constant_baseline"])
        assert isinstance(answer.theorem, Argument)
        assert (answer.theorem.kind, answer.theorem.domain) == ("arbitrary", "whole")
        assert f"at each of which M has a value, also where cells are 0: as {cell} grows" in str(answer.theorem)
        told = str(answer)
        assert told.startswith("Impossible on tables of whole numbers: ")
        assert "about metrics with a value at all tables of whole numbers with positive margins, also where" in told
    closed = sm.possible(require=["p3", "max_agreement"])
    assert "about metrics with a value at all tables of cells >= 0 but the empty one, continuous there" in str(closed)


def test_without_continuity_where_cells_are_0_p3_and_max_agreement_go_together() -> None:
    """M = TP/(TP + FN) at positive cells, 2 where FN = FP = 0, and -1 at other tables with zero cells."""

    def value(tp: int, fn: int, fp: int, tn: int) -> Fraction:
        if fn == fp == 0:
            return Fraction(2)
        return Fraction(tp, tp + fn) if min(tp, fn, fp, tn) > 0 else Fraction(-1)

    tables = [table for table in itertools.product(range(4), repeat=4) if any(table)]
    largest = max(value(*table) for table in tables)
    assert all((value(*table) == largest) == (table[1] == table[2] == 0) for table in tables)
    inside = [table for table in tables if min(table) > 0]
    assert all(value(tp, fn, fp, tn) == value(tp, fn, 1, tn) for tp, fn, fp, tn in inside)


# The checker's view of arguments: those that are known pass; what is altered, or says more than is shown, does not.

ZERO, ONE, TWO = map(Integer, range(3))


def _named(*premises_and_conclusion: str) -> Argument:
    (found,) = (one for one in arguments() if (*one.premises, one.conclusion) == premises_and_conclusion)
    return found


def _rejected(argument: Argument, why: str = "") -> None:
    try:
        check_argument(argument, claims())
    except (CertificateError, ValueError) as error:
        assert re.search(why, str(error)), argument  # noqa: PT017
    else:
        pytest.fail(f"not rejected: {argument}")


def _journeys(argument: Argument) -> Iterator[tuple[Argument, Journey]]:
    """Yield an argument with each of its journeys altered: without a step, with a step turned, from elsewhere."""
    proof = argument.proof
    assert isinstance(proof, Journeys)
    for place, journey in enumerate(proof.journeys):
        altered = [replace(journey, start=(TP, FN, TN, FP + ONE))]
        for number, step in enumerate(journey.steps):
            before, after = journey.steps[:number], journey.steps[number + 1 :]
            altered += [
                replace(journey, steps=(*before, *after)),
                replace(journey, steps=(*before, replace(step, forward=not step.forward), *after)),
            ]
        for other in altered:
            journeys = (*proof.journeys[:place], other, *proof.journeys[place + 1 :])
            yield replace(argument, proof=Journeys(journeys)), other


def test_an_argument_shows_just_what_it_says() -> None:
    for argument in some(arguments(), 12):
        check_argument(argument, claims())
        for kind in set(CLASSES) - {argument.kind}:
            _rejected(replace(argument, kind=kind), "it holds for M")
        for domain in set(DOMAINS) - {argument.domain}:
            _rejected(replace(argument, domain=domain), "it holds for M")
        for premise in argument.premises:
            fewer = tuple(key for key in argument.premises if key != premise)
            _rejected(replace(argument, premises=fewer))
        for conclusion in {CONSTANT, IMPOSSIBLE, "p1", "monotone", "tn_limit", "range"} - {argument.conclusion}:
            if not (isinstance(argument.proof, BoundedAlongCurve) and conclusion == "tn_limit"):
                _rejected(replace(argument, conclusion=conclusion))


def test_a_journey_with_one_step_altered_is_rejected() -> None:
    counts = {}
    for argument in arguments():
        if isinstance(argument.proof, Journeys):
            counts[argument] = 0
            for altered, journey in _journeys(argument):
                # An exchange is its own inverse, so that it leads there in either direction.
                turned = [step for step in journey.steps if isinstance(step, Instance) and not step.forward]
                if not turned or any(step.premise != "antisymmetric" for step in turned):
                    _rejected(altered)
                    counts[argument] += 1
    assert len(counts) > 10
    assert min(counts.values()) >= 2


def _contradicting(*steps: Instance | Tending, start: Table, premises: tuple[str, ...]) -> Argument:
    return Argument(premises, IMPOSSIBLE, "", Journeys((Journey(start, steps),)), "continuous", "closed")


def test_limits_are_of_positive_cells_and_are_numbers() -> None:
    s, premises = STEP, ("p3", "max_agreement")
    agreed = (TP, ZERO, ZERO, TN)
    for curve, why in (
        ((TP, s, s - s**2, TN), "not known to be positive"),
        ((TP, s, 1 / s, TN), "may have no limit"),
        ((TP, s, s ** (ONE / 2), TN), "may have no limit"),
        ((s, s, s, s), "all cells tend to 0"),
        ((TP, s, (TP + s) * (FN + 1) - TP * FN - TP, TN), "a cell tends to no number"),
    ):
        _rejected(_contradicting(Tending(curve, forward=False), start=agreed, premises=premises), why)


def test_the_largest_value_at_another_table_of_agreement_contradicts_nothing() -> None:
    s = STEP
    there, back = Tending((TP, s, s, TN), forward=False), Tending((TP, s, s, TN))
    argument = _contradicting(there, back, start=(TP, ZERO, ZERO, TN), premises=("p3", "max_agreement"))
    _rejected(argument, "just one of both ends")


def test_what_is_negated_and_not_back_is_not_the_same() -> None:
    once = Instance("antisymmetric", "columns", dict(zip(CELLS, CELLS, strict=True)))
    law = Argument(("antisymmetric",), "p1", "", Journeys((Journey(CELLS, (once,)),)))
    _rejected(law, "negative or inverse")


def test_what_rises_is_no_journey() -> None:
    rise = Instance("increasing_tp", "", {**dict(zip(CELLS, CELLS, strict=True)), parameter_symbol("other_t"): ONE})
    _rejected(Argument(("increasing_tp",), "p4", "", Journeys((Journey(CELLS, (rise,)),))), "M rises on a journey")


def test_no_limit_is_passed_where_a_metric_is_negated() -> None:
    s, at = STEP, dict(zip(CELLS, CELLS, strict=True))
    exchanged = (FN, TP, TN, FP)
    there, back = Instance("antisymmetric", "columns", at), Instance("antisymmetric", "columns", at, forward=False)
    curve = (FN + s, TP, TN, FP)
    limits = Tending(curve, forward=False), Tending(curve)
    steps = (there, *limits, back)
    argument = Argument(("antisymmetric",), CONSTANT, "", Journeys((Journey(CELLS, steps),)), "continuous")
    _rejected(argument, "a limit is passed where M is turned")
    assert exchanged == tuple(cell.xreplace({s: ZERO}) for cell in curve)


def test_tables_that_do_not_span_the_space_show_nothing() -> None:
    argument = _named("decomposable", "independence_value", CONSTANT)
    assert isinstance(argument.proof, SpanningTables)
    first, second, third, _ = argument.proof.journeys
    _rejected(replace(argument, proof=SpanningTables((first, second, third, second))), "span")
    _rejected(replace(argument, proof=SpanningTables((first, second, third))), "span")
    elsewhere = Journey((ONE, TWO, TWO, TWO), ())
    _rejected(replace(argument, proof=SpanningTables((first, second, third, elsewhere))), "ends elsewhere")


def test_directions_are_made_by_factors_that_span_the_space_and_are_of_all_cells() -> None:
    argument = _named("scaling", "translation_space", CONSTANT)
    assert isinstance(argument.proof, ScaledDirections)
    factors, alone = argument.proof.factors, argument.proof.alone
    _rejected(replace(argument, proof=ScaledDirections((*factors[:3], factors[0]), alone)), "span")
    _rejected(replace(argument, proof=ScaledDirections(factors, alone[:3])), "each cell")
    curve = (TP + STEP, FN, FP, TN)
    passing = replace(alone[0], steps=(Tending(curve, forward=False), Tending(curve), *alone[0].steps))
    _rejected(replace(argument, proof=ScaledDirections(factors, (passing, *alone[1:]))), "passes a limit")
    elsewhere = replace(factors[0], start=(FN, TP, FP, TN))
    _rejected(replace(argument, proof=ScaledDirections((elsewhere, *factors[1:]), alone)), "begins elsewhere")
    _rejected(replace(argument, proof=ScaledDirections(factors, (*alone[1:], alone[0]))), "from all tables to one")


def test_a_mean_is_known_at_tables_whose_margins_keep_a_cell_large() -> None:
    argument = _named("decomposable", "constant_baseline", CONSTANT)
    assert isinstance(argument.proof, MeansConverge)
    tables = argument.proof.tables
    small = tuple(map(Integer, (1, 2, 2, 4)))
    dependent = tuple(map(Integer, (5, 2, 2, 1)))
    for other, why in ((small, "small share"), (dependent, "small share"), (tables[0][1], "span")):
        first = ((other[0], other[1], other[2], other[3]), *tables[0][1:])
        _rejected(replace(argument, proof=MeansConverge((first, *tables[1:]))), why)
    _rejected(replace(argument, proof=MeansConverge(tables[:3])), "each cell")


def _moved(proof: EqualMeans, place: int) -> tuple[Table, Table, Table]:
    """Return the three tables with 1 more of a cell."""
    more = [Integer(place == k) for k in range(4)]
    low, middle, high = ((a + more[0], b + more[1], c + more[2], d + more[3]) for a, b, c, d in proof.three)
    return low, middle, high


def test_means_of_two_and_three_tables_are_what_the_proof_takes_them_for() -> None:
    argument = _named("scaling", "constant_baseline", CONSTANT)
    proof = argument.proof
    assert isinstance(proof, EqualMeans)
    low, middle, high = proof.three
    for altered, why in (
        (replace(proof, two=((2, 1, 1), (2, 1, 1))), "limits may differ"),
        (replace(proof, two=((2, 1, 1), (4, 1, 2))), "limits may differ"),  # one half of the tables each
        (replace(proof, two=((3, 2, 2), (6, 5, 4))), "limits may differ"),  # one third
        (replace(proof, two=((2, 1, 1), (4, 2, 2))), "not two tables"),
        (replace(proof, two=((2, 1, 1), (3, 0, 1))), "not two tables"),
        (replace(proof, three=(low, middle, low)), "neighbours"),
        (replace(proof, three=((ONE, ONE, FP, TN), (TWO, ZERO, FP - 1, TN + 1), high)), "neighbours"),
        (replace(proof, three=_moved(proof, 3)), "each ratio"),
        (replace(proof, three=_moved(proof, 0)), "more tables"),
        (replace(proof, journey=Journey(CELLS, ())), "the odds"),
    ):
        _rejected(replace(argument, proof=altered), why)


def test_proofs_by_forms_and_weights_are_about_what_they_need() -> None:
    for premises, conclusion, proof, kind, domain in (
        (("decomposable",), "transpose", FormsAgree(), "continuous", "open"),
        (("p2",), "homogeneous", FormsAgree(), "continuous", "open"),
        (("decomposable",), "homogeneous", FormsAgree(), "arbitrary", "open"),
        (("homogeneous",), "scaling_space", FormsVanishTogether(), "continuous", "open"),
        (("homogeneous",), "translation_space", FormsVanishTogether(), "continuous", "open"),
        (("decomposable",), "translation_space", FormsVanishTogether(), "arbitrary", "open"),
        (("decomposable",), "scaling_space", FormsVanishTogether(), "continuous", "open"),
        (("homogeneous", "constant_baseline"), CONSTANT, VanishingWeights(), "arbitrary", "whole"),
        (("p1", "constant_baseline"), CONSTANT, VanishingWeights(), "arbitrary", "whole"),
        (("p2", "independence_value"), CONSTANT, VanishingWeights(), "arbitrary", "whole"),
        (("defined",), "tn_limit", BoundedAlongCurve(), "tame", "open"),
        (("range",), "defined", BoundedAlongCurve(), "tame", "open"),
    ):
        with pytest.raises(CertificateError):
            check_argument(Argument(premises, conclusion, "", proof, kind, domain), claims())


def test_a_cell_is_freed_by_an_equation_alone() -> None:
    tables = (CELLS, (TP, FN, FP, parameter_symbol("other")))
    assert freed_cell(Law("", "=", tables)) == TN
    assert freed_cell(Law("", ">", tables)) is None
    assert freed_cell(Law("", "=", (CELLS, (TP, FN, FP, TP)))) is None


def test_what_was_shown_cannot_be_altered() -> None:
    for argument in arguments():
        for part in (argument, argument.proof):
            for name in vars(part):
                with pytest.raises(FrozenInstanceError):
                    setattr(part, name, ())


def test_an_argument_is_told_in_words() -> None:
    assert str(_named("p2", "antisymmetric", "p3")) == (
        "a metric with p2 and antisymmetric has p3 (the exchange of the columns takes TN to FP)"
    )
    assert _named("defined", "prevalence_limit").to_dict()["class"] == "continuous"


def test_what_is_asked_for_is_excluded_by_arguments_with_their_class() -> None:
    everywhere = "Impossible for continuous metrics, where cells are 0 too: a metric other than a constant that "
    asked: list[tuple[list[str], list[str], str]] = [
        (["scaling", "defined"], [], everywhere),
        (["range"], ["tn_limit"], "Impossible for metrics without oscillation: "),
        (["p2", "constant_baseline"], [], "Impossible on tables of whole numbers: "),
        (["antisymmetric", "p4"], [], "Impossible: a metric other than a constant that turns into its negative, "),
    ]
    for require, forbid, said in some(asked, 1):
        found = sm.possible(require=require, forbid=forbid)
        assert found.status == "impossible"
        assert str(found).startswith(said)
