"""Answers of mlscorecheck to the questions of audit.py, a line of JSON each; run by its interpreter."""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from typing import Any

from mlscorecheck.check.binary import check_1_dataset_known_folds_mos, check_1_testset_no_kfold
from mlscorecheck.experiments import get_experiment

BUNDLES = (
    *("skinlesion.isic2016", "skinlesion.isic2017", "ehg.tpehg", "retina.drive", "retina.stare", "retina.chase_db1"),
    *("retina.hrf", "retina.drishti_gs", "retina.diaretdb0", "retina.diaretdb1"),
)
"""Data sets that it comes with, as it names them."""


def sizes_in(data: Any) -> set[tuple[int, int]]:
    """Return the positives and negatives of all test sets of a bundle."""
    if isinstance(data, dict) and {"p", "n"} <= set(data):
        return {(data["p"], data["n"])} if min(data["p"], data["n"]) > 0 else set()
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return set().union(*map(sizes_in, parts))


def answer(question: dict[str, Any]) -> bool:
    """Return whether the scores are inconsistent."""
    scores = {name: float(text) for name, text in question["peer"].items()}
    digits = {len(text.partition(".")[2]) for text in question["peer"].values()}
    half = 0.5 * 10.0 ** -digits.pop()
    folds = [{"p": positives, "n": negatives} for positives, negatives in question["folds"]]
    if len(folds) == 1:
        found = check_1_testset_no_kfold(testset=folds[0], scores=scores, eps=half)
    else:
        total = {key: sum(fold[key] for fold in folds) for key in ("p", "n")}
        found = check_1_dataset_known_folds_mos(dataset=total, folding={"folds": folds}, scores=scores, eps=half)
    return bool(found["inconsistency"])


def main() -> None:
    """Answer until there are no more questions."""
    # The solver that it calls prints on standard output.
    said = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    logging.disable(logging.INFO)
    print(json.dumps({name: sorted(sizes_in(get_experiment(name))) for name in BUNDLES}), file=said, flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        started = time.perf_counter()
        is_inconsistent = answer(question)
        seconds = time.perf_counter() - started
        print(json.dumps(["impossible" if is_inconsistent else "possible", seconds]), file=said, flush=True)


if __name__ == "__main__":
    main()
