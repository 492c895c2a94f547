"""García, Mollineda & Sánchez (2012): its experiment and what it prints; its claims are not here but in ``proofs/``."""
