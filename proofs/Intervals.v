(** Confidence intervals whose ends may be infinite, and the comparisons that the algorithm makes.

    An end is [Some x], or [None] for the infinite value that makes sense on its side: -inf below, +inf above. So
    the nonsensical ends (+inf below, -inf above) cannot be written, and +inf - (-inf) = +inf needs no convention. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
Open Scope R_scope.

Record interval : Type := Between { lower : option R; upper : option R }.

(** The interval of an arm without a single query (l.1133). *)
Definition whole_line : interval := Between None None.

(** The order of lower ends, and of upper ends (widths are compared as upper ends). *)
Definition lower_le (x y : option R) : Prop :=
  match x, y with
  | None, _ => True
  | Some _, None => False
  | Some a, Some b => a <= b
  end.

Definition upper_le (x y : option R) : Prop :=
  match x, y with
  | _, None => True
  | None, Some _ => False
  | Some a, Some b => a <= b
  end.

(** [within u l e]: the upper end [u] exceeds the lower end [l] by at most [e]. *)
Definition within (u l : option R) (e : R) : Prop :=
  match u, l with
  | Some x, Some y => x - y <= e
  | _, _ => False
  end.

(** [separated u l]: the upper end [u] is at most the lower end [l]. *)
Definition separated (u l : option R) : Prop :=
  match u, l with
  | Some x, Some y => x <= y
  | _, _ => False
  end.

(** CI = UCB - LCB (l.393). *)
Definition width (i : interval) : option R :=
  match upper i, lower i with
  | Some x, Some y => Some (x - y)
  | _, _ => None
  end.

(** [rho] times a width; infinite stays infinite, so that this means a product only for rho > 0. *)
Definition scaled (rho : R) (w : option R) : option R := option_map (Rmult rho) w.

Definition wider_than (m : R) (i : interval) : Prop :=
  match width i with
  | Some w => m < w
  | None => True
  end.

Definition narrower_than (m : R) (i : interval) : Prop :=
  match width i with
  | Some w => w < m
  | None => False
  end.

Definition contains (i : interval) (x : R) : Prop :=
  match lower i with Some y => y <= x | None => True end /\
  match upper i with Some y => x <= y | None => True end.

(** Splits every end into finite and infinite, leaving real arithmetic. *)
Ltac split_ends :=
  repeat match goal with
  | i : interval |- _ => let l := fresh "l" in let u := fresh "u" in destruct i as [[l|] [u|]]
  end;
  unfold contains, wider_than, narrower_than, scaled, width, within, separated, lower_le, upper_le in *; cbn in *;
  repeat match goal with H : _ /\ _ |- _ => destruct H end;
  try tauto; try lra.

Lemma not_narrower_than_iff m i : ~ narrower_than m i <-> match width i with Some w => m <= w | None => True end.
Proof. unfold narrower_than. destruct (width i); split; intros; try tauto; lra. Qed.

Lemma wider_is_not_narrower m i : wider_than m i -> ~ narrower_than m i.
Proof. unfold wider_than, narrower_than. destruct (width i); intros; [lra | tauto]. Qed.

Lemma narrower_than_mono m m' i : m <= m' -> narrower_than m i -> narrower_than m' i.
Proof. unfold narrower_than. destruct (width i); intros; [lra | tauto]. Qed.

Lemma lower_le_trans x y z : lower_le x y -> lower_le y z -> lower_le x z.
Proof. destruct x, y, z; simpl; intros; try tauto; lra. Qed.

Lemma upper_le_trans x y z : upper_le x y -> upper_le y z -> upper_le x z.
Proof. destruct x, y, z; simpl; intros; try tauto; lra. Qed.

Lemma lower_le_total x y : {lower_le x y} + {lower_le y x}.
Proof. destruct x as [x|], y as [y|]; simpl; auto. destruct (Rle_dec x y); [left|right]; lra. Qed.

Lemma upper_le_total x y : {upper_le x y} + {upper_le y x}.
Proof. destruct x as [x|], y as [y|]; simpl; auto. destruct (Rle_dec x y); [left|right]; lra. Qed.

Lemma upper_le_dec x y : {upper_le x y} + {~ upper_le x y}.
Proof. destruct x, y; simpl; auto. apply Rle_dec. Qed.

Lemma not_upper_le x y : ~ upper_le x y -> upper_le y x.
Proof. destruct (upper_le_total x y); tauto. Qed.

Lemma separated_dec u l : {separated u l} + {~ separated u l}.
Proof. destruct u, l; simpl; auto. apply Rle_dec. Qed.

Lemma within_dec u l e : {within u l e} + {~ within u l e}.
Proof. destruct u, l; simpl; auto. apply Rle_dec. Qed.
