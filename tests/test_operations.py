"""Each record of the table of operations says the truth, about every facet: compared with numbers of 60 digits.

A new operation is a new record, and is tested by its being in the table.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import array_api_strict
import mpmath
import numpy as np
import pytest
from sympy import Float, Symbol, diff

from symmetrics.numeric.arrays import interpreted, slopes_of, with_errors
from symmetrics.numeric.operations import OPERATIONS, Operation
from symmetrics.numeric.precision import Magnitudes, Precision, Signs
from symmetrics.numeric.program import Program
from symmetrics.numeric.rounding_rules import LIBRARY, UNIT, Facts
from symmetrics.numeric.source import assignments

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
DIGITS = 60
EXPONENTS = {"power": (Fraction(1, 3), Fraction(-2), Fraction(7, 2))}
"""An operation with an exponent is looked at for each of these."""
OF_CELLS = {"product_difference"}
"""Operations whose arguments nothing has rounded."""
FACTS = Facts(exponent=1.0, are_nonnegative=True, are_same=False, scales=False)
OF_POSITIVE = {"power", "log_ratio"}
"""Operations whose first arguments are positive wherever a program has them."""
CASES = [(name, exponent) for name in OPERATIONS for exponent in EXPONENTS.get(name, (None,))]


def drawn(name: str, seed: int, size: int = 200) -> Iterator[tuple[float, ...]]:
    """Yield arguments: of both signs, near each other, tiny and large, such as the operation is real at."""
    random = np.random.default_rng(seed)
    for _ in range(size):
        values = np.exp(random.uniform(-20, 20, OPERATIONS[name].arguments)) * random.choice([1, 1, -1])
        values = np.abs(values) if name in OF_POSITIVE else values
        if random.random() < 0.4:
            values[:] = values[0] * (1 + random.choice([0.0, 1e-14, 1e-7, 0.1], len(values)))
        if random.random() < 0.2:
            values = np.rint(values)
        if name == "log_ratio":
            values[2] = values[0] - values[1]
        if exact(name, [mpmath.mpf(float(value)) for value in values]) is not None:
            yield tuple(map(float, values))


def exact(name: str, arguments: list[Any], exponent: Fraction | None = None) -> Any:
    """Return the value to 60 digits, None where there is no real one."""
    numbers = [*arguments, *([] if exponent is None else [mpmath.mpf(exponent.numerator) / exponent.denominator])]
    numbers += [mpmath.mpf(1)] * (name == "power" and exponent is None)
    try:
        value = OPERATIONS[name].expression(*(Float(number, DIGITS) for number in numbers))
    except ZeroDivisionError:
        return None
    return mpmath.mpf(value._mpf_) if value.is_Float else mpmath.mpf(int(value)) if value.is_Integer else None


@pytest.fixture(autouse=True)
def _digits() -> Iterator[None]:
    with mpmath.workdps(DIGITS):
        yield


def program_of(name: str, exponent: Fraction | None) -> tuple[Program, int]:
    """Return an operation on cells, as many as it takes."""
    program = Program()
    cells = [program.add("cell", place) for place in range(OPERATIONS[name].arguments)]
    return program, program.add(name, *cells, *(() if exponent is None else (exponent,)))


def called(operation: Operation, arguments: tuple[Any, ...], exponent: Fraction | None) -> Any:
    extra = [] if exponent is None else [float(exponent)]
    return operation.function(*(np.array([float(value)]) for value in arguments), *extra)[0]


@pytest.mark.parametrize(("name", "exponent"), CASES)
def test_the_function_rounds_as_often_as_it_says(name: str, exponent: Fraction | None) -> None:
    operation = OPERATIONS[name]
    allowed = LIBRARY if operation.rounding > 1 else operation.rounding
    for arguments in drawn(name, 1):
        wanted = exact(name, [mpmath.mpf(value) for value in arguments], exponent)
        if wanted is not None:
            found = called(operation, arguments, exponent)
            lost = 0 if name != "log_ratio" else abs(arguments[0] - arguments[1] - arguments[2])
            assert abs(found - wanted) <= (allowed + lost) * UNIT * abs(wanted) * 1.001, (arguments, found, wanted)


@pytest.mark.parametrize(("name", "exponent"), CASES)
def test_the_source_computes_what_the_function_does(name: str, exponent: Fraction | None) -> None:
    program, place = program_of(name, exponent)
    *_, line = assignments(program, [place])
    scope = {"sqrt": math.sqrt, "log": lambda value: float(np.log(value)), "power": lambda a, b: float(np.power(a, b))}
    scope |= {key: operation.function for key, operation in OPERATIONS.items() if key not in scope and key != "abs"}
    for arguments in drawn(name, 2, 50):
        if exact(name, [mpmath.mpf(value) for value in arguments], exponent) is not None:
            local = dict(zip(("tp", "fn", "fp", "tn"), arguments, strict=False))
            exec(line, scope, local)
            assert local[f"t{place}"] == called(OPERATIONS[name], arguments, exponent), (line, arguments)


@pytest.mark.parametrize(
    "name", [name for name, operation in OPERATIONS.items() if isinstance(operation.function, np.ufunc)]
)
def test_the_array_api_standard_has_it_under_its_name(name: str) -> None:
    function = getattr(array_api_strict, OPERATIONS[name].standard or name)
    for arguments in itertools.islice(drawn(name, 3), 3):
        extra = [array_api_strict.asarray([2.0])] if name in EXPONENTS else []
        found = function(*(array_api_strict.asarray([value]) for value in arguments), *extra)
        assert float(found[0]) == called(OPERATIONS[name], arguments, Fraction(2) if extra else None)


@pytest.mark.parametrize(("name", "exponent"), CASES)
def test_the_signs_are_those_of_values(name: str, exponent: Fraction | None) -> None:
    for arguments in drawn(name, 4):
        value = exact(name, [mpmath.mpf(value) for value in arguments], exponent)
        if value is not None:
            assert int(mpmath.sign(value)) in OPERATIONS[name].signs(*(int(np.sign(a)) for a in arguments)), arguments


@pytest.mark.parametrize(("name", "exponent"), CASES)
@pytest.mark.parametrize("share", [1e-15, 1e-6, 0.05, 0.2, 0.9, 3.0])
def test_the_bound_holds_wherever_the_arguments_are_within_their_errors(
    name: str, exponent: Fraction | None, share: float
) -> None:
    """Shares of a fifth and more need the second order, and near ones make divisors of either sign possible."""
    operation, random = OPERATIONS[name], np.random.default_rng(5)
    tried = 0
    for arguments in drawn(name, 5, 60):
        value = called(operation, arguments, exponent)
        if not np.isfinite(value):
            continue
        errors = [0.0 if name in OF_CELLS else abs(a) * share * random.choice([0, 1]) for a in arguments]
        if name == "log_ratio":
            # The quotient is that of exact sums, and the difference has lost more of its digits.
            errors = [
                min(error, most * abs(a)) for error, a, most in zip(errors, arguments, (1e-9, 1e-9, 0), strict=True)
            ]
            errors[2] = errors[0] + errors[1]
        given = [(np.array([a]), np.array([e])) for a, e in zip(arguments, errors, strict=True)]
        extra = [] if exponent is None else [float(exponent)]
        bound = operation.error(np.array([value]), *given, *extra)[0] + LIBRARY * UNIT * abs(value)
        for signs in itertools.product((-1, 1), repeat=len(arguments)):
            moved = [
                mpmath.mpf(a) + s * mpmath.mpf(e) * 0.999999 for a, s, e in zip(arguments, signs, errors, strict=True)
            ]
            there = exact(name, moved, exponent)
            tried += 1
            if there is None:
                assert not np.isfinite(bound) or bound >= 0  # no value nearby: nothing is claimed of it
            else:
                assert abs(there - mpmath.mpf(float(value))) <= bound * (1 + 1e-9), (arguments, errors, signs, bound)
    assert tried > 50


@pytest.mark.parametrize(("name", "exponent"), CASES)
def test_relative_errors_and_companions_bound_what_rounding_did(name: str, exponent: Fraction | None) -> None:
    """Each argument is made of cells by an accurate sum, or by a difference in which digits are lost."""
    operation, random = OPERATIONS[name], np.random.default_rng(6)
    for cancels in itertools.product((False, True), repeat=operation.arguments):
        program = Program()
        cells = [program.add("cell", place) for place in range(4)]
        third = program.add("number", Fraction(1, 3))
        scaled = [program.add("multiply", cell, third) for cell in cells]
        arguments = [
            program.add("subtract" if does_cancel else "add", scaled[i], scaled[(i + 1) % 4])
            for i, does_cancel in enumerate(cancels)
        ]
        if name == "log_ratio":
            arguments[2] = program.add("subtract", *arguments[:2])
        place = program.add(name, *arguments, *(() if exponent is None else (exponent,)))
        if operation.companion is None and operation.relative([1.0] * operation.arguments, FACTS) is None:
            continue
        precision = Precision(program, place)
        relative = precision.relative(place)
        bound = None if operation.companion is None else precision.companion(place)
        for _ in range(60):
            table = [float(value) for value in np.rint(np.exp(random.uniform(0, 12, 4)))]
            if random.random() < 0.3:
                table[1] = table[0] + 1
            columns = [np.array([value]) for value in table]
            fractions = [Fraction(int(value)) / 3 for value in table]
            given = [fractions[i] + (-1 if does else 1) * fractions[(i + 1) % 4] for i, does in enumerate(cancels)]
            wanted = exact(name, [mpmath.mpf(part.numerator) / part.denominator for part in given], exponent)
            places = [place, *([] if bound is None else [bound.place]), *(g.place for g in precision.guards.values())]
            found = interpreted(program, places, columns, np.float64)
            if (
                wanted is None
                or not np.isfinite(found[place][0])
                or any(found[g.place][0] > 2**40 for g in precision.guards.values())
            ):
                continue
            error = abs(mpmath.mpf(float(found[place][0])) - wanted)
            if relative is not None:
                assert error <= (relative + 0.01) * UNIT * abs(wanted), (table, error, relative)
            if bound is not None:
                assert error <= bound.factor * UNIT * abs(found[bound.place][0]) * 1.001, (table, error)


@pytest.mark.parametrize(("name", "exponent"), CASES)
@pytest.mark.parametrize("k", [1, 8, 20])
def test_values_are_of_the_magnitude_that_is_told(name: str, exponent: Fraction | None, k: int) -> None:
    program, place = program_of(name, exponent)
    random = np.random.default_rng(7)
    precision = Precision(program, place)
    told = [precision.magnitude(place, k)] if OPERATIONS[name].companion is not None else []
    told.append(Magnitudes(program, k, unknown=-53.0).of(place))
    for _ in range(100):
        table = [2.0 ** float(random.choice([-k, k, random.uniform(-k, k)])) for _ in range(4)]
        if name == "log_ratio":
            table[2] = table[0] - table[1]
        value = interpreted(program, [place], [np.array([cell]) for cell in table], np.float64)[place][0]
        if value != 0 and np.isfinite(value) and table[2] != 0:
            size = math.log2(abs(value))
            for low, high in told:
                assert low is None or low - 1e-9 <= size, (table, value, low)
                assert size <= high + 1e-9, (table, value, high)


@pytest.mark.parametrize(("name", "exponent"), [case for case in CASES if OPERATIONS[case[0]].slopes is not None])
def test_slopes_are_derivatives(name: str, exponent: Fraction | None) -> None:
    program, place = program_of(name, exponent)
    count = OPERATIONS[name].arguments
    slopes = slopes_of(program, place, [program.add("cell", place) for place in range(count)])
    variables = [Symbol(f"x{place}", real=True) for place in range(count)]
    formula = OPERATIONS[name].expression(*variables, *(() if exponent is None else (Float(float(exponent), 40),)))
    for arguments in itertools.islice((a for a in drawn(name, 8) if len({*a}) == count and all(a)), 20):
        columns = [np.array([value]) for value in (*arguments, *[1.0] * (4 - count))]
        found = interpreted(program, slopes, columns, np.float64)
        for variable, slope in zip(variables, slopes, strict=True):
            at = dict(zip(variables, (Float(value, 40) for value in arguments), strict=True))
            wanted = float(diff(formula, variable).subs(at).evalf(30))
            assert found[slope][0] == pytest.approx(wanted, rel=1e-12), (arguments, variable)


@pytest.mark.parametrize(("name", "exponent"), CASES)
def test_values_grow_by_the_degree_that_is_told(name: str, exponent: Fraction | None) -> None:
    operation, power = OPERATIONS[name], Fraction(1) if exponent is None else exponent
    for degree in (Fraction(0), Fraction(1), Fraction(2)):
        told = operation.degree([degree] * operation.arguments, power)
        if told is None:
            continue
        for arguments in itertools.islice(drawn(name, 9), 20):
            values = [mpmath.mpf(value) for value in arguments]
            grown = exact(name, [value * 3 ** int(degree) for value in values], exponent)
            here = exact(name, values, exponent)
            if here is not None:
                assert abs(grown - here * mpmath.mpf(3) ** mpmath.mpf(float(told))) <= 1e-12 * abs(grown), arguments
    if operation.arguments > 1 and name not in ("multiply", "divide"):
        assert operation.degree([Fraction(n) for n in range(operation.arguments)], power) is None


@pytest.mark.parametrize("name", [name for name, operation in OPERATIONS.items() if operation.width is not None])
def test_widths_hold_all_digits_of_exact_values(name: str) -> None:
    """A multiple of 2**-g up to 2**h: the smallest and the largest arguments of these widths give the extremes."""
    operation = OPERATIONS[name]
    assert operation.width is not None
    for widths in itertools.product([(0.0, 4.0), (3.0, 1.0), (2.0, 7.0)], repeat=operation.arguments):
        fine, high = operation.width(widths)
        ends = [[2.0**h, -(2.0**h), 2.0**h - 2.0**-g, 2.0**-g] for g, h in widths]
        for arguments in itertools.product(*ends):
            value = Fraction(float(called(operation, arguments, None)))
            assert abs(value) <= Fraction(2) ** int(high), (arguments, widths)
            assert (value * 2 ** int(fine)).denominator == 1, (arguments, widths)


def test_programs_of_several_operations() -> None:
    # Running errors bound programs of several operations.
    program = Program()
    a, b, c = (program.add("cell", place) for place in range(3))
    root = program.add("sqrt", program.add("multiply", a, b))
    place = program.add("divide", program.add("subtract", root, c), program.add("subtract", root, b))
    for a0, b0, c0 in ((3.0, 3.0000001, 3.0), (1e9 + 1, 1e9, 1e9), (2.0, 8.0, 4.0)):
        value, error = with_errors(program, place, [np.array([x]) for x in (a0, b0, c0, 1.0)])
        exact_root = mpmath.sqrt(mpmath.mpf(a0) * mpmath.mpf(b0))
        wanted = (exact_root - c0) / (exact_root - b0)
        assert abs(value[0] - wanted) <= error[0]
    # Signs follow the operations of a program.
    program = Program()
    a, b = program.add("cell", 0), program.add("cell", 1)
    difference, signs = program.add("subtract", a, b), Signs(program)
    assert signs.of(program.add("multiply", difference, difference)) == {0, 1}
    assert signs.of(program.add("multiply", difference, a)) == {-1, 0, 1}
    assert signs.is_nonnegative(program.add("maximum", difference, a))
    # What is commutative says so.
    for name, operation in OPERATIONS.items():
        if operation.arguments == 2:
            pairs = list(itertools.islice(drawn(name, 10), 20))
            same = all(called(operation, pair, None) == called(operation, pair[::-1], None) for pair in pairs)
            assert same == operation.is_commutative, name


@pytest.mark.parametrize("name", [name for name, operation in OPERATIONS.items() if operation.arguments == 1])
def test_values_at_zero_one_and_infinity_are_those_of_the_function(name: str) -> None:
    for exponent in EXPONENTS.get(name, (None,)):
        given = () if exponent is None else (exponent,)
        for argument, value in OPERATIONS[name].ends(*given).items():
            assert called(OPERATIONS[name], (argument,), exponent) == value, (argument, exponent)
    if not OPERATIONS[name].is_real_below_zero:
        assert np.isnan(called(OPERATIONS[name], (-2.0,), EXPONENTS.get(name, (None,))[0]))


@pytest.mark.parametrize(
    "name", [name for name, operation in OPERATIONS.items() if operation.largest([1.0] * 4) < math.inf]
)
def test_a_bound_of_the_value_holds_for_all_smaller_arguments(name: str) -> None:
    for arguments in drawn(name, 9, 50):
        if min(arguments) >= 0:
            value = called(OPERATIONS[name], arguments, None)
            assert value <= OPERATIONS[name].largest([1.5 * argument for argument in arguments]), arguments
