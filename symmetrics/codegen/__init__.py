"""Formulas in other languages: SQL, C, JavaScript, spreadsheets, frames; no rule of an operation is made here."""
