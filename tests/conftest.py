"""Hypothesis profiles: what runs by default is deterministic; the random search is asked for by name."""

from __future__ import annotations

import os

from hypothesis import settings

# A script, with imports of the extra "notebook": the doctest collector must not import it.
collect_ignore = ["run_notebooks.py"]

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("default", deadline=None)
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "default")
