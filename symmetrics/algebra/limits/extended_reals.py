"""Arithmetic of extended reals (``1/0 = oo``, ``log(0) = -oo``), and limits assembled from parts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from typing import Final

from sympy import (
    Abs,
    Add,
    Expr,
    Max,
    Min,
    Mul,
    Pow,
    Rational,
    S,
    Symbol,
    expand,
    fraction,
    log,
    preorder_traversal,
    together,
)

from symmetrics.algebra.convert import Conversion, field_for
from symmetrics.algebra.evaluate import Evaluator, Undefined, certain_sign
from symmetrics.language.cells import CELLS
from symmetrics.tools.errors import UnsupportedError


def sign_of(constant: Expr, max_bits: int = 16384) -> int | None:
    """Return the sign of a constant in the extended reals; None where no precision tells it from zero.

    Counts from 1e-300 to 1e300 cancel in logarithms to some thousand bits.
    """
    if constant.is_infinite:
        return 1 if constant is S.Infinity else -1
    try:
        return certain_sign(Evaluator(constant, ()), max_bits=max_bits)
    except (Undefined, UnsupportedError):
        return None


def extended_value(expression: Expr, place: dict[Symbol, Rational]) -> Expr:
    """Return the value in the extended reals, where ``1/0`` is ``oo`` and ``log(0)`` is ``-oo``; else nan."""

    def value(node: Expr) -> Expr:
        return _applied(node, list(map(value, node.args))) if node.args else place.get(node, node)

    return value(expression)


def limit_by_parts(expression: Expr, place: dict[Symbol, Rational]) -> Expr:
    """Return the limit that follows from the limits of the parts where all operations are continuous; else nan.

    An extreme of what is infinite has one, for example, although the formula in lowest terms is 0/0.  What is zero in a
    divisor, in a root or in a logarithm has to be positive at all positive cells.
    """

    def value(node: Expr) -> Expr:
        if not node.args:
            return place.get(node, node)
        parts = list(map(value, node.args))
        if _has_edge(node) and is_zero(parts[0]) and not is_positive_inside(node.args[0]):
            return S.NaN
        return _applied(node, parts)

    return value(expression)


_POSITIVE: Final = {cell: Symbol(cell.name, positive=True) for cell in CELLS}
Guarded = tuple[Expr, tuple[Expr, ...]]
"""A limit on a face as a formula in its non-zero cells, and guards: it is the limit wherever no guard is zero."""


def face_limit_by_parts(
    expression: Expr, zero_cells: frozenset[str], of_smooth: Callable[[Expr], Guarded | None], *, bounded: bool = True
) -> Guarded | None:
    """Return the limit on a face that follows from the limits of the parts; None if a part has none.

    The largest or the smallest of several is known without the limits of those that never lie beyond the rest.

    :param of_smooth: returns the limit of a part without extremes and absolute values
    :param bounded: whether a smooth part may be bounded by replacing some of its terms by their limits
    """
    guards: list[Expr] = []

    def known_limits(node: Expr) -> dict[Expr, Expr]:
        found = {}
        for part in node.args:
            with suppress(_NoLimitError):
                found[part] = limit(part)
        return found

    def limit(node: Expr) -> Expr:
        if not node.args:
            return S.Zero if getattr(node, "name", None) in zero_cells else node
        # An extreme: parts without a limit may be left out if they never lie beyond a limit that is known.
        if isinstance(node, Max | Min):
            known = known_limits(node)
            found, edges = node.func(*known.values()) if known else S.NaN, []
            ends = list(known.values())
            for part in node.args:
                if part in known:
                    continue
                # A bound suffices: terms that have limits are replaced by them.
                bound = _settled(part, limit) if bounded else part
                if not any(_is_never_beyond(bound, end, node.func) for end in ends):
                    raise _NoLimitError
        # A continuous operation on parts with limits; a root or logarithm at zero needs a guard.
        elif has_extremes(node):
            parts = list(map(limit, node.args))
            found = node.func(*parts)
            edges = parts[:1] if _has_edge(node) else []
        else:
            # A smooth part: its limit comes from the exact algebra, with the guards that were found there.
            smooth = of_smooth(node)
            found, edges = (S.NaN, []) if smooth is None else (smooth[0], list(smooth[1]))
            edges += [inner.args[0] for inner in preorder_traversal(found) if _has_edge(inner)]
        # Infinite values and divisors that are zero on the whole face are not limits.
        is_infinite = found.has(S.NaN, S.Infinity, S.NegativeInfinity, S.ComplexInfinity)
        if is_infinite or any(map(_is_zero_everywhere, edges)):
            raise _NoLimitError
        guards.extend(edge for edge in edges if edge.free_symbols and not is_positive_inside(edge))
        return found

    try:
        return limit(expression), tuple(dict.fromkeys(guards))
    except _NoLimitError:
        return None


def _settled(part: Expr, limit: Callable[[Expr], Expr]) -> Expr:
    """Return a sum in which terms that have a limit are replaced by it."""
    terms = []
    for term in Add.make_args(part):
        try:
            terms.append(limit(term))
        except _NoLimitError:
            terms.append(term)
    return Add(*terms)


def without_settled_extremes(
    expression: Expr, zero_cells: frozenset[str], of_smooth: Callable[[Expr], Guarded | None]
) -> Expr:
    """Replace each extreme by its dominant argument: the one that attains it on the whole face.

    It is in front near every table of the face if it is so on the face, and the parts are continuous there.

    :param of_smooth: returns the limit of a part on the face

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> face = frozenset({"TP", "FN"})
    >>> def limit(part):
    ...     return part.xreplace({TP: S.Zero, FN: S.Zero}), ()
    >>> without_settled_extremes(Max(TP, FP) - Max(FN, TN), face, limit)
    FP - TN
    >>> without_settled_extremes(Max(FP, TN), face, limit)
    Max(FP, TN)
    """
    if not has_extremes(expression):
        return expression
    parts = [without_settled_extremes(part, zero_cells, of_smooth) for part in expression.args]
    whole = expression.func(*parts)
    if not isinstance(whole, Abs | Max | Min):
        return whole
    sign, zeros = -1 if isinstance(whole, Min) else 1, {cell: S.Zero for cell in CELLS if cell.name in zero_cells}
    rivals = (whole.args[0], -whole.args[0]) if isinstance(whole, Abs) else whole.args
    ends = [part.xreplace(zeros) for part in rivals]
    for place, part in enumerate(rivals):
        # One argument strictly dominates on the whole face, so it also does nearby, if all are continuous there.
        gaps = [sign * (ends[place] - end) for other, end in enumerate(ends) if other != place]
        if all(map(_is_positive_everywhere, gaps)):
            is_continuous = all(of_smooth(rival) == (end, ()) for rival, end in zip(rivals, ends, strict=True))
            return part if is_continuous else whole
    return whole


def _is_zero_everywhere(edge: Expr) -> bool:
    """Whether SymPy shows that an expression is identically zero at positive cells, as ``FP - Max(0, FP)`` is."""
    signed = edge.xreplace(_POSITIVE)
    return bool(signed == 0) if signed.free_symbols else is_zero(signed)


def _is_positive_everywhere(gap: Expr) -> bool:
    return all(map(is_positive_inside, map(expand, fraction(together(gap)))))


class _NoLimitError(Exception):
    """A part of a formula has no limit."""


def _is_never_beyond(part: Expr, limit: Expr, kind: type[Expr]) -> bool:
    """Whether an argument cannot decide an extreme: it is never below the limit of a Min, or above that of a Max.

    >>> from symmetrics.language.cells import FN, TP
    >>> recall = TP / (TP + FN)
    >>> [_is_never_beyond(recall, limit, kind) for limit, kind in ((S.Zero, Min), (S.One, Max), (S.One, Min))]
    [True, True, False]
    """
    return _is_positive_everywhere(part - limit if kind is Min else limit - part)


def has_extremes(expression: Expr) -> bool:
    """Whether an expression contains an absolute value, a minimum or a maximum."""
    return bool(expression.has(Abs, Max, Min))


def has_limits_by_parts(expression: Expr) -> bool:
    """Whether all divisors, radicands and arguments of logarithms are shown to be positive at positive cells.

    So the value in the extended reals, at a table with zeros, is the limit.
    """
    return all(is_positive_inside(node.args[0]) for node in preorder_traversal(expression) if _has_edge(node))


def _applied(node: Expr, parts: list[Expr]) -> Expr:
    """Return an operation on extended reals; nan where an argument or the result is undefined."""
    # Two roots of negative numbers have a real product; a formula that has them in it has no real value.
    if any(part is S.NaN or not part.is_extended_real for part in parts):
        return S.NaN
    # log 0 = -oo; a negative power of 0 is oo, as the base is positive at positive cells.
    if _has_edge(node) and is_zero(parts[0]):
        if isinstance(node, log):
            return S.NegativeInfinity
        return S.Infinity if parts[1].is_negative else S.Zero
    if _has_edge(node) and parts[0] is S.NegativeInfinity and not (isinstance(node, Pow) and node.exp.is_integer):
        return S.NaN  # SymPy gives log(-oo) = oo
    if isinstance(node, Mul) and any(part.is_infinite for part in parts) and any(map(is_zero, parts)):
        return S.NaN  # SymPy does not recognise that 2*log(3) - log(9) is zero
    result = _extreme(node, parts) if isinstance(node, Max | Min | Abs) else node.func(*parts)
    return result if result.is_extended_real else S.NaN


def _extreme(node: Expr, parts: list[Expr]) -> Expr:
    """Return a maximum, a minimum or an absolute value of extended reals.

    SymPy compares with a hundred digits, and gives up where that many cancel.

    :raises UnsupportedError: where no precision tells two of them apart, and they are not seen to be the same
    """
    if all(part.is_Rational or part.is_infinite for part in parts):
        return node.func(*parts)
    if isinstance(node, Abs):
        return -parts[0] if _is_below(parts[0], S.Zero) else parts[0]
    best = parts[0]
    for part in parts[1:]:
        if _is_below(best, part) == isinstance(node, Max):
            best = part
    return best


def _is_below(left: Expr, right: Expr) -> bool:
    """Whether one extended real is less than another."""
    if left == right or (left.is_finite and right.is_finite and is_zero(left - right)):
        return False
    if (sign := sign_of(right - left)) is None:
        raise UnsupportedError("two numbers of which the greater is sought are too close to be told apart")
    return sign > 0


def _has_edge(node: Expr) -> bool:
    """Whether an operation (logarithm, root, quotient) is not continuous, or not defined, on both sides of zero."""
    return isinstance(node, log) or (isinstance(node, Pow) and not (node.exp.is_integer and node.exp.is_nonnegative))


def is_zero(value: Expr) -> bool:
    """Whether a number is shown to be zero, also if it is a sum of logarithms."""
    if value.is_Rational or not value.is_finite:
        return bool(value == 0)
    if sign_of(value, max_bits=256) is not None:
        return False
    try:
        return Conversion(field_for())(value).is_zero
    except UnsupportedError:
        return False


def is_positive_inside(node: Expr) -> bool:
    """Whether an expression is shown to be positive at positive cells, as a sum or product of positive parts."""
    if isinstance(node, Add | Mul | Max | Min):
        return all(map(is_positive_inside, node.args))
    if isinstance(node, Pow | Abs):
        return is_positive_inside(node.args[0])
    return node in CELLS or bool(node.is_positive)


class _Part(Enum):
    """Coarse value of a subexpression on a whole face: zero, infinite, undefined, or anything else."""

    ZERO = auto()
    INFINITE = auto()
    NONE = auto()
    """Undefined at every table of the face."""
    OTHER = auto()


def has_no_value_by_parts(expression: Expr, zero_cells: frozenset[str]) -> bool:
    """Whether :func:`limit_by_parts` is certainly nan at all tables whose zero cells are exactly these.

    >>> from symmetrics.language.cells import FN, FP, TP
    >>> has_no_value_by_parts(Abs(TP / (TP + FN) - FP), frozenset({"TP", "FN"}))
    True
    >>> has_no_value_by_parts(1 / Max(FN / TP, FP / TP), frozenset({"TP"}))
    False
    """

    def part(node: Expr) -> _Part:
        if not node.args:
            return _Part.ZERO if node.is_zero or getattr(node, "name", None) in zero_cells else _Part.OTHER
        return _combined(node, list(map(part, node.args)))

    return part(expression) is _Part.NONE


def _combined(node: Expr, parts: list[_Part]) -> _Part:
    """Propagate coarse values through one operation; an undefined argument makes the result undefined."""
    kinds = set(parts)
    if _Part.NONE in kinds or (isinstance(node, Mul) and {_Part.ZERO, _Part.INFINITE} <= kinds):
        return _Part.NONE
    if isinstance(node, log):
        return _Part.OTHER if _Part.OTHER in kinds else _Part.INFINITE
    if isinstance(node, Pow):
        return _power(parts[0], node.exp)
    if isinstance(node, Mul | Add) and _Part.INFINITE in kinds:
        return _Part.INFINITE
    if isinstance(node, Mul) and _Part.ZERO in kinds:
        return _Part.ZERO
    return parts[0] if len(kinds) == 1 and isinstance(node, Add | Abs | Max | Min) else _Part.OTHER


def _power(base: _Part, exponent: Expr) -> _Part:
    if base is _Part.OTHER or not (exponent.is_number and exponent.is_nonzero):
        return _Part.OTHER
    if exponent.is_positive:
        return base
    return _Part.ZERO if base is _Part.INFINITE else _Part.INFINITE
