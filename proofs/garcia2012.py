"""The claims of García, Sánchez & Mollineda (2012), checked one by one.

Run it: ``python proofs/garcia2012.py``.  It prints every claim with its verdict and exits with 1 if one comes out
otherwise than recorded here.

V. García, J. S. Sánchez, R. A. Mollineda: On the suitability of numerical performance measures for class imbalance
problems. ICPRAM 2012, pages 310-313.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

import symmetrics as sm
from symmetrics.tables import GARCIA_METRICS, GARCIA_PROPERTIES

FACTS = Path(__file__).parent / "facts" / "garcia2012_table2.csv"

CONDITIONS = (
    ("cwa", "p1", "w = 1/2"),
    ("cwa", "p2", "w = 1"),
    ("cwa", "p3", "w = 1"),
    ("cwa", "p4", "w = 0"),
    ("cwa", "p5", "w = 0"),
    ("iba_gmean", "p1", "alpha = 0"),
    ("wauc", "p1", "rho = 0"),
    ("f_beta", "p5", "beta = 0"),
)
"""Where the printed signs depend on a parameter, and how.  The paper gives the signs alone."""


def printed_table() -> dict[tuple[str, str], str]:
    """Return the printed sign of every cell of table 2: ``-`` for invariance, ``+`` for none."""
    with FACTS.open(encoding="utf-8", newline="") as stream:
        return {(row["measure"], key): row[key] for row in csv.DictReader(stream) for key in GARCIA_PROPERTIES}


def table_claims() -> Iterator[tuple[str, bool]]:
    """Yield every cell of table 2 and whether the machine's verdict agrees with the print."""
    printed = printed_table()
    for metric in GARCIA_METRICS:
        for key in GARCIA_PROPERTIES:
            verdict = sm.prove(metric, key)
            sm.check(verdict)
            sign = {True: "-", False: "+", None: "?"}[verdict.holds]
            yield (
                f"table 2, {metric}, {key}: printed {printed[metric, key]}, found {sign}",
                sign == printed[metric, key],
            )


def condition_claims() -> Iterator[tuple[str, bool]]:
    """Yield the conditions on parameters and whether solving finds them."""
    for metric, key, condition in CONDITIONS:
        found = sm.prove(metric, key).to_dict()["condition"]
        yield f"{metric}, {key}: if and only if {condition}, found {found}", found == condition


def text_claims() -> Iterator[tuple[str, bool]]:
    """Yield the sentences of section 2 that say when two measures coincide."""
    plain = sm.metrics["wauc"].at(rho=0)
    yield "section 2: weighted AUC with rho = 0 is the AUC", _same(plain, sm.metrics["auc_single"])
    yield "section 2: F_1 is F at beta = 1", _same(sm.metrics["f_beta"].at(beta=1), sm.metrics["f1"])
    yield "section 2: IBA at alpha = 0 is G-mean", _same(sm.metrics["iba_gmean"].at(alpha=0), sm.metrics["gmean"])


def _same(left: sm.Metric, right: sm.Metric) -> bool:
    return bool((left.expr - right.expr).together().cancel() == 0)


def main() -> int:
    """Print every claim and return 1 if one of them fails."""
    claims = [*table_claims(), *condition_claims(), *text_claims()]
    for sentence, agrees in claims:
        print(f"{'agrees ' if agrees else 'DIFFERS'}  {sentence}")
    differing = sum(not agrees for _, agrees in claims)
    print(f"{len(claims)} claims, {differing} of them differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
