"""Z3 queries in a killable process: is there a table that violates an inequality?

Z3 answers without a certificate, so that nothing rests on it unless a verdict says so.  It needs the extra ``smt``.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import find_spec
from typing import Final, Literal

from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, Symbol

from symmetrics.algebra.derivative import Piece, smooth_pieces
from symmetrics.claims import Comparison
from symmetrics.claims.evidence import Decision, Evidence
from symmetrics.tools.budget import seconds_left
from symmetrics.tools.errors import InputError, UnsupportedError
from symmetrics.tools.workers import run_program

SECONDS: Final = 20
"""Time limit per query."""
_PROGRAM: Final = "import sys, z3; s = z3.Solver(); s.from_string(sys.stdin.read()); print(s.check())"


def is_installed() -> bool:
    """Whether Z3 is installed."""
    return find_spec("z3") is not None


def _name(symbol: Symbol) -> str:
    """Return a symbol's name in SMT-LIB, where it must not clash with keywords or names of roots."""
    return f"|variable {symbol.name}|"


class Question:
    """A query: real variables and assertions on them, as SMT-LIB text.

    :param positive: symbols for positive numbers
    """

    def __init__(self, positive: Iterable[Symbol]) -> None:
        self.lines: list[str] = []
        self.roots: dict[Expr, str] = {}
        for symbol in positive:
            self.lines += [f"(declare-const {_name(symbol)} Real)", f"(assert (> {_name(symbol)} 0))"]

    def require(self, expression: Expr, sign: str) -> None:
        """Assert that an expression is ``<``, ``<=``, ``>`` or ``>=`` zero."""
        term = self.term(expression)
        self.lines.append(f"(assert ({sign} {term} 0))")

    def answer(self, seconds: float = SECONDS) -> Literal["sat", "unsat", "unknown"]:
        """Run the query; return whether all assertions can hold together, ``unknown`` on a timeout."""
        try:
            done = run_program(
                [sys.executable, "-c", _PROGRAM], text="\n".join(self.lines), seconds=seconds_left(seconds)
            )
        except subprocess.TimeoutExpired:
            return "unknown"
        word = done.stdout.strip()
        return "sat" if word == "sat" else "unsat" if word == "unsat" else "unknown"

    def term(self, node: Expr) -> str:
        """Translate an expression, with an auxiliary variable for every root and every quotient.

        :raises UnsupportedError: if it holds a logarithm, or something else that Z3 does not know
        """
        if isinstance(node, Rational):
            size = f"{abs(int(node.p))}.0" if node.q == 1 else f"(/ {abs(int(node.p))}.0 {int(node.q)}.0)"
            return size if node >= 0 else f"(- {size})"
        if isinstance(node, Symbol):
            return _name(node)
        if isinstance(node, (Add, Mul)):
            return f"({'+' if isinstance(node, Add) else '*'} {' '.join(map(self.term, node.args))})"
        if isinstance(node, Abs):
            inner = self.term(node.args[0])
            return f"(ite (>= {inner} 0) {inner} (- {inner}))"
        if isinstance(node, (Min, Max)):
            first, *rest = map(self.term, node.args)
            for other in rest:
                first = f"(ite ({'>=' if isinstance(node, Max) else '<='} {first} {other}) {first} {other})"
            return first
        if isinstance(node, Pow) and isinstance(node.exp, Rational):
            return self._power(node)
        raise UnsupportedError(f"Z3 is not asked about {type(node).__name__}")

    def _power(self, node: Pow) -> str:
        top, bottom = int(node.exp.p), int(node.exp.q)
        if abs(top) > 12 or bottom > 12:
            raise UnsupportedError(f"Z3 is not asked about the power {node.exp}")
        root = self.term(node.base) if bottom == 1 else self._named(node.base ** Rational(1, bottom), node.base, bottom)
        power = f"(* {' '.join([root] * abs(top))})" if abs(top) > 1 else root
        if top > 0:
            return power
        name = self._fresh(node)
        self.lines.append(f"(assert (= (* {name} {power}) 1.0))")
        return name

    def _named(self, key: Expr, base: Expr, degree: int) -> str:
        if key not in self.roots:
            inner = self.term(base)
            name = self._fresh(key)
            self.lines += [f"(assert (>= {name} 0.0))", f"(assert (= (* {' '.join([name] * degree)}) {inner}))"]
        return self.roots[key]

    def _fresh(self, key: Expr) -> str:
        if key not in self.roots:
            self.roots[key] = f"z3_{len(self.roots)}"
            self.lines.append(f"(declare-const {self.roots[key]} Real)")
        return self.roots[key]


# -- Z3 as the last resort for an inequality, only if the user enabled it ----------------------------------------------


_ENABLED: Final[ContextVar[bool]] = ContextVar("oracle", default=False)


@contextmanager
def asking_z3() -> Iterator[None]:
    """Context in which Z3 decides inequalities that everything else leaves open.

    :raises InputError: if Z3 is not installed
    """
    if not is_installed():
        raise InputError('Z3 is not installed: pip install "symmetrics[smt]"')
    token = _ENABLED.set(True)
    try:
        yield
    finally:
        _ENABLED.reset(token)


def decide_by_oracle(claim: Comparison) -> Decision | None:
    """Ask Z3 for a counterexample on every piece of a formula; None if Z3 is not enabled or gives no answer."""
    if not _ENABLED.get() or claim.parameters:
        return None
    try:
        answers = [_fails_on(claim, piece) for piece in smooth_pieces(claim.difference, claim.arguments)]
    except UnsupportedError:
        return None
    if not answers or any(answer != "unsat" for answer in answers):
        return None
    return Decision("proved", True, Evidence("z3"))


def _fails_on(claim: Comparison, piece: Piece) -> str:
    question = Question(claim.variables)
    for condition in piece.conditions:
        question.require(condition, ">=")
    question.require(piece.formula, "<=" if claim.sign == ">" else "<")
    return question.answer()
