"""Spaces of invariance, symmetry groups and ratios, by linear algebra of its own at given values of the parameters.

Slopes come from forward differentiation in fractions and intervals.  A direction counts as left out by a verdict only
if moving along it leaves the formula unchanged at many random tables.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from fuzz_conditions import Said, case_at, cases_at, holds, split
from fuzz_formulas import CELLS, difference, draw_count, draw_table, sign_of, value_of
from fuzz_laws import Table, breaks, shown
from fuzz_slopes import exact_of, slopes_of

if TYPE_CHECKING:
    from fuzz_judge import Judge

ROUNDS = 12
MANY = 40
"""Tables at which something holds, so that it is believed to hold at all."""
AT_LEAST = "at least "
Row = Sequence[Fraction]
Parameters = Mapping[str, Fraction]


# -- linear algebra ------------------------------------------------------------------------------------------------


def reduced(rows: Iterable[Row], tolerance: Fraction = Fraction(0)) -> list[list[Fraction]]:
    """Return the reduced row echelon form of rows, without the zero rows."""
    left = [list(row) for row in rows]
    found: list[list[Fraction]] = []
    for column in range(len(left[0]) if left else 0):
        pivot = max(left, key=lambda row: abs(row[column]), default=None)
        if pivot is None or abs(pivot[column]) <= tolerance:
            continue
        left.remove(pivot)
        pivot = [entry / pivot[column] for entry in pivot]
        left = [[a - row[column] * b for a, b in zip(row, pivot, strict=True)] for row in left]
        found = [[a - row[column] * b for a, b in zip(row, pivot, strict=True)] for row in found] + [pivot]
    return found


def kernel(rows: Sequence[Row], size: int, tolerance: Fraction = Fraction(0)) -> list[list[Fraction]]:
    """Return a basis of the vectors to which all rows are orthogonal."""
    echelon = reduced(rows, tolerance)
    leading = [next(i for i, entry in enumerate(row) if abs(entry) > tolerance) for row in echelon]
    basis = []
    for free in (place for place in range(size) if place not in leading):
        vector = [Fraction(0)] * size
        vector[free] = Fraction(1)
        for place, row in zip(leading, echelon, strict=True):
            vector[place] = -row[free]
        basis.append(vector)
    return basis


def rank(rows: Sequence[Row]) -> int:
    """Return the rank of rows."""
    return len(reduced(rows))


# -- spaces --------------------------------------------------------------------------------------------------------


def on_a_space(judge: Judge, said: Said) -> str | None:
    """Return a direction that is said to leave the formula unchanged and does not, or one that is left out."""
    for _ in range(3):
        parameters = judge.special(said.value, said.condition)
        for case in cases_at(said.value or "", parameters):
            if (reason := _wrong_space(judge, said, case, parameters)) is not None:
                return reason
    return None


def _wrong_space(judge: Judge, said: Said, case: str, parameters: Parameters) -> str | None:
    listed, scales = stated_space(case, parameters), said.key == "scaling_space"
    if listed is None:
        return f"the space {case} cannot be read with {parameters}"
    found = whole(listed)
    if found is not None and (reason := moved(judge, found, parameters, scales=scales)):
        return f"{reason}, along one of {case}"
    if not case.startswith(AT_LEAST):
        own = [v for v in own_space(judge, parameters, scales=scales) if rank([*listed, v]) > rank(listed)]
        for vector in whole(own) or []:
            if is_invariant(judge, vector, parameters, scales=scales):
                return f"({', '.join(map(str, vector))}) leaves it unchanged, too, with {parameters}: {case} is not all"
    is_some = any(map(any, listed))
    if said.at(parameters) != is_some and (is_some or not case.startswith(AT_LEAST)):
        return f"with {parameters} it is said to be {case}, and to {'hold' if said.at(parameters) else 'fail'}"
    return None


def stated_space(text: str, parameters: Parameters) -> list[list[Fraction]] | None:
    """Return the vectors of ``span{(1, 0, 0, -1), ...}`` at some parameters, or None if it cannot be read."""
    bare = text.removeprefix(AT_LEAST)
    if bare == "{0}":
        return []
    found = re.fullmatch(r"span\{(.+)\}", bare)
    if found is None:
        return None
    vectors = []
    for vector in split(found[1], ", "):
        try:
            entries = [value_of(entry, parameters) for entry in split(vector[1:-1], ", ")]
        except (SyntaxError, KeyError, TypeError):
            return None
        if len(entries) != 4 or not all(isinstance(entry, Fraction) for entry in entries):
            return None
        vectors.append(entries)
    return vectors


def whole(vectors: Iterable[Row]) -> list[tuple[int, ...]] | None:
    """Return vectors on the same lines with whole entries."""
    found = []
    for vector in vectors:
        factor = math.lcm(*(entry.denominator for entry in vector))
        entries = [int(entry * factor) for entry in vector]
        common = math.gcd(*entries) or 1
        found.append(tuple(entry // common for entry in entries))
    # Powers with huge exponents say nothing in reasonable time.
    return found if all(abs(entry) < 1000 for vector in found for entry in vector) else None


def moved(judge: Judge, vectors: Iterable[Sequence[int]], parameters: Parameters, *, scales: bool) -> str | None:
    """Return tables between which a formula changes along one of some directions."""
    for vector in vectors:
        for _ in range(ROUNDS):
            table, image = pair_along(judge, vector, scales=scales)
            first, second = judge.at(table, parameters), judge.at(image, parameters)
            if min(image) > 0 and None not in (first, second) and sign_of(difference(first, second)) in (1, -1):
                return f"it changes from {shown([table])} to {shown([image])} with {parameters}"
    return None


def pair_along(judge: Judge, vector: Sequence[int], *, scales: bool) -> tuple[Table, Table]:
    """Return a table and one that lies further in a direction."""
    table, step = draw_table(judge.random), draw_count(judge.random)
    if scales:
        step = Fraction(judge.random.randint(1, 9), judge.random.randint(1, 9)) if max(map(abs, vector)) > 9 else step
        return table, tuple(count * step**entry for count, entry in zip(table, vector, strict=True))
    if judge.random.random() < 0.5:
        step = min(table) * Fraction(judge.random.randint(1, 9), 10) / max(1, *map(abs, vector))
    return table, tuple(count + step * entry for count, entry in zip(table, vector, strict=True))


def is_invariant(judge: Judge, vector: Sequence[int], parameters: Parameters, *, scales: bool) -> bool:
    """Whether a formula is the same along a direction at many tables."""
    same = 0
    for _ in range(4 * MANY):
        table, image = pair_along(judge, vector, scales=scales)
        if min(image) <= 0:
            continue
        first, second = judge.at(table, parameters), judge.at(image, parameters)
        if first is None or second is None:
            continue
        if sign_of(difference(first, second)) in (1, -1):
            return False
        same += 1
    return same >= MANY // 2


def own_space(judge: Judge, parameters: Parameters, *, scales: bool) -> list[list[Fraction]]:
    """Return what the slopes at random tables suggest; only rational vectors, of small entries beyond the fractions."""
    rows, rough = [], False
    for _ in range(10):
        table = tuple(Fraction(judge.random.randint(1, 99), judge.random.randint(1, 9)) for _ in CELLS)
        slopes = slopes_of(judge.text, dict(zip(CELLS, table, strict=True)) | dict(parameters))
        if slopes is None:
            continue
        rough |= not all(isinstance(slope, Fraction) for slope in slopes)
        row = [exact_of(slope) * (count if scales else 1) for slope, count in zip(slopes, table, strict=True)]
        size = max(map(abs, row))
        rows.append([entry / size for entry in row] if size else row)
    if len(rows) < 6:
        return []
    basis = kernel(rows, 4, Fraction(1, 10**60) if rough else Fraction(0))
    if not rough:
        return basis
    rounded = [[entry.limit_denominator(10**4) for entry in vector] for vector in basis]
    close = Fraction(1, 10**50)
    pairs = zip(itertools.chain(*basis), itertools.chain(*rounded), strict=True)
    return rounded if all(abs(a - b) < close for a, b in pairs) else []


# -- groups and ratios ---------------------------------------------------------------------------------------------


def on_a_group(judge: Judge, said: Said) -> str | None:
    """Return a permutation that is listed and is no symmetry, or one that is left out."""
    parameters = judge.special(said.value, said.condition)
    value = in_force(said.value or "", parameters)
    if value is None:
        return None
    listed = listed_symmetries(value, parameters)
    for image, order in itertools.product(("M", "1-M", "-M", "1/M"), itertools.permutations(range(4))):
        same = broken = 0
        for _ in range(ROUNDS if (image, order) in listed else MANY):
            table = draw_table(judge.random)
            permuted = tuple(table[place] for place in order)
            first, second = judge.at(table, parameters), judge.at(permuted, parameters)
            if first is None or second is None:
                continue
            found = breaks(image, first, second)
            same += found is False
            if found:
                broken += 1
                break
        if broken and (image, order) in listed:
            return f"{_named(order)} does not turn M into {image} at {shown([table])} with {parameters}"
        if not broken and same >= MANY // 2 and (image, order) not in listed:
            return f"{_named(order)} turns M into {image} with {parameters}, and is not listed"
    if said.at(parameters) != (len(listed) > 1):
        holding = "hold" if said.at(parameters) else "fail"
        return f"with {parameters} {len(listed)} symmetries are listed, and it is said to {holding}"
    return None


def in_force(text: str, parameters: Parameters) -> str | None:
    """Return a value without what says that it is that at the defaults; None if the parameters are others.

    Without parameters, the defaults are meant.
    """
    at_defaults = re.match(r"at ([^:]+): ", text)
    if at_defaults is None:
        return text
    if parameters and not holds(at_defaults[1].replace(", ", " and "), parameters):
        return None
    return text[at_defaults.end() :]


def listed_symmetries(text: str, parameters: Parameters) -> set[tuple[str, tuple[int, ...]]]:
    """Return the symmetries that ``M: identity, (FN FP) if w = 1/2; -M: all if w = 0`` lists at some parameters."""
    listed = {("M", (0, 1, 2, 3))}
    for line in split(text, "; "):
        image, _, entries = line.partition(": ")
        for entry in split(entries, ", "):
            name, _, condition = entry.partition(" if ")
            if condition and not holds(condition, parameters):
                continue
            if name == "all":
                listed |= {(image, order) for order in itertools.permutations(range(4))}
            else:
                listed.add((image, _order(name)))
    return listed


def _order(cycles: str) -> tuple[int, ...]:
    places = dict(zip(CELLS, CELLS, strict=True))
    for cycle in re.findall(r"\(([^)]*)\)", cycles):
        names = cycle.split()
        places |= dict(zip(names, names[1:] + names[:1], strict=True))
    return tuple(CELLS.index(places[cell]) for cell in CELLS)


def _named(order: Sequence[int]) -> str:
    return f"the exchange of {', '.join(CELLS)} for {', '.join(CELLS[place] for place in order)}"


def on_a_ratio(judge: Judge, said: Said) -> str | None:
    """Return parameters at which a formula is no ratio of linear forms, is one against the verdict, or is another."""
    parameters = judge.special(said.value, said.condition)
    is_said = said.at(parameters)
    rows = []
    for _ in range(24):
        table = tuple(Fraction(judge.random.randint(1, 99), judge.random.randint(1, 9)) for _ in CELLS)
        found = judge.at(table, parameters)
        if isinstance(found, Fraction):
            rows.append([*table, *(-found * count for count in table)])
    if len(rows) >= 12:
        full = rank(rows) == 8
        if full and is_said:
            return f"it is no ratio of linear forms with {parameters}"
        if not full and not is_said and _fits(judge, kernel(rows, 8)[0], parameters):
            return f"it is a ratio of linear forms with {parameters}"
    case = None if said.value is None else case_at(said.value, parameters)
    if case is None or not is_said:
        return None
    for _ in range(ROUNDS):
        table = draw_table(judge.random)
        first, second = judge.at(table, parameters), judge.at(table, parameters, case)
        if first is not None and second is not None and sign_of(difference(first, second)) in (1, -1):
            return f"it is not {case} at {shown([table])} with {parameters}"
    return None


def _fits(judge: Judge, forms: Row, parameters: Parameters) -> bool:
    tried = 0
    for _ in range(MANY):
        table = draw_table(judge.random)
        value = judge.at(table, parameters)
        if isinstance(value, Fraction):
            tried += 1
            if sum(a * x for a, x in zip(forms, [*table, *(-value * x for x in table)], strict=True)) != 0:
                return False
    return tried >= MANY // 2


LAWS: dict[str, Callable[[Judge, Said], str | None]] = {
    "translation_space": on_a_space,
    "scaling_space": on_a_space,
    "symmetry_group": on_a_group,
    "decomposable": on_a_ratio,
}
