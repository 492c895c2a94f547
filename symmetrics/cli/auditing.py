"""The command on reported scores: ``audit``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from symmetrics.cli.parsing import Answer, Parser, add_format, add_seconds, verb
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from symmetrics.auditing.audits import Audits


def _add_audit(parser: Parser) -> None:
    parser.add_argument(
        "scores",
        metavar="FILE_OR_METRIC=VALUE",
        nargs="+",
        help="a CSV file with a header, its first column the names of the classifiers and each other one a metric; or "
        "scores as printed, such as accuracy=.95 f1=.90",
    )
    parser.takes_formulas = True
    parser.add_argument("--n", type=int, metavar="COUNT", help="the number of examples")
    parser.add_argument("--positives", type=int, metavar="COUNT", help="the number of positive examples")
    parser.add_argument("--negatives", type=int, metavar="COUNT", help="the number of negative examples")
    parser.add_argument(
        "--up-to", type=int, metavar="COUNT", help="the most examples that are tried where no number is given (1000)"
    )
    parser.add_argument(
        "--rounding",
        choices=["any", "nearest", "truncated"],
        default="any",
        help="how the values may have been shortened (default: any)",
    )
    add_seconds(parser, "a search for tables")
    add_format(parser, "text", "json", "markdown")
    parser.epilog = (
        "Each value stands for the interval of what is printed so: .95 for all from .945 to below .96, to the nearest "
        "or truncated. The exit status is 1 if something is impossible."
    )


@verb("audit", "find whether reported scores can be true together", _add_audit)
def _audit(options: argparse.Namespace) -> Answer:
    from symmetrics.auditing.audits import UP_TO, Audits, audit
    from symmetrics.tools.documents.data import json_text

    settings = {name: getattr(options, name) for name in ("n", "positives", "negatives", "rounding", "seconds")}
    settings["up_to"] = UP_TO if options.up_to is None else options.up_to
    if len(options.scores) == 1 and "=" not in options.scores[0]:
        found: Any = _of_file(options.scores[0], settings)
    else:
        found = audit(dict(map(_pair, options.scores)), **settings)
    many = found if isinstance(found, Audits) else Audits({"scores": found})
    text = {"text": lambda: repr(found), "json": lambda: json_text(found.to_dict()), "markdown": many.to_markdown}
    return Answer(text[options.format](), int(found.status == "impossible"))


def _pair(text: str) -> tuple[str, str]:
    """Return the metric and the value of a score as it is typed."""
    name, sign, value = text.rpartition("=")
    # "f1>=.9" is a bound, whose relation belongs to the value.
    relation = name[-1:] if name[-1:] in ("<", ">") else ""
    if not sign or not name.strip("<> "):
        raise InputError(f"{text!r} is no score; write METRIC=VALUE, such as f1=.90, or name one CSV file alone")
    return (name[:-1], f"{relation}={value}") if relation else (name, value)


def _of_file(path: str, settings: dict[str, Any]) -> Audits:
    """Return the audit of every row of a CSV file."""
    from symmetrics.auditing.audits import audit_rows
    from symmetrics.data.spelling import header_of, records, rows_below
    from symmetrics.tools.files import read_text, source_name

    source = source_name(path)
    text = read_text(path, needs=": write a header, and a row with a name and its scores for each classifier")
    delimiter, header = header_of(text, [], source)
    every = records(text, delimiter, source)
    next(every)
    rows = {}
    for line, fields in rows_below(header, every, source):
        if fields[0] in rows:
            raise InputError(f"{source}, line {line}: the name {fields[0]!r} is there twice; rename one of them")
        rows[fields[0]] = dict(zip(header[1:], fields[1:], strict=True))
    return audit_rows(rows, **settings)
