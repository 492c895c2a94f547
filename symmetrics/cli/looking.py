"""Commands that look up and decide nothing: ``list``, ``show``, and ``find`` with everyday words."""

from __future__ import annotations

import argparse
import json
from typing import Final

from symmetrics.cli.parsing import Commands, add_command
from symmetrics.tools.errors import InputError, UnknownNameError

__all__ = ["add_commands", "searched"]

_KINDS: Final = ("metrics", "properties", "papers", "claims")


def add_commands(commands: Commands) -> None:
    """Add the commands of this module."""
    listed = add_command(commands, "list", _list, "list metrics, properties, papers or the claims of papers")
    listed.add_argument("kind", choices=_KINDS, help="what to list")
    shown = add_command(commands, "show", _show, "tell what is known of a metric, a property, a paper or a claim")
    shown.add_argument("name", metavar="NAME", help="such as mcc, actual_scaling, tan2006 or tan2006.equation_5_76")


def _list(options: argparse.Namespace) -> str:
    from symmetrics.pages.lookup import columns, rows

    if options.kind in ("metrics", "properties"):
        return columns(rows(options.kind))
    from symmetrics.papers.claims.lookup import claim_rows, paper_rows

    return columns(claim_rows() if options.kind == "claims" else paper_rows())


def _show(options: argparse.Namespace) -> str:
    from symmetrics.library import metrics, properties
    from symmetrics.pages.lookup import columns, fact_lines, page

    if options.name in metrics or options.name in properties:
        return page(options.name)
    from symmetrics.papers.claims.lookup import claim_rows, facts_of_claim, paper_rows, rows_of

    if (paper := rows_of(options.name)) is not None:
        title, claims = paper
        return "\n".join([title, "", columns(claims)])
    if (facts := facts_of_claim(options.name)) is not None:
        return "\n".join(fact_lines(facts))
    known = (*metrics, *properties, *(key for rows in (paper_rows(), claim_rows()) for key, _ in rows))
    raise UnknownNameError("name of a metric, property, paper or claim", options.name, known)


def searched(options: argparse.Namespace) -> str:
    """Return the properties and the metrics that everyday words tell of."""
    from symmetrics.pages.lookup import columns, search

    if options.metrics is not None:
        raise InputError("--metrics chooses among metrics with properties; leave it out to search by words")
    found = search(options.wanted)
    if not found:
        said = " ".join(options.wanted)
        raise InputError(f"nothing is called {said!r}; try fewer words, or see 'symmetrics list properties'")
    return json.dumps(dict(found), indent=1, ensure_ascii=False) if options.format == "json" else columns(found)
