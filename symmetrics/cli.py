"""The command line: ``symmetrics table | prove | identify | find | score | build | check``.

Bad input ends with exit status 2 and one line on standard error.  A formula is read by the whitelisting parser and is
never run as code.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from symmetrics import __version__
from symmetrics.errors import InputError, SymmetricsError

if TYPE_CHECKING:
    from symmetrics.metric import Metric
    from symmetrics.parameter import Parameter

__all__ = ["main"]

TABLE_FORMATS: Final = ("md", "csv", "json", "latex", "html")
SCORE_FORMATS: Final = ("text", "csv", "json")
_NEGATIVE_FORMULA: Final = re.compile(r"-(?![-oh]).*\b(?:TP|FN|FP|TN)\b", re.DOTALL)


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}; see '{self.prog} --help'")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, 2 on bad input, 130 on an interruption."""
    try:
        if sys.stdout is None:
            raise InputError("standard output is closed; open it, or send it to a file with >")
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            _run(sys.argv[1:] if arguments is None else arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("symmetrics: interrupted; no file is half-written", file=sys.stderr)
        return 130
    except (SymmetricsError, OSError) as error:
        message = " ".join(str(error).split())
        print(f"symmetrics: error: {message}", file=sys.stderr)
        return 2
    return 0


def _run(arguments: Sequence[str]) -> None:
    # argparse takes an argument that starts with a minus sign for an option, unless a blank precedes it.
    spaced = [f" {argument}" if _NEGATIVE_FORMULA.match(argument) else argument for argument in arguments]
    options = _parser().parse_args(spaced)
    text = options.run(options)
    if text:
        print(text)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="symmetrics", description="Classification metrics, defined once, proved and evaluated.")
    parser.add_argument("--version", action="version", version=f"symmetrics {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    _add_table(_command(commands, "table", _table, "decide properties of metrics and print the table"))
    _add_prove(_command(commands, "prove", _prove, "decide one property of a metric or a formula"))
    _add_identify(
        _command(commands, "identify", _identify, "name the known metrics that a formula is or is related to")
    )
    _add_find(_command(commands, "find", _find, "list the metrics that have the properties asked for"))
    _add_score(_command(commands, "score", _score, "compute metrics from a CSV file of true and predicted labels"))
    build = _command(commands, "build", _build, "regenerate proofs/certificates/ and the tables of the README")
    build.add_argument(
        "--fresh", action="store_true", help="decide everything anew, instead of what has changed since the last time"
    )
    build.add_argument(
        "--root", type=Path, default=Path(), metavar="FOLDER", help="root of the repository (default: here)"
    )
    check = _command(commands, "check", _check, "re-verify certificates, by other code than wrote them")
    check.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="files or folders (default: proofs/certificates)"
    )
    return parser


def _command(
    commands: argparse._SubParsersAction[_Parser], name: str, run: Callable[[argparse.Namespace], str], text: str
) -> _Parser:
    command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    command.set_defaults(run=run)
    return command


# -- table -----------------------------------------------------------------------------------------------------------


def _add_table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--metrics", metavar="A,B", help="metrics by name, or all (default: García et al. 2012)")
    parser.add_argument("--properties", metavar="P1,P2", help="properties by key, or all (default: p1 to p5)")
    parser.add_argument("--format", choices=TABLE_FORMATS, default="md", help="output format (default: md)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to a file instead of printing")


def _table(options: argparse.Namespace) -> str:
    from symmetrics.files import check_writable, write_text
    from symmetrics.tables import FORMATS, table

    if options.output is not None:
        check_writable(options.output)
    names = _names(options.metrics, "metric"), _names(options.properties, "property")
    text = FORMATS[options.format](table(*names, parallel=True))
    if options.output is None:
        return text.rstrip("\n")
    write_text(options.output, text.rstrip("\n") + "\n")
    return ""


def _names(listed: str | None, kind: str) -> list[str] | None:
    """Return the names of a list with commas, those of the whole library for "all", None for no list."""
    if listed is None:
        return None
    if listed.strip() == "all":
        from symmetrics.library import metrics, properties

        return list(metrics if kind == "metric" else properties)
    names = [name.strip() for name in listed.split(",") if name.strip()]
    if not names:
        raise InputError(f"a list without a {kind}: {listed!r}; name one or more, separated by commas")
    for name in names:
        if not name.isidentifier():
            raise InputError(f"{name!r} is not the name of a {kind}; formulas are for 'symmetrics prove'")
    return names


# -- prove -----------------------------------------------------------------------------------------------------------


def _add_prove(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "metric", metavar="METRIC_OR_FORMULA", help='such as mcc, or "TP/(TP + w*FN)", over TP, FN, FP, TN'
    )
    parser.add_argument("property", metavar="PROPERTY", help="such as p1")
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="DECLARATION",
        help='a parameter of the formula, "w in [0,1]", or with a default, "w in [0,1] = 3/4"; for a metric of the '
        'library a value of one of its parameters, "w = 1/2"',
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format (default: text)")
    parser.add_argument(
        "--smt", action="store_true", help="ask Z3 (pip install 'symmetrics[smt]') about inequalities that stay open"
    )


def _prove(options: argparse.Namespace) -> str:
    from symmetrics.explain import explain
    from symmetrics.formula import shortened
    from symmetrics.parameter import Parameter
    from symmetrics.query import as_property, prove

    property = as_property(options.property)
    metric = _metric_or_formula(options.metric, [Parameter.parse(text) for text in options.param])
    try:
        verdict = prove(metric, property, smt=options.smt)
        if options.format == "json":
            return json.dumps(verdict.to_dict(), indent=1, ensure_ascii=False)
        return explain(verdict, property, metric)
    except SymmetricsError:
        raise
    except (ArithmeticError, MemoryError, RecursionError, ValueError) as error:
        name = shortened(metric.name)
        raise InputError(
            f"formula {name!r}: it cannot be decided ({error}); give it smaller exponents or numbers"
        ) from None


def _metric_or_formula(text: str, parameters: list[Parameter]) -> Metric:
    """Return the library's metric of that name, with values for its parameters, or the metric of a formula."""
    from symmetrics.cells import CELL_NAMES
    from symmetrics.formula import parse_formula
    from symmetrics.library import metrics
    from symmetrics.metric import Metric

    name = text.strip()
    declared = [parameter.name for parameter in parameters]
    for repeated in {parameter for parameter in declared if declared.count(parameter) > 1}:
        raise InputError(f"--param gives {repeated!r} more than once; give it once")
    if re.fullmatch(r"[A-Za-z_]\w*", name) and name not in {*CELL_NAMES, *declared, "pi"}:
        metric = metrics[name]
        for parameter in parameters:
            if parameter.default is None:
                raise InputError(
                    f'{name} declares its own parameters: write --param "{parameter.name} = 1/2" to set one'
                )
        return metric.at(**{parameter.name: parameter.default for parameter in parameters})
    return Metric(name, parse_formula(text, declared), tuple(parameters))


# -- identify and find -------------------------------------------------------------------------------------------------


def _add_identify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("formula", metavar="FORMULA", help='such as "TP/(TP + FN)", over TP, FN, FP, TN, or a name')
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="DECLARATION",
        help='a parameter of the formula, "w in [0,1]", or with a default, "w in [0,1] = 3/4"',
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format (default: text)")


def _identify(options: argparse.Namespace) -> str:
    from symmetrics.formula import shortened
    from symmetrics.parameter import Parameter
    from symmetrics.relations import identify

    metric = _metric_or_formula(options.formula, [Parameter.parse(text) for text in options.param])
    try:
        found = identify(metric)
    except SymmetricsError:
        raise
    except (ArithmeticError, MemoryError, RecursionError, ValueError) as error:
        raise InputError(
            f"formula {shortened(metric.name)!r}: it cannot be compared ({error}); give it smaller exponents or numbers"
        ) from None
    return json.dumps(found.to_dict(), indent=1, ensure_ascii=False) if options.format == "json" else repr(found)


def _add_find(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "wanted", nargs="+", metavar="PROPERTY=yes", help="such as p1=yes strongly_monotone=no range=open"
    )
    parser.add_argument("--metrics", metavar="A,B", help="metrics to choose from, by name (default: all)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format (default: text)")


def _find(options: argparse.Namespace) -> str:
    from symmetrics.query import as_property
    from symmetrics.relations import find

    answers = {"yes": True, "no": False, "open": None}
    wanted = {}
    for text in options.wanted:
        key, sign, answer = text.partition("=")
        if not sign or answer.strip().lower() not in answers:
            raise InputError(f"{text!r} is not a property with an answer; write it as p1=yes, p1=no or p1=open")
        if as_property(key.strip()).name in wanted:
            raise InputError(f"property {key.strip()!r} is given more than once; give it once")
        wanted[as_property(key.strip()).name] = answers[answer.strip().lower()]
    found = find(metrics=_names(options.metrics, "metric"), **wanted)
    return json.dumps(list(found), indent=1) if options.format == "json" else "\n".join(found)


# -- score -----------------------------------------------------------------------------------------------------------


def _add_score(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.csv", help="a CSV file with a header, or - for standard input")
    parser.add_argument("--truth", required=True, metavar="COLUMN", help="column of the true labels")
    parser.add_argument("--prediction", required=True, metavar="COLUMN", help="column of the predicted labels")
    parser.add_argument(
        "--positive", metavar="VALUE", help="label of the positive class (default: 1 of 0 and 1, and the like)"
    )
    parser.add_argument("--metrics", metavar="A,B", help="metrics, by name (default: all)")
    parser.add_argument("--format", choices=SCORE_FORMATS, default="text", help="output format (default: text)")


def _score(options: argparse.Namespace) -> str:
    from symmetrics.library import metrics
    from symmetrics.query import as_metric
    from symmetrics.report import score
    from symmetrics.scoring import read_columns

    chosen = [as_metric(name) for name in _names(options.metrics, "metric") or metrics]
    columns = read_columns(options.file, options.truth, options.prediction, positive=options.positive)
    return score(columns, chosen).to_format(options.format)


# -- build and check -------------------------------------------------------------------------------------------------


def _build(options: argparse.Namespace) -> str:
    from symmetrics.building import build

    changed = build(options.root, fresh=options.fresh)
    lines = [f"{'wrote' if path.exists() else 'removed'} {path}" for path in changed]
    return "\n".join([*lines, f"{len(changed)} file{'' if len(changed) == 1 else 's'} changed"])


def _check(options: argparse.Namespace) -> str:
    from collections import Counter

    from symmetrics.building import CERTIFICATES, check_certificates

    counts = Counter(verdict.status for verdict in check_certificates(options.paths or [CERTIFICATES]))
    listed = ", ".join(f"{counts[status]} {status}" for status in ("proved", "refuted", "conditional", "open"))
    return f"{counts.total()} verdicts re-verified: {listed}"


if __name__ == "__main__":
    sys.exit(main())
