"""Lemmas: a claim as the kernel is told it, with the script that proves or refutes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from typing import Final, ParamSpec

from sympy import Expr, Rational, sympify

from symmetrics.claims import Claim
from symmetrics.claims.evidence import Decision
from symmetrics.rocq.engine.statements import Formula, parameters_of, valued
from symmetrics.rocq.engine.terms import RATIONALS, Numbers, proposition, term

Arguments = ParamSpec("Arguments")

VALUED: Final = "the parameters are not all zero, for which the formula has no value anywhere"


_WITH_PROOFS: Final[ContextVar[bool]] = ContextVar("with proofs", default=True)


@contextmanager
def statements_only() -> Iterator[None]:
    """Leave out the proofs of the lemmas that are written until the context ends: to compare statements takes none."""
    token = _WITH_PROOFS.set(False)
    try:
        yield
    finally:
        _WITH_PROOFS.reset(token)


def scripted(write: Callable[Arguments, str]) -> Callable[Arguments, str]:
    """Mark a function that writes a part of a proof, and nothing of a statement."""

    @wraps(write)
    def written(*positional: Arguments.args, **named: Arguments.kwargs) -> str:
        return write(*positional, **named) if _WITH_PROOFS.get() else ""

    return written


class NotExported(Exception):  # it reports a limit, not an error
    """No lemma is written for a verdict; the message says why."""


@dataclass(frozen=True)
class Subject:
    """What lemmas are about: a formula, with the other formulas that claims compare it with.

    :param formula: the formula
    :param others: the other formulas, by expression; claims add to them
    :param partner: the one that claims on two formulas compare it with
    :param known: the lemmas on it that stand already, by what they say
    """

    formula: Formula
    others: dict[Expr, Formula] = field(default_factory=dict)
    partner: Formula | None = None
    known: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def numbers(self) -> Numbers:
        """The numbers that the formula is over."""
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
    :param weaker: in what it says less than the verdict; empty if in nothing
    """

    name: str
    text: str
    weaker: str = ""


def conclusion(name: str, claim: Claim, decision: Decision, numbers: Numbers) -> str:
    """Return what a lemma about the proposition *name* says, for all values of the parameters in their domains."""
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
    """Return the lemma that draws the conclusion of a verdict, under the definition of its claim.

    :param name: the proposition's name
    :param body: the claim, as a proposition
    :param proof: the script
    """
    full = f"{name}_{'iff' if decision.status == 'conditional' else decision.status}"
    statement = conclusion(name, claim, decision, subject.numbers)
    weaker = VALUED if decision.status == "conditional" and valued(claim) else ""
    text = f"{defined(name, claim, subject, body)}\n\nLemma {full} : {statement}.\nProof.\n  {proof}\nQed."
    return Lemma(full, text, weaker)


# -- How lemmas about the structure of a metric speak of it: applied to its parameters, at tables, in lists ------------


BITS: Final = 24
"""How many bits the enclosures of real numbers keep."""


def metric_of(subject: Subject) -> str:
    """Return the metric as a function of the cells."""
    return _applied(subject.formula.name, subject)


def domain_of(subject: Subject) -> str:
    """Return where the metric has a value, as a predicate of the cells."""
    return _applied(f"{subject.formula.name}_defined", subject)


def _applied(name: str, subject: Subject) -> str:
    names = " ".join(parameter.name for parameter in subject.formula.parameters)
    return f"({name} {names})" if names else name


def tactic_bits(numbers: Numbers) -> str:
    """Return what a tactic that computes has to be told of precision: nothing over the rational numbers."""
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
