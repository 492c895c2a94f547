"""Evidence for equations and inequalities between values of formulas."""

from __future__ import annotations

from typing import Final

from symmetrics.claims.steps.shapes import (
    CONDITION,
    FORMULA,
    KUMMER,
    NAME,
    NUMBER,
    OSTROWSKI,
    STURM,
    Field,
    Group,
    In,
    ListOf,
    MapTo,
    OneOf,
    Step,
)

ATOMS: Final = Field(
    "atoms",
    MapTo("name", In("atom")),
    "names for the roots and logarithms that occur, each base a polynomial in cells, parameters and earlier atoms",
)
VALUES: Final = Field(
    "values", ListOf(FORMULA), "every root, absolute value and logarithm of the formula, written in the atoms"
)
SMALLEST: Final = Field(
    "smallest", OneOf((False,)), "false where it is not known that no smaller table refutes the claim", required=False
)
RULE: Final = Field(
    "rule",
    OneOf(("difference", "derivative")),
    "whether the sign is that of the relation itself, or of the derivative of M along the step of the claim",
)
PIECES: Final = Field(
    "pieces",
    ListOf(In("piece")),
    "a numerator over a positive denominator, for each choice of signs in Abs, Min and Max",
)
EXAMPLES: Final = ListOf(MapTo("parameter", FORMULA))

COMPARISONS: Final = Group(
    "comparisons",
    "Equations and inequalities",
    "A formula is brought over one denominator; roots and logarithms become variables of their own (the atoms). "
    "An equation then says that a polynomial is zero, and an inequality that a polynomial has one sign.",
    "kind",
    (
        Step(
            "witness",
            "The claim fails at a table, which the verdict names with the exact values there.",
            "A statement about all tables is false if it fails at one.",
            (SMALLEST,),
        ),
        Step(
            "identity",
            "The numerator of the difference of both sides is the zero polynomial.",
            "If a polynomial in the variables and the atoms becomes the zero polynomial after r^q = f is put in for "
            "every root r of f, then the two sides agree wherever both are defined. (That they also differ somewhere "
            "if it is not zero is the independence of the atoms, which a proof of equality does not need.)",
            (ATOMS, VALUES),
        ),
        Step(
            "powers",
            "The identity holds for any positive numbers in the place of the powers whose exponents are parameters.",
            "For b > 0 the power b^m is a positive number; what holds for all positive numbers holds for these.",
            (ATOMS, VALUES),
        ),
        Step(
            "conditions",
            "The difference vanishes for some values of the parameters: those at which all of its coefficients, as a "
            "polynomial in the cells and the atoms, are zero.",
            "A polynomial in algebraically independent quantities is zero exactly if all of its coefficients are. "
            "Cells are independent; so are roots of different irreducible polynomials over the field of the cells, up "
            "to r^q = f (Kummer), and their logarithms (Kolchin and Ostrowski). Roots and logarithms of numbers, and "
            "pi, belong to the coefficients: they may only be factors of them, which exact intervals show not to be "
            "zero.",
            (
                ATOMS,
                VALUES,
                Field(
                    "tree", In("split"), "how the system of equations in the parameters is solved, by splitting it up"
                ),
                Field("examples", EXAMPLES, "for each solution, values of all parameters inside their domains"),
                Field(
                    "special",
                    MapTo("divisor", In("split")),
                    "what is divided by at tables whose cells depend on each other: why it vanishes for no parameters",
                    required=False,
                ),
                SMALLEST,
            ),
            source=f"{KUMMER}; {OSTROWSKI}",
        ),
        Step(
            "sign",
            "The relation is a polynomial of one sign over a positive denominator, on every piece of the formula.",
            'A fraction with a positive denominator has the sign of its numerator. With the rule "derivative": a '
            "continuous function on an interval whose derivative is positive on the pieces of a finite subdivision "
            "increases strictly (the mean value theorem).",
            (
                RULE,
                PIECES,
                Field(
                    "boundary",
                    In("table"),
                    "tables with zero cells at which the strict inequality fails, for information",
                    required=False,
                ),
            ),
        ),
        Step(
            "coefficients",
            "For which parameters a numerator is positive, from the signs of its coefficients.",
            "A polynomial with nonnegative coefficients, not all zero, is positive at positive cells. If the "
            "coefficient at a vertex of the Newton polytope is negative, the polynomial is negative somewhere: along "
            "the curve x_i = t^{w_i}, with the vertex the highest point in the direction w, that term exceeds all "
            "others for large t. Between neighbouring roots of the coefficients no sign changes; the roots are "
            "counted by Sturm's theorem.",
            (
                RULE,
                PIECES,
                Field(
                    "intervals",
                    ListOf(In("interval")),
                    "with one parameter: what holds on each interval",
                    required=False,
                ),
                Field(
                    "tree", In("split"), "where all coefficients vanish together, if none is negative", required=False
                ),
                Field("zero", CONDITION, "the condition that the tree gives", required=False),
                Field("examples", EXAMPLES, "for each solution, values inside the domains", required=False),
            ),
            source=STURM,
        ),
        Step(
            "even root",
            "M is a + c*E^(1/n) with n even, and the claim is shown for E.",
            "A root r of even degree is not negative where it is real, so that r < s exactly if r^n < s^n, for s >= 0. "
            "A comparison of M with b is one of r with (b - a)/c, which has to be nonnegative, and one of two values "
            "of M is one of two values of r; a negative c turns it around.",
            (
                Field("point", ListOf(NUMBER), "a number for each variable, where E is positive, so that r is real"),
                Field("part", In("decision"), "the decision on E"),
            ),
            excused="the kernel is not given the claim on E",
        ),
        Step(
            "z3",
            "The solver Z3 found no counterexample among all positive real tables.",
            "None that is verified: cylindrical algebraic methods decide real arithmetic, but the solver leaves no "
            "proof. The checker asks Z3 again, from the formula as it is written, and takes its word. A lemma for the "
            "proof assistant is given to general tactics, which may fail.",
            source="D. Jovanović and L. de Moura, Solving non-linear arithmetic, IJCAR 2012 (LNCS 7364)",
        ),
    ),
)


# -- Steps for solving equations in the parameters, and for verdicts by cases ------------------------------------------


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
