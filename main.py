"""Starts Armature: `python main.py --help` says how."""

import sys

from armature.app.cli import main

if __name__ == "__main__":
    sys.exit(main())
