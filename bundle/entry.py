"""The program with its own Python: the command `armature`, and `armature -m armature.…` for the processes that it starts."""

from __future__ import annotations

import multiprocessing
import runpy
import sys


def main() -> int:
    """Runs what is asked for. The processes that the program starts name a module of it, as they would to a Python."""
    multiprocessing.freeze_support()
    arguments = [argument for argument in sys.argv[1:3] if argument != "-P"]  # nothing but the folder is ever looked into
    if arguments and arguments[0] == "-m":
        at = sys.argv.index("-m")
        module, sys.argv[1:] = sys.argv[at + 1], sys.argv[at + 2 :]
        if module.partition(".")[0] != "armature":
            sys.exit(f"armature: {module} is no module of the program")
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        return 0
    from armature.app.start import main

    return main()


if __name__ == "__main__":
    sys.exit(main())
