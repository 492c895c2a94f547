"""Affine functions of one another: no lemmas, as those on the equations that the verdicts rest on take their place."""

from __future__ import annotations

from typing import Final

EXCUSED: Final = "a lemma would be about all pairs of numbers; where two were found, the equation with them is exported"
"""Why no lemma is written on claims of this family."""
