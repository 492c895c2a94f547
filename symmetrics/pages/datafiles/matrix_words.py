"""Words by which tables say which of their sides is the truth and which the prediction."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

__all__ = ["Side", "asked_for_frequencies", "side_of", "sides_of_names", "sides_told", "without_side"]

_TRUTH: Final = re.compile(r"actuals?|ground ?truth|gold|observed|real|references?|targets?|true|truth|y ?true|y test")
_PREDICTION: Final = re.compile(r"classified as|guess(?:es)?|preds?|predicted|predictions?|y ?hat|y ?pred(?:icted)?")
_FREQUENCY: Final = re.compile(r"freq|frequency|frequencies|counts?|n|number|examples", re.IGNORECASE)
"""What a column of numbers of examples is called."""
_NOUNS: Final = re.compile(r" (?:class|classes|condition|label|labels|value|values)$")
_TURNED: Final = ("prediction", "truth")
_ARROWS: Final = re.compile("[←↑→↓⇒⇓↔↕]|->|<-")
_BETWEEN: Final = re.compile(r"\s*(?:[\\/|,]|\bvs?\.?\b|\bby\b)\s*", re.IGNORECASE)
_PREFIX: Final = re.compile(r"([A-Za-z]+(?:[ _]?(?:true|pred|hat|class|label))?)[\s:_.=-]+(\S.*)")


class Side(NamedTuple):
    """What one side of a table is.

    :param what: ``"truth"`` or ``"prediction"``
    :param word: the word of the file that says it
    """

    what: Literal["truth", "prediction"]
    word: str


def side_of(text: str) -> Side | None:
    """Return what a word means, None if it says neither.

    >>> side_of("y_true"), side_of("df$Predicted"), side_of("y")
    (Side(what='truth', word='y_true'), Side(what='prediction', word='df$Predicted'), None)
    """
    word = re.sub(r"[\s_.:-]+", " ", text.rpartition("$")[2]).strip().casefold()
    word = _NOUNS.sub("", word)
    what: Literal["truth", "prediction"]
    if _TRUTH.fullmatch(word):
        what = "truth"
    elif _PREDICTION.fullmatch(word):
        what = "prediction"
    else:
        return None
    return Side(what, text.strip())


def sides_told(corner: str, above: str = "") -> dict[str, Side]:
    r"""Return what the words in the corner of a table, and above its columns, say of its rows and its columns.

    Two words in the corner are those of the rows and of the columns; beside arrows they say nothing.

    >>> {axis: side.what for axis, side in sides_told("true \\ predicted").items()}
    {'rows': 'truth', 'columns': 'prediction'}
    >>> {axis: side.what for axis, side in sides_told("Prediction", "Reference").items()}
    {'rows': 'prediction', 'columns': 'truth'}
    """
    if _ARROWS.search(corner) or _ARROWS.search(above):
        return {}
    parts = [corner, above]
    if not above and side_of(corner) is None:
        halves = _BETWEEN.split(corner)
        if len(halves) == 1:
            halves = corner.split()
        parts = halves if len(halves) == 2 else [corner, ""]
    found = {axis: side_of(part) for axis, part in zip(("rows", "columns"), parts, strict=True)}
    return {axis: side for axis, side in found.items() if side is not None}


def sides_of_names(names: Iterable[str]) -> Side | None:
    """Return what all names of rows, or of columns, say that these are, as in ``Predicted cat``.

    >>> sides_of_names(["Predicted cat", "Predicted dog"])
    Side(what='prediction', word='Predicted')
    """
    every = list(names)
    found = [side_of(match[1]) if (match := _PREFIX.fullmatch(name)) else None for name in every]
    return found[0] if len(set(found)) == 1 and len(set(map(without_side, every))) == len(every) else None


def without_side(name: str) -> str:
    """Return the name of a class without the word before it.

    >>> without_side("Predicted: cat")
    'cat'
    """
    match = _PREFIX.fullmatch(name)
    return name if match is None else match[2]


def asked_for_frequencies(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str | None:
    """Return the options for a table with a row for each pair of labels and its number of examples; None for others.

    >>> asked_for_frequencies(["", "Prediction", "Reference", "Freq"], [["1", "a", "a", "5"]])
    '--truth Reference --prediction Prediction --frequency Freq'
    """
    named = [name for name in header if name]
    number = next((name for name in named if _FREQUENCY.fullmatch(name)), None)
    others = [name for name in named if name != number]
    if number is None or len(others) != 2:
        return None
    first, second = (header.index(name) for name in others)
    pairs = [(row[first], row[second]) for row in rows if len(row) == len(header)]
    if len(set(pairs)) < len(pairs) or {one for one, _ in pairs}.isdisjoint(other for _, other in pairs):
        return None
    sides = [side_of(name) for name in others]
    is_turned = any(side is not None and side.what == what for side, what in zip(sides, _TURNED, strict=True))
    truth, prediction = map(shlex.quote, others[::-1] if is_turned else others)
    known = "" if any(sides) else f", or --truth {prediction} --prediction {truth} if {prediction} is the truth"
    return f"--truth {truth} --prediction {prediction} --frequency {shlex.quote(number)}{known}"
