"""What a rearrangement of a table may turn M into, on values."""

from __future__ import annotations

from symmetrics.algebra.evaluate import Value

__all__ = ["is_no_image"]


def is_no_image(image: str, first: Value, second: Value) -> bool:
    """Whether values before and after a rearrangement show that it does not turn M into an image."""
    gap = {
        "M": lambda: first - second,
        "1-M": lambda: first + second - 1,
        "-M": lambda: first + second,
        "1/M": lambda: first * second - 1,
    }[image]()
    return bool(gap > 0 or gap < 0)
