"""Lemmas on where a formula is extreme: two bounds on the gap to the extreme value, or counterexamples."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sympy import (
    Abs,
    Add,
    Expr,
    Integer,
    Max,
    Min,
    Mul,
    Poly,
    Pow,
    Rational,
    Symbol,
    expand,
    factor,
    factor_list,
    fraction,
    log,
    sqrt,
    together,
)

from symmetrics.algebra.derivative import value_as_written
from symmetrics.claims.evidence import Decision
from symmetrics.claims.families.limits import LargestAtAgreement, SmallestAtDisagreement
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.language.formula import parse_formula
from symmetrics.rocq.engine.ends import unbounded_end, why_inside
from symmetrics.rocq.engine.radicals import radical_script
from symmetrics.rocq.engine.statements import Lemma, NotExported, Subject, introduced, scripted, stated
from symmetrics.rocq.engine.terms import RATIONALS, cancelled, lowest_terms, term

# ----------------------------------------------------------------------------------------------------------------------
# How close values come to an extreme: an upper and a lower bound of the gap over positive cells, as scripts.


AWAY: Final = tuple((power, divisor) for power in (1, 2) for divisor in (2, 3, 4, 6, 12))
"""Constants tried in the lower bound of a gap."""
NEAR: Final = (1, 2, 3, 4, 6)
"""Constants tried in the upper bound of a gap."""
ROOT: Final = Symbol("root", positive=True)


@dataclass(frozen=True)
class Gap:
    """The gap between an extreme value, attained where some cells are zero, and the values elsewhere.

    :param value: the gap, in the cells
    :param empty: the cells that are zero where the formula has the extreme value
    """

    value: Expr
    empty: tuple[Symbol, Symbol]

    @property
    def small(self) -> Expr:
        """The sum of the cells that are zero where the formula is extreme."""
        return Add(*self.empty)

    def away(self) -> tuple[int, int, str]:
        """Return k and K, with the proof that the gap is at least e^k / (K n^k) for small e.

        :raises NotExported: if none is found
        """
        for power, divisor in AWAY:
            script = _script(
                self.value, self.small**power / (divisor * Add(*CELLS) ** power), self.empty, at_least=True
            )
            if script:
                return power, divisor, script
        raise NotExported("values that come near to the extreme one at tables where the formula has no limit")

    def near(self) -> tuple[int, str]:
        """Return L, with the proof that the gap is at most L e n / p, p being the product of the other cells.

        :raises NotExported: if none is found
        """
        others = Mul(*(cell for cell in CELLS if cell not in self.empty))
        for number in NEAR:
            script = _script(self.value, number * self.small * Add(*CELLS) / others, self.empty, at_least=False)
            if script:
                return number, script
        raise NotExported("values that do not come near to the extreme one as two cells become small")


def _script(value: Expr, bound: Expr, empty: Sequence[Symbol], *, at_least: bool) -> str | None:
    """Return the tactic that proves a lower, or an upper, bound."""
    sign = 1 if at_least else -1
    if value.has(log):
        raise NotExported("extremes of a formula with logarithms")
    has_root, has_choice = bool(_radicands(value)), value.has(Abs, Min, Max)
    if has_root and has_choice:
        raise NotExported("extremes of a formula with roots and minima, maxima or absolute values")
    if has_choice:
        return _by_choice(sign * (value - bound))
    if not has_root:
        return "fractions" if _is_positive(sign * (value - bound)) else None
    script = _by_rational_bounds(value, bound, empty, at_least=at_least)
    if script:
        return script
    try:
        return f"apply Rlt_le. {radical_script(sign * (value - bound), strict=True)}"
    except NotExported:
        return None


def _is_positive(value: Expr, weak: Sequence[Symbol] = ()) -> bool:
    """Whether the coefficients of a rational function show that it is positive at positive cells.

    :param weak: symbols that may be zero
    """
    above, below = (Poly(part, *CELLS, *weak) for part in lowest_terms(value))
    signs = {bool(coefficient > 0) for part in (above, below) for coefficient in part.coeffs()}
    none = Poly(below.as_expr().xreplace(dict.fromkeys(weak, Integer(0))), *CELLS)
    return len(signs) == 1 and not above.is_zero and not none.is_zero


# -- minima, maxima and absolute values ------------------------------------------------------------------------------


def _by_choice(difference: Expr) -> str | None:
    """Return the tactic for a difference that is positive for every choice in its extremes, or by its mean."""
    nodes = sorted(difference.atoms(Abs, Min, Max), key=str)
    if any(node.args[0].has(Abs, Min, Max) or len(node.args) > 2 for node in nodes):
        raise NotExported("extremes of a formula with nested minima or maxima")
    choices = [node.args if isinstance(node, Min | Max) else (node.args[0], -node.args[0]) for node in nodes]
    combinations = (dict(zip(nodes, choice, strict=True)) for choice in itertools.product(*choices))
    if all(_is_positive(difference.xreplace(choice)) for choice in combinations):
        return "by_cases; fractions"
    rests = [Symbol(f"h{place}", nonnegative=True) for place in range(1, len(nodes) + 1)]
    means = {node: _by_mean(node, rest) for node, rest in zip(nodes, rests, strict=True)}
    whole = difference.xreplace(means)
    if not _is_positive(whole, rests):
        return None
    above, below = lowest_terms(whole)
    if Poly(below, *CELLS, *rests).LC() < 0:
        above, below = -above, -below
    steps = "; ".join(f"off_mean {term(node, 3)} {rest}" for node, rest in zip(nodes, rests, strict=True))
    return f"{steps}; exceeds ({term(expand(above))}) ({term(factor(below))}); [below | above]"


def _by_mean(node: Expr, rest: Symbol) -> Expr:
    if isinstance(node, Abs):
        return rest
    return Add(*node.args) / 2 + (rest if isinstance(node, Max) else -rest)


# -- roots -----------------------------------------------------------------------------------------------------------


def _radicands(value: Expr) -> list[Expr]:
    powers = [node for node in value.atoms(Pow) if isinstance(node.exp, Rational) and node.exp.q != 1]
    if any(node.exp.q != 2 for node in powers):
        raise NotExported("extremes of a formula with cube roots")
    return sorted({node.base for node in powers if not node.base.is_number}, key=str)


def _by_rational_bounds(value: Expr, bound: Expr, empty: Sequence[Symbol], *, at_least: bool) -> str | None:
    """Return the tactic that replaces a root by a rational bound, from the side that each term needs."""
    radicands = _radicands(value)
    if len(radicands) != 1:
        return None
    (x,) = radicands
    plain = expand(
        value.replace(
            lambda node: isinstance(node, Pow) and node.base == x and node.exp.is_Rational and node.exp.q == 2,
            lambda node: ROOT ** (2 * node.exp),
        )
    )
    terms = [(part / ROOT**power, power) for part in Add.make_args(plain) for power in (_power(part),)]
    (power, *others) = {power for _, power in terms if power}
    if others or power not in (1, -1) or any(part.has(ROOT) for part, _ in terms):
        return None
    up = Add(*(part for part, p in terms if p and part.as_coeff_Mul()[0] > 0))
    down = -Add(*(part for part, p in terms if p and part.as_coeff_Mul()[0] < 0))
    rest = Add(*(part for part, p in terms if not p))
    for y in _near_roots(x, empty):
        low, high = (2 * x * y, x + y**2), (x + y**2, 2 * y)
        (a, b), (c, d) = (low, high) if power == 1 else ((high[1], high[0]), (low[1], low[0]))
        least, most = a / b, c / d
        middle = rest + (up * least - down * most if at_least else up * most - down * least)
        if _is_positive(middle - bound if at_least else bound - middle):
            return _parts(x, y, middle, (up, down) if at_least else (down, up), power, at_least=at_least)
    return None


def _power(part: Expr) -> Expr:
    return part.as_powers_dict().get(ROOT, Integer(0))


def _parts(x: Expr, y: Expr, middle: Expr, parts: tuple[Expr, Expr], power: Expr, *, at_least: bool) -> str:
    word = "root" if power == 1 else "inverse_root"
    known = f"{term(x, 3)} {term(y, 3)} ltac:(above) ltac:(above)"
    texts = " ".join(f"({term(factor(part))})" for part in (middle, *parts))
    lemma = f"at_{'least' if at_least else 'most'}_by_parts"
    return (
        f"apply ({lemma} _ _ {texts} _ _ _\n"
        f"      ({word}_at_least {known}) ({word}_at_most {known}));\n"
        "      [below | below | field; apart | fractions]"
    )


def _near_roots(x: Expr, empty: Sequence[Symbol]) -> Iterator[Expr]:
    """Yield the value of a root where some cells are zero: a number, or a product of the radicand's factors."""
    zeros = dict.fromkeys(empty, Integer(0))
    there = cancelled(x.xreplace(zeros))
    if there == 0 and x.is_polynomial(*CELLS):
        yield Add(*empty) / 2
    if there.is_number:
        if there > 0 and sqrt(there).is_Rational:
            yield sqrt(there)
        return
    above, below = fraction(together(x))
    if below != 1:
        return
    factors = [base for base, power in factor_list(above)[1] for _ in range(power)]
    seen = set()
    for size in range(len(factors) + 1):
        for some in itertools.combinations(factors, size):
            product = Mul(*some)
            if product not in seen and cancelled(product.xreplace(zeros) ** 2 - there) == 0:
                yield product
            seen.add(product)


# ----------------------------------------------------------------------------------------------------------------------


Extreme = LargestAtAgreement | SmallestAtDisagreement


def lemma(name: str, claim: Extreme, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma on whether a formula is largest exactly at agreement, or smallest exactly at disagreement.

    :param name: the proposition's name
    :raises NotExported: if no proof is known
    """
    scripts = {"tables": _tables, "faces": _bounds, "unbounded": _unbounded, "attained elsewhere": _attained}
    kind = decision.evidence.kind
    if kind not in scripts:
        raise NotExported(f"a verdict on extremes that rests on {kind}")
    proof = scripts[kind](claim, decision, subject)
    body = f"{_notion(claim)} {' '.join(_applied(claim, subject))}"
    return stated(name, claim, decision, subject, body, introduced(claim.parameters) + proof)


def _notion(claim: Extreme) -> str:
    return "largest_at_agreement" if isinstance(claim, LargestAtAgreement) else "smallest_at_disagreement"


def _applied(claim: Extreme, subject: Subject) -> list[str]:
    """Return the formula and its domain predicate, applied to the parameters."""
    own = " ".join(p.name for p in claim.parameters)
    formula = subject.formula.name
    return [f"({word} {own})" if own else word for word in (formula, f"{formula}_defined")]


@scripted
def _tables(claim: Extreme, decision: Decision, subject: Subject) -> str:
    """Refute by two tables that violate the order required by the claim."""
    witness, formula = decision.witness, subject.formula
    if witness is None:
        raise NotExported("no tables stand behind the refutation")
    has_open_end = any(p.upper.is_finite and p.upper_open for p in claim.parameters)
    if claim.parameters and (has_open_end or subject.numbers is not RATIONALS):
        raise NotExported("tables at which a parameter is left, of a formula with roots or on an open domain")
    first, second = ([Rational(count) for count in table] for table in witness.tables)
    if any(value_as_written(claim.subject, dict(zip(CELLS, table, strict=True))) is None for table in (first, second)):
        raise NotExported("a value at a table is the limit of the formula there")
    tp, fn, fp, tn = first
    at_extreme = (fn, fp) == (0, 0) if isinstance(claim, LargestAtAgreement) else (tp, tn) == (0, 0)
    reason = "two_values" if at_extreme else "elsewhere"
    tables = " ".join(term(count, 3) for count in (*first, *second))
    tactic = "at_tables"
    for parameter in claim.parameters if subject.numbers is RATIONALS else ():
        tactic = f"first [{tactic} | by_domain {parameter.name}; {tactic}]"
    return (
        f"apply ({_notion(claim)}_{reason} {' '.join(_applied(claim, subject))} {tables});\n"
        f"    unfold {formula.name}, {formula.name}_defined; {tactic}."
    )


@scripted
def _unbounded(claim: Extreme, decision: Decision, subject: Subject) -> str:
    """Refute by tables whose values exceed every number."""
    side = "upper" if isinstance(claim, LargestAtAgreement) else "lower"
    script = unbounded_end(side, decision.evidence.data["path"], claim.parameters, subject)
    return f"apply {_notion(claim)}_unbounded. {script}."


@scripted
def _attained(claim: Extreme, decision: Decision, subject: Subject) -> str:
    """Refute by another table at which the formula has its extreme value."""
    witness, name = decision.witness, subject.formula.name
    if witness is None or claim.parameters or subject.numbers is not RATIONALS:
        raise NotExported(
            "an extreme that is attained elsewhere, of a formula with parameters, or that is not rational"
        )
    (table,) = ([Rational(count) for count in counts] for counts in witness.tables)
    if value_as_written(claim.subject, dict(zip(CELLS, table, strict=True))) is None:
        raise NotExported("a value at a table is the limit of the formula there")
    side = "upper" if isinstance(claim, LargestAtAgreement) else "lower"
    inside = why_inside(side, decision.evidence.data["end"], claim.parameters, subject)
    return (
        f"apply ({_notion(claim)}_attained {name} {name}_defined {_where_defined(name)}\n"
        f"      {' '.join(term(count, 3) for count in table)}).\n"
        f"  - unfold {name}_defined; at_tables.\n"
        f"  - intros TP FN FP TN ? ? ? ? ?. unfold {name}_defined, {name} in *. unpack. {inside}."
    )


def _where_defined(name: str) -> str:
    """Prove that a formula is continuous where it is defined, and defined at positive cells."""
    return f"ltac:(continuous_here {name} {name}_defined)\n      ltac:(defined_here {name}_defined)"


@scripted
def _bounds(claim: Extreme, decision: Decision, subject: Subject) -> str:
    """Prove the claim by two bounds on the gap at positive cells."""
    if claim.parameters:
        raise NotExported("extremes of a formula with parameters")
    extreme = parse_formula(decision.evidence.data["extreme"])
    is_largest = isinstance(claim, LargestAtAgreement)
    gap = Gap(extreme - claim.subject, (FN, FP)) if is_largest else Gap(claim.subject - extreme, (TP, TN))
    (power, divisor, away), (number, near) = gap.away(), gap.near()
    name = subject.formula.name
    if subject.numbers is RATIONALS:
        signs = f"reflexivity | discriminate | unfold {name}, {name}_defined; at_tables"
    else:
        signs = "lra | lra"
    return (
        f"apply ({_notion(claim)}_by {name} {name}_defined {_where_defined(name)}"
        f" {term(extreme, 3)} {divisor} {number} {power} {power});\n"
        f"    [{signs} | |]; intros; unfold {name}.\n"
        f"  - {away}.\n  - {near}."
    )
