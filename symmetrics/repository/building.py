"""What is generated in the repository: certificates, programs and rulings under proofs/, tables in the documents."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, get_args

from symmetrics.claims.evidence import Status
from symmetrics.claims.recorded import deciding_anew, file_name
from symmetrics.claims.verdict import Verdict
from symmetrics.library import metrics, properties
from symmetrics.matrices import multiclass
from symmetrics.matrices.deciding import CLASSES, name_at_size, properties_at_size
from symmetrics.pages.evidence_page import evidence_text
from symmetrics.pages.tables import VerdictTable, table
from symmetrics.papers.claims.trials import hear_all, scripts
from symmetrics.papers.claims.writing import claims_text, errata_text, summary_line
from symmetrics.repository.certificates import (
    CERTIFICATES,
    THEORIES,
    certificates_text,
    existing_theories,
    metric_theories,
    multiclass_certificates_text,
)
from symmetrics.repository.programs import programs_text
from symmetrics.rocq.theories.inventory import Entry, inventory, inventory_table, relation_inventory
from symmetrics.rocq.theories.papers import paper_theories
from symmetrics.rocq.theories.relations import atlas_theories
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import write_text
from symmetrics.tools.shipped import MANIFEST, PROGRAMS, PROOFS, manifest_text
from symmetrics.tools.words import number_of
from symmetrics.tools.workers import Bar, spread

RULINGS: Final = {PROOFS / "ERRATA.md": errata_text, PROOFS / "CLAIMS.md": claims_text}
README: Final = Path("README.md")
EVIDENCE: Final = Path("docs") / "evidence.md"
DOCUMENTS: Final = tuple(
    Path("docs") / f"{name}.md" for name in ("asking", "evidence", "many_classes", "papers", "soundness")
)
"""Pages that have generated parts, beside the README."""
SHOWN: Final = ("accuracy", "balanced_accuracy", "cba", "mavg", "kappa", "mcc", "rci", "cen")
"""The metrics of matrices of the table in the documents; ``symmetrics table --multiclass`` has all."""
LONGEST: Final = 12
"""Characters of a value in that table."""
_GENERATED: Final = re.compile(r"(<!-- generated: (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def generated_files(root: Path, *, fresh: bool = False, progress: bool = False) -> dict[Path, str]:
    """Return what every generated file has to hold, by its path.

    :param root: the root of the repository
    :param fresh: decide everything anew, instead of keeping verdicts that rest on nothing that has changed
    :param progress: show a progress bar if standard error is a terminal
    :raises InputError: if the root is not that of the repository
    """
    readme = readme_of(root)
    files = _all_certificates(root, fresh=fresh, progress=progress)
    texts = [files[root / CERTIFICATES / f"{name}.json"] for name in metrics]
    theories = metric_theories(root, dict(zip(metrics, texts, strict=True)), fresh=fresh, progress=progress)
    heard = hear_all(root, progress=progress) if scripts(root) else []
    related = {} if fresh else existing_theories(root)
    related = atlas_theories(metrics, related) | paper_theories(heard, related)
    files[root / PROOFS / PROGRAMS] = programs_text(fresh=fresh, progress=progress)
    files |= {root / THEORIES / f"{name}.v": text for name, text in (theories | related).items()}
    manifest = manifest_text({path.relative_to(root / PROOFS).as_posix(): text for path, text in files.items()})
    with deciding_anew():
        table_text = table().to_markdown()
    parts = {"invariance_table": table_text, "counts": _counted(texts), "multiclass_table": _multiclass_table(files)}
    entries = _entries(zip(texts, theories.values(), strict=True))
    entries += [entry for name, text in related.items() for entry in relation_inventory(name, text)]
    parts["kernel"] = inventory_table(entries)
    rulings = {root / path: text_of(heard) for path, text_of in RULINGS.items()} if heard else {}
    parts["claims"] = summary_line(heard)
    parts["evidence"] = evidence_text()
    documents = {README: readme} | {
        path: (root / path).read_text(encoding="utf-8") for path in DOCUMENTS if (root / path).is_file()
    }
    pages = {root / path: _with_generated_parts(text, parts, path) for path, text in documents.items()}
    return files | pages | rulings | {root / PROOFS / MANIFEST: manifest}


def evidence_page(text: str) -> str:
    """Return the page on the kinds of evidence: what is written there by hand, with the part that is generated."""
    return _with_generated_parts(text, {"evidence": evidence_text()}, EVIDENCE)


def _entries(pairs: Iterable[tuple[str, str]]) -> list[Entry]:
    """Return what is stated to the kernel, from the certificates and the theory of every metric."""
    return [entry for certificates, text in pairs for entry in inventory(text, json.loads(certificates))]


def readme_of(root: Path) -> str:
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


def _all_certificates(root: Path, *, fresh: bool, progress: bool) -> dict[Path, str]:
    """Return the certificates on every metric by path; those of matrices begin, because a few of them take longest."""
    paths = {
        **{
            file_name(name_at_size(metric, CLASSES)): (multiclass_certificates_text, key)
            for key, metric in multiclass.items()
        },
        **{f"{name}.json": (certificates_text, name) for name in metrics},
    }
    items = []
    for name, (text_of, key) in paths.items():
        path = root / CERTIFICATES / name
        items.append((text_of, key, None if fresh or not path.is_file() else path.read_text(encoding="utf-8")))
    texts = spread(_certificates, items, bar=Bar() if progress else None)
    return {root / CERTIFICATES / name: text for name, text in zip(paths, texts, strict=True)}


def _multiclass_table(files: Mapping[Path, str]) -> str:
    """Return the table of some metrics of matrices, from their certificates."""
    by_name = {path.name: text for path, text in files.items()}
    shown = [name for name in SHOWN if name in multiclass]
    found = {name: by_name[file_name(name_at_size(multiclass[name], CLASSES))] for name in shown}
    rows = tuple((name, tuple(map(Verdict.from_certificate, json.loads(text)))) for name, text in found.items())
    keys = tuple(property.name for property in properties_at_size(CLASSES))
    return VerdictTable(keys, rows, CLASSES, LONGEST).to_markdown(transpose=True)


def _certificates(item: tuple[Callable[[str, str | None], str], str, str | None]) -> str:
    text_of, name, before = item
    return text_of(name, before)


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


def _counted(certificates: Iterable[str]) -> str:
    """Return how many metrics, properties and verdicts there are, and of each status how many verdicts."""
    statuses = Counter(entry["status"] for text in certificates for entry in json.loads(text))
    listed = ", ".join(f"{statuses[status]} {status}" for status in get_args(Status))
    return (
        f"{number_of(len(metrics), 'metric')}, {number_of(len(properties), 'property')}, "
        f"{number_of(statuses.total(), 'verdict')}: {listed}"
    )


def _with_generated_parts(text: str, parts: Mapping[str, str], page: Path) -> str:
    def part(found: re.Match[str]) -> str:
        if found["name"] not in parts:
            raise InputError(f"{page} asks for the generated part {found['name']!r}, which does not exist")
        return f"{found[1]}{parts[found['name']]}\n{found[3]}"

    replaced, count = _GENERATED.subn(part, text)
    if count != text.count("<!-- generated:"):
        raise InputError(f"{page}: a line <!-- generated: name --> lacks its line <!-- end -->; add it")
    return replaced
