"""Run every notebook from a clean kernel, top to bottom; nothing is written back.

usage: python tests/run_notebooks.py [NOTEBOOK...]     (default: all of notebooks/)

Exit status 1 if a cell raises, if a notebook cannot be read, or if there is none.
"""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
CELL_TIMEOUT = 120


def run(notebook: Path) -> str | None:
    """Run one notebook in its own folder; return what went wrong, or None."""
    try:
        content = nbformat.read(notebook, as_version=4)
        nbformat.validate(content)
        resources = {"metadata": {"path": str(notebook.resolve().parent)}}
        client = NotebookClient(content, timeout=CELL_TIMEOUT, kernel_name="python3", resources=resources)
        # nbclient would answer widgets by the socket on which it waits, and then at times miss that a cell has ended.
        client.comm_open_handlers = {}
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        return str(error)
    except (OSError, ValueError, nbformat.ValidationError) as error:
        return f"cannot be read as a notebook: {error}"
    return None


def timed(notebook: Path) -> tuple[str | None, float]:
    """Run one notebook; return what went wrong, or None, and the seconds."""
    start = time.perf_counter()
    return run(notebook), time.perf_counter() - start


def main(arguments: list[str]) -> int:
    # The last by name, which asks the proof assistant, takes longest: begun first, no processor waits for it.
    notebooks = [Path(argument) for argument in arguments] or sorted(NOTEBOOKS.glob("*.ipynb"), reverse=True)
    if not notebooks:
        print(f"{NOTEBOOKS}: no notebooks found", file=sys.stderr)
        return 1
    failures = 0
    with ProcessPoolExecutor(min(len(notebooks), os.cpu_count() or 1)) as pool:
        for notebook, (problem, seconds) in zip(notebooks, pool.map(timed, notebooks), strict=True):
            print(f"{notebook.name}: {'FAILED' if problem else 'ok'}, {seconds:.1f} s", flush=True)
            if problem:
                failures += 1
                print(problem, file=sys.stderr, flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
