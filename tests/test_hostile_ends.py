"""Ends of ranges: true ones are accepted, and each kind of false path, bound, corner or proof is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from effort import in_one_test
from forging import FOLDER, refusal

from symmetrics.checker import check
from symmetrics.checker.engine import ends
from symmetrics.checker.engine.ends import check_end, check_path, check_proof, check_subject, within
from symmetrics.claims import Bounded, StrictInequality
from symmetrics.claims.evidence import open_decision
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.prover.acceptance import decide_and_check

Data = dict[str, Any]
WEIGHT, CLOSED = Parameter.parse("w in (0, 1]"), Parameter.parse("w in [0, 1]")
RECALL, WEIGHTED = "TP/(TP + FN)", "w*TP/(TP + FN)"
LOWER, UPPER = ["other_s", "1", "1", "1"], ["1", "other_s", "1", "1"]


ENDS: dict[str, list[Data]] = json.loads((FOLDER.parent / "range_ends.json").read_text(encoding="utf-8"))
PROOFS = {entry["what"]: entry["data"].get("proof") for entry in ENDS["true"]}
ABOVE, ABOVE_WEIGHTED = PROOFS["the lower end"], PROOFS["a bound for all parameters"]
RATIO = PROOFS["a bound that is attained"]
"""That 2*TP*TN/(TP**2 + TN**2) is at most 1, which it is where both are the same."""


def end(path: list[str], bound: str, proved: Data | None = None, *, strict: bool = True, **corner: list[str]) -> Data:
    data: Data = {"path": path, "bound": bound, **corner}
    return data if proved is None else data | {"strict": strict, "proof": proved}


def refused(name: str, text: str, data: Data, recheck: Callable[[Verdict], None] = check) -> str | None:
    """Return why an end of the range of a formula is refused, None if it is not."""
    parameters = (WEIGHT,) if "w" in text else ()
    return refusal(check_end, name, data, parse_formula(text, ["w"]), parameters, recheck)


@in_one_test
@pytest.mark.parametrize("entry", [*ENDS["true"], *ENDS["false"]])
def test_true_ends_are_accepted_and_false_ones_refused(entry: Data) -> None:
    assert refused(entry["end"], entry["formula"], entry["data"]) == entry.get("refused")


def test_a_bound_is_not_attained_where_nothing_reaches_it() -> None:
    """With a proof that is taken for good: no proof of the strict inequality is true at a table that attains it."""
    data = end(["1"] * 4, "1", RATIO)
    found = refused("upper", "2*TP*TN/(TP**2 + TN**2)", data, lambda part: None)
    assert found == "a bound is attained and not attained"


def test_a_bound_holds_parameters_and_no_cells() -> None:
    subject = parse_formula(WEIGHTED, ["w"])
    assert refusal(within, StrictInequality, subject, (WEIGHT,), "w", 1) is None
    assert (
        refusal(within, StrictInequality, subject, (WEIGHT,), "TP", 1)
        == "the bound depends on more than the parameters"
    )


def test_a_formula_without_a_value_at_a_corner_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ends, "obstacles_of", lambda formula: [("logarithm", parse_formula("1 + 1/FN"))])
    data = end(LOWER, "0", ABOVE_WEIGHTED, corner=["0", "0", "1", "1"])
    assert refused("lower", WEIGHTED, data) == "the formula has no value at a table with zero cells"


def test_a_symbol_is_declared() -> None:
    subject = parse_formula(WEIGHTED, ["w"])
    assert refusal(check_subject, subject, (WEIGHT,)) is None
    assert refusal(check_subject, subject, ()) == "the formula has a symbol that is not declared"
    verdict = Verdict.of(open_decision("not found"), Bounded(subject, ()), metric="own", property="own")
    assert refusal(check, verdict) == "the formula has a symbol that is not declared"
    verdict = Verdict.of(open_decision("not found"), Bounded(subject, (WEIGHT,)), metric="own", property="own")
    assert refusal(check, verdict) is None


def test_a_part_has_the_status_that_is_needed() -> None:
    claim = within(StrictInequality, parse_formula(RECALL), (), "0", -1)
    assert refusal(check_proof, ABOVE, claim, check) is None
    assert refusal(check_proof, ABOVE, claim, check, "refuted") == "a part is not refuted"
    assert refusal(check_path, ["1", "1", "1", "TP"]) == "a curve depends on more than its step"
    assert dict(zip(CELLS, check_path(["1", "2", "1", "other_s"]), strict=True))[CELLS[1]] == 2


NARROW = "w*FN/(w*TP + (FN - FP)**2)"
"""Unbounded near FN = FP and TP = 0 if w is positive, and zero if w is zero, where it divides by zero on that curve."""
INTO = ["other_s", "1", "1", "1"]


def test_a_curve_has_values_for_all_parameters() -> None:
    for text, data in ((NARROW, end(INTO, "oo")), (f"{NARROW}*TP/FN", end(INTO, "1"))):
        reason = refusal(check_end, "upper", data, parse_formula(text, ["w"]), (CLOSED,), check)
        assert reason == "for some parameters the curve has no value"
    for number in ("pi", "sqrt(2)", "2"):  # at w = pi, say, it is zero, and so is what it divides by on the curve
        subject = parse_formula(f"{NARROW}*TP/FN".replace("w", f"(w - {number})**2"), ["w"])
        reason = refusal(check_end, "upper", end(INTO, "1"), subject, (Parameter("w", 0, 4),), check)
        assert reason == "for some parameters the curve has no value", number
    assert refusal(check_end, "upper", end(INTO, "oo"), parse_formula(NARROW, ["w"]), (WEIGHT,), check) is None
    for text in ("1/(w*TP)", "1/(w*TP + (w + 1)*FN)", "sqrt(w*TP + FN)/TP"):
        whole = end(["other_s", "other_s", "1", "1"], "oo")
        assert (
            refusal(
                check_end, "upper", whole, parse_formula(text, ["w"]), (CLOSED if "sqrt" in text else WEIGHT,), check
            )
            is None
        )


def test_a_formula_is_not_said_to_be_unbounded_where_the_curve_has_no_value() -> None:
    for text in (NARROW, "w*FN/(w*TP + Abs(FN - FP))", "w*FN/(w*TP + Max(FN - FP, 0))"):
        for parameter, status in ((CLOSED, "open"), (WEIGHT, "refuted")):
            claim = Bounded(parse_formula(text, ["w"]), (parameter,))
            assert decide_and_check(claim, metric="own", property="range").status == status
