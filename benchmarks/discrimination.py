"""Time the exact discrimination of all metrics with all relevances, and say how much memory it takes.

usage: python benchmarks/discrimination.py [--sizes 2 3 9 10] [--workers N]
"""

from __future__ import annotations

import argparse
import resource
import time

from symmetrics.matrices.discrimination import discrimination, measures_of
from symmetrics.posets.relevance import Relevance, partial_order, prevalence, total_order


def relevances(sizes: list[int]) -> dict[str, Relevance]:
    """Return one relevance of each kind; the smaller a class, the more relevant it is."""
    classes = list(range(len(sizes)))
    by_size = sorted(classes, key=lambda place: -sizes[place])
    half = len(classes) // 2
    pairs = [(large, small) for large in by_size[:half] for small in by_size[half:]]
    return {
        "PREV": prevalence(sizes),
        "PO": partial_order(pairs, classes),
        "TO": total_order(by_size, classes),
        "phi": Relevance(tuple(classes), tuple(1 / (1 + by_size[::-1].index(place)) for place in classes)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="time the exact discrimination of all metrics with all relevances")
    parser.add_argument("--sizes", type=int, nargs="+", default=[2, 3, 9, 10], help="class sizes (default: 2 3 9 10)")
    parser.add_argument("--workers", type=int, default=1, help="processes (default 1)")
    arguments = parser.parse_args()
    measures = measures_of({name: phi.values for name, phi in relevances(arguments.sizes).items()})
    wall, cpu = time.perf_counter(), time.process_time()
    results = discrimination(arguments.sizes, measures, workers=arguments.workers)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{len(results)} metrics over {results[0].sizes.matrices} matrices")
    print(f"wall {wall:.2f} s, CPU of this process {cpu:.2f} s, peak memory {peak:.2f} GiB")
    for result in results:
        print(f"{result.metric:10} {result.distinct:9}  {float(100 * result.share):7.3f} %")


if __name__ == "__main__":
    main()
