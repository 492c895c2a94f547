(** Equations and inequalities of metrics that hold for all positive cells, over the reals.

    What a generated file finds here (with [Enclosures], which comes along):

    [fractions]: equations, disequations and inequalities of rational functions, from hypotheses [0 < x] about variables
    and [d <> 0] about denominators that can vanish; roots and logarithms count as variables.
    [metric_identity]: equations in which roots, logarithms, absolute values and extremes occur, between tables whose cells
    are permuted, scaled by variables, or independent. Hypotheses as for [fractions]; a denominator in which a logarithm
    occurs needs its hypothesis too. *)

Require Import ZArith Lia Bool List Setoid Morphisms QArith Ring_theory Ring_polynom Field_theory BinList Reals Lra.
From Symmetrics Require Export Enclosures.
From Symmetrics Require Import Signs.
Import ListNotations.
Open Scope R_scope.

(** ** Rational functions of positive reals: the instance of [Signs] *)

Lemma IZR_morphism : ring_morph 0 1 Rplus Rmult Rminus Ropp (@eq R) 0%Z 1%Z Z.add Z.mul Z.sub Z.opp Z.eqb IZR.
Proof.
  constructor; try reflexivity; intros.
  - apply plus_IZR.
  - apply minus_IZR.
  - apply mult_IZR.
  - apply opp_IZR.
  - apply Z.eqb_eq in H. subst. reflexivity.
Qed.

Lemma R_pos_ext : forall x y : R, x = y -> 0 < x -> 0 < y.
Proof. intros x y ->. auto. Qed.

Lemma R_pos_not_zero : forall x : R, 0 < x -> x <> 0.
Proof. intros x H E. lra. Qed.

Lemma R_pos_phi : forall z, (0 < z)%Z -> 0 < IZR z.
Proof. intros z H. apply IZR_lt, H. Qed.

Lemma Rinv_ext : forall p q : R, p = q -> / p = / q.
Proof. intros p q ->. reflexivity. Qed.

Definition R_ext : ring_eq_ext Rplus Rmult Ropp (@eq R) := Eq_ext Rplus Rmult Ropp.

Notation Rvalue := (FEeval 0 1 Rplus Rmult Rminus Ropp Rdiv Rinv IZR N.to_nat pow).
Notation Ragrees := (agrees R (fun x => 0 < x)).
Notation Rgiven := (all_given R 0 1 Rplus Rmult Rminus Ropp Rdiv Rinv (@eq R) IZR nat N.to_nat pow).

Lemma R_equal : forall m given a b l, zero_fraction m (numerators m given) (FEsub a b) = true ->
  Ragrees m l -> Rgiven l given -> Rvalue l a = Rvalue l b.
Proof.
  exact (equal_fractions _ _ _ _ _ _ _ _ _ _ (@eq_equivalence R) R_ext Rinv_ext Rfield _ IZR_morphism _ _ _ R_power_theory
    _ R_pos_ext Rplus_lt_0_compat Rmult_lt_0_compat R_pos_not_zero R_pos_phi).
Qed.

Lemma R_different : forall m given a b l, nonzero_fraction m (numerators m given) (FEsub a b) = true ->
  Ragrees m l -> Rgiven l given -> Rvalue l a <> Rvalue l b.
Proof.
  exact (different_fractions _ _ _ _ _ _ _ _ _ _ (@eq_equivalence R) R_ext Rinv_ext Rfield _ IZR_morphism _ _ _ R_power_theory
    _ R_pos_ext Rplus_lt_0_compat Rmult_lt_0_compat R_pos_not_zero R_pos_phi).
Qed.

Lemma R_less : forall m given a b l, positive_fraction m (numerators m given) (FEsub b a) = true ->
  Ragrees m l -> Rgiven l given -> Rvalue l a < Rvalue l b.
Proof.
  intros m given a b l H A K. apply Rminus_gt_0_lt. revert m given a b l H A K.
  exact (ordered_fractions _ _ _ _ _ _ _ _ _ _ (@eq_equivalence R) R_ext Rinv_ext Rfield _ IZR_morphism _ _ _ R_power_theory
    _ R_pos_ext Rplus_lt_0_compat Rmult_lt_0_compat Rinv_0_lt_compat R_pos_not_zero R_pos_phi).
Qed.

Ltac r_atoms t l :=
  lazymatch t with
  | ?a + ?b => let l := r_atoms a l in r_atoms b l
  | ?a - ?b => let l := r_atoms a l in r_atoms b l
  | ?a * ?b => let l := r_atoms a l in r_atoms b l
  | ?a / ?b => let l := r_atoms a l in r_atoms b l
  | - ?a => r_atoms a l
  | / ?a => r_atoms a l
  | ?a ^ _ => r_atoms a l
  | IZR _ => l
  | _ => insert t l
  end.

Ltac r_reify t l :=
  lazymatch t with
  | ?a + ?b => let a := r_reify a l in let b := r_reify b l in constr:(@FEadd Z a b)
  | ?a - ?b => let a := r_reify a l in let b := r_reify b l in constr:(@FEsub Z a b)
  | ?a * ?b => let a := r_reify a l in let b := r_reify b l in constr:(@FEmul Z a b)
  | ?a / ?b => let a := r_reify a l in let b := r_reify b l in constr:(@FEdiv Z a b)
  | - ?a => let a := r_reify a l in constr:(@FEopp Z a)
  | / ?a => let a := r_reify a l in constr:(@FEinv Z a)
  | ?a ^ ?n => let a := r_reify a l in let n := eval compute in (N.of_nat n) in constr:(@FEpow Z a n)
  | IZR ?n => constr:(@FEc Z n)
  | _ => let i := index t l in constr:(@FEX Z i)
  end.

Ltac r_mask l :=
  lazymatch l with
  | nil => constr:((@nil bool, I))
  | cons ?x ?k =>
    let r := r_mask k in
    lazymatch r with
    | (?m, ?P) =>
      match goal with
      | H : 0 < x |- _ => constr:((cons true m, conj (fun _ : true = true => H) P))
      | _ => constr:((cons false m, conj (fun e : false = true => False_ind (0 < x) (diff_false_true e)) P))
      end
    end
  end.

Ltac r_given seen :=
  match goal with
  | H : ?a <> 0 |- _ => lazymatch member a seen with false => r_given (cons a seen) end
  | _ => seen
  end.

Ltac r_given_atoms g l := lazymatch g with nil => l | cons ?a ?g => let l := r_atoms a l in r_given_atoms g l end.

Ltac r_given_reify g l :=
  lazymatch g with
  | nil => constr:((@nil (FExpr Z), I))
  | cons ?a ?g =>
    let r := r_given_reify g l in
    let x := r_reify a l in
    lazymatch r with
    | (?k, ?P) => match goal with H : a <> 0 |- _ => constr:((cons x k, conj H P)) end
    end
  end.

Ltac r_solve_with g lemma a b :=
  let l := r_atoms a (@nil R) in
  let l := r_atoms b l in
  let l := r_given_atoms g l in
  let x := r_reify a l in
  let y := r_reify b l in
  let m := r_mask l in
  let k := r_given_reify g l in
  lazymatch m with
  | (?m, ?M) => lazymatch k with
    | (?k, ?K) => apply (lemma m k x y l); [vm_compute; reflexivity | exact M | exact K]
    end
  end.

Ltac r_solve lemma a b := let g := r_given (@nil R) in r_solve_with g lemma a b.

(** Equations and inequalities of rational functions of atoms: variables, or roots and logarithms taken as they stand. *)
Ltac fractions :=
  lazymatch goal with
  | |- _ /\ _ => split; fractions
  | |- ?a <> ?b => r_solve R_different a b
  | |- ?a = ?b -> False => r_solve R_different a b
  | |- ?a = ?b => r_solve R_equal a b
  | |- ?a < ?b => r_solve R_less a b
  | |- ?a > ?b => r_solve R_less b a
  | |- ?a <= ?b => left; r_solve R_less a b
  | |- ?a >= ?b => left; r_solve R_less b a
  end.

(** Equations first without the assumptions that are only of use where a denominator may vanish. *)
Ltac plain_fractions :=
  lazymatch goal with
  | |- ?a = ?b => first [r_solve_with (@nil R) R_equal a b | fractions]
  | _ => fractions
  end.

(** ** Facts about single functions *)

Lemma sqrt_scale : forall u k v, 0 < k -> u = k * k * v -> sqrt u = k * sqrt v.
Proof.
  intros u k v Hk ->. destruct (Rle_dec 0 v) as [H | H].
  - rewrite sqrt_mult by nra. rewrite sqrt_square by lra. reflexivity.
  - rewrite !sqrt_neg_0 by nra. ring.
Qed.

Lemma root_nonpositive : forall n x, x <= 0 -> root n x = 0.
Proof. intros n x H. unfold root. destruct (Rle_dec x 0); lra. Qed.

Lemma root_scale : forall n u k v, 0 < k -> u = k ^ Pos.to_nat n * v -> root n u = k * root n v.
Proof.
  intros n u k v Hk ->. assert (0 < k ^ Pos.to_nat n) as P by (apply pow_lt, Hk).
  destruct (Rle_dec 0 v) as [H | H].
  - rewrite root_mult by lra. rewrite root_of_power by lra. reflexivity.
  - rewrite !root_nonpositive by nra. ring.
Qed.

Lemma Rabs_scale : forall u k v, 0 < k -> u = k * v -> Rabs u = k * Rabs v.
Proof. intros u k v Hk ->. rewrite Rabs_mult, (Rabs_pos_eq k); lra. Qed.

Lemma Rabs_scale_opp : forall u k v, 0 < k -> u = - (k * v) -> Rabs u = k * Rabs v.
Proof. intros u k v Hk ->. rewrite Rabs_Ropp, Rabs_mult, (Rabs_pos_eq k); lra. Qed.

Lemma Rmax_scale : forall a b k c d, 0 < k -> a = k * c -> b = k * d -> Rmax a b = k * Rmax c d.
Proof. intros a b k c d H -> ->. apply RmaxRmult. lra. Qed.

Lemma Rmax_scale_swap : forall a b k c d, 0 < k -> a = k * d -> b = k * c -> Rmax a b = k * Rmax c d.
Proof. intros. rewrite Rmax_comm. apply Rmax_scale; assumption. Qed.

Lemma Rmin_as_max : forall a b, Rmin a b = - Rmax (- a) (- b).
Proof. intros a b. unfold Rmin, Rmax. destruct (Rle_dec a b), (Rle_dec (- a) (- b)); lra. Qed.

Lemma Rmin_scale : forall a b k c d, 0 < k -> a = k * c -> b = k * d -> Rmin a b = k * Rmin c d.
Proof.
  intros a b k c d H -> ->. rewrite !Rmin_as_max.
  rewrite (Rmax_scale (- (k * c)) (- (k * d)) k (- c) (- d)) by (assumption || ring). ring.
Qed.

Lemma Rmin_scale_swap : forall a b k c d, 0 < k -> a = k * d -> b = k * c -> Rmin a b = k * Rmin c d.
Proof. intros. rewrite Rmin_comm. apply Rmin_scale; assumption. Qed.

Lemma Rmax_scale_opp : forall a b k c d, 0 < k -> a = - (k * c) -> b = - (k * d) -> Rmax a b = - (k * Rmin c d).
Proof.
  intros a b k c d H -> ->. rewrite Rmin_as_max.
  rewrite (Rmax_scale (- (k * c)) (- (k * d)) k (- c) (- d)) by (assumption || ring). ring.
Qed.

Lemma Rmax_scale_opp_swap : forall a b k c d, 0 < k -> a = - (k * d) -> b = - (k * c) -> Rmax a b = - (k * Rmin c d).
Proof. intros. rewrite Rmax_comm. apply Rmax_scale_opp; assumption. Qed.

Lemma ln_nonpositive : forall x, x <= 0 -> ln x = 0.
Proof. intros x H. unfold ln. destruct (Rlt_dec 0 x); [exfalso; lra | reflexivity]. Qed.

Lemma ln_inverse : forall u v, u = / v -> ln u = - ln v.
Proof.
  intros u v ->. destruct (Rlt_dec 0 v) as [H | H]. apply ln_Rinv, H.
  destruct (Req_dec v 0) as [-> | N]. rewrite Rinv_0, ln_nonpositive; lra.
  rewrite !ln_nonpositive; try lra. left. apply Rinv_lt_0_compat. lra.
Qed.

Lemma ln_scale : forall u p q v, 0 < p -> 0 < q -> 0 < v -> u = p / q * v -> ln u = ln p - ln q + ln v.
Proof.
  intros u p q v Hp Hq Hv ->. unfold Rdiv. rewrite !ln_mult, ln_Rinv; try lra.
  all: try apply Rmult_lt_0_compat; auto using Rinv_0_lt_compat.
Qed.

Lemma ln_power : forall x n, 0 < x -> ln (x ^ n) = IZR (Z.of_nat n) * ln x.
Proof. intros x n H. rewrite ln_pow, INR_IZR_INZ; auto. Qed.

Lemma ln_one : forall u, u = 1 -> ln u = 0.
Proof. intros u ->. apply ln_1. Qed.

Lemma root_div : forall n a b, 0 < a -> 0 < b -> root n (a / b) = root n a / root n b.
Proof.
  intros n a b Ha Hb. unfold Rdiv. rewrite root_mult, root_inv; auto; left; auto using Rinv_0_lt_compat.
Qed.

Lemma Rabs_zero : forall u, u = 0 -> Rabs u = 0.
Proof. intros u ->. apply Rabs_R0. Qed.

Lemma Rmax_same : forall a b, a = b -> Rmax a b = a.
Proof. intros a b ->. apply Rmax_left. lra. Qed.

Lemma Rmin_same : forall a b, a = b -> Rmin a b = a.
Proof. intros a b ->. apply Rmin_left. lra. Qed.

Lemma Rmax_positive_l : forall a b, 0 < a -> 0 < Rmax a b.
Proof. intros a b H. generalize (Rmax_l a b). lra. Qed.

Lemma Rmax_positive_r : forall a b, 0 < b -> 0 < Rmax a b.
Proof. intros a b H. generalize (Rmax_r a b). lra. Qed.

Lemma as_square : forall x, 0 < x -> exists y, 0 < y /\ x = y ^ 2.
Proof.
  intros x H. exists (sqrt x). split. apply sqrt_lt_R0, H. simpl. rewrite Rmult_1_r. symmetry. apply sqrt_sqrt. lra.
Qed.

Lemma as_power : forall n x, 0 < x -> exists y, 0 < y /\ x = y ^ Pos.to_nat n.
Proof. intros n x H. exists (root n x). split. apply root_positive, H. symmetry. apply root_power. lra. Qed.

(** ** The ratio of two arguments, found at a point

    Scaling variables and the others are set to primes; the ratio of [u] to [v] at this point tells which product of powers
    of scaling variables it can be. A guess only: the equation is proved afterwards. *)

Fixpoint valuation (fuel : nat) (p n : Z) : nat * Z :=
  match fuel with
  | O => (O, n)
  | S f => if Z.eqb (Z.modulo n p) 0 then let (k, m) := valuation f p (Z.div n p) in (S k, m) else (O, n)
  end.

Fixpoint valuations (primes : list Z) (n : Z) : list nat * Z :=
  match primes with
  | nil => (nil, n)
  | p :: primes => let (k, m) := valuation 12 p n in let (ks, r) := valuations primes m in (k :: ks, r)
  end.

Record guess : Set := Guess { negative : bool; ups : list nat; downs : list nat; rest_up : Z; rest_down : Z }.

Definition guessed (primes : list Z) (env : list Q) (u v : FExpr Z) : guess :=
  let q := Qred (Qdiv (Qvalue env u) (Qvalue env v)) in
  let (a, n) := valuations primes (Z.abs (Qnum q)) in
  let (b, d) := valuations primes (Zpos (Qden q)) in
  Guess (Z.ltb (Qnum q) 0) a b n d.

Definition scale_primes : list Z := [101; 103; 107; 127]%Z.
Definition other_primes : list Z := [109; 113; 131; 137; 139; 149; 151; 157; 163; 167; 173; 179; 181; 191; 193; 197; 199; 211; 223; 227; 229; 233; 239; 241; 251; 257; 263; 269; 271; 277; 281; 283; 293; 307; 311; 313]%Z.

Ltac position x l :=
  lazymatch l with
  | cons x _ => constr:(O)
  | cons _ ?k => let i := position x k in constr:(S i)
  end.

(** The point: atoms [l] with values [e]. *)
Ltac point l scales others :=
  lazymatch l with
  | nil => constr:(@nil Q)
  | cons ?x ?k =>
    lazymatch member x scales with
    | true => let i := position x scales in let p := eval compute in (List.nth i scale_primes 1%Z) in
              let r := point k scales others in constr:(cons (inject_Z p) r)
    | false => lazymatch others with cons ?p ?ps => let r := point k scales ps in constr:(cons (inject_Z p) r) end
    end
  end.

Ltac monomial scales exponents :=
  lazymatch exponents with
  | nil => constr:(1)
  | cons O ?es => lazymatch scales with cons _ ?k => monomial k es end
  | cons (S O) ?es => lazymatch scales with cons ?x ?k => let r := monomial k es in
      lazymatch r with 1 => constr:(x) | _ => constr:(x * r) end end
  | cons ?e ?es => lazymatch scales with cons ?x ?k => let r := monomial k es in
      lazymatch r with 1 => constr:(x ^ e) | _ => constr:(x ^ e * r) end end
  end.

Ltac quotient scales a b :=
  let n := monomial scales a in
  let d := monomial scales b in
  lazymatch d with 1 => n | _ => constr:(n / d) end.

Definition guess_at (scales : nat) (e : list Q) (u : FExpr Z) : guess := guessed (firstn scales scale_primes) e u (FEc 1%Z).

(** The exponents that lead from one guess to another. *)
Fixpoint differences (a b c d : list nat) : list nat :=
  match a, b, c, d with
  | x :: a, y :: b, z :: c, t :: d => (x + t - (y + z))%nat :: differences a b c d
  | _, _, _, _ => nil
  end.

Definition exponents_up (g h : guess) : list nat := differences (ups g) (downs g) (ups h) (downs h).
Definition exponents_down (g h : guess) : list nat := differences (ups h) (downs h) (ups g) (downs g).

(** ** Identities *)

Ltac occurs x t := lazymatch t with context [x] => true | _ => false end.

(** Variables that stand on one side of the equation only: what the table was scaled by. *)
Ltac scales_from acc :=
  match goal with
  | H : 0 < ?x |- ?a = ?b =>
    let _ := match goal with _ => is_var x end in
    lazymatch member x acc with
    | false =>
      let l := occurs x a in
      let r := occurs x b in
      lazymatch constr:((l, r)) with
      | (true, false) => scales_from (cons x acc)
      | (false, true) => scales_from (cons x acc)
      end
    end
  | _ => acc
  end.

Ltac divided n l :=
  let m := eval vm_compute in (map (fun k => Nat.div k n) l) in
  let back := eval vm_compute in (map (fun k => Nat.mul k n) m) in
  lazymatch back with l => m end.

Ltac lacks P := lazymatch goal with _ : P |- _ => fail | _ => idtac end.

Ltac rewritten E := rewrite !E; clear E.

(** [seen] holds the atoms met so far, each with its guess; a new atom is expressed by one of them if it can be. *)

Ltac seen_atom x seen :=
  lazymatch seen with
  | nil => false
  | cons (x, _) _ => true
  | cons _ ?k => seen_atom x k
  end.

Ltac new x seen := lazymatch seen_atom x seen with false => idtac end.

Ltac unlike u v := lazymatch u with v => fail | _ => idtac end.

Ltac try_sqrt scales u g seen :=
  match seen with
  | context [cons (sqrt ?v, (?h, _)) _] =>
    lazymatch g with Guess ?t _ _ ?n ?d => lazymatch h with Guess t _ _ n d =>
      let a := eval vm_compute in (exponents_up g h) in let b := eval vm_compute in (exponents_down g h) in
      let a := divided 2%nat a in let b := divided 2%nat b in
      let k := quotient scales a b in
      let E := fresh in
      assert (sqrt u = k * sqrt v) as E by (apply sqrt_scale; plain_fractions);
      rewritten E
    end end
  end.

Ltac try_root scales n u g seen :=
  match seen with
  | context [cons (root n ?v, (?h, _)) _] =>
    lazymatch g with Guess ?t _ _ ?p ?d => lazymatch h with Guess t _ _ p d =>
      let m := eval compute in (Pos.to_nat n) in
      let a := eval vm_compute in (exponents_up g h) in let b := eval vm_compute in (exponents_down g h) in
      let a := divided m a in let b := divided m b in
      let k := quotient scales a b in
      let E := fresh in
      assert (root n u = k * root n v) as E by (apply root_scale; [fractions | change (Pos.to_nat n) with m; fractions]);
      rewritten E
    end end
  end.

Ltac try_abs scales u g seen :=
  match seen with
  | context [cons (Rabs ?v, (?h, _)) _] =>
    lazymatch g with Guess ?s _ _ ?n ?d => lazymatch h with Guess ?t _ _ n d =>
      let a := eval vm_compute in (exponents_up g h) in let b := eval vm_compute in (exponents_down g h) in
      let k := quotient scales a b in
      let E := fresh in
      assert (Rabs u = k * Rabs v) as E by
        (lazymatch t with s => apply Rabs_scale; plain_fractions | _ => apply Rabs_scale_opp; plain_fractions end);
      rewritten E
    end end
  end.

Ltac expand_ln E := rewrite ?ln_mult, ?ln_power, ?ln_1 in E by fractions; cbn [Z.of_nat Pos.of_succ_nat Pos.succ] in E.

Ltac try_ln scales u g seen :=
  match seen with
  | context [cons (ln ?v, (?h, _)) _] =>
    lazymatch g with Guess ?t _ _ ?n ?d =>
      let E := fresh in
      lazymatch h with
      | Guess t _ _ n d =>
        let a := eval vm_compute in (exponents_up g h) in let b := eval vm_compute in (exponents_down g h) in
        let k := quotient scales a b in
        lazymatch k with
        | 1 => assert (ln u = ln v) as E by (apply f_equal; plain_fractions)
        | _ =>
          let p := monomial scales a in let q := monomial scales b in
          assert (ln u = ln p - ln q + ln v) as E by (apply ln_scale; plain_fractions); expand_ln E
        end
      | Guess t ?x ?y d n =>
        let h := constr:(Guess t y x n d) in
        let a := eval vm_compute in (exponents_up g h) in let b := eval vm_compute in (exponents_down g h) in
        let k := quotient scales a b in
        lazymatch k with
        | 1 => assert (ln u = - ln v) as E by (apply ln_inverse; plain_fractions)
        | _ =>
          let p := monomial scales a in let q := monomial scales b in
          assert (ln u = ln p - ln q + ln (/ v)) as E by (apply ln_scale; plain_fractions);
          rewrite (ln_inverse (/ v) v eq_refl) in E; expand_ln E
        end
      end;
      rewritten E
    end
  end.

Ltac try_max scales a b g seen :=
  match seen with
  | context [cons (Rmax ?c ?d, (?h, ?i)) _] =>
    let E := fresh in
    lazymatch g with (Guess ?s _ _ ?n ?m, _) =>
      let g := lazymatch g with (?g, _) => g end in
      first
      [ lazymatch h with Guess s _ _ n m =>
          let x := eval vm_compute in (exponents_up g h) in let y := eval vm_compute in (exponents_down g h) in
          let k := quotient scales x y in
          assert (Rmax a b = k * Rmax c d) as E by (apply Rmax_scale; plain_fractions)
        end
      | lazymatch i with Guess s _ _ n m =>
          let x := eval vm_compute in (exponents_up g i) in let y := eval vm_compute in (exponents_down g i) in
          let k := quotient scales x y in
          assert (Rmax a b = k * Rmax c d) as E by (apply Rmax_scale_swap; plain_fractions)
        end ];
      rewritten E
    end
  | context [cons (Rmin ?c ?d, (?h, ?i)) _] =>
    let E := fresh in
    lazymatch g with (Guess ?s _ _ ?n ?m, _) =>
      let g := lazymatch g with (?g, _) => g end in
      first
      [ lazymatch h with Guess ?t _ _ n m => unlike s t;
          let x := eval vm_compute in (exponents_up g h) in let y := eval vm_compute in (exponents_down g h) in
          let k := quotient scales x y in
          assert (Rmax a b = - (k * Rmin c d)) as E by (apply Rmax_scale_opp; plain_fractions)
        end
      | lazymatch i with Guess ?t _ _ n m => unlike s t;
          let x := eval vm_compute in (exponents_up g i) in let y := eval vm_compute in (exponents_down g i) in
          let k := quotient scales x y in
          assert (Rmax a b = - (k * Rmin c d)) as E by (apply Rmax_scale_opp_swap; plain_fractions)
        end ];
      rewritten E
    end
  end.

Ltac try_min scales a b g seen :=
  match seen with
  | context [cons (Rmin ?c ?d, (?h, ?i)) _] =>
    let E := fresh in
    lazymatch g with (Guess ?s _ _ ?n ?m, _) =>
      let g := lazymatch g with (?g, _) => g end in
      first
      [ lazymatch h with Guess s _ _ n m =>
          let x := eval vm_compute in (exponents_up g h) in let y := eval vm_compute in (exponents_down g h) in
          let k := quotient scales x y in
          assert (Rmin a b = k * Rmin c d) as E by (apply Rmin_scale; plain_fractions)
        end
      | lazymatch i with Guess s _ _ n m =>
          let x := eval vm_compute in (exponents_up g i) in let y := eval vm_compute in (exponents_down g i) in
          let k := quotient scales x y in
          assert (Rmin a b = k * Rmin c d) as E by (apply Rmin_scale_swap; plain_fractions)
        end ];
      rewritten E
    end
  end.

(** A common factor of both arguments, which need not be a monomial. *)
Ltac try_max_ratio a b seen :=
  match seen with
  | context [cons (Rmax ?c ?d, _) _] =>
    let E := fresh in
    first
    [ assert (Rmax a b = a / c * Rmax c d) as E by (apply Rmax_scale; plain_fractions)
    | assert (Rmax a b = a / d * Rmax c d) as E by (apply Rmax_scale_swap; plain_fractions) ];
    rewritten E
  end.

(** Atoms of which all atoms have a value at the point. *)
Ltac known_value u l :=
  lazymatch u with
  | ?a + ?b => known_value a l; known_value b l
  | ?a - ?b => known_value a l; known_value b l
  | ?a * ?b => known_value a l; known_value b l
  | ?a / ?b => known_value a l; known_value b l
  | - ?a => known_value a l
  | / ?a => known_value a l
  | ?a ^ _ => known_value a l
  | IZR _ => idtac
  | _ => lazymatch member u l with true => idtac end
  end.

Ltac value_of n l e u :=
  let x := r_reify u l in
  eval vm_compute in (guess_at n e x).

(** [others] are primes not used yet, one for each atom that is kept. *)
Ltac express scales n l e others seen :=
  let keep x g := lazymatch others with cons ?p ?ps =>
    express scales n constr:(cons x l) constr:(cons (inject_Z p) e) ps constr:(cons (x, g) seen) end in
  match goal with
  | |- context [sqrt ?u] => known_value u l; new (sqrt u) seen; let g := value_of n l e u in
      first [try_sqrt scales u g seen; express scales n l e others seen | keep (sqrt u) constr:((g, g))]
  | |- context [root ?k ?u] => known_value u l; new (root k u) seen; let g := value_of n l e u in
      first [try_root scales k u g seen; express scales n l e others seen | keep (root k u) constr:((g, g))]
  | |- context [Rabs ?u] => known_value u l; new (Rabs u) seen; let g := value_of n l e u in
      first [ lazymatch g with Guess _ _ _ 0 _ => let E := fresh in assert (Rabs u = 0) as E by (apply Rabs_zero; plain_fractions); rewritten E end;
              express scales n l e others seen
            | try_abs scales u g seen; express scales n l e others seen | keep (Rabs u) constr:((g, g))]
  | |- context [ln ?u] => known_value u l; new (ln u) seen; let g := value_of n l e u in
      first [ is_var u; keep (ln u) constr:((g, g))
            | lazymatch g with Guess false _ _ 1 1 => let E := fresh in assert (ln u = 0) as E by (apply ln_one; plain_fractions); rewritten E end;
              express scales n l e others seen
            | try_ln scales u g seen; express scales n l e others seen
            | keep (ln u) constr:((g, g))]
  | |- context [Rmax ?a ?b] => known_value a l; known_value b l; new (Rmax a b) seen;
      let g := value_of n l e (3 * a + 5 * b) in let h := value_of n l e (5 * a + 3 * b) in
      first [ lazymatch h with g => let E := fresh in assert (Rmax a b = a) as E by (apply Rmax_same; plain_fractions); rewritten E end;
              express scales n l e others seen
            | try_max scales a b constr:((g, h)) seen; express scales n l e others seen
            | try_max_ratio a b seen; express scales n l e others seen
            | keep (Rmax a b) constr:((g, h))]
  | |- context [Rmin ?a ?b] => known_value a l; known_value b l; new (Rmin a b) seen;
      let g := value_of n l e (3 * a + 5 * b) in let h := value_of n l e (5 * a + 3 * b) in
      first [ lazymatch h with g => let E := fresh in assert (Rmin a b = a) as E by (apply Rmin_same; plain_fractions); rewritten E end;
              express scales n l e others seen
            | try_min scales a b constr:((g, h)) seen; express scales n l e others seen | keep (Rmin a b) constr:((g, h))]
  | _ => idtac
  end.

Ltac variables l := match goal with
  | H : 0 < ?x |- _ => let _ := match goal with _ => is_var x end in
      lazymatch member x l with false => variables (cons x l) end
  | _ => l
  end.

Ltac express_atoms scales :=
  let l := variables (@nil R) in
  let l := match goal with |- context [PI] => constr:(cons PI l) | _ => l end in
  let others := eval cbv delta [other_primes] in other_primes in
  let e := point l scales others in
  let n := eval compute in (length scales) in
  let rest := eval compute in (skipn (length l) other_primes) in
  express scales n l e rest (@nil (R * (guess * guess))).

(** Hypotheses [0 < f u] for the atoms of the goal for which this can be seen. *)
Ltac atoms_positive :=
  repeat match goal with
  | |- context [sqrt ?u] => lacks (0 < sqrt u); assert (0 < sqrt u) by (apply sqrt_lt_R0; fractions)
  | |- context [root ?n ?u] => lacks (0 < root n u); assert (0 < root n u) by (apply root_positive; fractions)
  | |- context [Rmax ?a ?b] => lacks (0 < Rmax a b);
      assert (0 < Rmax a b) by first [apply Rmax_positive_l; fractions | apply Rmax_positive_r; fractions]
  | |- context [Rmin ?a ?b] => lacks (0 < Rmin a b); assert (0 < Rmin a b) by (apply Rmin_pos; fractions)
  | |- context [PI] => lacks (0 < PI); assert (0 < PI) by exact PI_RGT_0
  | |- context [ln (IZR ?z)] => lacks (0 < ln (IZR z)); assert (0 < ln (IZR z)) by (rewrite <- ln_1; apply ln_increasing; lra)
  end.

Ltac power_scales n m scales :=
  lazymatch scales with
  | nil => idtac
  | cons ?x ?k =>
    let y := fresh "s" in let Hy := fresh in let E := fresh in
    match goal with H : 0 < x |- _ =>
      destruct (as_power n x H) as [y [Hy E]]; change (Pos.to_nat n) with m in E; clear H; subst x end;
    power_scales n m k
  end.

Ltac prepare_scales scales :=
  lazymatch goal with
  | |- context [root 4] => power_scales 4%positive 4%nat scales
  | |- context [sqrt] => power_scales 2%positive 2%nat scales
  | _ => idtac
  end.

Ltac generalize_given seen :=
  match goal with
  | H : ?a <> 0 |- _ =>
    lazymatch member a seen with false => idtac end;
    generalize H; generalize_given (cons a seen)
  | _ => idtac
  end.

(** Roots of entropies are not zero where hypotheses say that these are positive. *)
Ltac roots_apart :=
  repeat match goal with
  | H : 0 < ?u |- context [sqrt ?u] =>
    lazymatch u with context [ln _] => idtac end;
    lacks (sqrt u <> 0); assert (sqrt u <> 0) by (apply Rgt_not_eq, sqrt_lt_R0, H)
  end.

(** Needed where the factors of arguments combine differently on the two sides. *)
Ltac expand_products :=
  repeat match goal with
  | |- context [sqrt (?a * ?b)] => rewrite (sqrt_mult_alt a b) by (left; fractions)
  | |- context [sqrt (?a / ?b)] => rewrite (sqrt_div_alt a b) by fractions
  | |- context [root ?n (?a * ?b)] => rewrite (root_mult n a b) by (left; fractions)
  | |- context [root ?n (?a / ?b)] => rewrite (root_div n a b) by fractions
  | |- context [ln (?a * ?b)] => rewrite (ln_mult a b) by fractions
  | |- context [ln (?a / ?b)] => rewrite (ln_scale (a / b) a b 1) by fractions; rewrite ln_1
  | |- context [ln (?a ^ ?n)] => rewrite (ln_power a n) by fractions; cbn [Z.of_nat Pos.of_succ_nat Pos.succ]
  end.

Ltac identity_by expand :=
  let s := scales_from (@nil R) in prepare_scales s;
  let s := scales_from (@nil R) in
  roots_apart; generalize_given (@nil R);
  atoms_positive; expand; express_atoms s; atoms_positive; intros; fractions.

Ltac irrational_identity := first [ identity_by idtac | identity_by expand_products | fractions ].

(** An equation between metrics: roots, logarithms, absolute values and extremes of arguments that are equal, or multiples
    by powers of the scaling variables, are expressed by one of them; what is left is an equation of fractions. *)
Ltac metric_identity := lazymatch goal with
  | |- context [sqrt] => irrational_identity
  | |- context [root] => irrational_identity
  | |- context [ln] => irrational_identity
  | |- context [Rabs] => irrational_identity
  | |- context [Rmax] => irrational_identity
  | |- context [Rmin] => irrational_identity
  | _ => fractions
  end.

Module IdentityExamples.

  Definition mcc (TP FN FP TN : R) : R :=
    (TP * TN - FN * FP) / sqrt ((TP + FN) * (TP + FP) * (TN + FN) * (TN + FP)).

  Example mcc_homogeneous : forall TP FN FP TN t, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < t ->
    mcc (TP * t) (FN * t) (FP * t) (TN * t) = mcc TP FN FP TN.
  Proof. intros. unfold mcc. metric_identity. Qed.

  Definition odds (TP FN FP TN : R) : R := ln (TN * TP / (FN * FP)).

  Example odds_antisymmetric : forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN ->
    odds TP FN FP TN = - odds FP TN TP FN.
  Proof. intros. unfold odds. metric_identity. Qed.

  Definition coverage (TP FN FP TN : R) : R := TP / Rmax (FN + TP) (FP + TP).

  Example coverage_transposed : forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN ->
    coverage TP FN FP TN = coverage TP FP FN TN.
  Proof. intros. unfold coverage. metric_identity. Qed.

  Example differ : ~ forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> mcc TP FN FP TN = coverage TP FN FP TN.
  Proof.
    intro H. generalize (H 1 2 3 4 ltac:(enclose 60%Z) ltac:(enclose 60%Z) ltac:(enclose 60%Z) ltac:(enclose 60%Z)).
    enclose 60%Z.
  Qed.

End IdentityExamples.
