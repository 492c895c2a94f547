"""Small mistakes for ``mutate.py``: which places of the package can be altered, and how.

An operator or a comparison is replaced by its neighbour, a number by the next one, a condition by its negation, "and"
by "or", or a statement is dropped.  Each mutant is valid Python, and another program than the original.  Docstrings,
annotations, messages of errors and the generated theories are left alone: no test should notice what is only prose.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

__all__ = ["PACKAGE", "ROOT", "Mutant", "altered", "changes", "dropped_guards", "guards", "mutants", "statement_of"]

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "symmetrics"
NEIGHBOURS: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult, ast.Mod: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


class Mutant(NamedTuple):
    """One altered place of one file.

    :param tree: the altered program, with the lines of the original
    :param lines: those of the statement
    :param in_function: whether it runs when a function is called, and not at the import
    """

    file: str
    line: int
    what: str
    tree: ast.Module
    lines: range
    in_function: bool


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


def guards(seed: int, only: str = "") -> list[Mutant]:
    """Return a mutant for every statement by which something is refused, without that statement, in random order."""
    found = []
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(f"{PACKAGE}/{only}"):
            number = len(dropped_guards(ast.parse(path.read_text(encoding="utf-8"))))
            for place in range(number):
                tree = ast.parse(path.read_text(encoding="utf-8"))
                found.append(_made(name, tree, dropped_guards(tree)[place]))
    Random(seed).shuffle(found)
    return found


def dropped_guards(tree: ast.Module) -> list[tuple[int, str, ast.AST, str]]:
    """Return the changes that drop a statement by which something is refused."""
    dropped = (change for change in changes(tree) if change[1] == "dropped statement")
    return [change for change in dropped if _is_guard(statement_of(change))]


def statement_of(change: tuple[int, str, ast.AST, str]) -> ast.stmt:
    """Return the statement that a change drops."""
    name, _, place = change[3].partition(".")
    statement: ast.stmt = getattr(change[2], name)[int(place)]
    return statement


def _is_guard(statement: ast.stmt) -> bool:
    """Say whether a statement raises an exception, or calls what does where something is wrong."""
    if isinstance(statement, ast.Raise):
        return True
    called = statement.value.func if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) else None
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name.lstrip("_").startswith(("require", "check"))


def _mutant(name: str, line: int, random: Random) -> Mutant:
    tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
    return _made(name, tree, random.choice([change for change in changes(tree) if change[0] == line]))


def _made(name: str, tree: ast.Module, change: tuple[int, str, ast.AST, str]) -> Mutant:
    line, what, node, field = change
    before = ast.unparse(tree)
    first, last, in_function = _statement(tree, line)
    altered(node, field)
    ast.fix_missing_locations(tree)
    assert ast.unparse(tree) != before, (name, line, what)
    return Mutant(name, line, what, tree, range(first, last + 1), in_function)


def _statement(tree: ast.Module, line: int) -> tuple[int, int, bool]:
    """Return the lines of the statement that a line belongs to, without its block, and whether calls run it."""
    first, last, in_function = line, line, False
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt):
            continue
        body = getattr(node, "body", None)
        end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
        if node.lineno <= line <= max(end, node.lineno):
            first, last = node.lineno, max(end, node.lineno)
        if isinstance(node, ast.FunctionDef) and node.body[0].lineno <= line <= (node.end_lineno or line):
            in_function = True
    return first, last, in_function
