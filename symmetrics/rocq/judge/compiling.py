"""The compiler of the kernel, and the hand-written files that theories require."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

from symmetrics.tools.errors import InputError
from symmetrics.tools.workers import pool, run_program

__all__ = [
    "LIBRARY",
    "compile_file",
    "compiled_prelude",
    "complaint",
    "prelude_files",
    "require_kernel",
    "required",
    "requirements",
]

COMPILER: Final = "coqc"
INSTALL: Final = "apt-get install coq"
PRELUDE: Final = Path(__file__).parents[1] / "prelude"
CONFINED: Final = Path(__file__).with_name("confined.py")
ENVIRONMENT: Final = ("PATH", "LANG", "LC_ALL", "COQLIB", "COQCORELIB", "OCAMLRUNPARAM", "SYSTEMROOT")
"""What the compiler is told of the surroundings; no search path for libraries, and no folder of settings."""
LIBRARY: Final = "Symmetrics"
COLLECTOR: Final = "o=400"
"""The compiler is an OCaml program; one whose memory may grow more spends an eighth less time on collecting garbage."""
_REQUIREMENT: Final = re.compile(rf"^From {LIBRARY} Require (?:Import|Export) (?P<names>[^.]*)\.", re.MULTILINE)


def require_kernel() -> str:
    """Return the path of the compiler.

    :raises InputError: if it is not installed
    """
    found = shutil.which(COMPILER)
    if found is None:
        raise InputError(f"no {COMPILER} on the path; install the Rocq prover, in Debian with: {INSTALL}")
    return found


@contextmanager
def compiled_prelude(*names: str) -> Iterator[Path]:
    """Compile the hand-written files, and yield the folder until the context ends.

    :param names: the files that are needed, with all that they require; without any, all of them
    :raises InputError: if the compiler is missing, or does not accept one of the files
    """
    require_kernel()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source in prelude_files(*names):
            shutil.copy(source, folder)
        _compile_all(folder)
        yield folder


def prelude_files(*names: str) -> set[Path]:
    """Return hand-written files with all those that they require, directly or not; without names, all of them."""
    if not names:
        return {*PRELUDE.glob("*.v")}
    found, waiting = set[Path](), [PRELUDE / f"{name}.v" for name in names]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [PRELUDE / f"{name}.v" for name in required(path.read_text(encoding="utf-8"))]
    return found


def _compile_all(folder: Path) -> None:
    """Compile the files of a folder, each as soon as those that it requires are compiled."""
    files = {path.stem: path for path in sorted(folder.glob("*.v"))}
    needs = {name: required(path.read_text(encoding="utf-8")) & files.keys() for name, path in files.items()}
    sorter = TopologicalSorter(needs)
    sorter.prepare()
    running = dict[Future[subprocess.CompletedProcess[str]], str]()
    with pool(threads=True) as compilers:
        while sorter.is_active():
            for name in sorter.get_ready():
                running[compilers.submit(compile_file, files[name], (folder, LIBRARY))] = name
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                name, output = running.pop(future), future.result()
                if output.returncode:
                    raise InputError(f"the kernel does not accept {name}.v: {complaint(output.stderr)}")
                sorter.done(name)


def requirements(text: str) -> list[str]:
    """Return the sentences by which a file requires hand-written files."""
    return [found.group() for found in _REQUIREMENT.finditer(text)]


def required(text: str) -> set[str]:
    """Return the hand-written files that a file requires, by their names."""
    return {name for found in _REQUIREMENT.finditer(text) for name in found["names"].split()}


def compile_file(file: Path, *folders: tuple[Path, str]) -> subprocess.CompletedProcess[str]:
    """Compile a file, by a process that writes nowhere but in the file's folder.

    :param folders: those that it may require files of, each with its name in the requirement
    """
    mapped = [part for folder, name in folders for part in ("-R", str(folder), name)]
    kept = {name: value for name, value in os.environ.items() if name in ENVIRONMENT}
    return run_program(
        [sys.executable, "-I", "-S", str(CONFINED), str(file.parent), require_kernel(), "-q", *mapped, str(file)],
        cwd=file.parent,  # the compiler leaves caches where it is run
        env={"OCAMLRUNPARAM": COLLECTOR, **kept, "HOME": str(file.parent), "TMPDIR": str(file.parent)},
    )


def complaint(errors: str) -> str:
    """Return what the compiler complains of, on one line."""
    lines = [line for line in errors.splitlines() if line and not line.startswith("File ")]
    return " ".join(lines)[:300]
