"""Print the N-th shell block of a Markdown file, counted from 1.

usage: python .ci/readme_block.py N [FILE]     (FILE defaults to the README.md of this repository)

A shell block is fenced by three or more backquotes and marked sh, shell or bash. Exit status 1 if there is no such
block or it is empty, 2 on wrong usage.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).resolve().parent.parent / "README.md"
FENCE = re.compile(r"(?P<indent> {0,3})(?P<fence>`{3,})\s*(?P<language>[^\s`{]*)[^`]*")


def shell_blocks(markdown: str) -> list[str]:
    """Return the contents of the shell blocks, in order and without their fences."""
    blocks: list[str] = []
    lines = iter(markdown.splitlines())
    for line in lines:
        if not (opening := FENCE.fullmatch(line)):
            continue
        content: list[str] = []
        for inner in lines:
            if re.fullmatch(rf" {{0,3}}{opening['fence']}`*\s*", inner):
                break
            content.append(inner.removeprefix(opening["indent"]))
        if opening["language"].lower() in {"sh", "shell", "bash"}:
            blocks.append("\n".join(content).strip())
    return blocks


def main(arguments: list[str]) -> int:
    """Print one block, or say why not."""
    if len(arguments) not in {1, 2} or not arguments[0].isdecimal() or int(arguments[0]) < 1:
        print("usage: python .ci/readme_block.py N [FILE], N counting from 1", file=sys.stderr)
        return 2
    number = int(arguments[0])
    path = Path(arguments[1]) if len(arguments) == 2 else README
    if not path.is_file():
        print(f"{path}: no such file; it should hold shell block {number}", file=sys.stderr)
        return 1
    blocks = shell_blocks(path.read_text(encoding="utf-8"))
    if number > len(blocks) or not blocks[number - 1]:
        reason = "is empty" if number <= len(blocks) else f"does not exist, there are {len(blocks)}"
        print(f"{path}: shell block {number} {reason}; add one fenced as ```sh", file=sys.stderr)
        return 1
    print(blocks[number - 1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
