"""Resampling, weights and thresholds against imbalance, chosen by inner cross-validation under any criterion.

The design is that of Thai-Nghe, Gantner & Schmidt-Thieme (2011), sections III and IV, for any data, learners and
metrics: on every fold the hyperparameters of a learner and those of a treatment are searched together on inner folds
of the training part, by each criterion; the best ones are trained on all of it and measured on the test part.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symmetrics.data.counts import FloatArray, shown
from symmetrics.data.gate import admit
from symmetrics.papers.comparison import digest_of, watched
from symmetrics.papers.criteria import Criterion, Truth, as_criteria, counts_above
from symmetrics.papers.densities import require_scikit_learn
from symmetrics.papers.resampling_results import KeptResults, ResamplingStudy, Row
from symmetrics.posets.poset import as_whole
from symmetrics.tools.arguments import advising
from symmetrics.tools.errors import InputError, UnknownNameError

Part = NDArray[np.intp]
"""The places of examples."""
Threshold = float | None
FOLDS: Final = 5
INNER_FOLDS: Final = 3
SEED: Final = 2011
COSTS: Final = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0)
"""The values of C that are tried."""
POWERS: Final = (0.0, 0.5, 1.0)
"""The weights of the minority that are tried: the ratio of the classes to these powers."""


@dataclass(frozen=True)
class Treatment:
    """What is done about the imbalance; of several values the best are chosen, together with the learner's own.

    :param ratios: how many examples of the majority are kept, at random, for each of the minority; None keeps all
    :param powers: the minority weighs the ratio of the classes to this power; 0 is no weight
    :param threshold: whether the threshold is chosen as well, from all scores of the inner folds; by default positive
        is predicted above 0 of a decision function, or above 1/2 of a probability
    """

    ratios: tuple[float | None, ...] = (None,)
    powers: tuple[float, ...] = (0.0,)
    threshold: bool = False

    def __post_init__(self) -> None:
        for name, values, good in (("ratios", self.ratios, "1 or more, or None"), ("powers", self.powers, "0 or more")):
            least = 1 if name == "ratios" else 0
            wrong = [one for one in values if one is not None and one < least]
            if wrong or not values:
                raise InputError(f"{name} has {shown(wrong[0]) if wrong else 'no value'}; pass numbers, {good}")


TREATMENTS: Final[Mapping[str, Treatment]] = {
    "original": Treatment(),
    "balanced": Treatment(ratios=(1.0,)),
    "undersampling": Treatment(ratios=(1.0, 2.0, 5.0, 10.0, None)),
    "weighting": Treatment(powers=POWERS),
    "threshold": Treatment(threshold=True),
}
"""By name: nothing, RUS-balance of the paper, its ratio as a hyperparameter, class weights, and the threshold."""


def linear_learners(costs: Sequence[float] = COSTS) -> dict[str, tuple[Any, dict[str, Sequence[float]]]]:
    """Return the paper's classifiers, l2-regularised logistic regression and l2-loss SVM of LIBLINEAR, by name.

    :param costs: the values of C that are tried
    :returns: for each the estimator, features standardised first, and its grid of hyperparameters
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import LinearSVC

    regression = LogisticRegression(solver="liblinear", max_iter=1000, random_state=SEED)
    machine = LinearSVC(loss="squared_hinge", dual="auto", max_iter=1000, random_state=SEED)
    return {
        "LR": (make_pipeline(StandardScaler(), regression), {"logisticregression__C": costs}),
        "SVM": (make_pipeline(StandardScaler(), machine), {"linearsvc__C": costs}),
    }


Scored = tuple[FloatArray, float, bool]
"""Scores, the default threshold, and whether the training converged."""


class _Setting(NamedTuple):
    """Hyperparameters: the place in the learner's grid, the ratio of classes, and the weight of the minority."""

    place: int
    ratio: float | None
    weight: float


@dataclass(frozen=True, eq=False)
class _Design:
    features: Any
    positive: Truth
    learners: Mapping[str, tuple[Any, list[dict[str, Any]]]]
    treatments: Mapping[str, Treatment]
    criteria: Sequence[Criterion]
    metrics: Sequence[Criterion]
    folds: int
    inner_folds: int
    seed: int

    def rows(self, learner: str, fold: int) -> list[Row]:
        """Return what every treatment and criterion reach with a learner on a fold."""
        training, test = list(stratified(self.positive, self.folds, self.seed))[fold]
        of_treatments = {name: self._settings(learner, training, one) for name, one in self.treatments.items()}
        # Score the inner folds once for every setting, whichever treatments try it.
        tried = [
            setting
            for name, settings in of_treatments.items()
            for setting in settings
            if len(settings) > 1 or self.treatments[name].threshold
        ]
        inner = {setting: self._inner(learner, training, setting, fold) for setting in dict.fromkeys(tried)}
        rows, trained = [], {}
        for name, settings in of_treatments.items():
            for criterion in self.criteria:
                setting, threshold = _best(criterion, settings, inner, tuned=self.treatments[name].threshold)
                if setting not in trained:
                    part = self._resampled(training, setting, (self.seed, fold))
                    trained[setting] = part.size, *self._scores(learner, part, test, setting)
                size, scores, default, converged = trained[setting]
                cut = default if threshold is None else threshold
                values = {one.name: one.value(self.positive[test], scores, cut) for one in self.metrics}
                chosen = {**self.learners[learner][1][setting.place], "ratio": setting.ratio, "weight": setting.weight}
                where = {"learner": learner, "treatment": name, "criterion": criterion.name, "fold": fold}
                how = {"training": size, "converged": converged, "setting": chosen, "threshold": cut}
                rows.append({**where, **how, "values": values})
        return rows

    def _settings(self, learner: str, training: Part, treatment: Treatment) -> list[_Setting]:
        positive = self.positive[training]
        whole = float(np.mean(~positive) / np.mean(positive))
        # Keeping more of the majority than there are is keeping all.
        ratios = dict.fromkeys(None if ratio is None or ratio >= whole else ratio for ratio in treatment.ratios)
        return [
            _Setting(place, ratio, (whole if ratio is None else ratio) ** power)
            for power in treatment.powers
            for ratio in ratios
            for place in range(len(self.learners[learner][1]))
        ]

    def _resampled(self, part: Part, setting: _Setting, seed: tuple[int, ...]) -> Part:
        if setting.ratio is None:
            return part
        return undersampled(part, self.positive, np.random.default_rng(seed), setting.ratio)

    def _inner(
        self, learner: str, training: Part, setting: _Setting, fold: int
    ) -> list[tuple[Truth, FloatArray, float]]:
        """Return for each inner fold which examples are positive, their scores, and the default threshold."""
        found = []
        for number, (fit, hold) in enumerate(stratified(self.positive[training], self.inner_folds, self.seed)):
            part = self._resampled(training[fit], setting, (self.seed, fold, number))
            scores, default, _ = self._scores(learner, part, training[hold], setting)
            found.append((self.positive[training[hold]], scores, default))
        return found

    def _scores(self, learner: str, part: Part, test: Part, setting: _Setting) -> Scored:
        """Return what a learner makes of the test part."""
        from sklearn.base import clone
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.utils import _safe_indexing

        estimator, grid = self.learners[learner]
        model = clone(estimator).set_params(**grid[setting.place])
        if setting.weight != 1:
            model.set_params(**{_weight_of(model): {False: 1.0, True: setting.weight}})
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            model.fit(_safe_indexing(self.features, part), self.positive[part])
        converged = not any(issubclass(warning.category, ConvergenceWarning) for warning in caught)
        examples = _safe_indexing(self.features, test)
        if hasattr(model, "decision_function"):
            return np.asarray(model.decision_function(examples), dtype=np.float64), 0.0, converged
        return np.asarray(model.predict_proba(examples), dtype=np.float64)[:, 1], 0.5, converged


def _weight_of(estimator: Any) -> str:
    """Return the name of the parameter that weighs the classes, nothing if there is none."""
    return next((name for name in estimator.get_params() if name.rpartition("__")[2] == "class_weight"), "")


def _best(
    criterion: Criterion, settings: list[_Setting], inner: Mapping[_Setting, Any], *, tuned: bool
) -> tuple[_Setting, Threshold]:
    """Return the setting that is best by a criterion, of equals the first, and its threshold if that is tuned."""
    if len(settings) == 1 and not tuned:
        return settings[0], None
    found: list[tuple[float, Threshold]] = []
    for setting in settings:
        if tuned:
            found.append(best_threshold(criterion, *map(np.concatenate, list(zip(*inner[setting], strict=True))[:2])))
        else:
            values = np.array([criterion.value(*part) for part in inner[setting]])
            found.append((float(criterion.gain(values).mean()), None))
    place = int(np.argmax([gain for gain, _ in found]))
    return settings[place], found[place][1]


def best_threshold(criterion: Criterion, positive: Truth, score: FloatArray) -> tuple[float, float]:
    """Return the best value of a criterion of labels over all thresholds, and the highest of the best thresholds.

    Thresholds lie half-way between neighbouring scores, and beyond both ends.  The value is negated where less is
    better; -infinity if it is undefined at all.

    >>> (accuracy,) = as_criteria(["accuracy"], "criteria")
    >>> best_threshold(accuracy, np.array([True, True, False]), np.array([0.9, 0.4, 0.2]))
    (1.0, 0.30000000000000004)
    """
    scores = np.unique(score)[::-1]
    thresholds = np.concatenate(([np.inf], (scores[1:] + scores[:-1]) / 2, [-np.inf]))
    gains = criterion.gain(criterion.at_thresholds(*counts_above(positive, score, thresholds)))
    place = int(np.argmax(gains))
    return float(gains[place]), float(thresholds[place])


def undersampled(part: Part, positive: Truth, generator: np.random.Generator, ratio: float = 1.0) -> Part:
    """Return a part with as many examples of the majority, drawn at random, as of the minority, or a multiple of it.

    :param part: the places of its examples
    :param positive: of all examples, which are of the minority
    :param ratio: how many of the majority there are for each of the minority, if it has as many

    >>> places = undersampled(np.arange(6), np.arange(6) < 2, np.random.default_rng(0))
    >>> places.size, places[:2].tolist()
    (4, [0, 1])
    """
    smaller, larger = part[positive[part]], part[~positive[part]]
    kept = generator.choice(larger, size=min(round(ratio * smaller.size), larger.size), replace=False)
    return np.sort(np.concatenate([smaller, kept]))


def stratified(positive: Truth, count: int, seed: int) -> Iterator[tuple[Part, Part]]:
    """Yield the places of the examples to train with and of those to test with, classes in proportion."""
    from sklearn.model_selection import StratifiedKFold

    yield from StratifiedKFold(count, shuffle=True, random_state=seed).split(np.zeros(positive.size), positive)


# -- The study -----------------------------------------------------------------------------------------------------


@advising()
def resampling_study(
    features: Any,
    labels: Any,
    *,
    learners: Mapping[str, Any] | None = None,
    treatments: Iterable[str] | Mapping[str, Treatment] = tuple(TREATMENTS),
    criteria: object = ("AUC", "B42"),
    metrics: object = ("B42", "AUC", "H", "tpr", "tnr"),
    pos_label: Hashable | None = None,
    folds: int = FOLDS,
    inner_folds: int = INNER_FOLDS,
    seed: int = SEED,
    file: str | Path | None = None,
    progress: bool = True,
) -> ResamplingStudy:
    """Compare treatments of imbalance, with what inner cross-validation chooses by each criterion.

    Thai-Nghe, Gantner & Schmidt-Thieme (2011), sections III and IV, are the defaults; the undersampling ratio as a
    hyperparameter is what they propose at the end of section IV.D, and B42 and H as criteria, of hyperparameters and
    thresholds, what they leave for the future.

    :param features: an array or data frame, a row per example
    :param labels: one label of two or more classes per example, or the name of its column in the frame
    :param learners: estimators of scikit-learn by name, or pairs of one and its grid of hyperparameters; by default
        :func:`linear_learners`
    :param treatments: names of :data:`TREATMENTS`, or a mapping with one's own
    :param criteria: what is to be best on the inner folds: metrics, names, formulas, ``"AUC"``, ``"B42"``, ``"H"`` or
        functions of labels and scores
    :param metrics: what is measured on the test parts, likewise; ``"B42 at threshold"`` is that of predicted labels
    :param pos_label: the positive class, by default the rarest; all others together are the negative one
    :param folds, inner_folds: stratified ones, 2 or more
    :param file: where results are added fold by fold; a run that was interrupted goes on there, and ends as if it had
        not been
    :param progress: show it on standard error
    :raises InputError: on what cannot be run, before any training, and on a file with other results

    >>> from sklearn.datasets import load_iris
    >>> study = resampling_study(*load_iris(return_X_y=True), learners={"LR": linear_learners([1.0])["LR"]},
    ...     treatments=["original", "threshold"], criteria=["H"], metrics=["f1"], pos_label=1, folds=3, progress=False)
    >>> study.values("f1", learner="LR", treatment="threshold", criterion="H") == study.rows[1]["values"]["f1"]
    False
    """
    require_scikit_learn()
    design = _checked(
        *_examples(features, labels, pos_label),
        _read_learners(learners),
        _read_treatments(treatments),
        as_criteria(criteria, "criteria"),
        as_criteria(metrics, "metrics"),
        as_whole(folds, "folds", 2),
        as_whole(inner_folds, "inner_folds", 2),
        as_whole(seed, "seed", 0),
    )
    wanted = [(learner, fold) for learner in design.learners for fold in range(design.folds)]
    kept = None if file is None else KeptResults(Path(file), _origin(design))
    rows: list[Row] = []
    for learner, fold in watched(wanted, "learners and folds", shown=progress):
        found = None if kept is None else kept.found.get((learner, fold))
        if found is None:
            found = json.loads(json.dumps(design.rows(learner, fold), default=str))
            if kept is not None:
                kept.add(learner, fold, found)
        rows += found
    order = [*design.learners], [*design.treatments], [one.name for one in design.criteria]
    kinds = "learner", "treatment", "criterion"
    rows.sort(key=lambda row: [names.index(row[kind]) for names, kind in zip(order, kinds, strict=True)])
    return ResamplingStudy(tuple(rows), design.folds)


def _examples(features: Any, labels: Any, pos_label: Hashable | None) -> tuple[Any, Truth]:
    """Return the features, and which examples are positive."""
    if isinstance(labels, str) and hasattr(features, "columns"):
        if labels not in list(features.columns):
            raise UnknownNameError("column", labels, list(map(str, features.columns)))
        features, labels = features[[name for name in features.columns if name != labels]], features[labels]
    rows = features if hasattr(features, "columns") or hasattr(features, "tocsr") else np.asarray(features)
    ((names, codes),) = admit({"labels": labels}).codes()
    if len(getattr(rows, "shape", ())) != 2 or rows.shape[0] != codes.size:
        told = f"features has the shape {getattr(rows, 'shape', None)} and labels {codes.size} entries"
        raise InputError(f"{told}; pass a row of features for each label")
    counts = np.bincount(codes, minlength=len(names))
    if pos_label is None:
        pos_label = names[min(range(len(names)), key=lambda place: (counts[place], str(names[place])))]
    if pos_label not in names or len(names) < 2:
        raise InputError(f"labels has {', '.join(map(str, names[:5]))}; pass two classes, one of them as pos_label=")
    return rows, np.asarray(codes == names.index(pos_label))


def _read_learners(learners: Mapping[str, Any] | None) -> dict[str, tuple[Any, list[dict[str, Any]]]]:
    from sklearn.model_selection import ParameterGrid

    given: Any = linear_learners() if learners is None else learners
    if not isinstance(given, Mapping) or not given:
        raise InputError("learners is no mapping of estimators; pass one, as in {'LR': LogisticRegression()}")
    found = {}
    for name, one in given.items():
        estimator, grid = one if isinstance(one, tuple) and len(one) == 2 else (one, {})
        if not hasattr(estimator, "fit") or not any(
            hasattr(estimator, method) for method in ("decision_function", "predict_proba")
        ):
            raise InputError(f"the learner {name} has no fit, or gives no scores; pass a classifier of scikit-learn")
        if unknown := [key for key in grid if key not in estimator.get_params()]:
            raise InputError(f"the learner {name} has no parameter {unknown[0]!r}; see {name}.get_params()")
        found[str(name)] = estimator, list(ParameterGrid(dict(grid)))
    return found


def _read_treatments(treatments: Iterable[str] | Mapping[str, Treatment]) -> dict[str, Treatment]:
    if isinstance(treatments, Mapping):
        found = dict(treatments)
    else:
        names = [treatments] if isinstance(treatments, str) else list(treatments)
        for name in names:
            if name not in TREATMENTS:
                raise UnknownNameError("treatment", str(name), TREATMENTS)
        found = {name: TREATMENTS[name] for name in names}
    if not found or not all(isinstance(one, Treatment) for one in found.values()):
        raise InputError(f"treatments names none, or what is no Treatment; pass some of {', '.join(TREATMENTS)}")
    return found


def _checked(*parts: Any) -> _Design:
    """Return a design that can be run.

    :raises InputError: if it cannot
    """
    design = _Design(*parts)
    fewest = int(min(design.positive.sum(), (~design.positive).sum()))
    # The least that a training part can have of a class has to fill the inner folds.
    if fewest < design.folds or fewest - -(-fewest // design.folds) < design.inner_folds:
        raise InputError(f"a class has {fewest} examples, too few for the folds; pass fewer folds= or inner_folds=")
    for name, (estimator, _) in design.learners.items():
        if not _weight_of(estimator) and any(any(one.powers) for one in design.treatments.values()):
            raise InputError(f"the learner {name} has no class_weight; leave the treatment that weighs classes out")
    for criterion in design.criteria:
        if criterion.greater_is_better is None:
            raise InputError(f"neither end of {criterion.name} is better; choose by another of the criteria")
        if any(one.threshold for one in design.treatments.values()):
            criterion.at_thresholds(*(np.ones(1) for _ in range(4)))  # refuses what sets no threshold
    return design


def _origin(design: _Design) -> str:
    """Return a hash of data, design and code."""
    import joblib  # type: ignore[import-untyped]  # it comes with scikit-learn

    data = joblib.hash((design.features, design.positive, dict(design.learners)))
    names = [[one.name for one in some] for some in (design.criteria, design.metrics)]
    numbers = design.folds, design.inner_folds, design.seed
    return digest_of([data, repr(design.treatments), names, numbers, Path(__file__).read_text(encoding="utf-8")])
