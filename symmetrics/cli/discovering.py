"""Commands that ask what a metric can be: ``possible``, ``synthesise`` and ``theorems``."""

from __future__ import annotations

import argparse
import textwrap
from typing import Final

from symmetrics.cli.parsing import Parser, add_format, add_seconds, verb
from symmetrics.tools.budget import SEARCHED
from symmetrics.tools.documents.data import json_text
from symmetrics.tools.errors import InputError
from symmetrics.tools.words import number_of

WIDTH: Final = 120


def _add_possible(parser: Parser) -> None:
    _add_wanted(parser)
    add_seconds(parser, "the search for a metric", SEARCHED)
    add_format(parser, "text", "json")


def _add_wanted(parser: Parser) -> None:
    parser.add_argument(
        "wanted",
        nargs="+",
        metavar="PROPERTY=yes|no",
        help="such as p2=yes increasing_tn=yes transpose=no; a constant does not count as a metric",
    )


@verb("possible", "say whether a metric can have some properties and lack others", _add_possible)
def _possible(options: argparse.Namespace) -> str:
    from symmetrics.discovery.possible import possible

    require, forbid = wanted_of(options.wanted)
    found = possible(require=require, forbid=forbid, seconds=options.seconds)
    if options.format != "json":
        return textwrap.fill(str(found), WIDTH, break_long_words=False, break_on_hyphens=False)
    told = {
        "status": found.status,
        "require": found.require,
        "forbid": found.forbid,
        "metric": None if found.metric is None else str(found.metric.expr),
        "theorems": [theorem.to_dict() for theorem in found.theorems],
        "remark": found.remark,
    }
    return json_text(told)


def wanted_of(texts: list[str]) -> tuple[list[str], list[str]]:
    """Return the properties that are required, and those that are forbidden.

    :raises InputError: if a text is no property with an answer
    """
    chosen: dict[bool, list[str]] = {True: [], False: []}
    for text in texts:
        key, _, answer = (part.strip() for part in text.partition("="))
        if answer.casefold() not in ("yes", "no"):
            from symmetrics.library import properties

            name = key if key in properties else "p1"
            raise InputError(f"{text!r} is not a property with an answer; write it as {name}=yes or {name}=no")
        chosen[answer.casefold() == "yes"].append(key)
    return chosen[True], chosen[False]


def _add_synthesise(parser: Parser) -> None:
    _add_wanted(parser)
    parser.add_argument("--size", type=int, default=4, metavar="LEAVES", help="how many leaves at most (default: 4)")
    parser.add_argument("--most", type=int, default=1, metavar="NUMBER", help="how many formulas at most (default: 1)")
    parser.add_argument(
        "--over", metavar="LEAVES", help='the leaves, such as "TP,FN,tpr" (default: cells, margins, n, 1 and rates)'
    )
    parser.add_argument("--operations", metavar="NAMES", help='such as "+,-,*,/,sqrt,min,max" (default: "+,-,*,/")')
    parser.add_argument("--resume", metavar="FILE", help="keep in FILE what was refused, and go on from there")
    add_seconds(parser, "the search")
    add_format(parser, "text", "json")


@verb("synthesise", "find the simplest formulas that have some properties", _add_synthesise)
def _synthesise(options: argparse.Namespace) -> str:
    from symmetrics.discovery.synthesis import synthesise

    require, forbid = wanted_of(options.wanted)
    asked = {"size": options.size, "most": options.most, "seconds": options.seconds}
    if options.over is not None:
        asked["over"] = [leaf.strip() for leaf in options.over.split(",")]
    if options.operations is not None:
        asked["operations"] = [name.strip() for name in options.operations.split(",")]
    if options.resume is not None:
        asked["resume"] = options.resume
    found = synthesise(require=require, forbid=forbid, **asked)
    if options.format != "json":
        return str(found)
    told = {
        "require": found.require,
        "forbid": found.forbid,
        "size": found.size,
        "looked_at": found.looked_at,
        "metrics": [str(metric.expr) for metric in found.metrics],
        "undecided": [str(expr) for expr in found.undecided],
        "remark": found.remark,
        "theorems": [theorem.to_dict() for theorem in found.theorems],
    }
    return json_text(told)


def _add_theorems(parser: Parser) -> None:
    parser.add_argument(
        "properties", nargs="*", metavar="PROPERTY", help="show only those about all of these properties"
    )
    parser.add_argument(
        "--kernel",
        choices=["coq"],
        help="give them to the kernel of the Rocq prover (package coq), which takes a minute",
    )
    add_format(parser, "text", "json")


@verb("theorems", "list what is proved of all metrics that have some properties", _add_theorems)
def _theorems(options: argparse.Namespace) -> str:
    from symmetrics.discovery.theorems import theorems
    from symmetrics.pages.plain import theorem_text
    from symmetrics.query.proving import as_property

    about = {as_property(key).name for key in options.properties}
    found = [theorem for theorem in theorems() if about <= {*theorem.premises, theorem.conclusion}]
    if options.kernel:
        from symmetrics.discovery.theorems import goals
        from symmetrics.rocq.theorems.implications import judge_theorems

        accepted = judge_theorems(found, goals(), progress=True)
        return f"{number_of(accepted, 'theorem')}: the kernel accepts each, without an axiom"
    if options.format == "json":
        return json_text([theorem.to_dict() for theorem in found])
    return "\n".join(map(theorem_text, found)) or "no theorem is known about all of these; ask 'symmetrics possible'"
