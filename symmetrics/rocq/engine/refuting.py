"""Tables at which a comparison fails on a chart of its parameters; they may depend on the parameters."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from sympy import Expr, Integer, Mul, Pow, Rational, Symbol, lambdify

from symmetrics.claims import Comparison, Identity
from symmetrics.rocq.engine.charts import Chart, sign_of
from symmetrics.rocq.engine.lemmas import NotExported

__all__ = ["RefutingTables"]

COUNTS: Final = (1, 2)
FACTORS: Final = (1, 2, 4, 8, 20)
"""By how much cells that a certificate sends to infinity exceed one over the distance of a parameter from its bound."""
ROUGH: Final = 1e-9
SAMPLES: Final = (Rational(1, 1000), Rational(1, 7), Rational(1), Rational(9), Rational(1000))
"""Values of the variables of a chart at which a table is tried before it is looked at in earnest."""


class RefutingTables:
    """The search for tables that refute one claim; one that did is tried first on the next chart."""

    def __init__(self, claim: Comparison, directions: Sequence[Mapping[str, Any]]) -> None:
        """Take a claim.

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
        """Yield for some points of a chart whether the difference at a table has a wanted sign, roughly."""
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
        """Return one over the weight of a cell, if it has one in the formula that is not zero."""
        for product in sorted(self.claim.subject.atoms(Mul), key=str):
            for weight in chart.values:
                if {cell, weight} == set(product.args) and chart.values[weight] != 0:
                    return 1 / chart.values[weight]
        return Integer(1)
