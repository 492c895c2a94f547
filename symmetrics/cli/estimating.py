"""Commands about how sure numbers are: ``compare`` and ``plan``."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Final

from symmetrics.cli.parsing import (
    Parser,
    add_average,
    add_format,
    add_missing,
    asked_metric,
    chosen_by_names,
    listed_names,
    number,
    refuse_average_with,
    verb,
)
from symmetrics.tools.errors import InputError
from symmetrics.tools.words import number_of

_METRICS: Final = ("accuracy", "balanced_accuracy", "f1", "mcc")


def _add_compare(parser: Parser) -> None:
    parser.add_argument("first", metavar="A.csv", help="a CSV file with the first classifier's predictions")
    parser.add_argument(
        "rest", metavar="B.csv", nargs="*", default=[], help="those of the others (default: the same file)"
    )
    parser.add_argument("--truth", required=True, metavar="COLUMN", help="column of the true labels")
    parser.add_argument("--prediction", required=True, metavar="COLUMN", help="column of the predicted labels")
    parser.add_argument(
        "--other", action="append", metavar="COLUMN", help="column of another's, if it has another name; repeatable"
    )
    parser.add_argument("--positive", metavar="VALUE", help="label of the positive class")
    add_average(parser)
    add_missing(parser)
    parser.add_argument(
        "--metrics", metavar="A,B", help="metrics by name (default: accuracy, balanced_accuracy, f1, mcc)"
    )
    parser.add_argument("--level", type=number, default=0.95, help="of the intervals (default: 0.95)")
    parser.add_argument("--separate", action="store_true", help="the two were tried on different examples")
    parser.add_argument(
        "--correction",
        metavar="NAME",
        help="of the p-values of three or more classifiers: holm (default), bonferroni or none",
    )
    add_format(parser, "text", "csv", "json")
    parser.epilog = (
        "Of each metric the table has its values, their difference, the second minus the first, with its interval, "
        "the probability that the second has the greater value, and the p-value of a test that the two are alike. More "
        "than two classes are compared by metrics of the whole confusion matrix, and by averages over the classes."
    )


@verb("compare", "compare two or more classifiers by several metrics", _add_compare)
def _compare(options: argparse.Namespace) -> str:
    from symmetrics.pages.comparisons import compare_columns, compare_many_columns
    from symmetrics.pages.label_columns import check_classes

    places = _places(options)
    chosen = chosen_by_names(listed_names(options.metrics, "metric") or _METRICS)
    if len(places) > 2 and options.separate:
        raise InputError("--separate is for two classifiers; leave out the others, or compare on the same examples")
    if len(places) == 2 and options.correction is not None:
        raise InputError(f"--correction {options.correction} is for three or more classifiers; leave it out for two")
    refuse_average_with(options, "positive")
    columns = _columns(places, options)
    # Errors call them what was typed.
    metrics: Any = {name: replace(metric, name=name) for name, metric in chosen.two.items()}
    if options.positive is None:
        every = {label for each in columns for label in each.classes}
        if options.average is None and len(every) > 2:
            check_classes(every, columns[0].source)
        if options.average is not None or len(every) > 2:
            metrics = chosen.lines(options.average)
        else:
            columns = [each.against_the_rest(every) for each in columns]
    settings: dict[str, Any] = {"level": options.level, "average": options.average}
    if len(columns) == 2:
        report = compare_columns(columns[0], columns[1], metrics, separate=options.separate, **settings)
    else:
        report = compare_many_columns(columns, metrics, correction=options.correction or "holm", **settings)
    return report.to_format(options.format)


def _columns(places: list[tuple[str, str]], options: argparse.Namespace) -> list[Any]:
    """Return the columns of all classifiers; of the same examples, those that one of them lacks are left out of all."""
    from symmetrics.pages.datafiles.places import Wanted
    from symmetrics.pages.scoring import read_classes, rows_lacking_labels
    from symmetrics.tools.files import rereadable, source_name

    truth = options.truth
    with ExitStack() as stack:
        files = {path: stack.enter_context(rereadable(path)) for path in dict.fromkeys(path for path, _ in places)}
        is_common = options.missing == "drop" and not options.separate
        lacking = (rows_lacking_labels(files[path], truth, column) for path, column in places if is_common)
        without = set().union(*lacking)
        read = [
            read_classes(
                files[path], Wanted(truth, column, missing=options.missing), without=without, source=source_name(path)
            )
            for path, column in places
        ]
    if options.positive is None:
        return [*read]
    return [each.against_the_rest(positive=options.positive) for each in read]


def _places(options: argparse.Namespace) -> list[tuple[str, str]]:
    """Return the file and the column of each classifier."""
    rest, others = options.rest, options.other or []
    if not rest:
        rest = [options.first] * len(others)
    elif not others:
        others = [options.prediction] * len(rest)
    if len(rest) != len(others):
        raise InputError(
            f"{len(others)} of --other for {number_of(len(rest), 'further file')}; give one for each file, or none"
        )
    places = [(options.first, options.prediction), *zip(rest, others, strict=True)]
    if len(set(places)) < 2:
        told = f"{options.first} is named twice" if options.rest else "nothing to compare with"
        raise InputError(f"{told}; name a second file, or the second's column with --other")
    return places


def _add_plan(parser: Parser) -> None:
    parser.add_argument(
        "metric", metavar="METRIC_OR_FORMULA", help="a metric by name, or a formula over TP, FN, FP, TN"
    )
    parser.takes_formulas = True
    parser.add_argument("--param", action="append", default=[], metavar="'w in [0,1]'", help="a parameter of a formula")
    parser.add_argument("--prior", type=number, required=True, help="assumed share of positive examples")
    parser.add_argument("--tpr", type=number, required=True, help="assumed rate of true positives")
    parser.add_argument("--tnr", type=number, required=True, help="assumed rate of true negatives")
    parser.add_argument("--width", type=number, help="wanted width of the interval")
    parser.add_argument("--against", metavar="TPR,TNR", help="assumed rates of a second classifier")
    parser.add_argument("--power", type=number, help="wanted probability of finding the difference")
    parser.add_argument(
        "--agreement", metavar="KAPPA[,KAPPA]", help="of the two classifiers within each class (default: 0)"
    )
    parser.add_argument(
        "--design", action="store_true", help="label each class by itself: how many of each, at the least cost"
    )
    parser.add_argument("--cost", metavar="P,N", help="of a positive and of a negative example (default: 1,1)")
    parser.add_argument("--level", type=number, default=0.95, help="of the interval (default: 0.95)")


@verb("plan", "find how many examples have to be labelled", _add_plan)
def _plan(options: argparse.Namespace) -> str:
    from symmetrics.statistics.designing import plan_design
    from symmetrics.statistics.planning import plan

    if options.cost is not None and not options.design:
        raise InputError(f"--cost {options.cost} is for --design, which labels each class by itself; pass both")
    settings = {name: getattr(options, name) for name in ("prior", "tpr", "tnr", "width", "power", "level")}
    if options.against is not None:
        settings["against"] = _two("--against", options.against, "rates; write TPR,TNR, such as 0.85,0.92")
    is_of_two = options.against is not None or options.power is not None
    if is_of_two is (options.width is not None) or (options.against is None) is not (options.power is None):
        raise InputError("pass --width, for an interval, or --against TPR,TNR with --power, for a comparison")
    if options.agreement is not None:
        both = options.agreement if "," in options.agreement else f"{options.agreement},{options.agreement}"
        settings["agreement"] = _two("--agreement", both, "numbers; write one, or one for each class, such as 0.4,0.6")
    if options.cost is not None:
        settings["cost"] = _two("--cost", options.cost, "costs; write P,N, such as 10,1")
    metric = asked_metric(options)
    return repr(plan_design(metric, **settings) if options.design else plan(metric, **settings))


def _two(option: str, text: str, wanted: str) -> tuple[float, float]:
    try:
        first, second = map(float, text.split(","))
    except ValueError:
        raise InputError(f"{option}={text} is not two {wanted}") from None
    return first, second
