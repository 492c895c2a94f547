(** Signs and equality of rational functions of positive variables, by normal forms.

    A quotient is brought to one numerator over one denominator (the library's [Fnorm]); a polynomial whose
    coefficients are not negative, and one of which is positive, is positive where its variables are.
    The section is generic, so that what is about [Q] rests on no axiom.

    What a generated file finds here, over [Q]:

    [fractions]: [a == b], [~ a == b], [a < b], [a <= b] between rational functions, from hypotheses [0 < x] about variables
    and [~ d == 0] about denominators that can vanish.
    [open_unit w]: puts [k / (1 + k)] for a parameter [w] with [0 < w] and [w < 1], before [fractions]. *)

Require Import ZArith Lia Bool List Setoid Morphisms Ring_theory Ring_polynom Field_theory BinList QArith Qfield.
Import ListNotations.

(** ** The checks, in which no field appears *)

Notation normal := (norm_aux 0%Z 1%Z Z.add Z.mul Z.sub Z.opp Z.eqb).
Notation fraction := (Fnorm 0%Z 1%Z Z.add Z.mul Z.sub Z.opp Z.eqb).

(** [mask] says which variables are known to be positive. *)
Definition mask : Set := list bool.

Fixpoint nonnegative_pol (m : mask) (P : Pol Z) : bool :=
  match P with
  | Pc c => Z.leb 0 c
  | Pinj j Q => nonnegative_pol (jump j m) Q
  | PX P _ Q => hd false m && nonnegative_pol m P && nonnegative_pol (tl m) Q
  end.

Fixpoint positive_pol (m : mask) (P : Pol Z) : bool :=
  match P with
  | Pc c => Z.ltb 0 c
  | Pinj j Q => positive_pol (jump j m) Q
  | PX P _ Q => hd false m &&
     (positive_pol m P && nonnegative_pol (tl m) Q || nonnegative_pol m P && positive_pol (tl m) Q)
  end.

Inductive sign : Set := Positive | Negative | Unknown.

Definition opposite (s : sign) : sign :=
  match s with Positive => Negative | Negative => Positive | Unknown => Unknown end.

Definition times (s t : sign) : sign :=
  match s with Positive => t | Negative => opposite t | Unknown => Unknown end.

(** Products are taken factor by factor, everything else is multiplied out. *)
Fixpoint sign_of (m : mask) (e : PExpr Z) : sign :=
  match e with
  | PEmul a b => times (sign_of m a) (sign_of m b)
  | PEpow a (Npos 2) => times (sign_of m a) (sign_of m a)
  | PEopp a => opposite (sign_of m a)
  | _ => if positive_pol m (normal e) then Positive
         else if positive_pol m (normal (PEopp e)) then Negative else Unknown
  end.

(** A multiple by a number: the coefficients that come first tell which. *)
Fixpoint leading (P : Pol Z) : Z :=
  match P with
  | Pc c => c
  | Pinj _ Q => leading Q
  | PX P _ _ => leading P
  end.

Definition proportional (e k : PExpr Z) : bool :=
  let a := leading (normal e) in
  let b := leading (normal k) in
  negb (Z.eqb a 0) && Peq Z.eqb (normal (PEmul (PEc b) e)) (normal (PEmul (PEc a) k)).

(** [known] are polynomials that hypotheses say are not zero. *)
Fixpoint not_zero (m : mask) (known : list (PExpr Z)) (e : PExpr Z) : bool :=
  match e with
  | PEmul a b => not_zero m known a && not_zero m known b
  | PEpow a _ => not_zero m known a
  | PEopp a => not_zero m known a
  | _ => match sign_of m e with
         | Unknown => existsb (proportional e) known
         | _ => true
         end
  end.

Definition defined_fraction (m : mask) (known : list (PExpr Z)) (e : FExpr Z) : bool :=
  forallb (not_zero m known) (condition (fraction e)).

Definition positive_fraction (m : mask) (known : list (PExpr Z)) (e : FExpr Z) : bool :=
  let f := fraction e in
  forallb (not_zero m known) (condition f) &&
  match times (sign_of m (num f)) (sign_of m (denum f)) with Positive => true | _ => false end.

Definition zero_fraction (m : mask) (known : list (PExpr Z)) (e : FExpr Z) : bool :=
  let f := fraction e in
  forallb (not_zero m known) (condition f) && Peq Z.eqb (normal (num f)) (Pc 0%Z).

Definition nonzero_fraction (m : mask) (known : list (PExpr Z)) (e : FExpr Z) : bool :=
  let f := fraction e in
  forallb (not_zero m known) (condition f) && not_zero m known (num f).

(** What follows from hypotheses [k <> 0]: no factor of the numerator of [k] is zero. *)

Fixpoint factors (e : PExpr Z) : list (PExpr Z) :=
  match e with
  | PEmul a b => factors a ++ factors b
  | PEpow a (Npos _) => factors a
  | PEopp a => factors a
  | _ => [e]
  end.

Definition numerators (m : mask) (given : list (FExpr Z)) : list (PExpr Z) :=
  flat_map (fun k => if defined_fraction m [] k then factors (num (fraction k)) else []) given.

(** ** Their soundness *)

Section OrderedField.

Variables (R : Type) (rO rI : R) (radd rmul rsub : R -> R -> R) (ropp : R -> R) (rdiv : R -> R -> R) (rinv : R -> R).
Variable req : R -> R -> Prop.
Variable Rsth : Equivalence req.
Variable Reqe : ring_eq_ext radd rmul ropp req.
Variable SRinv_ext : forall p q, req p q -> req (rinv p) (rinv q).
Variable Fth : field_theory rO rI radd rmul rsub ropp rdiv rinv req.
Variable phi : Z -> R.
Variable morphism : ring_morph rO rI radd rmul rsub ropp req 0%Z 1%Z Z.add Z.mul Z.sub Z.opp Z.eqb phi.
Variables (Cpow : Type) (Cp_phi : N -> Cpow) (rpow : R -> Cpow -> R).
Variable pow_th : power_theory rI rmul req Cp_phi rpow.

Variable pos : R -> Prop.
Hypothesis pos_ext : forall x y, req x y -> pos x -> pos y.
Hypothesis pos_add : forall x y, pos x -> pos y -> pos (radd x y).
Hypothesis pos_mul : forall x y, pos x -> pos y -> pos (rmul x y).
Hypothesis pos_inv : forall x, pos x -> pos (rinv x).
Hypothesis pos_not_zero : forall x, pos x -> ~ req x rO.
Hypothesis pos_phi : forall z, (0 < z)%Z -> pos (phi z).

Let AFth := F2AF Rsth Reqe Fth.
Let ARth := Rth_ARth Rsth Reqe (F_R Fth).

Add Parametric Relation : R req
  reflexivity proved by (@Equivalence_Reflexive _ _ Rsth)
  symmetry proved by (@Equivalence_Symmetric _ _ Rsth)
  transitivity proved by (@Equivalence_Transitive _ _ Rsth) as req_setoid.
Add Parametric Morphism : radd with signature req ==> req ==> req as radd_morphism.
Proof. exact (Radd_ext Reqe). Qed.
Add Parametric Morphism : rmul with signature req ==> req ==> req as rmul_morphism.
Proof. exact (Rmul_ext Reqe). Qed.
Add Parametric Morphism : ropp with signature req ==> req as ropp_morphism.
Proof. exact (Ropp_ext Reqe). Qed.
Add Ring R_ring : (F_R Fth) (abstract, setoid Rsth Reqe).

Local Notation value := (PEeval rO rI radd rmul rsub ropp phi Cp_phi rpow).
Local Notation value_pol := (Pphi rO radd rmul phi).
Local Notation value_fraction := (FEeval rO rI radd rmul rsub ropp rdiv rinv phi Cp_phi rpow).

Fixpoint agrees (m : mask) (l : list R) : Prop :=
  match m, l with
  | b :: m, x :: l => (b = true -> pos x) /\ agrees m l
  | nil, _ => True
  | _ :: _, nil => False
  end.

Lemma agrees_tl : forall m l, agrees m l -> agrees (tl m) (tl l).
Proof.
  intros [| b m] [| x l] H; simpl in *; try tauto.
Qed.

Lemma agrees_jump : forall j m l, agrees m l -> agrees (jump j m) (jump j l).
Proof. induction j; simpl; auto using agrees_tl. Qed.

Lemma agrees_hd : forall m l, agrees m l -> hd false m = true -> pos (hd rO l).
Proof. intros [| b m] [| x l] H E; simpl in *; try discriminate; tauto. Qed.

Definition nonneg (x : R) : Prop := req x rO \/ pos x.

Lemma nonneg_add : forall x y, nonneg x -> nonneg y -> nonneg (radd x y).
Proof.
  intros x y [H | H] [K | K].
  - left. rewrite H, K. ring.
  - right. apply (pos_ext y); auto. rewrite H. ring.
  - right. apply (pos_ext x); auto. rewrite K. ring.
  - right. auto.
Qed.

Lemma nonneg_mul : forall x y, nonneg x -> pos y -> nonneg (rmul x y).
Proof. intros x y [H | H] K. left. rewrite H. ring. right. auto. Qed.

Lemma pos_nonneg : forall x y, pos x -> nonneg y -> pos (radd x y).
Proof. intros x y H [K | K]; auto. apply (pos_ext x); auto. rewrite K. ring. Qed.

Lemma pos_pow : forall x i, pos x -> pos (pow_pos rmul x i).
Proof. intros x i H. induction i; simpl; auto. Qed.

Lemma nonnegative_pol_sound : forall P m l, agrees m l -> nonnegative_pol m P = true -> nonneg (value_pol l P).
Proof.
  induction P as [c | j Q IH | P IP i Q IQ]; intros m l A H; simpl in *.
  - apply Z.leb_le in H. apply Z.le_lteq in H. destruct H as [H | <-]. right. auto. left. apply (morph0 morphism).
  - apply (IH (jump j m)); auto using agrees_jump.
  - apply andb_prop in H. destruct H as [H K]. apply andb_prop in H. destruct H as [D H].
    apply nonneg_add. apply nonneg_mul. eauto. apply pos_pow. eapply agrees_hd; eauto. apply (IQ (tl m)); auto using agrees_tl.
Qed.

Lemma positive_pol_sound : forall P m l, agrees m l -> positive_pol m P = true -> pos (value_pol l P).
Proof.
  induction P as [c | j Q IH | P IP i Q IQ]; intros m l A H; simpl in *.
  - apply Z.ltb_lt in H. auto.
  - apply (IH (jump j m)); auto using agrees_jump.
  - apply andb_prop in H. destruct H as [D H].
    assert (pos (pow_pos rmul (hd rO l) i)) as power by (apply pos_pow; eapply agrees_hd; eauto).
    apply orb_prop in H. destruct H as [H | H]; apply andb_prop in H; destruct H as [H K].
    + apply pos_nonneg. apply pos_mul; eauto. apply (nonnegative_pol_sound Q (tl m)); auto using agrees_tl.
    + apply (pos_ext (radd (value_pol (tl l) Q) (rmul (value_pol l P) (pow_pos rmul (hd rO l) i)))). ring.
      apply pos_nonneg. apply (IQ (tl m)); auto using agrees_tl.
      apply nonneg_mul; auto. eapply nonnegative_pol_sound; eauto.
Qed.

Lemma normal_value : forall l e, req (value l e) (value_pol l (normal e)).
Proof. intros l e. apply (norm_aux_spec Rsth Reqe ARth morphism pow_th). Qed.

Definition has_sign (s : sign) (x : R) : Prop :=
  match s with Positive => pos x | Negative => pos (ropp x) | Unknown => True end.

Lemma opposite_sound : forall s x, has_sign s x -> has_sign (opposite s) (ropp x).
Proof. intros [| |] x H; simpl in *; auto. apply (pos_ext x); auto. ring. Qed.

Lemma times_sound : forall s t x y, has_sign s x -> has_sign t y -> has_sign (times s t) (rmul x y).
Proof.
  intros [| |] [| |] x y H K; simpl in *; auto.
  - apply (pos_ext (rmul x (ropp y))). ring. auto.
  - apply (pos_ext (rmul (ropp x) y)). ring. auto.
  - apply (pos_ext (rmul (ropp x) (ropp y))). ring. auto.
Qed.

Lemma sign_ext : forall s x y, req x y -> has_sign s x -> has_sign s y.
Proof. intros [| |] x y E; simpl; auto; apply pos_ext; rewrite E; reflexivity. Qed.

Definition expanded_sign (m : mask) (e : PExpr Z) : sign :=
  if positive_pol m (normal e) then Positive
  else if positive_pol m (normal (PEopp e)) then Negative else Unknown.

Lemma expanded_sound : forall m l e, agrees m l -> has_sign (expanded_sign m e) (value l e).
Proof.
  intros m l e A. unfold expanded_sign.
  destruct (positive_pol m (normal e)) eqn:E.
  { simpl. apply (pos_ext (value_pol l (normal e))). symmetry. apply normal_value. eapply positive_pol_sound; eauto. }
  destruct (positive_pol m (normal (PEopp e))) eqn:F; simpl; auto.
  change (ropp (value l e)) with (value l (PEopp e)).
  apply (pos_ext (value_pol l (normal (PEopp e)))). symmetry. apply normal_value. eapply positive_pol_sound; eauto.
Qed.

Lemma sign_of_sound : forall m l, agrees m l -> forall e, has_sign (sign_of m e) (value l e).
Proof.
  intros m l A. induction e; try (apply (expanded_sound m l _ A)).
  - simpl. apply times_sound; auto.
  - apply opposite_sound. auto.
  - destruct n as [| [p | [p | p |] |]]; try (apply (expanded_sound m l _ A)).
    change (sign_of m (PEpow e 2)) with (times (sign_of m e) (sign_of m e)).
    apply (sign_ext _ (rmul (value l e) (value l e))).
    + simpl. rewrite (rpow_pow_N pow_th). simpl. reflexivity.
    + apply times_sound; auto.
Qed.

Fixpoint all_nonzero (l : list R) (known : list (PExpr Z)) : Prop :=
  match known with
  | nil => True
  | k :: known => ~ req (value l k) rO /\ all_nonzero l known
  end.

Lemma product_not_zero : forall x y, ~ req x rO -> ~ req y rO -> ~ req (rmul x y) rO.
Proof. intros x y. apply (field_is_integral_domain Rsth Reqe AFth). Qed.

Lemma sign_not_zero : forall s x, s <> Unknown -> has_sign s x -> ~ req x rO.
Proof.
  intros [| |] x N H E; simpl in *; try congruence.
  - exact (pos_not_zero _ H E).
  - apply (pos_not_zero _ H). rewrite E. ring.
Qed.

Lemma phi_not_zero : forall z, z <> 0%Z -> ~ req (phi z) rO.
Proof.
  intros z H. destruct (Z.lt_trichotomy z 0) as [N | [E | P]]; try congruence.
  - apply (sign_not_zero Negative). discriminate. simpl.
    apply (pos_ext (phi (- z))). apply (morph_opp morphism). apply pos_phi. lia.
  - auto.
Qed.

Lemma proportional_sound : forall l e k, proportional e k = true -> ~ req (value l k) rO -> ~ req (value l e) rO.
Proof.
  intros l e k H K E. unfold proportional in H. apply andb_prop in H. destruct H as [N H].
  set (a := leading (normal e)) in *. set (b := leading (normal k)) in *. clearbody a b.
  apply negb_true_iff, Z.eqb_neq in N.
  apply (product_not_zero (phi a) (value l k) (phi_not_zero a N) K).
  change (rmul (phi a) (value l k)) with (value l (PEmul (PEc a) k)).
  transitivity (value_pol l (normal (PEmul (PEc a) k))). apply normal_value.
  rewrite <- (Peq_ok Rsth Reqe morphism _ _ H l).
  transitivity (value l (PEmul (PEc b) e)). symmetry. apply normal_value.
  simpl. rewrite E. ring.
Qed.

Lemma known_sound : forall l e known, all_nonzero l known ->
  existsb (proportional e) known = true -> ~ req (value l e) rO.
Proof.
  intros l e known. induction known as [| k known IH]; intros K E; cbn [existsb all_nonzero] in *; try discriminate.
  destruct K as [Hk K]. apply orb_prop in E. destruct E as [E | E]; auto. exact (proportional_sound l e k E Hk).
Qed.

Definition directly_not_zero (m : mask) (known : list (PExpr Z)) (e : PExpr Z) : bool :=
  match sign_of m e with
  | Unknown => existsb (proportional e) known
  | _ => true
  end.

Lemma directly_sound : forall m l known e, agrees m l -> all_nonzero l known ->
  directly_not_zero m known e = true -> ~ req (value l e) rO.
Proof.
  intros m l known e A K H. unfold directly_not_zero in H. generalize (sign_of_sound m l A e).
  destruct (sign_of m e); intro S.
  - apply (sign_not_zero Positive); auto; discriminate.
  - apply (sign_not_zero Negative); auto; discriminate.
  - apply (known_sound l e known); auto.
Qed.

Lemma not_zero_sound : forall m l known, agrees m l -> all_nonzero l known ->
  forall e, not_zero m known e = true -> ~ req (value l e) rO.
Proof.
  intros m l known A K. induction e; intro H;
    try match goal with |- ~ req (PEeval _ _ _ _ _ _ _ _ _ _ ?e) rO => exact (directly_sound m l known e A K H) end; simpl in *.
  - apply andb_prop in H. destruct H. apply product_not_zero; auto.
  - intro E. apply IHe; auto. rewrite <- (Ropp_opp Rsth Reqe (F_R Fth) (value l e)). rewrite E. ring.
  - rewrite (rpow_pow_N pow_th). destruct n as [| p]; simpl.
    + apply (F_1_neq_0 Fth).
    + specialize (IHe H). induction p; simpl; repeat apply product_not_zero; auto.
Qed.

Lemma conditions_sound : forall m l known e, agrees m l -> all_nonzero l known ->
  forallb (not_zero m known) (condition (fraction e)) = true ->
  PCond rO rI radd rmul rsub ropp req phi Cp_phi rpow l (condition (fraction e)).
Proof.
  intros m l known e A K. induction (condition (fraction e)) as [| c list IH]; intro H; [exact I |].
  simpl in H. apply andb_prop in H. destruct H as [H T]. apply (not_zero_sound m l known A K) in H.
  apply IH in T. simpl. destruct list; auto.
Qed.

Lemma fraction_value : forall m l known e, agrees m l -> all_nonzero l known ->
  forallb (not_zero m known) (condition (fraction e)) = true ->
  req (value_fraction l e) (rdiv (value l (num (fraction e))) (value l (denum (fraction e)))) /\
  ~ req (value l (denum (fraction e))) rO.
Proof.
  intros m l known e A K H. apply (conditions_sound m l known e A K) in H. split.
  - apply (Fnorm_FEeval_PEeval Rsth Reqe SRinv_ext AFth morphism pow_th). exact H.
  - apply (Pcond_Fnorm Rsth Reqe AFth morphism pow_th). exact H.
Qed.

Fixpoint all_given (l : list R) (given : list (FExpr Z)) : Prop :=
  match given with
  | nil => True
  | k :: given => ~ req (value_fraction l k) rO /\ all_given l given
  end.

Lemma nonzero_app : forall l a b, all_nonzero l a -> all_nonzero l b -> all_nonzero l (a ++ b).
Proof. induction a; simpl; intuition. Qed.

Lemma factors_sound : forall l e, ~ req (value l e) rO -> all_nonzero l (factors e).
Proof.
  intro l. induction e; intro H; try (split; [exact H | exact I]).
  - apply nonzero_app; [apply IHe1 | apply IHe2]; intro E; apply H; simpl; rewrite E; ring.
  - apply IHe. intro E. apply H. simpl. rewrite E. ring.
  - destruct n as [| p]; [split; [exact H | exact I] |]. apply IHe. intro E. apply H. simpl.
    rewrite (rpow_pow_N pow_th). simpl. clear - E Rsth Reqe Fth.
    induction p; simpl; rewrite ?IHp, ?E; ring.
Qed.

Lemma numerators_sound : forall m l given, agrees m l -> all_given l given -> all_nonzero l (numerators m given).
Proof.
  intros m l given A. induction given as [| k given IH]; simpl; intro H. exact I.
  destruct H as [Hk H]. apply nonzero_app; auto.
  destruct (defined_fraction m [] k) eqn:D; [| exact I].
  destruct (fraction_value m l [] k A I D) as [E _]. apply factors_sound. intro zero. apply Hk.
  rewrite E, (Fdiv_def Fth), zero. ring.
Qed.

Theorem positive_fraction_sound : forall m known e l, positive_fraction m known e = true ->
  agrees m l -> all_nonzero l known -> pos (value_fraction l e).
Proof.
  intros m known e l H A K. unfold positive_fraction in H. apply andb_prop in H. destruct H as [H S].
  destruct (fraction_value m l known e A K H) as [E D].
  generalize (times_sound _ _ _ _ (sign_of_sound m l A (num (fraction e))) (sign_of_sound m l A (denum (fraction e)))).
  destruct (times _ _) eqn:T; try discriminate. simpl. intro P.
  set (n := value l (num _)) in *. set (d := value l (denum _)) in *.
  assert (pos (rmul d d)) as square.
  { generalize (sign_of_sound m l A (denum (fraction e))). fold d.
    destruct (sign_of m (denum (fraction e))) eqn:Sd; simpl; intro Q.
    - auto.
    - apply (pos_ext (rmul (ropp d) (ropp d))). ring. auto.
    - exfalso. clear - T Sd. rewrite ?Sd in T. destruct (sign_of m (num (fraction e))); discriminate. }
  apply (pos_ext (rmul (rmul n d) (rinv (rmul d d)))).
  - rewrite E, (Fdiv_def Fth).
    assert (req (rmul (rmul d d) (rinv (rmul d d))) rI) as one.
    { rewrite (ARmul_comm ARth). apply (Finv_l Fth). auto. }
    assert (req (rmul (rinv d) d) rI) as unit by (apply (Finv_l Fth); auto).
    transitivity (rmul (rmul n (rmul (rinv d) d)) (rmul d (rinv (rmul d d)))). rewrite unit. ring.
    transitivity (rmul (rmul n (rinv d)) (rmul (rmul d d) (rinv (rmul d d)))). ring. rewrite one. ring.
  - auto.
Qed.

Theorem zero_fraction_sound : forall m known e l, zero_fraction m known e = true ->
  agrees m l -> all_nonzero l known -> req (value_fraction l e) rO.
Proof.
  intros m known e l H A K. unfold zero_fraction in H. apply andb_prop in H. destruct H as [H Z].
  destruct (fraction_value m l known e A K H) as [E D].
  rewrite E, (Fdiv_def Fth), normal_value, (Peq_ok Rsth Reqe morphism _ _ Z l). simpl. rewrite (morph0 morphism). ring.
Qed.

Theorem nonzero_fraction_sound : forall m known e l, nonzero_fraction m known e = true ->
  agrees m l -> all_nonzero l known -> ~ req (value_fraction l e) rO.
Proof.
  intros m known e l H A K. unfold nonzero_fraction in H. apply andb_prop in H. destruct H as [H Z].
  destruct (fraction_value m l known e A K H) as [E D]. apply (not_zero_sound m l known A K) in Z.
  intro zero. apply Z. rewrite E, (Fdiv_def Fth) in zero.
  transitivity (rmul (rmul (value l (num (fraction e))) (rinv (value l (denum (fraction e))))) (value l (denum (fraction e)))).
  - transitivity (rmul (value l (num (fraction e))) (rmul (rinv (value l (denum (fraction e)))) (value l (denum (fraction e))))).
    rewrite (Finv_l Fth _ D). ring. ring.
  - rewrite zero. ring.
Qed.

Theorem equal_fractions : forall m given a b l, zero_fraction m (numerators m given) (FEsub a b) = true ->
  agrees m l -> all_given l given -> req (value_fraction l a) (value_fraction l b).
Proof.
  intros m given a b l H A K. apply (numerators_sound m l given A) in K.
  generalize (zero_fraction_sound _ _ _ _ H A K). simpl. intro E.
  transitivity (radd (rsub (value_fraction l a) (value_fraction l b)) (value_fraction l b)). ring. rewrite E. ring.
Qed.

Theorem different_fractions : forall m given a b l, nonzero_fraction m (numerators m given) (FEsub a b) = true ->
  agrees m l -> all_given l given -> ~ req (value_fraction l a) (value_fraction l b).
Proof.
  intros m given a b l H A K. apply (numerators_sound m l given A) in K.
  generalize (nonzero_fraction_sound _ _ _ _ H A K). simpl. intros N E. apply N.
  transitivity (radd (value_fraction l a) (ropp (value_fraction l b))). ring. rewrite E. ring.
Qed.

Theorem ordered_fractions : forall m given a b l, positive_fraction m (numerators m given) (FEsub b a) = true ->
  agrees m l -> all_given l given -> pos (rsub (value_fraction l b) (value_fraction l a)).
Proof.
  intros m given a b l H A K. apply (numerators_sound m l given A) in K.
  exact (positive_fraction_sound _ _ _ _ H A K).
Qed.

End OrderedField.

(** ** Atoms *)

Ltac member x l :=
  lazymatch l with
  | nil => false
  | cons x _ => true
  | cons _ ?k => member x k
  end.

Ltac insert x l := lazymatch member x l with true => l | false => constr:(cons x l) end.

Ltac index x l :=
  lazymatch l with
  | cons x _ => constr:(xH)
  | cons _ ?k => let i := index x k in eval compute in (Pos.succ i)
  end.

(** ** The instance for rational numbers *)

Open Scope Q_scope.

Lemma inject_Z_morphism : ring_morph 0 1 Qplus Qmult Qminus Qopp Qeq 0%Z 1%Z Z.add Z.mul Z.sub Z.opp Z.eqb inject_Z.
Proof.
  constructor; try reflexivity.
  - intros x y. rewrite inject_Z_plus. reflexivity.
  - intros x y. unfold Qminus. rewrite <- inject_Z_opp, <- inject_Z_plus. reflexivity.
  - intros x y E. apply Z.eqb_eq in E. subst. reflexivity.
Qed.

Lemma Q_ext : ring_eq_ext Qplus Qmult Qopp Qeq.
Proof.
  constructor. exact Qplus_comp. exact Qmult_comp. exact Qopp_comp.
Qed.

Lemma Qinv_ext : forall p q, p == q -> / p == / q.
Proof. intros p q E. rewrite E. reflexivity. Qed.

Lemma Q_pos_ext : forall x y, x == y -> 0 < x -> 0 < y.
Proof. intros x y E. rewrite E. auto. Qed.

Lemma Q_pos_add : forall x y, 0 < x -> 0 < y -> 0 < x + y.
Proof. intros x y H K. rewrite <- (Qplus_0_l 0). apply Qplus_lt_le_compat; auto using Qlt_le_weak. Qed.

Lemma Q_pos_mul : forall x y, 0 < x -> 0 < y -> 0 < x * y.
Proof. intros x y H K. apply Qmult_lt_0_compat; auto. Qed.

Lemma Q_pos_not_zero : forall x, 0 < x -> ~ x == 0.
Proof. intros x H E. rewrite E in H. discriminate H. Qed.

Lemma Q_pos_phi : forall z, (0 < z)%Z -> 0 < inject_Z z.
Proof. intros z H. unfold Qlt. simpl. lia. Qed.

Notation Qvalue := (FEeval 0 1 Qplus Qmult Qminus Qopp Qdiv Qinv inject_Z Z.of_N Qpower).
Notation Qagrees := (agrees Q (fun x => 0 < x)).
Notation Qgiven := (all_given Q 0 1 Qplus Qmult Qminus Qopp Qdiv Qinv Qeq inject_Z Z Z.of_N Qpower).

Lemma Q_equal : forall m given a b l, zero_fraction m (numerators m given) (FEsub a b) = true ->
  Qagrees m l -> Qgiven l given -> Qvalue l a == Qvalue l b.
Proof.
  exact (equal_fractions _ _ _ _ _ _ _ _ _ _ Q_Setoid Q_ext Qinv_ext Qsft _ inject_Z_morphism _ _ _ Qpower_theory
    _ Q_pos_ext Q_pos_add Q_pos_mul Q_pos_not_zero Q_pos_phi).
Qed.

Lemma Q_different : forall m given a b l, nonzero_fraction m (numerators m given) (FEsub a b) = true ->
  Qagrees m l -> Qgiven l given -> ~ Qvalue l a == Qvalue l b.
Proof.
  exact (different_fractions _ _ _ _ _ _ _ _ _ _ Q_Setoid Q_ext Qinv_ext Qsft _ inject_Z_morphism _ _ _ Qpower_theory
    _ Q_pos_ext Q_pos_add Q_pos_mul Q_pos_not_zero Q_pos_phi).
Qed.

Lemma Q_less : forall m given a b l, positive_fraction m (numerators m given) (FEsub b a) = true ->
  Qagrees m l -> Qgiven l given -> Qvalue l a < Qvalue l b.
Proof.
  intros m given a b l H A K. apply Qlt_minus_iff.
  revert m given a b l H A K.
  exact (ordered_fractions _ _ _ _ _ _ _ _ _ _ Q_Setoid Q_ext Qinv_ext Qsft _ inject_Z_morphism _ _ _ Qpower_theory
    _ Q_pos_ext Q_pos_add Q_pos_mul Qinv_lt_0_compat Q_pos_not_zero Q_pos_phi).
Qed.

Ltac q_atoms t l :=
  lazymatch t with
  | ?a + ?b => let l := q_atoms a l in q_atoms b l
  | ?a - ?b => let l := q_atoms a l in q_atoms b l
  | ?a * ?b => let l := q_atoms a l in q_atoms b l
  | ?a / ?b => let l := q_atoms a l in q_atoms b l
  | - ?a => q_atoms a l
  | / ?a => q_atoms a l
  | ?a ^ _ => q_atoms a l
  | Qmake _ _ => l
  | inject_Z _ => l
  | _ => insert t l
  end.

Ltac q_reify t l :=
  lazymatch t with
  | ?a + ?b => let a := q_reify a l in let b := q_reify b l in constr:(@FEadd Z a b)
  | ?a - ?b => let a := q_reify a l in let b := q_reify b l in constr:(@FEsub Z a b)
  | ?a * ?b => let a := q_reify a l in let b := q_reify b l in constr:(@FEmul Z a b)
  | ?a / ?b => let a := q_reify a l in let b := q_reify b l in constr:(@FEdiv Z a b)
  | - ?a => let a := q_reify a l in constr:(@FEopp Z a)
  | / ?a => let a := q_reify a l in constr:(@FEinv Z a)
  | ?a ^ ?n => let a := q_reify a l in let n := eval compute in (Z.to_N n) in constr:(@FEpow Z a n)
  | Qmake ?n 1 => constr:(@FEc Z n)
  | Qmake ?n ?d => constr:(@FEdiv Z (FEc n) (FEc (Zpos d)))
  | inject_Z ?n => constr:(@FEc Z n)
  | _ => let i := index t l in constr:(@FEX Z i)
  end.

(** The mask with its proof: which atoms a hypothesis says to be positive. *)
Ltac q_mask l :=
  lazymatch l with
  | nil => constr:((@nil bool, I))
  | cons ?x ?k =>
    let r := q_mask k in
    lazymatch r with
    | (?m, ?P) =>
      match goal with
      | H : 0 < x |- _ => constr:((cons true m, conj (fun _ : true = true => H) P))
      | _ => constr:((cons false m, conj (fun e : false = true => False_ind (0 < x) (diff_false_true e)) P))
      end
    end
  end.

Ltac q_given seen :=
  match goal with
  | H : ~ ?a == 0 |- _ => lazymatch member a seen with false => q_given (cons a seen) end
  | _ => seen
  end.

Ltac q_given_atoms g l := lazymatch g with nil => l | cons ?a ?g => let l := q_atoms a l in q_given_atoms g l end.

Ltac q_given_reify g l :=
  lazymatch g with
  | nil => constr:((@nil (FExpr Z), I))
  | cons ?a ?g =>
    let r := q_given_reify g l in
    let x := q_reify a l in
    lazymatch r with
    | (?k, ?P) => match goal with H : ~ a == 0 |- _ => constr:((cons x k, conj H P)) end
    end
  end.

Ltac q_solve lemma a b :=
  let g := q_given (@nil Q) in
  let l := q_atoms a (@nil Q) in
  let l := q_atoms b l in
  let l := q_given_atoms g l in
  let x := q_reify a l in
  let y := q_reify b l in
  let m := q_mask l in
  let k := q_given_reify g l in
  lazymatch m with
  | (?m, ?M) => lazymatch k with
    | (?k, ?K) => apply (lemma m k x y l); [vm_compute; reflexivity | exact M | exact K]
    end
  end.

(** Equations and inequalities between rational functions, from hypotheses [0 < x] about variables
    and [~ d == 0] about denominators that can vanish. *)
Ltac fractions :=
  lazymatch goal with
  | |- _ /\ _ => split; fractions
  | |- ~ ?a == ?b => q_solve Q_different a b
  | |- ?a == ?b -> False => q_solve Q_different a b
  | |- ?a == ?b => q_solve Q_equal a b
  | |- ?a < ?b => q_solve Q_less a b
  | |- ?a <= ?b => apply Qlt_le_weak; q_solve Q_less a b
  end.

Lemma unit_ratio : forall w, 0 < w -> w < 1 -> exists k, 0 < k /\ w == k / (1 + k).
Proof.
  intros w H K. assert (0 < 1 - w) as P by (apply Qlt_minus_iff in K; exact K).
  assert (w + (1 - w) == 1) as E by ring.
  exists (w / (1 - w)). revert E P. generalize (1 - w). intros v E P. split. fractions.
  assert (w / v / (1 + w / v) == w / (w + v)) as F by fractions.
  rewrite F, E. field.
Qed.

Ltac open_unit w :=
  match goal with H : 0 < w, K : w < 1 |- _ =>
    let k := fresh "k" in let E := fresh in
    destruct (unit_ratio w H K) as [k [? E]]; rewrite E; clear E
  end.

Module FractionExamples.

  Definition kappa (TP FN FP TN : Q) : Q :=
    let n := FN + FP + TN + TP in
    let e := ((FN + TN) * (FP + TN) + (FN + TP) * (FP + TP)) / n ^ 2 in
    ((TN + TP) / n - e) / (1 - e).

  Example homogeneous : forall TP FN FP TN t, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < t ->
    kappa (TP * t) (FN * t) (FP * t) (TN * t) == kappa TP FN FP TN.
  Proof. intros. unfold kappa. fractions. Qed.

  Definition precision (TP FN FP TN : Q) : Q := TP / (FP + TP).

  Example increases : forall TP FN FP TN t, 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < t ->
    precision TP FN FP TN < precision (TP + t) FN FP TN.
  Proof. intros. unfold precision. fractions. Qed.

  Definition odd (TP FN FP TN : Q) : Q := 2 * (TP - FP) / (3 * FP - 3 * TP).

  Example cancelled : forall TP FN FP TN, ~ TP - FP == 0 -> odd TP FN FP TN == - (2 # 3).
  Proof. intros. unfold odd. fractions. Qed.

  Definition weighted (w TP FN FP TN : Q) : Q := TN * (1 - w) / (FP + TN) + TP * w / (FN + TP).

  Example weighted_increases : forall w TP FN FP TN t, 0 < w -> w < 1 -> 0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> 0 < t ->
    weighted w TP FN FP TN < weighted w (TP + t) FN FP TN.
  Proof. intros. unfold weighted. open_unit w. fractions. Qed.

End FractionExamples.
