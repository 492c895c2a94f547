"""Commands that compute: ``score``."""

from __future__ import annotations

import argparse

from symmetrics.cli.parsing import Commands, Parser, add_command, add_format, listed_names

__all__ = ["add_commands"]


def add_commands(commands: Commands) -> None:
    """Add the commands of this module."""
    _add_score(add_command(commands, "score", _score, "compute metrics from a CSV file of true and predicted labels"))


def _add_score(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE.csv", help="a CSV file with a header, or - for standard input")
    parser.add_argument("--truth", required=True, metavar="COLUMN", help="column of the true labels")
    parser.add_argument("--prediction", required=True, metavar="COLUMN", help="column of the predicted labels")
    parser.add_argument(
        "--positive", metavar="VALUE", help="label of the positive class (default: 1 of 0 and 1, and the like)"
    )
    parser.add_argument("--metrics", metavar="A,B", help="metrics, by name (default: all)")
    add_format(parser, "text", "csv", "json")


def _score(options: argparse.Namespace) -> str:
    from symmetrics.library import metrics
    from symmetrics.query import as_metric
    from symmetrics.report import score
    from symmetrics.scoring import read_columns

    chosen = [as_metric(name) for name in listed_names(options.metrics, "metric") or metrics]
    columns = read_columns(options.file, options.truth, options.prediction, positive=options.positive)
    return score(columns, chosen).to_format(options.format)
