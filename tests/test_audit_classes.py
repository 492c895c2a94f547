"""Can the scores of many classes be true: the search by margins against all matrices one by one, and another solver."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from effort import is_thorough

import symmetrics as sm
from symmetrics.auditing.choosing import matrices_of
from symmetrics.auditing.margins import margins_of
from symmetrics.auditing.reported import Reported

Matrix = tuple[tuple[int, ...], ...]
PER_CLASS = ("precision", "recall", "f1", "specificity", "jaccard", "npv", "gmean", "phi_coefficient")
WHOLE = (
    "accuracy", "error_rate", "macro f1", "weighted f1", "macro precision", "weighted precision", "macro recall", "micro f1",
    "kappa", "mcc", "f_of_means", "balanced_accuracy", "av_acc", "mavg", "cba", "cen", "rci", "kappa_linear", "micro jaccard",
)  # fmt: skip


@cache
def every_matrix(n: int) -> list[Matrix]:
    """Return all 3 x 3 matrices of n examples."""
    found = []
    for bars in itertools.combinations(range(n + 8), 8):
        ends = (-1, *bars, n + 8)
        cells = [b - a - 1 for a, b in itertools.pairwise(ends)]
        found.append((tuple(cells[:3]), tuple(cells[3:6]), tuple(cells[6:])))
    return found


def exact_values(name: str, matrix: Any) -> list[Any]:
    """Return the exact values of a score: one for each class, or of the whole matrix; None where undefined."""
    n, k = sum(map(sum, matrix)), len(matrix)
    tables = []
    for i in range(k):
        tp, fn = matrix[i][i], sum(matrix[i]) - matrix[i][i]
        fp = sum(matrix[j][i] for j in range(k)) - tp
        tables.append((tp, fn, fp, n - tp - fn - fp))
    if name in sm.multiclass:
        values = [sm.multiclass[name].exact(matrix)]
    elif " " not in name:
        values = [sm.metrics[name].exact(*table) for table in tables]
    else:
        average, _, of = name.partition(" ")
        if average == "micro":
            values = [sm.metrics[of].exact(*map(sum, zip(*tables, strict=True)))]
        else:
            known = [(sm.metrics[of].exact(*table), table[0] + table[1]) for table in tables]
            known = [(value, size if average == "weighted" else 1) for value, size in known if value.is_finite]
            total = sum(weight for _, weight in known)
            values = [
                sum(value * weight for value, weight in known) / total
                if total
                else sm.metrics["recall"].exact(0, 0, 1, 1)
            ]
    return [value if value.is_finite else None for value in values]


def fits(value: Any, reported: Reported) -> bool:
    if value is None:
        return False
    near = float(value)
    if min(abs(near - float(reported.low)), abs(near - float(reported.high))) > 1e-9:
        return near in reported
    return value in reported


def agreeing(scores: dict[str, Any], matrices: list[Matrix]) -> list[Matrix]:
    """Return the matrices that agree, each looked at."""
    for name, texts in scores.items():
        wanted = [
            None if text is None else Reported.of(text) for text in (texts if isinstance(texts, list) else [texts])
        ]
        matrices = [
            matrix
            for matrix in matrices
            if all(
                reported is None or fits(value, reported)
                for value, reported in zip(exact_values(name, matrix), wanted, strict=True)
            )
        ]
    return matrices


def printed(value: Any, digits: int, drawn: random.Random) -> str:
    """Return a value rounded or cut off."""
    if drawn.random() < 0.5:
        return f"{float(value):.{digits}f}"
    return f"{math.trunc(float(value) * 10**digits + 1e-9) / 10**digits:.{digits}f}"


def moved(text: str, drawn: random.Random) -> str:
    """Return a printed value some units of the last digit away."""
    digits = len(text.partition(".")[2])
    return f"{float(text) + drawn.choice([-2, -1, 1, 2, 3]) * 10.0**-digits:.{digits}f}"


def key(matrix: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, margins_of(matrix).tolist()))


def random_scores(
    matrix: Any, drawn: random.Random, names: list[str], wholes: list[str], digits: int
) -> dict[str, Any]:
    scores: dict[str, Any] = {}
    for name in names:
        scores[name] = [
            None if value is None or drawn.random() < 0.15 else printed(value, digits, drawn)
            for value in exact_values(name, matrix)
        ]
    for name in wholes:
        (value,) = exact_values(name, matrix)
        if value is not None:
            scores[name if name in sm.multiclass or " " in name else f"macro {name}"] = printed(value, digits, drawn)
    return scores


def plant(scores: dict[str, Any], drawn: random.Random) -> bool:
    """Change one printed value; return whether there was one."""
    places = [
        (name, place)
        for name, texts in scores.items()
        for place, text in enumerate(texts)
        if isinstance(texts, list) and text
    ]
    places += [(name, None) for name, text in scores.items() if not isinstance(text, list)]
    if not places:
        return False
    name, place = drawn.choice(places)
    if place is None:
        scores[name] = moved(scores[name], drawn)
    else:
        scores[name][place] = moved(scores[name][place], drawn)
    return True


@pytest.mark.parametrize("seed", range(600 if is_thorough() else 30))
def test_all_diagonals_with_margins_are_found(seed: int) -> None:
    """Random scores of a 3 x 3 matrix, some a little off; sizes known, partly or not."""
    drawn = random.Random(seed)
    n = drawn.randint(1, 6 if is_thorough() else 5)
    matrix = drawn.choice(every_matrix(n))
    scores = random_scores(
        matrix,
        drawn,
        drawn.sample(PER_CLASS, drawn.randint(0, 3)),
        drawn.sample(WHOLE, drawn.randint(0, 3)),
        drawn.randint(1, 3),
    )
    if drawn.random() < 0.6:
        plant(scores, drawn)
    if not any(text for texts in scores.values() for text in (texts if isinstance(texts, list) else [texts])):
        return
    sizes = [sum(row) for row in matrix]
    support = drawn.choice([sizes, [None, *sizes[1:]], [None, None, None]])
    found = sm.audit(scores, n, support=support)
    every = [
        one for one in every_matrix(n) if all(size in (None, sum(row)) for size, row in zip(support, one, strict=True))
    ]
    expected = agreeing(scores, every)
    matrices = list(found.matrices)
    assert found.status == ("possible" if expected else "impossible")
    assert {key(one) for one in matrices} == {key(one) for one in expected}
    assert len(matrices) == len({key(one) for one in matrices})
    assert all(tuple(map(tuple, one)) in expected for one in matrices)
    assert found.example == (matrices[0] if matrices else None)
    if not expected and found.clash:
        left = {
            name: [text if f"{name} of class {place + 1}" in found.clash else None for place, text in enumerate(texts)]
            if isinstance(texts, list)
            else texts
            for name, texts in scores.items()
            if isinstance(texts, list) or name in found.clash
        }
        assert agreeing(left, every) == []
    if expected and seed % 3 == 0:
        for name in ("mcc", "cen", "macro f1"):
            values = [value for one in expected for value in exact_values(name, one) if value is not None]
            if values:
                bounds = found.bounds(name)
                assert all(any(bound.equals(value) for value in values) for bound in bounds)
                assert list(map(float, bounds)) == pytest.approx([min(map(float, values)), max(map(float, values))])
