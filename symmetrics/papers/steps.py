"""Results of long computations, cached in files so that an interrupted run resumes."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from symmetrics.tools.errors import InputError
from symmetrics.tools.files import check_writable, write_text
from symmetrics.tools.sources import fingerprint

_LOG: Final = logging.getLogger(__name__)


class Steps:
    """The steps of an experiment, each computed once and then read from its file.

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

        A file that cannot be used, because it is damaged or that of another step, is written anew, with a warning.

        :param key: the name of the file, in lower snake case
        :param compute: returns something that JSON can hold; a change to its module, or to what that imports, is
            noticed
        :param depends_on: what else the result depends on, as something whose ``repr`` says it
        :raises InputError: if the file cannot be written
        """
        if self.folder is None:
            return compute()
        path = self.folder / f"{key}.json"
        check_writable(path)
        origin = _digest([key, fingerprint(compute.__module__), repr(depends_on)])
        if path.exists():
            try:
                return _read(path, origin)
            except (OSError, ValueError, RecursionError) as error:
                reason = "it is nested too deeply" if isinstance(error, RecursionError) else error
                _LOG.warning("%s is not used (%s); its step is computed again", path, reason)
        result = json.loads(json.dumps(compute()))
        write_text(path, json.dumps({"origin": origin, "digest": _digest(result), "result": result}) + "\n")
        return result


def _read(path: Path, origin: str) -> Any:
    """Return the result in a file.

    :raises ValueError: if the file is damaged, or its result has another origin
    """
    entry = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(entry, dict) or entry.keys() != {"origin", "digest", "result"}:
        raise ValueError("it does not hold the result of a step")
    if entry["digest"] != _digest(entry["result"]):
        raise ValueError("its result was changed")
    if entry["origin"] != origin:
        raise ValueError("its result is that of another step, other code or other input")
    return entry["result"]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
