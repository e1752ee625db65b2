"""The URDF files of PyPI's example-robot-data, and which of them Armature refuses, and why."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

REFUSED = {
    "alex_psyonic_hands": "joint 'index_q1' is not in this file",
    "quadrotor_base": "has no moving joint",
    "iris_simple": "has no moving joint",
    "romeo": "moves no mass",
    "romeo_laas_small": "moves no mass",
    "ur3": "has no name",
}


def example_files() -> list[Path]:
    """Every `.urdf` file, or none where the package is not installed."""
    try:
        root = Path(distribution("example-robot-data").locate_file("cmeel.prefix/share/example-robot-data"))
    except PackageNotFoundError:
        return []
    return sorted(root.rglob("*.urdf"))


def usable_files() -> list[Path]:
    """Those that Armature opens."""
    return [file for file in example_files() if file.stem not in REFUSED]


def example(name: str) -> Path:
    """The file of that name without its suffix; skips the test where it is not at hand."""
    found = [file for file in example_files() if file.stem == name]
    if not found:
        pytest.skip("example-robot-data is not installed")
    return found[0]
