"""How often do intervals contain the true value?  `coverage.py --help` says how to ask; the study is coverage_study.py.

A package that measures tests has this name; scripts in this folder find this one first, and it is handed on to them.
"""

from __future__ import annotations

if __name__ == "__main__":
    from coverage_study import main

    main()
else:
    from handing_on import hand_on

    hand_on(__name__)
