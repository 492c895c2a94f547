"""Comparisons of formulas with parameters, case by case: where they hold, and where a table refutes them.

The domain of the parameters falls into charts.  On each the condition is decided, and either the claim holds there, as
the coefficients show, or it fails at a table.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from sympy import Expr, Ne, S, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, Or

from symmetrics.claims import Comparison, Identity
from symmetrics.claims.verdict import Decision
from symmetrics.language.parameter import Parameter
from symmetrics.rocq.engine.charts import Chart, sign_of
from symmetrics.rocq.engine.lemmas import NotExported, Subject
from symmetrics.rocq.engine.refuting import RefutingTables
from symmetrics.rocq.engine.statements import introduced, valued
from symmetrics.rocq.engine.terms import RATIONALS, proposition, term

__all__ = ["chart_script"]


def chart_script(name: str, claim: Comparison, decision: Decision, subject: Subject) -> str:
    """Return the proof that a comparison holds exactly under a condition on its parameters, or for none of them.

    :raises NotExported: if some chart is neither seen to fulfil the claim nor to have a table that refutes it
    """
    if subject.numbers is not RATIONALS:
        raise NotExported("a condition on parameters of a formula that is not rational")
    start = introduced(claim.parameters, valued(claim) if decision.status == "conditional" else "")
    return f"{start}{_Charts(name, claim, decision, subject).script()}."


class _Charts:
    """Writes the proof of one claim."""

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
        """Return the tactic."""
        parameters = self.claim.parameters
        symbols = {p.symbol: p.symbol for p in parameters}
        return self._parameter(Chart(symbols, undecided=frozenset(symbols)), list(parameters))

    def _parameter(self, chart: Chart, left: list[Parameter]) -> str:
        """Return the tactic for a chart on which some parameters are left to be split."""
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
        """Return the tactic for a chart on which some pairs of parameters are left to be compared."""
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
        """Return why the claim holds on a chart."""
        start = f"unfold {self.name}, {self.subject.unfold}; unpack; {self._puts(chart)}"
        if isinstance(self.claim, Identity):
            return f"{start}first [fractions | vacuous]"
        difference = self.claim.difference.xreplace(dict(chart.values))
        if sign_of(difference) != 1:
            raise NotExported("a condition under which the coefficients do not show the claim")
        return f"{start}fractions"

    def _fails(self, chart: Chart) -> str:
        """Return why the claim fails on a chart: the table at which it does."""
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
    """Return the parts of a condition in the order in which the statement has them."""
    return sorted(condition.args, key=lambda part: proposition(part, RATIONALS))
