"""The library: every metric, property and reference that the package knows, one record each.

A metric, or a property, is added to the theme file that it belongs to, and nowhere else.  Machinery has no place here.
"""

from __future__ import annotations

from symmetrics.library.metrics import metrics
from symmetrics.library.properties import properties
from symmetrics.library.references import REFERENCES

__all__ = ["REFERENCES", "metrics", "properties"]
