"""Where the platform keeps what can be made again."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def user_cache() -> Path:
    """The folder of Armature in the user's cache."""
    if sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local"))
    elif sys.platform == "darwin":
        root = Path.home() / "Library/Caches"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return root / "armature"


def kernel_root() -> Path:
    """The folder of all compiled code: NUMBA_CACHE_DIR where the user says so."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    return Path(given) if given else user_cache()
