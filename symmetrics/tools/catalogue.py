"""Catalogue: an ordered collection of records, found by key, by alias or as an attribute."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

from symmetrics.tools.errors import DefinitionError, UnknownNameError


class Record(Protocol):
    """Protocol of catalogue members."""

    @property
    def name(self) -> str:
        """The canonical key of the record."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names under which the record is found."""


RecordT = TypeVar("RecordT", bound=Record)


class Catalogue(Mapping[str, RecordT], Generic[RecordT]):
    """A read-only mapping from keys, in sorted order, to records; aliases are looked up too but not iterated over.

    A name may be written in capitals, and with hyphens or blanks for underscores.

    :param kind: name of a record in error messages
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
            if self._spoken.setdefault(spoken(name), record) is not record:
                other = self._spoken[spoken(name)].name
                raise DefinitionError(f"{kind} {name!r} names both {other} and {record.name}, but for capitals")

    def __getitem__(self, name: str) -> RecordT:
        try:
            return self._names[name] if name in self._names else self._spoken[spoken(name)]
        except (AttributeError, KeyError, TypeError):
            where = self._elsewhere.get(spoken(str(name)))
            raise UnknownNameError(self._kind, str(name), self._names, elsewhere=where) from None

    def __getattr__(self, name: str) -> RecordT:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except UnknownNameError as error:
            raise AttributeError(error) from None  # the text is made only when read

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and spoken(name) in self._spoken

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __repr__(self) -> str:
        return f"<{len(self)} {self._kind} records: {', '.join(self)}>"


class ThemedCatalogue(Catalogue[RecordT]):
    """A catalogue of the records in a package's modules; a module with records lists them as ``RECORDS``.

    Modules are loaded one after the other until one has the record that is asked for by name.  A name that none has,
    another spelling of one, and every question about all records, loads all modules; only then are names that two
    records share an error.

    :param kind: name of a record in error messages
    :param package: the name of the package, of which modules hold records
    :param elsewhere: of names that people look for here, where they are
    :param shipped: returns the records of each module as they come with the package, None if they do not
    """

    def __init__(
        self,
        kind: str,
        package: str,
        elsewhere: Mapping[str, str] | None = None,
        shipped: Callable[[], Mapping[str, tuple[RecordT, ...]] | None] = lambda: None,
    ) -> None:
        self._kind = kind
        self._read_shipped = shipped
        self._package = package
        self._elsewhere = dict(elsewhere or {})

    @cached_property
    def _all(self) -> Catalogue[RecordT]:
        return Catalogue(self._kind, [record for theme in self._themes for record in self._records_of(theme)])

    @cached_property
    def themes(self) -> Mapping[str, tuple[RecordT, ...]]:
        """The records by theme, that is, by module; a module is loaded on access."""
        return _Themes(self._themes, self._records_of)

    @cached_property
    def _shipped(self) -> Mapping[str, tuple[RecordT, ...]] | None:
        """The records shipped with the package, available without importing their modules."""
        return self._read_shipped()

    @cached_property
    def _themes(self) -> list[str]:
        if self._shipped is not None:
            return list(self._shipped)
        path = importlib.import_module(self._package).__path__
        return [module.name for module in pkgutil.iter_modules(path)]

    def _records_of(self, theme: str) -> tuple[RecordT, ...]:
        if self._shipped is not None:
            return self._shipped[theme]
        return records_in(f"{self._package}.{theme}")

    @property
    def _names(self) -> Mapping[str, RecordT]:  # type: ignore[override]
        return self._all._names

    @property
    def _spoken(self) -> Mapping[str, RecordT]:  # type: ignore[override]
        return self._all._spoken

    @property
    def _records(self) -> Mapping[str, RecordT]:  # type: ignore[override]
        return self._all._records

    def __getitem__(self, name: str) -> RecordT:
        if "_all" not in self.__dict__ and self._shipped is None:
            for theme in self._themes:
                for record in self._records_of(theme):
                    if name in (record.name, *record.aliases):
                        return record
        return super().__getitem__(name)


class _Themes(Mapping[str, tuple[RecordT, ...]]):
    """Records by module name; a module is loaded on access."""

    def __init__(self, names: Iterable[str], records_of: Callable[[str], tuple[RecordT, ...]]) -> None:
        self._named = list(names)
        self._records_of = records_of

    def __getitem__(self, name: str) -> tuple[RecordT, ...]:
        if name not in self._named:
            raise KeyError(name)
        return self._records_of(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)


def records_in(module: str) -> tuple[Any, ...]:
    """Import a module and return its records."""
    found: tuple[Any, ...] = getattr(importlib.import_module(module), "RECORDS", ())
    return found


def record_in(module: str, name: str) -> Any:
    """Import a module and return its record with a key."""
    return next(record for record in records_in(module) if record.name == name)


def spoken(name: str) -> str:
    """Return the normal form of a name, equal for all its spellings.

    >>> spoken("Balanced accuracy"), spoken("F-beta")
    ('balanced_accuracy', 'f_beta')
    """
    return name.strip().casefold().replace("-", "_").replace(" ", "_")


# -- Lazy imports ------------------------------------------------------------------------------------------------------


class LoadedWhenUsed:
    """A module that is imported on first access to one of its names.

    The value of one table needs nothing of NumPy, whose import takes longer than everything else together.

    >>> LoadedWhenUsed("math").sqrt(4)
    2.0
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)
