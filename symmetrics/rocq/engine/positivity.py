"""Proof scripts for the sign of a polynomial, following a certificate's tree step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sympy import QQ, Dummy, Poly, Rational
from sympy.polys.rings import PolyElement, PolyRing, ring

from symmetrics.language.formula import parse_formula
from symmetrics.rocq.engine.statements import NotExported

Tree = Mapping[str, Any]


@dataclass(frozen=True)
class Product:
    """A product, with the tactic that proves it positive."""

    text: str
    proof: str


@dataclass(frozen=True)
class Signs:
    """Writes proofs about polynomials.

    :param names: the generators
    :param terms: the term for each generator in the file
    :param weak: generators that may be zero
    :param given: polynomials that are not negative by hypothesis
    :param reasons: for each, a tactic that shows it
    """

    names: tuple[str, ...]
    terms: Mapping[str, str] = field(default_factory=dict)
    weak: frozenset[str] = frozenset()
    given: tuple[PolyElement, ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def closing(self) -> str:
        """Tactic for equations between polynomials."""
        return "ring"

    @property
    def steps(self) -> Mapping[str, Callable[[PolyElement, Tree, bool], str]]:
        """Handlers of a proof's steps, by the step's name."""
        return {
            "combination": self._combination,
            "times": self._times,
            "factors": self._factors,
            "cut": self._cut,
            "quadratic": self._quadratic,
            "peeled": self._peeled,
            "split": self._split,
            "given": self._under,
        }

    @property
    def ring(self) -> PolyRing:
        """The ring of the polynomials."""
        return ring(self.names, QQ)[0]

    def polynomial(self, text: str) -> PolyElement:
        """Read a polynomial of a certificate."""
        expression = parse_formula(text, self.names)
        known = {symbol.name: symbol for symbol in expression.free_symbols}
        if not known:
            return self.ring(QQ(int(expression.p), int(expression.q)))
        if not set(known) <= set(self.names):
            raise NotExported("a polynomial with another generator")
        symbols = [known.get(name, Dummy()) for name in self.names]
        return self.ring.from_dict(dict(Poly(expression, *symbols, domain=QQ).rep.to_dict()))

    def text(self, poly: PolyElement) -> str:
        """Return a polynomial as a term."""
        return polynomial_text(poly, [self.terms.get(name, name) for name in self.names])

    def proof(self, poly: PolyElement, tree: Tree, *, strict: bool) -> str:
        """Return a tactic that proves a polynomial, in any equivalent form, positive.

        :param strict: otherwise, not to be negative
        :raises NotExported: if the tree has a step that is not translated
        """
        word, tactic = ("positive", "above") if strict else ("nonnegative", "below")
        if "positive" in tree:
            if strict and not any(self._is_inside(monomial) for monomial in poly):
                raise NotExported("a polynomial may be zero on the edge of a region")
            return f"(apply ({word}_by ({self.text(poly)})); [{self.closing} | {tactic}])"
        if "zero" in tree:
            return f"(apply (nonnegative_by 0); [{self.closing} | below])"
        if "itself" in tree and not strict:
            return self._multiple(poly, tree["itself"])
        if "empty" in tree:
            return self._empty(tree["empty"])
        for step, follow in self.steps.items():
            if step in tree:
                return follow(poly, tree, strict)
        raise NotExported(f"the proof of a sign has the step {min(tree, default='none')!r}")

    def product(self, parts: Iterable[Sequence[Any]]) -> Product:
        """Return a product of powers of bases, with proofs of the signs that coefficients do not show."""
        texts, script = list[str](), ""
        for text, power, *tree in parts:
            base = self.polynomial(text)
            if not tree and power % 2 == 0 and len({coefficient > 0 for coefficient in base.values()}) > 1:
                texts += [f"(({self.text(base)}) * ({self.text(base)}))"] * (power // 2)
                for _ in range(power // 2):
                    step = "(apply nonzero_square; fractions)"
                    script = f"(apply product_positive; [{script} | {step}])" if script else step
                continue
            proof = self.proof(base, tree[0] if tree else {"positive": True}, strict=True)
            texts.append(f"({self.text(base)})" + (f" ^ {power}" if power > 1 else ""))
            step = f"(apply power_positive; {proof})" if power > 1 else proof
            script = f"(apply product_positive; [{script} | {step}])" if script else step
        return Product(" * ".join(texts) or "1", script or "above")

    def _is_inside(self, monomial: tuple[int, ...]) -> bool:
        return not any(power and name in self.weak for name, power in zip(self.names, monomial, strict=True))

    def _combination(self, poly: PolyElement, tree: Tree, strict: bool) -> str:
        rest, texts = poly, list[str]()
        for number, weight in tree["combination"]:
            value = Rational(weight)
            rest -= self.given[number] * QQ(int(value.p), int(value.q))
            texts.append(f"({weight}) * ({self.text(self.given[number])})")
        steps = "; ".join(
            f"assert (0 <= {self.text(self.given[number])}) by {self.reasons[number]}"
            for number, _ in tree["combination"]
        )
        if not strict:
            whole = " + ".join([f"({self.text(rest)})", *texts])
            return f"(apply (nonnegative_by ({whole})); [{self.closing} | {steps}; below])"
        first = self.proof(rest, {"positive": True}, strict=True)
        whole = f"({self.text(rest)}) + ({' + '.join(texts)})"
        return (
            f"(apply (positive_by ({whole})); [{self.closing} | apply sum_positive_left; [{first} | {steps}; below]])"
        )

    def _split(self, poly: PolyElement, tree: Tree, strict: bool) -> str:
        """Split a region by the common sign of the two factors of a condition."""
        condition, reason = self.given[tree["split"]], self.reasons[tree["split"]]
        factors = [self.polynomial(text) for text in tree["by"]]
        scale = condition.exquo(factors[0] * factors[1])
        cases = []
        for sign, name in ((1, "first"), (-1, "second")):
            signed = tuple(sign * factor for factor in factors)
            found = tuple(
                f"(apply (nonnegative_by ({'- ' * (sign < 0)}({self.text(f)}))); [ring | lra])" for f in factors
            )
            inner = replace(self, given=(*self.given, *signed), reasons=(*self.reasons, *found))
            cases.append(inner.proof(poly, tree[name], strict=strict))
        first, second = map(self.text, factors)
        return (
            f"(destruct (one_sign ({self.text(scale)}) ({first}) ({second})) as [[? ?] | [? ?]]; "
            f"[above | apply (nonnegative_by ({self.text(condition)})); [ring | {reason}] | {cases[0]} | {cases[1]}])"
        )

    def _multiple(self, poly: PolyElement, number: int) -> str:
        condition = self.given[number]
        ratio = polynomial_text(self.ring(poly.LC / condition.LC), self.names)
        whole = f"({ratio}) * ({self.text(condition)})"
        proof = f"apply product_nonnegative; [below | {self.reasons[number]}]"
        return f"(apply (nonnegative_by ({whole})); [{self.closing} | {proof}])"

    def _times(self, poly: PolyElement, tree: Tree, strict: bool) -> str:
        if strict:
            raise NotExported("a multiple of a condition may be zero")
        condition, reason = self.given[tree["times"]], self.reasons[tree["times"]]
        rest = poly.exquo(condition)
        whole = f"({self.text(rest)}) * ({self.text(condition)})"
        proof = self.proof(rest, tree["then"], strict=False)
        return f"(apply (nonnegative_by ({whole})); [{self.closing} | apply product_nonnegative; [{proof} | {reason}]])"

    def _under(self, poly: PolyElement, tree: Tree, strict: bool) -> str:
        """Substitute (h + u)/c for v, where u = c*v - h >= 0 is given."""
        name = tree["variable"]
        place, condition = self.names.index(name), self.given[tree["given"]]
        coefficient, rest = self._coefficient(condition, place, 1), -self._coefficient(condition, place, 0)
        # v = (h + u)/c, multiplied by c**degree, is a polynomial in u >= 0.
        degree = max(monomial[place] for monomial in poly)
        symbol = self.ring.gens[place]
        moved = self.ring(0)
        for power in range(degree + 1):
            part = self._coefficient(poly, place, power)
            moved += part * (rest + symbol) ** power * coefficient ** (degree - power)
        v = self.terms.get(name, name)
        excess = f"(({self.text(coefficient)}) * {v} - ({self.text(rest)}))"
        inner = replace(self, terms={**self.terms, name: excess}, weak=self.weak | {name})
        scale = f"({self.text(coefficient)}) ^ {degree}"
        word = "positive" if strict else "nonnegative"
        texts = f"assert (0 <= {self.text(condition)}) by {self.reasons[tree['given']]}; assert (0 <= {excess}) by lra"
        follow = inner.proof(moved, tree["then"], strict=strict)
        return (
            f"({texts}; apply (unscaled_{word} ({scale})); "
            f"[above | apply ({word}_by ({inner.text(moved)})); [{self.closing} | {follow}]])"
        )

    def _empty(self, number: int) -> str:
        """Derive anything from a condition with only negative coefficients."""
        condition = self.given[number]
        negative = self.proof(-condition, {"positive": True}, strict=True)
        return (
            f"(exfalso; assert (0 <= {self.text(condition)}) by {self.reasons[number]}; "
            f"assert (0 < {self.text(-condition)}) by {negative}; lra)"
        )

    def _factors(self, poly: PolyElement, tree: Tree, strict: bool) -> str:
        word = "positive" if strict else "nonnegative"
        product, texts, script = self.ring(1), list[str](), "above" if strict else "below"
        for part in tree["factors"]:
            factor, power = self.polynomial(part["factor"]), part["power"]
            product *= factor**power
            if part["proof"].get("square"):
                if strict:
                    raise NotExported("a square may be zero")
                half = f"({self.text(factor)}) ^ {power // 2}" if power > 2 else self.text(factor)
                texts.append(f"(({half}) * ({half}))")
                script = f"(apply product_{word}; [{script} | apply square_nonnegative])"
                continue
            proof = self.proof(factor * part["sign"], part["proof"], strict=strict)
            for _ in range(power):
                texts.append(f"({self.text(factor * part['sign'])})")
                script = f"(apply product_{word}; [{script} | {proof}])"
        number = polynomial_text(self.ring(abs(poly.LC / product.LC)), self.names)
        return f"(apply ({word}_by ({' * '.join([f'({number})', *texts])})); [{self.closing} | {script}])"

    def _cut(self, poly: PolyElement, tree: Tree, strict: bool) -> str:
        first, second = tree["cut"]
        cases = []
        for larger, smaller, branch in ((second, first, "second"), (first, second, "first")):
            # Successive difference substitution (Yang): one case for each order of two variables.
            # The larger one becomes the smaller one plus a difference.
            symbols = dict(zip(self.names, self.ring.gens, strict=True))
            moved = poly.compose(symbols[larger], symbols[larger] + symbols[smaller])
            left, right = self.terms.get(larger, larger), self.terms.get(smaller, smaller)
            inner = replace(self, terms={**self.terms, larger: f"({left} - {right})"}, weak=self.weak | {larger})
            cases.append(inner.proof(moved, tree[branch], strict=strict))
        a, b = self.terms.get(first, first), self.terms.get(second, second)
        return f"(destruct (at_most_or ({a}) ({b})); [{cases[0]} | {cases[1]}])"

    def _quadratic(self, poly: PolyElement, tree: Tree, strict: bool) -> str:
        word = "positive" if strict else "nonnegative"
        place = self.names.index(tree["quadratic"])
        # a v**2 + b v + c > 0 where a > 0 and 4 a c > b**2.
        c, b, a = (self._coefficient(poly, place, power) for power in range(3))
        v = self.terms.get(tree["quadratic"], tree["quadratic"])
        whole = f"({self.text(a)}) * ({v} * {v}) + ({self.text(b)}) * {v} + ({self.text(c)})"
        first, second = tree["parts"]
        leading = self.proof(a, first, strict=True)
        discriminant = self.proof(4 * a * c - b * b, second, strict=strict)
        return f"(apply ({word}_by ({whole})); [{self.closing} | apply quadratic_{word}; [{leading} | {discriminant}]])"

    def _coefficient(self, poly: PolyElement, place: int, power: int) -> PolyElement:
        found = self.ring(0)
        for monomial, coefficient in poly.terms():
            if monomial[place] == power:
                found[(*monomial[:place], 0, *monomial[place + 1 :])] = coefficient
        return found

    def _peeled(self, poly: PolyElement, tree: Tree, strict: bool) -> str:
        # poly = rest + v * factor: both not negative, and one of them positive if the claim is strict.
        name = tree["peeled"]
        rest = self._coefficient(poly, self.names.index(name), 0)
        factor = (poly - rest).exquo(self.ring.gens[self.names.index(name)])
        first, second = tree["parts"]
        v = self.terms.get(name, name)
        whole = f"({self.text(rest)}) + {v} * ({self.text(factor)})"
        loose = [self.proof(rest, first, strict=False), self.proof(factor, second, strict=False)]
        if not strict:
            return (
                f"(apply (nonnegative_by ({whole})); [{self.closing} | apply sum_nonnegative; "
                f"[{loose[0]} | apply product_nonnegative; [below | {loose[1]}]]])"
            )
        choices = []
        for which in (0, 1):
            try:
                part = self.proof((rest, factor)[which], (first, second)[which], strict=True)
            except NotExported:
                continue
            if which and name in self.weak:
                continue
            choices.append(
                f"apply sum_positive_left; [{part} | apply product_nonnegative; [below | {loose[1]}]]"
                if which == 0
                else f"apply sum_positive_right; [{loose[0]} | apply product_positive; [above | {part}]]"
            )
        if not choices:
            raise NotExported("neither part of a sum is positive")
        tail = choices[0] if len(choices) == 1 else f"first [{' | '.join(choices)}]"
        return f"(apply (positive_by ({whole})); [{self.closing} | {tail}])"


def polynomial_text(poly: PolyElement, names: Iterable[str]) -> str:
    """Print a polynomial as a term, with a name or term for each generator.

    >>> from sympy import QQ
    >>> from sympy.polys.rings import ring
    >>> polynomials, x, y = ring("x, y", QQ)
    >>> polynomial_text(x**2 - 2*x*y + QQ(1, 3), ["x", "(y - x)"])
    'x ^ 2 - 2 * x * (y - x) + 1 / 3'
    """
    generators, text = list(names), ""
    for monomial, coefficient in poly.terms():
        value = Rational(int(coefficient.numerator), int(coefficient.denominator))
        powers = [g if e == 1 else f"{g} ^ {e}" for g, e in zip(generators, monomial, strict=True) if e]
        size = abs(value)
        number = [str(size.p) if size.q == 1 else f"{size.p} / {size.q}"] if size != 1 or not powers else []
        term = " * ".join([*number, *powers])
        sign = "- " if value < 0 else ""
        text = f"{text} {'-' if value < 0 else '+'} {term}" if text else f"{sign}{term}"
    return text or "0"
