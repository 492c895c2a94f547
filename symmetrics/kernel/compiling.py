"""Theories given to the kernel: which lemmas it accepts, and what they rest on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import networkx as nx

from symmetrics.errors import InputError

__all__ = ["AXIOMS", "Judgement", "compiled_prelude", "judge", "judge_all", "require_kernel"]

COMPILER: Final = "coqc"
INSTALL: Final = "apt-get install coq"
PRELUDE: Final = Path(__file__).with_name("prelude")
LIBRARY: Final = "Symmetrics"
THEORIES: Final = "Theories"
COLLECTOR: Final = "o=400"
"""The compiler is an OCaml program; one whose memory may grow more spends an eighth less time on collecting garbage."""
SECONDS: Final = 120
"""How long one sentence of a proof may take."""
AXIOMS: Final = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""What the standard library's real numbers, with their logarithm and roots, rest on."""
_REQUIREMENT: Final = re.compile(rf"^From {LIBRARY} Require (?:Import|Export) (?P<names>[^.]*)\.", re.MULTILINE)
_PLACE: Final = re.compile(r'^File "[^"]*", line (?P<line>\d+)', re.MULTILINE)
_LEMMA: Final = re.compile(r"^Lemma (?P<name>\w+)", re.MULTILINE)
_PROOF: Final = re.compile(r"^Proof\..*?^Qed\.", re.MULTILINE | re.DOTALL)
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


def require_kernel() -> str:
    """Return the path of the compiler.

    :raises InputError: if it is not installed
    """
    found = shutil.which(COMPILER)
    if found is None:
        raise InputError(f"no {COMPILER} on the path; install the Rocq prover, in Debian with: {INSTALL}")
    return found


@contextmanager
def compiled_prelude() -> Iterator[Path]:
    """Compile the hand-written files, and yield the folder until the context ends.

    :raises InputError: if the compiler is missing, or does not accept one of the files
    """
    require_kernel()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source in PRELUDE.glob("*.v"):
            shutil.copy(source, folder)
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for files in _generations(folder):
                outputs = pool.map(lambda file: _compile(file, (folder, LIBRARY)), files)
                for file, output in zip(files, outputs, strict=True):
                    if output.returncode:
                        raise InputError(f"the kernel does not accept {file.name}: {_complaint(output.stderr)}")
        yield folder


def _generations(folder: Path) -> Iterator[list[Path]]:
    """Yield the files of a folder: first those that require none of it, then those that require none but these, ..."""
    graph = nx.DiGraph()
    files = {path.stem: path for path in sorted(folder.glob("*.v"))}
    graph.add_nodes_from(files)
    for name, path in files.items():
        graph.add_edges_from((other, name) for other in _required(path.read_text(encoding="utf-8")) if other in files)
    return ([files[name] for name in names] for names in nx.topological_generations(graph))


def _required(text: str) -> set[str]:
    """Return the hand-written files that a file requires, by their names."""
    return {name for found in _REQUIREMENT.finditer(text) for name in found["names"].split()}


def judge(text: str, prelude: Path) -> Judgement:
    """Give a theory to the kernel.

    A lemma that it rejects is set aside, and the others are given to it again.

    :param prelude: the folder of the compiled hand-written files
    """
    with tempfile.TemporaryDirectory() as name:
        found = _settled(text, Path(name) / "theory.v", prelude)
        return Judgement(found.accepted, found.rejected, _axioms([found], prelude))


def judge_all(texts: Sequence[str]) -> list[Judgement]:
    """Give theories to the kernel, as many at once as there are processors.

    To ask what a theory rests on costs as much as to check it, for most of the time is spent on the standard library.
    So theories that build on the same files are asked about together, and one by one if the answer is unexpected.

    :returns: the judgements in the same order; what a theory rests on is no more than the axioms named there
    :raises InputError: as :func:`compiled_prelude`
    """
    from tqdm import tqdm

    with (
        compiled_prelude() as prelude,
        tempfile.TemporaryDirectory() as name,
        ThreadPoolExecutor(os.cpu_count() or 1) as pool,
    ):
        # Every theory is a process of its own, so that threads are enough to wait for them.
        # The longest come first, so that no processor is left waiting for one of them at the end.
        order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
        tried = pool.map(lambda place: _settled(texts[place], Path(name) / f"theory_{place}.v", prelude), order)
        settled = dict(zip(order, tqdm(tried, total=len(texts), disable=None, leave=False), strict=True))
        found = [settled[place] for place in range(len(texts))]
        axioms = _axioms_of_each(found, prelude)
    return [Judgement(one.accepted, one.rejected, rest) for one, rest in zip(found, axioms, strict=True)]


@dataclass(frozen=True)
class _Settled:
    """A theory without the lemmas that the kernel rejects.

    :param file: where it stands, and is compiled if any lemma is accepted
    :param needs: the hand-written files that it requires
    """

    file: Path
    needs: frozenset[str]
    accepted: tuple[str, ...]
    rejected: Mapping[str, str]


def _settled(text: str, file: Path, prelude: Path) -> _Settled:
    names = [match["name"] for match in _LEMMA.finditer(text)]
    needs = frozenset(_required(text))
    rejected: dict[str, str] = {}
    while True:
        left = [name for name in names if name not in rejected]
        file.write_text(_with_all(text, left), encoding="utf-8")
        output = _compile(file, (prelude, LIBRARY), (file.parent, THEORIES))
        if output.returncode == 0:
            return _Settled(file, needs, tuple(left), rejected)
        name = _culprit(text, output.stderr)
        if name is None or name in rejected:
            complaint = _complaint(output.stderr)
            return _Settled(file, needs, (), rejected | dict.fromkeys(left, complaint))
        rejected[name] = _complaint(output.stderr)
        text = _set_aside(text, name)


def _compile(file: Path, *folders: tuple[Path, str]) -> subprocess.CompletedProcess[str]:
    """Compile a file.

    :param folders: those that it may require files of, each with its name in the requirement
    """
    mapped = [part for folder, name in folders for part in ("-R", str(folder), name)]
    # The compiler leaves caches where it is run.
    return subprocess.run(
        [require_kernel(), "-q", *mapped, str(file)],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        cwd=file.parent,
        env={"OCAMLRUNPARAM": COLLECTOR, **os.environ},
    )


def _with_all(text: str, names: list[str]) -> str:
    """Return a theory that ends with all its lemmas in one."""
    limit = f"Set Default Timeout {SECONDS}. "  # on the first line, so that the numbers of lines stay
    return f"{limit}{text}\nDefinition every_lemma := ({', '.join(['I', *names])}).\n"


def _axioms_of_each(theories: Sequence[_Settled], prelude: Path) -> list[frozenset[str]]:
    """Return what every theory rests on at most; exactly, if it is more than the standard library's real numbers."""
    alike: dict[frozenset[str], list[_Settled]] = {}
    for theory in theories:
        alike.setdefault(theory.needs, []).append(theory)
    together = {needs: _axioms(group, prelude) for needs, group in alike.items()}
    return [
        together[theory.needs] if together[theory.needs] <= AXIOMS else _axioms([theory], prelude)
        for theory in theories
    ]


def _axioms(theories: Sequence[_Settled], prelude: Path) -> frozenset[str]:
    """Return what the accepted lemmas of theories in one folder rest on."""
    compiled = [theory.file for theory in theories if theory.accepted]
    if not compiled:
        return frozenset()
    lemmas = "".join(f"let _ := {file.stem}.every_lemma in " for file in compiled)
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "question.v"
        required = " ".join(file.stem for file in compiled)
        text = f"From {THEORIES} Require {required}.\nDefinition all := {lemmas}I.\nPrint Assumptions all.\n"
        file.write_text(text, encoding="utf-8")
        output = _compile(file, (prelude, LIBRARY), (compiled[0].parent, THEORIES))
    if output.returncode:
        raise InputError(f"the kernel does not say what the theories rest on: {_complaint(output.stderr)}")
    if output.stdout.startswith("Closed under the global context"):
        return frozenset()
    own = tuple(f"{file.stem}." for file in compiled)
    names = [match["name"].strip() for match in _AXIOM.finditer(output.stdout.partition("Axioms:")[2])]
    return frozenset(name.partition(".")[2] if name.startswith(own) else name for name in names)


def _culprit(text: str, errors: str) -> str | None:
    """Return the lemma in which the first error stands."""
    place = _PLACE.search(errors)
    if place is None:
        return None
    before = "\n".join(text.splitlines()[: int(place["line"])])
    found = list(_LEMMA.finditer(before))
    return found[-1]["name"] if found else None


def _set_aside(text: str, name: str) -> str:
    """Return a theory without a lemma, on as many lines as before, so that what rests on it is rejected too."""
    start = re.search(rf"^Lemma {name}\b", text, re.MULTILINE)
    assert start is not None
    proof = _PROOF.search(text, start.end())
    assert proof is not None
    removed = text[start.start() : proof.end()]
    return text[: start.start()] + "\n" * removed.count("\n") + text[proof.end() :]


def _complaint(errors: str) -> str:
    lines = [line for line in errors.splitlines() if line and not line.startswith("File ")]
    return " ".join(lines)[:300]
