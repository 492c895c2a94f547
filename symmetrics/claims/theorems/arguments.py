"""Arguments: implications with proofs beyond the application of laws: limits, negating exchanges, linear forms.

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
"""Class of functions M: any; continuous; without oscillation (definable in an o-minimal structure)."""
DOMAINS: Final = ("open", "closed", "whole")
"""Where M has a value, and is continuous if it has to be, and where the conclusion holds: on positive cells; on cells
>= 0 that are not all zero; on tables of whole numbers of which no margin is 0, cells of 0 included.  A metric with a
pole on its domain, as at TP = 0 on the last one, is not among those that an argument is about."""


@dataclass(frozen=True)
class Tending:
    """Continuity: as s tends to 0 from above, a curve of tables tends to a table, and M along it to M there.

    :param curve: the table in s, positive where s is
    :param forward: whether it leads from the curve to its limit
    """

    curve: Table
    forward: bool = True


@dataclass(frozen=True)
class Journey:
    """A walk that may pass limits: M at its start tends, for s -> 0, to M at each table on the way.

    :param start: a table in the cells and s
    :param steps: laws, and curves that tend to tables
    """

    start: Table
    steps: tuple[Instance | Tending, ...]


@dataclass(frozen=True)
class Journeys:
    """One journey for each law of the conclusion.

    For a limit there is one that starts on the curve; for what is impossible one from a table of agreement to one that
    is none.
    """

    journeys: tuple[Journey, ...]


@dataclass(frozen=True)
class BoundedAlongCurve:
    """A function of one variable without oscillation has a limit, possibly infinite; a bounded one has a finite limit.

    Source: van den Dries (1998), Tame Topology and O-minimal Structures, the monotonicity theorem.
    """


@dataclass(frozen=True)
class FormsAgree:
    """Both tables of a law are proportional, so M*<w, x> = <u, x> gives M one value; by continuity everywhere."""


@dataclass(frozen=True)
class FormsVanishTogether:
    """Two linear forms vanish together along some direction of the cells; on it M*<w, x> = <u, x> leaves M constant."""


@dataclass(frozen=True)
class SpanningTables:
    """M = c at four tables that span the space, so u - c*w vanishes at each, hence is 0, and M = c by continuity.

    :param journeys: from each of the tables to one and the same
    """

    journeys: tuple[Journey, ...]


@dataclass(frozen=True)
class VanishingWeights:
    """As a cell on which M does not depend grows, the probabilities of tables with fixed margins separate in order.

    So E[M], which stays c, makes M be c at the table of the largest order, then at the next, and at all.  E[M] has to
    exist at all margins, so that M needs a value at each table of whole numbers without empty margins: with a pole at
    TP = 0 only margins with P + OP > n count, of which there are finitely many for each P and OP.
    """


@dataclass(frozen=True)
class ScaledDirections:
    """M at x equals M at D*x, D a diagonal scaling of the cells, so M is also invariant along D*v if it is along v.

    So it does along all sums of such: where the factors span the space, along the axis of each cell that v moves.
    Sums: between two positive tables many short steps, along one direction after the other, stay among these.

    :param factors: from the cells to the cells with their factors
    :param alone: for each cell, that M is constant if it does not move with this one
    """

    factors: tuple[Journey, ...]
    alone: tuple[Journey, ...]


@dataclass(frozen=True)
class MeansConverge:
    """Law of large numbers: M = c at an independent table, one cell of which stays large for its margins.

    If w has both signs, u is 0 wherever w is, so that u = c*w.  If it has one, w is not 0 for some cell, and where that
    cell is a fixed share of n at least, M = <u, x>/<w, x> is bounded and continuous: at growing multiples of the
    margins E[M], which is c, tends to M at the independent table.  Where such tables span the space, u - c*w is 0.

    :param tables: for each cell tables at whose margins it is more than a fixed share of n
    """

    tables: tuple[tuple[Table, ...], ...]


@dataclass(frozen=True)
class EqualMeans:
    """M is a function g of the odds ratio, and margins with few tables give equations between its values and limits.

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
    """An implication with such a proof: the premises imply another property, constancy, or a contradiction.

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
        """Return the argument as JSON values, with the name of the kind of proof."""
        return {
            "premises": list(self.premises),
            "conclusion": self.conclusion,
            "reason": self.reason,
            "class": self.kind,
            "domain": self.domain,
            "proof": type(self.proof).__name__,
        }
