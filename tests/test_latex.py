"""LaTeX that a paper takes as it is: it compiles, fits its column, and says what the verdicts say."""

from __future__ import annotations

import re
import shutil
import string
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from effort import in_one_test, some
from evidence_examples import EXAMPLES, example
from recorded import recorded

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric
from symmetrics.pages.latex.tabular import condition_latex, prose_latex, value_latex
from symmetrics.tools.errors import CertificateError, InputError
from symmetrics.tools.texts import for_latex

SIX = ["recall", "precision", "f1", "mcc", "cwa", "balanced_accuracy"]
TEN = [
    *("p1", "p2", "actual_scaling", "homogeneous", "transpose", "range", "monotone", "max_agreement"),
    *("constant_baseline", "symmetry_group"),
]
EVIL = "<script>alert(1)</script>|=1+1"
HOSTILE = (EVIL, "$\\input{/etc/passwd}$", "50 % & #_{}~^\\", "a\nb", "Cramér Łuk ïj ß φλ “q” – 中\u0301 \u202e")
HEAD = r"""\documentclass[twocolumn]{article}
\usepackage{booktabs, graphicx, amsmath, amsthm}
\newtheorem{proposition}{Proposition}
\begin{document}
"""
WIDEST = 2.0
"""Points by which a line may stick out of its column; a letter has five."""

needs_latex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")


def compiled(parts: Iterable[str], folder: Path) -> str:
    """Return what LaTeX says of a two-column article with some parts, none of which is wider than its column."""
    file = folder / "article.tex"
    file.write_text("\n\n".join([HEAD, *parts, "\\end{document}\n"]), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", file.name]
    run = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    log = run.stdout.decode(errors="replace")
    assert run.returncode == 0, "\n".join(line for line in log.splitlines() if line.startswith(("!", "l.")))
    wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)]
    assert max(wide, default=0) < WIDEST, log
    return log


# -- compiled ----------------------------------------------------------------------------------------------------------


@needs_latex
def test_six_metrics_by_ten_properties_fit_into_a_column_in_every_form(tmp_path: Path) -> None:
    table = sm.table(SIX, TEN)
    names = {"f1": "$F_1$", "p1": "class exchange"}
    forms = [
        table.to_latex("Six metrics.", "tab:six", legend=True, compact=True, names=names),
        table.to_latex("Turned.", compact=True, transpose=True),
        table.to_latex("Not compact.", legend=True),
        table.to_latex("Over both columns.", legend=True, compact=True, wide=True),
        sm.table(SIX).to_latex("García's.", legend=True),
        sm.table(["f1"]).to_latex(),
        "See Table~\\ref{tab:six}.",
    ]
    compiled(forms, tmp_path)


@needs_latex
def test_paragraphs_compile(tmp_path: Path) -> None:
    # Paragraphs of every kind of evidence compile.
    paragraphs = []
    for place, name in enumerate(some(EXAMPLES, 6)):
        if name != "Z3":
            environment = "proposition" if place % 2 else None
            label = f"prop:{place}" if environment else None
            paragraphs.append(example(name).to_latex(environment=environment, label=label))
    compiled(paragraphs, tmp_path)
    # Hostile names compile and read no file.
    metrics = [Metric(name, (TP + TN) / (TP + 2 * FN + FP + TN)) for name in HOSTILE]
    parts = [sm.table(metrics, ["p1", "range"]).to_latex("Names.", legend=True, compact=True)]
    parts += [sm.prove(metric, "p1").to_latex() for metric in metrics]
    assert "passwd)" not in compiled(parts, tmp_path)


# -- what it says ------------------------------------------------------------------------------------------------------


def cells_of(text: str) -> list[list[str]]:
    """Return the cells of the first tabular of a text, row by row."""
    body = text.split(r"\toprule")[1].split(r"\bottomrule")[0]
    lines = [line for line in body.splitlines() if line.endswith(r"\\")]
    return [[cell.strip() for cell in line.removesuffix(r"\\").split(" & ")] for line in lines]


@pytest.mark.parametrize("transpose", [False, True])
def test_every_cell_has_the_answer_of_its_verdict(transpose: bool) -> None:
    table = sm.table(SIX, TEN)
    head, *rows = cells_of(table.to_latex(compact=True, transpose=transpose))
    if transpose:
        head, *rows = map(list, zip(head, *rows, strict=True))
    assert [re.sub(r"\\rotatebox\{90\}\{(.*)\}", r"\1", cell).replace(r"\_", "_") for cell in head[1:]] == TEN
    for (name, verdicts), row in zip(table.rows, rows, strict=True):
        assert re.sub(r"\\rotatebox\{90\}\{(.*)\}", r"\1", row[0]).replace(r"\_", "_") == name
        for verdict, cell in zip(verdicts, row[1:], strict=True):
            assert cell.split("$")[0] == ("yes" if verdict.holds else "no")
            assert ("$" in cell) == (verdict.condition is not None or verdict.value is not None)


def test_tables_are_signs_or_floats() -> None:
    # Signs stand for yes and no in garcias table alone.
    assert "$-$ means that the metric is invariant" in sm.table().to_latex(legend=True)
    assert "$-$" not in sm.table(["f1"], ["p1", "range"]).to_latex(legend=True)
    assert "`-`" in sm.table(["f1"], ["p2"]).to_markdown()
    assert "`-`" not in sm.table(["f1"], ["p2", "range"]).to_markdown()
    # A bare table is a tabular and any wish makes it a float.
    table = sm.table(["f1"])
    assert table.to_latex().startswith("\\begin{tabular}")
    for wish in ({"caption": "C"}, {"label": "tab:c"}, {"legend": True}, {"compact": True}, {"wide": True}):
        text = table.to_latex(**wish)
        assert text.count("\\begin{table") == text.count("\\end{table") == 1
    assert "\\caption{C}\\smallskip\n\\label{tab:c}" in table.to_latex("C", "tab:c")


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"caption": "50% of them"}, r"where % has another meaning; write \%"),
        ({"caption": "A & B"}, r"where & has another meaning; write \&"),
        ({"label": "a}b"}, "LaTeX reads letters"),
        ({"names": {"f2": "F"}}, "'f2', which is neither a metric nor a property"),
        ({"names": ["f1"]}, "names is a dict"),
    ],
)
def test_wishes_that_latex_cannot_have_are_named(wish: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=re.escape(words)):
        sm.table(["f1"]).to_latex(**wish)  # type: ignore[arg-type]


@in_one_test
@pytest.mark.parametrize("key", some(sm.properties, 8))
def test_a_paragraph_has_claim_tables_and_how_it_was_verified(key: str) -> None:
    for name in some(sm.metrics, 2, key):
        verdict = recorded(name, key)
        text = verdict.to_latex()
        assert text.startswith("\\textbf{")
        assert text.count("{") == text.count("}")
        assert sm.__version__ in text
        assert ("verified again" in text) == (verdict.status != "open" or verdict.holds is not None)
        for table in verdict.witness.tables if verdict.witness else ():
            assert " & ".join(map(str, table)) in text


@pytest.mark.parametrize(("name", "key"), [("precision", "p2"), ("one_way_support", "min_agreement")])
def test_what_was_decided_is_a_proposition_with_a_proof_and_what_is_open_has_none(name: str, key: str) -> None:
    verdict = recorded(name, key)
    is_open = name == "one_way_support"
    assert (verdict.status == "open") == is_open
    text = verdict.to_latex(environment="proposition", label="prop:a")
    begun = ["proposition"] if is_open else ["proposition", "proof"]
    assert re.findall(r"\\begin\{(proposition|proof)\}", text) == begun
    assert re.findall(r"\\end\{(proposition|proof)\}", text) == begun
    assert text.splitlines()[0].endswith(r"]\label{prop:a}")


def test_paragraphs_believe_no_forged_verdict() -> None:
    # A forged verdict gets no paragraph.
    from dataclasses import replace

    lie = replace(sm.prove("precision", "p2"), metric="kappa", claim=sm.properties["p2"].claim(sm.metrics["kappa"]))
    assert lie.evidence.sentence  # it can be put into words
    with pytest.raises(CertificateError):
        lie.to_latex()
    # A paragraph does not believe the names of a verdict. The statement of p1 must not stand above the proof of p2,
    # nor kappa's title above the formula of another one.
    from dataclasses import replace

    renamed = replace(sm.prove("precision", "p2"), metric="kappa", property="p1")
    text = renamed.to_latex()
    assert "Cohen" not in text
    assert "classes are exchanged" not in text


@pytest.mark.parametrize(
    ("wish", "words"),
    [({"label": "a"}, "belongs to a theorem environment"), ({"environment": "a}b"}, "reads letters there")],
)
def test_paragraphs_refuse_what_latex_cannot_read(wish: dict[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        sm.prove("precision", "p2").to_latex(**wish)


# -- the parts ---------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize("name", some(EXAMPLES, 12))
def test_formulas_are_closed_and_every_word_of_a_sentence_stays(name: str) -> None:
    sentence = example(name).evidence.sentence
    written = prose_latex(sentence)
    assert written.count("$") % 2 == 0
    words = re.findall(r"[a-z]{4,}", sentence)
    assert [word for word in words if word not in ("partner", "span", "sqrt")] == [
        word
        for word in re.findall(
            r"(?<!\\)[a-z]{4,}", re.sub(r"\\[a-z]+(\{(partner|span|sqrt|abs|max|min)\})?", " ", written)
        )
        if word not in ("partner", "span", "sqrt")
    ]


def test_values_and_distances_are_formulas() -> None:
    # Conditions and values are formulas.
    condition = sm.prove("weighted_accuracy", "p2").condition
    assert condition is not None
    assert condition_latex(condition) == "($w_{2} = 0$ and $w_{3} = 0$) or $w_{4} = 0$"
    assert value_latex("(-oo, 1/2]") == "$(-\\infty, 1/2]$"
    # No letter is a command.
    special = set("\\{}$&#^_~%")
    for letter in map(chr, range(0x20, 0x2FFF)):
        written = for_latex(letter)
        assert written.isascii(), letter
        assert written != letter or letter not in special, letter
    # Distances between classes have their powers.
    linear, quadratic = (sm.multiclass[f"kappa_{weights}"].latex for weights in ("linear", "quadratic"))
    assert linear.count(distance := r"\left|i - j\right|") == quadratic.count(distance + "^{2}") == 2
    assert "^" not in linear


def test_notes_and_ranges_of_tables() -> None:
    # Notes are lettered in the order of reading and each stands below.
    for transpose in (False, True):
        text = sm.table(SIX, TEN).to_latex(compact=True, transpose=transpose)
        tabular, below = text.split(r"\bottomrule")
        used = re.findall(r"\\mathrm\{(\w+)\}\}\$(?!~)", tabular)
        first = list(dict.fromkeys(used))
        assert first == [chr(ord("a") + place) for place in range(len(first))]
        assert re.findall(r"\\mathrm\{(\w+)\}\}\$~", below) == first
    # Notes have letters of their own and two after z.
    text = sm.table(list(sm.metrics)[:170], ["range"]).to_latex(compact=True)
    letters = re.findall(r"\\mathrm\{(.+?)\}\}\$~", text)
    assert len(letters) > 26
    assert letters[:27] == [*string.ascii_lowercase, "aa"]
    assert len(set(letters)) == len(letters)
    # Ranges are told for positive cells and for all in every form.
    table = sm.table(["mcc"], ["range"])
    assert "$(-1, 1)$, at zero cells $-1$ and $1$" in table.to_latex()
    assert "$(-1, 1)$, at zero cells $-1$ and $1$" in table.to_latex(compact=True)
    assert "(-1, 1)</code>, at zero cells -1 and 1" in table.to_html()
