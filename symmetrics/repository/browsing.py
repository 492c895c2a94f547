"""Collect and write the atlas: verdicts from certificates, datasheets, and rulings on papers' claims."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from sympy import Expr

from symmetrics import __version__
from symmetrics.library import metrics as library
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.tools.budget import SECONDS
from symmetrics.tools.errors import InputError
from symmetrics.tools.shipped import shipped_root

if TYPE_CHECKING:
    from symmetrics.pages.atlas import Claim, Laws, Paper
    from symmetrics.papers.claims.trials import Heard


def atlas(
    folder: str | Path,
    metrics: Iterable[Metric | Expr | str] | None = None,
    *,
    papers: bool | None = None,
    seconds: float = SECONDS,
    progress: bool | None = None,
) -> Path:
    """Write the atlas: a site that a browser opens from the file system, without a server or network.

    It has a table of metrics and properties with the evidence for every answer, and a page for each metric, property
    and paper.

    :param folder: where to; it is made if it is not there
    :param metrics: metrics, expressions, names or formulas; by default the whole library
    :param papers: whether the papers are judged, too, which takes a quarter of a minute; by default with the whole
        library
    :param seconds: how long each question may take that no certificate answers
    :param progress: whether to show a progress bar on standard error; by default only on a terminal
    :returns: the path of the first page
    :raises InputError: if the folder holds something else than an atlas, or two metrics have one name
    """
    from symmetrics.pages.atlas import check_folder, pages_of, write_files

    if not isinstance(folder, str | Path):
        raise InputError(f"folder={folder!r} is no path: pass the name of a folder, as in atlas('site')")
    target = Path(folder)
    check_folder(target)
    chosen = list(library.values()) if metrics is None else [as_metric(metric) for metric in metrics]
    names = [metric.name for metric in chosen]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"there are two metrics named {twice!r}: an atlas has one page for each name; rename one")
    heard = _heard() if papers or (papers is None and metrics is None) else []
    files = pages_of(chosen, heard, laws_known(), version=__version__, seconds=seconds, progress=progress)
    return write_files(target, files)


def laws_known() -> Laws | None:
    """Return the theorems and arguments about all metrics; None if their package is not installed."""
    from symmetrics.pages.atlas import Laws

    if find_spec("symmetrics.discovery") is None:
        return None
    from symmetrics.discovery.arguments import arguments
    from symmetrics.discovery.theorems import class_and_domain, domain_in_words, scope_of, theorems

    told = ((each, class_and_domain([each])) for each in arguments())
    return Laws(theorems(), tuple((each, scope_of(known), domain_in_words(known)) for each, known in told))


def _heard() -> list[Paper]:
    from symmetrics.pages.atlas import Paper
    from symmetrics.papers.claims.trials import hear_all
    from symmetrics.papers.claims.writing import summary_line

    with shipped_root() as root:
        by_paper: dict[str, list[Heard]] = {}
        for one in hear_all(root):
            by_paper.setdefault(one.paper, []).append(one)
    return [
        Paper(key, heard[0].title, summary_line(heard), tuple(map(_claim, heard))) for key, heard in by_paper.items()
    ]


def _claim(heard: Heard) -> Claim:
    from symmetrics.pages.atlas import Claim
    from symmetrics.papers.claims.writing import unit_of

    return Claim(
        heard.key,
        unit_of(heard.place),
        heard.place,
        heard.printed,
        heard.ruling.outcome,
        heard.ruling.evidence,
        heard.ruling.corrected,
        heard.ruling.basis,
        heard.uncounted,
        tuple((verdict.metric, verdict.property) for verdict in heard.verdicts),
    )
