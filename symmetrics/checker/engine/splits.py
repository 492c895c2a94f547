"""Walking the tree of splits behind a conditional verdict.

The tree claims: wherever all equations vanish, the parameters lie on one of its "holds" leaves.  Every step is verified
by multiplication, division or counting roots; the walk returns what the leaves say.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr, Rational, S, Symbol, cancel, radsimp
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.fractions import Arithmetic, never_zero
from symmetrics.checker.engine.minors import count_roots
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError, FormulaError


@dataclass(frozen=True)
class Branch:
    """Parameter values at which all equations vanish, as far as no polynomial of *nonzero* does."""

    values: dict[Symbol, Expr]
    nonzero: tuple[PolyElement, ...]


@dataclass(frozen=True)
class _Case:
    equations: tuple[PolyElement, ...]
    nonzero: tuple[PolyElement, ...]
    found: tuple[tuple[Symbol, Expr], ...]


def walk(
    tree: Mapping[str, Any], equations: Iterable[PolyElement], denominators: Iterable[Expr], arithmetic: Arithmetic
) -> list[Branch]:
    """Return the branches of a tree of splits, each an assignment at which all equations vanish.

    :raises CertificateError: if a step does not follow
    """
    walker = _Walker(arithmetic, list(denominators))
    walker.node(tree, _Case(tuple(equations), (), ()))
    return walker.branches


class _Walker:
    def __init__(self, arithmetic: Arithmetic, denominators: list[Expr]) -> None:
        self.arithmetic = arithmetic
        self.denominators = denominators
        self.branches: list[Branch] = []

    def node(self, tree: Mapping[str, Any], case: _Case) -> None:
        if "leaf" in tree:
            self.leaf(tree["leaf"], case)
            return
        split = self.poly(tree["split"])
        _require(bool(split) and _is_combination(split, case.equations), "a split is not of an equation")
        factors = [self.poly(child["factor"]) for child in tree["children"]]
        _require(self.divides_power(split, factors), "the factors of a split leave something out")
        for child in tree["children"]:
            self.child(child, self.poly(child["factor"]), case)

    def divides_power(self, poly: PolyElement, factors: Iterable[PolyElement]) -> bool:
        """Whether a polynomial divides a power of a product, so that it vanishes only where one of the factors does."""
        rest = poly
        for factor in factors:
            while rest and not rest.is_ground and factor and not factor.is_ground:
                shared = rest.gcd(factor)
                if shared.is_ground:
                    break
                rest = rest.exquo(shared)
        return bool(rest) and bool(rest.is_ground)

    def leaf(self, kind: str, case: _Case) -> None:
        if kind == "impossible":
            _require(any(e.is_ground and e for e in case.equations), "an equation called impossible is not")
        elif kind == "covered":
            _require(not all(case.nonzero), "a case called covered is not")
        elif kind == "undefined":
            values = dict(case.found)
            gone = [cancel(d.xreplace(values).expand()) == 0 for d in self.denominators]
            _require(any(gone), "a case called undefined is defined")
        elif kind == "outside the domain":
            outside = [value.is_number and _lies_outside(value, self.parameter(symbol)) for symbol, value in case.found]
            _require(any(outside), "a case said to be outside the domain is inside")
        elif kind == "holds":
            _require(not any(case.equations), "an equation does not vanish where the tree says that it does")
            self.branches.append(Branch(dict(case.found), case.nonzero))
        else:
            raise CertificateError(f"unknown leaf {kind!r}")

    def child(self, child: Mapping[str, Any], factor: PolyElement, case: _Case) -> None:
        """Check what a tree says of the case that one factor of an equation vanishes."""
        # The factor vanishes nowhere in the domain, or only where another case has dealt with it.
        if child.get("leaf") in ("outside the domain", "no root in the domain"):
            if not never_zero(factor, self.arithmetic):
                name, parameter = self.only_parameter(factor)
                _require(not count_roots(factor, parameter), "a factor has a root in the domain")
        elif child.get("leaf") == "covered":
            covered = bool(factor) and any(not poly.rem(factor) for poly in case.nonzero)
            _require(covered, "a case called covered is not")
        # One parameter: as many roots are listed as there are in its domain (Sturm), each with a case of its own.
        elif "roots" in child:
            self.roots(child["roots"], child["then"], factor, case)
        # A sum of terms that are not negative vanishes only where all of them do.
        elif "terms" in child:
            used = [p for name, p in self.arithmetic.parameters.items() if self.degree(factor, name)]
            _require(all(c > 0 for c in factor.values()) and all(p.lower >= 0 for p in used), "terms may cancel")
            terms = tuple(self.arithmetic.ring({monomial: 1}) for monomial in factor)
            self.node(child["then"], replace(case, equations=terms + case.equations))
        # slope*p + rest: either both vanish, or p = -rest/slope.
        elif "coefficient" in child:
            slope = self.poly(child["coefficient"])
            rest = self.linear_rest(factor, child["nonzero"]["set"], slope)
            self.node(child["zero"], replace(case, equations=(slope, rest, *case.equations)))
            self.assign(child["nonzero"], slope, rest, replace(case, nonzero=(slope, *case.nonzero)))
        else:
            name = child["set"]
            slope = factor.diff(self.arithmetic.symbols[name])
            _require(bool(slope) and slope.is_ground, "a parameter is set although its coefficient may vanish")
            self.assign(child, slope, self.linear_rest(factor, name, slope), case)

    def linear_rest(self, factor: PolyElement, name: str, slope: PolyElement) -> PolyElement:
        rest = factor - slope * self.arithmetic.symbols[name]
        _require(not self.degree(slope, name) and not self.degree(rest, name), f"a factor is not linear in {name}")
        return rest

    def assign(self, child: Mapping[str, Any], slope: PolyElement, rest: PolyElement, case: _Case) -> None:
        name = child["set"]
        symbol = self.arithmetic.parameters[name].symbol
        value = self.expression(child["to"])
        gap = (value * slope.as_expr() + rest.as_expr()).subs(self.real_symbols())
        _require(gap.together().expand().cancel() == 0, f"{name} is set to a wrong value")
        place = self.arithmetic.names.index(name)

        def put(polys: Iterable[PolyElement]) -> tuple[PolyElement, ...]:
            return tuple(self.arithmetic.substitute(poly, place, -rest, slope) for poly in polys)

        found = tuple((s, v.xreplace({symbol: value})) for s, v in case.found)
        self.node(child["then"], _Case(put(case.equations), put(case.nonzero), (*found, (symbol, value))))

    def roots(self, texts: list[str], leaves: list[Mapping[str, Any]], factor: PolyElement, case: _Case) -> None:
        _, parameter = self.only_parameter(factor)
        claimed = [self.expression(text) for text in texts]
        _require(len(claimed) == len(leaves) == count_roots(factor, parameter), "roots are missing")
        _require(not any(equation.rem(factor) for equation in case.equations), "an equation does not vanish at a root")
        pairs = itertools.combinations(claimed, 2)
        _require(all(radsimp(left - right).is_nonzero is True for left, right in pairs), "a root occurs twice")
        for value, leaf in zip(claimed, leaves, strict=True):
            at_root = factor.as_expr().subs(self.real_symbols()).subs(parameter.symbol, value).expand()
            _require(at_root == 0, "a root is wrong")
            _require(parameter.domain.contains(value) is S.true, "a root is outside the domain")
            found = tuple((s, radsimp(cancel(v.xreplace({parameter.symbol: value})))) for s, v in case.found)
            self.leaf(leaf["leaf"], _Case((), (), (*found, (parameter.symbol, value))))

    def parameter(self, symbol: Symbol) -> Parameter:
        return self.arithmetic.parameters[symbol.name]

    def only_parameter(self, factor: PolyElement) -> tuple[str, Parameter]:
        names = [name for name in self.arithmetic.parameters if self.degree(factor, name)]
        _require(len(names) == 1, "a factor with several parameters is said to have no root")
        return names[0], self.arithmetic.parameters[names[0]]

    def degree(self, poly: PolyElement, name: str) -> int:
        place = self.arithmetic.names.index(name)
        return max((monomial[place] for monomial in poly), default=0)

    def poly(self, text: str) -> PolyElement:
        value = self.arithmetic.evaluate(self.expression(text))
        _require(value.bottom == 1, "an equation is not a polynomial")
        return value.top

    def expression(self, text: str) -> Expr:
        try:
            return parse_formula(text, list(self.arithmetic.parameters))
        except FormulaError as error:
            raise CertificateError(f"the certificate holds an unreadable formula: {error}") from None

    def real_symbols(self) -> dict[Symbol, Symbol]:
        return {Symbol(name): parameter.symbol for name, parameter in self.arithmetic.parameters.items()}


def _is_combination(poly: PolyElement, others: Iterable[PolyElement]) -> bool:
    """Whether a polynomial is a sum of rational multiples of others, so that it vanishes where all of them do."""
    rows: dict[tuple[int, ...], PolyElement] = {}

    def reduced(row: PolyElement) -> PolyElement:
        for monomial, pivot in rows.items():
            if monomial in row:
                row = row - pivot * row[monomial]
        return row

    for other in others:
        if rest := reduced(other):
            rows[rest.leading_expv()] = rest.monic()
    return not reduced(poly)


def _lies_outside(value: Expr, parameter: Parameter) -> bool:
    if isinstance(value, Rational):
        return value not in parameter
    return parameter.domain.contains(value) is S.false


def _require(condition: bool, reason: str) -> None:
    if not condition:
        raise CertificateError(f"the solution for the parameters does not follow: {reason}")
