"""Same order: two formulas that rank all tables alike, or all of them the other way round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from symmetrics.claims.one_formula import TwoFormulas
from symmetrics.tools.errors import FormulaError


@dataclass(frozen=True)
class SameOrder(TwoFormulas):
    """Of any two tables at which both formulas are defined, M is larger at the one at which the partner is.

    ``M(x) < M(y)`` if and only if ``partner(x) < partner(y)``, for all positive cells of x and y; or, *reverse*, if
    and only if ``partner(x) > partner(y)``.

    :param subject: the formula M
    :param parameters: the parameters of both formulas, with their domains
    :param partner: the other formula
    :param reverse: whether the order is the opposite one
    """

    kind = "same order"

    reverse: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as texts, from which :meth:`from_dict` rebuilds it."""
        return {**super().to_dict(), "reverse": self.reverse}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild a claim from its texts.

        :raises FormulaError: if a text cannot be read
        """
        if not isinstance(data["reverse"], bool):
            raise FormulaError(f"{data['reverse']!r} does not say whether the order is the opposite one")
        return replace(super().from_dict(data), reverse=data["reverse"])
