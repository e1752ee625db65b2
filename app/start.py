"""The program's first file, which imports nothing heavy: Ctrl-C is in order while everything else is still being loaded."""

from __future__ import annotations

import signal


def main() -> int:
    """Loads the command line and runs it; until it can say that it was interrupted, Ctrl-C ends the process without a word."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # and not ignored, as in the background of a shell
    if heard:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from armature.app import cli

    if heard:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return cli.main()
