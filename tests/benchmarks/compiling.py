"""Compiling every kernel into an empty cache, beside commit d6a8602, which did it one after the other in one process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.before import BEFORE, ROOT, checkout
from tests.benchmarks.row import Row, seconds


def rows() -> list[Row]:
    """Processor time and time on the clock of both; needs the commit in the history of the checkout."""
    with checkout() as before:
        theirs = _compile("engine.kernels", before)
    ours = _compile("armature.engine.kernels", ROOT)
    kinds = ("processor time", f"on {os.cpu_count()} cores")
    return [
        Row(f"compiling every kernel, {kind}", seconds(now), f"{seconds(then)} ({BEFORE})", then / now, "2x", then >= 2 * now)
        for kind, now, then in zip(kinds, ours, theirs, strict=True)
    ]


def _compile(module: str, folder: Path) -> tuple[float, float]:
    """Seconds of processor time, processes of its own included, and seconds on the clock."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        before, started = os.times(), time.perf_counter()
        done = subprocess.run([sys.executable, "-m", module], cwd=folder, env=environment, capture_output=True, text=True)
        after, wall = os.times(), time.perf_counter() - started
    if done.returncode != 0:
        raise RuntimeError(f"{module}: {(done.stderr.strip().splitlines() or ['it ended without a word'])[-1]}")
    user, system = after.children_user - before.children_user, after.children_system - before.children_system
    return user + system, wall
