"""Verdicts in one sentence of everyday words, with the counterexample."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sympy import Expr, Rational
from sympy.printing.mathml import mathml

from symmetrics.claims import Affine, Comparison, SameOrder, ScalingSpace, TranslationSpace
from symmetrics.claims.evidence import Counts, Point
from symmetrics.claims.families.limits import LargestAtAgreement
from symmetrics.claims.property import Property
from symmetrics.claims.theorems.implications import Theorem
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import value_of, value_text
from symmetrics.language.condition import condition_text
from symmetrics.language.definition import Definition
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.writer import formula_text
from symmetrics.metric import Metric
from symmetrics.pages.answers import called, called_inside, how_attained
from symmetrics.query.proving import End, ends_of
from symmetrics.tools.documents import Formula
from symmetrics.tools.texts import for_html, for_latex, number_of

# -- Parts of plain sentences: examples, averages, symmetries and directions -------------------------------------------


_SHORT: Final = 100
"""Largest numerator and denominator that are easy to read as a fraction."""


def setting(table: Counts | Point) -> str:
    """Return A table's cells (or a point's variables) as text.

    >>> setting(Counts(1, 2, 3, 4))
    'TP=1, FN=2, FP=3, TN=4'
    """
    names = table.names if isinstance(table, Point) else CELL_NAMES
    return ", ".join(f"{name}={count}" for name, count in zip(names, table, strict=True))


def matrix_text(point: Point, classes: int) -> str:
    """Return the rows of a matrix with the entries of a point; unnamed ones are 0.

    >>> matrix_text(Point(["c_1_1", "c_1_2", "c_2_2"], [5, 1, 7]), 2)
    '[[5, 1], [0, 7]]'
    """
    values = dict(zip(point.names, map(str, point), strict=True))
    places = range(1, classes + 1)
    rows = (", ".join(values.get(f"c_{row}_{column}", "0") for column in places) for row in places)
    return f"[{', '.join(f'[{row}]' for row in rows)}]"


def with_digits(values: Sequence[Expr]) -> list[str]:
    """Exact values as text, with decimals where the exact form is hard to read.

    >>> from sympy import Rational, sqrt
    >>> with_digits([Rational(13, 24), Rational(522, 7555), 5 * sqrt(3) / 18])
    ['13/24', '522/7555, about 0.06909', '5*sqrt(3)/18, about 0.4811']
    """
    digits = next((n for n in range(4, 18) if len({f"{value.evalf(n)}" for value in values}) == len({*values})), 17)
    return [formula_text(value) + (f", about {value.evalf(digits)}" if _is_long(value) else "") for value in values]


def _is_long(value: Expr) -> bool:
    is_short = value.is_Rational and abs(value.p) <= _SHORT and value.q <= _SHORT
    return bool(value.is_finite and not value.is_Integer and not is_short)


def in_words(text: str) -> str:
    """Return a value with infinity as a word.

    >>> in_words("(-oo, oo)"), in_words("oo")
    ('(-infinity, infinity)', 'infinity')
    """
    return re.sub(r"\boo\b", "infinity", text)


def example_in_words(verdict: Verdict) -> str:
    """Return the counterexample in words: values at two tables, or an undefined table.

    >>> from symmetrics.query.relations import relate
    >>> example_in_words(relate("f1", "accuracy", "less_equal"))
    ': it is 2/3 and the other metric is 3/5 at TP=2, FN=1, FP=1, TN=1'
    """
    witness = verdict.witness
    if witness is None or not witness.tables:
        return ""
    at = "".join(f", with {name} = {value}" for name, value in witness.parameters.items())
    if not witness.values:
        return f", such as {setting(witness.tables[0])}{at}"
    found = [(formula_text(value), setting(table)) for value, table in zip(witness.values, witness.tables, strict=True)]
    own = own_values(verdict, len(found))
    told = f"it is {_values(found[:own])}"
    if own < len(found):
        others, same = found[own:], [table for _, table in found[:own]] == [table for _, table in found[own:]]
        other = " and ".join(value for value, _ in others) if same else _values(others)
        if same and own == 1:
            told = f"it is {found[0][0]} and the other metric is {other} at {found[0][1]}"
        else:
            told += f", where the other metric is {other}" if same else f", and the other metric is {other}"
    return f": {told}{at}"


def own_values(verdict: Verdict, count: int) -> int:
    """Return how many values in a counterexample belong to the metric itself."""
    claim = verdict.claim
    if isinstance(claim, SameOrder | Affine):
        return count // 2
    return count - 1 if isinstance(claim, Comparison) and claim.partner is not None else count


def _values(pairs: Sequence[tuple[str, str]]) -> str:
    """Return values with their tables, equal values together."""
    found = list(dict.fromkeys(pairs))
    if len(found) > 1 and len({value for value, _ in found}) == 1:
        return f"{found[0][0]} both at {' and at '.join(table for _, table in found)}"
    return " and ".join(f"{value} at {table}" for value, table in found)


def averages_in_words(expectations: Iterable[Mapping[str, Any]]) -> str:
    """Return the metric's mean under random guessing, in words.

    >>> averages_in_words([{"mean": "1/2", "n": 2, "P": 1, "OP": 1}, {"mean": "1/3", "n": 3, "P": 1, "OP": 1}])
    '1/2 for 2 examples of which 1 is positive and 1 is predicted to be, and 1/3 for 3 examples of which 1 is positive \
and 1 is predicted to be'
    """
    return ", and ".join(_average(one) for one in expectations)


def _average(one: Mapping[str, Any]) -> str:
    if "n" not in one:
        return str(one["mean"])
    kinds = f"{_are(one['P'])} positive and {_are(one['OP'])} predicted to be"
    return f"{one['mean']} for {number_of(one['n'], 'example')} of which {kinds}"


def _are(count: int) -> str:
    return f"{count} {'is' if count == 1 else 'are'}"


# -- symmetries and directions -----------------------------------------------------------------------------------------

_IMAGES: Final = {
    "M": "it stays the same",
    "1-M": "it turns into 1 minus itself",
    "-M": "it turns into its negative",
    "1/M": "it turns into its inverse",
}
_FEW: Final = 2
"""Exchanges of cells with names; the others are only counted."""


def symmetries_in_words(symmetries: Iterable[Mapping[str, Any]]) -> str:
    """Say which exchanges of cells map a metric to which image.

    >>> symmetries_in_words([
    ...     {"image": "M", "permutation": "identity", "condition": None},
    ...     {"image": "M", "permutation": "(FN FP)", "condition": None},
    ...     {"image": "1-M", "permutation": "(TP FN)(FP TN)", "condition": "w = 1/2"},
    ... ])
    'it stays the same when FN and FP are exchanged, and it turns into 1 minus itself when TP and FN, and FP and TN \
are exchanged if w = 1/2'
    """
    listed: dict[str, list[str]] = {}
    for one in symmetries:
        if one["permutation"] != "identity":  # the identity maps, for instance, a constant 1 to 1/M
            condition = f" if {one['condition']}" if one["condition"] else ""
            listed.setdefault(one["image"], []).append(_exchange(one["permutation"]) + condition)
    return ", and ".join(f"{_IMAGES[image]} when {_some(exchanges)}" for image, exchanges in listed.items())


def _some(exchanges: Sequence[str]) -> str:
    left = len(exchanges) - _FEW
    more = [] if left <= 0 else [f"under {left} other exchange{'s' * (left > 1)}"]
    return ", or ".join([*exchanges[:_FEW], *more])


def _exchange(cycles: str) -> str:
    """Describe a permutation, given in cycles, as an exchange of cells."""
    parts = [cycle.split() for cycle in re.findall(r"\(([^()]*)\)", cycles)]
    if all(len(part) == _FEW for part in parts):
        return f"{', and '.join(' and '.join(part) for part in parts)} are exchanged"
    return ", and ".join(f"{', '.join(part)} take turns in this order" for part in parts)


def directions_in_words(basis: Sequence[Sequence[int | str]], scaled: bool) -> str:
    """Return changes of a table that leave the metric unchanged, one per basis direction.

    >>> directions_in_words([[1, 1, 0, 0], [0, 0, 0, -2]], scaled=True)
    'a change to (TP*s, FN*s, FP, TN) or to (TP, FN, FP, TN*s**(-2)) for any s > 0'
    >>> directions_in_words([[1, -1, 0, 2]], scaled=False)
    'a change to (TP + s, FN - s, FP, TN + 2*s) for any s that leaves cells positive'
    """
    write = _scaled if scaled else _moved
    tables = [", ".join(map(write, CELL_NAMES, direction)) for direction in basis]
    steps = "s > 0" if scaled else "s that leaves cells positive"
    return f"a change {' or '.join(f'to ({table})' for table in tables)} for any {steps}"


def _scaled(cell: str, power: int | str) -> str:
    return cell if power == 0 else f"{cell}*s" if power == 1 else f"{cell}*s**{_bracketed(power)}"


def _moved(cell: str, step: int | str) -> str:
    if not isinstance(step, int):
        return f"{cell} + {_bracketed(step)}*s"
    size = "s" if abs(step) == 1 else f"{abs(step)}*s"
    return cell if step == 0 else f"{cell} {'-' if step < 0 else '+'} {size}"


def _bracketed(number: int | str) -> str:
    text = str(number)
    return text if re.fullmatch(r"\w+", text) else f"({text})"


# ----------------------------------------------------------------------------------------------------------------------


_WITH_A_VALUE: Final = ("decomposable", "independence_value", "prevalence_limit", "tn_limit")
"""Properties whose value says more than yes or no, and does so in everyday words."""


def plain_sentence(verdict: Verdict, property: Property, metric: Definition) -> str:
    """Return the verdict in one sentence, for readers who know only the confusion matrix.

    >>> from symmetrics.library import metrics, properties
    >>> from symmetrics.query.proving import prove
    >>> def say(metric, key):
    ...     print(plain_sentence(prove(metric, key), properties[key], metrics[metric]))
    >>> say("precision", "p2")
    Precision does not depend on the true negatives.
    >>> say("f1", "p1")
    F1-measure changes when the two classes are exchanged: it is 1/2 at TP=1, FN=1, FP=1, TN=2 and 2/3 at TP=2, FN=1, \
FP=1, TN=1.
    >>> say("kappa", "range")
    Cohen's kappa is bounded: it lies between -1 and 1, and reaches -1 and 1 only where cells are zero.
    >>> say("laplace", "range")
    Laplace-corrected precision is bounded: it lies between 0 and 1, and comes as near to 0 and 1 as one likes.
    >>> say("diagnostic_odds_ratio", "constant_baseline")
    Diagnostic odds ratio has no average for random guessing, as it is infinite at some of the tables.
    >>> say("cwa", "p2")
    Mean class-weighted accuracy does not depend on the true negatives if and only if w = 1; that is not so at the \
default w = 3/4.
    """
    name, defaults = called(metric), _defaults(metric)
    if verdict.condition is not None:
        comma = "," if "," in property.yes else ""
        told = f"{name} {property.yes}{comma} if and only if {condition_text(verdict.condition)}"
        if verdict.holds is None:
            return f"{told}."
        return f"{told}; that is {'' if verdict.holds else 'not '}so at {defaults}."
    if verdict.status == "open":
        name = called_inside(metric)
        if verdict.holds is None:
            return f"It is not known whether {name} {property.yes}."
        said = property.yes if verdict.holds else property.no
        return f"At {defaults} {name} {said}; whether it {property.yes} in general is not known."
    if verdict.evidence.kind == "no expectation":
        return f"{name} has no average for random guessing, as it is infinite at some of the tables."
    sentence = f"{name} {property.yes if verdict.holds else property.no}"
    return sentence + (_more(verdict) or example_in_words(verdict)) + "."


def _defaults(metric: Definition) -> str:
    values = [f"{symbol} = {value}" for symbol, value in metric.default_values.items()]
    return f"the default{'s' * (len(values) > 1)} {', '.join(values)}"


def _more(verdict: Verdict) -> str:
    """Return the value in words; empty if there is none."""
    if verdict.property == "range":
        return f": {_range(verdict)}"
    if verdict.evidence.kind == "unbounded":
        way = "grows beyond" if isinstance(verdict.claim, LargestAtAgreement) else "falls below"
        return f", as it {way} all bounds"
    if verdict.evidence.kind == "attained elsewhere" and verdict.witness is not None:
        (value,), (table,) = verdict.witness.values, verdict.witness.tables
        return f", as it is that, {formula_text(value)}, at {setting(table)} too"
    found = value_of(verdict.claim, verdict)
    if found is None:
        return ""
    if verdict.property in _WITH_A_VALUE:
        return f": {in_words(found['text'])}"
    if found["kind"] == "expectation":
        return f": {averages_in_words(found['expectations'])}"
    if found["kind"] == "group" and verdict.holds:
        return f": {symmetries_in_words(found['symmetries'])}"
    if found["kind"] == "space" and verdict.holds and isinstance(verdict.claim, ScalingSpace | TranslationSpace):
        return f", such as {directions_in_words(found['basis'], isinstance(verdict.claim, ScalingSpace))}"
    if found["kind"] == "link":
        return f": {found['text'].replace('partner', 'L')}, where L is the other metric and M this one"
    return ""


def _range(verdict: Verdict) -> str:
    """Return the range in words, with where each end is attained."""
    ends = verdict.evidence.data if verdict.evidence.kind == "range" else {}
    bounds = [in_words(ends[side]["bound"]) if side in ends else "?" for side in ("lower", "upper")]
    if "?" in bounds:
        return f"its range at positive cells is {in_words(value_text(verdict) or 'not known')}"
    told: dict[str, list[str]] = {}
    for bound, side in zip(bounds, ("lower", "upper"), strict=True):
        if "infinity" not in bound:
            told.setdefault(_HOW_REACHED[how_attained(ends[side])], []).append(bound)
    parts = [how.format(" and ".join(reached)) for how, reached in sorted(told.items(), key=_with_the_shorter_first)]
    if bounds[0] == bounds[1]:
        return f"it is always {bounds[0]}"
    return f"it lies between {bounds[0]} and {bounds[1]}" + "".join(f", and {part}" for part in parts)


def _with_the_shorter_first(item: tuple[str, list[str]]) -> int:
    return list(_HOW_REACHED.values()).index(item[0])


_HOW_REACHED: Final = {
    "at positive cells": "reaches {}",
    "at zero cells": "reaches {} where cells are zero",
    "only at zero cells": "reaches {} only where cells are zero",
    "unknown": "comes as near to {} as one likes",
}
"""Words for where an end of a range is attained."""


# -- what holds for all metrics ----------------------------------------------------------------------------------------


def theorem_text(theorem: Theorem) -> str:
    """Return a theorem in words, with the exchange, direction or limit that it provides."""
    said = str(theorem)
    if not theorem.by:
        return said
    return f"{said.removesuffix(f' by {theorem.by}')}: {_SHOWN_BY[theorem.conclusion].format(theorem.by)}"


_SHOWN_BY: Final = {
    "symmetry_group": "M({}) = M(TP, FN, FP, TN)",
    "translation_space": "M does not change along {}",
    "scaling_space": "M does not change under the powers {} of a factor",
    "tn_limit": "M does not change as TN grows",
    "prevalence_limit": "M does not change as the positive class gets rare",
}
"""Words for what provides an exchange, direction or limit."""


# -- Exact numbers and formulas as people read them --------------------------------------------------------------------


SHORT: Final = 10
"""Longest exact number that is shown in full, in characters."""


def number_text(value: Expr) -> str:
    """Return a number exactly if that is short, with decimals unless it is an integer.

    >>> number_text(Rational(9, 10)), number_text(Rational(1, 3)), number_text(Rational(12345, 678910))
    ('0.9', '1/3 (0.3333)', '0.01818')
    """
    if not value.is_finite:
        return {"oo": "infinity", "-oo": "-infinity"}.get(str(value), "no value")
    text = formula_text(value)
    decimals = f"{float(value):.4g}"
    if value.is_Integer or text == decimals:
        return text
    if isinstance(value, Rational) and Rational(decimals) == value:
        return decimals
    return f"{text} ({decimals})" if len(text) <= SHORT else decimals


@dataclass(frozen=True)
class Symbolic(Formula):
    """A formula of SymPy within the text of a document.

    :param expr: the formula
    :param equals: left-hand side of an equation, such as ``M``; empty by default
    """

    expr: Expr
    equals: str = ""

    @property
    def text(self) -> str:
        """As the formula parser reads it."""
        return f"{self.equals} = {formula_text(self.expr)}" if self.equals else formula_text(self.expr)

    @property
    def latex(self) -> str:
        """In LaTeX, without dollars."""
        from symmetrics.pages.latex.tabular import formula_latex

        return (f"{for_latex(self.equals)} = " if self.equals else "") + formula_latex(self.expr)

    @property
    def mathml(self) -> str:
        """As MathML."""
        written = mathml(self.expr, printer="presentation", mul_symbol="dot").replace("<mo>-</mo>", "<mo>&#x2212;</mo>")
        return (f"<mi>{for_html(self.equals)}</mi><mo>=</mo>" if self.equals else "") + str(written)


# -- The range of a metric in words: on positive tables, and where cells may be zero -----------------------------------


def range_text(metric: Metric) -> str | None:
    """Return both ranges of a metric, at the defaults of its parameters; None if they are not proved.

    >>> from symmetrics.library import metrics
    >>> range_text(metrics["mcc"])
    '(-1, 1) on tables of positive cells, [-1, 1] where cells may be zero'
    """
    if any(parameter.default is None for parameter in metric.parameters):
        return None
    bound = metric.at(**{p.name: p.default for p in metric.parameters}) if metric.parameters else metric
    ends = ends_of(bound)
    if len(ends) < 2:
        return None
    inside, outside = open_interval(ends), closed_interval(ends)
    at = ", ".join(f"{symbol} = {value}" for symbol, value in metric.default_values.items())
    return f"{inside} on tables of positive cells, {outside} where cells may be zero" + (f"; at {at}" if at else "")


def open_interval(ends: Sequence[End]) -> str:
    """Return the range on positive tables, as an interval."""
    return _interval(ends, [bool(end.is_reached) for end in ends])


def closed_interval(ends: Sequence[End]) -> str:
    """Return the range on all tables, as an interval; infinite ends are excluded."""
    return _interval(ends, [bool(end.is_reached or (end.on_boundary and end.bound.is_finite)) for end in ends])


def _interval(ends: Sequence[End], reached: Sequence[bool]) -> str:
    lower, upper = ends
    opening, closing = "[" if reached[0] else "(", "]" if reached[1] else ")"
    return f"{opening}{bound_text(lower)}, {bound_text(upper)}{closing}"


def bound_text(end: End) -> str:
    """Return one bound, exactly."""
    return formula_text(end.bound) if end.bound.is_finite else number_text(end.bound)
