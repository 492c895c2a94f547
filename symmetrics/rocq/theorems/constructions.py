"""Lemmas on constructions: which equations between values of M are equations between values of what is made of it.

The cells are of any field with positive elements, the values of any set, M any function, and what combines its values
any function that is symmetric where the construction is: the means are such.  Every application of a law is a step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations

from symmetrics.claims.comparison import value_symbol
from symmetrics.claims.theorems.constructions import Chain, Construction, ConstructionTheorem
from symmetrics.claims.theorems.laws import Law, image
from symmetrics.language.cells import CELLS, Table
from symmetrics.rocq.theorems.implications import FUNCTION, HEAD, axioms_asked, quantified, term, value, variables
from symmetrics.tools.errors import UnsupportedError

Laws = Mapping[str, Sequence[Law]]


def theory(theorems: Iterable[ConstructionTheorem], laws: Laws) -> str:
    """Return a theory of the theorems whose conclusions and premises are equations.

    :param laws: what each property says
    :raises UnsupportedError: on a theorem about inequalities
    """
    listed = list(theorems)
    lemmas = [_lemma(f"construction_{place}", theorem, laws) for place, theorem in enumerate(listed)]
    last = axioms_asked([f"construction_{place}" for place in range(len(listed))])
    return HEAD + "\n".join(lemmas) + "End AnyMetric.\n" + last


def _lemma(name: str, theorem: ConstructionTheorem, laws: Laws) -> str:
    construction, conclusion = theorem.construction, laws[theorem.conclusion]
    premises = {(key, law.label): law for key in theorem.premises for law in laws[key]}
    if any(law.sign != "=" for law in (*conclusion, *premises.values())):
        raise UnsupportedError(f"{theorem} is about inequalities")
    named = {key: f"H{place}" for place, key in enumerate(premises)}
    given = [f"({named[key]} : {quantified(law, _equation(*law.tables))})" for key, law in premises.items()]
    combined = " -> ".join("V" for _ in (*construction.tables, None))
    goals = [
        quantified(law, f"{_combined(construction, law.tables[0])} = {_combined(construction, law.tables[1])}")
        for law in conclusion
    ]
    binders = " ".join(
        [
            FUNCTION,
            f"(c : {combined})",
            *_symmetries(construction),
            *_constants(construction),
            *given,
        ]
    )
    goal = " /\\ ".join(f"({one})" for one in goals)
    proofs = [
        _proof(construction, law, part, premises, named) for law, part in zip(conclusion, theorem.proof, strict=True)
    ]
    split = "  repeat split.\n" if len(proofs) > 1 else ""
    body = "".join(f"  {{ {proof} }}\n" if len(proofs) > 1 else f"  {proof}\n" for proof in proofs)
    return f"(* {theorem} *)\nLemma {name} {binders} : {goal}.\nProof.\n{split}{body}Qed.\n"


def _proof(
    construction: Construction,
    law: Law,
    part: Sequence[object],
    premises: Mapping[tuple[str, str], Law],
    named: Mapping[tuple[str, str], str],
) -> str:
    tables = [_image(image, table) for table in law.tables for image in construction.tables]
    lines = ["intros."]
    chains = [chain for chain in part if isinstance(chain, Chain)]
    for place, chain in enumerate(chains):
        start, end = value(tables[chain.start]), value(tables[chain.end])
        lines.append(f"assert (E{place} : {start} = {end}).")
        lines.append(f"{{ {' '.join(_steps(chain, premises, named))} }}")
    alike = " ".join(f"try rewrite <- E{place};" for place in range(len(chains)))
    ways = ["congruence"]
    for place, _ in enumerate(_symmetries(construction)):
        ways += [f"(etransitivity; [apply S{place} | congruence])", f"({alike} apply S{place})"]
    lines.append(f"first [{' | '.join(ways)}].")
    return " ".join(lines)


def _steps(
    chain: Chain, premises: Mapping[tuple[str, str], Law], named: Mapping[tuple[str, str], str]
) -> Iterator[str]:
    for step in chain.steps:
        values = " ".join(term(step.at[symbol]) for symbol in variables(premises[step.premise, step.label]))
        turned = "" if step.forward else "symmetry; "
        law = f"{turned}apply ({named[step.premise, step.label]} {values}); positive"
        yield f"eapply eq_trans; [ | eapply eq_trans; [ {law} | ] ]. same."
    yield "same."


def _symmetries(construction: Construction) -> list[str]:
    """Return which exchanges of its values a combination does not notice, and whether equal ones are all alike."""
    values = [value_symbol(place) for place in range(len(construction.tables))]
    names = [f"v{place}" for place in range(len(values))]
    found = []
    quantified = f"forall {' '.join(names)}, c {' '.join(names)} = "
    for order in list(permutations(range(len(values))))[1:]:
        moved = construction.combination.xreplace({v: values[k] for v, k in zip(values, order, strict=True)})
        if moved == construction.combination:
            found.append(quantified + f"c {' '.join(names[k] for k in order)}")
    if len(values) > 1 and not construction.combination.xreplace(dict.fromkeys(values, values[0])).has(values[0]):
        found.append(f"forall v w, c {' '.join('v' for _ in values)} = c {' '.join('w' for _ in values)}")
    return [f"(S{place} : {text})" for place, text in enumerate(found)]


def _constants(construction: Construction) -> list[str]:
    symbols = {s for table in construction.tables for cell in table for s in cell.free_symbols} - set(CELLS)
    return [f"({symbol.name} : K) (pos_{symbol.name} : pos {symbol.name})" for symbol in sorted(symbols, key=str)]


def _equation(left: Table, right: Table) -> str:
    return f"{value(left)} = {value(right)}"


def _combined(construction: Construction, table: Table) -> str:
    return "c " + " ".join(f"({value(_image(image, table))})" for image in construction.tables)


def _image(taken: Table, table: Table) -> Table:
    return image(taken, dict(zip(CELLS, table, strict=True)))
