"""A verdict as a paragraph of a paper: the claim, the answer, and the proof or the counterexample."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from symmetrics.checker import check
from symmetrics.claims.evidence import Point, Witness
from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import value_text
from symmetrics.language.definition import Definition
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.pages.answers import at_zero_cells, metric_of, of_matrices, property_of
from symmetrics.pages.latex.tabular import LABEL, SHRUNK, condition_latex, formula_latex, prose_latex, value_latex
from symmetrics.pages.plain import own_values, plain_sentence
from symmetrics.tools.documents.latex import tabular
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import for_latex

if TYPE_CHECKING:
    from symmetrics.matrices import MulticlassProperty


_ENVIRONMENT: Final = re.compile(r"[A-Za-z]+\*?")


def verdict_latex(verdict: Verdict, *, environment: str | None = None, label: str | None = None) -> str:
    """Return a verdict as a paragraph of a paper, after re-verifying its evidence.

    :param environment: the name of a theorem environment, for the claim; the evidence is then its proof
    :param label: to refer to the environment by
    :raises CertificateError: if the evidence does not establish the verdict
    :raises InputError: on a label without an environment, and on names that LaTeX cannot read
    """
    _require_names(environment, label)
    check(verdict)
    property: Property | MulticlassProperty
    if (found := of_matrices(verdict)) is not None:
        property, title = found
        claim = "\n".join(_claim_at_size(verdict, property, title))
    else:
        metric = metric_of(verdict)
        property = property_of(verdict, metric)
        claim = "\n".join(_claim(verdict, property, metric))
    evidence = "\n".join(_evidence(verdict))
    if environment is None:
        return f"{claim}\n{evidence}\n"
    named = f"\\label{{{label}}}" if label is not None else ""
    opened = f"\\begin{{{environment}}}[{{{for_latex(property.title or property.name)}}}]{named}"
    if verdict.status == "open":
        return f"{opened}\n{claim}\n{evidence}\n\\end{{{environment}}}\n"
    return f"{opened}\n{claim}\n\\end{{{environment}}}\n\\begin{{proof}}\n{evidence}\n\\end{{proof}}\n"


def _require_names(environment: str | None, label: str | None) -> None:
    if environment is not None and not _ENVIRONMENT.fullmatch(environment):
        raise InputError(f"environment {environment!r}: LaTeX reads letters there, as in proposition")
    if label is not None and not LABEL.fullmatch(label):
        raise InputError(f"label {label!r}: LaTeX reads letters, digits and :.+/@- there, as in prop:precision")
    if label is not None and environment is None:
        raise InputError("a label belongs to a theorem environment: name one, as in environment='proposition'")


# -- the claim ---------------------------------------------------------------------------------------------------------


def _claim(verdict: Verdict, property: Property, metric: Definition) -> Iterator[str]:
    names = [parameter.name for parameter in verdict.claim.parameters]
    yield f"\\textbf{{{prose_latex(plain_sentence(verdict, property, metric), names)}}}"
    known = metric.title != metric.name or metric.name.isidentifier()
    yield f"Let $M$ be the metric \\emph{{{for_latex(metric.title)}}}," if known else "Let $M$ be the metric"
    yield _display(f"M = {formula_latex(verdict.claim.subject)}")
    domains = ", ".join(map(_domain, verdict.claim.parameters))
    yield f"with {domains}." if domains else "of the four cells of a table."
    statement = prose_latex(property.statement, names)
    yield f"The property \\emph{{{for_latex(property.name)}}} is, for positive cells unless it says otherwise:"
    yield f"{statement}."
    yield _decision(verdict)


def _claim_at_size(verdict: Verdict, property: MulticlassProperty, title: str) -> Iterator[str]:
    names = [parameter.name for parameter in verdict.claim.parameters]
    yield f"\\textbf{{{prose_latex(property.told(title, verdict.holds), names)}}}"
    yield f"Let $M$ be the metric \\emph{{{for_latex(title)}}}, of a matrix $C$ with positive entries $c_{{ij}}$,"
    yield _display(f"M = {formula_latex(verdict.claim.subject)}")
    domains = ", ".join(map(_domain, verdict.claim.parameters))
    yield f"with {domains}." if domains else "the rows being the true classes."
    yield f"The property \\emph{{{for_latex(property.name)}}} is: {for_latex(property.statement)}."
    yield _decision(verdict)


def _display(formula: str) -> str:
    """Return a displayed formula, scaled to the column width."""
    return f"\\begin{{center}}\n{SHRUNK[0]}\n$\\displaystyle {formula}${SHRUNK[1]}\n\\end{{center}}"


def _domain(parameter: Parameter) -> str:
    text, _, default = str(parameter).partition(" = ")
    name, _, interval = text.partition(" in ")
    shown = f"{prose_latex(name, [parameter.name])} $\\in$ {value_latex(interval)}"
    return shown + (f" (by default {value_latex(default)})" if default else "")


def _decision(verdict: Verdict) -> str:
    names = [parameter.name for parameter in verdict.claim.parameters]
    told = {
        "proved": "It holds.",
        "refuted": "It does not hold.",
        "open": "Whether it holds is not known.",
        "conditional": "",
    }[verdict.status]
    if verdict.condition is not None:
        told = f"It holds if and only if {condition_latex(verdict.condition)}."
    found = value_text(verdict)
    if found is None:
        return told
    zero = at_zero_cells(verdict, lambda end: value_latex(end, names))
    return f"{told} Value: {value_latex(found, names)}{zero}."


# -- the evidence ------------------------------------------------------------------------------------------------------


def _evidence(verdict: Verdict) -> Iterator[str]:
    names = [parameter.name for parameter in verdict.claim.parameters]
    if verdict.witness is not None:
        yield "At these tables it fails:" if len(verdict.witness.tables) > 1 else "At this table it fails:"
        yield _tables(verdict, verdict.witness)
    if verdict.witness is None or verdict.evidence.kind != "witness":
        sentence = prose_latex(verdict.evidence.sentence, names)
        yield f"{'Evidence' if verdict.status != 'open' else 'State'}: {sentence}."
    yield f"{_verification(verdict)} % {verdict.status}: {_comment(verdict.property)} of {_comment(verdict.metric)}"


def _comment(text: str) -> str:
    """Escape a name for a LaTeX comment, which ends with its line."""
    return re.sub(r"[^\w ().,=:+*/-]", "?", text, flags=re.ASCII)


def _verification(verdict: Verdict) -> str:
    by = f"symmetrics {importlib.import_module('symmetrics').__version__}"  # already imported, as its packages are
    if verdict.status == "open" and "at_defaults" not in verdict.evidence.data:
        return f"(Asked of {by}; nothing is asserted, so that nothing was verified.)"
    if verdict.evidence.kind == "z3":
        return (
            f"(Found by Z3, asked by {by}, and found again when it was asked a second time; there is no other proof.)"
        )
    return f"(Found by {by}, and verified again, in exact arithmetic, by other code than found it.)"


def _tables(verdict: Verdict, witness: Witness) -> str:
    """Return the tables of a counterexample with their values, as a tabular scaled to the column width."""
    first = witness.tables[0]
    heads = first.names if isinstance(first, Point) else CELL_NAMES
    own = own_values(verdict, len(witness.values))
    both = own < len(witness.values)
    lines = [[prose_latex(name) for name in heads], *([str(count) for count in table] for table in witness.tables)]
    values = [formula_latex(value, inline=True) for value in witness.values]
    columns: list[Sequence[str]] = [["$M$", *(f"${value}$" for value in values[:own])]]
    if both:
        columns = [
            [*columns[0], *[""] * (len(values) - own)],
            ["$L$", *[""] * own, *(f"${value}$" for value in values[own:])],
        ]
    if not values:
        columns = [["$M$", *["no value"] * len(witness.tables)]]
    rows = [[*line, *(column[place] for column in columns)] for place, line in enumerate(lines)]
    head, *body = rows
    at = ", ".join(f"{name} = {value}" for name, value in witness.parameters.items())
    table = tabular("r" * len(head), head, body, rules=["\\hline"] * 3)
    where = [f"\\\\[2pt] with {prose_latex(at, list(witness.parameters))}"] if at else []
    return "\n".join(["\\begin{center}", SHRUNK[0], *table[:-1], table[-1] + SHRUNK[1], *where, "\\end{center}"])
