"""Metric: a definition together with everything that can be done with it."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from symmetrics.language.names import CELL_NAMES
from symmetrics.metric.acting import AsksForPredictions
from symmetrics.metric.constructed import MakesMetrics
from symmetrics.metric.export import WrittenElsewhere
from symmetrics.metric.guessing import ComparedWithGuessing
from symmetrics.metric.other_priors import UnderOtherPriors
from symmetrics.metric.scorers import CALLED, ScoresEstimators, scikit_learn_scorer, set_before
from symmetrics.tools.arguments import advising, attached, refusing_other_settings
from symmetrics.tools.errors import InputError, SymmetricsError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from sympy import Expr

    from symmetrics.data.counts import Cells, Counts, FloatArray
    from symmetrics.language.cells import Table
    from symmetrics.metric.export import Plots
    from symmetrics.numeric.averaging import Average
    from symmetrics.numeric.plans import Computable
    from symmetrics.numeric.source import Function
    from symmetrics.prover.symmetries import Symmetries
    from symmetrics.statistics.intervals import Interval
    from symmetrics.tools.arguments import Missing


_PLAIN: Final = frozenset({int, float})
"""Scalar types, for which no array is needed."""


@dataclass(frozen=True, eq=False)
class Metric(
    MakesMetrics, UnderOtherPriors, ComparedWithGuessing, AsksForPredictions, ScoresEstimators, WrittenElsewhere
):
    """A classification metric over the four cells TP, FN, FP, TN.

    A metric is a value: one made from a formula of one's own needs no registration and does all that a metric of the
    library does.  See :class:`~symmetrics.language.definition.Definition` for the arguments.

    >>> from symmetrics.language.cells import FN, FP, TP
    >>> mine = Metric("mine", TP / (TP + 7 * FN / 10 + 3 * FP / 10))
    >>> mine.from_counts(7, 2, 2, 9)
    0.7777777777777778
    >>> mine.exact(7, 2, 2, 9)
    7/9
    """

    @advising("pass y_true and y_pred; a confusion matrix goes to from_confusion, counts to from_counts")
    @refusing_other_settings(CALLED, set_before)
    def __call__(
        self,
        y_true: Iterable[Hashable],
        y_pred: Iterable[Hashable],
        *estimated: Any,
        labels: Iterable[Hashable] | None = None,
        pos_label: Hashable = 1,
        average: Average = "binary",
        sample_weight: ArrayLike | None = None,
        zero_division: float = math.nan,
        missing: Missing = "refuse",
    ) -> float | FloatArray:
        """Return the metric of true and predicted labels, of any hashable type.

        Examples with any number of labels come as indicator matrices: a row per example, a column per label, 0 and 1.
        Each label then stands against its absence, and ``average="samples"`` is the mean over the rows.

        :param labels: the classes to average over, and their order; by default all that occur, in the order of ordered
            categories that both columns have, or else sorted.  No example is left out, as in scikit-learn: what is of
            another class and taken for one of these, or the other way round, is an error.  For ``average="binary"``,
            the two classes.
        :param pos_label: the positive class, for ``average="binary"``
        :param average: ``"binary"``; or over the classes, each against the rest: ``"macro"``, ``"weighted"`` by
            support, None for one value a class, one weight per class, or a relevance, which is matched by class and
            brings the classes along if there are no *labels*; or all classes at once:

            - ``"pooled"`` adds the cells of all classes against the rest up and takes the metric of the sums;
            - ``"micro"`` is the same, and the share of correct predictions for recall, precision and F, as everywhere.
              A metric that depends on nothing but how many examples are right and how many are wrong, such as accuracy
              or the error rate, counts each example once here, where pooling counts it once for each class: accuracy
              is again the share of correct predictions.
        :param sample_weight: a non-negative weight per example; one of weight 0 counts no more than one left out
        :param zero_division: the value where the metric is undefined
        :param missing: treatment of missing labels: ``"refuse"``, ``"drop"`` their examples, or ``"keep"`` texts
            that stand for one, such as ``"NA"``, as labels
        :param estimated: nothing; but scikit-learn calls whatever stands in ``scoring=`` with an estimator, examples
            and labels, in this order, and a metric that is called so answers as its :meth:`scorer` does
        :raises InputError: on labels that do not fit together or to the settings
        :warns LabelWarning: on *labels* to average over that do not occur

        >>> from symmetrics.library import metrics
        >>> metrics["recall"](["cat", "cat", "dog"], ["cat", "dog", "dog"], pos_label="cat")
        0.5
        >>> true, predicted = ["cat", "cat", "dog"], ["cat", "owl", "dog"]
        >>> metrics["recall"](true, predicted, labels=["cat"], average="macro")
        0.5
        >>> [metrics["accuracy"](true, predicted, average=name).__round__(3) for name in ("micro", "pooled")]
        [0.667, 0.778]
        """
        from symmetrics.data.labels import binary_cells
        from symmetrics.numeric.classes import averaged_confusion, averaged_indicators, is_indicator

        scored = self._scored(y_true, y_pred, estimated, sample_weight, "pos_label=1")
        if scored is not None:
            return scored
        if is_indicator(y_true):
            settings: Any = {"labels": labels, "sample_weight": sample_weight, "zero_division": zero_division}
            return _plain(averaged_indicators(self._evaluate, y_true, y_pred, average, **settings))
        if isinstance(average, str) and average == "samples":
            raise InputError("average='samples' is for examples with several labels; pass rows of 0 and 1, one a label")
        if isinstance(average, str) and average == "binary":
            cells = binary_cells(
                y_true, y_pred, labels=labels, pos_label=pos_label, sample_weight=sample_weight, missing=missing
            )
            return self._from_cells(cells, zero_division)
        matrix, weights, count = averaged_confusion(
            y_true, y_pred, average, labels=labels, sample_weight=sample_weight, missing=missing, merged=True
        )
        if count < len(matrix) and self.counts_examples(average):
            raise InputError(
                f"labels leaves classes out and {self.name} with average='micro' is that of all examples; leave labels "
                "out, or pass average='pooled'"
            )
        return self._averaged(matrix, weights, zero_division, count=count)

    @advising("pass TP, FN, FP and TN, in this order; labels go to a call of the metric, metric(y_true, y_pred)")
    def from_counts(
        self,
        tp: ArrayLike,
        fn: ArrayLike | None = None,
        fp: ArrayLike | None = None,
        tn: ArrayLike | None = None,
        *,
        zero_division: float = math.nan,
        out: FloatArray | None = None,
    ) -> float | FloatArray:
        """Return the metric at tables of counts: scalars or arrays that broadcast.

        Counts are any finite numbers that are not negative: weighted and expected ones and rates, too.  One argument
        may hold all four: an array of shape (..., 4), in the order TP, FN, FP, TN; confusion matrices of shape
        (..., 2, 2), as :meth:`from_confusion` takes them; a structured array, a data frame, a row of one or a mapping
        with the names tp, fn, fp and tn, in any order.

        Where the formula as shown is 0/0 but its limit from positive tables exists, the limit is the value; a pole
        is infinite; anything else is *zero_division*.

        :param zero_division: the value where the metric is undefined
        :param out: where the values go: a float64 array of the common shape, contiguous in memory
        :returns: a float for scalars, else a float64 array of the common shape
        :raises InputError: on counts that are negative, infinite or nan, and on shapes that do not broadcast

        >>> from symmetrics.library import metrics
        >>> metrics["mcc"].from_counts([60000, 10], [5000, 20], [6000, 30], [70000, 10**15]).round(4).tolist()
        [0.8433, 0.2887]
        >>> metrics["precision"].from_counts(0, 5, 0, 5), metrics["precision"].from_counts(0, 5, 0, 5, zero_division=0)
        (nan, 0.0)
        >>> metrics["precision"].from_counts([[8, 2, 2, 88], [5, 5, 15, 75]]).tolist()
        [0.8, 0.25]
        """
        if zero_division is math.nan and {type(tp), type(fn), type(fp), type(tn)} <= _PLAIN:
            value = self._scalar(tp, fn, fp, tn)
            if value is not None:
                return value
        from symmetrics.data.counts import as_counts, four_counts
        from symmetrics.data.factorise import is_foreign

        counts = four_counts(tp, fn, fp, tn)
        if any(map(is_foreign, counts)):
            values: FloatArray = self._where_they_lie(counts, zero_division, out)
            return values
        return self._from_cells(as_counts(*counts), zero_division, out)

    @advising("pass one matrix, and settings by name; labels go to a call of the metric, metric(y_true, y_pred)")
    def from_confusion(
        self,
        C: ArrayLike,
        *,
        positive: SupportsIndex = 1,
        average: Average = "binary",
        labels: Iterable[Hashable] | None = None,
        zero_division: float = math.nan,
    ) -> float | FloatArray:
        """Return the metric of confusion matrices ``C[..., i, j]``, true class i and predicted class j.

        :param C: an array, or a DataFrame, whose columns are matched with its rows by name, whatever their order
        :param positive: index of the positive class, for ``average="binary"`` and two classes
        :param average: as for labels of examples; a relevance weighs the classes
        :param labels: the names of the classes, in the order of the rows; a relevance is matched by them, and without
            them its classes are in the order of the rows.  A DataFrame has the names itself; *labels* then say in
            which order to take them.
        :param zero_division: the value where the metric is undefined
        :returns: a float for one matrix, else a float64 array of the leading shape; for ``average=None`` (..., k)
        :raises InputError: on matrices that are not square, entries that are not counts, unknown averages, and a
            DataFrame whose rows and columns have different names

        >>> from symmetrics.library import metrics
        >>> metrics["recall"].from_confusion([[5, 1], [2, 6]])
        0.75
        >>> metrics["recall"].from_confusion([[5, 1, 0], [2, 6, 0], [0, 1, 1]], average=None).round(3).tolist()
        [0.833, 0.75, 0.5]
        """
        from symmetrics.data.counts import cells_from_confusion
        from symmetrics.numeric.classes import matched, named_rows, place_of_positive

        matrices, names = named_rows(C, labels, average)
        if isinstance(average, str) and average == "binary":
            cells = cells_from_confusion(matrices, place_of_positive(positive, names))
            matched(average, names, 2)
            return self._from_cells(cells, zero_division)
        return self._averaged(matrices, average, zero_division, names=names)

    def _averaged(
        self,
        matrices: ArrayLike,
        average: Average,
        zero_division: float,
        *,
        names: list[Hashable] | None = None,
        count: int | None = None,
    ) -> float | FloatArray:
        """Return the average over the classes, or over the first *count* of them."""
        from symmetrics.numeric.averaging import average_cells, each_example_once, in_blocks
        from symmetrics.numeric.classes import matched, selected_cells

        by_example = self.counts_examples(average)

        def averaged(cells: Cells, _: object) -> FloatArray:
            chosen = cells if count is None else selected_cells(cells, count)
            weights = matched(average, names, chosen.tp.shape[-1])
            if by_example:
                chosen = each_example_once(chosen)
            return average_cells(self._evaluate, chosen, weights, zero_division=zero_division)

        return _plain(in_blocks(averaged, matrices))

    def counts_examples(self, average: Average) -> bool:
        """Whether an average counts each example once, rather than once per class."""
        return isinstance(average, str) and average == "micro" and self._is_of_examples

    @cached_property
    def _is_of_examples(self) -> bool:
        """Whether the metric depends only on TP + TN and FN + FP: the numbers of correct and of wrong examples.

        It does if taking the mean of TP and TN for both, and that of FN and FP for these, changes nothing.
        """
        import numpy as np

        from symmetrics.claims import Identity
        from symmetrics.data.counts import Cells
        from symmetrics.language.cells import CELLS, FN, FP, TN, TP
        from symmetrics.prover.acceptance import decide_and_check

        here, there = self._evaluate(Cells(*(np.array(pair) for pair in ((7.0, 9), (2, 2.5), (3, 2.5), (11, 9)))))
        if abs(here - there) > 1e-6:
            return False
        right, wrong = (TP + TN) / 2, (FN + FP) / 2
        claim = Identity(self.value_formula, (), (CELLS, (right, wrong, wrong, right)))
        return decide_and_check(claim, metric=self.name, property="examples").status == "proved"

    def _from_cells(
        self, cells: Cells | Counts, zero_division: float, out: FloatArray | None = None
    ) -> float | FloatArray:
        import numpy as np

        from symmetrics.numeric.averaging import as_zero_division

        fill = as_zero_division(zero_division)
        values = self._evaluate(cells, out)
        if not math.isnan(fill):
            values[np.isnan(values)] = fill
        return values if out is not None else _plain(values)

    def _where_they_lie(self, counts: Sequence[Any], zero_division: float, out: FloatArray | None) -> Any:
        """Return the values at arrays of other libraries, as an array of the same library and device."""
        from symmetrics.data.counts import as_counts
        from symmetrics.numeric.averaging import as_zero_division
        from symmetrics.numeric.compiled import plan_within
        from symmetrics.numeric.devices import Task, values_where_they_lie

        if out is not None:
            raise InputError("out takes values of arrays of NumPy alone; leave it out")
        plan = plan_within(self.computable, self.bounds)
        task = Task([self.computable], [self.bounds], plan)
        by_numpy = lambda: [self._from_cells(as_counts(*counts), zero_division)]  # noqa: E731
        return values_where_they_lie([task], by_numpy, counts, as_zero_division(zero_division))[0]

    def _evaluate(self, cells: Cells | Counts, out: FloatArray | None = None) -> FloatArray:
        from symmetrics.numeric.compiled import evaluate

        return evaluate(self.computable, cells, bounds=self.bounds, out=out)

    @cached_property
    def _scalar(self) -> Function:
        from symmetrics.numeric.source import scalar_function

        return scalar_function(self.computable, self.bounds)

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle: everything but the compiled function, which is recompiled when needed."""
        return {name: value for name, value in self.__dict__.items() if name != "_scalar"}

    @cached_property
    def bounds(self) -> tuple[float, float] | None:
        """The ends of the range as floats; None if it is not known."""
        return None if self.range is None else (float(self.range.start), float(self.range.end))

    @cached_property
    def value_formula(self) -> Expr:
        """The formula that is evaluated: every parameter at its default."""
        return self.at_defaults()

    @cached_property
    def computable(self) -> Computable:
        """The same formula in a form ready for evaluation; precompiled for a record of the library."""
        return self.value_formula

    @property
    def plot(self) -> Plots:
        """Plots of the metric: ``plot.isometrics()``, ``plot.prior()`` and others; they need matplotlib."""
        drawn: Plots = attached("plot")(self)
        return drawn

    def exact(self, tp: object, fn: object, fp: object, tn: object) -> Expr:
        """Return the exact value at one table of non-negative whole or rational counts.

        :returns: a SymPy number; ``oo`` or ``-oo`` at a pole, ``nan`` where the metric is undefined
        :raises InputError: on a count that is negative or no finite number

        >>> from symmetrics.library import metrics
        >>> metrics["gmean"].exact(2, 1, 1, 1)
        sqrt(3)/3
        """
        from symmetrics.algebra.limits.extension import extension_of
        from symmetrics.language.formula import exact_rational

        counts = []
        for name, count in zip(CELL_NAMES, (tp, fn, fp, tn), strict=True):
            try:
                value = exact_rational(count, name.lower())
            except SymmetricsError as error:
                raise InputError(str(error)) from None
            if value < 0:
                raise InputError(f"{name.lower()} is {value}: a count cannot be negative")
            counts.append(value)
        return extension_of(self.value_formula).value(*counts)

    @advising(
        "pass TP, FN, FP and TN, and settings by name, as in level=0.9; labels go to interval_from_labels(y_true, "
        "y_pred), a confusion matrix to interval_from_confusion(C)"
    )
    def interval(
        self,
        tp: ArrayLike,
        fn: ArrayLike,
        fp: ArrayLike,
        tn: ArrayLike,
        *,
        level: float = 0.95,
        method: str = "auto",
        sampling: str = "multinomial",
        draws: int = 10_000,
        prior: float = 0.5,
        seed: int = 0,
    ) -> Interval:
        """Return a confidence interval for the true value, from tables of counts: scalars or arrays that broadcast.

        The ends lie in the range of the metric, with the value of the table between them.  Where the table has no
        value, the interval is what the prior leaves, or the whole range.  An end that the metric has at tables without
        empty cells, such as 0 at independence, belongs to the interval of ``"auto"`` exactly if a test does not reject
        these: Fisher's exact one of independence, the binomial one of equal sums of cells.

        :param level: how often intervals made in this way contain the true value
        :param method: ``"auto"`` takes what covers best in the coverage study: the inverted score test for one
            proportion or two (Wilson, Miettinen & Nurminen, Koopman), ``"chi_square"``, the inverted minimum chi-square
            test, near kinks of the formula and ends of its range inside of the tables, and else ``"bayes"`` at tables
            with a small cell and ``"delta"`` at others; the field ``why`` says which of these it was.  ``"delta"`` adds
            1/4 to each cell before it takes the slope and the error, as a share of 0 has none; the estimate stays that
            of the table.  Further ``"jeffreys"``, ``"exact"`` and ``"midp"`` for one proportion, ``"highest"`` for the
            shortest interval of the posterior, ``"bootstrap"``, ``"bca"`` and ``"studentised"``
        :param sampling: ``"multinomial"`` if the number of examples was fixed, ``"binomial"`` if the numbers of
            positives and of negatives were
        :param draws: how many tables are drawn by the methods that draw
        :param prior: pseudo-count of the Dirichlet prior per cell; 1/2 is Jeffreys'
        :param seed: where the draws start; the same table has the same interval
        :returns: an interval of floats for scalars, else of float64 arrays of the common shape
        :raises InputError: on invalid counts, a level outside (0, 1), an unknown method, and one for proportions
            if the metric is no function of such

        >>> from symmetrics.library import metrics
        >>> metrics["recall"].interval(15, 133, 0, 0)
        0.1014 (0.06006 to 0.1581, 95 % midp, as it is one proportion, with fewer than 30 of 50 or more right or wrong)
        >>> low, high = metrics["mcc"].interval(400, 100, 200, 1300)
        >>> round(low, 3), round(high, 3)
        (0.59, 0.666)
        >>> metrics["cramer_v"].interval(1, 29, 0, 30)
        0.1302 (0 to 0.3018, 95 % chi_square, as an inner end of the range is near by)
        """
        from symmetrics.metric.uncertainty import interval_at
        from symmetrics.statistics.intervals import Question

        question = Question(level, method, sampling, draws, prior, seed)
        return interval_at(self, (tp, fn, fp, tn), question)

    def interval_from_confusion(
        self,
        C: ArrayLike,
        *,
        average: Average = "macro",
        labels: Iterable[Hashable] | None = None,
        **settings: Any,
    ) -> Interval:
        """Return a confidence interval for an average over the classes, from confusion matrices.

        All entries vary together, so that the classes' errors are not taken for independent.

        :param C: matrices of shape (..., k, k)
        :param average: as for :meth:`from_confusion`, except None
        :param labels: as for :meth:`from_confusion`, such as to match a relevance with the rows
        :param settings: those of :meth:`interval`; its methods for proportions have no meaning here
        :returns: an interval whose field ``note`` names the classes that a mean leaves out, as they have no value
        :raises InputError: on matrices, averages and invalid settings

        >>> from symmetrics.library import metrics
        >>> metrics["f1"].interval_from_confusion([[50, 5, 2], [4, 60, 9], [1, 7, 40]])
        0.8428 (0.7796 to 0.8872, 95 % delta, as every class has enough examples)
        >>> matrix = [[50, 5, 0], [4, 60, 0], [0, 0, 0]]
        >>> metrics["f1"].interval_from_confusion(matrix, labels=["cat", "dog", "owl"]).note
        "mean over 2 of 3 classes: 'owl' does not occur"
        """
        from symmetrics.metric.uncertainty import interval_of_average
        from symmetrics.statistics.intervals import Question

        return interval_of_average(self, C, average, Question.of(settings), labels=labels)

    @advising("pass y_true and y_pred, and settings by name, as in level=0.9")
    def interval_from_labels(
        self,
        y_true: Iterable[Hashable],
        y_pred: Iterable[Hashable],
        *,
        groups: Iterable[Hashable] | None = None,
        strata: Iterable[Hashable] | None = None,
        sample_weight: ArrayLike | None = None,
        labels: Iterable[Hashable] | None = None,
        pos_label: Hashable = 1,
        average: Average = "binary",
        missing: Missing = "refuse",
        **settings: Any,
    ) -> Interval:
        """Return a confidence interval from examples that were drawn in groups or strata, or carry weights.

        Examples that come in groups, such as the images of one patient, are more alike than others, and an interval
        that takes them for independent is too short.  Without groups, strata and weights it is that of the counts.

        :param groups: the group of each example, of which whole groups were drawn; at least two, better thirty
        :param strata: the stratum of each example, from each of which a fixed number of groups, or of examples, was
            drawn; ``strata=y_true`` if the numbers of positives and of negatives were fixed
        :param sample_weight: how much each example stands for, such as the inverse of how probable it was to be drawn;
            strata that were drawn in other shares than they have need such weights
        :param labels, pos_label, average, missing: as for a call; of the averages all but None, and *labels* names all
            classes
        :param settings: those of :meth:`interval`; with groups, strata or weights *method* is ``"delta"``, of the
            linearised variance between groups and with the quantile of Student's t, or ``"bootstrap"``, of whole groups
        :raises InputError: on labels and settings that do not fit together, on a group in several strata, and on a
            stratum with a single group

        >>> from symmetrics.library import metrics
        >>> patients = [patient for patient in range(16) for _ in range(3)]
        >>> truth, guess = [int(p % 4 > 0) for p in patients], [int(p % 5 > 0) for p in patients]
        >>> metrics["f1"].interval_from_labels(truth, guess)
        0.75 (0.625 to 0.8438, 95 % score, as it is one proportion (Wilson))
        >>> metrics["f1"].interval_from_labels(truth, guess, groups=patients)
        0.75 (0.4798 to 0.8978, 95 % delta)
        """
        from symmetrics.metric.uncertainty import interval_of_examples
        from symmetrics.statistics.intervals import Question
        from symmetrics.statistics.samples import Drawn

        drawn, question = Drawn(groups, strata, sample_weight), Question.of(settings)
        return interval_of_examples(
            self,
            y_true,
            y_pred,
            drawn,
            question,
            labels=labels,
            pos_label=pos_label,
            average=average,
            missing=missing,
        )

    def gradient(self) -> Table:
        """Return the partial derivatives by TP, FN, FP, TN, in this order, with the parameters as symbols.

        >>> from symmetrics.library import metrics
        >>> metrics["recall"].gradient()[2:]
        (0, 0)
        """
        from symmetrics.algebra.derivative import gradient

        return gradient(self.expr)

    def scorer(self, *, greater_is_better: bool | None = None, **settings: Any) -> Any:
        """Return a scikit-learn scorer, which can be pickled: ``scorer(estimator, X, y_true, sample_weight=None)``.

        It goes wherever ``scoring=`` does: cross-validation, searches, the tuning of thresholds.  A larger value of it
        is better: that of a loss is negated, as in scikit-learn.  Which way a metric points is decided by proof
        (:mod:`symmetrics.metric.direction`), not by what was declared.  Unless *labels* are set, the classes are those
        of the estimator, so that a fold in which one of them does not occur is scored as all others.  A fold without
        a value is nan, with a warning.

        :param greater_is_better: which way it points, for a metric of which no proof decides it
        :param settings: those of a call, such as *average*, and those of scikit-learn's ``make_scorer``, such as
            *response_method*
        :raises InputError: on a metric that points nowhere, and without scikit-learn

        >>> from symmetrics.library import metrics
        >>> metrics["fpr"].scorer()
        make_scorer(fpr, greater_is_better=False, response_method='predict')
        """
        points_up = self._points_up if greater_is_better is None else greater_is_better
        return scikit_learn_scorer(self, name=self.name, greater_is_better=points_up, settings=settings)

    @cached_property
    def _points_up(self) -> bool | None:
        """Whether larger values are better, by proof (:mod:`symmetrics.metric.direction`); None if undecided."""
        from symmetrics.metric.direction import greater_is_better

        return greater_is_better(self)

    def symmetries(self) -> Symmetries:
        """Return all symmetries: permutations of the cells, and the translations and scalings that leave M unchanged.

        Those of a metric of the library are read from the certificates that come with the package, as by ``prove``; of
        any other formula they are decided, and re-verified by other code.

        >>> from symmetrics.library import metrics
        >>> metrics["f1"].symmetries()
        symmetries of f1
          permutations  M: identity, (FN FP)
          translations  span{(0, 1, -1, 0), (0, 0, 0, 1)}
          scalings      span{(1, 1, 1, 0), (0, 0, 0, 1)}
        """
        from symmetrics.prover.symmetries import symmetries_of

        return symmetries_of(self.name, self.expr, self.parameters)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex}$"


_ADVICE: Final = "pass a name and a formula, as in Metric('mine', 'TP/(TP + FN)')"
Metric.__init__ = advising(_ADVICE)(Metric.__init__)  # type: ignore[method-assign]  # the dataclass generates __init__


def _plain(values: FloatArray) -> float | FloatArray:
    return float(values) if values.ndim == 0 else values
