"""Values of a metric: range, undefined tables, dependence on the prior, an example."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final

from sympy import Expr, Integer, Rational

from symmetrics.claims.evidence import Counts
from symmetrics.claims.values import Limit
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.library import metrics, properties
from symmetrics.metric import Metric
from symmetrics.metric.priors import in_rates, prior_derivative, prior_limit
from symmetrics.pages.plain import (
    Symbolic,
    bound_text,
    closed_interval,
    number_text,
    open_interval,
    plain_sentence,
    setting,
)
from symmetrics.query.graph import LARGEST, Relative, relatives_of
from symmetrics.query.proving import End, ends_of
from symmetrics.query.search import Identification, Match
from symmetrics.tools.documents import (
    Block,
    Code,
    Entries,
    Entry,
    Facts,
    Grid,
    Paragraph,
    Section,
    Text,
    texts,
)
from symmetrics.tools.errors import SymmetricsError
from symmetrics.tools.texts import number_of

EXAMPLE: Final = Counts(40, 10, 20, 130)
"""The table in the examples."""
RATES: Final = (Fraction(4, 5), Fraction(9, 10))
"""True positive rate and true negative rate at which priors are compared."""
PRIORS: Final = (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))
EXAMPLES: Final = 1000
"""Number of examples in that comparison."""
_UNBOUND: Final = Paragraph(("It has a parameter without a default; bind it with .at(...) to see its values.",))


def value_sections(
    metric: Metric, bound: Metric | None, verdicts: Mapping[str, Verdict], *, seconds: float
) -> Iterator[Section]:
    """Yield the sections on values.

    :param bound: the metric at the defaults of its parameters; None if one has no default
    """
    yield Section("range", "Range", (*_range(metric, bound, seconds), Entries(tuple(_range_entries(metric, verdicts)))))
    yield Section("prior", "Dependence on the prior", tuple(_prior(metric, bound, _is_free_of_prior(verdicts))))
    yield Section("gradient", "Gradient", tuple(_gradient(metric, bound)))
    if bound is not None:
        yield Section("example", "At an example", tuple(_example(bound)))


def _range_entries(metric: Metric, verdicts: Mapping[str, Verdict]) -> Iterator[Entry]:
    for key in ("defined", "tn_limit", "prevalence_limit"):
        yield Entry((plain_sentence(verdicts[key], properties[key], metric),))


def _at(metric: Metric) -> str:
    settings = ", ".join(f"{symbol} = {value}" for symbol, value in metric.default_values.items())
    return f" at {settings}" if settings else ""


# -- range -------------------------------------------------------------------------------------------------------------


def _range(metric: Metric, bound: Metric | None, seconds: float) -> Iterator[Block]:
    if bound is None:
        yield _UNBOUND
        return
    ends = ends_of(bound, seconds=seconds)
    rows: list[tuple[str, Text]] = []
    if len(ends) == 2:
        rows = [
            (f"on tables of positive cells{_at(metric)}", (open_interval(ends),)),
            ("where cells may be zero", (closed_interval(ends),)),
        ]
    for end in ends:
        rows.append((f"{end.side} end", (_where(end),)))
    for side in {"lower", "upper"} - {end.side for end in ends}:
        rows.append((f"{side} end", ("not known",)))
    yield Facts(tuple(rows))


def _where(end: End) -> str:
    bound = bound_text(end)
    if not end.bound.is_finite:
        said = f"there is none: it tends to {bound} at ({', '.join(end.path)}) as s tends to 0"
        return said + ("" if end.on_boundary is None else f", and is {bound} at {setting(end.on_boundary)}")
    if end.inside is not None:
        return f"{bound}, reached at {setting(end.inside)}"
    approached = f"{bound}, approached at ({', '.join(end.path)}) as s tends to 0"
    inside = "not reached at positive cells" if end.is_reached is False else "whether positive cells reach it is open"
    corner = "" if end.on_boundary is None else f", reached at {setting(end.on_boundary)}"
    return f"{approached}; {inside}{corner}"


# -- prior and gradient ------------------------------------------------------------------------------------------------


def _is_free_of_prior(verdicts: Mapping[str, Verdict]) -> bool:
    """Whether it is proved that a metric does not depend on the prior, for all parameters."""
    return verdicts["actual_scaling"].status == "proved"


def _prior(metric: Metric, bound: Metric | None, is_free: bool) -> Iterator[Block]:
    yield Paragraph(_known(lambda: in_rates(metric), "M"), is_display=True)
    slope: Text = ("0: the prior does not matter at fixed rates",)
    rows = [
        ("derivative by the prior", slope if is_free else _known(lambda: prior_derivative(metric))),
        ("as the prior tends to 0", _limit(metric, bound, 0)),
        ("as the prior tends to 1", _limit(metric, bound, 1)),
    ]
    yield Facts(tuple(rows))
    if bound is not None:
        names = ("prior", *(f"{float(prior):g}" for prior in PRIORS))
        values: tuple[Text, ...] = tuple(((number_text(bound.exact(*_table(prior))),)) for prior in PRIORS)
        at = f"M, TPr = {float(RATES[0]):g}, TNr = {float(RATES[1]):g}, n = {EXAMPLES}{_at(metric)}"
        yield Grid(texts(names), (((at,), *values),))


def _limit(metric: Metric, bound: Metric | None, end: int) -> Text:
    """Return a limit; if parameters decide it, the one at their defaults, with the reason why there is no other."""
    try:
        return _value(prior_limit(metric, end))
    except SymmetricsError as error:
        unknown = f"not known: {error}"
    try:
        there = () if bound is None else _value(prior_limit(bound, end))
    except SymmetricsError:
        there = ()
    return (*there, f"{_at(metric)}; in general {unknown}") if there else (unknown,)


def _known(found: Callable[[], Expr], equals: str = "") -> Text:
    """Return a formula, or the reason why it is not known."""
    try:
        return _value(found(), equals)
    except SymmetricsError as error:
        return (f"not known: {error}",)


def _value(value: Expr, equals: str = "") -> Text:
    return (Symbolic(value, equals),) if value.is_finite is not False else (number_text(value),)


def _table(prior: Fraction) -> tuple[Rational, Rational, Rational, Rational]:
    positive, negative = EXAMPLES * prior, EXAMPLES * (1 - prior)
    tpr, tnr = RATES
    cells = (positive * tpr, positive * (1 - tpr), negative * (1 - tnr), negative * tnr)
    first, second, third, fourth = (Rational(cell.numerator, cell.denominator) for cell in cells)
    return first, second, third, fourth


def _gradient(metric: Metric, bound: Metric | None) -> Iterator[Block]:
    slopes = metric.gradient()
    at = None if bound is None else bound.gradient()
    place = dict(zip(CELLS, map(Integer, EXAMPLE), strict=True))
    rows: list[tuple[Text, ...]] = []
    for number, (name, slope) in enumerate(zip(CELL_NAMES, slopes, strict=True)):
        there: tuple[Text, ...] = () if at is None else ((f"{float(at[number].xreplace(place)):.4g}",),)
        rows.append(((name,), *there, (Symbolic(slope),)))
    if at is not None:
        yield Paragraph((f"The numbers are those at {setting(EXAMPLE)}{_at(metric)}.",))
    yield Grid(texts(("by", *(() if at is None else ("there",)), "derivative")), tuple(rows))


def _example(metric: Metric) -> Iterator[Block]:
    rows: list[tuple[str, Text]] = [
        ("table", (setting(EXAMPLE),)),
        ("value", (number_text(metric.exact(*EXAMPLE)),)),
    ]
    try:
        rows.append(("interval", (Code(repr(metric.interval(*EXAMPLE))),)))
    except SymmetricsError as error:
        rows.append(("interval", (f"none: {error}",)))
    yield Facts(tuple(rows))


# ----------------------------------------------------------------------------------------------------------------------
# Warnings before using a metric: each one follows from a verdict; no metric is special-cased.


_HEADLINES: Final[Mapping[tuple[str, bool], str]] = {
    ("p2", True): "Ignores TN",
    ("p3", True): "Ignores FP",
    ("p4", True): "Ignores TP",
    ("p5", True): "Ignores FN",
    ("independence_value", False): "Random guessing has no fixed score",
    ("constant_baseline", False): "Random guessing has no fixed average",
    ("actual_scaling", False): "Depends on the class balance",
    ("prevalence_limit", False): "Has no limit where the positive class is rare",
    ("prevalence_limit", True): "Tends to one value where the positive class is rare, whatever the rates",
    ("p1", False): "Depends on which class is called positive",
    ("homogeneous", False): "Depends on the number of examples",
    ("monotone", False): "Does not always rise when an error is corrected",
    ("max_agreement", False): "Its largest value does not single out perfect predictions",
    ("defined", False): "Has no value at some tables",
    ("range", False): "Its values are not bounded",
    ("decomposable", False): "The value of the pooled counts is no weighted mean over the folds",
}
"""The warnings by property and answer at the defaults, the most serious first."""
_OF_SCORES: Final = ("monotone", "max_agreement")
"""Properties that a loss lacks merely because it is one."""
SKEWED: Final = Counts(81, 9, 9, 1)
"""Table of 100 examples with prior 0.9, when 9 of 10 are predicted positive at random."""
BALANCED: Final = Counts(25, 25, 25, 25)
"""Table of balanced classes when half of the examples are predicted positive at random."""


def warned(
    metric: Metric, at_defaults: Metric | None, verdicts: Mapping[str, Verdict], is_loss: bool
) -> Iterator[tuple[str, Entry]]:
    """Yield the warnings, each with the key of its property.

    :param metric: the metric
    :param at_defaults: the same with its parameters bound; None if that cannot be
    :param verdicts: on all properties
    :param is_loss: whether smaller is better
    """
    for (key, answer), headline in _HEADLINES.items():
        verdict = verdicts[key]
        if verdict.holds is not answer or (is_loss and key in _OF_SCORES):
            continue
        if key == "constant_baseline" and verdicts["independence_value"].holds is False:
            continue  # stated already, with numbers
        if (key, answer) == ("prevalence_limit", True) and not _is_constant(verdict):
            continue
        told = [plain_sentence(verdict, properties[key], metric)]
        if key == "independence_value" and at_defaults is not None:
            told.append(_guessing(at_defaults))
        yield key, Entry((" ".join(told).strip(),), f"{headline}.", (("rests on", (Code(key),)),))


def _is_constant(verdict: Verdict) -> bool:
    """Whether the limit that a verdict names is one number."""
    return (
        isinstance(verdict.found, Limit)
        and not parse_formula(verdict.found.limit, [p.name for p in verdict.claim.parameters]).free_symbols
    )


def _guessing(metric: Metric) -> str:
    """Return the expected score of random guessing at two priors; empty if they agree."""
    values = {table: metric.exact(*table) for table in (SKEWED, BALANCED)}
    if values[SKEWED] == values[BALANCED] or not all(value.is_finite for value in values.values()):
        return ""
    skewed, balanced = (number_text(values[table]) for table in (SKEWED, BALANCED))
    return (
        f"Random guessing that says positive as often as it is true scores {skewed} at a prior of 0.9 "
        f"({setting(SKEWED)}) and {balanced} at one of 0.5 ({setting(BALANCED)})."
    )


# ----------------------------------------------------------------------------------------------------------------------
# Related metrics: equal, equivalent or similar ones, with tables on which they disagree.


_RELATIONS: Final[Mapping[str, str]] = {
    "equal": "the same function: both rank all tables alike",
    "complement_of": "its complement: both rank all tables in opposite orders",
    "negation_of": "its negative: both rank all tables in opposite orders",
    "affine": "it times a number, plus a number",
    "transpose_of": "the same once predictions and truth are exchanged",
    "class_exchange_of": "the same once the classes are exchanged",
    "diagonal_exchange_of": "the same once TP and TN are exchanged",
    "rank_equivalent": "a strictly increasing function of it: both rank all tables alike",
    "rank_reversed": "a strictly decreasing function of it: both rank all tables in opposite orders",
}
_RANKING: Final = ("equal", "complement_of", "negation_of", "affine", "rank_equivalent", "rank_reversed")
"""Relations under which two metrics rank all tables alike, or all in reverse."""
_Stated = list[tuple[Match, str]]
"""Relations to one metric, with their equations."""


def related_sections(metric: Metric, bound: Metric | None, found: Identification) -> Iterator[Section]:
    """Yield the sections on related metrics.

    :param bound: the metric at the defaults of its parameters; None if one has no default
    :param found: the relations that are proved
    """
    yield Section("relations", "What it is equal to, or ranks like", tuple(_relations(found)))
    if bound is not None:
        ranked = {match.metric for match in found if match.relation in _RANKING and match.condition is None}
        relatives = relatives_of(bound, without={metric.name, *ranked})
        if relatives:
            yield Section("relatives", "Nearest relatives, and where they disagree", tuple(_relatives(relatives)))


def _relations(found: Identification) -> Iterator[Paragraph | Entries]:
    """Yield the relations for all parameters of the formula, those under conditions, and open ones."""
    always, limited = once_each(found)
    if always:
        yield Entries(tuple(map(_entry, always)))
    if limited:
        yield Paragraph(("Only for some values of its parameters:",))
        yield Entries(tuple(map(_entry, limited)))
    unknown = [Entry(("Not decided: ", *_entry([(match, match.equation)]).text), "open") for match in found.open]
    if found.remark:
        unknown.append(Entry((f"{found.remark}.",)))
    if unknown:
        yield Entries(tuple(unknown))
    elif not always and not limited:
        yield Paragraph(("No metric of the library is related to it.",))


def once_each(
    found: Identification, relations: Iterable[str] = tuple(_RELATIONS)
) -> tuple[list[_Stated], list[_Stated]]:
    """Merge the statements on each metric: relations for all parameters, and others.

    :param relations: the keys of those that are told
    """
    shown = [part for part in found.shown() if part[0].relation in relations]
    # A relation proved at the defaults alone is redundant where a condition covers them.
    settled = {match.metric for match, equation in shown if not match.at and _holds_by_default(match, equation)}
    by_metric: dict[str, _Stated] = {}
    for match, equation in shown:
        if not (match.at and match.metric in settled):
            by_metric.setdefault(match.metric, []).append((match, equation))
    sorted_by_limit = [sorted(told, key=_is_limited) for told in by_metric.values()]
    always = [told for told in sorted_by_limit if not _is_limited(told[0])]
    return always, [told for told in sorted_by_limit if _is_limited(told[0])]


def _is_limited(part: tuple[Match, str]) -> bool:
    return bool(limit_of(*part)[1])


def _holds_by_default(match: Match, equation: str) -> bool:
    return match.condition is None or equation.endswith(", as by default")


def limit_of(match: Match, equation: str) -> tuple[str, str]:
    """Split the equation of a match from its condition, the latter as the beginning of a sentence, or empty."""
    if match.at:
        stated, _, values = equation.partition(", where M has its ")
        return stated, f"at the {values}"
    stated, _, condition = equation.partition(" if ")
    return stated, f"if {condition}" if condition else ""


def _entry(told: _Stated) -> Entry:
    """Return the statements on one metric, each relation after its condition."""
    name = told[0][0].metric
    parts: list[str | Code] = []
    for match, equation in told:
        stated, limit = limit_of(match, equation)
        before = f"{limit}, " if limit else ""
        parts += [f"{'; ' if parts else ''}{before}{_RELATIONS[match.relation]}. ", Code(stated)]
    return Entry((f"{metrics[name].title} (", Code(name), "): ", *parts))


def _relatives(relatives: tuple[Relative, ...]) -> Iterator[Paragraph | Grid]:
    yield Paragraph(
        (
            "The metrics that rank tables most like this one, by distance, the closest first. Opposite is the share of "
            "pairs that the two rank in opposite ways, among the pairs that both put in an order: tables of positive "
            f"cells with the same number of examples, at most {LARGEST}. The distance adds to it half the share of "
            "pairs that only one of the two ties, among all pairs. Beside them stands the smallest pair with opposite "
            "ranks, whose tables may differ in their number of examples.",
        )
    )
    head = ("metric", "distance", "opposite", "first table", "second table", "M", "the other")
    yield Grid(texts(head), tuple(_row(relative) for relative in relatives))


def _row(relative: Relative) -> tuple[Text, ...]:
    before = "the negative of " if relative.is_reversed else ""
    name: Text = (f"{before}{relative.metric.title} (", Code(relative.metric.name), ")")
    shares: tuple[Text, ...] = tuple((f"{100 * share:.3g} %",) for share in (relative.distance, relative.opposite))
    pair = relative.disagreement
    if pair is None:
        return name, *shares, (f"none up to {number_of(LARGEST, 'example')}",), ("",), ("",), ("",)
    first, second = pair.others
    named = (-first, -second) if relative.is_reversed else (first, second)
    values = (_compared(pair.values), _compared(named))
    return name, *shares, *((setting(table),) for table in pair.tables), *((text,) for text in values)


def _compared(values: tuple[Expr, Expr]) -> str:
    first, second = values
    return f"{number_text(first)} and {number_text(second)}"
