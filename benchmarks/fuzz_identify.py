"""Identification: every answer is an equation that is evaluated, and planted metrics are looked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from fuzz_conditions import holds, split
from fuzz_formulas import CELLS, difference, draw_parameter, draw_table, in_domain, name_of, sign_of, value_of
from fuzz_grammars import Grammar, Parametric
from fuzz_laws import shown
from fuzz_questions import Answer, metric_of

import symmetrics as sm
from symmetrics.language.writer import formula_text

Question = tuple[str, tuple[str, ...], str]
"""A formula, the declarations of its parameters, and the known metric that it is, or nothing."""
ROUNDS = 12
DOMAINS = (
    "[0, 1]",
    "[0, 5]",
    "[-1, 1]",
    "[0, oo)",
    "(0, 1]",
    "[0, 1] = 1/2",
    "[0, 2] = 1/3",
    "(-oo, oo)",
    "(-oo, oo) = 2",
)


def draw(random: Random) -> list[Question]:
    """Return a question: a metric in other words, with renamed parameters and other domains, or a random formula."""
    if random.random() < 0.2:
        text, declared = random.choice((Grammar, Parametric))(random).formula(parameters=random.random() < 0.7)
        return [(text, declared, "")]
    with_some = random.random() < 0.6
    metric = random.choice([metric for metric in sm.metrics.values() if bool(metric.parameters) == with_some])
    text, declared = formula_text(metric.expr), []
    for place, parameter in enumerate(metric.parameters):
        name = random.choice((parameter.name, f"c{place}", f"b_{place}"))
        text = re.sub(rf"\b{parameter.name}\b", name, text)
        declared.append(f"{name} in {random.choice(DOMAINS)}")
    if declared and random.random() < 0.2:
        text = re.sub(rf"\b{name_of(declared[0])}\b", f"(1 - {name_of(declared[0])})", text)
    kind = random.random()
    planted = metric.name if kind < 0.6 else ""
    written = f"({text} + TP) - TP" if kind < 0.3 else text
    if kind >= 0.6:
        written = random.choice((f"1 - ({text})", f"2*({text}) - 1", f"-({text})", f"({text})**2", f"({text})/10**30"))
    return [(written, tuple(declared), planted)]


def answer(question: Question, random: Random) -> Answer:
    """Return whether something was found, and an answer that its values contradict."""
    text, declared, planted = question
    metric = metric_of(text, declared)
    # The whole library takes seconds: the planted metric and some others stand for it.
    names = {planted} & set(sm.metrics) | set(random.sample(list(sm.metrics), 10))
    names |= set(random.sample([name for name, one in sm.metrics.items() if one.parameters], 2))
    found = sm.identify(metric, known={name: sm.metrics[name] for name in sorted(names)})
    for match in found:
        reason = wrong_equation(
            match.equation, match.metric, match.verdict.metric == match.metric, text, declared, random
        )
        if reason is not None:
            return "wrong", f"{match.relation} {match.metric}, {match.equation}: {reason}"
    if planted:
        return ("found" if any(match.metric == planted for match in found) else "missed"), None
    return ("found" if len(found) else "nothing"), None


def wrong_equation(
    equation: str, name: str, is_about_known: bool, text: str, declared: tuple[str, ...], random: Random
) -> str | None:
    """Return how an equation such as ``M = cwa at its w = 1 - c`` contradicts the values of both sides, or None.

    :param name: of the known metric
    :param is_about_known: whether "for" comes before a condition on the parameters of the known metric
    :param text: the formula that is called M
    :param declared: its parameters
    """
    known = sm.metrics[name]
    domains = {parameter.name: str(parameter) for parameter in known.parameters}
    own = {name_of(one): one for one in declared}
    reading = Reading.of(equation, name)
    # "for" comes before values of the known metric's parameters, or of the formula's if it has them and is named.
    is_about_known = is_about_known or bool(reading.defaults)  # those of the formula are named by "where" then
    is_about_known = is_about_known or not set(re.findall(r"[a-z]\w*", reading.solved)) - {"and", "or"} <= set(own)
    for _ in range(ROUNDS):
        # The known metric is meant at its defaults; the formula at its own only if the answer says so.
        mine = {key: draw_parameter(random, one) for key, one in own.items()}
        theirs = {p.name: Fraction(str(p.default)) for p in known.parameters if p.default is not None}
        if is_about_known and reading.solved:
            theirs |= {key: draw_parameter(random, one) for key, one in domains.items()}
        fits = solve(reading.condition, mine, random) and solve(reading.defaults, mine, random)
        if not fits or not solve(reading.solved, theirs if is_about_known else mine, random):
            continue
        if not all(in_domain(value, own[key]) for key, value in mine.items()):
            continue
        theirs |= {key: value_of(side, mine) for key, side in reading.settings.items()}
        outside = [key for key, value in theirs.items() if not _is_allowed(value, domains[key])]
        if outside:
            return f"{', '.join(outside)} of {name} is {theirs[outside[0]]}, outside of its domain, with {mine}"
        table = draw_table(random)
        places = dict(zip(CELLS, table, strict=True))
        moved = dict(zip(CELLS, (places[cell] for cell in reading.cells), strict=True))
        subject = value_of(text, places | mine)
        partner = value_of(formula_text(known.expr), moved | theirs)
        if subject is None or partner is None:
            continue
        sides = [value_of(side, {"M": subject, name: partner}) for side in (reading.left, reading.right)]
        if None not in sides and sign_of(difference(*sides)) in (1, -1):
            return f"it is false at {shown([table])} with {mine}, and {theirs} for {name}"
    return None


def _is_allowed(value: object, declaration: str) -> bool:
    return isinstance(value, Fraction) and in_domain(value, declaration)


@dataclass(frozen=True)
class Reading:
    """The parts of an equation.

    :param left: its left side
    :param right: its right side
    :param cells: the cells at which the known metric is taken
    :param settings: what its parameters are set to
    :param solved: the condition after "for"
    :param condition: the one after "if", on the formula's parameters
    :param defaults: the one after "where", which names their defaults
    """

    left: str
    right: str
    cells: tuple[str, ...]
    settings: Mapping[str, str]
    solved: str
    condition: str
    defaults: str

    @classmethod
    def of(cls, equation: str, name: str) -> Reading:
        """Read an equation with a metric of a given name."""
        rest, _, defaults = equation.partition(", where ")
        rest, _, condition = rest.partition(" if ")
        rest, _, solved = rest.replace(" at its ", " at ").replace(" for its ", " for ").partition(" for ")
        sides, *places = rest.removesuffix(f", {name}").split(" at ")
        left, _, right = sides.partition(" = ")
        cells, settings = CELLS, {}
        for place in places:
            if (found := re.fullmatch(r"\((\w+), (\w+), (\w+), (\w+)\)", place)) is not None:
                cells = found.groups()
            else:
                settings |= dict(one.split(" = ", 1) for one in re.split(r", | and ", place))
        return cls(
            left, right, tuple(cells), settings, solved, condition, re.sub(r"^M has its defaults? ", "", defaults)
        )


def solve(condition: str, values: dict[str, Fraction], random: Random) -> bool:
    """Set values as a condition such as ``a = 2*b and b = 1/2 and c >= 0`` asks for; whether it then holds."""
    branch = random.choice(split(condition, " or "))
    for part in reversed(split(branch.removeprefix("(").removesuffix(")"), " and ")) if condition else ():
        left, sign, right = part.partition(" = ")
        if sign and left.strip() in values and isinstance(value := value_of(right, values), Fraction):
            values[left.strip()] = value
    return not condition or holds(condition, values)
