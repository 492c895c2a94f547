(** What the ends of the range of a metric, its limits and the order of tables are: stated once, for the rational and for
    the real numbers.

    The parameters of [OrderedField] are inlined, so that what [Limits.v], [LimitsReal.v], [Relations.v] and
    [RelationsReal.v] include is about the numbers [Q] and [R] themselves, with their own [<] and [<=], and tactics such as
    [lra] see through it. *)

Module Type OrderedField.

  Parameter Inline(10) number : Type.
  Parameter Inline(10) equal less at_most : number -> number -> Prop.
  Parameter Inline(10) zero : number.
  Parameter Inline(10) plus minus : number -> number -> number.
  Parameter Inline(10) opposite absolute : number -> number.

  Axiom less_same : forall a b c d, equal a b -> equal c d -> (less a c <-> less b d).
  Axiom less_at_most : forall a b, less a b -> at_most a b.
  Axiom less_at_most_false : forall a b, less a b -> at_most b a -> False.
  (** What is below the opposite of some positive number is below a, and what is above that number above a. *)
  Axiom surrounded : forall a, exists p, less zero p /\
    (forall v, less v (opposite p) -> less v a) /\ (forall v, less p v -> less a v).

End OrderedField.

Module Statements (F : OrderedField).

  Local Infix "<" := F.less.
  Local Infix "<=" := F.at_most.
  Local Infix "==" := F.equal (at level 70).
  Local Infix "+" := F.plus.
  Local Infix "-" := F.minus.
  Local Notation "0" := F.zero.
  Local Notation "- x" := (F.opposite x).
  Local Notation number := F.number.

  (** ** Ends of a range *)

  Section Ends.

    Variable M : number -> number -> number -> number -> number.
    Variable defined : number -> number -> number -> number -> Prop.

    (** All values of the metric are so. *)
    Definition everywhere (P : number -> Prop) : Prop := forall TP FN FP TN,
      0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> defined TP FN FP TN -> P (M TP FN FP TN).

    (** Some value of the metric is so. *)
    Definition somewhere (P : number -> Prop) : Prop := exists TP FN FP TN,
      0 < TP /\ 0 < FN /\ 0 < FP /\ 0 < TN /\ defined TP FN FP TN /\ P (M TP FN FP TN).

    Definition bounded : Prop := exists low high, everywhere (fun v => low <= v /\ v <= high).

    (** The bound is the infimum. *)
    Definition lower_end (b : number) : Prop :=
      everywhere (fun v => b <= v) /\ forall e, 0 < e -> somewhere (fun v => v < b + e).

    (** The bound is the infimum, and no value. *)
    Definition open_lower_end (b : number) : Prop :=
      everywhere (fun v => b < v) /\ forall e, 0 < e -> somewhere (fun v => v < b + e).

    (** The bound is the least value. *)
    Definition closed_lower_end (b : number) : Prop :=
      everywhere (fun v => b <= v) /\ somewhere (fun v => v == b).

    Definition no_lower_end : Prop := forall B, somewhere (fun v => v < B).

    Definition upper_end (b : number) : Prop :=
      everywhere (fun v => v <= b) /\ forall e, 0 < e -> somewhere (fun v => b - e < v).

    Definition open_upper_end (b : number) : Prop :=
      everywhere (fun v => v < b) /\ forall e, 0 < e -> somewhere (fun v => b - e < v).

    Definition closed_upper_end (b : number) : Prop :=
      everywhere (fun v => v <= b) /\ somewhere (fun v => v == b).

    Definition no_upper_end : Prop := forall B, somewhere (fun v => B < v).

    Definition least (b : number) : Prop := everywhere (fun v => b <= v).
    Definition greatest (b : number) : Prop := everywhere (fun v => v <= b).

    Lemma lower_end_below : forall b, lower_end b -> least b.
    Proof. intros b [H _]. exact H. Qed.

    Lemma open_lower_end_below : forall b, open_lower_end b -> least b.
    Proof. intros b [H _] TP FN FP TN A B C D E. apply F.less_at_most, H; assumption. Qed.

    Lemma closed_lower_end_below : forall b, closed_lower_end b -> least b.
    Proof. intros b [H _]. exact H. Qed.

    Lemma upper_end_above : forall b, upper_end b -> greatest b.
    Proof. intros b [H _]. exact H. Qed.

    Lemma open_upper_end_above : forall b, open_upper_end b -> greatest b.
    Proof. intros b [H _] TP FN FP TN A B C D E. apply F.less_at_most, H; assumption. Qed.

    Lemma closed_upper_end_above : forall b, closed_upper_end b -> greatest b.
    Proof. intros b [H _]. exact H. Qed.

    Lemma between : forall a b, least a -> greatest b -> bounded.
    Proof. intros a b L G. exists a, b. intros TP FN FP TN A B C D E. split; [apply L | apply G]; assumption. Qed.

    Lemma no_lower_end_unbounded : no_lower_end -> ~ bounded.
    Proof.
      intros N (a & b & H). destruct (N a) as (TP & FN & FP & TN & A & B & C & D & E & L).
      destruct (H TP FN FP TN A B C D E) as [G _]. exact (F.less_at_most_false _ _ L G).
    Qed.

    Lemma no_upper_end_unbounded : no_upper_end -> ~ bounded.
    Proof.
      intros N (a & b & H). destruct (N b) as (TP & FN & FP & TN & A & B & C & D & E & L).
      destruct (H TP FN FP TN A B C D E) as [_ G]. exact (F.less_at_most_false _ _ L G).
    Qed.

    Lemma somewhere_at : forall TP FN FP TN (P : number -> Prop),
      0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> defined TP FN FP TN -> P (M TP FN FP TN) -> somewhere P.
    Proof. intros TP FN FP TN P A B C D E H. exists TP, FN, FP, TN. repeat split; assumption. Qed.

    Lemma no_lower_end_by : (forall B, 0 < B -> somewhere (fun v => v < - B)) -> no_lower_end.
    Proof.
      intros H B. destruct (F.surrounded B) as (p & P & L & _).
      destruct (H p P) as (TP & FN & FP & TN & a & b & c & d & e & f).
      exists TP, FN, FP, TN. repeat split; try assumption. apply L, f.
    Qed.

    Lemma no_upper_end_by : (forall B, 0 < B -> somewhere (fun v => B < v)) -> no_upper_end.
    Proof.
      intros H B. destruct (F.surrounded B) as (p & P & _ & G).
      destruct (H p P) as (TP & FN & FP & TN & a & b & c & d & e & f).
      exists TP, FN, FP, TN. repeat split; try assumption. apply G, f.
    Qed.

  End Ends.

  (** ** Limits *)

  (** What a function tends to as its argument tends to zero from above. *)
  Definition tends (f : number -> number) (L : number) : Prop :=
    forall e, 0 < e -> exists d, 0 < d /\ forall s, 0 < s -> s < d -> F.absolute (f s - L) < e.

  Section Paths.

    Variable M : number -> number -> number -> number -> number.
    Variable defined : number -> number -> number -> number -> Prop.
    Variables TP FN FP TN : number -> number.

    (** The limit of a metric along a path of tables; tables at which it has no value are left out, be it all of them. *)
    Definition limit_along (L : number) :=
      forall e, 0 < e -> exists d, 0 < d /\ forall s, 0 < s -> s < d ->
        defined (TP s) (FN s) (FP s) (TN s) -> F.absolute (M (TP s) (FN s) (FP s) (TN s) - L) < e.

    (** Above, or below, every number from some step on, wherever the metric has a value; and it has one there. *)
    Definition grows_along :=
      (exists d, 0 < d /\ forall s, 0 < s -> s < d -> defined (TP s) (FN s) (FP s) (TN s)) /\
      forall B, exists d, 0 < d /\ forall s, 0 < s -> s < d ->
        defined (TP s) (FN s) (FP s) (TN s) -> B < M (TP s) (FN s) (FP s) (TN s).

    Definition falls_along :=
      (exists d, 0 < d /\ forall s, 0 < s -> s < d -> defined (TP s) (FN s) (FP s) (TN s)) /\
      forall B, exists d, 0 < d /\ forall s, 0 < s -> s < d ->
        defined (TP s) (FN s) (FP s) (TN s) -> M (TP s) (FN s) (FP s) (TN s) < B.

  End Paths.

  (** ** Values at tables of cells that may be zero, the largest one and the smallest one *)

  Section Extremes.

    Variable M : number -> number -> number -> number -> number.
    Variable defined : number -> number -> number -> number -> Prop.

    (** A table of positive cells at which the metric is defined, with cells nearer than d to those of another table. *)
    Definition near_table (TP FN FP TN d tp fn fp tn : number) : Prop :=
      0 < tp /\ 0 < fn /\ 0 < fp /\ 0 < tn /\ defined tp fn fp tn /\
      F.absolute (tp - TP) < d /\ F.absolute (fn - FN) < d /\ F.absolute (fp - FP) < d /\ F.absolute (tn - TN) < d.

    (** The metric tends to v as tables of positive cells tend to a table. *)
    Definition limit_at (TP FN FP TN v : number) : Prop :=
      (forall d, 0 < d -> exists tp fn fp tn, near_table TP FN FP TN d tp fn fp tn) /\
      forall e, 0 < e -> exists d, 0 < d /\
        forall tp fn fp tn, near_table TP FN FP TN d tp fn fp tn -> F.absolute (M tp fn fp tn - v) < e.

    (** The metric has the value v at a table of cells that may be zero, but not all of them: as it is written, or as a limit. *)
    Definition has_value (TP FN FP TN v : number) : Prop :=
      (0 <= TP /\ 0 <= FN /\ 0 <= FP /\ 0 <= TN) /\ 0 < TP + FN + FP + TN /\
      (defined TP FN FP TN /\ M TP FN FP TN == v \/ limit_at TP FN FP TN v).

    Definition largest (v : number) : Prop :=
      (exists TP FN FP TN, has_value TP FN FP TN v) /\ forall TP FN FP TN w, has_value TP FN FP TN w -> w <= v.

    Definition smallest (v : number) : Prop :=
      (exists TP FN FP TN, has_value TP FN FP TN v) /\ forall TP FN FP TN w, has_value TP FN FP TN w -> v <= w.

    (** The metric has a largest value, and has it exactly where no prediction is wrong. *)
    Definition largest_at_agreement : Prop := (exists v, largest v) /\
      forall TP FN FP TN v, has_value TP FN FP TN v -> (largest v <-> FN == 0 /\ FP == 0).

    (** The metric has a smallest value, and has it exactly where all predictions are wrong. *)
    Definition smallest_at_disagreement : Prop := (exists v, smallest v) /\
      forall TP FN FP TN v, has_value TP FN FP TN v -> (smallest v <-> TP == 0 /\ TN == 0).

    (** Where it is defined, the metric is continuous; it is defined at all positive cells. *)
    Definition continuous_where_defined : Prop := forall TP FN FP TN a b c d,
      tends a TP -> tends b FN -> tends c FP -> tends d TN -> defined TP FN FP TN ->
      tends (fun s => M (a s) (b s) (c s) (d s)) (M TP FN FP TN).

    Definition defined_inside : Prop := forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> defined TP FN FP TN.

  End Extremes.

End Statements.

Module OrderOfTables (F : OrderedField).

  Local Infix "<" := F.less.
  Local Infix "==" := F.equal (at level 70).
  Local Notation "0" := F.zero.
  Local Notation number := F.number.
  Local Notation metric := (number -> number -> number -> number -> number).
  Local Notation domain := (number -> number -> number -> number -> Prop).

  (** Of any two tables at which both formulas have values, M is larger at the one at which L is. *)
  Definition same_order (M : metric) (D : domain) (L : metric) (E : domain) : Prop :=
    forall TP FN FP TN other_TP other_FN other_FP other_TN,
    0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < other_TP -> 0 < other_FN -> 0 < other_FP -> 0 < other_TN ->
    D TP FN FP TN -> D other_TP other_FN other_FP other_TN -> E TP FN FP TN -> E other_TP other_FN other_FP other_TN ->
    (M TP FN FP TN < M other_TP other_FN other_FP other_TN <-> L TP FN FP TN < L other_TP other_FN other_FP other_TN).

  (** M is larger at the one at which L is smaller. *)
  Definition opposite_order (M : metric) (D : domain) (L : metric) (E : domain) : Prop :=
    forall TP FN FP TN other_TP other_FN other_FP other_TN,
    0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < other_TP -> 0 < other_FN -> 0 < other_FP -> 0 < other_TN ->
    D TP FN FP TN -> D other_TP other_FN other_FP other_TN -> E TP FN FP TN -> E other_TP other_FN other_FP other_TN ->
    (M TP FN FP TN < M other_TP other_FN other_FP other_TN <-> L other_TP other_FN other_FP other_TN < L TP FN FP TN).

  (** An equation between functions of the two formulas. *)
  Definition linked (M : metric) (D : domain) (L : metric) (E : domain) (f g : number -> number) : Prop :=
    forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> D TP FN FP TN -> E TP FN FP TN ->
    f (M TP FN FP TN) == g (L TP FN FP TN).

  Definition values_in (M : metric) (D : domain) (P : number -> Prop) : Prop :=
    forall TP FN FP TN, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> D TP FN FP TN -> P (M TP FN FP TN).

  Definition rises_on (P : number -> Prop) (f : number -> number) : Prop := forall v w, P v -> P w -> (v < w <-> f v < f w).

  Definition falls_on (P : number -> Prop) (f : number -> number) : Prop := forall v w, P v -> P w -> (v < w <-> f w < f v).

  Local Ltac ordered :=
    intros M D L E f g P Q link left right inM inL TP FN FP TN other_TP other_FN other_FP other_TN; intros;
    assert (here := link TP FN FP TN); assert (there := link other_TP other_FN other_FP other_TN);
    assert (rise := F.less_same _ _ _ _ (here ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption)
      ltac:(assumption) ltac:(assumption)) (there ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption)
      ltac:(assumption) ltac:(assumption)));
    assert (fall := F.less_same _ _ _ _ (there ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption)
      ltac:(assumption) ltac:(assumption)) (here ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption)
      ltac:(assumption) ltac:(assumption)));
    assert (one := left (M TP FN FP TN) (M other_TP other_FN other_FP other_TN) ltac:(apply inM; assumption)
      ltac:(apply inM; assumption));
    assert (two := right (L TP FN FP TN) (L other_TP other_FN other_FP other_TN) ltac:(apply inL; assumption)
      ltac:(apply inL; assumption));
    assert (three := right (L other_TP other_FN other_FP other_TN) (L TP FN FP TN) ltac:(apply inL; assumption)
      ltac:(apply inL; assumption));
    tauto.

  Lemma same_order_rising : forall M D L E f g P Q, linked M D L E f g -> rises_on P f -> rises_on Q g ->
    values_in M D P -> values_in L E Q -> same_order M D L E.
  Proof. ordered. Qed.

  Lemma same_order_falling : forall M D L E f g P Q, linked M D L E f g -> falls_on P f -> falls_on Q g ->
    values_in M D P -> values_in L E Q -> same_order M D L E.
  Proof. ordered. Qed.

  Lemma opposite_order_rising : forall M D L E f g P Q, linked M D L E f g -> rises_on P f -> falls_on Q g ->
    values_in M D P -> values_in L E Q -> opposite_order M D L E.
  Proof. ordered. Qed.

  Lemma opposite_order_falling : forall M D L E f g P Q, linked M D L E f g -> falls_on P f -> rises_on Q g ->
    values_in M D P -> values_in L E Q -> opposite_order M D L E.
  Proof. ordered. Qed.

End OrderOfTables.
