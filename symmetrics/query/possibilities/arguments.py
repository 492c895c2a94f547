"""Why properties follow from others, or exclude each other, for every metric of a class: written arguments.

Nothing here is followed by a machine: what rests on one of these is "argued", never "proved".  What theorems prove is
not argued again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["ARGUMENTS", "CLASSES", "CONSTANT", "CONTRADICTION", "DOMAINS", "Argument"]

CLASSES: Final = ("arbitrary", "continuous", "tame")
"""Of what kind M is: any function; a continuous one; one without oscillation (definable in an o-minimal structure)."""
DOMAINS: Final = ("open", "closed", "whole")
"""Where M is a function, and continuous if it has to be: on positive cells; on cells >= 0 that are not all zero; on
tables of whole numbers of which no margin is 0, so that what follows is said of these tables alone."""
CONSTANT: Final = "constant"
CONTRADICTION: Final = "contradiction"


@dataclass(frozen=True)
class Argument:
    """Whatever has all of some properties has another one, is constant, or does not exist.

    :param premises: the keys of the properties that are given
    :param conclusion: the key of the property that follows, ``"constant"`` or ``"contradiction"``
    :param reason: why, in plain words
    :param kind: of what class M is, one of :data:`CLASSES`
    :param domain: where, one of :data:`DOMAINS`
    """

    premises: tuple[str, ...]
    conclusion: str
    reason: str
    kind: str = "arbitrary"
    domain: str = "open"


_CELL_FREE: Final = {"p2": "TN", "p3": "FP", "p4": "TP", "p5": "FN"}
_LIMIT_OF_TAME: Final = "a tame function of one variable has a limit, perhaps infinite; here it is bounded"
_NOT_ALONE: Final = "M at its {end} does not move with {cell}, so that it is there where {cell} > 0 too"
_SAME_ODDS: Final = (
    "M is a function of the odds ratio, whose limit is the same where one of {cells} is 0 and where both are"
)

ARGUMENTS: Final = (
    Argument(("homogeneous", "no_imbalance_bias"), "actual_scaling", "both tables balance to one"),
    Argument(("antisymmetric",), "symmetry_group", "the exchange of the rows is one of these symmetries"),
    Argument(("antisymmetric",), "p1", "both exchanges, one after the other, negate or invert twice"),
    Argument(
        ("no_imbalance_bias",),
        "prevalence_limit",
        "the balanced table tends to a table of positive cells",
        "continuous",
    ),
    Argument(
        ("defined",), "prevalence_limit", "the limit is the value at (0, 0, FP, TN)", "continuous", domain="closed"
    ),
    *(Argument(("range",), limit, _LIMIT_OF_TAME, "tame") for limit in ("prevalence_limit", "tn_limit")),
    Argument(("decomposable",), "homogeneous", "equal factors cancel; where <w, x> = 0, by continuity", "continuous"),
    Argument(
        ("decomposable",),
        "translation_space",
        "two linear forms of four cells vanish together in some direction; where <w, x> = 0, by continuity",
        "continuous",
    ),
    *(
        Argument((key, "antisymmetric"), CONSTANT, f"the exchanges take {cell} to every other cell")
        for key, cell in _CELL_FREE.items()
    ),
    Argument(
        ("decomposable", "independence_value"),
        CONSTANT,
        "u - c*w vanishes on (1,1,1,1), (1,2,1,2), (1,1,2,2) and (1,2,2,4), which span the space, so that M = c",
        "continuous",
    ),
    *(
        Argument(
            (key, "defined"),
            CONSTANT,
            "as the factor of either class tends to 0, M at a table is its value at the table without that class",
            "continuous",
            "closed",
        )
        for key in ("actual_scaling", "predicted_scaling")
    ),
    Argument(
        ("scaling", "translation_space"),
        CONSTANT,
        "M is a function of the odds ratio, which moves along the direction: at each ratio, at some table",
    ),
    *(
        Argument(
            (key, agreement),
            CONTRADICTION,
            _NOT_ALONE.format(end=end, cell=_CELL_FREE[key]),
            "continuous",
            "closed",
        )
        for agreement, end, keys in (
            ("max_agreement", "largest value", ("p3", "p5")),
            ("min_agreement", "smallest value", ("p2", "p4")),
        )
        for key in keys
    ),
    *(
        Argument(("scaling", agreement), CONTRADICTION, _SAME_ODDS.format(cells=cells), "continuous", "closed")
        for agreement, cells in (("max_agreement", "FN and FP"), ("min_agreement", "TP and TN"))
    ),
    *(
        Argument(
            (key, "constant_baseline"),
            CONSTANT,
            f"at fixed margins that {cell} is not in, E[M] is a sum of a_j/(n)_j over the falling factorials of n, "
            "which are independent functions of n, so that all a_j but the first are 0",
            domain="whole",
        )
        for key, cell in _CELL_FREE.items()
    ),
    Argument(
        ("scaling", "constant_baseline"),
        CONSTANT,
        "n = 2 and n = 3 give M the same limit c at the odds ratios 0 and infinity; with two positives, "
        "1 + FP positive predictions and n = 2 + FP + TN then M = c at the ratio TN/FP, whatever the two counts",
        "continuous",
    ),
    Argument(
        ("decomposable", "constant_baseline"),
        CONSTANT,
        "where a cell with a weight in w is a fixed share of n at least, M is bounded, and by the law of large numbers "
        "E[M] tends to M at the independent table, so that u - c*w vanishes on tables that span the space",
        "continuous",
    ),
)
