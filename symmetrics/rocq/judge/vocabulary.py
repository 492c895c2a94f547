"""The words that theories are written with.

Statements have few of them, so that a reader knows what each means, and no file may give one another meaning.  Proofs
have more, besides the names of the lemmas and tactics of the hand-written files; none of them does anything but prove.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from symmetrics.rocq.judge.compiling import PRELUDE

__all__ = ["EFFECTS", "KEYWORDS", "LOCAL", "SCOPES", "STATEMENT", "first_words", "proof_words"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LOGIC: Final = _words("forall exists fun Prop True False Q R Z")
FUNCTIONS: Final = _words("sqrt root ln Rabs Rmin Rmax PI")
NOTIONS: Final = _words(
    """
    affine_at_margins bounded closed_lower_end closed_upper_end constant_baseline constant_if_independent
    defined_everywhere everywhere falls_along grows_along has_free_move has_free_scaling has_symmetry
    largest_at_agreement limit_along linear_relation linked lower_end moves_freely no_lower_end no_upper_end
    open_lower_end open_upper_end opposite_order ratio_of_linear_forms same_order scales_freely
    smallest_at_disagreement symmetry_group upper_end
    AtTP AtFN AtFP AtTN Same Complement Negative Reciprocal
    """
)
"""What the hand-written files define, and statements say."""
STATEMENT: Final = LOGIC | FUNCTIONS | NOTIONS
"""The words of statements, besides the names of formulas, propositions, cells and parameters."""
KEYWORDS: Final = _words("Set Type cofix else end fix if let match struct then where")
"""Words of the language that theories do without; with those of proofs that Python has as well, no variable can have
such a name."""
SCOPES: Final = _words("Z nat")
"""What the numbers of a term may be said to be, behind a percent sign."""
TACTICS: Final = _words(
    """
    all apply assert cbn clear clearbody destruct eapply exact exfalso exists field first intro intros intuition left
    pose repeat replace revert rewrite right specialize split unfold
    """
)
"""What a step of a proof may begin with, besides the tactics of the hand-written files."""
PROOF: Final = _words(
    """
    as assumption auto beta by cbv conj constr discriminate do eq_refl eqn etransitivity idtac iff_refl iff_trans in
    lra ltac nat nra proof reflexivity remember ring ring_simplify simpl solve symmetry transitivity try with
    I INR Q_dec Rcase_abs Req_le Rlt_le ln_1 ln_increasing ln_mult pow2_ge_0 sqrt_1 sqrt_sqrt
    """
)
"""The other words of proofs, besides the names of what the theory and the hand-written files state."""
LOCAL: Final = re.compile(
    r"[A-Za-z]|[A-Z][a-z]?\d+|[a-z]\d+|(along|at|case|part|zero|(positive_|square_)?atom)\d+|other_\w+|E(TP|FN|FP|TN)"
    r"|TP|FN|FP|TN|_|apart_from_zero|below_v|below_w|e_positive|everywhere|found|given|held|limit|link|s_positive|s_small"
    r"|together|value"
)
"""What a proof calls the things that it speaks about."""
EFFECTS: Final = _words(
    """
    abstract admit csdp exact_no_check fail give_up infoH ltac2 native_cast_no_check native_compute optimize_heap psatz
    restart_timer show time transparent_abstract unshelve vm_cast_no_check vm_compute
    """
)
"""Tactics that do something else than to prove, or that are not asked for; nothing in a theory may have such a name."""
_DECLARED: Final = re.compile(r"^ *(Lemma|Theorem|Definition|Fixpoint|Ltac) (?P<name>\w+)", re.MULTILINE)


@cache
def first_words() -> frozenset[str]:
    """Return the words that a step of a proof may begin with."""
    return TACTICS | _declared()


@cache
def proof_words() -> frozenset[str]:
    """Return the words of proofs, besides what they call the things that they speak about."""
    return TACTICS | PROOF | STATEMENT | _declared()


@cache
def _declared() -> frozenset[str]:
    """Return the names of the lemmas, definitions and tactics of the hand-written files."""
    texts = (path.read_text(encoding="utf-8") for path in PRELUDE.glob("*.v"))
    return frozenset(found["name"] for text in texts for found in _DECLARED.finditer(text))
