"""What lemmas on all metrics are about: cells of any field with positive elements, values of any set, strictly ordered.

No axiom is used: fields and orders are hypotheses of the section.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, factor

from symmetrics.claims.theorems.laws import Law
from symmetrics.language.cells import Table
from symmetrics.tools.errors import UnsupportedError

__all__ = ["FUNCTION", "HEAD", "axioms_asked", "factored_term", "quantified", "term", "value", "variables"]

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
    """Write the question on which axioms lemmas rest, for all together: what they share is then looked at once."""
    if not lemmas:
        return ""
    *others, last = lemmas
    together = "".join(f"conj {lemma} (" for lemma in others) + last + ")" * len(others)
    return f"Definition together := {together}.\nPrint Assumptions together.\n"


def variables(law: Law) -> list[Symbol]:
    """Return the variables of a law, in the order in which it is about all of them."""
    return sorted({symbol for table in law.tables for cell in table for symbol in cell.free_symbols}, key=str)


def quantified(law: Law, statement: str) -> str:
    """Write that a statement holds for all positive values of the variables of a law."""
    names = [symbol.name for symbol in variables(law)]
    return f"forall {' '.join(names)}, {' '.join(f'pos {name} ->' for name in names)} {statement}"


def value(table: Table) -> str:
    """Write the value of M at a table."""
    return "M " + " ".join(map(term, table))


def factored_term(node: Expr) -> str:
    """Write the same by factors, where these are made of positive numbers too: the kernel is faster with those."""
    try:
        return term(factor(node))
    except UnsupportedError:
        return term(node)


def term(node: Expr) -> str:
    """Write what is made of positive numbers by sums, products and quotients."""
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
