"""The end of section IV.D and the future work of Thai-Nghe, Gantner & Schmidt-Thieme (2011), as experiments.

The undersampling ratio is chosen like any hyperparameter, and B42 and H choose hyperparameters and thresholds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum

import numpy as np

from symmetrics.papers.comparison import Comparison, Judged, judged, section
from symmetrics.papers.linear import CRITERIA, gain_interval, outcome, win_tie_lose
from symmetrics.papers.resampling_results import compared
from symmetrics.papers.validated_sets import Validated

Results = Mapping[str, Sequence[Validated]]
"""The results on data sets, by the criterion that chose the hyperparameters."""
RATIO = "RUS-ratio"


def ratio_as_hyperparameter(treated: Results) -> Comparison:
    """Return the three statements on the undersampling ratio as a hyperparameter, under each criterion."""
    cells = tuple(cell for criterion in CRITERIA for cell in _statements(criterion, treated[criterion]))
    remark = (
        "Section IV.D proposes to search for the best undersampling ratio and says three things of it.  Here the inner "
        "folds choose among 1, 2, 5 and 10 examples of the majority for each of the minority, and all; the outcomes "
        "are wins, ties and losses against the original data by paired t-tests on B42.  A tie is not equality: the "
        "table of the ratio has the intervals.  Memory is that of the examples that the last training holds; the "
        "search itself holds all of them where it tries that."
    )
    return Comparison("Section IV.D, the undersampling ratio as a hyperparameter", cells, (remark,))


def _statements(criterion: str, results: Sequence[Validated]) -> Iterator[Judged]:
    found = [result.outcome(RATIO, "original", "B42") for result in results]
    wins, ties, losses = win_tie_lose(found)
    counts, place = f"{wins}/{ties}/{losses}", f"ratio chosen by {criterion}"
    yield judged(place, counts, "does not significantly improve", wins == 0)
    yield judged(place, counts, "at least does not worsen", losses == 0)
    shares = [_kept(result) for result in results]
    shown = f"{sum(share < 1 for share in shares)} of {len(shares)} data sets, {_percent(fsum(shares) / len(shares))}"
    yield judged(place, f"fewer examples on {shown} kept on average", "can reduce the memory", min(shares) < 1)


def _kept(result: Validated) -> float:
    """Return which share of the examples the training with the chosen ratio holds."""
    return result.mean(RATIO, "training") / result.mean("original", "training")


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def table_of_ratios(treated: Results) -> str:
    """Return what the ratio changes on every data set, with intervals, and how many examples it keeps."""
    rows = []
    for criterion in CRITERIA:
        for result in treated[criterion]:
            before, after = (result.values(key, "B42") for key in ("original", RATIO))
            found = compared(before, after, len(before))
            change = f"{found.difference:+.3f} [{found.low:+.3f}, {found.high:+.3f}]" if found else "no interval"
            rows.append((criterion, result.name, change, outcome(after, before), _percent(_kept(result))))
    below = (
        "B42 with the chosen ratio less that with the original data, with the 95 % interval that allows for training "
        "sets that overlap (Nadeau & Bengio 2003), the outcome of the paired t-test, and the share of examples kept."
    )
    return section("The undersampling ratio as a hyperparameter", ("by", "data set", "B42", "", "kept"), rows, below)


def direct_optimisation(classified: Results, treated: Results) -> str:
    """Return what B42 and H as criteria change: of C on all data sets, of C and the threshold on treated ones."""
    rows = []
    base, *others = CRITERIA
    for criterion in others:
        for classifier in ("LR", "SVM"):
            pairs = zip(classified[criterion], classified[base], strict=True)
            gains = [a.mean(classifier, "B42") - b.mean(classifier, "B42") for a, b in pairs]
            rows.append((f"C of {classifier} by {criterion}, not {base}", "B42", effect(gains)))
    for criterion in CRITERIA:
        for measure in ("B42 at threshold", "TPr", "TNr"):
            gains = [result.gain("threshold", "original", measure) for result in treated[criterion]]
            rows.append((f"threshold of LR by {criterion}, not 0", measure, effect(gains)))
    below = (
        "The paper leaves for the future how to optimise B42 and H directly.  Here they choose C on inner folds, and "
        "the threshold from all scores of these.  Means over the data sets of what that changes, with 95 % intervals "
        f"by the t distribution, on {len(classified[base])} data sets for C and {len(treated[base])} for the "
        "threshold.  B42 at a threshold is that of the predicted labels, which B42 over all thresholds does not see."
    )
    return section("B42 and H as criteria", ("what is chosen", "measure", "change"), rows, below)


def effect(gains: Sequence[float]) -> str:
    """Return a mean, its interval and the mean in standard deviations, as text; of less than two there are none."""
    if len(gains) < 2:
        return ", ".join(f"{gain:+.4f}" for gain in gains) or "no data set"
    mean, low, high = gain_interval(gains)
    spread = float(np.std(gains, ddof=1))
    return f"{mean:+.4f} [{low:+.4f}, {high:+.4f}]" + (f", d = {mean / spread:+.2f}" if spread else "")
