"""Commands on uncertainty and the repository: ``compare``, ``plan``, ``build``, ``check``."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

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
from symmetrics.tools.texts import number_of

if TYPE_CHECKING:
    from symmetrics.metric import Metric
    from symmetrics.repository.certificates import Checked


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
    from symmetrics.data.spelling import check_classes
    from symmetrics.pages.comparisons import compare_columns, compare_many_columns

    places = _places(options)
    chosen = chosen_by_names(listed_names(options.metrics, "metric") or _METRICS)
    if len(places) > 2 and options.separate:
        raise InputError("--separate is for two classifiers; leave out the others, or compare on the same examples")
    if len(places) == 2 and options.correction is not None:
        raise InputError(f"--correction {options.correction} is for three or more classifiers; leave it out for two")
    refuse_average_with(options, "positive")
    columns = _columns(places, options)
    # Names in error messages: what the user typed.
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
    """Return the columns of all classifiers; for paired examples, those missing in one are dropped from all."""
    from symmetrics.data.label_files import read_classes, rows_lacking_labels
    from symmetrics.data.places import Wanted
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
    from symmetrics.evaluation.planning import plan, plan_design

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


# -- Commands for the repository: build and check ----------------------------------------------------------------------


MOST_NAMED = 20
"""In a folder with more changed files only their number is reported."""


def _add_build(parser: Parser) -> None:
    parser.add_argument(
        "--fresh", action="store_true", help="decide everything anew, instead of what has changed since the last time"
    )
    parser.add_argument(
        "--kernel",
        choices=["all"],
        help="write all theories for the kernel of the Rocq prover to proofs/coq, those that are not tracked too, and "
        "nothing else",
    )
    parser.add_argument(
        "--root", type=Path, default=Path(), metavar="FOLDER", help="root of the repository (default: here)"
    )


@verb("build", "regenerate what is generated in proofs/ and in the README", _add_build)
def _build(options: argparse.Namespace) -> str:
    from symmetrics.repository.building import build
    from symmetrics.repository.certificates import build_theories

    changed = build_theories(options.root) if options.kernel else build(options.root, fresh=options.fresh)
    return "\n".join([*_listed_changes(changed), f"{number_of(len(changed), 'file')} changed"])


def _listed_changes(changed: list[Path]) -> list[str]:
    """Summarise changed files: a line each, or a line for a folder with many."""
    folders: dict[tuple[str, Path], list[Path]] = {}
    for path in changed:
        folders.setdefault(("wrote" if path.exists() else "removed", path.parent), []).append(path)
    lines = []
    for (done, folder), paths in folders.items():
        many = len(paths) > MOST_NAMED
        lines += (
            [f"{done} {number_of(len(paths), 'file')} in {folder}"] if many else [f"{done} {path}" for path in paths]
        )
    return lines


def _add_check(parser: Parser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="metrics, or files or folders of certificates (default: all of the root); with --kernel files of "
        "theories, or one metric or formula (default: all theories)",
    )
    parser.add_argument(
        "--claim", metavar="KEY", help="judge one claim of a paper anew, such as tan2006.equation_5_76; or all of them"
    )
    parser.add_argument("--kernel", choices=["coq"], help="give lemmas to the kernel of the Rocq prover (package coq)")
    parser.add_argument(
        "--param", action="append", default=[], metavar="DECLARATION", help="with --kernel, a parameter as in 'prove'"
    )
    parser.add_argument(
        "--root",
        type=Path,
        metavar="FOLDER",
        help="root of the repository (default: here, or else what comes with the package)",
    )


@verb("check", "re-verify certificates, by other code than wrote them", _add_check)
def _check(options: argparse.Namespace) -> str:
    from collections import Counter

    if options.claim is not None:
        return _claims(options)
    if options.kernel is not None:
        return _kernel(options)
    from symmetrics.repository.verifying import check_named
    from symmetrics.tools.errors import InputError, shortened

    if options.param:
        raise InputError(f"--param {options.param[0]!r} is for a formula, which only --kernel takes; leave it out")
    verdicts = list(check_named(options.root, options.paths))
    counts = Counter(verdict.status for verdict in verdicts)
    listed = ", ".join(f"{counts[status]} {status}" for status in ("proved", "refuted", "conditional", "open"))
    unknown = dict.fromkeys(own for verdict in verdicts for own in verdict.own)
    notes = [
        f"note: {shortened(name)!r} is no name that the library knows; what was re-verified is about M = {formula}"
        for name, formula in unknown
    ]
    told = [f"{number_of(counts.total(), 'verdict')} re-verified: {listed}", *_parts(verdicts), *notes]
    return "\n".join(told)


def _parts(verdicts: list[Checked]) -> list[str]:
    """Return the verdicts that the README does not count, and the verified parts of open ones."""
    from symmetrics.matrices.deciding import is_at_size

    names = {verdict.metric for verdict in verdicts}
    of_matrices = {name for name in names if is_at_size(name)}
    told = []
    if of_matrices and names - of_matrices:
        many = [verdict for verdict in verdicts if verdict.metric in of_matrices]
        open_ones = sum(verdict.status == "open" for verdict in many)
        told.append(
            f"note: {number_of(len(many), 'verdict')}, {open_ones} of them open, about metrics of many classes, which "
            "the README does not count"
        )
    if any(verdict.status == "open" for verdict in verdicts):
        told.append("note: an open verdict decides nothing in general; only what it says at the defaults is verified")
    return told


def _claims(options: argparse.Namespace) -> str:
    from symmetrics.papers.claims.writing import ruling_text, summary_line
    from symmetrics.repository.verifying import check_claims
    from symmetrics.tools.errors import InputError

    if options.paths:
        raise InputError(f"--claim judges a claim of a paper and takes no path; leave out {options.paths[0]}")
    heard = check_claims(options.root, options.claim)
    texts = [ruling_text(one) for one in heard]
    return "\n\n".join([*texts, summary_line(heard)] if options.claim == "all" else texts)


def _kernel(options: argparse.Namespace) -> str:
    from symmetrics.repository.verifying import check_with_kernel, judge_metric, root_of
    from symmetrics.rocq.theories.meanings import judged_text
    from symmetrics.tools.errors import CertificateError, InputError

    metric = _metric_of(options)
    with root_of(options.root) as root:
        judged = check_with_kernel(root, map(Path, options.paths)) if metric is None else judge_metric(root, metric)
    entries, judgements, unknown = judged
    text = judged_text(entries, list(judgements.values()))
    empty = [path for path, judgement in judgements.items() if not (judgement.accepted or judgement.rejected)]
    if empty and len(empty) == len(judgements):
        raise InputError(f"{', '.join(map(str, empty))} states no lemma, so that nothing can be checked; name others")
    text += "".join(f"\n\n{path} states no lemma: nothing in it was checked" for path in empty)
    for path in (path for path in unknown if path not in empty):
        count = len(judgements[path].accepted)
        text += f"\n\n{path}: the library knows no metric, relations or paper of this name, so that what its "
        text += (
            f"{number_of(count, 'accepted lemma')} say was not compared with anything; they say what "
            "stands there, and no more"
        )
    rejected = [(name, why) for judgement in judgements.values() for name, why in judgement.rejected.items()]
    axioms = {path: judgement.unknown_axioms for path, judgement in judgements.items() if judgement.unknown_axioms}
    if rejected or axioms:
        print("\n".join([f"{text}\n", *(f"rejected: {name}: {why}" for name, why in rejected)]))
        if rejected:
            named = ", ".join(name for name, _ in rejected)
            what = f"{number_of(len(rejected), 'lemma')}, {named}; the first of them in {rejected[0][1]}"
        else:
            path, found = next(iter(axioms.items()))
            what = f"lemmas of {path} that rest on {min(found)}"
        advice = "regenerate the theories with 'symmetrics build'"
        if metric is not None:
            advice = "the proofs written for them do not pass, so that these verdicts rest on prover and checker alone"
        raise CertificateError(f"the kernel rejects {what}; {advice}")
    return text


def _metric_of(options: argparse.Namespace) -> Metric | None:
    """Return the metric or formula to pass to the Rocq kernel, None if files were given."""
    from symmetrics.cli.parsing import metric_or_formula
    from symmetrics.tools.errors import InputError

    named = [text for text in options.paths if not (text.endswith(".v") or Path(text).exists())]
    if len(options.paths) > 1 and named:
        raise InputError(f"{named[0]!r} is no file: name files of theories, or one metric or formula alone")
    if not named:
        if options.param:
            raise InputError(f"--param {options.param[0]!r} is for a formula; leave it out, or name the formula")
        return None
    return metric_or_formula(named[0], options.param)
