"""Certificates made by hand, whose words are made of the rest, so that the evidence alone has to reject them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from symmetrics.claims.verdict import Verdict


def reworded(data: Any) -> Verdict:
    """Return the verdict of a certificate, without the sentence and the value in public form that stand in it."""
    return replace(Verdict.from_json(json.dumps(data)), stated={})


def valued(data: Mapping[str, Any], text: object) -> dict[str, Any]:
    """Return a certificate with another value."""
    return dict(data) | {"value": None if text is None else {"kind": "other", "text": text}}
