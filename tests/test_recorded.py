"""What is asked of the library is read from certificates, and never from one that is about something else."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from effort import is_thorough, some
from sympy import Rational

import symmetrics.claims.recorded
import symmetrics.query.proving
import symmetrics.tools.shipped
from symmetrics.claims.recorded import deciding_anew
from symmetrics.claims.verdict import Verdict
from symmetrics.cli import main
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.library import metrics, properties
from symmetrics.library.selections import GARCIA_METRICS
from symmetrics.metric import Metric
from symmetrics.pages.tables import table
from symmetrics.query.proving import prove, recorded
from symmetrics.query.search import find
from symmetrics.repository.certificates import certificates_text
from symmetrics.repository.verifying import root_of
from symmetrics.tools.errors import CertificateError, InputError
from symmetrics.tools.shipped import (
    DECIDING,
    MANIFEST,
    PROGRAMS,
    SOURCES,
    code_of,
    manifest_text,
    shipped,
    shipped_root,
)
from symmetrics.tools.sources import bytes_of_rooms

ROOT = Path(__file__).resolve().parent.parent
FEW = ("cwa", "accuracy", "precision", *(("gmean",) if is_thorough() else ()))


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Certificates of a few metrics by the path of their files: decided now unless those of the repository are."""
    return {f"certificates/{name}.json": certificates_text(name, kept(name)) for name in FEW}


def kept(name: str) -> str | None:
    """Return the repository's certificates, of which those by the same code are as good as decided now."""
    path = ROOT / "proofs" / "certificates" / f"{name}.json"
    return None if is_thorough() or not path.exists() else path.read_text(encoding="utf-8")


def forget() -> None:
    lines, opened = symmetrics.claims.recorded._lines, symmetrics.tools.shipped._opened
    for cached in (recorded, lines, opened, code_of, symmetrics.query.proving._decided):
        cached.cache_clear()


@pytest.fixture
def folder(texts: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder ``proofs`` of a checkout from which this package seems to come."""
    proofs = tmp_path / "proofs"
    (proofs / "certificates").mkdir(parents=True)
    for name, text in texts.items():
        (proofs / name).write_text(text, encoding="utf-8")
    (proofs / MANIFEST).write_text(manifest_text(texts), encoding="utf-8")
    monkeypatch.setattr(symmetrics.tools.shipped, "PACKAGE", tmp_path / "symmetrics")
    monkeypatch.setattr(symmetrics.tools.shipped, "ARCHIVE", tmp_path / "symmetrics" / "proofs.tar.xz")
    forget()
    yield proofs
    forget()


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The hook that packs the archive; of hatchling, which is there when a wheel is built, it needs a base class."""
    name = "hatchling.builders.hooks.plugin.interface"
    stand_in = ModuleType(name)
    stand_in.BuildHookInterface = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, name, stand_in)
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / ".ci" / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def archive(folder: Path, hook: ModuleType) -> Path:
    """The archive of a wheel, in the place of the folder."""
    return pack(folder, hook)


def test_a_wheel_has_the_programs_beside_the_archive(hook: ModuleType, folder: Path) -> None:
    made, data = hook.ProofsHook(), {"force_include": {}}
    made.root, made.target_name = str(folder.parent), "wheel"
    made.initialize("standard", data)
    made.finalize()
    inside = {target: Path(source) for source, target in data["force_include"].items()}
    assert set(inside) == {"symmetrics/proofs.tar.xz", f"symmetrics/{PROGRAMS}", f"symmetrics/{SOURCES}"}
    assert inside[f"symmetrics/{PROGRAMS}"] == folder / PROGRAMS


def pack(folder: Path, hook: ModuleType) -> Path:
    (folder / "tan2006").mkdir()
    (folder / "tan2006" / "__init__.py").write_text("# a module", encoding="utf-8")
    path = symmetrics.tools.shipped.ARCHIVE
    path.parent.mkdir()
    path.write_bytes(hook.packed(folder))
    folder.rename(folder.with_name("gone"))
    return path


@pytest.fixture
def no_prover(monkeypatch: pytest.MonkeyPatch) -> None:
    def decide(*_: object, **__: object) -> Verdict:
        raise AssertionError("the prover was asked")

    monkeypatch.setattr("symmetrics.prover.decide_or_at_defaults", decide)


@pytest.mark.parametrize("name", FEW)
def test_a_verdict_that_is_read_is_the_one_that_is_decided(name: str, folder: Path) -> None:
    for key, property in some(properties.items(), 3, name):
        read = recorded(metrics[name], property)
        assert read is not None
        with deciding_anew():
            decided = prove(name, key)
        assert read == decided
        assert decided == read
        assert str(read) == str(decided)
        assert json.dumps(read.certificate()) == json.dumps(decided.certificate())


@pytest.mark.usefixtures("archive", "no_prover")
def test_no_prover_is_asked_from_a_wheel(capsys: pytest.CaptureFixture[str]) -> None:
    assert prove("accuracy", "p1").status == "proved"
    assert list(find(metrics=FEW, p2=True)) == ["precision"]
    assert len(table(FEW, properties, parallel=True).rows) == len(FEW)
    assert main(["prove", "cwa", "p1"]) == 0
    assert "holds if and only if w = 1/2" in capsys.readouterr().out
    with pytest.raises(AssertionError, match="the prover was asked"):
        prove("f1", "p1")
    with deciding_anew(), pytest.raises(AssertionError, match="the prover was asked"):
        prove(metrics["accuracy"], "p2")


@pytest.mark.parametrize("name", FEW if is_thorough() else FEW[1:])  # with a parameter it takes a second
def test_symmetries_that_are_read_are_those_that_are_decided(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with deciding_anew():
        decided = metrics[name].symmetries()

    def decide(*_: object, **__: object) -> None:
        raise AssertionError("the prover was asked")

    monkeypatch.setattr("symmetrics.prover.symmetries.decide_or_at_defaults", decide)
    read = metrics[name].symmetries()
    assert repr(read) == repr(decided)
    assert read == decided
    for mine in (Metric("mine", metrics[name].expr, metrics[name].parameters), Metric(name, TP / (TP + FN))):
        with pytest.raises(AssertionError, match="the prover was asked"):
            mine.symmetries()
    path = folder / "certificates" / f"{name}.json"
    path.write_text(path.read_text(encoding="utf-8").replace("identity", "no identity"), encoding="utf-8")
    forget()
    with (
        pytest.warns(UserWarning, match="changed since it was generated"),
        pytest.raises(AssertionError, match="the prover was asked"),
    ):
        metrics[name].symmetries()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "mine",
    [
        Metric("precision", TP / (TP + FN)),
        Metric("cwa", metrics["cwa"].expr, (Parameter("w", 0, 1, default=Rational(1, 2)),)),
        Metric("cwa", metrics["cwa"].expr, (Parameter("w", 0, 2, default=Rational(3, 4)),)),
        Metric("mine", metrics["precision"].expr),
    ],
    ids=["formula", "default", "domain", "name"],
)
def test_a_metric_of_ones_own_is_not_answered_by_name(mine: Metric) -> None:
    assert recorded(mine, properties["p1"]) is None


@pytest.mark.usefixtures("folder")
def test_a_property_of_ones_own_is_not_answered_by_name() -> None:
    mine = replace(properties["p1"], claim=properties["p2"].claim)
    assert recorded(metrics["precision"], mine) is None
    assert prove("precision", "p1").status == "refuted"
    assert prove("precision", mine).status == "proved"


def test_a_certificate_under_another_name_is_not_used(folder: Path, texts: dict[str, str]) -> None:
    """Not even if it is about the same formula, as where one metric has two names."""
    changed = dict(texts)
    name = "certificates/precision.json"
    changed[name] = texts[name].replace('"metric": "precision"', '"metric": "ppv"')
    (folder / name).write_text(changed[name], encoding="utf-8")
    (folder / MANIFEST).write_text(manifest_text(changed), encoding="utf-8")
    assert recorded(metrics["precision"], properties["p1"]) is None


@pytest.mark.usefixtures("folder")
def test_nothing_of_ones_own_is_run_to_find_a_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    def claim_of(_: object) -> None:
        raise AssertionError("it may take for ever, and nobody looks at the time")

    mine = replace(properties["p1"], claim=claim_of)
    assert recorded(metrics["precision"], mine) is None
    monkeypatch.setattr(symmetrics.query.proving, "properties", {"p1": mine})
    assert recorded(Metric("precision", TP / (TP + FN)), mine) is None


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("part", ["formula", "default", "domain", "property"])
def test_a_certificate_whose_definition_changed_is_not_used(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known, asked = metrics["cwa"], properties["p1"]
    assert recorded(known, asked) is not None
    (w,) = known.parameters
    changed = {
        "formula": replace(known, expr=known.expr + (TP - TN) / (FN + FP)),
        "default": replace(known, parameters=(replace(w, default=Rational(1, 2)),)),
        "domain": replace(known, parameters=(replace(w, lower_open=True),)),
        "property": known,
    }[part]
    if part == "property":
        asked = replace(asked, claim=properties["p3"].claim)
    monkeypatch.setattr(symmetrics.query.proving, "metrics", {"cwa": changed})
    monkeypatch.setattr(symmetrics.query.proving, "properties", {"p1": asked})
    forget()
    assert recorded(changed, asked) is None


def test_what_other_code_decided_is_not_used(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    (folder / MANIFEST).write_text(json.dumps(manifest | {"code": "another"}), encoding="utf-8")
    assert recorded(metrics["precision"], properties["p1"]) is None


@pytest.mark.parametrize("remembered", ["other code", "this code", "nothing", "damaged"])
def test_what_code_computes_is_remembered_for_files_of_the_same_bytes(
    remembered: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading the code takes seconds; a comment changes the bytes and not what is computed."""
    files = bytes_of_rooms(DECIDING)
    meaning = code_of(DECIDING)
    known = {"other code": {"0": meaning}, "this code": {files: "known"}, "nothing": {}, "damaged": []}[remembered]
    (folder / SOURCES).write_text(json.dumps(known), encoding="utf-8")
    forget()
    assert code_of(DECIDING) == ("known" if remembered == "this code" else meaning)
    assert (recorded(metrics["precision"], properties["p1"]) is None) == (remembered == "this code")
    if remembered != "this code":
        assert json.loads((folder / SOURCES).read_text(encoding="utf-8")) == {files: meaning}


def unread(metric: str, key: str) -> None:
    """See to it that a damaged file is named and that the answer is right all the same."""
    with pytest.warns(UserWarning, match=r"decided anew: .*; install symmetrics again, or run 'symmetrics build'"):
        assert recorded(metrics[metric], properties[key]) is None
    forget()
    with deciding_anew():
        decided = prove(metric, key)
    with pytest.warns(UserWarning, match="decided anew"):
        assert prove(metric, key) == decided


@pytest.mark.parametrize("damage", ["edited", "cut", "gone", "binary"])
def test_a_damaged_file_of_a_checkout_is_not_used(damage: str, folder: Path) -> None:
    path = folder / "certificates" / "precision.json"
    text = path.read_text(encoding="utf-8")
    if damage == "gone":
        path.unlink()
    else:
        edited = text.replace('"holds": true', '"holds": false', 1)
        path.write_bytes({"edited": edited.encode(), "cut": text[:999].encode(), "binary": b"\xff\x00"}[damage])
    unread("precision", "p2")
    assert recorded(metrics["accuracy"], properties["p1"]) is not None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("damage", ["flipped", "cut", "empty", "other"])
def test_a_damaged_archive_is_not_used(damage: str, archive: Path) -> None:
    data = archive.read_bytes()
    middle = len(data) // 2
    flipped = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
    archive.write_bytes({"flipped": flipped, "cut": data[:middle], "empty": b"", "other": b"no archive"}[damage])
    unread("precision", "p2")
    with pytest.raises(CertificateError, match="install symmetrics again"), shipped_root():
        pass


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"code": 1, "files": 2}'])
def test_a_damaged_manifest_is_not_used(text: str, folder: Path) -> None:
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    unread("precision", "p2")


def test_a_wheel_has_what_check_needs(
    folder: Path, hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = FEW if is_thorough() else FEW[2:]
    for name in set(FEW) - set(packed):  # with a parameter, which takes long to verify
        (folder / "certificates" / f"{name}.json").unlink()
    pack(folder, hook)
    with shipped_root() as root:
        assert (root / "proofs" / "tan2006" / "__init__.py").read_text(encoding="utf-8") == "# a module"
    assert not root.exists()
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 0
    assert capsys.readouterr().out.startswith(f"{len(packed) * len(properties)} verdicts re-verified: ")


def test_without_anything_shipped_all_is_decided(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / MANIFEST).unlink()
    assert shipped() is None
    assert recorded(metrics["precision"], properties["p2"]) is None
    assert prove("precision", "p2").status == "proved"
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="install symmetrics from a wheel"), root_of(None):
        pass


def test_the_same_files_make_the_same_archive(folder: Path, hook: ModuleType) -> None:
    assert hook.packed(folder) == hook.packed(folder)


def test_seconds_are_looked_at_before_anything_is_read(folder: Path) -> None:
    with pytest.raises(InputError, match="seconds"):
        prove("precision", "p2", seconds=-1)


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (["--kernel", "coq", "f1", "mcc"], "one metric or formula alone"),
        (["--kernel", "coq", "--param", "w in [0,1]"], "name the formula"),
        (["--kernel", "coq", "TP/("], "it is not a complete formula"),
        (["--param", "w in [0,1]"], "which only --kernel takes"),
    ],
)
def test_what_check_does_not_take(arguments: list[str], fragment: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *arguments]) == 2
    assert fragment in capsys.readouterr().err


def test_the_manifest_is_about_the_files_that_are_tracked() -> None:
    hashes = json.loads((ROOT / "proofs" / MANIFEST).read_text(encoding="utf-8"))["files"]
    assert {f"certificates/{name}.json" for name in metrics} <= hashes.keys(), "run 'symmetrics build'"
    assert {f"coq/{name}.v" for name in metrics} <= hashes.keys(), "run 'symmetrics build'"


def test_git_takes_the_theories_of_the_table_the_order_and_the_papers() -> None:
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    taken = [line.removeprefix("!/proofs/coq/") for line in lines if line.startswith("!/proofs/coq/")]
    assert "/proofs/coq/*.v" in lines
    assert taken == ["order*.v", "literature_*.v", *(f"{name}.v" for name in GARCIA_METRICS)]


NOT_REACHED = {
    "class_confusion_entropy",
    "confusion_entropy",
    "geometric_normalized_mutual_information",
    "j_measure",
    "j_measure_symmetric",
    "klosgen",
    "modified_class_confusion_entropy",
    "one_way_support",
}
"""Metrics of which the search finds no table that has, or nears, an end of the stated range."""


def test_both_ends_of_a_stated_range_stand_in_the_verdict() -> None:
    found = set()
    for name, metric in metrics.items():
        if metric.range is None:
            continue
        text = (ROOT / "proofs" / "certificates" / f"{name}.json").read_text(encoding="utf-8")
        verdict = next(each for each in json.loads(text) if each["property"] == "range")
        told = f"{verdict['value']} {verdict['evidence']}"
        if not all(formula_text(end) in told for end in (metric.range.start, metric.range.end)):
            found.add(name)
            assert verdict["status"] != "proved"
    assert found == NOT_REACHED
