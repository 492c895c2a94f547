"""What is generated in the repository: the certificates under proofs/, and the tables in the README."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, TypeVar

from symmetrics.errors import CertificateError, InputError
from symmetrics.files import write_text
from symmetrics.library import metrics, properties
from symmetrics.query import check, prove
from symmetrics.tables import table
from symmetrics.verdict import Verdict

__all__ = ["build", "check_certificates", "generated_files"]

Item = TypeVar("Item")

CERTIFICATES: Final = Path("proofs") / "certificates"
README: Final = Path("README.md")
_GENERATED: Final = re.compile(r"(<!-- generated: (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def generated_files(root: Path, *, progress: bool = False) -> dict[Path, str]:
    """Return what every generated file has to hold, by its path.

    :param root: the root of the repository
    :param progress: show a progress bar if standard error is a terminal
    :raises InputError: if the root is not that of the repository
    """
    if not (root / README).is_file() or not (root / "pyproject.toml").is_file():
        raise InputError(f"{root} is not the root of the symmetrics repository: README.md or pyproject.toml is missing")
    files = {root / CERTIFICATES / f"{name}.json": certificates_text(name) for name in _bar(metrics, progress)}
    files[root / README] = _with_generated_parts((root / README).read_text(encoding="utf-8"))
    return files


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
        try:
            entries = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CertificateError(f"{file} is not a file of certificates: {error}") from None
        for entry in entries if isinstance(entries, list) else [entries]:
            try:
                verdict = Verdict.from_certificate(entry)
                check(verdict)
            except CertificateError as error:
                name = f"{entry.get('property')} of {entry.get('metric')}" if isinstance(entry, dict) else "an entry"
                raise CertificateError(f"{file}, {name}: {error}") from None
            yield verdict


def _certificate_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
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

    return _GENERATED.sub(part, text)


def _bar(items: Iterable[Item], progress: bool) -> Iterable[Item]:
    from tqdm import tqdm

    bar: Iterable[Item] = tqdm(items, disable=None if progress else True, leave=False)
    return bar
