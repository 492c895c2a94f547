"""Section IV.B and table II of Thai-Nghe, Gantner & Schmidt-Thieme (2011): the data sets and their groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from sympy import Integer, Rational, floor

from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, by_number, with_reading
from symmetrics.papers.linear import win_tie_lose
from symmetrics.papers.thainghe2011.figures import PrintedSet, printed, printed_outcomes, printed_sets

from .__init__ import NETFLIX
from .shared import TABLE_5, of_group, statement

# -- section IV.B ------------------------------------------------------------------------------------------------------


def _data_sets() -> Iterator[PaperClaim]:
    place = "section IV.B"
    yield statement(
        "sources_of_data",
        place,
        "words",
        "the data sets are from the UCI repository and the Netflix Prize",
        _sources,
    )
    yield from with_reading(
        statement(
            "netflix_marks",
            "section IV.B and table I, notes",
            "words",
            "nf-05p is a Netflix data set, as all that begin with nf-, and table I marks these with three asterisks",
            _netflix_marks,
        ),
        "three asterisks at nf-05p",
        _netflix_names,
    )
    yield statement("three_groups", place, "number", "table I has 3 groups of 12", _groups_of_twelve)
    yield statement(
        "minority_is_smaller",
        place,
        "inequality",
        "the minority is the class with the fewest examples",
        _smaller_class,
    )
    yield statement(
        "netflix_data_sets",
        place,
        "number",
        "each movie can be the target, which gives 17,770 data sets",
        lambda: by_number(Integer(NETFLIX["movies"]), "17770", "one per movie"),
    )
    yield from with_reading(
        statement(
            "netflix_features",
            "section IV.B and table V",
            "number",
            "one movie is the target and the others are the features, 17,770 of them",
            partial(_features, 1),
        ),
        "the columns, the target among them",
        partial(_features, 0),
    )
    yield statement(
        "netflix_examples",
        "section IV.B and table V",
        "number",
        "480,189 customers are the examples of the Netflix data sets",
        lambda: by_computation(
            all(int(row[0]) == NETFLIX["customers"] for name, row in TABLE_5.items() if name.startswith("nf-")),
            "table V has 480,189 examples in its five Netflix rows",
        ),
    )
    for row in printed_sets():
        if row.name.startswith("nf-"):
            yield statement(
                f"netflix_share_{row.name.replace('-', '_')}",
                "section IV.B and table I",
                "table cell",
                f"{row.name} is named after its share of the minority",
                partial(_named_after_share, row),
            )
    yield statement("last_five", place, "words", "the last five data sets are not imbalanced", _last_five)


NOTES: Final = {"*": "KDD Cup 1999", "**": "KDD Cup 2009", "***": "Netflix"}
MARKS: Final = {
    **{"r2l": "*", "probe": "*", "appetency": "**", "churn": "**", "nf-05p": "**"},
    **dict.fromkeys(("nf-005p", "nf-1p", "nf-5p", "nf-10p", "nf-20p", "nf-47p"), "***"),
}
"""The notes of table I, and the marks beside the names of data sets."""


def _sources() -> Ruling:
    others = [name for name, mark in MARKS.items() if NOTES[mark] == "KDD Cup 2009" and not name.startswith("nf-")]
    return by_computation(
        not others,
        f"by the note of table I {' and '.join(others)} are of the KDD Cup 2009, which is neither: {len(others)} of "
        f"{len(printed_sets())}; and sentence 4 of the same paragraph takes sets from the library of LIBSVM",
        "and the KDD Cup 2009",
    )


def _netflix_marks() -> Ruling:
    other = [name for name, mark in MARKS.items() if name.startswith("nf-") and NOTES[mark] != "Netflix"]
    return by_computation(
        not other, f"in the text at hand {', '.join(other)} has two asterisks, which stand for the KDD Cup 2009"
    )


def _netflix_names() -> Ruling:
    own, others = TABLE_5["nf-05p"][:3], {row[:3] for name, row in TABLE_5.items() if name.startswith("nf-")}
    return by_computation(
        others == {own},
        f"in table V it has the {int(own[0]):,} examples, {int(own[1]):,} features and {own[2]} of the other four",
    )


def _smaller_class() -> Ruling:
    greatest = max(Rational(row.percent_minority) for row in printed_sets())
    return by_computation(greatest <= 50, f"the greatest share of a minority is {float(greatest)} %")


def _groups_of_twelve() -> Ruling:
    return by_computation(len(printed_sets()) == 3 * 12, f"{len(printed_sets())} = 3·12")


def _features(targets: int) -> Ruling:
    printed_count = {row[1] for name, row in TABLE_5.items() if name.startswith("nf-")}
    count = NETFLIX["movies"] - targets
    return by_computation(
        printed_count == {str(count)},
        f"17,770 movies less {targets} are {count:,}, table V has 17,770",
        "17,769 features",
    )


def _named_after_share(row: PrintedSet) -> Ruling:
    digits = row.name.removeprefix("nf-").removesuffix("p")
    share = Rational(f"{digits[0]}.{digits[1:]}") if digits.startswith("0") else Rational(digits)
    return by_computation(
        share == Rational(row.percent_minority), f"{float(share)} %, printed {row.percent_minority} %"
    )


def _last_five() -> Ruling:
    last = [row.percent_minority for row in printed_sets()[-5:]]
    return by_computation(
        all(47 <= Rational(share) <= 50 for share in last), f"{', '.join(last)} % minority: within 3 of 50 %"
    )


# -- table II ----------------------------------------------------------------------------------------------------------


def _table_2() -> Iterator[PaperClaim]:
    for number, (group, counts) in enumerate(printed()["table2"].items()):
        for measure, row in counts.items():
            shown = "/".join(map(str, row))
            yield statement(
                f"table_2_group_{number + 1}_{measure.lower()}",
                f"table II, {group}, {measure}",
                "table cell",
                f"win/tie/lose is {shown}",
                partial(_outcomes_of_group, number, measure, row),
            )
            yield statement(
                f"table_2_group_{number + 1}_{measure.lower()}_sum",
                f"table II, {group}, {measure}",
                "number",
                f"{shown} are 12 data sets",
                partial(by_number, Integer(sum(row)), "12", " + ".join(map(str, row))),
            )
    yield from with_reading(
        statement(
            "table_2_limits",
            "table II, first columns",
            "words",
            "the groups of 12 reach from 0.02 to 5, from 5 to 30 and from 30 to 49 % minority",
            partial(_group_limits, rounded=False),
        ),
        "in whole percents, lower limits rounded and upper ones cut",
        partial(_group_limits, rounded=True),
    )
    place = "section IV.C"
    yield statement("auc_never_loses", place, "words", "by AUC, LR is at least equal in all three groups", _auc_losses)
    yield statement(
        "b42_shifts", place, "words", "by B42, LR goes from winning to losing as the imbalance increases", _b42_shift
    )
    yield statement(
        "meaning_of_1_8_3", place, "words", "1/8/3: LR wins once, ties 8 times, loses 3 times", _one_eight_three
    )


def _outcomes_of_group(number: int, measure: str, row: Sequence[int]) -> Ruling:
    found = win_tie_lose(of_group(number, printed_outcomes(measure)))
    return by_computation(list(found) == list(row), f"the signs of table I give {'/'.join(map(str, found))}")


def _group_limits(*, rounded: bool) -> Ruling:
    """Judge whether all data sets of a group lie within its limits, as they are or in whole percents."""
    outside = []
    for number, limits in enumerate(printed()["table2_limits"].values()):
        least, most = map(Rational, limits)
        for row in printed_sets()[12 * number : 12 * (number + 1)]:
            share = Rational(row.percent_minority)
            low, high = (floor(share + Rational(1, 2)), floor(share)) if rounded else (share, share)
            if (low < least and number > 0) or high > most:
                outside.append(f"{row.name}, {row.percent_minority} %")
    if rounded:
        return by_computation(not outside, "4.77 rounds to 5, and 49.99 is cut to 49")
    return by_computation(
        not outside,
        f"outside of their groups are {' and '.join(outside)}",
        "0.02 to 4.75, 4.77 to 24.08 and 30.75 to 49.99 % minority, by table I",
    )


def _auc_losses() -> Ruling:
    losses = [row["AUC"][2] for row in printed()["table2"].values()]
    return by_computation(losses == [0, 0, 0], "no loss: 5/7/0, 2/10/0 and 2/10/0")


def _b42_shift() -> Ruling:
    first, _, last = (row["B42"] for row in printed()["table2"].values())
    return by_computation(
        first[0] < first[2] and last[0] > last[2],
        f"nearly balanced {last[0]} wins and {last[2]} losses, highly imbalanced {first[0]} and {first[2]}",
    )


def _one_eight_three() -> Ruling:
    found = win_tie_lose(of_group(0, printed_outcomes("B42")))
    return by_computation(
        found == (1, 8, 3), "table I, group 1, B42: ○ at w1a; ● at allhyper, allrep and anneal; 12 - 1 - 3 = 8 without"
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _data_sets()
    yield from _table_2()
