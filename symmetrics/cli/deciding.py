"""Commands that decide: ``table``, ``prove``, ``identify``, ``mend`` and ``find``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from symmetrics.cli.looking import searched
from symmetrics.cli.parsing import (
    Parser,
    add_classes,
    add_format,
    add_metric,
    add_parameters,
    add_seconds,
    asked_metric,
    listed_metrics,
    listed_names,
    metrics_with_parameters,
    names_in,
    naming_formula,
    text_or_json,
    verb,
)
from symmetrics.tools.documents.data import json_text
from symmetrics.tools.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from symmetrics.claims.property import Property
    from symmetrics.metric import Metric


_FORMULA: Final = 'such as "TP/(TP + FN)", over TP, FN, FP, TN, or a name'
_VALUES: Final = '; for a metric of the library a value of one of its parameters, "w = 1/2"'
_STYLE: Final = ("caption", "label", "legend", "compact", "transpose")
"""Options of LaTeX tables, with the same names in Python."""
_ENDINGS: Final = {".md": "md", ".csv": "csv", ".json": "json", ".tex": "latex", ".html": "html"}
"""Table formats by file extension."""


# -- table -------------------------------------------------------------------------------------------------------------


def _add_table(parser: Parser) -> None:
    parser.add_argument(
        "--metrics", metavar="A,B", help="metrics by name, themes, formulas, or all (default: García et al. 2012)"
    )
    add_parameters(parser, _VALUES)
    parser.add_argument("--properties", metavar="P1,P2", help="properties by key, or all (default: p1 to p5)")
    parser.add_argument(
        "--multiclass", action="store_true", help="metrics of matrices of many classes, with all of their properties"
    )
    add_classes(parser)
    parser.add_argument(
        "--format",
        choices=list(_ENDINGS.values()),
        help="output format (default: that which the ending of FILE names, as in table.tex, or else md)",
    )
    parser.add_argument(
        "--caption", metavar="TEXT", help="of the float, in LaTeX; with --format latex, as what follows"
    )
    parser.add_argument("--label", metavar="NAME", help="to refer to the float by")
    parser.add_argument("--legend", action="store_true", help="say below what the marks and the properties mean")
    parser.add_argument("--compact", action="store_true", help="small enough for a column, conditions as notes")
    parser.add_argument("--transpose", action="store_true", help="a row for each property, not for each metric")
    add_seconds(parser, "each property of each metric")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to a file instead of printing")


@verb("table", "decide properties of metrics and print the table", _add_table)
def _table(options: argparse.Namespace) -> str:
    from symmetrics.pages.tables import FORMATS, table
    from symmetrics.tools.files import check_writable, write_text

    if options.output is not None:
        check_writable(options.output)
    name = _table_format(options.format, options.output)
    k = options.classes
    if k is None and options.multiclass:
        from symmetrics.matrices.deciding import CLASSES

        k = CLASSES
    if k is None:
        metrics = listed_metrics(options.metrics, options.param)
        asked: tuple[Any, Any] = metrics, listed_names(options.properties, "property")
    else:
        if options.param:
            raise InputError("--param is for tables of metrics of two classes; leave it out")
        asked = names_in(options.metrics), names_in(options.properties)
    style = {name: value for name in _STYLE if (value := getattr(options, name))}
    if style and name != "latex":
        raise InputError(f"--{next(iter(style))} is for the format latex; add --format latex, or leave it out")
    found = table(*asked, k=k, parallel=True, seconds=options.seconds)
    if name == "html":
        from symmetrics.tools.documents.html import html_page

        text = html_page(found.to_document())
    else:
        text = found.to_latex(**style) if style else FORMATS[name](found)
    if options.output is None:
        return text.rstrip("\n")
    write_text(options.output, text.rstrip("\n") + "\n")
    return f"wrote {options.output}"


def _table_format(asked: str | None, path: Path | None) -> str:
    """Return the requested format, or the one of the file's extension; Markdown by default.

    :raises InputError: if the two differ, or the ending is that of another format
    """
    ending = "" if path is None else path.suffix.lower()
    if asked is None and ending not in ("", ".txt", *_ENDINGS):
        raise InputError(f"{path}: a table has no format for that ending; use {', '.join(_ENDINGS)}, or add --format")
    if asked not in (None, found := _ENDINGS.get(ending, asked)):
        raise InputError(f"--format {asked} and {path} are two formats; leave one of both out")
    return found or "md"


# -- prove -------------------------------------------------------------------------------------------------------------


def _add_prove(parser: Parser) -> None:
    parser.add_argument(
        "metric", metavar="METRIC_OR_FORMULA", help='such as mcc, or "TP/(TP + w*FN)", over TP, FN, FP, TN'
    )
    parser.add_argument("property", metavar="PROPERTY", help="such as p1")
    add_parameters(parser, _VALUES)
    add_classes(parser)
    add_format(parser, "text", "json")
    add_seconds(parser, "deciding and checking")
    parser.add_argument(
        "--smt", action="store_true", help="ask Z3 (pip install 'symmetrics[smt]') about inequalities that stay open"
    )


@verb("prove", "decide one property of a metric or a formula", _add_prove)
def _prove(options: argparse.Namespace) -> str:
    if options.classes is not None:
        return _prove_at_size(options)
    from symmetrics.pages.lookup import explain
    from symmetrics.query.proving import prove, refuse_exchanged

    refuse_exchanged(options.metric, options.property)
    property = _asked_property(options.property)
    metric = asked_metric(options)
    with naming_formula(metric, "decided"):
        verdict = prove(metric, property, smt=options.smt, seconds=options.seconds)
        if options.format == "json":
            return json_text(verdict.to_dict())
        return explain(verdict, property, metric, _notes(options.metric, metric))


def _asked_property(key: str) -> Property:
    from symmetrics.query.proving import as_property

    try:
        return as_property(key)
    except UnknownNameError:
        from symmetrics.matrices import multiclass_properties

        if key not in multiclass_properties:
            raise
        raise InputError(f"{key} is a property of metrics of matrices; add --classes with their number") from None


def _prove_at_size(options: argparse.Namespace) -> str:
    from symmetrics.matrices import multiclass
    from symmetrics.matrices.deciding import as_multiclass_property
    from symmetrics.pages.lookup import explain_at_size

    if options.smt:
        raise InputError("--smt is for metrics of two classes; leave it out, or leave --classes out")
    metric, property = multiclass[options.metric], as_multiclass_property(options.property)
    if options.param:
        settings = dict(map(_setting, options.param))
        if len(settings) < len(options.param):
            raise InputError("--param gives two values to one parameter; give it one")
        metric = metric.at(**settings)
    verdict = metric.prove(property, options.classes, seconds=options.seconds)
    if options.format == "json":
        return json_text(verdict.to_dict())
    return explain_at_size(verdict, property, metric, options.classes)


def _setting(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise InputError(f'--param {text!r}: for a metric of matrices write a value, as in "beta = 2"')
    return name.strip(), value.strip()


def _notes(text: str, metric: Metric) -> list[str]:
    """Warn about parts of a formula that cancelled when it was read: the verdict is not about what was typed."""
    from symmetrics.language.cancellation import cancelled
    from symmetrics.library import metrics

    gone = () if text.strip() in metrics else cancelled(text, [parameter.name for parameter in metric.parameters])
    return [f"{part} cancelled when the formula was read: the verdict is about M as it is shown" for part in gone]


# -- identify and find -------------------------------------------------------------------------------------------------


def _add_identify(parser: Parser) -> None:
    add_metric(parser, _FORMULA, name="formula", metavar="FORMULA")
    add_format(parser, "text", "json")
    add_seconds(parser, "the search")


@verb("identify", "name the known metrics that a formula is or is related to", _add_identify)
def _identify(options: argparse.Namespace) -> str:
    from symmetrics.query.identification import identify

    metric = asked_metric(options, "formula")
    with naming_formula(metric, "compared"):
        found = identify(metric, seconds=options.seconds)
    return text_or_json(options, found)


def _add_mend(parser: Parser) -> None:
    add_metric(parser, _FORMULA, name="formula", metavar="FORMULA")
    parser.add_argument("wanted", nargs="+", metavar="PROPERTY=yes", help="what it is to have, such as p1=yes")
    add_format(parser, "text", "json", "html")
    add_seconds(parser, "the search")


@verb("mend", "list the nearest variants of a formula that have a property", _add_mend)
def _mend(options: argparse.Namespace) -> str:
    from symmetrics.discovery.mending import mend
    from symmetrics.query.proving import as_property

    wanted = []
    for text in options.wanted:
        key, _, answer = text.partition("=")
        if answer.strip().casefold() not in ("", "yes", "true"):
            raise InputError(f"{text!r} is not what a formula is to have; write it as {key.strip()}=yes")
        wanted.append(as_property(key.strip()))
    found = mend(asked_metric(options, "formula"), *wanted, seconds=options.seconds)
    if options.format == "html":
        from symmetrics.tools.documents import Document
        from symmetrics.tools.documents.html import html_page

        return html_page(Document("Nearest variants", tuple(found.blocks))).rstrip("\n")
    return text_or_json(options, found)


def _add_find(parser: Parser) -> None:
    parser.add_argument(
        "wanted",
        nargs="+",
        metavar="PROPERTY=yes|WORD",
        help="such as p1=yes strongly_monotone=no range=open, at the defaults of parameters; or everyday words, such "
        "as class skew, for the properties and metrics that they tell of",
    )
    parser.add_argument(
        "--metrics", metavar="A,B", help="metrics to choose from by name, themes or formulas (default: all)"
    )
    add_format(parser, "text", "json")


@verb("find", "list the metrics that have the properties asked for, or what some words tell of", _add_find)
def _find(options: argparse.Namespace) -> str:
    from symmetrics.query.search import find

    if not any("=" in text for text in options.wanted):
        return searched(options)
    found = find(*options.wanted, metrics=listed_metrics(options.metrics))
    if options.format == "json":
        return json_text(list(found))
    if not found and sys.stderr is not None:  # a hint for names that the parser could not read
        asked = " ".join(text.replace(" ", "") for text in options.wanted)
        is_open = any(text.rpartition("=")[2].strip().casefold() == "open" for text in options.wanted)
        advice = "" if is_open else f"; 'symmetrics possible {asked}' says whether one can be"
        print(f"symmetrics: none of the metrics is so{advice}", file=sys.stderr)
    return "\n".join(found)


# -- Commands that compare: adversary (two metrics), explain (two tables) ----------------------------------------------


def _add_adversary(parser: Parser) -> None:
    parser.add_argument("first", metavar="METRIC_OR_FORMULA", help="such as mcc, or a formula over TP, FN, FP, TN")
    parser.add_argument("second", metavar="METRIC_OR_FORMULA", help="another one, such as f1")
    parser.add_argument(
        "--n", type=int, metavar="N", help="number of examples (default: the smallest with such tables)"
    )
    parser.add_argument("--prior", metavar="SHARE", help="share of positive examples in both tables, such as 1/4")
    parser.add_argument("--margins", metavar="P=A,OP=B", help="margins of both tables: P, N, OP, ON")
    add_parameters(parser)
    add_seconds(parser, "a proof that the two rank all tables alike")
    add_format(parser, "text", "json")


@verb("adversary", "find the smallest tables that two metrics order in opposite ways", _add_adversary)
def _adversary(options: argparse.Namespace) -> str:
    from symmetrics.discovery.disagreement import adversary

    texts = [options.first.strip(), options.second.strip()]
    metrics = metrics_with_parameters(texts, options.param, f"neither {texts[0]} nor {texts[1]} has such a parameter")
    margins = None if options.margins is None else _margins(options.margins)
    found = adversary(*metrics, n=options.n, prior=options.prior, margins=margins, seconds=options.seconds)
    return text_or_json(options, found)


def _margins(text: str) -> dict[str, int]:
    margins: dict[str, int] = {}
    for part in text.split(","):
        name, _, count = (piece.strip() for piece in part.partition("="))
        if not count.isdecimal():
            raise InputError(f"--margins {text}: {part.strip()!r} is no margin; write them as P=5,OP=4")
        if name in margins:
            raise InputError(f"--margins gives {name} more than once; give it once")
        margins[name] = int(count)
    return margins


def _add_explain(parser: Parser) -> None:
    add_metric(parser, "such as mcc, or a formula over TP, FN, FP, TN")
    parser.add_argument("first", metavar="TP,FN,FP,TN", help="the first table, such as 10,2,3,40")
    parser.add_argument("second", metavar="TP,FN,FP,TN", help="the second table, such as 12,2,3,38")
    parser.add_argument("--method", default="path", help="path (default), or shapley")
    add_format(parser, "text", "json")


@verb("explain", "share the difference of a score between two tables among the cells", _add_explain)
def _explain(options: argparse.Namespace) -> str:
    from symmetrics.language.names import CELL_NAMES
    from symmetrics.query.explaining import explain

    tables = [text.split(",") for text in (options.first, options.second)]
    for text, cells in zip((options.first, options.second), tables, strict=True):
        if len(cells) != len(CELL_NAMES):
            raise InputError(
                f"{text!r} is no table; write four counts with commas, {','.join(CELL_NAMES)}, as 10,2,3,40"
            )
    return text_or_json(options, explain(asked_metric(options), *tables, method=options.method))
