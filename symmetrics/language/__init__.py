"""Cells, parameters, conditions and the formulas over them: written, read and shown, but not decided."""
