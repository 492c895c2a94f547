"""Section 3 of Branco, Torgo & Ribeiro (2017): three cases, and tables 2 and 3."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

from sympy import Rational

from symmetrics.matrices.expansion import entry_symbols
from symmetrics.papers.branco2017 import experiment
from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, by_number, with_reading

from .formulas import compared, printed_formula
from .shared import METRICS, SUITABLE, claims_of_table, exact_value, normalised_values, refuted_if_proved, statement

# -- tables 2 and 3 ----------------------------------------------------------------------------------------------------


def _table_2() -> Iterator[PaperClaim]:
    yield from claims_of_table(2, {})


def _table_3() -> Iterator[PaperClaim]:
    yield from claims_of_table(3, {})
    yield statement(
        "no_metric_is_suitable",
        "section 3 and table 3",
        "words",
        "no metric gives reliable results in all three cases",
        lambda: by_computation(
            not any(all(marks) for marks in SUITABLE.values()),
            "every row of table 3 has a sign of misleading; MAvG, suitable twice, has it in case 1",
        ),
    )


# -- section 3 ---------------------------------------------------------------------------------------------------------


def _cases() -> Iterator[PaperClaim]:
    yield from with_reading(
        statement(
            "three_kinds",
            "section 3",
            "words",
            "imbalanced problems fall into three groups: one class above the mean size, one below it, several of both",
            partial(_kinds, exactly=True),
        ),
        "each is of at least one of the three kinds",
        partial(_kinds, exactly=False),
    )
    for number, (scenario, above, below) in enumerate(
        (("multi-minority", 1, 2), ("multi-majority", None, None), ("complete", 2, 2)), start=1
    ):
        yield statement(
            f"case_{number}_scenario",
            f"section 3, case {number}",
            "words",
            f"case {number} is {scenario}",
            partial(_scenario, number, above, below),
        )
    for number, words, right, wrong in (
        (1, "the two minority classes are right, the majority is completely wrong", (0, 1), (2,)),
        (2, "both majority classes are right, the minority is mostly wrong", (1, 2), (0,)),
        (3, "the two majority classes are right, both minorities are mostly wrong", (2, 3), (0, 1)),
    ):
        yield statement(
            f"case_{number}_predictions",
            f"section 3, case {number}",
            "words",
            words,
            partial(_predictions, number, right, wrong),
        )
    yield statement(
        "generally_misleading",
        "section 3 and table 3",
        "words",
        "in general the metrics fail to represent the preferences, by a value too high or too low",
        _mostly_misleading,
    )
    yield statement(
        "case_1_mavg",
        "section 3",
        "number",
        "in case 1 MAvG is 0 although the recall of both minorities is perfect",
        lambda: by_number(exact_value("MAvG", experiment.cases()[0].matrix), "0", "cube root of 1·1·0"),
    )
    yield statement(
        "case_1_below_45",
        "section 3",
        "words",
        "in case 1 the other misleading metrics are about 45 % or less",
        _below_45,
    )
    yield statement(
        "case_2_exceptions",
        "section 3 and table 3",
        "words",
        "in case 2 all metrics but MAvG, CBA, Prec_M and Prec_μ are misleading",
        _exceptions,
    )
    yield from with_reading(
        statement(
            "case_2_over_estimate",
            "section 3 and table 3",
            "words",
            "in case 2 a metric misleads by over-estimating the matrix: the suitable ones have the lower values",
            partial(_suitable_are_lower, frozenset()),
        ),
        "of the metrics that are not based on precision",
        partial(_suitable_are_lower, frozenset({"Prec_M", "Prec_mu"})),
    )
    yield statement(
        "case_2_prec_mu",
        "section 3 and table 3",
        "words",
        "in case 2 Rec_μ and F_1μ over-estimate the matrix and mislead, and Prec_μ is suitable",
        _prec_mu,
    )
    yield from with_reading(
        statement(
            "case_3_unable",
            "section 3 and table 3",
            "words",
            "in case 3 the metrics cannot show that both minorities are mostly wrong",
            partial(_unable, frozenset()),
        ),
        "all but MAvG",
        partial(_unable, frozenset({"MAvG"})),
    )
    yield statement(
        "case_3_high",
        "section 3",
        "words",
        "in case 3 most metrics have a high or moderate normalised value",
        _moderate,
    )


def _kinds(*, exactly: bool) -> Ruling:
    """Go through all sizes up to 6 of 3 to 5 classes that are not all alike; above and below stand for ≫ and ≪."""
    problems = [
        sizes
        for classes in (3, 4, 5)
        for sizes in itertools.combinations_with_replacement(range(1, 7), classes)
        if len(set(sizes)) > 1
    ]
    failing = [sizes for sizes in problems if (len(_kinds_of(sizes)) != 1 if exactly else not _kinds_of(sizes))]
    shown = (
        f"{'-'.join(map(str, failing[0]))} is {' and '.join(_kinds_of(failing[0])) or 'of no kind'}; "
        if failing
        else ""
    )
    return by_computation(
        not failing,
        f"{shown}of {len(problems)} problems with 3 to 5 classes of 1 to 6 examples {len(failing)} are not of "
        f"{'exactly' if exactly else 'at least'} one kind",
        "the kinds overlap",
        basis="enumeration",
    )


def _kinds_of(sizes: Sequence[int]) -> list[str]:
    above, below = (sum(sign * (len(sizes) * size - sum(sizes)) > 0 for size in sizes) for sign in (1, -1))
    kinds = {"multi-minority": above == 1, "multi-majority": below == 1, "complete": above > 1 and below > 1}
    return [kind for kind, holds in kinds.items() if holds]


def _sizes(number: int) -> list[int]:
    return [sum(row) for row in experiment.cases()[number - 1].matrix]


def _scenario(number: int, above: int | None, below: int | None) -> Ruling:
    sizes = _sizes(number)
    mean = Fraction(sum(sizes), len(sizes))
    evidence = f"the classes have {', '.join(map(str, sizes))} examples, {float(mean):.1f} on average"
    if above is None or below is None:
        others = sorted(sizes)[1:]
        return by_computation(25 * sizes[0] <= others[0], f"{evidence}: one class is far smaller than all others")
    found = sum(size > mean for size in sizes), sum(size < mean for size in sizes)
    return by_computation(found == (above, below), f"{evidence}: {above} above, {below} below")


def _predictions(number: int, right: Sequence[int], wrong: Sequence[int]) -> Ruling:
    matrix = experiment.cases()[number - 1].matrix
    recalls = [Fraction(row[place], sum(row)) for place, row in enumerate(matrix)]
    good = all(recalls[place] == 1 for place in right) and all(recalls[place] <= Fraction(1, 4) for place in wrong)
    return by_computation(good, f"the recalls are {', '.join(map(str, recalls))}")


def _mostly_misleading() -> Ruling:
    suitable = sum(map(sum, SUITABLE.values()))
    return by_computation(
        2 * suitable < 3 * len(METRICS),
        f"table 3 marks {3 * len(METRICS) - suitable} of {3 * len(METRICS)} as misleading",
    )


def _unable(but_for: frozenset[str]) -> Ruling:
    suitable = {name for name, marks in SUITABLE.items() if marks[2]}
    return by_computation(
        suitable == but_for,
        f"in case 3 table 3 marks {', '.join(sorted(suitable))} as suitable and the other "
        f"{len(METRICS) - len(suitable)} as misleading",
    )


def _below_45() -> Ruling:
    misleading = [name for name in METRICS if name != "MAvG" and not SUITABLE.get(name, (False,))[0]]
    values = {name: normalised_values(5, name)[0] for name in misleading}
    return by_computation(
        all(Rational(value) < Rational(91, 2) for value in values.values()),
        ", ".join(f"{name} {value}" for name, value in values.items())
        + ": from table 5 where table 3 has no value; at most 45.4",
    )


def _exceptions() -> Ruling:
    suitable = {name for name, marks in SUITABLE.items() if marks[1]}
    return by_computation(
        suitable == {"MAvG", "CBA", "Prec_M", "Prec_mu"}, f"table 3 has as suitable {', '.join(sorted(suitable))}"
    )


def _suitable_are_lower(left_out: frozenset[str]) -> Ruling:
    values = {name: Rational(normalised_values(3, name)[1]) for name in METRICS if name not in left_out}
    suitable = {name: value for name, value in values.items() if SUITABLE.get(name, (False,) * 3)[1]}
    highest = max(suitable, key=lambda name: suitable[name])
    lowest = min(values.keys() - suitable.keys(), key=lambda name: values[name])
    return by_computation(
        suitable[highest] < values[lowest],
        f"the highest of the suitable ones is {highest}, {float(suitable[highest])} %, the lowest of the misleading "
        f"ones {lowest}, {float(values[lowest])} %",
        "precision is high in case 2, and is called suitable",
    )


def _prec_mu() -> Ruling:
    entries = entry_symbols(3)
    values = {exact_value(name, experiment.cases()[1].matrix) for name in ("Rec_mu", "Prec_mu", "F1_mu")}
    return refuted_if_proved(
        values == {Rational(301, 304)} and SUITABLE["Prec_mu"][1] and "Rec_mu" not in SUITABLE,
        "Rec_μ = Prec_μ = F_1μ = (1 + 100 + 200)/304 = 0.990 in case 2; table 3 prints 99.0 for the three and has two "
        "of them as misleading, one as suitable",
        "the three are equal for every matrix (proved for 3 classes), so that none is more suitable than the others",
        compared(printed_formula("Rec_mu", entries), printed_formula("Prec_mu", entries)),
        compared(printed_formula("Rec_mu", entries), printed_formula("F1_mu", entries)),
    )


def _moderate() -> Ruling:
    values = {name: Rational(normalised_values(3, name)[2]) for name in METRICS}
    high = [name for name, value in values.items() if value >= 50]
    return by_computation(
        len(high) == 12, f"{len(high)} of {len(values)} are 55 % or more; MAvG is {float(values['MAvG'])}"
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _table_2()
    yield from _table_3()
    yield from _cases()
