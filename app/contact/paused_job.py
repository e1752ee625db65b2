"""Computations with contact models, in a thread, of what changes many times a second in a drag."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from armature.app.state.jobs import Job
from armature.engine.errors import Cancelled, KernelsAwaitedError

PAUSE = 0.1  # s
T = TypeVar("T")


def after_pause(job: Job, compute: Callable[[], T], pause: float = PAUSE) -> T:
    """Return the result of `compute` after `pause` s, in which the job can be cancelled.

    Raises Cancelled, also where the user cancelled the compilation of kernels.
    """
    time.sleep(pause)
    job.check()
    try:
        return compute()
    except KernelsAwaitedError:
        raise Cancelled from None
