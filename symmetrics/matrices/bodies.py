"""Binary metrics within means over classes: how they are computed, and the errors that rounding leaves in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np
from sympy import Expr, Mul, Number, Pow, Symbol, lambdify, log

from symmetrics.language.cells import CELLS
from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.counts import Cells, FloatArray
from symmetrics.numeric.rounding_rules import LIBRARY


@lru_cache(maxsize=64)
def measure_of(body: Expr) -> Callable[[Cells], FloatArray]:
    """Return a binary metric as a function of cells.

    A formula without subtraction loses no digits as it is written, so that only where it has no finite value is there
    a limit to look for.
    """
    if _has_subtraction(body):
        return partial(evaluate, body)
    direct = lambdify(CELLS, body, modules="numpy")

    def measure(cells: Cells) -> FloatArray:
        values = np.array(np.broadcast_to(direct(*cells), cells.tp.shape), dtype=np.float64)
        open_places = np.nonzero(~np.isfinite(values))
        if open_places[0].size:
            values[open_places] = evaluate(body, Cells(*(cell[open_places] for cell in cells)))
        return values

    return measure


def _has_subtraction(body: Expr) -> bool:
    return any(isinstance(node, Number) and node.is_negative for node in _coefficients(body))


@lru_cache(maxsize=64)
def relative_error_of(body: Expr, of_cells: float) -> float | None:
    """Return the relative error of a binary metric in which nothing cancels, in roundings; None for any other.

    :param of_cells: that of the cells

    >>> relative_error_of(CELLS[0] / (CELLS[0] + CELLS[1]), 0.0), relative_error_of(CELLS[0] - CELLS[1], 0.0)
    (10.0, None)
    """
    if _has_subtraction(body) or body.has(log):
        return None
    if isinstance(body, Pow):
        return abs(float(body.exp)) * (relative_error_of(body.base, of_cells) or 0.0) + LIBRARY
    if not body.args:
        return of_cells if isinstance(body, Symbol) else 1.0
    parts = [relative_error_of(part, of_cells) or 0.0 for part in body.args]
    return (sum(parts) if isinstance(body, Mul) else max(parts)) + len(parts) - 1


def _coefficients(body: Expr) -> set[Expr]:
    """Return the numbers in a formula, apart from exponents."""
    if isinstance(body, Pow):
        return _coefficients(body.base)
    return {body} if not body.args else set().union(*map(_coefficients, body.args))
