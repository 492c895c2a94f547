"""Weighted AUC (Weng & Poon 2008), and the proof that its weights sum to N."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from sympy import Expr, S, Symbol, cancel, powsimp

from symmetrics.claims import Identity
from symmetrics.claims.verdict import Verdict
from symmetrics.curves.examples import checked_rate, is_whole, read_examples
from symmetrics.curves.roc import RocCurve, checked_curve, curve_of, scaled
from symmetrics.data.counts import FloatArray, shown
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.parameter import Parameter
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.tools.arguments import Missing, advising
from symmetrics.tools.errors import CertificateError, InputError

RHO: Final = Symbol("rho", positive=True)
"""The fraction of its weight that a strip passes on to the next, below 1."""
STRIPS: Final = Symbol("N", integer=True, positive=True)
"""The number of strips, two or more."""
_BELOW: Final = Symbol("x", integer=True, nonnegative=True)
_POINTS_OF_ONE_THRESHOLD: Final = 3
_MOST_STRIPS: Final = 10**8
"""More weights than this do not fit into memory."""
_NUMBERS: Final = (Parameter("x", 0), Parameter("N", 2))
"""Numbers of strips as real parameters: results for all real values hold for integers."""


@advising()
def weighted_auc(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    rho: float = 0.1,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> float:
    """Return the weighted area under the ROC curve: each horizontal strip has more weight than the one below it.

    The strips lie between the successive true positive rates of the curve, one for each score that a positive example
    has; each is the area to the right of the curve, and they are summed with :func:`strip_weights` (Weng & Poon 2008;
    García, Mollineda & Sánchez 2012, equation 1, with w(0) = 1 - rho in place of the rho that is printed).  Scores of
    two values have one operating point and always the two strips of :func:`weighted_auc_at`, even where one is empty:
    the value is that of the metric ``wauc``.

    The weights average 1 over the strips, which are of one height where no two positive examples tie; then the value
    is an average, from 0 to 1.  Ties and sample weights make strips of different heights, and a high one at the top can
    take the value above 1.

    :param rho: the share of its weight that a strip passes on to the next, from 0 (the plain area) to 1
    :raises InputError: unless 0 <= rho <= 1, and as :func:`symmetrics.curves.roc_curve`

    >>> weighted_auc([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35])
    0.8625
    >>> weighted_auc([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35], rho=0)
    0.875
    """
    share = _share(rho)
    areas = strip_areas(curve_of(read_examples(y_true, y_score, pos_label, sample_weight, missing=missing)))
    return float(np.sum(areas * strip_weights(areas.size, share)))


@advising()
def weighted_auc_at(tpr: float, fpr: float, *, rho: float = 0.1) -> float:
    """Return the weighted area under the ROC curve of one operating point, (1 - rho) A0 + (1 + rho) A1.

    The strips below and above the point are A0 = TPr (1 + TNr)/2 and A1 = (1 - TPr) TNr/2.

    :raises InputError: unless both rates and *rho* are numbers from 0 to 1

    >>> weighted_auc_at(tpr=0.5, fpr=0.25)
    0.6
    """
    share = _share(rho)
    sensitivity, specificity = checked_rate(tpr, "tpr"), 1 - checked_rate(fpr, "fpr")
    below, above = sensitivity * (1 + specificity) / 2, (1 - sensitivity) * specificity / 2
    return (1 - share) * below + (1 + share) * above


@advising()
def strip_areas(curve: RocCurve) -> FloatArray:
    """Return the areas of the horizontal strips of a ROC curve, from bottom to top; they sum to its area.

    >>> from symmetrics.curves import roc_curve
    >>> strip_areas(roc_curve([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35])).tolist()
    [0.5, 0.375]
    """
    tp, fp = scaled(checked_curve(curve).tp), scaled(curve.fp)
    heights = np.diff(tp)
    tn = fp[-1] - fp
    areas: FloatArray = heights * (tn[1:] + tn[:-1]) / (2 * tp[-1] * fp[-1])
    return areas if len(curve) == _POINTS_OF_ONE_THRESHOLD else areas[heights > 0]


@advising()
def strip_weights(count: int, rho: float) -> FloatArray:
    """Return the weights of strips, the lowest first.

    The first is w(0) = 1 - rho, each other w(x) = w(x - 1) rho + 1 - rho, and that of the last is divided by 1 - rho.
    So they are w(x) = 1 - rho^(x + 1) and, the last of them, 1 + rho + ... + rho^(count - 1); they add up to *count*,
    as :func:`weight_sum` proves.  A single strip has the weight 1.

    :raises InputError: unless there is a strip and 0 <= rho <= 1

    >>> strip_weights(2, 0.5).tolist(), strip_weights(3, 1).tolist()
    ([0.5, 1.5], [0.0, 0.0, 3.0])
    """
    if not (is_whole(count) and 1 <= count <= _MOST_STRIPS):
        raise InputError(f"count={shown(count)} is not a number of strips; pass 1 to {_MOST_STRIPS:,}")
    share = _share(rho)
    with np.errstate(divide="ignore"):
        weights: FloatArray = 0.0 - np.expm1(np.arange(1, count + 1) * np.log(np.float64(share)))
    weights[-1] = weights[-1] / (1 - share) if share < 1 else count
    return weights


@dataclass(frozen=True)
class WeightSum:
    """The sum of the weights of N >= 2 strips, for a first weight, as proved by :func:`weight_sum`.

    :param first: w(0)
    :param weight: w(x) of every strip but the last, over ``x``
    :param last: the weight of the last strip, over ``N``
    :param excess: the sum less N; the recursion conserves the weight if and only if this is 0
    :param verdicts: what the checker accepted, by what it says
    """

    first: Expr
    weight: Expr
    last: Expr
    excess: Expr
    verdicts: Mapping[str, Verdict] = field(default_factory=dict, compare=False, repr=False)

    @property
    def conserved(self) -> bool:
        """Whether the weights sum to N for every rho below 1 and every N."""
        return bool(self.excess == 0)


@advising()
def weight_sum(first: Expr = 1 - RHO) -> WeightSum:
    """Return the sum of the recursion's weights that starts with w(0) = *first*, for every N and rho < 1.

    The closed forms w(x) = 1 - (1 - w(0)) rho^x and S(x) = x - (1 - w(0))(1 - rho^x)/(1 - rho), the sum of the first x
    weights, are proved by induction on x: each start and each step is an identity over rho, with x as a parameter, that
    the checker accepts, and so is that the sum exceeds N by the excess.  SymPy computes the excess; the rule of
    induction is not checked by machine.

    :param first: w(0), a rational function of ``RHO``
    :raises InputError: if it holds anything else
    :raises CertificateError: if a step is not proved

    As García, Mollineda & Sánchez (2012) print it, w(0) = rho, weight is lost or made unless rho is 1/2:

    >>> weight_sum().conserved, weight_sum().excess
    (True, 0)
    >>> weight_sum(RHO).conserved, weight_sum(RHO).excess
    (False, (1 - 2*rho)/(rho - 1))
    """
    if not (isinstance(first, Expr) and first.is_rational_function(RHO) and first.free_symbols <= {RHO}):
        raise InputError(f"first={shown(first)} is not a rational function of rho; build it from curves.weighted.RHO")
    # Closed forms of the weight of strip x, and of the sum of the first x weights.
    missing = 1 - first
    weight = 1 - missing * RHO**_BELOW
    partial = _BELOW - missing * (1 - RHO**_BELOW) / (1 - RHO)
    last = weight.subs(_BELOW, STRIPS - 1) / (1 - RHO)
    total = partial.subs(_BELOW, STRIPS - 1) + last
    excess = _normal(total - STRIPS)
    # Induction on x: start and step of both closed forms, and the sum over all strips.
    equations = {
        "w(0)": (weight.xreplace({_BELOW: S.Zero}), first),
        "w(x + 1)": (weight.subs(_BELOW, _BELOW + 1), weight * RHO + 1 - RHO),
        "S(0)": (partial.xreplace({_BELOW: S.Zero}), S.Zero),
        "S(x + 1)": (partial.subs(_BELOW, _BELOW + 1), partial + weight),
        "the sum": (total, STRIPS + excess),
    }
    verdicts = {name: _equality(name, *sides) for name, sides in equations.items()}
    for name, verdict in verdicts.items():
        if verdict.status != "proved":
            raise CertificateError(f"the closed form of {name} does not follow from the recursion")
    return WeightSum(first, weight, last, excess, verdicts)


def _equality(name: str, left: Expr, right: Expr) -> Verdict:
    """Return the verdict on an equation over rho, with x and N as parameters where they occur."""
    names = {symbol: parameter_symbol(symbol.name) for symbol in (RHO, STRIPS, _BELOW)}
    left, right = left.xreplace(names), right.xreplace(names)
    used = tuple(p for p in _NUMBERS if p.symbol in left.free_symbols | right.free_symbols)
    point = (names[RHO],)
    claim = Identity(left, used, (point, point), partner=right, over=(RHO.name,))
    return decide_and_check(claim, metric="", property=name, seconds=inf)


def _normal(value: Expr) -> Expr:
    """Return the normal form of a rational function of rho, x, N and powers of rho; 0 exactly if it vanishes."""
    return cancel(powsimp(value.expand()))


def _share(rho: float) -> float:
    return checked_rate(rho, "rho", "a share of the weight")
