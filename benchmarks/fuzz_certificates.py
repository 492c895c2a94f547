"""Certificates in which a name, a value or a sentence was swapped for another: each of them has to be rejected."""

from __future__ import annotations

import copy
import json
import warnings
from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Any

from fuzz_questions import Answer

import symmetrics as sm
from symmetrics.language.writer import formula_text
from symmetrics.query.relations import relations

Question = tuple[str, str, str, str]
"""A metric, a property or ``relation:metric``, what is swapped, and for what, as JSON."""
PARTS = (*("metric", "property") * 3, "leaf", "leaf", "leaf", "answer", "claim")
PARTS += ("status", "holds", "condition", "value", "witness", "evidence")
MATRICES = ("accuracy", "kappa", "mcc", "balanced_accuracy", "error_rate")
MATRIX_LAWS = ("relabelling", "transpose", "homogeneous", "row_scaling", "column_scaling", "diagonal_change")
STATED = ("metric", "property", "claim", "status", "holds", "condition", "value")
"""What a certificate says, without the proof or the counterexample."""
SETTINGS = ("w=1/2", "beta=2", "prior=1/10", "alpha=0")
UNKNOWN = ("nonexistent_metric", "mine", "tpr ", " f1", "", "a" * 200)
UNKNOWN_LAWS = ("nonexistent", "P2")
LIE = "M >= -5 everywhere and M <= 7, attained"


# -- questions -----------------------------------------------------------------------------------------------------


def draw(random: Random) -> list[Question]:
    """Return questions about one certificate: several swaps."""
    names = list(sm.metrics)
    metric = random.choice(names)
    chance = random.random()
    if chance < 0.5:
        key = random.choice(list(sm.properties))
    elif chance < 0.65:
        metric, key = f"{random.choice(MATRICES)} of 2 classes", random.choice(MATRIX_LAWS)
    else:
        key = f"{random.choice(('equal', 'affine', 'less_equal', 'rank_equivalent'))}:{random.choice(names)}"
    return [(metric, key, *_swap(random, metric, key)) for _ in range(6)]


def _swap(random: Random, metric: str, key: str) -> tuple[str, str]:
    part = random.choice(PARTS)
    value: Any = None
    if part == "metric":
        value = _other_name(random, metric)
    elif part == "property":
        name, _, other = key.partition(":")
        changed = [random.choice(list(sm.properties)), key.upper(), key.capitalize(), *UNKNOWN_LAWS]
        changed += [random.choice(list(sm.multiclass_properties)), _misspelt(random, key)]
        if other:
            changed += [f"{name}:{random.choice(list(sm.metrics))}", f"{name}:{other.upper()}", f"{name}:nonexistent"]
            changed += [f"{random.choice(list(relations))}:{other}", f"nonexistent:{other}", name]
            changed += [f"{name}:{_other_name(random, other)}"]
        value = random.choice(changed)
    elif part == "status":
        value = random.choice(("proved", "refuted", "conditional", "open"))
    elif part == "holds":
        value = random.choice((True, False, None))
    elif part == "condition":
        value = random.choice((None, "w = 1/2", "beta = 1", "always", "never", "c = 3/4", "alpha = 0"))
    elif part == "value":
        value = random.choice(
            (None, "[-5, 7]", "{0}", "span{(1, 1, 1, 1)}", "M: identity", "1/2", "0", "M = 2*partner")
        )
    elif part == "witness":
        # A counterexample that is left out says less, and nothing false.
        value = random.choice(("table", "value", "parameter"))
    elif part == "evidence":
        value = LIE
    elif part == "leaf":
        value = random.randrange(1000)
    else:  # the claim, or the answer with its evidence, of another metric
        value = random.choice(list(sm.metrics))
    return part, json.dumps(value)


def _other_name(random: Random, name: str) -> str:
    """Return another name: of the library, of a metric of matrices, nearly one of these, or none of them."""
    known = random.choice([random.choice(list(sm.metrics)), random.choice(list(sm.multiclass)), _alias(random), name])
    return random.choice(
        [
            known,
            *_cases(known),
            *UNKNOWN,
            _misspelt(random, known),
            f"{known} of {random.choice((2, 3, 4, 10))} classes",
            f"{_misspelt(random, known)} of {random.choice(('2 class', '3 classes', 'two classes', 'k classes'))}",
            f"{known} ({random.choice(('transposed', 'negated', 'exchanged', '2*M', *SETTINGS))})",
            f"{known}({random.choice(SETTINGS)})",
            formula_text(sm.metrics[random.choice(list(sm.metrics))].expr),
        ]
    )


def _misspelt(random: Random, name: str) -> str:
    """Return a name as the eye may misread it."""
    place = random.randrange(len(name) + 1)
    return random.choice(
        [
            name[:place] + random.choice(" _-.\u200b\u00a0") + name[place:],
            name.replace("_", random.choice((" ", "-", ""))),
            name.translate(
                str.maketrans(
                    "aeocpx", random.choice(("\u0430\u0435\u043e\u0441\u0440\u0445", "\u00e4\u00e9\u00f6\u00e7px"))
                )
            ),
            name.replace("1", "l").replace("0", "O"),
            "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() else c for c in name),
            random.choice(("the {}", "{} score", "{} of the classes", "binary {}", "{}.", "'{}'")).format(name),
        ]
    )


def _cases(name: str) -> tuple[str, ...]:
    return name.upper(), name.capitalize(), name.title().replace("_", "")


def _alias(random: Random) -> str:
    catalogue = random.choice((sm.metrics, sm.multiclass))
    return random.choice([alias for metric in catalogue.values() for alias in metric.aliases])


# -- answers -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=500)
def certificate(metric: str, key: str) -> dict[str, Any]:
    """Return a certificate, as its JSON values."""
    name, _, other = key.partition(":")
    if metric.endswith(" of 2 classes"):
        verdict = sm.prove(sm.multiclass[metric.removesuffix(" of 2 classes")], key, k=2)
    else:
        verdict = sm.relate(metric, other, name) if other else sm.prove(metric, key)
    return json.loads(verdict.to_json())


def answer(question: Question, random: Random) -> Answer:  # noqa: ARG001 - as the other kinds of questions
    """Return whether a swapped certificate was rejected."""
    metric, key, part, text = question
    original = certificate(metric, key)
    if accepted(original) is None:
        return "rejected", "the certificate was rejected before anything was swapped"
    changed = swapped(original, part, json.loads(text))
    if changed is None or says_the_same(original, changed):
        return "same", None
    read, own = accepted(changed), part in ("metric", "property") and is_unheard_of(changed[part])
    if own:
        # A user's own name: the formula in the certificate was verified, and the report says that the name is unknown.
        return (
            ("accepted", f"{changed[part]!r} was not said to be unknown") if read is not None else ("unheard of", None)
        )
    # What is rebuilt when it is read, and not believed, is no longer a lie.
    if read is None or all(
        read.get(name) == original.get(name) for name in changed if changed[name] != original.get(name)
    ):
        return "rejected", None
    if part == "evidence" and LIE not in read["evidence"]:
        return "rejected", None
    if read["status"] == "open" and read["holds"] is read["value"] is read["condition"] is None:
        return "open", None  # it asserts nothing
    if part in ("leaf", "answer") and all(read[name] == original[name] for name in STATED):
        return "other evidence", None  # it states the same, with another proof or counterexample that was verified
    # An answer can leave out its value, as that of another metric does whose means are no short numbers.
    if part == "answer" and read["value"] is None and all(read[n] == original[n] for n in STATED if n != "value"):
        return "other evidence", None
    return "accepted", f"{part} of {key} of {metric} was swapped for {text[:60]}, and the certificate was accepted"


def swapped(original: Mapping[str, Any], part: str, value: Any) -> dict[str, Any] | None:
    """Return a certificate with one part swapped, or None if there is nothing to swap."""
    changed = copy.deepcopy(dict(original))
    if part == "witness" and value is not None:
        return _other_witness(changed, value)
    if part == "leaf":
        return _other_leaf(changed, value)
    if part == "answer":
        # The answer, with its evidence, to the same question about another metric.
        name, _, other = original["property"].partition(":")
        if other or original["metric"] not in sm.metrics:
            return None
        return {**certificate(value, name), "metric": original["metric"], "claim": original["claim"]}
    if part == "claim":
        # The claim and the evidence of another metric under the old name.
        name, _, other = original["property"].partition(":")
        if other or original["metric"] not in sm.metrics:
            return None
        return {**certificate(value, name), "metric": original["metric"]}
    changed[part] = value
    return changed


def _other_leaf(changed: dict[str, Any], place: int) -> dict[str, Any]:
    """Return a certificate with one text, number or truth value in its claim, witness or evidence changed."""
    leaves = list(_leaves({name: changed[name] for name in ("claim", "witness", "certificate", "condition")}))
    node, key = leaves[place % len(leaves)]
    old = node[key]
    if isinstance(old, bool) or old is None:
        node[key] = not old
    elif isinstance(old, int):
        node[key] = old + 1
    else:
        node[key] = {0: f"{old} + 1", 1: f"({old})*2", 2: "0", 3: "TP"}[place % 4]
    return changed


def _leaves(node: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each place that holds no list and no mapping, by what it is in and its key."""
    for key, child in node.items() if isinstance(node, dict) else enumerate(node):
        if isinstance(child, dict | list):
            yield from _leaves(child)
        else:
            yield node, key


def _other_witness(changed: dict[str, Any], part: str) -> dict[str, Any] | None:
    witness = changed["witness"]
    if witness is None or not witness["tables"]:
        return None
    if part == "table":
        witness["tables"][0]["tp"] = 977
    elif part == "value" and witness["values"]:
        witness["values"][0] = "977/1009"
    elif part == "parameter" and witness["parameters"]:
        witness["parameters"] = dict.fromkeys(witness["parameters"], "-977")
    else:
        return None
    return changed


def says_the_same(original: Mapping[str, Any], changed: Mapping[str, Any]) -> bool:
    """Whether both certificates are about the same formulas and say the same of them."""
    first, second = (
        {**one, "metric": _formula(one["metric"]), "property": _law(one["property"])} for one in (original, changed)
    )
    # Where it is open nothing is asserted, and a value that is left out is none.
    is_open = original["status"] == changed["status"] == "open"
    return is_open or {"value": None} | first == {"value": None} | second


def is_unheard_of(name: str) -> bool:
    """Whether a name, or the last one of a relation, is no spelling of a metric's or a property's."""
    relation, _, other = name.rpartition(":")
    if _constructed(other) is not None:
        return False
    if (relation and relation not in relations) or (not relation and name in UNKNOWN_LAWS):
        return False
    known = [one for metric in sm.metrics.values() for one in (metric.name, *metric.aliases)]
    known += [one for law in sm.properties.values() for one in (law.name, *law.aliases)]
    return _bare(other) not in map(_bare, known)


def _bare(name: str) -> str:
    return name.strip().casefold().replace("_", "")


def _formula(name: str) -> str:
    """Return what a name stands for in a certificate, where another spelling of it is another name."""
    if (metric := _constructed(name)) is not None:
        return str((metric.expr, metric.parameters))
    metric = sm.metrics.get(name)
    if metric is None or name not in (metric.name, *metric.aliases):
        return f"unknown {name}"
    return str((metric.expr, metric.parameters))


def _constructed(name: str) -> sm.Metric | None:
    """Return the metric of a name with what was made of it in parentheses behind, None if it is no such name."""
    base, _, made = name.removesuffix(")").partition("(")
    metric = sm.metrics.get(base.strip())
    try:
        if metric is None or not made:
            return None
        setting, _, value = made.partition("=")
        if made in ("transposed", "negated", "exchanged"):
            found = getattr(metric, made)()
        elif value:
            found = metric.at_prior(value) if setting == "prior" else metric.at(**{setting: value})
        else:
            found = metric.composed(made)
    except sm.SymmetricsError:
        return None
    return found if found.name == name else None


def _law(key: str) -> str:
    name, _, other = key.partition(":")
    if other:
        return f"{relations[name].name if name in relations else name}:{_formula(other)}"
    law = sm.properties.get(key)
    return f"unknown {key}" if law is None or key not in (law.name, *law.aliases) else law.name


def accepted(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return a certificate as it is read, or None if it is rejected, or something in it is said not to be known."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            verdict = sm.Verdict.from_json(json.dumps(data))
            told = sm.check(verdict)
            return None if said or told is not None else verdict.certificate()
        except sm.SymmetricsError:
            return None
