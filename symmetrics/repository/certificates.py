"""Certificates: verdicts with all that the checker needs, kept as long as nothing that they rest on has changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from math import inf
from pathlib import Path
from typing import Any, Final, NamedTuple

from symmetrics.claims import Claim
from symmetrics.claims.verdict import Status, Verdict
from symmetrics.library import metrics, properties
from symmetrics.matrices import multiclass
from symmetrics.matrices.deciding import CLASSES, name_at_size, properties_at_size, prove_at_size
from symmetrics.prover import modules_of
from symmetrics.query.proving import deciding_anew, prove
from symmetrics.repository.checking import check, own_formulas
from symmetrics.tools.errors import CertificateError
from symmetrics.tools.sources import fingerprint

__all__ = ["Checked", "certificates_text", "checked", "key_of", "multiclass_certificates_text"]

CORRUPTIONS: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What reading and checking a certificate raises, in which anything may stand."""


class Checked(NamedTuple):
    """A verdict whose evidence was re-verified.

    :param formula: for a metric that the library does not know, the formula that the verdict is about
    :param own: all names of the verdict that the library does not know, each with its formula
    """

    metric: str
    property: str
    status: Status
    formula: str | None = None
    own: tuple[tuple[str, str], ...] = ()


def key_of(claim: Claim) -> str:
    """Return a key of a claim and of the code that decides it; a verdict is good as long as its key is.

    >>> key_of(properties["p1"].claim(metrics["f1"])) == key_of(properties["p1"].claim(metrics["jaccard"]))
    False
    """
    modules = modules_of(claim) | {type(claim).__module__}
    parts = [json.dumps(claim.to_dict(), sort_keys=True), *sorted(map(fingerprint, modules))]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def certificates_text(metric: str, existing: str | None = None) -> str:
    """Return the certificates of one metric: its verdicts on every property, one to a line.

    :param existing: what the file held before; a verdict in it is kept if its key is still the same
    """
    claims = {name: property.claim(metrics[metric]) for name, property in properties.items()}
    return _text(metric, claims, lambda name: prove(metric, name, seconds=inf), existing)


def multiclass_certificates_text(metric: str, existing: str | None = None) -> str:
    """Return the certificates of a metric of matrices at the number of classes that is recorded.

    :param existing: as for :func:`certificates_text`
    """
    subject = multiclass[metric]
    claims = {property.name: property.of(subject, CLASSES) for property in properties_at_size(CLASSES)}
    name = name_at_size(subject, CLASSES)
    return _text(name, claims, lambda key: prove_at_size(subject, key, CLASSES, seconds=inf), existing)


def _text(metric: str, claims: Mapping[str, Claim], decided: Callable[[str], Verdict], existing: str | None) -> str:
    known = _known(existing)
    lines = []
    for name, claim in claims.items():
        key = key_of(claim)
        entry = known.get(key)
        if entry is None or (entry["metric"], entry["property"]) != (metric, name):
            with deciding_anew():
                entry = {"key": key, **decided(name).certificate()}
        lines.append(json.dumps(entry, ensure_ascii=False))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _known(existing: str | None) -> Mapping[str, dict[str, Any]]:
    try:
        return {entry["key"]: entry for entry in json.loads(existing or "[]")}
    except (ValueError, TypeError, LookupError, RecursionError):
        return {}


def checked(file: Path) -> Iterator[Checked]:
    """Re-verify a file of certificates, yielding every verdict after it has passed.

    :raises CertificateError: at the first certificate that does not establish its verdict
    """
    for place, entry in enumerate(_entries(file), start=1):
        try:
            verdict = Verdict.from_certificate(entry)
            check(verdict)
            own = own_formulas(verdict)
        except CORRUPTIONS as error:
            reason = str(error) if isinstance(error, CertificateError) else f"{type(error).__name__}: {error}"
            raise CertificateError(f"{file}, {_entry_name(entry, place)}: {reason}") from None
        yield Checked(verdict.metric, verdict.property, verdict.status, dict(own[::-1]).get(verdict.metric), own)


def _entries(file: Path) -> list[Any]:
    advice = "name files that 'symmetrics build' wrote"
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CertificateError(f"{file} is not a file of certificates: {error}; {advice}") from None
    if not entries:
        raise CertificateError(f"{file} holds no certificates; {advice}")
    return entries if isinstance(entries, list) else [entries]


def _entry_name(entry: object, place: int) -> str:
    if isinstance(entry, dict) and {"metric", "property"} <= entry.keys():
        return f"{entry['property']} of {entry['metric']}"
    return f"entry {place}"
