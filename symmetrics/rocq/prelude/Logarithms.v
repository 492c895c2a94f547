(** Logarithms in metrics, and what a metric tends to where its formula is not continuous: everything here is about [R].

    What a generated file finds here.

    [near_below_along], [near_above_along], [no_upper_end_along], [no_lower_end_along]: what a metric tends to along a path
    of tables on which it is a quotient of two functions, each with a limit.
    [log_signs]: puts a positive number, or its opposite, in the place of each logarithm whose sign can be seen.
    [logs_apart]: logarithms of products as sums.
    [mixed_positive], [mixed_at_most], [dependence]: what is known of entropies, as sums of products [x * ln x].
    [above_by_quotient], [below_by_quotient]: a bound of a quotient of two sums.
    [maxima]: what bounds each maximum in a goal. *)

From Symmetrics Require Export LimitsReal.
Open Scope R_scope.

(** ** Inequalities *)

Lemma ln_at_most : forall x, 0 < x -> ln x <= x - 1.
Proof.
  intros x P. pose proof (exp_ineq1_le (ln x)) as H. rewrite exp_ln in H by exact P. lra.
Qed.

Lemma ln_at_least : forall x, 0 < x -> 1 - / x <= ln x.
Proof.
  intros x P. pose proof (ln_at_most (/ x) (Rinv_0_lt_compat x P)) as H. rewrite ln_Rinv in H by exact P. lra.
Qed.

Lemma ln_below_one : forall x, 0 < x -> x < 1 -> exists l, 0 < l /\ ln x = - l.
Proof.
  intros x P L. exists (- ln x). split; [| ring]. pose proof (ln_increasing x 1 P L) as H. rewrite ln_1 in H. lra.
Qed.

Lemma ln_above_one : forall x, 1 < x -> exists l, 0 < l /\ ln x = l.
Proof.
  intros x L. exists (ln x). split; [| reflexivity]. pose proof (ln_increasing 1 x Rlt_0_1 L) as H. rewrite ln_1 in H. lra.
Qed.

Lemma ln_quotient : forall a b, 0 < a -> 0 < b -> ln (a / b) = ln a - ln b.
Proof.
  intros a b A B. unfold Rdiv. rewrite ln_mult, ln_Rinv; try assumption; [ring | apply Rinv_0_lt_compat; exact B].
Qed.

Ltac log_signs := repeat match goal with
  | |- context [ln ?x] =>
    let l := fresh "l" in let P := fresh in let E := fresh in
    first [ destruct (ln_below_one x) as (l & P & E); [fractions | fractions |]
          | destruct (ln_above_one x) as (l & P & E); [fractions |] ];
    rewrite !E; clear E
  end.

(** ** Entropies, times the number of cases *)

Lemma mixed_positive : forall a b s, 0 < a /\ 0 < b /\ s = a + b -> 0 < s * ln s - a * ln a - b * ln b.
Proof.
  intros a b s (A & B & ->). assert (ln a < ln (a + b)) by (apply ln_increasing; lra).
  assert (ln b < ln (a + b)) by (apply ln_increasing; lra). nra.
Qed.

(** A part of a whole weighs at least as in the comparison of it with a reference. *)
Lemma part_at_least : forall x y, 0 < x -> 0 < y -> x - y <= x * (ln x - ln y).
Proof.
  intros x y X Y. assert (Q : 0 < x / y) by (apply quotient_positive; assumption). pose proof (ln_at_least (x / y) Q) as H.
  rewrite ln_quotient in H by assumption. apply (Rmult_le_compat_l x) in H; [| lra].
  replace (x * (1 - / (x / y))) with (x - y) in H by (field; lra). exact H.
Qed.

Lemma mixed_at_most : forall a b s, 0 < a /\ 0 < b /\ s = a + b -> s * ln s - a * ln a - b * ln b <= s * ln 2.
Proof.
  intros a b s (A & B & ->). pose proof (part_at_least a ((a + b) / 2) A ltac:(lra)) as H.
  pose proof (part_at_least b ((a + b) / 2) B ltac:(lra)) as K.
  assert (E : ln ((a + b) / 2) = ln (a + b) - ln 2) by (unfold Rdiv; rewrite ln_mult, ln_Rinv; lra).
  rewrite E in *. lra.
Qed.

(** Gibbs' inequality for a table and the product of its margins. *)
Lemma dependence : forall a b c d ab cd ac bd n,
  0 < a /\ 0 < b /\ 0 < c /\ 0 < d /\ ab = a + b /\ cd = c + d /\ ac = a + c /\ bd = b + d /\ n = a + b + c + d ->
  0 <= a * ln a + b * ln b + c * ln c + d * ln d + n * ln n - ab * ln ab - cd * ln cd - ac * ln ac - bd * ln bd.
Proof.
  intros a b c d ab cd ac bd n (A & B & C & D & -> & -> & -> & -> & ->).
  assert (E : forall r k, 0 < r -> 0 < k -> ln (r * k / (a + b + c + d)) = ln r + ln k - ln (a + b + c + d)).
  { intros r k R K. unfold Rdiv. rewrite ln_mult, ln_mult, ln_Rinv; try lra; [apply Rmult_lt_0_compat; lra |].
    apply Rinv_0_lt_compat. lra. }
  assert (P : forall r k, 0 < r -> 0 < k -> 0 < r * k / (a + b + c + d)).
  { intros. apply quotient_positive; [apply Rmult_lt_0_compat; assumption | lra]. }
  pose proof (part_at_least a _ A (P (a + b) (a + c) ltac:(lra) ltac:(lra))) as H1.
  pose proof (part_at_least b _ B (P (a + b) (b + d) ltac:(lra) ltac:(lra))) as H2.
  pose proof (part_at_least c _ C (P (c + d) (a + c) ltac:(lra) ltac:(lra))) as H3.
  pose proof (part_at_least d _ D (P (c + d) (b + d) ltac:(lra) ltac:(lra))) as H4.
  rewrite E in H1, H2, H3, H4 by lra.
  assert (Z : (a + b) * (a + c) / (a + b + c + d) + (a + b) * (b + d) / (a + b + c + d)
    + (c + d) * (a + c) / (a + b + c + d) + (c + d) * (b + d) / (a + b + c + d) = a + b + c + d) by (field; lra).
  lra.
Qed.

Ltac split_sum := repeat split; first [assumption | above | ring].

(** ** Quotients *)

Lemma above_by_quotient : forall b m n d, 0 < d -> (d <> 0 -> m = n / d) -> b * d < n -> b < m.
Proof.
  intros b m n d D E L. rewrite E by lra. apply (Rmult_lt_reg_r d); [exact D |].
  replace (n / d * d) with n by (field; lra). exact L.
Qed.

Lemma above_by_quotient_weakly : forall b m n d, 0 < d -> (d <> 0 -> m = n / d) -> b * d <= n -> b <= m.
Proof.
  intros b m n d D E L. rewrite E by lra. apply (Rmult_le_reg_r d); [exact D |].
  replace (n / d * d) with n by (field; lra). exact L.
Qed.

Lemma below_by_quotient : forall b m n d, 0 < d -> (d <> 0 -> m = n / d) -> n < b * d -> m < b.
Proof.
  intros b m n d D E L. rewrite E by lra. apply (Rmult_lt_reg_r d); [exact D |].
  replace (n / d * d) with n by (field; lra). exact L.
Qed.

Lemma below_by_quotient_weakly : forall b m n d, 0 < d -> (d <> 0 -> m = n / d) -> n <= b * d -> m <= b.
Proof.
  intros b m n d D E L. rewrite E by lra. apply (Rmult_le_reg_r d); [exact D |].
  replace (n / d * d) with n by (field; lra). exact L.
Qed.

(** Logarithms of products and quotients of positive terms as sums; what divisors are not zero follows from signs. *)
Ltac logs_apart :=
  repeat match goal with
  | H : _ <> 0 |- _ => clear H
  | H : 0 < ?x |- _ => tryif is_var x then fail else clear H
  end;
  repeat match goal with
  | |- context [ln (?a * ?b)] => rewrite (ln_mult a b) by above
  | |- context [ln (?a / ?b)] => rewrite (ln_quotient a b) by above
  | |- context [ln (?a ^ ?n)] => rewrite (ln_power a n) by above; cbn [Z.of_nat Pos.of_succ_nat Pos.succ]
  end.

(** ** Maxima *)

Lemma max_spec : forall a b, (a <= b /\ Rmax a b = b) \/ (b <= a /\ Rmax a b = a).
Proof. intros a b. unfold Rmax. destruct (Rle_dec a b); [left | right]; split; lra. Qed.

Lemma max_less : forall a b, 0 < a -> 0 < b -> Rmax a b < a + b.
Proof. intros a b A B. unfold Rmax. destruct (Rle_dec a b); lra. Qed.

Ltac maxima := repeat match goal with
  | |- context [Rmax ?a ?b] => lacks (a <= Rmax a b);
    pose proof (Rmax_l a b); pose proof (Rmax_r a b);
    pose proof (max_less a b ltac:(above) ltac:(above))
  end.

(** Which of two polynomials is the larger one. *)
Ltac order := first [fractions | nra].

(** An equation or inequality at numbers, of logarithms of the same one. *)
Ltac at_numbers_otherwise ::= unfold Rminus;
  lazymatch goal with |- context [ln ?x] => repeat match goal with
    | |- context [ln ?y] => tryif constr_eq x y then fail else replace (ln y) with (ln x) by (f_equal; lra)
  end end; log_signs; fractions.

(** ** Functions of a step that tends to zero from above *)

(** The logarithm of 1 + x, divided by x. *)
Definition ln_slope (x : R) : R := if Req_EM_T x 0 then 1 else ln (1 + x) / x.

(** The logarithm of a step goes to infinity, but slowly. *)
Definition flat_log (s : R) : R := / - ln s.
Definition small_log (s : R) : R := s * - ln s.

Lemma ln_slope_spec : forall x, ln (1 + x) = x * ln_slope x.
Proof.
  intros x. unfold ln_slope. destruct (Req_EM_T x 0) as [-> | N].
  - rewrite Rplus_0_r, ln_1. ring.
  - field. exact N.
Qed.

Lemma tends_ln_slope : forall f, tends f 0 -> tends (fun s => ln_slope (f s)) 1.
Proof.
  intros f F e E. destruct (derivable_pt_lim_ln 1 Rlt_0_1 e E) as (a & A).
  destruct (F a (cond_pos a)) as (d & D & H). exists d. split; [exact D | intros s P S].
  specialize (H s P S). rewrite Rminus_0_r in H. unfold ln_slope. destruct (Req_EM_T (f s) 0) as [Z | N].
  - rewrite Rminus_eq_0, Rabs_R0. exact E.
  - specialize (A (f s) N H). rewrite ln_1, Rminus_0_r, Rinv_1 in A. exact A.
Qed.

Lemma depth_positive : forall s, 0 < s -> s < 1 -> 0 < - ln s.
Proof. intros s P L. destruct (ln_below_one s P L) as (l & Q & E). lra. Qed.

Lemma tends_flat_log : tends flat_log 0.
Proof.
  intros e E. exists (exp (- / e)). split; [apply exp_pos | intros s P S].
  assert (K : ln s < - / e) by (rewrite <- (ln_exp (- / e)); apply ln_increasing; assumption).
  assert (0 < / e) by (apply Rinv_0_lt_compat; exact E). unfold flat_log. rewrite Rminus_0_r, Rabs_pos_eq.
  - rewrite <- (Rinv_inv e). apply Rinv_lt_contravar; [apply Rmult_lt_0_compat |]; lra.
  - apply Rlt_le, Rinv_0_lt_compat. lra.
Qed.

Lemma tends_small_log : tends small_log 0.
Proof.
  assert (T : tends (fun s => 2 * sqrt s) 0).
  { apply (tends_same _ (fun s => 2 * sqrt s) (2 * sqrt 0)); [reflexivity | rewrite sqrt_0; ring |].
    apply tends_scale, (tends_sqrt (fun s => s)); [lra | apply tends_id]. }
  intros e E. destruct (T e E) as (d & D & H). exists (Rmin d 1). split; [apply Rmin_pos; lra | intros s P S].
  pose proof (Rlt_le_trans _ _ _ S (Rmin_l d 1)). pose proof (Rlt_le_trans _ _ _ S (Rmin_r d 1)).
  specialize (H s P ltac:(assumption)). pose proof (depth_positive s P ltac:(assumption)) as L.
  assert (R : 0 < sqrt s) by (apply sqrt_lt_R0; exact P). assert (Q : sqrt s * sqrt s = s) by (apply sqrt_sqrt; lra).
  rewrite Rminus_0_r in *. rewrite Rabs_pos_eq in H by lra. unfold small_log.
  rewrite Rabs_pos_eq by (apply Rmult_le_pos; lra). eapply Rle_lt_trans; [| exact H].
  pose proof (ln_at_least (sqrt s) R) as B.
  assert (G : ln s = 2 * ln (sqrt s)) by (rewrite <- Q at 1; rewrite ln_mult by exact R; ring).
  assert (C : - ln s <= 2 * / sqrt s) by lra.
  apply (Rmult_le_compat_l s) in C; [| lra]. eapply Rle_trans; [exact C |]. right.
  rewrite <- Q at 1. field. lra.
Qed.

Lemma flat_log_positive : forall s, 0 < s -> s < 1 -> 0 < flat_log s.
Proof. intros s P L. apply Rinv_0_lt_compat, depth_positive; assumption. Qed.

Lemma small_log_positive : forall s, 0 < s -> s < 1 -> 0 < small_log s.
Proof. intros s P L. apply Rmult_lt_0_compat; [exact P | apply depth_positive; assumption]. Qed.

Lemma tends_to : forall f K L, tends f K -> K = L -> tends f L.
Proof. intros f K L T <-. exact T. Qed.

Ltac limit_is := eapply tends_to; [passes | ]; at_end.

Ltac passes_otherwise ::= lazymatch goal with
  | |- tends (fun s => flat_log s) _ => apply tends_flat_log
  | |- tends (fun s => small_log s) _ => apply tends_small_log
  | |- tends (fun s => ln_slope (@?f s)) _ =>
    apply (tends_ln_slope f); limit_is
  end.

(** ** Parts of a formula on a path *)

Lemma ln_rises : forall s n p q f x, 0 < s -> 0 < p -> 0 < q -> 0 < 1 + f -> x = p / q * (1 + f) * s ^ n ->
  ln x = ln p - ln q + f * ln_slope f - INR n * - ln s.
Proof.
  intros s n p q f x S P Q F ->. rewrite <- ln_slope_spec.
  assert (0 < p / q) by (apply quotient_positive; assumption). assert (0 < s ^ n) by (apply pow_lt; exact S).
  rewrite ln_mult by (try apply Rmult_lt_0_compat; assumption). rewrite ln_mult by assumption. rewrite ln_pow by exact S.
  unfold Rdiv. rewrite ln_mult, ln_Rinv; try assumption; [ring | apply Rinv_0_lt_compat; exact Q].
Qed.

Lemma ln_falls : forall s n p q f x, 0 < s -> 0 < p -> 0 < q -> 0 < 1 + f -> x = p / q * (1 + f) / s ^ n ->
  ln x = ln p - ln q + f * ln_slope f + INR n * - ln s.
Proof.
  intros s n p q f x S P Q F ->. rewrite <- ln_slope_spec.
  assert (0 < p / q) by (apply quotient_positive; assumption). assert (0 < s ^ n) by (apply pow_lt; exact S).
  unfold Rdiv at 1. rewrite ln_mult; [| apply Rmult_lt_0_compat; assumption | apply Rinv_0_lt_compat; assumption].
  rewrite ln_Rinv by assumption. rewrite ln_mult by assumption. rewrite ln_pow by exact S.
  unfold Rdiv. rewrite ln_mult, ln_Rinv; try assumption; [ring | apply Rinv_0_lt_compat; exact Q].
Qed.

Lemma max_is_first : forall a b v, b <= a -> a = v -> Rmax a b = v.
Proof. intros a b v L <-. apply Rmax_left, L. Qed.

Lemma max_is_second : forall a b v, a <= b -> b = v -> Rmax a b = v.
Proof. intros a b v L <-. apply Rmax_right, L. Qed.

Lemma min_is_first : forall a b v, a <= b -> a = v -> Rmin a b = v.
Proof. intros a b v L <-. apply Rmin_left, L. Qed.

Lemma min_is_second : forall a b v, b <= a -> b = v -> Rmin a b = v.
Proof. intros a b v L <-. apply Rmin_right, L. Qed.

Lemma max_is_both : forall a b v, a = v -> b = v -> Rmax a b = v.
Proof. intros a b v -> ->. apply Rmax_left. lra. Qed.

Lemma min_is_both : forall a b v, a = v -> b = v -> Rmin a b = v.
Proof. intros a b v -> ->. apply Rmin_left. lra. Qed.

Lemma abs_is_same : forall a v, 0 <= a -> a = v -> Rabs a = v.
Proof. intros a v P <-. apply Rabs_pos_eq, P. Qed.

Lemma abs_is_opposite : forall a v, a <= 0 -> - a = v -> Rabs a = v.
Proof. intros a v P <-. apply Rabs_left1, P. Qed.

Lemma inside_unit : forall s, 0 < s -> s < 1 -> exists t, 0 < t /\ s = t / (1 + t).
Proof.
  intros s P L. exists (s / (1 - s)). split; [apply quotient_positive; lra | field; lra].
Qed.

(** An inequality between functions of a step below 1. *)
Ltac for_small_steps := first [fractions | lazymatch goal with
  | P : 0 < ?s, L : ?s < 1 |- _ =>
    let t := fresh "t" in let Q := fresh in let E := fresh in
    destruct (inside_unit s P L) as (t & Q & E); clear P L; subst; fractions
  end].

Ltac on_path_positive := repeat lazymatch goal with
  | E : ?x = _, P : 0 < ?s, _ : ?s < 1 |- _ => assert (0 < x) by (rewrite E; fractions); revert E
  end; intros ETP EFN EFP ETN.

(** That a formula has a value at positive cells, or else on the path. *)
Ltac value_on_path rewritten := repeat split; first
  [ premise | solve [log_signs; atoms_positive; fractions] | solve [rewritten; for_small_steps] ].

(** The equation for the metric on a path, all parts of which are known. *)
Ltac path_closed := unpack;
  repeat match goal with E : ?a = _ |- _ => tryif is_var a then fail else clear E end; unfold small_log, flat_log in *;
  lazymatch goal with P : 0 < ?s, L : ?s < 1 |- _ =>
    let D := fresh in let m := fresh "m" in
    pose proof (depth_positive s P L) as D; set (m := - ln s) in *; clearbody m; subst; for_small_steps
  end.

Ltac at_logs := cbv beta; atoms_positive; first [lra | fractions | solve [field; repeat split; lra] | enclose 60%Z
  | lazymatch goal with |- context [sqrt (IZR ?z)] => at_root (IZR z) end ].

Ltac limit_found := passes; at_logs.

Ltac small_positive := unfold flat_log, small_log;
  lazymatch goal with P : 0 < ?s, L : ?s < 1 |- _ => pose proof (depth_positive s P L) end; above.

(** ** Along a path *)

Section Along.

  Variable M : R -> R -> R -> R -> R.
  Variable defined : R -> R -> R -> R -> Prop.
  Variables TP FN FP TN : R -> R.
  Variables n d h : R -> R.
  Variables N D : R.

  (** On the path the metric is the quotient of n by d, divided by h, as far as d is not zero. *)
  Definition follows : Prop := forall s tp fn fp tn, 0 < s -> s < 1 ->
    tp = TP s -> fn = FN s -> fp = FP s -> tn = TN s -> d s <> 0 ->
    0 < tp /\ 0 < fn /\ 0 < fp /\ 0 < tn /\ defined tp fn fp tn /\ M tp fn fp tn = n s / d s / h s.

  Hypothesis on_path : follows.
  Hypothesis above_tends : tends n N.
  Hypothesis below_tends : tends d D.
  Hypothesis below_ends : D <> 0.

  Lemma somewhere_along : forall P : R -> Prop, (exists c, 0 < c /\ forall s, 0 < s -> s < c -> s < 1 -> P (n s / d s / h s)) ->
    somewhere M defined P.
  Proof.
    intros P (c & C & H). destruct (below_tends (Rabs D) (Rabs_pos_lt D below_ends)) as (a & A & K).
    set (s := Rmin (Rmin a c) 1 / 2).
    assert (S : 0 < Rmin (Rmin a c) 1) by (repeat apply Rmin_pos; lra).
    pose proof (Rmin_l (Rmin a c) 1). pose proof (Rmin_r (Rmin a c) 1). pose proof (Rmin_l a c). pose proof (Rmin_r a c).
    assert (G : d s <> 0).
    { specialize (K s ltac:(unfold s; lra) ltac:(unfold s; lra)). intro Z. rewrite Z in K.
      replace (0 - D) with (- D) in K by ring. rewrite Rabs_Ropp in K. lra. }
    destruct (on_path s (TP s) (FN s) (FP s) (TN s)) as (B1 & B2 & B3 & B4 & B5 & B6); try reflexivity; try exact G;
      try (unfold s; lra).
    exists (TP s), (FN s), (FP s), (TN s). repeat split; try assumption. rewrite B6. apply H; unfold s; lra.
  Qed.

  Lemma quotient_tends : tends (fun s => n s / d s) (N / D).
  Proof. apply tends_div; assumption. Qed.

  Hypothesis no_more : forall s, h s = 1.

  Lemma near_along : forall b e, N / D = b -> 0 < e -> somewhere M defined (fun v => b - e < v /\ v < b + e).
  Proof.
    intros b e B E. apply somewhere_along. destruct (quotient_tends e E) as (c & C & H). exists c. split; [exact C | intros s P S _].
    specialize (H s P S). apply Rabs_def2 in H. rewrite no_more. unfold Rdiv in *. rewrite Rinv_1, Rmult_1_r. lra.
  Qed.

  Lemma near_below_along : forall b, N / D = b -> forall e, 0 < e -> somewhere M defined (fun v => b - e < v).
  Proof.
    intros b B e E. destruct (near_along b e B E) as (t & u & v & w & A). exists t, u, v, w. tauto.
  Qed.

  Lemma near_above_along : forall b, N / D = b -> forall e, 0 < e -> somewhere M defined (fun v => v < b + e).
  Proof.
    intros b B e E. destruct (near_along b e B E) as (t & u & v & w & A). exists t, u, v, w. tauto.
  Qed.

End Along.

Section Unbounded.

  Variable M : R -> R -> R -> R -> R.
  Variable defined : R -> R -> R -> R -> Prop.
  Variables TP FN FP TN : R -> R.
  Variables n d h : R -> R.
  Variables N D : R.
  Hypothesis on_path : follows M defined TP FN FP TN n d h.
  Hypothesis above_tends : tends n N.
  Hypothesis below_tends : tends d D.
  Hypothesis below_ends : D <> 0.
  Hypothesis vanishes : tends h 0.
  Hypothesis positive : forall s, 0 < s -> s < 1 -> 0 < h s.

  Lemma no_upper_end_along : 0 < N / D -> no_upper_end M defined.
  Proof.
    intros P. apply no_upper_end_by. intros B Q. eapply somewhere_along; try eassumption.
    destruct (quotient_tends n d N D above_tends below_tends below_ends (N / D / 2)) as (a & A & H); [lra |].
    destruct (vanishes (N / D / 2 / B)) as (c & C & K); [apply quotient_positive; lra |].
    exists (Rmin a c). split; [apply Rmin_pos; assumption | intros s S L I].
    specialize (H s S (Rlt_le_trans _ _ _ L (Rmin_l a c))). specialize (K s S (Rlt_le_trans _ _ _ L (Rmin_r a c))).
    specialize (positive s S I). apply Rabs_def2 in H. rewrite Rminus_0_r, Rabs_pos_eq in K by lra.
    apply (Rmult_lt_reg_r (h s)); [exact positive |].
    apply (Rmult_lt_compat_l B) in K; [| exact Q]. replace (B * (N / D / 2 / B)) with (N / D / 2) in K by (field; lra).
    replace (n s / d s / h s * h s) with (n s / d s) by (unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; ring). lra.
  Qed.

  Lemma no_lower_end_along : N / D < 0 -> no_lower_end M defined.
  Proof.
    intros P. apply no_lower_end_by. intros B Q. eapply somewhere_along; try eassumption.
    destruct (quotient_tends n d N D above_tends below_tends below_ends (- (N / D) / 2)) as (a & A & H); [lra |].
    destruct (vanishes (- (N / D) / 2 / B)) as (c & C & K); [apply quotient_positive; lra |].
    exists (Rmin a c). split; [apply Rmin_pos; assumption | intros s S L I].
    specialize (H s S (Rlt_le_trans _ _ _ L (Rmin_l a c))). specialize (K s S (Rlt_le_trans _ _ _ L (Rmin_r a c))).
    specialize (positive s S I). apply Rabs_def2 in H. rewrite Rminus_0_r, Rabs_pos_eq in K by lra.
    apply (Rmult_lt_reg_r (h s)); [exact positive |].
    apply (Rmult_lt_compat_l B) in K; [| exact Q]. replace (B * (- (N / D) / 2 / B)) with (- (N / D) / 2) in K by (field; lra).
    replace (n s / d s / h s * h s) with (n s / d s) by (unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; ring). lra.
  Qed.

End Unbounded.
