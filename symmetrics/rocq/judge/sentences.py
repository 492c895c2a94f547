"""The sentences of a theory, as the Rocq prover reads them: without comments, each up to a point before a space."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from symmetrics.tools.errors import CertificateError

__all__ = ["Sentence", "lemma_names", "refused", "sentences", "without_comments"]

SHOWN: Final = 100
"""So many characters of a sentence are shown where it is refused."""
_PART: Final = re.compile(r"\(\*|\*\)|\"|[^(*\"]+|.", re.DOTALL)
_TOKEN: Final = re.compile(
    r"""(?P<space>[ \n]+)
    |(?P<end>\.(?=[ \n]|\Z))
    |(?P<word>[A-Za-z_][A-Za-z_0-9]*)
    |(?P<number>[0-9]+(?![A-Za-z_0-9]))
    |(?P<sign><->|->|<-|=>|:=|==|<=|>=|/\\|\\/|[][(){},;:|=<>~+*/^&?%-])""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Sentence:
    """A sentence of a theory.

    :param line: the number of the line that it begins in
    :param start: where it begins
    :param end: where it ends, behind its point
    :param words: its words, numbers and signs, without the point
    """

    line: int
    start: int
    end: int
    words: tuple[str, ...]


def refused(file: str, line: int, text: str, why: str) -> CertificateError:
    """Return the error that a sentence of a theory is not allowed."""
    plain = " ".join(text.split())
    shown = plain if len(plain) <= SHOWN else f"{plain[:SHOWN]} ..."
    return CertificateError(
        f"{file}, line {line}: {shown!a} is not allowed: {why}; a theory holds nothing but the sentences that "
        "'symmetrics build' writes, which restores the file"
    )


def without_comments(text: str, file: str) -> str:
    r"""Return a theory with spaces in the place of comments, so that everything else stands where it stood.

    Comments may stand in comments.  A double quote begins a string, in a comment too, so that it could hide where the
    comment ends; none is written, and none is allowed.

    :raises CertificateError: if a comment does not end, ends without a beginning, or if there is a double quote

    >>> without_comments("a (* b (* c *)\n*) d", "f.v")
    'a             \n   d'
    """
    parts, depth, place, opened = list[str](), 0, 0, 0
    for found in _PART.finditer(text):
        part = found.group()
        if part == '"':
            raise refused(file, _line(text, place), _rest(text, place), "it holds a double quote")
        if part == "(*":
            opened = place if depth == 0 else opened
            depth += 1
        inside = depth > 0
        if part == "*)":
            if not inside:
                raise refused(file, _line(text, place), _rest(text, place), "no comment begins before this end of one")
            depth -= 1
        parts.append(re.sub(r"[^\n]", " ", part) if inside else part)
        place = found.end()
    if depth:
        raise refused(file, _line(text, opened), _rest(text, opened), "this comment does not end")
    return "".join(parts)


def sentences(plain: str, file: str) -> Iterator[Sentence]:
    """Yield the sentences of a theory without comments.

    :raises CertificateError: at a character that no theory holds, or if the last sentence does not end

    >>> [sentence.words for sentence in sentences("Open Scope Q_scope. - lra.", "f.v")]
    [('Open', 'Scope', 'Q_scope'), ('-', 'lra')]
    """
    words, place, start, line, first = list[str](), 0, 0, 1, 1
    while place < len(plain):
        found = _TOKEN.match(plain, place)
        if found is None:
            begin = start if words else place
            why = f"no sentence has {plain[place]!a} here"
            raise refused(file, line, plain[begin : place + SHOWN], why)
        kind, part = found.lastgroup, found.group()
        if kind == "space":
            line += part.count("\n")
        else:
            start, first = (start, first) if words else (place, line)
            if kind == "end":
                yield Sentence(first, start, found.end(), tuple(words))
                words = []
            else:
                words.append(part)
        place = found.end()
    if words:
        raise refused(file, first, plain[start:], "the sentence does not end")


def lemma_names(text: str) -> set[str]:
    """Return the names of the lemmas of a theory, without those in comments.

    >>> lemma_names("(* Lemma a : True. *) Lemma b : True. Proof. auto. Qed.")
    {'b'}
    """
    found = sentences(without_comments(text, "theory"), "theory")
    return {sentence.words[1] for sentence in found if sentence.words[:1] == ("Lemma",)}


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _rest(text: str, place: int) -> str:
    """Return the rest of the line."""
    return text[text.rfind("\n", 0, place) + 1 :].split("\n", 1)[0]
