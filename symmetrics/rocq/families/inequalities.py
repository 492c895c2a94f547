"""Inequalities as lemmas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import gcd
from typing import Any

from sympy import Add, Expr, Integer, Max, Min, Mul, Poly, Symbol, diff, log
from sympy.polys.rings import PolyElement

from symmetrics.claims import Comparison
from symmetrics.claims.evidence import Decision
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.prover.engine.readings import readings
from symmetrics.prover.engine.signs import prove_sign
from symmetrics.rocq.engine.comparisons import comparison_lemma, sign_script
from symmetrics.rocq.engine.positivity import Signs
from symmetrics.rocq.engine.radicals import piece_tries, radical_script
from symmetrics.rocq.engine.statements import Lemma, NotExported, Subject, introduced
from symmetrics.rocq.engine.terms import RATIONALS, lowest_terms, term

# -- Strict inequalities along a step, by the sign of the derivative from a certificate --------------------------------


PLAIN = "increases_by_slope"
"""Tactic that proves signs by coefficients."""


def slope_script(claim: Comparison, decision: Decision) -> str:
    """Return the tactic that proves that a formula increases along the step of a claim.

    :raises NotExported: if the certificate's proof has a step that is not translated
    """
    data = decision.evidence.data
    if decision.evidence.kind != "sign" or data["rule"] != "derivative":
        return PLAIN
    pieces = data["pieces"]
    plain = all({"positive", "pairs"} & set(piece["tree"]) for piece in pieces)
    extremes = claim.subject.atoms(Max, Min)
    start = "slope_by_slope. " + " ".join(f"moves {cell.name}." for cell in _moving(claim))
    if "positive" in pieces[0]["tree"] and _has_gaps_of_logarithms(pieces[0]):
        return f"first [ {PLAIN} | {start[:-1].replace('.', ';')};\n  {_Logarithms(pieces[0]).script('; ')} ]"
    if plain and len(pieces) == 2 ** len(extremes):
        return PLAIN
    if extremes:
        tries = "\n    | ".join(piece_tries(claim.subject, pieces, strict=True))
        return f"{start} repeat split; intros;\n  first [ {tries} ]"
    if claim.subject.has(log):
        (piece,) = pieces
        return f"{start}\n  {_Logarithms(piece).script()}"
    return f"{start}\n  {radical_script(_derivative(claim), strict=True)}"


def difference_script(claim: Comparison, decision: Decision) -> str | None:
    """Prove that two values of a rational formula differ, if coefficients do not show it.

    :raises NotExported: if the certificate's proof has a step that is not translated
    """
    data = decision.evidence.data
    if decision.evidence.kind != "sign" or all("positive" in piece["tree"] for piece in data["pieces"]):
        return None
    # The certificate is about the derivative, which does not exist in a theory over the rationals.
    for rule, found in readings(claim, []):
        if rule != "difference":
            continue
        (reading,) = found
        proof = prove_sign(reading.numerator, reading.ring)
        if proof is None or not proof.strict:
            break
        record = reading.record()
        signs = Signs(claim.names)
        numerator, below = signs.polynomial(record["numerator"]), signs.product(record["denominator"])
        above = signs.proof(numerator, proof.tree, strict=True)
        return f"exceeds ({signs.text(numerator)}) ({below.text}); [{above} | {below.proof}]"
    raise NotExported("the numerator has terms of both signs")


def _has_gaps_of_logarithms(piece: Mapping[str, Any]) -> bool:
    """Whether a sign rests on differences of logarithms, with no other atom left."""
    text = piece["numerator"] + "".join(base for base, *_ in piece["denominator"])
    used = {name for name in piece["atoms"] if re.search(rf"\b{name}\b", text)}
    chained = piece.get("chains") or piece["subject"][2]
    return bool(chained) and all(piece["atoms"][name]["kind"] == "log" for name in used) and "pi" not in text


class _Logarithms:
    """The proof that a derivative with logarithms is positive.

    :param piece: of the certificate
    """

    def __init__(self, piece: Mapping[str, Any]) -> None:
        self.piece = piece
        atoms = {name: atom["base"] for name, atom in piece["atoms"].items() if atom["kind"] == "log"}
        self.bases = {name: parse_formula(base, CELL_NAMES) for name, base in atoms.items()}
        self.chains: dict[str, str] = {**piece["subject"][2], **piece.get("chains", {})}
        own = piece.get("chains", {})
        terms = {
            name: f"({self.log(name)} - {self.log(own[name])})" if name in own else self.log(name) for name in atoms
        }
        self.signs = Signs((*CELL_NAMES, *atoms), terms)

    @staticmethod
    def log(name: str) -> str:
        """Return the name of a certificate's logarithm in the proof."""
        return name.replace("atom", "L")

    def script(self, then: str = ".\n  ") -> str:
        """Return the steps.

        :param then: what stands between them
        """
        steps = ["logarithms_apart"]
        steps += [f"name_logarithm {self.log(name)} ({term(base)})" for name, base in self.bases.items()]
        for name, base in self.bases.items():
            if _has_positive_terms(base - 1):
                steps.append(f"assert (0 < {self.log(name)}) by (apply above_one_positive; lra)")
        for name, parent in self.chains.items():
            f, g = (term(self.bases[key]) for key in (name, parent))
            gap = f"{self.log(name)} - {self.log(parent)}"
            steps.append(f"assert (0 < {gap}) by (apply (ln_exceeds ({f}) ({g})); [above | lra])")
        tree, numerator = self.piece["tree"], self.signs.polynomial(self.piece["numerator"])
        if "bounds" in tree:
            facts, proof = self._bounds(numerator, tree["bounds"])
        elif "tangents" in tree:
            facts, proof = self._tangents(numerator)
        else:
            facts, proof = [], self.signs.proof(numerator, tree, strict=True)
        below = self.signs.product(self.piece["denominator"])
        named = " ".join(self.log(name) for name in self.bases)
        ending = f"exceeds ({self.signs.text(numerator)}) ({below.text}); [{proof} | {below.proof}]"
        return then.join([*steps, *facts, f"clearbody {named}", ending])

    def _bounds(self, numerator: PolyElement, signed: Mapping[str, Any]) -> tuple[list[str], str]:
        """Bound logarithms of ratios: ``1 - g/f < log(f) - log(g) < f/g - 1`` for f > g."""
        rest, facts, parts = self._expression(numerator), [], []
        for place, (name, part) in enumerate(signed.items(), start=1):
            f, g = (self.bases[key] for key in (name, self.chains[name]))
            weight = part["sign"] * self._expression(numerator).coeff(Symbol(name))
            ratio, bound, text = self.signs.terms[name], (f - g) / (f if part["sign"] > 0 else g), ""
            lower = f"({term(f)} - ({term(g)})) / ({term(f if part['sign'] > 0 else g)})"
            text = f"{ratio} - {lower}" if part["sign"] > 0 else f"{lower} - {ratio}"
            word = "above" if part["sign"] > 0 else "below"
            facts.append(
                f"assert (T{place} : 0 < {text}) by (apply (ln_{word}_tangent ({term(f)}) ({term(g)})); [above | lra])"
            )
            parts.append((weight, text))
            rest += weight * part["sign"] * (bound - Symbol(name))
        return facts, self._sum(parts, rest)

    def _tangents(self, numerator: PolyElement) -> tuple[list[str], str]:
        """Bound logarithms of products from below: ``1 - g/f <= log(f) - log(g)``."""
        own = self.piece.get("chains", {})
        whole = self._expression(numerator).subs(
            {Symbol(name): Symbol(name) - Symbol(parent) for name, parent in own.items()}, simultaneous=True
        )
        poly, groups = Poly(whole, *CELLS), dict[tuple[int, ...], Expr]()
        rest = Integer(0)
        for monomial, coefficient in poly.terms():
            product = Mul(*(cell**power for cell, power in zip(CELLS, monomial, strict=True)))
            amounts = [coefficient.coeff(Symbol(name)) for name in self.bases]
            rest += product * (coefficient - Add(*(p * Symbol(n) for p, n in zip(amounts, self.bases, strict=True))))
            scale = gcd(*map(int, amounts))
            if scale:
                key = tuple(int(amount) // scale for amount in amounts)
                groups[key] = groups.get(key, Integer(0)) + scale * product
        facts, parts = list[str](), list[tuple[Expr, str]]()
        for place, (powers, weight) in enumerate(groups.items(), start=1):
            f, g = (self._factors(powers, sign) for sign in (1, -1))
            combination = " + ".join(
                f"({power}) * {self.log(name)}" for power, name in zip(powers, self.bases, strict=True) if power
            )
            (f_text, f_value), (g_text, g_value) = f, g
            text = f"{combination} - ({f_text} - {g_text}) / ({f_text})"
            apart = (
                f"repeat rewrite ln_mult by above; rewrite ?ln_1; unfold {', '.join(map(self.log, self.bases))}; ring"
            )
            facts.append(
                f"assert (T{place} : 0 <= {text}) by (replace ({combination}) with (ln ({f_text}) - ln ({g_text})) "
                f"by ({apart}); apply ln_not_below_tangent; above)"
            )
            parts.append((weight, text))
            rest += weight * (1 - g_value / f_value)
        return facts, self._sum(parts, rest)

    def _factors(self, powers: Iterable[int], sign: int) -> tuple[str, Expr]:
        """Return the product of the bases whose powers have a sign, as a term and as a value."""
        found = [base for power, base in zip(powers, self.bases.values(), strict=True) for _ in range(sign * power)]
        return " * ".join(f"({term(base)})" for base in found) or "1", Mul(*found)

    def _expression(self, poly: PolyElement) -> Expr:
        return poly.as_expr(*CELLS, *(Symbol(name) for name in self.bases))

    def _sum(self, parts: Iterable[tuple[Expr, str]], rest: Expr) -> str:
        """Prove that a sum of positive multiples of positive terms and a remainder is positive."""
        texts = []
        for weight, text in parts:
            if not _has_positive_terms(weight):
                raise NotExported("the weight of a logarithm may be negative")
            texts.append(f"({term(weight.expand())}) * ({text})")
        above, below = lowest_terms(rest)
        if above != 0:
            if not (_has_positive_terms(above) and _has_positive_terms(below)):
                raise NotExported("what tangents leave of a sign may be negative")
            texts.append(f"({term(above.expand())}) / ({term(below)})")
        return f"(apply (positive_by ({' + '.join(texts)})); [field; apart | above])"


def _has_positive_terms(expression: Expr) -> bool:
    """Whether a polynomial in the cells has positive coefficients only."""
    return all(coefficient > 0 for coefficient in Poly(expression, *CELLS).coeffs())


def _steps(claim: Comparison) -> list[Expr]:
    """Return by how many steps each cell changes."""
    before, after = claim.tables
    (step,) = claim.variables[len(CELLS) :]
    return [(second - first) / step for first, second in zip(before, after, strict=True)]


def _moving(claim: Comparison) -> list[Expr]:
    return [cell for cell, step in zip(CELLS, _steps(claim), strict=True) if step != 0]


def _derivative(claim: Comparison) -> Expr:
    """Return the derivative along the step."""
    return Add(*(step * diff(claim.subject, cell) for cell, step in zip(CELLS, _steps(claim), strict=True)))


# ----------------------------------------------------------------------------------------------------------------------


def lemma(name: str, claim: Comparison, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that an inequality holds, does not, or does under a condition.

    :param name: the proposition's name
    :raises NotExported: if no proof is known
    """
    return comparison_lemma(name, claim, decision, subject, _proof)


def _proof(name: str, claim: Comparison, decision: Decision, subject: Subject) -> str:
    """Return the proof that the inequality holds."""
    start = f"{introduced(claim.parameters)}unfold {name}"
    if claim.partner is not None and decision.evidence.kind == "sign":
        strict, data = claim.sign == ">", decision.evidence.data
        signs = sign_script(claim.difference, data, subject.numbers, strict=strict, variables=claim.arguments)
        return f"{start}, {subject.unfold}. unpack.\n    {signs}."
    if subject.numbers is not RATIONALS:
        if claim.arguments != CELLS:
            raise NotExported("a step along which a formula over named variables rises")
        return f"{start}. unpack. {slope_script(claim, decision)}."
    cases = "".join(f"by_domain {p.name}; " for p in claim.parameters)
    # At the ends of several domains both sides may be equal or undefined.
    closing = "first [fractions | equal_or_undefined]" if cases and claim.sign == ">=" else "fractions"
    return f"{start}, {subject.unfold}. unpack. {cases}{difference_script(claim, decision) or closing}."
