"""Bounds of formulas with square roots, minima, maxima and absolute values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations
from typing import Any, Final

from sympy import (
    QQ,
    Abs,
    Expr,
    Integer,
    Max,
    Min,
    Poly,
    Pow,
    Rational,
    Symbol,
    factor,
    factor_list,
    fraction,
    sqrt,
    together,
)
from sympy.polys.rings import PolyElement, ring

from symmetrics.algebra.derivative import smooth_pieces
from symmetrics.language.cells import CELLS, parameter_symbol
from symmetrics.language.names import CELL_NAMES
from symmetrics.rocq.engine.positivity import Signs, Tree, polynomial_text
from symmetrics.rocq.engine.statements import NotExported
from symmetrics.rocq.engine.terms import lowest_terms, term

MAX_PIECES: Final = 8


def piecewise_script(
    gap: Expr, pieces: Sequence[Mapping[str, Any]], *, strict: bool, variables: Sequence[Symbol] = CELLS
) -> str:
    """Prove a bound of a formula with minima, maxima and absolute values of rational functions.

    :param gap: the difference of bound and formula
    :param pieces: of the certificate
    :param variables: the symbols of the positive variables
    :raises NotExported: if a proof has a step that is not translated
    """
    tries = piece_tries(gap, pieces, strict=strict, variables=variables)
    return "by_cases; try (exfalso; lra);\n      first [ " + "\n            | ".join(tries) + " ]"


def piece_tries(
    formula: Expr, pieces: Sequence[Mapping[str, Any]], *, strict: bool, variables: Sequence[Symbol] = CELLS
) -> list[str]:
    """Return a proof of the bound for each piece of a formula.

    :raises NotExported: as :func:`piecewise_script`
    """
    if len(pieces) > MAX_PIECES or any(piece["atoms"] for piece in pieces):
        raise NotExported(f"a formula of {len(pieces)} pieces, or with roots in them")
    tries, names = [], tuple(symbol.name for symbol in variables)
    for piece, smooth in zip(pieces, smooth_pieces(formula, variables), strict=True):
        signs = Signs(names)
        given = tuple(signs.polynomial(text) for text in piece.get("given", ()))
        reasons = tuple(_reason(poly, smooth.conditions, variables) for poly in given)
        signs = Signs(names, given=given, reasons=reasons)
        numerator, below = signs.polynomial(piece["numerator"]), signs.product(piece["denominator"])
        if "tree" not in piece:
            tries.append("(apply Req_le; field; apart)")
            continue
        proof = signs.proof(numerator, piece["tree"], strict=strict)
        tries.append(f"(exceeds ({signs.text(numerator)}) ({below.text}); [{proof} | {below.proof}])")
    return list(dict.fromkeys(tries))


def _reason(given: PolyElement, conditions: Iterable[Expr], variables: Sequence[Symbol]) -> str:
    """Prove that a polynomial is not negative, as a multiple of a condition."""
    expression = given.as_expr(*variables)
    for condition in conditions:
        above, below = lowest_terms(expression / condition)
        if all(c > 0 for part in (above, below) for c in Poly(part, *variables).coeffs()):
            scale = term(factor(above) / factor(below), 3)
            return f"first [lra | (apply (scaled_by ({term(condition)}) {scale}); [lra | above | field; apart])]"
    return "first [lra | nra]"


def radical_script(gap: Expr, *, strict: bool) -> str:
    """Prove a strict bound of a formula with square roots.

    :param gap: the difference of bound and formula
    :raises NotExported: if comparing squares once does not show it
    """
    # One absolute value: both signs, each proved by itself.
    absolute = sorted(gap.atoms(Abs), key=str)
    if len(absolute) == 1:
        (node,) = absolute
        sides = [radical_script(gap.xreplace({node: sign * node.args[0]}), strict=strict) for sign in (-1, 1)]
        return f"unfold Rabs. destruct (Rcase_abs _).\n      {{ {sides[0]}. }}\n      {{ {sides[1]}. }}"
    # Square roots become variables r1, r2, ... with hypotheses r > 0 and r*r = radicand.
    radicals = sorted(
        {node.base for node in gap.atoms(Pow) if isinstance(node.exp, Rational) and node.exp.q == 2}, key=str
    )
    # Extremes: a case for each order of their arguments.
    if gap.has(Max, Min) and not gap.has(Abs):
        pieces = [radical_script(piece.formula, strict=strict) for piece in smooth_pieces(gap)]
        return "by_cases;\n      first [ " + "\n            | ".join(pieces) + " ]"
    if strict and any(isinstance(node.exp, Rational) and node.exp.q > 2 for node in gap.atoms(Pow)):
        return "atoms_positive; fractions"
    if gap.has(Abs, Min, Max) or not radicals:
        raise NotExported("a bound of a formula with other functions than square roots")
    names = [Symbol(f"r{place}", positive=True) for place in range(1, len(radicals) + 1)]
    known = dict(zip(radicals, names, strict=True))
    plain = gap.replace(
        lambda node: isinstance(node, Pow) and node.base in known and node.exp.q == 2,
        lambda node: known[node.base] ** (2 * node.exp),
    )
    # The gap as one fraction of polynomials in cells and roots; its divisor has to be positive.
    gens = [*CELLS, *names]
    above, below = (Poly(part, *gens, domain=QQ) for part in lowest_terms(plain))
    own = ring([symbol.name for symbol in gens], QQ)[0]
    numerator, denominator = own.from_dict(above.rep.to_dict()), own.from_dict(below.rep.to_dict())
    if denominator.LC < 0:
        numerator, denominator = -numerator, -denominator
    # Hypotheses on each root.
    lines = [
        f"assert (P{i} : 0 < sqrt {term(x, 3)}) by above; "
        f"assert (S{i} : sqrt {term(x, 3)} * sqrt {term(x, 3)} = {term(x)}) "
        f"by (apply sqrt_sqrt; below);\n      remember (sqrt {term(x, 3)}) as r{i} eqn:E{i}; clear E{i};"
        for i, x in enumerate(radicals, start=1)
    ]
    texts = [symbol.name for symbol in gens]
    if not _is_positive(denominator):
        raise NotExported("the divisor has terms of both signs")
    # Eliminate one root after the other: for A + B*r compare A**2 with B**2 r**2.
    squares = [_square(own, gens, x) for x in radicals]
    proof = _proof(numerator, _Roots(radicals, squares, texts), strict)
    lines.append(
        f"exceeds ({polynomial_text(numerator, texts)}) ({polynomial_text(denominator, texts)}); [{proof} | above]"
    )
    return "\n      ".join(lines)


def _square(own: Any, gens: Sequence[Symbol], radicand: Expr) -> PolyElement | None:
    """Return a radicand as a polynomial, if it is one."""
    if not radicand.is_polynomial(*gens):
        return None
    found: PolyElement = own.from_dict(Poly(radicand, *gens, domain=QQ).rep.to_dict())
    return found


def _is_positive(poly: PolyElement) -> bool:
    return bool(poly) and min(poly.values()) > 0


def _reduced(poly: PolyElement, place: int, square: PolyElement | None) -> tuple[PolyElement, PolyElement]:
    """Return (A, B) for a polynomial A + B*r, given the square of r."""
    plain, factor = poly.ring(0), poly.ring(0)
    for monomial, coefficient in poly.terms():
        power = monomial[place]
        rest = poly.ring({(*monomial[:place], 0, *monomial[place + 1 :]): coefficient})
        if power >= 2:
            if square is None:
                raise NotExported("a power of the root of a quotient")
            rest = rest * square ** (power // 2)
        if power % 2:
            factor += rest
        else:
            plain += rest
    return plain, factor


@dataclass(frozen=True)
class _Roots:
    """The square roots of a polynomial ring, with a variable for each.

    :param radicands: the radicands
    :param squares: the radicands as polynomials, None for others
    :param texts: the names of the variables, those of the roots last
    """

    radicands: Sequence[Expr]
    squares: Sequence[PolyElement | None]
    texts: Sequence[str]

    @property
    def known(self) -> list[str]:
        """The hypotheses on the squares of the roots, by the roots' indices."""
        return [f"S{place}" for place, square in enumerate(self.squares, start=1) if square is not None]

    def variable(self, place: int) -> int:
        """Return the variable of a root."""
        return len(self.texts) - len(self.radicands) + place

    def parts(self, poly: PolyElement, place: int) -> tuple[PolyElement, PolyElement]:
        """Return (A, B) for a polynomial that is A + B*r, r being a root."""
        return _reduced(poly, self.variable(place), self.squares[place])

    def without(self, poly: PolyElement, place: int) -> PolyElement:
        """Reduce powers of a root by its square."""
        return sum_of(self.parts(poly, place), poly, self.variable(place))


def _proof(numerator: PolyElement, roots: _Roots, strict: bool) -> str:
    if _is_positive(numerator):
        return "above" if strict else "below"
    for place in range(len(roots.radicands)):
        try:
            found = _outweighs(*roots.parts(numerator, place), place, roots, strict)
        except NotExported:
            continue
        if found:
            whole, proof = found
            closing = f"ring [{' '.join(roots.known)}]" if roots.known else "ring"
            return f"(apply ({'positive' if strict else 'nonnegative'}_by ({whole})); [{closing} | {proof}])"
    raise NotExported("comparing squares once does not show the bound")


def _outweighs(
    plain: PolyElement, factor: PolyElement, place: int, roots: _Roots, strict: bool
) -> tuple[str, str] | None:
    """Prove plain + factor * root > 0: one term outweighs the negative part of the other."""
    texts, r = roots.texts, roots.texts[roots.variable(place)]
    a, b = polynomial_text(plain, texts), polynomial_text(factor, texts)
    # Both parts positive: nothing to compare.
    if _is_positive(plain) and _is_positive(factor):
        return f"({a}) + ({b}) * {r}", "above" if strict else "below"
    others = [k for k in range(len(roots.radicands)) if k != place]
    x = roots.radicands[place]
    gens = [Symbol(text) for text in texts]
    cells = dict(zip(CELLS, gens[: len(CELLS)], strict=True))
    # The radicand as a fraction top/bottom.
    up, down = fraction(together(x.xreplace(cells)))
    top, bottom = (plain.ring.from_dict(Poly(part, *gens, domain=QQ).rep.to_dict()) for part in (up, down))
    word, end = ("positive", "") if strict else ("nonnegative", "_weakly")
    for lemma, first, second in (("plain_outweighs", plain, factor), ("root_outweighs", factor, plain)):
        if not _is_positive(first) or not _is_positive(bottom):
            continue
        # f outweighs (p - q)*r if f**2 - q**2 * r**2 is positive, and the other way around.
        more, less = _signed_parts(second)
        known, weight = (bottom, -top) if lemma == "plain_outweighs" else (top, -bottom)
        norm = first**2 * known + less**2 * weight
        # Squares of the other roots are replaced by their radicands.
        norm = reduce(roots.without, others, norm)
        shown = _square_and_rest(norm, texts, strict)
        if shown is None:
            continue
        f, p, q = (polynomial_text(part, texts) for part in (first, more, less))
        whole = f"({f}) + (({p}) - ({q})) * {r}" if first is plain else f"(({p}) - ({q})) + ({f}) * {r}"
        other = [f"S{k + 1}" for k in others if roots.squares[k] is not None]
        closing = f"field [{' '.join(other)}]" if other else "field"
        return whole, (
            f"apply ({lemma}{end} ({f}) ({p}) ({q}) {r} ({term(x)})); [below | assumption | above | below | below | "
            f"apply ({word}_by (({shown}) / ({polynomial_text(bottom, texts)}))); "
            f"[{closing}; apart | {'above' if strict else 'below'}]]"
        )
    return None


def _signed_parts(poly: PolyElement) -> tuple[PolyElement, PolyElement]:
    """Split a polynomial into terms with positive coefficients, and the negated rest."""
    more, less = poly.ring(0), poly.ring(0)
    for monomial, coefficient in poly.terms():
        if coefficient > 0:
            more += poly.ring({monomial: coefficient})
        else:
            less += poly.ring({monomial: -coefficient})
    return more, less


def _square_and_rest(poly: PolyElement, texts: Sequence[str], strict: bool) -> str | None:
    """Write a polynomial so that its sign shows: squares in two cells, and a rest of one sign."""
    if _is_positive(poly):
        return polynomial_text(poly, texts)
    for pair in combinations(range(len(CELLS)), 2):
        part = poly.ring.from_dict(
            {monomial: c for monomial, c in poly.terms() if all(not e or k in pair for k, e in enumerate(monomial))}
        )
        rest = poly - part
        if not part or (rest and not _is_positive(rest)) or (strict and not rest):
            continue
        constant, factors = part.factor_list()
        if constant > 0 and all(power % 2 == 0 or _is_positive(factor) for factor, power in factors):
            product = " * ".join(
                [polynomial_text(poly.ring(constant), texts)]
                + [
                    f"(({polynomial_text(f, texts)}) ^ 2) ^ {e // 2}"
                    if e % 2 == 0
                    else f"({polynomial_text(f, texts)}) ^ {e}"
                    for f, e in factors
                ]
            )
            return f"({polynomial_text(rest, texts)}) + {product}"
    return None


def sum_of(parts: tuple[PolyElement, PolyElement], poly: PolyElement, place: int) -> PolyElement:
    """Return A + B*r."""
    return parts[0] + parts[1] * poly.ring.gens[place]


# -- Inequalities between formulas with square roots, following a certificate's tree step by step ----------------------


_ROOT: Final = re.compile(r"\b(atom\d+)\*\*\(1/2\)")


@dataclass(frozen=True)
class RootSigns(Signs):
    """Writes proofs about polynomials in the cells and in square roots of such polynomials.

    :param squares: for each generator that is a root, the polynomial whose root it is
    """

    squares: Mapping[str, PolyElement] = field(default_factory=dict)

    @property
    def hints(self) -> str:
        """Equations between roots and polynomials, as hints for a tactic."""
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
        """Eliminate powers of roots from a polynomial."""
        for place, name in enumerate(self.names):
            if name in self.squares:
                found = self.ring(0)
                for monomial, coefficient in poly.terms():
                    rest = self.ring({(*monomial[:place], monomial[place] % 2, *monomial[place + 1 :]): coefficient})
                    found += rest * self.squares[name] ** (monomial[place] // 2)
                poly = found
        return poly

    def _root(self, poly: PolyElement, tree: Tree, strict: bool) -> str:
        """Compare the squares of A and B*r in A + B*r, one of which is not negative."""
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
        """Cancel the positive generators that all terms of a polynomial share; return these as well."""
        lowest = tuple(
            0 if name in self.weak else min(column)
            for name, column in zip(self.names, zip(*poly, strict=True), strict=True)
        )
        scale = self.ring({lowest: 1})
        return poly.exquo(scale), scale


def root_script(gap: Expr, piece: Mapping[str, Any], *, strict: bool, variables: Sequence[str] = CELL_NAMES) -> str:
    """Prove that one formula with square roots does not exceed another.

    :param gap: the difference of the two
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
    """Prove that two formulas with square roots are equal.

    :param roots: the radicands: as terms of the goal, and as expressions
    :param certificate: that it vanishes
    :raises NotExported: if there are other functions than square roots
    """
    signs = _signs(certificate, [])
    return "\n    ".join([*_named_roots(roots, signs), f"field{signs.hints}; apart"])


def _signs(data: Mapping[str, Any], texts: Sequence[str], variables: Sequence[str] = CELL_NAMES) -> RootSigns:
    """Return the writer of proofs about a certificate's polynomials."""
    atoms = data["atoms"]
    texts = [*texts, *data["values"], *(atom["base"] for atom in atoms.values())]
    if any(atom["kind"] != "power" for atom in atoms.values()) or any("atom" in _ROOT.sub("", text) for text in texts):
        raise NotExported("an inequality with other functions than square roots")
    signs = RootSigns((*variables, *atoms))
    return replace(signs, squares={name: signs.polynomial(atom["base"]) for name, atom in atoms.items()})


def _named_roots(roots: Mapping[str, Expr], signs: RootSigns) -> list[str]:
    """Return tactics that express a formula's roots by those of a certificate."""
    lines = [
        f"destruct (root_of ({signs.text(base)}) ltac:(above)) as ({name} & positive_{name} & square_{name})."
        for name, base in signs.squares.items()
    ]
    return [*lines, *(_named(text, radicand, signs) for text, radicand in roots.items())]


def radicands(formula: Expr) -> dict[str, Expr]:
    """Return the radicands in a formula, by text.

    :raises NotExported: if there are other roots, or roots in roots
    """
    roots = {node for node in formula.atoms(Pow) if isinstance(node.exp, Rational) and node.exp.q > 1}
    if any(node.exp.q > 2 for node in roots):
        raise NotExported("an inequality with other functions than square roots")
    if any(node.base.atoms(Pow) & roots for node in roots):
        raise NotExported("roots of formulas with roots")
    return {term(radicand, 3): radicand for radicand in sorted({node.base for node in roots}, key=str)}


def _named(text: str, radicand: Expr, signs: RootSigns) -> str:
    """Return the tactic that expresses the root of a radicand by those of a certificate."""
    return (
        f"replace (sqrt {text}) with ({term(_root_of(radicand, signs))})\n"
        f"      by (symmetry; apply root_is; [below | field{signs.hints}; apart])."
    )


def _root_of(radicand: Expr, signs: RootSigns) -> Expr:
    """Express the root of a quotient of products by the roots of a certificate."""
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
