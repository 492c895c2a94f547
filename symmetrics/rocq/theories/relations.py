"""Theories of statements on two formulas: verdicts under names of their own, each with what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from sympy import Expr

from symmetrics.claims import Comparison, FiniteLimit, SameOrder
from symmetrics.claims.values import Link
from symmetrics.claims.verdict import Verdict
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.library import metrics
from symmetrics.library.selections import GARCIA_METRICS
from symmetrics.metric import Metric
from symmetrics.query.graph import close_relations
from symmetrics.query.order import LESS_EQUAL, Order, order
from symmetrics.query.relations import equation_behind
from symmetrics.rocq.engine.lemmas import NotExported, Subject
from symmetrics.rocq.engine.statements import Formula
from symmetrics.rocq.engine.terms import RATIONALS, REALS, Numbers, numbers_of
from symmetrics.rocq.families import lemma
from symmetrics.rocq.judge.compiling import EFFECTS, KEYWORDS, STATEMENT
from symmetrics.rocq.theories.theory import digest, headed, is_kept, values_lemma, withheld
from symmetrics.tools.errors import UnsupportedError
from symmetrics.tools.sources import fingerprint

PRELUDES: Final = {RATIONALS: "Relations", REALS: "RelationsReal"}
ENDINGS: Final = {RATIONALS: "", REALS: "_reals"}
"""What the name of a file with statements over these numbers ends with."""
_COMMENT_MARKS: Final = re.compile(r'\(\*|\*\)|"')


@dataclass(frozen=True)
class Sentence:
    """A verdict under a name.

    :param name: an identifier
    :param verdict: the verdict, on one formula or on two
    :param names: identifiers of the formula and of the other one; by default those of the library, or made of the name
    :param comment: what stands above it, and above those that follow with the same
    :param weaker: in what the verdict says less than the sentence that it is about; empty if in nothing
    """

    name: str
    verdict: Verdict
    names: tuple[str, ...] = ()
    comment: str = ""
    weaker: str = ""

    @property
    def expressions(self) -> tuple[Expr, ...]:
        """What it is about: the formula, and the other one if there is one."""
        claim = self.verdict.claim
        partner = claim.partner if isinstance(claim, Comparison | SameOrder) else None
        return (claim.subject,) if partner is None else (claim.subject, partner)

    @property
    def numbers(self) -> Numbers:
        """The numbers that it is about: those of its formulas, of their tables, and of the link between them."""
        claim, terms = self.verdict.claim, list(self.expressions)
        if isinstance(self.verdict.found, Link) and isinstance(claim, SameOrder):
            link = self.verdict.found
            terms += [parse_formula(side, ("M", "partner")) for side in (link.left, link.right)]
        if isinstance(claim, Comparison):
            terms += [claim.relation, *(cell for table in claim.tables for cell in table)]
        return REALS if any(numbers_of(each) is REALS for each in terms) else RATIONALS

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """What it is about, under identifiers."""
        parameters = self.verdict.claim.parameters
        own = (f"{self.name}_left", f"{self.name}_right") if len(self.expressions) > 1 else (f"{self.name}_formula",)
        claim = self.verdict.claim
        over = claim.over if isinstance(claim, Comparison | FiniteLimit) else CELL_NAMES
        library = _library_names() if over == CELL_NAMES else {}
        known = (library.get((formula, parameters)) for formula in self.expressions)
        names = self.names or tuple(name or default for name, default in zip(known, own, strict=True))
        pairs = zip(names, self.expressions, strict=True)
        return tuple(Formula(*pair, parameters, self.numbers, over) for pair in pairs)


@cache
def _library_names() -> dict[tuple[Expr, tuple[Parameter, ...]], str]:
    """Return the names of the library's metrics by their formulas."""
    return {(metric.expr, metric.parameters): name for name, metric in reversed(list(metrics.items()))}


def origin_of(*parts: str) -> str:
    """Return a hash of what theories of relations are made from: some texts, and the code."""
    return digest(*parts, fingerprint(__name__), str(withheld()))


def kept(stems: Iterable[str], existing: Mapping[str, str], origin: str) -> dict[str, str]:
    """Return those of the existing texts that are still good, or none if one of the files does not hold one.

    :param stems: the names of the files, without what the names of those over the real numbers end with
    """
    found = dict[str, str]()
    for stem in stems:
        names = [stem + ending for ending in ENDINGS.values()]
        own = {name: existing[name] for name in names if is_kept(existing.get(name), origin)}
        if not own:
            return {}
        found |= own
    return found


def relation_theories(stem: str, title: str, sentences: Sequence[Sentence], origin: str) -> dict[str, str]:
    """Return theories with a lemma on every decided verdict: one over the rational numbers, and one over the real ones.

    :param stem: the name of the first file; that of the second one has an ending
    :param title: what stands above everything
    :param origin: what they are made from
    :returns: the texts by the names of the files, without ``.v``
    """
    found = dict[str, str]()
    for numbers, ending in ENDINGS.items():
        chosen = [sentence for sentence in sentences if sentence.numbers is numbers]
        if chosen:
            found[stem + ending] = headed(origin, _theory(stem, title, chosen, numbers))
    return found


def _theory(stem: str, title: str, sentences: Iterable[Sentence], numbers: Numbers) -> str:
    known: dict[str, Formula] = {}
    parts = [f"(* {_plain(title)} *)\nFrom Symmetrics Require Import {PRELUDES[numbers]}.\nOpen Scope {numbers.scope}."]
    above = ""
    for sentence in sentences:
        status = f"(* verdict: {sentence.name}: {sentence.verdict.status} *)"
        is_new = sentence.comment not in ("", above)
        parts.append(f"(* {_plain(sentence.comment)} *)\n{status}" if is_new else status)
        above = sentence.comment
        try:
            if (stem, sentence.name) in withheld():
                raise NotExported(withheld()[stem, sentence.name])
            parts += _stated(sentence, known)
        except (NotExported, UnsupportedError) as reason:
            parts.append(f"(* not exported: {sentence.name}: {_plain(str(reason))} *)")
    return "\n\n".join(parts) + "\n"


def _stated(sentence: Sentence, known: dict[str, Formula]) -> list[str]:
    """Return the lemma of a sentence, after definitions of those of its formulas that are not known yet."""
    verdict = sentence.verdict
    if verdict.status == "open":
        raise NotExported("it is open")
    formulas = sentence.formulas
    if all(formula.is_plain for formula in formulas):
        raise NotExported("what it is about are numbers once the tables are in the formula")
    first, *others = formulas
    if taken := sorted((STATEMENT | EFFECTS | KEYWORDS | set(metrics)) & set(first.variables)):
        raise NotExported(f"the variable {taken[0]} has the name of a word of statements, or of a formula")
    distinct = {other.expression: other for other in others if other.expression != first.expression}
    subject = Subject(first, distinct, others[0] if others else None)
    found = lemma(sentence.name, verdict.claim, verdict.decision, subject)
    if any(known.get(formula.name, formula) != formula for formula in formulas):
        raise NotExported("another formula has its name")
    named = {formula.name: formula for formula in formulas if not formula.is_plain}
    fresh = [formula for name, formula in named.items() if name not in known]
    known |= {formula.name: formula for formula in fresh}
    texts = [part for formula in fresh for part in (formula.definition(), _values(formula))]
    reasons = "; ".join(filter(None, [sentence.weaker, found.weaker]))
    return [*texts, found.text, *([f"(* weaker: {sentence.name}: {_plain(reasons)} *)"] if reasons else [])]


def _values(formula: Formula) -> str:
    if formula.variables != CELL_NAMES:
        return values_lemma(formula)
    return values_lemma(formula, Metric(formula.name, formula.expression, parameters=formula.parameters))


def _plain(text: str) -> str:
    """Return a text that may stand in a comment."""
    return _COMMENT_MARKS.sub(lambda found: {"(*": "( *", "*)": "* )"}.get(found[0], "'"), text)


# ----------------------------------------------------------------------------------------------------------------------
# Theories of the relations between metrics of the library: what is nowhere larger than what, and what is the same.


ORDERED: Final = (
    *GARCIA_METRICS,
    *("fpr", "fnr", "f_beta", "weighted_accuracy"),
    *("jaccard", "fowlkes_mallows", "mcc", "harmonic_class_accuracy", "informedness", "markedness"),
)
"""The metrics of the invariance table, the others of Tan et al., and what stands in chains with them."""
ORDER_TITLE: Final = (
    "Which metrics are nowhere larger than which others: the neighbours, from which everything else follows by "
    "transitivity; and by which tables the converse fails.  Parameters are at their defaults."
)
RELATION_TITLE: Final = (
    "Which metrics are the same function, an affine function of one another, the same but for an exchange of cells, "
    "or order all tables alike.  Parameters are at their defaults."
)
DECIDERS: Final = ("symmetrics.query.graph", "symmetrics.query.order")


def atlas_theories(metrics: Mapping[str, Metric], existing: Mapping[str, str]) -> dict[str, str]:
    """Return the theories of relations between metrics, each at the defaults of its parameters.

    :param metrics: the metrics by name
    :param existing: what the files held before, by their names; they are kept if the same code wrote them from the same
        formulas
    :returns: the texts by the names of the files, without ``.v``
    """
    definitions = [f"{name} = {formula_text(metric.at_defaults())}" for name, metric in metrics.items()]
    origin = origin_of(*definitions, *map(fingerprint, DECIDERS))
    found = kept(("order", "relations"), existing, origin)
    if found:
        return found
    ordered = [metrics[name] for name in ORDERED if name in metrics]
    below = list(_order_sentences(order(ordered, progress=False)))
    alike = list(_relation_sentences(metrics))
    return relation_theories("order", ORDER_TITLE, below, origin) | relation_theories(
        "relations", RELATION_TITLE, alike, origin
    )


def _order_sentences(found: Order) -> Iterator[Sentence]:
    for (first, second), verdict in sorted(found.direct.items(), key=lambda item: item[0]):
        if verdict.status == "open":
            continue
        yield Sentence(f"{first}_{LESS_EQUAL}_{second}", verdict, (first, second))
        if verdict.status == "proved" and found.status(second, first) == "refuted":
            converse = found.verdict(second, first)
            yield Sentence(f"{second}_{LESS_EQUAL}_{first}", converse, (second, first))


def _relation_sentences(metrics: Mapping[str, Metric]) -> Iterator[Sentence]:
    for first, second, relation, equation, verdict in close_relations(metrics, progress=False):
        if verdict.status != "open":
            comment = equation.replace("M", first, 1) if verdict.status == "proved" else ""
            yield Sentence(f"{first}_{relation}_{second}", equation_behind(verdict), (first, second), comment)
