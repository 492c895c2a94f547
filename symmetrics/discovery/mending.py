"""Mending: the nearest variants of a formula with a missing property, each proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np
from sympy import Add, And, Eq, Expr, Max, Min, Mul, Or, Pow, Rational, S, Symbol, oo
from sympy.logic.boolalg import Boolean

from symmetrics.claims.families.limits import STEP
from symmetrics.claims.property import Property
from symmetrics.discovery.mendings import Mending, Variant
from symmetrics.discovery.synthesis import excluded_by
from symmetrics.language.cells import CELLS, FN, FP, ON, OP, TN, TP, N, P, n
from symmetrics.language.condition import condition_text
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.library import metrics, properties
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.prover.engine.leading import leading_term
from symmetrics.query.identification import closest
from symmetrics.query.proving import as_property, prove
from symmetrics.query.relations import usable
from symmetrics.tools.budget import within
from symmetrics.tools.errors import BudgetError, DefinitionError, InputError, SymmetricsError, UnsupportedError

# -- Edits of a formula: one part replaced, removed or weighted --------------------------------------------------------


WEIGHT: Final = Parameter("weight", 0)
"""Free parameter of an edit; the values with the wanted property are solved for."""
_SUMS: Final = (P, N, OP, ON, TP + TN, FN + FP, n)
"""Named sums of cells: margins, correct and wrong predictions, total."""
_HALF: Final = Rational(1, 2)
_POWERS: Final = {S.One: (_HALF, S(2)), _HALF: (S.One,), S(2): (S.One,), -_HALF: (-S.One,)}


@dataclass(frozen=True)
class Edit:
    """A formula that differs from another in one place.

    :param formula: with :data:`WEIGHT` as a symbol if a weight is left open
    :param how: the edit, in words
    """

    formula: Expr
    how: str


def edits_of(formula: Expr) -> Iterator[Edit]:
    """Yield the distinct formulas at edit distance one.

    A cell or a sum of cells becomes another, or gets a weight; two cells are exchanged throughout; a term or a factor
    is left out; a sum becomes a product, a minimum a maximum, and back; a root is taken or undone.

    >>> [str(edit.formula) for edit in edits_of(TP / P) if edit.how == "FN and FP exchanged"]
    ['TP/(FP + TP)']
    """
    seen = {formula}
    for edit in (*_exchanges(formula), *_everywhere(formula, formula)):
        if edit.formula not in seen and not edit.formula.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity):
            seen.add(edit.formula)
            yield edit


def _exchanges(formula: Expr) -> Iterator[Edit]:
    for one, other in combinations(CELLS, 2):
        yield Edit(formula.xreplace({one: other, other: one}), f"{one} and {other} exchanged")


def _everywhere(node: Expr, whole: Expr) -> Iterator[Edit]:
    """Yield the edits of a part and of all its subexpressions; equal parts are edited separately."""
    yield from _here(node, whole)
    for place, part in enumerate(node.args):
        if isinstance(node, Pow) and place == 1:
            continue
        for edit in _everywhere(part, whole):
            arguments = (*node.args[:place], edit.formula, *node.args[place + 1 :])
            yield Edit(node.func(*arguments), edit.how)


def _here(node: Expr, whole: Expr) -> Iterator[Edit]:
    """Yield replacements for a part."""
    shown = formula_text(node)
    if node in CELLS or node in _SUMS:
        for other in (*CELLS, *_SUMS):
            if other != node:
                yield Edit(other, f"{shown} replaced by {formula_text(other)}")
    if node in CELLS:
        yield Edit(WEIGHT.symbol * node, f"{shown} weighted")
    if isinstance(node, Rational) and node not in (S.One, S.NegativeOne):
        yield Edit(WEIGHT.symbol, f"{shown} replaced by a weight")
    if isinstance(node, (Add, Mul)):
        for place, part in enumerate(node.args):
            yield Edit(node.func(*node.args[:place], *node.args[place + 1 :]), f"{formula_text(part)} left out")
    # Coefficients and quotients are unnatural as operands here.
    is_plain = not any(part.as_coeff_Mul()[0] != 1 or isinstance(part, Pow) for part in node.args)
    for kind, other_kind in ((Add, Mul), (Mul, Add), (Min, Max), (Max, Min)):
        if isinstance(node, kind) and is_plain:
            changed = other_kind(*node.args)
            yield Edit(changed, f"{shown} replaced by {formula_text(changed)}")
    base, exponent = node.as_base_exp() if isinstance(node, Pow) or node is whole else (node, None)
    for other_exponent in _POWERS.get(exponent, ()) if exponent is not None else ():
        changed = base**other_exponent
        yield Edit(changed, f"{shown} replaced by {formula_text(changed)}")


# ----------------------------------------------------------------------------------------------------------------------


COMPARED: Final = (
    *("p1", "p2", "p3", "p4", "p5", "transpose", "antisymmetric", "homogeneous", "predicted_scaling"),
    *("actual_scaling", "no_imbalance_bias", "independence_value", "agreement_increases", "margins_decrease"),
    *("increasing_tp", "increasing_tn", "decreasing_fn", "decreasing_fp", "strongly_monotone", "monotone"),
    *("range", "max_agreement", "min_agreement", "constant_baseline"),
)
"""Properties in which variants are compared with the formula."""
MOST: Final = 10
"""Number of nearest variants that are examined closely; the others are counted."""
SECONDS: Final = 60.0
EACH: Final = 2.0
"""Time limit in seconds per question about a variant."""
FARTHEST: Final = 2
"""Largest number of edits; second edits only if nothing nearer was found."""


_KINDS: Final = ("parameters", "construction", "edit")


@dataclass(frozen=True)
class _Candidate:
    """A variant that may have the properties.

    :param distance: how far it is: a value of a parameter 0, a construction or an edit 1, two edits 2
    """

    metric: Metric
    how: str
    kind: str
    distance: int


def mend(
    metric: Metric | Expr | str,
    *wanted: Property | str,
    seconds: float = SECONDS,
    progress: bool | None = None,
) -> Mending:
    """Return the nearest variants of a formula that have given properties, with what they lose and gain.

    Looked at are values of the formula's parameters, constructions (:meth:`symmetrics.Metric.symmetrised` and others;
    limits in one cell), and small edits of the expression: a cell or a margin for another, a weight, a term left out.
    Each variant that is listed is proved to have the properties, and is not constant; that there are no others is not
    claimed, but where theorems about all metrics exclude it.

    :param metric: a metric, an expression over the cells, a name in the library, or the text of a formula
    :param wanted: the properties, or their keys
    :param seconds: time limit of the search; results found by then are returned, with a remark
    :param progress: whether to show a progress bar; by default only on a terminal
    :raises InputError: if no property is named
    :raises UnknownNameError: if no property has a key

    >>> mend("mcc", "p1").remark
    'it has what is asked for'
    >>> mend("f1", "p2", "increasing_tn").remark
    'impossible: no metric has p2 and increasing_tn'
    """
    subject = as_metric(metric)
    asked = tuple(dict.fromkeys(as_property(property) for property in wanted))
    if not asked:
        raise InputError("name the property that the formula is to have, as in mend(mine, 'p1')")
    # Nothing to mend, or impossible for every metric.
    if all(prove(subject, property, seconds=EACH).status == "proved" for property in asked):
        return Mending(subject, _keys(asked), (), remark="it has what is asked for")
    of_library = all(properties.get(property.name) == property for property in asked)
    if of_library and (excluded := excluded_by(_keys(asked), ())):
        return Mending(subject, _keys(asked), (), remark=f"impossible: {'; '.join(map(str, excluded))}")
    found: list[_Candidate] = []
    variants: list[Variant] = []
    remark = ""
    try:
        within(lambda: _search(subject, asked, found, variants, progress), seconds=seconds, shown="")
    except BudgetError as error:
        remark = f"not everything was looked at: {error}"
        before: dict[str, bool | None] = {key: _has(subject, key) for key in COMPARED if key in _keys(asked)}
        variants += [_unseen(one, before) for one in _nearest(found)[len(variants) : MOST]]
    variants.sort(key=lambda one: (one.distance, len(one.loses), one.metric.expr.count_ops(), str(one.metric.expr)))
    return Mending(subject, _keys(asked), tuple(variants), remark, left_out=max(0, len(found) - len(variants)))


def _keys(properties: Iterable[Property]) -> tuple[str, ...]:
    return tuple(property.name for property in properties)


def _search(
    subject: Metric,
    asked: tuple[Property, ...],
    found: list[_Candidate],
    variants: list[Variant],
    progress: bool | None,
) -> None:
    """Search for variants, and describe the nearest ones."""
    from tqdm import tqdm

    # Nearest first: values of parameters, constructions and single edits; two edits only if these find nothing.
    seen = {key for key in (_values(subject),) if key is not None}
    hidden = None if progress is None else not progress
    for far in range(1, FARTHEST + 1):
        with tqdm(_candidates(subject, far), desc="mend", disable=hidden, leave=False) as bar:
            for candidate in bar:
                for one in _having(candidate, asked):
                    key = _values(one.metric)
                    if key is not None and key not in seen:
                        seen.add(key)
                        found.append(one)
                bar.set_postfix(found=len(found), refresh=False)
        if found:
            break
    nearest = tqdm(_nearest(found)[:MOST], desc="compare", disable=hidden, leave=False)
    variants.extend(_described(one, subject) for one in nearest)


def _nearest(found: list[_Candidate]) -> list[_Candidate]:
    """Return candidates, the nearest and shortest first; at equal distance the kinds alternate."""
    turns: Counter[tuple[int, str]] = Counter()
    ranked: list[tuple[int, int, int, int, _Candidate]] = []
    for one in sorted(found, key=lambda one: one.metric.expr.count_ops()):
        ranked.append((one.distance, turns[one.distance, one.kind], _KINDS.index(one.kind), len(ranked), one))
        turns[one.distance, one.kind] += 1
    return [one for *_, one in sorted(ranked, key=lambda row: row[:-1])]


def _having(candidate: _Candidate, asked: tuple[Property, ...]) -> Iterator[_Candidate]:
    """Yield a candidate if it is proved to have the properties, perhaps at certain values of its parameters."""
    for property in asked:
        verdict = prove(candidate.metric, property, seconds=EACH)
        if verdict.status == "proved":
            continue
        if verdict.condition is not None and candidate.kind != "construction":
            for one in _at_solutions(candidate, verdict.condition):
                yield from _having(one, asked)
        return
    if WEIGHT.symbol not in candidate.metric.expr.free_symbols:
        yield candidate


def _at_solutions(candidate: _Candidate, condition: Boolean) -> Iterator[_Candidate]:
    """Yield a metric at the parameter values that a condition determines."""
    for case in Or.make_args(condition):
        # Only solved conditions, parameter = value, can be substituted.
        parts = And.make_args(case)
        if not all(isinstance(part, Eq) and isinstance(part.lhs, Symbol) for part in parts):
            continue
        values = {part.lhs: part.rhs for part in parts}
        if any(not value.free_symbols.isdisjoint(values) for value in values.values()):
            continue
        text = condition_text(case)
        try:
            expression = candidate.metric.expr.xreplace(values)
            bound = replace(candidate.metric, name=f"{candidate.metric.name} at {text}", expr=expression, range=None)
        except (DefinitionError, TypeError, ValueError):
            continue
        how = f"{candidate.how}, {text}" if candidate.how else text
        yield replace(candidate, metric=bound, how=how)


def _values(metric: Metric) -> tuple[str, ...] | None:
    """Return rounded values as a fingerprint of a formula; None if it is constant or mostly undefined."""
    try:
        known = usable(metric.expr.xreplace({p.symbol: _anywhere(place) for place, p in enumerate(metric.parameters)}))
    except (SymmetricsError, TypeError, ValueError, OverflowError):
        return None
    return None if known is None else tuple(f"{value:.9g}" for value in np.asarray(known.values).tolist())


def _anywhere(place: int) -> Expr:
    return S(7 + 4 * place) / (13 + 3 * place)


# -- candidates --------------------------------------------------------------------------------------------------------


def _candidates(subject: Metric, far: int) -> Iterator[_Candidate]:
    """Yield all candidates at a given distance."""
    if far == 1:
        if subject.parameters:
            yield _Candidate(subject, "", "parameters", 0)
        yield from _constructed(subject, far)
        yield from _edited(subject, far)
        return
    seen = {_values(subject)}
    for near in _constructed(subject, 1):
        if (key := _values(near.metric)) not in seen:
            seen.add(key)
            yield from _constructed(near.metric, far, near.how)
    for near in _edited(subject, 1):
        yield from _edited(near.metric, far, near.how)


def _constructed(metric: Metric, far: int, before: str = "") -> Iterator[_Candidate]:
    for words, make in _CONSTRUCTIONS:
        try:
            made = make(metric)
        except (SymmetricsError, ArithmeticError, ValueError):
            continue  # the error says why there is none
        yield _Candidate(made, f"{before}, then {words}" if before else words, "construction", far)


def _edited(metric: Metric, far: int, before: str = "") -> Iterator[_Candidate]:
    signed = _signed_divisors(metric.expr)
    for edit in edits_of(metric.expr):
        if _signed_divisors(edit.formula) - signed:
            continue  # may vanish at positive cells, where a metric must be defined
        how = f"{before}; {edit.how}" if before else edit.how
        parameters = tuple(dict.fromkeys((*metric.parameters, WEIGHT)))
        try:
            made = replace(
                metric,
                name=formula_text(edit.formula),
                title="",
                aliases=(),
                cites=(),
                expr=edit.formula,
                parameters=parameters,
                range=None,
            )
        except (DefinitionError, TypeError, ValueError):
            continue
        yield _Candidate(made, how, "edit", far)


def _signed_divisors(formula: Expr) -> set[Expr]:
    """Return the divisors and radicands of a formula that have terms of both signs."""
    bases = {power.base.expand() for power in formula.atoms(Pow) if not power.exp.is_integer or power.exp.is_negative}
    return {base for base in bases if any(term.could_extract_minus_sign() for term in base.as_ordered_terms())}


def _in_limit(cell: Symbol) -> Callable[[Metric], Metric]:
    def limit(metric: Metric) -> Metric:
        found = leading_term(metric.expr, metric.parameters, {cell: 1 / STEP}).limit
        if found.has(S.NaN, oo, -oo) or not found.free_symbols & set(CELLS):
            raise UnsupportedError(f"{metric.name} has no finite limit that is a metric")
        words = f"limit, {cell} -> oo"
        return replace(metric, name=f"{metric.name} ({words})", title="", aliases=(), cites=(), expr=found, range=None)

    return limit


_CONSTRUCTIONS: Final[tuple[tuple[str, Callable[[Metric], Metric]], ...]] = (
    ("transposed", Metric.transposed),
    ("exchanged", Metric.exchanged),
    ("negated", Metric.negated),
    *(
        (
            f"symmetrised over {', '.join(over)}" + ("" if mean == "arithmetic" else f", {mean} mean"),
            lambda metric, over=over, mean=mean: metric.symmetrised(*over, mean=mean),
        )
        for over in (("p1",), ("transpose",), ("p1", "transpose"))
        for mean in ("arithmetic", "geometric", "harmonic")
    ),
    ("at the prior 1/2", lambda metric: metric.at_prior("1/2")),
    ("chance corrected", Metric.chance_corrected),
    ("composed with M/(1 + M)", lambda metric: metric.composed("M/(1 + M)")),
    ("composed with (M - 1)/(M + 1)", lambda metric: metric.composed("(M - 1)/(M + 1)")),
    *((f"in the limit {cell} -> oo", _in_limit(cell)) for cell in CELLS),
)


# -- description of a variant ------------------------------------------------------------------------------------------


def _described(one: _Candidate, subject: Metric) -> Variant:
    """Return a variant with its losses, gains and identification."""
    loses: list[str] = []
    gains: list[str] = []
    undecided: list[str] = []
    for key in COMPARED:
        before, after = (_has(metric, key) for metric in (subject, one.metric))
        if before is None or after is None:
            undecided.append(key)
        elif before != after:
            (gains if after else loses).append(key)
    equals: tuple[str, ...] = ()
    if all(p.default is not None for p in one.metric.parameters):
        matches = closest(one.metric, list(metrics.values()))
        equals = tuple(m.equation for m in matches if m.relation == "equal" and m.verdict.status == "proved")
    return Variant(one.metric, one.how, one.kind, one.distance, tuple(loses), tuple(gains), tuple(undecided), equals)


def _has(metric: Metric, key: str) -> bool | None:
    """Whether a metric has a property, at the defaults of its parameters, or for all values without defaults."""
    verdict = prove(metric, key, seconds=EACH)
    return False if verdict.holds is None and verdict.condition is not None else verdict.holds


def _unseen(one: _Candidate, before: Mapping[str, bool | None]) -> Variant:
    """Return a variant for which no time was left to say more.

    :param before: whether the formula has what was asked for
    """
    gains = tuple(key for key, had in before.items() if had is False)
    undecided = tuple(key for key in COMPARED if before.get(key) is None)
    return Variant(one.metric, one.how, one.kind, one.distance, gains=gains, undecided=undecided)
