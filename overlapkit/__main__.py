"""``python -m overlapkit``."""

import sys

from overlapkit.cli import main

sys.exit(main())
