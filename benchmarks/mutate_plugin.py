"""A plugin of pytest for ``mutate.py``: measures which tests reach which lines, and runs those that are chosen.

``SYMMETRICS_REACHED`` names a folder, to which the lines that each test runs are written, and what it costs;
with ``SYMMETRICS_UNTRACED`` only what it costs.
``SYMMETRICS_CHOSEN`` names a file with the tests to run, in this order.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mutate_start import Finder

REACHED, UNTRACED, CHOSEN = "SYMMETRICS_REACHED", "SYMMETRICS_UNTRACED", "SYMMETRICS_CHOSEN"
"""Variables of the environment."""
COSTS, LINES = "costs.jsonl", "lines.sqlite"
"""Files with the seconds of each test, those of processes that it started included, and with the lines that it runs."""
UNMEASURED = {"tests/test_workers.py": "tools/workers.py"}
"""Files whose tests interrupt a thread that waits for others, which under a tracer hangs; they reach all of a module.

CPython 3.11 tells every thread of an interruption that is on its way, and a traced one then waits for it to arrive.
"""
SAMPLING = {"effort", "recorded"}
"""Modules whose functions make a test look at more in a thorough run."""


def seconds() -> float:
    """Return the seconds that this process and those that it started have worked."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


class Reached:
    """Measures which lines each test runs, under its name as context; the empty one is what imports run."""

    def __init__(self, folder: Path) -> None:
        self.costs, self.coverage = folder / COSTS, None
        if UNTRACED not in os.environ:
            from coverage import Coverage

            self.coverage = Coverage(data_file=folder / LINES, source_pkgs=["symmetrics"], config_file=False)
            self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        before = seconds()
        if self.coverage is not None:
            self.coverage.switch_context(item.nodeid)
        result = yield
        with self.costs.open("a", encoding="utf-8") as file:
            print(json.dumps([item.nodeid, round(seconds() - before, 3)]), file=file)
        return result

    def pytest_sessionfinish(self) -> None:
        if self.coverage is not None:
            self.coverage.stop()
            self.coverage.save()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Begin to measure before anything imports the package, and let the mutant come first.

    Pytest loads files that are named on its command line by itself, so that doctests would be those of the original.
    """
    sys.meta_path.sort(key=lambda finder: not isinstance(finder, Finder))
    if folder := os.environ.get(REACHED):
        early_config.pluginmanager.register(Reached(Path(folder)))


def is_larger(item: pytest.Item) -> bool:
    """Say whether a thorough run may look at more in a test than a default one does."""
    marked = any(item.get_closest_marker(name) is not None for name in ("sampled", "thorough"))
    if marked or "prelude" in getattr(item, "fixturenames", ()):
        return True
    if hasattr(getattr(item, "obj", None), "hypothesis"):
        return True
    names = vars(item.module).values() if isinstance(item, pytest.Function) else ()
    return any(getattr(value, "__module__", None) in SAMPLING for value in names)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that are chosen; of a thorough run those that are larger than in a default one."""
    if config.getoption("--thorough"):
        items[:] = [item for item in items if is_larger(item)]
    elif file := os.environ.get(CHOSEN):
        place = {test: number for number, test in enumerate(json.loads(Path(file).read_text(encoding="utf-8")))}
        items[:] = sorted((item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid])
