"""MulticlassMetric: a definition over a k x k confusion matrix together with everything that can be done with it."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Self, cast

from sympy import Expr, Indexed, Integer, Interval, S, latex

from symmetrics.language.definition import Citation
from symmetrics.language.parameter import Parameter, bound_values
from symmetrics.matrices.expansion import Entries, Expansion, entry_symbols
from symmetrics.matrices.intervals import EstimatesIntervals
from symmetrics.matrices.nodes import MEANS, ClassDistance, GeometricClassMean, k, with_values
from symmetrics.matrices.validated import exact_entries, exact_fill, exact_weights, number_of_classes, validated
from symmetrics.metric.scorers import CALLED, ScoresEstimators, scikit_learn_scorer, set_before
from symmetrics.posets.relevance import Relevance
from symmetrics.tools.arguments import advising, refusing_other_settings
from symmetrics.tools.budget import SECONDS
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from symmetrics.claims.verdict import Verdict
    from symmetrics.data.counts import Cells, FloatArray
    from symmetrics.matrices.property import MulticlassProperty
    from symmetrics.matrices.slopes import WholeMatrix
    from symmetrics.numeric.averaging import Average
    from symmetrics.tools.arguments import Missing


_NO_POSITIVE: Final = "no class of a matrix is the positive one; leave it out"
_CALLED: Final = CALLED | {"pos_label": _NO_POSITIVE, "positive": _NO_POSITIVE}


@dataclass(frozen=True, eq=False)
class MulticlassMetric(ScoresEstimators, EstimatesIntervals):
    """A metric of confusion matrices C of two or more classes, ``C[i, j]``: true class i, predicted class j.

    Where the order of the classes counts (:attr:`orders_classes`), it is that of the rows: for labels, the order of
    *labels*, or else that of the categories, if truth and prediction have the same ordered ones, by pandas, or are the
    same Enum of polars, or else sorted.

    :param name: the key
    :param definition: an expression in the language of :mod:`symmetrics.matrices.nodes`
    :param parameters: its free symbols, with their domains and defaults; a text declares one, as in
        ``"w in [0, 1] = 3/4"``
    :param title: the name in words
    :param aliases: other names in the literature
    :param range: the interval of values attained or approached, for two or more classes
    :param worst: the value that is normalised to 0
    :param best: the value that is normalised to 1
    :param cites: where the definition stands
    :param least: the least value at k classes, an expression in k, where it depends on their number
    :param least_if_alike: whether it is the least only where all classes have the same weight

    :raises DefinitionError: on what is no expression of that language, on floats and on undeclared symbols

    >>> from symmetrics.matrices import multiclass
    >>> multiclass["cba"].from_confusion([[1, 0, 3], [0, 100, 0], [0, 0, 200]]).__round__(3)
    0.745
    """

    name: str
    definition: Expr
    parameters: tuple[Parameter, ...] = ()
    title: str = ""
    aliases: tuple[str, ...] = ()
    range: Interval | None = None
    worst: int = 0
    best: int = 1
    cites: tuple[Citation, ...] = ()
    least: Expr | None = None
    least_if_alike: bool = False

    def __post_init__(self) -> None:
        definition, parameters = validated(self.name, self.definition, self.parameters, self.range)
        object.__setattr__(self, "definition", definition)
        object.__setattr__(self, "parameters", parameters)

    @advising("pass y_true and y_pred; a confusion matrix goes to from_confusion")
    @refusing_other_settings(_CALLED, set_before)
    def __call__(
        self,
        y_true: Iterable[Hashable],
        y_pred: Iterable[Hashable],
        *estimated: Any,
        labels: Iterable[Hashable] | None = None,
        average: Average = "macro",
        sample_weight: ArrayLike | None = None,
        zero_division: float = math.nan,
        missing: Missing = "refuse",
    ) -> float | FloatArray:
        """Return the metric of true and predicted labels, of any hashable type.

        :param labels: the classes and their order; by default those of a relevance, or else those that occur, in the
            order of ordered categories that both columns have, or else sorted.  They may leave classes out for a metric
            that is made of means over classes, which are then over these; no example is left out, and errors between
            these and other classes count.
        :param average: as for matrices; a relevance is matched by class
        :param sample_weight: a non-negative weight per example; one of weight 0 counts no more than one left out
        :param missing: treatment of missing labels: ``"refuse"``, ``"drop"`` their examples, or ``"keep"`` texts
            that stand for one, such as ``"NA"``, as labels
        :param zero_division: the value where the metric is undefined
        :param estimated: as for a metric of two classes: nothing, or what scikit-learn passes
        :raises InputError: on labels that do not fit together or to the settings, and where *labels* leave a class out
            of a metric of the whole matrix
        :warns LabelWarning: on *labels* that do not occur

        >>> from symmetrics.matrices import multiclass
        >>> multiclass["mcc"](["cat", "dog", "owl"], ["cat", "owl", "owl"]).__round__(4)
        0.6124
        """
        from symmetrics.numeric.classes import averaged_confusion

        scored = self._scored(y_true, y_pred, estimated, sample_weight, "average='macro'")
        if scored is not None:
            return scored
        matrix, weights, count = averaged_confusion(
            y_true, y_pred, average, labels=labels, sample_weight=sample_weight, missing=missing
        )
        if count < len(matrix) and self._needs_all_classes:
            raise InputError(
                f"labels leaves out classes that occur, and {self.name} is that of the whole matrix; name every class, "
                "or leave the examples of the others out first"
            )
        return self._evaluated(matrix, weights, zero_division, count=count)

    @advising("pass one matrix, and settings by name; labels go to a call of the metric, metric(y_true, y_pred)")
    def from_confusion(
        self,
        C: ArrayLike,
        *,
        average: Average = "macro",
        labels: Iterable[Hashable] | None = None,
        zero_division: float = math.nan,
    ) -> float | FloatArray:
        """Return the metric of confusion matrices ``C[..., i, j]``, true class i and predicted class j.

        Rounding leaves an error of at most 1e-12 of the value (of 1 where the value is smaller and there are fewer
        than 2**26 examples); what cancels more than that is computed again in exact arithmetic, or is nan.

        :param C: an array, or a DataFrame, whose columns are matched with its rows by name, whatever their order
        :param average: how the means over classes in the definition weigh them: ``"macro"`` all alike, ``"weighted"``
            by their numbers of examples, ``"micro"`` or ``"pooled"`` adds the cells up first, None leaves the means out
            and returns one value a class; a relevance, or one weight per class, weighs by it.  A metric that is not
            made of such means takes none but the default.
        :param labels: the names of the classes, in the order of the rows; a relevance is matched by them, and without
            them its classes are in the order of the rows.  A DataFrame has the names itself; *labels* then say in
            which order to take them.
        :param zero_division: the value where the metric is undefined.  By default undefined classes are left out of
            means; with a number they count as that, which may not be negative in a geometric mean.
        :returns: a float for one matrix, else a float64 array of the leading shape; for ``average=None`` (..., k)
        :raises InputError: on matrices that are not square, entries that are not counts, averages that are
            unknown or do not fit, and a DataFrame whose rows and columns have different names

        >>> from symmetrics.matrices import multiclass
        >>> from symmetrics.posets.relevance import scores
        >>> phi = scores({"a": 1, "b": 0.2, "c": 0.1})
        >>> multiclass["cba"].from_confusion([[1, 0, 3], [0, 100, 0], [0, 0, 200]], average=phi).__round__(3)
        0.422
        """
        from symmetrics.numeric.classes import named_rows

        matrices, names = named_rows(C, labels, average)
        return self._evaluated(matrices, average, zero_division, names=names)

    def _evaluated(
        self,
        confusion: ArrayLike,
        average: Average,
        zero_division: float,
        *,
        names: list[Hashable] | None = None,
        count: int | None = None,
    ) -> float | FloatArray:
        """Return the values at matrices, averaged over the first *count* classes only."""
        from symmetrics.matrices.compiled import evaluate_block
        from symmetrics.matrices.expansion import is_free_of_unit
        from symmetrics.numeric.averaging import as_zero_division, in_blocks
        from symmetrics.numeric.classes import matched, selected_cells

        fill = as_zero_division(zero_division)
        self._require_fill(fill < 0)
        self._require_average(average)

        def evaluated(cells: Cells, matrices: NDArray[np.generic]) -> FloatArray:
            chosen = cells if count is None else selected_cells(cells, count)
            weights = matched(average, names, chosen.tp.shape[-1])
            return evaluate_block(self._bound, chosen, matrices, weights, fill, self._bounds)

        values = in_blocks(evaluated, confusion, free_of_unit=is_free_of_unit(self._bound))
        return float(values) if values.ndim == 0 else values

    def scorer(self, **settings: Any) -> Any:
        """Return a scikit-learn scorer, which can be pickled: ``scorer(estimator, X, y_true, sample_weight=None)``.

        That of a loss, whose best value is below its worst, is negated.

        :param settings: those of a call, such as *average*, and those of scikit-learn's ``make_scorer``
        :raises InputError: without scikit-learn

        >>> from symmetrics.matrices import multiclass
        >>> multiclass["mcc"].scorer()
        make_scorer(mcc, response_method='predict')
        """
        return scikit_learn_scorer(self, name=self.name, greater_is_better=self.greater_is_better, settings=settings)

    def normalised(self, C: ArrayLike, **settings: object) -> float | FloatArray:
        """Return the metric on the scale from 0, worst, to 1, best: Branco, Torgo & Ribeiro (2017), table 3.

        That is (1 + MCC)/2 for MCC, 1 - CEN for CEN, and the metric itself for the others.  CEN of two classes may be
        above 1, and its normalised value below 0.

        :param settings: those of :meth:`from_confusion`; *zero_division* is on the metric's own scale

        >>> from symmetrics.matrices import multiclass
        >>> multiclass["cen"].normalised([[5, 0, 0], [0, 10, 0], [0, 300, 0]]).__round__(3)
        0.978
        """
        value = self.from_confusion(C, **settings)  # type: ignore[arg-type]  # passed on unchanged
        return (value - self.worst) / (self.best - self.worst)

    def at(self, **values: object) -> Self:
        """Return the same metric with some parameters bound to exact values.

        :raises DefinitionError: if a parameter is unknown or a value outside its domain

        >>> from symmetrics.matrices import multiclass
        >>> multiclass["f_of_means"].at(beta=2).name
        'f_of_means(beta=2)'
        """
        bound = bound_values(self.name, self.parameters, values)
        settings = ", ".join(f"{symbol}={value}" for symbol, value in bound.items())
        return replace(
            self,
            name=f"{self.name}({settings})" if settings else self.name,
            title=f"{self.title} ({settings})" if settings else self.title,
            aliases=(),
            definition=with_values(self.definition, bound),
            parameters=tuple(p for p in self.parameters if p.symbol not in bound),
        )

    def expr(self, classes: int, *, average: str | Relevance | Sequence[object] = "macro") -> Expr:
        """Return the formula for a given number of classes, over symbols ``c_1_1``, ``c_1_2``, ... for the entries.

        It is the formula for positive entries; where some are 0, :meth:`exact` has the values.

        :param average: ``"macro"``, ``"micro"`` or ``"weighted"``, or one expression per class, such as symbols
        :raises InputError: on what is no number of two or more classes, and on averages that are unknown or do not fit

        >>> from symmetrics.matrices import multiclass
        >>> multiclass["mavg"].expr(2)
        sqrt(c_1_1/(c_1_1 + c_1_2))*sqrt(c_2_2/(c_2_1 + c_2_2))
        """
        count = number_of_classes(classes)
        self._require_classes(count)
        return self._expanded(entry_symbols(count), average)(self.definition)

    def exact(
        self,
        C: Sequence[Sequence[object]],
        *,
        average: str | Relevance | Sequence[object] = "macro",
        labels: Iterable[Hashable] | None = None,
        zero_division: object = None,
    ) -> Expr:
        """Return the exact value at one matrix of non-negative whole or rational counts.

        :param C: rows of counts, an array, or a DataFrame, whose columns are matched with its rows by name
        :param average: ``"macro"``, ``"micro"``, ``"pooled"`` or ``"weighted"``, a relevance, or one exact weight per
            class
        :param labels: the names of the classes, as for :meth:`from_confusion`
        :param zero_division: the exact value where the metric, of a class or as a whole, is undefined; None or nan
            leaves such classes out
        :returns: a SymPy number; ``nan`` where the metric is undefined
        :raises InputError: on a matrix that is not square, on an entry, a weight or a *zero_division*
            that is negative where it may not be or inexact, and on weights that are all 0 or do not fit

        >>> from symmetrics.matrices import multiclass
        >>> multiclass["mavg"].exact([[1, 0, 3], [0, 100, 0], [0, 0, 200]])
        2**(1/3)/2
        """
        from symmetrics.numeric.classes import matched, named_rows

        weighing: Any = average  # exact or symbolic weights pass through
        matrix, names = named_rows(cast("ArrayLike", C), labels, weighing)
        entries = exact_entries(matrix)
        weights = matched(weighing, names, len(entries))
        fill = exact_fill(zero_division)
        self._require_fill(fill.is_negative is True)
        value = replace(self._expanded(entries, weights), undefined=fill)(self._bound)
        return fill if value in (S.NaN, S.ComplexInfinity) else value

    def prove(self, property: MulticlassProperty | str, k: int | None = None, *, seconds: float = SECONDS) -> Verdict:
        """Decide whether the metric has a property at a number of classes, as :func:`symmetrics.prove` does.

        A mean over classes is the plain one.

        :param property: one of ``symmetrics.multiclass_properties``, or its key
        :param k: the number of classes, 3 if none is given: what is proved for one says nothing of others
        :param seconds: how long it may take, checking included; what is not decided by then is open
        :raises InputError: on a number of classes about which the property says nothing
        :raises UnknownNameError: if no property has the key

        >>> from symmetrics.matrices import multiclass
        >>> kappa = multiclass["kappa"]
        >>> kappa.prove("monotone_rows", k=2).status, kappa.prove("monotone_rows", k=3).status
        ('proved', 'refuted')
        """
        from symmetrics.matrices.deciding import prove_at_size

        return prove_at_size(self, property, k, seconds=seconds)

    @cached_property
    def is_mean(self) -> bool:
        """Whether the definition is built from means over classes, so that classes can be weighted."""
        return bool(self.definition.has(*MEANS))

    @cached_property
    def _needs_all_classes(self) -> bool:
        """Whether the definition depends on the matrix other than through means over its classes."""
        return not self.is_mean or bool(self.definition.has(Indexed, k))

    @cached_property
    def orders_classes(self) -> bool:
        """Whether the classes are ordered: whether an error counts more, the further it is off."""
        return bool(self.definition.has(ClassDistance))

    @property
    def greater_is_better(self) -> bool:
        """True for a score, False for a loss."""
        return self.best > self.worst

    @cached_property
    def latex(self) -> str:
        """The definition in LaTeX, with the relevance phi of each class."""
        return str(latex(self.definition))

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex}$"

    @cached_property
    def _bound(self) -> Expr:
        return self.definition.xreplace({p.symbol: p.default for p in self.parameters})

    @cached_property
    def _bounds(self) -> tuple[float, float]:
        interval = Interval(-S.Infinity, S.Infinity) if self.range is None else self.range
        return float(interval.start), float(interval.end)

    def _range_at(self, classes: int, average: Average) -> tuple[float, float]:
        """Return the smallest and the largest value at a number of classes, for the scale of intervals."""
        from symmetrics.numeric.averaging import POOLED

        low, high = self._bounds
        alike = isinstance(average, str) and average in ("macro", *POOLED)
        if self.least is None or classes == 1 or (self.least_if_alike and not alike):
            return low, high
        return float(self.least.xreplace({k: Integer(classes)})), high

    def estimator(self, classes: int, average: Average) -> WholeMatrix:
        """Return this metric for a number of classes as an estimator from the entries."""
        from symmetrics.matrices.slopes import WholeMatrix
        from symmetrics.statistics.averages import one_value
        from symmetrics.statistics.intervals import Range

        self._require_average(average)
        return WholeMatrix(self._bound, classes, Range(*self._range_at(classes, average)), one_value(average))

    def _require_classes(self, classes: int) -> None:
        if classes < 2:
            raise InputError(f"C has {classes} class and {self.name} compares classes; pass a matrix of two or more")

    def _require_average(self, average: object) -> None:
        if not self.is_mean and not (isinstance(average, str) and average == "macro"):
            raise InputError(
                f"{self.name} is no mean over classes, so that average= does not apply; leave it out, or take a metric "
                "that is one, such as cba, f_of_means or mavg"
            )

    def _require_fill(self, is_negative: bool) -> None:
        if is_negative and self.definition.has(GeometricClassMean):
            raise InputError(
                f"zero_division is negative and {self.name} takes a root of the values of the classes; pass nan or a "
                "number of at least 0"
            )

    def _expanded(self, entries: Entries, average: object) -> Expansion:
        self._require_average(average)
        return Expansion(entries, exact_weights(average, entries))
