"""Ends of ranges: the meaning of an interval's bracket for a formula, and its proof."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any, Final

from sympy import (
    Abs,
    Add,
    Expr,
    Integer,
    Max,
    Min,
    Mul,
    Poly,
    Pow,
    Rational,
    Symbol,
    log,
    nan,
    sqrt,
    together,
    zoo,
)

from symmetrics.algebra.derivative import smooth_pieces
from symmetrics.claims.families.limits import STEP
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.rocq.engine.paths import approach_script, departure_script
from symmetrics.rocq.engine.positivity import Signs
from symmetrics.rocq.engine.radicals import MAX_PIECES, piecewise_script, radical_script
from symmetrics.rocq.engine.statements import NotExported, Subject, scripted
from symmetrics.rocq.engine.terms import RATIONALS, lowest_terms, term

# -- Upper and lower bounds of formulas with many maxima ---------------------------------------------------------------


SOME_TABLE: Final = dict(zip(CELLS, map(Integer, (2, 3, 5, 7)), strict=True))
"""A table for finding the sign of a divisor, if it is constant."""


def maxima_script(formula: Expr, limit: Expr, side: str, *, strict: bool) -> str:
    """Prove a bound of a formula that is a quotient of two linear forms in cells and maxima.

    :param side: ``lower`` or ``upper``
    :raises NotExported: if it is another formula
    """
    # Maxima become names, in which numerator and denominator have to be linear.
    names = {node: Symbol(f"({term(node)})", positive=True) for node in sorted(formula.atoms(Max), key=str)}
    above, below = lowest_terms(formula.xreplace(names))
    gens = [*CELLS, *names.values()]
    linear = all(part.is_polynomial(*gens) and part.as_poly(*gens).total_degree() <= 1 for part in (above, below))
    if formula.has(Abs, Min, log) or any(not node.exp.is_Integer for node in formula.atoms(Pow)) or not linear:
        raise NotExported("a bound of a formula of many pieces, or with roots in them")
    if below.xreplace({name: node for node, name in names.items()}).xreplace(SOME_TABLE) < 0:
        above, below = -above, -below
    # Only maxima with a negative coefficient need a case distinction.
    gap = ((above - limit * below) * (1 if side == "lower" else -1)).expand()
    split = [node for node, name in names.items() if gap.coeff(name) < 0]
    cases = "; ".join(
        f"destruct (max_spec {' '.join(term(part, 3) for part in sorted(node.args, key=str))}) as [[? ?] | [? ?]]"
        for node in split
    )
    lemma = f"{'above' if side == 'lower' else 'below'}_by_quotient{'' if strict else '_weakly'}"
    closing = f"first [lra | {cases}; lra]" if cases else "lra"
    return (
        f"apply ({lemma} _ _ ({term(above)}) ({term(below)})); [maxima; lra | intros ?; fractions | maxima; {closing}]"
    )


# -- Upper and lower bounds of formulas with logarithms ----------------------------------------------------------------


SAMPLES: Final[tuple[tuple[Expr, ...], ...]] = tuple(product((Rational(1, 10), Integer(1), Integer(10)), repeat=4))
"""Tables for guessing which of two polynomials is larger."""
SQUARES: Final = "pose proof (pow2_ge_0 (TP - TN)); pose proof (pow2_ge_0 (FN - FP))"
"""Tactic for: a product is less than a quarter of the square of a sum."""
PAIRS: Final = ((TP, FN), (FP, TN), (TP, FP), (FN, TN), (FN + TP, FP + TN), (FP + TP, FN + TN))
"""Parts of a table whose entropies occur in metrics."""


def logarithmic_script(formula: Expr, limit: Expr, side: str, *, strict: bool) -> str:
    """Prove a bound of a formula that is a quotient of two sums with logarithms.

    :param side: ``lower`` or ``upper``
    :raises NotExported: if there are other functions in the formula than logarithms, minima, maxima and absolute values
    """
    lemma = f"{'above' if side == 'lower' else 'below'}_by_quotient{'' if strict else '_weakly'}"
    tries = [_quotient(piece.formula, limit, lemma) for piece in smooth_pieces(formula)]
    if len(tries) == 1:
        return f"logs_apart;\n      {tries[0]}"
    return "by_cases; logs_apart;\n      first [" + "\n      | ".join(tries) + "]"


def _quotient(formula: Expr, limit: Expr, lemma: str) -> str:
    """Return the proof for one smooth piece."""
    names: dict[Symbol, Expr] = {}
    # Logarithms of products become sums of logarithms of irreducible factors, each with a name.
    plain = formula.replace(log, lambda argument: _expanded(argument, names))
    if any(not node.exp.is_Integer for node in plain.atoms(Pow)):
        raise NotExported("a bound of a formula with roots and logarithms")
    above, below = lowest_terms(plain)
    if below.xreplace({name: log(argument) for name, argument in names.items()}).xreplace(SOME_TABLE).evalf() < 0:
        above, below = -above, -below
    # Products of cells and logarithms are entropies; single logarithms are compared by their arguments.
    has_products = any(
        set(part.free_symbols) & set(CELLS) and part.free_symbols & set(names)
        for side in (above, below)
        for part in side.expand().as_ordered_terms()
    )
    facts = _entropies(limit) if has_products else _orders(names)
    known = "".join(f"{fact};\n      " for fact in facts)
    return f"({known}apply ({lemma} _ _ ({term(above)}) ({term(below)})); [lra | intros ?; fractions | lra])"


def _expanded(argument: Expr, names: dict[Symbol, Expr]) -> Expr:
    """Expand the logarithm of a product, and note the names of its factors' logarithms."""
    if isinstance(argument, Mul):
        return Add(*(_expanded(factor, names) for factor in argument.args))
    if isinstance(argument, Pow) and argument.exp.is_Integer:
        return argument.exp * _expanded(argument.base, names)
    if isinstance(argument, Rational) and not isinstance(argument, Integer):
        return _expanded(Integer(argument.p), names) - _expanded(Integer(argument.q), names)
    if argument == 1:
        return Integer(0)
    name = Symbol(f"({term(log(argument))})", positive=True)
    names[name] = argument
    return name


def _orders(names: Mapping[Symbol, Expr]) -> Iterator[str]:
    """Yield proofs about single logarithms: comparisons and signs."""
    for argument in names.values():
        if _is_positive(argument - 1):
            yield f"assert (0 < {term(log(argument))}) by (rewrite <- ln_1; apply ln_increasing; [lra | order])"
    for smaller, larger in permutations(names.values(), 2):
        if _is_positive(larger - smaller):
            has_one_sign = all(coefficient > 0 for coefficient in Poly(larger - smaller, *CELLS).coeffs())
            step = "order" if has_one_sign else f"{SQUARES}; order"
            less = f"{term(log(smaller))} < {term(log(larger))}"
            yield f"assert ({less}) by (apply ln_increasing; [above | {step}])"


def _is_positive(gap: Expr) -> bool:
    """Whether a polynomial seems to be positive; the kernel has to find the proof."""
    return all(gap.xreplace(dict(zip(CELLS, table, strict=True))) > 0 for table in SAMPLES)


def _entropies(limit: Expr) -> Iterator[str]:
    """Yield applications of the known inequalities on entropies."""
    margins = (FN + TP, FP + TN, FP + TP, FN + TN, FN + FP + TN + TP)
    yield from (_use("mixed_positive", a, b, a + b) for a, b in PAIRS)
    if limit == 0:
        yield _use("dependence", TP, FN, FP, TN, *margins)
    if limit.has(log):
        yield _use("mixed_at_most", FN + TP, FP + TN, margins[-1])


def _use(lemma: str, *parts: Expr) -> str:
    return f"pose proof ({lemma} {' '.join(term(part, 3) for part in parts)} ltac:(split_sum))"


# ----------------------------------------------------------------------------------------------------------------------


MARGIN: Final = Symbol("e", positive=True)
"""Variable: the distance from a bound that a value has to reach, or the number that it has to exceed."""
FACTORS: Final = (1, 2, 4, 10, 40)
HALVES: Final = {Rational(1, 2), Rational(-1, 2)}
INFINITE: Final = {"-oo", "oo"}


def unbounded_end(side: str, path: Sequence[str], parameters: Sequence[Parameter], subject: Subject) -> str:
    """Prove that values along a path exceed every number, or fall below every number.

    :param side: ``upper`` or ``lower``
    :param path: the cells along it, as texts
    :raises NotExported: if no table on the path is found for each number
    """
    data = {"bound": "oo" if side == "upper" else "-oo", "path": path}
    return End(side, data, parameters, subject).beyond()


def why_inside(side: str, end: Mapping[str, Any], parameters: Sequence[Parameter], subject: Subject) -> str:
    """Prove that no value at positive cells is beyond an end of a range.

    :param side: ``upper`` or ``lower``
    :param end: of the certificate
    :raises NotExported: if its proof is not translated
    """
    return End(side, end, parameters, subject).inside()


class End:
    """One end of a range: statement and proof."""

    def __init__(
        self, side: str, data: Mapping[str, Any], parameters: Sequence[Parameter], subject: Subject, solve: str = ""
    ) -> None:
        """Read one end from a certificate.

        :param solve: the tactic for what coefficients show, if there is a better one than the claim tells
        """
        self.solve = solve
        self.side = side
        self.data = data
        self.parameters = parameters
        self.subject = subject
        self.bound = data["bound"]
        self.is_finite = self.bound not in INFINITE
        self.sign = 1 if side == "upper" else -1
        self.path = [parse_formula(text, (STEP.name,)) for text in data["path"]]
        self.is_attained = not any(cell.free_symbols for cell in self.path)
        brackets = "closed_" if self.is_attained else "open_" if data.get("strict") is True else ""
        self.word = f"{brackets}{side}_end" if self.is_finite else f"no_{side}_end"

    @property
    def limit(self) -> Expr:
        """The bound."""
        return parse_formula(self.bound, [p.name for p in self.parameters])

    def statement(self, applied: str) -> str:
        """Return the statement about the end."""
        return f"{self.word} {applied}" + (f" {term(self.limit, 3)}" if self.is_finite else "")

    @scripted
    def proof(self, bullet: str) -> str:
        """Return its proof."""
        margin = f"intros {MARGIN} {MARGIN}_positive. "
        if not self.is_finite:
            return f"  {bullet}{self.beyond()}."
        if self.subject.numbers is not RATIONALS and not self.is_attained:
            near = self._near() or approach_script(self.subject, self.path, self.side)
        else:
            near = self._attained() if self.is_attained else margin + self._table(self.limit - self.sign * MARGIN)
        inside, name = self.inside(), self.subject.formula.name  # also if the formula is a number in this case
        return (
            f"  {bullet}split.\n    + intros {' '.join(CELL_NAMES)} ? ? ? ? ?. "
            f"unfold {name}_defined, {name} in *. unpack.\n"
            f"      {inside}{'' if inside.endswith('}') else '.'}\n    + {near}."
        )

    def beyond(self) -> str:
        """Prove that there is no bound."""
        if self.subject.numbers is not RATIONALS:
            return departure_script(self.subject, self.path, self.side)
        return f"apply {self.word}_by. intros {MARGIN} {MARGIN}_positive. {self._table(MARGIN * self.sign)}"

    def inside(self) -> str:
        """Prove that no value is beyond the bound."""
        certificate = self.data["proof"]["certificate"]
        if self.solve:
            return f"({self.solve})"
        if self.subject.numbers is not RATIONALS:
            return self._inside_reals(certificate)
        if self.parameters and certificate["kind"] == "coefficients":
            return self.arithmetic
        if certificate["kind"] != "sign" or len(certificate["pieces"]) != 1:
            raise NotExported(f"a bound shown by {certificate['kind']}")
        (piece,) = certificate["pieces"]
        if "tree" not in piece:  # the formula equals the bound
            return "fractions_or_equal"
        if "positive" in piece["tree"] and all(len(part) == 2 for part in piece["denominator"]):
            return "fractions"
        signs = Signs(CELL_NAMES)
        numerator, below = signs.polynomial(piece["numerator"]), signs.product(piece["denominator"])
        proof = signs.proof(numerator, piece["tree"], strict=self.data["strict"] is True)
        return f"exceeds ({signs.text(numerator)}) ({below.text});\n      [{proof} | {below.proof}]"

    def _inside_reals(self, certificate: Mapping[str, Any]) -> str:
        if certificate["kind"] != "sign":
            raise NotExported(f"a bound shown by {certificate['kind']}")
        if self.parameters:
            raise NotExported("a bound with parameters between values that are not rational")
        strict, pieces = self.data["strict"] is True, certificate["pieces"]
        formula = self.subject.formula.expression
        if formula.has(log):
            return logarithmic_script(formula, self.limit, self.side, strict=strict)
        if len(pieces) > MAX_PIECES:
            return maxima_script(formula, self.limit, self.side, strict=strict)
        gap = self.sign * (self.limit - formula)
        if len(pieces) == 1 or any(piece["atoms"] for piece in pieces):
            try:
                return radical_script(gap, strict=strict)
            except NotExported:
                if self.limit != 0 or self.side != "lower" or not gap.has(Abs):
                    raise
                return "above" if strict else "below"
        return piecewise_script(gap, pieces, strict=strict)

    def _near(self) -> str:
        """Prove that values come close to the bound, if the formula is continuous at the path's end; or nothing."""
        continuity = self._continuity()
        if not continuity:
            return ""
        cells = " ".join(f"(fun s => {term(cell.xreplace({STEP: Symbol('s', positive=True)}))})" for cell in self.path)
        name = self.subject.formula.name
        return (
            f"apply (near_{'above' if self.side == 'lower' else 'below'} {name} {name}_defined {cells}).\n"
            f"      * intros s s_positive s_small. unfold {name}_defined. repeat split; premise.\n"
            f"      * unfold {name}. {continuity}"
        )

    def _continuity(self) -> str:
        """Return the tactic for the limit, or nothing; it names the irrational square roots there."""
        if self.subject.formula.expression.has(log) or not self.limit.is_rational:
            return ""
        place = {cell: entry.xreplace({STEP: Integer(0)}) for cell, entry in zip(CELLS, self.path, strict=True)}
        poles = any(entry.has(zoo) for entry in place.values())
        powers = [
            node
            for node in self.subject.formula.expression.atoms(Pow)
            if (node.exp.is_negative or node.exp.q > 2) and not poles
        ]
        if poles or any(value.has(nan, zoo) or value == 0 for value in (node.base.xreplace(place) for node in powers)):
            return ""
        roots = {node.base.xreplace(place) for node in self.subject.formula.expression.atoms(Pow) if node.exp in HALVES}
        odd = sorted(value for value in roots if value.is_Rational and value > 0 and not sqrt(value).is_Rational)
        if not odd:
            return "continuous"
        return f"first [continuous | continuous_at_root {term(odd[0], 3)}]"

    @property
    def arithmetic(self) -> str:
        """Tactic for signs by coefficients, at each end of the parameters' domains and inside."""
        if self.solve:
            return f"({self.solve})"
        cases = "; ".join(f"by_domain {p.name}" for p in self.parameters)
        return f"first [fractions | {cases}; fractions]" if cases else "fractions"

    def _attained(self) -> str:
        return self._at(self.path)

    def _table(self, target: Expr) -> str:
        """Return the choice of a table whose value is beyond a target."""
        for step in self._steps():
            cells = [together(cell.xreplace({STEP: step})) for cell in self.path]
            value = self.subject.formula.expression.xreplace(dict(zip(CELLS, cells, strict=True)))
            needed = [*(cell for cell in cells if cell.free_symbols), self.sign * (value - target)]
            if all(is_positive(part, self.parameters) for part in needed):
                return self._at(cells)
        raise NotExported("no table is found that is near enough to the end of the range")

    def _at(self, cells: Sequence[Expr]) -> str:
        """Return the choice of a table, with proofs that the formula is defined there and has the required value."""
        table, name = " ".join(term(cell, 3) for cell in cells), self.subject.formula.name
        if self.subject.numbers is not RATIONALS:
            return f"at_table {table}; [unfold {name}_defined; at_numbers | unfold {name}; at_numbers]"
        positive = f"first [fractions | {self.solve}]" if self.solve else self.arithmetic
        return (
            f"at_table {table} ltac:(idtac; {positive});\n"
            f"      [unfold {name}_defined; first [exact I | {self.arithmetic}] | unfold {name}; {self.arithmetic}]"
        )

    def _steps(self) -> Iterator[Expr]:
        one = Integer(1)
        if not self.is_finite:
            yield from (one / (factor * (1 + MARGIN)) for factor in FACTORS)
            return
        yield MARGIN
        large = [p for p in self.parameters if not p.upper.is_finite]
        whole = 1 + Add(*(p.symbol for p in large))
        small = Mul(*((p.symbol - p.lower) / whole for p in large if p.lower_open))
        room = Mul(*(p.upper - p.symbol for p in self.parameters if p.upper.is_finite and p.upper_open))
        parts = dict.fromkeys(
            [1 / whole, small / whole, one, room] if len(large) > 1 else [one, room, 1 / whole, small]
        )
        for part, factor in itertools.product(parts, FACTORS):
            yield MARGIN * part / (factor * (1 + MARGIN))


def is_positive(expression: Expr, parameters: Sequence[Parameter]) -> bool:
    """Whether the coefficients of a rational function in margin and parameters show that it is positive."""
    inside = {}
    for parameter in parameters:
        fresh = Symbol(f"{parameter.name}_inside", positive=True)
        lower, upper = parameter.lower, parameter.upper
        if not lower.is_finite:
            return False
        inside[parameter.symbol] = (lower + upper * fresh) / (1 + fresh) if upper.is_finite else lower + fresh
    above, below = lowest_terms(expression.xreplace(inside))
    signs = {
        coefficient > 0 for part in (above, below) for coefficient in Poly(part, *{MARGIN, *part.free_symbols}).coeffs()
    }
    return len(signs) == 1
