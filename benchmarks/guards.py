"""Which checks of the checker has no test ever seen refuse anything?

A check that never fires may be one that cannot, and then false evidence passes.  The default tests are run, and of each
error by which evidence is refused it is noted which lines of the checker it came through.  What is printed are the
statements that raise such an error, or call what does, and were on the way of none.  Whether a test would fail without
one is said by ``mutate.py --guards`` alone, which takes hours where this takes minutes.

usage: python benchmarks/guards.py [FILES OF TESTS...]
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from mutate_places import PACKAGE, ROOT, dropped_guards, statement_of

CHECKER = f"{PACKAGE}/checker"
FOLDER = "SYMMETRICS_REFUSED"
"""A variable of the environment: the folder to which each process writes the lines that refused something."""


class Refused:
    """A plugin of pytest that notes the lines of the checker that errors come through."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines = set[str]()

    def watch(self, error: type[Exception]) -> None:
        """Note from where an error is made, whenever one is."""
        made = error.__init__

        def noted(this: Exception, *arguments: Any) -> None:
            frame: FrameType | None = sys._getframe(1)
            while frame is not None:
                name = frame.f_code.co_filename
                if f"/{CHECKER}/" in name:
                    self.lines.add(f"{CHECKER}/{name.rpartition(f'/{CHECKER}/')[2]}:{frame.f_lineno}")
                frame = frame.f_back
            made(this, *arguments)

        error.__init__ = noted  # type: ignore[assignment]

    def pytest_sessionfinish(self) -> None:
        (self.folder / f"{os.getpid()}.txt").write_text("\n".join(sorted(self.lines)), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Begin before the tests import the checker."""
    from symmetrics.tools.errors import CertificateError

    plugin = Refused(Path(os.environ[FOLDER]))
    plugin.watch(CertificateError)
    config.pluginmanager.register(plugin)


def silent(refused: set[str]) -> Iterator[str]:
    """Yield the checks whose lines are not among those that refused something."""
    for path in sorted((ROOT / CHECKER).rglob("*.py")):
        name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        for statement in map(statement_of, dropped_guards(ast.parse(text))):
            lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
            if refused.isdisjoint(f"{name}:{line}" for line in lines):
                yield f"{name}:{statement.lineno}  {ast.unparse(statement)}"


def main() -> None:
    """Run the tests and print the checks that refused nothing."""
    with tempfile.TemporaryDirectory() as folder:
        paths = os.pathsep.join([str(ROOT), str(ROOT / "benchmarks"), *filter(None, [os.environ.get("PYTHONPATH")])])
        command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "-p", "guards", *(sys.argv[1:] or ["tests"])]
        done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": paths, FOLDER: folder}, check=False)
        if done.returncode:
            sys.exit("the tests fail")
        refused = {line for file in Path(folder).iterdir() for line in file.read_text(encoding="utf-8").split()}
    found = list(silent(refused))
    print(*found, f"{len(found)} checks have refused nothing", sep="\n")


if __name__ == "__main__":
    main()
