"""Theorems on constructions before the kernel of the proof assistant."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from symmetrics.claims.theorems.constructions import ConstructionTheorem
from symmetrics.discovery.constructions import CONSTRUCTIONS, laws, theorems_of
from symmetrics.rocq.theorems.constructions import theory
from symmetrics.tools.errors import UnsupportedError

needs_coqc = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")


def _equations(construction: str) -> list[ConstructionTheorem]:
    known = laws()
    return [
        theorem
        for theorem in theorems_of(construction)
        if all(law.sign == "=" for key in (theorem.conclusion, *theorem.premises) for law in known[key])
    ]


def _accepted(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "constructions.v").write_text(text, encoding="utf-8")
    command = ["coqc", "constructions.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)


@needs_coqc
@pytest.mark.thorough
@pytest.mark.parametrize("construction", CONSTRUCTIONS)
def test_the_kernel_accepts_every_theorem_about_equations_without_axioms(construction: str, tmp_path: Path) -> None:
    theorems = _equations(construction)
    found = _accepted(theory(theorems, laws()), tmp_path)
    assert found.returncode == 0, found.stderr
    assert "Closed under the global context" in found.stdout
    assert len(theorems) > 5


@needs_coqc
@pytest.mark.thorough
def test_the_kernel_rejects_a_false_theorem(tmp_path: Path) -> None:
    true = next(t for t in _equations("exchanged") if str(t) == "exchanged turns p2 into p4")
    for false in (replace(true, conclusion="p5"), replace(true, premises=("p3",)), replace(true, proof=((),))):
        try:
            text = theory([false], laws())
        except KeyError:  # its proof names a premise that it has not
            continue
        assert _accepted(text, tmp_path).returncode != 0


def test_a_theory_says_of_which_theorem_a_lemma_is() -> None:
    text = theory(_equations("exchanged"), laws())
    assert "(* exchanged turns p2 into p4 *)" in text
    assert text.count("Qed.") == text.count("Lemma ")
    strict = next(t for t in theorems_of("exchanged") if t.conclusion == "monotone")
    with pytest.raises(UnsupportedError, match="inequalities"):
        theory([strict], laws())
