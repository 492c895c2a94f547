"""A datasheet as HTML: one page that needs nothing else, in light and in dark, on a desk and on a telephone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from sympy import Expr
from sympy.printing.mathml import mathml

from symmetrics.metric import Metric
from symmetrics.pages.datasheet.blocks import (
    Block,
    Code,
    Entries,
    Entry,
    Facts,
    Formula,
    Grid,
    Listing,
    Paragraph,
    Section,
    Text,
)
from symmetrics.tools.errors import InputError
from symmetrics.tools.escaping import for_html

__all__ = ["STYLE", "html_article", "html_fragment", "html_page"]

STYLE: Final = """
.datasheet { color-scheme: light dark; --ink: #1b1b1b; --paper: #ffffff; --faint: #666666; --line: #d5d5d5;
  --shade: #f4f4f4; --yes: #00664b; --no: #a33d00; --open: #5b4a9e;
  color: var(--ink); background: var(--paper); max-width: 58rem; margin: 0 auto; padding: 1rem;
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { .datasheet { --ink: #e8e8e8; --paper: #161616; --faint: #a5a5a5;
  --line: #3d3d3d; --shade: #232323; --yes: #5ccfa8; --no: #f0a070; --open: #b9a8f5; } }
.datasheet h1 { font-size: 1.6rem; margin: 0 0 .5rem; } .datasheet h2 { font-size: 1.15rem; margin: 1.8rem 0 .4rem;
  border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
.datasheet ul { padding-left: 0; list-style: none; margin: .4rem 0; } .datasheet li { margin: .45rem 0; }
.datasheet code, .datasheet pre { background: var(--shade); border-radius: .25rem;
  font: .9em/1.45 ui-monospace, monospace; }
.datasheet code { padding: .05em .3em; }
.datasheet pre { padding: .7rem; overflow-x: auto; overflow-wrap: normal; }
.datasheet .wide { overflow-x: auto; } .datasheet .display { font-size: 1.2rem; padding: .4rem 0; }
.datasheet table { border-collapse: collapse; overflow-wrap: normal; background: none; }
.datasheet th, .datasheet td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; white-space: normal;
  border-bottom: 1px solid var(--line); min-width: 3.5rem; } .datasheet tbody tr { background: none; }
.datasheet th { color: var(--faint); font-weight: 600; } .datasheet math { font-size: 1.1em; }
.datasheet .mark { margin-right: .2rem; } .datasheet summary { cursor: pointer; }
.datasheet .yes { color: var(--yes); } .datasheet .no { color: var(--no); } .datasheet .open { color: var(--open); }
.datasheet details dl { margin: .3rem 0 .6rem 1.2rem; font-size: .92rem; }
.datasheet dd { margin: 0 0 .35rem 0; color: var(--ink); }
.datasheet dl.facts { display: grid; grid-template-columns: minmax(7rem, 14rem) 1fr; gap: .2rem 1rem; margin: .5rem 0; }
.datasheet dl.facts dd { margin: 0; min-width: 0; }
.datasheet dl.facts dd[tabindex] { overflow-x: auto; overflow-y: hidden; }
.datasheet dt { color: var(--faint); }
.datasheet svg { max-width: 100%; height: auto; } .datasheet .row { display: flex; flex-wrap: wrap; gap: 1rem; }
.datasheet .row svg { border-radius: .4rem; }
@media (max-width: 36rem) { .datasheet dl.facts { grid-template-columns: 1fr; gap: 0; }
  .datasheet dl.facts dd { margin-bottom: .5rem; } }
"""
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""A browser that obeys loads nothing and runs nothing, whatever the page says."""


def html_page(metric: Metric, sections: Iterable[Section], pictures: Iterable[str] = ()) -> str:
    """Return a whole page.

    :param pictures: drawings as SVG
    :raises InputError: on a picture that is no SVG
    """
    title = for_html(_title(metric))
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{title}</title>",
            "<style>body { margin: 0; } @media (prefers-color-scheme: dark) { body { background: #161616; } }</style>",
            "</head>",
            "<body>",
            html_fragment(metric, sections, pictures),
            "</body>",
            "</html>",
            "",
        ]
    )


def html_fragment(metric: Metric, sections: Iterable[Section], pictures: Iterable[str] = ()) -> str:
    """Return what stands within a page, with its own style."""
    return f"<style>{STYLE}</style>\n{html_article(metric, sections, pictures)}"


def html_article(metric: Metric, sections: Iterable[Section], pictures: Iterable[str] = ()) -> str:
    """Return what stands within a page that has the style :data:`STYLE` already."""
    parts = ['<article class="datasheet">', f"<h1>{for_html(_title(metric))}</h1>"]
    drawn = [_picture(picture) for picture in pictures]
    for section in sections:
        parts.append(f'<section id="{for_html(section.key)}">')
        parts.append(f"<h2>{for_html(section.title)}</h2>")
        parts += map(_block, section.blocks)
        parts.append("</section>")
        if section.key == "warnings" and drawn:
            parts += [
                '<section id="pictures">',
                "<h2>What it looks like</h2>",
                '<div class="row">',
                *drawn,
                "</div></section>",
            ]
    return "\n".join([*parts, "</article>"])


def _title(metric: Metric) -> str:
    return metric.title or metric.name


def _picture(svg: str) -> str:
    found = re.search(r"<svg\b.*</svg>", svg, re.DOTALL)
    if found is None:
        raise InputError("a picture of a datasheet is a drawing as SVG; save it with format='svg'")
    return f"<div>{found[0]}</div>"


def _block(block: Block) -> str:
    match block:
        case Paragraph(text, is_display):
            return (
                f'<div class="wide display" tabindex="0">{_text(text)}</div>' if is_display else f"<p>{_text(text)}</p>"
            )
        case Facts(rows):
            listed = "\n".join(f"<dt>{for_html(label)}</dt>{_fact(text)}" for label, text in rows)
            return f'<dl class="facts">\n{listed}\n</dl>'
        case Entries(entries):
            return "\n".join(["<ul>", *map(_entry, entries), "</ul>"])
        case Grid(head, rows):
            top = "".join(f"<th>{for_html(label)}</th>" for label in head)
            body = "\n".join(f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>" for row in rows)
            table = f"<table>\n<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
            return f'<div class="wide" tabindex="0">{table}</div>'
        case Listing(language, text):
            lines = "\n".join(map(for_html, text.split("\n")))
            return f'<pre tabindex="0"><code class="language-{for_html(language)}">{lines}</code></pre>'


def _fact(text: Text) -> str:
    """Return a fact; one with a formula, which may be wide, can be moved by keys."""
    scrolls = any(isinstance(span, Formula) for span in text)
    return f'<dd tabindex="0">{_text(text)}</dd>' if scrolls else f"<dd>{_text(text)}</dd>"


def _entry(entry: Entry) -> str:
    told = _text(entry.text)
    if entry.mark:
        kind = entry.mark.split()[0]
        told = f'<b class="mark {for_html(kind)}">{for_html(entry.mark)}</b> {told}'
    linked = f' id="{for_html(entry.key)}"' if entry.key else ""
    if not entry.detail:
        return f"<li{linked}>{told}</li>"
    detail = "".join(f"<dt>{for_html(label)}</dt><dd>{_text(text)}</dd>" for label, text in entry.detail)
    return f"<li{linked}><details><summary>{told}</summary><dl>{detail}</dl></details></li>"


def _text(text: Text) -> str:
    return "".join(map(_span, text))


def _span(span: str | Formula | Code) -> str:
    match span:
        case Formula(expr, equals):
            return _formula(expr, equals)
        case Code(letters):
            return f"<code>{for_html(letters)}</code>"
        case _:
            return for_html(span)


def _formula(expr: Expr, equals: str) -> str:
    written = mathml(expr, printer="presentation", mul_symbol="dot").replace("<mo>-</mo>", "<mo>&#x2212;</mo>")
    before = f"<mi>{for_html(equals)}</mi><mo>=</mo>" if equals else ""
    return f'<math display="inline"><mstyle displaystyle="true">{before}{written}</mstyle></math>'
