"""Implications verified: every walk is gone step by step."""

from __future__ import annotations

from collections.abc import Sequence

from symmetrics.checker.theorems.instances import Laws, applied, require, same_table
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, THE_SAME_EVERYWHERE, Theorem, Walk
from symmetrics.claims.theorems.laws import Law
from symmetrics.language.cells import Table

__all__ = ["check_implication"]


def check_implication(theorem: Theorem, premises: Laws, conclusion: Sequence[Law] = ()) -> None:
    """Verify a theorem.

    :param premises: the laws of each premise, as the properties' own records have them
    :param conclusion: those of the conclusion, if it is a property
    :raises CertificateError: if the walks do not establish it
    """
    require(set(premises) == set(theorem.premises), "the premises are others than those of the theorem")
    if theorem.conclusion == IMPOSSIBLE:
        require(len(theorem.walks) == 1, "one walk shows that something is impossible")
        walk = theorem.walks[0]
        end, rises = _end(walk, premises)
        require(rises, "a walk on which M stays the same contradicts nothing")
        require(same_table(walk.start, end), "the walk does not end where it began")
        return
    laws = (THE_SAME_EVERYWHERE,) if theorem.conclusion == CONSTANT else tuple(conclusion)
    require(len(theorem.walks) == len(laws) > 0, "not every law of the conclusion is proved")
    for law, walk in zip(laws, theorem.walks, strict=True):
        first, second = law.tables
        end, rises = _end(walk, premises)
        require(same_table(walk.start, first), "a walk begins at another table than its law")
        require(same_table(end, second), "a walk ends at another table than its law")
        require(
            law.sign == (">" if rises else "="), "a walk rises where M has to stay the same, or the other way round"
        )


def _end(walk: Walk, premises: Laws) -> tuple[Table, bool]:
    """Return where a walk ends, and whether M rises on it."""
    here, rises = walk.start, False
    for step in walk.steps:
        sign, first, second = applied(step, premises)
        require(sign in ("=", ">"), "M is turned into its negative or inverse on a walk")
        require(sign == "=" or step.forward, "a law that says that M rises is applied backwards")
        before, after = (first, second) if step.forward else (second, first)
        require(same_table(here, before), "a law is applied at another table than that which was reached")
        here, rises = after, rises or sign == ">"
    return here, rises
