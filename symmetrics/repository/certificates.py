"""Certificates: verdicts with everything the checker needs, valid until the code or claim behind them changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from math import inf
from pathlib import Path
from typing import Any, Final, NamedTuple

from symmetrics.claims import Claim
from symmetrics.claims.evidence import Status
from symmetrics.claims.recorded import deciding_anew
from symmetrics.claims.verdict import Verdict
from symmetrics.library import metrics, properties
from symmetrics.matrices import multiclass
from symmetrics.matrices.deciding import CLASSES, name_at_size, properties_at_size, prove_at_size
from symmetrics.papers.claims.trials import hear_all, scripts
from symmetrics.prover import modules_of
from symmetrics.query.proving import prove
from symmetrics.repository.checking import check, own_formulas
from symmetrics.rocq.theories.meanings import ATLAS, paper_of, paper_theories
from symmetrics.rocq.theories.theory import atlas_theories, theory_text
from symmetrics.tools.errors import CertificateError, InputError
from symmetrics.tools.files import write_text
from symmetrics.tools.shipped import MANIFEST, PROOFS
from symmetrics.tools.sources import fingerprint
from symmetrics.tools.workers import Bar, spread

CORRUPTIONS: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""Exceptions raised by reading and checking a damaged or forged certificate."""


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
    """Return a key of a claim and of the code that decides it; a stored verdict is valid while its key is unchanged.

    >>> key_of(properties["p1"].claim(metrics["f1"])) == key_of(properties["p1"].claim(metrics["jaccard"]))
    False
    """
    parts = [json.dumps(claim.to_dict(), sort_keys=True), *sorted(map(fingerprint, code_of_certificate(claim)))]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def code_of_certificate(claim: Claim) -> frozenset[str]:
    """Return the modules that decide a claim, define its meaning, and write the verdict with its sentence."""
    return modules_of(claim) | {type(claim).__module__, Verdict.__module__}


def certificates_text(metric: str, existing: str | None = None) -> str:
    """Return the certificates of one metric: its verdicts on every property, one per line.

    :param existing: previous content; a verdict in it is kept if its key is still the same
    """
    claims = {name: property.claim(metrics[metric]) for name, property in properties.items()}
    return _text(metric, claims, lambda name: prove(metric, name, seconds=inf), existing)


def multiclass_certificates_text(metric: str, existing: str | None = None) -> str:
    """Return the certificates of a matrix metric at the recorded number of classes.

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


# ----------------------------------------------------------------------------------------------------------------------
# The Rocq theories of a checkout: some are tracked, the others are generated from certificates on demand.


CERTIFICATES: Final = PROOFS / "certificates"
THEORIES: Final = PROOFS / "coq"


def existing_theories(root: Path) -> dict[str, str]:
    """Return the existing theories, by name."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted((root / THEORIES).glob("*.v"))}


def metric_theories(
    root: Path, certificates: Mapping[str, str], *, fresh: bool = False, progress: bool = False
) -> dict[str, str]:
    """Return the theories of metrics by name; existing ones are kept if made from the same certificates.

    :param certificates: what the files with their certificates hold
    :param fresh: keep none
    :param progress: show a progress bar if standard error is a terminal
    """
    existing = {} if fresh else existing_theories(root)
    items = [(text, existing.get(name)) for name, text in certificates.items()]
    return dict(zip(certificates, spread(_theory, items, bar=Bar() if progress else None), strict=True))


def _theory(item: tuple[str, str | None]) -> str:
    return theory_text(*item)


def all_theories(root: Path) -> dict[str, str]:
    """Return all theories by name: existing ones unchanged, the others generated from certificates and papers.

    :raises InputError: if there are no certificates
    """
    found = existing_theories(root)
    files = {path.stem: path for path in sorted((root / CERTIFICATES).glob("*.json"))}
    if not files:
        raise InputError(
            f"no certificates at {root / CERTIFICATES}: run 'symmetrics build' in the root of the repository"
        )
    left = {name: path.read_text(encoding="utf-8") for name, path in files.items() if name not in found}
    made = metric_theories(root, left, progress=True)
    if not {name for name in ATLAS if name.startswith("relations")} & found.keys():
        made |= atlas_theories(metrics, found)
    papers = {paper_of(name) for name in found}
    if any(script.stem not in papers for script in scripts(root)):
        made |= paper_theories(hear_all(root, progress=True), found)
    return dict(sorted((made | found).items()))


def build_theories(root: Path) -> list[Path]:
    """Write all theories, untracked ones included, and return the paths of those that changed.

    :raises CertificateError: if one is not what the manifest says, so that all has to be built
    """
    theories = all_theories(root)
    hashes = json.loads((root / PROOFS / MANIFEST).read_text(encoding="utf-8"))["files"]
    for name, text in theories.items():
        if hashes.get(f"{THEORIES.name}/{name}.v") != hashlib.sha256(text.encode()).hexdigest():
            raise CertificateError(
                f"the theory {name} is not the one that {PROOFS / MANIFEST} names: run 'symmetrics build', which makes "
                "certificates, theories and manifest anew"
            )
    paths = {root / THEORIES / f"{name}.v": text for name, text in theories.items()}
    changed = [path for path, text in paths.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in changed:
        write_text(path, paths[path])
    return changed
