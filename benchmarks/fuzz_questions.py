"""Questions about one formula and one property: random formulas, restricted reality, spaces, special parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from fuzz_closed import any_table, wrong_number
from fuzz_conditions import case_at, holds
from fuzz_formulas import CELLS, difference, draw_table, sign_of, value_of
from fuzz_grammars import Grammar, Parametric, Reality
from fuzz_judge import Judge, Parameters, differs, tables_of
from fuzz_laws import shown
from fuzz_spaces import AT_LEAST, in_force, listed_symmetries, rank, stated_space
from fuzz_values import RANGE

import symmetrics as sm
from symmetrics.language.writer import formula_text

Question = tuple[str, tuple[str, ...], str]
"""A formula, the declarations of its parameters, and a property, or ``numbers``."""
Answer = tuple[str, str | None]
"""A status, and what contradicts it."""
STRUCTURES = ("translation_space", "scaling_space", "symmetry_group", "decomposable")
NUMBERS = "numbers"
TABLES = 60
"""Tables at which it is tried whether a formula has a value."""
AT_ZERO = ("max_agreement", "min_agreement", "defined", "constant_baseline", "range", "tn_limit", "prevalence_limit")
VALUED = (*STRUCTURES, "range", "tn_limit", "prevalence_limit")


# -- questions -----------------------------------------------------------------------------------------------------


def draw_formulas(random: Random) -> list[Question]:
    """Return questions about a random formula: all properties."""
    text, declared = Grammar(random).formula()
    return [(text, declared, key) for key in sm.properties]


def draw_reality(random: Random) -> list[Question]:
    """Return questions about a formula that has values on a part of the tables only, mostly on zero cells."""
    text, declared = Reality(random).formula()
    others = random.sample([key for key in sm.properties if key not in AT_ZERO], 8)
    return [(text, declared, key) for key in (*AT_ZERO, NUMBERS, *others)]


def draw_spaces(random: Random) -> list[Question]:
    """Return questions about the structure of a formula with parameters."""
    text, declared = _with_parameters(random)
    # The group takes ten times as long as the others.
    return [(text, declared, key) for key in STRUCTURES if key != "symmetry_group" or random.random() < 0.3]


def draw_special(random: Random) -> list[Question]:
    """Return questions about a formula with parameters, to be compared with those at special values."""
    text, declared = _with_parameters(random)
    return [(text, declared, key) for key in [*random.sample(list(sm.properties), 4), random.choice(VALUED)]]


def _with_parameters(random: Random) -> tuple[str, tuple[str, ...]]:
    if random.random() < 0.3:
        metric = random.choice([metric for metric in sm.metrics.values() if metric.parameters])
        return formula_text(metric.expr), tuple(map(str, metric.parameters))
    return (Parametric if random.random() < 0.8 else Reality)(random).formula(parameters=True)


# -- answers -------------------------------------------------------------------------------------------------------


def metric_of(text: str, declarations: Sequence[str], name: str = "fuzzed") -> sm.Metric:
    """Return the metric that a formula is."""
    parameters = tuple(sm.Parameter.parse(declaration) for declaration in declarations)
    return sm.Metric(name, sm.parse_formula(text, [parameter.name for parameter in parameters]), parameters)


def answer(question: Question, random: Random) -> Answer:
    """Return the status of a verdict and what contradicts it."""
    text, declarations, key = question
    metric = metric_of(text, declarations)
    judge = Judge(text, declarations, random, formula_text(metric.expr))
    if key == NUMBERS:
        return "compared", _numbers(judge, metric)
    verdict = verdict_on(metric, key)
    return verdict.status, judge.complaint(key, verdict.to_dict(), verdict.value, sm.properties[key].statement)


def verdict_on(metric: sm.Metric, key: str) -> sm.Verdict:
    """Return a verdict that was written, read and checked again."""
    verdict = sm.prove(metric, key)
    sm.check(sm.Verdict.from_json(verdict.to_json()), metric)
    return verdict


def _numbers(judge: Judge, metric: sm.Metric) -> str | None:
    defaults = judge.defaults()
    if defaults is None:
        return None
    for _ in range(6):
        table = any_table(judge.random)
        if judge.random.random() < 0.7 or any(count.denominator != 1 for count in table):
            table = tuple(Fraction(judge.random.choice((0, 0, 1, 1, 2, 3, 7, 10**6))) for _ in CELLS)
        if not any(table):
            continue
        exact, number = metric.exact(*map(str, table)), metric.from_counts(*map(int, table))
        if (found := wrong_number(judge, table, exact, number, defaults)) is not None:
            return found
    return None


# -- special values ------------------------------------------------------------------------------------------------


def answer_special(question: Question, random: Random) -> Answer:
    """Return the status of a verdict with parameters, and how it contradicts the one at special values of these."""
    text, declarations, key = question
    metric = metric_of(text, declarations)
    verdict = verdict_on(metric, key)
    judge = Judge(text, declarations, random, formula_text(metric.expr))
    said = verdict.to_dict()
    for _ in range(3):
        parameters = judge.special(said["condition"], verdict.value)
        if all(judge.at(draw_table(random), parameters) is None for _ in range(8)):
            continue
        try:
            bound = metric.at(**{name: str(value) for name, value in parameters.items()})
        except sm.SymmetricsError:
            continue
        found = verdict_on(bound, key)
        reason = other_status(key, said, found.holds, judge, parameters)
        reason = reason or other_value(key, verdict.value, found.value, judge, parameters)
        reason = reason or other_default(metric, verdict, parameters, found)
        # What a value of a parameter cancels is gone from the bound formula, which is judged as it is shown.
        here = Judge(formula_text(bound.expr), (), random)
        reason = reason or _other_formula(judge, here, parameters)
        reason = reason or here.complaint(key, found.to_dict(), found.value, sm.properties[key].statement)
        if reason is not None:
            return verdict.status, f"{reason} [bound to {_shown(parameters)}: {found.status}]"
    return verdict.status, None


def _shown(parameters: Parameters) -> str:
    return ", ".join(f"{name} = {value}" for name, value in parameters.items())


def _cancelled(judge: Judge, witness: Mapping[str, Any] | None, parameters: Parameters) -> bool:
    """Whether the formula as it is written certainly has no value at some table, so that binding cancelled why."""
    tables = [*tables_of(witness), *(draw_table(judge.random) for _ in range(TABLES))]
    return any(judge.is_undefined(table, parameters) for table in tables)


def _other_formula(judge: Judge, here: Judge, parameters: Parameters) -> str | None:
    """Return where a bound formula has another value than the formula at these parameters."""
    for table in (draw_table(judge.random) for _ in range(8)):
        first, second = judge.at(table, parameters), here.at(table, {})
        if differs(first, second):
            return f"bound, it is {second} at {shown([table])}, where it is {first}"
    return None


def other_status(
    key: str, verdict: Mapping[str, Any], found: bool | None, judge: Judge, parameters: Parameters
) -> str | None:
    """Return how the truth at some parameters contradicts a verdict in its public form."""
    status, condition = verdict["status"], verdict["condition"]
    if status == "open" or found is None:
        return None
    said = status == "proved" or (condition is not None and holds(condition, parameters))
    if said is found or (key == "defined" and found and _cancelled(judge, verdict["witness"], parameters)):
        return None
    return f"it is said to {'hold' if said else 'fail'} at {_shown(parameters)}"


def other_default(metric: sm.Metric, verdict: sm.Verdict, parameters: Parameters, found: sm.Verdict) -> str | None:
    """Return how the truth at the defaults contradicts what a verdict says of these."""
    defaults = {p.name: None if p.default is None else Fraction(str(p.default)) for p in metric.parameters}
    if defaults != dict(parameters) or None in (verdict.holds, found.holds):
        return None
    return None if verdict.holds is found.holds else f"at its defaults it is said that holds is {verdict.holds}"


def other_value(key: str, value: str | None, found: str | None, judge: Judge, parameters: Parameters) -> str | None:
    """Return how two values of one question contradict each other."""
    if value is None or found is None or key not in VALUED:
        return None
    if key == "symmetry_group":
        here = in_force(value, parameters)
        same = here is None or listed_symmetries(here, parameters) == listed_symmetries(found, {})
        return None if same else f"the value is {value} in general, and {found} when bound"
    general = case_at(value, parameters)
    if general is None:
        return None
    if key.endswith("space"):
        first, second = stated_space(general, parameters), stated_space(found, {})
        if first is None or second is None:
            return None
        together = rank([*first, *second]) if first or second else 0
        is_all = not general.startswith(AT_LEAST)
        same = len(second) == together and (len(first) == together or not is_all)
    elif key == "range":
        same = _same_range(general, found, parameters)
    elif "oo" in general or "oo" in found:
        same = general == found
    else:
        table = draw_table(judge.random)
        first_value, second_value = judge.at(table, parameters, general), judge.at(table, {}, found)
        same = None in (first_value, second_value) or sign_of(difference(first_value, second_value)) not in (1, -1)
    return None if same else f"the value is {general} in general, and {found} when bound"


def _same_range(first: str, second: str, parameters: Parameters) -> bool:
    one, other = RANGE.fullmatch(first), RANGE.fullmatch(second)
    if one is None or other is None or "from" in first + second:
        return True
    for place in (2, 3):
        if "oo" in one[place] or "oo" in other[place]:
            if one[place] != other[place]:
                return False
            continue
        low, high = value_of(one[place], parameters), value_of(other[place], {})
        if None not in (low, high) and sign_of(difference(low, high)) in (1, -1):
            return False
    return one[1] + one[4] == other[1] + other[4]
