"""Forms that lose few digits in plain double precision: of several the one in which the least cancels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr

from symmetrics.algebra.limits.extension import extension_of
from symmetrics.numeric.elsewhere.logarithms import gathered
from symmetrics.numeric.elsewhere.rewriting import absorbed, conjugated, with_counts_first, with_exact_differences
from symmetrics.numeric.interpreted import with_errors
from symmetrics.numeric.program import Program, Scaled, compiled_trees
from symmetrics.numeric.terms import tree_of
from symmetrics.tools.errors import UnsupportedError

__all__ = ["TOLERANCE", "candidates", "loses_digits"]

Array = NDArray[np.float64]

TOLERANCE: Final = 1e-9
"""The error that a value may have, absolute below 1 and relative above."""
_SAMPLE: Final = 384
_MIXED: Final = 256
"""Tables of large and small counts, of which there are many kinds."""
_SEED: Final = 1977


@lru_cache(maxsize=512)
def candidates(expression: Expr) -> tuple[Scaled, ...]:
    """Return the forms of a formula that can be computed, that in which the least cancels first.

    They are the formula as it is shown and in lowest terms, and both rewritten so that less cancels.

    :raises UnsupportedError: if there is none, or all of them lose digits at some tables
    """
    lowest = extension_of(expression).expression
    forms: dict[Scaled, tuple[int, float]] = {}
    reason: UnsupportedError | None = None
    for form in dict.fromkeys(form for given in (lowest, expression) for form in _rewritten(given)):
        try:
            tree = tree_of(form)
        except UnsupportedError as error:
            reason = error
            continue
        forms.setdefault(tree, _loss(tree))
    if not forms and reason is not None:
        raise reason
    ordered = tuple(sorted(forms, key=forms.__getitem__))
    if forms[ordered[0]][0]:
        raise UnsupportedError(
            "in every form of this formula that is known digits cancel that double precision does not have; "
            "from_counts computes it with more"
        )
    return ordered


def _rewritten(expression: Expr) -> Iterator[Expr]:
    """Yield a formula, what each rule makes of the form before, and the first and the last with exact differences."""
    yield expression
    yield with_counts_first(expression)
    yield with_exact_differences(expression)
    for rule in (gathered, absorbed, conjugated):
        expression = rule(expression)
        yield expression
    yield with_exact_differences(expression)


def _loss(form: Scaled) -> tuple[int, float]:
    """Return at how many of some tables a form may miss the tolerance, and what it costs."""
    program = Program()
    place = compiled_trees(program, [form])[0]
    return int(_is_lossy(program, place).sum()), program.cost([place])


def loses_digits(program: Program, place: int) -> bool:
    """Whether an operation may miss the tolerance at some tables.

    >>> program = Program()
    >>> tp, fn = program.add("cell", 0), program.add("cell", 1)
    >>> root = program.add("sqrt", program.add("multiply", tp, fn))
    >>> loses_digits(program, root), loses_digits(program, program.add("subtract", root, tp))
    (False, True)
    """
    return bool(_is_lossy(program, place).any())


def _is_lossy(program: Program, place: int) -> NDArray[np.bool_]:
    with np.errstate(all="ignore"):
        values, errors = with_errors(program, place, _sample())
    return np.isfinite(values) & ~(errors <= TOLERANCE * np.maximum(1.0, np.abs(values)))


@cache
def _sample() -> tuple[Array, ...]:
    """Return tables of all kinds: small and large counts, unequal and equal ones, small shares, independent classes.

    In the last of them some counts are large and cancel, and the others are small.
    """
    random = np.random.default_rng(_SEED)
    size = _SAMPLE // 6
    factors = np.floor(10 ** random.uniform(0, 4, (4, size)))
    parts = [
        np.floor(random.uniform(1, 9, (4, size))),
        np.floor(10 ** random.uniform(0, 6, (4, size))),
        10 ** random.uniform(-9, 15, (4, size)),
        10 ** random.uniform(-12, -3, (4, size)),
        np.floor(10 ** random.uniform(0, 12, size)) + random.integers(0, 3, (4, size)),
        np.stack([factors[a] * factors[b] for a, b in ((0, 1), (0, 3), (2, 1), (2, 3))]),
        np.floor(10 ** random.uniform(0, 12, _MIXED)) * random.integers(0, 3, (4, _MIXED))
        + random.integers(1, 4, (4, _MIXED)),
    ]
    return tuple(np.concatenate(parts, axis=1))
