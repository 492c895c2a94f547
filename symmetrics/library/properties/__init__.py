"""Properties, one record each, by theme, and what follows from what, but no proof of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from symmetrics.tools.catalogue import ThemedCatalogue

if TYPE_CHECKING:
    from symmetrics.claims.property import Property

__all__ = ["properties"]

properties: Final[ThemedCatalogue[Property]] = ThemedCatalogue("property", __name__)
