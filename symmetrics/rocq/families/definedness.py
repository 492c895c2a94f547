"""Lemmas on where a metric is defined, zero cells included."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sympy import Expr, Pow, Rational

from symmetrics.algebra import Field, convert
from symmetrics.claims.evidence import Decision
from symmetrics.claims.families.limits import DefinedEverywhere
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.rocq.engine.statements import Lemma, NotExported, Subject, domain_of, introduced, stated, tactic_bits
from symmetrics.rocq.engine.terms import RATIONALS, term
from symmetrics.tools.errors import UnsupportedError

# -- Numerators and denominators named by a proof, so that the kernel need not search for them -------------------------


@dataclass(frozen=True)
class Quotient:
    """A rational function as a numerator and a denominator, both terms in factored form.

    :param numerator: the term above
    :param denominator: the term below
    :param is_positive: whether the coefficients show both to be positive for positive variables
    """

    numerator: str
    denominator: str
    is_positive: bool


def quotient(expression: Expr, variables: Iterable[str], parameters: Iterable[Parameter] = ()) -> Quotient:
    """Return a rational function as a quotient of polynomials with integer coefficients, in lowest terms.

    :raises UnsupportedError: if the expression is no rational function, or zero

    >>> from sympy import symbols
    >>> x, y = symbols("x y", positive=True)
    >>> quotient(1/x - 1/(x + y), ["x", "y"])
    Quotient(numerator='(y)', denominator='(x) * (x + y)', is_positive=True)
    """
    field = Field(variables, parameters)
    element = field.reduce(convert(expression, field))
    if set(element.numerator) != {()}:
        raise UnsupportedError("not a rational function, or zero")
    (poly,) = element.numerator.values()
    constant, factors = poly.factor()
    below = [(field.atoms[number].base, power) for number, power in element.denominator.items()]
    above = [(poly, 1)] if any(_mixed(factor) for factor, _ in factors) else factors
    if above is factors and constant < 0:
        return Quotient(_text(poly), _product(below), is_positive=False)
    scale = [] if constant == 1 or above is not factors else [str(constant)]
    positive = all(not _mixed(base) and base.leading_coefficient() > 0 for base, _ in [*above, *below])
    return Quotient(" * ".join([*scale, _product(above)]) if above else str(constant), _product(below), positive)


def _mixed(poly: object) -> bool:
    """Return whether a polynomial has coefficients of both signs."""
    return len({coefficient > 0 for coefficient in poly.coeffs()}) > 1  # type: ignore[attr-defined]  # FLINT has no types


def _product(factors: Iterable[tuple[object, int]]) -> str:
    return " * ".join(_text(base) + (f" ^ {power}" if power > 1 else "") for base, power in factors) or "1"


def _text(poly: object) -> str:
    return f"({poly})".replace("^", " ^ ").replace("*", " * ")


# ----------------------------------------------------------------------------------------------------------------------


WEAKER = "the lemma names a table without a value, not all of them, nor the limits there"


def lemma(name: str, claim: DefinedEverywhere, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that a metric is defined at all tables of non-negative cells, or undefined at one of them.

    :raises NotExported: if there is no table that refutes the claim
    """
    name = f"{name}_everywhere"  # M_defined is the name of the domain predicate
    body = f"defined_everywhere {domain_of(subject)}"
    start = introduced(claim.parameters)
    unfolding = f"unfold {subject.formula.name}_defined"
    bits = tactic_bits(subject.numbers)
    if decision.status == "proved":
        steps = "".join(f" | divisor_as ({above}) ({below})" for above, below in _quotients(claim, subject))
        proof = (
            f"{start}unfold {name}, defined_everywhere, {subject.formula.name}_defined.\n"
            f"  intros; repeat split; first [metric_has_value{steps}]."
        )
        return stated(name, claim, decision, subject, body, proof)
    if decision.witness is None:
        raise NotExported("no table stands behind the refutation")
    counts = " ".join(term(count, 3) for count in map(Rational, decision.witness.tables[0]))
    proof = (
        f"{start}intro everywhere. specialize (everywhere {counts}).\n"
        f"  {unfolding} in everywhere. metric_has_no_value{bits} everywhere."
    )
    found = stated(name, claim, decision, subject, body, proof)
    return Lemma(found.name, found.text, WEAKER)


def _quotients(claim: DefinedEverywhere, subject: Subject) -> list[tuple[str, str]]:
    """Return the divisors that are not polynomials, as quotients."""
    found: list[tuple[str, str]] = []
    if subject.numbers is not RATIONALS:
        return found
    for node in sorted(claim.subject.atoms(Pow), key=str):
        if node.exp < 0 and not node.base.is_polynomial():
            fraction = quotient(node.base, CELL_NAMES, claim.parameters)
            found.append((fraction.numerator, fraction.denominator))
    return found
