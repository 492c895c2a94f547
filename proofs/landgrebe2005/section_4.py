"""Section 4 of Landgrebe and others (2005), with table 2."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flint import arb
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
    with_reading,
)

from .figures import least_false_positives
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
        "classifiers_by_complexity",
        "section 4",
        "words",
        "LDC, QDC, mixture and Parzen are in the order of their complexity",
        _parameters,
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


def _parameters() -> Ruling:
    """Count what each classifier has to estimate from examples with two features."""
    features, classes, components, examples = 2, 2, 2, 1500
    covariance = features * (features + 1) // 2
    sizes = {
        "LDC": classes * features + covariance,
        "QDC": classes * (features + covariance),
        "mixture": classes * (components * (features + covariance) + components - 1),
        "Parzen": classes * examples * features,
    }
    return by_computation(
        list(sizes.values()) == sorted(set(sizes.values())),
        f"numbers that are estimated or kept, of {features} features, {classes} classes of {examples} examples and at "
        f"least {components} components: {', '.join(f'{name} {size}' for name, size in sizes.items())}",
    )


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
        "two_gaussians_all_affected",
        place,
        "words",
        "TwoGaussians: the skew has an extreme effect on all classifiers",
        _all_affected,
    )
    yield from with_reading(
        statement(
            "two_gaussians_no_improvement",
            place,
            "words",
            "TwoGaussians: the overlap of the classes allows no improvement",
            lambda: _no_improvement(("LDC", "QDC", "MOGC", "PARZEN")),
        ),
        "on the linear, the quadratic and the Parzen classifier",
        lambda: _no_improvement(("LDC", "QDC", "PARZEN")),
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
    yield statement(
        "lithuanian_similar",
        place,
        "words",
        "Lithuanian: similar results, mixture model and Parzen classifier perform a lot better",
        lambda: _rare("Lithuanian", lambda row: 5 * max(row["MOGC"], row["PARZEN"]) < min(row["LDC"], row["QDC"])),
    )
    for problem in ("Multimodal", "Lithuanian"):
        yield statement(
            f"{problem.lower()}_order",
            place,
            "words",
            f"{problem}: the more complex classifiers fare better, LDC > QDC > MOGC > PARZEN in POSfrac at 0.001",
            lambda problem=problem: _rare(problem, lambda row: list(row) == sorted(row, key=lambda c: -row[c])),
        )


def _all_affected() -> Ruling:
    rows = table_2()["TwoGaussians"]
    ratios = {name: Rational(rows["0.5"][name][0]) / Rational(rows["0.001"][name][0]) for name in rows["0.5"]}
    return by_computation(
        all(bool(ratio < 5) for ratio in ratios.values()),
        "the prior falls by a factor of 500 from 0.5 to 0.001, and POSfrac in table 2 by "
        f"{', '.join(f'{ratio.n(3)} ({name})' for name, ratio in ratios.items())}; extreme is read as less than 5",
    )


def _no_improvement(classifiers: tuple[str, ...]) -> Ruling:
    """Compare POSfrac at the prior 0.001 with the least that the Bayes error of 15.3 % allows."""
    fpr = least_false_positives()
    least = arb("0.08") + arb("0.999") * fpr
    row = table_2()["TwoGaussians"]["0.001"]
    excess = {name: (arb(row[name][0]) - least) / arb(row[name][1]) for name in classifiers}
    return by_computation(
        all(bool(value < 1) for value in excess.values()),
        f"with a Bayes error of 15.3 % the least FPr at a TPr of 80 % is {float(fpr):.2f} %, and POSfrac at 0.001 at "
        f"least {float(least):.2f} %; above it, in deviations of table 2: "
        f"{', '.join(f'{name} {float(value):.1f}' for name, value in excess.items())}",
        "on the linear, the quadratic and the Parzen classifier",
        basis="certified enclosure",
    )


def _rare(problem: str, holds: Callable[[dict[str, Rational]], object]) -> Ruling:
    row = {classifier: Rational(mean) for classifier, (mean, _) in table_2()[problem]["0.001"].items()}
    shown = ", ".join(f"{classifier} {mean}" for classifier, (mean, _) in table_2()[problem]["0.001"].items())
    return by_computation(bool(holds(row)), f"table 2: {shown}", shown)


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _section_4()
    yield from _section_4_1()
