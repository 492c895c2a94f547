"""Walk the tree of case splits behind a conditional verdict.

The tree claims: wherever all equations vanish, the parameters lie on one of its "holds" leaves.  Every step is verified
by multiplication, division or counting roots; the walk returns what the leaves say.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, S, Symbol, cancel, default_sort_key, log, radsimp
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.fractions import Arithmetic, never_negative, never_zero
from symmetrics.checker.engine.minors import count_roots
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError, FormulaError


@dataclass(frozen=True)
class Branch:
    """Parameter values at which all equations vanish and no polynomial of *nonzero* does."""

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
        """Whether a polynomial divides a power of a product, so that its zeros are zeros of the factors."""
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
        """Check the subtree for the case that one factor of an equation vanishes."""
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
        # A sum of nowhere negative terms vanishes only where all of them do.
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
    """Whether a polynomial is a rational linear combination of others, so that it vanishes where all of them do."""
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


# -- Absolute values, minima and maxima resolved by the signs of the differences they depend on ------------------------

# A formula compares some differences with zero. For every assignment of signs to these differences, each absolute
# value and each extreme is one of its arguments; together the assignments cover all tables, because every table has
# signs. Assignments that no table has do no harm: what holds on all branches holds on those that occur.


# -- Signs of formulas that show in their structure --------------------------------------------------------------------


class Signs:
    """Known signs of formulas.

    :param parameters: with their domains
    :param positive: the symbols for positive numbers

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> known = Signs()
    >>> [known.is_never_negative(f) for f in (1 - TP / (TP + FN), (TN - TP) ** 2, Max(TP - FN, 0), TN - TP)]
    [True, True, True, False]
    >>> known.is_positive(Max(TP, FN - FP)), known.is_positive(Abs(TP - FN))
    (True, False)
    """

    def __init__(self, parameters: Iterable[Parameter] = (), positive: Sequence[Symbol] = CELLS) -> None:
        self.parameters = tuple(parameters)
        self.positive = tuple(positive)
        self._is_named = frozenset(self.positive)
        self.lower = {p.symbol: (p.lower, p.lower_open) for p in self.parameters}
        self.known: dict[tuple[Expr, bool], bool] = {}

    def is_positive(self, node: Expr) -> bool:
        """Whether a formula is shown to be positive wherever it is defined, by its parts or its coefficients."""
        if self._shows(node, strict=True):
            return True
        # A parameter at the end of its domain may make all coefficients vanish.
        return node.free_symbols <= self._is_named and self._is_quotient_of_positive_sums(node, strict=True)

    def is_never_negative(self, node: Expr) -> bool:
        """Whether a formula is shown to be nowhere negative, by its parts or the coefficients of its fraction."""
        return self._shows(node, strict=False) or self._is_quotient_of_positive_sums(node, strict=False)

    def _shows(self, node: Expr, *, strict: bool) -> bool:
        if (node, strict) not in self.known:
            self.known[node, strict] = self._looks(node, strict)
        return self.known[node, strict]

    def _looks(self, node: Expr, strict: bool) -> bool:
        if isinstance(node, Symbol):
            return node in self._is_named or self._has_positive_domain(node, strict)
        if not node.args:
            return node is S.Pi or (isinstance(node, Rational) and bool(node > 0 or (node == 0 and not strict)))
        if isinstance(node, Add):
            weak = all(self._shows(term, strict=False) for term in node.args)
            return weak and (not strict or any(self._shows(term, strict=True) for term in node.args))
        if isinstance(node, (Mul, Min)):
            return all(self._shows(part, strict=strict) for part in node.args)
        if isinstance(node, Max):
            return any(self._shows(part, strict=strict) for part in node.args)
        if isinstance(node, Abs):
            return not strict or self._shows(node.args[0], strict=True)
        if isinstance(node, Pow) and isinstance(node.exp, Rational):
            # An even power of a real number, and the real root of one, are not negative.
            even = node.exp.p % 2 == 0 or node.exp.q != 1
            return (even and not strict) or self._shows(node.base, strict=strict)
        return isinstance(node, log) and self._shows(node.args[0] - 1, strict=strict)

    def _has_positive_domain(self, symbol: Symbol, strict: bool) -> bool:
        if symbol not in self.lower:
            return False
        lower, is_open = self.lower[symbol]
        return bool(lower > 0 or (lower == 0 and (is_open or not strict)))

    def _is_quotient_of_positive_sums(self, node: Expr, *, strict: bool) -> bool:
        """Whether numerator and denominator, multiplied out, have coefficients that are not negative, or no terms."""
        try:
            arithmetic = Arithmetic([symbol.name for symbol in self.positive], self.parameters, {}, ())
            value = arithmetic.evaluate(node)
        except CertificateError:
            return False
        if not value.top:
            return not strict
        return never_negative(value.top, arithmetic) and never_negative(value.bottom, arithmetic)


# ----------------------------------------------------------------------------------------------------------------------


MAX_BRANCHES: Final = 2048
"""Formulas with more sign patterns are not checked."""
Compared = tuple[Expr, int]
"""A difference in canonical form (the same for a - b and b - a), and the sign that relates it to the original."""


@dataclass(frozen=True)
class BranchOfSigns:
    """A formula on one sign pattern.

    :param formula: the formula without absolute values and extremes
    :param conditions: the differences with their signs, which are not negative on the branch
    :param divisors: what the formula divided by, as far as its numbers hold branches
    """

    formula: Expr
    conditions: tuple[Expr, ...] = ()
    divisors: tuple[Expr, ...] = ()


def branches_of(
    formula: Expr, parameters: Iterable[Parameter] = (), positive: Sequence[Symbol] = CELLS
) -> list[BranchOfSigns]:
    """Return the branches of a formula, which cover all tables.

    >>> from symmetrics.language.cells import FN, FP
    >>> for branch in branches_of(Max(FN, FP) - 2 * Abs(FP - FN)):
    ...     print(branch.formula, branch.conditions)
    2*FN - FP (-FN + FP,)
    -FN + 2*FP (FN - FP,)

    :param positive: the symbols for positive numbers
    :raises CertificateError: if there are too many
    """
    divisors = {power.base for power in formula.atoms(Pow) if not power.exp.is_nonnegative}
    start = BranchOfSigns(formula, (), tuple(sorted(divisors, key=str)) if formula.has(Abs, Min, Max) else ())
    walk = _taken_apart(start, {S.Zero: 0}, Signs(parameters, positive))
    found = list(itertools.islice(walk, MAX_BRANCHES + 1))
    if len(found) > MAX_BRANCHES:
        raise CertificateError("the formula compares too many differences to be checked")
    return list(dict.fromkeys(found))


def _taken_apart(branch: BranchOfSigns, decided: Mapping[Expr, int], known: Signs) -> Iterator[BranchOfSigns]:
    """Split a branch by the signs of its innermost comparisons."""
    nodes = [node for part in (branch.formula, *branch.divisors) for node in part.atoms(Abs, Min, Max)]
    innermost = {node for node in nodes if not any(argument.has(Abs, Min, Max) for argument in node.args)}
    inner = sorted(innermost, key=default_sort_key)
    if not inner:
        yield branch
        return
    compared = {_compared(*pair)[0] for node in inner for pair in _pairs(node)} - set(decided)
    choices = [
        [(difference, sign) for sign in _possible(difference, known)] for difference in sorted(compared, key=str)
    ]
    for chosen in itertools.product(*choices):
        signs = {**decided, **dict(chosen)}
        swap = {node: _value(node, signs) for node in inner}
        if None in swap.values():
            continue  # such a sign pattern is cyclic (first > second > third > first), so no table has it
        there = BranchOfSigns(
            branch.formula.xreplace(swap),
            branch.conditions + tuple(sign * difference for difference, sign in chosen),
            tuple(divisor.xreplace(swap) for divisor in branch.divisors),
        )
        yield from _taken_apart(there, signs, known)


def _possible(difference: Expr, known: Signs) -> tuple[int, ...]:
    """Return the signs that a difference may have; where it is zero either will do."""
    if known.is_never_negative(difference):
        return (1,)
    return (-1,) if known.is_never_negative(-difference) else (1, -1)


def _pairs(node: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield the pairs of arguments that a node compares."""
    yield from [(node.args[0], S.Zero)] if isinstance(node, Abs) else itertools.combinations(node.args, 2)


def _compared(left: Expr, right: Expr) -> Compared:
    """Return the difference of two expressions in canonical form, and the sign that relates it to left - right.

    >>> from symmetrics.language.cells import FN, FP
    >>> _compared(FN, FP), _compared(2 * FP, 2 * FN)
    ((-FN + FP, -1), (-FN + FP, 1))
    """
    _, difference = (left - right).expand().as_content_primitive()
    if not difference:
        return S.Zero, 0
    negative = (-difference).expand()
    return (difference, 1) if str(difference) <= str(negative) else (negative, -1)


def _value(node: Expr, signs: Mapping[Expr, int]) -> Expr | None:
    """Return the argument that a node equals under the signs, None if these are contradictory."""

    def order(left: Expr, right: Expr) -> int:
        difference, sign = _compared(left, right)
        return signs[difference] * sign

    if isinstance(node, Abs):
        return order(node.args[0], S.Zero) * node.args[0]
    wanted = 1 if isinstance(node, Max) else -1
    for place, candidate in enumerate(node.args):
        others = (*node.args[:place], *node.args[place + 1 :])
        if all(order(candidate, other) in (wanted, 0) for other in others):
            return candidate
    return None
