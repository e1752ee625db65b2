"""`examine`: what is wrong with a robot's figures, or may be."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from armature.engine.errors import ModelError
from armature.engine.examination.figures import Figures
from armature.engine.examination.finding import ERROR, GRADES, Finding
from armature.engine.examination.readings import with_readings
from armature.engine.examination.robot_figures import robot_figures
from armature.engine.examination.rules import (
    angles,
    axes,
    centres,
    copies,
    defaults,
    drives,
    gravity,
    holding,
    home,
    inertia_frames,
    inertias,
    lengths,
    limits,
    masses,
    no_inertia,
    sides,
)
from armature.engine.examination.sizes import Sizes, sizes_of
from armature.engine.model.file_bytes import Unreadable, file_bytes
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_file import table_of
from armature.engine.model.toml.toml_kind import companion_of
from armature.engine.model.xacro.xacro_place import arguments_of, file_of, is_xacro

Rule = Callable[[Figures, Sizes], Iterator[Finding]]

# What the weight and the reach of the whole arm come from.
OF_THE_SCALE: tuple[Rule, ...] = (
    lengths.of_the_table,
    lengths.beside_the_others,
    gravity.unlike_earth,
    masses.too_heavy,
    masses.beside_the_others,
)
RULES: tuple[Rule, ...] = (
    lengths.shapes,
    angles.in_degrees,
    angles.in_radians,
    angles.nearly_parallel,
    axes.on_one_axis,
    masses.density,
    centres.far_off,
    inertias.out_of_size,
    inertias.impossible,
    inertia_frames.about_the_frame,
    inertias.left_out,
    no_inertia.without_inertia,
    sides.unlike_sides,
    defaults.alike,
    limits.ranges,
    copies.limits,
    copies.without_motion,
    limits.no_motion,
    limits.speeds,
    drives.rotors,
    drives.gears_without_rotor,
    drives.frictions,
)
# Of an arm with an error in its figures, or with a doubt about its scale, they would only tell what follows from it.
OF_THE_WHOLE: tuple[Rule, ...] = (holding.weak_motors, home.below_floor)
_MOST = 10_000_000
_NONE: Mapping[Path, np.ndarray] = MappingProxyType({})


def examine(robot: Robot, meshes: Mapping[Path, np.ndarray] = _NONE, text: str | None = None) -> tuple[Finding, ...]:
    """Examine a robot's parameters for mistakes and return findings, the most severe first.

    The robot's file is read again if it has not changed, so that findings can name lines and repairs. Nothing is changed.
    Missing mesh files are not findings: `robot.remarks` names them.

    Args:
        meshes: vertices `(V, 3)` of mesh files by path, before scaling: with them, masses and centres are also compared with
            the shapes of the links.
        text: the TOML text of a robot that is not saved in a file yet; None: the robot's file.

    Returns:
        A tuple of `Finding` of grade "error", "doubtful" and "note", in this order; empty for a robot without any.
    """  # plain: names of grades  # plain: names of grades
    figures = _figures(robot, meshes, text)
    sizes = sizes_of(figures)
    figures, of_all = with_readings(figures, sizes)
    scale = [finding for rule in OF_THE_SCALE for finding in rule(figures, sizes)]
    found = [*of_all, *scale, *(finding for rule in RULES for finding in rule(figures, sizes))]
    if not of_all and not scale and not any(finding.grade == ERROR for finding in found):
        found += [finding for rule in OF_THE_WHOLE for finding in rule(figures, sizes)]
    if found and figures.text:
        from armature.engine.examination.toml_lines import with_lines  # what edits robot files, which a sound one has no need of

        found = with_lines(found, figures.text, figures.table)
    found.sort(key=lambda finding: GRADES.index(finding.grade))
    return tuple(found)


def _figures(robot: Robot, meshes: Mapping[Path, np.ndarray], text: str | None) -> Figures:
    path = robot.source
    try:
        if text is not None:
            return _of_toml(robot, text.encode(), path)
        if path is None or robot.changes:
            return robot_figures(robot, meshes)
        if is_xacro(path):
            return _of_xacro(robot, path, meshes)
        data = file_bytes(path, _MOST)
        if hashlib.sha256(data).hexdigest() == robot.file_hash:
            if path.suffix.lower() == ".toml":
                return _of_toml(robot, data, path)
            if path.suffix.lower() == ".urdf":
                return _of_urdf(robot, data, path, meshes)
    except (Unreadable, ModelError):
        pass  # its file is gone since: what is in memory can be examined all the same
    return robot_figures(robot, meshes)


def _of_toml(robot: Robot, data: bytes, path: Path | None) -> Figures:
    from armature.engine.examination.toml_figures import toml_figures  # pydantic's models, which a URDF robot has no need of

    return toml_figures(robot, data, path)


def _of_xacro(robot: Robot, path: Path, meshes: Mapping[Path, np.ndarray]) -> Figures:
    """Expanded again, which takes a process of its own, to know the lines that the URDF was made of."""
    from armature.engine.model.xacro.xacro_reader import expand

    expanded = expand(file_of(path), arguments_of(path, None))
    if hashlib.sha256(expanded.text).hexdigest() != robot.file_hash:
        return robot_figures(robot, meshes)
    return _of_urdf(robot, expanded.text, file_of(path), meshes, expanded.lines)


def _of_urdf(robot: Robot, data: bytes, path: Path, meshes: Mapping[Path, np.ndarray], lines: Sequence[str] = ()) -> Figures:
    from armature.engine.examination.urdf_figures import urdf_figures, with_companion_drives  # lxml, which only this needs

    figures = urdf_figures(robot, data, path, meshes, lines)
    if not robot.companion_hash:
        return figures
    return with_companion_drives(figures, table_of(file_bytes(companion_of(path), _MOST), "companion file", "joints"))
