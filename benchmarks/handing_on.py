"""A script in this folder that has the name of another module hands that one on to whoever imports the name.

Scripts find the modules of their own folder first, and so do the tests of the benchmarks.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent


def hand_on(name: str) -> None:
    """Put the module that has the name elsewhere in the place of the one here."""
    spec = PathFinder.find_spec(name, [entry for entry in sys.path if Path(entry).resolve() != HERE])
    if spec is None or spec.loader is None:
        raise ImportError(f"no module named {name!r} outside of {HERE}")
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
