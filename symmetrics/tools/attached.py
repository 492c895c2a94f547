"""What a lower room offers and a higher one does: the package itself says where it stands, and it is loaded when asked.

Imports go down only, so that a metric cannot import what draws it.  The package, which knows all rooms, lists under
``_ATTACHED`` by name what is looked up here.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["attached", "loaded_from"]


def attached(name: str) -> Any:
    """Return what the package lists under a name.

    >>> attached("plot").__name__
    'MetricPlots'
    """
    home, attribute = sys.modules["symmetrics"]._ATTACHED[name]
    return getattr(importlib.import_module(home), attribute)


def loaded_from(package: str, homes: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package that loads its modules when a name of theirs is first asked for.

    :param homes: the names in each module

    >>> loaded_from("symmetrics.curves", {"symmetrics.curves.areas": ("auc",)})("auc").__name__
    'auc'
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(home_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
