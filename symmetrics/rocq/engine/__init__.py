"""Formulas, statements and proof scripts, as the families of claims write them."""
