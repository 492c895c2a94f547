"""Reserved names in formulas, importable without SymPy."""

from __future__ import annotations

from typing import Final

CELL_NAMES: Final = ("TP", "FN", "FP", "TN")
"""The four cells."""
SUM_NAMES: Final = ("P", "N", "OP", "ON", "n", "TPR", "FNR", "TNR", "FPR", "PPV", "NPV")
"""The named sums and proportions of cells."""
