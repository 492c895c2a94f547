"""Relations between two metrics, and the claims that state them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray
from sympy import Expr, Integer

from symmetrics.checker import check as check_evidence
from symmetrics.claims import Affine, Claim, Identity, Inequality, SameOrder, claim_from_dict, value_symbol
from symmetrics.claims.evidence import Decision
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, Table
from symmetrics.language.definition import Definition
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.numeric.arrays import interpreted
from symmetrics.numeric.program import Program
from symmetrics.numeric.refine import as_written
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.prover.engine.samples import BITS, GENERIC, Counted, sampled
from symmetrics.prover.engine.witnesses import tables_of_total
from symmetrics.tools.budget import SECONDS
from symmetrics.tools.catalogue import Catalogue
from symmetrics.tools.errors import CertificateError, InputError, UnsupportedError

FIRST: Final = value_symbol(0)
SECOND: Final = value_symbol(1)

EXCHANGES: Final[dict[str, Table]] = {
    "transpose_of": (TP, FP, FN, TN),
    "class_exchange_of": (TN, FP, FN, TP),
    "diagonal_exchange_of": (TN, FN, FP, TP),
}
"""For each exchange of cells, the permuted table at which the second metric is evaluated."""


@dataclass(frozen=True)
class Relation:
    """A statement about two metrics M and L.

    Both are taken at the defaults of their parameters; a parameter without a default stays free, and one name stands
    for one parameter.  The statement is asserted at all positive tables at which both are defined.

    :param name: the key
    :param statement: the law, in the cells, M and L
    :param claim_of: returns the claim about two metrics
    :param title: the relation of M to L, in words
    :param aliases: other names
    :param yes: everyday words where it holds, to follow M's name; ``{}`` stands for L's
    :param no: everyday words where it does not
    """

    name: str
    statement: str
    claim_of: Callable[[Expr, Expr, tuple[Parameter, ...]], Claim]
    title: str = ""
    aliases: tuple[str, ...] = ()
    yes: str = "stands in the relation to {}"
    no: str = "does not stand in the relation to {}"

    def claim(self, first: Definition, second: Definition) -> Claim:
        """Return the claim that states the relation of two metrics.

        :raises InputError: if the two declare one parameter in different ways
        """
        free = {p.name: p for p in (*first.parameters, *second.parameters) if p.default is None}
        for parameter in (*first.parameters, *second.parameters):
            if parameter.default is None and free[parameter.name] != parameter:
                raise InputError(
                    f"{parameter.name} is another parameter in {first.name} than in {second.name}; rename or bind one"
                )
        subject, partner = (metric.expr.xreplace(metric.default_values) for metric in (first, second))
        return self.claim_of(subject, partner, tuple(free.values()))


def _identity(relation: Expr, image: Table = CELLS) -> Callable[[Expr, Expr, tuple[Parameter, ...]], Claim]:
    return lambda first, second, free: Identity(first, free, (CELLS, image), (), relation, second)


relations: Final[Catalogue[Relation]] = Catalogue(
    "relation of two metrics",
    (
        Relation(
            "equal",
            "M = L",
            _identity(FIRST - SECOND),
            "the same function",
            ("equal_to",),
            yes="is the same function as {}",
            no="is another function than {}",
        ),
        Relation(
            "complement_of",
            "M = 1 - L",
            _identity(FIRST + SECOND - Integer(1)),
            "the complement",
            yes="is 1 minus {}",
            no="is not 1 minus {}",
        ),
        Relation(
            "negation_of",
            "M = -L",
            _identity(FIRST + SECOND),
            "the negative",
            ("negation",),
            yes="is the negative of {}",
            no="is not the negative of {}",
        ),
        Relation(
            "affine",
            "M = a*L + b for some numbers a and b",
            lambda first, second, free: Affine(first, free, second),
            "an affine function",
            ("affine_in",),
            yes="is {} times a number, plus a number",
            no="is not {} times a number, plus a number",
        ),
        Relation(
            "transpose_of",
            "M(TP, FN, FP, TN) = L(TP, FP, FN, TN)",
            _identity(FIRST - SECOND, EXCHANGES["transpose_of"]),
            "the same with FN and FP exchanged",
            yes="is {} with false negatives and false positives exchanged",
            no="is not {} with false negatives and false positives exchanged",
        ),
        Relation(
            "class_exchange_of",
            "M(TP, FN, FP, TN) = L(TN, FP, FN, TP)",
            _identity(FIRST - SECOND, EXCHANGES["class_exchange_of"]),
            "the same with the classes exchanged",
            yes="is {} with the two classes exchanged",
            no="is not {} with the two classes exchanged",
        ),
        Relation(
            "diagonal_exchange_of",
            "M(TP, FN, FP, TN) = L(TN, FN, FP, TP)",
            _identity(FIRST - SECOND, EXCHANGES["diagonal_exchange_of"]),
            "the same with TP and TN exchanged",
            yes="is {} with true positives and true negatives exchanged",
            no="is not {} with true positives and true negatives exchanged",
        ),
        Relation(
            "rank_equivalent",
            "M(x) < M(y) if and only if L(x) < L(y)",
            lambda first, second, free: SameOrder(first, free, second),
            "a strictly increasing function",
            yes="ranks all tables as {} does",
            no="ranks some tables otherwise than {} does",
        ),
        Relation(
            "rank_reversed",
            "M(x) < M(y) if and only if L(x) > L(y)",
            lambda first, second, free: SameOrder(first, free, second, reverse=True),
            "a strictly decreasing function",
            yes="ranks all tables in the opposite order to {}",
            no="does not rank all tables in the opposite order to {}",
        ),
        Relation(
            "less_equal",
            "M <= L",
            lambda first, second, free: Inequality(first, free, (CELLS, CELLS), (), SECOND - FIRST, second),
            "nowhere larger",
            ("at_most",),
            yes="is nowhere larger than {}",
            no="is sometimes larger than {}",
        ),
    ),
)


def relate(
    first: Metric | Expr | str,
    second: Metric | Expr | str,
    relation: Relation | str = "equal",
    *,
    seconds: float = SECONDS,
) -> Verdict:
    """Decide whether two metrics stand in a relation.

    :param first: a metric, an expression over the cells, or the name of a library metric
    :param second: another one
    :param relation: a relation or its key, one of ``symmetrics.query``
    :param seconds: time limit; a claim that is undecided by then is open
    :returns: a verdict on the property ``relation:second`` of the first metric; for ranks its value is the link

    >>> relate("f1", "jaccard", "rank_equivalent").value
    'M = 2*partner/(partner + 1)'
    >>> relate("f1", "accuracy", "less_equal").witness.tables[0]
    Counts(tp=2, fn=1, fp=1, tn=1)
    """
    subject, partner = as_metric(first), as_metric(second)
    asked = relation if isinstance(relation, Relation) else relations[relation]
    property = f"{asked.name}:{partner.name}"
    return decide_and_check(asked.claim(subject, partner), metric=subject.name, property=property, seconds=seconds)


def equation_behind(verdict: Verdict) -> Verdict:
    """Return the verdict on the equation M = a*L + b behind a proved affine relation; other verdicts unchanged.

    >>> equation_behind(relate("informedness", "auc_single", "affine")).claim.relation
    value0 - 2*value1 + 1
    """
    claim = verdict.claim
    if verdict.status != "proved" or not isinstance(claim, Affine) or claim.parameters:
        return verdict
    a, b = (parse_formula(verdict.evidence.data[key]) for key in ("a", "b"))
    stated = Identity(claim.subject, (), (CELLS, CELLS), (), FIRST - a * SECOND - b, claim.partner)
    part = Decision.from_record(verdict.evidence.data["part"], stated)
    return Verdict.of(part, stated, metric=verdict.metric, property=verdict.property)


def check_relation(
    verdict: Verdict, first: Metric | Expr | str | None = None, second: Metric | Expr | str | None = None
) -> None:
    """Re-verify a verdict of :func:`relate`, independently of the code that found it.

    The claim is rebuilt from the two metrics and the relation that the verdict names.

    :param verdict: a verdict, fresh or read from a certificate
    :param first: the first metric; by default the library's of the name that the verdict has
    :param second: the second metric; by default likewise
    :raises CertificateError: if the evidence does not establish the verdict, or it is about something else
    :raises UnknownNameError: if the library has no metric or relation of the name

    >>> check_relation(relate("jaccard", "f1", "less_equal"))
    """
    if not isinstance(verdict, Verdict):
        raise InputError(f"check_relation takes a verdict, not {type(verdict).__name__}: relate returns one")
    name, _, other = verdict.property.partition(":")
    subject = as_metric(verdict.metric if first is None else first)
    partner = as_metric(other if second is None else second)
    stated = relations[name].claim(subject, partner)
    named = (subject.name, f"{relations[name].name}:{partner.name}")
    if (verdict.metric, verdict.property) != named or verdict.claim not in (stated, claim_from_dict(stated.to_dict())):
        raise CertificateError(
            f"the certificate proves another statement than {name} of {subject.name} and {partner.name}: "
            "its formulas, parameters or tables differ"
        )
    check_evidence(verdict)


# ----------------------------------------------------------------------------------------------------------------------
# Numerical fingerprints of formulas, which suggest relations for exact algebra to decide.


Array = NDArray[np.float64]
TOLERANCE: Final = 1e-9
"""Relative difference below which values may be equal; rounding errors are much smaller."""
CLOSE: Final = 1e-4
"""Values with a smaller relative spread are too close together for floating point."""
MAX_MISSING: Final = 24
"""Number of generic tables at which a formula may be undefined and still have a fingerprint."""


def values_at(formula: Expr, tables: Sequence[Counted]) -> Array:
    """Return the values of a formula without parameters at tables; nan where it has none.

    :raises UnsupportedError: if the formula cannot be evaluated
    """
    columns = np.asarray(tables, dtype=np.float64).T
    program = Program()
    place = as_written(formula, program)
    with np.errstate(all="ignore"):
        values: Array = interpreted(program, [place], list(columns), np.float64)[place]
    return np.where(np.isfinite(values), values, np.nan)


class Fingerprint:
    """The values of a formula at generic tables, with features that are invariant under simple maps.

    :param formula: a formula without parameters
    :param tables: the tables; those of another order of the cells give the fingerprint of a transposed formula
    """

    def __init__(self, formula: Expr, tables: Sequence[Counted] = GENERIC) -> None:
        self.formula = formula
        self.values = values_at(formula, tables)
        self.tables = tables
        self.defined = ~np.isnan(self.values)

    @property
    def is_usable(self) -> bool:
        """Whether there are enough values to distinguish formulas, and they are not all equal."""
        if self.defined.sum() < len(self.values) - MAX_MISSING:
            return False
        kept = self.spread[self.defined]
        return not agree(kept, np.full_like(kept, kept[0]))

    @cached_property
    def spread(self) -> Array:
        """The values, or amplified differences from the first one if they are very close together.

        Rounding hides how ``1 + M/10**30`` moves with M.
        """
        kept = self.values[self.defined]
        if not len(kept) or np.ptp(kept) > CLOSE * np.abs(kept).max():
            return self.values
        exact = [sampled(self.formula).at(table) for table in self.tables]
        start = next((value for value in exact if value is not None), None)
        with ctx.workprec(BITS):
            moves = [None if value is None else arb(value) - arb(start) for value in exact]
            size = max((abs(move.mid()) for move in moves if move is not None), default=arb(0))
            if not size > arb(2) ** (-BITS // 2):
                return self.values
            return np.array([np.nan if move is None else float(move / size) for move in moves])


@lru_cache(maxsize=4096)
def fingerprint(formula: Expr) -> Fingerprint:
    """Return the fingerprint of a formula."""
    return Fingerprint(formula)


def agree(first: Array, second: Array) -> bool:
    """Whether values agree up to rounding wherever both are defined."""
    both = ~(np.isnan(first) | np.isnan(second))
    first, second = first[both], second[both]
    return bool((np.abs(first - second) <= TOLERANCE * np.maximum(np.abs(first), np.abs(second))).all())


def is_affine(first: Array, second: Array) -> bool:
    """Whether an affine function may map the second values to the first."""
    both = ~(np.isnan(first) | np.isnan(second))
    first, second = (values[both] - values[both].mean() for values in (first, second))
    sizes = np.linalg.norm(first), np.linalg.norm(second)
    if not all(sizes):
        return False
    first, second = first / sizes[0], second / sizes[1]
    sign = 1.0 if first @ second > 0 else -1.0
    return bool(np.abs(first - sign * second).max() <= 1e-7)


def order_direction(first: Array, second: Array) -> int:
    """Return 1 if the values are ordered alike, -1 if in reverse, and 0 otherwise."""
    both = ~(np.isnan(first) | np.isnan(second))
    first, second = first[both], second[both]
    order = np.argsort(second, kind="stable")
    steps, moves = (_steps(values[order]) for values in (second, first))
    # Ties of one have to be ties of the other.
    if not moves.any() or not ((steps == 0) == (moves == 0)).all():
        return 0
    signs = set(moves[moves != 0].tolist())
    return int(signs.pop()) if len(signs) == 1 else 0


def _steps(values: Array) -> Array:
    moves = np.diff(values)
    size = np.maximum(np.abs(values[1:]), np.abs(values[:-1]))
    return np.where(np.abs(moves) <= TOLERANCE * size, 0.0, np.sign(moves))


# -- Pairs of metrics that may be related, by their values at a few dozen tables ---------------------------------------


ORDERED: Final[tuple[Counted, ...]] = tuple(table for total in range(4, 11) for table in tables_of_total(total))
"""All positive tables with at most ten examples, the smallest first."""


def all_related(formulas: Sequence[Expr]) -> Iterator[tuple[int, int, str]]:
    """Yield the indices of two formulas and the relation that their values suggest, for all pairs."""
    prints = [(place, found) for place, formula in enumerate(formulas) if (found := usable(formula)) is not None]
    for index, (first, left) in enumerate(prints):
        later = prints[index + 1 :]
        close = set()
        for second, right in later:
            if (relation := related(left, right)) is not None:
                yield first, second, relation
                close.add((second, relation.startswith("rank")))
        for relation, place in exchanged(left, [right for _, right in later]):
            if (later[place][0], False) not in close:
                yield first, later[place][0], relation


def _image(table: Counted, image: Table) -> Counted:
    place = dict(zip(CELLS, table, strict=True))
    return tuple(place[cell] for cell in image)


_EXCHANGED: Final = {name: tuple(_image(t, image) for t in GENERIC) for name, image in EXCHANGES.items()}


def usable(formula: Expr) -> Fingerprint | None:
    """Return the fingerprint of a formula, or None for one that is constant or undefined at most tables."""
    try:
        found = fingerprint(formula)
    except UnsupportedError:
        return None
    return found if found.is_usable else None


def related(first: Fingerprint, second: Fingerprint) -> str | None:
    """Return the closest relation, apart from exchanges of cells, that the values of two formulas suggest.

    >>> from symmetrics.language.cells import FN, FP, TP
    >>> f1, jaccard = usable(2 * TP / (2 * TP + FN + FP)), usable(TP / (TP + FN + FP))
    >>> f1 is not None and jaccard is not None and related(f1, jaccard)
    'rank_equivalent'
    """
    return next(suggested(first, second), None)


def suggested(first: Fingerprint, second: Fingerprint) -> Iterator[str]:
    """Yield the relations, apart from exchanges of cells, that the values of two formulas suggest, the closest first.

    They are suggestions: rounded values that agree may belong to formulas that differ.
    """
    if agree(first.values, second.values):
        yield "equal"
    if agree(first.values, 1 - second.values):
        yield "complement_of"
    if agree(first.values, -second.values):
        yield "negation_of"
    if is_affine(first.spread, second.spread):
        yield "affine"
    direction = order_direction(first.spread, second.spread)
    # A few tables may be ordered alike by chance, and an exact comparison of orders takes long.
    if direction and order_direction(_closer(first.formula).spread, _closer(second.formula).spread) == direction:
        yield "rank_equivalent" if direction > 0 else "rank_reversed"


@lru_cache(maxsize=512)
def _closer(formula: Expr) -> Fingerprint:
    """Return the values of a formula at all small tables, many of which are close or equal."""
    return Fingerprint(formula, ORDERED)


def exchanged(first: Fingerprint, others: Sequence[Fingerprint]) -> Iterator[tuple[str, int]]:
    """Yield exchanges of cells that may map other formulas to a formula, each with the other's index."""
    for name, tables in _EXCHANGED.items():
        # M(x) = L(image of x) for all x is equivalent to L(x) = M(image of x): each exchange is an involution.
        moved = Fingerprint(first.formula, tables)
        for place, other in enumerate(others):
            if agree(moved.values, other.values):
                yield name, place
