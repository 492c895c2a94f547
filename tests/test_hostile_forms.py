"""For every kind of evidence: no other answer rests on it, and what is malformed is refused with a reason."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from effort import some
from evidence_examples import EXAMPLES, example
from forging import reworded, valued
from test_hostile import _at, _leaves, _with

import symmetrics as sm

Data = dict[str, Any]
NAMES = [name for name in EXAMPLES if name != "Z3"]
WRONG: tuple[Any, ...] = (None, True, -1, 10**9, 0.5, "", "nothing", "1/0", [], {}, ["1"], {"1": "1"})


def refusal(data: Data) -> str | None:
    """Return why a certificate is refused, None if it is not."""
    try:
        sm.check(reworded(data))
    except sm.CertificateError as error:
        return str(error)
    return None


def other_answers(data: Data) -> Iterator[Data]:
    """Yield a certificate with another answer on the same evidence; one that leaves something out says no other."""
    for status in ("proved", "refuted", "conditional", "open"):
        for holds in (True, False, None):
            if status != data["status"] or holds is not data["holds"]:
                yield data | {"status": status, "holds": holds}
    names = [text.split(" in ")[0] for text in data["claim"].get("parameters", [])]
    for condition in (None, "always", "never", *(f"{name} = 1/7" for name in names)):
        if condition != data["condition"]:
            yield data | {"condition": condition}
    if data["witness"] is not None:
        for table in range(len(data["witness"]["tables"])):
            altered = copy.deepcopy(data)
            altered["witness"]["tables"].pop(table)
            yield altered
    for text in ("1", "M = 2*partner", "[0, 1]", "span{(1, 0, 0, 0)}"):
        if (data["value"] or {}).get("text") != text:
            yield valued(data, text)


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
def test_no_other_answer_rests_on_the_same_evidence(name):
    data = example(name).certificate()
    assert refusal(data) is None
    for altered in other_answers(data):
        says_nothing = (altered["holds"], altered["condition"], altered["value"]) == (None, None, None)
        if altered["status"] == "open" and says_nothing:
            continue
        assert refusal(altered), {key: altered[key] for key in ("status", "holds", "condition", "value", "witness")}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_malformed_is_refused_with_a_reason(name):
    """A value of another kind, in any place of the evidence, raises no other error."""
    data = example(name).certificate()
    paths = [path for path in _leaves(data["certificate"]) if path[0] != "reason"]
    for path in some(paths, 4, name):
        for wrong in WRONG:
            if type(wrong) is type(_at(data["certificate"], path)):
                continue
            refusal(data | {"certificate": _with(data["certificate"], path, wrong)})
