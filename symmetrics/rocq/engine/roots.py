"""Inequalities between formulas with square roots, as scripts that follow a certificate step by step."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sympy import Expr, Integer, Pow, Rational, factor_list, fraction, sqrt, together
from sympy.polys.rings import PolyElement

from symmetrics.language.cells import parameter_symbol
from symmetrics.language.names import CELL_NAMES
from symmetrics.rocq.engine.lemmas import NotExported
from symmetrics.rocq.engine.positivity import Signs, Tree
from symmetrics.rocq.engine.terms import term

_ROOT: Final = re.compile(r"\b(atom\d+)\*\*\(1/2\)")


@dataclass(frozen=True)
class RootSigns(Signs):
    """Writes proofs about polynomials in the cells and in square roots of such polynomials.

    :param squares: for each generator that is a root, the polynomial whose root it is
    """

    squares: Mapping[str, PolyElement] = field(default_factory=dict)

    @property
    def hints(self) -> str:
        """The equations between roots and polynomials, for a tactic."""
        return f" [{' '.join(f'square_{name}' for name in self.squares)}]" if self.squares else ""

    @property
    def closing(self) -> str:
        """The tactic for equations between polynomials."""
        return f"ring{self.hints}"

    @property
    def steps(self) -> Mapping[str, Callable[[PolyElement, Tree, bool], str]]:
        """What follows a step of a proof, by the step's name."""
        return {**super().steps, "root": self._root}

    def polynomial(self, text: str) -> PolyElement:
        """Read a polynomial of a certificate."""
        return super().polynomial(_ROOT.sub(r"\1", text))

    def carried(self, poly: PolyElement) -> PolyElement:
        """Return a polynomial with no power of a root."""
        for place, name in enumerate(self.names):
            if name in self.squares:
                found = self.ring(0)
                for monomial, coefficient in poly.terms():
                    rest = self.ring({(*monomial[:place], monomial[place] % 2, *monomial[place + 1 :]): coefficient})
                    found += rest * self.squares[name] ** (monomial[place] // 2)
                poly = found
        return poly

    def _root(self, poly: PolyElement, tree: Tree, strict: bool) -> str:
        """Compare the squares of A and B*r in A + B*r, where one of both is not negative."""
        name, word = tree["root"], "positive" if strict else "nonnegative"
        place = self.names.index(name)
        plain, factor = self._coefficient(poly, place, 0), self._coefficient(poly, place, 1)
        norm = self.carried(plain**2 - factor**2 * self.squares[name])
        side, part, other, sign = ("plain", plain, factor, 1) if "plain" in tree else ("factor", factor, plain, -1)
        first = self.proof(part, tree[side], strict=strict)
        stripped, scale = self._stripped(-other)
        opposite = f"apply (nonnegative_by (- ({self.text(other)}))); [{self.closing} | lra]"
        reason = f"(apply (unscaled_nonnegative ({self.text(scale)})); [above | {opposite}])"
        inner = replace(self, given=(*self.given, stripped), reasons=(*self.reasons, reason))
        second = inner.proof(norm * sign, tree["norm"], strict=strict)
        whole = f"({self.text(plain)}) + ({self.text(factor)}) * {name}"
        return (
            f"(apply ({word}_by ({whole})); [{self.closing} | eapply {side}_{word}; "
            f"[solve [apply Rlt_le; assumption | assumption] | exact square_{name} | {first} | intro; {second}]])"
        )

    def _stripped(self, poly: PolyElement) -> tuple[PolyElement, PolyElement]:
        """Return a polynomial without the positive generators that all its terms share, and these."""
        lowest = tuple(
            0 if name in self.weak else min(column)
            for name, column in zip(self.names, zip(*poly, strict=True), strict=True)
        )
        scale = self.ring({lowest: 1})
        return poly.exquo(scale), scale


def root_script(gap: Expr, piece: Mapping[str, Any], *, strict: bool, variables: Sequence[str] = CELL_NAMES) -> str:
    """Return the proof that one formula with square roots does not exceed another.

    :param gap: what it is exceeded by
    :param piece: of the certificate
    :param variables: the names of the positive variables
    :raises NotExported: if there are other functions than square roots, or a step that is not translated
    """
    signs = _signs(piece, [piece["numerator"], *(part[0] for part in piece["denominator"])], variables)
    numerator = signs.polynomial(piece["numerator"])
    below = signs.product(piece["denominator"])
    proof = signs.proof(numerator, piece.get("tree", {"zero": True}), strict=strict)
    lemma = "exceeds_by" if strict else "reaches_by"
    closing = (
        f"apply ({lemma} _ _ ({signs.text(numerator)}) ({below.text}));\n"
        f"      [{proof}\n      | {below.proof} | field{signs.hints}; apart]"
    )
    return "\n    ".join([*_named_roots(radicands(gap), signs), closing])


def root_identity(roots: Mapping[str, Expr], certificate: Mapping[str, Any]) -> str:
    """Return the proof that two formulas with square roots are equal.

    :param roots: what the roots are of: as it stands in the goal, and as an expression
    :param certificate: that it vanishes
    :raises NotExported: if there are other functions than square roots
    """
    signs = _signs(certificate, [])
    return "\n    ".join([*_named_roots(roots, signs), f"field{signs.hints}; apart"])


def _signs(data: Mapping[str, Any], texts: Sequence[str], variables: Sequence[str] = CELL_NAMES) -> RootSigns:
    """Return what writes proofs about the polynomials of a certificate."""
    atoms = data["atoms"]
    texts = [*texts, *data["values"], *(atom["base"] for atom in atoms.values())]
    if any(atom["kind"] != "power" for atom in atoms.values()) or any("atom" in _ROOT.sub("", text) for text in texts):
        raise NotExported("an inequality with other functions than square roots")
    signs = RootSigns((*variables, *atoms))
    return replace(signs, squares={name: signs.polynomial(atom["base"]) for name, atom in atoms.items()})


def _named_roots(roots: Mapping[str, Expr], signs: RootSigns) -> list[str]:
    """Return the steps that put products of roots of a certificate in the place of the roots of a formula."""
    lines = [
        f"destruct (root_of ({signs.text(base)}) ltac:(above)) as ({name} & positive_{name} & square_{name})."
        for name, base in signs.squares.items()
    ]
    return [*lines, *(_named(text, radicand, signs) for text, radicand in roots.items())]


def radicands(formula: Expr) -> dict[str, Expr]:
    """Return what the square roots in a formula are of, each by its text.

    :raises NotExported: if there are other roots, or roots in roots
    """
    roots = {node for node in formula.atoms(Pow) if isinstance(node.exp, Rational) and node.exp.q > 1}
    if any(node.exp.q > 2 for node in roots):
        raise NotExported("an inequality with other functions than square roots")
    if any(node.base.atoms(Pow) & roots for node in roots):
        raise NotExported("roots of formulas with roots")
    return {term(radicand, 3): radicand for radicand in sorted({node.base for node in roots}, key=str)}


def _named(text: str, radicand: Expr, signs: RootSigns) -> str:
    """Return the step that puts a product of the roots of a certificate in the place of the root of a radicand."""
    return (
        f"replace (sqrt {text}) with ({term(_root_of(radicand, signs))})\n"
        f"      by (symmetry; apply root_is; [below | field{signs.hints}; apart])."
    )


def _root_of(radicand: Expr, signs: RootSigns) -> Expr:
    """Return the root of a quotient of products of powers as such a quotient, in the roots of a certificate."""
    symbols = [parameter_symbol(name) for name in signs.names]
    known = {base.as_expr(*symbols): parameter_symbol(name) for name, base in signs.squares.items()}
    root: Expr = Integer(1)
    for part, sign in zip(fraction(together(radicand)), (1, -1), strict=True):
        constant, factors = factor_list(part)
        for base, power in [*factors, (constant, 1)]:
            whole = sqrt(base) if base.is_Rational else None
            if whole is not None and whole.is_Rational:
                root *= whole ** (sign * power)
                continue
            if power % 2 and base.expand() not in known:
                raise NotExported("the certificate does not say what a root is")
            root *= base ** (sign * (power // 2)) * (known[base.expand()] ** sign if power % 2 else 1)
    return root
