"""What follows from what among properties: refutations are decided, arguments meet no exceptions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from effort import some
from recorded import holds

import symmetrics as sm
from symmetrics.claims.theorems.arguments import CLASSES, DOMAINS, Argument
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE
from symmetrics.language.cells import CELLS
from symmetrics.query.possibilities.arguments import arguments
from symmetrics.query.possibilities.between import implications
from symmetrics.query.possibilities.examples import EXAMPLES, Example
from symmetrics.query.possibilities.reasons import follows
from symmetrics.query.recorded import recorded as verdict_in_certificate


@pytest.mark.sampled(4)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_has_and_lacks_what_it_is_said_to(example: Example) -> None:
    formula = sm.parse_formula(example.formula)
    assert not formula.free_symbols.isdisjoint(CELLS)
    for keys, expected in ((example.has, "proved"), (example.lacks, "refuted")):
        for key in keys:
            verdict = sm.prove(formula, key)
            assert verdict.status == expected, key
            sm.check(verdict)


def test_no_example_is_against_an_argument() -> None:
    for example in some(EXAMPLES, len(EXAMPLES) // 2):
        refuted = {*example.lacks, CONSTANT, IMPOSSIBLE}
        assert follows(example.has, refuted) is None, example.name


def test_no_metric_of_the_library_is_against_an_argument() -> None:
    for argument in arguments():
        for name in sm.metrics:
            if all(holds(name, key) is True for key in argument.premises):
                assert argument.conclusion in sm.properties, (argument, name)
                assert holds(name, argument.conclusion) is not False, (argument, name)


def test_arguments_are_about_properties_classes_and_domains() -> None:
    for argument in arguments():
        assert {*argument.premises, argument.conclusion} <= {*sm.properties, CONSTANT, IMPOSSIBLE}
        assert argument.kind in CLASSES
        assert argument.domain in DOMAINS


def test_what_needs_a_narrower_class_says_so() -> None:
    narrow = follows(["range"], ["tn_limit"])
    assert narrow is not None
    assert [step.kind for step in narrow if isinstance(step, Argument)] == ["tame"]
    assert follows(["constant_baseline", "translation_space"], [CONSTANT, IMPOSSIBLE]) is None
    chained = follows(["scaling", "decomposable"], [CONSTANT])
    assert chained is not None
    assert [step.conclusion for step in chained] == ["independence_value", CONSTANT]


def test_the_page_counts_what_is_known_of_implications_and_exclusions() -> None:
    words = {
        ("arbitrary", "open"): "for all metrics",
        ("continuous", "open"): "for continuous metrics",
        ("continuous", "closed"): "for continuous metrics, also where cells are 0",
        ("tame", "open"): "for metrics without oscillation",
        ("arbitrary", "whole"): "on tables of whole numbers",
    }
    read = [verdict_in_certificate(sm.metrics["f1"], property) for property in sm.properties.values()]
    assert None not in read, "what no metric refutes is counted from current certificates: run 'symmetrics build'"
    counted = Counter[tuple[str, bool]]()
    unknown = []
    for known in implications():
        by = "by a metric of the library" if known.metric in sm.metrics else "by a metric made for it"
        how = {"refuted": by, "proved": words.get((known.kind, known.domain), "?"), "open": ""}[known.status]
        counted[f"{known.status} {how}".strip(), known.conclusion is None] += 1
        if known.status == "open":
            unknown.append(f"{' and '.join(known.premises)} -> {known.conclusion or 'impossible'}")
    by_library, by_others = "refuted by a metric of the library", "refuted by a metric made for it"
    order = (by_library, by_others, *(f"proved {word}" for word in words.values()), "open")
    assert {how for how, _ in counted} <= {*order}
    pairs = len(sm.properties) * (len(sm.properties) - 1)
    asked = {False: pairs, True: pairs // 2}
    assert sum(counted.values()) == sum(asked.values())
    left = {excludes: number - counted[by_library, excludes] for excludes, number in asked.items()}
    expected = (
        f"Each of the {len(sm.properties)} properties of the library may imply another one, or exclude it: "
        f"{asked[False]} implications and {asked[True]} exclusions.",
        *(f"| {how} | {counted[how, False]} | {counted[how, True]} |" for how in order),
        f"So of the {left[False]} implications and {left[True]} exclusions that no metric of the library refutes, "
        f"{counted[by_others, False]} and {counted[by_others, True]} are false.",
    )
    page = (Path(__file__).parents[1] / "docs" / "possibilities.md").read_text(encoding="utf-8")
    missing = [line for line in expected if line not in " ".join(page.split())]
    assert not missing, "docs/possibilities.md is to say:\n" + "\n".join(missing) + f"\nopen: {'; '.join(unknown)}"


def test_an_answer_is_shown_with_the_theorems_that_it_rests_on() -> None:
    found = sm.possible(require=["p2"], forbid=["p1"])
    impossible = sm.possible(require=["strongly_monotone"], forbid=["monotone"])
    for answer in (found, impossible):
        shown = answer._repr_html_()
        assert shown.startswith("<p>")
        assert shown.count("<li>") == len(answer.theorems)
