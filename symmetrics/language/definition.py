"""Definition: a metric as data (formula, parameters, facts), without operations."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, TypeVar, cast

from symmetrics.tools.errors import DefinitionError, shortened

if TYPE_CHECKING:
    from sympy import Expr, Interval, Symbol

    from symmetrics.language.parameter import Parameter


class Citation(NamedTuple):
    """Source of a definition: the key of a reference and the place in it."""

    reference: str
    locator: str

    def __str__(self) -> str:
        return f"{self.reference}, {self.locator}"


@dataclass(frozen=True, eq=False)
class Definition:
    """A metric's formula and the facts about it.  Two definitions are equal if their formulas and parameters are.

    :param name: the key: full words in lower snake case
    :param expr: an expression over TP, FN, FP, TN and the parameters, built from rational numbers, ``+ - * / **``,
        roots, ``Abs``, ``Min``, ``Max`` and ``log``, or its text, as :func:`~symmetrics.language.formula.parse_formula`
        reads it.  It is read as its continuous extension: a factor that cancels leaves no hole.
    :param parameters: the free symbols beside the cells, with their domains and defaults; a text declares one, as in
        ``"w in [0, 1] = 3/4"``, and a bare name or symbol stands for a real parameter without a default
    :param title: the name in words
    :param aliases: other names in the literature
    :param range: the interval of attainable or approached values, None if not known
    :param greater_is_better: True for a score, False for a loss, None where neither end is better.  Say it for a loss:
        it stays True where nothing is said, though scorers and datasheets decide the direction by proof
    :param cites: where the formula stands

    :raises DefinitionError: on floats, undeclared symbols or functions outside the language, and on texts that cannot
        be read

    >>> Definition("mine", "w*TP/(w*TP + FN)", parameters="w in [0, 1] = 3/4").at_defaults()
    3*TP/(4*(FN + 3*TP/4))
    """

    name: str
    expr: Expr
    parameters: tuple[Parameter, ...] = ()
    title: str = ""
    aliases: tuple[str, ...] = ()
    range: Interval | None = None
    greater_is_better: bool | None = True
    cites: tuple[Citation, ...] = ()

    def __post_init__(self) -> None:
        from symmetrics.language.validation import validated

        check_name(self.name)
        _check_facts(self)
        expression, used = validated(self.name, self.expr, self.parameters)
        object.__setattr__(self, "expr", expression)
        object.__setattr__(self, "parameters", used)
        object.__setattr__(self, "title", self.title or self.name)

    def at(self, **values: object) -> Self:
        """Return the same metric with some parameters bound to exact values.

        :raises DefinitionError: if a parameter is unknown or a value outside its domain
        """
        from symmetrics.language.parameter import bound_values
        from symmetrics.language.validation import bound_expression

        bound = bound_values(self.name, self.parameters, values)
        settings = ", ".join(f"{symbol}={value}" for symbol, value in bound.items())
        return replace(
            self,
            name=f"{self.name}({settings})" if settings else self.name,
            title=f"{self.title} ({settings})" if settings else self.title,
            aliases=(),
            expr=bound_expression(self.name, self.expr, bound),
        )

    @cached_property
    def default_values(self) -> dict[Symbol, Expr]:
        """The default of every parameter that has one."""
        return {p.symbol: p.default for p in self.parameters if p.default is not None}

    def at_defaults(self) -> Expr:
        """Return the formula with every parameter at its default.

        :raises DefinitionError: if a parameter has none
        """
        missing = [p.name for p in self.parameters if p.default is None]
        if missing:
            example = f".at({missing[0]}='1/2'), or declare a default, as in '{missing[0]} in [0, 1] = 1/2'"
            raise DefinitionError(f"metric {self.name}: bind {', '.join(missing)} first, as in {example}")
        return self.expr.xreplace(self.default_values)

    @cached_property
    def latex(self) -> str:
        """The formula in LaTeX."""
        from sympy import latex

        from symmetrics.language.cells import CELLS

        return str(latex(self.expr, symbol_names={cell: rf"\mathit{{{cell.name}}}" for cell in CELLS}))

    @cached_property
    def _identity(self) -> tuple[str, Expr, tuple[Parameter, ...]]:
        return (self.name, self.expr, self.parameters)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Definition) and self._identity == other._identity)

    def __hash__(self) -> int:
        return hash(self.name)

    if not TYPE_CHECKING:  # otherwise a type checker would accept any attribute

        def __getattr__(self, name: str) -> Any:
            """Load the fields deferred by :func:`loaded_when_asked` on first access."""
            load = self.__dict__.get("_load")
            if load is None or name not in self.__dataclass_fields__:
                return object.__getattribute__(self, name)  # raises the original error, such as a property's reason
            whole = load()
            self.__dict__.update({field.name: getattr(whole, field.name) for field in fields(whole)})
            return self.__dict__[name]


for _field in ("parameters", "title", "aliases", "range", "greater_is_better", "cites"):
    # The defaults stand in __init__; as class attributes they would hide deferred fields of a record.
    delattr(Definition, _field)


DefinitionT = TypeVar("DefinitionT", bound=Definition)


def loaded_when_asked(
    kind: type[DefinitionT], load: Callable[[], DefinitionT], known: Mapping[str, object]
) -> DefinitionT:
    """Return a definition with some known attributes, whose formula is loaded on first access.

    :param load: returns the whole definition
    :param known: fields and cached properties by name; they have to be what the whole definition has

    >>> recall = loaded_when_asked(Definition, lambda: Definition("recall", "TP/(TP + FN)"), {"name": "recall"})
    >>> recall.name, recall.expr
    ('recall', TP/(FN + TP))
    """
    made = object.__new__(kind)
    made.__dict__.update(known, _load=load)
    return made


def check_name(name: object) -> None:
    """Refuse an invalid name of a metric.

    :raises DefinitionError: if it is not a text, or empty
    """
    if not isinstance(name, str) or not name.strip():
        raise DefinitionError(f"a metric's name is a non-empty text, not {name!r}")


def _check_facts(given: Definition) -> None:
    """Refuse facts about a metric whose type does not fit the field."""
    from sympy import Interval

    better, names = given.greater_is_better, cast(object, given.aliases)
    are_texts = isinstance(names, tuple | list) and all(isinstance(name, str) for name in names)
    for field, is_fine, wanted in (
        ("title", isinstance(given.title, str), "a text"),
        ("aliases", are_texts, "a tuple of texts, as in ('recall',)"),
        ("range", given.range is None or isinstance(given.range, Interval), "an Interval of SymPy, or None"),
        ("greater_is_better", better is None or isinstance(better, bool), "True, False or None"),
    ):
        if not is_fine:
            raise DefinitionError(
                f"metric {given.name}: {field}={shortened(repr(getattr(given, field)))} is not {wanted}"
            )


# -- Reference: a work of the literature that records cite by its key --------------------------------------------------


_KEY: Final = re.compile(r"[a-z]+\d{4}[a-z]?")


@dataclass(frozen=True)
class Reference:
    """A published work.

    :param name: the key, the first author's surname and a year: ``cohen1960``
    :param authors: surname first, then the initials, in the order of the title page
    :param year: year of publication
    :param title: title of the work
    :param venue: where it appeared, with volume and pages where it has them
    :param aliases: other keys that are in use for the same work

    >>> print(Reference("youden1950", ("Youden, W. J.",), 1950, "Index for rating diagnostic tests", "Cancer 3: 32-35"))
    Youden, W. J. (1950). Index for rating diagnostic tests. Cancer 3: 32-35.

    :raises DefinitionError: if the key is not a surname and a year in lower case, or a part is missing
    """

    name: str
    authors: tuple[str, ...]
    year: int
    title: str
    venue: str
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for key in (self.name, *self.aliases):
            if not _KEY.fullmatch(key):
                raise DefinitionError(f"reference {key!r}: a key is a surname and a year in lower case, as cohen1960")
        if not (self.authors and self.title and self.venue):
            raise DefinitionError(f"reference {self.name}: authors, title and venue are all needed")

    def __str__(self) -> str:
        return f"{', '.join(self.authors)} ({self.year}). {self.title}. {self.venue}."
