"""Theorems about all metrics with proofs made by hand: laws are no proof of what just resembles them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from effort import in_one_test
from sympy import Integer

from symmetrics.checker.theorems.arguments import check_argument
from symmetrics.checker.theorems.implications import check_construction, check_implication
from symmetrics.claims import Identity, value_symbol
from symmetrics.claims.families.limits import FiniteLimit
from symmetrics.claims.families.relations import AllOf, AnyOf
from symmetrics.claims.theorems.arguments import Argument, Journey, Journeys
from symmetrics.claims.theorems.constructions import (
    EXCHANGED,
    Chain,
    Construction,
    ConstructionTheorem,
)
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, Theorem, Walk
from symmetrics.claims.theorems.laws import Instance, Law
from symmetrics.discovery.arguments import _journey, claims
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, Table, parameter_symbol
from symmetrics.tools.errors import CertificateError

t = parameter_symbol("other_t")
SWAPPED: Table = (TN, FP, FN, TP)
HIGHER: Table = (TP + t, FN, FP, TN)
EXCHANGE, RISE, FREE = Law("", "=", (CELLS, SWAPPED)), Law("", ">", (CELLS, HIGHER)), Law("", "=", (CELLS, HIGHER))
HERE = dict(zip(CELLS, CELLS, strict=True))
TURN = Law("", "~", (CELLS, SWAPPED))
LAWS = {"turn": (TURN,), "exchange": (EXCHANGE,), "rise": (RISE,), "free": (FREE,)}
ONE = Integer(1)


def step(premise: str, *, forward: bool = True) -> Instance:
    """Return the one law of a premise as it stands."""
    return Instance(premise, "", HERE if premise in ("exchange", "turn") else HERE | {t: t}, forward)


# -- implications ------------------------------------------------------------------------------------------------------


def implied(premise: str, law: Law, *steps: Instance, start: Table = CELLS, given: Sequence[str] = ()) -> None:
    """Follow one walk to the one law of a conclusion."""
    theorem = Theorem((premise,), "own", (Walk(start, steps),))
    check_implication(theorem, {key: LAWS[key] for key in given or (premise,)}, [law])


def impossible(premise: str, *steps: Instance) -> None:
    check_implication(Theorem((premise,), IMPOSSIBLE, (Walk(CELLS, steps),)), {premise: LAWS[premise]})


IMPLICATIONS: dict[str, Callable[[], None]] = {
    "the premises are others than those of the theorem": lambda: implied(
        "exchange", RISE, step("rise"), given=("exchange", "rise")
    ),
    "not every law of the conclusion is proved": lambda: check_implication(
        Theorem(("exchange",), "own", (Walk(CELLS, (step("exchange"),)),)),
        {"exchange": (EXCHANGE,)},
        [EXCHANGE, RISE],
    ),
    "a walk begins at another table than its law": lambda: implied("exchange", FREE, start=HIGHER),
    "a walk ends at another table than its law": lambda: implied("exchange", FREE, step("exchange")),
    "a walk rises where M has to stay the same, or the other way round": lambda: implied("rise", FREE, step("rise")),
    "a walk rises where M has to stay the same, or the other way round ": lambda: implied("free", RISE, step("free")),
    "a walk rises where M has to stay the same, or the other way round  ": lambda: implied(
        "exchange", TURN, step("exchange")
    ),
    "M is turned into its negative or inverse on a walk": lambda: implied("turn", EXCHANGE, step("turn")),
    "a law that says that M rises is applied backwards": lambda: implied(
        "rise", Law("", ">", (HIGHER, CELLS)), step("rise", forward=False), start=HIGHER
    ),
    "a law is applied at another table than that which was reached": lambda: implied(
        "free", Law("", "=", (SWAPPED, HIGHER)), step("free"), start=SWAPPED
    ),
    "one walk shows that something is impossible": lambda: check_implication(
        Theorem(("rise",), IMPOSSIBLE, ()), {"rise": (RISE,)}
    ),
    "a walk on which M stays the same contradicts nothing": lambda: impossible(
        "exchange", step("exchange"), step("exchange", forward=False)
    ),
    "the walk does not end where it began": lambda: impossible("rise", step("rise")),
    "not every law of the conclusion is proved ": lambda: check_implication(
        Theorem(("exchange",), CONSTANT, ()), {"exchange": (EXCHANGE,)}
    ),
}


# -- constructions -----------------------------------------------------------------------------------------------------

VALUE, OTHER = value_symbol(0), value_symbol(1)
AT_ONE = Construction("own", "M where TP is 1", ((ONE, FN, FP, TN),), VALUE)
PAIR = Construction("own", "M, and M with the classes exchanged", (CELLS, SWAPPED), VALUE + OTHER)
BEYOND = Construction("own", "M, and something that hardly moves", (CELLS, (ONE, FN, FP, TN)), VALUE + OTHER)


def made(construction: Construction, law: Law, *proof: object, premises: Sequence[str] = (), more: str = "") -> None:
    """Follow the proof of the one law of what a construction makes of any metric with some premises."""
    theorem = ConstructionTheorem(construction, "own", tuple(premises), (tuple(proof),))  # type: ignore[arg-type]
    check_construction(theorem, [law], {key: LAWS[key] for key in (*premises, *filter(None, [more]))})


CONSTRUCTIONS: dict[str, Callable[[], None]] = {
    "the premises are others than those of the theorem": lambda: made(
        PAIR, FREE, Chain(0, 2, (step("free"),)), more="free"
    ),
    "not every law of the conclusion is proved": lambda: check_construction(
        ConstructionTheorem(PAIR, "own", (), ()), [FREE], {}
    ),
    "both sides of the equation differ for some M": lambda: made(EXCHANGED, FREE),
    "both sides of the equation differ for some M ": lambda: made(
        PAIR, FREE, Chain(0, 2, (step("free"),)), premises=["free"]
    ),
    "a chain ends at another table than it says": lambda: made(PAIR, FREE, Chain(0, 2), Chain(1, 3)),
    "a law is applied at another table than that which was reached": lambda: made(
        PAIR, FREE, Chain(0, 2, (step("free"),)), Chain(1, 3, (step("free"),)), premises=["free"]
    ),
    "a law is of another kind than the proof needs": lambda: made(
        BEYOND, FREE, Chain(0, 2, (step("rise"),)), Chain(1, 3), premises=["rise"]
    ),
    "a law is of another kind than the proof needs ": lambda: made(BEYOND, RISE, step("free"), None, premises=["free"]),
    "a law of the conclusion says neither that M stays the same nor that it rises": lambda: made(
        AT_ONE, replace(RISE, sign="~"), None
    ),
    "a rise is proved at every image of the tables": lambda: made(PAIR, RISE, step("rise"), premises=["rise"]),
    "two tables are called the same and differ": lambda: made(PAIR, RISE, step("rise"), None, premises=["rise"]),
    "a law is about other tables": lambda: made(PAIR, RISE, step("rise"), step("rise"), premises=["rise"]),
    "nothing rises": lambda: made(AT_ONE, RISE, None),
    "the combination does not rise with value 0": lambda: made(
        replace(BEYOND, combination=OTHER - VALUE), RISE, step("rise"), None, premises=["rise"]
    ),
}


# -- arguments ---------------------------------------------------------------------------------------------------------


def turning(table: Table, *, inverted: bool) -> AnyOf:
    """Return the claim that M is the negative, or the inverse, of what it is at another table."""
    relation = VALUE * OTHER - 1 if inverted else VALUE + OTHER
    return AnyOf((("one", AllOf((("", Identity(TP, (), (CELLS, table), (), relation)),))),))


DOUBLED: Table = (2 * TP, 2 * FN, FP, TN)
TURNS = {
    "negated": turning((2 * TP, FN, FP, TN), inverted=False),
    "inverted": turning((TP, 2 * FN, FP, TN), inverted=True),
    "kept": Identity(TP, (), (CELLS, DOUBLED)),
}


def turned(*steps: Instance) -> None:
    """Argue that M stays the same when TP and FN are doubled, if it is negated with TP and inverted with FN.

    With s(x) = 1 for x in [1, 2), [4, 8), [16, 32), ... and -1 elsewhere, ``s(TP)*2**s(FN)`` becomes the negative of
    its inverse.
    """
    argument = Argument(("negated", "inverted"), "kept", "", Journeys((Journey(CELLS, steps),)))
    check_argument(argument, TURNS)


EXCHANGES = ("TP, FN, FP, TN", "FP, TN, TP, FN", "TN, FP, FN, TP")


def without_journey() -> None:
    argument = Argument(("antisymmetric",), "p1", "", Journeys((_journey(("antisymmetric",), EXCHANGES),)))
    check_argument(argument, claims())
    check_argument(replace(argument, proof=Journeys(())), claims())


def limit_elsewhere() -> None:
    """Argue on a limit of a function of other variables by a curve of tables."""
    path = tuple(parameter_symbol(name) for name in ("p", "q", "u", "v"))
    limit = FiniteLimit(path[0], (), path, ("p", "q", "u", "v"))
    first, second, third, fourth = path
    argument = Argument(("any",), "limit", "", Journeys((Journey((first, second, third, fourth), ()),)))
    check_argument(argument, {"any": claims()["p1"], "limit": limit})


ARGUMENTS: dict[str, Callable[[], None]] = {
    "M is turned into its negative or inverse, and not back": lambda: turned(
        Instance("negated", "", HERE), Instance("inverted", "", HERE | {TP: 2 * TP})
    ),
    "not every law of the conclusion is proved": without_journey,
    "the limit is one in other variables": limit_elsewhere,
}
EVERY = [(kind, reason) for kind in (IMPLICATIONS, CONSTRUCTIONS, ARGUMENTS) for reason in kind]


def test_what_the_laws_say_is_accepted() -> None:
    implied("exchange", EXCHANGE, step("exchange"))
    implied("rise", RISE, step("rise"))
    made(AT_ONE, FREE, Chain(0, 1))
    made(BEYOND, RISE, step("rise"), None, premises=["rise"])
    made(BEYOND, FREE, Chain(0, 2, (step("free"),)), Chain(1, 3), premises=["free"])


def test_what_is_turned_twice_by_one_premise_is_turned_back() -> None:
    twice = (Instance("negated", "", HERE), Instance("negated", "", HERE | {TP: 2 * TP}))
    kept = Identity(TP, (), (CELLS, (4 * TP, FN, FP, TN)))
    check_argument(Argument(("negated",), "kept", "", Journeys((Journey(CELLS, twice),))), TURNS | {"kept": kept})


@in_one_test
@pytest.mark.parametrize(("kind", "reason"), EVERY)
def test_false_proofs_are_refused(kind: dict[str, Callable[[], None]], reason: str) -> None:
    with pytest.raises(CertificateError) as refused:
        kind[reason]()
    assert str(refused.value) == reason.strip()
