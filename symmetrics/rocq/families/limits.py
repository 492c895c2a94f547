"""Limits along paths of tables as lemmas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from sympy import (
    Abs,
    Add,
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

from symmetrics.claims.evidence import Decision
from symmetrics.claims.families.limits import STEP, FiniteLimit
from symmetrics.claims.steps.values import NAMED_VARIABLES
from symmetrics.claims.values import Limit
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.rocq.engine.statements import Lemma, NotExported, Subject, introduced, scripted, stated
from symmetrics.rocq.engine.terms import RATIONALS, cancelled, lowest_terms, term

# ----------------------------------------------------------------------------------------------------------------------
# Limits of formulas with roots, minima, maxima and absolute values, via continuous functions that agree with them.


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
    """A root, extreme or absolute value, as a scale times a function of arguments that do not vanish with the step.

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
        """Rewrite a formula on the path as a rational function of cells, the root of the step, and symbols.

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
    """Return the order of a rational function in the root of the step.

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
    """Return the tactic that introduces symbols for the functions."""
    if not atoms:
        return ""
    names = "; ".join(f"named {symbol} ({atom.text})" for symbol, atom in atoms.items())
    return f"{names}; {_repeated(f'scaled {symbol} {term(atom.scale, 3)}' for symbol, atom in atoms.items())}"


def _end(atoms: _Atoms, limit: Expr) -> str:
    """Return the tactic for the equation of the continuous formula's value at zero with the limit."""
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
    """Return the tactic that repeats steps while possible; empty for none."""
    texts = " | ".join(dict.fromkeys(steps))
    return f"repeat first [{texts}]; " if texts else ""


def _filled(text: str, values: dict[Symbol, str]) -> str:
    """Substitute terms for symbols, the last one first."""
    for symbol, value in reversed(values.items()):
        text = re.sub(rf"\b{symbol}\b", f"({value})", text)
    return text


def _at_zero(atom: _Atom, atoms: _Atoms) -> Expr:
    """Return an atom at step zero, in the cells."""
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


# ----------------------------------------------------------------------------------------------------------------------


S: Symbol = Symbol("s", positive=True)
"""Name of the step of a path in the file."""


def lemma(name: str, claim: FiniteLimit, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that a formula has its limit along a path, for all positive cells, or has none.

    :param name: the proposition's name
    :raises NotExported: if no proof is known
    """
    if claim.over != CELL_NAMES:
        raise NotExported(NAMED_VARIABLES)
    if decision.status == "refuted":
        return _divergence_lemma(name, claim, decision, subject)
    if decision.evidence.kind != "limit":
        raise NotExported(f"a limit that rests on {decision.evidence.kind}")
    if len(claim.parameters) > 1:
        raise NotExported("the limit of a formula with several parameters")
    assert isinstance(decision.found, Limit)
    limit = parse_formula(decision.found.limit, [p.name for p in claim.parameters])
    own = " ".join(p.name for p in claim.parameters)
    formula = subject.formula
    applied = " ".join(f"({word} {own})" if own else word for word in (formula.name, f"{formula.name}_defined"))
    path = " ".join(f"(fun s => {term(cell.xreplace({STEP: S}))})" for cell in claim.path)
    cells = " ".join(CELL_NAMES)
    body = (
        f"forall {cells} : {subject.numbers.type}, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN ->\n"
        f"  limit_along {applied}\n    {path}\n    {term(limit, 3)}"
    )
    start = f"{introduced(claim.parameters)}unfold {name}. intros {cells} ? ? ? ?.\n  "
    is_rational = subject.numbers is RATIONALS
    proof = start + (_script(claim, formula.name) if is_rational else real_limit_script(claim, limit, formula.name))
    return stated(name, claim, decision, subject, body, proof)


def _divergence_lemma(name: str, claim: FiniteLimit, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that a path has no finite limit, and an infinite one where the verdict says so.

    :raises NotExported: if the formula is not rational, has parameters, or grows otherwise than 1 / s
    """
    data, formula = decision.evidence.data, subject.formula.name
    if subject.numbers is not RATIONALS or claim.parameters:
        raise NotExported("divergence of a formula with parameters, or that is not rational")
    if data["exponent"] != "-1":
        raise NotExported("divergence as another power of the step than its inverse")
    counts = {cell.name: data.get("table", {}).get(cell.name, "1") for cell in CELLS}
    place = {cell: parse_formula(counts[cell.name]) for cell in CELLS} if "table" in data else {}
    is_upwards = bool(parse_formula(data["coefficient"]).is_positive) if place else decision.found == Limit("oo")
    word, cells = "grows" if is_upwards else "falls", " ".join(CELL_NAMES)
    step = [cell.xreplace({STEP: S}) for cell in claim.path]
    above, below = regular((claim.along.xreplace({STEP: S}) * S).xreplace(place), [c.xreplace(place) for c in step])
    path = " ".join(f"(fun s => {term(cell)})" for cell in step)
    taken = re.sub("|".join(CELL_NAMES), lambda found: f"({counts[found[0]]})", path) if place else path
    every = f"forall {cells} : Q, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN ->\n  "
    table = f"({') ('.join(counts.values())}) {' '.join(['eq_refl'] * len(CELLS))}"
    return Lemma(
        f"{name}_refuted",
        f"Definition {name} : Prop :=\n  {every}exists L, limit_along {formula} {formula}_defined\n    {path} L.\n\n"
        f"Definition {name}_value : Prop :=\n"
        f"  {'' if place else every}{word}_along {formula} {formula}_defined\n    {taken}.\n\n"
        f"Lemma {name}_refuted : ~ {name} /\\ {name}_value.\nProof.\n  assert (value : {name}_value).\n"
        f"  {{ unfold {name}_value. intros.\n"
        f"    eapply ({word}_by _ _ _ _ _ _ (fun s => ({term(above)}) / ({term(below)})));\n"
        f"    [exists 1; split; [reflexivity | intros; unfold {formula}_defined; first [exact I | fractions]] |\n"
        f"    unfold {formula}, {formula}_defined; unpack; fractions |\n"
        f"    apply (tends_div (fun s => {term(above)}) (fun s => {term(below)})); [| passes | passes]; fractions |\n"
        f"    fractions]. }}\n"
        f"  split; [| exact value]. intro H. destruct (H {table}) as [L limit].\n"
        f"  exact ({word}_without_limit _ _ _ _ _ _ L {'value' if place else f'(value {table})'} limit).\nQed.",
    )


@scripted
def _script(claim: FiniteLimit, formula: str) -> str:
    above, below = regular(claim.along.xreplace({STEP: S}), [cell.xreplace({STEP: S}) for cell in claim.path])
    solve = " | ".join(["fractions", *(f"by_domain {p.name}; fractions" for p in claim.parameters)])
    solve = f"first [{solve}]" if claim.parameters else solve
    return (
        f"eapply (limit_by _ _ _ _ _ _ _ (fun s => ({term(above)}) / ({term(below)})));\n"
        f"    [unfold {formula}, {formula}_defined; unpack; {solve} | |\n"
        f"    apply (tends_div (fun s => {term(above)}) (fun s => {term(below)})); [| passes | passes]];\n"
        f"    {solve}."
    )


def regular(along: Expr, path: Iterable[Expr]) -> tuple[Expr, Expr]:
    """Return a rational function of the step as a quotient whose denominator does not vanish at zero.

    :raises NotExported: if it has a pole there
    """
    above, below = lowest_terms(along)
    at_zero = below.xreplace({S: Integer(0)}).expand()
    if at_zero == 0:
        raise NotExported("a formula without a finite limit as it stands")
    has_infinite = any(cell.as_powers_dict().get(S, 0) < 0 for cell in path)
    for base, _ in factor_list(below if has_infinite else at_zero)[1]:
        if base.free_symbols & set(CELLS) and len({part.as_coeff_Mul()[0] > 0 for part in Add.make_args(base)}) > 1:
            raise NotExported("a limit whose divisor has terms of both signs")
    return factor(above), factor(below)
