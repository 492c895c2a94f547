"""The atlas: a site of files without a server, on which all verdicts can be looked up, compared and chosen by."""

from __future__ import annotations

from symmetrics.pages.atlas.folders import check_folder, write_files
from symmetrics.pages.atlas.gathered import Claim, Laws, Paper
from symmetrics.pages.atlas.site import pages_of

__all__ = ["Claim", "Laws", "Paper", "check_folder", "pages_of", "write_files"]
