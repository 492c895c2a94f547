"""Interval methods of matrix metrics."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

from symmetrics.tools.arguments import advising

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from symmetrics.matrices.slopes import WholeMatrix
    from symmetrics.numeric.averaging import Average
    from symmetrics.statistics.intervals import Interval
    from symmetrics.tools.arguments import Missing


class EstimatesIntervals:
    """Intervals for the value of a matrix metric, from counts or from examples."""

    name: str

    @abstractmethod
    def estimator(self, classes: int, average: Average) -> WholeMatrix:
        """Return this metric for a number of classes as an estimator from the entries."""

    @advising("pass one matrix, and settings by name, such as level; labels go to interval_from_labels(y_true, y_pred)")
    def interval(
        self,
        C: ArrayLike,
        *,
        average: Average = "macro",
        labels: Iterable[Hashable] | None = None,
        level: float = 0.95,
        method: str = "auto",
        sampling: str = "multinomial",
        draws: int = 10_000,
        prior: float = 0.5,
        seed: int = 0,
    ) -> Interval:
        """Return a confidence interval for the true value, from confusion matrices ``C[..., i, j]``.

        The errors of all entries are taken together, through the slope of the definition by each of the k*k.  The ends
        lie in the range of the metric at so many classes, with the value of the matrix between them.  A class that does
        not occur, neither in truth nor as a prediction, is left out, and ``note`` names the classes that a mean leaves
        out.  What is made of entropies, RCI and CEN, is too
        good on average, and its delta interval is formed around the value less that bias.

        :param C, average, labels: as for :meth:`from_confusion`; every average but None
        :param level: how often intervals made in this way contain the true value
        :param method: ``"auto"`` takes Wilson's for the share of right or of wrong predictions, and else ``"delta"``
            (of two classes ``"bayes"`` where an entry is small): the posterior of many small entries is pulled towards
            chance.  ``"delta"`` adds 1/(2*k*(k - 1)) to each entry for the slope and the error, and the estimate stays
            that of the matrix.  Further ``"bayes"``, ``"highest"``, ``"bootstrap"``, ``"bca"`` and ``"studentised"``,
            as for :meth:`symmetrics.Metric.interval`, and those for one proportion where it is one
        :param sampling: ``"multinomial"`` if the number of examples was fixed, ``"binomial"`` if that of each class was
        :param draws: how many matrices are drawn by the methods that draw
        :param prior: what the Dirichlet prior adds to each entry of two classes; of k, 2/(k*(k - 1)) of it
        :param seed: where the draws start; the same matrix has the same interval
        :returns: an interval of floats for one matrix, else of float64 arrays of the leading shape
        :raises InputError: as :meth:`from_confusion`, and on invalid settings

        >>> from symmetrics.matrices import multiclass
        >>> multiclass["kappa"].interval([[50, 5, 2], [4, 60, 9], [1, 7, 40]])
        0.7609 (0.6633 to 0.8283, 95 % delta, as there are more than two classes)
        """
        from symmetrics.data.counts import as_matrices
        from symmetrics.matrices.uncertainty import interval_at_matrices
        from symmetrics.numeric.classes import matched, named_rows
        from symmetrics.statistics.intervals import Question

        question = Question(level, method, sampling, draws, prior, seed)
        given, names = named_rows(C, labels, average)
        matrices = as_matrices(given)
        whole = self.estimator(matrices.shape[-1], matched(average, names, matrices.shape[-1]))
        return interval_at_matrices(whole, matrices, question, self.name, names)

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
        average: Average = "macro",
        missing: Missing = "refuse",
        **settings: Any,
    ) -> Interval:
        """Return a confidence interval from examples that were drawn in groups or strata, or carry weights.

        All is as for :meth:`symmetrics.Metric.interval_from_labels`.

        :param labels: the classes in their order, all of them
        :raises InputError: as there

        >>> from symmetrics.matrices import multiclass
        >>> truth, guess = ["a", "b", "c", "a", "b", "c"] * 9, ["a", "b", "c", "b", "b", "a"] * 9
        >>> authors = [author for author in range(18) for _ in range(3)]
        >>> multiclass["kappa"].interval_from_labels(truth, guess, groups=authors)
        0.5 (0.1968 to 0.7009, 95 % delta)
        """
        from symmetrics.matrices.uncertainty import interval_at_matrices
        from symmetrics.numeric.classes import matched
        from symmetrics.statistics.intervals import Question
        from symmetrics.statistics.methods import matrix_interval_of_examples
        from symmetrics.statistics.samples import Drawn, matrix_places, table_of

        question = Question.of(settings)
        columns = {"y_true": y_true, "y_pred": y_pred}
        examples, drawn = Drawn(groups, strata, sample_weight).examples(columns, missing)
        places, names = matrix_places(examples, labels, average)
        whole = self.estimator(len(names), matched(average, names, len(names)))
        if not drawn.is_plain:
            return matrix_interval_of_examples(whole, places, drawn, question, names)
        table = table_of(places, len(names) ** 2).reshape(len(names), len(names))
        return interval_at_matrices(whole, table, question, self.name, names)
