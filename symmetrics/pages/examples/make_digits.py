"""Make ``digits.csv``: is this handwritten digit an eight, and what does a linear classifier say?

Data: the 1797 images of 8 x 8 pixels that scikit-learn ships, which are the test part of *Optical Recognition of
Handwritten Digits*, E. Alpaydin and C. Kaynak (1998), UCI Machine Learning Repository,
https://doi.org/10.24432/C50P49, licensed under CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/).

Changes: the ten classes became two, "eight" (174 images) and "other" (1623); instead of the images the file holds, for
each, the class, the class predicted for it and the probability given to "eight", by a logistic regression that was
fitted without it (five stratified folds, in the order of the file, so that test images mostly come from other writers
than the training images nearest to them).

The objective is strictly convex and Newton's method solves it to nearly machine precision, so every machine writes the
same file up to the last digit of a score.

usage: ``python -m symmetrics.pages.examples.make_digits [FILE]``, with the extra ``test`` installed
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

COLUMNS = ("example", "truth", "prediction", "score")


def write(file: Path) -> None:
    """Write the predictions for all examples to *file*."""
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    pixels, digits = load_digits(return_X_y=True)
    is_eight = digits == 8
    classifier = LogisticRegression(C=10, solver="newton-cholesky", tol=1e-10, max_iter=1000, random_state=0)
    folds = StratifiedKFold(n_splits=5)
    scores = cross_val_predict(classifier, pixels / 16, is_eight, cv=folds, method="predict_proba")[:, 1]
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        for example, (truth, score) in enumerate(zip(is_eight, scores, strict=True)):
            writer.writerow((example, _label(truth), _label(score > 0.5), f"{score:.6f}"))


def _label(positive: bool) -> str:
    return "eight" if positive else "other"


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("digits.csv"))
