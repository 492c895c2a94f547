"""The gate before the kernel: checks, sentence by sentence, that a theory contains only what the generator writes.

The language of the Rocq prover can do anything: assume, redefine, load programs, write files.  So nothing is forbidden
here by name; a sentence is let through if it has one of the forms below, and each of its words is one of theirs.

* ``From Symmetrics Require Import ...`` and ``Open Scope ...``, once each, at the beginning;
* ``Definition name (names : numbers) : type := term.``
* ``Lemma name : statement.``, followed by ``Proof.``, steps that begin with a known tactic, and ``Qed.``

Every name is given once, and none to which a statement gives a meaning.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from symmetrics.rocq.engine.terms import RATIONALS, REALS, Numbers
from symmetrics.rocq.judge.compiling import EFFECTS, LIBRARY, LOCAL, SCOPES, STATEMENT, first_words, proof_words
from symmetrics.rocq.theories.theory import PRELUDES
from symmetrics.tools.errors import CertificateError

# ----------------------------------------------------------------------------------------------------------------------
# The sentences of a theory, as the Rocq prover reads them: without comments, each up to a point before a space.


SHOWN: Final = 100
"""Largest number of characters shown of a refused sentence."""
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
    """Return the error for a forbidden sentence in a theory."""
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


# ----------------------------------------------------------------------------------------------------------------------


LONGEST: Final = 2_000_000
"""Largest length of a theory; ten times that of the library's longest."""
BULLETS: Final = frozenset("-+*{}")
SIGNS: Final = frozenset(
    [
        "(",
        ")",
        "[",
        "]",
        ",",
        ";",
        ":",
        ":=",
        "=",
        "==",
        "<",
        "<=",
        "->",
        "<->",
        "=>",
        "~",
        "+",
        "-",
        "*",
        "/",
        "^",
        "/\\",
        "\\/",
        "%",
    ]
)
"""Symbols allowed in statements."""
NOT_NAMES: Final = STATEMENT | EFFECTS | {"_"}
_WORD: Final = re.compile(r"[A-Za-z_]")


@dataclass(frozen=True)
class Stated:
    """A definition or a lemma.

    :param line: the number of the line that it begins in
    :param start: where it begins
    :param end: where it ends, for a lemma with its proof
    :param text: its text without comments, for a lemma without its proof
    :param is_lemma: whether it is a lemma
    """

    line: int
    start: int
    end: int
    text: str
    is_lemma: bool

    @property
    def statement(self) -> str:
        """The statement of a lemma."""
        return self.text.partition(":")[2].strip().removesuffix(".")


@dataclass
class Script:
    """A theory that passed the gate.

    :param file: its name
    :param text: its text, with spaces in the place of comments
    :param header: its first two sentences: what it requires, and how numbers are read
    :param stated: its definitions and lemmas by their names, in their order
    """

    file: str
    text: str
    header: tuple[str, ...] = ()
    stated: dict[str, Stated] = field(default_factory=dict)

    @property
    def lemmas(self) -> list[str]:
        """The names of its lemmas."""
        return [name for name, stated in self.stated.items() if stated.is_lemma]

    @property
    def body(self) -> str:
        """Its text without the first sentence, line numbers unchanged."""
        start = re.match(r"[^.]*\.", self.text)
        return self.text if start is None else re.sub(r"[^\n]", " ", start.group()) + self.text[start.end() :]

    def without(self, name: str) -> Script:
        """Return it without a lemma and its proof, line numbers unchanged."""
        gone, stated = self.stated[name], {other: one for other, one in self.stated.items() if other != name}
        blank = re.sub(r"[^\n]", " ", self.text[gone.start : gone.end])
        return replace(self, text=self.text[: gone.start] + blank + self.text[gone.end :], stated=stated)

    def at(self, line: int) -> str | None:
        """Return the name of the definition or lemma at a line, its proof included."""
        found = [name for name, stated in self.stated.items() if stated.line <= line]
        return found[-1] if found else None


def header(prelude: str, numbers: Numbers) -> tuple[str, str]:
    """Return the first two sentences of a theory over a number type."""
    return f"From {LIBRARY} Require Import {prelude}.", f"Open Scope {numbers.scope}."


HEADERS: Final = tuple(
    header(prelude, numbers) for numbers in (RATIONALS, REALS) for prelude in (numbers.prelude, PRELUDES[numbers])
)


def read_script(text: str, file: str, *, with_proofs: bool = True) -> Script:
    """Check a theory; raise unless it contains only what the generator writes.

    :param file: its name in error messages
    :param with_proofs: whether it has proofs; else only its statements are read
    :raises CertificateError: at the first sentence that is not allowed, with its line

    >>> read_script("Axiom false : False.", "f1.v")
    Traceback (most recent call last):
    symmetrics.tools.errors.CertificateError: f1.v, line 1: 'Axiom false : False.' is not allowed: ...
    """
    if len(text) > LONGEST:
        raise CertificateError(f"{file} has {len(text)} characters, and a theory at most {LONGEST}; give it in parts")
    lines = text.replace("\r\n", "\n")
    return _Reader(file, without_comments(lines, file), with_proofs).script()


class _Reader:
    """State of reading a theory."""

    def __init__(self, file: str, plain: str, with_proofs: bool) -> None:
        self.read = Script(file, plain)
        self.with_proofs = with_proofs
        self.left: Iterator[Sentence] = sentences(plain, file)
        self.said = set(STATEMENT | SIGNS)
        """Words allowed in statements: vocabulary, and names of earlier definitions."""
        self.used = set(proof_words())
        """Words allowed in proofs: vocabulary, names of earlier statements, and variables."""

    def script(self) -> Script:
        """Return the theory after reading it to the end."""
        self.begun()
        for sentence in self.left:
            match sentence.words[:2]:
                case ("Definition", name):
                    self.defined(sentence, name)
                case ("Lemma", name):
                    self.proved(sentence, name)
                case _:
                    raise self.refused(sentence, "it is neither a definition nor a lemma")
        return self.read

    def text_of(self, sentence: Sentence) -> str:
        """Return the text of a sentence."""
        return self.read.text[sentence.start : sentence.end]

    def refused(self, sentence: Sentence, why: str) -> CertificateError:
        """Return the error for a forbidden sentence."""
        return refused(self.read.file, sentence.line, self.text_of(sentence), why)

    def begun(self) -> None:
        """Read the first two sentences."""
        first = list(itertools.islice(self.left, 2))
        self.read.header = tuple(" ".join(sentence.words) + "." for sentence in first)
        if self.read.header in HEADERS:
            return
        if not first:
            raise CertificateError(f"{self.read.file} holds no sentence; restore it with 'symmetrics build'")
        is_other = [text not in {pair[place] for pair in HEADERS} for place, text in enumerate(self.read.header)]
        culprit = first[is_other.index(True)] if any(is_other) else first[-1]
        known = "', '".join(" ".join(pair) for pair in HEADERS)
        raise self.refused(culprit, f"a theory begins with one of '{known}'")

    def defined(self, sentence: Sentence, name: str) -> None:
        """Read a definition."""
        words, place = sentence.words, 2
        while words[place : place + 1] == ("(",) and ")" in words[place:]:
            place = words.index(")", place) + 1
        if words[place : place + 1] != (":",) or words.count(":=") != 1:
            why = "a definition has the form 'Definition name (names : numbers) : type := term.'"
            raise self.refused(sentence, why)
        self.state(sentence, name, words[:place])

    def proved(self, sentence: Sentence, name: str) -> None:
        """Read a lemma and its proof."""
        if sentence.words[2:3] != (":",) or ":=" in sentence.words:
            raise self.refused(sentence, "a lemma has the form 'Lemma name : statement.'")
        start = next(self.left, None)
        if start is None or start.words != ("Proof",):
            raise self.refused(start or sentence, f"the sentence behind the statement of {name} has to be 'Proof.'")
        self.state(sentence, name)
        for step in self.left:
            words = tuple(itertools.dropwhile(BULLETS.__contains__, step.words))
            if words == ("Qed",):
                self.read.stated[name] = replace(self.read.stated[name], end=step.end)
                return
            if self.with_proofs:
                self.step(step, words)
        raise self.refused(sentence, "its proof does not end with 'Qed.'")

    def state(self, sentence: Sentence, name: str, head: Sequence[str] = ()) -> None:
        """Record a definition or a lemma's statement, if its words are allowed.

        :param head: the words of a definition up to its type
        """
        stated, words = self.read.stated, sentence.words
        if not _WORD.match(name) or name in NOT_NAMES:
            raise self.refused(sentence, f"{name!r} is not the name of a formula, a proposition or a lemma")
        if name in stated:
            raise self.refused(sentence, f"{name} stands in line {stated[name].line} already")
        bound = {*_bound(head, ("(",)), *_bound(words, ("forall", "exists", "fun"))}
        for word in sorted(bound):
            if word in STATEMENT | EFFECTS or word in stated or word == name:
                raise self.refused(sentence, f"{word!r} has a meaning of its own, and is no name for a variable")
        for before, word in itertools.pairwise(words[1:]):
            known = word in SCOPES if before == "%" else word in self.said or word in bound or word.isdecimal()
            if not known:
                raise self.refused(sentence, f"statements do not say {word!r}, and nothing above has the name")
        is_lemma = words[0] == "Lemma"
        stated[name] = Stated(sentence.line, sentence.start, sentence.end, self.text_of(sentence), is_lemma)
        self.said.add(name)
        self.used |= {name, *bound}

    def step(self, step: Sentence, words: Sequence[str]) -> None:
        """Read a step of a proof."""
        opening = next((word for word in words if word != "("), "")
        if opening not in first_words():
            raise self.refused(step, f"no step of a proof begins with {opening!r}")
        for word in words:
            if word not in self.used and _WORD.match(word) and not LOCAL.fullmatch(word):
                raise self.refused(step, f"proofs do not say {word!r}, and nothing above has the name")


def _bound(words: Sequence[str], binders: Collection[str]) -> Iterator[str]:
    """Yield the names bound by a binder."""
    is_bound = False
    for word in words:
        if is_bound and _WORD.match(word):
            yield word
        else:
            is_bound = word in binders
