"""`python -m bufalu` is the command line."""

import sys

from bufalu.cli import main

sys.exit(main())
