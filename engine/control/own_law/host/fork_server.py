"""Imported once by the fork server: forked processes have loaded the engine, and start in milliseconds."""

import gc
import os
import signal
from contextlib import suppress

signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C belongs to the program, which ends this process

with suppress(Exception):  # without it each process imports and compiles this itself
    from armature.engine.control.own_law.call_limit import VARIABLE
    from armature.engine.control.own_law.host.code_service import warm_up

    os.environ[VARIABLE] = "0"  # compiling may take long, and a thread that checks the limit must not be forked
    warm_up()
    gc.freeze()  # garbage collection in a forked process then leaves this memory shared
