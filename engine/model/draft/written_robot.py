"""An arm without a robot file of its own, written as one."""

from __future__ import annotations

from dataclasses import replace

from armature.engine.model.draft.draft_text import with_values
from armature.engine.model.draft.text_parts import split
from armature.engine.model.export.toml_text import toml_text
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_file import table_of


def written_robot(robot: Robot) -> str:
    """The text of a robot file that describes the arm, angles as fractions of pi where they are; remarks say what is lost.

    Raises:
        ModelError: mimic joints, a tool on the base, branches that no DH rows describe.
    """
    if robot.dh is None and robot.source is not None:
        robot = replace(robot, sources=(*robot.sources, f"{robot.source.name}; DH rows computed by Armature"))
    text, losses = toml_text(robot)
    if not losses:
        return text
    told = [*table_of(text.encode(), "robot file", "joints").get("remarks", []), *losses]
    return "".join(part.text for part in with_values(split(text), [(("remarks",), told)]))
