"""Parameters of a known metric set to expressions in those of a formula, where that stays in their domains."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sympy import And, Expr, Ge, Gt, Le, Lt, S, Symbol
from sympy.logic.boolalg import Boolean

from symmetrics.language.condition import condition_text
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.metric import Metric

MAX_SETTINGS: Final = 12
"""Ways to set the parameters of one metric that are tried."""


@dataclass(frozen=True)
class Setting:
    """The parameters of a known metric, set to expressions in those of a formula.

    :param formula: the formula of the known metric, so set
    :param places: what each of its parameters is set to
    :param parameters: the parameters of the other formula, their domains cut down to where each value is allowed
    :param text: the setting in words, or nothing
    :param limits: what cuts down the domains, as a condition and in words
    """

    formula: Expr
    places: tuple[tuple[str, Expr], ...]
    parameters: tuple[Parameter, ...]
    text: str = ""
    limits: Boolean = S.true
    limits_text: str = ""

    @property
    def name(self) -> str:
        """The setting as it stands in the name of a verdict, or nothing."""
        places = ", ".join(f"{name} = {formula_text(value)}" for name, value in self.places)
        return f" at {places}" if places else ""


def settings_of(metric: Metric, parameters: Sequence[Parameter]) -> Iterator[Setting]:
    """Yield the settings of a metric's parameters that are tried: each a parameter p, and a single one -p, 1-p and 1/p.

    >>> from symmetrics.library import metrics
    >>> [(each.text, each.limits_text) for each in settings_of(metrics["cwa"], [Parameter("v", 0, 5)])]
    [('w = v', '0 <= v <= 1'), ('w = 1 - v', '0 <= v <= 1'), ('w = 1/v', '1 <= v <= 5')]
    """
    if not metric.parameters:
        yield Setting(metric.expr, (), tuple(parameters))
        return
    chosen = itertools.permutations(parameters, len(metric.parameters))
    for images in itertools.islice(chosen, MAX_SETTINGS):
        for kind in ("p", "-p", "1 - p", "1/p") if len(images) == 1 else ("p",):
            if (found := _setting(metric, images, kind, parameters)) is not None:
                yield found


def _setting(metric: Metric, images: Sequence[Parameter], kind: str, parameters: Sequence[Parameter]) -> Setting | None:
    cut: dict[str, Parameter] = {}
    places: list[tuple[Parameter, Expr]] = []
    for own, image in zip(metric.parameters, images, strict=True):
        kept = _cut(image, own, kind)
        if kept is None:
            return None
        cut[image.name] = kept
        places.append((own, _value(image.symbol, kind)))
    cuts = [cut[p.name] for p in images if cut[p.name].domain != p.domain]
    return Setting(
        metric.expr.xreplace({own.symbol: value for own, value in places}),
        tuple((own.name, value) for own, value in places),
        tuple(cut.get(p.name, p) for p in parameters),
        " and ".join(f"{own.name} = {formula_text(value)}" for own, value in places),
        And(*map(_inside, cuts)),
        " and ".join(map(_inside_text, cuts)),
    )


def _value(symbol: Symbol, kind: str) -> Expr:
    return {"p": symbol, "-p": -symbol, "1 - p": 1 - symbol, "1/p": 1 / symbol}[kind]


def _cut(image: Parameter, own: Parameter, kind: str) -> Parameter | None:
    """Return a parameter whose domain is cut down to where an expression in it lies in the domain of another one."""
    low, high, low_open, high_open = own.lower, own.upper, own.lower_open, own.upper_open
    if kind in ("-p", "1 - p"):
        top = 0 if kind == "-p" else 1
        low, high, low_open, high_open = top - high, top - low, high_open, low_open
    if kind == "1/p":
        if low < 0 or high == 0:
            return None
        low, high, low_open, high_open = 1 / high, 1 / low if low else S.Infinity, high_open, low_open
    low, low_open = max((low, low_open), (image.lower, image.lower_open))
    high, is_closed = min((high, not high_open), (image.upper, not image.upper_open))
    if low > high or (low == high and (low_open or not is_closed or image.lower != image.upper)):
        return None
    cut = replace(image, lower=low, upper=high, lower_open=low_open, upper_open=not is_closed, default=None)
    return replace(cut, default=image.default) if image.default is not None and image.default in cut else cut


def _inside(cut: Parameter) -> Boolean:
    symbol = cut.symbol
    parts = [(Gt if cut.lower_open else Ge)(symbol, cut.lower)] if cut.lower.is_finite else []
    parts += [(Lt if cut.upper_open else Le)(symbol, cut.upper)] if cut.upper.is_finite else []
    return And(*parts)


def _inside_text(cut: Parameter) -> str:
    if not (cut.lower.is_finite and cut.upper.is_finite):
        return condition_text(_inside(cut))
    left, right = ("<" if is_open else "<=" for is_open in (cut.lower_open, cut.upper_open))
    return f"{cut.lower} {left} {cut.name} {right} {cut.upper}"


def conditions_text(*texts: str) -> str:
    """Return conditions that hold together as the end of a sentence, or nothing."""
    kept = [text for text in texts if text]
    joined = " and ".join(f"({text})" if " or " in text and len(kept) > 1 else text for text in kept)
    return f" if {joined}" if joined else ""
