"""Section 5.1 of Branco, Torgo & Ribeiro (2017): 16 real data sets, of which two are at hand."""

from __future__ import annotations

from collections.abc import Iterator

from symmetrics.papers.branco2017 import experiment
from symmetrics.papers.branco2017.discriminating import PAIRS
from symmetrics.papers.branco2017.real_data import not_at_hand, recorded, relevances_of
from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, no_data

from .shared import statement

PLACE = "section 5.1"


def _real_data() -> Iterator[PaperClaim]:
    yield statement("real_data_sets", PLACE, "words", "the metrics are tested on 16 real data sets", _sets)
    yield statement(
        "real_data_differences", PLACE, "words", "on the real data sets the results of the metrics differ", _differences
    )


def _sets() -> Ruling:
    missing = not_at_hand()
    return no_data(
        "the paper prints neither their names nor a number; by the authors' repository contraceptive and splice are "
        f"among them, which are computed (real_data_differences), and {len(missing)} that are not at hand with all "
        f"their classes: {', '.join(missing)}"
    )


def _differences() -> Ruling:
    """Compare each metric with a relevance and without on the matrices of three learners on two of the sets."""
    found = [
        (name, learner, experiment.percents(matrix, relevances_of(name, matrix)))
        for name, learner, matrix in recorded()
    ]
    gaps = [
        (values[f"{metric}^{mechanism}"] - values[plain], f"{metric}^{mechanism} on {name} by {learner}")
        for name, learner, values in found
        for metric, plain in PAIRS.items()
        for mechanism in experiment.MECHANISMS
    ]
    least, most = (choice(gaps, key=lambda gap: abs(gap[0])) for choice in (min, max))
    of = {learner: values for name, learner, values in found if name == "contraceptive"}
    recalls = [float(of[learner][metric]) for metric in ("Rec_M", "Rec^phi") for learner in ("SVM", "naive Bayes")]
    return by_computation(
        all(gap != 0 for gap, _ in gaps),
        f"on contraceptive and splice, with learners of scikit-learn: all {len(gaps)} values with a relevance differ "
        f"from those without, by {float(abs(least[0])):.3f} percentage points ({least[1]}) up to "
        f"{float(abs(most[0])):.1f} ({most[1]}); on contraceptive Rec_M has the SVM ahead of naive Bayes, "
        f"{recalls[0]:.1f} and {recalls[1]:.1f} %, Rec^φ naive Bayes, {recalls[3]:.1f} and {recalls[2]:.1f} %",
        basis="statistics",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _real_data()
