(** Notions of claims about the structure of a metric, stated once: what stands in them without numbers, and what is the
    same over the rational and the real numbers.

    The parameters of [Numbers] are inlined, as those of [OrderedField] are, so that what [Structure.v] and
    [StructureReals.v] include is about [Q] and [R] themselves. *)

Require Export List.
Require Import ZArith.
Export ListNotations.

Definition at_table {N A} (f : N -> N -> N -> N -> A) (t : N * N * N * N) : A := let '(TP, FN, FP, TN) := t in f TP FN FP TN.

(** A cell, by whose count it is. *)
Inductive place := AtTP | AtFN | AtFP | AtTN.

(** Four places: what stands in the places of TP, FN, FP and TN. *)
Definition arrangement := (place * place * place * place)%type.

Definition count {N} (x : place) (TP FN FP TN : N) : N :=
  match x with AtTP => TP | AtFN => FN | AtFP => FP | AtTN => TN end.

Definition arranged {N A} (p : arrangement) (f : N -> N -> N -> N -> A) (TP FN FP TN : N) : A :=
  let '(a, b, c, d) := p in f (count a TP FN FP TN) (count b TP FN FP TN) (count c TP FN FP TN) (count d TP FN FP TN).

Definition unchanged : arrangement := (AtTP, AtFN, AtFP, AtTN).

Definition arrangements : list arrangement :=
  [(AtTP, AtFN, AtFP, AtTN); (AtTP, AtFN, AtTN, AtFP); (AtTP, AtFP, AtFN, AtTN); (AtTP, AtFP, AtTN, AtFN);
   (AtTP, AtTN, AtFN, AtFP); (AtTP, AtTN, AtFP, AtFN); (AtFN, AtTP, AtFP, AtTN); (AtFN, AtTP, AtTN, AtFP);
   (AtFN, AtFP, AtTP, AtTN); (AtFN, AtFP, AtTN, AtTP); (AtFN, AtTN, AtTP, AtFP); (AtFN, AtTN, AtFP, AtTP);
   (AtFP, AtTP, AtFN, AtTN); (AtFP, AtTP, AtTN, AtFN); (AtFP, AtFN, AtTP, AtTN); (AtFP, AtFN, AtTN, AtTP);
   (AtFP, AtTN, AtTP, AtFN); (AtFP, AtTN, AtFN, AtTP); (AtTN, AtTP, AtFN, AtFP); (AtTN, AtTP, AtFP, AtFN);
   (AtTN, AtFN, AtTP, AtFP); (AtTN, AtFN, AtFP, AtTP); (AtTN, AtFP, AtTP, AtFN); (AtTN, AtFP, AtFN, AtTP)].

(** What a value turns into: itself, 1 - M, - M or 1 / M. *)
Inductive image := Same | Complement | Negative | Reciprocal.

Definition images : list image := [Same; Complement; Negative; Reciprocal].

Definition pair_eq_dec : forall x y : arrangement * image, {x = y} + {x <> y}.
Proof. repeat decide equality. Defined.

(** The first of some tables at which a check succeeds; the others are not looked at. *)
Fixpoint some {A} (check : A -> bool) (l : list A) : bool :=
  match l with [] => false | x :: others => if check x then true else some check others end.

Lemma some_exists : forall A (check : A -> bool) l, some check l = true -> exists x, In x l /\ check x = true.
Proof.
  intros A check. induction l as [| x l IH]; cbn; intro H; [discriminate |].
  destruct (check x) eqn:C; [exists x; auto |]. destruct (IH H) as (y & I & K). exists y. auto.
Qed.

Lemma in_images : forall i, In i images.
Proof. intros []; cbn; auto. Qed.

Fixpoint choose (n k : nat) : nat :=
  match n, k with _, O => 1 | O, S _ => 0 | S m, S l => choose m l + choose m (S l) end.

(** The values of TP that occur, for P positive ones and OP predicted positive ones of n. *)
Definition possible (n P OP : nat) : list nat :=
  filter (fun k => Nat.leb (P + OP) (n + k) && Nat.leb k P && Nat.leb k OP)%bool (seq 0 (S n)).

Definition powers := (Z * Z * Z * Z)%type.

Module Type Numbers.

  Parameter Inline(10) number : Type.
  Parameter Inline(10) equal less at_most : number -> number -> Prop.
  Parameter Inline(10) zero one two : number.
  Parameter Inline(10) plus minus times divide : number -> number -> number.
  Parameter Inline(10) opposite : number -> number.
  Parameter Inline(10) whole : nat -> number.

End Numbers.

Module Notions (F : Numbers).

  Local Infix "<" := F.less.
  Local Infix "<=" := F.at_most.
  Local Infix "==" := F.equal (at level 70).
  Local Infix "+" := F.plus.
  Local Infix "-" := F.minus.
  Local Infix "*" := F.times.
  Local Infix "/" := F.divide.
  Local Notation "0" := F.zero.
  Local Notation "1" := F.one.
  Local Notation "2" := F.two.
  Local Notation "- x" := (F.opposite x).
  Local Notation number := F.number.

  Definition metric := number -> number -> number -> number -> number.
  Definition domain := number -> number -> number -> number -> Prop.
  Definition table := (number * number * number * number)%type.

  Definition positive_cells : domain := fun TP FN FP TN => 0 < TP /\ 0 < FN /\ 0 < FP /\ 0 < TN.

  Definition turns (i : image) (before after : number) : Prop :=
    match i with
    | Same => after == before
    | Complement => after == 1 - before
    | Negative => after == - before
    | Reciprocal => before * after == 1
    end.

  (** An arrangement of the cells turns a metric into an image, wherever the metric has both values. *)
  Definition symmetry (M : metric) (D : domain) (p : arrangement) (i : image) : Prop :=
    forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> D TP FN FP TN -> arranged p D TP FN FP TN ->
    turns i (M TP FN FP TN) (arranged p M TP FN FP TN).

  (** Some arrangement of the cells other than the given one does. *)
  Definition has_symmetry (M : metric) (D : domain) : Prop :=
    exists p i, In p arrangements /\ p <> unchanged /\ symmetry M D p i.

  (** Those listed do, and no others. *)
  Definition symmetry_group (M : metric) (D : domain) (group : list (arrangement * image)) : Prop :=
    forall p i, In p arrangements -> (symmetry M D p i <-> In (p, i) group).

  (** With no other member than the arrangement that is none, there is no symmetry. *)
  Lemma no_symmetry_by : forall M D, symmetry_group M D [(unchanged, Same)] -> ~ has_symmetry M D.
  Proof. intros M D G (p & i & P & N & S). apply (G p i P) in S. destruct S as [S | []]. congruence. Qed.

  Lemma has_symmetry_by : forall M D p i, In p arrangements -> p <> unchanged -> symmetry M D p i -> has_symmetry M D.
  Proof. intros M D p i P N S. exists p, i. auto. Qed.

  Definition form (u : table) : metric := let '(a, b, c, d) := u in fun TP FN FP TN => a * TP + b * FN + c * FP + d * TN.

  (** M <w, x> = <u, x> with some w other than 0, which is weaker: [w] may vanish at some tables. *)
  Definition linear_relation (M : metric) (D : domain) : Prop :=
    exists u w, ~ at_table (fun a b c d => a == 0 /\ b == 0 /\ c == 0 /\ d == 0) w /\
    forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> D TP FN FP TN ->
    M TP FN FP TN * form w TP FN FP TN == form u TP FN FP TN.

  Definition probability (n P OP k : nat) : number :=
    F.whole (choose P k) * F.whole (choose (n - P) (OP - k)) / F.whole (choose n OP).

  Definition at_margins {A} (f : number -> number -> number -> number -> A) (n P OP k : nat) : A :=
    f (F.whole k) (F.whole (P - k)) (F.whole (OP - k)) (F.whole (n + k - P - OP)).

  Definition mean (M : metric) (n P OP : nat) : number :=
    fold_right (fun k rest => probability n P OP k * at_margins M n P OP k + rest) 0 (possible n P OP).

  Definition has_mean (D : domain) (n P OP : nat) : Prop := Forall (at_margins D n P OP) (possible n P OP).

  (** The mean is the same for all margins for which the metric has a value at every table that occurs. *)
  Definition constant_baseline (M : metric) (D : domain) : Prop :=
    exists c, forall n P OP : nat, (1 <= P < n)%nat -> (1 <= OP < n)%nat -> has_mean D n P OP -> mean M n P OP == c.

  (** The metric has a value at every table of cells that are not negative, and not all zero. *)
  Definition defined_everywhere (D : domain) : Prop :=
    forall TP FN FP TN, 0 <= TP -> 0 <= FN -> 0 <= FP -> 0 <= TN -> 0 < TP + FN + FP + TN -> D TP FN FP TN.

  (** M(x + s v) = M(x) for all s > 0 that leave the cells positive, wherever the metric has both values. *)
  Definition moves_freely (M : metric) (D : domain) (v : table) : Prop :=
    let '(a, b, c, d) := v in
    forall TP FN FP TN s, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < s ->
    positive_cells (TP + a * s) (FN + b * s) (FP + c * s) (TN + d * s) ->
    D TP FN FP TN -> D (TP + a * s) (FN + b * s) (FP + c * s) (TN + d * s) ->
    M (TP + a * s) (FN + b * s) (FP + c * s) (TN + d * s) == M TP FN FP TN.

  Definition has_free_move (M : metric) (D : domain) : Prop :=
    exists v, ~ at_table (fun a b c d => a == 0 /\ b == 0 /\ c == 0 /\ d == 0) v /\ moves_freely M D v.

  (** At fixed margins the metric is affine in TP: its second differences vanish. *)
  Definition affine_at_margins (M : metric) (D : domain) : Prop :=
    forall TP FN FP TN t, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < t ->
    D TP (FN + 2 * t) (FP + 2 * t) TN -> D (TP + t) (FN + t) (FP + t) (TN + t) -> D (TP + 2 * t) FN FP (TN + 2 * t) ->
    M TP (FN + 2 * t) (FP + 2 * t) TN + M (TP + 2 * t) FN FP (TN + 2 * t) == 2 * M (TP + t) (FN + t) (FP + t) (TN + t).

  (** It has one value at all tables with TP TN = FP FN. *)
  Definition constant_if_independent (M : metric) (D : domain) (value : number) : Prop :=
    forall TP FN a, 0 < TP -> 0 < FN -> 0 < a -> D TP FN (a * TP) (a * FN) -> M TP FN (a * TP) (a * FN) == value.

End Notions.
