"""Verdicts on constant baselines of many classes re-verified."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import factorial
from typing import Any, Final

from sympy import Expr, Integer, S, Symbol

from symmetrics.checker.engine.coefficients import difference_in
from symmetrics.checker.engine.expansions import require_value
from symmetrics.checker.engine.germs import Limits
from symmetrics.checker.engine.parts import is_open, one_mean, read_part, require_outcome
from symmetrics.checker.engine.requirements import require, require_kind, require_names
from symmetrics.checker.engine.values import Number, at_high_precision, is_same, sign_of, value_at
from symmetrics.claims import Identity, value_symbol
from symmetrics.claims.families.matrix_baselines import ConstantMatrixBaseline
from symmetrics.claims.values import Baseline, Expectation
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import RESERVED_PREFIX, parse_formula
from symmetrics.tools.errors import CertificateError

Check = Callable[[Verdict], None]
Sums = tuple[int, ...]
MOST_MATRICES: Final = 5000
"""Most matrices of which a mean is taken."""
LARGEST_TOTAL: Final = 40


def check(verdict: Verdict, claim: ConstantMatrixBaseline, check_part: Check) -> None:
    """Re-verify the verdict on a constant baseline of a formula without parameters.

    :param check_part: what re-verifies the verdict on a part
    """
    require_kind(verdict, proved={"affine in matrices"}, refuted={"expectations of matrices"})
    require_names(claim.over, [p.name for p in claim.parameters])
    if is_open(verdict, claim):
        return
    require_outcome(verdict, claim, S.true if verdict.status == "proved" else S.false)
    require(not claim.parameters, "expectations over matrices do not settle every parameter")
    with at_high_precision():
        if verdict.status == "proved":
            _check_affine(verdict, claim, check_part)
        else:
            _check_expectations(verdict, claim)


def _check_affine(verdict: Verdict, claim: ConstantMatrixBaseline, check_part: Check) -> None:
    """Check the conditions of the lemma, that E[M] exists for some sums, and that it is the claimed number there."""
    data = verdict.evidence.data
    require(set(data) == {"parts", "margins"}, "an entry is missing, or means nothing")
    stated = dict(_stated(claim))
    require(set(data["parts"]) == set(stated), "a part of the proof is missing, or is of something else")
    for name, part_claim in stated.items():
        part = read_part(data["parts"][name], part_claim)
        require(part.status == "proved" and part.evidence.kind == "identity", "a part of the proof is not proved")
        check_part(part)
        arithmetic, _ = difference_in(part_claim, part.evidence.data)
        require(not arithmetic.conditions, "the formula is not real everywhere")
    value = parse_formula(one_mean(verdict), (), claim.over)
    require(not value.free_symbols, "the baseline is no number")
    require_value(value, claim.subject, (), claim.over)
    place = dict(zip(claim.arguments, _outer(claim.classes), strict=True))
    require(is_same(claim.subject.xreplace(place), value), "the baseline has another value")
    numbers = Limits(())
    found = _mean(claim, data["margins"], numbers)
    gap = numbers.add(found, numbers.multiply(numbers.at(value, {}), Fraction(-1)))
    require(sign_of(gap) not in (1, -1), "the expectation is another one")


def _stated(claim: ConstantMatrixBaseline) -> Iterator[tuple[str, Identity]]:
    """Yield the identities of the lemma: at rank one M is constant, and at fixed sums it is affine."""
    k, entries = claim.classes, claim.arguments
    factors = tuple(parameter_symbol(f"{RESERVED_PREFIX}a{place}") for place in range(2, k + 1))
    rows = [entries[:k], *(tuple(factor * entry for entry in entries[:k]) for factor in factors)]
    rank_one = tuple(cell for row in rows for cell in row)
    yield "independence", Identity(claim.subject, (), (rank_one, _outer(k)), factors, over=claim.over)
    t, u = steps = parameter_symbol(f"{RESERVED_PREFIX}t"), parameter_symbol(f"{RESERVED_PREFIX}u")
    first, second, third, fourth = (value_symbol(place) for place in range(4))
    moves = [(row, column) for row in range(2, k + 1) for column in range(2, k + 1)]
    for place, one in enumerate(moves):
        for other in moves[place:]:
            less = dict.fromkeys(range(k * k), Integer(0))
            ways: list[dict[int, Expr]] = []
            for (row, column), step in ((one, t), (other, u)):
                corner, across, down, opposite = 0, column - 1, (row - 1) * k, (row - 1) * k + column - 1
                ways.append({corner: step, opposite: step, across: -step, down: -step})
                for lowered in (across, down):
                    less[lowered] += step
            start = {at: entry + less[at] for at, entry in enumerate(entries)}
            points = tuple(
                tuple(start[at] + sum((way.get(at, Integer(0)) for way in chosen), Integer(0)) for at in start)
                for chosen in ([], ways[1:], ways[:1], ways)
            )
            relation = (first + fourth) - (second + third)
            yield f"affinity {one} {other}", Identity(claim.subject, (), points, steps, relation, over=claim.over)


def _outer(classes: int) -> tuple[Integer, ...]:
    """Return the matrix whose row i is i times (2, 3, 4, ...)."""
    return tuple(Integer(row * column) for row in range(1, classes + 1) for column in range(2, classes + 2))


def _check_expectations(verdict: Verdict, claim: ConstantMatrixBaseline) -> None:
    """Check that the expectations at two pairs of sums differ."""
    data = verdict.evidence.data
    require(set(data) == {"margins"} and len(data["margins"]) == 2, "there are not the sums of two matrices")
    numbers = Limits(())
    left, right = (_mean(claim, margins, numbers) for margins in data["margins"])
    require(sign_of(numbers.add(left, numbers.multiply(right, Fraction(-1)))) in (1, -1), "no difference is shown")
    if verdict.found is not None:
        require(isinstance(left, Fraction) and isinstance(right, Fraction), "the expectations are not rational")
        means = (
            Expectation(str(mean), rows=tuple(rows), columns=tuple(columns))
            for mean, (rows, columns) in zip((left, right), data["margins"], strict=True)
        )
        require(verdict.found == Baseline(tuple(means)), "the expectations are others")


def _mean(claim: ConstantMatrixBaseline, margins: Sequence[Any], numbers: Limits) -> Any:
    """Return the mean of a formula over the matrices with given sums, after checking that it has one."""
    rows, columns = _sums(claim, margins)
    ways, total = Fraction(0), factorial(sum(rows))
    mean: Any = Fraction(0)
    for count, matrix in enumerate(_matrices(rows, columns)):
        require(count < MOST_MATRICES, "there are too many matrices with the sums of the certificate")
        weight = _orders(matrix, rows, columns)
        ways += weight
        value = _value(claim, dict(zip(claim.arguments, map(Fraction, matrix), strict=True)), numbers)
        mean = numbers.add(mean, numbers.multiply(Fraction(weight, total), value))
    require(ways == total, "the probabilities do not add up to one")
    return mean


def _value(claim: ConstantMatrixBaseline, matrix: Mapping[Symbol, Fraction], numbers: Limits) -> Number:
    """Return the value of a formula at a matrix: as it is written, where it is continuous, or the limit there."""
    try:
        return value_at(claim.subject, matrix)
    except CertificateError:
        return numbers.at(claim.subject, matrix)


def _orders(matrix: Sequence[int], rows: Sums, columns: Sums) -> int:
    """Return in how many of all orders of the predictions a matrix comes about."""
    ways = 1
    for margin in (*rows, *columns):
        ways *= factorial(margin)
    for entry in matrix:
        ways //= factorial(entry)
    return ways


def _matrices(rows: Sums, columns: Sums) -> Iterator[tuple[int, ...]]:
    """Yield the matrices of whole numbers with given sums, entry by entry."""

    def filled(start: tuple[int, ...], left: Mapping[int, int], rest: int) -> Iterator[tuple[int, ...]]:
        row, column = divmod(len(start), len(columns))
        if row == len(rows):
            yield start
            return
        last = column == len(columns) - 1
        for entry in range(min(rest, left[column]) + 1):
            if last and entry != rest:
                continue
            following = (rows[row + 1] if row + 1 < len(rows) else 0) if last else rest - entry
            yield from filled((*start, entry), {**left, column: left[column] - entry}, following)

    for matrix in filled((), dict(enumerate(columns)), rows[0]):
        if all(sum(matrix[place :: len(columns)]) == column for place, column in enumerate(columns)):
            yield matrix


def _sums(claim: ConstantMatrixBaseline, margins: Sequence[Any]) -> tuple[Sums, Sums]:
    require(len(margins) == 2, "there are not sums of rows and of columns")
    for sums in margins:
        whole = all(type(count) is int and count >= 1 for count in sums)
        require(whole and len(sums) == claim.classes, "sums of rows or columns are not whole numbers of at least 1")
    rows, columns = (tuple(sums) for sums in margins)
    require(sum(rows) == sum(columns) <= LARGEST_TOTAL, "the sums have different totals, or too large ones")
    return rows, columns
