"""The evidence language: every kind is emitted, checked, and exported or excused; and nothing else is."""

from __future__ import annotations

import ast
import copy
import importlib.util
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from effort import in_one_test, is_thorough, some
from evidence_examples import EXAMPLES, example, examples_of, occurring
from sentence_reader import read, told

from symmetrics.checker import check
from symmetrics.claims.evidence import Evidence, require_spelled, steps_in
from symmetrics.claims.steps import CHAPTERS, EVIDENCE, GROUPS
from symmetrics.claims.steps.shapes import Group, Step
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import sentences
from symmetrics.matrices.deciding import told_at_size
from symmetrics.query.relations import equation_behind
from symmetrics.repository.building import EVIDENCE as PAGE
from symmetrics.repository.building import evidence_page
from symmetrics.rocq.engine.statements import Formula, NotExported, Subject
from symmetrics.rocq.families import lemma
from symmetrics.tools.errors import CertificateError, UnsupportedError

ROOT = Path(__file__).resolve().parent.parent
ALL = [(group, step) for group in CHAPTERS for step in group.steps]
KINDS = {step.name for group in EVIDENCE for step in group.steps}


def named(pair: Any) -> str:
    return f"{pair[0].key}-{pair[1].name}-{'-'.join(field.name for field in pair[1].fields)[:20]}"


# -- emitted and accepted ----------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize("name", some(EXAMPLES, 40, "accepted"))
def test_every_example_is_accepted_as_it_comes_back_from_its_text(name: str) -> None:
    check(Verdict.from_json(example(name).to_json()))


@in_one_test
@pytest.mark.parametrize("pair", ALL, ids=named)
def test_every_step_is_emitted(pair: tuple[Group, Step]) -> None:
    _, step = pair
    assert examples_of(step), f"no example holds {step.name!r}: add one to EXAMPLES of tests/evidence_examples.py"


# -- corrupted ---------------------------------------------------------------------------------------------------------


def places(value: Any, wanted: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where in a certificate an object stands, which is the same object and not one that is equal to it."""
    if value is wanted:
        yield path
        return
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from places(entry, wanted, (*path, key))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def corruptions(group: Group, step: Step, others: list[str]) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield what can be wrong with a step: a name for the wrong, and what makes it of the right."""
    swapped = ["made up", *others]
    if group.mark == "word":
        yield from ((f"called {name}", lambda _, n=name: n) for name in swapped)
        return
    if group.mark == "first":
        yield from ((f"called {name}", lambda v, n=name: [n, *v[1:]]) for name in swapped)
        yield "an entry too many", lambda v: [*v, "1"]
        if step.fields:
            yield "an entry too few", lambda v: v[:-1]
        return
    yield "an unknown field", lambda v: v | {"made_up": 1}
    if group.mark == "kind":
        yield from ((f"called {name}", lambda v, n=name: v | {"kind": n}) for name in swapped)
    for field in (*group.common, *step.fields):
        yield f"without {field.name}", lambda v, n=field.name: {k: e for k, e in v.items() if k != n}
        yield f"{field.name} renamed", lambda v, n=field.name: {k + "_" * (k == n): e for k, e in v.items()}
    if group.mark == "field":
        yield from (
            (f"called {name}", lambda v, n=name: {n if k == step.name else k: e for k, e in v.items()})
            for name in swapped
        )


TELLING = {("atom", "log"): "a sign of logarithms", ("written", "end"): "a range"}
"""Examples that need a step where the shortest one holds it without need, so that it may say what it likes."""
HARMLESS = {
    # The equations do vanish where a divisor does, too; that nothing has a value there is what a condition may ignore.
    ("leaf", "undefined", "called holds"),
    # Two words for one and the same statement, that a factor has no zero in the domain.
    ("leaf", "outside the domain", "called no root in the domain"),
    ("leaf", "no root in the domain", "called outside the domain"),
}


def refused(certificate: dict[str, Any]) -> bool:
    try:
        check(Verdict.from_certificate(certificate))
    except CertificateError:
        return True
    return False


@in_one_test
@pytest.mark.parametrize("pair", ALL, ids=named)
def test_a_corrupted_step_is_refused(pair: tuple[Group, Step]) -> None:
    group, step = pair
    if step.excused == "it asserts nothing":
        return  # tested below: an open verdict passes whatever its reason is
    name = TELLING.get((group.key, step.name)) or examples_of(step)[0]
    certificate = json.loads(example(name).to_json())
    proof = certificate["certificate"]
    data = {key: value for key, value in proof.items() if key != "kind"}
    value = next(value for each, value in steps_in(proof["kind"], data) if each is step)
    if value == proof:
        value = proof
    paths = [path for path in places(proof, value) if group.mark != "word" or at(proof, path[:-1]).get("leaf")]
    path = ("certificate", *paths[0])
    others = [other.name for other in group.steps if other.name != step.name][: 6 if is_thorough() else 3]
    looked_at = 0
    for wrong, corrupt in corruptions(group, step, others):
        before = at(certificate, path)
        after = corrupt(before)
        if after == before or (group.key, step.name, wrong) in HARMLESS:
            continue
        lie = copy.deepcopy(certificate)
        at(lie, path[:-1])[path[-1]] = after
        assert refused(lie), f"{name}: {step.name} {wrong} is accepted"
        looked_at += 1
    assert looked_at > 0


# -- exported ----------------------------------------------------------------------------------------------------------


@cache
def exported(name: str) -> bool:
    """Whether a lemma is written on an example."""
    verdict = equation_behind(example(name))
    first = Formula("own", verdict.claim.subject, verdict.claim.parameters)
    other = getattr(verdict.claim, "partner", None)
    second = None if other is None else Formula("other", other, verdict.claim.parameters)
    subject = Subject(first, {} if second is None else {other: second}, second)
    try:
        lemma("own_lemma", verdict.claim, verdict, subject)
    except (NotExported, UnsupportedError):
        return False
    return True


@in_one_test
@pytest.mark.parametrize("pair", some(ALL, 50, "exported"), ids=named)
def test_every_step_is_exported_or_excused(pair: tuple[Group, Step]) -> None:
    _, step = pair
    if not step.excused:
        assert any(exported(name) for name in examples_of(step)), f"no lemma is written on what rests on {step.name!r}"
    elif step.name in KINDS:
        resting = [name for name in EXAMPLES if occurring(name)[0][0] is step]
        assert not any(exported(name) for name in resting if example(name).status != "open"), step.name


@pytest.mark.parametrize("name", ["a condition with roots", "a link by a power over the rationals"])
def test_what_has_no_lemma_is_answered_with_the_reason(name: str) -> None:
    assert not exported(name)


# -- nothing else ------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_every_certificate_of_the_library_is_spelled_in_this_language() -> None:
    for path in sorted((ROOT / "proofs" / "certificates").glob("*.json")):
        for entry in json.loads(path.read_text(encoding="utf-8")):
            proof = entry["certificate"]
            require_spelled(proof["kind"], {key: value for key, value in proof.items() if key != "kind"})


def literals(package: str) -> Iterator[tuple[str, str]]:
    """Yield the kinds of evidence that a package writes as literals, each with its file."""
    for path in sorted((ROOT / "symmetrics" / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Evidence" and node.args:
                yield from ((path.name, constant) for constant in constants(node.args[0]))
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "require_kind":
                yield from ((path.name, c) for argument in node.keywords for c in constants(argument.value))
            if isinstance(node, ast.Compare) and "kind" in ast.unparse(node.left).split("."):
                yield from ((path.name, constant) for side in node.comparators for constant in constants(side))


def constants(node: ast.AST) -> list[str]:
    return [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def test_no_other_kind_is_written_anywhere() -> None:
    emitted = {kind for _, kind in literals("prover")}
    words = {"divisor", "radicand", "logarithm", *(step.name for key in ("atom", "leaf") for step in GROUPS[key].steps)}
    generators = {"prime", "absolute", "sum", "symbol"}
    z3 = {"number", "name", "root", "inverse"}
    assert emitted <= KINDS | words
    assert KINDS - emitted == {"all of", "any of"}  # which combinations call by the kind of their claim
    assert {kind for _, kind in literals("checker")} <= KINDS | words | generators | z3
    assert {kind for _, kind in literals("rocq")} - {"|", "&", "space", "end"} <= KINDS | words


def test_every_kind_has_a_sentence() -> None:
    told = sentences._OF_VALUE.keys() | sentences._OF_ANSWER.keys() | sentences._OF_CLAIM_AND_ANSWER.keys()
    assert told == KINDS - {"open"}, "each kind needs a sentence in symmetrics/claims/wording/sentences.py"


def test_the_checker_reads_no_field_that_is_not_registered() -> None:
    fields = {field.name for group, step in ALL for field in (*group.common, *step.fields)} | {"kind"}
    of_patterns = {"digits", "whole", "ratio", "name", "left", "right", "lower", "upper"}
    of_questions = {"positive", "value", "strict"}
    read = set()
    for path in sorted((ROOT / "symmetrics" / "checker").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
                read |= {node.slice.value} if isinstance(node.slice.value, str) else set()
    sides = {"M", "1-M", "-M", "1/M", "proved", "refuted", "open", "link"}
    assert read - fields - of_patterns - of_questions - sides == set()


@in_one_test
@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("guess", {}, "there is no step 'guess'"),
        ([], {}, "is not a name with fields"),
        ("identity", {"atoms": {}}, "'identity' lacks its field 'values'"),
        ("identity", {"atoms": {}, "values": [], "more": 1}, "'identity' has no field 'more', but 'atoms', 'values'"),
        ("identity", {"atoms": {"a": {"kind": "sine", "base": "TP"}}, "values": []}, "there is no step 'sine'"),
        ("identity", {"atoms": {}, "values": [1]}, "'1' stands in a certificate where something else is expected"),
        ("link", {"left": [["square"]], "right": [], "parts": {}}, "there is no step"),
        ("cases", {"tree": {}, "triples": []}, "there is no step 'cases'"),
        ("witness", {"smallest": 0}, "something else is expected"),
    ],
)
def test_what_is_no_evidence_is_refused_in_plain_words(kind: Any, data: Any, reason: str) -> None:
    with pytest.raises(CertificateError) as refusal:
        Evidence(kind, data)
    assert reason in str(refusal.value)
    certificate = example("recall is not symmetric").certificate() | {"certificate": {"kind": kind, **data}}
    with pytest.raises(CertificateError) as refusal:
        Verdict.from_certificate(certificate)
    assert reason in str(refusal.value)


@pytest.mark.thorough
def test_evidence_without_end_is_refused_or_followed_but_never_a_crash() -> None:
    tree: Any = {"leaf": "holds"}
    for _ in range(20_000):
        tree = {"split": "w", "children": [{"factor": "w", "terms": True, "then": tree}]}
    data = {"atoms": {}, "values": [], "examples": []}
    require_spelled("conditions", data | {"tree": tree})
    tree = {"leaf": "nowhere"}
    for _ in range(20_000):
        tree = {"split": "w", "children": [{"factor": "w", "terms": True, "then": tree}]}
    with pytest.raises(CertificateError, match="there is no step 'nowhere'"):
        require_spelled("conditions", data | {"tree": tree})


def test_what_is_changed_after_it_was_made_is_refused_by_the_checker() -> None:
    verdict = Verdict.from_json(example("f1 is transposed into itself").to_json())
    verdict.evidence.data["more"] = 1  # type: ignore[index]
    with pytest.raises(CertificateError, match="'identity' has no field 'more'"):
        check(verdict)


# -- the records themselves, and their page ----------------------------------------------------------------------------


def test_every_record_says_what_it_shows_and_why() -> None:
    for _, step in ALL:
        assert step.says.endswith("."), step.name
        assert step.law.endswith((".", ")")), step.name
        assert all(field.meaning and not field.meaning.endswith(".") for field in step.fields), step.name
        assert not step.excused.endswith("."), step.name
        assert not step.except_for.endswith("."), step.name
        assert not (step.excused and step.except_for), step.name
    keys = [(group.key, step.name, *sorted(field.name for field in step.fields)) for group, step in ALL]
    assert len(keys) == len(set(keys))
    assert all(group.key == key for key, group in GROUPS.items())


def test_the_page_is_current() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    assert evidence_page(text) == text, "run 'symmetrics build'"
    for _, step in ALL:
        assert f"### {step.name}\n" in text


@in_one_test
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_first_sentence_of_every_kind_says_what_the_verdict_does(name: str) -> None:
    verdict = example(name)
    assert read(told_at_size(verdict) or told(verdict)[0], verdict.property) == (verdict.status, verdict.holds)


def test_the_page_of_first_sentences_is_current() -> None:
    specification = importlib.util.spec_from_file_location("sentences_page", ROOT / "docs" / "sentences.py")
    assert specification is not None
    assert specification.loader is not None
    page = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(page)
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.written(text) == text, "run: python docs/sentences.py"
    for kind in KINDS:
        assert f"\n| {kind} | " in text
