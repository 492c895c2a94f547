"""Relevance: how much each class matters, from 0 (not at all) to 1 (most), and five ways to come by it.

A relevance weighs the classes in an average over them (Branco, Torgo & Ribeiro 2017, equations 4 to 8), so that it is
passed as ``average=``.  Without ``classes=`` the classes are put in sorted order, as labels are everywhere in this
package; that is the order of the rows of a confusion matrix that the relevance is used with.  Where the labels are
known, from examples, as ``labels=`` or from the index of a DataFrame, the weights are matched by class and not by
place.

>>> from symmetrics.library import metrics
>>> order = total_order(["majority", "rare", "rarest"])
>>> metrics["recall"].from_confusion([[90, 5, 5], [2, 7, 1], [0, 2, 2]], average=order).__round__(4)
0.6333
>>> metrics["recall"].from_confusion([[7, 2], [4, 6]], average=scores({0: 1, 1: 0}))
0.7777777777777778
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from sympy import Rational

from symmetrics.data.frames import is_missing, named_matrices
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Relevance", "partial_order", "prevalence", "ranks", "scores", "total_order"]


def __dir__() -> list[str]:
    return sorted(__all__)


Score: TypeAlias = Fraction | float
Pairs: TypeAlias = "Iterable[tuple[Hashable, Hashable]] | nx.DiGraph"

_MOST_SHOWN: Final = 6


class Labelled(Protocol):
    """Values with names, as a Series has them, or rows with names, as a DataFrame has them."""

    @property
    def index(self) -> Iterable[Hashable]:
        """The names."""

    def items(self) -> Iterable[tuple[Hashable, object]]:
        """Return the names with what they name."""

    def to_numpy(self) -> NDArray[np.generic]:
        """Return the values without the names."""


@dataclass(frozen=True)
class Relevance:
    """A relevance phi: one number between 0 and 1 for each class, not all of them 0.

    ``phi[name]`` is the relevance of a class and ``dict(phi)`` all of them, exact numbers where they can be.

    :param classes: the classes, in the order of the rows of a confusion matrix
    :param values: the relevance of each
    :param method: what made the numbers: ``"scores"``, ``"prevalence"``, ``"total order"``, ``"ranks"``, or
        ``"partial order, "`` and the method of its ranks

    :raises InputError: on a value that is not a number between 0 and 1, on values that are all 0, on a class that
        stands twice, and on classes and values of different numbers

    >>> phi = Relevance(("a", "b"), (1, Fraction(1, 2)))
    >>> phi["b"], phi.weights.tolist()
    (Fraction(1, 2), [1.0, 0.5])
    """

    classes: tuple[Hashable, ...]
    values: tuple[Score, ...]
    method: str = "scores"

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", _distinct(self.classes))
        if len(self.classes) != len(self.values):
            raise InputError(
                f"{number_of(len(self.values), 'value')} for the {_counted(self.classes)}; pass one value per class"
            )
        values = tuple(_score(value, name) for name, value in zip(self.classes, self.values, strict=True))
        if not any(values):
            raise InputError(f"the relevance of every class is 0 ({_shown(self.classes)}); give one a positive value")
        object.__setattr__(self, "values", values)

    def __getitem__(self, name: Hashable) -> Score:
        try:
            return self._by_class[name]
        except (KeyError, TypeError):
            raise KeyError(f"the relevance has no class {name!r}; its classes are {_shown(self.classes)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self.classes

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.classes)

    def __len__(self) -> int:
        return len(self.classes)

    def keys(self) -> tuple[Hashable, ...]:
        """Return the classes."""
        return self.classes

    def items(self) -> tuple[tuple[Hashable, Score], ...]:
        """Return the classes with their relevance."""
        return tuple(zip(self.classes, self.values, strict=True))

    @cached_property
    def _by_class(self) -> dict[Hashable, Score]:
        return dict(zip(self.classes, self.values, strict=True))

    @property
    def weights(self) -> NDArray[np.float64]:
        """The values as a float64 array, in the order of the classes."""
        import numpy as np

        return np.array([float(value) for value in self.values])

    def ordered(self, labels: Iterable[Hashable]) -> Relevance:
        """Return the same relevance with its classes in another order.

        :raises InputError: if the labels are not the classes, each once; the message names one that differs

        >>> scores({"a": 1, "b": 0}).ordered(["b", "a"]).weights.tolist()
        [0.0, 1.0]
        """
        order = _distinct(labels)
        if unknown := [label for label in order if label not in self._by_class]:
            raise InputError(f"the relevance has no class {unknown[0]!r}; its classes are {_shown(self.classes)}")
        if missing := [name for name in self.classes if name not in set(order)]:
            raise InputError(f"the relevance has a class {missing[0]!r} that is not among the labels {_shown(order)}")
        return Relevance(order, tuple(self._by_class[label] for label in order), self.method)


def scores(values: Mapping[Hashable, object] | Labelled, classes: Iterable[Hashable] | None = None) -> Relevance:
    """Return the relevance that gives each class the value stated for it.

    :param values: a number between 0 and 1 for each class, exact or float: a mapping, or a Series with the classes as
        its index
    :param classes: the classes in the order of the matrix's rows, by default sorted, or as given if they do not compare
    :raises InputError: on a value that is no relevance, and on classes that are not those of the values

    >>> scores({"c2": 0.2, "c1": 1, "c3": 0.1})
    Relevance(classes=('c1', 'c2', 'c3'), values=(Fraction(1, 1), 0.2, 0.1), method='scores')
    """
    named = _named(values)
    if named is None:
        raise InputError(f"scores takes a mapping from classes to numbers, not {type(values).__name__}; pass a dict")
    order = _order(named, classes)
    return Relevance(order, tuple(named[name] for name in order))  # type: ignore[misc]  # checked in Relevance


def prevalence(
    counts: Mapping[Hashable, float] | Labelled | ArrayLike, classes: Iterable[Hashable] | None = None
) -> Relevance:
    """Return the relevance that is inversely proportional to the frequencies of the classes and sums to 1.

    ``phi(i) = (1/t(i)) / (sum over j of 1/t(j))``: Branco, Torgo & Ribeiro (2017), equation (9).

    :param counts: the number of examples of each class, as a sequence or a mapping; or a k x k confusion matrix
        ``C[i, j]``, true class i and predicted class j, whose rows are counted.  A Series or a DataFrame is a mapping
        from its index.
    :param classes: the names of the classes: of a sequence's or a matrix's, by default 0, 1, ..., k - 1; of a
        mapping's, their order, by default sorted, or as given if they do not compare
    :raises InputError: on a class without examples, which has no inverse, on counts that are negative or not finite,
        and on classes that do not fit

    >>> prevalence([5, 10, 300]).values
    (Fraction(60, 91), Fraction(30, 91), Fraction(1, 91))
    >>> prevalence([[5, 0, 0], [0, 10, 0], [0, 300, 0]], classes=["a", "b", "c"])["b"]
    Fraction(30, 91)
    """
    named = _named(counts)
    totals = list(named.values()) if named is not None else _totals(counts)
    order = _order(named, classes) if named is not None else _names(len(totals), classes)
    numbers = [_count(value, name) for value, name in zip(totals, named or order, strict=True)]
    by_class = dict(zip(named or order, numbers, strict=True))
    inverses = [1 / by_class[name] for name in order]
    total = sum(inverses)
    return Relevance(order, tuple(inverse / total for inverse in inverses), "prevalence")


def total_order(classes_low_to_high: Iterable[Hashable], classes: Iterable[Hashable] | None = None) -> Relevance:
    """Return the relevance of classes in total order: 1/k for the least relevant of k, 1 for the most, in equal steps.

    It is rank over largest rank: Branco, Torgo & Ribeiro (2017), equation (10) for a total order.

    :param classes_low_to_high: every class once, the least relevant first
    :param classes: the classes in the order of the matrix's rows, by default sorted, or as given if they do not compare
    :raises InputError: on a class that stands twice, on a set, and on classes that are not those of the order

    >>> total_order(["c3", "c2", "c1"]).values
    (Fraction(1, 1), Fraction(2, 3), Fraction(1, 3))
    """
    ranked = _distinct(classes_low_to_high)
    order = _order(ranked, classes)
    rank = {name: place for place, name in enumerate(ranked, start=1)}
    return Relevance(order, tuple(Fraction(rank[name], len(ranked)) for name in order), "total order")


def partial_order(
    pairs: Pairs,
    classes: Iterable[Hashable] | None = None,
    method: str = "midpoint",
    *,
    max_ideals: int | None = None,
    seed: int = 0,
) -> Relevance:
    """Return the relevance of classes in partial order: the average rank over the largest one.

    Branco, Torgo & Ribeiro (2017), equation (10), with the average ranks of :func:`symmetrics.posets.average_ranks`.

    :param pairs: pairs (a, b), or the edges a -> b of a DiGraph: a is less relevant than b.  Pairs that follow from
        others need not be given.  Or an order, such as :func:`symmetrics.posets.from_scores` returns.
    :param classes: all classes, in the order of the matrix's rows, those included that no pair names; by default those
        that the pairs name, sorted, or as given if they do not compare
    :param method: how ranks are averaged: ``"midpoint"`` (that of the paper), ``"lpom"``, ``"lpom_ext"``, ``"loof1"``,
        ``"loof2"``, ``"exact"`` or ``"mcmc"``
    :param max_ideals: for ``"exact"``, how many ideals are visited at most; by default
        :data:`symmetrics.posets.MAX_IDEALS`
    :param seed: for ``"mcmc"``, the seed of the walk
    :raises InputError: on a cycle, a self-loop, a pair with a class that is not in *classes*, and an order that is too
        large for the method
    :raises UnknownNameError: on an unknown method

    >>> partial_order([("c3", "c1"), ("c3", "c2")]).values
    (Fraction(1, 1), Fraction(1, 1), Fraction(2, 5))
    """
    from symmetrics.posets import MAX_IDEALS, average_ranks, fraction_ranks

    given = None if classes is None else _distinct(classes)
    averaged: Mapping[Hashable, Score]
    if method == "mcmc":
        averaged = average_ranks(pairs, method, classes=given, seed=seed)
    else:
        most = MAX_IDEALS if max_ideals is None else max_ideals
        averaged = fraction_ranks(pairs, method, classes=given, max_ideals=most)
    order = _sorted(averaged) if given is None else given
    highest = max(averaged.values())
    return Relevance(order, tuple(averaged[name] / highest for name in order), f"partial order, {method}")


def ranks(values: Mapping[Hashable, object] | Labelled, classes: Iterable[Hashable] | None = None) -> Relevance:
    """Return the relevance of classes from ranks that were averaged: each over the largest one.

    Branco, Torgo & Ribeiro (2017), equation (10), for ranks of any origin, such as the expected ones of a random order.

    :param values: the rank of each class, 1 for the lowest: a mapping, or a Series with the classes as its index
    :param classes: the classes in the order of the matrix's rows, by default sorted, or as given if they do not compare
    :raises InputError: on a rank below 1, and on classes that are not those of the ranks

    >>> ranks({"b": Fraction(5, 2), "a": Fraction(5, 2), "c": 1}).values
    (Fraction(1, 1), Fraction(1, 1), Fraction(2, 5))
    """
    named = _named(values)
    if named is None:
        raise InputError(f"ranks takes a mapping from classes to ranks, not {type(values).__name__}; pass a dict")
    exact = {name: _exact_if_possible(value) if _is_number(value) else None for name, value in named.items()}
    for name, rank in exact.items():
        if rank is None or not 1 <= rank < math.inf:
            raise InputError(f"the rank of class {name!r} is {_text(named[name])}; ranks are numbers from 1 on")
    order = _order(named, classes)
    highest = max(rank for rank in exact.values() if rank is not None)
    return Relevance(order, tuple(exact[name] / highest for name in order), "ranks")  # type: ignore[operator]


def _score(value: object, name: Hashable) -> Score:
    number = _exact_if_possible(value) if _is_number(value) else None
    if number is None or not 0 <= number <= 1:
        raise InputError(f"the relevance of {name!r} is {_text(value)}; pass a number between 0 and 1")
    return number


def _count(value: object, name: Hashable) -> Score:
    number = _exact_if_possible(value) if _is_number(value) else None
    if number is None or not 0 <= number < math.inf:
        raise InputError(f"class {name!r} has {_text(value)} examples; pass numbers of examples")
    if number == 0:
        raise InputError(
            f"class {name!r} has no examples, and relevance is inversely proportional to their number; pass how many "
            "each class has, leave the class out, or state its relevance with scores"
        )
    return Fraction(number) if number == int(number) else number


def _named(values: object) -> dict[Hashable, object] | None:
    """Return the values of a mapping, a Series or the rows of a DataFrame by name; None for what has no names."""
    if isinstance(values, Mapping):
        return dict(values)
    if not (hasattr(values, "index") and hasattr(values, "items") and hasattr(values, "to_numpy")):
        return None
    names = _distinct(values.index)
    if hasattr(values, "columns"):
        named_matrices(values)  # type: ignore[arg-type]  # a matrix of counts has one class on a row and on its column
    entries = values.to_numpy()
    return dict(zip(names, entries.tolist() if entries.ndim == 1 else _totals(entries), strict=True))


def _totals(counts: object) -> list[object]:
    """Return the entries of a sequence of counts, or the row sums of a square matrix of them."""
    import numpy as np

    try:  # as objects, so that no integer is turned into a float
        array: NDArray[np.generic] = np.asarray(counts, dtype=None if hasattr(counts, "dtype") else object)
    except ValueError:
        array = np.empty((0, 0, 0))
    if array.ndim == 2 and array.shape[0] == array.shape[1] > 0:
        _refuse_negative(array)
        return [_total(row) for row in array.tolist()]
    if array.ndim != 1 or array.size == 0:
        raise InputError(
            f"counts has shape {array.shape}; pass one number of examples per class, or a k x k confusion matrix"
        )
    return list(array.tolist())


def _total(row: Iterable[object]) -> Score:
    """Return a sum, in exact arithmetic and rounded only at the end, if it is not whole and its terms are floats."""
    entries = [_exact_if_possible(entry) for entry in row]
    total = sum((Fraction(entry) for entry in entries), Fraction(0))
    is_exact = total.denominator == 1 or not any(isinstance(entry, float) for entry in entries)
    return total if is_exact else float(total)


def _refuse_negative(matrix: NDArray[np.generic]) -> None:
    for place, entry in enumerate(matrix.ravel().tolist()):
        if not _is_number(entry) or not 0 <= entry < math.inf:
            row, column = divmod(place, len(matrix))
            raise InputError(f"C[{row}, {column}] is {_text(entry)}; pass numbers of examples")


def _exact_if_possible(value: object) -> Score:
    """Return a float as it is and any other real number as a fraction."""
    if isinstance(value, Rational):
        return Fraction(int(value.p), int(value.q))
    if isinstance(value, Fraction | int | Decimal):
        return Fraction(value)
    number = value.item() if hasattr(value, "item") else value
    return Fraction(number) if isinstance(number, int) else float(number)  # type: ignore[arg-type]  # it is real


def _is_number(value: object) -> bool:
    if isinstance(value, bool):
        return False
    finite = not isinstance(value, Decimal) or value.is_finite()
    return finite and isinstance(value, Real | Decimal | Rational)


def _order(known: Iterable[Hashable], classes: Iterable[Hashable] | None) -> tuple[Hashable, ...]:
    """Return the classes in the order asked for, which has to name each of the known ones once."""
    names = tuple(known)
    if classes is None:
        return _sorted(names)
    order = _distinct(classes)
    if unknown := [name for name in order if name not in set(names)]:
        raise InputError(f"classes names {unknown[0]!r}, which has no relevance; those with one are {_shown(names)}")
    if missing := [name for name in names if name not in set(order)]:
        raise InputError(f"there is no class {missing[0]!r} among classes, {_shown(order)}; name every class once")
    return order


def _names(count: int, classes: Iterable[Hashable] | None) -> tuple[Hashable, ...]:
    names = tuple(range(count)) if classes is None else _distinct(classes)
    if len(names) != count:
        raise InputError(f"classes names the {_counted(names)} and counts has {count}; name every class once")
    return names


def _distinct(classes: Iterable[Hashable]) -> tuple[Hashable, ...]:
    if isinstance(classes, set | frozenset):
        raise InputError(f"classes is {_text(classes)}, and a set has no order; pass a list")
    if isinstance(classes, str | bytes | Mapping) or not isinstance(classes, Iterable):
        raise InputError(f"classes is {_text(classes)}; pass a list of classes, as in ['a', 'b']")
    names = tuple(classes)
    try:
        distinct = set(names)
    except TypeError:
        raise InputError(
            f"one of the classes {_shown(names)} cannot be hashed; pass texts, numbers or tuples"
        ) from None
    if missing := [name for name in names if is_missing(name)]:
        raise InputError(f"{_text(missing[0])} is no class of a relevance; name classes by texts or numbers")
    if len(distinct) < len(names):
        repeated = next(name for place, name in enumerate(names) if name in names[:place])
        raise InputError(f"class {repeated!r} stands twice among {_shown(names)}; name every class once")
    if not names:
        raise InputError("there are no classes; name at least one")
    return names


def _sorted(names: Iterable[Hashable]) -> tuple[Hashable, ...]:
    listed = tuple(names)
    try:
        return tuple(sorted(listed))  # type: ignore[type-var]  # whether they compare is found out here
    except TypeError:
        return listed


def _counted(names: Sequence[Hashable]) -> str:
    return f"{len(names)} {'class' if len(names) == 1 else 'classes'} {_shown(names)}"


def _shown(names: Sequence[Hashable]) -> str:
    rest = len(names) - _MOST_SHOWN
    listed = ", ".join(_text(name) for name in names[:_MOST_SHOWN])
    return listed if rest <= 0 else f"{listed} and {rest} more"


def _text(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."
