"""Repeat a Z3 query through Z3's Python interface, from the expression tree.

The prover writes SMT-LIB text for the pieces of a formula instead; both have only Z3 in common.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from typing import Any, Final

from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, Symbol

from symmetrics.checker.engine.requirements import require
from symmetrics.claims import Comparison
from symmetrics.tools.errors import CertificateError

SECONDS: Final = 20
"""Time limit per query."""
MAX_POWER: Final = 12
_PROGRAM: Final = """
import json, sys, z3
question, solver = json.load(sys.stdin), z3.Solver()

def larger(a, b):
    return z3.If(a > b, a, b)

def term(node):
    kind, *rest = node
    if kind == "number":
        return z3.Q(*rest)
    if kind == "name":
        return z3.Real("cell " + rest[0])
    if kind == "root":
        base, root = term(rest[0]), z3.FreshReal("root")
        solver.add(root >= 0, z3.Product(*[root] * rest[1]) == base)
        return root
    parts = [term(part) for part in rest]
    if kind == "inverse":
        solver.add(parts[0] != 0)
        return 1 / parts[0]
    first, *others = parts
    for other in others or [first]:
        first = {
            "sum": lambda: first + other,
            "product": lambda: first * other,
            "max": lambda: larger(first, other),
            "min": lambda: -larger(-first, -other),
            "abs": lambda: larger(first, -first),
        }[kind]()
    return first

solver.add(*[z3.Real("cell " + name) > 0 for name in question["positive"]])
value = term(question["value"])
solver.add(value <= 0 if question["strict"] else value < 0)
print(solver.check())
"""


def check_oracle(claim: Comparison) -> None:
    """Ask Z3 whether any point violates the claim on the formula, which is passed on without simplification.

    :raises CertificateError: if Z3 is not installed, does not know, or finds that it fails
    """
    installed = find_spec("z3") is not None
    require(installed, 'it rests on Z3, which is not installed: pip install "symmetrics[smt]"')
    require(not claim.parameters, "Z3 is not asked about parameters")
    # The negated claim is unsatisfiable over positive reals if and only if the claim holds.
    question = {
        "positive": [symbol.name for symbol in claim.variables],
        "value": _tree(claim.difference),
        "strict": claim.sign == ">",
    }
    try:
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            input=json.dumps(question),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise CertificateError("Z3 does not confirm it in time") from None
    require(done.stdout.strip() == "unsat", "Z3 does not confirm it")


def _tree(node: Expr) -> list[Any]:
    """Return an expression as nested lists of kinds and parts."""
    if isinstance(node, Rational):
        return ["number", int(node.p), int(node.q)]
    if isinstance(node, Symbol):
        return ["name", node.name]
    if isinstance(node, Pow) and isinstance(node.exp, Rational):
        return _power(_tree(node.base), int(node.exp.p), int(node.exp.q))
    kinds = {Add: "sum", Mul: "product", Max: "max", Min: "min", Abs: "abs"}
    require(type(node) in kinds, f"Z3 is not asked about {type(node).__name__}")
    parts = [_tree(argument) for argument in node.args]
    return [kinds[type(node)], *parts]


def _power(base: list[Any], top: int, bottom: int) -> list[Any]:
    require(max(abs(top), bottom) <= MAX_POWER, "Z3 is not asked about so large a power")
    root = base if bottom == 1 else ["root", base, bottom]
    power = root if abs(top) == 1 else ["product", *[root] * abs(top)]
    return power if top > 0 else ["inverse", power]
