"""What Z3 said, asked again."""

from __future__ import annotations

from symmetrics.checker.requirements import require
from symmetrics.claims import Comparison
from symmetrics.smt import Question, is_installed

__all__ = ["check_oracle"]


def check_oracle(claim: Comparison) -> None:
    """Ask Z3 whether the formula as it is written, not taken apart, fails anywhere.

    :raises CertificateError: if Z3 is not installed, does not know, or finds that it fails
    """
    require(is_installed(), 'it rests on Z3, which is not installed: pip install "symmetrics[smt]"')
    require(not claim.parameters, "Z3 is not asked about parameters")
    question = Question(claim.variables)
    question.require(claim.difference, "<=" if claim.sign == ">" else "<")
    require(question.answer() == "unsat", "Z3 does not confirm it")
