"""The compiler of the kernel, and the hand-written files that theories require."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import networkx as nx

from symmetrics.errors import InputError
from symmetrics.parallel import run_program

__all__ = ["LIBRARY", "compile_file", "compiled_prelude", "complaint", "require_kernel", "requirements"]

COMPILER: Final = "coqc"
INSTALL: Final = "apt-get install coq"
PRELUDE: Final = Path(__file__).with_name("prelude")
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
                outputs = pool.map(lambda file: compile_file(file, (folder, LIBRARY)), files)
                for file, output in zip(files, outputs, strict=True):
                    if output.returncode:
                        raise InputError(f"the kernel does not accept {file.name}: {complaint(output.stderr)}")
        yield folder


def _generations(folder: Path) -> Iterator[list[Path]]:
    """Yield the files of a folder: first those that require none of it, then those that require none but these, ..."""
    graph = nx.DiGraph()
    files = {path.stem: path for path in sorted(folder.glob("*.v"))}
    graph.add_nodes_from(files)
    for name, path in files.items():
        graph.add_edges_from((other, name) for other in _required(path.read_text(encoding="utf-8")) if other in files)
    return ([files[name] for name in names] for names in nx.topological_generations(graph))


def requirements(text: str) -> list[str]:
    """Return the sentences by which a file requires hand-written files."""
    return [found.group() for found in _REQUIREMENT.finditer(text)]


def _required(text: str) -> set[str]:
    """Return the hand-written files that a file requires, by their names."""
    return {name for found in _REQUIREMENT.finditer(text) for name in found["names"].split()}


def compile_file(file: Path, *folders: tuple[Path, str]) -> subprocess.CompletedProcess[str]:
    """Compile a file.

    :param folders: those that it may require files of, each with its name in the requirement
    """
    mapped = [part for folder, name in folders for part in ("-R", str(folder), name)]
    # The compiler leaves caches where it is run.
    return run_program(
        [require_kernel(), "-q", *mapped, str(file)],
        cwd=file.parent,
        env={"OCAMLRUNPARAM": COLLECTOR, **os.environ},
    )


def complaint(errors: str) -> str:
    """Return what the compiler complains of, on one line."""
    lines = [line for line in errors.splitlines() if line and not line.startswith("File ")]
    return " ".join(lines)[:300]
