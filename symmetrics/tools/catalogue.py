"""Catalogue: an ordered collection of records, found by key, by alias or as an attribute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, Protocol, TypeVar

from symmetrics.tools.errors import DefinitionError, UnknownNameError

__all__ = ["Catalogue"]


class Record(Protocol):
    """What a catalogue asks of its members."""

    @property
    def name(self) -> str:
        """The key."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names."""


RecordT = TypeVar("RecordT", bound=Record)


class Catalogue(Mapping[str, RecordT], Generic[RecordT]):
    """A read-only mapping from keys, in sorted order, to records; aliases are looked up too but not iterated over.

    A name may be written in capitals, and with hyphens or blanks for underscores.

    :param kind: what a record is called in error messages
    :param records: the records; two of them sharing a key or an alias is an error
    :param elsewhere: of names that people look for here, where they are
    """

    def __init__(self, kind: str, records: Iterable[RecordT], elsewhere: Mapping[str, str] | None = None) -> None:
        self._kind = kind
        self._elsewhere = dict(elsewhere or {})
        records = tuple(records)
        self._records = {record.name: record for record in sorted(records, key=lambda record: record.name)}
        self._names: dict[str, RecordT] = {}
        for record in records:
            for name in (record.name, *record.aliases):
                if name in self._names:
                    raise DefinitionError(f"{kind} {name!r} names both {self._names[name].name} and {record.name}")
                self._names[name] = record
        self._spoken: dict[str, RecordT] = {}
        for name, record in self._names.items():
            if self._spoken.setdefault(_spoken(name), record) is not record:
                other = self._spoken[_spoken(name)].name
                raise DefinitionError(f"{kind} {name!r} names both {other} and {record.name}, but for capitals")

    def __getitem__(self, name: str) -> RecordT:
        try:
            return self._names[name] if name in self._names else self._spoken[_spoken(name)]
        except (AttributeError, KeyError, TypeError):
            where = self._elsewhere.get(_spoken(str(name)))
            raise UnknownNameError(self._kind, str(name), self._names, elsewhere=where) from None

    def __getattr__(self, name: str) -> RecordT:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except UnknownNameError as error:
            raise AttributeError(str(error)) from None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _spoken(name) in self._spoken

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __repr__(self) -> str:
        return f"<{len(self)} {self._kind} records: {', '.join(self)}>"


def _spoken(name: str) -> str:
    """Return what a name and its spellings have in common.

    >>> _spoken("Balanced accuracy"), _spoken("F-beta")
    ('balanced_accuracy', 'f_beta')
    """
    return name.strip().casefold().replace("-", "_").replace(" ", "_")
