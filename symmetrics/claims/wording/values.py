"""The values of verdicts in words, and as data with these words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from sympy import And, Eq, Or, S
from sympy.logic.boolalg import Boolean

from symmetrics.claims import Claim, Identity, value_symbol
from symmetrics.claims.evidence import Answer, Decision
from symmetrics.claims.families.groups import PERMUTATIONS
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.values import (
    AtDefaults,
    Baseline,
    Cases,
    Domain,
    Group,
    Limit,
    Link,
    MatrixGroup,
    Range,
    Ratio,
    Space,
    Value,
    Vector,
)
from symmetrics.language.condition import condition_text
from symmetrics.language.parameter import Parameter, at_defaults_text, narrowed, piece, relation
from symmetrics.language.writer import formula_text

# -- Values of verdicts by cases ---------------------------------------------------------------------------------------


Leaf = tuple[Any, Boolean, Decision | None]
"""A claim for some parameter values, their condition, and the decision; None if M is undefined there."""


def leaves(claim: Any, tree: Mapping[str, Any], *conditions: Boolean) -> Iterator[Leaf]:
    """Yield the cases in a tree of evidence, in order."""
    if "parameter" not in tree:
        undefined = tree.get("undefined") is True
        yield claim, And(*conditions), None if undefined else Decision.from_record(tree["proof"], claim)
        return
    (parameter,) = (p for p in claim.parameters if p.name == tree["parameter"])
    for text, child in tree["pieces"].items():
        part = piece(parameter, text)
        yield from leaves(narrowed(claim, part), child, *conditions, relation(parameter, part))


# ----------------------------------------------------------------------------------------------------------------------


CONSTANT: Final = "constant"
"""The kind of value that follows from the claim rather than from the evidence."""


def value_text(verdict: Any, *, where: bool = True) -> str | None:
    """Return the value in words, or None: the verdict's own, or the value of a metric that was shown to be constant.

    An identity with one fixed table says that M has its value there at all the other tables; if it holds at the
    default parameters, that is the value at the defaults.

    :param where: whether the default parameters are named where the value is that at these alone

    >>> from symmetrics.query.proving import prove
    >>> value_text(prove("f1", "range")), value_text(prove("mcc", "independence_value")), value_text(prove("f1", "p2"))
    ('(0, 1)', '0', None)
    """
    found, parameters = verdict.found, verdict.claim.parameters
    if isinstance(found, AtDefaults) and not where:
        return words_of(found.value)
    return _constant(verdict.claim, verdict, where=where) if found is None else words_of(found, parameters)


def _constant(claim: Claim, answer: Answer, *, where: bool = True) -> str | None:
    if answer.holds is not True or not isinstance(claim, Identity):
        return None
    fixed = [table for table in claim.tables if all(cell.is_number for cell in table)]
    if len(claim.tables) != 2 or len(fixed) != 1 or claim.relation != value_symbol(0) - value_symbol(1):
        return None
    defaults = {parameter.symbol: parameter.default for parameter in claim.parameters if parameter.default is not None}
    value = claim.subject.xreplace({**defaults, **dict(zip(claim.arguments, fixed[0], strict=True))})
    only = f"{at_defaults_text(claim.parameters)}: " if where and answer.status == "open" else ""
    return only + formula_text(value) if value.is_finite is not False else None


def value_of(claim: Claim, answer: Answer) -> dict[str, Any] | None:
    """Return the value as JSON values, or None.

    ``kind`` says what it is, and ``text`` is the value in words; by kind follow

    * ``range``: ``lower`` and ``upper`` with ``lower_attained`` and ``upper_attained``, null where that is open
    * ``limit``: ``limit``, a formula, ``oo`` or ``-oo``
    * ``group``: ``symmetries``, each with the ``image`` of M, the ``permutation`` in cycles, and its ``condition``
    * ``space``: ``basis``, a list of vectors whose entries are numbers or formulas in the parameters, and
      ``is_complete``, whether no further direction serves any value of the parameters; ``at_defaults``, the space at
      the default parameters, where the text names it
    * ``symmetry group of matrices``: ``symmetries``, where ``permutation`` says what becomes of rows and columns
    * ``ratio``: ``ratios``, each with the ``ratio`` and its ``condition``
    * ``domain``: ``faces``, each with the cells that are ``zero`` there and what M ``tends_to`` along straight lines,
      and ``poles``, conditions under which M has no value
    * ``expectation``: ``expectations``, each with ``mean`` and, unless it is the same for all, ``n``, ``P``, ``OP``
    * ``link``: ``equation``
    * ``constant``: ``constant``, the value of M
    * ``cases``: ``cases``, each with its ``condition`` and ``value``, and ``values``, each different value once, with
      all parameters for which it is the value
    * ``defaults``: ``value``, that at the default parameters of what is open in general
    """
    if answer.found is None:
        constant = _constant(claim, answer)
        return None if constant is None else {"kind": CONSTANT, "text": constant, "constant": constant}
    data = _with_text(answer.found, claim.parameters)
    if isinstance(answer.found, AtDefaults):
        data["value"] = _with_text(answer.found.value)
    if isinstance(answer.found, Cases):
        data["cases"] = [
            {"condition": condition_text(condition), "value": part.found and _with_text(part.found)}
            for _, condition, part in leaves(claim, answer.evidence.data["tree"])
            if part is not None
        ]
    return data


def _with_text(found: Value, parameters: Sequence[Parameter] = ()) -> dict[str, Any]:
    return {"kind": found.kind, "text": words_of(found, parameters), **found.to_dict()}


def words_of(found: Value, parameters: Iterable[Parameter] = ()) -> str:
    """Put a value into words.

    :param parameters: those of the claim, whose defaults are named where the value is about these

    >>> words_of(Range("0", "1", False, True)), words_of(Space(((1, 1, 0, 0), (0, 0, 1, 1)), True))
    ('(0, 1]', 'span{(1, 1, 0, 0), (0, 0, 1, 1)}')
    """
    match found:
        case Range(lower, upper, left, right):
            if left is None or right is None:  # ends whose attainment is open are only named
                return f"from {lower} to {upper}"
            return f"{'[' if left else '('}{lower}, {upper}{']' if right else ')'}"
        case Limit(text) | Ratio(text):
            return text
        case Link():
            return found.equation
        case Group():
            return _symmetries(found)
        case Domain():
            return f"undefined {_domain(found)}"
        case Baseline():
            return _expectations(found)
        case AtDefaults(value):
            return f"{at_defaults_text(parameters)}: {words_of(value)}"
        case Space():
            text = ("" if found.is_complete else "at least ") + _span(found.basis)
        case Cases():
            text = "; ".join(
                words_of(case.value) + ("" if case.condition is S.true else f" if {condition_text(case.condition)}")
                for case in found.values
            )
        case _:
            raise TypeError(f"{type(found).__name__} has no words in {__name__}")
    here = found.at_defaults
    return text if here is None else f"{text}; {at_defaults_text(parameters)}: {words_of(here)}"


def _span(basis: Iterable[Vector]) -> str:
    vectors = ", ".join(f"({', '.join(map(str, vector))})" for vector in basis)
    return f"span{{{vectors}}}" if vectors else "{0}"


def _domain(found: Domain) -> str:
    if any(not face.zero for face in found.faces):
        return "everywhere"
    faces = [f"{' = '.join(face.zero)} = 0 ({_tendency(face.tends_to)})" for face in found.faces]
    return "where " + "; ".join([*faces, *found.poles])


def _tendency(text: str) -> str:
    if text == "no limit":
        return text
    return "limit not decided" if text == "not decided" else f"{text} along straight lines"


def _expectations(found: Baseline) -> str:
    """List expectations, each with its margins; the names n, P, OP are explained once."""
    texts: list[str] = []
    for one in found.expectations:
        text = one.mean
        if one.n is not None:
            names = "" if texts else "(n, P, OP) = "
            text += f" at {names}{(one.n, one.P, one.OP)}"
        if one.rows is not None:
            text += f" at row sums {one.rows} and column sums {one.columns}"
        texts.append(text)
    return ", ".join(texts)


def _symmetries(found: Group) -> str:
    """List symmetries by image, each with its condition on the parameters."""
    images: dict[str, dict[str, Boolean]] = {}
    for one in found.symmetries:
        images.setdefault(one.image, {})[one.permutation] = S.true if one.condition is None else one.condition
    whole = 0 if isinstance(found, MatrixGroup) else len(PERMUTATIONS)
    return "; ".join(f"{image}: {_listed(conditions, whole)}" for image, conditions in images.items())


def _listed(conditions: Mapping[str, Boolean], whole: int) -> str:
    """List permutations by case; ``all`` for a case in which every permutation is a symmetry.

    :param whole: the number of all permutations, 0 if they are listed in any case
    """
    cases = {name: {_equations(case) for case in Or.make_args(c)} for name, c in conditions.items()}
    always = [name for name, of_one in cases.items() if frozenset() in of_one]
    texts = ["all"] if len(always) == whole else always
    names = {case: condition_text(And(*case)) for of_one in cases.values() for case in of_one if case}
    for case, text in sorted(names.items(), key=lambda item: (item[1].count(" and "), item[1])):
        if len(cases) == whole and all(any(_follows(c, case) for c in of_one) for of_one in cases.values()):
            texts.append(f"all if {text}")
        else:
            texts += [f"{name} if {text}" for name, of_one in cases.items() if case in of_one]
    return ", ".join(texts)


def _follows(equations: frozenset[Boolean], case: frozenset[Boolean]) -> bool:
    """Whether some equations hold wherever those of a case do, as far as substitution shows."""
    values = {equation.lhs: equation.rhs for equation in case if isinstance(equation, Eq)}
    return equations <= case or And(*equations).subs(values, simultaneous=True) is S.true


def _equations(case: Boolean) -> frozenset[Boolean]:
    return frozenset() if case is S.true else frozenset(And.make_args(case))


# -- Tables, curves and the ends of ranges in words --------------------------------------------------------------------


def cells_text(table: Iterable[Any]) -> str:
    """Write a table.

    >>> cells_text((1, 2, 3, "1/2"))
    '(1, 2, 3, 1/2)'
    """
    return f"({', '.join(map(str, table))})"


def curve_text(path: Iterable[str]) -> str:
    """Describe a curve of tables and its end point."""
    return f"{_point_text(path)} as s -> 0+"


def _point_text(path: Iterable[str]) -> str:
    return cells_text(path).replace(STEP.name, "s")


def growth_text(data: Mapping[str, Any]) -> str:
    """Describe the leading term ``c * s**e * log(1/s)**j`` of a formula that is unbounded on a curve."""
    powers = [f"s**({data['exponent']})"] if data["exponent"] != "0" else []
    powers += [f"log(1/s)**({data['logarithms']})"] if data["logarithms"] != "0" else []
    return f"its leading term is ({data['coefficient']})*{'*'.join(powers)}"


def is_attained(end: Mapping[str, Any]) -> bool | None:
    """Whether one end of a range is attained at positive cells; None if that is not decided."""
    if end["bound"] in ("oo", "-oo"):
        return False
    if not any(STEP.name in cell for cell in end["path"]):
        return True
    return False if end["strict"] is True else None


def ends_sentence(data: Mapping[str, Any]) -> str:
    """State what is known of both ends of a range."""
    return "; ".join(_end(name, data[name]) if name in data else f"{name} end: open" for name in ("lower", "upper"))


def known_ends(data: Mapping[str, Any]) -> list[str]:
    """State what is known of each end of a range that is not open."""
    return [_end(name, data[name]) for name in ("lower", "upper") if name in data]


def _end(name: str, end: Mapping[str, Any]) -> str:
    bound, path = end["bound"], end["path"]
    if bound in ("oo", "-oo"):
        return f"M tends to {bound} at {curve_text(path)}"
    stated = f"M {'>=' if name == 'lower' else '<='} {bound}"
    attained = is_attained(end)
    if attained:
        return f"{stated}, attained at {_point_text(path)}"
    missing = "whether it is attained is not decided" if attained is None else "not attained"
    corner = f" but at {cells_text(end['corner'])}" if "corner" in end else ""
    return f"{stated}, approached at {curve_text(path)}, {missing} at positive cells{corner}"
