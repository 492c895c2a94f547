"""Names that users typed, made safe for the format in which they are written.

A name may hold what a terminal, a spreadsheet, a browser or a Markdown reader takes for a command.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Final

__all__ = ["for_csv", "for_html", "for_markdown", "visible"]

_STARTS_A_FORMULA: Final = ("=", "+", "-", "@")
CONTROLS: Final = frozenset({"Cc", "Cf", "Cs"})
"""Categories of letters that command and are not seen: controls, formats and surrogates."""
_MARKDOWN: Final = re.compile(r"([\\`|\[\]])")


def visible(text: str) -> str:
    r"""Return a text in which control characters, and those that change the direction of writing, are spelled out.

    >>> visible("red\x1b[31m\nnext"), visible("rarest")
    ('red\\x1b[31m\\nnext', 'rarest')
    """
    return "".join(
        letter.encode("unicode_escape").decode("ascii") if unicodedata.category(letter) in CONTROLS else letter
        for letter in text
    )


def for_csv(text: str) -> str:
    """Return a name for a field of a CSV file: a spreadsheet takes what begins like a formula for text.

    >>> for_csv("=HYPERLINK(0)"), for_csv("f1")
    ("'=HYPERLINK(0)", 'f1')
    """
    shown = visible(text)
    return f"'{shown}" if shown.lstrip().startswith(_STARTS_A_FORMULA) else shown


def for_markdown(text: str) -> str:
    r"""Return a name for a cell of a Markdown table.

    >>> for_markdown("a|b <script>")
    'a\\|b &lt;script>'
    """
    return _MARKDOWN.sub(r"\\\1", visible(text)).replace("<", "&lt;")


def for_html(text: str) -> str:
    """Return a text for HTML, also within an attribute.

    >>> for_html("<b>")
    '&lt;b&gt;'
    """
    return html.escape(visible(text), quote=True)
