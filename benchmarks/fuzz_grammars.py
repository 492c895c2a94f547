"""Random formulas: small ones of all sorts, ones that have values on a part of the tables, ones with parameters."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from fuzz_formulas import CELLS

DOMAINS = ("[0, 1]", "[0, 1]", "[0, 1] = 1/2", "(0, 1]", "[-1, 1]", "[0, oo)", "[1, 2)", "[0, 2] = 1")


class Grammar:
    """Draws formulas; mostly small ones, in which the parts that have fooled provers are frequent."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.parameters: dict[str, str] = {}

    def formula(self, *, parameters: bool = False) -> tuple[str, tuple[str, ...]]:
        """Return a formula and the declarations of its parameters, of which there may have to be some."""
        while True:
            with_none = [()] * 7 if not parameters else []
            names = self.random.choice([*with_none, ("w",), ("w",), ("w",), ("w", "v")])
            self.parameters = {name: f"{name} in {self.random.choice(DOMAINS)}" for name in names}
            text = self.whole()
            used = tuple(declaration for name, declaration in self.parameters.items() if name in text)
            if used or not parameters:
                return text, used

    def whole(self) -> str:
        """Return a formula."""
        return self.part(self.random.choice((1, 1, 1, 1, 1, 2)))

    def part(self, depth: int) -> str:
        """Return a formula of some depth."""
        if depth <= 0:
            if depth == 0 and self.random.random() < 0.15:
                return self.special(-1)
            return self.random.choice([self.ratio, self.ratio, self.linear, self.linear, self.atom])()
        kinds: list[tuple[int, Callable[[int], str]]] = [
            (6, lambda d: f"{self.part(d)} + {self.factor(d)}"),
            (4, lambda d: f"{self.part(d)} - {self.factor(d)}"),
            (4, lambda d: f"{self.factor(d)}*{self.factor(d)}"),
            (4, lambda d: f"{self.factor(d)}/{self.factor(d)}"),
            (3, lambda d: f"sqrt({self.part(d)})"),
            (1, lambda d: f"{self.factor(d)}**({self.random.choice(('1/3', '2/3', '3/2', '1/4', '-1/2'))})"),
            (3, lambda d: f"{self.factor(d)}**{self.random.choice((2, 2, 3, 4))}"),
            (2, lambda d: f"Abs({self.part(d)})"),
            (2, lambda d: f"{self.random.choice(('Min', 'Max'))}({self.part(d)}, {self.part(d)})"),
            (2, lambda d: f"log({self.part(d)})"),
            (2, self.special),
        ]
        weights, makers = zip(*kinds, strict=True)
        return self.random.choices(makers, weights)[0](depth - 1)

    def special(self, depth: int) -> str:
        """Return what jumps, cancels, is a power of what changes its sign, or real only in appearance."""
        inner = f"({self.linear()})"
        return self.random.choice(
            [
                f"Abs({inner})/{inner}",
                f"Max(0, {inner})/{inner}",
                f"{inner}*{self.factor(depth)}/{inner}",
                f"sqrt({inner}**2)",
                f"log({inner}**2)",
                f"Abs(sqrt({inner}))",
                f"log({inner})**2",
                f"1/{inner}",
                f"{inner}**3",
                *(f"sqrt({name})*{inner}" for name in self.parameters),
                f"{self.factor(depth)}/10**{self.random.choice((3, 6, 12))}",
            ]
        )

    def factor(self, depth: int) -> str:
        """Return a formula that may stand in a product."""
        return f"({self.part(depth)})"

    def ratio(self) -> str:
        """Return a ratio of sums."""
        top = self.linear()
        bottom = top + " + " + self.linear(signed=False) if self.random.random() < 0.5 else self.linear(signed=False)
        return f"({top})/({bottom})"

    def linear(self, *, signed: bool = True) -> str:
        """Return a sum of cells with coefficients."""
        cells = self.random.sample(CELLS, self.random.choice((1, 1, 1, 2, 2, 3)))
        text = f"{self.coefficient()}{cells[0]}"
        for cell in cells[1:]:
            sign = self.random.choice(("+", "+", "-") if signed else ("+",))
            text += f" {sign} {self.coefficient()}{cell}"
        return text

    def coefficient(self) -> str:
        """Return a number or a parameter with a sign for multiplication, or nothing."""
        choices = ["", "", "", "", "2*", "1/2*", "3*"]
        for name in self.parameters:
            choices += [f"{name}*", f"(1 - {name})*", f"({name} - 1/3)*"]
        return self.random.choice(choices)

    def atom(self) -> str:
        """Return a cell, a number or a parameter."""
        return self.random.choice([*CELLS, *CELLS, "1", "2", "1/2", *self.parameters])


class Parametric(Grammar):
    """Draws formulas of the shapes that metrics with parameters have."""

    def whole(self) -> str:
        """Return a formula."""
        if not self.parameters:
            return super().whole()
        w = self.random.choice([*self.parameters])
        return self.random.choice(
            [
                lambda: f"{w}*{self.ratio()} + (1 - {w})*{self.ratio()}",
                lambda: f"({self.weighted(w)})/({self.weighted(w)})",
                lambda: f"({self.weighted(w)})/(TP + FN + FP + TN)",
                lambda: f"TP/(TP + {self.coefficient()}FN + {w}*FP)",
                lambda: f"(1 + {w}**2)*TP/((1 + {w}**2)*TP + {w}**2*FN + FP)",
                lambda: f"{self.ratio()}*(1 + {w}*({self.ratio()} - {self.ratio()}))",
                lambda: f"{self.ratio()}/({w} + {self.ratio()})",
                lambda: f"{w}*Max({self.ratio()}, {self.ratio()}) + (1 - {w})*Min({self.ratio()}, {self.ratio()})",
                lambda: f"({w}*TP + FN)**2/({self.linear(signed=False)})",
                lambda: self.part(1),
            ]
        )()

    def weighted(self, w: str) -> str:
        """Return a sum of cells with weights."""
        weights = ["", "", f"{w}*", f"(1 - {w})*", "2*"]
        cells = self.random.sample(CELLS, self.random.choice((2, 3, 4)))
        return " + ".join(f"{self.random.choice(weights)}{cell}" for cell in cells)


class Reality(Grammar):
    """Draws formulas with roots and logarithms of differences, which have values on a part of the tables only."""

    def whole(self) -> str:
        """Return a formula."""
        simple, root, other = self.simple(), self.root(), self.root()
        if self.random.random() < 0.3:
            root = f"{self.vanishing()}*{root}"
        return self.random.choice(
            [
                f"{simple} + {root}",
                f"{simple} - {root}",
                f"({simple})*{root}",
                root,
                f"Max({simple}, {root})",
                f"Min({simple}, {root})",
                f"Abs({root})",
                f"Min({simple}, log(Abs({root})))",
                f"{root}/({simple} + {other})",
                f"{root} - {root} + {simple}",
                f"({simple})/(1 + Abs({root}))",
            ]
        )

    def gap(self) -> str:
        """Return a difference that may be negative."""
        first, second = self.random.sample(CELLS, 2)
        choices = [f"{first} - {second}", f"{first} - {second}", f"{first} - 2*{second}", f"{first} - {second} - 1"]
        choices += [f"{first}/({first} + {second}) - {self.ratio()}", "TP*TN - FN*FP", f"{self.linear()}"]
        choices += [f"{name} - {first}/({first} + {second})" for name in self.parameters]
        choices += [f"{name}*{first} - {second}" for name in self.parameters]
        return self.random.choice(choices)

    def root(self) -> str:
        """Return a root or a logarithm of differences."""
        return self.random.choice(
            [
                f"sqrt({self.gap()})",
                f"sqrt({self.gap()})",
                f"({self.gap()})**(1/4)",
                f"({self.gap()})**(3/2)",
                f"log({self.gap()})",
                f"sqrt(({self.gap()})*({self.gap()}))",
                f"log(({self.gap()})/({self.gap()}))",
                f"sqrt({self.gap()})*sqrt({self.gap()})",
            ]
        )

    def vanishing(self) -> str:
        """Return what tends to zero with a cell, though a logarithm in it does not."""
        first, second = self.random.sample(CELLS, 2)
        return self.random.choice(
            [f"{first}*log({first}/({first} + {second}))", f"{first}*log({first})", f"{first}**2*log({first}/{second})"]
        )

    def simple(self) -> str:
        """Return what tends to be extreme at agreement, or at disagreement."""
        first, second, third, fourth = self.random.choice([("TP", "TN", "FN", "FP"), ("FN", "FP", "TP", "TN")])
        return self.random.choice(
            [
                f"Max({first} - {second}, 0) - {third} - {fourth}",
                f"{first} + {second} - Max({third} - {fourth}, 0)",
                f"-{third} - {fourth}",
                f"({first} + {second})/(TP + FN + FP + TN)",
                f"{first}/({first} + {third} + {fourth})",
                self.ratio(),
                self.linear(),
            ]
        )
