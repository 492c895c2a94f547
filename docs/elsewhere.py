"""Write the table of docs/elsewhere.md: which metrics of the library are refused where, and why.

usage: python docs/elsewhere.py
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from symmetrics.library import metrics
from symmetrics.metric.export import CODE_LANGUAGES, SQL_DIALECTS
from symmetrics.tools.errors import UnsupportedError
from symmetrics.tools.files import write_text

PAGE: Final = Path(__file__).resolve().parent / "elsewhere.md"
BLOCK: Final = re.compile(r"(<!-- generated: refused -->\n).*?(<!-- end -->)", re.DOTALL)


def refused() -> dict[str, dict[str, str]]:
    """Return, for each metric that is refused somewhere, the reason by dialect and language."""
    found: dict[str, dict[str, str]] = {}
    for name, metric in metrics.items():
        ways = {dialect: (metric.to_sql, dialect) for dialect in SQL_DIALECTS}
        for way, (write, argument) in (ways | {name: (metric.to_code, name) for name in CODE_LANGUAGES}).items():
            try:
                write(argument)
            except UnsupportedError as error:
                found.setdefault(name, {})[way] = re.sub(r"\d{4,}", "more", str(error), count=1)
    return found


def table(reasons: dict[str, dict[str, str]]) -> str:
    """Return the table in Markdown."""
    everything = {*SQL_DIALECTS, *CODE_LANGUAGES}
    lines = ["| metric | refused in | because |", "|---|---|---|"]
    for name, ways in sorted(reasons.items()):
        where = "all" if set(ways) == everything else ", ".join(ways)
        lines.append(f"| {name} | {where} | {next(iter(ways.values()))} |")
    return "\n".join(lines)


def page(text: str) -> str:
    """Return the page with the table as it is now.

    :raises ValueError: if the page has no place for it
    """
    new, count = BLOCK.subn(lambda found: f"{found[1]}{table(refused())}\n{found[2]}", text)
    if count != 1:
        raise ValueError("the page needs one line <!-- generated: refused -->, and a line <!-- end --> after it")
    return new


if __name__ == "__main__":
    write_text(PAGE, page(PAGE.read_text(encoding="utf-8")))
