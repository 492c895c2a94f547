"""The records of metrics, properties and references: content only, one record each; machinery has no place here.

A metric, or a property, is added to the theme file that it belongs to, and nowhere else.
"""

from __future__ import annotations

from symmetrics.library.metrics import metrics
from symmetrics.library.properties import properties
from symmetrics.library.references import REFERENCES

__all__ = ["REFERENCES", "metrics", "properties"]
