"""Compute what other packages say of the records of the library, for ``tests/data/records_elsewhere.json.xz``.

Run it where the packages are installed, which need not be where symmetrics is: ``pip install abydos==0.5.0 pycm==4.6
scores mlxtend irrCAC scikit-learn scipy``, then ``python tests/collect_records_elsewhere.py``.  Which function of which
package is compared with which record stands in the file itself; values that are no numbers are null.
"""

from __future__ import annotations

import collections
import collections.abc
import json
import lzma
import math
import types
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data" / "records_elsewhere.json.xz"
Counts = tuple[int, int, int, int]


def abydos(name: str, counts: Counts) -> Any:
    """Return a similarity of abydos, ``Class.method.order``: it takes words, and is told the counts in their place."""
    import numpy as np

    for missing, kind in (("float", float), ("int", int), ("bool", bool)):  # names that NumPy no longer has
        np.__dict__.setdefault(missing, kind)
    for missing in ("Iterable", "Mapping", "Sequence"):
        collections.__dict__.setdefault(missing, getattr(collections.abc, missing))
    from abydos import distance

    kind, method, order = name.split(".")
    tp, fn, fp, tn = counts
    a, b, c, d = (tp, fn, fp, tn) if order == "fnfp" else (tp, fp, fn, tn)
    one = getattr(distance, kind)()
    known = {
        "_intersection_card": a,
        "_src_only_card": b,
        "_tar_only_card": c,
        "_total_complement_card": d,
        "_population_card": a + b + c + d,
        "_population_unique_card": a + b + c + d,
        "_src_card": a + b,
        "_src_unique_card": a + b,
        "_tar_card": a + c,
        "_tar_unique_card": a + c,
        "_union_card": a + b + c,
        "_difference_card": b - c,
        "_symmetric_difference_card": b + c,
        "_tokenize": one,
    }
    for key, value in known.items():
        setattr(one, key, types.MethodType(lambda self, *_, value=value, **__: value, one))
    return getattr(one, method)("one", "two")


def pycm(name: str, counts: Counts) -> Any:
    """Return a statistic of PyCM, ``class:TPR``, ``overall:Kappa`` or ``distance:Dennis``."""
    from pycm import ConfusionMatrix, DistanceType

    tp, fn, fp, tn = counts
    matrix = ConfusionMatrix(matrix={"yes": {"yes": tp, "no": fn}, "no": {"yes": fp, "no": tn}})
    of, statistic = name.split(":")
    if of == "overall":
        return matrix.overall_stat[statistic]
    values = matrix.class_stat[statistic] if of == "class" else matrix.distance(metric=DistanceType[statistic])
    return values["yes"]


def scores(name: str, counts: Counts) -> Any:
    """Return a score of the Bureau of Meteorology's package for verification."""
    import xarray
    from scores.categorical import BasicContingencyManager

    tp, fn, fp, tn = counts
    named = {"tp_count": tp, "tn_count": tn, "fp_count": fp, "fn_count": fn, "total_count": sum(counts)}
    manager = BasicContingencyManager({key: xarray.DataArray(float(value)) for key, value in named.items()})
    return getattr(manager, name)()


def mlxtend(name: str, counts: Counts) -> Any:
    """Return a measure of the rule from the prediction to the class."""
    import pandas
    from mlxtend.frequent_patterns import association_rules

    tp, fn, fp, _ = counts
    n = sum(counts)
    rows = [(frozenset("p"), (tp + fp) / n), (frozenset("c"), (tp + fn) / n), (frozenset("pc"), tp / n)]
    frame = pandas.DataFrame({"itemsets": [row[0] for row in rows], "support": [row[1] for row in rows]})
    rules = association_rules(frame, num_itemsets=n, metric="support", min_threshold=-1.0)
    return rules[rules.antecedents == frozenset("p")][name].iloc[0]


def scipy(name: str, counts: Counts) -> Any:
    """Return a statistic of SciPy."""
    import numpy as np
    from scipy import stats
    from scipy.spatial import distance

    tp, fn, fp, tn = counts
    table = np.array([[tp, fn], [fp, tn]])
    if name.startswith("chi2"):
        return stats.chi2_contingency(table, correction=name.endswith("corrected")).statistic
    if name in ("cramer", "tschuprow", "pearson"):
        return stats.contingency.association(table, method=name)
    truth = np.repeat([True, True, False, False], counts)
    predicted = np.repeat([True, False, True, False], counts)
    return getattr(distance, name)(truth, predicted)


def irrcac(name: str, counts: Counts) -> Any:
    """Return a coefficient of agreement of two raters."""
    import pandas
    from irrCAC.raw import CAC

    tp, fn, fp, tn = counts
    pairs = [(1, 1)] * tp + [(1, 0)] * fn + [(0, 1)] * fp + [(0, 0)] * tn
    ratings = CAC(pandas.DataFrame(pairs, columns=["truth", "prediction"]), categories=[0, 1], digits=12)
    return getattr(ratings, name)()["est"]["coefficient_value"]


def scikit_learn(name: str, counts: Counts) -> Any:
    """Return a metric of labels, and for clusters of the two partitions."""
    import numpy as np
    from sklearn import metrics

    truth, predicted = np.repeat([1, 1, 0, 0], counts), np.repeat([1, 0, 1, 0], counts)
    name, _, average = name.partition(":")
    settings = {"average_method": average} if average else {}
    return getattr(metrics, name)(truth, predicted, **settings)


PACKAGES: dict[str, Callable[[str, Counts], Any]] = {
    "abydos": abydos,
    "pycm": pycm,
    "scores": scores,
    "mlxtend": mlxtend,
    "scipy": scipy,
    "irrCAC": irrcac,
    "scikit-learn": scikit_learn,
}


def number(value: Any) -> float | str | None:
    """Return a value as it can be kept: a number of twelve digits, "oo" or "-oo", and null for all else."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    if math.isinf(found):
        return "oo" if found > 0 else "-oo"
    return None if math.isnan(found) else float(f"{found:.12g}")


def refreshed(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield each comparison with the values that the installed package has; of others as they were."""
    for one in data["comparisons"]:
        function = PACKAGES.get(one["package"])
        if function is None:  # in a language of its own: by its published lines
            yield one
            continue
        values = []
        for counts in data["tables"]:
            try:
                values.append(number(function(one["name"], tuple(counts))))
            except Exception:  # whatever a package does where it has no value
                values.append(None)
        yield {**one, "version": version(one["package"]), "values": values}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    kept = json.loads(lzma.decompress(DATA.read_bytes()))
    kept["comparisons"] = list(refreshed(kept))
    DATA.write_bytes(lzma.compress(json.dumps(kept, sort_keys=True).encode()))
