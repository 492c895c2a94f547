"""Branco, Torgo & Ribeiro (2017): its experiment and what it prints; its claims are not here but in ``proofs/``."""
