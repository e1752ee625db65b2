"""Entry point of the program with its own Python: the command `armature`, and `armature -m armature.…` for child processes."""

from __future__ import annotations

import multiprocessing
import runpy
import sys


def main() -> int:
    """Run the command, or as a child process the given module, like `python -m`."""
    multiprocessing.freeze_support()
    arguments = [argument for argument in sys.argv[1:3] if argument != "-P"]  # modules come from the built folder only
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
