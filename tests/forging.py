"""Certificates made by hand, whose words are made of the rest, so that the evidence alone has to reject them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from symmetrics.claims.verdict import Verdict
from symmetrics.tools.errors import CertificateError


def reworded(data: Any) -> Verdict:
    """Return the verdict of a certificate, without the sentence and the value in public form that stand in it."""
    return replace(Verdict.from_json(json.dumps(data)), stated={})


def valued(data: Mapping[str, Any], text: object) -> dict[str, Any]:
    """Return a certificate with another value."""
    return dict(data) | {"value": None if text is None else {"kind": "other", "text": text}}


def altered(verdict: Verdict, changes: Mapping[str, Any]) -> Verdict:
    """Return the verdict of an altered certificate, whose words are made of the rest.

    :param changes: by the way to an entry, with ``__`` between its keys: what stands there instead, or ``...`` to take
        it out; the text of the value under ``value``
    """
    data = copy.deepcopy(verdict.certificate())
    if "value" in changes:
        data = valued(data, changes["value"])
    for way, value in changes.items():
        if way == "value":
            continue
        *keys, last = way.split("__")
        place = data
        for key in keys:
            place = place[key]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return reworded(data)


def refusal(check: Callable[..., object], *arguments: Any, **named: Any) -> str | None:
    """Return why the checker, or a part of it, refuses what it is given; None if it does not.

    What refusals begin with is left out, so that a reason can be compared as a whole.
    """
    try:
        check(*arguments, **named)
    except CertificateError as error:
        return str(error).removeprefix("the evidence does not establish the verdict: ")
    return None
