"""Questions to the kernel about compiled theories: whether a lemma says what it is meant to say, and on what it rests.

They are asked in a file that no theory has written to.  It requires the hand-written files, says again what the library
means by each name, and asks whether the lemma of the theory, by its full name, proves that; so whatever stands in the
theory, an accepted lemma is one on the library's formula and the library's property.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from symmetrics.rocq.judge.compiling import LIBRARY, compile_file, complaint
from symmetrics.rocq.judge.gate import Script

__all__ = ["AXIOMS", "THEORIES", "TIMEOUT", "Answer", "Compiled", "answers", "error_line"]

AXIOMS: Final = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""What the standard library's real numbers, with their logarithm and roots, rest on."""
THEORIES: Final = "Theories"
TIMEOUT: Final = "Set Default Timeout 120."
"""How many seconds one sentence may take."""
OTHER: Final = "the kernel finds that it does not say what the library means by its name"
_PLACE: Final = re.compile(r'^File "[^"]*", line (?P<line>\d+)', re.MULTILINE)
_AXIOM: Final = re.compile(r"^(?P<name>\S[^:\n]*)", re.MULTILINE)
"""An entry of the answer, which need not be an axiom: a definition may be assumed to be well founded."""


@dataclass(frozen=True)
class Compiled:
    """A compiled theory.

    :param name: its name
    :param file: where it stands
    :param path: what the name of a lemma stands behind
    :param header: its first two sentences
    :param lemmas: the names of its lemmas
    :param meant: what the lemmas are meant to say, as a theory; None if the library does not know
    """

    name: str
    file: Path
    path: str
    header: tuple[str, ...]
    lemmas: tuple[str, ...]
    meant: Script | None = None


@dataclass(frozen=True)
class Answer:
    """What the kernel says of a compiled theory.

    :param rejected: the lemmas that say something else than they are meant to, each with the reason
    :param axioms: what the others rest on at most; exactly, if it is more than the standard library's real numbers
    """

    rejected: Mapping[str, str]
    axioms: frozenset[str]


def answers(theories: Sequence[Compiled], prelude: Path) -> list[Answer]:
    """Return the answers on theories that stand in one folder and begin alike, in their order.

    They are asked about together, and in halves where something is rejected or rests on something unexpected.

    :param prelude: the folder of the compiled hand-written files
    """
    if not all(theory.lemmas for theory in theories):
        # What has no lemma left need not be compiled.
        known = iter(answers([theory for theory in theories if theory.lemmas], prelude))
        return [next(known) if theory.lemmas else Answer({}, frozenset()) for theory in theories]
    if not theories:
        return []
    lines, asked = _question(theories)
    failed, axioms = _ask(lines, theories, prelude)
    if failed is None and axioms <= AXIOMS:
        return [Answer({}, axioms) for _ in theories]
    if len(theories) > 1:
        half = len(theories) // 2
        return [*answers(theories[:half], prelude), *answers(theories[half:], prelude)]
    culprit = asked.get(failed[0]) if failed is not None else None
    if failed is None or culprit is None:
        return [Answer({}, axioms if failed is None else frozenset({failed[1]}))]
    (theory,) = theories
    (rest,) = answers([replace(theory, lemmas=tuple(n for n in theory.lemmas if n != culprit))], prelude)
    return [Answer({culprit: f"{OTHER}: {failed[1]}", **rest.rejected}, rest.axioms)]


def _question(theories: Sequence[Compiled]) -> tuple[list[str], dict[int, str]]:
    """Return the lines of a question, and the numbers of those that ask what a lemma says, with its name."""
    requires, scope = theories[0].header
    files = " ".join(dict.fromkeys(theory.file.stem for theory in theories))
    lines, asked, named = [requires, scope, f"From {THEORIES} Require {files}.", TIMEOUT], dict[int, str](), list[str]()
    for theory in theories:
        full = {name: f"{THEORIES}.{theory.path}.{name}" for name in theory.lemmas}
        named += full.values()
        if theory.meant is None:
            continue
        lines.append(f"Module asked_{theory.name}.")
        for name, stated in theory.meant.stated.items():
            if not stated.is_lemma:
                lines.append(_on_one_line(stated.text))
            elif name in full:
                lines.append(f"Definition asked_{name} : {_on_one_line(stated.statement)} := {full[name]}.")
                asked[len(lines)] = name
        lines.append(f"End asked_{theory.name}.")
    every = " ".join(f"let _ := {name} in" for name in named)
    return [*lines, f"Definition all := {every} I.", "Print Assumptions all."], asked


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _ask(
    lines: Sequence[str], theories: Sequence[Compiled], prelude: Path
) -> tuple[tuple[int, str] | None, frozenset[str]]:
    """Return where and why a question is rejected, if it is, and the axioms."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "question.v"
        file.write_text("\n".join([*lines, ""]), encoding="utf-8")
        output = compile_file(file, (prelude, LIBRARY), (theories[0].file.parent, THEORIES))
    if output.returncode:
        return (error_line(output.stderr), complaint(output.stderr)), frozenset()
    if output.stdout.startswith("Closed under the global context"):
        return None, frozenset()
    own = {theory.file.stem for theory in theories} | {theory.name for theory in theories}
    names = (match["name"].strip() for match in _AXIOM.finditer(output.stdout.partition("Axioms:")[2]))
    return None, frozenset(_outside(name, own) for name in names)


def error_line(errors: str) -> int:
    """Return the number of the line in which the first error stands; zero if it is not said."""
    place = _PLACE.search(errors)
    return 0 if place is None else int(place["line"])


def _outside(name: str, own: Collection[str]) -> str:
    """Return the name of an axiom without the theory that has it, unless it would then pass for one of the library."""
    short = ".".join(part for part in name.split(".") if part not in own)
    return name if short != name and short in AXIOMS else short
