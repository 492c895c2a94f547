"""References as BibTeX, made from the library's records of the works."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from symmetrics.language.definition import Citation, Reference
from symmetrics.library.references import REFERENCES
from symmetrics.tools.escaping import for_latex

_ARTICLE: Final = re.compile(
    r"(?P<journal>.+?) (?P<volume>\d+)(?: ?\((?P<number>[^()]+)\))?: (?P<pages>[A-Za-z]?\d[\w, -]*)"
)
_IN_A_VOLUME: Final = re.compile(r"(?P<booktitle>.+?)(?:: (?P<pages>[\dA-Za-z][\w-]*))?")
_MEETINGS: Final = ("conference", "symposium", "proceedings", "workshop", "advances in", "pakdd", "meeting", "congress")


def bibtex_of(cites: Iterable[Citation]) -> str:
    """Return the entries of the works that are cited, each once, in the order in which they are.

    A work that the library has no record of is left out: there is nothing to be said of it.
    """
    keys = dict.fromkeys(cite.reference for cite in cites)
    return "\n\n".join(bibtex(REFERENCES[key]) for key in keys if key in REFERENCES)


def bibtex(reference: Reference) -> str:
    """Return a work as an entry of BibTeX: an article, a paper of a meeting, or something else that was published.

    >>> print(bibtex(REFERENCES["youden1950"]))
    @article{youden1950,
      author = {Youden, W. J.},
      title = {{Index for rating diagnostic tests}},
      journal = {Cancer},
      volume = {3},
      number = {1},
      pages = {32--35},
      year = {1950}
    }
    """
    kind, fields = _placed(reference)
    entry = {
        "author": " and ".join(map(for_latex, reference.authors)),
        "title": f"{{{for_latex(reference.title)}}}",
        **{name: for_latex(text) for name, text in fields.items()},
        "year": str(reference.year),
    }
    if "pages" in entry:
        entry["pages"] = re.sub(r"(?<=\d)-(?=\w)", "--", fields["pages"])
    lines = ",\n".join(f"  {name} = {{{text}}}" for name, text in entry.items())
    return f"@{kind}{{{reference.name},\n{lines}\n}}"


def _placed(reference: Reference) -> tuple[str, dict[str, str]]:
    """Return the kind of an entry, and what the place of publication says."""
    venue = reference.venue
    is_meeting = any(word in venue.casefold() for word in _MEETINGS)
    found = None if is_meeting else _ARTICLE.fullmatch(venue)
    if found is not None and found["volume"] != str(reference.year):
        return "article", {name: text for name, text in found.groupdict().items() if text}
    if is_meeting and (found := _IN_A_VOLUME.fullmatch(venue)) is not None:
        return "inproceedings", {name: text for name, text in found.groupdict().items() if text}
    return "misc", {"howpublished": venue}
