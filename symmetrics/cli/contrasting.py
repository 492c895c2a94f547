"""Commands that set two things side by side: ``adversary`` two metrics, ``explain`` two tables."""

from __future__ import annotations

import argparse

from symmetrics.cli.parsing import (
    Parser,
    add_format,
    add_metric,
    add_parameters,
    add_seconds,
    asked_metric,
    metrics_with_parameters,
    text_or_json,
    verb,
)
from symmetrics.tools.errors import InputError


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
