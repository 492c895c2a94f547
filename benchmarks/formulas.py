"""How long it takes to decide every property of one formula, as one process with the import.

Usage: python benchmarks/formulas.py [FORMULA...].  The bound is 3 s for a formula without logarithms.
"""

from __future__ import annotations

import subprocess
import sys
import time

FORMULAS = (
    "TP/(TP + 7*FN/10 + 3*FP/10)",
    "sqrt(TP*TN/((TP + FN)*(TN + FP))) - FP/(TP + FP)",
    "2*TP*TN/(TP*(TN + FP) + TN*(TP + FN))",
    "Min(TP/(TP + FN), TP/(TP + FP))",
    "Abs(TP*TN - FP*FN)/((TP + FN)*(TN + FP))",
    "(TP + TN)**2/(TP + FN + FP + TN)**2",
    "TP/(TP + FN) + TN/(TN + FP) - 1 + TP/(TP + FP)",
    "(TP*TN)**(1/3)/(TP + FN + FP + TN)**(2/3)",
    "(TP - FP)/(TP + FP + 1)",
    "Max(TP/(TP + FN), TN/(TN + FP)) - sqrt(FN/(TP + FN))",
)
PROGRAM = """
import sys
import symmetrics as sm
metric = sm.Metric("mine", sm.parse_formula(sys.argv[1]))
verdicts = [sm.prove(metric, key) for key in sm.properties]
print(len(verdicts), sum(verdict.status == "open" for verdict in verdicts))
"""


def main() -> None:
    for formula in sys.argv[1:] or FORMULAS:
        start = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", PROGRAM, formula], capture_output=True, text=True, check=True)
        decided, left = done.stdout.split()
        print(f"{time.perf_counter() - start:5.2f} s  {decided} properties, {left} open  {formula}")


if __name__ == "__main__":
    main()
