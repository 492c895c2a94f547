"""Laws as they are applied: which two tables they are about, and whether two tables are the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symmetrics.checker.engine.forms import Signs
from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.claims.theorems.laws import Instance, Law, image
from symmetrics.language.cells import CELLS, Table
from symmetrics.tools.errors import CertificateError

__all__ = ["Laws", "applied", "require", "same_table"]

Laws = Mapping[str, Sequence[Law]]
"""The laws of each premise."""


def applied(step: Instance, premises: Laws) -> tuple[str, Table, Table]:
    """Return the sign and the two tables of a law as it is applied, after a look at whether all cells are positive."""
    found = [law for law in premises.get(step.premise, ()) if law.label == step.label]
    require(len(found) == 1, f"no premise {step.premise} has a law {step.label!r}")
    first, second = found[0].tables
    variables = set().union(*(entry.free_symbols for entry in (*first, *second)))
    require(variables <= set(step.at), "a variable of a law stands for nothing")
    names = set().union(*(value.free_symbols for value in step.at.values())) - set(CELLS)
    known = Signs((), (*CELLS, *sorted(names, key=str)))
    for value in step.at.values():
        if not known.is_positive(value):
            raise CertificateError(f"{value} is not known to be positive")
    bound = dict(step.at)
    return found[0].sign, image(first, bound), image(second, bound)


def same_table(left: Table, right: Table) -> bool:
    """Whether two tables are the same, as fractions of polynomials."""
    different = [(one, other) for one, other in zip(left, right, strict=True) if one != other]
    if not different:
        return True
    names = sorted({symbol.name for pair in different for cell in pair for symbol in cell.free_symbols})
    arithmetic = Arithmetic(names, (), {}, ())
    for one, other in different:
        first, second = arithmetic.evaluate(one), arithmetic.evaluate(other)
        if arithmetic.times(first.top, second.bottom) != arithmetic.times(second.top, first.bottom):
            return False
    return True


def require(condition: bool, message: str) -> None:
    """Reject what does not hold."""
    if not condition:
        raise CertificateError(message)
