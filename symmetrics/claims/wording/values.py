"""What a verdict says beyond yes and no: as a text, and as data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from sympy import Eq, Or

from symmetrics.claims import (
    Affine,
    Bounded,
    Claim,
    ConstantBaseline,
    ConstantMatrixBaseline,
    DefinedEverywhere,
    FiniteLimit,
    Identity,
    RatioOfLinearForms,
    SameOrder,
    ScalingSpace,
    SymmetryGroup,
    TranslationSpace,
    value_symbol,
)
from symmetrics.claims.evidence import Answer, Decision
from symmetrics.claims.families.groups import IDENTITY, IMAGES, PERMUTATIONS, SYMMETRY_PAIRS, Pair, cycles, inverse
from symmetrics.claims.wording.curves import is_attained
from symmetrics.claims.wording.parameters import leaves
from symmetrics.language.condition import condition_text
from symmetrics.language.formula import formula_text
from symmetrics.language.numbers import parse_number
from symmetrics.language.parameter import at_defaults_text, defaults_of

__all__ = ["CONSTANT", "value_of", "value_text"]

CONSTANT: Final = "constant"
"""The kind of a value that a verdict has because of its claim, and not because its evidence holds it."""
MEANS: Final = re.compile(r"(?<=\)), ")
MEANS_OF_MATRICES: Final = re.compile(r"(-?[0-9]+(?:/[0-9]+)?) at row sums")
EXCLUDED: Final = {"divisor": "= 0", "radicand": "< 0", "logarithm": "<= 0"}


def value_text(verdict: Any) -> str | None:
    """Return what was found, or None: the verdict's own value, or that of a metric that was shown to be constant.

    An identity with one fixed table says that M has its value there at all the other tables; if it holds at the
    default parameters, that is the value at the defaults.

    >>> from symmetrics.query.proving import prove
    >>> value_text(prove("f1", "range")), value_text(prove("mcc", "independence_value")), value_text(prove("f1", "p2"))
    ('(0, 1)', '0', None)
    """
    return verdict.value if verdict.value is not None else _constant(verdict.claim, verdict)


def _constant(claim: Claim, answer: Answer) -> str | None:
    if answer.holds is not True or not isinstance(claim, Identity):
        return None
    fixed = [table for table in claim.tables if all(cell.is_number for cell in table)]
    if len(claim.tables) != 2 or len(fixed) != 1 or claim.relation != value_symbol(0) - value_symbol(1):
        return None
    defaults = {parameter.symbol: parameter.default for parameter in claim.parameters if parameter.default is not None}
    value = claim.subject.xreplace({**defaults, **dict(zip(claim.arguments, fixed[0], strict=True))})
    only = f"{at_defaults_text(claim.parameters)}: " if answer.status == "open" else ""
    return only + formula_text(value) if value.is_finite is not False else None


def value_of(claim: Claim, answer: Answer) -> dict[str, Any] | None:
    """Return what was found as JSON values, or None.

    ``kind`` says what it is, and ``text`` is the value in words; by kind follow

    * ``range``: ``lower`` and ``upper`` with ``lower_attained`` and ``upper_attained``, null where that is open
    * ``limit``: ``limit``, a formula, ``oo`` or ``-oo``
    * ``group``: ``symmetries``, each with the ``image`` of M, the ``permutation`` in cycles, and its ``condition``
    * ``space``: ``basis``, a list of vectors whose entries are numbers or formulas in the parameters, and
      ``is_complete``, whether no further direction serves any value of the parameters
    * ``ratio``: ``ratios``, each with the ``ratio`` and its ``condition``
    * ``domain``: ``faces``, each with the cells that are ``zero`` there and what M ``tends_to`` along straight lines,
      and ``poles``, conditions under which M has no value
    * ``expectation``: ``expectations``, each with ``mean`` and, unless it is the same for all, ``n``, ``P``, ``OP``
    * ``link``: ``equation``
    * ``constant``: ``constant``, the value of M
    * ``cases``: ``cases``, each with its ``condition`` and ``value``
    * ``defaults``: ``value``, that at the default parameters of what is open in general
    """
    if answer.value is None:
        constant = _constant(claim, answer)
        return None if constant is None else {"kind": CONSTANT, "text": constant, "constant": constant}
    if answer.status == "open":
        return {"kind": "defaults", "text": answer.value, "value": _at_defaults(claim, answer)}
    if answer.evidence.kind == "cases":
        return {"kind": "cases", "text": answer.value, "cases": _cases(claim, answer)}
    if isinstance(claim, SymmetryGroup):
        return {"kind": "group", "text": answer.value, "symmetries": _symmetries(claim, answer)}
    for family, (kind, data_of) in _FAMILIES.items():
        if isinstance(claim, family):
            return {"kind": kind, "text": answer.value, **data_of(answer)}
    return {"kind": claim.kind, "text": answer.value}


def _at_defaults(claim: Any, answer: Answer) -> dict[str, Any] | None:
    bound = claim.at(defaults_of(claim.parameters) or {})
    return value_of(bound, Decision.from_record(answer.evidence.data["at_defaults"], bound))


def _cases(claim: Claim, answer: Answer) -> list[dict[str, Any]]:
    return [
        {"condition": condition_text(condition), "value": value_of(part_claim, part)}
        for part_claim, condition, part in leaves(claim, answer.evidence.data["tree"])
        if part is not None
    ]


def _range(answer: Answer) -> dict[str, Any]:
    data = answer.evidence.data
    bounds = {name: data[name]["bound"] for name in ("lower", "upper")}
    return bounds | {f"{name}_attained": is_attained(data[name]) for name in bounds}


def _limit(answer: Answer) -> dict[str, Any]:
    return {"limit": answer.value}


def _symmetries(claim: SymmetryGroup, answer: Answer) -> list[dict[str, Any]]:
    members: dict[Pair, str | None] = {(IDENTITY, "M"): None}
    for (permutation, image), condition in _members(claim, answer):
        members[permutation, image] = members[inverse(permutation), image] = condition
    images = list(IMAGES)
    listed = sorted(members, key=lambda pair: (images.index(pair[1]), PERMUTATIONS.index(pair[0])))
    return [{"image": i, "permutation": cycles(p), "condition": members[p, i]} for p, i in listed]


def _members(claim: SymmetryGroup, answer: Answer) -> Iterator[tuple[Pair, str | None]]:
    """Yield the symmetries with their conditions, of a permutation and its inverse only one."""
    parts, exceptions = answer.evidence.data["parts"], answer.evidence.data["exceptions"]
    for permutation, image in SYMMETRY_PAIRS:
        label = f"{image}: {cycles(permutation)}"
        if label in parts and parts[label]["status"] != "refuted":
            yield (permutation, image), parts[label].get("condition")
        holding = [parse_number(v) for v, part in exceptions.get(label, {}).items() if part["status"] == "proved"]
        if holding:
            (parameter,) = claim.parameters
            yield (permutation, image), condition_text(Or(*(Eq(parameter.symbol, value) for value in holding)))


def _space(answer: Answer) -> dict[str, Any]:
    data = answer.evidence.data
    names = {"is_complete": not str(answer.value).startswith("at least ")}
    return {"basis": [_vector(label) for label in data.get("directions", ())], **names}


def _vector(label: str) -> list[int | str]:
    entries = label.removeprefix("(").removesuffix(")").split(", ")
    return [int(entry) if entry.removeprefix("-").isdecimal() else entry for entry in entries]


def _ratios(answer: Answer) -> dict[str, Any]:
    pieces = _by_condition(str(answer.value))
    return {"ratios": [{"ratio": text, "condition": condition} for text, condition in pieces]}


def _by_condition(text: str) -> list[tuple[str, str | None]]:
    """Return the parts of a value, each with the parameters at which it is the value."""
    parts = (part.partition(" if ") for part in text.split("; "))
    return [(value, condition or None) for value, _, condition in parts]


def _domain(answer: Answer) -> dict[str, Any]:
    data = answer.evidence.data
    faces = [{"zero": face.split(), "tends_to": text} for face, text in data["faces"].items()]
    return {"faces": faces, "poles": [f"{base} {EXCLUDED[kind]}" for kind, base in data.get("poles", ())]}


def _expectation(answer: Answer) -> dict[str, Any]:
    triples = answer.evidence.data.get("triples")
    if triples is None:
        return {"expectations": [{"mean": answer.value}]}
    means = [text.partition(" at ")[0] for text in MEANS.split(str(answer.value))]
    return {
        "expectations": [
            {"mean": mean, **dict(zip(("n", "P", "OP"), triple, strict=True))}
            for mean, triple in zip(means, triples, strict=True)
        ]
    }


def _matrix_expectation(answer: Answer) -> dict[str, Any]:
    if answer.evidence.kind != "expectations of matrices":
        return {"expectations": [{"mean": answer.value}]}
    means = MEANS_OF_MATRICES.findall(str(answer.value))
    return {
        "expectations": [
            {"mean": mean, "rows": list(rows), "columns": list(columns)}
            for mean, (rows, columns) in zip(means, answer.evidence.data["margins"], strict=True)
        ]
    }


def _link(answer: Answer) -> dict[str, Any]:
    return {"equation": answer.value}


_FAMILIES: Final[Mapping[type, tuple[str, Callable[[Answer], dict[str, Any]]]]] = {
    Bounded: ("range", _range),
    FiniteLimit: ("limit", _limit),
    TranslationSpace: ("space", _space),
    ScalingSpace: ("space", _space),
    RatioOfLinearForms: ("ratio", _ratios),
    DefinedEverywhere: ("domain", _domain),
    ConstantBaseline: ("expectation", _expectation),
    ConstantMatrixBaseline: ("expectation", _matrix_expectation),
    SameOrder: ("link", _link),
    Affine: ("link", _link),
}
"""For each family of claims that have values the kind of these, and what they consist of."""
