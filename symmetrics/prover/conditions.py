"""Solving for the parameters: when does every coefficient of a numerator vanish?

The system is solved by splitting: a polynomial vanishes if and only if one of its irreducible factors does, and a
factor is either impossible on the parameters' domain, or sets a parameter, or (all coefficients of one sign) has every
one of its terms vanish.  A parameter whose coefficient may vanish is set in one case, and in the other the coefficient
is zero.  The splits form a tree, which is the certificate: the checker walks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import And, Eq, Expr, Ne, Or, Poly, S, Symbol, cancel, denom
from sympy.logic.boolalg import Boolean

from symmetrics.algebra.convert import poly_expression
from symmetrics.algebra.field import Element, Field
from symmetrics.algebra.field import Poly as FieldPoly
from symmetrics.errors import UnsupportedError
from symmetrics.formula import formula_text
from symmetrics.parameter import Parameter

__all__ = ["Solution", "coefficient_system", "solve_system"]

Tree = dict[str, Any]


@dataclass(frozen=True)
class Solution:
    """The parameter values at which a system of polynomials vanishes, and the tree of splits that shows it."""

    condition: Boolean
    tree: Tree


def coefficient_system(element: Element, field: Field) -> list[FieldPoly]:
    """Return the coefficients, polynomials in the parameters, of a numerator read as a polynomial in everything else.

    The numerator vanishes for given parameter values if and only if all of them do.

    :raises UnsupportedError: if an atom mixes parameters with cells, or has parameters alone: special values could then
        make atoms dependent, and the equivalence would be lost
    """
    places = [place for place, name in enumerate(field.names) if name in field.parameters]
    groups: dict[tuple[Any, ...], dict[tuple[int, ...], Any]] = {}
    for monomial, poly in element.numerator.items():
        for number, _ in monomial:
            if _mentions(field.atoms[number].base, places):
                raise UnsupportedError("a root or logarithm holds a parameter: bind the parameter and ask again")
        for exponents, coefficient in poly.to_dict().items():
            inside = tuple(e if place in places else 0 for place, e in enumerate(exponents))
            outside = tuple(0 if place in places else int(e) for place, e in enumerate(exponents))
            groups.setdefault((monomial, outside), {})[inside] = coefficient
    system = {str(poly): poly for terms in groups.values() for poly in (_as_poly(terms, field),)}
    primitive = {}
    for poly in system.values():
        unit = poly / poly.content() if poly.leading_coefficient() > 0 else -poly / poly.content()
        primitive[str(unit)] = unit
    return [primitive[key] for key in sorted(primitive, key=lambda key: (len(primitive[key]), key))]


def _as_poly(terms: Mapping[tuple[int, ...], Any], field: Field) -> FieldPoly:
    return field.context.from_dict(terms)


def _mentions(base: Any, places: Sequence[int]) -> bool:
    polys = base.values() if isinstance(base, dict) else [base]
    return any(poly.degrees()[place] for poly in polys for place in places)


def solve_system(system: Sequence[FieldPoly], field: Field, denominators: Iterable[FieldPoly]) -> Solution:
    """Return the values in the parameters' domain at which every polynomial of a system vanishes.

    :param denominators: polynomials that do not vanish identically where the formula is defined anywhere; solutions
        that make one of them zero are left out
    :raises UnsupportedError: if a factor has irrational roots that the other equations share only in part
    """
    solver = _Solver(field, list(denominators))
    tree = solver.solve(_Case(tuple(system)))
    branches = _without_special_cases(solver.branches)
    return Solution(Or(*(_conjunction(branch) for branch in branches)), tree)


Branch = tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True)
class _Case:
    """Where a walk through the splits stands.

    :param equations: what still has to vanish
    :param found: the parameters set so far
    :param nonzero: what may not vanish, because the other case deals with it
    """

    equations: tuple[FieldPoly, ...]
    found: tuple[tuple[Symbol, Expr], ...] = ()
    nonzero: tuple[FieldPoly, ...] = ()


class _Solver:
    """Walks the splits of a system and collects the branches that survive."""

    def __init__(self, field: Field, denominators: list[FieldPoly]) -> None:
        self.field = field
        self.denominators = denominators
        self.branches: list[Branch] = []

    def solve(self, case: _Case) -> Tree:
        if not all(case.nonzero):
            return {"leaf": "covered"}
        equations = tuple(poly for poly in case.equations if poly)
        if any(poly.is_constant() for poly in equations):
            return {"leaf": "impossible"}
        if not equations:
            return self.accept(case.found)
        poly = min(equations, key=lambda p: (len(p), p.total_degree(), str(p)))
        _, factors = poly.factor()
        rest = replace(case, equations=equations)
        return {
            "split": self.text(poly),
            "children": [{"factor": self.text(factor), **self.branch(factor, rest)} for factor, _ in factors],
        }

    def accept(self, branch: Branch) -> Tree:
        values = dict(branch)
        if any(not self.expression(d).subs(values, simultaneous=True).expand() for d in self.denominators):
            return {"leaf": "undefined"}
        self.branches.append(branch)
        return {"leaf": "holds"}

    def branch(self, factor: FieldPoly, case: _Case) -> Tree:
        """Follow one factor: what it being zero means for the parameters."""
        names = [name for name, degree in zip(self.field.names, factor.degrees(), strict=True) if degree]
        if len(names) == 1 and factor.total_degree() > 1:
            return self.irrational(factor, self.field.parameters[names[0]], case)
        if len(names) > 1 and all(c > 0 for c in factor.coeffs()) and self.nowhere_negative(names):
            terms = tuple(self.field.context.from_dict({exponents: 1}) for exponents in factor.to_dict())
            return {"terms": True, "then": self.solve(replace(case, equations=terms + case.equations))}
        linear = [name for name in names if factor.degrees()[self.field.names.index(name)] == 1]
        if not linear:
            raise UnsupportedError(f"the equation {self.text(factor)} = 0 between parameters is not solved")
        slopes = {name: factor.derivative(self.field.names.index(name)) for name in linear}
        name = min(linear, key=lambda name: (not slopes[name].is_constant(), len(slopes[name]), name))
        slope = slopes[name]
        rest = factor - slope * self.field.generators[name]
        if slope.is_constant():
            return self.assign(name, -rest, slope, case)
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
        if factor.total_degree() > 2 or any(divmod(poly, factor)[1] for poly in case.equations):
            raise UnsupportedError(f"the condition on {parameter.name} has solutions that are not square roots")
        leaves = [self.accept((*case.found, (parameter.symbol, root))) for root in roots]
        return {"roots": [formula_text(root) for root in roots], "then": leaves}

    def assign(self, name: str, top: FieldPoly, bottom: FieldPoly, case: _Case) -> Tree:
        """Set a parameter to a fraction, put it into everything else and go on."""
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
    """Return the equations of a branch; a value with a denominator also says that it is not zero."""
    poles = {denom(value) for _, value in branch} - {S.One}
    return And(*(Eq(left, right) for left, right in branch), *(Ne(pole, 0) for pole in poles if pole.free_symbols))


def _without_special_cases(branches: list[Branch]) -> list[Branch]:
    """Drop the branches whose every point lies on another one."""
    kept: list[Branch] = []
    for branch in sorted(set(branches), key=lambda branch: (len(branch), str(branch))):
        values = {left: right for left, right in branch if isinstance(left, Symbol)}
        if not any(_follows(other, values) for other in kept):
            kept.append(branch)
    return kept


def _follows(branch: Branch, values: dict[Symbol, Expr]) -> bool:
    differences = [(left - right).subs(values, simultaneous=True) for left, right in branch]
    return all(difference.is_finite is not False and cancel(difference) == 0 for difference in differences)
