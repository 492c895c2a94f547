"""What metrics of k x k matrices reduce to, as claims that are decided and re-verified.

An equation between two expressions is a claim over the entries ``c_1_1``, ``c_1_2``, … and the weights ``phi_1``, …
that occur in it, for all positive values of them; that about two classes is one over the four cells.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sympy import Add, Expr, Integer, Symbol, log

from symmetrics.claims import Identity
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, parameter_symbol
from symmetrics.language.names import CELL_NAMES
from symmetrics.library import metrics
from symmetrics.matrices.expansion import Entries, Expansion, entry_symbols
from symmetrics.matrices.nodes import ClassMean, CorrectClassMean
from symmetrics.matrices.records import multiclass
from symmetrics.prover.acceptance import decide_and_check

SIZES: Final = (2, 3, 4)
"""Numbers of classes for which laws of all sizes are proved."""
_ONE: Final = Integer(1)
_BINARY: Final = {
    "accuracy": "accuracy",
    "adjusted_balanced_accuracy": "informedness",
    "av_acc": "accuracy",
    "balanced_accuracy": "balanced_accuracy",
    "cba": "class_balance_accuracy",
    "cen": "confusion_entropy",
    "error_rate": "error_rate",
    "f_of_means": "f_of_means",
    "kappa": "kappa",
    "kappa_linear": "kappa",
    "kappa_quadratic": "kappa",
    "mavg": "gmean",
    "mcc": "mcc",
    "one_vs_rest_accuracy": "accuracy",
    "rci": "relative_classifier_information",
}
"""The binary metric that each is for two classes."""
_MEANS: Final[Mapping[str, Expr]] = {
    "mean recall": ClassMean(metrics["recall"].expr),
    "mean precision": ClassMean(metrics["precision"].expr),
    "mean F1": ClassMean(metrics["f1"].expr),
    "CBA": ClassMean(metrics["all_confidence"].expr),
    "AvAcc": CorrectClassMean(metrics["accuracy"].expr),
    "one-vs-rest accuracy": ClassMean(metrics["accuracy"].expr),
}
_LOGARITHM: Final = ClassMean(log(metrics["recall"].expr, evaluate=False))


@dataclass(frozen=True)
class Reduction:
    """A statement about a metric of matrices, and the claim that it is.

    :param name: the key
    :param statement: the statement in words
    :param claim: the statement as a claim on positive entries
    """

    name: str
    statement: str
    claim: Identity

    def decide(self) -> Verdict:
        """Decide the claim; it is open unless the checker accepts the evidence.

        >>> from symmetrics.checker import check
        >>> verdict = next(r for r in REDUCTIONS if r.name == "mcc of two classes").decide()
        >>> check(verdict)
        >>> verdict.status
        'proved'
        """
        return decide_and_check(self.claim, metric=self.name, property=self.statement)


def _records() -> Iterator[Reduction]:
    yield from _of_two_classes()
    for size in SIZES:
        yield from _uniform(size)
        yield from _micro(size)
        yield from _invariant(size)
        yield from _invariant_with_relevance(size)
        yield from _not_invariant(size)
    yield from _distinct()


def _of_two_classes() -> Iterator[Reduction]:
    cells = {
        symbol: cell
        for row, pair in zip(entry_symbols(2), ((TP, FN), (FP, TN)), strict=True)
        for symbol, cell in zip(row, pair, strict=True)
    }
    for name, binary in _BINARY.items():
        statement = f"{name} of two classes is the binary {binary}, the first class being positive"
        yield Reduction(
            f"{name} of two classes", statement, _equal(multiclass[name].expr(2).xreplace(cells), metrics[binary].expr)
        )


def _uniform(size: int) -> Iterator[Reduction]:
    entries = entry_symbols(size)
    alike = Expansion(entries, (Symbol("c", real=True),) * size)
    plain = Expansion(entries, (_ONE,) * size)
    for name, mean in _MEANS.items():
        statement = f"{name} of {size} classes at a relevance c that is the same for all is the plain mean"
        yield Reduction(f"{name} at uniform relevance, k={size}", statement, _equal(alike(mean), plain(mean)))


def _micro(size: int) -> Iterator[Reduction]:
    entries = entry_symbols(size)
    accuracy = Add(*(entries[place][place] for place in range(size))) / Add(*itertools.chain(*entries))
    pooled = Expansion(entries, None)
    for key in ("recall", "precision", "f1"):
        statement = f"the micro-average of {key} over {size} classes is the accuracy"
        mean = pooled(ClassMean(metrics[key].expr))
        yield Reduction(f"micro {key}, k={size}", statement, _equal(mean, accuracy))


def _invariant(size: int) -> Iterator[Reduction]:
    entries = entry_symbols(size)
    plain = Expansion(entries, (_ONE,) * size)
    # F of means is a function of the mean precision and the mean recall, which have claims of their own.
    values = {name: metric.expr(size) for name, metric in multiclass.items() if name != "f_of_means"}
    values |= {name: plain(_MEANS[name]) for name in ("mean recall", "mean precision", "mean F1")}
    ordered = {name for name, metric in multiclass.items() if metric.orders_classes}
    for name, value in values.items():
        for cycle, order in _reversal(size) if name in ordered else _generators(size):
            statement = f"{name} of {size} classes stays the same when the classes are permuted by {cycle}"
            claim = _equal(value, value.xreplace(_moved(entries, order)))
            yield Reduction(f"{name} permuted by {cycle}, k={size}", statement, claim)


def _invariant_with_relevance(size: int) -> Iterator[Reduction]:
    entries, weights = entry_symbols(size), _weights(size)
    means = {**_MEANS, "logarithm of MAvG": _LOGARITHM}
    for (name, mean), (cycle, order) in itertools.product(means.items(), _generators(size)):
        value = Expansion(entries, weights)(mean)
        moved = _moved(entries, order) | {weights[place]: weights[image] for place, image in enumerate(order)}
        statement = f"{name} of {size} classes stays the same when {cycle} permutes the classes and their relevance"
        yield Reduction(
            f"{name} permuted by {cycle} with its relevance, k={size}", statement, _equal(value, value.xreplace(moved))
        )


def _not_invariant(size: int) -> Iterator[Reduction]:
    entries, weights = entry_symbols(size), _weights(size)
    cycle, order = _generators(size)[0]
    values = {name: Expansion(entries, weights)(mean) for name, mean in _MEANS.items()}
    # At relevance 2, 1, ..., 1 the (k + 1)th power of MAvG is a fraction.
    values["MAvG**(k + 1) at relevance 2, 1, ..."] = _product_of_recalls(entries)
    for name, value in values.items():
        statement = f"{name} of {size} classes stays the same when {cycle} permutes the classes without their relevance"
        claim = _equal(value, value.xreplace(_moved(entries, order)))
        yield Reduction(f"{name} permuted by {cycle} without its relevance, k={size}", statement, claim)


def _distinct() -> Iterator[Reduction]:
    two, three = entry_symbols(2), entry_symbols(3)
    plain = Expansion(three, (_ONE,) * 3)
    pairs = (
        (
            "mcc as a mean",
            "mcc of 3 classes is the mean of their binary mcc",
            multiclass["mcc"].expr(3),
            plain(ClassMean(metrics["mcc"].expr)),
        ),
        (
            "F of means as mean of F",
            "F1 of the means of 2 classes is the mean of their F1",
            multiclass["f_of_means"].at(beta=1).expr(2),
            Expansion(two, (_ONE,) * 2)(ClassMean(metrics["f1"].expr)),
        ),
        (
            "macro recall as accuracy",
            "the mean recall of 3 classes is their accuracy",
            plain(ClassMean(metrics["recall"].expr)),
            Expansion(three, None)(ClassMean(metrics["recall"].expr)),
        ),
    )
    for name, statement, left, right in pairs:
        yield Reduction(name, statement, _equal(left, right))


def _equal(left: Expr, right: Expr) -> Identity:
    """Return the claim that two expressions agree for all positive values of their symbols."""
    symbols = left.free_symbols | right.free_symbols
    names = CELL_NAMES if symbols <= set(CELLS) else tuple(sorted(symbol.name for symbol in symbols))
    variables = tuple(map(parameter_symbol, names))
    return Identity(left, (), (variables, variables), partner=right, over=names)


def _weights(size: int) -> tuple[Symbol, ...]:
    return tuple(Symbol(f"phi_{number}", real=True) for number in range(1, size + 1))


def _generators(size: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return permutations that generate all permutations of the classes: a transposition and a cycle of all."""
    swap = ("(1 2)", (1, 0, *range(2, size)))
    cycle = (f"({' '.join(str(place + 1) for place in range(size))})", (*range(1, size), 0))
    return (swap,) if size == 2 else (swap, cycle)


def _reversal(size: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the permutation that turns the order of the classes around, and keeps their distances."""
    cycles = "".join(f"({low} {size + 1 - low})" for low in range(1, size // 2 + 1))
    return ((cycles, tuple(reversed(range(size)))),)


def _moved(entries: Entries, order: Sequence[int]) -> dict[Symbol, Expr]:
    """Return what stands for each entry once the classes are permuted."""
    places = range(len(entries))
    return {entries[row][column]: entries[order[row]][order[column]] for row in places for column in places}


def _product_of_recalls(entries: Entries) -> Expr:
    first, *others = (entries[place][place] / Add(*row) for place, row in enumerate(entries))
    product = first**2
    for recall in others:
        product *= recall
    return product


REDUCTIONS: Final[tuple[Reduction, ...]] = tuple(_records())
"""What is proved of the metrics of matrices, and what is refuted."""
