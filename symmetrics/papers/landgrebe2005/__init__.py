"""Landgrebe, Paclík, Tax, Verzakov & Duin (2005): its experiment and what it prints; its claims are not here but in
``proofs/``.
"""
