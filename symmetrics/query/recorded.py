"""Verdicts of the library, read from the certificates that come with the package instead of being decided anew."""

from __future__ import annotations

from functools import lru_cache

from symmetrics.claims.property import Property
from symmetrics.claims.recorded import recorded_verdict
from symmetrics.claims.verdict import Verdict
from symmetrics.library import metrics, properties
from symmetrics.metric import Metric


@lru_cache(maxsize=8192)
def recorded(metric: Metric, property: Property) -> Verdict | None:
    """Return the verdict on a property of a metric from its certificate, None if there is none that can be used.

    There is one for a metric of the library and a property of the library, and not for others of the same names.

    >>> recorded(Metric("f1", metrics["jaccard"].expr), properties["p1"]) is None
    True
    """
    if metrics.get(metric.name) != metric or properties.get(property.name) != property:
        return None
    return recorded_verdict(lambda: property.claim(metric), metric=metric.name, property=property.name)
