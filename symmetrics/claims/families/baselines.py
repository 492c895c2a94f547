"""Constant baseline: what a formula is worth on average, when predictions are drawn at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from symmetrics.claims.one_formula import OneFormula
from symmetrics.claims.one_matrix import OneMatrixFormula

MARGINS: Final = "1 <= P, OP <= n - 1"


@dataclass(frozen=True)
class ConstantBaseline(OneFormula):
    """E[M] is the same number for all n, P, OP for which it exists, and it exists for some.

    n, P and OP are whole numbers with ``1 <= P, OP <= n - 1``, and TP is hypergeometric: k with the probability
    ``C(P, k)*C(n - P, OP - k)/C(n, OP)``; FN = P - k, FP = OP - k and TN = n - P - OP + k.  The value of M at a table
    with zero cells is its limit from tables of positive cells.  E[M] exists if M has a finite value, or such a limit,
    at every table of positive probability.  Parameter values at which the formula has no value anywhere are left out.

    *Lemma.* Let M be real on the open orthant and affine in TP at fixed margins, and let it be c wherever
    TP*TN = FP*FN.  Then E[M] = c wherever it exists.  *Proof.* M is a + b*TP, where a
    and b depend on the margins alone and have values outside a nowhere dense set of these.  Let e be the mean of the
    tables x_k of n, P, OP, which is independent, and e' another independent table with larger cells.  The cells of
    y_k = x_k + e' - e are positive, all y_k have the margins of e', and their mean is e'; so the mean of M(y_k) is
    M(e') = c for almost all e'.  As e' approaches e, M(y_k) tends to the value of M at x_k; hence E[M] = c.

    :param subject: the formula M
    :param parameters: its parameters with their domains
    """

    kind = "constant baseline"
    domain = MARGINS


class ConstantMatrixBaseline(OneMatrixFormula):
    """E[M] is the same number for all sums of rows and columns for which it exists, and it exists for some.

    The sums ``r[i]`` of the rows and ``c[j]`` of the columns are whole numbers of at least 1 with one total n.  The n
    predictions are in a random order, so that a matrix C of whole numbers with these sums has the probability
    ``prod(r[i]!)*prod(c[j]!)/(n!*prod(C[i, j]!))``.  The value of M at a matrix with zeros is its limit from matrices
    of positive entries.  E[M] exists if M has a finite value, or such a limit, at every matrix of positive probability.

    *Lemma.* Let M be real at positive matrices and affine in C at fixed sums, and let it be c at every matrix
    ``r[i]*c[j]``.  Then E[M] = c wherever it exists.  *Proof.* That of :class:`ConstantBaseline`: M is an affine
    function of C whose coefficients depend on the sums alone, and have values outside a nowhere dense set of these.
    Let e be the mean of the matrices x of given sums, ``r[i]*c[j]/n``, and e' another matrix of rank one with larger
    entries.  The entries of y = x + e' - e are positive, all y have the sums of e', and their mean is e'; so the mean
    of M(y) is M(e') = c for almost all e'.  As e' approaches e, M(y) tends to the value of M at x; hence E[M] = c.
    """

    kind = "constant baseline of matrices"
    domain = "all sums of rows and columns >= 1"
