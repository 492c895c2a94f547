"""Verify arguments: journeys are followed step by step; facts about premises and conclusion are looked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import Final

from sympy import Expr, Integer, Matrix, Pow, Rational, Symbol, cancel

from symmetrics.checker.engine.splits import Signs
from symmetrics.checker.theorems.implications import Laws, applied, require, same_table
from symmetrics.claims.base import Claim
from symmetrics.claims.families.directions import TranslationSpace
from symmetrics.claims.families.limits import (
    STEP,
    Bounded,
    ConstantBaseline,
    DefinedEverywhere,
    FiniteLimit,
    LargestAtAgreement,
    SmallestAtDisagreement,
)
from symmetrics.claims.families.relations import RatioOfLinearForms
from symmetrics.claims.theorems.arguments import (
    Argument,
    BoundedAlongCurve,
    EqualMeans,
    FormsAgree,
    FormsVanishTogether,
    Journey,
    Journeys,
    MeansConverge,
    ScaledDirections,
    SpanningTables,
    Tending,
    VanishingWeights,
)
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, THE_SAME_EVERYWHERE
from symmetrics.claims.theorems.laws import UNIFORM, Law, involutive_laws, laws_of
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, Table
from symmetrics.language.names import CELL_NAMES

AGREEMENT: Final = {LargestAtAgreement: (1, 2), SmallestAtDisagreement: (0, 3)}
"""The cells that are zero exactly where M attains its extreme."""
CLOSED: Final = (DefinedEverywhere, *AGREEMENT)
"""Properties that speak of tables with zero cells."""


def check_argument(argument: Argument, claims: Mapping[str, Claim]) -> None:
    """Verify an argument.

    :param claims: the claim of each property about any metric, by key
    :raises CertificateError: if the proof does not establish it, for metrics of its class on its domain
    """
    _Argument(argument, claims).verify()


class _Argument:
    def __init__(self, argument: Argument, claims: Mapping[str, Claim]) -> None:
        self.argument = argument
        self.given = [claims[key] for key in argument.premises]
        self.conclusion = claims.get(argument.conclusion)
        self.laws: Laws = {key: laws_of(claims[key]) or involutive_laws(claims[key]) or () for key in argument.premises}

    def verify(self) -> None:
        match self.argument.proof:
            # Laws shown by journeys between the tables of the conclusion.
            case Journeys(journeys):
                self._journeys(journeys)
            # Existence of limits, equality by proportional tables, a common zero of two linear forms.
            case BoundedAlongCurve():
                self._needs(Bounded, kind="tame")
                require(
                    isinstance(self.conclusion, FiniteLimit) and self.conclusion.over == CELL_NAMES,
                    "what is bounded along a curve has a limit there, and nothing else is shown",
                )
            case FormsAgree():
                self._needs(RatioOfLinearForms, kind="continuous")
                laws = self._equations()
                require(all(_proportional(*law.tables) for law in laws), "the tables of a law are not proportional")
            case FormsVanishTogether():
                self._needs(RatioOfLinearForms, kind="continuous")
                require(
                    isinstance(self.conclusion, TranslationSpace), "a direction is found, and nothing else is shown"
                )
            # Proofs that M is constant.
            case proof:
                require(self.argument.conclusion == CONSTANT, "M is constant, and nothing else is shown")
                self._constant(proof)

    def _constant(
        self, proof: SpanningTables | ScaledDirections | VanishingWeights | MeansConverge | EqualMeans
    ) -> None:
        match proof:
            # M equals c on tables that span the space.
            case SpanningTables(journeys):
                self._needs(RatioOfLinearForms, kind="continuous")
                self._spanning(journeys)
            # Invariance along a direction and its images under scalings.
            case ScaledDirections(factors, alone):
                self._needs(TranslationSpace)
                self._scaled(factors, alone)
            # Expectations: a cell that does not matter grows, so probabilities separate in order.
            case VanishingWeights():
                self._needs(ConstantBaseline, domain="whole")
                laws = [law for each in self.laws.values() for law in each]
                freed = any(freed_cell(law) is not None for law in laws)
                require(freed, "no premise says that M does not move with one of the cells")
            # Expectations: the law of large numbers at independent tables.
            case MeansConverge(tables):
                self._needs(ConstantBaseline, kind="continuous")
                self._needs(RatioOfLinearForms, kind="continuous")
                require(len(tables) == len(CELLS), "not each cell has its tables")
                for cell, chosen in enumerate(tables):
                    require(all(_is_kept_large(cell, table) for table in chosen), "a cell may be a small share of n")
                    require(_spans(chosen), "the tables do not span the space")
            # Expectations: equations between values at margins with few tables.
            case EqualMeans():
                self._needs(ConstantBaseline, kind="continuous")
                self._equal_means(proof)

    def _needs(self, family: type, *, kind: str = "arbitrary", domain: str = "open") -> None:
        require(
            any(isinstance(claim, family) for claim in self.given), f"no premise is of the family {family.__name__}"
        )
        self._is_said(kind, domain)

    def _is_said(self, kind: str, domain: str) -> None:
        said = (self.argument.kind, self.argument.domain)
        require(said == (kind, domain), f"it holds for M {kind} on the domain {domain}, and says {' and '.join(said)}")

    def _equations(self) -> Sequence[Law]:
        laws = laws_of(self.conclusion) if self.conclusion is not None else None
        require(bool(laws) and all(law.sign == "=" for law in laws or ()), "the conclusion is no equation")
        return laws or ()

    def _journeys(self, journeys: Sequence[Journey]) -> None:
        kind, domain = self._class_of(journeys)
        self._is_said(kind, domain)
        if self.argument.conclusion == IMPOSSIBLE:
            self._contradict(journeys)
            return
        if isinstance(self.conclusion, FiniteLimit):
            require(self.conclusion.over == CELL_NAMES, "the limit is one in other variables")
            first, second, third, fourth = self.conclusion.path
            starts, ends = [(first, second, third, fourth)], None
        else:
            laws = (THE_SAME_EVERYWHERE,) if self.argument.conclusion == CONSTANT else self._equations()
            starts, ends = [law.tables[0] for law in laws], [law.tables[1] for law in laws]
        require(len(journeys) == len(starts), "not every law of the conclusion is proved")
        for place, (journey, start) in enumerate(zip(journeys, starts, strict=True)):
            require(same_table(journey.start, start), "a journey begins elsewhere")
            end = self._end(journey)
            require(ends is None or same_table(end, ends[place]), "a journey ends elsewhere")

    def _contradict(self, journeys: Sequence[Journey]) -> None:
        (journey,) = journeys
        zero = next((zero for c in self.given for family, zero in AGREEMENT.items() if isinstance(c, family)), None)
        require(zero is not None, "no premise says where M is at its extreme")
        end = self._end(journey)
        at_extreme = [all(table[k] == 0 for k in zero or ()) for table in (journey.start, end)]
        require(at_extreme.count(True) == 1, "M is not at its extreme at just one of both ends")

    def _spanning(self, journeys: Sequence[Journey]) -> None:
        for journey in journeys:
            require(same_table(self._end_by_laws(journey), UNIFORM), "a journey ends elsewhere")
        require(_spans([journey.start for journey in journeys]), "the tables do not span the space")

    def _scaled(self, factors: Sequence[Journey], alone: Sequence[Journey]) -> None:
        multiples = []
        for journey in factors:
            require(journey.start == CELLS, "a journey begins elsewhere")
            first, second, third, fourth = (
                cancel(end / cell) for cell, end in zip(CELLS, self._end_by_laws(journey), strict=True)
            )
            multiples.append((first, second, third, fourth))
        require(_spans(multiples), "the factors do not span the space")
        require(len(alone) == len(CELLS), "not each cell has its journey")
        for place, journey in enumerate(alone):
            changed = [*CELLS]
            changed[place] = Symbol("new", positive=True)
            first, second, third, fourth = changed
            freed = Law("", "=", (CELLS, (first, second, third, fourth)))
            end = self._end_by_laws(journey, {**self.laws, "": (freed,)})
            require(
                journey.start == CELLS and same_table(end, UNIFORM), "a journey does not lead from all tables to one"
            )

    def _equal_means(self, proof: EqualMeans) -> None:
        odds = TP * TN / (FN * FP)
        at_odds = self._end_by_laws(proof.journey)
        require(
            proof.journey.start == CELLS and same_table(at_odds, (odds, *UNIFORM[1:])), "M may not be one of the odds"
        )
        rows = []
        for size, actual, predicted in proof.two:
            least, most = max(0, actual + predicted - size), min(actual, predicted)
            require(0 < actual < size and 0 < predicted < size and most == least + 1, "there are not two tables")
            share = Rational(comb(actual, most) * comb(size - actual, predicted - most), comb(size, predicted))
            rows.append([1 - share, share])
        require(len(rows) == 2 and Matrix(rows).det() != 0, "the limits may differ")
        low, middle, high = proof.three
        steps = [[b - a for a, b in zip(x, y, strict=True)] for x, y in ((low, middle), (middle, high))]
        require(steps == [[1, -1, -1, 1]] * 2, "the three tables have other margins, or are not neighbours")
        require(low[0] == 0 and high[1] == 0, "there are more tables with these margins")
        require(middle == (1, 1, FP, TN), "the table between is not at each ratio of whole numbers")

    def _end_by_laws(self, journey: Journey, laws: Laws | None = None) -> Table:
        require(self._class_of([journey]) == ("arbitrary", "open"), "a journey passes a limit")
        return self._end(journey, laws)

    def _class_of(self, journeys: Sequence[Journey]) -> tuple[str, str]:
        """Return the class of metrics, and the domain, for which the steps of some journeys are valid."""
        limits = [step for journey in journeys for step in journey.steps if isinstance(step, Tending)]
        at_edge = any(cell == 0 for step in limits for cell in _limit(step.curve))
        at_edge = at_edge or any(cell == 0 for journey in journeys for cell in journey.start)
        if at_edge:
            require(any(isinstance(claim, CLOSED) for claim in self.given), "no premise is about cells that are 0")
        return "continuous" if limits else "arbitrary", "closed" if at_edge else "open"

    def _end(self, journey: Journey, laws: Laws | None = None) -> Table:
        """Return where a journey ends: a table free of s, at which M equals its limit along the start."""
        # Premises that map M to -M or 1/M: each such map has to be undone before a limit or the end.
        here, turned = journey.start, frozenset[str]()
        for step in journey.steps:
            if isinstance(step, Tending):
                require(not turned, "a limit is passed where M is turned into its negative or inverse")
                sign = "="
                first, second = step.curve, _limit(step.curve)
            else:
                sign, first, second = applied(step, laws or self.laws)
                turned = turned ^ {step.premise} if sign == "~" else turned
            require(sign in ("=", "~"), "M rises on a journey")
            before, after = (first, second) if step.forward else (second, first)
            require(same_table(here, before), "a step is made at another table than that which was reached")
            here = after
        require(not turned, "M is turned into its negative or inverse, and not back")
        require(not any(cell.has(STEP) for cell in here), "a journey ends on a curve")
        return here


def _limit(curve: Table) -> Table:
    """Return the table that a curve of positive cells tends to as s tends to 0."""
    names = sorted({*CELLS, STEP, *(symbol for cell in curve for symbol in cell.free_symbols)}, key=str)
    known = Signs((), names)
    require(all(map(known.is_positive, curve)), "a cell of a curve is not known to be positive")
    for power in set().union(*(cell.atoms(Pow) for cell in curve)):
        whole = isinstance(power.exp, Integer)
        bottom = power.base.xreplace({STEP: Integer(0)})
        require(whole and (power.exp > 0 or known.is_positive(bottom)), f"{power} may have no limit")
    first, second, third, fourth = (cell.xreplace({STEP: Integer(0)}) for cell in curve)
    table = (first, second, third, fourth)
    require(all(cell == 0 or known.is_positive(cell) for cell in table), "a cell tends to no number of 0 or more")
    require(any(cell != 0 for cell in table), "all cells tend to 0")
    return table


def _proportional(left: Table, right: Table) -> bool:
    """Whether two tables are proportional."""
    crossed: list[Expr] = [cell * right[0] for cell in left]
    others: list[Expr] = [cell * left[0] for cell in right]
    return same_table((crossed[0], crossed[1], crossed[2], crossed[3]), (others[0], others[1], others[2], others[3]))


def freed_cell(law: Law) -> Symbol | None:
    """Return the cell on which M does not depend by a law, None if it is not such a law."""
    first, second = law.tables
    changed = [(cell, new) for cell, new in zip(CELLS, second, strict=True) if cell != new]
    if law.sign != "=" or first != CELLS or len(changed) != 1:
        return None
    (cell, new) = changed[0]
    return cell if isinstance(new, Symbol) and new not in CELLS else None


def _is_kept_large(cell: int, table: Table) -> bool:
    """Whether a table is independent, and its margins bound a cell's share of n away from zero."""
    if not all(isinstance(entry, Integer) and entry > 0 for entry in table):
        return False
    beside = [k for k in range(len(CELLS)) if k not in (cell, 3 - cell)]
    least = table[cell] - table[3 - cell]
    return bool(table[cell] * table[3 - cell] == table[beside[0]] * table[beside[1]] and least > 0)


def _spans(rows: Sequence[Table]) -> bool:
    """Whether four rows of numbers are linearly independent."""
    numbers = all(isinstance(entry, Rational) for row in rows for entry in row)
    return numbers and len(rows) == len(CELLS) and bool(Matrix([list(row) for row in rows]).det() != 0)
