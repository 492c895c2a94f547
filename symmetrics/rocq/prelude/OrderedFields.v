(** What the ends of the range of a metric and its limits are: stated once, for the rational and for the real numbers.

    The parameters of [OrderedField] are inlined, so that what [Limits.v] and [LimitsReal.v] include is about the numbers
    [Q] and [R] themselves, with their own [<] and [<=], and tactics such as [lra] see through it. *)

Module Type OrderedField.

  Parameter Inline(10) number : Type.
  Parameter Inline(10) equal less at_most : number -> number -> Prop.
  Parameter Inline(10) zero : number.
  Parameter Inline(10) plus minus : number -> number -> number.
  Parameter Inline(10) opposite absolute : number -> number.

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

End Statements.
