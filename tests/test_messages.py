"""Every message read aloud: numbers agree with their nouns, no word stands twice, no sentence stops in the middle."""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from effort import in_one_test, some
from evidence_examples import EXAMPLES, example
from recorded import recorded

import symmetrics as sm
from symmetrics.claims.wording.values import known_ends
from symmetrics.cli import main
from symmetrics.matrices.deciding import told_at_size
from symmetrics.pages.answers import metric_of, property_of
from symmetrics.pages.lookup import explain, page, rows
from symmetrics.pages.plain import plain_sentence
from symmetrics.query.relations import relations
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

ROOT = Path(__file__).resolve().parent.parent / "symmetrics"

# -- what is read ------------------------------------------------------------------------------------------------------

VERBS = ("table", "prove", "identify", "find", "list", "show", "score", "rank", "compare", "plan", "build", "check")


def printed(*arguments: str) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.suppress(SystemExit):
        main(arguments)
    return output.getvalue()


def texts() -> Iterator[tuple[str, str]]:
    """Yield what people read, with where it stands."""
    for verb in VERBS:
        yield f"help of {verb}", " ".join(printed(verb, "--help").partition("\n\n")[2].split())
    for property in sm.properties.values():
        yield property.name, f"{property.title}. {property.statement}. It {property.yes}. It {property.no}."
    for relation in relations.values():
        yield relation.name, f"{relation.statement}. It {relation.yes}. It {relation.no}.".replace("{}", "recall")
    for name in some(EXAMPLES, 4):
        verdict = example(name)
        if (told := told_at_size(verdict)) is not None:
            yield f"example {name}", told
            yield f"example {name}", verdict.evidence.sentence + "."
            continue
        metric = metric_of(verdict)
        property = property_of(verdict, metric)
        yield f"example {name}", plain_sentence(verdict, property, metric)
        yield f"example {name}", " ".join(explain(verdict, property, metric).split())
    for key in some(sm.properties, 6):
        for metric in (sm.metrics[name] for name in some(sm.metrics, 6, key)):
            verdict = recorded(metric.name, key)
            yield f"{key} of {metric.name}", verdict.evidence.sentence + "."
            yield f"{key} of {metric.name}", plain_sentence(verdict, sm.properties[key], metric)
    for name in some(sm.metrics, 1):
        yield name, page(name)
    for kind in ("metrics", "properties"):
        yield from rows(kind)


FAULTS = {
    "a word twice": re.compile(r"\b([a-z]{2,}) \1\b"),
    "a label twice": re.compile(r"\b(\w+): \1:"),
    "a plural of one": re.compile(
        r"(?<![=<>*/+,-] )(?<![\w./(-])1 (?!(?:times|minus|otherwise|plus|has)\b)[a-z]{3,}s\b"
    ),
    "nothing after an introduction": re.compile(r"(?:such as|for example|because|if and only if|where|:)\.?$"),
    "empty brackets": re.compile(r"\( *\)|\[ *\]|\{ *\}"),
    "a stop before a stop": re.compile(r"[,;:] *[,;.](?!\.\.)|(?<!\.)\.\.(?!\.)"),
    "a blank before a stop": re.compile(r" [,;](?= )"),
    "a hole": re.compile(r"\bNone\b|\bnull\b|<[a-z]+ object|\{\}"),
    "an unknown thing": re.compile(r"in a way that is looked for"),
}


def test_no_message_has_a_fault() -> None:
    seen = 0
    for where, text in texts():
        seen += 1
        for fault, pattern in FAULTS.items():
            found = pattern.search(text)
            assert found is None, f"{where}: {fault}: ...{text[max(0, found.start() - 60) : found.end() + 30]}"
        opened, closed = (sum(map(text.count, signs)) for signs in ("([", ")]"))  # a half-open interval has one of each
        assert opened == closed, where
    assert seen > 100


@in_one_test
@pytest.mark.parametrize(
    "text",
    [
        "it is is open",
        "open: open: no",
        "found 1 verdicts",
        "fails, such as.",
        "M ()",
        "so,.",
        "it ,  and",
        "value None",
    ],
)
def test_the_faults_are_found(text: str) -> None:
    assert any(pattern.search(text) for pattern in FAULTS.values())


@in_one_test
@pytest.mark.parametrize(
    "text", ["it is 1 minus M", "at w = 1 times s", "M = 1 exceeds 1/2", "the value is 1...", "1 verdict"]
)
def test_what_is_no_fault_is_not_found(text: str) -> None:
    assert not any(pattern.search(text) for pattern in FAULTS.values())


# -- what is written ---------------------------------------------------------------------------------------------------

NOUNS = (
    r"(?:\w+[ -])?(?:examples|classes|values|labels|columns|rows|fields|metrics|properties|verdicts|files|tables|folds|"
    r"thresholds|pairs|claims|theories|lemmas|entries|scores|weights|groups|strata|data sets|outcomes|matrices|levels|"
    r"certificates|covers|cells)\b"
)
NAMES = re.compile(
    r"name|shown|listed|known|noun|key|kind|unit|text|cycle|reason|source|axis|what|given|values|prediction!r|prediction|predicted"
)
"""Parts of expressions that stand for a name, which may stand before a noun."""
MORE_THAN_ONE = {
    "claims/wording/sentences.py": "the four gradients, twice four tables, and more than one piece or inequality",
    "claims/evidence.py": "a certificate that was altered, and the variables of a point",
    "curves/examples.py": "every example of a class",
    "curves/uncertainty.py": "the positive or negative examples",
    "pages/displays/blocks.py": "the positive and negative examples",
    "matrices/validated.py": "a list of lengths",
    "matrices/discrimination/study.py": "far more than can be listed",
    "matrices/metric.py": "a single class, which is said to be too few",
    "matrices/deciding.py": "two or three classes",
    "data/labels.py": "a weighted number of examples",
    "data/counts.py": "far more tables than fit into memory",
    "statistics/resampling.py": "a table",
    "pages/comparisons.py": "the pairs of three or more",
    "pages/plots/heat_maps.py": "more classes than can be drawn",
    "pages/plain.py": "an interval, which is no number",
    "prover/engine/parts.py": "a bound above one",
    "papers/": "sizes of published studies",
    "posets/": "more classes than can be ranked",
    "evaluation/planning.py": "how many to label, of each class",
    "evaluation/folds.py": "two numbers together",
    "evaluation/sample_sizes.py": "more examples than are allowed",
    "rocq/": "not read by people",
    "checker/": "a certificate that was altered",
}


def test_numbers_go_before_nouns_through_the_function_that_makes_them_agree() -> None:
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        if any(place.startswith(known) for known in MORE_THAN_ONE):
            continue
        source = path.read_text(encoding="utf-8")
        if not re.search(rf"\}}(?:[\"']\s+f?[\"'])? {NOUNS}", source):
            continue
        for node in ast.walk(ast.parse(source)):
            parts = node.values if isinstance(node, ast.JoinedStr) else []
            for value, text in itertools.pairwise(parts):
                if not (isinstance(value, ast.FormattedValue) and isinstance(text, ast.Constant)):
                    continue
                if re.match(rf" {NOUNS}", str(text.value)) and not NAMES.search(ast.unparse(value.value)):
                    found.append(f"{place}:{node.lineno}: {ast.unparse(node)}")
    assert found == [], "write number_of(3, 'class')"


def test_numbers_agree_with_nouns() -> None:
    assert number_of(1, "property") == "1 property"
    assert number_of(2, "property") == "2 properties"
    assert number_of(2, "day") == "2 days"
    assert number_of(0, "class") == "0 classes"
    assert number_of(3, "confusion matrix") == "3 confusion matrices"
    # An open end of a range is not told twice.
    end = {"bound": "0", "path": ["1", "1", "1", "1"], "strict": False}
    assert known_ends({"lower": end}) == ["M >= 0, attained at (1, 1, 1, 1)"]
    # A metric without a name and a report with too much say what to pass.
    with pytest.raises(InputError, match=r"Metric: missing .*; pass a name and a formula, as in Metric\('mine'"):
        sm.Metric("TP/(TP + FN)")  # type: ignore[call-arg]
    with pytest.raises(InputError, match="report: too many positional arguments; pass y_true, y_pred and a list"):
        sm.report([0, 1], [0, 1], ["f1"], [0, 1])  # type: ignore[misc]
