"""What a resampling study found: kept in a file as it comes, compared with intervals, shown and drawn."""

from __future__ import annotations

import json
import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from symmetrics.evaluation.datasets import as_frame
from symmetrics.evaluation.folds import FoldComparison, compare_folds
from symmetrics.papers.comparison import digest_of, section
from symmetrics.tools.drawing.canvas import axes_for, label_for, legend, looks, names_of
from symmetrics.tools.errors import InputError, UnknownNameError
from symmetrics.tools.files import check_writable, write_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LOG: Final = logging.getLogger(__name__)
Row = dict[str, Any]


@dataclass(frozen=True)
class Effect:
    """What a treatment changes.

    :param mean: the mean over the folds
    :param training: the mean number of examples that it is trained with
    :param comparison: with the baseline, first, by the corrected resampled t-test; None for the baseline itself, and
        where folds have no value or all differ alike, so that there is no interval
    """

    learner: str
    treatment: str
    criterion: str
    mean: float
    training: float
    comparison: FoldComparison | None


@dataclass(frozen=True, eq=False)
class ResamplingStudy:
    """What every learner reaches on every fold, under each treatment and criterion.

    :param rows: for each its learner, treatment, criterion and fold, how many examples it was trained with, the setting
        and threshold that were chosen, and the values of all metrics on the test part
    :param folds: how many there are
    """

    rows: tuple[Row, ...]
    folds: int

    def names(self, kind: str) -> list[str]:
        """Return the names of a kind, which is ``"learner"``, ``"treatment"`` or ``"criterion"``."""
        return list(dict.fromkeys(row[kind] for row in self.rows))

    def _chosen(self, **names: str) -> list[Row]:
        for kind, name in names.items():
            if name not in self.names(kind):
                raise UnknownNameError(kind, str(name), self.names(kind))
        return [row for row in self.rows if all(row[kind] == name for kind, name in names.items())]

    def values(self, metric: str, *, learner: str, treatment: str, criterion: str) -> list[float]:
        """Return a metric fold by fold.

        :raises UnknownNameError: if one of the names is not in the study
        """
        rows = self._chosen(learner=learner, treatment=treatment, criterion=criterion)
        if metric not in rows[0]["values"]:
            raise UnknownNameError("metric", str(metric), list(rows[0]["values"]))
        return [row["values"][metric] for row in rows]

    def to_frame(self) -> Any:
        """Return a data frame with a row for each learner, treatment, criterion and fold, and a column per metric.

        :raises InputError: without pandas
        """
        flat = [{k: v for k, v in row.items() if k not in ("values", "setting")} for row in self.rows]
        return as_frame([{**row, **of["setting"], **of["values"]} for row, of in zip(flat, self.rows, strict=True)])

    def effects(self, metric: str, *, baseline: str = "original", criterion: str | None = None) -> tuple[Effect, ...]:
        """Compare every treatment with a baseline, by a metric on the same folds.

        :param criterion: what hyperparameters were chosen by; by default each
        :raises UnknownNameError: if one of the names is not in the study
        """
        found = []
        for learner in self.names("learner"):
            for chosen in self.names("criterion") if criterion is None else [criterion]:
                before = self.values(metric, learner=learner, treatment=baseline, criterion=chosen)
                for treatment in self.names("treatment"):
                    where = {"learner": learner, "treatment": treatment, "criterion": chosen}
                    after = self.values(metric, **where)
                    size = float(np.mean([row["training"] for row in self._chosen(**where)]))
                    change = None if treatment == baseline else compared(before, after, self.folds)
                    found.append(Effect(**where, mean=float(np.mean(after)), training=size, comparison=change))
        return tuple(found)

    def to_markdown(self, metric: str, *, baseline: str = "original") -> str:
        """Return the effects of all treatments on a metric as a table.

        :raises UnknownNameError: if one of the names is not in the study
        """
        rows = []
        for one in self.effects(metric, baseline=baseline):
            found = one.comparison
            change = f"{found.difference:+.3f} [{found.low:+.3f}, {found.high:+.3f}]" if found else ""
            p = f"{found.p_value:.2g}" if found else ""
            rows.append(
                (one.learner, one.criterion, one.treatment, f"{one.mean:.3f}", change, p, f"{one.training:.0f}")
            )
        columns = ("learner", "chosen by", "treatment", metric, f"against {baseline}", "p", "trained with")
        return section(f"{metric} by treatment, mean over {self.folds} folds with 95 % intervals", columns, rows)

    def plot(
        self, metric: str, *, baseline: str = "original", criterion: str | None = None, ax: Axes | None = None
    ) -> Axes:
        """Draw what each treatment changes against a baseline, with 95 % intervals.

        :param criterion: what hyperparameters were chosen by; by default each, side by side
        :raises InputError: if there is nothing but the baseline, or matplotlib is not installed
        """
        effects = [one for one in self.effects(metric, baseline=baseline, criterion=criterion) if one.comparison]
        if not effects:
            raise InputError(f"there is nothing to compare with {baseline}; take more treatments into the study")
        places = list(dict.fromkeys((one.learner, one.treatment) for one in effects))
        kinds = list(dict.fromkeys(one.criterion for one in effects))
        ax = axes_for(ax, width=5.5, height=1.0 + 0.34 * len(places))
        for number, (kind, look) in enumerate(zip(kinds, looks(ax, len(kinds)), strict=True)):
            of_kind = [(one, one.comparison) for one in effects if one.criterion == kind and one.comparison]
            shift = 0.5 * ((number + 0.5) / len(kinds) - 0.5)
            y = [places.index((one.learner, one.treatment)) + shift for one, _ in of_kind]
            x = np.array([found.difference for _, found in of_kind])
            reach = [x - [found.low for _, found in of_kind], [found.high for _, found in of_kind] - x]
            settings: dict[str, Any] = {"fmt": look.marker, "color": look.colour, "capsize": 2.5, "markersize": 4}
            ax.errorbar(x, y, xerr=reach, label=label_for(kind), **settings)
        ax.axvline(0, color="0.55", linewidth=0.9, dashes=(3, 3))
        several = len(self.names("learner")) > 1
        labels = names_of([f"{learner}, {treatment}" if several else treatment for learner, treatment in places])
        ax.set_yticks(range(len(places)), labels, fontsize="small", parse_math=False)
        ax.set_ylim(len(places) - 0.5, -0.5)
        ax.set_xlabel(f"{metric}, less that of {baseline}", parse_math=False)
        legend(ax, title="chosen by", loc="upper left", bbox_to_anchor=(1.0, 1.0), title_fontsize="small")
        return ax


def compared(before: list[float], after: list[float], folds: int) -> FoldComparison | None:
    """Compare values on the same folds; None where a fold has no value or all differ alike, so that nothing tells."""
    try:
        return compare_folds(before, after, test_share=1 / folds)
    except InputError:
        return None


# -- Results in a file, a line for each learner and fold -----------------------------------------------------------


class KeptResults:
    """The results that a file holds: a line is added whole, and one that an interruption cut off is left out.

    :param origin: a hash of what the results are of, in the first line
    :raises InputError: if the file cannot be written, or is of another origin
    """

    def __init__(self, path: Path, origin: str) -> None:
        self.path = path
        self.found: dict[tuple[str, int], list[Row]] = {}
        check_writable(path)
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        head = json.dumps({"origin": origin})
        if lines and lines[0] != head and head.startswith(lines[0]):
            lines = []  # cut off in the first line
        if lines and lines[0] != head:
            raise InputError(f"{path} holds results of other data, design or code; name another file, or remove it")
        good = [line for line in lines[1:] if self._read(line)]
        if len(good) < len(lines) - 1:
            _LOG.warning("%s: %d lines are damaged; their folds are run again", path, len(lines) - 1 - len(good))
        write_text(path, "\n".join([head, *good]) + "\n")

    def _read(self, line: str) -> bool:
        try:
            entry = json.loads(line)
            learner, fold, rows = entry["learner"], entry["fold"], entry["rows"]
        except (ValueError, KeyError, TypeError):
            return False
        if entry.get("digest") != digest_of([learner, fold, rows]):
            return False
        self.found[learner, fold] = rows
        return True

    def add(self, learner: str, fold: int, rows: list[Row]) -> None:
        """Add the results of one fold, in one write that reaches the disk before the next fold begins."""
        entry = {"learner": learner, "fold": fold, "rows": rows, "digest": digest_of([learner, fold, rows])}
        with self.path.open("ab", buffering=0) as stream:
            stream.write((json.dumps(entry) + "\n").encode())
            os.fsync(stream.fileno())
