"""What intervals are made of: a value, its slopes, and which entries of a table are fixed together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.counts import Cells, FloatArray
from symmetrics.numeric.intervals.scales import Range
from symmetrics.numeric.programs import Computable, LibraryFormula

if TYPE_CHECKING:
    from sympy import Expr

__all__ = ["GROUPS", "Estimator", "Formula", "Groups", "compiled_slopes"]

Groups = tuple[tuple[int, ...], ...]
"""The places of the entries whose sums are fixed, one tuple for each sum."""
GROUPS: Final[dict[str, Groups]] = {"multinomial": ((0, 1, 2, 3),), "binomial": ((0, 1), (2, 3))}
"""What each kind of sampling fixes of the cells TP, FN, FP, TN."""


class Estimator(Protocol):
    """A number computed from the entries of a table, with its derivatives."""

    @property
    def range(self) -> Range:
        """The least and the greatest value."""

    @property
    def share(self) -> float:
        """What part of what is added to a cell of a table of two classes is added to each entry."""

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the values at tables: shape (entries, ...) to shape (...); nan where there is none."""

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by the entries, of the shape of the entries."""


@dataclass(frozen=True)
class Formula:
    """A formula over the four cells, without free parameters."""

    expression: Computable
    range: Range
    share: float = 1.0

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the values at tables of shape (4, ...)."""
        return evaluate(self.expression, Cells(*entries))

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by TP, FN, FP and TN."""
        with np.errstate(all="ignore"):
            return np.stack([np.broadcast_to(slope, entries[0].shape) for slope in self._slopes(*entries)])

    @cached_property
    def _slopes(self) -> Callable[..., list[FloatArray]]:
        return _compiled(self.expression)


@lru_cache(maxsize=256)
def _compiled(formula: Computable) -> Callable[..., list[FloatArray]]:
    """Return a function for the derivatives; an error needs no more digits than plain arithmetic keeps."""
    if not isinstance(formula, LibraryFormula):
        return compiled_slopes(formula)
    names = {**vars(np), "reduce": reduce}
    exec(compile(formula.slopes, "<slopes>", "exec"), names)  # what compiled_slopes has written, of the library
    function: Callable[..., list[FloatArray]] = names["_lambdifygenerated"]
    return function


def compiled_slopes(expression: Expr) -> Callable[..., list[FloatArray]]:
    """Return a function for the derivatives of an expression, as SymPy writes one for NumPy."""
    from sympy import lambdify

    from symmetrics.algebra.limits.gradient import gradient
    from symmetrics.language.cells import CELLS

    function: Callable[..., list[FloatArray]] = lambdify(CELLS, list(gradient(expression)), modules="numpy", cse=True)
    return function
