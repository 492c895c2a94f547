"""Section 5.7.2 of Tan, Steinbach & Kumar (2006): the ROC curve, and figure 5.42."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from sympy import Integer, Rational, S

from symmetrics.papers.claims import (
    PaperClaim,
    Ruling,
    at,
    by_computation,
    by_number,
    by_verdicts,
    equal,
    identity,
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
