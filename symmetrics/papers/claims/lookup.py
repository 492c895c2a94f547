"""The papers and their claims looked up, without judging any: what there is, and what one of them says."""

from __future__ import annotations

from collections.abc import Iterator

from symmetrics.papers.claims.trials import PaperClaim, Trial, load_trials
from symmetrics.tools.shipped import shipped_root


def _trials() -> list[Trial]:
    with shipped_root() as root:
        return load_trials(root)


def paper_rows() -> Iterator[tuple[str, str]]:
    """Yield the key and the title of each paper."""
    for trial in _trials():
        yield trial.paper, trial.title


def claim_rows() -> Iterator[tuple[str, str]]:
    """Yield the key of each claim of all papers, with what is printed and where."""
    for trial in _trials():
        for claim in trial.claims:
            yield claim.key, f"{claim.printed} ({claim.place})"


def rows_of(paper: str) -> tuple[str, list[tuple[str, str]]] | None:
    """Return the title of a paper and its claims, each with what is printed; None if there is no such paper."""
    for trial in _trials():
        if trial.paper == paper:
            return trial.title, [(claim.key, claim.printed) for claim in trial.claims]
    return None


def facts_of_claim(key: str) -> list[tuple[str, str]] | None:
    """Return what a claim is about, label by label; None if there is no such claim."""
    for trial in _trials():
        for claim in trial.claims:
            if claim.key == key:
                return _facts(trial, claim)
    return None


def _facts(trial: Trial, claim: PaperClaim) -> list[tuple[str, str]]:
    return [
        ("claim", claim.key),
        ("paper", trial.title),
        ("place", claim.place),
        ("kind", claim.kind),
        ("printed", claim.printed),
        ("to judge it", f"symmetrics check --claim {claim.key}"),
    ]
