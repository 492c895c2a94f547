"""Theorems whose proofs need more than chains of laws (limits, expectations, linear forms).

A proof by journeys is told by the tables that it passes; the steps between them are found, and the checker goes all of
it again.  What theorems prove is not argued.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from sympy import Expr, Integer, Symbol

from symmetrics.checker.theorems.arguments import check_argument
from symmetrics.claims.base import Claim
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.theorems.arguments import (
    Argument,
    BoundedAlongCurve,
    EqualMeans,
    FormsAgree,
    FormsVanishTogether,
    Journey,
    Journeys,
    MeansConverge,
    ScaledDirections,
    SpanningTables,
    VanishingWeights,
)
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE
from symmetrics.claims.theorems.laws import UNIFORM, Law, involutive_laws, laws_of
from symmetrics.language.cells import CELLS, TP, Table
from symmetrics.language.definition import Definition
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.library import properties
from symmetrics.prover.theorems.finding import journey_through

_CELLS: Final = "TP, FN, FP, TN"
_FREE: Final = {"p2": "TN", "p3": "FP", "p4": "TP", "p5": "FN"}
_ODDS: Final = "M is a function of the odds ratio, whose limit is the same where one of {cells} is 0 and where both are"


@cache
def claims() -> dict[str, Claim]:
    """Return the claim of each property about any metric."""
    anything = Definition("any", TP)
    return {key: record.claim(anything) for key, record in properties.items()}


@cache
def arguments() -> tuple[Argument, ...]:
    """Return the arguments, each accepted by the checker.

    :raises CertificateError: if a proof does not show what is argued

    >>> print(next(argument for argument in arguments() if argument.premises == ("defined",)))
    a metric with defined has prevalence_limit (the limit is the value at (0, 0, FP, TN))
    """
    found = (*_exchanges(), *_limits(), *_agreement(), *_forms(), *_baselines())
    for argument in found:
        check_argument(argument, claims())
    return found


def _through(
    premises: tuple[str, ...],
    conclusion: str,
    reason: str,
    route: Sequence[str],
    kind: str = "arbitrary",
    domain: str = "open",
) -> Argument:
    """Return an argument with a journey through given tables as proof."""
    return Argument(premises, conclusion, reason, Journeys((_journey(premises, route),)), kind, domain)


def _journey(premises: Sequence[str], route: Sequence[str]) -> Journey:
    laws = {key: laws_of(claims()[key]) or involutive_laws(claims()[key]) or () for key in premises}
    return journey_through([_table(text) for text in route], laws)


def _table(text: str) -> Table:
    first, second, third, fourth = (_entry(cell) for cell in text.split(", "))
    return first, second, third, fourth


def _entry(text: str) -> Expr:
    extra = ["s", "other_a", "other_b", *(f"other_{name}" for name in CELL_NAMES)]
    formula = parse_formula(text, extra)
    return formula.xreplace({symbol: STEP for symbol in formula.free_symbols if symbol.name == "s"})


def _exchanges() -> list[Argument]:
    columns = "the exchange of the columns takes {} to {}"
    return [
        _through(
            ("homogeneous", "no_imbalance_bias"),
            "actual_scaling",
            "both tables balance to one",
            (
                _CELLS,
                "TP*n/(2*P), FN*n/(2*P), FP*n/(2*N), TN*n/(2*N)",
                "TP*(other_a*P + other_b*N)/(2*P), FN*(other_a*P + other_b*N)/(2*P), "
                "FP*(other_a*P + other_b*N)/(2*N), TN*(other_a*P + other_b*N)/(2*N)",
                "TP*other_a, FN*other_a, FP*other_b, TN*other_b",
            ),
        ),
        _through(
            ("antisymmetric",),
            "p1",
            "both exchanges, one after the other, negate or invert twice",
            (_CELLS, "FP, TN, TP, FN", "TN, FP, FN, TP"),
        ),
        _through(
            ("p2", "antisymmetric"),
            "p3",
            columns.format("TN", "FP"),
            (_CELLS, "FN, TP, TN, FP", "FN, TP, TN, other_FP", "TP, FN, other_FP, TN"),
        ),
        _through(
            ("p3", "antisymmetric"),
            "p2",
            columns.format("FP", "TN"),
            (_CELLS, "FN, TP, TN, FP", "FN, TP, other_TN, FP", "TP, FN, FP, other_TN"),
        ),
    ]


def _limits() -> list[Argument]:
    rare = "s*TP, s*FN, FP, TN"
    balanced = "TP*(s*P + N)/(2*P), FN*(s*P + N)/(2*P), FP*(s*P + N)/(2*N), TN*(s*P + N)/(2*N)"
    tame = "a tame function of one variable has a limit, perhaps infinite; here it is bounded"
    each_class = "as the factor of either class tends to 0, M at a table is its value at the table without that class"
    routes = {
        "actual_scaling": (
            *(_CELLS, rare, "0, 0, FP, TN", "s, s, FP, TN", "1, 1, FP, TN"),
            *("1, 1, s*FP, s*TN", "1, 1, 0, 0", "1, 1, s, s", "1, 1, 1, 1"),
        ),
        "predicted_scaling": (
            *(_CELLS, "s*TP, FN, s*FP, TN", "0, FN, 0, TN", "s, FN, s, TN", "1, FN, 1, TN"),
            *("1, s*FN, 1, s*TN", "1, 0, 1, 0", "1, s, 1, s", "1, 1, 1, 1"),
        ),
    }
    return [
        _through(
            ("no_imbalance_bias",),
            "prevalence_limit",
            "the balanced table tends to a table of positive cells",
            (rare, balanced, "TP*N/(2*P), FN*N/(2*P), FP/2, TN/2"),
            "continuous",
        ),
        _through(
            ("defined",),
            "prevalence_limit",
            "the limit is the value at (0, 0, FP, TN)",
            (rare, "0, 0, FP, TN"),
            "continuous",
            "closed",
        ),
        *(Argument(("range",), limit, tame, BoundedAlongCurve(), "tame") for limit in ("prevalence_limit", "tn_limit")),
        *(
            _through((key, "defined"), CONSTANT, each_class, route, "continuous", "closed")
            for key, route in routes.items()
        ),
    ]


def _agreement() -> list[Argument]:
    """Return a proof that M is extreme at a table where it must not be."""
    alone = "M at its {end} does not move with {cell}, so that it is there where {cell} > 0 too"
    largest, smallest = "TP, 0, 0, TN", "0, FN, FP, 0"
    routes = {
        ("p3", "max_agreement"): (largest, "TP, s, s, TN", "TP, s, FP, TN", "TP, 0, FP, TN"),
        ("p5", "max_agreement"): (largest, "TP, s, s, TN", "TP, FN, s, TN", "TP, FN, 0, TN"),
        ("p2", "min_agreement"): (smallest, "s, FN, FP, s", "s, FN, FP, TN", "0, FN, FP, TN"),
        ("p4", "min_agreement"): (smallest, "s, FN, FP, s", "TP, FN, FP, s", "TP, FN, FP, 0"),
        ("scaling", "max_agreement"): (largest, "TP, s, s*FP, TN", "TP, s**2, FP, TN", "TP, 0, FP, TN"),
        ("scaling", "min_agreement"): (smallest, "s, FN, FP, s*TN", "s**2, FN, FP, TN", "0, FN, FP, TN"),
    }
    found = []
    for (key, agreement), route in routes.items():
        end, cells = ("largest", "FN and FP") if agreement == "max_agreement" else ("smallest", "TP and TN")
        reason = alone.format(end=f"{end} value", cell=_FREE[key]) if key in _FREE else _ODDS.format(cells=cells)
        found.append(_through((key, agreement), IMPOSSIBLE, reason, route, "continuous", "closed"))
    return found


def _forms() -> list[Argument]:
    spanning = ("1, 1, 1, 1", "1, 2, 1, 2", "1, 1, 2, 2", "1, 2, 2, 4")
    return [
        Argument(
            ("decomposable",),
            "homogeneous",
            "equal factors cancel; where <w, x> = 0, by continuity",
            FormsAgree(),
            "continuous",
        ),
        Argument(
            ("decomposable",),
            "translation_space",
            "two linear forms of four cells vanish together in some direction; where <w, x> = 0, by continuity",
            FormsVanishTogether(),
            "continuous",
        ),
        Argument(
            ("decomposable", "independence_value"),
            CONSTANT,
            f"u - c*w vanishes on ({'), ('.join(spanning)}), which span the space, so that M = c",
            SpanningTables(tuple(_journey(["independence_value"], [table, "1, 1, 1, 1"]) for table in spanning)),
            "continuous",
        ),
        Argument(
            ("scaling", "translation_space"),
            CONSTANT,
            "with one direction M does not move along its images under the scalings, hence not with one of the cells",
            _scaled_directions(),
        ),
    ]


def _baselines() -> list[Argument]:
    return [
        *(
            Argument(
                (key, "constant_baseline"),
                CONSTANT,
                "on tables of whole numbers with positive margins, at each of which M has a value, also where cells "
                f"are 0: as {cell} grows and the margins without it stay, the probabilities of the tables are of "
                "different order, and M does not change, so that each value of M is the mean",
                VanishingWeights(),
                domain="whole",
            )
            for key, cell in _FREE.items()
        ),
        Argument(
            ("scaling", "constant_baseline"),
            CONSTANT,
            "n = 2 and n = 3 give M the same limit c at the odds ratios 0 and infinity; with two positives, "
            "1 + FP positive predictions and n = 2 + FP + TN then M = c at the ratio TN/FP, whatever the two counts",
            EqualMeans(
                _journey(["scaling"], [_CELLS, "TP*TN/(FN*FP), 1, 1, 1"]),
                ((2, 1, 1), (3, 1, 1)),
                (_table("0, 2, FP + 1, TN - 1"), _table("1, 1, FP, TN"), _table("2, 0, FP - 1, TN + 1")),
            ),
            "continuous",
        ),
        Argument(
            ("decomposable", "constant_baseline"),
            CONSTANT,
            "where a cell with a weight in w is a fixed share of n at least, M is bounded, and by the law of large "
            "numbers E[M] tends to M at the independent table, so that u - c*w vanishes on tables that span the space",
            MeansConverge(tuple(_large_at(place) for place in range(4))),
            "continuous",
        ),
    ]


def _scaled_directions() -> ScaledDirections:
    laws = laws_of(claims()["scaling"]) or ()
    factors = ("TP, FN, FP, TN", "TP, 2*FN, FP, 2*TN", "TP, FN, 2*FP, 2*TN", "TP, 2*FN, 2*FP, 4*TN")
    alone = []
    for place in range(4):
        changed: list[Expr] = [*CELLS]
        changed[place] = Symbol("new", positive=True)
        first, second, third, fourth = changed
        freed = Law("", "=", (CELLS, (first, second, third, fourth)))
        alone.append(journey_through([CELLS, UNIFORM], {"scaling": laws, "": (freed,)}))
    return ScaledDirections(tuple(_journey(["scaling"], [_CELLS, table]) for table in factors), tuple(alone))


def _large_at(place: int) -> tuple[Table, ...]:
    """Return independent tables with one cell, its neighbours and the opposite cell of given orders of size."""
    found = []
    for large, one, other, small in ((4, 2, 2, 1), (6, 3, 2, 1), (6, 2, 3, 1), (9, 3, 3, 1)):
        cells = [one, other] if place in (0, 3) else [large, small]
        ends = [large, small] if place in (0, 3) else [one, other]
        if place > 1:
            ends, cells = ends[::-1], cells[::-1]
        found.append(tuple(map(Integer, (ends[0], *cells, ends[1]))))
    return tuple((a, b, c, d) for a, b, c, d in found)
