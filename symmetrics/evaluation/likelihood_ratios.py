"""Positive and negative likelihood ratios of predictions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from numbers import Real
from typing import Any, Final, NamedTuple

from numpy.typing import ArrayLike

from symmetrics.data.counts import shown
from symmetrics.data.encoding import checked_labels, in_order, listed
from symmetrics.data.gate import distinct_examples, encode
from symmetrics.data.labels import binary_cells, conventional_positive
from symmetrics.library import metrics
from symmetrics.tools.arguments import Missing
from symmetrics.tools.errors import InputError

_KEYS: Final = ("LR+", "LR-")


class LikelihoodRatios(NamedTuple):
    """Likelihood ratios: the factors by which a positive and a negative prediction multiply the odds.

    :param positive: that of a positive answer, LR+ = TPr/FPr, at least 1 if the answers are of use
    :param negative: that of a negative answer, LR- = FNr/TNr, between 0 and 1 if they are
    """

    positive: float
    negative: float


def class_likelihood_ratios(
    y_true: Iterable[Hashable],
    y_pred: Iterable[Hashable],
    *,
    labels: Iterable[Hashable] | None = None,
    pos_label: Hashable = None,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
    replace_undefined_by: float | Mapping[str, float] | None = None,
) -> LikelihoodRatios:
    """Return LR+ and LR- of predictions, as scikit-learn's function of this name.

    They are the metrics ``positive_likelihood_ratio`` and ``negative_likelihood_ratio`` (Deeks & Altman 2004), which
    have intervals and proofs as well.

    :param labels: the negative and the positive label, in this order; by default those that occur, if they say which is
        positive, as 0 and 1 or no and yes do
    :param pos_label: the positive label, whatever the order of *labels*
    :param sample_weight: a non-negative weight per example
    :param missing: treatment of missing labels, as in a call of a metric
    :param replace_undefined_by: the value of both, or of each in a mapping with ``"LR+"`` and ``"LR-"``, where there is
        no false positive for LR+ and no true negative for LR-.  By default LR+ and LR- are infinite there, which they
        tend to, and nan where they are 0/0; scikit-learn has nan for both.
    :raises InputError: on labels that do not fit together, that are not two or do not say which is positive, and on
        replacements that are negative

    >>> class_likelihood_ratios([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    LikelihoodRatios(positive=1.5, negative=0.75)
    """
    replaced = _replacements(replace_undefined_by)
    chosen = None if labels is None else checked_labels(labels)
    true, predicted, weight = distinct_examples(encode(y_true, y_pred, sample_weight, missing))
    if pos_label is None:
        pos_label = _positive(in_order(dict.fromkeys([*true, *predicted])), chosen)
    cells = binary_cells(true, predicted, labels=chosen, pos_label=pos_label, sample_weight=weight)
    ratios = (
        float(metrics[f"{sign}_likelihood_ratio"].from_counts(*cells)) if fill is None or divisor else fill
        for sign, fill, divisor in zip(LikelihoodRatios._fields, replaced, (cells.fp, cells.tn), strict=True)
    )
    return LikelihoodRatios(*ratios)


def _positive(found: list[Hashable], chosen: list[Hashable] | None) -> Hashable:
    """Return the positive label: the last selected one, or the one by convention."""
    if chosen is not None:
        return chosen[-1]
    positive = conventional_positive(found)
    if len(found) == 2 and positive is None:
        advice = " or ".join(f"pos_label={shown(label)}" for label in found)
        raise InputError(f"the labels {listed(found)} do not say which is positive; pass {advice}")
    return 1 if positive is None else positive  # for one label or three, the count of cells raises the error


def _replacements(given: Any) -> tuple[float | None, float | None]:
    """Return the values of LR+ and LR- for a zero divisor; None for the limits."""
    if given is None:
        return None, None
    if isinstance(given, Mapping) and set(given) != set(_KEYS):
        raise InputError(f"replace_undefined_by={shown(given)} is incomplete; pass a mapping with 'LR+' and 'LR-'")
    values = [given[key] if isinstance(given, Mapping) else given for key in _KEYS]
    for value in values:
        if isinstance(value, bool) or not isinstance(value, Real) or value < 0:
            raise InputError(f"replace_undefined_by has {shown(value)}; pass a number that is not negative, or nan")
    return float(values[0]), float(values[1])
