"""Values of verdicts forged field by field: the evidence stays true, and what is said to follow from it does not."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from effort import in_one_test
from evidence_examples import about, between, of, of_matrices
from forging import refusal, reworded

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.claims.values import AtDefaults, Limit, Range, Value, part_from_dict, value_from_dict
from symmetrics.claims.verdict import Verdict
from symmetrics.tools.errors import CertificateError

TRUE = {
    "range": of("f1", "range"),
    "limit": of("f1", "tn_limit"),
    "infinite limit": of("lift", "tn_limit"),
    "ratio": of("fnr", "decomposable"),
    "link": between("f1", "jaccard", "rank_equivalent"),
    "affine function": between("informedness", "auc_single", "affine"),
    "group": of("tpr", "symmetry_group"),
    "group with conditions": of("cwa", "symmetry_group"),
    "space": of("f1", "translation_space"),
    "space with parameters": of("f_beta", "translation_space"),
    "domain": of("precision", "defined"),
    "poles": about("1/(TP - FN)", "defined"),
    "expectation": of("kappa", "constant_baseline"),
    "expectations": of("jaccard", "constant_baseline"),
    "limits in cases": of("tversky", "prevalence_limit"),
    "spaces in cases": of("cwa", "translation_space"),
    "at the defaults": about("TP**w/(TP**w + FN)", "range", "w in (0, 3) = 1"),
    "matrices": of_matrices("kappa", "symmetry_group", 2),
    "expectations of matrices": of_matrices("cba", "constant_baseline", 2),
}
ANOTHER_RANGE, ANOTHER_SPACE = "the range is another one", "the directions are not those of the certificate"
ANOTHER_GROUP, OTHER_MEANS = "the symmetries are not those of the certificate", "the expectations are others"
SAME = "its parts disagree with the cases"
FORGED: tuple[tuple[str, str, Any, str], ...] = (
    # the name of a true verdict, the way to an entry of its value, what stands there instead, and the refusal
    ("range", "upper", "2", ANOTHER_RANGE),
    ("range", "lower", "-oo", ANOTHER_RANGE),
    ("range", "lower_attained", True, ANOTHER_RANGE),
    ("range", "upper_attained", None, ANOTHER_RANGE),
    ("range", "upper_attained", 0, ANOTHER_RANGE),
    ("limit", "limit", "TP/(TP + FN)", "the limit is not shown to be TP/(TP + FN)"),
    ("limit", "limit", "oo", "the limit is infinite"),
    ("infinite limit", "limit", "-oo", "the infinite limit has another sign"),
    ("ratio", "ratios 0 ratio", "TP/(FN + TP)", "the numerator of the difference is not zero"),
    ("ratio", "ratios 0 ratio", "FN/(TP + FN)", "the ratio is spelled in another way than formulas are"),
    ("link", "equation", "M = 3*partner/(partner + 1)", "the link is another one than the verdict says"),
    ("link", "equation", "M", "the link is another one than the verdict says"),
    ("affine function", "equation", "M = 2*partner", "the equation is another one than the verdict says"),
    ("group", "symmetries 2 image", "-M", ANOTHER_GROUP),
    ("group", "symmetries 1 permutation", "(FN FP)", ANOTHER_GROUP),
    ("group", "symmetries 1 permutation", "(TN FP)", ANOTHER_GROUP),
    ("group", "symmetries 1", ..., ANOTHER_GROUP),
    ("group with conditions", "symmetries 1 condition", "w = 1/7", ANOTHER_GROUP),
    ("group with conditions", "symmetries 1 condition", None, ANOTHER_GROUP),
    ("space", "basis 0", [0, 1, 1, 0], ANOTHER_SPACE),
    ("space", "basis 0 1", "1", ANOTHER_SPACE),
    ("space", "basis 1", ..., ANOTHER_SPACE),
    ("space", "is_complete", False, ANOTHER_SPACE),
    ("space with parameters", "at_defaults", ..., "the space at the defaults is another one"),
    ("space with parameters", "at_defaults basis 0", [0, 1, 1, 0], "the space at the defaults is another one"),
    ("domain", "faces 0 zero", ["TP"], "the conditions are others"),
    ("domain", "faces 0 tends_to", "1", "the conditions are others"),
    ("domain", "faces 0", ..., "the conditions are others"),
    ("poles", "poles 0", "FN - TP < 0", "the conditions are others"),
    ("expectation", "expectations 0 mean", "1", "the baseline has another value"),
    ("expectation", "expectations 0 n", 7, "the mean is one for some margins alone"),
    ("expectations", "expectations 0 mean", "1/3", OTHER_MEANS),
    ("expectations", "expectations 1 OP", 2, OTHER_MEANS),
    ("expectations", "expectations 1", ..., OTHER_MEANS),
    ("limits in cases", "values 0", ..., SAME),
    ("limits in cases", "values 0 condition", "alpha = 1/2", "a value has another condition than in the cases"),
    ("limits in cases", "values 0 value limit", "7", SAME),
    ("spaces in cases", "at_defaults basis", [[1, 0, 0, 0]], "the space at the defaults is another one"),
    ("spaces in cases", "values 1 condition", "w != 1", "a value has another condition than in the cases"),
    ("at the defaults", "value upper", "2", "it is not what holds at the defaults"),
    ("at the defaults", "kind", "range", "this is not a certificate: it has no 'lower'"),
    ("matrices", "symmetries 1 image", "1-M", ANOTHER_GROUP),
    ("matrices", "symmetries 1", ..., ANOTHER_GROUP),
    ("expectations of matrices", "expectations 0 rows", [1, 2], OTHER_MEANS),
    ("expectations of matrices", "expectations 0 mean", "7", OTHER_MEANS),
)


@cache
def certificate(name: str) -> Mapping[str, Any]:
    verdict = TRUE[name]()
    check(verdict)
    return verdict.certificate()


def forged(name: str, way: str, entry: Any) -> dict[str, Any]:
    """Return a certificate with one entry of its value replaced, or taken out for ``...``."""
    data = copy.deepcopy(dict(certificate(name)))
    *before, last = [int(step) if step.isdecimal() else step for step in way.split()]
    place = data["value"]
    for step in before:
        place = place[step]
    if entry is ...:
        del place[last]
    else:
        place[last] = entry
    assert json.dumps(data) != json.dumps(certificate(name))
    return data


@in_one_test
@pytest.mark.parametrize("name", TRUE)
def test_a_true_value_is_accepted(name: str) -> None:
    verdict = Verdict.from_certificate(certificate(name))
    check(verdict)
    assert verdict.found == TRUE[name]().found


@in_one_test
@pytest.mark.parametrize(("name", "way", "entry", "reason"), FORGED)
def test_a_forged_value_is_refused(name: str, way: str, entry: Any, reason: str) -> None:
    assert refusal(lambda: check(reworded(forged(name, way, entry)))) == reason


@in_one_test
@pytest.mark.parametrize("name", TRUE)
def test_a_value_survives_its_json_and_is_written_in_one_way(name: str) -> None:
    found, names = TRUE[name]().found, [p.name for p in TRUE[name]().claim.parameters]
    assert isinstance(found, Value)
    assert part_from_dict(found.to_dict(), names) == value_from_dict(certificate(name)["value"], names) == found
    with pytest.raises(CertificateError, match="spelled in another way"):
        part_from_dict(found.to_dict() | {"more": 1}, names)


def test_values_of_different_types_differ() -> None:
    assert Range("0", "1", True, False) != Range("0", "1", 1, 0)  # type: ignore[arg-type]
    assert Limit("0") != AtDefaults(Limit("0"))
    with pytest.raises(CertificateError, match="no value of the kind 'guess'"):
        value_from_dict({"kind": "guess"}, ())


def test_the_text_of_a_value_is_made_of_its_fields() -> None:
    data = dict(certificate("range"))
    lie = data | {"value": data["value"] | {"text": "(0, 7)"}}
    assert (
        refusal(lambda: check(Verdict.from_certificate(lie)))
        == "the certificate has another value than its evidence gives"
    )
    assert Verdict.from_certificate(lie).value == sm.prove("f1", "range").value == "(0, 1)"
