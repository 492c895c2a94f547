"""Constructions: metrics derived from any metric, and theorems on the properties that they gain or keep.

A construction takes the values of M at some images of a table and combines them, whatever M is, with given functions
of the table::

    F[M](x) = combination(M(tables[0](x)), M(tables[1](x)), ..., measures(x))

A theorem says that F[M] has a property if M has some others, or that it loses one that M has.  M is any real function
that has a value at every table of positive cells.  A proof lists the places at which laws of the premises are applied.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from sympy import Add, Expr, Function, Integer, Mul, Pow, Rational, Symbol

from symmetrics.claims.comparison import value_symbol
from symmetrics.claims.theorems.laws import Instance
from symmetrics.language.cells import CELLS, FN, FP, ON, OP, TN, TNR, TP, TPR, N, P, Table, n, parameter_symbol

VALUE: Final = value_symbol(0)
LOWER, UPPER, ODDS, ALPHA = (parameter_symbol(name) for name in ("lower", "upper", "odds", "alpha"))
"""Numbers that a construction takes from a metric or from its user: the ends of the range, the odds of a prior, and the
weight of dominance."""
DOMINANCE: Final = parameter_symbol("dominance")
INCREASING, DECREASING = Function("increasing"), Function("decreasing")
"""Symbols for strictly monotone functions of the values."""


@dataclass(frozen=True)
class Construction:
    """A metric derived from any metric M.

    :param name: its name: first the name of a method of metrics
    :param title: the result in words, with M for the metric
    :param tables: the images of a table at which M is taken
    :param combination: of ``value0``, ``value1``, ..., the values of M there, of measures and of constants
    :param positive: what has to be positive, at every table of positive cells, for the result to be made: expressions
        in the values, measures and constants, or one constant of the tables
    :param measures: symbols of the combination, each with the formula of the table that it stands for
    """

    name: str
    title: str
    tables: tuple[Table, ...]
    combination: Expr
    positive: tuple[Expr, ...] = ()
    measures: tuple[tuple[Symbol, Expr], ...] = ()

    def of(self, formula: Expr, constants: Mapping[Expr, Expr] | None = None) -> Expr:
        """Return the construction applied to one formula.

        >>> EXCHANGED.of(TP / P)
        TN/(FP + TN)
        """
        bound = dict(constants or {})
        values = {
            value_symbol(place): formula.xreplace(
                dict(zip(CELLS, (cell.xreplace(bound) for cell in table), strict=True))
            )
            for place, table in enumerate(self.tables)
        }
        made: Expr = self.combination.xreplace(bound | dict(self.measures) | values)
        return made

    def measured(self, table: Table) -> list[Expr]:
        """Return the measures of a table."""
        return [formula.xreplace(dict(zip(CELLS, table, strict=True))) for _, formula in self.measures]


# -- the constructions -------------------------------------------------------------------------------------------------

_TRANSPOSE: Final[Table] = (TP, FP, FN, TN)
_EXCHANGE: Final[Table] = (TN, FP, FN, TP)
_BOTH: Final[Table] = (TN, FN, FP, TP)
EXCHANGES: Final[Mapping[str, tuple[Table, ...]]] = {
    "p1": (CELLS, _EXCHANGE),
    "transpose": (CELLS, _TRANSPOSE),
    "p1, transpose": (CELLS, _EXCHANGE, _TRANSPOSE, _BOTH),
}
"""Groups of exchanges of cells, as in the library's properties."""
MEANS: Final = ("arithmetic", "geometric", "harmonic")
LINKS: Final[Mapping[bool, Expr]] = {True: INCREASING(VALUE), False: DECREASING(VALUE)}

TRANSPOSED: Final = Construction("transposed", "M with prediction and truth exchanged", (_TRANSPOSE,), VALUE)
EXCHANGED: Final = Construction("exchanged", "M with the classes exchanged", (_EXCHANGE,), VALUE)
NEGATED: Final = Construction("negated", "-M", (CELLS,), -VALUE)
NORMALISED: Final = Construction(
    "normalised", "(M - min)/(max - min)", (CELLS,), (VALUE - LOWER) / (UPPER - LOWER), (UPPER - LOWER,)
)
CHANCE_CORRECTED: Final = Construction(
    "chance_corrected",
    "(M - E)/(max - E), with E the value of M at the independent table with the same margins",
    (CELLS, (P * OP / n, P * ON / n, N * OP / n, N * ON / n)),
    (VALUE - value_symbol(1)) / (UPPER - value_symbol(1)),
    (UPPER - value_symbol(1),),
)
BALANCED: Final = Construction(
    "balanced_index(alpha)",
    "(1 + alpha*(TPr - TNr))*M",
    (CELLS,),
    (1 + ALPHA * DOMINANCE) * VALUE,
    measures=((DOMINANCE, TPR - TNR),),
)
"""Index of balanced accuracy, for any real alpha: García et al. (2012), section 2, for the geometric mean."""


def _leaning(sign: int) -> Construction:
    """Return the index of a positive M, for an alpha of one sign.

    Dominance takes all values between -1 and 1, so that its weight is positive at every table if and only if
    abs(alpha) <= 1.
    """
    weight, alpha = 1 + sign * ALPHA * DOMINANCE, "alpha" if sign > 0 else "-alpha"
    return replace(
        BALANCED,
        name=f"balanced_index({alpha}), M > 0, 0 < alpha <= 1",
        title=f"(1 {'+' if sign > 0 else '-'} alpha*(TPr - TNr))*M",
        combination=weight * VALUE,
        positive=(VALUE, ALPHA, weight),
    )


TOWARDS_POSITIVE: Final = _leaning(1)
TOWARDS_NEGATIVE: Final = _leaning(-1)


def symmetrised(tables: Iterable[Table], mean: str, over: str) -> Construction:
    """Return the mean over a group of exchanges of cells.

    :param mean: one of :data:`MEANS`
    :param over: name of the group of exchanges
    """
    group = tuple(tables)
    values = [value_symbol(place) for place in range(len(group))]
    size = Integer(len(group))
    combination = {
        "arithmetic": lambda: Add(*values) / size,
        "geometric": lambda: Pow(Mul(*values), Rational(1, len(group))),
        "harmonic": lambda: size / Add(*(1 / value for value in values)),
    }[mean]()
    positive = () if mean == "arithmetic" else tuple(values)
    return Construction(
        f"symmetrised over {over}, {mean} mean", f"the {mean} mean of M over {over}", group, combination, positive
    )


def at_odds(odds: Expr) -> Construction:
    """Return the value at another prior of the positive class, 1/(1 + odds), with n unchanged."""
    positive, negative = n / (P * (1 + odds)), odds * n / (N * (1 + odds))
    table = (positive * TP, positive * FN, negative * FP, negative * TN)
    prior = "1/2" if odds == 1 else "a prior"
    return Construction(f"at_prior({prior})", f"M at {prior}", (table,), VALUE, (odds,) if odds.free_symbols else ())


# -- theorems ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chain:
    """Proof that M has the same value at two of the tables: laws applied in succession.

    :param start: the index of the first table: those of the left side of the law come first
    :param end: the index of the other
    """

    start: int
    end: int
    steps: tuple[Instance, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the chain as JSON values."""
        return {"start": self.start, "end": self.end, "steps": [step.to_dict() for step in self.steps]}


@dataclass(frozen=True)
class ConstructionTheorem:
    """F[M] has a property if M has certain others.

    :param construction: F
    :param conclusion: the key of the property of F[M]
    :param premises: the keys of the properties of M
    :param proof: for each law of the conclusion, chains that join tables at which M has the same value; or for a
        strict law, at each image of the two tables either None, because they are the same, or the law that says
        that M is larger at the second
    """

    construction: Construction
    conclusion: str
    premises: tuple[str, ...]
    proof: tuple[tuple[Chain, ...] | tuple[Instance | None, ...], ...]

    @property
    def gives(self) -> bool:
        """Whether F[M] has the property for every M."""
        return not self.premises

    @property
    def keeps(self) -> bool:
        """Whether F[M] has the property because M has it."""
        return self.premises == (self.conclusion,)

    def __str__(self) -> str:
        if self.gives:
            return f"{self.construction.name} gives {self.conclusion}"
        if self.keeps:
            return f"{self.construction.name} keeps {self.conclusion}"
        return f"{self.construction.name} turns {' and '.join(self.premises)} into {self.conclusion}"

    def to_dict(self) -> dict[str, Any]:
        """Return the theorem with its proof as JSON values."""
        parts = [[None if step is None else step.to_dict() for step in part] for part in self.proof]
        return {
            "construction": self.construction.name,
            "conclusion": self.conclusion,
            "premises": list(self.premises),
            "class": "every real M that has a value at all tables of positive cells",
            "proof": parts,
        }


@dataclass(frozen=True)
class Loss:
    """F[M] lacks an invariance that M has, unless a constant of F is 0, or M is 0 at two tables.

    :param construction: F
    :param property: the key of the property, which M has
    :param label: the law of the property that F[M] breaks
    :param at: positive numbers for the variables of the law: at these two tables M has one value, and F[M] two
    """

    construction: Construction
    property: str
    label: str
    at: Mapping[Symbol, Expr]

    def __str__(self) -> str:
        return f"{self.construction.name} loses {self.property}"
