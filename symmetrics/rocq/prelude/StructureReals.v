(** Notions of claims about the structure of a metric that is not rational, and how tables refute them: over [R].

    The definitions are those of [Structure.v], with real numbers.  Values at tables of whole numbers are enclosed by
    [Enclosures.v]; a metric becomes an expression of the whole numbers in a table. *)

Require Import ZArith Lia Bool QArith Qreals Reals Lra.
From Symmetrics Require Export RealProofs Notions.
Open Scope R_scope.

(** ** The notions, over [R] *)

Definition whole (k : nat) : R := IZR (Z.of_nat k).

Module RealNumbers <: Numbers.
  Definition number := R.
  Definition equal := @eq R.
  Definition less := Rlt.
  Definition at_most := Rle.
  Definition zero := 0.
  Definition one := 1.
  Definition two := 2.
  Definition plus := Rplus.
  Definition minus := Rminus.
  Definition times := Rmult.
  Definition divide := Rdiv.
  Definition opposite := Ropp.
  Definition whole := whole.
End RealNumbers.

Include Notions RealNumbers.

(** ** Domains by computation *)

Inductive condition := NonZero (a : expr) | Positive (a : expr) | NonNegative (a : expr).

Definition meets (c : condition) : Prop :=
  match c with NonZero a => ~ denote a = 0 | Positive a => 0 < denote a | NonNegative a => 0 <= denote a end.

(** What the definition of a metric's domain is, for the list of its conditions. *)
Fixpoint all_met (conditions : list condition) : Prop :=
  match conditions with [] => True | [c] => meets c | c :: others => meets c /\ all_met others end.

Definition meets_b (p : Z) (c : condition) : bool :=
  match c with NonZero a => separated p a (Cst 0) | Positive a => below p (Cst 0) a | NonNegative a => Enclosures.at_most p (Cst 0) a end.

Definition all_met_b (p : Z) (conditions : list condition) : bool := forallb (meets_b p) conditions.

Lemma meets_by : forall p c, meets_b p c = true -> meets c.
Proof.
  intros p [a | a | a] H; cbn in *.
  - exact (by_separated p a (Cst 0) H).
  - exact (by_below p (Cst 0) a H).
  - exact (by_at_most p (Cst 0) a H).
Qed.

Lemma all_met_by : forall p conditions, all_met_b p conditions = true -> all_met conditions.
Proof.
  intro p. induction conditions as [| c others IH]; [reflexivity |]. intro H. apply andb_prop in H. destruct H as [C O].
  apply meets_by in C. destruct others; [exact C | split; [exact C | exact (IH O)]].
Qed.

Notation counts := (Z * Z * Z * Z)%type (only parsing).

Definition positive_counts (t : counts) : bool := at_table (fun TP FN FP TN => forallb (Z.ltb 0) [TP; FN; FP; TN]) t.

Definition positives (t : counts) : Prop :=
  at_table (fun TP FN FP TN => 0 < IZR TP /\ 0 < IZR FN /\ 0 < IZR FP /\ 0 < IZR TN) t.

Lemma positive_counts_by : forall t, positive_counts t = true -> positives t.
Proof.
  intros [[[TP FN] FP] TN] H. unfold positive_counts, positives, at_table in *. cbn [forallb] in H.
  repeat (apply andb_prop in H; let K := fresh in destruct H as [K H]).
  repeat split; apply IZR_lt, Z.ltb_lt; assumption.
Qed.

Ltac conditions_of P := lazymatch P with
  | ?A /\ ?others => let c := condition_of A in let l := conditions_of others in constr:(c :: l)
  | True => constr:(@nil condition)
  | _ => let c := condition_of P in constr:([c])
  end
with condition_of A := lazymatch A with
  | ~ ?x = _ => let a := reify x in constr:(NonZero a)
  | _ < ?x => let a := reify x in constr:(Positive a)
  | _ <= ?x => let a := reify x in constr:(NonNegative a)
  end.

(** The conditions of a metric, and its value, as functions of whole numbers. *)
Ltac conditions D := constr:(fun TP FN FP TN : Z =>
  ltac:(let h := head_of D in let P := eval cbv beta delta [h] in (D (IZR TP) (IZR FN) (IZR FP) (IZR TN)) in
    let l := conditions_of P in exact l)).

Ltac expression M := constr:(fun TP FN FP TN : Z =>
  ltac:(let h := head_of M in let t := eval cbv beta delta [h] in (M (IZR TP) (IZR FN) (IZR FP) (IZR TN)) in
    let e := reify t in exact e)).

(** ** Exchanges of the cells *)

Definition disjoint (i j : interval) : bool := negb (Qle_bool (fst j) (snd i) && Qle_bool (fst i) (snd j)).

Lemma disjoint_sound : forall i j x y, disjoint i j = true -> contains i x -> contains j y -> x <> y.
Proof.
  intros [a b] [c d] x y H [X1 X2] [Y1 Y2]. unfold disjoint in H. cbn [fst snd] in *.
  apply negb_true_iff, andb_false_iff in H. destruct H as [H | H]; apply lt_reflect in H; lra.
Qed.

Lemma one_contains : contains (1%Q, 1%Q) 1.
Proof. unfold contains. cbn. rewrite Q2R_1. lra. Qed.

Lemma zero_contains : contains (0%Q, 0%Q) 0.
Proof. unfold contains. cbn. rewrite Q2R_0. lra. Qed.

Definition turns_not (i : image) (before after : interval) : bool :=
  match i with
  | Same => disjoint after before
  | Complement => disjoint (add after before) (1%Q, 1%Q)
  | Negative => disjoint (add after before) (0%Q, 0%Q)
  | Reciprocal => disjoint (mul before after) (1%Q, 1%Q)
  end.

Lemma turns_not_sound : forall i a b x y, turns_not i a b = true -> contains a x -> contains b y -> ~ turns i x y.
Proof.
  intros [] a b x y H X Y T; cbn in *.
  - exact (disjoint_sound _ _ _ _ H Y X T).
  - apply (disjoint_sound _ _ _ _ H (add_spec _ _ _ _ Y X) one_contains). lra.
  - apply (disjoint_sound _ _ _ _ H (add_spec _ _ _ _ Y X) zero_contains). lra.
  - exact (disjoint_sound _ _ _ _ H (mul_spec _ _ _ _ X Y) one_contains T).
Qed.

Definition at_arranged {N A} (f : N -> N -> N -> N -> A) (t : N * N * N * N) (p : arrangement) : A := at_table (arranged p f) t.

Section Tables.

Variable p : Z.
Variable M : metric.
Variable D : domain.
Variable value : Z -> Z -> Z -> Z -> expr.
Variable needs : Z -> Z -> Z -> Z -> list condition.
Hypothesis value_is : forall TP FN FP TN, M (IZR TP) (IZR FN) (IZR FP) (IZR TN) = denote (value TP FN FP TN).
Hypothesis needs_are : forall TP FN FP TN, all_met (needs TP FN FP TN) -> D (IZR TP) (IZR FN) (IZR FP) (IZR TN).

(** A table that is good for a refutation, with the enclosure of the value there. *)
Definition enclosed_at (t : counts) : option interval :=
  if (positive_counts t && all_met_b p (at_table needs t))%bool then bounds p (at_table value t) else None.

Definition real (t : counts) : table := let '(a, b, c, d) := t in (IZR a, IZR b, IZR c, IZR d).

Lemma enclosed_at_sound : forall t i, enclosed_at t = Some i ->
  positives t /\ at_table D (real t) /\ contains i (at_table M (real t)).
Proof.
  intros t i H. unfold enclosed_at in H. destruct (positive_counts t) eqn:P; cbn [andb] in H; [| discriminate].
  destruct (all_met_b p (at_table needs t)) eqn:A; [| discriminate].
  apply positive_counts_by in P. apply all_met_by in A. destruct (bounds_encloses p _ i H) as [C _].
  destruct t as [[[TP FN] FP] TN]. cbn [at_table real] in *. rewrite value_is. auto.
Qed.

Definition rearranged (t : counts) (q : arrangement) : counts := at_arranged (fun TP FN FP TN => (TP, FN, FP, TN)) t q.

Definition counts_eq_dec : forall s t : counts, {s = t} + {s <> t}.
Proof. repeat (apply Z.eq_dec || decide equality). Defined.

(** Enclosures of the values at all arrangements of some tables, each computed once. *)
Definition enclosures (tables : list counts) : list (counts * option interval) :=
  map (fun t => (t, enclosed_at t)) (nodup counts_eq_dec (flat_map (fun t => map (rearranged t) arrangements) tables)).

Fixpoint known (l : list (counts * option interval)) (t : counts) : option interval :=
  match l with
  | [] => None
  | (s, i) :: others => if counts_eq_dec s t then i else known others t
  end.

Lemma known_sound : forall l t i, (forall s j, In (s, j) l -> enclosed_at s = j) -> known l t = Some i -> enclosed_at t = Some i.
Proof.
  induction l as [| [s j] l IH]; cbn; intros t i L H; [discriminate |].
  destruct (counts_eq_dec s t) as [<- | _]; [rewrite (L s j); auto | apply IH; auto].
Qed.

Lemma in_enclosures : forall tables s j, In (s, j) (enclosures tables) -> enclosed_at s = j.
Proof.
  intros tables s j H. apply in_map_iff in H. destruct H as (t & E & _). injection E as <- <-. reflexivity.
Qed.

Definition fails (l : list (counts * option interval)) (q : arrangement) (i : image) (t : counts) : bool :=
  match known l t, known l (rearranged t q) with Some a, Some b => turns_not i a b | _, _ => false end.

Lemma fails_sound : forall l q i t, (forall s j, In (s, j) l -> enclosed_at s = j) -> fails l q i t = true -> ~ symmetry M D q i.
Proof.
  intros l q i t L F S. unfold fails in F. destruct (known l t) eqn:A; [| discriminate].
  destruct (known l (rearranged t q)) eqn:B; [| discriminate].
  apply known_sound, enclosed_at_sound in A; [| exact L]. apply known_sound, enclosed_at_sound in B; [| exact L].
  destruct A as (P & DA & CA). destruct B as (_ & DB & CB).
  apply (turns_not_sound _ _ _ _ _ F CA CB). destruct t as [[[TP FN] FP] TN]. destruct P as (P1 & P2 & P3 & P4).
  destruct q as [[[a b] c] d].
  specialize (S (IZR TP) (IZR FN) (IZR FP) (IZR TN) P1 P2 P3 P4).
  destruct a, b, c, d; exact (S DA DB).
Qed.

Definition others_fail (tables : list counts) (group : list (arrangement * image)) : bool :=
  let l := enclosures tables in
  forallb (fun q => forallb (fun i =>
    if in_dec pair_eq_dec (q, i) group then true else
    some (fun t => some (fun r => fails l q i (rearranged t r)) arrangements) tables) images) arrangements.

Lemma symmetry_group_by : forall tables group, others_fail tables group = true ->
  Forall (fun member => symmetry M D (fst member) (snd member)) group -> symmetry_group M D group.
Proof.
  intros tables group O G q i P. split.
  - intro S. unfold others_fail in O. rewrite forallb_forall in O. specialize (O q P). cbv beta in O.
    rewrite forallb_forall in O. specialize (O i (in_images i)). cbv beta in O.
    destruct (in_dec pair_eq_dec (q, i) group) as [yes | no]; [exact yes | exfalso].
    apply some_exists in O. destruct O as (t & I & O). apply some_exists in O. destruct O as (r & _ & F).
    exact (fails_sound _ _ _ _ (in_enclosures tables) F S).
  - intro I. rewrite Forall_forall in G. exact (G (q, i) I).
Qed.

End Tables.

Ltac in_list := cbn; repeat (first [left; reflexivity | right]).

Ltac spelled_out M D := let m := head_of M in let d := head_of D in
  cbv beta iota delta [symmetry arranged count turns fst snd m d].

Ltac group bits M D tables := let e := expression M in let c := conditions D in
  apply (symmetry_group_by bits M D e c (fun _ _ _ _ => eq_refl) (fun _ _ _ _ H => H) tables);
  [ vm_cast_no_check (eq_refl true) | repeat apply Forall_cons; try apply Forall_nil; spelled_out M D ].

(** ** Ratios of linear forms *)

(** ** Directions along which a metric does not change *)

(** M(x_i s^v_i) = M(x) for all s > 0, wherever the metric has both values. *)
Definition scales_freely (M : metric) (D : domain) (v : powers) : Prop :=
  let '(a, b, c, d) := v in
  forall TP FN FP TN s, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < s ->
  D TP FN FP TN -> D (TP * powerRZ s a) (FN * powerRZ s b) (FP * powerRZ s c) (TN * powerRZ s d) ->
  M (TP * powerRZ s a) (FN * powerRZ s b) (FP * powerRZ s c) (TN * powerRZ s d) = M TP FN FP TN.

Definition has_free_scaling (M : metric) (D : domain) : Prop := exists v, v <> (0, 0, 0, 0)%Z /\ scales_freely M D v.

Lemma has_free_move_by : forall M D v, ~ at_table (fun a b c d => a = 0 /\ b = 0 /\ c = 0 /\ d = 0) v ->
  moves_freely M D v -> has_free_move M D.
Proof. intros M D v N H. exists v. auto. Qed.

Lemma has_free_scaling_by : forall M D v, v <> (0, 0, 0, 0)%Z -> scales_freely M D v -> has_free_scaling M D.
Proof. intros M D v N H. exists v. auto. Qed.

Ltac not_zero := cbn [at_table]; intros (? & ? & ? & ?); lra.

(** The new cells take the place of the old ones where these are subtracted from. *)
Ltac new_cells := repeat match goal with
  | H : context [?x + - ?k * ?s] |- _ => is_var x;
    let y := fresh x in let E := fresh in
    remember (x + - k * s) as y eqn:E; assert (x = y + k * s) by lra; clear E; subst x
  end.

Ltac spelled_direction M D := let m := head_of M in let d := head_of D in
  unfold moves_freely, scales_freely, positive_cells; cbn [powerRZ Pos.to_nat Pos.iter_op Nat.add pow];
  unfold m, d; unpack; rewrite ?Rmult_0_l, ?Rmult_1_l, ?Rplus_0_r, ?Rmult_1_r in *.

(** ** Means over random predictions *)

Definition mean_at (M : metric) (m : nat * nat * nat) : R := let '(n, P, OP) := m in mean M n P OP.

Definition has_mean_at (D : domain) (m : nat * nat * nat) : Prop :=
  let '(n, P, OP) := m in (1 <= P < n)%nat /\ (1 <= OP < n)%nat /\ has_mean D n P OP.

Lemma no_constant_baseline_by : forall M D first second,
  has_mean_at D first -> has_mean_at D second -> mean_at M first <> mean_at M second -> ~ constant_baseline M D.
Proof.
  intros M D [[n P] OP] [[n' P'] OP'] (A & B & C) (A' & B' & C') N (c & H). apply N. cbn [mean_at].
  rewrite (H n P OP A B C), (H n' P' OP' A' B' C'). reflexivity.
Qed.

Ltac counted := cbv [mean mean_at probability at_margins possible whole choose fold_right filter seq
  Nat.leb Nat.add Nat.sub andb Z.of_nat Pos.of_succ_nat Pos.succ].

Ltac has_mean_there bits D := let d := head_of D in
  split; [lia | split; [lia |]]; unfold has_mean; counted;
  repeat apply Forall_cons; try apply Forall_nil; unfold d; repeat split; first [exact I | lra | enclose bits].

Ltac no_constant_baseline bits M D first second :=
  apply (no_constant_baseline_by M D first second);
  [has_mean_there bits D | has_mean_there bits D | counted; enclose bits].

Ltac spelled_baseline name M D := let m := head_of M in let d := head_of D in
  unfold name, affine_at_margins, constant_if_independent, m, d; split; unpack.

(** ** Where a metric has a value, if cells may be zero *)

Lemma ln_of_more_than_1 : forall x, 1 < x -> ~ ln x = 0.
Proof. intros x H. apply Rgt_not_eq. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Ltac metric_has_value := intros; repeat split; unfold Rmin, Rmax; repeat destruct (Rle_dec _ _); first [exact I | lra | apply ln_of_more_than_1; lra | let E := fresh in intro E; lra | nra | let E := fresh in intro E; nra].

Ltac no_value bits H := lazymatch type of H with
  | ?A /\ ?B => let K := fresh in destruct H as [K H]; first [no_value bits K | no_value bits H]
  | ~ ?x = 0 => exfalso; apply H; first [enclose bits | ring | field]
  | 0 < ?x => exfalso; apply (Rlt_not_le _ _ H); first [enclose bits | lra]
  | 0 <= ?x => exfalso; apply (Rle_not_lt _ _ H); enclose bits
  end.

Ltac metric_has_no_value bits H :=
  repeat match type of H with ?A -> ?B => match A with ?x = 0 => fail 1 | _ =>
    let K := fresh in assert (K : A) by lra; specialize (H K); clear K end end;
  no_value bits H.
