"""Verdicts on symmetry groups of formulas over matrices re-verified."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Final

from sympy import S

from symmetrics.checker.engine.parts import is_open, read_part, require_outcome
from symmetrics.checker.engine.requirements import require, require_kind, require_names
from symmetrics.checker.engine.values import Number, at_high_precision, sign_of, value_at
from symmetrics.checker.families.groups import RELATIONS, gap_of, in_cycles
from symmetrics.claims import Identity
from symmetrics.claims.families.matrix_groups import MatrixSymmetryGroup
from symmetrics.claims.values import MatrixGroup, Symmetry
from symmetrics.claims.verdict import Verdict
from symmetrics.tools.errors import CertificateError

Check = Callable[[Verdict], None]
Places = tuple[int, ...]
"""For each entry the place of the one whose value it takes."""
KIND: Final = frozenset({"symmetries of matrices"})
MOST_CLASSES: Final = 4
MOST_MATRICES: Final = 10


def check(verdict: Verdict, claim: MatrixSymmetryGroup, check_part: Check) -> None:
    """Re-verify which rearrangements of a matrix are symmetries of a formula without parameters.

    :param check_part: what re-verifies the verdict on one rearrangement
    """
    require_kind(verdict, proved=KIND, refuted=KIND)
    require_names(claim.over, [p.name for p in claim.parameters])
    if is_open(verdict, claim):
        return
    require(not claim.parameters and claim.classes <= MOST_CLASSES, "there are parameters, or too many classes")
    data = verdict.evidence.data
    require(set(data) == {"matrices", "parts"}, "an entry is missing, or means nothing")
    known = {f"{image}: {name}": (image, name, way) for name, way in _ways(claim.classes) for image in RELATIONS}
    require(set(data["parts"]) <= set(known) - {"M: identity"}, "a part is about no rearrangement")
    for label, record in data["parts"].items():
        image, _, way = known[label]
        part = read_part(record, _stated(claim, image, way))
        require(part.status == "proved", "a rearrangement is not shown to be a symmetry")
        check_part(part)
    left = [label for label in known if label not in data["parts"] and label != "M: identity"]
    require(len(data["matrices"]) <= MOST_MATRICES, "there are too many matrices")
    for matrix in data["matrices"]:
        left = _not_refuted(claim, matrix, [(label, *known[label][::2]) for label in left])
    require(not left, "the matrices do not refute every other rearrangement")
    members = [known[label][:2] for label in known if label in data["parts"] or label == "M: identity"]
    holds = any(name != "identity" for _, name in members)
    require_outcome(verdict, claim, S.true if holds else S.false)
    own = MatrixGroup(tuple(Symmetry(*member, None) for image in RELATIONS for member in members if member[0] == image))
    require(verdict.found == own, "the symmetries are not those of the certificate")


def _ways(classes: int) -> Iterator[tuple[str, Places]]:
    """Yield all rearrangements: of rows, of columns, and with rows for columns; each with a name."""
    orders = [order for order in product(range(classes), repeat=classes) if len(set(order)) == classes]
    for transposed, rows, columns in product((False, True), orders, orders):
        places = tuple(
            column * classes + row if transposed else row * classes + column for row in rows for column in columns
        )
        yield _name(rows, columns, transposed), places


def _name(rows: Places, columns: Places, transposed: bool) -> str:
    of_rows, of_columns = (in_cycles(order, [*map(str, range(1, len(order) + 1))]) for order in (rows, columns))
    words = []
    if of_rows == of_columns:
        words += ["classes", of_rows] if of_rows else []
    else:
        words += ["rows", of_rows] if of_rows else []
        words += ["columns", of_columns] if of_columns else []
    words += ["transposed"] if transposed else []
    return " ".join(words) if words else "identity"


def _stated(claim: MatrixSymmetryGroup, image: str, way: Places) -> Identity:
    """Return the claim that a rearrangement turns M into an image, wherever M has a value at both matrices."""
    tables = (claim.arguments, tuple(claim.arguments[place] for place in way))
    return Identity(claim.subject, claim.parameters, tables, (), RELATIONS[image], None, claim.over)


def _not_refuted(
    claim: MatrixSymmetryGroup, matrix: Sequence[Any], pairs: Sequence[tuple[str, str, Places]]
) -> list[str]:
    """Return the labels of the rearrangements that the values at a matrix do not refute."""
    whole = all(type(count) is int and count > 0 for count in matrix)
    require(whole and len(matrix) == len(claim.over), "a matrix is not one of positive whole numbers")
    values: dict[Places, Number | None] = {}
    with at_high_precision():
        for way in dict.fromkeys((tuple(range(len(matrix))), *(way for _, _, way in pairs))):
            place = dict(zip(claim.arguments, (Fraction(matrix[at]) for at in way), strict=True))
            try:
                values[way] = value_at(claim.subject, place)
            except CertificateError:
                values[way] = None
        return [label for label, image, way in pairs if not _differs(values, tuple(range(len(matrix))), image, way)]


def _differs(values: Mapping[Places, Number | None], start: Places, image: str, way: Places) -> bool:
    first, second = values[start], values[way]
    return first is not None and second is not None and sign_of(gap_of(image, first, second)) in (1, -1)
