(** The values of a metric with roots, logarithms, absolute values, minima and maxima over all positive cells, and what
    it tends to: everything here is about [R].

    What a generated file finds here: the ends of a range as propositions about a metric and its premise, limits with
    the tactic [continuous], and signs of polynomials in cells and roots. *)

From Symmetrics Require Import OrderedFields.
From Symmetrics Require Export RealProofs.
Open Scope R_scope.

(** ** Ends of a range, and limits *)

Module Real <: OrderedField.
  Definition number := R.
  Definition equal := @eq R.
  Definition less := Rlt.
  Definition at_most := Rle.
  Definition zero := 0.
  Definition plus := Rplus.
  Definition minus := Rminus.
  Definition opposite := Ropp.
  Definition absolute := Rabs.
  Lemma less_same : forall a b c d, a = b -> c = d -> (a < c <-> b < d).
  Proof. intros a b c d E F. rewrite E, F. apply iff_refl. Qed.
  Definition less_at_most := Rlt_le.
  Lemma less_at_most_false : forall a b, a < b -> b <= a -> False.
  Proof. intros. lra. Qed.
  Lemma surrounded : forall a, exists p, 0 < p /\ (forall v, v < - p -> v < a) /\ (forall v, p < v -> a < v).
  Proof.
    intros a. pose proof (Rabs_pos a). pose proof (Rle_abs a).
    pose proof (Rle_abs (- a)) as K. rewrite Rabs_Ropp in K. exists (Rabs a + 1). repeat split; intros; lra.
  Qed.
End Real.

Include Statements Real.

Lemma scaled_by : forall c d g, 0 <= c -> 0 < d -> g = c * d -> 0 <= g.
Proof. intros c d g C D ->. apply Rmult_le_pos; lra. Qed.

Lemma unscaled_positive : forall m p, 0 < m -> 0 < m * p -> 0 < p.
Proof. intros m p M P. destruct (Rlt_le_dec 0 p) as [Y | N]; [exact Y | exfalso; nra]. Qed.

Lemma unscaled_nonnegative : forall m p, 0 < m -> 0 <= m * p -> 0 <= p.
Proof. intros m p M P. destruct (Rle_lt_dec 0 p) as [Y | N]; [exact Y | exfalso; nra]. Qed.

Lemma one_sign : forall m a b, 0 < m -> 0 <= m * (a * b) -> (0 <= a /\ 0 <= b) \/ (0 <= - a /\ 0 <= - b).
Proof.
  intros m a b M P. apply unscaled_nonnegative in P; [| exact M].
  destruct (Rle_lt_dec 0 a), (Rle_lt_dec 0 b); [left | right | right | right]; split; nra.
Qed.

(** ** Limits *)

Lemma tends_const : forall c, tends (fun _ => c) c.
Proof. intros c e E. exists 1. split; [lra | intros]. rewrite Rminus_eq_0, Rabs_R0. exact E. Qed.

Lemma tends_id : tends (fun s => s) 0.
Proof. intros e E. exists e. split; [exact E | intros s P D]. rewrite Rminus_0_r, Rabs_pos_eq; lra. Qed.

Lemma tends_through : forall g f L, continuity_pt g L -> tends f L -> tends (fun s => g (f s)) (g L).
Proof.
  intros g f L C T e E. destruct (C e E) as (a & A & H). destruct (T a A) as (d & D & K).
  exists d. split; [exact D | intros s P S].
  destruct (Req_dec (f s) L) as [-> | N]; [rewrite Rminus_eq_0, Rabs_R0; exact E |].
  apply (H (f s)). split; [split; [exact I | intro Q; apply N; symmetry; exact Q] | apply K; assumption].
Qed.

Lemma tends_plus : forall f g K L, tends f K -> tends g L -> tends (fun s => f s + g s) (K + L).
Proof.
  intros f g K L F G e E. destruct (F (e / 2)) as (a & A & H); [lra |]. destruct (G (e / 2)) as (b & B & I); [lra |].
  exists (Rmin a b). split; [apply Rmin_pos; assumption | intros s P S].
  specialize (H s P (Rlt_le_trans _ _ _ S (Rmin_l a b))). specialize (I s P (Rlt_le_trans _ _ _ S (Rmin_r a b))).
  replace (f s + g s - (K + L)) with ((f s - K) + (g s - L)) by ring.
  eapply Rle_lt_trans; [apply Rabs_triang | lra].
Qed.

Lemma tends_scale : forall c f L, tends f L -> tends (fun s => c * f s) (c * L).
Proof.
  intros c f L F. apply (tends_through (fun x => c * x)); [| exact F].
  apply (continuity_pt_scal (fun x => x) c L). apply derivable_continuous_pt, derivable_pt_id.
Qed.

Lemma tends_opp : forall f L, tends f L -> tends (fun s => - f s) (- L).
Proof.
  intros f L F e E. destruct (F e E) as (d & D & H). exists d. split; [exact D | intros s P S].
  replace (- f s - - L) with (- (f s - L)) by ring. rewrite Rabs_Ropp. apply H; assumption.
Qed.

Lemma tends_minus : forall f g K L, tends f K -> tends g L -> tends (fun s => f s - g s) (K - L).
Proof. intros f g K L F G. apply (tends_plus f (fun s => - g s)); [exact F | apply tends_opp, G]. Qed.

Lemma tends_same : forall f g K L, (forall s, 0 < s -> f s = g s) -> K = L -> tends g K -> tends f L.
Proof.
  intros f g K L S -> G e E. destruct (G e E) as (d & D & H). exists d. split; [exact D | intros s P B].
  rewrite S by exact P. apply H; assumption.
Qed.

Lemma tends_square : forall f L, tends f L -> tends (fun s => f s * f s) (L * L).
Proof.
  intros f L F. apply (tends_through (fun x => x * x)); [| exact F].
  apply (continuity_pt_mult (fun x => x) (fun x => x)); apply derivable_continuous_pt, derivable_pt_id.
Qed.

Lemma tends_mult : forall f g K L, tends f K -> tends g L -> tends (fun s => f s * g s) (K * L).
Proof.
  intros f g K L F G.
  apply (tends_same _ (fun s => / 4 * ((f s + g s) * (f s + g s) - (f s - g s) * (f s - g s)))
    (/ 4 * ((K + L) * (K + L) - (K - L) * (K - L)))); [intros; field | field |].
  apply tends_scale, tends_minus; apply (tends_square (fun s => _)).
  - apply tends_plus; assumption.
  - apply tends_minus; assumption.
Qed.

Lemma tends_inv : forall f L, L <> 0 -> tends f L -> tends (fun s => / f s) (/ L).
Proof.
  intros f L N F. apply (tends_through Rinv); [| exact F].
  apply (continuity_pt_inv (fun x => x) L); [apply derivable_continuous_pt, derivable_pt_id | exact N].
Qed.

Lemma tends_div : forall f g K L, L <> 0 -> tends f K -> tends g L -> tends (fun s => f s / g s) (K / L).
Proof. intros f g K L N F G. apply tends_mult; [exact F | apply tends_inv; assumption]. Qed.

Lemma tends_pow : forall f L n, tends f L -> tends (fun s => f s ^ n) (L ^ n).
Proof.
  intros f L n F. induction n; simpl; [apply tends_const | apply tends_mult; assumption].
Qed.

Lemma tends_sqrt : forall f L, 0 <= L -> tends f L -> tends (fun s => sqrt (f s)) (sqrt L).
Proof. intros f L P F. apply (tends_through sqrt); [apply continuity_pt_sqrt, P | exact F]. Qed.

Lemma tends_abs : forall f L, tends f L -> tends (fun s => Rabs (f s)) (Rabs L).
Proof. intros f L F. apply (tends_through Rabs); [apply Rcontinuity_abs | exact F]. Qed.

Lemma tends_ln : forall f L, 0 < L -> tends f L -> tends (fun s => ln (f s)) (ln L).
Proof.
  intros f L P F. apply (tends_through ln); [| exact F]. apply derivable_continuous_pt.
  exists (/ L). apply derivable_pt_lim_ln, P.
Qed.

Lemma max_as : forall a b, Rmax a b = (a + b + Rabs (a - b)) / 2.
Proof. intros a b. unfold Rmax, Rabs. destruct (Rle_dec a b), (Rcase_abs (a - b)); lra. Qed.

Lemma min_as : forall a b, Rmin a b = (a + b - Rabs (a - b)) / 2.
Proof. intros a b. unfold Rmin, Rabs. destruct (Rle_dec a b), (Rcase_abs (a - b)); lra. Qed.

Lemma tends_max : forall f g K L, tends f K -> tends g L -> tends (fun s => Rmax (f s) (g s)) (Rmax K L).
Proof.
  intros f g K L F G. apply (tends_same _ (fun s => (f s + g s + Rabs (f s - g s)) / 2) ((K + L + Rabs (K - L)) / 2)).
  - intros; apply max_as.
  - symmetry; apply max_as.
  - apply tends_div; [lra | | apply tends_const].
    apply tends_plus; [apply tends_plus; assumption | apply (tends_abs (fun s => _)), tends_minus; assumption].
Qed.

Lemma tends_min : forall f g K L, tends f K -> tends g L -> tends (fun s => Rmin (f s) (g s)) (Rmin K L).
Proof.
  intros f g K L F G. apply (tends_same _ (fun s => (f s + g s - Rabs (f s - g s)) / 2) ((K + L - Rabs (K - L)) / 2)).
  - intros; apply min_as.
  - symmetry; apply min_as.
  - apply tends_div; [lra | | apply tends_const].
    apply tends_minus; [apply tends_plus; assumption | apply (tends_abs (fun s => _)), tends_minus; assumption].
Qed.

Lemma tends_root : forall n f L, 0 < L -> tends f L -> tends (fun s => root n (f s)) (root n L).
Proof.
  intros n f L P F e E.
  assert (T : tends (fun s => exp (/ IZR (Zpos n) * ln (f s))) (exp (/ IZR (Zpos n) * ln L))).
  { apply (tends_through exp (fun s => / IZR (Zpos n) * ln (f s))).
    - apply derivable_continuous_pt, derivable_pt_exp.
    - apply tends_scale, tends_ln; assumption. }
  destruct (T e E) as (d & D & H). destruct (F L P) as (c & C & K).
  exists (Rmin c d). split; [apply Rmin_pos; assumption | intros s S B].
  assert (B1 : s < c) by (eapply Rlt_le_trans; [exact B | apply Rmin_l]).
  assert (B2 : s < d) by (eapply Rlt_le_trans; [exact B | apply Rmin_r]).
  specialize (K s S B1). specialize (H s S B2). apply Rabs_def2 in K.
  unfold root. destruct (Rle_dec (f s) 0); [lra |]. destruct (Rle_dec L 0); [lra |]. exact H.
Qed.

(** A function that tends to a bound comes near to it. *)
Section Near.

  Variable M : R -> R -> R -> R -> R.
  Variable defined : R -> R -> R -> R -> Prop.
  Variables TP FN FP TN : R -> R.
  Hypothesis on_path : forall s, 0 < s -> s < 1 ->
    0 < TP s /\ 0 < FN s /\ 0 < FP s /\ 0 < TN s /\ defined (TP s) (FN s) (FP s) (TN s).

  Lemma near : forall b, tends (fun s => M (TP s) (FN s) (FP s) (TN s)) b ->
    forall e, 0 < e -> somewhere M defined (fun v => b - e < v /\ v < b + e).
  Proof.
    intros b T e E. destruct (T e E) as (d & D & H).
    assert (S : 0 < Rmin d 1) by (apply Rmin_pos; lra).
    pose proof (Rmin_l d 1). pose proof (Rmin_r d 1).
    specialize (H (Rmin d 1 / 2) ltac:(lra) ltac:(lra)). apply Rabs_def2 in H.
    destruct (on_path (Rmin d 1 / 2) ltac:(lra) ltac:(lra)) as (A & B & C & F & G).
    exists (TP (Rmin d 1 / 2)), (FN (Rmin d 1 / 2)), (FP (Rmin d 1 / 2)), (TN (Rmin d 1 / 2)).
    repeat split; try assumption; lra.
  Qed.

  Lemma near_below : forall b, tends (fun s => M (TP s) (FN s) (FP s) (TN s)) b ->
    forall e, 0 < e -> somewhere M defined (fun v => b - e < v).
  Proof.
    intros b T e E. destruct (near b T e E) as (a & c & f & g & A & B & C & D & F & G & H).
    exists a, c, f, g. repeat split; assumption.
  Qed.

  Lemma near_above : forall b, tends (fun s => M (TP s) (FN s) (FP s) (TN s)) b ->
    forall e, 0 < e -> somewhere M defined (fun v => v < b + e).
  Proof.
    intros b T e E. destruct (near b T e E) as (a & c & f & g & A & B & C & D & F & G & H).
    exists a, c, f, g. repeat split; assumption.
  Qed.

End Near.

(** ** Signs *)

Lemma sum_positive_left : forall a b, 0 < a -> 0 <= b -> 0 < a + b.
Proof. intros; lra. Qed.

Lemma sum_positive_right : forall a b, 0 <= a -> 0 < b -> 0 < a + b.
Proof. intros; lra. Qed.

Lemma sum_nonnegative : forall a b, 0 <= a -> 0 <= b -> 0 <= a + b.
Proof. intros; lra. Qed.

Lemma product_positive : forall a b, 0 < a -> 0 < b -> 0 < a * b.
Proof. exact Rmult_lt_0_compat. Qed.

Lemma product_nonnegative : forall a b, 0 <= a -> 0 <= b -> 0 <= a * b.
Proof. exact Rmult_le_pos. Qed.

Lemma quotient_positive : forall a b, 0 < a -> 0 < b -> 0 < a / b.
Proof. exact Rdiv_lt_0_compat. Qed.

Lemma quotient_nonnegative : forall a b, 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros. apply Rmult_le_pos; [assumption | left; apply Rinv_0_lt_compat; assumption]. Qed.

Lemma power_positive : forall a n, 0 < a -> 0 < a ^ n.
Proof. intros; apply pow_lt; assumption. Qed.

Lemma power_nonnegative : forall a n, 0 <= a -> 0 <= a ^ n.
Proof. intros; apply pow_le; assumption. Qed.

Lemma positive_by : forall p q, q = p -> 0 < p -> 0 < q.
Proof. intros p q -> P. exact P. Qed.

Lemma nonnegative_by : forall p q, q = p -> 0 <= p -> 0 <= q.
Proof. intros p q -> P. exact P. Qed.

Lemma square_nonnegative : forall a, 0 <= a * a.
Proof. intros; nra. Qed.

Lemma nonzero_square : forall a, a <> 0 -> 0 < a * a.
Proof. intros a N. destruct (Rdichotomy a 0 N); nra. Qed.

Lemma quadratic_positive : forall a b c v, 0 < a -> 0 < 4 * a * c - b * b -> 0 < a * (v * v) + b * v + c.
Proof.
  intros a b c v A D. assert (S := square_nonnegative (2 * a * v + b)).
  assert (P : 0 < (4 * a) * (a * (v * v) + b * v + c)) by nra.
  destruct (Rlt_le_dec 0 (a * (v * v) + b * v + c)) as [Y | N]; [exact Y | exfalso; nra].
Qed.

Lemma quadratic_nonnegative : forall a b c v, 0 < a -> 0 <= 4 * a * c - b * b -> 0 <= a * (v * v) + b * v + c.
Proof.
  intros a b c v A D. assert (S := square_nonnegative (2 * a * v + b)).
  assert (P : 0 <= (4 * a) * (a * (v * v) + b * v + c)) by nra.
  destruct (Rlt_le_dec (a * (v * v) + b * v + c) 0) as [N | Y]; [exfalso; nra | exact Y].
Qed.

Lemma at_most_or : forall a b, a <= b \/ b <= a.
Proof. intros a b. destruct (Rle_lt_dec a b); [left | right]; lra. Qed.

Lemma exceeds_by : forall a b n d, 0 < n -> 0 < d -> b - a = n / d -> a < b.
Proof. intros a b n d N D E. assert (0 < b - a) by (rewrite E; apply quotient_positive; assumption). lra. Qed.

Lemma reaches_by : forall a b n d, 0 <= n -> 0 < d -> b - a = n / d -> a <= b.
Proof. intros a b n d N D E. assert (0 <= b - a) by (rewrite E; apply quotient_nonnegative; assumption). lra. Qed.

(** A sum of a plain part and a multiple of a square root, by comparison of squares: one of both is positive, and
    outweighs what is subtracted in the other. *)
Lemma root_at_most : forall a q r, 0 <= a -> 0 <= q -> 0 <= r -> 0 <= a * a - q * q * (r * r) -> q * r <= a.
Proof. intros a q r A Q R N. apply Rsqr_incr_0; [unfold Rsqr; lra | apply Rmult_le_pos; assumption | exact A]. Qed.

Lemma root_less : forall a q r, 0 <= a -> 0 <= q -> 0 <= r -> 0 < a * a - q * q * (r * r) -> q * r < a.
Proof. intros a q r A Q R N. apply Rsqr_incrst_0; [unfold Rsqr; lra | apply Rmult_le_pos; assumption | exact A]. Qed.

Lemma plain_outweighs : forall a p q r x, 0 <= r -> r * r = x -> 0 < a -> 0 <= p -> 0 <= q ->
  0 < a * a - q * q * x -> 0 < a + (p - q) * r.
Proof.
  intros a p q r x R <- A P Q N. pose proof (root_less a q r (Rlt_le _ _ A) Q R N).
  pose proof (Rmult_le_pos p r P R). lra.
Qed.

Lemma plain_outweighs_weakly : forall a p q r x, 0 <= r -> r * r = x -> 0 < a -> 0 <= p -> 0 <= q ->
  0 <= a * a - q * q * x -> 0 <= a + (p - q) * r.
Proof.
  intros a p q r x R <- A P Q N. pose proof (root_at_most a q r (Rlt_le _ _ A) Q R N).
  pose proof (Rmult_le_pos p r P R). lra.
Qed.

Lemma root_outweighs : forall b p q r x, 0 <= r -> r * r = x -> 0 < b -> 0 <= p -> 0 <= q ->
  0 < b * b * x - q * q -> 0 < (p - q) + b * r.
Proof.
  intros b p q r x R <- B P Q N. assert (L : q < b * r).
  { apply Rsqr_incrst_0; [unfold Rsqr; lra | exact Q | apply Rmult_le_pos; lra]. }
  lra.
Qed.

Lemma root_outweighs_weakly : forall b p q r x, 0 <= r -> r * r = x -> 0 < b -> 0 <= p -> 0 <= q ->
  0 <= b * b * x - q * q -> 0 <= (p - q) + b * r.
Proof.
  intros b p q r x R <- B P Q N. assert (L : q <= b * r).
  { apply Rsqr_incr_0; [unfold Rsqr; lra | exact Q | apply Rmult_le_pos; lra]. }
  lra.
Qed.

Lemma more_than_one : forall x, 0 < x - 1 -> 1 < x.
Proof. intros; lra. Qed.

(** ** Tactics *)

Ltac above := lazymatch goal with
  | |- 0 < _ + _ => first
      [ apply sum_positive_right; [| solve [above]]; below | apply sum_positive_left; [| solve [below]]; above ]
  | |- 0 < _ * _ => apply product_positive; above
  | |- 0 < _ / _ => apply quotient_positive; above
  | |- 0 < / _ => apply Rinv_0_lt_compat; above
  | |- 0 < _ ^ _ => apply power_positive; above
  | |- 0 < sqrt _ => apply sqrt_lt_R0; above
  | |- 0 < root _ _ => apply root_positive; above
  | |- 0 < Rmin _ _ => apply Rmin_pos; above
  | |- 0 < ln _ => rewrite <- ln_1; apply ln_increasing; [lra | first [lra | apply more_than_one; ring_simplify; above]]
  | |- 0 < PI => exact PI_RGT_0
  | |- 0 < Rmax ?a ?b => first [apply (Rlt_le_trans 0 a); [solve [above] | apply Rmax_l] | apply (Rlt_le_trans 0 b); [above | apply Rmax_r]]
  | |- 0 < _ - _ => first [assumption | lra]
  | |- 0 < _ => first [assumption | lra]
  end
with below := first [assumption | below_by_form]
with below_by_form := lazymatch goal with
  | |- 0 <= _ + _ => apply sum_nonnegative; below
  | |- 0 <= _ * _ => first [apply Rle_0_sqr | apply product_nonnegative; below]
  | |- 0 <= _ / _ => apply quotient_nonnegative; [below | above]
  | |- 0 <= _ ^ 2 => apply pow2_ge_0
  | |- 0 <= _ ^ _ => apply power_nonnegative; below
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 <= root _ _ => apply root_nonnegative
  | |- 0 <= Rabs _ => apply Rabs_pos
  | |- 0 <= _ - _ => first [assumption | lra]
  | |- 0 <= _ => first [assumption | lra | apply Rlt_le; above]
  end.

(** Which of two values is the smaller one, for each minimum, maximum and absolute value. *)
Ltac by_cases := unfold Rmax, Rmin, Rabs in *;
  repeat match goal with
  | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)
  | |- context [Rcase_abs ?a] => destruct (Rcase_abs a)
  end.

Ltac apart := repeat split; first
  [ assumption
  | apply positive_nonzero; above
  | apply positive_nonzero; ring_simplify; above
  | apply negative_nonzero; ring_simplify; above
  | apply positive_nonzero; by_cases; lra
  | lra ].

Ltac premise := lazymatch goal with
  | |- _ <> 0 => apart
  | |- 0 < _ => first [above | apply Rlt_le_trans with (2 := Rle_refl _); ring_simplify; above]
  | |- 0 <= _ => below
  | |- True => exact I
  end.

Ltac exceeds n d :=
  first [apply (exceeds_by _ _ n d) | apply (reaches_by _ _ n d)]; [| | field; apart].

Ltac bounded_by_value := eapply between;
  [ first [ eapply open_lower_end_below; eassumption | eapply closed_lower_end_below; eassumption
          | eapply lower_end_below; eassumption ]
  | first [ eapply open_upper_end_above; eassumption | eapply closed_upper_end_above; eassumption
          | eapply upper_end_above; eassumption ] ].

(** What files that know more functions add to the next tactic. *)
Ltac passes_otherwise := fail.

(** The limit of a formula that is continuous at the end of a path, with what has to hold there. *)
Ltac passes := lazymatch goal with
  | |- tends (fun s => s) _ => apply tends_id
  | |- tends (fun s => @?f s + @?g s) _ => apply (tends_plus f g); passes
  | |- tends (fun s => @?f s - @?g s) _ => apply (tends_minus f g); passes
  | |- tends (fun s => @?f s * @?g s) _ => apply (tends_mult f g); passes
  | |- tends (fun s => @?f s / @?g s) _ => apply (tends_div f g); [ | passes | passes]
  | |- tends (fun s => / @?f s) _ => apply (tends_inv f); [ | passes]
  | |- tends (fun s => - @?f s) _ => apply (tends_opp f); passes
  | |- tends (fun s => @?f s ^ ?n) _ => apply (tends_pow f); passes
  | |- tends (fun s => sqrt (@?f s)) _ => apply (tends_sqrt f); [ | passes]
  | |- tends (fun s => root ?n (@?f s)) _ => apply (tends_root n f); [ | passes]
  | |- tends (fun s => ln (@?f s)) _ => apply (tends_ln f); [ | passes]
  | |- tends (fun s => Rabs (@?f s)) _ => apply (tends_abs f); passes
  | |- tends (fun s => Rmin (@?f s) (@?g s)) _ => apply (tends_min f g); passes
  | |- tends (fun s => Rmax (@?f s) (@?g s)) _ => apply (tends_max f g); passes
  | |- _ => first [assumption | apply tends_const | passes_otherwise]
  end.

Ltac at_end := cbv beta; first [exact I | lra | enclosing].

(** That a formula tends to a number. *)
Ltac continuous := eapply tends_same; [intros; reflexivity | | passes]; [at_end | at_end ..].

(** The same where the square root of v is left. *)
Ltac at_root v :=
  assert (0 < sqrt v) by (apply sqrt_lt_R0; lra); assert (sqrt v * sqrt v = v) by (apply sqrt_sqrt; lra);
  repeat match goal with
  | |- context [sqrt ?x] => tryif constr_eq x v then fail else
      first [ replace (sqrt x) with (sqrt v) by (f_equal; first [lra | field; lra])
            | replace (sqrt x) with 0 by (symmetry; replace x with 0 by first [lra | field; lra]; exact sqrt_0) ]
  end;
  unfold Rabs; repeat destruct (Rcase_abs _); try (exfalso; lra);
  first [lra | field; lra | nra | field_simplify_eq; [nra | lra]].

Ltac continuous_at_root v := eapply tends_same; [intros; reflexivity | | passes];
  [first [at_end | at_root v] | at_end ..].

(** What is added for numbers by files that know more. *)
Ltac at_numbers_otherwise := fail.
Ltac at_numbers := repeat split; first [exact I | lra | enclose 24%Z | at_numbers_otherwise | enclose 60%Z].

(** A table, left to show: that the metric is defined there, and as wanted. *)
Ltac at_table TP FN FP TN := apply (somewhere_at _ _ TP FN FP TN); [lra | lra | lra | lra | | ].

(** ** Limits along paths of tables *)

(** A function of the root of the step that agrees with the metric where that has a value, and tends to a limit. *)
Lemma limit_by_root : forall M (defined : R -> R -> R -> R -> Prop) TP FN FP TN L g K,
  (forall s, 0 < s -> defined (TP (s * s)) (FN (s * s)) (FP (s * s)) (TN (s * s)) ->
    M (TP (s * s)) (FN (s * s)) (FP (s * s)) (TN (s * s)) = g s) ->
  K = L -> tends g K -> limit_along M defined TP FN FP TN L.
Proof.
  intros M defined TP FN FP TN L g K S <- G e P. destruct (G e P) as (d & D & H). exists (d * d). split; [nra |].
  intros s U V W. assert (Q : sqrt s * sqrt s = s) by (apply sqrt_sqrt; lra). assert (0 < sqrt s) by (apply sqrt_lt_R0, U).
  assert (sqrt s < d) by (apply Rsqr_incrst_0; unfold Rsqr; lra).
  rewrite <- Q in W. specialize (S (sqrt s) ltac:(assumption) W). rewrite Q in S. rewrite S. apply H; assumption.
Qed.

Lemma sqrt_as : forall x k y, 0 <= k -> x = k * k * y -> sqrt x = k * sqrt y.
Proof. intros x k y K ->. rewrite sqrt_mult_alt by nra. rewrite sqrt_square by exact K. reflexivity. Qed.

Lemma max_by : forall a b k c d, 0 <= k -> a = k * c -> b = k * d -> Rmax a b = k * Rmax c d.
Proof. intros a b k c d K -> ->. apply RmaxRmult, K. Qed.

Lemma min_by : forall a b k c d, 0 <= k -> a = k * c -> b = k * d -> Rmin a b = k * Rmin c d.
Proof. intros a b k c d K -> ->. rewrite !min_as. replace (k * c - k * d) with (k * (c - d)) by ring. rewrite Rabs_mult, (Rabs_pos_eq k K). lra. Qed.

Lemma abs_by : forall a k c, 0 <= k -> a = k * c -> Rabs a = k * Rabs c.
Proof. intros a k c K ->. rewrite Rabs_mult, (Rabs_pos_eq k K). reflexivity. Qed.

(** A name for a value that is a root, an extreme or an absolute value. *)
Ltac named r v := try (assert (0 < v) by above); remember v as r.

Ltac scale_holds := solve [below | field; apart].

(** Such a value that is k times the one that has the name r. *)
Ltac scaled r k := match goal with
  | E : r = sqrt ?y |- context [sqrt ?x] => replace (sqrt x) with (k * r) by (rewrite E; symmetry; apply sqrt_as; scale_holds)
  | E : r = Rmax ?c ?d |- context [Rmax ?a ?b] =>
      replace (Rmax a b) with (k * r) by (rewrite E; symmetry; apply max_by; scale_holds)
  | E : r = Rmin ?c ?d |- context [Rmin ?a ?b] =>
      replace (Rmin a b) with (k * r) by (rewrite E; symmetry; apply min_by; scale_holds)
  | E : r = ln ?y |- context [ln ?x] => replace (ln x) with r by (rewrite E; f_equal; scale_holds)
  | E : r = Rabs ?c |- context [Rabs ?a] => replace (Rabs a) with (k * r) by (rewrite E; symmetry; apply abs_by; scale_holds)
  end.

Lemma difference_nonnegative : forall a b, 0 <= b - a -> a <= b.
Proof. intros; lra. Qed.

Lemma abs_is : forall x v, 0 <= v -> x = v \/ x = - v -> Rabs x = v.
Proof. intros x v V [-> | ->]; rewrite ?Rabs_Ropp; apply Rabs_pos_eq, V. Qed.

Lemma max_is : forall a b v, (a = v /\ b <= v) \/ (b = v /\ a <= v) -> Rmax a b = v.
Proof. intros a b v [[-> H] | [-> H]]; [apply Rmax_left | apply Rmax_right]; lra. Qed.

Lemma min_is : forall a b v, (a = v /\ v <= b) \/ (b = v /\ v <= a) -> Rmin a b = v.
Proof. intros a b v [[-> H] | [-> H]]; [apply Rmin_left | apply Rmin_right]; lra. Qed.

Ltac is_beyond := first [lra | apply difference_nonnegative; first [below | ring_simplify; below]].

(** An absolute value, an extreme or a logarithm that is v; the other value is beyond an extreme by what its form shows. *)
Ltac choice_is v := match goal with
  | |- context [Rabs ?x] => replace (Rabs x) with v by (symmetry; apply abs_is; [below | first [left; field; apart | right; field; apart]])
  | |- context [ln ?x] => replace (ln x) with v by (replace x with 1 by (field; apart); symmetry; exact ln_1)
  | |- context [Rmax ?a ?b] => replace (Rmax a b) with v by (symmetry; apply max_is; first
      [left; split; [field; apart | is_beyond] | right; split; [field; apart | is_beyond]])
  | |- context [Rmin ?a ?b] => replace (Rmin a b) with v by (symmetry; apply min_is; first
      [left; split; [field; apart | is_beyond] | right; split; [field; apart | is_beyond]])
  end.

(** An equation of rational functions in a case, which may be that two cells are equal, or impossible. *)
Ltac equal_in_case := first
  [ exfalso; lra
  | field; apart
  | expand_products; field; apart
  | match goal with
    | A : 0 < ?x, B : 0 < ?y |- _ => tryif constr_eq x y then fail else
        (let E := fresh in assert (E : x = y) by lra; subst x; field; apart)
    end ].

Ltac at_zero := lazymatch goal with
  | |- _ <> 0 => apart
  | |- 0 <= _ => below
  | |- 0 < _ => above
  end.

Ltac known_root_of q S x :=
  assert (0 < sqrt x) by above; assert (S : sqrt x * sqrt x = x) by (apply sqrt_sqrt; below); remember (sqrt x) as q.

Ltac root_is v holds := match goal with
  | |- context [sqrt ?x] => replace (sqrt x) with v by (symmetry; apply sqrt_lem_1; [below | below | holds])
  end.
