"""Constant baselines of many classes decided: by two expectations that differ, or by the lemma on affine formulas."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from math import factorial, prod
from typing import Any, Final

from flint import ctx, fmpq
from sympy import Integer

from symmetrics.algebra.convert import Conversion, difference_of, element_expression, field_for
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.claims import Claim, Identity, value_symbol
from symmetrics.claims.evidence import Decision, Evidence, open_decision
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.families.matrix_baselines import ConstantMatrixBaseline
from symmetrics.claims.values import Baseline, Expectation
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import RESERVED_PREFIX
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.expectations import BITS, UNDEFINED
from symmetrics.prover.engine.leading import leading_term
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import UnsupportedError

Decide = Callable[[Claim], Decision]
Sums = tuple[int, ...]
Margins = tuple[Sums, Sums]
"""The sums of the rows, and of the columns."""
Matrix = tuple[int, ...]
MOST_MATRICES: Final = 1000
"""Baseline over more matrices are not looked at."""
EXAMPLES_BEFORE, EXAMPLES_AFTER = 1, 3
"""How many examples more than classes the matrices have that are compared before, and after, the lemma is tried."""
T, U = parameter_symbol(RESERVED_PREFIX + "t"), parameter_symbol(RESERVED_PREFIX + "u")


def decide(claim: ConstantMatrixBaseline, decide_part: Decide) -> Decision:
    """Decide whether the expectation at fixed sums of rows and columns is one number.

    :param decide_part: what decides a part
    """
    try:
        if claim.parameters:
            raise UnsupportedError("constant baselines of matrices are decided at given values of the parameters alone")
        if claim.subject.has(*UNDEFINED):
            raise UnsupportedError("the formula has no value")
        return _decided(claim, decide_part)
    except UnsupportedError as error:
        return open_decision(str(error))


def _decided(claim: ConstantMatrixBaseline, decide_part: Decide) -> Decision:
    few, more = claim.classes + EXAMPLES_BEFORE, claim.classes + EXAMPLES_AFTER
    # Values of the formula as written are the easiest to check, so that limits are used only where they are needed.
    exists = False
    for means in (_Means(claim, with_limits=False), _Means(claim, with_limits=True)):
        if different := means.first_difference(_margins(claim.classes, claim.classes, few)):
            return _refuted(different, means)
        if means.first and not exists and (found := _by_lemma(claim, decide_part, means.first)):
            return found
        exists = exists or means.first is not None
        if different := means.first_difference(_margins(claim.classes, few + 1, more)):
            return _refuted(different, means)
    if not exists:
        raise UnsupportedError("no limits of M at matrices with zeros were found, so that no expectation is known")
    raise UnsupportedError(
        f"all expectations up to n = {more} that were computed agree, but M is not shown to be affine at fixed sums of "
        "rows and columns, so that nothing is known about larger n"
    )


def _refuted(different: tuple[Margins, Margins], means: _Means) -> Decision:
    pairs = [(means.means[margins], *margins) for margins in different]
    found = Baseline(tuple(Expectation(str(mean), rows=rows, columns=columns) for mean, rows, columns in pairs))
    is_plain = not means.with_limits or bool(means.claim.subject.is_rational_function(*means.claim.arguments))
    exact = is_plain and all(isinstance(mean, fmpq) for mean, *_ in pairs)
    evidence = Evidence("expectations of matrices", {"margins": [[list(sums) for sums in one] for one in different]})
    return Decision("refuted", False, evidence, found=found if exact else None)


# -- expectations ------------------------------------------------------------------------------------------------------


def _margins(classes: int, least: int, most: int) -> Iterator[Margins]:
    """Yield sums of rows and columns of so many examples, the fewest first; of more than a few the ordered ones."""
    for n in range(least, most + 1):
        sums = [s for s in itertools.product(range(1, n - classes + 2), repeat=classes) if sum(s) == n]
        ordered = [s for s in sums if list(s) == sorted(s)]
        yield from itertools.product(sums if n <= classes + EXAMPLES_BEFORE else ordered, repeat=2)


def matrices_of(rows: Sums, columns: Sums) -> Iterator[tuple[fmpq, Matrix]]:
    """Yield the matrices with given sums, row by row, each with its probability.

    >>> list(matrices_of((1, 1), (1, 1)))
    [(1/2, (0, 1, 1, 0)), (1/2, (1, 0, 0, 1))]
    """
    total = prod(map(factorial, (*rows, *columns)))
    for matrix in _filled(rows, columns):
        yield fmpq(total, factorial(sum(rows)) * prod(map(factorial, matrix))), matrix


def _filled(rows: Sums, columns: Sums) -> Iterator[Matrix]:
    if len(rows) == 1:
        yield columns
        return
    for row in itertools.product(*(range(min(rows[0], column) + 1) for column in columns)):
        if sum(row) == rows[0]:
            left = tuple(column - entry for column, entry in zip(columns, row, strict=True))
            for rest in _filled(rows[1:], left):
                yield (*row, *rest)


class _Means:
    """The expectations of a formula, each value of it computed once.

    :param with_limits: whether limits count as values where the formula as written has none
    """

    def __init__(self, claim: ConstantMatrixBaseline, *, with_limits: bool) -> None:
        self.claim = claim
        self.with_limits = with_limits
        self.evaluate = Evaluator(claim.subject, claim.arguments)
        self.values: dict[Matrix, Any] = {}
        self.first: Margins | None = None
        """The first sums whose expectation is known to exist."""
        self.means: dict[Margins, Any] = {}

    def first_difference(self, candidates: Iterable[Margins]) -> tuple[Margins, Margins] | None:
        """Return the first sums with an expectation, and the first ones whose expectation is certain to differ."""
        for margins in candidates:
            mean = self.mean(margins)
            if mean is None:
                continue
            self.means[margins] = mean
            self.first = self.first or margins
            # Balls that do not meet hold different numbers.
            if mean != self.means[self.first]:
                return self.first, margins
        return None

    def mean(self, margins: Margins) -> Any:
        """Return an expectation, a rational number or a ball, or None if it is not known to exist."""
        saved, ctx.prec = ctx.prec, BITS
        try:
            total: Any = fmpq(0)
            for count, (weight, matrix) in enumerate(matrices_of(*margins)):
                checkpoint()
                if count == MOST_MATRICES or (value := self._value(matrix)) is None:
                    return None
                total = total + weight * value
            return total
        finally:
            ctx.prec = saved

    def _value(self, matrix: Matrix) -> Any:
        if matrix not in self.values:
            value = self._computed(matrix)
            self.values[matrix] = (
                value if isinstance(value, fmpq) or (value is not None and value.is_finite()) else None
            )
        return self.values[matrix]

    def _computed(self, matrix: Matrix) -> Any:
        try:
            return self.evaluate(*matrix)
        except Undefined:
            return self._limit(matrix) if self.with_limits else None

    def _limit(self, matrix: Matrix) -> Any:
        """Return the limit along a straight line; that it is one along every path is for the checker to confirm."""
        place = {e: Integer(n) if n else STEP for e, n in zip(self.claim.arguments, matrix, strict=True)}
        try:
            limit = leading_term(self.claim.subject, (), place, self.claim.over).limit
            return Evaluator(limit, ())() if limit.is_finite else None
        except (UnsupportedError, Undefined):
            return None


# -- the lemma -------------------------------------------------------------------------------------------------------


def _by_lemma(claim: ConstantMatrixBaseline, decide_part: Decide, margins: Margins) -> Decision | None:
    """Return the proof for a formula that is affine at fixed sums and constant at rank one, None for others.

    :param margins: sums whose expectation exists
    """
    decisions = {}
    for name, part in parts_of(claim).items():
        decisions[name] = decide_part(part)
        if decisions[name].status != "proved":
            return None
        if difference_of(part.sides, part.difference, field_for((), over=part.names)).field.conditions:
            return None
    field = field_for((), (), claim.over)
    example = claim.subject.xreplace(dict(zip(claim.arguments, _example(claim.classes), strict=True)))
    mean = formula_text(element_expression(field.reduce(Conversion(field)(example)), field))
    records = {name: decision.record() for name, decision in decisions.items()}
    data = {"parts": records, "margins": [list(sums) for sums in margins]}
    return Decision("proved", True, Evidence("affine in matrices", data), found=Baseline((Expectation(mean),)))


def parts_of(claim: ConstantMatrixBaseline) -> dict[str, Identity]:
    """Return what the lemma asks for: constancy at rank one, and that mixed second differences vanish.

    The differences are along all pairs of the moves that keep the sums: one example more at C[1, 1] and C[i, j], one
    less at C[1, j] and C[i, 1].
    """
    k, entries = claim.classes, claim.arguments
    factors = [parameter_symbol(f"{RESERVED_PREFIX}a{place + 1}") for place in range(1, k)]
    rank_one = tuple(factor * entry for factor in (Integer(1), *factors) for entry in entries[:k])
    tables = (rank_one, _example(k))
    parts = {"independence": Identity(claim.subject, (), tables, tuple(factors), over=claim.over)}
    moves = {(i, j): _move(k, i, j) for i in range(1, k) for j in range(1, k)}
    values = [value_symbol(place) for place in range(4)]
    relation = values[0] - values[1] - values[2] + values[3]
    for first, second in itertools.combinations_with_replacement(moves, 2):
        steps = list(zip(entries, moves[first], moves[second], strict=True))
        start = [entry + T * max(-one, 0) + U * max(-other, 0) for entry, one, other in steps]
        points = tuple(
            tuple(cell + a * T * one + b * U * other for cell, (_, one, other) in zip(start, steps, strict=True))
            for a, b in itertools.product((0, 1), repeat=2)
        )
        name = f"affinity {_name(*first)} {_name(*second)}"
        parts[name] = Identity(claim.subject, (), points, (T, U), relation, over=claim.over)
    return parts


def _name(row: int, column: int) -> str:
    return f"({row + 1}, {column + 1})"


def _move(classes: int, row: int, column: int) -> tuple[int, ...]:
    changes = {(0, 0): 1, (row, column): 1, (0, column): -1, (row, 0): -1}
    return tuple(changes.get((i, j), 0) for i in range(classes) for j in range(classes))


def _example(classes: int) -> tuple[Integer, ...]:
    """Return a matrix of rank one whose sums are all different, so that few formulas have a pole there."""
    return tuple(Integer((row + 1) * (column + 2)) for row in range(classes) for column in range(classes))
