"""Verdict: the answer to a claim, together with its evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, NoReturn

from sympy import Expr, Rational
from sympy.logic.boolalg import Boolean

from symmetrics.claims import Claim, claim_from_dict
from symmetrics.condition import condition_text, parse_condition
from symmetrics.errors import CertificateError, SymmetricsError
from symmetrics.formula import formula_text, parse_formula, parse_number

__all__ = ["Counts", "Decision", "Evidence", "Status", "Verdict", "Witness"]

Status = Literal["proved", "refuted", "conditional", "open"]


class Counts(NamedTuple):
    """The four cells of one table."""

    tp: int | Rational
    fn: int | Rational
    fp: int | Rational
    tn: int | Rational


@dataclass(frozen=True)
class Witness:
    """Tables at which a claim fails.

    :param tables: the tables, in the order of the claim
    :param values: the metric's exact value at each
    :param parameters: the values of the metric's parameters
    """

    tables: tuple[Counts, ...]
    values: tuple[Expr, ...]
    parameters: Mapping[str, Rational] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the witness as it stands in the JSON form of a verdict."""
        return {
            "tables": [{cell: _plain(count) for cell, count in table._asdict().items()} for table in self.tables],
            "values": [formula_text(value) for value in self.values],
            "parameters": {name: str(value) for name, value in self.parameters.items()},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Witness:
        """Rebuild a witness from its JSON form."""
        tables = tuple(Counts(**{cell: _count(count) for cell, count in table.items()}) for table in data["tables"])
        values = tuple(parse_formula(text) for text in data["values"])
        return cls(tables, values, {name: parse_number(text) for name, text in data["parameters"].items()})


@dataclass(frozen=True)
class Evidence:
    """Why a verdict holds.

    :param kind: the kind of evidence, such as ``identity`` or ``witness``; the checker has a rule for each
    :param sentence: the reason in words
    :param data: what the checker needs to re-verify it, as JSON values
    """

    kind: str
    sentence: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Decision:
    """The answer to a claim, before it is known whose property it is; the fields are those of :class:`Verdict`."""

    status: Status
    holds: bool | None
    evidence: Evidence
    condition: Boolean | None = None
    witness: Witness | None = None
    value: str | None = None


@dataclass(frozen=True)
class Verdict:
    """What was decided about one property of one metric.

    :param metric: the metric's name
    :param property: the property's key
    :param claim: what was decided
    :param status: ``proved``, ``refuted``, ``conditional`` (on the parameters) or ``open``
    :param holds: the truth value at the default parameters, also where what holds for others is open; None if it is
        open there as well, or if it depends on a parameter without default
    :param condition: for ``conditional``, the parameter values at which the claim holds
    :param witness: an exact counterexample; for ``conditional`` at the defaults, or else where the condition fails; for
        ``open`` at the defaults
    :param evidence: what stands behind it
    :param value: what the claim asks for beyond yes and no, such as a range or a limit, in words
    """

    metric: str
    property: str
    claim: Claim
    status: Status
    holds: bool | None
    evidence: Evidence
    condition: Boolean | None = None
    witness: Witness | None = None
    value: str | None = None

    @classmethod
    def of(cls, decision: Decision, claim: Claim, *, metric: str, property: str) -> Verdict:
        """Return the verdict that a decision is, about one property of one metric."""
        return cls(metric=metric, property=property, claim=claim, **vars(decision))

    def __bool__(self) -> NoReturn:
        raise SymmetricsError(
            f"the verdict on {self.property} of {self.metric} is {self.status!r}, not true or false: "
            "ask for .holds (True, False or None) or .status"
        )

    def __str__(self) -> str:
        condition = "" if self.condition is None else f" if and only if {condition_text(self.condition)}"
        return f"{self.property} of {self.metric}: {self.status}{condition}; {self.evidence.sentence}"

    def to_dict(self) -> dict[str, Any]:
        """Return the public form: JSON values under seven keys that are always present."""
        return {
            "metric": self.metric,
            "property": self.property,
            "status": self.status,
            "holds": self.holds,
            "condition": None if self.condition is None else condition_text(self.condition),
            "witness": None if self.witness is None else self.witness.to_dict(),
            "evidence": self.evidence.sentence,
        }

    def certificate(self) -> dict[str, Any]:
        """Return the public form plus the claim and the data with which the checker re-verifies it."""
        proof = {"kind": self.evidence.kind, **self.evidence.data}
        value = {} if self.value is None else {"value": self.value}
        return self.to_dict() | value | {"claim": self.claim.to_dict(), "certificate": proof}

    @classmethod
    def from_certificate(cls, data: Mapping[str, Any]) -> Verdict:
        """Rebuild a verdict from :meth:`certificate`.  Nothing in it is believed before it is checked.

        :raises CertificateError: if a part is missing or cannot be read
        """
        try:
            for key in ("metric", "property", "status", "evidence"):
                if not isinstance(data[key], str):
                    raise TypeError(f"{key} is not a text")
            claim = claim_from_dict(data["claim"])
            proof = dict(data["certificate"])
            condition = data["condition"]
            names = [parameter.name for parameter in claim.parameters]
            return cls(
                metric=data["metric"],
                property=data["property"],
                claim=claim,
                status=data["status"],
                holds=data["holds"],
                evidence=Evidence(proof.pop("kind"), data["evidence"], proof),
                condition=None if condition is None else parse_condition(condition, names),
                witness=None if data["witness"] is None else Witness.from_dict(data["witness"]),
                value=data.get("value"),
            )
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
            raise CertificateError(f"this is not a certificate: {type(error).__name__}: {error}") from None

    def to_json(self) -> str:
        """Return the certificate as JSON text."""
        return json.dumps(self.certificate(), indent=1)

    @classmethod
    def from_json(cls, text: str) -> Verdict:
        """Rebuild a verdict from :meth:`to_json`.

        :raises CertificateError: if the text is not a certificate
        """
        try:
            data = json.loads(text)
        except (ValueError, TypeError, RecursionError) as error:
            raise CertificateError(f"this is not JSON: {error}") from None
        return cls.from_certificate(data)


def _plain(count: int | Rational) -> int | str:
    return int(count) if count == int(count) else str(count)


def _count(count: int | str) -> int | Rational:
    return count if isinstance(count, int) and not isinstance(count, bool) else parse_number(str(count))
