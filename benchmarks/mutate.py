"""Count how many small mistakes in the package the tests notice: in the default run, and in the thorough one.

One line of the package at a time is altered (``mutate_places.py``), in memory: the sources on disk stay, so that their
hashes do, certificates count as current, and no test fails because a file changed (``mutate_start.py``).  Which mutants
there are depends on the seed and the sources alone.

One default run is measured first: which tests reach which lines (``mutate_plugin.py``).  A mutant is then given

1. the tests of the default run that reach its statement, the cheapest first (for what runs at the import, those that
   reach any line of its module; if there are none, all of them), until one fails;
2. if none does, the other default tests of their files, which may use what others have computed and kept;
3. if it is alive then, the thorough run of these files, as far as it is larger than the default one.

What 1 and 2 kill, the default run kills; what 3 kills, the sample lost.  A default run that takes far longer than the
same tests do without a mutant has noticed it; a thorough one that reaches its limit has said nothing: it counts apart.

usage: python benchmarks/mutate.py [--mutants N] [--seed N] [--seconds S] [--only PREFIX] [--reached FOLDER]
                                   [--skip N] [--list]
"""

from __future__ import annotations

import argparse
import json
import marshal
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from mutate_places import PACKAGE, ROOT, Mutant, mutants
from mutate_plugin import CHOSEN, COSTS, LINES, REACHED, UNMEASURED, UNTRACED
from mutate_start import MODULE, MUTANT

COPIED = ("symmetrics", "tests", "benchmarks", "proofs", "docs", "notebooks", ".ci", "README.md", "CHANGELOG.md")
COPIED = (*COPIED, "ARCHITECTURE.md", "CONTRIBUTING.md", "LICENSE", "pyproject.toml", ".gitignore")
FAR_LONGER, AT_LEAST = 20, 120.0
"""A run is ended after so many times what its tests take, and not before so many seconds."""


class Reach:
    """Which tests of the default run reach what, and what they cost."""

    def __init__(self, folder: Path, copy: Path) -> None:
        from coverage import CoverageData

        self.copy = copy
        self._data = CoverageData(folder / LINES)
        self._data.read()
        self._files = {file.partition(f"/{PACKAGE}/")[2]: file for file in self._data.measured_files()}
        lines = (folder / COSTS).read_text(encoding="utf-8").splitlines()
        self.costs: dict[str, float] = dict(json.loads(line) for line in lines)

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests that reach the statement, or else the module, or else all; the cheapest first."""
        name = mutant.file.removeprefix(f"{PACKAGE}/")
        contexts = self._data.contexts_by_lineno(self._files[name]) if name in self._files else {}
        lines = mutant.lines if mutant.in_function else contexts
        reaching = {test for line in lines for test in contexts.get(line, ()) if test}
        reaching |= {test for file, module in UNMEASURED.items() if module == name for test in self.of_file[file]}
        found = reaching or {test for tests in contexts.values() for test in tests if test} or self.costs
        return sorted(found, key=lambda test: (self.costs.get(test, 0), test))

    def cost(self, tests: Iterable[str]) -> float:
        return sum(self.costs.get(test, 0) for test in tests)

    @cached_property
    def of_file(self) -> dict[str, list[str]]:
        """The tests of each file."""
        found: dict[str, list[str]] = {}
        for test in self.costs:
            found.setdefault(test.partition("::")[0], []).append(test)
        return found


class Outcome(NamedTuple):
    """What tests made of a mutant.

    :param state: "killed", "alive" or "not done"
    :param by: the test that failed, or what ended the run
    """

    state: str
    by: str = ""


def run(copy: Path, arguments: Sequence[str], seconds: float | None, **environment: str) -> Outcome:
    """Run tests in a copy of the repository, until the first one fails."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "mutate_plugin", *arguments]
    paths = os.pathsep.join([str(copy), str(copy / "benchmarks"), *filter(None, [os.environ.get("PYTHONPATH")])])
    variables = os.environ | {"PYTHONPATH": paths, "CI": "true"} | environment
    try:
        done = subprocess.run(
            command, cwd=copy, env=variables, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return Outcome("not done", f"not done after {seconds:.0f} s")
    if done.returncode in (0, 5):  # 5: there are no such tests
        return Outcome("alive")
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    said = failed[0].split(" - ")[0] if failed else " ".join((done.stdout + done.stderr).split())[-200:]
    return Outcome("killed", said)


def judged(mutant: Mutant, reach: Reach, folder: Path, seconds: float) -> tuple[Outcome, Outcome]:
    """Return what the default run makes of a mutant, and what the thorough one does, if it is given it."""
    path = Path(mutant.file)
    (folder / "code").write_bytes(marshal.dumps(compile(mutant.tree, str(reach.copy / path), "exec")))
    module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    variables = {MUTANT: str(folder / "code"), MODULE: module, CHOSEN: str(folder / "chosen.json")}
    first = reach.tests(mutant)
    files = sorted({test.partition("::")[0] for test in first})
    others = [test for file in files for test in reach.of_file[file] if test not in {*first}]
    (folder / "chosen.json").write_text(json.dumps([*first, *others]), encoding="utf-8")
    limit = max(AT_LEAST, FAR_LONGER * reach.cost([*first, *others]))
    default = run(reach.copy, files, limit, **variables)
    if default.state == "not done":
        default = Outcome("killed", default.by)
    if default.state == "killed":
        return default, Outcome("")
    return default, run(reach.copy, ["--thorough", *files], seconds, **variables)


def copied(folder: Path) -> Path:
    """Copy what the tests read, and let every process that they start begin with the mutant."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, folder / name)
    shutil.copy(ROOT / "benchmarks" / "mutate_start.py", folder / "sitecustomize.py")
    return folder


def measured(folder: Path, copy: Path) -> Reach:
    """Return what the tests reach, from a folder that has it, or by a default run in the copy."""
    if not (folder / LINES).exists():
        traced = [f"--ignore={file}" for file in UNMEASURED]
        for arguments, more in ((traced, {}), ([*UNMEASURED], {UNTRACED: "1"})):
            outcome = run(copy, arguments, None, **{REACHED: str(folder)}, **more)
            if outcome.state != "alive":
                sys.exit(f"the tests fail without a mutant: {outcome.by}")
    return Reach(folder, copy)


def main() -> None:
    """Make the mutants, run the tests, and print who killed what."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--mutants", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--skip", type=int, default=0, metavar="N", help="leave out the first N of them")
    parser.add_argument("--seconds", type=float, default=900, metavar="S", help="the most that a thorough run may take")
    parser.add_argument("--only", default="", metavar="PREFIX", help="files below symmetrics/ that begin so")
    parser.add_argument("--reached", type=Path, metavar="FOLDER", help="keep what the tests reach, or read it there")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    given = parser.parse_args()
    found = mutants(given.mutants, given.seed, given.only)[given.skip :]
    if given.list:
        print(*(f"{one.file}:{one.line}  {one.what}" for one in found), sep="\n")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy = copied(folder / "copy")
        reach = measured(given.reached or folder, copy)
        outcomes = []
        for number, one in enumerate(found, start=given.skip + 1):
            start = time.monotonic()
            outcomes.append(judged(one, reach, folder, given.seconds))
            default, thorough = outcomes[-1]
            said = f"default: {default.state} {default.by}" + (
                f"; thorough: {' '.join(thorough)}" * bool(thorough.state)
            )
            print(f"{number}  {one.file}:{one.line}  {one.what}: {said}, {time.monotonic() - start:.0f} s", flush=True)
    print(summary(outcomes))


def summary(outcomes: Sequence[tuple[Outcome, Outcome]]) -> str:
    """Return how many mutants the default run kills, how many more the thorough one does, and what share that is."""
    states = Counter(default.state if default.state == "killed" else thorough.state for default, thorough in outcomes)
    by_default = sum(default.state == "killed" for default, _ in outcomes)
    more, alive, unknown = states["killed"] - by_default, states["alive"], states["not done"]
    share = f"{100 * by_default / (by_default + more):.1f} %" if by_default + more else "-"
    return (
        f"{len(outcomes)} mutants: {by_default} killed by default, {more} more by the thorough run, "
        f"{alive} by neither,\n"
        f"{unknown} alive by default and not done within the limit\ndefault / thorough: {share}"
    )


if __name__ == "__main__":
    main()
