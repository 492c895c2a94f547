"""The symmetry group: which permutations of the cells turn M into M, 1 - M, -M or 1/M."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from flint import ctx, fmpq
from sympy import And, Or, Rational, S
from sympy.logic.boolalg import Boolean

from symmetrics.algebra.convert import field_for
from symmetrics.algebra.evaluate import Evaluator, Undefined, Value
from symmetrics.algebra.field import Element, Field
from symmetrics.cells import CELLS
from symmetrics.claims.structure import (
    IDENTITY,
    PERMUTATIONS,
    SYMMETRY_PAIRS,
    Pair,
    Permutation,
    SymmetryGroup,
    cycles,
    group_text,
    inverse,
)
from symmetrics.errors import UnsupportedError
from symmetrics.prover.equations import decide_identity
from symmetrics.prover.minors import is_never_zero, polynomial_row, values_at
from symmetrics.prover.parts import part_record
from symmetrics.verdict import Decision, Evidence

__all__ = ["decide_symmetry_group"]

TABLES: Final = ((2, 3, 5, 11), (1, 4, 9, 30), (7, 8, 10, 13), (40, 1, 3, 6))
"""Tables with four different counts: each is looked at in all 24 orders."""
SQUARE_TABLES: Final = (
    *((144, 400, 441, 1225), (1, 81, 169, 13689), (225, 1600, 1764, 12544), (484, 2304, 3025, 14400)),
    *TABLES,
)
"""The same for formulas with parameters, after some at which roots of TP*TN/(P*N) are rational in every order."""
PRECISIONS: Final = (64, 256)


def decide_symmetry_group(claim: SymmetryGroup) -> Decision:
    """Decide which permutations are symmetries, and whether there is one beside the identity.

    Most pairs of a permutation and an image are refuted by values at a few tables; the rest are decided as identities.
    """
    pairs = SYMMETRY_PAIRS
    try:
        left, tables = _at_parameters(claim, pairs) if claim.parameters else _at_tables(claim, pairs, TABLES)
    except UnsupportedError:
        left, tables = list(pairs), []
    decided = {pair: decide_identity(claim.part(*pair)) for pair in left}
    if not claim.parameters:
        # The counterexamples found on the way are tables as well, and one of them may settle several pairs.
        refuted = [pair for pair, decision in decided.items() if decision.status == "refuted"]
        found = [decided[pair].witness for pair in refuted]
        _, more = _at_tables(claim, refuted, (witness.tables[0] for witness in found if witness is not None))
        tables += more
        decided = {pair: decision for pair, decision in decided.items() if pair not in refuted}
    return _summary(claim, decided, tables)


Tables = list[list[int | str]]


def _at_tables(
    claim: SymmetryGroup, pairs: Sequence[Pair], tables: Iterable[Sequence[int | Rational]]
) -> tuple[list[Pair], Tables]:
    """Return the pairs that no table refutes, and the tables that refute the others."""
    evaluate = Evaluator(claim.subject, CELLS)
    left, used = list(pairs), Tables()
    for table in tables:
        counts = [fmpq(int(Rational(count).p), int(Rational(count).q)) for count in table]
        kept = left
        for bits in PRECISIONS if left else ():
            values = _values(evaluate, counts, bits)
            kept = [pair for pair in kept if not _refutes(values, pair)]
            if not kept or all(isinstance(value, fmpq) for value in values.values()):
                break
        if len(kept) < len(left):
            used.append([int(count) if count == int(count) else str(count) for count in table])
        left = kept
    return left, used


def _values(evaluate: Evaluator, table: Sequence[fmpq], bits: int) -> dict[Permutation, Value]:
    saved, ctx.prec = ctx.prec, bits
    values = {}
    try:
        for permutation in PERMUTATIONS:
            try:
                values[permutation] = evaluate(*(table[place] for place in permutation))
            except Undefined:
                continue
    finally:
        ctx.prec = saved
    return values


def _refutes(values: Mapping[Permutation, Value], pair: Pair) -> bool:
    permutation, image = pair
    first, second = values.get(IDENTITY), values.get(permutation)
    if first is None or second is None:
        return False
    gap = {
        "M": lambda: first - second,
        "1-M": lambda: first + second - 1,
        "-M": lambda: first + second,
        "1/M": lambda: first * second - 1,
    }[image]()
    return bool(gap > 0 or gap < 0)


def _at_parameters(claim: SymmetryGroup, pairs: Sequence[Pair]) -> tuple[list[Pair], Tables]:
    """Return the pairs that tables do not refute for all values of the parameters, and the tables.

    With one parameter a pair is refuted where what divides all its numerators is nowhere zero, otherwise where one
    numerator is.
    """
    field = field_for(claim.parameters)
    common = dict.fromkeys(pairs, field.context.constant(0))
    used = Tables()
    for table in SQUARE_TABLES:
        values = dict(_elements(claim, table, field))
        if len(values) < len(PERMUTATIONS):
            continue
        before = dict(common)
        for pair, known in before.items():
            numerator = _numerator(values, pair, field)
            if len(claim.parameters) == 1 and numerator:
                common[pair] = known.gcd(numerator)
            if is_never_zero(common[pair] if len(claim.parameters) == 1 else numerator, field):
                del common[pair]
        if common != before:
            used.append(list(table))
        if not common:
            break
    return list(common), used


def _elements(claim: SymmetryGroup, table: Sequence[int], field: Field) -> Iterator[tuple[Permutation, Element]]:
    """Yield the value in each order, as far as it exists and is rational for all values of the parameters."""
    for permutation in PERMUTATIONS:
        counts = [table[place] for place in permutation]
        elements = values_at([claim.subject], counts, field)
        if elements is not None and polynomial_row(elements, field, claim.part(IDENTITY, "M").denominators) is not None:
            yield permutation, elements[0]


def _numerator(values: Mapping[Permutation, Element], pair: Pair, field: Field) -> Any:
    permutation, image = pair
    first, second = values[IDENTITY], values[permutation]
    one = field.constant(1)
    gap = {
        "M": lambda: field.subtract(first, second),
        "1-M": lambda: field.subtract(field.add(first, second), one),
        "-M": lambda: field.add(first, second),
        "1/M": lambda: field.subtract(field.multiply(first, second), one),
    }[image]()
    return gap.numerator.get((), field.context.constant(0))


def _summary(claim: SymmetryGroup, decided: Mapping[Pair, Decision], tables: Tables) -> Decision:
    parts = {
        f"{image}: {cycles(permutation)}": part_record(decision, claim.part(permutation, image))
        for (permutation, image), decision in decided.items()
    }
    data = {"tables": tables, "parts": parts}
    undecided = [(pair, d) for pair, d in decided.items() if d.status == "open"]
    if undecided:
        (permutation, image), decision = undecided[0]
        reason = decision.evidence.sentence.removeprefix("open: ")
        more = f" and {len(undecided) - 1} more" if len(undecided) > 1 else ""
        return Decision(
            "open", None, Evidence("open", f"open: M to {image} by {cycles(permutation)}{more}: {reason}")
        )
    found = {pair: _condition(decision) for pair, decision in decided.items() if decision.status != "refuted"}
    members = found | {(inverse(permutation), image): found[permutation, image] for permutation, image in found}
    value = group_text(members)
    condition = _union(condition for (permutation, _), condition in members.items() if permutation != IDENTITY)
    sentence = f"{value}; every other permutation fails at a table" + (
        f", such as {tuple(tables[0])} in some order" if tables else ""
    )
    evidence = Evidence("symmetries", sentence, data)
    if condition in (S.true, S.false):
        return Decision("proved" if condition is S.true else "refuted", condition is S.true, evidence, value=value)
    defaults = {p.symbol: p.default for p in claim.parameters}
    holds = None if None in defaults.values() else bool(condition.subs(defaults))
    return Decision("conditional", holds, evidence, condition, value=value)


def _condition(decision: Decision) -> Boolean:
    return S.true if decision.condition is None else decision.condition


def _union(conditions: Iterable[Boolean]) -> Boolean:
    """Return what holds where one of some conditions does, without the conjunctions that others are part of."""
    cases = {frozenset(And.make_args(case)) for condition in conditions for case in Or.make_args(condition)}
    return Or(*(And(*case) for case in cases if not any(other < case for other in cases)))
