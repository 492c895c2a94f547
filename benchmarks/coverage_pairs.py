"""How often does the interval of a difference contain the true one, and does it agree with the p-value?

Two classifiers predict the same examples.  On a share of the examples of each class their predictions differ; of these
the second gets as many right as the first (no difference), or four times as many.  Joint tables are drawn for each
setting, with the intervals and p-values of `sm.compare`.  Where there is no difference, the study counts how often
interval and p-value disagree about 0.  What is kept goes into docs/intervals.md by coverage_page.py.

usage: python benchmarks/coverage_pairs.py [--replicates N] [--only a,b]
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np
from coverage_study import HERE, head, rounded, write
from tqdm import tqdm

import symmetrics as sm
from symmetrics import FN, FP, TN, TP
from symmetrics.evaluation.comparison import reaches_no_difference
from symmetrics.evaluation.sample_sizes import class_shares
from symmetrics.metric.uncertainty import range_of
from symmetrics.statistics.intervals import Formula, Question
from symmetrics.statistics.paired import difference_interval
from symmetrics.statistics.permutations import Outcomes, TestOfPair, permutation_test
from symmetrics.statistics.samples import JointDifference, joint_groups

FILE = HERE / "results" / "coverage_pairs.json"
OWN = sm.Metric("own_quotient", TP / (TP + 7 * FN / 10 + 3 * FP / 10) - FP / (2 * (FP + TN)))
METRICS = ("recall", "accuracy", "precision", "f1", "mcc", "kappa", "gmean", "balanced_accuracy", "own_quotient")
NUMBERS = (100, 300, 1000)
PRIORS = (0.5, 0.2)
DISCORDANCES = (0.01, 0.02, 0.05, 0.1)
GAINS = {"none": 0.0, "second better": 0.6}
"""How many more of the discordant examples the second gets right than the first, as a share of them."""
RATES = (0.8, 0.85)
"""Rates of true positives and of true negatives of the first classifier."""


@dataclass(frozen=True)
class Setting:
    """A true joint table and a number of examples."""

    number: int
    prior: float
    discordance: float
    difference: str

    @property
    def discordant(self) -> float:
        """The expected number of discordant examples."""
        return self.number * self.discordance

    def shares(self) -> np.ndarray:
        """Return the true shares of the entries: of each class both right, only the first, only the second, neither."""
        gain, parts = GAINS[self.difference], []
        for share, right, is_positive in ((self.prior, RATES[0], True), (1 - self.prior, RATES[1], False)):
            up, down = self.discordance * (1 + gain) / 2, self.discordance * (1 - gain) / 2
            row = [right - down, down, up, 1 - right - up]
            parts.append(share * np.array(row if is_positive else row[::-1]))
        return np.concatenate(parts)


SETTINGS = [
    Setting(number, prior, discordance, difference)
    for number in NUMBERS
    for prior in PRIORS
    for discordance in DISCORDANCES
    for difference in GAINS
]


def tested(formula: Formula, tables: np.ndarray) -> list[TestOfPair]:
    return [permutation_test(formula, Outcomes.of_joint(table), draws=10_000, seed=0) for table in tables.T]


def outcome(name: str, setting: Setting, replicates: int) -> dict[str, Any]:
    """Draw tables and count where their intervals lie, and how often these and the p-values disagree."""
    metric = OWN if name == OWN.name else sm.metrics[name]
    formula = Formula(metric.at_defaults(), range_of(metric))
    difference = JointDifference(formula)
    shares = setting.shares()
    true = float(difference.values(shares[:, None])[0])
    random = np.random.default_rng([setting.number, round(1000 * setting.discordance), round(10 * setting.prior)])
    drawn = random.multinomial(setting.number, shares, size=replicates)
    tables, times = np.unique(drawn, axis=0, return_counts=True)
    tables = tables.T.astype(float)
    question = Question()
    found = difference_interval(difference, tables, joint_groups(2, "multinomial"), question)
    low, high = np.array(found.low), np.array(found.high)
    excludes = (low > 0) | (high < 0)
    tests = tested(formula, tables[:, excludes])
    reaches = np.zeros(len(times), dtype=bool)
    reaches[excludes] = [reaches_no_difference(test, question) for test in tests]
    low, high = np.where(reaches, np.minimum(low, 0), low), np.where(reaches, np.maximum(high, 0), high)
    total, margin = times.sum(), 1e-12
    above, below = times[low > true + margin].sum(), times[high < true - margin].sum()
    result = {
        "metric": name,
        **asdict(setting),
        "replicates": int(total),
        "inside": rounded((total - above - below) / total),
        "above": rounded(above / total),
        "below": rounded(below / total),
    }
    if not GAINS[setting.difference]:
        excludes &= ~reaches
        every = np.ones((2, len(times)))  # where the interval holds 0 by far, so does the test
        for place in np.flatnonzero(excludes | near(low, high)):
            test = tested(formula, tables[:, [place]])[0]
            every[:, place] = test.p_value, test.mid_p
        for row, what in zip(every, ("exact", "mid-p"), strict=True):
            result[f"disagrees with {what}"] = rounded(times[(row < 0.05) != excludes].sum() / total)
    return result


PLANNED = {
    **{"recall": (0.9, 0.9), "accuracy": (0.85, 0.92), "precision": (0.85, 0.95)},
    **{"f1": (0.9, 0.92), "mcc": (0.88, 0.93), "kappa": (0.7, 0.8)},
}
"""Rates of the second classifier of a plan, by metric; the first has 0.8 and 0.9, and the prior is 0.3."""


def planned(name: str, replicates: int) -> dict[str, Any]:
    """Return the number of examples of a plan for a power of 0.8, and how often the printed test then rejects."""
    assumed = {"prior": 0.3, "tpr": 0.8, "tnr": 0.9, "against": PLANNED[name]}
    found = sm.plan(name, **assumed, power=0.8)
    metric = sm.metrics[name]
    positive, negative = class_shares((0.8, 0.9), PLANNED[name])
    shares = np.concatenate([0.3 * positive, 0.7 * negative])
    drawn = np.random.default_rng(17).multinomial(found.number, shares, size=replicates)
    tables, times = np.unique(drawn, axis=0, return_counts=True)
    tests = tested(Formula(metric.at_defaults(), range_of(metric)), tables.T.astype(float))
    reached = np.average([test.p_value < 0.05 for test in tests], weights=times)
    return {"metric": name, "number": found.number, "reached": rounded(reached), **found.formulas}


def near(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return which intervals nearly exclude 0: whose shorter side is a quarter of the longer one or less."""
    sides = np.sort([np.abs(low), np.abs(high)], axis=0)
    return np.asarray(sides[0] <= sides[1] / 4)


CLASSES = {"fewer than 5": (0, 5), "5 to 9": (5, 10), "10 to 49": (10, 50), "50 or more": (50, np.inf)}
"""Classes of settings, by the expected number of discordant examples."""
GOAL = (0.935, 0.975)


def section() -> list[str]:
    """Return what the study found, as a section of docs/intervals.md."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    rows = kept["results"]
    percents = _listed([f"{100 * share:g}" for share in DISCORDANCES])
    told = f"""
        Written from `benchmarks/results/{FILE.name}`, of {kept["date"]}. The interval is that of
        `sm.compare`, the p-values those that it prints. Two classifiers with rates of true positives and true
        negatives near {RATES[0]} and {RATES[1]} predict the same {_listed(NUMBERS)} examples, with priors
        {_listed(PRIORS)}. In each class their predictions differ on {percents} % of them, of which the second gets
        as many right as the first, or four times as many. For each of these {len(SETTINGS)} settings
        {rows[0]["replicates"]:,} joint tables are drawn. `own_quotient` is `{OWN.expr}`.

        Coverage of 95 % intervals, in percent, the least and the most over the settings of a class by the
        expected number of discordant examples; of recall only the positive ones count. With fewer than five
        no method comes near 95 %: most samples hold no evidence at all, and an interval that then contains 0
        is right. The last columns say in how many percent of the samples without a difference, at most, the
        interval excludes 0 and the p-value is not below 0.05, or the other way round: by the mid-p value,
        with which the interval is made to agree, and by the exact one, which is larger."""
    lines = ["## Differences of two classifiers", ""]
    lines += [part if part == "" else fill(part, 140) for part in _paragraphs(told)] + [""]
    head = ["metric", *CLASSES, "disagrees with mid-p", "with exact p"]
    table = [head, ["---"] * len(head)]
    for name in METRICS:
        own = [row for row in rows if row["metric"] == name]
        if not own:
            continue
        cells = [f"`{name}`"]
        for low, high in CLASSES.values():
            inside = [row["inside"] for row in own if low <= _discordant(row) < high]
            cells.append(f"{100 * min(inside):.1f} to {100 * max(inside):.1f}" if inside else "")
        most = [max(row.get(f"disagrees with {what}", 0) for row in own) for what in ("mid-p", "exact")]
        table.append([*cells, *(f"{100 * share:.1f}" for share in most)])
    lines += [f"| {' | '.join(cells)} |" for cells in table]
    many = [row for row in rows if _discordant(row) >= 10]
    met = sum(GOAL[0] <= row["inside"] <= GOAL[1] for row in many)
    goal = f"{100 * GOAL[0]:g} to {100 * GOAL[1]:g} %"
    least = 100 * min(row["inside"] for row in rows)
    told = f"""With 10 discordant examples or more expected, {met} of {len(many)} settings are within {goal}; the least
        coverage of all {len(rows)} is {least:.1f} %."""
    power = [["metric", "examples", "power", "Connor", "Miettinen"], ["---"] * 5]
    for row in kept["power"]:
        formulas = (f"{row[author]:,}" if author in row else "" for author in power[0][3:])
        power.append([f"`{row['metric']}`", f"{row['number']:,}", f"{100 * row['reached']:.1f}", *formulas])
    words = """`sm.plan` for a power of 80 % gives these numbers of examples, of two classifiers that err
        independently, with the power in percent of the exact test that `sm.compare` prints, in fresh tables; and what
        the formulas of Connor (1987) and of Miettinen (1968) give for McNemar's test without a correction."""
    return [
        *[*lines, "", *(fill(part, 140) for part in _paragraphs(told)), ""],
        *(fill(part, 140) for part in _paragraphs(words)),
        *["", *(f"| {' | '.join(cells)} |" for cells in power)],
    ]


def _paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text with an empty line between two of them."""
    found = [" ".join(part.split()) for part in text.strip().split("\n\n")]
    return [line for part in found for line in (part, "")][:-1]


def _discordant(row: dict[str, Any]) -> float:
    """Return the expected number of discordant examples; for recall of positive ones."""
    share = row["prior"] if row["metric"] == "recall" else 1.0
    return float(row["number"] * row["discordance"] * share)


def _listed(values: Any) -> str:
    *first, last = map(str, values)
    return f"{', '.join(first)} and {last}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replicates", type=int, default=4000, metavar="N")
    parser.add_argument("--only", default=",".join(METRICS), metavar="a,b")
    parser.add_argument("--file", type=Path, default=FILE)
    arguments = parser.parse_args()
    kept: dict[str, Any] = {"benchmark": "coverage_pairs.py", "results": []}
    if arguments.file.exists():
        kept |= json.loads(arguments.file.read_text(encoding="utf-8"))
    kept |= head()
    chosen = [name for name in arguments.only.split(",") if name]
    kept["results"] = [row for row in kept["results"] if row["metric"] not in chosen]
    kept["power"] = [planned(name, arguments.replicates) for name in PLANNED]
    write(arguments.file, kept)
    for name, setting in tqdm([(name, setting) for name in chosen for setting in SETTINGS], disable=None):
        kept["results"].append(outcome(name, setting, arguments.replicates))
        write(arguments.file, kept)


if __name__ == "__main__":
    main()
