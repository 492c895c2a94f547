"""The prover and the checker judge the same things by different code: they agree, and one that errs is found out."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from effort import examples, in_one_test, is_thorough, some
from fuzz_grammars import Grammar
from sympy import Abs, And, Eq, Expr, Ge, Gt, Integer, Le, Lt, Max, Min, Ne, Not, Or, Pow, Rational, S, log
from sympy.logic.boolalg import Boolean
from tables import rows

import symmetrics as sm
from symmetrics.algebra import derivative as continuity
from symmetrics.algebra import derivative as pieces
from symmetrics.checker import check
from symmetrics.checker.engine import conditions
from symmetrics.checker.engine.ends import is_real_nearly_everywhere
from symmetrics.checker.engine.germs import Limits
from symmetrics.checker.engine.splits import branches_of
from symmetrics.checker.engine.values import value_or_none
from symmetrics.checker.families import baselines as checked_baseline
from symmetrics.checker.families.agreement import check_value
from symmetrics.claims import ConstantBaseline, Inequality, SameOrder, StrictInequality, value_symbol
from symmetrics.claims.evidence import Counts, Evidence, Witness
from symmetrics.claims.verdict import Verdict
from symmetrics.language import condition
from symmetrics.language.cells import CELLS, parameter_symbol
from symmetrics.language.formula import parse_formula
from symmetrics.prover.decide import decide
from symmetrics.prover.engine import expectations as lemma
from symmetrics.prover.engine import readings
from symmetrics.prover.engine.leading import is_real_nearly_everywhere as prover_is_real
from symmetrics.prover.families import agreement
from symmetrics.tools.errors import CertificateError, SymmetricsError

TABLES = [table for table in itertools.product((0, 1, 2), repeat=4) if any(table)]
RESTRICTED = rows("two_judgements", "restricted")


@cache
def library() -> tuple[Expr, ...]:
    return tuple(
        metric.at(**{p.name: p.default for p in metric.parameters if p.default is not None}).expr
        for metric in map(sm.metrics.get, sm.metrics)
    )


def random_formulas(count: int) -> Iterator[Expr]:
    for number in itertools.count():
        text, declarations = Grammar(Random(f"two judgements {number}")).formula()
        if not declarations:
            try:
                yield parse_formula(text)
            except SymmetricsError:
                continue
            count -= 1
        if not count:
            return


def place_of(table: tuple[int, ...]) -> dict[Any, Expr]:
    return dict(zip(CELLS, map(Integer, table), strict=True))


def with_logarithms() -> list[Expr]:
    return [formula for formula in library() if formula.has(log) and formula.free_symbols <= set(CELLS)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("table", [(1, 0, 0, 1), (2, 0, 1, 1), (0, 1, 0, 2), (1, 1, 2, 1), (0, 0, 1, 1)], ids=str)
def test_values_as_written_are_the_same(table: tuple[int, ...]) -> None:
    place = place_of(table)
    for formula in [
        *some(library(), 30, f"as written {table}"),
        *map(parse_formula, RESTRICTED),
        *random_formulas(60 if is_thorough() else 15),
    ]:
        first, second = continuity.value_as_written(formula, place), value_or_none(formula, place)
        if second is None:
            # SymPy's infinities may come to a number again: 1/(TP + 1/FN) is zero for FN = 0.
            assert first is None or any(power.exp.is_negative for power in formula.atoms(Pow)), formula
        else:
            assert first is not None, formula
            assert abs((first - second).evalf(30)) < 1e-20, formula


@pytest.mark.thorough
def test_a_limit_of_the_prover_is_one_for_the_checker() -> None:
    found = 0
    for formula in [*with_logarithms(), *map(parse_formula, RESTRICTED)]:
        for table in some((table for table in TABLES if max(table) == 1), 6, str(formula)):
            if value_or_none(formula, place_of(table)) is not None:
                continue
            value = continuity.value_by_continuity(formula, place_of(table))
            if value is not None:
                check_value(formula, [Rational(count) for count in table], value)
                found += 1
    assert found > (50 if is_thorough() else 10)


@in_one_test
@pytest.mark.parametrize("text", [RESTRICTED[0], *RESTRICTED[3:10]])
def test_no_limit_is_accepted_where_the_formula_is_not_real_nearby(text: str) -> None:
    formula, table = parse_formula(text), (2, 0, 0, 1) if "TP*log(TP" not in text else (0, 2, 1, 0)
    assert continuity.value_by_continuity(formula, place_of(table)) is None
    for value in (S.Zero, S.One):
        with pytest.raises(CertificateError):
            check_value(formula, [Rational(count) for count in table], value)


def test_both_find_the_same_formulas_real() -> None:
    differing = [f for f in some(library(), 40, "real") if prover_is_real(f) != is_real_nearly_everywhere(f)]
    assert len(differing) <= 1  # stiles holds a kink in a product, on which the prover does not insist
    for formula in random_formulas(60 if is_thorough() else 15):
        # What the prover takes for real the checker has to see, too, or it rejects what rests on that.
        assert is_real_nearly_everywhere(formula) or not prover_is_real(formula), formula


@pytest.mark.thorough
def test_pieces_and_branches_have_the_same_values() -> None:
    """At each table the piece and the branch whose conditions hold are worth what the formula is."""
    random = Random(1)
    looked_at = 0
    for formula in [*library(), *random_formulas(60 if is_thorough() else 20)]:
        if not formula.free_symbols <= set(CELLS) or not formula.has(Abs, Max, Min):
            continue
        parts = pieces.smooth_pieces(formula)
        try:
            branches = branches_of(formula)
        except CertificateError:
            continue
        for _ in range(4):
            place = {cell: Rational(random.randint(1, 30), random.randint(1, 5)) for cell in CELLS}
            value = value_or_none(formula, place)
            if value is None:
                continue
            for regions in filter(None, (parts, branches)):
                here = [part for part in regions if holds_on(part.conditions, place)]
                assert here, formula  # every table lies in one of them
                for part in here:
                    assert abs((part.formula.xreplace(place) - value).evalf(20)) < 1e-12, formula
                looked_at += 1
    assert looked_at > (50 if is_thorough() else 20)


def holds_on(signs: tuple[Expr, ...], place: dict[Any, Expr]) -> bool:
    values = [value_or_none(sign, place) for sign in signs]
    return all(value is not None and value.evalf(20) >= 0 for value in values)


def some_conditions(random: Random) -> Boolean:
    a, b = map(parameter_symbol, "ab")
    sides = [S.Zero, Rational(1, 3), Rational(1, 2), S.One, a, b]
    kinds = (Eq, Ne, Lt, Le, Gt, Ge)
    atoms = [random.choice(kinds)(random.choice((a, b)), random.choice(sides)) for _ in range(random.randint(1, 4))]
    return random.choice((And, Or))(*atoms[:2], random.choice((And, Or))(*atoms[1:]))


def test_conditions_are_compared_alike() -> None:
    """What the prover shortens stays the same condition for the checker, and neither calls different ones equal."""
    random = Random(2)
    values = [
        {parameter_symbol("a"): Rational(x), parameter_symbol("b"): Rational(y)}
        for x, y in itertools.product(("-1", "0", "1/3", "2/5", "1/2", "3/4", "1", "2"), repeat=2)
    ]
    for _ in range(examples(150)):
        left, right = some_conditions(random), some_conditions(random)
        assert conditions.are_equivalent(left, condition.simplified(left))
        if condition.are_equivalent(left, right) or conditions.are_equivalent(left, right):
            assert all(bool(left.subs(place)) is bool(right.subs(place)) for place in values), (left, right)
        for place in values[::7]:
            assert conditions.holds_at(left, place) is bool(left.subs(place))


@pytest.mark.parametrize("key", ["cwa", "iba_gmean", "f_beta", "kappa"])
def test_the_lemma_asks_the_same_of_both(key: str) -> None:
    claim = ConstantBaseline(sm.metrics[key].expr, sm.metrics[key].parameters)
    parts = {"affinity": checked_baseline._affinity(claim), "independence": checked_baseline._independence(claim)}
    assert parts == lemma.parts_of(claim)
    for name in lemma.ENDS:
        assert tuple(checked_baseline._ends(claim, name)) == lemma.ends(claim, name)


# -- one of both errs ------------------------------------------------------------------------------------------------


def rejected(verdict: Verdict) -> bool:
    try:
        check(Verdict.from_certificate(verdict.certificate()))
    except CertificateError:
        return True
    return False


def verdict_of(formula: str, key: str, *declared: str) -> Verdict:
    parameters = tuple(sm.Parameter.parse(text) for text in declared)
    metric = sm.Metric("mine", parse_formula(formula, [p.name for p in parameters]), parameters)
    return decide(sm.properties[key].claim(metric), metric="mine", property=key)


ISSUE = "Max(TP-TN,0)-FN-FP+FN*log(FN/(FN+TN))*sqrt(TN-TP)"
MIRROR = "TP+TN-Max(FN-FP,0)-TP*log(TP/(TP+FP))*sqrt(FP-FN)"


@pytest.mark.parametrize(
    ("formula", "key"), [(ISSUE, "max_agreement"), (MIRROR, "min_agreement")], ids=["largest", "smallest"]
)
def test_a_prover_that_forgets_reality_is_found_out(monkeypatch: Any, formula: str, key: str) -> None:
    assert verdict_of(formula, key).status == "open"
    monkeypatch.setattr(continuity, "_is_never_negative", lambda base: True)
    monkeypatch.setattr(continuity, "_value", careless(continuity._value))
    verdict = verdict_of(formula, key)
    assert verdict.status == "refuted"
    assert rejected(verdict)


def careless(value: Callable[..., Any]) -> Callable[..., Any]:
    """Return the rule of continuity that takes an imaginary factor for a number."""

    def found(node: Expr, table: dict[Any, Expr], by_continuity: bool) -> Any:
        plain = value(node, table, by_continuity)
        if plain is None and by_continuity and not node.has(log):
            return node.xreplace(table)
        return plain

    return found


def test_a_prover_that_loses_a_piece_is_found_out(monkeypatch: Any) -> None:
    formula = parse_formula("Max(TP, FN) + FP")
    claim = StrictInequality(formula, (), (CELLS,), relation=value_symbol(0))
    whole = decide(claim, metric="", property="")
    assert whole.status == "proved"
    assert not rejected(whole)
    monkeypatch.setattr(readings, "smooth_pieces", lambda *expression: pieces.smooth_pieces(*expression)[:1])
    short = decide(claim, metric="", property="")
    assert short.status == "proved"
    assert rejected(short)


def test_a_piece_with_the_wrong_sign_is_found_out(monkeypatch: Any) -> None:
    claim = Inequality(parse_formula("Abs(TP - FN) - TP + FN"), (), (CELLS,), relation=value_symbol(0))
    turned = parse_formula("Abs(TP - FN) + TP - FN")
    monkeypatch.setattr(readings, "smooth_pieces", lambda _, *others: pieces.smooth_pieces(turned, *others))
    verdict = decide(claim, metric="", property="")
    assert verdict.status != "proved" or rejected(verdict)


@pytest.mark.thorough
def test_a_prover_that_puts_cases_together_wrongly_is_found_out() -> None:
    metric = sm.metrics["iba_squared_gmean"]
    key = "max_agreement"
    honest = sm.prove(metric, key)
    assert honest.status == "conditional"
    assert not rejected(honest)
    for changes in (
        {"condition": S.true, "status": "proved", "holds": True},
        {"holds": not honest.holds},
        {"condition": S.false},
        {"condition": Not(honest.condition), "holds": not honest.holds},
    ):
        assert rejected(dataclasses.replace(honest, **changes))


def test_a_curve_on_which_the_formula_is_not_real_proves_nothing(monkeypatch: Any) -> None:
    formula = "-FN - FP - FN*FP*sqrt(TP**2 - 3*TP*TN + TN**2)/(TP + TN)"
    assert verdict_of(formula, "max_agreement").status == "open"
    monkeypatch.setattr(agreement, "is_real_nearly_everywhere", lambda *_: True)
    verdict = verdict_of(formula, "max_agreement")
    assert verdict.status == "proved"
    assert rejected(verdict)


@pytest.mark.parametrize("text", ["FN*log(FN)*sqrt(FN-2*FP)*sqrt(FP-2*FN)", "FN*log(FN)*sqrt(-(TP-TN)**2-FN*FP)"])
def test_a_limit_needs_tables_nearby_at_which_the_formula_is_real(text: str) -> None:
    formula, table = parse_formula(text), dict(zip(CELLS, (1, 0, 0, 1), strict=True))
    assert sm.Metric("mine", formula).exact(1, 0, 0, 1) is S.NaN
    assert math.isnan(sm.Metric("mine", formula).from_counts(1, 0, 0, 1))
    with pytest.raises(CertificateError):
        Limits(()).at(formula, table)


def test_a_limit_on_some_ways_to_a_table_is_one() -> None:
    metric = sm.Metric("mine", parse_formula("FN*log(FN)*sqrt(TN - TP) + TP"))
    assert [metric.exact(*table) for table in ((1, 0, 0, 1), (1, 0, 0, 2), (2, 0, 0, 1))] == [1, 1, S.NaN]
    assert metric.from_counts(1, 0, 0, 1) == 1


def test_a_value_that_is_not_real_puts_no_tables_out_of_order() -> None:
    """The modulus of log(-1) is a real number for SymPy, and no value."""
    claim = SameOrder(parse_formula("Abs(log(TP - FN)) - 2*TP"), (), parse_formula("TP"))
    tables = (Counts(1, 2, 1, 1), Counts(2, 3, 1, 1))
    first, second = (claim.subject.xreplace(place_of(tuple(table))) for table in tables)
    witness = Witness((*tables, *tables), (first, second, Integer(1), Integer(2)))
    forged = Verdict("", "", claim, "refuted", False, Evidence("witness"), witness=witness)
    with pytest.raises(CertificateError, match="not positive"):
        check(forged)


def test_the_limit_along_a_line_alone_is_none() -> None:
    formula = parse_formula("TP*FN/(FN + FP)")
    with pytest.raises(CertificateError):
        check_value(formula, [Rational(count) for count in (1, 0, 0, 1)], Rational(1, 2))
