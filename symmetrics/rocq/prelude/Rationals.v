(** Rational metrics at concrete tables: everything here is about [Q], and rests on no axiom.

    What a generated file finds here.

    [differ], [less], [at_most], [same]: lemmas from a boolean check to [~ a == b], [a < b], [a <= b], [a == b].
    [rational]: the tactic that closes any of these (also [~ a < b], [~ a <= b] and conjunctions) at numbers.
    Division by zero gives zero in [Q]: a generated lemma states that the denominators are not zero, as a conjunct. *)

Require Import QArith Qfield.
Open Scope Q_scope.

Lemma differ : forall a b, Qeq_bool a b = false -> ~ a == b.
Proof. exact Qeq_bool_neq. Qed.

Lemma same : forall a b, Qeq_bool a b = true -> a == b.
Proof. exact Qeq_bool_eq. Qed.

Lemma at_most : forall a b, Qle_bool a b = true -> a <= b.
Proof. exact Qle_bool_imp_le. Qed.

Lemma less : forall a b, Qle_bool b a = false -> a < b.
Proof.
  intros a b check. apply Qnot_le_lt. intro wrong.
  apply Qle_bool_iff in wrong. rewrite wrong in check. discriminate.
Qed.

Lemma not_less : forall a b, Qle_bool b a = true -> ~ a < b.
Proof. intros a b check. apply Qle_not_lt, at_most, check. Qed.

Lemma not_at_most : forall a b, Qle_bool a b = false -> ~ a <= b.
Proof. intros a b check. apply Qlt_not_le, less, check. Qed.

Ltac rational :=
  repeat match goal with |- _ /\ _ => split end;
  lazymatch goal with
  | |- ~ _ == _ => apply differ
  | |- ~ _ < _ => apply not_less
  | |- ~ _ <= _ => apply not_at_most
  | |- ?a == ?b -> False => apply (differ a b)
  | |- ?a < ?b -> False => apply (not_less a b)
  | |- ?a <= ?b -> False => apply (not_at_most a b)
  | |- _ == _ => apply same
  | |- _ < _ => apply less
  | |- _ <= _ => apply at_most
  end;
  vm_compute; reflexivity.

Module RationalExamples.

  Definition f1 (TP FN FP TN : Q) : Q := 2 * TP / (FN + FP + 2 * TP).

  Example moves_with_errors : ~ f1 1 2 3 4 == f1 4 3 2 1.
  Proof. rational. Qed.

  Example not_an_invariant : ~ forall TP FN FP TN, f1 TP FN FP TN == f1 TN FP FN TP.
  Proof. intro invariant. generalize (invariant 1 1 1 2). rational. Qed.

  Example order : f1 1 2 3 4 < f1 4 3 2 1 /\ f1 1 1 1 1 == 1 # 2.
  Proof. rational. Qed.

End RationalExamples.
