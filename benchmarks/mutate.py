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
                                   [--skip N] [--numbers N,N] [--guards] [--list]
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
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from mutate_places import PACKAGE, ROOT, Mutant, guards, mutants
from mutate_plugin import CHOSEN, COSTS, LINES, REACHED, UNMEASURED, UNTRACED
from mutate_start import MODULE, MUTANT

COPIED = ("symmetrics", "tests", "benchmarks", "proofs", "docs", "notebooks", ".ci", "README.md", "CHANGELOG.md")
COPIED = (*COPIED, "ARCHITECTURE.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "pyproject.toml", ".gitignore")
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


class Trial:
    """A mutant in a copy of the repository, where tests are run on it."""

    def __init__(self, mutant: Mutant, reach: Reach, folder: Path) -> None:
        self.reach, self.folder, self.path = reach, folder, Path(mutant.file)
        self.first = reach.tests(mutant)
        self.files = sorted({test.partition("::")[0] for test in self.first})
        self.tree = mutant.tree

    def _run(self, arguments: Sequence[str], seconds: float) -> Outcome:
        code = compile(self.tree, str(self.reach.copy / self.path), "exec")
        (self.folder / "code").write_bytes(marshal.dumps(code))
        module = ".".join(self.path.with_suffix("").parts).removesuffix(".__init__")
        variables = {MUTANT: str(self.folder / "code"), MODULE: module, CHOSEN: str(self.folder / "chosen.json")}
        return run(self.reach.copy, arguments, seconds, **variables)

    def default(self) -> Outcome:
        """Return what the default run makes of it: the tests that reach it, and then the others of their files."""
        others = [test for file in self.files for test in self.reach.of_file[file] if test not in {*self.first}]
        chosen = [*self.first, *others]
        (self.folder / "chosen.json").write_text(json.dumps(chosen), encoding="utf-8")
        outcome = self._run(self.files, max(AT_LEAST, FAR_LONGER * self.reach.cost(chosen)))
        return outcome._replace(state="killed") if outcome.state == "not done" else outcome

    def thorough(self, seconds: float) -> Outcome:
        """Return what the thorough run of these files makes of it."""
        return self._run(["--thorough", *self.files], seconds)


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
                for name in (LINES, COSTS):  # of half of the tests
                    (folder / name).unlink(missing_ok=True)
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
    parser.add_argument("--guards", action="store_true", help="every statement that refuses something, dropped")
    parser.add_argument("--numbers", default="", metavar="N,N", help="ask the thorough run alone about these")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    given = parser.parse_args()
    chosen = guards(given.seed, given.only) if given.guards else mutants(given.mutants, given.seed, given.only)
    found = chosen[given.skip :]
    if given.list:
        print(*(f"{one.file}:{one.line}  {one.what}" for one in found), sep="\n")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy = copied(folder / "copy")
        reach = measured(given.reached or folder, copy)
        numbered = list(enumerate(found, start=given.skip + 1))
        named = {int(number) for number in given.numbers.split(",") if number}
        default = {} if named else asked("default", numbered, lambda one: Trial(one, reach, folder).default())
        left = named or {number for number, outcome in default.items() if outcome.state == "alive"}
        alive = [(number, one) for number, one in numbered if number in left]
        thorough = asked("thorough", alive, lambda one: Trial(one, reach, folder).thorough(given.seconds))
    print(summary(default, thorough))


def asked(suite: str, mutants: Sequence[tuple[int, Mutant]], judge: Callable[[Mutant], Outcome]) -> dict[int, Outcome]:
    """Return what a suite makes of each mutant, and print it."""
    outcomes = {}
    for number, one in mutants:
        start = time.monotonic()
        outcome = outcomes[number] = judge(one)
        said = f"{outcome.state} {outcome.by}".strip()
        print(
            f"{suite} {number}  {one.file}:{one.line}  {one.what}: {said}, {time.monotonic() - start:.0f} s", flush=True
        )
    return outcomes


def summary(default: dict[int, Outcome], thorough: dict[int, Outcome]) -> str:
    """Return how many mutants the default run kills, how many more the thorough one does, and what share that is."""
    by_default = sum(outcome.state == "killed" for outcome in default.values())
    states = Counter(outcome.state for outcome in thorough.values())
    known = by_default + states["killed"]
    return (
        f"{len(default)} mutants: {by_default} killed by default, {states['killed']} more by the thorough run, "
        f"{states['alive']} by neither, {states['not done']} unknown\n"
        f"default / thorough: {100 * by_default / known if known else 100:.1f} %"
    )


if __name__ == "__main__":
    main()
