"""Write ARCHITECTURE.md's tables and its picture, from the imports, the docstrings and one question as it is answered.

usage: python docs/architecture.py

A room is a folder of the package.  It stands on the floor above the highest room that it imports.  An arrow of the
picture is an import that is not implied by others: where A imports B, and B imports C, no arrow leads from A to C.
What lives in a room, and what may not, is the first paragraph of the docstring of its ``__init__``.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Final

from symmetrics.posets import Poset, poset
from symmetrics.posets.diagram import layered
from symmetrics.tools.files import write_text

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGE: Final = ROOT / "symmetrics"
PAGE: Final = ROOT / "ARCHITECTURE.md"
PICTURE: Final = ROOT / "docs" / "architecture.svg"
QUESTION: Final = ("precision", "p2")
LOOKED_UP: Final = "library"
"""The room whose records the question names: they are data, so that no code of it runs."""

GENERATED: Final = re.compile(r"(<!-- generated: (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)

# In a process of its own, so that nothing is remembered: the modules whose functions run, in the order of their first
# call.  What runs while a module is imported is no part of the answer, nor is what words errors around the function.
TRACE: Final = """
import inspect
import sys
import symmetrics
from symmetrics.claims.recorded import deciding_anew
seen, importing = [], 0
def profile(frame, event, _):
    global importing
    if frame.f_code.co_name == "<module>":
        importing += {"call": 1, "return": -1}.get(event, 0)
    module = frame.f_globals.get("__name__", "")
    if event == "call" and not importing and module.startswith("symmetrics.") and module not in seen:
        seen.append(module)
prove = inspect.unwrap(symmetrics.prove)
with deciding_anew():
    sys.setprofile(profile)
    prove(*sys.argv[1:])
    sys.setprofile(None)
print(*seen, sep="\\n")
"""


# -- what is read ------------------------------------------------------------------------------------------------------


def rooms(package: Path = PACKAGE) -> list[str]:
    """Return the folders of the package that hold modules, by name."""
    return sorted(path.parent.name for path in package.glob("*/__init__.py"))


@cache
def imported(package: Path = PACKAGE) -> dict[str, set[str]]:
    """Return which rooms each room imports, wherever in a module the import stands."""
    known = rooms(package)
    found: dict[str, set[str]] = {room: set() for room in known}
    for room in known:
        for path in (package / room).rglob("*.py"):
            for node in _statements(ast.parse(path.read_text(encoding="utf-8"))):
                modules: Iterable[str] = ()
                if isinstance(node, ast.ImportFrom) and node.module == package.name:
                    modules = [f"{node.module}.{alias.name}" for alias in node.names]
                elif isinstance(node, ast.ImportFrom):
                    modules = [node.module or ""]
                elif isinstance(node, ast.Import):
                    modules = [alias.name for alias in node.names]
                parts = [module.split(".") for module in modules]
                found[room] |= {part[1] for part in parts if len(part) > 1 and part[0] == package.name}
        found[room] &= set(known) - {room}
    return found


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of a module, also those within others: an import is no part of an expression."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.expr):
            yield node
            yield from _statements(node)


def sentence(module: Path) -> str:
    """Return the first paragraph of a module's docstring, on one line."""
    docstring = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.partition("\n\n")[0].split())


def path_of(question: Sequence[str]) -> list[str]:
    """Return the modules through which a question to ``prove`` goes, in the order in which they are first called."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", TRACE, *question]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, cwd=ROOT)
    return done.stdout.split()


def rooms_of(modules: Iterable[str]) -> list[str]:
    """Return the rooms of some modules, each once, in their order.

    >>> rooms_of(["symmetrics.query.proving", "symmetrics.tools.budget", "symmetrics.query.order"])
    ['query', 'tools']
    """
    return list(dict.fromkeys(module.split(".")[1] for module in modules))


def order_of(imports: Mapping[str, Iterable[str]]) -> Poset:
    """Return the order of the rooms, lower what is imported.

    :raises InputError: if rooms import each other in a circle, which it names
    """
    return poset([(lower, upper) for upper, below in imports.items() for lower in below], classes=sorted(imports))


# -- the page ----------------------------------------------------------------------------------------------------------


def counted(imports: Mapping[str, set[str]], order: Poset) -> str:
    """Return how many rooms, floors and imports there are."""
    arrows = sum(map(len, imports.values()))
    return (
        f"{len(imports)} rooms on {len(order.levels)} floors. {arrows} arrows lead from room to room, all of them\n"
        f"down; the picture shows the {len(order.reduction)} that are not implied by others."
    )


def table(imports: Mapping[str, set[str]], order: Poset) -> str:
    """Return the table of the rooms, the top floor first."""
    lines = ["| floor | room | what lives there, and what may not | imports |", "|---|---|---|---|"]
    for number in range(len(order.levels), 0, -1):
        for room in sorted(order.levels[number - 1]):
            said = sentence(PACKAGE / str(room) / "__init__.py").replace("``", "`")
            below = ", ".join(sorted(imports[str(room)])) or "no other"
            lines.append(f"| {number} | [`{room}/`](symmetrics/{room}) | {said} | {below} |")
    return "\n".join(lines)


def walk(modules: Sequence[str]) -> str:
    """Return the list of the modules that a question goes through, with what each says of itself."""
    lines = []
    for number, module in enumerate(modules, start=1):
        path = Path(*module.split("."))
        file = path.with_suffix(".py") if (ROOT / path.with_suffix(".py")).is_file() else path / "__init__.py"
        name = file.relative_to("symmetrics").as_posix()
        lines.append(f"{number}. [`{name}`]({file.as_posix()}): {sentence(ROOT / file).replace('``', '`')}")
    return "\n".join(lines)


# -- the picture -------------------------------------------------------------------------------------------------------

UNIT: Final = 7.0
"""The width of a character of the layout, in pixels."""
FLOOR: Final = 92.0
BOX: Final = 60.0
LEFT: Final = 70.0
MARGIN: Final = 24.0
TOP: Final = 44.0
HEAD: Final = 7.0
COLUMNS: Final = 32
"""How many characters of a caption stand on a line."""

STYLE: Final = """
text { font-family: system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
.name { font-size: 16px; font-weight: 600; text-anchor: middle; }
.caption { font-size: 11.5px; text-anchor: middle; fill: #59636e; }
.floor { font-size: 12px; fill: #818b98; }
.legend { text-anchor: end; }
.number { font-size: 11px; font-weight: 600; text-anchor: middle; fill: #ffffff; }
"""


def caption(room: str) -> list[str]:
    """Return the lines that stand below a room's name: its sentence up to a colon, semicolon or question mark."""
    (short, *_) = re.split(r"[:;?]", sentence(PACKAGE / room / "__init__.py"))
    return textwrap.wrap(short.rstrip("."), COLUMNS)


def picture(order: Poset, visited: Sequence[str]) -> str:
    """Return the picture of the rooms as SVG.

    :param visited: the rooms that the question goes through, in their order
    """
    names = [str(room) for room in order]
    widths = [max(9.0 * len(name), 6.0 * max(map(len, caption(name)))) + 28 for name in names]
    layout = layered(order.closure, [width / UNIT + 5 for width in widths])
    width, height = layout.width * UNIT + LEFT + MARGIN, layout.height * FLOOR + TOP + MARGIN

    def at(x: float, y: float) -> tuple[float, float]:
        return LEFT + (x + layout.width / 2) * UNIT, TOP + (layout.height - 0.5 - y) * FLOOR

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" aria-label="The rooms of symmetrics by floor, and what imports what">',
        f"<style>{STYLE}</style>",
        f'<rect width="{width:.0f}" height="{height:.0f}" rx="10" fill="#ffffff"/>',
    ]
    for level in range(layout.height):
        _, y = at(0, level)
        if level % 2:
            band = f'y="{y - FLOOR / 2:.0f}" width="{width:.0f}" height="{FLOOR:.0f}"'
            parts.append(f'<rect x="0" {band} fill="#f6f8fa"/>')
        parts.append(f'<text class="floor" x="{MARGIN:.0f}" y="{y + 4:.0f}">{level + 1}</text>')
    legend = f'blue: the way of prove("{QUESTION[0]}", "{QUESTION[1]}"), numbered by the first call'
    parts.append(f'<text class="floor" x="{MARGIN:.0f}" y="{TOP / 2 + 4:.0f}">floor</text>')
    parts.append(f'<text class="floor legend" x="{width - MARGIN:.0f}" y="{TOP / 2 + 4:.0f}">{escape(legend)}</text>')
    parts += [_arrow([at(*point) for point in _around_boxes(line)]) for line in layout.lines]
    for name, box, place in zip(names, widths, layout.places, strict=True):
        parts += _room(name, box, at(*place), visited)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _around_boxes(line: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of a line that runs upright beside the boxes of the levels that it passes."""
    half = BOX / FLOOR / 2
    inner = [(x, round(y) + (half if y > round(y) else -half)) for x, y in line[1:-1]]
    return [line[0], *inner, line[-1]]


def _arrow(points: Sequence[tuple[float, float]]) -> str:
    """Return an arrow down to the first of some points, along which it runs upright where it passes a floor."""
    (x_end, y_end), _, *between, _, (x_start, y_start) = points
    corners = [(x_start, y_start + BOX / 2), *reversed(between), (x_end, y_end - BOX / 2 - HEAD)]
    path = f"M{corners[0][0]:.1f},{corners[0][1]:.1f}"
    for (x, y), (to_x, to_y) in pairwise(corners):
        middle = (y + to_y) / 2
        path += f" C{x:.1f},{middle:.1f} {to_x:.1f},{middle:.1f} {to_x:.1f},{to_y:.1f}"
    x, y = corners[-1]
    return (
        f'<path d="{path}" fill="none" stroke="#818b98" stroke-width="1.4"/>'
        f'<path d="M{x - HEAD / 2:.1f},{y:.1f} h{HEAD:.0f} l{-HEAD / 2:.1f},{HEAD:.0f} z" fill="#818b98"/>'
    )


def _room(name: str, width: float, place: tuple[float, float], visited: Sequence[str]) -> list[str]:
    (x, y), lines = place, caption(name)
    fill, stroke = ("#ddf4ff", "#0969da") if name in (*visited, LOOKED_UP) else ("#ffffff", "#818b98")
    top = y - 6.5 * len(lines)
    parts = [
        f'<rect x="{x - width / 2:.1f}" y="{y - BOX / 2:.1f}" width="{width:.1f}" height="{BOX:.0f}" rx="8" '
        f'fill="{fill}" stroke="{stroke}" stroke-width="1.3"/>',
        f'<text class="name" x="{x:.1f}" y="{top + 5:.1f}">{escape(name)}</text>',
    ]
    for number, line in enumerate(lines, start=1):
        parts.append(f'<text class="caption" x="{x:.1f}" y="{top + 6 + 13.5 * number:.1f}">{escape(line)}</text>')
    if name in visited:
        corner = f'cx="{x + width / 2 - 4:.1f}" cy="{y - BOX / 2 + 4:.1f}" r="9"'
        parts.append(f'<circle {corner} fill="#0969da"/>')
        step = visited.index(name) + 1
        parts.append(f'<text class="number" x="{x + width / 2 - 4:.1f}" y="{y - BOX / 2 + 8:.1f}">{step}</text>')
    return parts


# -- all of it ---------------------------------------------------------------------------------------------------------


def files() -> dict[Path, str]:
    """Return what the page and the picture have to hold, by their paths."""
    imports, modules = imported(), path_of(QUESTION)
    order = order_of(imports)
    parts = {"counted": counted(imports, order), "rooms": table(imports, order), "path": walk(modules)}
    text = GENERATED.sub(lambda found: f"{found[1]}{parts[found['name']]}\n{found[3]}", PAGE.read_text("utf-8"))
    return {PAGE: text, PICTURE: picture(order, rooms_of(modules))}


if __name__ == "__main__":
    for path, text in files().items():
        write_text(path, text)
