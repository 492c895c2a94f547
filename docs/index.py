"""Write the index of docs/decisions.md, from its headings.

usage: python docs/index.py
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from symmetrics.tools.files import write_text

DECISIONS: Final = Path(__file__).resolve().parent / "decisions.md"
BLOCK: Final = re.compile(r"(<!-- generated: index -->\n).*?(<!-- end -->)", re.DOTALL)
HEADING: Final = re.compile(r"^(##|###) (.+)$", re.MULTILINE)


def anchor(heading: str) -> str:
    """Return the name under which GitHub links to a heading.

    >>> anchor("`check` by names stands in `repository`"), anchor("García's, z*log(z)")
    ('check-by-names-stands-in-repository', 'garcías-zlogz')
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def indexed(text: str) -> str:
    """Return a page with the index of its headings, those of the third level below those of the second.

    :raises ValueError: if the page has no place for an index
    """
    lines = [
        f"{'' if level == '##' else '  '}- [{heading}](#{anchor(heading)})" for level, heading in HEADING.findall(text)
    ]
    new, count = BLOCK.subn(lambda found: "\n".join([found[1].rstrip(), *lines, found[2]]), text)
    if count != 1:
        raise ValueError("the page needs one line <!-- generated: index -->, and a line <!-- end --> after it")
    return new


if __name__ == "__main__":
    write_text(DECISIONS, indexed(DECISIONS.read_text(encoding="utf-8")))
