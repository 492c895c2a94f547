"""Thai-Nghe, Gantner & Schmidt-Thieme (2011): its experiment, its figures and what it prints; its claims are not here
but in ``proofs/``.
"""
