"""What is generated in the repository: certificates and rulings under proofs/, and the tables in the README."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, get_args

from symmetrics.claims.verdict import Status
from symmetrics.library import metrics, properties
from symmetrics.pages.evidence_page import evidence_text
from symmetrics.pages.tables import table
from symmetrics.papers.claims.trials import PROOFS, Heard, hear_all, scripts
from symmetrics.papers.claims.writing import claims_text, errata_text, summary_line
from symmetrics.repository.certificates import Checked, certificates_text, checked
from symmetrics.rocq.judge.gate import Script, read_script
from symmetrics.rocq.judge.judging import Judgement, Theorised, judge_all
from symmetrics.rocq.theories.atlas import atlas_theories
from symmetrics.rocq.theories.inventory import Entry, inventory, inventory_table, relation_inventory
from symmetrics.rocq.theories.meanings import Question, meanings, paper_of
from symmetrics.rocq.theories.papers import paper_theories
from symmetrics.rocq.theories.theory import theory_text
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import write_text
from symmetrics.tools.workers import Bar, spread

__all__ = [
    "CERTIFICATES",
    "THEORIES",
    "build",
    "check_certificates",
    "check_claims",
    "check_with_kernel",
    "evidence_page",
    "generated_files",
]

CERTIFICATES: Final = PROOFS / "certificates"
THEORIES: Final = PROOFS / "coq"
RULINGS: Final = {PROOFS / "ERRATA.md": errata_text, PROOFS / "CLAIMS.md": claims_text}
README: Final = Path("README.md")
EVIDENCE: Final = Path("docs") / "evidence.md"
_GENERATED: Final = re.compile(r"(<!-- generated: (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def generated_files(root: Path, *, fresh: bool = False, progress: bool = False) -> dict[Path, str]:
    """Return what every generated file has to hold, by its path.

    :param root: the root of the repository
    :param fresh: decide everything anew, instead of keeping verdicts that rest on nothing that has changed
    :param progress: show a progress bar if standard error is a terminal
    :raises InputError: if the root is not that of the repository
    """
    readme = _readme(root)
    paths = [root / CERTIFICATES / f"{name}.json" for name in metrics]
    before = [None if fresh or not path.is_file() else path.read_text(encoding="utf-8") for path in paths]
    texts = list(spread(_certificates, list(zip(metrics, before, strict=True)), bar=Bar() if progress else None))
    files = dict(zip(paths, texts, strict=True))
    theories = _theories(root, texts, fresh=fresh, progress=progress)
    files |= theories
    heard = hear_all(root, progress=progress) if scripts(root) else []
    related = _relation_theories(root, heard, fresh=fresh)
    files |= related
    parts = {"invariance_table": table().to_markdown(), "counts": _counted(texts)}
    entries = _entries(zip(texts, theories.values(), strict=True))
    entries += [entry for path, text in related.items() for entry in relation_inventory(path.stem, text)]
    parts["kernel"] = inventory_table(entries)
    rulings = {root / path: text_of(heard) for path, text_of in RULINGS.items()} if heard else {}
    parts["claims"] = summary_line(heard)
    pages = {root / README: _with_generated_parts(readme, parts, README)}
    if (root / EVIDENCE).is_file():
        pages[root / EVIDENCE] = evidence_page((root / EVIDENCE).read_text(encoding="utf-8"))
    return files | pages | rulings


def evidence_page(text: str) -> str:
    """Return the page on the kinds of evidence: what is written there by hand, with the part that is generated."""
    return _with_generated_parts(text, {"evidence": evidence_text()}, EVIDENCE)


def _theories(root: Path, certificates: Sequence[str], *, fresh: bool, progress: bool) -> dict[Path, str]:
    """Return the file with the theory of every metric, by its path."""
    paths = [root / THEORIES / f"{name}.v" for name in metrics]
    before = [None if fresh or not path.is_file() else path.read_text(encoding="utf-8") for path in paths]
    texts = spread(_theory, list(zip(certificates, before, strict=True)), bar=Bar() if progress else None)
    return dict(zip(paths, texts, strict=True))


def _relation_theories(root: Path, heard: Iterable[Heard], *, fresh: bool) -> dict[Path, str]:
    """Return the files with the theories of relations between metrics, and of what papers say, by their paths."""
    files = [] if fresh else (root / THEORIES).glob("*.v")
    existing = {path.stem: path.read_text(encoding="utf-8") for path in files}
    found = atlas_theories(metrics, existing) | paper_theories(heard, existing)
    return {root / THEORIES / f"{name}.v": text for name, text in found.items()}


def _theory(item: tuple[str, str | None]) -> str:
    return theory_text(*item)


def _entries(pairs: Iterable[tuple[str, str]]) -> list[Entry]:
    """Return what is stated to the kernel, from the certificates and the theory of every metric."""
    return [entry for certificates, text in pairs for entry in inventory(text, json.loads(certificates))]


def check_with_kernel(root: Path, chosen: Iterable[Path] = ()) -> tuple[list[Entry], dict[Path, Judgement], list[Path]]:
    """Give theories to the kernel of the Rocq prover.

    :param root: the root of the repository
    :param chosen: files of theories; by default all of the repository
    :returns: what is stated to it; its judgement on every theory; and the theories of whose subject the library knows
        nothing, so that what their lemmas say is not compared with anything
    :raises InputError: if it is not installed, or there is no such theory
    :raises CertificateError: if a theory holds another sentence than the generator writes
    """
    paths = list(dict.fromkeys(chosen)) or sorted((root / THEORIES).glob("*.v"))
    if not paths:
        raise InputError(f"no theories at {root / THEORIES}: run 'symmetrics build' in the root of the repository")
    texts = {path: _theory_of(root, path) for path in paths}
    scripts = {path: read_script(text, str(path)) for path, text in texts.items()}
    questions = [_question(root, path.stem, script) for path, script in scripts.items()]
    meant = meanings(questions, progress=True)
    theories = [Theorised(script, said) for script, said in zip(scripts.values(), meant, strict=True)]
    judgements = dict(zip(paths, judge_all(theories), strict=True))
    unknown = [path for path, said in zip(paths, meant, strict=True) if said is None]
    known = [path for path in paths if path not in unknown]
    entries = [entry for path in known for entry in _entries_of(root, path.stem, texts[path], scripts[path].lemmas)]
    return entries, judgements, unknown


def _theory_of(root: Path, path: Path) -> str:
    """Return the text of a theory."""
    try:
        if path.suffix == ".v" and path.is_file():
            return path.read_bytes().decode("utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read as a theory, which is text in UTF-8: {error}") from None
    raise InputError(f"{path} is no file with a theory; name one in {root / THEORIES}, such as mcc.v")


def _question(root: Path, stem: str, script: Script) -> Question:
    """Return the question what a theory is meant to state."""
    lemmas, paper = tuple(script.lemmas), paper_of(stem)
    if stem in metrics:
        return Question(stem, lemmas, certificates=_certificate_file(root, stem))
    file = None if paper is None else root / PROOFS / f"{paper}.py"
    return Question(stem, lemmas, script=file if file is not None and file.is_file() else None)


def _entries_of(root: Path, stem: str, text: str, lemmas: list[str]) -> list[Entry]:
    """Return what one theory states: on a metric, or on relations if it names its verdicts itself."""
    if stem not in metrics:
        return relation_inventory(stem, text, lemmas)
    return inventory(text, json.loads(_certificate_file(root, stem).read_text(encoding="utf-8")), lemmas)


def _certificate_file(root: Path, metric: str) -> Path:
    (path,) = _certificate_files(root / CERTIFICATES / f"{metric}.json")
    return path


def _readme(root: Path) -> str:
    """Return the text of the README, if this is the root of the repository and not of another project."""
    try:
        project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8")).get("project", {})
        readme = (root / README).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = f"{error.filename} cannot be read" if isinstance(error, OSError) else str(error)
        raise InputError(
            f"{root} is not the root of the symmetrics repository: {reason}; name it with --root"
        ) from None
    if not isinstance(project, dict) or project.get("name") != "symmetrics":
        raise InputError(f"{root} is the root of another project than symmetrics; name the right one with --root")
    return readme


def _certificates(item: tuple[str, str | None]) -> str:
    return certificates_text(*item)


def build(root: Path, *, fresh: bool = False) -> list[Path]:
    """Regenerate every generated file and return the paths of those that changed.

    :param fresh: decide everything anew, instead of keeping verdicts that rest on nothing that has changed

    Everything is computed first and written last, so that an interruption changes nothing.
    """
    files = generated_files(root, fresh=fresh, progress=True)
    stale = []
    for folder, pattern in ((root / CERTIFICATES, "*.json"), (root / THEORIES, "*.v")):
        folder.mkdir(parents=True, exist_ok=True)
        stale += [path for path in sorted(folder.glob(pattern)) if path not in files]
    for path in stale:
        path.unlink()
    changed = [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in changed:
        write_text(path, files[path])
    return [*stale, *changed]


def check_certificates(paths: Iterable[Path]) -> Iterator[Checked]:
    """Re-verify certificates, yielding every verdict after it has passed.

    :param paths: certificate files, or folders of them
    :raises CertificateError: at the first certificate that does not establish its verdict
    :raises InputError: if there is nothing to check
    """
    files = [file for path in paths for file in _certificate_files(path)]
    if len(files) == 1:
        yield from checked(files[0])
        return
    # The largest first, so that no process is left alone with one at the end.
    for verdicts in spread(_checked, sorted(files, key=_size, reverse=True), bar=Bar()):
        yield from verdicts


def check_claims(root: Path, key: str) -> list[Heard]:
    """Judge the claim of a paper that has a key, or with ``all`` every claim of every paper, anew.

    :param root: the root of the repository, whose scripts are run
    :raises InputError: if the root is not that of the repository, or there is no such claim
    """
    _readme(root)
    return hear_all(root, key, progress=True)


def _size(file: Path) -> int:
    return file.stat().st_size


def _checked(file: Path) -> list[Checked]:
    return list(checked(file))


def _certificate_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.exists():
        raise InputError(f"no such file or folder: {path}; run 'symmetrics build' in the root of the repository first")
    files = sorted(path.glob("**/*.json"))
    if not files:
        raise InputError(f"no certificates at {path}: run 'symmetrics build' in the root of the repository first")
    return files


def _counted(certificates: Iterable[str]) -> str:
    """Return how many metrics, properties and verdicts there are, and of each status how many verdicts."""
    statuses = Counter(entry["status"] for text in certificates for entry in json.loads(text))
    listed = ", ".join(f"{statuses[status]} {status}" for status in get_args(Status))
    return f"{len(metrics)} metrics, {len(properties)} properties, {statuses.total()} verdicts: {listed}"


def _with_generated_parts(text: str, parts: Mapping[str, str], page: Path) -> str:
    def part(found: re.Match[str]) -> str:
        if found["name"] not in parts:
            raise InputError(f"{page} asks for the generated part {found['name']!r}, which does not exist")
        return f"{found[1]}{parts[found['name']]}\n{found[3]}"

    replaced, count = _GENERATED.subn(part, text)
    if count != text.count("<!-- generated:"):
        raise InputError(f"{page}: a line <!-- generated: name --> lacks its line <!-- end -->; add it")
    return replaced
