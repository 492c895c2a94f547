"""What `symmetrics build` writes, `symmetrics check` accepts; nothing is written in part, and nothing twice."""

from __future__ import annotations

import copy
import json
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from effort import is_thorough, some

import symmetrics.repository.building
import symmetrics.repository.certificates
from symmetrics.cli import main
from symmetrics.cli.estimating import _listed_changes as listed
from symmetrics.library import metrics, properties
from symmetrics.pages.tables import table
from symmetrics.query.proving import prove
from symmetrics.repository.building import build, generated_files
from symmetrics.repository.certificates import CERTIFICATES, THEORIES, Checked
from symmetrics.repository.verifying import check_certificates
from symmetrics.tools.errors import CertificateError, InputError
from symmetrics.tools.files import check_writable, write_text
from symmetrics.tools.shipped import MANIFEST, PROGRAMS, programs_file

README = """# A title — with a dash

<!-- generated: invariance_table -->
old
<!-- end -->

Text between.

<!-- generated: counts -->
<!-- end -->
"""
FEW = ("cwa", "mcc", "precision", "goodman_kruskal_lambda") if is_thorough() else ("mcc", "precision")
BUILT = FEW if is_thorough() else ("tpr", "precision")
"""The metrics of the small repository, whose theories a sample makes in a moment."""


def snapshot(folder: Path) -> dict[Path, tuple[int, bytes]]:
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*") if path.is_file()}


def repository(folder: Path, readme: str = README) -> Path:
    (folder / "pyproject.toml").write_text('[project]\nname = "symmetrics"\n', encoding="utf-8")
    (folder / "README.md").write_text(readme, encoding="utf-8")
    return folder


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a library of few metrics."""
    few = {name: metrics[name] for name in BUILT}
    monkeypatch.setattr(symmetrics.repository.building, "metrics", few)
    monkeypatch.setattr(symmetrics.repository.building, "multiclass", {})
    monkeypatch.setattr(symmetrics.repository.building, "programs_text", lambda **_: programs_file(()))
    return repository(tmp_path)


# -- build -----------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_build_is_checked_and_repeated(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--root", str(root)]) == 0
    output, errors = capsys.readouterr()
    assert errors == ""
    assert output.splitlines()[-1] == f"{2 * len(FEW) + 3} files changed"
    assert output.splitlines()[:-1] == [
        *(f"wrote {root / CERTIFICATES / name}.json" for name in FEW),
        f"wrote {root / 'proofs' / PROGRAMS}",
        *(f"wrote {root / THEORIES / name}.v" for name in FEW),
        f"wrote {root / 'README.md'}",
        f"wrote {root / 'proofs' / MANIFEST}",
    ]
    readme = (root / "README.md").read_text(encoding="utf-8")
    statuses: list[str] = []
    for name in FEW:
        entries = json.loads((root / CERTIFICATES / f"{name}.json").read_text(encoding="utf-8"))
        assert [(entry["metric"], entry["property"]) for entry in entries] == [(name, key) for key in properties]
        statuses += [entry["status"] for entry in entries]
    listed = ", ".join(f"{statuses.count(status)} {status}" for status in ("proved", "refuted", "conditional", "open"))
    assert readme == README.replace("old\n", table().to_markdown() + "\n").replace(
        "<!-- generated: counts -->\n",
        "<!-- generated: counts -->\n"
        f"{len(FEW)} metrics, {len(properties)} properties, {len(statuses)} verdicts: {listed}\n",
    )

    before = snapshot(root)
    assert main(["build", "--root", str(root)]) == 0
    assert capsys.readouterr() == ("0 files changed\n", "")
    assert snapshot(root) == before

    assert main(["check", str(root / CERTIFICATES)]) == 0
    output, errors = capsys.readouterr()
    assert errors == ""
    assert output == f"{len(statuses)} verdicts re-verified: {listed}\n"
    assert snapshot(root) == before


@pytest.mark.thorough
def test_check_without_a_path_takes_the_certificates_here(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    (root / "proofs").mkdir()
    (root / "proofs" / "facts.json").write_text("{}", encoding="utf-8")
    assert main(["build"]) == 0
    assert capsys.readouterr().out.endswith("10 files changed\n")
    assert main(["check"]) == 0
    assert capsys.readouterr().out.startswith(f"{4 * len(properties)} verdicts re-verified: ")


@pytest.mark.thorough
def test_only_what_changed_is_written(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(root)
    before = snapshot(root)
    touched = root / CERTIFICATES / f"{BUILT[1]}.json"
    touched.write_text("[]", encoding="utf-8")
    assert main(["build", "--root", str(root)]) == 0
    assert capsys.readouterr().out == f"wrote {touched}\n1 file changed\n"
    after = snapshot(root)
    assert after[touched][1] == before[touched][1]
    assert {path for path in after if after[path] != before[path]} == {touched}


def test_stale_certificates_are_removed(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = root / CERTIFICATES
    folder.mkdir(parents=True)
    (folder / "gone.json").write_text("[]", encoding="utf-8")
    (folder / "notes.txt").write_text("kept", encoding="utf-8")
    assert main(["build", "--root", str(root)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"removed {folder / 'gone.json'}"
    assert sorted(path.name for path in folder.iterdir()) == sorted([*(f"{name}.json" for name in BUILT), "notes.txt"])


@pytest.mark.thorough
def test_generated_files_are_computed_without_writing(root: Path) -> None:
    before = snapshot(root)
    files = generated_files(root)
    assert snapshot(root) == before
    certificates = {root / CERTIFICATES / f"{name}.json" for name in FEW}
    theories = {root / THEORIES / f"{name}.v" for name in FEW}
    generated = {root / "proofs" / name for name in (MANIFEST, PROGRAMS)}
    assert set(files) == {root / "README.md", *generated, *certificates, *theories}
    assert files == generated_files(root)


def test_every_page_that_counts_the_library_is_generated_and_says_the_same() -> None:
    folder = Path(__file__).resolve().parent.parent
    said: dict[str, set[str]] = {}
    for path in (folder / "README.md", *(folder / "docs").glob("*.md")):
        for name, part in re.findall(
            r"<!-- generated: (counts|claims|invariance_table|kernel) -->\n(.*?)<!-- end -->",
            path.read_text(encoding="utf-8"),
            re.DOTALL,
        ):
            assert path.relative_to(folder) in (Path("README.md"), *symmetrics.repository.building.DOCUMENTS), path
            said.setdefault(name, set()).add(part)
    assert {name: len(parts) for name, parts in said.items()} == dict.fromkeys(
        ("counts", "claims", "invariance_table", "kernel"), 1
    )


@pytest.mark.parametrize("error", [KeyboardInterrupt, InputError("x"), MemoryError])
def test_a_failure_on_the_way_changes_nothing(error: Any, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / CERTIFICATES).mkdir(parents=True)
    (root / CERTIFICATES / "gone.json").write_text("[]", encoding="utf-8")
    before = snapshot(root)

    def failing(metric: str, key: str, **options: Any) -> Any:
        if (metric, key) == ("precision", "p4"):
            raise error
        return prove(metric, key, **options)

    monkeypatch.setattr(symmetrics.repository.certificates, "prove", failing)
    with pytest.raises(error if isinstance(error, type) else type(error)):
        build(root)
    assert snapshot(root) == before


@pytest.mark.thorough
def test_a_readme_without_generated_parts_stays(tmp_path: Path, root: Path) -> None:
    repository(root, "# Nothing here\n")
    assert root / "README.md" not in build(root)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("readme", "fragment"),
    [
        ("<!-- generated: unheard_of -->\n<!-- end -->\n", "the generated part 'unheard_of', which does not exist"),
        ("<!-- generated: counts -->\n", "lacks its line <!-- end -->"),
        ("<!-- generated: counts -->\n<!-- generated: counts -->\n<!-- end -->\n", "lacks its line <!-- end -->"),
        ("<!-- generated: counts --> 67 <!-- end -->\n", "lacks its line <!-- end -->"),
    ],
)
def test_readmes_that_ask_for_what_is_not_there(
    readme: str, fragment: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository(root, readme)
    before = snapshot(root)
    assert main(["build", "--root", str(root)]) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert fragment in errors
    assert len(errors.splitlines()) == 1
    assert snapshot(root) == before


# -- check -----------------------------------------------------------------------------------------------------------


def places(value: Any, *path: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every text, number or truth value in a piece of JSON."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], *path, key)
    elif value is not None:
        yield path


def another(value: Any) -> Any:
    """Return a value of the same kind that says something else."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if value in properties:
        return "p1" if value != "p1" else "p2"
    if value in metrics:
        return "f1"
    swaps = {"proved": "refuted", "refuted": "proved", "conditional": "proved", "TP": "FN"}
    return swaps.get(value, f"({value}) + 1")


# In a counterexample another table may serve as well.
LOOSE = {("witness", "tables")}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("part", ["metric", "property", "status", "holds", "condition", "witness", "claim"])
def test_corrupted_statements_are_rejected(name: str, part: str, tmp_path: Path) -> None:
    file = tmp_path / "corrupted.json"
    for entry in (prove(name, key).certificate() for key in some(properties, 10, f"{part} of {name}")):
        for path in places(entry[part], part):
            if path[:2] in LOOSE:
                continue
            corrupted = copy.deepcopy(entry)
            holder = corrupted
            for key in path[:-1]:
                holder = holder[key]
            holder[path[-1]] = another(holder[path[-1]])
            file.write_text(json.dumps(corrupted), encoding="utf-8")
            with pytest.raises(CertificateError, match=r"corrupted\.json, \w+ of "):
                list(check_certificates([file]))


@pytest.mark.thorough
def test_verdicts_before_the_corrupted_one_have_passed(root: Path) -> None:
    build(root)
    file = root / CERTIFICATES / "mcc.json"
    entries = json.loads(file.read_text(encoding="utf-8"))
    place = next(k for k, entry in enumerate(entries) if k > 1 and entry["witness"] and entry["witness"]["values"])
    entries[place]["witness"]["values"][0] = "1/7"
    file.write_text(json.dumps(entries), encoding="utf-8")
    passed: list[Checked] = []
    with pytest.raises(CertificateError, match=f"mcc.json, {entries[place]['property']} of mcc: "):
        passed.extend(verdict for verdict in check_certificates([file]))
    checking = check_certificates([file])
    assert [next(checking).property, next(checking).property] == [entry["property"] for entry in entries[:2]]


@pytest.mark.thorough
def test_evidence_about_one_metric_is_none_about_another(root: Path) -> None:
    build(root)
    file = root / CERTIFICATES / "precision.json"
    file.write_text(file.read_text(encoding="utf-8").replace('"precision"', '"tpr"'), encoding="utf-8")
    with pytest.raises(CertificateError, match=r"proves another statement than \w+ of tpr"):
        list(check_certificates([root / CERTIFICATES]))


# -- files -----------------------------------------------------------------------------------------------------------


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_text(path, "one\ntwo — three\n")
    assert path.read_bytes() == "one\ntwo — three\n".encode()
    write_text(path, "")
    assert path.read_bytes() == b""
    assert list(tmp_path.iterdir()) == [path]


def test_the_mode_of_a_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_text(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    path.chmod(0o600)
    write_text(path, "newer")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device"), MemoryError])
def test_a_failure_leaves_the_old_content_and_no_other_file(
    error: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")

    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr(Path, "replace", failing)
    expected: Any = InputError if isinstance(error, OSError) else error
    with pytest.raises(expected, match="No space left" if isinstance(error, OSError) else None):
        write_text(path, "new")
    assert snapshot(tmp_path).keys() == {path}
    assert path.read_text(encoding="utf-8") == "old"


def test_a_text_that_cannot_be_encoded_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write"):
        write_text(tmp_path / "file", "begin \udcff")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "fragment"),
    [
        (".", "it is a directory"),
        ("missing/file", "there is no folder"),
        ("here/file", "there is no folder"),
        ("x" * 300, "cannot write"),
        ("a\0b", "cannot write"),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_where_nothing_can_be_written(name: str, fragment: str, tmp_path: Path) -> None:
    (tmp_path / "here").write_text("a file", encoding="utf-8")
    with pytest.raises(InputError, match=fragment):
        write_text(tmp_path / name, "new")
    assert [path.name for path in tmp_path.iterdir()] == ["here"]


def test_what_can_be_known_before_is_told_before(tmp_path: Path) -> None:
    check_writable(tmp_path / "new")
    with pytest.raises(InputError, match="name a file in it"):
        check_writable(tmp_path)
    with pytest.raises(InputError, match="create it first"):
        check_writable(tmp_path / "missing" / "new")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_device_is_written_to_and_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(pipe, "through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    link.symlink_to(target)
    write_text(link, "new")
    write_text(link, "newer")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "newer"
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "folder", target, link]


def test_many_files_of_a_folder_are_one_line(tmp_path: Path) -> None:
    many = [tmp_path / "coq" / f"{place}.v" for place in range(21)]
    (tmp_path / "coq").mkdir()
    for path in many:
        path.touch()
    gone = tmp_path / "certificates" / "old.json"
    assert listed([*many, gone]) == [f"wrote 21 files in {tmp_path / 'coq'}", f"removed {gone}"]
