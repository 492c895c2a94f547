"""Properties, one record each, by theme, and what follows from what, but no proof of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from symmetrics.tools.catalogue import ThemedCatalogue

if TYPE_CHECKING:
    from symmetrics.claims.property import Property

__all__ = ["properties"]

_OF_MATRICES: Final = (
    "column_scaling",
    "diagonal_change",
    "empty_class",
    "error_blindness",
    "merging",
    "monotone_columns",
    "monotone_rows",
    "off_diagonal_change",
    "relabelling",
    "row_scaling",
    "vanishing_class",
)
"""Keys of properties that only matrix metrics have; their records are in a higher package."""

properties: Final[ThemedCatalogue[Property]] = ThemedCatalogue(
    "property",
    __name__,
    {
        key: f"it is one of metrics of matrices, such as mcc of 3 classes; symmetrics prove mcc {key} --classes 3, "
        f"in Python symmetrics.prove(symmetrics.multiclass['mcc'], {key!r}, k=3)"
        for key in _OF_MATRICES
    },
)
