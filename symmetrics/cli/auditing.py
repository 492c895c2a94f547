"""The command on reported scores: ``audit``."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any, Final

from symmetrics.cli.parsing import Answer, Parser, add_seconds, verb
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
    if len(options.scores) == 1 and "=" not in options.scores[0]:
        columns = read_columns(options.scores[0], options.names).columns
        found: Any = audit_columns(columns, None, names=options.names, **settings)
    else:
        pairs = list(map(_pair, options.scores))
        typed = [name for name, _ in pairs]
        if len(set(typed)) < len(typed):
            raise InputError(f"{max(typed, key=typed.count)} is given twice; give each score once")
        found = audit(dict(pairs), names=options.names, **settings)
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
