"""Limits along paths of tables as lemmas."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sympy import Add, Expr, Integer, Symbol, factor, factor_list

from symmetrics.claims.families.limits import STEP, FiniteLimit
from symmetrics.claims.steps.values import NAMED_VARIABLES
from symmetrics.claims.values import Limit
from symmetrics.claims.verdict import Decision
from symmetrics.language.cells import CELL_NAMES, CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.rocq.engine.continuity import real_limit_script
from symmetrics.rocq.engine.lemmas import Lemma, NotExported, Subject, scripted, stated
from symmetrics.rocq.engine.lowest_terms import lowest_terms
from symmetrics.rocq.engine.statements import introduced
from symmetrics.rocq.engine.terms import RATIONALS, term

__all__ = ["lemma"]

S: Symbol = Symbol("s", positive=True)
"""The step of a path, as it is named in the file."""


def lemma(name: str, claim: FiniteLimit, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that a formula tends to its limit along a path, for all positive cells, or has none.

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
    """Return the lemma that there is no finite limit along a path, and that it is infinite where the verdict says so.

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
    """Return a rational function of the step as a quotient whose divisor does not vanish at zero.

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
