"""A property states its law twice, in words and as a claim; both say the same."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from effort import in_one_test
from sympy import Rational

import symmetrics as sm
from symmetrics.claims import Comparison, value_symbol
from symmetrics.language.cells import CELLS

LAW = re.compile(r"M\((?P<left>[^M]+)\) (?P<sign>[=<>]) M\((?P<right>[^M]+)\)(, [a-z, ]+ > 0)?")
LAWS = {key: found for key, p in sm.properties.items() if (found := LAW.fullmatch(p.statement))}
CELL_COUNTS = {"TP": Fraction(3), "FN": Fraction(7), "FP": Fraction(11), "TN": Fraction(19)}


def test_most_comparisons_are_stated_as_one() -> None:
    comparisons = {k for k, p in sm.properties.items() if isinstance(p.claim(sm.metrics["f1"]), Comparison)}
    assert set(LAWS) == comparisons
    assert len(comparisons) >= 15


@in_one_test
@pytest.mark.parametrize("key", LAWS)
def test_the_statement_of_a_property_is_its_claim(key: str) -> None:
    """A law in words and the claim that is decided are about the same tables, and say the same of their values."""
    claim, law = sm.properties[key].claim(sm.metrics["f1"]), LAWS[key]
    letters = dict.fromkeys(re.findall(r"[A-Z]{2}'|\b[a-mo-z]\b", f"{law['left']}, {law['right']}"))
    counts = [Fraction(prime) for prime in (23, 31, 43)][: len(letters)]
    margins = {"P": CELL_COUNTS["TP"] + CELL_COUNTS["FN"], "N": CELL_COUNTS["FP"] + CELL_COUNTS["TN"]}
    known = CELL_COUNTS | margins | {"n": sum(margins.values())}
    known |= {letter.replace("'", "_other"): count for letter, count in zip(letters, counts, strict=True)}
    stated = [eval(f"({law[side].replace(chr(39), '_other')})", {}, known) for side in ("left", "right")]
    place = {symbol: Rational(*CELL_COUNTS[symbol.name].as_integer_ratio()) for symbol in CELLS}
    auxiliary = (symbol for symbol in claim.variables if symbol not in CELLS)
    place |= {symbol: Rational(int(count)) for symbol, count in zip(auxiliary, counts, strict=True)}
    tables = [tuple(cell.subs(place) if hasattr(cell, "subs") else cell for cell in table) for table in claim.tables]
    assert sorted(tables) == sorted(tuple(Rational(str(cell)) for cell in table) for table in stated)
    # Where M is 2 at the table of the one side and 1 at that of the other, the sign decides whether the law holds.
    for left, right in ((2, 1), (1, 2), (1, 1)):
        values = {tuple(Rational(str(c)) for c in stated[1]): right, tuple(Rational(str(c)) for c in stated[0]): left}
        relation = claim.relation.subs({value_symbol(k): values[table] for k, table in enumerate(tables)})
        holds = {"=": relation == 0, ">": relation > 0, ">=": relation >= 0}[claim.sign]
        assert bool(holds) == {"=": left == right, ">": left > right, "<": left < right}[law["sign"]]
