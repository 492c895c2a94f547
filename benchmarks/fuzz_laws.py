"""What each property that compares values says, written down a second time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from fuzz_formulas import CELLS, Value, difference, draw_count, draw_table, interval, sign_of

Table = tuple[Fraction, ...]
Draw = Callable[[Random], tuple[Table, Table]]


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
    "no_imbalance_bias": (_image(_balanced),),
    **{name: (law,) for name, law in IN_ONE_CELL.items()},
    "strongly_monotone": tuple(IN_ONE_CELL.values()),
    "monotone": (_step(("FN", -1), ("TP", 1)), _step(("FP", -1), ("TN", 1))),
    "margins_decrease": (_step(("FN", -1), ("TN", 1)), _step(("FP", -1), ("TN", 1))),
    "agreement_increases": (_step(("FN", -1), ("FP", -1), ("TP", 1), ("TN", 1)),),
}
ANTISYMMETRIC = {relation: (_image(ROWS, relation), _image(COLUMNS, relation)) for relation in ("negates", "inverts")}


def breaks(image: str, first: Value, second: Value) -> bool | None:
    """Whether the values at two tables violate that the second is M, 1-M, -M or 1/M of the first; None if uncertain."""
    relation = {"M": "=", "-M": "negates", "1/M": "inverts"}.get(image, "=")
    if image == "1-M":
        second = difference(Fraction(1), second)
    return Law(relation, _independent, lambda a, b: True).is_broken(first, second)


def shown(tables: Iterable[Iterable[Fraction]]) -> str:
    """Write tables."""
    return " and ".join(f"({', '.join(map(str, table))})" for table in tables)
