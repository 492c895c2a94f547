"""The verbs of the command line: arguments are read and answers printed here, and nothing is decided.

The verbs: ``symmetrics table | prove | identify | mend | find | possible | synthesise | theorems | adversary | explain
| list | show | datasheet | atlas | code | score | compare | plan | audit | rank | reproduce | build | check``.
Bad input ends with exit status 2 and one line on standard error.  A formula is read by the whitelisting parser and is
never run as code.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import shlex
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import FrameType
from typing import Final

from symmetrics import __version__
from symmetrics.cli.parsing import VERBS, Answer, Parser
from symmetrics.tools.errors import InputError, SymmetricsError
from symmetrics.tools.texts import visible
from symmetrics.tools.workers import ending_programs

__all__ = ["main"]

_ORDER: Final = (
    *("table", "prove", "identify", "mend", "find", "possible", "synthesise", "theorems", "adversary", "explain"),
    *(
        "list",
        "show",
        "datasheet",
        "code",
        "atlas",
        "score",
        "rank",
        "reproduce",
        "compare",
        "plan",
        "audit",
        "determined",
        "build",
        "check",
    ),
)
"""The commands in the order of the help."""
_NEGATIVE_FORMULA: Final = re.compile(r"-(?![-oh]).*\b(?:TP|FN|FP|TN)\b", re.DOTALL)


class _Ended(KeyboardInterrupt):
    """The process was told to end, by SIGTERM."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    :returns: 0; 1 if an audit finds something impossible; 2 on bad input; 130 on an interruption, 143 if the process
        was told to end
    """
    try:
        with _ending_by_signals():
            return _status(arguments)
    except KeyboardInterrupt as error:
        ended = isinstance(error, _Ended)
        _complain(f"{'ended' if ended else 'interrupted'}; no file is half-written")
        return 143 if ended else 130


@contextmanager
def _ending_by_signals() -> Iterator[None]:
    """Make SIGTERM, like SIGINT, raise an exception that also ends all programs started by this process."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    numbers = [signal.SIGTERM]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        numbers.append(signal.SIGINT)

    with ending_programs() as end_programs:

        def end(number: int, _frame: FrameType | None) -> None:
            for one in numbers:  # clean-up must not be interrupted
                signal.signal(one, signal.SIG_IGN)
            end_programs()
            raise _Ended if number == signal.SIGTERM else KeyboardInterrupt

        before = {number: signal.signal(number, end) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _status(arguments: Sequence[str] | None) -> int:
    """Run the command line, without handling signals."""
    try:
        if sys.stdout is None:
            raise InputError("standard output is closed; open it, or send it to a file with >")
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            return _run(sys.argv[1:] if arguments is None else arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
    except (SymmetricsError, OSError) as error:
        _complain(f"error: {visible(' '.join(str(error).split()))}")
        try:
            if sys.stdout is not None:
                sys.stdout.flush()
        except OSError:  # output that failed before will fail again at exit
            _drop_output()
        return 2
    return 0


def _complain(message: str) -> None:
    """Write a line to standard error, unless it is closed."""
    if sys.stderr is not None:  # print would fall back to standard output
        print(f"symmetrics: {message}", file=sys.stderr)


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: Sequence[str]) -> int:
    # argparse takes an argument that starts with a minus sign for an option, unless a blank precedes it.
    spaced = [f" {argument}" if _NEGATIVE_FORMULA.match(argument) else argument for argument in arguments]
    options, left = _parser().parse_known_args(spaced)
    if left:
        advice = f"see 'symmetrics {options.command} --help'"
        raise InputError(f"unrecognized arguments: {' '.join(left)}; {_hint(options, left)}{advice}")
    found = options.run(options)
    text, status = found if isinstance(found, Answer) else (found, 0)
    if text:
        print(text)
    return status


def _hint(options: argparse.Namespace, left: Sequence[str]) -> str:
    """Return a suggestion for words that a command does not accept."""
    if options.command not in ("prove", "identify") or any(word.startswith("-") for word in left):
        return ""
    if options.command == "prove" and all(word.isidentifier() for word in (options.property, *left)):
        asked = shlex.join(["--metrics", options.metric, "--properties", ",".join([options.property, *left])])
        return f"several properties are decided by 'symmetrics table {asked}'; "
    return "a formula with blanks stands in quotes; "


@cache
def _parser() -> Parser:
    for module in iter_modules(__path__):  # each registers its commands
        if module.name != "__main__":
            import_module(f"{__name__}.{module.name}")
    parser = Parser(prog="symmetrics", description="Classification metrics, defined once, proved and evaluated.")
    parser.add_argument("--version", action="version", version=f"symmetrics {__version__}")
    commands = parser.add_subparsers(required=True, dest="command", metavar="COMMAND", parser_class=Parser)
    for name in _ORDER:
        run, text, add = VERBS[name]
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        command.set_defaults(run=run)
        add(command)
    return parser
