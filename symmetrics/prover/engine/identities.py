"""Identities as elements of the exact algebra, and the record of them that a checker can follow."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sympy import Expr, Pow

from symmetrics.algebra.convert import Conversion, field_for, poly_expression
from symmetrics.algebra.field import Element, Field, Monomial, Numerator
from symmetrics.claims import Comparison
from symmetrics.language.formula import RESERVED_PREFIX, formula_text

__all__ = ["Difference", "atom_name", "difference_of", "has_parameters_in_exponents"]


@dataclass(frozen=True)
class Difference:
    """The difference that a claim compares with zero, and how its roots and logarithms were read."""

    element: Element
    field: Field
    sides: tuple[Element, ...]
    conversion: Conversion

    def record(self) -> dict[str, Any]:
        """Return the atoms and the value of every root, absolute value and logarithm, as texts.

        Multiplication is all that is needed to verify them: a root r of b satisfies ``r**q = b``.
        """
        atoms = {
            atom_name(atom.number, self.field): {"kind": atom.kind, "base": _base_text(atom.base, self.field)}
            for atom in self.field.atoms
        }
        values = dict.fromkeys(_element_text(value, self.field) for value in self.conversion.irrational)
        return {"atoms": atoms if values else {}, "values": list(values)}


def has_parameters_in_exponents(*expressions: Expr) -> bool:
    """Whether an exponent is not a number."""
    return any(power.exp.free_symbols for expression in expressions for power in expression.atoms(Pow))


def difference_of(claim: Comparison) -> Difference:
    """Read the sides of a claim and subtract them.

    :raises UnsupportedError: if the formula leaves the class that the algebra represents
    """
    field = field_for(claim.parameters, claim.auxiliary, claim.over)
    conversion = Conversion(field)
    sides = tuple(conversion(side) for side in claim.sides)
    return Difference(field.reduce(conversion(claim.difference)), field, sides, conversion)


def atom_name(number: int, field: Field) -> str:
    """Return the name of an atom in certificates."""
    # No parameter and no named variable can have a name with the reserved prefix.
    clash = any(name.startswith("atom") for name in field.names)
    return f"{RESERVED_PREFIX if clash else ''}atom{number}"


def _base_text(base: Any, field: Field) -> str:
    return _numerator_text(base if isinstance(base, dict) else {(): base}, field)


def _numerator_text(numerator: Numerator, field: Field) -> str:
    return " + ".join(_term_text(monomial, poly, field) for monomial, poly in numerator.items()) or "0"


def _term_text(monomial: Monomial, poly: Any, field: Field) -> str:
    powers = [f"{atom_name(number, field)}**({power})" for number, power in monomial]
    return "*".join([f"({formula_text(poly_expression(poly, field))})", *powers])


def _element_text(element: Element, field: Field) -> str:
    below = []
    for number, power in element.denominator.items():
        atom = field.atoms[number]
        base = atom_name(number, field) if atom.is_log else f"({_base_text(atom.base, field)})"
        below.append(f"{base}**{Fraction(power)}")
    above = f"({_numerator_text(element.numerator, field)})"
    return above + ("/(" + "*".join(below) + ")" if below else "")
