(** The values of a rational metric over all positive cells: everything here is about [Q], and rests on no axiom.

    What a generated file finds here: the ends of a range as propositions about a metric and its premise, lemmas on
    signs of polynomials, and tactics that show an end.  [open_lower_end], [closed_lower_end] and their like say what
    the brackets of an interval say; [lower_end] leaves open whether the bound is attained. *)

Require Import Qabs ZArith Lia.
From Symmetrics Require Import OrderedFields.
From Symmetrics Require Export RationalProofs.
Open Scope Q_scope.

(** ** Ends of a range, and limits *)

Module Rational <: OrderedField.
  Definition number := Q.
  Definition equal := Qeq.
  Definition less := Qlt.
  Definition at_most := Qle.
  Definition zero := 0.
  Definition plus := Qplus.
  Definition minus := Qminus.
  Definition opposite := Qopp.
  Definition absolute := Qabs.
  Lemma less_same : forall a b c d, a == b -> c == d -> (a < c <-> b < d).
  Proof. intros a b c d E F. rewrite E, F. apply iff_refl. Qed.
  Definition less_at_most := Qlt_le_weak.
  Definition less_at_most_false := Qlt_not_le.
  Lemma surrounded : forall a, exists p, 0 < p /\ (forall v, v < - p -> v < a) /\ (forall v, p < v -> a < v).
  Proof.
    intros a. pose proof (Qabs_nonneg a). pose proof (Qle_Qabs a).
    pose proof (Qle_Qabs (- a)) as K. rewrite Qabs_opp in K. exists (Qabs a + 1). repeat split; intros; lra.
  Qed.
End Rational.

Include Statements Rational.

Definition near (x e : Q) : Prop := - e < x /\ x < e.

Lemma tends_near : forall f L,
  tends f L <-> forall e, 0 < e -> exists d, 0 < d /\ forall s, 0 < s -> s < d -> near (f s - L) e.
Proof.
  intros f L. split; intros T e E; destruct (T e E) as (d & D & H); exists d; (split; [exact D |]);
    intros s P S; apply Qabs_Qlt_condition, H; assumption.
Qed.

Lemma smaller : forall a b, 0 < a -> 0 < b -> exists c, 0 < c /\ c <= a /\ c <= b.
Proof. intros a b A B. destruct (Qlt_le_dec a b); [exists a | exists b]; repeat split; lra. Qed.

Lemma tends_const : forall c, tends (fun _ => c) c.
Proof. intros c. apply tends_near. intros e E. exists 1. split; [lra |]. intros. unfold near. lra. Qed.

Lemma tends_id : tends (fun s => s) 0.
Proof. apply tends_near. intros e E. exists e. split; [exact E |]. intros. unfold near. lra. Qed.

Lemma tends_plus : forall f g K L, tends f K -> tends g L -> tends (fun s => f s + g s) (K + L).
Proof.
  intros f g K L F G. rewrite tends_near in *. intros e E.
  destruct (F (e / 2)) as (a & A & H); [apply quotient_positive; [exact E | reflexivity] |].
  destruct (G (e / 2)) as (b & B & I); [apply quotient_positive; [exact E | reflexivity] |].
  destruct (smaller a b A B) as (c & C & X & Y). exists c. split; [exact C | intros s P S].
  destruct (H s P) as [? ?]; [lra |]. destruct (I s P) as [? ?]; [lra |].
  assert (e == e / 2 + e / 2) by field. unfold near. lra.
Qed.

Lemma tends_opp : forall f L, tends f L -> tends (fun s => - f s) (- L).
Proof.
  intros f L F. rewrite tends_near in *. intros e E. destruct (F e E) as (d & D & H).
  exists d. split; [exact D | intros s P S]. destruct (H s P S). unfold near. lra.
Qed.

Lemma tends_minus : forall f g K L, tends f K -> tends g L -> tends (fun s => f s - g s) (K - L).
Proof. intros f g K L F G. apply (tends_plus f (fun s => - g s)); [exact F | apply tends_opp, G]. Qed.

Lemma between_opposites : forall K, exists p, 0 <= p /\ - p <= K /\ K <= p.
Proof. intros K. destruct (Qlt_le_dec K 0); [exists (- K) | exists K]; repeat split; lra. Qed.

Lemma multiple_near : forall p K x h, 0 <= p -> - p <= K -> K <= p -> near x h -> - (p * h) <= K * x /\ K * x <= p * h.
Proof. intros p K x h P A B [X Y]. split; nra. Qed.

Lemma tends_mult : forall f g K L, tends f K -> tends g L -> tends (fun s => f s * g s) (K * L).
Proof.
  intros f g K L F G. rewrite tends_near in *. intros e E.
  destruct (between_opposites K) as (p & P0 & P1 & P2). destruct (between_opposites L) as (q & Q0 & Q1 & Q2).
  assert (W : 0 < p + q + 1) by lra. assert (V : 0 < e + (p + q + 1)) by lra.
  set (h := e / (e + (p + q + 1))).
  assert (H : 0 < h) by (apply quotient_positive; assumption).
  assert (HV : h * (e + (p + q + 1)) == e) by (unfold h; field; lra).
  assert (H1 : h < 1) by nra.
  assert (HE : h * (p + q + 1) < e) by nra.
  destruct (F h H) as (a & A & I). destruct (G h H) as (b & B & J).
  destruct (smaller a b A B) as (c & C & X & Y). exists c. split; [exact C | intros s S T].
  assert (M := I s S ltac:(lra)). assert (N := J s S ltac:(lra)).
  destruct (multiple_near p K (g s - L) h P0 P1 P2 N). destruct (multiple_near q L (f s - K) h Q0 Q1 Q2 M).
  destruct (multiple_near h (f s - K) (g s - L) h ltac:(lra) ltac:(destruct M; lra) ltac:(destruct M; lra) N).
  assert (h * h < h) by nra.
  assert (f s * g s - K * L == (f s - K) * (g s - L) + K * (g s - L) + L * (f s - K)) by ring.
  unfold near. lra.
Qed.

Lemma tends_same : forall f g K L,
  (exists d, 0 < d /\ forall s, 0 < s -> s < d -> f s == g s) -> K == L -> tends g K -> tends f L.
Proof.
  intros f g K L (a & A & S) E G. rewrite tends_near in *. intros e P. destruct (G e P) as (b & B & H).
  destruct (smaller a b A B) as (c & C & X & Y). exists c. split; [exact C | intros s U V].
  destruct (H s U ltac:(lra)). assert (Z := S s U ltac:(lra)). unfold near. lra.
Qed.

Lemma tends_inv_positive : forall f L, 0 < L -> tends f L -> tends (fun s => / f s) (/ L).
Proof.
  intros f L P F. rewrite tends_near in *. intros e E.
  assert (W : 0 < e * L * L) by (repeat apply product_positive; assumption).
  set (h := L / 2 * (e * L * L / (e * L * L + L))).
  assert (U : 0 < e * L * L / (e * L * L + L)) by (apply quotient_positive; lra).
  assert (UV : e * L * L / (e * L * L + L) * (e * L * L + L) == e * L * L) by (field; lra).
  assert (L2 : L / 2 + L / 2 == L) by field.
  assert (H : 0 < h) by (apply product_positive; [apply quotient_positive; [exact P | reflexivity] | exact U]).
  assert (H1 : h <= L / 2) by (unfold h; nra).
  assert (H2 : 2 * h <= e * L * L).
  { assert (2 * h == L * (e * L * L / (e * L * L + L))) by (unfold h; field; lra). nra. }
  destruct (F h H) as (d & D & I). exists d. split; [exact D | intros s S T]. destruct (I s S T) as [X Y].
  assert (Z : L / 2 < f s) by lra. assert (Z0 : 0 < f s) by lra.
  assert (V : 0 < / f s * / L) by (apply product_positive; apply inverse_positive; assumption).
  assert (C : / f s - / L == (L - f s) * (/ f s * / L)) by (field; split; lra).
  assert (O : / f s * / L * (f s * L) == 1) by (field; split; lra).
  assert (B : h < e * (f s * L)).
  { assert (L / 2 * L < f s * L) by nra. assert (2 * (e * (L / 2 * L)) == e * L * L) by field. nra. }
  unfold near. rewrite C. set (v := / f s * / L) in *. set (w := f s * L) in *.
  assert (e == e * w * v) by (transitivity (e * (v * w)); [rewrite O; ring | ring]).
  assert (h * v < e * w * v) by nra. split; nra.
Qed.

Lemma tends_inv : forall f L, ~ L == 0 -> tends f L -> tends (fun s => / f s) (/ L).
Proof.
  intros f L N F. destruct (Q_dec L 0) as [[A | A] | A]; [| apply tends_inv_positive; assumption | contradiction].
  apply (tends_same _ (fun s => - / (- f s)) (- / (- L))).
  - destruct (proj1 (tends_near f L) F (- L)) as (d & D & H); [lra |]. exists d. split; [exact D | intros s S T].
    destruct (H s S T). field. lra.
  - field. exact N.
  - apply (tends_opp (fun s => / - f s)), (tends_inv_positive (fun s => - f s)); [lra | apply tends_opp, F].
Qed.

Lemma tends_div : forall f g K L, ~ L == 0 -> tends f K -> tends g L -> tends (fun s => f s / g s) (K / L).
Proof. intros f g K L N F G. apply (tends_mult f (fun s => / g s)); [exact F | apply tends_inv; assumption]. Qed.

Lemma tends_pow : forall f L n, tends f L -> tends (fun s => f s ^ Zpos n) (L ^ Zpos n).
Proof.
  intros f L n F. induction n using Pos.peano_ind.
  - simpl. exact F.
  - apply (tends_same _ (fun s => f s * f s ^ Zpos n) (L * L ^ Zpos n)).
    + exists 1. split; [reflexivity | intros]. rewrite Pos2Z.inj_succ, <- Z.add_1_l.
      destruct (Qeq_dec (f s) 0) as [Z | Z]; [| rewrite Qpower_plus by exact Z; reflexivity].
      rewrite Z, Qpower_0 by discriminate. destruct (1 + Z.pos n)%Z eqn:W; try (exfalso; lia). rewrite Qpower_0 by discriminate. ring.
    + rewrite Pos2Z.inj_succ, <- Z.add_1_l.
      destruct (Qeq_dec L 0) as [Z | Z]; [| rewrite Qpower_plus by exact Z; reflexivity].
      rewrite Z, Qpower_0 by discriminate. destruct (1 + Z.pos n)%Z eqn:W; try (exfalso; lia). rewrite Qpower_0 by discriminate. ring.
    + apply tends_mult; assumption.
Qed.

(** A function that agrees with the metric where that has a value, and tends to a limit. *)
Lemma limit_by : forall M (defined : Q -> Q -> Q -> Q -> Prop) TP FN FP TN L g K,
  (forall s, 0 < s -> defined (TP s) (FN s) (FP s) (TN s) -> M (TP s) (FN s) (FP s) (TN s) == g s) ->
  K == L -> tends g K -> limit_along M defined TP FN FP TN L.
Proof.
  intros M defined TP FN FP TN L g K S E G e P. destruct (G e P) as (d & D & H). exists d. split; [exact D |].
  intros s U V W. rewrite (S s U W), <- E. apply H; assumption.
Qed.

(** A multiple of 1 / s by what tends to a positive number. *)
Lemma quotient_grows : forall g K, 0 < K -> tends g K -> forall B, exists d, 0 < d /\ forall s, 0 < s -> s < d -> B < g s / s.
Proof.
  intros g K P G B. rewrite tends_near in G. assert (H : 0 < K / 2) by (apply quotient_positive; [exact P | reflexivity]).
  assert (K2 : K / 2 + K / 2 == K) by field. destruct (G (K / 2) H) as (a & A & I).
  assert (N : 0 < Qabs B + 1) by (pose proof (Qabs_nonneg B); lra).
  destruct (smaller a (K / 2 / (Qabs B + 1)) A) as (d & D & X & Y); [apply quotient_positive; assumption |].
  exists d. split; [exact D | intros s S T]. destruct (I s S ltac:(lra)) as [L _].
  assert (E : K / 2 / (Qabs B + 1) * (Qabs B + 1) == K / 2) by (field; lra).
  assert (F : s * (Qabs B + 1) < g s) by nra. apply Qlt_shift_div_l; [exact S |].
  pose proof (Qle_Qabs B). nra.
Qed.

Lemma grows_by : forall M (defined : Q -> Q -> Q -> Q -> Prop) TP FN FP TN g K,
  (exists d, 0 < d /\ forall s, 0 < s -> s < d -> defined (TP s) (FN s) (FP s) (TN s)) ->
  (forall s, 0 < s -> defined (TP s) (FN s) (FP s) (TN s) -> M (TP s) (FN s) (FP s) (TN s) == g s / s) ->
  tends g K -> 0 < K -> grows_along M defined TP FN FP TN.
Proof.
  intros M defined TP FN FP TN g K D E G P. split; [exact D | intro B]. destruct (quotient_grows g K P G B) as (d & A & H).
  exists d. split; [exact A | intros s S T V]. rewrite (E s S V). apply H; assumption.
Qed.

Lemma falls_by : forall M (defined : Q -> Q -> Q -> Q -> Prop) TP FN FP TN g K,
  (exists d, 0 < d /\ forall s, 0 < s -> s < d -> defined (TP s) (FN s) (FP s) (TN s)) ->
  (forall s, 0 < s -> defined (TP s) (FN s) (FP s) (TN s) -> M (TP s) (FN s) (FP s) (TN s) == g s / s) ->
  tends g K -> 0 < - K -> falls_along M defined TP FN FP TN.
Proof.
  intros M defined TP FN FP TN g K D E G P. split; [exact D | intro B].
  destruct (quotient_grows (fun s => - g s) (- K) P (tends_opp g K G) (- B)) as (d & A & H).
  exists d. split; [exact A | intros s S T V]. rewrite (E s S V). specialize (H s S T).
  assert (- g s / s == - (g s / s)) by (field; lra). lra.
Qed.

Lemma grows_without_limit : forall M defined TP FN FP TN L, grows_along M defined TP FN FP TN -> ~ limit_along M defined TP FN FP TN L.
Proof.
  intros M defined TP FN FP TN L [(a & A & D) G] H. destruct (G (L + 1)) as (b & B & I). destruct (H 1 eq_refl) as (c & C & J).
  destruct (smaller a b A B) as (d & P & X & Y). destruct (smaller d c P C) as (e & F & U & V).
  assert (W : 0 < e / 2) by (apply quotient_positive; [exact F | reflexivity]). assert (e / 2 + e / 2 == e) by field.
  specialize (D (e / 2) W ltac:(lra)). specialize (I (e / 2) W ltac:(lra) D). specialize (J (e / 2) W ltac:(lra) D).
  apply Qabs_Qlt_condition in J. lra.
Qed.

Lemma falls_without_limit : forall M defined TP FN FP TN L, falls_along M defined TP FN FP TN -> ~ limit_along M defined TP FN FP TN L.
Proof.
  intros M defined TP FN FP TN L [(a & A & D) G] H. destruct (G (L - 1)) as (b & B & I). destruct (H 1 eq_refl) as (c & C & J).
  destruct (smaller a b A B) as (d & P & X & Y). destruct (smaller d c P C) as (e & F & U & V).
  assert (W : 0 < e / 2) by (apply quotient_positive; [exact F | reflexivity]). assert (e / 2 + e / 2 == e) by field.
  specialize (D (e / 2) W ltac:(lra)). specialize (I (e / 2) W ltac:(lra) D). specialize (J (e / 2) W ltac:(lra) D).
  apply Qabs_Qlt_condition in J. lra.
Qed.

(** ** Signs of polynomials, step by step *)

Lemma positive_by : forall p q, q == p -> 0 < p -> 0 < q.
Proof. intros p q E P. rewrite E. exact P. Qed.

Lemma nonnegative_by : forall p q, q == p -> 0 <= p -> 0 <= q.
Proof. intros p q E P. rewrite E. exact P. Qed.

Lemma square_nonnegative : forall a, 0 <= a * a.
Proof. intros; nra. Qed.

Lemma nonzero_square : forall a, ~ a == 0 -> 0 < a * a.
Proof. intros a N. destruct (Q_dec a 0) as [[L | G] | E]; [nra | nra | contradiction]. Qed.

Lemma quadratic_positive : forall a b c v, 0 < a -> 0 < 4 * a * c - b * b -> 0 < a * (v * v) + b * v + c.
Proof.
  intros a b c v A D. assert (S := square_nonnegative (2 * a * v + b)).
  assert (P : 0 < (4 * a) * (a * (v * v) + b * v + c)).
  { apply (positive_by ((2 * a * v + b) * (2 * a * v + b) + (4 * a * c - b * b))). ring. lra. }
  destruct (Qlt_le_dec 0 (a * (v * v) + b * v + c)) as [Y | N]; [exact Y | exfalso]. nra.
Qed.

Lemma quadratic_nonnegative : forall a b c v, 0 < a -> 0 <= 4 * a * c - b * b -> 0 <= a * (v * v) + b * v + c.
Proof.
  intros a b c v A D. assert (S := square_nonnegative (2 * a * v + b)).
  assert (P : 0 <= (4 * a) * (a * (v * v) + b * v + c)).
  { apply (nonnegative_by ((2 * a * v + b) * (2 * a * v + b) + (4 * a * c - b * b))). ring. lra. }
  destruct (Qlt_le_dec (a * (v * v) + b * v + c) 0) as [N | Y]; [exfalso; nra | exact Y].
Qed.

Lemma exceeds_by : forall a b n d, 0 < n -> 0 < d -> b - a == n / d -> a < b.
Proof. intros a b n d N D E. assert (0 < b - a) by (rewrite E; apply quotient_positive; assumption). lra. Qed.

Lemma reaches_by : forall a b n d, 0 <= n -> 0 < d -> b - a == n / d -> a <= b.
Proof. intros a b n d N D E. assert (0 <= b - a) by (rewrite E; apply quotient_nonnegative; assumption). lra. Qed.

Lemma at_most_or : forall a b, a <= b \/ b <= a.
Proof. intros a b. destruct (Qlt_le_dec a b); [left; lra | right; assumption]. Qed.

(** ** Tactics *)

(** The sign of a polynomial whose coefficients show it; the last term of a sum is tried first. *)
Ltac above := lazymatch goal with
  | |- 0 < _ + _ => first
      [ apply sum_positive_right; [| solve [above]]; below | apply sum_positive_left; [| solve [below]]; above ]
  | |- 0 < _ * _ => apply product_positive; above
  | |- 0 < _ / _ => apply quotient_positive; above
  | |- 0 < _ ^ Zpos _ => apply power_positive; above
  | |- 0 < _ - _ => lra
  | |- 0 < _ => first [assumption | reflexivity]
  end
with below := lazymatch goal with
  | |- 0 <= _ + _ => apply sum_nonnegative; below
  | |- 0 <= _ * _ => apply product_nonnegative; below
  | |- 0 <= _ / _ => apply quotient_nonnegative; [below | above]
  | |- 0 <= _ ^ Zpos _ => apply power_nonnegative; below
  | |- 0 <= _ - _ => lra
  | |- 0 <= _ => first [assumption | discriminate | apply Qlt_le_weak; assumption]
  end.

(** What shows that a value exceeds another by n / d, left to show: the signs of both. *)
Ltac exceeds n d :=
  first [apply (exceeds_by _ _ n d) | apply (reaches_by _ _ n d)]; [| | fractions].

Ltac bounded_by_value := eapply between;
  [ first [ eapply open_lower_end_below; eassumption | eapply closed_lower_end_below; eassumption
          | eapply lower_end_below; eassumption ]
  | first [ eapply open_upper_end_above; eassumption | eapply closed_upper_end_above; eassumption
          | eapply upper_end_above; eassumption ] ].

(** A table, left to show: that the metric is defined there, and as wanted. *)
Ltac at_table TP FN FP TN solve := apply (somewhere_at _ _ TP FN FP TN); [solve | solve | solve | solve | | ].

Ltac passes := lazymatch goal with
  | |- tends (fun s => s) _ => apply tends_id
  | |- tends (fun s => @?f s + @?g s) _ => apply (tends_plus f g); passes
  | |- tends (fun s => @?f s - @?g s) _ => apply (tends_minus f g); passes
  | |- tends (fun s => @?f s * @?g s) _ => apply (tends_mult f g); passes
  | |- tends (fun s => @?f s / @?g s) _ => apply (tends_div f g); [ | passes | passes]
  | |- tends (fun s => - @?f s) _ => apply (tends_opp f); passes
  | |- tends (fun s => @?f s ^ Zpos ?n) _ => apply (tends_pow f); passes
  | |- tends (fun s => ?c) _ => first [assumption | apply (tends_const c)]
  end.
