"""`python -m card` is the command `yardzee-card`."""

import sys

from card.cli import main

if __name__ == "__main__":
    sys.exit(main())
