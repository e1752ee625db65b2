"""`save_robot`: a robot in any format that robots have, by the suffix of the file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

from armature.engine.errors import ModelError, one_line
from armature.engine.files import atomic_file
from armature.engine.model.export.export_parts import Written
from armature.engine.model.export.mjcf_text import mjcf_file
from armature.engine.model.export.toml_text import toml_file
from armature.engine.model.export.urdf_text import urdf_files
from armature.engine.model.robot import Robot
from armature.engine.model.toml.toml_kind import SUFFIX

FORMATS: dict[str, Callable[[Robot, Path], Written]] = {
    ".toml": toml_file,
    ".urdf": urdf_files,
    ".xml": mjcf_file,
    ".mjcf": mjcf_file,
}


def save_robot(robot: Robot, path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Write a robot as a robot file, a URDF or a MuJoCo model, so that `load_robot` reads the same arm.

    Poses agree to 1e-12 m and rad, dynamics to 1e-9. Meshes are referenced, not copied. Properties that URDF cannot express are
    written to the companion file `NAME.armature.toml` in the same folder. Existing files are replaced atomically.

    Args:
        robot: any robot, including its payload and other changes.
        path: a file that ends in `.toml`, `.urdf`, `.xml` or `.mjcf`.

    Returns:
        Messages on properties that the format cannot hold; empty if nothing is lost.

    Raises:
        ModelError: another suffix; a robot that the format cannot hold at all, such as one with mimic joints in TOML, or one
            without masses as a MuJoCo model; a file that cannot be written.
    """
    place = Path(path)
    writer = FORMATS.get(place.suffix.lower())
    if writer is None or place.name.lower().endswith(SUFFIX):
        raise ModelError(one_line(f"{place}: the suffix of a robot file must be {', '.join(FORMATS)}"))
    written = writer(robot, place)
    _replace(written.texts)
    return written.losses


def _replace(texts: Mapping[Path, str]) -> None:
    """Write all files before the first is renamed; the robot's own is last, so that its companion exists."""
    try:
        with ExitStack() as parts:
            for path, text in texts.items():
                parts.enter_context(atomic_file(path)).write_bytes(text.encode())
    except OSError as error:
        raise ModelError(one_line(f"{path}: cannot be written: {error.strerror or error}")) from None
