"""Metrics as code elsewhere: whatever they are written in, other programs compute the values of ``from_counts``."""

from __future__ import annotations

import ast
import csv
import doctest
import importlib.util
import itertools
import json
import math
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import in_one_test, is_thorough, some
from sympy import Rational, expand, latex, log, sqrt

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric
from symmetrics.cli import main
from symmetrics.codegen.forms import with_exact_differences
from symmetrics.codegen.languages import LANGUAGES, OPERATORS
from symmetrics.codegen.recipe import recipe_of
from symmetrics.codegen.scripts import SPREADSHEET_FUNCTIONS, function_name
from symmetrics.codegen.tables import FRAME_OPERATIONS, SQL_OPERATIONS
from symmetrics.metric.export import CODE_LANGUAGES, SQL_DIALECTS
from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.terms import ProductDifference
from symmetrics.tools.errors import DefinitionError, InputError, UnknownNameError, UnsupportedError

PAGE = Path(__file__).resolve().parent.parent / "docs" / "elsewhere.md"
COLUMNS = ("tp", "fn", "fp", "tn")
FEW = slice(0, 432)
"""Tables for what is slow to read programs."""
FORMULAS = (
    "TP/(TP - FN)",
    "(FP - TN)/(TP - FN)**2",
    "(TP - FN)/FP",
    "TP/FP - TN/FN",
    "log(TP - FN)",
    "sqrt(TP*TN - FN*FP)",
    "FN*log(FN)*sqrt(FP - FN)",
    "(TP/(TP + FN))**(1/3)",
    "TP**2/((TP + FP)*(FN - TN))",
    "Min(TP, FN)/(TP - FN)",
    "1/log(TP + 1)",
    "Max((FN + TN)/FN, (FP + TN)/FP)",
    "-Max(TP/FN, TN/FP)",
    "TN/Max(TP, FN - FP)",
    "Abs((TP - FN)/FP)",
    "Abs(log(TP/(TP + FN)))",
    "Max(TP, Abs((TP - FN)/FP))",
    "log(5/3)*TP/(TP + FN)",
    "1",
)
"""Poles of both signs, divisors that can be zero on a face alone, extremes of what is infinite, roots and logarithms of
what may be negative, missing limits."""
REFUSED = {
    "duckdb": {"stiles"},
    "sqlite": {"stiles", "adjusted_rand_index"},
    "c": {"stiles"},
    "excel": {"stiles", "normalized_mutual_information", "geometric_normalized_mutual_information"},
}
"""The metrics of the library that cannot be written so; docs/elsewhere.md says why."""


@cache
def tables(number: int) -> np.ndarray[Any, Any]:
    """Return tables on all faces: small counts, large, tiny and fractional ones, equal cells, independent classes."""
    random = np.random.default_rng(18)
    rows = []
    for place in range(number):
        factors = np.floor(10 ** random.uniform(0, 4, 4)) + 1
        few = 10 ** random.uniform(-3, 9, 2)
        kinds: list[Callable[[], Any]] = [
            lambda: random.integers(0, 6, 4),
            lambda: np.floor(10 ** random.uniform(0, 15, 4)),
            lambda: 10 ** random.uniform(-12, 3, 4),
            lambda: 10 ** random.uniform(-9, 15, 4),
            lambda: np.floor(10 ** random.uniform(0, 12)) + random.integers(0, 3, 4),
            lambda: random.permutation(np.repeat(few, 2)),  # noqa: B023
            lambda: random.choice([1, 1e-9, 1e15, 1e12, 0.5, 1 / 3, 1e9 + 1], 4),
            lambda: np.outer(factors[:2], factors[2:]).reshape(-1) + random.integers(0, 2),  # noqa: B023
            lambda: random.uniform(0, 1, 4),
        ]
        row = np.asarray(kinds[place % len(kinds)](), dtype=float)
        rows.append(np.where([place // len(kinds) >> cell & 1 for cell in range(4)], 0.0, row))
    return np.array([row for row in rows if not is_near_one(row)])


def is_near_one(row: np.ndarray[Any, Any]) -> bool:
    """Whether the cells of a table sum to almost 1: the digits of n - 1 are what code elsewhere does lose."""
    sums = [sum(part) for size in (2, 3, 4) for part in itertools.combinations(row.tolist(), size)]
    return any(0 < abs(total - 1) < 1e-6 for total in sums)


def hostile() -> np.ndarray[Any, Any]:
    return tables(10_000 if is_thorough() else 300)


@cache
def chosen() -> dict[str, sm.Metric]:
    """Return some metrics of the library and most of the formulas; all in a thorough run."""
    metrics = {name: sm.metrics[name] for name in some([*sm.metrics], 2, "test_written") if name != "stiles"}
    *others, constant = enumerate(FORMULAS)
    formulas = [*some(others, 8, "formulas to write"), constant]
    return metrics | {f"formula {n}": sm.Metric(f"formula {n}", sm.parse_formula(text)) for n, text in formulas}


@cache
def wanted(name: str) -> np.ndarray[Any, Any]:
    return np.asarray(chosen()[name].from_counts(*hostile().T))


def assert_same(name: str, found: np.ndarray[Any, Any], rows: slice = slice(None)) -> None:
    """Fail at a table at which a value, a pole or nan differs."""
    expected = wanted(name)[rows]
    with np.errstate(invalid="ignore"):
        close = np.isfinite(expected) & (np.abs(found - expected) <= 1e-9 * np.maximum(1, np.abs(expected)))
    wrong = np.flatnonzero(~(close | (found == expected) | (np.isnan(found) & np.isnan(expected))))
    shown = [(hostile()[rows][place].tolist(), found[place], expected[place]) for place in wrong[:3]]
    assert not wrong.size, (name, wrong.size, shown)


def written(language: str) -> dict[str, str]:
    """Return the chosen metrics as code, but those that are refused."""
    refused = REFUSED.get(language, set())
    return {name: metric.to_code(language) for name, metric in chosen().items() if name not in refused}


# -- SQL ---------------------------------------------------------------------------------------------------------------


def test_duckdb_computes_the_values_of_the_arrays() -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")
        connection.execute("CREATE TABLE tables (tp DOUBLE, fn DOUBLE, fp DOUBLE, tn DOUBLE)")
        names = dict(zip(COLUMNS, hostile().T, strict=True))
        connection.register("given", names)
        connection.execute("INSERT INTO tables SELECT tp, fn, fp, tn FROM given")
        for name, metric in chosen().items():
            column = connection.execute(f"SELECT {metric.to_sql()} AS found FROM tables").fetchnumpy()["found"]
            assert_same(name, np.ma.filled(np.ma.asarray(column, dtype=np.float64), np.nan))


def test_sqlite_computes_the_values_of_the_arrays() -> None:
    pytest.importorskip("sqlglot")
    with sqlite3.connect(":memory:") as connection:
        try:
            connection.execute("SELECT ln(1.0), atanh(0.0)")
        except sqlite3.OperationalError:
            pytest.skip("this SQLite was built without its mathematical functions")
        connection.execute("CREATE TABLE tables (tp REAL, fn REAL, fp REAL, tn REAL)")
        connection.executemany("INSERT INTO tables VALUES (?, ?, ?, ?)", hostile().tolist())
        for name, metric in chosen().items():
            if name not in REFUSED["sqlite"]:
                rows = connection.execute(f"SELECT {metric.to_sql('sqlite')} FROM tables").fetchall()
                assert_same(name, np.array([math.nan if row[0] is None else row[0] for row in rows]))


def test_whole_numbers_are_not_divided_as_such_and_what_is_no_count_has_no_value() -> None:
    duckdb = pytest.importorskip("duckdb")
    query = "SELECT {} FROM (SELECT {} AS tp, 1 AS fn, {} AS fp, 3 AS tn)"

    connection = duckdb.connect()

    def value(text: str) -> Any:
        return connection.execute(text).fetchone()[0]

    for kind, metric in itertools.product(("TINYINT", "INTEGER", "BIGINT", "DECIMAL(9, 2)"), ("precision", "mcc")):
        expression = sm.metrics[metric].to_sql()
        found = value(query.format(expression, f"2::{kind}", f"1::{kind}"))
        assert found == pytest.approx(sm.metrics[metric].from_counts(2, 1, 1, 3), abs=1e-15)
    for bad in ("NULL", "-1", "'nan'::DOUBLE", "'inf'::DOUBLE", "1e301"):
        expression = sm.metrics["accuracy"].to_sql()
        assert value(query.format(expression, bad, "1")) is None, bad
    wide = sm.metrics["determinant"].to_sql()
    assert value(query.format(wide, "127::TINYINT", "127::TINYINT")) == 254
    connection.close()


@pytest.mark.parametrize("kind", ["TEXT", "", "REAL"])
def test_a_text_that_is_no_number_is_no_zero_in_sqlite(kind: str) -> None:
    pytest.importorskip("sqlglot")
    written = {name: sm.metrics[name].to_sql("sqlite") for name in ("accuracy", "kappa")}
    assert "1e-" in written["kappa"]  # it has a smallest cell, so that zeros are asked for by themselves
    given: dict[object, int | None] = {"": None, "NA": None, "8x": None, "Infinity": None, "8": 8, " 8 ": 8, b"8": None}
    given |= {9: 9, 10**15: 10**15, 0: 0, "0": 0, None: None, "-1": None}
    with sqlite3.connect(":memory:") as connection:
        connection.execute(f"CREATE TABLE tables (tp {kind}, fn {kind}, fp {kind}, tn {kind})")
        for cell, count in given.items():
            connection.execute("DELETE FROM tables")
            connection.execute("INSERT INTO tables VALUES (?, '1', 2, '3')", (cell,))
            for name, expression in written.items():
                (found,) = connection.execute(f"SELECT {expression} FROM tables").fetchone()
                expected = None if count is None else pytest.approx(sm.metrics[name].from_counts(count, 1, 2, 3))
                assert found == expected, (cell, name)


@pytest.mark.parametrize("dialect", SQL_DIALECTS)
def test_names_of_columns_are_quoted_whatever_they_are(dialect: str) -> None:
    sqlglot = pytest.importorskip("sqlglot")
    names = ('t"p', "f`n; DROP TABLE x; --", "f'p", "t\\n)")
    tree = sqlglot.parse_one(sm.metrics["positive_likelihood_ratio"].to_sql(dialect, *names), dialect=dialect)
    assert {column.name for column in tree.find_all(sqlglot.exp.Column)} == set(names)
    assert not list(tree.find_all(sqlglot.exp.Command, sqlglot.exp.Drop))


def test_every_dialect_has_its_own_infinity() -> None:
    pytest.importorskip("sqlglot")
    words = ("'Infinity' AS DOUBLE)", "'Infinity' AS DOUBLE PRECISION)", "9e999", "'inf' AS FLOAT64)")
    for dialect, word in zip(SQL_DIALECTS, (*words, "'inf' AS DOUBLE)", "'Infinity' AS DOUBLE)"), strict=True):
        assert word in sm.metrics["positive_likelihood_ratio"].to_sql(dialect), dialect


# -- data frames -------------------------------------------------------------------------------------------------------


def test_polars_computes_the_values_of_the_arrays() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(dict(zip(COLUMNS, hostile().T.copy(), strict=True)))
    for name, metric in chosen().items():
        found = frame.select(metric.to_polars().cast(polars.Float64).alias("found"))["found"]
        assert_same(name, found.to_numpy())
    whole = polars.DataFrame({"a": [3, None, -1], "b": [1, 1, 1], "c": [1, 1, 1], "d": [1, 1, 1]})
    found = whole.select(sm.metrics["precision"].to_polars("a", "b", "c", "d").alias("found"))["found"]
    assert found.to_list() == [0.75, None, None]


def test_narwhals_computes_the_values_of_the_arrays() -> None:
    narwhals, pandas = pytest.importorskip("narwhals"), pytest.importorskip("pandas")
    rows = FEW
    frame = narwhals.from_native(pandas.DataFrame(hostile()[rows], columns=list(COLUMNS)))
    for name, metric in list(chosen().items())[: 40 if is_thorough() else 2]:
        found = frame.select(metric.to_narwhals().cast(narwhals.Float64).alias("found"))["found"]
        assert_same(name, found.to_native().to_numpy(dtype=float, na_value=math.nan), rows)


# -- other languages ---------------------------------------------------------------------------------------------------


def run(command: list[str], folder: Path) -> str:
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=280, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    return ended.stdout


def program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path=str(Path.home() / ".cargo" / "bin"))  # where rustup puts it
    return found if found is not None else pytest.skip(f"{name} is not installed")


def compare(output: str, names: list[str], rows: slice = slice(None)) -> None:
    """Compare lines of values, one line a metric."""
    for name, line in zip(names, output.splitlines(), strict=True):
        assert_same(name, np.array([float(word) for word in line.replace("Infinity", "inf").split()]), rows)


def rows_in(opening: str, closing: str, chosen_rows: slice = slice(None)) -> str:
    rows = (f"{opening}{', '.join(map(repr, row))}{closing}" for row in hostile()[chosen_rows].tolist())
    return ",\n".join(rows)


def test_c_computes_the_values_of_the_arrays(tmp_path: Path) -> None:
    codes = written("c")
    calls = [f"    out({function_name(name)});" for name in codes]
    text = [
        "#include <stdio.h>",
        *codes.values(),
        f"static double rows[][4] = {{{rows_in('{', '}')}}};",
        "static void out(double (*f)(double, double, double, double)) {",
        "    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)",
        '        printf("%.17g ", f(rows[i][0], rows[i][1], rows[i][2], rows[i][3]));',
        '    printf("\\n");',
        "}",
        "int main(void) {",
        *calls,
        "    return 0;",
        "}",
    ]
    (tmp_path / "all.c").write_text("\n".join(text), encoding="utf-8")
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-pedantic"]
    run([program("cc"), *strict, "all.c", "-lm", "-o", "all"], tmp_path)
    compare(run(["./all"], tmp_path), list(codes))


def test_javascript_computes_the_values_of_the_arrays(tmp_path: Path) -> None:
    codes = written("javascript")
    calls = [f"console.log(rows.map(row => {function_name(name)}(...row)).join(' '));" for name in codes]
    rows = f"const rows = {json.dumps(hostile().tolist())};"
    (tmp_path / "all.js").write_text("\n".join(['"use strict";', *codes.values(), rows, *calls]), encoding="utf-8")
    compare(run([program("node"), "all.js"], tmp_path), list(codes))


def test_what_is_no_number_has_no_value_in_javascript(tmp_path: Path) -> None:
    code = sm.metrics["f1"].to_code("javascript")
    bad = ("null", "undefined", "'8'", "''", "8n", "true", "[8]", "NaN", "Infinity")
    calls = [f"console.log(f1(3, {cell}, 1, 2));" for cell in (*bad, "2")]
    (tmp_path / "one.js").write_text("\n".join([code, *calls]), encoding="utf-8")
    found = run([program("node"), "one.js"], tmp_path).split()
    assert found == ["NaN"] * len(bad) + [repr(sm.metrics["f1"].from_counts(3, 2, 1, 2))]


@pytest.mark.thorough
def test_rust_computes_the_values_of_the_arrays(tmp_path: Path) -> None:
    codes = written("rust")
    calls = [f"    out({function_name(name)});" for name in codes]
    text = [
        "#![allow(unused_variables, unused_parens)]",
        *codes.values(),
        f"const ROWS: &[[f64; 4]] = &[{rows_in('[', ']', FEW)}];",
        "fn out(f: fn(f64, f64, f64, f64) -> f64) {",
        '    let all: Vec<String> = ROWS.iter().map(|r| format!("{:e}", f(r[0], r[1], r[2], r[3]))).collect();',
        '    println!("{}", all.join(" "));',
        "}",
        "fn main() {",
        *calls,
        "}",
    ]
    (tmp_path / "all.rs").write_text("\n".join(text), encoding="utf-8")
    run([program("rustc"), "-A", "non_snake_case", "all.rs"], tmp_path)
    compare(run(["./all"], tmp_path), list(codes), FEW)


SHEET = "CSV:44,34,76,1,,1033,false,true,false,false,false,0,true"
"""LibreOffice reads formulas in a CSV file as such; its other words are the separator, the quotes and the language."""
RESULT = "csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,false,false,false"


@pytest.mark.thorough
def test_spreadsheets_compute_the_values_of_the_arrays(tmp_path: Path) -> None:
    codes, rows = written("excel"), slice(0, 432, 3)
    with (tmp_path / "in.csv").open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        for place, row in enumerate(hostile()[rows].tolist(), 1):
            copied = (re.sub(r"\b([A-D])2\b", rf"\g<1>{place}", code) for code in codes.values())
            lines.writerow([*map(repr, row), *copied])
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    words = [f"--infilter={SHEET}", "--convert-to", RESULT, "--outdir", "out", "in.csv"]
    run([program("soffice"), "--headless", profile, *words], tmp_path)
    # What other programs call #NUM! is error 502 here.
    special = {"#N/A": math.nan, "#DIV/0!": math.inf, "Err:502": -math.inf}
    with (tmp_path / "out" / "in.csv").open(newline="", encoding="utf-8") as file:
        found = [[special[cell] if cell in special else float(cell) for cell in line] for line in csv.reader(file)]
    for name, values in zip(codes, np.array(found).T[4:], strict=True):
        assert_same(name, values, rows)


class _Choices(ast.NodeTransformer):
    """Makes ``IF(a, b, c)`` what Python evaluates only one branch of."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return ast.IfExp(*node.args) if node.func.id == "IF" else node


SHEET_FUNCTIONS = {
    **{"AND": lambda *tests: all(tests), "OR": lambda *tests: any(tests), "COUNT": lambda *cells: len(cells)},
    **{"MIN": min, "MAX": max, "ABS": abs, "POWER": math.pow, "SQRT": math.sqrt, "LN": math.log, "ATANH": math.atanh},
    "NA": lambda: math.nan,
}


def reckoned(formula: str, rows: list[list[float]]) -> Iterator[float]:
    """Yield the values of a formula of a spreadsheet, by Python; #NUM! is minus infinity, #DIV/0! infinity."""
    text = re.sub("(?<![<>])=", "==", formula.removeprefix("=")).replace("<>", "!=")
    tree = ast.fix_missing_locations(_Choices().visit(ast.parse(text, mode="eval")))
    program = compile(tree, "formula", "eval")
    for row in rows:
        cells = dict(zip(("A2", "B2", "C2", "D2"), row, strict=True))
        try:
            yield float(eval(program, {"__builtins__": {}}, SHEET_FUNCTIONS | cells))
        except ZeroDivisionError:
            yield math.inf
        except ValueError:
            yield -math.inf


def test_formulas_of_spreadsheets_reckoned_by_python_have_the_values_of_the_arrays() -> None:
    rows = slice(0, 432, 3)
    for name, code in written("excel").items():
        assert_same(name, np.array([*reckoned(code, hostile()[rows].tolist())]), rows)


def reckoned_at(text: str, *table: float) -> float:
    """Return what code elsewhere makes of a formula at one table, as Python reckons it."""
    return next(reckoned(sm.Metric("m", sm.parse_formula(text)).to_code("excel"), [[*map(float, table)]]))


@pytest.mark.parametrize(
    ("text", "table"),
    [("Max(-TP/(2*FP + TN - FN), FN)", (5, 0, 0, 0)), ("Min(TN, (FN - 2*FP)/(2*TN - TP))", (0, 3, 0, 0))],
)
def test_an_extreme_of_a_pole_whose_sign_depends_on_the_path_has_no_value(text: str, table: tuple[int, ...]) -> None:
    assert math.isnan(sm.Metric("m", sm.parse_formula(text)).from_counts(*table))
    assert math.isnan(reckoned_at(text, *table))


def test_poles_and_roots_elsewhere() -> None:
    # An absolute value is infinite at a pole of either sign and a root has no value.
    assert reckoned_at("Abs((TN - TP)/FN)", 5, 0, 1, 2) == reckoned_at("Abs((TN - TP)/FN)", 2, 0, 1, 5) == math.inf
    assert math.isnan(reckoned_at("Abs((TN - TP)/FN)", 5, 0, 1, 5))
    assert math.isnan(reckoned_at("sqrt((TN - TP)/FN)", 5, 0, 1, 2))
    # An extreme of a pole below all bounds is the other argument.
    assert reckoned_at("Max(TP/(-FN - FP), TN)", 5, 0, 0, 3) == 3
    # A formula that is real at no positive table has no value there. Nothing is known of where its roots are real,
    # unlike those of formulas in lowest terms.
    assert math.isnan(reckoned_at("Min(sqrt(-FP), 2*TN)", 1, 1, 1, 1))
    assert math.isnan(reckoned_at("sqrt(-TP)*TN", 1, 1, 1, 1))
    assert reckoned_at("sqrt(-TP)*TN", 0, 1, 1, 1) == 0


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("TN/(FP + TP) - FN + TN - TP", (0, 236986085, 236986085, 236986086)),
        ("FN/(FP + 2*TP) - FN - TN + TP", (12345678901, 12345678890, 12345678890, 3)),
        ("3*FN - FP - TP", (331781467133, 331781467137, 663562934277, 1)),
        ("Min(1, (TN - 2*FN + FP)/(3*FN - TN - TP))", (1, 2, 5, 3)),
    ],
)
def test_where_large_counts_cancel_the_rest_keeps_its_digits(text: str, table: tuple[int, ...]) -> None:
    expected = sm.Metric("m", sm.parse_formula(text)).from_counts(*table)
    assert reckoned_at(text, *table) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("TN/Min(2*FN, 2*TP, Max(-2*FN, 2*FN + FP - TP))", (0.02571832782559032, 0, 0.18189942135886, 1)),
        ("Max(FN/TN, (FN - FP)/TP)", (0, 0.09441351416386018, 0.6773329004682421, 4717.253802795922)),
        ("3*FP/Max(-3*FP*TP, -FP/(FN - FP))", (3, 3136328410431, 0, 2)),
    ],
)
def test_what_may_be_rounding_alone_is_no_divisor_no_sign_and_no_value(text: str, table: tuple[float, ...]) -> None:
    """In lowest terms the extremes are sums of absolute values, of which nothing is left but what rounding leaves."""
    expected = sm.Metric("m", sm.parse_formula(text)).from_counts(*table)
    found = reckoned_at(text, *table)
    assert math.isnan(found) or found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@in_one_test
@pytest.mark.parametrize("text", ["TP*log(TP)/(FN - FP)", "FN + TP*log(TP)/(FN - FP)"])
def test_a_limit_on_a_face_is_none_where_its_divisor_is_zero(text: str) -> None:
    metric = sm.Metric("m", text)
    assert math.isnan(metric.from_counts(0, 2, 2, 1))
    assert math.isnan(reckoned_at(text, 0, 2, 2, 1))
    assert reckoned_at(text, 0, 3, 2, 1) == metric.from_counts(0, 3, 2, 1)


def test_latex_shows_the_formula_and_its_values_at_zeros() -> None:
    shown = sm.metrics["yule_q"].to_code("latex")
    assert shown.startswith(r"\begin{cases}")
    assert shown.endswith(r"& \text{otherwise}" + "\n" + r"\end{cases}")
    assert r"\text{undefined} & \text{if } " in shown
    assert sm.metrics["accuracy"].to_code("latex").count(r"\text{undefined}") == 1
    formula = sm.parse_formula("TP + FN")
    assert sm.Metric("total", formula).to_code("latex") == latex(
        formula, symbol_names={cell: rf"\mathit{{{cell.name}}}" for cell in (sm.TP, sm.FN)}
    )


@in_one_test
@pytest.mark.parametrize("title", ["*/ #error no", "a\nint main;", "ends with \\", "\u2028alert(1)", "??/"])
def test_a_title_stays_in_its_comment(title: str) -> None:
    metric = sm.Metric("return", sm.metrics["precision"].expr, title=title)
    for language in ("c", "javascript", "rust"):
        lines = metric.to_code(language).splitlines()
        comment = next(place for place, line in enumerate(lines) if line.startswith("//"))
        assert lines[comment].isprintable()
        assert not lines[comment].endswith("\\")
        assert "metric_return(" in lines[comment + 1]


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_refused_metrics_are_those_of_the_documentation() -> None:
    pytest.importorskip("sqlglot")
    specification = importlib.util.spec_from_file_location("elsewhere", PAGE.with_suffix(".py"))
    script = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(script)
    reasons = script.refused()
    assert {way: {name for name in reasons if way in reasons[name]} for way in REFUSED} == REFUSED
    assert script.page(PAGE.read_text(encoding="utf-8")) == PAGE.read_text(encoding="utf-8")


def test_the_examples_of_the_documentation_run() -> None:
    for library in ("sqlglot", "duckdb", "polars"):
        pytest.importorskip(library)
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 5
    assert not found.failed


def test_what_cannot_be_written_is_refused_with_the_reason() -> None:
    pytest.importorskip("sqlglot")
    with pytest.raises(UnsupportedError, match="digits cancel"):
        sm.metrics["stiles"].to_sql()
    with pytest.raises(UnsupportedError, match="nested too deeply"):
        sm.metrics["adjusted_rand_index"].to_sql("sqlite")
    with pytest.raises(UnknownNameError, match="known are bigquery, duckdb"):
        sm.metrics["f1"].to_sql("oracle")
    with pytest.raises(UnknownNameError, match="did you mean javascript"):
        sm.metrics["f1"].to_code("javascrip")
    with pytest.raises(InputError, match="no name of a column"):
        sm.metrics["f1"].to_sql(tp="")
    free = sm.Metric("free", sm.parse_formula("w*TP/(TP+FN)", parameters=("w",)), sm.Parameter("w"))
    for write in (free.to_sql, free.to_polars, lambda: free.to_code("c")):
        with pytest.raises(DefinitionError, match=r"bind w first, as in \.at\(w='1/2'\)"):
            write()
    assert "0.25" in free.at(w="1/4").to_code("c")


def test_without_sqlglot_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sqlglot", None)
    with pytest.raises(InputError, match=r'pip install "symmetrics\[sql\]"'):
        sm.metrics["f1"].to_sql()


# -- the command line --------------------------------------------------------------------------------------------------


def test_the_command_line_writes_what_the_metric_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["code", "f1", "--language", "c"]) == 0
    assert capsys.readouterr().out == sm.metrics["f1"].to_code("c")
    if importlib.util.find_spec("sqlglot") is not None:
        assert main(["code", "f1", "--dialect", "spark", "--columns", "a,b,c,d e"]) == 0
        assert capsys.readouterr().out.rstrip() == sm.metrics["f1"].to_sql("spark", "a", "b", "c", "d e")
    with pytest.raises(SystemExit):
        main(["code", "--help"])
    told = capsys.readouterr().out
    assert all(name in told for name in (*CODE_LANGUAGES, *SQL_DIALECTS))


# -- the plan ----------------------------------------------------------------------------------------------------------


def test_a_difference_of_products_stays_the_same_whatever_number_stands_before_it() -> None:
    halves = ((TP * FN, FP * TN), (TP * FP, FN * TN), (TP * TN, FN * FP))
    for (left, right), number in itertools.product(halves, (1, -1, 2, -2, Rational(1, 2), Rational(-3, 2))):
        given = number * left - number * right
        found = with_exact_differences(given)
        assert found.has(ProductDifference)
        assert expand(found.replace(ProductDifference, lambda a, b, c, d: a * b - c * d) - given) == 0


def test_every_face_is_in_exactly_one_branch_and_conditions_are_short() -> None:
    """The branches are tried in order, and the last one takes what is left."""
    for name in chosen():
        branches = recipe_of(chosen()[name].value_formula).branches
        assert not branches[-1].where
        for branch in branches[:-1]:
            assert branch.where
        for face in range(16):
            zero = {place for place in range(4) if face >> place & 1}
            first = next(
                b for b in branches if not b.where or any(z.zero <= zero and not z.nonzero & zero for z in b.where)
            )
            if not first.cases:
                row = [0.0 if place in zero else 7.0 + 3.0 * place for place in range(4)]
                assert math.isnan(chosen()[name].from_counts(*row)), (name, face)


def test_every_language_writes_every_operation() -> None:
    texts = [
        {*OPERATORS, *functions}
        for functions in (SPREADSHEET_FUNCTIONS, *(each.functions for each in LANGUAGES.values()))
    ]
    for written in (*texts, SQL_OPERATIONS, FRAME_OPERATIONS):
        assert {*OPERATIONS} - {"sign"} <= {*written}, "the sign is in slopes alone"


def test_a_formula_that_is_real_near_no_table_of_a_face_has_no_limit_there() -> None:
    """Both roots are zero on the face FN = FP = 0, and near it one of them is not real."""
    metric = Metric("real nowhere", FN * log(FN) * sqrt(FN - 2 * FP) * sqrt(FP - 2 * FN))
    assert np.isnan(metric.from_counts(1, 0, 0, 1))
    assert not any(branch.cases for branch in recipe_of(metric.value_formula).branches[:-1])


def test_languages_and_dialects_are_listed_and_parameters_told() -> None:
    # Code languages and dialects are listed.
    metric = sm.metrics["recall"]
    assert all(metric.to_code(language) for language in CODE_LANGUAGES)
    if importlib.util.find_spec("sqlglot") is not None:
        assert all(metric.to_sql(dialect) for dialect in SQL_DIALECTS)
    # Code says which values of parameters went into it.
    assert sm.metrics["f_beta"].to_code("rust").startswith("// F-measure (beta=1)\n")
    assert sm.metrics["f_beta"].at(beta=2).to_code("rust").startswith("// F-measure (beta=2)\n")
    # Conditions are as short as those before them allow. Tables of one cell alone are settled first, so that two
    # empty cells are enough to say where MCC has no value.
    assert "if ((tp == 0 && fn == 0) || (fp == 0 && tn == 0)) {" in sm.metrics["mcc"].to_code("javascript")
