"""The language in which metrics of k x k confusion matrices are defined.

An expression is built from the number of classes ``k``, the entries ``C[i, j]`` (true class i, predicted class j), the
cells ``tp[i]``, ``fn[i]``, ``fp[i]``, ``tn[i]`` of class i against the rest, sums over classes, arithmetic, and the
functions defined here.  Means over classes are functions of a binary metric over TP, FN, FP, TN, so that there is one
place where the classes are weighed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sympy import Expr, Function, IndexedBase, KroneckerDelta, S, Sum, Symbol, log, sqrt

from symmetrics.language.cells import CELLS

k: Final = Symbol("k", integer=True, positive=True)
"""Number of classes."""
INDICES: Final = tuple(Symbol(name, integer=True) for name in ("i", "j", "r", "s"))
i, j, r, s = INDICES
C: Final = IndexedBase("C", shape=(k, k), real=True)
"""The confusion matrix: ``C[i, j]`` is the number of examples of class i predicted as class j."""
CLASS_CELLS: Final[tuple[IndexedBase, ...]] = tuple(
    IndexedBase(name, shape=(k,), real=True) for name in ("tp", "fn", "fp", "tn")
)
tp, fn, fp, tn = CLASS_CELLS


def of_class(body: Expr) -> Expr:
    """Return a binary metric over TP, FN, FP, TN at the cells of class i against the rest.

    >>> from symmetrics.language.cells import FN, TP
    >>> of_class(TP / (TP + FN))
    tp[i]/(fn[i] + tp[i])
    """
    return body.xreplace({cell: column[i] for cell, column in zip(CELLS, CLASS_CELLS, strict=True)})


def over(term: Expr, *indices: Symbol) -> Expr:
    """Return the sum of a term over all classes, for each of the indices.

    >>> over(C[i, i], i)
    Sum(C[i, i], (i, 1, k))
    """
    return Sum(term, *((index, 1, k) for index in indices))


def other(first: Symbol, second: Symbol) -> Expr:
    """Return 1 where two indices differ and 0 where they agree."""
    return 1 - KroneckerDelta(first, second)


class ClassDistance(Function):
    """Distance of two classes in their order, ``|i - j|``: for ordinal classes.

    >>> ClassDistance(1, 3), ClassDistance(2, 2)
    (2, 0)
    """

    nargs = 2

    @classmethod
    def eval(cls, first: Expr, second: Expr) -> Expr | None:
        """Evaluate at numbers."""
        return abs(first - second) if first.is_number and second.is_number else None

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        first, second = map(printer.doprint, self.args)
        distance = rf"\left|{first} - {second}\right|"
        return distance if exp is None else f"{distance}^{{{exp}}}"


class Continued(Function):
    """A function given by a formula, and by its limit 0 where some arguments vanish.

    :cvar vanishing: the arguments that may vanish
    """

    vanishing: slice

    @staticmethod
    def has_limit(*are_zero: Any) -> Any:
        """Whether the limit 0 applies, given for each argument whether it is 0: booleans, or arrays."""
        raise NotImplementedError

    @staticmethod
    def formula(*arguments: Any) -> Any:
        """Return the formula at arguments that do not vanish."""
        raise NotImplementedError

    def explicit(self) -> Expr:
        """Return the formula for positive arguments."""
        return self.formula(*self.args)


class RelativeEntropy(Continued):
    """``x*log(x/y)``, and its limit 0 where x is 0, whatever y is: the terms of entropies of shares.

    >>> RelativeEntropy(2, 4), RelativeEntropy(0, 0)
    (-2*log(2), 0)
    """

    nargs = 2
    vanishing = slice(0, 1)

    @staticmethod
    def has_limit(x: Any) -> Any:
        """Whether x is 0."""
        return x

    @classmethod
    def eval(cls, x: Expr, y: Expr) -> Expr | None:
        """Evaluate at numbers."""
        if x.is_zero:
            return S.Zero
        return x * log(x / y) if x.is_number and y.is_number else None

    @staticmethod
    def formula(x: Expr, y: Expr) -> Expr:
        """Return the formula for positive arguments."""
        return x * log(x / y, evaluate=False)

    def _latex(self, printer: Any) -> str:
        x, y = map(printer.doprint, self.args)
        return rf"{_bracketed(self.args[0], x)} \log \frac{{{x}}}{{{y}}}"


class Correlation(Continued):
    """``x/sqrt(y*z)`` for a covariance x of variances y and z, and 0 where one of the variances is 0.

    If only one of the two vanishes, the quotient tends to 0, because the covariance is at most of the order of the
    variance that vanishes.  If both do there is no limit.

    >>> Correlation(2, 4, 4), Correlation(0, 0, 4), Correlation(0, 0, 0)
    (1/2, 0, nan)
    """

    nargs = 3
    vanishing = slice(1, 3)

    @staticmethod
    def has_limit(y: Any, z: Any) -> Any:
        """Whether exactly one of the variances is 0."""
        return y != z

    @classmethod
    def eval(cls, x: Expr, y: Expr, z: Expr) -> Expr | None:
        """Evaluate at numbers."""
        if not (x.is_number and y.is_number and z.is_number):
            return None
        if y.is_zero or z.is_zero:
            return S.NaN if y.is_zero and z.is_zero else S.Zero
        return S.NaN if (y * z).is_extended_negative else cls.formula(x, y, z)

    @staticmethod
    def formula(x: Expr, y: Expr, z: Expr) -> Expr:
        """Return the formula for positive variances."""
        return x / sqrt(y * z)

    def _latex(self, printer: Any) -> str:
        x, y, z = map(printer.doprint, self.args)
        return rf"\frac{{{x}}}{{\sqrt{{{y}}} \sqrt{{{z}}}}}"


class FMeasure(Continued):
    """The F-measure ``(1 + beta**2)*p*r/(beta**2*p + r)`` of a precision p and a recall r, and its limit 0 at 0 and 0.

    >>> FMeasure(S(1) / 2, 1, 1), FMeasure(0, 0, 1)
    (2/3, 0)
    """

    nargs = 3
    vanishing = slice(0, 2)

    @staticmethod
    def has_limit(precision: Any, recall: Any) -> Any:
        """Whether both are 0."""
        return precision & recall

    @classmethod
    def eval(cls, precision: Expr, recall: Expr, beta: Expr) -> Expr | None:
        """Evaluate at numbers."""
        if precision.is_zero and recall.is_zero:
            return S.Zero
        if precision is S.NaN or recall is S.NaN:
            return S.NaN
        return cls.formula(precision, recall, beta) if precision.is_number and recall.is_number else None

    @staticmethod
    def formula(precision: Any, recall: Any, beta: Any) -> Any:
        """Return the formula for positive precision and recall, of expressions or arrays."""
        return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)

    def _latex(self, printer: Any) -> str:
        precision, recall, beta = map(printer.doprint, self.args)
        square = f"{beta}^{{2}}"
        return rf"\frac{{(1 + {square})\, P\, R}}{{{square} P + R}},\quad P = {precision},\ R = {recall}"


class ClassMean(Function):
    """The mean over the classes, each against the rest, of a binary metric: ``sum(phi*M)/sum(phi)``.

    Classes on which the metric is undefined are left out, as in :mod:`symmetrics.numeric.averaging`.
    """

    nargs = 1

    def _latex(self, printer: Any) -> str:
        term = printer.doprint(of_class(self.args[0]))
        return rf"\frac{{\sum_{{i=1}}^{{k}} \varphi_{{i}}\, {term}}}{{\sum_{{i=1}}^{{k}} \varphi_{{i}}}}"


class CorrectClassMean(Function):
    """The mean over the classes of a binary metric whose TN are the correctly predicted examples of other classes.

    This is how Branco, Torgo & Ribeiro (2017, section 2) define tn of a class: "examples that were correctly predicted
    and do not belong to class i".  An example of another class that is predicted as a third one is then in none of the
    four cells.  Of two classes there is no third, and it is :class:`ClassMean`.
    """

    nargs = 1

    def _latex(self, printer: Any) -> str:
        correct = over(C[j, j], j) - tp[i]
        return str(ClassMean._latex(ClassMean(self.args[0].xreplace({CELLS[3]: correct})), printer))


class GeometricClassMean(Function):
    """The geometric mean over the classes of a binary metric: the product of ``M**(phi/sum(phi))``.

    There is none where a class with a weight has a negative value.
    """

    nargs = 1

    def _latex(self, printer: Any) -> str:
        term = printer.doprint(of_class(self.args[0]))
        power = r"\varphi_{i} / \sum_{l=1}^{k} \varphi_{l}"
        return rf"\prod_{{i=1}}^{{k}} \left({term}\right)^{{{power}}}"


MEANS: Final = (ClassMean, CorrectClassMean, GeometricClassMean)
"""The means over classes."""


def with_values(definition: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """Return a definition with parameters bound.

    A mean, or a sum, of what became 0 is 0 within a formula: SymPy would divide it by itself, and find 1.

    >>> w, recall = Symbol("w"), CELLS[0] / (CELLS[0] + CELLS[1])
    >>> with_values(ClassMean(w * recall) / (w + ClassMean(w * recall)), {w: S.Zero})
    nan
    """

    def value(node: Expr) -> Expr:
        if not node.args:
            return values.get(node, node)
        parts = [value(part) for part in node.args]
        if isinstance(node, (*MEANS, Sum)) and parts[0] == 0:
            return S.Zero
        return node if all(new is old for new, old in zip(parts, node.args, strict=True)) else node.func(*parts)

    # A mean remains a mean, so that averages can be chosen.
    return definition.func(*map(value, definition.args)) if isinstance(definition, MEANS) else value(definition)


def _bracketed(argument: Expr, text: str) -> str:
    return rf"\left({text}\right)" if argument.is_Add else text
