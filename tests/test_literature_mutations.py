"""A misprint is noticed: a printed number or sign changed at random changes a ruling."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from effort import is_thorough

from symmetrics.papers.branco2017 import experiment
from symmetrics.papers.claims import PaperClaim
from symmetrics.papers.claims.trials import load_trial
from symmetrics.papers.garcia2012.experiment import printed_signs
from symmetrics.papers.thainghe2011.figures import MEASURES, printed, printed_outcomes, printed_sets

PROOFS = Path(__file__).parents[1] / "proofs"
MISPRINTS = 10 if is_thorough() else 3
"""One in ten may go unnoticed, where the last digits of a number leave its rounding as it was."""
Place = tuple[str, tuple[Any, ...]]
"""A paper, and the way to one of its printed texts."""


def script(paper: str) -> ModuleType:
    name = f"symmetrics_proofs_{paper}"
    if name not in sys.modules:
        load_trial(PROOFS / paper)
    return sys.modules[name]


def texts(data: Any, *path: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the ways to all numbers that are printed as text."""
    if isinstance(data, str):
        if any(sign.isdigit() for sign in data):
            yield path
        return
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield from texts(value, *path, key)


def sources(paper: str) -> dict[str, Any]:
    """Return what the script of a paper reads: the printed texts by the name that they have there."""
    own = script(paper)
    if paper == "tan2006":
        return {"figure5_42": own.shared.printed_facts()["figure5_42"]["columns"]}
    if paper == "landgrebe2005":
        return {
            problem: {prior: row for prior, row in rows.items() if prior != "0.5"}
            for problem, rows in own.shared.table_2().items()
        }
    if paper == "thainghe2011":
        return {"average": printed()["average"]}
    return {name: experiment._data()[name] for name in ("table2", "table3", "table4")} | {
        "table5": {key: row for key, row in experiment._data()["table5"].items() if "^" in key}
    }


def changed(text: str, random: Random) -> str:
    """Return a number in which one digit is another one."""
    place = random.choice([place for place, sign in enumerate(text) if sign.isdigit()])
    digit = random.choice([digit for digit in "0123456789" if digit != text[place]])
    return text[:place] + digit + text[place + 1 :]


def put(data: Any, path: tuple[Any, ...], text: str) -> None:
    for key in path[:-1]:
        data = data[key]
    data[path[-1]] = text


def at(data: Any, path: tuple[Any, ...]) -> str:
    for key in path:
        data = data[key]
    return str(data)


@contextmanager
def replaced(paper: str, path: tuple[Any, ...], text: str) -> Iterator[None]:
    """Let the script of a paper read one text otherwise."""
    own = script(paper)
    with pytest.MonkeyPatch.context() as patch:
        if paper == "tan2006":
            facts = copy.deepcopy(own.shared.printed_facts())
            put(facts, (path[0], "columns", *path[1:]), text)
            patch.setattr(own.roc, "printed_facts", lambda: facts)
        elif paper == "landgrebe2005":
            facts = copy.deepcopy(own.shared.table_2())
            put(facts, path, text)
            for module in (own.shared, own.figures, own.section_4):
                patch.setattr(module, "table_2", lambda: facts)
        else:
            module = own.table_1 if paper == "thainghe2011" else experiment
            name = "printed" if paper == "thainghe2011" else "_data"
            facts = copy.deepcopy(getattr(module, name)())
            put(facts, path, text)
            patch.setattr(module, name, lambda: facts)
            if paper == "branco2017":
                own.shared.cells_of_table.cache_clear()
        yield
    if paper == "branco2017":
        own.shared.cells_of_table.cache_clear()


def outcomes(claims: tuple[PaperClaim, ...], keep: str) -> dict[str, str]:
    return {claim.key: claim.judge().outcome for claim in claims if keep in claim.key}


def cells_of(paper: str) -> dict[str, str]:
    """Return the outcomes of all cells of tables, which are those that bear on a number."""
    cells = tuple(claim for claim in script(paper).trial().claims if claim.kind == "table cell")
    return outcomes(cells, {"thainghe2011": "table_1_average"}.get(paper, ""))


@cache
def recorded(paper: str) -> dict[str, str]:
    return cells_of(paper)


def test_a_changed_number_is_noticed() -> None:
    random = Random(2026)
    missed = []
    papers = ("tan2006", "landgrebe2005", "thainghe2011", "branco2017")
    numbers = [(paper, path) for paper in papers for path in texts(sources(paper))]
    for paper, path in random.sample(numbers, MISPRINTS):
        text, before = changed(at(sources(paper), path), random), recorded(paper)
        with replaced(paper, path, text):
            if cells_of(paper) == before:
                missed.append((paper, path, text))
    assert len(missed) <= MISPRINTS // 10, missed


def signs() -> Iterator[Place]:
    for metric, key in printed_signs():
        yield "garcia2012", (metric, key)
    for measure in MEASURES:
        for row in printed_sets():
            yield "thainghe2011", (measure, row.name)
    for name in script("branco2017").shared.METRICS:
        for case in range(3):
            yield "branco2017", (name, case)


def notices_sign(paper: str, path: tuple[Any, ...], random: Random) -> bool:
    """Whether a ruling differs once a sign is another one."""
    own = script(paper)
    with pytest.MonkeyPatch.context() as patch:
        if paper == "garcia2012":
            signs = dict(printed_signs())
            signs[path] = "+" if signs[path] == "-" else "-"
            patch.setattr(own.section_3, "printed_signs", lambda: signs)
            found = outcomes(own.trial().claims, f".table_2_{'_'.join(path)}")
            return set(found.values()) == {"refuted"}
        if paper == "thainghe2011":
            measure, name = path
            before = outcomes(own.trial().claims, ".table_2_group")
            listed = printed_outcomes(measure)
            place = [row.name for row in printed_sets()].index(name)
            listed[place] = random.choice([sign for sign in ("win", "tie", "lose") if sign != listed[place]])
            patch.setattr(
                own.section_4b, "printed_outcomes", lambda of: listed if of == measure else printed_outcomes(of)
            )
            return outcomes(own.trial().claims, ".table_2_group") != before
        name, case = path
        marks = list(own.shared.SUITABLE.get(name, (False, False, False)))
        marks[case] = not marks[case]
        patch.setitem(own.shared.SUITABLE, name, tuple(marks))
        return set(outcomes(own.trial().claims, f".marks_of_{own.shared.slug(name)}").values()) == {"refuted"}


def test_a_changed_sign_is_noticed() -> None:
    random = Random(2026)
    missed = [place for place in random.sample(list(signs()), 10) if not notices_sign(*place, random)]
    assert len(missed) <= 1, missed
