"""What each property says, written down a second time, and whether a verdict is at odds with random values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from fuzz_formulas import CELLS, Value, difference, draw_count, draw_parameter, draw_table, interval, sign_of, value_of

Table = tuple[Fraction, ...]
Draw = Callable[[Random], tuple[Table, Table]]
ROUNDS = 12
"""Pairs of tables at which a law is tried."""
FAR = (30, 300)
"""Powers of ten at which a limit is compared with values; the second ought to be closer."""
SMALL = (Fraction(2), Fraction(1, 3), Fraction(3), Fraction(1, 2))
"""A table that is small beside the logarithms of what is far."""


@dataclass(frozen=True)
class Law:
    """A relation between the values at two tables: ``=``, ``<`` (rises), ``negates`` or ``inverts``."""

    relation: str
    draw: Draw
    belongs: Callable[[Table, Table], bool]

    def is_broken(self, first: Value, second: Value) -> bool | None:
        """Whether two values certainly violate the law; None if it is not certain either way."""
        if self.relation == "negates":
            second = -second
        if self.relation == "inverts":
            both = interval(first) * interval(second) if type(first) is not type(second) else first * second
            first, second = both, Fraction(1)
        sign = sign_of(difference(second, first))
        if sign is None:
            return None
        return sign <= 0 if self.relation == "<" else sign != 0


def _step(*moves: tuple[str, int]) -> Law:
    """Return the law that M is larger at the second of two tables that differ by t in the cells of both ends."""
    first = [sum(side == -1 for cell, side in moves if cell == name) for name in CELLS]
    second = [sum(side == 1 for cell, side in moves if cell == name) for name in CELLS]

    def at(table: Table, t: Fraction, end: list[int]) -> Table:
        return tuple(count + t * times for count, times in zip(table, end, strict=True))

    def draw(random: Random) -> tuple[Table, Table]:
        table, t = draw_table(random), draw_count(random)
        return at(table, t, first), at(table, t, second)

    def belongs(lower: Table, upper: Table) -> bool:
        place = next(i for i in range(4) if first[i] != second[i])
        t = (upper[place] - lower[place]) / (second[place] - first[place])
        base = tuple(count - t * times for count, times in zip(lower, first, strict=True))
        return t > 0 and min(base) > 0 and at(base, t, second) == upper

    return Law("<", draw, belongs)


def _image(image: Callable[[Table], Table], relation: str = "=") -> Law:
    def draw(random: Random) -> tuple[Table, Table]:
        table = draw_table(random)
        return table, image(table)

    return Law(relation, draw, lambda first, second: image(first) == second)


def _other(place: int) -> Law:
    def draw(random: Random) -> tuple[Table, Table]:
        table = draw_table(random)
        return table, (*table[:place], draw_count(random), *table[place + 1 :])

    return Law("=", draw, lambda first, second: all(first[i] == second[i] for i in range(4) if i != place))


def _scaled(*groups: tuple[int, ...]) -> Law:
    def draw(random: Random) -> tuple[Table, Table]:
        table = draw_table(random)
        factors = dict.fromkeys(range(4), Fraction(1))
        for group in groups:
            factors |= dict.fromkeys(group, draw_count(random))
        return table, tuple(count * factors[i] for i, count in enumerate(table))

    def belongs(first: Table, second: Table) -> bool:
        ratios = [b / a for a, b in zip(first, second, strict=True)]
        free = {i for group in groups for i in group}
        fixed = all(ratios[i] == 1 for i in range(4) if i not in free)
        return fixed and all(len({ratios[i] for i in group}) == 1 for group in groups)

    return Law("=", draw, belongs)


def _balanced(table: Table) -> Table:
    tp, fn, fp, tn = table
    half = sum(table) / 2
    return half * tp / (tp + fn), half * fn / (tp + fn), half * fp / (fp + tn), half * tn / (fp + tn)


def _independent(random: Random) -> tuple[Table, Table]:
    tp, fn, k = (draw_count(random) for _ in range(3))
    return (tp, fn, k * tp, k * fn), (Fraction(1),) * 4


def _permuted(*places: int) -> Callable[[Table], Table]:
    return lambda table: tuple(table[place] for place in places)


ROWS, COLUMNS = _permuted(2, 3, 0, 1), _permuted(1, 0, 3, 2)
IN_ONE_CELL = {
    "increasing_tp": _step(("TP", 1)),
    "increasing_tn": _step(("TN", 1)),
    "decreasing_fn": _step(("FN", -1)),
    "decreasing_fp": _step(("FP", -1)),
}
PREDICTED, ACTUAL = _scaled((0, 2), (1, 3)), _scaled((0, 1), (2, 3))
LAWS: Mapping[str, tuple[Law, ...]] = {
    "p1": (_image(_permuted(3, 2, 1, 0)),),
    "p2": (_other(3),),
    "p3": (_other(2),),
    "p4": (_other(0),),
    "p5": (_other(1),),
    "homogeneous": (_scaled((0, 1, 2, 3)),),
    "predicted_scaling": (PREDICTED,),
    "actual_scaling": (ACTUAL,),
    "scaling": (PREDICTED, ACTUAL),
    "transpose": (_image(_permuted(0, 2, 1, 3)),),
    "independence_value": (Law("=", _independent, lambda a, b: a[0] * a[3] == a[1] * a[2] and set(b) == {1}),),
    "imbalance_bias": (_image(_balanced),),
    **{name: (law,) for name, law in IN_ONE_CELL.items()},
    "strongly_monotone": tuple(IN_ONE_CELL.values()),
    "monotone": (_step(("FN", -1), ("TP", 1)), _step(("FP", -1), ("TN", 1))),
    "margins_decrease": (_step(("FN", -1), ("TN", 1)), _step(("FP", -1), ("TN", 1))),
    "agreement_increases": (_step(("FN", -1), ("FP", -1), ("TP", 1), ("TN", 1)),),
}
ANTISYMMETRIC = {relation: (_image(ROWS, relation), _image(COLUMNS, relation)) for relation in ("negates", "inverts")}


class Judge:
    """Compares verdicts on one formula with its values.

    :param text: the formula
    :param declarations: of its parameters
    """

    def __init__(self, text: str, declarations: tuple[str, ...], random: Random) -> None:
        self.text = text
        self.declarations = {declaration.split(" in ")[0]: declaration for declaration in declarations}
        self.random = random

    def at(self, table: Table, parameters: Mapping[str, Fraction], text: str | None = None) -> Value:
        """Return the value of the formula, or None."""
        return value_of(text or self.text, dict(zip(CELLS, table, strict=True)) | dict(parameters))

    def settings(self, condition: str | None) -> Mapping[str, Fraction] | None:
        """Return values of the parameters at which a condition holds, or None if none was met."""
        for _ in range(20):
            values = {name: draw_parameter(self.random, text) for name, text in self.declarations.items()}
            if condition is None or holds(condition, values):
                return values
        return None

    def complaint(self, key: str, verdict: Mapping[str, Any], value: str | None) -> str | None:
        """Return how a verdict contradicts the values, or None.

        :param verdict: in its public form
        :param value: what the verdict says beyond yes and no
        """
        status, condition = verdict["status"], verdict["condition"]
        if status == "open":
            return None
        if key in LAWS or key == "antisymmetric":
            if verdict["witness"] is not None and (found := self.bad_witness(key, verdict["witness"], condition)):
                return found
            return None if status == "refuted" else self.counterexample(key, condition)
        # A value that differs from case to case of the parameters is left to the checker.
        if value is None or " if " in value:
            return None
        if key == "range":
            # A bound that depends on a parameter is left to the checker, too.
            names = {declaration.split(" in ")[0] for declaration in self.declarations}
            return None if names & set(re.findall(r"[a-z]\w*", value)) else self.outside(value)
        if key in ("translation_space", "scaling_space") and not self.declarations:
            return self.moved(value, scales=key == "scaling_space")
        if key == "symmetry_group":
            return self.asymmetric(value)
        if key == "decomposable" and status == "proved":
            return self.unequal(value)
        if key in ("tn_limit", "prevalence_limit"):
            return self.elsewhere(key, value)
        return None

    # -- laws ------------------------------------------------------------------------------------------------------

    def bad_witness(self, key: str, witness: Mapping[str, Any], condition: str | None) -> str | None:
        """Return what is wrong with a counterexample."""
        tables = [tuple(Fraction(str(table[cell.lower()])) for cell in CELLS) for table in witness["tables"]]
        parameters = {name: Fraction(value) for name, value in witness["parameters"].items()}
        if condition is not None and holds(condition, parameters):
            return f"the parameters {parameters} of the counterexample satisfy the condition {condition}"
        # A parameter that cancels is none of the metric's.
        values = [self.at(table, {**(self.settings(None) or {}), **parameters}) for table in tables]
        for found, text in zip(values, witness["values"], strict=True):
            stated = value_of(text, {})
            if found is not None and stated is not None and sign_of(difference(found, stated)) in (1, -1):
                return f"the value {text} at a table of the counterexample is {found}"
        laws = LAWS[key] if key in LAWS else [law for pair in ANTISYMMETRIC.values() for law in pair]
        fitting = [law for law in laws if len(tables) == 2 and law.belongs(*tables)]
        if not fitting:
            return f"the tables {tables} are not those of the property"
        if None in values:
            return None
        broken = [law.is_broken(*values) for law in fitting]
        # Equal values beyond the rationals are intervals that overlap: certain only for a strict law at one number.
        return None if True in broken or None in broken else f"the values {witness['values']} satisfy the property"

    def counterexample(self, key: str, condition: str | None) -> str | None:
        """Return tables that violate what is said to hold."""
        alternatives = [LAWS[key]] if key in LAWS else list(ANTISYMMETRIC.values())
        for _ in range(ROUNDS):
            parameters = self.settings(condition)
            if parameters is None:
                return None
            # Which of the alternatives holds may depend on the parameters, but not on the table.
            found = [self.violation(laws, parameters) for laws in alternatives]
            if None not in found:
                return found[0]
        return None

    def violation(self, laws: tuple[Law, ...], parameters: Mapping[str, Fraction]) -> str | None:
        """Return tables that violate one of several laws."""
        for law in laws:
            tables = law.draw(self.random)
            values = [self.at(table, parameters) for table in tables]
            if None not in values and law.is_broken(*values):
                return f"it fails at {_shown(tables)} with {_shown([tuple(parameters.values())])}"
        return None

    # -- values ----------------------------------------------------------------------------------------------------

    def outside(self, text: str) -> str | None:
        """Return a table at which the formula is outside its range."""
        if not (found := re.fullmatch(r"([\[(])(.+), (.+)([\])])|from (.+) to (.+)", text)):
            return f"the range {text} cannot be read"
        left, lower, upper, right, *plain = found.groups()
        lower, upper, left, right = lower or plain[0], upper or plain[1], left or "[", right or "]"
        for _ in range(3 * ROUNDS):
            table, parameters = draw_table(self.random), self.settings(None)
            value = self.at(table, parameters or {})
            if value is None:
                continue
            for bound, direction, excluded in ((lower, 1, left == "("), (upper, -1, right == ")")):
                if "oo" in bound:
                    continue
                sign = sign_of(difference(value, value_of(bound, {})))
                if sign == -direction or (sign == 0 and excluded):
                    return f"the range is {text}, and the value at {_shown([table])} is {value}"
        return None

    def moved(self, text: str, *, scales: bool) -> str | None:
        """Return a direction of a space along which the formula changes."""
        for vector in re.findall(r"\((-?\d+), (-?\d+), (-?\d+), (-?\d+)\)", text):
            entries = [int(entry) for entry in vector]
            for _ in range(ROUNDS):
                table, step = draw_table(self.random), draw_count(self.random)
                image = tuple(
                    count * step**entry if scales else count + step * entry
                    for count, entry in zip(table, entries, strict=True)
                )
                if min(image) > 0 and self.differs(self.at(table, {}), self.at(image, {})):
                    return f"it changes from {_shown([table])} to {_shown([image])}"
        return None

    def asymmetric(self, text: str) -> str | None:
        """Return a permutation that is listed and is no symmetry, or the other way round for ratios of numbers."""
        for line in text.split("; "):
            image, _, listed = line.partition(": ")
            for entry in listed.split(", "):
                if entry in ("all", "identity") or " if " in entry:
                    continue
                places = dict(zip(CELLS, CELLS, strict=True))
                for cycle in re.findall(r"\(([^)]*)\)", entry):
                    names = cycle.split()
                    places |= dict(zip(names, names[1:] + names[:1], strict=True))
                for _ in range(ROUNDS):
                    table, parameters = draw_table(self.random), self.settings(None) or {}
                    permuted = tuple(table[CELLS.index(places[cell])] for cell in CELLS)
                    first, second = self.at(table, parameters), self.at(permuted, parameters)
                    if first is not None and second is not None and _breaks(image, first, second):
                        return f"{entry} does not turn M into {image} at {_shown([table])}"
        return None

    def unequal(self, text: str) -> str | None:
        """Return a table at which the formula is not a given one."""
        for _ in range(ROUNDS):
            table, parameters = draw_table(self.random), self.settings(None) or {}
            if self.differs(self.at(table, parameters), self.at(table, parameters, text)):
                return f"it is not {text} at {_shown([table])}"
        return None

    def elsewhere(self, key: str, text: str) -> str | None:
        """Return a table near which the formula does not tend to a limit."""
        for _ in range(2):
            # A logarithm of what is far is still small.
            table = SMALL if "log" in self.text else draw_table(self.random)
            parameters, gaps = self.settings(None) or {}, []
            for power in FAR:
                s = Fraction(1, 10**power)
                far = (*table[:3], 1 / s) if key == "tn_limit" else (s * table[0], s * table[1], *table[2:])
                value = self.at(far, parameters)
                limit = Fraction(0) if "oo" in text else self.at(table, parameters, text)
                gaps.append(None if value is None or limit is None else difference(value, limit))
            if None in gaps:
                continue
            if "oo" in text:
                wrong = sign_of(difference(gaps[1], gaps[0])) == (-1 if text == "oo" else 1)
            else:
                large = sign_of(difference(abs(gaps[1]), Fraction(1, 10**6)))
                wrong = large == 1 and sign_of(difference(abs(gaps[1]) * 2, abs(gaps[0]))) == 1
            if wrong:
                return f"it does not tend to {text} near {_shown([table])}"
        return None

    @staticmethod
    def differs(first: Value, second: Value) -> bool:
        """Whether two values certainly differ."""
        return first is not None and second is not None and sign_of(difference(first, second)) in (1, -1)


def _breaks(image: str, first: Value, second: Value) -> bool:
    relation = {"M": "=", "-M": "negates", "1/M": "inverts"}.get(image, "=")
    if image == "1-M":
        second = difference(Fraction(1), second)
    return Law(relation, _independent, lambda a, b: True).is_broken(first, second) is True


def holds(condition: str, values: Mapping[str, Fraction]) -> bool:
    """Whether a condition holds, such as ``a <= 1/3 or (b != 1 and a = b)``; its sides are formulas."""
    text = condition.strip()
    for joiner, combine in ((" or ", any), (" and ", all)):
        parts = _split(text, joiner)
        if len(parts) > 1:
            return combine(holds(part, values) for part in parts)
    if text.startswith("(") and (" and " in text or " or " in text):
        return holds(text[1:-1], values)
    for sign in ("<=", ">=", "!=", "<", ">", "="):
        left, found, right = text.partition(sign)
        if found:
            first, second = value_of(left.strip(), values), value_of(right.strip(), values)
            if first is None or second is None:
                return False
            order = sign_of(difference(first, second))
            accepted = {"<=": (-1, 0), ">=": (0, 1), "!=": (-1, 1, None), "<": (-1,), ">": (1,), "=": (0,)}
            return order in accepted[sign]
    return text == "always"


def _split(text: str, joiner: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0 and text.startswith(joiner, place):
            parts.append(text[start:place])
            start = place + len(joiner)
    return [*parts, text[start:]]


def _shown(tables: Any) -> str:
    return " and ".join(f"({', '.join(map(str, table))})" for table in tables)
