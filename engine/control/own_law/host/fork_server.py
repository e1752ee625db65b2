"""Imported once by the fork server: the processes that it forks have loaded what user code calls, and start in milliseconds."""

import gc
import signal
from contextlib import suppress

signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C belongs to the program, which ends this process

with suppress(Exception):  # without it each process loads what it needs
    from armature.engine.control.own_law.host.code_service import warm_up

    warm_up()
    gc.freeze()  # garbage collection in a forked process then leaves this memory shared
