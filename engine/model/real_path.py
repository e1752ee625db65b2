"""`real_path`: where a path leads when links are followed, with one behaviour under every version of Python."""

from __future__ import annotations

import errno
import os
from pathlib import Path

_WINDOWS_CIRCLE = 1921


def real_path(path: Path) -> Path:
    """The absolute path without links; what is not there yet stays as it is written.

    Raises OSError for links in a circle, where `Path.resolve` raises RuntimeError up to Python 3.12 and nothing from 3.13 on;
    ValueError for a name that no system takes.
    """
    try:
        path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP or getattr(error, "winerror", None) == _WINDOWS_CIRCLE:
            raise OSError(errno.ELOOP, "links that lead in a circle") from None
    return Path(os.path.realpath(path))
