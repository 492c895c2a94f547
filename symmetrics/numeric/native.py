"""Programs compiled by numba: one loop that computes and checks, threaded for many tables.

The source goes to a file named after its hash, so that numba finds what it has compiled in an earlier process.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.plans import Output, Plan
from symmetrics.numeric.rounding_rules import Array
from symmetrics.numeric.source import LETTERS, assignments, bounded, certain, finite, home, missed_ends, names_in
from symmetrics.numeric.trust import KnownLimits

LEAST: Final = 200_000
"""Number of tables from which loading numba pays off, if the loop is already in the cache."""
THREADED: Final = 1_000_000
"""Number of tables from which compiling pays off, and threads are used."""
CHUNK: Final = 4096
"""Tables per chunk; if one value is uncertain, the whole chunk is checked again."""
TOGETHER: Final = 6
"""Largest number of outputs filled by one loop."""
SLAB: Final = 1 << 22
"""Tables processed per call; bounds the memory taken by the doubt marks."""
_KNOWN: Final = 1
"""Mark of a value that is the known limit on its face, and of a chunk with such values and certain ones."""
DOUBTFUL: Final = 2
"""Mark of a value that is not certain to be accurate, and of a chunk that has one."""
NO_COUNTS: Final = 3
"""Mark of a chunk with cells that are not counts."""
_VERSION: Final = 7
"""Version of the generated code; to be raised with every change, so that stale cache files are ignored."""
_LOADING: Final = Lock()


def processors() -> int:
    """Return the number of threads: the processors of this process, or fewer by SYMMETRICS_THREADS."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    given = os.environ.get("SYMMETRICS_THREADS", "")
    return min(available, int(given)) if given.isdecimal() and int(given) else available


def is_available() -> bool:
    """Whether numba is installed, and not disabled by SYMMETRICS_NATIVE=0."""
    return os.environ.get("SYMMETRICS_NATIVE", "1") != "0" and _is_installed()


@cache
def _is_installed() -> bool:
    return importlib.util.find_spec("numba") is not None


def is_plain(cells: Sequence[NDArray[np.generic]]) -> bool:
    """Whether the cells are contiguous float64 arrays, so that blocks need no copies."""
    return all(cell.dtype == np.float64 and cell.flags.c_contiguous and cell.flags.aligned for cell in cells)


def native_kernel(plan: Plan, cells: Sequence[NDArray[np.generic]]) -> NativeKernel | None:
    """Return compiled loops for these cells; None where NumPy is faster."""
    size = cells[0].size
    if size < LEAST or not is_plain(cells) or not is_available() or not _is_worth(plan):
        return None
    kernel = _native_kernel(plan)
    return kernel if size >= THREADED or kernel.is_compiled else None


@cache
def _native_kernel(plan: Plan) -> NativeKernel:
    return NativeKernel(plan)


def _is_worth(plan: Plan) -> bool:
    """Whether a compiled loop is faster than NumPy."""
    names = (plan.program.operations[place][0] for place in plan.program.needed(plan.places))
    return all(OPERATIONS[name].in_loops for name in names if name in OPERATIONS)


class NativeKernel:
    """A plan compiled to loops over whole arrays."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.source = _source(plan)
        self.name = _name_of(self.source)

    @cached_property
    def module(self) -> ModuleType:
        """The compiled loops."""
        return module_of(self.source)

    @property
    def is_compiled(self) -> bool:
        """Whether this process, or an earlier one, has compiled the loop."""
        return "module" in self.__dict__ or any((_folder() / "__pycache__").glob(f"{self.name}.fill-*.nbi"))

    @property
    def slab(self) -> int:
        """Number of tables to pass to one call of :meth:`run`."""
        return max(SLAB // len(self.plan.outputs) // CHUNK, 64) * CHUNK

    def run(
        self, cells: Sequence[Array], outputs: Sequence[Array], known: Sequence[KnownLimits]
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Fill the outputs; return the marks of all chunks, and of each table in marked chunks.

        :param known: for each output the faces on which nan stands for a value
        """
        size = cells[0].size
        chunks = np.empty(-(-size // CHUNK), dtype=np.uint8)
        marks = np.empty((len(outputs), size), dtype=np.uint8)
        faces, values = np.array([each.faces for each in known]), np.stack([each.values for each in known])
        threads = min(processors(), size // (THREADED // 2)) if size >= THREADED else 1
        step = -(-chunks.size // max(threads, 1))

        def part(first: int) -> None:
            tables = slice(first * CHUNK, (first + step) * CHUNK)
            arrays = (each[tables] for each in (*cells, *outputs))
            self.module.fill(*arrays, faces, values, marks[:, tables], chunks[first : first + step])

        if threads == 1:
            part(0)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(part, range(0, chunks.size, step)))
        return chunks, marks


def _source(plan: Plan) -> str:
    """Return the source of a module: loops over a chunk for a few outputs each, a loop over all, and a careful one.

    The loops over one chunk are short of branches, and their indices begin at 0, so that they are compiled to vectors.
    """
    names = [f"out{number}" for number in range(len(plan.outputs))]
    cells, values = ", ".join(f"{name}s" for name in LETTERS), ", ".join(names)
    lines = ["import numba", "from math import inf, log, sqrt", "from numpy import floor", f"VERSION = {_VERSION}"]
    groups = [range(start, min(start + TOGETHER, len(names))) for start in range(0, len(names), TOGETHER)]
    for number, group in enumerate(groups):
        lines += [*_piece(plan, number, group), *_closer_look(plan, number, group)]
    lines += _settling()
    lines += [
        "@numba.njit(error_model='numpy', cache=True, nogil=True)",
        f"def fill({cells}, {values}, faces, limits, marks, chunks):",
        "    for chunk in range(chunks.size):",
        f"        start = chunk * {CHUNK}",
        f"        stop = min(start + {CHUNK}, tps.size)",
        # If the previous chunk needed the careful loop, this one starts with it.
        "        good = chunk == 0 or chunks[chunk - 1] == 0",
    ]
    four = ", ".join(f"{letter}s[start:stop]" for letter in LETTERS)
    filled = [", ".join(f"{names[i]}[start:stop]" for i in group) for group in groups]
    lines += [f"        good = good and piece{number}({four}, {filled[number]})" for number in range(len(groups))]
    lines += ["        chunks[chunk] = 0", "        if not good:"]
    for number, group in enumerate(groups):
        lines.append(f"            found = look{number}({four}, {filled[number]}, faces, marks[:, start:stop])")
        lines.append("            chunks[chunk] = max(chunks[chunk], found)")
        for i in group:
            lines.append(f"            settle({four}, limits[{i}], marks[{i}, start:stop], {names[i]}[start:stop])")
    return "\n".join([*lines, ""])


def _settling() -> list[str]:
    """Source of the loop that inserts known limits."""
    return [
        "@numba.njit(error_model='numpy')",
        f"def settle({', '.join(f'{letter}s' for letter in LETTERS)}, limits, marks, out):",
        "    for i in range(marks.size):",
        f"        if marks[i] == {_KNOWN}:",
        *(f"            {name} = {name}s[i]" for name in LETTERS),
        f"            out[i] = limits[{_FACE}]",
    ]


_FACE: Final = " | ".join(f"(numba.int64({name} == 0.0) << {place})" for place, name in enumerate(LETTERS))
"""The face of a table: a bit mask of its zero cells."""


def _closer_look(plan: Plan, number: int, group: Sequence[int]) -> list[str]:
    """Source of the careful loop: fills and marks some outputs in one chunk, and returns the chunk's mark."""
    # A table is in the plan's range if every cell is zero or between the two bounds.
    least = [f"(({name} >= {plan.least!r}) | ({name} == 0.0)) & ({name} <= {2.0**plan.power!r})" for name in LETTERS]
    outputs = ", ".join(f"out{place}" for place in group)
    # Loop over the tables of the chunk: compute all outputs, the face, and whether the cells are counts.
    lines = [
        "@numba.njit(error_model='numpy')",
        f"def look{number}({', '.join(f'{letter}s' for letter in LETTERS)}, {outputs}, faces, marks):",
        "    valid, worst = True, 0",
        *(f"    faces{place} = faces[{place}]" for place in group),
        "    for i in range(tps.size):",
        *(f"        {line}" for line in _body(plan, [p for place in group for p in plan.outputs[place].places])),
        f"        clean = {' & '.join(least)}",
        f"        face = {_FACE}",
        "        valid &= (tp >= 0) & (fn >= 0) & (fp >= 0) & (tn >= 0) & (max(max(tp, fn), max(fp, tn)) < inf)",
    ]
    # For each output: store its value, then mark it as certain, as a known limit, or as doubtful.
    for place in group:
        output = plan.outputs[place]
        value = home(plan.program, output.place)
        is_known = f"({value} != {value}) & (((faces{place} >> face) & 1) == 1)"
        lines += [
            *(f"        {line}" for line in _stored(plan, output, f"out{place}")),
            f"        sure = clean & ({certain(output, names_in(plan.program, output))})",
            f"        mark = 0 if sure else ({_KNOWN} if {is_known} else {DOUBTFUL})",
            f"        marks[{place}, i] = mark",
            "        worst = max(worst, mark)",
        ]
    return [*lines, f"    return worst if valid else {NO_COUNTS}"]


def _piece(plan: Plan, number: int, group: Sequence[int]) -> list[str]:
    """Source of the loop over one chunk for a few outputs; compile time grows with the square of their number."""
    outputs = [plan.outputs[place] for place in group]
    names = [f"out{place}" for place in group]
    low = plan.least
    checks = [f"(min(min(tp, fn), min(fp, tn)) >= {low!r})", f"(tp + fn + fp + tn <= {2.0**plan.power!r})"]
    for output in outputs:
        names_of = names_in(plan.program, output)
        checks += [finite(names_of)] if plan.takes_small else []
        checks += bounded(output, names_of)
    body = _body(plan, [place for output in outputs for place in output.places])
    stores = [line for output, name in zip(outputs, names, strict=True) for line in _stored(plan, output, name)]
    return [
        "@numba.njit(error_model='numpy')",
        f"def piece{number}({', '.join(f'{letter}s' for letter in LETTERS)}, {', '.join(names)}):",
        "    good = True",
        "    for i in range(tps.size):",
        *(f"        {line}" for line in (*body, *stores)),
        f"        good &= {' & '.join(checks)}",
        "    return good",
    ]


def _body(plan: Plan, places: Sequence[int]) -> list[str]:
    return [*(f"{name} = {name}s[i]" for name in LETTERS), *assignments(plan.program, places)]


def _stored(plan: Plan, output: Output, name: str) -> list[str]:
    lines = [f"v = {home(plan.program, output.place)}"]
    lines += [f"v = {end!r} if {missed} else v" for end, missed in missed_ends(output.lower, output.upper, "v")]
    return [*lines, f"{name}[i] = v"]


def _name_of(source: str) -> str:
    return f"symmetrics_kernel_{hashlib.sha256(source.encode()).hexdigest()[:24]}"


def module_of(source: str) -> ModuleType:
    """Import the module of a source, from a cache file that another process may have written."""
    name = _name_of(source)
    with _LOADING:  # no other thread may see a partly loaded module
        return sys.modules[name] if name in sys.modules else _loaded(name, source)


def _loaded(name: str, source: str) -> ModuleType:
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


@cache
def _folder() -> Path:
    """Return the cache folder of compiled kernels: SYMMETRICS_CACHE, or the user's cache folder."""
    given = os.environ.get("SYMMETRICS_CACHE") or os.environ.get("XDG_CACHE_HOME")
    folder = Path(given) if given else Path.home() / ".cache"
    folder = folder / "symmetrics" / "kernels"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:  # no writable home: use a temporary folder of this process
        return Path(tempfile.mkdtemp(prefix="symmetrics_"))
    return folder


def _write(path: Path, source: str) -> None:
    """Write a file atomically, so that other processes never read half of it."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="ascii", suffix=".tmp") as file:
        file.write(source)
    Path(file.name).replace(path)
