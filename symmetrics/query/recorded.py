"""Verdicts of the library, read from the certificates that come with the package instead of being decided anew.

A certificate is used only if it was written by the code that would decide now, for the claim that metric and property
make now.  It was checked when it was written; ``symmetrics check`` does it again, reading does not.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.library import metrics, properties
from symmetrics.metric import Metric
from symmetrics.tools.errors import CertificateError
from symmetrics.tools.shipped import code_of_decisions, shipped

__all__ = ["recorded"]

CORRUPTIONS: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What reading a file of certificates raises, in which something else stands."""
_HEAD: Final = re.compile(r'\{"key": "\w+", "metric": "(?P<metric>\w+)", "property": "(?P<property>\w+)", ')
"""How a line with a certificate begins, so that those that nobody asks for are not read."""


@lru_cache(maxsize=8192)
def recorded(metric: Metric, property: Property) -> Verdict | None:
    """Return the verdict on a property of a metric from its certificate, None if there is none that can be used.

    There is one for a metric of the library and a property of the library, and not for others of the same names.  A
    file that is damaged counts as missing, with a warning.

    >>> recorded(Metric("f1", metrics["jaccard"].expr), properties["p1"]) is None
    True
    """
    if metrics.get(metric.name) != metric or properties.get(property.name) != property:
        return None
    try:
        line = _lines(metric.name).get(property.name)
        if line is None:
            return None
        entry, claim = json.loads(line), property.claim(metric)
        return Verdict.from_record(entry, claim) if _text(entry["claim"]) == _text(claim.to_dict()) else None
    except CORRUPTIONS as error:
        reason = str(error) if isinstance(error, CertificateError) else f"{type(error).__name__}: {error}"
        warnings.warn(f"certificates are not used, and what they say is decided anew: {reason}", stacklevel=2)
        return None


@lru_cache(maxsize=32)
def _lines(metric: str) -> Mapping[str, str]:
    """Return the certificates on a metric by property, as text; none if other code wrote them."""
    found = shipped()
    if found is None or found.code != code_of_decisions():
        return {}
    text = found.text(f"certificates/{metric}.json") or ""
    heads = ((_HEAD.match(line), line) for line in text.splitlines())
    return {head["property"]: line.rstrip(",") for head, line in heads if head is not None and head["metric"] == metric}


def _text(claim: Mapping[str, Any]) -> str:
    return json.dumps(claim, sort_keys=True)
