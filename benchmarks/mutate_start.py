"""Lets a module be a mutant in every process of Python: ``mutate.py`` puts this at the root as ``sitecustomize.py``.

``SYMMETRICS_MUTANT`` names a file with the altered program, and ``SYMMETRICS_MODULE`` the module.
"""

from __future__ import annotations

import importlib.abc
import marshal
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

MUTANT, MODULE = "SYMMETRICS_MUTANT", "SYMMETRICS_MODULE"


class Loader(SourceFileLoader):
    """Runs the altered program; neither the file nor a cache is read."""

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002
        code: CodeType = marshal.loads(Path(os.environ[MUTANT]).read_bytes())
        return code


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if name != os.environ[MODULE]:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.origin is not None:
            spec.loader = Loader(name, spec.origin)
        return spec


if MUTANT in os.environ:
    sys.meta_path.insert(0, Finder())
