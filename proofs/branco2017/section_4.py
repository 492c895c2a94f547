"""Sections 4.1 and 4.2 of Branco, Torgo & Ribeiro (2017): metrics with relevances, and where these come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from sympy import Add, Expr, Integer, Max, Rational, S, Symbol, symbols

import symmetrics as sm
from symmetrics import FN, FP, TP
from symmetrics.matrices import multiclass
from symmetrics.matrices.expansion import entry_symbols
from symmetrics.papers.branco2017 import experiment
from symmetrics.papers.claims import (
    PaperClaim,
    Ruling,
    at_least,
    by_computation,
    by_number,
    by_verdicts,
    equal,
    identity,
    with_reading,
    within,
)

from .formulas import (
    BY_NAME,
    F_BETA,
    compared,
    definition_agrees,
    f_of,
    per_class,
    precision_of,
    recall_of,
    reduction_holds,
)
from .shared import refuted_if_proved, slug, statement

# -- section 4.1 -------------------------------------------------------------------------------------------------------


def _weight_grows() -> Ruling:
    relevance, others, added = over = symbols("phi others added", real=True)
    more = relevance + added
    return at_least(more / (more + others), relevance / (relevance + others), strict=True, over=over)


def _framework() -> Iterator[PaperClaim]:
    yield statement(
        "weight_grows",
        "section 4.1",
        "inequality",
        "the more important a class, the larger its weight φ(i)/Σφ",
        _weight_grows,
    )
    for number, name, key in ((4, "Rec", "mean recall"), (5, "Prec", "mean precision"), (7, "AvF1", "mean F1")):
        yield statement(
            f"equation_{number}_uniform",
            f"section 4.1, equation ({number})",
            "special case",
            f"with the same relevance for all classes {name}^φ is the macro-average of table 1",
            partial(reduction_holds, f"{key} at uniform relevance, k=3"),
        )
        yield statement(
            f"equation_{number}_scale",
            f"section 4.1, equation ({number})",
            "equation",
            f"{name}^φ does not depend on the scale of φ",
            partial(_scale, name),
        )
        yield statement(
            f"equation_{number}_range",
            f"section 4.1, equation ({number})",
            "inequality",
            f"{name}^φ is within [0, 1]",
            partial(_weighted_range, name),
        )
    yield statement(
        "equation_6",
        "section 4.1, equation (6)",
        "two forms",
        "F_β^φ = (1 + β²)·Prec^φ·Rec^φ/(β²·Prec^φ + Rec^φ), which is F_βM with the same relevance for all",
        lambda: definition_agrees("F1_M"),
    )
    yield statement(
        "equation_7_two_forms",
        "section 4.1, equation (7)",
        "two forms",
        "(1 + β²)·precision·recall/(β²·precision + recall) = (1 + β²)·tp/(β²·t + p)",
        lambda: equal(
            f_of(TP / (TP + FP), TP / (TP + FN)),
            F_BETA,
            *sm.metrics["f_beta"].parameters,
            note="where the first form is defined; the second one is 0 where tp = 0",
        ),
    )
    yield statement(
        "equation_8",
        "section 4.1, equation (8)",
        "equation",
        "CBA^φ = Σ φ(i)·mat_ii/max(Σ_j mat_ij, Σ_j mat_ji), a weighted CBA",
        _equation_8,
    )


_BODIES: Final = {"Rec": recall_of, "Prec": precision_of, "AvF1": lambda tp, t, p: 2 * tp / (t + p)}


def _weights(scale: object = 1) -> list[Expr]:
    return [scale * Symbol(f"phi_{number}", real=True) for number in (1, 2, 3)]


def _weighted(values: Sequence[Expr], weights: Sequence[Expr]) -> Expr:
    return Add(*(weight * value for weight, value in zip(weights, values, strict=True))) / Add(*weights)


def _scale(name: str) -> Ruling:
    values = per_class(entry_symbols(3), _BODIES[name])
    return by_verdicts(compared(_weighted(values, _weights()), _weighted(values, _weights(Symbol("x", real=True)))))


def _weighted_range(name: str) -> Ruling:
    body = {"Rec": TP / (TP + FN), "Prec": TP / (TP + FP), "AvF1": 2 * TP / (2 * TP + FN + FP)}[name]
    ruling = within(body, 0, 1)
    return Ruling(ruling.outcome, f"the value of each class is, and the weights are shares: {ruling.evidence}")


def _equation_8() -> Ruling:
    entries, weights = entry_symbols(3), _weights()
    values = per_class(entries, lambda tp, t, p: tp / Max(t, p, evaluate=False))
    ours = multiclass["cba"].expr(3, average=weights)
    printed = Rational(1) + Rational(9, 10) * Rational(10, 310)
    divided = multiclass["cba"].exact(experiment.cases()[0].matrix, average=[1, Rational(9, 10), Rational(1, 10)])
    return refuted_if_proved(
        printed > 1 and printed / 2 == divided,
        "case 1 with φ = 1, 0.9, 0.1: 1·5/5 + 0.9·10/310 + 0.1·0/300 = 1.029, above 1; table 5 has 51.5 %.  With "
        "φ = 1 for all of C classes it is C times CBA",
        "divide by Σφ: 1.029/(1 + 0.9 + 0.1) = 0.515; then φ the same for all gives CBA (proved for 3 classes)",
        compared(_weighted(values, weights), ours),
        BY_NAME["CBA at uniform relevance, k=3"].decide(),
    )


# -- section 4.2 -------------------------------------------------------------------------------------------------------


def _mechanisms() -> Iterator[PaperClaim]:
    place = "section 4.2, equation (9)"
    yield statement("equation_9_sum", place, "equation", "the relevances by prevalence sum to 1", _prevalence_sum)
    yield statement(
        "equation_9_inverse",
        place,
        "equation",
        "the relevance by prevalence is inversely proportional to the number of examples",
        _prevalence_inverse,
    )
    place = "section 4.2, US-model"
    yield statement(
        "rank_two_forms", place, "two forms", "Rank(X) = ((|S| + 1) + (|P| + 1) + |U|)/2 = |S| + 1 + |U|/2", _rank_forms
    )
    yield statement(
        "nodes_of_figure_1",
        "section 4.2, figure 1",
        "number",
        "of 7 classes E has 2 successors, 1 predecessor and 3 incomparable ones",
        lambda: by_number(Integer(1 + 2 + 1 + 3), "7", "E itself + 2 + 1 + 3"),
    )
    for cell in experiment._figure_1().cells:
        yield statement(
            f"figure_1_{slug(cell.place)}",
            "section 4.2, figure 1",
            "number",
            f"{cell.place}: {cell.printed}",
            partial(by_number, cell.ours, cell.printed, "2 + 1 + 3/2" if "rank" in cell.place else ""),
        )
    yield from with_reading(
        statement(
            "rank_of_cited_model",
            "section 4.2, figure 1",
            "number",
            "by the local partial order model of the work that is cited, the estimated average rank of E is 4.5",
            lambda: by_number(Rational((2 + 1) * (7 + 1), 7 + 1 - 3), "4.5", "(|S| + 1)·(C + 1)/(C + 1 - |U|) = 3·8/5"),
        ),
        "by the second form of Rank as it is printed",
        lambda: by_number(2 + 1 + Rational(3, 2), "4.5", "2 + 1 + 3/2"),
    )
    yield from with_reading(
        statement(
            "successors_are_lower",
            place,
            "words",
            "a < b, a precedes b, says that a is less relevant; Rank counts the successors, and gives table 4",
            _successors,
        ),
        "S holds the classes of less relevance, those that precede",
        partial(_relevances_of_case_1, "below"),
    )
    yield from with_reading(
        statement(
            "equation_10",
            "section 4.2, equation (10)",
            "equation",
            "φ(i) = Rank(i)/max over v in C of Rank(i)",
            _equation_10,
        ),
        "φ(i) = Rank(i)/max over v in C of Rank(v)",
        partial(_relevances_of_case_1, "below"),
    )
    yield statement(
        "rank_in_total_order",
        "section 4.2, total order",
        "special case",
        "in a total order Rank(X) = |S| + 1",
        _total_rank,
    )
    yield statement(
        "total_order_equidistant",
        "section 4.2, total order",
        "words",
        "relevances by a total order of C classes are equidistant from 1/C to 1",
        _equidistant,
    )


def _inverse(sizes: Sequence[Expr]) -> list[Expr]:
    total = Add(*(1 / size for size in sizes))
    return [1 / size / total for size in sizes]


def _prevalence_sum() -> Ruling:
    sizes = symbols("t_1 t_2 t_3", real=True)
    return by_verdicts(identity(Add(*_inverse(sizes)), S.One, over=sizes), note="for 3 classes")


def _prevalence_inverse() -> Ruling:
    sizes = symbols("t_1 t_2 t_3", real=True)
    first, second, _ = (share * size for share, size in zip(_inverse(sizes), sizes, strict=True))
    return by_verdicts(identity(first, second, over=sizes), note="φ(i)·t_i is the same for all classes, for 3 of them")


def _rank_forms() -> Ruling:
    """The numbers |S|, |P| and |U| of classes that succeed, precede and are neither; with the class itself, C."""
    first, second = Rational((2 + 1) + (1 + 1) + 3, 2), 2 + 1 + Rational(3, 2)
    succeeding, preceding, unrelated = over = symbols("S P U", real=True)
    number = succeeding + preceding + unrelated + 1
    return refuted_if_proved(
        first == 4 and second == Rational(9, 2),
        "node E of figure 1, |S| = 2, |P| = 1, |U| = 3: ((2 + 1) + (1 + 1) + 3)/2 = 4, but 2 + 1 + 3/2 = 4.5.  As "
        "|S| + |P| + |U| = C - 1, the first form is (C + 1)/2 for every node",
        "((|S| + 1) + (C - |P|))/2 = |S| + 1 + |U|/2, the middle between the least and the greatest possible rank "
        "(proved); it is 4.5 for E, as printed",
        identity(((succeeding + 1) + (number - preceding)) / 2, succeeding + 1 + unrelated / 2, over=over),
        identity(((succeeding + 1) + (preceding + 1) + unrelated) / 2, (number + 1) / 2, over=over),
    )


def _ranks_of_case_1(side: str) -> list[Rational]:
    """Return |S| + 1 + |U|/2 of the classes, S being those that precede or succeed, in the order of case 1."""
    pairs = [tuple(pair) for pair in experiment._data()["cases"]["1"]["partial_order"]]
    ranks = []
    for name in ("c1", "c2", "c3"):
        before, after = (sum(pair[place] == name for pair in pairs) for place in (1, 0))
        counted = before if side == "below" else after
        ranks.append(counted + 1 + Rational(2 - before - after, 2))
    return ranks


def _relevances_of_case_1(side: str) -> Ruling:
    ranks = _ranks_of_case_1(side)
    relevances = [rank / max(ranks) for rank in ranks]
    printed = list(map(Rational, experiment._data()["table4"]["PO"][0]))
    shown = [", ".join(f"{float(value):g}" for value in row) for row in (ranks, relevances, printed)]
    return by_computation(
        relevances == printed,
        f"case 1, c3 < c1 and c3 < c2: |S| + 1 + |U|/2 is {shown[0]}, so φ is {shown[1]}; table 4 has {shown[2]}",
        "S holds the classes that precede",
    )


def _successors() -> Ruling:
    return _relevances_of_case_1("above")


def _equation_10() -> Ruling:
    ranks = _ranks_of_case_1("below")
    relevances = [rank / max(rank for _ in ranks) for rank in ranks]
    printed = list(map(Rational, experiment._data()["table4"]["PO"][0]))
    return by_computation(
        relevances == printed,
        "the maximum over v of Rank(i) is Rank(i), whatever v, so that φ(i) = Rank(i)/Rank(i) = 1 for every class; "
        "table 4 has 0.4 for c3 in case 1, which is 1/2.5",
        "φ(i) = Rank(i)/max over v of Rank(v)",
    )


def _total_rank() -> Ruling:
    succeeding, unrelated = symbols("S U", real=True)
    rank = succeeding + 1 + unrelated / 2
    return by_verdicts(
        identity(rank.subs(unrelated, 0), succeeding + 1, over=(succeeding,)), note="with |U| = 0 in |S| + 1 + |U|/2"
    )


def _equidistant() -> Ruling:
    """The k-th class of C has |S| = k - 1 and no incomparable one."""
    place, number = over = symbols("k C", real=True)
    relevance = ((place - 1) + 1) / number
    return by_verdicts(
        identity(relevance.subs(place, place + 1) - relevance, 1 / number, over=over),
        identity(relevance.subs(place, 1), 1 / number, over=over),
        identity(relevance.subs(place, number), S.One, over=over),
        note="the rank of the k-th class is k and the greatest is C, so φ = k/C: the steps, the first and the last",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _framework()
    yield from _mechanisms()
