(** Equal irrational values at given numbers, where no enclosure can tell that they are equal.

    What a generated file finds here: the tactic [equal_numbers], for equations between terms made of numbers by the four
    operations, square roots, logarithms and extremes. Arguments are computed, roots and logarithms split into those of
    primes, and extremes decided; then the equation is one of fractions in roots and logarithms of primes. *)

Require Import ZArith List QArith Field_theory Reals Lra.
From Symmetrics Require Import Signs.
From Symmetrics Require Export Symmetrics.
Import ListNotations.
Open Scope R_scope.

(** The smallest divisor above one, and the rest. *)
Fixpoint smallest_divisor (fuel : nat) (p n : Z) : Z :=
  match fuel with
  | O => n
  | S fuel => if Z.ltb n (p * p) then n else if Z.eqb (Z.modulo n p) 0 then p else smallest_divisor fuel (p + 1) n
  end.

Lemma ln_product : forall a b c, 0 < a -> 0 < b -> c = a * b -> ln c = ln a + ln b.
Proof. intros a b c A B ->. apply ln_mult; assumption. Qed.

Lemma ln_quotient : forall a b, 0 < a -> 0 < b -> ln (a / b) = ln a - ln b.
Proof. intros a b A B. rewrite (ln_scale (a / b) a b 1) by (lra || field; lra). rewrite ln_1. ring. Qed.

Lemma sqrt_product : forall a b c, 0 < a -> c = a * b -> sqrt c = sqrt a * sqrt b.
Proof. intros a b c A ->. apply sqrt_mult_alt. lra. Qed.

Lemma above_one_positive : forall a, 1 < a -> 0 < ln a.
Proof. intros a A. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma sqrt_square_product : forall a b c, 0 < a -> c = a * a * b -> sqrt c = a * sqrt b.
Proof. intros a b c A ->. apply sqrt_scale; [exact A | reflexivity]. Qed.

(** A term made of numbers by the four operations, as a number. *)
Ltac computed u :=
  let x := r_reify u (@nil R) in
  let q := eval vm_compute in (Qred (Qvalue (@nil Q) x)) in
  lazymatch q with
  | Qmake ?n 1 => constr:(IZR n)
  | Qmake ?n ?d => constr:(IZR n / IZR (Zpos d))
  end.

Ltac compute_argument f u :=
  lazymatch u with
  | IZR _ => fail
  | IZR _ / IZR _ => fail
  | _ => let v := computed u in replace (f u) with (f v) by (apply f_equal; fractions)
  end.

Ltac other_than_one n := lazymatch n with 1%Z => fail | _ => idtac end.

Ltac split_logarithm n :=
  let p := eval vm_compute in (smallest_divisor 40 2 n) in
  lazymatch p with
  | n => fail
  | _ => let m := eval vm_compute in (Z.div n p) in
         rewrite (ln_product (IZR p) (IZR m) (IZR n)) by lra
  end.

Ltac split_root n :=
  let p := eval vm_compute in (smallest_divisor 40 2 n) in
  lazymatch p with
  | n => fail
  | _ => let m := eval vm_compute in (Z.div n p) in
         let k := eval vm_compute in (Z.div m p) in
         first [ rewrite (sqrt_square_product (IZR p) (IZR k) (IZR n)) by lra
               | rewrite (sqrt_product (IZR p) (IZR m) (IZR n)) by lra ]
  end.

Ltac numbers_step := match goal with
  | |- context [ln ?u] => compute_argument ln u
  | |- context [sqrt ?u] => compute_argument sqrt u
  | |- context [ln (IZR ?n / IZR ?d)] => rewrite (ln_quotient (IZR n) (IZR d)) by lra
  | |- context [sqrt (IZR ?n / IZR ?d)] => rewrite (sqrt_div_alt (IZR n) (IZR d)) by lra
  | |- context [ln 1] => rewrite ln_1
  | |- context [sqrt 1] => rewrite sqrt_1
  | |- context [ln (IZR ?n)] => split_logarithm n
  | |- context [sqrt (IZR ?n)] => split_root n
  end.

Ltac same_root := match goal with
  | |- context [sqrt ?u] => match goal with
      | |- context [sqrt ?v] => unlike u v; replace (sqrt u) with (sqrt v) by (apply f_equal; fractions)
      end
  end.

Ltac decide_extreme := match goal with
  | |- context [Rmax ?a ?b] => first
      [ rewrite (Rmax_right a b) by (enclose 40%Z) | rewrite (Rmax_left a b) by (enclose 40%Z)
      | replace b with a by equal_numbers; rewrite (Rmax_left a a) by apply Rle_refl ]
  | |- context [Rmin ?a ?b] => first
      [ rewrite (Rmin_left a b) by (enclose 40%Z) | rewrite (Rmin_right a b) by (enclose 40%Z)
      | replace b with a by equal_numbers; rewrite (Rmin_left a a) by apply Rle_refl ]
  end
with divisor_apart := match goal with
  | |- context [_ / ?d] =>
      lazymatch d with context [ln _] => idtac end;
      lacks (d <> 0); assert (d <> 0) by enclose 40%Z
  end
with equal_numbers :=
  repeat decide_extreme;
  repeat divisor_apart;
  generalize_given (@nil R);
  repeat numbers_step;
  repeat match goal with
  | |- context [ln (IZR ?n)] => lacks (0 < ln (IZR n)); assert (0 < ln (IZR n)) by (apply above_one_positive; lra)
  | |- context [sqrt (IZR ?n)] => lacks (0 < sqrt (IZR n)); assert (0 < sqrt (IZR n)) by (apply sqrt_lt_R0; lra)
  end;
  repeat same_root;
  intros; fractions.

Module TieExamples.

  Example logarithms : ln (4 / 9) / (ln 2 - ln 3 + ln 1) = 2 * (ln 6 + ln 5) / ln 30.
  Proof. equal_numbers. Qed.

  Example extremes : Rmax (ln 6) (ln 2 + ln 3) / Rmin (ln 2) (ln 3) = 1 + ln 3 / ln 2.
  Proof. equal_numbers. Qed.

End TieExamples.
