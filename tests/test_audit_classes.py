"""Can the scores of many classes be true: the search by margins against all matrices, and an integer programme."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from effort import is_thorough
from scipy.optimize import Bounds, LinearConstraint, milp
from sympy import expand_log, simplify

import symmetrics as sm
from symmetrics.auditing import choosing
from symmetrics.auditing.choosing import matrices_of
from symmetrics.auditing.margins import Whole, class_sums, margins_of
from symmetrics.auditing.reported import Reported
from symmetrics.cli import main

Matrix = tuple[tuple[int, ...], ...]
PER_CLASS = ("precision", "recall", "f1", "specificity", "jaccard", "npv", "gmean", "phi_coefficient")
WHOLE = (
    "accuracy", "error_rate", "macro f1", "weighted f1", "macro precision", "weighted precision", "macro recall",
    "micro f1", "micro jaccard", "kappa", "mcc", "f_of_means", "balanced_accuracy", "av_acc", "mavg", "cba", "cen",
    "rci", "kappa_linear", "micro specificity",
)  # fmt: skip


@cache
def every_matrix(n: int) -> list[Matrix]:
    """Return all 3 x 3 matrices of n examples."""
    found = []
    for bars in itertools.combinations(range(n + 8), 8):
        ends = (-1, *bars, n + 8)
        cells = [b - a - 1 for a, b in itertools.pairwise(ends)]
        found.append((tuple(cells[:3]), tuple(cells[3:6]), tuple(cells[6:])))
    return found


def exact_values(name: str, matrix: Any) -> list[Any]:
    """Return the exact values of a score: one for each class, or of the whole matrix; None where undefined."""
    n, k = sum(map(sum, matrix)), len(matrix)
    tables = []
    for i in range(k):
        tp, fn = matrix[i][i], sum(matrix[i]) - matrix[i][i]
        fp = sum(matrix[j][i] for j in range(k)) - tp
        tables.append((tp, fn, fp, n - tp - fn - fp))
    if name in sm.multiclass:
        values = [sm.multiclass[name].exact(matrix)]
    elif " " not in name:
        values = [sm.metrics[name].exact(*table) for table in tables]
    else:
        average, _, of = name.partition(" ")
        if average == "micro":
            values = [sm.metrics[of].exact(*map(sum, zip(*tables, strict=True)))]
        else:
            known = [(sm.metrics[of].exact(*table), table[0] + table[1]) for table in tables]
            known = [(value, size if average == "weighted" else 1) for value, size in known if value.is_finite]
            total = sum(weight for _, weight in known)
            values = [
                sum(value * weight for value, weight in known) / total
                if total
                else sm.metrics["recall"].exact(0, 0, 1, 1)
            ]
    return [value if value.is_finite else None for value in values]


def fits(value: Any, reported: Reported) -> bool:
    if value is None:
        return False
    near = float(value)
    if min(abs(near - float(reported.low)), abs(near - float(reported.high))) > 1e-9:
        return near in reported
    return simplify(expand_log(value, force=True)) in reported  # log(4) is 2 log(2)


def agreeing(scores: dict[str, Any], matrices: list[Matrix]) -> list[Matrix]:
    """Return the matrices that agree, each looked at."""
    for name, texts in scores.items():
        wanted = [
            None if text is None else Reported.of(text) for text in (texts if isinstance(texts, list) else [texts])
        ]
        matrices = [
            matrix
            for matrix in matrices
            if all(
                reported is None or fits(value, reported)
                for value, reported in zip(exact_values(name, matrix), wanted, strict=True)
            )
        ]
    return matrices


def printed(value: Any, digits: int, drawn: random.Random) -> str:
    """Return a value rounded or cut off."""
    if drawn.random() < 0.5:
        return f"{float(value):.{digits}f}"
    return f"{math.trunc(float(value) * 10**digits + 1e-9) / 10**digits:.{digits}f}"


def moved(text: str, drawn: random.Random) -> str:
    """Return a printed value some units of the last digit away."""
    digits = len(text.partition(".")[2])
    return f"{float(text) + drawn.choice([-2, -1, 1, 2, 3]) * 10.0**-digits:.{digits}f}"


def key(matrix: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, margins_of(matrix).tolist()))


def random_scores(
    matrix: Any, drawn: random.Random, names: list[str], wholes: list[str], digits: int
) -> dict[str, Any]:
    scores: dict[str, Any] = {}
    for name in names:
        scores[name] = [
            None if value is None or drawn.random() < 0.15 else printed(value, digits, drawn)
            for value in exact_values(name, matrix)
        ]
    for name in wholes:
        (value,) = exact_values(name, matrix)
        if value is not None:
            scores[name if name in sm.multiclass or " " in name else f"macro {name}"] = printed(value, digits, drawn)
    return scores


def plant(scores: dict[str, Any], drawn: random.Random) -> None:
    """Change one printed value, if there is one."""
    places: list[tuple[str, Any]] = [(name, None) for name, text in scores.items() if isinstance(text, str)]
    for name, texts in scores.items():
        places += [(name, place) for place, text in enumerate(texts) if isinstance(texts, list) and text]
    name, place = drawn.choice(places or [("", None)])
    if place is not None:
        scores[name][place] = moved(scores[name][place], drawn)
    elif name:
        scores[name] = moved(scores[name], drawn)


@pytest.mark.parametrize("seed", range(600 if is_thorough() else 30))
def test_all_diagonals_with_margins_are_found(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random scores of a 3 x 3 matrix, some a little off; sizes known, partly or not; sums tabulated or bounded."""
    drawn = random.Random(seed)
    monkeypatch.setattr(choosing, "WORK", drawn.choice([0, choosing.WORK]))
    n = drawn.randint(1, 6 if is_thorough() else 5)
    matrix = drawn.choice(every_matrix(n))
    scores = random_scores(
        matrix,
        drawn,
        drawn.sample(PER_CLASS, drawn.randint(0, 3)),
        drawn.sample(WHOLE, drawn.randint(0, 3)),
        drawn.randint(1, 3),
    )
    if drawn.random() < 0.6:
        plant(scores, drawn)
    if not any(text for texts in scores.values() for text in (texts if isinstance(texts, list) else [texts])):
        return
    sizes = [sum(row) for row in matrix]
    support = drawn.choice([sizes, [None, *sizes[1:]], [None, None, None]])
    found = sm.audit(scores, n, support=support)
    every = [
        one for one in every_matrix(n) if all(size in (None, sum(row)) for size, row in zip(support, one, strict=True))
    ]
    expected = agreeing(scores, every)
    matrices = list(found.matrices)
    assert found.status == ("possible" if expected else "impossible")
    assert {key(one) for one in matrices} == {key(one) for one in expected}
    assert len(matrices) == len({key(one) for one in matrices})
    assert all(tuple(map(tuple, one)) in expected for one in matrices)
    assert found.example == (matrices[0] if matrices else None)
    if not expected and found.clash:
        left = {
            name: [text if f"{name} of class {place + 1}" in found.clash else None for place, text in enumerate(texts)]
            if isinstance(texts, list)
            else texts
            for name, texts in scores.items()
            if isinstance(texts, list) or name in found.clash
        }
        assert agreeing(left, every) == []
    if expected and seed % 3 == 0:
        for name in ("mcc", "cen", "macro f1"):
            values = [value for one in expected for value in exact_values(name, one) if value is not None]
            if values:
                bounds = found.bounds(name)
                assert all(any(bound.equals(value) for value in values) for bound in bounds)
                assert list(map(float, bounds)) == pytest.approx([min(map(float, values)), max(map(float, values))])


@pytest.mark.parametrize(
    "triples", [[[3, 1, 2], [2, 0, 3], [2, 1, 2]], [[3, 0, 4], [1, 0, 1], [1, 0, 0]], [[2, 1, 2], [2, 1, 2]]]
)
def test_all_matrices_with_a_diagonal_and_margins(triples: list[list[int]]) -> None:
    """Also where there is none: a class with more errors in its row and column than there are in all."""
    count, most = len(triples), max(size for size, _, _ in triples)
    expected = set()
    for cells in itertools.product(range(most + 1), repeat=count * count - count):
        matrix = [list(map(int, row)) for row in np.diag([hits for _, hits, _ in triples])]
        for (row, column), cell in zip(itertools.permutations(range(count), 2), cells, strict=True):
            matrix[row][column] = cell
        if margins_of(matrix).tolist() == triples:
            expected.add(tuple(map(tuple, matrix)))
    found = [tuple(map(tuple, matrix)) for matrix in matrices_of(np.array(triples))]
    assert len(found) == len(set(found))
    assert set(found) == expected


@pytest.mark.parametrize("name", ["kappa", "mcc", "f_of_means", "macro f1", "weighted precision"])
def test_sums_are_never_negative_where_a_score_is_as_reported(name: str) -> None:
    """The score of one of some matrices, exactly: its sums are at least 0, among the choices of all of them."""
    generator = np.random.default_rng(5)
    average, _, of = name.rpartition(" ")
    metric: Any = sm.metrics[of] if average else sm.multiclass[name]
    for _ in range(150):
        shares = generator.dirichlet(np.full(9, generator.choice([0.3, 1, 5])))
        matrices = [generator.multinomial(60, shares).reshape(3, 3) for _ in range(5)]
        triples = np.array([margins_of(matrix.tolist()) for matrix in matrices])
        for place, matrix in enumerate(matrices):
            value = float(metric.from_confusion(matrix, **({"average": average} if average else {})))
            if math.isnan(value):
                continue
            whole = Whole(name, metric, average, Reported(str(value), value, value))
            found, slack = class_sums([whole], [triples[:, one] for one in range(3)], 60)
            sums = sum(one.terms[:, place] for one in found)
            assert (sums >= -slack).all()
            assert average or len(sums) == 3 or name == "f_of_means"


# -- tables of a size that papers have ---------------------------------------------------------------------------------

COLUMNS = ("precision", "recall", "f1", "jaccard", "specificity")
BELOW = (
    "accuracy",
    "kappa",
    *(f"{mean} {name}" for mean in ("macro", "weighted") for name in ("precision", "recall", "f1")),
)


def random_table(drawn: random.Random, more: tuple[str, ...] = ()) -> tuple[Any, dict[str, Any]]:
    """Return a matrix of 2 to 10 classes, and true scores of it."""
    generator = np.random.default_rng(drawn.randrange(10**9))
    count, accuracy = drawn.randint(2, 10), drawn.uniform(0.4, 0.97)
    sizes = generator.multinomial(
        int(10 ** drawn.uniform(1, 3.4)), generator.dirichlet(np.full(count, drawn.choice([1, 20])))
    )
    shares = (1 - accuracy) * generator.dirichlet(np.full(count, 0.7), count) + accuracy * np.eye(count)
    matrix = np.array([generator.multinomial(size, share) for size, share in zip(sizes, shares, strict=True)]).tolist()
    names = drawn.sample(COLUMNS, drawn.randint(1, 3)) + drawn.sample((*BELOW, *more), drawn.randint(1, 5))
    scores: dict[str, Any] = {}
    digits = drawn.choice([2, 2, 3])
    for name in names:
        average, _, of = name.rpartition(" ")
        whole: Any = sm.multiclass[name] if name in sm.multiclass else sm.metrics[of]
        values = whole.from_confusion(matrix, **({} if name in sm.multiclass else {"average": average or None}))
        texts = [None if math.isnan(value) else f"{value:.{digits}f}" for value in np.atleast_1d(values)]
        scores[name] = texts[0] if np.ndim(values) == 0 else texts
    return matrix, {name: text for name, text in scores.items() if text is not None}


@pytest.mark.parametrize("seed", range(200 if is_thorough() else 12))
def test_true_tables_are_possible(seed: int) -> None:
    matrix, scores = random_table(random.Random(seed), ("mcc", "f_of_means"))
    found = sm.audit(scores, support=list(map(sum, matrix)), seconds=5)
    assert found.status != "impossible"
    assert found.status == "possible" or is_thorough()
    if found.example is not None:
        assert list(map(sum, found.example)) == list(map(sum, matrix))
        assert agreeing(scores, [found.example]) == [found.example]


@pytest.mark.parametrize("seed", range(200 if is_thorough() else 16))
def test_planted_errors_are_refuted_as_by_an_integer_programme(seed: int) -> None:
    """Its tolerance closes open ends of intervals; scores are read with closed ones here."""
    drawn = random.Random(1000 + seed)
    matrix, scores = random_table(drawn)
    plant(scores, drawn)
    closed = {
        name: [text and replace(Reported.of(text), has_low=True, has_high=True) for text in texts]
        if isinstance(texts, list)
        else replace(Reported.of(texts), has_low=True, has_high=True)
        for name, texts in scores.items()
    }
    sizes = list(map(sum, matrix))
    found = sm.audit(closed, support=sizes, seconds=5)
    other = is_feasible(closed, sizes)
    if found.status != "open" and other is not None:
        assert found.status == ("possible" if other else "impossible")
        assert found.status == "possible" or set(found.clash) <= {name for name, _ in _names(found)}


def _names(found: Any) -> list[tuple[str, str]]:
    return list(found.to_dict()["scores"].items())


def is_feasible(scores: dict[str, Any], sizes: list[int]) -> bool | None:
    """Return whether some matrix agrees, by HiGHS: a variable for each cell, and one for each C and K of a class."""
    count, n, slack = len(sizes), sum(sizes), 1e-9
    choices = []
    for place, size in enumerate(sizes):
        hits, predicted = (side.ravel().astype(float) for side in np.mgrid[0 : size + 1, 0 : n + 1])
        with np.errstate(all="ignore"):
            values = {
                "recall": hits / size if size else np.full_like(hits, np.nan),
                "precision": hits / predicted,
                "f1": 2 * hits / (size + predicted),
                "jaccard": hits / (size + predicted - hits),
                "specificity": (n - size - predicted + hits) / np.float64(n - size),
            }
            good = (predicted >= hits) & (predicted <= n - size + hits)
            for name, reported in scores.items():
                if isinstance(reported, list) and reported[place]:
                    low, high = float(reported[place].low), float(reported[place].high)
                    good &= (values[name] >= low - slack) & (values[name] <= high + slack)
        choices.append((hits[good], predicted[good], {name: value[good] for name, value in values.items()}))
    ends = np.cumsum([count * count, *(len(hits) for hits, _, _ in choices)])
    if ends[-1] > 20_000 or not all(len(hits) for hits, _, _ in choices):
        return None if all(len(hits) for hits, _, _ in choices) else False
    rows: list[tuple[Any, float, float]] = []

    def require(cells: Any, terms: Any, low: float, high: float) -> None:
        row = np.zeros(ends[-1])
        row[: count * count] = np.asarray(cells, dtype=float).ravel()
        for place, values in enumerate(terms):
            row[ends[place] : ends[place + 1]] = np.nan_to_num(values)
        rows.append((row, low, high))

    none = np.zeros((count, count))
    for place, (hits, predicted, _) in enumerate(choices):
        here = np.eye(count)[place]
        only = [here[of] * np.ones(len(one[0])) for of, one in enumerate(choices)]
        require(none, only, 1, 1)
        require(np.outer(here, np.ones(count)), [], sizes[place], sizes[place])
        require(np.diag(here), [-hits if of == place else 0 * one for of, one in enumerate(only)], 0, 0)
        of_column = [-predicted if of == place else 0 * one for of, one in enumerate(only)]
        require(np.outer(np.ones(count), here), of_column, 0, 0)
    for name, reported in scores.items():
        if isinstance(reported, list):
            continue
        for end, sign in ((float(reported.low), 1), (float(reported.high), -1)):
            if name == "accuracy":
                require(np.eye(count) * sign / n, [], sign * end - slack, np.inf)
            elif name == "kappa":
                terms = [sign * (n * h - (1 - end) * r * k) / n**2 for r, (h, k, _) in zip(sizes, choices, strict=True)]
                require(none, terms, sign * end - slack, np.inf)
            else:
                average, _, of = name.partition(" ")
                weights = [1 / count if average == "macro" else size / n for size in sizes]
                terms = [sign * w * (values[of] - end) for w, (_, _, values) in zip(weights, choices, strict=True)]
                require(none, terms, -slack, np.inf)
    matrix, low, high = (np.array(part) for part in zip(*rows, strict=True))
    upper = np.concatenate([np.full(count * count, n), np.ones(ends[-1] - count * count)])
    found = milp(
        np.zeros(ends[-1]),
        constraints=LinearConstraint(matrix, low, high),
        integrality=np.ones(ends[-1]),
        bounds=Bounds(0, upper),
        options={"time_limit": 5},
    )
    return {0: True, 2: False}.get(found.status)


def test_the_report_of_the_documentation_of_scikit_learn() -> None:
    """The example of ``classification_report``, of 5 examples: y_true = 0 1 2 2 2, y_pred = 0 0 2 2 1."""
    report: dict[str, Any] = {
        "precision": ["0.50", "0.00", "1.00"],
        "recall": ["1.00", "0.00", "0.67"],
        "f1-score": ["0.67", "0.00", "0.80"],
        "support": [1, 1, 3],
        "accuracy": "0.60",
        "macro avg precision": "0.50",
        "macro avg recall": "0.56",
        "macro avg f1-score": "0.49",
        "weighted avg f1-score": "0.61",
    }
    found = sm.audit(report)
    assert (found.status, list(found.matrices)) == ("possible", [[[1, 0, 0], [1, 0, 0], [0, 1, 2]]])
    assert sm.audit(report | {"support": [None, None, 3]}, 5).status == "possible"
    assert sm.audit({name: value for name, value in report.items() if name != "support"}).example == found.example
    wrong = sm.audit(report | {"macro avg f1-score": "0.52"})
    assert wrong.clash[-1] == "macro avg f1-score"
    assert wrong.readings == ("macro F1 is computed from mean precision and mean recall",)
    assert "possible if macro F1 is computed from" in repr(wrong)


def test_readings() -> None:
    scores = {"recall": ["50", "100"], "accuracy": "66.7"}
    assert "values above 1 are percentages" in sm.audit(scores, support=[2, 1]).readings
    never = {"precision": ["0.67", "0.00"], "recall": ["1.00", "0.00"]}
    assert sm.audit(never, support=[2, 1]).readings == ("0 is printed where a score is undefined",)
    swapped = {"recall": ["0.50", "1.00"], "macro recall": "0.67", "weighted recall": "0.75"}
    assert sm.audit(swapped, support=[2, 1]).readings == ("the macro and the weighted averages are exchanged",)


def test_scores_that_need_all_cells() -> None:
    """Four matrices with these margins, and two values of CEN."""
    found = sm.audit({"recall": ["0.50", "0.50", "0.50"], "precision": ["0.50", "0.50", "0.50"]}, support=[4, 4, 4])
    low, high = map(float, found.bounds("cen"))
    assert low < high
    assert (
        sm.audit({"recall": ["0.50"] * 3, "precision": ["0.50"] * 3, "cen": f"{low:.3f}"}, support=[4] * 3).status
        == "possible"
    )
    assert (
        sm.audit({"recall": ["0.50"] * 3, "precision": ["0.50"] * 3, "cen": "0.100"}, support=[4] * 3).clash[-1]
        == "cen"
    )


def test_what_takes_too_long_is_open() -> None:
    found = sm.audit({"macro f1": "0.5001", "mcc": "0.5002"}, 3000, support=[None] * 6, seconds=0.2)
    assert (found.status, found.example) == ("open", None)
    assert "not decided within 0.2 s" in repr(found)


@pytest.mark.parametrize(
    ("scores", "options", "told"),
    [
        ({"recall": ["0.5", "0.5"], "f1": ["0.5"]}, {}, "recall has 2 values and f1 has 1"),
        ({"recall": ["0.5", "0.5"]}, {"support": [1, 2, 3]}, "recall has 2 values and support has 3"),
        ({"recall": ["0.5"]}, {"support": [1]}, "scores of 1 class are given"),
        ({"recall": []}, {}, "scores of 0 classes are given"),
        ({"recall": ["0.5", "0.5"]}, {"support": [1, -1]}, "support of class 2: -1 is no whole number from 0"),
        ({"recall": ["0.5", "0.5"]}, {"support": [1, "many"]}, "support of class 2: 'many' is no whole number"),
        ({"recall": ["0.5", "0.5"]}, {"support": [1, 2], "n": 4}, "the supports add up to 3, but n=4"),
        ({"recall": ["0.5", "0.5"]}, {"support": [9, None], "n": 4}, "add up to 9, more than n=4"),
        ({"recall": ["0.5", "0.5"]}, {"support": [0, 0]}, "the supports are all 0"),
        ({"recall": ["0.5", "0.5"]}, {"support": 3}, "support=3 is no list"),
        ({"recall": ["0.5", "0.5"], "support": [1, 2]}, {"support": [1, 2]}, "support is given twice"),
        ({"recall": ["0.5", "0.5"]}, {"n": 0}, "n: 0 is no whole number from 1"),
        (
            {"recall": ["0.5", "0.5"]},
            {"positives": 3},
            "names and mean_of are not for many classes",
        ),
        ({"recall": ["0.5", "high"]}, {}, "recall of class 2: 'high' is no reported number"),
        ({"recall": ["0.5", "0.5"], "accuracy": "x"}, {}, "accuracy: 'x' is no reported number"),
        ({"recall": ["-", None]}, {}, "no score is given"),
        ({"nonsense": ["0.5", "0.5"]}, {}, "unknown metric 'nonsense'"),
        ({"recall": ["0.5", "0.5"], "nonsense": "0.5"}, {}, "unknown metric of whole matrices 'nonsense'"),
        ({"recall": ["0.5", "0.5"], "macro nonsense": "0.5"}, {}, "unknown metric 'nonsense'"),
        ({"recall": ["0.5", "0.5"], "f1": "0.5"}, {}, "write 'macro f1'"),
        ({"kappa_linear": ["0.5", "0.5"]}, {}, "'kappa_linear' is of a whole matrix"),
        ("f1", {"support": [1, 2]}, "'f1' is no mapping of metrics to values"),
    ],
)
def test_bad_input_is_refused_in_one_line(scores: Any, options: dict[str, Any], told: str) -> None:
    with pytest.raises(sm.SymmetricsError) as refused:
        sm.audit(scores, **options)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_bounds_that_there_are_not() -> None:
    with pytest.raises(sm.SymmetricsError, match="no matrix agrees"):
        sm.audit({"recall": ["0.67", "0.50"]}, support=[2, 2]).bounds("mcc")
    with pytest.raises(sm.SymmetricsError, match="finite value at no matrix"):
        sm.audit({"recall": ["1.00", "-"]}, support=[2, 0]).bounds("kappa")
    with pytest.raises(sm.SymmetricsError, match="more than 20000 matrices agree"):
        sm.audit({"accuracy": ">= 0"}, support=[30, 30, 30]).bounds("macro f1")


def test_the_command(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.csv"
    report.write_text(
        "class,precision,recall,f1-score,support\ncat,0.50,1.00,0.67,1\ndog,0.00,-,0.00,1\nowl,1.00,0.67,,3\n",
        encoding="utf-8",
    )
    assert main(["audit", str(report), "--per-class", "accuracy=.60", "macro f1=.49"]) == 0
    assert "for instance [[1, 0, 0], [1, 0, 0], [0, 1, 2]]" in capsys.readouterr().out
    assert main(["audit", str(report), "accuracy=.70", "--per-class", "--format", "json"]) == 1
    assert '"clash": [\n  "accuracy"\n ]' in capsys.readouterr().out
    assert main(["audit", str(report), "--per-class", "--format", "markdown"]) == 0
    printed = capsys.readouterr().out
    assert "scores: possible; for instance" in printed
    assert "| recall of class cat" in printed
    for typed, told in (
        (["f1=.9", "--per-class"], "'f1=.9' is no file"),
        ([str(report), "--per-class", "precision=.5"], "precision is given twice"),
        ([str(report), "--per-class", "kappa=.5", "kappa=.5"], "kappa is given twice"),
        (
            [str(report), "--per-class", "--positives", "3"],
            "--mean-of are not for many classes",
        ),
        ([str(report), "--per-class", "--n", "6"], "the supports add up to 5, but n=6"),
    ):
        assert main(["audit", *typed]) == 2
        assert told in capsys.readouterr().err


def test_a_classification_report_with_its_averages(tmp_path: Any, capsys: Any) -> None:
    """The rows beneath the classes are scores of the whole matrix."""
    file = tmp_path / "report.csv"
    rows = "a,0.50,1.00,0.67,1\nb,0.00,0.00,0.00,1\nc,1.00,0.67,0.80,3\n"
    averages = "accuracy,,,0.60,5\nmacro avg,0.50,0.56,0.49,5\nweighted avg,0.70,0.60,0.61,5\n"
    file.write_text(f"class,precision,recall,f1-score,support\n{rows}{averages}")
    assert main(["audit", str(file), "--per-class"]) == 0
    assert "16 scores of 3 classes" in capsys.readouterr().out
    file.write_text(f"class,precision,recall,f1-score,support\n{rows}{averages}".replace("0.49", "0.59"))
    assert main(["audit", str(file), "--per-class"]) == 1
    file.write_text(f"class,precision,recall,f1-score,support\n{rows}a,1,1,1,2\n")
    assert main(["audit", str(file), "--per-class"]) == 2
    assert "is there twice" in capsys.readouterr().err
