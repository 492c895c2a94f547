"""Examples as they come: columns of labels through one gate, data frames of any engine, and files; read and counted,
and no metric is known here.
"""

from typing import Final

EXACT: Final = 2.0**53
"""Below 2**53 float64 holds every integer; a count from here on may have been rounded."""
