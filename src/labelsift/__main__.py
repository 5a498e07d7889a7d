"""Run the command line: ``python -m labelsift``."""

import sys

from labelsift.cli import main

sys.exit(main())
