"""Escape names typed by users for each output format.

A name may hold what a terminal, a spreadsheet, a browser or a Markdown reader takes for a command.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Final

_STARTS_A_FORMULA: Final = ("=", "+", "-", "@")
_NUMBER_OR_SIGN: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]", re.ASCII)
"""Texts that start like a spreadsheet formula."""
CONTROLS: Final = frozenset({"Cc", "Cf", "Cs"})
"""Unicode categories of invisible characters with effects: controls, formats and surrogates."""
_HARMLESS: Final = re.compile(r"[A-Za-z0-9. ]*")
_MARKDOWN: Final = re.compile(r"([\\`|\[\]])")


def visible(text: str) -> str:
    r"""Spell out control characters, and those that change the direction of writing.

    >>> visible("red\x1b[31m\nnext"), visible("rarest")
    ('red\\x1b[31m\\nnext', 'rarest')
    """
    if text.isprintable():  # no such character is printable
        return text
    return "".join(
        letter.encode("unicode_escape").decode("ascii") if unicodedata.category(letter) in CONTROLS else letter
        for letter in text
    )


def for_csv(text: str) -> str:
    """Escape a name for CSV, so that spreadsheets do not execute it as a formula.

    A number is none, and neither is a sign alone.

    >>> for_csv("=HYPERLINK(0)"), for_csv("f1"), for_csv("-1+1"), for_csv("-1.5e3")
    ("'=HYPERLINK(0)", 'f1', "'-1+1", '-1.5e3')
    """
    shown = visible(text)
    if shown[:1].isalnum():  # fast path: most names
        return shown
    begins = shown.lstrip().startswith(_STARTS_A_FORMULA) and _NUMBER_OR_SIGN.fullmatch(shown.strip()) is None
    return f"'{shown}" if begins else shown


def for_markdown(text: str) -> str:
    r"""Escape a name for a cell of a Markdown table.

    One star is shown as it is, and two would set what is between them in italics.

    >>> for_markdown("a|b <script>"), for_markdown("TP/(2*TP)"), for_markdown("TP/(2*TP + 3*FN)")
    ('a\\|b &lt;script>', 'TP/(2*TP)', 'TP/(2\\*TP + 3\\*FN)')
    """
    if _HARMLESS.fullmatch(text):  # fast path: most cells are numbers or names
        return text
    escaped = _MARKDOWN.sub(r"\\\1", visible(text)).replace("<", "&lt;")
    return escaped.replace("*", r"\*") if escaped.count("*") > 1 else escaped


def for_html(text: str) -> str:
    """Escape a text for HTML, attributes included.

    >>> for_html("<b>")
    '&lt;b&gt;'
    """
    return html.escape(visible(text), quote=True)


_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    **{
        "ß": r"{\ss}",
        "ø": r"{\o}",
        "Ø": r"{\O}",
        "æ": r"{\ae}",
        "Æ": r"{\AE}",
        "œ": r"{\oe}",
        "ł": r"{\l}",
        "Ł": r"{\L}",
    },
    **{"–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''", "…": r"\dots{}", "×": r"$\times$"},
}
_ACCENTS: Final = dict(
    zip("\u0301\u0300\u0302\u0308\u0303\u0304\u0307\u030c\u0306\u030b\u0327\u030a", "'`^\"~=.vuHcr", strict=True)
)
"""The command of LaTeX for each combining accent."""


def for_latex(text: str) -> str:
    r"""Escape a text for LaTeX, for any engine with any fonts.

    Letters that its plain fonts lack are spelled by their numbers.

    >>> for_latex("50 % of_$x$ \\input{a}"), for_latex("Cramér φ 中")
    ('50 \\% of\\_\\$x\\$ \\textbackslash{}input\\{a\\}', "Cram{\\'e}r $\\phi$ \\texttt{U+4E2D}")
    """
    return "".join(map(_letter_for_latex, unicodedata.normalize("NFC", visible(text))))


def _letter_for_latex(letter: str) -> str:
    if letter in _LATEX:
        return _LATEX[letter]
    if letter.isascii():
        return letter
    parts = unicodedata.normalize("NFD", letter)
    base, mark = parts[0], parts[1:]
    if base.isascii() and base.isalpha() and mark in _ACCENTS:
        dotless = {"i": r"\i", "j": r"\j"}.get(base, base)
        command = _ACCENTS[mark]
        return f"{{\\{command}{{{dotless}}}}}" if command.isalpha() or dotless != base else f"{{\\{command}{base}}}"
    kind, _, name = unicodedata.name(letter, "").lower().replace("lamda", "lambda").partition(" letter ")
    if kind == "greek small" and f" {name} " in _GREEK:
        return f"$\\{name}$"
    return f"\\texttt{{U+{ord(letter):04X}}}"


_GREEK: Final = (
    " alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma "
    "tau upsilon phi chi psi omega "
)
"""Greek letters with a LaTeX command of the same name; Unicode spells lambda "lamda"."""


# -- Numbers in words --------------------------------------------------------------------------------------------------


def number_of(number: float, noun: str, form: str = "") -> str:
    """Return a count in words, with the noun in the singular for one.

    :param number: how many
    :param noun: what one of them is called
    :param form: how the number is written, as in a format string

    >>> number_of(1, "verdict"), number_of(2, "class"), number_of(0, "property"), number_of(1940, "example", ",")
    ('1 verdict', '2 classes', '0 properties', '1,940 examples')
    """
    return f"{number:{form}} {noun if number == 1 else _plural(noun)}"


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun[:-2]}ices" if noun.endswith("matrix") else f"{noun}{'es' if noun.endswith('s') else 's'}"


def p_value_in_words(p_value: float, is_bound: bool = False) -> str:
    """Format a p-value to three digits; if it is only a bound, say so.

    >>> p_value_in_words(0.03125), p_value_in_words(1e-4, is_bound=True), p_value_in_words(0.99999), p_value_in_words(1)
    ('0.0312', '<= 0.0001', '> 0.999', '1')
    """
    return f"<= {p_value:.3g}" if is_bound else probability_in_words(p_value) if p_value > 0.9 else f"{p_value:.3g}"


def probability_in_words(probability: float) -> str:
    """Format a probability to three digits, never rounded to 0 or 1.

    >>> probability_in_words(0.25), probability_in_words(0.99999), probability_in_words(2e-7), probability_in_words(1.0)
    ('0.25', '> 0.999', '< 0.001', '1')
    """
    if 0 < probability < 0.001:
        return "< 0.001"
    return "> 0.999" if 0.999 < probability < 1 else f"{probability:.3g}"
