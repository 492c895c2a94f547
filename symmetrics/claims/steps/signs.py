"""Steps of a proof that a polynomial is nowhere negative."""

from __future__ import annotations

from typing import Final

from symmetrics.claims.steps.shapes import (
    NAME,
    NOTHING,
    NUMBER,
    POLYNOMIAL,
    SIGN,
    WHOLE,
    Either,
    Field,
    Group,
    In,
    ListOf,
    MapTo,
    OneOf,
    Row,
    Step,
)

PROOF: Final = In("sign")
YES: Final = OneOf((True,))
GIVEN: Final = "the place of a condition among those that are given on the region"
REGIONS: Final = "the lemma on a formula with Min, Max or Abs goes through the regions by a proof of its own"

SIGNS: Final = Group(
    "sign",
    "Steps of a proof of sign",
    "The claim is that a polynomial p is nowhere negative on a region: all variables positive (or some of them not "
    "negative), and some further polynomials, the conditions, not negative. Each step names itself by its first "
    "field and leaves polynomials that have to be shown not to be negative in turn; p is strictly positive where the "
    "step keeps that. The checker computes every polynomial anew.",
    "field",
    (
        Step(
            "positive",
            "All coefficients of p are positive, and everything that occurs in it is a quantity that is not negative.",
            "Sums and products of nonnegative numbers are nonnegative; a term of positive quantities alone is "
            "positive.",
            (Field("positive", YES, "always true"),),
        ),
        Step(
            "zero",
            "p is the zero polynomial.",
            "Zero is not negative.",
            (Field("zero", YES, "always true"),),
        ),
        Step(
            "itself",
            "p is a positive multiple of a condition.",
            "A positive multiple of a nonnegative number is nonnegative.",
            (Field("itself", WHOLE, GIVEN),),
        ),
        Step(
            "times",
            "p is a condition times a polynomial that is not negative.",
            "A product of nonnegative numbers is nonnegative.",
            (Field("times", WHOLE, GIVEN), Field("then", PROOF, "why the quotient is not negative")),
        ),
        Step(
            "factors",
            "p is a constant times powers of factors, each of one sign.",
            "The sign of a product is the product of the signs; an even power of a real number is not negative.",
            (Field("factors", ListOf(In("factor")), "the factors, which multiply to p up to a constant"),),
        ),
        Step(
            "square",
            "A factor has an even power, so that its own sign does not matter.",
            "The square of a real number is not negative.",
            (Field("square", YES, "always true"),),
        ),
        Step(
            "root",
            "p = A + B*r with r the square root of f >= 0, and the squares of A and B*r tell which one prevails.",
            "If A >= 0 and A^2 >= B^2*f, then A + B*r >= 0; likewise if B >= 0 and B^2*f >= A^2. The squares need to "
            "be compared only where the other part is negative, which may be taken as a further condition.",
            (
                Field("root", NAME, "the atom r"),
                Field("plain", PROOF, "why A is not negative", required=False),
                Field("factor", PROOF, "or why B is not negative", required=False),
                Field("norm", PROOF, "why A^2 - B^2*f is not negative, or B^2*f - A^2 in the second case"),
            ),
        ),
        Step(
            "bounds",
            "Rational bounds take the place of logarithms of ratios u > 1.",
            "2*(u - 1)/(u + 1) < log(u) < (u - 1/u)/2 for u > 1: the three sides agree at u = 1, and so are ordered "
            "their derivatives.",
            (
                Field(
                    "bounds", MapTo("atom", In("bound")), "for each logarithm, the sign of what it is multiplied with"
                ),
                Field("then", PROOF, "why what is left is not negative"),
            ),
        ),
        Step(
            "pairs",
            "p is a sum of positive multiples of differences log f - log g with f > g, plus a rest without logarithms.",
            "The logarithm is strictly increasing, and log 1 = 0.",
            (
                Field(
                    "pairs",
                    ListOf(Row((NAME, Either((NAME, NOTHING)), POLYNOMIAL))),
                    "log f, log g (nothing for g = 1) and the multiple",
                ),
                Field("rest", PROOF, "why the rest is not negative"),
            ),
        ),
        Step(
            "tangents",
            "For every monomial, its whole multiples of logarithms are collected into the logarithm of one product u, "
            "which is bounded from below.",
            "log(u) >= 1 - 1/u for u > 0: the concave function log lies below its tangent at 1, taken at 1/u.",
            (Field("tangents", PROOF, "why what is left is not negative"),),
        ),
        Step(
            "cut",
            "The orthant is cut along u = v: on each side the larger variable is the other one plus a rest >= 0.",
            "Successive difference substitution: {u >= v} is parametrised by u = v + d with d >= 0, and the two sides "
            "cover everything.",
            (
                Field("cut", Row((NAME, NAME)), "the variables u and v"),
                Field("first", PROOF, "why p is not negative with u + v in the place of u"),
                Field("second", PROOF, "and with u + v in the place of v"),
            ),
            source="the method of L. Yang, as in Y. Yao, Successive difference substitution based on column stochastic "
            "matrix, arXiv:0904.4030",
        ),
        Step(
            "combination",
            "p less positive multiples of conditions has no negative coefficient.",
            "A sum of nonnegative numbers is nonnegative, and positive where a term of the rest is. The weights come "
            "from a linear program; that they do is verified exactly.",
            (
                Field(
                    "combination",
                    ListOf(Row((WHOLE, NUMBER))),
                    f"{GIVEN}, and the weight, for each condition that is used",
                ),
            ),
        ),
        Step(
            "quadratic",
            "p = a*v^2 + b*v + c with a > 0 and 4*a*c - b^2 >= 0.",
            "4*a*p = (2*a*v + b)^2 + (4*a*c - b^2): a quadratic polynomial whose discriminant is not positive does "
            "not change its sign.",
            (
                Field("quadratic", NAME, "the variable v"),
                Field("parts", Row((PROOF, PROOF)), "why a is positive, and why 4*a*c - b^2 is not negative"),
            ),
        ),
        Step(
            "peeled",
            "p = q + v*r with q and r not negative.",
            "Sums and products of nonnegative numbers are nonnegative.",
            (
                Field("peeled", NAME, "the variable v"),
                Field("parts", Row((PROOF, PROOF)), "why q is not negative, and why r is not"),
            ),
        ),
        Step(
            "given",
            "The condition c*v - h >= 0, with c > 0 and h >= 0, is used up: v = (h + x)/c with x >= 0.",
            "{c*v >= h} is parametrised by x = c*v - h >= 0.",
            (
                Field("given", WHOLE, GIVEN),
                Field("variable", NAME, "the variable v"),
                Field("then", PROOF, "why p is not negative after the substitution, times a power of c"),
            ),
        ),
        Step(
            "split",
            "A condition is a product of two factors and of something positive; the region is split by their sign.",
            "A product is not negative exactly where both factors are not negative or both are not positive.",
            (
                Field("split", WHOLE, GIVEN),
                Field("by", Row((POLYNOMIAL, POLYNOMIAL)), "the two factors"),
                Field("first", PROOF, "the proof where both are not negative, which are further conditions"),
                Field("second", PROOF, "and where both are not positive"),
            ),
        ),
        Step(
            "empty",
            "A condition has negative coefficients alone, so that the region is empty.",
            "A sum of negative numbers is not >= 0; of an empty region everything is true.",
            (Field("empty", WHOLE, GIVEN),),
        ),
        Step(
            "flat",
            "Two conditions are negative multiples of each other, so that the region lies on a surface.",
            "A surface has no interior, and the closures of the other regions cover it; a continuous function that is "
            "not negative on a dense set is so everywhere.",
            (Field("flat", Row((WHOLE, WHOLE)), f"{GIVEN}: the two"),),
            excused=REGIONS,
        ),
    ),
)

FACTOR: Final = Step(
    "factor",
    "A factor of a polynomial.",
    "The ring of polynomials over the rational numbers has unique factorisation (Gauss); only the product is verified.",
    (
        Field("factor", POLYNOMIAL, "the factor"),
        Field("power", WHOLE, "its power"),
        Field("sign", SIGN, "1 if it is not negative, -1 if it is not positive"),
        Field("proof", PROOF, "why"),
    ),
)
BOUND: Final = Step(
    "bound",
    "What a logarithm is multiplied with has one sign, which says which of its bounds serves.",
    "A lower bound times something nonnegative is a lower bound, and so is an upper bound times something nonpositive.",
    (Field("sign", SIGN, "the sign"), Field("proof", PROOF, "why")),
)
