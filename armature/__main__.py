"""Entry point of `python -m armature`, the same as the command `armature`."""

import sys

from armature.app.start import main

if __name__ == "__main__":
    sys.exit(main())
