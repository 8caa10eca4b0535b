(** The two ends of the dial: rho = 1 decides like BuFALU, rho = 0 like BuFAU, tie for tie. Beyond the paper. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision.
Open Scope R_scope.

Section Ends.
Variables (K : nat) (bounds : nat -> interval) (epsilon : R).

(** Hoeffding's and Bernstein's intervals are never half-lines: an arm without enough queries has the whole line.
    says: at rho = 1 the dial admits exactly the decisions of BuFALU, if an interval that is unbounded below is
      unbounded above
    paper: beyond the paper; compare l.371-389
    settles: dial.at_one_is_bufalu
    breaks: "lower (bounds c) = None -> upper (bounds c) = None" to "True" *)
Theorem the_dial_at_one_is_bufalu a q :
  (forall c, is_arm K c -> lower (bounds c) = None -> upper (bounds c) = None) ->
  dial_admissible K bounds epsilon 1 a q <-> admissible K bounds epsilon a q.
Proof.
  intros Hline. split; apply decision_mono; intros l u c [Hl Hmax] [Hu _] Hc; specialize (Hmax u Hu);
    assert (Hll := Hline l Hl); unfold is_dial_candidate, is_candidate in *; revert Hmax Hc Hll;
    generalize (bounds l) (bounds u); clear; intros i j Hmax Hc Hll.
  - destruct Hc as [[-> [Hc _]]|[-> Hc]]; [left|right]; (split; [reflexivity|]).
    + specialize (Hc ltac:(lra)). split_ends.
    + destruct Hc as [[_ Hc]|Hc]; split_ends.
  - destruct Hc as [[-> Hc]|[-> Hc]]; [left|right]; (split; [reflexivity|]).
    + split; [intros _|]; split_ends; discriminate (Hll eq_refl).
    + left. split; [lra|]. split_ends.
Qed.

(** An arm of largest upper bound that does not lead is a challenger. *)
Lemma an_arm_of_largest_upper_bound_challenges l c : is_bufau_candidate K bounds l l c -> c <> l ->
  is_challenger K bounds l c.
Proof. intros [Hc Hmax] Hne. split; [exact Hc|]. split; [exact Hne|]. intros a Ha _. now apply Hmax. Qed.

(** says: at rho = 0 the dial admits exactly the decisions of BuFAU, for all intervals
    paper: beyond the paper; compare l.1377-1394
    settles: dial.at_zero_is_bufau
    breaks: "epsilon 0 a q" to "epsilon 1 a q" *)
Theorem the_dial_at_zero_is_bufau a q :
  dial_admissible K bounds epsilon 0 a q <-> bufau_admissible K bounds epsilon a q.
Proof.
  assert (C : forall l u c, is_leader K bounds l -> is_challenger K bounds l u -> is_bufau_candidate K bounds l u c ->
    exists v, is_challenger K bounds l v /\ is_dial_candidate bounds 0 l v c /\
      upper_le (upper (bounds u)) (upper (bounds v))).
  { intros l u c Hl Hu [Hc Hmax]. assert (Hua := Hu). destruct Hua as [Hu1 _].
    destruct (Nat.eq_dec c l) as [->|Hne].
    - exists u. split; [exact Hu|]. split; [|destruct (upper (bounds u)); simpl; lra].
      left. split; [reflexivity|]. split; [lra | now apply Hmax].
    - exists c. split; [now apply an_arm_of_largest_upper_bound_challenges|]. split; [|now apply Hmax].
      right. split; [reflexivity|]. right. apply Hmax, Hl. }
  split; intros D.
  - revert D. apply decision_mono. intros l u c [Hl _] [Hu [Hul Hbest]] Hc.
    destruct Hc as [[-> [_ Hc]]|[-> [[H0 _]|Hc]]]; [|lra|].
    + split; [exact Hl|]. intros x Hx. destruct (Nat.eq_dec x l) as [->|Hne].
      * destruct (upper (bounds l)); simpl; lra.
      * eapply upper_le_trans; [apply Hbest; assumption | exact Hc].
    + split; [exact Hu|]. intros x Hx. destruct (Nat.eq_dec x l) as [->|Hne]; [exact Hc | now apply Hbest].
  - destruct D as [l Hl Ho | l u Hl Hu Hs | l u c Hl Hu Hc Hw | l u c Hl Hu Hc Hs Hw].
    + now apply plays_the_only_arm.
    + now apply plays_a_separated_leader with (u := u).
    + destruct (C l u c Hl Hu Hc) as [v [Hv [Hd _]]].
      now apply plays_the_leader_within_epsilon with (u := v) (c := c).
    + destruct (C l u c Hl Hu Hc) as [v [Hv [Hd Huv]]].
      apply queries_the_candidate with (l := l) (u := v); trivial.
      intros Hsep. apply Hs. revert Hsep Huv. generalize (upper (bounds v)) (upper (bounds u)) (lower (bounds l)).
      intros [x|] [y|] [z|]; simpl; try tauto; lra.
Qed.
End Ends.
