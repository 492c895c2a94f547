"""Verify implications: every walk is followed step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sympy import Expr, S, Symbol, cancel, fraction
from sympy.core.function import AppliedUndef

from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.checker.engine.splits import Signs
from symmetrics.claims.base import Claim
from symmetrics.claims.comparison import value_symbol
from symmetrics.claims.families.limits import STEP, Bounded, FiniteLimit
from symmetrics.claims.theorems.constructions import INCREASING, Chain, Construction, ConstructionTheorem, Loss
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, THE_SAME_EVERYWHERE, Theorem, Walk
from symmetrics.claims.theorems.laws import Instance, Law, image
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.names import CELL_NAMES
from symmetrics.tools.errors import CertificateError

# -- Laws as they are applied: which two tables they are about, and whether two tables are the same --------------------


Laws = Mapping[str, Sequence[Law]]
"""The laws of each premise."""


def applied(step: Instance, premises: Laws) -> tuple[str, Table, Table]:
    """Return the sign and the two tables of an applied law, after checking that all cells are positive."""
    found = [law for law in premises.get(step.premise, ()) if law.label == step.label]
    require(len(found) == 1, f"no premise {step.premise} has a law {step.label!r}")
    first, second = found[0].tables
    variables = set().union(*(entry.free_symbols for entry in (*first, *second)))
    require(variables <= set(step.at), "a variable of a law stands for nothing")
    names = set().union(*(value.free_symbols for value in step.at.values())) - set(CELLS)
    known = Signs((), (*CELLS, *sorted(names, key=str)))
    for value in step.at.values():
        if not known.is_positive(value):
            raise CertificateError(f"{value} is not known to be positive")
    bound = dict(step.at)
    return found[0].sign, image(first, bound), image(second, bound)


def same_table(left: Sequence[Expr], right: Sequence[Expr]) -> bool:
    """Whether two tables, or other formulas one by one, are the same as fractions of polynomials."""
    different = [(one, other) for one, other in zip(left, right, strict=True) if one != other]
    if not different:
        return True
    names = sorted({symbol.name for pair in different for cell in pair for symbol in cell.free_symbols})
    arithmetic = Arithmetic(names, (), {}, ())
    for one, other in different:
        first, second = arithmetic.evaluate(one), arithmetic.evaluate(other)
        if arithmetic.times(first.top, second.bottom) != arithmetic.times(second.top, first.bottom):
            return False
    return True


def require(condition: bool, message: str) -> None:
    """Reject the certificate unless a condition holds."""
    if not condition:
        raise CertificateError(message)


# ----------------------------------------------------------------------------------------------------------------------


def check_implication(theorem: Theorem, premises: Laws, conclusion: Sequence[Law] = ()) -> None:
    """Verify a theorem.

    :param premises: the laws of each premise, as the properties' own records have them
    :param conclusion: those of the conclusion, if it is a property
    :raises CertificateError: if the walks do not establish it
    """
    require(set(premises) == set(theorem.premises), "the premises are others than those of the theorem")
    if theorem.conclusion == IMPOSSIBLE:
        require(len(theorem.walks) == 1, "one walk shows that something is impossible")
        walk = theorem.walks[0]
        end, rises = _end(walk, premises)
        require(rises, "a walk on which M stays the same contradicts nothing")
        require(same_table(walk.start, end), "the walk does not end where it began")
        return
    laws = (THE_SAME_EVERYWHERE,) if theorem.conclusion == CONSTANT else tuple(conclusion)
    require(len(theorem.walks) == len(laws) > 0, "not every law of the conclusion is proved")
    for law, walk in zip(laws, theorem.walks, strict=True):
        first, second = law.tables
        end, rises = _end(walk, premises)
        require(same_table(walk.start, first), "a walk begins at another table than its law")
        require(same_table(end, second), "a walk ends at another table than its law")
        require(
            law.sign == (">" if rises else "="), "a walk rises where M has to stay the same, or the other way round"
        )


def _end(walk: Walk, premises: Laws) -> tuple[Table, bool]:
    """Return where a walk ends, and whether M increases on it."""
    here, rises = walk.start, False
    for step in walk.steps:
        sign, first, second = applied(step, premises)
        require(sign in ("=", ">"), "M is turned into its negative or inverse on a walk")
        require(sign == "=" or step.forward, "a law that says that M rises is applied backwards")
        before, after = (first, second) if step.forward else (second, first)
        require(same_table(here, before), "a law is applied at another table than that which was reached")
        here, rises = after, rises or sign == ">"
    return here, rises


# ----------------------------------------------------------------------------------------------------------------------
# Verify theorems on constructions: every application of a law, and the conclusion from all of them.


def check_construction(theorem: ConstructionTheorem, conclusion: Sequence[Law], premises: Laws) -> None:
    """Verify a theorem.

    :param conclusion: the laws of the property of F[M], as the property's own record has them
    :param premises: those of the properties of M
    :raises CertificateError: if the proof does not establish it
    """
    require(set(premises) == set(theorem.premises), "the premises are others than those of the theorem")
    require(len(theorem.proof) == len(conclusion) > 0, "not every law of the conclusion is proved")
    for law, proof in zip(conclusion, theorem.proof, strict=True):
        check = _check_equation if law.sign == "=" else _check_rise
        check(theorem.construction, law, proof, premises)


def _check_equation(construction: Construction, law: Law, proof: Sequence[object], premises: Laws) -> None:
    """Check an equation: both sides agree once tables at which M is the same share one value."""
    tables = [_image(places, table) for table in law.tables for places in construction.tables]
    same = list(range(len(tables)))
    for chain in proof:
        if not isinstance(chain, Chain) or not (0 <= chain.start < len(same) and 0 <= chain.end < len(same)):
            raise CertificateError("an equation is proved by chains between its tables")
        _check_chain(chain, tables[chain.start], tables[chain.end], premises)
        old, new = same[chain.end], same[chain.start]
        same = [new if place == old else place for place in same]
    half = len(construction.tables)
    sides = [
        construction.combination.xreplace({value_symbol(k): Symbol(f"class{part[k]}") for k in range(half)})
        for part in (same[:half], same[half:])
    ]
    require(sides[0] == sides[1], "both sides of the equation differ for some M")
    left, right = map(construction.measured, law.tables)
    require(same_table(left, right), "a measure of the table differs between both sides")


def _check_chain(chain: Chain, start: Table, end: Table, premises: Laws) -> None:
    here = start
    for step in chain.steps:
        tables = _instance(step, "=", premises)
        before, after = tables if step.forward else tables[::-1]
        require(same_table(here, before), "a law is applied at another table than that which was reached")
        here = after
    require(same_table(here, end), "a chain ends at another table than it says")


def _check_rise(construction: Construction, law: Law, proof: Sequence[object], premises: Laws) -> None:
    """M rises, or stays because the table stays, at every image; and the combination rises with each that does.

    Where measures of the table change, too, they do so after M has risen: the combination must not fall with them.
    """
    require(law.sign == ">", "a law of the conclusion says neither that M stays the same nor that it rises")
    require(len(proof) == len(construction.tables), "a rise is proved at every image of the tables")
    rising = []
    for place, (places, step) in enumerate(zip(construction.tables, proof, strict=True)):
        lower, upper = (_image(places, table) for table in law.tables)
        if step is None:
            require(same_table(lower, upper), "two tables are called the same and differ")
            continue
        if not isinstance(step, Instance):
            raise CertificateError("a rise is proved by laws that say so")
        first, second = _instance(step, ">", premises)
        require(step.forward and same_table(first, lower) and same_table(second, upper), "a law is about other tables")
        rising.append(place)
    require(bool(rising), "nothing rises")
    for place in rising:
        require(_rises_with(construction, value_symbol(place)), f"the combination does not rise with value {place}")
    known = Signs(
        (), sorted({symbol for table in law.tables for cell in table for symbol in cell.free_symbols}, key=str)
    )
    before, after = map(construction.measured, law.tables)
    for (measure, _), one, other in zip(construction.measures, before, after, strict=True):
        follows = any(
            known.is_never_negative(sign * (other - one)) and _rises_with(construction, measure, sign)
            for sign in (1, -1)
        )
        require(follows or same_table([one], [other]), f"the combination may fall with {measure}")


def _rises_with(construction: Construction, value: Symbol, sign: int = 1) -> bool:
    """Whether the combination increases strictly with a value or measure, all others and the constants fixed.

    Its derivative is positive, on an interval, where what the construction asks for is positive.

    :param sign: -1 if it is to decrease
    """
    combination = construction.combination
    if combination.atoms(AppliedUndef):
        return bool(sign > 0 and combination == INCREASING(value))
    slope, positive = sign * combination.diff(value), list[Symbol]()
    for given in construction.positive:
        # What contains the variable changes on the way; a value alone stays positive between two that are.
        if isinstance(given, Symbol) or not given.has(value):
            positive.append(given if isinstance(given, Symbol) else Symbol(f"excess{len(positive)}", real=True))
            slope = slope.xreplace({given: positive[-1]})
    return Signs((), positive).is_positive(slope.doit())


def check_continuity(theorem: ConstructionTheorem, conclusion: Claim) -> None:
    """Verify that F[M] is bounded, or has a finite limit along a curve, because M is or has.

    A polynomial in bounded values and measures is bounded; one in values and measures that converge converges.

    :param conclusion: what the property says of any metric
    :raises CertificateError: if this does not establish it
    """
    construction = theorem.construction
    require(theorem.keeps and not theorem.proof, "nothing but what M has itself is carried over, without further steps")
    values = [value_symbol(place) for place in range(len(construction.tables))]
    variables = [*values, *(symbol for symbol, _ in construction.measures)]
    require(
        not construction.combination.atoms(AppliedUndef) and bool(construction.combination.is_polynomial(*variables)),
        "the combination is no polynomial in the values of M and the measures",
    )
    if isinstance(conclusion, Bounded):
        ends = [1 + sign * formula for _, formula in construction.measures for sign in (1, -1)]
        require(all(map(Signs().is_never_negative, ends)), "a measure may be beyond -1 or 1")
        return
    if not isinstance(conclusion, FiniteLimit) or conclusion.over != CELL_NAMES:
        raise CertificateError("the conclusion is neither that M is bounded nor that it has a limit")
    require(construction.tables == (CELLS,), "M is taken at other tables than those of the curve")
    first, second, third, fourth = conclusion.path
    for formula in construction.measured((first, second, third, fourth)):
        top, bottom = fraction(cancel(formula))
        require(
            top.is_polynomial(STEP)
            and bottom.is_polynomial(STEP)
            and Signs().is_positive(bottom.xreplace({STEP: S.Zero})),
            "a measure may have no finite limit",
        )


def check_loss(loss: Loss, laws: Sequence[Law]) -> None:
    """Verify that F[M] breaks a law that M obeys, unless a constant of F is 0, or M is 0 there.

    :param laws: those of the property, as its own record has them
    :raises CertificateError: if F[M] may have one value at both tables
    """
    construction = loss.construction
    require(construction.tables == (CELLS,), "M is taken at other tables than those of the law")
    first, second = _instance(Instance(loss.property, loss.label, loss.at), "=", {loss.property: laws})
    numbers = not any(cell.free_symbols for table in (first, second) for cell in table)
    require(numbers, "the two tables are not tables of numbers")
    measures = [symbol for symbol, _ in construction.measures]
    sides = [
        construction.combination.xreplace(dict(zip(measures, construction.measured(table), strict=True)))
        for table in (first, second)
    ]
    # One value of M in both: a single term is 0 only where M or a constant is.
    arithmetic = Arithmetic(sorted(symbol.name for symbol in construction.combination.free_symbols), (), {}, ())
    difference = arithmetic.evaluate(sides[0] - sides[1])
    require(len(difference.top) == 1 and difference.bottom.is_ground, "F[M] may have one value at both tables")


def _instance(step: Instance, sign: str, premises: Laws) -> tuple[Table, Table]:
    """Return the two tables of an applied law of a kind."""
    found, first, second = applied(step, premises)
    require(found == sign, "a law is of another kind than the proof needs")
    return first, second


def _image(places: Table, table: Table) -> Table:
    return image(places, dict(zip(CELLS, table, strict=True)))
