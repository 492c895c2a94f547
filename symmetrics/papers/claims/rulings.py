"""Rulings by verdicts: formulas are compared, and properties decided, with evidence that the checker accepts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from sympy import Expr, S, Symbol

from symmetrics.claims import (
    Claim,
    Comparison,
    FiniteLimit,
    Identity,
    Inequality,
    StrictInequality,
    value_symbol,
)
from symmetrics.claims.evidence import Counts, Point
from symmetrics.claims.values import Limit
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.condition import condition_text
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.papers.claims import trials as recording
from symmetrics.papers.claims.trials import Correction, Ruling
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.query.proving import as_property


def at(formula: Expr, table: Table) -> Expr:
    """Return a formula in the cells with four expressions put in for them.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> at(TP / (TP + FN), (FN, TP, FP, TN))
    FN/(FN + TP)
    """
    return formula.xreplace(dict(zip(CELLS, table, strict=True)))


def decided(claim: Claim) -> Verdict:
    """Return the verdict on a claim; it is open unless the checker accepts the evidence."""
    return recording.note(decide_and_check(claim, metric="", property="", seconds=inf))


def identity(left: Expr, right: Expr, *parameters: Parameter, over: Sequence[Symbol] = CELLS) -> Verdict:
    """Return the verdict on whether two formulas are equal at all positive cells, for all values of the parameters.

    :param parameters: with their domains; those that do not occur are left out
    :param over: the variables of the formulas, if these are not the cells

    >>> from symmetrics.language.cells import FN, TP
    >>> identity(TP / (TP + FN), 1 - FN / (TP + FN)).status
    'proved'
    """
    return decided(_compared(Identity, left, right, parameters, over))


def inequality(
    left: Expr, right: Expr, *parameters: Parameter, strict: bool = False, over: Sequence[Symbol] = CELLS
) -> Verdict:
    """Return the verdict on ``left >= right``, or ``left > right``, at all positive cells.

    >>> from sympy import sqrt
    >>> from symmetrics.language.cells import FN, TP
    >>> inequality((TP + FN) / 2, sqrt(TP * FN)).status
    'proved'

    :param over: the variables of the formulas, if these are not the cells
    """
    return decided(_compared(StrictInequality if strict else Inequality, left, right, parameters, over))


def _compared(
    family: type[Comparison], left: Expr, right: Expr, parameters: Iterable[Parameter], over: Sequence[Symbol]
) -> Comparison:
    names = tuple(symbol.name for symbol in over)
    return family(left, _occurring(parameters, left, right), (tuple(over),) * 2, partner=right, over=names)


def _occurring(parameters: Iterable[Parameter], *formulas: Expr) -> tuple[Parameter, ...]:
    symbols = {symbol for formula in formulas for symbol in formula.free_symbols}
    return tuple(parameter for parameter in parameters if parameter.symbol in symbols)


# -- rulings by verdicts -----------------------------------------------------------------------------------------------


def by_verdicts(*verdicts: Verdict, note: str = "", correction: Correction | None = None) -> Ruling:
    """Return that a claim holds if all verdicts are proofs, and that it is refuted if one of them refutes it.

    A conditional verdict refutes what is printed without its condition.

    :param note: said before the evidence
    :param correction: the form that holds, and its proofs, should the claim be refuted
    """
    for verdict in verdicts:
        recording.note(verdict)
    start = f"{note}: " if note else ""
    failing = next((v for v in verdicts if v.status != "proved"), None)
    if failing is None:
        sentences = dict.fromkeys(verdict.evidence.sentence for verdict in verdicts)
        return Ruling("holds", start + "; ".join(sentences), basis="prover")
    if failing.status == "open":
        return Ruling("open", start + failing.evidence.sentence, basis="prover")
    return _refuted(start + _counterexample(failing), correction)


def equal(
    left: Expr,
    right: Expr,
    *parameters: Parameter,
    over: Sequence[Symbol] = CELLS,
    note: str = "",
    correction: Correction | None = None,
) -> Ruling:
    """Return the ruling on an equation between two formulas, at all positive cells and values of the parameters.

    :param over: the variables of the formulas, if these are not the cells

    >>> from symmetrics.language.cells import FN, FP, TP
    >>> equal(TP / (TP + FP), TP / (TP + FN)).evidence
    'at TP = 1, FN = 1, FP = 2, TN = 1 the left side is 1/3 and the right side 1/2'
    """
    return by_verdicts(identity(left, right, *parameters, over=over), note=note, correction=correction)


def at_least(
    left: Expr,
    right: Expr,
    *parameters: Parameter,
    strict: bool = False,
    over: Sequence[Symbol] = CELLS,
    note: str = "",
    correction: Correction | None = None,
) -> Ruling:
    """Return the ruling on ``left >= right``, or ``left > right`` if *strict*, at all positive cells.

    :param over: the variables of the formulas, if these are not the cells
    """
    verdict = inequality(left, right, *parameters, strict=strict, over=over)
    return by_verdicts(verdict, note=note, correction=correction)


def within(
    formula: Expr, lower: object, upper: object, *parameters: Parameter, correction: Correction | None = None
) -> Ruling:
    """Return the ruling on whether all values of a formula, at positive cells, lie in a closed interval.

    At tables with zeros, where the formula is continuous, its values lie there as well.

    :param lower: an exact number; None for no bound
    :param upper: an exact number; None for no bound
    """
    verdicts = [] if lower is None else [inequality(formula, S(lower), *parameters)]
    verdicts += [] if upper is None else [inequality(S(upper), formula, *parameters)]
    return by_verdicts(*verdicts, correction=correction)


def has(metric: Metric | Expr | str, property: str, *, note: str = "", correction: Correction | None = None) -> Ruling:
    """Return the ruling on whether a metric has a property of the catalogue, for all values of its parameters.

    >>> has("f1", "homogeneous").outcome, has("cwa", "p1").outcome
    ('holds', 'refuted')
    """
    claim = as_property(property).claim(as_metric(metric))
    return by_verdicts(decided(claim), note=note, correction=correction)


def lacks(metric: Metric | Expr | str, property: str, *, note: str = "") -> Ruling:
    """Return the ruling on whether a metric does not have a property, at the default values of its parameters.

    >>> lacks("cwa", "p1").outcome, lacks("cwa", "homogeneous").outcome
    ('holds', 'refuted')
    """
    verdict = decided(as_property(property).claim(as_metric(metric)))
    start = f"{note}: " if note else ""
    if verdict.holds is None:
        return Ruling("open", start + verdict.evidence.sentence, basis="prover")
    if verdict.holds:
        proved = f"it has the property {property}, which is proved"
        return Ruling("refuted", start + verdict.evidence.sentence, proved, "prover")
    return Ruling("holds", start + _counterexample(verdict), basis="prover")


def tends_to(
    formula: Expr,
    limit: Expr,
    path: tuple[Expr, ...],
    *parameters: Parameter,
    over: Sequence[Symbol] = CELLS,
    note: str = "",
) -> Ruling:
    """Return the ruling on what a formula tends to as the step s of a curve of tables tends to zero from above.

    :param path: for each variable a product of powers of :data:`STEP` and of a variable, as ``(TP, FN, FP, TN/STEP)``
    :param over: the variables of the formula, if these are not the cells

    >>> from symmetrics.claims.families.limits import STEP
    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> tends_to((TP + TN) / (TP + FN + FP + TN), S.One, (TP, FN, FP, TN / STEP)).outcome
    'holds'
    """
    names = tuple(symbol.name for symbol in over)
    verdict = decided(FiniteLimit(formula, _occurring(parameters, formula), path, names))
    start = f"{note}: " if note else ""
    if verdict.status != "proved" or not isinstance(verdict.found, Limit):
        return Ruling("open", f"{start}the limit is {verdict.status}: {verdict.evidence.sentence}", basis="prover")
    found = parse_formula(verdict.found.limit, [parameter.name for parameter in parameters], names)
    if identity(found, limit, *parameters, over=over).status == "proved":
        return Ruling("holds", f"{start}the limit is {verdict.value}; {verdict.evidence.sentence}", basis="prover")
    right, stated = f"the limit is {verdict.value}", formula_text(limit)
    return Ruling("refuted", f"{start}{right}, not {stated}", right, "prover")


def _refuted(evidence: str, correction: Correction | None) -> Ruling:
    if correction is None:
        return Ruling("refuted", evidence, basis="prover")
    corrected, proofs = correction
    for verdict in proofs():
        if verdict.status != "proved":
            doubt = f"{evidence}; but the form that should hold is {verdict.status}: {corrected}"
            return Ruling("open", doubt, basis="prover")
    return Ruling("refuted", evidence, corrected, "prover")


def _counterexample(verdict: Verdict) -> str:
    """Return what refutes a claim, and for a conditional verdict first when alone it holds."""
    only = "" if verdict.condition is None else f"true only if {condition_text(verdict.condition)}; "
    witness = verdict.witness
    if witness is None:
        return only + verdict.evidence.sentence
    settings = [str(Point(CELL_NAMES, table) if isinstance(table, Counts) else table) for table in witness.tables]
    parameters = "".join(f", {name} = {value}" for name, value in witness.parameters.items())
    values = [formula_text(value) for value in witness.values]
    if _has_two_sides(verdict.claim) and settings[0] == settings[1]:
        return f"{only}at {settings[0]}{parameters} the left side is {values[0]} and the right side {values[1]}"
    pairs = (f"{value} at {setting}{parameters}" for value, setting in zip(values, settings, strict=False))
    return f"{only}the value is {', but '.join(pairs)}"


def _has_two_sides(claim: Claim) -> bool:
    """Whether a claim compares the values of two formulas at one table."""
    difference = value_symbol(0) - value_symbol(1)
    return isinstance(claim, Comparison) and claim.partner is not None and bool(claim.relation == difference)
