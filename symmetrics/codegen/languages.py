"""Target languages as data: syntax and functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from symmetrics.numeric.operations import SPLIT
from symmetrics.numeric.precision import Signs
from symmetrics.numeric.rounding_rules import number_value
from symmetrics.numeric.source import LETTERS

# -- Operations as text: infix operators with minimal parentheses, and functions by name -------------------------------


OPERATORS: Final = MappingProxyType(
    {
        "add": ("{} + {}", 1),
        "subtract": ("{} - {}", 1),
        "multiply": ("{} * {}", 2),
        "divide": ("{} / {}", 2),
        "negative": ("-{}", 3),
    }
)
"""Operators common to all languages, with their precedence."""
_ATOM: Final = 9
"""Precedence above every operator."""
_UNARY: Final = OPERATORS["negative"][1]


class Text(NamedTuple):
    """An expression as text, with the precedence of its outermost operator."""

    text: str
    strength: int = _ATOM

    def within(self, strength: int) -> str:
        """Return the text for use within an operator of given precedence, in parentheses if needed."""
        return self.text if self.strength >= strength else f"({self.text})"


def texts(
    signs: Signs, cells: tuple[str, ...], functions: Mapping[str, str], known: Mapping[int, str]
) -> Callable[[int], Text]:
    """Return a function that prints the operations of a program.

    :param signs: the signs of the program's operations
    :param cells: texts for TP, FN, FP, TN
    :param functions: templates of the operations that are not operators, with ``{0}``, ``{1}``, … for arguments
    :param known: names of operations that have one
    """
    program = signs.program

    def write(place: int) -> Text:
        if place in known:
            return Text(known[place])
        name, arguments, rest = program.parts(place)
        if name == "cell":
            return Text(cells[rest[0]])
        if name == "number":
            value = number_value(rest[0])
            return Text(repr(value), _UNARY if value < 0 else _ATOM)
        parts = [write(part) for part in arguments]
        if name in OPERATORS:
            form, strength = OPERATORS[name]
            right = [part.within(strength + 1) for part in parts[-1:]]
            return Text(form.format(*(part.within(strength) for part in parts[:-1]), *right), strength)
        inside = [part.text for part in parts]
        if signs.are_clipped(place):
            inside[0] = functions["maximum"].format(inside[0], "0.0")
        return Text(functions[name].format(*inside, *(repr(float(exponent)) for exponent in rest)))

    return write


# ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Language:
    """Syntax of a language: how a function is written.

    :param title: the language's own name
    :param head: the first line, with ``{name}`` and ``{cells}``
    :param cell: how an argument is declared
    :param foot: the last line
    :param comment: start of a comment line
    :param condition: the line that opens a block, with ``{}`` for the condition
    :param close: the line that ends a block
    :param assign: how a name gets a value, with ``{0}`` and ``{1}``
    :param give: how a value is returned
    :param both, either, negation: the words for "and", "or" and "not"
    :param functions: how each operation is called that is no operator of :data:`OPERATORS`
    :param helpers: functions that come with the code of a metric that needs them
    :param nan, infinity: the two constants
    :param preamble: what a file begins with; where there is one, helpers stand before the function, else within it
    :param start: the first lines of the function
    :param cells: the names of the arguments
    :param zero: the literal that they are compared with
    """

    title: str
    head: str
    cell: str
    foot: str
    comment: str
    condition: str
    close: str
    assign: str
    give: str
    both: str
    either: str
    negation: str
    functions: Mapping[str, str]
    helpers: Mapping[str, str]
    nan: str
    infinity: str
    preamble: str = ""
    start: tuple[str, ...] = ()
    cells: tuple[str, ...] = LETTERS
    zero: str = "0"


_C_LOG_RATIO: Final = """\
#ifndef SYMMETRICS_LOG_RATIO
#define SYMMETRICS_LOG_RATIO
/* log(a/b), given their difference: it has its digits where a/b is close to 1. */
static double log_ratio(double a, double b, double difference) {
    double share = difference / (a + b);
    return fabs(share) < 0.5 ? 2.0 * atanh(share) : log(a / b);
}
#endif
"""
_C_PRODUCTS: Final = """\
#ifndef SYMMETRICS_PRODUCT_DIFFERENCE
#define SYMMETRICS_PRODUCT_DIFFERENCE
/* a*b - c*d with all digits, where the two cancel. */
static double product_difference(double a, double b, double c, double d) {
    double product = c * d;
    return fma(a, b, -product) - fma(c, d, -product);
}
#endif
"""
C: Final = Language(
    title="C",
    preamble="#include <math.h>\n",
    head="double {name}({cells}) {{",
    cell="double {}",
    foot="}",
    comment="// ",
    condition="if ({}) {{",
    close="}",
    assign="const double {0} = {1};",
    give="return {};",
    both=" && ",
    either=" || ",
    negation="!({})",
    functions=MappingProxyType(
        {
            "sqrt": "sqrt({})",
            "log": "log({})",
            "abs": "fabs({})",
            "power": "pow({}, {})",
            "minimum": "fmin({}, {})",
            "maximum": "fmax({}, {})",
            "log_ratio": "log_ratio({}, {}, {})",
            "product_difference": "product_difference({}, {}, {}, {})",
        }
    ),
    helpers=MappingProxyType({"log_ratio": _C_LOG_RATIO, "product_difference": _C_PRODUCTS}),
    nan="NAN",
    infinity="INFINITY",
)

JAVASCRIPT: Final = Language(
    title="JavaScript",
    # JavaScript: null compares as 0, and + concatenates texts
    start=('if ([tp, fn, fp, tn].some((cell) => typeof cell !== "number")) {', "    return NaN;", "}"),
    head="function {name}({cells}) {{",
    cell="{}",
    foot="}",
    comment="// ",
    condition="if ({}) {{",
    close="}",
    assign="const {0} = {1};",
    give="return {};",
    both=" && ",
    either=" || ",
    negation="!({})",
    functions=MappingProxyType(
        {
            "sqrt": "Math.sqrt({})",
            "log": "Math.log({})",
            "abs": "Math.abs({})",
            "power": "Math.pow({}, {})",
            "minimum": "Math.min({}, {})",
            "maximum": "Math.max({}, {})",
            "sign": "Math.sign({})",
            "log_ratio": "logRatio({}, {}, {})",
            "product_difference": "productDifference({}, {}, {}, {})",
        }
    ),
    helpers=MappingProxyType(
        {
            "log_ratio": """\
    // log(a/b), given their difference: it has its digits where a/b is close to 1
    const logRatio = (a, b, difference) => {
        const share = difference / (a + b);
        return Math.abs(share) < 0.5 ? 2 * Math.atanh(share) : Math.log(a / b);
    };
""",
            "product_difference": f"""\
    // a*b - c*d with all digits, where the two cancel: each product and what its rounding took away
    const half = (a) => {{ const b = {SPLIT} * a; return b - (b - a); }};
    const lost = (a, b, p) => {{
        const u = half(a), v = half(b), x = a - u, y = b - v;
        return ((u * v - p) + u * y + x * v) + x * y;
    }};
    const productDifference = (a, b, c, d) => {{
        const p = a * b, q = c * d;
        return (p - q) + (lost(a, b, p) - lost(c, d, q));
    }};
""",
        }
    ),
    nan="NaN",
    infinity="Infinity",
)

RUST: Final = Language(
    title="Rust",
    cells=("tp", "fn_", "fp", "tn"),
    zero="0.0",
    head="pub fn {name}({cells}) -> f64 {{",
    cell="{}: f64",
    foot="}",
    comment="// ",
    condition="if {} {{",
    close="}",
    assign="let {0} = {1};",
    give="return {};",
    both=" && ",
    either=" || ",
    negation="!({})",
    functions=MappingProxyType(
        {
            "sqrt": "f64::sqrt({})",
            "log": "f64::ln({})",
            "abs": "f64::abs({})",
            "power": "f64::powf({}, {})",
            "minimum": "f64::min({}, {})",
            "maximum": "f64::max({}, {})",
            "log_ratio": "log_ratio({}, {}, {})",
            "product_difference": "product_difference({}, {}, {}, {})",
        }
    ),
    helpers=MappingProxyType(
        {
            "log_ratio": """\
    // log(a/b), given their difference: it has its digits where a/b is close to 1
    fn log_ratio(a: f64, b: f64, difference: f64) -> f64 {
        let share = difference / (a + b);
        if share.abs() < 0.5 { 2.0 * share.atanh() } else { (a / b).ln() }
    }
""",
            "product_difference": """\
    // a*b - c*d with all digits, where the two cancel
    fn product_difference(a: f64, b: f64, c: f64, d: f64) -> f64 {
        let product = c * d;
        a.mul_add(b, -product) - c.mul_add(d, -product)
    }
""",
        }
    ),
    nan="f64::NAN",
    infinity="f64::INFINITY",
)

LANGUAGES: Final[Mapping[str, Language]] = MappingProxyType({"c": C, "javascript": JAVASCRIPT, "rust": RUST})
"""Languages by the names that :meth:`~symmetrics.metric.metric.Metric.to_code` takes."""

_WORDS: Final = """
abs and as auto begin bool break case catch char class const continue crate debugger default delete do double
dyn else elseif end enum export extends extern false final finally float fn for function global goto if impl
import in inline instanceof int interface let local log long loop macro match max min mod module move mut new
next null package pow private protected pub public ref register repeat restrict return self short signed
sizeof sqrt static struct super switch this throw trait true try type typedef typeof union unsafe unsigned use
using var void volatile where while with yield fabs fmin fmax atanh fma main nan
"""
RESERVED: Final = frozenset(_WORDS.split())
"""Reserved words of any of the languages."""
