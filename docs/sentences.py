"""Write the table of docs/sentences.md: the first sentence of a verdict of every kind of evidence.

usage: python docs/sentences.py

The examples are those of tests/evidence_examples.py.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from evidence_examples import EXAMPLES, example, examples_of, occurring  # noqa: E402

from symmetrics.claims.steps import EVIDENCE  # noqa: E402
from symmetrics.claims.steps.shapes import Step  # noqa: E402
from symmetrics.matrices.deciding import told_at_size  # noqa: E402
from symmetrics.pages.answers import metric_of, property_of  # noqa: E402
from symmetrics.pages.plain import plain_sentence  # noqa: E402
from symmetrics.tools.files import write_text  # noqa: E402
from symmetrics.tools.texts import for_markdown  # noqa: E402

PAGE: Final = ROOT / "docs" / "sentences.md"
BLOCK: Final = re.compile(r"(<!-- generated: sentences -->\n).*?(<!-- end -->)", re.DOTALL)


def sentence(name: str) -> str:
    """Return the first sentence of an example."""
    verdict = example(name)
    if (told := told_at_size(verdict)) is not None:
        return told
    metric = metric_of(verdict)
    return plain_sentence(verdict, property_of(verdict, metric), metric)


def resting_on(step: Step) -> list[str]:
    """Return the examples that rest on a kind of evidence, one for each status; where there is none, what holds it."""
    resting = [name for name in EXAMPLES if occurring(name)[0][0] is step] or examples_of(step)[:1]
    statuses = {example(name).status: name for name in reversed(resting)}
    return [name for name in resting if name in statuses.values()]


def rows() -> Iterator[str]:
    """Yield the table."""
    yield "| evidence | question | verdict | first sentence |"
    yield "|---|---|---|---|"
    for group in EVIDENCE:
        for step in group.steps:
            for name in resting_on(step):
                verdict = example(name)
                asked = f"{verdict.property} of {verdict.metric}"
                cells = (step.name, asked, verdict.status, sentence(name))
                yield f"| {' | '.join(map(for_markdown, cells))} |"


def written(text: str) -> str:
    """Return the page with the table as it is to be.

    :raises ValueError: if the page has no place for it
    """
    new, count = BLOCK.subn(lambda found: "\n".join([found[1].rstrip(), "", *rows(), "", found[2]]), text)
    if count != 1:
        raise ValueError("the page needs one line <!-- generated: sentences -->, and a line <!-- end --> after it")
    return new


if __name__ == "__main__":
    write_text(PAGE, written(PAGE.read_text(encoding="utf-8")))
