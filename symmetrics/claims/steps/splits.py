"""Steps of the solution of equations in the parameters, and of a verdict by cases."""

from __future__ import annotations

from typing import Final

from symmetrics.claims.steps.shapes import FORMULA, NAME, STURM, Field, Group, In, ListOf, MapTo, OneOf, Step

SPLITS: Final = Group(
    "split",
    "Trees of splits",
    "A system of polynomial equations in the parameters is solved within their domains. At every node some "
    "polynomials have to vanish; the tree is a list of all ways in which they can.",
    "field",
    (
        Step(
            "split",
            "An equation is split into factors, of which one has to vanish.",
            "A product of real numbers is zero exactly if a factor is. (The equation may be a linear combination of "
            "those at the node.)",
            (
                Field("split", FORMULA, "the equation"),
                Field("children", ListOf(In("factor of a split")), "what each of its factors being zero means"),
            ),
        ),
        Step(
            "leaf",
            "Here the way ends.",
            "What the leaf says is verified by putting the parameters that were found into the equations.",
            (Field("leaf", In("leaf"), "how it ends"),),
        ),
    ),
)

LEAVES: Final = Group(
    "leaf",
    "Ends of ways in a tree of splits",
    "What may stand at a leaf.",
    "word",
    (
        Step("holds", "All equations hold with the parameters that were found.", "They become the zero polynomial."),
        Step("impossible", "An equation says that a number other than zero is zero.", "It has no solution."),
        Step(
            "covered",
            "A polynomial vanishes that may not, because another way deals with it.",
            "A case distinction whether it vanishes is complete.",
        ),
        Step(
            "undefined",
            "A divisor of the formula vanishes for all tables.",
            "A claim is made only where the formula has values.",
        ),
        Step(
            "outside the domain",
            "A parameter has a value outside its domain.",
            "Only values inside the domain count; an irrational value is placed by exact arithmetic with real roots.",
        ),
        Step(
            "no root in the domain",
            "A factor vanishes nowhere in the domain.",
            "The number of real roots of a polynomial in an interval follows from its Sturm chain; a polynomial of "
            "several parameters has none if its terms have one sign and cannot all vanish.",
            source=STURM,
        ),
    ),
)

_THEN: Final = Field("then", In("split"), "what the other equations become")
FACTORS: Final = Group(
    "factor of a split",
    "What it means that a factor is zero",
    "Each child of a split names its factor, and one of these.",
    "field",
    (
        Step(
            "leaf",
            "The factor cannot be zero, or another way deals with it.",
            "As for the ends of ways.",
            (Field("leaf", In("leaf"), "how it ends"),),
        ),
        Step(
            "set",
            "The factor is linear in a parameter, with a number as its coefficient: the parameter is a polynomial in "
            "the others.",
            "a*x + b = 0 with a number a other than zero says x = -b/a.",
            (Field("set", NAME, "the parameter"), Field("to", FORMULA, "what it is"), _THEN),
        ),
        Step(
            "coefficient",
            "The factor is linear in a parameter, and whether its coefficient vanishes is told apart.",
            "a*x + b = 0 says that a and b are zero, or that a is not and x = -b/a.",
            (
                Field("coefficient", FORMULA, "the coefficient a"),
                Field("zero", In("split"), "what follows if a = b = 0"),
                Field("nonzero", In("assignment"), "what follows if a is not zero"),
            ),
        ),
        Step(
            "terms",
            "All coefficients of the factor are positive and no parameter is negative, so that each of its terms is "
            "zero.",
            "A sum of nonnegative numbers is zero exactly if all of them are.",
            (Field("terms", OneOf((True,)), "always true"), _THEN),
        ),
        Step(
            "roots",
            "The factor has one parameter and irrational roots, all of which are named.",
            "The number of real roots in an interval follows from the Sturm chain, so that none is left out.",
            (
                Field("roots", ListOf(FORMULA), "the roots in the domain"),
                Field("then", ListOf(In("split")), "what follows at each"),
            ),
            source=STURM,
            excused="a condition with an irrational solution has no lemma",
        ),
    ),
    (Field("factor", FORMULA, "the factor that is zero"),),
)

ASSIGNMENTS: Final = Group(
    "assignment",
    "Parameters set to a fraction",
    "What follows where the coefficient of a parameter is not zero.",
    "alone",
    (
        Step(
            "set",
            "A parameter is a fraction of polynomials in the others.",
            "a*x + b = 0 with a other than zero says x = -b/a.",
            (Field("set", NAME, "the parameter"), Field("to", FORMULA, "what it is"), _THEN),
        ),
    ),
)

CASES: Final = Group(
    "case",
    "Cases of the parameters",
    "The domain of a parameter is cut into points and intervals, and the claim is decided on each; cuts may be nested.",
    "field",
    (
        Step(
            "parameter",
            "The domain of a parameter is the disjoint union of some points and intervals.",
            "A statement about all values holds if it holds on every part of a partition.",
            (
                Field("parameter", NAME, "the parameter"),
                Field(
                    "pieces",
                    MapTo("point or interval", In("case")),
                    "what holds on each, in order and without a gap",
                ),
            ),
        ),
        Step(
            "proof",
            "The claim is decided for these values, whatever the parameters that are left.",
            "The decision is evidence of its own.",
            (Field("proof", In("decision"), "the decision"),),
        ),
        Step(
            "undefined",
            "For these values the formula has no value at any table.",
            "A claim is made only where the formula has values.",
            (Field("undefined", OneOf((True,)), "always true"),),
        ),
    ),
)
