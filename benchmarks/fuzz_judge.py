"""Whether a verdict is at odds with random values: the judge of the fuzzer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

import fuzz_closed
import fuzz_spaces
import fuzz_values
from fuzz_closed import BORDER
from fuzz_conditions import Said, holds, numbers_in
from fuzz_formulas import CELLS, Value, difference, draw_parameter, in_domain, name_of, sign_of, state_of, value_of
from fuzz_laws import ANTISYMMETRIC, LAWS, Law, Table, shown

ROUNDS = 12
"""Pairs of tables at which a law is tried."""
DIRECTIONS = 12
"""Lines into a table along which it is tried whether a formula has a value near it."""
MANY = 60
"""Pairs of tables at which a law holds exactly, so that it is believed to hold."""
NEAR = (30, 300)
"""Powers of ten: how far from a table values are compared with the one stated there; the second ought to be closer."""
NAME = r"\b[A-Za-z_]\w*\b"
Parameters = Mapping[str, Fraction]


class Judge:
    """Compares verdicts on one formula with its values.

    :param text: the formula
    :param declarations: of its parameters
    :param simplified: the formula as the package shows it, where nothing may be undefined that cancels
    """

    def __init__(self, text: str, declarations: Iterable[str], random: Random, simplified: str | None = None) -> None:
        self.text = text
        self.simplified = simplified or text
        self.declarations = {name_of(declaration): declaration for declaration in declarations}
        self.random = random

    # -- values ----------------------------------------------------------------------------------------------------

    def at(self, table: Table, parameters: Parameters, text: str | None = None) -> Value:
        """Return the value of the formula, or None."""
        return value_of(text or self.text, dict(zip(CELLS, table, strict=True)) | dict(parameters))

    def is_undefined(self, table: Table, parameters: Parameters, text: str | None = None) -> bool:
        """Whether the formula certainly has no value at a table."""
        return state_of(text or self.text, dict(zip(CELLS, table, strict=True)) | dict(parameters))[1]

    def settings(self, condition: str | None) -> Parameters | None:
        """Return values of the parameters at which a condition holds, or None if none was met."""
        for _ in range(20):
            values = {name: draw_parameter(self.random, text) for name, text in self.declarations.items()}
            if condition is None or holds(condition, values):
                return values
        return None

    def special(self, *texts: str | None) -> Parameters:
        """Return values of the parameters, often ones that are named in texts, and often a default."""
        named = sorted({number for text in texts if text is not None for number in numbers_in(text)})
        values = {}
        for name, declaration in self.declarations.items():
            _, _, default = declaration.partition(" = ")
            choices = [Fraction(default)] * 2 if default else []
            choices += [*named, Fraction(0), Fraction(1), Fraction(1, 2)]
            choices = [choice for choice in choices if in_domain(choice, declaration)]
            drawn = not choices or self.random.random() < 0.3
            values[name] = draw_parameter(self.random, declaration) if drawn else self.random.choice(choices)
        return values

    def implausible(self, table: Table, parameters: Parameters, stated: Value) -> str | None:
        """Return why the formula cannot have a stated value at a table with or without zero cells, or None."""
        found = self.at(table, parameters)
        if found is not None or stated is None:
            return f"it is {found}" if differs(found, stated) else None
        if not (self.is_undefined(table, parameters) and self.is_undefined(table, parameters, self.simplified)):
            return None
        gaps: list[list[Value]] = []
        undefined = 0
        for _ in range(DIRECTIONS):
            tables = self.beside(table)
            undefined += all(self.is_undefined(one, parameters) for one in tables)
            values = [self.at(one, parameters) for one in tables]
            if None not in values:
                gaps.append([abs(difference(value, stated)) for value in values])
        if undefined == DIRECTIONS:
            return f"{BORDER}, nor at any table near it"
        if undefined:
            # At the border of where it has values it may, or may not, be said to have the limit from inside.
            return BORDER if min(table) > 0 else None
        wrong = any(sign_of(difference(far, Fraction(1, 10**6))) == 1 and not shrinks(near, far) for near, far in gaps)
        return "values near it do not tend to that" if wrong else None

    def beside(self, table: Table) -> list[Table]:
        """Return tables of positive cells on a line into a table, the second far closer than the first."""
        moves = [Fraction(self.random.randint(1, 9)) * (self.random.choice((1, -1)) if c else 1) for c in table]
        return [tuple(c + m * Fraction(1, 10**power) for c, m in zip(table, moves, strict=True)) for power in NEAR]

    # -- verdicts --------------------------------------------------------------------------------------------------

    def complaint(self, key: str, verdict: Mapping[str, Any], value: str | None, statement: str = "") -> str | None:
        """Return how a verdict contradicts the values, or None.

        :param verdict: in its public form
        :param value: what the verdict says beyond yes and no
        :param statement: of the property
        """
        if verdict["status"] == "open":
            return self.at_defaults(key, verdict, value, statement)
        said = Said(key, verdict["status"], verdict["condition"], verdict["witness"], value, statement)
        if key in LAWS or key == "antisymmetric":
            return self.on_a_law(said)
        judged = fuzz_closed.LAWS | fuzz_values.LAWS | fuzz_spaces.LAWS
        return judged[key](self, said) if key in judged else None

    def at_defaults(self, key: str, verdict: Mapping[str, Any], value: str | None, statement: str) -> str | None:
        """Return how an open verdict is wrong that says what holds at the defaults of the parameters."""
        defaults = self.defaults()
        if verdict["holds"] is None or defaults is None:
            return None
        witness = verdict["witness"]
        here = {
            "status": "proved" if verdict["holds"] else "refuted",
            "condition": None,
            "witness": None if witness is None else {**witness, "parameters": {}},
        }
        case = None if value is None else re.sub(r"^at [^:]+: ", "", value)
        return self.bound(defaults).complaint(key, here, case, statement)

    def defaults(self) -> Parameters | None:
        """Return the defaults of all parameters, or None if one has none."""
        found = {name: text.partition(" = ")[2] for name, text in self.declarations.items()}
        return {name: Fraction(text) for name, text in found.items()} if all(found.values()) else None

    def bound(self, parameters: Parameters) -> Judge:
        """Return a judge of the formula with its parameters bound."""
        texts = [re.sub(NAME, lambda found: _number(found[0], parameters), one) for one in (self.text, self.simplified)]
        return Judge(texts[0], (), self.random, texts[1])

    def on_a_law(self, said: Said) -> str | None:
        """Return how a verdict on a comparison of values contradicts them."""
        if said.witness is not None and (found := self.bad_witness(said.key, said.witness, said.condition)):
            return found
        if said.status != "refuted" and (found := self.counterexample(said.key, said.condition)):
            return found
        return self.holds_after_all(said) if self.declarations and said.status != "proved" else None

    def bad_witness(self, key: str, witness: Mapping[str, Any], condition: str | None) -> str | None:
        """Return what is wrong with a counterexample."""
        tables, _, values, found = self.read(witness, condition)
        if found is not None:
            return found
        laws = LAWS[key] if key in LAWS else [law for pair in ANTISYMMETRIC.values() for law in pair]
        fitting = [law for law in laws if len(tables) == 2 and law.belongs(*tables)]
        if not fitting:
            return f"the tables {shown(tables)} are not those of the property"
        if None in values:
            return None
        broken = [law.is_broken(*values) for law in fitting]
        # Equal values beyond the rationals are intervals that overlap: certain only for a strict law at one number.
        return None if True in broken or None in broken else f"the values {witness['values']} satisfy the property"

    def read(
        self, witness: Mapping[str, Any], condition: str | None
    ) -> tuple[list[Table], Parameters, list[Value], str | None]:
        """Return a counterexample's tables, parameters, the values there, and what is wrong with these."""
        tables = tables_of(witness)
        given = {name: Fraction(value) for name, value in witness["parameters"].items()}
        # A parameter that cancels is none of the metric's.
        parameters = {**(self.settings(None) or {}), **given}
        values = [self.at(table, parameters) for table in tables]
        if condition is not None and holds(condition, given):
            return tables, parameters, values, f"the counterexample's parameters {given} satisfy {condition}"
        for name, value in given.items():
            if name in self.declarations and not in_domain(value, self.declarations[name]):
                return tables, parameters, values, f"{name} = {value} is outside of its domain"
        for table, text in zip(tables, witness["values"], strict=False):
            if (reason := self.implausible(table, parameters, value_of(text, {}))) is not None:
                return (
                    tables,
                    parameters,
                    values,
                    f"the counterexample says that it is {text} at {shown([table])}, but {reason}",
                )
        return tables, parameters, values, None

    def counterexample(self, key: str, condition: str | None) -> str | None:
        """Return tables that violate what is said to hold."""
        alternatives = [LAWS[key]] if key in LAWS else list(ANTISYMMETRIC.values())
        for _ in range(ROUNDS):
            parameters = self.settings(condition)
            if parameters is None:
                return None
            # Which of the alternatives holds may depend on the parameters, but not on the table.
            found = [self.violation(laws, parameters) for laws in alternatives]
            if None not in found:
                return found[0]
        return None

    def violation(self, laws: tuple[Law, ...], parameters: Parameters) -> str | None:
        """Return tables that violate one of several laws."""
        for law in laws:
            tables = law.draw(self.random)
            values = [self.at(table, parameters) for table in tables]
            if None not in values and law.is_broken(*values):
                return f"it fails at {shown(tables)} with {shown([tuple(parameters.values())])}"
        return None

    def holds_after_all(self, said: Said) -> str | None:
        """Return parameters at which equations hold that are said to fail there."""
        laws = LAWS.get(said.key, ())
        if not laws or any(law.relation != "=" for law in laws):
            return None
        parameters = self.special(said.condition)
        if said.at(parameters):
            return None
        tried = 0
        # What refutes it at some parameters is likely to do so at others.
        given = tables_of(said.witness)
        for place in range(MANY):
            for law in laws:
                pair = given if place == 0 and len(given) == 2 else law.draw(self.random)
                values = [self.at(table, parameters) for table in pair]
                if None in values or not all(isinstance(value, Fraction) for value in values):
                    continue
                if law.is_broken(*values):
                    return None
                tried += 1
        if tried < MANY // 2:
            return None
        return f"it is said to fail, and holds at {tried} pairs of tables with {shown([tuple(parameters.values())])}"


def _number(name: str, parameters: Parameters) -> str:
    return f"({parameters[name]})" if name in parameters else name


def differs(first: Value, second: Value) -> bool:
    """Whether two values certainly differ."""
    return first is not None and second is not None and sign_of(difference(first, second)) in (1, -1)


def shrinks(near: Value, far: Value) -> bool:
    """Whether the second of two gaps is less than half of the first."""
    return sign_of(difference(far * 2, near)) != 1


def tables_of(witness: Mapping[str, Any] | None) -> list[Table]:
    """Return the tables of a counterexample."""
    tables = [] if witness is None else witness["tables"]
    return [tuple(Fraction(str(table[cell.lower()])) for cell in CELLS) for table in tables]
