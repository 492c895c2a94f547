"""Lemmas on orders of tables: a chain of monotone steps between two formulas, or two tables ranked differently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sympy import Abs, Expr, Max, Min, Pow, Rational, S, Symbol, log

from symmetrics.claims import SameOrder, value_symbol
from symmetrics.claims.evidence import Decision
from symmetrics.language.formula import parse_formula
from symmetrics.prover.engine.chains import Step, applied
from symmetrics.rocq.engine.comparisons import BITS, sign_script
from symmetrics.rocq.engine.radicals import radicands, root_identity
from symmetrics.rocq.engine.statements import (
    Formula,
    Lemma,
    NotExported,
    Subject,
    conclusion,
    defined,
    scripted,
    stated,
)
from symmetrics.rocq.engine.terms import RATIONALS, Numbers, conjunction, term

V: Final = Symbol("v", real=True)
W: Final = Symbol("w", real=True)


def lemma(name: str, claim: SameOrder, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that two formulas rank tables alike, with the link between them, or that they do not.

    :param name: the proposition's name
    :raises NotExported: if no proof is known
    """
    if claim.parameters:
        raise NotExported("an order for all values of parameters is not written")
    first, second = subject.formula, subject.partner or subject.formulas[claim.partner]
    about = f"{first.name} {first.name}_defined {second.name} {second.name}_defined"
    body = f"{'opposite' if claim.reverse else 'same'}_order {about}"
    if decision.status == "refuted":
        return stated(name, claim, decision, subject, body, _out_of_order(claim, decision, subject))
    data = decision.evidence.data
    left, right = (
        _Side(formula, data[side], _conditions(side, data), subject)
        for side, formula in (("left", first), ("right", second))
    )
    link = f"linked {about}\n    {left.function} {right.function}"
    full = f"{name}_{decision.status}"
    statement = f"{conclusion(name, claim, decision, subject.numbers)} /\\\n  {link}"
    identity = _identity(left, right, data["parts"]["link"]["certificate"], subject)
    proof = (
        f"assert (link : {link}).\n"
        f"  {{ unfold linked. intros. cbn beta. unfold {subject.unfold} in *. unpack. {identity}. }}\n"
        f"  split; [| exact link].\n"
        f"  apply ({'opposite' if claim.reverse else 'same'}_order_{'rising' if left.rises else 'falling'} {about}\n"
        f"    {left.function} {right.function}\n"
        f"    {left.premise} {right.premise}); [exact link | | | |].\n"
        f"  {{ {left.monotone()} }}\n  {{ {right.monotone()} }}\n"
        f"  {{ {left.inside()} }}\n  {{ {right.inside()} }}"
    )
    return Lemma(full, f"{defined(name, claim, subject, body)}\n\nLemma {full} : {statement}.\nProof.\n  {proof}\nQed.")


@scripted
def _identity(left: _Side, right: _Side, certificate: Mapping[str, Any], subject: Subject) -> str:
    """Prove that the two sides of a link are equal."""
    if subject.numbers is RATIONALS:
        return "fractions"
    try:
        return root_identity(left.roots | right.roots, certificate)
    except NotExported:
        return "metric_identity"


def _conditions(side: str, data: Mapping[str, Any]) -> list[tuple[Expr, bool, Mapping[str, Any]]]:
    """Return the conditions for the steps to be monotone, with proofs."""
    found, value = list[tuple[Expr, bool, Mapping[str, Any]]](), value_symbol(0)
    for place, (name, *texts) in enumerate(data[side]):
        numbers = tuple(parse_formula(text) for text in texts)
        part = data["parts"].get(f"{side} {place}")
        if part is not None:
            condition = numbers[2] * value + numbers[3] if name == "moebius" else value
            found.append((condition, name != "power" or bool(numbers[0] < 0), part["certificate"]))
        value = applied([(name, numbers)], value)
    return found


@dataclass(frozen=True)
class _Side:
    """One side of a link: a chain of steps that is applied to the values of a formula.

    :param formula: the formula
    :param steps: as the certificate has them
    :param conditions: what makes the steps monotone, in the value, each with whether it is strict and its certificate
    """

    formula: Formula
    texts: Sequence[Sequence[str]]
    conditions: Sequence[tuple[Expr, bool, Mapping[str, Any]]]
    subject: Subject

    @property
    def steps(self) -> list[Step]:
        """The steps, each strictly monotone."""
        found: list[Step] = []
        for name, *texts in self.texts:
            numbers = tuple(parse_formula(text) for text in texts)
            found += _split(name, numbers, self.subject.numbers)
        return found

    @property
    def rises(self) -> bool:
        """Whether the chain is increasing."""
        return sum(_falls(step) for step in self.steps) % 2 == 0

    @property
    def roots(self) -> dict[str, Expr]:
        """Radicands in the chain applied to the formula, as terms of the file and as expressions.

        :raises NotExported: if there are other functions than square roots, or roots in roots
        """
        found = radicands(self.formula.expression)
        value, shown = self.formula.expression, Symbol(f"({term(self.formula.expression)})")
        if value.has(Abs, Max, Min, log):
            raise NotExported("other functions than square roots")
        before = V
        for step in self.steps:
            name, numbers = step
            is_root = name == "power" and Rational(numbers[0]).q == 2
            if name == "log" or any(number.atoms(Pow) for number in numbers) or (name == "power" and numbers[0].q > 2):
                raise NotExported("other functions than square roots")
            if is_root:
                if found:
                    raise NotExported("roots in roots")
                found[term(before.xreplace({V: shown}), 3)] = value
            before, value = applied([step], before), applied([step], value)
        return found

    @property
    def function(self) -> str:
        """The chain as a function."""
        return f"(fun v => {term(applied(self.steps, V))})"

    @property
    def premise(self) -> str:
        """The condition on the values of the formula."""
        value = value_symbol(0)
        parts = [
            f"0 {'<' if strict else '<='} {term(condition.xreplace({value: V}))}"
            for condition, strict, _ in self.conditions
        ]
        return f"(fun {'v' if parts else '_'} => {conjunction(parts)})"

    @scripted
    def monotone(self) -> str:
        """Prove that the chain is monotone."""
        lines = ["intros v w below_v below_w. conditions."]
        before, after = V, W
        for step in self.steps:
            x, y = applied([step], before), applied([step], after)
            lines.append(f"eapply iff_trans; [{_step(step, self.subject.numbers, (before, after), (x, y))} |].")
            before, after = (y, x) if _falls(step) else (x, y)
        return "\n    ".join([*lines, "apply iff_refl."])

    @scripted
    def inside(self) -> str:
        """Prove that all values of the formula satisfy the conditions."""
        if not self.conditions:
            return "unfold values_in. intros. exact I."
        scripts = []
        for condition, strict, certificate in self.conditions:
            gap = condition.xreplace({value_symbol(0): self.formula.expression})
            scripts.append(f"{{ {sign_script(gap, certificate, self.subject.numbers, strict=strict)}. }}")
        names = f"{self.formula.name}_defined, {self.formula.name}"
        start = f"intros TP FN FP TN ? ? ? ?. cbn beta. unfold {names}. intro. unpack."
        splits = ["split.\n    "] * (len(scripts) - 1) + [""]
        return f"{start}\n    " + "\n    ".join(split + s for split, s in zip(splits, scripts, strict=True))


def _split(name: str, numbers: tuple[Expr, ...], over: Numbers) -> list[Step]:
    """Split a step into steps known to the hand-written files."""
    if name == "moebius" or (name == "log" and over is not RATIONALS):
        return [(name, numbers)]
    if name != "power":
        raise NotExported(f"a link with the step {name!r}")
    (exponent,) = numbers
    sign: list[Step] = [("moebius", (S.Zero, S.One, S.One, S.Zero))] if exponent < 0 else []
    size = abs(Rational(exponent))
    inner: list[Step] = [("power", (Rational(1, size.q),))] if size.q > 1 else []
    outer: list[Step] = [("power", (Rational(size.p),))] if size.p > 1 else []
    return [*inner, *outer, *sign]


def _falls(step: Step) -> bool:
    name, numbers = step
    if name != "moebius":
        return False
    a, b, c, d = numbers
    return bool(a * d - b * c < 0)


def _step(step: Step, over: Numbers, values: tuple[Expr, Expr], images: tuple[Expr, Expr]) -> str:
    """Prove that a step is monotone."""
    (v, w), (x, y), (name, numbers) = (term(e, 3) for e in values), (term(e, 3) for e in images), step
    if name == "moebius":
        told = " ".join(term(number, 3) for number in numbers)
        return f"apply (moebius_{'falls' if _falls(step) else 'rises'} {told} {v} {w} {x} {y}); link_step"
    if name == "log":
        return f"apply (ln_rises {v} {w}); link_step"
    exponent = Rational(numbers[0])
    if exponent.q == 2:
        return f"apply (sqrt_rises {v} {w}); link_step"
    if exponent.q > 2:
        return f"apply (root_rises {exponent.q} {v} {w}); link_step"
    size = exponent.p if over is RATIONALS else exponent.p - 1  # over the reals the lemma is about powers of n + 1
    return f"apply (power_rises_to {size} {v} {w} {x} {y}); link_step"


@scripted
def _out_of_order(claim: SameOrder, decision: Decision, subject: Subject) -> str:
    """Refute by two tables, in the order that the statement needs."""
    if decision.witness is None:
        raise NotExported("no tables stand behind the refutation")
    tables, values = decision.witness.tables, decision.witness.values
    less = [bool((values[place + 1] - values[place]).is_positive) for place in (0, 2)]
    more = [bool((values[place] - values[place + 1]).is_positive) for place in (0, 2)]
    shows = less[0] != (more if claim.reverse else less)[1]
    first, second = tables[:2] if shows else (tables[1], tables[0])
    arguments = " ".join(term(Rational(count), 3) for count in (*first, *second))
    tactic = "refute_order" if subject.numbers is RATIONALS else f"refute_order {BITS}%Z"
    return f"intro H. specialize (H {arguments}). unfold {subject.unfold} in H. {tactic} H."
