"""What is shipped of the library's metrics is what their definitions give, and is used only if it is."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import in_one_test, some

import symmetrics as sm
import symmetrics.tools.shipped
from symmetrics.language.definition import Definition, loaded_when_asked
from symmetrics.metric import Metric
from symmetrics.metric.shipped import FACTS, facts_of, matrix_metric_names
from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.counts import Cells
from symmetrics.numeric.plans import plan_of
from symmetrics.numeric.programs import Constant, LibraryFormula, decoded, encoded
from symmetrics.repository.programs import defined_metrics, programs_of
from symmetrics.tools.catalogue import spoken
from symmetrics.tools.shipped import PROGRAMS, programs_file, shipped_programs

DEFINED = {metric.name: metric for _, metric in defined_metrics()}
HOSTILE = np.array(
    [
        *np.ndindex(3, 3, 3, 3),
        (10, 20, 30, 10**15),
        (60000, 5000, 6000, 70000),
        (1e-9, 2.5, 1e-7, 3.25),
        (1e200, 1, 1e-200, 1),
        (123456, 123456, 1, 0),
        (7, 7 + 1e-9, 3, 3),
    ],
    dtype=float,
).T


@pytest.fixture(scope="module")
def shipped() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Return facts and programs by the name of the metric."""
    lines = shipped_programs()
    assert lines is not None, "run 'symmetrics build'"
    facts = [json.loads(line)[1] for line in lines[1::2]]
    return {fact["name"]: (fact, json.loads(line)) for fact, line in zip(facts, lines[2::2], strict=True)}


def bits(formula: Any, metric: Metric) -> bytes:
    """Return the bits of the values at hostile tables, all that are nan being the same."""
    values = evaluate(formula, Cells(*HOSTILE), bounds=metric.bounds)
    return np.where(np.isnan(values), np.nan, values).tobytes()


@pytest.mark.parametrize("part", ["facts", "programs", "values"])
def test_what_is_shipped_is_what_the_definition_gives(part: str, shipped: dict[str, Any]) -> None:
    for metric in some(DEFINED.values(), {"facts": 8, "programs": 12, "values": 40}[part], f"shipped {part}"):
        facts, programs = shipped[metric.name]
        if part == "facts":
            assert json.loads(json.dumps(facts_of(metric))) == facts, metric.name
        elif part == "programs":
            plan_of.cache_clear()  # an evaluation may have added to the program
            known = programs_of(metric)
            limits = {**known.pop("limits")}
            assert json.loads(json.dumps(known)) == {k: v for k, v in programs.items() if k != "limits"}, metric.name
            for face, value in programs["limits"].items():
                assert np.array_equal(limits[face], value, equal_nan=True), (metric.name, face)
        else:
            formula = LibraryFormula(json.dumps(programs), lambda metric=metric: metric.value_formula)  # type: ignore[misc]
            assert bits(formula, metric) == bits(metric.value_formula, metric), metric.name


def test_shipped_metrics_are_their_definitions(shipped: dict[str, Any]) -> None:
    # Every metric is shipped in the order of its definition.
    assert list(shipped) == list(DEFINED)
    # Scalars and intervals are those of the definition.
    for metric in some(DEFINED.values(), 12, "shipped intervals"):
        record = sm.metrics[metric.name]
        assert isinstance(record.computable, LibraryFormula)
        for table in ((5, 3, 2, 20), (50, 30, 20, 200), (1, 0, 4, 7)):
            assert repr(record.from_counts(*table)) == repr(metric.from_counts(*table)), (metric.name, table)
            if metric.bounds is not None:
                found, wanted = record.interval(*table), metric.interval(*table)
                assert (repr(found), found.why) == (repr(wanted), wanted.why), (metric.name, table)
    # A record of the library is its definition once it is looked at.
    for metric in some(DEFINED.values(), 20, "shipped records"):
        record = sm.metrics[metric.name]
        assert record is not metric
        assert record == metric
        assert hash(record) == hash(metric)
        assert {name: getattr(record, name) for name in ("parameters", "range", "cites", "latex")} == {
            name: getattr(metric, name) for name in ("parameters", "range", "cites", "latex")
        }
    # The names of metrics of matrices are known without them.
    names = {spoken(name) for metric in sm.multiclass.values() for name in (metric.name, *metric.aliases)}
    assert matrix_metric_names() == names


def test_a_record_is_pickled_with_its_programs(shipped: dict[str, Any]) -> None:
    found = pickle.loads(pickle.dumps(sm.metrics["mcc"]))
    assert isinstance(found.computable, LibraryFormula)
    assert found.from_counts(4, 1, 2, 13) == DEFINED["mcc"].from_counts(4, 1, 2, 13)
    assert found == DEFINED["mcc"]


def test_a_field_that_was_left_out_is_loaded_once_and_not_taken_for_its_default() -> None:
    calls = []

    def load() -> Definition:
        calls.append(1)
        return Definition("mine", "w*TP/(w*TP + FN)", parameters=("w in [0, 1] = 3/4",), aliases=("ours",))

    record = loaded_when_asked(Definition, load, {"name": "mine"})
    assert (record.name, len(calls)) == ("mine", 0)
    assert [parameter.name for parameter in record.parameters] == ["w"]
    assert (record.aliases, str(record.expr), len(calls)) == (("ours",), "TP*w/(FN + TP*w)", 1)
    with pytest.raises(AttributeError, match="no attribute 'missing'"):
        _ = record.missing  # type: ignore[attr-defined]


# -- a file that does not fit ------------------------------------------------------------------------------------------

LINES = ('["mcc"]', '["theme", {}]', "{}")


def read_from(folder: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...] | None:
    """Return what is read if a file of programs holds some bytes."""
    (folder / "proofs").mkdir(exist_ok=True)
    (folder / "proofs" / PROGRAMS).write_bytes(content)
    monkeypatch.setattr(symmetrics.tools.shipped, "PACKAGE", folder / "symmetrics")
    return shipped_programs.__wrapped__()


def test_a_file_is_read_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_from(tmp_path, programs_file(LINES).encode(), monkeypatch) == LINES


@in_one_test
@pytest.mark.parametrize("place", range(0, len(programs_file(LINES)), 3))
def test_a_file_with_any_byte_changed_is_not_used(place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = bytearray(programs_file(LINES).encode())
    content[place] ^= 1
    assert read_from(tmp_path, bytes(content), monkeypatch) is None


@in_one_test
@pytest.mark.parametrize("length", range(0, len(programs_file(LINES)), 7))
def test_a_file_that_ends_early_is_not_used(length: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_from(tmp_path, programs_file(LINES).encode()[:length], monkeypatch) is None


def test_a_file_by_other_code_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = programs_file(LINES).encode()
    monkeypatch.setattr(symmetrics.tools.shipped, "code_of", lambda rooms: "other code")
    assert read_from(tmp_path, written, monkeypatch) is None


def test_constants_keep_their_order_and_their_digits() -> None:
    from sympy import log, sqrt

    for number in (1 / log(2), sqrt(2) / 2, log(10)):
        found = decoded(encoded(number))
        assert isinstance(found, Constant)
        assert repr(found) == repr(number)
        assert float(found.evalf(30)) == float(number.evalf(30))
        assert np.longdouble(str(found.evalf(30))) == np.longdouble(str(number.evalf(30)))


def test_facts_are_attributes_of_metrics() -> None:
    assert all(hasattr(Metric("mine", "TP/(TP + FN)"), name) for name in FACTS)
