"""Tan, Steinbach & Kumar (2006), chapter 5: its experiment and what it prints; its claims are not here but in
``proofs/``.
"""
