"""`python -m armature` is the command `armature`."""

import sys

from armature.app.start import main

if __name__ == "__main__":
    sys.exit(main())
