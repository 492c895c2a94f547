"""A metric is its expression as it is shown; what cancels as a formula is read is told, and not judged."""

from __future__ import annotations

import pytest
from effort import some

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.language.cancellation import cancelled
from symmetrics.language.formula import formula_text
from symmetrics.tools.errors import FormulaError

LOST = [
    ("TP*FP/FP/(TP + FN + FP + TN)", ("the division by FP",)),
    ("log(TP - FN) - log(TP - FN) + TP/(TP + FN)", ("the logarithm of -FN + TP",)),
    ("sqrt(TP - FN)**2 + TP/(TP + FN)", ("the root of -FN + TP",)),
    ("(TP - FN)**(1/2)*(TP - FN)**(1/2)", ("the root of -FN + TP",)),
    ("1/(1/FP)", ("the division by FP",)),
    ("TP*TP**-1 + FN", ("the division by TP",)),
    ("0*log(FP) + TP", ("the logarithm of FP",)),
    ("w*TP/w", ("the division by w",)),
    ("TP/(TP - FN) - TP/(TP - FN) + FP/(TP + FP)", ("the division by FN - TP",)),
]
KEPT = ["TP/(TP + FN)", "-1/(TP - FN)", "TP/sqrt((TP + FN)*(TP + FP))", "1/(2*TP + 2*FN)", "TP/(w*FN)", "log(TP/FN)"]


@pytest.mark.parametrize(("text", "expected"), LOST)
def test_what_is_gone_is_told(text: str, expected: tuple[str, ...]) -> None:
    assert cancelled(text, ("w",)) == expected


@pytest.mark.parametrize("text", KEPT)
def test_nothing_else_is_told(text: str) -> None:
    assert cancelled(text, ("w",)) == ()


def test_nothing_is_gone_from_what_the_library_shows() -> None:
    for metric in some(sm.metrics.values(), 60):
        assert cancelled(formula_text(metric.expr), [p.name for p in metric.parameters]) == (), metric.name


def test_what_is_no_formula_is_refused() -> None:
    with pytest.raises(FormulaError):
        cancelled("TP/(")


@pytest.mark.parametrize("text", ["TP*FP/FP/(TP+FN+FP+TN)", "log(TP-FN)-log(TP-FN)+TP/(TP+FN+FP+TN)"])
def test_definedness_is_that_of_the_form_that_is_shown(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", text, "defined"]) == 0
    sentence, blank, *lines = capsys.readouterr().out.splitlines()
    assert (sentence, blank) == ("The formula has a value at every table.", "")
    assert lines[0] == "metric    M = TP/(FN + FP + TN + TP)"
    assert lines[1].startswith("note      the ")
    assert "cancelled when the formula was read: the verdict is about M as it is shown" in lines[1]
    assert any(line.startswith("claim     M, as it is shown after equal factors and equal terms") for line in lines)
    assert " ".join(" ".join(lines).split()).endswith(
        "evidence at no table is a divisor of M, as it is shown, zero, a radicand negative, or the argument of a "
        "logarithm zero or negative"
    )
    verdict = sm.prove(sm.Metric("mine", sm.parse_formula(text)), "defined")
    assert verdict.status == "proved"
    assert sm.Metric("mine", sm.parse_formula(text)).exact(1, 1, 0, 1) == sm.parse_formula("1/3")


def test_nowhere_is_something_said_of_a_form_that_nobody_looked_at() -> None:
    assert "as it is written" not in sm.properties["defined"].statement
    assert "as it is shown" in sm.properties["defined"].statement
    assert main(["prove", "mcc", "defined"]) == 0


def test_no_note_without_a_loss(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["mcc", "defined"], ["TP/(TP+FN)", "p2"], ["cwa", "p1", "--param", "w = 1/2"], ["recall", "p2"]):
        assert main(["prove", *arguments]) == 0
        assert "note" not in capsys.readouterr().out
