(** Where a rational metric is at its best or its worst: everything here is about [Q], and rests on no axiom.

    Cells may be zero, but not all of them.  The value of a metric at a table is that of its formula as it is written, or
    the limit of the formula as tables of positive cells tend to that table.

    What a generated file finds here: [largest_at_agreement] and [smallest_at_disagreement] with lemmas that prove them by
    two bounds over positive cells, or refute them by tables; [continuous_here] and [at_tables] for their premises. *)

Require Import Qabs.
From Symmetrics Require Export Limits.
Open Scope Q_scope.

(** ** Limits and order *)

Lemma tends_order : forall f g K L, tends f K -> tends g L -> (forall s, 0 < s -> f s <= g s) -> K <= L.
Proof.
  intros f g K L F G H. rewrite tends_near in *. destruct (Qlt_le_dec L K) as [B | B]; [exfalso | exact B].
  assert (E : 0 < (K - L) / 2) by (apply quotient_positive; [lra | reflexivity]).
  assert (S : (K - L) / 2 + (K - L) / 2 == K - L) by field.
  destruct (F _ E) as (a & A & I). destruct (G _ E) as (b & C & J). destruct (smaller a b A C) as (d & P & X & Y).
  assert (0 < d / 2) by (apply quotient_positive; [exact P | reflexivity]). assert (d / 2 + d / 2 == d) by field.
  destruct (I (d / 2)); [lra | lra |]. destruct (J (d / 2)); [lra | lra |].
  specialize (H (d / 2) ltac:(lra)). lra.
Qed.

Lemma tends_step : forall x, tends (fun s => x + s) x.
Proof. intro x. apply tends_near. intros e E. exists e. split; [exact E |]. intros. unfold near. lra. Qed.

Lemma tends_small_step : forall x, tends (fun s => x + s * s) x.
Proof.
  intro x. apply (tends_same _ (fun s => x + s * s) (x + 0 * 0)); [exists 1; split; [reflexivity | intros; reflexivity] | ring |].
  apply (tends_plus (fun _ => x) (fun s => s * s)); [apply tends_const | apply (tends_mult (fun s => s) (fun s => s)); apply tends_id].
Qed.

(** A gap that is at least so large over positive cells, and one that is at most so large, at the ends of a path along
    which two cells become small faster than the others. *)

Section Gap.

  Variable gap : Q -> Q -> Q -> Q -> Q.
  Variables a b c d g : Q.
  Hypothesis cells : 0 <= a /\ 0 <= b /\ 0 <= c /\ 0 <= d.
  Hypothesis not_all_zero : 0 < a + b + c + d.
  Hypothesis limit : tends (fun s => gap (a + s) (b + s * s) (c + s * s) (d + s)) g.

  Lemma gap_stays : forall K k j, 0 < K ->
    (forall a b c d, 0 < a -> 0 < b -> 0 < c -> 0 < d ->
      (b + c) ^ Zpos k / (K * (a + b + c + d) ^ Zpos j) <= gap a b c d) ->
    (b + c) ^ Zpos k / (K * (a + b + c + d) ^ Zpos j) <= g.
  Proof.
    intros K k j P H. apply (tends_order (fun s =>
      ((b + s * s) + (c + s * s)) ^ Zpos k / (K * ((a + s) + (b + s * s) + (c + s * s) + (d + s)) ^ Zpos j)) _ _ _) with (2 := limit).
    - pose proof (tends_step a). pose proof (tends_small_step b). pose proof (tends_small_step c). pose proof (tends_step d).
      apply (tends_div (fun s => ((b + s * s) + (c + s * s)) ^ Zpos k)
        (fun s => K * ((a + s) + (b + s * s) + (c + s * s) + (d + s)) ^ Zpos j)).
      + apply positive_nonzero, product_positive, power_positive; assumption.
      + apply (tends_pow (fun s => (b + s * s) + (c + s * s))), (tends_plus (fun s => b + s * s)); assumption.
      + apply (tends_mult (fun _ => K)); [apply tends_const |].
        apply (tends_pow (fun s => (a + s) + (b + s * s) + (c + s * s) + (d + s))).
        apply (tends_plus (fun s => (a + s) + (b + s * s) + (c + s * s)) (fun s => d + s)); [| assumption].
        apply (tends_plus (fun s => (a + s) + (b + s * s)) (fun s => c + s * s)); [| assumption].
        apply (tends_plus (fun s => a + s) (fun s => b + s * s)); assumption.
    - intros s S. assert (0 < s * s) by (apply product_positive; assumption). destruct cells as (? & ? & ? & ?). apply H; lra.
  Qed.

  Lemma gap_closes : forall L, 0 <= L -> b == 0 -> c == 0 ->
    (forall a b c d, 0 < a -> 0 < b -> 0 < c -> 0 < d -> gap a b c d <= L * ((b + c) * (a + b + c + d) / (a * d))) -> g <= 0.
  Proof.
    intros L P B C H. destruct cells as (A & _ & _ & D).
    assert (W : 0 < a \/ 0 < d) by (destruct (Qlt_le_dec 0 a); [left | right]; lra).
    pose proof (tends_step a). pose proof (tends_small_step b). pose proof (tends_small_step c). pose proof (tends_step d).
    assert (N : tends (fun s => (a + s) + (b + s * s) + (c + s * s) + (d + s)) (a + b + c + d)).
    { apply (tends_plus (fun s => (a + s) + (b + s * s) + (c + s * s)) (fun s => d + s)); [| assumption].
      apply (tends_plus (fun s => (a + s) + (b + s * s)) (fun s => c + s * s)); [| assumption].
      apply (tends_plus (fun s => a + s) (fun s => b + s * s)); assumption. }
    assert (T : forall x, 0 < x ->
      tends (fun s => L * ((2 * s) * ((a + s) + (b + s * s) + (c + s * s) + (d + s)) / (x + s))) (L * ((2 * 0) * (a + b + c + d) / x))).
    { intros x X. apply (tends_mult (fun _ => L)); [apply tends_const |].
      apply (tends_div (fun s => (2 * s) * ((a + s) + (b + s * s) + (c + s * s) + (d + s))) (fun s => x + s));
        [apply positive_nonzero, X | | apply tends_step].
      apply (tends_mult (fun s => 2 * s)); [| exact N].
      apply (tends_mult (fun _ => 2)); [apply tends_const | apply tends_id]. }
    assert (Z : forall x, 0 < x -> L * ((2 * 0) * (a + b + c + d) / x) == 0) by (intros x X; field; lra).
    assert (E : forall s, 0 < s -> gap (a + s) (b + s * s) (c + s * s) (d + s) <=
      L * ((2 * (s * s)) * ((a + s) + (b + s * s) + (c + s * s) + (d + s)) / ((a + s) * (d + s)))).
    { intros s S. assert (0 < s * s) by (apply product_positive; assumption).
      assert (Y : (b + s * s) + (c + s * s) == 2 * (s * s)) by lra. rewrite <- Y. apply H; lra. }
    destruct W as [W | W].
    - rewrite <- (Z a W). apply (tends_order _ _ _ _ limit (T a W)). intros s S.
      eapply Qle_trans; [apply E, S |]. apply difference_nonnegative.
      assert (0 < s * s) by (apply product_positive; assumption).
      apply (nonnegative_as _ (L * (2 * s) * ((a + s) + (b + s * s) + (c + s * s) + (d + s)) * d) ((a + s) * (d + s))).
      + repeat apply product_nonnegative; lra.
      + apply product_positive; lra.
      + field. split; lra.
    - rewrite <- (Z d W). apply (tends_order _ _ _ _ limit (T d W)). intros s S.
      eapply Qle_trans; [apply E, S |]. apply difference_nonnegative.
      assert (0 < s * s) by (apply product_positive; assumption).
      apply (nonnegative_as _ (L * (2 * s) * ((a + s) + (b + s * s) + (c + s * s) + (d + s)) * a) ((a + s) * (d + s))).
      + repeat apply product_nonnegative; lra.
      + apply product_positive; lra.
      + field. split; lra.
  Qed.

End Gap.

(** ** Values, the largest one and the smallest one *)

Section Extremes.

  Variable M : Q -> Q -> Q -> Q -> Q.
  Variable defined : Q -> Q -> Q -> Q -> Prop.

  Local Notation near_table := (near_table defined).
  Local Notation limit_at := (limit_at M defined).
  Local Notation has_value := (has_value M defined).
  Local Notation largest := (largest M defined).
  Local Notation smallest := (smallest M defined).
  Local Notation largest_at_agreement := (largest_at_agreement M defined).
  Local Notation smallest_at_disagreement := (smallest_at_disagreement M defined).
  Local Notation continuous_where_defined := (continuous_where_defined M defined).
  Local Notation defined_inside := (defined_inside defined).

  (** *** Proofs: a gap to the extreme value that is bounded on both sides *)

  Hypothesis continuous : continuous_where_defined.
  Hypothesis inside : defined_inside.

  Lemma value_along : forall TP FN FP TN v a b c d, has_value TP FN FP TN v ->
    tends a TP -> tends b FN -> tends c FP -> tends d TN ->
    (forall s, 0 < s -> 0 < a s /\ 0 < b s /\ 0 < c s /\ 0 < d s) -> tends (fun s => M (a s) (b s) (c s) (d s)) v.
  Proof.
    intros TP FN FP TN v a b c d (_ & _ & [[D E] | [_ V]]) A B C X P.
    - apply (tends_same _ (fun s => M (a s) (b s) (c s) (d s)) (M TP FN FP TN)).
      + exists 1. split; [reflexivity | intros; reflexivity].
      + exact E.
      + apply continuous; assumption.
    - intros e E. destruct (V e E) as (x & Y & H).
      destruct (A x Y) as (p & P0 & P1). destruct (B x Y) as (q & Q0 & Q1).
      destruct (C x Y) as (r & R0 & R1). destruct (X x Y) as (t & T0 & T1).
      destruct (smaller p q P0 Q0) as (m & M0 & M1 & M2). destruct (smaller r t R0 T0) as (n & N0 & N1 & N2).
      destruct (smaller m n M0 N0) as (z & Z0 & Z1 & Z2).
      exists z. split; [exact Z0 | intros s S T]. destruct (P s S) as (? & ? & ? & ?). apply H.
      repeat split; try assumption; [apply inside; assumption | apply P1; lra | apply Q1; lra | apply R1; lra | apply T1; lra].
  Qed.

  Lemma path_positive : forall a b c d, 0 <= a /\ 0 <= b /\ 0 <= c /\ 0 <= d ->
    forall s, 0 < s -> 0 < a + s /\ 0 < b + s * s /\ 0 < c + s * s /\ 0 < d + s.
  Proof. intros a b c d (? & ? & ? & ?) s S. assert (0 < s * s) by (apply product_positive; assumption). repeat split; lra. Qed.

  Lemma gap_above : forall c TP FN FP TN v, has_value TP FN FP TN v ->
    tends (fun s => c - M (TP + s) (FN + s * s) (FP + s * s) (TN + s)) (c - v).
  Proof.
    intros c TP FN FP TN v V. destruct V as (N & V). apply (tends_minus (fun _ => c)); [apply tends_const |].
    apply (value_along TP FN FP TN v (fun s => TP + s) (fun s => FN + s * s) (fun s => FP + s * s) (fun s => TN + s));
      [split; assumption | apply tends_step | apply tends_small_step | apply tends_small_step | apply tends_step |].
    apply path_positive, N.
  Qed.

  Lemma gap_below : forall c TP FN FP TN v, has_value TP FN FP TN v ->
    tends (fun s => M (TP + s * s) (FN + s) (FP + s) (TN + s * s) - c) (v - c).
  Proof.
    intros c TP FN FP TN v V. destruct V as (N & V). apply (tends_minus (fun s => M (TP + s * s) (FN + s) (FP + s) (TN + s * s)) (fun _ => c));
      [| apply tends_const].
    apply (value_along TP FN FP TN v (fun s => TP + s * s) (fun s => FN + s) (fun s => FP + s) (fun s => TN + s * s));
      [split; assumption | apply tends_small_step | apply tends_step | apply tends_step | apply tends_small_step |].
    intros s S. destruct (path_positive FN TP TN FP) with (s := s) as (? & ? & ? & ?); [tauto | exact S |]. tauto.
  Qed.

  Theorem largest_at_agreement_by : forall c K L k j, 0 < K -> 0 <= L -> defined 1 0 0 1 /\ M 1 0 0 1 == c ->
    (forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN ->
      (FN + FP) ^ Zpos k / (K * (TP + FN + FP + TN) ^ Zpos j) <= c - M TP FN FP TN) ->
    (forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN ->
      c - M TP FN FP TN <= L * ((FN + FP) * (TP + FN + FP + TN) / (TP * TN))) -> largest_at_agreement.
  Proof.
    intros c K L k j PK PL [D E] H1 H2.
    assert (stays : forall TP FN FP TN v, has_value TP FN FP TN v ->
      (FN + FP) ^ Zpos k / (K * (TP + FN + FP + TN) ^ Zpos j) <= c - v).
    { intros TP FN FP TN v V. assert (W := V). destruct W as (N & S & _).
      apply (gap_stays (fun TP FN FP TN => c - M TP FN FP TN) TP FN FP TN _ N S (gap_above c _ _ _ _ v V) K k j PK H1). }
    assert (at_most : forall TP FN FP TN v, has_value TP FN FP TN v -> v <= c).
    { intros TP FN FP TN v V. specialize (stays _ _ _ _ _ V). destruct V as ((? & ? & ? & ?) & S & _).
      assert (0 <= (FN + FP) ^ Zpos k / (K * (TP + FN + FP + TN) ^ Zpos j)); [| lra].
      apply quotient_nonnegative; [apply power_nonnegative; lra | apply product_positive; [exact PK | apply power_positive; exact S]]. }
    assert (best : largest c).
    { split; [exists 1, 0, 0, 1 | exact at_most]. split; [repeat split; discriminate |]. split; [reflexivity | left; split; assumption]. }
    split; [exists c; exact best |]. intros TP FN FP TN v V. assert (W := V). destruct W as (N & S & _). split.
    - intros [_ G]. destruct best as [(a & b & e & f & B) _]. specialize (G _ _ _ _ _ B).
      specialize (stays _ _ _ _ _ V). destruct N as (? & ? & ? & ?).
      destruct (Qlt_le_dec 0 (FN + FP)) as [P | P]; [exfalso | split; lra].
      assert (0 < (FN + FP) ^ Zpos k / (K * (TP + FN + FP + TN) ^ Zpos j)); [| lra].
      apply quotient_positive; [apply power_positive; exact P | apply product_positive; [exact PK | apply power_positive; exact S]].
    - intros [B C].
      assert (c - v <= 0) by exact (gap_closes (fun TP FN FP TN => c - M TP FN FP TN) TP FN FP TN _ N S (gap_above c _ _ _ _ v V) L PL B C H2).
      split; [exists TP, FN, FP, TN; exact V |]. intros a b e f w X. specialize (at_most _ _ _ _ _ X). lra.
  Qed.

  Theorem smallest_at_disagreement_by : forall c K L k j, 0 < K -> 0 <= L -> defined 0 1 1 0 /\ M 0 1 1 0 == c ->
    (forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN ->
      (TP + TN) ^ Zpos k / (K * (TP + FN + FP + TN) ^ Zpos j) <= M TP FN FP TN - c) ->
    (forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN ->
      M TP FN FP TN - c <= L * ((TP + TN) * (TP + FN + FP + TN) / (FN * FP))) -> smallest_at_disagreement.
  Proof.
    intros c K L k j PK PL [D E] H1 H2.
    assert (sum : forall TP FN FP TN, FN + TP + TN + FP == TP + FN + FP + TN) by (intros; ring).
    assert (stays : forall TP FN FP TN v, has_value TP FN FP TN v ->
      (TP + TN) ^ Zpos k / (K * (TP + FN + FP + TN) ^ Zpos j) <= v - c).
    { intros TP FN FP TN v V. assert (W := V). destruct W as (N & S & _). rewrite <- sum.
      apply (gap_stays (fun FN TP TN FP => M TP FN FP TN - c) FN TP TN FP (v - c)) with (K := K); try tauto; try lra.
      - exact (gap_below c TP FN FP TN v V).
      - intros. rewrite sum. apply H1; assumption. }
    assert (at_least : forall TP FN FP TN v, has_value TP FN FP TN v -> c <= v).
    { intros TP FN FP TN v V. specialize (stays _ _ _ _ _ V). destruct V as ((? & ? & ? & ?) & S & _).
      assert (0 <= (TP + TN) ^ Zpos k / (K * (TP + FN + FP + TN) ^ Zpos j)); [| lra].
      apply quotient_nonnegative; [apply power_nonnegative; lra | apply product_positive; [exact PK | apply power_positive; exact S]]. }
    assert (worst : smallest c).
    { split; [exists 0, 1, 1, 0 | exact at_least]. split; [repeat split; discriminate |]. split; [reflexivity | left; split; assumption]. }
    split; [exists c; exact worst |]. intros TP FN FP TN v V. assert (W := V). destruct W as (N & S & _). split.
    - intros [_ G]. destruct worst as [(a & b & e & f & B) _]. specialize (G _ _ _ _ _ B).
      specialize (stays _ _ _ _ _ V). destruct N as (? & ? & ? & ?).
      destruct (Qlt_le_dec 0 (TP + TN)) as [P | P]; [exfalso | split; lra].
      assert (0 < (TP + TN) ^ Zpos k / (K * (TP + FN + FP + TN) ^ Zpos j)); [| lra].
      apply quotient_positive; [apply power_positive; exact P | apply product_positive; [exact PK | apply power_positive; exact S]].
    - intros [B C].
      assert (v - c <= 0).
      { apply (gap_closes (fun FN TP TN FP => M TP FN FP TN - c) FN TP TN FP (v - c)) with (L := L); try tauto; try lra.
        - exact (gap_below c TP FN FP TN v V).
        - intros. rewrite sum. apply H2; assumption. }
      split; [exists TP, FN, FP, TN; exact V |]. intros a b e f w X. specialize (at_least _ _ _ _ _ X). lra.
  Qed.

  (** *** Refutations: values that are not in order, or without an end, or as large elsewhere *)

  (** A table whose cells may be zero, but not all of them, and at which the metric is defined as it is written. *)
  Definition table (TP FN FP TN : Q) : Prop :=
    0 <= TP /\ 0 <= FN /\ 0 <= FP /\ 0 <= TN /\ 0 < TP + FN + FP + TN /\ defined TP FN FP TN.

  Lemma value_at_table : forall TP FN FP TN, table TP FN FP TN -> has_value TP FN FP TN (M TP FN FP TN).
  Proof. intros TP FN FP TN (? & ? & ? & ? & ? & ?). repeat split; try assumption. left. split; [assumption | reflexivity]. Qed.

  Lemma value_inside : forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> defined TP FN FP TN ->
    has_value TP FN FP TN (M TP FN FP TN).
  Proof. intros. apply value_at_table. repeat split; lra || assumption. Qed.

  Lemma largest_at_agreement_unbounded : no_upper_end M defined -> ~ largest_at_agreement.
  Proof.
    intros N [[v [_ G]] _]. destruct (N v) as (a & b & c & d & A & B & C & D & E & F).
    specialize (G _ _ _ _ _ (value_inside a b c d A B C D E)). lra.
  Qed.

  Lemma smallest_at_disagreement_unbounded : no_lower_end M defined -> ~ smallest_at_disagreement.
  Proof.
    intros N [[v [_ G]] _]. destruct (N v) as (a & b & c & d & A & B & C & D & E & F).
    specialize (G _ _ _ _ _ (value_inside a b c d A B C D E)). lra.
  Qed.

  Variables a b c d a' b' c' d' : Q.

  Lemma largest_at_agreement_elsewhere :
    table a b c d /\ table a' b' c' d' /\ 0 < b + c /\ b' == 0 /\ c' == 0 /\ M a' b' c' d' <= M a b c d ->
    ~ largest_at_agreement.
  Proof.
    intros (X & Y & P & B & C & L) [_ H]. apply value_at_table in X, Y.
    assert (G : largest (M a' b' c' d')) by (apply (H _ _ _ _ _ Y); split; assumption).
    assert (K : largest (M a b c d)).
    { split; [exists a, b, c, d; exact X |]. intros e f g h w Z. destruct G as [_ G]. specialize (G _ _ _ _ _ Z). lra. }
    apply (H _ _ _ _ _ X) in K. destruct K. lra.
  Qed.

  Lemma largest_at_agreement_two_values :
    table a b c d /\ table a' b' c' d' /\ b == 0 /\ c == 0 /\ b' == 0 /\ c' == 0 /\ ~ M a' b' c' d' == M a b c d ->
    ~ largest_at_agreement.
  Proof.
    intros (X & Y & A & P & B & C & N) [_ H]. apply value_at_table in X, Y. apply N.
    assert (G : largest (M a' b' c' d')) by (apply (H _ _ _ _ _ Y); split; assumption).
    assert (K : largest (M a b c d)) by (apply (H _ _ _ _ _ X); split; assumption).
    destruct G as [_ G], K as [_ K]. specialize (G _ _ _ _ _ X). specialize (K _ _ _ _ _ Y). lra.
  Qed.

  Lemma smallest_at_disagreement_elsewhere :
    table a b c d /\ table a' b' c' d' /\ 0 < a + d /\ a' == 0 /\ d' == 0 /\ M a b c d <= M a' b' c' d' ->
    ~ smallest_at_disagreement.
  Proof.
    intros (X & Y & P & B & C & L) [_ H]. apply value_at_table in X, Y.
    assert (G : smallest (M a' b' c' d')) by (apply (H _ _ _ _ _ Y); split; assumption).
    assert (K : smallest (M a b c d)).
    { split; [exists a, b, c, d; exact X |]. intros e f g h w Z. destruct G as [_ G]. specialize (G _ _ _ _ _ Z). lra. }
    apply (H _ _ _ _ _ X) in K. destruct K. lra.
  Qed.

  Lemma smallest_at_disagreement_two_values :
    table a b c d /\ table a' b' c' d' /\ a == 0 /\ d == 0 /\ a' == 0 /\ d' == 0 /\ ~ M a' b' c' d' == M a b c d ->
    ~ smallest_at_disagreement.
  Proof.
    intros (X & Y & A & P & B & C & N) [_ H]. apply value_at_table in X, Y. apply N.
    assert (G : smallest (M a' b' c' d')) by (apply (H _ _ _ _ _ Y); split; assumption).
    assert (K : smallest (M a b c d)) by (apply (H _ _ _ _ _ X); split; assumption).
    destruct G as [_ G], K as [_ K]. specialize (G _ _ _ _ _ X). specialize (K _ _ _ _ _ Y). lra.
  Qed.

  Lemma straight : forall e f g h w, has_value e f g h w -> tends (fun s => M (e + s) (f + s) (g + s) (h + s)) w.
  Proof.
    intros e f g h w V. assert (W := V). destruct W as ((? & ? & ? & ?) & _).
    apply (value_along e f g h w (fun s => e + s) (fun s => f + s) (fun s => g + s) (fun s => h + s));
      try apply tends_step; [exact V | intros s S; repeat split; lra].
  Qed.

  (** A table with an error at which the metric is as large as it is anywhere. *)
  Lemma largest_at_agreement_attained :
    table a b c d /\ 0 < b + c -> greatest M defined (M a b c d) -> ~ largest_at_agreement.
  Proof.
    intros (X & P) G [_ H]. apply value_at_table in X. assert (K : largest (M a b c d)).
    { split; [exists a, b, c, d; exact X |]. intros e f g h w V. assert (W := V). destruct W as ((? & ? & ? & ?) & _).
      apply (tends_order _ _ _ _ (straight e f g h w V) (tends_const (M a b c d))).
      intros s S. apply G; try apply inside; lra. }
    apply (H _ _ _ _ _ X) in K. destruct K. lra.
  Qed.

  Lemma smallest_at_disagreement_attained :
    table a b c d /\ 0 < a + d -> least M defined (M a b c d) -> ~ smallest_at_disagreement.
  Proof.
    intros (X & P) G [_ H]. apply value_at_table in X. assert (K : smallest (M a b c d)).
    { split; [exists a, b, c, d; exact X |]. intros e f g h w V. assert (W := V). destruct W as ((? & ? & ? & ?) & _).
      apply (tends_order _ _ _ _ (tends_const (M a b c d)) (straight e f g h w V)).
      intros s S. apply G; try apply inside; lra. }
    apply (H _ _ _ _ _ X) in K. destruct K. lra.
  Qed.

End Extremes.

(** Facts at tables of numbers, where parameters may be left. *)
Ltac at_tables := unfold table; repeat split; first [exact I | rational | discriminate | reflexivity | fractions | apply Qle_lteq; right; fractions].

(** A divisor made of divisors that are not zero by hypothesis. *)
Lemma product_nonzero : forall x y, ~ x == 0 -> ~ y == 0 -> ~ x * y == 0.
Proof. intros x y X Y E. destruct (Qmult_integral _ _ E); contradiction. Qed.

Lemma power_nonzero : forall x n, ~ x == 0 -> ~ x ^ Zpos n == 0.
Proof. intros x n. apply Qpower_not_0_positive. Qed.

Ltac nonzero_as_given := lazymatch goal with
  | |- ~ _ * _ == 0 => first [assumption | apply product_nonzero; nonzero_as_given]
  | |- ~ _ ^ Zpos _ == 0 => first [assumption | apply power_nonzero; nonzero_as_given]
  | |- _ => first [assumption | discriminate | fractions]
  end.

Ltac continuous_here M D := intros TP FN FP TN a b c d ? ? ? ? given; unfold D in given; unpack; unfold M; passes; nonzero_as_given.

Ltac defined_here D := intros TP FN FP TN ? ? ? ?; unfold D; repeat split; first [exact I | fractions].
