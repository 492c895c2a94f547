"""Datasheets: every format says what was decided, numbers in warnings are right, and no name is a command."""

from __future__ import annotations

import dataclasses
import itertools
import re
import shutil
import subprocess
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from math import comb, isfinite
from pathlib import Path

import pytest
from effort import in_one_test, is_thorough, some
from recorded import recorded
from sympy import Integer, Rational, zoo

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric, Parameter
from symmetrics.claims.evidence import Evidence
from symmetrics.cli import main
from symmetrics.language.cells import CELLS
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.writer import formula_text
from symmetrics.library.references import REFERENCES
from symmetrics.pages.datasheet import content as concept
from symmetrics.pages.datasheet.content import _EXCHANGES, symmetry_entries, verdict_entry
from symmetrics.pages.datasheet.values import BALANCED, SKEWED, warned
from symmetrics.pages.lookup import bibtex, page
from symmetrics.pages.plain import number_text, plain_sentence
from symmetrics.query.graph import relatives_of, smallest_disagreement
from symmetrics.query.proving import ends_of
from symmetrics.query.relations import suggested, usable
from symmetrics.tools.documents import Code, Entries, Facts, Grid, Section
from symmetrics.tools.documents.markdown import escaped
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import for_html, for_latex, visible

FORMULA = "TP/(TP + 7*FN/10 + 3*FP/10)"
HOSTILE = (
    "=cmd|' /C calc'!A0 <script>alert(1)</script>|=1+1 a`b```c <i onclick=alert(1)> [x](https://example.org) "
    "\x1b[31mred two\nlines "
    'x" onmouseover="alert(1) $\\input{/etc/passwd}$ \\end{verbatim} }{ \u202etxt.exe --> ]]>'
)


@cache
def sheet_of(text: str) -> sm.Datasheet:
    return sm.datasheet(text)


@cache
def hostile_sheet() -> sm.Datasheet:
    return sm.datasheet(Metric(HOSTILE, TP / (TP + FP)))


def rational(formula: str, table: tuple[int, int, int, int]) -> Fraction | None:
    """Return the value of a formula by other code than the package's: Python's own reading and its fractions."""
    cells = {name: Fraction(count) for name, count in zip(("TP", "FN", "FP", "TN"), table, strict=True)}
    try:
        return eval(compile(formula, "formula", "eval"), {"__builtins__": {}}, cells)
    except ZeroDivisionError:
        return None


def formats(sheet: sm.Datasheet) -> dict[str, str]:
    return {"html": sheet.to_html(), "md": sheet.to_markdown(), "tex": sheet.to_latex(), "txt": sheet.to_text()}


def section(sheet: sm.Datasheet, key: str) -> Section:
    return next(part for part in sheet.sections if part.key == key)


def sentences(part: Section) -> list[str]:
    entries = [entry for block in part.blocks if isinstance(block, Entries) for entry in block.entries]
    return [" ".join(filter(None, (entry.mark, *map(str, entry.text)))) for entry in entries]


# -- what it says ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [FORMULA, *some(sm.metrics, 0, "sheets")])
def test_every_verdict_is_told_in_every_format(name: str) -> None:
    sheet = sheet_of(name)
    written = formats(sheet)
    told_as = {"html": for_html, "md": escaped, "tex": for_latex, "txt": visible}
    flat = {kind: " ".join(text.split()) for kind, text in written.items()}
    assert set(sheet.verdicts) == set(sm.properties)
    for key, verdict in sheet.verdicts.items():
        sentence = plain_sentence(verdict, sm.properties[key], sheet.metric)
        for kind, text in flat.items():
            assert told_as[kind](sentence) in text, (kind, key)
    for part in sheet.sections:
        for kind, text in written.items():
            assert told_as[kind](part.title) in text, (kind, part.key)
    assert written["html"].count("<section") == written["html"].count("</section>") == len(sheet.sections)


@pytest.mark.parametrize("name", ["mcc", FORMULA, *some(sm.metrics, 0, "warnings")])
def test_every_warning_tells_a_verdict(name: str) -> None:
    sheet = sheet_of(name)
    assert set(sheet.warnings) <= set(sheet.verdicts)
    told = sentences(section(sheet, "warnings"))
    assert len(told) == max(1, len(sheet.warnings)) or not sheet.warnings
    for key, text in zip(sheet.warnings, told, strict=False):
        assert plain_sentence(sheet.verdicts[key], sm.properties[key], sheet.metric) in text
        assert sheet.verdicts[key].holds is not None


def test_the_numbers_and_names_of_a_sheet_are_those_of_plain_arithmetic() -> None:
    # The numbers of warnings are those of plain arithmetic.
    sheet = sheet_of(FORMULA)
    (told,) = [text for text in sentences(section(sheet, "warnings")) if text.startswith("Random guessing")]
    skewed, balanced = (rational(FORMULA, tuple(table)) for table in (SKEWED, BALANCED))
    assert (skewed, balanced) == (Fraction(9, 10), Fraction(1, 2))
    assert f"scores {float(skewed):g} at a prior of 0.9" in told
    assert f"and {float(balanced):g} at one of 0.5" in told
    tp, fn, fp, tn = SKEWED
    assert Fraction(tp + fn, sum(SKEWED)) == Fraction(9, 10)
    assert Fraction(tp, fn) == Fraction(fp, tn)  # independent: what is guessed tells nothing of the truth
    for key in sheet.warnings:
        witness = sheet.verdicts[key].witness
        for table, value in zip(witness.tables, witness.values, strict=False) if witness else ():
            found = rational(FORMULA, tuple(table))
            assert Rational(found.numerator, found.denominator) == value
    # The summary says which metric a formula is and what it ignores.
    told = " ".join(sentences(section(sheet_of(FORMULA), "summary")))
    assert "Tversky index" in told
    assert "for its alpha = 3/10 and beta = 7/10, and ranks all tables as that does" in told
    assert "Ignores TN." in told
    for alpha, beta, table in (("3/10", "7/10", (5, 3, 2, 1)), ("3/10", "7/10", (1, 1, 4, 9))):
        assert sm.metrics.tversky.at(alpha=alpha, beta=beta).exact(*table) == Rational(str(rational(FORMULA, table)))


def _relations(sheet: sm.Datasheet) -> list[list[str]]:
    """Return the sentences of each list of relations; a paragraph stands before the second one."""
    blocks = section(sheet, "relations").blocks
    return [[_plain(entry.text) for entry in block.entries] for block in blocks if isinstance(block, Entries)]


def test_a_relation_under_a_condition_stands_apart() -> None:
    weighted = Metric("mine", "w*TP/(TP+FN) + (1-w)*TN/(TN+FP)", parameters="w in [0, 1] = 3/4")
    sheet = sm.datasheet(weighted)
    always, limited = _relations(sheet)
    assert [line.split(" (")[0] for line in always] == ["Mean class-weighted accuracy"]
    assert "True negative rate (tnr): if w = 0, the same function: both rank all tables alike. M = tnr" in limited
    assert all("): if w = " in line for line in limited)
    told = [_plain(entry.text) for entry in section(sheet, "summary").blocks[1].entries]
    assert "If w = 0, it is True negative rate (tnr), and then ranks all tables as that does." in told


def test_a_metric_that_is_related_is_listed_once() -> None:
    sheet = sm.datasheet("f_beta")
    (limited,) = _relations(sheet)
    told = [_plain(entry.text) for entry in section(sheet, "summary").blocks[1].entries]
    for name, condition in (
        ("f1", "if beta = 1, as by default,"),
        ("tversky", "if beta = 1"),
        ("precision", "if beta = 0,"),
    ):
        (line,) = [line for line in limited if f" ({name}): " in line]
        assert f"({name}): {condition}" in line
        assert sum(f" ({name})" in line for line in told) == 1
    names = [re.search(r"\((\w+)\): ", line)[1] for line in limited]
    assert len(names) == len(set(names))


@pytest.mark.thorough
def test_a_relation_under_a_condition_is_told_beside_one_that_always_holds() -> None:
    always, limited = _relations(
        sm.datasheet(Metric("mine", "w*TP/(TP+FN) + (1-w)*FN/(TP+FN)", parameters="w in [0, 1] = 3/4"))
    )
    assert "Precision (precision): if w = 1, the same once predictions and truth are exchanged." in limited[1]
    assert "M = fnr*(1 - 2*w) + w; if w = 0, the same function: both rank all tables alike. M = fnr" in always[0]


@pytest.mark.parametrize(("formula", "words"), [(FORMULA, True), ("TP/(TP + FN/2 + FP/2)", False)])
def test_that_no_exchange_of_cells_does_anything_is_said_where_none_does(formula: str, words: bool) -> None:
    """At one table arithmetic shows that none does, but for FN and FP where their weights are equal."""
    table = (2, 3, 7, 19)
    first = rational(formula, table)
    images = [rational(formula, moved) for moved in itertools.permutations(table)]
    does = [image for image in images if image in (first, -first, 1 - first, 1 / first)]
    assert len(does) == (1 if words else 2)
    metric = Metric("m", sm.parse_formula(formula))
    verdicts = {key: sm.prove(metric, key) for key in ("symmetry_group", "translation_space", "scaling_space")}
    told = [str(*entry.text) for entry in symmetry_entries(verdicts)]
    assert any(text.startswith("No exchange of cells") for text in told) == words


def test_names_and_conditions_of_exchanges() -> None:
    # What holds at all exchanges under one condition is said once.
    w = Parameter("w", 0, 1, default="1/2")
    metric = Metric("m", TP / (TP + w.symbol * FN), (w,))
    verdicts = {key: sm.prove(metric, key) for key in ("symmetry_group", "translation_space", "scaling_space")}
    told = [str(*entry.text) for entry in symmetry_entries(verdicts)]
    assert "It stays the same when cells are exchanged as (FP TN)." in told
    assert "It stays the same under any other exchange of cells, if and only if w = 0." in told
    assert "It turns into 1/M under any exchange of cells, if and only if w = 0." in told
    assert sum("w = 0" in text for text in told) == 2
    # An exchange that has a name is of the cells that are named with it.
    for permutation, name in _EXCHANGES.items():
        assert sorted(permutation) == [0, 1, 2, 3]
        moved = {frozenset(CELL_NAMES[place] for place in pair) for pair in enumerate(permutation) if len({*pair}) == 2}
        assert {frozenset(pair) for pair in re.findall(r"(T[PN]|F[PN]) (?:with|and) (T[PN]|F[PN])", name)} == moved


@pytest.mark.parametrize(("name", "varies"), [("kappa", False), ("certainty_factor", True)])
def test_that_guessing_has_no_fixed_average_is_said_where_it_has_none(name: str, varies: bool) -> None:
    """Of six examples, two or three of them positive, three are drawn at random: the mean over all ways."""
    metric = sm.metrics[name]
    means = set()
    for positive in (2, 3):
        ways = [
            (tp, comb(positive, tp) * comb(6 - positive, 3 - tp)) for tp in range(max(0, positive - 3), positive + 1)
        ]
        values = [(metric.exact(tp, positive - tp, 3 - tp, 3 - positive + tp), weight) for tp, weight in ways if weight]
        means.add(sum(value * weight for value, weight in values) / comb(6, 3))
    assert (len(means) > 1) == varies
    verdicts = {key: recorded(name, key) for key in sm.properties}
    told = [entry.mark for key, entry in warned(metric, metric, verdicts, is_loss=False)]
    assert ("Random guessing has no fixed average." in told) == varies
    assert "Random guessing has no fixed score." not in told


@pytest.mark.thorough
def test_a_limit_that_parameters_decide_is_told_at_their_defaults() -> None:
    """In general the sign of 1 - k decides, which is 0 at k = 1: the page has the limit at the default all the same."""
    formula = "(TP*TN - FP*FN)/((TP+FN)*(FN+TN)*k + (TP+FP)*(FP+TN)*(1-k))"
    told = " ".join(sm.datasheet(sm.Metric("mine", formula, parameters="k in [0, 1] = 1/3")).to_text().split())
    assert "as the prior tends to 0: 0 at k = 1/3; in general not known: the sign of" in told
    told = " ".join(sm.datasheet(sm.Metric("mine", formula, parameters="k in [0, 1]")).to_text().split())
    assert "as the prior tends to 0: not known: the sign of" in told


def test_a_verdict_with_parameters_is_told_in_general_and_at_its_defaults() -> None:
    # A verdict on a formula with parameters is told in general and at its defaults.
    cwa = sm.metrics["cwa"]
    entry = verdict_entry(cwa, sm.prove(cwa, "p1"))
    told = dict(entry.detail)
    assert told["in general"] == ("conditional (w = 1/2)",)
    assert told["at the defaults"] == ("it does not hold",)
    assert told["if and only if"][0].text == "w = 1/2"
    assert "at the defaults" not in dict(verdict_entry(sm.metrics["f1"], sm.prove("f1", "p1")).detail)
    # A formula with a parameter without default is told in general.
    without = Metric("m", sm.parse_formula("w + TP", ("w",)), ("w",))
    assert "bind it with .at(...)" in sm.datasheet(without).to_text()
    if is_thorough():
        assert "at threshold = 1/2" in sm.datasheet("net_benefit").to_text()


@pytest.mark.thorough
def test_the_same_question_has_the_same_answer() -> None:
    assert formats(sm.datasheet(Metric(HOSTILE, TP / (TP + FP)))) == formats(hostile_sheet())


# -- ends of ranges ----------------------------------------------------------------------------------------------------


def test_ends_of_ranges_are_reached_at_their_tables_and_nowhere_passed() -> None:
    tables = [table for table in itertools.product(range(4 if is_thorough() else 3), repeat=4) if any(table)]
    columns = list(zip(*tables, strict=True))
    for name in ["mcc", "cole", "diagnostic_odds_ratio", *some([n for n in sm.metrics if "_" not in n], 1, "ends")]:
        metric = sm.metrics[name]
        if metric.parameters:
            continue
        values = metric.from_counts(*columns)
        for end in ends_of(metric):
            sign = 1 if end.side == "lower" else -1
            bound = float(end.bound)
            kept = values[values == values]
            assert (sign * kept >= sign * bound - 1e-9).all(), (name, end)
            for table in filter(None, (end.inside, end.on_boundary)):
                assert metric.exact(*table) == end.bound, (name, end)
            assert end.on_boundary is None or 0 in end.on_boundary
            assert end.inside is None or 0 not in end.inside
            reached = {table for table, value in zip(tables, values, strict=True) if value == bound and 0 in table}
            if end.on_boundary is None:
                assert not {t for t in reached if metric.exact(*t) == end.bound}, (name, end)
            if end.is_reached is False:
                inside = {t for t, value in zip(tables, values, strict=True) if value == bound and 0 not in t}
                there = {t for t in inside if metric.exact(*t) == end.bound}
                if isfinite(bound):
                    assert not there, (name, end)
                else:  # a pole, where the formula as it is written has no value
                    at = [dict(zip(CELLS, map(Integer, table), strict=True)) for table in there]
                    assert all(metric.at_defaults().xreplace(place).has(zoo) for place in at), (name, end)


def test_both_ranges_of_mcc_are_told() -> None:
    sheet = sheet_of("mcc")
    facts = dict(section(sheet, "range").blocks[0].rows)
    assert facts["on tables of positive cells"] == ("(-1, 1)",)
    assert facts["where cells may be zero"] == ("[-1, 1]",)
    assert "reached at TP=0, FN=1, FP=1, TN=0" in facts["lower end"][0]


@pytest.mark.parametrize(("name", "is_free"), [("tpr", True), ("f1", False)])
def test_whether_the_prior_matters_at_fixed_rates_is_told(name: str, is_free: bool) -> None:
    (facts,) = [block for block in section(sheet_of(name), "prior").blocks if isinstance(block, Facts)]
    told = dict(facts.rows)["derivative by the prior"]
    assert (told == ("0: the prior does not matter at fixed rates",)) is is_free


# -- relatives ---------------------------------------------------------------------------------------------------------


def by_brute_force(first: str, second: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the smallest pair that two formulas put in opposite orders, by trying all pairs in their order."""
    for total in range(4, 11):
        tables = [t for t in itertools.product(range(1, total - 2), repeat=4) if sum(t) <= total]
        pairs = [(sum(a), a, b) for b in tables if sum(b) == total for a in tables if a != b]
        for _, a, b in sorted(pairs):
            left, right = (rational(f, a) - rational(f, b) for f in (first, second))
            if left * right < 0:
                return a, b
    raise AssertionError("no pair")


@pytest.mark.parametrize(("first", "second"), [("accuracy", "f1"), ("precision", "recall"), ("f1", "kappa")])
def test_the_pair_of_tables_is_the_smallest_on_which_two_metrics_disagree(first: str, second: str) -> None:
    metrics = [sm.metrics[name] for name in (first, second)]
    found = smallest_disagreement(*metrics)
    assert tuple(map(tuple, found.tables)) == by_brute_force(*(formula_text(m.expr) for m in metrics))
    for metric, values in zip(metrics, (found.values, found.others), strict=True):
        assert tuple(metric.exact(*table) for table in found.tables) == values
    (a, b), (c, d) = found.values, found.others
    assert (a - b) * (c - d) < 0


def test_relatives_are_sorted_and_disagree_where_they_are_said_to() -> None:
    mine = Metric("mine", sm.parse_formula(FORMULA))
    found = relatives_of(mine, 3)
    assert len(found) == 3
    for relative in found:
        (a, b), (c, d) = relative.disagreement.values, relative.disagreement.others
        assert (a - b) * (c - d) * (-1 if relative.is_reversed else 1) < 0
        assert 0 < relative.opposite < 0.1
    assert "mcc" not in {relative.metric.name for relative in relatives_of(sm.metrics["mcc"], 3)}


def test_relatives_are_shown_with_the_values_of_what_is_named_and_sorted_by_their_first_number() -> None:
    """Of a negative the values are negative, so that every row shows two tables in opposite orders."""
    mine = Metric("mine", sm.parse_formula("3/4*TP/(TP+FN) + 1/4*TN/(TN+FP)"))
    (grid,) = [block for block in section(sm.datasheet(mine), "relatives").blocks if isinstance(block, Grid)]
    shares = [float(row[grid.head.index(("distance",))][0].removesuffix(" %")) for row in grid.rows]
    assert shares == sorted(shares)
    assert any(row[0][0].startswith("the negative of") for row in grid.rows)
    for row in grid.rows:
        (a, b), (c, d) = (
            [
                Rational(str(sm.parse_formula(re.sub(r" \(.*\)", "", number)).evalf()))
                for number in cell[0].split(" and ")
            ]
            for cell in row[-2:]
        )
        assert (a - b) * (c - d) < 0, row
        assert c < 0 or not row[0][0].startswith("the negative of"), row


def test_orders_are_compared_at_many_tables_before_they_are_proved() -> None:
    """Both pairs are ordered alike at the generic tables, and differ at (1, 1, 6, 1) and (1, 2, 5, 2) or the like."""
    mcc = usable(sm.metrics["mcc"].expr)
    for name in ("f_of_means", "sokal_sneath_4"):
        assert "rank_equivalent" not in set(suggested(mcc, usable(sm.metrics[name].at_defaults())))
    assert "rank_equivalent" in set(suggested(mcc, usable(sm.metrics["cole_contingency"].expr)))


# -- formats -----------------------------------------------------------------------------------------------------------


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[str, ...]]] = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, tuple(name for name, _ in attrs)))


def tags_of(text: str) -> list[tuple[str, tuple[str, ...]]]:
    parser = Tags()
    parser.feed(text)
    return parser.found


def renamed(thing, old: str, new: str):
    """Return sections with a name instead of another one."""
    if isinstance(thing, str):
        return thing.replace(old, new).replace(repr(old), repr(new))
    if isinstance(thing, tuple):
        return tuple(renamed(part, old, new) for part in thing)
    if dataclasses.is_dataclass(thing):
        values = {field.name: renamed(getattr(thing, field.name), old, new) for field in dataclasses.fields(thing)}
        return dataclasses.replace(thing, **values)
    return thing


def test_a_hostile_name_changes_no_structure() -> None:
    sheet = hostile_sheet()
    assert HOSTILE in str(sheet.sections) or repr(HOSTILE)[1:-1] in str(sheet.sections)
    plain = dataclasses.replace(
        sheet, metric=Metric("plain", sheet.metric.expr), sections=renamed(sheet.sections, HOSTILE, "plain")
    )
    written, harmless = formats(sheet), formats(plain)
    for text in written.values():
        assert all(letter.isprintable() or letter == "\n" for letter in text)
    assert tags_of(written["html"]) == tags_of(harmless["html"])
    assert not {name for _, names in tags_of(written["html"]) for name in names} & {
        "onmouseover",
        "onclick",
        "src",
        "href",
    }
    assert len(written["md"].splitlines()) == len(harmless["md"].splitlines())
    assert not re.search(r"\\input\b|\\end\{verbatim\}", written["tex"])
    assert depth_is_sound(written["tex"])
    assert commands(written["tex"]) - commands(harmless["tex"]) <= {
        "textbackslash",
        "textasciigrave",
        "textbar",
        "textquotesingle",
    }


def test_a_hostile_name_is_no_command_of_markdown() -> None:
    """Against a reader of Markdown that passes on all tags which it takes for such."""
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark", {"html": True}).enable("table")
    sheet = hostile_sheet()
    harmless = dataclasses.replace(
        sheet, metric=Metric("plain", sheet.metric.expr), sections=renamed(sheet.sections, HOSTILE, "plain")
    )
    read = [reader.render(each.to_markdown()) for each in (sheet, harmless)]
    assert tags_of(read[0]) == tags_of(read[1])
    assert "alert(1)" in read[0]
    assert {tag for tag, _ in tags_of(read[0])}.isdisjoint({"a", "script", "img"})


def test_a_reader_of_markdown_shows_texts_as_they_are() -> None:
    """A backslash before a digit is shown, so that a number at the beginning of a cell may not get one."""
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark")
    for text in ("0.105 %", "-0.009968", "1. x", "12) x", "- x", "-", "+ x", "# x", "= x", "2*a*b", "a_b_c", "1.5. x"):
        assert reader.render(escaped(text)).strip() == f"<p>{text}</p>"


def depth_is_sound(text: str) -> bool:
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def commands(text: str) -> set[str]:
    return set(re.findall(r"\\([A-Za-z]+)", text))


def test_a_page_needs_nothing_from_elsewhere_and_shows_pictures() -> None:
    # A page needs nothing from elsewhere.
    for sheet in (sheet_of("mcc"), hostile_sheet()):
        written = sheet.to_html()
        assert {tag for tag, _ in tags_of(written)}.isdisjoint({"script", "link", "img", "iframe", "object", "a"})
        assert "default-src 'none'" in written
        assert "prefers-color-scheme: dark" in written
        assert "@import" not in written
        assert "url(" not in written
        assert 'name="viewport"' in written
    assert sheet_of("mcc")._repr_html_() in sheet_of("mcc").to_html()
    # A picture is shown and what is none is refused.
    drawn = '<?xml version="1.0"?>\n<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>\n'
    shown = sheet_of("mcc").to_html(pictures=[drawn])
    assert '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>' in shown
    assert "<?xml" not in shown
    with pytest.raises(InputError, match="save it with format='svg'"):
        sheet_of("mcc").to_html(pictures=["drawing.png"])


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize("name", ["mcc", FORMULA, "hostile"])
def test_latex_compiles(name: str, tmp_path: Path) -> None:
    sheet = hostile_sheet() if name == "hostile" else sheet_of(name)
    sheet.to_latex(tmp_path / "sheet.tex")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "sheet.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert run.returncode == 0, run.stdout[-2000:]
    assert b"passwd" not in run.stderr


# -- the command line --------------------------------------------------------------------------------------------------


def test_the_command_line_writes_the_format_of_the_ending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begins_with = {"html": "<!DOCTYPE html>", "md": "# TP/(TP", "tex": "\\documentclass", "txt": "TP/(TP"}
    for ending, begins in some(begins_with.items(), 1, "endings"):
        file = tmp_path / f"sheet.{ending}"
        assert main(["datasheet", "TP/(TP + FN)", "-o", str(file)]) == 0
        assert file.read_text(encoding="utf-8").startswith(begins)
        output, errors = capsys.readouterr()
        assert (output, errors) == (f"wrote {file}\n", "")
    assert main(["datasheet", FORMULA, "-o", str(tmp_path / "sheet.pdf")]) == 2
    assert "use one of .html, .md, .tex, .txt" in capsys.readouterr().err


def test_a_page_at_the_terminal_fits_a_screen() -> None:
    lines = page("mcc").splitlines()
    assert 24 <= len(lines) <= 40
    assert max(map(len, lines)) <= 100
    told = " ".join(" ".join(lines).split())
    for words in (
        "Matthews correlation coefficient (mcc)",
        "(-FN*FP + TN*TP)/sqrt(",
        "(-1, 1) on tables of positive cells, [-1, 1] where cells may be zero",
        "M = 2*normalized_mcc - 1",
        "It depends on each of TP, FN, FP and TN.",
        "stays the same when the two classes are exchanged",
        "Matthews, B. W. (1975)",
    ):
        assert words in told
    # The cells that a metric depends on are told at once.
    assert "- It does not depend on FP or TN; it depends on TP and FN." in page("recall").splitlines()
    assert "does not depend on the true negatives if and only if w = 1" in page("cwa")


# -- sources -----------------------------------------------------------------------------------------------------------


def test_every_reference_is_an_entry_of_bibtex() -> None:
    for key, reference in REFERENCES.items():
        entry = bibtex(reference)
        assert re.match(rf"@(article|inproceedings|misc)\{{{key},\n", entry)
        assert depth_is_sound(entry)
        fields = dict(re.findall(r"(?m)^  (\w+) = \{(.*)\},?$", entry))
        assert fields["year"] == str(reference.year)
        assert fields["author"].count(" and ") == len(reference.authors) - 1
        assert set(fields) & {"journal", "booktitle", "howpublished"}
        digits = re.sub(r"\D", "", reference.venue)
        placed = "".join(fields.get(name, "") for name in ("journal", "booktitle", "howpublished", "volume", "number"))
        assert re.sub(r"\D", "", placed + fields.get("pages", "")) == digits, entry
    assert sheet_of("mcc").bibtex.startswith("@article{matthews1975,")
    assert sheet_of(FORMULA).bibtex == ""


def test_numbers_and_grids_are_whole() -> None:
    # Numbers are exact where that is short.
    for number in (Rational(1, 3), Rational(9, 10), Rational(7), Rational(-5, 14)):
        assert str(number) in number_text(number) or Rational(number_text(number)) == number
    assert number_text((TP / (TP + FN)).xreplace({TP: Rational(1), FN: Rational(0)})) == "1"
    # A grid has a cell for each heading.
    for sheet in (sheet_of("mcc"), sheet_of(FORMULA)):
        for part in sheet.sections:
            for block in part.blocks:
                if isinstance(block, Grid):
                    assert {len(row) for row in block.rows} == {len(block.head)}, part.key
    assert {TN, FP} <= sheet_of("mcc").metric.expr.free_symbols


def test_pictures_are_drawings_of_the_metric_the_same_each_time() -> None:
    pytest.importorskip("matplotlib")
    sheet = sheet_of("mcc")
    drawn = sheet.pictures()
    assert [kind for svg in drawn for kind in ("false positive rate", "prior, and", "tables of 20") if kind in svg] == [
        "false positive rate",
        "prior, and",
        "tables of 20",
    ]
    if is_thorough():
        assert drawn == sheet.pictures()
    assert sheet.to_html(pictures=drawn).count("<svg") == 3


# -- the concept -------------------------------------------------------------------------------------------------------


def _plain(text: tuple[object, ...]) -> str:
    return "".join(part.text if isinstance(part, Code) else str(part) for part in text)


@in_one_test
@pytest.mark.parametrize("name", ["f1", "mcc", "accuracy", "tpr", "cwa"])
def test_the_section_on_shared_properties_is_that_of_the_concepts(name: str) -> None:
    verdicts = {key: sm.prove(name, key) for key in concept.CORE}
    (section,) = concept.concept_sections(sm.metrics[name], verdicts)
    lattice = sm.concepts("all", concept.CORE)
    shown = [_plain(entry.text) for entry in section.blocks[1].entries]
    own = {key for key in concept.CORE if verdicts[key].holds}
    assert own == lattice.of(name).properties
    same = sm.find(**{key: "yes" if key in own else "no" for key in concept.CORE})
    others = [other for other in same if other != name]
    assert shown[0].startswith("Metrics with just the same: ")
    assert all(sm.metrics[other].title in shown[0] for other in others) or "more." in shown[0]
    told = [set(line.removeprefix("Shares ").split(" with: ")[0].split(", ")) for line in shown if "Shares" in line]
    above = [set(one.properties) or {"none of these"} for one in lattice.neighbours(name)]
    assert sorted(map(sorted, told)) == sorted(map(sorted, above))


def test_what_is_open_has_no_section_on_shared_properties() -> None:
    verdicts = {key: sm.prove("f1", key) for key in concept.CORE}
    verdicts["p1"] = dataclasses.replace(
        verdicts["p1"], status="open", holds=None, witness=None, evidence=Evidence("open", {"reason": "not looked at"})
    )
    assert [*concept.concept_sections(sm.metrics["f1"], verdicts)] == []
