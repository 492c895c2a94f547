(** Rational metrics at all positive cells: everything here is about [Q], and rests on no axiom.

    What a generated file finds here.

    [positive], [nonnegative]: the sign of a term made of +, *, / and powers from the signs of its variables.
    [nonzero]: that divisors are not zero, from the premises that say so or from their sign.
    [rational_identity]: an equation between values.
    [by_domain x]: the cases of a parameter, in each of which it is a number or made of positive variables.
    [refute_rational H]: a false equation or inequality at numbers, under premises that hold there.
    [meet H]: removes the premises of a statement at a table, where parameters may be left. *)

Require Export QArith Qpower Qfield Lqa Setoid.
From Symmetrics Require Export Rationals Signs.
Open Scope Q_scope.

Lemma sum_positive : forall a b, 0 < a -> 0 < b -> 0 < a + b.
Proof. intros; lra. Qed.

Lemma sum_positive_left : forall a b, 0 < a -> 0 <= b -> 0 < a + b.
Proof. intros; lra. Qed.

Lemma sum_positive_right : forall a b, 0 <= a -> 0 < b -> 0 < a + b.
Proof. intros; lra. Qed.

Lemma product_positive : forall a b, 0 < a -> 0 < b -> 0 < a * b.
Proof. intros; nra. Qed.

Lemma inverse_positive : forall a, 0 < a -> 0 < / a.
Proof. exact Qinv_lt_0_compat. Qed.

Lemma quotient_positive : forall a b, 0 < a -> 0 < b -> 0 < a / b.
Proof. intros. apply product_positive, inverse_positive; assumption. Qed.

Lemma power_nonnegative : forall a n, 0 <= a -> 0 <= a ^ Zpos n.
Proof. intros. apply Qpower_pos. assumption. Qed.

Lemma power_positive : forall a n, 0 < a -> 0 < a ^ Zpos n.
Proof.
  intros a n H. assert (0 <= a ^ Zpos n) by (apply power_nonnegative; lra).
  assert (~ a ^ Zpos n == 0) by (apply (Qpower_not_0_positive a n); lra).
  destruct (Qlt_le_dec 0 (a ^ Zpos n)); lra.
Qed.

Lemma sum_nonnegative : forall a b, 0 <= a -> 0 <= b -> 0 <= a + b.
Proof. intros; lra. Qed.

Lemma product_nonnegative : forall a b, 0 <= a -> 0 <= b -> 0 <= a * b.
Proof. intros; nra. Qed.

Lemma quotient_nonnegative : forall a b, 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros. apply product_nonnegative; [| apply Qlt_le_weak, inverse_positive]; assumption. Qed.

Lemma positive_nonzero : forall a, 0 < a -> ~ a == 0.
Proof. intros a H E; lra. Qed.

Lemma negative_nonzero : forall a, 0 < - a -> ~ a == 0.
Proof. intros a H E; lra. Qed.

Lemma difference_positive : forall a b, 0 < b - a -> a < b.
Proof. intros; lra. Qed.

Lemma difference_nonnegative : forall a b, 0 <= b - a -> a <= b.
Proof. intros; lra. Qed.

Lemma positive_as : forall x n d, 0 < n -> 0 < d -> x == n / d -> 0 < x.
Proof. intros x n d N D E. rewrite E. apply quotient_positive; assumption. Qed.

Lemma nonnegative_as : forall x n d, 0 <= n -> 0 < d -> x == n / d -> 0 <= x.
Proof. intros x n d N D E. rewrite E. apply quotient_nonnegative; assumption. Qed.

(** A claim that equates two values makes the numerator of their difference vanish. *)
Lemma numerator_vanishes : forall x y n d, x == y -> n == (x - y) * d -> n == 0.
Proof. intros x y n d E N. rewrite N, E. ring. Qed.

Lemma sum_vanishes : forall a b, a == 0 -> b == 0 -> a + b == 0.
Proof. intros a b A B. rewrite A, B. reflexivity. Qed.

Lemma multiple_vanishes : forall a b, b == 0 -> a * b == 0.
Proof. intros a b B. rewrite B. ring. Qed.

(** What is positive has no part in a product that vanishes. *)
Lemma product_vanishes : forall a b, a * b == 0 -> 0 < b -> a == 0.
Proof. intros a b E P. destruct (Qmult_integral _ _ E) as [Z | Z]; [exact Z | exfalso; lra]. Qed.

Lemma power_vanishes : forall a n, a ^ Zpos n == 0 -> a == 0.
Proof. intros a n E. destruct (Qeq_dec a 0) as [Z | N]; [exact Z | elim (Qpower_not_0_positive a n N); exact E]. Qed.

Ltac positive := lazymatch goal with
  | |- 0 < _ + _ => first
      [ apply sum_positive; [positive | positive]
      | apply sum_positive_left; [positive | nonnegative]
      | apply sum_positive_right; [nonnegative | positive] ]
  | |- 0 < _ * _ => apply product_positive; positive
  | |- 0 < _ / _ => apply quotient_positive; positive
  | |- 0 < / _ => apply inverse_positive; positive
  | |- 0 < _ ^ Zpos _ => apply power_positive; positive
  | |- 0 < _ - _ => lra
  | |- 0 < _ => first [assumption | reflexivity]
  end
with nonnegative := lazymatch goal with
  | |- 0 <= _ + _ => apply sum_nonnegative; nonnegative
  | |- 0 <= _ * _ => apply product_nonnegative; nonnegative
  | |- 0 <= _ / _ => apply quotient_nonnegative; [nonnegative | positive]
  | |- 0 <= _ ^ Zpos _ => apply power_nonnegative; nonnegative
  | |- 0 <= _ - _ => lra
  | |- 0 <= _ => first [assumption | discriminate | apply Qlt_le_weak; assumption]
  end.

Ltac unpack := intros; repeat match goal with H : _ /\ _ |- _ => destruct H end.

Ltac same_up_to_sign := match goal with
  | H : ~ _ == 0 |- ~ _ == 0 => intro; apply H; match goal with
      | E : ?a == 0 |- ?b == 0 => first
          [ solve [transitivity a; [ring | exact E]] | solve [transitivity (- a); [ring | rewrite E; reflexivity]] ]
      end
  end.

Ltac nonzero := repeat split; first
  [ assumption
  | apply positive_nonzero; positive
  | same_up_to_sign
  | apply positive_nonzero; ring_simplify; positive
  | apply negative_nonzero; ring_simplify; positive ].

(** A parameter of a domain that begins at 0, or is [0, 1], is at an end of it or a fraction of positive numbers. *)
Lemma inside_unit : forall x, 0 < x -> x < 1 -> exists u, 0 < u /\ x == u / (1 + u).
Proof.
  intros x L U. assert (0 < 1 - x) by lra. exists (x / (1 - x)). split.
  - apply quotient_positive; assumption.
  - field. split; lra.
Qed.

Ltac off_zero x := lazymatch goal with
  | L : 0 <= x |- _ => let E := fresh in
      destruct (Qle_lt_or_eq 0 x L) as [? | E]; clear L; [| rewrite <- E in *; clear E]
  end.

Ltac by_domain x :=
  lazymatch goal with
  | U : x <= 1 |- _ => let E := fresh in let S := fresh in
      destruct (Qle_lt_or_eq x 1 U) as [S | E]; clear U; [by_domain x | rewrite E in *; clear E]
  | U : x < 1 |- _ => off_zero x;
      try (let u := fresh in let E := fresh in let P := fresh in
           lazymatch goal with L : 0 < x |- _ =>
             destruct (inside_unit x L U) as [u [P E]]; clear L U; rewrite E in *; clear E end)
  | _ => off_zero x
  end.

Lemma inside_interval : forall x a b, a < x -> x < b -> exists u, 0 < u /\ x == (a + b * u) / (1 + u).
Proof.
  intros x a b L U. exists ((x - a) / (b - x)). split.
  - apply quotient_positive; lra.
  - field. split; lra.
Qed.

Lemma strictly_beyond : forall a x, a < x -> exists u, 0 < u /\ x == a + u.
Proof. intros a x L. exists (x - a). split; [lra | ring]. Qed.

(** The same for a parameter with a value, or in an interval. *)
Ltac put E := try rewrite E; repeat match goal with H : ~ _ == 0 |- _ => rewrite E in H end; clear E.

Ltac within x := let E := fresh in let u := fresh in let P := fresh in
  lazymatch goal with
  | V : x == _ |- _ => put V
  | L : ?a <= x, S : ?b < x |- _ => clear L; within x
  | U : x <= ?a, S : x < ?b |- _ => clear U; within x
  | L : ?a <= x |- _ => destruct (Qle_lt_or_eq a x L) as [? | E]; clear L; [within x | symmetry in E; put E]
  | U : x <= ?b |- _ => destruct (Qle_lt_or_eq x b U) as [? | E]; clear U; [within x | put E]
  | L : ?a < x, U : x < ?b |- _ => destruct (inside_interval x a b L U) as [u [P E]]; clear L U; put E
  | L : 0 < x |- _ => idtac
  | L : ?a < x |- _ => destruct (strictly_beyond a x L) as [u [P E]]; clear L; put E
  end.

Ltac fractions_or_equal := first [fractions | apply Qle_lteq; right; fractions].

Ltac rational_identity := unpack; fractions.

(** [a <= b] where both are equal, or where a divisor is zero. *)
Ltac equal_or_undefined := first
  [ apply Qle_lteq; right; fractions
  | exfalso; match goal with H : ~ _ == 0 |- _ => apply H; ring end ].

Ltac at_numbers := repeat split; first
  [reflexivity | (let K := fresh in intro K; vm_compute in K; discriminate K)].

Ltac refute_rational H :=
  repeat match type of H with
  | ?A -> ?B => let K := fresh in assert (K : A) by at_numbers; specialize (H K); clear K
  end;
  vm_compute in H; first [discriminate H | elim H; reflexivity].

Ltac meet H := repeat match type of H with
  | ?A -> ?B => let K := fresh in
      assert (K : A) by first [reflexivity | nonzero | (repeat split; nonzero)]; specialize (H K); clear K
  end.

(** ** Cases of parameters *)

Lemma three_ways : forall x c, x < c \/ x == c \/ c < x.
Proof. intros x c. destruct (Q_dec x c) as [[L | G] | E]; auto. Qed.

Lemma same_not_less : forall a b, a == b -> a < b -> False.
Proof. intros a b E L. lra. Qed.

Lemma more_not_less : forall a b, b < a -> a < b -> False.
Proof. intros a b G L. lra. Qed.

(** The parameter [x] by [E : x == _], everywhere. *)
Ltac put_everywhere E := try rewrite E in *; clear E.

(** [lra] with quotients of numbers, which it takes for unknowns. *)
Ltac number_lra :=
  repeat match goal with
  | |- context [(?a # ?b) / (?c # ?d)] =>
      let v := eval vm_compute in ((a # b) / (c # d)) in change ((a # b) / (c # d)) with v
  | H : context [(?a # ?b) / (?c # ?d)] |- _ =>
      let v := eval vm_compute in ((a # b) / (c # d)) in change ((a # b) / (c # d)) with v in H
  end; lra.

(** A contradiction with a condition on parameters. *)
Ltac condition_fails H := exfalso;
  repeat match type of H with _ /\ _ => destruct H as [H ?] | _ \/ _ => destruct H as [H | H] end;
  first [number_lra | match goal with K : ~ _ == _ |- _ => apply K; lra end].

(** Removes the premises of a statement at a table, where parameters are positive. *)
Ltac meets H := repeat match type of H with
  | ?A -> ?B => let K := fresh in assert (K : A) by (repeat split; fractions); specialize (H K); clear K
  end.

(** A formula that has no value anywhere. *)
Ltac vacuous := exfalso; match goal with H : ~ ?d == 0 |- _ => apply H; ring end.
