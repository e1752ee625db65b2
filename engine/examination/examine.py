"""`examine`: the model check, which applies all rules to the parameters of a robot."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from armature.engine.errors import ModelError
from armature.engine.examination.finding import ERROR, GRADES, Finding
from armature.engine.examination.parameters import Parameters, robot_parameters
from armature.engine.examination.readings import with_readings
from armature.engine.examination.rules.angles import (
    angles_in_degrees,
    angles_in_radians,
    joints_on_one_axis,
    nearly_parallel_axes,
)
from armature.engine.examination.rules.inertias import (
    default_inertias,
    impossible_inertias,
    inertias_about_link_frames,
    inertias_beyond_link_size,
    joint_inertias,
    zero_inertias,
)
from armature.engine.examination.rules.lengths import (
    gravity_unlike_earth,
    home_below_floor,
    lengths_above_others,
    shape_lengths,
    table_lengths,
)
from armature.engine.examination.rules.limits import (
    limit_ranges,
    limits_without_motion,
    mimic_joints_without_motion,
    mimic_limits,
    speed_limits,
)
from armature.engine.examination.rules.masses import (
    centres_outside_links,
    masses_above_others,
    masses_too_large,
    shape_densities,
    unlike_sides,
)
from armature.engine.examination.rules.motors import friction_values, gears_without_rotor, rotor_inertias, weak_motors
from armature.engine.examination.sizes import Sizes, sizes_of
from armature.engine.model.file_bytes import Unreadable, file_bytes
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_file import table_of
from armature.engine.model.toml.toml_kind import companion_of
from armature.engine.model.xacro.xacro_place import arguments_of, file_of, is_xacro

Rule = Callable[[Parameters, Sizes], Iterator[Finding]]

# Rules for the scale of the whole arm: lengths, gravity, masses.
OF_THE_SCALE: tuple[Rule, ...] = (
    table_lengths,
    lengths_above_others,
    gravity_unlike_earth,
    masses_too_large,
    masses_above_others,
)
RULES: tuple[Rule, ...] = (
    shape_lengths,
    angles_in_degrees,
    angles_in_radians,
    nearly_parallel_axes,
    joints_on_one_axis,
    shape_densities,
    centres_outside_links,
    inertias_beyond_link_size,
    impossible_inertias,
    inertias_about_link_frames,
    zero_inertias,
    joint_inertias,
    unlike_sides,
    default_inertias,
    limit_ranges,
    mimic_limits,
    mimic_joints_without_motion,
    limits_without_motion,
    speed_limits,
    rotor_inertias,
    gears_without_rotor,
    friction_values,
)
# Skipped if another rule has found an error or a wrong scale: their findings would only be consequences of it.
OF_THE_WHOLE: tuple[Rule, ...] = (weak_motors, home_below_floor)
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
    """  # plain: names of grades
    parameters = _parameters(robot, meshes, text)
    sizes = sizes_of(parameters)
    parameters, of_all = with_readings(parameters, sizes)
    scale = [finding for rule in OF_THE_SCALE for finding in rule(parameters, sizes)]
    found = [*of_all, *scale, *(finding for rule in RULES for finding in rule(parameters, sizes))]
    if not of_all and not scale and not any(finding.grade == ERROR for finding in found):
        found += [finding for rule in OF_THE_WHOLE for finding in rule(parameters, sizes)]
    if found and parameters.text:
        from armature.engine.examination.toml_parameters import with_lines  # imports the editor of robot files

        found = with_lines(found, parameters.text, parameters.table)
    found.sort(key=lambda finding: GRADES.index(finding.grade))
    return tuple(found)


def _parameters(robot: Robot, meshes: Mapping[Path, np.ndarray], text: str | None) -> Parameters:
    path = robot.source
    try:
        if text is not None:
            return _of_toml(robot, text.encode(), path)
        if path is None or robot.changes:
            return robot_parameters(robot, meshes)
        if is_xacro(path):
            return _of_xacro(robot, path, meshes)
        data = file_bytes(path, _MOST)
        if hashlib.sha256(data).hexdigest() == robot.file_hash:
            if path.suffix.lower() == ".toml":
                return _of_toml(robot, data, path)
            if path.suffix.lower() == ".urdf":
                return _of_urdf(robot, data, path, meshes)
    except (Unreadable, ModelError):
        pass  # the file was deleted: examine the robot in memory
    return robot_parameters(robot, meshes)


def _of_toml(robot: Robot, data: bytes, path: Path | None) -> Parameters:
    from armature.engine.examination.toml_parameters import (
        toml_parameters,  # imports pydantic
    )

    return toml_parameters(robot, data, path)


def _of_xacro(robot: Robot, path: Path, meshes: Mapping[Path, np.ndarray]) -> Parameters:
    """Read the parameters of a xacro file, expanded again in a process to obtain the line numbers."""
    from armature.engine.model.xacro.xacro_reader import expand

    expanded = expand(file_of(path), arguments_of(path, None))
    if hashlib.sha256(expanded.text).hexdigest() != robot.file_hash:
        return robot_parameters(robot, meshes)
    return _of_urdf(robot, expanded.text, file_of(path), meshes, expanded.lines)


def _of_urdf(robot: Robot, data: bytes, path: Path, meshes: Mapping[Path, np.ndarray], lines: Sequence[str] = ()) -> Parameters:
    from armature.engine.examination.urdf_parameters import urdf_parameters, with_companion_drives  # imports lxml

    parameters = urdf_parameters(robot, data, path, meshes, lines)
    if not robot.companion_hash:
        return parameters
    return with_companion_drives(parameters, table_of(file_bytes(companion_of(path), _MOST), "companion file", "joints"))
