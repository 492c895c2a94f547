"""Structure: symmetries, directions of invariance and ratios, from which the simple invariances follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from sympy import And, Or, S
from sympy.logic.boolalg import Boolean

from symmetrics.claims import RatioOfLinearForms, ScalingSpace, SymmetryGroup, TranslationSpace
from symmetrics.claims.property import Property

if TYPE_CHECKING:
    from symmetrics.prover.symmetries import Symmetries


RECORDS: Final = (
    Property(
        "symmetry_group",
        "some permutation of TP, FN, FP, TN other than the identity turns M into M, 1 - M, -M or 1/M",
        lambda metric: SymmetryGroup(metric.expr, metric.parameters),
        title="a symmetry beyond the identity; the value lists all of them",
        aliases=("symmetries",),
        yes="stays the same, or is negated, inverted or taken from 1, under some exchange of cells",
        no="neither stays the same nor is negated, inverted or taken from 1 under any exchange of cells",
        words=("all symmetries", "permutations", "exchange of cells"),
    ),
    Property(
        "translation_space",
        "M(x + s*v) = M(x) for all x and x + s*v, some v other than 0",
        lambda metric: TranslationSpace(metric.expr, metric.parameters),
        title="invariance under adding multiples of a direction; the value is a basis of these directions",
        aliases=("translations",),
        yes="stays the same when certain multiples of a number are added to the cells, whatever the number",
        no="changes at some tables whichever fixed multiples of a number are added to the cells",
        words=("all translations", "adding examples", "directions without effect"),
    ),
    Property(
        "scaling_space",
        "M(TP*s**v1, FN*s**v2, FP*s**v3, TN*s**v4) = M(TP, FN, FP, TN), s > 0, some v other than 0",
        lambda metric: ScalingSpace(metric.expr, metric.parameters),
        title="invariance under powers of a factor for each cell; the value is a basis of the exponents",
        aliases=("scalings",),
        yes="stays the same when cells are multiplied by fixed powers of a factor",
        no="changes at some tables whichever fixed powers of a factor multiply the cells",
        words=("all scalings", "hidden scalings", "multiplication of cells"),
    ),
    Property(
        "decomposable",
        "M(x)*<w, x> = <u, x> for some u and w that do not depend on the table x, w other than 0",
        lambda metric: RatioOfLinearForms(metric.expr, metric.parameters),
        title="a ratio of linear forms, so that micro averaging is a macro average with the weights <w, x>",
        aliases=("ratio_of_linear_forms",),
        yes="is a ratio of weighted sums of the cells, so that of pooled tables it is a weighted mean",
        no="is no ratio of weighted sums of the cells",
        words=("micro average", "pooling", "aggregation", "weighted mean", "folds"),
    ),
)

ROWS, COLUMNS = (2, 3, 0, 1), (1, 0, 3, 2)
"""Exchange of the rows of the table, and of its columns."""


def _antisymmetric(symmetries: Symmetries) -> Boolean | None:
    cases = []
    for image in ("-M", "1/M"):
        rows, columns = symmetries.condition(ROWS, image), symmetries.condition(COLUMNS, image)
        if rows is None or columns is None:
            return None
        cases.append(And(rows, columns))
    return Or(*cases)


def _whatever_parameters(holds: bool | None) -> Boolean | None:
    return None if holds is None else S.true if holds else S.false


_DERIVED: Final[dict[str, Callable[[Symmetries], Boolean | None]]] = {
    "p1": lambda symmetries: symmetries.condition((3, 2, 1, 0)),
    "p2": lambda symmetries: _whatever_parameters(symmetries.translates((0, 0, 0, 1))),
    "p3": lambda symmetries: _whatever_parameters(symmetries.translates((0, 0, 1, 0))),
    "p4": lambda symmetries: _whatever_parameters(symmetries.translates((1, 0, 0, 0))),
    "p5": lambda symmetries: _whatever_parameters(symmetries.translates((0, 1, 0, 0))),
    "homogeneous": lambda symmetries: _whatever_parameters(symmetries.scales((1, 1, 1, 1))),
    "predicted_scaling": lambda symmetries: _whatever_parameters(symmetries.scales((1, 0, 1, 0), (0, 1, 0, 1))),
    "actual_scaling": lambda symmetries: _whatever_parameters(symmetries.scales((1, 1, 0, 0), (0, 0, 1, 1))),
    "scaling": lambda symmetries: _whatever_parameters(
        symmetries.scales((1, 0, 1, 0), (0, 1, 0, 1), (1, 1, 0, 0), (0, 0, 1, 1))
    ),
    "transpose": lambda symmetries: symmetries.condition((0, 2, 1, 3)),
    "antisymmetric": _antisymmetric,
}


def derived_invariances(symmetries: Symmetries) -> dict[str, Boolean | None]:
    """Return the simple invariances that follow from a metric's symmetries.

    :returns: for each property the condition on the parameters under which it holds, or None if that is open; for the
        invariances under translations and scalings only whether it holds whatever the parameters

    >>> from symmetrics.library import metrics
    >>> derived = derived_invariances(metrics["recall"].symmetries())
    >>> [key for key, condition in derived.items() if condition]
    ['p2', 'p3', 'homogeneous', 'actual_scaling']
    """
    return {key: derive(symmetries) for key, derive in _DERIVED.items()}
