"""Records load a theme at a time, and a catalogue answers as if it had all of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from effort import some

import symmetrics as sm
from symmetrics.tools.catalogue import Catalogue, ThemedCatalogue
from symmetrics.tools.errors import DefinitionError, UnknownNameError

ROOT = Path(__file__).resolve().parent.parent
THEMES = sorted(path.stem for path in (ROOT / "symmetrics/library/metrics").glob("[a-z]*.py"))


def loaded_after(question: str) -> list[str]:
    """Return the themes of metrics that are loaded in a new process after a question."""
    script = (
        f"import sys, symmetrics as sm; {question}; "
        "print(*sorted(m.rpartition('.')[2] for m in sys.modules if m.startswith('symmetrics.library.metrics.')))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.split()


@pytest.mark.thorough
def test_a_formula_loads_the_theme_of_its_metric_alone() -> None:
    assert loaded_after("sm.metrics['mcc'].expr") == ["association"]
    assert loaded_after("sm.metrics.recall.cites") == ["rates"]


@pytest.mark.thorough
def test_values_and_names_load_no_theme() -> None:
    assert loaded_after("sm.metrics['mcc'].from_counts(1, 2, 3, 4)") == []
    assert loaded_after("[metric.title for metric in sm.metrics.values()]") == []
    assert loaded_after("'no_such_metric' in sm.metrics") == []
    assert loaded_after("[metric.expr for metric in sm.metrics.values()]") == THEMES


def test_each_name_gives_the_record_that_the_whole_catalogue_has() -> None:
    for name in some([name for metric in sm.metrics.values() for name in (metric.name, *metric.aliases)], 60):
        fresh: ThemedCatalogue[sm.Metric] = ThemedCatalogue("metric", "symmetrics.library.metrics")
        assert fresh[name] == sm.metrics[name]
        assert "_all" not in fresh.__dict__
    assert list(sm.metrics) == sorted(sm.metrics)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "themes_of_a_test"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    head = "from symmetrics.metric import Metric\nfrom symmetrics import TP\n"
    (folder / "one.py").write_text(f'{head}RECORDS = (Metric("a", TP, aliases=("b",)),)  # not "c"\n')
    (folder / "two.py").write_text(f'{head}RECORDS = (Metric("c", TP), Metric("d" + "e", TP, aliases=("b",)))\n')
    (folder / "words.py").write_text('WORDS = ("a", "c")\n')
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.startswith(folder.name)]:
        monkeypatch.delitem(sys.modules, name)
    return folder.name


def test_a_name_in_another_theme_misleads_nobody(package: str) -> None:
    records: Catalogue[sm.Metric] = ThemedCatalogue("metric", package)
    assert records["c"].name == "c"
    assert records["de"].name == "de"  # which no source spells
    with pytest.raises(DefinitionError, match="'b' names both"):
        len(records)  # loads all themes, of which two share an alias


def test_an_unknown_name_is_told_with_those_near_it() -> None:
    with pytest.raises(UnknownNameError, match="mcc"):
        sm.metrics["mccc"]
    with pytest.raises(UnknownNameError):
        sm.metrics[3]  # type: ignore[index]
