"""The papers on trial: every claim comes out as recorded, every erratum is right, a changed fact is found."""

from __future__ import annotations

import csv
import json
import re
import runpy
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest
from effort import examples, in_one_test, is_thorough, some
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational, S, nan, sqrt, symbols

import symmetrics as sm
import symmetrics.repository.building
from symmetrics.claims.evidence import open_decision
from symmetrics.cli import main
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.library import metrics
from symmetrics.papers.claims import (
    STEP,
    PaperClaim,
    Ruling,
    Trial,
    at_least,
    by_computation,
    by_number,
    by_verdicts,
    equal,
    has,
    identity,
    inequality,
    lacks,
    rounds_from,
    run_alone,
    tends_to,
    unreadable,
    with_reading,
    within,
)
from symmetrics.papers.claims.trials import Heard, _heard, hear_all, load_trial, load_trials, ruling_of, scripts
from symmetrics.papers.claims.writing import KINDS, claims_text, errata_text, page_text, ruling_text, summary_line
from symmetrics.papers.garcia2012.experiment import TABLE_2, printed_signs
from symmetrics.repository.building import build, generated_files
from symmetrics.tools.errors import InputError

ROOT = Path(__file__).parents[1]
# The tests of thainghe2011 and branco2017 hear these papers too.
SCRIPTS = [path for path in scripts(ROOT) if is_thorough() or path.name not in ("thainghe2011", "branco2017")]
PAPERS = [path.name for path in SCRIPTS]
FEW = ("landgrebe2005", "tan2006", "garcia2012")
COUNTS = st.integers(1, 10**6)


@pytest.fixture(scope="module")
def everything() -> list[Heard]:
    """Judge all claims; in a sample those that do not hold as printed, and some of the others."""
    if is_thorough():
        return hear_all(ROOT)
    asked = {f"garcia2012.table_2_{metric}_{key}" for metric, key, _ in CONDITIONS}
    trials = [load_trial(path) for path in SCRIPTS]
    kept = {claim.key for trial in trials for claim in some(trial.claims, 50, trial.paper)}
    kept |= asked.union(*(trial.recorded for trial in trials))
    # These take as long as all of the others: a simulation, and what is counted over all of table 2.
    slow = ("correlation_", "most_sensitive", "insensitive_to_p1", "two_do_not_detect_p1")
    kept -= {key for key in kept if key.startswith(tuple(f"garcia2012.{name}" for name in slow))}
    return [_heard(trial, claim) for trial in trials for claim in trial.claims if claim.key in kept]


def script(paper: str) -> ModuleType:
    load_trial(ROOT / "proofs" / paper)
    return sys.modules[f"symmetrics_proofs_{paper}"]


def rulings(trial: Trial, *parts: str) -> dict[str, Ruling]:
    chosen = [claim for claim in trial.claims if any(part in claim.key for part in parts)]
    return {claim.key: ruling_of(claim) for claim in chosen}


# -- all papers --------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("paper", PAPERS)
def test_every_claim_comes_out_as_recorded(paper: str, everything: list[Heard]) -> None:
    recorded = script(paper).RECORDED
    found = {one.key: one.ruling.outcome for one in everything if one.paper == paper}
    assert {key: outcome for key, outcome in found.items() if outcome != "holds"} == dict(recorded)


def test_there_are_enough_of_them(everything: list[Heard]) -> None:
    assert {"garcia2012", "landgrebe2005", "tan2006"} <= {one.paper for one in everything}
    counted = [one for one in everything if one.ruling.outcome != "unreadable"]
    assert len(counted) >= 150
    assert sum(one.ruling.outcome == "refuted" for one in counted) >= (10 if is_thorough() else 6)
    for paper in PAPERS:
        assert sum(one.paper == paper for one in counted) >= 30, paper


def test_every_claim_is_complete(everything: list[Heard]) -> None:
    keys = [one.key for one in everything]
    assert len(keys) == len(set(keys))
    for one in everything:
        assert one.key.startswith(f"{one.paper}."), one
        assert one.key == one.key.lower(), one
        assert one.key.replace(".", "", 1).isidentifier(), one
        assert all((one.title, one.place, one.printed, one.ruling.evidence)), one
        assert one.kind in KINDS, one
        for text in (one.place, one.printed, one.ruling.evidence, one.ruling.corrected):
            assert "\n" not in text, one
            assert text == text.strip(), one


def test_every_erratum_says_what_refutes_it_and_what_holds(everything: list[Heard]) -> None:
    for one in everything:
        if one.ruling.outcome == "refuted":
            assert any(sign.isdigit() for sign in one.ruling.evidence), one
            assert len(one.ruling.corrected) > 5, one
        elif one.ruling.outcome == "holds only as":
            assert one.ruling.corrected.startswith("read as: "), one
        else:
            assert one.ruling.corrected == "", one


def test_no_claim_that_can_be_decided_is_left_open(everything: list[Heard]) -> None:
    """What is open is about data, a drawing or a design of an experiment that are not at hand."""
    named = {"thainghe2011.larger_alpha_relative", *(f"garcia2012.correlation_{n}" for n in script("garcia2012").OPEN)}
    opened = [one for one in everything if one.ruling.outcome == "open"]
    assert {one.key for one in opened if one.ruling.basis != "nothing"} <= named
    assert all(not one.verdicts for one in opened if one.ruling.basis == "nothing")


# -- the errata, by hand -----------------------------------------------------------------------------------------------


def ratio(text: str, *counts: int) -> Fraction:
    """Return a formula in TP, FN, FP, TN as a fraction, without SymPy."""
    values = dict(zip(("TP", "FN", "FP", "TN"), map(Fraction, counts), strict=True))
    return Fraction(eval(text, {"__builtins__": {}}, values))


@given(COUNTS, COUNTS, COUNTS, COUNTS, st.fractions(0, 10))
@settings(max_examples=examples(60), deadline=None)
def test_corrected_forms_of_tan2006(tp: int, fn: int, fp: int, tn: int, beta: Fraction) -> None:
    precision, recall, square = Fraction(tp, tp + fp), Fraction(tp, tp + fn), beta**2
    of_rates = (square + 1) * recall * precision / (recall + square * precision)
    assert (square + 1) * tp / ((square + 1) * tp + square * fn + fp) == of_rates
    printed = (square + 1) * tp / ((square + 1) * tp + square * fp + fn)
    assert (printed == of_rates) == (beta == 1 or fp == fn)

    def weighted(w1: Fraction, at_fn: Fraction, at_fp: Fraction, w4: Fraction) -> Fraction:
        return (w1 * tp + w4 * tn) / (w1 * tp + at_fn * fn + at_fp * fp + w4 * tn)

    one, zero = Fraction(1), Fraction(0)
    assert weighted(one, one, zero, zero) == recall
    assert weighted(one, zero, one, zero) == precision
    assert weighted(square + 1, square, one, zero) == of_rates
    assert weighted(one, one, one, one) == Fraction(tp + tn, tp + fn + fp + tn)


def test_errata_of_tan2006_at_their_tables(everything: list[Heard]) -> None:
    found = {one.key: one.ruling.evidence for one in everything}
    table = (1, 1, 2, 1)
    recall, precision = ratio("TP/(TP + FN)", *table), ratio("TP/(TP + FP)", *table)
    assert (recall, precision) == (Fraction(1, 2), Fraction(1, 3))
    place = "at TP = 1, FN = 1, FP = 2, TN = 1 the left side is"
    assert f"{place} 1/2 and the right side 1/3" in found["tan2006.equation_5_77_second_form"]
    assert f"{place} 1/3 and the right side 1/2" in found["tan2006.weights_recall"]
    assert f"{place} 1/2 and the right side 1/3" in found["tan2006.weights_precision"]


@pytest.mark.parametrize("areas", [2, 3, 7])
@given(st.fractions(0, Fraction(99, 100)))
@settings(max_examples=examples(30), deadline=None)
def test_erratum_of_garcia2012(areas: int, rho: Fraction) -> None:
    def total(first: Fraction) -> Fraction:
        weights = [first]
        for _ in range(areas - 1):
            weights.append(weights[-1] * rho + 1 - rho)
        weights[-1] /= 1 - rho
        return sum(weights, Fraction(0))

    assert total(1 - rho) == areas
    assert total(rho) - areas == (1 - 2 * rho) / (rho - 1)


def test_errata_of_landgrebe2005() -> None:
    def at(fpr: Fraction, prior: Fraction) -> Fraction:
        return prior * 80 + (1 - prior) * fpr

    half, tenth, hundredth = Fraction(1, 2), Fraction(1, 10), Fraction(1, 100)
    printed = 2 * Fraction("54.9") - 80
    assert at(printed, half) == Fraction("54.9")
    assert float(at(printed, hundredth)) == pytest.approx(30.302)
    assert float(at(printed, tenth)) == pytest.approx(34.82)
    right = 2 * Fraction("52.14") - 80
    assert round(float(at(right, hundredth)), 1) == 24.8
    assert round(float(at(right, tenth)), 2) == 29.85
    assert round(float(40 / Fraction("54.9") * 100), 2) == 72.86
    assert round(float(40 / Fraction("52.14") * 100), 2) == 76.72
    # The mean of 1/x, x >= 0.4, of 30 folds of the largest deviation that is compatible with the printed one.
    worst = max(
        (share / (mean - step) + (1 - share) / (mean + step * share / (1 - share)))
        for mean in (0.5485, 0.5495)
        for share in (0.3, 0.5, 0.7, 0.9)
        for step in [min(mean - 0.4, 0.01235 * 30**0.5 * ((1 - share) / share) ** 0.5)]
    )
    assert 40 * worst < 74.5


# -- a changed fact is found -------------------------------------------------------------------------------------------


def test_every_changed_sign_of_garcia2012_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = script("garcia2012")
    with TABLE_2.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        row |= {key: "-" if row[key] == "+" else "+" for key in ("p1", "p2", "p3", "p4", "p5")}
    changed = tmp_path / "table.csv"
    with changed.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    monkeypatch.setattr(module.section_3, "printed_signs", lambda: printed_signs(changed))
    judged = [claim for claim in module.trial().claims if ".table_2_" in claim.key]
    assert len(judged) == 65
    found = {claim.key: ruling_of(claim) for claim in some(judged, 25, "signs")}
    assert {ruling.outcome for ruling in found.values()} == {"refuted"}


def test_every_changed_number_of_landgrebe2005_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = script("landgrebe2005")
    facts = json.loads(module.shared.FACTS.read_text(encoding="utf-8"))
    for rows in facts["table2"].values():
        for prior in ("0.1", "0.001"):
            rows[prior] = {c: [f"{float(m) + 0.07:.2f}", f"{float(d) + 0.03:.2f}"] for c, (m, d) in rows[prior].items()}
    changed = tmp_path / "facts.json"
    changed.write_text(json.dumps(facts), encoding="utf-8")
    monkeypatch.setattr(module.shared, "FACTS", changed)
    found = rulings(module.trial(), "_0_1_", "_0_001_")
    assert len(found) == 64
    assert {ruling.outcome for ruling in found.values()} == {"refuted"}
    assert all(ruling.corrected for ruling in found.values())


def test_every_changed_cell_of_tan2006_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = script("tan2006")
    facts = json.loads(module.shared.FACTS.read_text(encoding="utf-8"))
    columns = facts["figure5_42"]["columns"]
    for row, step in (("TN", 1), ("FN", 1), ("TPR", 0.1), ("FPR", 0.1)):
        columns[row] = [f"{float(cell) + step:g}" for cell in columns[row]]
    changed = tmp_path / "facts.json"
    changed.write_text(json.dumps(facts), encoding="utf-8")
    monkeypatch.setattr(module.shared, "FACTS", changed)
    found = rulings(module.trial(), *(f"figure_5_42_{row}_" for row in ("tn", "fn", "tpr", "fpr")))
    assert len(found) == 44
    assert {ruling.outcome for ruling in found.values()} == {"refuted"}


def test_a_changed_file_is_found_by_its_claim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script("garcia2012")  # the modules of another folder are not taken for those of this one
    checkout(tmp_path)
    table, paper = tmp_path / "table2.csv", tmp_path / "proofs" / "garcia2012" / "section_3.py"
    table.write_text(TABLE_2.read_text(encoding="utf-8").replace("f1,+,-", "f1,+,+"), encoding="utf-8")
    text = paper.read_text(encoding="utf-8").replace("printed_signs()", f"printed_signs(Path({str(table)!r}))")
    text = text.replace("from functools import", "from pathlib import Path\nfrom functools import")
    paper.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["check", "--claim", "garcia2012.table_2_f1_p2"]) == 0
    assert "outcome:  refuted" in capsys.readouterr().out
    assert main(["check", "--claim", "garcia2012.f1_ignores_tn"]) == 0
    assert "outcome:  holds" in capsys.readouterr().out


# Where the printed signs depend on a parameter, and how: worked by hand.
CONDITIONS = [
    ("cwa", "p1", "w = 1/2"),
    ("cwa", "p2", "w = 1"),
    ("cwa", "p3", "w = 1"),
    ("cwa", "p4", "w = 0"),
    ("cwa", "p5", "w = 0"),
    ("iba_gmean", "p1", "alpha = 0"),
    ("wauc", "p1", "rho = 0"),
]


@in_one_test
@pytest.mark.parametrize(("metric", "key", "condition"), CONDITIONS)
def test_signs_that_depend_on_a_parameter_say_so(
    metric: str, key: str, condition: str, everything: list[Heard]
) -> None:
    (ruling,) = (one.ruling for one in everything if one.key == f"garcia2012.table_2_{metric}_{key}")
    assert ruling.evidence.startswith(f"true only if {condition}; ")


# -- rulings -----------------------------------------------------------------------------------------------------------

BETA = sm.Parameter.parse("beta in [0, oo)")


def test_a_proof_holds_and_a_counterexample_refutes() -> None:
    assert equal(TP / (TP + FN), 1 - FN / (TP + FN)).outcome == "holds"
    ruling = equal(TP / (TP + FP), TP / (TP + FN))
    assert (ruling.outcome, ruling.corrected) == ("refuted", "")
    assert ruling.evidence == "at TP = 1, FN = 1, FP = 2, TN = 1 the left side is 1/3 and the right side 1/2"


def test_what_holds_under_a_condition_is_refuted_without_it() -> None:
    ruling = equal(BETA.symbol * TP, TP, BETA)
    assert ruling.outcome == "refuted"
    assert ruling.evidence.startswith("true only if beta = 1; at TP = 1, FN = 1, FP = 1, TN = 1, beta = ")


def test_rulings_over_named_variables() -> None:
    x, y = symbols("x y", real=True)
    ruling = equal(x, y, over=(x, y))
    assert ruling.evidence == "at x = 1, y = 2 the left side is 1 and the right side 2"


def test_a_correction_is_given_only_if_it_is_proved() -> None:
    wrong, right = identity(TP, FN), identity(TP + FN, FN + TP)
    refuted = by_verdicts(wrong, correction=("the sum", lambda: [right, right]))
    assert (refuted.outcome, refuted.corrected) == ("refuted", "the sum")
    opened = by_verdicts(wrong, correction=("the sum", lambda: [right, wrong]))
    assert (opened.outcome, opened.corrected) == ("open", "")


def test_a_correction_is_not_asked_for_if_the_claim_holds() -> None:
    def never() -> Iterator[sm.Verdict]:
        raise AssertionError

    assert by_verdicts(identity(TP, TP), correction=("none", never)).outcome == "holds"


def test_open_verdicts_stay_open() -> None:
    claim = identity(TP, TP).claim
    verdict = sm.Verdict.of(open_decision("no proof was found"), claim, metric="m", property="p")
    assert by_verdicts(identity(TP, TP), verdict).outcome == "open"


def test_inequalities_and_intervals() -> None:
    assert at_least((TP + FN) / 2, sqrt(TP * FN)).outcome == "holds"
    assert at_least(TP, FN).outcome == "refuted"
    assert at_least(TP, TP).outcome == "holds"
    assert at_least(TP, TP, strict=True).outcome == "refuted"
    assert inequality(TP + FN, TP, strict=True).status == "proved"
    share = TP / (TP + FN)
    assert within(share, 0, 1).outcome == "holds"
    assert within(share, 0, Rational(1, 2)).outcome == "refuted"
    assert within(share, Rational(1, 2), None).outcome == "refuted"
    assert within(BETA.symbol * share, 0, None, BETA).outcome == "holds"
    assert within(BETA.symbol * share, None, 1, BETA).outcome == "refuted"


def test_properties_had_and_lacked() -> None:
    assert (has("f1", "p2").outcome, lacks("f1", "p2").outcome) == ("holds", "refuted")
    assert (has("f1", "p1").outcome, lacks("f1", "p1").outcome) == ("refuted", "holds")
    # cwA is as it was for w = 1/2 alone, and its default is 3/4.
    assert (has("cwa", "p1").outcome, lacks("cwa", "p1").outcome) == ("refuted", "holds")


def test_limits() -> None:
    path = (TP, FN, FP, TN / STEP)
    accuracy = (TP + TN) / (TP + FN + FP + TN)
    assert tends_to(accuracy, S.One, path).outcome == "holds"
    refuted = tends_to(accuracy, S.Zero, path)
    assert (refuted.outcome, refuted.corrected) == ("refuted", "the limit is 1")
    assert tends_to(TN, S.Zero, path).outcome == "open"


@in_one_test
@pytest.mark.parametrize(
    ("value", "printed", "working", "evidence", "outcome"),
    [
        (3, "3", "(1 + 5)/2", "(1 + 5)/2 = 3, printed 3", "holds"),
        (Rational(5, 3), "1.667", "2*5/6", "2*5/6 = 5/3 = 1.66667, printed 1.667", "holds"),
        (Rational(5, 3), "1.666", "2*5/6", "2*5/6 = 5/3 = 1.66667, printed 1.666", "refuted"),
        (Rational(4, 5), "0.8", "4/5", "4/5 = 0.800, printed 0.8", "holds"),
        (Rational(1, 8), "0.13", "", "1/8 = 0.1250, printed 0.13", "holds"),
        (Rational(1, 8), "0.12", "", "1/8 = 0.1250, printed 0.12", "holds"),
        (sqrt(5), "2.236", "", "sqrt(5) = 2.23607, printed 2.236", "holds"),
        (nan, "not defined", "0/0", "0/0 = undefined, printed not defined", "holds"),
        (nan, "0.5", "0/0", "0/0 = undefined, printed 0.5", "refuted"),
        (Rational(1, 2), "not defined", "1/2", "1/2 = 0.50, printed not defined", "refuted"),
    ],
)
def test_numbers(value: object, printed: str, working: str, evidence: str, outcome: str) -> None:
    ruling = by_number(value, printed, working)
    assert (ruling.outcome, ruling.evidence) == (outcome, evidence)
    assert bool(ruling.corrected) == (outcome == "refuted")


@given(st.decimals(-10, 10, places=2), st.fractions(-10, 10))
def test_a_number_rounds_if_it_lies_between(printed: object, value: Fraction) -> None:
    low, high = rounds_from(str(printed))
    ours = Rational(value.numerator, value.denominator)
    assert (by_number(ours, str(printed)).outcome == "holds") == bool(low <= ours <= high)


def test_computations_and_garbled_text() -> None:
    assert by_computation(True, "1 = 1", "not used") == Ruling("holds", "1 = 1")
    assert by_computation(False, "1 = 2", "1 = 1") == Ruling("refuted", "1 = 2", "1 = 1")
    assert unreadable("smudged") == Ruling("unreadable", "smudged", basis="nothing")


# -- scripts -----------------------------------------------------------------------------------------------------------


def checkout(folder: Path) -> Path:
    """Return a repository with the folders of few papers."""
    (folder / "pyproject.toml").write_text('[project]\nname = "symmetrics"\n', encoding="utf-8")
    (folder / "README.md").write_text("# A title\n", encoding="utf-8")
    (folder / "proofs").mkdir()
    for paper in FEW:
        shutil.copytree(
            ROOT / "proofs" / paper, folder / "proofs" / paper, ignore=shutil.ignore_patterns("__pycache__")
        )
    return folder


def one_claim(key: str, judge: Callable[[], Ruling]) -> Trial:
    return Trial("paper1999", "A paper", (PaperClaim(key, "section 1", "words", "it holds", judge),))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def trial(:\n", "SyntaxError"),
        ("1/0\n", "ZeroDivisionError"),
        ("", "AttributeError"),
        ("def trial():\n    return 1\n", "trial() returned int"),
    ],
)
def test_a_script_that_is_none_is_refused_in_one_line(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "paper1999"
    path.mkdir()
    (path / "__init__.py").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_trial(path)
    assert str(path) in str(caught.value)
    assert reason in str(caught.value)


def test_no_module_of_a_paper_is_too_long_to_be_read() -> None:
    modules = [*(ROOT / "proofs").glob("*/*.py"), *(ROOT / "symmetrics" / "papers").rglob("*.py")]
    assert len(modules) > 50
    for path in modules:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 450, path


def test_a_folder_is_run_as_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / "proofs" / "tan2006"), run_name="__main__")
    assert ended.value.code == 0
    assert capsys.readouterr().out.endswith(
        f"{len(script('tan2006').trial().claims)} claims, 0 of them other than recorded\n"
    )


@pytest.mark.parametrize("keys", [("paper1999.a", "paper1999.a"), ("other.a",)])
def test_keys_that_clash_are_refused(tmp_path: Path, keys: tuple[str, ...]) -> None:
    (tmp_path / "proofs" / "paper1999").mkdir(parents=True)
    claims = ", ".join(f'PaperClaim({key!r}, "", "words", "", None)' for key in keys)
    text = "from symmetrics.papers.claims import PaperClaim, Trial\n\n\ndef trial():\n"
    path = tmp_path / "proofs" / "paper1999" / "__init__.py"
    path.write_text(f'{text}    return Trial("paper1999", "", ({claims},))\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"the key '.*' of a claim"):
        load_trials(tmp_path)


def test_a_claim_that_cannot_be_judged_is_named() -> None:
    (claim,) = one_claim("paper1999.a", lambda: by_computation(bool(1 / 0), "")).claims
    with pytest.raises(InputError, match=r"paper1999\.a cannot be judged \(ZeroDivisionError"):
        ruling_of(claim)


def test_a_script_alone_exits_with_1_if_something_is_not_as_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    trial = one_claim("paper1999.a", lambda: Ruling("refuted", "1 = 2", "1 = 1"))
    assert run_alone(replace(trial, recorded={"paper1999.a": "refuted"})) == 0
    assert "instead: 1 = 1" in capsys.readouterr().out
    assert run_alone(trial) == 1
    assert "<- recorded as holds" in capsys.readouterr().out


# -- command line and generated files ----------------------------------------------------------------------------------


@pytest.fixture
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.usefixtures("at_root")
def test_one_claim_is_judged_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--claim", "tan2006.weights_recall"]) == 0
    output, errors = capsys.readouterr()
    assert errors == ""
    assert output.splitlines()[0] == "tan2006.weights_recall"
    assert [line.split(":")[0].strip() for line in output.splitlines()[1:]] == [
        "place",
        "printed",
        "outcome",
        "evidence",
        "rests on",
        "instead",
    ]


@pytest.mark.sampled(2)
@pytest.mark.usefixtures("at_root")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tan2006.weight_recall"], "did you mean tan2006.weights_recall"),
        (["TAN2006.WEIGHTS_RECALL"], "did you mean tan2006.weights_recall"),
        (["§"], "'symmetrics list claims' shows all"),
        ([""], "'symmetrics list claims' shows all"),
        (["tan2006.weights_recall", "proofs"], "takes no path"),
    ],
)
def test_unknown_claims_are_one_line(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--claim", *arguments]) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert len(errors.splitlines()) == 1
    assert words in errors


def test_outside_of_a_checkout_the_claims_are_those_of_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["check", "--claim", "tan2006.weights_recall"]) == 0
    assert "tan2006.weights_recall" in capsys.readouterr().out


def test_a_checkout_without_papers_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = checkout(tmp_path)
    for path in scripts(root):
        shutil.rmtree(path)
    assert main(["check", "--claim", "all", "--root", str(root)]) == 2
    errors = capsys.readouterr().err
    assert len(errors.splitlines()) == 1
    assert "no papers at" in errors


def test_scripts_of_other_projects_are_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = checkout(tmp_path)
    (root / "pyproject.toml").write_text('[project]\nname = "other"\n', encoding="utf-8")
    (root / "proofs" / "other2000").mkdir()
    (root / "proofs" / "other2000" / "__init__.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    assert main(["check", "--root", str(root), "--claim", "all"]) == 2
    assert "another project" in capsys.readouterr().err


@pytest.mark.thorough
def test_all_claims_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], everything: list[Heard]
) -> None:
    monkeypatch.chdir(checkout(tmp_path))
    assert main(["check", "--claim", "all"]) == 0
    several = [one for one in everything if one.paper in FEW]
    assert capsys.readouterr().out == "\n\n".join([*map(ruling_text, several), summary_line(several)]) + "\n"


@pytest.mark.thorough
def test_a_build_writes_errata_and_claims_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, everything: list[Heard]
) -> None:
    monkeypatch.setattr(symmetrics.repository.building, "metrics", {"precision": metrics["precision"]})
    monkeypatch.setattr(symmetrics.repository.building, "multiclass", {})
    root = checkout(tmp_path)
    assert {root / "proofs" / "ERRATA.md", root / "proofs" / "CLAIMS.md"} <= set(build(root))
    several = [one for one in everything if one.paper in FEW]
    assert (root / "proofs" / "ERRATA.md").read_text(encoding="utf-8") == errata_text(several)
    assert (root / "proofs" / "CLAIMS.md").read_text(encoding="utf-8") == claims_text(several)
    assert build(root) == []


@pytest.mark.thorough
def test_without_scripts_nothing_is_written_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symmetrics.repository.building, "metrics", {"precision": metrics["precision"]})
    monkeypatch.setattr(symmetrics.repository.building, "multiclass", {})
    root = checkout(tmp_path)
    for path in scripts(root):
        shutil.rmtree(path)
    assert not any(path.name in ("ERRATA.md", "CLAIMS.md") for path in generated_files(root))


def heard(evidence: str, outcome: str = "refuted") -> Heard:
    return Heard("paper1999", "A paper", "paper1999.a", "section 1", "words", "a|b", Ruling(outcome, evidence, "c"))


def test_markdown_is_escaped() -> None:
    text = claims_text([heard("0.5*x*y <b> `z` |w| 1 < 2")])
    assert (
        r"| `paper1999.a` | section 1 | words | a\|b | refuted | exact computation | 0.5\*x\*y \<b> \`z\` \|w\| 1 < 2 |"
        in text
    )
    assert r"- **Refuted by:** |x| \*" in errata_text([heard("|x| *")])


def test_an_erratum_is_withdrawn_only_if_it_was_refuted_and_holds_now() -> None:
    withdrawn = replace(heard("1", "holds"), before="refuted")
    assert "# Withdrawn" in errata_text([withdrawn])
    for other in (
        heard("1", "holds"),
        replace(heard("1"), before="refuted"),
        replace(heard("1", "holds"), before="open"),
    ):
        assert "# Withdrawn" not in errata_text([other])


def outcomes_in(text: str, column: int, claim: int) -> dict[str, str]:
    """Return the outcomes that a table in Markdown has, by the claim that its row names."""
    rows = [re.split(r"(?<!\\)\|", line) for line in text.splitlines() if line.startswith("|")]
    named = [(re.search(r"`(\w+\.\w+)`", row[claim]), row[column]) for row in rows if len(row) > column]
    pattern = r"holds only as|holds|refuted|open|unreadable"
    found = {key.group(1): re.match(pattern, cell.strip()) for key, cell in named if key}
    return {key: outcome.group() for key, outcome in found.items() if outcome}


def test_claims_and_page_give_one_verdict_on_each_sentence(everything: list[Heard]) -> None:
    """What `symmetrics reproduce` prints of a sentence and what CLAIMS.md has come from the same records."""
    listed = claims_text(everything).partition("\n## ")[2]
    shown = "\n".join(page_text([one for one in everything if one.paper == paper]) for paper in PAPERS)
    expected = {one.key: one.ruling.outcome for one in everything}
    assert outcomes_in(listed, 5, 1) == outcomes_in(shown, 5, 2) == expected


def test_what_is_not_counted_is_named(everything: list[Heard]) -> None:
    for paper in PAPERS:
        trial = load_trial(ROOT / "proofs" / paper)
        names = [claim.key.removeprefix(f"{paper}.") for claim in trial.claims]
        for pattern in trial.uncounted:
            assert any(fnmatchcase(name, pattern) for name in names), (paper, pattern)
        assert set(trial.anew) <= set(names)
    readings = [one for one in everything if one.key.endswith("_as_read")]
    assert readings
    assert all(one.uncounted for one in readings)
    assert not any(one.before == one.ruling.outcome for one in everything if not one.uncounted)


def test_a_sentence_that_holds_as_printed_needs_no_reading() -> None:
    for literal, read, outcome in ((True, False, "holds"), (False, True, "holds only as"), (False, False, "refuted")):
        claim = PaperClaim("a.b", "p. 1", "words", "it is", lambda literal=literal: by_computation(literal, "1", "2"))
        both = list(with_reading(claim, "it may be", lambda read=read: by_computation(read, "3", "4")))
        assert [one.judge().outcome for one in both] == [outcome, "holds" if read else "refuted"]
        assert both[1].reading_of == "a.b"


def test_counts_in_writing() -> None:
    several = [heard("1"), heard("2", "holds"), heard("3", "unreadable")]
    assert summary_line(several) == (
        "3 claims: 1 hold, 0 hold only as read, 1 are refuted, 0 are open, 1 cannot be read; "
        "0 more are judged and not counted"
    )
    assert "| paper1999 | statements | 1 | 0 | 1 | 0 | 1 | 3 |" in claims_text(several)
    assert "Of 3 claims that are counted 1 are refuted, and 0 fail" in errata_text(several)
    assert "# Arguable" not in errata_text(several)
    assert "# Arguable" in errata_text([*several, heard("4", "holds only as")])
    assert ruling_text(several[0]).splitlines()[-1] == "  instead:  c"
