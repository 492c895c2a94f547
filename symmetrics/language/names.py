"""The names that every formula may hold, as texts: whoever only tells them needs no algebra."""

from __future__ import annotations

from typing import Final

CELL_NAMES: Final = ("TP", "FN", "FP", "TN")
"""The four cells."""
SUM_NAMES: Final = ("P", "N", "OP", "ON", "n", "TPR", "FNR", "TNR", "FPR", "PPV", "NPV")
"""The sums and proportions of cells that have names of their own."""
