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

    :param kind: what a record is called in error messages
    :param records: the records; two of them sharing a key or an alias is an error
    """

    def __init__(self, kind: str, records: Iterable[RecordT]) -> None:
        self._kind = kind
        self._records = {record.name: record for record in sorted(records, key=lambda record: record.name)}
        self._names: dict[str, RecordT] = {}
        for record in records:
            for name in (record.name, *record.aliases):
                if name in self._names:
                    raise DefinitionError(f"{kind} {name!r} names both {self._names[name].name} and {record.name}")
                self._names[name] = record

    def __getitem__(self, name: str) -> RecordT:
        try:
            return self._names[name]
        except (KeyError, TypeError):
            raise UnknownNameError(self._kind, str(name), self._names) from None

    def __getattr__(self, name: str) -> RecordT:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except UnknownNameError as error:
            raise AttributeError(str(error)) from None

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __repr__(self) -> str:
        return f"<{len(self)} {self._kind} records: {', '.join(self)}>"
