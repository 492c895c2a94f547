"""Derivatives of programs, as further operations of the same program: what value and slopes share is computed once.

The chain rule runs from the value back to the cells, so that all four derivatives together take a few times as many
operations as the value (Griewank & Walther 2008, chapter 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.program import Program

Term = tuple[int, int | None]
"""A sign, and the place of what is added or subtracted; None is the number one."""


def slopes_of(program: Program, output: int, inputs: list[int]) -> list[int]:
    """Return the places of the derivatives of one operation by some others, which are added to the program.

    At a kink of an absolute value or an extreme that is the mean of the one-sided derivatives.

    >>> from symmetrics.numeric.expressions import assignments
    >>> program = Program()
    >>> x, y = program.add("cell", 0), program.add("cell", 1)
    >>> assignments(program, slopes_of(program, program.add("divide", x, y), [x, y]))
    ['t2 = tp / fn', 't4 = (1.0) / fn', 't5 = t2 * t4', 't6 = -t5']
    """
    return _Backwards(program, output, inputs).slopes()


class _Backwards:
    def __init__(self, program: Program, output: int, inputs: list[int]) -> None:
        self.program = program
        self.inputs = inputs
        self.order = program.needed([output])
        self.varying = set(inputs)
        for place in self.order:
            if any(part in self.varying for part in program.arguments(place)):
                self.varying.add(place)
        # A constant has no slope to be followed back.
        self.terms: dict[int, list[Term]] = {output: [(1, None)]} if output in self.varying else {}

    def slopes(self) -> list[int]:
        # Reverse accumulation: the slope of each operation is complete before those of its arguments are.
        for place in reversed(self.order):
            if place in self.terms and place not in self.inputs:
                for part, term in self.parts(place, self.gathered(self.terms[place])):
                    if part in self.varying:
                        self.terms.setdefault(part, []).append(term)
        return [self.placed(self.gathered(self.terms[place])) if place in self.terms else self.number(0)
                for place in self.inputs]  # fmt: skip

    def number(self, value: int | Fraction) -> int:
        return self.program.add("number", Fraction(value))

    def placed(self, term: Term) -> int:
        sign, place = term
        if place is None:
            return self.number(sign)
        return place if sign > 0 else self.program.add("negative", place)

    def gathered(self, terms: list[Term]) -> Term:
        """Return the sum of some terms as one, those that are added before those that are subtracted."""
        sign, total = sorted(terms, key=lambda term: -term[0])[0]
        for other, place in sorted(terms, key=lambda term: -term[0])[1:]:
            left = self.number(1) if total is None else total
            right = self.number(1) if place is None else place
            total = self.program.add("add" if other == sign else "subtract", left, right)
        return sign, total

    def times(self, place: int | None, factor: int) -> int:
        return factor if place is None else self.program.add("multiply", place, factor)

    def over(self, place: int | None, divisor: int) -> int:
        """Return a quotient, as a product: what is divided by the same divisor several times is divided by once."""
        return self.times(place, self.program.add("divide", self.number(1), divisor))

    def parts(self, place: int, slope: Term) -> Iterator[tuple[int, Term]]:
        """Yield the arguments of an operation, each with what its own slope gets of that of the operation."""
        name, *arguments = self.program.operations[place]
        sign, outer = slope
        rule = OPERATIONS[name].slopes
        if rule is None:
            raise AssertionError(name)
        for part, (turned, inner) in zip(arguments, rule(self, outer, place, *arguments), strict=False):
            yield part, (sign * turned, inner)
