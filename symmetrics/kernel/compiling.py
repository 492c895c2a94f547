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

from symmetrics.errors import InputError

__all__ = ["AXIOMS", "Judgement", "compiled_prelude", "judge", "judge_all", "require_kernel"]

COMPILER: Final = "coqc"
INSTALL: Final = "apt-get install coq"
PRELUDE: Final = Path(__file__).with_name("prelude")
LIBRARY: Final = "Symmetrics"
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
_AXIOM: Final = re.compile(r"^(?P<name>[A-Za-z_][\w.]*)\s*:", re.MULTILINE)


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
        for file in _in_order(folder):
            output = _compile(file, folder)
            if output.returncode:
                raise InputError(f"the kernel does not accept {file.name}: {_complaint(output.stderr)}")
        yield folder


def _in_order(folder: Path) -> list[Path]:
    """Return the files of a folder, each after those that it requires."""
    needs = {path: _required(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.v"))}
    ordered: list[Path] = []
    while len(ordered) < len(needs):
        known = {path.stem for path in ordered}
        stems = {path.stem for path in needs}
        ready = [path for path in needs if path not in ordered and needs[path] & stems <= known]
        if not ready:
            raise InputError("the hand-written files for the kernel require one another in a circle")
        ordered += ready
    return ordered


def _required(text: str) -> set[str]:
    """Return the hand-written files that a file requires, by their names."""
    return {name for found in _REQUIREMENT.finditer(text) for name in found["names"].split()}


def judge(text: str, prelude: Path) -> Judgement:
    """Give a theory to the kernel.

    A lemma that it rejects is set aside, and the others are given to it again.

    :param prelude: the folder of the compiled hand-written files
    """
    names = [match["name"] for match in _LEMMA.finditer(text)]
    rejected: dict[str, str] = {}
    while True:
        left = [name for name in names if name not in rejected]
        output = _attempt(_with_question(text, left), prelude)
        if output.returncode == 0:
            return Judgement(tuple(left), rejected, _axioms(output.stdout))
        name = _culprit(text, output.stderr)
        if name is None or name in rejected:
            complaint = _complaint(output.stderr)
            return Judgement((), rejected | dict.fromkeys(left, complaint), frozenset())
        rejected[name] = _complaint(output.stderr)
        text = _set_aside(text, name)


def judge_all(texts: Sequence[str]) -> list[Judgement]:
    """Give theories to the kernel, as many at once as there are processors.

    :raises InputError: as :func:`compiled_prelude`
    """
    from tqdm import tqdm

    with compiled_prelude() as prelude, ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        # Every theory is a process of its own, so that threads are enough to wait for them.
        judgements = pool.map(lambda text: judge(text, prelude), texts)
        return list(tqdm(judgements, total=len(texts), disable=None, leave=False))


def _attempt(text: str, prelude: Path) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "theory.v"
        file.write_text(text, encoding="utf-8")
        return _compile(file, prelude)


def _compile(file: Path, prelude: Path) -> subprocess.CompletedProcess[str]:
    command = [require_kernel(), "-q", "-R", str(prelude), LIBRARY, str(file)]
    # The compiler leaves caches where it is run.
    return subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, cwd=file.parent
    )


def _with_question(text: str, names: list[str]) -> str:
    """Return a theory that ends with the question what its lemmas rest on."""
    limit = f"Set Default Timeout {SECONDS}. "  # on the first line, so that the numbers of lines stay
    return f"{limit}{text}\nDefinition every_lemma := ({', '.join(['I', *names])}).\nPrint Assumptions every_lemma.\n"


def _axioms(output: str) -> frozenset[str]:
    """Return the answer to the last question that was asked; a theory may have asked others before."""
    if output.rstrip().endswith("Closed under the global context"):
        return frozenset()
    answer = output.rpartition("Axioms:")[2]
    return frozenset(match["name"] for match in _AXIOM.finditer(answer))


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
