"""``python -m symmetrics.cli`` is the command ``symmetrics``."""

import sys

from symmetrics.cli import main

sys.exit(main())
