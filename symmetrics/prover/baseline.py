"""Constant baselines decided: by two expectations that differ, or by the lemma on formulas affine in TP."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb
from typing import Any, Final

from flint import arb, ctx, fmpq
from sympy import And, Eq, Expr, Integer, Or, Pow, Rational, S

from symmetrics.algebra.convert import Conversion, field_for, poly_expression
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.algebra.field import Element, Field, Poly
from symmetrics.calculus.extension import extension_of
from symmetrics.cells import CELLS
from symmetrics.claims import Claim
from symmetrics.claims.baseline import ENDS, ConstantBaseline
from symmetrics.condition import condition_text
from symmetrics.errors import UnsupportedError
from symmetrics.formula import formula_text
from symmetrics.prover.conditions import Solution, solve_system
from symmetrics.prover.identities import difference_of
from symmetrics.prover.parts import part_record
from symmetrics.verdict import Decision, Evidence

__all__ = ["Triple", "decide_constant_baseline", "tables_of", "triples"]

Decide = Callable[[Claim], Decision]
Triple = tuple[int, int, int]
"""n, P and OP."""
FIRST_TOTAL, LARGEST_TOTAL = 4, 5
"""Largest n of the triples that are compared before, and after, the lemma is tried."""
SYSTEM_TOTALS: Final = (3, 4)
"""Largest n of the triples whose expectations are compared for all parameters, one attempt after the other."""
BITS: Final = 256
_UNDEFINED: Final = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)


def triples(largest: int, smallest: int = 2) -> Iterator[Triple]:
    """Yield n, P and OP with ``1 <= P, OP <= n - 1``, the smallest n first, then in lexicographic order.

    >>> list(triples(3))
    [(2, 1, 1), (3, 1, 1), (3, 1, 2), (3, 2, 1), (3, 2, 2)]
    """
    for n in range(smallest, largest + 1):
        for positives, predicted in itertools.product(range(1, n), repeat=2):
            yield n, positives, predicted


def tables_of(triple: Triple) -> list[tuple[fmpq, tuple[int, int, int, int]]]:
    """Return the tables with given margins, each with its probability.

    >>> tables_of((3, 1, 1))
    [(2/3, (0, 1, 1, 1)), (1/3, (1, 0, 0, 2))]
    """
    n, positives, predicted = triple
    return [
        (
            fmpq(comb(positives, tp) * comb(n - positives, predicted - tp), comb(n, predicted)),
            (tp, positives - tp, predicted - tp, n - positives - predicted + tp),
        )
        for tp in range(max(0, positives + predicted - n), min(positives, predicted) + 1)
    ]


def decide_constant_baseline(claim: ConstantBaseline, decide: Decide) -> Decision:
    """Decide whether the expectation at fixed margins is one number.

    :param decide: what decides a part
    """
    try:
        if claim.subject.has(*_UNDEFINED):
            raise UnsupportedError("the formula has no value")
        if claim.parameters:
            return _by_lemma(claim, decide, _exists_for_all(claim)) or _by_cases(claim, decide)
        return _without_parameters(claim, decide)
    except UnsupportedError as error:
        return Decision("open", None, Evidence("open", f"open: {error}"))


def _without_parameters(claim: ConstantBaseline, decide: Decide) -> Decision:
    # Values of the formula as written are the easiest to check, so that limits are used only where they are needed.
    for means in (_Expectations(claim.subject, with_limits=False), _Expectations(claim.subject)):
        if different := means.first_difference(triples(FIRST_TOTAL)):
            return _refuted(different, means)
    if means.first is None:
        if found := _nowhere(claim, decide):
            return found
        raise UnsupportedError("no limits of M at tables with zero cells were found, so that no expectation is known")
    if found := _by_lemma(claim, decide, means.first):
        return found
    if different := means.first_difference(triples(LARGEST_TOTAL, FIRST_TOTAL + 1)):
        return _refuted(different, means)
    raise UnsupportedError(
        f"all expectations up to n = {LARGEST_TOTAL} that exist agree, but M is not shown to be affine in TP at fixed "
        "margins, so that nothing is known about larger n"
    )


class _Expectations:
    """The expectations of a formula without parameters, each value of it computed once.

    :param with_limits: whether limits count as values where the formula as written has none
    """

    def __init__(self, formula: Expr, *, with_limits: bool = True) -> None:
        self.formula = formula
        self.with_limits = with_limits
        self.evaluate = Evaluator(formula, CELLS)
        self.values: dict[tuple[int, ...], Any] = {}
        self.first: Triple | None = None
        """The first triple whose expectation is known to exist."""
        self.means: dict[Triple, Any] = {}

    def first_difference(self, candidates: Iterator[Triple]) -> tuple[Triple, Triple] | None:
        """Return the first triple with an expectation, and the first one whose expectation is certain to differ."""
        for triple in candidates:
            mean = self.mean(triple)
            if mean is None:
                continue
            self.means[triple] = mean
            self.first = self.first or triple
            # Balls that do not meet hold different numbers.
            if mean != self.means[self.first]:
                return self.first, triple
        return None

    def mean(self, triple: Triple) -> Any:
        """Return an expectation, a rational number or a ball, or None if it does not exist."""
        saved, ctx.prec = ctx.prec, BITS
        try:
            total: Any = fmpq(0)
            for weight, table in tables_of(triple):
                if (value := self.value(table)) is None:
                    return None
                total = total + weight * value
            return total
        finally:
            ctx.prec = saved

    def value(self, table: tuple[int, int, int, int]) -> Any:
        if table not in self.values:
            self.values[table] = self.computed(table)
        return self.values[table]

    def computed(self, table: tuple[int, int, int, int]) -> Any:
        try:
            # Where the formula as written has a value, it is continuous.
            value = self.evaluate(*table)
        except Undefined:
            if not self.with_limits:
                return None
            extended = self.limit(table)
            value = Evaluator(extended, ())() if extended.is_finite else None
        return value if isinstance(value, fmpq) or (value is not None and value.is_finite()) else None

    def limit(self, table: tuple[int, ...]) -> Expr:
        try:
            return extension_of(self.formula).value(*table)
        except (TypeError, ValueError):  # SymPy's, of Min and Max of what cannot be compared
            return S.NaN


def _refuted(different: tuple[Triple, Triple], means: _Expectations) -> Decision:
    first, second = (means.means[triple] for triple in different)
    is_plain = not means.with_limits or bool(means.formula.is_rational_function(*CELLS))
    exact = is_plain and isinstance(first, fmpq) and isinstance(second, fmpq)
    left, right = (str(mean) if exact else _decimal(mean) for mean in (first, second))
    text = f"{left} at (n, P, OP) = {different[0]}, {right} at {different[1]}"
    evidence = Evidence("expectations", f"E[M] = {text}", {"triples": [list(triple) for triple in different]})
    return Decision("refuted", False, evidence, value=text if exact else None)


def _decimal(mean: Any) -> str:
    if isinstance(mean, fmpq):
        return str(mean)
    return f"about {float(arb(mean).mid()):.6g}"


# -- the lemma -------------------------------------------------------------------------------------------------------


def _by_lemma(claim: ConstantBaseline, decide: Decide, triple: Triple | None) -> Decision | None:
    """Return the proof for a formula that is affine in TP and constant at independent tables, None for others.

    :param triple: one whose expectation exists, whatever the parameters
    """
    parts = {"affinity": claim.affinity, "independence": claim.independence}
    decisions = {}
    if triple is None:
        return None
    for name, part in parts.items():
        decisions[name] = decide(part)
        if decisions[name].status != "proved" or difference_of(part).field.conditions:
            return None
    value = formula_text(_in_lowest_terms(claim))
    sentence = (
        f"E[M] = {value} wherever it exists: M is affine in TP at fixed margins, so that its mean is its value at the "
        "mean table, which is independent; and M is constant at independent tables"
    )
    records = {name: part_record(decision, parts[name]) for name, decision in decisions.items()}
    evidence = Evidence("affine", sentence, {"parts": records, "triple": list(triple)})
    return Decision("proved", True, evidence, value=value)


def _in_lowest_terms(claim: ConstantBaseline) -> Expr:
    from symmetrics.algebra.convert import element_expression

    field = field_for(claim.parameters)
    return element_expression(field.reduce(Conversion(field)(claim.at_the_example)), field)


def _nowhere(claim: ConstantBaseline, decide: Decide) -> Decision | None:
    """Return the refutation of a formula without any expectation: it is infinite at one end of all distributions."""
    for end in ENDS:
        limits = claim.ends(end)
        decisions = list(itertools.takewhile(_diverges, map(decide, limits)))
        if len(decisions) == len(limits):
            sentence = f"E[M] exists for no n, P, OP: M is infinite at the tables with the {end}"
            parts = [part_record(decision, limit) for decision, limit in zip(decisions, limits, strict=True)]
            return Decision("refuted", False, Evidence("no expectation", sentence, {"end": end, "parts": parts}))
    return None


def _diverges(decision: Decision) -> bool:
    return decision.status == "refuted" and decision.evidence.kind == "divergence"


# -- parameters ------------------------------------------------------------------------------------------------------


class _System:
    """Expectations as fractions of polynomials in the parameters."""

    def __init__(self, claim: ConstantBaseline) -> None:
        self.claim = claim
        self.field: Field = field_for(claim.parameters)
        self.read = Conversion(self.field)
        below = {power.base for power in claim.subject.atoms(Pow) if power.exp.is_negative}
        self.bases = sorted(below, key=str)
        self.assumed: dict[str, Poly] = {}
        """The irreducible polynomials that expectations are divided by, by their texts."""

    def mean(self, triple: Triple) -> Element | None:
        """Return an expectation, or None where the formula as written has no rational value at one of the tables."""
        total = self.field.constant(0)
        assumed: dict[str, Poly] = {}
        for weight, table in tables_of(triple):
            place = {cell: Integer(count) for cell, count in zip(CELLS, table, strict=True)}
            value = self.rational(self.claim.subject.xreplace(place))
            if value is None:
                return None
            for base in (self.rational(base.xreplace(place)) for base in self.bases):
                if base is None or base.is_zero:
                    return None
                assumed |= self.factors(base)
            share = self.read(Rational(int(weight.p), int(weight.q)))
            total = self.field.add(total, self.field.multiply(share, value))
        self.assumed |= assumed
        return self.field.reduce(total)

    def rational(self, expression: Expr) -> Element | None:
        if expression.has(*_UNDEFINED):
            return None
        try:
            value = self.field.reduce(self.read(expression))
        except UnsupportedError:
            return None
        atoms = {number for monomial in value.numerator for number, _ in monomial}
        atoms |= {n for n in value.denominator if self.field.atoms[n].is_opaque or self.field.atoms[n].is_log}
        is_whole = all(Fraction(power).denominator == 1 for power in value.denominator.values())
        return value if is_whole and not atoms else None

    def factors(self, value: Element) -> dict[str, Poly]:
        polys = [*value.numerator.values(), *(self.field.atoms[number].base for number in value.denominator)]
        factors = (factor for poly in polys for factor, _ in poly.factor()[1])
        return {formula_text(poly_expression(f, self.field)): f for f in factors if not f.is_constant()}


def _exists_for_all(claim: ConstantBaseline) -> Triple | None:
    """Return a triple whose expectation exists whatever the parameters, or None if none was found."""
    for triple in triples(SYSTEM_TOTALS[0]):
        system = _System(claim)
        if system.mean(triple) is not None and all(map(system.field.never_zero, system.assumed.values())):
            return triple
    return None


def _by_cases(claim: ConstantBaseline, decide: Decide) -> Decision:
    """Decide a claim with parameters: where do some expectations agree, and does the claim hold there?

    :raises UnsupportedError: if that is not found out
    """
    *shorter, longest = SYSTEM_TOTALS
    for largest in shorter:
        try:
            return _by_cases_up_to(largest, claim, decide)
        except UnsupportedError:
            continue
    return _by_cases_up_to(longest, claim, decide)


def _by_cases_up_to(largest: int, claim: ConstantBaseline, decide: Decide) -> Decision:
    system = _System(claim)
    means = [(triple, mean) for triple in triples(largest) if (mean := system.mean(triple)) is not None]
    if len(means) < 2:
        raise UnsupportedError("too few expectations are fractions of polynomials in the parameters")
    field, (_, first) = system.field, means[0]
    gaps = [field.reduce(field.subtract(mean, first)) for _, mean in means[1:]]
    polys = [poly for gap in gaps for poly in gap.numerator.values() if not gap.is_zero]
    if not polys:
        raise UnsupportedError("all expectations that were compared agree, and no law shows it for all n")
    solution = solve_system(polys, field, ())
    assumed = {text: solve_system([poly], field, ()) for text, poly in system.assumed.items()}
    data = {
        "triples": [list(triple) for triple, _ in means],
        "tree": solution.tree,
        "assumed": [{"poly": text, "tree": zeros.tree} for text, zeros in assumed.items()],
    }
    return _with_cases(claim, [solution, *assumed.values()], data, decide)


def _with_cases(claim: ConstantBaseline, solutions: list[Solution], data: dict[str, Any], decide: Decide) -> Decision:
    condition: Any = S.false
    cases: list[dict[str, Any]] = []
    branches = sorted(
        {branch for solution in solutions for branch in _branches(solution)}, key=lambda b: (len(b), str(b))
    )
    for branch in branches:
        if any(set(other) < set(branch) for other in branches):
            continue
        place = {equation.lhs: equation.rhs for equation in branch}
        part = claim.at(place)
        at = {symbol.name: formula_text(value) for symbol, value in place.items()}
        if part.subject.has(*_UNDEFINED):
            cases.append({"at": at})
            continue
        decision = decide(part)
        if decision.status not in ("proved", "refuted"):
            raise UnsupportedError(f"where {condition_text(And(*branch))}: {decision.evidence.sentence}")
        if decision.status == "proved":
            condition = Or(condition, And(*branch))
        cases.append({"at": at, "part": part_record(decision, part)})
    evidence = data | {"cases": cases}
    if condition is S.false:
        sentence = "for no values of the parameters do the expectations agree at all small n, P, OP"
        return Decision("refuted", False, Evidence("cases", sentence, evidence))
    sentence = f"E[M] is constant if and only if {condition_text(condition)}: elsewhere expectations at small n differ"
    defaults = {p.symbol: p.default for p in claim.parameters}
    holds = None if None in defaults.values() else bool(condition.subs(defaults))
    return Decision("conditional", holds, Evidence("cases", sentence, evidence), condition)


def _branches(solution: Solution) -> Iterator[tuple[Eq, ...]]:
    """Yield the ways to satisfy a condition, each as equations of parameters with numbers.

    :raises UnsupportedError: if an equation is another one
    """
    if solution.condition is S.false:
        return
    for branch in solution.condition.args if isinstance(solution.condition, Or) else (solution.condition,):
        parts = branch.args if isinstance(branch, And) else (branch,)
        if not all(isinstance(part, Eq) and part.lhs.is_Symbol and part.rhs.is_Rational for part in parts):
            raise UnsupportedError(f"expectations agree where {condition_text(branch)}, which is not decided further")
        yield tuple(sorted(parts, key=str))
