"""What becomes of a metric where the class distribution is another one than in the test data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symmetrics.language.definition import Definition
from symmetrics.tools.budget import SECONDS, within

if TYPE_CHECKING:
    from typing import Self

    from symmetrics.metric.over_priors import PriorMean, PriorRange


class UnderOtherPriors(Definition):
    """Methods for another class prior, a range of them, and a distribution, at the sensitivity and specificity known.

    :mod:`symmetrics.metric.priors` has the formula in rates and prior.
    """

    def at_prior(self, prior: object) -> Self:
        """Return the metric that has, at the same rates TPr and TNr, the value at another prior of the positive class.

        The counts of each class are weighted to make its share the prior or the complement: ``TP`` becomes
        ``prior*n*TP/(TP + FN)``.  The result is a metric like any other, so that its values, gradient, limits and
        proofs are those under the changed prior.

        :param prior: an exact number strictly between 0 and 1, or a Parameter within (0, 1), to leave it open
        :raises InputError: on a prior that is not one

        >>> from symmetrics.library import metrics
        >>> metrics["precision"].at_prior("1/2").exact(8, 2, 200, 1800), metrics["precision"].exact(8, 2, 200, 1800)
        (8/9, 1/26)
        """
        from symmetrics.metric.priors import at_prior

        return at_prior(self, prior)

    def over_priors(self, table: object, low: object = 0, high: object = 1, *, seconds: float = SECONDS) -> PriorRange:
        """Return the lowest and the highest value over all priors from *low* to *high*, and where they are reached.

        The sensitivity and specificity of the table are held fixed, and its number of examples, of which most metrics
        are independent.  Extremes are exact numbers.  Those between the ends are narrow certified intervals for sums of
        logarithms, whose slopes have zeros that are not algebraic.  Parameters have their defaults.

        :param table: TP, FN, FP, TN: whole or rational numbers, or a :class:`symmetrics.ConfusionMatrix`
        :param low, high: the range of priors, within [0, 1]
        :param seconds: how long it may take
        :raises InputError: on a table or range that is none, on a table without positives or without negatives, and
            if the metric has no finite value at these rates
        :raises UnsupportedError: if the formula is outside the exact algebra
        :raises BudgetError: if it takes longer

        >>> from symmetrics.library import metrics
        >>> metrics["mcc"].over_priors((90, 10, 20, 80), "1/100", "9/10")
        mcc of TP, FN, FP, TN = 90, 10, 20, 80 over priors 1/100 (0.01) to 9/10 (0.9)
        lowest 7*sqrt(200629)/18239 (0.1719), at prior 1/100 (0.01)
        highest sqrt(2)/2 (0.7071), at prior 4/7 (0.5714)
        """
        from symmetrics.metric.over_priors import over_priors

        metric: Any = self
        shown = f"{self.name} over priors"
        return within(lambda: over_priors(metric, table, low, high), seconds=seconds, shown=shown)

    def expected_over_priors(
        self, table: object, a: object = 1, b: object = 1, *, seconds: float = SECONDS
    ) -> PriorMean:
        """Return the expected value where the prior has a Beta law; by default all priors are alike.

        It is exact for polynomials in the prior, and for whole *a* and *b* for quotients whose divisors have rational
        zeros; otherwise a certified interval no wider than 1e-12 (Petras' algorithm in ball arithmetic).

        :param table: as for :meth:`over_priors`
        :param a, b: the parameters of the Beta law of the prior of the positive class, whose mean is a/(a + b)
        :param seconds: how long it may take
        :raises InputError: on *a* and *b* that are not positive, on a table as for :meth:`over_priors`, and if the
            metric has no value over a range of priors or no mean that is known
        :raises BudgetError: if it takes longer

        >>> from symmetrics.library import metrics
        >>> metrics["accuracy"].expected_over_priors((90, 10, 20, 80), a=1, b=9).value
        81/100
        >>> metrics["precision"].expected_over_priors((90, 10, 20, 80)).value
        9/7 - 18*log(9/2)/49
        """
        from symmetrics.metric.over_priors import mean_over_priors

        metric: Any = self
        return within(lambda: mean_over_priors(metric, table, a, b), seconds=seconds, shown=f"{self.name} over priors")
