"""What a formula is made of, where intervals are known from the literature: one proportion, or two independent ones.

Accuracy is the proportion of TP + TN among all examples, recall that of TP among TP + FN, and F1 is an increasing
function of the proportion of TP among TP + FN + FP.  Informedness is the difference of two proportions, the positive
likelihood ratio their quotient.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from symmetrics.numeric.programs import Computable, LibraryFormula


@dataclass(frozen=True)
class Proportion:
    """A monotone function of one proportion A/(A + B), where A and B are sums of different cells.

    :param successes: the cells of A, by place
    :param failures: the cells of B, by place
    :param above, below: the coefficients of two linear polynomials in the proportion, the highest power first; the
        formula is their quotient
    :param increases: whether it increases
    """

    successes: tuple[int, ...]
    failures: tuple[int, ...]
    above: tuple[Any, ...]
    below: tuple[Any, ...]
    increases: bool

    @property
    def slope(self) -> Fraction | None:
        """The factor of the proportion, if the formula is linear in it with rational coefficients."""
        is_linear = len(self.above) == 2 and len(self.below) == 1
        is_rational = all(isinstance(number, Fraction) for number in (*self.above, *self.below))
        return self.above[0] / self.below[0] if is_linear and is_rational else None


@dataclass(frozen=True)
class TwoProportions:
    """What is made of two proportions whose numbers of examples are different ones.

    :param first: the places of successes and failures of the first proportion
    :param second: those of the second
    """

    first: tuple[int, int]
    second: tuple[int, int]


@dataclass(frozen=True)
class Contrast(TwoProportions):
    """``offset + factor*(first - second)``."""

    offset: Fraction
    factor: Fraction


@dataclass(frozen=True)
class Quotient(TwoProportions):
    """``factor*first/second``, with a positive factor."""

    factor: Fraction


Shape = Proportion | Contrast | Quotient


@lru_cache(maxsize=1024)
def shape_of(formula: Computable) -> Shape | None:
    """Return what a formula without parameters is made of, None if it is neither of one nor of two proportions.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> shape_of(2 * TP / (2 * TP + FN + FP)).above, shape_of(2 * TP / (2 * TP + FN + FP)).below
    ((Fraction(2, 1), Fraction(0, 1)), (Fraction(1, 1), Fraction(1, 1)))
    >>> shape_of(TP / (TP + FN) + TN / (FP + TN) - 1)
    Contrast(first=(0, 1), second=(2, 3), offset=Fraction(0, 1), factor=Fraction(1, 1))
    >>> shape_of(TP * TN - FN * FP) is None
    True
    """
    if isinstance(formula, LibraryFormula):
        found: Shape | None = formula.part("shape", Proportion, Contrast, Quotient)
        return found
    from symmetrics.numeric.intervals.shape_search import found_shape  # with the algebra

    return found_shape(formula)
