"""The commands on reported scores: ``audit`` and ``determined``."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any, Final

from symmetrics.cli.parsing import Answer, Parser, add_format, add_seconds, metric_without_parameters, verb
from symmetrics.tools.errors import InputError

_ENDINGS: Final = {".html": "html", ".json": "json", ".md": "markdown"}
"""Formats by file extension."""
_SIZE: Final = re.compile(r"((?P<times>\d{1,4})\s*\*\s*)?(?P<positives>\d{1,10})\s*:\s*(?P<negatives>\d{1,10})")
"""The size of a table, and of how many."""


def _add_audit(parser: Parser) -> None:
    parser.add_argument(
        "scores",
        metavar="FILE_OR_METRIC=VALUE",
        nargs="+",
        help="a CSV file with a header, with a column for each metric and before them, if there is one, a column of "
        "names; or scores as printed, such as accuracy=.95 f1=.90",
    )
    parser.takes_formulas = True
    parser.add_argument("--n", type=int, metavar="COUNT", help="the number of examples")
    parser.add_argument("--positives", type=int, metavar="COUNT", help="the number of positive examples")
    parser.add_argument("--negatives", type=int, metavar="COUNT", help="the number of negative examples")
    parser.add_argument(
        "--up-to", type=int, metavar="COUNT", help="the most examples that are tried, where no number is given"
    )
    parser.add_argument(
        "--per-class",
        nargs="*",
        metavar="METRIC=VALUE",
        help="the rows of the file are the classes of one confusion matrix, with their sizes in a column 'support', if "
        "they are known; scores of the whole matrix may follow, such as accuracy=.60 'macro f1=.49'",
    )
    parser.add_argument(
        "--mean-of",
        metavar="COUNT_OR_SIZES",
        help="for means over folds or data sets: how many, or 'any', or the positives and negatives of each, such as "
        "30:70,30:70,31:69 or 10*30:70",
    )
    parser.add_argument("--names", metavar="COLUMN", help="the column of the file that names the rows")
    parser.add_argument(
        "--rounding",
        choices=["any", "nearest", "truncated"],
        default="any",
        help="how the values may have been shortened (default: any)",
    )
    add_seconds(parser, "a search for tables")
    parser.add_argument(
        "--format",
        choices=["text", *_ENDINGS.values()],
        help="output format (default: that which the ending of FILE names, as in results.html, or else text)",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to a file instead of printing")
    parser.epilog = (
        "Each value stands for the interval of what is printed so: .95 for all from .945 to below .96, to the nearest "
        "or truncated. The exit status is 1 if something is impossible."
    )


@verb("audit", "find whether reported scores can be true together", _add_audit)
def _audit(options: argparse.Namespace) -> Answer:
    from symmetrics.auditing.answers import Audits
    from symmetrics.auditing.audits import UP_TO, audit, audit_columns
    from symmetrics.data.score_tables import read_columns
    from symmetrics.tools.documents.data import json_text
    from symmetrics.tools.files import check_writable, write_text

    if options.output is not None:
        check_writable(options.output)
    settings = {name: getattr(options, name) for name in ("n", "positives", "negatives", "rounding", "seconds")}
    settings["mean_of"] = None if options.mean_of is None else _mean_of(options.mean_of)
    settings["up_to"] = UP_TO if options.up_to is None else options.up_to
    if options.per_class is not None:
        found: Any = _by_class(options, settings)
    elif len(options.scores) == 1 and "=" not in options.scores[0]:
        columns = read_columns(options.scores[0], options.names).columns
        found = audit_columns(columns, None, names=options.names, **settings)
    else:
        found = audit(_pairs(options.scores), names=options.names, **settings)
    many = found if isinstance(found, Audits) else Audits({"scores": found})
    writers = {
        "text": lambda: repr(found),
        "json": lambda: json_text(found.to_dict()),
        "markdown": many.to_markdown,
        "html": many.to_html,
    }
    ending = "" if options.output is None else options.output.suffix.lower()
    text = writers[options.format or _ENDINGS.get(ending, "text")]().rstrip("\n")
    if options.output is not None:
        write_text(options.output, f"{text}\n")
        text = f"wrote {options.output}"
    return Answer(text, int(found.status == "impossible"))


def _by_class(options: argparse.Namespace, settings: dict[str, Any]) -> Any:
    """Return the audit of a file whose rows are the classes of one matrix."""
    from symmetrics.auditing.classes import audit_classes, read_classes
    from symmetrics.data.score_tables import read_columns
    from symmetrics.library import metrics
    from symmetrics.tools.budget import required_seconds

    given: list[str] = [*options.scores, *options.per_class]
    file, others = given[0], given[1:]
    if "=" in file:
        raise InputError(f"{file!r} is no file; with --per-class, first name a CSV file with a row for each class")
    if any(settings[name] is not None for name in ("positives", "negatives", "mean_of")):
        raise InputError("--positives, --negatives and --mean-of are not for many classes; write a column 'support'")
    columns: dict[str, list[str]] = read_columns(file, options.names).columns
    first = next(iter(columns))
    names = options.names or (None if first in metrics or first == "support" else first)
    told = columns.pop(names) if names else None
    whole = _summary_rows(columns, told) | _pairs(others)
    if twice := next((name for name in whole if name in columns), None):
        raise InputError(f"{twice} is given twice, by class and for the whole matrix; give it once")
    reported = read_classes(
        columns | whole, settings["n"], support=None, up_to=settings["up_to"], rounding=options.rounding, names=told
    )
    return audit_classes(reported, required_seconds(options.seconds))


_SUMMARIES: Final = {"macro avg": "macro", "weighted avg": "weighted", "micro avg": "micro"}
"""Rows of scikit-learn's classification_report that are of the whole matrix, by the average that they hold."""


def _summary_rows(columns: dict[str, list[str]], names: list[str] | None) -> dict[str, str]:
    """Take the rows of averages, and of accuracy, out of the columns, and return them as scores of the matrix."""
    from symmetrics.auditing.reported import is_left_out

    found: dict[str, str] = {}
    for place in reversed(range(len(names or ()))):
        name = (names or [])[place].strip().lower()
        if name in _SUMMARIES or name == "accuracy":
            row = {column: values.pop(place) for column, values in columns.items()}
            (names or []).pop(place)
            row.pop("support", None)
            printed = {column: value for column, value in row.items() if not is_left_out(value)}
            if name != "accuracy":
                found |= {f"{_SUMMARIES[name]} {column}": value for column, value in printed.items()}
            elif printed:
                found[name] = list(printed.values())[-1]
    return found


def _pairs(texts: list[str]) -> dict[str, str]:
    """Return scores as they are typed, by metric."""
    pairs = list(map(_pair, texts))
    typed = [name for name, _ in pairs]
    if len(set(typed)) < len(typed):
        raise InputError(f"{max(typed, key=typed.count)} is given twice; give each score once")
    return dict(pairs)


def _mean_of(text: str) -> int | str | list[tuple[int, int]]:
    """Return the number of tables, or their sizes, as they are typed."""
    if text.strip() == "any":
        return "any"
    if text.strip().isdecimal():
        return int(text)
    sizes = []
    for part in text.split(","):
        found = _SIZE.fullmatch(part.strip())
        if found is None:
            raise InputError(
                f"--mean-of {text!r} is no number or sizes of tables; write 10, any, 30:70,31:69 or 10*30:70"
            )
        sizes += [(int(found["positives"]), int(found["negatives"]))] * int(found["times"] or 1)
    return sizes


def _pair(text: str) -> tuple[str, str]:
    """Return the metric and the value of a score as it is typed."""
    name, sign, value = text.rpartition("=")
    # "f1>=.9" is a bound, whose relation belongs to the value.
    relation = name[-1:] if name[-1:] in ("<", ">") else ""
    if not sign or not name.strip("<> "):
        raise InputError(f"{text!r} is no score; write METRIC=VALUE, such as f1=.90, or name one CSV file alone")
    return (name[:-1], f"{relation}={value}") if relation else (name, value)


def _add_determined(parser: Parser) -> None:
    parser.add_argument("scores", metavar="METRIC_OR_FORMULA", nargs="+", help="the scores whose values are known")
    parser.takes_formulas = True
    parser.add_argument(
        "--of",
        metavar="METRIC_OR_FORMULA",
        help="what they may fix, such as prevalence; by default the table, which is the four cells up to scale",
    )
    parser.add_argument(
        "--forces",
        action="store_true",
        help="what two groups with equal scores must also have in common: of prevalence and other common metrics each",
    )
    add_seconds(parser, "each value")
    add_format(parser, "text", "json", "markdown")
    parser.epilog = (
        "The answer is about all tables whose four cells are positive: a formula or a proof, or two tables with equal "
        "scores and different values. Parameters of metrics have their defaults."
    )


@verb("determined", "find whether some scores fix the value of another", _add_determined)
def _determined(options: argparse.Namespace) -> str:
    from symmetrics.auditing.determinations import TABLE
    from symmetrics.auditing.determining import determined
    from symmetrics.auditing.forcing import forces
    from symmetrics.tools.documents.data import json_text

    asked = options.of or TABLE
    for text in (*options.scores, *([] if asked.strip().casefold() == TABLE else [asked])):
        metric_without_parameters(text)
    if options.forces:
        if options.of is not None:
            raise InputError("--forces goes through common metrics, and --of names one; leave one of both out")
        found: Any = forces(options.scores, seconds=options.seconds)
    else:
        found = determined(options.scores, asked, seconds=options.seconds)
    text = {"text": lambda: repr(found), "json": lambda: json_text(found.to_dict()), "markdown": found.to_markdown}
    return str(text[options.format]())
