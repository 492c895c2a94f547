"""Theorems about all metrics: their proofs are gone again, altered ones are rejected, and no metric is against them."""

from __future__ import annotations

import csv
import itertools
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from effort import examples, in_one_test, is_thorough, some
from recorded import holds
from sympy import Expr, Integer, Rational

import symmetrics as sm
from symmetrics.checker.theorems.implications import check_implication
from symmetrics.claims.comparison import EQUAL, value_symbol
from symmetrics.claims.families.relations import AllOf, AnyOf, Identity, Inequality, StrictInequality
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, THE_SAME_EVERYWHERE, Theorem, Walk
from symmetrics.claims.theorems.laws import Instance, involutive_laws, laws_of
from symmetrics.cli import main
from symmetrics.discovery.formulas import is_defined, small_formulas
from symmetrics.discovery.profiles import Excluded
from symmetrics.discovery.synthesis import SCREENED, Possibility
from symmetrics.discovery.theorems import consequences, goals, laws, sufficient
from symmetrics.language.cells import CELLS, TP
from symmetrics.prover.theorems.finding import Finder
from symmetrics.prover.theorems.invariances import Invariances, motions_of
from symmetrics.prover.theorems.rises import Rises
from symmetrics.rocq.judge.compiling import require_kernel
from symmetrics.rocq.theorems import implications as judging
from symmetrics.rocq.theorems.implications import judge_theorems, theory
from symmetrics.tools.errors import CertificateError, InputError

CORE = ["p1", "p2", "p3", "p4", "p5", "homogeneous", "actual_scaling", "transpose", "independence_value", "monotone"]


def check(theorem: Theorem) -> None:
    check_implication(theorem, {key: laws()[key] for key in theorem.premises}, goals().get(theorem.goal, ()))


# -- the checker -------------------------------------------------------------------------------------------------------


def altered(theorem: Theorem) -> Iterator[Theorem]:
    """Return the theorem with one thing changed, in each place of its first walk."""
    if theorem.by:
        yield from (
            replace(theorem, by=law.label) for law in sufficient()[theorem.conclusion] if law.label != theorem.by
        )
    walk, rest = theorem.walks[0], theorem.walks[1:]
    for place, step in enumerate(walk.steps):
        changes: list[tuple[Instance, ...]] = [
            (),
            (replace(step, forward=not step.forward),),
            (replace(step, premise="p1" if step.premise != "p1" else "p2"),),
            *((replace(step, at={**step.at, symbol: value + 1}),) for symbol, value in step.at.items()),
            *((replace(step, at={**step.at, symbol: -value}),) for symbol, value in step.at.items()),
        ]
        for changed in changes:
            steps = (*walk.steps[:place], *changed, *walk.steps[place + 1 :])
            yield replace(theorem, walks=(Walk(walk.start, steps), *rest))


def is_walked_at_numbers(theorem: Theorem) -> bool:
    """Whether the first walk proves what it says with random fractions for all variables: another checker."""
    draw = random.Random(str(theorem))
    walk, values = theorem.walks[0], dict[Any, Rational]()

    def number(cell: Expr) -> Any:
        for symbol in sorted(cell.free_symbols, key=str):
            values.setdefault(symbol, Rational(draw.randrange(1, 999), draw.randrange(1, 999)))
        return cell.xreplace(values)

    here, risen = [number(cell) for cell in walk.start], False
    for step in walk.steps:
        found = [law for law in laws()[step.premise] if law.label == step.label]
        if step.premise not in theorem.premises or len(found) != 1 or (found[0].sign == ">" and not step.forward):
            return False
        at = {symbol: number(value) for symbol, value in step.at.items()}
        first, second = ([cell.xreplace(at) for cell in table] for table in found[0].tables)
        before, after = (first, second) if step.forward else (second, first)
        if before != here or any(value <= 0 for value in (*at.values(), *first, *second)):
            return False
        here, risen = after, risen or found[0].sign == ">"
    if theorem.conclusion == IMPOSSIBLE:
        return risen and here == [number(cell) for cell in walk.start]
    law = THE_SAME_EVERYWHERE if theorem.conclusion == CONSTANT else goals()[theorem.goal][0]
    return risen == (law.sign == ">") and here == [number(cell) for cell in law.tables[1]]


def is_accepted(theorem: Theorem) -> bool:
    try:
        check(theorem)
    except CertificateError:
        return False
    return True


def of_each_kind(theorems: Sequence[Theorem]) -> list[Theorem]:
    """Return all theorems in a thorough run, and otherwise a short one for each kind of conclusion and of walk."""
    if is_thorough():
        return list(theorems)
    kinds = dict[object, Theorem]()
    for theorem in sorted(theorems, key=lambda each: len(each.walks[0].steps)):
        rises = {law.sign for key in theorem.premises for law in laws()[key]}
        special = theorem.conclusion if theorem.conclusion in (CONSTANT, IMPOSSIBLE) else ""
        kinds.setdefault((special, bool(theorem.by), len(theorem.walks) > 1, ">" in rises), theorem)
    return list(kinds.values())


def test_an_altered_walk_is_accepted_only_where_it_is_a_proof_all_the_same() -> None:
    for theorem in some(of_each_kind(sm.theorems()), 4):
        assert is_walked_at_numbers(theorem), theorem
        changed = some(altered(theorem), 12, str(theorem))
        accepted = [each for each in changed if is_accepted(each)]
        assert all(map(is_walked_at_numbers, accepted)), theorem
        assert 2 * len(accepted) < len(changed), theorem


FALSE = [
    (("monotone",), "strongly_monotone"),
    (("p1",), "p2"),
    (("p2", "monotone"), IMPOSSIBLE),
    (("homogeneous",), CONSTANT),
    (("actual_scaling",), "predicted_scaling"),
]


@in_one_test
@pytest.mark.parametrize(("premises", "conclusion"), FALSE)
def test_a_false_theorem_is_proved_by_no_walk_of_another(premises: tuple[str, ...], conclusion: str) -> None:
    assert consequences(premises)[0].isdisjoint({conclusion})
    for theorem in sm.theorems():
        false = Theorem(premises, conclusion, theorem.walks)
        with pytest.raises((CertificateError, KeyError)):
            check(false)


def test_a_walk_that_leads_nowhere_contradicts_nothing() -> None:
    here = (Integer(1), Integer(1), Integer(1), Integer(1))
    with pytest.raises(CertificateError, match="contradicts nothing"):
        check(Theorem(("p1",), IMPOSSIBLE, (Walk(here, ()),)))


# -- the kernel --------------------------------------------------------------------------------------------------------


def needs_kernel() -> None:
    try:
        require_kernel()
    except InputError as error:
        pytest.skip(str(error))


@pytest.mark.thorough
def test_the_kernel_accepts_theorems_without_axioms_and_rejects_a_false_one() -> None:
    needs_kernel()
    chosen = of_each_kind(sm.theorems())
    assert judge_theorems(chosen, goals()) == len(chosen) >= 7
    rising = next(theorem for theorem in sm.theorems() if theorem.premises == ("monotone",))
    false = replace(rising, walks=(Walk(rising.walks[0].start, rising.walks[0].steps[:1]),))
    with pytest.raises(CertificateError, match=f"the kernel does not accept that {rising}"):
        judge_theorems([false], goals())


def test_the_kernel_is_given_the_theorems_that_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = []

    def judge(theorems: list[Theorem], laws: object, *, progress: bool) -> int:
        given.extend(map(str, theorems))
        return len(theorems)

    monkeypatch.setattr(judging, "judge_theorems", judge)
    assert main(["theorems", "p1", "p2", "p4", "--kernel", "coq"]) == 0
    assert {"a metric with p1 and p2 has p4", "a metric with p1 and p4 has p2"} < set(given)
    assert capsys.readouterr().out == f"{len(given)} theorems: the kernel accepts each, without an axiom\n"


def test_of_theorems_that_are_rejected_together_the_one_that_is_to_blame_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    true, false = sm.theorems()[:2]
    looked_at = []

    def compiled(file: Path) -> CompletedProcess[str]:
        text = file.read_text(encoding="utf-8")
        looked_at.append([f"(* {theorem} *)" in text for theorem in (true, false)])
        return CompletedProcess([], int(f"(* {false} *)" in text), judging.NO_AXIOM, "Error: no proof")

    monkeypatch.setattr(judging, "compile_file", compiled)
    monkeypatch.setattr(judging, "require_kernel", lambda: "")
    with pytest.raises(CertificateError, match=f"the kernel does not accept that {re.escape(str(false))}: Error: no"):
        judge_theorems([true, false], goals())
    assert looked_at == [[True, True], [True, False], [False, True]]


def test_the_kernel_rejects_what_rests_on_an_axiom(monkeypatch: pytest.MonkeyPatch) -> None:
    needs_kernel()
    rising = next(theorem for theorem in sm.theorems() if theorem.premises == ("monotone",))
    admitted = theory([rising], goals()).replace("Qed.\nEnd", "Admitted.\nEnd")
    assert "Admitted" in admitted
    monkeypatch.setattr(judging, "theory", lambda theorems, laws: admitted)
    with pytest.raises(CertificateError, match="rests on axioms"):
        judge_theorems([rising], goals())


# -- no metric is against a theorem ------------------------------------------------------------------------------------


def test_no_metric_of_the_library_is_against_a_theorem() -> None:
    """The certificates of the library were found by another prover, from the formulas."""
    for name, metric in some(sm.metrics.items(), 60, "against a theorem"):
        has = {key for key in sm.properties if holds(name, key) is True}
        for theorem in sm.theorems():
            if has >= set(theorem.premises):
                is_constant = metric.expr.free_symbols.isdisjoint(CELLS)
                assert theorem.conclusion in has or (theorem.conclusion == CONSTANT and is_constant), (
                    name,
                    str(theorem),
                )


def random_metric(alike: Invariances, draw: random.Random) -> Callable[[tuple[Fraction, ...]], Any]:
    """Return a function of what the invariances leave alone, with jumps at random: it has them and few others."""
    label = Rises(alike, ())
    values: dict[int, int] = {}
    return lambda table: values.setdefault(label.label(table), draw.randrange(10**9))  # type: ignore[arg-type]


@in_one_test
@pytest.mark.parametrize("place", range(examples(120)))
def test_no_random_function_is_against_a_theorem_on_invariances(place: int) -> None:
    """Tables are drawn; a function with values drawn for each orbit has the premises, and what it is said to have."""
    draw = random.Random(place)
    keys = [key for key in laws() if motions_of(key, laws()[key])]
    premises = draw.sample(keys, draw.randrange(0, 4))
    alike = Invariances(itertools.chain.from_iterable(motions_of(key, laws()[key]) or [] for key in premises))
    metric = random_metric(alike, draw)
    follows, _ = consequences(premises)
    for key in keys:
        refuted = False
        for law in laws()[key]:
            symbols = sorted(set().union(*(cell.free_symbols for table in law.tables for cell in table)), key=str)
            for _ in range(12):
                at = {symbol: Integer(draw.randrange(1, 6)) for symbol in symbols}
                tables = [tuple(_number(cell, at) for cell in table) for table in law.tables]
                refuted |= metric(tables[0]) != metric(tables[1])
        if key in follows or CONSTANT in follows:
            assert not refuted, (premises, key)
        else:
            assert refuted, (premises, key)


def _number(cell: Expr, at: dict[Any, Any]) -> Fraction:
    value = cell.xreplace(at)
    return Fraction(int(value.p), int(value.q))


def test_what_is_proved_of_a_small_formula_never_leads_to_what_is_refuted() -> None:
    chosen = {key: laws()[key] for key in SCREENED}
    separated = {
        key: chosen[key] for key in some(SCREENED, 5, "separated")
    }  # all properties' pairs of tables cost seconds
    guesses = [guess for guess in small_formulas(separated, 2) if is_defined(guess.formula)]
    for guess in some(guesses, 1, "small formulas"):
        verdicts = {key: sm.prove(guess.formula, key) for key in chosen}
        has = [key for key, verdict in verdicts.items() if verdict.status == "proved"]
        lacks = {key for key, verdict in verdicts.items() if verdict.status == "refuted"}
        follows, _ = consequences(has)
        assert follows.isdisjoint({*lacks, IMPOSSIBLE}), guess
        assert CONSTANT not in follows or not guess.formula.free_symbols, guess


# -- finding -----------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(1)
@pytest.mark.parametrize("number", range(20))
def test_what_is_stored_is_what_is_found(number: int) -> None:
    chosen = random.Random(number).sample(sorted(laws()), 6 if is_thorough() else 4)
    keys = [key for key in laws() if key in chosen]
    found = tuple(Finder({key: laws()[key] for key in keys}).find())
    stored = [t for t in sm.theorems() if {*t.premises, t.conclusion} <= {*keys, CONSTANT, IMPOSSIBLE}]
    for theorem in stored:
        assert theorem.conclusion in what_follows(theorem.premises, found), str(theorem)
    for theorem in found:
        assert theorem.conclusion in what_follows(theorem.premises, sm.theorems()), str(theorem)


def what_follows(premises: Sequence[str], theorems: Sequence[Theorem]) -> set[str]:
    follows = {*premises}
    while new := {t.conclusion for t in theorems if follows >= {*t.premises}} - follows:
        follows |= new
    return {*follows, *laws(), CONSTANT, IMPOSSIBLE} if follows & {CONSTANT, IMPOSSIBLE} else follows


def test_the_core_of_the_literature_is_among_the_theorems() -> None:
    told = {(frozenset(theorem.premises), theorem.conclusion) for theorem in sm.theorems()}
    for premises, conclusion in (
        ({"p1", "p2"}, "p4"),
        ({"p2", "increasing_tn"}, IMPOSSIBLE),
        ({"independence_value", "p2"}, CONSTANT),
        ({"actual_scaling", "transpose"}, "p1"),
        ({"monotone"}, "agreement_increases"),
    ):
        assert (frozenset(premises), conclusion) in told


# -- the map -----------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_small_map_is_decided_wholly() -> None:
    found = sm.profiles(["p1", "p2", "p4", "transpose"])
    assert (len(found.possible), len(found.impossible), found.open) == (10, 6, ())
    for profile, metric in some(found.possible.items(), 5, "a small map"):
        assert {key for key in found.properties if sm.prove(metric, key).holds} == profile


@pytest.mark.thorough
def test_all_combinations_of_ten_properties_are_decided() -> None:
    found = sm.profiles(CORE)
    assert (len(found.possible), len(found.impossible), found.open) == (94, 930, ())
    for metric in found.possible.values():
        for key in CORE:
            sm.check(sm.prove(metric, key))


MAP = Path(__file__).resolve().parent.parent / "docs" / "profiles.csv"


def test_the_map_of_eighteen_properties_has_the_metrics_that_its_file_says() -> None:
    with MAP.open(encoding="utf-8", newline="") as file:
        rows = {frozenset(row["properties"].split()): row["formula"] for row in csv.DictReader(file)}
    keys = sorted(set().union(*rows))
    impossible = Excluded(keys)
    assert len(keys) == 18
    assert len(rows) >= 800
    assert len(impossible.others()) - len(rows) <= 30
    assert rows.keys() <= {*impossible.others()}
    for profile, formula in some(sorted(rows.items(), key=lambda row: row[1]), 2, "rows of the map"):
        assert is_defined(sm.parse_formula(formula)), formula
        statuses = {key: sm.prove(formula, key).status for key in keys}
        assert statuses == {key: "proved" if key in profile else "refuted" for key in keys}, formula


def test_known_metrics_are_tried_first() -> None:
    found = sm.profiles(["p2", "p5"], known=["TP/(TP + FP)", "mcc", "2*TP/(2*TP + FN + FP)"])
    told = {profile: str(metric.expr) for profile, metric in found.possible.items()}
    assert told[frozenset({"p2", "p5"})] == "TP/(FP + TP)"
    assert "FN" in told[frozenset({"p2"})]


@pytest.mark.spending
def test_a_map_that_is_cut_off_says_so() -> None:
    found = sm.profiles(CORE, seconds=0.1)
    assert "not everything was looked at" in str(found)
    assert len(found.possible) + len(found.impossible) + len(found.open) == 1024


@pytest.mark.spending
def test_a_search_for_a_metric_that_is_cut_off_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    asked = {"require": ["antisymmetric", "transpose", "increasing_tp"], "forbid": ["p4", "homogeneous"]}
    found = sm.possible(**asked, seconds=0.01)
    assert (found.status, found.metric) == ("open", None)
    assert "not everything was looked at: not decided within 0.01 s" in str(found)
    # What theorems on continuous metrics exclude stays so.
    argued = sm.possible(require=["decomposable"], forbid=["homogeneous"], seconds=0.01)
    assert argued.status == "impossible"
    assert "not everything was looked at" in argued.remark
    assert main(["possible", "p1=yes", "p3=no", "tn_limit=no", "--seconds", "0.001", "--format", "json"]) == 0
    assert "within 0.001 s" in json.loads(capsys.readouterr().out)["remark"]
    with pytest.raises(InputError, match="no time"):
        sm.possible(require=["p1"], seconds=-1)


def test_a_question_is_answered_by_a_metric_or_a_theorem(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["possible", "p2=yes", "increasing_tn=yes"]) == 0
    assert capsys.readouterr().out == (
        "Impossible: a metric other than a constant that does not depend on the true negatives (p2) and rises with "
        "each further\ntrue negative (increasing_tn): no metric has p2 and increasing_tn.\n"
    )
    assert main(["possible", "actual_scaling=yes", "p1=yes", "monotone=yes", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["status"] == "possible"
    metric = sm.Metric("mine", sm.parse_formula(told["metric"]))
    assert all(sm.prove(metric, key).status == "proved" for key in told["require"])
    assert main(["theorems", "p1", "p2", "p4"]) == 0
    assert "a metric with p1 and p2 has p4" in capsys.readouterr().out.splitlines()
    assert main(["theorems"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "a metric with p1 has symmetry_group: M(TN, FP, FN, TP) = M(TP, FN, FP, TN)" in lines
    assert "a metric with p2 has tn_limit: M does not change as TN grows" in lines
    assert len(lines) == len(sm.theorems())


def test_theorems_can_be_drawn() -> None:
    theorems = sm.theorems()
    drawn = [text.get_text() for text in sm.plots.implications(theorems).texts]
    premises = {theorem.premises[0] for theorem in theorems if len(theorem.premises) == 1}
    assert premises <= {name for text in drawn for name in text.split(" = ")}
    assert not {CONSTANT, IMPOSSIBLE} & {name for text in drawn for name in text.split(" = ")}


def test_an_answer_says_what_each_property_means_and_which_it_is() -> None:
    for key, record in sm.properties.items():
        has, lacks = str(Possibility("open", (key,), ())), str(Possibility("open", (), (key,)))
        assert f"that {record.yes.partition(' (')[0]} ({key})," in has
        assert f"that {record.no.partition(' (')[0]} ({key})," in lacks
    both = Possibility("possible", ("range", "p1"), ("p2",), sm.metrics["accuracy"])
    assert str(both) == (
        "Possible: (TN + TP)/(FN + FP + TN + TP) is bounded (range) and stays the same when the two classes are "
        "exchanged (p1) but depends on the true negatives (p2)."
    )


@in_one_test
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["possible", "p2"], "not a property with an answer"),
        (["possible", "p2=maybe"], "not a property with an answer"),
        (["possible", "p2=yes", "p2=no"], "both required and forbidden"),
        (["possible", "nonsense=yes"], "nonsense"),
        (["theorems", "nonsense"], "nonsense"),
    ],
)
def test_bad_questions_are_one_line(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_what_cannot_be_combined_says_so() -> None:
    with pytest.raises(InputError, match="cannot be combined"):
        sm.profiles(["range"])
    with pytest.raises(InputError, match="no property"):
        sm.possible()
    with pytest.raises(InputError, match="give a list"):
        sm.possible(require="p1")


def test_what_may_stay_the_same_is_no_law_of_rising_and_what_negates_none_of_equality() -> None:
    tables = (CELLS, (CELLS[0] + 1, *CELLS[1:]))
    (law,) = laws_of(StrictInequality(TP, (), tables, relation=-EQUAL)) or ()
    assert law.sign == ">"
    assert laws_of(Inequality(TP, (), tables, relation=-EQUAL)) is None
    assert laws_of(StrictInequality(TP, (), tables, relation=EQUAL)) is None
    antisymmetric = sm.properties["antisymmetric"].claim(sm.Metric("any", TP))
    assert laws_of(antisymmetric) is None
    assert [law.sign for law in involutive_laws(antisymmetric) or ()] == ["~", "~"]
    assert involutive_laws(sm.properties["monotone"].claim(sm.Metric("any", TP))) is None


def test_exchanges_that_negate_are_the_same_in_each_case() -> None:
    tables = (CELLS, (CELLS[2], CELLS[3], CELLS[0], CELLS[1]))
    value, image = value_symbol(0), value_symbol(1)

    def case(label: str, relation: Expr) -> AllOf:
        return AllOf(((label, Identity(TP, (), tables, relation=relation)),))

    negated, inverted = case("rows", value + image), case("rows", value * image - 1)
    assert len(involutive_laws(AnyOf((("a", negated), ("b", inverted)))) or ()) == 1
    assert involutive_laws(AnyOf((("a", negated), ("b", case("columns", value + image))))) is None
    assert involutive_laws(AnyOf((("a", case("rows", value - 2 * image)),))) is None


def test_a_rise_between_multiples_of_two_tables_is_found() -> None:
    keys = ("predicted_scaling", "agreement_increases", "monotone")
    found = [*Finder({key: laws()[key] for key in keys}).find()]
    assert "a metric with predicted_scaling and agreement_increases has monotone" in map(str, found)
