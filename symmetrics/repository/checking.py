"""Check that a verdict is about the metric and property that it names, and that its evidence establishes it.

What a verdict is about is rebuilt from the metric and the property that it names, in one of these forms:

* a property of the library, by its key; or one of a user's own, which has to be passed;
* a property of metrics of matrices, by its key, if the metric is one, such as ``mcc of 3 classes``;
* ``relation:metric`` for a relation between two metrics;
* ``in_rates``, or ``in_rates:FORMULA``, for what a metric is in rates and prior;
* a reduction of a metric of many classes, whose metric is its key and whose property is its statement.

Which metric a name stands for, :mod:`symmetrics.repository.checking` says.  About a user's own metric nothing is known:
the verdict is about the formula that it holds, which is said.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final, TypeAlias

from sympy import Expr

from symmetrics.checker import check as check_evidence
from symmetrics.claims import Claim, Combination, Identity, claim_from_dict
from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, NAMED
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.library import metrics, properties
from symmetrics.library.selections import as_metric
from symmetrics.matrices import MulticlassMetric, MulticlassProperty, multiclass, multiclass_properties
from symmetrics.matrices.deciding import claim_named, is_at_size
from symmetrics.metric import Metric
from symmetrics.metric.priors import RATES, in_counts, in_rates
from symmetrics.query.identification import settings_of
from symmetrics.query.proving import as_property
from symmetrics.query.relations import Relation, relations
from symmetrics.tools.errors import CertificateError, InputError, SymmetricsError, nearest_names, shortened

# -- Resolve the metric's name in a certificate; nothing else in the package does --------------------------------------

# A name of the library is rebuilt: its key, the key with parameters bound or a prior set, such as ``cwa(w=1/2)``, and
# metrics derived by a construction, such as ``tpr (negated)``. A formula is itself. Any other name is a user's
# own, if clearly distinct; a name that resembles one of the library, and a text that is neither name nor formula, is
# refused.


_OWN: Final = re.compile(r"[A-Za-z][A-Za-z0-9 _-]*")
"""Pattern of a user's own name, without parentheses at its end."""
_FILLERS: Final = frozenset(
    re.findall(
        r"\w+",
        "a an and as at binary class classes for in index k mean measure metric multi multiclass of on over score the "
        "value with zero one two three four five six seven eight nine ten",
    )
)
"""Words that do not distinguish a name from one of the library: mcc, the mcc score, mcc of two classes."""
_NEAR: Final = 0.9
"""Similarity of two names, from 0 to 1, above which one counts as a misspelling of the other."""
_LOOKALIKES: Final = str.maketrans("авекмнорстухіјѕԁԛԝɡαβγεζηικμνορτυχ", "abekmhopctyxijsdqwgabyezhikmnoptux")
"""Homoglyphs: letters of other scripts that look like Latin ones."""
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
    if formula is not None and formula.expr.free_symbols.isdisjoint(CELLS):  # a parameter may have this name, too
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
    """Parse a metric from a formula in the cells and some parameters; None for other texts."""
    try:
        formula = parse_formula(name, [parameter.name for parameter in parameters])
    except SymmetricsError:
        return None
    return Metric(name, formula, tuple(p for p in parameters if p.symbol in formula.free_symbols))


# -- names of the library ----------------------------------------------------------------------------------------------


def _taken_apart(name: str) -> tuple[str, list[str]]:
    """Split a name into the part before its final parentheses, and the contents of each pair of these.

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
    """Rebuild a derived metric of the library: parameters bound, a prior set, or a construction."""
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
    """Return the construction that the words in parentheses after a metric's name describe."""
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
    """Return the library's key that a name, or a part of it, resembles, None if none."""
    for text in texts:
        significant = (word for word in _words(text) if not (word.casefold() in _FILLERS or word.isdecimal()))
        for words in dict.fromkeys((text, " ".join(significant))):
            for plain in (_plain(words), _plain(words.translate(_STROKES))):
                if near := difflib.get_close_matches(plain, _spellings(), n=1, cutoff=_NEAR):
                    return _spellings()[near[0]]
    return _reduction_named(texts[0])


def _reduction_named(name: str) -> str | None:
    """Return the name if a reduction of a matrix metric has it."""
    if "as" not in _words(name):  # other names are binary metrics; making all reductions takes seconds
        return None
    from symmetrics.matrices.deciding import REDUCTIONS

    return next((reduction.name for reduction in REDUCTIONS if _plain(reduction.name) == _plain(name)), None)


@cache
def _spellings() -> Mapping[str, str]:
    """Return the keys of the library by all names of its metrics, without case, signs and accents."""
    known = [(one.name, one.aliases, one.title) for one in multiclass.values()]
    known += [(one.name, one.aliases, one.title) for one in metrics.values()]
    named = [(text, key) for key, aliases, title in known for text in (key, *aliases, title)]
    return {_plain(text): key for name, key in named for text in (name.translate(_STROKES), name)}


def _plain(name: str) -> str:
    """Return a name without distinctions that readers overlook.

    >>> _plain("F-1 "), _plain(chr(0x41A) + "appa")  # a Cyrillic letter
    ('f1', 'kappa')
    """
    letters = unicodedata.normalize("NFKD", name).casefold().translate(_LOOKALIKES)
    return "".join(letter for letter in letters if letter.isalnum())


def _words(name: str) -> list[str]:
    return re.split(r"[\W_]+", name)


def _without_accents(name: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))


# ----------------------------------------------------------------------------------------------------------------------


Passed: TypeAlias = Metric | Expr | str | None
"""A metric that a user passes, in any accepted form."""
IN_RATES: Final = "in_rates"


def check(
    verdict: Verdict,
    metric: Passed | MulticlassMetric = None,
    *,
    property: Property | MulticlassProperty | str | None = None,
    partner: Passed = None,
) -> str | None:
    """Re-verify that a verdict is about what it names, and its evidence, independently of the code that found it.

    The claim is rebuilt from the metric and the property that the verdict names, so that evidence about one of them
    cannot pass for evidence about another.  About a metric that the library does not know, and that is not passed, only
    this is established: the formula that the verdict holds, ``verdict.claim.subject``, has the property.  A name that
    resembles one of the library, or is no name, is refused then.

    :param verdict: a verdict, fresh or read from a certificate
    :param metric: the metric that it has to be about; by default the library's metric of that name, if there is one
    :param property: the property that it has to be about; a property that is not in the library has to be passed
    :param partner: for a relation the other metric that it has to be about; by default likewise the library's
    :returns: None; for names that the library does not know the formulas that were verified in their place, in words
    :raises CertificateError: if the evidence does not establish the verdict, if the verdict is about something else
        than it names, if the library has no such property, or if a name is another spelling of one in the library

    >>> from symmetrics.query.proving import prove
    >>> check(prove("mcc", "p1"))
    >>> from dataclasses import replace
    >>> check(replace(prove("tpr", "p2"), metric="kappa"))
    Traceback (most recent call last):
        ...
    symmetrics.tools.errors.CertificateError: the certificate proves another statement than p2 of kappa: its formula, \
parameters or tables differ
    >>> check(prove(Metric("mine", "TP/(TP + 2*FN)"), "p2"))
    "'mine' is no name of the library: what was verified is about TP/(2*FN + TP)"
    """
    if not isinstance(verdict, Verdict):
        raise InputError(f"check takes a verdict, not {type(verdict).__name__}: Verdict.from_json reads one from text")
    if not any(verdict.claim in (claim, _read_back(claim)) for claim in _stated(verdict, metric, property, partner)):
        raise CertificateError(
            f"the certificate proves another statement than {shortened(verdict.property)} of "
            f"{shortened(verdict.metric)}: its formula, parameters or tables differ"
        )
    check_evidence(verdict)
    own = own_formulas(verdict, metric, property, partner)
    told = (f"{shortened(name)!r} is no name of the library: what was verified is about {text}" for name, text in own)
    return "; ".join(told) or None


def own_formulas(
    verdict: Verdict,
    metric: Passed | MulticlassMetric = None,
    property: Property | MulticlassProperty | str | None = None,
    partner: Passed = None,
) -> tuple[tuple[str, str], ...]:
    """Return the names in a verdict that are not in the library, each with its formula.

    :param metric: the metric that was passed, if any, whose formula is known
    :param property: the property that was passed, if any
    :param partner: the other metric of a relation that was passed, if any
    :raises CertificateError: if a name resembles one of the library and is none
    """
    key, _, other = verdict.property.partition(":")
    is_relation = key in set(relations)
    is_of_two_classes = property is not None or is_relation or key == IN_RATES or verdict.property in set(properties)
    if isinstance(metric, MulticlassMetric) or _is_at_size(verdict) or not is_of_two_classes:
        return ()
    named = [(verdict.metric, verdict.claim.subject)] if metric is None else []
    if is_relation and partner is None and other.partition(" at ")[0] not in set(metrics):
        named.append((other, getattr(verdict.claim, "partner", verdict.claim.subject)))
    parameters = verdict.claim.parameters
    return tuple((name, formula_text(text)) for name, text in named if metric_named(name, parameters) is None)


# -- the claim behind a verdict ----------------------------------------------------------------------------------------


def _stated(
    verdict: Verdict,
    metric: Passed | MulticlassMetric,
    property: Property | MulticlassProperty | str | None,
    partner: Passed,
) -> Iterator[Claim]:
    """Yield the claims that the names of a verdict may stand for."""
    name = verdict.property
    if isinstance(metric, MulticlassMetric) or isinstance(property, MulticlassProperty) or _is_at_size(verdict):
        yield _at_size(verdict, metric, property)
        return
    if property is not None and as_property(property).name != name:
        raise CertificateError(f"the certificate is about {name!r}, not about {as_property(property).name!r}")
    if property is not None or name in set(properties):
        asked = properties[name] if property is None else as_property(property)
        yield asked.claim(_subject(verdict, metric))
        return
    key, _, other = name.partition(":")
    if key in set(relations) and other:
        yield from _related(verdict, relations[key], metric, other, partner)
    elif key == IN_RATES:
        yield _in_rates(_subject(verdict, metric), other)
    elif metric is None and (claim := _reduction(verdict)) is not None:
        yield claim
    else:
        nearest = [properties[name].name] if name in properties else nearest_names(name, properties, 1)
        hint = f"did you mean {nearest[0]}?" if nearest else "symmetrics.properties has all."
        raise CertificateError(f"there is no property of that name; {hint} One of your own is passed as property=...")


def _is_at_size(verdict: Verdict) -> bool:
    """Whether a verdict's names are those of a matrix metric."""
    key = verdict.property
    over = _variables(verdict.claim)
    is_named = key not in set(properties) or is_at_size(verdict.metric) or over[0].startswith("c_")
    return key in set(multiclass_properties) and is_named


def _may_be_of_size(verdict: Verdict) -> bool:
    """Whether a claim has the variables of the number of classes in its name; quick, unlike building a huge claim."""
    classes = verdict.metric.removesuffix(" classes").rpartition(" ")[2]
    return not classes.isdecimal() or int(classes) ** 2 <= 2 * len(_variables(verdict.claim))


def _variables(claim: Claim) -> tuple[str, ...]:
    return getattr(_first_part(claim), "over", CELL_NAMES)


def _first_part(claim: Claim) -> Claim:
    return _first_part(claim.parts[0][1]) if isinstance(claim, Combination) else claim


def _at_size(
    verdict: Verdict, metric: Passed | MulticlassMetric, property: Property | MulticlassProperty | str | None
) -> Claim:
    """Return the claim of a verdict on a matrix metric."""
    for given, kind, what in ((metric, MulticlassMetric, "metric"), (property, MulticlassProperty, "property")):
        if not isinstance(given, kind | str | None):
            raise CertificateError(f"the certificate is about matrices; pass a {what} of these, or none")
    passed = metric if isinstance(metric, MulticlassMetric) else None
    asked = property if isinstance(property, MulticlassProperty) else None
    same = (metric in (None, passed, verdict.metric)) and (property in (None, asked, verdict.property))
    try:
        claim = (
            claim_named(verdict.metric, verdict.property, passed, asked) if same and _may_be_of_size(verdict) else None
        )
    except InputError as error:
        raise CertificateError(f"the certificate is about nothing that can be asked: {error}") from None
    if claim is None:
        raise CertificateError(
            f"the certificate is about {shortened(verdict.property)} of {shortened(verdict.metric)}, which is not "
            "known by these names; pass a metric or a property of your own as metric=... and property=..."
        )
    return claim


def _related(
    verdict: Verdict,
    relation: Relation,
    metric: Metric | Expr | str | None,
    other: str,
    partner: Metric | Expr | str | None,
) -> Iterator[Claim]:
    """Yield the claims of a relation between two metrics: at their defaults, or for all parameters of the first."""
    other_formula: Expr | None = getattr(verdict.claim, "partner", None)
    if other_formula is None:
        raise CertificateError(f"the certificate is not about a relation to {shortened(other)}")
    first = _subject(verdict, metric)
    key, _, settings = other.partition(" at ")
    if settings and key in set(metrics) and partner is None:
        for setting in settings_of(metrics[key], first.parameters):
            if setting.name == f" at {settings}":
                yield relation.claim_of(first.expr, setting.formula, setting.parameters)
        return
    second = _metric(other, partner, other_formula, verdict.claim.parameters)
    yield relation.claim(first, second)
    if all(parameter.default is not None for parameter in second.parameters):
        yield relation.claim_of(first.expr, second.at_defaults(), first.parameters)


def _in_rates(metric: Metric, text: str) -> Identity:
    """Return the claim that a metric equals a formula in rates and prior, by default its converted form."""
    names = [*(symbol.name for symbol in RATES), *(parameter.name for parameter in metric.parameters)]
    try:
        formula = parse_formula(text, names) if text else in_rates(metric)
    except SymmetricsError as error:
        raise CertificateError(f"the form in rates cannot be read: {error}") from None
    return Identity(metric.expr, metric.parameters, (CELLS, CELLS), partner=in_counts(formula))


def _reduction(verdict: Verdict) -> Claim | None:
    """Return the claim of the reduction that a verdict names, None if there is none."""
    if "class" not in verdict.property:  # all reductions mention classes; making their claims takes seconds
        return None
    from symmetrics.matrices.deciding import REDUCTIONS

    named = (reduction for reduction in REDUCTIONS if reduction.name == verdict.metric)
    return next((reduction.claim for reduction in named if reduction.statement == verdict.property), None)


# -- metrics -----------------------------------------------------------------------------------------------------------


def _subject(verdict: Verdict, metric: Passed) -> Metric:
    return _metric(verdict.metric, metric, verdict.claim.subject, verdict.claim.parameters)


def _metric(name: str, passed: Passed, formula: Expr, parameters: tuple[Parameter, ...]) -> Metric:
    """Return the metric of a name: the user's, the library's, or else that of the verdict's formula.

    :raises CertificateError: if it is another one, or if the name resembles one of the library
    """
    if passed is not None:
        metric = as_metric(passed)
        if metric.name != name:
            raise CertificateError(f"the certificate is about {shortened(name)}, not about {shortened(metric.name)}")
        return metric
    known = metric_named(name, parameters)
    if known is not None:
        return known
    try:
        return Metric(name, formula, tuple(p for p in parameters if p.symbol in formula.free_symbols))
    except SymmetricsError as error:
        raise CertificateError(f"the certificate is not about a metric: {error}") from None


def _read_back(claim: Claim) -> Claim:
    """Return a claim after a round trip through a certificate, where SymPy may order its formula differently."""
    try:
        return claim_from_dict(claim.to_dict())
    except SymmetricsError as error:
        raise CertificateError(f"the formula of the metric has no form in which it can be compared: {error}") from None
