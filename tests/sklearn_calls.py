"""Record every call of scikit-learn's metrics of classification in its own tests, for test_other_packages.

usage: python tests/sklearn_calls.py      (writes tests/data/sklearn_calls.json.xz, in some minutes)

The tests that come with the installed scikit-learn are run with recorders in the place of the functions.  What is kept
of a call are its arguments and its result, or that it was refused; each once, and of calls that functions make of each
other the outermost.  What holds more than can be kept, or an object that JSON cannot say, is counted and left out.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import lzma
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse

DATA = Path(__file__).with_name("data") / "sklearn_calls.json.xz"
MODULES = {
    "sklearn.metrics._classification": (
        "accuracy_score", "balanced_accuracy_score", "class_likelihood_ratios", "cohen_kappa_score", "confusion_matrix",
        "f1_score", "fbeta_score", "hamming_loss", "jaccard_score", "matthews_corrcoef", "multilabel_confusion_matrix",
        "precision_recall_fscore_support", "precision_score", "recall_score", "zero_one_loss",
    ),
    "sklearn.metrics._ranking": ("average_precision_score", "det_curve", "roc_auc_score", "top_k_accuracy_score"),
}  # fmt: skip
TESTS = ("test_classification", "test_ranking", "test_common", "test_score_objects")
MOST = 3000
"""Numbers or labels in one argument of a call that is kept."""
CALLS: dict[str, None] = {}
LEFT_OUT: Counter[str] = Counter()
_depth = [0]


class NotKeptError(Exception):
    """Raised by what JSON cannot say, or by too much of it."""


def packed(value: Any) -> Any:
    """Return a value as JSON can say it: arrays, tuples and sparse matrices with their kind."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return packed(value.item()) if not isinstance(value, np.str_ | np.bytes_) else packed(str(value))
    if type(value).__name__ == "Series":
        return {"series": packed(value.to_numpy())}
    if scipy.sparse.issparse(value):
        return {"sparse": packed(value.toarray())}
    if isinstance(value, np.ndarray):
        if value.size > MOST or value.dtype.kind not in "biufUO":
            raise NotKeptError(f"an array of {value.dtype}, {value.shape}")
        return {"array": value.dtype.str, "of": [packed(item) for item in value.ravel().tolist()], "shape": value.shape}
    if isinstance(value, list | tuple | range):
        if len(value) > MOST:
            raise NotKeptError("a long list")
        items = [packed(item) for item in value]
        return {"tuple": items} if isinstance(value, tuple) else items
    if isinstance(value, dict):
        return {"dict": [[packed(key), packed(item)] for key, item in value.items()]}
    raise NotKeptError(type(value).__name__)


def unpacked(value: Any) -> Any:
    """Return what was packed."""
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "array" in value:
        return np.array(unpacked(value["of"]), dtype=value["array"]).reshape(value["shape"])
    if "tuple" in value:
        return tuple(unpacked(value["tuple"]))
    if "series" in value:
        return pd.Series(unpacked(value["series"]))
    if "sparse" in value:
        return scipy.sparse.csr_matrix(unpacked(value["sparse"]))
    return {unpacked(key): unpacked(item) for key, item in value["dict"]}


def recorded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that keeps its calls."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*arguments: Any, **settings: Any) -> Any:
        result, error = None, ""
        _depth[0] += 1
        try:
            result = function(*arguments, **settings)
            return result
        except Exception as raised:
            error = type(raised).__name__
            raise
        finally:
            _depth[0] -= 1
            if not _depth[0]:
                keep(name, signature, arguments, settings, result, error)

    return call


def keep(
    name: str, signature: inspect.Signature, arguments: Any, settings: dict[str, Any], result: Any, error: str
) -> None:
    """Keep a call, or count it as left out."""
    try:
        bound = signature.bind(*arguments, **settings)
    except TypeError:
        LEFT_OUT[f"{name}: arguments that the function does not have"] += 1
        return
    try:
        bound.apply_defaults()  # which may be others in the next version
        given = {key: packed(value) for key, value in bound.arguments.items()}
        CALLS.setdefault(json.dumps({"name": name, "given": given, "result": packed(result), "error": error}))
    except NotKeptError as reason:
        LEFT_OUT[f"{name}: {reason}"] += 1


def pytest_configure() -> None:
    """Put recorders in the place of the functions, before the tests import them."""
    package = importlib.import_module("sklearn.metrics")
    for module, names in MODULES.items():
        home = importlib.import_module(module)
        for name in names:
            function = recorded(name, getattr(home, name))
            setattr(home, name, function)
            setattr(package, name, function)


def pytest_unconfigure() -> None:
    """Write the calls."""
    found = {"calls": [json.loads(call) for call in CALLS], "left_out": dict(LEFT_OUT.most_common())}
    Path(os.environ["SKLEARN_CALLS"]).write_text(json.dumps(found), encoding="utf-8")


def main() -> None:
    """Run scikit-learn's tests, and keep what they called."""
    import sklearn

    calls: dict[str, Any] = {}
    left_out: Counter[str] = Counter()
    for test in TESTS:
        part = DATA.with_name(f"{test}.json")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "sklearn_calls",
            "-p",
            "no:cacheprovider",
            "-W",
            "ignore",
        ]
        subprocess.run(
            [*command, "--pyargs", f"sklearn.metrics.tests.{test}"],
            cwd=DATA.parent,
            env=os.environ | {"SKLEARN_CALLS": str(part), "PYTHONPATH": str(DATA.parent.parent)},
            check=False,
        )
        found = json.loads(part.read_text(encoding="utf-8"))
        part.unlink()
        for call in found["calls"]:
            calls.setdefault(json.dumps(call), call)
        left_out.update(found["left_out"])
    data = {"version": sklearn.__version__, "left_out": dict(left_out.most_common()), "calls": list(calls.values())}
    DATA.write_bytes(lzma.compress(json.dumps(data, separators=(",", ":")).encode(), preset=9))
    print(f"{len(calls)} calls, {sum(left_out.values())} left out, {DATA.stat().st_size} bytes")


if __name__ == "__main__":
    main()
