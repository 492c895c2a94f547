"""Affine relations: no lemmas here; the equations behind the verdicts have lemmas instead."""

from __future__ import annotations

from typing import Final

EXCUSED: Final = "a lemma would be about all pairs of numbers; where two were found, the equation with them is exported"
"""Why this family has no lemmas."""
