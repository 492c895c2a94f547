"""The symmetry group decided: which rearrangements of the entries turn M into M, 1 - M, -M or 1/M.

Every pair of a rearrangement and an image is either an identity, proved by the algebra, or fails at some table: values
at a few tables with all entries different refute most pairs at once.  For a formula over a matrix the rearrangements
are those of rows and columns; for one over the four cells they are all 24 permutations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import factorial
from typing import Any, Final

from flint import ctx, fmpq
from sympy import And, Eq, Or, Rational, S, prime
from sympy.logic.boolalg import Boolean

from symmetrics.algebra.convert import field_for
from symmetrics.algebra.evaluate import Evaluator, Undefined, Value
from symmetrics.algebra.field import Element, Field
from symmetrics.claims.evidence import Decision, Evidence, Status, open_decision, reason_of
from symmetrics.claims.families.groups import (
    IDENTITY,
    IMAGES,
    PERMUTATIONS,
    SYMMETRY_PAIRS,
    MatrixSymmetryGroup,
    Pair,
    Permutation,
    SymmetryGroup,
    inverse,
)
from symmetrics.claims.values import Group, MatrixGroup, Symmetry
from symmetrics.prover.engine.minors import is_defined_at, is_never_zero, polynomial_row, rational_roots, values_at
from symmetrics.prover.engine.parts import proof_of
from symmetrics.prover.families.equations import decide_identity
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import UnsupportedError
from symmetrics.tools.texts import number_of

MOST_CLASSES: Final = 4
"""Largest number k of classes for which the 2*(k!)**2 rearrangements of a matrix are decided."""
TABLES: Final = ((2, 3, 5, 11), (1, 4, 9, 30), (7, 8, 10, 13), (40, 1, 3, 6))
"""Tables with four different counts, each evaluated in all 24 orders."""
MORE_TABLES: Final = (
    *((1, 2, 3, 60), (5, 6, 100, 3), (2, 1, 7, 4), (50, 60, 2, 3), (9, 11, 13, 10), (1, 3, 200, 150), (8, 1, 2, 20)),
    *tuple(tuple(Rational(count, 30) for count in table) for table in ((2, 3, 5, 11), (1, 4, 70, 10), (50, 7, 2, 90))),
    *((1, 1, 1, 2), (1, 1, 2, 2), (1, 2, 2, 3), (1, 1, 2, 9)),
)
"""Tables for pairs that the first ones do not refute."""
SQUARE_TABLES: Final = (
    *((144, 400, 441, 1225), (1, 81, 169, 13689), (225, 1600, 1764, 12544), (484, 2304, 3025, 14400)),
    *TABLES,
)
"""The same for formulas with parameters; first some at which roots of TP*TN/(P*N) are rational in every order."""
PRECISIONS: Final = (64, 256)


def decide(claim: SymmetryGroup, _: object) -> Decision:
    """Decide which permutations are symmetries, and whether there are any besides the identity.

    Most pairs of a permutation and an image are refuted by values at a few tables; the rest are decided as identities.
    """
    if isinstance(claim, MatrixSymmetryGroup) and (reason := _out_of_reach(claim)):
        return open_decision(reason)
    found = _Found(claim)
    left: Iterable[Pair] = claim.pairs
    try:
        if claim.parameters:
            common, found.tables, field = _at_parameters(claim)
            left = [pair for pair, poly in common.items() if not poly or not found.at_roots(pair, poly, field)]
        else:
            left, found.tables = _at_tables(claim, claim.pairs, _tables_of(claim))
    except UnsupportedError as error:
        if isinstance(claim, MatrixSymmetryGroup):  # too many pairs are left to try each of them
            return open_decision(str(error))
        found = _Found(claim)
    for pair in left:
        if claim.parameters:
            found.as_identity(pair)
        else:
            found.as_proof(pair)
        if found.reasons:
            break
    return found.decision()


def _out_of_reach(claim: MatrixSymmetryGroup) -> str | None:
    """Return why the rearrangements of a matrix are not decided, None if they are."""
    if claim.parameters:
        return "symmetries of matrices are decided at given values of the parameters alone"
    if claim.classes > MOST_CLASSES:
        count = 2 * factorial(claim.classes) ** 2
        return f"{count} rearrangements are too many; ask about {number_of(MOST_CLASSES, 'class')} or fewer"
    return None


def _tables_of(claim: SymmetryGroup) -> Iterable[Sequence[int]]:
    """Return tables, or matrices, with pairwise different entries."""
    if not isinstance(claim, MatrixSymmetryGroup):
        return TABLES
    places = range(len(claim.over))
    return (
        [int(prime(place + 1)) for place in places],
        [place**2 + 7 * place + 1 for place in reversed(places)],
        [place**3 + 2 for place in places],
    )


class _Found:
    """Decisions on the pairs that the shared tables do not refute."""

    def __init__(self, claim: SymmetryGroup) -> None:
        self.claim = claim
        self.names = claim.names
        self.tables = Tables()
        self.members: dict[Pair, Boolean] = {}
        self.parts: dict[str, Any] = {}
        self.exceptions: dict[str, dict[str, Any]] = {}
        self.reasons: dict[Pair, str] = {}

    def label(self, pair: Pair) -> str:
        """Return the label of a pair in a certificate."""
        permutation, image = pair
        return f"{image}: {self.names[permutation]}"

    def as_proof(self, pair: Pair) -> None:
        """Decide a pair of a formula without parameters: prove the identity, or find a further table."""
        part = self.claim.part(*pair)
        reason = "the difference is not formally zero, and no table was found at which it is not zero"
        try:
            if proof := proof_of(part):
                self.parts[self.label(pair)] = proof.record()
                self.members[pair] = S.true
                return
        except UnsupportedError as error:
            reason = str(error)
        if isinstance(self.claim, MatrixSymmetryGroup):
            self.reasons[pair] = "no matrix was found that refutes it, and no identity that shows it"
            return
        left, tables = _at_tables(self.claim, [pair], MORE_TABLES)
        self.tables += tables
        if left:
            self.reasons[pair] = reason

    def as_identity(self, pair: Pair) -> None:
        """Decide a pair for all values of the parameters at once."""
        part = self.claim.part(*pair)
        decision = decide_identity(part)
        if decision.status == "open":
            self.reasons[pair] = reason_of(decision)
            return
        self.parts[self.label(pair)] = decision.record()
        if decision.status != "refuted":
            self.members[pair] = S.true if decision.condition is None else decision.condition

    def at_roots(self, pair: Pair, poly: Any, field: Field) -> bool:
        """Decide a pair at the values of the one parameter at which no table refutes it, if they are rational."""
        (*_, parameter) = self.claim.parameters
        parts = {}
        holding = []
        try:
            for value in rational_roots(poly, parameter, field) if len(self.claim.parameters) == 1 else ():
                part = self.claim.at({parameter.symbol: value}).part(*pair)
                decision = decide_identity(part)
                parts[str(value)] = decision.record()
                holding += [value] if decision.status == "proved" else []
        except UnsupportedError:
            return False
        if not parts or any(part["status"] == "open" for part in parts.values()):
            return False
        self.exceptions[self.label(pair)] = parts
        if holding:
            self.members[pair] = Or(*(Eq(parameter.symbol, value) for value in holding))
        return True

    def decision(self) -> Decision:
        """Return the combined decision on all pairs."""
        if self.reasons:
            ((pair, reason),) = self.reasons.items()
            return open_decision(f"{self.label(pair)}: {reason}")
        members = self.members | {(inverse(p), image): self.members[p, image] for p, image in self.members}
        identity, *_ = self.names
        condition = _union(case for (permutation, _), case in members.items() if permutation != identity)
        found = self.group(members | {(identity, "M"): S.true})
        if isinstance(self.claim, MatrixSymmetryGroup):
            evidence = Evidence("symmetries of matrices", {"matrices": self.tables, "parts": self.parts})
        else:
            data = {"tables": self.tables, "parts": self.parts, "exceptions": self.exceptions}
            evidence = Evidence("symmetries", data)
        if condition in (S.true, S.false):
            status: Status = "proved" if condition is S.true else "refuted"
            return Decision(status, condition is S.true, evidence, found=found)
        defaults = {p.symbol: p.default for p in self.claim.parameters}
        holds = None if None in defaults.values() else bool(condition.subs(defaults))
        return Decision("conditional", holds, evidence, condition, found=found)

    def group(self, members: Mapping[Pair, Boolean]) -> Group:
        """Return all symmetries in order; one that holds for all parameters has no condition."""
        pairs = ((permutation, image) for image in IMAGES for permutation in self.names)
        kind = MatrixGroup if isinstance(self.claim, MatrixSymmetryGroup) else Group
        return kind(
            tuple(
                Symmetry(image, self.names[permutation], None if condition is S.true else condition)
                for permutation, image in pairs
                if (condition := members.get((permutation, image))) is not None
            )
        )


Tables = list[list[int | str]]


def _at_tables(
    claim: SymmetryGroup, pairs: Sequence[Pair], tables: Iterable[Sequence[int | Rational]]
) -> tuple[list[Pair], Tables]:
    """Return the pairs that no table refutes, and the tables that refute the others."""
    evaluate = Evaluator(claim.subject, claim.arguments)
    identity, *_ = claim.names
    left, used = list(pairs), Tables()
    for table in tables:
        counts = [fmpq(int(Rational(count).p), int(Rational(count).q)) for count in table]
        kept = left
        for bits in PRECISIONS if left else ():
            values = _values(evaluate, counts, [identity, *(permutation for permutation, _ in kept)], bits)
            kept = [pair for pair in kept if not _refutes(values, identity, pair)]
            if not kept or all(isinstance(value, fmpq) for value in values.values()):
                break
        if len(kept) < len(left):
            used.append([int(count) if count == int(count) else str(count) for count in table])
        left = kept
    return left, used


def _values(
    evaluate: Evaluator, table: Sequence[fmpq], permutations: Iterable[Permutation], bits: int
) -> dict[Permutation, Value]:
    """Return the values at a table in several orders, where they exist."""
    saved, ctx.prec = ctx.prec, bits
    values = {}
    try:
        for permutation in dict.fromkeys(permutations):
            checkpoint()
            try:
                values[permutation] = evaluate(*(table[place] for place in permutation))
            except Undefined:
                continue
    finally:
        ctx.prec = saved
    return values


def _refutes(values: Mapping[Permutation, Value], identity: Permutation, pair: Pair) -> bool:
    """Whether values before and after a permutation refute that it maps M to an image."""
    permutation, image = pair
    first, second = values.get(identity), values.get(permutation)
    if first is None or second is None:
        return False
    gap = {
        "M": lambda: first - second,
        "1-M": lambda: first + second - 1,
        "-M": lambda: first + second,
        "1/M": lambda: first * second - 1,
    }[image]()
    return bool(gap > 0 or gap < 0)


def _at_parameters(claim: SymmetryGroup) -> tuple[dict[Pair, Any], Tables, Field]:
    """Return the pairs that tables do not refute for all values of the parameters, and the tables.

    With one parameter a pair is refuted wherever what divides all its numerators is not zero, and this polynomial is
    returned with the pair; otherwise it is refuted where one numerator is nowhere zero.
    """
    field = field_for(claim.parameters)
    common = dict.fromkeys(SYMMETRY_PAIRS, field.context.constant(0))
    used = Tables()
    for table in SQUARE_TABLES:
        values = dict(_elements(claim, table, field))
        if len(values) < len(PERMUTATIONS):
            continue
        before = dict(common)
        for pair, known in before.items():
            numerator = _numerator(values, pair, field)
            if len(claim.parameters) == 1:
                numerator = common[pair] = known.gcd(numerator)
            if is_never_zero(numerator, field):
                del common[pair]
        if common != before:
            used.append(list(table))
    return common, used, field


def _elements(claim: SymmetryGroup, table: Sequence[int], field: Field) -> Iterator[tuple[Permutation, Element]]:
    """Yield the value in each order, where it exists and is rational for all values of the parameters."""
    for permutation in PERMUTATIONS:
        counts = [table[place] for place in permutation]
        if not is_defined_at(claim.subject, counts, field):
            continue
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


def _union(conditions: Iterable[Boolean]) -> Boolean:
    """Return the disjunction of some conditions, without conjunctions that imply others."""
    cases = {frozenset(And.make_args(case)) for condition in conditions for case in Or.make_args(condition)}
    return Or(*(And(*case) for case in cases if not any(other < case for other in cases)))
