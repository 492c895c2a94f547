"""Commands that compute: ``score``, ``rank`` and ``reproduce``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from symmetrics.cli.parsing import (
    Parser,
    add_average,
    add_format,
    add_missing,
    add_question,
    asked_question,
    chosen_by_names,
    listed_names,
    number,
    refuse_average_with,
    verb,
)
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from symmetrics.data.places import Wanted
    from symmetrics.pages.lines import Scoring
    from symmetrics.pages.score_reports import ScoreReport
    from symmetrics.pages.value_tables import ValueTable
    from symmetrics.posets import Poset


_OTHER_NAMES: Final = {
    "auroc": "auc",
    "average_precision_score": "average_precision",
    "ks": "kolmogorov_smirnov",
    "roc_auc": "auc",
    "roc_auc_score": "auc",
}
"""Averages for ranking measures; for two classes they all agree."""


_OF_EXAMPLES: Final = ("truth", "prediction", "score", "by", "weight", "frequency", "where")
"""Options about examples, which do not apply to a confusion matrix."""


def _add_score(parser: Parser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a CSV file with a header, also compressed, or - for standard input; with DuckDB also JSON lines, "
        "Parquet, a folder or a pattern of Parquet files, duckdb:FILE?table=NAME, and addresses of s3 and https",
    )
    parser.add_argument("--truth", metavar="COLUMN", help="column of the true labels")
    parser.add_argument(
        "--prediction", metavar="COLUMN", help="column of the predicted labels; not needed for measures of scores alone"
    )
    parser.add_argument("--score", metavar="COLUMN", help="column of scores, higher for more positive")
    parser.add_argument(
        "--positive", metavar="VALUE", help="label of the positive class (default: 1 of 0 and 1, and the like)"
    )
    add_missing(parser)
    parser.add_argument("--by", metavar="A,B", help="columns to group by: one row of scores for each group")
    parser.add_argument("--weight", metavar="COLUMN", help="column of sampling weights, finite and not negative")
    parser.add_argument(
        "--frequency", metavar="COLUMN", help="column with the number of examples that a row stands for"
    )
    parser.add_argument(
        "--where",
        metavar="CONDITION",
        help="which examples count, a condition in SQL; columns of CSV are texts",
    )
    parser.add_argument(
        "--metrics",
        metavar="A,B",
        help="metrics and measures of scores by name, themes such as rates or association, or all (default: a dozen; "
        "of more than two classes those of the whole confusion matrix, and averages of precision, recall and f1)",
    )
    parser.add_argument(
        "--matrix",
        metavar="FILE",
        help="in place of examples a confusion matrix, as pandas, R, caret, scikit-learn or NumPy write one, or JSON",
    )
    parser.add_argument(
        "--rows",
        choices=("truth", "prediction"),
        help="what each row of the matrix is, a true class or a predicted one, if its words do not say it",
    )
    parser.add_argument(
        "--counts", nargs=4, type=number, metavar=("TP", "FN", "FP", "TN"), help="in place of examples four numbers"
    )
    add_average(parser)
    add_question(parser)
    add_format(parser, "text", "csv", "json", "md", "html")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write a file, whose ending parquet, csv, json, md or html is its format",
    )


@verb("score", "compute metrics from a file of true and predicted labels", _add_score)
def _score(options: argparse.Namespace) -> str:
    from symmetrics.data.places import place_of
    from symmetrics.pages.value_tables import format_of, write_formatted
    from symmetrics.tools.files import check_writable

    path = None if options.output is None else Path(options.output)
    name = options.format if path is None else format_of(path)
    if path is not None:
        check_writable(path)
        if options.format not in ("text", name):
            raise InputError(f"--format {options.format} and {path} are two formats; leave one of both out")
        read = options.file if options.matrix is None else options.matrix
        if read is not None and place_of(read).holds(path):
            raise InputError(f"cannot write {path}: it holds the examples, which would be lost; name another file")
    found = _scored_examples(options) if options.matrix is None and options.counts is None else _scored_table(options)
    content = found.to_format(name)
    if path is None:
        return str(content)
    write_formatted(path, content)
    return f"wrote {path}"


def _scored_examples(options: argparse.Namespace) -> ScoreReport | ValueTable:
    """Return the scores of a file of examples."""
    from symmetrics.pages.score_reports import matrix_advice, scored_file

    if options.rows is not None:
        raise InputError(f"--rows {options.rows} is of a confusion matrix; name its file with --matrix")
    try:
        lacking = [name for name, given in (("FILE", options.file), ("--truth", options.truth)) if given is None]
        if lacking:
            needed = f"the following arguments are required: {', '.join(lacking)}"
            raise InputError(f"{needed}; see 'symmetrics score --help'")
        wanted, scoring = _asked_scores(options)
        return scored_file(options.file, wanted, scoring, progress=sys.stderr is not None and sys.stderr.isatty())
    except InputError as error:
        columns = [name for name in (options.truth, options.prediction) if name is not None]
        advice = None if options.file is None else matrix_advice(options.file, columns)
        if advice is None:
            raise
        raise InputError(f"{error}; {advice}") from None


def _scored_table(options: argparse.Namespace) -> ScoreReport:
    """Return the scores of a confusion matrix, or of four counts.

    :raises InputError: on options of examples
    """
    from symmetrics.pages.score_reports import scored_counts, scored_matrix

    asked = "--counts" if options.matrix is None else "--matrix"
    of_examples = [f"--{name}" for name in _OF_EXAMPLES if getattr(options, name) is not None]
    of_matrix = [f"--{name}" for name in ("positive", "average", "rows") if getattr(options, name) is not None]
    unused = [*(["FILE"] if options.file is not None else []), *of_examples]
    if options.counts is not None:
        unused += [*(["--matrix"] if options.matrix is not None else []), *of_matrix]
    if unused:
        raise InputError(
            f"{asked} has numbers and no examples, so that {unused[0]} does not apply; leave one of both out"
        )
    _, scoring = _asked_scores(options)
    if scoring.measures:
        raise InputError(f"{scoring.measures[0]} is computed from the scores of examples, which {asked} does not have")
    if options.matrix is None:
        return scored_counts(options.counts, scoring)
    return scored_matrix(options.matrix, options.rows, scoring)


def _measure_or_name(name: str) -> str:
    """Resolve aliases of ranking measures; other names are unchanged."""
    from symmetrics.curves.measures import SCORE_MEASURES

    key = name.lower().replace("-", "_").replace(" ", "_")
    measure = _OTHER_NAMES.get(key, key)
    return measure if measure in SCORE_MEASURES else name


def _asked_scores(options: argparse.Namespace) -> tuple[Wanted, Scoring]:
    """Return the request for the file, and the metrics to compute."""
    from symmetrics.curves.measures import SCORE_MEASURES
    from symmetrics.data.places import Wanted
    from symmetrics.pages.lines import Chosen, Scoring

    question = asked_question(options)
    named = listed_names(options.metrics, "metric")
    names = [] if named is None else list(dict.fromkeys(map(_measure_or_name, named)))
    if options.score is not None and (options.metrics is None or options.metrics.strip() == "all"):
        names += SCORE_MEASURES
    chosen = chosen_by_names(name for name in names if name not in SCORE_MEASURES)
    is_table = options.matrix is not None or options.counts is not None
    if named is None and (options.prediction or is_table):
        chosen = Chosen.by_default()
    measures = tuple(name for name in names if name in SCORE_MEASURES)
    refuse_average_with(options, "positive", "score")
    if options.average is not None and measures:
        raise InputError(f"{measures[0]} is computed from scores of one class; leave --average out")
    if options.prediction and options.score is not None and not measures:
        raise InputError("--score is given, and no measure of scores is asked for; add one to --metrics, such as auc")
    if not options.prediction and options.score is None and not is_table:
        raise InputError("neither --prediction nor --score is given; name the column of predicted labels, or of scores")
    by = () if options.by is None else tuple(name.strip() for name in options.by.split(","))
    if options.frequency is not None:
        for name in ("weight", "score"):
            if getattr(options, name) is not None:
                raise InputError(
                    f"--frequency says how many examples a row is, and --{name} what one is; leave one out"
                )
    columns = (options.truth or "", options.prediction or "", options.score, by, options.weight, options.where)
    wanted = Wanted(*columns, options.missing, options.frequency)
    return wanted, Scoring(chosen.two, measures, options.positive, options.average, question, chosen)


# -- rank --------------------------------------------------------------------------------------------------------------


def _add_rank(parser: Parser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE.csv",
        help="two columns: a class, and one more relevant; or scores (--from-scores)",
    )
    parser.add_argument(
        "--method",
        help="midpoint, lpom, lpom_ext, loof1, loof2, exact or mcmc (default: midpoint; of probabilities exact)",
    )
    parser.add_argument(
        "--from-scores",
        action="store_true",
        help="the file has a row for each thing to rank, with its name first, and a column for each metric: a is below "
        "b where b is nowhere worse and somewhere better",
    )
    parser.add_argument(
        "--losses", metavar="A,B", help="columns of scores whose lower values are better; those of known losses are"
    )
    parser.add_argument("--names", metavar="COLUMN", help="the column of scores that names the rows")
    parser.add_argument(
        "--probabilities", action="store_true", help="print how probable each rank is, and each to rank above another"
    )
    parser.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        help="whether the first row names the columns (default: it does if it says below, above and the like)",
    )
    parser.add_argument("--classes", metavar="A,B", help="all classes, if the order does not name every one")
    parser.add_argument("--seed", type=int, default=0, help="of mcmc (default: 0)")
    parser.add_argument("--max-ideals", type=int, metavar="N", help="how many ideals exact may visit")
    parser.add_argument("--diagram", action="store_true", help="print the order as a Hasse diagram as well")
    add_format(parser, "text", "csv", "json")


@verb("rank", "average the ranks of classes over a partial order", _add_rank)
def _rank(options: argparse.Namespace) -> str:
    from symmetrics.posets import MAX_IDEALS, hasse_text, poset, probability_report, rank_report, read_order

    if options.diagram and options.format != "text":
        raise InputError(f"--diagram is text and does not fit into {options.format}; leave one of both out")
    if options.from_scores:
        order, notes = _order_of_scores(options)
    else:
        if options.losses is not None or options.names is not None:
            raise InputError("--losses and --names are about columns of scores; add --from-scores, or leave them out")
        classes = None if options.classes is None else _listed(options.classes, "--classes")
        order, notes = poset(read_order(options.file, header=options.header), classes), []
    limit = MAX_IDEALS if options.max_ideals is None else options.max_ideals
    report: Any
    if options.probabilities:
        report = probability_report(order, options.method or "exact", max_ideals=limit, seed=options.seed)
    else:
        report = rank_report(order, options.method or "midpoint", max_ideals=limit, seed=options.seed)
    text = report.to_format(options.format)
    if options.format != "text":
        return str(text)
    return "\n\n".join([text, *notes, *([hasse_text(order)] if options.diagram else [])])


def _order_of_scores(options: argparse.Namespace) -> tuple[Poset, list[str]]:
    """Return the dominance order of a file of scores, and what is to be said of its columns and rows."""
    from symmetrics.library import metrics
    from symmetrics.posets import equal_rows, from_scores, read_scores
    from symmetrics.posets.poset import shown

    if options.classes is not None or options.header is not None:
        raise InputError("--classes and --header are about pairs of classes; leave them out with --from-scores")
    scores = read_scores(options.file, options.names)
    stated = [] if options.losses is None else _listed(options.losses, "--losses")
    known = [name for name in scores.columns if name in metrics and metrics[name].greater_is_better is False]
    losses = dict.fromkeys([*stated, *known])
    order = from_scores(scores, greater_is_better=dict.fromkeys(losses, False))
    notes = [f"lower is better: {', '.join(map(shown, losses))}"] if losses else []
    notes += [f"equal in all columns: {', '.join(map(shown, group))}" for group in equal_rows(scores)]
    return order, notes


def _listed(text: str, option: str) -> list[str]:
    """Return the names between the commas of an option."""
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise InputError(f"{option}={text!r} has a name that is empty; write names with commas between")
    return names


# -- reproduce ---------------------------------------------------------------------------------------------------------


def _add_reproduce(parser: Parser) -> None:
    parser.add_argument("paper", metavar="PAPER", help="such as branco2017, or all")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="write the tables and figures there")


@verb("reproduce", "compute the tables and figures of a paper again, beside its own", _add_reproduce)
def _reproduce(options: argparse.Namespace) -> str:
    from symmetrics.papers import EXPERIMENTS, require_plots
    from symmetrics.tools.workers import spread

    if options.output is not None:
        if not str(options.output).strip():
            raise InputError("-o is empty; name a folder, such as results")
        require_plots()
    if options.paper != "all":
        return _reproduced((options.paper, options.output))
    # The last one takes longest, so it starts first.
    wanted = [(name, options.output) for name in reversed(EXPERIMENTS)]
    texts = list(spread(_reproduced, wanted, workers=os.cpu_count() or 1))
    return ("\n\n" if options.output is None else "\n").join(reversed(texts))


def _reproduced(wanted: tuple[str, str | None]) -> str:
    """Return the report on a paper, or on its resumable run into a folder."""
    from symmetrics.papers import experiment, write_experiment

    name, output = wanted
    if output is None:
        return experiment(name).to_markdown()
    found = experiment(name, Path(output) / "steps" / name)
    return "\n".join(f"wrote {path}" for path in write_experiment(found, Path(output), name))
