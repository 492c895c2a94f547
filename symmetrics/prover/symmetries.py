"""All symmetries of a formula at once: permutations of the cells, translations and scalings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sympy import Eq, Expr, Matrix, Or, S
from sympy.logic.boolalg import Boolean

from symmetrics.claims.structure import (
    IDENTITY,
    IMAGES,
    PERMUTATIONS,
    SYMMETRY_PAIRS,
    Pair,
    Permutation,
    ScalingSpace,
    Structure,
    SymmetryGroup,
    TranslationSpace,
    Vector,
    inverse,
)
from symmetrics.condition import parse_condition
from symmetrics.formula import parse_number
from symmetrics.parameter import Parameter
from symmetrics.prover.decide import decide
from symmetrics.prover.group import pair_text
from symmetrics.verdict import Verdict

__all__ = ["Symmetries", "symmetries_of"]

CLAIMS: Final[Mapping[str, type[Structure]]] = {
    "symmetry_group": SymmetryGroup,
    "translation_space": TranslationSpace,
    "scaling_space": ScalingSpace,
}


@dataclass(frozen=True, repr=False)
class Symmetries:
    """What leaves a metric unchanged, or turns it into 1 - M, -M or 1/M.

    :param metric: the metric's name
    :param group: for each image the permutations that turn M into it, each with its condition on the parameters; None
        if that is open
    :param translations: the reduced basis of all v with M(x + s*v) = M(x), whatever the parameters; None if open
    :param scalings: the reduced basis of all v with M(x_i * s**v_i) = M(x), whatever the parameters; None if open
    :param verdicts: the verdicts that this was read from, by property
    """

    metric: str
    group: Mapping[str, Mapping[Permutation, Boolean]] | None
    translations: tuple[Vector, ...] | None
    scalings: tuple[Vector, ...] | None
    verdicts: Mapping[str, Verdict]

    @classmethod
    def of(cls, verdicts: Mapping[str, Verdict]) -> Symmetries:
        """Return what the verdicts on the symmetry group and on both spaces say, by property."""
        group = verdicts["symmetry_group"]
        translations, scalings = (_basis(verdicts[key]) for key in ("translation_space", "scaling_space"))
        return cls(group.metric, _group(group), translations, scalings, verdicts)

    def condition(self, permutation: Permutation, image: str = "M") -> Boolean | None:
        """Return when a permutation turns M into an image: a condition on the parameters, or None if that is open.

        :param permutation: for each cell the place of the one whose count it takes, in the order TP, FN, FP, TN
        :param image: ``M``, ``1-M``, ``-M`` or ``1/M``
        """
        return None if self.group is None else self.group[image].get(permutation, S.false)

    def translates(self, *vectors: Vector) -> bool | None:
        """Whether M(x + s*v) = M(x) for all of some directions, whatever the parameters; None if open."""
        return None if self.translations is None else _spans(self.translations, vectors)

    def scales(self, *vectors: Vector) -> bool | None:
        """Whether M(x_i * s**v_i) = M(x) for all of some directions, whatever the parameters; None if open."""
        return None if self.scalings is None else _spans(self.scalings, vectors)

    def __repr__(self) -> str:
        lines = [f"symmetries of {self.metric}"]
        for title, key in (("permutations", "symmetry_group"), ("translations", "translation_space")):
            lines.append(f"  {title:<13} {_text(self.verdicts[key])}")
        return "\n".join([*lines, f"  {'scalings':<13} {_text(self.verdicts['scaling_space'])}"])


def _text(verdict: Verdict) -> str:
    return verdict.evidence.sentence if verdict.value is None else verdict.value


def _spans(basis: Sequence[Vector], vectors: Iterable[Vector]) -> bool:
    rows = [list(vector) for vector in basis]
    return all(Matrix([*rows, list(vector)]).rank() == len(rows) for vector in vectors)


def symmetries_of(name: str, formula: Expr, parameters: tuple[Parameter, ...]) -> Symmetries:
    """Decide all symmetries of a formula.

    :param name: the metric's name, for the verdicts
    """
    claims = {key: family(formula, parameters) for key, family in CLAIMS.items()}
    verdicts = {key: decide(claim, metric=name, property=key) for key, claim in claims.items()}
    return Symmetries.of(verdicts)


def _group(verdict: Verdict) -> Mapping[str, Mapping[Permutation, Boolean]] | None:
    if verdict.status == "open":
        return None
    found = dict(_members(verdict))
    return {image: {p: found[p, image] for p in PERMUTATIONS if (p, image) in found} for image in IMAGES}


def _members(verdict: Verdict) -> Iterator[tuple[Pair, Boolean]]:
    yield (IDENTITY, "M"), S.true
    parts, exceptions = verdict.evidence.data["parts"], verdict.evidence.data["exceptions"]
    for permutation, image in SYMMETRY_PAIRS:
        label = pair_text((permutation, image))
        condition = _condition(parts.get(label), verdict)
        if values := [parse_number(v) for v, part in exceptions.get(label, {}).items() if part["status"] == "proved"]:
            (parameter,) = verdict.claim.parameters
            condition = Or(*(Eq(parameter.symbol, value) for value in values))
        if condition is not S.false:
            yield (permutation, image), condition
            yield (inverse(permutation), image), condition


def _condition(part: Mapping[str, Any] | None, verdict: Verdict) -> Boolean:
    if part is None or part["status"] == "refuted":
        return S.false
    names = [parameter.name for parameter in verdict.claim.parameters]
    return S.true if part["status"] == "proved" else parse_condition(part["condition"], names)


def _basis(verdict: Verdict) -> tuple[Vector, ...] | None:
    if verdict.status == "open":
        return None
    labels = verdict.evidence.data.get("directions", {})
    vectors = (tuple(map(int, label.strip("()").split(","))) for label in labels)
    return tuple((first, second, third, fourth) for first, second, third, fourth in vectors)
