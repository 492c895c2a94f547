"""Re-verify verdicts on constant baselines: E[M] is the same at all margins if predictions are random."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import factorial
from typing import Any, Final

from sympy import QQ, And, Eq, Expr, Integer, Or, Rational, S, Symbol, cancel
from sympy.functions.combinatorial.numbers import stirling
from sympy.logic.boolalg import Boolean
from sympy.polys.fields import FracElement
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.coefficients import difference_in
from symmetrics.checker.engine.conditions import check_satisfiable
from symmetrics.checker.engine.ends import is_real_nearly_everywhere
from symmetrics.checker.engine.expansions import UNDEFINED, require_value
from symmetrics.checker.engine.fractions import Arithmetic, factors_of, never_zero
from symmetrics.checker.engine.germs import Limits
from symmetrics.checker.engine.parts import is_open, one_mean, read_part, require_outcome
from symmetrics.checker.engine.requirements import require, require_kind, require_names
from symmetrics.checker.engine.splits import Branch, walk
from symmetrics.checker.engine.values import at_high_precision, is_same, sign_of, value_at
from symmetrics.claims import FiniteLimit, Identity, value_symbol
from symmetrics.claims.families.limits import STEP, ConstantBaseline, ConstantMatrixBaseline
from symmetrics.claims.values import Baseline, Expectation
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, parameter_symbol
from symmetrics.language.formula import RESERVED_PREFIX, parse_formula, parse_number
from symmetrics.language.names import CELL_NAMES
from symmetrics.tools.errors import CertificateError

# -- Means of polynomials in TP at fixed margins, computed from powers and Stirling numbers ----------------------------


NAMES: Final = tuple(RESERVED_PREFIX + name for name in ("k", "n", "P", "OP"))


def has_mean(formula: Expr, value: Rational) -> bool:
    """Whether E[M] is shown to be one number at all margins, by the factorial moments of TP.

    M is a polynomial in TP whose coefficients have products of n, P, N, OP and ON below.  (TP)_j has the mean
    (P)_j*(OP)_j/(n)_j; at n < j no table has (TP)_j other than 0, as (P)_j says, too.

    :raises CertificateError: if the formula is of another kind
    """
    # M at fixed margins, as a polynomial in TP = k over n, P and OP.
    k, n, positives, predicted = map(parameter_symbol, NAMES)
    table = (k, positives - k, predicted - k, n - positives - predicted + k)
    arithmetic = Arithmetic(NAMES, (), {}, ())
    found = arithmetic.evaluate(formula.xreplace(dict(zip(CELLS, table, strict=True))))
    top, bottom = found.top.cancel(found.bottom)
    generators = [arithmetic.symbols[name] for name in NAMES]
    _, size, actual, chosen = generators
    # The denominator has to be a product of margins, which no table of positive probability makes zero.
    left = bottom
    for margin in (size, actual, chosen, size - actual, size - chosen):
        while not left.div(margin)[1]:
            left = left.quo(margin)
    require(left.is_ground, "the formula is no polynomial in TP over products of margins")
    # k**p = sum of S(p, j)*(k)_j with Stirling numbers of the second kind; E[(k)_j] = (P)_j*(OP)_j/(n)_j.
    powers = _in_first(top)
    degree = max(powers, default=0)
    mean = top.ring.zero
    for power, coefficient in powers.items():
        for j in range(power + 1):
            moment = int(stirling(power, j)) * _falling(actual, j) * _falling(chosen, j)
            # Over the one denominator (n)_degree.
            rest = top.ring.one
            for i in range(j, degree):
                rest *= size - i
            mean += coefficient * moment * rest
    number = top.ring.domain(value.p) / top.ring.domain(value.q)
    return bool(mean == bottom * _falling(size, degree) * number)


def _in_first(poly: PolyElement) -> dict[int, PolyElement]:
    """Return the coefficients by powers of the first variable."""
    found: dict[int, PolyElement] = {}
    for exponents, coefficient in poly.terms():
        term = poly.ring({(0, *exponents[1:]): coefficient})
        found[exponents[0]] = found.get(exponents[0], poly.ring.zero) + term
    return found


def _falling(base: PolyElement, times: int) -> PolyElement:
    result = base.ring.one
    for i in range(times):
        result *= base - i
    return result


# ----------------------------------------------------------------------------------------------------------------------


Check = Callable[[Verdict], None]
AnyBaseline = ConstantBaseline | ConstantMatrixBaseline
Sums = tuple[int, ...]
MAX_TOTAL: Final = 40
"""Largest sample size n that a certificate may use."""
MOST_MATRICES: Final = 5000
"""Largest number of matrices over which an expectation is summed."""
MAX_TRIPLES: Final = 40
EMPTY: Final = {"most agreement": (FN, FP), "least agreement": (TP, TN)}
"""Of these cells one is zero at the table with the most, or the least, agreement for given margins."""


def check(verdict: Verdict, claim: AnyBaseline, check_part: Check) -> None:
    """Re-verify the verdict on a constant baseline.

    :param check_part: function that re-verifies the verdict on a part
    """
    kind, data = verdict.evidence.kind, verdict.evidence.data
    # Which evidence can establish which status.
    if isinstance(claim, ConstantMatrixBaseline):
        require_kind(verdict, proved={"affine in matrices"}, refuted={"expectations of matrices"})
        require_names(claim.over, [p.name for p in claim.parameters])
    else:
        refuting = {"expectations", "no expectation", "cases"}
        require_kind(verdict, proved={"affine", "moments"}, refuted=refuting, conditional={"cases"})
    if is_open(verdict, claim):
        return
    is_matrix = isinstance(claim, ConstantMatrixBaseline)
    require(not is_matrix or not claim.parameters, "expectations over matrices do not settle every parameter")
    with at_high_precision():
        condition: Boolean = S.true if verdict.status == "proved" else S.false
        if kind in ("affine", "affine in matrices"):
            _check_affine(verdict, claim, check_part)
        elif kind == "moments":
            require(data == {} and not claim.parameters, "moments are known without parameters, and need no entry")
            value = parse_number(one_mean(verdict))
            is_mean = isinstance(value, Rational) and has_mean(claim.subject, value)
            require(is_mean, "the mean is not always this number")
        # Refutations: two different expectations, or none at all.
        elif kind in ("expectations", "expectations of matrices"):
            _check_expectations(verdict, claim)
        elif kind == "no expectation":
            _check_absence(data, claim, check_part)
            require(verdict.found is None, "there is a value although there is no expectation")
        # By cases of the parameters.
        else:
            condition = _check_cases(data, claim, check_part)
            require(verdict.found is None, "there is one value for all parameters")
    require_outcome(verdict, claim, condition)


def _check_affine(verdict: Verdict, claim: AnyBaseline, check_part: Check) -> None:
    """Check the lemma's conditions, that E[M] exists at some margins, and that it is the claimed number there."""
    data = verdict.evidence.data
    entry = "margins" if isinstance(claim, ConstantMatrixBaseline) else "triple"
    require(set(data) == {"parts", entry}, "an entry is missing, or means nothing")
    # The conditions of the lemma, each an identity of its own.
    if isinstance(claim, ConstantMatrixBaseline):
        parts, example = dict(_stated(claim)), _outer(claim.classes)
    else:
        parts = {"affinity": _affinity(claim), "independence": _independence(claim)}
        example = (Integer(1), Integer(2), Integer(3), Integer(6))
    other = ", or is of something else" if isinstance(claim, ConstantMatrixBaseline) else ""
    require(set(data["parts"]) == set(parts), f"a part of the proof is missing{other}")
    for name, part_claim in parts.items():
        part = read_part(data["parts"][name], part_claim)
        require(part.status == "proved" and part.evidence.kind == "identity", "a part of the proof is not proved")
        check_part(part)
        arithmetic, _ = difference_in(part_claim, part.evidence.data)
        require(not arithmetic.conditions, "the formula is not real everywhere")
    # The claimed mean is the value of M at an independent table.
    over = tuple(symbol.name for symbol in claim.arguments)
    value = parse_formula(one_mean(verdict), [p.name for p in claim.parameters], over)
    require(value.free_symbols.isdisjoint(claim.arguments), "the baseline is no number")
    require_value(value, claim.subject, claim.parameters, over)
    at_the_example = claim.subject.xreplace(dict(zip(claim.arguments, example, strict=True)))
    require(is_same(at_the_example, value), "the baseline has another value")
    # At one pair of margins the expectation exists, for all parameters, and equals the claimed mean.
    numbers = Limits(claim.parameters)
    found = _expectation(claim, _margins(claim, data[entry]), numbers)
    arithmetic = Arithmetic(over, claim.parameters, {}, ())
    for factor in _factors(numbers.assumed, arithmetic):
        require(never_zero(factor, arithmetic), "for some parameters the expectation may not exist")
    gap = numbers.add(found, numbers.multiply(numbers.at(value, {}), Fraction(-1)))
    require(gap == 0 if claim.parameters else sign_of(gap) not in (1, -1), "the expectation is another one")


def _affinity(claim: ConstantBaseline) -> Identity:
    """Return the claim that M is affine in the move that keeps the margins: its second differences vanish."""
    step, direction = parameter_symbol(f"{RESERVED_PREFIX}t"), (1, -1, -1, 1)
    start = [cell + (0 if way > 0 else 2) * step for cell, way in zip(CELLS, direction, strict=True)]
    first, second, third = (
        tuple(cell + count * way * step for cell, way in zip(start, direction, strict=True)) for count in range(3)
    )
    rise, further = (value_symbol(place + 1) - value_symbol(place) for place in (0, 1))
    return Identity(claim.subject, claim.parameters, (first, second, third), (step,), further - rise)


def _independence(claim: ConstantBaseline) -> Identity:
    """Return the claim that M has the same value at all tables with proportional rows."""
    factor = parameter_symbol(f"{RESERVED_PREFIX}a")
    every, one = _proportional(TP, FN, factor), _proportional(Integer(1), Integer(2), Integer(3))
    tables = tuple(tuple(place[cell] for cell in CELLS) for place in (every, one))
    return Identity(claim.subject, claim.parameters, tables, (factor,))


def _proportional(first: Expr, second: Expr, factor: Expr) -> dict[Symbol, Expr]:
    """Return the table whose second row is a multiple of the first."""
    return dict(zip(CELLS, [first, second, factor * first, factor * second], strict=True))


def _stated(claim: ConstantMatrixBaseline) -> Iterator[tuple[str, Identity]]:
    """Yield the identities of the lemma: M is constant on rank-one matrices, and affine at fixed margins."""
    k, entries = claim.classes, claim.arguments
    factors = tuple(parameter_symbol(f"{RESERVED_PREFIX}a{place}") for place in range(2, k + 1))
    rows = [entries[:k], *(tuple(factor * entry for entry in entries[:k]) for factor in factors)]
    rank_one = tuple(cell for row in rows for cell in row)
    yield "independence", Identity(claim.subject, (), (rank_one, _outer(k)), factors, over=claim.over)
    # Moves that keep the margins: plus one at two opposite corners of a rectangle, minus one at the other two.
    t, u = steps = parameter_symbol(f"{RESERVED_PREFIX}t"), parameter_symbol(f"{RESERVED_PREFIX}u")
    first, second, third, fourth = (value_symbol(place) for place in range(4))
    moves = [(row, column) for row in range(2, k + 1) for column in range(2, k + 1)]
    for place, one in enumerate(moves):
        for other in moves[place:]:
            less = dict.fromkeys(range(k * k), Integer(0))
            ways: list[dict[int, Expr]] = []
            for (row, column), step in ((one, t), (other, u)):
                corner, across, down, opposite = 0, column - 1, (row - 1) * k, (row - 1) * k + column - 1
                ways.append({corner: step, opposite: step, across: -step, down: -step})
                for lowered in (across, down):
                    less[lowered] += step
            start = {at: entry + less[at] for at, entry in enumerate(entries)}
            points = tuple(
                tuple(start[at] + sum((way.get(at, Integer(0)) for way in chosen), Integer(0)) for at in start)
                for chosen in ([], ways[1:], ways[:1], ways)
            )
            relation = (first + fourth) - (second + third)
            yield f"affinity {one} {other}", Identity(claim.subject, (), points, steps, relation, over=claim.over)


def _outer(classes: int) -> tuple[Integer, ...]:
    """Return a rank-one example: the outer product of (1, 2, ..., k) and (2, 3, ..., k + 1)."""
    return tuple(Integer(row * column) for row in range(1, classes + 1) for column in range(2, classes + 2))


def _ends(claim: AnyBaseline, name: str) -> list[FiniteLimit]:
    """Return the claims that M has a finite limit as one of two cells, or both, tend to zero."""
    one, other = EMPTY[name]
    paths = (tuple(STEP if cell in zero else cell for cell in CELLS) for zero in ((one,), (other,), (one, other)))
    return [FiniteLimit(claim.subject, claim.parameters, path) for path in paths]


def _check_expectations(verdict: Verdict, claim: AnyBaseline) -> None:
    """Check that the expectations at two margins differ."""
    data = verdict.evidence.data
    is_matrix = isinstance(claim, ConstantMatrixBaseline)
    entry, what = ("margins", "the sums of two matrices") if is_matrix else ("triples", "two triples")
    require(not claim.parameters, "two expectations do not settle every parameter")
    require(set(data) == {entry} and len(data[entry]) == 2, f"there are not {what}")
    margins = [_margins(claim, one) for one in data[entry]]
    numbers = Limits(())
    left, right = (_expectation(claim, one, numbers) for one in margins)
    require(sign_of(numbers.add(left, numbers.multiply(right, Fraction(-1)))) in (1, -1), "no difference is shown")
    if verdict.found is not None:
        require(isinstance(left, Fraction) and isinstance(right, Fraction), "the expectations are not rational")
        expected = (
            Expectation(str(mean), rows=rows, columns=columns)
            if isinstance(claim, ConstantMatrixBaseline)
            else Expectation(str(mean), sum(rows), rows[0], columns[0])
            for mean, (rows, columns) in zip((left, right), margins, strict=True)
        )
        require(verdict.found == Baseline(tuple(expected)), "the expectations are others")


def _check_absence(data: Mapping[str, Any], claim: AnyBaseline, check_part: Check) -> None:
    """Check that M is infinite at one end of every hypergeometric distribution, so that no expectation exists."""
    require(set(data) == {"end", "parts"} and data["end"] in EMPTY, "an entry is missing, or means nothing")
    is_real = is_real_nearly_everywhere(claim.subject, claim.parameters)
    require(is_real, "the formula may be real, and finite, on other ways to a table than the line of the certificate")
    for entry, limit in zip(data["parts"], _ends(claim, data["end"]), strict=True):
        part = read_part(entry, limit)
        divergent = part.status == "refuted" and part.evidence.kind == "divergence"
        require(divergent, "the formula is not shown to be infinite for all tables")
        check_part(part)


def _check_cases(data: Mapping[str, Any], claim: AnyBaseline, check_part: Check) -> Boolean:
    """Return the parameters for which the claim holds: outside the cases, some expectations differ."""
    require(bool(claim.parameters), "there are no parameters")
    require(set(data) == {"triples", "tree", "assumed", "cases"}, "an entry is missing, or means nothing")
    require(2 <= len(data["triples"]) <= MAX_TRIPLES, "there are too few or too many triples")
    # Expectations as fractions in the parameters; their differences have to vanish where the claim holds.
    numbers = Limits(claim.parameters)
    first, *others = (_expectation(claim, _margins(claim, entry), numbers) for entry in data["triples"])
    arithmetic = Arithmetic(CELL_NAMES, claim.parameters, {}, ())
    gaps = [numbers.add(other, numbers.multiply(first, Fraction(-1))) for other in others]
    for gap in gaps:
        require(isinstance(gap, (Fraction, FracElement)), "an expectation is irrational")
    # All solutions of "all numerators vanish".
    numerators = [_numerator(gap, arithmetic) for gap in gaps]
    branches = walk(data["tree"], [poly for poly in numerators if poly], (), arithmetic)
    # Parameters at which an expectation may not exist are branches of their own.
    known = {_polynomial(entry["poly"], arithmetic): entry["tree"] for entry in data["assumed"]}
    require(not any(poly.is_ground for poly in known), "an assumption says nothing")
    for factor in _factors(numbers.assumed, arithmetic):
        tree = known.get(factor.monic())
        if tree is None:
            require(never_zero(factor, arithmetic), "an expectation is not known to exist")
        else:
            branches += walk(tree, [factor], (), arithmetic)
    return _condition_of_cases(data["cases"], branches, claim, check_part)


def _condition_of_cases(
    cases: Sequence[Mapping[str, Any]], branches: Sequence[Branch], claim: AnyBaseline, check_part: Check
) -> Boolean:
    """Check that the cases cover all branches, and combine their verdicts into one condition."""
    places: list[dict[Symbol, Expr]] = []
    conditions = []
    # Each case: values of parameters, with a verdict on the claim there.
    for case in cases:
        require({"at"} <= set(case) <= {"at", "part", "example"} and bool(case["at"]), "a case is not described")
        place = _place(case, claim)
        places.append(place)
        if "part" not in case:
            require(claim.at(place).subject.has(*UNDEFINED), "a case is left out although the formula has values")
            continue
        part = read_part(case["part"], claim.at(place))
        check_part(part)
        require(part.status in ("proved", "refuted"), "a case is not decided")
        if part.status == "proved":
            conditions.append(And(*(Eq(symbol, value) for symbol, value in place.items())))
    # No branch may lie outside the cases.
    for branch in branches:
        require(
            any(_is_in(branch, place) for place in places),
            "parameters are left out at which the expectations may agree",
        )
    return Or(*conditions)


def _place(case: Mapping[str, Any], claim: AnyBaseline) -> dict[Symbol, Expr]:
    """Return the values of parameters in a case: numbers, or polynomials in the others, within their domains."""
    free = [p.name for p in claim.parameters if p.name not in case["at"]]
    values = {p: parse_formula(case["at"][p.name], free) for p in claim.parameters if p.name in case["at"]}
    require(len(values) == len(case["at"]), "a case names something that is no parameter")
    place: dict[Symbol, Expr] = {p.symbol: value for p, value in values.items()}
    known = (value.is_Rational or (value.free_symbols and value.is_polynomial()) for value in values.values())
    require(all(known) and not any(value.free_symbols & set(CELLS) for value in values.values()), "no values of a case")
    numbers = {p: value for p, value in values.items() if value.is_Rational}
    require(all(value in p for p, value in numbers.items()), "a case is outside the domain")
    if len(numbers) < len(values):
        # The case is decided for all values of the other parameters, some of which may lie outside their domains.
        equations = And(*(Eq(symbol, value) for symbol, value in place.items()))
        check_satisfiable(equations, claim.parameters, [case.get("example", {})])
    return place


def _is_in(branch: Branch, place: Mapping[Symbol, Expr]) -> bool:
    """Whether a branch lies in a case: its parameters have the values of that case."""
    return all(cancel((symbol - value).xreplace(branch.values)) == 0 for symbol, value in place.items())


def _margins(claim: AnyBaseline, entry: Sequence[Any]) -> tuple[Sums, Sums]:
    """Read margins: n, P and OP of four cells, or row and column sums of a matrix."""
    if not isinstance(claim, ConstantMatrixBaseline):
        require(len(entry) == 3 and all(type(count) is int for count in entry), "a triple is not three whole numbers")
        n, positives, predicted = entry
        inside = 1 <= positives < n and 1 <= predicted < n <= MAX_TOTAL
        require(inside, "a triple is outside the domain, or too large")
        return (positives, n - positives), (predicted, n - predicted)
    require(len(entry) == 2, "there are not sums of rows and of columns")
    for sums in entry:
        whole = all(type(count) is int and count >= 1 for count in sums)
        require(whole and len(sums) == claim.classes, "sums of rows or columns are not whole numbers of at least 1")
    rows, columns = (tuple(sums) for sums in entry)
    require(sum(rows) == sum(columns) <= MAX_TOTAL, "the sums have different totals, or too large ones")
    return rows, columns


def _expectation(claim: AnyBaseline, margins: tuple[Sums, Sums], numbers: Limits) -> Any:
    """Return the expectation of a formula over all matrices with given margins, after checking that it exists."""
    rows, columns = margins
    ways, total = Fraction(0), factorial(sum(rows))
    mean: Any = Fraction(0)
    for count, matrix in enumerate(_matrices(rows, columns)):
        require(count < MOST_MATRICES, "there are too many matrices with the sums of the certificate")
        weight = _orders(matrix, rows, columns)
        ways += weight
        value = _value(claim, dict(zip(claim.arguments, map(Fraction, matrix), strict=True)), numbers)
        mean = numbers.add(mean, numbers.multiply(Fraction(weight, total), value))
    require(ways == total, "the probabilities do not add up to one")
    return mean


def _value(claim: AnyBaseline, matrix: Mapping[Symbol, Fraction], numbers: Limits) -> Any:
    """Return the value of a formula at a matrix: directly, where it is continuous, or as the limit there."""
    if isinstance(claim, ConstantMatrixBaseline):
        with suppress(CertificateError):
            return value_at(claim.subject, matrix)
    return numbers.at(claim.subject, matrix)


def _orders(matrix: Sequence[int], rows: Sums, columns: Sums) -> int:
    """Return the number of permutations of the predictions that yield a matrix."""
    ways = 1
    for margin in (*rows, *columns):
        ways *= factorial(margin)
    for entry in matrix:
        ways //= factorial(entry)
    return ways


def _matrices(rows: Sums, columns: Sums) -> Iterator[tuple[int, ...]]:
    """Yield all matrices of non-negative integers with given margins, entry by entry."""

    def filled(start: tuple[int, ...], left: Mapping[int, int], rest: int) -> Iterator[tuple[int, ...]]:
        row, column = divmod(len(start), len(columns))
        if row == len(rows):
            yield start
            return
        last = column == len(columns) - 1
        for entry in range(min(rest, left[column]) + 1):
            if last and entry != rest:
                continue
            following = (rows[row + 1] if row + 1 < len(rows) else 0) if last else rest - entry
            yield from filled((*start, entry), {**left, column: left[column] - entry}, following)

    for matrix in filled((), dict(enumerate(columns)), rows[0]):
        if all(sum(matrix[place :: len(columns)]) == column for place, column in enumerate(columns)):
            yield matrix


def _numerator(gap: Any, arithmetic: Arithmetic) -> PolyElement:
    if isinstance(gap, Fraction):
        return arithmetic.ring(QQ(gap.numerator, gap.denominator))
    return _moved(gap.numer, arithmetic)


def _moved(poly: PolyElement, arithmetic: Arithmetic) -> PolyElement:
    """Embed a polynomial in the parameters in a larger ring."""
    total = arithmetic.ring(0)
    for monomial, coefficient in poly.terms():
        term = arithmetic.ring(coefficient)
        for name, power in zip(arithmetic.parameters, monomial, strict=True):
            term *= arithmetic.symbols[name] ** power
        total += term
    return total


def _factors(polys: Mapping[PolyElement, None], arithmetic: Arithmetic) -> list[PolyElement]:
    """Return the irreducible factors of several polynomials."""
    found: dict[PolyElement, None] = {}
    for poly in polys:
        _, factors = factors_of(_moved(poly, arithmetic))
        found |= {factor: None for factor, _ in factors if not factor.is_ground}
    return list(found)


def _polynomial(text: str, arithmetic: Arithmetic) -> PolyElement:
    value = arithmetic.evaluate(parse_formula(text, list(arithmetic.parameters)))
    require(value.bottom == 1 and bool(value.top), "an assumption is not a polynomial")
    return value.top.monic()
