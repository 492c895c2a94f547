"""Hypothesis profiles, of which the default is deterministic in CI, and the compiled files for the kernel."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from filelock import FileLock
from hypothesis import settings

from symmetrics.query.proving import deciding_anew
from symmetrics.rocq.judge.compiling import compiled_prelude

# A script with imports of the extra "notebook", and modules that only test_families.py can import: no doctests there.
collect_ignore = ["run_notebooks.py", "toy_family"]

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("default", deadline=None)
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "default")


READING: Final = frozenset({"test_recorded"})
"""The modules whose tests take the library's verdicts from certificates; in all others they are decided anew."""


@pytest.fixture(autouse=True)
def _deciding(request: pytest.FixtureRequest) -> Iterator[None]:
    module = getattr(request, "module", None)
    if module is None or module.__name__ in READING:  # doctests belong to no module
        yield
        return
    with deciding_anew():
        yield


@pytest.fixture(scope="session")
def prelude(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the compiled files for the kernel, which all workers share; without it, skip."""
    if shutil.which("coqc") is None:
        pytest.skip("no coqc on the path: it is in Debian's package coq")
    shared = (
        tmp_path_factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else tmp_path_factory.getbasetemp()
    )
    folder = shared / "prelude"
    with FileLock(shared / "prelude.lock"):
        if not folder.exists():
            with compiled_prelude() as compiled:
                shutil.copytree(compiled, folder)
    return folder
