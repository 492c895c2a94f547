"""Shared by all commands: a parser with one-line errors, lists of names, metrics and formulas."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, TypeAlias, get_args

from symmetrics.tools.arguments import Missing
from symmetrics.tools.budget import SECONDS, required_seconds
from symmetrics.tools.documents.data import json_text
from symmetrics.tools.errors import InputError, SymmetricsError, nearest_names

if TYPE_CHECKING:
    from symmetrics.metric import Metric
    from symmetrics.pages.lines import Chosen
    from symmetrics.statistics.intervals import Question


_UNKNOWN_COMMAND: Final = re.compile(r"argument COMMAND: invalid choice: '(?P<name>.*)' \(choose from (?P<known>.*)\)")
"""Start of argparse's message on an unknown command."""
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_FORMULA: Final = frozenset("()*/+")
"""Characters that occur in formulas, but not in names."""
_AVERAGES: Final = ("macro", "micro", "pooled", "weighted")
"""Copy of a value in :mod:`symmetrics.numeric.averaging`; avoids importing NumPy for the help."""
_OF_INTERVALS: Final = ("level", "method", "sampling", "seed")


Run: TypeAlias = "Callable[[argparse.Namespace], str | Answer]"


class Parser(argparse.ArgumentParser):
    """A parser with one-line errors."""

    takes_formulas = False
    """Whether the help lists the names that formulas may contain."""

    def format_help(self) -> str:
        """Return the help; the names of formulas are only looked up here, as most commands do not need them."""
        if self.takes_formulas:
            from symmetrics.language.names import CELL_NAMES, SUM_NAMES

            cells, named = ", ".join(CELL_NAMES), ", ".join(SUM_NAMES)
            self.epilog = f"A formula is written in {cells}; it may also hold {named}, numbers and declared parameters."
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Raise an error with the message.

        :raises InputError: always
        """
        unknown = _UNKNOWN_COMMAND.fullmatch(message)
        if unknown and (nearest := nearest_names(unknown["name"], re.findall(r"[a-z]+", unknown["known"]))):
            message = f"unknown command {unknown['name']!r}: did you mean {', '.join(nearest)}?"
            raise InputError(f"{message} '{self.prog} --help' lists all")
        raise InputError(f"{message}; see '{self.prog} --help'")


class Answer(NamedTuple):
    """What a command prints, with an exit status that tells of what it found.

    :param text: what it prints
    :param status: 0, or 1 where something is not as it should be
    """

    text: str
    status: int


class Verb(NamedTuple):
    """A command.

    :param run: returns what the command prints, or that with an exit status
    :param text: a short description of the command
    :param add: adds its options
    """

    run: Run
    text: str
    add: Callable[[Parser], None]


VERBS: Final[dict[str, Verb]] = {}
"""The commands by name; a module adds its own when it is imported."""


def verb(name: str, text: str, add: Callable[[Parser], None]) -> Callable[[Run], Run]:
    """Decorate a function of options as a command: see :class:`Verb`."""

    def decorated(run: Run) -> Run:
        VERBS[name] = Verb(run, text, add)
        return run

    return decorated


def add_format(parser: Parser, *choices: str) -> None:
    """Add the option of an output format; the first format is the default."""
    parser.add_argument("--format", choices=choices, default=choices[0], help=f"output format (default: {choices[0]})")


def text_or_json(options: argparse.Namespace, found: Any) -> str:
    """Format an answer as requested."""
    return json_text(found.to_dict()) if options.format == "json" else repr(found)


@contextmanager
def naming_formula(metric: Metric, wanted: str) -> Iterator[None]:
    """Context in which arithmetic errors name the formula that is too large.

    :param wanted: the operation that may fail
    :raises InputError: in place of such an error
    """
    from symmetrics.tools.errors import shortened

    try:
        yield
    except SymmetricsError:
        raise
    except (ArithmeticError, MemoryError, RecursionError, ValueError) as error:
        told = f"formula {shortened(metric.name)!r}: it cannot be {wanted} ({error})"
        raise InputError(f"{told}; give it smaller exponents or numbers") from None


def add_average(parser: Parser) -> None:
    """Add the option of averaging over all classes, instead of one positive class."""
    parser.add_argument(
        "--average",
        choices=_AVERAGES,
        help="average metrics of each class against the rest over all classes (default for more than two: macro, micro "
        "and weighted); accuracy, mcc, kappa and the like are always those of the whole confusion matrix",
    )


def add_missing(parser: Parser) -> None:
    """Add the option for the treatment of missing labels."""
    parser.add_argument(
        "--missing",
        choices=get_args(Missing),
        default="refuse",
        help="examples without a label, whose field is empty or a mark such as NA: refuse them (default), drop them "
        "and say how many, or keep marks as labels; scores and weights are never left out",
    )


def refuse_average_with(options: argparse.Namespace, *of_one_class: str) -> None:
    """Refuse options for one class together with an average over all.

    :raises InputError: naming the first one
    """
    for option in of_one_class:
        if options.average is not None and getattr(options, option) is not None:
            raise InputError(f"--{option} is for one class, and --average for all of them; leave one of both out")


def add_metric(parser: Parser, help: str, *, name: str = "metric", metavar: str = "METRIC_OR_FORMULA") -> None:
    """Add a metric or formula argument, with an option for its parameters; :func:`asked_metric` reads both."""
    parser.add_argument(name, metavar=metavar, help=help)
    add_parameters(parser)


def asked_metric(options: argparse.Namespace, name: str = "metric") -> Metric:
    """Return the metric, or the formula with its parameters, from the options.

    :raises InputError: as :func:`metric_or_formula`
    """
    return metric_or_formula(getattr(options, name), options.param)


def add_parameters(parser: Parser, also: str = "") -> None:
    """Add the option that declares the parameters of a formula; the help lists reserved names.

    :param also: other names that can be declared
    """
    parser.takes_formulas = True
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="DECLARATION",
        help=f'a parameter of the formula, "w in [0,1]", or with a default, "w in [0,1] = 3/4"{also}',
    )


def add_question(parser: Parser) -> None:
    """Add the options of intervals; :func:`asked_question` reads them."""
    parser.add_argument("--interval", action="store_true", help="show where the true values lie, as far as is known")
    parser.add_argument("--level", type=number, metavar="L", help="how sure the intervals are (default: 0.95)")
    parser.add_argument("--method", help="of the intervals, such as delta, bayes or bootstrap (default: auto)")
    parser.add_argument(
        "--sampling", help="multinomial, or binomial if the numbers of positives and negatives were fixed"
    )
    parser.add_argument("--seed", type=_whole_number, metavar="N", help="of the methods that draw (default: 0)")


def asked_question(options: argparse.Namespace) -> Question | None:
    """Return the requested interval settings; None for none.

    :raises InputError: on settings of intervals without any, and on invalid settings
    """
    given = {name: value for name in _OF_INTERVALS if (value := getattr(options, name)) is not None}
    if options.interval:
        from symmetrics.statistics.intervals import Question

        return Question(**given)
    for name in given:
        raise InputError(f"--{name} is of intervals; add --interval, or leave it out")
    return None


def number(text: str) -> float:
    """Parse the number in an option.

    :raises ArgumentTypeError: on what is no number
    """
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number; write one such as 0.95") from None


def _whole_number(text: str) -> int:
    """Parse the integer in an option."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number; write one such as 7") from None


def add_seconds(parser: Parser, what: str, default: float = SECONDS) -> None:
    """Add the option of a time limit in seconds.

    :param what: the work that may take so long
    :param default: the default limit
    """
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=default,
        metavar="S",
        help=f"how long {what} may take; what is not decided by then is open (default: {default:g})",
    )


def add_classes(parser: Parser) -> None:
    """Add the option of the number of classes for matrix metrics."""
    parser.add_argument(
        "--classes",
        type=int,
        metavar="K",
        help="ask about metrics of matrices of K classes, 'symmetrics list multiclass'",
    )


def _seconds(text: str) -> float:
    try:
        return required_seconds(float(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; give seconds, such as 120, or inf") from None


def listed_names(listed: str | None, kind: str) -> list[str] | None:
    """Return the names in a comma-separated list; those of the whole library for "all", None for no list.

    :param kind: ``"metric"`` or ``"property"``; the name of a theme of metrics stands for all metrics of it, and a
        metric may be the text of a formula
    :raises InputError: if a name is none, or there is none
    """
    if listed is None:
        return None
    if listed.strip() == "all":
        from symmetrics.library import metrics, properties

        return list(metrics if kind == "metric" else properties)
    chosen = [text.strip() for text in _split(listed) if text.strip()]
    if not chosen:
        raise InputError(f"a list without a {kind}: {listed!r}; name one or more, separated by commas")
    if kind == "metric":
        return _with_themes(chosen)
    for name in chosen:
        if not name.isidentifier():
            raise InputError(f"{name!r} is not the name of a property; 'symmetrics list properties' shows all of them")
    return chosen


def listed_metrics(listed: str | None, declared: list[str] | None = None) -> list[Metric] | None:
    """Return the metrics in a comma-separated list, each once: names, themes, and formulas; None for no list.

    :param declared: the parameters of formulas and values of those of the library's metrics, None where a command has
        no option for them
    :raises InputError: if there is none, one is neither a name nor a formula, or parameters are none of theirs
    """
    names = listed_names(listed, "metric")
    if names is None:
        if declared:
            raise InputError("--param is for the metrics that --metrics lists; add --metrics, or leave it out")
        return None
    if declared is None:
        found = [metric_without_parameters(name) for name in names]
    else:
        found = metrics_with_parameters(names, declared, "none of the metrics has such a parameter")
    return list({metric.name: metric for metric in found}.values())


def metrics_with_parameters(texts: list[str], declared: list[str], unknown: str) -> list[Metric]:
    """Return metrics from names or formulas, each with the declared parameters that it uses.

    :param unknown: message for a parameter that none of them has
    :raises InputError: on such a parameter, and on a text that is neither a name nor a formula
    """
    from symmetrics.language.parameter import Parameter
    from symmetrics.library import metrics

    parameters = [(Parameter.parse(text), text) for text in declared]
    named = {text: {one.name for one in metrics[text].parameters} for text in texts if text in metrics}
    named |= {text: set(_NAME.findall(text)) for text in texts if text not in named}
    for parameter, _ in parameters:
        if not any(parameter.name in names for names in named.values()):
            raise InputError(f"--param {parameter.name}: {unknown}; leave it out")
    return [metric_or_formula(text, [own for one, own in parameters if one.name in named[text]]) for text in texts]


def chosen_by_names(names: Iterable[str]) -> Chosen:
    """Return metrics from names and parameter-free formulas, with their versions for more than two classes.

    :raises InputError: as :func:`metric_without_parameters`
    """
    from symmetrics.matrices.names import metric_of_matrices_alone
    from symmetrics.pages.lines import Chosen

    found = {name: metric_of_matrices_alone(name) or metric_without_parameters(name) for name in names}
    return Chosen.of({name: (name, metric) for name, metric in found.items()})


def metric_without_parameters(text: str) -> Metric:
    """Return a metric from a name or formula, for commands without an option for parameters.

    :raises InputError: if the text cannot be read; the way out is not an option that the command does not have
    """
    from symmetrics.library.selections import as_metric
    from symmetrics.tools.errors import UndeclaredNameError

    try:
        return as_metric(text)
    except UndeclaredNameError as error:
        advice = "this command takes formulas without parameters; write a number instead"
        raise InputError(error.advising(advice)) from None


def names_in(listed: str | None) -> list[str] | None:
    """Return the names in a comma-separated list unchanged; None for no list and for "all"."""
    if listed is None or listed.strip() == "all":
        return None
    return [text.strip() for text in _split(listed) if text.strip()]


def _split(listed: str) -> Iterator[str]:
    """Split a text at commas outside all brackets."""
    depth = start = 0
    for place, character in enumerate(listed):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            yield listed[start:place]
            start = place + 1
    yield listed[start:]


def _with_themes(names: list[str]) -> list[str]:
    """Replace themes by the names of their metrics, each once."""
    from symmetrics.library.selections import group_of_metrics

    groups = {name: group_of_metrics(name) for name in names}
    found = ([name] if group is None else [metric.name for metric in group] for name, group in groups.items())
    return list(dict.fromkeys(name for part in found for name in part))


def metric_or_formula(text: str, declarations: Sequence[str]) -> Metric:
    """Return the library's metric of a name, possibly with parameter values, or the metric of a formula.

    :param declarations: of parameters, such as ``w in [0,1] = 1/2``
    :raises InputError: if a parameter is given twice, or declared for a metric that declares its own
    """
    from symmetrics.language.formula import parse_formula
    from symmetrics.language.names import CELL_NAMES
    from symmetrics.language.parameter import Parameter
    from symmetrics.library import metrics
    from symmetrics.metric import Metric

    name, parameters = text.strip(), [Parameter.parse(declaration) for declaration in declarations]
    declared = [parameter.name for parameter in parameters]
    for repeated in {parameter for parameter in declared if declared.count(parameter) > 1}:
        raise InputError(f"--param gives {repeated!r} more than once; give it once")
    # A two-word text can only be recognised as a name once all metrics are loaded.
    is_name = re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) or (_FORMULA.isdisjoint(name) and name in metrics)
    if is_name and name not in {*CELL_NAMES, *declared, "pi"}:
        metric = metrics[name]
        for parameter in parameters:
            if parameter.default is None:
                raise InputError(
                    f'{name} declares its own parameters: write --param "{parameter.name} = 1/2" to set one'
                )
        given = {parameter.name: parameter.default for parameter in parameters}
        return metric.at(**given) if given else metric
    formula = parse_formula(text, declared)
    if declared:
        _require_cell(text, declared)
    return Metric(name, formula, tuple(parameters))


def _require_cell(text: str, declared: list[str]) -> None:
    """Refuse a formula without cells: a proof about a constant says nothing about a metric.

    :raises InputError: if the text names neither a cell nor a sum or a rate of cells
    """
    from symmetrics.language.cells import NAMED
    from symmetrics.language.formula import SPOKEN
    from symmetrics.language.names import CELL_NAMES
    from symmetrics.tools.errors import shortened

    if set(_NAME.findall(text)) & {*CELL_NAMES, *NAMED} - set(declared):
        return
    written = {name: SPOKEN.get(name.casefold()) or name.upper() for name in declared}
    meant = [f"{right} for {name}" for name, right in written.items() if right in {*CELL_NAMES, *NAMED} - {name}]
    advice = f"write {', '.join(meant)}, without --param" if meant else f"write one such as TP/(TP + {declared[0]}*FN)"
    raise InputError(
        f"formula {shortened(text)!r}: it has parameters but no cell TP, FN, FP or TN, nor a rate of them; {advice}"
    )
