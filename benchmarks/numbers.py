"""How fast are the numbers?  `python benchmarks/numbers.py --help` says what is measured; kernels.py measures it.

The standard library has a module of this name, which scripts in this folder find here first: it is handed on to them.
"""

from __future__ import annotations

if __name__ == "__main__":
    from kernels import main

    main()
else:
    from handing_on import hand_on

    hand_on(__name__)
