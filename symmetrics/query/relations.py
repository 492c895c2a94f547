"""Relations: sentences about two metrics, and how each becomes a claim about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sympy import Expr, Integer

from symmetrics.checker import check as check_evidence
from symmetrics.claims import Affine, Claim, Identity, Inequality, SameOrder, claim_from_dict, value_symbol
from symmetrics.claims.evidence import Decision
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, Table
from symmetrics.language.definition import Definition
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.tools.budget import SECONDS
from symmetrics.tools.catalogue import Catalogue
from symmetrics.tools.errors import CertificateError, InputError

FIRST: Final = value_symbol(0)
SECOND: Final = value_symbol(1)

EXCHANGES: Final[dict[str, Table]] = {
    "transpose_of": (TP, FP, FN, TN),
    "class_exchange_of": (TN, FP, FN, TP),
    "diagonal_exchange_of": (TN, FN, FP, TP),
}
"""For each exchange of cells, the table at which the second metric is taken."""


@dataclass(frozen=True)
class Relation:
    """A statement about two metrics M and L.

    Both are taken at the defaults of their parameters; a parameter without a default stays free, and one name stands
    for one parameter.  The statement is asserted at all positive tables at which both are defined.

    :param name: the key
    :param statement: the law, in the cells, M and L
    :param claim_of: what it says about two metrics
    :param title: what M is of L, or compared with it, in words
    :param aliases: other names
    :param yes: what is said of M where it holds, after its name, in everyday words; ``{}`` stands for L's
    :param no: what is said where it does not
    """

    name: str
    statement: str
    claim_of: Callable[[Expr, Expr, tuple[Parameter, ...]], Claim]
    title: str = ""
    aliases: tuple[str, ...] = ()
    yes: str = "stands in the relation to {}"
    no: str = "does not stand in the relation to {}"

    def claim(self, first: Definition, second: Definition) -> Claim:
        """Return what the relation says about two metrics.

        :raises InputError: if the two declare one parameter in different ways
        """
        free = {p.name: p for p in (*first.parameters, *second.parameters) if p.default is None}
        for parameter in (*first.parameters, *second.parameters):
            if parameter.default is None and free[parameter.name] != parameter:
                raise InputError(
                    f"{parameter.name} is another parameter in {first.name} than in {second.name}; rename or bind one"
                )
        subject, partner = (metric.expr.xreplace(metric.default_values) for metric in (first, second))
        return self.claim_of(subject, partner, tuple(free.values()))


def _identity(relation: Expr, image: Table = CELLS) -> Callable[[Expr, Expr, tuple[Parameter, ...]], Claim]:
    return lambda first, second, free: Identity(first, free, (CELLS, image), (), relation, second)


relations: Final[Catalogue[Relation]] = Catalogue(
    "relation of two metrics",
    (
        Relation(
            "equal",
            "M = L",
            _identity(FIRST - SECOND),
            "the same function",
            ("equal_to",),
            yes="is the same function as {}",
            no="is another function than {}",
        ),
        Relation(
            "complement_of",
            "M = 1 - L",
            _identity(FIRST + SECOND - Integer(1)),
            "the complement",
            yes="is 1 minus {}",
            no="is not 1 minus {}",
        ),
        Relation(
            "negation_of",
            "M = -L",
            _identity(FIRST + SECOND),
            "the negative",
            ("negation",),
            yes="is the negative of {}",
            no="is not the negative of {}",
        ),
        Relation(
            "affine",
            "M = a*L + b for some numbers a and b",
            lambda first, second, free: Affine(first, free, second),
            "an affine function",
            ("affine_in",),
            yes="is {} times a number, plus a number",
            no="is not {} times a number, plus a number",
        ),
        Relation(
            "transpose_of",
            "M(TP, FN, FP, TN) = L(TP, FP, FN, TN)",
            _identity(FIRST - SECOND, EXCHANGES["transpose_of"]),
            "the same with FN and FP exchanged",
            yes="is {} with false negatives and false positives exchanged",
            no="is not {} with false negatives and false positives exchanged",
        ),
        Relation(
            "class_exchange_of",
            "M(TP, FN, FP, TN) = L(TN, FP, FN, TP)",
            _identity(FIRST - SECOND, EXCHANGES["class_exchange_of"]),
            "the same with the classes exchanged",
            yes="is {} with the two classes exchanged",
            no="is not {} with the two classes exchanged",
        ),
        Relation(
            "diagonal_exchange_of",
            "M(TP, FN, FP, TN) = L(TN, FN, FP, TP)",
            _identity(FIRST - SECOND, EXCHANGES["diagonal_exchange_of"]),
            "the same with TP and TN exchanged",
            yes="is {} with true positives and true negatives exchanged",
            no="is not {} with true positives and true negatives exchanged",
        ),
        Relation(
            "rank_equivalent",
            "M(x) < M(y) if and only if L(x) < L(y)",
            lambda first, second, free: SameOrder(first, free, second),
            "a strictly increasing function",
            yes="ranks all tables as {} does",
            no="ranks some tables otherwise than {} does",
        ),
        Relation(
            "rank_reversed",
            "M(x) < M(y) if and only if L(x) > L(y)",
            lambda first, second, free: SameOrder(first, free, second, reverse=True),
            "a strictly decreasing function",
            yes="ranks all tables in the opposite order to {}",
            no="does not rank all tables in the opposite order to {}",
        ),
        Relation(
            "less_equal",
            "M <= L",
            lambda first, second, free: Inequality(first, free, (CELLS, CELLS), (), SECOND - FIRST, second),
            "nowhere larger",
            ("at_most",),
            yes="is nowhere larger than {}",
            no="is sometimes larger than {}",
        ),
    ),
)


def relate(
    first: Metric | Expr | str,
    second: Metric | Expr | str,
    relation: Relation | str = "equal",
    *,
    seconds: float = SECONDS,
) -> Verdict:
    """Decide whether two metrics stand in a relation.

    :param first: a metric, an expression over the cells, or the name of a library metric
    :param second: another one
    :param relation: a relation or its key, one of ``symmetrics.query``
    :param seconds: how long it may take; what is not decided by then is open
    :returns: a verdict on the property ``relation:second`` of the first metric; for ranks its value is the link

    >>> relate("f1", "jaccard", "rank_equivalent").value
    'M = 2*partner/(partner + 1)'
    >>> relate("f1", "accuracy", "less_equal").witness.tables[0]
    Counts(tp=2, fn=1, fp=1, tn=1)
    """
    subject, partner = as_metric(first), as_metric(second)
    asked = relation if isinstance(relation, Relation) else relations[relation]
    property = f"{asked.name}:{partner.name}"
    return decide_and_check(asked.claim(subject, partner), metric=subject.name, property=property, seconds=seconds)


def equation_behind(verdict: Verdict) -> Verdict:
    """Return the verdict on the equation that a proved affine function without parameters rests on; others as they are.

    >>> equation_behind(relate("informedness", "auc_single", "affine")).claim.relation
    value0 - 2*value1 + 1
    """
    claim = verdict.claim
    if verdict.status != "proved" or not isinstance(claim, Affine) or claim.parameters:
        return verdict
    a, b = (parse_formula(verdict.evidence.data[key]) for key in ("a", "b"))
    stated = Identity(claim.subject, (), (CELLS, CELLS), (), FIRST - a * SECOND - b, claim.partner)
    part = Decision.from_record(verdict.evidence.data["part"], stated)
    return Verdict.of(part, stated, metric=verdict.metric, property=verdict.property)


def check_relation(
    verdict: Verdict, first: Metric | Expr | str | None = None, second: Metric | Expr | str | None = None
) -> None:
    """Re-verify a verdict that :func:`relate` returned, by other code than found it.

    The claim is rebuilt from the two metrics and the relation that the verdict names.

    :param verdict: a verdict, fresh or read from a certificate
    :param first: the first metric; by default the library's of the name that the verdict has
    :param second: the second metric; by default likewise
    :raises CertificateError: if the evidence does not establish the verdict, or it is about something else
    :raises UnknownNameError: if the library has no metric or relation of the name

    >>> check_relation(relate("jaccard", "f1", "less_equal"))
    """
    if not isinstance(verdict, Verdict):
        raise InputError(f"check_relation takes a verdict, not {type(verdict).__name__}: relate returns one")
    name, _, other = verdict.property.partition(":")
    subject = as_metric(verdict.metric if first is None else first)
    partner = as_metric(other if second is None else second)
    stated = relations[name].claim(subject, partner)
    named = (subject.name, f"{relations[name].name}:{partner.name}")
    if (verdict.metric, verdict.property) != named or verdict.claim not in (stated, claim_from_dict(stated.to_dict())):
        raise CertificateError(
            f"the certificate proves another statement than {name} of {subject.name} and {partner.name}: "
            "its formulas, parameters or tables differ"
        )
    check_evidence(verdict)
