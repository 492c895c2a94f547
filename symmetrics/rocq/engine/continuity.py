"""Limits of formulas with roots, minima, maxima and absolute values: continuous formulas that agree with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from sympy import (
    Abs,
    Expr,
    Integer,
    Max,
    Min,
    Poly,
    Pow,
    Symbol,
    factor,
    factor_list,
    fraction,
    log,
    sqrt,
    together,
)

from symmetrics.claims.families.limits import STEP, FiniteLimit
from symmetrics.language.cells import CELLS
from symmetrics.rocq.engine.lemmas import NotExported, scripted
from symmetrics.rocq.engine.lowest_terms import cancelled, lowest_terms
from symmetrics.rocq.engine.terms import term

__all__ = ["real_limit_script"]

ROOT: Final = Symbol("s", positive=True)
"""The square root of the step."""
POSITIVE: Final = {cell: Symbol(cell.name, positive=True) for cell in CELLS}
WORDS: Final = {Max: "Rmax", Min: "Rmin", Abs: "Rabs"}
FUNCTIONS: Final[dict[str, Callable[..., Expr]]] = {
    "sqrt": sqrt,
    "ln": log,
    **{word: kind for kind, word in WORDS.items()},
}


@dataclass(frozen=True)
class _Atom:
    """A root, extreme or absolute value that is scale times a function of arguments that do not vanish with the step.

    :param word: the function
    :param scale: a power of the root of the step
    :param arguments: in the cells, the root of the step and the symbols of atoms before it
    """

    word: str
    scale: Expr
    arguments: tuple[Expr, ...]

    @property
    def text(self) -> str:
        """The function of its arguments, as a term."""
        return " ".join([self.word, *(f"({term(part)})" for part in self.arguments)])


@dataclass
class _Atoms:
    """Symbols for the roots, extremes and absolute values of a formula on a path."""

    path: Mapping[Symbol, Expr]
    known: dict[Symbol, _Atom] = field(default_factory=dict)

    def rational(self, node: Expr) -> Expr:
        """Return a formula on the path as a rational one in the cells, the root of the step, and symbols.

        :raises NotExported: if there are other functions in it
        """
        if isinstance(node, log):
            argument = self.rational(node.args[0])
            if _order(argument):
                raise NotExported("the limit of a formula with logarithms that have none")
            return self._symbol("ln", (argument,))
        if isinstance(node, Pow) and not node.exp.is_Integer:
            if node.exp.q != 2:
                raise NotExported("the limit of a formula with other roots than square roots")
            return self._symbol("sqrt", (self.rational(node.base),)) ** node.exp.p
        if isinstance(node, Max | Min | Abs):
            arguments = tuple(self.rational(part) for part in sorted(node.args, key=str))
            if len(arguments) > 2:
                raise NotExported("the limit of a formula with an extreme of three values")
            return self._symbol(WORDS[type(node)], arguments)
        if not node.args:
            return self.path.get(node, node)
        return node.func(*(self.rational(part) for part in node.args))

    def _symbol(self, word: str, arguments: tuple[Expr, ...]) -> Expr:
        orders = [_order(part) for part in arguments if cancelled(part) != 0]
        power = Integer(min(orders, default=0))
        if word == "sqrt" and power % 2:
            raise NotExported("a root of an odd power of the step")
        inner = tuple(factor(cancelled(part / ROOT**power)) for part in arguments)
        atom = _Atom(word, ROOT ** (power / 2 if word == "sqrt" else power), inner)
        symbol = next((s for s, other in self.known.items() if other == atom), None)
        if symbol is None:
            symbol = Symbol(f"r{len(self.known) + 1}", real=True, positive=True if word == "sqrt" else None)
            self.known[symbol] = atom
        return atom.scale * symbol


def _order(value: Expr) -> int:
    """Return the power of the root of the step that a rational function begins with.

    >>> _order((ROOT**3 + ROOT**5) / (ROOT + 1)), _order((1 + ROOT) / ROOT**2)
    (3, -2)
    """
    above, below = (Poly(part, ROOT) for part in lowest_terms(value))
    return int(min(power for (power,) in above.monoms()) - min(power for (power,) in below.monoms()))


@scripted
def real_limit_script(claim: FiniteLimit, limit: Expr, formula: str) -> str:
    """Return the proof that a formula tends to a limit along a path.

    :raises NotExported: if no continuous formula is found that agrees with it
    """
    path = (cell.xreplace({STEP: ROOT**2}) for cell in claim.path)
    atoms = _Atoms(dict(zip(CELLS, path, strict=True)))
    above, below = lowest_terms(atoms.rational(claim.subject))
    if below.xreplace({ROOT: Integer(0)}).expand() == 0:
        raise NotExported("a formula without a finite limit as it stands")
    above, below = factor(above), factor(below)
    texts = {symbol: atom.text for symbol, atom in atoms.known.items()}
    quotient = _filled(f"({term(above)}) / ({term(below)})", texts)
    return (
        f"eapply (limit_by_root _ _ _ _ _ _ _ (fun s => {quotient}));\n"
        f"    [intros s s_positive given; unfold {formula}, {formula}_defined in *; unpack; cbv beta;\n"
        f"    {_renamed(atoms.known)}field; apart | | passes; at_zero].\n"
        f"  {_end(atoms, limit)}."
    )


def _renamed(atoms: Mapping[Symbol, _Atom]) -> str:
    """Return the tactic that puts symbols in the places of the functions."""
    if not atoms:
        return ""
    names = "; ".join(f"named {symbol} ({atom.text})" for symbol, atom in atoms.items())
    return f"{names}; {_repeated(f'scaled {symbol} {term(atom.scale, 3)}' for symbol, atom in atoms.items())}"


def _end(atoms: _Atoms, limit: Expr) -> str:
    """Return the tactic for the equation between the value of the continuous formula at zero and the limit."""
    there = _Atoms(POSITIVE)
    values = [(atom.word == "sqrt", there.rational(_at_zero(atom, atoms))) for atom in atoms.known.values()]
    there.rational(limit)
    choices = {symbol: atom for symbol, atom in there.known.items() if atom.word != "sqrt"}
    settled = [v for is_root, v in values if not is_root and not v.free_symbols & set(there.known)]
    start = _repeated(f"choice_is ({term(value)})" for value in settled)
    if not any(is_root for is_root, _ in values) and len(choices) == len(there.known):
        cases = "by_cases; equal_in_case"
        return f"{start}first [{cases} | {_renamed(choices)}field; apart]" if choices else f"{start}field; apart"
    radicands = {symbol: atom.arguments[0] for symbol, atom in there.known.items() if symbol not in choices}
    bases = dict.fromkeys(base for x in radicands.values() for part in fraction(together(x)) for base in _primes(part))
    names = {base: f"q{place}" for place, base in enumerate(bases, start=1)}
    hints = " ".join(f"S{name}" for name in names.values())
    equal = f"field [{hints}]; apart" if hints else "field; apart"
    roots = "".join(f"known_root_of {name} S{name} constr:({term(base)}); " for base, name in names.items())
    products = {symbol: _value(x, names) for symbol, x in radicands.items()}
    texts = [_filled(term(value), products) for is_root, value in values if is_root] + list(products.values())
    steps = _repeated(f"root_is ({text}) ltac:(idtac; {equal})" for text in texts)
    return f"{start}{_renamed(choices)}{roots}{steps}{equal}"


def _repeated(steps: Iterable[str]) -> str:
    """Return the tactic that takes steps as long as there is one; nothing for none."""
    texts = " | ".join(dict.fromkeys(steps))
    return f"repeat first [{texts}]; " if texts else ""


def _filled(text: str, values: dict[Symbol, str]) -> str:
    """Return a term with other terms in the places of symbols, the last one first."""
    for symbol, value in reversed(values.items()):
        text = re.sub(rf"\b{symbol}\b", f"({value})", text)
    return text


def _at_zero(atom: _Atom, atoms: _Atoms) -> Expr:
    """Return an atom where the step is zero, in the cells."""
    parts = [part.xreplace({ROOT: Integer(0)}) for part in atom.arguments]
    inner = {s: _at_zero(other, atoms) for s, other in atoms.known.items() if any(part.has(s) for part in parts)}
    return FUNCTIONS[atom.word](*(cancelled(part).xreplace({**inner, **POSITIVE}) for part in parts))


def _primes(part: Expr) -> list[Expr]:
    number, factors = factor_list(part)
    return [*([number] if number not in (0, 1) else []), *(base for base, power in factors if power % 2)]


def _value(radicand: Expr, names: Mapping[Expr, str]) -> str:
    """Return a root as a quotient of powers of roots of the factors of its radicand."""
    texts = []
    for part in fraction(together(radicand)):
        number, factors = factor_list(part)
        words = [names[number]] if number not in (0, 1) else []
        if number == 0:
            return "0"
        for base, power in factors:
            words += [f"({term(base)}) ^ {power // 2}"] if power > 1 else []
            words += [names[base]] if power % 2 else []
        texts.append(" * ".join(words) or "1")
    return f"{texts[0]} / ({texts[1]})"
