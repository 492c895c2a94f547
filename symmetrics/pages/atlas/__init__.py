"""The atlas: a site of files without a server, on which all verdicts can be looked up, compared and chosen by."""

from __future__ import annotations

from symmetrics.pages.atlas.gathered import Claim, Laws, Paper
from symmetrics.pages.atlas.site import check_folder, pages_of, write_files

__all__ = ["Claim", "Laws", "Paper", "check_folder", "pages_of", "write_files"]
