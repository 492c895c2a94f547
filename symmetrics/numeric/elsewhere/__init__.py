"""Formulas as code for other engines: what is computed on which face, decided once, and printed in many languages."""
