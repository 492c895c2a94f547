"""Solving for the parameters: when does every coefficient of a numerator vanish?

The system is solved by splitting: a polynomial vanishes if and only if one of its irreducible factors does, and a
factor is either impossible on the parameters' domain, or sets a parameter, or (all coefficients of one sign) has every
one of its terms vanish.  A parameter whose coefficient may vanish is set in one case, and in the other the coefficient
is zero.  The splits form a tree, which is the certificate: the checker walks it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from flint import arb, fmpq, fmpz
from sympy import And, Eq, Expr, Ne, Or, Poly, Rational, S, Symbol, cancel, denom, radsimp
from sympy.logic.boolalg import Boolean

from symmetrics.algebra.convert import poly_expression
from symmetrics.algebra.evaluate import certain_sign
from symmetrics.algebra.field import Element, Field
from symmetrics.algebra.field import Poly as FieldPoly
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.tools.errors import UnsupportedError

MAX_SAMPLES: Final = 300
"""Number of combinations of simple parameter values to try."""

Tree = dict[str, Any]


@dataclass(frozen=True)
class Solution:
    """The parameter values at which a system of polynomials vanishes, and the tree of splits that shows it.

    :param examples: for every branch of the condition, values in the parameters' domains that satisfy it
    """

    condition: Boolean
    tree: Tree
    examples: tuple[Mapping[Symbol, Expr], ...]


def coefficient_system(element: Element, field: Field) -> list[FieldPoly]:
    """Return the coefficients of a numerator as a polynomial in everything but the parameters.

    The numerator vanishes for given parameter values if and only if all of them do.  Roots and logarithms of numbers,
    and pi, are coefficients too: parameters are real, so that ``w - sqrt(2)*v`` vanishes for more than w = v = 0.

    :raises UnsupportedError: if an atom mixes parameters with cells, or has parameters alone: special values could then
        make atoms dependent, and the equivalence would be lost; or if a coefficient mixes parameters with such numbers
    """
    places = [place for place, name in enumerate(field.names) if name in field.parameters]
    pi = field.names.index("pi")
    groups: dict[tuple[Any, ...], dict[_Number, dict[tuple[int, ...], Any]]] = {}
    # Constants (roots and logarithms of numbers, pi) belong to the coefficient, all other atoms to the monomial.
    for monomial, poly in element.numerator.items():
        for number, _ in monomial:
            if _mentions(field.atoms[number].base, places):
                raise UnsupportedError("a root or logarithm holds a parameter: bind the parameter and ask again")
        fixed = tuple(factor for factor in monomial if field.is_constant(field.atoms[factor[0]]))
        moving = tuple(factor for factor in monomial if factor not in fixed)
        # Split the exponents into those of the parameters and those of everything else.
        for exponents, coefficient in poly.to_dict().items():
            inside = tuple(e if place in places else 0 for place, e in enumerate(exponents))
            outside = tuple(0 if place in (*places, pi) else int(e) for place, e in enumerate(exponents))
            group = groups.setdefault((moving, outside), {})
            group.setdefault((fixed, int(exponents[pi])), {})[inside] = coefficient
    # One polynomial per monomial, each different one once, the shortest first.
    primitive = {str(unit): unit for group in groups.values() for unit in (_coefficient(group, field),)}
    return [primitive[key] for key in sorted(primitive, key=lambda key: (len(primitive[key]), key))]


_Number = tuple[tuple[tuple[int, Fraction], ...], int]
"""A product of powers of constant atoms and a power of pi."""


def _coefficient(group: Mapping[_Number, Mapping[tuple[int, ...], Any]], field: Field) -> FieldPoly:
    """Return the polynomial p of a sum ``p * number``, after making sure that the number is not zero."""
    units: dict[str, FieldPoly] = {}
    numbers: list[tuple[fmpz, _Number]] = []
    for number, terms in group.items():
        poly: FieldPoly = field.context.from_dict(dict(terms))
        content = poly.content() if poly.leading_coefficient() > 0 else -poly.content()
        units[str(poly / content)] = poly / content
        numbers.append((content, number))
    if len(units) > 1:
        raise UnsupportedError("a condition would mix parameters with roots or logarithms of numbers, or with pi")
    if len(numbers) > 1 and not certain_sign(lambda: sum(c * _ball(n, field) for c, n in numbers)):
        raise UnsupportedError("a sum of roots or logarithms of numbers is not known to be zero or not")
    return next(iter(units.values()))


def _ball(number: _Number, field: Field) -> arb:
    factors, power = number
    value = arb.pi() ** power
    pi = field.names.index("pi")
    for place, exponent in factors:
        polynomial: Any = field.atoms[place].base
        base = abs(sum((arb(c) * arb.pi() ** int(e[pi]) for e, c in polynomial.to_dict().items()), arb(0)))
        if field.atoms[place].is_log:
            base = base.log()
        value *= base ** arb(fmpq(exponent.numerator, exponent.denominator))
    return value


def _mentions(base: Any, places: Sequence[int]) -> bool:
    polys = base.values() if isinstance(base, dict) else [base]
    return any(poly.degrees()[place] for poly in polys for place in places)


def solve_system(system: Sequence[FieldPoly], field: Field, denominators: Iterable[Expr]) -> Solution:
    """Return the values in the parameters' domain at which every polynomial of a system vanishes.

    :param denominators: divisors of the formula; solutions that make one of them vanish for all counts are left out
    :raises UnsupportedError: if a factor has irrational roots that the other equations share only in part, or if it is
        not clear whether a solution lies in the domain
    """
    solver = _Solver(field, list(denominators))
    tree = solver.solve(_Case(tuple(system)))
    branches = _without_special_cases(solver.branches)
    examples = tuple(solver.examples[branch] for branch in branches)
    return Solution(Or(*(_conjunction(branch) for branch in branches)), tree, examples)


Branch = tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True)
class _Case:
    """State of the walk at one node of the tree of splits.

    :param equations: polynomials that still have to vanish
    :param found: the parameters set so far
    :param nonzero: polynomials that must not vanish, because the other case covers that
    """

    equations: tuple[FieldPoly, ...]
    found: tuple[tuple[Symbol, Expr], ...] = ()
    nonzero: tuple[FieldPoly, ...] = ()


class _Solver:
    """Walks the splits of a system and collects the branches that survive.

    Case distinction by factoring: an equation is replaced by its factors, one after the other; a factor that is linear
    in a parameter, or has rational roots in one, sets that parameter in all other equations.
    """

    def __init__(self, field: Field, denominators: list[Expr]) -> None:
        self.field = field
        self.denominators = denominators
        self.branches: list[Branch] = []
        self.examples: dict[Branch, Mapping[Symbol, Expr]] = {}

    def solve(self, case: _Case) -> Tree:
        if not all(case.nonzero):
            return {"leaf": "covered"}
        # A non-zero constant never vanishes; with no equations left, the parameters set so far are a solution.
        equations = tuple(poly for poly in case.equations if poly)
        if any(poly.is_constant() for poly in equations):
            return {"leaf": "impossible"}
        if not equations:
            return self.accept(case.found)
        # Split the simplest equation: a product vanishes exactly where one of its factors does.
        poly = min(equations, key=lambda p: (len(p), p.total_degree(), str(p)))
        _, factors = poly.factor()
        rest = replace(case, equations=equations)
        return {
            "split": self.text(poly),
            "children": [{"factor": self.text(factor), **self.branch(factor, rest)} for factor, _ in factors],
        }

    def accept(self, branch: Branch) -> Tree:
        values = dict(branch)
        if any(cancel(d.xreplace(values).expand()) == 0 for d in self.denominators):
            return {"leaf": "undefined"}
        if any(value.is_number and not self.admits(symbol, value) for symbol, value in branch):
            return {"leaf": "outside the domain"}
        completed = (self.completed(branch, values) for values in sample_values(self.field.parameters.values()))
        example = next((values for values in completed if values is not None), None)
        if example is None:
            raise UnsupportedError("it is not clear whether solutions for the parameters lie in their domains")
        self.branches.append(branch)
        self.examples[branch] = example
        return {"leaf": "holds"}

    def admits(self, symbol: Symbol, value: Expr) -> bool:
        parameter = self.field.parameters[symbol.name]
        if value.is_Rational:
            return value in parameter
        inside = parameter.domain.contains(value)
        if inside not in (S.true, S.false):
            raise UnsupportedError(f"it is not clear whether {value} lies in the domain of {parameter.name}")
        return bool(inside)

    def completed(self, branch: Branch, values: Mapping[Symbol, Expr]) -> Mapping[Symbol, Expr] | None:
        """Return values of all parameters on a branch, given the free ones; None if one is outside its domain."""
        free = {symbol: value for symbol, value in values.items() if symbol not in dict(branch)}
        placed = {symbol: value.xreplace(free) for symbol, value in branch}
        inside = all(value.is_finite and self.admits(symbol, value) for symbol, value in placed.items())
        return free | placed if inside else None

    def branch(self, factor: FieldPoly, case: _Case) -> Tree:
        """Follow one factor: solve for the parameters at which it is zero."""
        names = [name for name, degree in zip(self.field.names, factor.degrees(), strict=True) if degree]
        # Univariate of higher degree: its roots are counted in the domain.
        if len(names) == 1 and factor.total_degree() > 1:
            return self.irrational(factor, self.field.parameters[names[0]], case)
        # No zero in the domain.
        if len(names) > 1 and self.field.never_zero(factor):
            return {"leaf": "no root in the domain"}
        # A sum of non-negative terms vanishes only if each term does.
        if len(names) > 1 and all(c > 0 for c in factor.coeffs()) and self.nowhere_negative(names):
            terms = tuple(self.field.context.from_dict({exponents: 1}) for exponents in factor.to_dict())
            return {"terms": True, "then": self.solve(replace(case, equations=terms + case.equations))}
        # Linear in some parameter: slope*p + rest = 0; choose the simplest slope.
        linear = [name for name in names if factor.degrees()[self.field.names.index(name)] == 1]
        if not linear:
            raise UnsupportedError(f"the equation {self.text(factor)} = 0 between parameters is not solved")
        slopes = {name: factor.derivative(self.field.names.index(name)) for name in linear}
        name = min(linear, key=lambda name: (not slopes[name].is_constant(), len(slopes[name]), name))
        slope = slopes[name]
        rest = factor - slope * self.field.generators[name]
        if slope.is_constant():
            return self.assign(name, -rest, slope, case)
        # The slope may vanish: either slope = rest = 0, or p = -rest/slope.
        return {
            "coefficient": self.text(slope),
            "zero": self.solve(replace(case, equations=(slope, rest, *case.equations))),
            "nonzero": self.assign(name, -rest, slope, replace(case, nonzero=(slope, *case.nonzero))),
        }

    def nowhere_negative(self, names: Iterable[str]) -> bool:
        return all(self.field.parameters[name].lower >= 0 for name in names)

    def irrational(self, factor: FieldPoly, parameter: Parameter, case: _Case) -> Tree:
        """Follow an irreducible polynomial in one parameter, of degree two or more."""
        roots = [
            r for r in Poly(self.expression(factor), parameter.symbol).real_roots() if parameter.domain.contains(r)
        ]
        if not roots:
            return {"leaf": "no root in the domain"}
        if any(not divmod(poly, factor)[1] for poly in case.nonzero):
            return {"leaf": "covered"}
        if factor.total_degree() > 2 or any(divmod(poly, factor)[1] for poly in case.equations):
            raise UnsupportedError(
                f"the condition on {parameter.name} may hold at roots of polynomials, which are not solved for"
            )
        leaves = []
        for root in roots:
            found = ((symbol, radsimp(cancel(v.xreplace({parameter.symbol: root})))) for symbol, v in case.found)
            leaves.append(self.accept((*found, (parameter.symbol, root))))
        return {"roots": [formula_text(root) for root in roots], "then": leaves}

    def assign(self, name: str, top: FieldPoly, bottom: FieldPoly, case: _Case) -> Tree:
        """Set a parameter to a fraction, substitute it everywhere and go on."""
        parameter = self.field.parameters[name]
        value = cancel(self.expression(top) / self.expression(bottom))
        if value.is_Rational and value not in parameter:
            return {"leaf": "outside the domain"}
        place = self.field.names.index(name)

        def put(polys: Iterable[FieldPoly]) -> tuple[FieldPoly, ...]:
            return tuple(self.field.substitute_fraction(poly, place, top, bottom) for poly in polys)

        found = tuple((symbol, cancel(known.xreplace({parameter.symbol: value}))) for symbol, known in case.found)
        then = self.solve(_Case(put(case.equations), (*found, (parameter.symbol, value)), put(case.nonzero)))
        return {"set": name, "to": formula_text(value), "then": then}

    def expression(self, poly: FieldPoly) -> Expr:
        return poly_expression(poly, self.field)

    def text(self, poly: FieldPoly) -> str:
        return formula_text(self.expression(poly))


def _conjunction(branch: Branch) -> Boolean:
    """Return the equations of a branch, and for a value with a denominator that this is not zero."""
    poles = {denom(value) for _, value in branch} - {S.One}
    return And(*(Eq(left, right) for left, right in branch), *(Ne(pole, 0) for pole in poles if pole.free_symbols))


def _without_special_cases(branches: list[Branch]) -> list[Branch]:
    """Drop the branches that are contained in another one."""
    kept: list[Branch] = []
    for branch in sorted(set(branches), key=lambda branch: (len(branch), str(branch))):
        values = {left: right for left, right in branch if isinstance(left, Symbol)}
        if not any(_follows(other, values) for other in kept):
            kept.append(branch)
    return kept


def _follows(branch: Branch, values: dict[Symbol, Expr]) -> bool:
    differences = [(left - right).subs(values, simultaneous=True) for left, right in branch]
    poles = [denom(right).subs(values, simultaneous=True) for _, right in branch]
    # Where the other branch has a pole, this one may have points of its own.
    if any(pole.free_symbols or not pole.is_nonzero for pole in poles):
        return False
    return all(cancel(difference) == 0 for difference in differences)


def sample_values(parameters: Iterable[Parameter]) -> Iterator[dict[Symbol, Rational]]:
    """Yield simple values inside the parameters' domains, their ends last."""
    declared = list(parameters)
    choices = [_simple_values(parameter) for parameter in declared]
    symbols = [parameter.symbol for parameter in declared]
    diagonal = (
        tuple(options[(offset * (place + 1)) % len(options)] for place, options in enumerate(choices))
        for offset in range(12)
    )
    for values in itertools.islice(itertools.chain(diagonal, itertools.product(*choices)), MAX_SAMPLES):
        yield dict(zip(symbols, values, strict=True))


def _simple_values(parameter: Parameter) -> list[Rational]:
    """Return some simple values of a parameter, those inside the domain first.

    >>> _simple_values(Parameter("w", 0, 1))
    [1/2, 1/3, 3/4, 2/5, 4/5, 1/7, 9/10, 0, 1]
    """
    shares = [Rational(*share) for share in ((1, 2), (1, 3), (3, 4), (2, 5), (4, 5), (1, 7), (9, 10))]
    lower, upper = parameter.lower, parameter.upper
    if lower.is_finite and upper.is_finite:
        inner = [lower + (upper - lower) * share for share in shares]
    elif lower.is_finite:
        inner = [lower + step for step in (1, 2, 3, 5, 7, Rational(1, 2), 30)]
    elif upper.is_finite:
        inner = [upper - step for step in (1, 2, 3, 5, 7, Rational(1, 2), 30)]
    else:
        inner = [Rational(step) for step in (1, 2, 3, 5, 7, -1, -2, 0, 30, -30)]
    ends = [end for end in (lower, upper) if end.is_finite and end in parameter]
    return list(dict.fromkeys(value for value in (*inner, *ends) if value in parameter))
