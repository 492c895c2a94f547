"""Hypothesis strategies for what metrics are computed from, which shrink to small tables and short formulas."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import add, mul, sub, truediv
from typing import Any, Final, NamedTuple

import networkx as nx
import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from sympy import Abs, Expr, Max, Min, Rational, log, sqrt

from symmetrics.claims.evidence import Counts
from symmetrics.language.cells import CELLS
from symmetrics.language.parameter import Parameter
from symmetrics.language.validation import as_parameters, validated
from symmetrics.tools.errors import InputError, SymmetricsError, UnknownNameError
from symmetrics.tools.texts import number_of

Size = int | tuple[int, int] | None
"""A number of examples, or the least and the largest number; None for any."""


# -- Confusion matrices ------------------------------------------------------------------------------------------------


def tables(
    *,
    min_count: int = 0,
    max_count: int = 10**6,
    zeros: bool = True,
    empty: bool = False,
    positives: Size = None,
    negatives: Size = None,
) -> st.SearchStrategy[Counts]:
    """Draw confusion tables: four whole counts TP, FN, FP, TN.

    Most counts are small, so that zeros and equal cells are common; the others are spread up to *max_count*, with
    powers of two among them.

    :param min_count: least count of a cell
    :param max_count: largest count of a cell, unless a class is given
    :param zeros: whether a cell may be 0
    :param empty: whether the table without examples may be drawn
    :param positives: size of the positive class, TP + FN, or its least and largest size
    :param negatives: size of the negative class, FP + TN, likewise
    :raises InputError: on bounds that no table has

    >>> from hypothesis import given
    >>> @given(tables(positives=10, negatives=(50, 90)))
    ... def test_sizes(table):
    ...     tp, fn, fp, tn = table
    ...     assert tp + fn == 10 and 50 <= fp + tn <= 90
    >>> test_sizes()
    """
    least = max(min_count, 0 if zeros else 1)
    classes = st.tuples(_class(positives, least, max_count), _class(negatives, least, max_count))
    drawn = classes.map(lambda pairs: Counts(*pairs[0], *pairs[1]))
    return drawn if empty or least > 0 else drawn.filter(any)


def _counts(least: int, most: int) -> st.SearchStrategy[int]:
    """Draw counts, most of them small."""
    powers = [2**k for k in range(most.bit_length()) if least <= 2**k <= most] or [most]
    spread = st.integers(least, most) | st.sampled_from(powers)
    return st.one_of(st.just(least), st.integers(least, min(most, least + 6)), spread)


def _class(size: Size, least: int, most: int) -> st.SearchStrategy[tuple[int, int]]:
    """Draw the two cells of a class."""
    if size is None:
        return st.tuples(_counts(least, most), _counts(least, most))
    low, high = (size, size) if isinstance(size, int) else size
    if not max(low, 2 * least) <= high:
        raise InputError(f"a class of {size!r} has no two counts of {least} or more; pass a larger size")
    sizes = st.integers(max(low, 2 * least), high)
    return sizes.flatmap(lambda total: st.integers(least, total - least).map(lambda first: (first, total - first)))


def matrices(
    *, min_classes: int = 2, max_classes: int = 6, max_count: int = 30, absent: bool = True
) -> st.SearchStrategy[NDArray[np.int64]]:
    """Draw confusion matrices C of whole counts, shape (k, k): row the true class, column the predicted one.

    :param min_classes: least k, 2 or more
    :param max_classes: largest k
    :param max_count: largest entry
    :param absent: whether classes without examples, and without predictions, are drawn on purpose

    >>> from hypothesis import given
    >>> @given(matrices(max_classes=4))
    ... def test_sizes(C):
    ...     assert C.shape[0] == C.shape[1] <= 4 and C.min() >= 0
    >>> test_sizes()
    """
    return st.integers(min_classes, max_classes).flatmap(lambda k: _matrix(k, max_count, absent))


@st.composite
def _matrix(draw: st.DrawFn, k: int, most: int, absent: bool) -> NDArray[np.int64]:
    row = st.lists(st.integers(0, most), min_size=k, max_size=k)
    matrix = np.array(draw(st.lists(row, min_size=k, max_size=k)), dtype=np.int64)
    if absent:
        some = st.lists(st.integers(0, k - 1), max_size=2)
        matrix[draw(some), :] = 0
        matrix[:, draw(some)] = 0
    return matrix


# -- Labels and scores -------------------------------------------------------------------------------------------------


class Labels(NamedTuple):
    """Examples: true and predicted labels, scores, weights, and the classes in their order.

    :param y_true: true labels
    :param y_pred: predicted labels, drawn independently of the scores
    :param y_score: in [0, 1], with ties: of two classes a number for each example, the score of the last class; of more
        a row of k shares
    :param sample_weight: non-negative weights, not all 0
    :param classes: all classes that may occur, sorted
    """

    y_true: list[Any]
    y_pred: list[Any]
    y_score: list[Any]
    sample_weight: list[float]
    classes: list[Any]


KINDS: Final[Mapping[str, Sequence[Hashable]]] = {
    "int": range(8),
    "str": tuple("abcdefgh"),
    "bool": (False, True),
    "signed": (-(10**12), -5, -1, 0, 1, 7, 100, 10**12),
    "float": (-0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0),
}
"""Labels of each kind, sorted."""


@st.composite
def labels(
    draw: st.DrawFn,
    *,
    classes: int | tuple[int, int] = 2,
    min_size: int = 1,
    max_size: int = 30,
    kinds: Sequence[str] = tuple(KINDS),
    every_class: bool = False,
) -> Labels:
    """Draw examples with true labels, predicted labels, scores and weights.

    :param classes: number of classes, up to 8, or the least and the largest number
    :param min_size: least number of examples
    :param max_size: largest number of examples
    :param kinds: which kinds of labels: ``"int"``, ``"str"``, ``"bool"`` (of two classes alone), ``"signed"`` for
        whole numbers of any size and sign, and ``"float"``
    :param every_class: whether each class has to occur among the true labels

    >>> from hypothesis import given
    >>> @given(labels(classes=(2, 4), max_size=6))
    ... def test_lengths(drawn):
    ...     y_true, y_pred, y_score, sample_weight, classes = drawn
    ...     assert len(y_true) == len(y_pred) == len(y_score) and set(y_true) <= set(classes)
    >>> test_lengths()
    """
    if unknown := set(kinds) - KINDS.keys():
        raise UnknownNameError("kind of labels", min(unknown), KINDS)
    count = draw(st.integers(*(classes, classes) if isinstance(classes, int) else classes))
    pools = [KINDS[kind] for kind in kinds if 1 <= count <= len(KINDS[kind])]
    if not pools:
        raise InputError(
            f"labels of the kinds {', '.join(kinds)} do not have {number_of(count, 'class')}; pass other kinds"
        )
    pool = list(draw(st.sampled_from(pools)))[:count]
    size = draw(st.integers(max(min_size, count if every_class else 1), max_size))

    def column(entry: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(entry, min_size=size, max_size=size))

    true, predicted = column(st.sampled_from(pool)), column(st.sampled_from(pool))
    true = list(draw(st.permutations(pool + true[count:]))) if every_class else true
    row = st.tuples(*[st.integers(0, 6)] * count).map(lambda drawn: drawn if any(drawn) else (1,) * count)
    shares = column(row.map(lambda drawn: [step / sum(drawn) for step in drawn]))
    weights = column(st.sampled_from([1.0, 0.0, 2.0, 0.5, 0.1, 3.7, 1e6]))
    weights = weights if any(weights) else [1.0] * size
    return Labels(true, predicted, [row[-1] for row in shares] if count == 2 else shares, weights, pool)


# -- Orders of classes -------------------------------------------------------------------------------------------------


@st.composite
def orders(draw: st.DrawFn, *, min_size: int = 1, max_size: int = 8) -> nx.DiGraph:
    """Draw partial orders of the classes 0, 1, ...: acyclic graphs, an edge from a to b where a is below b.

    The edges are any pairs of a shuffled sequence, so that some follow from others and some classes are unrelated.

    >>> from hypothesis import given
    >>> @given(orders())
    ... def test_ranks(order):
    ...     from symmetrics.posets import average_ranks
    ...     ranks = average_ranks(order)
    ...     assert all(ranks[below] < ranks[above] for below, above in order.edges)
    >>> test_ranks()
    """
    size = draw(st.integers(min_size, max_size))
    pairs = list(itertools.combinations(draw(st.permutations(range(size))), 2))
    graph = nx.DiGraph()
    graph.add_nodes_from(draw(st.permutations(range(size))))
    graph.add_edges_from(draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else [])
    return graph


# -- Formulas ----------------------------------------------------------------------------------------------------------


_UNARY: Final[Mapping[str, Any]] = {"sqrt": sqrt, "Abs": Abs, "log": log}
_BINARY: Final[Mapping[str, Any]] = {"Min": Min, "Max": Max}
FUNCTIONS: Final = (*_UNARY, *_BINARY)
"""The functions of the language of formulas."""


@st.composite
def formulas(
    draw: st.DrawFn,
    *,
    parameters: Iterable[Parameter] | str = (),
    functions: Iterable[str] = FUNCTIONS,
    leaves: st.SearchStrategy[Expr] | None = None,
    max_leaves: int = 8,
) -> Expr:
    """Draw formulas over TP, FN, FP, TN that :class:`~symmetrics.metric.metric.Metric` takes.

    They need not be real, or have a value, at every table: differences stand below roots and in denominators.

    :param parameters: those that may occur, as a metric takes them
    :param functions: which of ``sqrt`` (and other rational powers), ``Abs``, ``Min``, ``Max`` and ``log``; none of them
        leaves rational functions
    :param leaves: what formulas are made of; by default cells, parameters and rational numbers
    :param max_leaves: largest number of leaves

    >>> from hypothesis import given
    >>> @given(formulas(functions=[], max_leaves=3))
    ... def test_is_rational(formula):
    ...     assert formula.is_rational_function()
    >>> test_is_rational()
    """
    chosen, declared = set(functions), as_parameters("drawn", parameters)
    if unknown := chosen - set(FUNCTIONS):
        raise UnknownNameError("function", min(unknown), FUNCTIONS)
    symbols = [parameter.symbol for parameter in declared]
    numbers = st.builds(Rational, st.integers(-20, 20), st.integers(1, 12))
    leaf = st.sampled_from([*CELLS, *symbols]) | numbers if leaves is None else leaves
    exponents = [*map(Rational, ("1/2", "-1/2", "1/3", "-3/2", "2/3")), *symbols] if "sqrt" in chosen else []
    powers = [lambda base, exponent=exponent: base**exponent for exponent in (2, -1, 3, -2, *exponents)]
    unary = [lambda formula: formula] * 8 + powers + [_UNARY[name] for name in _UNARY if name in chosen]
    binary = [add, sub, mul, truediv] + [_BINARY[name] for name in _BINARY if name in chosen]

    def made(operation: Callable[..., Expr], *parts: Expr) -> Expr:
        try:
            formula = _rebuilt(operation(*parts))
            validated("drawn", formula, declared)
        except (
            SymmetricsError,
            TypeError,
            ValueError,
        ):  # it is not of the language: SymPy's, of Min of what is not real
            return parts[0]
        return formula

    def grown(count: int) -> Expr:
        if count == 1:
            return made(draw(st.sampled_from(unary)), draw(leaf))
        first = draw(st.integers(1, count - 1))
        parts = grown(first), grown(count - first)
        return made(draw(st.sampled_from(unary)), made(draw(st.sampled_from(binary)), *parts))

    return grown(draw(st.integers(1, max_leaves)))


def _rebuilt(formula: Expr) -> Expr:
    """Return a formula as SymPy makes it of its parts; some of its forms, as Abs(Abs(pi*TP)), do not last."""
    return formula.func(*map(_rebuilt, formula.args)) if formula.args else formula
