(** Strict monotonicity by the sign of a derivative, for metrics with roots and logarithms.

    Along a segment from one table to another, the derivative of a metric is again a fraction in the cells and in the
    roots and logarithms of the metric; if it is a positive fraction (in the sense of [Signs]), the metric increases.

    What a generated file finds here: the tactic [increases_by_slope], for goals [m a b c d < m a' b' c' d'] in which [m] is a
    metric, perhaps with parameters, and the cells on the two sides are the same or differ by [+ t]; hypotheses [0 < x]. *)

Require Import ZArith Nnat Lia Setoid Morphisms Bool List Ring_theory Field_theory BinList Reals Ranalysis5 Lra.
From Symmetrics Require Import Signs.
From Symmetrics Require Export Symmetrics.
Import ListNotations.
Open Scope R_scope.

Inductive fn : Set :=
| V (k : positive) | K (z : Z)
| Fadd (a b : fn) | Fsub (a b : fn) | Fopp (a : fn) | Fmul (a b : fn) | Fdiv (a b : fn) | Finv (a : fn) | Fpow (a : fn) (n : nat)
| Fsqrt (a : fn) | Froot (n : positive) (a : fn) | Fln (a : fn)
| Fmax (a b : fn) | Fmin (a b : fn).

Definition fn_dec : forall a b : fn, {a = b} + {a <> b}.
Proof. decide equality; auto using Pos.eq_dec, Z.eq_dec, Nat.eq_dec. Defined.

Fixpoint value (c : positive -> R) (e : fn) : R :=
  match e with
  | V k => c k
  | K z => IZR z
  | Fadd a b => value c a + value c b
  | Fsub a b => value c a - value c b
  | Fopp a => - value c a
  | Fmul a b => value c a * value c b
  | Fdiv a b => value c a / value c b
  | Finv a => / value c a
  | Fpow a n => value c a ^ n
  | Fsqrt a => sqrt (value c a)
  | Froot n a => root n (value c a)
  | Fln a => ln (value c a)
  | Fmax a b => Rmax (value c a) (value c b)
  | Fmin a b => Rmin (value c a) (value c b)
  end.

(** ** As fractions of variables and atoms *)

Section Along.

(** The atoms: variables, roots and logarithms, inner ones first. *)
Variable atoms : list fn.
Variable slopes : positive -> Z.
(** Which variables are positive. *)
Variable flags : list bool.

Fixpoint search (f : fn) (k : positive) (l : list fn) : positive :=
  match l with
  | nil => k
  | g :: l => if fn_dec f g then k else search f (Pos.succ k) l
  end.

Definition found (f : fn) : option (FExpr Z) :=
  let k := search f 1%positive atoms in
  if fn_dec (BinList.nth (K 0) k atoms) f then Some (FEX Z k) else None.

(** The logarithm of what is below one is kept as that of the inverse, which is positive. *)
Definition place (f : fn) : option (FExpr Z) :=
  match found f with
  | Some x => Some x
  | None => match f with
            | Fln a => match found (Fln (Finv a)) with Some x => Some (FEopp x) | None => None end
            | _ => None
            end
  end.

Definition map2 (f : FExpr Z -> FExpr Z -> FExpr Z) (a b : option (FExpr Z)) : option (FExpr Z) :=
  match a, b with Some a, Some b => Some (f a b) | _, _ => None end.

Definition map1 (f : FExpr Z -> FExpr Z) (a : option (FExpr Z)) : option (FExpr Z) :=
  match a with Some a => Some (f a) | None => None end.

Fixpoint frac (e : fn) : option (FExpr Z) :=
  match e with
  | V _ | Fsqrt _ | Froot _ _ | Fln _ => place e
  | K z => Some (FEc z)
  | Fadd a b => map2 (@FEadd Z) (frac a) (frac b)
  | Fsub a b => map2 (@FEsub Z) (frac a) (frac b)
  | Fopp a => map1 (@FEopp Z) (frac a)
  | Fmul a b => map2 (@FEmul Z) (frac a) (frac b)
  | Fdiv a b => map2 (@FEdiv Z) (frac a) (frac b)
  | Finv a => map1 (@FEinv Z) (frac a)
  | Fpow a n => map1 (fun x => FEpow x (N.of_nat n)) (frac a)
  | Fmax _ _ | Fmin _ _ => None
  end.

(** Zeros are left out, so that what does not change along the segment does not enter the derivative. *)

Definition is_zero (a : FExpr Z) : bool := match a with FEc 0%Z => true | _ => false end.
Definition sadd (a b : FExpr Z) : FExpr Z := if is_zero a then b else if is_zero b then a else FEadd a b.
Definition ssub (a b : FExpr Z) : FExpr Z := if is_zero b then a else if is_zero a then FEopp b else FEsub a b.
Definition smul (a b : FExpr Z) : FExpr Z := if is_zero a then FEc 0%Z else if is_zero b then FEc 0%Z else FEmul a b.
Definition sdiv (a b : FExpr Z) : FExpr Z := if is_zero a then FEc 0%Z else FEdiv a b.

Fixpoint slope (e : fn) : option (FExpr Z) :=
  match e with
  | V k => Some (FEc (slopes k))
  | K _ => Some (FEc 0%Z)
  | Fadd a b => map2 sadd (slope a) (slope b)
  | Fsub a b => map2 ssub (slope a) (slope b)
  | Fopp a => map1 (ssub (FEc 0%Z)) (slope a)
  | Fmul a b => map2 sadd (map2 smul (slope a) (frac b)) (map2 smul (frac a) (slope b))
  | Fdiv a b => map2 ssub (map2 sdiv (slope a) (frac b))
                 (map2 sdiv (map2 smul (frac a) (slope b)) (map1 (fun x => FEmul x x) (frac b)))
  | Finv a => map1 (ssub (FEc 0%Z)) (map2 sdiv (slope a) (map1 (fun x => FEmul x x) (frac a)))
  | Fpow a n => map2 smul (map1 (fun x => FEmul (FEc (Z.of_nat n)) (FEpow x (N.of_nat (pred n)))) (frac a)) (slope a)
  | Fsqrt a => map2 sdiv (map2 smul (place e) (slope a)) (map1 (FEmul (FEc 2%Z)) (frac a))
  | Froot n a => map2 sdiv (map2 smul (place e) (slope a)) (map1 (FEmul (FEc (Zpos n))) (frac a))
  | Fln a => map2 sdiv (slope a) (frac a)
  | Fmax _ _ | Fmin _ _ => None
  end.

Definition holds (check : FExpr Z -> bool) (a : option (FExpr Z)) : bool :=
  match a with Some a => check a | None => false end.

Definition positive_in (m : mask) : option (FExpr Z) -> bool := holds (positive_fraction m []).

Fixpoint smooth (m : mask) (e : fn) : bool :=
  match e with
  | V _ | K _ => true
  | Fadd a b | Fsub a b | Fmul a b => smooth m a && smooth m b
  | Fopp a | Fpow a _ => smooth m a
  | Fdiv a b => smooth m a && smooth m b && holds (nonzero_fraction m []) (frac b)
  | Finv a => smooth m a && holds (nonzero_fraction m []) (frac a)
  | Fsqrt a | Froot _ a | Fln a => smooth m a && positive_in m (frac a)
  | Fmax _ _ | Fmin _ _ => false
  end.

(** The atoms that are positive, each seen from those before it. *)
Fixpoint extended (m : mask) (rest : list fn) : mask :=
  match rest with
  | nil => m
  | f :: rest =>
    extended (m ++ [match f with
                    | V k => BinList.nth false k flags
                    | Fsqrt a | Froot _ a => positive_in m (frac a)
                    | Fln a => positive_in m (frac (Fsub a (K 1)))
                    | _ => false
                    end]) rest
  end.

Definition signs : mask := extended [] atoms.

Definition increases (e : fn) : bool := smooth signs e && positive_in signs (slope e).

(** ** Soundness *)

Definition values (c : positive -> R) : list R := map (value c) atoms.

Lemma map_tl : forall (A B : Type) (l : list A) (f : A -> B), map f (tl l) = tl (map f l).
Proof. intros A B [| x l] f; reflexivity. Qed.

Lemma jump_map : forall (A B : Type) k (l : list A) (f : A -> B), jump k (map f l) = map f (jump k l).
Proof.
  intros A B k. induction k; intros l f; simpl.
  - rewrite <- map_tl, !IHk. reflexivity.
  - rewrite !IHk. reflexivity.
  - symmetry. apply map_tl.
Qed.

Lemma nth_map : forall c k l, BinList.nth 0 k (map (value c) l) = value c (BinList.nth (K 0) k l).
Proof.
  intros c k. induction k; intro l; simpl.
  - rewrite <- map_tl, jump_map. apply IHk.
  - rewrite jump_map. apply IHk.
  - destruct l; reflexivity.
Qed.

Lemma found_value : forall c f x, found f = Some x -> Rvalue (values c) x = value c f.
Proof.
  intros c f x H. unfold found in H. destruct (fn_dec _ f) as [E |]; try discriminate. injection H as <-.
  simpl. unfold values. rewrite nth_map, E. reflexivity.
Qed.

Lemma place_value : forall c f x, place f = Some x -> Rvalue (values c) x = value c f.
Proof.
  intros c f x H. unfold place in H. destruct (found f) as [y |] eqn:E.
  - injection H as <-. apply found_value, E.
  - destruct f; try discriminate. destruct (found (Fln (Finv f))) as [y |] eqn:F; try discriminate. injection H as <-.
    apply (found_value c) in F. simpl in *. rewrite F, (ln_inverse (/ value c f) (value c f) eq_refl). ring.
Qed.

Lemma map2_inv : forall f a b x, map2 f a b = Some x -> exists y z, a = Some y /\ b = Some z /\ x = f y z.
Proof. intros f [y |] [z |] x H; try discriminate. injection H as <-. eauto. Qed.

Lemma map1_inv : forall f a x, map1 f a = Some x -> exists y, a = Some y /\ x = f y.
Proof. intros f [y |] x H; try discriminate. injection H as <-. eauto. Qed.

Ltac inverted :=
  repeat match goal with
  | H : map2 _ _ _ = Some _ |- _ => apply map2_inv in H; destruct H as [? [? [? [? ?]]]]; subst
  | H : map1 _ _ = Some _ |- _ => apply map1_inv in H; destruct H as [? [? ?]]; subst
  end.

Lemma frac_value : forall c e x, frac e = Some x -> Rvalue (values c) x = value c e.
Proof.
  intro c. induction e; intros x H; try (apply place_value; exact H); simpl in H; try discriminate H; inverted;
    try (simpl; repeat match goal with IH : forall x, _ -> _ = _, E : frac _ = Some _ |- _ => rewrite (IH _ E); clear E end; reflexivity).
  - injection H as <-. reflexivity.
  - simpl. rewrite (IHe _ H), Nnat.Nat2N.id. reflexivity.
Qed.

Lemma zero_value : forall l a, is_zero a = true -> Rvalue l a = 0.
Proof. intros l [| | [| |] | | | | | | | |] H; try discriminate. reflexivity. Qed.

Ltac by_zero :=
  match goal with |- context [if is_zero ?x then _ else _] => destruct (is_zero x) eqn:? end;
  try match goal with |- context [if is_zero ?x then _ else _] => destruct (is_zero x) eqn:? end;
  repeat match goal with E : is_zero ?x = true |- context [FEeval _ _ _ _ _ _ _ _ _ _ _ ?l ?x] => rewrite (zero_value l x E) end;
  simpl; repeat match goal with E : is_zero ?x = true |- context [FEeval _ _ _ _ _ _ _ _ _ _ _ ?l ?x] => rewrite (zero_value l x E) end;
  try reflexivity; unfold Rdiv; try ring.

Lemma sadd_value : forall l a b, Rvalue l (sadd a b) = Rvalue l a + Rvalue l b.
Proof. intros. unfold sadd, ssub, smul, sdiv. by_zero. Qed.
Lemma ssub_value : forall l a b, Rvalue l (ssub a b) = Rvalue l a - Rvalue l b.
Proof. intros. unfold sadd, ssub, smul, sdiv. by_zero. Qed.
Lemma smul_value : forall l a b, Rvalue l (smul a b) = Rvalue l a * Rvalue l b.
Proof. intros. unfold sadd, ssub, smul, sdiv. by_zero. Qed.
Lemma sdiv_value : forall l a b, Rvalue l (sdiv a b) = Rvalue l a / Rvalue l b.
Proof. intros. unfold sadd, ssub, smul, sdiv. by_zero. Qed.

Lemma positive_in_sound : forall m c e, agrees R (fun x => 0 < x) m (values c) ->
  positive_in m (frac e) = true -> 0 < value c e.
Proof.
  intros m c e A H. unfold positive_in in H. destruct (frac e) as [x |] eqn:E; try discriminate. simpl in H.
  rewrite <- (frac_value c e x E).
  exact (positive_fraction_sound _ _ _ _ _ _ _ _ _ _ (@eq_equivalence R) R_ext Rinv_ext Rfield _ IZR_morphism _ _ _ R_power_theory
    _ R_pos_ext Rplus_lt_0_compat Rmult_lt_0_compat Rinv_0_lt_compat R_pos_not_zero R_pos_phi _ _ _ _ H A I).
Qed.

Lemma nonzero_in_sound : forall m c e, agrees R (fun x => 0 < x) m (values c) ->
  holds (nonzero_fraction m []) (frac e) = true -> value c e <> 0.
Proof.
  intros m c e A H. destruct (frac e) as [x |] eqn:E; try discriminate. simpl in H.
  rewrite <- (frac_value c e x E).
  exact (nonzero_fraction_sound _ _ _ _ _ _ _ _ _ _ (@eq_equivalence R) R_ext Rinv_ext Rfield _ IZR_morphism _ _ _ R_power_theory
    _ R_pos_ext Rplus_lt_0_compat Rmult_lt_0_compat R_pos_not_zero R_pos_phi _ _ _ _ H A I).
Qed.

Variable start : positive -> R.

Definition along (u : R) (k : positive) : R := start k + IZR (slopes k) * u.

Lemma derivative_root : forall n x, 0 < x -> derivable_pt_lim (root n) x (root n x / (IZR (Zpos n) * x)).
Proof.
  intros n x Hx.
  assert (root n x / (IZR (Zpos n) * x) = / IZR (Zpos n) * Rpower x (/ IZR (Zpos n) - 1)) as ->.
  { unfold Rminus. rewrite Rpower_plus, Rpower_Ropp, Rpower_1 by exact Hx.
    unfold root. destruct (Rle_dec x 0). lra. generalize (IZR_pos_positive n). intro. field. lra. }
  intros eps Heps. destruct (derivable_pt_lim_power x (/ IZR (Zpos n)) Hx eps Heps) as [d Hd].
  assert (0 < Rmin d x) as Hm by (apply Rmin_pos; [apply cond_pos | exact Hx]).
  exists (mkposreal _ Hm). intros h Hh small. simpl in small.
  generalize (Rmin_l d x) (Rmin_r d x). intros.
  assert (0 < x + h) by (apply Rabs_def2 in small; lra).
  unfold root. destruct (Rle_dec (x + h) 0); [lra |]. destruct (Rle_dec x 0); [lra |].
  apply Hd; lra.
Qed.

Lemma derivative_sqrt : forall x, 0 < x -> derivable_pt_lim sqrt x (sqrt x / (2 * x)).
Proof.
  intros x Hx. replace (sqrt x / (2 * x)) with (/ (2 * sqrt x)). apply derivable_pt_lim_sqrt, Hx.
  generalize (sqrt_lt_R0 x Hx). intro. rewrite <- (sqrt_sqrt x) at 3 by lra. field. lra.
Qed.

Lemma derivative_is : forall f x d e, derivable_pt_lim f x d -> d = e -> derivable_pt_lim f x e.
Proof. intros f x d e H <-. exact H. Qed.

Lemma slope_value : forall m u, agrees R (fun x => 0 < x) m (values (along u)) -> forall e x,
  smooth m e = true -> slope e = Some x -> derivable_pt_lim (fun v => value (along v) e) u (Rvalue (values (along u)) x).
Proof.
  intros m u A. induction e; intros x S H; simpl in H; simpl in S; try discriminate;
    repeat match goal with S : _ && _ = true |- _ => apply andb_prop in S; destruct S end;
    inverted;
    repeat match goal with E : frac _ = Some _ |- _ => apply (frac_value (along u)) in E end;
    repeat match goal with E : place _ = Some _ |- _ => apply (place_value (along u)) in E; simpl in E end;
    rewrite ?sadd_value, ?ssub_value, ?smul_value, ?sdiv_value; simpl;
    rewrite ?smul_value, ?sdiv_value; simpl;
    repeat match goal with E : Rvalue _ _ = value _ _ |- _ => rewrite E; clear E end;
    repeat match goal with E : Rvalue _ _ = _ |- _ => rewrite E; clear E end.
  - injection H as <-. unfold along. simpl.
    apply derivative_is with (0 + IZR (slopes k) * 1); [| ring].
    apply (derivable_pt_lim_plus (fun _ => start k) (fun v => IZR (slopes k) * v)).
    apply derivable_pt_lim_const. apply (derivable_pt_lim_scal id). apply derivable_pt_lim_id.
  - injection H as <-. apply derivable_pt_lim_const.
  - apply (derivable_pt_lim_plus (fun v => value (along v) e1) (fun v => value (along v) e2)); auto.
  - apply (derivable_pt_lim_minus (fun v => value (along v) e1) (fun v => value (along v) e2)); auto.
  - rewrite Rminus_0_l. apply (derivable_pt_lim_opp (fun v => value (along v) e)); auto.
  - apply (derivable_pt_lim_mult (fun v => value (along v) e1) (fun v => value (along v) e2)); auto.
  - assert (value (along u) e2 <> 0) by (apply (nonzero_in_sound m); auto).
    eapply derivative_is.
    + apply (derivable_pt_lim_div (fun v => value (along v) e1) (fun v => value (along v) e2));
        [eapply IHe1; eassumption | eapply IHe2; eassumption | assumption].
    + unfold Rsqr. field. assumption.
  - assert (value (along u) e <> 0) by (apply (nonzero_in_sound m); auto).
    eapply derivative_is.
    + apply (derivable_pt_lim_ext (fun v => 1 / value (along v) e)). { intro. unfold Rdiv. ring. }
      apply (derivable_pt_lim_div (fun _ => 1) (fun v => value (along v) e));
        [apply derivable_pt_lim_const | eapply IHe; eassumption | assumption].
    + unfold Rsqr. field. assumption.
  - rewrite Nnat.Nat2N.id, <- INR_IZR_INZ.
    apply (derivable_pt_lim_comp (fun v => value (along v) e) (fun y => y ^ n)); auto. apply derivable_pt_lim_pow.
  - assert (0 < value (along u) e) by (apply (positive_in_sound m); auto).
    eapply derivative_is.
    + apply (derivable_pt_lim_comp (fun v => value (along v) e) sqrt); [eapply IHe; eassumption | apply derivative_sqrt; assumption].
    + field. lra.
  - assert (0 < value (along u) e) by (apply (positive_in_sound m); auto).
    generalize (IZR_pos_positive n). intro.
    eapply derivative_is.
    + apply (derivable_pt_lim_comp (fun v => value (along v) e) (root n)); [eapply IHe; eassumption | apply derivative_root; assumption].
    + field. lra.
  - assert (0 < value (along u) e) by (apply (positive_in_sound m); auto).
    eapply derivative_is.
    + apply (derivable_pt_lim_comp (fun v => value (along v) e) ln); [eapply IHe; eassumption | apply derivable_pt_lim_ln; assumption].
    + field. lra.
Qed.

Lemma agrees_snoc : forall (P : R -> Prop) m l b y, agrees R P m l -> nth_error l (length m) = Some y -> (b = true -> P y) ->
  agrees R P (m ++ [b]) l.
Proof.
  intros P m. induction m as [| a m IH]; intros [| x l] b y A E H; simpl in *; try discriminate.
  - injection E as ->. auto.
  - destruct A. split; eauto.
Qed.

Lemma extended_sound : forall c, (forall k, BinList.nth false k flags = true -> 0 < c k) ->
  forall rest before m, atoms = before ++ rest -> length m = length before ->
  agrees R (fun x => 0 < x) m (values c) -> agrees R (fun x => 0 < x) (extended m rest) (values c).
Proof.
  intros c Hc. induction rest as [| f rest IH]; intros before m E L A; simpl. exact A.
  apply (IH (before ++ [f])).
  - rewrite <- app_assoc. exact E.
  - rewrite !app_length, L. reflexivity.
  - apply (agrees_snoc _ m _ _ (value c f)); [exact A | |].
    + unfold values. apply map_nth_error. rewrite E, L, nth_error_app2, Nat.sub_diag by lia. reflexivity.
    + intro H. destruct f; try discriminate.
      * apply Hc, H.
      * apply sqrt_lt_R0. apply (positive_in_sound m); assumption.
      * apply root_positive. apply (positive_in_sound m); assumption.
      * apply (positive_in_sound m c (Fsub f (K 1)) A) in H. change (value c (Fsub f (K 1))) with (value c f - 1) in H.
        change (0 < ln (value c f)). replace 0 with (ln 1) by apply ln_1. apply ln_increasing; lra.
Qed.

Theorem slope_on : forall e x t, smooth signs e = true -> slope e = Some x ->
  (forall k, BinList.nth false k flags = true -> 0 < start k /\ 0 < along t k) ->
  forall u, 0 <= u <= t -> agrees R (fun x => 0 < x) signs (values (along u)) /\
    derivable_pt_lim (fun v => value (along v) e) u (Rvalue (values (along u)) x).
Proof.
  intros e x t S E H u Hu.
  assert (agrees R (fun x => 0 < x) signs (values (along u))) as A.
  { apply (extended_sound (along u)) with (before := nil); try reflexivity; try exact I.
    intros k F. destruct (H k F) as [P Q]. unfold along in *.
    destruct (Rle_dec 0 (IZR (slopes k))); nra. }
  split. exact A. apply (slope_value signs); assumption.
Qed.

Theorem increases_sound : forall e t,
  (forall k, BinList.nth false k flags = true -> 0 < start k /\ 0 < along t k) ->
  increases e = true -> forall u v, 0 <= u -> u < v -> v <= t -> value (along u) e < value (along v) e.
Proof.
  intros e t H C u v Hu Huv Hv. unfold increases in C. apply andb_prop in C. destruct C as [S C].
  destruct (slope e) as [x |] eqn:E; try discriminate. simpl in C.
  generalize (slope_on e x t S E H). intro D.
  destruct (MVT_cor2 (fun v => value (along v) e) (fun u => Rvalue (values (along u)) x) u v Huv) as [w [M Hw]].
  { intros w Hw. apply D. lra. }
  assert (0 < Rvalue (values (along w)) x) as P.
  { refine (positive_fraction_sound _ _ _ _ _ _ _ _ _ _ (@eq_equivalence R) R_ext Rinv_ext Rfield _ IZR_morphism _ _ _ R_power_theory
    _ R_pos_ext Rplus_lt_0_compat Rmult_lt_0_compat Rinv_0_lt_compat R_pos_not_zero R_pos_phi _ _ _ _ C _ I).
    apply D. lra. }
  assert (0 < Rvalue (values (along w)) x * (v - u)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Theorem continuous_on : forall e t, smooth signs e = true -> (if slope e then true else false) = true ->
  (forall k, BinList.nth false k flags = true -> 0 < start k /\ 0 < along t k) ->
  forall u, 0 <= u <= t -> continuity_pt (fun v => value (along v) e) u.
Proof.
  intros e t S E H u Hu. destruct (slope e) as [x |] eqn:Ex; try discriminate.
  apply derivable_continuous_pt. exists (Rvalue (values (along u)) x). apply (slope_on e x t S Ex H u Hu).
Qed.

End Along.

(** ** The atoms of a function, inner ones first *)

Definition included (f : fn) (l : list fn) : list fn := if in_dec fn_dec f l then l else l ++ [f].

Fixpoint atoms_of (flags : list bool) (e : fn) (l : list fn) : list fn :=
  match e with
  | V _ => included e l
  | K _ => l
  | Fadd a b | Fsub a b | Fmul a b | Fdiv a b => atoms_of flags b (atoms_of flags a l)
  | Fopp a | Finv a | Fpow a _ => atoms_of flags a l
  | Fsqrt a | Froot _ a => included e (atoms_of flags a l)
  | Fln a => let l := atoms_of flags a l in
             if positive_in (signs l flags) (frac l (Fsub (K 1) a)) then included (Fln (Finv a)) l else included e l
  | Fmax a b | Fmin a b => atoms_of flags b (atoms_of flags a l)
  end.

(** ** Extremes: piece by piece

    Where [Max] is in a formula, the formula is one of two along the segment, and both are equal where they meet. *)

Fixpoint replaced (f g e : fn) : fn :=
  if fn_dec e f then g else
  match e with
  | V _ | K _ => e
  | Fadd a b => Fadd (replaced f g a) (replaced f g b)
  | Fsub a b => Fsub (replaced f g a) (replaced f g b)
  | Fopp a => Fopp (replaced f g a)
  | Fmul a b => Fmul (replaced f g a) (replaced f g b)
  | Fdiv a b => Fdiv (replaced f g a) (replaced f g b)
  | Finv a => Finv (replaced f g a)
  | Fpow a n => Fpow (replaced f g a) n
  | Fsqrt a => Fsqrt (replaced f g a)
  | Froot n a => Froot n (replaced f g a)
  | Fln a => Fln (replaced f g a)
  | Fmax a b => Fmax (replaced f g a) (replaced f g b)
  | Fmin a b => Fmin (replaced f g a) (replaced f g b)
  end.

Lemma replaced_value : forall c f g, value c f = value c g -> forall e, value c (replaced f g e) = value c e.
Proof.
  intros c f g E. induction e; cbn [replaced];
    match goal with |- context [fn_dec ?a ?b] => destruct (fn_dec a b) as [<- |] end; auto; simpl;
    rewrite ?IHe, ?IHe1, ?IHe2; reflexivity.
Qed.

(** An innermost extreme: the node, what it is where the difference is not negative, what it is elsewhere, and the difference. *)
Fixpoint extreme (e : fn) : option (fn * fn * fn * fn) :=
  match e with
  | V _ | K _ => None
  | Fadd a b | Fsub a b | Fmul a b | Fdiv a b => match extreme a with Some x => Some x | None => extreme b end
  | Fopp a | Finv a | Fpow a _ | Fsqrt a | Froot _ a | Fln a => extreme a
  | Fmax a b => match extreme a with Some x => Some x | None => match extreme b with Some x => Some x | None => Some (e, a, b, Fsub a b) end end
  | Fmin a b => match extreme a with Some x => Some x | None => match extreme b with Some x => Some x | None => Some (e, a, b, Fsub b a) end end
  end.

Lemma extreme_value : forall c e f a b d, extreme e = Some (f, a, b, d) ->
  (0 <= value c d -> value c f = value c a) /\ (value c d <= 0 -> value c f = value c b).
Proof.
  intros c. induction e; intros f a b d H; simpl in H; try discriminate; auto;
    try (destruct (extreme e1); [injection H as ->; auto; fail |]; auto; fail);
    destruct (extreme e1); try (injection H as ->; auto; fail);
    destruct (extreme e2); try (injection H as ->; auto; fail);
    injection H as <- <- <- <-; simpl; split; intro; unfold Rmax, Rmin; destruct (Rle_dec _ _); lra.
Qed.

Definition smooth_alone (s : positive -> Z) (flags : list bool) (e : fn) : bool :=
  let l := atoms_of flags e [] in smooth l (signs l flags) e && (if slope l s e then true else false).

Fixpoint increases_pieces (fuel : nat) (s : positive -> Z) (flags : list bool) (e : fn) : bool :=
  match extreme e with
  | None => increases (atoms_of flags e []) s flags e
  | Some (f, a, b, d) =>
    match fuel with
    | O => false
    | S fuel => smooth_alone s flags d && increases_pieces fuel s flags (replaced f a e) && increases_pieces fuel s flags (replaced f b e)
    end
  end.

Lemma crossing : forall (f g m h : R -> R) u v, u < v ->
  (forall w, u <= w <= v -> continuity_pt h w) ->
  (forall w, 0 <= h w -> m w = f w) -> (forall w, h w <= 0 -> m w = g w) ->
  (forall x y, u <= x -> x < y -> y <= v -> f x < f y) -> (forall x y, u <= x -> x < y -> y <= v -> g x < g y) ->
  m u < m v.
Proof.
  intros f g m h u v Huv C F G If Ig.
  destruct (Rle_dec 0 (h u)) as [P | P]; destruct (Rle_dec 0 (h v)) as [Q | Q].
  - rewrite !F by assumption. apply If; lra.
  - destruct (Rle_dec (h u) 0) as [Z | Z]. { rewrite !G by lra. apply Ig; lra. }
    destruct (IVT_interv (fun w => - h w) u v) as [w [Hw E]]; try lra.
    { intros w Hw. apply (continuity_pt_opp h). apply C, Hw. }
    assert (h w = 0) as E' by lra. assert (u <> w) by (intros <-; lra). assert (w <> v) by (intros ->; lra).
    rewrite (F u) by lra. rewrite (G v) by lra. apply Rlt_trans with (m w).
    + rewrite (F w) by lra. apply If; lra.
    + rewrite (G w) by lra. apply Ig; lra.
  - destruct (Rle_dec (h v) 0) as [Z | Z]. { rewrite !G by lra. apply Ig; lra. }
    destruct (IVT_interv h u v) as [w [Hw E]]; try lra; auto.
    assert (u <> w) by (intros <-; lra). assert (w <> v) by (intros ->; lra).
    rewrite (G u) by lra. rewrite (F v) by lra. apply Rlt_trans with (m w).
    + rewrite (G w) by lra. apply Ig; lra.
    + rewrite (F w) by lra. apply If; lra.
  - rewrite !G by lra. apply Ig; lra.
Qed.

Lemma increases_pieces_sound : forall s flags start t,
  (forall k, BinList.nth false k flags = true -> 0 < start k /\ 0 < along s start t k) ->
  forall fuel e, increases_pieces fuel s flags e = true ->
  forall u v, 0 <= u -> u < v -> v <= t -> value (along s start u) e < value (along s start v) e.
Proof.
  intros s flags start t H. induction fuel as [| fuel IH]; intros e C u v Hu Huv Hv; simpl in C;
    destruct (extreme e) as [[[[f a] b] d] |] eqn:X; try discriminate.
  1, 3: apply (increases_sound _ _ _ _ _ t H C); assumption.
  apply andb_prop in C. destruct C as [C B]. apply andb_prop in C. destruct C as [D A].
  apply andb_prop in D. destruct D as [D D'].
  apply (crossing (fun w => value (along s start w) (replaced f a e)) (fun w => value (along s start w) (replaced f b e))
    (fun w => value (along s start w) e) (fun w => value (along s start w) d)); auto.
  - intros w Hw. apply (continuous_on _ s flags start d t D D' H). lra.
  - intros w Hw. symmetry. apply replaced_value. apply (extreme_value _ _ _ _ _ _ X), Hw.
  - intros w Hw. symmetry. apply replaced_value. apply (extreme_value _ _ _ _ _ _ X), Hw.
  - intros x y Hx Hxy Hy. apply IH; lra || assumption.
  - intros x y Hx Hxy Hy. apply IH; lra || assumption.
Qed.

Lemma value_ext : forall c d e, (forall k, c k = d k) -> value c e = value d e.
Proof. intros c d e H. induction e; simpl; rewrite ?IHe, ?IHe1, ?IHe2; auto. Qed.

(** ** Between two tables *)

Fixpoint ends (t : R) (p q : list R) (s : list Z) : Prop :=
  match p, q, s with
  | x :: p, y :: q, z :: s => (y = x + IZR z * t /\ 0 < x /\ 0 < y) /\ ends t p q s
  | nil, nil, nil => True
  | _, _, _ => False
  end.

Lemma ends_tl : forall t p q s, ends t p q s -> ends t (tl p) (tl q) (tl s).
Proof. intros t [| x p] [| y q] [| z s] H; simpl in *; tauto. Qed.

Lemma ends_jump : forall t k p q s, ends t p q s -> ends t (jump k p) (jump k q) (jump k s).
Proof. intros t k. induction k; intros; simpl; auto using ends_tl. Qed.

Definition flags_of (s : list Z) : list bool := map (fun _ => true) s.

Lemma ends_nth : forall t k p q s, ends t p q s ->
  BinList.nth 0 k q = BinList.nth 0 k p + IZR (BinList.nth 0%Z k s) * t /\
  (BinList.nth false k (flags_of s) = true -> 0 < BinList.nth 0 k p /\ 0 < BinList.nth 0 k q).
Proof.
  intros t k. unfold flags_of. induction k; intros p q s H; simpl.
  - rewrite <- map_tl, jump_map. apply IHk, ends_jump, ends_tl, H.
  - rewrite jump_map. apply IHk, ends_jump, H.
  - destruct p, q, s; simpl in *; try tauto. split. ring. discriminate.
Qed.

Definition table (p : list R) (k : positive) : R := BinList.nth 0 k p.

Theorem by_slope : forall e s t p q,
  increases_pieces 8 (fun k => BinList.nth 0%Z k s) (flags_of s) e = true ->
  0 < t -> ends t p q s -> value (table p) e < value (table q) e.
Proof.
  intros e s t p q C Ht H.
  rewrite (value_ext (table p) (along (fun k => BinList.nth 0%Z k s) (table p) 0)) by (intro k; unfold along; ring).
  rewrite (value_ext (table q) (along (fun k => BinList.nth 0%Z k s) (table p) t))
    by (intro k; apply (proj1 (ends_nth t k p q s H))).
  apply (increases_pieces_sound _ (flags_of s) (table p) t) with (2 := C); try lra.
  intros k F. destruct (ends_nth t k p q s H) as [E P]. destruct (P F) as [P1 P2]. split. exact P1.
  unfold along, table. rewrite <- E. exact P2.
Qed.

(** ** The tactic *)

Ltac f_reify t l :=
  lazymatch t with
  | ?a + ?b => let a := f_reify a l in let b := f_reify b l in constr:(Fadd a b)
  | ?a - ?b => let a := f_reify a l in let b := f_reify b l in constr:(Fsub a b)
  | ?a * ?b => let a := f_reify a l in let b := f_reify b l in constr:(Fmul a b)
  | ?a / ?b => let a := f_reify a l in let b := f_reify b l in constr:(Fdiv a b)
  | - ?a => let a := f_reify a l in constr:(Fopp a)
  | / ?a => let a := f_reify a l in constr:(Finv a)
  | ?a ^ ?n => let a := f_reify a l in constr:(Fpow a n)
  | sqrt ?a => let a := f_reify a l in constr:(Fsqrt a)
  | root ?n ?a => let a := f_reify a l in constr:(Froot n a)
  | ln ?a => let a := f_reify a l in constr:(Fln a)
  | Rmax ?a ?b => let a := f_reify a l in let b := f_reify b l in constr:(Fmax a b)
  | Rmin ?a ?b => let a := f_reify a l in let b := f_reify b l in constr:(Fmin a b)
  | IZR ?n => constr:(K n)
  | _ => let i := index t l in constr:(V i)
  end.

Ltac step a b :=
  lazymatch constr:((a, b)) with
  | (?x, ?x) => constr:(0%Z)
  | (?x, ?x + _) => constr:(1%Z)
  | (?x + _, ?x) => constr:((-1)%Z)
  end.

Ltac length_of a b :=
  lazymatch constr:((a, b)) with
  | (?x, ?x + ?t) => t
  | (?x + ?t, ?x) => t
  end.

(** What else is in the formula: parameters and the circle constant. *)
Ltac constants t l acc :=
  lazymatch t with
  | ?a + ?b => let r := constants a l acc in constants b l r
  | ?a - ?b => let r := constants a l acc in constants b l r
  | ?a * ?b => let r := constants a l acc in constants b l r
  | ?a / ?b => let r := constants a l acc in constants b l r
  | - ?a => constants a l acc
  | / ?a => constants a l acc
  | ?a ^ _ => constants a l acc
  | Rmax ?a ?b => let r := constants a l acc in constants b l r
  | Rmin ?a ?b => let r := constants a l acc in constants b l r
  | sqrt ?a => constants a l acc
  | root _ ?a => constants a l acc
  | ln ?a => constants a l acc
  | IZR _ => acc
  | _ => lazymatch member t l with true => acc | false => insert t acc end
  end.

Ltac zeros l := lazymatch l with nil => constr:(@nil Z) | cons _ ?k => let r := zeros k in constr:(cons 0%Z r) end.

Ltac positive_constant := first [assumption | exact PI_RGT_0 | fractions].

Ltac slope_proof f a b c d a' b' c' d' :=
  let w := step a a' in let x := step b b' in let y := step c c' in let z := step d d' in
  let t := match goal with
           | _ => length_of a a' | _ => length_of b b' | _ => length_of c c' | _ => length_of d d' end in
  let here := eval cbv beta in (f 0 0 0 0) in
  let more := constants here (@nil R) (@nil R) in
  let still := zeros more in
  let e := constr:(fun x1 x2 x3 x4 : R => ltac:(
     let body := eval cbv beta in (f x1 x2 x3 x4) in
     let r := f_reify body (cons x1 (cons x2 (cons x3 (cons x4 more)))) in exact r)) in
  lazymatch e with
  | fun _ _ _ _ => ?e =>
    change (value (table (a :: b :: c :: d :: more)) e < value (table (a' :: b' :: c' :: d' :: more)) e);
    apply (by_slope e (w :: x :: y :: z :: still) t);
      [vm_compute; reflexivity | fractions | cbn [ends]; repeat split; first [ring | positive_constant]]
  end.

Ltac increases_by_slope :=
  lazymatch goal with
  | |- ?m ?a ?b ?c ?d < ?m ?a' ?b' ?c' ?d' =>
    let h := head_of m in
    let f := eval cbv beta delta [h] in m in
    slope_proof f a b c d a' b' c' d'
  | |- ?x > ?y => change (y < x); increases_by_slope
  end.

Module MonotoneExamples.

  Definition gmean (TP FN FP TN : R) : R := sqrt (TN * TP / ((FN + TP) * (FP + TN))).

  Example gmean_agreement : forall TP FN FP TN t, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < t ->
    gmean TP (FN + t) (FP + t) TN < gmean (TP + t) FN FP (TN + t).
  Proof. intros. increases_by_slope. Qed.

  Definition information (TP FN FP TN : R) : R := ln (TP * (FN + FP + TN + TP) / ((FN + TP) * (FP + TP))) / ln 2.

  Example information_of_errors : forall TP FN FP TN t, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < t ->
    information TP FN (FP + t) TN < information TP FN FP (TN + t).
  Proof. intros. increases_by_slope. Qed.

  Definition worst (TP FN FP TN : R) : R := Rmin (TN / (FP + TN)) (TP / (FN + TP)).

  Example worst_agreement : forall TP FN FP TN t, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < t ->
    worst TP (FN + t) (FP + t) TN < worst (TP + t) FN FP (TN + t).
  Proof. intros. increases_by_slope. Qed.

End MonotoneExamples.
