(** Notions of claims about the structure of a rational metric, and how tables refute them: all over [Q], no axiom.

    What a generated file finds here.

    [symmetry], [symmetry_group]: which exchanges of the cells turn the metric into itself, 1 - M, - M or 1 / M.
    [ratio_of_linear_forms], [linear_relation]: the metric as a quotient of two linear forms in the cells.
    [constant_baseline]: the mean over the hypergeometric distribution.
    [group M D tables]: proves a [symmetry_group] from tables at which all other exchanges fail.
    [no_linear_relation M D tables weights]: refutes a [linear_relation] from an inverse of its equations at tables.
    [metric_has_value], [metric_has_no_value H]: that divisors are (not) zero at cells that may be zero. *)

From Symmetrics Require Export RationalProofs Notions.
Open Scope Q_scope.

Ltac rational_identity := unpack; first [solve [apply Qdiv_comp; ring] | field; nonzero].

(** ** The notions, over [Q] *)

Definition whole (k : nat) : Q := inject_Z (Z.of_nat k).

Module RationalNumbers <: Numbers.
  Definition number := Q.
  Definition equal := Qeq.
  Definition less := Qlt.
  Definition at_most := Qle.
  Definition zero := 0.
  Definition one := 1.
  Definition two := 2.
  Definition plus := Qplus.
  Definition minus := Qminus.
  Definition times := Qmult.
  Definition divide := Qdiv.
  Definition opposite := Qopp.
  Definition whole := whole.
End RationalNumbers.

Include Notions RationalNumbers.

(** ** Domains by computation *)

(** What the definition of a metric's domain is, for the list of its divisors. *)
Fixpoint all_nonzero (divisors : list Q) : Prop :=
  match divisors with [] => True | [x] => ~ x == 0 | x :: others => ~ x == 0 /\ all_nonzero others end.

Definition all_nonzero_b (divisors : list Q) : bool := forallb (fun x => negb (Qeq_bool x 0)) divisors.

Definition positive_cells_b (t : table) : bool :=
  at_table (fun TP FN FP TN => forallb (fun x => negb (Qle_bool x 0)) [TP; FN; FP; TN]) t.

Lemma all_nonzero_by : forall divisors, all_nonzero_b divisors = true -> all_nonzero divisors.
Proof.
  induction divisors as [| x others IH]; [reflexivity |]. intro H. apply andb_prop in H. destruct H as [N O].
  assert (~ x == 0) as X by (apply Qeq_bool_neq; destruct (Qeq_bool x 0); [discriminate | reflexivity]).
  destruct others; [exact X | split; [exact X | exact (IH O)]].
Qed.

Lemma positive_cells_by : forall t, positive_cells_b t = true -> at_table positive_cells t.
Proof.
  intros [[[TP FN] FP] TN]. unfold positive_cells_b, positive_cells, at_table. cbn [forallb]. intro H.
  repeat (apply andb_prop in H; let K := fresh in destruct H as [K H]).
  repeat split; apply less; match goal with |- Qle_bool ?x 0 = false => destruct (Qle_bool x 0); (discriminate || reflexivity) end.
Qed.

Ltac divisors_of P := lazymatch P with
  | ~ ?x == 0 /\ ?others => let l := divisors_of others in constr:(x :: l)
  | ~ ?x == 0 => constr:([x])
  | True => constr:(@nil Q)
  end.

Ltac head_of t := lazymatch t with ?f _ => head_of f | _ => t end.

(** The divisors of a metric, as a function of the table. *)
Ltac divisors D := constr:(fun TP FN FP TN : Q =>
  ltac:(let h := head_of D in let P := eval cbv beta delta [h] in (D TP FN FP TN) in let l := divisors_of P in exact l)).

(** ** Exchanges of the cells *)

Definition turns_b (i : image) (before after : Q) : bool :=
  match i with
  | Same => Qeq_bool after before
  | Complement => Qeq_bool after (1 - before)
  | Negative => Qeq_bool after (- before)
  | Reciprocal => Qeq_bool (before * after) 1
  end.

Definition at_arranged {A} (f : Q -> Q -> Q -> Q -> A) (t : table) (p : arrangement) : A := at_table (arranged p f) t.

Definition fails (M : metric) (divisors : Q -> Q -> Q -> Q -> list Q) (p : arrangement) (i : image) (t : table) : bool :=
  all_nonzero_b (at_table divisors t) && all_nonzero_b (at_arranged divisors t p)
  && negb (turns_b i (at_table M t) (at_arranged M t p)).

Definition rearranged (t : table) (p : arrangement) : table :=
  at_arranged (fun TP FN FP TN => (TP, FN, FP, TN)) t p.

Definition others_fail (M : metric) (divisors : Q -> Q -> Q -> Q -> list Q) (tables : list table)
    (group : list (arrangement * image)) : bool :=
  forallb positive_cells_b tables &&
  forallb (fun p => forallb (fun i =>
    if in_dec pair_eq_dec (p, i) group then true else
    some (fun t => some (fun q => fails M divisors p i (rearranged t q)) arrangements) tables) images) arrangements.

Lemma turns_b_false : forall i x y, turns_b i x y = false -> ~ turns i x y.
Proof. intros [] x y H; apply Qeq_bool_neq; exact H. Qed.

Lemma fails_sound : forall M (D : domain) divisors p i t,
  (forall TP FN FP TN, all_nonzero (divisors TP FN FP TN) -> D TP FN FP TN) ->
  positive_cells_b t = true -> fails M divisors p i t = true -> ~ symmetry M D p i.
Proof.
  intros M D divisors p i t HD P F S. apply positive_cells_by in P.
  apply andb_prop in F. destruct F as [F N]. apply andb_prop in F. destruct F as [F G].
  apply all_nonzero_by in F. apply all_nonzero_by in G. apply negb_true_iff, turns_b_false in N.
  destruct t as [[[TP FN] FP] TN]. destruct P as (P1 & P2 & P3 & P4).
  destruct p as [[[a b] c] d]. apply N. apply S; auto; apply HD; assumption.
Qed.

Lemma rearranged_positive : forall t p, positive_cells_b t = true -> positive_cells_b (rearranged t p) = true.
Proof.
  intros [[[TP FN] FP] TN] [[[a b] c] d] H. unfold positive_cells_b, at_table in H. cbn [forallb] in H.
  repeat (apply andb_prop in H; let K := fresh in destruct H as [K H]).
  unfold positive_cells_b, rearranged, at_arranged, at_table, arranged. cbn [forallb].
  assert (P : forall x, negb (Qle_bool (count x TP FN FP TN) 0) = true) by (intros []; cbn [count]; assumption).
  repeat (apply andb_true_intro; split); apply P || reflexivity.
Qed.

Lemma symmetry_group_by : forall M (D : domain) divisors tables group,
  (forall TP FN FP TN, all_nonzero (divisors TP FN FP TN) -> D TP FN FP TN) ->
  others_fail M divisors tables group = true ->
  Forall (fun member => symmetry M D (fst member) (snd member)) group -> symmetry_group M D group.
Proof.
  intros M D divisors tables group HD O G p i P. split.
  - intro S. apply andb_prop in O. destruct O as [T O].
    rewrite forallb_forall in O. specialize (O p P). cbv beta in O.
    rewrite forallb_forall in O. specialize (O i (in_images i)). cbv beta in O.
    destruct (in_dec pair_eq_dec (p, i) group) as [yes | no]; [exact yes | exfalso].
    apply some_exists in O. destruct O as (t & I & O). apply some_exists in O. destruct O as (q & _ & F).
    rewrite forallb_forall in T.
    exact (fails_sound M D divisors p i _ HD (rearranged_positive t q (T t I)) F S).
  - intro I. rewrite Forall_forall in G. exact (G (p, i) I).
Qed.

Ltac in_list := cbn; repeat (first [left; reflexivity | right]).

Ltac spelled_out M D := let m := head_of M in let d := head_of D in
  cbv beta iota delta [symmetry arranged count turns fst snd m d].

Ltac group M D tables := let list := divisors D in
  apply (symmetry_group_by M D list tables);
  [ exact (fun TP FN FP TN H => H) | vm_cast_no_check (eq_refl true) | repeat apply Forall_cons; try apply Forall_nil; spelled_out M D ].

(** ** Ratios of linear forms *)

(** M = <u, x> / <w, x>, with a divisor that is not zero wherever the metric has a value. *)
Definition ratio_of_linear_forms (M : metric) (D : domain) : Prop :=
  exists u w, forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> D TP FN FP TN ->
  ~ form w TP FN FP TN == 0 /\ M TP FN FP TN == form u TP FN FP TN / form w TP FN FP TN.

Lemma ratio_is_relation : forall (M : metric) (D : domain), D 1 1 1 1 -> ratio_of_linear_forms M D -> linear_relation M D.
Proof.
  intros M D E (u & w & H). exists u, w. split.
  - destruct w as [[[a b] c] d]. intros (A & B & C & K).
    apply (H 1 1 1 1); try reflexivity; try exact E. cbn in *. rewrite A, B, C, K. reflexivity.
  - intros TP FN FP TN ? ? ? ? T. destruct (H TP FN FP TN) as [N R]; auto. rewrite R. field. exact N.
Qed.

Fixpoint dot (x y : list Q) : Q := match x, y with a :: x', b :: y' => a * b + dot x' y' | _, _ => 0 end.
Fixpoint plus (x y : list Q) : list Q := match x, y with a :: x', b :: y' => Qred (a + b) :: plus x' y' | _, _ => [] end.
Definition times (c : Q) (x : list Q) : list Q := map (fun a => Qred (c * a)) x.

Fixpoint combined (size : nat) (weights : list Q) (rows : list (list Q)) : list Q :=
  match weights, rows with
  | c :: weights', row :: rows' => plus (times c row) (combined size weights' rows')
  | _, _ => repeat 0 size
  end.

Fixpoint same_list (x y : list Q) : bool :=
  match x, y with
  | [], [] => true
  | a :: x', b :: y' => Qeq_bool a b && same_list x' y'
  | _, _ => false
  end.

Lemma dot_times : forall c x z, dot (times c x) z == c * dot x z.
Proof.
  intros c. induction x as [| a x IH]; intros [| b z]; cbn [dot times map]; try ring.
  fold (times c x). rewrite IH, Qred_correct. ring.
Qed.

Lemma dot_plus : forall x y z, length x = length y -> dot (plus x y) z == dot x z + dot y z.
Proof.
  induction x as [| a x IH]; intros [| b y] [| c z] L; cbn [dot plus length] in *; try discriminate; try ring.
  rewrite IH, Qred_correct by congruence. ring.
Qed.

Lemma length_plus : forall x y, length x = length y -> length (plus x y) = length x.
Proof. induction x as [| a x IH]; intros [| b y] L; cbn in *; try discriminate; auto. Qed.

Lemma length_combined : forall size weights rows,
  Forall (fun row => length row = size) rows -> length (combined size weights rows) = size.
Proof.
  intros size weights. induction weights as [| c weights IH]; intros [| row rows] R; cbn; try apply repeat_length.
  inversion R as [| ? ? L R']; subst. rewrite length_plus; unfold times; rewrite map_length; auto.
  rewrite IH; auto.
Qed.

Lemma dot_zero : forall size z, dot (repeat 0 size) z == 0.
Proof. induction size as [| size IH]; intros [| b z]; cbn [dot repeat]; try reflexivity. rewrite IH. ring. Qed.

Lemma combined_vanishes : forall size z weights rows,
  Forall (fun row => length row = size) rows -> Forall (fun row => dot row z == 0) rows ->
  dot (combined size weights rows) z == 0.
Proof.
  intros size z. induction weights as [| c weights IH]; intros [| row rows] L E; cbn [combined]; try apply (dot_zero size).
  inversion L as [| ? ? L1 L2]; inversion E as [| ? ? E1 E2]; subst.
  rewrite dot_plus, dot_times, E1, IH by (auto; unfold times; rewrite map_length, length_combined; auto). ring.
Qed.

Lemma same_list_dot : forall x y z, same_list x y = true -> dot x z == dot y z.
Proof.
  induction x as [| a x IH]; intros [| b y] [| c z] H; cbn [same_list dot] in *; try discriminate; try reflexivity.
  apply andb_prop in H. destruct H as [A H]. apply Qeq_bool_eq in A. rewrite (IH y z H), A. reflexivity.
Qed.

(** The equation M <w, x> - <u, x> = 0 at a table, by its coefficients of w and u. *)
Definition equation (M : metric) (t : table) : list Q :=
  let value := at_table M t in
  let '(TP, FN, FP, TN) := t in
  [value * TP; value * FN; value * FP; value * TN; - TP; - FN; - FP; - TN].

Definition units : list (list Q) := [[1; 0; 0; 0; 0; 0; 0; 0]; [0; 1; 0; 0; 0; 0; 0; 0]; [0; 0; 1; 0; 0; 0; 0; 0]; [0; 0; 0; 1; 0; 0; 0; 0]].

Fixpoint same_lists (x y : list (list Q)) : bool :=
  match x, y with
  | [], [] => true
  | a :: x', b :: y' => same_list a b && same_lists x' y'
  | _, _ => false
  end.

Definition independent (M : metric) (divisors : Q -> Q -> Q -> Q -> list Q) (tables : list table)
    (weights : list (list Q)) : bool :=
  forallb positive_cells_b tables && forallb (fun t => all_nonzero_b (at_table divisors t)) tables &&
  (let rows := map (equation M) tables in same_lists (map (fun w => combined 8 w rows) weights) units).

Lemma no_linear_relation_by : forall M (D : domain) divisors tables weights,
  (forall TP FN FP TN, all_nonzero (divisors TP FN FP TN) -> D TP FN FP TN) ->
  independent M divisors tables weights = true -> ~ linear_relation M D.
Proof.
  intros M D divisors tables weights HD I (u & w & N & H). apply andb_prop in I. destruct I as [I S].
  apply andb_prop in I. destruct I as [P V]. rewrite forallb_forall in P, V.
  destruct u as [[[u1 u2] u3] u4]. destruct w as [[[w1 w2] w3] w4].
  set (z := [w1; w2; w3; w4; u1; u2; u3; u4]).
  assert (Forall (fun row => dot row z == 0) (map (equation M) tables)) as E.
  { apply Forall_forall. intros row R. apply in_map_iff in R. destruct R as (t & <- & T).
    specialize (P t T). specialize (V t T). apply positive_cells_by in P. apply all_nonzero_by in V.
    destruct t as [[[TP FN] FP] TN]. destruct P as (P1 & P2 & P3 & P4).
    assert (D TP FN FP TN) as DT by (apply HD; exact V). specialize (H TP FN FP TN P1 P2 P3 P4 DT). cbn in H |- *.
    transitivity (M TP FN FP TN * (w1 * TP + w2 * FN + w3 * FP + w4 * TN) - (u1 * TP + u2 * FN + u3 * FP + u4 * TN)).
    - ring.
    - rewrite H. ring. }
  assert (Forall (fun row => length row = 8%nat) (map (equation M) tables)) as L.
  { apply Forall_forall. intros row R. apply in_map_iff in R. destruct R as (t & <- & T).
    destruct t as [[[TP FN] FP] TN]. reflexivity. }
  cbv zeta in S. revert S E L. generalize (map (equation M) tables). intros rows S E L.
  destruct weights as [| c1 [| c2 [| c3 [| c4 [|]]]]]; cbn -[combined same_list] in S;
    try (rewrite ?andb_false_r in S; discriminate).
  apply andb_prop in S. destruct S as [S1 S]. apply andb_prop in S. destruct S as [S2 S].
  apply andb_prop in S. destruct S as [S3 S]. apply andb_prop in S. destruct S as [S4 _].
  apply N. cbn [at_table]. refine (conj _ (conj _ (conj _ _)));
    [ generalize (same_list_dot _ _ z S1) (combined_vanishes 8 z c1 rows L E)
    | generalize (same_list_dot _ _ z S2) (combined_vanishes 8 z c2 rows L E)
    | generalize (same_list_dot _ _ z S3) (combined_vanishes 8 z c3 rows L E)
    | generalize (same_list_dot _ _ z S4) (combined_vanishes 8 z c4 rows L E) ];
    intros A B; rewrite B in A; cbn [dot z] in A; rewrite A; ring.
Qed.

Ltac no_linear_relation M D tables weights := let list := divisors D in
  apply (no_linear_relation_by M D list tables weights); [exact (fun TP FN FP TN H => H) | vm_cast_no_check (eq_refl true)].

(** ** Means over random predictions *)

Definition margins := (nat * nat * nat)%type.

Definition usable (divisors : Q -> Q -> Q -> Q -> list Q) (m : margins) : bool :=
  let '(n, P, OP) := m in
  (Nat.leb 1 P && Nat.ltb P n && Nat.leb 1 OP && Nat.ltb OP n
  && forallb (fun k => all_nonzero_b (at_margins divisors n P OP k)) (possible n P OP))%bool.

Definition mean_at (M : metric) (m : margins) : Q := let '(n, P, OP) := m in mean M n P OP.

Lemma usable_sound : forall (D : domain) divisors n P OP,
  (forall TP FN FP TN, all_nonzero (divisors TP FN FP TN) -> D TP FN FP TN) ->
  usable divisors (n, P, OP) = true -> (1 <= P < n)%nat /\ (1 <= OP < n)%nat /\ has_mean D n P OP.
Proof.
  intros D divisors n P OP HD U. unfold usable in U.
  repeat (apply andb_prop in U; let K := fresh in destruct U as [U K]).
  repeat match goal with
  | H : Nat.leb _ _ = true |- _ => apply Nat.leb_le in H
  | H : Nat.ltb _ _ = true |- _ => apply Nat.ltb_lt in H
  end.
  repeat split; auto. apply Forall_forall. intros k K.
  match goal with H : forallb _ _ = true |- _ => rewrite forallb_forall in H; apply HD, all_nonzero_by, (H k K) end.
Qed.

Lemma no_constant_baseline_by : forall M (D : domain) divisors first second,
  (forall TP FN FP TN, all_nonzero (divisors TP FN FP TN) -> D TP FN FP TN) ->
  (usable divisors first && usable divisors second && negb (Qeq_bool (mean_at M first) (mean_at M second)))%bool = true ->
  ~ constant_baseline M D.
Proof.
  intros M D divisors [[n P] OP] [[n' P'] OP'] HD U (c & H).
  apply andb_prop in U. destruct U as [U N]. apply andb_prop in U. destruct U as [U V].
  apply (usable_sound D) in U; [| exact HD]. apply (usable_sound D) in V; [| exact HD].
  apply negb_true_iff, Qeq_bool_neq in N. apply N. cbn [mean_at].
  rewrite (H n P OP), (H n' P' OP') by tauto. reflexivity.
Qed.

Ltac no_constant_baseline M D first second := let list := divisors D in
  apply (no_constant_baseline_by M D list first second); [exact (fun TP FN FP TN H => H) | vm_cast_no_check (eq_refl true)].

(** ** Where a metric has a value, if cells may be zero *)

Lemma zero_or_positive : forall x, 0 <= x -> x == 0 \/ 0 < x.
Proof. intros x H. destruct (Qlt_le_dec 0 x); [right | left]; lra. Qed.

Lemma square_nonnegative : forall x, 0 <= x ^ 2.
Proof. intro x. change (0 <= x * x). nra. Qed.

Lemma some_cell : forall a b c d, 0 <= a -> 0 <= b -> 0 <= c -> 0 <= d -> 0 < a + b + c + d ->
  0 < a \/ 0 < b \/ 0 < c \/ 0 < d.
Proof.
  intros a b c d A B C K S. destruct (zero_or_positive a A); destruct (zero_or_positive b B);
    destruct (zero_or_positive c C); destruct (zero_or_positive d K); auto; exfalso; lra.
Qed.

Lemma positive_quotient : forall x n d, 0 < n -> 0 < d -> x == n / d -> 0 < x.
Proof. intros x n d N D E. rewrite E. apply Qlt_shift_div_l; lra. Qed.

Ltac not_negative := lazymatch goal with
  | |- 0 <= _ + _ => apply sum_nonnegative; not_negative
  | |- 0 <= _ * _ => apply product_nonnegative; not_negative
  | |- 0 <= _ ^ 2 => apply square_nonnegative
  | |- _ => nonnegative
  end.

Ltac somewhere_positive := lazymatch goal with
  | |- 0 < _ + _ => first
      [ apply sum_positive_left; [somewhere_positive | not_negative]
      | apply sum_positive_right; [not_negative | somewhere_positive] ]
  | |- 0 < _ * _ => apply product_positive; somewhere_positive
  | |- 0 < _ ^ Zpos _ => apply power_positive; somewhere_positive
  | |- 0 < _ => first [assumption | reflexivity]
  end.

(** A divisor is not zero at cells that may be: it has a sign, as one of the cells has. *)
Ltac metric_has_value := intros; repeat split;
  first [ let E := fresh in intro E; lra
        | apply positive_nonzero; match goal with
          | A : 0 <= ?a, B : 0 <= ?b, C : 0 <= ?c, K : 0 <= ?d, S : 0 < ?a + ?b + ?c + ?d |- _ =>
            destruct (some_cell a b c d A B C K S) as [? | [? | [? | ?]]]; somewhere_positive
          end
        | apply positive_nonzero; match goal with
          | A : 0 <= ?a, B : 0 <= ?b, C : 0 <= ?c, K : 0 <= ?d, S : 0 < ?a + ?b + ?c + ?d |- _ =>
            destruct (some_cell a b c d A B C K S) as [? | [? | [? | ?]]]; ring_simplify; somewhere_positive
          end
        | let E := fresh in intro E; nra ].

(** The same of a divisor that is n / d. *)
Ltac divisor_as n d := apply positive_nonzero; match goal with
  | A : 0 <= ?a, B : 0 <= ?b, C : 0 <= ?c, K : 0 <= ?d, S : 0 < ?a + ?b + ?c + ?d |- _ =>
    destruct (some_cell a b c d A B C K S) as [? | [? | [? | ?]]]
  end; (apply (positive_quotient _ n d); [somewhere_positive | somewhere_positive | field; apply positive_nonzero; somewhere_positive]).

Ltac no_value H := lazymatch type of H with
  | ?A /\ ?B => let K := fresh in destruct H as [K H]; first [no_value K | no_value H]
  | ~ ?x == 0 => exfalso; apply H; first [reflexivity | ring | field]
  end.

Ltac metric_has_no_value H := 
  repeat match type of H with ?A -> ?B => match A with ?x == 0 => fail 1 | _ =>
    let K := fresh in assert (K : A) by first [reflexivity | discriminate]; specialize (H K); clear K end end;
  no_value H.

Ltac spelled_ratio M D := let m := head_of M in let d := head_of D in cbv beta iota delta [form m d]; intros.

(** ** Directions along which a metric does not change *)

(** M(x_i s^v_i) = M(x) for all s > 0, wherever the metric has both values. *)
Definition scales_freely (M : metric) (D : domain) (v : powers) : Prop :=
  let '(a, b, c, d) := v in
  forall TP FN FP TN s, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < s ->
  D TP FN FP TN -> D (TP * s ^ a) (FN * s ^ b) (FP * s ^ c) (TN * s ^ d) ->
  M (TP * s ^ a) (FN * s ^ b) (FP * s ^ c) (TN * s ^ d) == M TP FN FP TN.

Definition has_free_scaling (M : metric) (D : domain) : Prop := exists v, v <> (0, 0, 0, 0)%Z /\ scales_freely M D v.

Lemma has_free_move_by : forall M D v,
  existsb (fun x => negb (Qeq_bool x 0)) (at_table (fun a b c d => [a; b; c; d]) v) = true ->
  moves_freely M D v -> has_free_move M D.
Proof.
  intros M D [[[a b] c] d] N H. exists (a, b, c, d). split; [| exact H]. intros (A & B & C & K). cbn in N.
  rewrite (Qeq_eq_bool _ _ A), (Qeq_eq_bool _ _ B), (Qeq_eq_bool _ _ C), (Qeq_eq_bool _ _ K) in N. discriminate.
Qed.

Lemma has_free_scaling_by : forall M D v, v <> (0, 0, 0, 0)%Z -> scales_freely M D v -> has_free_scaling M D.
Proof. intros M D v N H. exists v. auto. Qed.

Ltac spelled_direction M D := let m := head_of M in let d := head_of D in
  unfold moves_freely, scales_freely, positive_cells; cbn [Qpower Qpower_positive pow_pos]; unfold m, d; intros.

(** ** What makes a mean constant *)

Ltac spelled_baseline name M D := let m := head_of M in let d := head_of D in
  unfold name, affine_at_margins, constant_if_independent, m, d; split; intros.
