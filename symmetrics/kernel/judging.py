"""Theories given to the kernel: which lemmas it accepts, and what they rest on."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from symmetrics.kernel.compiling import LIBRARY, compile_file, compiled_prelude, complaint, requirements

__all__ = ["AXIOMS", "Judgement", "judge", "judge_all"]

AXIOMS: Final = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""What the standard library's real numbers, with their logarithm and roots, rest on."""
THEORIES: Final = "Theories"
TIMEOUT: Final = "Set Default Timeout 120."
"""How many seconds one sentence of a proof may take."""
CHARACTERS: Final = 150_000
"""How long theories may be together that are compiled as one file: more of them would save little, and wait longer."""
_PLACE: Final = re.compile(r'^File "[^"]*", line (?P<line>\d+)', re.MULTILINE)
_LEMMA: Final = re.compile(r"^Lemma (?P<name>\w+)", re.MULTILINE)
_PROOF: Final = re.compile(r"^Proof\..*?^Qed\.", re.MULTILINE | re.DOTALL)
_COMMENT: Final = re.compile(r"\(\*.*?\*\)", re.DOTALL)
_AXIOM: Final = re.compile(r"^(?P<name>\S[^:\n]*)", re.MULTILINE)
"""An entry of the answer, which need not be an axiom: a definition may be assumed to be well founded."""


@dataclass(frozen=True)
class Judgement:
    """What the kernel says of one theory.

    :param accepted: the names of the lemmas that it accepts
    :param rejected: the others, each with the kernel's complaint
    :param axioms: what the accepted ones rest on
    """

    accepted: tuple[str, ...]
    rejected: Mapping[str, str]
    axioms: frozenset[str]

    @property
    def unknown_axioms(self) -> frozenset[str]:
        """What they rest on beyond the standard library's real numbers."""
        return self.axioms - AXIOMS


def judge(text: str, prelude: Path) -> Judgement:
    """Give a theory to the kernel.

    A lemma that it rejects is set aside, and the others are given to it again.

    :param prelude: the folder of the compiled hand-written files
    """
    with tempfile.TemporaryDirectory() as name:
        (found,) = _settled({"theory": text}, Path(name), prelude)
        return Judgement(found.accepted, found.rejected, _axioms([found], prelude))


def judge_all(texts: Sequence[str]) -> list[Judgement]:
    """Give theories to the kernel, as many at once as there are processors.

    To load the standard library, and to ask what a theory rests on, costs more than to check a short theory.  Those
    that require the same files are compiled in batches, each as a module, and asked about together; where the kernel
    rejects something, or rests on something unexpected, one by one.

    :returns: the judgements in the same order; what a theory rests on is no more than the axioms named there
    :raises InputError: as :func:`compiled_prelude`
    """
    from tqdm import tqdm

    with (
        compiled_prelude() as prelude,
        tempfile.TemporaryDirectory() as name,
        ThreadPoolExecutor(os.cpu_count() or 1) as pool,
        tqdm(total=len(texts), disable=None, leave=False) as bar,
    ):
        found: dict[str, _Settled] = {}
        # Every batch is a process of its own, so that threads are enough to wait for them.
        for settled in pool.map(lambda batch: _settled(batch, Path(name), prelude), list(_batches(texts))):
            found |= {theory.name: theory for theory in settled}
            bar.update(len(settled))
        theories = [found[_name(place)] for place in range(len(texts))]
        axioms = _axioms_of_each(theories, prelude)
    return [Judgement(one.accepted, one.rejected, rest) for one, rest in zip(theories, axioms, strict=True)]


def _name(place: int) -> str:
    return f"theory_{place}"


def _batches(texts: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield theories by name, those together that are compiled as one file; the longest first."""
    longest_first = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
    open_batches: dict[tuple[str, ...], dict[str, str]] = {}
    for place in longest_first:
        text = texts[place]
        batch = open_batches.setdefault(tuple(requirements(text)), {})
        if batch and sum(map(len, batch.values())) + len(text) > CHARACTERS:
            yield dict(batch)
            batch.clear()
        batch[_name(place)] = text
    yield from (batch for batch in open_batches.values() if batch)


@dataclass(frozen=True)
class _Settled:
    """A theory without the lemmas that the kernel rejects.

    :param name: its name
    :param file: where it stands, and is compiled if any lemma is accepted
    :param path: what the name of a lemma stands behind where the kernel is asked about it
    :param needs: how it requires the hand-written files
    """

    name: str
    file: Path
    path: str
    needs: tuple[str, ...]
    accepted: tuple[str, ...]
    rejected: Mapping[str, str]


def _settled(batch: Mapping[str, str], folder: Path, prelude: Path) -> list[_Settled]:
    """Compile theories, by their names, as one file; one by one if the kernel rejects anything."""
    if len(batch) == 1:
        return [_settled_alone(name, text, folder, prelude) for name, text in batch.items()]
    needs = tuple(requirements(next(iter(batch.values()))))
    file = folder / f"batch_{next(iter(batch))}.v"
    names = {name: _lemmas(text) for name, text in batch.items()}
    modules = (f"Module {name}.\n{text}\nEnd {name}.\n" for name, text in batch.items())
    text = "".join(modules)
    for sentence in needs:
        text = text.replace(sentence, "")
    file.write_text("\n".join([*needs, TIMEOUT, text]), encoding="utf-8")
    if compile_file(file, (prelude, LIBRARY), (folder, THEORIES)).returncode:
        return [_settled_alone(name, text, folder, prelude) for name, text in batch.items()]
    return [_Settled(name, file, f"{file.stem}.{name}", needs, tuple(lemmas), {}) for name, lemmas in names.items()]


def _settled_alone(name: str, text: str, folder: Path, prelude: Path) -> _Settled:
    file, needs = folder / f"{name}.v", tuple(requirements(text))
    names = _lemmas(text)
    rejected: dict[str, str] = {}
    while True:
        left = [name for name in names if name not in rejected]
        file.write_text(f"{TIMEOUT} {text}", encoding="utf-8")  # on the first line, so that the numbers of lines stay
        output = compile_file(file, (prelude, LIBRARY), (folder, THEORIES))
        if output.returncode == 0:
            return _Settled(name, file, name, needs, tuple(left), rejected)
        culprit = _culprit(text, output.stderr)
        without = None if culprit is None or culprit in rejected else _set_aside(text, culprit)
        if culprit is None or without is None:
            rejected |= dict.fromkeys(left, complaint(output.stderr))
            return _Settled(name, file, name, needs, (), rejected)
        rejected[culprit] = complaint(output.stderr)
        text = without


def _lemmas(text: str) -> list[str]:
    """Return the names of the lemmas of a theory, without those in comments."""
    return [match["name"] for match in _LEMMA.finditer(_COMMENT.sub("", text))]


def _axioms_of_each(theories: Sequence[_Settled], prelude: Path) -> list[frozenset[str]]:
    """Return what every theory rests on at most; exactly, if it is more than the standard library's real numbers."""
    alike: dict[tuple[str, ...], list[_Settled]] = {}
    for theory in theories:
        alike.setdefault(theory.needs, []).append(theory)
    together = {needs: _axioms(group, prelude) for needs, group in alike.items()}
    return [
        together[theory.needs] if together[theory.needs] <= AXIOMS else _axioms([theory], prelude)
        for theory in theories
    ]


def _axioms(theories: Sequence[_Settled], prelude: Path) -> frozenset[str]:
    """Return what the accepted lemmas of theories in one folder rest on; or why the kernel does not say it.

    They are asked about by their full names, in a file of its own, so that no theory can put something in their place.
    """
    asked = [theory for theory in theories if theory.accepted]
    if not asked:
        return frozenset()
    files = dict.fromkeys(theory.file.stem for theory in asked)
    lemmas = "\n".join(f"let _ := {theory.path}.{name} in" for theory in asked for name in theory.accepted)
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "question.v"
        text = f"From {THEORIES} Require {' '.join(files)}.\nDefinition all := {lemmas} I.\nPrint Assumptions all.\n"
        file.write_text(text, encoding="utf-8")
        output = compile_file(file, (prelude, LIBRARY), (asked[0].file.parent, THEORIES))
    if output.returncode:
        return frozenset({complaint(output.stderr)})
    if output.stdout.startswith("Closed under the global context"):
        return frozenset()
    own = {*files, *(theory.name for theory in asked)}
    names = (match["name"].strip() for match in _AXIOM.finditer(output.stdout.partition("Axioms:")[2]))
    return frozenset(_outside(name, own) for name in names)


def _outside(name: str, own: Collection[str]) -> str:
    """Return the name of an axiom without the theory that has it, unless it would then pass for one of the library."""
    short = ".".join(part for part in name.split(".") if part not in own)
    return name if short != name and short in AXIOMS else short


def _culprit(text: str, errors: str) -> str | None:
    """Return the lemma in which the first error stands."""
    place = _PLACE.search(errors)
    if place is None:
        return None
    before = "\n".join(text.splitlines()[: int(place["line"])])
    found = list(_LEMMA.finditer(before))
    return found[-1]["name"] if found else None


def _set_aside(text: str, name: str) -> str | None:
    """Return a theory without a lemma, on as many lines as before, so that what rests on it is rejected too.

    :returns: nothing if it has no proof that ends
    """
    start = re.search(rf"^Lemma {name}\b", text, re.MULTILINE)
    proof = start and _PROOF.search(text, start.end())
    if not start or not proof:
        return None
    removed = text[start.start() : proof.end()]
    return text[: start.start()] + "\n" * removed.count("\n") + text[proof.end() :]
