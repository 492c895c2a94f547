"""Programs compiled by numba: one loop that computes and checks, over threads where there are many tables.

The source goes to a file named after its hash, so that numba finds what it has compiled in an earlier process.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.expressions import LETTERS, assignments, home, trusted
from symmetrics.numeric.plans import ROUNDING, Output, Plan

__all__ = ["CHUNK", "NativeKernel", "is_available", "is_plain", "native_kernel"]

Array = NDArray[np.float64]

LEAST: Final = 200_000
"""Tables from which on it is worth while to load numba."""
THREADED: Final = 1_000_000
"""Tables from which on the loop is spread over threads."""
CHUNK: Final = 4096
"""Tables that are looked at together: one that is not trusted has all of them looked at again."""
_VERSION: Final = 1
"""Changes with what is written here, so that no older file is taken for a newer one."""


@cache
def is_available() -> bool:
    """Whether numba is installed, and not switched off by SYMMETRICS_NATIVE=0."""
    return os.environ.get("SYMMETRICS_NATIVE", "1") != "0" and importlib.util.find_spec("numba") is not None


def is_plain(cells: Sequence[NDArray[np.generic]]) -> bool:
    """Whether cells are float64 as they lie in memory, so that no block has to be copied."""
    return all(cell.dtype == np.float64 and cell.flags.c_contiguous and cell.flags.aligned for cell in cells)


def native_kernel(plan: Plan, cells: Sequence[NDArray[np.generic]]) -> NativeKernel | None:
    """Return compiled loops for some cells, where there are any that are faster than NumPy."""
    if cells[0].size < LEAST or not is_plain(cells) or not is_available() or not _is_worth(plan):
        return None
    return _native_kernel(plan)


@cache
def _native_kernel(plan: Plan) -> NativeKernel:
    return NativeKernel(plan)


def _is_worth(plan: Plan) -> bool:
    """Whether a compiled loop is faster than NumPy, whose logarithms and powers are computed several at a time."""
    return not any(plan.program.operations[place][0] in ("log", "power") for place in plan.program.needed(plan.places))


class NativeKernel:
    """A plan as compiled loops over whole arrays."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.source = _source(plan)
        self.module = _module(self.source)

    def run(self, cells: Sequence[Array], outputs: Sequence[Array]) -> NDArray[np.bool_]:
        """Fill the outputs, and return for each chunk of tables whether all in it are trusted."""
        size = cells[0].size
        chunks = np.empty(-(-size // CHUNK), dtype=np.bool_)
        loop = self.module.threaded if size >= THREADED else self.module.single
        loop(*cells, *outputs, chunks)
        return chunks

    def look(self, cells: Sequence[Array]) -> list[NDArray[np.intp]]:
        """Return, for each output, the places in one chunk where its value is not trusted."""
        doubtful = np.empty((len(self.plan.outputs), cells[0].size), dtype=np.bool_)
        self.module.look(*cells, doubtful)
        return [np.flatnonzero(row) for row in doubtful]


def _source(plan: Plan) -> str:
    """Return the source of a module: a loop over one chunk, over all of them, the same in threads, and a closer look.

    The loop over one chunk is short of branches, and its indices begin at 0, so that it is compiled to vectors.
    """
    names = [f"out{number}" for number in range(len(plan.outputs))]
    cells, values = ", ".join(f"{name}s" for name in LETTERS), ", ".join(names)
    body = [*(f"{name} = {name}s[i]" for name in LETTERS), *assignments(plan.program, plan.places)]
    places = [home(plan.program, output.place) for output in plan.outputs]
    certain = [_certain(plan, output, place) for output, place in zip(plan.outputs, places, strict=True)]
    stores = [line for each in zip(plan.outputs, names, places, strict=True) for line in _stored(*each)]
    low = 0.0 if plan.takes_small else 2.0**-plan.power
    quick = [f"(min(min(tp, fn), min(fp, tn)) >= {low!r})", f"(tp + fn + fp + tn <= {2.0**plan.power!r})"]
    finite = certain if plan.takes_small else [conditions[1:] for conditions in certain]
    lines = [
        "import numba",
        "from math import inf, log, sqrt",
        f"VERSION = {_VERSION}",
        "@numba.njit(error_model='numpy')",
        f"def piece({cells}, {values}):",
        "    good = True",
        "    for i in range(tps.size):",
        *(f"        {line}" for line in (*body, *stores)),
        f"        good &= {' & '.join([*quick, *(condition for each in finite for condition in each)])}",
        "    return good",
    ]
    for name, settings, steps in (("single", "", "range"), ("threaded", ", parallel=True", "numba.prange")):
        pieces = ", ".join(f"{array}[start:stop]" for array in (*(f"{letter}s" for letter in LETTERS), *names))
        lines += [
            f"@numba.njit(error_model='numpy', cache=True{settings})",
            f"def {name}({cells}, {values}, chunks):",
            f"    for chunk in {steps}(chunks.size):",
            f"        start = chunk * {CHUNK}",
            f"        stop = min(start + {CHUNK}, tps.size)",
            f"        chunks[chunk] = piece({pieces})",
        ]
    least = [f"(({name} >= {low!r}) | ({name} == 0.0)) & ({name} <= {2.0**plan.power!r})" for name in LETTERS]
    lines += [
        "@numba.njit(error_model='numpy', cache=True)",
        f"def look({cells}, doubtful):",
        "    for i in range(tps.size):",
        *(f"        {line}" for line in body),
        f"        clean = {' & '.join(least)}",
    ]
    for number, conditions in enumerate(certain):
        lines.append(f"        doubtful[{number}, i] = not (clean & {' & '.join(conditions)})")
    return "\n".join([*lines, ""])


def _stored(output: Output, name: str, place: str) -> list[str]:
    lines = [f"v = {place}"]
    if output.lower is not None:
        lines.append(f"v = {output.lower!r} if (v < {output.lower!r}) & (v >= {output.lower - ROUNDING!r}) else v")
    if output.upper is not None:
        lines.append(f"v = {output.upper!r} if (v > {output.upper!r}) & (v <= {output.upper + ROUNDING!r}) else v")
    return [*lines, f"{name}[i] = v"]


def _certain(plan: Plan, output: Output, value: str) -> list[str]:
    return [f"(abs({value}) < inf)", *trusted(plan, output)]


def _module(source: str) -> ModuleType:
    """Return the module of a source, from a file that another process may have written."""
    digest = hashlib.sha256(source.encode()).hexdigest()[:24]
    name = f"symmetrics_kernel_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    path = _folder() / f"{name}.py"
    if not path.is_file() or path.read_text(encoding="ascii") != source:
        _write(path, source)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded as a module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _folder() -> Path:
    """Return where compiled kernels are kept: SYMMETRICS_CACHE, or the user's folder for caches."""
    given = os.environ.get("SYMMETRICS_CACHE") or os.environ.get("XDG_CACHE_HOME")
    folder = Path(given) if given else Path.home() / ".cache"
    folder = folder / "symmetrics" / "kernels"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:  # no home, or one that cannot be written to: a folder of this process
        return Path(tempfile.mkdtemp(prefix="symmetrics_"))
    return folder


def _write(path: Path, source: str) -> None:
    """Write a file at once, so that no other process reads half of it."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="ascii", suffix=".tmp") as file:
        file.write(source)
    Path(file.name).replace(path)
