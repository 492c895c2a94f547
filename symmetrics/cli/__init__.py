"""The command line: ``symmetrics table | prove | identify | find | score | rank | reproduce | build | check``.

Bad input ends with exit status 2 and one line on standard error.  A formula is read by the whitelisting parser and is
never run as code.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Sequence
from typing import Final

from symmetrics import __version__
from symmetrics.cli import computing, deciding, repository
from symmetrics.cli.parsing import Parser
from symmetrics.errors import InputError, SymmetricsError

__all__ = ["main"]

_NEGATIVE_FORMULA: Final = re.compile(r"-(?![-oh]).*\b(?:TP|FN|FP|TN)\b", re.DOTALL)


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
        _drop_output()
        return 0
    except KeyboardInterrupt:
        print("symmetrics: interrupted; no file is half-written", file=sys.stderr)
        return 130
    except (SymmetricsError, OSError) as error:
        message = " ".join(str(error).split())
        print(f"symmetrics: error: {message}", file=sys.stderr)
        try:
            if sys.stdout is not None:
                sys.stdout.flush()
        except OSError:  # what could not be written before cannot be written at the end of the process either
            _drop_output()
        return 2
    return 0


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: Sequence[str]) -> None:
    # argparse takes an argument that starts with a minus sign for an option, unless a blank precedes it.
    spaced = [f" {argument}" if _NEGATIVE_FORMULA.match(argument) else argument for argument in arguments]
    options = _parser().parse_args(spaced)
    text = options.run(options)
    if text:
        print(text)


def _parser() -> Parser:
    parser = Parser(prog="symmetrics", description="Classification metrics, defined once, proved and evaluated.")
    parser.add_argument("--version", action="version", version=f"symmetrics {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    for module in (deciding, computing, repository):
        module.add_commands(commands)
    return parser
