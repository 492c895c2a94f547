"""Examples as they come: columns of labels through one gate, data frames of any engine, and files; read and counted,
and no metric is known here.
"""

from typing import Final

EXACT: Final = 2.0**53
"""Below this, float64 holds every whole number; from here on one may have been rounded to reach it."""
