"""Proofs that no two tables have the same scores, by the determinant of their gradients.

*Theorem.*  Let three scores have derivatives at all tables of positive cells, and be unchanged when all cells are
multiplied by one number.  If two of them are functions of
ratios of linear forms, with denominators that are positive, and the determinant of the gradients by TP, FN and FP is
zero at no table of positive cells, then two such tables with equal scores are multiples of each other.

*Proof.*  Let x and y be tables with equal scores that are not multiples of each other.  Where a ratio of linear forms
has one value, the cells solve a linear equation; so both linear scores are constant on the segment from x to y.  The
third score has the same value at both ends, so somewhere in between, at z, its derivative along d = y - x is zero
(Rolle).  There all three gradients are orthogonal to d, and to z by Euler's theorem on homogeneous functions; z and d
are not multiples of each other, as z lies on the segment.  So the gradients span at most two dimensions, and the
determinant is zero at z.

*Where the determinant has both signs* the scores do not fix the table: a continuous one-to-one map between open sets of
the same dimension has one orientation (Brouwer 1912, invariance of domain).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sympy import Add, Expr, Function, Integer, Mul, Poly, Pow, diff, factor, log, together

from symmetrics.algebra.convert import convert, element_expression, field_for
from symmetrics.algebra.field import Element, Field
from symmetrics.checker import check as check_evidence
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.metric import Metric
from symmetrics.query.proving import prove
from symmetrics.query.relations import check_relation, relate
from symmetrics.tools.errors import CertificateError, UnsupportedError

MOVED: Final = CELLS[:3]
"""The cells by which gradients are taken; the fourth follows from Euler's theorem."""


@dataclass(frozen=True)
class OneToOne:
    """A proof that three scores fix the table up to scale.

    :param scores: the formulas of the scores by name; the first two are functions of ratios of linear forms
    :param determinant: of the gradients, as a product none of whose factors is zero at a table of positive cells
    :param verdict: the verdict that the determinant is this product
    """

    scores: Mapping[str, Expr]
    determinant: Expr
    verdict: Verdict

    @property
    def sentence(self) -> str:
        """The proof in words."""
        first, second, third = self.scores
        return (
            f"all tables with one {first} and one {second} lie on a segment, on which {third} is strictly monotone: "
            f"the determinant of the three gradients is {self.determinant}, none of whose factors is zero"
        )


@lru_cache(maxsize=1024)
def is_scale_free(formula: Expr) -> bool:
    """Whether a formula is certainly unchanged when all cells are multiplied by one number.

    >>> from symmetrics.library import metrics
    >>> is_scale_free(metrics["mcc"].expr), is_scale_free(metrics["laplace"].expr)
    (True, False)
    """
    field = field_for()
    try:
        return convert(Add(*(cell * diff(formula, cell) for cell in CELLS)), field).is_zero
    except (UnsupportedError, TypeError):
        return False


@lru_cache(maxsize=1024)
def is_linear(formula: Expr) -> bool:
    """Whether a score is a power of a ratio of linear forms, or a ratio, whose denominator is positive.

    >>> from symmetrics.library import metrics
    >>> is_linear(metrics["f1"].expr), is_linear(metrics["mcc"].expr)
    (True, False)
    """
    field = field_for()
    try:
        _, signed, absolute = field.factor(convert(formula, field))
    except UnsupportedError:
        return False
    if signed.keys() & absolute.keys():
        return False
    powers = signed | absolute
    degrees = {number: _degree(field, number) for number in powers}
    forms = [number for number, degree in degrees.items() if degree == 1]
    if len(forms) != 2 or not set(degrees.values()) <= {0, 1} or powers[forms[0]] + powers[forms[1]]:
        return False
    # A form that may be zero has to be the numerator, to the first power, as in a difference of two shares.
    doubtful = [number for number in forms if not field.atoms[number].positive]
    return not doubtful or (len(doubtful) == 1 and signed.get(doubtful[0]) == 1)


def _degree(field: Field, number: int) -> int:
    base = field.atoms[number].base
    if field.atoms[number].is_log or isinstance(base, dict):
        return -1
    totals = {sum(map(int, exponents)) for exponents in base.to_dict()}
    return totals.pop() if len(totals) == 1 else -1


def determinant_of(formulas: Sequence[Expr]) -> tuple[Element, Field]:
    """Return the determinant of the gradients of three formulas by TP, FN and FP.

    :raises UnsupportedError: if one leaves the class that the algebra represents
    """
    field = field_for()
    rows = [[convert(diff(formula, cell), field) for cell in MOVED] for formula in formulas]
    total = field.constant(0)
    for order, sign in ORDERS:
        product = field.constant(sign)
        for row, place in zip(rows, order, strict=True):
            product = field.multiply(product, row[place])
        total = field.add(total, product)
    return field.reduce(total), field


ORDERS: Final = (
    ((0, 1, 2), 1),
    ((1, 2, 0), 1),
    ((2, 0, 1), 1),
    ((2, 1, 0), -1),
    ((1, 0, 2), -1),
    ((0, 2, 1), -1),
)


def written_determinant(formulas: Sequence[Expr]) -> Expr:
    """Return the determinant of the gradients as a formula that nothing was simplified in."""
    rows = [[diff(formula, cell) for cell in MOVED] for formula in formulas]
    return Add(*(Mul(Integer(sign), *(row[k] for row, k in zip(rows, order, strict=True))) for order, sign in ORDERS))


def never_zero(element: Element, field: Field) -> bool:
    """Whether the coefficients of its factors show that a function is zero at no table of positive cells."""
    if element.is_zero:
        return False
    _, signed, absolute = field.factor(element)
    return all(field.atoms[number].positive and not field.atoms[number].is_log for number in signed | absolute)


def one_to_one(scores: Mapping[str, Expr], seconds: float) -> OneToOne | None:
    """Return a proof that some scores fix the table up to scale; None if the theorem does not show it.

    :param scores: formulas by name
    :param seconds: how long the verdict on one determinant may take

    >>> from symmetrics.library import metrics
    >>> found = one_to_one({name: metrics[name].expr for name in ("tpr", "precision", "kappa")}, 30)
    >>> found.verdict.status, list(found.scores)
    ('proved', ['tpr', 'precision', 'kappa'])
    >>> one_to_one({name: metrics[name].expr for name in ("tpr", "tnr", "kappa")}, 30) is None
    True
    """
    for chosen in _candidates(scores):
        formulas = list(chosen.values())
        try:
            element, field = determinant_of(formulas)
            if not never_zero(element, field):
                continue
        except UnsupportedError:
            continue
        product = element_expression(element, field)
        verdict = relate(written_determinant(formulas), product, "equal", seconds=seconds)
        if verdict.status == "proved":
            return OneToOne(chosen, product, verdict)
    return None


@lru_cache(maxsize=1024)
def is_smooth(formula: Expr) -> bool:
    """Whether the coefficients of its denominators and radicands show that a formula has derivatives everywhere."""
    field = field_for()
    try:
        element = convert(formula, field)
    except UnsupportedError:
        return False
    above = [field.atoms[number] for monomial in element.numerator for number, _ in monomial]
    below = [field.atoms[number] for number in element.denominator]
    return (
        not field.conditions
        and all(field.is_positive_base(atom.base) if atom.is_log else atom.positive for atom in above)
        and all(atom.positive and not atom.is_log for atom in below)
    )


def _candidates(scores: Mapping[str, Expr]) -> Iterator[dict[str, Expr]]:
    free = {name: formula for name, formula in scores.items() if is_scale_free(formula) and is_smooth(formula)}
    linear = [name for name, formula in free.items() if is_linear(formula)]
    for first, second in itertools.combinations(linear, 2):
        for third in free:
            if third not in (first, second) and not (third in linear and linear.index(third) < linear.index(second)):
                yield {name: free[name] for name in (first, second, third)}


def check_one_to_one(proof: OneToOne) -> None:
    """Re-verify a proof with SymPy and the checker instead of the code that found it.

    :raises CertificateError: if the scores or the factors are not as the theorem needs them
    """
    first, second, _ = proof.scores.values()
    for formula in (first, second):
        if not _is_linear_by_sympy(formula):
            raise CertificateError(f"{formula} is not shown to be constant on segments; find the proof again")
    for formula in proof.scores.values():
        if not _is_smooth_by_sympy(formula):
            raise CertificateError(f"{formula} is not shown to have derivatives everywhere; find the proof again")
        if prove(Metric("score", formula), "homogeneous").status != "proved":
            raise CertificateError(f"{formula} is not shown to be unchanged by scale; find the proof again")
    check_relation(proof.verdict, written_determinant(list(proof.scores.values())), proof.determinant)
    check_evidence(proof.verdict)
    if proof.verdict.status != "proved":
        raise CertificateError("the determinant is not proved to be the product; find the proof again")
    if not all(map(_is_one_signed, _bases(proof.determinant))):
        raise CertificateError("a factor of the determinant may be zero; find the proof again")


def _bases(product: Expr) -> Iterator[Expr]:
    """Yield the bases of the powers that a product is made of."""
    for one in Mul.make_args(product):
        base, power = one.as_base_exp()
        if not power.is_Rational:
            raise CertificateError(f"the factor {one} of the determinant has no rational power; find the proof again")
        if isinstance(base, Mul):
            yield from _bases(base)
        elif not base.is_number:
            yield base


def _is_one_signed(base: Expr) -> bool:
    """Whether a polynomial is zero nowhere, as its coefficients have one sign."""
    coefficients = Poly(base, *CELLS).coeffs()
    return all(one > 0 for one in coefficients) or all(one < 0 for one in coefficients)


def _is_smooth_by_sympy(formula: Expr) -> bool:
    """Whether denominators, radicands and arguments of logarithms are products of polynomials without zeros."""
    functions = formula.atoms(Function)
    if not all(isinstance(one, log) and all(map(_is_one_signed, _bases(factor(one.args[0])))) for one in functions):
        return False
    powers = [one for one in together(formula).atoms(Pow) if not (one.exp.is_Integer and one.exp.is_positive)]
    bases = [base for one in powers for base in _bases(factor(one.base))]
    return all(base.is_polynomial(*CELLS) and _is_one_signed(base) for base in bases)


def _is_linear_by_sympy(formula: Expr) -> bool:
    """Whether a formula or its square is a power of a ratio of two linear forms, whose denominator is zero nowhere.

    A numerator that may be zero has to stand in it to the first power.
    """
    for whole in (1, 2):
        powers = {
            base: power
            for base, power in factor(together(formula**whole)).as_powers_dict().items()
            if not base.is_number
        }
        if len(powers) != 2 or sum(powers.values()) != 0:
            continue
        if all(base.is_polynomial(*CELLS) and Poly(base, *CELLS).homogeneous_order() == 1 for base in powers):
            doubtful = [base for base in powers if not _is_one_signed(base)]
            return not doubtful or (len(doubtful) == 1 and whole == 1 and powers[doubtful[0]] == 1)
    return False
