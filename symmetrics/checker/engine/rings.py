"""Rings of polynomials, each made once: to make one takes longer than most of what is verified in it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sympy.polys.rings import PolyElement, PolyRing, ring

__all__ = ["ring_of"]


@lru_cache(maxsize=1024)
def ring_of(names: tuple[str, ...], domain: Any) -> tuple[PolyRing, tuple[PolyElement, ...]]:
    """Return the ring of polynomials in some names over a domain, and its generators.

    >>> from sympy import QQ
    >>> _, (tp, fn) = ring_of(("TP", "FN"), QQ)
    >>> (tp + fn) ** 2
    TP**2 + 2*TP*FN + FN**2
    """
    made, *generators = ring(names, domain)
    return made, tuple(generators)
