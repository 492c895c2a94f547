"""What a default run leaves out: the same every time, spread over the cases, and nothing under ``--thorough``."""

from __future__ import annotations

from inspect import signature
from types import SimpleNamespace
from typing import Any

import effort
import pytest
from conftest import pytest_collection_modifyitems

NAMES = [f"tests/test_it.py::test_it[{number}]" for number in range(100)]


@pytest.fixture(params=[False, True], ids=["sample", "thorough"])
def thorough(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setitem(effort._state, "thorough", request.param)
    return request.param


class Item:
    """A test as far as it is looked at."""

    def __init__(self, nodeid: str, *fixtures: str, **marks: tuple[int, ...]) -> None:
        self.nodeid, self.fixturenames, self.marks = nodeid, fixtures, marks
        self.added: list[Any] = []

    def get_closest_marker(self, name: str) -> Any:
        return SimpleNamespace(args=self.marks[name]) if name in self.marks else None

    def add_marker(self, mark: Any) -> None:
        self.added.append(mark)


def run(items: list[Item], *arguments: str) -> tuple[list[str], list[str]]:
    """Return the names of the tests that are kept, and of those that are reported as left out."""
    reported: list[Item] = []
    hook = SimpleNamespace(pytest_deselected=lambda items: reported.extend(items))
    pytest_collection_modifyitems(SimpleNamespace(args=list(arguments), hook=hook), items)
    return [one.nodeid for one in items], [one.nodeid for one in reported]


def test_a_place_of_every_stretch() -> None:
    for seed in map(str, range(50)):
        found = effort.places(100, 10, seed)
        assert [place // 10 for place in found] == list(range(10))
        assert found == effort.places(100, 10, seed)
    assert len({tuple(effort.places(100, 10, str(seed))) for seed in range(50)}) == 50
    assert set().union(*(effort.places(216, 20, str(seed)) for seed in range(200))) == set(range(216))
    assert effort.places(3, 10, "all of them") == [0, 1, 2]


def test_what_is_asked_for_by_its_name_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(effort._state, "thorough", False)
    assert run([Item("a::b", thorough=()), Item("a::c", thorough=())], "a::b")[0] == ["a::b"]
    assert run([Item(name, sampled=(5,)) for name in NAMES], "tests/test_it.py::test_it")[0] == NAMES
    kept = {NAMES[place] for place in effort.places(100, 5, "tests/test_it.py::test_it")}
    (left_out, *_) = (name for name in NAMES if name not in kept)
    assert set(run([Item(name, sampled=(5,)) for name in NAMES], left_out)[0]) == kept | {left_out}


def test_cases_are_tests_of_their_own_in_a_thorough_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(effort._state, "thorough", True)

    @pytest.mark.parametrize("x", [1, 2])
    def law(x: int) -> None:
        assert x

    assert effort.in_one_test(law) is law


def test_all_cases_in_one_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(effort._state, "thorough", False)
    met = []

    @effort.in_one_test
    @pytest.mark.parametrize("first", [1, 2])
    @pytest.mark.parametrize(("second", "third"), [("a", "b"), ("c", "d")])
    def law(first: int, second: str, third: str, tmp_path: str) -> None:
        met.append((first, second, third, tmp_path))
        assert (first, second) != (2, "c")

    assert [*signature(law).parameters] == ["tmp_path"]
    assert not hasattr(law, "pytestmark")
    with pytest.raises(AssertionError) as caught:
        law(tmp_path="here")
    assert caught.value.__notes__ == ["in the case {'second': 'c', 'third': 'd', 'first': 2}"]
    assert set(met) == {(1, "a", "b", "here"), (2, "a", "b", "here"), (1, "c", "d", "here"), (2, "c", "d", "here")}


def test_of_a_sampled_test_a_loop_goes_through_some_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    met: dict[str, list[int]] = {"sample": [], "thorough": []}
    for run, thorough in (("sample", False), ("thorough", True)):
        monkeypatch.setitem(effort._state, "thorough", thorough)

        @effort.in_one_test
        @pytest.mark.sampled(3)
        @pytest.mark.parametrize("x", range(10))
        def law(x: int, run: str = run) -> None:
            met[run].append(x)

        if thorough:
            assert [mark.name for mark in law.pytestmark] == ["parametrize", "sampled"]
        else:
            law()
            assert not hasattr(law, "pytestmark")
    assert len(set(met["sample"])) == len(met["sample"]) == 3


@pytest.mark.usefixtures("thorough")
def test_cases_of_different_kinds_are_not_put_into_one_test() -> None:
    for mark in (pytest.mark.skipif(False, reason=""), pytest.mark.parametrize("x", [pytest.param(1, id="one")])):

        def law(x: int) -> None:
            assert x

        with pytest.raises(AssertionError, match="something of"):
            effort.in_one_test(mark(law))


def test_what_a_sample_takes(thorough: bool) -> None:
    # Examples and things in a loop.
    assert effort.is_thorough() is thorough
    assert effort.examples(4 * effort.SHARE) == (4 * effort.SHARE if thorough else 4)
    assert effort.examples(1) == 1
    assert len(effort.some(range(100), 7)) == (100 if thorough else 7)
    # Cases of a sampled test.
    kept, reported = run([Item(name, sampled=(5,)) for name in NAMES])
    assert len(kept) == (100 if thorough else 5)
    assert sorted(kept + reported) == sorted(NAMES)
    assert kept == [name for name in NAMES if name in kept]
    # What looks at everything may take long.
    item, impatient = Item("a::b"), Item("a::c", timeout=(20,))
    run([item, impatient])
    assert [mark.name for mark in item.added] == (["timeout"] if thorough else [])
    assert impatient.added == []
    # What has no smaller form.
    marked, kernel, other = Item("a::b", thorough=()), Item("a::c", "prelude"), Item("a::d", "rational_prelude")
    assert run([marked, kernel, other])[0] == (["a::b", "a::c", "a::d"] if thorough else ["a::d"])
    # What uses up a budget comes last in a sample.
    items = [Item("a::b", spending=()), Item("a::c"), Item("a::d", spending=()), Item("a::e")]
    order = ["a::b", "a::c", "a::d", "a::e"] if thorough else ["a::c", "a::e", "a::b", "a::d"]
    assert run(items) == (order, [])
