"""Metrics derived from a metric: negated, normalised, chance-corrected, weighed by dominance, composed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symmetrics.language.definition import Definition
from symmetrics.tools.arguments import attached

if TYPE_CHECKING:
    from typing import Self

    from sympy import Expr

    from symmetrics.claims.property import Property


class MakesMetrics(Definition):
    """Constructions: each returns a new metric, or raises an error with the reason why it does not exist.

    What each gives and keeps is a theorem about all metrics: :func:`symmetrics.discovery.constructions.theorems_of`.
    """

    def transposed(self) -> Self:
        """Return the metric with prediction and truth exchanged: FN becomes FP.

        >>> from symmetrics.library import metrics
        >>> metrics["recall"].transposed().expr == metrics["precision"].expr
        True
        """
        from symmetrics.metric.constructions import transposed

        return transposed(self)

    def exchanged(self) -> Self:
        """Return the metric of the other class: TP is exchanged with TN and FN with FP.

        >>> from symmetrics.library import metrics
        >>> metrics["recall"].exchanged().expr == metrics["specificity"].expr
        True
        """
        from symmetrics.metric.constructions import exchanged

        return exchanged(self)

    def symmetrised(self, *properties: Property | str, mean: str = "arithmetic") -> Self:
        """Return the mean of the metric and its version under an exchange of cells; it is invariant under the exchange.

        :param properties: p1 or transpose, or both, for the mean over all four exchanges
        :param mean: ``"arithmetic"``, ``"geometric"`` or ``"harmonic"``; the last two need positive values
        :raises InputError: on other properties and means, and if a metric is not known to be positive where it has to
        :raises UnknownNameError: if no property has the key

        >>> from symmetrics.library import metrics
        >>> metrics["recall"].symmetrised("transpose", mean="harmonic").expr
        2*TP/(FN + FP + 2*TP)
        """
        from symmetrics.metric.constructions import symmetrised_over
        from symmetrics.tools.errors import InputError

        if not properties:
            raise InputError("name the property that the mean is to have: p1, transpose, or both")
        as_property = attached("property")
        return symmetrised_over(self, [as_property(property) for property in properties], mean)

    def chance_corrected(self) -> Self:
        """Return (M - E)/(max - E), with E the expectation of M at fixed margins: 0 for random predictions, at best 1.

        TP is hypergeometric; the metric has to be affine in TP at fixed margins, so that its expectation is its value
        at the independent table with these margins.

        :raises InputError: if it is not, and if there is no finite maximum above all values at positive cells

        >>> from symmetrics.library import metrics
        >>> metrics["accuracy"].chance_corrected().exact(5, 1, 2, 4), metrics["kappa"].exact(5, 1, 2, 4)
        (1/2, 1/2)
        """
        from symmetrics.metric.constructions import chance_corrected

        return chance_corrected(self)

    def normalised(self) -> Self:
        """Return (M - min)/(max - min), whose values are in [0, 1]; the range is proved.

        :raises InputError: if the range is not bounded or not known

        >>> from symmetrics.library import metrics
        >>> metrics["informedness"].normalised().exact(1, 1, 0, 2)
        3/4
        """
        from symmetrics.metric.constructions import normalised

        return normalised(self)

    def balanced_index(self, alpha: object) -> Self:
        """Return the index of balanced accuracy (1 + alpha*Dom)*M, with the dominance Dom = TPr - TNr in (-1, 1).

        Of two classifiers with the same M, a positive alpha prefers the one that is better on the positive class; 0
        leaves M as it is.  With abs(alpha) <= 1 the weight is positive.  García et al. (2012), section 2, weigh the
        geometric mean so; García et al. (2009) its square.

        :param alpha: an exact number, such as ``"1/20"`` or ``0.05``; or a parameter, such as
            ``"alpha in [0, 1] = 1/20"`` or a :class:`~symmetrics.language.parameter.Parameter`, which the result has
        :raises InputError: on anything else, and on a parameter that the metric has already

        >>> from symmetrics.library import metrics
        >>> metrics["accuracy"].balanced_index("1/20").exact(8, 2, 10, 30)
        7619/10000
        >>> metrics["gmean"].balanced_index("alpha in [0, oo) = 1/20").expr == metrics["iba_gmean"].expr
        True
        """
        from symmetrics.metric.constructions import balanced_index

        return balanced_index(self, alpha)

    def negated(self) -> Self:
        """Return -M: a loss becomes a score, and a score a loss.

        >>> from symmetrics.library import metrics
        >>> metrics["fpr"].negated().exact(1, 1, 1, 3)
        -1/4
        """
        from symmetrics.metric.constructions import negated

        return negated(self)

    def composed(self, link: str | Expr) -> Self:
        """Return h(M), with h proved to be strictly monotone on the range of the metric.

        :param link: h as a formula in M, or an expression of one variable
        :raises InputError: if it is not known to be strictly monotone there, or the range is not known

        >>> from symmetrics.library import metrics
        >>> metrics["f1"].composed("M/(2 - M)").expr == metrics["jaccard"].expr
        True
        """
        from symmetrics.metric.constructions import composed

        return composed(self, link)
