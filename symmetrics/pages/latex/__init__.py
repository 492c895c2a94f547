"""LaTeX of tables and verdicts, ready for a paper: booktabs, graphicx and amsmath are all that it needs."""
