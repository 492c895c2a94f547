"""Verdict: the answer to a claim, together with its evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn

from sympy.logic.boolalg import Boolean

from symmetrics.claims import Claim, claim_from_dict
from symmetrics.claims.evidence import Counts, Decision, Evidence, Status, Witness, open_decision, reason_of
from symmetrics.claims.wording import sentence_of, value_of
from symmetrics.claims.wording.values import CONSTANT
from symmetrics.language.condition import condition_text
from symmetrics.tools.errors import CertificateError, SymmetricsError

__all__ = ["Counts", "Decision", "Evidence", "Status", "Verdict", "Witness", "open_decision", "reason_of"]


@dataclass(frozen=True)
class _Told(Evidence):
    """The evidence of a verdict, whose sentence is made when it is asked for.

    :param of: the claim, and the decision on it
    """

    of: tuple[Claim, Decision] = field(kw_only=True, compare=False, repr=False)

    @cached_property
    def sentence(self) -> str:
        """The reason in words."""
        return sentence_of(*self.of)


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
    :param stated: for a verdict that was read from a certificate, the sentence and the value that stood there; the
        checker refuses others than those that follow from the rest
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
    stated: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Give the evidence its sentence, whatever the verdict was made from."""
        if isinstance(self.evidence, Evidence):
            plain = Evidence(self.evidence.kind, self.evidence.data)
            decision = Decision(self.status, self.holds, plain, self.condition, self.witness, self.value)
            object.__setattr__(self, "evidence", _Told(plain.kind, plain.data, of=(self.claim, decision)))

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
        """Return the public form: JSON values under eight keys that are always present.

        ``value`` is null or holds what was found, as :func:`symmetrics.claims.wording.value_of` describes.
        """
        return {
            "metric": self.metric,
            "property": self.property,
            "status": self.status,
            "holds": self.holds,
            "condition": None if self.condition is None else condition_text(self.condition),
            "witness": None if self.witness is None else self.witness.to_dict(),
            "evidence": self.evidence.sentence,
            "value": value_of(self.claim, self),
        }

    def certificate(self) -> dict[str, Any]:
        """Return the public form plus the claim and the data with which the checker re-verifies it."""
        proof = {"kind": self.evidence.kind, **self.evidence.data}
        return self.to_dict() | {"claim": self.claim.to_dict(), "certificate": proof}

    @classmethod
    def from_certificate(cls, data: Mapping[str, Any]) -> Verdict:
        """Rebuild a verdict from :meth:`certificate`.  Nothing in it is believed before it is checked.

        :raises CertificateError: if a part is missing or cannot be read
        """
        try:
            for key in ("metric", "property", "status", "evidence"):
                if not isinstance(data[key], str):
                    raise TypeError(f"{key} is not a text")
            verdict = cls.from_record(data, claim_from_dict(data["claim"]))
            verdict.to_dict()  # what cannot be put into words is not a certificate
            return verdict
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
            raise CertificateError(f"this is not a certificate: {type(error).__name__}: {error}") from None

    @classmethod
    def from_record(cls, data: Mapping[str, Any], claim: Claim) -> Verdict:
        """Rebuild a verdict on a claim from :meth:`certificate`; what is costly to read is read when it is asked for.

        :raises LookupError, TypeError, ValueError: if a part is missing or cannot be read
        """
        stated = {key: data[key] for key in ("evidence", "value")}
        record = {key: data[key] for key in ("status", "holds", "condition", "witness", "certificate")}
        decision = Decision.from_record(record | {"value": _text_of(data["value"])}, claim, late=True)
        return cls(data["metric"], data["property"], claim, **vars(decision), stated=stated)

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


def _text_of(value: Mapping[str, Any] | None) -> str | None:
    """Return the value that evidence holds in words; a constant is none, because it follows from the claim."""
    if value is None or value["kind"] == CONSTANT:
        return None
    if not isinstance(value["text"], str):
        raise TypeError("value is not a text")
    return value["text"]
