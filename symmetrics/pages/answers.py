"""What cells of tables say: García's signs in a table of his properties, and elsewhere yes, no, conditional or open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from symmetrics.claims.families.limits import STEP
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import value_text
from symmetrics.language.condition import condition_text
from symmetrics.language.parameter import at_defaults_text
from symmetrics.library.selections import GARCIA_PROPERTIES, SIGNS
from symmetrics.tools.documents import Code, Span, Text

Marks = Mapping[bool | None, str]
"""What stands for each truth value at the default parameters."""
ANSWERS: Final[Marks] = {True: "yes", False: "no", None: "open"}
CONDITIONAL: Final = "conditional"
"""What is said where it depends on parameters, of which one has no default."""


def marks_of(properties: Iterable[str]) -> Marks:
    """Return what stands in a table: García's signs if it has his properties alone, and words else."""
    return SIGNS if set(properties) <= set(GARCIA_PROPERTIES) else ANSWERS


def answer_text(verdict: Verdict, marks: Marks) -> str:
    """Return the mark of a verdict; of what is open in general, that at the defaults in parentheses."""
    if verdict.status == "open" and verdict.holds is not None:
        return f"{marks[None]} ({at_defaults_text(verdict.claim.parameters)}: {marks[verdict.holds]})"
    if verdict.holds is None and verdict.condition is not None and marks is not SIGNS:
        return CONDITIONAL
    return marks[verdict.holds]


def condition_suffix(verdict: Verdict, shown: Callable[[str], str] = str) -> str:
    """Return the parameters for which a property is had, in parentheses; nothing if they do not matter."""
    return "" if verdict.condition is None else f" ({shown(condition_text(verdict.condition))})"


def value(verdict: Verdict) -> str | None:
    """Return what was found; where a verdict is open but for the defaults, the answer before it says so already."""
    return value_text(verdict, where=False)


def answer_cell(verdict: Verdict, marks: Marks = ANSWERS, shown: Callable[[str], str] = str) -> Text:
    """Return the answer of a verdict at the default parameters, with its condition and its value, if any.

    :param shown: what is made of the value

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
    """Return which ends of a range are values at tables with zero cells alone, as the end of a clause.

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
    """Return where an end of a range is a value, as far as the evidence tells.

    A path that stands still is a table; of one that moves it may be unknown whether another table attains the end.
    """
    if not any(STEP.name in coordinate for coordinate in end["path"]):
        return "at positive cells"
    if "corner" in end:
        return "only at zero cells" if end["strict"] else "at zero cells"
    return "unknown"


def legend(verdicts: Iterable[Verdict], marks: Marks, *, noted: bool = False) -> Text:
    """Return in a sentence what the marks of a table mean, no more of them than it has.

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
