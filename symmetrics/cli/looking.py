"""Look-up commands: ``list``, ``show``, ``datasheet``, ``atlas``, ``code``, and ``find`` by words."""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path
from typing import Final

from symmetrics.cli.parsing import (
    Parser,
    add_format,
    add_metric,
    add_seconds,
    asked_metric,
    listed_metrics,
    verb,
)
from symmetrics.tools.budget import SEARCHED
from symmetrics.tools.documents import facts as as_facts
from symmetrics.tools.documents.data import json_text
from symmetrics.tools.documents.text import text_blocks
from symmetrics.tools.errors import InputError, UnknownNameError
from symmetrics.tools.texts import number_of

_KINDS: Final = ("metrics", "properties", "themes", "papers", "claims", "multiclass", "multiclass-properties")


def _add_list(parser: Parser) -> None:
    parser.add_argument("kind", choices=_KINDS, metavar="|".join(_KINDS), help="what to list")


@verb("list", "list metrics, their themes, properties, papers or claims", _add_list)
def _list(options: argparse.Namespace) -> str:
    from symmetrics.pages.lookup import columns, rows

    if options.kind in ("metrics", "properties", "multiclass", "multiclass-properties"):
        return columns(rows(options.kind))
    if options.kind == "themes":
        from symmetrics.library.selections import THEMES

        return columns((theme, ", ".join(metric.name for metric in found)) for theme, found in THEMES.items() if found)
    from symmetrics.papers.claims.lookup import claim_rows, paper_rows

    return columns(claim_rows() if options.kind == "claims" else paper_rows())


def _add_show(parser: Parser) -> None:
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="+",
        help="such as mcc, f1 score, actual_scaling, tan2006 or tan2006.equation_5_76",
    )


@verb("show", "tell what is known of a metric, a property, a paper or a claim", _add_show)
def _show(options: argparse.Namespace) -> str:
    from symmetrics.library import metrics, properties
    from symmetrics.pages.lookup import WIDTH, columns, page

    name = " ".join(options.name)
    if name in metrics or name in properties:
        return page(name)
    from symmetrics.papers.claims.lookup import claim_rows, facts_of_claim, paper_rows, rows_of
    from symmetrics.query.proving import search

    if (paper := rows_of(name)) is not None:
        title, claims = paper
        return "\n".join([title, "", columns(claims)])
    if (facts := facts_of_claim(name)) is not None:
        return text_blocks([as_facts(facts)], width=WIDTH)
    from symmetrics.matrices import multiclass, multiclass_properties

    if name in multiclass or name in multiclass_properties:
        return page(name)
    of_matrices = (*multiclass, *multiclass_properties)
    known = (*metrics, *properties, *of_matrices, *(key for rows in (paper_rows(), claim_rows()) for key, _ in rows))
    error = UnknownNameError("name of a metric, property, paper or claim", name, known)
    if search([name]):
        raise InputError(f"{error} 'symmetrics find {name}' lists what the word tells of")
    raise error


# -- datasheets --------------------------------------------------------------------------------------------------------


def _add_datasheet(parser: Parser) -> None:
    add_metric(parser, 'a name, or a formula such as "TP/(TP + FN)"', metavar="METRIC|FORMULA")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="write to FILE.html, FILE.md, FILE.tex or FILE.txt"
    )
    parser.add_argument(
        "--pictures", action="store_true", help="in HTML: isometrics, the value against the prior, and its distribution"
    )
    add_seconds(parser, "each question")


@verb("datasheet", "tell all that is known of a metric or a formula", _add_datasheet)
def _datasheet(options: argparse.Namespace) -> str:
    from symmetrics.pages.datasheet import FORMATS, datasheet
    from symmetrics.tools.files import check_writable, write_text

    ending = "txt" if options.output is None else options.output.suffix.removeprefix(".").lower()
    if ending not in FORMATS:
        listed = ", ".join(f".{name}" for name in FORMATS)
        raise InputError(f"{options.output}: a datasheet has no format for that ending; use one of {listed}")
    if options.pictures and ending != "html":
        raise InputError("--pictures are drawn in HTML alone; add -o FILE.html")
    if options.output is not None:
        check_writable(options.output)
    sheet = datasheet(asked_metric(options), seconds=options.seconds)
    text = sheet.to_html(pictures=sheet.pictures()) if options.pictures else FORMATS[ending](sheet)
    if options.output is None:
        return text
    write_text(options.output, text)
    return f"wrote {options.output}"


# -- code --------------------------------------------------------------------------------------------------------------


def _add_code(parser: Parser) -> None:
    add_metric(parser, 'a name, or a formula such as "TP/(TP + FN)"', metavar="METRIC|FORMULA")
    languages = "sql (the default), c, javascript, rust, excel (TP, FN, FP, TN in A2 to D2) or latex"
    parser.add_argument("--language", metavar="LANGUAGE", default="sql", help=languages)
    dialects = "of SQL: duckdb (the default), postgres, sqlite, bigquery, snowflake or spark"
    parser.add_argument("--dialect", metavar="DIALECT", help=dialects)
    parser.add_argument(
        "--columns", metavar="TP,FN,FP,TN", help="the names of the four columns, by default tp,fn,fp,tn; for SQL"
    )


@verb("code", "write a metric or a formula as SQL, a spreadsheet, C or JavaScript", _add_code)
def _code(options: argparse.Namespace) -> str:
    from symmetrics.metric.export import CODE_LANGUAGES

    language = options.language.lower()
    if language not in (known := ("sql", *CODE_LANGUAGES)):
        raise UnknownNameError("language", options.language, known)
    metric = asked_metric(options)
    if language != "sql":
        for name in ("dialect", "columns"):
            if getattr(options, name) is not None:
                raise InputError(f"--{name} is for --language sql; leave it out for {language}")
        return metric.to_code(language).rstrip("\n")
    columns = "tp,fn,fp,tn" if options.columns is None else options.columns
    if columns.count(",") != 3:
        raise InputError(f"--columns {columns}: pass four names, of TP, FN, FP and TN, with commas between them")
    return metric.to_sql(options.dialect or "duckdb", *columns.split(","))


# -- the atlas ---------------------------------------------------------------------------------------------------------


def _add_atlas(parser: Parser) -> None:
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, required=True, help="the folder, new or an atlas")
    parser.add_argument(
        "--metrics",
        metavar="A,B",
        help="metrics by name, themes or formulas, without the papers (default: all, which takes minutes)",
    )
    add_seconds(parser, "each question that no certificate answers")


@verb("atlas", "write a site about all metrics that a browser opens as files", _add_atlas)
def _atlas(options: argparse.Namespace) -> str:
    from symmetrics.repository.browsing import atlas

    return str(atlas(options.output, listed_metrics(options.metrics), seconds=options.seconds))


# -- search by words ---------------------------------------------------------------------------------------------------


def searched(options: argparse.Namespace) -> str:
    """Return the properties and metrics that match everyday words."""
    from symmetrics.library import properties
    from symmetrics.pages.lookup import columns
    from symmetrics.query.proving import nearest_words, search

    if options.metrics is not None:
        raise InputError("--metrics chooses among metrics with properties; leave it out to search by words")
    found = search(options.wanted)
    named = [properties[text].name for text in options.wanted if text in properties]
    answers = " ".join(f"{name}=yes" for name in named) if len(named) == len(options.wanted) else ""
    if not found:
        said = " ".join(options.wanted)
        if answers:
            raise InputError(f"nothing is called {said!r}; write {answers}")
        meant = nearest_words(options.wanted)
        advice = f"did you mean 'symmetrics find {meant}'?" if meant else "try fewer or other words."
        raise InputError(
            f"nothing is called {said!r}; {advice} Metrics are found by conditions such as p1=yes or range=no, of the "
            "properties in 'symmetrics list properties'"
        )
    if options.format == "json":
        return json_text(dict(found))
    return f"{columns(found)}\n\nwhich metrics have it: symmetrics find {answers}" if answers else columns(found)


# -- Commands on the existence of metrics: possible, synthesise and theorems -------------------------------------------


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
    from symmetrics.discovery.synthesis import possible

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
    """Return the required and the forbidden properties.

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
