"""Which metric does a name in a certificate stand for?  This is the one place that answers.

A name of the library is rebuilt: its key, the key with parameters bound or a prior set, such as ``cwa(w=1/2)``, and
what was made of it by a construction, such as ``tpr (negated)``.  A formula is itself.  Any other name is a user's own,
if it is clearly one; what resembles a name of the library, and what is neither a name nor a formula, is refused.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from symmetrics.language.cells import CELLS, NAMED
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.library import metrics
from symmetrics.matrices import multiclass
from symmetrics.matrices.deciding import is_at_size
from symmetrics.metric import Metric
from symmetrics.tools.errors import CertificateError, SymmetricsError, shortened

_OWN: Final = re.compile(r"[A-Za-z][A-Za-z0-9 _-]*")
"""The form of a user's own name, without what is in parentheses behind it."""
_FILLERS: Final = frozenset(
    re.findall(
        r"\w+",
        "a an and as at binary class classes for in index k mean measure metric multi multiclass of on over score the "
        "value with zero one two three four five six seven eight nine ten",
    )
)
"""Words that, beside a name of the library, do not make it another name: mcc, the mcc score, mcc of two classes."""
_NEAR: Final = 0.9
"""Similarity of two names, from 0 to 1, from which on one is taken for a misspelling of the other."""
_LOOKALIKES: Final = str.maketrans("авекмнорстухіјѕԁԛԝɡαβγεζηικμνορτυχ", "abekmhopctyxijsdqwgabyezhikmnoptux")
"""Small letters of other scripts that look like Latin ones."""
_STROKES: Final = str.maketrans("lI|O", "1110")
"""Letters that look like digits."""
_CONSTRUCTED: Final[Mapping[str, Callable[[Metric], Metric]]] = {
    "transposed": Metric.transposed,
    "exchanged": Metric.exchanged,
    "negated": Metric.negated,
    "chance corrected": Metric.chance_corrected,
    "normalised": Metric.normalised,
}
_SYMMETRISED: Final = re.compile(r"symmetrised over (?P<over>\w+(?:, \w+)*?)(?:, (?P<mean>\w+) mean)?", re.ASCII)


def metric_named(name: str, parameters: tuple[Parameter, ...] = ()) -> Metric | None:
    """Return the metric that a name in a certificate stands for, None if the name is a user's own.

    :param name: the name of a metric of two classes
    :param parameters: those of the verdict, which a formula may hold
    :raises CertificateError: if it resembles a name of the library and is none, or is no name at all

    >>> metric_named("f_beta(beta=2)").expr == metrics["f2"].expr, metric_named("mine")
    (True, None)
    >>> metric_named("mcc of 2 classes")
    Traceback (most recent call last):
        ...
    symmetrics.tools.errors.CertificateError: 'mcc of 2 classes' is a metric of matrices, and the certificate is about \
one of two classes
    """
    if name in set(metrics):
        return metrics[name]
    base, endings = _taken_apart(name)
    if endings and base in set(metrics):
        return _rebuilt(name, metrics[base], endings, parameters)
    formula = _as_formula(name, parameters)
    is_own = _OWN.fullmatch(_without_accents(base)) is not None
    if formula is not None and not is_own:
        return formula
    if formula is not None and formula.expr.free_symbols.isdisjoint(CELLS):  # a name, which a parameter may have too
        formula = None
    if is_at_size(name):
        raise CertificateError(f"{name!r} is a metric of matrices, and the certificate is about one of two classes")
    if (key := _resembled(base, *endings)) is not None:
        raise CertificateError(
            f"{shortened(name)!r} is another spelling of the library's {key}; a verdict about that has the name {key}, "
            "and one about a metric of your own is checked if the metric is passed"
        )
    if formula is None and (not is_own or not {*CELL_NAMES, *NAMED}.isdisjoint(_words(base))):
        raise CertificateError(
            f"{shortened(name)!r} may be taken for something else: it is no formula that the verdict can be about, and "
            "no name in Latin letters, digits, blanks, _ and -; a metric of that name is checked if it is passed"
        )
    return formula


def _as_formula(name: str, parameters: tuple[Parameter, ...]) -> Metric | None:
    """Return the metric that the text of a formula is, None if it is none in the cells and some parameters."""
    try:
        formula = parse_formula(name, [parameter.name for parameter in parameters])
    except SymmetricsError:
        return None
    return Metric(name, formula, tuple(p for p in parameters if p.symbol in formula.free_symbols))


# -- names of the library ----------------------------------------------------------------------------------------------


def _taken_apart(name: str) -> tuple[str, list[str]]:
    """Return what stands before the parentheses at the end of a name, and what is in each pair of them.

    >>> _taken_apart("cwa(w=1/2) (M/(M + 1))")
    ('cwa', ['w=1/2', 'M/(M + 1)'])
    """
    text = unicodedata.normalize("NFKD", name).rstrip()
    endings: list[str] = []
    while text.endswith(")"):
        depth, start = 1, len(text) - 1
        while depth and start:
            start -= 1
            depth += {")": 1, "(": -1}.get(text[start], 0)
        if depth or not start:
            break
        endings.insert(0, text[start + 1 : -1])
        text = text[:start].rstrip()
    return text, endings


def _rebuilt(name: str, metric: Metric, endings: list[str], parameters: tuple[Parameter, ...]) -> Metric:
    """Return what was made of a metric of the library: parameters bound, a prior set, or a construction."""
    declared: Mapping[str, Parameter] = {parameter.name: parameter for parameter in parameters}
    try:
        for ending in endings:
            metric = _made(metric, ending, declared)
    except (SymmetricsError, TypeError, ValueError) as error:
        raise CertificateError(f"{shortened(name)!r} is nothing made of a metric of the library: {error}") from None
    if metric.name != name:
        raise CertificateError(f"{shortened(name)!r} is another spelling of {metric.name}")
    return metric


def _made(metric: Metric, ending: str, declared: Mapping[str, Parameter]) -> Metric:
    """Return what the words in parentheses behind the name of a metric say that it is made into."""
    if ending in _CONSTRUCTED:
        return _CONSTRUCTED[ending](metric)
    if found := _SYMMETRISED.fullmatch(ending):
        return metric.symmetrised(*found["over"].split(", "), mean=found["mean"] or "arithmetic")
    if "=" not in ending:
        return metric.composed(ending)
    values = dict(part.split("=") for part in ending.split(", "))
    if "prior" in values:
        return metric.at_prior(declared.get(values["prior"], values["prior"]))
    return metric.at(**values)


# -- names that resemble them ------------------------------------------------------------------------------------------


def _resembled(*texts: str) -> str | None:
    """Return the key of the library that a name, or a part of it, resembles, None if none."""
    for text in texts:
        significant = (word for word in _words(text) if not (word.casefold() in _FILLERS or word.isdecimal()))
        for words in dict.fromkeys((text, " ".join(significant))):
            for plain in (_plain(words), _plain(words.translate(_STROKES))):
                if near := difflib.get_close_matches(plain, _spellings(), n=1, cutoff=_NEAR):
                    return _spellings()[near[0]]
    return _reduction(texts[0])


def _reduction(name: str) -> str | None:
    """Return the name if a reduction of a metric of many classes has it."""
    if "as" not in _words(name):  # those without are metrics of two classes; to make them all takes seconds
        return None
    from symmetrics.matrices.reductions import REDUCTIONS

    return next((reduction.name for reduction in REDUCTIONS if _plain(reduction.name) == _plain(name)), None)


@cache
def _spellings() -> Mapping[str, str]:
    """Return the keys of the library by all names that its metrics have, each without case, signs and accents."""
    known = [(one.name, one.aliases, one.title) for one in multiclass.values()]
    known += [(one.name, one.aliases, one.title) for one in metrics.values()]
    named = [(text, key) for key, aliases, title in known for text in (key, *aliases, title)]
    return {_plain(text): key for name, key in named for text in (name.translate(_STROKES), name)}


def _plain(name: str) -> str:
    """Return a name without what the eye may overlook.

    >>> _plain("F-1 "), _plain(chr(0x41A) + "appa")  # a Cyrillic letter
    ('f1', 'kappa')
    """
    letters = unicodedata.normalize("NFKD", name).casefold().translate(_LOOKALIKES)
    return "".join(letter for letter in letters if letter.isalnum())


def _words(name: str) -> list[str]:
    return re.split(r"[\W_]+", name)


def _without_accents(name: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
