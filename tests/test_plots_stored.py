"""The gallery of plots is current, its pictures are drawn again as they are stored, and they are legible in a column.

What is in a picture, its lines, words and colours, is compared with tests/data/plots.json, which does not depend on how
matplotlib renders; the pictures themselves are compared closely if the same version drew them, and else loosely.  After
a change that is meant, and a look at the pictures: ``python docs/gallery.py``.
"""

from __future__ import annotations

import importlib.util
import io
import itertools
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from effort import is_thorough, some

ROOT = Path(__file__).resolve().parent.parent
MOST_BYTES = 1_000_000
CLOSE = 6
"""The root of the mean square of the differences, of 255, that the same version of matplotlib may make."""
COARSE = 16
"""Pixels of a picture that are one of its coarse copy, so that other versions of matplotlib may move it by some."""
LOOSE = 20
"""The root of the mean square of the differences between coarse copies, of 255, that other versions may make."""


def _load(path: Path) -> ModuleType:
    specification = importlib.util.spec_from_file_location("plots_gallery", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module  # dataclasses look themselves up
    specification.loader.exec_module(module)
    return module


gallery = _load(ROOT / "docs" / "gallery.py")


def test_page_is_current() -> None:
    assert gallery.PAGE.read_text(encoding="utf-8") == gallery.page(), "run: python docs/gallery.py"


def test_every_picture_is_that_of_its_code_and_all_are_small() -> None:
    expected = {gallery.path_of(entry, style): entry for entry in gallery.ENTRIES for style in gallery.STYLES}
    assert set(gallery.FOLDER.iterdir()) == set(expected), "run: python docs/gallery.py"
    for path, entry in expected.items():
        with gallery.Image.open(path) as picture:
            assert picture.info["fingerprint"] == entry.fingerprint, f"run: python docs/gallery.py {entry.name}"
    assert sum(path.stat().st_size for path in [*expected, gallery.PAGE]) < MOST_BYTES
    assert set(json.loads(gallery.STORED.read_text(encoding="utf-8"))) == {entry.name for entry in gallery.ENTRIES}


@pytest.mark.parametrize("entry", some(gallery.ENTRIES, 1, "stored"), ids=lambda entry: entry.name)
def test_pictures_are_drawn_as_they_are_stored(entry: Any) -> None:
    from matplotlib.testing.compare import calculate_rms

    stored = json.loads(gallery.STORED.read_text(encoding="utf-8"))[entry.name]
    for style in gallery.STYLES if is_thorough() else ("light",):
        figure = gallery.figure_of(gallery.drawn(entry, style))
        with (
            gallery.Image.open(gallery.path_of(entry, style)) as kept,
            gallery.Image.open(io.BytesIO(gallery.png(figure))) as again,
        ):
            assert kept.size == again.size
            if kept.info["matplotlib"] == again.info["matplotlib"]:
                assert calculate_rms(grey(kept, 1), grey(again, 1)) < CLOSE, entry.name
            assert calculate_rms(grey(kept, COARSE), grey(again, COARSE)) < LOOSE, entry.name
        if style == "light":
            same(gallery.contents(figure), stored)
            legible(figure)


def grey(picture: Any, scale: int) -> Any:
    """Return a picture in shades of grey, each of so many pixels across and down."""
    size = (picture.width // scale, picture.height // scale)
    return np.asarray(picture.convert("L").resize(size, gallery.Image.Resampling.BOX), dtype=np.float64)


def same(found: Any, stored: Any) -> None:
    """Numbers to six digits or to a millionth, and everything else as it is."""
    if isinstance(stored, dict):
        assert found.keys() == stored.keys()
        for key in stored:
            same(found[key], stored[key])
    elif isinstance(stored, list):
        assert len(found) == len(stored), (found, stored)
        for one, other in zip(found, stored, strict=True):
            same(one, other)
    elif isinstance(stored, float):
        assert found == pytest.approx(stored, rel=1e-5, abs=1e-5)
    else:
        assert found == stored


def legible(figure: Any) -> None:
    """No word is cut off, smaller than print, or upon another one."""
    figure.draw_without_rendering()
    words = [text for text in figure.findobj(gallery.mpl.text.Text) if text.get_visible() and text.get_text().strip()]
    boxes, hidden, where = [], ticks_beyond(figure), figure.bbox
    for text in words:
        box = text.get_window_extent()
        if text in hidden:
            continue
        assert where.x0 - 1 <= box.x0 <= box.x1 <= where.x1 + 1, text.get_text()
        assert where.y0 - 1 <= box.y0 <= box.y1 <= where.y1 + 1, text.get_text()
        assert text.get_fontsize() >= 4.5, text.get_text()
        if text.get_rotation() % 90 == 0:
            boxes.append((box, text.get_text()))
    for (first, name), (second, other) in itertools.combinations(boxes, 2):
        width = min(first.x1, second.x1) - max(first.x0, second.x0)
        height = min(first.y1, second.y1) - max(first.y0, second.y0)
        assert min(width, height) <= 2.5, (name, other)


def ticks_beyond(figure: Any) -> set[Any]:
    """Return the labels of ticks that are not drawn: beyond the ends of their axes, or of axes without a frame."""
    found = set()
    for axis in (axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)):
        low, high = sorted(axis.get_view_interval())
        for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
            if not axis.axes.axison or not low <= tick.get_loc() <= high:
                found |= {tick.label1, tick.label2}
    return found
