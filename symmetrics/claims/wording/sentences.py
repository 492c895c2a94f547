"""The sentence of a verdict: why it holds, by its kind of evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from sympy import Pow, Symbol

from symmetrics.claims import Affine, Claim, Combination, Comparison, FiniteLimit, Inequality, SameOrder, value_symbol
from symmetrics.claims.evidence import OPEN, Answer, Decision, Point, Witness
from symmetrics.claims.families.directions import DirectionSpace
from symmetrics.claims.families.limits import LargestAtAgreement
from symmetrics.claims.families.relations import RatioOfLinearForms
from symmetrics.claims.values import Space
from symmetrics.claims.wording.values import cells_text, curve_text, ends_sentence, growth_text, leaves, words_of
from symmetrics.language.cells import CELLS
from symmetrics.language.condition import condition_text
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import at_defaults_text, defaults_of
from symmetrics.language.writer import formula_text
from symmetrics.tools.errors import CertificateError

DOMAIN: Final = "on the open positive orthant"
NOT_SMALLEST: Final = "; not known to be the smallest one"


def sentence_of(claim: Claim, answer: Answer) -> str:
    """State in words why a verdict holds.

    An open verdict asserts nothing, and its sentence says so first.

    :raises CertificateError: if there is no such kind of evidence
    """
    kind = answer.evidence.kind
    if answer.status == "open":
        return _open(claim, answer)
    if kind in _OF_VALUE:
        sentence = _OF_VALUE[kind]
        return sentence.replace("{value}", _value(answer)) if "{value}" in sentence else sentence
    if kind in _OF_ANSWER:
        return _OF_ANSWER[kind](answer)
    if kind in _OF_CLAIM_AND_ANSWER:
        return _OF_CLAIM_AND_ANSWER[kind](claim, answer)
    raise CertificateError(f"evidence of the kind {kind!r} has no sentence in {__name__}")


def _open(claim: Any, answer: Answer) -> str:
    """State why a claim is open, and the result at the default parameters if known."""
    if answer.evidence.kind != "open":
        return OPEN + _combination(claim, answer)
    if "at_defaults" not in answer.evidence.data:
        return OPEN + _reason(answer)
    bound = claim.at(defaults_of(claim.parameters) or {})
    here = Decision.from_record(answer.evidence.data["at_defaults"], bound)
    where = at_defaults_text(claim.parameters)
    return f"open in general: {_reason(answer)}; {where}: {here.status}: {sentence_of(bound, here)}"


def _reason(answer: Answer) -> str:
    reason = answer.evidence.data["reason"]
    if not isinstance(reason, str):
        raise CertificateError("the reason why a verdict is open is not a text")
    return reason


def _value(answer: Answer) -> str:
    """Return the value found in general, in words; for verdicts that must have one."""
    if answer.found is None:
        raise CertificateError("there is no value")
    return words_of(replace(answer.found, at_defaults=None) if isinstance(answer.found, Space) else answer.found)


# -- equations and inequalities ----------------------------------------------------------------------------------------


def _counterexample(claim: Any, answer: Answer) -> str:
    note = NOT_SMALLEST if answer.evidence.data.get("smallest") is False else ""
    return f"counterexample: {_in_words(claim, answer.witness)}{note}"


def _in_words(claim: Any, witness: Witness | None) -> str:
    """State the values of a counterexample and the tables at which M has them."""
    if witness is None:
        raise CertificateError("there is no counterexample")
    tables = [cells_text(table) for table in witness.tables]
    values = [formula_text(value) for value in witness.values]
    if isinstance(claim, SameOrder) and len(tables) == len(values) == 4:
        return (
            f"M is {values[0]} at (TP, FN, FP, TN) = {tables[0]} and {values[1]} at {tables[1]}, where the other "
            f"metric is {values[2]} and {values[3]}"
        )
    at = "".join(f", {name} = {value}" for name, value in witness.parameters.items())
    if any(isinstance(table, Point) for table in witness.tables):
        return _at_points(claim, witness, values, at)
    if _says_no_more(claim) and len(values) == len(tables) == 2 and tables[0] == tables[1]:
        return f"M = {values[0]} exceeds {values[1]} at (TP, FN, FP, TN) = {tables[0]}{at}"
    return f"M = {' and '.join(values)} at (TP, FN, FP, TN) = {' and '.join(tables)}{at}"


def _at_points(claim: Any, witness: Witness, values: list[str], at: str) -> str:
    """State the values of a counterexample at points; a point that all share is named once."""
    points = list(map(str, witness.tables))
    points = points[:1] if len(set(points)) == 1 else points
    if _says_no_more(claim) and len(values) == 2 and len(points) == 1:
        return f"M = {values[0]} exceeds {values[1]} at {points[0]}{at}"
    return f"M = {' and '.join(values)} at {' and at '.join(points)}{at}"


def _says_no_more(claim: Any) -> bool:
    """Whether a claim only says that M is nowhere larger than another metric."""
    rises = value_symbol(1) - value_symbol(0)
    return isinstance(claim, Inequality) and claim.partner is not None and claim.relation == rises


def _identity(claim: Comparison, _: Answer) -> str:
    powers = {power for formula in claim.formulas for power in formula.atoms(Pow) if power.exp.is_Integer is False}
    roots = ", ".join(sorted({formula_text(power.base) for power in powers}))
    over = f", with roots of {roots}" if roots else ""
    return f"identity {DOMAIN}: over one denominator the difference has the zero polynomial as numerator{over}"


def _conditions(claim: Comparison, answer: Answer) -> str:
    if answer.condition is None:
        reason = "no values of the parameters make all coefficients of the difference vanish"
        return f"{_counterexample(claim, answer)}; {reason}"
    return (
        f"identity {DOMAIN} if and only if {condition_text(answer.condition)}: "
        "the coefficients of the difference vanish there and nowhere else"
    )


def _sign(claim: Comparison, answer: Answer) -> str:
    data = answer.evidence.data
    what = "the derivative along the step" if data["rule"] == "derivative" else "what the claim compares with zero"
    pieces = "" if len(data["pieces"]) == 1 else f", on each of {len(data['pieces'])} pieces"
    sentence = f"{what} is a polynomial of one sign over a positive denominator {DOMAIN}{pieces}"
    if "boundary" not in data:
        return sentence
    what = "cells" if claim.over == CELL_NAMES else "variables"
    return f"{sentence}; where {what} may be zero it fails: {_in_words(claim, Witness.from_dict(data['boundary']))}"


def _coefficients(claim: Comparison, answer: Answer) -> str:
    is_slope = answer.evidence.data["rule"] == "derivative"
    what = "the derivative along the step" if is_slope else "what the claim compares with zero"
    if answer.condition is not None:
        found = f"it holds if and only if {condition_text(answer.condition)}"
    elif answer.status == "refuted":
        found = "it fails for all values of the parameters"
    elif claim.sign == ">=":
        found = "none of them is negative"
    else:
        found = "none of them is negative, and some are positive"
    return f"by the signs of the coefficients in the numerator of {what}, {DOMAIN}: {found}"


def _link(claim: SameOrder, answer: Answer) -> str:
    direction = "decreasing" if claim.reverse else "increasing"
    more = len(answer.evidence.data["parts"]) - 1
    inequalities = "" if not more else " and an inequality" if more == 1 else f" and {more} inequalities"
    return (
        f"{_value(answer)}, a strictly {direction} function of partner, the other metric, on its values, by an "
        f"identity{inequalities}"
    )


def _affine_function(claim: Affine, answer: Answer) -> str:
    only = "two tables leave no other numbers"
    if answer.status == "refuted":
        a, b = (parse_formula(answer.evidence.data[key], [p.name for p in claim.parameters]) for key in ("a", "b"))
        equation = f"M = {formula_text(a * Symbol('partner', real=True) + b)}"
        return f"{equation} for no values of the parameters, and {only}"
    if answer.condition is None:
        return f"{_value(answer)}, where partner is the other formula, by an identity"
    return f"{_value(answer)} if and only if {condition_text(answer.condition)}, and {only}"


def _determinant(answer: Answer) -> str:
    """State why tables refute that one formula is an affine function of another one."""
    if answer.witness is None:
        raise CertificateError("there is no counterexample")
    count = len(answer.witness.tables) // 2
    where = ", ".join(map(cells_text, answer.witness.tables[:count]))
    texts = [formula_text(value) for value in answer.witness.values]
    values = f"M is {', '.join(texts[:count])} at (TP, FN, FP, TN) = {where}, where the other formula is "
    values += ", ".join(texts[count:])
    at = "".join(f", {name} = {value}" for name, value in answer.witness.parameters.items())
    reason = "one value has two images" if count == 2 else "these three points are on no line"
    return f"counterexample{at}: {values}; {reason}"


# -- parts -------------------------------------------------------------------------------------------------------------


def _combination(claim: Any, answer: Answer) -> str:
    if not isinstance(claim, Combination):
        raise CertificateError(f"there is no evidence of the kind {answer.evidence.kind!r}")
    stated = dict(claim.parts)
    parts = {label: Decision.from_record(part, stated[label]) for label, part in answer.evidence.data["parts"].items()}
    return "; ".join(f"{label}: {_in_short(stated[label], part, answer)}" for label, part in parts.items())


def _in_short(claim: Claim, part: Decision, whole: Answer) -> str:
    if part.status == "open" and whole.status != "open":
        return "open"
    condition = "" if part.condition is None else f" if and only if {condition_text(part.condition)}"
    return f"{part.status}{condition} ({sentence_of(claim, part)})"


def _cases(claim: Any, answer: Answer) -> str:
    if "tree" in answer.evidence.data and "triples" not in answer.evidence.data:
        return "; ".join(_case(*leaf) for leaf in leaves(claim, answer.evidence.data["tree"]))
    if answer.condition is None:
        return "for no values of the parameters do the expectations agree at all small n, P, OP"
    condition = condition_text(answer.condition)
    return f"E[M] is constant if and only if {condition}: elsewhere expectations at small n differ"


def _case(claim: Claim, condition: Any, part: Decision | None) -> str:
    if part is None:
        return f"if {condition_text(condition)} the formula has no value"
    what = {"proved": "it holds", "refuted": "it fails"}.get(part.status, part.status)
    return f"if {condition_text(condition)} {what}: {sentence_of(claim, part)}"


# -- structure ---------------------------------------------------------------------------------------------------------


def _directions(claim: DirectionSpace, answer: Answer) -> str:
    data = answer.evidence.data
    value = _value(answer)
    if "minors" in data:
        return f"{value}: M is constant along each, an identity, and determinants of gradients leave no other direction"
    rank = len(CELLS) - len(data["directions"])
    tables = f"{rank} table{'s' * (rank > 1)}"
    serving = " that serves all values of the parameters" if claim.parameters else ""
    return (
        f"{value}: M is constant along each, an identity, and gradients of rank {rank} at {tables} leave no other "
        f"direction{serving}"
    )


def _rank(claim: Claim, answer: Answer) -> str:
    if not isinstance(claim, RatioOfLinearForms):
        return f"no direction is orthogonal to the gradients at {len(CELLS)} tables, which are linearly independent"
    such = f"such as {cells_text(answer.evidence.data['tables'][0])}"
    return f"<u, x> = M(x)*<w, x> at {2 * len(CELLS)} tables x, {such}, has no other solution than u = w = 0"


def _minors(claim: Claim, _: Answer) -> str:
    if isinstance(claim, RatioOfLinearForms):
        count, values = 2 * len(CELLS), "for all values of the parameters"
        return f"<u, x> = M(x)*<w, x> at {count} tables x has no other solution than u = w = 0, {values}"
    return (
        f"no direction is orthogonal to the gradients at {len(CELLS)} tables, which are linearly independent for all "
        "values of the parameters"
    )


# -- limits and values -------------------------------------------------------------------------------------------------


def _limit(claim: Claim, answer: Answer) -> str:
    limit = _value(answer)
    is_same = limit == formula_text(claim.subject)
    return f"the formula does not change along the curve: {limit}" if is_same else f"it tends to {limit}"


def _divergence(claim: FiniteLimit, answer: Answer) -> str:
    return f"it tends to {_value(answer)} at {_curve(claim)}: {growth_text(answer.evidence.data)}"


def _curve(claim: FiniteLimit) -> str:
    return curve_text(map(formula_text, claim.path))


def _divergence_at_a_table(claim: FiniteLimit, answer: Answer) -> str:
    data: Mapping[str, Any] = answer.evidence.data
    where = ", ".join(f"{name} = {data['table'][name]}" for name in claim.over if name in data["table"])
    return f"it is unbounded at {_curve(claim)}, where {where}: {growth_text(data)}"


def _domain(answer: Answer) -> str:
    if answer.witness is None:
        return _nothing_in_the_way("table")
    return (
        f"the formula has no value at (TP, FN, FP, TN) = {cells_text(answer.witness.tables[0])}; it is {_value(answer)}"
    )


def _nothing_in_the_way(where: str) -> str:
    return (
        f"at no {where} is a divisor of M, as it is shown, zero, a radicand negative, or the argument of a logarithm "
        "zero or negative"
    )


def _domain_of_matrices(answer: Answer) -> str:
    if answer.witness is None:
        return _nothing_in_the_way("matrix")
    return f"M, as it is shown, has no value at {answer.witness.tables[0]}"


def _range(answer: Answer) -> str:
    return ends_sentence(answer.evidence.data)


def _tables(claim: Claim, answer: Answer) -> str:
    witness, empty = answer.witness, _empty(claim)
    if witness is None:
        raise CertificateError("there is no counterexample")
    first, second = map(cells_text, witness.tables)
    values = " and ".join(formula_text(value) for value in witness.values)
    where = "both have" if all(getattr(witness.tables[0], name.lower()) == 0 for name in empty) else "the second has"
    return f"M = {values} at (TP, FN, FP, TN) = {first} and {second}, of which {where} {_where(empty)}"


def _unbounded(claim: Claim, answer: Answer) -> str:
    infinity = "oo" if isinstance(claim, LargestAtAgreement) else "-oo"
    return f"no table attains an extreme value: M tends to {infinity} at {curve_text(answer.evidence.data['path'])}"


def _attained_elsewhere(claim: Claim, answer: Answer) -> str:
    if answer.witness is None:
        raise CertificateError("there is no counterexample")
    (value,), (table,) = answer.witness.values, answer.witness.tables
    return f"M is at its {_extreme(claim)} {formula_text(value)} at (TP, FN, FP, TN) = {cells_text(table)} too"


def _faces(claim: Claim, answer: Answer) -> str:
    return (
        f"wherever {_where(_empty(claim))} and M has a limit, that is the {_extreme(claim)} "
        f"{answer.evidence.data['extreme']}, which M does not reach inside the orthant or on any other face"
    )


def _exceeded(claim: Claim, answer: Answer) -> str:
    face = answer.evidence.data["face"].split()
    where = f"where {_where(face)}" if face else "at positive cells"
    extreme = answer.evidence.data["extreme"]
    return f"M takes the value {extreme}, which it has where {_where(_empty(claim))}, also {where}"


def _extreme(claim: Claim) -> str:
    return "maximum" if isinstance(claim, LargestAtAgreement) else "minimum"


def _empty(claim: Claim) -> tuple[str, ...]:
    return ("FN", "FP") if isinstance(claim, LargestAtAgreement) else ("TP", "TN")


def _where(cells: Any) -> str:
    return " = ".join(name for name in CELL_NAMES if name in cells) + " = 0"


# -- expectations ------------------------------------------------------------------------------------------------------


def _expectations(answer: Answer) -> str:
    if answer.found is not None:
        return f"E[M] = {_value(answer)}"
    data = answer.evidence.data
    if "margins" in data:
        first, second = (
            f"row sums {tuple(rows)} and column sums {tuple(columns)}" for rows, columns in data["margins"]
        )
    else:
        first, second = (str(tuple(triple)) for triple in data["triples"])
        first = f"(n, P, OP) = {first}"
    return f"E[M] at {first} is another number than at {second}"


def _no_expectation(answer: Answer) -> str:
    return f"E[M] exists for no n, P, OP: M is infinite at the tables with the {answer.evidence.data['end']}"


_OF_VALUE: Final[Mapping[str, str]] = {
    "powers": (
        f"identity {DOMAIN}: it holds whatever positive numbers stand for the powers with parameters as exponents"
    ),
    "z3": "Z3 found no counterexample among all positive real tables; its word is all the evidence there is",
    "even root": (
        "M is a constant plus a multiple of an even root, and the corresponding claim is shown for its radicand"
    ),
    "symmetries": "{value}; every other permutation is refuted by a table",
    "symmetries of matrices": (
        "of all rearrangements of rows and columns these turn M into itself or an image: {value}"
    ),
    "ratio": "M = {value}",
    "affine": (
        "E[M] = {value} wherever it exists: M is affine in TP at fixed margins, so that its mean is its "
        "value at the mean table, which is independent; and M is constant at independent tables"
    ),
    "affine in matrices": (
        "E[M] = {value} wherever it exists: M is affine in C at fixed sums of rows and columns, so that its "
        "mean is its value at the mean matrix, which has rank one; and M is constant at matrices of rank one"
    ),
    "moments": "E[M] = {value}: M is a polynomial in TP at fixed margins, whose factorial moments are known",
}
"""Sentences that depend only on the value."""
_OF_CLAIM_AND_ANSWER: Final[Mapping[str, Callable[[Any, Answer], str]]] = {
    "witness": _counterexample,
    "identity": _identity,
    "conditions": _conditions,
    "sign": _sign,
    "coefficients": _coefficients,
    "link": _link,
    "affine function": _affine_function,
    "all of": _combination,
    "any of": _combination,
    "cases": _cases,
    "directions": _directions,
    "rank": _rank,
    "minors": _minors,
    "limit": _limit,
    "divergence": _divergence,
    "divergence at a table": _divergence_at_a_table,
    "tables": _tables,
    "unbounded": _unbounded,
    "attained elsewhere": _attained_elsewhere,
    "faces": _faces,
    "exceeded": _exceeded,
}
_OF_ANSWER: Final[Mapping[str, Callable[[Answer], str]]] = {
    "domain": _domain,
    "domain of matrices": _domain_of_matrices,
    "range": _range,
    "expectations": _expectations,
    "determinant": _determinant,
    "no expectation": _no_expectation,
    "expectations of matrices": _expectations,
}
