"""Verify implications: every walk is followed step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sympy import Symbol
from sympy.core.function import AppliedUndef

from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.checker.engine.splits import Signs
from symmetrics.claims.comparison import value_symbol
from symmetrics.claims.theorems.constructions import INCREASING, Chain, Construction, ConstructionTheorem
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, THE_SAME_EVERYWHERE, Theorem, Walk
from symmetrics.claims.theorems.laws import Instance, Law, image
from symmetrics.language.cells import CELLS, Table
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


def same_table(left: Table, right: Table) -> bool:
    """Whether two tables are equal, as fractions of polynomials."""
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


def _check_chain(chain: Chain, start: Table, end: Table, premises: Laws) -> None:
    here = start
    for step in chain.steps:
        tables = _instance(step, "=", premises)
        before, after = tables if step.forward else tables[::-1]
        require(same_table(here, before), "a law is applied at another table than that which was reached")
        here = after
    require(same_table(here, end), "a chain ends at another table than it says")


def _check_rise(construction: Construction, law: Law, proof: Sequence[object], premises: Laws) -> None:
    """Check an increase: at every image M increases or the table stays; the combination increases with each M."""
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


def _rises_with(construction: Construction, value: Symbol) -> bool:
    """Whether the combination increases strictly in one value of M, with the others and the constants fixed.

    Its derivative is positive, on an interval, where what the construction asks for is positive.
    """
    combination = construction.combination
    if combination.atoms(AppliedUndef):
        return bool(combination == INCREASING(value))
    slope, positive = combination.diff(value), []
    for given in construction.positive:
        if isinstance(given, Symbol):
            positive.append(given)
            continue
        # upper - c > 0: upper is c plus a positive term.
        excess = Symbol(f"excess{len(positive)}", real=True)
        top = next((term for term in given.args if isinstance(term, Symbol)), None)
        if top is None:
            return False
        if given.has(value):
            return False
        slope = slope.xreplace({top: top + excess - given})
        positive.append(excess)
    return Signs((), positive).is_positive(slope.doit())


def _instance(step: Instance, sign: str, premises: Laws) -> tuple[Table, Table]:
    """Return the two tables of an applied law of a kind."""
    found, first, second = applied(step, premises)
    require(found == sign, "a law is of another kind than the proof needs")
    return first, second


def _image(places: Table, table: Table) -> Table:
    return image(places, dict(zip(CELLS, table, strict=True)))
