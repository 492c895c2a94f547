"""Structure: the symmetries of a formula, the directions along which it does not change, and whether it is a ratio.

Each of these claims asks for more than yes or no: the value of its verdict names what was found.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self

from sympy import And, Eq, Expr, Or, S, Symbol, sympify
from sympy.logic.boolalg import Boolean

from symmetrics.claims.comparison import OPEN_ORTHANT, Identity, value_symbol
from symmetrics.language.cells import CELL_NAMES, CELLS, Table
from symmetrics.language.condition import condition_text
from symmetrics.language.formula import RESERVED_PREFIX, formula_text, parameter_symbol, parse_formula, shortened
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import FormulaError

__all__ = [
    "IDENTITY",
    "IMAGES",
    "PERMUTATIONS",
    "SYMMETRY_PAIRS",
    "Direction",
    "DirectionSpace",
    "Pair",
    "Permutation",
    "RatioOfLinearForms",
    "ScalingSpace",
    "Structure",
    "SymmetryGroup",
    "TranslationSpace",
    "Vector",
    "at_least_text",
    "cycles",
    "direction_of",
    "group_text",
    "inverse",
    "space_text",
    "vector_text",
]

Permutation = tuple[int, int, int, int]
"""For each cell the place of the one whose count it takes."""
Pair = tuple[Permutation, str]
"""A permutation, and what it may turn M into."""
Vector = tuple[int, int, int, int]
"""An integer direction, in the order TP, FN, FP, TN."""
Direction = tuple[Expr, Expr, Expr, Expr]
"""A direction whose entries are whole numbers or polynomials in the parameters."""

IDENTITY: Final[Permutation] = (0, 1, 2, 3)
PERMUTATIONS: Final[tuple[Permutation, ...]] = tuple(
    (first, second, third, fourth) for first, second, third, fourth in itertools.permutations(range(4))
)
"""All 24, the identity first."""
_FIRST, _SECOND = value_symbol(0), value_symbol(1)
IMAGES: Final[Mapping[str, Expr]] = {
    "M": _FIRST - _SECOND,
    "1-M": _FIRST + _SECOND - 1,
    "-M": _FIRST + _SECOND,
    "1/M": _FIRST * _SECOND - 1,
}
"""What a permutation may turn M into, each with the relation between both values that says so."""
SYMMETRY_PAIRS: Final[tuple[Pair, ...]] = tuple(
    (permutation, image)
    for permutation, image in itertools.product(PERMUTATIONS, IMAGES)
    if permutation <= tuple(map(permutation.index, range(4))) and (permutation, image) != (IDENTITY, "M")
)
"""What is to be decided.  A permutation and its inverse turn M into the same: every image undoes itself."""
STEP: Final = RESERVED_PREFIX + "s"


@dataclass(frozen=True)
class Structure:
    """A statement about one formula and its parameters, on a domain that is the same for all claims of the kind.

    :param subject: the formula M
    :param parameters: its parameters with their domains
    """

    kind: ClassVar[str]
    domain: ClassVar[str] = OPEN_ORTHANT

    subject: Expr
    parameters: tuple[Parameter, ...]

    def at(self, values: Mapping[Symbol, Expr]) -> Self:
        """Return the claim for given values of some parameters."""
        left = tuple(p for p in self.parameters if p.symbol not in values)
        return replace(self, subject=self.subject.xreplace(dict(values)), parameters=left)

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as texts, from which :meth:`from_dict` rebuilds it."""
        return {
            "kind": self.kind,
            "domain": self.domain,
            "subject": formula_text(self.subject),
            "parameters": [str(parameter) for parameter in self.parameters],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild a claim from its texts.

        :raises FormulaError: if a text cannot be read
        """
        if data["kind"] != cls.kind or data["domain"] != cls.domain:
            raise FormulaError(f"{data['kind']!r} for {data['domain']!r} is not a {cls.kind} for {cls.domain}")
        parameters = tuple(Parameter.parse(text) for text in data["parameters"])
        return cls(parse_formula(data["subject"], [p.name for p in parameters]), parameters)


class SymmetryGroup(Structure):
    """Some permutation of the cells other than the identity turns M into M, 1 - M, -M or 1/M.

    The value lists all that do, wherever M has a value at both tables.
    """

    kind = "symmetry group"

    def part(self, permutation: Permutation, image: str) -> Identity:
        """Return the claim that one permutation turns M into one of its images."""
        permuted = _table(CELLS[place] for place in permutation)
        return Identity(self.subject, self.parameters, (CELLS, permuted), (), IMAGES[image])


class DirectionSpace(Structure, ABC):
    """Some direction v other than 0 leaves M unchanged.

    The value is a basis of the space of these directions.  With parameters it is a question for each of their values:
    the directions may depend on the parameters, as (0, 1 - c, -c, 2*c - 1) does, and where their number changes the
    value says so case by case.  The claim is proved if there is a direction for every value, not one for all.
    """

    def part(self, direction: Sequence[Expr | int]) -> Identity:
        """Return the claim that M does not change along one direction.

        Steps are taken off one table and not added to the other, so that both hold positive cells alone.  The sign of
        an entry with parameters may not be known: it is added to one table, and the claim is then about all tables at
        which M has a value, positive or not, which is more than is needed.
        """
        entries = [sympify(entry) for entry in direction]
        forward = self.image([entry if entry.free_symbols else max(entry, S.Zero) for entry in entries])
        backward = self.image([S.Zero if entry.free_symbols else max(-entry, S.Zero) for entry in entries])
        return Identity(self.subject, self.parameters, (backward, forward), (STEP,))

    @abstractmethod
    def image(self, steps: Sequence[Expr]) -> Table:
        """Return the table that one moves to by the given steps."""


class TranslationSpace(DirectionSpace):
    """M(x + s*v) = M(x) for some v other than 0, for all tables x and x + s*v at which M has a value."""

    kind = "translation space"

    def image(self, steps: Sequence[Expr]) -> Table:
        """Return the table x + s*v."""
        step = parameter_symbol(STEP)
        return _table(cell + count * step for cell, count in zip(CELLS, steps, strict=True))


class ScalingSpace(DirectionSpace):
    """M(x_i * s**v_i) = M(x) for some v other than 0 and all s > 0, wherever M has a value at both tables."""

    kind = "scaling space"

    def image(self, steps: Sequence[Expr]) -> Table:
        """Return the table of all x_i * s**v_i."""
        step = parameter_symbol(STEP)
        return _table(cell * step**count for cell, count in zip(CELLS, steps, strict=True))


class RatioOfLinearForms(Structure):
    """M(x) = <u, x>/<w, x> with u and w that do not depend on the table, and w other than 0.

    It may depend on the parameters what u and w are.  The value is the ratio.
    """

    kind = "ratio of linear forms"

    def part(self, ratio: Expr) -> Identity:
        """Return the claim that M is a given formula."""
        return Identity(self.subject, self.parameters, (CELLS, CELLS), partner=ratio)


def cycles(permutation: Permutation) -> str:
    """Write a permutation in cycles, in which every cell takes the count of the next one.

    >>> cycles((3, 2, 1, 0)), cycles(IDENTITY), cycles((1, 2, 0, 3))
    ('(TP TN)(FN FP)', 'identity', '(TP FN FP)')
    """
    seen: set[int] = set()
    found = []
    for start in range(4):
        cycle = []
        place = start
        while place not in seen:
            seen.add(place)
            cycle.append(CELL_NAMES[place])
            place = permutation[place]
        if len(cycle) > 1:
            found.append(f"({' '.join(cycle)})")
    return "".join(found) or "identity"


def inverse(permutation: Permutation) -> Permutation:
    """Return the permutation that undoes another.

    >>> inverse((1, 2, 0, 3))
    (2, 0, 1, 3)
    """
    first, second, third, fourth = (permutation.index(place) for place in range(4))
    return first, second, third, fourth


def group_text(members: Mapping[Pair, Boolean]) -> str:
    """Write symmetries by what they turn M into, each with its condition on the parameters.

    >>> group_text({((3, 2, 1, 0), "1-M"): S.true})
    'M: identity; 1-M: (TP TN)(FN FP)'

    :param members: the conditions of those that are not refuted; the identity need not be among them
    """
    conditions = {**members, (IDENTITY, "M"): S.true}
    texts = ((image, _listed({p: conditions.get((p, image), S.false) for p in PERMUTATIONS})) for image in IMAGES)
    return "; ".join(f"{image}: {text}" for image, text in texts if text)


def _listed(conditions: Mapping[Permutation, Boolean]) -> str:
    """Write permutations with the cases in which they are symmetries; ``all`` for a case in which all are."""
    cases = {p: {_equations(case) for case in Or.make_args(c)} for p, c in conditions.items() if c is not S.false}
    always = [p for p, of_one in cases.items() if frozenset() in of_one]
    texts = ["all"] if len(always) == len(PERMUTATIONS) else [cycles(p) for p in always]
    names = {case: condition_text(And(*case)) for of_one in cases.values() for case in of_one if case}
    for case, name in sorted(names.items(), key=lambda item: (item[1].count(" and "), item[1])):
        if len(cases) == len(PERMUTATIONS) and all(any(_follows(c, case) for c in of_one) for of_one in cases.values()):
            texts.append(f"all if {name}")
        else:
            texts += [f"{cycles(p)} if {name}" for p, of_one in cases.items() if case in of_one]
    return ", ".join(texts)


def _follows(equations: frozenset[Boolean], case: frozenset[Boolean]) -> bool:
    """Whether some equations hold wherever those of a case do, as far as putting them in shows."""
    values = {equation.lhs: equation.rhs for equation in case if isinstance(equation, Eq)}
    return equations <= case or And(*equations).subs(values, simultaneous=True) is S.true


def _equations(case: Boolean) -> frozenset[Boolean]:
    return frozenset() if case is S.true else frozenset(And.make_args(case))


def vector_text(direction: Iterable[Expr | int]) -> str:
    """Write a direction.

    >>> w = parameter_symbol("w")
    >>> vector_text((1, 0, 0, -1)), vector_text((0, 1 - w, -w, 2 * w - 1))
    ('(1, 0, 0, -1)', '(0, 1 - w, -w, 2*w - 1)')
    """
    return f"({', '.join(formula_text(sympify(entry)) for entry in direction)})"


def direction_of(text: str, names: Iterable[str]) -> Direction:
    """Read what :func:`vector_text` writes.

    :param names: the names of the parameters
    :raises FormulaError: if it is not four entries in parentheses that can be read

    >>> direction_of("(1, 0, 0, -1)", ())
    (1, 0, 0, -1)
    """
    entries = text.removeprefix("(").removesuffix(")").split(", ")
    if len(entries) != len(CELLS) or text != f"({', '.join(entries)})":
        raise FormulaError(f"{shortened(text)!r} is not a direction: write four entries, as in (1, 0, 0, -1)")
    known = tuple(names)
    first, second, third, fourth = (parse_formula(entry, known) for entry in entries)
    return first, second, third, fourth


def at_least_text(basis: Iterable[Sequence[Expr | int]]) -> str:
    """Write a space that serves all values of the parameters, where it is not known whether more serve single ones.

    >>> at_least_text([(1, 1, 1, 1)])
    'at least span{(1, 1, 1, 1)}'
    """
    return f"at least {space_text(basis)}"


def space_text(basis: Iterable[Sequence[Expr | int]]) -> str:
    """Write the space that a basis spans.

    >>> space_text([(1, 1, 0, 0), (0, 0, 1, 1)]), space_text([])
    ('span{(1, 1, 0, 0), (0, 0, 1, 1)}', '{0}')
    """
    vectors = ", ".join(map(vector_text, basis))
    return f"span{{{vectors}}}" if vectors else "{0}"


def _table(cells: Iterable[Expr]) -> Table:
    first, second, third, fourth = cells
    return first, second, third, fourth
