"""The commit that later work is measured beside, in a checkout of its own."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BEFORE = "d6a8602"


@contextmanager
def checkout() -> Generator[Path]:
    """A folder with BEFORE, which must be in the history of this checkout; it has no kernel compiled."""
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder, "before")
        _git("worktree", "add", "--detach", str(before), BEFORE)
        try:
            yield before
        finally:
            _git("worktree", "remove", "--force", str(before))


def _git(*arguments: str) -> None:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"git {arguments[0]}: {done.stderr.strip().splitlines()[-1]}")
