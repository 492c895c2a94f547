"""Cell texts of verdict tables: García's signs for his properties, otherwise yes, no, conditional or open."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from symmetrics.claims.families.limits import STEP
from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import value_text
from symmetrics.language.condition import condition_text
from symmetrics.language.definition import Definition
from symmetrics.language.parameter import at_defaults_text
from symmetrics.library import metrics, properties
from symmetrics.library.selections import GARCIA_PROPERTIES, SIGNS
from symmetrics.query.relations import relations
from symmetrics.tools.documents import Code, Span, Text
from symmetrics.tools.errors import SymmetricsError

if TYPE_CHECKING:
    from symmetrics.matrices.property import MulticlassProperty


Marks = Mapping[bool | None, str]
"""Mark for each truth value at the default parameters."""
ANSWERS: Final[Marks] = {True: "yes", False: "no", None: "open"}
CONDITIONAL: Final = "conditional"
"""Mark if the answer depends on parameters, one of which has no default."""


def marks_of(properties: Iterable[str]) -> Marks:
    """Return the marks of a table: García's signs if all its properties are his, otherwise words."""
    return SIGNS if set(properties) <= set(GARCIA_PROPERTIES) else ANSWERS


def answer_text(verdict: Verdict, marks: Marks) -> str:
    """Return the mark of a verdict; if it is open in general, the mark at the default parameters in parentheses."""
    if verdict.status == "open" and verdict.holds is not None:
        return f"{marks[None]} ({at_defaults_text(verdict.claim.parameters)}: {marks[verdict.holds]})"
    if verdict.holds is None and verdict.condition is not None and marks is not SIGNS:
        return CONDITIONAL
    return marks[verdict.holds]


def condition_suffix(verdict: Verdict, shown: Callable[[str], str] = str) -> str:
    """Return the condition on parameters under which the property holds, in parentheses; empty if there is none."""
    return "" if verdict.condition is None else f" ({shown(condition_text(verdict.condition))})"


def value(verdict: Verdict) -> str | None:
    """Return the value, such as a range; empty if only the answer at the defaults is known."""
    return value_text(verdict, where=False)


def answer_cell(verdict: Verdict, marks: Marks = ANSWERS, shown: Callable[[str], str] = str) -> Text:
    """Return the answer of a verdict at the default parameters, with its condition and its value, if any.

    :param shown: formats the value

    >>> from symmetrics.query.proving import prove
    >>> answer_cell(prove("cwa", "p1"), SIGNS), answer_cell(prove("cwa", "strongly_monotone"))
    (('+ (w = 1/2)',), ('yes (w != 0 and w != 1)',))
    >>> answer_cell(prove("lift", "range"))
    ('no', ': ', Code(text='(0, oo)'), ', at zero cells 0')
    """
    found = value(verdict)
    told = () if found is None else (": ", Code(shown(found)), at_zero_cells(verdict))
    return (answer_text(verdict, marks) + condition_suffix(verdict), *told)


def at_zero_cells(verdict: Verdict, shown: Callable[[str], str] = str) -> str:
    """Say which ends of a range are attained only at tables with zero cells, as the end of a clause.

    The range itself is that of tables without zero cells.  An end of which this is not known is not named.

    >>> from symmetrics.query.proving import prove
    >>> at_zero_cells(prove("mcc", "range")), at_zero_cells(prove("cramer_v", "range"))
    (', at zero cells -1 and 1', ', at zero cells 1')
    >>> at_zero_cells(prove("fossum", "range")), at_zero_cells(prove("mcc", "p1"))
    ('', '')
    """
    if verdict.evidence.kind != "range":
        return ""
    ends = [end for side in ("lower", "upper") if (end := verdict.evidence.data.get(side)) is not None]
    found = [shown(end["bound"]) for end in ends if how_attained(end) in ("only at zero cells", "at zero cells")]
    return f", at zero cells {' and '.join(found)}" if found else ""


def how_attained(end: Mapping[str, Any]) -> str:
    """Say where an end of a range is attained, as far as the evidence shows.

    A path that stands still is a table; of one that moves it may be unknown whether another table attains the end.
    """
    if not any(STEP.name in coordinate for coordinate in end["path"]):
        return "at positive cells"
    if "corner" in end:
        return "only at zero cells" if end["strict"] else "at zero cells"
    return "unknown"


def legend(verdicts: Iterable[Verdict], marks: Marks, *, noted: bool = False) -> Text:
    """One sentence explaining the marks that occur in a table.

    :param noted: whether conditions are notes, and do not follow the marks in parentheses

    >>> from symmetrics.query.proving import prove
    >>> legend([prove("f1", "p1")], SIGNS)
    (Code(text='-'), ' means that the metric is invariant, ', Code(text='+'), ' that it is not.')
    """
    every = list(verdicts)
    yes, no, unknown = (Code(marks[truth]) for truth in (True, False, None))
    has = "is invariant" if marks is SIGNS else "has the property"
    told: list[Span] = [yes, f" means that the metric {has}, ", no]
    told.append(f" that it {'is' if marks is SIGNS else 'does'} not")
    if any(verdict.condition is not None for verdict in every):
        where = "notes say" if noted else "in parentheses stands"
        told.append(f"; both are for the defaults of parameters, and {where} for which others it {has}")
    if any(verdict.status == "open" for verdict in every):
        told += ["; ", unknown, " means that this is not known"]
    elif any(verdict.holds is None for verdict in every) and marks is SIGNS:
        told += ["; ", unknown, " means that it depends on a parameter without default"]
    *before, last = told
    return (*before, f"{last}.")


# ----------------------------------------------------------------------------------------------------------------------
# The metric and the property that a verdict's names refer to.


_BOUND: Final = re.compile(r"(?P<key>\w+)\((?P<settings>\w+=[^(),]+(?:, \w+=[^(),]+)*)\)")
"""Pattern of a library metric's name with parameters bound."""


def called(metric: Definition) -> str:
    """Return the metric's name at the beginning of a sentence ("The formula" for unnamed ones).

    >>> called(metrics["f1"]), called(metrics["f_beta"].at(beta=2))
    ('F1-measure', 'F-measure (beta=2)')
    >>> from symmetrics.language.cells import FN, TP
    >>> called(Definition("mine", TP + FN)), called(Definition("TP + FN", TP + FN))
    ('The metric mine', 'The formula')
    """
    if metric.title != metric.name:
        return metric.title
    return f"The metric {metric.name}" if has_name(metric) else "The formula"


def has_name(metric: Definition) -> bool:
    """Whether a metric has a name other than its formula.

    >>> from symmetrics.language.cells import FN, TP
    >>> has_name(metrics["f1"]), has_name(Definition("mine", TP + FN)), has_name(Definition("TP + FN", TP + FN))
    (True, True, False)
    """
    return metric.title != metric.name or metric.name.isidentifier()


def called_inside(metric: Definition) -> str:
    """Return the metric's name for use within a sentence.

    >>> from symmetrics.language.cells import FN, TP
    >>> called_inside(metrics["f1"]), called_inside(Definition("TP + FN", TP + FN))
    ('F1-measure', 'the formula')
    """
    name = called(metric)
    return name if metric.title != metric.name else f"t{name[1:]}"


def metric_of(verdict: Verdict) -> Definition:
    """Return the metric of a verdict: the library's, if the one of that name has the same formula.

    >>> from symmetrics.query.proving import prove
    >>> metric_of(prove(metrics["f_beta"].at(beta=2), "p1")).title
    'F-measure (beta=2)'
    """
    name, subject = verdict.metric, verdict.claim.subject
    known = _named(name)
    if known is not None and known.expr == subject:
        return known
    return Definition(name, subject, tuple(verdict.claim.parameters))


def _named(name: str) -> Definition | None:
    """Return the library metric with a name, possibly with parameters bound."""
    if name in set(metrics):
        return metrics[name]
    found = _BOUND.fullmatch(name)
    if found is None or found["key"] not in set(metrics):
        return None
    try:
        return metrics[found["key"]].at(**dict(part.split("=") for part in found["settings"].split(", ")))
    except SymmetricsError:
        return None


def of_matrices(verdict: Verdict) -> tuple[MulticlassProperty, str] | None:
    """Return the property and the metric's name in a verdict on matrices; None for other verdicts.

    A metric has the title of the library's only if the claim is about that one, whatever its name is.

    >>> from symmetrics.matrices import multiclass
    >>> property, title = of_matrices(multiclass["kappa"].prove("transpose", k=2))
    >>> property.name, title
    ('transpose', "Cohen's kappa of 2 classes")
    """
    if not verdict.metric.endswith(" classes"):
        return None
    from symmetrics.matrices import multiclass_properties  # most verdicts are not on matrices
    from symmetrics.matrices.deciding import claim_named, title_at_size

    title, property = title_at_size(verdict.metric), multiclass_properties.get(verdict.property)
    if title is None or property is None:
        return None
    try:
        known = claim_named(verdict.metric, verdict.property)
    except SymmetricsError:  # claims at this number of classes are not supported
        known = None
    return property, title if known is not None and known.to_dict() == verdict.claim.to_dict() else verdict.metric


def property_of(verdict: Verdict, metric: Definition) -> Property:
    """Describe the property of a verdict: one of the library, or a relation to another metric.

    A name that does not stand for the claim of the verdict tells nothing about it: then the property is described by
    the claim's kind alone, and so is one of the user's own, of which the verdict has the key.

    >>> from symmetrics.query.proving import prove
    >>> from symmetrics.query.relations import relate
    >>> property_of(prove("f1", "p2"), metrics["f1"]).yes
    'does not depend on the true negatives'
    >>> property_of(relate("f1", "jaccard", "rank_equivalent"), metrics["f1"]).yes
    'ranks all tables as Jaccard index does'
    """
    key, _, other = verdict.property.partition(":")
    if verdict.property in set(properties):
        known = properties[verdict.property]
        if known.claim(metric).to_dict() == verdict.claim.to_dict():
            return known
    elif key in set(relations):
        partner = _named(other)
        name = "the other metric" if partner is None else partner.title
        relation = relations[key]
        words = relation.yes.format(name), relation.no.format(name)
        statement = f"{relation.statement}, where L is {name}"
        return Property(verdict.property, statement, lambda _: verdict.claim, relation.title, yes=words[0], no=words[1])
    yes, no = (f"{has} the property {verdict.property!r}" for has in ("has", "does not have"))
    about = f"a claim of the kind {verdict.claim.kind!r}"
    return Property(verdict.property, about, lambda _: verdict.claim, yes=yes, no=no)
