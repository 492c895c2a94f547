"""Notebook displays: a sentence first, then tables and pictures, algebra folded; light and dark pages.

Colours are half transparent or those of the text, and nothing is said by colour alone.
"""

from __future__ import annotations

from symmetrics.pages.displays.blocks import BLOCKS, shown

__all__ = ["BLOCKS", "shown"]
