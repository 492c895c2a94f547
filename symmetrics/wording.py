"""What a verdict says beyond yes and no, in a form that tables and explanations share."""

from __future__ import annotations

from symmetrics.cells import CELLS
from symmetrics.claims import Identity, value_symbol
from symmetrics.formula import formula_text
from symmetrics.parameter import at_defaults_text
from symmetrics.verdict import Verdict

__all__ = ["value_text"]


def value_text(verdict: Verdict) -> str | None:
    """Return what was found, or None: the verdict's own value, or that of a metric that was shown to be constant.

    An identity with one fixed table says that M has its value there at all the other tables; if it holds at the
    default parameters, that is the value at the defaults.

    >>> from symmetrics.query import prove
    >>> value_text(prove("f1", "range")), value_text(prove("mcc", "independence_value")), value_text(prove("f1", "p2"))
    ('(0, 1)', '0', None)
    """
    claim = verdict.claim
    if verdict.value is not None or verdict.holds is not True or not isinstance(claim, Identity):
        return verdict.value
    fixed = [table for table in claim.tables if all(cell.is_number for cell in table)]
    if len(claim.tables) != 2 or len(fixed) != 1 or claim.relation != value_symbol(0) - value_symbol(1):
        return None
    defaults = {parameter.symbol: parameter.default for parameter in claim.parameters if parameter.default is not None}
    value = claim.subject.xreplace({**defaults, **dict(zip(CELLS, fixed[0], strict=True))})
    if value.is_finite is False:
        return None
    only = f"{at_defaults_text(claim.parameters)}: " if verdict.status == "open" else ""
    return only + formula_text(value)
