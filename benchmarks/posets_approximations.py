"""From which size on is each approximation of averaged ranks off by more than 5 % of the exact rank?

Orders are those of random criteria, a below b where b is at least as good by all of them.  Of each order, the largest
relative error of a rank over its classes, and the largest error of a relevance; of each size, the medians, and in how
many orders the first is above 5 %.

usage: python benchmarks/posets_approximations.py [--orders N] [--sizes N ...] [--criteria N ...] [-o FILE]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from tabulate import tabulate
from tqdm import tqdm

from symmetrics.posets import METHODS, Poset, average_ranks, exact_ranks, poset

HERE = Path(__file__).resolve().parent
FORMULAS = tuple(method for method in METHODS if method not in ("exact", "mcmc"))
LIMIT = 0.05


def dominance(size: int, criteria: int, seed: int) -> Poset:
    values = np.random.default_rng([size, criteria, seed]).random((size, criteria))
    below = (values[:, None] <= values).all(axis=2) & ~np.eye(size, dtype=np.bool_)
    return poset(np.argwhere(below), range(size))


def errors_of(order: Poset) -> dict[str, tuple[float, float]]:
    """Return by method the largest errors: of a rank, relative to the exact one, and of a relevance."""
    exact = exact_ranks(order)
    highest, found = float(max(exact.values())), {}
    for method in FORMULAS:
        ranks = average_ranks(order, method)
        most = max(ranks.values())
        found[method] = (
            max(abs(ranks[node] / float(rank) - 1) for node, rank in exact.items()),
            max(abs(ranks[node] / most - float(rank) / highest) for node, rank in exact.items()),
        )
    return found


def study(sizes: list[int], criteria: list[int], orders: int) -> list[dict[str, Any]]:
    cells = [(size, number) for number in criteria for size in sizes]
    rows = []
    for size, number in tqdm(cells, unit="size", disable=None):
        found = [errors_of(dominance(size, number, seed)) for seed in range(orders)]
        for method in FORMULAS:
            largest, weights = zip(*(errors[method] for errors in found), strict=True)
            rows.append(
                {
                    "criteria": number,
                    "classes": size,
                    "method": method,
                    "rank": round(median(largest), 4),
                    "above": sum(error > LIMIT for error in largest) / orders,
                    "relevance": round(median(weights), 4),
                }
            )
    return rows


def onset(rows: list[dict[str, Any]], method: str, criteria: int) -> str:
    """Return from which size on half of the orders have a rank that is off by more than the limit."""
    cells = [row for row in rows if (row["method"], row["criteria"]) == (method, criteria)]
    above = [row["classes"] for row in cells if row["rank"] > LIMIT]
    return str(min(above)) if above else f"none up to {max(row['classes'] for row in cells)}"


def table(rows: list[dict[str, Any]]) -> str:
    """Return, as Markdown, the onset by number of criteria, and the median at the largest size."""
    criteria = sorted({row["criteria"] for row in rows})
    largest = max(row["classes"] for row in rows)
    head = ["method", *(f"{number} criteria" for number in criteria)]
    head += [f"{what} at {largest}, {number}" for what in ("rank", "relevance") for number in criteria]
    at = {(row["method"], row["criteria"]): row for row in rows if row["classes"] == largest}
    lines = [
        [
            f"`{method}`",
            *(onset(rows, method, number) for number in criteria),
            *(f"{100 * at[method, number]['rank']:.0f} %" for number in criteria),
            *(f"{at[method, number]['relevance']:.3f}" for number in criteria),
        ]
        for method in FORMULAS
    ]
    return tabulate(lines, head, tablefmt="github", disable_numparse=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="errors of approximated ranks by the size of the order")
    parser.add_argument("--orders", type=int, default=40, help="random orders of each size (default 40)")
    parser.add_argument("--sizes", type=int, nargs="+", default=[3, 4, 5, 6, 8, 10, 12, 15, 20])
    parser.add_argument("--criteria", type=int, nargs="+", default=[2, 3])
    parser.add_argument("-o", "--output", type=Path, default=HERE / "results" / "posets_approximations.json")
    arguments = parser.parse_args()
    rows = study(arguments.sizes, arguments.criteria, arguments.orders)
    lines = ",\n  ".join(map(json.dumps, rows))
    arguments.output.write_text(f'{{"orders": {arguments.orders}, "rows": [\n  {lines}\n]}}\n', encoding="utf-8")
    print(table(rows))


if __name__ == "__main__":
    main()
