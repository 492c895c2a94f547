"""The literature on trial: what papers claim and print, computed again; no metric is defined here."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from symmetrics.papers.comparison import Cell, Comparison, Experiment, Steps, require_plots, write_experiment
from symmetrics.tools.errors import UnknownNameError

if TYPE_CHECKING:
    from symmetrics.papers.claims.trials import Heard

__all__ = [
    "EXPERIMENTS",
    "Cell",
    "Comparison",
    "Experiment",
    "Steps",
    "experiment",
    "require_plots",
    "write_experiment",
]

EXPERIMENTS: Final = ("branco2017", "garcia2012", "landgrebe2005", "tan2006", "thainghe2011")
"""The papers, by author and year."""


def experiment(name: str, folder: Path | None = None) -> Experiment:
    """Return the tables and figures of one paper, computed again.

    :param folder: where results of long computations are kept, so that an interrupted run resumes
    :raises UnknownNameError: if there is no such paper
    """
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, EXPERIMENTS)
    result: Experiment = importlib.import_module(f"symmetrics.papers.{name}.experiment").experiment(Steps(folder))
    return replace(result, rulings=_rulings(name))


def _rulings(name: str) -> tuple[Heard, ...]:
    """Return what the folder of a paper in ``proofs/`` rules: the records of which ``CLAIMS.md`` is written."""
    from symmetrics.papers.claims.trials import hear, scripts
    from symmetrics.tools.shipped import shipped_root

    with shipped_root() as root:
        return tuple(one for path in scripts(root) if path.name == name for one in hear(path))
