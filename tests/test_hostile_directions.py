"""Directions along which a metric is constant: no basis, point or determinant proves more of them, or fewer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest
from effort import in_one_test
from forging import found_of, refusal

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.claims.evidence import Evidence
from symmetrics.claims.families.directions import DirectionSpace, ScalingSpace, TranslationSpace, direction_of
from symmetrics.claims.verdict import Verdict
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.prover import decide

SUM = "w*TP + TN"
W, DEFAULT = Parameter("w", 1, 2), Parameter("w", 1, 2, 1)
OPEN = {"status": "open", "certificate": {"kind": "open", "reason": "hard"}}
FIRST, SECOND = {"table": [2, 3, 5, 11]}, {"table": [7, 2, 1, 4]}
Points = Sequence[Mapping[str, Any]]


def space(formula: str, *parameters: Parameter, family: type[DirectionSpace] = TranslationSpace) -> DirectionSpace:
    return family(parse_formula(formula, [p.name for p in parameters]), parameters)


def proved_along(claim: DirectionSpace, directions: Iterable[str]) -> dict[str, Any]:
    """Return what the prover says of each direction, which need not be that M does not change along it."""
    names = [p.name for p in claim.parameters]
    return {
        label: decide(claim.part(direction_of(label, names)), metric="", property="").decision.record()
        for label in directions
    }


def spanned(claim: DirectionSpace, basis: Iterable[str], value: str, **more: Any) -> Verdict:
    """Return the verdict that some directions are a basis.

    :param more: the points or determinants that leave no others, and what the proofs along directions are instead
    """
    data = {"directions": proved_along(claim, basis) | more.pop("directions", {}), **more}
    return Verdict("own", "own", claim, "proved", True, Evidence("directions", data), found=found_of(value, claim))


def none(claim: DirectionSpace, kind: str, value: str = "{0}", **data: Any) -> Verdict:
    """Return the verdict that there is no direction."""
    return Verdict("own", "own", claim, "refuted", False, Evidence(kind, data), found=found_of(value, claim))


def at(point: Mapping[str, Any], **values: str) -> dict[str, Any]:
    return {**point, "parameters": values}


def minor(*columns: Any, tables: Sequence[Sequence[int]] = ((2, 4, 1, 3),)) -> list[dict[str, Any]]:
    return [{"tables": [[*table] for table in tables], "columns": [*columns]}]


BASIS = ("(1, 0, 0, -w)", "(0, 1, 0, 0)", "(0, 0, 1, 0)")
SPAN = f"span{{{', '.join(BASIS)}}}"
ACCURACY, CROSS = space("(TP + TN)/(TP + FN + FP + TN)"), space("TP*TN - FN*FP")
FOUR = [{"table": table} for table in ([2, 3, 5, 11], [7, 2, 1, 4], [1, 1, 3, 2], [5, 3, 2, 7])]
SPAN_AT_DEFAULTS = "span{(1, 0, 0, -1), (0, 1, 0, 0), (0, 0, 1, 0)}"
AT_DEFAULTS = spanned(
    space("TP + TN"),
    ("(1, 0, 0, -1)", "(0, 1, 0, 0)", "(0, 0, 1, 0)"),
    SPAN_AT_DEFAULTS,
    points=[FIRST],
).decision.record()
BOTH = f"{SPAN}; at w = 1: {SPAN_AT_DEFAULTS}"
# Above w = 1 alone it changes with TN.
KINKED = space("TP + Max(w - 1, 0)*TN", Parameter("w", 0, 1))
SAME = ("(0, 1, 0, 0)", "(0, 0, 1, 0)", "(0, 0, 0, 1)")
AT_LEAST = f"at least span{{{', '.join(SAME[:2])}}}"
WIDE, TURNED = (
    "span{(3/2 - w, 0, 0, 1), (0, 1, 0, 0), (0, 0, 1, 0)}",
    "span{(0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 2*w - 3)}",
)
TRUE = {
    "a basis at points": lambda: spanned(
        ACCURACY, ("(1, 0, 0, -1)", "(0, 1, -1, 0)"), "span{(1, 0, 0, -1), (0, 1, -1, 0)}", points=[FIRST, SECOND]
    ),
    "a basis for all parameters": lambda: spanned(space(SUM, W), BASIS, SPAN, minors=minor(0)),
    "another one at the default": lambda: spanned(
        space(SUM, DEFAULT), BASIS, BOTH, minors=minor(0), at_defaults=AT_DEFAULTS
    ),
    "at least some": lambda: spanned(
        space("TP**w + TN", W),
        BASIS[1:],
        "at least span{(0, 1, 0, 0), (0, 0, 1, 0)}",
        points=[at(FIRST, w="1"), at(SECOND, w="2")],
    ),
    "none": lambda: none(CROSS, "rank", points=FOUR),
}


FALSE = {
    # Recall changes with TP.
    "M changes along one of the directions": lambda: spanned(
        space("TP/(TP + FN)"),
        ("(0, 0, 1, 0)", "(0, 0, 0, 1)"),
        "span{(0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 0, 0)}",
        directions={"(1, 0, 0, 0)": OPEN},
        points=[FIRST],
    ),
    "M changes along one of the directions ": lambda: spanned(
        space("TP/(TP + FN)"),
        ("(0, 0, 1, 0)", "(0, 0, 0, 1)", "(1, 0, 0, 0)"),
        "span{(0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 0, 0)}",
        points=[FIRST],
    ),
    # Only at w = 1 does it not change with FN.
    "M changes along one of the directions  ": lambda: spanned(
        space("TP + (w - 1)*FN", W),
        ("(0, 1, 0, 0)", "(0, 0, 1, 0)", "(0, 0, 0, 1)"),
        "span{(0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)}",
        minors=minor(0),
    ),
    "a direction is spelled in another way than directions are": lambda: spanned(
        ACCURACY, ("(1, 0, 0, -1)", "(0, 1, 0 - 1, 0)"), "span{(1, 0, 0, -1), (0, 1, -1, 0)}", points=[FIRST, SECOND]
    ),
    "an entry is no polynomial": lambda: spanned(
        space(SUM, W), ("(1/w, 0, 0, -1)", *BASIS[1:]), "span{(1/w, 0, 0, -1), (0, 1, 0, 0), (0, 0, 1, 0)}"
    ),
    "an entry is no polynomial ": lambda: spanned(
        space("TP*TN**2", family=ScalingSpace), ("(1, 0, 0, -1/2)",), "span{(1, 0, 0, -1/2)}", points=[FIRST]
    ),
    "determinants over parameters that there are not": lambda: none(
        CROSS, "minors", minors=minor(0, 1, 2, 3, tables=[point["table"] for point in FOUR])
    ),
    # At w = 0 it does not change with TN.
    "one value of the parameters does not settle all": lambda: none(
        space("TP*FN*FP + w*TN**2", Parameter("w", 0, 1)),
        "rank",
        "at least {0}",
        points=[at(point, w="1") for point in FOUR],
    ),
    "the directions are not those of the certificate": lambda: spanned(
        space("TP**w + TN", W),
        BASIS[1:],
        "span{(0, 1, 0, 0), (0, 0, 1, 0)}",
        points=[at(FIRST, w="1"), at(SECOND, w="2")],
    ),
    "a parameter has no default": lambda: spanned(space(SUM, W), BASIS, BOTH, minors=minor(0), at_defaults=AT_DEFAULTS),
    "the space at the defaults is not settled": lambda: spanned(
        space(SUM, DEFAULT), BASIS, BOTH, minors=minor(0), at_defaults=OPEN
    ),
    "the space at the defaults is another one": lambda: spanned(
        space(SUM, DEFAULT), BASIS, f"{SPAN}; at w = 1: {{0}}", minors=minor(0), at_defaults=AT_DEFAULTS
    ),
    "a direction is not whole": lambda: spanned(space(SUM, W), BASIS, SPAN, points=[at(FIRST, w="1")]),
    "a direction is not whole ": lambda: spanned(
        ACCURACY, ("(1/2, 0, 0, -1/2)", "(0, 1, -1, 0)"), "span{(1/2, 0, 0, -1/2), (0, 1, -1, 0)}", points=[FIRST]
    ),
    "the directions depend on each other": lambda: spanned(
        CROSS, ("(0, 0, 0, 0)",), "span{(0, 0, 0, 0)}", points=FOUR[:3]
    ),
    "the gradients leave further directions": lambda: spanned(
        ACCURACY, ("(1, 0, 0, -1)",), "span{(1, 0, 0, -1)}", points=[FIRST, SECOND, *FOUR]
    ),
    "the gradients leave further directions ": lambda: none(ACCURACY, "rank", points=FOUR),
    "a determinant has another size": lambda: spanned(
        space(SUM, W), BASIS[:2], f"span{{{BASIS[0]}, {BASIS[1]}}}", minors=minor(0)
    ),
    "a determinant has another size ": lambda: spanned(
        space(SUM, W), BASIS[:2], f"span{{{BASIS[0]}, {BASIS[1]}}}", minors=minor(0, 0, tables=[[2, 4, 1, 3]] * 2)
    ),
    "a column is not that of a cell": lambda: spanned(space(SUM, W), BASIS, SPAN, minors=minor(-1)),
    "a column is not that of a cell ": lambda: spanned(space(SUM, W), BASIS, SPAN, minors=minor(4)),
    "a point has other parameters than the claim": lambda: spanned(KINKED, SAME[:2], AT_LEAST, points=[FIRST, SECOND]),
    "a point has other parameters than the claim ": lambda: spanned(
        KINKED, SAME[:2], AT_LEAST, points=[at(FIRST, w="1", v="1"), at(SECOND, w="1", v="1")]
    ),
    # From w = 0 to w = 1 it does not change with TN either.
    "a parameter is outside its domain": lambda: spanned(
        KINKED, SAME[:2], AT_LEAST, points=[at(FIRST, w="1"), at(SECOND, w="2")]
    ),
}
VANISHING = {
    "the second determinant alone": lambda: spanned(
        space("TP + (w - 3/2)*TN", W), ("(3/2 - w, 0, 0, 1)", *BASIS[1:]), WIDE, minors=minor(3)
    ),
    "the directions at one parameter": lambda: spanned(
        space("w*TP", W), ("(0, 1, 0, 0)", "(0, 0, 1, 0)", "(0, 0, 0, 2*w - 3)"), TURNED, minors=minor(0)
    ),
}
"""Determinants that vanish at w = 3/2: of gradients, and of directions."""


@in_one_test
@pytest.mark.parametrize("name", TRUE)
def test_true_evidence_is_accepted(name: str) -> None:
    check(TRUE[name]())


@in_one_test
@pytest.mark.parametrize("reason", FALSE)
def test_false_evidence_is_refused(reason: str) -> None:
    assert refusal(check, FALSE[reason]()) == reason.strip()


@in_one_test
@pytest.mark.parametrize("name", VANISHING)
def test_determinants_that_vanish_together_are_refused(name: str) -> None:
    assert refusal(check, VANISHING[name]()) == "the determinants may vanish together at some values of the parameters"


def test_directions_with_parameters_are_written_without_denominators() -> None:
    """No order of solving for the cells gives a basis whose entries are numbers."""
    weighted = sm.Metric("mine", "w*TP + (1 - w)*FN", parameters=["w in [0, 1]"])
    assert "translations  span{(1 - w, -w, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)}" in str(weighted.symmetries())
    two = sm.Metric("two", "v*TP + w*FN", parameters=["v in [1, 2]", "w in [1, 2]"])
    assert "translations  span{(w, -v, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)}" in str(two.symmetries())
