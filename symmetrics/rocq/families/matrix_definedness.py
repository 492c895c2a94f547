"""Where formulas over matrices have values is not exported."""

from __future__ import annotations

from typing import Final

__all__ = ["EXCUSED"]

EXCUSED: Final = "the theories of metrics say nothing of matrices"
"""Why no lemma is written on claims of this family."""
