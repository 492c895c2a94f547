"""Does the evidence establish the verdict?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mpmath import iv
from sympy import Abs, Add, And, Eq, Expr, Max, Min, Mul, Ne, Or, Pow, Rational, S, Symbol, cancel, log
from sympy import Poly as SymPyPoly
from sympy.logic.boolalg import Boolean
from sympy.polys.rings import PolyElement

from symmetrics.cells import CELL_NAMES, CELLS
from symmetrics.checker.fractions import Arithmetic, Quotient
from symmetrics.checker.splits import Branch, walk
from symmetrics.claims import Identity, value_symbol
from symmetrics.errors import CertificateError
from symmetrics.parameter import Parameter
from symmetrics.verdict import Verdict, Witness

__all__ = ["check"]


def check(verdict: Verdict) -> None:
    """Re-verify the evidence of a verdict, by exact arithmetic and by other code than found it.

    :returns: None; an open verdict asserts nothing and passes
    :raises CertificateError: if the evidence does not establish what the verdict says
    """
    claim, kind = verdict.claim, verdict.evidence.kind
    allowed = {
        "proved": {"identity"},
        "refuted": {"witness", "conditions"},
        "conditional": {"conditions"},
        "open": {"open"},
    }
    if kind not in allowed.get(verdict.status, ()):
        raise CertificateError(f"a verdict {verdict.status!r} cannot rest on evidence of kind {kind!r}")
    if verdict.witness is not None:
        _check_witness(claim, verdict.witness)
    if verdict.status == "proved":
        _require(verdict.holds is True and verdict.condition is None and verdict.witness is None, "its parts disagree")
        _, difference = _difference(claim, verdict.evidence.data)
        _require(not difference.top, "the numerator of the difference is not zero")
    elif verdict.status == "refuted":
        _require(verdict.holds is False and verdict.condition is None, "its parts disagree")
        _require(verdict.witness is not None, "there is no counterexample")
        _require(kind == "conditions" or not claim.parameters, "one counterexample does not settle every parameter")
    if kind == "conditions":
        _check_conditions(verdict)
    if verdict.status == "open":
        _require(verdict.holds is None and verdict.condition is None, "its parts disagree")


def _require(condition: bool, reason: str) -> None:
    if not condition:
        raise CertificateError(f"the evidence does not establish the verdict: {reason}")


def _difference(claim: Identity, data: Mapping[str, Any]) -> tuple[Arithmetic, Quotient]:
    names = [*CELL_NAMES, *claim.auxiliary]
    arithmetic = Arithmetic(names, claim.parameters, data["atoms"], data["values"])
    difference = arithmetic.evaluate(claim.difference)
    _require(bool(difference.bottom), "the difference has a denominator that is zero")
    return arithmetic, difference


# -- counterexamples -------------------------------------------------------------------------------------------------


def _check_witness(claim: Identity, witness: Witness) -> None:
    parameters = {p.symbol: witness.parameters[p.name] for p in claim.parameters if p.name in witness.parameters}
    _require(len(parameters) == len(claim.parameters), "a parameter of the counterexample is missing")
    _require(all(parameters[p.symbol] in p for p in claim.parameters), "a parameter is outside its domain")
    _require(
        len(witness.tables) == len(claim.tables) == len(witness.values), "a table of the counterexample is missing"
    )
    _require(all(count > 0 for table in witness.tables for count in table), "a count is not positive")
    _check_tables(claim, witness)
    for table, value in zip(witness.tables, witness.values, strict=True):
        place = dict(zip(CELLS, map(Rational, table), strict=True)) | parameters
        _require(_same(claim.subject.xreplace(place), value), f"the metric's value at {tuple(table)} is not {value}")
    values = {value_symbol(place): value for place, value in enumerate(witness.values)}
    gap = claim.relation.xreplace(values)
    _require(_is_certainly_nonzero(gap), "the values satisfy the claim")


def _check_tables(claim: Identity, witness: Witness) -> None:
    """Check that the tables are the claim's, for some positive values of the auxiliary variables."""
    known: dict[Symbol, Expr] = {}
    pairs = [
        (e, Rational(c)) for es, t in zip(claim.tables, witness.tables, strict=True) for e, c in zip(es, t, strict=True)
    ]
    while True:
        left = [(expression.xreplace(known), count) for expression, count in pairs]
        unknown = [(e, c) for e, c in left if len(e.free_symbols) == 1]
        if not unknown:
            break
        expression, count = unknown[0]
        (symbol,) = expression.free_symbols
        poly = SymPyPoly(expression - count, symbol)
        _require(poly.degree() == 1, "a table of the claim is not linear")
        known[symbol] = -poly.nth(0) / poly.nth(1)
    _require(all(expression == count for expression, count in left), "the tables are not those of the claim")
    _require(all(known[variable] > 0 for variable in claim.variables), "a variable is not positive")


def _same(left: Expr, right: Expr) -> bool:
    return bool(left == right or cancel(left - right) == 0 or (left - right).expand(log=True, force=True) == 0)


def _is_certainly_nonzero(value: Expr) -> bool:
    if isinstance(value, Rational):
        return bool(value != 0)
    saved = iv.prec
    try:
        for bits in (64, 256, 1024):
            iv.prec = bits
            enclosure = _enclose(value)
            if enclosure.a > 0 or enclosure.b < 0:
                return True
        return False
    finally:
        iv.prec = saved


def _enclose(value: Expr) -> Any:
    """Return an interval that certainly holds a real constant."""
    if isinstance(value, Rational):
        return iv.mpf(int(value.p)) / int(value.q)
    if value is S.Pi:
        return iv.pi
    if isinstance(value, Pow):
        base = _enclose(value.base)
        if value.exp.is_Integer:
            return base ** int(value.exp)
        _require(base.a >= 0, "a root of a negative number in the counterexample")
        return iv.exp(_enclose(value.exp) * iv.log(base))
    parts = [_enclose(argument) for argument in value.args]
    if isinstance(value, Add):
        return sum(parts[1:], parts[0])
    if isinstance(value, Mul):
        product = parts[0]
        for part in parts[1:]:
            product = product * part
        return product
    if isinstance(value, Abs):
        return abs(parts[0])
    if isinstance(value, log):
        return iv.log(parts[0])
    if isinstance(value, (Max, Min)):
        choose = max if isinstance(value, Max) else min
        return iv.mpf([choose(part.a for part in parts), choose(part.b for part in parts)])
    raise CertificateError(f"{type(value).__name__} cannot be checked")


# -- conditions ------------------------------------------------------------------------------------------------------


def _check_conditions(verdict: Verdict) -> None:
    claim = verdict.claim
    arithmetic, difference = _difference(claim, verdict.evidence.data)
    equations = _coefficients(arithmetic, difference.top)
    _require(bool(equations), "the difference is zero for all parameters")
    branches = walk(verdict.evidence.data["tree"], equations, _denominators(arithmetic, claim), arithmetic)
    condition = S.false if verdict.condition is None else verdict.condition
    if verdict.status == "conditional":
        _require(condition not in (S.true, S.false), "the condition says nothing")
    _require(all(_implied(condition, branch) for branch in branches), "the condition leaves out a solution")
    for disjunct in condition.args if isinstance(condition, Or) else [condition]:
        if disjunct is not S.false:
            _check_sufficient(disjunct, equations, claim.parameters)
    _check_holds(verdict, condition)


def _check_holds(verdict: Verdict, condition: Boolean) -> None:
    defaults = {p.symbol: p.default for p in verdict.claim.parameters}
    expected = None if None in defaults.values() else bool(condition.subs(defaults))
    _require(verdict.holds is (False if condition is S.false else expected), "the value at the defaults is wrong")
    if verdict.witness is not None:
        values = {p.symbol: verdict.witness.parameters[p.name] for p in verdict.claim.parameters}
        at_default = expected is None or expected or values == defaults
        _require(at_default, "the counterexample is not at the default parameters")


def _coefficients(arithmetic: Arithmetic, numerator: PolyElement) -> list[PolyElement]:
    """Return the coefficients of a numerator as a polynomial in cells and atoms, after checking that these are free.

    Irreducible, pairwise different bases without parameters have roots that are linearly independent.
    """
    places = [arithmetic.names.index(name) for name in arithmetic.parameters]
    used = [a for a in arithmetic.atoms.values() if any(monomial[a.place] for monomial in numerator)]
    for atom in used:
        free_of_parameters = not any(monomial[place] for monomial in atom.base for place in places)
        free_of_atoms = not any(monomial[a.place] for monomial in atom.base for a in arithmetic.atoms.values())
        _require(free_of_parameters and free_of_atoms, "an atom is not a polynomial in the cells alone")
        _require(_is_irreducible(atom.base), "an atom is reducible")
    monic = [(atom.is_log, str(atom.base.monic())) for atom in used]
    _require(len(set(monic)) == len(monic), "two atoms are the same")
    groups: dict[tuple[int, ...], PolyElement] = {}
    for monomial, coefficient in numerator.terms():
        inside = tuple(e if place in places else 0 for place, e in enumerate(monomial))
        outside = tuple(0 if place in places else e for place, e in enumerate(monomial))
        groups[outside] = groups.get(outside, arithmetic.ring(0)) + arithmetic.ring({inside: coefficient})
    return list(groups.values())


def _is_irreducible(base: PolyElement) -> bool:
    if base.is_ground:
        return bool(base.LC.denominator == 1) and _is_prime(int(base.LC.numerator))
    _, factors = base.factor_list()
    return len(factors) == 1 and factors[0][1] == 1


def _is_prime(number: int) -> bool:
    from sympy import isprime

    return bool(isprime(number))


def _denominators(arithmetic: Arithmetic, claim: Identity) -> Iterable[Expr]:
    swap = {Symbol(p.name): p.symbol for p in claim.parameters}
    return [arithmetic.evaluate(side).bottom.as_expr().subs(swap) for side in claim.sides]


def _implied(condition: Boolean, branch: Branch) -> bool:
    """Whether a condition holds on a branch, identically in the parameters that the branch leaves free."""
    if isinstance(condition, Or):
        return any(_implied(part, branch) for part in condition.args)
    if isinstance(condition, And):
        return all(_implied(part, branch) for part in condition.args)
    if isinstance(condition, (Eq, Ne)):
        gap = cancel((condition.lhs - condition.rhs).subs(branch, simultaneous=True))
        return bool(gap == 0) == isinstance(condition, Eq)
    return condition is S.true


def _check_sufficient(condition: Boolean, equations: list[PolyElement], parameters: tuple[Parameter, ...]) -> None:
    """Check that the coefficients vanish wherever a conjunction of equations for parameters holds."""
    parts = condition.args if isinstance(condition, And) else (condition,)
    values = {part.lhs: part.rhs for part in parts if isinstance(part, Eq)}
    _require(all(isinstance(symbol, Symbol) for symbol in values), "a condition is not solved for a parameter")
    swap = {Symbol(p.name): p.symbol for p in parameters}
    for equation in equations:
        at_condition = equation.as_expr().subs(swap).subs(values, simultaneous=True)
        _require(cancel(at_condition.expand()) == 0, "the condition does not make the difference vanish")
