"""Constant baselines of many classes are not exported."""

from __future__ import annotations

from typing import Final

from symmetrics.claims.steps.shapes import OF_MATRICES

EXCUSED: Final = OF_MATRICES
