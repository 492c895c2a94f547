"""Draw docs/pictures/datasheet.png: the beginning of a datasheet, as a browser shows it.

usage: python docs/pictures.py     (needs matplotlib and Chromium)
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import symmetrics as sm  # noqa: E402

PICTURE: Final = ROOT / "docs" / "pictures" / "datasheet.png"
METRIC: Final = "f1"
SIZE: Final = "900,1520"


def main() -> int:
    """Draw the picture."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        print("docs/pictures.py: Chromium is not installed", file=sys.stderr)
        return 1
    sheet = sm.datasheet(METRIC)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "datasheet.html"
        sheet.to_html(page, pictures=sheet.pictures())
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={SIZE}"]
        command = [browser, *flags, f"--screenshot={PICTURE}", page.as_uri()]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return 0


if __name__ == "__main__":
    sys.exit(main())
