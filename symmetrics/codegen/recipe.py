"""Recipes: the case distinction by which a formula is computed, as data that every language prints.

Where a formula has limits, poles and no values is what :class:`~symmetrics.algebra.limits.extension.Extension` says;
here it is put in order: on each face the forms in turn of which the first that has a value there gives it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from sympy import And, Expr, Not, Or, SOPform, Symbol
from sympy.logic.boolalg import Boolean

from symmetrics.algebra.limits.extended_reals import has_limits_by_parts
from symmetrics.algebra.limits.extension import extension_of
from symmetrics.codegen.folding import INFINITY, NAN, NEGATIVE_INFINITY, Folded, Folder, Pole, Requirement
from symmetrics.codegen.forms import TOLERANCE, candidates, loses_digits
from symmetrics.language.names import CELL_NAMES
from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.precision import Magnitudes, Precision
from symmetrics.numeric.program import Program, Scaled, compiled_trees
from symmetrics.numeric.rounding_rules import DIGITS, UNIT
from symmetrics.numeric.special import face_of
from symmetrics.numeric.terms import tree_of
from symmetrics.tools.errors import UnsupportedError

# ----------------------------------------------------------------------------------------------------------------------
# Tests and values that rounding cannot have caused: otherwise only what exceeds the error bound counts.

# The sign of a polynomial in integer counts is right, because nothing is rounded; and so is that of products,
# quotients, roots and extremes of such values. Where terms cancel that are not polynomials in counts, such as
# x + Abs(x) at a negative x, the remainder may be rounding alone, and twice as large at the next table.


_POLYNOMIALS: Final = frozenset({"cell", "number", "add", "subtract", "multiply", "negative", "product_difference"})


def certain(folder: Folder, requirements: Iterable[Requirement]) -> tuple[Requirement, ...] | None:
    """Return tests that rounding alone cannot pass; None if there are none.

    What is required to be non-negative stays: so is what a root is taken of, which rounding may make negative.

    >>> from symmetrics.language.cells import FN, TP
    >>> from sympy import Abs
    >>> from symmetrics.numeric.program import Program, compiled_trees
    >>> from symmetrics.numeric.terms import tree_of
    >>> folder = Folder(has_real_roots=True)
    >>> (place,) = compiled_trees(folder.program, [tree_of(Abs(TP - FN) + TP - FN)])
    >>> (test,) = certain(folder, [Requirement("nonzero", place)])
    >>> test.kind, test.place == place
    ('positive', False)
    """
    found = [_certain(folder, requirement) for requirement in dict.fromkeys(requirements)]
    kept = tuple(requirement for requirement in found if requirement is not None)
    return kept if len(kept) == len(found) else None


def precise(folder: Folder, place: int) -> tuple[Requirement, ...] | None:
    """Return the conditions under which a value is accurate: empty if always; None if no such test exists.

    >>> from symmetrics.language.cells import FN, TP
    >>> from sympy import sqrt
    >>> from symmetrics.numeric.program import Program, compiled_trees
    >>> from symmetrics.numeric.terms import tree_of
    >>> folder = Folder(has_real_roots=True)
    >>> trees = [tree_of(formula) for formula in (sqrt(TP * FN), sqrt(TP * FN) - TP)]
    >>> [len(precise(folder, place)) for place in compiled_trees(folder.program, trees)]
    [0, 1]
    """
    program = folder.program
    if not loses_digits(program, place):
        return ()
    error = _error(folder, place)
    if error is None:
        return None
    scale = program.add("maximum", program.add("number", Fraction(1)), program.add("abs", place))
    most = program.add("multiply", scale, program.add("number", Fraction(TOLERANCE)))
    return (Requirement("nonnegative", program.add("subtract", most, error)),)


def _certain(folder: Folder, requirement: Requirement) -> Requirement | None:
    kind, place = requirement
    if kind == "nonnegative" or _has_right_sign(folder, place):
        return requirement
    # |x| > error proves x != 0; no computed value proves x = 0.
    error = None if kind == "zero" else _error(folder, place)
    if error is None:
        return None
    size = folder.program.add("abs", place) if kind == "nonzero" else place
    return Requirement("positive", folder.program.add("subtract", size, error))


def _has_right_sign(folder: Folder, place: int) -> bool:
    program, signs = folder.program, folder.signs
    if all(program.operations[part][0] in _POLYNOMIALS for part in program.needed([place])):
        return True
    name, *_ = program.operations[place]
    parts = program.arguments(place)
    if name == "log_ratio":
        return _has_right_sign(folder, parts[2])
    if name in ("add", "subtract"):
        turned = 1 if name == "add" else -1
        both = signs.of(parts[0]) | {turned * sign for sign in signs.of(parts[1])}
        if {-1, 1} <= both:
            return False
    return name != "log" and all(_has_right_sign(folder, part) for part in parts)


def _error(folder: Folder, place: int) -> int | None:
    """Return the index of an error bound for an operation; None if it needs further conditions."""
    program = folder.program
    names = {program.operations[part][0] for part in program.needed([place])}
    if any(OPERATIONS[name].companion is None for name in names & {*OPERATIONS}):
        return None
    precision = Precision(program, place)
    bound = precision.companion(place)
    if precision.guards:
        return None
    return program.add("multiply", bound.place, program.add("number", math.ceil(bound.factor) * Fraction(UNIT)))


# ----------------------------------------------------------------------------------------------------------------------
# How large and how small the cells may be for plain double precision, in which products overflow and underflow.


_POWERS: Final = (998, 480, 240, 200, 160, 120, 100, 80, 60, 40)
"""Powers of two that bound the cells, tried in turn."""
_LARGEST: Final = 1020.0
_SMALLEST: Final = -1020.0
_NEVER_SMALL: Final = frozenset({"cell", "number", "add", "subtract", "negative", "abs", "minimum", "maximum"})


def limits_of(program: Program, required: Iterable[int], values: Iterable[int]) -> tuple[float, float]:
    """Return the smallest and the largest cell for which only final values may overflow or underflow.

    Sums and differences underflow never; nothing else being computed, the smallest cell is 0.

    :raises UnsupportedError: if common tables overflow

    >>> program = Program()
    >>> tp, fn = program.add("cell", 0), program.add("cell", 1)
    >>> limits_of(program, [], [program.add("divide", tp, program.add("add", tp, fn))])
    (0.0, 1e+300)
    >>> limits_of(program, [], [program.add("sqrt", program.add("multiply", tp, fn))])
    (1e-144, 1e+144)
    """
    wanted = list(values)
    last = {place for place in wanted if program.operations[place][0] == "divide"}
    inside = [part for place in wanted for part in (program.arguments(place) if place in last else [place])]
    needed = program.needed([*required, *inside])
    power = next((k for k in _POWERS if _fits(program, needed, k)), None)
    if power is None:
        raise UnsupportedError("the values of this formula overflow or underflow in double precision at common tables")
    digits = math.floor(power * math.log10(2))
    is_exact = all(program.operations[place][0] in _NEVER_SMALL for place in needed)
    return 0.0 if is_exact else float(f"1e-{digits}"), float(f"1e{digits}")


def _fits(program: Program, needed: list[int], k: int) -> bool:
    magnitudes = Magnitudes(program, k, unknown=-float(DIGITS))
    magnitudes.kept_in_sums = float(DIGITS)  # in these forms cancellation occurs in differences of exact values
    return all((low or 0.0) >= _SMALLEST and high <= _LARGEST for low, high in map(magnitudes.of, needed))


# ----------------------------------------------------------------------------------------------------------------------


_FACES: Final = range(16)
_ZERO: Final = tuple(Symbol(f"zero_{name}") for name in CELL_NAMES)


class Case(NamedTuple):
    """A value, and the conditions under which it applies.

    :param value: the index of an operation, :data:`INFINITY` or :data:`NEGATIVE_INFINITY`
    """

    requirements: tuple[Requirement, ...]
    value: int | str


class Zeros(NamedTuple):
    """Zero pattern: indices of the cells that are zero and of those that are not; the others are arbitrary."""

    zero: frozenset[int]
    nonzero: frozenset[int]


class Branch(NamedTuple):
    """The computation on some faces.

    :param where: one of these has to hold; none for all faces that no earlier branch takes
    :param cases: of these the first that holds gives the value; if none holds there is no value
    """

    where: tuple[Zeros, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True, eq=False)
class Recipe:
    """A recipe: how a formula is computed, by cases.

    :param program: all operations
    :param branches: the first that holds is taken; the last one always holds
    :param most: the largest cell for which nothing overflows or underflows
    :param least: the smallest cell that is not zero
    """

    program: Program
    branches: tuple[Branch, ...]
    most: float
    least: float

    @cached_property
    def places(self) -> tuple[int, ...]:
        """All operations that some case tests or returns."""
        required, values = _wanted(self.branches)
        return tuple(dict.fromkeys((*required, *values)))


def _wanted(branches: Iterable[Branch]) -> tuple[list[int], list[int]]:
    """Return the tested operations, and the returned ones."""
    cases = [case for branch in branches for case in branch.cases]
    required = [requirement.place for case in cases for requirement in case.requirements]
    return required, [case.value for case in cases if isinstance(case.value, int)]


@lru_cache(maxsize=256)
def recipe_of(expression: Expr) -> Recipe:
    """Return the recipe of a formula over the cells, with the cases on each face.

    :raises UnsupportedError: if no form of it can be computed in floating point without losing digits

    >>> from symmetrics.language.cells import FP, TP
    >>> recipe = recipe_of(TP / (TP + FP))
    >>> [len(branch.where) for branch in recipe.branches], recipe.branches[0].cases
    ([1, 0], ())
    """
    return _Cook(expression).recipe()


class _Cook:
    """Builds a recipe, face by face."""

    def __init__(self, expression: Expr) -> None:
        self.expression = expression
        self.extension = extension_of(expression)
        self.folder = Folder(has_real_roots=self.extension.is_in_lowest_terms)
        forms = dict.fromkeys((*candidates(expression)[:1], *_trees(self.extension.expression)))
        self.sources = [_source(form) for form in forms]
        self.conditions = [_source(candidates(condition)[0]) for condition in self.extension.conditions]
        written = next(_trees(expression), None) if has_limits_by_parts(expression) else None
        self.written = None if written is None else _source(written)
        self.looked_at = 0
        self.inside = self.cases(0)

    def recipe(self) -> Recipe:
        cases = {face: self.inside if self.is_as_inside(face) else self.cases(face) for face in _FACES}
        branches = tuple(_branches(cases))
        least, most = limits_of(self.folder.program, *_wanted(branches))
        return Recipe(self.folder.program, branches, most, least)

    def is_as_inside(self, face: int) -> bool:
        """Whether the computation for positive cells is valid on a face as well."""
        if self.conditions or not self.inside:
            return False
        for source in self.sources[: self.looked_at]:
            inside, here = (self.folder.fold(*source, _cells(place)) for place in (0, face))
            if not (inside.is_plain and here.is_plain and here.sources <= inside.sources):
                return False
        return True

    def cases(self, face: int) -> tuple[Case, ...]:
        """Return the cases on a face, in order."""
        found: list[Case] = []
        has_values = False
        for count, source in enumerate(self.sources, 1):
            self.looked_at = self.looked_at if face else count
            folded = self.folder.fold(*source, _cells(face))
            has_values |= folded.is_plain
            if self.add(found, folded, face, is_main=source is self.sources[-1]):
                return tuple(found)
        # Where all forms are 0/0: the limit, then poles at some tables only, then extremes with infinite arguments.
        if face and not has_values:
            self.add_limit(found, face)
        self.add_poles(found, face)
        self.add_by_parts(found, face)
        return tuple(found)

    def add_poles(self, found: list[Case], face: int) -> None:
        """Add the values in lowest terms at tables of a face where a divisor vanishes."""
        conditions = self.real(face)
        if self.extension.has_two_sided_poles or conditions is None:
            return
        for requirement in self.folder.fold(*self.sources[-1], _cells(face)).requirements:
            folded = self.folder.fold(*self.sources[-1], _cells(face), [requirement.place])
            if folded.value != NAN and not isinstance(folded.value, int):
                is_zero = Requirement("zero", requirement.place)
                self.note(found, self.infinite((is_zero, *conditions, *folded.requirements), folded.value))

    def add_by_parts(self, found: list[Case], face: int) -> None:
        """Add the value of the unsimplified formula in the extended reals, for extremes with infinite arguments."""
        conditions = self.real(face)
        if not face or self.written is None or conditions is None:
            return
        folded = self.folder.fold(*self.written, _cells(face))
        if isinstance(folded.value, str) and folded.value != NAN:
            self.note(found, [Case((*conditions, *folded.requirements), folded.value)])

    def note(self, found: list[Case], cases: Iterable[Case]) -> bool:
        """Add the cases whose tests are computable; return whether they are exhaustive."""
        for case in cases:
            tests = certain(self.folder, case.requirements)
            more = precise(self.folder, case.value) if isinstance(case.value, int) else ()
            if tests is None or more is None:
                continue
            if (kept := Case((*tests, *more), case.value)) not in found:
                found.append(kept)
        return bool(found) and not found[-1].requirements

    def infinite(self, requirements: tuple[Requirement, ...], value: str | Pole) -> list[Case]:
        """Return the cases of an infinite value, one for each possible sign."""
        if not isinstance(value, Pole):
            return [Case(requirements, value)]
        negative = self.folder.program.add("negative", value.place)
        signs = ((value.place, INFINITY), (negative, NEGATIVE_INFINITY))
        return [Case((*requirements, Requirement("positive", place)), infinite) for place, infinite in signs]

    def add(self, found: list[Case], folded: Folded, face: int, *, is_main: bool) -> bool:
        """Add the case of one form; return whether it is exhaustive."""
        conditions = self.real(face)
        if conditions is None:
            return True
        is_number = isinstance(folded.value, int)
        may_be_pole = is_main and not self.extension.has_two_sided_poles
        if folded.value == NAN or not (is_number or may_be_pole):
            return False
        required = (*conditions, *folded.requirements)
        return self.note(found, [Case(required, folded.value)] if is_number else self.infinite(required, folded.value))

    def real(self, face: int) -> tuple[Requirement, ...] | None:
        """Return the conditions for the formula to be real on a face; None if it never is."""
        required: list[Requirement] = []
        for source in self.conditions:
            value = self.folder.fold(*source, _cells(face)).value
            if not isinstance(value, int):
                continue
            signs = self.folder.signs.of(value)
            if signs == {-1}:
                return None
            if -1 in signs:
                required.append(Requirement("nonnegative", value))
        return tuple(required)

    def add_limit(self, found: list[Case], face: int) -> None:
        """Add the limit on a face, if there is one."""
        here = face_of(self.expression, face)
        conditions = self.real(face)
        if here.limit is None or conditions is None or not here.may_be_real:
            return
        required = [*conditions]
        for guard in here.guards:
            value, *others = (self.folder.fold(*_source(form), _cells(face)).value for form in candidates(guard))
            if not isinstance(value, int) or self.folder.is_zero(value):
                return
            # A sum that rounding might turn into zero may consist of positive terms in another form.
            if all(not isinstance(form, int) or 0 in self.folder.signs.of(form) for form in (value, *others)):
                required.append(Requirement("nonzero", value))
        for form in candidates(here.limit)[:1]:
            folded = self.folder.fold(*_source(form), _cells(face))
            if isinstance(folded.value, int):
                self.note(found, [Case((*required, *folded.requirements), folded.value)])


def _trees(expression: Expr) -> Iterator[Scaled]:
    """Yield the tree of an expression, if it can be converted."""
    with suppress(UnsupportedError):
        yield tree_of(expression)


def _source(form: Scaled) -> tuple[Program, int]:
    program = Program()
    return program, compiled_trees(program, [form])[0]


def _cells(face: int) -> frozenset[int]:
    return frozenset(place for place in range(4) if face >> place & 1)


def _branches(cases: dict[int, tuple[Case, ...]]) -> Iterable[Branch]:
    """Yield branches for the faces, those for few faces first, each with the shortest condition."""
    groups: dict[tuple[Case, ...], list[int]] = {}
    for face, found in cases.items():
        groups.setdefault(found, []).append(face)
    last = cases[0]
    ordered = sorted(
        (found for found in groups if found != last), key=lambda found: (len(groups[found]), groups[found])
    )
    taken: list[int] = []
    for found in ordered:
        yield Branch(_where(groups[found], taken), found)
        taken += groups[found]
    yield Branch((), last)


def _where(faces: list[int], taken: list[int]) -> tuple[Zeros, ...]:
    bits = [[face >> place & 1 for place in range(4)] for face in faces]
    others = [[face >> place & 1 for place in range(4)] for face in taken]
    # Shortest condition (Quine & McCluskey); faces of earlier branches are don't-cares.
    form: Boolean = SOPform(_ZERO, bits, others)
    terms = form.args if isinstance(form, Or) else (form,)
    return tuple(sorted(map(_zeros, terms), key=lambda zeros: (sorted(zeros.zero), sorted(zeros.nonzero))))


def _zeros(term: Boolean) -> Zeros:
    literals = term.args if isinstance(term, And) else (term,)
    zero = frozenset(_ZERO.index(literal) for literal in literals if isinstance(literal, Symbol))
    nonzero = frozenset(_ZERO.index(literal.args[0]) for literal in literals if isinstance(literal, Not))
    return Zeros(zero, nonzero)
