"""Run the kernel on theories: which lemmas it accepts, and which axioms they rest on."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from symmetrics.rocq.judge.compiling import LIBRARY, compile_file, compiled_prelude, complaint, required
from symmetrics.rocq.judge.gate import Script, read_script
from symmetrics.tools.workers import Bar, spread

# ----------------------------------------------------------------------------------------------------------------------
# Queries to the kernel about compiled theories: does a lemma state what it should, and which axioms does it use?

# They are in a separate file, independent of the theory. It requires the hand-written files, restates the library's
# definitions, and asks whether the lemma of the theory, by its full name, proves the restated claim. So whatever the
# theory contains, an accepted lemma is about the library's formula and the library's property.


AXIOMS: Final = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""Axioms of the standard library's real numbers, with logarithm and roots."""
THEORIES: Final = "Theories"
TIMEOUT: Final = "Set Default Timeout 120."
"""Time limit per sentence in seconds."""
OTHER: Final = "the kernel finds that it does not say what the library means by its name"
_PLACE: Final = re.compile(r'^File "[^"]*", line (?P<line>\d+)', re.MULTILINE)
_AXIOM: Final = re.compile(r"^(?P<name>\S[^:\n]*)", re.MULTILINE)
"""An entry in the list of assumptions, which may also be a definition assumed to be well founded."""


@dataclass(frozen=True)
class Compiled:
    """A compiled theory.

    :param name: its name
    :param file: its path
    :param path: what the name of a lemma stands behind
    :param header: its first two sentences
    :param lemmas: the names of its lemmas
    :param meant: the intended statements, as a theory; None if the library does not know
    """

    name: str
    file: Path
    path: str
    header: tuple[str, ...]
    lemmas: tuple[str, ...]
    meant: Script | None = None


@dataclass(frozen=True)
class Answer:
    """The kernel's answer about a compiled theory.

    :param rejected: the lemmas that say something else than they are meant to, each with the reason
    :param axioms: axioms of the others at most; exactly, if it is more than the standard library's real numbers
    """

    rejected: Mapping[str, str]
    axioms: frozenset[str]


def answers(theories: Sequence[Compiled], prelude: Path) -> list[Answer]:
    """Return the answers about theories in one folder with the same header, in order.

    They are asked about together, and in halves where something is rejected or rests on something unexpected.

    :param prelude: the folder of the compiled hand-written files
    """
    if not all(theory.lemmas for theory in theories):
        # A theory without remaining lemmas need not be compiled.
        known = iter(answers([theory for theory in theories if theory.lemmas], prelude))
        return [next(known) if theory.lemmas else Answer({}, frozenset()) for theory in theories]
    if not theories:
        return []
    # One query for all; bisect where something is rejected or rests on more axioms.
    lines, asked = _question(theories)
    failed, axioms = _ask(lines, theories, prelude)
    if failed is None and axioms <= AXIOMS:
        return [Answer({}, axioms) for _ in theories]
    if len(theories) > 1:
        half = len(theories) // 2
        return [*answers(theories[:half], prelude), *answers(theories[half:], prelude)]
    culprit = asked.get(failed[0]) if failed is not None else None
    if failed is None or culprit is None:
        return [Answer({}, axioms if failed is None else frozenset({failed[1]}))]
    (theory,) = theories
    (rest,) = answers([replace(theory, lemmas=tuple(n for n in theory.lemmas if n != culprit))], prelude)
    return [Answer({culprit: f"{OTHER}: {failed[1]}", **rest.rejected}, rest.axioms)]


def _question(theories: Sequence[Compiled]) -> tuple[list[str], dict[int, str]]:
    """Return the lines of a query, and the line number of each lemma's question."""
    requires, scope = theories[0].header
    files = " ".join(dict.fromkeys(theory.file.stem for theory in theories))
    lines, asked, named = [requires, scope, f"From {THEORIES} Require {files}.", TIMEOUT], dict[int, str](), list[str]()
    for theory in theories:
        full = {name: f"{THEORIES}.{theory.path}.{name}" for name in theory.lemmas}
        named += full.values()
        if theory.meant is None:
            continue
        lines.append(f"Module asked_{theory.name}.")
        for name, stated in theory.meant.stated.items():
            if not stated.is_lemma:
                lines.append(_on_one_line(stated.text))
            elif name in full:
                lines.append(f"Definition asked_{name} : {_on_one_line(stated.statement)} := {full[name]}.")
                asked[len(lines)] = name
        lines.append(f"End asked_{theory.name}.")
    every = " ".join(f"let _ := {name} in" for name in named)
    return [*lines, f"Definition all := {every} I.", "Print Assumptions all."], asked


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _ask(
    lines: Sequence[str], theories: Sequence[Compiled], prelude: Path
) -> tuple[tuple[int, str] | None, frozenset[str]]:
    """Run a query: return position and reason of a rejection, if any, and the axioms."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "question.v"
        file.write_text("\n".join([*lines, ""]), encoding="utf-8")
        output = compile_file(file, (prelude, LIBRARY), (theories[0].file.parent, THEORIES))
    if output.returncode:
        return (error_line(output.stderr), complaint(output.stderr)), frozenset()
    if output.stdout.startswith("Closed under the global context"):
        return None, frozenset()
    own = {theory.file.stem for theory in theories} | {theory.name for theory in theories}
    names = (match["name"].strip() for match in _AXIOM.finditer(output.stdout.partition("Axioms:")[2]))
    return None, frozenset(_outside(name, own) for name in names)


def error_line(errors: str) -> int:
    """Return the line number of the first error; zero if unknown."""
    place = _PLACE.search(errors)
    return 0 if place is None else int(place["line"])


def _outside(name: str, own: Collection[str]) -> str:
    """Return an axiom's short name, unless that could be mistaken for one of the library."""
    short = ".".join(part for part in name.split(".") if part not in own)
    return name if short != name and short in AXIOMS else short


# ----------------------------------------------------------------------------------------------------------------------


CHARACTERS: Final = 250_000
"""Largest total length of theories that are compiled as one file."""
QUESTION: Final = 1_000_000
"""Largest total length of theories that are queried together."""
NOT_MEANT: Final = "the library has no verdict that this lemma would state"


@dataclass(frozen=True)
class Judgement:
    """The kernel's result on one theory.

    :param accepted: the names of the lemmas that it accepts
    :param rejected: the others, each with its file, its line and the kernel's complaint
    :param axioms: axioms of the accepted ones
    """

    accepted: tuple[str, ...]
    rejected: Mapping[str, str]
    axioms: frozenset[str]

    @property
    def unknown_axioms(self) -> frozenset[str]:
        """Axioms beyond those of the standard library's real numbers."""
        return self.axioms - AXIOMS


@dataclass(frozen=True)
class Theorised:
    """A theory to be checked by the kernel.

    :param script: the theory, as it passed the gate
    :param meant: what its lemmas are meant to say, as a theory; None if the library does not know what it is about
    """

    script: Script
    meant: Script | None = None


def judge(text: str, prelude: Path, meant: str | None = None) -> Judgement:
    """Run the kernel on a theory.

    A lemma that it rejects is set aside, and the others are given to it again.

    :param prelude: the folder of the compiled hand-written files
    :param meant: the theory that states what its lemmas are meant to say
    :raises CertificateError: if it does not pass the gate
    """
    said = None if meant is None else read_script(meant, "what is meant", with_proofs=False)
    return judge_script(Theorised(read_script(text, "theory.v"), said), prelude)


def judge_script(theory: Theorised, prelude: Path) -> Judgement:
    """Run the kernel on a theory that passed the gate."""
    with tempfile.TemporaryDirectory() as name:
        (settled,) = _settled({"theory": theory}, Path(name), prelude)
        (answer,) = answers([settled.compiled], prelude)
        return settled.judgement(answer)


def judge_all(theories: Sequence[Theorised]) -> list[Judgement]:
    """Run the kernel on theories, in parallel on all processors.

    To load the standard library, and to ask what a theory says and rests on, costs more than to check a short theory.
    Those that require the same files are compiled in batches, each as a module, and asked about together; where the
    kernel rejects something, or rests on something unexpected, one by one.

    :returns: the judgements in the same order; what a theory rests on is no more than the axioms named there
    :raises InputError: as :func:`compiled_prelude`
    """
    named = {f"theory_{place}": theory for place, theory in enumerate(theories)}
    needed = sorted({name for theory in theories for name in required("\n".join(theory.script.header))})
    found: dict[str, _Settled] = {}
    with compiled_prelude(*needed) as prelude, tempfile.TemporaryDirectory() as name:
        # Every batch is a separate process, so threads suffice for waiting.
        settle = partial(_settled, folder=Path(name), prelude=prelude)
        # Compile in batches, then query the accepted ones.
        batches = list(_batches(named, CHARACTERS))
        bar = Bar(total=len(theories), amount=len)
        for settled in spread(settle, batches, bar=bar, workers=os.cpu_count(), ordered=False, threads=True):
            found |= {one.compiled.name: one for one in settled}
        questions = [[found[key].compiled for key in batch] for batch in _batches(named, QUESTION)]
        ask = partial(answers, prelude=prelude)
        answered = spread(ask, questions, workers=os.cpu_count(), threads=True)
        told = {
            one.name: answer
            for group, said in zip(questions, answered, strict=True)
            for one, answer in zip(group, said, strict=True)
        }
    return [found[key].judgement(told[key]) for key in named]


def _batches(theories: Mapping[str, Theorised], characters: int) -> Iterator[dict[str, Theorised]]:
    """Yield batches of theories with the same header and limited total length; the longest first."""
    open_batches: dict[tuple[str, ...], dict[str, Theorised]] = {}
    for name, theory in sorted(theories.items(), key=lambda item: -len(item[1].script.text)):
        batch = open_batches.setdefault(theory.script.header, {})
        if batch and sum(len(one.script.text) for one in (*batch.values(), theory)) > characters:
            yield dict(batch)
            batch.clear()
        batch[name] = theory
    yield from (batch for batch in open_batches.values() if batch)


@dataclass(frozen=True)
class _Settled:
    """A theory without the lemmas that the kernel rejects.

    :param script: as it passed the gate
    :param compiled: what is left, and is compiled if any lemma is accepted
    :param rejected: the lemmas that the kernel rejects, each with its complaint
    """

    script: Script
    compiled: Compiled
    rejected: Mapping[str, str]

    def judgement(self, answer: Answer) -> Judgement:
        """Combine the kernel's results on the theory and on the meaning of its lemmas."""
        accepted = tuple(name for name in self.compiled.lemmas if name not in answer.rejected)
        places = {name: f"{self.script.file}, line {stated.line}" for name, stated in self.script.stated.items()}
        rejected = {name: f"{places[name]}: {why}" for name, why in {**self.rejected, **answer.rejected}.items()}
        return Judgement(accepted, rejected, answer.axioms)


def _settled(batch: Mapping[str, Theorised], folder: Path, prelude: Path) -> list[_Settled]:
    """Compile theories as one file; separately if the kernel rejects anything."""
    if len(batch) == 1:
        return [_settled_alone(name, theory, folder, prelude) for name, theory in batch.items()]
    first, header = next(iter(batch.items()))
    file = folder / f"batch_{first}.v"
    modules = (f"Module {name}.\n{theory.script.body}\nEnd {name}." for name, theory in batch.items())
    file.write_text("\n".join([header.script.header[0], TIMEOUT, *modules, ""]), encoding="utf-8")
    if compile_file(file, (prelude, LIBRARY), (folder, THEORIES)).returncode:
        return [_settled_alone(name, theory, folder, prelude) for name, theory in batch.items()]
    return [_of(theory, theory.script, name, file, f"{file.stem}.{name}", {}) for name, theory in batch.items()]


def _settled_alone(name: str, theory: Theorised, folder: Path, prelude: Path) -> _Settled:
    file, left = folder / f"{name}.v", theory.script
    rejected: dict[str, str] = {}
    while True:
        # On the first line, so that line numbers stay the same.
        file.write_text(f"{left.header[0]} {TIMEOUT} {left.body}", encoding="utf-8")
        output = compile_file(file, (prelude, LIBRARY), (folder, THEORIES))
        if output.returncode == 0:
            return _of(theory, left, name, file, name, rejected)
        # Drop the lemma at the line of the error, and compile the rest again.
        culprit = left.at(error_line(output.stderr))
        if culprit is None or not left.stated[culprit].is_lemma:
            rejected |= dict.fromkeys(left.lemmas, complaint(output.stderr))
            return _of(theory, replace(left, stated={}), name, file, name, rejected)
        rejected[culprit] = complaint(output.stderr)
        left = left.without(culprit)


def _of(theory: Theorised, left: Script, name: str, file: Path, path: str, rejected: Mapping[str, str]) -> _Settled:
    """Return a theory without the lemmas that no query mentions."""
    known = None if theory.meant is None else set(theory.meant.lemmas)
    asked = tuple(lemma for lemma in left.lemmas if known is None or lemma in known)
    others = {lemma: NOT_MEANT for lemma in left.lemmas if lemma not in asked}
    compiled = Compiled(name, file, path, theory.script.header, asked, theory.meant)
    return _Settled(theory.script, compiled, {**rejected, **others})
