"""``python -m symmetrics`` is the command ``symmetrics``."""

import sys

from symmetrics.cli import main

if __name__ == "__main__":
    sys.exit(main())
