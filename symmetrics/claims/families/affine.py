"""Affine function: whether two numbers take the values of one formula to those of another one."""

from __future__ import annotations

from symmetrics.claims.one_formula import TwoFormulas


class Affine(TwoFormulas):
    """There are real numbers a and b with ``M = a*partner + b`` at all positive tables at which both are defined.

    The number a may be zero, so that a constant is an affine function of everything.  For each value of the parameters
    the statement is one of its own, and a and b may be others.
    """

    kind = "affine function"
