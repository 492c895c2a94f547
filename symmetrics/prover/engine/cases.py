"""Case analysis over parameters: split the domain until the claim is decided on each part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sympy import And, Expr, Or, Rational, S, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from symmetrics.claims import Claim
from symmetrics.claims.evidence import Decision, Evidence, Status, Witness, open_decision, reason_of
from symmetrics.claims.values import Cases, CaseValue, Value
from symmetrics.language.condition import condition_text, simplified
from symmetrics.language.parameter import Parameter, narrowed, piece, relation
from symmetrics.prover.engine.leading import Obstacle, is_free, obstacles_of, placed
from symmetrics.tools.errors import UnsupportedError

# -- Combine the verdicts on all parts of the parameters' domain -------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """The verdict on a claim for some values of its parameters.

    :param condition: which values these are
    :param status: ``proved`` or ``refuted``; None if the formula has no value at all there
    :param witness: the counterexample, with the values of all parameters
    :param found: the value of the verdict
    """

    condition: Boolean
    status: Status | None
    witness: Witness | None = None
    found: Value | None = None


def outcome(cases: Sequence[Case], parameters: Iterable[Parameter], evidence: Evidence) -> Decision:
    """Combine the verdicts of all cases.

    Values of the parameters for which the formula has no value at all are left out: a condition may hold there or not.

    :raises UnsupportedError: if the formula is undefined for all values of the parameters
    """
    if all(case.status is None for case in cases):
        raise UnsupportedError("the formula has a value for no parameters")
    defaults = {p.symbol: p.default for p in parameters}
    known = None not in defaults.values()
    failing = [case for case in cases if case.status == "refuted"]
    witness = None
    if failing:
        here = [case for case in failing if known and case.condition.subs(defaults) == S.true]
        witness = next((case.witness for case in [*here, *failing] if case.witness is not None), None)
    holding = [case.condition for case in cases if case.status == "proved"]
    if not failing or not holding:
        status: Status = "refuted" if failing else "proved"
        return Decision(status, not failing, evidence, None, witness, _found(cases))
    condition = simplified(Or(*holding))
    holds = condition.subs(defaults) == S.true if known else None
    return Decision("conditional", holds, evidence, condition, witness, _found(cases))


def _found(cases: Sequence[Case]) -> Cases | None:
    """Return the distinct values of all cases, each with the condition under which it is the value."""
    groups: dict[Value | None, list[Boolean]] = {}
    for case in cases:
        if case.status is not None:
            groups.setdefault(case.found, []).append(case.condition)
    values = tuple(
        CaseValue(simplified(Or(*conditions)) if len(groups) > 1 else S.true, value)
        for value, conditions in groups.items()
        if value is not None
    )
    return Cases(values) if values else None


# ----------------------------------------------------------------------------------------------------------------------


Decide = Callable[[Claim], Decision]
MAX_CASES: Final = 40
"""Number of parts of the domain after which the search gives up."""
_CANCELLED: Final = open_decision("values of parameters cancel what may have no value at some tables")


def decide_by_cases(claim: Any, whole: DecideWhole, decide: Decide) -> Decision:
    """Decide a claim for all its parameters at once, and if that fails by case analysis.

    :param whole: decides a claim that holds, or fails, for all parameters; it gets a function that decides inequalities
        and records where to cut, and the obstacles (divisors, radicands, logarithms) in the formula before
        parameters got their values
    :param decide: function that decides an inequality
    """
    watched = Watched(decide)
    decision = whole(claim, watched, ())
    if decision.status != "open" or not claim.parameters:
        return decision
    try:
        search = _Search(claim, whole, decide)
        tree = search.cut(claim, watched.points(claim), (), {})
        return outcome(search.cases, claim.parameters, Evidence("cases", {"tree": tree}))
    except UnsupportedError as error:
        reason = reason_of(decision)
        if str(error) in reason:
            return decision
        return open_decision(f"{reason}; by cases: {str(error).removesuffix(f': {reason}')}")


class Watched:
    """Decides inequalities and records parameter values at which the answer may change."""

    def __init__(self, decide: Decide) -> None:
        self.decide = decide
        self.conditions: list[Boolean] = []

    def __call__(self, claim: Claim) -> Decision:
        """Decide an inequality."""
        decision = self.decide(claim)
        if decision.condition is not None:
            self.conditions.append(decision.condition)
        return decision

    def note(self, condition: Boolean) -> None:
        """Note equations or inequalities between a parameter and numbers, as candidates for cuts of the domain."""
        self.conditions.append(condition)

    def points(self, claim: Any) -> tuple[Parameter, set[Rational]] | None:
        """Return a parameter, and values at which to cut its domain: where answers changed, or else its end points."""
        for parameter in claim.parameters:
            relations = {r for condition in self.conditions for r in condition.atoms(Relational)}
            sides = ({r.lhs, r.rhs} for r in relations)
            values = {v for pair in sides if parameter.symbol in pair for v in pair if v.is_Rational}
            if found := {value for value in values if value in parameter}:
                return parameter, found
        for parameter in claim.parameters:
            ends = (parameter.lower, parameter.upper)
            if found := {end for end in ends if end.is_finite and end in parameter}:
                return parameter, found
        return None


DecideWhole = Callable[[Any, Watched, tuple[Obstacle, ...]], Decision]


class _Search:
    """Case analysis in progress."""

    def __init__(self, claim: Any, whole: DecideWhole, decide: Decide) -> None:
        self.subject: Expr = claim.subject
        self.obstacles = tuple(obstacles_of(claim.subject))
        self.whole = whole
        self.decide = decide
        self.cases: list[Case] = []
        self.looked_at = 0

    def node(self, claim: Any, conditions: tuple[Boolean, ...], values: dict[Symbol, Expr]) -> dict[str, Any]:
        """Return the tree of evidence for some values of the parameters.

        :raises UnsupportedError: if the claim is open for some of them
        """
        self.looked_at += 1
        if self.looked_at > MAX_CASES:
            raise UnsupportedError(f"more than {MAX_CASES} cases")
        # 1. No table at which the formula is defined: nothing is claimed there.
        condition = And(*conditions)
        if not self.has_value(values):
            self.cases.append(Case(condition, None))
            return {"undefined": True}
        # 2. A substituted value may cancel an obstacle of the formula: cut the domain further.
        watched = Watched(self.decide)
        written = self.written(claim, values)
        if written is None:
            return self.cut(claim, watched.points(claim), conditions, values, _CANCELLED)
        # 3. Decide the claim for all remaining parameters at once; if that stays open, cut where answers changed.
        decision = self.whole(claim, watched, written)
        if decision.status == "open":
            return self.cut(claim, watched.points(claim), conditions, values, decision)
        # 4. Decided: the counterexample names the values of this case.
        witness = decision.witness
        if witness is not None and values:
            fixed = {symbol.name: value for symbol, value in values.items()}
            witness = replace(witness, parameters={**witness.parameters, **fixed})
        self.cases.append(Case(condition, decision.status, witness, decision.found))
        return {"proof": decision.record()}

    def cut(
        self,
        claim: Any,
        points: tuple[Parameter, set[Rational]] | None,
        conditions: tuple[Boolean, ...],
        values: dict[Symbol, Expr],
        decision: Decision | None = None,
    ) -> dict[str, Any]:
        """Return the tree of evidence after a cut of the domain of one parameter."""
        if points is None:
            reason = "" if decision is None else reason_of(decision)
            raise UnsupportedError(f"open if {condition_text(And(*conditions))}: {reason}")
        parameter, cuts = points
        pieces: dict[str, Any] = {}
        for text in _pieces(parameter, sorted(cuts)):
            part = piece(parameter, text)
            here = values | ({part.symbol: part.lower} if part.lower == part.upper else {})
            pieces[text] = self.node(narrowed(claim, part), (*conditions, relation(parameter, part)), here)
        return {"parameter": parameter.name, "pieces": pieces}

    def has_value(self, values: Mapping[Symbol, Expr]) -> bool:
        """Whether the formula is defined at some table for these values of parameters."""
        try:
            placed(self.subject, values)
        except UnsupportedError:
            return False
        return True

    def written(self, claim: Any, values: Mapping[Symbol, Expr]) -> tuple[Obstacle, ...] | None:
        """Obstacles of the formula as written (zero divisors etc.); None if one may occur at positive cells."""
        if not values:
            return ()
        found = tuple((kind, placed(base, values)) for kind, base in self.obstacles)
        return found if all(is_free(kind, base, claim.parameters) for kind, base in found) else None


def _pieces(parameter: Parameter, cuts: list[Rational]) -> Iterator[str]:
    """Yield the intervals between cuts and the cuts, as texts in order."""
    left = "(" if parameter.lower_open else "["
    lower: Expr = parameter.lower
    for cut in cuts:
        if lower != cut:
            yield f"{left}{lower}, {cut})"
        yield str(cut)
        lower, left = cut, "("
    if lower != parameter.upper:
        yield f"{left}{lower}, {parameter.upper}{')' if parameter.upper_open else ']'}"
