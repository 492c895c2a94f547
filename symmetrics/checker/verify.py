"""Does the evidence establish the verdict?"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from fractions import Fraction
from random import Random
from typing import Any, Final

from mpmath import iv
from sympy import Abs, Add, And, Eq, Expr, Max, Min, Mul, Ne, Or, Pow, Rational, S, Symbol, cancel, log, radsimp
from sympy import Poly as SymPyPoly
from sympy.logic.boolalg import Boolean
from sympy.polys.rings import PolyElement

from symmetrics.cells import CELL_NAMES, CELLS
from symmetrics.checker.fractions import Arithmetic, Quotient, factors_of
from symmetrics.checker.splits import Branch, walk
from symmetrics.claims import Identity, value_symbol
from symmetrics.errors import CertificateError
from symmetrics.formula import parse_formula
from symmetrics.parameter import Parameter
from symmetrics.verdict import Verdict, Witness

__all__ = ["check"]

COUNTS: Final = (1, 2, 3, 4, 6, 10, 30, 500, 10**5)
TRIES: Final = 2000
MAX_SIGNS: Final = 5
MAX_CANCELLED: Final = 100_000
"""Largest product of terms of a numerator and a denominator whose common factors are looked for."""


def check(verdict: Verdict) -> None:
    """Re-verify the evidence of a verdict, by exact arithmetic and by other code than found it.

    :returns: None; an open verdict asserts nothing and passes
    :raises CertificateError: if the evidence does not establish what the verdict says
    """
    try:
        _check(verdict)
    except CertificateError:
        raise
    except Exception as error:
        # Evidence comes from anywhere: whatever stops the check, nothing was established.
        raise CertificateError(f"the evidence cannot be followed: {type(error).__name__}: {error}") from error


def _check(verdict: Verdict) -> None:
    claim, kind = verdict.claim, verdict.evidence.kind
    allowed = {
        "proved": {"identity"},
        "refuted": {"witness", "conditions"},
        "conditional": {"conditions"},
        "open": {"open"},
    }
    if kind not in allowed.get(verdict.status, ()):
        raise CertificateError(f"a verdict {verdict.status!r} cannot rest on evidence of kind {kind!r}")
    declared = {p.symbol for p in claim.parameters}
    _require(claim.subject.free_symbols <= declared | set(CELLS), "the formula has a symbol that is not declared")
    of_tables = {symbol for table in claim.tables for cell in table for symbol in cell.free_symbols}
    _require(of_tables <= set(claim.variables), "a table has a symbol that is not declared")
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
    names = {p.name for p in claim.parameters}
    _require(set(witness.parameters) == names, "the counterexample has other parameters than the claim")
    parameters = {p.symbol: witness.parameters[p.name] for p in claim.parameters}
    _require(all(parameters[p.symbol] in p for p in claim.parameters), "a parameter is outside its domain")
    _require(
        len(witness.tables) == len(claim.tables) == len(witness.values), "a table of the counterexample is missing"
    )
    _require(all(_is_count(count) for table in witness.tables for count in table), "a count is not a positive number")
    _check_tables(claim, witness)
    for table, value in zip(witness.tables, witness.values, strict=True):
        place = dict(zip(CELLS, map(Rational, table), strict=True)) | parameters
        _require(_same(claim.subject.xreplace(place), value), f"the metric's value at {tuple(table)} is not {value}")
    values = {value_symbol(place): value for place, value in enumerate(witness.values)}
    gap = claim.relation.xreplace(values)
    _require(_is_certainly_nonzero(gap), "the values satisfy the claim")


def _is_count(count: object) -> bool:
    return isinstance(count, (int, Rational)) and not isinstance(count, bool) and bool(count > 0)


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
    # Factors that cancel would be solutions that are none; where one of them is zero the formula is continuous.
    if len(difference.top) * len(difference.bottom) <= MAX_CANCELLED:
        difference = Quotient(*difference.top.cancel(difference.bottom))
    for side in claim.sides:
        arithmetic.evaluate(side)  # notes where the sides are real, part of which may cancel in the difference
    equations = _coefficients(arithmetic, difference.top)
    _require_independence(arithmetic, difference.top, claim)
    _require(bool(equations), "the difference is zero for all parameters")
    branches = walk(verdict.evidence.data["tree"], equations, claim.denominators, arithmetic)
    condition = S.false if verdict.condition is None else verdict.condition
    if verdict.status == "conditional":
        _require(condition not in (S.true, S.false), "the condition says nothing")
        _require(verdict.witness is not None, "there is no counterexample where the condition fails")
    symbols = {p.symbol for p in claim.parameters}
    _require(condition.free_symbols <= symbols, "the condition is not one on the parameters")
    _require(all(_implied(condition, b, arithmetic) for b in branches), "the condition leaves out a solution")
    for disjunct in condition.args if isinstance(condition, Or) else [condition]:
        if disjunct is not S.false:
            _check_sufficient(disjunct, [*equations, difference.bottom], claim.parameters)
            _check_satisfiable(disjunct, claim.parameters, verdict.evidence.data["examples"])
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

    Irreducible, pairwise different bases without parameters have roots that are linearly independent.  Roots and
    logarithms of numbers, and pi, belong to the coefficients, because parameters can be such numbers.
    """
    places = [arithmetic.names.index(name) for name in arithmetic.parameters]
    used = [a for a in arithmetic.atoms.values() if any(monomial[a.place] for monomial in numerator)]
    for atom in used:
        free_of_parameters = not any(monomial[place] for monomial in atom.base for place in places)
        free_of_atoms = not any(monomial[a.place] for monomial in atom.base for a in arithmetic.atoms.values())
        _require(free_of_parameters and free_of_atoms, "an atom is not a polynomial in the cells alone")
        _require(_is_irreducible(atom.base), "an atom is reducible")
    monic = [(atom.is_log, str(atom.base if atom.base.is_ground else atom.base.monic())) for atom in used]
    _require(len(set(monic)) == len(monic), "two atoms are the same")
    pi = arithmetic.names.index("pi")
    numbers = {pi} | {a.place for a in used if not any(any(_without(monomial, {pi})) for monomial in a.base)}
    groups: dict[tuple[int, ...], dict[tuple[int, ...], PolyElement]] = {}
    for monomial, coefficient in numerator.terms():
        inside = tuple(e if place in places else 0 for place, e in enumerate(monomial))
        number = tuple(e if place in numbers else 0 for place, e in enumerate(monomial))
        group = groups.setdefault(_without(monomial, {*places, *numbers}), {})
        group[number] = group.get(number, arithmetic.ring(0)) + arithmetic.ring({inside: coefficient})
    return [_coefficient(group, arithmetic) for group in groups.values()]


def _without(monomial: tuple[int, ...], places: set[int]) -> tuple[int, ...]:
    return tuple(0 if place in places else power for place, power in enumerate(monomial))


def _coefficient(group: Mapping[tuple[int, ...], PolyElement], arithmetic: Arithmetic) -> PolyElement:
    """Return the polynomial p of a sum ``p * number``, after checking that the number is not zero."""
    polys = list(group.values())
    _require(len({poly.monic() for poly in polys}) == 1, "a coefficient mixes parameters with irrational numbers")
    if len(polys) > 1:
        total = Add(*(_rational(poly.LC) * _number(monomial, arithmetic) for monomial, poly in group.items()))
        _require(_is_certainly_nonzero(total), "a sum of irrational numbers may be zero")
    return polys[0]


def _number(monomial: tuple[int, ...], arithmetic: Arithmetic) -> Expr:
    """Return the number that a product of powers of pi and of constant atoms is."""
    factors = [S.Pi ** monomial[arithmetic.names.index("pi")]]
    for name, atom in arithmetic.atoms.items():
        if monomial[atom.place]:
            base = Abs(atom.base.as_expr().subs(Symbol("pi"), S.Pi))
            value = log(base) if atom.is_log else base ** Rational(1, arithmetic.degrees[name])
            factors.append(value ** monomial[atom.place])
    return Mul(*factors)


def _rational(value: Any) -> Rational:
    return Rational(int(value.numerator), int(value.denominator))


def _require_independence(arithmetic: Arithmetic, numerator: PolyElement, claim: Identity) -> None:
    """Check that absolute values in a numerator take all signs where the formula is real; and that it is, somewhere.

    Tables with an open neighbourhood are found by trying: no base is zero there and every radicand is positive.
    """
    mixed = [
        atom
        for name, atom in arithmetic.atoms.items()
        if atom.fold == 2 and not atom.is_log and any(m[atom.place] >= arithmetic.degrees[name] for m in numerator)
    ]
    signs = dict.fromkeys(arithmetic.varying_sign(value) for value in arithmetic.conditions)
    conditions = [sign for sign in signs if sign != 1]
    _require(len(mixed) <= MAX_SIGNS, "too many absolute values")
    variables = [arithmetic.names.index(variable.name) for variable in claim.variables]
    polys = [*(atom.base for atom in mixed), *conditions]
    cells_only = not any(any(_without(monomial, set(variables))) for poly in polys for monomial in poly)
    _require(cells_only, "a sign, or where the formula is real, depends on more than cells")
    missing = set(itertools.product((False, True), repeat=len(mixed)))
    random = Random(1)
    for _ in range(TRIES if mixed or conditions else 0):
        scale = random.choice((1, 1, 3, 20))
        point = {place: Fraction(random.choice(COUNTS), scale) for place in variables}
        values = [_value(atom.base, point) for atom in mixed]
        if all(values) and all(_value(condition, point) > 0 for condition in conditions):
            missing.discard(tuple(value > 0 for value in values))
        if not missing:
            return
    _require(not mixed and not conditions, "absolute values may depend on each other where the formula is real")


def _value(poly: PolyElement, point: Mapping[int, Fraction]) -> Fraction:
    total = Fraction(0)
    for monomial, coefficient in poly.terms():
        term = Fraction(int(coefficient.numerator), int(coefficient.denominator))
        for place, value in point.items():
            term *= value ** monomial[place]
        total += term
    return total


def _is_irreducible(base: PolyElement) -> bool:
    if base.is_ground:
        return bool(base.LC.denominator == 1) and _is_prime(int(base.LC.numerator))
    _, factors = factors_of(base)
    return len(factors) == 1 and factors[0][1] == 1


def _is_prime(number: int) -> bool:
    from sympy import isprime

    return bool(isprime(number))


def _implied(condition: Boolean, branch: Branch, arithmetic: Arithmetic) -> bool:
    """Whether a condition holds on a branch, identically in the parameters that the branch leaves free."""
    if isinstance(condition, Or):
        return any(_implied(part, branch, arithmetic) for part in condition.args)
    if isinstance(condition, And):
        return all(_implied(part, branch, arithmetic) for part in condition.args)
    if isinstance(condition, (Eq, Ne)):
        gap = radsimp(cancel((condition.lhs - condition.rhs).subs(branch.values, simultaneous=True)))
        return bool(gap == 0) if isinstance(condition, Eq) else _never_vanishes(gap, branch, arithmetic)
    return condition is S.true


def _never_vanishes(gap: Expr, branch: Branch, arithmetic: Arithmetic) -> bool:
    """Whether an expression is nowhere zero on a branch: it is a number, or divides what does not vanish there."""
    if gap.is_number:
        return _is_certainly_nonzero(gap)
    rest = arithmetic.evaluate(gap).top
    for poly in branch.nonzero:
        while not rest.is_ground and not (shared := rest.gcd(poly)).is_ground:
            rest = rest.exquo(shared)
    return bool(rest) and bool(rest.is_ground)


def _check_sufficient(condition: Boolean, polys: list[PolyElement], parameters: tuple[Parameter, ...]) -> None:
    """Check that the coefficients vanish, and the denominator does not, wherever a conjunction of equations holds.

    :param polys: the coefficients, and last the denominator
    """
    parts = condition.args if isinstance(condition, And) else (condition,)
    values = {part.lhs: part.rhs for part in parts if isinstance(part, Eq)}
    _require(all(isinstance(symbol, Symbol) for symbol in values), "a condition is not solved for a parameter")
    swap = {Symbol(p.name): p.symbol for p in parameters}
    *equations, denominator = [poly.as_expr().subs(swap).subs(values, simultaneous=True) for poly in polys]
    for equation in equations:
        _require(cancel(equation.expand()) == 0, "the condition does not make the difference vanish")
    _require(cancel(denominator.expand()) != 0, "the condition makes a denominator vanish")


def _check_satisfiable(condition: Boolean, parameters: tuple[Parameter, ...], examples: Iterable[Any]) -> None:
    """Check that one of the examples satisfies a conjunction of equations, within the parameters' domains."""
    for example in examples:
        values = {p.symbol: parse_formula(example[p.name]) for p in parameters}
        if all(p.domain.contains(values[p.symbol]) is S.true for p in parameters) and _is_met(condition, values):
            return
    _require(False, "no example shows that the condition can be met")


def _is_met(condition: Boolean, values: Mapping[Symbol, Expr]) -> bool:
    if isinstance(condition, And):
        return all(_is_met(part, values) for part in condition.args)
    gap = radsimp(cancel((condition.lhs - condition.rhs).subs(values, simultaneous=True)))
    return bool(gap == 0) if isinstance(condition, Eq) else _is_certainly_nonzero(gap)
