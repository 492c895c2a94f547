"""The records of metrics, properties and references: content only, one record each; machinery has no place here.

A metric, or a property, is added to the theme file that it belongs to, and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symmetrics.library.metrics import metrics
from symmetrics.library.properties import properties

if TYPE_CHECKING:
    from symmetrics.library.references import REFERENCES

__all__ = ["REFERENCES", "metrics", "properties"]


def __getattr__(name: str) -> Any:
    """Load the references when they are first asked for: numbers need none."""
    if name != "REFERENCES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from symmetrics.library.references import REFERENCES

    return REFERENCES
