"""Confusion matrices and numbers of examples in files, as programs write them: right, or refused with what to type."""

from __future__ import annotations

import csv
import io
import json
import shlex
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from effort import in_one_test

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.data.matrix_files import read_matrix
from symmetrics.tools.errors import InputError

TRUE = ["a"] * 6 + ["b"] * 8
PREDICTED = ["a"] * 5 + ["b"] + ["a"] * 2 + ["b"] * 6
MATRIX = ((5, 1), (2, 6))
"""By hand: rows are the truth."""
CROSSED = pd.crosstab(pd.Series(TRUE, name="y_true"), pd.Series(PREDICTED, name="y_pred"))
PLAIN = pd.crosstab(pd.Series(TRUE, name="y"), pd.Series(PREDICTED, name="p"))
MARGINS = pd.crosstab(pd.Series(TRUE, name="Actual"), pd.Series(PREDICTED, name="Predicted"), margins=True)
CONFUSION = sklearn.metrics.confusion_matrix(TRUE, PREDICTED)

# What R 4 prints and writes of table(pred, truth), with the prediction in the rows, and caret's confusionMatrix.
R_TABLE = "    truth\npred a b\n   a 5 2\n   b 1 6\n"
R_WITHOUT_NAMES = "   \n    a b\n  a 5 2\n  b 1 6\n"
R_NUMBERS = "   \n     0  1\n  0  5  2\n  1  1  6\n"
R_WRITE_CSV = '"","a","b"\n"a",5,2\n"b",1,6\n'
R_WRITE_TABLE = '"a" "b"\n"a" 5 2\n"b" 1 6\n'
R_SUMS = "          Reference\nPrediction  a  b Sum\n       a    5  2   7\n       b    1  6   7\n       Sum  6  8  14\n"
CARET = """Confusion Matrix and Statistics

          Reference
Prediction a b
         a 5 2
         b 1 6

               Accuracy : 0.7857
                 95% CI : (0.492, 0.9534)
    No Information Rate : 0.5714
    P-Value [Acc > NIR] : 0.08864

                  Kappa : 0.5714

 Mcnemar's Test P-Value : 1.00000

            Sensitivity : 0.8333
"""
CARET_NUMBERS = (
    CARET.replace(" a b\n", " 0 1\n").replace("         a", "         0").replace("         b", "         1")
)


def savetxt(**settings: Any) -> str:
    stream = io.StringIO()
    np.savetxt(stream, CONFUSION, **settings)
    return stream.getvalue()


SAID = {
    "crosstab": (CROSSED.to_csv(), "truth"),
    "crosstab of the transpose": (CROSSED.T.to_csv(), "prediction"),
    "crosstab with sums": (MARGINS.to_csv(), "truth"),
    "crosstab with tabs": (CROSSED.to_csv(sep="\t"), "truth"),
    "crosstab with semicolons": (CROSSED.to_csv(sep=";"), "truth"),
    "crosstab printed": (CROSSED.to_string(), "truth"),
    "crosstab with sums printed": (MARGINS.to_string(), "truth"),
    "crosstab in another order": (CROSSED[["b", "a"]].to_csv(), "truth"),
    "crosstab of floats": (CROSSED.astype(float).to_csv(), "truth"),
    "table of R": (R_TABLE, "prediction"),
    "table of R with sums": (R_SUMS, "prediction"),
    "caret": (CARET, "prediction"),
    "corner": ("true \\ predicted,a,b\na,5,1\nb,2,6\n", "truth"),
    "slash": ("Predicted/Actual;a;b\na;5;2\nb;1;6\n", "prediction"),
    "word above": (",Predicted,\nActual,a,b\na,5,1\nb,2,6\n", "truth"),
    "words before names": (",Predicted a,Predicted b\nActual a,5,1\nActual b,2,6\n", "truth"),
    "words before the columns": (",pred_a,pred_b\na,5,1\nb,2,6\n", "truth"),
    "names of data frames": ("df$pred,a,b\na,5,2\nb,1,6\n", "prediction"),
    "line ends of Windows": ("Ground truth,a,b\r\na,5,1\r\nb,2,6\r\n", "truth"),
}
"""Files whose words say which way round they are."""
UNSAID = {
    "crosstab": (PLAIN.to_csv(), "truth"),
    "crosstab printed": (PLAIN.to_string(), "truth"),
    "frame of scikit-learn's matrix": (pd.DataFrame(CONFUSION, list("ab"), list("ab")).to_csv(), "truth"),
    "frame without index": (pd.DataFrame(CONFUSION, columns=list("ab")).to_csv(index=False), "truth"),
    "table of R without names": (R_WITHOUT_NAMES, "prediction"),
    "write.csv of R": (R_WRITE_CSV, "prediction"),
    "write.table of R": (R_WRITE_TABLE, "prediction"),
    "JSON with names": ('{"classes": ["a", "b"], "matrix": [[5, 1], [2, 6]]}', "truth"),
    "arrows": ("Actual ↓ Predicted →,a,b\na,5,1\nb,2,6\n", "truth"),
    "names with a common word": (",true a,true b\ntrue a,5,1\ntrue b,2,6\n", "truth"),
}
BARE = {
    "savetxt": savetxt(),
    "savetxt of whole numbers": savetxt(fmt="%d"),
    "savetxt with commas": savetxt(fmt="%d", delimiter=","),
    "savetxt with tabs": savetxt(fmt="%d", delimiter="\t"),
    "NumPy printed": str(CONFUSION),
    "NumPy's array": repr(CONFUSION),
    "JSON": json.dumps(CONFUSION.tolist()),
    "frame": pd.DataFrame(CONFUSION).to_csv(),
    "frame without index": pd.DataFrame(CONFUSION).to_csv(index=False),
}


def read(folder: Path, text: str, rows: str | None = None) -> Any:
    (folder / "m.csv").write_text(text, encoding="utf-8", newline="")
    return read_matrix(folder / "m.csv", rows)


@in_one_test
@pytest.mark.parametrize("name", SAID)
def test_the_words_of_a_file_say_which_way_round_it_is(name: str, tmp_path: Path) -> None:
    text, rows = SAID[name]
    found = read(tmp_path, text)
    order = [found.classes.index(label) for label in "ab"]
    assert np.array_equal(np.array(found.matrix)[np.ix_(order, order)], MATRIX)
    assert found.rows == rows
    assert found.reading.startswith(f"rows are the {rows}, by '")
    assert read(tmp_path, text, rows) == found
    with pytest.raises(InputError, match="says the contrary; leave --rows out"):
        read(tmp_path, text, "truth" if rows == "prediction" else "prediction")


@in_one_test
@pytest.mark.parametrize("name", UNSAID)
def test_a_file_that_does_not_say_it_is_not_guessed(name: str, tmp_path: Path) -> None:
    text, rows = UNSAID[name]
    with pytest.raises(
        InputError, match=r"does not say which way round it is; add --rows truth if .* or --rows prediction"
    ):
        read(tmp_path, text)
    found = read(tmp_path, text, rows)
    assert (found.matrix, found.rows) == (MATRIX, rows)
    assert [name.removeprefix("true ") for name in found.classes] == ["a", "b"]
    assert "by --rows" in found.reading
    assert np.array_equal(
        np.transpose(found.matrix), read(tmp_path, text, {"truth": "prediction"}.get(rows, "truth")).matrix
    )


@in_one_test
@pytest.mark.parametrize("name", BARE)
def test_numbers_alone_have_their_places_for_names(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not say which way round it is"):
        read(tmp_path, BARE[name])
    found = read(tmp_path, BARE[name], "truth")
    assert (found.matrix, found.classes) == (MATRIX, ("0", "1"))


@in_one_test
@pytest.mark.parametrize(("text", "rows"), [(R_NUMBERS, "prediction"), (CARET_NUMBERS, None)])
def test_classes_may_be_numbers(text: str, rows: str | None, tmp_path: Path) -> None:
    found = read(tmp_path, text, rows)
    assert (found.classes, found.matrix, found.rows) == (("0", "1"), MATRIX, "prediction")


@in_one_test
@pytest.mark.parametrize(
    ("text", "matrix", "told"),
    [
        ("truth,a,b\na,5,1\nb,2,6\nc,0,1\n", ((5, 1, 0), (2, 6, 0), (0, 1, 0)), "no column for 'c', taken for zeros"),
        ("truth,a,b,c\na,5,1,1\nb,2,6,0\n", ((5, 1, 1), (2, 6, 0), (0, 0, 0)), "no row for 'c', taken for zeros"),
        ("5,1\n1,6\n", ((5, 1), (1, 6)), "the same numbers, so that it does not matter which are the truth"),
        ("truth,0.0,1.0\n0,5,1\n1,2,6\n", MATRIX, "rows are the truth"),
        (
            "           truth\npred        very good bad\n  very good  5         2\n  bad        1         6\n",
            MATRIX,
            "pred",
        ),
        ("truth,a,b\na,5.5,1\nb,2,6\n", ((5.5, 1), (2, 6)), "rows are the truth"),
    ],
)
def test_what_was_done_to_a_matrix_is_said(text: str, matrix: Any, told: str, tmp_path: Path) -> None:
    found = read(tmp_path, text)
    assert (found.matrix, told in found.reading) == (matrix, True)


@in_one_test
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Actual,a,b,All\na,5,1,7\nb,2,6,8\nAll,7,7,14\n", "'All' is not the sum of the others"),
        ("truth,a,b\na,0.83,0.17\nb,0.25,0.75\n", "each row adds up to 1, so that these are shares"),
        ("truth,a,b\na,71.4,14.3\nb,28.6,85.7\n", "each column adds up to 100"),
        ("truth,a,b\na,-5,1\nb,2,6\n", "-5 is negative"),
        ("truth,a,b\na,5,\nb,2,6\n", "an empty field; write 0"),
        ("truth,a,b\na,inf,1\nb,2,6\n", "'inf' where a number of examples belongs"),
        ('truth,a,b\na,"1,234",1\nb,2,6\n', "'1,234' where a number of examples belongs"),
        ("truth,a,b\na,1e400,1\nb,2,6\n", "a number is too large"),
        ("truth,a,b\na,0,0\nb,0,0\n", "every number is 0"),
        ("truth,a,a\na,5,1\na,2,6\n", "two rows are called 'a'"),
        ("truth,a,b\nc,5,1\nd,2,6\n", "the rows are 'c', 'd' and the columns 'a', 'b'"),
        ("truth,a,NA\na,5,1\nNA,2,6\n", "'NA' stands for missing labels"),
        (",Predicted a,Predicted b\nPred a,5,1\nPred b,2,6\n", "call both rows and columns the prediction"),
        ("truth,Actual a,Actual b\na,5,1\nb,2,6\n", "call both rows and columns the truth"),
        ("5,1,0\n2,6,1\n", "a confusion matrix"),
        ("5", "one class"),
        ("hello world\nfoo\n", "no table of numbers"),
        ('{"a": {"a": 5}}', "no list of lists"),
        ("[[1, 2], [3]]", "rows of 1 number and of 2 numbers"),
        (R_WRITE_CSV.replace('"",', '"",').replace("5", '"x"'), "'x' where a number of examples belongs"),
        (
            '"","Prediction","Reference","Freq"\n"1","a","a",5\n"2","b","a",1\n"3","a","b",2\n"4","b","b",6\n',
            "leave --matrix out, and write --truth Reference --prediction Prediction --frequency Freq",
        ),
        (
            "Var1,Var2,Freq\na,a,5\nb,a,1\na,b,2\nb,b,6\n",
            "--truth Var1 --prediction Var2 --frequency Freq, or --truth Var2 --prediction Var1 if Var2 is the truth",
        ),
    ],
)
def test_what_is_no_matrix_is_refused(text: str, told: str, tmp_path: Path) -> None:
    for rows in (None, "truth"):
        with pytest.raises(InputError) as caught:
            read(tmp_path, text, rows)
        message = str(caught.value)
        assert told in message
        assert "\n" not in message


@in_one_test
@pytest.mark.parametrize("seed", range(30))
def test_a_crosstab_comes_back_as_it_was(seed: int, tmp_path: Path) -> None:
    random = np.random.default_rng(seed)
    names = [f"class {number}" if seed % 3 else f"k{number}" for number in range(2 + seed % 8)]
    true, predicted = (random.choice(names, 200) for _ in range(2))
    crossed = pd.crosstab(pd.Series(true, name="truth"), pd.Series(predicted, name="guess"), margins=bool(seed % 2))
    written = crossed if seed % 5 else crossed.T
    found = read(tmp_path, written.to_csv() if seed % 3 else written.to_string())
    expected = sm.ConfusionMatrix.of(true, predicted)
    assert found.classes == tuple(expected.labels)
    assert np.array_equal(found.matrix, expected.matrix)


# -- the command line --------------------------------------------------------------------------------------------------


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Return what a command prints, or says on standard error, where there are files of both kinds."""
    monkeypatch.chdir(tmp_path)
    Path("said.csv").write_text(CROSSED.to_csv(), encoding="utf-8")
    Path("unsaid.csv").write_text(PLAIN.to_csv(), encoding="utf-8")
    Path("three.csv").write_text("truth,a,b,c\na,5,1,0\nb,2,6,1\nc,0,1,3\n", encoding="utf-8")
    long = "Prediction,Reference,Freq,g\nno,no,10,u\nno,yes,20,u\nyes,no,10,u\nyes,yes,60,u\n"
    Path("long.csv").write_text(long.replace(",g\n", "\n").replace(",u\n", "\n"), encoding="utf-8")
    Path("groups.csv").write_text(long + "yes,yes,5,v\nno,no,7,v\n", encoding="utf-8")

    def run(line: str, status: int = 0) -> str:
        assert main(["score", *shlex.split(line)]) == status
        output = capsys.readouterr()
        return output.err if status else output.out

    return run


LONG = "--truth Reference --prediction Prediction"


def test_sixty_of_eighty_have_their_interval(ran: Any) -> None:
    """By hand: recall 60/80; the counts of the long form are the same."""
    expected = sm.metrics["recall"].interval(60, 20, 10, 10)
    assert (round(expected.low, 3), round(expected.high, 3)) == (0.647, 0.836)
    for line in (f"long.csv {LONG} --frequency Freq", "--counts 60 20 10 10"):
        report = json.loads(ran(f"{line} --metrics recall --interval --format json"))
        assert report["counts"] == {"tp": 60, "fn": 20, "fp": 10, "tn": 10}
        (row,) = report["scores"]
        assert (row["value"], row["low"], row["high"]) == (expected.estimate, expected.low, expected.high)
    grouped = json.loads(ran(f"groups.csv {LONG} --frequency Freq --by g --metrics recall --interval --format json"))
    assert [(group["tp"], group["recall_low"]) for group in grouped["groups"]] == [
        (60, expected.low),
        (5, sm.metrics["recall"].interval(5, 0, 0, 7).low),
    ]
    of_whole_file = json.loads(ran(f"groups.csv {LONG} --frequency Freq --where \"g = 'u'\" --interval --format json"))
    assert of_whole_file["counts"] == {"tp": 60, "fn": 20, "fp": 10, "tn": 10}
    assert "100 examples" in ran(f"long.csv {LONG} --frequency Freq")
    Path("zeros.csv").write_text("p,y,n\na,a,5\na,b,1\nb,b,3\nc,a,0\nc,c,0\n", encoding="utf-8")
    with warnings.catch_warnings(action="error"):
        assert json.loads(ran("zeros.csv --truth y --prediction p --frequency n --format json"))["matrix"] == [
            [5, 0, 0],
            [1, 3, 0],
            [0, 0, 0],
        ]
    assert "if column 'Freq' has numbers of examples, name it with --frequency instead" in ran(
        f"long.csv {LONG} --weight Freq --interval", 2
    )


def test_a_matrix_is_scored_as_its_examples_are(ran: Any) -> None:
    for form in ("text", "csv", "json", "md", "html"):
        printed = ran(f"--matrix said.csv --positive b --format {form}")
        assert "rows are the truth, by" in printed
    for options in ("said.csv", "unsaid.csv --rows truth"):
        report = json.loads(ran(f"--matrix {options} --positive b --interval --format json"))
        assert report["counts"] == {"tp": 6, "fn": 2, "fp": 1, "tn": 5}
        for row in report["scores"]:
            expected = sm.metrics[row["metric"]].interval(6, 2, 1, 5)
            assert (row["value"], row["low"], row["high"]) == (expected.estimate, expected.low, expected.high)
    three = [[5, 1, 0], [2, 6, 1], [0, 1, 3]]
    report = json.loads(ran("--matrix three.csv --interval --format json"))
    assert report["matrix"] == three
    for row in report["scores"]:
        name, _, average = row["metric"].partition(" ")
        if average:
            expected = sm.metrics[name].interval_from_confusion(three, average=average.strip("()"))
        else:
            expected = sm.multiclass[name].interval(three)
        assert (row["value"], row["low"], row["high"]) == pytest.approx(
            (expected.estimate, expected.low, expected.high)
        ), row
    (one,) = json.loads(ran("--matrix three.csv --positive c --metrics recall --format json"))["scores"]
    assert one["value"] == 0.75
    assert ran("--matrix three.csv -o out.csv") == "wrote out.csv\n"
    rows = list(csv.DictReader(io.StringIO(Path("out.csv").read_text(encoding="utf-8"))))
    assert {row["reading"] for row in rows} == {"rows are the truth, by 'truth'"}


@in_one_test
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--matrix unsaid.csv", "does not say which way round it is; add --rows truth"),
        ("--matrix said.csv", "pass --positive a or --positive b"),
        ("--matrix said.csv --rows prediction", "says the contrary"),
        ("--matrix said.csv --positive c", "no label is 'c'; pass --positive with one of 'a', 'b'"),
        ("--matrix said.csv --truth y", "--matrix has numbers and no examples, so that --truth does not apply"),
        ("said.csv --matrix said.csv", "so that FILE does not apply"),
        ("--matrix none.csv", "none.csv: no such file"),
        ("--matrix said.csv --metrics auc --positive b", "auc is computed from the scores of examples"),
        ("--matrix three.csv -o three.csv", "it holds the examples, which would be lost"),
        ("--counts 1 2 3", "argument --counts: expected 4 arguments"),
        ("--counts 1 2 x 4", "'x' is not a number"),
        ("--counts 1 2 -3 4", "--counts: FP is -3, and it is a number of examples"),
        ("--counts 1 nan 3 4", "--counts: FN is nan"),
        ("--counts 0 0 0 0", "--counts: every number is 0"),
        ("--counts 1.5 2 3 4 --interval", "an interval is of numbers of examples, which are whole, and 1.5 is not"),
        ("--counts 1 2 3 4 --positive b", "--counts has numbers and no examples, so that --positive does not apply"),
        ("--counts 1 2 3 4 --rows truth", "so that --rows does not apply"),
        ("--rows truth said.csv --truth y --prediction p", "--rows truth is of a confusion matrix"),
        (
            f"long.csv {LONG} --frequency Freq --weight Freq",
            "--frequency says how many examples a row is, and --weight",
        ),
        (f"long.csv {LONG} --frequency Reference", "is not a finite number"),
        (
            f"long.csv {LONG}",
            "if these are numbers of examples, write --truth Reference --prediction Prediction --freq",
        ),
        (
            "said.csv --truth y --prediction p",
            "it looks like a confusion matrix of 2 classes, in which rows are the truth, by 'y_true': write symmetrics "
            "score --matrix said.csv",
        ),
        (
            "unsaid.csv --truth y --prediction guess",
            "it looks like a confusion matrix of 2 classes: write symmetrics score --matrix unsaid.csv --rows truth, "
            "or --rows prediction if each row is a predicted class",
        ),
        ("three.csv", "the following arguments are required: --truth; see 'symmetrics score --help'; it looks like a"),
        ("", "the following arguments are required: FILE, --truth"),
    ],
)
def test_what_does_not_go_together_says_what_to_type(line: str, told: str, ran: Any) -> None:
    message = ran(line, 2)
    assert told in message
    assert message.count("\n") == 1


def test_numbers_that_are_not_whole_have_values_and_no_intervals(ran: Any) -> None:
    Path("halves.csv").write_text(
        "Prediction,Reference,Freq\nno,no,1.5\nyes,no,1\nno,yes,1\nyes,yes,3\n", encoding="utf-8"
    )
    Path("more.csv").write_text(
        "Prediction,Reference,Freq,g\nno,no,1.5,u\nyes,no,1,u\nno,yes,1,u\nyes,yes,3,u\n", encoding="utf-8"
    )
    assert "examples of weight 6.5" in ran(f"halves.csv {LONG} --frequency Freq")
    for line in (f"halves.csv {LONG} --frequency Freq", f"more.csv {LONG} --frequency Freq --by g"):
        assert "0.75" in ran(f"{line} --metrics recall")
        assert "an interval is of numbers of examples, which are whole" in ran(f"{line} --interval", 2)


def test_columns_separated_by_blanks_are_no_matrix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.csv"
    file.write_text("y p\n1 1\n0 1\n", encoding="utf-8")
    assert main(["score", str(file), "--truth", "y", "--prediction", "p"]) == 2
    told = capsys.readouterr().err
    assert "separated by blanks" in told
    assert "matrix" not in told
