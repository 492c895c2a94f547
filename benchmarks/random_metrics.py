"""Try random metrics against every theorem about all metrics: none that has its premises may break its conclusion.

usage: python benchmarks/random_metrics.py [--each NUMBER] [--leaves NUMBER] [--seed NUMBER]

Small formulas are drawn on: those whose premises are seen or proved are combined at random, by sums, products of
positive ones, larger and smaller values, and jumps, which keep every invariance and every rise; of each combination the
conclusion is looked at between two random tables.  And of the formulas that seem to have the premises and do not have
the conclusion the prover is asked: one of the premises has to be refuted.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, lambdify
from tqdm import tqdm

import symmetrics as sm
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, Theorem
from symmetrics.claims.theorems.laws import Law
from symmetrics.discovery.formulas import LEAVES, RATES, Block, Formulas, is_defined
from symmetrics.discovery.synthesis import SCREENED
from symmetrics.discovery.theorems import goals, laws
from symmetrics.language.cells import CELLS

BASE = 40
"""So many formulas are combined for each theorem."""
ASKED = 4
"""So many formulas are given to the prover for each theorem."""
Floats = NDArray[np.float64]


class Small:
    """All small formulas, with the properties that they may have as bits."""

    def __init__(self, leaves: int) -> None:
        self.formulas = Formulas({key: laws()[key] for key in SCREENED}, (*LEAVES, *RATES[:-1]), 24)
        self.blocks: list[Block] = list(self.formulas.blocks(leaves))
        self.bits = np.concatenate([block.bits for block in self.blocks])
        self.ends = np.cumsum([len(block.bits) for block in self.blocks])
        self.place = {name: 1 << k for k, name in enumerate(self.formulas.names)}
        self.refuted: dict[tuple[int, str], bool] = {}

    def having(self, premises: Sequence[str]) -> NDArray[np.bool_]:
        needed = sum(self.place[key] for key in premises)
        return np.asarray(self.bits & needed == needed)

    def expr(self, row: int) -> Expr:
        block = int(np.searchsorted(self.ends, row, side="right"))
        return self.formulas.expr(self.blocks[block], int(row - self.ends[block] + len(self.blocks[block].bits)))

    def has_not(self, row: int, premises: Sequence[str]) -> bool:
        """Whether the prover refutes one of some properties."""
        for key in premises:
            if (row, key) not in self.refuted:
                self.refuted[row, key] = sm.prove(self.expr(row), key, seconds=5).holds is False
            if self.refuted[row, key]:
                return True
        return False

    def proved(self, theorem: Theorem, draw: np.random.Generator) -> Iterator[Expr]:
        """Yield formulas that have the premises of a theorem; rises are proved."""
        rising = [key for key in theorem.premises if key in self.formulas.rising]
        for row in draw.permutation(np.flatnonzero(self.having(theorem.premises)))[: 3 * BASE].tolist():
            expr = self.expr(row)
            if is_defined(expr) and all(sm.prove(expr, key, seconds=5).status == "proved" for key in rising):
                yield expr


def tables_of(law: Law, number: int, draw: random.Random) -> tuple[list[Floats], list[Floats]]:
    """Return so many random pairs of tables of a law, as four columns each."""
    symbols = sorted({s for table in law.tables for cell in table for s in cell.free_symbols}, key=str)
    values = [np.array([2.0 ** draw.randrange(-4, 7) * draw.choice((1, 3)) for _ in range(number)]) for _ in symbols]
    first, second = ([lambdify(symbols, cell, "numpy")(*values) + 0 * values[0] for cell in t] for t in law.tables)
    return first, second


class Combinations:
    """Random combinations of two formulas each, which keep what both have: equal values, and rises."""

    def __init__(self, formulas: int, number: int, draw: np.random.Generator) -> None:
        self.at = np.arange(number)
        self.rows = draw.integers(formulas, size=(2, number))
        self.ways = draw.integers(4, size=number)
        self.weights = draw.uniform(0.1, 3, size=(2, number))
        self.jump = draw.normal(size=number)

    def __call__(self, values: Floats) -> Any:
        x, y = (values[rows, self.at] for rows in self.rows)
        first, second = self.weights
        ways = [first * x + second * y, np.maximum(x, y), np.minimum(x, y), x + second * (y > self.jump)]
        return np.choose(self.ways, ways)


def against(theorem: Theorem, base: Sequence[Expr], each: int, draw: random.Random) -> int:
    """Return how many random combinations of formulas break the conclusion of a theorem, by more than rounding."""
    broken = 0
    for law in goals()[theorem.goal]:
        ends = tables_of(law, each, draw)
        values = [np.array([lambdify(CELLS, e, "numpy")(*end) + 0 * end[0] for e in base]) for end in ends]
        combined = Combinations(len(base), each, np.random.default_rng(draw.randrange(2**32)))
        before, after = (combined(value) for value in values)
        far = 1e-9 * np.max(np.abs(values), axis=(0, 1))
        broken += int(np.sum(np.abs(after - before) > far if law.sign == "=" else after < before - far))
    return broken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=10_000)
    parser.add_argument("--leaves", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    small, draw, generator = Small(options.leaves), random.Random(options.seed), np.random.default_rng(options.seed)
    told: Counter[str] = Counter()
    for theorem in tqdm(sm.theorems(), disable=None, leave=False):
        if not {*theorem.premises} <= small.place.keys():
            continue
        told["theorems"] += 1
        rows = np.flatnonzero(
            small.having(theorem.premises) & (small.bits & small.place.get(theorem.conclusion, 0) == 0)
        )
        if theorem.goal in small.place or theorem.conclusion in (CONSTANT, IMPOSSIBLE):
            for row in generator.permutation(rows)[:ASKED].tolist():
                if is_defined(small.expr(row)):
                    told["formulas that lack the conclusion"] += 1
                    told["contradictions"] += not small.has_not(row, theorem.premises)
        base = [] if theorem.conclusion in (CONSTANT, IMPOSSIBLE) else list(small.proved(theorem, generator))[:BASE]
        if base:
            told["theorems with metrics of their premises"] += 1
            told["random metrics"] += options.each
            told["contradictions"] += against(theorem, base, options.each, draw)
    print(f"{len(small.bits)} formulas;", ", ".join(f"{number} {what}" for what, number in told.items()))
    return 1 if told["contradictions"] else 0


if __name__ == "__main__":
    sys.exit(main())
