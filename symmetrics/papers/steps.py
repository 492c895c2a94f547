"""Results of long computations, kept so that an interrupted run resumes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from symmetrics.tools.errors import InputError
from symmetrics.tools.files import write_text
from symmetrics.tools.sources import fingerprint

__all__ = ["Steps"]


class Steps:
    """The steps of an experiment: each is computed once, and read back from its file afterwards.

    :param folder: where the results are kept; None to keep nothing

    >>> Steps(None).done("sum", lambda: 1 + 1)
    2
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"cannot make the folder {folder}: {error.strerror}; choose another one") from None

    def done(self, key: str, compute: Callable[[], Any], *, depends_on: object = "") -> Any:
        """Return the result of a step, from its file if that holds the result of the same code on the same input.

        :param key: the name of the file, in lower snake case
        :param compute: returns something that JSON can hold; a change to its module, or to what that imports, is
            noticed
        :param depends_on: what else the result depends on, as something whose ``repr`` says it
        :raises InputError: if the file is none that this function wrote
        """
        if self.folder is None:
            return compute()
        path = self.folder / f"{key}.json"
        origin = _digest([fingerprint(compute.__module__), repr(depends_on)])
        if path.exists():
            entry = _read(path)
            if entry["origin"] == origin:
                return entry["result"]
        result = json.loads(json.dumps(compute()))
        write_text(path, json.dumps({"origin": origin, "digest": _digest(result), "result": result}) + "\n")
        return result


def _read(path: Path) -> dict[str, Any]:
    try:
        entry = json.loads(path.read_text(encoding="utf-8"))
        if entry["digest"] != _digest(entry["result"]) or "origin" not in entry:
            raise ValueError("it was changed")
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        what = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise InputError(f"{path} cannot be used ({what}); delete it, and its step is computed again") from None
    return dict(entry)


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
