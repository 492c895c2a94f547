"""Verdict: the answer to a claim, together with its evidence."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, NoReturn

from sympy.logic.boolalg import Boolean

from symmetrics.claims import Claim, claim_from_dict
from symmetrics.claims.evidence import Decision, Evidence, Status, Witness, require_spelled
from symmetrics.claims.values import Value
from symmetrics.claims.wording import sentence_of, value_of
from symmetrics.claims.wording.values import CONSTANT, words_of
from symmetrics.language.condition import condition_text
from symmetrics.tools.errors import CertificateError, SymmetricsError

WRITERS: Final[dict[str, Callable[..., str]]] = {}
"""Functions that write verdicts for readers, by format; a higher package that knows the library registers its own."""


@dataclass(frozen=True)
class _WithSentence(Evidence):
    """Evidence of a verdict whose sentence is made on first access.

    :param of: the claim, and the decision on it
    """

    of: tuple[Claim, Decision] = field(kw_only=True, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Skip validation: the decision's evidence has been validated."""

    @cached_property
    def sentence(self) -> str:
        """The reason in words."""
        return sentence_of(*self.of)


@dataclass(frozen=True, init=False)
class Verdict:
    """A decision about one property of one metric.

    The parts of the decision are attributes of the verdict too, and ``dataclasses.replace`` takes them by name.

    :param metric: the metric's name
    :param property: the property's key
    :param claim: the claim of the decision
    :param answer: the parts of the decision, in the order of :class:`Decision`
    :param decision: instead of them, a decision, some parts of which may be given anew by name
    :param stated: for a verdict that was read from a certificate, the sentence and the value that stood there; the
        checker refuses others than those that follow from the rest
    """

    metric: str
    property: str
    claim: Claim
    decision: Decision
    stated: Mapping[str, Any] = field(compare=False, repr=False)

    def __init__(
        self,
        metric: str,
        property: str,
        claim: Claim,
        *answer: Any,
        decision: Decision | None = None,
        stated: Mapping[str, Any] | None = None,
        **parts: Any,
    ) -> None:
        if decision is not None:
            parts = vars(decision) | parts
        found = Decision(*answer, **parts)
        if isinstance(found.evidence, _WithSentence):  # its sentence belongs to another verdict
            found = replace(found, evidence=Evidence(found.evidence.kind, found.evidence.data))
        given = {"metric": metric, "property": property, "claim": claim, "decision": found, "stated": stated or {}}
        for name, value in given.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, decision: Decision, claim: Claim, *, metric: str, property: str) -> Verdict:
        """Turn a decision into a verdict on one property of one metric."""
        return cls(metric, property, claim, decision=decision)

    @cached_property
    def status(self) -> Status:
        """``proved``, ``refuted``, ``conditional`` (on the parameters) or ``open``."""
        return self.decision.status

    @cached_property
    def holds(self) -> bool | None:
        """The truth value at the default parameters, also where the claim is open for others.

        None if it is open there as well, or if it depends on a parameter without default.
        """
        return self.decision.holds

    @cached_property
    def condition(self) -> Boolean | None:
        """For ``conditional``, the parameter values at which the claim holds."""
        return self.decision.condition

    @cached_property
    def witness(self) -> Witness | None:
        """An exact counterexample.

        For ``conditional`` at the defaults, or else where the condition fails; for ``open`` at the defaults.
        """
        return self.decision.witness

    @cached_property
    def found(self) -> Value | None:
        """The value that the claim asks for, beyond yes and no, such as a range or a limit."""
        return self.decision.found

    @cached_property
    def value(self) -> str | None:
        """The value in words."""
        return None if self.found is None else words_of(self.found, self.claim.parameters)

    @cached_property
    def evidence(self) -> Evidence:
        """The evidence, with its sentence."""
        plain = self.decision.evidence
        return _WithSentence(plain.kind, plain.data, of=(self.claim, self.decision))

    def __bool__(self) -> NoReturn:
        raise SymmetricsError(
            f"the verdict on {self.property} of {self.metric} is {self.status!r}, not true or false: "
            "ask for .holds (True, False or None) or .status"
        )

    def __repr__(self) -> str:
        return f"<Verdict: {self._answer()}>"

    def __str__(self) -> str:
        return f"{self._answer()}; {self.evidence.sentence}"

    def _answer(self) -> str:
        condition = "" if self.condition is None else f" if and only if {condition_text(self.condition)}"
        return f"{self.property} of {self.metric}: {self.status}{condition}"

    def to_dict(self) -> dict[str, Any]:
        """Return the public form: JSON values under eight keys that are always present.

        ``value`` is null or holds what was found, as :func:`symmetrics.claims.wording.value_of` describes.
        """
        return {
            "metric": self.metric,
            "property": self.property,
            **self.decision.answer(),
            "evidence": self.evidence.sentence,
            "value": value_of(self.claim, self),
        }

    def certificate(self) -> dict[str, Any]:
        """Return the public form plus the claim and the data with which the checker re-verifies it."""
        return self.to_dict() | {"claim": self.claim.to_dict(), "certificate": self.decision.evidence.record()}

    def to_latex(self, *, environment: str | None = None, label: str | None = None) -> str:
        r"""Return a paragraph for a paper: the claim, the answer, and the evidence or the counterexample.

        The evidence is verified again before it is written that it was.  The packages amsmath and graphicx have to be
        loaded.

        :param environment: the name of a theorem environment of the paper, such as ``proposition``, for what is
            claimed; the evidence is then its ``proof``, for which amsthm has to be loaded
        :param label: to refer to the environment by
        :raises CertificateError: if the evidence does not establish the verdict
        :raises InputError: on a label without an environment, and on names that LaTeX cannot read
        :raises SymmetricsError: if a verdict was read by :mod:`symmetrics.claims` alone, which knows no names

        >>> from symmetrics.query.proving import prove
        >>> print(prove("precision", "p2").to_latex().splitlines()[0])
        \textbf{Precision does not depend on the true negatives.}
        """
        if "latex" not in WRITERS:
            raise SymmetricsError("what writes verdicts in words is not loaded: import symmetrics.query first")
        return WRITERS["latex"](self, environment=environment, label=label)

    @classmethod
    def from_certificate(cls, data: Mapping[str, Any]) -> Verdict:
        """Rebuild a verdict from :meth:`certificate`.  Nothing in it is trusted before it is checked.

        :raises CertificateError: if a part is missing or cannot be read
        """
        try:
            for key in ("metric", "property", "status", "evidence"):
                if not isinstance(data[key], str):
                    raise TypeError(f"{key} is not a text")
            verdict = cls.from_record(data, claim_from_dict(data["claim"]))
            require_spelled(verdict.decision.evidence.kind, verdict.decision.evidence.data)
            verdict.to_dict()  # raises on data that cannot be put into words
            return verdict
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
            reason = f"it has no {error}" if isinstance(error, KeyError) else f"it has another form: {error}"
            raise CertificateError(f"this is not a certificate: {reason}") from None

    @classmethod
    def from_record(cls, data: Mapping[str, Any], claim: Claim) -> Verdict:
        """Rebuild a verdict on a claim from :meth:`certificate`; costly parts are parsed on first access.

        The evidence is not compared with its records, as :meth:`from_certificate` does: this is for files whose hash is
        that of what was generated.

        :raises LookupError, TypeError, ValueError: if a part is missing or cannot be read
        """
        stated = {key: data[key] for key in ("evidence", "value")}
        record = {key: data[key] for key in ("status", "holds", "condition", "witness", "certificate")}
        # A constant follows from the claim, and is not what the evidence establishes.
        value = data["value"] if data["value"] is None or data["value"]["kind"] != CONSTANT else None
        decision = Decision.from_record(record | {"value": value}, claim, late=True)
        return cls(data["metric"], data["property"], claim, decision=decision, stated=stated)

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
