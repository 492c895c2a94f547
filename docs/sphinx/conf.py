"""Settings of Sphinx for the documentation, which ``docs/site.py`` gathers and builds."""

from __future__ import annotations

import re
from typing import Any

import latex2mathml.converter
from docutils import nodes
from sphinx.application import Sphinx

import symmetrics

project = "symmetrics"
author = "The symmetrics developers"
copyright = author
version = release = symmetrics.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx_copybutton"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 4
nb_execution_mode = "off"
nb_merge_streams = True
suppress_warnings = ["myst.header"]  # errata are headings of the third level below the first
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "symmetrics"
html_math_renderer = "mathml"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {
    "navbar_align": "left",
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_nav_level": 1,
    "navigation_with_keys": False,
}
html_show_sourcelink = False
html_copy_source = False

_DOLLARS = re.compile(r"\$(?:\\displaystyle )?([^$]+)\$")


def _inline(self: Any, node: nodes.math) -> None:
    self.body.append(latex2mathml.converter.convert(node.astext()))
    raise nodes.SkipNode


def _display(self: Any, node: nodes.math_block) -> None:
    self.body.append(f'<div class="math">{latex2mathml.converter.convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def _formulas_of_outputs(_: Sphinx, document: nodes.document) -> None:
    """Turn the LaTeX within the HTML that notebooks show into MathML: no script of the site does it later."""
    for node in document.findall(nodes.raw):
        text = node.astext()
        if "html" in node.get("format", "") and 'class="symmetrics"' in text:
            shown = _DOLLARS.sub(lambda found: latex2mathml.converter.convert(found[1]), text)
            node.children = [nodes.Text(shown)]


def setup(app: Sphinx) -> None:
    """Write formulas as MathML, which browsers show without a script."""
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_display, None))
    app.connect("doctree-read", _formulas_of_outputs)
