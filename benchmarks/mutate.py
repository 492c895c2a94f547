"""Count how many small mistakes in the package the tests notice: in the default run, and in the thorough one.

One line of the package at a time is altered in a copy of the repository: an operator or a comparison is replaced by its
neighbour, a number by the next one, a condition by its negation, "and" by "or", or a statement is dropped.  Each mutant
is valid Python, and another program than the original.  A suite kills it if a test fails, or if nothing can be
collected or a limit of time is passed.  Which mutants there are depends on the seed and the sources alone.

Docstrings, annotations, messages of errors and the generated theories are left alone: no test should notice what is
only prose.  The thorough run, which holds every test of the default one, is given what that leaves alive; what it kills
of these is what the sample lost.

usage: python benchmarks/mutate.py [--mutants N] [--seed N] [--seconds S] [--suite fast|thorough|both] [--list]
                                   [--only PREFIX] [-- PYTEST ARGUMENTS]
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "symmetrics"
COPIED = ("symmetrics", "tests", "benchmarks", "proofs", "docs", "notebooks", ".ci", "README.md", "CHANGELOG.md")
COPIED = (*COPIED, "CONTRIBUTING.md", "LICENSE", "pyproject.toml")
SUITES = {"fast": (), "thorough": ("--thorough",)}
NEIGHBOURS: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult, ast.Mod: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


class Mutant(NamedTuple):
    """One altered place of one file."""

    file: str
    line: int
    what: str
    source: str


class _Prose(ast.NodeVisitor):
    """The nodes that are no program: annotations, messages of errors, what only a type checker reads."""

    def __init__(self) -> None:
        self.nodes = set[int]()

    def _leave_out(self, *nodes: ast.AST | None) -> None:
        self.nodes |= {id(inner) for node in nodes if node is not None for inner in ast.walk(node)}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
        self._leave_out(node.returns, *(argument.annotation for argument in arguments if argument is not None))
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._leave_out(node.annotation)
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._leave_out(node.exc)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._leave_out(node)


def _is_droppable(node: ast.stmt) -> bool:
    """Say whether a statement does something by itself; a name that goes missing would be found by mere import."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, ast.AugAssign | ast.Raise | ast.Continue | ast.Break)


def changes(tree: ast.Module) -> Iterator[tuple[int, str, ast.AST, str]]:
    """Yield the places that can be altered: line, what is done, the node, and the field or place in it."""
    prose = _Prose()
    prose.visit(tree)
    for node in ast.walk(tree):
        if id(node) in prose.nodes:
            continue
        match node:
            case ast.BinOp() if type(node.op) in NEIGHBOURS:
                yield node.lineno, "operator", node, "op"
            case ast.AugAssign() if type(node.op) in NEIGHBOURS:
                yield node.lineno, "operator", node, "op"
            case ast.Compare() if type(node.ops[0]) in NEIGHBOURS:
                yield node.lineno, "comparison", node, "ops"
            case ast.BoolOp():
                yield node.lineno, "and/or", node, "op"
            case ast.Constant() if isinstance(node.value, int):
                yield node.lineno, "constant", node, "value"
            case ast.If() | ast.IfExp() | ast.While():
                if "TYPE_CHECKING" not in ast.unparse(node.test):
                    yield node.lineno, "condition", node, "test"
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list) and not isinstance(node, ast.Module):
                for place, statement in enumerate(block):
                    if _is_droppable(statement):
                        yield statement.lineno, "dropped statement", node, f"{field}.{place}"


def altered(node: ast.AST, field: str) -> None:
    """Alter a node in place."""
    name, _, place = field.partition(".")
    if place:
        block = getattr(node, name)
        block[int(place)] = ast.copy_location(ast.Pass(), block[int(place)])
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.Compare):
        node.ops[0] = NEIGHBOURS[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        node.op = NEIGHBOURS[type(node.op)]()
    elif isinstance(node, ast.Constant):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)


def mutants(number: int, seed: int, only: str = "") -> list[Mutant]:
    """Return so many mutants, on different lines; a line is as likely as any other that can be altered."""
    lines = []
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(f"{PACKAGE}/{only}"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            lines += [(name, line) for line in sorted({line for line, *_ in changes(tree)})]
    random = Random(seed)
    return [_mutant(name, line, random) for name, line in random.sample(lines, min(number, len(lines)))]


def _mutant(name: str, line: int, random: Random) -> Mutant:
    tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
    before = ast.unparse(tree)
    _, what, node, field = random.choice([change for change in changes(tree) if change[0] == line])
    altered(node, field)
    source = ast.unparse(ast.fix_missing_locations(tree))
    assert source != before, (name, line, what)
    compile(source, name, "exec")
    return Mutant(name, line, what, source)


class Outcome(NamedTuple):
    """What a suite made of a mutant.

    :param by: the test that failed, or what ended the run instead
    """

    is_killed: bool
    by: str
    seconds: float


def outcome(copy: Path, arguments: list[str], seconds: float) -> Outcome:
    """Run a suite in a copy of the repository, until its first failure."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", *arguments]
    environment = os.environ | {"PYTHONPATH": str(copy), "CI": "true", "PYTHONDONTWRITEBYTECODE": "1"}
    start = time.monotonic()
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return Outcome(True, f"not done after {seconds:.0f} s", time.monotonic() - start)
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    by = failed[0].split(" - ")[0] if failed else done.stdout[-200:] if done.returncode else ""
    return Outcome(done.returncode != 0, by, time.monotonic() - start)


def copied(folder: Path) -> Path:
    """Copy what the tests read."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, folder / name)
    return folder


def main() -> None:
    """Make the mutants, run the suites, and print who killed what."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--mutants", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--seconds", type=float, default=3600, metavar="S", help="the most that one run may take")
    parser.add_argument("--suite", choices=[*SUITES, "both"], default="both")
    parser.add_argument("--only", default="", metavar="PREFIX", help="files below symmetrics/ that begin so")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    parser.add_argument("pytest", nargs="*", help="arguments for pytest, as -n auto, or the tests to run")
    given = parser.parse_args()
    found = mutants(given.mutants, given.seed, given.only)
    if given.list:
        print(*(f"{one.file}:{one.line}  {one.what}" for one in found), sep="\n")
        return
    alive, killed = found, Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        copy = copied(Path(name))
        for suite in SUITES if given.suite == "both" else (given.suite,):
            if alive:
                asked = alive
                alive = survivors(copy, suite, asked, given.pytest, given.seconds)
                killed[suite] = len(asked) - len(alive)
                print(f"{suite}: {killed[suite]} of {len(asked)} killed", flush=True)
    print(f"{len(found)} mutants of seed {given.seed}, of which {len(alive)} are alive:")
    print(*(f"    {one.file}:{one.line}  {one.what}" for one in alive), sep="\n")


def survivors(copy: Path, suite: str, asked: list[Mutant], pytest: list[str], seconds: float) -> list[Mutant]:
    """Run a suite on every mutant in turn, and return those that pass; it has to pass on the original first."""
    arguments = [*SUITES[suite], *pytest]
    if (whole := outcome(copy, arguments, seconds)).is_killed:
        sys.exit(f"the {suite} tests fail without a mutant: {whole.by}")
    alive = []
    for number, one in enumerate(asked, start=1):
        file = copy / one.file
        original = file.read_text(encoding="utf-8")
        file.write_text(one.source, encoding="utf-8")
        result = outcome(copy, arguments, seconds)
        file.write_text(original, encoding="utf-8")
        said = f"killed by {result.by}" if result.is_killed else "alive"
        print(f"{number}  {one.file}:{one.line}  {one.what}: {said}, {result.seconds:.0f} s", flush=True)
        if not result.is_killed:
            alive.append(one)
    return alive


if __name__ == "__main__":
    main()
