"""The desktop program."""

import sys
from importlib import import_module

if __name__ == "app":  # found by the name of its folder in a checkout
    sys.modules[__name__] = import_module("armature.app")
