"""The library searched by the words that people use."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence

from symmetrics.claims.property import Property
from symmetrics.library import metrics, properties
from symmetrics.metric import Metric

__all__ = ["nearest_words", "properties_told", "search"]


def search(words: Iterable[str]) -> list[tuple[str, str]]:
    """Return the properties and metrics of which all the words tell, keys with what they are; properties first.

    >>> [key for key, _ in search(["class", "skew"])]
    ['actual_scaling', 'skew_ratio']
    >>> [key for key, _ in search(["matthews"])]
    ['mcc', 'normalized_mcc']
    """
    wanted = _separate(words)
    records: list[Property | Metric] = [*properties.values(), *metrics.values()]
    return [(record.name, record.title) for record in records if _tells(wanted, _texts(record))]


def properties_told(text: str) -> list[str]:
    """Return the keys of the properties of which all the words of a text tell.

    >>> properties_told("class skew")
    ['actual_scaling']
    """
    wanted = _separate([text])
    return [record.name for record in properties.values() if wanted and _tells(wanted, _texts(record))]


def nearest_words(words: Iterable[str]) -> str:
    """Return what was probably meant by words that nothing is called; nothing if that is called so neither.

    >>> nearest_words(["skewness"]), nearest_words(["mathews"]), nearest_words(["zebra"])
    ('skew', 'matthews', '')
    """
    every = list(_all_texts())
    known = {part for text in every for part in re.findall(r"\w{3,}", text)}
    meant = [
        word if any(word in text for text in every) else _nearest(word, sorted(known)) for word in _separate(words)
    ]
    return " ".join(meant) if search(meant) else ""


def _nearest(word: str, known: Sequence[str]) -> str:
    """Return the longest known beginning of a word, or a known one that is spelled much like it, or itself."""
    if begins := [one for one in known if word.startswith(one)]:
        return max(begins, key=len)
    return next(iter(difflib.get_close_matches(word, known, 1, cutoff=0.75)), word)


def _separate(words: Iterable[str]) -> list[str]:
    return [word for text in words for word in text.casefold().replace("_", " ").split()]


def _texts(record: Property | Metric) -> str:
    """Return all that tells of a record, in small letters."""
    words = record.words if isinstance(record, Property) else ()
    return " ".join((record.title, *words, *record.aliases, record.name)).casefold().replace("_", " ")


def _all_texts() -> Iterator[str]:
    yield from map(_texts, properties.values())
    yield from map(_texts, metrics.values())


def _tells(wanted: Iterable[str], told: str) -> bool:
    return all(word in told for word in wanted)
