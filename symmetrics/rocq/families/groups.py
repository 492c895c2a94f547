"""Lemmas on symmetry groups: the permutations of cells that map a metric to an image, and that there are no others."""

from __future__ import annotations

import itertools
from typing import Final

from sympy import Integer, log

from symmetrics.claims.evidence import Decision
from symmetrics.claims.families.groups import (
    IDENTITY,
    IMAGES,
    PERMUTATIONS,
    SYMMETRY_PAIRS,
    Pair,
    Permutation,
    SymmetryGroup,
    cycles,
    inverse,
)
from symmetrics.language.cells import CELLS
from symmetrics.language.names import CELL_NAMES
from symmetrics.rocq.engine.statements import (
    Lemma,
    NotExported,
    Subject,
    conclusion,
    defined,
    domain_of,
    introduced,
    listed,
    metric_of,
    scripted,
    table_text,
    tactic_bits,
)
from symmetrics.rocq.engine.terms import RATIONALS

FEW_ARRANGEMENTS: Final = ((1, 1, 1, 2), (1, 1, 1, 3), (1, 1, 2, 2), (1, 2, 2, 2), (1, 1, 2, 3))
CERTAIN: Final = 1e-3
IMAGE_NAMES: Final = {"M": "Same", "1-M": "Complement", "-M": "Negative", "1/M": "Reciprocal"}
MEMBER: Final = {True: "rational_identity", False: "unpack; metric_identity"}


def lemma(name: str, claim: SymmetryGroup, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that lists all symmetries of a metric: those listed hold, and all others fail at a table.

    With parameters it names a symmetry that serves all their values.

    :raises NotExported: if the symmetries depend on parameters, and none serves all values
    """
    members = _members(decision)
    metric, domain = metric_of(subject), domain_of(subject)
    head = defined(name, claim, subject, f"has_symmetry {metric} {domain}")
    full = f"{name}_{decision.status}"
    statement = conclusion(name, claim, decision, subject.numbers)
    if claim.parameters:
        if decision.status != "proved":
            raise NotExported("which symmetries there are depends on parameters")
        return Lemma(
            full,
            f"{head}\n\nLemma {full} : {statement}.\nProof.\n  {_one(members, claim, subject)}\nQed.",
            "the lemma names a symmetry for all values of the parameters, not those for single ones",
        )
    group = listed([_member_text(pair) for pair in members])
    exact = f"symmetry_group {metric} {domain}\n    {group}"
    proof = (
        f"assert (found : {exact}).\n  {{ {_group(claim, decision, members, subject)} }}\n  split; [| exact found].\n  "
    )
    moving = next((pair for pair in members if pair[0] != IDENTITY), None)
    if moving is None:
        if len(members) > 1:
            raise NotExported("no symmetry but of values that the metric does not change")
        proof += "exact (no_symmetry_by _ _ found)."
    else:
        proof += f"apply (has_symmetry_by _ _ {_arrangement(moving[0])} {IMAGE_NAMES[moving[1]]});\n"
        proof += "    [in_list | discriminate | apply found; in_list]."
    return Lemma(full, f"{head}\n\nLemma {full} : {statement} /\\\n  {exact}.\nProof.\n  {proof}\nQed.")


def _members(decision: Decision) -> list[Pair]:
    """Return the symmetries for all values of the parameters, and the identity, each with its inverse."""
    pairs = {f"{image}: {cycles(permutation)}": (permutation, image) for permutation, image in SYMMETRY_PAIRS}
    found: dict[Pair, None] = {(IDENTITY, "M"): None}
    for label, part in decision.evidence.data["parts"].items():
        if part["status"] == "proved":
            permutation, image = pairs[label]
            found |= {(permutation, image): None, (inverse(permutation), image): None}
    return list(found)


def _tables(claim: SymmetryGroup, decision: Decision, members: list[Pair]) -> list[list[object]]:
    """Return tables that refute all non-symmetries; few arrangements of them where logarithms are costly."""
    tables: list[list[object]] = [list(table) for table in decision.evidence.data["tables"]]
    for part in decision.evidence.data["parts"].values():
        if part["status"] == "refuted":
            first = part["witness"]["tables"][0]
            tables.append([first[cell.lower()] for cell in CELL_NAMES])
    if not claim.subject.has(log):
        return tables
    left = {(p, image) for p in PERMUTATIONS for image in IMAGES} - set(members)
    chosen: list[list[object]] = []
    for counts in FEW_ARRANGEMENTS:
        failing = _failing(claim, counts, left)
        if failing:
            chosen.append(list(counts))
            left -= failing
    return [*chosen, *(tables if left else [])]


def _failing(claim: SymmetryGroup, counts: tuple[int, ...], left: set[Pair]) -> set[Pair]:
    """Return the pairs that fail at some arrangement of a table, by approximate values."""
    values = {}
    for table in set(itertools.permutations(counts)):
        value = claim.subject.xreplace(dict(zip(CELLS, map(Integer, table), strict=True))).evalf(20)
        if value.is_Float or value.is_Integer:
            values[table] = float(value)
    gaps = {
        "M": lambda x, y: x - y,
        "1-M": lambda x, y: x + y - 1,
        "-M": lambda x, y: x + y,
        "1/M": lambda x, y: x * y - 1,
    }
    found = set()
    for permutation, image in left:
        for table, value in values.items():
            other = values.get(tuple(table[place] for place in permutation))
            if other is not None and abs(gaps[image](value, other)) > CERTAIN:
                found.add((permutation, image))
                break
    return found


def _arrangement(permutation: Permutation) -> str:
    return f"({', '.join(f'At{CELL_NAMES[place]}' for place in permutation)})"


def _member_text(pair: Pair) -> str:
    permutation, image = pair
    return f"({_arrangement(permutation)}, {IMAGE_NAMES[image]})"


@scripted
def _group(claim: SymmetryGroup, decision: Decision, members: list[Pair], subject: Subject) -> str:
    tables = listed([table_text(table, subject.numbers) for table in _tables(claim, decision, members)])
    tactic = f"group{tactic_bits(subject.numbers)} {metric_of(subject)} {domain_of(subject)} ({tables})"
    return f"{tactic};\n    first [reflexivity | solve [{MEMBER[subject.numbers is RATIONALS]}]]."


def _one(members: list[Pair], claim: SymmetryGroup, subject: Subject) -> str:
    moving = next((pair for pair in members if pair[0] != IDENTITY), None)
    if moving is None:
        raise NotExported("no one symmetry serves all values of the parameters")
    permutation, image = moving
    metric, domain = metric_of(subject), domain_of(subject)
    return (
        f"{introduced(claim.parameters)}apply (has_symmetry_by _ _ {_arrangement(permutation)} {IMAGE_NAMES[image]});\n"
        f"  [in_list | discriminate |].\n"
        f"  spelled_out {metric} {domain}. {MEMBER[subject.numbers is RATIONALS]}."
    )
