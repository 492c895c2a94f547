"""The README holds the two command lines that the gate runs; what the README and the guides show is what comes out."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from shared import script

from symmetrics import cli

ROOT = Path(__file__).resolve().parent.parent


readme_block = script(ROOT / ".ci" / "readme_block.py")


@pytest.fixture(scope="module")
def blocks() -> list[str]:
    return readme_block.shell_blocks((ROOT / "README.md").read_text(encoding="utf-8"))


def test_the_first_blocks_install_and_test(blocks: list[str]) -> None:
    # The first block installs and prints the table in one line.
    assert "\n" not in blocks[0]
    assert "pip install" in blocks[0]
    assert "symmetrics table" in blocks[0]
    # The second block runs the tests.
    assert "pytest" in blocks[1]


def test_the_gate_runs_both_blocks_before_it_installs_anything_else() -> None:
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    stages = re.findall(r'^(?:stage "[^"]*"|begin \w+) (.*)', gate, re.MULTILINE)
    assert stages[:2] == ['bare "$install"', 'bare "$tests"']
    assert sum('"$tests"' in stage for stage in stages) == 1
    (programs,) = re.findall(r"^programs=\((.*)\)$", gate, re.MULTILINE)
    hidden = {"cc", "chromium", "coqc", "gcc", "git", "java", "latex", "node", "pdflatex"}
    assert {"bash", "sh"} <= set(programs.split())
    assert not hidden & set(programs.split())


MARKDOWN = """
```python
print("not this one")
```
```sh
first
```
  ```bash title="x"
  second

    indented
  ```
````shell
```sh
inside
```
````
```
no language
```
```sh
never closed
"""


def test_shell_blocks_of_a_sample() -> None:
    assert readme_block.shell_blocks(MARKDOWN) == [
        "first",
        "second\n\n  indented",
        "```sh\ninside\n```",
        "never closed",
    ]


@pytest.mark.parametrize(
    ("arguments", "status"),
    [([], 2), (["x"], 2), (["0"], 2), (["1"], 0), (["4"], 0), (["5"], 1)],
)
def test_exit_status(arguments: list[str], status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = tmp_path / "sample.md"
    sample.write_text(MARKDOWN, encoding="utf-8")
    assert readme_block.main([*arguments, str(sample)] if arguments else []) == status
    output, errors = capsys.readouterr()
    assert bool(output) == (status == 0)
    assert bool(errors) == (status != 0)


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert readme_block.main(["1", str(tmp_path / "none.md")]) == 1
    assert "none.md" in capsys.readouterr().err


TESTED_ELSEWHERE = {
    "arrays.md",
    "coming_from_scikit_learn.md",
    "elsewhere.md",
    *(page.name for page in (ROOT / "docs").glob("engine*.md")),
}
"""Other tests run these, where their libraries are there: test_array_libraries.py, test_engine_pages.py and others."""
GUIDES = [
    path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if path.name not in TESTED_ELSEWHERE
]
"""Pages with examples, all of which are run."""


def _console_sessions(page: Path) -> list[tuple[str, str]]:
    text = page.read_text(encoding="utf-8")
    return re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(
    "page",
    [
        # What is possible, the map and the simplest formulas are examples of docstrings, too.
        pytest.param(page, id=page.stem, marks=[pytest.mark.thorough] if page.stem == "possibilities" else [])
        for page in GUIDES
        if ">>> " in page.read_text(encoding="utf-8")
    ],
)
def test_the_python_of_a_page_runs(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    results = doctest.testfile(str(page), module_relative=False, optionflags=options)
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize(
    ("command", "output"),
    [
        pytest.param(*session, id=f"{page.stem}-{number}")
        for page in GUIDES
        for number, session in enumerate(_console_sessions(page))
    ],
)
def test_the_commands_of_a_page_print_what_it_says(
    command: str, output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    program, *arguments = shlex.split(command)
    assert program == "symmetrics"
    assert cli.main(arguments) == 0
    assert capsys.readouterr().out == output


def test_the_readme_shows_commands() -> None:
    assert len(_console_sessions(ROOT / "README.md")) >= 4
