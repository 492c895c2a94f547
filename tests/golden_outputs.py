"""What is printed, for a fixed small set of inputs in every format.

``python tests/golden_outputs.py`` records anew what the repository keeps; with the name of a folder, all there is, with
pages and notebooks, so that a change of the writers can be compared with what was written before it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.pages.displays import shown
from symmetrics.pages.tables import FORMATS as TABLE_FORMATS

FOLDER = Path(__file__).parent / "golden"
TRUE = ["cat", "cat", "dog", "owl", "dog", "cat"]
FOUND = ["cat", "dog", "dog", "owl", "owl", "cat"]
EXAMPLES = "truth,a,b,c,score,site\n" + "\n".join(
    f"{t},{a},{b},{c},{s},{g}"
    for t, a, b, c, s, g in [
        *[(1, 1, 1, 0, 0.9, "x"), (1, 0, 1, 1, 0.4, "x"), (0, 0, 1, 0, 0.5, "x"), (0, 0, 0, 0, 0.1, "y")] * 5,
        *[(1, 1, 0, 1, 0.8, "y"), (0, 1, 0, 1, 0.3, "y")],
    ]
)
CLASSES = "truth,a,b\n" + "\n".join(f"{t},{a},{b}" for t, a, b in zip(TRUE * 3, FOUND * 3, TRUE[::-1] * 3, strict=True))
OTHERS = {
    "other": EXAMPLES.replace("truth,a,b,c", "truth,b,a,c"),
    "third": EXAMPLES.replace("truth,a,b,c", "truth,c,b,a"),
}
ORDER = "lower,higher\na,b\nb,c\nd,c\nd,e\n"
MATRIX = ",cat,dog\ncat,40,10\ndog,20,130\n"


def printed(*arguments: str) -> str:
    """Return what a command prints."""
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()) as shown, contextlib.redirect_stderr(io.StringIO()) as wrong:
        status = main(list(arguments))
    assert not status, (arguments, wrong.getvalue())
    return shown.getvalue()


def commands() -> dict[str, list[str]]:
    """Return commands by the name of the file with what they print."""
    found: dict[str, list[str]] = {}
    for form in ("md", "csv", "json", "latex", "html"):
        found[f"table_signs.{form}"] = ["table", "--metrics", "precision,cwa,kappa", "--format", form]
        found[f"table_words.{form}"] = [
            *("table", "--metrics", "f1,cwa,diagnostic_odds_ratio", "--properties", "p1,range,defined,symmetry_group"),
            *("--format", form),
        ]
        found[f"table_classes.{form}"] = [
            *("table", "--metrics", "cba,mcc", "--properties", "transpose,merging", "--classes", "3", "--format", form),
        ]
    found["table_float.latex"] = [
        *("table", "--metrics", "precision,cwa", "--properties", "p1,p2,range", "--format", "latex", "--legend"),
        *("--compact", "--transpose", "--caption", "Verdicts", "--label", "tab:one"),
    ]
    examples = ["examples.csv", "--truth", "truth"]
    for form in ("text", "csv", "json", "md", "html"):
        asked = ["--metrics", "f1,mcc,diagnostic_odds_ratio", "--format", form]
        found[f"score.{form}"] = [
            "score",
            *examples,
            "--prediction",
            "a",
            "--score",
            "score",
            "--positive",
            "1",
            *asked[:1],
            "f1,mcc,auc",
            *asked[2:],
        ]
        found[f"score_interval.{form}"] = ["score", *examples, "--prediction", "a", *asked, "--interval"]
        found[f"score_groups.{form}"] = ["score", *examples, "--prediction", "a", *asked, "--by", "site"]
        found[f"score_classes.{form}"] = [
            *("score", "classes.csv", "--truth", "truth", "--prediction", "a", "--format", form),
        ]
        found[f"score_matrix.{form}"] = [
            "score",
            "--matrix",
            "matrix.csv",
            "--rows",
            "truth",
            "--positive",
            "cat",
            *asked,
        ]
    compared = ["compare", "examples.csv", "--truth", "truth", "--prediction", "a", "--other", "b"]
    for form in ("text", "csv", "json"):
        found[f"compare.{form}"] = [*compared, "--metrics", "f1,mcc", "--positive", "1", "--format", form]
        found[f"compare_many.{form}"] = [
            *("compare", "examples.csv", "other.csv", "third.csv", "--truth", "truth", "--prediction", "a"),
            *("--metrics", "f1,mcc", "--positive", "1", "--format", form),
        ]
        found[f"compare_classes.{form}"] = [
            *("compare", "classes.csv", "--truth", "truth", "--prediction", "a", "--other", "b"),
            *("--metrics", "f1,kappa", "--format", form),
        ]
        found[f"rank.{form}"] = ["rank", "order.csv", "--format", form]
        found[f"rank_exact.{form}"] = ["rank", "order.csv", "--method", "exact", "--format", form]
        found[f"rank_mcmc.{form}"] = ["rank", "order.csv", "--method", "mcmc", "--seed", "1", "--format", form]
    for form in ("text", "json"):
        for metric, key in (("f1", "p1"), ("cwa", "p2"), ("kappa", "range")):
            found[f"prove_{metric}_{key}.{form}"] = ["prove", metric, key, "--format", form]
        found[f"explain.{form}"] = ["explain", "mcc", "10,2,3,40", "12,2,3,38", "--format", form]
        found[f"adversary.{form}"] = ["adversary", "f1", "mcc", "--format", form]
        found[f"identify.{form}"] = ["identify", "TP/(TP+FN)", "--format", form]
        found[f"possible.{form}"] = ["possible", "p2=yes", "transpose=yes", "monotone=yes", "--format", form]
    for form in ("text", "json", "html"):
        found[f"mend.{form}"] = ["mend", "precision", "p1=yes", "--format", form]
    for name in ("mcc", "p2", "cba", "monotone_rows"):
        found[f"show_{name}.text"] = ["show", name]
    found["plan.text"] = ["plan", "f1", "--prior", "0.3", "--tpr", "0.8", "--tnr", "0.9", "--width", "0.1"]
    return found


def datasheets() -> Iterator[tuple[str, str]]:
    """Yield datasheets in all formats."""
    for name in ("precision", "f_beta"):
        sheet = sm.datasheet(name, progress=False)
        for form in ("text", "markdown", "latex", "html"):
            ending = {"text": "txt", "markdown": "md", "latex": "tex", "html": "html"}[form]
            yield f"datasheet_{name}.{ending}", getattr(sheet, f"to_{form}")()
    own = sm.datasheet("TP/(TP + 7*FN/10 + 3*FP/10)", progress=False)
    for form, ending in (("text", "txt"), ("markdown", "md"), ("latex", "tex"), ("html", "html")):
        yield f"datasheet_own.{ending}", getattr(own, f"to_{form}")()


def reports() -> Iterator[tuple[str, str]]:
    """Yield reports of a classifier, and the JSON of their numbers."""
    for name, asked in (("report", {}), ("report_interval", {"interval": True, "metrics": ["recall", "MCC", "f1"]})):
        found = sm.report(TRUE, FOUND, **asked)
        yield f"{name}.txt", found.to_text()
        yield f"{name}.html", found.to_html()
        yield f"{name}.json", json.dumps(found.to_dict())


OBJECTS: dict[str, Callable[[], Any]] = {
    "comparison": lambda: sm.compare([1] * 10 + [0] * 10, [1] * 6 + [0] * 14, [1] * 9 + [0] * 11, "f1"),
    "comparisons": lambda: sm.compare_all(
        [1] * 10 + [0] * 10, {"a": [1] * 6 + [0] * 14, "b": [1] * 9 + [0] * 11, "c": [1] * 20}, "f1"
    ),
    "identification": lambda: sm.identify(sm.TP / (sm.TP + sm.FN)),
    "interval": lambda: sm.metrics["recall"].interval(40, 10, 20, 130),
    "intervals": lambda: sm.metrics["recall"].interval([40, 4], 10, 20, 130),
    "metric": lambda: sm.metrics["cwa"],
    "multiclass_metric": lambda: sm.multiclass["f_of_means"],
    "relation_graph": lambda: sm.relation_graph(["f1", "jaccard"], with_order=False, processes=1),
    "order": lambda: sm.order(["jaccard", "f1"], processes=1),
    "panel": lambda: sm.Panel(["f1", "mcc"]),
    "poset": lambda: sm.posets.poset([("<a>", "b"), ("b", "c")]),
    "confusion_matrix": lambda: sm.ConfusionMatrix.of(TRUE, FOUND),
    "multiclass_property": lambda: sm.multiclass_properties["merging"],
    "property": lambda: sm.properties["p1"],
    "relevance": lambda: sm.relevance.prevalence({"a": 5, "b": 2}),
    "roc_curve": lambda: sm.roc_curve([0, 0, 1, 1, 0, 1], [0.1, 0.3, 0.35, 0.8, 0.35, 0.6]),
    "verdict": lambda: sm.prove("precision", "p4"),
    "verdict_conditional": lambda: sm.prove("cwa", "p2"),
    "verdict_matrices": lambda: sm.multiclass["cba"].prove("merging", 3),
    "verdict_matrices_moved": lambda: sm.multiclass["mcc"].prove("monotone_rows", 3),
    "mending": lambda: sm.mend("precision", "p1"),
    "possibility": lambda: sm.possible(require=["range"], forbid=["p2"]),
    "impossibility": lambda: sm.possible(require=["decomposable"], forbid=["homogeneous"]),
    "disagreement": lambda: sm.adversary("f1", "mcc"),
    "explanation": lambda: sm.explain("mcc", (10, 2, 3, 40), (12, 2, 3, 38)),
}
"""Objects that notebooks show, by the name of the file."""


def displays() -> Iterator[tuple[str, str]]:
    """Yield what notebooks show: what is registered for the class, or what the object says of itself."""
    for name, make in OBJECTS.items():
        value = make()
        yield f"display_{name}.html", shown(value)
        if "at 0x" not in repr(value):
            yield f"display_{name}.txt", repr(value)
    for key, (metric, property) in {"one": ("f1", "p1"), "two": ("cwa", "range")}.items():
        yield f"paragraph_{key}.tex", sm.prove(metric, property).to_latex(environment="lemma")


def outputs(folder: Path, wanted: Callable[[str], bool] = lambda _: True) -> Iterator[tuple[str, str]]:
    """Yield outputs by the names of their files.

    :param folder: an empty one, for the files that are read
    :param wanted: whether an output of a name is asked for
    """
    import os

    for name, text in {"examples": EXAMPLES, "classes": CLASSES, "order": ORDER, "matrix": MATRIX, **OTHERS}.items():
        (folder / f"{name}.csv").write_text(text if text.endswith("\n") else text + "\n")
    before = Path.cwd()
    os.chdir(folder)
    try:
        for name, arguments in commands().items():
            if wanted(name):
                yield name, printed(*arguments)
    finally:
        os.chdir(before)
    for name, made in (("report.txt", reports), ("datasheet", datasheets), ("display", displays)):
        if wanted(name):
            yield from ((name, text) for name, text in made() if wanted(name))
    assert set(TABLE_FORMATS) == {"md", "csv", "json", "latex", "html"}


KEPT = ("score", "compare", "rank", "report", "table_signs", "table_float")
"""What the repository keeps: outputs that do not grow with the library, but for HTML, whose look may change."""


def is_kept(name: str) -> bool:
    """Whether the repository keeps an output."""
    return name.startswith(KEPT) and not name.endswith(".html")


if __name__ == "__main__":
    import tempfile

    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    target.mkdir(exist_ok=True, parents=True)
    with tempfile.TemporaryDirectory() as empty:
        for name, text in outputs(Path(empty)) if target != FOLDER else outputs(Path(empty), is_kept):
            (target / name).write_text(text, encoding="utf-8")
