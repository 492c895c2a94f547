"""Panel: many metrics in one pass, sharing common subexpressions."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

import numpy as np

from symmetrics.data.counts import Cells, Counts, FloatArray, as_counts, cells_from_confusion, four_counts
from symmetrics.data.factorise import is_foreign
from symmetrics.data.labels import binary_cells
from symmetrics.library import metrics as library
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.numeric.averaging import as_zero_division
from symmetrics.numeric.classes import named_rows, place_of_positive
from symmetrics.numeric.compiled import apart, checked_output, fill
from symmetrics.numeric.devices import Task, values_where_they_lie
from symmetrics.numeric.plans import Plan, joint_plan, plan_of
from symmetrics.tools.arguments import Missing
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


KINDS: Final = ("dict", "structured", "frame")
_GROUP: Final = 64
"""Largest number of metrics that are evaluated together."""


class Panel(Mapping[str, Metric]):
    """Several metrics, in order, that are evaluated together.

    :param metrics: keys or aliases of the library's metrics, metrics of one's own, or ``"all"`` for the whole library
    :raises UnknownNameError: on a name that the library does not have
    :raises InputError: if two metrics have one name

    >>> panel = Panel(["f1", "mcc"])
    >>> panel.from_counts(7, 1, 2, 6)
    {'f1': 0.8235294117647058, 'mcc': 0.629940788348712}
    >>> {key: values.round(3).tolist() for key, values in panel.from_counts([7, 1], 1, 2, [6, 9]).items()}
    {'f1': [0.824, 0.4], 'mcc': [0.63, 0.272]}
    """

    def __init__(self, metrics: str | Metric | Iterable[str | Metric] = "all") -> None:
        asked: object = metrics
        given: Iterable[Any] = asked if isinstance(asked, Iterable) and not isinstance(asked, str) else (asked,)
        if isinstance(metrics, str) and metrics == "all":
            given = library.values()
        listed = [library[metric] if isinstance(metric, str) else as_metric(metric) for metric in given]
        self._metrics = {metric.name: metric for metric in listed}
        if len(self._metrics) < len(listed):
            names = [metric.name for metric in listed]
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"{twice} is listed twice; a panel has every metric once")

    def __getitem__(self, name: str) -> Metric:
        return self._metrics[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._metrics)

    def __len__(self) -> int:
        return len(self._metrics)

    def __repr__(self) -> str:
        return f"Panel({list(self)!r})"

    def from_counts(
        self,
        tp: ArrayLike,
        fn: ArrayLike | None = None,
        fp: ArrayLike | None = None,
        tn: ArrayLike | None = None,
        *,
        zero_division: float = math.nan,
        kind: str = "dict",
        out: Mapping[str, FloatArray] | None = None,
    ) -> Any:
        """Return the values of all metrics at tables of counts, like :meth:`Metric.from_counts`.

        :param zero_division: the value where a metric is undefined
        :param out: where the values go: for each key a float64 array of the common shape, contiguous in memory
        :param kind: ``"dict"``, a float or an array of the common shape for each key; ``"structured"``, one array with
            a field for each key; ``"frame"``, a pandas DataFrame with a column for each key and a row for each table
        :raises InputError: on invalid counts, another kind, and arrays for other keys or of another shape

        >>> Panel(["tpr", "tnr"]).from_counts([1, 2], 1, 1, 3, kind="structured").dtype.names
        ('tpr', 'tnr')
        """
        if kind not in KINDS:
            raise InputError(f"kind={kind!r} is not one of {', '.join(map(repr, KINDS))}")
        counts = four_counts(tp, fn, fp, tn)
        if kind == "dict" and out is None and any(map(is_foreign, counts)):
            return self._where_they_lie(counts, zero_division)
        return self._from_cells(as_counts(*counts), zero_division, kind, out)

    def from_confusion(
        self, C: ArrayLike, *, positive: SupportsIndex = 1, zero_division: float = math.nan, kind: str = "dict"
    ) -> Any:
        """Return the values of all metrics at 2x2 confusion matrices ``C[..., i, j]``, true i and predicted j.

        :param C: an array, or a DataFrame, whose columns are matched with its rows by name, whatever their order
        :param positive: index of the positive class, a row
        :raises InputError: on matrices that are not 2x2, entries that are not counts, and a DataFrame whose rows and
            columns have different names

        >>> Panel(["tpr", "tnr"]).from_confusion([[5, 1], [2, 6]])
        {'tpr': 0.75, 'tnr': 0.8333333333333334}
        """
        matrices, names = named_rows(C, None, "binary")
        cells = cells_from_confusion(matrices, place_of_positive(positive, names))
        return self._from_cells(cells, zero_division, kind)

    def __call__(
        self,
        y_true: Iterable[Hashable],
        y_pred: Iterable[Hashable],
        *,
        labels: Iterable[Hashable] | None = None,
        pos_label: Hashable = 1,
        sample_weight: ArrayLike | None = None,
        zero_division: float = math.nan,
        missing: Missing = "refuse",
    ) -> dict[str, float]:
        """Return the values of all metrics of true and predicted labels of two classes, like calls of each metric.

        >>> Panel(["tpr", "tnr"])([1, 1, 0], [1, 0, 0])
        {'tpr': 0.5, 'tnr': 1.0}
        """
        cells = binary_cells(
            y_true, y_pred, labels=labels, pos_label=pos_label, sample_weight=sample_weight, missing=missing
        )
        values: dict[str, float] = self._from_cells(cells, zero_division, "dict")
        return values

    def _from_cells(
        self, cells: Cells | Counts, zero_division: float, kind: str, out: Mapping[str, FloatArray] | None = None
    ) -> Any:
        replacement = as_zero_division(zero_division)
        values = self._outputs(cells[0].shape, out)
        self._evaluate(cells if out is None else apart(cells, values), values)
        if not math.isnan(replacement):
            for row in values:
                row[np.isnan(row)] = replacement
        shape = cells[0].shape
        if kind == "structured":
            table = np.empty(shape, dtype=[(name, np.float64) for name in self])
            for name, row in zip(self, values, strict=True):
                table[name] = row.reshape(shape)
            return table
        if kind == "frame":
            import pandas as pd

            return pd.DataFrame(dict(zip(self, values, strict=True)))
        named = zip(self, values, strict=True)
        return {name: row.reshape(shape) if shape else float(row[0]) for name, row in named}

    def _where_they_lie(self, counts: Sequence[Any], zero_division: float) -> dict[str, Any]:
        """Return the values at arrays of other libraries, as arrays of the same library and device."""
        metrics = list(self.values())
        order = [place for places, _ in self._plans for place in places]
        tasks = [
            Task([metrics[place].value_formula for place in places], [metrics[place].bounds for place in places], plan)
            for places, plan in self._plans
        ]

        def by_numpy() -> list[Any]:
            values = self._from_cells(as_counts(*counts), zero_division, "dict")
            return [values[metrics[place].name] for place in order]

        found = values_where_they_lie(tasks, by_numpy, counts, as_zero_division(zero_division))
        by_place = dict(zip(order, found, strict=True))
        return {metric.name: by_place[place] for place, metric in enumerate(metrics)}

    def _outputs(self, shape: tuple[int, ...], out: Mapping[str, FloatArray] | None) -> list[FloatArray]:
        """Return one flat array for each metric."""
        if out is None:
            return [np.empty(math.prod(shape)) for _ in self]
        if set(out) != set(self):
            raise InputError(f"out has arrays for {', '.join(out) or 'nothing'}; pass one for each metric of the panel")
        outputs = [checked_output(out[name], shape).reshape(-1) for name in self]
        if any(np.may_share_memory(*pair) for pair in combinations(outputs, 2)):
            raise InputError("two arrays of out have memory in common; pass one of its own for each metric")
        return outputs

    def _evaluate(self, cells: Sequence[NDArray[np.generic]], values: Sequence[FloatArray]) -> None:
        metrics = list(self.values())
        for places, plan in self._plans:
            chosen = [metrics[place] for place in places]
            formulas, bounds = [metric.value_formula for metric in chosen], [metric.bounds for metric in chosen]
            fill(formulas, bounds, plan, cells, [values[place] for place in places])

    @cached_property
    def _plans(self) -> list[tuple[list[int], Plan | None]]:
        """Group the metrics into joint plans: those whose error analysis holds in the same range of cells."""
        groups: dict[tuple[object, ...], list[tuple[int, Plan]]] = {}
        left = []
        for place, metric in enumerate(self.values()):
            plan = plan_of(metric.value_formula)
            if plan is None:
                left.append(place)
            else:
                groups.setdefault((plan.power,), []).append((place, plan))
        found: list[tuple[list[int], Plan | None]] = [([place], None) for place in left]
        metrics = list(self.values())
        for members in groups.values():
            for start in range(0, len(members), _GROUP):
                part = members[start : start + _GROUP]
                joint = joint_plan([form for _, plan in part for form in plan.forms])
                places = [place for place, _ in part]
                within = None if joint is None else joint.within([metrics[place].bounds for place in places])
                found.append((places, within))
        return found
