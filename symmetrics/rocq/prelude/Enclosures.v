(** Values of constant expressions over the reals, enclosed in intervals with rational ends, by reflection.

    What a generated file finds here:

    [root n x]: the [n]-th root of what is not negative.
    [enclose p]: the tactic that closes [a <> b], [a < b], [a <= b], [a = b] (of exact values) and negated or joined ones
    between terms of numerals, field operations, powers, [sqrt], [root], [ln], [Rabs], [Rmin], [Rmax] and [PI], unfolding
    metrics on the way; [p] (of type [Z]) is the number of bits that are kept, up to 256 where [ln] occurs, 128 where [PI] does.
    [expr], [denote], [defined], [bounds], [bounds_correct]: what it rests on; [by_separated], [by_below], [by_at_most],
    [by_equal], [by_defined]: its lemmas, from a boolean check to the fact.

    Assumed are the axioms of the library's real numbers; that of excluded middle enters with its definition of [ln]. *)

Require Import ZArith Lia Bool QArith Qpower Qreals Reals Lra.
Open Scope R_scope.

(** * Roots *)

(** The [n]-th root of what is not negative; zero elsewhere. *)
Definition root (n : positive) (x : R) : R := if Rle_dec x 0 then 0 else Rpower x (/ IZR (Zpos n)).

Lemma IZR_pos_positive : forall n, 0 < IZR (Zpos n).
Proof. intro n. apply IZR_lt. reflexivity. Qed.

Lemma root_nonnegative : forall n x, 0 <= root n x.
Proof. intros n x. unfold root. destruct (Rle_dec x 0). lra. left. apply exp_pos. Qed.

Lemma root_positive : forall n x, 0 < x -> 0 < root n x.
Proof. intros n x Hx. unfold root. destruct (Rle_dec x 0). lra. apply exp_pos. Qed.

Lemma root_zero : forall n, root n 0 = 0.
Proof. intro n. unfold root. destruct (Rle_dec 0 0); lra. Qed.

Lemma pow_zero : forall n, 0 ^ Pos.to_nat n = 0.
Proof. intro n. apply pow_i. apply Pos2Nat.is_pos. Qed.

Lemma root_power : forall n x, 0 <= x -> root n x ^ Pos.to_nat n = x.
Proof.
  intros n x Hx. unfold root. destruct (Rle_dec x 0).
  - rewrite pow_zero. lra.
  - rewrite <- Rpower_pow by apply exp_pos. rewrite Rpower_mult, INR_IZR_INZ, positive_nat_Z, Rinv_l.
    apply Rpower_1. lra.
    apply Rgt_not_eq, IZR_pos_positive.
Qed.

Lemma power_less : forall n x y, 0 <= x < y -> x ^ Pos.to_nat n < y ^ Pos.to_nat n.
Proof.
  intros n x y Hxy. induction n using Pos.peano_ind.
  - simpl. lra.
  - rewrite Pos2Nat.inj_succ. simpl. apply Rmult_le_0_lt_compat; try apply pow_le; lra.
Qed.

Lemma power_at_most : forall n x y, 0 <= x -> 0 <= y -> x ^ Pos.to_nat n <= y ^ Pos.to_nat n -> x <= y.
Proof.
  intros n x y Hx Hy H. destruct (Rle_dec x y) as [yes | no]. exact yes.
  apply Rnot_le_lt in no. generalize (power_less n y x (conj Hy no)). lra.
Qed.

Lemma root_unique : forall n x y, 0 <= y -> y ^ Pos.to_nat n = x -> root n x = y.
Proof.
  intros n x y Hy <-.
  assert (0 <= y ^ Pos.to_nat n) as H by (apply pow_le, Hy).
  apply Rle_antisym; apply (power_at_most n); try apply root_nonnegative; try exact Hy;
    rewrite (root_power n _ H); apply Rle_refl.
Qed.

Lemma root_mult : forall n x y, 0 <= x -> 0 <= y -> root n (x * y) = root n x * root n y.
Proof.
  intros n x y Hx Hy. apply root_unique.
  - apply Rmult_le_pos; apply root_nonnegative.
  - rewrite Rpow_mult_distr, !root_power by assumption. reflexivity.
Qed.

Lemma root_of_power : forall n x, 0 <= x -> root n (x ^ Pos.to_nat n) = x.
Proof. intros n x Hx. apply root_unique; auto. Qed.

Lemma root_inv : forall n x, 0 < x -> root n (/ x) = / root n x.
Proof.
  intros n x Hx. apply root_unique.
  - left. apply Rinv_0_lt_compat, root_positive, Hx.
  - rewrite pow_inv. rewrite root_power by lra. reflexivity.
Qed.

(** * Constant expressions *)

Inductive expr : Set :=
| Cst (z : Z) | Pi
| Add (a b : expr) | Sub (a b : expr) | Opp (a : expr)
| Mul (a b : expr) | Div (a b : expr) | Inv (a : expr) | Pow (a : expr) (n : nat)
| Sqrt (a : expr) | Root (n : positive) (a : expr) | Ln (a : expr)
| Abs (a : expr) | Min (a b : expr) | Max (a b : expr).

Fixpoint denote (e : expr) : R :=
  match e with
  | Cst z => IZR z
  | Pi => PI
  | Add a b => denote a + denote b
  | Sub a b => denote a - denote b
  | Opp a => - denote a
  | Mul a b => denote a * denote b
  | Div a b => denote a / denote b
  | Inv a => / denote a
  | Pow a n => denote a ^ n
  | Sqrt a => sqrt (denote a)
  | Root n a => root n (denote a)
  | Ln a => ln (denote a)
  | Abs a => Rabs (denote a)
  | Min a b => Rmin (denote a) (denote b)
  | Max a b => Rmax (denote a) (denote b)
  end.

(** The functions of the library are total; [defined] says that an expression makes no use of a value outside a domain. *)
Fixpoint defined (e : expr) : Prop :=
  match e with
  | Cst _ | Pi => True
  | Add a b | Sub a b | Mul a b | Min a b | Max a b => defined a /\ defined b
  | Opp a | Pow a _ | Abs a => defined a
  | Div a b => defined a /\ defined b /\ denote b <> 0
  | Inv a => defined a /\ denote a <> 0
  | Sqrt a | Root _ a => defined a /\ 0 <= denote a
  | Ln a => defined a /\ 0 < denote a
  end.

(** * Intervals with rational ends *)

Definition interval : Set := (Q * Q)%type.

Definition contains (i : interval) (x : R) : Prop := Q2R (fst i) <= x <= Q2R (snd i).

Definition qmin (a b : Q) : Q := if Qle_bool a b then a else b.
Definition qmax (a b : Q) : Q := if Qle_bool a b then b else a.

Lemma le_reflect : forall a b, Qle_bool a b = true -> Q2R a <= Q2R b.
Proof. intros a b H. apply Qle_Rle, Qle_bool_imp_le, H. Qed.

Lemma lt_reflect : forall a b, Qle_bool a b = false -> Q2R b < Q2R a.
Proof.
  intros a b H. apply Qlt_Rlt, Qnot_le_lt. intro wrong. apply Qle_bool_iff in wrong. congruence.
Qed.

Lemma qmin_spec : forall a b, Q2R (qmin a b) = Rmin (Q2R a) (Q2R b).
Proof.
  intros a b. unfold qmin. destruct (Qle_bool a b) eqn:E.
  - rewrite Rmin_left; auto using le_reflect.
  - apply lt_reflect in E. rewrite Rmin_right; lra.
Qed.

Lemma qmax_spec : forall a b, Q2R (qmax a b) = Rmax (Q2R a) (Q2R b).
Proof.
  intros a b. unfold qmax. destruct (Qle_bool a b) eqn:E.
  - rewrite Rmax_right; auto using le_reflect.
  - apply lt_reflect in E. rewrite Rmax_left; lra.
Qed.

Lemma Q2R_0 : Q2R 0 = 0.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma Q2R_1 : Q2R 1 = 1.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma Q2R_Z : forall z, Q2R (z # 1) = IZR z.
Proof. intro z. unfold Q2R. simpl. lra. Qed.

Lemma Q2R_power : forall q n, Q2R (q ^ Zpos n) = Q2R q ^ Pos.to_nat n.
Proof.
  intros q n. induction n using Pos.peano_ind.
  - simpl. lra.
  - rewrite Pos2Nat.inj_succ. simpl pow. rewrite <- IHn, <- Q2R_mult. apply Qeq_eqR.
    simpl. rewrite <- Pos.add_1_l, Qpower_plus_positive. reflexivity.
Qed.

(** Numbers of up to [4 p] bits are kept as they are; of others, the first [p] bits are kept, rounded outwards. *)

Definition bits (q : Q) : Z := Z.log2 (Z.abs (Qnum q)) - Z.log2 (Zpos (Qden q)).

Definition scale (p : Z) (q : Q) : Z := Z.max 0 (p - bits q).

(** Rounding down to a multiple of [2 ^ - k]; most denominators are powers of two, for which a shift does. *)
Definition floor_over (k : Z) (q : Q) : Q :=
  let m := Z.log2 (Zpos (Qden q)) in
  (if Z.eqb (Zpos (Qden q)) (Z.shiftl 1 m) then Z.shiftr (Qnum q) (m - k) else Z.shiftl (Qnum q) k / Zpos (Qden q))%Z
  # Z.to_pos (Z.shiftl 1 k).

Definition small (p : Z) (q : Q) : bool :=
  (Z.log2 (Z.abs (Qnum q)) + Z.log2 (Zpos (Qden q)) <=? 4 * p)%Z.

Definition down (p : Z) (q : Q) : Q := let r := Qred q in if small p r then r else floor_over (scale p r) r.
Definition up (p : Z) (q : Q) : Q := Qopp (down p (Qopp q)).

Lemma floor_over_spec : forall k q, (0 <= k)%Z -> Qle (floor_over k q) q.
Proof.
  intros k [n e] Hk. unfold floor_over, Qle. cbn [Qnum Qden].
  rewrite !Z.shiftl_1_l. assert (0 < 2 ^ k)%Z as P by (apply Z.pow_pos_nonneg; lia).
  rewrite Z2Pos.id by exact P.
  set (m := Z.log2 (Zpos e)). assert (0 <= m)%Z as Hm by apply Z.log2_nonneg.
  destruct (Z.eqb_spec (Zpos e) (2 ^ m)) as [E | E].
  - rewrite E. destruct (Z.le_gt_cases k m) as [H | H].
    + rewrite Z.shiftr_div_pow2 by lia. replace m with ((m - k) + k)%Z at 2 by ring.
      rewrite Z.pow_add_r, Z.mul_assoc by lia. apply Z.mul_le_mono_nonneg_r. lia.
      rewrite Z.mul_comm. apply Z.mul_div_le, Z.pow_pos_nonneg; lia.
    + replace (m - k)%Z with (- (k - m))%Z by ring. rewrite Z.shiftr_opp_r, Z.shiftl_mul_pow2 by lia.
      rewrite <- Z.mul_assoc, <- Z.pow_add_r by lia. replace (k - m + m)%Z with k by ring. lia.
  - rewrite Z.shiftl_mul_pow2 by exact Hk. rewrite (Z.mul_comm _ (Zpos e)). apply Z.mul_div_le. reflexivity.
Qed.

Lemma scale_nonnegative : forall p q, (0 <= scale p q)%Z.
Proof. intros. apply Z.le_max_l. Qed.

Lemma down_spec : forall p q, Q2R (down p q) <= Q2R q.
Proof.
  intros p q. rewrite <- (Qeq_eqR _ _ (Qred_correct q)). apply Qle_Rle. unfold down.
  destruct (small p (Qred q)). apply Qle_refl. apply floor_over_spec, scale_nonnegative.
Qed.

Lemma up_spec : forall p q, Q2R q <= Q2R (up p q).
Proof.
  intros p q. unfold up. rewrite Q2R_opp. generalize (down_spec p (Qopp q)). rewrite Q2R_opp. lra.
Qed.

Definition rounded (p : Z) (i : interval) : interval := (down p (fst i), up p (snd i)).

Lemma rounded_spec : forall p i x, contains i x -> contains (rounded p i) x.
Proof.
  intros p [l h] x [Hl Hh]. unfold contains in *. simpl in *.
  generalize (down_spec p l) (up_spec p h). lra.
Qed.

(** Without a look for common factors, where nothing exact is to be kept. *)
Definition roughly (p : Z) (i : interval) : interval :=
  (floor_over (scale p (fst i)) (fst i), Qopp (floor_over (scale p (snd i)) (Qopp (snd i)))).

Lemma roughly_spec : forall p i x, contains i x -> contains (roughly p i) x.
Proof.
  intros p [l h] x [Hl Hh]. unfold contains, roughly in *. cbn [fst snd] in *. split.
  - apply Rle_trans with (2 := Hl). apply Qle_Rle, floor_over_spec, scale_nonnegative.
  - apply Rle_trans with (1 := Hh). rewrite Q2R_opp.
    generalize (Qle_Rle _ _ (floor_over_spec (scale p h) (Qopp h) (scale_nonnegative p h))). rewrite Q2R_opp. lra.
Qed.

Definition add (i j : interval) : interval := (Qplus (fst i) (fst j), Qplus (snd i) (snd j)).
Definition opp (i : interval) : interval := (Qopp (snd i), Qopp (fst i)).

Definition mul (i j : interval) : interval :=
  let (a, b) := i in let (c, d) := j in
  if Qle_bool 0 a && Qle_bool 0 c then (Qmult a c, Qmult b d) else
  (qmin (qmin (Qmult a c) (Qmult a d)) (qmin (Qmult b c) (Qmult b d)),
   qmax (qmax (Qmult a c) (Qmult a d)) (qmax (Qmult b c) (Qmult b d))).

Definition inv (i : interval) : option interval :=
  let (l, h) := i in
  if Qle_bool l 0 && Qle_bool 0 h then None else Some (Qinv h, Qinv l).

Fixpoint power (round : interval -> interval) (i : interval) (n : nat) : interval :=
  match n with
  | O => (1%Q, 1%Q)
  | S O => i
  | S m => round (mul i (power round i m))
  end.

Definition absolute (i : interval) : interval :=
  let (l, h) := i in
  if Qle_bool 0 l then i else if Qle_bool h 0 then opp i else (0%Q, qmax (Qopp l) h).

Definition minimum (i j : interval) : interval := (qmin (fst i) (fst j), qmin (snd i) (snd j)).
Definition maximum (i j : interval) : interval := (qmax (fst i) (fst j), qmax (snd i) (snd j)).

Lemma add_spec : forall i j x y, contains i x -> contains j y -> contains (add i j) (x + y).
Proof. intros [a b] [c d] x y [] []. unfold contains in *. simpl in *. rewrite !Q2R_plus. lra. Qed.

Lemma opp_spec : forall i x, contains i x -> contains (opp i) (- x).
Proof. intros [a b] x []. unfold contains in *. simpl in *. rewrite !Q2R_opp. lra. Qed.

(** A product is between the products of the ends of one factor with the other factor. *)
Lemma between : forall a b x y, a <= x <= b -> Rmin (a * y) (b * y) <= x * y <= Rmax (a * y) (b * y).
Proof.
  intros a b x y H. destruct (Rle_dec 0 y).
  - split.
    + apply Rle_trans with (a * y). apply Rmin_l. apply Rmult_le_compat_r; lra.
    + apply Rle_trans with (b * y). apply Rmult_le_compat_r; lra. apply Rmax_r.
  - split.
    + apply Rle_trans with (b * y). apply Rmin_r. nra.
    + apply Rle_trans with (a * y). nra. apply Rmax_l.
Qed.

Lemma mul_spec : forall i j x y, contains i x -> contains j y -> contains (mul i j) (x * y).
Proof.
  intros [a b] [c d] x y Hx Hy. unfold contains, mul in *. simpl in *.
  destruct (Qle_bool 0 a) eqn:Ea; destruct (Qle_bool 0 c) eqn:Ec; simpl;
    rewrite ?qmin_spec, ?qmax_spec, !Q2R_mult.
  { apply le_reflect in Ea. apply le_reflect in Ec. rewrite Q2R_0 in *.
    split; apply Rmult_le_compat; lra. }
  all: clear Ea Ec;
    generalize (between _ _ _ y Hx) (between _ _ _ (Q2R a) Hy) (between _ _ _ (Q2R b) Hy);
    rewrite (Rmult_comm y), (Rmult_comm y (Q2R b)), !(Rmult_comm _ (Q2R a)), !(Rmult_comm _ (Q2R b));
    unfold Rmin, Rmax; intros;
    repeat match goal with H : context [Rle_dec ?u ?v] |- _ => destruct (Rle_dec u v) end;
    repeat match goal with |- context [Rle_dec ?u ?v] => destruct (Rle_dec u v) end; lra.
Qed.

Lemma inverse_of_negatives : forall x y, x <= y < 0 -> / y <= / x.
Proof.
  intros x y H. replace (/ y) with (- / - y) by (field; lra). replace (/ x) with (- / - x) by (field; lra).
  apply Ropp_le_contravar, Rinv_le_contravar; lra.
Qed.

Lemma inv_spec : forall i j x, inv i = Some j -> contains i x -> contains j (/ x) /\ x <> 0.
Proof.
  intros [l h] j x H [Hl Hh]. unfold contains, inv in *. simpl in *.
  destruct (Qle_bool l 0) eqn:El; simpl in H.
  - destruct (Qle_bool 0 h) eqn:Eh; simpl in H; try discriminate. injection H as <-. simpl.
    apply lt_reflect in Eh. rewrite Q2R_0 in Eh.
    rewrite !Q2R_inv by (intro E; apply Qeq_eqR in E; rewrite Q2R_0 in E; lra).
    split; [split |]; try lra; apply inverse_of_negatives; lra.
  - injection H as <-. simpl. apply lt_reflect in El. rewrite Q2R_0 in El.
    rewrite !Q2R_inv by (intro E; apply Qeq_eqR in E; rewrite Q2R_0 in E; lra).
    split; [split |]; try lra; apply Rinv_le_contravar; lra.
Qed.

Lemma power_spec : forall round i n x, (forall j y, contains j y -> contains (round j) y) ->
  contains i x -> contains (power round i n) (x ^ n).
Proof.
  intros round i n x R H. induction n as [| [| n] IH].
  - unfold contains. simpl. rewrite Q2R_1. lra.
  - simpl. rewrite Rmult_1_r. exact H.
  - apply R, mul_spec; assumption.
Qed.

Lemma absolute_spec : forall i x, contains i x -> contains (absolute i) (Rabs x).
Proof.
  intros [l h] x H. unfold contains, absolute in *. simpl in *.
  destruct (Qle_bool 0 l) eqn:El.
  - apply le_reflect in El. rewrite Q2R_0 in El. simpl. rewrite Rabs_pos_eq; lra.
  - destruct (Qle_bool h 0) eqn:Eh; simpl.
    + apply le_reflect in Eh. rewrite Q2R_0 in Eh. rewrite !Q2R_opp, Rabs_left1; lra.
    + rewrite Q2R_0, qmax_spec, Q2R_opp. split. apply Rabs_pos.
      apply Rabs_le. generalize (Rmax_l (- Q2R l) (Q2R h)) (Rmax_r (- Q2R l) (Q2R h)). lra.
Qed.

Lemma minimum_spec : forall i j x y, contains i x -> contains j y -> contains (minimum i j) (Rmin x y).
Proof.
  intros [a b] [c d] x y [] []. unfold contains in *. simpl in *. rewrite !qmin_spec.
  split; unfold Rmin; repeat destruct (Rle_dec _ _); lra.
Qed.

Lemma maximum_spec : forall i j x y, contains i x -> contains j y -> contains (maximum i j) (Rmax x y).
Proof.
  intros [a b] [c d] x y [] []. unfold contains in *. simpl in *. rewrite !qmax_spec.
  split; unfold Rmax; repeat destruct (Rle_dec _ _); lra.
Qed.

(** ** Roots

    Candidates come from integer roots; each is checked, so that nothing has to be known of how it was found. *)

Fixpoint integer_root_from (steps : nat) (n : positive) (x r : Z) : Z :=
  match steps with
  | O => r
  | S k =>
    let s := (r + Z.shiftl 1 (Z.of_nat k))%Z in
    integer_root_from k n x (if (Z.pow_pos s n <=? x)%Z then s else r)
  end.

Definition integer_root (n : positive) (x : Z) : Z :=
  match n with
  | 1%positive => x
  | 2%positive => Z.sqrt x
  | _ => integer_root_from (S (Z.to_nat (Z.log2 x / Zpos n))) n x 0
  end.

Definition root_candidates (p : Z) (n : positive) (q : Q) : Q * Q :=
  let q := Qred q in
  let a := integer_root n (Qnum q) in
  let b := integer_root n (Zpos (Qden q)) in
  let exact := a # Z.to_pos b in
  if Qeq_bool (exact ^ Zpos n) q then (exact, exact) else
  let d := Z.to_pos (Z.shiftl 1 (scale p q)) in
  let r := integer_root n (Qnum q * Z.pow_pos (Zpos d) n / Zpos (Qden q)) in
  (r # d, (r + 1)%Z # d).

Definition root_down (p : Z) (n : positive) (q : Q) : Q :=
  let r := fst (root_candidates p n q) in
  if Qle_bool 0 r && Qle_bool (r ^ Zpos n) q then r else 0%Q.

Definition root_up (p : Z) (n : positive) (q : Q) : Q :=
  let r := snd (root_candidates p n q) in
  if Qle_bool 0 r && Qle_bool q (r ^ Zpos n) then r else Qplus q 1.

Definition root_interval (p : Z) (n : positive) (i : interval) : option interval :=
  if Qle_bool 0 (fst i) then Some (root_down p n (fst i), root_up p n (snd i)) else None.

Lemma power_above : forall n x, 0 <= x -> x <= (x + 1) ^ Pos.to_nat n.
Proof.
  intros n x Hx. induction n using Pos.peano_ind.
  - simpl. lra.
  - rewrite Pos2Nat.inj_succ. simpl. nra.
Qed.

Lemma root_interval_spec :
  forall p n i j x, root_interval p n i = Some j -> contains i x -> contains j (root n x) /\ 0 <= x.
Proof.
  intros p n [l h] j x H [Hl Hh]. unfold contains, root_interval in *. cbn [fst snd] in *.
  destruct (Qle_bool 0 l) eqn:El; try discriminate. injection H as <-. cbn [fst snd].
  apply le_reflect in El. rewrite Q2R_0 in El.
  assert (0 <= x) as Hx by lra. split; [split | exact Hx].
  - unfold root_down. set (r := fst _). clearbody r.
    destruct (Qle_bool 0 r) eqn:E0; cbn [andb]; try (rewrite Q2R_0; apply root_nonnegative).
    destruct (Qle_bool (r ^ Zpos n) l) eqn:E1; cbn [andb]; try (rewrite Q2R_0; apply root_nonnegative).
    apply le_reflect in E0. apply le_reflect in E1. rewrite Q2R_0 in E0.
    rewrite Q2R_power in E1.
    apply (power_at_most n); auto using root_nonnegative. rewrite root_power by exact Hx. lra.
  - unfold root_up. set (r := snd _). clearbody r.
    assert (root n x <= Q2R (h + 1)) as fallback.
    { rewrite Q2R_plus, Q2R_1. apply (power_at_most n); try apply root_nonnegative; try lra.
      rewrite root_power by exact Hx. generalize (power_above n (Q2R h)). lra. }
    destruct (Qle_bool 0 r) eqn:E0; cbn [andb]; try exact fallback.
    destruct (Qle_bool h (r ^ Zpos n)) eqn:E1; cbn [andb]; try exact fallback.
    apply le_reflect in E0. apply le_reflect in E1. rewrite Q2R_0 in E0.
    rewrite Q2R_power in E1.
    apply (power_at_most n); auto using root_nonnegative. rewrite root_power by exact Hx. lra.
Qed.

Lemma sqrt_is_root : forall x, 0 <= x -> sqrt x = root 2 x.
Proof.
  intros x Hx. symmetry. apply root_unique. apply sqrt_pos.
  change (Pos.to_nat 2) with 2%nat. simpl. rewrite Rmult_1_r. apply sqrt_sqrt, Hx.
Qed.

(** ** The circle constant

    Machin's formula with arctangents of 1/3 and 1/7; forty terms give about 130 bits. *)

Definition pi_term (m : nat) : Q :=
  let k := Pos.of_succ_nat (2 * m) in
  Qred (Qmult (if Nat.even m then 1 else -(1)) (Qdiv (Qplus (Qmult 2 (Qpower (1 # 3) (Zpos k))) (Qpower (1 # 7) (Zpos k))) (inject_Z (Zpos k)))).

Fixpoint pi_sum (m : nat) : Q :=
  match m with
  | O => pi_term 0
  | S k => Qred (Qplus (pi_sum k) (pi_term m))
  end.

Lemma pi_term_spec : forall m, Q2R (pi_term m) = tg_alt PI_2_3_7_tg m.
Proof.
  intro m. unfold pi_term, tg_alt, PI_2_3_7_tg, Ratan_seq.
  rewrite (Qeq_eqR _ _ (Qred_correct _)).
  rewrite Q2R_mult, Q2R_div, Q2R_plus, Q2R_mult, !Q2R_power by (intro H; discriminate H).
  rewrite SuccNat2Pos.id_succ, <- Nat.add_1_r.
  replace (Q2R (inject_Z _)) with (INR (2 * m + 1)).
  2: { unfold inject_Z. rewrite Q2R_Z, INR_IZR_INZ. apply f_equal. lia. }
  replace (Q2R (if Nat.even m then 1 else -(1))) with ((-1) ^ m).
  2: { destruct (Nat.even m) eqn:E.
       - apply Nat.even_spec in E. destruct E as [k ->]. rewrite pow_1_even, Q2R_1. reflexivity.
       - assert (Nat.odd m = true) as O by (unfold Nat.odd; rewrite E; reflexivity).
         apply Nat.odd_spec in O. destruct O as [k ->]. rewrite Nat.add_1_r, pow_1_odd. unfold Q2R. simpl. lra. }
  replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra).
  replace (Q2R (1 # 3)) with (/ 3) by (unfold Q2R; simpl; lra).
  replace (Q2R (1 # 7)) with (/ 7) by (unfold Q2R; simpl; lra).
  field. apply not_0_INR. lia.
Qed.

Lemma pi_sum_spec : forall m, Q2R (pi_sum m) = sum_f_R0 (tg_alt PI_2_3_7_tg) m.
Proof.
  induction m as [| m IH].
  - apply pi_term_spec.
  - cbn [pi_sum sum_f_R0]. rewrite (Qeq_eqR _ _ (Qred_correct _)), Q2R_plus, IH, pi_term_spec. reflexivity.
Qed.

Definition pi_interval : interval :=
  Eval vm_compute in rounded 128 (Qmult 4 (pi_sum 41), Qmult 4 (pi_sum 40)).

Lemma pi_interval_spec : contains pi_interval PI.
Proof.
  replace pi_interval with (rounded 128 (Qmult 4 (pi_sum 41), Qmult 4 (pi_sum 40))) by (vm_compute; reflexivity).
  apply rounded_spec. unfold contains. cbn [fst snd]. rewrite !Q2R_mult, !pi_sum_spec.
  replace (Q2R 4) with 4 by (unfold Q2R; simpl; lra).
  generalize (PI_2_3_7_ineq 20). change (S (2 * 20)) with 41%nat. change (2 * 20)%nat with 40%nat. lra.
Qed.

(** ** Logarithms

    [ln ((1 + z) / (1 - z))] is twice the series of [z ^ (2 i + 1) / (2 i + 1)]; with [z = (m - 1) / (m + 1)] this gives [ln m]. *)

Fixpoint series (n : nat) (z : R) : R :=
  match n with
  | O => 0
  | S k => series k z + z ^ (2 * k + 1) / INR (2 * k + 1)
  end.

Lemma odd_positive : forall n, 0 < INR (2 * n + 1).
Proof. intro n. apply lt_0_INR. lia. Qed.

Lemma series_0 : forall n, series n 0 = 0.
Proof.
  induction n. reflexivity. cbn [series]. rewrite IHn, pow_i by lia. unfold Rdiv. lra.
Qed.

Lemma derivative_of_odd_power :
  forall n t, derivable_pt_lim (fun z => z ^ (2 * n + 1) / INR (2 * n + 1)) t (t ^ (2 * n)).
Proof.
  intros n t. replace (t ^ (2 * n)) with (/ INR (2 * n + 1) * (INR (2 * n + 1) * t ^ pred (2 * n + 1))).
  2: { replace (pred (2 * n + 1)) with (2 * n)%nat by lia. generalize (odd_positive n). intro. field. lra. }
  apply (derivable_pt_lim_ext (mult_real_fct (/ INR (2 * n + 1)) (fun z => z ^ (2 * n + 1)))).
  { intro z. unfold mult_real_fct, Rdiv. ring. }
  apply derivable_pt_lim_scal, derivable_pt_lim_pow.
Qed.

Lemma derivative_of_remainder : forall n t, -1 < t < 1 ->
  derivable_pt_lim (fun z => ln (1 + z) - ln (1 - z) - 2 * series n z) t (2 * (t ^ (2 * n) / (1 - t * t))).
Proof.
  intros n t Ht. induction n as [| n IH].
  - apply (derivable_pt_lim_ext (minus_fct (comp ln (fct_cte 1 + id)%F) (comp ln (fct_cte 1 - id)%F))).
    { intro z. unfold minus_fct, plus_fct, comp, fct_cte, id. simpl. ring. }
    replace (2 * _) with (/ (1 + t) * (0 + 1) - / (1 - t) * (0 - 1)) by (simpl; field; repeat split; nra).
    apply derivable_pt_lim_minus; apply derivable_pt_lim_comp.
    + apply derivable_pt_lim_plus. apply derivable_pt_lim_const. apply derivable_pt_lim_id.
    + apply (derivable_pt_lim_ln (1 + t)). lra.
    + apply derivable_pt_lim_minus. apply derivable_pt_lim_const. apply derivable_pt_lim_id.
    + apply (derivable_pt_lim_ln (1 - t)). lra.
  - apply (derivable_pt_lim_ext (minus_fct (fun z => ln (1 + z) - ln (1 - z) - 2 * series n z)
      (mult_real_fct 2 (fun z => z ^ (2 * n + 1) / INR (2 * n + 1))))).
    { intro z. unfold minus_fct, mult_real_fct. cbn [series]. ring. }
    replace (2 * (t ^ (2 * S n) / (1 - t * t))) with (2 * (t ^ (2 * n) / (1 - t * t)) - 2 * t ^ (2 * n)).
    2: { replace (2 * S n)%nat with (2 + 2 * n)%nat by lia. rewrite pow_add. field. nra. }
    apply derivable_pt_lim_minus. exact IH. apply derivable_pt_lim_scal, derivative_of_odd_power.
Qed.

Lemma even_power_nonnegative : forall n t, 0 <= t ^ (2 * n).
Proof. intros n t. rewrite pow_mult. apply pow_le. simpl. nra. Qed.

Lemma ln_quotient_bounds : forall n z, 0 <= z < 1 ->
  0 <= ln (1 + z) - ln (1 - z) - 2 * series n z <= 2 * (z ^ (2 * n + 1) / INR (2 * n + 1)) / (1 - z * z).
Proof.
  intros n z Hz. destruct (Req_dec z 0) as [-> | nonzero].
  { rewrite series_0, Rplus_0_r, Rminus_0_r, ln_1, pow_i by lia. unfold Rdiv. lra. }
  set (f := fun t => ln (1 + t) - ln (1 - t) - 2 * series n t).
  set (g := fun t => f t - 2 / (1 - z * z) * (t ^ (2 * n + 1) / INR (2 * n + 1))).
  assert (f 0 = 0) as f0 by (unfold f; rewrite series_0, Rplus_0_r, Rminus_0_r; lra).
  assert (g 0 = 0) as g0 by (unfold g; rewrite f0, pow_i by lia; unfold Rdiv; lra).
  split.
  - destruct (MVT_cor2 f (fun t => 2 * (t ^ (2 * n) / (1 - t * t))) 0 z) as [c [E Hc]]. lra.
    { intros c Hc. apply derivative_of_remainder. lra. }
    rewrite f0, !Rminus_0_r in E. fold (f z). rewrite E.
    apply Rmult_le_pos; try lra. apply Rmult_le_pos; try lra. apply Rmult_le_pos. apply even_power_nonnegative.
    left. apply Rinv_0_lt_compat. nra.
  - destruct (MVT_cor2 g (fun t => 2 * (t ^ (2 * n) / (1 - t * t)) - 2 / (1 - z * z) * t ^ (2 * n)) 0 z) as [c [E Hc]]. lra.
    { intros c Hc. apply (derivable_pt_lim_minus f (mult_real_fct (2 / (1 - z * z)) (fun t => t ^ (2 * n + 1) / INR (2 * n + 1)))).
      apply derivative_of_remainder. lra. apply derivable_pt_lim_scal, derivative_of_odd_power. }
    rewrite g0, !Rminus_0_r in E.
    assert (g z <= 0) as H.
    { rewrite E. generalize (even_power_nonnegative n c). intro P.
      assert (/ (1 - c * c) <= / (1 - z * z)) by (apply Rinv_le_contravar; nra).
      assert (c ^ (2 * n) / (1 - c * c) <= c ^ (2 * n) / (1 - z * z)) by (apply Rmult_le_compat_l; assumption).
      replace (2 / (1 - z * z) * c ^ (2 * n)) with (2 * (c ^ (2 * n) / (1 - z * z))) by (unfold Rdiv; ring).
      nra. }
    unfold g in H. fold (f z).
    replace (2 * (z ^ (2 * n + 1) / INR (2 * n + 1)) / (1 - z * z)) with (2 / (1 - z * z) * (z ^ (2 * n + 1) / INR (2 * n + 1)))
      by (unfold Rdiv; ring).
    lra.
Qed.

(** The series in Horner's form, from the term of index [k] on, in [w = z * z]. *)
Fixpoint horner (n k : nat) (w : R) : R :=
  match n with
  | O => 0
  | S m => / INR (2 * k + 1) + w * horner m (S k) w
  end.

Lemma horner_last : forall n k w, horner (S n) k w = horner n k w + w ^ n / INR (2 * (k + n) + 1).
Proof.
  induction n as [| n IH]; intros k w.
  - cbn [horner pow]. rewrite Nat.add_0_r. unfold Rdiv. ring.
  - change (horner (S (S n)) k w) with (/ INR (2 * k + 1) + w * horner (S n) (S k) w).
    rewrite IH. cbn [horner pow]. replace (S k + n)%nat with (k + S n)%nat by lia. unfold Rdiv. ring.
Qed.

Lemma series_horner : forall n z, series n z = z * horner n 0 (z * z).
Proof.
  induction n as [| n IH]; intro z. cbn. ring.
  rewrite horner_last. cbn [series]. rewrite IH, Nat.add_0_l, pow_add, pow_mult. replace (z ^ 2) with (z * z) by ring.
  unfold Rdiv. ring.
Qed.

Lemma some_injective : forall (A : Set) (x y : A), Some x = Some y -> x = y.
Proof. congruence. Qed.

Definition exactly (q : Q) : interval := (q, q).

Lemma exactly_spec : forall q, contains (exactly q) (Q2R q).
Proof. intro q. unfold contains. simpl. lra. Qed.

Definition unit_fraction (k : nat) : Q := 1 # Pos.of_succ_nat (2 * k).

Lemma unit_fraction_spec : forall k, Q2R (unit_fraction k) = / INR (2 * k + 1).
Proof.
  intro k. unfold Q2R, unit_fraction. cbn [Qnum Qden]. rewrite Rmult_1_l. f_equal.
  rewrite <- INR_IPR || idtac. rewrite INR_IZR_INZ. f_equal. lia.
Qed.

Fixpoint horner_interval (p : Z) (w : interval) (n k : nat) : interval :=
  match n with
  | O => exactly 0
  | S m => roughly p (add (roughly p (exactly (unit_fraction k))) (roughly p (mul w (horner_interval p w m (S k)))))
  end.

Lemma horner_interval_spec : forall p i w n k, contains i w -> contains (horner_interval p i n k) (horner n k w).
Proof.
  intros p i w n k H. revert k. induction n as [| n IH]; intro k.
  - cbn. rewrite <- Q2R_0. apply exactly_spec.
  - cbn [horner_interval horner]. apply roughly_spec, add_spec.
    + rewrite <- unit_fraction_spec. apply roughly_spec, exactly_spec.
    + apply roughly_spec, mul_spec; auto.
Qed.

(** Twice the series, from enclosures [Z] of [z], [W] of [z * z] and [V] of [/ (1 - z * z)]. *)

Definition ln_tail (p : Z) (n : nat) (Z W V : interval) : interval :=
  mul (mul (roughly p (mul Z (power (roughly p) W n))) (exactly (unit_fraction n))) V.

Definition ln_twice (p : Z) (s b : interval) : interval := roughly p (mul (exactly 2) (fst s, Qplus (snd s) (snd b))).

Lemma ln_tail_spec : forall p n Z W V z v, contains Z z -> contains W (z * z) -> contains V v ->
  contains (ln_tail p n Z W V) (z ^ (2 * n + 1) / INR (2 * n + 1) * v).
Proof.
  intros p n Z W V z v CZ CW CV. unfold ln_tail, Rdiv. rewrite <- unit_fraction_spec.
  apply mul_spec; [apply mul_spec; [apply roughly_spec | apply exactly_spec] | exact CV].
  rewrite pow_add, pow_mult, Rmult_comm. replace (z ^ 2) with (z * z) by ring. rewrite pow_1.
  apply mul_spec; [exact CZ | apply power_spec; auto using roughly_spec].
Qed.

Lemma ln_twice_spec : forall p s b x r y, contains s x -> contains b r -> 0 <= y - 2 * x <= 2 * r ->
  contains (ln_twice p s b) y.
Proof.
  intros p s b x r y Cs Cb H. apply roughly_spec.
  replace y with (Q2R 2 * (y / 2)) by (unfold Q2R; simpl; field).
  apply mul_spec. apply exactly_spec. unfold contains in *. cbn [fst snd]. rewrite Q2R_plus. lra.
Qed.

Lemma ln_quotient_enclosed : forall p n Z W V z, 0 <= z < 1 ->
  contains Z z -> contains W (z * z) -> contains V (/ (1 - z * z)) ->
  contains (ln_twice p (roughly p (mul Z (horner_interval p W n 0))) (ln_tail p n Z W V)) (ln (1 + z) - ln (1 - z)).
Proof.
  intros p n Z W V z Hz CZ CW CV.
  apply ln_twice_spec with (x := series n z) (r := z ^ (2 * n + 1) / INR (2 * n + 1) * / (1 - z * z)).
  - rewrite series_horner. apply roughly_spec, mul_spec; [exact CZ | apply horner_interval_spec, CW].
  - apply ln_tail_spec; assumption.
  - generalize (ln_quotient_bounds n z Hz). unfold Rdiv. rewrite !Rmult_assoc. auto.
Qed.

(** The logarithm of [m >= 1]. *)

Definition ln_argument (p : Z) (m : Q) : interval := roughly p (exactly (Qdiv (Qminus m 1) (Qplus m 1))).
Definition square (p : Z) (z : interval) : interval := roughly p (mul z z).
Definition complement (p : Z) (w : interval) : interval := roughly p (add (exactly 1) (opp w)).

Definition ln_reduced (p : Z) (m : Q) : option interval :=
  let z := ln_argument p m in
  let w := square p z in
  let n := Z.to_nat (p / 3 + 2) in
  match inv (complement p w) with
  | None => None
  | Some v => Some (ln_twice p (roughly p (mul z (horner_interval p w n 0))) (ln_tail p n z w v))
  end.

Lemma ln_argument_spec : forall p m, 1 <= Q2R m -> contains (ln_argument p m) ((Q2R m - 1) / (Q2R m + 1)).
Proof.
  intros p m Hm. apply roughly_spec. replace ((Q2R m - 1) / _) with (Q2R (Qdiv (Qminus m 1) (Qplus m 1))).
  apply exactly_spec.
  rewrite Q2R_div, Q2R_minus, Q2R_plus, Q2R_1. reflexivity.
  intro E. apply Qeq_eqR in E. rewrite Q2R_plus, Q2R_1, Q2R_0 in E. lra.
Qed.

Lemma complement_spec : forall p w x, contains w x -> contains (complement p w) (1 - x).
Proof.
  intros p w x H. apply roughly_spec. unfold Rminus. rewrite <- Q2R_1. apply add_spec.
  apply exactly_spec. apply opp_spec, H.
Qed.

Lemma ln_reduction : forall x, 1 <= x -> let z := (x - 1) / (x + 1) in 0 <= z < 1 /\ ln x = ln (1 + z) - ln (1 - z).
Proof.
  intros x Hx z.
  assert (0 <= z < 1) as Hz.
  { unfold z. split. apply Rmult_le_pos. lra. left. apply Rinv_0_lt_compat. lra.
    apply (Rmult_lt_reg_r (x + 1)). lra. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  split. exact Hz.
  replace x with ((1 + z) * / (1 - z)) at 1 by (unfold z; field; split; lra).
  rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra). reflexivity.
Qed.

(** Definitions are unfolded from the outside in; otherwise the kernel computes with variables at [Qed]. *)
Local Opaque inv Qle_bool.

Lemma ln_reduced_spec : forall p m i, 1 <= Q2R m -> ln_reduced p m = Some i -> contains i (ln (Q2R m)).
Proof.
  intros p m i Hm H. unfold ln_reduced in H.
  generalize (ln_argument_spec p m Hm).
  destruct (ln_reduction (Q2R m) Hm) as [Hz ->]. revert Hz H.
  generalize ((Q2R m - 1) / (Q2R m + 1)) (ln_argument p m) (Z.to_nat (p / 3 + 2)).
  clear Hm m. intros z Z n Hz H CZ.
  destruct (inv (complement p (square p Z))) as [V |] eqn:EV; try discriminate. apply some_injective in H. subst i.
  assert (contains (square p Z) (z * z)) as CW by (apply roughly_spec, mul_spec; exact CZ).
  destruct (inv_spec _ _ _ EV (complement_spec p _ _ CW)) as [CV _].
  apply ln_quotient_enclosed; assumption.
Qed.

(** 256 bits of [ln 2], more than any comparison here asks for. *)
Definition ln2_interval : interval := Eval vm_compute in match ln_reduced 256 2 with Some i => i | None => exactly 0 end.

Lemma ln2_interval_spec : contains ln2_interval (ln 2).
Proof.
  replace 2 with (Q2R 2) by (unfold Q2R; simpl; lra). apply (ln_reduced_spec 256).
  unfold Q2R; simpl; lra. vm_compute. reflexivity.
Qed.

Definition ln_above_1 (p : Z) (q : Q) : option interval :=
  let k := Z.to_nat (Z.log2 (Qnum q / Zpos (Qden q))) in
  let m := Qdiv q (inject_Z (2 ^ Z.of_nat k)) in
  if Qle_bool 1 m then
    match ln_reduced p m with
    | None => None
    | Some i => Some (match k with O => i | _ => rounded p (add i (rounded p (mul (exactly (inject_Z (Z.of_nat k))) (rounded p ln2_interval)))) end)
    end
  else None.

Lemma ln_above_1_spec : forall p q i, ln_above_1 p q = Some i -> contains i (ln (Q2R q)).
Proof.
  intros p q i H. unfold ln_above_1 in H. set (k := Z.to_nat _) in H. clearbody k.
  set (m := Qdiv q _) in H. destruct (Qle_bool 1 m) eqn:Hm; try discriminate.
  apply le_reflect in Hm. rewrite Q2R_1 in Hm.
  assert (Q2R q = Q2R m * 2 ^ k) as E.
  { unfold m. rewrite Q2R_div. unfold inject_Z. rewrite Q2R_Z, <- pow_IZR. field. apply pow_nonzero. lra.
    intro E. apply Qeq_eqR in E. unfold inject_Z in E. rewrite Q2R_Z, Q2R_0, <- pow_IZR in E.
    apply pow_nonzero in E; auto. }
  clearbody m. destruct (ln_reduced p m) as [j |] eqn:L; try discriminate. apply some_injective in H. subst i.
  apply ln_reduced_spec in L; auto.
  rewrite E, ln_mult, ln_pow by (try apply pow_lt; lra).
  destruct k as [| k].
  - simpl INR. rewrite Rmult_0_l, Rplus_0_r. exact L.
  - apply rounded_spec, add_spec; auto. apply rounded_spec, mul_spec.
    + rewrite INR_IZR_INZ, <- Q2R_Z. apply exactly_spec.
    + apply rounded_spec, ln2_interval_spec.
Qed.

Definition ln_rational (p : Z) (q : Q) : option interval :=
  if Qle_bool q 0 then None
  else if Qle_bool 1 q then ln_above_1 p q
  else match ln_above_1 p (Qinv q) with Some i => Some (opp i) | None => None end.

Lemma ln_rational_spec : forall p q i, ln_rational p q = Some i -> contains i (ln (Q2R q)) /\ 0 < Q2R q.
Proof.
  intros p q i H. unfold ln_rational in H. destruct (Qle_bool q 0) eqn:Eq; try discriminate.
  apply lt_reflect in Eq. rewrite Q2R_0 in Eq. split; auto.
  destruct (Qle_bool 1 q). exact (ln_above_1_spec _ _ _ H).
  destruct (ln_above_1 p (/ q)) as [j |] eqn:E; try discriminate. injection H as <-.
  apply ln_above_1_spec, opp_spec in E.
  rewrite Q2R_inv, ln_Rinv, Ropp_involutive in E; auto.
  intro Z. apply Qeq_eqR in Z. rewrite Q2R_0 in Z. lra.
Qed.

Definition ln_interval (p : Z) (i : interval) : option interval :=
  match ln_rational p (fst i) with
  | None => None
  | Some j =>
    if Qeq_bool (fst i) (snd i) then Some j else
    match ln_rational p (snd i) with
    | None => None
    | Some k => Some (fst j, snd k)
    end
  end.

Lemma ln_monotone : forall x y, 0 < x -> x <= y -> ln x <= ln y.
Proof. intros x y Hx [H | ->]. left. apply ln_increasing; auto. right. reflexivity. Qed.

Lemma ln_interval_spec : forall p i j x, ln_interval p i = Some j -> contains i x -> contains j (ln x) /\ 0 < x.
Proof.
  intros p [l h] j x H [Hl Hh]. unfold ln_interval in H. cbn [fst snd] in *.
  destruct (ln_rational p l) as [a |] eqn:A; try discriminate. apply ln_rational_spec in A. destruct A as [A positive].
  split; try lra. destruct (Qeq_bool l h) eqn:E.
  - apply some_injective in H. subst j. apply Qeq_bool_eq, Qeq_eqR in E.
    replace x with (Q2R l) by lra. exact A.
  - destruct (ln_rational p h) as [b |] eqn:B; try discriminate. apply some_injective in H. subst j.
    apply ln_rational_spec in B. destruct A as [A _]. destruct B as [[_ B] _]. split; cbn [fst snd].
    + apply Rle_trans with (1 := A). apply ln_monotone; auto.
    + apply Rle_trans with (2 := B). apply ln_monotone; lra.
Qed.

Local Transparent inv Qle_bool.

(** * Bounds of constant expressions *)

Definition bind {A B : Set} (a : option A) (f : A -> option B) : option B :=
  match a with Some x => f x | None => None end.

Section Bounds.

Variable p : Z.

Definition lift1 (f : interval -> interval) (a : option interval) : option interval :=
  bind a (fun i => Some (rounded p (f i))).

Definition lift2 (f : interval -> interval -> interval) (a b : option interval) : option interval :=
  bind a (fun i => bind b (fun j => Some (rounded p (f i j)))).

(** What is proved of [bounds], of [a] or [b]: the enclosure, and with it that the expression is defined. *)
Definition encloses (a : option interval) (e : expr) : Prop :=
  forall i, a = Some i -> contains i (denote e) /\ defined e.

Fixpoint bounds (e : expr) : option interval :=
  match e with
  | Cst z => Some (z # 1, z # 1)
  | Pi => Some pi_interval
  | Add a b => lift2 add (bounds a) (bounds b)
  | Sub a b => lift2 (fun i j => add i (opp j)) (bounds a) (bounds b)
  | Opp a => lift1 opp (bounds a)
  | Mul a b => lift2 mul (bounds a) (bounds b)
  | Div a b => bind (bounds b) (fun j => bind (inv j) (fun k => lift1 (fun i => mul i k) (bounds a)))
  | Inv a => bind (bounds a) (fun i => bind (inv i) (fun j => Some (rounded p j)))
  | Pow a n => lift1 (fun i => power (rounded p) i n) (bounds a)
  | Sqrt a => bind (bounds a) (root_interval p 2)
  | Root n a => bind (bounds a) (root_interval p n)
  | Ln a => bind (bounds a) (ln_interval p)
  | Abs a => lift1 absolute (bounds a)
  | Min a b => lift2 minimum (bounds a) (bounds b)
  | Max a b => lift2 maximum (bounds a) (bounds b)
  end.

Ltac enclosed := intros ? equation; unfold lift1, lift2, bind in equation;
  repeat match type of equation with context [match ?a with _ => _ end] => let E := fresh in destruct a eqn:E; try discriminate end;
  try discriminate; try injection equation as <-;
  repeat match goal with H : encloses (Some ?i) _ |- _ => destruct (H i eq_refl); clear H end;
  simpl; split; try apply rounded_spec.

Theorem bounds_encloses : forall e, encloses (bounds e) e.
Proof.
  induction e; simpl bounds.
  - enclosed; auto. unfold contains. simpl. rewrite Q2R_Z. lra.
  - enclosed; auto. apply pi_interval_spec.
  - enclosed; auto using add_spec.
  - enclosed; auto. apply add_spec; auto using opp_spec.
  - enclosed; auto using opp_spec.
  - enclosed; auto using mul_spec.
  - enclosed; match goal with I : inv _ = Some _, C : contains _ _ |- _ => destruct (inv_spec _ _ _ I C) end; auto.
    apply mul_spec; auto.
  - enclosed; match goal with I : inv _ = Some _, C : contains _ _ |- _ => destruct (inv_spec _ _ _ I C) end; auto.
  - enclosed; auto using power_spec, rounded_spec.
  - enclosed; match goal with I : root_interval _ _ _ = Some _, C : contains _ _ |- _ => destruct (root_interval_spec _ _ _ _ _ I C) end; auto.
    rewrite sqrt_is_root; auto.
  - enclosed; match goal with I : root_interval _ _ _ = Some _, C : contains _ _ |- _ => destruct (root_interval_spec _ _ _ _ _ I C) end; auto.
  - enclosed; match goal with I : ln_interval _ _ = Some _, C : contains _ _ |- _ => destruct (ln_interval_spec _ _ _ _ I C) end; auto.
  - enclosed; auto using absolute_spec.
  - enclosed; auto using minimum_spec.
  - enclosed; auto using maximum_spec.
Qed.

Theorem bounds_correct :
  forall e l h, bounds e = Some (l, h) -> Q2R l <= denote e <= Q2R h /\ defined e.
Proof. intros e l h H. exact (bounds_encloses e _ H). Qed.

(** ** Checks *)

Definition separated (a b : expr) : bool :=
  match bounds a, bounds b with
  | Some (l, h), Some (m, k) => negb (Qle_bool m h && Qle_bool l k)
  | _, _ => false
  end.

Definition below (a b : expr) : bool :=
  match bounds a, bounds b with
  | Some (_, h), Some (m, _) => negb (Qle_bool m h)
  | _, _ => false
  end.

Definition at_most (a b : expr) : bool :=
  match bounds a, bounds b with
  | Some (_, h), Some (m, _) => Qle_bool h m
  | _, _ => false
  end.

Definition equal (a b : expr) : bool := at_most a b && at_most b a.

Definition is_defined (a : expr) : bool := match bounds a with Some _ => true | None => false end.

Lemma is_defined_sound : forall a, is_defined a = true -> defined a.
Proof. intros a H. unfold is_defined in H. destruct (bounds a) eqn:A; try discriminate. apply (bounds_encloses a _ A). Qed.

Ltac decided := intros a b H;
  destruct (bounds a) as [[l h] |] eqn:A; try discriminate; destruct (bounds b) as [[m k] |] eqn:B; try discriminate;
  destruct (bounds_correct _ _ _ A), (bounds_correct _ _ _ B);
  split; [| split; assumption].

Lemma below_sound : forall a b, below a b = true -> denote a < denote b /\ defined a /\ defined b.
Proof.
  unfold below. decided. destruct (Qle_bool m h) eqn:E; try discriminate. apply lt_reflect in E. lra.
Qed.

Lemma at_most_sound : forall a b, at_most a b = true -> denote a <= denote b /\ defined a /\ defined b.
Proof. unfold at_most. decided. apply le_reflect in H. lra. Qed.

Lemma separated_sound : forall a b, separated a b = true -> denote a <> denote b /\ defined a /\ defined b.
Proof.
  unfold separated. decided. destruct (Qle_bool m h) eqn:E; simpl in H.
  - destruct (Qle_bool l k) eqn:F; try discriminate. apply lt_reflect in F. lra.
  - apply lt_reflect in E. lra.
Qed.

Lemma equal_sound : forall a b, equal a b = true -> denote a = denote b /\ defined a /\ defined b.
Proof.
  intros a b H. apply andb_prop in H. destruct H as [H K].
  apply at_most_sound in H. apply at_most_sound in K. destruct H as [H D]. destruct K as [K _]. split; auto. lra.
Qed.

End Bounds.

Lemma by_separated : forall p a b, separated p a b = true -> denote a <> denote b.
Proof. apply separated_sound. Qed.

Lemma by_below : forall p a b, below p a b = true -> denote a < denote b.
Proof. apply below_sound. Qed.

Lemma by_at_most : forall p a b, at_most p a b = true -> denote a <= denote b.
Proof. apply at_most_sound. Qed.

Lemma by_equal : forall p a b, equal p a b = true -> denote a = denote b.
Proof. apply equal_sound. Qed.

Lemma by_defined : forall p a, is_defined p a = true -> defined a.
Proof. exact is_defined_sound. Qed.

(** ** From a term to its expression *)

Ltac head_of t := lazymatch t with ?f _ => head_of f | _ => t end.

Ltac reify t :=
  lazymatch t with
  | IZR ?z => constr:(Cst z)
  | PI => constr:(Pi)
  | ?a + ?b => let a := reify a in let b := reify b in constr:(Add a b)
  | ?a - ?b => let a := reify a in let b := reify b in constr:(Sub a b)
  | - ?a => let a := reify a in constr:(Opp a)
  | ?a * ?b => let a := reify a in let b := reify b in constr:(Mul a b)
  | ?a / ?b => let a := reify a in let b := reify b in constr:(Div a b)
  | / ?a => let a := reify a in constr:(Inv a)
  | ?a ^ ?n => let a := reify a in constr:(Pow a n)
  | sqrt ?a => let a := reify a in constr:(Sqrt a)
  | root ?n ?a => let a := reify a in constr:(Root n a)
  | ln ?a => let a := reify a in constr:(Ln a)
  | Rabs ?a => let a := reify a in constr:(Abs a)
  | Rmin ?a ?b => let a := reify a in let b := reify b in constr:(Min a b)
  | Rmax ?a ?b => let a := reify a in let b := reify b in constr:(Max a b)
  | let x := _ in _ => let u := eval cbv zeta in t in reify u
  | _ => let h := head_of t in let u := eval cbv beta delta [h] in t in reify u
  end.

Ltac enclose_with p lemma a b :=
  let x := reify a in let y := reify b in
  apply (lemma p x y); vm_compute; reflexivity.

(** Closes a (negated) comparison of constant terms, or a conjunction of such; metrics are unfolded on the way. *)
Ltac enclose p :=
  lazymatch goal with
  | |- _ /\ _ => split; enclose p
  | |- ?a <> ?b => enclose_with p by_separated a b
  | |- ?a = ?b -> False => enclose_with p by_separated a b
  | |- ?a = ?b => enclose_with p by_equal a b
  | |- ?a < ?b => enclose_with p by_below a b
  | |- ?a > ?b => enclose_with p by_below b a
  | |- ?a <= ?b => enclose_with p by_at_most a b
  | |- ?a >= ?b => enclose_with p by_at_most b a
  | |- ~ ?a < ?b => apply Rle_not_lt; enclose_with p by_at_most b a
  | |- ?a < ?b -> False => apply (Rle_not_lt a b); enclose_with p by_at_most b a
  | |- ?a > ?b -> False => apply (Rle_not_lt b a); enclose_with p by_at_most a b
  | |- ~ ?a <= ?b => apply Rlt_not_le; enclose_with p by_below b a
  | |- ?a <= ?b -> False => apply (Rlt_not_le a b); enclose_with p by_below b a
  | |- defined ?a => apply (by_defined p); vm_compute; reflexivity
  end.

(** Few bits are enough for most comparisons, and cost least. *)
Ltac enclosing := first [enclose 24%Z | enclose 60%Z].

Module EnclosureExamples.

  Definition mcc (TP FN FP TN : R) : R :=
    (TP * TN - FN * FP) / sqrt ((TP + FN) * (TP + FP) * (TN + FN) * (TN + FP)).

  Example different : mcc 1 2 3 4 <> mcc 4 3 2 (17 / 3) /\ mcc 1 2 2 4 = mcc 4 2 2 1.
  Proof. enclose 60%Z. Qed.

  Example constants : 0.6931471805599 < ln 2 < 0.6931471805600 /\ 3.1415926535 < PI < 3.1415926536.
  Proof. enclose 60%Z. Qed.

  Example exact : sqrt (4 / 9) = 2 / 3 /\ Rmin (1 / 2) (2 / 4) = 1 / 2 /\ root 3 8 = 2 /\ ln 1 = 0.
  Proof. enclose 60%Z. Qed.

  Example is_defined : defined (Ln (Div (Cst 1) (Cst 3))).
  Proof. enclose 60%Z. Qed.

End EnclosureExamples.
