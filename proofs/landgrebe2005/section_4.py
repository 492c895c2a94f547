"""Section 4 of Landgrebe and others (2005), with table 2."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sympy import Rational, S

from symmetrics.language.cells import TP, n
from symmetrics.papers.claims import (
    PaperClaim,
    Ruling,
    by_computation,
    by_number,
    by_verdicts,
    equal,
    has,
    identity,
    rounds_from,
)

from .shared import POSFRAC, PURITY, TARGET, TARGET_PRIOR, TPR, posfrac_of, statement, table_2

# -- section 4 ---------------------------------------------------------------------------------------------------------


def _section_4() -> Iterator[PaperClaim]:
    yield statement(
        "posfrac_and_purity",
        "section 4",
        "equation",
        "POSfrac = TP/N * 1/Purity",
        lambda: equal(POSFRAC, TP / n / PURITY),
    )
    yield statement(
        "posfrac_against_purity",
        "section 4",
        "words",
        "POSfrac and Purity are inversely dependent: a low POSfrac goes with a high Purity, at one TPr",
        lambda: by_verdicts(
            identity(POSFRAC * PURITY, TARGET_PRIOR * TPR),
            note="POSfrac*Purity = P(C_t)*TPr, which is fixed",
        ),
    )
    yield statement(
        "purity_falls_with_fp",
        "section 4",
        "words",
        "keeping TPr, a smaller POSfrac means a larger Purity: fewer false positives raise it",
        lambda: has("precision", "decreasing_fp"),
    )
    yield statement(
        "table_2_problems",
        "table 2, caption",
        "number",
        "four data sets, three class distributions, four classifiers",
        lambda: by_computation(
            len(table_2()) == 4
            and all(len(rows) == 3 and {*map(len, rows.values())} == {4} for rows in table_2().values()),
            f"{', '.join(table_2())}; {', '.join(table_2()['Highleyman'])}; "
            f"{', '.join(table_2()['Highleyman']['0.5'])}",
        ),
    )
    for problem, rows in table_2().items():
        for prior, row in rows.items():
            for classifier, (mean, deviation) in row.items():
                yield from _cell(problem, prior, classifier, mean, deviation)


def _cell(problem: str, prior: str, classifier: str, mean: str, deviation: str) -> Iterator[PaperClaim]:
    key, place = (
        f"table_2_{problem}_{prior}_{classifier}".lower().replace(".", "_"),
        f"table 2, {problem}, {prior}, {classifier}",
    )
    if prior == "0.5":
        yield statement(key, place, "table cell", f"{mean} %", lambda: _possible(mean, prior))
        return
    base = table_2()[problem]["0.5"][classifier]
    yield statement(key, place, "table cell", f"{mean} %", lambda: _follows(mean, base[0], prior))
    yield statement(
        f"{key}_deviation",
        place,
        "table cell",
        f"± {deviation} %",
        lambda: _deviation_follows(deviation, base[1], prior),
    )


def _possible(mean: str, prior: str) -> Ruling:
    least = Rational(prior) * TARGET
    return by_computation(
        bool(least <= rounds_from(mean)[1] and Rational(mean) <= least + 100 * (1 - Rational(prior))),
        f"with 80 % of the targets POSfrac lies between {prior}*80 = {least.n(4)} (FPr = 0) and {(least + 50).n(4)} "
        "(FPr = 100)",
        f"a value between {least} and {least + 50}",
    )


def _follows(mean: str, base: str, prior: str) -> Ruling:
    """Return whether a mean is what equation (5) makes of the one at a prior of 1/2, both of them rounded."""
    fpr = 2 * Rational(base) - 80
    low, high = (posfrac_of(2 * end - 80, prior) for end in rounds_from(base))
    printed = rounds_from(mean)
    evidence = (
        f"from {base} at 0.5: FPr = 2*{base} - 80 = {fpr.n(4)}, {prior}*80 + {1 - Rational(prior).n(4)}*FPr = "
        f"{posfrac_of(fpr, prior).n(5)}, printed {mean} (rounding allows {low.n(5)} to {high.n(5)})"
    )
    return by_computation(
        bool(low <= printed[1] and high >= printed[0]), evidence, f"{posfrac_of(fpr, prior).n(4)}, by equation (5)"
    )


def _deviation_follows(deviation: str, base: str, prior: str) -> Ruling:
    """Return whether a deviation is the one at a prior of 1/2, scaled: by equation (5) POSfrac is linear in FPr."""
    factor = 2 * (1 - Rational(prior))
    low, high = (factor * max(S.Zero, end) for end in rounds_from(base))
    printed = rounds_from(deviation)
    evidence = (
        f"from {base} at 0.5: {factor.n(4)}*{base} = {(factor * Rational(base)).n(4)}, printed {deviation} (rounding "
        f"allows {low.n(4)} to {high.n(4)})"
    )
    right = f"{(factor * Rational(base)).n(3)}, because POSfrac is linear in FPr"
    return by_computation(bool(low <= printed[1] and high >= printed[0]), evidence, right)


# -- section 4.1 -------------------------------------------------------------------------------------------------------


def _section_4_1() -> Iterator[PaperClaim]:
    place = "section 4.1"
    yield statement(
        "one_in_a_thousand",
        place,
        "number",
        "the third prior is one target in a thousand examples",
        lambda: by_number(Rational(1, 1000), "0.001", "1/1000"),
    )
    yield statement(
        "two_gaussians_above_ten",
        place,
        "words",
        "TwoGaussians: POSfrac stays above 10 % for all classifiers at 0.001",
        lambda: _rare("TwoGaussians", lambda row: min(row.values()) > 10),
    )
    yield statement(
        "highleyman_linear_alone",
        place,
        "words",
        "Highleyman: of the four, the linear classifier alone is severely affected",
        lambda: _rare("Highleyman", lambda row: row["LDC"] > 10 > 1 > max(row[c] for c in row if c != "LDC")),
    )
    yield statement(
        "multimodal_over_twenty",
        place,
        "words",
        "Multimodal: the linear and the quadratic classifier have a POSfrac of over 20 % at 0.001",
        lambda: _rare("Multimodal", lambda row: min(row["LDC"], row["QDC"]) > 20),
    )
    yield statement(
        "multimodal_others_better",
        place,
        "words",
        "Multimodal: mixture model and Parzen classifier perform a lot better",
        lambda: _rare("Multimodal", lambda row: 5 * max(row["MOGC"], row["PARZEN"]) < min(row["LDC"], row["QDC"])),
    )
    for problem in ("Multimodal", "Lithuanian"):
        yield statement(
            f"{problem.lower()}_order",
            place,
            "words",
            f"{problem}: the more complex classifiers fare better, LDC > QDC > MOGC > PARZEN in POSfrac at 0.001",
            lambda problem=problem: _rare(problem, lambda row: list(row) == sorted(row, key=lambda c: -row[c])),
        )


def _rare(problem: str, holds: Callable[[dict[str, Rational]], object]) -> Ruling:
    row = {classifier: Rational(mean) for classifier, (mean, _) in table_2()[problem]["0.001"].items()}
    shown = ", ".join(f"{classifier} {mean}" for classifier, (mean, _) in table_2()[problem]["0.001"].items())
    return by_computation(bool(holds(row)), f"table 2: {shown}", shown)


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _section_4()
    yield from _section_4_1()
