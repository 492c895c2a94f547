"""All kinds of evidence in one place, in reading order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from symmetrics.claims.steps.comparisons import ASSIGNMENTS, CASES, COMPARISONS, FACTORS, LEAVES, SPLITS
from symmetrics.claims.steps.shapes import (
    CONDITION,
    COUNT,
    FORMULA,
    KUMMER,
    NAME,
    NOTHING,
    NUMBER,
    OF_MATRICES,
    OSTROWSKI,
    POLYNOMIAL,
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
from symmetrics.claims.steps.signs import BOUND, FACTOR, SIGNS
from symmetrics.claims.steps.values import END, FACES, FREE, LINKS, MINOR, POINT, STRUCTURE, VALUES_OF_FORMULAS

# -- Evidence for claims with several parts and by cases, for expectations; common data types --------------------------


PARTS: Final = Field("parts", MapTo("label", In("decision")), "the decisions on the parts")
TRIPLE: Final = Row((WHOLE, WHOLE, WHOLE))
MARGINS: Final = Row((ListOf(WHOLE), ListOf(WHOLE)))
"""Row sums, and column sums."""
TRIPLES: Final = Field("triples", ListOf(TRIPLE), "the triples (n, P, OP)")
DEPENDS: Final = "the statements on expectations have no parameters"
PERMUTED: Final = (
    "the probability of a table with given margins: G. H. Freeman and J. H. Halton, Note on an exact treatment of "
    "contingency, Biometrika 38, 1951"
)

WHOLES: Final = Group(
    "wholes",
    "Claims of several parts, by cases, and open ones",
    "The decision on a whole rests on decisions on parts, each with evidence of its own.",
    "kind",
    (
        Step(
            "all of", "Every part holds, or one fails.", "The conjunction is true exactly if all parts are.", (PARTS,)
        ),
        Step("any of", "A part holds, or all fail.", "The disjunction is true exactly if one part is.", (PARTS,)),
        Step(
            "cases",
            "The claim is decided on each part of a partition of the domain of the parameters.",
            "A statement about all values holds if it holds on every part of a partition.",
            (
                Field("tree", In("case"), "the partition, with what holds on each part"),
                Field("at_defaults", In("decision"), "what holds at the default parameters", required=False),
            ),
        ),
        Step(
            "open",
            "Nothing: the claim is open, for the reason that is given.",
            "A search that fails decides nothing.",
            (
                Field("reason", Plain(str, "text"), "what was in the way"),
                Field(
                    "at_defaults",
                    In("decision"),
                    "what holds at the default parameters, if that is known",
                    required=False,
                ),
            ),
            excused="it asserts nothing",
        ),
    ),
)

EXPECTATIONS: Final = Group(
    "expectations",
    "Expectations under random predictions",
    "At fixed n, P and OP the cell TP is hypergeometric; E[M] is a finite sum.",
    "kind",
    (
        Step(
            "expectations",
            "E[M] is another number at one triple (n, P, OP) than at a second one.",
            "Both are finite sums over the hypergeometric distribution, computed exactly.",
            (TRIPLES,),
        ),
        Step(
            "affine",
            "E[M] is the same number wherever it exists.",
            "If M is affine in TP at fixed margins, its mean is its value at the mean table, which is independent "
            "(TP*TN = FP*FN); and M is constant at independent tables. Both are identities: second differences "
            "vanish, and M at proportional rows is what it is at one such table.",
            (
                Field(
                    "parts",
                    MapTo("name, 'affinity' or 'independence'", In("decision")),
                    "the two identities",
                ),
                Field("triple", TRIPLE, "a triple (n, P, OP) at which E[M] exists"),
            ),
        ),
        Step(
            "moments",
            "E[M] is the same number at all n, P and OP.",
            "M is a polynomial in TP at fixed margins, over products of margins. The factorial moment E[(TP)_j] of the "
            "hypergeometric distribution is (P)_j*(OP)_j/(n)_j, where (x)_j = x*(x - 1)*...*(x - j + 1) (Johnson, Kemp "
            "& Kotz 2005, Univariate Discrete Distributions, section 6.3).",
            (),
            excused="factorial moments are not in the prelude",
        ),
        Step(
            "no expectation",
            "E[M] exists at no triple, because M is infinite at one end of every hypergeometric distribution.",
            "A mean over finitely many tables of positive probability exists only if all values do. At the end of "
            "most (least) agreement FN or FP (TP or TN) is zero.",
            (
                Field("end", OneOf(("most agreement", "least agreement")), "which end"),
                Field("parts", ListOf(In("decision")), "why M is infinite with the one cell zero, the other, and both"),
            ),
            excused="that no mean exists rests on limits, of which the statement on expectations does not speak",
        ),
        Step(
            "cases",
            "E[M] is the same for all triples exactly for some values of the parameters.",
            "Where the means at some triples differ the claim fails. They are fractions of polynomials in the "
            "parameters, which agree at the solutions of a system of equations; at each solution the claim is decided "
            "singly.",
            (
                TRIPLES,
                Field("tree", In("split"), "where the means at all the triples agree"),
                Field("assumed", ListOf(In("assumption")), "polynomials that may not vanish for the means to exist"),
                Field("cases", ListOf(In("solution")), "what holds at each solution"),
            ),
            excused=DEPENDS,
        ),
        Step(
            "expectations of matrices",
            "E[M] is another number at some sums of rows and columns than at others.",
            "Both are finite sums over the matrices with these sums, each with its probability if the predictions are "
            "in a random order, computed exactly.",
            (Field("margins", ListOf(MARGINS), "the sums of rows and of columns, twice"),),
            source=PERMUTED,
            excused=OF_MATRICES,
        ),
        Step(
            "affine in matrices",
            "E[M] is the same number wherever it exists.",
            "If M is affine in C at fixed sums of rows and columns, its mean is its value at the mean matrix "
            "r[i]*c[j]/n; and M is constant at matrices of rank one. Both are identities: M is at multiples of one row "
            "what it is at one such matrix, and mixed second differences vanish along the moves that keep all sums.",
            (
                Field(
                    "parts",
                    MapTo("name, 'independence' or 'affinity' with two moves", In("decision")),
                    "the identities",
                ),
                Field("margins", MARGINS, "sums of rows and columns at which E[M] exists"),
            ),
            excused=OF_MATRICES,
        ),
    ),
)

ATOM_KINDS: Final = Group(
    "atom",
    "Roots and logarithms",
    "An atom is a variable that stands for the root or the logarithm of a polynomial, its base.",
    "kind",
    (
        Step(
            "power",
            "The q-th root of the absolute value of the base, q being what the formula needs.",
            "It satisfies r^q = base, or r^(2*q) = base^2 where the base has no fixed sign. Roots of different "
            "irreducible polynomials are linearly independent over the rational functions, so that there are no other "
            "relations.",
            source=f"{KUMMER}; for roots of primes A. S. Besicovitch, On the linear independence of fractional powers "
            "of integers, 1940",
        ),
        Step(
            "log",
            "The logarithm of (the absolute value of) the base.",
            "Logarithms of different irreducible polynomials that are not constant are algebraically independent over "
            "the algebraic functions. Of logarithms of numbers no such thing is known, and nothing rests on it.",
            source=OSTROWSKI,
        ),
    ),
    (Field("base", FORMULA, "the base, a polynomial in cells, parameters and earlier atoms"),),
)

_BASES: Final = ListOf(Either((Row((POLYNOMIAL, WHOLE)), Row((POLYNOMIAL, WHOLE, In("sign"))))))
_CHAINS: Final = MapTo("logarithm", NAME)


STRUCTURES: Final = (
    Step(
        "decision",
        "The decision on a part, whose claim follows from the whole.",
        "It is checked as a verdict of its own.",
        (
            Field("status", OneOf(("proved", "refuted", "conditional", "open")), "the status"),
            Field("holds", TRUTH, "the truth value at the defaults", required=False),
            Field("condition", CONDITION, "the condition, if it is conditional", required=False),
            Field("witness", In("table"), "the counterexample", required=False),
            Field("value", Plain(dict, "value"), "what was found, such as a range", required=False),
            Field("certificate", In("evidence"), "the evidence"),
        ),
    ),
    Step(
        "table",
        "A counterexample: the tables of the claim, and the values of M there.",
        "The values are computed anew, exactly or in certain intervals.",
        (
            Field(
                "tables",
                ListOf(MapTo("cell or variable", COUNT)),
                "the tables: nonnegative counts of the four cells, not all zero, or positive values of named variables",
            ),
            Field("values", ListOf(FORMULA), "the value at each"),
            Field("parameters", MapTo("parameter", NUMBER), "the values of the parameters"),
        ),
    ),
    Step(
        "piece",
        "What a sign is to be shown of: a numerator over a positive denominator, on one piece of the formula.",
        "Abs, Min and Max are polynomials, roots and logarithms on each of finitely many closed regions that cover the "
        "orthant.",
        (
            Field("atoms", MapTo("name", In("atom")), "the roots and logarithms"),
            Field("values", ListOf(FORMULA), "every root, absolute value and logarithm, written in the atoms"),
            Field("numerator", POLYNOMIAL, "the numerator"),
            Field("denominator", _BASES, "bases with their powers, and a proof that a base is positive if needed"),
            Field("chains", _CHAINS, "logarithms that stand for those of a ratio, with the divisor's", required=False),
            Field("given", ListOf(POLYNOMIAL), "conditions: what is not negative on the piece", required=False),
            Field(
                "subject",
                Row((POLYNOMIAL, _BASES, _CHAINS)),
                'for the rule "derivative": numerator, denominator and chains of the formula that has the derivative',
                required=False,
            ),
            Field("tree", In("sign"), "why the numerator is not negative; missing if it is zero", required=False),
        ),
    ),
    Step(
        "interval",
        "What the coefficients show on a point or an open interval of the one parameter.",
        "Between neighbouring roots of the coefficients their signs are constant.",
        (
            Field("lower", Plain(str, "exact number or -oo"), "its lower end"),
            Field("upper", Plain(str, "exact number or oo"), "its upper end, the same for a point"),
            Field(
                "fails",
                Either((NOTHING, OneOf(("all coefficients are zero",)), MapTo("variable", WHOLE))),
                "nothing where the claim holds; elsewhere a direction in which a negative term dominates, or that all "
                "coefficients are zero",
            ),
        ),
    ),
    Step(
        "assumption",
        "A polynomial in the parameters that may not vanish.",
        "Its zeros are treated as solutions of their own.",
        (
            Field("poly", FORMULA, "the polynomial"),
            Field("tree", In("split"), "where it vanishes in the domain"),
        ),
        excused=DEPENDS,
    ),
    Step(
        "solution",
        "Values of some parameters at which means agree, or may not exist.",
        "The claim is decided there; without a decision the formula has no value.",
        (
            Field("at", MapTo("parameter", FORMULA), "the values, numbers or polynomials in the other parameters"),
            Field("example", MapTo("parameter", NUMBER), "values of all parameters in their domains", required=False),
            Field("part", In("decision"), "the decision", required=False),
        ),
        excused=DEPENDS,
    ),
)


# ----------------------------------------------------------------------------------------------------------------------


EVIDENCE: Final = (COMPARISONS, STRUCTURE, VALUES_OF_FORMULAS, EXPECTATIONS, WHOLES)
"""The groups of evidence that can establish a verdict."""
_ALL: Final = Group(
    "evidence",
    "Evidence",
    "What a verdict rests on.",
    "kind",
    tuple(step for group in EVIDENCE for step in group.steps),
)
_WRITTEN: Final = Group(
    "written",
    "What evidence is written in",
    "Parts of evidence that have one form alone.",
    "alone",
    (*STRUCTURES, FACTOR, BOUND, END, FREE, POINT, MINOR),
)
_SINGLE: Final = {step.name: Group(step.name, step.name, step.says, "alone", (step,)) for step in _WRITTEN.steps}

CHAPTERS: Final = (*EVIDENCE, SIGNS, ATOM_KINDS, SPLITS, FACTORS, ASSIGNMENTS, LEAVES, CASES, FACES, LINKS, _WRITTEN)
"""All groups, in the order of the page ``docs/evidence.md``."""
GROUPS: Final[Mapping[str, Group]] = _SINGLE | {group.key: group for group in (_ALL, *CHAPTERS[len(EVIDENCE) : -1])}
"""The groups by the keys used in shapes."""
