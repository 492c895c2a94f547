"""Arguments: implications that need more than laws that are applied, such as limits, exchanges that negate, or forms.

Each is for the metrics of a class on a domain.  Its proof is a record of one of several kinds, which the checker
follows; what such a kind of proof rests on is said there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from symmetrics.claims.theorems.implications import said
from symmetrics.claims.theorems.laws import Instance
from symmetrics.language.cells import Table

CLASSES: Final = ("arbitrary", "continuous", "tame")
"""Of what kind M is: any function; a continuous one; one without oscillation (definable in an o-minimal structure)."""
DOMAINS: Final = ("open", "closed", "whole")
"""Where M has a value, and is continuous if it has to be, and where the conclusion holds: on positive cells; on cells
>= 0 that are not all zero; on tables of whole numbers of which no margin is 0, cells of 0 included.  A metric with a
pole on its domain, as at TP = 0 on the last one, is not among those that an argument is about."""


@dataclass(frozen=True)
class Tending:
    """A curve of tables tends to a table as s tends to 0 from above, and so does M: continuity.

    :param curve: the table in s, positive where s is
    :param forward: whether it leads from the curve to its limit
    """

    curve: Table
    forward: bool = True


@dataclass(frozen=True)
class Journey:
    """A walk that may pass limits: M at its start is, in the limit s -> 0, M at each table on the way.

    :param start: a table in the cells and s
    :param steps: laws, and curves that tend to tables
    """

    start: Table
    steps: tuple[Instance | Tending, ...]


@dataclass(frozen=True)
class Journeys:
    """A journey for each law of the conclusion.

    For a limit there is one that starts on the curve; for what is impossible one from a table of agreement to one that
    is none.
    """

    journeys: tuple[Journey, ...]


@dataclass(frozen=True)
class BoundedAlongCurve:
    """A function of one variable without oscillation has a limit, perhaps infinite; a bounded one has a finite one.

    Source: van den Dries (1998), Tame Topology and O-minimal Structures, the monotonicity theorem.
    """


@dataclass(frozen=True)
class FormsAgree:
    """Both tables of a law are proportional, so that M*<w, x> = <u, x> gives M one value; by continuity everywhere."""


@dataclass(frozen=True)
class FormsVanishTogether:
    """Two linear forms of four cells are both 0 in some direction, along which M*<w, x> = <u, x> gives M one value."""


@dataclass(frozen=True)
class SpanningTables:
    """M is c at four tables that span the space, so that u - c*w is 0 at each, hence 0, and M is c, by continuity.

    :param journeys: from each of the tables to one and the same
    """

    journeys: tuple[Journey, ...]


@dataclass(frozen=True)
class VanishingWeights:
    """As the cell that M does not move with grows, the probabilities of tables of fixed margins are of different order.

    So E[M], which stays c, makes M be c at the table of the largest order, then at the next, and at all.  E[M] has to
    exist at all margins, so that M needs a value at each table of whole numbers without empty margins: with a pole at
    TP = 0 only margins with P + OP > n count, of which there are finitely many for each P and OP.
    """


@dataclass(frozen=True)
class ScaledDirections:
    """M at x is M at D*x for factors D of the cells, so that M stays the same along D*v as it does along v.

    So it does along all sums of such: where the factors span the space, along the axis of each cell that v moves.
    Sums: between two positive tables many short steps, along one direction after the other, stay among these.

    :param factors: from the cells to the cells with their factors
    :param alone: for each cell, that M is constant if it does not move with this one
    """

    factors: tuple[Journey, ...]
    alone: tuple[Journey, ...]


@dataclass(frozen=True)
class MeansConverge:
    """The law of large numbers: M is c at an independent table of which one cell cannot be small at its margins.

    If w has both signs, u is 0 wherever w is, so that u = c*w.  If it has one, w is not 0 for some cell, and where that
    cell is a fixed share of n at least, M = <u, x>/<w, x> is bounded and continuous: at growing multiples of the
    margins E[M], which is c, tends to M at the independent table.  Where such tables span the space, u - c*w is 0.

    :param tables: for each cell tables at whose margins it is more than a fixed share of n
    """

    tables: tuple[tuple[Table, ...], ...]


@dataclass(frozen=True)
class EqualMeans:
    """M is a function g of the odds ratio, and margins of few tables give equations between its values and limits.

    At all margins the first table has the odds ratio 0 and the last one the odds ratio infinity, so that E[M] exists
    just if g has finite limits at both.  Margins with these two tables alone show that both limits are c, and those
    with one table between that g is c at every ratio of whole numbers; by continuity everywhere.

    :param journey: from the cells to a table whose first cell is the odds ratio, and the others 1
    :param two: n, P and OP of margins with two tables
    :param three: all tables of margins with three, the middle one at any two whole numbers
    """

    journey: Journey
    two: tuple[tuple[int, int, int], ...]
    three: tuple[Table, Table, Table]


Proof = (
    Journeys
    | BoundedAlongCurve
    | FormsAgree
    | FormsVanishTogether
    | SpanningTables
    | ScaledDirections
    | VanishingWeights
    | MeansConverge
    | EqualMeans
)


@dataclass(frozen=True)
class Argument:
    """Whatever has all of some properties has another one, is constant, or does not exist.

    :param premises: the keys of the properties that are given
    :param conclusion: the key of the property that follows, ``"constant"`` or ``"impossible"``
    :param reason: why, in plain words
    :param kind: of what class M is, one of :data:`CLASSES`
    :param domain: where, one of :data:`DOMAINS`
    :param proof: what the checker follows
    """

    premises: tuple[str, ...]
    conclusion: str
    reason: str
    proof: Proof = field(hash=False)
    kind: str = "arbitrary"
    domain: str = "open"

    def __str__(self) -> str:
        return f"{said(self.premises, self.conclusion)} ({self.reason})"

    def to_dict(self) -> dict[str, Any]:
        """Return what is argued as JSON values, with the name of the kind of proof."""
        return {
            "premises": list(self.premises),
            "conclusion": self.conclusion,
            "reason": self.reason,
            "class": self.kind,
            "domain": self.domain,
            "proof": type(self.proof).__name__,
        }
