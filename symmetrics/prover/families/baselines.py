"""Decide constant baselines: by two different expectations, by the lemma on affine formulas, or by moments."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from flint import fmpq
from sympy import And, Eq, Expr, Integer, Or, Poly, S, Symbol, cancel, factor_list, ff, fraction

from symmetrics.algebra.convert import Conversion, difference_of, element_expression, field_for
from symmetrics.claims import Claim
from symmetrics.claims.evidence import Decision, Evidence, open_decision
from symmetrics.claims.families.limits import ConstantBaseline, ConstantMatrixBaseline
from symmetrics.claims.values import Baseline, Expectation
from symmetrics.language.cells import CELLS
from symmetrics.language.condition import condition_text
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.conditions import Solution, solve_system
from symmetrics.prover.engine.expectations import (
    ENDS,
    Expectations,
    Margins,
    ParametricExpectations,
    at_the_example,
    ends,
    margins_of,
    parts_of,
    triple_of,
)
from symmetrics.prover.engine.leading import UNDEFINED, is_real_nearly_everywhere
from symmetrics.tools.errors import UnsupportedError

# -- The expectation of a formula that is a polynomial in TP at fixed margins, by factorial moments --------------------


K, TOTAL, POSITIVES, PREDICTED = (Symbol(name) for name in ("k", "total", "positives", "predicted"))
_TABLE: Final = (K, POSITIVES - K, PREDICTED - K, TOTAL - POSITIVES - PREDICTED + K)
_MARGINS: Final = (TOTAL, POSITIVES, PREDICTED, TOTAL - POSITIVES, TOTAL - PREDICTED)


def mean_of_polynomial(formula: Expr) -> Expr | None:
    """Return E[M] as a function of the margins n, P and OP; None unless M is a polynomial in TP at fixed margins.

    A factorial moment of the hypergeometric TP is E[(TP)_j] = (P)_j*(OP)_j/(n)_j.

    :param formula: one over the cells, without parameters

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> mean_of_polynomial(TP), mean_of_polynomial(TP * TN - FN * FP), mean_of_polynomial(TP / (TP + FN + FP))
    (positives*predicted/total, 0, None)
    """
    if not formula.is_rational_function(*CELLS):
        return None
    top, bottom = fraction(cancel(formula.xreplace(dict(zip(CELLS, _TABLE, strict=True)))))
    _, factors = factor_list(bottom)
    if any(all(cancel(base / margin).free_symbols for margin in _MARGINS) for base, _ in factors):
        return None
    rest, place, mean = Poly(top, K), 0, Integer(0)
    while not rest.is_zero:
        # Newton's form of the polynomial: division by K, K - 1, ... gives its coefficients at factorial powers.
        rest, last = rest.div(Poly(K - place, K))
        mean += last.as_expr() * ff(POSITIVES, place) * ff(PREDICTED, place) / ff(TOTAL, place)
        place += 1
    return cancel(mean.expand(func=True) / bottom)


# ----------------------------------------------------------------------------------------------------------------------


Decide = Callable[[Claim], Decision]
AnyBaseline = ConstantBaseline | ConstantMatrixBaseline
FIRST_TOTAL, LARGEST_TOTAL = 4, 5
"""Largest n of the margins that are compared before, and after, the lemma is tried."""
EXAMPLES_BEFORE, EXAMPLES_AFTER = 1, 3
"""Excess of examples over classes in the matrices compared before, and after, the lemma is tried."""
SYSTEM_TOTALS: Final = (3, 4)
"""Largest n of the margins whose expectations are compared for all parameters, in successive attempts."""


def decide(claim: AnyBaseline, decide_part: Decide) -> Decision:
    """Decide whether E[M] is the same number at all margins.

    :param decide_part: function that decides a part
    """
    try:
        if isinstance(claim, ConstantMatrixBaseline) and claim.parameters:
            raise UnsupportedError("constant baselines of matrices are decided at given values of the parameters alone")
        if claim.subject.has(*UNDEFINED):
            raise UnsupportedError("the formula has no value")
        if isinstance(claim, ConstantMatrixBaseline):
            return _over_matrices(claim, decide_part)
        if claim.parameters:
            return _by_lemma(claim, decide_part, _exists_for_all(claim)) or _by_cases(claim, decide_part)
        return _without_parameters(claim, decide_part)
    except UnsupportedError as error:
        return open_decision(str(error))


def _without_parameters(claim: ConstantBaseline, decide_part: Decide) -> Decision:
    # Direct values are the easiest to check; limits are used only where needed.
    for means in (Expectations(claim, with_limits=False), Expectations(claim)):
        if different := means.first_difference(margins_of(2, 2, FIRST_TOTAL)):
            return _refuted(different, means)
    if means.first is None:
        if found := _nowhere(claim, decide_part):
            return found
        raise UnsupportedError("no limits of M at tables with zero cells were found, so that no expectation is known")
    if found := _by_lemma(claim, decide_part, means.first):
        return found
    mean = mean_of_polynomial(claim.subject)
    if mean is not None and mean.is_Rational:
        return Decision("proved", True, Evidence("moments", {}), found=Baseline((Expectation(formula_text(mean)),)))
    if different := means.first_difference(margins_of(2, FIRST_TOTAL + 1, LARGEST_TOTAL)):
        return _refuted(different, means)
    raise UnsupportedError(
        f"all expectations up to n = {LARGEST_TOTAL} that exist agree, but M is not shown to be affine in TP at fixed "
        "margins, nor a polynomial in TP, so that nothing is known about larger n"
    )


def _over_matrices(claim: ConstantMatrixBaseline, decide_part: Decide) -> Decision:
    size = claim.classes
    few, more = size + EXAMPLES_BEFORE, size + EXAMPLES_AFTER
    exists = False
    for means in (Expectations(claim, with_limits=False), Expectations(claim)):
        if different := means.first_difference(margins_of(size, size, few)):
            return _refuted(different, means)
        if means.first and not exists and (found := _by_lemma(claim, decide_part, means.first)):
            return found
        exists = exists or means.first is not None
        # With more examples only ascending margins: others are permutations of these.
        if different := means.first_difference(margins_of(size, few + 1, more, ordered=True)):
            return _refuted(different, means)
    if not exists:
        raise UnsupportedError("no limits of M at matrices with zeros were found, so that no expectation is known")
    raise UnsupportedError(
        f"all expectations up to n = {more} that were computed agree, but M is not shown to be affine at fixed sums of "
        "rows and columns, so that nothing is known about larger n"
    )


def _refuted(different: tuple[Margins, Margins], means: Expectations) -> Decision:
    """Return the refutation by two different expectations, stated as numbers if they are certainly rational."""
    claim, pairs = means.claim, [(means.means[margins], margins) for margins in different]
    is_plain = not means.with_limits or bool(claim.subject.is_rational_function(*claim.arguments))
    exact = is_plain and all(isinstance(mean, fmpq) for mean, _ in pairs)
    if isinstance(claim, ConstantMatrixBaseline):
        evidence = Evidence("expectations of matrices", {"margins": [list(map(list, one)) for one in different]})
        named = (Expectation(str(mean), rows=rows, columns=columns) for mean, (rows, columns) in pairs)
    else:
        evidence = Evidence("expectations", {"triples": [list(triple_of(one)) for one in different]})
        named = (Expectation(str(mean), *triple_of(margins)) for mean, margins in pairs)
    return Decision("refuted", False, evidence, found=Baseline(tuple(named)) if exact else None)


# -- the lemma -------------------------------------------------------------------------------------------------------


def _by_lemma(claim: AnyBaseline, decide_part: Decide, margins: Margins | None) -> Decision | None:
    """Return the proof for a formula that is affine at fixed margins and constant at rank one, None for others.

    :param margins: margins whose expectation exists for all parameters
    """
    if margins is None:
        return None
    records = {}
    for name, part in parts_of(claim).items():
        decision = decide_part(part)
        if decision.status != "proved":
            return None
        if difference_of(part.sides, part.difference, field_for(part.parameters, over=part.names)).field.conditions:
            return None
        records[name] = decision.record()
    if isinstance(claim, ConstantMatrixBaseline):
        evidence = Evidence("affine in matrices", {"parts": records, "margins": [list(sums) for sums in margins]})
    else:
        evidence = Evidence("affine", {"parts": records, "triple": list(triple_of(margins))})
    return Decision("proved", True, evidence, found=Baseline((Expectation(formula_text(_in_lowest_terms(claim))),)))


def _in_lowest_terms(claim: AnyBaseline) -> Expr:
    field = field_for(claim.parameters, over=tuple(symbol.name for symbol in claim.arguments))
    return element_expression(field.reduce(Conversion(field)(at_the_example(claim))), field)


def _nowhere(claim: ConstantBaseline, decide_part: Decide) -> Decision | None:
    """Return the refutation of a formula without any expectation: it is infinite at one end of all distributions."""
    if not is_real_nearly_everywhere(claim.subject, claim.parameters):
        return None  # it may be finite along other paths into the table than the straight line
    for end in ENDS:
        limits = ends(claim, end)
        decisions = list(itertools.takewhile(_diverges, map(decide_part, limits)))
        if len(decisions) == len(limits):
            parts = [decision.record() for decision in decisions]
            return Decision("refuted", False, Evidence("no expectation", {"end": end, "parts": parts}))
    return None


def _diverges(decision: Decision) -> bool:
    return decision.status == "refuted" and decision.evidence.kind == "divergence"


# -- parameters ------------------------------------------------------------------------------------------------------


def _exists_for_all(claim: ConstantBaseline) -> Margins | None:
    """Return margins whose expectation exists for all parameters, or None if none were found."""
    for margins in margins_of(2, 2, SYSTEM_TOTALS[0]):
        system = ParametricExpectations(claim)
        if system.mean(margins) is not None and all(map(system.field.never_zero, system.assumed.values())):
            return margins
    return None


def _by_cases(claim: ConstantBaseline, decide_part: Decide) -> Decision:
    """Decide a claim with parameters by cases: where do some expectations agree, and does the claim hold there?

    :raises UnsupportedError: if that is not found out
    """
    *shorter, longest = SYSTEM_TOTALS
    for largest in shorter:
        try:
            return _by_cases_up_to(largest, claim, decide_part)
        except UnsupportedError:
            continue
    return _by_cases_up_to(longest, claim, decide_part)


def _by_cases_up_to(largest: int, claim: ConstantBaseline, decide_part: Decide) -> Decision:
    # All expectations have to agree: each difference from the first is a fraction in the parameters.
    system = ParametricExpectations(claim)
    means = [(one, mean) for one in margins_of(2, 2, largest) if (mean := system.mean(one)) is not None]
    if len(means) < 2:
        raise UnsupportedError("too few expectations are fractions of polynomials in the parameters")
    field, (_, first) = system.field, means[0]
    gaps = [field.reduce(field.subtract(mean, first)) for _, mean in means[1:]]
    polys = [poly for gap in gaps for poly in gap.numerator.values() if not gap.is_zero]
    if not polys:
        raise UnsupportedError("all expectations that were compared agree, and no law shows it for all n")
    # Where do all numerators vanish, and where does an expectation not exist because its denominator vanishes?
    solution = solve_system(polys, field, ())
    assumed = {text: solve_system([poly], field, ()) for text, poly in system.assumed.items()}
    data = {
        "triples": [list(triple_of(margins)) for margins, _ in means],
        "tree": solution.tree,
        "assumed": [{"poly": text, "tree": zeros.tree} for text, zeros in assumed.items()],
    }
    return _with_cases(claim, [solution, *assumed.values()], data, decide_part)


def _with_cases(
    claim: ConstantBaseline, solutions: list[Solution], data: dict[str, Any], decide_part: Decide
) -> Decision:
    """Decide the claim on each branch on which the expectations agree; elsewhere two of them differ."""
    condition: Any = S.false
    cases: list[dict[str, Any]] = []
    branches = sorted(
        {branch for solution in solutions for branch in _branches(solution)}, key=lambda b: (len(b), str(b))
    )
    for branch in branches:
        # A branch inside a larger one is covered by that one.
        if any(set(other) < set(branch) for other in branches):
            continue
        place = {equation.lhs: equation.rhs for equation in branch}
        # With the branch's parameters bound, the claim is a smaller one of the same family.
        part = claim.at(place)
        case = _case(branch, [example for solution in solutions for example in solution.examples])
        if part.subject.has(*UNDEFINED):
            cases.append(case)
            continue
        decision = decide_part(part)
        if decision.status not in ("proved", "refuted"):
            raise UnsupportedError(f"where {condition_text(And(*branch))}: it is {decision.status}")
        if decision.status == "proved":
            condition = Or(condition, And(*branch))
        cases.append(case | {"part": decision.record()})
    evidence = data | {"cases": cases}
    if condition is S.false:
        return Decision("refuted", False, Evidence("cases", evidence))
    defaults = {p.symbol: p.default for p in claim.parameters}
    holds = None if None in defaults.values() else bool(condition.subs(defaults))
    return Decision("conditional", holds, Evidence("cases", evidence), condition)


def _case(branch: tuple[Eq, ...], examples: Iterable[Mapping[Symbol, Expr]]) -> dict[str, Any]:
    """Return the values of parameters on a branch, with sample values for free parameters that occur in them."""
    case: dict[str, Any] = {"at": {equation.lhs.name: formula_text(equation.rhs) for equation in branch}}
    if any(equation.rhs.free_symbols for equation in branch):
        met = next(example for example in examples if And(*branch).subs(example) == S.true)
        case["example"] = {symbol.name: formula_text(value) for symbol, value in met.items()}
    return case


def _branches(solution: Solution) -> Iterator[tuple[Eq, ...]]:
    """Yield the branches of a condition: equations of parameters with numbers, or with polynomials in others.

    :raises UnsupportedError: if an equation is another one
    """
    if solution.condition is S.false:
        return
    for branch in solution.condition.args if isinstance(solution.condition, Or) else (solution.condition,):
        parts = branch.args if isinstance(branch, And) else (branch,)
        if not all(isinstance(part, Eq) and part.lhs.is_Symbol and _is_known(part.rhs) for part in parts):
            raise UnsupportedError(f"expectations agree where {condition_text(branch)}, which is not decided further")
        yield tuple(sorted(parts, key=str))


def _is_known(value: Expr) -> bool:
    return bool(value.is_Rational or (value.free_symbols and value.is_polynomial()))
