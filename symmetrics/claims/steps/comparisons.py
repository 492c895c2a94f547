"""Evidence for equations and inequalities between values of formulas."""

from __future__ import annotations

from typing import Final

from symmetrics.claims.steps.shapes import (
    CONDITION,
    FORMULA,
    KUMMER,
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
