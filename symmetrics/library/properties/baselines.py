"""Baselines: the expected value of a metric for random predictions."""

from __future__ import annotations

from typing import Final

from symmetrics.claims.families.limits import ConstantBaseline
from symmetrics.claims.property import Property
from symmetrics.language.definition import Citation

RECORDS: Final = (
    Property(
        "constant_baseline",
        "E[M] is the same for all n, P, OP, 1 <= P, OP <= n - 1, for which it exists, and exists for some; TP is "
        "hypergeometric(n, P, OP), and M at zero cells is its finite limit from positive cells",
        lambda metric: ConstantBaseline(metric.expr, metric.parameters),
        title="constant baseline: random predictions score the same on average, whatever the margins",
        cites=(Citation("gosgens2021", "constant baseline"),),
        yes="is the same on average for all random guessing, whatever the number of examples and the class balance",
        no="is not the same on average for all random guessing (it depends on how many there are of which kind)",
        words=("chance", "random guessing", "baseline", "chance level", "corrected for chance"),
    ),
)
