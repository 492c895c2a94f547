"""Limits of formulas with roots, minima, maxima and absolute values: continuous formulas that agree with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
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
    cancel,
    factor,
    factor_list,
    fraction,
    log,
    sqrt,
    together,
)

from symmetrics.cells import CELLS
from symmetrics.claims.limit import STEP, FiniteLimit
from symmetrics.kernel.lemmas import NotExported
from symmetrics.kernel.terms import term

__all__ = ["real_limit_script"]

ROOT: Final = Symbol("s", positive=True)
"""The square root of the step."""
WORDS: Final = {Max: "Rmax", Min: "Rmin", Abs: "Rabs"}
FUNCTIONS: Final[dict[str, Callable[..., Expr]]] = {"sqrt": sqrt, **{word: kind for kind, word in WORDS.items()}}


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
            raise NotExported("the limit of a formula with logarithms")
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
        orders = [_order(part) for part in arguments if cancel(together(part)) != 0]
        power = Integer(min(orders, default=0))
        if word == "sqrt" and power % 2:
            raise NotExported("a root of an odd power of the step")
        inner = tuple(factor(cancel(together(part / ROOT**power))) for part in arguments)
        atom = _Atom(word, ROOT ** (power / 2 if word == "sqrt" else power), inner)
        symbol = next((s for s, other in self.known.items() if other == atom), None)
        if symbol is None:
            symbol = Symbol(f"r{len(self.known) + 1}", positive=True)
            self.known[symbol] = atom
        return atom.scale * symbol

    def filled(self, text: str) -> str:
        """Return a term with the functions in the places of their symbols."""
        for symbol, atom in reversed(self.known.items()):
            text = re.sub(rf"\b{symbol}\b", f"({atom.text})", text)
        return text


def _order(value: Expr) -> int:
    """Return the power of the root of the step that a rational function begins with."""
    above, below = (Poly(part, ROOT) for part in fraction(cancel(together(value))))
    return int(min(power for (power,) in above.monoms()) - min(power for (power,) in below.monoms()))


def real_limit_script(claim: FiniteLimit, limit: Expr, formula: str) -> str:
    """Return the proof that a formula tends to a limit along a path.

    :raises NotExported: if no continuous formula is found that agrees with it
    """
    path = (cell.xreplace({STEP: ROOT**2}) for cell in claim.path)
    atoms = _Atoms(dict(zip(CELLS, path, strict=True)))
    above, below = fraction(cancel(together(atoms.rational(claim.subject))))
    if below.xreplace({ROOT: Integer(0)}).expand() == 0:
        raise NotExported("a formula without a finite limit as it stands")
    above, below = factor(above), factor(below)
    quotient = atoms.filled(f"({term(above)}) / ({term(below)})")
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
    steps = " | ".join(f"scaled {symbol} {term(atom.scale, 3)}" for symbol, atom in atoms.items())
    return f"{names}; repeat first [{steps}]; "


def _end(atoms: _Atoms, limit: Expr) -> str:
    """Return the tactic for the equation between the value of the continuous formula at zero and the limit."""
    there = _Atoms({})
    settled = dict[str, None]()
    for atom in atoms.known.values():
        value = there.rational(_at_zero(atom, atoms))
        if atom.word != "sqrt" and not value.free_symbols & set(there.known):
            settled[f"choice_is ({term(value)})"] = None
    there.rational(limit)
    choices = {symbol: atom for symbol, atom in there.known.items() if atom.word != "sqrt"}
    radicands = [atom.arguments[0] for atom in there.known.values() if atom.word == "sqrt"]
    start = f"repeat first [{' | '.join(settled)}]; " if settled else ""
    if not radicands:
        cases = "by_cases; try (exfalso; lra); field; apart"
        return f"{start}first [{cases} | {_renamed(choices)}field; apart]" if choices else f"{start}field; apart"
    bases = dict.fromkeys(base for x in radicands for part in fraction(together(x)) for base in _primes(part))
    names = {base: f"q{place}" for place, base in enumerate(bases, start=1)}
    hints = " ".join(f"S{name}" for name in names.values())
    roots = "".join(f"known_root_of {name} S{name} constr:({term(base)}); " for base, name in names.items())
    values = dict.fromkeys(_value(x, names) for x in radicands)
    equal = f"field [{hints}]; apart" if hints else "field; apart"
    steps = " | ".join(f"root_is ({value}) ltac:(idtac; {equal})" for value in values)
    return f"{start}{roots}{_renamed(choices)}repeat first [{steps}]; {equal}"


def _at_zero(atom: _Atom, atoms: _Atoms) -> Expr:
    """Return an atom where the step is zero, in the cells."""
    parts = [part.xreplace({ROOT: Integer(0)}) for part in atom.arguments]
    inner = {s: _at_zero(other, atoms) for s, other in atoms.known.items() if any(part.has(s) for part in parts)}
    return FUNCTIONS[atom.word](*(cancel(together(part)).xreplace(inner) for part in parts))


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
