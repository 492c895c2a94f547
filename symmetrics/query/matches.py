"""What identification finds: relations of a formula to known metrics, and how they are shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sympy import Expr, true
from sympy.logic.boolalg import Boolean

from symmetrics.claims.verdict import Verdict
from symmetrics.language.condition import condition_text
from symmetrics.language.writer import formula_text
from symmetrics.library import metrics
from symmetrics.metric import Metric


@dataclass(frozen=True)
class Match:
    """A relation of a formula to a known metric.

    :param metric: the name of the known metric
    :param relation: the key of the relation
    :param equation: what it says, with M for the formula; "for its" and "at its" come before values of the known
        metric's parameters, "if" before a condition on those of the formula, and "where" before the defaults of these
    :param verdict: the verdict on it
    :param condition: for which values of the formula's parameters it holds, or None if for all of them
    :param at: the defaults of the formula's parameters, if it is stated for these alone
    """

    metric: str
    relation: str
    equation: str
    verdict: Verdict
    condition: Boolean | None = None
    at: Mapping[str, Expr] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """``proved``, ``conditional`` on the parameters of the formula or the known metric, or ``open``."""
        return "conditional" if self.condition is not None else self.verdict.status

    def to_dict(self) -> dict[str, Any]:
        """Return the match as JSON values."""
        return {
            "metric": self.metric,
            "relation": self.relation,
            "equation": self.equation,
            "status": self.status,
            "condition": None if self.condition is None else condition_text(self.condition),
            "at": {name: str(value) for name, value in self.at.items()},
            "verdict": self.verdict.to_dict(),
        }


@dataclass(frozen=True, repr=False)
class Identification:
    """The known metrics that a formula is related to, the closest first.

    :param formula: the formula
    :param matches: the relations that are proved
    :param open: those that all values suggest, but that are not decided
    :param remark: what was left out, if time ran out
    """

    formula: Metric
    matches: tuple[Match, ...]
    open: tuple[Match, ...] = ()
    remark: str = ""

    def __iter__(self) -> Iterator[Match]:
        return iter(self.matches)

    def __len__(self) -> int:
        return len(self.matches)

    def __getitem__(self, place: int) -> Match:
        return self.matches[place]

    @property
    def names(self) -> tuple[str, ...]:
        """The metrics that the formula equals; if it has defaults, at these at least."""
        return tuple(dict.fromkeys(m.metric for m in self.matches if m.relation == "equal" and m.status == "proved"))

    def told(self) -> list[tuple[Match, str]]:
        """Return the relations that are shown, with their equations: one that also holds by default is said once."""
        defaults = self.formula.default_values
        by_default = {
            (m.relation, m.equation.partition(" if ")[0])
            for m in self.matches
            if not m.at and m.condition is not None and m.condition.xreplace(defaults) == true
        }
        shown = []
        for match in self.matches:
            said = (match.relation, re.split(", where | if ", match.equation)[0])
            if match.at and said in by_default:
                continue
            is_default = said in by_default and match.condition is not None
            shown.append((match, f"{match.equation}, as by default" if is_default else match.equation))
        return shown

    def to_dict(self) -> dict[str, Any]:
        """Return the formula and the matches as JSON values."""
        return {
            "formula": formula_text(self.formula.expr),
            "parameters": [str(parameter) for parameter in self.formula.parameters],
            "matches": [match.to_dict() for match in self.matches],
            "open": [match.to_dict() for match in self.open],
            **({"remark": self.remark} if self.remark else {}),
        }

    def __repr__(self) -> str:
        rows = [(m.relation, m.metric, equation) for m, equation in self.told()]
        rows += [(m.relation, m.metric, f"{m.equation} (open)") for m in self.open]
        declared = "".join(f", {parameter}" for parameter in self.formula.parameters)
        head = f"M = {formula_text(self.formula.expr)}{declared}"
        remark = [self.remark] if self.remark else []
        if not rows:
            is_known = metrics.get(self.formula.name) is self.formula
            found = (
                f"no {'other ' * is_known}metric of the library was found that it equals, is an affine or strictly "
                "monotone function of, or becomes when cells are exchanged"
            )
            return "\n".join([f"{head}: {found}", *remark])
        widths = [max(len(row[place]) for row in rows) for place in range(2)]
        lines = [f"{relation:<{widths[0]}}  {name:<{widths[1]}}  {equation}" for relation, name, equation in rows]
        return "\n".join([head, *lines, *remark])
