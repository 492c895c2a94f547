"""``symmetrics check``: re-verify certificates, judge claims again, run the Rocq kernel on theories."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import NamedTuple

from symmetrics.claims.recorded import file_name
from symmetrics.library import metrics, properties
from symmetrics.matrices.deciding import is_at_size
from symmetrics.metric import Metric
from symmetrics.papers.claims.trials import Heard, hear_all
from symmetrics.query.proving import prove
from symmetrics.repository.building import readme_of
from symmetrics.repository.certificates import CERTIFICATES, THEORIES, Checked, all_theories, checked
from symmetrics.rocq.engine.statements import statements_only
from symmetrics.rocq.judge.compiling import require_kernel
from symmetrics.rocq.judge.gate import Script, read_script
from symmetrics.rocq.judge.judging import Judgement, Theorised, judge_all
from symmetrics.rocq.theories.meanings import Entry, Question, inventory, meanings, paper_of, relation_inventory
from symmetrics.rocq.theories.theory import theory, theory_text
from symmetrics.tools.errors import InputError
from symmetrics.tools.shipped import PROOFS, shipped_root
from symmetrics.tools.workers import Bar, spread

FORMULA = "formula"
"""Name of the theory of a formula without a name."""


@contextmanager
def root_of(given: Path | None) -> Iterator[Path]:
    """Yield the folder whose ``proofs/`` are used: the given one, this checkout, or the shipped files.

    :param given: the given path, if any
    :raises InputError: if none of them is there
    """
    if given is not None:
        yield given
    elif _is_checkout(Path()):
        yield Path()
    else:
        with shipped_root() as root:
            yield root


def _is_checkout(root: Path) -> bool:
    try:
        return bool(readme_of(root))
    except InputError:
        return False


# -- certificates and claims -------------------------------------------------------------------------------------------


def check_named(root: Path | None, given: Iterable[str]) -> Iterator[Checked]:
    """Re-verify the named certificates, like :func:`check_certificates`; all of them if none is named.

    :param root: the root of the repository, as for :func:`root_of`
    :param given: files, folders, and metrics of the library, of which each stands for its certificates
    """
    paths = list(map(Path, given))
    if paths and all(path.exists() for path in paths):
        yield from check_certificates(paths)
        return
    with root_of(root) as found:
        folder = found / CERTIFICATES
        yield from check_certificates([_named(folder, path) for path in paths] if paths else [folder])


def _named(folder: Path, path: Path) -> Path:
    """Return a path, or if it does not exist the file with the certificates on the metric of that name."""
    name = str(path)
    if path.exists():
        return path
    if name in metrics or is_at_size(name):
        file = folder / file_name(metrics[name].name if name in metrics else name)
        if not file.exists():
            raise InputError(f"{name} has no certificates yet: run 'symmetrics build' in the root of the repository")
        return file
    file = folder / f"{name}.json"
    return file if file.exists() else path


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
    # The largest first, so that no process is left with a large one at the end.
    for verdicts in spread(_checked, sorted(files, key=_size, reverse=True), bar=Bar()):
        yield from verdicts


def check_claims(root: Path | None, key: str) -> list[Heard]:
    """Judge a paper's claim again, given by key, or every claim with ``all``.

    :param root: the root of the repository, with the papers; None for the checkout here, or what is shipped
    :raises InputError: if the root is not that of the repository, or there is no such claim
    """
    if root is not None:
        readme_of(root)
    with root_of(root) as found:
        return hear_all(found, key, progress=True)


def _size(file: Path) -> int:
    return file.stat().st_size


def _checked(file: Path) -> list[Checked]:
    return list(checked(file))


def _certificate_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.exists():
        raise InputError(
            f"no such file or folder: {path}; name a metric, such as mcc, or certificates; of a formula, "
            "'symmetrics prove' checks what it says, and 'symmetrics check --kernel coq' asks the kernel"
        )
    files = sorted(path.glob("**/*.json"))
    if not files:
        raise InputError(f"no certificates at {path}: run 'symmetrics build' in the root of the repository first")
    return files


# -- theories ----------------------------------------------------------------------------------------------------------


class Judged(NamedTuple):
    """Results of the Rocq kernel on theories.

    :param entries: the statements in the theories
    :param judgements: its judgement on every theory
    :param unknown: the theories of whose subject the library knows nothing, so that what their lemmas say is not
        compared with anything
    """

    entries: list[Entry]
    judgements: dict[Path, Judgement]
    unknown: list[Path]


def check_with_kernel(root: Path, chosen: Iterable[Path] = ()) -> Judged:
    """Give theories to the kernel of the Rocq prover.

    :param root: the root of the repository
    :param chosen: files of theories; by default all that are there, and those that certificates and papers make
    :raises InputError: if it is not installed, or there is no such theory
    :raises CertificateError: if a theory holds another sentence than the generator writes
    """
    paths = list(dict.fromkeys(chosen))
    if paths:
        texts = {path: _theory_of(root, path) for path in paths}
    else:
        require_kernel()  # before the theories are made, which takes minutes
        texts = {root / THEORIES / f"{name}.v": text for name, text in all_theories(root).items()}
    return _judged(root, texts)


def _judged(root: Path, texts: Mapping[Path, str]) -> Judged:
    scripts = {path: read_script(text, str(path)) for path, text in texts.items()}
    questions = [_question(root, path.stem, script) for path, script in scripts.items()]
    meant = meanings(questions, progress=True)
    theories = [Theorised(script, said) for script, said in zip(scripts.values(), meant, strict=True)]
    judgements = dict(zip(texts, judge_all(theories), strict=True))
    unknown = [path for path, said in zip(texts, meant, strict=True) if said is None]
    known = [path for path in texts if path not in unknown]
    entries = [entry for path in known for entry in _entries_of(root, path.stem, texts[path], scripts[path].lemmas)]
    return Judged(entries, judgements, unknown)


def judge_metric(root: Path, metric: Metric) -> Judged:
    """Write the theory of one metric and run the kernel on it.

    :param root: where the certificates of the library are
    :param metric: one of the library, whose certificates are taken, or any other, which is decided now
    :raises InputError: if the kernel is not installed, or nothing is decided of the metric
    """
    require_kernel()
    if metrics.get(metric.name) == metric:
        text = theory_text(_certificate_file(root, metric.name).read_text(encoding="utf-8"))
        return _judged(root, {THEORIES / f"{metric.name}.v": text})
    named = Metric(FORMULA, metric.expr, metric.parameters)
    verdicts = [prove(named, property, seconds=inf) for property in properties.values()]
    if all(verdict.status == "open" for verdict in verdicts):
        raise InputError(f"every property of {metric.name!r} is open, so that there is nothing to tell the kernel")
    path, text = Path(f"{FORMULA}.v"), theory(verdicts, named).text
    script = read_script(text, str(path))
    with statements_only():
        meant = read_script(theory(verdicts, named).text, f"what {FORMULA} is meant to state", with_proofs=False)
    (judgement,) = judge_all([Theorised(script, meant)])
    entries = inventory(text, [verdict.certificate() for verdict in verdicts], script.lemmas)
    return Judged(entries, {path: judgement}, [])


def _theory_of(root: Path, path: Path) -> str:
    """Return the text of a theory."""
    try:
        if path.suffix == ".v" and path.is_file():
            return path.read_bytes().decode("utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read as a theory, which is text in UTF-8: {error}") from None
    raise InputError(f"{path} is no file with a theory; name one in {root / THEORIES}, such as mcc.v, or a metric")


def _question(root: Path, stem: str, script: Script) -> Question:
    """Return the claim that a theory is meant to state."""
    lemmas, paper = tuple(script.lemmas), paper_of(stem)
    if stem in set(metrics):  # only by key: theories are not named by aliases
        return Question(stem, lemmas, certificates=_certificate_file(root, stem))
    folder = None if paper is None else root / PROOFS / paper
    return Question(stem, lemmas, script=folder if folder is not None and folder.is_dir() else None)


def _entries_of(root: Path, stem: str, text: str, lemmas: list[str]) -> list[Entry]:
    """Return the statements of one theory: on a metric, or on relations if it lists verdicts itself."""
    if stem not in set(metrics):
        return relation_inventory(stem, text, lemmas)
    return inventory(text, json.loads(_certificate_file(root, stem).read_text(encoding="utf-8")), lemmas)


def _certificate_file(root: Path, metric: str) -> Path:
    path = root / CERTIFICATES / file_name(metric)
    if not path.is_file():
        raise InputError(
            f"{path}, which says what the theory of {metric} is meant to state, is not there: name the root of the "
            "repository with --root, or run 'symmetrics build' in it"
        )
    return path
