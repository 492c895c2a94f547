"""The theories of a checkout: some are tracked, the others are made from the certificates when somebody wants them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from symmetrics.library import metrics
from symmetrics.papers.claims.trials import hear_all, scripts
from symmetrics.rocq.theories.atlas import atlas_theories
from symmetrics.rocq.theories.meanings import ATLAS, paper_of
from symmetrics.rocq.theories.papers import paper_theories
from symmetrics.rocq.theories.theory import theory_text
from symmetrics.tools.errors import CertificateError, InputError
from symmetrics.tools.files import write_text
from symmetrics.tools.shipped import MANIFEST, PROOFS
from symmetrics.tools.workers import Bar, spread

__all__ = [
    "CERTIFICATES",
    "THEORIES",
    "all_theories",
    "build_theories",
    "existing_theories",
    "metric_theories",
]

CERTIFICATES: Final = PROOFS / "certificates"
THEORIES: Final = PROOFS / "coq"


def existing_theories(root: Path) -> dict[str, str]:
    """Return the theories that are there, by their names."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted((root / THEORIES).glob("*.v"))}


def metric_theories(
    root: Path, certificates: Mapping[str, str], *, fresh: bool = False, progress: bool = False
) -> dict[str, str]:
    """Return the theories of metrics by name; those that are there are kept if they were made from the same.

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
    """Return all theories by name: those that are there as they are, and the others made from certificates and papers.

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
    """Write all theories, those that are not tracked too, and return the paths of those that changed.

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
