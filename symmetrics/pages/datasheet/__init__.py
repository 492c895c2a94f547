"""A datasheet: all that is known of one metric, gathered once and written as HTML, Markdown, LaTeX or text."""

from __future__ import annotations

from symmetrics.pages.datasheet.sheet import FORMATS, Datasheet, datasheet

__all__ = ["FORMATS", "Datasheet", "datasheet"]
