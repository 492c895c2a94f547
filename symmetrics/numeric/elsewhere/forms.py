"""Forms that lose few digits in plain double precision: of several the one in which the least cancels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr

from symmetrics.algebra.limits.extension import extension_of
from symmetrics.numeric.elsewhere.logarithms import gathered
from symmetrics.numeric.elsewhere.rewriting import absorbed, conjugated, with_counts_first, with_exact_differences
from symmetrics.numeric.precision import number_value
from symmetrics.numeric.program import Program, Scaled, compiled_trees
from symmetrics.numeric.terms import tree_of
from symmetrics.tools.errors import UnsupportedError

__all__ = ["TOLERANCE", "candidates", "loses_digits", "rounding_errors"]

Array = NDArray[np.float64]
Bounded = tuple[Array, Array]

UNIT: Final = 2.0**-53
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
    values, errors = rounding_errors(program, place, _sample())
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


def rounding_errors(program: Program, output: int, cells: Iterable[Array]) -> Bounded:
    """Return values of an operation in float64, with bounds on what rounding has done to them to first order.

    They are nan where something is divided by an exact zero, which code elsewhere looks at before.
    """
    inputs = tuple(cells)
    found: dict[int, Bounded] = {}
    with np.errstate(all="ignore"):
        for place in program.needed([output]):
            name, *arguments = program.operations[place]
            if name == "cell":
                found[place] = inputs[arguments[0]], np.zeros_like(inputs[0])
            elif name == "number":
                value = np.full_like(inputs[0], number_value(arguments[0]))
                is_exact = arguments[0] == Fraction(number_value(arguments[0]))
                found[place] = value, np.zeros_like(value) if is_exact else UNIT * np.abs(value)
            else:
                parts = [found[part] for part in program.arguments(place)]
                exponent = (float(arguments[1]),) if name == "power" else ()
                value, error = _RULES[name](*parts, *exponent)
                found[place] = value, error + np.where(_is_exact(name, value, parts), 0.0, 2 * UNIT * np.abs(value))
    return found[output]


def _is_exact(name: str, value: Array, parts: list[Bounded]) -> bool | NDArray[np.bool_]:
    """Whether an operation rounds nothing: a choice, or a sum or a product of whole numbers."""
    if name not in ("add", "subtract", "multiply"):
        return name in _EXACT
    exact = np.abs(value) < 2.0**53
    for number, error in parts:
        exact &= (error == 0) & (number == np.floor(number))
    return exact


def _product(left: Bounded, right: Bounded) -> Bounded:
    return left[0] * right[0], np.abs(left[0]) * right[1] + np.abs(right[0]) * left[1]


def _quotient(left: Bounded, right: Bounded) -> Bounded:
    value = left[0] / np.where((right[0] == 0) & (right[1] == 0), np.nan, right[0])
    return value, (left[1] + np.abs(value) * right[1]) / np.abs(right[0])


def _power(base: Bounded, exponent: float) -> Bounded:
    value = base[0] ** exponent
    relative = np.where(base[1] == 0, 0.0, base[1] / np.abs(base[0]))
    return value, np.abs(value * exponent) * relative


def _minimum(left: Bounded, right: Bounded) -> Bounded:
    is_clear = np.abs(left[0] - right[0]) > left[1] + right[1]
    chosen = np.where(left[0] < right[0], left[1], right[1])
    return np.minimum(left[0], right[0]), np.where(is_clear, chosen, np.maximum(left[1], right[1]))


def _maximum(left: Bounded, right: Bounded) -> Bounded:
    value, error = _minimum((-left[0], left[1]), (-right[0], right[1]))
    return -value, error


def _log_ratio(above: Bounded, below: Bounded, difference: Bounded) -> Bounded:
    total = above[0] + below[0]
    share = difference[0] / total
    is_close = np.abs(share) < 0.5
    inside = difference[1] / total + np.abs(share) * (above[1] + below[1]) / total
    outside = above[1] / above[0] + below[1] / below[0]
    value = np.where(is_close, 2 * np.arctanh(np.where(is_close, share, 0)), np.log(above[0] / below[0]))
    return value, np.where(is_close, 3 * inside + UNIT * np.abs(share), outside + UNIT)


_EXACT: Final = frozenset({"abs", "negative", "minimum", "maximum"})
_RULES: Final[dict[str, Callable[..., Bounded]]] = {
    "add": lambda left, right: (left[0] + right[0], left[1] + right[1]),
    "subtract": lambda left, right: (left[0] - right[0], left[1] + right[1]),
    "multiply": _product,
    "divide": _quotient,
    "negative": lambda part: (-part[0], part[1]),
    "abs": lambda part: (np.abs(part[0]), part[1]),
    "sqrt": lambda part: _power(part, 0.5),
    "power": _power,
    "log": lambda part: (np.log(part[0]), part[1] / np.abs(part[0])),
    "minimum": _minimum,
    "maximum": _maximum,
    "log_ratio": _log_ratio,
    "product_difference": lambda a, b, c, d: (a[0] * b[0] - c[0] * d[0], np.zeros_like(a[0])),
}
