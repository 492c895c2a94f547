"""The ends of ranges re-verified: bounds, what reaches them, and that nothing exceeds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Expr, S

from symmetrics.checker.engine.expansions import Expander, check_tends_to, obstacles_of, placed, require_free
from symmetrics.checker.engine.parts import read_part
from symmetrics.checker.engine.products import Products
from symmetrics.checker.engine.reality import require_value_on_curve
from symmetrics.checker.engine.requirements import require
from symmetrics.checker.engine.values import written_value
from symmetrics.claims import Comparison, Inequality, StrictInequality, value_symbol
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

Check = Callable[[Verdict], None]
INFINITE = {"lower": "-oo", "upper": "oo"}


@dataclass(frozen=True)
class End:
    """A verified end of a range: its bound, and whether it is attained at positive cells, None if that is open."""

    bound: str
    is_attained: bool | None

    @property
    def is_finite(self) -> bool:
        """Whether the formula is bounded on this side."""
        return self.bound not in INFINITE.values()


def check_subject(subject: Expr, parameters: Iterable[Parameter]) -> None:
    """Refuse a formula with symbols that are neither cells nor declared."""
    declared = {p.symbol for p in parameters} | set(CELLS)
    require(subject.free_symbols <= declared, "the formula has a symbol that is not declared")


def check_end(
    name: str, data: Mapping[str, Any], subject: Expr, parameters: tuple[Parameter, ...], check: Check
) -> End:
    """Check that a formula comes as close to a bound as one likes, and does not exceed it.

    :param name: ``lower`` or ``upper``
    :param check: what re-verifies the verdict on an inequality
    """
    path = check_path(data["path"])
    bound = data["bound"]
    place: dict[Expr, Expr] = dict(zip(CELLS, path, strict=True))
    check_tends_to(subject, bound, parameters, place)
    require_value_on_curve(subject, parameters, place)
    if bound in INFINITE.values():
        require(bound == INFINITE[name], "the formula is unbounded on the other side")
        return End(bound, False)
    family = StrictInequality if data["strict"] is True else Inequality
    check_proof(data["proof"], within(family, subject, parameters, bound, 1 if name == "upper" else -1), check)
    if "corner" in data:
        _check_corner(data["corner"], subject, bound, parameters)
    is_table = not any(cell.free_symbols for cell in path)
    require(not (is_table and data["strict"] is True), "a bound is attained and not attained")
    return End(bound, True if is_table else False if data["strict"] is True else None)


def within(
    family: type[Comparison], subject: Expr, parameters: tuple[Parameter, ...], bound: str, sign: int
) -> Comparison:
    """Return the claim that a formula is below a bound, for the sign -1 above it; the bound may hold parameters."""
    limit = parse_formula(bound, [p.name for p in parameters])
    if limit.is_number:
        return family(subject, parameters, (CELLS,), relation=sign * (limit - value_symbol(0)))
    require(limit.free_symbols <= {p.symbol for p in parameters}, "the bound depends on more than the parameters")
    relation = sign * (value_symbol(1) - value_symbol(0))
    return family(subject, parameters, (CELLS, CELLS), relation=relation, partner=limit)


def _check_corner(texts: list[str], subject: Expr, bound: str, parameters: tuple[Parameter, ...]) -> None:
    """Check that a formula, as it is written, has a value at a table with zero cells."""
    cells = [parse_formula(text) for text in texts]
    numbers = len(cells) == 4 and all(cell.is_Rational and cell >= 0 for cell in cells) and any(cells)
    require(numbers, "a table with zero cells is not in the domain")
    place: dict[Expr, Expr] = dict(zip(CELLS, cells, strict=True))
    if not parameters:
        check_tends_to(written_value(subject, place), bound)
        return
    for kind, base in obstacles_of(subject):
        here = placed(base, place)
        require(here is not None, "the formula has no value at a table with zero cells")
        if here is not None:
            require_free(kind, here, parameters)
    check_tends_to(subject.xreplace(place), bound, parameters)


def check_proof(data: Mapping[str, Any], claim: Any, check: Check, status: str = "proved") -> None:
    """Check that the evidence of a part proves its claim, or refutes it, for all values of the parameters."""
    part = read_part(data, claim)
    require(part.status == status, f"a part is not {status}")
    check(part)


def check_path(texts: list[str]) -> Table:
    """Read a table or a curve, and check that its cells are positive for all small steps."""
    first, second, third, fourth = (parse_formula(text, (STEP.name,)) for text in texts)
    for cell in (first, second, third, fourth):
        require(
            cell.free_symbols <= {STEP} and not cell.has(S.ComplexInfinity), "a curve depends on more than its step"
        )
        products = Products()
        terms = Expander(products, STEP, 2)(cell).terms
        require(bool(terms) and products.sign(terms[0][1]) == 1, "a cell of a table is not positive")
    return first, second, third, fourth
