"""Trials: the folders of the papers in ``proofs/`` are loaded, and their claims judged."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from symmetrics.claims import Comparison
from symmetrics.claims.verdict import Verdict
from symmetrics.papers.claims.records import Kind, PaperClaim, Ruling, Trial
from symmetrics.tools.errors import InputError, nearest_names
from symmetrics.tools.shipped import PROOFS
from symmetrics.tools.words import number_of
from symmetrics.tools.workers import Bar, spread

# -- What verdicts a ruling rests on: those that are decided while a claim is judged -----------------------------------


_NOTED: Final[ContextVar[list[Verdict] | None]] = ContextVar("noted", default=None)


@contextmanager
def recording() -> Iterator[list[Verdict]]:
    """Yield a list to which all verdicts are added that rulings use until the context ends, each once."""
    noted: list[Verdict] = []
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)


def note(verdict: Verdict) -> Verdict:
    """Note that a ruling uses a verdict, and return it."""
    noted = _NOTED.get()
    if noted is not None and not any(verdict.claim == other.claim for other in noted):
        noted.append(verdict)
    return verdict


# ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heard:
    """A claim and its ruling, without what judged it.

    :param paper: the paper's name
    :param title: its title
    :param key: the claim's key
    :param place: where it stands
    :param kind: its kind
    :param printed: the statement
    :param ruling: what became of it
    :param verdicts: those on formulas that the ruling rests on
    :param uncounted: why it is not counted; empty if it is
    :param before: how it was ruled before, if otherwise
    """

    paper: str
    title: str
    key: str
    place: str
    kind: Kind
    printed: str
    ruling: Ruling
    verdicts: tuple[Verdict, ...] = field(default=(), compare=False, repr=False)
    uncounted: str = ""
    before: str = ""


# -- loading and judging -----------------------------------------------------------------------------------------------


def scripts(root: Path) -> list[Path]:
    """Return the folders of the papers in a checkout, the earliest paper first."""
    folders = [path.parent for path in (root / PROOFS).glob("*/__init__.py")]
    return sorted(folders, key=lambda path: (path.name[-4:], path.name))


def load_trial(path: Path) -> Trial:
    """Return the trial that the folder of a paper defines.

    :raises InputError: if its modules cannot be run or its trial is not one
    """
    name = f"symmetrics_proofs_{path.name}"
    folder = str(path.resolve())  # Python remembers where a relative one was, whatever the folder is later
    spec = importlib.util.spec_from_file_location(
        name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    if spec is None or spec.loader is None:
        raise InputError(f"{path} is not a Python package; take it out of {PROOFS}/")
    for known in [known for known in sys.modules if known == name or known.startswith(f"{name}.")]:
        del sys.modules[known]  # the folder may be another one, or have changed
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        trial = module.trial()
    except Exception as error:  # a script fails in any way
        raise InputError(f"{path} cannot be run ({type(error).__name__}: {error}); see 'python {path}'") from error
    if not isinstance(trial, Trial):
        raise InputError(f"{path}: trial() returned {type(trial).__name__}; it has to return a Trial")
    return trial


def load_trials(root: Path) -> list[Trial]:
    """Return the trials of a checkout.

    :raises InputError: if there is none, two claims share a key, or a key does not begin with its paper's name
    """
    trials = [load_trial(path) for path in scripts(root)]
    if not trials:
        raise InputError(f"no papers at {(root / PROOFS).absolute()}; restore the folders of the papers")
    _refuse_clashes(trials)
    return trials


def _refuse_clashes(trials: Iterable[Trial]) -> None:
    seen = set()
    for trial in trials:
        for claim in trial.claims:
            if claim.key in seen or not claim.key.startswith(f"{trial.paper}."):
                wrong = "is taken" if claim.key in seen else f"does not begin with {trial.paper}."
                raise InputError(f"the key {claim.key!r} of a claim {wrong}; choose another one")
            seen.add(claim.key)


def ruling_of(claim: PaperClaim) -> Ruling:
    """Return the ruling on a claim.

    :raises InputError: if it cannot be judged, for instance because a fact that it needs is missing
    """
    try:
        return claim.judge()
    except Exception as error:  # a script fails in any way
        raise InputError(f"the claim {claim.key} cannot be judged ({type(error).__name__}: {error})") from error


def hear(path: Path) -> list[Heard]:
    """Return the claims of one paper with their rulings.

    :param path: its folder
    """
    trial = load_trial(path)
    return [_heard(trial, claim) for claim in trial.claims]


def _heard(trial: Trial, claim: PaperClaim) -> Heard:
    with recording() as verdicts:
        ruling = ruling_of(claim)
    about = (claim.key, claim.place, claim.kind, claim.printed)
    name = claim.key.removeprefix(f"{trial.paper}.")
    left_out = _uncounted(trial, claim, name) or _identical(ruling, verdicts)
    before = trial.anew.get(name, "")
    return Heard(trial.paper, trial.title, *about, ruling, tuple(verdicts), left_out, before)


def _uncounted(trial: Trial, claim: PaperClaim, name: str) -> str:
    """Return why a claim is not counted, as far as its paper's folder says so."""
    if claim.reading_of:
        return f"a reading of {claim.reading_of}"
    return next((reason for pattern, reason in trial.uncounted.items() if fnmatchcase(name, pattern)), "")


def _identical(ruling: Ruling, verdicts: Iterable[Verdict]) -> str:
    """Return that nothing is left to decide if both sides of all equations are one expression once they are read."""
    claims = [verdict.claim for verdict in verdicts]
    same = [isinstance(claim, Comparison) and claim.partner == claim.subject for claim in claims]
    trivial = ruling.outcome == "holds" and ruling.basis == "prover" and bool(same) and all(same)
    return "both sides are one expression once they are read" if trivial else ""


def hear_all(root: Path, key: str = "all", *, progress: bool = False) -> list[Heard]:
    """Return the claims of a checkout with their rulings: all of them, or the one that has the key.

    :param progress: show a progress bar if standard error is a terminal
    :raises InputError: if there is no such claim, or no paper
    """
    trials = load_trials(root)
    if key == "all":
        return [one for heard in spread(hear, scripts(root), bar=Bar() if progress else None) for one in heard]
    by_key = {claim.key: (trial, claim) for trial in trials for claim in trial.claims}
    if key not in by_key:
        near = nearest_names(key, by_key)
        hint = f"did you mean {', '.join(near)}?" if near else f"'symmetrics list claims' shows all {len(by_key)}"
        raise InputError(f"unknown claim {key!r}: {hint}")
    return [_heard(*by_key[key])]


# -- one paper alone ---------------------------------------------------------------------------------------------------


def run_alone(trial: Trial) -> int:
    """Judge and print all claims of a paper and return 1 if one of them comes out otherwise than recorded."""
    surprises = 0
    for claim in trial.claims:
        ruling, expected = claim.judge(), trial.recorded.get(claim.key, "holds")
        mark = "" if ruling.outcome == expected else f"  <- recorded as {expected}"
        surprises += bool(mark)
        print(f"{ruling.outcome:10}  {claim.key}: {claim.printed}{mark}")
        if ruling.outcome != "holds":
            print(f"            {ruling.evidence}")
        if ruling.corrected:
            print(f"            instead: {ruling.corrected}")
    print(f"{number_of(len(trial.claims), 'claim')}, {surprises} of them other than recorded")
    return 1 if surprises else 0
