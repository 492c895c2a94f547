"""Evidence for limits, ranges, extremes, and where a formula has a value."""

from __future__ import annotations

from typing import Final

from symmetrics.claims.steps.shapes import (
    FORMULA,
    NUMBER,
    OF_MATRICES,
    SIGN,
    TRUTH,
    Field,
    Group,
    In,
    ListOf,
    MapTo,
    OneOf,
    Plain,
    Row,
    Step,
)

PATH: Final = ListOf(FORMULA)
LIMIT: Final = Plain(str, "formula, oo or -oo")
FACE_NAME: Final = Plain(str, "names of the cells that are zero")
ORDERS: Final = (
    "A sum of terms c*s^e*log(1/s)^j, with a remainder of smaller order, behaves as s -> 0+ as its leading term: that "
    "of the least e, and among these of the largest j. The expansions of sums, products, powers and logarithms "
    "follow from those of their parts."
)
HARDY: Final = "G. H. Hardy, Orders of Infinity, Cambridge 1910"
NAMED_VARIABLES: Final = "a limit over named variables: the statements on limits are about functions of the four cells"
LEADING: Final = (
    Field("coefficient", FORMULA, "the coefficient c of the leading term"),
    Field("exponent", NUMBER, "the exponent e of s"),
    Field("logarithms", NUMBER, "the exponent j of log(1/s)"),
)

VALUES_OF_FORMULAS: Final = Group(
    "values of formulas",
    "Limits, ranges, extremes and domains",
    "A curve is given by four formulas in a step s > 0, one for each cell; it ends as s tends to 0.",
    "kind",
    (
        Step(
            "limit",
            "Along the curve of the claim M tends to the value of the verdict.",
            ORDERS + " The limit is the leading coefficient if e = j = 0, and zero if the leading term tends to zero.",
            source=HARDY,
            except_for=NAMED_VARIABLES,
        ),
        Step(
            "divergence",
            "Along the curve of the claim M is unbounded, at all tables and for all parameters.",
            ORDERS + " It is infinite if e < 0, or e = 0 and j > 0, with the sign of c.",
            LEADING,
            source=HARDY,
            except_for=NAMED_VARIABLES,
        ),
        Step(
            "divergence at a table",
            "Along the curve of the claim M is unbounded, where the remaining cells have certain counts.",
            ORDERS + " A limit that has to exist for all counts fails if it does for some.",
            (*LEADING, Field("table", MapTo("cell", NUMBER), "the counts")),
            source=HARDY,
            except_for=NAMED_VARIABLES,
        ),
        Step(
            "domain",
            "Where M has no value among all tables of nonnegative cells: the faces on which it has none, and "
            "subexpressions that may vanish elsewhere.",
            "A formula has a value at a table if no divisor in it, as it is shown, is zero, no radicand negative and "
            "no argument of a logarithm zero or negative. The closed orthant is the disjoint union of its faces.",
            (
                Field(
                    "faces",
                    MapTo(
                        "face, the cells that are zero there", Plain(str, "formula, oo, -oo, no limit or not decided")
                    ),
                    "the least faces without a value, and what M tends to there along straight lines",
                ),
                Field(
                    "poles",
                    ListOf(Row((OneOf(("divisor", "radicand", "logarithm")), FORMULA))),
                    "subexpressions that are in the way at some tables that are not on these faces",
                    required=False,
                ),
                Field(
                    "proofs",
                    MapTo("subexpression", In("free")),
                    "why subexpressions are in the way nowhere else, where their coefficients do not show it",
                    required=False,
                ),
            ),
        ),
        Step(
            "domain of matrices",
            "M has a value at all matrices of nonnegative entries but that of zeros, or a matrix at which it has none.",
            "A polynomial with positive coefficients that has a power of each entry alone among its terms is positive "
            "wherever an entry is; so are then all divisors of M, as it is shown, and all arguments of logarithms, and "
            "no radicand is negative. At the matrix of a counterexample one of them is zero, or has the wrong sign.",
            (),
            excused=OF_MATRICES,
        ),
        Step(
            "range",
            "The infimum and the supremum of M at positive cells.",
            "If M tends to a number along a curve, and does not exceed it anywhere, that number is the supremum; if M "
            "tends to infinity it is unbounded.",
            (
                Field("lower", In("end"), "the lower end; missing where it is open", required=False),
                Field("upper", In("end"), "the upper end; missing where it is open", required=False),
            ),
        ),
        Step(
            "tables",
            "The two tables that the verdict names are not in the order that the claim needs, and the second has the "
            "two cells zero.",
            "A statement about all tables is false if it fails at two. A value at a table with zero cells is that of "
            "the formula as it is written, or its limit along all paths.",
        ),
        Step(
            "unbounded",
            "No table attains the extreme: M is unbounded at positive cells.",
            "A function that tends to infinity along a curve has no largest value.",
            (Field("path", PATH, "the curve"),),
        ),
        Step(
            "attained elsewhere",
            "The table that the verdict names has the extreme value, although its cells are not those of the claim.",
            "The value there is the supremum (or the infimum) over all positive tables.",
            (Field("end", In("end"), "why it is"),),
        ),
        Step(
            "faces",
            "M has its extreme value where the two cells are zero, and nowhere else.",
            "The closed orthant is the disjoint union of its faces. Where the two cells are zero M has the extreme as "
            "its limit, or none; inside and on each of the other faces it stays short of it.",
            (
                Field("extreme", FORMULA, "the extreme value"),
                Field("inside", In("decision"), "why M does not reach it at positive cells"),
                Field(
                    "faces",
                    MapTo("face, the cells that are zero there", In("face")),
                    "what holds on each of the 14 other faces",
                ),
            ),
        ),
        Step(
            "exceeded",
            "M reaches its value at the extreme tables on another face too, whatever the parameters are.",
            "A statement that the extreme is taken only there is false if it is reached elsewhere.",
            (
                Field("extreme", FORMULA, "the value where the two cells are zero"),
                Field("face", FACE_NAME, "the other face"),
                Field("proof", In("decision"), "why M reaches it at some table there", required=False),
            ),
            excused="whether an extreme is taken elsewhere for all parameters has no statement",
        ),
    ),
)

END: Final = Step(
    "end",
    "One end of a range.",
    "A bound that is approached and not exceeded is the supremum.",
    (
        Field("bound", LIMIT, "the bound"),
        Field("path", PATH, "a table at which M has this value, or a curve along which M tends to it"),
        Field("strict", TRUTH, "whether M is shown to stay short of the bound at positive cells", required=False),
        Field("proof", In("decision"), "why M does not exceed a bound that is finite", required=False),
        Field("corner", PATH, "a table with zero cells at which M, as it is written, has this value", required=False),
    ),
)
FREE: Final = Step(
    "free",
    "A subexpression is in the way at no table of a face.",
    "A divisor is not zero if it is positive, or negative, everywhere; a radicand may be zero.",
    (
        Field("strict", TRUTH, "whether it is shown not to be zero either"),
        Field("sign", SIGN, "its sign"),
        Field("proof", In("decision"), "why it has this sign"),
    ),
)
FACES: Final = Group(
    "face",
    "Faces of the closed orthant",
    "If M has a limit at a table it is the limit along every curve that ends there.",
    "field",
    (
        Step(
            "path",
            "One curve to every table of the face tells what the limit of M there can be.",
            "If a limit exists it is the limit along every curve.",
            (
                Field("path", PATH, "the curve"),
                Field("limit", LIMIT, "the limit of M along it"),
                Field(
                    "proof", In("decision"), "why it is not the extreme value, where that is not plain", required=False
                ),
            ),
        ),
        Step(
            "paths",
            "Two curves with different limits show that M has none.",
            "If a limit exists it is the limit along every curve.",
            (
                Field("paths", Row((PATH, PATH)), "the curves"),
                Field("limits", Row((LIMIT, LIMIT)), "the limits of M along them"),
            ),
        ),
    ),
)
