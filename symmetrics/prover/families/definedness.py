"""Tables at which a formula, without simplification, is undefined, and its limits there.

In the way of a value are the divisors, radicands and logarithms of a formula.  Over the four cells each face of the
orthant is surveyed: on it such a subexpression is zero or of the wrong sign, or its sign is certain, or it is a pole
that may occur somewhere.  Over a matrix the coefficients of polynomials have to show that nothing is in the way.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from sympy import Expr, Integer, S, Symbol

from symmetrics.algebra.convert import Conversion, field_for
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.algebra.evaluate import sign_of_element as certain_sign
from symmetrics.algebra.field import ONE
from symmetrics.claims import Claim, Inequality, StrictInequality, value_symbol
from symmetrics.claims.evidence import Counts, Decision, Evidence, Point, Witness, open_decision
from symmetrics.claims.families.limits import STEP, DefinedAtAllMatrices, DefinedEverywhere
from symmetrics.claims.values import Domain, Face
from symmetrics.language.cells import CELLS
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.leading import (
    DIVISOR,
    LOGARITHM,
    RADICAND,
    is_written_positive,
    leading_term,
    obstacles_of,
    placed,
)
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import UnsupportedError

Decide = Callable[[Claim], Decision]
Cells = frozenset[str]
"""The names of the cells that are zero on a face."""
EXCLUDED: Final = {DIVISOR: "= 0", RADICAND: "< 0", LOGARITHM: "<= 0"}
LARGEST_COUNT: Final = 3
"""Largest cell of the tables that are searched for an undefined value."""


def decide(claim: DefinedEverywhere | DefinedAtAllMatrices, decide_part: Decide) -> Decision:
    """Decide whether a formula is defined at every non-zero table, or matrix, with non-negative entries.

    :param decide_part: function that decides an inequality
    """
    if isinstance(claim, DefinedAtAllMatrices):
        return _over_matrices(claim)
    try:
        survey = _Survey(claim, decide_part)
    except UnsupportedError as error:
        return open_decision(str(error))
    record = survey.record()
    if not survey.faces and not survey.poles:
        return Decision("proved", True, Evidence("domain", record))
    smallest = _undefined_table(claim.subject, _tables())
    found = survey.table() if smallest is None else Counts(*smallest)
    if found is None:
        reason = f"whether {', '.join(_pole_text(*pole) for pole in survey.poles)} occurs is not known"
        return open_decision(reason)
    witness = Witness((found,), (), {p.name: p.default for p in claim.parameters if p.default is not None})
    return Decision("refuted", False, Evidence("domain", record), witness=witness, found=survey.found())


class _Survey:
    """The minimal faces on which a formula is undefined, and the subexpressions that may vanish elsewhere."""

    def __init__(self, claim: DefinedEverywhere, decide_part: Decide) -> None:
        self.subject = claim.subject
        self.parameters = claim.parameters
        self.decide_part = decide_part
        self.obstacles = list(obstacles_of(claim.subject))
        self.faces: dict[Cells, str] = {}
        self.poles: dict[tuple[str, Expr], None] = {}
        self.proofs: dict[str, dict[str, Any]] = {}
        for size in range(4):
            for cells in itertools.combinations(CELL_NAMES, size):
                face = frozenset(cells)
                if not any(least <= face for least in self.faces) and self.is_undefined(face):
                    self.faces[face] = self.tendency(face)

    def is_undefined(self, face: Cells) -> bool:
        """Whether a formula is undefined on a whole face; parts that vanish only at some of its tables become poles."""
        zero = {cell: S.Zero for cell in CELLS if cell.name in face}
        poles: dict[tuple[str, Expr], None] = {}
        for kind, base in self.obstacles:
            try:
                here = placed(base, zero)
                field = field_for(self.parameters)
                element = Conversion(field)(here)
            except UnsupportedError:  # something inside is undefined, and is treated as an obstacle of its own
                poles[kind, base] = None
                continue
            # Identically zero on the face: excludes divisors and arguments of logarithms, but not radicands.
            if element.is_zero:
                if kind != RADICAND:
                    return True
                continue
            if (kind, base) in self.poles:
                continue
            # Constant sign on the face: negative excludes logarithms, and roots unless the limit is zero.
            sign = certain_sign(element, field)
            if sign == -1 and kind == LOGARITHM:
                return True
            if sign == -1 and kind == RADICAND:  # it may be zero on a smaller face, which a root allows
                poles[kind, base] = None
            if sign is None and not is_written_positive(here) and not self.is_proved(kind, here):
                poles[kind, base] = None
        self.poles |= poles
        return False

    def is_proved(self, kind: str, base: Expr) -> bool:
        """Whether a subexpression is shown to be harmless at positive cells."""
        key = formula_text(base)
        if key not in self.proofs:
            parameters = tuple(p for p in self.parameters if p.symbol in base.free_symbols)
            family = Inequality if kind == RADICAND else StrictInequality
            for sign in (1, -1) if kind == DIVISOR else (1,):
                claim = family(base, parameters, (CELLS,), relation=sign * value_symbol(0))
                decision = self.decide_part(claim)
                if decision.status == "proved":
                    strict = family is StrictInequality
                    self.proofs[key] = {"strict": strict, "sign": sign, "proof": decision.record()}
                    return True
        return key in self.proofs

    def tendency(self, face: Cells) -> str:
        """Return the limit of a formula on a face along straight lines."""
        path = {cell: STEP * cell for cell in CELLS if cell.name in face}
        try:
            limit = leading_term(self.subject, self.parameters, path).limit
        except UnsupportedError:
            return "not decided"
        if limit is S.NaN:
            return "not decided"
        if limit.is_infinite:
            return str(limit)
        if limit.free_symbols.isdisjoint(path):
            return formula_text(limit)
        return "no limit" if _varies(limit, list(path)) else "not decided"

    def record(self) -> dict[str, Any]:
        """Return the survey as texts."""
        record: dict[str, Any] = {"faces": {_key(face): text for face, text in self.faces.items()}}
        if self.poles:
            record["poles"] = [[kind, formula_text(base)] for kind, base in self.poles]
        return record | ({"proofs": self.proofs} if self.proofs else {})

    def table(self) -> Counts | None:
        """Return a table of the first face on which a formula is undefined, None if there is none."""
        face = next(iter(self.faces), None)
        return None if face is None else Counts(*(int(name not in face) for name in CELL_NAMES))

    def found(self) -> Domain:
        """Return the conditions under which a formula is undefined, with its limits along straight lines."""
        faces = tuple(Face(tuple(_key(face).split()), text) for face, text in self.faces.items())
        return Domain(faces, tuple(_pole_text(kind, base) for kind, base in self.poles))


def _varies(limit: Expr, cells: list[Any]) -> bool:
    """Whether a limit takes different rational values along lines of different direction, with all other cells one."""
    ones = {cell: Integer(1) for cell in CELLS}
    values = {limit.xreplace(ones | {cell: Integer(count)}) for cell in cells for count in (1, 2)}
    return len(values) > 1 and all(value.is_Rational for value in values)


def _undefined_table(
    formula: Expr, tables: Iterable[tuple[int, ...]], arguments: tuple[Symbol, ...] = CELLS
) -> tuple[int, ...] | None:
    """Return the first table at which a formula is undefined for all values of its parameters."""
    obstacles = list(obstacles_of(formula))
    for table in tables:
        checkpoint()
        place = dict(zip(arguments, map(Integer, table), strict=True))
        if any(_is_in_the_way(kind, base, place) for kind, base in obstacles):
            return table
    return None


@lru_cache(maxsize=1)
def _tables() -> list[tuple[int, ...]]:
    tables = (table for table in itertools.product(range(LARGEST_COUNT + 1), repeat=4) if any(table))
    return sorted(tables, key=lambda table: (sum(table), table))


def _is_in_the_way(kind: str, base: Expr, place: dict[Any, Expr]) -> bool:
    try:
        value = placed(base, place)
    except UnsupportedError:
        return True
    if value.is_Rational:
        return bool(value == 0 if kind == DIVISOR else value < 0 if kind == RADICAND else value <= 0)
    if value.free_symbols or kind == DIVISOR:
        return False
    try:
        return bool(Evaluator(value, ())() < 0)
    except (Undefined, UnsupportedError):
        return False


def _key(face: Cells) -> str:
    return " ".join(name for name in CELL_NAMES if name in face)


def _pole_text(kind: str, base: Expr) -> str:
    return f"{formula_text(base)} {EXCLUDED[kind]}"


# -- formulas over matrices --------------------------------------------------------------------------------------------


def _over_matrices(claim: DefinedAtAllMatrices) -> Decision:
    """Decide whether a formula is defined at every matrix, by the coefficients of its obstacles."""
    evidence = Evidence("domain of matrices", {})
    try:
        if all(_is_never_in_the_way(kind, base, claim) for kind, base in obstacles_of(claim.subject)):
            return Decision("proved", True, evidence)
    except UnsupportedError as error:
        return open_decision(str(error))
    matrix = _undefined_table(claim.subject, _matrices(claim.classes), claim.arguments)
    if matrix is None:
        return open_decision("no matrix without a value was found, and the coefficients of M do not rule one out")
    parameters = {p.name: p.default for p in claim.parameters if p.default is not None}
    return Decision("refuted", False, evidence, witness=Witness((Point(claim.over, matrix),), (), parameters))


def _is_never_in_the_way(kind: str, base: Expr, claim: DefinedAtAllMatrices) -> bool:
    """Whether coefficients show that an obstacle is excluded at all matrices: positive, or for a root non-negative."""
    if not base.free_symbols <= set(claim.arguments) or not base.is_polynomial(*claim.arguments):
        return False
    numerator = Conversion(field_for((), (), claim.over))(base).numerator
    if set(numerator) != {ONE}:
        return False
    terms = numerator[ONE].to_dict()
    if any(coefficient < 0 for coefficient in terms.values()):
        return False
    # Without a pure power of each entry it vanishes at some matrix with a single non-zero entry.
    alone = {next(iter(where)) for where in map(_occurring, terms) if len(where) == 1}
    return kind == RADICAND or () in map(_occurring, terms) or len(alone) == len(claim.over)


def _occurring(powers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(place for place, power in enumerate(powers) if power)


def _matrices(classes: int) -> Iterator[tuple[int, ...]]:
    """Yield 0/1 matrices, those with few ones first; the rest only if they are few."""
    places = range(classes**2)
    for ones in (1, 2, classes, classes**2 - 1, classes**2 - classes):
        for chosen in itertools.islice(itertools.combinations(places, ones), 200):
            yield tuple(int(place in chosen) for place in places)
    for row, column in itertools.product(range(classes), repeat=2):
        yield tuple(int(place // classes != row and place % classes != column) for place in places)
    yield from (tuple(int((p // classes == p % classes) is right) for p in places) for right in (True, False))
    yield (1,) * len(places)
