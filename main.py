"""Starts Armature from a checkout, as the command `armature` does: `python main.py --help` says how."""

import sys

from armature.app.start import main

if __name__ == "__main__":
    sys.exit(main())
