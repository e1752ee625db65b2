"""Routines that only kernels call, called by tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def from_python(part: Any) -> Callable:
    """The routine with a way in from Python, which kernels have and their parts have not."""
    return numba.njit(lambda *arguments: part(*arguments))
