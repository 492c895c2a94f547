"""Commands on one thing or all of a kind: ``list``, ``show``, ``datasheet``, ``atlas``, ``code``, ``find`` by words."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from symmetrics.cli.parsing import (
    Parser,
    add_metric,
    add_seconds,
    asked_metric,
    listed_metrics,
    verb,
)
from symmetrics.tools.documents import facts as as_facts
from symmetrics.tools.documents.data import json_text
from symmetrics.tools.documents.text import text_blocks
from symmetrics.tools.errors import InputError, UnknownNameError

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
    from symmetrics.metric.written import CODE_LANGUAGES

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


# -- words -------------------------------------------------------------------------------------------------------------


def searched(options: argparse.Namespace) -> str:
    """Return the properties and the metrics that everyday words tell of."""
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
