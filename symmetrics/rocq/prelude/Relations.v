(** Two rational formulas: everything here is about [Q], and rests on no axiom.

    What a generated file finds here.

    [same_order], [opposite_order]: that two formulas order all tables alike, or all of them the other way round.
    [linked]: an equation between a function of one formula and a function of the other.
    [moebius_rises], [moebius_falls], [power_rises_to]: steps of such a function that are strictly monotone. *)

Require Import ZArith Lia.
From Symmetrics Require Import OrderedFields.
From Symmetrics Require Export RationalProofs Limits Structure.
Open Scope Q_scope.

(** ** The order of tables *)

Include OrderOfTables Rational.

(** ** Steps of a link: x and y are what becomes of v and w *)

Lemma cross : forall a b c d v w x y, 0 < c * v + d -> 0 < c * w + d ->
  x * (c * v + d) == a * v + b -> y * (c * w + d) == a * w + b ->
  (y - x) * ((c * v + d) * (c * w + d)) == (a * d - b * c) * (w - v).
Proof.
  intros a b c d v w x y V W X Y.
  transitivity (y * (c * w + d) * (c * v + d) - x * (c * v + d) * (c * w + d)); [ring | rewrite X, Y; ring].
Qed.

Lemma sign_shared : forall p q k l, 0 < k -> 0 < l -> p * k == l * q -> (0 < p <-> 0 < q).
Proof.
  intros p q k l K L E. split; intro P.
  - assert (0 < l * q) by (rewrite <- E; apply product_positive; assumption).
    destruct (Qlt_le_dec 0 q) as [Y | N]; [exact Y | exfalso; nra].
  - assert (0 < p * k) by (rewrite E; apply product_positive; assumption).
    destruct (Qlt_le_dec 0 p) as [Y | N]; [exact Y | exfalso; nra].
Qed.

Lemma moebius_rises : forall a b c d v w x y, 0 < a * d - b * c -> 0 < c * v + d -> 0 < c * w + d ->
  x * (c * v + d) == a * v + b -> y * (c * w + d) == a * w + b -> (v < w <-> x < y).
Proof.
  intros a b c d v w x y A V W X Y.
  assert (S := sign_shared _ _ _ _ (product_positive _ _ V W) A (cross a b c d v w x y V W X Y)).
  split; intro H; [assert (0 < y - x) by (apply S; lra) | assert (0 < w - v) by (apply S; lra)]; lra.
Qed.

Lemma moebius_falls : forall a b c d v w x y, 0 < b * c - a * d -> 0 < c * v + d -> 0 < c * w + d ->
  x * (c * v + d) == a * v + b -> y * (c * w + d) == a * w + b -> (v < w <-> y < x).
Proof.
  intros a b c d v w x y A V W X Y.
  assert (X' : - x * (c * v + d) == - a * v + - b) by (transitivity (- (x * (c * v + d))); [ring | rewrite X; ring]).
  assert (Y' : - y * (c * w + d) == - a * w + - b) by (transitivity (- (y * (c * w + d))); [ring | rewrite Y; ring]).
  assert (A' : 0 < - a * d - - b * c) by lra.
  assert (S := moebius_rises (- a) (- b) c d v w (- x) (- y) A' V W X' Y'). rewrite S. split; intro; lra.
Qed.

Lemma power_rises : forall n v w, 0 <= v -> 0 <= w -> (v < w <-> v ^ Zpos n < w ^ Zpos n).
Proof.
  assert (up : forall n v w, 0 <= v -> v < w -> v ^ Zpos n < w ^ Zpos n).
  { intro n. induction n using Pos.peano_ind; intros v w V L.
    - simpl. exact L.
    - rewrite !Pos2Z.inj_succ, <- !Z.add_1_r. rewrite !Qpower_plus' by lia. simpl (_ ^ 1).
      assert (H := IHn v w V L). assert (0 <= v ^ Zpos n) by (apply power_nonnegative; exact V). nra. }
  intros n v w V W. split; [apply up; exact V |]. intro P.
  destruct (Qlt_le_dec v w) as [Y | N]; [exact Y | exfalso].
  apply Qle_lteq in N. destruct N as [N | N]; [assert (H := up n w v W N); lra | rewrite N in P; lra].
Qed.

Lemma power_rises_to : forall n v w x y, 0 <= v -> 0 <= w -> x == v ^ Zpos n -> y == w ^ Zpos n -> (v < w <-> x < y).
Proof. intros n v w x y V W X Y. rewrite X, Y. apply power_rises; assumption. Qed.

(** ** Tactics *)

(** What a step of a link asks for: signs of numbers, a condition on values, and what becomes of them. *)
Ltac link_step := cbn beta in *; first
  [ lra | solve [above] | solve [below] | solve [field; repeat split; first [lra | intro; lra | nonzero]] ].

Ltac conditions := cbn beta in *; unpack.

(** A false statement on the order of two tables. *)
Ltac refute_order H :=
  repeat match type of H with
  | ?A -> ?B => let K := fresh in assert (K : A) by at_numbers; specialize (H K); clear K
  end;
  let one := fresh in let two := fresh in
  destruct H as [one two]; first [refute_rational one | refute_rational two].
