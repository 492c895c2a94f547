"""Do the values of some scores fix the value of another?"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from sympy import Expr, Integer, Mul, Pow, Rational, factor

from symmetrics.algebra.convert import convert, field_for
from symmetrics.auditing.determinations import TABLE, Derived, Determination, symbols_of
from symmetrics.auditing.fibres import (
    has_free_directions,
    moves_freely,
    opposite_orientations,
    small_partner,
    solutions_on_segment,
    tables_by_orientation,
)
from symmetrics.auditing.formula_candidates import formulas
from symmetrics.auditing.injectivity import OneToOne, is_linear, is_scale_free, never_zero, one_to_one
from symmetrics.auditing.pairs import (
    LARGEST,
    Pair,
    Table,
    agree_and_differ,
    in_order,
    smallest_exception,
    smallest_pair,
    tables_up_to,
)
from symmetrics.auditing.score_equations import Elimination, ScoreEquation, eliminations, equation_of
from symmetrics.claims.values import Link
from symmetrics.claims.verdict import Verdict
from symmetrics.data.counts import shown
from symmetrics.language.cells import CELLS, n, parameter_symbol
from symmetrics.language.formula import parse_formula
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.query.relations import EXCHANGES, relate, relations, suggested, usable
from symmetrics.tools.budget import SECONDS, checkpoint, required_seconds, within
from symmetrics.tools.errors import BudgetError, InputError, UnsupportedError
from symmetrics.tools.texts import number_of

SHARES: Final = tuple(Metric(f"{cell.name}/n", cell / n) for cell in CELLS)
"""The table up to scale, as four metrics."""
HELPERS: Final = ("tpr", "precision", "tnr", "npv", "prevalence", "positive_fraction")
"""Ratios of linear forms that are looked for among what the scores fix."""
PROBES: Final = ((31, 17, 13, 47), (3, 29, 11, 5), (23, 2, 41, 7), (5, 19, 2, 37), (2, 3, 43, 17), (53, 7, 5, 3))
"""Tables at which the values of a formula are compared before anything is proved of it."""
LONGEST: Final = 250
"""Operations in the longest formula that is proved."""
FORMULA: Final = "the formula equals the value at all these tables, and is defined at all of them"
_STARTS: Final = 24
"""Examples in the largest tables from which others with the same scores are computed."""
_WORDS: Final = {
    "transpose_of": "FN and FP are exchanged",
    "class_exchange_of": "the classes are exchanged",
    "diagonal_exchange_of": "TP and TN are exchanged",
}


def determined(
    scores: Iterable[Metric | Expr | str], of: Metric | Expr | str = TABLE, *, seconds: float = SECONDS
) -> Determination:
    """Return whether the exact values of some scores fix the value of another one.

    The question is about all tables whose four cells are positive; which tables with zero cells are exceptions is
    looked for by a search.  Parameters have their defaults.

    :param scores: metrics, names of the library, or formulas
    :param of: likewise, such as ``"prevalence"``; or ``"table"`` for the four cells up to scale
    :param seconds: how long it may take; what is not decided by then is open
    :returns: a :class:`Determination`, with a formula or a proof, or with two tables that agree and differ
    :raises InputError: on an empty list, a score that is given twice, or one that is constant
    :raises UnknownNameError: if no metric of the library has a name

    >>> determined(["precision", "recall"], of="f1").formula
    2*precision*recall/(precision + recall)
    >>> found = determined(["precision", "recall"], of="accuracy")
    >>> found.status, found.tables
    ('undetermined', ((1, 1, 1, 1), (1, 1, 1, 2)))
    >>> determined(["accuracy", "recall", "specificity"], of="prevalence").unless
    recall - specificity
    """
    question = Question.of(scores, seconds)
    return question.answer(*read_value(of))


def read_value(of: Metric | Expr | str) -> tuple[str, Metric | None]:
    """Return the name of what is asked, and the metric; None for the table.

    :raises InputError: if it is no metric
    """
    if isinstance(of, str) and of.strip().casefold() == TABLE:
        return TABLE, None
    metric = as_metric(of)
    return (of.strip() if isinstance(of, str) else metric.name), metric


class Question:
    """Scores, and what they fix; what was found for one value serves the next.

    :param scores: by name, each at the defaults of its parameters
    """

    def __init__(self, scores: Mapping[str, Metric], seconds: float = SECONDS) -> None:
        self.scores = dict(scores)
        self.seconds = seconds
        self.expressions = {name: metric.expr for name, metric in scores.items()}
        self.symbols = dict(zip(scores, symbols_of(scores), strict=True))
        self.in_cells = {self.symbols[name]: formula for name, formula in self.expressions.items()}

    @classmethod
    def of(cls, scores: Any, seconds: float = SECONDS) -> Question:
        """Read the scores.

        :raises InputError: on an empty list, a score that is given twice, or one that is constant
        """
        if isinstance(scores, str | Metric | Expr) or not isinstance(scores, Iterable):
            raise InputError(f"{shown(scores)} is one score, or none; pass a list, as in ['precision', 'recall']")
        read: dict[str, Metric] = {}
        for one in scores:
            given = as_metric(one)
            name = one.strip() if isinstance(one, str) else given.name
            metric = Metric(name, given.at_defaults()) if given.parameters else given
            for other, known in read.items():
                if name == other or known.expr == metric.expr:
                    raise InputError(f"{name} is the same score as {other}; give each score once")
            if not metric.expr.free_symbols & set(CELLS):
                raise InputError(f"{name} is the same for all tables; leave it out")
            read[name] = metric
        if not read:
            raise InputError("no score is given; give one or more, as in ['precision', 'recall']")
        return cls(read, required_seconds(seconds))

    # -- the answer ----------------------------------------------------------------------------------------------------

    def answer(self, name: str, metric: Metric | None, *, roots: bool = True) -> Determination:
        """Return whether the scores fix a value.

        :param name: of the value
        :param metric: the value; None for the table up to scale
        :param roots: whether a formula with roots of quadratic equations is looked for where it is not needed as proof
        """
        if metric is not None and metric.parameters:
            metric = Metric(name, metric.at_defaults())
        try:
            return within(lambda: self._decided(name, metric, roots), seconds=self.seconds, shown=f"what fixes {name}")
        except BudgetError as error:
            return Determination(self.scores, name, metric, "open", str(error))

    def _decided(self, name: str, metric: Metric | None, roots: bool) -> Determination:
        scores = list(self.scores.values())
        pair = smallest_pair(scores, metric)
        if pair is not None:
            return self._undetermined(name, metric, pair, self._reason(metric, pair))
        derived = self.derived(name, metric)
        if _is_everywhere(derived):
            return self._determined(name, metric, derived, FORMULA)
        if (metric is None or is_scale_free(metric.expr)) and self.proof is not None:
            if roots and metric is not None and not derived:
                derived = self.derived(name, metric, roots=True)
            proof, steps = self.proof
            told = "".join(f"{one.name} = {one.formula}; " for one in steps)
            return self._determined(name, metric, derived, f"{told}{proof.sentence}", proof, steps)
        if metric is not None and (order := self._same_order(metric)) is not None:
            return replace(self._determined(name, metric, derived, order[0]), order=order[1])
        if self._moves(metric):
            reason = (
                f"the gradients at {PROBES[0]} show that {name} can be changed while the scores stay; among tables of "
                f"up to {number_of(LARGEST, 'example')} no two agree in all scores and differ in {name}"
            )
            return self._undetermined(name, metric, self._distant_pair(metric), reason, is_smallest=False)
        signs = opposite_orientations(list(self.expressions.values()), self._sides) if metric is None else None
        pair = self._distant_pair(metric)
        if signs is not None or pair is not None:
            reason = "one table is computed from the other by the equations of the scores"
            if signs is not None:
                reason = (
                    f"the determinant of the gradients of the scores has opposite signs at {signs[0]} and {signs[1]}, "
                    "so that the scores are not one-to-one"
                )
            return self._undetermined(name, metric, pair, reason, is_smallest=False)
        derived = derived or self.derived(name, metric, roots=True)
        if _is_everywhere(derived):
            return self._determined(name, metric, derived, FORMULA)
        told = f"no two tables of up to {number_of(LARGEST, 'example')} agree and differ, and no proof was found"
        if derived:
            told = f"the formula is proved where it is defined, and elsewhere nothing is: {told}"
        return Determination(self.scores, name, metric, "open", told, derived)

    def _determined(
        self,
        name: str,
        metric: Metric | None,
        derived: tuple[Derived, ...],
        reason: str,
        proof: OneToOne | None = None,
        steps: tuple[Derived, ...] = (),
    ) -> Determination:
        return Determination(
            self.scores,
            name,
            metric,
            "determined",
            reason,
            derived,
            steps,
            proof,
            solutions=1 if metric is None else None,
            exceptions=smallest_exception(list(self.scores.values()), metric),
        )

    def _undetermined(
        self, name: str, metric: Metric | None, pair: Pair | None, reason: str, *, is_smallest: bool = True
    ) -> Determination:
        derived: tuple[Derived, ...] = ()
        solutions = math.inf if self.is_free else None
        if not self.is_free or not self._moves(metric):
            derived = self.derived(name, metric)
        if pair is not None and solutions is None:
            solutions = solutions_on_segment(self.expressions.values(), pair[0])
        return Determination(
            self.scores,
            name,
            metric,
            "undetermined",
            reason,
            derived,
            tables=pair,
            is_smallest=is_smallest and pair is not None,
            solutions=solutions,
        )

    def _reason(self, metric: Metric | None, pair: Pair) -> str:
        """Return why two tables agree: a symmetry that all scores have, if there is one."""
        image = dict(zip(CELLS, pair[0], strict=True))
        for exchange, cells in EXCHANGES.items():
            if tuple(image[cell] for cell in cells) == pair[1] and all(
                relate(one, one, exchange).status == "proved" for one in self.scores.values()
            ):
                changed = "the table" if metric is None else metric.name
                verb = "each score is" if len(self.scores) > 1 else "the score is"
                return f"{verb} unchanged when {_WORDS[exchange]}, and {changed} is not: one such table and its image"
        return "two tables agree and differ"

    # -- formulas ------------------------------------------------------------------------------------------------------

    @cached_property
    def _eliminations(self) -> tuple[Elimination, ...]:
        found = [equation_of(formula, self.symbols[name]) for name, formula in self.expressions.items()]
        equations: tuple[ScoreEquation, ...] = tuple(one for one in found if one is not None)
        return eliminations(equations) if equations else ()

    def derived(self, name: str, metric: Metric | None, *, roots: bool = False) -> tuple[Derived, ...]:
        """Return a value, or the four shares of the table, as formulas in the scores; empty if they are not found.

        :param roots: whether the cells may be roots of quadratic equations
        """
        if metric is not None:
            one = self.derive(name, metric, roots=roots)
            return () if one is None else (one,)
        shares = []
        for share in SHARES:
            one = self.derive(share.name, share, roots=roots)
            if one is None:
                return ()
            shares.append(one)
        return tuple(shares)

    def derive(self, name: str, metric: Metric, *, roots: bool = False) -> Derived | None:
        """Return a value as a formula in the scores, proved wherever it is defined; None if none is found.

        A formula that is defined at all tables of positive cells is preferred.
        """
        best: Derived | None = None
        tried: set[Expr] = set()
        for formula in self._candidates(metric, roots):
            checkpoint()
            if formula in tried or formula.count_ops() > LONGEST or not self._fits(formula, metric):
                continue
            tried.add(formula)
            unless = self._may_vanish(formula)
            if best is not None and unless is not None:
                continue
            in_cells = Metric(f"{name} from {', '.join(self.scores)}", formula.xreplace(self.in_cells))
            verdict = relate(metric, in_cells, "equal", seconds=self.seconds)
            if verdict.status == "proved":
                best = Derived(name, metric, formula, in_cells, verdict, unless)
                if unless is None:
                    break
        return best

    def _candidates(self, metric: Metric, roots: bool) -> Iterator[Expr]:
        for name, formula in self.expressions.items():
            if formula == metric.expr:
                yield self.symbols[name]
        for elimination in self._eliminations:
            if elimination.has_roots != roots:
                continue
            yield from formulas(elimination, metric.expr, list(self.symbols.values()), self._sign)
        if not roots:
            yield from self._of_one_score(metric)

    def _of_one_score(self, metric: Metric) -> Iterator[Expr]:
        """Yield functions of a single score that its values suggest: affine ones, and links between orders."""
        for name, relation, verdict in self._related(metric, "affine", "rank_equivalent", "rank_reversed"):
            own = self.symbols[name]
            if relation == "affine":
                scale, shift = (parse_formula(verdict.evidence.data[key]) for key in ("a", "b"))
                yield scale * own + shift
            elif isinstance(verdict.found, Link) and verdict.found.left == "M":
                linked = parse_formula(verdict.found.right, ["partner"])
                yield linked.xreplace({parameter_symbol("partner"): own})

    def _related(self, metric: Metric, *asked: str) -> Iterator[tuple[str, str, Verdict]]:
        """Yield the scores to which a value has one of some relations, each with its proof."""
        mine = usable(metric.expr)
        for name, score in self.scores.items() if mine is not None else ():
            other = usable(score.expr)
            for relation in () if mine is None or other is None else suggested(mine, other):
                if relation in asked:
                    verdict = relate(metric, score, relation, seconds=self.seconds)
                    if verdict.status == "proved":
                        yield name, relation, verdict

    def _sign(self, formula: Expr) -> int:
        """Return the sign of an expression in the scores if it is the same at a few tables, else 0."""
        signs = set()
        for probe in PROBES:
            at = dict(zip(CELLS, map(Integer, probe), strict=True))
            value = formula.xreplace({symbol: one.xreplace(at).evalf(30) for symbol, one in self.in_cells.items()})
            signs.add(1 if value.is_positive else -1 if value.is_negative else 0)
        return signs.pop() if len(signs) == 1 else 0

    def _fits(self, formula: Expr, metric: Metric) -> bool:
        """Whether the values of a formula agree with those of a metric at a few tables, wherever it has one."""
        agreed = 0
        for probe in PROBES:
            at = dict(zip(CELLS, map(Integer, probe), strict=True))
            values = {symbol: value.xreplace(at).evalf(30) for symbol, value in self.in_cells.items()}
            found, wanted = formula.xreplace(values).evalf(20), metric.expr.xreplace(at).evalf(20)
            if found.is_finite and found.is_real:
                if abs(found - wanted) > Rational(1, 10**9) * (1 + abs(wanted)):
                    return False
                agreed += 1
        return agreed > 1

    def _may_vanish(self, formula: Expr) -> Expr | None:
        """Return what may be zero, at some table of positive cells, under the roots and in the denominators."""
        found: dict[Expr, None] = {}
        for power in formula.atoms(Pow):
            if power.exp.is_Integer and power.exp.is_positive:
                continue
            for part in Mul.make_args(factor(power.base)):
                base = part.as_base_exp()[0]
                field = field_for()
                try:
                    is_safe = never_zero(convert(base.xreplace(self.in_cells), field), field)
                except UnsupportedError:
                    is_safe = False
                if not is_safe:
                    found[base] = None
        return Mul(*found) if found else None

    # -- proofs --------------------------------------------------------------------------------------------------------

    def _steps(self, *, roots: bool) -> tuple[Derived, ...]:
        """Return common rates that some of the scores fix, where fewer than two scores are ratios of linear forms."""
        missing = 2 - sum(map(is_linear, self.expressions.values()))
        known, found = set(self.expressions.values()), list[Derived]()
        chosen = [self] if roots else [self._part(names) for names in itertools.combinations(self.scores, 2)]
        for name, part in itertools.product(HELPERS, chosen):
            if len(found) >= missing:
                break
            metric = as_metric(name)
            one = None if metric.expr in known else part.derive(name, metric, roots=roots)
            if one is not None and one.unless is None:
                found.append(one)
                known.add(metric.expr)
        return tuple(found)

    def _part(self, names: Iterable[str]) -> Question:
        return Question({name: self.scores[name] for name in names}, self.seconds)

    @cached_property
    def proof(self) -> tuple[OneToOne, tuple[Derived, ...]] | None:
        """A proof that the scores fix the table up to scale, with the rates that it uses; None if none is found."""
        steps: tuple[Derived, ...] = ()
        for roots in (False, True):
            if len(self.scores) > 2:
                steps += self._steps(roots=roots)
            found = one_to_one(self.expressions | {one.name: one.metric.expr for one in steps}, self.seconds)
            if found is not None:
                return found, tuple(one for one in steps if one.name in found.scores)
        return None

    def _same_order(self, metric: Metric) -> tuple[str, tuple[Metric, Verdict]] | None:
        """Return why a value is a function of one score: both rank all tables alike, or in reverse."""
        for name, relation, verdict in self._related(metric, "rank_equivalent", "rank_reversed"):
            return f"{metric.name} {relations[relation].yes.format(name)}", (self.scores[name], verdict)
        return None

    @cached_property
    def is_free(self) -> bool:
        """Whether almost every table has infinitely many others, up to scale, with its scores."""
        return has_free_directions(list(self.expressions.values()))

    def _moves(self, metric: Metric | None) -> bool:
        return moves_freely(list(self.expressions.values()), None if metric is None else metric.expr, PROBES[0])

    @cached_property
    def _sides(self) -> tuple[list[Table], list[Table]]:
        return tables_by_orientation(list(self.expressions.values()))

    def _distant_pair(self, metric: Metric | None) -> Pair | None:
        """Return two tables that agree and differ, one of them computed from the equations of the scores."""
        scores = list(self.scores.values())
        if not self._eliminations or len(self._eliminations[0].equations) < len(scores):
            return None
        elimination = min(self._eliminations, key=lambda one: (-len(one.steps), one.length))

        def agrees(pair: Pair) -> bool:
            return agree_and_differ(scores, metric, *pair)

        def search() -> Pair | None:
            # Two tables with equal scores lie on either side of where the determinant is zero.
            found = small_partner(elimination, self._sides[0], agrees)
            return found or small_partner(elimination, in_order(tables_up_to(_STARTS)), agrees)

        try:
            return within(search, seconds=self.seconds / 2)
        except BudgetError:
            return None


def _is_everywhere(derived: Sequence[Derived]) -> bool:
    """Whether there are formulas that are defined at all tables of positive cells."""
    return bool(derived) and all(one.unless is None for one in derived)
