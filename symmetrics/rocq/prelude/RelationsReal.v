(** Two formulas with roots, logarithms, absolute values or extremes: everything here is about [R].

    What a generated file finds here.

    [same_order], [opposite_order]: that two formulas order all tables alike, or all of them the other way round.
    [root_of]: the square root of what is positive, as a number of which only its square and its sign are known.
    [plain_nonnegative], [factor_nonnegative] and their like: the sign of a + b * r by comparison of squares.
    [moebius_rises], [moebius_falls], [power_rises_to] and their like: steps of a link between two formulas. *)

From Symmetrics Require Import OrderedFields.
From Symmetrics Require Export RealProofs Monotone StructureReals LimitsReal.
Open Scope R_scope.

(** ** Sums with a square root *)

Lemma root_of : forall x, 0 < x -> exists r, 0 < r /\ r * r = x.
Proof. intros x P. exists (sqrt x). split; [apply sqrt_lt_R0, P | apply sqrt_sqrt; lra]. Qed.

Lemma root_is : forall u w, 0 <= w -> w * w = u -> sqrt u = w.
Proof. intros u w W E. apply sqrt_lem_1; [rewrite <- E; apply Rmult_le_pos |  |]; assumption. Qed.

Lemma square_at_most : forall a b, 0 <= a -> 0 <= b -> 0 <= a * a - b * b -> b <= a.
Proof. intros a b A B N. destruct (Rle_lt_dec b a) as [Y | Z]; [exact Y | exfalso; nra]. Qed.

Lemma square_less : forall a b, 0 <= a -> 0 <= b -> 0 < a * a - b * b -> b < a.
Proof. intros a b A B N. destruct (Rlt_le_dec b a) as [Y | Z]; [exact Y | exfalso; nra]. Qed.

Lemma plain_nonnegative : forall a b r x, 0 <= r -> r * r = x -> 0 <= a ->
  (0 <= - b -> 0 <= a * a - b * b * x) -> 0 <= a + b * r.
Proof.
  intros a b r x R X A N. subst x. destruct (Rle_lt_dec 0 b) as [B | B].
  - assert (0 <= b * r) by (apply Rmult_le_pos; assumption). lra.
  - assert (0 <= - b * r) by (apply Rmult_le_pos; lra). specialize (N ltac:(lra)).
    assert (- b * r <= a) by (apply square_at_most; [lra | lra |];
      replace (a * a - - b * r * (- b * r)) with (a * a - b * b * (r * r)) by ring; exact N). lra.
Qed.

Lemma plain_positive : forall a b r x, 0 <= r -> r * r = x -> 0 < a ->
  (0 <= - b -> 0 < a * a - b * b * x) -> 0 < a + b * r.
Proof.
  intros a b r x R X A N. subst x. destruct (Rle_lt_dec 0 b) as [B | B].
  - assert (0 <= b * r) by (apply Rmult_le_pos; assumption). lra.
  - assert (0 <= - b * r) by (apply Rmult_le_pos; lra). specialize (N ltac:(lra)).
    assert (- b * r < a) by (apply square_less; [lra | lra |];
      replace (a * a - - b * r * (- b * r)) with (a * a - b * b * (r * r)) by ring; exact N). lra.
Qed.

Lemma factor_nonnegative : forall a b r x, 0 <= r -> r * r = x -> 0 <= b ->
  (0 <= - a -> 0 <= b * b * x - a * a) -> 0 <= a + b * r.
Proof.
  intros a b r x R X B N. subst x. assert (0 <= b * r) by (apply Rmult_le_pos; assumption).
  destruct (Rle_lt_dec 0 a) as [A | A]; [lra |]. specialize (N ltac:(lra)).
  assert (- a <= b * r) by (apply square_at_most; [lra | lra |];
    replace (b * r * (b * r) - - a * - a) with (b * b * (r * r) - a * a) by ring; exact N). lra.
Qed.

Lemma factor_positive : forall a b r x, 0 < r -> r * r = x -> 0 < b ->
  (0 <= - a -> 0 < b * b * x - a * a) -> 0 < a + b * r.
Proof.
  intros a b r x R X B N. subst x. assert (0 < b * r) by (apply Rmult_lt_0_compat; assumption).
  destruct (Rle_lt_dec 0 a) as [A | A]; [lra |]. specialize (N ltac:(lra)).
  assert (- a < b * r) by (apply square_less; [lra | lra |];
    replace (b * r * (b * r) - - a * - a) with (b * b * (r * r) - a * a) by ring; exact N). lra.
Qed.

(** ** The order of tables *)

Include OrderOfTables Real.

(** ** Steps of a link: x and y are what becomes of v and w *)

Lemma cross : forall a b c d v w x y, 0 < c * v + d -> 0 < c * w + d ->
  x * (c * v + d) = a * v + b -> y * (c * w + d) = a * w + b ->
  (y - x) * ((c * v + d) * (c * w + d)) = (a * d - b * c) * (w - v).
Proof.
  intros a b c d v w x y V W X Y.
  transitivity (y * (c * w + d) * (c * v + d) - x * (c * v + d) * (c * w + d)); [ring | rewrite X, Y; ring].
Qed.

Lemma sign_shared : forall p q k l, 0 < k -> 0 < l -> p * k = l * q -> (0 < p <-> 0 < q).
Proof.
  intros p q k l K L E. split; intro P.
  - assert (0 < l * q) by (rewrite <- E; apply product_positive; assumption).
    destruct (Rlt_le_dec 0 q) as [Y | N]; [exact Y | exfalso; nra].
  - assert (0 < p * k) by (rewrite E; apply product_positive; assumption).
    destruct (Rlt_le_dec 0 p) as [Y | N]; [exact Y | exfalso; nra].
Qed.

Lemma moebius_rises : forall a b c d v w x y, 0 < a * d - b * c -> 0 < c * v + d -> 0 < c * w + d ->
  x * (c * v + d) = a * v + b -> y * (c * w + d) = a * w + b -> (v < w <-> x < y).
Proof.
  intros a b c d v w x y A V W X Y.
  assert (S := sign_shared _ _ _ _ (product_positive _ _ V W) A (cross a b c d v w x y V W X Y)).
  split; intro H; [assert (0 < y - x) by (apply S; lra) | assert (0 < w - v) by (apply S; lra)]; lra.
Qed.

Lemma moebius_falls : forall a b c d v w x y, 0 < b * c - a * d -> 0 < c * v + d -> 0 < c * w + d ->
  x * (c * v + d) = a * v + b -> y * (c * w + d) = a * w + b -> (v < w <-> y < x).
Proof.
  intros a b c d v w x y A V W X Y.
  assert (X' : - x * (c * v + d) = - a * v + - b) by (transitivity (- (x * (c * v + d))); [ring | rewrite X; ring]).
  assert (Y' : - y * (c * w + d) = - a * w + - b) by (transitivity (- (y * (c * w + d))); [ring | rewrite Y; ring]).
  assert (A' : 0 < - a * d - - b * c) by lra.
  assert (S := moebius_rises (- a) (- b) c d v w (- x) (- y) A' V W X' Y'). rewrite S. split; intro; lra.
Qed.

Lemma increasing_rises : forall (f : R -> R) (P : R -> Prop), (forall v w, P v -> P w -> v < w -> f v < f w) ->
  forall v w, P v -> P w -> (v < w <-> f v < f w).
Proof.
  intros f P up v w V W. split; [apply up; assumption |]. intro L.
  destruct (Rtotal_order v w) as [Y | [N | N]]; [exact Y | subst; lra |].
  assert (H := up w v W V N). lra.
Qed.

Lemma power_rises : forall n v w, 0 <= v -> 0 <= w -> (v < w <-> v ^ S n < w ^ S n).
Proof.
  intros n v w V W. apply (increasing_rises (fun v => v ^ S n) (fun v => 0 <= v)); try assumption.
  clear. intros v w V W L. induction n as [| n H]; [simpl; lra |].
  change (v * v ^ S n < w * w ^ S n). assert (0 <= v ^ S n) by (apply pow_le; exact V). nra.
Qed.

Lemma power_rises_to : forall n v w x y, 0 <= v -> 0 <= w -> x = v ^ S n -> y = w ^ S n -> (v < w <-> x < y).
Proof. intros n v w x y V W X Y. rewrite X, Y. apply power_rises; assumption. Qed.

Lemma sqrt_rises : forall v w, 0 <= v -> 0 <= w -> (v < w <-> sqrt v < sqrt w).
Proof.
  intros v w V W. split; intro L; [apply sqrt_lt_1; assumption | apply sqrt_lt_0_alt; assumption].
Qed.

Lemma root_rises : forall n v w, 0 <= v -> 0 <= w -> (v < w <-> root n v < root n w).
Proof.
  intros n v w V W. apply (increasing_rises (root n) (fun v => 0 <= v)); try assumption.
  clear. intros v w V W L. destruct (Rlt_le_dec (root n v) (root n w)) as [Y | N]; [exact Y | exfalso].
  assert (P := pow_incr _ _ (Pos.to_nat n) (conj (root_nonnegative n w) N)). rewrite !root_power in P by assumption. lra.
Qed.

Lemma ln_rises : forall v w, 0 < v -> 0 < w -> (v < w <-> ln v < ln w).
Proof. intros v w V W. split; intro L; [apply ln_increasing; assumption | apply ln_lt_inv; assumption]. Qed.

(** ** Tactics *)

(** What a step of a link asks for: signs of numbers, a condition on values, and what becomes of them. *)
Ltac link_step := cbn beta in *; atoms_positive; first
  [ lra | solve [above] | solve [below] | solve [rewrite ?Rmult_0_l, ?Rmult_1_r, ?Rminus_0_r; above]
  | solve [field; repeat split; first [lra | apart | apply not_eq_sym, Rlt_not_eq; lra]] ].

Ltac conditions := cbn beta in *; unpack.

(** A false statement on the order of two tables. *)
Ltac refute_order bits H :=
  repeat match type of H with
  | ?A -> ?B => let K := fresh in assert (K : A) by at_real_numbers bits; specialize (H K); clear K
  end;
  let one := fresh in let two := fresh in
  destruct H as [one two]; first [refute_real bits one | refute_real bits two].
