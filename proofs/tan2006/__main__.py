"""Judges and prints every claim of the paper, and exits with 1 if one comes out otherwise than recorded."""

import sys
from pathlib import Path

from symmetrics.papers.claims import load_trial, run_alone

if __name__ == "__main__":
    sys.exit(run_alone(load_trial(Path(__file__).parent)))
