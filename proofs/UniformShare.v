(** How BuFALU fares with the uniform share of plays that the lower bounds for scarce querying ask for (l.329-331). *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Decision Runs Expectation TotalExpectation FiniteLaws Strategies Tables Consistency QueryCosts
  ScarceQueries BalancingThreshold OneModel ConsistentRules.
Import ListNotations.
Open Scope R_scope.

Lemma filter_all {A : Type} (keep : A -> bool) l : length (filter keep l) = length l -> filter keep l = l.
Proof.
  induction l as [|x l IH]; [reflexivity|]. simpl. assert (F := LogarithmicGrowth.a_filtered_list_is_no_longer keep l).
  destruct (keep x); simpl; intros H; [f_equal; apply IH; lia | lia].
Qed.

(** A consistent strategy gives the optimal arms their uniform share in the long run. *)
Lemma consistency_brings_the_uniform_share {K : nat} (D : law -> Prop) (s : strategy K) nu : (1 <= K)%nat ->
  consistent D s -> instance_of K D nu -> eventually (fun T =>
    INR (length (optimal_arms K nu)) / INR K * INR T <= sum (optimal_arms K nu) (fun a => expected_plays s nu a T)).
Proof.
  intros HK Hs Hnu. assert (HK' : 1 <= INR K) by (apply (le_INR 1) in HK; exact HK).
  destruct (Nat.eq_dec (length (optimal_arms K nu)) K) as [All|Some].
  - exists O. intros T _. rewrite All. replace (INR K / INR K * INR T) with (INR T) by (field; lra).
    rewrite <- (expected_plays_sum_to_the_horizon s nu T). right. f_equal. unfold optimal_arms. symmetry.
    apply (filter_all _ (arms K)). unfold arms at 2. rewrite seq_length. exact All.
  - assert (L : (length (optimal_arms K nu) <= K - 1)%nat).
    { assert (F := LogarithmicGrowth.a_filtered_list_is_no_longer (fun a => if Rlt_dec (law_mean (nu a)) (best_mean K nu)
        then false else true) (arms K)). unfold arms at 2 in F. rewrite seq_length in F. fold (optimal_arms K nu) in F. lia. }
    apply (eventually_mono _ _) with (2 := eventually_and _ _ (eventually_at_least 1)
      (optimal_arms_get_almost_all_plays D s Hs nu (/ INR K) Hnu ltac:(apply Rinv_0_lt_compat; lra))).
    intros T [HT [H _]]. apply le_INR in HT, L. rewrite minus_INR in L by exact HK. simpl INR in HT, L.
    rewrite (sum_ext _ _ (fun a => INR T * share s nu a T)) by (intros; unfold share; field; lra).
    rewrite sum_scal, Rmult_comm. apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [|exact H].
    apply (Rmult_le_reg_r (INR K)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_minus_distr_r, Rinv_l by lra. lra.
Qed.

(** says: for K >= 2 no strategy that plays by BuFALU's rule is better than uniform on the laws of finite support on [0,1],
      since round 1 plays arm 1, optimal or not; but on each instance there the optimal arms have at least their uniform
      share of the plays for all large T, if epsilon >= 0 tends to 0, whatever the tie-breaks
    paper: beyond the paper; compare l.329-331
    settles: model.uniform_share
    breaks: "(2 <= K)%nat" to "(1 <= K)%nat" *)
Theorem bufalu_and_the_uniform_share {K : nat} epsilon (s : strategy K) : (2 <= K)%nat ->
  (forall t, 0 <= epsilon t) -> vanishes epsilon -> plays_by bufalu hoeffding_formula epsilon s ->
  ~ better_than_uniform lives_on_the_unit_interval s /\
  forall nu, instance_of K lives_on_the_unit_interval nu -> eventually (fun T =>
    INR (length (optimal_arms K nu)) / INR K * INR T <= sum (optimal_arms K nu) (fun a => expected_plays s nu a T)).
Proof.
  intros HK He Hv Hs. split.
  - intros H. set (nu := fun a => TakingTurns.constant (if Nat.eqb a 2 then 1 else 0)).
    assert (M : forall a, law_mean (nu a) = if Nat.eqb a 2 then 1 else 0).
    { intros a. exact (TakingTurns.average_of_a_constant _ (fun x => x)). }
    assert (D : instance_of K lives_on_the_unit_interval nu).
    { intros a _ x Hx. apply mass_is_on_the_support in Hx. destruct Hx as [<-|[]]. destruct (Nat.eqb a 2); lra. }
    assert (A2 : is_arm K 2) by (unfold is_arm; lia).
    assert (U : unique_optimal K nu 2).
    { assert (L : forall b, is_arm K b -> b <> 2%nat -> suboptimal K nu b).
      { intros b Hb Hne. apply suboptimal_iff. split; [exact Hb|]. exists 2%nat. split; [exact A2|].
        rewrite !M, (proj2 (Nat.eqb_neq b 2) Hne). simpl. lra. }
      split; [split; [exact A2|] | exact L]. destruct (best_is_attained K nu ltac:(lia)) as [b [Hb E]].
      destruct (Nat.eq_dec b 2) as [->|Hne]; [exact E | destruct (L b Hb Hne); lra]. }
    specialize (H nu D 1%nat ltac:(lia)). rewrite (optimal_arms_of_a_unique_optimum K nu 2 U) in H. simpl length in H.
    assert (Z : expected_plays s nu 2 1 = 0).
    { unfold expected_plays. rewrite one_more_round. change (round_law s nu [] (fun o => plays_in 2 [o]) = 0).
      rewrite round_law_as_averages, <- (total_const (average (seed_law s [])) 0). apply total_ext. intros u.
      assert (R := Hs [] u). cbv zeta in R. unfold in_round in R. simpl length in R.
      rewrite (proj2 (Nat.leb_le 1 K)) in R by lia. destruct R as [-> ->].
      rewrite (total_ext _ _ (fun _ => 0)); [apply total_const|]. intros x. unfold plays_in, sum. simpl. lra. }
    unfold sum in H. simpl in H. rewrite Z in H.
    assert (0 < / INR K) by (apply Rinv_0_lt_compat, lt_0_INR; lia). unfold Rdiv in H. lra.
  - intros nu Hnu. apply (consistency_brings_the_uniform_share lives_on_the_unit_interval); [lia | | exact Hnu].
    now apply (bufalu_is_consistent epsilon).
Qed.
