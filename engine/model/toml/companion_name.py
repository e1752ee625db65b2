"""What the companion of a URDF file is called: `NAME.armature.toml` beside `NAME.urdf`."""

from __future__ import annotations

from pathlib import Path

SUFFIX = ".armature.toml"


def companion_of(urdf: Path) -> Path:
    """Where the companion of a URDF file lies, whether it is there or not."""
    return urdf.with_suffix(SUFFIX)


def urdf_of(companion: Path) -> Path:
    """The URDF file that a companion file belongs to."""
    return companion.with_name(companion.name[: -len(SUFFIX)] + ".urdf")
