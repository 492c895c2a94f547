"""Signs of formulas that are seen from how they are written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, S, Symbol, log

from symmetrics.checker.engine.fractions import Arithmetic, never_negative
from symmetrics.language.cells import CELLS
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

__all__ = ["Signs"]


class Signs:
    """What is known of the signs of formulas.

    :param parameters: with their domains
    :param positive: the symbols that stand for positive numbers

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> known = Signs()
    >>> [known.is_never_negative(f) for f in (1 - TP / (TP + FN), (TN - TP) ** 2, Max(TP - FN, 0), TN - TP)]
    [True, True, True, False]
    >>> known.is_positive(Max(TP, FN - FP)), known.is_positive(Abs(TP - FN))
    (True, False)
    """

    def __init__(self, parameters: Iterable[Parameter] = (), positive: Sequence[Symbol] = CELLS) -> None:
        self.parameters = tuple(parameters)
        self.positive = tuple(positive)
        self._is_named = frozenset(self.positive)
        self.lower = {p.symbol: (p.lower, p.lower_open) for p in self.parameters}
        self.known: dict[tuple[Expr, bool], bool] = {}

    def is_positive(self, node: Expr) -> bool:
        """Whether a formula is positive wherever it has a value, because its parts or its coefficients are."""
        if self._shows(node, strict=True):
            return True
        # A parameter at the end of its domain may make all coefficients vanish.
        return node.free_symbols <= self._is_named and self._is_quotient_of_positive_sums(node, strict=True)

    def is_never_negative(self, node: Expr) -> bool:
        """Whether a formula is nowhere negative, because its parts are, or the coefficients of its fraction."""
        return self._shows(node, strict=False) or self._is_quotient_of_positive_sums(node, strict=False)

    def _shows(self, node: Expr, *, strict: bool) -> bool:
        if (node, strict) not in self.known:
            self.known[node, strict] = self._looks(node, strict)
        return self.known[node, strict]

    def _looks(self, node: Expr, strict: bool) -> bool:
        if isinstance(node, Symbol):
            return node in self._is_named or self._has_positive_domain(node, strict)
        if not node.args:
            return node is S.Pi or (isinstance(node, Rational) and bool(node > 0 or (node == 0 and not strict)))
        if isinstance(node, Add):
            weak = all(self._shows(term, strict=False) for term in node.args)
            return weak and (not strict or any(self._shows(term, strict=True) for term in node.args))
        if isinstance(node, (Mul, Min)):
            return all(self._shows(part, strict=strict) for part in node.args)
        if isinstance(node, Max):
            return any(self._shows(part, strict=strict) for part in node.args)
        if isinstance(node, Abs):
            return not strict or self._shows(node.args[0], strict=True)
        if isinstance(node, Pow) and isinstance(node.exp, Rational):
            # An even power of a real number, and the real root of one, are not negative.
            even = node.exp.p % 2 == 0 or node.exp.q != 1
            return (even and not strict) or self._shows(node.base, strict=strict)
        return isinstance(node, log) and self._shows(node.args[0] - 1, strict=strict)

    def _has_positive_domain(self, symbol: Symbol, strict: bool) -> bool:
        if symbol not in self.lower:
            return False
        lower, is_open = self.lower[symbol]
        return bool(lower > 0 or (lower == 0 and (is_open or not strict)))

    def _is_quotient_of_positive_sums(self, node: Expr, *, strict: bool) -> bool:
        """Whether numerator and denominator, multiplied out, have coefficients that are not negative, or no terms."""
        try:
            arithmetic = Arithmetic([symbol.name for symbol in self.positive], self.parameters, {}, ())
            value = arithmetic.evaluate(node)
        except CertificateError:
            return False
        if not value.top:
            return not strict
        return never_negative(value.top, arithmetic) and never_negative(value.bottom, arithmetic)
