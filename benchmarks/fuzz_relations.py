"""Relations between two formulas, with planted truths and falsities, and orders of several."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from fractions import Fraction
from random import Random

from fuzz_conditions import holds
from fuzz_formulas import CELLS, Value, combined, difference, draw_table, in_domain, name_of, sign_of, value_of
from fuzz_grammars import Grammar, Reality
from fuzz_judge import Judge, Parameters, tables_of
from fuzz_laws import Table, shown
from fuzz_questions import Answer, metric_of

import symmetrics as sm
from symmetrics.language.writer import formula_text
from symmetrics.query.relations import relations

Question = tuple[str, ...]
"""The relation, what is known of it, the two formulas, the declarations of parameters; or ``order`` and formulas."""
TRUE, FALSE, UNKNOWN = "true", "false", "unknown"
ROUNDS, MANY = 24, 60
EXCHANGES = {"transpose_of": (0, 2, 1, 3), "class_exchange_of": (3, 2, 1, 0), "diagonal_exchange_of": (3, 1, 2, 0)}
POINTWISE = {"equal": "M", "complement_of": "1-M", "negation_of": "-M"}
POSITIVE = ("TP/(TP + FN)", "TP/(TP + FP)", "2*TP/(2*TP + FN + FP)", "TP/FN", "sqrt(TP*TN)", "TP + FN", "Max(TP, FP)")


# -- questions -----------------------------------------------------------------------------------------------------


def draw(random: Random) -> list[Question]:
    """Return questions about two formulas."""
    if random.random() < 0.1:
        return [("order", *random.sample([*POSITIVE, *(_formula(random)[0] for _ in range(3))], 4))]
    maker = random.choice((_equal, _equal, _affine, _affine, _exchanged, _ranks, _ranks, _order, _library, _weighted))
    relation, known, first, second, *declared = maker(random)
    asked = [(relation, known, first, second, *declared)]
    if random.random() < 0.3:
        asked.append((random.choice(list(relations)), UNKNOWN, first, second, *declared))
    return asked


def _formula(random: Random) -> tuple[str, ...]:
    kind = random.random()
    if kind < 0.4:
        metric = random.choice([metric for metric in sm.metrics.values() if not metric.parameters])
        return (formula_text(metric.expr),)
    if kind < 0.55:
        return (random.choice(("4", "0", "1/3", "TP", "Max(TP - 10**6, 0)", "Abs(TP - FN)", "Min(TP, 10**9*FN)")),)
    while True:
        text, declared = (Reality if kind < 0.65 else Grammar)(random).formula()
        if not declared:
            return (text,)


def _tiny(random: Random) -> str:
    return random.choice(("10**-30", "10**30", "1/3", "-2", "10**-6", "7"))


def _equal(random: Random) -> tuple[str, ...]:
    (text,) = _formula(random)
    same = [f"({text} + TP) - TP", f"2*({text}) - ({text})", f"-(-({text}))", f"({text})*(TP + FN)/(TP + FN)"]
    if random.random() < 0.5:
        return "equal", TRUE, random.choice(same), text
    other = random.choice((f"{text} + TP/10**30", f"{text} - 10**-30", f"{text} + Max(TP - 10**6, 0)"))
    return random.choice(("equal", "affine")), UNKNOWN, other, text


def _affine(random: Random) -> tuple[str, ...]:
    (text,) = _formula(random)
    kind = random.random()
    if kind < 0.6:
        return "affine", TRUE, f"{_tiny(random)}*({text}) + {_tiny(random)}", text
    if kind < 0.7:
        return "affine", TRUE, random.choice(("4", "0", "-10**-30")), random.choice(("7", "0", "1/3"))
    other = random.choice(
        (f"{text} + TP/(TP + FN)/10**30", f"({text})**2 + ({text})", f"{text} + {_formula(random)[0]}")
    )
    return "affine", UNKNOWN, other, text


def _exchanged(random: Random) -> tuple[str, ...]:
    (text,) = _formula(random)
    relation = random.choice((*EXCHANGES, *POINTWISE))
    if relation in POINTWISE:
        image = {"equal": text, "complement_of": f"1 - ({text})", "negation_of": f"-({text})"}[relation]
        return relation, TRUE, image, text
    image = exchanged(text, EXCHANGES[relation])
    if random.random() < 0.3:
        return relation, UNKNOWN, f"{image} + 10**-30*TP", text
    return relation, TRUE, image, text


def exchanged(text: str, order: Sequence[int]) -> str:
    """Return a formula with its cells exchanged."""
    return re.sub(r"\b(TP|FN|FP|TN)\b", lambda found: CELLS[order[CELLS.index(found[0])]], text)


def _ranks(random: Random) -> tuple[str, ...]:
    text = random.choice(POSITIVE)
    rising = [f"({text})**2", f"sqrt({text})", f"({text})/(1 + {text})", f"log({text})", f"3*({text}) - 10**-30"]
    rising += [f"2*({text})/(5 + {text})", f"log(1 + sqrt({text}))", f"({text})**3 + ({text})"]
    falling = [f"1/({text})", f"1 - ({text})", f"-sqrt({text})", f"1/(1 + {text})"]
    kind = random.random()
    if kind < 0.4:
        return "rank_equivalent", TRUE, random.choice(rising), text
    if kind < 0.6:
        return "rank_reversed", TRUE, random.choice(falling), text
    if kind < 0.8:
        return "rank_equivalent", FALSE, random.choice(falling), text
    return "rank_equivalent", UNKNOWN, random.choice((f"{text} + 10**-30*TN", f"(({text}) - 1)**2", *POSITIVE)), text


def _order(random: Random) -> tuple[str, ...]:
    (text,) = _formula(random)
    (other,) = _formula(random)
    kind = random.random()
    if kind < 0.4:
        below = (f"{text} - TP/10**30", f"{text} - Abs({other})", f"Min({text}, {other})", f"{text} - ({other})**2")
        return "less_equal", TRUE, random.choice(below), text
    return "less_equal", UNKNOWN, random.choice((f"{text} + TP/10**30", f"Max({text}, {other})", other)), text


def _library(random: Random) -> tuple[str, ...]:
    first, second = random.sample([metric for metric in sm.metrics.values() if not metric.parameters], 2)
    return random.choice(list(relations)), UNKNOWN, formula_text(first.expr), formula_text(second.expr)


def _weighted(random: Random) -> tuple[str, ...]:
    declared = random.choice(("w in (0, 1]", "w in [0, 1]", "w in [-1, 1]", "w in (0, 1] = 1/2"))
    text = random.choice(("w*TP/(TP + FN)", "TP/(TP + w*FN)", "w*TP/(TP + FN) + (1 - w)*TN/(FP + TN)"))
    pairs = [
        ("affine", TRUE, f"2*({text})", text),
        ("affine", TRUE, f"w*({text}) + w", text),
        ("equal", UNKNOWN, text, "TP/(TP + FN)"),
        ("less_equal", UNKNOWN, text, "TP/(TP + FN)"),
        ("rank_equivalent", UNKNOWN, f"({text})**2", text),
    ]
    return (*random.choice(pairs), declared)


# -- answers -------------------------------------------------------------------------------------------------------


def answer(question: Question, random: Random) -> Answer:
    """Return the status of a verdict on a relation, and what contradicts it."""
    if question[0] == "order":
        return _on_order(question[1:], random)
    relation, known, first, second, *declared = question
    one = metric_of(first, _used(first, declared), "first")
    other = metric_of(second, _used(second, declared), "second")
    verdict = sm.relate(one, other, relation)
    sm.check_relation(sm.Verdict.from_json(verdict.to_json()), one, other)
    pair = Pair(relation, first, second, declared, random)
    return verdict.status, pair.complaint(known, verdict.to_dict())


def _used(text: str, declared: Sequence[str]) -> list[str]:
    return [one for one in declared if re.search(rf"\b{name_of(one)}\b", text)]


class Pair:
    """Compares what is said about two formulas with their values.

    :param declared: the parameters; one with a default has that value
    """

    def __init__(self, relation: str, first: str, second: str, declared: Sequence[str], random: Random) -> None:
        self.relation, self.first, self.second, self.random = relation, first, second, random
        self.free = [one for one in declared if " = " not in one]
        self.fixed = {name_of(one): Fraction(one.partition(" = ")[2]) for one in declared if " = " in one}
        self.judge = Judge(first, self.free, random)

    def values(self, table: Table, parameters: Parameters) -> tuple[Value, Value]:
        """Return both values that are compared at a table."""
        order = EXCHANGES.get(self.relation, (0, 1, 2, 3))
        places = (table, tuple(table[place] for place in order))
        first, second = (
            value_of(text, dict(zip(CELLS, place, strict=True)) | dict(parameters))
            for text, place in zip((self.first, self.second), places, strict=True)
        )
        return first, second

    def complaint(self, known: str, verdict: dict) -> str | None:
        """Return how a verdict contradicts the values, or what is known."""
        status, condition = verdict["status"], verdict["condition"]
        if status == "open":
            return None
        if (known, status) in ((TRUE, "refuted"), (FALSE, "proved")):
            return f"it is known to be {known}"
        if verdict["witness"] is not None and (found := self.bad_witness(verdict["witness"], condition)):
            return found
        shown_by = tables_of(verdict["witness"])
        for _ in range(6):
            parameters = dict(self.judge.special(condition)) | self.fixed
            said = status == "proved" or (condition is not None and holds(condition, parameters))
            broken, tried = self.evidence(parameters, shown_by)
            if said and broken is not None:
                return f"it fails at {shown(broken)} with {parameters}"
            if not said and known == TRUE:
                return f"it is known to be true, and said to fail with {parameters}"
            if not said and broken is None and tried >= MANY // 2 and self.relation != "less_equal":
                return f"it is said to fail with {parameters}, and holds at {tried} tables"
        return None

    def bad_witness(self, witness: dict, condition: str | None) -> str | None:
        """Return what is wrong with a counterexample."""
        tables, values = tables_of(witness), witness["values"]
        given = {name: Fraction(value) for name, value in witness["parameters"].items()}
        parameters = dict(self.judge.settings(None) or {}) | self.fixed | given
        if condition is not None and holds(condition, parameters):
            return f"the counterexample's parameters {given} satisfy {condition}"
        if any(not in_domain(given[name_of(one)], one) for one in self.free if name_of(one) in given):
            return f"the counterexample's parameters {given} are outside of their domains"
        if len(tables) not in (2, 4):
            return None
        # The first half of the tables is for the first formula, the second half for the other.
        texts = [text for text in (self.first, self.second) for _ in range(len(tables) // 2)]
        for text, table, stated in zip(texts, tables, values, strict=True):
            judge = Judge(text, (), self.random, self.simplified(text))
            if (reason := judge.implausible(table, parameters, value_of(stated, {}))) is not None:
                return f"the counterexample says that {text} is {stated} at {shown([table])}, but {reason}"
        stated_values = [value_of(text, {}) for text in values]
        if None in stated_values:
            return None
        if len(tables) == 4:
            left, right, first, second = stated_values
            signs = sign_of(difference(right, left)), sign_of(difference(second, first))
            expected = -1 if self.relation == "rank_reversed" else 1
            fine = None not in signs and signs[0] == expected * signs[1]
            return f"the values {values} satisfy the relation" if fine else None
        if self.relation == "affine" or self.relation.startswith("rank"):
            return None
        return f"the values {values} satisfy the relation" if self.breaks(*stated_values) is False else None

    def simplified(self, text: str) -> str:
        """Return a formula as the package shows it."""
        return formula_text(metric_of(text, [*self.free, *(f"{name} in [-9, 9]" for name in self.fixed)]).expr)

    def breaks(self, first: Value, second: Value) -> bool | None:
        """Whether two values at one table violate a relation between values; None if uncertain."""
        if self.relation == "less_equal":
            sign = sign_of(difference(first, second))
            return None if sign is None else sign > 0
        if self.relation == "complement_of":
            second = difference(Fraction(1), second)
        if self.relation == "negation_of":
            second = difference(Fraction(0), second)
        sign = sign_of(difference(first, second))
        return None if sign is None else sign != 0

    def evidence(self, parameters: Parameters, first_of_all: Sequence[Table]) -> tuple[list[Table] | None, int]:
        """Return tables that violate the relation, or None, and at how many it holds exactly."""
        seen: list[tuple[Table, Value, Value]] = []
        exact = 0
        for table in (*first_of_all, *(draw_table(self.random) for _ in range(MANY))):
            first, second = self.values(table, parameters)
            if first is None or second is None:
                continue
            exact += isinstance(first, Fraction) and isinstance(second, Fraction)
            seen.append((table, first, second))
            if self.relation == "affine" or self.relation.startswith("rank"):
                broken = self.against(seen)
            else:
                broken = [table] if self.breaks(first, second) else None
            if broken is not None:
                return broken, 0
        return None, exact

    def against(self, seen: list[tuple[Table, Value, Value]]) -> list[Table] | None:
        """Return tables of which the last one does not fit those before it."""
        table, first, second = seen[-1]
        if self.relation == "affine":
            return _off_the_line(seen)
        expected = -1 if self.relation == "rank_reversed" else 1
        for other, left, right in seen[:-1]:
            signs = sign_of(difference(first, left)), sign_of(difference(second, right))
            if None not in signs and signs[0] != expected * signs[1]:
                return [table, other]
        return None


def _off_the_line(seen: list[tuple[Table, Value, Value]]) -> list[Table] | None:
    """Return three tables whose values are on no line, or two of different values and one value of the other."""
    table, first, second = seen[-1]
    start = seen[0]
    across = difference(second, start[2])
    for other in seen[1:-1]:
        # (M - M0)(L1 - L0) = (M1 - M0)(L - L0)
        left = _times(difference(first, start[1]), difference(other[2], start[2]))
        right = _times(difference(other[1], start[1]), across)
        if sign_of(difference(left, right)) in (1, -1):
            return [start[0], other[0], table]
    level = isinstance(across, Fraction) and across == 0
    return [start[0], table] if level and sign_of(difference(first, start[1])) in (1, -1) else None


def _times(left: Value, right: Value) -> Value:
    return combined(ast.Mult(), left, right)


def _on_order(texts: Sequence[str], random: Random) -> Answer:
    """Return how many pairs of an order are decided, and one that contradicts the values."""
    by_name = {f"m{place}": metric_of(text, (), f"m{place}") for place, text in enumerate(texts)}
    found = sm.order(by_name.values(), processes=1, progress=False)
    for first, second in found.pairs():
        pair = Pair("less_equal", texts[int(first[1:])], texts[int(second[1:])], (), random)
        status = found.status(first, second)
        verdict = found.verdict(first, second).to_dict() if status == "refuted" else {}
        complaint = pair.complaint(UNKNOWN, {"condition": None, "witness": None} | verdict | {"status": status})
        if complaint is not None:
            return "ordered", f"{first} <= {second} is {status}: {complaint}"
    return "ordered", None
