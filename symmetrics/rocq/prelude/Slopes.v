(** Strict monotonicity by the sign of a derivative that is left to prove, case by case.

    [Monotone] sees the sign of a derivative by its coefficients. Here the sign, at every point of the segment, is what is left
    to show, and where there are extremes only under the conditions under which an extreme is one of its arguments.

    What a generated file finds here: the tactic [slope_by_slope], for goals as those of [increases_by_slope]; it leaves the
    signs of the derivatives, for all positive values of the cells that change, for which the tactic [moves] names them again. *)

Require Import ZArith Bool List Setoid BinList Field_theory Reals Ranalysis5 Lra.
From Symmetrics Require Import Signs.
From Symmetrics Require Export Monotone Ties.
Import ListNotations.
Open Scope R_scope.

(** ** What rises at every point rises *)

Definition rises_at (m : R -> R) (w : R) : Prop :=
  exists d, 0 < d /\ forall x, (w < x < w + d -> m w < m x) /\ (w - d < x < w -> m x < m w).

Lemma rises_between : forall m u v, u < v -> (forall w, u <= w <= v -> rises_at m w) -> m u < m v.
Proof.
  intros m u v Huv H.
  set (E := fun x => u <= x <= v /\ forall y, u < y <= x -> m u < m y).
  assert (E u) as Eu by (split; [lra | intros; lra]).
  destruct (completeness E) as [s [upper least]].
  { exists v. intros x [Hx _]. lra. }
  { exists u. exact Eu. }
  assert (u <= s) as Hus by (apply upper, Eu).
  assert (s <= v) as Hsv by (apply least; intros x [Hx _]; lra).
  assert (forall y, y < s -> exists x, E x /\ y < x) as approached.
  { intros y Hy. destruct (Classical_Prop.classic (exists x, E x /\ y < x)) as [K | K]; [exact K |].
    exfalso. assert (s <= y); [| lra]. apply least. intros x Ex. apply Rnot_lt_le. intro. apply K. exists x. split; assumption. }
  destruct (H s (conj Hus Hsv)) as [d [Hd near]].
  assert (u < s -> m u < m s) as at_s.
  { intro L. destruct (approached (Rmax u (s - d))) as [x [[Hx Ex] Lx]]. { apply Rmax_lub_lt; lra. }
    assert (x <= s) by (apply upper; split; assumption).
    generalize (Rmax_l u (s - d)) (Rmax_r u (s - d)). intros.
    assert (m u < m x) by (apply Ex; lra).
    destruct (Req_dec x s) as [<- | N]; [assumption |]. apply Rlt_trans with (m x); [assumption |]. apply near. lra. }
  assert (forall y, u < y <= s -> m u < m y) as below_s.
  { intros y Hy. destruct (Req_dec y s) as [-> | N]; [apply at_s; lra |].
    destruct (approached y) as [x [[Hx Ex] Lx]]; [lra |]. apply Ex. lra. }
  destruct (Req_dec s v) as [<- | N]; [apply at_s; exact Huv |].
  exfalso. set (x := Rmin (s + d / 2) v).
  assert (s < x) by (apply Rmin_glb_lt; lra).
  assert (x <= s + d / 2 /\ x <= v) as [Hx Hv] by (split; [apply Rmin_l | apply Rmin_r]).
  assert (E x) as Ex.
  { split; [lra |]. intros y Hy. destruct (Rle_dec y s) as [L | L]; [apply below_s; lra |].
    assert (m s < m y) by (apply near; lra).
    destruct (Req_dec u s) as [-> | M]; [assumption |]. apply Rlt_trans with (m s); [apply at_s; lra | assumption]. }
  assert (x <= s) by (apply upper, Ex). lra.
Qed.

Lemma rises_by_derivative : forall m w l, derivable_pt_lim m w l -> 0 < l -> rises_at m w.
Proof.
  intros m w l D L. destruct (D l L) as [d Hd]. exists d. split; [apply cond_pos |].
  assert (forall h, h <> 0 -> Rabs h < d -> 0 < (m (w + h) - m w) / h) as K.
  { intros h N S. specialize (Hd h N S). apply Rabs_def2 in Hd. lra. }
  intro x. split; intro Hx.
  - assert (0 < (m (w + (x - w)) - m w) / (x - w)) as P by (apply K; [lra | rewrite Rabs_pos_eq; lra]).
    replace (w + (x - w)) with x in P by ring.
    assert (m x - m w = (m x - m w) / (x - w) * (x - w)) as E by (field; lra).
    assert (0 < m x - m w) by (rewrite E; apply Rmult_lt_0_compat; lra). lra.
  - assert (0 < (m (w + (x - w)) - m w) / (x - w)) as P by (apply K; [lra | rewrite Rabs_left; lra]).
    replace (w + (x - w)) with x in P by ring.
    assert (m w - m x = (m x - m w) / (x - w) * (w - x)) as E by (field; lra).
    assert (0 < m w - m x) by (rewrite E; apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma continuous_near : forall h w e, continuity_pt h w -> 0 < e ->
  exists d, 0 < d /\ forall x, w - d < x < w + d -> h w - e < h x < h w + e.
Proof.
  intros h w e C He. destruct (C e He) as [d [Hd K]]. exists d. split; [exact Hd |]. intros x Hx.
  destruct (Req_dec x w) as [-> | N]; [lra |].
  specialize (K x). simpl in K. unfold R_dist, D_x, no_cond in K.
  assert (Rabs (h x - h w) < e) as B.
  { apply K. split; [split; [exact I | auto] |]. apply Rabs_def1; lra. }
  apply Rabs_def2 in B. lra.
Qed.

Lemma rises_in_cases : forall m f g h w, continuity_pt h w ->
  (forall x, 0 <= h x -> m x = f x) -> (forall x, h x <= 0 -> m x = g x) ->
  (0 <= h w -> rises_at f w) -> (h w <= 0 -> rises_at g w) -> rises_at m w.
Proof.
  intros m f g h w C F G Rf Rg. destruct (Rtotal_order (h w) 0) as [L | [Z | P]].
  - destruct (continuous_near h w (- h w) C) as [a [Ha A]]; [lra |].
    destruct Rg as [b [Hb B]]; [lra |].
    exists (Rmin a b). split; [apply Rmin_pos; assumption |]. generalize (Rmin_l a b) (Rmin_r a b). intros ? ?.
    assert (m w = g w) as -> by (apply G; lra). intro x. split; intro Hx.
    + assert (h w - - h w < h x < h w + - h w) by (apply A; lra). rewrite (G x) by lra. apply B. lra.
    + assert (h w - - h w < h x < h w + - h w) by (apply A; lra). rewrite (G x) by lra. apply B. lra.
  - destruct Rf as [a [Ha A]]; [lra |]. destruct Rg as [b [Hb B]]; [lra |].
    exists (Rmin a b). split; [apply Rmin_pos; assumption |]. generalize (Rmin_l a b) (Rmin_r a b). intros ? ?.
    assert (m w = f w) as Ef by (apply F; lra). assert (m w = g w) as Eg by (apply G; lra).
    intro x. split; intro Hx; destruct (Rle_dec 0 (h x)) as [S | S].
    + rewrite (F x), Ef by lra. apply A. lra.
    + rewrite (G x), Eg by lra. apply B. lra.
    + rewrite (F x), Ef by lra. apply A. lra.
    + rewrite (G x), Eg by lra. apply B. lra.
  - destruct (continuous_near h w (h w) C) as [a [Ha A]]; [lra |].
    destruct Rf as [b [Hb B]]; [lra |].
    exists (Rmin a b). split; [apply Rmin_pos; assumption |]. generalize (Rmin_l a b) (Rmin_r a b). intros ? ?.
    assert (m w = f w) as -> by (apply F; lra). intro x. split; intro Hx.
    + assert (h w - h w < h x < h w + h w) by (apply A; lra). rewrite (F x) by lra. apply B. lra.
    + assert (h w - h w < h x < h w + h w) by (apply A; lra). rewrite (F x) by lra. apply B. lra.
Qed.

(** ** Extremes settled by the sign of one difference *)

(** Whether two terms are the same for all values of the variables. *)
Definition same_term (a b : fn) : bool :=
  if fn_dec a b then true else
  match frac (atoms_of [] (Fsub a b) []) (Fsub a b) with Some x => zero_fraction [] [] x | None => false end.

Lemma same_term_value : forall c a b, same_term a b = true -> value c a = value c b.
Proof.
  intros c a b H. unfold same_term in H. destruct (fn_dec a b) as [-> |]; [reflexivity |].
  destruct (frac _ (Fsub a b)) as [x |] eqn:E; [| discriminate]. apply (frac_value _ c) in E. change (value c (Fsub a b)) with (value c a - value c b) in E.
  assert (Rvalue (values (atoms_of [] (Fsub a b) []) c) x = 0) as Z; [| rewrite Z in E; lra].
  exact (zero_fraction_sound _ _ _ _ _ _ _ _ _ _ (@eq_equivalence R) R_ext Rinv_ext Rfield _ IZR_morphism _ _ _ R_power_theory
    _ R_pos_ext Rplus_lt_0_compat Rmult_lt_0_compat R_pos_not_zero R_pos_phi _ _ _ _ H I I).
Qed.

(** A term in which the extremes that the sign of [d] decides are their arguments; [up]: [d] is not negative. *)
Fixpoint settled (d : fn) (up : bool) (e : fn) : fn :=
  match e with
  | V _ | K _ => e
  | Fadd a b => Fadd (settled d up a) (settled d up b)
  | Fsub a b => Fsub (settled d up a) (settled d up b)
  | Fopp a => Fopp (settled d up a)
  | Fmul a b => Fmul (settled d up a) (settled d up b)
  | Fdiv a b => Fdiv (settled d up a) (settled d up b)
  | Finv a => Finv (settled d up a)
  | Fpow a n => Fpow (settled d up a) n
  | Fsqrt a => Fsqrt (settled d up a)
  | Froot n a => Froot n (settled d up a)
  | Fln a => Fln (settled d up a)
  | Fmax a b =>
    if same_term (Fsub a b) d then settled d up (if up then a else b)
    else if same_term (Fsub b a) d then settled d up (if up then b else a)
    else Fmax (settled d up a) (settled d up b)
  | Fmin a b =>
    if same_term (Fsub b a) d then settled d up (if up then a else b)
    else if same_term (Fsub a b) d then settled d up (if up then b else a)
    else Fmin (settled d up a) (settled d up b)
  end.

Lemma settled_value : forall c d up, (if up : bool then 0 <= value c d else value c d <= 0) ->
  forall e, value c (settled d up e) = value c e.
Proof.
  intros c d up H. induction e; cbn [settled value]; rewrite ?IHe, ?IHe1, ?IHe2; try reflexivity.
  all: destruct (same_term (Fsub e1 e2) d) eqn:E; destruct (same_term (Fsub e2 e1) d) eqn:F.
  all: try (apply (same_term_value c) in E; cbn [value] in E); try (apply (same_term_value c) in F; cbn [value] in F).
  all: destruct up; cbn [value]; rewrite ?IHe1, ?IHe2; unfold Rmax, Rmin; try destruct (Rle_dec _ _); lra.
Qed.

(** ** What is left to show at a point *)

(** The derivative, with the atoms that it is a fraction in; or two cases, by the sign of a difference. *)
Inductive left_to_show : Type :=
| Slope (atoms : list fn) (x : FExpr Z)
| Cases (d : fn) (above below : left_to_show).

Fixpoint question (fuel : nat) (s : positive -> Z) (flags : list bool) (e : fn) : option left_to_show :=
  match extreme e with
  | None =>
    let l := atoms_of flags e [] in
    if smooth l (signs l flags) e then match slope l s e with Some x => Some (Slope l x) | None => None end else None
  | Some (_, _, _, d) =>
    match fuel with
    | O => None
    | S fuel =>
      if smooth_alone s flags d then
        match question fuel s flags (settled d true e), question fuel s flags (settled d false e) with
        | Some x, Some y => Some (Cases d x y)
        | _, _ => None
        end
      else None
    end
  end.

Fixpoint answered (c : positive -> R) (q : left_to_show) : Prop :=
  match q with
  | Slope l x => 0 < Rvalue (values l c) x
  | Cases d x y => (0 <= value c d -> answered c x) /\ (value c d <= 0 -> answered c y)
  end.

Lemma answered_rises : forall s flags start t,
  (forall k, BinList.nth false k flags = true -> 0 < start k /\ 0 < along s start t k) ->
  forall fuel e q, question fuel s flags e = Some q -> forall u, 0 <= u <= t ->
  answered (along s start u) q -> rises_at (fun v => value (along s start v) e) u.
Proof.
  intros s flags start t H. induction fuel as [| fuel IH]; intros e q Q u Hu A; simpl in Q;
    destruct (extreme e) as [[[[f a] b] d] |] eqn:X; try discriminate.
  1, 3: destruct (smooth _ _ e) eqn:S; try discriminate; destruct (slope _ s e) as [x |] eqn:D; try discriminate;
    injection Q as <-; simpl in A; apply rises_by_derivative with (2 := A);
    apply (slope_on _ s flags start e x t S D H u Hu).
  destruct (smooth_alone s flags d) eqn:S; try discriminate.
  destruct (question fuel s flags (settled d true e)) as [x |] eqn:Qa; try discriminate.
  destruct (question fuel s flags (settled d false e)) as [y |] eqn:Qb; try discriminate.
  injection Q as <-. destruct A as [Aa Ab].
  apply andb_prop in S. destruct S as [S S'].
  apply (rises_in_cases _ (fun w => value (along s start w) (settled d true e)) (fun w => value (along s start w) (settled d false e))
    (fun w => value (along s start w) d)).
  - apply (continuous_on _ s flags start d t S S' H u Hu).
  - intros w Hw. symmetry. apply settled_value, Hw.
  - intros w Hw. symmetry. apply settled_value, Hw.
  - intro P. apply (IH _ _ Qa u Hu), Aa, P.
  - intro P. apply (IH _ _ Qb u Hu), Ab, P.
Qed.

(** A property at all points at which what changes is positive. *)
Fixpoint everywhere (p : list R) (s : list Z) (P : list R -> Prop) : Prop :=
  match p, s with
  | x :: p, z :: s =>
    match z with
    | Z0 => everywhere p s (fun r => P (x :: r))
    | _ => forall y, 0 < y -> everywhere p s (fun r => P (y :: r))
    end
  | _, _ => P nil
  end.

Fixpoint shifted (u : R) (p : list R) (s : list Z) : list R :=
  match p, s with
  | x :: p, z :: s => match z with Z0 => x | _ => x + IZR z * u end :: shifted u p s
  | _, _ => nil
  end.

Lemma between_positive : forall x y z t u, y = x + IZR z * t -> 0 < x -> 0 < y -> 0 <= u <= t -> 0 < x + IZR z * u.
Proof. intros x y z t u E Hx Hy Hu. destruct (Rle_dec 0 (IZR z)); nra. Qed.

Lemma everywhere_at : forall t u p q s P, ends t p q s -> 0 <= u <= t -> everywhere p s P -> P (shifted u p s).
Proof.
  intros t u. induction p as [| x p IH]; intros [| y q] [| z s] P E Hu A; simpl in E; try contradiction.
  - exact A.
  - destruct E as [[Ey [Px Py]] E]. generalize (between_positive x y z t u Ey Px Py Hu). intro B. simpl in *. destruct z.
    + apply (IH q s (fun r => P (x :: r)) E Hu A).
    + apply (IH q s (fun r => P (_ :: r)) E Hu). apply A, B.
    + apply (IH q s (fun r => P (_ :: r)) E Hu). apply A, B.
Qed.

Lemma shifted_ends : forall t u p q s, ends t p q s -> 0 <= u <= t -> ends u p (shifted u p s) s.
Proof.
  intros t u. induction p as [| x p IH]; intros [| y q] [| z s] E Hu; simpl in E; try contradiction.
  - exact I.
  - destruct E as [[Ey [Px Py]] E]. generalize (between_positive x y z t u Ey Px Py Hu). intro B.
    split; [| apply (IH q s E Hu)]. split; [| split; [exact Px |]].
    + destruct z; [simpl; ring | reflexivity | reflexivity].
    + destruct z; [exact Px | exact B | exact B].
Qed.

Lemma answered_ext : forall q c d, (forall k, c k = d k) -> answered c q -> answered d q.
Proof.
  induction q as [l x | e x IHx y IHy]; intros c d H A; simpl in *.
  - unfold values in *. rewrite (map_ext (value d) (value c)); [exact A |]. intro f. apply value_ext. auto.
  - rewrite <- (value_ext c d e H). destruct A as [Ax Ay]. split; intro; [apply (IHx c d) | apply (IHy c d)]; auto.
Qed.

Theorem by_answer : forall e s t p q w,
  question 8 (fun k => BinList.nth 0%Z k s) (flags_of s) e = Some w ->
  0 < t -> ends t p q s -> everywhere p s (fun r => answered (table r) w) -> value (table p) e < value (table q) e.
Proof.
  intros e s t p q w Q Ht H A.
  rewrite (value_ext (table p) (along (fun k => BinList.nth 0%Z k s) (table p) 0)) by (intro k; unfold along; ring).
  rewrite (value_ext (table q) (along (fun k => BinList.nth 0%Z k s) (table p) t))
    by (intro k; apply (proj1 (ends_nth t k p q s H))).
  apply (rises_between (fun v => value (along (fun k => BinList.nth 0%Z k s) (table p) v) e)); [exact Ht |].
  intros u Hu. apply (answered_rises _ (flags_of s) (table p) t) with (2 := Q) (3 := Hu).
  - intros k F. destruct (ends_nth t k p q s H) as [E P]. destruct (P F) as [P1 P2]. split. exact P1.
    unfold along, table. rewrite <- E. exact P2.
  - apply (answered_ext w (table (shifted u p s))).
    + intro k. unfold table, along. apply (proj1 (ends_nth u k p _ s (shifted_ends t u p q s H Hu))).
    + exact (everywhere_at t u p q s _ H Hu A).
Qed.

(** ** The tactic *)

Ltac slope_left f a b c d a' b' c' d' :=
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
    let q := eval vm_compute in (question 8 (fun k => BinList.nth 0%Z k (w :: x :: y :: z :: still)) (flags_of (w :: x :: y :: z :: still)) e) in
    lazymatch q with
    | Some ?q =>
      apply (by_answer e (w :: x :: y :: z :: still) t _ _ q);
        [ vm_compute; reflexivity | fractions | cbn [ends]; repeat split; first [ring | positive_constant]
        | cbn [everywhere answered values map value table BinList.nth jump tl hd FEeval BinPos.Pos.to_nat N.to_nat Pos.to_nat]]
    end
  end.

Ltac slope_by_slope :=
  lazymatch goal with
  | |- ?m ?a ?b ?c ?d < ?m ?a' ?b' ?c' ?d' =>
    let h := head_of m in
    let f := eval cbv beta delta [h] in m in
    slope_left f a b c d a' b' c' d'
  end.

(** ** Logarithms in a derivative *)

Lemma ln_exceeds : forall f g, 0 < g -> 0 < f - g -> 0 < ln f - ln g.
Proof. intros f g G F. assert (ln g < ln f) by (apply ln_increasing; lra). lra. Qed.

Lemma ln_below_tangent : forall f g, 0 < g -> 0 < f - g -> 0 < (f - g) / g - (ln f - ln g).
Proof.
  intros f g G F. assert (0 < (f - g) / g) by (apply Rdiv_lt_0_compat; assumption).
  assert (1 + (f - g) / g < exp ((f - g) / g)) as E by (apply exp_ineq1; lra).
  replace (1 + (f - g) / g) with (f / g) in E by (field; lra).
  assert (0 < f / g) by (apply Rdiv_lt_0_compat; lra).
  apply ln_increasing in E; [| assumption]. rewrite ln_exp, ln_quotient in E by lra. lra.
Qed.

Lemma ln_above_tangent : forall f g, 0 < g -> 0 < f - g -> 0 < (ln f - ln g) - (f - g) / f.
Proof.
  intros f g G F. set (x := (f - g) / f).
  assert (0 < x) by (apply Rdiv_lt_0_compat; lra).
  assert (1 + - x < exp (- x)) as E by (apply exp_ineq1; lra).
  replace (1 + - x) with (g / f) in E by (unfold x; field; lra).
  assert (0 < g / f) by (apply Rdiv_lt_0_compat; lra).
  apply ln_increasing in E; [| assumption]. rewrite ln_exp, ln_quotient in E by lra. lra.
Qed.

(** The same of any product of powers. *)
Lemma ln_not_below_tangent : forall f g, 0 < g -> 0 < f -> 0 <= (ln f - ln g) - (f - g) / f.
Proof.
  intros f g G F. assert (1 + - ((f - g) / f) <= exp (- ((f - g) / f))) as E.
  { destruct (Req_dec (- ((f - g) / f)) 0) as [-> | N]; [rewrite exp_0; lra | left; apply exp_ineq1, N]. }
  replace (1 + - ((f - g) / f)) with (g / f) in E by (field; lra).
  assert (0 < g / f) by (apply Rdiv_lt_0_compat; lra).
  apply ln_monotone in E; [| assumption]. rewrite ln_exp, ln_quotient in E by lra. lra.
Qed.

(** Logarithms of products and quotients, as those of their parts. *)
Ltac logarithms_apart :=
  repeat match goal with |- context [ln (/ ?a)] => rewrite (ln_inverse (/ a) a eq_refl) end; expand_products.

(** [L] is the logarithm of [b], however [b] stands in the goal. *)
Ltac name_logarithm L b :=
  pose (L := ln b);
  repeat match goal with
  | |- context [ln ?u] => replace (ln u) with L by (unfold L; apply f_equal; ring)
  end.

(** The cell [x] where it is between the tables, under its own name. *)
Ltac moves x := let y := fresh in let P := fresh in intros y P; clear dependent x; rename y into x.
