"""Where the platform keeps what a program must not lose, though nobody saved it."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def user_state() -> Path:
    """The folder of Armature in the user's state."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "armature/state"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/armature"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "armature"
