"""What a lower room offers and a higher one does: the package itself says where it stands, and it is loaded when asked.

Imports go down only, so that a metric cannot import what draws it.  The package, which knows all rooms, lists under
``_ATTACHED`` by name what is looked up here.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

__all__ = ["attached"]


def attached(name: str) -> Any:
    """Return what the package lists under a name.

    >>> attached("plot").__name__
    'MetricPlots'
    """
    home, attribute = sys.modules["symmetrics"]._ATTACHED[name]
    return getattr(importlib.import_module(home), attribute)
