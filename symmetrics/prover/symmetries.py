"""All symmetries of a formula at once: permutations of the cells, translations and scalings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from flint import fmpq
from sympy import Expr, Matrix, Poly, Rational, S, cancel, denom, lcm_list, zeros
from sympy.logic.boolalg import Boolean

from symmetrics.claims import Claim
from symmetrics.claims.families.directions import ScalingSpace, TranslationSpace, Vector
from symmetrics.claims.families.groups import IMAGES, PERMUTATIONS, Permutation, SymmetryGroup, cycles
from symmetrics.claims.one_formula import OneFormula
from symmetrics.claims.recorded import ANEW, recorded_verdict
from symmetrics.claims.values import Cases, Group, Space, Value
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.prover.acceptance import accepted
from symmetrics.prover.decide import decide_or_at_defaults
from symmetrics.prover.engine.logarithms import null_space, reduced_basis

CLAIMS: Final[Mapping[str, type[OneFormula]]] = {
    "symmetry_group": SymmetryGroup,
    "translation_space": TranslationSpace,
    "scaling_space": ScalingSpace,
}
_BY_NAME: Final = {cycles(permutation): permutation for permutation in PERMUTATIONS}


@dataclass(frozen=True, repr=False)
class Symmetries:
    """The transformations that leave a metric unchanged, or map it to 1 - M, -M or 1/M.

    :param metric: the metric's name
    :param group: for each image the permutations that turn M into it, each with its condition on the parameters; None
        if that is open
    :param translations: reduced basis of all v with M(x + s*v) = M(x) for all parameters; None if open
    :param scalings: reduced basis of all v with M(x_i * s**v_i) = M(x) for all parameters; None if open
    :param verdicts: the verdicts that this was read from, by property
    """

    metric: str
    group: Mapping[str, Mapping[Permutation, Boolean]] | None
    translations: tuple[Vector, ...] | None
    scalings: tuple[Vector, ...] | None
    verdicts: Mapping[str, Verdict]

    @classmethod
    def of(cls, verdicts: Mapping[str, Verdict]) -> Symmetries:
        """Collect the verdicts on the symmetry group and on both spaces, given by property."""
        group = verdicts["symmetry_group"]
        translations, scalings = (_basis(verdicts[key]) for key in ("translation_space", "scaling_space"))
        return cls(group.metric, _group(group), translations, scalings, verdicts)

    def condition(self, permutation: Permutation, image: str = "M") -> Boolean | None:
        """Return the condition on the parameters under which a permutation maps M to an image; None if that is open.

        :param permutation: for each cell the index of the one whose count it takes, in the order TP, FN, FP, TN
        :param image: ``M``, ``1-M``, ``-M`` or ``1/M``
        """
        return None if self.group is None else self.group[image].get(permutation, S.false)

    def translates(self, *vectors: Vector) -> bool | None:
        """Whether M(x + s*v) = M(x) for all of some directions v, for all parameters; None if open."""
        return None if self.translations is None else _spans(self.translations, vectors)

    def scales(self, *vectors: Vector) -> bool | None:
        """Whether M(x_i * s**v_i) = M(x) for all of some directions v, for all parameters; None if open."""
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
    """Return all symmetries of a formula: from certificates about it where given, decided otherwise.

    :param name: the metric's name, for the verdicts
    """
    claims = {key: family(formula, parameters) for key, family in CLAIMS.items()}
    return Symmetries.of({key: _verdict(claim, name, key) for key, claim in claims.items()})


def _verdict(claim: Claim, metric: str, property: str) -> Verdict:
    found = None if ANEW.get() else recorded_verdict(lambda: claim, metric=metric, property=property)
    if found is not None:
        return found
    return accepted(decide_or_at_defaults(claim, metric=metric, property=property))


def _group(verdict: Verdict) -> Mapping[str, Mapping[Permutation, Boolean]] | None:
    if verdict.status == "open" or not isinstance(verdict.found, Group):
        return None
    group: dict[str, dict[Permutation, Boolean]] = {image: {} for image in IMAGES}
    for one in verdict.found.symmetries:
        group[one.image][_BY_NAME[one.permutation]] = S.true if one.condition is None else one.condition
    return group


def constant_directions(found: Value | None, parameters: Iterable[Parameter]) -> tuple[Vector, ...]:
    """Return the reduced basis of the integer directions that are valid for all values of the parameters.

    :param found: the value of a verdict on a space of directions which is not open
    """
    declared = tuple(parameters)
    names = [parameter.name for parameter in declared]
    spaces = [case.value for case in found.values] if isinstance(found, Cases) else [found]
    bases = ([[parse_formula(str(e), names) for e in v] for v in s.basis] for s in spaces if isinstance(s, Space))
    rows = [row for basis in bases for row in _orthogonal(basis, declared)]
    vectors = reduced_basis(null_space(rows, len(CELLS)))
    return tuple((first, second, third, fourth) for first, second, third, fourth in vectors)


def _orthogonal(basis: Sequence[Sequence[Expr]], parameters: tuple[Parameter, ...]) -> Iterator[list[fmpq]]:
    """Yield the vectors orthogonal to exactly those integer directions that a basis spans for all parameters.

    What is orthogonal to the basis has polynomials in the parameters as entries, and each of their coefficients counts.
    """
    matrix = Matrix([list(direction) for direction in basis]) if basis else zeros(1, len(CELLS))
    symbols = [parameter.symbol for parameter in parameters]
    for vector in matrix.nullspace():
        scale = lcm_list([denom(cancel(entry)) for entry in vector])
        polys = [Poly(cancel(entry * scale), *symbols, S.Pi).as_dict() for entry in vector]
        for monomial in {monomial for poly in polys for monomial in poly}:
            entries = [Rational(poly.get(monomial, 0)) for poly in polys]
            yield [fmpq(int(entry.p), int(entry.q)) for entry in entries]


def _basis(verdict: Verdict) -> tuple[Vector, ...] | None:
    return None if verdict.status == "open" else constant_directions(verdict.found, verdict.claim.parameters)
