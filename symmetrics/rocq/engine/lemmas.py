"""Lemmas: a claim as the kernel is told it, with the script that proves or refutes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from typing import Final, ParamSpec

from sympy import Expr

from symmetrics.claims import Claim
from symmetrics.claims.verdict import Decision
from symmetrics.rocq.engine.statements import Formula, parameters_of, valued
from symmetrics.rocq.engine.terms import Numbers, proposition

__all__ = ["Lemma", "NotExported", "Subject", "conclusion", "defined", "scripted", "stated", "statements_only"]

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
