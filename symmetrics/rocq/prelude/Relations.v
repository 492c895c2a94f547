(** Two rational formulas: everything here is about [Q], and rests on no axiom.

    What a generated file finds here.

    [same_order], [opposite_order]: that two formulas order all tables alike, or all of them the other way round.
    [linked]: an equation between a function of one formula and a function of the other.
    [moebius_rises], [moebius_falls], [power_rises_to]: steps of such a function that are strictly monotone. *)

Require Import ZArith Lia.
From Symmetrics Require Export RationalProofs Limits Structure.
Open Scope Q_scope.

(** ** The order of tables *)

(** Of any two tables at which both formulas have values, M is larger at the one at which L is. *)
Definition same_order (M : metric) (D : domain) (L : metric) (E : domain) : Prop :=
  forall TP FN FP TN other_TP other_FN other_FP other_TN,
  0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < other_TP -> 0 < other_FN -> 0 < other_FP -> 0 < other_TN ->
  D TP FN FP TN -> D other_TP other_FN other_FP other_TN -> E TP FN FP TN -> E other_TP other_FN other_FP other_TN ->
  (M TP FN FP TN < M other_TP other_FN other_FP other_TN <-> L TP FN FP TN < L other_TP other_FN other_FP other_TN).

(** M is larger at the one at which L is smaller. *)
Definition opposite_order (M : metric) (D : domain) (L : metric) (E : domain) : Prop :=
  forall TP FN FP TN other_TP other_FN other_FP other_TN,
  0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < other_TP -> 0 < other_FN -> 0 < other_FP -> 0 < other_TN ->
  D TP FN FP TN -> D other_TP other_FN other_FP other_TN -> E TP FN FP TN -> E other_TP other_FN other_FP other_TN ->
  (M TP FN FP TN < M other_TP other_FN other_FP other_TN <-> L other_TP other_FN other_FP other_TN < L TP FN FP TN).

(** An equation between functions of the two formulas. *)
Definition linked (M : metric) (D : domain) (L : metric) (E : domain) (f g : Q -> Q) : Prop :=
  forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> D TP FN FP TN -> E TP FN FP TN ->
  f (M TP FN FP TN) == g (L TP FN FP TN).

Definition values_in (M : metric) (D : domain) (P : Q -> Prop) : Prop :=
  forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> D TP FN FP TN -> P (M TP FN FP TN).

Definition rises_on (P : Q -> Prop) (f : Q -> Q) : Prop := forall v w, P v -> P w -> (v < w <-> f v < f w).

Definition falls_on (P : Q -> Prop) (f : Q -> Q) : Prop := forall v w, P v -> P w -> (v < w <-> f w < f v).

Lemma less_same : forall a b c d, a == b -> c == d -> (a < c <-> b < d).
Proof. intros a b c d E F. rewrite E, F. apply iff_refl. Qed.

Ltac ordered :=
  intros M D L E f g P Q link left right inM inL TP FN FP TN other_TP other_FN other_FP other_TN; intros;
  assert (here := link TP FN FP TN); assert (there := link other_TP other_FN other_FP other_TN);
  assert (rise := less_same _ _ _ _ (here ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption)
    ltac:(assumption) ltac:(assumption)) (there ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption)
    ltac:(assumption) ltac:(assumption)));
  assert (fall := less_same _ _ _ _ (there ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption)
    ltac:(assumption) ltac:(assumption)) (here ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption)
    ltac:(assumption) ltac:(assumption)));
  assert (one := left (M TP FN FP TN) (M other_TP other_FN other_FP other_TN) ltac:(apply inM; assumption)
    ltac:(apply inM; assumption));
  assert (two := right (L TP FN FP TN) (L other_TP other_FN other_FP other_TN) ltac:(apply inL; assumption)
    ltac:(apply inL; assumption));
  assert (three := right (L other_TP other_FN other_FP other_TN) (L TP FN FP TN) ltac:(apply inL; assumption)
    ltac:(apply inL; assumption));
  tauto.

Lemma same_order_rising : forall M D L E f g P Q, linked M D L E f g -> rises_on P f -> rises_on Q g ->
  values_in M D P -> values_in L E Q -> same_order M D L E.
Proof. ordered. Qed.

Lemma same_order_falling : forall M D L E f g P Q, linked M D L E f g -> falls_on P f -> falls_on Q g ->
  values_in M D P -> values_in L E Q -> same_order M D L E.
Proof. ordered. Qed.

Lemma opposite_order_rising : forall M D L E f g P Q, linked M D L E f g -> rises_on P f -> falls_on Q g ->
  values_in M D P -> values_in L E Q -> opposite_order M D L E.
Proof. ordered. Qed.

Lemma opposite_order_falling : forall M D L E f g P Q, linked M D L E f g -> falls_on P f -> rises_on Q g ->
  values_in M D P -> values_in L E Q -> opposite_order M D L E.
Proof. ordered. Qed.

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
