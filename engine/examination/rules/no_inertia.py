"""Rules: joints that move no inertia, so that no acceleration is defined and nothing can be simulated."""

from __future__ import annotations

from collections.abc import Iterator

from armature.engine.dynamics.uncompiled.without_inertia import inertia_cause, joints_without_inertia
from armature.engine.examination.figures import Figures
from armature.engine.examination.finding import DOUBTFUL, ERROR, Finding, Place
from armature.engine.examination.sizes import Sizes


def without_inertia(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """M(q) without an inverse: at every pose, or at home."""
    robot = figures.robot
    joints = joints_without_inertia(robot)
    if joints:
        yield Finding(
            "joint without inertia",
            ERROR,
            _place(figures, robot.joint_bodies[joints[-1]]),
            f"{inertia_cause(robot)}; the mass matrix is singular and the acceleration undefined",
            "The link is a point or a thin rod along the axis. Give it an inertia about this axis, or the joint a rotor inertia",
        )
        return
    joints = joints_without_inertia(robot, robot.configurations["home"])
    if joints:
        names = ", ".join(robot.joint_names[k] for k in joints)
        yield Finding(
            "no inertia at home",
            DOUBTFUL,
            _place(figures, robot.joint_bodies[joints[-1]]),
            f"{names} together move no inertia at home, where the mass matrix is singular",
            "The links are points or thin rods on the axes of these joints. A simulation cannot start in this pose",
        )


def _place(figures: Figures, body: int) -> Place:
    """The inertia of the heaviest link on a body."""
    links = [link for link in figures.links if link.body == body]
    return max(links, key=lambda link: link.mass).inertia_at if links else figures.joints[body].where
