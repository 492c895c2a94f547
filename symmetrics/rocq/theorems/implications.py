"""Lemmas on all metrics: what follows from their properties, step by step as the walks of theorems go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, THE_SAME_EVERYWHERE, Theorem, Walk
from symmetrics.claims.theorems.laws import Law
from symmetrics.language.cells import Table
from symmetrics.rocq.theorems.fields import FUNCTION, HEAD, axioms_asked, factored_term, quantified, value, variables

__all__ = ["theory"]

Laws = Mapping[str, Sequence[Law]]
_TACTICS: Final = """Ltac go_on W E :=
  let S := fresh in let X := fresh in
  match type of W with
  | lt _ ?h => match type of E with
    | lt ?x _ => assert (S : h = x) by same; pose proof (lt_trans _ _ _ (lt_eq _ _ _ W S) E) as X
    | ?x = _ => assert (S : h = x) by same; pose proof (lt_eq _ _ _ W (eq_trans S E)) as X
    end
  | _ = ?h => match type of E with
    | lt ?x _ => assert (S : h = x) by same; pose proof (eq_lt _ _ _ (eq_trans W S) E) as X
    | ?x = _ => assert (S : h = x) by same; pose proof (eq_trans W (eq_trans S E)) as X
    end
  end; clear W S E; rename X into W.
Ltac arrive W last :=
  let S := fresh in let X := fresh in
  match type of W with
  | lt _ ?h => assert (S : h = last) by same; pose proof (lt_eq _ _ _ W S) as X
  | _ = ?h => assert (S : h = last) by same; pose proof (eq_trans W S) as X
  end; clear W S; rename X into W.
"""
_RELATION: Final = {"=": "{} = {}", ">": "lt ({}) ({})"}


def theory(theorems: Iterable[Theorem], laws: Laws) -> str:
    """Return a theory of theorems, which asks at its end for the axioms that they rest on.

    :param laws: what each property says, and each law by which a conclusion is shown
    :raises UnsupportedError: if a cell on a walk is not made of positive numbers
    """
    lemmas = [_lemma(f"theorem_{place}", theorem, laws) for place, theorem in enumerate(theorems)]
    last = axioms_asked([f"theorem_{place}" for place in range(len(lemmas))])
    return HEAD + _TACTICS + "\n".join(lemmas) + "End AnyMetric.\n" + last


def _lemma(name: str, theorem: Theorem, laws: Laws) -> str:
    premises = {(key, law.label): law for key in theorem.premises for law in laws[key]}
    named = {key: f"H{place}" for place, key in enumerate(premises)}
    given = [f"({named[key]} : {quantified(law, _said(law.sign, *law.tables))})" for key, law in premises.items()]
    goals, proofs = ["False"], [_contradiction(theorem.walks[0], premises, named)]
    if theorem.conclusion != IMPOSSIBLE:
        concluded = (THE_SAME_EVERYWHERE,) if theorem.conclusion == CONSTANT else tuple(laws[theorem.goal])
        goals = [f"({quantified(law, _said(law.sign, *law.tables))})" for law in concluded]
        walked = zip(concluded, theorem.walks, strict=True)
        proofs = [f"{{ intros. {_walked(walk, law.tables[1], premises, named)} exact W. }}" for law, walk in walked]
    split = "repeat split.\n" if len(proofs) > 1 else ""
    body = "\n".join(proofs)
    stated, goal = " ".join([FUNCTION, *given]), " /\\ ".join(goals)
    return f"(* {theorem} *)\nLemma {name} {stated} : {goal}.\nProof.\n{split}{body}\nQed.\n"


def _said(sign: str, left: Table, right: Table) -> str:
    return _RELATION[sign].format(value(left), value(right))


def _contradiction(walk: Walk, premises: Mapping[tuple[str, str], Law], named: Mapping[tuple[str, str], str]) -> str:
    return f"{_walked(walk, walk.start, premises, named)} exact (lt_irreflexive _ W)."


def _walked(
    walk: Walk, end: Table, premises: Mapping[tuple[str, str], Law], named: Mapping[tuple[str, str], str]
) -> str:
    """Return the tactics that show how M compares at both ends of a walk, as W."""
    start = value(walk.start)
    lines = [f"assert (W : {start} = {start}) by reflexivity."]
    for step in walk.steps:
        symbols = variables(premises[step.premise, step.label])
        given = " ".join(
            [*(factored_term(step.at[symbol]) for symbol in symbols), *("ltac:(positive)" for _ in symbols)]
        )
        applied = f"({named[step.premise, step.label]} {given})"
        lines.append(f"pose proof {applied if step.forward else f'(eq_sym {applied})'} as E; go_on W E.")
    lines.append(f"arrive W ({value(end)}).")
    return " ".join(lines)
