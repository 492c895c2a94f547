"""The ends of many intervals in one compiled loop: on the scale, within the range and around the estimates."""

from __future__ import annotations

from functools import cache
from math import isfinite
from types import ModuleType

from symmetrics.numeric.intervals.scales import NEAREST, SMALLEST, Range
from symmetrics.numeric.native import module_of

__all__ = ["loop_of"]


@cache
def loop_of(bounds: Range) -> ModuleType:
    """Return a module with ``fill(values, growth, estimates, lows, highs)``, compiled by numba.

    *growth* is the exponential of the reach on the scale; the reach itself if the range has no end.  An estimate that
    is nan moves no end, and is left as it is.
    """
    return module_of(_source(bounds))


def _source(bounds: Range) -> str:
    least, most = bounds
    if isfinite(least) and isfinite(most):
        width = most - least
        nearest = NEAREST * width
        body = [
            f"left = max(value - {least!r}, {nearest!r})",
            f"right = max({most!r} - value, {nearest!r})",
            f"low = {least!r} + {width!r} * left / (left + right * grown)",
            f"high = {most!r} - {width!r} * right / (right + left * grown)",
        ]
    elif isfinite(least):
        body = [f"gap = max(value - {least!r}, {SMALLEST!r})"]
        body += [f"low = {least!r} + gap / grown", f"high = {least!r} + gap * grown"]
    elif isfinite(most):
        body = [f"gap = max({most!r} - value, {SMALLEST!r})"]
        body += [f"low = {most!r} - gap * grown", f"high = {most!r} - gap / grown"]
    else:
        body = ["low = value - grown", "high = value + grown"]
    lines = [
        "import numba",
        "from math import inf",
        "@numba.njit(error_model='numpy', cache=True, nogil=True)",
        "def fill(values, growth, estimates, lows, highs):",
        "    for i in range(values.size):",
        "        value, grown, estimate = values[i], growth[i], estimates[i]",
        *(f"        {line}" for line in body),
        f"        estimate = {least!r} if estimate < {least!r} else estimate",
        f"        estimate = {most!r} if estimate > {most!r} else estimate",
        f"        low = {least!r} if not low >= {least!r} else low",
        f"        high = {most!r} if not high <= {most!r} else high",
        "        estimates[i] = estimate",
        "        lows[i] = estimate if estimate < low else low",
        "        high = estimate if estimate > high else high",
        "        highs[i] = lows[i] if high < lows[i] else high",
        "",
    ]
    return "\n".join(lines)
