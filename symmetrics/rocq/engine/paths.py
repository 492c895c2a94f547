"""Paths of tables along which a formula tends to an end of its range, for formulas that are not continuous there.

On a path every cell is a monomial in a step that tends to zero.  There a minimum is one of its arguments, and a
logarithm is a multiple of that of the step and what has a limit; so the formula is a quotient of sums of products of
functions whose limits are known.  The part that dominates each sum is found here; the kernel checks what follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sympy import (
    Abs,
    Add,
    Expr,
    Integer,
    Max,
    Min,
    Mul,
    Poly,
    Pow,
    Rational,
    Symbol,
    factor_list,
    fraction,
    log,
    pi,
)

from symmetrics.claims.families.limits import STEP
from symmetrics.language.cells import CELLS
from symmetrics.language.names import CELL_NAMES
from symmetrics.rocq.engine.statements import NotExported, Subject
from symmetrics.rocq.engine.terms import cancelled, lowest_terms, term

S: Final = Symbol("s", positive=True)
"""The step s, which tends to zero."""
DEPTH: Final = Symbol("(- ln s)", positive=True)
"""The depth log(1/s), which tends to infinity."""
SMALL: Final = Symbol("small_log s", positive=True)
"""Their product, which tends to zero."""
FLAT: Final = Symbol("flat_log s", positive=True)
"""The reciprocal of the depth, which tends to zero."""
PI: Final = Symbol("PI", positive=True)
SUBSTITUTED: Final = "rewrite ?ETP, ?EFN, ?EFP, ?ETN"
STEPS: Final = (S, S**2, S**4, S / 4)
"""Powers by which the step of a path is replaced, until roots and pieces can be resolved."""


def approach_script(subject: Subject, path: Sequence[Expr], side: str) -> str:
    """Prove that a formula comes arbitrarily close to a bound along a path.

    :param side: ``lower`` or ``upper``
    :raises NotExported: if the dominating parts are not found
    """
    found, scale = _followed(subject, path)
    found.above *= found.vanishing(scale)
    word = f"near_{'above' if side == 'lower' else 'below'}_along"
    start = _applied(word, subject, found, "1")
    return f"{start}\n      [{found.script} | limit_found | limit_found | at_logs | reflexivity | at_logs]"


def departure_script(subject: Subject, path: Sequence[Expr], side: str) -> str:
    """Prove that a formula exceeds all bounds along a path.

    :param side: ``lower`` or ``upper``
    :raises NotExported: if the dominating parts are not found
    """
    found, scale = _followed(subject, path)
    if scale == 1:
        raise NotExported("a formula that is not seen to be unbounded on the path")
    start = _applied(f"no_{side}_end_along", subject, found, term(found.vanishing(1 / scale)))
    return (
        f"{start}\n      [{found.script} | limit_found | limit_found | at_logs | limit_is "
        f"| intros s s_positive s_small; small_positive | at_logs]"
    )


def _applied(word: str, subject: Subject, found: _Path, vanishing: str) -> str:
    name = subject.formula.name
    functions = [*(term(part) for part in (*found.cells, found.above, found.below)), vanishing]
    arguments = " ".join(f"(fun s => {text})" for text in functions)
    return f"eapply ({word} {name} {name}_defined {arguments});"


def _followed(subject: Subject, path: Sequence[Expr]) -> tuple[_Path, Expr]:
    reasons = []
    for step in STEPS:
        try:
            found = _Path(subject, [cell.xreplace({STEP: step}) for cell in path])
            return found, found.dominating()
        except NotExported as reason:
            reasons.append(reason)
    raise reasons[0]


@dataclass
class _Path:
    """A formula on a path.

    :param equations: of each minimum, maximum, absolute value, root and logarithm, with its value and the proof
    :param limits: of the symbols that stand for functions of the step
    :param known: the values, by the parts of the formula
    :param above: the quotient of this
    :param below: by this is the formula, divided by a power of the step and one of its depth
    """

    subject: Subject
    cells: Sequence[Expr]
    equations: list[tuple[str, str, str]] = field(default_factory=list)
    limits: dict[Symbol, Expr] = field(default_factory=dict)
    known: dict[Expr, Expr] = field(default_factory=dict)
    above: Expr = S
    below: Expr = S

    def dominating(self) -> Expr:
        """Return the powers of step and depth that dominate the formula, and set the remaining factor."""
        value = cancelled(self.value(self.subject.formula.expression))
        (first, self.above), (second, self.below) = map(self._scaled, fraction(value))
        return first / second

    def _scaled(self, part: Expr) -> tuple[Expr, Expr]:
        """Return the dominating monomial of a polynomial, and the quotient by it."""
        poly = Poly(part, S, DEPTH)
        order = sorted(poly.terms(), key=lambda item: (item[0][0], -item[0][1]))
        (first, second), leading = order[0]
        limits = self.limits | {
            symbol: log(Integer(int(symbol.name.removeprefix("ln "))))
            for symbol in leading.free_symbols
            if symbol not in self.limits
        }
        if abs(leading.xreplace(limits).evalf(30)) < 1e-20:
            raise NotExported("a formula of which the dominating parts cancel each other")
        return S**first * DEPTH**second, Add(
            *(coefficient * self._vanishing(i - first, j - second) for (i, j), coefficient in order)
        )

    def _vanishing(self, power: int, depth: int) -> Expr:
        """Express a power of the step times one of its depth by functions with a limit."""
        if depth > power or power < 0:
            raise NotExported("a power of a logarithm that is not outweighed by one of the step")
        if power and depth > 0:
            return S ** (power - depth) * SMALL**depth
        return S**power * FLAT**-depth

    def vanishing(self, scale: Expr) -> Expr:
        """Express a monomial in step and depth by functions with a limit."""
        powers = scale.as_powers_dict()
        return self._vanishing(int(powers[S]), int(powers[DEPTH]))

    def value(self, node: Expr) -> Expr:
        """Return a part of the formula on the path; equations for it are noted."""
        if node in CELLS:
            return self.cells[CELLS.index(node)]
        if node.is_Rational:
            return node
        if node is pi:
            self.limits[PI] = pi
            return PI
        if isinstance(node, Add | Mul):
            return node.func(*map(self.value, node.args))
        if isinstance(node, Pow) and node.exp.is_Integer:
            return self.value(node.base) ** node.exp
        if isinstance(node, Pow) and node.exp.is_Rational:
            return self._noted(Pow(node.base, Rational(1, node.exp.q))) ** node.exp.p
        if isinstance(node, log | Abs | Min | Max):
            return self._noted(node)
        raise NotExported(f"a formula with {node} on a path of tables")

    def _noted(self, node: Expr) -> Expr:
        if node not in self.known:
            kinds = {log: self._logarithm, Abs: self._absolute, Min: self._extreme, Max: self._extreme, Pow: self._root}
            value, proof = kinds[node.func](node)
            inner = ", ".join(f"?E{place}" for place in range(len(self.equations), 0, -1))
            start = f"rewrite {inner}; {SUBSTITUTED}; " if inner else f"{SUBSTITUTED}; "
            self.equations.append((term(node), term(value), proof.replace("REWRITTEN", start)))
            self.known[node] = value
        return self.known[node]

    def _rational(self, node: Expr) -> tuple[Rational, int, Expr]:
        """Return (c, k, u) for a function c*s**k*u of the step, where u is 1 at zero."""
        value = cancelled(self.value(node))
        if value.free_symbols - {S}:
            raise NotExported("a root or a logarithm of other functions than rational ones")
        above, below = (Poly(part, S) for part in fraction(value))
        if above.is_zero:
            raise NotExported("a root or a logarithm that has no value on the path")
        (up,), first = above.terms()[-1]
        (down,), second = below.terms()[-1]
        scale = Rational(first) / Rational(second)
        return scale, up - down, cancelled(value / scale / S ** (up - down))

    def _logarithm(self, node: Expr) -> tuple[Expr, str]:
        scale, power, unit = self._rational(node.args[0])
        rest = cancelled(unit - 1)
        value = sum((sign * _constant(part) for part, sign in ((scale.p, 1), (scale.q, -1))), Integer(0))
        if rest != 0:
            slope = Symbol(f"ln_slope ({term(rest)})", positive=True)
            self.limits[slope] = Integer(1)
            value += rest * slope
        word, count = ("ln_falls", -power) if power < 0 else ("ln_rises", power)
        proof = (
            f"etransitivity; [apply ({word} s {count} {scale.p} {scale.q} ({term(rest)})); "
            f"[assumption | lra | lra | for_small_steps | REWRITTENfor_small_steps] | "
            f"simpl INR; rewrite ?ln_1; for_small_steps]"
        )
        return value - power * DEPTH, proof

    def _root(self, node: Expr) -> tuple[Expr, str]:
        index = node.exp.q
        scale, power, unit = self._rational(node.base)
        if power % index:
            raise NotExported("the root of an odd power of the step")
        outside, inside = S ** (power // index), Integer(1)
        for base, exponent in _powers(scale * unit).items():
            outside *= base ** (exponent // index)
            inside *= base ** (exponent % index)
        name = f"sqrt ({term(inside)})" if index == 2 else f"root {index} ({term(inside)})"
        lemma = f"sqrt_scale _ ({term(outside)}) ({term(inside)})"
        if index != 2:
            lemma = f"root_scale {index} _ ({term(outside)}) ({term(inside)})"
        if inside == 1:
            one = "sqrt_1" if index == 2 else f"(root_unique {index} 1 1 ltac:(lra) ltac:(simpl; lra))"
            return outside, (
                f"etransitivity; [apply ({lemma}); [fractions | REWRITTENsimpl; fractions] | rewrite {one}; fractions]"
            )
        symbol = Symbol(f"({name})", positive=True)
        self.limits[symbol] = inside.xreplace({S: Integer(0)}) ** Rational(1, index)
        proof = f"etransitivity; [apply ({lemma}); [fractions | REWRITTENsimpl; fractions] | fractions]"
        return outside * symbol, proof

    def _absolute(self, node: Expr) -> tuple[Expr, str]:
        value = cancelled(self.value(node.args[0]))
        sign = _sign(value)
        word = "abs_is_same" if sign >= 0 else "abs_is_opposite"
        return sign * value if sign else value, f"apply {word}; REWRITTEN[for_small_steps | fractions]"

    def _extreme(self, node: Expr) -> tuple[Expr, str]:
        first, second = sorted(node.args, key=str)
        values = [cancelled(self.value(part)) for part in (first, second)]
        word = "max" if isinstance(node, Max) else "min"
        gap = cancelled(values[0] - values[1])
        if gap == 0:
            return values[0], f"apply {word}_is_both; REWRITTENfractions"
        is_first = (_sign(gap) > 0) == (word == "max")
        proof = f"apply {word}_is_{'first' if is_first else 'second'}; REWRITTEN[for_small_steps | fractions]"
        return values[0] if is_first else values[1], proof

    @property
    def script(self) -> str:
        """Proof of the normal form of the formula on the path."""
        name = self.subject.formula.name
        known = [f"assert (E{k} : {node} = {v}) by ({proof})" for k, (node, v, proof) in enumerate(self.equations, 1)]
        rewritten = ", ".join(f"?E{place}" for place in range(len(known), 0, -1))
        every = f"rewrite {rewritten}" if known else "idtac"
        lines = [
            f"intros s {' '.join(CELL_NAMES)} s_positive s_small ETP EFN EFP ETN apart_from_zero",
            "on_path_positive",
            *known,
            f"assert (defined : {name}_defined {' '.join(CELL_NAMES)}) "
            f"by (unfold {name}_defined; value_on_path ltac:({every}; {SUBSTITUTED}))",
            f"do 4 (split; [assumption |]); split; [exact defined |]; unfold {name}_defined, {name} in *",
            f"{every}{' in defined' if known else ''}; {every}",
            "path_closed",
        ]
        return ";\n      ".join(lines)


def _constant(value: int) -> Expr:
    return Symbol(f"ln {value}", positive=True) if value != 1 else Integer(0)


def _powers(value: Expr) -> Mapping[Expr, int]:
    """Factor a positive rational function, with exponents.

    The constant of s/4 + 9 is 1/4, and its prime 2 has the exponent -2.
    """
    exponents = Counter[Expr]()
    for part, sign in zip(lowest_terms(value), (1, -1), strict=True):
        constant, factors = factor_list(part)
        for base, exponent in [*factors, *((Integer(p), e) for p, e in Rational(constant).factors().items())]:
            exponents[base] += sign * exponent
    return exponents


def _sign(value: Expr) -> int:
    """Return the sign of a rational function for all steps below 1.

    :raises NotExported: if it is not seen
    """
    if value == 0:
        return 0
    parts = lowest_terms(value.xreplace({S: S / (1 + S)}))
    signs = [set() if part.free_symbols - {S} else {c > 0 for c in Poly(part, S).coeffs()} for part in parts]
    if any(len(sign) != 1 for sign in signs):
        raise NotExported("which argument of a minimum or maximum is met on the path is not seen")
    return 1 if signs[0] == signs[1] else -1
