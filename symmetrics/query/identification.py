"""Identify a formula among the known metrics, up to equivalence."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from sympy import And, Eq, Expr, Ge, Gt, Integer, Le, Lt, Rational, S, Symbol
from sympy.logic.boolalg import Boolean

from symmetrics.claims import Claim, Identity
from symmetrics.claims.values import Link
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.condition import condition_text
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.library import metrics
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.prover.acceptance import accepted
from symmetrics.prover.decide import decide
from symmetrics.prover.families.equations import holds_nowhere
from symmetrics.query.relations import EXCHANGES, FIRST, SECOND, exchanged, relate, relations, suggested, usable
from symmetrics.query.search import Identification, Match
from symmetrics.tools.budget import SECONDS, within
from symmetrics.tools.errors import BudgetError

# -- Set the parameters of a known metric to expressions in those of a formula, within their domains -------------------


MAX_SETTINGS: Final = 12
"""Largest number of settings tried for one metric."""


@dataclass(frozen=True)
class Setting:
    """The parameters of a known metric, set to expressions in those of a formula.

    :param formula: the formula of the known metric, so set
    :param places: the value of each of its parameters
    :param parameters: the parameters of the other formula, their domains cut down to where each value is allowed
    :param text: the setting in words, or nothing
    :param limits: restrictions of the domains, as a condition and in words
    """

    formula: Expr
    places: tuple[tuple[str, Expr], ...]
    parameters: tuple[Parameter, ...]
    text: str = ""
    limits: Boolean = S.true
    limits_text: str = ""

    @property
    def name(self) -> str:
        """The setting in the form used in the name of a verdict; empty if there is none."""
        places = ", ".join(f"{name} = {formula_text(value)}" for name, value in self.places)
        return f" at {places}" if places else ""


def settings_of(metric: Metric, parameters: Sequence[Parameter]) -> Iterator[Setting]:
    """Yield candidate settings of a metric's parameters: each a parameter p, and for a single one -p, 1-p and 1/p.

    >>> from symmetrics.library import metrics
    >>> [(each.text, each.limits_text) for each in settings_of(metrics["cwa"], [Parameter("v", 0, 5)])]
    [('w = v', '0 <= v <= 1'), ('w = 1 - v', '0 <= v <= 1'), ('w = 1/v', '1 <= v <= 5')]
    """
    if not metric.parameters:
        yield Setting(metric.expr, (), tuple(parameters))
        return
    chosen = itertools.permutations(parameters, len(metric.parameters))
    for images in itertools.islice(chosen, MAX_SETTINGS):
        for kind in ("p", "-p", "1 - p", "1/p") if len(images) == 1 else ("p",):
            if (found := _setting(metric, images, kind, parameters)) is not None:
                yield found


def _setting(metric: Metric, images: Sequence[Parameter], kind: str, parameters: Sequence[Parameter]) -> Setting | None:
    cut: dict[str, Parameter] = {}
    places: list[tuple[Parameter, Expr]] = []
    for own, image in zip(metric.parameters, images, strict=True):
        kept = _cut(image, own, kind)
        if kept is None:
            return None
        cut[image.name] = kept
        places.append((own, _value(image.symbol, kind)))
    cuts = [cut[p.name] for p in images if cut[p.name].domain != p.domain]
    return Setting(
        metric.expr.xreplace({own.symbol: value for own, value in places}),
        tuple((own.name, value) for own, value in places),
        tuple(cut.get(p.name, p) for p in parameters),
        " and ".join(f"{own.name} = {formula_text(value)}" for own, value in places),
        And(*map(_inside_domain, cuts)),
        " and ".join(map(_inside_text, cuts)),
    )


def _value(symbol: Symbol, kind: str) -> Expr:
    return {"p": symbol, "-p": -symbol, "1 - p": 1 - symbol, "1/p": 1 / symbol}[kind]


def _cut(image: Parameter, own: Parameter, kind: str) -> Parameter | None:
    """Restrict a parameter's domain to where an expression in it lies in the domain of another one."""
    low, high, low_open, high_open = own.lower, own.upper, own.lower_open, own.upper_open
    if kind in ("-p", "1 - p"):
        top = 0 if kind == "-p" else 1
        low, high, low_open, high_open = top - high, top - low, high_open, low_open
    if kind == "1/p":
        if low < 0 or high == 0:
            return None
        low, high, low_open, high_open = 1 / high, 1 / low if low else S.Infinity, high_open, low_open
    low, low_open = max((low, low_open), (image.lower, image.lower_open))
    high, is_closed = min((high, not high_open), (image.upper, not image.upper_open))
    if low > high or (low == high and (low_open or not is_closed or image.lower != image.upper)):
        return None
    cut = replace(image, lower=low, upper=high, lower_open=low_open, upper_open=not is_closed, default=None)
    return replace(cut, default=image.default) if image.default is not None and image.default in cut else cut


def _inside_domain(cut: Parameter) -> Boolean:
    symbol = cut.symbol
    parts = [(Gt if cut.lower_open else Ge)(symbol, cut.lower)] if cut.lower.is_finite else []
    parts += [(Lt if cut.upper_open else Le)(symbol, cut.upper)] if cut.upper.is_finite else []
    return And(*parts)


def _inside_text(cut: Parameter) -> str:
    if not (cut.lower.is_finite and cut.upper.is_finite):
        return condition_text(_inside_domain(cut))
    left, right = ("<" if is_open else "<=" for is_open in (cut.lower_open, cut.upper_open))
    return f"{cut.lower} {left} {cut.name} {right} {cut.upper}"


def conditions_text(*texts: str) -> str:
    """Format a conjunction of conditions as the end of a sentence; empty if there are none."""
    kept = [text for text in texts if text]
    joined = " and ".join(f"({text})" if " or " in text and len(kept) > 1 else text for text in kept)
    return f" if {joined}" if joined else ""


# ----------------------------------------------------------------------------------------------------------------------


_RANK: Final = {name: place for place, name in enumerate(("equal", "complement_of", "negation_of", "affine"))} | {
    name: 10 + place for place, name in enumerate((*EXCHANGES, "rank_equivalent", "rank_reversed"))
}

GENERIC_SHARES: Final = ((13, 31), (22, 37))
"""Relative positions in a parameter's domain at which coincidences are unlikely."""
SPECIAL: Final = (S.Zero, S.One, S.Half, S.NegativeOne, Integer(2))
"""Values of parameters at which formulas are often known metrics."""
MAX_SAMPLES: Final = 24
"""Number of parameter values at which a formula is compared."""


def identify(
    formula: Metric | Expr | str, *, known: Mapping[str, Metric] | None = None, seconds: float = SECONDS
) -> Identification:
    """Return the known metrics that a formula equals or is related to, each with a verdict.

    Looked for are equality, also for some parameters of the known metric; the complement 1 - L, the negative and other
    affine functions of it; an exchange of FN and FP, of the classes, of TP and TN; and strictly monotone functions.

    Of a formula with parameters it is asked what holds for all their values or for which, with the known metric's
    parameters inside their domains, and also what holds at the defaults if all have one.

    :param formula: a metric, an expression over the cells, the text of a formula, or the name of a library metric
    :param known: the metrics to compare with, by name; by default the library
    :param seconds: time limit of the search; results found by then are returned, with a remark

    >>> identify("2*TP/(2*TP + FN + FP)").names
    ('f1', 'f_beta', 'tversky')
    >>> found = identify("1 - FN/(TP + FN)")
    >>> found[0].metric, found[0].relation, found[-1].metric, found[-1].equation
    ('tpr', 'equal', 'npv', 'M = npv at (TN, FN, FP, TP)')
    >>> from symmetrics.language.parameter import Parameter
    >>> weighted = Metric("m", parse_formula("w*TP/(TP+FN) + (1-w)*TN/(TN+FP)", ("w",)), (Parameter("w", 0, 5),))
    >>> [match.equation for match in identify(weighted, known={"cwa": metrics["cwa"]})]
    ['M = cwa at its w = w if 0 <= w <= 1']
    """
    subject = as_metric(formula)
    listed = metrics if known is None else known
    others = [metric for name, metric in listed.items() if metric != subject and name != subject.name]
    found: list[Match] = []
    remark = ""
    try:
        search = _related(subject, others)
        within(lambda: found.extend(search), seconds=seconds, shown=f"relations of {subject.name}")
    except BudgetError as error:
        remark = f"open: not everything was compared: {error}"
    found.sort(key=lambda match: (_RANK[match.relation], match.status != "proved", len(match.at), match.metric))
    return Identification(
        subject,
        tuple(match for match in found if match.verdict.status in ("proved", "conditional")),
        tuple(match for match in found if match.verdict.status == "open"),
        remark,
    )


def _related(subject: Metric, others: Sequence[Metric]) -> Iterator[Match]:
    """Yield the relations of a formula in general, then further ones at the defaults of its parameters."""
    certain = set()
    for match in _in_general(subject, others) if subject.parameters else ():
        if match.relation == "equal" and match.status == "proved":
            certain.add(match.metric)
        yield match
    if all(p.default is not None for p in subject.parameters):
        yield from _at_defaults(subject, [metric for metric in others if metric.name not in certain])


def _suggestions(formula: Expr, others: Sequence[Metric]) -> Iterator[tuple[Metric, list[str]]]:
    """Yield the metrics and relations suggested by the values of a formula, the closest first."""
    if (mine := usable(formula)) is None:
        return
    prints = [(m, usable(m.at_defaults())) for m in others if all(p.default is not None for p in m.parameters)]
    known = [(metric, other) for metric, other in prints if other is not None]
    moved: dict[str, list[str]] = {}
    for relation, place in exchanged(mine, [other for _, other in known]):
        moved.setdefault(known[place][0].name, []).append(relation)
    for metric, other in known:
        found = [*suggested(mine, other), *moved.get(metric.name, [])]
        if found:
            yield metric, sorted(found, key=lambda relation: relation.startswith("rank"))


# -- at the defaults ---------------------------------------------------------------------------------------------------


def _at_defaults(subject: Metric, others: Sequence[Metric]) -> Iterator[Match]:
    """Yield the relations of a formula at the defaults of its parameters."""
    values = {p.name: p.default for p in subject.parameters if p.default is not None}
    listed = " and ".join(f"{name} = {value}" for name, value in values.items())
    where = f", where M has its default{'s' * (len(values) > 1)} {listed}" if values else ""
    for match in (*closest(subject, others), *_for_parameters(subject, others)):
        yield Match(match.metric, match.relation, match.equation + where, match.verdict, match.condition, values)


def closest(subject: Metric, others: Sequence[Metric]) -> Iterator[Match]:
    """Yield the closest unrefuted relation to each metric that the values suggest, all at the defaults.

    It is the quick part of :func:`identify`: metrics are not examined for other values of their parameters.

    >>> [match.equation for match in closest(metrics["jaccard"], [metrics["f1"], metrics["mcc"]])]
    ['M = f1/(2 - f1)']
    """
    for metric, relations_of in _suggestions(subject.at_defaults(), others):
        for relation in relations_of:
            verdict = relate(subject, metric, relation)
            if verdict.status != "refuted":
                yield Match(metric.name, relation, equation_of(verdict, relation, metric.name, metric), verdict)
                break


def _for_parameters(subject: Metric, others: Sequence[Metric]) -> Iterator[Match]:
    """Yield the metrics that the formula equals at other values of their parameters than the defaults."""
    formula = subject.at_defaults()
    for metric in others:
        if not metric.parameters:
            continue
        claim = Identity(metric.expr, metric.parameters, (CELLS, CELLS), (), FIRST - SECOND, formula)
        verdict = _if_it_holds(claim, metric.name, f"equal:{subject.name}")
        if verdict is None or verdict.condition is None:
            continue
        solved = condition_text(verdict.condition)
        if not verdict.holds or solved != _defaults_text(metric):
            yield Match(metric.name, "equal", f"M = {metric.name} for its {solved}", verdict)


# -- for all values of the parameters, or for which --------------------------------------------------------------------


def _in_general(subject: Metric, others: Sequence[Metric]) -> Iterator[Match]:
    """Yield the relations of a formula with parameters that hold for all their values, or under a condition."""
    equal: dict[str, bool] = {}
    solved: list[dict[Symbol, Expr]] = []
    for metric in others:
        for match in _equal_in_general(subject, metric):
            equal[metric.name] = match.condition is None
            equations = match.condition.atoms(Eq) if match.condition is not None else ()
            solved.append({part.lhs: part.rhs for part in equations if part.lhs.is_Symbol and part.rhs.is_number})
            yield match
    left = {metric.name: metric for metric in others if not equal.get(metric.name, False)}
    listed: dict[str, dict[str, None]] = {}
    for values in _samples(subject.parameters, solved):
        for metric, suggested_ones in _suggestions(subject.expr.xreplace(values), list(left.values())):
            # With parameters an order is only proved through an affine function, which is suggested itself.
            kept = (relation for relation in suggested_ones if not relation.startswith("rank"))
            listed.setdefault(metric.name, {}).update(dict.fromkeys(kept))
    for name, relations_of in listed.items():
        # If it equals the metric under a condition, also report what holds for all values, but not further conditions.
        if (found := _closest_in_general(subject, left[name], relations_of, only_proved=name in equal)) is not None:
            yield found


def _samples(parameters: Sequence[Parameter], solved: Iterable[Mapping[Symbol, Expr]] = ()) -> list[dict[Symbol, Expr]]:
    """Return values of parameters at which relations are searched for; each is then decided for all values.

    The first ones are not special, so that no relation that holds for all values is hidden where a formula is constant
    or closer to a metric than it is in general.  The others are special, for relations that hold there alone.  None
    depends on the domain but by what lies in it.

    :param solved: values at which the formula was found to be a metric
    """
    generic, other = (
        {p.symbol: _inside(p, Fraction(top, bottom) ** (place + 1)) for place, p in enumerate(parameters)}
        for top, bottom in GENERIC_SHARES
    )
    singly = [
        {p.symbol: value}
        for p in parameters
        for value in (*SPECIAL, p.lower, p.upper)
        if value.is_finite and value in p
    ]
    together = [{p.symbol: value for p in parameters if value in p} for value in SPECIAL]
    defaults = {p.symbol: p.default for p in parameters if p.default is not None}
    special = (generic | dict(values) for values in (defaults, *solved, *together, *singly))
    found = {tuple(values.values()): values for values in (generic, other, *special)}
    return list(found.values())[:MAX_SAMPLES]


def _inside(parameter: Parameter, share: Fraction) -> Expr:
    """Return a point of a parameter's domain at a relative position; infinite ends are replaced by large numbers."""
    lower, upper, part = parameter.lower, parameter.upper, Rational(share.numerator, share.denominator)
    if lower.is_finite and upper.is_finite:
        return lower + (upper - lower) * part
    step = part / (1 - part)
    if lower.is_finite:
        return lower + step
    return upper - step if upper.is_finite else step


def _closest_in_general(
    subject: Metric, metric: Metric, relations_of: Iterable[str], *, only_proved: bool
) -> Match | None:
    """Return the closest relation for all values of the parameters, or else the closest for some of them."""
    found = None
    for relation in relations_of:
        claim = relations[relation].claim_of(subject.expr, metric.at_defaults(), subject.parameters)
        verdict = _if_it_holds(claim, subject.name, f"{relation}:{metric.name}")
        if verdict is None or (verdict.status != "proved" and (only_proved or found is not None)):
            continue
        found = _general(verdict, metric, relation, equation_of(verdict, relation, metric.name, metric))
        if verdict.status == "proved":
            break
    return found


def _equal_in_general(subject: Metric, metric: Metric) -> Iterator[Match]:
    """Yield settings under which a formula with parameters equals a metric, and the metric at its defaults."""
    found = False
    for setting in settings_of(metric, subject.parameters):
        claim = Identity(subject.expr, setting.parameters, (CELLS, CELLS), (), FIRST - SECOND, setting.formula)
        verdict = _if_it_holds(claim, subject.name, f"equal:{metric.name}{setting.name}")
        # Equality at single values of all parameters is a coincidence of the pairing.
        if verdict is not None and (verdict.status == "proved" or not setting.text):
            found = True
            yield (match := _set(verdict, metric, setting))
            if match.condition is None:
                return
    for setting in () if found else _own_defaults(subject, metric):
        claim = Identity(subject.expr, setting.parameters, (CELLS, CELLS), (), FIRST - SECOND, setting.formula)
        if (verdict := _if_it_holds(claim, subject.name, f"equal:{metric.name}")) is not None:
            yield _set(verdict, metric, setting)


def _if_it_holds(claim: Claim, metric: str, property: str) -> Verdict | None:
    """Return the re-verified verdict on a claim if it is proved or conditional, else None."""
    if isinstance(claim, Identity) and holds_nowhere(claim):
        return None
    verdict = decide(claim, metric=metric, property=property)
    if verdict.status in ("proved", "conditional"):
        verdict = accepted(verdict)
    return verdict if verdict.status in ("proved", "conditional") else None


def _own_defaults(subject: Metric, metric: Metric) -> Iterator[Setting]:
    """Yield a metric with parameters at their defaults."""
    if metric.parameters and all(p.default is not None for p in metric.parameters):
        yield Setting(metric.at_defaults(), (), subject.parameters, _defaults_text(metric))


def _set(verdict: Verdict, metric: Metric, setting: Setting) -> Match:
    text = f" at its {setting.text}" if setting.text else ""
    return _general(verdict, metric, "equal", f"M = {metric.name}{text}", setting.limits, setting.limits_text)


def _general(
    verdict: Verdict, metric: Metric, relation: str, equation: str, limits: Boolean = S.true, limits_text: str = ""
) -> Match:
    """Return the match for a verdict on a formula with parameters, with its condition."""
    own = S.true if verdict.condition is None else verdict.condition
    own_text = "" if verdict.condition is None else condition_text(verdict.condition)
    condition = And(limits, own)
    text = equation + conditions_text(limits_text, own_text)
    return Match(metric.name, relation, text, verdict, None if condition is S.true else condition)


# -- words -------------------------------------------------------------------------------------------------------------


def _defaults_text(metric: Metric) -> str:
    """Return the defaults of a metric's parameters as a condition."""
    return " and ".join(sorted(f"{p.name} = {p.default}" for p in metric.parameters))


def equation_of(verdict: Verdict, relation: str, name: str, metric: Metric | None = None) -> str:
    """State a verdict as an equation between M and a metric of the given name.

    :param metric: the metric, if the defaults of its parameters are to be named
    """
    defaults = "" if metric is None or not metric.parameters else f" for its {_defaults_text(metric)}"
    if isinstance(verdict.found, Link):
        return _solved(verdict, verdict.found).replace("partner", name) + (f", {name}{defaults}" if defaults else "")
    if relation in EXCHANGES:
        return f"M = {name} at {EXCHANGES[relation]}" + (f", {name}{defaults}" if defaults else "")
    stated = re.sub(r"\bL\b", name, relations[relation].statement)
    return stated + (defaults if stated.endswith(name) else f", {name}{defaults}" if defaults else "")


def _solved(verdict: Verdict, link: Link) -> str:
    """Return the equation of a verdict with the parameters that its condition determines substituted."""
    condition = verdict.condition
    parts = condition.args if isinstance(condition, And) else (condition,)
    places = {part.lhs: part.rhs for part in parts if isinstance(part, Eq) and isinstance(part.lhs, Symbol)}
    if condition is None or len(places) != len(parts):
        return link.equation
    image = parse_formula(link.right, [p.name for p in verdict.claim.parameters] + ["partner"])
    return f"M = {formula_text(image.xreplace(places))}"
