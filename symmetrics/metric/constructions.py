"""Derived metrics: exchanged, symmetrised, chance-corrected, normalised, weighed by dominance, composed.

Theorems say what each construction gives and keeps, whatever the metric is (:mod:`symmetrics.discovery.constructions`).
Here it is made: the conditions under which it can be are proved for the metric at hand, and what is not proved is
refused with the reason.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from sympy import Abs, Expr, Interval, Pow, S, Symbol

from symmetrics.algebra.convert import in_lowest_terms
from symmetrics.claims import Bounded, Claim, Identity, StrictInequality, value_symbol
from symmetrics.claims.property import other
from symmetrics.claims.theorems.constructions import (
    ALPHA,
    BALANCED,
    CHANCE_CORRECTED,
    EXCHANGED,
    LOWER,
    MEANS,
    NEGATED,
    NORMALISED,
    TRANSPOSED,
    UPPER,
    Construction,
    symmetrised,
)
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, Table, parameter_symbol
from symmetrics.language.condition import condition_text
from symmetrics.language.definition import Definition
from symmetrics.language.formula import exact_rational, parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.tools.errors import FormulaError, InputError, SymmetricsError, UndeclaredNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from symmetrics.claims.property import Property


D = TypeVar("D", bound=Definition)
VALUE: Final = value_symbol(0)
T: Final = other("t")
LINKED: Final = Symbol("M", real=True)
_DECLARATION: Final = re.compile(r"\s*(?!(nan|inf|infinity)\b)[a-z_]", re.IGNORECASE)
"""The beginning of a text that is meant as a parameter, not as a number."""


def transposed(metric: D) -> D:
    """Return a metric with prediction and truth exchanged: FN and FP."""
    return _made(metric, TRANSPOSED, "transposed", range=metric.range)


def exchanged(metric: D) -> D:
    """Return a metric of the other class: TP exchanged with TN, and FN with FP."""
    return _made(metric, EXCHANGED, "exchanged", range=metric.range)


def negated(metric: D) -> D:
    """Return -M; a loss becomes a score."""
    ends = None if metric.range is None else Interval(-metric.range.end, -metric.range.start)
    better = None if metric.greater_is_better is None else not metric.greater_is_better
    return _made(metric, NEGATED, "negated", range=ends, greater_is_better=better)


def symmetrised_over(metric: D, chosen: Iterable[Property], mean: str) -> D:
    """Return the mean over the group of exchanges of cells that some properties are about.

    :raises InputError: on a mean that is none, on a property that is about something else than an exchange of cells,
        and on a mean that needs positive values of a metric that is not known to have such
    """
    asked = tuple(chosen)
    if mean not in MEANS:
        raise InputError(f"mean={mean!r} is not one of {', '.join(MEANS)}")
    group = _group([_exchange(metric, property) for property in asked])
    over = ", ".join(property.name for property in asked)
    construction = symmetrised(group, mean, over)
    if construction.positive and not _holds(metric, StrictInequality.between((CELLS,), (), VALUE)(metric)):
        raise InputError(
            f"{metric.name} is not known to be positive at every table of positive cells, and has no {mean} mean; take "
            "mean='arithmetic', or .normalised() or .composed(...) first"
        )
    return _made(metric, construction, f"symmetrised over {over}" + (f", {mean} mean" if mean != MEANS[0] else ""))


def chance_corrected(metric: D) -> D:
    """Return (M - E)/(max - E), with E the expectation of M over all tables with the same margins.

    :raises InputError: if the expectation has no closed form (M is not affine in TP at fixed margins), if M has no
        finite supremum, or comes to it at positive cells, and if M is a loss
    """
    if metric.greater_is_better is False:
        raise InputError(f"{metric.name} is a loss; correct .negated() for chance, which is a score")
    steps = tuple((TP + k * T, FN - k * T, FP - k * T, TN + k * T) for k in (0, 1, 2))
    # Positive cells at all three tables: those that lose start with what they lose.
    tables = tuple(tuple(cell.xreplace({FN: FN + 2 * T, FP: FP + 2 * T}) for cell in table) for table in steps)
    bend = value_symbol(0) - 2 * value_symbol(1) + value_symbol(2)
    if not _holds(metric, Identity.between(tables, (T,), bend)(metric)):
        raise InputError(
            f"{metric.name} is not known to be affine in TP at fixed margins: its expectation has no closed form"
        )
    upper = _ends(metric).upper
    below = StrictInequality.between((CELLS,), (), upper - VALUE)(metric)
    if not upper.is_finite or not _holds(metric, below):
        raise InputError(f"{metric.name} is not known to stay below a finite maximum ({upper}) at positive cells")
    return _made(metric, CHANCE_CORRECTED, "chance corrected", {UPPER: upper})


def normalised(metric: D) -> D:
    """Return (M - min)/(max - min), with values in [0, 1].

    :raises InputError: if the range is not proved, or not bounded, or a single number, be it for some parameters only
    """
    lower, upper = _ends(metric)[:2]
    if not (lower.is_finite and upper.is_finite):
        raise InputError(
            f"the range of {metric.name} is not bounded ({lower} to {upper}); bring it to a bounded one with "
            ".composed(...), such as 'M/(1 + M)' for positive values"
        )
    if lower == upper:
        raise InputError(f"{metric.name} has the value {lower} everywhere, and no range to normalise")
    wide = decide_and_check(
        StrictInequality(upper - lower, metric.parameters, (CELLS,), (), VALUE), metric=metric.name, property="width"
    )
    if wide.status != "proved":
        where = "for some parameters" if wide.condition is None else f"unless {condition_text(wide.condition)}"
        raise InputError(
            f"the range of {metric.name}, {lower} to {upper}, may be a single number {where}; bind the parameters with "
            ".at(...), or declare a smaller domain"
        )
    return _made(metric, NORMALISED, "normalised", {LOWER: lower, UPPER: upper}, range=Interval(0, 1))


def balanced_index(metric: D, alpha: object) -> D:
    """Return (1 + alpha*(TPr - TNr))*M.

    :raises InputError: if alpha is neither a finite exact number nor a parameter, or the metric has that parameter
    """
    weight, parameters = _weight(alpha), metric.parameters
    if isinstance(weight, Parameter):
        if weight.name in {parameter.name for parameter in parameters}:
            raise InputError(f"{metric.name} has a parameter {weight.name} already; take another name for the weight")
        parameters = (*parameters, weight)
        weight = weight.symbol
    words = f"balanced index, weight {weight}"
    return _made(metric, BALANCED, words, {ALPHA: weight}, parameters=parameters)


def _weight(alpha: object) -> Expr | Parameter:
    """Return the exact number, or the parameter, that dominance is weighted by."""
    if isinstance(alpha, Parameter):
        return alpha
    declared = isinstance(alpha, Symbol) or (isinstance(alpha, str) and _DECLARATION.match(alpha))
    try:
        return Parameter.parse(str(alpha)) if declared else exact_rational(alpha, "alpha")
    except SymmetricsError as error:
        advice = "; pass a number such as '1/20', or a parameter such as 'alpha in [0, 1]'" if declared else ""
        raise InputError(f"{'alpha: ' if declared else ''}{error}{advice}") from None


def composed(metric: D, link: str | Expr) -> D:
    """Return h(M) for a function h that is proved to be strictly monotone on the range of M.

    :param link: h as a formula in M
    :raises InputError: if it cannot be read, or is not known to be strictly monotone on the range
    """
    function = _link(link)
    rises = _direction(metric, function)
    better = metric.greater_is_better
    if not rises and better is not None:
        better = not better
    construction = Construction("composed", "h(M)", (CELLS,), function.xreplace({LINKED: VALUE}))
    return _made(metric, construction, formula_text(function), greater_is_better=better)


# -- how it is made ----------------------------------------------------------------------------------------------------


def _made(
    metric: D,
    construction: Construction,
    words: str,
    constants: Mapping[Expr, Expr] | None = None,
    *,
    range: Interval | None = None,
    **changed: Any,
) -> D:
    """Return the metric that a construction makes, in the shorter of two forms."""
    made = construction.of(metric.expr, constants)
    parameters = changed.get("parameters", metric.parameters)
    forms = [made, in_lowest_terms(made, parameters)]
    if (
        isinstance(made, Pow) and made.exp.is_positive and not made.exp.is_integer
    ):  # no root is to be split into several
        forms[1] = in_lowest_terms(made.base, parameters) ** made.exp
    shortest = min(forms, key=lambda form: form.count_ops())
    return replace(
        metric,
        name=f"{metric.name} ({words})",
        title=f"{metric.title} ({words})",
        aliases=(),
        cites=(),
        expr=shortest.xreplace({Abs(cell): cell for cell in CELLS}),  # SymPy writes it so under roots
        range=range,
        **changed,
    )


def _holds(metric: Definition, claim: Claim) -> bool:
    return decide_and_check(claim, metric=metric.name, property="construction").status == "proved"


def _exchange(metric: Definition, property: Property) -> Table:
    """Return the exchange of cells that a property is about."""
    claim = property.claim(metric)
    if isinstance(claim, Identity) and len(claim.tables) == 2 and claim.tables[0] == CELLS:
        image = claim.tables[1]
        if sorted(image, key=str) == sorted(CELLS, key=str) and claim == Identity.between((CELLS, image))(metric):
            first, second, third, fourth = image
            return first, second, third, fourth
    raise InputError(f"{property.name} is about no exchange of cells, over which a mean could be taken")


def _group(generators: list[Table]) -> list[Table]:
    """Return all exchanges that follow from some, the identity first."""
    group: list[Table] = [CELLS]
    for member in group:  # which grows
        for generator in generators:
            first, second, third, fourth = (member[CELLS.index(cell)] for cell in generator)
            if (image := (first, second, third, fourth)) not in group:
                group.append(image)
    return group


class _Ends(NamedTuple):
    """The infimum and the supremum over positive cells, and whether M is equal to them there."""

    lower: Expr
    upper: Expr
    attained: tuple[bool, bool]


def _ends(metric: Definition) -> _Ends:
    """Return the ends of the range.

    :raises InputError: if they are not proved
    """
    found = _proved_ends(metric.name, Bounded(metric.expr, metric.parameters))
    if found is None:
        advice = "; bind its parameters with .at(...)" if metric.parameters else ""
        raise InputError(f"the range of {metric.name} is not known{advice}")
    return found


@lru_cache(maxsize=256)
def _proved_ends(name: str, claim: Bounded) -> _Ends | None:
    verdict = decide_and_check(claim, metric=name, property="range")
    data = verdict.evidence.data
    if verdict.evidence.kind != "range" or verdict.status == "open" or not {"lower", "upper"} <= set(data):
        return None
    names = [parameter.name for parameter in claim.parameters]
    lower, upper = (_end(data[end]["bound"], names) for end in ("lower", "upper"))
    # Unless an end is known to be missed, a link has to bear it.
    first, second = (not data[end].get("strict", False) for end in ("lower", "upper"))
    return _Ends(lower, upper, (first, second))


def _end(text: str, names: list[str]) -> Expr:
    infinite = {"oo": S.Infinity, "-oo": S.NegativeInfinity}
    return infinite[text] if text in infinite else parse_formula(text, names)


# -- links -------------------------------------------------------------------------------------------------------------


def _link(link: str | Expr) -> Expr:
    if isinstance(link, Expr):
        symbols = link.free_symbols
        if len(symbols) != 1:
            raise InputError(f"link {link}: it has to be a function of one variable, as in 'M/(2 - M)'")
        return link.xreplace({symbols.pop(): LINKED})
    try:
        function = parse_formula(link, variables=(LINKED.name,))
    except UndeclaredNameError as error:
        raise InputError(f"link: {error.problem}; a link is a function of M alone, as in 'M/(2 - M)'") from None
    except FormulaError as error:
        raise InputError(f"link: {error}") from None
    return _link(function)


def _direction(metric: Definition, function: Expr) -> bool:
    """Return whether a link rises on the range of a metric, strictly; False if it falls.

    :raises InputError: if neither is proved
    """
    ends = _ends(metric)
    if ends.lower.free_symbols | ends.upper.free_symbols:
        raise InputError(f"the range of {metric.name} depends on its parameters; bind them with .at(...)")
    if ends.lower == ends.upper:
        raise InputError(f"{metric.name} has the value {ends.lower} everywhere")
    for rises in (True, False):
        if all(_holds(metric, claim) for claim in _rises(function if rises else -function, ends)):
            return rises
    listed = f"{ends.lower} to {ends.upper}"
    raise InputError(f"link {formula_text(function)}: it is not known to be strictly monotone on the range, {listed}")


def _rises(function: Expr, ends: _Ends) -> Iterator[Claim]:
    """Yield what says that a function rises strictly on a range.

    Inside, as a function of a positive number that runs through the interval; and from an end that M attains at
    positive cells to all inside.
    """
    start, step = parameter_symbol("start"), parameter_symbol("step")
    inside = function.xreplace({LINKED: _place(start, ends.lower, ends.upper)})
    names = (start.name,)
    yield StrictInequality(inside, (), ((start,), (start + step,)), (step,), _RISE, None, names)
    for end, sign, attained in zip(ends[:2], (1, -1), ends.attained, strict=True):
        if attained and end.is_finite:
            at_end = function.xreplace({LINKED: end})
            if not at_end.is_finite:
                raise InputError(f"link {formula_text(function)}: it has no value at {end}, which the metric has")
            yield StrictInequality(inside, (), ((start,),), (), sign * (VALUE - at_end), None, names)


_RISE: Final = value_symbol(1) - VALUE


def _place(positive: Expr, lower: Expr, upper: Expr) -> Expr:
    """Return where in an open interval a positive number leads, rising."""
    if lower.is_finite and upper.is_finite:
        return (lower + upper * positive) / (1 + positive)
    if lower.is_finite:
        return lower + positive
    if upper.is_finite:
        return upper - 1 / positive
    return positive - 1 / positive
