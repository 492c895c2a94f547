"""Statements for the kernel: definitions of formulas, and claims as propositions about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, Final, ParamSpec

from sympy import Expr, Integer, Pow, Rational, Symbol, log, sympify

from symmetrics.claims import Claim, Combination, Comparison, Identity, value_symbol
from symmetrics.claims.evidence import Decision
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.rocq.engine.terms import RATIONALS, Numbers, conjunction, numbers_of, proposition, term
from symmetrics.tools.errors import UnsupportedError


@dataclass(frozen=True)
class Formula:
    """A formula under a name of its own.

    :param name: an identifier
    :param expression: the formula, in its variables and the parameters
    :param parameters: its parameters
    :param over: the numbers that it is over, if it is compared with a formula that needs the real ones
    :param variables: the names of its variables
    """

    name: str
    expression: Expr
    parameters: tuple[Parameter, ...]
    over: Numbers | None = None
    variables: tuple[str, ...] = CELL_NAMES

    @cached_property
    def numbers(self) -> Numbers:
        """The number type of the formula."""
        return numbers_of(self.expression) if self.over is None else self.over

    @property
    def is_plain(self) -> bool:
        """Whether it is a number, which needs no name in statements."""
        return isinstance(self.expression, Rational)

    def definition(self) -> str:
        """Return its definition, followed by the conditions for it to be defined."""
        names = " ".join([*(p.name for p in self.parameters), *self.variables])
        kind = self.numbers.type
        return (
            f"Definition {self.name} ({names} : {kind}) : {kind} :=\n  {term(self.expression)}.\n\n"
            f"Definition {self.name}_defined ({names} : {kind}) : Prop :=\n"
            f"  {conjunction(requirements(self.expression, self.numbers))}."
        )

    def at(self, table: Iterable[Expr], *, defined: bool = False) -> str:
        """Return the formula, or its domain predicate, at a table."""
        arguments = [*(p.symbol for p in self.parameters), *table]
        words = [self.name + ("_defined" if defined else ""), *(term(argument, 3) for argument in arguments)]
        return " ".join(words)


def requirements(expression: Expr, numbers: Numbers) -> list[str]:
    """Return the conditions for an expression to be real: on divisors, radicands and logarithms.

    >>> from symmetrics.language.formula import parse_formula
    >>> from symmetrics.rocq.engine.terms import REALS
    >>> requirements(parse_formula("log(TP/FN)/sqrt(TP - FN)"), REALS)
    ['~ FN = 0', '0 < TP / FN', '0 < TP - FN']
    """
    found: dict[str, None] = {}
    for node in sorted(expression.atoms(Pow, log), key=lambda node: (node.count_ops(), str(node))):
        if isinstance(node, log):
            found[f"0 < {term(node.args[0])}"] = None
        elif not isinstance(node.exp, Rational):
            raise UnsupportedError(f"a power with the exponent {node.exp} has no translation into Rocq")
        elif not isinstance(node.exp, Integer):
            found[f"0 {'<' if node.exp < 0 else '<='} {term(node.base)}"] = None
        elif node.exp < 0:
            found[f"~ {term(node.base)} {numbers.equal} 0"] = None
    return list(found)


def parameters_of(parameters: Sequence[Parameter], numbers: Numbers) -> str:
    """Return a quantifier over parameters with their domains as premises; empty for none."""
    if not parameters:
        return ""
    premises = "".join(f"{part} -> " for parameter in parameters for part in domain(parameter))
    return f"forall {' '.join(p.name for p in parameters)} : {numbers.type}, {premises}"


def domain(parameter: Parameter) -> list[str]:
    """Return the bounds of a parameter, as propositions."""
    bounds = []
    if parameter.lower.is_finite:
        bounds.append(f"{term(parameter.lower)} {'<' if parameter.lower_open else '<='} {parameter.name}")
    if parameter.upper.is_finite:
        bounds.append(f"{parameter.name} {'<' if parameter.upper_open else '<='} {term(parameter.upper)}")
    return bounds


def valued(claim: Claim) -> str:
    """Return the condition on parameters for which a formula is defined somewhere; empty if always.

    Without a value a strict inequality has nothing to be wrong about, so that no condition says when it holds.
    """
    if isinstance(claim, Combination):
        return next((premise for _, part in claim.parts if (premise := valued(part))), "")
    if not isinstance(claim, Comparison) or isinstance(claim, Identity) or len(claim.parameters) < 2:
        return ""
    zeros = {parameter.symbol: Integer(0) for parameter in claim.parameters if Integer(0) in parameter}
    divisors = [power.base for power in claim.subject.atoms(Pow) if power.exp.is_negative]
    if len(zeros) < len(claim.parameters) or all(divisor.xreplace(zeros) != 0 for divisor in divisors):
        return ""
    return f"0 < {' + '.join(parameter.name for parameter in claim.parameters)}"


def introduced(parameters: Sequence[Parameter], premise: str = "") -> str:
    """Return the intro tactic for parameters and their domains; empty for none.

    :param premise: further premises on them
    """
    if not parameters:
        return ""
    bounds = sum(len(domain(parameter)) for parameter in parameters) + bool(premise)
    return f"intros {' '.join([*(p.name for p in parameters), *['?'] * bounds])}. "


def comparison(claim: Comparison, formulas: Mapping[Expr, Formula], partner: Formula | None = None) -> str:
    """Return a comparison as a proposition, for all positive cells at which every value exists.

    :param formulas: the formulas by their expressions
    :param partner: the other formula, which may be written as the first one is, under another name
    """
    numbers = formulas[claim.subject].numbers
    names = " ".join(symbol.name for symbol in claim.variables)
    chosen = [formulas[formula] for formula in claim.formulas]
    used = list(zip([*chosen[:-1], partner or chosen[-1]], claim.tables, strict=True))
    premises = [f"0 < {symbol.name}" for symbol in claim.variables]
    premises += [formula.at(table, defined=True) for formula, table in dict.fromkeys(used) if not formula.is_plain]
    values = {
        value_symbol(place): formula.expression if formula.is_plain else Symbol(formula.at(table))
        for place, (formula, table) in enumerate(used)
    }
    return f"forall {names} : {numbers.type},\n  {' -> '.join(premises)} ->\n  {_relation(claim, values, numbers)}"


def _relation(claim: Comparison, values: Mapping[Symbol, Expr], numbers: Numbers) -> str:
    """Return the relation of a claim with one side moved over."""
    signs = {"=": numbers.equal, ">": "<", ">=": "<="}
    positive, negative = list[Expr](), list[Expr]()
    for part in claim.relation.as_ordered_terms():
        coefficient = part.as_coeff_Mul()[0]
        (negative if coefficient < 0 else positive).append(part if coefficient > 0 else -part)
    right, left = (sum(side, Integer(0)).xreplace(dict(values)) for side in (positive, negative))
    if claim.sign == "=":
        left, right = right, left
    return f"{term(left)} {signs[claim.sign]} {term(right)}"


def specialised(claim: Comparison, tables: Sequence[Sequence[Any]]) -> dict[Symbol, Rational]:
    """Return the values of a claim's variables at which its tables are the given ones."""
    from sympy import Poly

    known: dict[Symbol, Expr] = {}
    pairs = [(e, Rational(c)) for es, t in zip(claim.tables, tables, strict=True) for e, c in zip(es, t, strict=True)]
    while True:
        left = [(expression.xreplace(known), count) for expression, count in pairs]
        unknown = [(e, c) for e, c in left if len(e.free_symbols) == 1]
        if not unknown:
            return {symbol: Rational(known.get(symbol, 1)) for symbol in claim.variables}
        expression, count = unknown[0]
        (symbol,) = expression.free_symbols
        poly = Poly(expression - count, symbol)
        known[symbol] = -poly.nth(0) / poly.nth(1)


# -- Lemmas: a claim as a statement, with the script that proves or refutes it -----------------------------------------


Arguments = ParamSpec("Arguments")

VALUED: Final = "the parameters are not all zero, for which the formula has no value anywhere"


_WITH_PROOFS: Final[ContextVar[bool]] = ContextVar("with proofs", default=True)


@contextmanager
def statements_only() -> Iterator[None]:
    """Context in which lemmas are written without proofs: enough for comparing statements."""
    token = _WITH_PROOFS.set(False)
    try:
        yield
    finally:
        _WITH_PROOFS.reset(token)


def scripted(write: Callable[Arguments, str]) -> Callable[Arguments, str]:
    """Mark a function that writes only proofs, not statements."""

    @wraps(write)
    def written(*positional: Arguments.args, **named: Arguments.kwargs) -> str:
        return write(*positional, **named) if _WITH_PROOFS.get() else ""

    return written


class NotExported(Exception):  # reports a limit, not an error
    """No lemma can be written for a verdict; the message says why."""


@dataclass(frozen=True)
class Subject:
    """The formula of a lemma, with the other formulas in its claim.

    :param formula: the formula
    :param others: the other formulas, by expression; claims add to them
    :param partner: the one that claims on two formulas compare it with
    :param known: existing lemmas on it, by statement
    """

    formula: Formula
    others: dict[Expr, Formula] = field(default_factory=dict)
    partner: Formula | None = None
    known: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def numbers(self) -> Numbers:
        """The number type of the formula."""
        return self.formula.numbers

    @property
    def formulas(self) -> Mapping[Expr, Formula]:
        """All formulas by their expressions."""
        return {self.formula.expression: self.formula, **self.others}

    @property
    def unfold(self) -> str:
        """The names to be replaced by their definitions."""
        formulas = [*self.formulas.values(), *([] if self.partner is None else [self.partner])]
        names = dict.fromkeys(formula.name for formula in formulas if not formula.is_plain) or {self.formula.name: None}
        return ", ".join(part for name in names for part in (f"{name}_defined", name))


@dataclass(frozen=True)
class Lemma:
    """A lemma, as text.

    :param name: its name
    :param text: definitions, statement and proof
    :param weaker: in what the statement is weaker than the verdict; empty if in nothing
    """

    name: str
    text: str
    weaker: str = ""


def conclusion(name: str, claim: Claim, decision: Decision, numbers: Numbers) -> str:
    """Return the statement of a lemma about the proposition *name*, for all parameters in their domains."""
    applied = " ".join([name, *(parameter.name for parameter in claim.parameters)])
    quantifier = parameters_of(claim.parameters, numbers)
    if decision.status == "proved":
        return quantifier + applied
    if decision.status == "refuted":
        return f"{quantifier}~ {applied}"
    if decision.condition is None:
        raise NotExported("the verdict is open")
    premise = valued(claim)
    return f"{quantifier}{premise and f'{premise} -> '}({applied} <-> {proposition(decision.condition, numbers)})"


def defined(name: str, claim: Claim, subject: Subject, body: str) -> str:
    """Return the definition of a claim as a proposition about the parameters."""
    names = " ".join(parameter.name for parameter in claim.parameters)
    taken = f" ({names} : {subject.numbers.type})" if names else ""
    return f"Definition {name}{taken} : Prop :=\n  {body}."


def stated(name: str, claim: Claim, decision: Decision, subject: Subject, body: str, proof: str) -> Lemma:
    """Return the lemma that states a verdict's conclusion, after the definition of its claim.

    :param name: the proposition's name
    :param body: the claim, as a proposition
    :param proof: the script
    """
    full = f"{name}_{'iff' if decision.status == 'conditional' else decision.status}"
    statement = conclusion(name, claim, decision, subject.numbers)
    weaker = VALUED if decision.status == "conditional" and valued(claim) else ""
    text = f"{defined(name, claim, subject, body)}\n\nLemma {full} : {statement}.\nProof.\n  {proof}\nQed."
    return Lemma(full, text, weaker)


# -- Notation for a metric in lemmas: applied to its parameters, at tables, in lists -----------------------------------


BITS: Final = 24
"""Precision, in bits, of interval enclosures of real numbers."""


def metric_of(subject: Subject) -> str:
    """Return the metric as a function of the cells."""
    return _applied(subject.formula.name, subject)


def domain_of(subject: Subject) -> str:
    """Return the domain of the metric, as a predicate of the cells."""
    return _applied(f"{subject.formula.name}_defined", subject)


def _applied(name: str, subject: Subject) -> str:
    names = " ".join(parameter.name for parameter in subject.formula.parameters)
    return f"({name} {names})" if names else name


def tactic_bits(numbers: Numbers) -> str:
    """Return the precision argument of a computing tactic; empty over the rationals."""
    return "" if numbers is RATIONALS else f" {BITS}%Z"


def table_text(table: Iterable[object], numbers: Numbers) -> str:
    """Return a table, or margins, as a tuple.

    :raises NotExported: if real numbers would have to be fractions

    >>> table_text((1, "3/2", 2, 1), RATIONALS)
    '(1, 3 / 2, 2, 1)'
    """
    counts = [Rational(sympify(count)) for count in table]
    if numbers is not RATIONALS and any(count.q != 1 for count in counts):
        raise NotExported("a table of fractions for a formula that is not rational")
    return f"({', '.join(map(term, counts))}){'' if numbers is RATIONALS else '%Z'}"


def listed(entries: Sequence[str]) -> str:
    """Return a list.

    >>> listed(["1", "2"])
    '[1; 2]'
    """
    return f"[{'; '.join(entries)}]"
