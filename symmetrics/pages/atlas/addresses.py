"""Names of files for names of things: whatever a metric is called, its page has a name that any file system takes."""

from __future__ import annotations

import hashlib
import re
from typing import Final

__all__ = ["address"]

_PLAIN: Final = re.compile(r"[a-z0-9_]{1,80}")


def address(name: str) -> str:
    """Return the name of a file without its ending: a key as it is, and anything else as what is left of it and a hash.

    >>> address("f1"), address("<script>alert(1)</script>")
    ('f1', 'script-alert-1-script-5c140d35dc')
    """
    if _PLAIN.fullmatch(name):
        return name
    kept = re.sub(r"[^a-z0-9]+", "-", name.casefold())[:40].strip("-")
    told = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{kept}-{told}" if kept else told
