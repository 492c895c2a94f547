(** Metrics with roots, logarithms, absolute values, minima and maxima: everything here is about [R].

    What a generated file finds here.

    [refute_real bits H]: a false equation or inequality at numbers, under premises that hold there; real numbers are
    enclosed with so many bits.
    [refute_tie bits H]: the same for an inequality between values that are equal.
    [meet H]: removes the premises of a statement at a table, where parameters may be left.
    [known_root r H]: puts a rational number in the place of a root of numbers that it is. *)

Require Export Reals Lra Psatz.
From Symmetrics Require Export Enclosures Symmetrics Ties.
Open Scope R_scope.

Ltac unpack := intros; repeat match goal with H : _ /\ _ |- _ => destruct H end.

(** Values that are equal, but of which no enclosure shows it. *)
Lemma equal_not_less : forall a b, a = b -> a < b -> False.
Proof. intros a b E L. rewrite E in L. exact (Rlt_irrefl b L). Qed.

Ltac at_real_numbers bits :=
  repeat match goal with |- _ /\ _ => split end; first [exact I | lra | enclose 24%Z | enclose bits].

Ltac without_premises bits H := repeat match type of H with
  | ?A -> ?B => let K := fresh in assert (K : A) by at_real_numbers bits; specialize (H K); clear K
  end.

Ltac refute_real bits H := without_premises bits H; revert H; first [enclose 24%Z | enclose bits].

Ltac refute_tie bits H :=
  without_premises bits H; revert H; apply equal_not_less; first [reflexivity | equal_numbers | metric_identity].

Ltac meet H := without_premises 60%Z H.

Ltac known_root r H := repeat match type of H with
  | context [sqrt ?x] => replace (sqrt x) with r in H by (symmetry; apply sqrt_lem_1; [enclose 60%Z | lra | field])
  end.

Lemma positive_nonzero : forall a, 0 < a -> a <> 0.
Proof. intros a H E; lra. Qed.

Lemma negative_nonzero : forall a, 0 < - a -> a <> 0.
Proof. intros a H E; lra. Qed.

(** A claim that equates two values makes the numerator of their difference vanish. *)
Lemma numerator_vanishes : forall x y n d, x = y -> n = (x - y) * d -> n = 0.
Proof. intros x y n d E N. rewrite N, E. ring. Qed.

Lemma sum_vanishes : forall a b, a = 0 -> b = 0 -> a + b = 0.
Proof. intros a b A B. rewrite A, B. ring. Qed.

Lemma multiple_vanishes : forall a b, b = 0 -> a * b = 0.
Proof. intros a b B. rewrite B. ring. Qed.

(** What is positive has no part in a product that vanishes. *)
Lemma product_vanishes : forall a b, a * b = 0 -> 0 < b -> a = 0.
Proof. intros a b E P. destruct (Rmult_integral _ _ E) as [Z | Z]; [exact Z | exfalso; lra]. Qed.

Lemma power_vanishes : forall a n, a ^ n = 0 -> a = 0.
Proof. intros a n E. destruct (Req_dec a 0) as [Z | N]; [exact Z | elim (pow_nonzero a n N); exact E]. Qed.

Ltac number_lra := lra.
Ltac positive := nra.
Ltac nonzero := repeat split; first [assumption | lra | nra].
