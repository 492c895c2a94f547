"""Budgets of time and memory: what runs out is open, says so, and leaves nothing behind."""

from __future__ import annotations

import importlib
import io
import json
import math
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from effort import in_one_test, is_thorough
from sympy import Symbol, gcd, sin
from sympy.core.cache import cacheit

import symmetrics as sm
from symmetrics.algebra.field import Field
from symmetrics.claims.verdict import Verdict
from symmetrics.cli import main
from symmetrics.metric import direction
from symmetrics.papers.comparison import Steps
from symmetrics.prover.acceptance import accepted_decision, decide_and_check
from symmetrics.prover.decide import decision_of
from symmetrics.query.identification import identify
from symmetrics.query.order import order
from symmetrics.query.relations import relate
from symmetrics.tools import budget
from symmetrics.tools.budget import OutOfBudget, checkpoint, seconds_left, within
from symmetrics.tools.errors import BudgetError, InputError, UnsupportedError

ROOT = Path(__file__).resolve().parent.parent
SLACK = 10.0
"""Seconds by which a busy machine may be late."""


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Look on more often, and interrupt sooner, than for users: nearly all tests here wait for an interruption.

    They interrupt what only waits, so that no cache is left half-filled: emptying them would slow down what follows.
    """
    monkeypatch.setattr(budget, "TICK", 0.01)
    monkeypatch.setattr(budget, "AGAIN", 0.04)
    if request.node.get_closest_marker("spending") is None:
        monkeypatch.setattr(budget, "_forget", lambda: None)


def product_of(count: int, domain: str = " in [0, 1]") -> sm.Metric:
    """Return ``a1*a2*...*TP/(TP + FN)``."""
    names = [f"a{number}" for number in range(1, count + 1)]
    formula = sm.parse_formula("*".join(names) + "*TP/(TP + FN)", names)
    return sm.Metric("product", formula, tuple(sm.Parameter.parse(name + domain) for name in names))


def busily() -> Any:
    """Work without an end, and without a checkpoint."""
    while True:
        pass


def forever(*_: object, **__: object) -> Any:
    """Do the same, but leave the processor to others."""
    while True:
        time.sleep(0.001)


def stubbornly() -> Any:
    """Take every exception for a way that failed, and try the next one, as SymPy does."""
    while True:
        try:
            forever()
        except Exception:  # the point of the test
            continue


def test_what_takes_too_long_is_interrupted() -> None:
    start = time.monotonic()
    with pytest.raises(BudgetError, match=r"not decided within 0\.1 s; give it more time with seconds=1"):
        within(busily, seconds=0.1)
    assert time.monotonic() - start < SLACK
    # No way of trying again survives it.
    with pytest.raises(BudgetError):
        within(stubbornly, seconds=0.1)
    assert not issubclass(OutOfBudget, Exception)
    # In another thread too.
    found: list[object] = []

    def work() -> None:
        try:
            within(forever, seconds=0.1)
        except BudgetError as error:
            found.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(SLACK)
    assert len(found) == 1


def test_memory_is_limited_too() -> None:
    kept: list[bytes] = []

    def grow() -> None:
        while True:
            kept.append(b"x" * 2**20)

    with pytest.raises(BudgetError, match="not decided within 100 MB of memory"):
        within(grow, seconds=60, megabytes=100)
    assert len(kept) < 2000


def test_a_checkpoint_stops_what_cannot_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symmetrics.tools.budget._interrupt", lambda *_: None)

    def work() -> None:
        end = time.monotonic() + SLACK
        while time.monotonic() < end:
            checkpoint()

    start = time.monotonic()
    with pytest.raises(BudgetError):
        within(work, seconds=0.2)
    assert time.monotonic() - start < SLACK / 2
    checkpoint()  # outside of a budget it does nothing


def products() -> None:
    field = Field(["x"])
    field.multiply(field.from_poly(field.generators["x"]), field.constant(2))


def substitution() -> None:
    x = (field := Field(["x"])).generators["x"]
    field.substitute_fraction(x + 1, 0, x, x + 2)


def decision() -> None:
    decision_of(sm.properties["p1"].claim(sm.metrics["tpr"]))


@pytest.mark.parametrize("step", [products, substitution, decision])
def test_each_long_step_ends_at_a_checkpoint(step: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symmetrics.tools.budget._interrupt", lambda *_: None)
    step()
    passed: list[bool] = []

    def late() -> None:
        time.sleep(0.1)
        step()
        passed.append(True)

    with pytest.raises(BudgetError):
        within(late, seconds=0.05)
    assert not passed


def test_after_the_end_nothing_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Budgets that end about when they run out: the interruption comes within them, or not at all."""
    monkeypatch.setattr(budget, "TICK", 0.02)
    monkeypatch.setattr(budget, "AGAIN", 0.1)
    outcomes = set()
    # The first ends before there is anything to interrupt, the last long after it, however busy the machine is.
    for number in (-28, *range(0, 30, 1 if is_thorough() else 14), 80 if is_thorough() else 50):
        end = time.monotonic() + 0.12 + 0.004 * number

        def work(end: float = end) -> int:
            while time.monotonic() < end:
                time.sleep(0 if is_thorough() else 0.0005)
            return 1

        try:
            outcomes.add(within(work, seconds=0.01))
        except BudgetError:
            outcomes.add(0)
        for _ in range(1000):
            pass
    assert outcomes == {0, 1}


def test_an_interruption_on_its_way_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    sent, own = budget._interrupt, []

    def interrupt(thread: int, error: type[BaseException]) -> bool:
        if threading.get_ident() != thread:
            return True  # the thread that looks on takes it for sent
        own.append(error)
        return sent(thread, error)

    monkeypatch.setattr(budget, "_interrupt", interrupt)
    with pytest.raises(BudgetError):
        within(lambda: time.sleep(0.2), seconds=0.03)
    assert own == [OutOfBudget]


def test_an_interruption_of_the_end_itself_begins_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[int] = []

    def settle(worker: int) -> None:
        ends.append(worker)
        if len(ends) == 1:
            raise OutOfBudget

    monkeypatch.setattr(budget, "_settle", settle)
    with pytest.raises(BudgetError):
        within(lambda: time.sleep(0.2), seconds=0.03)
    assert len(ends) == 2


def test_what_ran_out_of_its_budget_does_not_stop_a_profiler() -> None:
    """CPython 3.11 looks for an interruption that was taken back at each call, and with a profiler never ends."""
    script = (
        "import cProfile\n"
        "from symmetrics.tools.budget import within\n"
        "from symmetrics.tools.errors import BudgetError\n"
        "def forever():\n    while True:\n        pass\n"
        "cProfile.Profile().enable()\n"
        "try:\n    within(forever, seconds=0.05)\n"
        "except BudgetError:\n    print(sum(map(lambda number: number, range(10))))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "45\n"


def test_the_inner_budget_runs_out_alone_and_the_outer_one_with_all() -> None:
    def inner(seconds: float) -> str:
        try:
            within(forever, seconds=seconds)
        except BudgetError:
            return "open"
        return "never"

    assert within(lambda: inner(0.05), seconds=60) == "open"
    start = time.monotonic()
    with pytest.raises(BudgetError, match=r"within 0\.1 s"):
        within(lambda: inner(60), seconds=0.1)
    assert time.monotonic() - start < SLACK


def test_a_result_of_interrupted_work_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Finalised:
        def __del__(self) -> None:
            end = time.monotonic() + 0.3
            while time.monotonic() < end:
                pass

    def work() -> int:
        one = Finalised()
        del one  # an interruption within a finaliser is lost
        return 1

    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    with pytest.raises(BudgetError):
        within(work, seconds=0.05)


class Terminal(io.StringIO):
    """A terminal that remembers what is written to it."""

    def isatty(self) -> bool:
        return True


def test_a_long_question_shows_what_is_being_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symmetrics.tools.budget.SHOWN_AFTER", 0.05)
    monkeypatch.setattr("symmetrics.prover.decide_or_at_defaults", forever)
    monkeypatch.setattr(sys, "stderr", Terminal())
    sm.prove(sm.Metric("mine", sm.TP / (sm.TP + 13 * sm.FN)), "p1", seconds=0.2)
    shown = sys.stderr.getvalue()
    assert "deciding p1 of mine: " in shown
    assert shown.endswith("\r")  # and takes it away


@pytest.mark.parametrize("stream", [None, io.StringIO(), object()], ids=["closed", "a file", "broken"])
def test_the_budget_is_kept_without_a_terminal(stream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symmetrics.tools.budget.SHOWN_AFTER", 0.03)
    monkeypatch.setattr(sys, "stderr", stream)
    with pytest.raises(BudgetError):
        within(forever, seconds=0.06, shown="something")


@in_one_test
@pytest.mark.parametrize("seconds", [0, -1, math.nan, "30", None, True])
def test_a_budget_is_a_positive_number(seconds: Any) -> None:
    with pytest.raises(InputError, match="give a positive number"):
        sm.prove("f1", "p1", seconds=seconds)


def test_a_budget_is_kept_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    # What is left is known.
    assert seconds_left(20) == 20
    assert 0 < within(lambda: seconds_left(20), seconds=5) <= 5
    # What ran out empties the caches and nothing else does.
    emptied: list[int] = []
    monkeypatch.setattr(budget, "_forget", lambda: emptied.append(1))
    assert within(lambda: 1, seconds=60) == 1
    assert not emptied
    with pytest.raises(BudgetError):
        within(forever, seconds=0.05)
    assert len(emptied) == 1


@pytest.mark.spending
def test_caches_of_the_package_and_of_sympy_are_emptied() -> None:
    @cacheit
    def cached() -> object:
        return object()

    before = cached()
    assert direction.greater_is_better(sm.metrics["f1"])
    assert direction._decided.cache_info().currsize
    budget._forget()
    assert direction._decided.cache_info().currsize == 0
    assert cached() is not before


@pytest.mark.spending
def test_sympy_is_whole_after_an_interruption() -> None:
    """Long work of SymPy is stopped in the middle; what it is asked afterwards has the answers that it always had."""
    x, y = Symbol("x"), Symbol("y")

    def work() -> None:
        total = sum(((x + k) ** k * (y - k) ** 3 + sin(x) * k for k in range(40)), x)
        while True:
            gcd(total.expand(), (total * (x + y)).expand())

    with pytest.raises(BudgetError):
        within(work, seconds=0.2)
    positive = Symbol("p", positive=True)
    assert (positive + 1).is_positive
    assert sm.prove("f1", "p2").status == "proved"
    sm.check(sm.prove("gmean", "range"))


# -- questions ---------------------------------------------------------------------------------------------------------


def test_what_ran_out_is_open_and_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = sm.Metric("mine", sm.TP / (sm.TP + 3 * sm.FN))
    with monkeypatch.context() as patched:
        patched.setattr("symmetrics.prover.decide_or_at_defaults", forever)
        verdict = sm.prove(metric, "p1", seconds=0.05)
    assert (verdict.status, verdict.holds) == ("open", None)
    assert verdict.evidence.sentence == (
        "open: not decided within 0.05 s; give it more time with seconds=1 (--seconds 1)"
    )
    sm.check(verdict)
    assert sm.prove(metric, "p1").status == "refuted"


def test_with_parameters_the_advice_is_to_bind_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symmetrics.prover.decide_or_at_defaults", forever)
    assert sm.prove(product_of(1), "p1", seconds=0.05).evidence.sentence.endswith(", or bind parameters")


def test_the_checker_is_within_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symmetrics.prover.acceptance.check", forever)
    metric = sm.Metric("checked forever", sm.TP / (sm.TP + 5 * sm.FN))
    assert "not decided within 0.1 s" in sm.prove(metric, "p1", seconds=0.1).evidence.sentence
    claim = sm.properties["p1"].claim(metric)
    assert "not decided within" in decide_and_check(claim, metric="", property="", seconds=0.1).evidence.sentence
    assert "not decided within" in accepted_decision(claim, 0.1).evidence.sentence


def test_relations_have_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symmetrics.prover.acceptance.check", forever)
    assert "not decided within" in relate("f1", "jaccard", "less_equal", seconds=0.1).evidence.sentence
    found = identify("2*TP/(2*TP + FN + FP)", seconds=0.1)
    assert found.remark.startswith("open: not everything was compared: not decided within 0.1 s")
    assert found.remark in repr(found)
    assert found.to_dict()["remark"] == found.remark
    assert order(["f1", "jaccard"], processes=1, seconds=0.1).counts()["open"] >= 1


def test_a_table_has_a_budget_for_each_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symmetrics.prover.decide_or_at_defaults", forever)
    metrics = [sm.Metric("mine", sm.TP / (sm.TP + 7 * sm.FN))]
    assert sm.table(metrics, ["p1", "p2"], seconds=0.05).to_csv() == "metric,p1,p2\nmine,?,?\n"


def test_the_command_line_takes_seconds(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("symmetrics.prover.decide_or_at_defaults", forever)
    assert main(["prove", "TP/(TP + 11*FN)", "p1", "--seconds", "0.05", "--format", "json"]) == 0
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["status"] == "open"
    assert "(--seconds 1)" in verdict["evidence"]
    assert main(["prove", "f1", "p1", "--seconds", "soon"]) == 2
    assert "'soon' is no time; give seconds, such as 120, or inf" in capsys.readouterr().err


# -- what took too much ------------------------------------------------------------------------------------------------

ASK = """
import re, sys
sys.path.insert(0, "tests")
from test_budget import product_of
import symmetrics as sm
for key in sys.argv[2:]:
    print(sm.prove(product_of(int(sys.argv[1])), key, seconds=60).status)
print(int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) // 1024)
"""


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the most memory that it had stands in /proc")
def test_24_parameters_take_no_gigabytes() -> None:
    asked = subprocess.run(
        [sys.executable, "-c", ASK, "24", "p1", "p3", "defined", "transpose"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        timeout=250,
    )
    *statuses, megabytes = asked.stdout.split()
    assert statuses == ["conditional", "proved", "refuted", "conditional"]
    assert int(megabytes) < 500


def test_fields_with_many_parameters() -> None:
    # A polynomial is not moved to too many corners.
    field = Field(("x",), [sm.Parameter(f"a{number}", 0, 1) for number in range(20)])
    total = field.generators["x"]
    for number in range(20):
        total *= field.generators[f"a{number}"]
    assert not field.is_positive(total + field.generators["x"])  # not shown, in place of a million terms
    assert field.is_positive(field.generators["a1"] + field.generators["x"])
    top, bottom = field.generators["x"] + 1, field.generators["a1"] + field.generators["a2"] + 1
    with pytest.raises(UnsupportedError, match="too many terms"):
        field.substitute_fraction(field.generators["a0"] ** 300 + 1, 1, top, bottom**2)
    # A parameter that does not occur has one corner. Ends of domains were counted twice for them, so that a million
    # corners were looked at.
    field = Field(("x",), [sm.Parameter(f"a{number}", 0, 1) for number in range(24)])
    start = time.monotonic()
    assert field.is_always_positive(field.generators["x"])
    assert field.never_zero(field.generators["a0"] + 1)
    assert time.monotonic() - start < SLACK


# -- reasons -----------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", sorted(sm.properties))
def test_min_of_what_may_be_imaginary_raises_nothing(key: str) -> None:
    metric = sm.Metric("nasty", sm.parse_formula("Min(TP, log(Abs(sqrt(FP - FN))))"))
    sentence = sm.prove(metric, key).evidence.sentence
    assert "Error" not in sentence
    assert "open: open" not in sentence


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OverflowError("cannot convert"), "a number in it is too large"),
        (TypeError("Invalid comparison of non-real 1 + I"), "has no real value"),
        (ValueError("The argument 'zoo' is not comparable."), "has no real value"),
        (ZeroDivisionError("division"), "divides by zero"),
        (RecursionError("maximum recursion depth exceeded"), "nested too deeply"),
        (UnsupportedError("open: it is so"), "it is so"),
    ],
)
def test_a_reason_is_a_sentence_about_the_formula(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    claim = sm.properties["p1"].claim(sm.metrics["f1"])
    deciding = importlib.import_module("symmetrics.prover.decide")
    monkeypatch.setattr("symmetrics.prover.families.equations.decide", fail)
    decision = deciding.decision_of(claim)
    assert decision.status == "open"
    told = Verdict.of(decision, claim, metric="f1", property="p1").evidence.sentence
    assert told.startswith("open: ")
    assert words in told
    assert "open: open" not in told
    assert type(error).__name__ not in told


def test_an_unknown_name_of_a_megabyte_is_not_echoed_whole() -> None:
    with pytest.raises(sm.SymmetricsError, match=r"unknown metric 'ffff") as caught:
        sm.prove("f" * 2**20, "p1")
    assert len(str(caught.value)) < 300


def test_a_step_with_too_many_brackets_is_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("symmetrics.papers.comparison.fingerprint", str)  # that of all sources takes a second
    (tmp_path / "step.json").write_text("[" * 100_000, encoding="utf-8")
    assert Steps(tmp_path).done("step", lambda: 1) == 1
    assert "step.json is not used (it is nested too deeply)" in caplog.text
