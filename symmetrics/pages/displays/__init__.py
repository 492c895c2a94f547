"""What a notebook shows: words first, tables and pictures below, the algebra folded away; in a light or a dark page.

Colours are half transparent or those of the text, and nothing is said by colour alone.
"""

from __future__ import annotations

from symmetrics.pages.displays.verdicts import BLOCKS, shown

__all__ = ["BLOCKS", "shown"]
