"""What is generated in the repository: certificates, programs and rulings under proofs/, tables in the documents."""

from __future__ import annotations

import inspect
import json
import pkgutil
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np
from sympy import Abs, Max, Min

from symmetrics.claims.evidence import Status
from symmetrics.claims.recorded import deciding_anew, file_name
from symmetrics.claims.steps import CHAPTERS
from symmetrics.claims.steps.shapes import Either, Field, Group, In, ListOf, MapTo, OneOf, Plain, Row, Shape, Step
from symmetrics.claims.verdict import Verdict
from symmetrics.data.counts import Cells
from symmetrics.library import metrics, properties
from symmetrics.matrices import multiclass
from symmetrics.matrices.deciding import CLASSES, name_at_size, properties_at_size
from symmetrics.metric import Metric
from symmetrics.metric.shipped import facts_of
from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.plans import encoded, plan_of
from symmetrics.numeric.trust import known_limits
from symmetrics.pages.tables import VerdictTable, table
from symmetrics.papers.claims.sentences import read_all, summary_of_sentences
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
from symmetrics.rocq.theories.meanings import Entry, inventory, inventory_table, paper_theories, relation_inventory
from symmetrics.rocq.theories.theory import atlas_theories
from symmetrics.statistics.intervals import compiled_slopes
from symmetrics.statistics.proportions import shape_of
from symmetrics.tools.catalogue import record_in, records_in, spoken
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import write_text
from symmetrics.tools.shipped import MANIFEST, PROGRAMS, PROOFS, manifest_text, programs_file, shipped_programs
from symmetrics.tools.texts import number_of
from symmetrics.tools.workers import Bar, spread

# ----------------------------------------------------------------------------------------------------------------------
# Compiled programs of every formula in the library, so that numbers need no algebra at run time.


_PACKAGE: Final = "symmetrics.library.metrics"
_TABLES: Final = np.random.default_rng(7).integers(1, 60, (4, 24)).astype(float)
"""Number of tables evaluated on each face, to find its limit."""


def programs_text(*, fresh: bool = False, progress: bool = False) -> str:
    """Return the file of programs: the names of matrix metrics, and for each metric its facts and programs.

    :param fresh: compile all anew, even if the file that is there was made by this code
    """
    found = None if fresh else shipped_programs()
    if found is not None:
        return programs_file(found)
    wanted = [(theme, metric.name) for theme, metric in defined_metrics()]
    pairs = spread(_lines, wanted, bar=Bar() if progress else None)
    names = sorted({spoken(name) for metric in multiclass.values() for name in (metric.name, *metric.aliases)})
    return programs_file([json.dumps(names), *(line for pair in pairs for line in pair)])


def defined_metrics() -> Iterator[tuple[str, Metric]]:
    """Yield the records of the library with their themes, as the sources define them."""
    for module in pkgutil.iter_modules(import_module(_PACKAGE).__path__):
        yield from ((module.name, record) for record in records_in(f"{_PACKAGE}.{module.name}"))


def _lines(wanted: tuple[str, str]) -> tuple[str, str]:
    theme, name = wanted
    metric = record_in(f"{_PACKAGE}.{theme}", name)
    programs = json.dumps(programs_of(metric), separators=(",", ":"))  # before the evaluation below adds to them
    with deciding_anew():
        facts = facts_of(metric)
    return json.dumps([theme, facts]), programs


def programs_of(metric: Metric) -> dict[str, Any]:
    """Return the compiled programs of a metric's formula as JSON values."""
    formula = metric.value_formula
    return {
        "plan": encoded(plan_of(formula)),
        "plan_of_slopes": encoded(plan_of(formula, anew=False)),
        "limits": _limits(metric),
        "has_kinks": formula.has(Abs, Min, Max),
        "slopes": inspect.getsource(compiled_slopes(formula)),
        "shape": encoded(shape_of(formula)),
    }


def _limits(metric: Metric) -> dict[str, float]:
    """Return the faces on which the formula has a constant limit where its kernel gives nan."""
    formula = metric.value_formula
    for face in range(1, 16):
        is_zero = np.array([face >> place & 1 for place in range(4)], dtype=bool)
        evaluate(formula, Cells(*np.where(is_zero[:, None], 0.0, _TABLES)), bounds=metric.bounds)
    known = known_limits(formula)
    return {str(face): float(known.values[face]) for face in range(16) if known.faces >> face & 1}


# -- The page on evidence: every kind of it in words, generated from the records of evidence ---------------------------


_SPECIAL: Final = re.compile(r"([*_<>|\[\]`])")
_MARKS: Final = {
    "kind": "The entry `kind` names it.",
    "field": "The first field of each names it.",
    "first": "The first entry of the list names it.",
    "alone": "Each has its own place, and no name in the certificate.",
    "word": "Each is a word alone.",
}


def evidence_text() -> str:
    """Return all kinds of evidence and of steps as Markdown, in chapters."""
    return "\n\n".join(block for chapter in CHAPTERS for block in _chapter(chapter))


def _chapter(group: Group) -> Iterator[str]:
    yield f"## {group.title}"
    yield f"{_plain(group.about)} {_MARKS[group.mark]}"
    for field in group.common:
        yield f"All have the field `{field.name}`: {_plain(field.meaning)}."
    for step in group.steps:
        yield f"### {step.name}"
        yield "  \n".join(_sentences(step))
        if step.fields:
            yield _table(step)


def _sentences(step: Step) -> Iterator[str]:
    yield _plain(step.says)
    yield f"**Law:** {_plain(step.law)}"
    if step.source:
        yield f"**Source:** {_plain(step.source)}"
    if step.excused:
        yield f"**Not told to the proof assistant:** {_plain(step.excused)}."
    if step.except_for:
        yield f"**Told to the proof assistant, except for** {_plain(step.except_for)}."


def _table(step: Step) -> str:
    rows = ["| field | what stands there | meaning |", "|---|---|---|", *map(_row, step.fields)]
    return "\n".join(rows)


def _row(field: Field) -> str:
    optional = "" if field.required else " (if needed)"
    return f"| `{field.name}` | {_plain(words_of(field.shape))} | {_plain(field.meaning)}{optional} |"


def words_of(shape: Shape) -> str:
    """Describe the shape of a certificate's field in words.

    >>> words_of(ListOf(Row((OneOf((1, -1)), In("sign")))))
    'list of (1 or -1, proof of a sign)'
    """
    match shape:
        case Plain():
            return shape.words
        case OneOf():
            return " or ".join(f'"{one}"' if isinstance(one, str) else str(one).lower() for one in shape.values)
        case ListOf():
            return f"list of {words_of(shape.item)}"
        case Row():
            return f"({', '.join(map(words_of, shape.items))})"
        case MapTo():
            return f"{words_of(shape.value)}, by {shape.keys}"
        case In():
            return _NAMES.get(shape.group, shape.group)
        case Either():
            return shape.words or " or ".join(map(words_of, shape.shapes))


_NAMES: Final = {
    "sign": "proof of a sign",
    "split": "tree of splits",
    "case": "tree of cases",
    "free": "proof that it is free",
    "table": "counterexample",
    "counts": "table",
}
"""Names of groups within sentences, where their keys are too short."""


def _plain(text: str) -> str:
    """Escape Markdown."""
    return _SPECIAL.sub(r"\\\1", text)


# ----------------------------------------------------------------------------------------------------------------------


RULINGS: Final = {PROOFS / "ERRATA.md": errata_text, PROOFS / "CLAIMS.md": claims_text}
README: Final = Path("README.md")
EVIDENCE: Final = Path("docs") / "evidence.md"
DOCUMENTS: Final = tuple(
    Path("docs") / f"{name}.md" for name in ("asking", "evidence", "many_classes", "papers", "soundness")
)
"""Pages with generated parts, besides the README."""
SHOWN: Final = ("accuracy", "balanced_accuracy", "cba", "mavg", "kappa", "mcc", "rci", "cen")
"""The matrix metrics in the documentation's table; ``symmetrics table --multiclass`` has all."""
LONGEST: Final = 12
"""Longest value in that table, in characters."""
_GENERATED: Final = re.compile(r"(<!-- generated: (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def generated_files(root: Path, *, fresh: bool = False, progress: bool = False) -> dict[Path, str]:
    """Return the content of every generated file, by path.

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
    parts["sentences"] = summary_of_sentences(read_all(root), heard)
    parts["evidence"] = evidence_text()
    documents = {README: readme} | {
        path: (root / path).read_text(encoding="utf-8") for path in DOCUMENTS if (root / path).is_file()
    }
    pages = {root / path: _with_generated_parts(text, parts, path) for path, text in documents.items()}
    return files | pages | rulings | {root / PROOFS / MANIFEST: manifest}


def evidence_page(text: str) -> str:
    """Return the page on the kinds of evidence: its manual text with the generated part."""
    return _with_generated_parts(text, {"evidence": evidence_text()}, EVIDENCE)


def _entries(pairs: Iterable[tuple[str, str]]) -> list[Entry]:
    """Return the statements for the Rocq kernel, from the certificates and the theory of every metric."""
    return [entry for certificates, text in pairs for entry in inventory(text, json.loads(certificates))]


def readme_of(root: Path) -> str:
    """Return the text of the README, if this is the root of this repository and not of another project."""
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
    """Return the certificates on every metric by path; those of matrix metrics first, as some take longest."""
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
    """Return the table of some matrix metrics, from their certificates."""
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
    """Return the numbers of metrics, properties and verdicts, and of verdicts by status."""
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
