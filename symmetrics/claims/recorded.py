"""Read verdicts from the certificates that come with the package, instead of deciding again.

A certificate is used only if it was written by the code that would decide now, under the name of the metric and of the
property, for the very claim that is asked.  It was checked when it was written; ``symmetrics check`` does it again,
reading does not.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, Final

from symmetrics.claims.base import Claim
from symmetrics.claims.verdict import Verdict
from symmetrics.tools.errors import CertificateError
from symmetrics.tools.shipped import DECIDING, code_of, shipped

ANEW: Final[ContextVar[bool]] = ContextVar("deciding anew", default=False)
"""Whether to ignore all certificates."""
CORRUPTIONS: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""Exceptions raised by reading a damaged file of certificates."""
_HEAD: Final = re.compile(r'\{"key": "\w+", "metric": "(?P<metric>[\w ]+)", "property": "(?P<property>\w+)", ')
"""Start of a line with a certificate; other lines need not be parsed."""


@contextmanager
def deciding_anew() -> Iterator[None]:
    """Context in which claims are decided again, without reading certificates.

    >>> from symmetrics import prove
    >>> with deciding_anew():
    ...     prove("precision", "p2").status
    'proved'
    """
    token = ANEW.set(True)
    try:
        yield
    finally:
        ANEW.reset(token)


def recorded_verdict(claim_of: Callable[[], Claim], *, metric: str, property: str) -> Verdict | None:
    """Return the verdict on a claim from its certificate, None if no valid one exists.

    A file that is damaged counts as missing, with a warning.

    :param claim_of: makes the claim; it is called if there is a certificate under both names
    :param metric: the name under which the certificate stands
    :param property: the property's key under which it stands
    """
    try:
        line = _lines(metric).get(property)
        if line is None:
            return None
        entry, claim = json.loads(line), claim_of()
        return Verdict.from_record(entry, claim) if _text(entry["claim"]) == _text(claim.to_dict()) else None
    except CORRUPTIONS as error:
        reason = str(error) if isinstance(error, CertificateError) else f"{type(error).__name__}: {error}"
        warnings.warn(f"certificates are not used, and what they say is decided anew: {reason}", stacklevel=2)
        return None


@lru_cache(maxsize=32)
def _lines(metric: str) -> Mapping[str, str]:
    """Return the certificates on a metric as text, by property; empty if other code made them."""
    found = shipped()
    if found is None or found.code != code_of(DECIDING):
        return {}
    text = found.text(f"certificates/{file_name(metric)}") or ""
    heads = ((_HEAD.match(line), line) for line in text.splitlines())
    return {head["property"]: line.rstrip(",") for head, line in heads if head is not None and head["metric"] == metric}


def file_name(metric: str) -> str:
    """Return the name of the file with a metric's certificates.

    >>> file_name("mcc of 3 classes")
    'mcc_of_3_classes.json'
    """
    return f"{metric.replace(' ', '_')}.json"


def _text(claim: Mapping[str, Any]) -> str:
    return json.dumps(claim, sort_keys=True)
