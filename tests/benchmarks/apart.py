"""A measurement in a process of its own, on a display of its own, with nothing imported and nothing warm."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.virtual_display import use_virtual_display

ROOT = Path(__file__).resolve().parents[2]


def printed(module: str, *arguments: str, timeout: float = 180.0, root: Path = ROOT) -> Any:
    """What `tests.benchmarks.<module>` of a checkout printed last, read as JSON; RuntimeError with its last word if it failed."""
    use_virtual_display()
    command = [sys.executable, "-m", f"tests.benchmarks.{module}", *arguments]
    environment = {**os.environ, "MUJOCO_GL": "glfw"}  # GLX for MuJoCo too, so that the same driver of the same display draws
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=timeout)
    if done.returncode != 0:
        raise RuntimeError(f"{module}: {(done.stderr.strip().splitlines() or ['it ended without a word'])[-1]}")
    return json.loads(done.stdout.splitlines()[-1])
