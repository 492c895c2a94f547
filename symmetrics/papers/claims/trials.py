"""Trials: the folders of the papers in ``proofs/`` are loaded, and their claims judged."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, Literal

from sympy import Expr, Rational, S

from symmetrics.claims import Comparison
from symmetrics.claims.verdict import Verdict
from symmetrics.language.writer import formula_text
from symmetrics.papers.comparison import Cell
from symmetrics.tools.errors import InputError, nearest_names
from symmetrics.tools.shipped import PROOFS
from symmetrics.tools.texts import number_of
from symmetrics.tools.workers import Bar, spread

# -- What a paper says, where it says so, and what became of it --------------------------------------------------------


Kind = Literal["equation", "two forms", "inequality", "limit", "special case", "table cell", "number", "words"]
Outcome = Literal["holds", "holds only as", "refuted", "open", "unreadable"]
Basis = Literal["prover", "exact computation", "certified enclosure", "enumeration", "statistics", "nothing"]
"""What a ruling rests on: verdicts that the checker accepts, exact arithmetic, an interval that certainly holds the
value, all cases there are, a seeded random experiment; nothing, where text or data are not at hand."""
Correction = tuple[str, Callable[[], Iterable[Verdict]]]
"""The form that holds instead, in words, and what proves it; it is asked for only if the print is refuted."""


CONSTANT: Final = "a constant of the design beside itself"
"""Why a number that nothing else bears on is not counted."""
NO_SENTENCE: Final = "no sentence of the paper says so"
"""Why what is true of a formula, but not printed, is not counted."""


@dataclass(frozen=True)
class Ruling:
    """What became of a claim.

    :param outcome: ``holds``, ``holds only as`` where the sentence as printed fails and a reading of it holds,
        ``refuted``, ``open``, or ``unreadable`` where the text at hand is garbled
    :param evidence: by what: the certificate's sentence, or the smallest table or computation that refutes it, so that
        a reader with a pocket calculator can follow it
    :param corrected: for a refuted claim the form that holds, and by what it is proved; for one that holds only as
        read, the reading
    :param basis: what it rests on
    """

    outcome: Outcome
    evidence: str
    corrected: str = ""
    basis: Basis = "exact computation"


@dataclass(frozen=True)
class PaperClaim:
    """One checkable statement of a paper.

    :param key: a name of its own, such as ``garcia2012.equation_3``
    :param place: where it stands, such as ``section 2, equation (3)``
    :param kind: what sort of statement it is
    :param printed: the statement, as a formula or in words of our own
    :param judge: decides it, by the general machinery
    :param reading_of: the key of the sentence that this is a charitable reading of, if it is one
    """

    key: str
    place: str
    kind: Kind
    printed: str
    judge: Callable[[], Ruling]
    reading_of: str = ""


@dataclass(frozen=True)
class Trial:
    """All claims of one paper, in its order.

    :param paper: author and year, such as ``garcia2012``
    :param title: authors, year, title
    :param claims: the claims
    :param uncounted: why a claim is judged and shown but not counted, by a pattern of keys without the paper's name, in
        which ``*`` stands for anything
    :param anew: the claims that were ruled otherwise before, with that ruling, by key without the paper's name
    :param recorded: the outcome of every claim that does not hold, by its key
    """

    paper: str
    title: str
    claims: tuple[PaperClaim, ...]
    uncounted: Mapping[str, str] = field(default_factory=dict)
    anew: Mapping[str, str] = field(default_factory=dict)
    recorded: Mapping[str, Outcome] = field(default_factory=dict)


# ----------------------------------------------------------------------------------------------------------------------
# Sentences and their charitable readings: two claims, so that the one is never judged in place of the other.


READ = "_as_read"
"""What the key of a reading ends with."""


def with_reading(claim: PaperClaim, reading: str, judge: Callable[[], Ruling]) -> Iterator[PaperClaim]:
    """Yield a sentence, judged as printed, and a reading of it as a second claim that is named so.

    The sentence holds only as read if it fails as printed and the reading holds; if that fails too, it is refuted.

    :param claim: the sentence, with what judges it as printed
    :param reading: what is read into it, in words
    :param judge: decides the reading

    >>> from symmetrics.papers.claims.trials import by_computation
    >>> sentence = PaperClaim("a.b", "p. 1", "words", "all do", lambda: by_computation(False, "5 of 7"))
    >>> literal, read = with_reading(sentence, "most do", lambda: by_computation(True, "5 > 7/2"))
    >>> literal.judge().outcome, literal.judge().corrected, read.key
    ('holds only as', 'read as: most do (5 > 7/2)', 'a.b_as_read')
    """

    def both() -> Ruling:
        literal = claim.judge()
        if literal.outcome != "refuted":
            return literal
        read = judge()
        if read.outcome != "holds":
            return literal
        return replace(literal, outcome="holds only as", corrected=f"read as: {reading} ({read.evidence})")

    yield replace(claim, judge=both)
    yield PaperClaim(f"{claim.key}{READ}", claim.place, claim.kind, f"read as: {reading}", judge, claim.key)


# -- Rulings by exact computations: numbers as they are printed, and what follows from them ----------------------------


def by_computation(holds: bool, evidence: str, correction: str = "", *, basis: Basis = "exact computation") -> Ruling:
    """Return the ruling of a computation.

    :param holds: whether what is printed is what was computed, and nothing weaker

    :param evidence: the computation, with the numbers on both sides
    :param correction: for a computation that refutes the print, what holds instead and by what that is known
    :param basis: what the computation is, if it is no exact one
    """
    return Ruling("holds", evidence, "", basis) if holds else Ruling("refuted", evidence, correction, basis)


def by_number(
    ours: object, printed: str, working: str = "", *, decimals: int | None = None, correction: str = ""
) -> Ruling:
    """Return whether an exact value rounds to the printed number; in the middle, to either of both sides.

    :param ours: an exact SymPy number, or what is exactly one; ``nan`` for undefined
    :param printed: the printed text, a number or a word such as "not defined"
    :param working: how the value comes about, such as ``(1 + 5)/2``
    :param decimals: digits after the point that the printed number is rounded to, by default as many as are printed
    :param correction: what holds instead; by default the value rounded to the same digits

    >>> by_number(Rational(5, 3), "1.667", "2*1*5/6").evidence
    '2*1*5/6 = 5/3 = 1.66667, printed 1.667'
    """
    value = S(ours) if not isinstance(ours, Expr) else ours
    cell = Cell("", value, printed, decimals)
    exactly = formula_text(value) if value.is_finite else "undefined"
    decimal = "" if exactly in (cell.shown, printed, working) or len(exactly) > 40 else f" = {exactly}"
    shown = "" if value.is_integer or not value.is_finite else f" = {cell.shown}"
    whole = f" = {exactly}" if not shown and not decimal else ""
    evidence = f"{working}{decimal}{shown}{whole}, printed {printed}".removeprefix(" = ")
    if cell.agrees:
        return Ruling("holds", evidence)
    rounded = f"{float(value):.{cell.digits}f}" if value.is_finite else "undefined"
    return Ruling("refuted", evidence, correction or f"{rounded}, by exact arithmetic")


def rounds_from(printed: str, decimals: int | None = None) -> tuple[Rational, Rational]:
    """Return between which numbers a value lies that was rounded to the printed one, both ends included.

    >>> rounds_from("0.25")
    (49/200, 51/200)
    """
    digits = len(printed.partition(".")[2]) if decimals is None else decimals
    half = Rational(1, 2 * 10**digits)
    return Rational(printed) - half, Rational(printed) + half


def unreadable(reason: str) -> Ruling:
    """Return that the text at hand does not let the claim be read.

    :param reason: what is garbled
    """
    return Ruling("unreadable", reason, basis="nothing")


def no_data(reason: str) -> Ruling:
    """Return that a claim stays open because the data, drawing or code that it rests on are not at hand.

    :param reason: what would be needed, by name
    """
    return Ruling("open", reason, basis="nothing")


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
