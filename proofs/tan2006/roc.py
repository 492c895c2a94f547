"""Section 5.7.2 of Tan, Steinbach & Kumar (2006): the ROC curve, and figure 5.42."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from sympy import Integer, Poly, Rational, S

from symmetrics.curves import roc_curve
from symmetrics.papers.claims import (
    PaperClaim,
    Ruling,
    at,
    by_computation,
    by_number,
    by_verdicts,
    equal,
    identity,
    no_data,
    unreadable,
    with_reading,
)

from .shared import (
    ALL_NEGATIVE,
    ALL_POSITIVE,
    AREA,
    CHANCE,
    FPR,
    IDEAL,
    RANDOM,
    TPR,
    printed_facts,
    property_verdict,
    statement,
)

# -- pages 298 to 300: the ROC curve -----------------------------------------------------------------------------------


def _roc() -> Iterator[PaperClaim]:
    yield from with_reading(
        statement(
            "point_is_a_model",
            "section 5.7.2, first paragraph",
            "words",
            "each point along the curve is one of the models of the classifier",
            lambda: _points_of_models(halves=True),
        ),
        "each corner of the curve",
        lambda: _points_of_models(halves=False),
    )
    place = "section 5.7.2, critical points"
    points = {
        "all_negative": ("TPR = 0, FPR = 0: every instance is predicted negative", ALL_NEGATIVE, (0, 0)),
        "all_positive": ("TPR = 1, FPR = 1: every instance is predicted positive", ALL_POSITIVE, (1, 1)),
        "ideal": ("TPR = 1, FPR = 0: the ideal model", IDEAL, (1, 0)),
    }
    for key, (printed, table, rates) in points.items():
        yield statement(
            f"point_{key}",
            place,
            "special case",
            printed,
            lambda table=table, rates=rates: by_verdicts(
                identity(at(TPR, table), S(rates[0])), identity(at(FPR, table), S(rates[1]))
            ),
        )
    place = "section 5.7.2, random guessing"
    note = "with the expected counts"
    chance = CHANCE.symbol
    yield statement(
        "random_expected",
        place,
        "words",
        "guessing positive with probability p: p*n_+ positive and p*n_- negative instances are expected among them",
        _expected_guesses,
    )
    yield statement(
        "random_tpr",
        place,
        "equation",
        "TPR = p*n_+/n_+ = p",
        lambda: equal(at(TPR, RANDOM), chance, CHANCE, note=note),
    )
    yield statement(
        "random_fpr",
        place,
        "words",
        "the FPR is p too",
        lambda: equal(at(FPR, RANDOM), chance, CHANCE, note=note),
    )
    yield statement(
        "random_fpr_formula",
        place,
        "equation",
        "the formula of this FPR",
        lambda: unreadable("its denominator is misread"),
    )
    yield statement(
        "random_diagonal",
        place,
        "words",
        "the ROC curve of a random classifier is the main diagonal: TPR = FPR whatever p is",
        lambda: equal(at(TPR, RANDOM), at(FPR, RANDOM), CHANCE, note=note),
    )
    place = "section 5.7.2, area under the curve"
    yield statement(
        "figure_5_41_crossing",
        "section 5.7.2, figure 5.41",
        "words",
        "M1 is better for an FPR below 0.36 and M2 above it, so that neither dominates the other",
        lambda: no_data("figure 5.41 is a drawing: neither the two models nor the points of their curves are printed"),
    )
    yield statement(
        "auc_on_average",
        place,
        "words",
        "the area says which model is better on average: it is the mean of TPR over all FPR",
        lambda: by_verdicts(
            identity(FPR * (TPR / 2) + (1 - FPR) * ((TPR + 1) / 2), AREA),
            note="the curve through one operating point: the mean TPR is TPR/2 up to it and (TPR + 1)/2 beyond it",
        ),
    )
    yield statement(
        "auc_perfect", place, "number", "a perfect model has the area 1", lambda: equal(at(AREA, IDEAL), S.One)
    )
    yield statement(
        "auc_random",
        place,
        "number",
        "random guessing has the area 0.5",
        lambda: equal(at(AREA, RANDOM), S.Half, CHANCE, note=note),
    )
    yield statement(
        "auc_better",
        place,
        "words",
        "a strictly better model has a larger area",
        lambda: by_verdicts(
            property_verdict("auc_single", "increasing_tp"),
            property_verdict("auc_single", "decreasing_fp"),
            note="one operating point; of two curves the upper one has the larger integral",
        ),
    )


def _points_of_models(*, halves: bool) -> Ruling:
    """Ask of points of the curve of figure 5.42 whether a threshold has them.

    :param halves: of the points in the middle between two corners, and not of the corners
    """
    records = _records()
    thresholds = {*(score for score, _ in records), Rational(2)}
    models = {
        tuple(Rational([mark for score, mark in records if score >= cut].count(of_class), 5) for of_class in "-+")
        for cut in thresholds
    }
    corners = sorted(models)
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in itertools.pairwise(corners)]
    missing = [point for point in (middles if halves else corners) if point not in models]
    which = "between two neighbouring corners" if halves else "at the corners"
    example = f"; FPR, TPR = {missing[0]} has none" if missing else ""
    return by_computation(
        not missing,
        f"figure 5.42 has {len(thresholds)} thresholds; of its points {which} {len(missing)} have none{example}",
        "a point between two corners is reached by drawing lots between two models",
    )


def _expected_guesses() -> Ruling:
    """Weight every way to guess on up to six instances by its probability; all instances are of one class."""
    chance = CHANCE.symbol
    for number in range(1, 7):
        ways = itertools.product((0, 1), repeat=number)
        mean = sum(sum(way) * chance ** sum(way) * (1 - chance) ** (number - sum(way)) for way in ways)
        if Poly(mean - number * chance, chance) != Poly(0, chance):
            return by_computation(False, f"{number} instances: {mean}")
    return by_computation(
        True,
        "all ways to guess on n = 1, ..., 6 instances, each with its probability: n*p on average",
        basis="enumeration",
    )


# -- pages 300 and 301: the records of figure 5.42 ---------------------------------------------------------------------


def _figure_5_42() -> Iterator[PaperClaim]:
    columns = printed_facts()["figure5_42"]["columns"]
    counts = [tuple(map(Integer, cells)) for cells in zip(columns["TP"], columns["FP"], strict=True)]
    place = "section 5.7.2, steps 2 to 5"
    yield statement(
        "figure_5_42_starts",
        place,
        "words",
        "at first all five positive and all five negative records are predicted positive, and none at the end",
        lambda: by_computation(
            (counts[0], counts[-1]) == ((5, 5), (0, 0)),
            f"TP, FP = {counts[0]} in the first column and {counts[-1]} in the last",
        ),
    )
    yield statement(
        "figure_5_42_steps",
        place,
        "words",
        "every step takes one from TP, or one from FP, and leaves the other",
        lambda: by_computation(
            all((a[0] - b[0], a[1] - b[1]) in ((1, 0), (0, 1)) for a, b in itertools.pairwise(counts)),
            f"TP, FP = {', '.join(map(str, counts))}",
        ),
    )
    yield from with_reading(
        statement(
            "outputs_continuous",
            "section 5.7.2, generating a curve",
            "words",
            "to draw a ROC curve, the outputs of the classifier have to be continuous",
            lambda: by_computation(
                not _same_by_ranks(),
                "the ranks 1, 2, ... of the scores of figure 5.42, whole numbers, give the same points of the curve",
                "outputs that rank the records suffice",
            ),
        ),
        "the outputs have to rank the records",
        lambda: by_computation(
            _same_by_ranks(), "figure 5.42: the ranks of the scores give the points that the scores give"
        ),
    )
    yield from with_reading(
        statement(
            "roc_procedure",
            place,
            "words",
            "steps 1 to 5, repeated until the highest record is selected, give the columns of figure 5.42",
            lambda: _procedure(counts, after_the_last=False),
        ),
        "with one more step, in which no record is predicted positive",
        lambda: _procedure(counts, after_the_last=True),
    )
    yield from _rows_of_records(columns)
    five = Integer(5)
    for row, working in {
        "TN": lambda tp, fp: (five - fp, f"5 - {fp}"),
        "FN": lambda tp, fp: (five - tp, f"5 - {tp}"),
        "TPR": lambda tp, fp: (tp / five, f"{tp}/5"),
        "FPR": lambda tp, fp: (fp / five, f"{fp}/5"),
    }.items():
        for column, (pair, printed) in enumerate(zip(counts, columns[row], strict=True), 1):
            value, text = working(*pair)
            yield statement(
                f"figure_5_42_{row.lower()}_{column}",
                f"figure 5.42, {row}, column {column}",
                "table cell",
                printed,
                lambda value=value, printed=printed, text=text: by_number(Rational(value), printed, text),
            )


def _same_by_ranks() -> bool:
    """Whether the curve of figure 5.42 stays the same if every score is replaced by its rank."""
    scores, labels = zip(*_records(), strict=True)
    ranks = [sorted({*scores}).index(score) + 1 for score in scores]
    curves = [roc_curve(labels, list(map(float, outputs)), pos_label="+") for outputs in (scores, ranks)]
    first, second = ([*zip(curve.tp.tolist(), curve.fp.tolist(), strict=True)] for curve in curves)
    return first == second


def _procedure(columns: Sequence[tuple[Integer, ...]], *, after_the_last: bool) -> Ruling:
    """Follow the steps as they are written, on the records of the figure."""
    labels = [of_class for _, of_class in sorted(_records(), key=lambda record: record[0])]  # step 1: rising scores
    counts = [(labels.count("+"), labels.count("-"))]  # step 2: from the lowest on, all are positive
    for previous in labels if after_the_last else labels[:-1]:  # steps 3 and 4
        tp, fp = counts[-1]
        counts.append((tp - 1, fp) if previous == "+" else (tp, fp - 1))
    return by_computation(
        counts == [tuple(map(int, pair)) for pair in columns],
        f"10 records are selected one by one: {len(counts)} pairs TP, FP, the last one {counts[-1]}; the figure has "
        f"{len(columns)}, the last one {columns[-1]}",
        "one more step, for (TPR, FPR) = (0, 0)",
    )


def _records() -> list[tuple[Rational, str]]:
    """Return the score and the class of each record, in the printed order."""
    records = printed_facts()["figure5_42"]
    scores = [Rational(str(score)) for score in records["scores"]]
    return list(zip(scores, records["labels"], strict=True))


def _rows_of_records(columns: Mapping[str, list[str]]) -> Iterator[PaperClaim]:
    """Yield the rows of TP and FP, counted over the records from each column on, and what ties make of them."""
    records = _records()
    for row, label in (("TP", "+"), ("FP", "-")):
        for column, printed in enumerate(columns[row], 1):
            value = sum(of_class == label for _, of_class in records[column - 1 :])
            yield statement(
                f"figure_5_42_{row.lower()}_{column}",
                f"figure 5.42, {row}, column {column}",
                "table cell",
                printed,
                lambda value=value, printed=printed, label=label, column=column: by_number(
                    Integer(value), printed, f"records of class {label} from number {column} on"
                ),
            )
    yield from with_reading(
        statement(
            "figure_5_42_thresholds",
            "section 5.7.2, steps 2 to 4, and figure 5.42",
            "words",
            "every column is a threshold: the selected record and those ranked above it are predicted positive",
            _every_column_is_a_threshold,
        ),
        "records of the same score are ranked in the order in which they are listed",
        lambda: by_computation(
            all(first <= second for (first, _), (second, _) in itertools.pairwise(records)),
            "the scores never fall from left to right, so that the order of the columns is one of the rankings",
        ),
    )


def _every_column_is_a_threshold() -> Ruling:
    """A column parts records of one score if the record before its first one has the same score."""
    records = _records()
    parted = [column for column in range(2, len(records) + 1) if records[column - 2][0] == records[column - 1][0]]
    score = float(records[parted[0] - 1][0]) if parted else 0
    return by_computation(
        not parted,
        f"columns {' and '.join(map(str, parted))} part records of the same score, {score:g}: no threshold calls one "
        "of them positive and another one not",
        "without these columns: three records of one score are one step of the curve",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _roc()
    yield from _figure_5_42()
