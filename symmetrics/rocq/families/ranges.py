"""Lemmas on ranges: both ends, as propositions with the meaning of the interval's brackets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from symmetrics.claims.evidence import Decision
from symmetrics.claims.families.limits import Bounded
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import narrowed, piece
from symmetrics.rocq.engine.ends import End
from symmetrics.rocq.engine.statements import Formula, Lemma, NotExported, Subject, domain, introduced, parameters_of
from symmetrics.rocq.engine.terms import RATIONALS


def lemma(name: str, claim: Bounded, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that states a range: whether the formula is bounded, and its ends.

    :param name: the proposition's name
    :raises NotExported: if no proof is known
    """
    if decision.evidence.kind == "cases":
        return _lemma_by_cases(name, claim, decision, subject)
    own, taken, applied = _about(claim, subject)
    ends = {side: End(side, end, claim.parameters, subject) for side, end in decision.evidence.data.items()}
    value = " /\\ ".join(end.statement(applied) for end in ends.values())
    unbounded = next((end for end in ends.values() if not end.is_finite), None)
    verdict = f"{'~ ' if unbounded else ''}{name}{' ' if own else ''}{own}"
    full = f"{name}_{decision.status}"
    steps = "\n".join(end.proof("- " if len(ends) == 2 else "") for end in ends.values())
    opening = "split.\n" if len(ends) == 2 else ""
    arguments = f" {own}" if own else ""
    last = f"apply no_{unbounded.side}_end_unbounded; apply value" if unbounded else "destruct value. bounded_by_value"
    return Lemma(
        full,
        f"Definition {name}{taken} : Prop := bounded {applied}.\n\n"
        f"Definition {name}_value{taken} : Prop :=\n  {value}.\n\n"
        f"Lemma {full} : {parameters_of(claim.parameters, subject.numbers)}{verdict} /\\ {name}_value{arguments}.\n"
        f"Proof.\n"
        f"  {introduced(claim.parameters)}assert (value : {name}_value{arguments}).\n"
        f"  {{ {opening}{steps} }}\n"
        f"  split; [| exact value]. {last}.\nQed.",
    )


def _about(claim: Bounded, subject: Subject) -> tuple[str, str, str]:
    """Return the parameters' names and declaration, and the formula and its premise applied to them."""
    own = " ".join(p.name for p in claim.parameters)
    words = (subject.formula.name, f"{subject.formula.name}_defined")
    applied = " ".join(f"({word} {own})" if own else word for word in words)
    return own, f" ({own} : {subject.numbers.type})" if own else "", applied


def _lemma_by_cases(name: str, claim: Bounded, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma on a range that depends on the parameters: its ends in each case."""
    if subject.numbers is not RATIONALS or decision.status != "proved":
        raise NotExported("cases of the parameters of a formula that is not rational, or not bounded")
    own, taken, applied = _about(claim, subject)
    tree = decision.evidence.data["tree"]
    leaves = list(_leaves(tree, claim, ()))
    values, proofs = list[str](), list[str]()
    for place, (conditions, leaf, node) in enumerate(leaves):
        value, proof = _case(conditions, leaf, node, subject, claim)
        values.append("".join(f"{condition} -> " for condition in conditions) + value)
        known = f"clear {' '.join(f'case{k}' for k in range(place))}. " if place else ""
        proofs.append(f"  assert (case{place} : {values[-1]}).\n  {{ {known}{proof} }}\n")
    joined = f"case{len(values) - 1}"
    for place in reversed(range(len(values) - 1)):
        joined = f"(conj case{place} {joined})"
    walk = _walk(tree, claim, iter([(place, len(leaf[0])) for place, leaf in enumerate(leaves)]))
    value = " /\\\n  ".join(f"({value})" for value in values)
    full, arguments = f"{name}_proved", f" {own}"
    quantifier = parameters_of(claim.parameters, subject.numbers)
    return Lemma(
        full,
        f"Definition {name}{taken} : Prop := bounded {applied}.\n\n"
        f"Definition {name}_value{taken} : Prop :=\n  {value}.\n\n"
        f"Lemma {full} : {quantifier}{name}{arguments} /\\ {name}_value{arguments}.\n"
        f"Proof.\n"
        f"  {introduced(claim.parameters)}\n{''.join(proofs)}"
        f"  split; [| exact {joined}].\n  {walk}\nQed.",
    )


def _leaves(
    node: Mapping[str, Any], claim: Bounded, conditions: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Bounded, Mapping[str, Any]]]:
    """Yield the cases: conditions, the claim restricted to them, and its verdict."""
    if "parameter" not in node:
        yield conditions, claim, node
        return
    (parameter,) = (p for p in claim.parameters if p.name == node["parameter"])
    for text, child in node["pieces"].items():
        part = piece(parameter, text)
        known = set(domain(parameter))
        new = [f"{part.name} == {part.lower}"] if part.lower == part.upper else [*domain(part)]
        own = tuple(condition for condition in new if condition not in known)
        yield from _leaves(child, narrowed(claim, part), (*conditions, *own))


def _case(
    conditions: tuple[str, ...], leaf: Bounded, node: Mapping[str, Any], subject: Subject, claim: Bounded
) -> tuple[str, str]:
    """Return statement and proof of a case."""
    applied = _about(claim, subject)[2]
    start = f"intros {' '.join('?' * len(conditions))}. " if conditions else ""
    inside = "; ".join(f"within {p.name}" for p in claim.parameters)
    if node.get("undefined") is True:
        step = f"intros {' '.join(CELL_NAMES)} ? ? ? ? no_value. apply no_value. {inside}; fractions."
        return f"everywhere {applied} (fun _ => False)", start + step
    here = Subject(Formula(subject.formula.name, leaf.subject, leaf.parameters))
    known = {p.name for p in leaf.parameters}
    solve = "fractions_or_equal"
    for parameter in reversed(leaf.parameters):
        solve = f"first [fractions | within {parameter.name}; {solve}]"
    solve = "; ".join([*(f"within {p.name}" for p in claim.parameters if p.name not in known), solve])
    ends = [
        End(side, end, leaf.parameters, here, solve)
        for side, end in node["proof"]["certificate"].items()
        if side != "kind"
    ]
    steps = "\n  ".join(end.proof("- ") for end in ends)
    return " /\\ ".join(end.statement(applied) for end in ends), f"{start}split.\n  {steps}"


def _walk(node: Mapping[str, Any], claim: Bounded, leaves: Iterator[tuple[int, int]]) -> str:
    """Prove that the formula is bounded for each value of the parameters, case by case.

    :param leaves: the number of each case, and of how many conditions it has
    """
    if "parameter" not in node:
        place, count = next(leaves)
        known = f"case{place}" if not count else f"(case{place}{' ltac:(assumption)' * count})"
        if node.get("undefined") is True:
            return f"exists 0, 0. intros {' '.join(CELL_NAMES)} A B C D E. destruct ({known} TP FN FP TN A B C D E)."
        return f"destruct {known}. bounded_by_value."
    (parameter,) = (p for p in claim.parameters if p.name == node["parameter"])
    parts = [piece(parameter, text) for text in node["pieces"]]
    points = [part.lower for part in parts if part.lower == part.upper]
    if len(points) != 1:
        raise NotExported("cases of a parameter that do not meet in one value")
    branches = {"same": "", "less": "exfalso; lra.", "more": "exfalso; lra."}
    for part, child in zip(parts, node["pieces"].values(), strict=True):
        side = "same" if part.lower == part.upper else "less" if part.upper == points[0] else "more"
        branches[side] = _walk(child, narrowed(claim, part), leaves)
    below, above, at = (branches[side] for side in ("less", "more", "same"))
    return (
        f"destruct (Q_dec {parameter.name} ({points[0]})) as [[? | ?] | ?].\n"
        f"  {{ {below} }}\n  {{ {above} }}\n  {{ {at} }}"
    )
