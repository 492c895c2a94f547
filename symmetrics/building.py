"""What is generated in the repository: the certificates under proofs/, and the tables in the README."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from symmetrics.errors import CertificateError, InputError
from symmetrics.files import write_text
from symmetrics.library import metrics, properties
from symmetrics.query import check, prove
from symmetrics.tables import table
from symmetrics.verdict import Verdict

__all__ = ["CERTIFICATES", "build", "check_certificates", "generated_files"]

Item = TypeVar("Item")

CERTIFICATES: Final = Path("proofs") / "certificates"
README: Final = Path("README.md")
_CORRUPTIONS: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What reading and checking a certificate raises, in which anything may stand."""
_GENERATED: Final = re.compile(r"(<!-- generated: (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def generated_files(root: Path, *, progress: bool = False) -> dict[Path, str]:
    """Return what every generated file has to hold, by its path.

    :param root: the root of the repository
    :param progress: show a progress bar if standard error is a terminal
    :raises InputError: if the root is not that of the repository
    """
    readme = _readme(root)
    files = {root / CERTIFICATES / f"{name}.json": certificates_text(name) for name in _bar(metrics, progress)}
    files[root / README] = _with_generated_parts(readme)
    return files


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


def certificates_text(metric: str) -> str:
    """Return the verdicts on every property of one metric, with the data that the checker needs."""
    return json.dumps([prove(metric, key).certificate() for key in properties], indent=1, ensure_ascii=False) + "\n"


def build(root: Path) -> list[Path]:
    """Regenerate every generated file and return the paths of those that changed.

    Everything is computed first and written last, so that an interruption changes nothing.
    """
    files = generated_files(root, progress=True)
    folder = root / CERTIFICATES
    folder.mkdir(parents=True, exist_ok=True)
    stale = [path for path in sorted(folder.glob("*.json")) if path not in files]
    for path in stale:
        path.unlink()
    changed = [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in changed:
        write_text(path, files[path])
    return [*stale, *changed]


def check_certificates(paths: Iterable[Path]) -> Iterator[Verdict]:
    """Re-verify certificates, yielding every verdict after it has passed.

    :param paths: certificate files, or folders of them
    :raises CertificateError: at the first certificate that does not establish its verdict
    :raises InputError: if there is nothing to check
    """
    files = [file for path in paths for file in _certificate_files(path)]
    for file in _bar(files, progress=True):
        for place, entry in enumerate(_entries(file), start=1):
            try:
                verdict = Verdict.from_certificate(entry)
                if verdict.property not in properties:
                    raise CertificateError("there is no property of that name")
                check(verdict)
            except _CORRUPTIONS as error:
                reason = str(error) if isinstance(error, CertificateError) else f"{type(error).__name__}: {error}"
                raise CertificateError(f"{file}, {_entry_name(entry, place)}: {reason}") from None
            yield verdict


def _entries(file: Path) -> list[Any]:
    advice = "name files that 'symmetrics build' wrote"
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CertificateError(f"{file} is not a file of certificates: {error}; {advice}") from None
    if not entries:
        raise CertificateError(f"{file} holds no certificates; {advice}")
    return entries if isinstance(entries, list) else [entries]


def _entry_name(entry: object, place: int) -> str:
    if isinstance(entry, dict) and {"metric", "property"} <= entry.keys():
        return f"{entry['property']} of {entry['metric']}"
    return f"entry {place}"


def _certificate_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.exists():
        raise InputError(f"no such file or folder: {path}; run 'symmetrics build' in the root of the repository first")
    files = sorted(path.glob("**/*.json"))
    if not files:
        raise InputError(f"no certificates at {path}: run 'symmetrics build' in the root of the repository first")
    return files


def _with_generated_parts(text: str) -> str:
    parts: Mapping[str, str] = {
        "invariance_table": table().to_markdown(),
        "counts": f"{len(metrics)} metrics, {len(properties)} properties, {len(metrics) * len(properties)} verdicts",
    }

    def part(found: re.Match[str]) -> str:
        if found["name"] not in parts:
            raise InputError(f"README.md asks for the generated part {found['name']!r}, which does not exist")
        return f"{found[1]}{parts[found['name']]}\n{found[3]}"

    replaced, count = _GENERATED.subn(part, text)
    if count != text.count("<!-- generated:"):
        raise InputError("README.md: a line <!-- generated: name --> lacks its line <!-- end -->; add it")
    return replaced


def _bar(items: Iterable[Item], progress: bool) -> Iterable[Item]:
    from tqdm import tqdm

    bar: Iterable[Item] = tqdm(items, disable=None if progress else True, leave=False)
    return bar
