"""Evidence for limits, ranges, extremes, and where a formula has a value."""

from __future__ import annotations

from typing import Final

from symmetrics.claims.steps.shapes import (
    COUNT,
    FORMULA,
    NUMBER,
    OF_MATRICES,
    SIGN,
    STURM,
    TRUTH,
    WHOLE,
    Either,
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


# -- Evidence for symmetries, directions, ratios, and links between two metrics ----------------------------------------


TABLE_OF_COUNTS: Final = Row((COUNT, COUNT, COUNT, COUNT))
TABLES: Final = ListOf(TABLE_OF_COUNTS)
AT_DEFAULTS: Final = Field(
    "at_defaults", In("decision"), "the space at the default parameters, where it is another one", required=False
)
TEXT_TABLES: Final = ListOf(ListOf(NUMBER))

STRUCTURE: Final = Group(
    "structure",
    "Symmetries, spaces of directions, ratios and links",
    "What a formula is like as a function: under permutations of the cells, along straight lines, and beside another "
    "one.",
    "kind",
    (
        Step(
            "symmetries",
            "Which permutations of the four cells turn M into M, 1 - M, -M or 1/M: all of them.",
            "There are 24 permutations and four images. Each of the 96 pairs is an identity, or fails at a table. A "
            "permutation and its inverse serve the same images, because each image undoes itself.",
            (
                Field(
                    "parts",
                    MapTo("image and permutation in cycles", In("decision")),
                    "those that are decided singly",
                ),
                Field(
                    "exceptions",
                    MapTo("image and permutation in cycles", MapTo("value of the parameter", In("decision"))),
                    "with one parameter: single values at which the tables do not refute a pair",
                ),
                Field("tables", TABLES, "tables, one of which refutes each other pair"),
            ),
        ),
        Step(
            "symmetries of matrices",
            "Which permutations of rows and columns, and exchanges of both, turn M into M, 1 - M, -M or 1/M.",
            "Each that does is an identity; each other one is refuted by its values at a matrix.",
            (
                Field("matrices", ListOf(ListOf(WHOLE)), "matrices, row by row, that refute all others"),
                Field("parts", MapTo("image and rearrangement", In("decision")), "the identities"),
            ),
            excused=OF_MATRICES,
        ),
        Step(
            "directions",
            "A basis of the directions along which M is constant (translations), or of the exponents of the scalings "
            "that leave it unchanged.",
            "If M does not change along v then v is orthogonal to the gradient of M at every table (for scalings: to "
            "the gradient times the cells). So the space has at most 4 - r dimensions, r being the rank of gradients "
            "at any tables; it has that many if as many independent directions are shown to serve.",
            (
                Field("directions", MapTo("direction", In("decision")), "the basis, and why M is constant along each"),
                Field("points", ListOf(In("point")), "tables at which the gradients have the rank r", required=False),
                Field(
                    "minors",
                    ListOf(In("minor")),
                    "instead, determinants of r gradients without a common zero in the domain of the parameters: rows "
                    "are independent exactly if not all of their maximal minors vanish (their squares add up to the "
                    "Gram determinant, by Cauchy and Binet)",
                    required=False,
                ),
                AT_DEFAULTS,
            ),
        ),
        Step(
            "rank",
            "No direction leaves M unchanged: the gradients at four tables are independent.",
            "Four independent vectors of four entries leave nothing but zero orthogonal to them all.",
            (Field("points", ListOf(In("point")), "the tables"),),
            excused="gradients are not part of the statements",
        ),
        Step(
            "rank",
            "M is no ratio of linear forms <u, x>/<w, x>.",
            "Each table x gives a linear equation <u, x> = M(x)*<w, x> for the eight entries of u and w; eight "
            "independent equations have only the solution u = w = 0.",
            (Field("tables", TABLES, "eight tables whose equations are independent"),),
        ),
        Step(
            "minors",
            "The same, for all values of the parameters: the gradients at four tables, or the equations at eight, are "
            "independent.",
            "Some determinant of them is other than zero for each value. With one parameter, polynomials have no "
            "common zero in an interval if their greatest common divisor has none there (Sturm); with several, one of "
            "them has to be nowhere zero.",
            (
                Field(
                    "minors",
                    ListOf(Either((In("minor"), TABLES))),
                    "the determinants: of gradients, or of the equations at eight tables",
                ),
            ),
            source=STURM,
            excused="the statements on gradients, and on ratios with parameters, are not written",
        ),
        Step(
            "ratio",
            "M is the ratio of linear forms that the verdict names.",
            "An identity says so; the denominator counts for all values of the parameters.",
            (Field("identity", In("decision"), "why M is that ratio"),),
        ),
        Step(
            "link",
            "One metric is a strictly monotone function of the other on its values, so that both rank tables alike, "
            "or in reverse.",
            "A composition of strictly monotone functions is strictly monotone: it increases if an even number of them "
            "decrease. Two functions with f(M) = g(L), f and g strictly monotone, rank alike.",
            (
                Field("left", ListOf(In("link step")), "the functions that are applied to M, the first one first"),
                Field("right", ListOf(In("link step")), "those that are applied to the other metric"),
                Field(
                    "parts",
                    MapTo("label, 'link' or the side and place of a function", In("decision")),
                    "the identity between both sides, and the inequalities that keep values where a function is "
                    "monotone; with parameters the equation M = a*L + b, and the sign of its slope a",
                ),
            ),
        ),
        Step(
            "affine function",
            "M = a*L + b holds with the numbers a and b, or for some parameters, or for none.",
            "It is an identity. Two tables at which L differs leave no other a and b: two points determine a line.",
            (
                Field("a", FORMULA, "the number a, a formula in the parameters"),
                Field("b", FORMULA, "the number b"),
                Field("part", In("decision"), "the decision on the identity"),
                Field("tables", TEXT_TABLES, "the two tables, where there are parameters", required=False),
            ),
        ),
        Step(
            "determinant",
            "The points (L, M) at the three tables that the verdict names lie on no line, or one L has two values of "
            "M.",
            "Three points lie on a line exactly if the determinant of the rows (1, L, M) is zero.",
            excused="a statement that no two numbers serve is written for no pair of metrics",
        ),
    ),
)

LINKS: Final = Group(
    "link step",
    "Strictly monotone functions of a link",
    "Each is written as a list: its name, then its numbers.",
    "first",
    (
        Step(
            "moebius",
            "v becomes (a*v + b)/(c*v + d), where c*v + d > 0.",
            "The derivative (a*d - b*c)/(c*v + d)^2 has the sign of a*d - b*c.",
            tuple(Field(name, FORMULA, "a number") for name in "abcd"),
        ),
        Step(
            "power",
            "v becomes v^r, where v > 0 (or v >= 0 if r > 0; any v if r is an odd whole number).",
            "v^r increases for r > 0 and decreases for r < 0.",
            (Field("r", FORMULA, "the exponent"),),
        ),
        Step("log", "v becomes log(v), where v > 0.", "The logarithm increases strictly."),
        Step(
            "excess",
            "v > 0 becomes v - 1 below 1 and 1 - 1/v above.",
            "Both increase strictly and agree at 1.",
            excused="a link with this function has no lemma",
        ),
        Step(
            "bend",
            "v becomes v/sqrt(c + d*v^2) with c > 0, where the root is positive.",
            "The derivative is c/(c + d*v^2)^(3/2).",
            (Field("c", FORMULA, "the number c"), Field("d", FORMULA, "the number d")),
            excused="a link with this function has no lemma",
        ),
    ),
)

POINT: Final = Step(
    "point",
    "A table, with values of the parameters, at which a gradient is taken.",
    "The gradient is computed exactly, or in intervals that are certain to hold it.",
    (
        Field("table", TABLE_OF_COUNTS, "the cells"),
        Field("parameters", MapTo("parameter", NUMBER), "their values", required=False),
    ),
    excused="gradients are not part of the statements",
)
MINOR: Final = Step(
    "minor",
    "A determinant of gradients at some tables, as a polynomial in the parameters.",
    "It is computed by elimination without fractions.",
    (
        Field("tables", TABLES, "the tables, a row each"),
        Field("columns", ListOf(WHOLE), "the cells, a column each, counted from 0"),
    ),
    source="E. H. Bareiss, Sylvester's identity and multistep integer-preserving Gaussian elimination, Mathematics of "
    "Computation 22 (1968)",
    excused="gradients are not part of the statements",
)
