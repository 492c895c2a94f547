"""Give lemmas on all metrics to the kernel, which is to accept each without an axiom."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from symmetrics.claims.theorems.implications import Theorem
from symmetrics.claims.theorems.laws import Law
from symmetrics.rocq.judge.compiling import compile_file, complaint, require_kernel
from symmetrics.rocq.theorems.implications import theory
from symmetrics.tools.errors import CertificateError
from symmetrics.tools.workers import Bar, spread

__all__ = ["judge_theorems"]

TOGETHER: Final = 40
"""So many theorems stand in one file."""
NO_AXIOM: Final = "Closed under the global context"


def judge_theorems(theorems: Sequence[Theorem], laws: Mapping[str, Sequence[Law]], *, progress: bool = False) -> int:
    """Return how many theorems the kernel accepts: all of them.

    :param laws: what each property says
    :param progress: show a progress bar if standard error is a terminal
    :raises CertificateError: if the kernel rejects one, or one rests on an axiom
    :raises InputError: if the kernel is not installed
    """
    require_kernel()
    parts = [(theorems[start : start + TOGETHER], laws) for start in range(0, len(theorems), TOGETHER)]
    bar = Bar("kernel", total=len(theorems), unit=" theorems", amount=int) if progress else None
    return sum(spread(_judge, parts, bar=bar, ordered=False))


def _judge(part: tuple[Sequence[Theorem], Mapping[str, Sequence[Law]]]) -> int:
    theorems, laws = part
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "Theorems.v"
        file.write_text(theory(theorems, laws), encoding="utf-8")
        output = compile_file(file)
    if output.returncode == 0 and NO_AXIOM in output.stdout:
        return len(theorems)
    if len(theorems) > 1:
        return sum(_judge(([theorem], laws)) for theorem in theorems)
    why = complaint(output.stderr) if output.returncode else f"it rests on axioms: {complaint(output.stdout)}"
    raise CertificateError(f"the kernel does not accept that {theorems[0]}: {why}")
