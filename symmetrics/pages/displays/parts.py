"""Parts of what notebooks show: a frame, tables, and pictures of lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from symmetrics.tools.escaping import for_html

__all__ = ["fact_table", "framed", "grid", "picture"]

SIZE: Final = 220
"""Of a square picture, in pixels."""
MARGIN: Final = 34
_LEFT: Final = '"text-align: left"'
Line = Sequence[tuple[float, float]]


def framed(parts: Iterable[str]) -> str:
    """Return parts of HTML as one block."""
    return "\n".join(['<div class="symmetrics">', *parts, "</div>"])


def fact_table(facts: Iterable[tuple[str, str]]) -> str:
    """Return labels with texts as a table.

    >>> print(fact_table([("a", "<b>")]).splitlines()[2])
    <tr><th style="text-align: left">a</th><td style="text-align: left; white-space: normal">&lt;b&gt;</td></tr>
    """
    rows = "\n".join(
        f'<tr><th style="text-align: left">{for_html(label)}</th>'
        f'<td style="text-align: left; white-space: normal">{for_html(text)}</td></tr>'
        for label, text in facts
    )
    return f"<table>\n<tbody>\n{rows}\n</tbody>\n</table>"


def grid(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return texts as a table with a head.

    >>> print(grid(["x"], [["1"]]).splitlines()[1])
    <thead><tr><th style="text-align: left">x</th></tr></thead>
    """
    heads = _row("th", head)
    body = "\n".join(_row("td", row) for row in rows)
    return f"<table>\n<thead>{heads}</thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _row(tag: str, texts: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag} style={_LEFT}>{for_html(text)}</{tag}>' for text in texts)}</tr>"


def picture(title: str, curve: Line, band: Line = (), names: tuple[str, str] = ("", "")) -> str:
    """Return a picture of the unit square with a curve, a band about it and the diagonal, in the colour of the text.

    :param title: what is seen, for those who cannot see it
    :param curve: points from left to right
    :param band: the points around a band
    :param names: of the axes
    """
    whole, ends = SIZE + MARGIN, f"{MARGIN},{SIZE} {SIZE + MARGIN},0"
    area = f'<polygon points="{_points(band)}" fill="currentColor" fill-opacity="0.2"/>\n' if band else ""
    ticks = "".join(
        f'<text x="{MARGIN + SIZE * at:g}" y="{SIZE + 14}" text-anchor="middle">{at:g}</text>'
        f'<text x="{MARGIN - 5}" y="{SIZE * (1 - at) + 4 + 4 * (at == 1):g}" text-anchor="end">{at:g}</text>'
        for at in (0, 0.5, 1)
    )
    return (
        f'<svg role="img" width="{whole + 12}" height="{whole}" viewBox="0 0 {whole + 12} {whole}" '
        'style="background: transparent" font-size="11" fill="currentColor">\n'
        f"<title>{for_html(title)}</title>\n"
        f'<rect x="{MARGIN}" y="0" width="{SIZE}" height="{SIZE}" fill="none" stroke="currentColor" '
        'stroke-opacity="0.5"/>\n'
        f'<polyline points="{ends}" fill="none" stroke="currentColor" stroke-opacity="0.5" stroke-dasharray="4 4"/>\n'
        f'{area}<polyline points="{_points(curve)}" fill="none" stroke="currentColor" stroke-width="2"/>\n'
        f"{ticks}\n"
        f'<text x="{MARGIN + SIZE / 2:g}" y="{SIZE + 28}" text-anchor="middle">{for_html(names[0])}</text>\n'
        f'<text x="10" y="{SIZE / 2:g}" text-anchor="middle" transform="rotate(-90 10 {SIZE / 2:g})">'
        f"{for_html(names[1])}</text>\n</svg>"
    )


def _points(line: Line) -> str:
    return " ".join(f"{MARGIN + SIZE * x:.1f},{SIZE * (1 - y):.1f}" for x, y in line)
