"""Write docs/plots.md and its pictures: every kind of plot, with the lines of code that draw it.

usage: python docs/gallery.py [NAME...]     (default: all pictures; with names, these alone)

Each picture is as wide as a column of a paper, 8 cm, and is drawn on a light and on a dark ground.  It carries the
fingerprint of its code, by which a test sees that it is to be drawn again; what is in it is written to
tests/data/plots.json, which the tests compare with what is drawn now.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator
from PIL import Image, PngImagePlugin

import symmetrics as sm
from symmetrics.tools.drawing.canvas import figure_of

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "plots.md"
FOLDER: Final = ROOT / "docs" / "plots"
STORED: Final = ROOT / "tests" / "data" / "plots.json"
STYLES: Final = {"light": "default", "dark": "dark_background"}
WIDTH: Final = 8 / 2.54
DPI: Final = 150
COLOURS: Final = 160
"""Of a stored picture, which is half as large as one with all of them."""

SCORES: Final = """\
random = np.random.default_rng(1)
truth = random.integers(0, 2, 200)
score, other = (truth * shift + random.normal(size=200) for shift in (1.2, 0.6))
"""


@dataclass(frozen=True)
class Entry:
    """One picture of the gallery.

    :param name: of its file
    :param words: what it shows
    :param code: the lines that draw it, the last one with the axes as its value
    :param height: in inches
    """

    name: str
    words: str
    code: str
    height: float = 3.0

    @property
    def fingerprint(self) -> str:
        """What the picture was drawn by, in few letters."""
        return hashlib.sha256(f"{self.code} {self.height} {WIDTH} {DPI}".encode()).hexdigest()[:16]


SECTIONS: Final[dict[str, tuple[Entry, ...]]] = {
    "One metric": (
        Entry(
            "isometrics",
            "Lines of equal value in the ROC plane, at a prior of 1/10. Negative values are dashed and 0 is bold.",
            'sm.metrics["mcc"].plot.isometrics(ax, prior="1/10")',
            3.3,
        ),
        Entry(
            "isometrics_precision_recall",
            "The same in the precision-recall plane; what no classifier reaches is hatched.",
            'sm.metrics["f1"].plot.isometrics(ax, "precision_recall", prior="1/4")',
            3.3,
        ),
        Entry(
            "isometrics_unbounded",
            "Of a metric with poles, at values that are round by their logarithm.",
            'sm.metrics["diagnostic_odds_ratio"].plot.isometrics(ax)',
            3.3,
        ),
        Entry(
            "isometrics_own",
            "Of a formula of one's own, at values of one's own.",
            """\
from symmetrics import FN, FP, TP, Metric, Parameter

w = Parameter("w", 0, 1, default="7/10")
mine = Metric("mine", TP / (TP + w.symbol * FN + (1 - w.symbol) * FP), parameters=(w,))
mine.plot.isometrics(ax, levels=[0.2, 0.4, 0.6, 0.8])""",
            3.3,
        ),
        Entry(
            "gradient",
            "Where the value grows fastest, and how fast.",
            'sm.metrics["mcc"].plot.gradient(ax, prior="1/10")',
            2.9,
        ),
        Entry(
            "prior",
            "The value of classifiers whose rates stay as they are, against prior and imbalance.",
            'sm.metrics["mcc"].plot.prior(ax, points=[(0.1, 0.9), (0.3, 0.8), (0.05, 0.5)])',
        ),
        Entry(
            "random_guessing",
            "What random guessing scores: at the expected table,",
            'sm.metrics["f1"].plot.random_guessing(ax)',
        ),
        Entry(
            "random_guessing_small",
            "and as an exact expectation over the tables of 20 examples.",
            'sm.metrics["f1"].plot.random_guessing(ax, n=20)',
        ),
        Entry(
            "tetrahedron",
            "All tables of 10 examples, the right predictions on one edge and the wrong ones on the opposite.",
            'sm.metrics["mcc"].plot.tetrahedron(10, ax)',
        ),
        Entry(
            "distribution",
            "How many of all tables of 20 examples have which values, every table on its side of every edge.",
            'sm.metrics["mcc"].plot.distribution(20, ax)',
            2.6,
        ),
        Entry(
            "distribution_unbounded",
            "Poles, tables without a value and what lies far out have bars of their own.",
            'sm.metrics["diagnostic_odds_ratio"].plot.distribution(20, ax)',
            2.6,
        ),
    ),
    "Many metrics": (
        Entry("verdicts", "Which metric has which property.", "sm.plots.verdicts(sm.table(), ax=ax)", 4.0),
        Entry(
            "agreement",
            "How alike metrics rank all tables of 12 examples.",
            'sm.plots.agreement(["f1", "jaccard", "mcc", "kappa", "accuracy", "gmean"], ax=ax)',
        ),
        Entry(
            "hasse",
            "Which metrics are nowhere larger than which others.",
            """\
order = sm.order(["jaccard", "f1", "fowlkes_mallows", "precision", "recall", "gmean"], processes=1)
sm.plots.hasse(order, ax)""",
            2.6,
        ),
        Entry(
            "concepts",
            "Which metrics share which properties: each has those at its place and above it.",
            """\
metrics = ["f1", "jaccard", "mcc", "kappa", "accuracy", "precision", "recall", "informedness"]
found = sm.concepts(metrics, ["p1", "p2", "transpose", "monotone"])
sm.plots.concepts(found, ax)""",
            3.6,
        ),
        Entry(
            "implications",
            "Which property follows from which.",
            """\
keys = ["scaling", "actual_scaling", "predicted_scaling", "homogeneous", "no_imbalance_bias", "independence_value"]
sm.plots.implications(properties=keys, ax=ax)""",
            2.6,
        ),
    ),
    "Scores and predictions": (
        Entry(
            "roc",
            "A ROC curve with its convex hull and a band.",
            SCORES + "curve, band = sm.roc_curve(truth, score), sm.roc_band(truth, score)\n"
            "sm.plots.roc(curve, hull=True, band=band, ax=ax)",
            3.2,
        ),
        Entry(
            "roc_several",
            "Several curves.",
            SCORES + 'curves = {"logistic": sm.roc_curve(truth, score), "tree": sm.roc_curve(truth, other)}\n'
            "sm.plots.roc(curves, ax=ax)",
            3.2,
        ),
        Entry(
            "positive_fraction",
            "The fraction predicted positive under several priors.",
            SCORES + "sm.plots.positive_fraction(sm.roc_curve(truth, score), [0.5, 0.1, 0.001], target=0.8, ax=ax)",
            3.2,
        ),
        Entry("cost_weights", "The weights of costs that H and B42 rest on,", "sm.plots.cost_weights(ax=ax)", 2.6),
        Entry(
            "cost_weights_implied",
            "and those that AUC implies for a classifier.",
            SCORES + 'implied = {"the classifier": sm.curves.auc_cost_weights(truth, score)}\n'
            "sm.plots.cost_weights(implied=implied, ax=ax)",
            2.9,
        ),
        Entry(
            "confusion",
            "A confusion matrix, with intervals of the shares of each true class.",
            'sm.plots.confusion([[45, 4, 1], [8, 60, 7], [2, 5, 18]], ["cat", "dog", "owl"], ax=ax)',
        ),
    ),
    "Charts that the papers' figures are drawn with": (
        Entry(
            "bars",
            "Values of several kinds by group.",
            'groups = {"abalone": {"SVM": 0.21, "LR": 0.3}, "thyroid": {"SVM": 0.62, "LR": 0.58}}\n'
            'sm.plots.bars(groups, value="B42", ax=ax)',
            2.6,
        ),
        Entry(
            "dots",
            "Several values of each kind by group.",
            'groups = {"CBA": {"PREV": [1, 3], "PO": [2]}, "F1": {"PREV": [4, 5], "PO": [1, 2]}}\n'
            'sm.plots.dots(groups, value="gain in percent", ax=ax)',
            2.6,
        ),
        Entry(
            "examples",
            "Examples of two classes.",
            "random = np.random.default_rng(0)\n"
            'classes = {"target": random.normal(size=(60, 2)), "non-target": random.normal(size=(60, 2)) + [2, 0]}\n'
            'sm.plots.examples(classes, x="first feature", y="second feature", ax=ax)',
            2.8,
        ),
    ),
}
ENTRIES: Final = tuple(entry for entries in SECTIONS.values() for entry in entries)


def drawn(entry: Entry, style: str = "light", width: float = WIDTH) -> Axes:
    """Return the axes that the code of an entry draws, on a figure of its own."""
    with mpl.rc_context({"font.family": "DejaVu Sans"}), plt.style.context(STYLES[style]):
        _, ax = plt.subplots(figsize=(width, entry.height), layout="constrained")
        names: dict[str, Any] = {"sm": sm, "np": np, "ax": ax}
        *before, last = ast.parse(entry.code).body
        exec(compile(ast.Module(before, []), entry.name, "exec"), names)  # the code of this file
        assert isinstance(last, ast.Expr)
        found: Axes = eval(compile(ast.Expression(last.value), entry.name, "eval"), names)
        return found


def png(figure: Figure, fingerprint: str = "") -> bytes:
    """Return a figure as a small PNG with its fingerprint."""
    with io.BytesIO() as whole, io.BytesIO() as small:
        figure.savefig(whole, format="png", dpi=DPI)
        note = PngImagePlugin.PngInfo()
        note.add_text("fingerprint", fingerprint)
        note.add_text("matplotlib", mpl.__version__)
        picture = Image.open(whole).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        picture.save(small, format="png", optimize=True, pnginfo=note)
        return small.getvalue()


def path_of(entry: Entry, style: str) -> Path:
    """Return where a picture is kept."""
    return FOLDER / f"{entry.name}{'' if style == 'light' else f'_{style}'}.png"


def contents(figure: Figure) -> list[dict[str, Any]]:
    """Return what is in a figure, axes by axes, as numbers and words that do not depend on how they are rendered."""
    return [_contents(ax) for ax in figure.axes]


def _contents(ax: Axes) -> dict[str, Any]:
    legend = ax.get_legend()
    return {
        "labels": [ax.get_title(), ax.get_xlabel(), ax.get_ylabel()],
        "ticks": [_fixed_ticks(axis) for axis in (ax.xaxis, ax.yaxis)],
        "legend": [text.get_text() for text in legend.get_texts()] if legend else [],
        "texts": [text.get_text() for text in ax.texts],
        "lines": [
            [to_hex(line.get_color()), str(line.get_linestyle()), *_spread(line.get_xydata())] for line in ax.lines
        ],
        "bars": _spread(np.array([(bar.get_x(), bar.get_height()) for bar in ax.patches]).reshape(-1, 2)),
        "points": [_spread(np.asarray(found.get_offsets()).reshape(-1, 2)) for found in ax.collections],
    }


def _fixed_ticks(axis: Axis) -> list[str]:
    """Return the labels of ticks that are set; others are up to the version of matplotlib."""
    fixed = isinstance(axis.get_major_locator(), FixedLocator)
    return [text.get_text() for text in axis.get_ticklabels()] if fixed else []


def _spread(points: Any) -> list[float]:
    """Return the least, the mean and the greatest of both coordinates; nothing if there are none."""
    rows = np.asarray(points, dtype=np.float64)
    rows = rows[np.isfinite(rows).all(axis=1)] if rows.size else rows.reshape(0, 2)
    if not len(rows):
        return []
    return [
        float(f"{number:.6g}") for part in (rows.min(axis=0), rows.mean(axis=0), rows.max(axis=0)) for number in part
    ]


def page() -> str:
    """Return docs/plots.md."""
    parts = [
        "# Plots",
        "Every function takes the axes to draw on as `ax`, or makes some, and returns them. Pictures of one metric are "
        "methods of `metric.plot`, all others functions of `sm.plots`; both need matplotlib: "
        "`pip install 'symmetrics[plot]'`. Colours are told apart by all kinds of colour vision, and none speaks "
        "by itself; light and dark follow the style of matplotlib. The pictures on this page are 8 cm wide, as a "
        "column of a paper; they are drawn anew by `python docs/gallery.py`.",
        "The code begins with `import matplotlib.pyplot as plt`, `import numpy as np`, `import symmetrics as sm` and "
        "`_, ax = plt.subplots()`.",
    ]
    for heading, entries in SECTIONS.items():
        parts.append(f"## {heading}")
        for entry in entries:
            parts += [entry.words, _picture(entry), f"```python\n{entry.code}\n```"]
    return "\n\n".join(parts) + "\n"


def _picture(entry: Entry) -> str:
    light, dark = (path_of(entry, style).relative_to(PAGE.parent).as_posix() for style in STYLES)
    return (
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        f'<img src="{light}" alt="{entry.words}" width="472"></picture>'
    )


def write(names: Iterable[str] = ()) -> None:
    """Draw pictures, and write them, what is in them, and the page."""
    chosen = [entry for entry in ENTRIES if not names or entry.name in set(names)]
    FOLDER.mkdir(exist_ok=True)
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    for entry in chosen:
        for style in STYLES:
            figure = figure_of(drawn(entry, style))
            path_of(entry, style).write_bytes(png(figure, entry.fingerprint))
            if style == "light":
                stored[entry.name] = contents(figure)
            plt.close(figure)
    kept = {entry.name: stored[entry.name] for entry in ENTRIES if entry.name in stored}
    STORED.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1:])
