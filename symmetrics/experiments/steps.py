"""Results of long computations, kept so that an interrupted run resumes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from symmetrics.errors import InputError
from symmetrics.files import write_text

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

    def done(self, key: str, compute: Callable[[], Any]) -> Any:
        """Return the result of a step, from its file if there is one.

        :param key: the name of the file, in lower snake case; what the step depends on belongs into it
        :param compute: returns something that JSON can hold
        :raises InputError: if the file cannot be read as JSON
        """
        if self.folder is None:
            return compute()
        path = self.folder / f"{key}.json"
        if path.exists():
            try:
                return json.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                raise InputError(
                    f"{path} cannot be read ({error}); delete it, and its step is computed again"
                ) from None
        result = compute()
        write_text(path, json.dumps(result) + "\n")
        return json.loads(json.dumps(result))
