"""ROC curves of binned scores, counted by a data frame engine, with exact error bounds.

Within a bin the order of the examples is not known.  The curve goes through the corners of the bins, and between two
of them anywhere in the box that they span.  So a pair of a positive and a negative example in different bins counts
towards the area as it does, and one within a bin as something from 0 to 1: with p and n examples of the classes in each
bin, P and N in all, and half a pair for each of these,

    |AUC - estimate| <= sum over the bins of p n / (2 P N),

which is reached where all bins hold their positive examples above their negative ones.  A bin of one single score
holds ties alone, of which half is right: it adds nothing to the bound.  H grows with the hull of the curve, which lies
between that of the corners and that of the boxes' upper left ends as well.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symmetrics.curves.examples import BoolArray, is_whole
from symmetrics.curves.geometry import Hull, upper_hull
from symmetrics.curves.hmeasure import B42, BetaCosts, h_of_hull
from symmetrics.curves.roc import RocCurve, scaled
from symmetrics.data.columns import (
    as_frame,
    as_labels,
    is_lazy,
    is_no_weight,
    is_positive,
    named_columns,
    narwhals,
    native_error,
)
from symmetrics.data.counts import FloatArray, shown
from symmetrics.data.frames import is_missing as is_missing_label
from symmetrics.data.grouping import label_faults, refuse_faults, with_labels
from symmetrics.tools.arguments import Missing, advising, as_missing
from symmetrics.tools.errors import InputError

BINS: Final = 1 << 16
_MOST_BINS: Final = 1 << 24


class Enclosure(NamedTuple):
    """An estimate with guaranteed bounds, up to float64 rounding.

    :param value: the estimate
    :param low: no larger than the true number
    :param high: no smaller
    """

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Largest distance of the true value from the estimate."""
        return max(self.high - self.value, self.value - self.low)


class ScoreBins(NamedTuple):
    """Bins of equal width over a range of scores; binning is monotone in the score.

    :param low: the lowest score
    :param high: the highest
    :param number: of the bins
    """

    low: float
    high: float
    number: int

    @property
    def start(self) -> float:
        """Half the lowest score: a difference of halves cannot overflow."""
        return self.low * 0.5

    @property
    def width(self) -> float:
        """Half the range, 1 for a range of a single bin."""
        return (self.high * 0.5 - self.start) or 1.0

    def of(self, scores: FloatArray) -> NDArray[np.int64]:
        """Return the bin of each score.

        >>> ScoreBins(0.0, 1.0, 4).of(np.array([0.0, 0.25, 0.3, 1.0])).tolist()
        [0, 1, 1, 3]
        """
        places = np.floor((scores * 0.5 - self.start) / self.width * self.number)
        return np.asarray(np.minimum(places, self.number - 1), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class ScoreHistogram:
    """Histogram of the scores of two classes, with bounds on ROC curve and areas.

    :param positive: the (weighted) number of positive examples in each bin, the lowest scores first
    :param negative: the number of negative ones
    :param tied: which bins hold a single score
    :param highest: the highest score of each bin

    >>> histogram = ScoreHistogram.of([2, 0, 1], [0, 1, 1], [True, True, False], [0.1, 0.5, 0.9])
    >>> histogram.auc()
    Enclosure(value=0.25, low=0.16666666666666666, high=0.3333333333333333)
    """

    positive: FloatArray
    negative: FloatArray
    tied: BoolArray
    highest: FloatArray

    @classmethod
    def of(cls, positive: Any, negative: Any, tied: Any, highest: Any) -> ScoreHistogram:
        """Build a histogram from its bins, lowest scores first.

        :raises InputError: unless both classes have examples, of a finite weight
        """
        counts = np.asarray(positive, dtype=np.float64), np.asarray(negative, dtype=np.float64)
        for name, number in zip(("positive", "negative"), counts, strict=True):
            with np.errstate(over="ignore"):
                total = number.sum()
            if not total > 0:
                raise InputError(f"no example is {name}; a ROC curve takes examples of both classes")
            if not total < math.inf:
                raise InputError(f"{name} examples weigh more than float64 holds; divide every weight by the largest")
        return cls(*counts, np.asarray(tied, dtype=np.bool_), np.asarray(highest, dtype=np.float64))

    def curve(self) -> RocCurve:
        """Return the ROC curve through the corners of the bins, which lie on the true curve.

        A threshold is the highest score of the bin below which nothing more is counted, so that it is reached by part
        of what is counted there, but for bins of one score.
        """
        fp, tp = self._corners
        return RocCurve(tp, fp, np.concatenate(([np.inf], self.highest[::-1])))

    def auc(self) -> Enclosure:
        """Return the area under the ROC curve, with bounds: the order within bins is unknown."""
        fp, tp = self._corners
        positive, negative = scaled(self.positive, tp[-1]), scaled(self.negative, fp[-1])
        pairs = float(scaled(tp)[-1] * scaled(fp)[-1])
        certain = float(np.sum(negative[::-1] * scaled(tp)[:-1]))
        within = positive * negative
        ties, unknown = float(within[self.tied].sum()), float(within[~self.tied].sum())
        low = certain + ties / 2
        return Enclosure(*(float(min(1.0, number / pairs)) for number in (low + unknown / 2, low, low + unknown)))

    def gini(self) -> Enclosure:
        """Return the Gini coefficient 2 AUC - 1."""
        return Enclosure(*(2 * number - 1 for number in self.auc()))

    def kolmogorov_smirnov(self) -> Enclosure:
        """Return the largest difference of TPr and FPr over thresholds; the estimate is that at the corners."""
        fp, tp = (corner / corner[-1] for corner in self._corners)
        low = float(np.abs(tp - fp).max())
        open_bins = ~self.tied[::-1]
        ends = np.concatenate(((tp[1:] - fp[:-1])[open_bins], (fp[1:] - tp[:-1])[open_bins], [low]))
        return Enclosure(low, low, float(ends.max()))

    def h_measure(self, a: float = 2, b: float = 2) -> Enclosure:
        """Return the H-measure with Beta(a, b) costs; the estimate is the midpoint of the bounds.

        :raises InputError: on *a* or *b* not above 0
        """
        low, high = (h_of_hull(hull, BetaCosts(a, b)) for hull in (self._hull(upper=False), self._hull(upper=True)))
        return Enclosure((low + high) / 2, low, max(low, high))

    def b42(self) -> Enclosure:
        """Return B42, the H-measure with Beta(4, 2) costs."""
        return self.h_measure(B42.a, B42.b)

    @property
    def _corners(self) -> tuple[FloatArray, FloatArray]:
        """FP and TP as the threshold decreases from bin to bin."""
        fp, tp = (np.concatenate(([0.0], np.cumsum(part[::-1]))) for part in (self.negative, self.positive))
        return fp, tp

    def _hull(self, *, upper: bool) -> Hull:
        fp, tp = self._corners
        if upper:  # best case: each bin ranks its positives above its negatives
            open_bins = np.flatnonzero(~self.tied[::-1])
            fp, tp = np.insert(fp, open_bins + 1, fp[open_bins]), np.insert(tp, open_bins + 1, tp[open_bins + 1])
        vertices = upper_hull(fp, tp)
        return Hull(fp[vertices], tp[vertices])


MEASURES: Final = {
    "auc": ScoreHistogram.auc,
    "gini": ScoreHistogram.gini,
    "kolmogorov_smirnov": ScoreHistogram.kolmogorov_smirnov,
    "h_measure": ScoreHistogram.h_measure,
    "b42": ScoreHistogram.b42,
}
"""Ranking measures with bounds from a histogram, by their names in :mod:`symmetrics.curves.measures`."""


@advising()
def score_histogram(
    frame: Any,
    truth: str,
    score: str,
    *,
    positive: Hashable = 1,
    weight: str | None = None,
    bins: int | None = BINS,
    missing: Missing = "refuse",
) -> ScoreHistogram:
    """Histogram the scores of a data frame in its own engine, with bins of equal width.

    Two queries are made, for the range and for the counts, and at most so many rows leave the engine as there are bins.

    :param frame: as :func:`symmetrics.counts` takes it
    :param truth: name of the column of true labels, *positive* against all others
    :param score: name of the column of scores, finite numbers, higher for more positive
    :param weight: name of a column of weights; an example of weight 0 is as one left out
    :param bins: how many; None for one per distinct score, so that everything is exact
    :param missing: treatment of missing labels, as :func:`symmetrics.counts` takes it
    :raises InputError: on columns that are missing or hold what is no label, score or weight, and unless both classes
        occur

    >>> import pandas
    >>> frame = pandas.DataFrame({"y": [0, 1, 1, 0], "s": [0.1, 0.4, 0.35, 0.35]})
    >>> score_histogram(frame, "y", "s", bins=None).auc()
    Enclosure(value=0.875, low=0.875, high=0.875)
    """
    if bins is not None and not (is_whole(bins) and 0 < bins <= _MOST_BINS):
        raise InputError(f"bins={shown(bins)} is no number of bins; pass one from 1 to {_MOST_BINS}, or None")
    # 1. Find the columns, with the types that scores, labels and weights need.
    library, found, how = narwhals(), as_frame(frame), as_missing(missing)
    wanted = {"truth": truth, "score": score, **({} if weight is None else {"weight": weight})}
    found, columns = named_columns(found, wanted)
    found, of_truth = as_labels(found, columns["truth"])
    of_score = columns["score"]
    if not of_score.dtype.is_numeric():
        raise InputError(
            f"column {score!r} has the type {of_score.dtype}: a score is a number; name a column of numbers"
        )
    # 2. Per row: score, weight as a positive example, weight as a negative one.
    is_one = is_positive(of_truth, positive, found.implementation)
    one = library.lit(1.0) if weight is None else columns["weight"].values.cast(library.Float64)
    number = of_score.values.cast(library.Float64)
    # 3. Faults as indicator columns, whose sums come back with the range of the scores.
    faulty = label_faults(of_truth, how) | {
        f"column {score!r} holds a score in {{}} that is missing or infinite; leave those examples out": ~(
            (number > -math.inf) & (number < math.inf)
        ).fill_null(False),
    }
    if weight is not None:
        what = "a weight in {} that is missing, negative or infinite; pass weights that are finite and not negative"
        faulty[f"column {weight!r} holds {what}"] = is_no_weight(columns["weight"])
    marked = with_labels(found, [of_truth], how).select(
        number.alias("s"),
        (of_score.values if of_score.dtype.is_integer() else number).alias("given"),
        library.when(is_one).then(one).otherwise(library.lit(0.0)).alias("p"),
        library.when(is_one).then(library.lit(0.0)).otherwise(one).alias("n"),
        *(fault.cast(library.Int64).alias(f"f{place}") for place, fault in enumerate(faulty.values())),
    )
    try:
        return _binned(marked, list(faulty), bins)
    except InputError:
        raise
    except Exception as error:  # each engine has its own errors
        raise native_error(error) from None


def _binned(marked: Any, reasons: list[str], bins: int | None) -> ScoreHistogram:
    """Return the histogram of columns s, p and n, after refusing faults recorded in columns f0, f1, ...

    What ties is told by the scores as they are given: float64 merges whole numbers beyond 2**53.
    """
    library = narwhals()
    # First query: range of the scores that count, and the number of faults.
    faults = [library.col(f"f{place}").sum() for place in range(len(reasons))]
    counts = (library.col("p") > 0) | (library.col("n") > 0)
    score = library.when(counts).then(library.col("s"))
    ends = _fetched(marked.select(score.min().alias("low"), score.max().alias("high"), *faults))
    refuse_faults({reason: int(ends[f"f{place}"][0] or 0) for place, reason in enumerate(reasons)})
    if is_missing_label(ends["low"][0]):
        raise InputError("the frame has no rows that count; pass one row per example, of a weight above 0")
    # Second query: the bin of each score, computed in halves, or the score itself; sums per bin.
    place = library.col("given")
    if bins is not None:
        into = ScoreBins(ends["low"][0], ends["high"][0], bins)
        place = ((library.col("s") * 0.5 - into.start) / into.width * bins).floor()
        place = library.when(place < bins).then(place).otherwise(library.lit(float(bins - 1)))
    counted = marked.filter(counts).select(place.alias("b"), "given", "p", "n").group_by("b")
    sums = (library.col("p").sum(), library.col("n").sum())
    ends_of_bin = (library.col("given").min().alias("low"), library.col("given").max().alias("high"))
    rows = _fetched(counted.agg(*sums, *ends_of_bin))
    # A bin with a single score has no unknown order inside.
    order = np.argsort(np.asarray(rows["b"]))
    p, n, low, high = (np.asarray(rows[name])[order] for name in ("p", "n", "low", "high"))
    return ScoreHistogram.of(p, n, low == high, high)


def _fetched(frame: Any) -> dict[str, list[Any]]:
    rows = (frame.collect("polars" if frame.implementation.is_polars() else "pandas")) if is_lazy(frame) else frame
    found: dict[str, list[Any]] = rows.to_dict(as_series=False)
    return found
