"""Why properties follow from others, or exclude each other, for every metric of a class: written arguments.

Nothing here is followed by a machine: what rests on one of these is "argued", never "proved".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from symmetrics.library.properties.implications import IMPLICATIONS

__all__ = ["ARGUMENTS", "CLASSES", "CONSTANT", "CONTRADICTION", "DOMAINS", "Argument"]

CLASSES: Final = ("arbitrary", "continuous", "tame")
"""Of what kind M is: any function; a continuous one; one without oscillation (definable in an o-minimal structure)."""
DOMAINS: Final = ("open", "closed")
"""Where M is a function, and continuous if it has to be: on positive cells; on cells >= 0 that are not all zero."""
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
_SIMPLE: Final = tuple(
    Argument(known.premises, known.conclusion, known.reason)
    if known.holds
    else Argument((*known.premises, known.conclusion), CONTRADICTION, known.reason)
    for known in IMPLICATIONS
)
_LIMIT_OF_TAME: Final = "a tame function of one variable has a limit, perhaps infinite; here it is bounded"

ARGUMENTS: Final = (
    *_SIMPLE,
    *(Argument((key,), "translation_space", f"{cell} alone is such a direction") for key, cell in _CELL_FREE.items()),
    *(Argument((key,), "scaling_space", f"a factor of {cell} changes nothing") for key, cell in _CELL_FREE.items()),
    Argument(("homogeneous",), "scaling_space", "a common factor is such a scaling"),
    *(Argument((key,), "symmetry_group", "it is one of these symmetries") for key in ("p1", "transpose")),
    Argument(("antisymmetric",), "symmetry_group", "the exchange of the rows is one of these symmetries"),
    Argument(("antisymmetric",), "p1", "both exchanges, one after the other, negate or invert twice"),
    Argument(("scaling",), "p1", "M is a function of the odds ratio TP*TN/(FN*FP), which p1 keeps"),
    Argument(("scaling",), "transpose", "M is a function of the odds ratio TP*TN/(FN*FP), which the transpose keeps"),
    Argument(("p2",), "tn_limit", "M does not move with TN"),
    Argument(("actual_scaling",), "prevalence_limit", "M does not move as the positive class gets rare"),
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
    *(
        Argument((key, "independence_value"), CONSTANT, f"some other {cell} makes prediction and truth independent")
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
)
