"""Constant baseline of many classes: what a formula over a matrix is worth on average for random predictions."""

from __future__ import annotations

from symmetrics.claims.one_matrix import OneMatrixFormula


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
