"""Lemmas on structure, on constructions and in lowest terms; definitions have the values of their metrics."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from effort import is_thorough
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy import Integer, Rational, cancel, fraction, sqrt, together
from theories import theory_of

import symmetrics as sm
from symmetrics.claims.theorems.constructions import ConstructionTheorem
from symmetrics.claims.verdict import Verdict
from symmetrics.discovery.constructions import CONSTRUCTIONS, theorems_of
from symmetrics.discovery.theorems import laws
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.language.formula import parse_formula
from symmetrics.library import metrics
from symmetrics.rocq.engine.statements import Formula, Lemma, NotExported, Subject
from symmetrics.rocq.engine.terms import RationalFunction, cancelled, lowest_terms, term
from symmetrics.rocq.families import lemma
from symmetrics.rocq.judge.judging import judge
from symmetrics.rocq.theorems.implications import construction_theory as theory
from symmetrics.tools.errors import UnsupportedError

kernel = pytest.mark.skipif(shutil.which("coqc") is None, reason="no coqc: apt-get install coq")


def subject_of(verdict: Verdict) -> Subject:
    return Subject(Formula(verdict.metric, verdict.claim.subject, verdict.claim.parameters))


def lemma_of(verdict: Verdict) -> Lemma:
    name = f"{verdict.metric}_{verdict.property}"
    return lemma(name, verdict.claim, verdict, subject_of(verdict))


def lemma_on(metric: str, key: str) -> Lemma:
    return lemma_of(sm.prove(metric, key))


def lemmas_on(metric: str, *keys: str) -> str:
    """Return a theory with the lemmas on some properties of a metric."""
    subject = subject_of(sm.prove(metric, keys[0]))
    numbers = subject.numbers
    head = f"From Symmetrics Require Import {numbers.prelude}.\nOpen Scope {numbers.scope}.\n"
    return "\n\n".join([head, subject.formula.definition(), *(lemma_on(metric, key).text for key in keys)]) + "\n"


# -- what is written -------------------------------------------------------------------------------------------------


def test_a_symmetry_group_is_listed_with_the_inverses() -> None:
    text = lemma_on("accuracy", "symmetry_group").text
    assert "Definition accuracy_symmetry_group : Prop :=\n  has_symmetry accuracy accuracy_defined." in text
    assert "Lemma accuracy_symmetry_group_proved : accuracy_symmetry_group /\\\n  symmetry_group accuracy" in text
    statement = text[text.index("Lemma") : text.index("Proof.")]
    members = re.findall(r"\(\((At\w\w), (At\w\w), (At\w\w), (At\w\w)\), (\w+)\)", statement)
    # TP and TN may change places, FN and FP may, and the two pairs may: then the errors are counted
    expected = {
        (*(f"At{cell}" for cell in table), image)
        for image, tables in {
            "Same": [
                ("TP", "FN", "FP", "TN"),
                ("TN", "FN", "FP", "TP"),
                ("TP", "FP", "FN", "TN"),
                ("TN", "FP", "FN", "TP"),
            ],
            "Complement": [
                ("FN", "TP", "TN", "FP"),
                ("FP", "TP", "TN", "FN"),
                ("FN", "TN", "TP", "FP"),
                ("FP", "TN", "TP", "FN"),
            ],
        }.items()
        for table in tables
    }
    assert set(members) == expected
    assert len(members) == 8


def test_no_symmetry_is_a_refutation() -> None:
    text = lemma_on("f_half", "symmetry_group").text
    assert "Lemma f_half_symmetry_group_refuted : ~ f_half_symmetry_group /\\" in text
    assert "[((AtTP, AtFN, AtFP, AtTN), Same)]." in text


def test_a_ratio_is_named_and_a_relation_refuted() -> None:
    assert "exists (2, 0, 0, 0), (2, 1, 1, 0)." in lemma_on("f1", "decomposable").text
    refuted = lemma_on("kappa", "decomposable")
    assert "kappa_decomposable : Prop :=\n  linear_relation kappa kappa_defined." in refuted.text
    assert refuted.name == "kappa_decomposable_refuted"
    assert not refuted.weaker


def test_definedness_is_stated_of_cells_that_may_be_zero() -> None:
    proved, refuted = lemma_on("accuracy", "defined"), lemma_on("precision", "defined")
    assert "Lemma accuracy_defined_everywhere_proved : accuracy_defined_everywhere." in proved.text
    assert "specialize (everywhere 0 0 0 1)" in refuted.text
    assert not proved.weaker
    assert refuted.weaker


def test_directions_of_a_basis_are_all_stated() -> None:
    lemma = lemma_on("tpr", "translation_space")
    assert "moves_freely tpr tpr_defined (0, 0, 1, 0) /\\\n  moves_freely tpr tpr_defined (0, 0, 0, 1)." in lemma.text
    assert "scales_freely tpr tpr_defined (1, 1, 0, 0)%Z" in lemma_on("tpr", "scaling_space").text
    assert "no further directions" in lemma.weaker


def test_two_means_refute_a_constant_baseline() -> None:
    lemma = lemma_on("accuracy", "constant_baseline")
    assert "no_constant_baseline accuracy accuracy_defined (" in lemma.text
    assert "~ accuracy_constant_baseline." in lemma.text


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("metric", "key", "reason"),
    [
        ("wauc", "translation_space", "gradients"),
        ("weighted_accuracy", "symmetry_group", "parameters"),
        ("f_beta", "constant_baseline", "parameters"),
    ],
)
def test_what_is_not_exported_says_why(metric: str, key: str, reason: str) -> None:
    with pytest.raises(NotExported, match=reason):
        lemma_on(metric, key)


# -- what the kernel says --------------------------------------------------------------------------------------------

RATIONAL_KEYS = ("defined", "symmetry_group", "decomposable", "scaling_space", "translation_space", "constant_baseline")


def rejected(text: str, prelude: Path) -> set[str]:
    return set(judge(text, prelude).rejected)


@pytest.mark.thorough
@kernel
def test_the_kernel_accepts_lemmas_on_a_rational_metric(rational_prelude: Path) -> None:
    for metric in ("accuracy", "f_half")[: 2 if is_thorough() else 1]:
        judgement = judge(lemmas_on(metric, *RATIONAL_KEYS), rational_prelude)
        assert not judgement.rejected
        assert len(judgement.accepted) == len(RATIONAL_KEYS)
        assert not judgement.axioms


@pytest.mark.thorough
@kernel
@pytest.mark.parametrize(
    ("key", "written", "altered"),
    [
        ("symmetry_group", "((AtTN, AtFN, AtFP, AtTP), Same)", "((AtTN, AtFN, AtFP, AtTP), Negative)"),
        ("symmetry_group", "((AtTN, AtFN, AtFP, AtTP), Same); ", ""),
        ("decomposable", "exists (1, 0, 0, 1)", "exists (1, 0, 0, 2)"),
        ("translation_space", "(1, 0, 0, -1)", "(1, 0, 0, 1)"),
        ("scaling_space", "(1, 1, 1, 1)%Z", "(1, 1, 1, 2)%Z"),
        ("constant_baseline", "~ accuracy_constant_baseline", "accuracy_constant_baseline"),
        ("defined", "FN + FP + TN + TP == 0", "FN + FP + TN == 0"),
    ],
)
def test_the_kernel_rejects_an_altered_lemma(key: str, written: str, altered: str, rational_prelude: Path) -> None:
    """Which it accepts as they are written: the test above."""
    text = lemmas_on("accuracy", key)
    assert written in text
    assert rejected(text.replace(written, altered), rational_prelude)


@kernel
def test_the_kernel_accepts_lemmas_on_a_metric_with_roots(prelude: Path) -> None:
    judgement = judge(lemmas_on("mcc", "symmetry_group", "scaling_space"), prelude)
    assert not judgement.rejected
    assert not judgement.unknown_axioms


# Theorems on constructions before the kernel of the proof assistant.

needs_coqc = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")


def _equations(construction: str) -> list[ConstructionTheorem]:
    known = laws()
    return [
        theorem
        for theorem in theorems_of(construction)
        if theorem.conclusion in known
        and all(law.sign == "=" for key in (theorem.conclusion, *theorem.premises) for law in known[key])
    ]


def _accepted(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "constructions.v").write_text(text, encoding="utf-8")
    command = ["coqc", "constructions.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)


@needs_coqc
@pytest.mark.thorough
@pytest.mark.parametrize("construction", CONSTRUCTIONS)
def test_the_kernel_accepts_every_theorem_about_equations_without_axioms(construction: str, tmp_path: Path) -> None:
    theorems = _equations(construction)
    found = _accepted(theory(theorems, laws()), tmp_path)
    assert found.returncode == 0, found.stderr
    assert "Closed under the global context" in found.stdout
    assert len(theorems) > 5


@needs_coqc
@pytest.mark.thorough
def test_the_kernel_rejects_a_false_theorem(tmp_path: Path) -> None:
    true = next(t for t in _equations("exchanged") if str(t) == "exchanged turns p2 into p4")
    for false in (replace(true, conclusion="p5"), replace(true, premises=("p3",)), replace(true, proof=((),))):
        try:
            text = theory([false], laws())
        except KeyError:  # its proof names a premise that it has not
            continue
        assert _accepted(text, tmp_path).returncode != 0


def test_a_theory_says_of_which_theorem_a_lemma_is() -> None:
    text = theory(_equations("exchanged"), laws())
    assert "(* exchanged turns p2 into p4 *)" in text
    assert text.count("Qed.") == text.count("Lemma ")
    strict = next(t for t in theorems_of("exchanged") if t.conclusion == "monotone")
    with pytest.raises(UnsupportedError, match="inequalities"):
        theory([strict], laws())


# Lowest terms, against SymPy's, which come from other polynomials.

NUMBERS = st.fractions(min_value=-3, max_value=3, max_denominator=4).map(lambda q: Rational(q.numerator, q.denominator))
LEAVES = st.one_of(st.sampled_from([TP, FN, FP]), NUMBERS)


def grown(parts):
    pairs = st.tuples(parts, parts)
    return st.one_of(
        pairs.map(lambda p: p[0] + p[1]),
        pairs.map(lambda p: p[0] * p[1]),
        pairs.filter(lambda p: p[1] != 0).map(lambda p: p[0] / p[1]),
        parts.map(lambda part: part**2),
    )


@settings(max_examples=60 if is_thorough() else 20, deadline=None)
@given(st.recursive(LEAVES, grown, max_leaves=8))
def test_lowest_terms_are_those_of_sympy(expression):
    try:
        plain = cancel(together(expression))
        above, below = lowest_terms(expression)
    except ZeroDivisionError:
        assume(False)
    assume(plain.is_finite is not False)
    assert cancel(above / below - plain) == 0
    assert cancel(cancelled(expression) - plain) == 0
    expected = fraction(together(plain))  # the quotient of two polynomials; these may be multiplied out differently
    assert (above * expected[1] - below * expected[0]).expand() == 0
    assert above.expand() == above
    assert below.expand() == below


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["f1", "kappa", "odds_ratio", "hamann", "adjusted_rand_index"])
def test_nothing_is_left_to_cancel(name):
    quotient = RationalFunction.of(metrics[name].expr * (TP + 2 * FN) / (TP + 2 * FN))
    assert quotient.above.gcd(quotient.below).is_one()
    assert quotient.below.leading_coefficient() > 0
    above, below = quotient.expressions()
    assert cancel(together(metrics[name].expr - above / below)) == 0


def test_a_root_is_left_to_sympy():
    assert RationalFunction.of(TP / sqrt(TN)) is None
    assert lowest_terms(TP * sqrt(TN) / (TP * FN)) == (sqrt(TN), FN)


def test_a_division_by_zero_everywhere_is_an_error():
    with pytest.raises(ZeroDivisionError, match="zero everywhere"):
        RationalFunction.of(1 / (TP * (TP + 1) - TP**2 - TP))


def test_numbers_have_no_symbols():
    assert lowest_terms(Rational(3, 6)) == (Integer(1), Integer(2))
    assert lowest_terms(Integer(0)) == (Integer(0), Integer(1))


# The definitions in the theories, read by an evaluator of their own: they have the values that the library computes.

ROOT = Path(__file__).parents[1]
TABLES = ((2, 3, 5, 7), (11, 2, 3, 1), (1, 4, 2, 9), (8, 5, 4, 3), (20, 1, 13, 6), (3, 17, 2, 2))
FUNCTIONS: dict[str, tuple[int, Callable[..., object]]] = {
    "sqrt": (1, mpmath.sqrt),
    "ln": (1, mpmath.log),
    "root": (2, lambda degree, x: mpmath.root(x, int(degree))),
    "Rabs": (1, abs),
    "Rmin": (2, min),
    "Rmax": (2, max),
}
_WORD = re.compile(r"[A-Za-z_]\w*|\d+|[()+*/^-]")


class Reader:
    """A term of Rocq that is being evaluated: sums, products, a sign before a product, powers, applications."""

    def __init__(self, text: str, values: Mapping[str, Fraction]) -> None:
        self.words = [*_WORD.findall(text), "end"]
        self.number = mpmath.mpf if {*FUNCTIONS, "PI"} & {*self.words} else Fraction
        self.values = values

    def take(self) -> str:
        return self.words.pop(0)

    def sum(self) -> object:
        value = self.product()
        while self.words[0] in "+-":
            sign, other = self.take(), self.product()
            value = value + other if sign == "+" else value - other  # type: ignore[operator]
        return value

    def product(self) -> object:
        value = self.signed()
        while self.words[0] in "*/":
            sign, other = self.take(), self.signed()
            value = value * other if sign == "*" else value / other  # type: ignore[operator]
        return value

    def signed(self) -> object:
        if self.words[0] == "-":
            self.take()
            return -self.signed()  # type: ignore[operator]
        return self.power()

    def power(self) -> object:
        base = self.application()
        if self.words[0] != "^":
            return base
        self.take()
        return base ** int(self.take())  # type: ignore[operator]

    def application(self) -> object:
        if self.words[0] not in FUNCTIONS:
            return self.atom()
        count, function = FUNCTIONS[self.take()]
        return function(*(self.atom() for _ in range(count)))

    def atom(self) -> object:
        word = self.take()
        if word == "(":
            value = self.sum()
            assert self.take() == ")"
            return value
        if word == "PI":
            return mpmath.pi()
        given = self.values[word] if not word.isdecimal() else Fraction(word)
        return given if self.number is Fraction else self.number(given.numerator) / given.denominator


def definition(name: str) -> tuple[str, str]:
    """Return the variables and the term of the formula that the theory of a metric defines."""
    text = theory_of(name, proofs=False)
    found = re.search(rf"^Definition {name} \(([\w ]+) : [QR]\) : [QR] :=\n  (.*)\.$", text, re.MULTILINE)
    assert found, name
    return found[1], found[2]


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", sm.metrics)
def test_a_definition_has_the_values_of_its_metric(name: str) -> None:
    variables, text = definition(name)
    metric = sm.metrics[name]
    chosen = {p.name: p.default if p.default is not None else p.lower for p in metric.parameters}
    bound = metric.at(**chosen)
    compared = 0
    with mpmath.workdps(40):
        for table in TABLES:
            value = bound.exact(*table)
            if not (value.is_finite and value.is_real):
                continue
            numbers = [Fraction(*map(int, Rational(chosen[p.name]).as_numer_denom())) for p in metric.parameters]
            reader = Reader(text, dict(zip(variables.split(), [*numbers, *map(Fraction, table)], strict=True)))
            found = reader.sum()
            assert reader.words == ["end"]
            if isinstance(found, Fraction):
                assert Rational(found.numerator, found.denominator) == value
            else:
                assert abs(found - mpmath.mpf(str(value.evalf(40)))) < mpmath.mpf(10) ** -30  # type: ignore[operator]
            compared += 1
    assert compared >= 3


@pytest.mark.parametrize("text", ["Min(TP, FN)", "Max(TP, FN)", "Abs(TP - FN)", "1/Min(TP, FN) - Max(TP, 1, FN**2)"])
def test_a_term_has_the_value_of_its_formula(text: str) -> None:
    formula = parse_formula(text)
    for tp, fn in ((2, 3), (3, 2)):
        with mpmath.workdps(40):
            found = Reader(term(formula), {"TP": Fraction(tp), "FN": Fraction(fn)}).sum()
            assert abs(found - mpmath.mpf(str(formula.subs({TP: tp, FN: fn}).evalf(40)))) < 1e-30  # type: ignore[operator]


def test_the_evaluator_reads_as_the_prover_does() -> None:
    assert Reader("1 - 2 - 3", {}).sum() == -4
    assert Reader("12 / 2 / 3 * 2", {}).sum() == 4
    assert Reader("- 2 ^ 2", {}).sum() == -4
    assert Reader("- (1 / 2) + x", {"x": Fraction(1)}).sum() == Fraction(1, 2)
    assert Reader("Rmax (3) (Rmin 5 4) * 2", {}).sum() == 8
