"""Lemmas on all metrics: implications between properties, following the walks of theorems."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Final

from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, factor

from symmetrics.claims.comparison import value_symbol
from symmetrics.claims.theorems.constructions import Chain, Construction, ConstructionTheorem
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, THE_SAME_EVERYWHERE, Theorem, Walk
from symmetrics.claims.theorems.laws import Law, image
from symmetrics.language.cells import CELLS, Table
from symmetrics.rocq.judge.compiling import compile_file, complaint, require_kernel
from symmetrics.tools.errors import CertificateError, UnsupportedError
from symmetrics.tools.workers import Bar, spread

# ----------------------------------------------------------------------------------------------------------------------
# What lemmas on all metrics are about: cells of any field with positive elements, values of any set, strictly
# ordered.

# No axiom is used: fields and orders are hypotheses of the section.


HEAD: Final = """Require Import Field.
Section AnyMetric.
Variable K : Type.
Variables (zero one : K) (add mul sub div : K -> K -> K) (opp inv : K -> K).
Hypothesis laws : field_theory zero one add mul sub opp div inv (@eq K).
Add Field cells : laws.
Variable pos : K -> Prop.
Hypothesis pos_one : pos one.
Hypothesis pos_add : forall a b, pos a -> pos b -> pos (add a b).
Hypothesis pos_mul : forall a b, pos a -> pos b -> pos (mul a b).
Hypothesis pos_div : forall a b, pos a -> pos b -> pos (div a b).
Hypothesis pos_zero : ~ pos zero.
Lemma pos_other : forall a, pos a -> a <> zero.
Proof. intros a H E. apply pos_zero. rewrite <- E. exact H. Qed.
Variable V : Type.
Variable lt : V -> V -> Prop.
Hypothesis lt_trans : forall u v w, lt u v -> lt v w -> lt u w.
Hypothesis lt_irreflexive : forall v, ~ lt v v.
Lemma lt_eq : forall u v w, lt u v -> v = w -> lt u w.
Proof. intros; subst; assumption. Qed.
Lemma eq_lt : forall u v w, u = v -> lt v w -> lt u w.
Proof. intros; subst; assumption. Qed.
Lemma same_table : forall (M : K -> K -> K -> K -> V) a b c d a' b' c' d',
  a = a' -> b = b' -> c = c' -> d = d' -> M a b c d = M a' b' c' d'.
Proof. intros; subst; reflexivity. Qed.
Ltac positive := repeat first [assumption | apply pos_one | apply pos_add | apply pos_mul | apply pos_div].
Ltac other := repeat split; apply pos_other; positive.
Ltac same := apply same_table; first [reflexivity | field; other].
"""


FUNCTION: Final = "(M : K -> K -> K -> K -> V)"


def axioms_asked(lemmas: Sequence[str]) -> str:
    """Write one query for the axioms of all lemmas; shared ones are then only traversed once."""
    if not lemmas:
        return ""
    *others, last = lemmas
    together = "".join(f"conj {lemma} (" for lemma in others) + last + ")" * len(others)
    return f"Definition together := {together}.\nPrint Assumptions together.\n"


def variables(law: Law) -> list[Symbol]:
    """Return the variables of a law, in the order of its quantifiers."""
    return sorted({symbol for table in law.tables for cell in table for symbol in cell.free_symbols}, key=str)


def quantified(law: Law, statement: str) -> str:
    """Quantify a statement over all positive values of a law's variables."""
    names = [symbol.name for symbol in variables(law)]
    return f"forall {' '.join(names)}, {' '.join(f'pos {name} ->' for name in names)} {statement}"


def value(table: Table) -> str:
    """Print the value of M at a table."""
    return "M " + " ".join(map(term, table))


def factored_term(node: Expr) -> str:
    """Print an expression by factors where possible: faster for the kernel."""
    try:
        return term(factor(node))
    except UnsupportedError:
        return term(node)


def term(node: Expr) -> str:
    """Print an expression of positive numbers with sums, products and quotients."""
    if isinstance(node, Symbol):
        return str(node.name)
    if isinstance(node, Rational) and node > 0:
        if node.q != 1:
            return f"(div {term(Integer(node.p))} {term(Integer(node.q))})"
        return "one" if node == 1 else f"(add one {term(node - 1)})"
    if isinstance(node, Add | Mul):
        text = term(node.args[0])
        for part in node.args[1:]:
            text = f"({'add' if isinstance(node, Add) else 'mul'} {text} {term(part)})"
        return text
    if isinstance(node, Pow) and isinstance(node.exp, Integer):
        if node.exp < 0:
            return f"(div one {term(1 / node)})"
        return f"(mul {term(node.base)} {term(node.base ** (node.exp - 1))})"
    raise UnsupportedError(f"{node} is not made of positive numbers")


# ----------------------------------------------------------------------------------------------------------------------


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
    """Return a theory of theorems, which ends with a query for their axioms.

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
    """Return tactics that prove how M compares at both ends of a walk."""
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


# -- Run the kernel on lemmas about all metrics; each has to be accepted without axioms --------------------------------


TOGETHER: Final = 40
"""Number of theorems per file."""
NO_AXIOM: Final = "Closed under the global context"


def judge_theorems(theorems: Sequence[Theorem], laws: Mapping[str, Sequence[Law]], *, progress: bool = False) -> int:
    """Return the number of theorems that the kernel accepts: all of them, or an error.

    :param laws: what each property says
    :param progress: show a progress bar if standard error is a terminal
    :raises CertificateError: if the kernel rejects one, or one rests on an axiom
    :raises InputError: if the kernel is not installed
    """
    require_kernel()
    parts = [(theorems[start : start + TOGETHER], laws) for start in range(0, len(theorems), TOGETHER)]
    bar = Bar("kernel", total=len(theorems), unit=" theorems", amount=int) if progress else None
    return sum(spread(_judge, parts, bar=bar, ordered=False))


def _judge(part: tuple[Sequence[Theorem], Mapping[str, Sequence[Law]]]) -> int:
    theorems, laws = part
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "Theorems.v"
        file.write_text(theory(theorems, laws), encoding="utf-8")
        output = compile_file(file)
    if output.returncode == 0 and NO_AXIOM in output.stdout:
        return len(theorems)
    if len(theorems) > 1:
        return sum(_judge(([theorem], laws)) for theorem in theorems)
    why = complaint(output.stderr) if output.returncode else f"it rests on axioms: {complaint(output.stdout)}"
    raise CertificateError(f"the kernel does not accept that {theorems[0]}: {why}")


# ----------------------------------------------------------------------------------------------------------------------
# Lemmas on constructions: equations between values of M that imply equations between values of the derived metric.

# The cells are of any field with positive elements, the values of any set, M any function, and what combines its
# values any function that is symmetric where the construction is: the means are such. Every application of a law is a
# step.


def construction_theory(theorems: Iterable[ConstructionTheorem], laws: Laws) -> str:
    """Return a theory of the theorems whose conclusions and premises are equations.

    :param laws: what each property says
    :raises UnsupportedError: on a theorem about inequalities
    """
    listed = list(theorems)
    lemmas = [_construction_lemma(f"construction_{place}", theorem, laws) for place, theorem in enumerate(listed)]
    last = axioms_asked([f"construction_{place}" for place in range(len(listed))])
    return HEAD + "\n".join(lemmas) + "End AnyMetric.\n" + last


def _construction_lemma(name: str, theorem: ConstructionTheorem, laws: Laws) -> str:
    construction, conclusion = theorem.construction, laws[theorem.conclusion]
    premises = {(key, law.label): law for key in theorem.premises for law in laws[key]}
    if any(law.sign != "=" for law in (*conclusion, *premises.values())):
        raise UnsupportedError(f"{theorem} is about inequalities")
    named = {key: f"H{place}" for place, key in enumerate(premises)}
    given = [f"({named[key]} : {quantified(law, _equation(*law.tables))})" for key, law in premises.items()]
    combined = " -> ".join([*("K" for _ in construction.measures), *("V" for _ in construction.tables), "V"])
    goals = [
        quantified(law, f"{_combined(construction, law.tables[0])} = {_combined(construction, law.tables[1])}")
        for law in conclusion
    ]
    binders = " ".join(
        [
            FUNCTION,
            f"(c : {combined})",
            *_symmetries(construction),
            *_constants(construction),
            *given,
        ]
    )
    goal = " /\\ ".join(f"({one})" for one in goals)
    proofs = [
        _proof(construction, law, part, premises, named) for law, part in zip(conclusion, theorem.proof, strict=True)
    ]
    split = "  repeat split.\n" if len(proofs) > 1 else ""
    body = "".join(f"  {{ {proof} }}\n" if len(proofs) > 1 else f"  {proof}\n" for proof in proofs)
    return f"(* {theorem} *)\nLemma {name} {binders} : {goal}.\nProof.\n{split}{body}Qed.\n"


def _proof(
    construction: Construction,
    law: Law,
    part: Sequence[object],
    premises: Mapping[tuple[str, str], Law],
    named: Mapping[tuple[str, str], str],
) -> str:
    tables = [_image(image, table) for table in law.tables for image in construction.tables]
    lines = ["intros."]
    chains = [chain for chain in part if isinstance(chain, Chain)]
    for place, chain in enumerate(chains):
        start, end = value(tables[chain.start]), value(tables[chain.end])
        lines.append(f"assert (E{place} : {start} = {end}).")
        lines.append(f"{{ {' '.join(_steps(chain, premises, named))} }}")
    for place, (one, other) in enumerate(zip(*map(construction.measured, law.tables), strict=True)):
        lines.append(f"assert (D{place} : {_measure(one)} = {_measure(other)}) by (field; other).")
    alike = " ".join(f"try rewrite <- E{place};" for place in range(len(chains)))
    ways = ["congruence"]
    for place, _ in enumerate(_symmetries(construction)):
        ways += [f"(etransitivity; [apply S{place} | congruence])", f"({alike} apply S{place})"]
    lines.append(f"first [{' | '.join(ways)}].")
    return " ".join(lines)


def _steps(
    chain: Chain, premises: Mapping[tuple[str, str], Law], named: Mapping[tuple[str, str], str]
) -> Iterator[str]:
    for step in chain.steps:
        values = " ".join(term(step.at[symbol]) for symbol in variables(premises[step.premise, step.label]))
        turned = "" if step.forward else "symmetry; "
        law = f"{turned}apply ({named[step.premise, step.label]} {values}); positive"
        yield f"eapply eq_trans; [ | eapply eq_trans; [ {law} | ] ]. same."
    yield "same."


def _symmetries(construction: Construction) -> list[str]:
    """Return the permutations of its arguments under which a combination is invariant, and whether it is idempotent."""
    values = [value_symbol(place) for place in range(len(construction.tables))]
    names = [f"v{place}" for place in range(len(values))]
    found = []
    quantified = f"forall {' '.join(names)}, c {' '.join(names)} = "
    for order in list(permutations(range(len(values))))[1:]:
        moved = construction.combination.xreplace({v: values[k] for v, k in zip(values, order, strict=True)})
        if moved == construction.combination:
            found.append(quantified + f"c {' '.join(names[k] for k in order)}")
    if len(values) > 1 and not construction.combination.xreplace(dict.fromkeys(values, values[0])).has(values[0]):
        found.append(f"forall v w, c {' '.join('v' for _ in values)} = c {' '.join('w' for _ in values)}")
    return [f"(S{place} : {text})" for place, text in enumerate(found)]


def _constants(construction: Construction) -> list[str]:
    symbols = {s for table in construction.tables for cell in table for s in cell.free_symbols} - set(CELLS)
    return [f"({symbol.name} : K) (pos_{symbol.name} : pos {symbol.name})" for symbol in sorted(symbols, key=str)]


def _equation(left: Table, right: Table) -> str:
    return f"{value(left)} = {value(right)}"


def _combined(construction: Construction, table: Table) -> str:
    measures = map(_measure, construction.measured(table))
    return " ".join(["c", *measures, *(f"({value(_image(image, table))})" for image in construction.tables)])


def _measure(formula: Expr) -> str:
    """Write a difference of sums of positive numbers."""
    below = [part for part in Add.make_args(formula) if part.could_extract_minus_sign()]
    return f"(sub {term(formula - Add(*below))} {term(-Add(*below))})"


def _image(taken: Table, table: Table) -> Table:
    return image(taken, dict(zip(CELLS, table, strict=True)))
