"""How large the project is: files and lines by kind, functions and their lengths, for the package and its tests.

usage: python benchmarks/size.py [FOLDER ...] [--json FILE] [--long LINES]

A line counts once: as part of a docstring, an import, a comment that stands alone, blank, or code.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tabulate import tabulate

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("files", "code", "imports", "docstrings", "comments", "blank")


def lines_of(text: str) -> Counter[str]:
    """Count the lines of a source by kind."""
    kind = dict.fromkeys(range(1, text.count("\n") + 1), "code")
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            kind[number] = "blank"
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#"):
            kind[token.start[0]] = "comments"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            kind |= dict.fromkeys(range(node.lineno, (node.end_lineno or 0) + 1), "imports")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            kind |= dict.fromkeys(range(node.lineno, (node.end_lineno or 0) + 1), "docstrings")
    return Counter(kind.values())


def functions_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the length of every function in a source, and where it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (node.end_lineno or 0) - node.lineno + 1, f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"


def main() -> None:
    """Print the counts of each folder, and the longest functions."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", default=["symmetrics", "tests", "benchmarks"])
    parser.add_argument("--json", type=Path, help="write the counts to a file, too")
    parser.add_argument("--long", type=int, default=0, help="list the functions of at least so many lines")
    arguments = parser.parse_args()
    counts = {}
    for folder in arguments.folders:
        paths = sorted((ROOT / folder).rglob("*.py"))
        total = sum((lines_of(path.read_text(encoding="utf-8")) for path in paths), Counter(files=len(paths)))
        lengths = [length for path in paths for length in functions_of(path)]
        sizes = [length for length, _ in lengths]
        counts[folder] = {kind: total[kind] for kind in KINDS} | {
            "lines": sum(total[kind] for kind in KINDS[1:]),
            "functions": len(sizes),
            "median function": median(sizes),
            "functions above 40 lines": sum(size > 40 for size in sizes),
        }
        for length, place in sorted(lengths, reverse=True):
            if arguments.long and length >= arguments.long:
                print(f"{length:4d} {place}")
    print(tabulate([{"folder": name, **row} for name, row in counts.items()], headers="keys", tablefmt="github"))
    if arguments.json:
        arguments.json.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
