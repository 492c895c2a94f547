"""The properties: one record each."""

from __future__ import annotations

from typing import Final

from symmetrics.cells import FN, FP, TN, TP
from symmetrics.definition import Citation
from symmetrics.property import Property, changed, other

__all__ = ["INVARIANCES"]

INVARIANCES: Final = (
    Property(
        "p1",
        "M(TN, FP, FN, TP) = M(TP, FN, FP, TN)",
        (TN, FP, FN, TP),
        title="invariance under the exchange of TP with TN and of FN with FP",
        cites=(Citation("garcia2012", "section 3.2, p1"), Citation("sokolova2009", "I1"), Citation("tan2002", "O3'")),
    ),
    Property(
        "p2",
        "M(TP, FN, FP, TN') = M(TP, FN, FP, TN)",
        changed("TN"),
        (other("TN"),),
        title="invariance under a change in TN",
        aliases=("null_invariance",),
        cites=(Citation("garcia2012", "section 3.2, p2"), Citation("sokolova2009", "I2"), Citation("tan2002", "O4")),
    ),
    Property(
        "p3",
        "M(TP, FN, FP', TN) = M(TP, FN, FP, TN)",
        changed("FP"),
        (other("FP"),),
        title="invariance under a change in FP",
        cites=(Citation("garcia2012", "section 3.2, p3"), Citation("sokolova2009", "I5")),
    ),
    Property(
        "p4",
        "M(TP', FN, FP, TN) = M(TP, FN, FP, TN)",
        changed("TP"),
        (other("TP"),),
        title="invariance under a change in TP",
        cites=(Citation("garcia2012", "section 3.2, p4"), Citation("sokolova2009", "I3")),
    ),
    Property(
        "p5",
        "M(TP, FN', FP, TN) = M(TP, FN, FP, TN)",
        changed("FN"),
        (other("FN"),),
        title="invariance under a change in FN",
        cites=(Citation("garcia2012", "section 3.2, p5"), Citation("sokolova2009", "I4")),
    ),
)
