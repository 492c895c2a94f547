"""What follows from what among properties: refutations are decided, arguments meet no exceptions."""

from __future__ import annotations

import pytest
from recorded import holds

import symmetrics as sm
from symmetrics.language.cells import CELLS
from symmetrics.query.possibilities.arguments import ARGUMENTS, CLASSES, CONSTANT, CONTRADICTION, DOMAINS, Argument
from symmetrics.query.possibilities.between import follows
from symmetrics.query.possibilities.examples import EXAMPLES, Example


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
    for example in EXAMPLES:
        refuted = {*example.lacks, CONSTANT, CONTRADICTION}
        assert follows(example.has, refuted) is None, example.name


@pytest.mark.sampled(4)
@pytest.mark.parametrize("argument", ARGUMENTS, ids=lambda argument: f"{argument.premises} {argument.conclusion}")
def test_no_metric_of_the_library_is_against_an_argument(argument: Argument) -> None:
    for name in sm.metrics:
        if all(holds(name, key) is True for key in argument.premises):
            assert argument.conclusion in sm.properties, name
            assert holds(name, argument.conclusion) is not False, name


def test_arguments_are_about_properties_classes_and_domains() -> None:
    for argument in ARGUMENTS:
        assert {*argument.premises, argument.conclusion} <= {*sm.properties, CONSTANT, CONTRADICTION}
        assert argument.kind in CLASSES
        assert argument.domain in DOMAINS


def test_what_needs_a_narrower_class_says_so() -> None:
    narrow = follows(["range"], ["tn_limit"])
    assert narrow is not None
    assert [step.kind for step in narrow if isinstance(step, Argument)] == ["tame"]
    assert follows(["constant_baseline", "translation_space"], [CONSTANT, CONTRADICTION]) is None
    chained = follows(["scaling", "decomposable"], [CONSTANT])
    assert chained is not None
    assert [step.conclusion for step in chained] == ["independence_value", CONSTANT]
