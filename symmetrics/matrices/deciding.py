"""Decide properties of matrix metrics at a given number of classes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sympy import Add, Expr, Integer, S, Symbol, log

from symmetrics.claims import Claim, Combination, Identity
from symmetrics.claims.evidence import open_decision
from symmetrics.claims.recorded import ANEW, recorded_verdict
from symmetrics.claims.verdict import Verdict
from symmetrics.data.counts import shown
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, parameter_symbol
from symmetrics.language.formula import MAX_FORMULA_LENGTH
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.writer import formula_text
from symmetrics.library import metrics
from symmetrics.library.properties import properties
from symmetrics.matrices.expansion import Entries, Expansion, entry_symbols
from symmetrics.matrices.metric import MulticlassMetric
from symmetrics.matrices.nodes import ClassMean, CorrectClassMean
from symmetrics.matrices.properties import multiclass_properties
from symmetrics.matrices.property import MulticlassProperty
from symmetrics.matrices.records import multiclass
from symmetrics.matrices.validated import number_of_classes
from symmetrics.matrices.zeros import CANCELLED, UNKNOWN, UNREAL
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.tools.budget import SECONDS, required_seconds, within
from symmetrics.tools.errors import BudgetError, InputError, SymmetricsError, UnknownNameError
from symmetrics.tools.texts import number_of

CLASSES: Final = 3
"""Default number of classes, also that of the certificates in the package."""
_AT_SIZE: Final = re.compile(r"(?P<subject>.+) of (?P<classes>[1-9]\d{0,3}) classes", re.ASCII | re.DOTALL)
_NO_VALUES: Final = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity, S.ImaginaryUnit)
_SETTINGS: Final = re.compile(r"(?P<key>\w+)\((?P<settings>[^()]*)\)", re.ASCII)


def prove_at_size(
    metric: MulticlassMetric,
    property: MulticlassProperty | str,
    classes: int | None = None,
    *,
    seconds: float = SECONDS,
) -> Verdict:
    """Decide whether a matrix metric has a property at a given number of classes.

    A mean over classes is the plain one.  What is asked of the library at three classes is read from the certificates
    that come with the package; all else is decided, and re-verified by other code.

    :param property: a property or its key
    :param classes: the number of classes, 3 if none is given: what is proved for one says nothing of others
    :param seconds: how long it may take, checking included
    :raises InputError: on a number of classes about which the property says nothing
    :raises UnknownNameError: if no property has the key

    >>> from symmetrics.matrices import multiclass
    >>> print(prove_at_size(multiclass["cba"], "transpose", 2))
    transpose of cba of 2 classes: proved; identity on the open positive orthant: over one denominator the difference \
has the zero polynomial as numerator
    """
    asked = as_multiclass_property(property)
    required_seconds(seconds)
    count = CLASSES if classes is None else number_of_classes(classes)
    claim, name = asked.of(metric, count), name_at_size(metric, count)
    if not ANEW.get() and multiclass.get(metric.name) is metric and multiclass_properties.get(asked.name) is asked:
        found = recorded_verdict(lambda: claim, metric=name, property=asked.name)
        if found is not None:
            return found
    if (reason := _obstacle(claim)) is not None:
        return Verdict.of(open_decision(reason), claim, metric=name, property=asked.name)
    from symmetrics.prover.acceptance import out_of_budget

    try:
        return within(lambda: _decided(claim, name, asked.name), seconds=seconds, shown=f"{asked.name} of {name}")
    except BudgetError as error:
        return out_of_budget(error, claim, metric=name, property=asked.name)


def _obstacle(claim: Claim) -> str | None:
    """Return why a claim cannot be decided, None if it can."""
    parts = [part for _, part in claim.parts] if isinstance(claim, Combination) else [claim]
    named = (getattr(part, name, None) for part in parts for name in ("subject", "partner", "relation"))
    formulas = dict.fromkeys(formula for formula in named if formula is not None)
    if any(formula.has(UNKNOWN) for formula in formulas):
        return f"the value where entries are 0 is not known{' while parameters are free' if claim.parameters else ''}"
    if any(formula.has(UNREAL) for formula in formulas):
        return "a root or a logarithm of what may be negative has cancelled, so that it is not known where M is real"
    if any(formula.has(CANCELLED) for formula in formulas):
        return "a divisor that may be zero has cancelled, so that it is not known where M has a value"
    if any(formula.has(*_NO_VALUES) for formula in formulas):
        return "M has no real value at matrices that the property is about"
    length = max(len(formula_text(formula)) for formula in formulas)
    if length > MAX_FORMULA_LENGTH:
        return (
            f"the formula has {length} characters, and at most {MAX_FORMULA_LENGTH} are read; ask about fewer classes"
        )
    return None


@lru_cache(maxsize=4096)
def _decided(claim: Claim, metric: str, property: str) -> Verdict:
    from symmetrics.prover import decide_or_at_defaults
    from symmetrics.prover.acceptance import accepted

    return accepted(decide_or_at_defaults(claim, metric=metric, property=property))


def name_at_size(metric: MulticlassMetric, classes: int) -> str:
    """Return the name of a metric in verdicts on a number of classes.

    >>> from symmetrics.matrices import multiclass
    >>> name_at_size(multiclass["cba"], 3)
    'cba of 3 classes'
    """
    return f"{metric.name} of {number_of(classes, 'class')}"


def properties_at_size(classes: int) -> list[MulticlassProperty]:
    """Return the properties that apply at a number of classes."""
    return [property for property in multiclass_properties.values() if property.least_classes <= classes]


def is_at_size(name: str) -> bool:
    """Whether a name is that of a library metric in verdicts on a number of classes.

    >>> is_at_size("mcc of 3 classes"), is_at_size("f_of_means(beta=1) of 2 classes"), is_at_size("mcc")
    (True, True, False)
    """
    found = _AT_SIZE.fullmatch(name)
    return found is not None and _named(found["subject"]) is not None


def called(metric: MulticlassMetric) -> str:
    """Return the title of a metric without its explanation, or its name.

    >>> called(multiclass["balanced_accuracy"])
    'Balanced accuracy'
    """
    return metric.title.partition(":")[0] or metric.name


def title_at_size(name: str) -> str | None:
    """Return the title of a matrix metric, given its name in a verdict; None if the name is not of that form.

    >>> title_at_size("mcc of 3 classes"), title_at_size("mine of 2 classes"), title_at_size("mcc")
    ('Matthews correlation coefficient of 3 classes', 'mine of 2 classes', None)
    """
    found = _AT_SIZE.fullmatch(name)
    metric = None if found is None else _named(found["subject"])
    if found is None or metric is None:
        return None if found is None else name
    return f"{called(metric)} of {number_of(int(found['classes']), 'class')}"


def told_at_size(verdict: Verdict) -> str | None:
    """State a verdict on a library metric in a sentence; None if the metric is not a matrix metric.

    >>> told_at_size(prove_at_size(multiclass["cba"], "transpose"))
    'Class balance accuracy of 3 classes treats predictions and truth alike.'
    """
    title = title_at_size(verdict.metric)
    return None if title is None else multiclass_properties[verdict.property].told(title, verdict.holds)


def claim_named(
    name: str, key: str, metric: MulticlassMetric | None = None, property: MulticlassProperty | None = None
) -> Claim | None:
    """Return the claim of a verdict, given its names; None if these are not those of a matrix metric.

    :param name: the name of the metric in a verdict, such as ``"cba of 3 classes"``
    :param key: the key of the property
    :param metric: a metric that may not be in the library
    :param property: a property that may not be in the library

    >>> claim_named("mcc of 3 classes", "transpose") == multiclass_properties["transpose"].of(multiclass["mcc"], 3)
    True
    >>> claim_named("mcc", "transpose") is None
    True
    """
    found = _AT_SIZE.fullmatch(name)
    asked = multiclass_properties.get(key) if property is None else property
    if found is None or asked is None or asked.name != key:
        return None
    subject = _named(found["subject"]) if metric is None else metric
    if subject is None or name_at_size(subject, int(found["classes"])) != name:
        return None
    return asked.of(subject, int(found["classes"]))


def _named(name: str) -> MulticlassMetric | None:
    """Return the library metric with a name that may include parameter values."""
    found = _SETTINGS.fullmatch(name)
    if found is None:
        return multiclass[name] if name in set(multiclass) else None
    metric = _named(found["key"])
    try:
        bound = None if metric is None else metric.at(**dict(s.split("=") for s in found["settings"].split(", ")))
    except (SymmetricsError, TypeError, ValueError):
        return None
    return bound if bound is not None and bound.name == name else None


def as_multiclass_property(key: MulticlassProperty | str) -> MulticlassProperty:
    """Return a property of matrix metrics, given itself or its key.

    :raises InputError: on what is neither
    :raises UnknownNameError: if no property has the key
    """
    if isinstance(key, MulticlassProperty):
        return key
    if not isinstance(key, str):
        raise InputError(
            f"{shown(key)} is not a property of metrics of matrices: pass one of symmetrics.multiclass_properties, or "
            "its key"
        )
    if key not in multiclass_properties and key in properties:
        where = (
            "it is one of metrics of two classes; leave the number of classes out, or take one that 'symmetrics list "
            "multiclass-properties' has"
        )
        raise UnknownNameError("property of metrics of matrices", key, multiclass_properties, where)
    return multiclass_properties[key]


# -- Reductions of matrix metrics to binary ones or to each other, as claims -------------------------------------------

# An equation of two expressions is a claim over the entries ``c_1_1``, ``c_1_2``, … and the weights ``phi_1``, …
# that occur in it, for all positive values; for two classes, a claim over the four cells.


SIZES: Final = (2, 3, 4)
"""Numbers of classes at which laws for all sizes are proved."""
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
"""The binary metric that each matrix metric equals for two classes."""
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
    """A statement about a matrix metric, with the claim that expresses it.

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
    # The F-measure of means is a function of the mean precision and mean recall, which have claims of their own.
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
    # At relevance 2, 1, ..., 1 the (k + 1)th power of MAvG is rational.
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
    """Return generators of the symmetric group: a transposition and a cycle of all classes."""
    swap = ("(1 2)", (1, 0, *range(2, size)))
    cycle = (f"({' '.join(str(place + 1) for place in range(size))})", (*range(1, size), 0))
    return (swap,) if size == 2 else (swap, cycle)


def _reversal(size: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the permutation that reverses the order of the classes, and keeps their distances."""
    cycles = "".join(f"({low} {size + 1 - low})" for low in range(1, size // 2 + 1))
    return ((cycles, tuple(reversed(range(size)))),)


def _moved(entries: Entries, order: Sequence[int]) -> dict[Symbol, Expr]:
    """Return the substitution of entries under a permutation of the classes."""
    places = range(len(entries))
    return {entries[row][column]: entries[order[row]][order[column]] for row in places for column in places}


def _product_of_recalls(entries: Entries) -> Expr:
    first, *others = (entries[place][place] / Add(*row) for place, row in enumerate(entries))
    product = first**2
    for recall in others:
        product *= recall
    return product


REDUCTIONS: Final[tuple[Reduction, ...]] = tuple(_records())
"""Proved and refuted reductions of matrix metrics."""
