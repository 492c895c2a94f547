"""Refuse unknown settings with an error that names the function and its settings, and gives advice."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Signature, signature
from typing import Any, Final, Literal, ParamSpec, TypeVar, get_args

from symmetrics.tools.errors import InputError, nearest_names

P = ParamSpec("P")
R = TypeVar("R")


def advising(advice: str = "") -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate functions so that a call with wrong arguments says what to pass.

    :param advice: what to do, after what is wrong; by default to write the call with all that has to be passed

    >>> @advising()
    ... def shares(positive, *, weight=None): ...
    >>> for given in ((), (1, 2)):
    ...     try:
    ...         shares(*given)
    ...     except InputError as error:
    ...         print(error)
    shares: missing a required argument: 'positive'; write shares(positive)
    shares: too many positional arguments; write shares(positive)
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        expected = signature(function)
        is_method = "self" in expected.parameters

        @wraps(function)
        def advised(*given: P.args, **settings: P.kwargs) -> R:
            try:
                return function(*given, **settings)
            except TypeError:
                try:
                    expected.bind(*given, **settings)
                except TypeError as error:
                    name = _name(function, given if is_method else ())
                    told = advice or f"write {name}({_needed(expected)})"
                    raise InputError(f"{name}: {error}; {told}") from None
                raise

        return advised

    return decorated


def _needed(expected: Signature) -> str:
    """Return the required arguments, in the form of a call."""
    needed = [one for one in expected.parameters.values() if one.default is one.empty and one.name != "self"]
    return ", ".join(f"{one.name}=..." if one.kind is one.KEYWORD_ONLY else str(one.name) for one in needed)


def _name(function: Callable[..., object], owner: tuple[Any, ...]) -> str:
    """Return the name of a function; of a method, with the object in front."""
    if function.__name__ == "__init__":
        return type(owner[0]).__name__
    names = [owner[0].name] if owner else []
    return ".".join(names + ([] if function.__name__ == "__call__" else [function.__name__]))


def refusing_other_settings(
    meant: Mapping[str, str], of_object: Callable[[Any, str], str | None] = lambda _object, _name: None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate functions so that an unknown setting raises an error that says what to pass instead.

    A method says it under the name of its object.

    :param meant: of names that other functions, or those of other libraries, have for a setting, what to do here
    :param of_object: the same for methods, by the object and the name; None where it is as for any other name

    >>> @refusing_other_settings({"pos_label": "pass positive"})
    ... def shares(positive=1, weight=None): ...
    >>> for name in ("pos_label", "wieght", "colour"):
    ...     try:
    ...         shares(**{name: 1})
    ...     except InputError as error:
    ...         print(error)
    shares has no setting 'pos_label'; pass positive
    shares has no setting 'wieght'; did you mean weight?
    shares has no setting 'colour'; they are positive, weight
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        every = signature(function).parameters
        known = [name for name, one in every.items() if name != "self" and one.kind is not one.VAR_POSITIONAL]
        is_method = "self" in every

        @wraps(function)
        def refusing(*given: P.args, **settings: P.kwargs) -> R:
            for name in settings:
                if name not in known:
                    owner: Any = given[0] if is_method else None
                    nearest = nearest_names(name, known, 1)
                    hint = f"did you mean {nearest[0]}?" if nearest else f"they are {', '.join(known)}"
                    advice = (of_object(owner, name) if is_method else None) or meant.get(name, hint)
                    raise InputError(
                        f"{owner.name if is_method else function.__name__} has no setting {name!r}; {advice}"
                    )
            return function(*given, **settings)

        return refusing

    return decorated


# ----------------------------------------------------------------------------------------------------------------------
# Objects of lower layers offer things that higher layers make. The package lists where to find them, and they are
# imported on first access.

# Imports go down only, so a metric cannot import what draws it. The package, which may import everything, lists in
# ``_ATTACHED``, by name, the functions that are looked up here.


def attached(name: str) -> Any:
    """Import the object that the package lists under a name.

    >>> attached("plot").__name__
    'MetricPlots'
    """
    home, attribute = sys.modules["symmetrics"]._ATTACHED[name]
    return getattr(importlib.import_module(home), attribute)


def loaded_from(package: str, homes: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for a package that imports its modules on first access to a name of theirs.

    :param homes: the names in each module

    >>> loaded_from("symmetrics.curves", {"symmetrics.curves.geometry": ("auc",)})("auc").__name__
    'auc'
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(home_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return load


# -- Missing labels: which texts mark one, and how an example that lacks a label is treated ----------------------------


Missing = Literal["refuse", "drop", "keep"]
"""Treatment of missing labels: raise an error, drop the examples, or treat the marks as labels."""

MARKS: Final = frozenset(
    [
        "",
        "#N/A",
        "#N/A N/A",
        "#NA",
        "-1.#IND",
        "-1.#QNAN",
        "-NaN",
        "-nan",
        "1.#IND",
        "1.#QNAN",
        "<NA>",
        "<na>",
        "?",
        "N/A",
        "NA",
        "NAN",
        "NULL",
        "NaN",
        "NaT",
        "None",
        "n/a",
        "na",
        "nan",
        "null",
    ]
)
"""Texts that programs write in place of a missing value: those that pandas.read_csv takes for one, with the ``?`` of
ARFF files, NaT and two further spellings.  A lower-case ``none`` is not among them: many a scale begins with it."""


def is_mark(label: object) -> bool:
    """Whether a label is a text that marks a missing value.

    >>> is_mark("NA"), is_mark(" nan "), is_mark("none"), is_mark(0)
    (True, True, False, False)
    """
    return isinstance(label, str) and label.strip() in MARKS


def as_missing(option: object, name: str = "missing") -> Missing:
    """Return the treatment of missing labels, validated.

    :param name: name of the option in error messages
    :raises InputError: if it is none of the three choices

    >>> as_missing("drop")
    'drop'
    """
    for choice in get_args(Missing):
        if isinstance(option, str) and option == choice:
            return choice  # type: ignore[no-any-return]  # validated above
    raise InputError(
        f"{name}={option!r} is not a way to treat missing labels; pass 'refuse', 'drop' to leave their examples out, "
        "or 'keep' to take marks such as 'NA' for labels"
    )
