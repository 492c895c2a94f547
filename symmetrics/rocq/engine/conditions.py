"""Comparisons of formulas with parameters, case by case: where they hold, and where a table refutes them.

The domain of the parameters falls into charts.  On each the condition is decided, and either the claim holds there, as
the coefficients show, or it fails at a table.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sympy import Eq, Expr, Ge, Gt, Integer, Le, Lt, Mul, Ne, Poly, Pow, Rational, S, Symbol, lambdify
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, Or

from symmetrics.claims import Comparison, Identity
from symmetrics.claims.evidence import Decision
from symmetrics.language.parameter import Parameter
from symmetrics.rocq.engine.statements import NotExported, Subject, introduced, valued
from symmetrics.rocq.engine.terms import RATIONALS, lowest_terms, proposition, term

# ----------------------------------------------------------------------------------------------------------------------
# Charts: parts of the parameters' domain, on which each parameter is a number or an expression in positive variables.


@dataclass(frozen=True)
class Chart:
    """A part of the parameters' domain with such an expression for each parameter.

    :param values: the value of each parameter there, in positive variables
    :param equations: the names of hypotheses that say so, in the order in which they are used
    :param variables: the positive variables
    :param undecided: parameters that may be anything in their domain
    """

    values: Mapping[Symbol, Expr]
    equations: tuple[str, ...] = ()
    variables: tuple[Symbol, ...] = ()
    undecided: frozenset[Symbol] = frozenset()

    def put(self, symbol: Symbol, value: Expr, name: str, *variables: Symbol) -> Chart:
        """Return the part of the chart on which a parameter has a value, as a hypothesis states."""
        # The expression substituted for one parameter may contain another that has to be replaced as well.
        undecided = self.undecided - {symbol}
        return Chart({**self.values, symbol: value}, (name, *self.equations), (*self.variables, *variables), undecided)

    def positive(self, symbol: Symbol) -> Chart:
        """Return the part on which a parameter is positive."""
        return replace(self, variables=(*self.variables, symbol), undecided=self.undecided - {symbol})

    def sign(self, expression: Expr) -> int | None:
        """Return the sign of an expression in the parameters, None if it varies."""
        if expression.free_symbols & self.undecided:
            return None
        return sign_of(expression.xreplace(dict(self.values)))

    def truth(self, condition: Boolean) -> bool | None:
        """Return the truth value of a condition, None if it varies."""
        if condition in (S.true, S.false):
            return bool(condition)
        if isinstance(condition, And | Or):
            found = {self.truth(part) for part in condition.args}
            decisive = isinstance(condition, Or)
            return decisive if decisive in found else None if None in found else not decisive
        assert isinstance(condition, Relational)
        sign = self.sign(condition.lhs - condition.rhs)
        kinds = {Eq: (0,), Ne: (-1, 1), Le: (-1, 0), Lt: (-1,), Ge: (0, 1), Gt: (1,)}
        return None if sign is None else sign in kinds[type(condition)]


def sign_of(expression: Expr) -> int | None:
    """Return the sign of an expression in positive variables, if its coefficients show it."""
    above, below = lowest_terms(expression)
    signs = []
    for part in (above, below):
        if part == 0:
            return 0
        variables = sorted(part.free_symbols, key=str)
        coefficients = Poly(part, *variables).coeffs() if variables else [part]
        if len({coefficient > 0 for coefficient in coefficients}) > 1:
            return None
        signs.append(1 if coefficients[0] > 0 else -1)
    return signs[0] * signs[1]


# -- Tables at which a comparison fails on a chart of its parameters; they may depend on the parameters ----------------


COUNTS: Final = (1, 2)
FACTORS: Final = (1, 2, 4, 8, 20)
"""Excess of cells that a certificate sends to infinity over 1/distance of a parameter from its bound."""
ROUGH: Final = 1e-9
SAMPLES: Final = (Rational(1, 1000), Rational(1, 7), Rational(1), Rational(9), Rational(1000))
"""Values of the chart's variables at which a table is tested before it is proved to work."""


class RefutingTables:
    """Search for tables that refute one claim; a successful table is tried first on the next chart."""

    def __init__(self, claim: Comparison, directions: Sequence[Mapping[str, Any]]) -> None:
        """Start with a claim.

        :param directions: the cells that a certificate sends to infinity, each with its exponent
        """
        self.claim = claim
        self.directions = directions
        self.tables: list[tuple[Expr, ...]] = []

    def at(self, chart: Chart) -> tuple[tuple[Expr, ...], int]:
        """Return values of the claim's variables at which it fails, and the sign of its difference there.

        :raises NotExported: if none is found
        """
        difference = self.claim.difference.xreplace(dict(chart.values))
        defined = [
            power.base.xreplace(dict(chart.values)) for power in self.claim.subject.atoms(Pow) if power.exp.is_negative
        ]
        wanted = (-1, 1) if isinstance(self.claim, Identity) else (0, -1)
        variables = self.claim.variables
        rough = lambdify([*variables, *chart.variables], difference)
        candidates = itertools.chain(self.tables, self._candidates(chart))
        for values in candidates:
            own = {symbol for value in values for symbol in value.free_symbols}
            if not own <= set(chart.variables) or not all(self._may_fail(rough, values, chart, wanted)):
                continue
            at = dict(zip(variables, values, strict=True))
            points = [[e.xreplace(at) for e in table] for table in self.claim.tables]
            tables = [dict(zip(self.claim.arguments, point, strict=True)) for point in points]
            if not all(sign_of(base.xreplace(table)) for base in defined for table in tables):
                continue
            sign = sign_of(difference.xreplace(at))
            if sign in wanted:
                if values not in self.tables:
                    self.tables.append(values)
                return values, sign
        raise NotExported("no table is found that refutes the claim for some parameters")

    @staticmethod
    def _may_fail(
        rough: Callable[..., float], values: Iterable[Expr], chart: Chart, wanted: Iterable[int]
    ) -> Iterator[bool]:
        """Test numerically, at points of a chart, whether the difference at a table has the required sign."""
        for sample in SAMPLES if chart.variables else SAMPLES[:1]:
            place = dict.fromkeys(chart.variables, sample)
            cells = [float(value.xreplace(place)) for value in values]
            try:
                found = rough(*cells, *[float(sample)] * len(chart.variables))
            except ZeroDivisionError:
                yield False
                return
            yield any(found * sign > 0 if sign else abs(found) < ROUGH for sign in wanted)

    def _candidates(self, chart: Chart) -> Iterator[tuple[Expr, ...]]:
        size = len(self.claim.variables)
        counts = itertools.product(map(Integer, COUNTS), repeat=size)
        arguments = self.claim.arguments
        scales = [*(self._scale(cell, chart) for cell in arguments), *[Integer(1)] * (size - len(arguments))]
        for values in counts:
            yield values
            if any(scale != 1 for scale in scales):
                yield tuple(value * scale for value, scale in zip(values, scales, strict=True))
        for u in chart.variables:
            entries = (Integer(1), u, 1 / u)
            yield from itertools.product(entries, repeat=size)
            for direction, factor, small in itertools.product(self.directions, FACTORS, (0, 1, 2)):
                far = factor * (1 + u) / u
                cells = [far ** direction.get(cell.name, 0) for cell in arguments]
                yield (*cells, *[far**-small] * (size - len(cells)))

    def _scale(self, cell: Symbol, chart: Chart) -> Expr:
        """Return 1/weight of a cell, if it has a non-zero weight in the formula."""
        for product in sorted(self.claim.subject.atoms(Mul), key=str):
            for weight in chart.values:
                if {cell, weight} == set(product.args) and chart.values[weight] != 0:
                    return 1 / chart.values[weight]
        return Integer(1)


# ----------------------------------------------------------------------------------------------------------------------


def chart_script(name: str, claim: Comparison, decision: Decision, subject: Subject) -> str:
    """Prove that a comparison holds exactly under a condition on its parameters, or for none of them.

    :raises NotExported: if some chart is neither seen to fulfil the claim nor to have a table that refutes it
    """
    if subject.numbers is not RATIONALS:
        raise NotExported("a condition on parameters of a formula that is not rational")
    start = introduced(claim.parameters, valued(claim) if decision.status == "conditional" else "")
    return f"{start}{_Charts(name, claim, decision, subject).script()}."


class _Charts:
    """Writes the proof of one claim, by charts."""

    def __init__(self, name: str, claim: Comparison, decision: Decision, subject: Subject) -> None:
        self.name, self.claim, self.subject = name, claim, subject
        self.is_refuted = decision.condition is None
        self.condition: Boolean = S.false if decision.condition is None else decision.condition
        intervals = decision.evidence.data.get("intervals", [])
        directions = [piece["fails"] for piece in intervals if isinstance(piece["fails"], dict)]
        self.refuting = RefutingTables(claim, directions)
        relations = sorted(self.condition.atoms(Relational), key=str)
        self.pairs = [(r.lhs, r.rhs) for r in relations if r.lhs.is_Symbol and r.rhs.is_Symbol]
        self.relations = relations
        self.count = itertools.count(1)

    def script(self) -> str:
        """Return the tactic for the whole domain."""
        parameters = self.claim.parameters
        symbols = {p.symbol: p.symbol for p in parameters}
        return self._parameter(Chart(symbols, undecided=frozenset(symbols)), list(parameters))

    def _parameter(self, chart: Chart, left: list[Parameter]) -> str:
        """Return the tactic for a chart with parameters still to be split."""
        if isinstance(self.claim, Identity) and chart.truth(self.condition):
            return self._leaf(chart)
        if not left:
            return self._pair(chart, self.pairs)
        parameter, *following = left
        cuts = {end for end in (parameter.lower, parameter.upper) if end.is_finite}
        cuts |= {r.rhs for r in self.relations if r.lhs == parameter.symbol and r.rhs.is_number}
        return self._cut(chart, parameter, sorted(cuts), None, following)

    def _cut(
        self,
        chart: Chart,
        parameter: Parameter,
        cuts: list[Expr],
        before: tuple[Expr, str] | None,
        left: list[Parameter],
    ) -> str:
        """Return the tactic for the part above a cut.

        :param before: that cut and the name of the hypothesis
        """
        symbol, impossible = parameter.symbol, "exfalso; number_lra"
        cut, *following = cuts
        number = next(self.count)
        names = below, equal, above = f"B{number}", f"E{number}", f"A{number}"
        sides = [impossible] * 3
        if before is not None:
            start, name = before
            u = Symbol(f"u{number}", positive=True)
            inside = f"inside_interval {symbol.name} {term(start, 3)} {term(cut, 3)} {name} {below}"
            part = chart.put(symbol, start + (cut - start) * u / (1 + u), f"I{number}", u)
            sides[0] = f"destruct ({inside}) as [{u} [P{number} I{number}]]; {self._parameter(part, left)}"
        if cut in parameter:
            sides[1] = self._parameter(chart.put(symbol, cut, equal), left)
        if following:
            sides[2] = self._cut(chart, parameter, following, (cut, above), left)
        elif cut != parameter.upper and cut == 0:
            sides[2] = self._parameter(chart.positive(symbol), left)
        elif cut != parameter.upper:
            u = Symbol(f"u{number}", positive=True)
            beyond = f"strictly_beyond {term(cut, 3)} {symbol.name} {above}"
            part = chart.put(symbol, cut + u, f"I{number}", u)
            sides[2] = f"destruct ({beyond}) as [{u} [P{number} I{number}]]; {self._parameter(part, left)}"
        return _three_ways(symbol, cut, names, sides)

    def _pair(self, chart: Chart, left: list[tuple[Symbol, Symbol]]) -> str:
        """Return the tactic for a chart with pairs of parameters still to be compared."""
        if not left:
            return self._leaf(chart)
        (first, second), *following = left
        if chart.values[first] != first or chart.values[second] != second or chart.truth(self.condition) is not None:
            return self._pair(chart, following)
        number = next(self.count)
        names = below, equal, above = f"B{number}", f"E{number}", f"A{number}"
        u = Symbol(f"u{number}", positive=True)
        sides = []
        for larger, smaller, name in ((second, first, below), (first, second, above)):
            beyond = f"strictly_beyond {smaller} {larger} {name}"
            part = chart.put(larger, smaller + u, f"I{number}", u)
            sides.append(f"destruct ({beyond}) as [{u} [P{number} I{number}]]; {self._pair(part, following)}")
        sides.insert(1, self._pair(chart.put(first, second, equal), following))
        return _three_ways(first, second, names, sides)

    def _leaf(self, chart: Chart) -> str:
        truth = chart.truth(self.condition)
        if valued(self.claim) and not any(chart.values.values()):
            return "exfalso; lra"
        if truth is None:
            raise NotExported("a condition that is not decided case by case")
        if truth:
            return f"split; intro value; [{_shown(self.condition, chart)} | clear value; {self._holds(chart)}]"
        if self.is_refuted:
            return f"intro held; {self._fails(chart)}"
        return f"split; [intro held; exfalso; {self._fails(chart)} | intro value; condition_fails value]"

    def _puts(self, chart: Chart) -> str:
        return "".join(f"put_everywhere {name}; " for name in chart.equations)

    def _holds(self, chart: Chart) -> str:
        """Prove the claim on a chart."""
        start = f"unfold {self.name}, {self.subject.unfold}; unpack; {self._puts(chart)}"
        if isinstance(self.claim, Identity):
            return f"{start}first [fractions | vacuous]"
        difference = self.claim.difference.xreplace(dict(chart.values))
        if sign_of(difference) != 1:
            raise NotExported("a condition under which the coefficients do not show the claim")
        return f"{start}fractions"

    def _fails(self, chart: Chart) -> str:
        """Refute the claim on a chart, by a table."""
        values, sign = self.refuting.at(chart)
        arguments = " ".join(term(value, 3) for value in values)
        ending = {0: "apply same_not_less; fractions", -1: "apply more_not_less; fractions"}
        last = "fractions" if isinstance(self.claim, Identity) else ending[sign]
        return (
            f"unfold {self.name} in held; specialize (held {arguments}); unfold {self.subject.unfold} in held; "
            f"{self._puts(chart)}meets held; revert held; {last}"
        )


def _three_ways(symbol: Symbol, cut: Expr, names: Sequence[str], sides: Sequence[str]) -> str:
    below, equal, above = names
    branches = "\n  | ".join(f"({side})" for side in sides)
    return f"destruct (three_ways {symbol.name} {term(cut, 3)}) as [{below} | [{equal} | {above}]];\n  [ {branches} ]"


def _shown(condition: Boolean, chart: Chart) -> str:
    """Return the tactic that proves a condition that holds on a chart."""
    if isinstance(condition, And):
        parts = [_shown(part, chart) for part in _in_order(condition)]
        return _nested(parts)
    if isinstance(condition, Or):
        parts = _in_order(condition)
        place = next(k for k, part in enumerate(parts) if chart.truth(part))
        steps = "right; " * place + ("left; " if place + 1 < len(parts) else "")
        return f"({steps}{_shown(parts[place], chart)})"
    return "(intro; number_lra)" if isinstance(condition, Ne) else "number_lra"


def _nested(parts: list[str]) -> str:
    first, *rest = parts
    return f"(split; [{first} | {_nested(rest)}])" if rest else first


def _in_order(condition: Boolean) -> list[Boolean]:
    """Return the parts of a condition in the order of the statement."""
    return sorted(condition.args, key=lambda part: proposition(part, RATIONALS))
